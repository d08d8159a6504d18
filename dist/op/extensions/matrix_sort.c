/* GxB_Matrix_sort: the entries of each row, or column, move to its front in order. On disk rows are sorted
 * one panel at a time. */
#include "dist/extensions/containers/replace_object.h"
#include "dist/matrix/matrix_output.h"
#include "dist/matrix/storage/matrix_bitmap.h"
#include "dist/matrix/transfer/local_tuples.h"
#include "dist/matrix/transfer/matrix_route.h"
#include "dist/object/burble.h"
#include "dist/op/sort_entries.h"
#include "dist/outofcore/operations/outofcore_run.h"
#include "dist/outofcore/operations/unite_disjoint.h"
#include "gridblas_gxb_operations.h"

static const char call[] = "GxB_Matrix_sort";

static GrB_Info check(GrB_Matrix C, GrB_Matrix P, GrB_BinaryOp op, GrB_Matrix A, GrB_Descriptor desc,
                      grid_desc *d) {
  GrB_Info info = GrB_SUCCESS;
  grid_head *head = &(C ? C : P)->head;
  TRY(grid_check_object(A, head, call, "A"));
  TRY(grid_desc_get(desc, call, d));
  TRY(grid_check_comparison(op, A->type, head, call));
  if (C) TRY(grid_check_shape(C->nrows, C->ncols, A->nrows, A->ncols, head, call, "C", "A"));
  if (P) TRY(grid_check_shape(P->nrows, P->ncols, A->nrows, A->ncols, head, call, "P", "A"));
  if (P) TRY(grid_check_permutation(P->type, A->nrows > A->ncols ? A->nrows : A->ncols, head, call, "P"));
  if (C && C->type != A->type)
    info = grid_fail(head, GrB_DOMAIN_MISMATCH, "%s: C has type %s, but A %s; they must be equal", call,
                     C->type->name, A->type->name);
  if (C == P) info = grid_fail(head, GrB_NOT_IMPLEMENTED, "%s: C and P are the same matrix", call);
done:
  return info;
}

/* The entries of A in order, on all processes together. */
static GrB_Info sort_lines(grid_sorted_run *run, GrB_Matrix A, GrB_BinaryOp op, bool by_col) {
  grid_tuples t = {0};
  GrB_Info info = grid_matrix_require(A, GRID_ROWS);
  if (info != GrB_SUCCESS) return info;
  info = grid_matrix_host_tuples(A, &t, true);
  const grid_unsorted_entries in = {.n = t.n,
                                    .major = by_col ? t.col : t.row,
                                    .minor = by_col ? t.row : t.col,
                                    .val = t.val,
                                    .type = A->type};
  info = grid_sort_entries(run, &in, op, info);
  grid_tuples_free(&t);
  return info;
}

/* *block = that of A with x[k] at the k-th place. A NULL: nothing. Collective, agreed on. */
static GrB_Info make_block(grid_local_matrix *block, GrB_Matrix A, const grid_sorted_run *run, bool by_col,
                           const void *x, GrB_Type type) {
  if (!A) return GrB_SUCCESS;
  const grid_build b = {.row = by_col ? run->position : run->major,
                        .col = by_col ? run->major : run->position,
                        .val = x,
                        .type = type,
                        .n = run->n};
  GrB_Info info = grid_route_lmat(A, &b, block, call);
  if (info != GrB_SUCCESS) return info;
  if (block->type != A->type) info = grid_cpu_lmat_cast(block, A->type);
  if (info == GrB_SUCCESS) info = grid_lmat_detect_iso(block);
  if (info == GrB_SUCCESS && !grid_compressed_is_built(&block->by_row)) info = grid_matrix_empty_block(block);
  return grid_agree(NULL, info);
}

