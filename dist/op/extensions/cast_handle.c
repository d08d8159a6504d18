/* See cast_handle.h. */
#include "dist/op/extensions/cast_handle.h"

static GrB_Info matrix_of_vector(GrB_Matrix *A, GrB_Vector v, grid_head *out, const char *call,
                                 const char *what) {
  uint64_t *row = NULL, *col = NULL;
  char *val = NULL;
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_check_operand(v, out, call, what));
  TRY(GrB_Matrix_new(A, v->type, v->n, 1));
  if (v->n == 0) goto done;
  const uint64_t n = v->chunk.nvals;
  row = grid_malloc(n, sizeof *row), col = grid_calloc(n, sizeof *col), val = grid_malloc(n, v->type->size);
  if (!row || !col || !val)
    info = grid_fail_memory(NULL, "a vector as a matrix", n, 2 * sizeof *row + v->type->size);
  if (info == GrB_SUCCESS)
    info = grid_vec_tuples(row, val, v->type, &v->chunk, grid_chunk_first(v->n, grid_ctx.k));
  TRY(grid_agree(out, info));
  info =
      grid_matrix_fill(*A, &(grid_build){.row = row, .col = col, .val = val, .type = v->type, .n = n}, call);
done:
  grid_free(row);
  grid_free(col);
  grid_free(val);
  return info;
}

static GrB_Info matrix_of_scalar(GrB_Matrix *A, GrB_Scalar s) {
  GrB_Info info = GrB_Matrix_new(A, s->type, 1, 1);
  return info == GrB_SUCCESS ? GrB_Matrix_setElement_Scalar(*A, s, 0, 0) : info;
}

GrB_Info grid_cast_handle_read(grid_cast_handle *x, GrB_Matrix handle, grid_head *out, const char *call,
                               const char *what) {
  *x = (grid_cast_handle){.A = handle};
  GrB_Info info = grid_check_handle(handle, GRID_ANY_KIND, out, call, what);
  if (info != GrB_SUCCESS || handle->head.kind == GRID_IS_MATRIX) return info;
  if (handle->head.kind == GRID_IS_VECTOR)
    info = matrix_of_vector(&x->made, (GrB_Vector)(void *)handle, out, call, what);
  else if (handle->head.kind == GRID_IS_SCALAR)
    info = matrix_of_scalar(&x->made, (GrB_Scalar)(void *)handle);
  else
    return grid_fail(out, GrB_DOMAIN_MISMATCH, "%s: argument %s is no matrix, vector or scalar", call, what);
  x->A = x->made;
  return info;
}

GrB_Info grid_vector_of_column(GrB_Vector *v, GrB_Matrix A) {
  GrB_Info info = GrB_Vector_new(v, A->type, A->nrows);
  if (info == GrB_SUCCESS && A->nrows > 0)
    info = GrB_Col_extract(*v, NULL, NULL, A, GrB_ALL, A->nrows, 0, NULL);
  if (info != GrB_SUCCESS) GrB_Vector_free(v);
  return info;
}
