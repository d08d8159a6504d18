/* A matrix with a vector on a diagonal (specification 4.2.5). */
#include "dist/object/burble.h"
#include "dist/matrix/matrix_output.h"
#include "dist/matrix/transfer/matrix_route.h"
#include "gridblas_gxb_operations.h"
#include "spmat/lmat_ops.h"

/* Entries of v as tuples; iso: without values. */
static GrB_Info diagonal_tuples(grid_tuples *t, GrB_Vector v, uint64_t row, uint64_t col, bool iso) {
  const uint64_t n = v->chunk.nvals;
  *t = (grid_tuples){.n = n,
                     .row = grid_malloc(n, sizeof *t->row),
                     .col = grid_malloc(n, sizeof *t->col),
                     .val = iso ? NULL : grid_malloc(n, v->type->size)};
  if (!t->row || !t->col || (!iso && !t->val))
    return grid_fail_memory(&v->head, "entries of a diagonal", n, 16 + v->type->size);
  GrB_Info info = grid_vec_tuples(t->row, t->val, v->type, &v->chunk, grid_chunk_first(v->n, grid_ctx.k));
  for (uint64_t k = 0; k < n && info == GrB_SUCCESS; k++) {
    t->col[k] = t->row[k] + col;
    t->row[k] += row;
  }
  return info;
}

/* *t = the block of A with v on the diagonal that begins at (row, col). Chunk k of the main diagonal lies in
 * block k; entries of other diagonals are routed. */
static GrB_Info diagonal_block(grid_local_matrix *t, GrB_Matrix A, GrB_Vector v, uint64_t row, uint64_t col,
                               const char *call) {
  const uint64_t first = grid_chunk_first(v->n, grid_ctx.k);
  grid_tuples tuples = {0};
  grid_lmat_init(t, v->type, A->block.row.dim, A->block.col.dim);
  if (grid_ctx.P == 1) return grid_lmat_diagonal(t, &v->chunk, row, col);
  if (row == 0 && col == 0)
    return grid_lmat_diagonal(t, &v->chunk, grid_local_row(v->n, first), grid_local_col(v->n, first));
  const bool iso = v->chunk.iso && v->chunk.nvals && !v->chunk.device;
  GrB_Info info = diagonal_tuples(&tuples, v, row, col, iso);
  return grid_route_tuples(A, &tuples, v->type, iso ? v->chunk.val : NULL, info, t, call);
}

/* How far diagonal k is from the main one. */
static uint64_t distance(int64_t k) {
  return k < 0 ? UINT64_C(0) - (uint64_t)k : (uint64_t)k;
}

static GrB_Info diagonal(GrB_Matrix *C, const GrB_Vector v, int64_t k) {
  const char *call = "GrB_Matrix_diag";
  const uint64_t by = distance(k);
  GrB_Matrix made = NULL;
  grid_local_matrix t = {0};
  GrB_Info info = grid_check_vector(v, call, "v");
  if (info != GrB_SUCCESS) return info;
  if (!C) return grid_fail(NULL, GrB_NULL_POINTER, "%s: argument C is NULL", call);
  if (v->n + by > GrB_INDEX_MAX + 1)
    return grid_fail(NULL, GrB_INVALID_VALUE,
                     "%s: diagonal %lld of a vector of size %llu needs more than 2^60 rows", call,
                     (long long)k, (unsigned long long)v->n);
  TRY(GrB_Matrix_new(&made, v->type, v->n + by, v->n + by));
  info = diagonal_block(&t, made, v, k < 0 ? by : 0, k > 0 ? by : 0, call);
  TRY(grid_matrix_adopt(made, &(grid_build){0}, &t, info));
  *C = made;
  made = NULL;
done:
  grid_lmat_free(&t);
  GrB_Matrix_free(&made);
  return info;
}

GrB_Info GrB_Matrix_diag(GrB_Matrix *C, const GrB_Vector v, int64_t k) {
  return GRID_TRACE_NEW_CALL("GrB_Matrix_diag", 0, diagonal(C, v, k), C, v);
}

static GrB_Info store_diagonal(GrB_Matrix C, const GrB_Vector v, int64_t k, GrB_Descriptor desc) {
  static const char call[] = "GxB_Matrix_diag";
  const uint64_t by = distance(k);
  const grid_desc plain = {0};
  grid_desc d;
  grid_local_matrix t = {0};
  GrB_Info info = grid_check_matrix(C, call, "C");
  if (info != GrB_SUCCESS) return info;
  TRY(grid_check_operand(v, &C->head, call, "v"));
  TRY(grid_desc_get(desc, call, &d));
  TRY(grid_check_cast(C->type, v->type, &C->head, call, "v", "C"));
  TRY(grid_check_shape(C->nrows, C->ncols, v->n + by, v->n + by, &C->head, call, "C",
                       "the diagonal's matrix"));
  info = diagonal_block(&t, C, v, k < 0 ? by : 0, k > 0 ? by : 0, call);
  info = grid_finish_matrix(C, NULL, NULL, &plain, &t, false, info);
done:
  return info;
}

GrB_Info GxB_Matrix_diag(GrB_Matrix C, const GrB_Vector v, int64_t k, const GrB_Descriptor desc) {
  return GRID_TRACE_CALL("GxB_Matrix_diag", store_diagonal(C, v, k, desc), C, v);
}
