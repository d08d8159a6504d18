/* See kronecker_operands.h. */
#include "dist/op/matrix/kronecker_operands.h"

#include <string.h>

#include "dist/matrix/transfer/matrix_gather.h"
#include "dist/matrix/transfer/matrix_route.h"
#include "spmat/lmat_ops.h"

/* Marks the grid rows (or grid columns) whose blocks hold one of C's n intervals of `length` indices, which
 * begin at first, first + step, ...; of many intervals, which reach nearly all, all are marked. */
static void mark_owners(bool *owner, uint64_t dim, bool rows, uint64_t first, uint64_t length, uint64_t step,
                        uint64_t n) {
  const int owners = rows ? grid_ctx.R : grid_ctx.C;
  const uint64_t most = 4 * (uint64_t)owners;
  memset(owner, n > most, (size_t)owners * sizeof *owner);
  for (uint64_t k = 0; k < n && n <= most; k++) {
    const int from = grid_chunk_of(dim, first + k * step),
              to = grid_chunk_of(dim, first + k * step + length - 1);
    for (int c = from; c <= to; c++) owner[rows ? c % grid_ctx.R : c / grid_ctx.R] = true;
  }
}

/* The entries to send, grouped by process. */
typedef struct {
  uint64_t *count, *next; /* for each process: its entries; where the next one is stored */
  grid_pair *at;          /* NULL: entries are only counted */
  char *val;
} send_buffers;

/* Stores, or counts, each entry of x's block for every process whose block of C it contributes to. An entry
 * of the first factor (left) contributes to one contiguous block of C, as large as `other`; an entry of the
 * second factor to one entry of each such block. */
static void bin_entries(send_buffers *o, const grid_kron_operand *x, GrB_Matrix C,
                        const grid_kron_operand *other, bool left, bool *row_owner, bool *col_owner) {
  const grid_index_map rows = grid_block_row_map(x->A), cols = grid_block_col_map(x->A);
  const grid_local_matrix *p = &x->A->block;
  const size_t size = p->type->size;
  for (uint64_t r = 0; r < p->row.n; r++)
    for (uint64_t e = grid_vector_start(&p->by_row, r); e < grid_vector_start(&p->by_row, r + 1); e++) {
      const uint64_t a = grid_index_map_at(&rows, r), b = grid_index_map_at(&cols, p->by_row.idx[e]);
      const grid_pair at = x->flip ? (grid_pair){b, a} : (grid_pair){a, b};
      if (left) {
        mark_owners(row_owner, C->nrows, true, at.r * other->rows, other->rows, 1, 1);
        mark_owners(col_owner, C->ncols, false, at.c * other->cols, other->cols, 1, 1);
      } else {
        mark_owners(row_owner, C->nrows, true, at.r, 1, x->rows, other->rows);
        mark_owners(col_owner, C->ncols, false, at.c, 1, x->cols, other->cols);
      }
      for (int k = 0; k < grid_ctx.P; k++) {
        if (!row_owner[k % grid_ctx.R] || !col_owner[k / grid_ctx.R]) continue;
        const uint64_t to = o->next[k]++;
        if (!o->at) continue;
        o->at[to] = at;
        memcpy(o->val + to * size, grid_lmat_value(p, e), size);
      }
    }
}

static void begin_segments(send_buffers *o) {
  uint64_t sum = 0;
  for (int k = 0; k < grid_ctx.P; k++) {
    o->count[k] = o->next[k];
    o->next[k] = sum;
    sum += o->count[k];
  }
}

static GrB_Info pack(send_buffers *o, const grid_kron_operand *x, GrB_Matrix C,
                     const grid_kron_operand *other, bool left) {
  const size_t P = (size_t)grid_ctx.P, size = x->A->type->size;
  bool *owner = grid_calloc(2 * P, sizeof *owner); /* of rows, then of columns */
  GrB_Info info = GrB_SUCCESS;
  uint64_t n = 0;
  o->count = grid_calloc(2 * P, sizeof *o->count);
  if (!owner || !o->count) TRY(grid_fail_memory(NULL, "entries to send", P, sizeof *o->count));
  o->next = o->count + P;
  bin_entries(o, x, C, other, left, owner, owner + P);
  begin_segments(o);
  for (size_t k = 0; k < P; k++) n += o->count[k];
  o->at = grid_malloc(n, sizeof *o->at);
  o->val = grid_malloc(n, size);
  if (!o->at || !o->val) TRY(grid_fail_memory(NULL, "entries to send", n, sizeof *o->at + size));
  bin_entries(o, x, C, other, left, owner, owner + P);
done:
  grid_free(owner);
  return info;
}

GrB_Info grid_kron_fetch_factor(grid_kron_operand *x, GrB_Matrix C, const grid_kron_operand *other,
                                bool left) {
  send_buffers o = {0};
  grid_array_exchange sent[2] = {{0}};
  grid_pair bad;
  bool iso = false;
  const grid_local_matrix *p = &x->A->block;
  const size_t size = p->type->size;
  char *one = grid_calloc(1, size);
  GrB_Info info = one ? pack(&o, x, C, other, left) : grid_fail_memory(NULL, "a value", 1, size);
  if (one && p->iso) memcpy(one, p->iso_val, size);
  TRY(grid_agree_on_iso_value(&C->head, info, p->nvals > 0, p->iso, size, one, &iso));
  sent[0] = (grid_array_exchange){o.at, o.count, sizeof *o.at};
  sent[1] = (grid_array_exchange){o.val, o.count, size};
  TRY(grid_exchange_arrays(sent, iso ? 1 : 2));
  grid_lmat_init(&x->owned, p->type, x->rows, x->cols);
  info = grid_lmat_build(&x->owned, sent[0].recv, true, sent[0].n, sent[1].recv, one,
                         (grid_duplicates){.newest_wins = true}, &bad);
  sent[0].recv = NULL;
  info = grid_agree(&C->head, info);
  x->lmat = &x->owned;
done:
  grid_free(one);
  grid_free(o.count);
  grid_free(o.at);
  grid_free(o.val);
  grid_free(sent[0].recv);
  grid_free(sent[1].recv);
  return info;
}

GrB_Info grid_kron_fetch_operand(grid_kron_operand *x, GrB_Matrix C, bool is_last, const char *call) {
  const bool symmetric = x->A->properties.symmetric,
             shares = is_last && !grid_axis_has_ids64(&C->block.col); /* else the product may copy x's rows */
  grid_replicated_matrix w = {0};
  GrB_Info info = shares ? grid_matrix_view(&w, x->A, true, call) : grid_matrix_replicate(&w, x->A, call);
  TRY(info);
  if (x->flip && !symmetric) {
    info = grid_agree(&C->head, grid_cpu_lmat_transpose(w.p, false, &x->owned));
  } else {
    x->owned = w.made, x->borrowed = w.borrowed;
    w.made = (grid_local_matrix){0};
  }
  x->lmat = &x->owned;
done:
  grid_replicated_matrix_free(&w);
  return info;
}

void grid_kron_operand_free(grid_kron_operand *x) {
  if (x->borrowed) x->owned.by_row = (grid_compressed){0};
  grid_lmat_free(&x->owned);
}

GrB_Info grid_kron_gather_operand(grid_kron_operand *x) {
  x->lmat = &x->A->block;
  if (!x->flip) return GrB_SUCCESS;
  x->lmat = &x->owned;
  return grid_lmat_transpose(&x->A->block, x->A->properties.symmetric, &x->owned);
}
