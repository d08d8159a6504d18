/* See outofcore_run.h. */
#include "dist/outofcore/operations/outofcore_run.h"

#include "dist/matrix/storage/matrix_outofcore.h"
#include "dist/outofcore/file/memory_budget.h"
#include "semiring/support/tuning.h"
#include "spmat/convert/lmat_format.h"
#include "spmat/matrix/axis.h"

/* Fractions of the remaining budget for the rows of all matrices that are sliced alike, and for those of a
 * second operand. The rest is for the result and for what the operation needs. */
enum { SHARE_ROWS = 6, SHARE_SECOND = 12 };

/* ---- is it needed? ---- */

static bool has_c_input(const grid_out_of_core *x) {
  return x->retains || x->accum || ((x->mask || x->d->complement) && !x->d->replace);
}

/* Lists the distinct matrices that are read. */
static int list_read(const grid_out_of_core *x, GrB_Matrix all[4]) {
  const GrB_Matrix of[4] = {x->A, x->B, x->mask, has_c_input(x) ? x->C : NULL};
  int n = 0;
  for (int k = 0; k < 4; k++) {
    bool known = of[k] == NULL;
    for (int i = 0; i < n; i++) known = known || all[i] == of[k];
    if (!known) all[n++] = of[k];
  }
  return n;
}

/* Can pages number all columns of these matrices and of their transposes by 32 bits, and all rows of C? */
static bool are_indices_32bit(const grid_out_of_core *x) {
  const GrB_Matrix matrices[4] = {x->C, x->A, x->B, x->mask};
  if (!grid_index_fits32(x->C->nrows)) return false;
  for (int k = 0; k < 4; k++)
    if (matrices[k] && (!grid_index_fits32(grid_block_cols(matrices[k]->ncols)) ||
                        !grid_index_fits32(grid_block_cols(matrices[k]->nrows))))
      return false;
  return true;
}

bool grid_out_of_core_is_hypersparse(const grid_out_of_core *x) {
  GrB_Matrix all[4] = {NULL};
  const int n = list_read(x, all);
  for (int k = 0; k < n; k++)
    if (grid_is_paged_hypersparse(all[k])) return true;
  return !are_indices_32bit(x);
}

GrB_Info grid_exceeds_memory(const GrB_Matrix *of, uint64_t n, uint64_t made, bool *yes) {
  uint64_t bytes = 0, full;
  bool is_any_paged = false;
  GrB_Info info = GrB_SUCCESS;
  *yes = false;
  for (uint64_t k = 0; k < n; k++) {
    if (!of[k]) continue;
    TRY(grid_matrix_require(of[k], GRID_OUTOFCORE_HYPERSPARSE));
    if (!of[k]->pages) continue;
    is_any_paged = true;
    bytes += grid_paged_load_bytes(of[k]);
  }
  if (!is_any_paged) return GrB_SUCCESS;
  /* plus at least as much for the result */
  full = (made > bytes ? bytes + made : 2 * bytes) > grid_paged_budget_left() + grid_pages_cached_bytes();
  TRY(grid_agree_sum(NULL, GrB_SUCCESS, &full, 1));
  *yes = full > 0;
done:
  return info;
}

GrB_Info grid_out_of_core_needed(const grid_out_of_core *x, bool *yes) {
  GrB_Matrix all[4] = {NULL};
  list_read(x, all);
  return grid_exceeds_memory(all, 4, x->made, yes);
}

/* ---- rows ---- */

/* The block's row with this number; behind the last one its end. */
static uint64_t row_at(const grid_axis *rows, uint64_t number) {
  return number < grid_axis_span(rows) ? grid_axis_id(rows, number) : rows->dim;
}

/* Bytes of the row with this number of n blocks; NULL: none. */
static uint64_t bytes_read(const GrB_Matrix *of, int n, const grid_axis *rows, uint64_t number) {
  uint64_t bytes = 0;
  for (int k = 0; k < n; k++)
    if (of[k]) bytes += grid_row_bytes(of[k], row_at(rows, number));
  return bytes;
}

