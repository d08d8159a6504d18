/* gpu_products GRAPH...: y = A x over all rows on the GPU, compared with cuSPARSE, whose result must be the
 * same. GRAPH: rmat:SCALE (edge factor 16, mirrored), random:SCALE (16 entries a row), mesh:SIDE (3D, 7
 * points); matrices/GRAPH: matrix-valued operations, the least of three; square/GRAPH: also A A, compared
 * with cuSPARSE; block/GRAPH: C = A B with a B of 1 to 128 columns that has all entries, compared with
 * cuSPARSE. Prints for each graph and semiring: milliseconds of gridblas (including the call and nvals)
 * and of cuSPARSE, their quotient (above 1: gridblas is faster), entries a nanosecond, the largest relative
 * difference. Then milliseconds of one of twenty products of gridblas before one nvals, and of cuSPARSE by
 * the algorithm whose sums have a fixed order. Before that it prints the milliseconds of building the matrix
 * from the program's arrays on the GPU and on the CPU. Exit status: 0; 1 if results differ; 2 after an error.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/measure/gpu_cusparse.h"
#include "bench/measure/measure.h"

enum { TRIES = 11, PRODUCTS_IN_A_ROW = 20 };

typedef struct {
  GrB_Index n, entries;
  GrB_Index *row, *col; /* tuples */
  uint64_t tuples;
  bool mirror;
  uint32_t *ptr, *idx; /* of the matrix */
} graph;

static void *allocate(uint64_t n, size_t size) {
  void *p = malloc((n ? n : 1) * size);
  if (!p) fprintf(stderr, "gpu_products: out of memory\n"), exit(2);
  return p;
}

/* A pseudo-random number. */
static uint64_t mixed(uint64_t k) {
  k = (k ^ k >> 31) * UINT64_C(0x9e3779b97f4a7c15);
  return (k ^ k >> 29) * UINT64_C(0xbf58476d1ce4e5b9) >> 20;
}

static void append_tuple(graph *g, GrB_Index r, GrB_Index c) {
  g->row[g->tuples] = r, g->col[g->tuples++] = c;
}

static void make_mesh(graph *g, GrB_Index side) {
  g->n = side * side * side;
  g->row = allocate(7 * g->n, sizeof *g->row), g->col = allocate(7 * g->n, sizeof *g->col);
  for (GrB_Index v = 0; v < g->n; v++) {
    append_tuple(g, v, v);
    for (GrB_Index step = 1; step < g->n; step *= side) {
      if (v / step % side) append_tuple(g, v, v - step);
      if (v / step % side + 1 < side) append_tuple(g, v, v + step);
    }
  }
}

static void make_graph(graph *g, const char *name) {
  const char *colon = strchr(name, ':');
  const int number = colon ? (int)strtol(colon + 1, NULL, 10) : 0;
  *g = (graph){0};
  require(number > 0, "a graph's name");
  if (strncmp(name, "rmat:", 5) == 0) {
    Grid_Edges e = {0};
    OK(Grid_rmat(&e, number, 16, 1));
    g->n = (GrB_Index)1 << number, g->mirror = true, g->tuples = e.n;
    g->row = allocate(e.n, sizeof *g->row), g->col = allocate(e.n, sizeof *g->col);
    memcpy(g->row, e.rows, e.n * sizeof *g->row), memcpy(g->col, e.cols, e.n * sizeof *g->col);
    Grid_Edges_free(&e);
  } else if (strncmp(name, "mesh:", 5) == 0) {
    make_mesh(g, (GrB_Index)number);
  } else {
    g->n = (GrB_Index)1 << number;
    g->row = allocate(16 * g->n, sizeof *g->row), g->col = allocate(16 * g->n, sizeof *g->col);
    for (uint64_t k = 0; k < 16 * g->n; k++) append_tuple(g, k / 16, mixed(k) % g->n);
  }
}

