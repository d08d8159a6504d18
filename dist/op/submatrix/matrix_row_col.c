/* GrB_extract of a column, GrB_assign to a row or a column
 * (specification 4.3.6.3, 4.3.7.3, 4.3.7.4), and GxB_subassign to these. The row or column becomes a vector,
 * on which the vectors' operation works; an assignment then puts it back.
 */
#include "dist/object/burble.h"
#include "dist/op/submatrix/row_col_host_copy.h"
#include "dist/op/submatrix/row_col_vector.h"
#include "dist/vector/index_range.h"
#include "spmat/device/device.h"

static GrB_Info check_index(uint64_t v, uint64_t n, const char *call, const char *what, grid_head *out) {
  if (v < n) return GrB_SUCCESS;
  return grid_fail(out, GrB_INVALID_INDEX, "%s: %s is %lld, outside the size %llu", call, what, (long long)v,
                   (unsigned long long)n);
}

/* w <mask> accum= all of the row or column v, with one agreement at most. */
static GrB_Info extract_whole(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, const grid_desc *d,
                              GrB_Matrix A, uint64_t v, const char *call) {
  GrB_Vector u = NULL;
  GrB_Info outcome, info;
  const bool only_copies = !mask && !accum && !d->complement && w->type == A->type;
  info = grid_matrix_read_vector(&u, A, d->tran0, v, call, only_copies, &outcome);
  if (info == GrB_SUCCESS) info = grid_finish_borrowed(w, mask, accum, d, u ? &u->chunk : NULL, outcome);
  grid_vector_release(u);
  return info;
}

static GrB_Info extract_column(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum,
                               const GrB_Matrix A, const GrB_Index *row_indices, GrB_Index nrows,
                               GrB_Index col_index, const GrB_Descriptor desc) {
  static const char call[] = "GrB_extract";
  GrB_Info info = GrB_SUCCESS;
  GrB_Vector u = NULL;
  grid_index_list l = {0};
  grid_desc d;
  TRY(grid_check_vector(w, call, "w"));
  TRY(grid_check_object(A, &w->head, call, "A"));
  TRY(grid_check_output(w, mask, accum, desc, A->type, call, &d));
  const uint64_t length = d.tran0 ? A->ncols : A->nrows;
  TRY(check_index(col_index, d.tran0 ? A->nrows : A->ncols, call, "the column's index", &w->head));
  TRY(grid_index_list_open(&l, row_indices, nrows, length, &w->head, call));
  if (l.I == GrB_ALL)
    TRY(grid_check_size(length, w->n, &w->head, call, "the column", "w"));
  else
    TRY(grid_check_size(l.n, w->n, &w->head, call, "the index list", "w"));
  if (l.I != GrB_ALL) TRY(grid_check_indices(l.I, l.n, length, &w->head, call));
  if (l.I == GrB_ALL && !grid_device_is_open()) {
    info = extract_whole(w, mask, accum, &d, A, col_index, call);
    goto done;
  }
  TRY(grid_matrix_get_vector(&u, A, d.tran0, col_index, call));
  info = GrB_Vector_extract(w, mask, accum, u, l.I, l.n, desc);
done:
  grid_index_list_close(&l);
  if (u) grid_vector_release(u);
  return info;
}

GrB_Info GrB_Col_extract(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum, const GrB_Matrix A,
                         const GrB_Index *row_indices, GrB_Index nrows, GrB_Index col_index,
                         const GrB_Descriptor desc) {
  /* a matrix whose lines the host has does not keep the call on the device */
  return GRID_TRACE_PLACED_CALL(
      "GrB_extract", GRID_CALL_PLACEMENT(0, w, mask, grid_row_col_host_copy(A) ? NULL : A),
      extract_column(w, mask, accum, A, row_indices, nrows, col_index, desc), w, mask, A);
}

static const char standard[] = "GrB_assign", of_region[] = "GxB_subassign";

/* C's row or column v <mask>(I) accum= u; for of_region, whose mask has the size of the region,
 * (I)<mask> accum= u. */
