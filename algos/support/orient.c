/* Each undirected edge in one direction. Of a triangle's vertices one has two edges that leave it. For each
 * edge i -> j the rows of i and j are compared, which costs the sum over v of out(v) * degree(v). With edges
 * from low degrees to high ones no row is longer than sqrt(2 m), so hubs, whose degrees would otherwise be
 * squared, cost least. */
#include "algos/support/orient.h"

#include "algos/support/operators.h"
#include "algos/checkpoints/resume.h"

/* Ordering by degrees is assumed to cost as much as reading all entries this many times. This factor is not
 * measured. */
static const double ORDERING_PASSES = 16;

GrB_Info grid_symmetrize(GrB_Matrix *S, GrB_Matrix A, GrB_Index n) {
  GrB_Info info;
  Grid_Storage storage;
  int32_t code = 0;
  GrB_Matrix one = NULL, sum = NULL;
  TRY(Grid_Matrix_storage(&storage, A));
  TRY(Grid_agree(GrB_Matrix_get_INT32(A, &code, GrB_EL_TYPE_CODE), NULL));
  if (storage.symmetric && code != GrB_UDT_CODE) {
    *S = A;
    return GrB_SUCCESS;
  }
  /* one<A> = 1, sum = one + one' */
  TRY(GrB_Matrix_new(&one, GrB_INT8, n, n));
  TRY(GrB_Matrix_new(&sum, GrB_INT8, n, n));
  TRY(GrB_Matrix_assign_INT8(one, A, NULL, 1, GrB_ALL, n, GrB_ALL, n, GrB_DESC_S));
  TRY(GrB_Matrix_eWiseAdd_BinaryOp(sum, NULL, NULL, GrB_PLUS_INT8, one, one, GrB_DESC_T1));
  *S = sum, sum = NULL;
out:
  GrB_Matrix_free(&one);
  GrB_Matrix_free(&sum);
  return info;
}

void grid_symmetrize_free(GrB_Matrix *S, GrB_Matrix A) {
  if (*S != A) GrB_Matrix_free(S);
  *S = NULL;
}

/* The number of comparisons of a product over L. */
static GrB_Info work_of(double *work, GrB_Matrix L, GrB_Vector degree, GrB_Index n) {
  GrB_Info info;
  GrB_Vector out = NULL, product = NULL;
  TRY(GrB_Vector_new(&out, GrB_INT64, n));
  TRY(GrB_Vector_new(&product, GrB_FP64, n));
  TRY(Grid_Matrix_degree(out, L, false));
  TRY(GrB_Vector_eWiseMult_BinaryOp(product, NULL, NULL, GrB_TIMES_FP64, out, degree, NULL));
  TRY(GrB_Vector_reduce_FP64(work, NULL, GrB_PLUS_MONOID_FP64, product, NULL));
out:
  GrB_Vector_free(&out);
  GrB_Vector_free(&product);
  return info;
}

/* Of a matrix of differences degree(i) - degree(j): whether i comes before j. */
WITH_TEXT(
    edge_precedes, static void edge_precedes(bool *z, const int64_t *x, uint64_t i, uint64_t j,
                                             const int64_t *y) { *z = *x < *y || (*x == *y && i < j); })

