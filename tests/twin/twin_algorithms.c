/* Twins of algorithms: algos/ compiled against gridblas and, over bench/peer/gridblas.h, against
 * SuiteSparse:GraphBLAS. Both run every algorithm on the same graphs and write the results as text, which
 * compare_outputs.c compares. algorithm_calls.h calls each algorithm that has no call here. Usage:
 * twin_algorithms OUTPUT
 *
 * Grid_vertex_cover() is not called: its matching of a BOOL matrix does not end over SuiteSparse 7.4, which
 * applies a user's index operator wrongly to a matrix of one shared value. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "gridblas.h"
#include "gridblas_algos.h"
#include "bench/peer/algorithm_call.h"
#include "tests/named_edge_lists.h"

#include "algorithm_calls.h"

/* ---- output ---- */

static FILE *out;

static void begin(const char *what, const char *graph) {
  if (out) fprintf(out, "== %s: %s\n", what, graph);
}

static void must(GrB_Info info, const char *call) {
  if (info == GrB_SUCCESS) return;
  fprintf(stderr, "twin_algorithms: %s: %d\n", call, (int)info);
  exit(1);
}
#define DO(call) must(call, #call)

/* mark: f and d for floating-point values (compare_outputs.c), else - */
static void write_vector(GrB_Vector *v, char mark) {
  static GrB_Index at[MAX_VERTICES];
  static double x[MAX_VERTICES], value[MAX_VERTICES];
  bool present[MAX_VERTICES] = {false};
  GrB_Index n = MAX_VERTICES, size;
  DO(GrB_Vector_size(&size, *v));
  DO(GrB_Vector_extractTuples_FP64(at, x, &n, *v));
  for (GrB_Index k = 0; k < n; k++) present[at[k]] = true, value[at[k]] = x[k];
  for (GrB_Index i = 0; out && i < size; i++)
    if (present[i]) fprintf(out, "%" PRIu64 " %c %.17g\n", (uint64_t)i, mark, value[i]);
  DO(GrB_Vector_free(v));
}

/* Row by row. */
static void write_matrix(GrB_Matrix *A) {
  GrB_Index rows, cols;
  DO(GrB_Matrix_nrows(&rows, *A));
  DO(GrB_Matrix_ncols(&cols, *A));
  for (GrB_Index i = 0; i < rows; i++) {
    GrB_Vector row;
    DO(GrB_Vector_new(&row, GrB_INT64, cols));
    DO(GrB_Col_extract(row, NULL, NULL, *A, GrB_ALL, cols, i, GrB_DESC_T0));
    if (out) fprintf(out, "row %" PRIu64 "\n", (uint64_t)i);
    write_vector(&row, '-');
  }
  DO(GrB_Matrix_free(A));
}

static void write_number(const char *name, int64_t x) {
  if (out) fprintf(out, "%s %" PRId64 "\n", name, x);
}

/* ---- graphs ---- */

/* Of parallel edges the lightest; less: subtracted from every weight. */
static GrB_Matrix matrix_of(const named_graph *g, GrB_Type type, double less) {
  static GrB_Index I[2 * MAX_EDGES], J[2 * MAX_EDGES];
  static double X[2 * MAX_EDGES];
  GrB_Matrix A;
  GrB_Index n = 0;
  for (uint64_t k = 0; k < g->list.m; k++) {
    I[n] = g->from[k], J[n] = g->to[k], X[n++] = g->weight[k] - less;
    if (g->list.both_directions) I[n] = g->to[k], J[n] = g->from[k], X[n++] = g->weight[k] - less;
  }
  DO(GrB_Matrix_new(&A, type, g->list.n, g->list.n));
  DO(GrB_Matrix_build_FP64(A, I, J, X, n, GrB_MIN_FP64));
  DO(GrB_Matrix_wait(A, GrB_MATERIALIZE));
  return A;
}

/* ---- algorithms ---- */

/* One iteration, the sums of each row of P. */
static void factors(const named_graph *g, GrB_Matrix R, bool least_squares) {
  GrB_Matrix P, Q;
  GrB_Vector sums;
  double error[2];
  begin(least_squares ? "als" : "factors", g->name);
  if (least_squares)
    DO(Grid_als(&P, &Q, error, R, 3, 0.1, 1, 5));
  else
    DO(Grid_factors(&P, &Q, error, R, 3, 0.01, 0.1, 1, 5));
  DO(GrB_Vector_new(&sums, GrB_FP64, g->list.n));
  DO(GrB_Matrix_reduce_Monoid(sums, NULL, NULL, GrB_PLUS_MONOID_FP64, P, NULL));
  write_vector(&sums, 'd');
  DO(GrB_Matrix_free(&P));
  DO(GrB_Matrix_free(&Q));
}