/* *took: milliseconds from the program's arrays to a matrix that is ready for products. */
static GrB_Matrix build(const graph *g, GrB_Type type, bool pattern, double *took) {
  GrB_Matrix A;
  const bool real = type == GrB_FP64;
  void *val = pattern ? NULL : allocate(g->tuples, real ? sizeof(double) : sizeof(float));
  for (uint64_t k = 0; k < g->tuples && val; k++)
    if (real)
      ((double *)val)[k] = (double)(1 + mixed(k) % 64) / 64;
    else
      ((float *)val)[k] = (float)(1 + mixed(k) % 64) / 64;
  const double begin = now_ms();
  OK(GrB_Matrix_new(&A, type, g->n, g->n));
  OK(Grid_Matrix_build(A, g->row, g->col, val, pattern ? NULL : type, g->tuples,
                       pattern ? NULL
                       : real  ? GrB_MAX_FP64
                               : GrB_MAX_FP32,
                       g->mirror ? Grid_MIRROR | Grid_NO_LOOPS : 0));
  OK(GrB_Matrix_wait(A, GrB_MATERIALIZE));
  *took = now_ms() - begin;
  free(val);
  return A;
}

/* A's arrays, with 32-bit numbers. */
static void *extract_csr(graph *g, GrB_Matrix A, size_t size) {
  GrB_Index rows = g->n + 1, entries, values;
  OK(GrB_Matrix_nvals(&entries, A));
  GrB_Index *ptr = allocate(rows, sizeof *ptr), *idx = allocate(entries, sizeof *idx);
  void *val = allocate(entries, size);
  values = g->entries = entries;
  OK(Grid_Matrix_exportLocal(ptr, idx, val, &rows, &entries, &values, GrB_CSR_FORMAT, A));
  g->ptr = allocate(rows, sizeof *g->ptr), g->idx = allocate(entries, sizeof *g->idx);
  for (uint64_t k = 0; k < rows; k++) g->ptr[k] = (uint32_t)ptr[k];
  for (uint64_t k = 0; k < entries; k++) g->idx[k] = (uint32_t)idx[k];
  free(ptr), free(idx);
  return val;
}

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The median time of w<mask> = A u; mask may be NULL. */
static double time_product(GrB_Vector w, GrB_Vector mask, GrB_Semiring s, GrB_Matrix A, GrB_Vector u) {
  double took[TRIES] = {0};
  for (int k = -5; k < TRIES; k++) { /* cached properties are built in the first ones */
    GrB_Index nvals;
    const double begin = now_ms();
    OK(GrB_mxv(w, mask, NULL, s, A, u, GrB_DESC_RS));
    OK(GrB_Vector_nvals(&nvals, w));
    if (k >= 0) took[k] = now_ms() - begin;
  }
  qsort(took, TRIES, sizeof *took, by_size);
  return took[TRIES / 2];
}

/* The time of one of many w = A u, none of which waits for the one before. */
static double time_in_a_row(GrB_Vector w, GrB_Semiring s, GrB_Matrix A, GrB_Vector u) {
  double took[TRIES] = {0};
  for (int k = 0; k < TRIES; k++) {
    GrB_Index nvals;
    const double begin = now_ms();
    for (int l = 0; l < PRODUCTS_IN_A_ROW; l++) OK(GrB_mxv(w, NULL, NULL, s, A, u, NULL));
    OK(GrB_Vector_nvals(&nvals, w));
    took[k] = (now_ms() - begin) / PRODUCTS_IN_A_ROW;
  }
  qsort(took, TRIES, sizeof *took, by_size);
  return took[TRIES / 2];
}

