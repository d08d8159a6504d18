/* Similarity of vertices by their neighbours: of given pairs, or of all that have a common neighbour.
 *
 * The common neighbours w of u and v, each with a weight f(w), are C = (A F) A', F = diag(f), one product,
 * masked by the pairs if there are any. Row u of A is the set of u's neighbours, whatever its values. Most
 * measures then divide by a number made of the degrees: with X(u,v) = degree(u) and Y(u,v) = degree(v) at
 * C's entries
 *   Jaccard    C / (X + Y - C)
 *   Sorensen   C / ((X + Y) / 2)
 *   overlap    C / min(X, Y)
 *   cosine     C / sqrt(X Y)
 * The weights are 1, of Adamic and Adar 1 / log(degree(w)), of resource allocation 1 / degree(w).
 *
 * Sources: Liben-Nowell, Kleinberg (2007); Adamic, Adar (2003); Zhou, Lu, Zhang (2009). */
#include <math.h>

#include "algos/algos.h"

enum { MEASURES = Grid_SIMILARITY_RESOURCE_ALLOCATION + 1 };

typedef struct {
  GrB_Matrix A;
  GrB_Index n;
  int measure;
  GrB_Semiring sum; /* plus.first */
  GrB_Matrix F, W, C, X, Y;
} similar;

/* F = diag(f) of the degrees of columns: vertices have w as a neighbour so many times. */
static GrB_Info make_weights(similar *s) {
  GrB_Info info;
  GrB_Vector f = NULL;
  TRY(GrB_Vector_new(&f, GrB_FP64, s->n));
  TRY(Grid_Matrix_degree(f, s->A, true));
  if (s->measure == Grid_SIMILARITY_ADAMIC_ADAR) {
    /* a common neighbour of two vertices has a degree of 2 or more */
    TRY(GrB_Vector_select_FP64(f, NULL, NULL, GrB_VALUEGT_FP64, f, 1.0, NULL));
    TRY(GrB_Vector_apply(f, NULL, NULL, GxB_LOG_FP64, f, NULL));
  }
  if (s->measure == Grid_SIMILARITY_ADAMIC_ADAR || s->measure == Grid_SIMILARITY_RESOURCE_ALLOCATION)
    TRY(GrB_Vector_apply(f, NULL, NULL, GrB_MINV_FP64, f, NULL));
  else
    TRY(GrB_Vector_assign_FP64(f, f, NULL, 1.0, GrB_ALL, s->n, GrB_DESC_S));
  TRY(GrB_Matrix_diag(&s->F, f, 0));
out:
  GrB_Vector_free(&f);
  return info;
}

/* C<pairs> = (A F) A'; without pairs: off the diagonal. */
static GrB_Info count_common(similar *s, GrB_Matrix pairs) {
  GrB_Info info;
  TRY(make_weights(s));
  TRY(GrB_Matrix_new(&s->W, GrB_FP64, s->n, s->n));
  TRY(GrB_Matrix_new(&s->C, GrB_FP64, s->n, s->n));
  TRY(GrB_mxm(s->W, NULL, NULL, GrB_MIN_SECOND_SEMIRING_FP64, s->A, s->F, NULL));
  TRY(GrB_mxm(s->C, pairs, NULL, s->sum, s->W, s->A, pairs == NULL ? GrB_DESC_T1 : GrB_DESC_ST1));
  if (pairs == NULL) TRY(GrB_Matrix_select_INT64(s->C, NULL, NULL, GrB_OFFDIAG, s->C, 0, NULL));
out:
  return info;
}