static GrB_Info sort_in_memory(GrB_Matrix C, GrB_Matrix P, GrB_BinaryOp op, GrB_Matrix A, bool by_col) {
  grid_sorted_run run = {0};
  grid_local_matrix values = {0}, places = {0};
  GrB_Info info = GrB_SUCCESS;
  TRY(sort_lines(&run, A, op, by_col));
  TRY(make_block(&values, C, &run, by_col, run.val, A->type));
  TRY(make_block(&places, P, &run, by_col, run.minor, GrB_UINT64));
  /* nothing can fail any more but messages */
  if (C) TRY(grid_matrix_adopt(C, &(grid_build){0}, &values, GrB_SUCCESS));
  if (P) TRY(grid_matrix_adopt(P, &(grid_build){0}, &places, GrB_SUCCESS));
  if (C) grid_dense_force(C);
  if (P) grid_dense_force(P);
done:
  if (values.type) grid_lmat_free(&values);
  if (places.type) grid_lmat_free(&places);
  grid_sorted_run_free(&run);
  return info;
}

/* ---- on disk ---- */

/* The outputs C and P, of which one may be NULL, and their terms. of_columns: A's columns were transposed to
 * rows. */
typedef struct {
  GrB_Matrix output[2];
  GrB_BinaryOp op;
  bool of_columns;
  grid_disjoint terms[2];
} sorted_outputs;

/* A term of each output. */
static GrB_Info sort_panel(void *context, GrB_Matrix panel) {
  sorted_outputs *x = context;
  grid_sorted_run run = {0};
  GrB_Info info = sort_lines(&run, panel, x->op, false);
  for (int k = 0; k < 2 && info == GrB_SUCCESS; k++) {
    grid_local_matrix t = {0};
    GrB_Matrix term, C = x->output[k];
    if (!C) continue;
    info = k == 0 ? make_block(&t, C, &run, x->of_columns, run.val, panel->type)
                  : make_block(&t, C, &run, x->of_columns, run.minor, GrB_UINT64);
    info = grid_matrix_from_lmat(&term, C, &t, info);
    if (info == GrB_SUCCESS) info = grid_disjoint_add(&x->terms[k], term);
  }
  grid_sorted_run_free(&run);
  return info;
}

static GrB_Info sort_out_of_core(GrB_Matrix C, GrB_Matrix P, GrB_BinaryOp op, GrB_Matrix A, bool by_col) {
  const grid_disjoint none = {.path = grid_paged_path(&A, 1)};
  sorted_outputs x = {{C, P}, op, by_col, {none, none}};
  GrB_Matrix T[2] = {NULL, NULL}, transposed = NULL;
  GrB_Info info = GrB_SUCCESS;
  if (by_col) TRY(grid_transpose_pages(&transposed, A, call));
  TRY(grid_slices_of(by_col ? transposed : A, NULL, false, UINT64_MAX, sort_panel, &x));
  for (int k = 0; k < 2; k++)
    if (x.output[k]) TRY(grid_disjoint_unite(&T[k], &x.terms[k], x.output[k]->type, A->nrows, A->ncols));
  for (int k = 0; k < 2; k++)
    if (T[k]) grid_matrix_replace(x.output[k], T[k]);
done:
  GrB_Matrix_free(&transposed);
  for (int k = 0; k < 2; k++) {
    grid_disjoint_free(&x.terms[k]);
    GrB_Matrix_free(&T[k]);
  }
  return info;
}

/* ---- the operation ---- */

static GrB_Info sort(GrB_Matrix C, GrB_Matrix P, GrB_BinaryOp op, GrB_Matrix A, GrB_Descriptor desc) {
  GrB_Info info = GrB_SUCCESS;
  grid_desc d;
  bool out_of_core;
  if (!C && !P) {
    info = grid_check_initialized(call);
    return info != GrB_SUCCESS ? info : grid_fail(NULL, GrB_NULL_POINTER, "%s: C and P are NULL", call);
  }
  if (C) TRY(grid_check_matrix(C, call, "C"));
  if (P) TRY(grid_check_matrix(P, call, "P"));
  TRY(check(C, P, op, A, desc, &d));
  TRY(grid_exceeds_memory(&A, 1, 0, &out_of_core));
  info = out_of_core ? sort_out_of_core(C, P, op, A, d.tran0) : sort_in_memory(C, P, op, A, d.tran0);
done:
  return info;
}

GrB_Info GxB_Matrix_sort(GrB_Matrix C, GrB_Matrix P, GrB_BinaryOp op, GrB_Matrix A,
                         const GrB_Descriptor desc) {
  return GRID_TRACE_CALL(call, sort(C, P, op, A, desc), C, P, A);
}
