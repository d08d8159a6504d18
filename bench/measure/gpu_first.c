/* What the first use of an algorithm costs beyond later ones, where a program writes it in calls of the
 * standard.
 *
 * gpu_first [SCALE]: PageRank, shortest paths (Bellman-Ford), components (by least labels) and, by operators
 * of the program, widest paths on an R-MAT graph of that scale (18), each three times. Prints, for each, the
 * milliseconds of the runs, how much longer the first takes than the fastest of the others, and how many
 * kernels were compiled, as far as they are on disk. Run it with an empty folder as GRIDBLAS_CACHE, on the
 * device that GRIDBLAS_DEVICE names.
 *
 * Exit status: 0; 2 after an error. */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/measure/measure.h"
#include "bench/measure/measured_graph.h"

static GrB_Vector filled(GrB_Type type, GrB_Index n, double x) {
  GrB_Vector v;
  OK(GrB_Vector_new(&v, type, n));
  OK(GrB_Vector_assign_FP64(v, NULL, NULL, x, GrB_ALL, n, NULL));
  return v;
}

/* ---- the algorithms, as a user writes them ------------------------------------------------------------- */

/* Ten iterations, FP32; r = (1 - d) / n + A' (d r / degree). */
static void pagerank(GrB_Matrix A, GrB_Index n) {
  const float damping = 0.85F, teleport = (1 - damping) / (float)n;
  GrB_Semiring plus_second;
  GrB_Vector r = filled(GrB_FP32, n, 1.0 / (double)n), t = filled(GrB_FP32, n, 0), w = filled(GrB_FP32, n, 1),
             degree;
  float change = 1;
  OK(GrB_Semiring_new(&plus_second, GrB_PLUS_MONOID_FP32, GrB_SECOND_FP32));
  degree = filled(GrB_FP32, n, 0);
  OK(GrB_mxv(degree, NULL, GrB_PLUS_FP32, plus_second, A, w, NULL));
  OK(GrB_Vector_apply_BinaryOp2nd_FP32(degree, NULL, NULL, GrB_MAX_FP32, degree, 1, NULL));
  OK(GrB_Vector_apply_BinaryOp2nd_FP32(degree, NULL, NULL, GrB_DIV_FP32, degree, damping, NULL));
  for (int k = 0; k < 10 && change > 0; k++) {
    GrB_Vector old = t;
    t = r, r = old;
    OK(GrB_Vector_eWiseMult_BinaryOp(w, NULL, NULL, GrB_DIV_FP32, t, degree, NULL));
    OK(GrB_Vector_assign_FP32(r, NULL, NULL, teleport, GrB_ALL, n, NULL));
    OK(GrB_mxv(r, NULL, GrB_PLUS_FP32, plus_second, A, w, GrB_DESC_T0));
    OK(GrB_Vector_assign(t, NULL, GrB_MINUS_FP32, r, GrB_ALL, n, NULL));
    OK(GrB_Vector_apply(t, NULL, NULL, GrB_ABS_FP32, t, NULL));
    OK(GrB_Vector_reduce_FP32(&change, NULL, GrB_PLUS_MONOID_FP32, t, NULL));
  }
  OK(GrB_free(&r)), OK(GrB_free(&t)), OK(GrB_free(&w)), OK(GrB_free(&degree)), OK(GrB_free(&plus_second));
}

/* Until no distance falls, INT64; edge (i, j) has the length i + 1. */
static void shortest_paths(GrB_Matrix A, GrB_Index n) {
  GrB_Vector d, last, less;
  GrB_Matrix length;
  bool changed = true;
  OK(GrB_Matrix_new(&length, GrB_INT64, n, n));
  OK(GrB_Matrix_apply_IndexOp_INT64(length, NULL, NULL, GrB_ROWINDEX_INT64, A, 1, NULL));
  OK(GrB_Vector_new(&d, GrB_INT64, n)), OK(GrB_Vector_new(&last, GrB_INT64, n));
  OK(GrB_Vector_new(&less, GrB_BOOL, n));
  OK(GrB_Vector_setElement_INT64(d, 0, 0));
  for (GrB_Index k = 0; k < n && changed; k++) {
    OK(GrB_Vector_assign(last, NULL, NULL, d, GrB_ALL, n, NULL));
    OK(GrB_vxm(d, NULL, GrB_MIN_INT64, GrB_MIN_PLUS_SEMIRING_INT64, d, length, NULL));
    GrB_Index before, after;
    OK(GrB_Vector_nvals(&before, last)), OK(GrB_Vector_nvals(&after, d));
    OK(GrB_Vector_eWiseMult_BinaryOp(less, NULL, NULL, GrB_LT_INT64, d, last, NULL));
    OK(GrB_Vector_reduce_BOOL(&changed, NULL, GrB_LOR_MONOID_BOOL, less, NULL));
    changed = changed || before != after;
  }
  OK(GrB_free(&d)), OK(GrB_free(&last)), OK(GrB_free(&less)), OK(GrB_free(&length));
}