/* The same as time_product where a mask allows one output in `draw_one_in`. */
static double time_masked(GrB_Vector w, GrB_Semiring s, GrB_Matrix A, GrB_Vector u, GrB_Index n,
                          GrB_Index draw_one_in) {
  GrB_Vector mask;
  GrB_Index *at = allocate(n / draw_one_in + 1, sizeof *at), count = 0;
  for (GrB_Index k = 0; k < n; k += draw_one_in)
    at[count++] = k + mixed(k) % draw_one_in < n ? k + mixed(k) % draw_one_in : k;
  OK(GrB_Vector_new(&mask, GrB_BOOL, n));
  OK(Grid_Vector_build(mask, at, NULL, NULL, count, NULL));
  const double took = time_product(w, mask, s, A, u);
  OK(GrB_Vector_free(&mask));
  free(at);
  return took;
}

static double difference(const graph *g, GrB_Vector w, const void *y, bool real) {
  double most = 0;
  GrB_Index n = g->n, *at = allocate(n, sizeof *at);
  double *val = allocate(n, sizeof *val);
  OK(GrB_Vector_extractTuples_FP64(at, val, &n, w));
  for (GrB_Index k = 0; k < n; k++) {
    const double other = real ? ((const double *)y)[at[k]] : (double)((const float *)y)[at[k]],
                 off = fabs(val[k] - other) / (fabs(other) + 1e-30);
    if (off > most) most = off;
  }
  free(at), free(val);
  return most;
}

/* One row of the table; whether the results agree. */
static bool row(graph *g, const char *name, const char *kind, GrB_Type type, bool pattern, GrB_Semiring s) {
  const bool real = type == GrB_FP64;
  const size_t size = real ? sizeof(double) : sizeof(float);
  double cusparse_ms[2] = {0, 0}, host = 0, device = 0;
  GrB_Vector u, w;
  OK(Grid_device_set(Grid_CUDA));
  GrB_Matrix A = build(g, type, pattern, &device); /* allocations that last are made here */
  OK(GrB_Matrix_free(&A));
  A = build(g, type, pattern, &device);
  OK(GrB_Matrix_free(&A));
  OK(Grid_device_set(Grid_CPU));
  A = build(g, type, pattern, &host);
  void *val = extract_csr(g, A, size), *x = allocate(g->n, size), *y = allocate(g->n, size);
  for (GrB_Index k = 0; k < g->n; k++) {
    const double number = (double)(1 + mixed(k) % 100) / 100;
    if (real)
      ((double *)x)[k] = number;
    else
      ((float *)x)[k] = (float)number;
  }
  OK(GrB_Vector_new(&u, type, g->n)), OK(GrB_Vector_new(&w, type, g->n));
  GrB_Index *at = allocate(g->n, sizeof *at);
  for (GrB_Index k = 0; k < g->n; k++) at[k] = k;
  OK(Grid_Vector_build(u, at, x, type, g->n, NULL));
  const char *wrong = cusparse_product(g->n, g->ptr, g->idx, val, x, y, (int)size, TRIES, cusparse_ms);
  if (wrong) fprintf(stderr, "gpu_products: cuSPARSE: %s\n", wrong), exit(2);
  OK(Grid_device_set(Grid_CUDA));
  const double gridblas_ms = time_product(w, NULL, s, A, u), off = difference(g, w, y, real),
               in_a_row = time_in_a_row(w, s, A, u);
  printf("%s\t%s, building: GPU, CPU\t%.1f\t%.1f\n", name, kind, device, host);
  printf("%s\t%s\t%.3f\t%.3f\t%.2f\t%.1f\t%.1e\t%.3f\t%.3f\n", name, kind, gridblas_ms, cusparse_ms[0],
         cusparse_ms[0] / gridblas_ms, 1e-6 * (double)g->entries / gridblas_ms, off, in_a_row,
         cusparse_ms[1]);
  if (!real && !pattern)
    for (GrB_Index draw_one_in = 2; draw_one_in <= 16; draw_one_in *= 2)
      printf("%s\t%s, one output in %d allowed\t%.3f\n", name, kind, (int)draw_one_in,
             time_masked(w, s, A, u, g->n, draw_one_in));
  fflush(stdout);
  OK(GrB_Matrix_free(&A)), OK(GrB_Vector_free(&u)), OK(GrB_Vector_free(&w));
  free(val), free(x), free(y), free(at), free(g->ptr), free(g->idx);
  return off < (real ? 1e-9 : 1e-3);
}

