/* gpu_shares SCALE|FILE [SHARE [ORDER]]: products with a matrix that does not fit its GPU's memory, by the
 * GPU alone, by the CPU alone, and by both together. The graph is R-MAT of that scale, unordered or (ORDER
 * "degree") numbered by descending degree, or a page file with a symmetric pattern. The limit is a SHARE-th
 * (4) of the matrix's columns and values in addition to the vectors. Measured: PageRank in FP32 (of the
 * pattern), and pulls with full vectors: plus.times and min.plus in FP32, plus.times in FP64, and a semiring
 * with a user-defined operator. Prints milliseconds an iteration or product (the least and the mean of TIMES,
 * after WARM others) and entries a second. Also bytes copied over the link, and the speed-up of both together
 * over the faster one. Cached properties are built in products that are not timed. Results must agree. On one
 * process. Exit status: 0; 1 if they do not; 2 after an error; 77 where there is no GPU. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/measure/gpu_copies.h"
#include "bench/measure/measure.h"
#include "bench/measure/measured_graph.h"
#include "gridblas_algos.h"

/* VECTORS: bytes a vertex that vectors and work may take. */
enum { WARM = 4, TIMES = 5, VECTORS = 40, MATRICES = 3, PRODUCTS = 5 };
enum { DEVICE_ONLY, TOGETHER, HOST, MODES };
static const char *const mode_name[MODES] = {"GPU", "together", "CPU"};

/* Not public: pages for the CPU are set between measurements (semiring/support/tuning.h). */
GrB_Info grid_tune_set(const char *text);

/* ---- products ------------------------------------------------------------------------------------------ */

/* A's pattern with values of this type: of entry (i, j) 1 / (1 + i). */
static GrB_Matrix give_values(GrB_Matrix A, GrB_Type type, GrB_Index n) {
  GrB_Matrix V = NULL;
  OK(GrB_Matrix_new(&V, type, n, n));
  OK(GrB_Matrix_apply_IndexOp_INT64(V, NULL, NULL, GrB_ROWINDEX_INT64, A, 1, NULL));
  OK(GrB_Matrix_apply(V, NULL, NULL, type == GrB_FP32 ? GrB_MINV_FP32 : GrB_MINV_FP64, V, NULL));
  OK(GrB_wait(V, GrB_MATERIALIZE));
  return V;
}

typedef struct {
  const char *name;
  int matrix;            /* 0: the pattern, 1: FP32, 2: FP64 */
  GrB_Semiring semiring; /* NULL: an iteration of PageRank */
  double ms[MODES], answer[MODES];
} product;

/* A program's own: |a - x|, and the largest. */
static void distance(void *z, const void *a, const void *x) {
  float va, vx;
  memcpy(&va, a, sizeof va);
  memcpy(&vx, x, sizeof vx);
  va = fabsf(va - vx);
  memcpy(z, &va, sizeof va);
}
#define DISTANCE                                         \
  "void distance(void *z, const void *a, const void *x)" \
  " { float d = *(const float *)a - *(const float *)x; *(float *)z = d < 0 ? -d : d; }"

static double sum_of(GrB_Vector v) {
  double sum = 0;
  OK(GrB_Vector_reduce_FP64(&sum, NULL, GrB_PLUS_MONOID_FP64, v, NULL));
  return sum;
}

/* Of an iteration, or a product. */
static double once(product *p, int mode, GrB_Matrix A, GrB_Vector x, GrB_Vector y) {
  const double since = now_ms();
  if (p->semiring) {
    OK(GrB_mxv(y, NULL, NULL, p->semiring, A, x, GrB_DESC_R));
    OK(GrB_wait(y, GrB_MATERIALIZE));
    const double ms = now_ms() - since;
    p->answer[mode] = sum_of(y);
    return ms;
  }
  enum { ITERATIONS = 10 };
  GrB_Vector rank = NULL;
  OK(Grid_pagerank(&rank, NULL, NULL, A, NULL, 0.85, 0, ITERATIONS, Grid_PAGERANK_FP32));
  OK(GrB_wait(rank, GrB_MATERIALIZE));
  const double ms = (now_ms() - since) / ITERATIONS;
  OK(GrB_Vector_eWiseMult_BinaryOp(rank, NULL, NULL, GrB_TIMES_FP32, rank, rank, NULL));
  p->answer[mode] = sum_of(rank);
  GrB_Vector_free(&rank);
  return ms;
}

static void run(product *p, int mode, GrB_Matrix A, GrB_Index n, GrB_Index nvals, double rate) {
  const GrB_Type type = p->matrix == 2 ? GrB_FP64 : GrB_FP32;
  GrB_Vector x = NULL, y = NULL;
  double least = INFINITY, sum = 0;
  uint64_t all = 0, cached = 0, sent = 0;
  if (p->semiring) {
    OK(GrB_Vector_new(&x, type, n));
    OK(GrB_Vector_new(&y, type, n));
    OK(GrB_Vector_assign_FP32(x, NULL, NULL, 1, GrB_ALL, n, NULL));
    OK(GrB_Vector_apply_IndexOp_INT64(x, NULL, NULL, GrB_ROWINDEX_INT64, x, 1, NULL));
  }
  const int warm = p->semiring ? WARM : 1, times = p->semiring ? TIMES : mode == HOST ? 1 : 2;
  for (int k = 0; k < warm; k++) once(p, mode, A, x, y);
  for (int k = 0; k < times; k++) {
    const uint64_t before = Grid_Matrix_bytes_sent(NULL, NULL, A);
    const double ms = once(p, mode, A, x, y);
    sent = (Grid_Matrix_bytes_sent(&all, &cached, A) - before) / (p->semiring ? 1 : 10);
    sum += ms;
    if (ms < least) least = ms;
  }
  p->ms[mode] = least;
  printf("%-16s %-9s %9.2f ms, mean %9.2f; %6.2f G entries/s", p->name, mode_name[mode], least, sum / times,
         (double)nvals / least * 1e-6);
  if (mode != HOST)
    printf("; %.2f of %.2f bytes an entry crossed, %.2f kept, %.2f of the link's rate",
           (double)sent / (double)nvals, (double)all / (double)nvals, (double)cached / (double)nvals,
           rate > 0 ? (double)sent / (sum / times * 1e-3) / rate : 0);
  printf("\n");
  fflush(stdout);
  GrB_Vector_free(&x);
  GrB_Vector_free(&y);
}