static void searches(const named_graph *g, GrB_Matrix A) {
  const GrB_Index n = g->list.n, source[] = {0, n / 2, n - 1, n / 2};
  GrB_Vector level, parent;
  GrB_Matrix levels;
  GrB_Index found;
  for (int64_t limit = -1; limit < 4; limit += 4) {
    begin(limit < 0 ? "bfs" : "bfs, 3 levels", g->name);
    DO(Grid_bfs(&level, &parent, A, n / 2, limit));
    DO(GrB_Vector_nvals(&found, parent)); /* any of several parents is valid */
    DO(GrB_Vector_free(&parent));
    write_number("parents", (int64_t)found);
    write_vector(&level, '-');
    begin(limit < 0 ? "bfs_many" : "bfs_many, 3 levels", g->name);
    DO(Grid_bfs_many(&levels, A, source, 4, limit));
    write_matrix(&levels);
  }
}

/* The labels after one, six and eleven iterations. */
static void communities(const named_graph *g, GrB_Matrix A) {
  GrB_Vector v;
  for (uint64_t k = 1; k < 12; k += 5) {
    begin("cdlp", g->name);
    DO(Grid_cdlp(&v, A, k));
    write_vector(&v, '-');
  }
}

static void trusses(const named_graph *g, GrB_Matrix A) {
  GrB_Matrix truss;
  for (int64_t k = 3; k < 6; k++) {
    begin("ktruss", g->name);
    DO(Grid_ktruss(&truss, A, k));
    write_matrix(&truss);
  }
}

/* The sums of each row, for each measure. */
static void similarities(const named_graph *g, GrB_Matrix A) {
  GrB_Matrix S;
  GrB_Vector sums;
  for (int turn = 0; turn <= 2 * Grid_SIMILARITY_RESOURCE_ALLOCATION + 1; turn++) {
    begin("similarity", g->name);
    DO(Grid_similarity(&S, A, NULL, turn / 2, turn % 2 == 0 ? 0 : 3));
    DO(GrB_Vector_new(&sums, GrB_FP64, g->list.n));
    DO(GrB_Matrix_reduce_Monoid(sums, NULL, NULL, GrB_PLUS_MONOID_FP64, S, NULL));
    write_vector(&sums, 'd');
    DO(GrB_Matrix_free(&S));
  }
}

static void ranks(const named_graph *g, GrB_Matrix A) {
  const GrB_Index n = g->list.n;
  GrB_Vector v, personal;
  uint64_t iterations;
  begin("pagerank", g->name);
  DO(Grid_pagerank(&v, &iterations, NULL, A, NULL, 0.85, 0, 10, 0));
  write_number("iterations", (int64_t)iterations);
  write_vector(&v, 'd');
  begin("pagerank, plain FP32", g->name);
  DO(Grid_pagerank(&v, NULL, NULL, A, NULL, 0.85, 0, 10, Grid_PAGERANK_PLAIN | Grid_PAGERANK_FP32));
  write_vector(&v, 'f');
  begin("pagerank, personal", g->name);
  DO(GrB_Vector_new(&personal, GrB_FP64, n));
  DO(GrB_Vector_setElement_FP64(personal, 2, n - 1));
  DO(GrB_Vector_setElement_FP64(personal, 1, 0));
  DO(Grid_pagerank(&v, NULL, NULL, A, personal, 0.6, 0, 10, 0));
  write_vector(&v, 'd');
  DO(GrB_Vector_free(&personal));
}

/* 1 + the value, since of a value near 0 only rounding would be compared. */
static void embedding(const named_graph *g, GrB_Matrix A) {
  GrB_Vector values;
  begin("spectral_embedding", g->name);
  DO(Grid_spectral_embedding(&values, NULL, NULL, NULL, A, 1, 0, 7, 7));
  DO(GrB_Vector_apply_BinaryOp1st_FP64(values, NULL, NULL, GrB_PLUS_FP64, 1, values, NULL));
  write_vector(&values, 'd');
}

static void paths(const named_graph *g, GrB_Type type, const char *name) {
  GrB_Vector distance, parent;
  const GrB_Index source = g->list.n / 2;
  GrB_Matrix A = matrix_of(g, type, 0);
  for (double delta = 0; delta < 4; delta += 3) {
    begin(name, g->name);
    DO(Grid_shortest_paths(&distance, &parent, A, source, delta));
    write_vector(&distance, 'd');
    write_vector(&parent, '-');
  }
  DO(GrB_Matrix_free(&A));
}