static bool rows(const char *name) {
  graph g;
  bool good = true;
  GrB_Semiring second;
  make_graph(&g, name);
  OK(GrB_Semiring_new(&second, GrB_PLUS_MONOID_FP32, GrB_SECOND_FP32));
  good &= row(&g, name, "plus.second FP32, pattern", GrB_FP32, true, second);
  good &= row(&g, name, "plus.times FP32", GrB_FP32, false, GrB_PLUS_TIMES_SEMIRING_FP32);
  good &= row(&g, name, "plus.times FP64", GrB_FP64, false, GrB_PLUS_TIMES_SEMIRING_FP64);
  OK(GrB_Semiring_free(&second));
  free(g.row), free(g.col);
  return good;
}

/* ---- operations whose result is a matrix ---- */

typedef enum { SQUARE, MASKED, TRANSPOSE, SELECT, APPLY, ADD, WRITE, PERMUTE, OPERATIONS } operation;
static const char *const operation_name[] = {"A A, FP32 plus.times",
                                             "C<L> = L L', plus.oneb",
                                             "transpose",
                                             "tril",
                                             "A times 2",
                                             "A + tril A",
                                             "C<L> = A",
                                             "P A P'"};

typedef struct {
  GrB_Matrix A, L, C, D; /* FP32, BOOL; results FP32, INT64 */
  GrB_Index n, *order;
} matrices;

static void run_operation(const matrices *x, operation w) {
  const GrB_Index n = x->n;
  if (w == SQUARE) OK(GrB_mxm(x->C, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP32, x->A, x->A, NULL));
  if (w == MASKED) OK(GrB_mxm(x->D, x->L, NULL, Grid_PLUS_ONEB_SEMIRING_INT64, x->L, x->L, GrB_DESC_ST1));
  if (w == TRANSPOSE) OK(GrB_transpose(x->C, NULL, NULL, x->A, NULL));
  if (w == SELECT) OK(GrB_Matrix_select_INT64(x->C, NULL, NULL, GrB_TRIL, x->A, -1, NULL));
  if (w == APPLY) OK(GrB_Matrix_apply_BinaryOp2nd_FP32(x->C, NULL, NULL, GrB_TIMES_FP32, x->A, 2, NULL));
  if (w == ADD) OK(GrB_Matrix_eWiseAdd_BinaryOp(x->C, NULL, NULL, GrB_PLUS_FP32, x->A, x->L, NULL));
  if (w == WRITE) OK(GrB_Matrix_apply(x->C, x->L, NULL, GrB_IDENTITY_FP32, x->A, GrB_DESC_RS));
  if (w == PERMUTE) OK(GrB_Matrix_extract(x->C, NULL, NULL, x->A, x->order, n, x->order, n, NULL));
}

static uint64_t cpu_fallbacks(void) {
  uint64_t sum = 0, count = 0;
  for (int k = 0; Grid_fallback(k, &count); k++) sum += count;
  return sum;
}

/* The least time; the first run, in which kernels are compiled, does not count. */
static double time_operation(const matrices *x, operation w, uint64_t *left) {
  const uint64_t before = cpu_fallbacks();
  double least = 1e30;
  for (int k = 0; k < 4; k++) {
    GrB_Matrix out = w == MASKED ? x->D : x->C;
    OK(GrB_Matrix_clear(out));
    cusparse_wait();
    const double begin = now_ms();
    run_operation(x, w);
    OK(GrB_Matrix_wait(out, GrB_COMPLETE));
    cusparse_wait();
    const double took = now_ms() - begin;
    if (k && took < least) least = took;
  }
  *left = cpu_fallbacks() - before;
  return least;
}

