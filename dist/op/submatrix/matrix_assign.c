/* GrB_assign of a matrix to a matrix or a part of it (specification 4.3.7.2; a value: matrix_assign_value.c).
 *
 * Each process first learns t, what comes to its block: the entries of A at their new positions, or a value
 * at all positions that I and J name. A mask that is no complement limits it. With an accumulator the rest is
 * C<mask> accum= t. Without one, entries of C in the region I x J that t lacks go and others stay: z = C with
 * the region replaced by t, C<mask> = z. A value leaves none out where the mask allows it: z is C with t's
 * entries in it. The mask is read again only for what replace removes. */
#include "dist/matrix/storage/matrix_outofcore.h"
#include "dist/matrix/transfer/matrix_route.h"
#include "dist/object/burble.h"
#include "dist/op/submatrix/assign_region.h"
#include "dist/op/submatrix/index_lists_outofcore.h"

static const char standard[] = "GrB_assign";

/* Where the rows or columns of A's block go. */
typedef struct {
  grid_index_map map;
  grid_local_list list;
  uint64_t *table; /* by local index */
} destination_map;

static void destination_map_free(destination_map *x) {
  grid_local_list_free(&x->list);
  grid_free(x->table);
}

static GrB_Info find_index_map(destination_map *x, GrB_Matrix A, const grid_list *l, bool rows,
                               GrB_Info info) {
  const uint64_t dim = rows ? A->nrows : A->ncols;
  const grid_axis *listed = grid_hypersparse_axis(A, rows);
  const grid_local_list *list = &x->list;
  *x = (destination_map){.map = rows ? grid_block_row_map(A) : grid_block_col_map(A)};
  const grid_axis *axis = x->map.axis;
  if (l->all) return info;
  info = grid_local_list_make(&x->list, l, dim, rows, true, listed, info);
  if (info != GrB_SUCCESS) return info;
  if (!list->index.list) { /* a range for all of them */
    x->map = (grid_index_map){.axis = axis, .base = list->index.first};
    return info;
  }
  if (listed && list->position.list) {
    /* segments of one index each: a table would have an element for every index of the axis */
    x->map = (grid_index_map){.axis = axis,
                              .q = 1,
                              .segments = list->n,
                              .stride = 1,
                              .from = list->position.list,
                              .to = list->index.list};
    return info;
  }
  /* an axis is a multiple of 64 long: its last indices may be beyond the matrix */
  x->table = grid_malloc(axis->dim, sizeof *x->table);
  if (!x->table)
    return grid_fail_memory(NULL, "destinations of rows or columns", axis->dim, sizeof *x->table);
  for (uint64_t k = grid_block_length(dim, rows); k < axis->dim; k++) x->table[k] = GRID_NO_TARGET;
  for (uint64_t k = 0; k < list->n; k++) x->table[grid_index_at(&list->position, k)] = list->index.list[k];
  x->map = (grid_index_map){.axis = axis, .table = x->table};
  return info;
}

/* of_rows, of_cols: the destinations of A's rows and columns. */
static GrB_Info spread_and_route(grid_local_matrix *t, const grid_assignment *a, GrB_Matrix A,
                                 const grid_list *of_rows, const grid_list *of_cols, bool flip) {
  destination_map rows, cols;
  GrB_Info info = find_index_map(&rows, A, of_rows, true, GrB_SUCCESS);
  info = find_index_map(&cols, A, of_cols, false, info);
  info = grid_route_entries(a->C, &A->block, &rows.map, &cols.map, flip, info, t, a->call);
  destination_map_free(&rows);
  destination_map_free(&cols);
  return info;
}

/* *t, for C's block: A's entries in their new places. context: the assignment. */
static GrB_Info find_entries(grid_local_matrix *t, const void *context, GrB_Matrix A) {
  const grid_assignment *a = context;
  const bool flip = a->d.tran0;
  const grid_list *of_rows = flip ? &a->cols : &a->rows, *of_cols = flip ? &a->rows : &a->cols;
  GrB_Info info = grid_matrix_require(A, GRID_WHOLE);
  if (info != GrB_SUCCESS) return info;
  if (grid_ctx.P == 1 && grid_assign_covers_all(a))
    return flip ? grid_lmat_transpose(&A->block, A->properties.symmetric, t)
                : grid_lmat_copy_rows(t, &A->block);
  if (grid_ctx.P == 1) return grid_lists_one_process(t, a->C, A, of_rows, of_cols, flip, grid_lmat_scatter);
  return spread_and_route(t, a, A, of_rows, of_cols, flip);
}

/* ---- a matrix, in slices ---- */