static uint64_t local_rows(GrB_Matrix A) {
  return A->pages ? A->pages->rows : grid_axis_span(&A->block.row);
}

/* Appends C's block, with some of the rows row .. end and of the columns that the axes list. Local. */
static GrB_Info append_hypersparse(grid_pages *out, const grid_local_matrix *block, const grid_axis *axes,
                                   uint64_t row, uint64_t end) {
  const grid_compressed *c = &block->by_row;
  const uint64_t n = end - row;
  grid_local_matrix t = *block; /* with its values */
  GrB_Info info = GrB_SUCCESS;
  if (block->nvals == 0) return info;
  grid_offsets o = {0};
  uint32_t *col = NULL; /* what the pages number a column of the block */
  t.by_row = (grid_compressed){.idx = grid_malloc(block->nvals, sizeof *c->idx), .val = c->val};
  if (!t.by_row.idx || !grid_offsets_make(&o, n + 1, block->nvals))
    TRY(grid_fail_memory(NULL, "rows of a result", block->nvals, sizeof *c->idx));
  TRY(grid_axis_numbers(&col, &block->col, &axes[1]));
  t.by_row.ptr = o.offsets32, t.by_row.offsets64 = o.offsets64;
  for (uint64_t e = 0; e < block->nvals; e++) t.by_row.idx[e] = col[c->idx[e]];
  for (uint64_t r = 0, k = 0; r <= n; r++) {
    while (k < block->row.n && (r == n || grid_axis_id(&block->row, k) < grid_axis_id(&axes[0], row + r)))
      k++;
    grid_offset_set(o, r, grid_vector_start(c, k));
  }
  info = grid_pages_append(out, row, &t, 0, n);
done:
  grid_free(col);
  grid_free(t.by_row.idx);
  grid_offsets_free(&o);
  return info;
}

GrB_Info grid_slice_append(grid_pages *out, GrB_Matrix C, const grid_axis *axes, uint64_t row, uint64_t end) {
  grid_expanded_lmat u;
  if (axes) return append_hypersparse(out, &C->block, axes, row, end);
  GrB_Info info = grid_lmat_expand_hyper(&u, &C->block, true);
  if (info == GrB_SUCCESS) info = grid_pages_append(out, row, &u.lmat, row, end);
  grid_expanded_lmat_free(&u);
  return info;
}

/* ---- the operation ---- */

typedef struct {
  const grid_out_of_core *x;
  GrB_Matrix A, B; /* operands to split: transposes where requested */
  GrB_Matrix temp_A, temp_B;
  bool is_b_transposed; /* by `run` */
  grid_pages *out;
  grid_axis axes[2]; /* the rows and columns that the pages number: listed if is_hypersparse */
  bool is_hypersparse;
  uint64_t rows, row, end; /* numbers of rows */
  uint64_t *bound;         /* of a product: upper bounds of the bytes of each row, or NULL */
  uint64_t most;
  double share; /* expected fraction of a row's bound */
} slicing;

/* The largest end such that rows w->row .. end of these matrices, and of the result, take at most w->most
 * bytes; at least one row. */
static uint64_t slice_end(const slicing *w, const GrB_Matrix of[4]) {
  const grid_out_of_core *x = w->x;
  uint64_t end = w->row;
  for (uint64_t bytes = 0; end < w->rows; end++) {
    bytes += x->bytes ? x->bytes(x->context, end) : x->row_bytes;
    if (w->bound) bytes += (uint64_t)(w->share * (double)w->bound[end]);
    bytes += bytes_read(of, 4, &w->axes[0], end);
    if (bytes > w->most && end > w->row) break;
  }
  return x->rows_fitting && end > w->row ? x->rows_fitting(x->context, w->row, end) : end;
}

/* *to: the row panel of M, or `slice` if M is `other`, whose panel that is. */
static GrB_Info slice_of(GrB_Matrix *to, GrB_Matrix M, GrB_Matrix other, GrB_Matrix slice, const slicing *w) {
  *to = M == other ? slice : NULL;
  return M != other ? grid_slice_make(to, M, row_at(&w->axes[0], w->row), row_at(&w->axes[0], w->end))
                    : GrB_SUCCESS;
}

