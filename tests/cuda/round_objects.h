/* What the tests of unit_cuda.c share: the graph of a round, its matrices, and settings that are drawn. */
#ifndef GRID_CUDA_ROUND_OBJECTS_H
#define GRID_CUDA_ROUND_OBJECTS_H
#include "dist/product/exchange/exchange_sparse_device.h"
#include "gridblas.h"
#include "semiring/support/tuning.h"
#include "spmat/vector/peer_exchange.h"
#include "tests/random_objects.h"

static const char *const variant_name[] = {"auto", "push", "pull"};

/* How many entries are exchanged through windows in one kernel, and whether any number may be; else the other
 * methods are used. */
static void draw_exchange_limit(void) {
  const uint64_t most[] = {0, draw(100), GRID_SPARSE_EXCHANGE_ENTRIES, GRID_SPARSE_EXCHANGE_ENTRIES};
  const uint64_t k = draw(4);
  grid_tune.sparse_exchange_max = most[k];
  grid_tune.packed_exchange = k % 2 == 1;
}

static graph drawn;
static int32_t true_level[LONGEST];

/* The graph of the R-MAT tuples that all processes hold together, mirrored. */
static void rmat_graph(graph *g, int scale, uint64_t edgefactor, uint64_t number) {
  static GrB_Index row[EDGES], col[EDGES];
  Grid_Edges e = {0};
  OK(Grid_rmat(&e, scale, edgefactor, number));
  *g = (graph){
      .nrows = (GrB_Index)1 << scale, .ncols = (GrB_Index)1 << scale, .form = "R-MAT", .mirror = true};
  for (int root = 0; root < Grid_size(); root++) {
    uint64_t n = e.n < EDGES ? e.n : EDGES;
    OK(Grid_bcast(&n, sizeof n, root));
    if (Grid_rank() == root) memcpy(row, e.rows, n * 8), memcpy(col, e.cols, n * 8);
    OK(Grid_bcast(row, n * 8, root)), OK(Grid_bcast(col, n * 8, root));
    for (uint64_t k = 0; k < n; k++) give(g, row[k], col[k]);
  }
  Grid_Edges_free(&e);
  expand_tuples(g);
}

static GrB_Matrix pattern_of_graph(GrB_Type t) {
  static GrB_Index row[EDGES], col[EDGES];
  uint64_t n = 0;
  GrB_Matrix A = NULL;
  for (uint64_t k = 0; k < drawn.given; k++)
    if (is_local_tuple(k, true)) row[n] = drawn.tuple[k].row, col[n++] = drawn.tuple[k].col;
  OK(GrB_Matrix_new(&A, t, drawn.nrows, drawn.ncols));
  OK(Grid_Matrix_build(A, row, col, NULL, NULL, n, NULL, drawn.mirror ? Grid_MIRROR : 0));
  return A;
}

static GrB_Matrix draw_search_graph(const char **form) {
  const GrB_Type types[] = {GrB_BOOL, GrB_BOOL, GrB_FP64, GrB_INT32};
  set_current_call("a graph to search");
  if (draw_one_in(4)) {
    const int scale = 6 + (int)draw(small_sizes ? 2 : 7);
    rmat_graph(&drawn, scale, 8, draw(100));
  } else {
    const GrB_Index n = draw_size();
    draw_graph(&drawn, n, n);
  }
  GrB_Matrix A = matrix_of(&drawn, types[draw(4)], NUMBERS, form);
  const int32_t variant = draw_one_in(3) ? (int32_t)draw(3) : Grid_DIRECTION_AUTO;
  OK(GrB_Matrix_set_INT32(A, direction(variant), Grid_DIRECTION));
  OK(GrB_Matrix_set_INT32(A, draw_one_in(6) ? (int32_t)draw(10) : Grid_DELEGATES_AUTO, Grid_DELEGATES));
  return A;
}
#endif
