/* Connected components of an undirected graph by spreading minimum labels.
 *
 * Every vertex starts with its own number as label. In each round the vertices whose label fell in the round
 * before (at first: all) offer it to their neighbours, and a neighbour takes an offer that is smaller than
 * what it has. The rounds end when no label falls; then each label is the smallest vertex number of its
 * component. There are at most as many rounds as the longest shortest path has edges, so this suits graphs of
 * small diameter, not long paths. */
#include "gridblas.h"
#include "gridblas_algos.h"

#define TRY(call)                      \
  do {                                 \
    info = (call);                     \
    if (info != GrB_SUCCESS) goto out; \
  } while (0)

GrB_Info Grid_components(GrB_Vector *component, GrB_Matrix A) {
  GrB_Vector label = NULL, changed = NULL, smaller = NULL;
  GrB_Info info;
  GrB_Index n, ncols, nchanged;

  if (A == NULL || component == NULL)
    return Grid_agree(GrB_NULL_POINTER, "Grid_components: A or an output is NULL");
  TRY(GrB_Matrix_nrows(&n, A));
  TRY(GrB_Matrix_ncols(&ncols, A));
  if (n != ncols) return Grid_agree(GrB_DIMENSION_MISMATCH, "Grid_components: A is not square");

  /* label(v) = v */
  TRY(GrB_Vector_new(&label, GrB_INT64, n));
  TRY(GrB_Vector_assign_INT64(label, NULL, NULL, 0, GrB_ALL, n, NULL));
  TRY(GrB_Vector_apply_IndexOp_INT64(label, NULL, NULL, GrB_ROWINDEX_INT64, label, 0, NULL));
  TRY(GrB_Vector_dup(&changed, label));
  TRY(GrB_Vector_new(&smaller, GrB_BOOL, n));

  do {
    /* changed = A min.second changed: the smallest label that each vertex is offered */
    TRY(GrB_mxv(changed, NULL, NULL, GrB_MIN_SECOND_SEMIRING_INT64, A, changed, NULL));
    /* smaller = changed < label, where there is an offer */
    TRY(GrB_Vector_eWiseMult_BinaryOp(smaller, NULL, NULL, GrB_LT_INT64, changed, label, NULL));
    /* changed<smaller, replace> = changed */
    TRY(GrB_Vector_apply(changed, smaller, NULL, GrB_IDENTITY_INT64, changed, GrB_DESC_R));
    /* label<changed> = changed */
    TRY(GrB_Vector_assign(label, changed, NULL, changed, GrB_ALL, n, GrB_DESC_S));
    TRY(GrB_Vector_nvals(&nchanged, changed));
  } while (nchanged > 0);

  *component = label, label = NULL;

out:
  GrB_Vector_free(&label);
  GrB_Vector_free(&changed);
  GrB_Vector_free(&smaller);
  return info;
}
