/* From which size the device pays, and what many small graphs cost.
 *
 * gpu_small calls: microseconds a call on the host and on the GPU, one at a time and in a row without
 * waiting, on objects of 2^4 to 2^20 indices (vectors) or entries (matrices, 8 in a row). For each operation
 * it prints the least size from which the GPU is faster. Run it with
 * GRIDBLAS_TUNE=device_vector_min=0,device_matrix_min=0, which puts small calls on the GPU, too.
 *
 * gpu_small graphs [ROUNDS]: makes and searches random graphs of 10 to 3000 vertices, as LAGraph's tests do,
 * on the device that GRIDBLAS_DEVICE names. Prints microseconds a graph, and a number that must be the same
 * on every device.
 *
 * Exit status: 0; 2 after an error. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/measure/measure.h"

static uint64_t random_below(uint64_t n) {
  static uint64_t state = 1;
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (state >> 33) % n;
}

/* Mirrored without loops: a graph; else about e entries. */
static GrB_Matrix random_matrix(GrB_Index n, GrB_Index e, bool graph) {
  GrB_Index *row = malloc(e * sizeof *row), *col = malloc(e * sizeof *col);
  double *x = malloc(e * sizeof *x);
  require(row && col && x, "memory");
  for (GrB_Index k = 0; k < e; k += 1 + graph) {
    GrB_Index i = random_below(n), j = random_below(n);
    if (graph && i == j) j = (i + 1) % n;
    row[k] = i, col[k] = j, x[k] = 1;
    if (graph && k + 1 < e) row[k + 1] = j, col[k + 1] = i, x[k + 1] = 1;
  }
  GrB_Matrix A;
  OK(GrB_Matrix_new(&A, GrB_FP64, n, n));
  OK(GrB_Matrix_build_FP64(A, row, col, x, e / 2 * 2, GrB_FIRST_FP64));
  free(row), free(col), free(x);
  return A;
}

static GrB_Vector filled(GrB_Index n, double x) {
  GrB_Vector v;
  OK(GrB_Vector_new(&v, GrB_FP64, n));
  OK(GrB_Vector_assign_FP64(v, NULL, NULL, x, GrB_ALL, n, NULL));
  return v;
}

/* ---- calls --------------------------------------------------------------------------------------------- */

typedef struct {
  GrB_Index n;           /* of the vectors and the matrices */
  GrB_Vector u, v, w, q; /* q: every eighth index has an entry */
  GrB_Matrix A, B, C;
} operands;

static void ewise_add(operands *o) {
  OK(GrB_Vector_eWiseAdd_BinaryOp(o->w, NULL, NULL, GrB_PLUS_FP64, o->u, o->v, NULL));
}
static void apply(operands *o) {
  OK(GrB_Vector_apply(o->w, NULL, NULL, GrB_AINV_FP64, o->u, NULL));
}
static void assign(operands *o) {
  OK(GrB_Vector_assign_FP64(o->w, o->q, NULL, 3, GrB_ALL, o->n, GrB_DESC_S));
}
static void reduce(operands *o) {
  double sum;
  OK(GrB_Vector_reduce_FP64(&sum, NULL, GrB_PLUS_MONOID_FP64, o->u, NULL));
}
static void mxv(operands *o) {
  OK(GrB_mxv(o->w, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, o->A, o->u, NULL));
}
static void vxm(operands *o) {
  OK(GrB_vxm(o->w, o->u, NULL, GrB_MIN_FIRST_SEMIRING_FP64, o->q, o->A, GrB_DESC_RS));
}
static void mxm(operands *o) {
  OK(GrB_mxm(o->C, o->A, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, o->A, o->B, GrB_DESC_RST1));
}
static void matrix_add(operands *o) {
  OK(GrB_Matrix_eWiseAdd_BinaryOp(o->C, NULL, NULL, GrB_PLUS_FP64, o->A, o->B, NULL));
}
static void matrix_select(operands *o) {
  OK(GrB_Matrix_select_INT64(o->C, NULL, NULL, GrB_TRIL, o->A, -1, NULL));
}
static void matrix_apply(operands *o) {
  OK(GrB_Matrix_apply(o->C, NULL, NULL, GrB_AINV_FP64, o->A, NULL));
}
static void row_sums(operands *o) {
  OK(GrB_Matrix_reduce_Monoid(o->w, NULL, NULL, GrB_PLUS_MONOID_FP64, o->A, NULL));
}

static const struct {
  const char *name;
  void (*run)(operands *);
  bool of_matrix;
} calls[] = {{"eWiseAdd", ewise_add, false},
             {"apply", apply, false},
             {"assign masked", assign, false},
             {"reduce", reduce, false},
             {"mxv", mxv, true},
             {"vxm masked", vxm, true},
             {"mxm masked", mxm, true},
             {"matrix eWiseAdd", matrix_add, true},
             {"matrix select", matrix_select, true},
             {"matrix apply", matrix_apply, true},
             {"matrix row sums", row_sums, true}};
enum { CALLS = sizeof calls / sizeof *calls, LEAST_LOG = 4, MOST_LOG = 20, ROUNDS = 5, IN_A_ROW = 32 };

