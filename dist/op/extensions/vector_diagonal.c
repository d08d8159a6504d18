/* GxB_Vector_diag: a diagonal of a matrix as a vector. The diagonal is selected where A lies; then its
 * entries are sent to the owners of the vector's indices. */
#include "dist/matrix/matrix_output.h"
#include "dist/matrix/transfer/local_tuples.h"
#include "dist/object/burble.h"
#include "gridblas_gxb_operations.h"

/* Length of diagonal k of A; 0 where A has none. */
static uint64_t diagonal_length(GrB_Matrix A, int64_t k) {
  const uint64_t by = k < 0 ? UINT64_C(0) - (uint64_t)k : (uint64_t)k,
                 rows = k < 0 ? A->nrows - by : A->nrows, cols = k > 0 ? A->ncols - by : A->ncols;
  if (by >= (k < 0 ? A->nrows : A->ncols)) return 0;
  return rows < cols ? rows : cols;
}

/* *t = the entries of D, a diagonal alone, as tuples that are sent to the owners of v's indices. Collective;
 * the caller agrees on the outcome. */
static GrB_Info diagonal_entries(grid_routed_entries *to, GrB_Matrix D, uint64_t n, bool by_row) {
  grid_tuples t = {0};
  GrB_Info info = grid_matrix_host_tuples(D, &t, true);
  info = grid_route(to, t.n, by_row ? t.row : t.col, t.val, 1, D->type->size, n, info);
  grid_tuples_free(&t);
  return info;
}

static GrB_Info extract_diagonal(GrB_Vector v, GrB_Matrix A, int64_t k, GrB_Descriptor desc) {
  static const char call[] = "GxB_Vector_diag";
  const grid_desc plain = {0};
  grid_desc d;
  grid_routed_entries entries = {0};
  uint64_t where;
  GrB_Matrix D = NULL;
  GrB_Info info = grid_check_vector(v, call, "v");
  if (info != GrB_SUCCESS) return info;
  TRY(grid_check_object(A, &v->head, call, "A"));
  TRY(grid_desc_get(desc, call, &d));
  TRY(grid_check_cast(v->type, A->type, &v->head, call, "A", "v"));
  TRY(grid_check_size(v->n, diagonal_length(A, k), &v->head, call, "v", "the diagonal"));
  if (v->n == 0) goto done;
  TRY(GrB_Matrix_new(&D, A->type, A->nrows, A->ncols));
  TRY(GrB_Matrix_select_INT64(D, NULL, NULL, GrB_DIAG, A, k, NULL));
  TRY(grid_matrix_require(D, GRID_OUTOFCORE_HYPERSPARSE | GRID_ROWS));
  info = diagonal_entries(&entries, D, v->n, k >= 0);
  grid_chunk t = grid_reusable_chunk(v, v->type);
  if (info == GrB_SUCCESS)
    info =
        grid_vec_build(&t, entries.idx, entries.val, A->type, 1, entries.n, (grid_dup){.last = true}, &where);
  info = grid_finish_output(v, NULL, NULL, &plain, &t, false, info);
done:
  grid_routed_entries_free(&entries);
  GrB_Matrix_free(&D);
  return info;
}

GrB_Info GxB_Vector_diag(GrB_Vector v, const GrB_Matrix A, int64_t k, const GrB_Descriptor desc) {
  return GRID_TRACE_CALL("GxB_Vector_diag", extract_diagonal(v, A, k, desc), v, A);
}