/* Weights of both signs. */
static void signed_paths(const named_graph *g) {
  GrB_Vector distance = NULL;
  bool cycle;
  GrB_Matrix A = matrix_of(g, GrB_INT32, 2);
  begin("bellman_ford", g->name);
  DO(Grid_bellman_ford(&distance, NULL, &cycle, A, g->list.n / 2));
  write_number("negative cycle", cycle);
  if (!cycle) write_vector(&distance, '-');
  DO(GrB_Matrix_free(&A));
}

/* The edges of the forest, and weights of either sign. */
static void forest(const named_graph *g) {
  GrB_Matrix A = matrix_of(g, GrB_INT32, 4), F;
  begin("msf", g->name);
  DO(Grid_msf(&F, A));
  write_matrix(&F);
  DO(GrB_Matrix_free(&A));
}

static void flows(const named_graph *g, GrB_Matrix A) {
  const GrB_Index n = g->list.n;
  GrB_Matrix flow;
  GrB_Vector side;
  double value;
  if (n == 1) return;
  begin("max_flow", g->name);
  DO(Grid_max_flow(&value, &flow, &side, A, n / 2, (n / 2 + 1) % n));
  write_number("value", (int64_t)value);
  write_matrix(&flow);
  write_vector(&side, '-');
}

static const struct {
  const char *name;
  algorithm_call *run;
} calls[] = {
#define CALL(name, vectors, matrices) {#name, call_##name},
    ALGORITHM_CALLS(CALL)
#undef CALL
};

/* The algorithms that are not called above, each once, with the arguments of algorithm_calls.awk. */
static void others(const named_graph *g, GrB_Matrix A) {
  const GrB_Index n = g->list.n, sources[] = {0, n - 1, n / 2};
  algorithm_input in = {.A = A, .source = n / 2, .sources = sources, .nsources = 3, .iterations = 7};
  DO(GrB_Vector_new(&in.start, GrB_FP64, n));
  DO(GrB_Vector_setElement_FP64(in.start, 0, 0));
  DO(GrB_Vector_setElement_FP64(in.start, 1, n / 2));
  for (size_t call = 0; call < sizeof calls / sizeof *calls; call++) {
    algorithm_output result = {.vector = {NULL}};
    begin(calls[call].name, g->name);
    must(calls[call].run(&result, &in), calls[call].name);
    for (int k = 0; k < ALGORITHM_OUTPUTS; k++) {
      write_number("count", (int64_t)result.count[k]);
      write_number("integer", result.integer[k]);
      write_number("flag", result.flag[k]);
      if (result.vector[k] != NULL) write_vector(&result.vector[k], 'd');
      if (result.matrix[k] != NULL) write_matrix(&result.matrix[k]);
    }
    algorithm_output_free(&result);
  }
  DO(GrB_Vector_free(&in.start));
}

int main(int argc, char **argv) {
  static named_graph g;
  if (argc < 2) {
    fprintf(stderr, "usage: %s OUTPUT\n", argv[0]);
    return 2;
  }
#ifdef PEER_HEADER
  DO(GrB_init(GrB_NONBLOCKING));
  const bool writes = true;
#else
  if (GrB_init(GrB_NONBLOCKING) != GrB_SUCCESS) { /* where GRIDBLAS_DEVICE names a GPU that is missing */
    fprintf(stderr, "twin_algorithms: %s\n", Grid_last_error());
    return 2;
  }
  const bool writes = Grid_rank() == 0;
#endif
  out = writes ? fopen(argv[1], "w") : NULL;
  if (writes && !out) return 2;
  for (int k = 0; k < NAMED_GRAPHS + RANDOM_GRAPHS; k++) {
    named_make(&g, k);
    GrB_Matrix A = matrix_of(&g, GrB_INT32, 0);
    searches(&g, A);
    communities(&g, A);
    trusses(&g, A);
    similarities(&g, A);
    ranks(&g, A);
    embedding(&g, A);
    factors(&g, A, false);
    factors(&g, A, true);
    flows(&g, A);
    others(&g, A);
    DO(GrB_Matrix_free(&A));
    paths(&g, GrB_INT32, "shortest_paths, INT32");
    paths(&g, GrB_UINT8, "shortest_paths, UINT8");
    paths(&g, GrB_FP32, "shortest_paths, FP32");
    paths(&g, GrB_FP64, "shortest_paths, FP64");
    signed_paths(&g);
    forest(&g);
  }
  const bool good = !out || fclose(out) == 0;
  GrB_finalize();
  return good ? 0 : 1;
}
