/* Betweenness centrality by Brandes' method, one source after the other.
 *
 * Forward: a breadth-first search that counts shortest paths: q * A over plus.first adds up, for every vertex
 * of the next level, the path numbers of its neighbours one level up. Backward, deepest level first: the
 * dependency of the source on v is delta(v) = sum over children w of v:  paths(v) / paths(w) * (1 +
 * delta(w)), one product A * x per level with x(w) = (1 + delta(w)) / paths(w), masked to the level above.
 *
 * Path numbers are FP64: exact up to 2^53. Source: Brandes (2001); in matrix form Kepner and Gilbert (2011).
 */
#include "algos/algos.h"

/* What both directions work on; all vectors have n entries at most. */
typedef struct {
  GrB_Matrix A;
  GrB_Index n;
  GrB_Semiring plus_first, plus_second; /* edges count as edges, whatever their values */
  GrB_Vector sum;                       /* the centrality so far */
  GrB_Vector paths;                     /* FP64: shortest paths from the source */
  GrB_Vector level;                     /* INT32: distance from the source */
  GrB_Vector delta;                     /* FP64: dependency of the source, full */
  GrB_Vector q;                         /* FP64: workspace */
  GrB_Vector at;                        /* INT32: the vertices of one level */
} brandes;

/* Counts the shortest paths from source; *deepest becomes the last level. */
static GrB_Info count_paths(brandes *b, GrB_Index source, int32_t *deepest) {
  GrB_Info info;
  GrB_Index nq;

  /* q(source) = 1, paths(source) = 1, level(source) = 0 */
  TRY(GrB_Vector_clear(b->q));
  TRY(GrB_Vector_clear(b->paths));
  TRY(GrB_Vector_clear(b->level));
  TRY(GrB_Vector_setElement_FP64(b->q, 1.0, source));
  TRY(GrB_Vector_setElement_FP64(b->paths, 1.0, source));
  TRY(GrB_Vector_setElement_INT32(b->level, 0, source));

  for (int32_t depth = 1;; depth++) {
    /* q<!paths, replace> = q plus.first A */
    TRY(GrB_vxm(b->q, b->paths, NULL, b->plus_first, b->q, b->A, GrB_DESC_RSC));
    TRY(GrB_Vector_nvals(&nq, b->q));
    *deepest = depth - 1;
    if (nq == 0) break;
    /* paths<q> = q, level<q> = depth */
    TRY(GrB_Vector_assign(b->paths, b->q, NULL, b->q, GrB_ALL, b->n, GrB_DESC_S));
    TRY(GrB_Vector_assign_INT32(b->level, b->q, NULL, depth, GrB_ALL, b->n, GrB_DESC_S));
  }

out:
  return info;
}

/* sum += delta, which is gathered level by level from the deepest one up. */
static GrB_Info gather_dependencies(brandes *b, GrB_Index source, int32_t deepest) {
  GrB_Info info;

  /* delta = 0 */
  TRY(GrB_Vector_assign_FP64(b->delta, NULL, NULL, 0.0, GrB_ALL, b->n, NULL));
  for (int32_t depth = deepest; depth > 0; depth--) {
    /* at = the entries of level that equal depth */
    TRY(GrB_Vector_select_INT32(b->at, NULL, NULL, GrB_VALUEEQ_INT32, b->level, depth, NULL));
    /* q<at, replace> = delta + 1 */
    TRY(GrB_Vector_apply_BinaryOp2nd_FP64(b->q, b->at, NULL, GrB_PLUS_FP64, b->delta, 1.0, GrB_DESC_RS));
    /* q = q ./ paths */
    TRY(GrB_Vector_eWiseMult_BinaryOp(b->q, NULL, NULL, GrB_DIV_FP64, b->q, b->paths, NULL));
    /* at = the level above; q<at, replace> = A plus.second q */
    TRY(GrB_Vector_select_INT32(b->at, NULL, NULL, GrB_VALUEEQ_INT32, b->level, depth - 1, NULL));
    TRY(GrB_mxv(b->q, b->at, NULL, b->plus_second, b->A, b->q, GrB_DESC_RS));
    /* delta += q .* paths */
    TRY(GrB_Vector_eWiseMult_BinaryOp(b->delta, NULL, GrB_PLUS_FP64, GrB_TIMES_FP64, b->q, b->paths, NULL));
  }
  /* The source does not lie between itself and another: delta(source) = 0; sum += delta */
  TRY(GrB_Vector_setElement_FP64(b->delta, 0.0, source));
  TRY(GrB_Vector_eWiseAdd_BinaryOp(b->sum, NULL, NULL, GrB_PLUS_FP64, b->sum, b->delta, NULL));

out:
  return info;
}

GrB_Info Grid_betweenness(GrB_Vector *centrality, GrB_Matrix A, const GrB_Index *sources,
                          GrB_Index nsources) {
  brandes b = {.A = A};
  GrB_Info info;
  GrB_Index ncols;
  int32_t deepest;

  if (A == NULL || centrality == NULL || (sources == NULL && nsources > 0))
    return Grid_agree(GrB_NULL_POINTER, "Grid_betweenness: A or an output is NULL");
  TRY(GrB_Matrix_nrows(&b.n, A));
  TRY(GrB_Matrix_ncols(&ncols, A));
  if (b.n != ncols) return Grid_agree(GrB_DIMENSION_MISMATCH, "Grid_betweenness: A is not square");
  for (GrB_Index k = 0; k < nsources; k++)
    if (sources[k] >= b.n)
      return Grid_agree(GrB_INVALID_INDEX, "Grid_betweenness: a source is not a vertex of A");

  /* each process makes its own semirings, so one alone may fail: all must know before the collective calls */
  info = GrB_Semiring_new(&b.plus_first, GrB_PLUS_MONOID_FP64, GrB_FIRST_FP64);
  if (info == GrB_SUCCESS) info = GrB_Semiring_new(&b.plus_second, GrB_PLUS_MONOID_FP64, GrB_SECOND_FP64);
  TRY(Grid_agree(info, NULL));
  TRY(GrB_Vector_new(&b.sum, GrB_FP64, b.n));
  TRY(GrB_Vector_new(&b.paths, GrB_FP64, b.n));
  TRY(GrB_Vector_new(&b.level, GrB_INT32, b.n));
  TRY(GrB_Vector_new(&b.delta, GrB_FP64, b.n));
  TRY(GrB_Vector_new(&b.q, GrB_FP64, b.n));
  TRY(GrB_Vector_new(&b.at, GrB_INT32, b.n));
  /* sum = 0 */
  TRY(GrB_Vector_assign_FP64(b.sum, NULL, NULL, 0.0, GrB_ALL, b.n, NULL));

  for (GrB_Index k = 0; k < nsources; k++) {
    TRY(count_paths(&b, sources[k], &deepest));
    TRY(gather_dependencies(&b, sources[k], deepest));
  }
  *centrality = b.sum, b.sum = NULL;

out:
  GrB_Semiring_free(&b.plus_first);
  GrB_Semiring_free(&b.plus_second);
  GrB_Vector_free(&b.sum);
  GrB_Vector_free(&b.paths);
  GrB_Vector_free(&b.level);
  GrB_Vector_free(&b.delta);
  GrB_Vector_free(&b.q);
  GrB_Vector_free(&b.at);
  return info;
}
