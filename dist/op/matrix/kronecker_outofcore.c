/* See kronecker_outofcore.h. The result is made by groups of rows (dist/outofcore/operations). A group
 * consists of rows from one row of A and several of B, or of all rows from several rows of A and all of B. In
 * either case it is the product of rows of A and rows of B, and only these are fetched from their owners.
 * They are no larger than the group, since rows without products are not fetched. */
#include "dist/op/matrix/kronecker_outofcore.h"

#include <string.h>

#include "dist/matrix/storage/matrix_outofcore.h"
#include "dist/matrix/transfer/matrix_route.h"
#include "dist/outofcore/operations/outofcore_run.h"
#include "spmat/cpu/matrix/lmat_tuples.h"

typedef struct {
  const grid_kronecker *x;
  GrB_Matrix A, B;       /* transposed as the descriptor says */
  uint32_t *of_a, *of_b; /* lengths of all rows */
} product;

/* ---- rows of an operand, for the processes that request them ------------------------------------------- */

typedef struct {
  grid_pair *at;
  char *val;
  uint64_t n, capacity, *count; /* all; for each process */
} send_buffers;

static void send_buffers_free(send_buffers *o) {
  grid_free(o->at);
  grid_free(o->val);
  grid_free(o->count);
}

static GrB_Info reserve_capacity(send_buffers *o, uint64_t more, size_t size) {
  if (o->n + more <= o->capacity) return GrB_SUCCESS;
  const uint64_t capacity = o->n + more;
  grid_pair *at = grid_realloc(o->at, capacity, sizeof *at);
  if (at) o->at = at;
  char *val = grid_realloc(o->val, capacity, size);
  if (val) o->val = val;
  if (!at || !val) return grid_fail_memory(NULL, "entries to send", capacity, sizeof *at + size);
  o->capacity = capacity;
  return GrB_SUCCESS;
}

/* Rows first .. end of A's block. */
static GrB_Info pack_rows(send_buffers *o, GrB_Matrix A, uint64_t first, uint64_t end) {
  grid_local_matrix p;
  uint64_t *row = NULL, *col = NULL;
  grid_lmat_init(&p, A->type, A->block.row.dim, A->block.col.dim);
  GrB_Info info = grid_slice_lmat(&p, A, first, end);
  const uint64_t n = p.nvals;
  if (info != GrB_SUCCESS || n == 0) goto done;
  grid_index_map rows = grid_block_row_map(A), cols = grid_block_col_map(A);
  rows.axis = &p.row, cols.axis = &p.col;
  row = grid_malloc(n, sizeof *row), col = grid_malloc(n, sizeof *col);
  if (!row || !col) TRY(grid_fail_memory(NULL, "entries to send", n, 2 * sizeof *row));
  TRY(reserve_capacity(o, n, A->type->size));
  grid_lmat_to_tuples(row, col, o->val + o->n * A->type->size, A->type, &p, &rows, &cols);
  for (uint64_t e = 0; e < n; e++) o->at[o->n + e] = (grid_pair){row[e], col[e]};
  o->n += n;
done:
  grid_free(row);
  grid_free(col);
  grid_lmat_free(&p);
  return info;
}

/* Of the chunk that the block has rows of as its s-th those from first .. end of the matrix. */
static GrB_Info pack_chunk(send_buffers *o, GrB_Matrix A, int s, uint64_t first, uint64_t end) {
  const int k = grid_block_chunk(true, s);
  const uint64_t begin = grid_chunk_first(A->nrows, k), last = grid_chunk_first(A->nrows, k + 1),
                 block_offset = grid_block_offset(A->nrows, true, s), from = first > begin ? first : begin,
                 to = end < last ? end : last;
  return from < to ? pack_rows(o, A, block_offset + from - begin, block_offset + to - begin) : GrB_SUCCESS;
}

/* Has this process's block columns of A whose entries, each standing for `across` columns of C (0: again and
 * again), come to process k's? */
static bool overlaps(GrB_Matrix A, GrB_Matrix C, uint64_t across, int k) {
  const int R = grid_ctx.R;
  if (across == 0 || grid_ctx.C == 1) return true;
  const uint64_t first = grid_chunk_first(A->ncols, grid_ctx.j * R),
                 end = grid_chunk_first(A->ncols, (grid_ctx.j + 1) * R);
  return first * across < grid_chunk_first(C->ncols, (k / R + 1) * R) &&
         grid_chunk_first(C->ncols, k / R * R) < end * across;
}