static void run_matrix(product *p, int matrix, GrB_Matrix A, GrB_Index n, double rate, int share) {
  const uint64_t entry = matrix == 0 ? 4 : matrix == 1 ? 8 : 12;
  GrB_Index nvals;
  OK(GrB_Matrix_nvals(&nvals, A));
  const uint64_t limit = entry * nvals / (uint64_t)share + VECTORS * n;
  OK(GrB_Matrix_set_INT32(A, Grid_DIRECTION_PULL, Grid_DIRECTION));
  OK(Grid_device_memory_limit(limit));
  printf("%" PRIu64 " bytes an entry in memory, limit %.1f MB\n", entry, (double)limit * 1e-6);
  for (int mode = 0; mode < MODES; mode++) {
    if (mode == DEVICE_ONLY) OK(grid_tune_set("cpu_page_ratio=off"));
    if (mode == TOGETHER) OK(grid_tune_set("cpu_page_ratio=default"));
    if (mode == HOST) {
      OK(Grid_device_memory_limit(0));
      OK(Grid_device_set(Grid_CPU));
    }
    for (int k = 0; k < PRODUCTS; k++)
      if (p[k].matrix == matrix) run(&p[k], mode, A, n, nvals, rate);
  }
  OK(Grid_device_set(Grid_CUDA));
}

static int report_product(const product *p) {
  int bad = 0;
  for (int k = 0; k < PRODUCTS; k++) {
    const double *ms = p[k].ms, *a = p[k].answer, better = fmin(ms[DEVICE_ONLY], ms[HOST]);
    printf("%-16s together %9.2f ms, GPU %9.2f, CPU %9.2f: %.3f times the better\n", p[k].name, ms[TOGETHER],
           ms[DEVICE_ONLY], ms[HOST], better / ms[TOGETHER]);
    for (int m = 1; m < MODES; m++)
      if (!(fabs(a[m] - a[0]) <= 1e-4 * fabs(a[0]))) {
        printf("%s: %s says %g, the GPU alone %g\n", p[k].name, mode_name[m], a[m], a[0]);
        bad = 1;
      }
  }
  return bad;
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "20";
  const int share = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 4;
  const bool by_degree = argc > 3 && strcmp(argv[3], "degree") == 0;
  GrB_Matrix A = NULL;
  GrB_Index n = 0, nvals = 0;
  GrB_BinaryOp distance_op = NULL;
  GrB_Semiring farthest = NULL;
  if (share < 1) return 2;
  OK(GrB_init(GrB_NONBLOCKING));
  if (Grid_device_set(Grid_CUDA) != GrB_SUCCESS) {
    printf("skipped: %s\n", Grid_last_error());
    return 77;
  }
  OK(Grid_BinaryOp_new(&distance_op, distance, GrB_FP32, GrB_FP32, GrB_FP32, "distance", DISTANCE));
  OK(GrB_Semiring_new(&farthest, GrB_MAX_MONOID_FP32, distance_op));
  product p[PRODUCTS] = {{.name = "pagerank", .matrix = 0},
                         {.name = "plus.times FP32", .matrix = 1, .semiring = GrB_PLUS_TIMES_SEMIRING_FP32},
                         {.name = "min.plus FP32", .matrix = 1, .semiring = GrB_MIN_PLUS_SEMIRING_FP32},
                         {.name = "max.distance FP32", .matrix = 1, .semiring = farthest},
                         {.name = "plus.times FP64", .matrix = 2, .semiring = GrB_PLUS_TIMES_SEMIRING_FP64}};
  const double rate = gpu_copy_rate(8 << 20), since = now_ms();
  require(graph_of(&A, what, by_degree), "the graph");
  OK(GrB_Matrix_nrows(&n, A));
  OK(GrB_Matrix_nvals(&nvals, A));
  printf("%s%s: %" PRIu64 " entries, made in %.0f ms; link %.1f GB/s; %d threads\n", what,
         by_degree ? " by degree" : "", nvals, now_ms() - since, rate * 1e-9, Grid_threads(0));
  for (int matrix = MATRICES - 1; matrix >= 0; matrix--) {
    GrB_Matrix V = NULL;
    OK(Grid_device_memory_limit(0));
    if (matrix) V = give_values(A, matrix == 2 ? GrB_FP64 : GrB_FP32, n);
    if (!matrix) V = A, A = NULL;
    run_matrix(p, matrix, V, n, rate, share);
    GrB_Matrix_free(&V);
  }
  const int bad = report_product(p);
  GrB_Semiring_free(&farthest);
  GrB_BinaryOp_free(&distance_op);
  OK(GrB_finalize());
  return bad;
}
