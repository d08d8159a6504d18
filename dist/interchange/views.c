/* Grid_Vector_view, Grid_Matrix_view and their forms for the device: an object's arrays for reading. A view
 * is one more owner of them, so that they outlive a change of the object and the object itself. */
#include <string.h>

#include "dist/interchange/matrix_export.h"
#include "dist/matrix/transfer/matrix_gather.h"
#include "dist/object/burble.h"
#include "dist/vector/vector.h"
#include "semiring/threads/api_lock.h"
#include "spmat/cpu/matrix/lmat_tuples.h"
#include "spmat/lmat_ops.h"

static void release(const Grid_View *view) {
  void (*give_back)(void *) = view->device ? grid_device_free : grid_free;
  give_back((void *)(uintptr_t)view->indptr);
  give_back((void *)(uintptr_t)view->indices);
  give_back((void *)(uintptr_t)view->values);
}

/* *to = the array, or NULL if it has no elements. */
static GrB_Info retain(const void **to, void *array, uint64_t n) {
  *to = n ? grid_retain(array) : NULL;
  if (n && !*to) return grid_fail(NULL, GrB_OUT_OF_MEMORY, "an array has more than 65535 views");
  return GrB_SUCCESS;
}

static GrB_Info fail_view(grid_head *head, const char *call) {
  return grid_fail(head, GrB_NULL_POINTER, "%s: argument view is NULL", call);
}

/* ---- vectors ---- */

/* A chunk that has all entries stores them one after another in any format. */
static GrB_Info view_chunk(Grid_View *made, const grid_chunk *c) {
  made->iso = c->iso && c->n;
  made->n_values = made->iso ? 1 : c->n;
  made->device = c->device;
  if (!c->device) return retain(&made->values, c->val, made->n_values);
  if (made->n_values) made->values = grid_device_retain(c->val);
  return grid_device_wait(); /* the caller's streams do not wait for the library's */
}

static GrB_Info move_to_device(const char *call, GrB_Vector v) {
  const GrB_Info info = grid_chunk_to_device(&v->chunk);
  if (info != GRID_UNSUPPORTED) return info;
  return grid_fail(&v->head, GrB_INVALID_OBJECT, "%s: a vector of this type or length cannot lie on the GPU",
                   call);
}

static GrB_Info view_vector(Grid_View *view, GrB_Vector v, const char *call, bool device) {
  Grid_View made = {0};
  uint64_t nvals;
  GrB_Info info;
  TRY(grid_check_initialized(call));
  info = grid_check_object(v, NULL, call, "v");
  if (info == GrB_SUCCESS && !view) info = fail_view(&v->head, call);
  TRY(grid_agree(grid_live_head(v), info));
  TRY(grid_check_operand(v, NULL, call, "v"));
  if (device && !grid_device_is_on())
    TRY(grid_fail(&v->head, GrB_INVALID_VALUE, "%s: the GPU is not turned on (Grid_device_set)", call));
  TRY(grid_vector_count(&nvals, v));
  if (nvals != v->n)
    TRY(grid_fail(&v->head, GrB_INVALID_OBJECT,
                  "%s: %llu entries of a vector of size %llu; a view needs all of them", call,
                  (unsigned long long)nvals, (unsigned long long)v->n));
  info = device ? move_to_device(call, v) : grid_chunk_to_host(&v->chunk);
  if (info == GrB_SUCCESS) info = view_chunk(&made, &v->chunk);
  TRY(grid_agree(&v->head, info));
  *view = made;
  made = (Grid_View){0};
done:
  release(&made);
  return info;
}

GrB_Info Grid_Vector_view(Grid_View *view, GrB_Vector v) {
  static const char call[] = "Grid_Vector_view";
  return GRID_TRACE_CALL(call, view_vector(view, v, call, false), v);
}

/* Never a small call, which would be computed on the host. */
GrB_Info Grid_Vector_device_view(Grid_View *view, GrB_Vector v) {
  static const char call[] = "Grid_Vector_device_view";
  return GRID_TRACE_SIZED_CALL(call, UINT64_MAX, view_vector(view, v, call, true), v);
}

/* ---- matrices ---- */

/* Offsets of all rows; new ones where the local matrix lists its rows. */
static GrB_Info view_offsets(Grid_View *made, const grid_local_matrix *p, uint64_t rows) {
  const grid_compressed *c = &p->by_row;
  made->n_indptr = rows + 1;
  made->indptr_bytes = p->row.ids || c->offsets64 ? 8 : 4;
  if (!p->row.ids) return retain(&made->indptr, c->offsets64 ? (void *)c->offsets64 : c->ptr, rows + 1);
  GrB_Index *ptr = grid_malloc(rows + 1, sizeof *ptr);
  if (!ptr) return grid_fail_memory(NULL, "offsets of rows", rows + 1, sizeof *ptr);
  grid_export_offsets(ptr, rows, &p->row, c);
  made->indptr = ptr;
  return GrB_SUCCESS;
}

/* Columns of all entries; new ones where the local matrix lists its columns. */
static GrB_Info view_indices(Grid_View *made, const grid_replicated_matrix *w) {
  const grid_local_matrix *p = w->p;
  made->n_indices = p->nvals;
  made->indices_bytes = p->col.ids ? 8 : 4;
  if (!p->col.ids || !p->nvals) return retain(&made->indices, p->by_row.idx, p->nvals);
  GrB_Index *idx = grid_malloc(p->nvals, sizeof *idx);
  if (!idx) return grid_fail_memory(NULL, "columns of entries", p->nvals, sizeof *idx);
  const grid_index_map rows = {.axis = &p->row, .base = w->row}, cols = {.axis = &p->col, .base = w->col};
  grid_lmat_to_tuples(NULL, idx, NULL, p->type, p, &rows, &cols);
  made->indices = idx;
  return GrB_SUCCESS;
}