static operands make_operands(int log_of, bool of_matrix) {
  const GrB_Index size = (GrB_Index)1 << log_of, n = of_matrix ? (size + 7) / 8 : size;
  operands o = {.n = n, .u = filled(n, 1), .v = filled(n, 2), .w = filled(n, 4)};
  OK(GrB_Vector_new(&o.q, GrB_FP64, n));
  GrB_Index *at = malloc((n / 8 + 1) * sizeof *at), m = 0;
  double *x = malloc((n / 8 + 1) * sizeof *x);
  require(at && x, "memory");
  for (GrB_Index k = 0; k < n; k += 8) at[m] = k, x[m++] = 1;
  OK(GrB_Vector_build_FP64(o.q, at, x, m, NULL));
  free(at), free(x);
  if (!of_matrix) return o;
  o.A = random_matrix(n, size, false), o.B = random_matrix(n, size, false);
  OK(GrB_Matrix_new(&o.C, GrB_FP64, n, n));
  return o;
}

static void free_operands(operands *o) {
  GrB_Vector_free(&o->u), GrB_Vector_free(&o->v), GrB_Vector_free(&o->w), GrB_Vector_free(&o->q);
  GrB_Matrix_free(&o->A), GrB_Matrix_free(&o->B), GrB_Matrix_free(&o->C);
}

static void wait_for(operands *o) {
  OK(GrB_Vector_wait(o->w, GrB_COMPLETE));
  if (o->C) OK(GrB_Matrix_wait(o->C, GrB_COMPLETE));
}

/* Microseconds a call: the least of some rounds. */
static double time_call(void (*run)(operands *), operands *o, int in_a_row) {
  double best = 1e30;
  const double warm = now_us() + 3000;
  int n = 0;
  do run(o), wait_for(o), n++;
  while (now_us() < warm);
  const int turns = n > 64 ? 64 : n; /* of at most 3 ms */
  if (in_a_row > turns) in_a_row = turns;
  const int total = (turns + in_a_row - 1) / in_a_row * in_a_row;
  for (int r = 0; r < ROUNDS; r++) {
    const double begun = now_us();
    for (int k = 0; k < total; k += in_a_row) {
      for (int j = 0; j < in_a_row; j++) run(o);
      wait_for(o);
    }
    const double us = (now_us() - begun) / total;
    if (us < best) best = us;
  }
  return best;
}

static void time_calls(void) {
  printf("%-16s %5s %10s %10s %10s %10s %8s\n", "us a call", "log2", "host", "GPU", "host row", "GPU row",
         "GPU/host");
  for (int c = 0; c < CALLS; c++) {
    int pays[2] = {-1, -1};
    for (int log_of = LEAST_LOG; log_of <= MOST_LOG; log_of += 2) {
      double us[2][2];
      for (int device = 0; device < 2; device++) {
        OK(Grid_device_set(device ? Grid_CUDA : Grid_CPU));
        operands o = make_operands(log_of, calls[c].of_matrix);
        us[device][0] = time_call(calls[c].run, &o, 1);
        us[device][1] = time_call(calls[c].run, &o, IN_A_ROW);
        free_operands(&o);
      }
      for (int way = 0; way < 2; way++)
        if (us[1][way] >= us[0][way])
          pays[way] = -1;
        else if (pays[way] < 0)
          pays[way] = log_of;
      printf("%-16s %5d %10.2f %10.2f %10.2f %10.2f %8.2f\n", calls[c].name, log_of, us[0][0], us[1][0],
             us[0][1], us[1][1], us[1][1] / us[0][1]);
      fflush(stdout);
    }
    printf("%-16s pays from 2^%d one at a time, 2^%d in a row (-1: never)\n", calls[c].name, pays[0],
           pays[1]);
  }
}

/* ---- graphs -------------------------------------------------------------------------------------------- */

/* Levels from vertex 0; returns their sum. */
static int64_t search(GrB_Matrix A, GrB_Index n) {
  GrB_Vector level, q;
  GrB_Index found = 1;
  int64_t sum = 0;
  OK(GrB_Vector_new(&level, GrB_INT64, n)), OK(GrB_Vector_new(&q, GrB_BOOL, n));
  OK(GrB_Vector_setElement_BOOL(q, true, 0));
  for (int64_t depth = 0; found > 0; depth++) {
    OK(GrB_Vector_assign_INT64(level, q, NULL, depth, GrB_ALL, n, GrB_DESC_S));
    OK(GrB_vxm(q, level, NULL, GrB_LOR_LAND_SEMIRING_BOOL, q, A, GrB_DESC_RSC));
    OK(GrB_Vector_nvals(&found, q));
  }
  OK(GrB_Vector_reduce_INT64(&sum, NULL, GrB_PLUS_MONOID_INT64, level, NULL));
  GrB_Vector_free(&level), GrB_Vector_free(&q);
  return sum;
}