/* wanted: for each process the first row of A that it wants, and the end. */
static GrB_Info pack(send_buffers *o, GrB_Matrix A, GrB_Matrix C, uint64_t across, const uint64_t *wanted) {
  GrB_Info info = GrB_SUCCESS;
  o->count = grid_calloc((size_t)grid_ctx.P, sizeof *o->count);
  if (!o->count) return grid_fail_memory(NULL, "entries to send", (uint64_t)grid_ctx.P, sizeof *o->count);
  for (int k = 0; k < grid_ctx.P; k++) {
    const uint64_t before = o->n;
    for (int s = 0; s < grid_ctx.C && overlaps(A, C, across, k); s++)
      TRY(pack_chunk(o, A, s, wanted[2 * k], wanted[2 * k + 1]));
    o->count[k] = o->n - before;
  }
done:
  return info;
}

/* *one = the value that all entries have, if that is so. */
static GrB_Info find_iso_value(GrB_Matrix A, void *one, bool *iso) {
  const void *value = A->pages ? A->pages->one : A->block.iso ? A->block.iso_val : NULL;
  if (value) memcpy(one, value, A->type->size);
  return grid_agree_on_iso_value(NULL, GrB_SUCCESS, A->block.nvals > 0, value, A->type->size, one, iso);
}

/* On several processes: p gets rows first .. end of A, as far as they have to do with the local block of C;
 * it has A's dimensions. */
static GrB_Info fetch_rows(grid_local_matrix *p, GrB_Matrix A, GrB_Matrix C, uint64_t across, uint64_t first,
                           uint64_t end) {
  const size_t size = A->type->size, P = (size_t)grid_ctx.P;
  uint64_t *wanted = grid_calloc(2 * P, sizeof *wanted), n = 0;
  char *one = grid_calloc(1, size);
  void *at = NULL, *val = NULL;
  send_buffers o = {0};
  bool iso;
  grid_pair bad;
  GrB_Info info = GrB_SUCCESS;
  if (!wanted || !one) info = grid_fail_memory(NULL, "rows to send", 2 * P, sizeof *wanted);
  TRY(grid_agree(&A->head, info));
  wanted[2 * grid_ctx.k] = first, wanted[2 * grid_ctx.k + 1] = end;
  TRY(grid_ctx.transport->allreduce(GRID_SET_ALL, wanted, 2 * P, GRID_MAX));
  TRY(grid_agree(&A->head, pack(&o, A, C, across, wanted)));
  TRY(find_iso_value(A, one, &iso));
  TRY(grid_exchange_elements(o.at, o.count, sizeof *o.at, &at, &n));
  if (!iso) TRY(grid_exchange_elements(o.val, o.count, size, &val, &n));
  grid_lmat_init(p, A->type, A->nrows, A->ncols);
  info = grid_lmat_build(p, at, true, n, val, one, (grid_duplicates){.newest_wins = true}, &bad);
  at = NULL;
  info = grid_agree(&A->head, info);
done:
  grid_free(wanted);
  grid_free(one);
  send_buffers_free(&o);
  grid_free(at);
  grid_free(val);
  return info;
}

static GrB_Info gather_rows(grid_local_matrix *p, GrB_Matrix A, GrB_Matrix C, uint64_t across, uint64_t first,
                            uint64_t end) {
  if (grid_ctx.P > 1) return fetch_rows(p, A, C, across, first, end);
  grid_lmat_init(p, A->type, A->block.row.dim, A->block.col.dim);
  return grid_slice_lmat(p, A, first, end);
}

/* ---- rows of the result -------------------------------------------------------------------------------- */

/* Rows g .. end of C are the product of these rows of A and B. */
typedef struct {
  uint64_t a, a_end, b, b_end;
} origin;

static uint64_t sum(const uint32_t *length, uint64_t first, uint64_t end) {
  uint64_t n = 0;
  for (uint64_t r = first; r < end; r++) n += length[r];
  return n;
}