/* Few products: A A compared with cuSPARSE. */
static bool compare_square(graph *g, const char *name, const matrices *x, double gridblas_ms) {
  double cusparse_ms, sum, product_sum = 0;
  uint64_t nvals, workspace_bytes, have;
  float *val = extract_csr(g, x->A, sizeof *val);
  const char *wrong =
      cusparse_square(g->n, g->ptr, g->idx, val, 2, &cusparse_ms, &nvals, &sum, &workspace_bytes);
  if (wrong) fprintf(stderr, "gpu_products: cuSPARSE: %s\n", wrong);
  OK(GrB_Matrix_nvals(&have, x->C));
  OK(GrB_Matrix_reduce_FP64(&product_sum, NULL, GrB_PLUS_MONOID_FP64, x->C, NULL));
  const double off = wrong ? 0 : fabs(product_sum - sum) / (fabs(sum) + 1e-30);
  printf("%s\t%s\t%.2f\t%.2f\t%.2f\t%" PRIu64 " entries\t%.1e\tits buffers %.0f MB\n", name,
         operation_name[SQUARE], gridblas_ms, wrong ? 0 : cusparse_ms, wrong ? 0 : cusparse_ms / gridblas_ms,
         have, off, wrong ? 0 : 1e-6 * (double)workspace_bytes);
  free(val), free(g->ptr), free(g->idx);
  return wrong || (have == nvals && off < 1e-4);
}

static bool matrix_rows(const char *name, bool square) {
  graph g;
  matrices x = {0};
  double took;
  bool good = true;
  uint64_t left;
  make_graph(&g, name);
  OK(Grid_device_set(Grid_CUDA));
  x.n = g.n, x.order = allocate(g.n, sizeof *x.order);
  for (GrB_Index k = 0; k < g.n; k++) x.order[k] = k;
  for (GrB_Index k = g.n; k-- > 1;) {
    const GrB_Index l = mixed(k) % (k + 1), t = x.order[k];
    x.order[k] = x.order[l], x.order[l] = t;
  }
  x.A = build(&g, GrB_FP32, false, &took);
  OK(GrB_Matrix_new(&x.L, GrB_BOOL, g.n, g.n)), OK(GrB_Matrix_new(&x.C, GrB_FP32, g.n, g.n));
  OK(GrB_Matrix_new(&x.D, GrB_INT64, g.n, g.n));
  GrB_Matrix lower;
  OK(GrB_Matrix_new(&lower, GrB_FP32, g.n, g.n));
  OK(GrB_Matrix_select_INT64(lower, NULL, NULL, GrB_TRIL, x.A, -1, NULL));
  OK(GrB_Matrix_assign_BOOL(x.L, lower, NULL, true, GrB_ALL, g.n, GrB_ALL, g.n, GrB_DESC_S));
  OK(GrB_Matrix_free(&lower));
  for (operation w = square ? SQUARE : MASKED; w < OPERATIONS; w++) {
    const double gridblas_ms = time_operation(&x, w, &left);
    if (left) printf("%s\t%s: left to the CPU %" PRIu64 " times\n", name, operation_name[w], left);
    if (w == SQUARE)
      good = compare_square(&g, name, &x, gridblas_ms) && good;
    else
      printf("%s\t%s\t%.2f\n", name, operation_name[w], gridblas_ms);
    fflush(stdout);
  }
  OK(GrB_Matrix_free(&x.A)), OK(GrB_Matrix_free(&x.L)), OK(GrB_Matrix_free(&x.C)), OK(GrB_Matrix_free(&x.D));
  free(x.order), free(g.row), free(g.col);
  return good;
}

/* ---- a sparse matrix times a dense one ---- */