/* Each vertex takes its neighbors' least label until none changes, INT64. */
static void components(GrB_Matrix A, GrB_Index n) {
  GrB_Vector label, next, different;
  bool changed = true;
  OK(GrB_Vector_new(&label, GrB_INT64, n)), OK(GrB_Vector_new(&next, GrB_INT64, n));
  OK(GrB_Vector_new(&different, GrB_BOOL, n));
  OK(GrB_Vector_assign_INT64(label, NULL, NULL, 0, GrB_ALL, n, NULL));
  OK(GrB_Vector_apply_IndexOp_INT64(label, NULL, NULL, GrB_ROWINDEX_INT64, label, 0, NULL));
  while (changed) {
    OK(GrB_Vector_assign(next, NULL, NULL, label, GrB_ALL, n, NULL));
    OK(GrB_mxv(next, NULL, GrB_MIN_INT64, GrB_MIN_SECOND_SEMIRING_INT64, A, label, NULL));
    OK(GrB_Vector_eWiseMult_BinaryOp(different, NULL, NULL, GrB_NE_INT64, label, next, NULL));
    OK(GrB_Vector_reduce_BOOL(&changed, NULL, GrB_LOR_MONOID_BOOL, different, NULL));
    GrB_Vector old = label;
    label = next, next = old;
  }
  OK(GrB_free(&label)), OK(GrB_free(&next)), OK(GrB_free(&different));
}

static void narrower(void *z, const void *x, const void *y) {
  const int64_t *a = x, *b = y;
  *(int64_t *)z = *a < *b ? *a : *b;
}
static void is_wider(void *z, const void *x, const void *y) {
  *(bool *)z = *(const int64_t *)x > *(const int64_t *)y;
}
static const char narrower_text[] =
    "void narrower(int64_t *z, const int64_t *x, const int64_t *y) "
    "{ *z = *x < *y ? *x : *y; }",
                  is_wider_text[] =
                      "void is_wider(bool *z, const int64_t *x, const int64_t *y) { *z = *x > *y; }";

/* Until no path grows wider, INT64; edge (i, j) has the width i + 1. No kernel of these operators is
 * prebuilt. */
static void widest_paths(GrB_Matrix A, GrB_Index n) {
  GrB_Vector d, last, wider;
  GrB_Matrix width;
  GrB_BinaryOp least, grows;
  GrB_Semiring max_least;
  bool changed = true;
  OK(Grid_BinaryOp_new(&least, narrower, GrB_INT64, GrB_INT64, GrB_INT64, "narrower", narrower_text));
  OK(Grid_BinaryOp_new(&grows, is_wider, GrB_BOOL, GrB_INT64, GrB_INT64, "is_wider", is_wider_text));
  OK(GrB_Semiring_new(&max_least, GrB_MAX_MONOID_INT64, least));
  OK(GrB_Matrix_new(&width, GrB_INT64, n, n));
  OK(GrB_Matrix_apply_IndexOp_INT64(width, NULL, NULL, GrB_ROWINDEX_INT64, A, 1, NULL));
  d = filled(GrB_INT64, n, 0), last = filled(GrB_INT64, n, 0);
  OK(GrB_Vector_new(&wider, GrB_BOOL, n));
  OK(GrB_Vector_setElement_INT64(d, (int64_t)n, 0));
  while (changed) {
    OK(GrB_Vector_assign(last, NULL, NULL, d, GrB_ALL, n, NULL));
    OK(GrB_vxm(d, NULL, GrB_MAX_INT64, max_least, d, width, NULL));
    OK(GrB_Vector_eWiseMult_BinaryOp(wider, NULL, NULL, grows, d, last, NULL));
    OK(GrB_Vector_reduce_BOOL(&changed, NULL, GrB_LOR_MONOID_BOOL, wider, NULL));
  }
  OK(GrB_free(&d)), OK(GrB_free(&last)), OK(GrB_free(&wider)), OK(GrB_free(&width));
  OK(GrB_free(&max_least)), OK(GrB_free(&least)), OK(GrB_free(&grows));
}

/* ---- measurement --------------------------------------------------------------------------------------- */

/* Kernels in the user's cache: those that were compiled, as it was empty. */
static int kernels_compiled(void) {
  const char *folder = getenv("GRIDBLAS_CACHE");
  DIR *d = folder ? opendir(folder) : NULL;
  int n = 0;
  for (const struct dirent *e; d && (e = readdir(d));) n += strstr(e->d_name, ".kernel") != NULL;
  if (d) closedir(d);
  return n;
}

static void measure(const char *name, void (*run)(GrB_Matrix, GrB_Index), GrB_Matrix A, GrB_Index n) {
  enum { RUNS = 3 };
  double ms[RUNS];
  const int before = kernels_compiled();
  for (int k = 0; k < RUNS; k++) {
    const double begin = now_ms();
    run(A, n);
    ms[k] = now_ms() - begin;
  }
  printf("%-15s runs of %8.1f %8.1f %8.1f ms, difference %8.1f, %3d kernels compiled\n", name, ms[0], ms[1],
         ms[2], ms[0] - fmin(ms[1], ms[2]), kernels_compiled() - before);
}

int main(int argc, char **argv) {
  const char *scale = argc > 1 ? argv[1] : "18";
  GrB_Matrix A;
  GrB_Index n;
  OK(GrB_init(GrB_NONBLOCKING));
  require(graph_of(&A, scale, false), "a graph");
  OK(GrB_Matrix_nrows(&n, A));
  measure("PageRank", pagerank, A, n);
  measure("shortest paths", shortest_paths, A, n);
  measure("components", components, A, n);
  measure("widest paths", widest_paths, A, n);
  OK(GrB_Matrix_free(&A));
  OK(GrB_finalize());
  return 0;
}
