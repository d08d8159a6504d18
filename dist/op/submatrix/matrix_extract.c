/* GrB_extract of a matrix (specification 4.3.6.2): t(k, l) = A(I[k], J[l]). Each process
 * takes what its block has of it, and on several processes sends that to the owners of the new places. */
#include "dist/object/burble.h"
#include "dist/op/submatrix/matrix_index_lists.h"
#include "dist/matrix/matrix_output.h"
#include "dist/matrix/transfer/matrix_route.h"
#include "dist/op/submatrix/index_lists_outofcore.h"
#include "spmat/lmat_ops.h"

/* ---- on several ---- */

/* Local indices of one dimension: of a list, its places and what stands there; of GrB_ALL all of the block's.
 */
typedef struct {
  grid_local_list local;
  grid_index_set set;       /* local indices */
  grid_index_map index_map; /* of what is taken */
} extraction;

static GrB_Info find_local_lists(extraction *x, GrB_Matrix A, const grid_list *l, bool rows, GrB_Info info) {
  const uint64_t dim = rows ? A->nrows : A->ncols;
  *x = (extraction){.set.n = grid_block_length(dim, rows),
                    .index_map = rows ? grid_block_row_map(A) : grid_block_col_map(A)};
  if (l->all) return info;
  info = grid_local_list_make(&x->local, l, dim, rows, false, grid_hypersparse_axis(A, rows), info);
  if (info != GrB_SUCCESS) return info;
  x->set = x->local.index;
  x->index_map = (grid_index_map){.table = x->local.position.list, .base = x->local.position.first};
  return info;
}

typedef struct {
  GrB_Matrix C;
  const grid_list *rows, *cols; /* of A's rows and columns */
  bool flip;
  const char *call;
} extracting;

static GrB_Info extract_and_send(grid_local_matrix *t, const extracting *x, GrB_Matrix A) {
  extraction I = {0}, J = {0};
  grid_local_matrix s = {0};
  GrB_Info info = find_local_lists(&I, A, x->rows, true, GrB_SUCCESS);
  info = find_local_lists(&J, A, x->cols, false, info);
  grid_lmat_init(&s, A->type, I.set.n, J.set.n);
  if (info == GrB_SUCCESS) info = grid_lmat_extract(&s, &A->block, &I.set, &J.set);
  I.index_map.axis = &s.row, J.index_map.axis = &s.col;
  info = grid_route_entries(x->C, &s, &I.index_map, &J.index_map, x->flip, info, t, x->call);
  grid_lmat_free(&s);
  grid_local_list_free(&I.local);
  grid_local_list_free(&J.local);
  return info;
}

/* *t, for C's block: what the lists name of A, which comes to memory. */
static GrB_Info extract_entries(grid_local_matrix *t, const void *context, GrB_Matrix A) {
  const extracting *x = context;
  const GrB_Info info = grid_matrix_require(A, GRID_WHOLE);
  if (info != GrB_SUCCESS) return info;
  if (grid_ctx.P > 1) return extract_and_send(t, x, A);
  return grid_lists_one_process(t, x->C, A, x->rows, x->cols, x->flip, grid_lmat_extract);
}

/* ---- the operation ---- */

/* C<mask> accum= T for the output of x. */
static GrB_Info write_permuted(const grid_out_of_core *x, GrB_Matrix T) {
  struct GrB_Descriptor_opaque desc = grid_desc_plain(x->d);
  return GrB_Matrix_assign(x->C, x->mask, x->accum, T, GrB_ALL, x->C->nrows, GrB_ALL, x->C->ncols, &desc);
}

static GrB_Info extract(GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum, GrB_Matrix A, const GrB_Index *I,
                        GrB_Index ni, const GrB_Index *J, GrB_Index nj, GrB_Descriptor desc, bool shares,
                        const char *call) {
  GrB_Info info = GrB_SUCCESS;
  grid_desc d;
  grid_list rows = {0}, cols = {0};
  grid_local_matrix t = {0};
  GrB_Matrix T = NULL;
  TRY(grid_check_matrix(C, call, "C"));
  TRY(grid_check_object(A, &C->head, call, "A"));
  TRY(grid_check_matrix_output(C, mask, accum, desc, A->type, call, &d));
  const bool flip = d.tran0;
  TRY(grid_list_read(&rows, I, ni, flip ? A->ncols : A->nrows, shares, &C->head, call, "I"));
  TRY(grid_list_read(&cols, J, nj, flip ? A->nrows : A->ncols, shares, &C->head, call, "J"));
  TRY(grid_check_shape(C->nrows, C->ncols, rows.total, cols.total, &C->head, call, "C", "what I and J name"));
  const extracting e = {C, flip ? &cols : &rows, flip ? &rows : &cols, flip, call};
  const grid_out_of_core x = {.C = C, .mask = mask, .A = A, .accum = accum, .d = &d};
  bool out_of_core;
  TRY(grid_out_of_core_needed(&x, &out_of_core));
  if (out_of_core && A->pages) {
    TRY(grid_can_permute_pages(A, C->nrows, C->ncols)
            ? grid_permute_by_lists(&T, C, A, e.rows, e.cols, flip, false, call)
            : grid_move_panels(&T, A->type, C, A, extract_entries, &e));
    info = write_permuted(&x, T);
    goto done;
  }
  info = extract_entries(&t, &e, A);
  if (!out_of_core) {
    info = grid_finish_matrix(C, mask, accum, &d, &t, false, info);
    goto done;
  }
  TRY(grid_matrix_from_lmat(&T, C, &t, info));
  info = write_permuted(&x, T);
done:
  grid_list_free(&rows);
  grid_list_free(&cols);
  GrB_Matrix_free(&T);
  return info;
}

GrB_Info GrB_Matrix_extract(GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum, const GrB_Matrix A,
                            const GrB_Index *row_indices, GrB_Index nrows, const GrB_Index *col_indices,
                            GrB_Index ncols, const GrB_Descriptor desc) {
  return GRID_TRACE_CALL(
      "GrB_extract",
      extract(C, mask, accum, A, row_indices, nrows, col_indices, ncols, desc, false, "GrB_extract"), C, mask,
      A);
}

GrB_Info Grid_Matrix_extract(GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum,
                             const GrB_Matrix A, const GrB_Index *row_indices, GrB_Index nrows,
                             const GrB_Index *col_indices, GrB_Index ncols, const GrB_Descriptor desc) {
  static const char call[] = "Grid_Matrix_extract";
  return GRID_TRACE_CALL(
      call, extract(C, mask, accum, A, row_indices, nrows, col_indices, ncols, desc, grid_ctx.P > 1, call), C,
      mask, A);
}
