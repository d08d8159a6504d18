/* text_operators [SCALE]: user-defined operators compared with predefined ones, on an R-MAT graph of edge
 * factor 16 with FP64 values: products, and a vector operation. The variants of an operation alternate; the
 * best of each counts, once its kernels are compiled (GRIDBLAS_CC=off: there are none). Sums must be bitwise
 * equal. */
#include <inttypes.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "GraphBLAS.h"
#include "gridblas.h"

enum { ROUNDS = 12, FORMS = 3, ROWS = 4 };
static const char *const form_name[FORMS] = {"predefined", "as text", "as a C function"};
static const char *const row_name[ROWS] = {"mxv plus.times", "mxv min.plus", "vxm plus.times, 1 in 20",
                                           "eWiseMult times"};

static void plus(double *z, const double *x, const double *y) {
  *z = *x + *y;
}
static void times(double *z, const double *x, const double *y) {
  *z = *x * *y;
}
static void least(double *z, const double *x, const double *y) {
  *z = *y < *x ? *y : *x;
}
#define TEXT(name, value) "void " #name "(double *z, const double *x, const double *y) { *z = " value "; }"

static void must(GrB_Info info, const char *what) {
  if (info == GrB_SUCCESS) return;
  fprintf(stderr, "text_operators: %s: %s\n", what, Grid_last_error());
  exit(2);
}

typedef void (*binary)(void *, const void *, const void *);
typedef struct {
  GrB_BinaryOp times;
  GrB_Semiring plus_times, min_plus;
} algebra;

static GrB_BinaryOp make(binary f, const char *name, const char *text) {
  GrB_BinaryOp op;
  must(Grid_BinaryOp_new(&op, f, GrB_FP64, GrB_FP64, GrB_FP64, name, text), "an operator");
  return op;
}

static GrB_Semiring make_semiring(GrB_BinaryOp add, double identity, GrB_BinaryOp mul) {
  GrB_Monoid m;
  GrB_Semiring s;
  must(GrB_Monoid_new_FP64(&m, add, identity), "a monoid");
  must(GrB_Semiring_new(&s, m, mul), "a semiring");
  return s;
}

static algebra make_algebra(bool text) {
  const GrB_BinaryOp p = make((binary)plus, "plus", text ? TEXT(plus, "*x + *y") : NULL),
                     t = make((binary)times, "times", text ? TEXT(times, "*x * *y") : NULL),
                     l = make((binary)least, "least", text ? TEXT(least, "*y < *x ? *y : *x") : NULL);
  return (algebra){t, make_semiring(p, 0, t), make_semiring(l, INFINITY, p)};
}

static GrB_Matrix make_matrix(int scale, GrB_Index n) {
  Grid_Edges e;
  GrB_Matrix A;
  must(Grid_rmat(&e, scale, 16, 1), "the graph");
  double *value = malloc((e.n + 1) * sizeof *value);
  if (!value) must(GrB_OUT_OF_MEMORY, "values");
  for (uint64_t k = 0; k < e.n; k++) value[k] = 1 + (double)((e.rows[k] * 7 + e.cols[k] * 13) % 1024) / 1024;
  must(GrB_Matrix_new(&A, GrB_FP64, n, n), "the matrix");
  must(Grid_Matrix_build(A, e.rows, e.cols, value, GrB_FP64, e.n, GrB_SECOND_FP64, 0), "the matrix");
  must(GrB_Matrix_wait(A, GrB_MATERIALIZE), "the matrix");
  free(value);
  Grid_Edges_free(&e);
  return A;
}

static GrB_Vector make_vector(GrB_Index n, GrB_Index step) {
  GrB_Vector x;
  must(GrB_Vector_new(&x, GrB_FP64, n), "a vector");
  for (GrB_Index i = 0; i < n; i += step)
    must(GrB_Vector_setElement_FP64(x, 1 + (double)(i % 1000) / 1024, i), "a vector");
  must(GrB_Vector_wait(x, GrB_MATERIALIZE), "a vector");
  return x;
}

static void run(int row, const algebra *a, GrB_Vector w, GrB_Matrix A, GrB_Vector x, GrB_Vector sparse) {
  must(row == 0   ? GrB_mxv(w, NULL, NULL, a->plus_times, A, x, NULL)
       : row == 1 ? GrB_mxv(w, NULL, NULL, a->min_plus, A, x, NULL)
       : row == 2 ? GrB_vxm(w, NULL, NULL, a->plus_times, sparse, A, NULL)
                  : GrB_Vector_eWiseMult_BinaryOp(w, NULL, NULL, a->times, x, x, NULL),
       row_name[row]);
  must(GrB_Vector_wait(w, GrB_MATERIALIZE), row_name[row]);
}

int main(int argc, char **argv) {
  const int scale = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 18;
  const GrB_Index n = (GrB_Index)1 << scale;
  must(GrB_init(GrB_NONBLOCKING), "the start");
  const algebra forms[FORMS] = {{GrB_TIMES_FP64, GrB_PLUS_TIMES_SEMIRING_FP64, GrB_MIN_PLUS_SEMIRING_FP64},
                                make_algebra(true),
                                make_algebra(false)};
  GrB_Matrix A = make_matrix(scale, n);
  GrB_Vector x = make_vector(n, 1), sparse = make_vector(n, 20), w;
  must(GrB_Vector_new(&w, GrB_FP64, n), "a vector");
  bool same = true;
  printf("scale %d, %d threads; milliseconds, and times the predefined one's\n", scale,
         omp_get_max_threads());
  for (int row = 0; row < ROWS; row++) {
    double best[FORMS] = {INFINITY, INFINITY, INFINITY}, sum[FORMS], elapsed = 0;
    for (int r = 0; r < ROUNDS || elapsed < 1.5; r++) /* time for the compiler, too */
      for (int f = 0; f < FORMS; f++) {
        const double start = omp_get_wtime();
        run(row, &forms[f], w, A, x, sparse);
        const double t = omp_get_wtime() - start;
        elapsed += t;
        if (t < best[f]) best[f] = t;
        must(GrB_Vector_reduce_FP64(&sum[f], NULL, GrB_PLUS_MONOID_FP64, w, NULL), "a sum");
      }
    printf("%-24s", row_name[row]);
    for (int f = 0; f < FORMS; f++) {
      printf("  %s %.3f (%.2f)", form_name[f], 1e3 * best[f], best[f] / best[0]);
      /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-exp42-c,cert-flp37-c): bit for bit */
      same = same && memcmp(&sum[f], &sum[0], sizeof sum[f]) == 0;
    }
    printf("\n");
  }
  const char *what;
  for (int k = 0; (what = Grid_fallback(k, NULL)); k++) printf("%s\n", what);
  if (!same) printf("the sums differ\n");
  GrB_finalize();
  return !same;
}