/* C<L> = L L', L the lower triangle. */
static int64_t triangles(GrB_Matrix A, GrB_Index n) {
  GrB_Matrix L, C;
  int64_t count = 0;
  OK(GrB_Matrix_new(&L, GrB_FP64, n, n)), OK(GrB_Matrix_new(&C, GrB_INT64, n, n));
  OK(GrB_Matrix_select_INT64(L, NULL, NULL, GrB_TRIL, A, -1, NULL));
  OK(GrB_mxm(C, L, NULL, GrB_PLUS_TIMES_SEMIRING_INT64, L, L, GrB_DESC_ST1));
  OK(GrB_Matrix_reduce_INT64(&count, NULL, GrB_PLUS_MONOID_INT64, C, NULL));
  GrB_Matrix_free(&L), GrB_Matrix_free(&C);
  return count;
}

/* Ten iterations; returns the largest rank in millionths. */
static int64_t rank(GrB_Matrix A, GrB_Index n) {
  GrB_Vector d, r = filled(n, 1. / (double)n), t;
  double most = 0;
  OK(GrB_Vector_new(&d, GrB_FP64, n)), OK(GrB_Vector_new(&t, GrB_FP64, n));
  OK(GrB_Matrix_reduce_Monoid(d, NULL, NULL, GrB_PLUS_MONOID_FP64, A, NULL));
  OK(GrB_Vector_apply_BinaryOp2nd_FP64(d, NULL, NULL, GrB_DIV_FP64, d, 0.85, NULL));
  for (int k = 0; k < 10; k++) {
    OK(GrB_Vector_eWiseMult_BinaryOp(t, NULL, NULL, GrB_DIV_FP64, r, d, NULL));
    OK(GrB_Vector_assign_FP64(r, NULL, NULL, 0.15 / (double)n, GrB_ALL, n, NULL));
    OK(GrB_mxv(r, NULL, GrB_PLUS_FP64, GrB_PLUS_TIMES_SEMIRING_FP64, A, t, GrB_DESC_T0));
  }
  OK(GrB_Vector_reduce_FP64(&most, NULL, GrB_MAX_MONOID_FP64, r, NULL));
  GrB_Vector_free(&d), GrB_Vector_free(&r), GrB_Vector_free(&t);
  return (int64_t)(most * 1e6 + 0.5);
}

/* Least label of each vertex's component; returns the labels' sum. */
static int64_t components(GrB_Matrix A, GrB_Index n) {
  GrB_Vector f, g;
  bool same = false;
  int64_t sum = 0;
  OK(GrB_Vector_new(&f, GrB_INT64, n)), OK(GrB_Vector_new(&g, GrB_INT64, n));
  for (GrB_Index i = 0; i < n; i++) OK(GrB_Vector_setElement_INT64(f, (int64_t)i, i));
  while (!same) {
    GrB_Vector equal;
    OK(GrB_Vector_dup(&g, f));
    OK(GrB_mxv(f, NULL, GrB_MIN_INT64, GrB_MIN_SECOND_SEMIRING_INT64, A, g, NULL));
    OK(GrB_Vector_new(&equal, GrB_BOOL, n));
    OK(GrB_Vector_eWiseMult_BinaryOp(equal, NULL, NULL, GrB_EQ_INT64, f, g, NULL));
    OK(GrB_Vector_reduce_BOOL(&same, NULL, GrB_LAND_MONOID_BOOL, equal, NULL));
    GrB_Vector_free(&equal), GrB_Vector_free(&g);
  }
  OK(GrB_Vector_reduce_INT64(&sum, NULL, GrB_PLUS_MONOID_INT64, f, NULL));
  GrB_Vector_free(&f), GrB_Vector_free(&g);
  return sum;
}

static int64_t whole_graph(GrB_Index n) {
  GrB_Matrix A = random_matrix(n, 8 * n, true);
  OK(GrB_Matrix_wait(A, GrB_MATERIALIZE));
  const int64_t sum = search(A, n) + triangles(A, n) + rank(A, n) + components(A, n);
  GrB_Matrix_free(&A);
  return sum;
}

static void time_graphs(double opened, int rounds) {
  static const GrB_Index sizes[] = {10, 34, 100, 300, 1000, 3000};
  int64_t sum = 0;
  printf("start %.0f us\n", opened);
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    sum += whole_graph(sizes[k]); /* kernels are loaded */
    const double begun = now_us();
    for (int r = 0; r < rounds; r++) sum += whole_graph(sizes[k]);
    printf("n %-6" PRIu64 " %10.1f us a graph\n", (uint64_t)sizes[k], (now_us() - begun) / rounds);
    fflush(stdout);
  }
  printf("sum %" PRId64 "\n", sum);
}

int main(int argc, char **argv) {
  const double begun = now_us();
  OK(GrB_init(GrB_NONBLOCKING));
  const bool graphs = argc > 1 && strcmp(argv[1], "graphs") == 0;
  if (graphs)
    time_graphs(now_us() - begun, argc > 2 ? (int)strtol(argv[2], NULL, 10) : 20);
  else
    time_calls();
  const char *text;
  uint64_t count;
  for (int k = 0; (text = Grid_fallback(k, &count)); k++)
    printf("the CPU did: %s, %" PRIu64 "\n", text, count);
  OK(GrB_finalize());
  return 0;
}