/* Some rows of C, and of what comes there. */
static GrB_Info matrix_slice(void *context, const grid_slices *s) {
  grid_assignment a = *(const grid_assignment *)context;
  grid_local_matrix t = {0};
  a.C = s->C, a.mask = s->mask, a.d.tran0 = false;
  GrB_Info info = grid_matrix_require(s->A, GRID_WHOLE);
  if (info != GrB_SUCCESS) return info;
  return grid_assign_finish(&a, &t, grid_lmat_copy_rows(&t, &s->A->block));
}

static grid_out_of_core slices_of(const grid_assignment *a, GrB_Matrix A, const grid_desc *d) {
  return (grid_out_of_core){.C = a->C,
                            .mask = a->mask,
                            .A = A,
                            .accum = a->accum,
                            .d = d,
                            .retains = !grid_assign_covers_all(a),
                            .run = matrix_slice,
                            .context = (void *)(uintptr_t)a};
}

/* A goes to a part of C: its entries come to their places first. */
static GrB_Info assign_permuted(const grid_assignment *a, GrB_Matrix A) {
  const bool flip = a->d.tran0;
  grid_desc plain = a->d;
  grid_local_matrix t = {0};
  GrB_Matrix T = NULL;
  GrB_Info info;
  plain.tran0 = false;
  if (A->pages && grid_can_permute_pages(A, a->C->nrows, a->C->ncols)) {
    TRY(grid_permute_by_lists(&T, a->C, A, flip ? &a->cols : &a->rows, flip ? &a->rows : &a->cols, flip, true,
                              a->call));
  } else if (A->pages) {
    TRY(grid_move_panels(&T, A->type, a->C, A, find_entries, a));
  } else {
    info = find_entries(&t, a, A);
    TRY(grid_matrix_from_lmat(&T, a->C, &t, info));
  }
  const grid_out_of_core x = slices_of(a, T, &plain);
  bool out_of_core;
  TRY(grid_out_of_core_needed(&x, &out_of_core));
  info = out_of_core ? grid_out_of_core_run(&x)
                     : matrix_slice(x.context, &(grid_slices){a->C, a->mask, T, .row = 0});
done:
  GrB_Matrix_free(&T);
  return info;
}

/* Where matrices have no room. */
static GrB_Info assign_out_of_core(const grid_assignment *a, GrB_Matrix A, bool *done) {
  const grid_out_of_core x = slices_of(a, A, &a->d);
  const GrB_Info info = grid_out_of_core_needed(&x, done);
  if (info != GrB_SUCCESS || !*done) return info;
  return grid_assign_covers_all(a) ? grid_out_of_core_run(&x) : assign_permuted(a, A);
}

static GrB_Info assign_matrix(GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum, GrB_Matrix A,
                              const GrB_Index *I, GrB_Index ni, const GrB_Index *J, GrB_Index nj,
                              GrB_Descriptor desc, bool shares, const char *call) {
  grid_assignment a = {.C = C, .mask = mask, .accum = accum, .call = call};
  grid_local_matrix t = {0};
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_check_matrix(C, call, "C"));
  TRY(grid_check_object(A, &C->head, call, "A"));
  TRY(grid_check_matrix_output(C, mask, accum, desc, A->type, call, &a.d));
  TRY(grid_assign_read_lists(&a, I, ni, J, nj, shares));
  const bool flip = a.d.tran0;
  TRY(grid_check_shape(flip ? A->ncols : A->nrows, flip ? A->nrows : A->ncols, a.rows.total, a.cols.total,
                       &C->head, call, "A", "what I and J name"));
  bool out_of_core;
  TRY(assign_out_of_core(&a, A, &out_of_core));
  if (out_of_core) goto done;
  info = find_entries(&t, &a, A);
  info = grid_assign_finish(&a, &t, info);
done:
  grid_assign_free_lists(&a);
  return info;
}

GrB_Info GrB_Matrix_assign(GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum, const GrB_Matrix A,
                           const GrB_Index *row_indices, GrB_Index nrows, const GrB_Index *col_indices,
                           GrB_Index ncols, const GrB_Descriptor desc) {
  return GRID_TRACE_CALL(
      standard,
      assign_matrix(C, mask, accum, A, row_indices, nrows, col_indices, ncols, desc, false, standard), C,
      mask, A);
}

GrB_Info Grid_Matrix_assign(GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum, const GrB_Matrix A,
                            const GrB_Index *row_indices, GrB_Index nrows, const GrB_Index *col_indices,
                            GrB_Index ncols, const GrB_Descriptor desc) {
  static const char call[] = "Grid_Matrix_assign";
  return GRID_TRACE_CALL(
      call,
      assign_matrix(C, mask, accum, A, row_indices, nrows, col_indices, ncols, desc, grid_ctx.P > 1, call), C,
      mask, A);
}