GrB_Info grid_orient_by_degree(GrB_Matrix *L, GrB_Matrix S, GrB_Vector degree, GrB_Index n) {
  GrB_Info info;
  GrB_IndexUnaryOp before = NULL;
  GrB_Vector less = NULL;
  GrB_Matrix diagonal = NULL, D = NULL, mask = NULL;
  /* each process creates its own operator, so a single process may fail */
  TRY(Grid_agree(Grid_IndexUnaryOp_new(&before, (indexed)edge_precedes, GrB_BOOL, GrB_INT64, GrB_INT64,
                                       "edge_precedes", plain(edge_precedes_text)),
                 NULL));
  TRY(GrB_Matrix_diag(&diagonal, degree, 0));
  TRY(GrB_Matrix_new(&D, GrB_INT64, n, n));
  /* D(i,j) = degree(i), then degree(i) - degree(j). Each is one product, so any monoid is right; for this
   * one the library has a compiled semiring. */
  TRY(GrB_mxm(D, NULL, NULL, Grid_ANY_FIRST_SEMIRING_INT64, diagonal, S, NULL));
  GrB_Matrix_free(&diagonal);
  TRY(GrB_Vector_new(&less, GrB_INT64, n));
  TRY(GrB_Vector_apply(less, NULL, NULL, GrB_AINV_INT64, degree, NULL));
  TRY(GrB_Matrix_diag(&diagonal, less, 0));
  TRY(GrB_mxm(D, NULL, NULL, GrB_MIN_PLUS_SEMIRING_INT64, D, diagonal, NULL));
  TRY(GrB_Matrix_select_INT64(D, NULL, NULL, before, D, 0, NULL));
  TRY(GrB_Matrix_new(&mask, GrB_BOOL, n, n));
  TRY(GrB_Matrix_assign_BOOL(mask, D, NULL, true, GrB_ALL, n, GrB_ALL, n, GrB_DESC_S));
  *L = mask, mask = NULL;
out:
  GrB_IndexUnaryOp_free(&before);
  GrB_Vector_free(&less);
  GrB_Matrix_free(&diagonal);
  GrB_Matrix_free(&D);
  GrB_Matrix_free(&mask);
  return info;
}

/* *L = the entries of S from larger numbers to smaller ones. */
static GrB_Info by_number(GrB_Matrix *L, GrB_Matrix S, GrB_Index n) {
  GrB_Info info;
  GrB_Matrix lower = NULL, mask = NULL;
  TRY(GrB_Matrix_new(&lower, GrB_BOOL, n, n));
  TRY(GrB_Matrix_new(&mask, GrB_BOOL, n, n));
  TRY(GrB_Matrix_select_INT64(lower, NULL, NULL, GrB_TRIL, S, -1, NULL));
  TRY(GrB_Matrix_assign_BOOL(mask, lower, NULL, true, GrB_ALL, n, GrB_ALL, n, GrB_DESC_S));
  *L = mask, mask = NULL;
out:
  GrB_Matrix_free(&lower);
  GrB_Matrix_free(&mask);
  return info;
}

GrB_Info grid_orient(GrB_Matrix *L, GrB_Matrix S, GrB_Index n) {
  GrB_Info info;
  GrB_Vector degree = NULL;
  GrB_Matrix numbered = NULL, ordered = NULL;
  GrB_Index entries;
  double work, other = 0;
  TRY(GrB_Vector_new(&degree, GrB_INT64, n));
  TRY(Grid_Matrix_degree(degree, S, false));
  TRY(GrB_Matrix_nvals(&entries, S));
  TRY(by_number(&numbered, S, n));
  TRY(work_of(&work, numbered, degree, n));
  if (work > ORDERING_PASSES * (double)entries) {
    TRY(grid_orient_by_degree(&ordered, S, degree, n));
    TRY(work_of(&other, ordered, degree, n));
  }
  GrB_Matrix *best = ordered != NULL && other < work ? &ordered : &numbered;
  *L = *best, *best = NULL;
out:
  GrB_Vector_free(&degree);
  GrB_Matrix_free(&numbered);
  GrB_Matrix_free(&ordered);
  return info;
}

/* ---- in parts ---- */

/* Every PARTS-th row, so that processes have about as many each. */
enum { PARTS = 16 };
_Static_assert(PARTS == 16, "row_of_part has it, too");
WITH_TEXT(
    row_of_part, static void row_of_part(bool *z, const bool *x, uint64_t i, uint64_t j, const int64_t *y) {
      (void)x;
      (void)j;
      *z = i % 16 == (uint64_t)*y;
    })