/* X = degree(u), Y = degree(v) at the entries (u,v) of C. */
static GrB_Info spread_degrees(similar *s) {
  GrB_Info info;
  GrB_Vector degree = NULL;
  GrB_Matrix D = NULL;
  TRY(GrB_Vector_new(&degree, GrB_FP64, s->n));
  TRY(Grid_Matrix_degree(degree, s->A, false));
  TRY(GrB_Matrix_diag(&D, degree, 0));
  TRY(GrB_Matrix_new(&s->X, GrB_FP64, s->n, s->n));
  TRY(GrB_Matrix_new(&s->Y, GrB_FP64, s->n, s->n));
  TRY(GrB_mxm(s->X, NULL, NULL, GrB_MIN_FIRST_SEMIRING_FP64, D, s->C, NULL));
  TRY(GrB_mxm(s->Y, NULL, NULL, GrB_MIN_SECOND_SEMIRING_FP64, s->C, D, NULL));
out:
  GrB_Vector_free(&degree);
  GrB_Matrix_free(&D);
  return info;
}

/* C /= the measure's number. */
static GrB_Info divide(similar *s) {
  static const struct {
    GrB_BinaryOp *join;
    bool minus; /* C is subtracted */
    double half;
    bool root;
  } of[MEASURES] = {
      [Grid_SIMILARITY_JACCARD] = {&GrB_PLUS_FP64, .minus = true},
      [Grid_SIMILARITY_SORENSEN] = {&GrB_PLUS_FP64, .half = 0.5},
      [Grid_SIMILARITY_OVERLAP] = {&GrB_MIN_FP64},
      [Grid_SIMILARITY_COSINE] = {&GrB_TIMES_FP64, .root = true},
  };
  const int k = s->measure;
  GrB_Info info = GrB_SUCCESS;
  if (of[k].join == NULL) return info;
  TRY(spread_degrees(s));
  TRY(GrB_Matrix_eWiseMult_BinaryOp(s->X, NULL, NULL, *of[k].join, s->X, s->Y, NULL));
  if (of[k].minus) TRY(GrB_Matrix_eWiseMult_BinaryOp(s->X, NULL, NULL, GrB_MINUS_FP64, s->X, s->C, NULL));
  if (of[k].half > 0)
    TRY(GrB_Matrix_apply_BinaryOp2nd_FP64(s->X, NULL, NULL, GrB_TIMES_FP64, s->X, of[k].half, NULL));
  if (of[k].root) TRY(GrB_Matrix_apply(s->X, NULL, NULL, GxB_SQRT_FP64, s->X, NULL));
  TRY(GrB_Matrix_eWiseMult_BinaryOp(s->C, NULL, NULL, GrB_DIV_FP64, s->C, s->X, NULL));
out:
  return info;
}

GrB_Info Grid_similarity(GrB_Matrix *similarity, GrB_Matrix A, GrB_Matrix pairs, int measure) {
  SPAN;
  similar s = {.A = A, .measure = measure};
  GrB_Info info;
  GrB_Index nrows, ncols;
  if (similarity == NULL) return Grid_agree(GrB_NULL_POINTER, "Grid_similarity: similarity is NULL");
  if (measure < 0 || measure >= MEASURES)
    return Grid_agree(GrB_INVALID_VALUE, "Grid_similarity: measure is not one of Grid_SIMILARITY_...");
  TRY(square_size(&s.n, A, "Grid_similarity"));
  if (pairs != NULL) {
    TRY(GrB_Matrix_nrows(&nrows, pairs));
    TRY(GrB_Matrix_ncols(&ncols, pairs));
    if (nrows != s.n || ncols != s.n)
      return Grid_agree(GrB_DIMENSION_MISMATCH, "Grid_similarity: pairs is not of the size of A");
  }
  /* each process creates its own semiring, so a single process may fail */
  TRY(Grid_agree(GrB_Semiring_new(&s.sum, GrB_PLUS_MONOID_FP64, GrB_FIRST_FP64), NULL));
  TRY(count_common(&s, pairs));
  TRY(divide(&s));
  *similarity = s.C, s.C = NULL;
out:
  GrB_Semiring_free(&s.sum);
  GrB_Matrix_free(&s.F);
  GrB_Matrix_free(&s.W);
  GrB_Matrix_free(&s.C);
  GrB_Matrix_free(&s.X);
  GrB_Matrix_free(&s.Y);
  return info;
}
