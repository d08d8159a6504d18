/* Matrices of ratings that are not square, for tests of factorizations. */
#ifndef GRID_RECTANGULAR_RATINGS_H
#define GRID_RECTANGULAR_RATINGS_H
#include "tests/named_graphs.h"

/* rows x columns with ratings from -4 to 4; row 0 and column 1 have none. */
static inline GrB_Matrix make_rectangular(named_graph *g, uint64_t rows, uint64_t columns, uint64_t ratings) {
  GrB_Matrix R;
  g->name = "rectangular";
  g->list = (check_graph){.n = rows, .from = g->from, .to = g->to, .weight = g->weight, .loops = true};
  for (uint64_t k = 0; k < ratings; k++) {
    const uint64_t u = 1 + named_chance(rows - 1), v = named_chance(columns - 1);
    bool found = false;
    for (uint64_t l = 0; l < g->list.m; l++) found = found || (g->from[l] == u && g->to[l] == v + (v > 0));
    if (found) continue;
    named_add(g, u, v + (v > 0));
    g->weight[g->list.m - 1] -= 5;
  }
  assert_int_equal(GrB_Matrix_new(&R, GrB_FP64, rows, columns), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_build_FP64(R, g->from, g->to, g->weight, g->list.m, NULL), GrB_SUCCESS);
  return R;
}
#endif