GrB_Info grid_for_parts(const char *name, GrB_Matrix L, GrB_Type type, const Grid_Checkpoint_Item *state,
                        int items, GrB_Info (*add)(void *sums, GrB_Matrix M), void *sums) {
  GrB_Info info;
  GrB_IndexUnaryOp of_part = NULL;
  GrB_Matrix M = NULL;
  GrB_Index n;
  uint64_t done = 0;
  checkpoint_key c;
  if (!grid_checkpoint_is_set()) return add(sums, L);
  TRY(GrB_Matrix_nrows(&n, L));
  TRY(grid_checkpoint_key_make(&c, name, L, n));
  c.key[3] = (uint64_t)items;
  TRY(Grid_agree(Grid_IndexUnaryOp_new(&of_part, (indexed)row_of_part, GrB_BOOL, GrB_BOOL, GrB_INT64,
                                       "row_of_part", plain(row_of_part_text)),
                 NULL));
  TRY(GrB_Matrix_new(&M, type, n, n));
  TRY(grid_checkpoint_resume(&done, &c, state, items));
  while (done < PARTS) {
    Grid_progress_set(done, PARTS);
    TRY(GrB_Matrix_select_INT64(M, NULL, NULL, of_part, L, (int64_t)done, NULL));
    TRY(add(sums, M));
    TRY(grid_checkpoint_iteration(++done, &c, state, items));
  }
out:
  GrB_IndexUnaryOp_free(&of_part);
  GrB_Matrix_free(&M);
  return info;
}

/* ---- counting ---- */

typedef struct {
  GrB_Matrix L;
  GrB_Index n;
  uint64_t *count;
  GrB_Vector at; /* NULL: not counted at vertices */
} triangle_sums;

/* Adds the triangles i -> j, i -> k, j -> k whose i is a row of M. */
static GrB_Info count_in_rows(void *sums, GrB_Matrix M) {
  const triangle_sums *s = sums;
  GrB_Info info;
  GrB_Matrix C = NULL;
  TRY(GrB_Matrix_new(&C, GrB_INT64, s->n, s->n));
  /* C(i,j) = the number of triangles of each edge i -> j */
  TRY(GrB_mxm(C, M, NULL, Grid_PLUS_ONEB_SEMIRING_INT64, M, s->L, GrB_DESC_ST1));
  TRY(GrB_Matrix_reduce_UINT64(s->count, GrB_PLUS_UINT64, GrB_PLUS_MONOID_UINT64, C, NULL));
  if (s->at == NULL) goto out;
  /* at(i) and at(j) get C(i,j), then at(k) gets C(i,k) = the number of triangles i -> j, j -> k, i -> k */
  TRY(GrB_Matrix_reduce_Monoid(s->at, NULL, GrB_PLUS_INT64, GrB_PLUS_MONOID_INT64, C, NULL));
  TRY(GrB_Matrix_reduce_Monoid(s->at, NULL, GrB_PLUS_INT64, GrB_PLUS_MONOID_INT64, C, GrB_DESC_T0));
  TRY(GrB_mxm(C, M, NULL, Grid_PLUS_ONEB_SEMIRING_INT64, M, s->L, GrB_DESC_RS));
  TRY(GrB_Matrix_reduce_Monoid(s->at, NULL, GrB_PLUS_INT64, GrB_PLUS_MONOID_INT64, C, GrB_DESC_T0));
out:
  GrB_Matrix_free(&C);
  return info;
}

GrB_Info grid_count_triangles(uint64_t *count, GrB_Vector *per_vertex, GrB_Matrix L, GrB_Index n) {
  GrB_Info info;
  triangle_sums s = {.L = L, .n = n, .count = count};
  *count = 0;
  if (per_vertex != NULL) TRY(GrB_Vector_new(&s.at, GrB_INT64, n));
  const Grid_Checkpoint_Item state[] = {{.name = "triangles", .bytes = count, .size = sizeof *count},
                                        {.name = "at vertices", .vector = s.at}};
  TRY(grid_for_parts("triangles", L, GrB_BOOL, state, per_vertex == NULL ? 1 : 2, count_in_rows, &s));
  if (per_vertex != NULL) *per_vertex = s.at, s.at = NULL;
out:
  GrB_Vector_free(&s.at);
  return info;
}
