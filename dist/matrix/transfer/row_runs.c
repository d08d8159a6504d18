/* See row_runs.h. If runs arrive in order of rows, the received arrays are the rows of the result. */
#include "dist/matrix/transfer/row_runs.h"

#include <string.h>

#include "dist/matrix/transfer/matrix_route.h"
#include "spmat/convert/lmat_format.h"
#include "spmat/cpu/rows/row_sort.h"
#include "spmat/vector/bitmap_words.h"

void grid_outgoing_rows_free(grid_outgoing_rows *x) {
  grid_free(x->row_home);
  grid_free(x->row_to);
  grid_free(x->col_home);
  grid_free(x->col_to);
  grid_free(x->runs);
  grid_free(x->run);
  grid_free(x->idx);
  grid_free(x->val);
}

void grid_incoming_rows_free(grid_incoming_rows *x) {
  grid_free(x->run);
  grid_free(x->idx);
  grid_free(x->val);
  grid_free(x->at);
}

GrB_Info grid_exchange_rows(const grid_outgoing_rows *s, grid_incoming_rows *x) {
  grid_array_exchange a[] = {{s->run, s->runs, sizeof *s->run},
                             {s->idx ? s->idx : s->p->by_row.idx, s->entries, sizeof *s->idx},
                             {s->val ? s->val : s->p->by_row.val, s->entries, s->size}};
  const GrB_Info info = grid_exchange_arrays(a, s->size ? 3 : 2);
  x->size = s->size;
  x->run = a[0].recv, x->runs = a[0].n;
  x->idx = a[1].recv, x->n = a[1].n;
  x->val = a[2].recv;
  return info;
}

/* Offsets of t's rows, and destinations of runs that are not in order of rows. */
static GrB_Info find_starts(grid_local_matrix *t, grid_incoming_rows *x) {
  const uint64_t rows = t->row.dim;
  grid_offsets o;
  const bool made = grid_offsets_make(&o, rows + 1, x->n);
  uint64_t *next = grid_calloc(rows + 1, sizeof *next), at = 0;
  bool ordered = true;
  t->by_row.ptr = o.offsets32, t->by_row.offsets64 = o.offsets64;
  if (!made || !next) goto no_memory;
  for (uint64_t k = 0; k < x->runs; k++) {
    next[x->run[k].row] += x->run[k].n;
    ordered &= k == 0 || x->run[k - 1].row < x->run[k].row;
  }
  for (uint64_t r = 0; r < rows; r++) {
    const uint64_t n = next[r];
    grid_offset_set(o, r, at);
    next[r] = at;
    at += n;
  }
  grid_offset_set(o, rows, at);
  if (!ordered) {
    x->at = grid_malloc(x->runs, sizeof *x->at);
    if (!x->at) goto no_memory;
    for (uint64_t k = 0; k < x->runs; k++) {
      const uint64_t row = x->run[k].row;
      x->repeated |= next[row] != grid_offset(o, row);
      x->at[k] = next[row];
      next[row] += x->run[k].n;
    }
  }
  grid_free(next);
  return GrB_SUCCESS;
no_memory:
  grid_free(next);
  return grid_fail_memory(NULL, "rows of a matrix", rows + 1, sizeof *next);
}

/* Moves runs k .. end - 1, whose entries begin at `from`. */
static void move_runs(grid_local_matrix *t, const grid_incoming_rows *x, uint64_t k, uint64_t end,
                      uint64_t from) {
  char *val = t->by_row.val;
  for (; k < end; k++) {
    const uint64_t n = x->run[k].n;
    memcpy(t->by_row.idx + x->at[k], x->idx + from, n * sizeof *x->idx);
    if (x->size) memcpy(val + x->at[k] * x->size, x->val + from * x->size, n * x->size);
    from += n;
  }
}

