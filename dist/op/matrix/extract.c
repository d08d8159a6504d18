/* extract.c: GrB_extract of a matrix (specification 4.3.6.2): t(k, l) = A(I[k], J[l]). Each process
 * takes what its block has of it, and on several processes sends that to the owners of the new places. */
#include "dist/object/burble.h"
#include "dist/op/matrix/matrix_lists.h"
#include "dist/object/matrix/matrix_output.h"
#include "dist/object/matrix/matrix_route.h"
#include "dist/op/matrix/moved_lists.h"
#include "spmat/parts.h"

/* ---- on several ---- */

/* Own indices of one dimension: of a list, its places and what stands there; of GrB_ALL all of the block's.
 */
typedef struct {
  grid_own_list own;
  grid_index_set set; /* local indices */
  grid_places places; /* of what is taken */
} taking;

static GrB_Info find_own(taking *x, GrB_Matrix A, const grid_list *l, bool rows, GrB_Info info) {
  const uint64_t dim = rows ? A->nrows : A->ncols;
  *x = (taking){.set.n = grid_block_length(dim, rows),
                .places = rows ? grid_block_row_places(A) : grid_block_col_places(A)};
  if (l->all) return info;
  info = grid_own_list_make(&x->own, l, dim, rows, false, info);
  if (info != GrB_SUCCESS) return info;
  x->set = x->own.index;
  x->places = (grid_places){.table = x->own.place.list, .base = x->own.place.first};
  return info;
}

static GrB_Info extract_and_send(grid_part *t, GrB_Matrix C, GrB_Matrix A, const grid_list *rows,
                                 const grid_list *cols, bool flip, const char *call) {
  taking I = {0}, J = {0};
  grid_part s = {0};
  GrB_Info info = find_own(&I, A, rows, true, GrB_SUCCESS);
  info = find_own(&J, A, cols, false, info);
  grid_part_init(&s, A->type, I.set.n, J.set.n);
  if (info == GrB_SUCCESS) info = grid_parts_extract(&s, &A->block, &I.set, &J.set);
  I.places.axis = &s.row, J.places.axis = &s.col;
  info = grid_route_entries(C, &s, &I.places, &J.places, flip, info, t, call);
  grid_part_free(&s);
  grid_own_list_free(&I.own);
  grid_own_list_free(&J.own);
  return info;
}

/* ---- the operation ---- */

static GrB_Info extract(GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum, GrB_Matrix A, const GrB_Index *I,
                        GrB_Index ni, const GrB_Index *J, GrB_Index nj, GrB_Descriptor desc, bool shares,
                        const char *call) {
  GrB_Info info = GrB_SUCCESS;
  grid_desc d;
  grid_list rows, cols;
  grid_part t = {0};
  GrB_Matrix T = NULL;
  TRY(grid_check_matrix(C, call, "C"));
  TRY(grid_check_object(A, &C->head, call, "A"));
  TRY(grid_check_matrix_output(C, mask, accum, desc, A->type, call, &d));
  const bool flip = d.tran0;
  TRY(grid_list_read(&rows, I, ni, flip ? A->ncols : A->nrows, shares, &C->head, call, "I"));
  TRY(grid_list_read(&cols, J, nj, flip ? A->nrows : A->ncols, shares, &C->head, call, "J"));
  TRY(grid_check_shape(C->nrows, C->ncols, rows.total, cols.total, &C->head, call, "C", "what I and J name"));
  const grid_list *of_rows = flip ? &cols : &rows, *of_cols = flip ? &rows : &cols;
  const grid_sliced x = {.C = C, .mask = mask, .A = A, .accum = accum, .d = &d};
  bool sliced;
  TRY(grid_sliced_wanted(&x, &sliced));
  if (sliced && A->pages) {
    TRY(grid_lists_moved(&T, C, A, of_rows, of_cols, flip, false, call));
    info = grid_write_moved(&x, T);
    goto done;
  }
  TRY(grid_matrix_read(A));
  if (grid_here.P == 1)
    info = grid_lists_here(&t, C, A, of_rows, of_cols, flip, grid_parts_extract);
  else
    info = extract_and_send(&t, C, A, of_rows, of_cols, flip, call);
  if (!sliced) return grid_finish_matrix(C, mask, accum, &d, &t, false, info);
  TRY(grid_matrix_of_part(&T, C, &t, info));
  info = grid_write_moved(&x, T);
done:
  GrB_Matrix_free(&T);
  return info;
}

GrB_Info GrB_Matrix_extract(GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum, const GrB_Matrix A,
                            const GrB_Index *row_indices, GrB_Index nrows, const GrB_Index *col_indices,
                            GrB_Index ncols, const GrB_Descriptor desc) {
  return GRID_TOLD(
      "GrB_extract",
      extract(C, mask, accum, A, row_indices, nrows, col_indices, ncols, desc, false, "GrB_extract"), C, mask,
      A);
}

GrB_Info Grid_Matrix_extract(GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum,
                             const GrB_Matrix A, const GrB_Index *row_indices, GrB_Index nrows,
                             const GrB_Index *col_indices, GrB_Index ncols, const GrB_Descriptor desc) {
  static const char call[] = "Grid_Matrix_extract";
  return GRID_TOLD(
      call, extract(C, mask, accum, A, row_indices, nrows, col_indices, ncols, desc, grid_here.P > 1, call),
      C, mask, A);
}
