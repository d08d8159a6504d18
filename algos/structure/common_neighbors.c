/* Common neighbors of all pairs of vertices, a panel of rows P of the graph S at a time:
 *   C = P plus.oneb S, without the diagonal
 * C is summed and dropped. So memory does not grow with the number of pairs, which may be far above that of
 * the edges. */
#include "algos/structure/common_neighbors.h"

#include "algos/rows/row_panels.h"
#include "algos/support/orient.h"

/* From here on sums of 64 bits are refused: a margin of 2 below their end for the rounding of the bound. */
static const double MOST = 0x1p62;

typedef struct {
  grid_pair_sums *sums;
  GrB_Matrix S;
  GrB_Index n;
  const char *call;
  double bound; /* the sum of c^2 so far in floating point, which does not overflow */
} pair_work;

/* sums(first + i) += row sum i of C. */
static GrB_Info add_row_sums(GrB_Vector sums, GrB_Matrix C, GrB_Index first) {
  GrB_Info info;
  GrB_Index rows;
  GrB_Vector part = NULL;
  TRY(GrB_Matrix_nrows(&rows, C));
  TRY(GrB_Vector_new(&part, GrB_INT64, rows));
  TRY(GrB_Matrix_reduce_Monoid(part, NULL, NULL, GrB_PLUS_MONOID_INT64, C, NULL));
  TRY(grid_add_rows(sums, part, first));
out:
  GrB_Vector_free(&part);
  return info;
}

/* sums(first + i) += the sum over row i of c (c - 1) / 2, for C's entries c, which become c^2. */
static GrB_Info add_choices(GrB_Vector sums, GrB_Matrix C, GrB_Index first) {
  GrB_Info info;
  GrB_Index rows;
  GrB_Vector ones = NULL, part = NULL;
  TRY(GrB_Matrix_nrows(&rows, C));
  TRY(GrB_Vector_new(&ones, GrB_INT64, rows));
  TRY(GrB_Vector_new(&part, GrB_INT64, rows));
  TRY(GrB_Matrix_reduce_Monoid(ones, NULL, NULL, GrB_PLUS_MONOID_INT64, C, NULL));
  TRY(GrB_Matrix_eWiseMult_BinaryOp(C, NULL, NULL, GrB_TIMES_INT64, C, C, NULL));
  TRY(GrB_Matrix_reduce_Monoid(part, NULL, NULL, GrB_PLUS_MONOID_INT64, C, NULL));
  TRY(GrB_Vector_eWiseMult_BinaryOp(part, NULL, NULL, GrB_MINUS_INT64, part, ones, NULL));
  TRY(GrB_Vector_apply_BinaryOp2nd_INT64(part, NULL, NULL, GrB_DIV_INT64, part, 2, NULL));
  TRY(grid_add_rows(sums, part, first));
out:
  GrB_Vector_free(&ones);
  GrB_Vector_free(&part);
  return info;
}

/* Adds the rows first .. end. */
static GrB_Info sum_panel(void *work, GrB_Index first, GrB_Index end) {
  pair_work *const w = work;
  GrB_Info info;
  double products;
  GrB_Matrix P = NULL, C = NULL, T = NULL;
  TRY(grid_extract_rows(&P, w->S, first, end - first));
  TRY(GrB_Matrix_new(&C, GrB_INT64, end - first, w->n));
  TRY(GrB_Matrix_new(&T, GrB_INT64, end - first, w->n));
  TRY(GrB_mxm(C, NULL, NULL, Grid_PLUS_ONEB_SEMIRING_INT64, P, w->S, NULL));
  TRY(GrB_Matrix_select_INT64(C, NULL, NULL, GrB_OFFDIAG, C, (int64_t)first, NULL));
  TRY(GrB_Matrix_apply(T, P, NULL, GrB_IDENTITY_INT64, C, GrB_DESC_S));
  TRY(add_row_sums(w->sums->triangles, T, first));
  if (w->sums->diamonds != NULL) TRY(add_choices(w->sums->diamonds, T, first));
  TRY(add_choices(w->sums->squares, C, first));
  TRY(GrB_Matrix_reduce_FP64(&products, NULL, GrB_PLUS_MONOID_FP64, C, NULL));
  w->bound += products;
  if (w->bound >= MOST) info = grid_refuse(GrB_INVALID_VALUE, w->call, "there may be 2^59 squares or more");
out:
  GrB_Matrix_free(&P);
  GrB_Matrix_free(&C);
  GrB_Matrix_free(&T);
  return info;
}

/* *bound(v) = pairs (v,x) at most: the paths of two edges from v. */
static GrB_Info bound_pairs(GrB_Vector *bound, GrB_Matrix S, GrB_Index n) {
  GrB_Info info;
  GrB_Vector degree = NULL;
  TRY(GrB_Vector_new(bound, GrB_FP64, n));
  TRY(GrB_Vector_new(&degree, GrB_FP64, n));
  TRY(Grid_Matrix_degree(degree, S, false));
  TRY(GrB_mxv(*bound, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, S, degree, NULL));
  TRY(GrB_Vector_apply_BinaryOp2nd_FP64(*bound, NULL, NULL, GrB_MIN_FP64, *bound, (double)n, NULL));
out:
  GrB_Vector_free(&degree);
  return info;
}

GrB_Info grid_sum_pairs(grid_pair_sums *s, GrB_Matrix S, GrB_Index n, uint64_t pairs, bool diamonds,
                        const char *call) {
  GrB_Info info;
  pair_work w = {.sums = s, .S = S, .n = n, .call = call};
  GrB_Vector bound = NULL;
  checkpoint_key c;
  TRY(GrB_Vector_new(&s->squares, GrB_INT64, n));
  TRY(GrB_Vector_new(&s->triangles, GrB_INT64, n));
  if (diamonds) TRY(GrB_Vector_new(&s->diamonds, GrB_INT64, n));
  TRY(bound_pairs(&bound, S, n));
  const Grid_Checkpoint_Item state[] = {{.name = "bound", .bytes = &w.bound, .size = sizeof w.bound},
                                        {.name = "squares", .vector = s->squares},
                                        {.name = "triangles", .vector = s->triangles},
                                        {.name = "diamonds", .vector = s->diamonds}};
  TRY(grid_checkpoint_key_make(&c, call, S, n));
  TRY(grid_for_panels(bound, pairs * (uint64_t)Grid_size(), &c, state, diamonds ? 4 : 3, sum_panel, &w));
out:
  GrB_Vector_free(&bound);
  return info;
}

void grid_pair_sums_free(grid_pair_sums *s) {
  GrB_Vector_free(&s->squares);
  GrB_Vector_free(&s->triangles);
  GrB_Vector_free(&s->diamonds);
}

GrB_Info grid_undirected_pattern(GrB_Matrix *S, GrB_Matrix A, GrB_Index n) {
  GrB_Info info;
  GrB_Matrix both = NULL, pattern = NULL;
  TRY(grid_symmetrize(&both, A, n));
  TRY(GrB_Matrix_new(&pattern, GrB_BOOL, n, n));
  TRY(GrB_Matrix_select_INT64(pattern, NULL, NULL, GrB_OFFDIAG, both, 0, NULL));
  TRY(GrB_Matrix_apply_BinaryOp2nd_BOOL(pattern, NULL, NULL, GrB_ONEB_BOOL, pattern, true, NULL));
  *S = pattern, pattern = NULL;
out:
  grid_symmetrize_free(&both, A);
  GrB_Matrix_free(&pattern);
  return info;
}