static GrB_Info assign(GrB_Matrix C, GrB_Vector mask, GrB_BinaryOp accum, GrB_Vector u, bool row, uint64_t v,
                       const GrB_Index *I, GrB_Index ni, GrB_Descriptor desc, const char *call) {
  const char *name = row ? "C's row" : "C's column";
  GrB_Info info = GrB_SUCCESS;
  GrB_Vector w = NULL;
  grid_vector_entries before = {0};
  grid_index_list l = {0};
  grid_desc d;
  TRY(grid_check_matrix(C, call, "C"));
  TRY(grid_check_operand(u, &C->head, call, "u"));
  if (mask) TRY(grid_check_operand(mask, &C->head, call, "mask"));
  TRY(grid_check_write(&C->head, C->type, "C", mask ? mask->type : NULL, accum, desc, u->type, call, &d));
  const uint64_t n = row ? C->ncols : C->nrows;
  TRY(check_index(v, row ? C->nrows : C->ncols, call, row ? "the row's index" : "the column's index",
                  &C->head));
  TRY(grid_index_list_open(&l, I, ni, n, &C->head, call));
  const uint64_t size = l.I == GrB_ALL ? n : l.n;
  const char *list = l.I == GrB_ALL ? name : "the index list";
  if (mask && call == of_region) TRY(grid_check_size(mask->n, size, &C->head, call, "mask", list));
  if (mask && call == standard) TRY(grid_check_size(mask->n, n, &C->head, call, "mask", name));
  TRY(grid_check_size(u->n, size, &C->head, call, "u", list));
  if (l.I != GrB_ALL) TRY(grid_check_indices(l.I, l.n, n, &C->head, call));
  TRY(grid_matrix_get_vector(&w, C, row, v, call));
  if (!grid_device_is_on() || C->pages)
    TRY(grid_vector_entries_of(&before, w)); /* a row or column on the device is written as a whole */
  TRY((call == standard ? GrB_Vector_assign : GxB_Vector_subassign)(w, mask, accum, u, l.I, l.n, desc));
  TRY(grid_chunk_wait(&w->chunk));
  info = grid_matrix_set_vector(C, &before, w, row, v, call);
done:
  grid_index_list_close(&l);
  grid_vector_entries_free(&before);
  if (w) grid_vector_release(w);
  return info;
}

GrB_Info GrB_Row_assign(GrB_Matrix C, const GrB_Vector mask, const GrB_BinaryOp accum, const GrB_Vector u,
                        GrB_Index row_index, const GrB_Index *col_indices, GrB_Index ncols,
                        const GrB_Descriptor desc) {
  return GRID_TRACE_CALL(
      standard, assign(C, mask, accum, u, true, row_index, col_indices, ncols, desc, standard), C, mask, u);
}

GrB_Info GrB_Col_assign(GrB_Matrix C, const GrB_Vector mask, const GrB_BinaryOp accum, const GrB_Vector u,
                        const GrB_Index *row_indices, GrB_Index nrows, GrB_Index col_index,
                        const GrB_Descriptor desc) {
  return GRID_TRACE_CALL(
      standard, assign(C, mask, accum, u, false, col_index, row_indices, nrows, desc, standard), C, mask, u);
}

GrB_Info GxB_Row_subassign(GrB_Matrix C, const GrB_Vector mask, const GrB_BinaryOp accum, const GrB_Vector u,
                           GrB_Index i, const GrB_Index *cols, GrB_Index ncols, const GrB_Descriptor desc) {
  return GRID_TRACE_CALL(of_region, assign(C, mask, accum, u, true, i, cols, ncols, desc, of_region), C, mask,
                         u);
}

GrB_Info GxB_Col_subassign(GrB_Matrix C, const GrB_Vector mask, const GrB_BinaryOp accum, const GrB_Vector u,
                           const GrB_Index *rows, GrB_Index nrows, GrB_Index j, const GrB_Descriptor desc) {
  return GRID_TRACE_CALL(of_region, assign(C, mask, accum, u, false, j, rows, nrows, desc, of_region), C,
                         mask, u);
}
