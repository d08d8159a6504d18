/* Random walks along the edges, of first order (DeepWalk) and of second order (node2vec): the beginnings of
 * Grid_Matrix_walk.
 *
 * Sources: Perozzi, Al-Rfou, Skiena (2014); Grover, Leskovec (2016). */
#include "algos/algos.h"

static GrB_Info check_arguments(GrB_Index *n, bool output, GrB_Matrix A, uint64_t length, double p,
                                double q) {
  static const char call[] = "Grid_random_walks";
  if (!output) return grid_refuse(GrB_NULL_POINTER, call, "walks is NULL");
  const GrB_Info info = square_size(n, A, call);
  if (info != GrB_SUCCESS) return info;
  if (length > INT32_MAX)
    return grid_refuse(GrB_INVALID_VALUE, call, "length is %" PRIu64 ", above 2^31 - 1", length);
  if (!(p >= 1e-6 && p <= 1e6 && q >= 1e-6 && q <= 1e6))
    return grid_refuse(GrB_INVALID_VALUE, call, "p is %g and q is %g; they are from 1e-6 to 1e6", p, q);
  return GrB_SUCCESS;
}

/* where(k) = the vertex of walk k, INT64: each vertex, or those of `start`. */
static GrB_Info find_starts(GrB_Vector *where, GrB_Index n, GrB_Vector start) {
  GrB_Info info;
  GrB_Index nwalks = n;
  if (start != NULL) TRY(GrB_Vector_size(&nwalks, start));
  TRY(GrB_Vector_new(where, GrB_INT64, nwalks));
  if (start == NULL) {
    TRY(GrB_Vector_assign_INT64(*where, NULL, NULL, 0, GrB_ALL, n, NULL));
    TRY(GrB_Vector_apply_IndexOp_INT64(*where, NULL, NULL, GrB_ROWINDEX_INT64, *where, 0, NULL));
  } else {
    TRY(GrB_Vector_apply(*where, NULL, NULL, GrB_IDENTITY_INT64, start, NULL));
  }
out:
  return info;
}

/* What Grid_Matrix_walk refuses, as an error of this call. */
static GrB_Info name_error(GrB_Info info) {
  const char *why = info == GrB_INDEX_OUT_OF_BOUNDS ? "a start is not a vertex of A"
                    : info == GrB_INVALID_VALUE     ? "a weight is below 0 or not finite"
                                                    : NULL;
  return why == NULL ? info : grid_refuse(info, "Grid_random_walks", "%s", why);
}

GrB_Info Grid_random_walks(GrB_Matrix *walks, GrB_Matrix A, GrB_Vector start, uint64_t length, bool weighted,
                           double p, double q, uint64_t seed) {
  SPAN;
  GrB_Info info;
  GrB_Index n, nwalks;
  GrB_Vector where = NULL;
  GrB_Matrix made = NULL;
  TRY(check_arguments(&n, walks != NULL, A, length, p, q));
  TRY(find_starts(&where, n, start));
  TRY(GrB_Vector_size(&nwalks, where));
  TRY(GrB_Matrix_new(&made, GrB_INT64, nwalks, length + 1));
  TRY(name_error(Grid_Matrix_walk(made, A, where, weighted, p, q, seed)));
  *walks = made, made = NULL;
out:
  GrB_Vector_free(&where);
  GrB_Matrix_free(&made);
  return info;
}