static GrB_Info view_values(Grid_View *made, const grid_local_matrix *p) {
  made->iso = p->iso && p->nvals;
  made->n_values = made->iso ? 1 : p->nvals;
  return retain(&made->values, made->iso ? p->iso_val : p->by_row.val, made->n_values);
}

/* Collective, agreed on. */
static GrB_Info check_matrix_view(const Grid_View *view, GrB_Matrix A, const char *call) {
  GrB_Info info;
  TRY(grid_check_initialized(call));
  info = grid_check_object(A, NULL, call, "A");
  if (info == GrB_SUCCESS && !view) info = fail_view(&A->head, call);
  info = grid_agree(grid_live_head(A), info);
done:
  return info;
}

static GrB_Info view_matrix(Grid_View *view, GrB_Matrix A) {
  static const char call[] = "Grid_Matrix_view";
  Grid_View made = {0};
  grid_replicated_matrix w = {0};
  GrB_Info info;
  TRY(check_matrix_view(view, A, call));
  if (A->nrows > GRID_DENSE_LENGTH_MAX)
    TRY(grid_fail_memory(&A->head, "offsets of rows", A->nrows, sizeof(GrB_Index)));
  TRY(grid_matrix_share(&w, A, false, call));
  info = view_offsets(&made, w.p, w.nrows);
  if (info == GrB_SUCCESS) info = view_indices(&made, &w);
  if (info == GrB_SUCCESS) info = view_values(&made, w.p);
  TRY(grid_agree(&A->head, info));
  *view = made;
  made = (Grid_View){0};
done:
  release(&made);
  grid_replicated_matrix_free(&w);
  return info;
}

/* Offsets of so many empty rows. */
static GrB_Info view_no_entries(Grid_View *made, uint64_t rows) {
  uint32_t *ptr = grid_device_malloc(rows + 1, sizeof *ptr);
  made->indptr = ptr;
  if (!ptr) return grid_device_fail_memory(NULL, "offsets of rows", rows + 1, sizeof *ptr);
  return grid_device_zero(ptr, (rows + 1) * sizeof *ptr);
}

/* The arrays of p, which has entries, on the device and without lists of rows and columns. */
static GrB_Info view_entries(Grid_View *made, const grid_local_matrix *p) {
  void *one = NULL;
  made->n_indices = p->nvals;
  made->indptr = grid_device_retain(p->by_row.ptr);
  made->indices = grid_device_retain(p->by_row.idx);
  made->iso = p->iso;
  made->n_values = p->iso ? 1 : p->nvals;
  if (!p->iso) {
    made->values = grid_device_retain(p->by_row.val);
    return GrB_SUCCESS;
  }
  const GrB_Info info = grid_device_send(&one, p->iso_val, 1, p->type->size, "a value");
  made->values = one;
  return info;
}

static GrB_Info view_block_on_device(Grid_View *made, GrB_Matrix A) {
  const uint64_t rows = grid_chunk_length(A->nrows, grid_ctx.k); /* the block may have padding */
  grid_device_operand staged = {0};
  GrB_Info info;
  made->device = true;
  made->n_indptr = rows + 1;
  made->indptr_bytes = made->indices_bytes = 4;
  if (A->block.nvals) {
    TRY(grid_lmat_operand_to_device(&staged, &A->block, false));
    TRY(view_entries(made, staged.p));
  } else {
    TRY(view_no_entries(made, rows));
  }
  info = grid_device_wait(); /* the caller's streams do not wait for the library's */
done:
  grid_device_operand_free(&staged);
  return info;
}

static GrB_Info device_view_matrix(Grid_View *view, GrB_Matrix A) {
  static const char call[] = "Grid_Matrix_device_view";
  Grid_View made = {0};
  GrB_Info info;
  TRY(check_matrix_view(view, A, call));
  if (!grid_device_is_on())
    TRY(grid_fail(&A->head, GrB_INVALID_VALUE, "%s: the GPU is not turned on (Grid_device_set)", call));
  if (grid_ctx.C > 1) TRY(grid_fail(&A->head, GrB_INVALID_VALUE, "%s: the grid has several columns", call));
  TRY(grid_matrix_require(A, GRID_ROWS | GRID_WHOLE));
  const uint64_t refusals = grid_device_oom_count();
  info = view_block_on_device(&made, A);
  if (info == GRID_UNSUPPORTED && grid_device_oom_count() > refusals)
    info = grid_fail(&A->head, GrB_OUT_OF_MEMORY, "%s: the GPU has no memory for this matrix", call);
  else if (info == GRID_UNSUPPORTED)
    info = grid_fail(&A->head, GrB_INVALID_OBJECT, "%s: this matrix cannot lie on the GPU by rows", call);
  TRY(grid_agree(&A->head, info));
  *view = made;
  made = (Grid_View){0};
done:
  release(&made);
  return info;
}

/* Never a small call, which would be computed on the host. */
GrB_Info Grid_Matrix_device_view(Grid_View *view, GrB_Matrix A) {
  return GRID_TRACE_SIZED_CALL("Grid_Matrix_device_view", UINT64_MAX, device_view_matrix(view, A), A);
}

GrB_Info Grid_Matrix_view(Grid_View *view, GrB_Matrix A) {
  return GRID_TRACE_CALL("Grid_Matrix_view", view_matrix(view, A), A);
}

void Grid_View_free(Grid_View *view) {
  GRID_CALL_SCOPE;
  if (!view) return;
  release(view);
  *view = (Grid_View){0};
}