static GrB_Info run_slice(slicing *w, uint64_t *made) {
  const grid_out_of_core *x = w->x;
  const bool slice_b = w->B && !x->is_b_replicated;
  struct GrB_Descriptor_opaque desc = grid_desc_plain(x->d);
  desc.tran1 = w->is_b_transposed;
  grid_slices s = {.B = slice_b ? NULL : w->B,
                   .desc = &desc,
                   .row = row_at(&w->axes[0], w->row),
                   .end = row_at(&w->axes[0], w->end)};
  GrB_Info info = GrB_SUCCESS;
  const GrB_Matrix slice_a = x->is_a_replicated ? NULL : w->A;
  if (x->is_a_replicated) s.A = w->A;
  if (slice_a) TRY(slice_of(&s.A, w->A, NULL, NULL, w));
  if (slice_b) TRY(slice_of(&s.B, w->B, slice_a, s.A, w));
  if (x->mask) TRY(slice_of(&s.mask, x->mask, slice_a, s.A, w));
  TRY(has_c_input(x) ? slice_of(&s.C, x->C, NULL, NULL, w) : grid_slice_like(&s.C, x->C));
  TRY(x->run(x->context, &s));
  TRY(grid_matrix_require(s.C, GRID_HOST));
  *made = grid_lmat_bytes(&s.C->block);
  info = grid_slice_append(w->out, s.C, w->is_hypersparse ? w->axes : NULL, w->row, w->end);
  info = grid_agree(&x->C->head, info);
done:
  if (s.mask != s.A) GrB_Matrix_free(&s.mask);
  if (slice_b && s.B != s.A) GrB_Matrix_free(&s.B);
  if (!x->is_a_replicated) GrB_Matrix_free(&s.A);
  GrB_Matrix_free(&s.C);
  return info;
}

/* Expects of the next rows the fraction of their bounds that this panel had, plus a quarter. */
static void update_estimate(slicing *w, uint64_t made) {
  uint64_t bound = 0;
  if (!w->bound) return;
  for (uint64_t r = w->row; r < w->end; r++) bound += w->bound[r];
  const double share = bound ? 1.25 * (double)made / (double)bound : 1;
  w->share = share < 1.0 / 16 ? 1.0 / 16 : share < 1 ? share : 1; /* the next rows may differ */
}

/* Runs panels until no process has rows left. Panels shrink where a result was larger than its operands. */
static GrB_Info run_all(slicing *w) {
  const grid_out_of_core *x = w->x;
  const GrB_Matrix slice_a = x->is_a_replicated ? NULL : w->A, slice_b = x->is_b_replicated ? NULL : w->B;
  const GrB_Matrix of[4] = {slice_a, slice_b == slice_a ? NULL : slice_b, x->mask == slice_a ? NULL : x->mask,
                            has_c_input(x) ? x->C : NULL};
  GrB_Info info = GrB_SUCCESS;
  /* the product that bounds the rows may have moved those in memory to the device */
  for (int k = 0; k < 4; k++)
    if (of[k]) TRY(grid_matrix_require(of[k], GRID_OUTOFCORE_HYPERSPARSE | GRID_HOST));
  for (w->row = 0;; w->row = w->end) {
    uint64_t left = w->rows - w->row, made = 0;
    TRY(grid_agree_sum(&x->C->head, GrB_SUCCESS, &left, 1));
    if (left == 0) break;
    const uint64_t most = grid_slice_bytes(SHARE_ROWS);
    if (w->most > most || w->row == 0) w->most = most;
    w->end = slice_end(w, of);
    /* a grid row splits alike: each of its processes has part of a product's sums */
    if (grid_ctx.C > 1) TRY(grid_ctx.transport->allreduce(GRID_SET_ROW, &w->end, 1, GRID_MIN));
    TRY(run_slice(w, &made));
    update_estimate(w, made);
    if (made > most && w->most > grid_tune.row_panel_min_bytes) w->most = w->most / 2;
    if (made < most / 4 && w->most < most) w->most = w->most * 2;
  }
done:
  return info;
}

