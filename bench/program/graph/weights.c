/* The weights of a graph's edges: from the file, or hashed from the two vertices, or from the number of the
 * tuple. So they are the same on any number of processes and in both directions of an edge. */
#include "bench/program/graph/weights.h"

#include <stdlib.h>

int32_t weights_draw(uint64_t a, uint64_t b) {
  const uint64_t low = a < b ? a : b, high = a < b ? b : a;
  const uint64_t z = Grid_Rmat_mix(Grid_Rmat_mix(low + GRID_RMAT_GOLDEN) + high);
  return (int32_t)(1 + z % 255);
}

float weights_unit(uint64_t tuple, uint64_t seed) {
  const uint64_t z = Grid_Rmat_mix(Grid_Rmat_mix(tuple + GRID_RMAT_GOLDEN) + Grid_Rmat_mix(seed));
  return (float)(z >> 40) * 0x1p-24f;
}

void weights_choose(graph *g, const options *o, bool has) {
  const bool ones = o->weights == WEIGHTS_ONES || (o->ones && o->weights == WEIGHTS_DEFAULT && !has);
  g->weighted = o->weighted && !ones;
  g->unit = g->weighted && o->weights == WEIGHTS_UNIT;
  g->drawn = g->weighted && (o->weights == WEIGHTS_HASH || g->unit || !has);
}

int weights_check_skew(const graph *g, const options *o) {
  if (!g->weighted || g->drawn || !g->edges.skew) return STATUS_OK;
  return fail(STATUS_INPUT,
              "%s: the weights of a skew-symmetric matrix change sign with the direction (--weights hash "
              "draws others)",
              o->graph);
}

int weights_check(graph *g, const options *o) {
  const Grid_Edges *e = &g->edges;

  uint64_t has = e->values != NULL;
  if (Grid_max(&has, 1) != GrB_SUCCESS) return fail_library("looking for weights");
  weights_choose(g, o, has != 0);
  if (o->weights == WEIGHTS_FILE && !has)
    return fail(STATUS_INPUT, "%s: the edges have no weights (--weights hash draws some)", o->graph);
  return weights_check_skew(g, o);
}

GrB_Type weights_type(const graph *g) {
  return !g->weighted ? GrB_BOOL : g->unit ? GrB_FP32 : g->drawn ? GrB_INT32 : GrB_FP64;
}

static GrB_Info build_unit(graph *g, int flags) {
  const Grid_Edges *e = &g->edges;
  float *weight = malloc((e->n + 1) * sizeof *weight);
  GrB_Info info = Grid_agree(weight == NULL ? GrB_OUT_OF_MEMORY : GrB_SUCCESS, "no memory for the weights");
#pragma omp parallel for schedule(static)
  for (uint64_t k = 0; k < (info == GrB_SUCCESS ? e->n : 0); k++)
    weight[k] = weights_unit(g->first_tuple + k, g->seed);
  if (info == GrB_SUCCESS)
    info = Grid_Matrix_build(g->A, e->rows, e->cols, weight, GrB_FP32, e->n, GrB_MIN_FP32, flags);
  free(weight);
  return info;
}

GrB_Info weights_build(graph *g, int flags) {
  const Grid_Edges *e = &g->edges;
  if (g->unit) return build_unit(g, flags);
  if (!g->drawn)
    return Grid_Matrix_build(g->A, e->rows, e->cols, e->values, GrB_FP64, e->n, GrB_MIN_FP64, flags);
  int32_t *weight = malloc((e->n + 1) * sizeof *weight);
  GrB_Info info = Grid_agree(weight == NULL ? GrB_OUT_OF_MEMORY : GrB_SUCCESS, "no memory for the weights");
#pragma omp parallel for schedule(static)
  for (uint64_t k = 0; k < (info == GrB_SUCCESS ? e->n : 0); k++)
    weight[k] = weights_draw(e->rows[k], e->cols[k]);
  if (info == GrB_SUCCESS)
    info = Grid_Matrix_build(g->A, e->rows, e->cols, weight, GrB_INT32, e->n, GrB_MIN_INT32, flags);
  free(weight);
  return info;
}

static void draw(void *z, const void *x, GrB_Index i, GrB_Index j, const void *y) {
  (void)x;
  (void)y;
  *(int32_t *)z = weights_draw(i, j);
}

GrB_Info weights_draw_all(graph *g) {
  GrB_IndexUnaryOp op = NULL;
  GrB_Matrix B = NULL;
  GrB_Info info = Grid_agree(GrB_IndexUnaryOp_new(&op, draw, GrB_INT32, GrB_BOOL, GrB_BOOL), NULL);
  if (info == GrB_SUCCESS) info = GrB_Matrix_new(&B, GrB_INT32, g->n, g->ncols);
  if (info == GrB_SUCCESS) info = GrB_Matrix_apply_IndexOp_BOOL(B, NULL, NULL, op, g->A, false, NULL);
  GrB_IndexUnaryOp_free(&op);
  GrB_Matrix_free(info == GrB_SUCCESS ? &g->A : &B);
  if (info == GrB_SUCCESS) g->A = B;
  return info;
}

double graph_weight(const graph *g, uint64_t k, uint64_t from, uint64_t to) {
  if (g->unit) return (double)weights_unit(g->first_tuple + k, g->seed);
  return g->drawn ? weights_draw(from, to) : g->edges.values[k];
}