/* One row of the table: C = A B with `cols` columns, FP32 plus.times; whether the sums of C agree. */
static bool block_row(const graph *g, const char *name, GrB_Matrix A, const float *val, GrB_Index cols) {
  const GrB_Index entries = g->n * cols;
  GrB_Index *row = allocate(entries, sizeof *row), *col = allocate(entries, sizeof *col);
  float *b = allocate(entries, sizeof *b);
  double cusparse_ms[2] = {0, 0}, sum = 0, product_sum = 0, took[TRIES] = {0};
  GrB_Matrix B, C;
  for (GrB_Index k = 0; k < entries; k++)
    row[k] = k / cols, col[k] = k % cols, b[k] = (float)(1 + mixed(k) % 100) / 100;
  const char *wrong = cusparse_block(g->n, g->ptr, g->idx, val, b, cols, TRIES, cusparse_ms, &sum);
  if (wrong) fprintf(stderr, "gpu_products: cuSPARSE: %s\n", wrong), exit(2);
  OK(GrB_Matrix_new(&B, GrB_FP32, g->n, cols)), OK(GrB_Matrix_new(&C, GrB_FP32, g->n, cols));
  OK(Grid_Matrix_build(B, row, col, b, GrB_FP32, entries, NULL, 0));
  for (int k = -2; k < TRIES; k++) {
    cusparse_wait();
    const double begin = now_ms();
    OK(GrB_mxm(C, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP32, A, B, NULL));
    OK(GrB_Matrix_wait(C, GrB_COMPLETE));
    cusparse_wait();
    if (k >= 0) took[k] = now_ms() - begin;
  }
  qsort(took, TRIES, sizeof *took, by_size);
  OK(GrB_Matrix_reduce_FP64(&product_sum, NULL, GrB_PLUS_MONOID_FP64, C, NULL));
  const double off = fabs(product_sum - sum) / (fabs(sum) + 1e-30), ms = took[TRIES / 2];
  printf("%s\tA B, %d columns\t%.3f\t%.3f\t%.2f\t%.1f\t%.1e\t\t%.3f\n", name, (int)cols, ms, cusparse_ms[0],
         fmin(cusparse_ms[0], cusparse_ms[1]) / ms, 1e-6 * (double)(g->entries * cols) / ms, off,
         cusparse_ms[1]);
  fflush(stdout);
  OK(GrB_Matrix_free(&B)), OK(GrB_Matrix_free(&C));
  free(row), free(col), free(b);
  return off < 1e-4;
}

static bool block_rows(const char *name) {
  const GrB_Index columns[] = {1, 4, 16, 32, 128};
  graph g;
  double took;
  bool good = true;
  uint64_t before;
  make_graph(&g, name);
  OK(Grid_device_set(Grid_CUDA));
  GrB_Matrix A = build(&g, GrB_FP32, false, &took);
  float *val = extract_csr(&g, A, sizeof *val);
  before = cpu_fallbacks();
  for (size_t k = 0; k < sizeof columns / sizeof *columns; k++)
    good = block_row(&g, name, A, val, columns[k]) && good;
  if (cpu_fallbacks() > before)
    printf("%s\tA B: left to the CPU %" PRIu64 " times\n", name, cpu_fallbacks() - before);
  OK(GrB_Matrix_free(&A));
  free(val), free(g.ptr), free(g.idx), free(g.row), free(g.col);
  return good;
}

int main(int argc, char **argv) {
  bool good = argc > 1;
  OK(Grid_init(GrB_NONBLOCKING, NULL, 0, 0));
  printf("graph\tproduct\tms\tcuSPARSE ms\tratio\tentries/ns\tdifference\tin a row, ms\tcuSPARSE 2, ms\n");
  for (int k = 1; k < argc; k++) {
    const char *of = strchr(argv[k], '/');
    if (!of)
      good &= rows(argv[k]);
    else if (strncmp(argv[k], "block/", 6) == 0)
      good &= block_rows(of + 1);
    else
      good &= matrix_rows(of + 1, strncmp(argv[k], "square/", 7) == 0);
  }
  OK(GrB_finalize());
  return good ? 0 : 1;
}