static GrB_Info merge_in_order(grid_local_matrix *t, grid_incoming_rows *x) {
  enum { STRETCH = 1 << 10 };
  uint64_t *from = grid_malloc(x->runs / STRETCH + 1, sizeof *from), at = 0;
  t->by_row.idx = grid_malloc(x->n, sizeof *x->idx);
  t->by_row.val = x->size ? grid_malloc(x->n, x->size) : NULL;
  if (!from || !t->by_row.idx || (x->size && !t->by_row.val)) {
    grid_free(from);
    return grid_fail_memory(NULL, "rows of a matrix", x->n, sizeof *x->idx + x->size);
  }
  for (uint64_t k = 0; k < x->runs; k++) {
    if (k % STRETCH == 0) from[k / STRETCH] = at;
    at += x->run[k].n;
  }
#pragma omp parallel for schedule(dynamic, 1) if (x->n > 1 << 15)
  for (uint64_t k = 0; k < x->runs; k += STRETCH)
    move_runs(t, x, k, x->runs - k < STRETCH ? x->runs : k + STRETCH, from[k / STRETCH]);
  grid_free(from);
  return GrB_SUCCESS;
}

/* ---- rows whose columns do not ascend ---- */

/* Compacts rows that became shorter: row r has left[r] entries. */
static void compact_rows(grid_local_matrix *t, const uint64_t *left, size_t size) {
  const grid_offsets o = grid_vector_starts(&t->by_row);
  uint32_t *idx = t->by_row.idx;
  char *val = t->by_row.val;
  uint64_t at = 0;
  for (uint64_t r = 0; r < t->row.dim; r++) {
    const uint64_t from = grid_offset(o, r);
    memmove(idx + at, idx + from, left[r] * sizeof *idx);
    if (size) memmove(val + at * size, val + from * size, left[r] * size);
    grid_offset_set(o, r, at);
    at += left[r];
  }
  grid_offset_set(o, t->row.dim, at);
  t->nvals = at;
}

static GrB_Info sort_rows(grid_local_matrix *t, size_t size) {
  const grid_compressed *c = &t->by_row;
  const uint64_t rows = t->row.dim, threads = t->nvals > 1 << 15 ? (uint64_t)grid_ctx.threads : 1;
  uint64_t longest = 0, lost = 0, *left = grid_malloc(rows, sizeof *left);
  for (uint64_t r = 0; r < rows; r++) {
    const uint64_t n = grid_vector_start(c, r + 1) - grid_vector_start(c, r);
    longest = n > longest ? n : longest;
  }
  const size_t thread_bytes = grid_row_sort_workspace(longest, size) + 64;
  char *buffer = grid_malloc(threads, thread_bytes);
  GrB_Info info = GrB_SUCCESS;
  if (!left || !buffer) TRY(grid_fail_memory(NULL, "rows to sort", longest, 16 + size));
#pragma omp parallel for num_threads((int)threads) schedule(dynamic, 256) reduction(+ : lost) if (threads > 1)
  for (uint64_t r = 0; r < rows; r++) {
    const uint64_t from = grid_vector_start(c, r), n = grid_vector_start(c, r + 1) - from;
    char *workspace = buffer + grid_thread() * thread_bytes / 8 * 8;
    left[r] =
        grid_row_sort(c->idx + from, size ? (char *)c->val + from * size : NULL, n, size, longest, workspace);
    lost += n - left[r];
  }
  if (lost) compact_rows(t, left, size);
done:
  grid_free(left);
  grid_free(buffer);
  return info;
}

/* ---- all of it ---- */

GrB_Info grid_receive_rows(grid_local_matrix *t, grid_incoming_rows *x, bool unordered, bool plain,
                           const void *one) {
  GrB_Info info;
  t->row.n = t->row.dim, t->col.n = t->col.dim, t->nvals = x->n;
  TRY(find_starts(t, x));
  if (x->at) {
    TRY(merge_in_order(t, x));
  } else {
    t->by_row.idx = x->idx, t->by_row.val = x->val;
    x->idx = NULL, x->val = NULL;
  }
  if (unordered || (x->repeated && !x->sorted)) TRY(sort_rows(t, x->size));
  if (one) TRY(grid_lmat_set_iso(t, one));
  if (!plain) TRY(grid_lmat_choose_format(t));
done:
  return info;
}