static origin origin_of(const product *y, uint64_t g, uint64_t end) {
  const uint64_t b_rows = y->B->nrows;
  if (g >= end) return (origin){0};
  origin o = {.a = g / b_rows, .a_end = (end - 1) / b_rows + 1, .b_end = b_rows};
  if (o.a_end == o.a + 1) o.b = g % b_rows, o.b_end = (end - 1) % b_rows + 1;
  if (sum(y->of_a, o.a, o.a_end) == 0 || sum(y->of_b, o.b, o.b_end) == 0) return (origin){0};
  return o;
}

/* Where row r of the local block is in C; *end: that of the rows of the block that follow it there. False:
 * the block only has room for such rows. */
static bool position_of(const product *y, uint64_t r, uint64_t *g, uint64_t *end) {
  const uint64_t n = y->x->C->nrows;
  int s = 0;
  while (s + 1 < grid_ctx.C && grid_block_offset(n, true, s + 1) <= r) s++;
  const int k = grid_block_chunk(true, s);
  const uint64_t at = r - grid_block_offset(n, true, s);
  const bool is_row = at < grid_chunk_length(n, k);
  *g = grid_chunk_first(n, k) + at;
  *end = is_row ? r - at + grid_chunk_length(n, k)
         : s + 1 < grid_ctx.C
             ? grid_block_offset(n, true, s + 1)
             : y->x->C->block.row.dim; /* of uneven partitions it may have more than all chunks */
  return is_row;
}

static uint64_t rows_fitting(void *context, uint64_t row, uint64_t end) {
  const product *y = context;
  const uint64_t b_rows = y->B->nrows;
  uint64_t g, last;
  const bool is_row = position_of(y, row, &g, &last);
  if (last < end) end = last;
  if (!is_row) return end;
  last = g + (end - row);
  if (g / b_rows == (last - 1) / b_rows) return end;  /* of one row of A */
  if (g % b_rows) return row + (b_rows - g % b_rows); /* ... up to its end */
  return row + ((last / b_rows) * b_rows - g);        /* of several rows of A */
}

/* Bytes for row r of the result: its entries, the fetched rows, and these as tuples on their owners, which
 * may send them to all processes. */
static uint64_t bytes_of_row(void *context, uint64_t r) {
  const product *y = context;
  const uint64_t b_rows = y->B->nrows;
  uint64_t g, end;
  if (!position_of(y, r, &g, &end)) return 0;
  const uint64_t na = y->of_a[g / b_rows], nb = y->of_b[g % b_rows],
                 copies = grid_ctx.P > 1 ? (uint64_t)grid_ctx.P + 2 : 1;
  if (na == 0 || nb == 0) return 0;
  return na * nb * (sizeof(uint32_t) + y->x->op->z->size) +
         copies * (nb * (sizeof(grid_pair) + y->B->type->size) +
                   (g % b_rows ? 0 : na * (sizeof(grid_pair) + y->A->type->size)));
}

grid_kron_block grid_kronecker_block(GrB_Matrix C) {
  const grid_partition *partition = grid_partition_of(C->nrows);
  return (grid_kron_block){.q = grid_even_size(C->nrows),
                           .chunks = (uint64_t)grid_ctx.P,
                           .first = partition ? partition->first : NULL,
                           .block_offset = partition ? partition->row : NULL,
                           .R = (uint64_t)grid_ctx.R,
                           .i = (uint64_t)grid_ctx.i,
                           .base = grid_global_col(C->ncols, 0),
                           .cols = grid_block_offset(C->ncols, false, grid_ctx.R)};
}

static GrB_Info multiply_slice(void *context, const grid_slices *s) {
  const product *y = context;
  const grid_kronecker *x = y->x;
  uint64_t first, end;
  const bool has_row = s->row < s->end && position_of(y, s->row, &first, &end);
  const origin o = has_row ? origin_of(y, first, first + (s->end - s->row)) : (origin){0};
  const grid_kron_block block = grid_kronecker_block(x->C);
  grid_local_matrix a = {0}, b = {0}, t;
  GrB_Info info = GrB_SUCCESS;
  grid_lmat_init(&t, x->op->z, s->C->block.row.dim, s->C->block.col.dim);
  TRY(gather_rows(&a, y->A, x->C, y->B->ncols, o.a, o.a_end));
  TRY(gather_rows(&b, y->B, x->C, 0, o.b, o.b_end));
  info = grid_cpu_lmat_kron(&t, &a, &b, y->B->nrows, y->B->ncols, x->op, &block);
done:
  if (a.type) grid_lmat_free(&a);
  if (b.type) grid_lmat_free(&b);
  return grid_finish_matrix(s->C, s->mask, x->accum, x->d, &t, false, info);
}