/* M with its rows, or its transpose, which is then *owned. */
static GrB_Info make_operand(GrB_Matrix *to, GrB_Matrix *owned, GrB_Matrix M, bool transposed,
                             const char *call) {
  GrB_Info info = GrB_SUCCESS;
  *to = M;
  if (!M) return info;
  /* whether it is symmetric is known then */
  TRY(grid_matrix_require(M, GRID_OUTOFCORE_HYPERSPARSE | GRID_HOST));
  if (transposed && !M->properties.symmetric) {
    TRY(grid_transpose_pages(owned, M, call));
    *to = *owned;
  }
  TRY(grid_matrix_require(*to, GRID_OUTOFCORE_HYPERSPARSE | GRID_HOST));
done:
  return info;
}

/* A and B, transposed where the descriptor says so, unless `run` does that. Columns of a product that B, once
 * transposed, lists are those of the blocks that it then has. */
static GrB_Info make_operands(slicing *w) {
  static const char call[] = "an out-of-core operation";
  const grid_out_of_core *x = w->x;
  const bool lists_columns = w->is_hypersparse && x->is_product;
  GrB_Info info = GrB_SUCCESS;
  w->A = x->A, w->B = x->B;
  if (!x->is_a_replicated) TRY(make_operand(&w->A, &w->temp_A, x->A, x->d->tran0, call));
  if (!x->is_b_replicated || lists_columns) TRY(make_operand(&w->B, &w->temp_B, x->B, x->d->tran1, call));
  w->is_b_transposed = x->is_b_replicated && !lists_columns && x->d->tran1;
done:
  return info;
}

/* The rows, or columns, that the result numbers. */
static GrB_Info list_axis(slicing *w, bool rows) {
  const grid_out_of_core *x = w->x;
  const GrB_Matrix of[4] = {x->is_product && !rows ? NULL : w->A, x->is_product && rows ? NULL : w->B,
                            x->A ? NULL : x->mask, has_c_input(x) ? x->C : NULL};
  return grid_unite_axis(&w->axes[!rows], of, 4, rows);
}

const char *grid_paged_path(const GrB_Matrix *of, uint64_t n) {
  for (uint64_t k = 0; k < n; k++)
    if (of[k] && of[k]->pages) return of[k]->pages->path;
  return "";
}

GrB_Info grid_out_of_core_run(const grid_out_of_core *x) {
  const unsigned form = GRID_OUTOFCORE_HYPERSPARSE | GRID_HOST;
  slicing w = {.x = x,
               .axes = {{.dim = x->C->block.row.dim}, {.dim = x->C->block.col.dim}},
               .rows = x->C->block.row.dim,
               .share = 1,
               .is_hypersparse = grid_out_of_core_is_hypersparse(x)};
  GrB_Info info = GrB_SUCCESS;
  TRY(make_operands(&w));
  if (x->mask) TRY(grid_matrix_require(x->mask, form));
  if (has_c_input(x)) TRY(grid_matrix_require(x->C, form));
  if (grid_ctx.C == 1) w.rows = grid_chunk_length(x->C->nrows, grid_ctx.k);
  if (w.is_hypersparse) {
    TRY(list_axis(&w, true));
    TRY(list_axis(&w, false));
    w.rows = w.axes[0].n;
  }
  if (x->product_entry)
    TRY(grid_product_bounds(&w.bound, &w.axes[0], w.rows, w.A, w.B, w.is_b_transposed, x->product_entry));
  const GrB_Matrix of[4] = {x->A, x->B, x->mask, x->C};
  info = grid_pages_new(&w.out, grid_paged_path(of, 4), x->C->type, w.rows, grid_axis_span(&w.axes[1]));
  TRY(grid_agree(&x->C->head, info));
  TRY(run_all(&w));
  grid_pages_complete(w.out);
  info = grid_paged_adopt(x->C, w.out, w.is_hypersparse ? w.axes : NULL, info);
  w.out = NULL;
  w.axes[0].ids = w.axes[1].ids = NULL;
  if (info == GrB_SUCCESS) x->C->properties.symmetric = x->symmetric;
done:
  grid_pages_free(w.out);
  grid_free(w.bound);
  for (int k = 0; k < 2; k++) grid_free(w.axes[k].ids);
  GrB_Matrix_free(&w.temp_A);
  GrB_Matrix_free(&w.temp_B);
  return info;
}

