/* A graph opened from a page file, transformed as requested: with or without weights, loops, both directions
 * of an edge. */
#include "bench/program/graph/weights.h"

/* g->A = B, or B is freed. */
static GrB_Info replace_matrix(graph *g, GrB_Matrix *B, GrB_Info info) {
  if (info == GrB_SUCCESS) {
    GrB_Matrix_free(&g->A);
    g->A = *B;
    *B = NULL;
  }
  GrB_Matrix_free(B);
  return info;
}

static GrB_Info drop_weights(graph *g) {
  GrB_Matrix B = NULL;
  GrB_Info info = GrB_Matrix_new(&B, GrB_BOOL, g->n, g->ncols);
  if (info == GrB_SUCCESS)
    info = GrB_Matrix_assign_BOOL(B, g->A, NULL, true, GrB_ALL, g->n, GrB_ALL, g->ncols, GrB_DESC_S);
  return replace_matrix(g, &B, info);
}

static GrB_Info drop_loops(graph *g, GrB_Type type) {
  GrB_Matrix B = NULL;
  GrB_Info info = GrB_Matrix_new(&B, type, g->n, g->ncols);
  if (info == GrB_SUCCESS) info = GrB_Matrix_select_INT64(B, NULL, NULL, GrB_OFFDIAG, g->A, 0, NULL);
  return replace_matrix(g, &B, info);
}

/* Of two directions the lighter counts. */
static GrB_Info mirror(graph *g, GrB_Type type) {
  GrB_Matrix B = NULL;
  GrB_Info info = GrB_Matrix_new(&B, type, g->n, g->ncols);
  if (info == GrB_SUCCESS)
    info = GrB_Matrix_eWiseAdd_BinaryOp(B, NULL, NULL, type == GrB_BOOL ? GrB_LOR : GrB_MIN_FP64, g->A, g->A,
                                        GrB_DESC_T1);
  return replace_matrix(g, &B, info);
}

static void draw(void *z, const void *x, GrB_Index i, GrB_Index j, const void *y) {
  (void)x;
  (void)y;
  *(int32_t *)z = weights_draw(i, j);
}

static GrB_Info draw_weights(graph *g) {
  GrB_IndexUnaryOp op = NULL;
  GrB_Matrix B = NULL;
  GrB_Info info = Grid_agree(GrB_IndexUnaryOp_new(&op, draw, GrB_INT32, GrB_BOOL, GrB_BOOL), NULL);
  if (info == GrB_SUCCESS) info = GrB_Matrix_new(&B, GrB_INT32, g->n, g->ncols);
  if (info == GrB_SUCCESS) info = GrB_Matrix_apply_IndexOp_BOOL(B, NULL, NULL, op, g->A, false, NULL);
  GrB_IndexUnaryOp_free(&op);
  return replace_matrix(g, &B, info);
}

GrB_Info pages_transform(graph *g) {
  Grid_Pages_Info p;
  GrB_Info info = Grid_pages_info(&p, g->pages);
  if (info != GrB_SUCCESS || g->ratings) return info;
  const bool plain = p.pattern || !g->weighted || g->drawn;
  const GrB_Type type = plain ? GrB_BOOL : GrB_FP64;
  if (plain && !p.pattern) info = drop_weights(g);
  if (info == GrB_SUCCESS && !p.no_loops && !g->loops) info = drop_loops(g, type);
  if (info == GrB_SUCCESS && !p.symmetric && !g->directed) info = mirror(g, type);
  if (info == GrB_SUCCESS && g->drawn) info = draw_weights(g);
  return info;
}