/* ---- the operation ------------------------------------------------------------------------------------- */

/* Lengths of all rows of A, which is paged or has its rows. */
static GrB_Info find_lengths(uint32_t **length, GrB_Matrix A) {
  const uint64_t n = grid_chunk_length(A->nrows, grid_ctx.k), rows = A->block.row.dim,
                 q = grid_local_padded_size(A->nrows);
  uint32_t *local_lengths = grid_calloc(rows, sizeof *local_lengths),
           *row_lengths = grid_calloc(q, sizeof *row_lengths);
  *length = grid_malloc(A->nrows, sizeof **length);
  GrB_Info info = local_lengths && row_lengths && *length
                      ? GrB_SUCCESS
                      : grid_fail_memory(NULL, "lengths of rows", A->nrows, sizeof *row_lengths);
  TRY(grid_agree(&A->head, info));
  for (uint64_t r = 0; r < rows; r++) local_lengths[r] = (uint32_t)grid_row_entries(A, r);
  if (grid_ctx.C > 1) TRY(grid_degrees_sum_rows(A, local_lengths, row_lengths));
  info = grid_gather_into(grid_ctx.C > 1 ? row_lengths : local_lengths, n, sizeof *row_lengths, *length);
done:
  grid_free(local_lengths);
  grid_free(row_lengths);
  return info;
}

/* *M = A with its rows there, or its transpose, which is then *owned. */
static GrB_Info prepare(GrB_Matrix *M, GrB_Matrix *owned, uint32_t **length, GrB_Matrix A, bool transposed,
                        const char *call) {
  GrB_Info info = GrB_SUCCESS;
  *M = A;
  if (transposed && !A->properties.symmetric) {
    TRY(grid_transpose_pages(owned, A, call));
    *M = *owned;
  }
  TRY(grid_matrix_require_host(*M, GRID_OUTOFCORE, call));
  info = find_lengths(length, *M);
done:
  return info;
}

/* Bytes of this process's share of the product. */
static uint64_t result_bytes(const grid_kronecker *x) {
  uint64_t n, bytes;
  if (__builtin_mul_overflow(x->A->nvals, x->B->nvals, &n) ||
      __builtin_mul_overflow(n, sizeof(uint32_t) + x->op->z->size, &bytes))
    return UINT64_MAX / 2;
  return bytes / (uint64_t)grid_ctx.P;
}

GrB_Info grid_kronecker_out_of_core(const grid_kronecker *x, bool *needed) {
  product y = {.x = x};
  GrB_Matrix owned_A = NULL, owned_B = NULL;
  GrB_Info info = GrB_SUCCESS;
  const grid_out_of_core all = {.C = x->C,
                                .mask = x->mask,
                                .A = x->A,
                                .B = x->B,
                                .accum = x->accum,
                                .d = x->d,
                                .is_a_replicated = true,
                                .is_b_replicated = true,
                                .bytes = bytes_of_row,
                                .made = result_bytes(x),
                                .rows_fitting = rows_fitting,
                                .run = multiply_slice,
                                .context = &y};
  TRY(grid_out_of_core_needed(&all, needed));
  if (!*needed) return info;
  if (grid_out_of_core_is_hypersparse(&all)) return GRID_UNSUPPORTED;
  TRY(prepare(&y.A, &owned_A, &y.of_a, x->A, x->d->tran0, x->call));
  TRY(prepare(&y.B, &owned_B, &y.of_b, x->B, x->d->tran1, x->call));
  info = grid_out_of_core_run(&all);
done:
  grid_free(y.of_a);
  grid_free(y.of_b);
  GrB_Matrix_free(&owned_A);
  GrB_Matrix_free(&owned_B);
  return info;
}