/* ---- a second operand ---- */

/* The range of B's rows, by number, that columns of A's panels, on any process, refer to. */
static GrB_Info find_rows(uint64_t *first, uint64_t *end, GrB_Matrix B, GrB_Matrix A) {
  const uint64_t n = A->ncols;
  const int P = grid_ctx.P;
  GrB_Info info = GrB_SUCCESS;
  uint64_t *bounds =
      grid_calloc(2 * (size_t)P, sizeof *bounds); /* end, and distance of the first from the chunk's end */
  TRY(grid_agree(&A->head, bounds ? info : grid_fail_memory(NULL, "bounds of rows", 2 * (size_t)P, 8)));
  const grid_local_matrix *p = &A->block;
  for (uint64_t e = 0; e < p->nvals; e++) {
    uint64_t at;
    const int k = grid_owner(n, grid_global_col(n, grid_axis_id(&p->col, p->by_row.idx[e])), &at);
    const uint64_t capacity = grid_chunk_length(n, k);
    if (at + 1 > bounds[2 * k]) bounds[2 * k] = at + 1;
    if (capacity - at > bounds[2 * k + 1]) bounds[2 * k + 1] = capacity - at;
  }
  TRY(grid_ctx.transport->allreduce(GRID_SET_ALL, bounds, 2 * (size_t)P, GRID_MAX));
  *first = *end = 0;
  if (grid_ctx.C > 1) {
    *end = local_rows(B); /* a block has rows of several chunks */
  } else if (bounds[2 * grid_ctx.k]) {
    *first = grid_axis_bound(&B->block.row, grid_chunk_length(n, grid_ctx.k) - bounds[2 * grid_ctx.k + 1]);
    *end = grid_axis_bound(&B->block.row, bounds[2 * grid_ctx.k]);
  }
done:
  grid_free(bounds);
  return info;
}

/* *end becomes the number of the first row at which a panel of a process of the grid row ends: their panels
 * have whole rows together. Blocks in memory may list other rows. */
static GrB_Info agree_on_end(uint64_t *end, const grid_axis *axis) {
  uint64_t row = row_at(axis, *end);
  if (grid_ctx.C == 1) return GrB_SUCCESS;
  const GrB_Info info = grid_ctx.transport->allreduce(GRID_SET_ROW, &row, 1, GRID_MIN);
  *end = axis->ids ? grid_axis_bound(axis, row) : row;
  return info;
}

GrB_Info grid_slices_of(GrB_Matrix B, GrB_Matrix A, bool transposed, uint64_t most, grid_slice_visit *visit,
                        void *context) {
  const grid_axis *axis = &B->block.row;
  uint64_t row = 0, rows;
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_matrix_require(B, GRID_OUTOFCORE_HYPERSPARSE | GRID_HOST));
  rows = local_rows(B);
  if (A && !transposed) TRY(find_rows(&row, &rows, B, A));
  for (uint64_t end;; row = end) {
    GrB_Matrix slice = NULL;
    uint64_t left = rows - row;
    TRY(grid_agree_sum(&B->head, info, &left, 1));
    if (left == 0) break;
    const uint64_t share = grid_slice_bytes(SHARE_SECOND * grid_ctx.P);
    uint64_t bytes = 0;
    for (end = row; end < rows; end++) {
      bytes += bytes_read(&B, 1, axis, end);
      if (bytes > (share < most ? share : most) && end > row) break;
    }
    TRY(agree_on_end(&end, axis));
    TRY(grid_slice_make(&slice, B, row_at(axis, row), row_at(axis, end)));
    info = visit(context, slice);
    GrB_Matrix_free(&slice);
    TRY(info);
  }
done:
  return info;
}
