/* Routing of entries as runs of rows (row_runs.h), without sorting tuples. On a grid of one column, where
 * rows go to their owners in order and columns keep their indices, the local matrix's own arrays are sent. */
#include <string.h>

#include "dist/matrix/transfer/matrix_route.h"
#include "dist/matrix/transfer/row_runs.h"
#include "spmat/vector/bound_operator.h"
#include "semiring/threads/context_section.h"

/* ---- where entries go ---- */

/* Finds the owner of index v of `dim`; consecutive calls are mostly in one chunk. */
typedef struct {
  uint64_t dim, first, n, block_offset; /* the chunk found last, and its offset in its block */
  bool rows, by_owner;
  uint32_t home; /* row (column) of the grid; by_owner: the process that owns the chunk, without offset */
} owner_finder;

static inline uint64_t find_position(owner_finder *x, uint64_t v) {
  if (v - x->first >= x->n) {
    const int chunk = grid_chunk_of(x->dim, v);
    x->first = grid_chunk_first(x->dim, chunk), x->n = grid_chunk_length(x->dim, chunk);
    x->block_offset = x->by_owner ? 0 : grid_chunk_offset(x->dim, x->rows, chunk);
    x->home = (uint32_t)(x->by_owner ? chunk : x->rows ? chunk % grid_ctx.R : chunk / grid_ctx.R);
  }
  return x->block_offset + (v - x->first);
}

static GrB_Info map_rows(grid_outgoing_rows *x, uint64_t dim, const grid_index_map *rows, bool by_owner) {
  const uint64_t n = x->p->nvals ? x->p->row.n : 0;
  x->row_home = grid_malloc(n, sizeof *x->row_home);
  x->row_to = grid_malloc(n, sizeof *x->row_to);
  if (!x->row_home || !x->row_to)
    return grid_fail_memory(NULL, "destinations of rows", n, 2 * sizeof *x->row_to);
  owner_finder f = {.dim = dim, .rows = true, .by_owner = by_owner};
  x->rows_ascend = true;
  for (uint64_t k = 0; k < n; k++) {
    const uint64_t global_index = grid_index_map_at(rows, k);
    x->row_to[k] = global_index >= dim ? 0 : (uint32_t)find_position(&f, global_index);
    x->row_home[k] = f.home; /* no destination: grouped with those before, since it is empty */
    x->rows_ascend &= k == 0 || x->row_home[k - 1] <= x->row_home[k];
  }
  return GrB_SUCCESS;
}

static bool same_index(const grid_index_map *x) {
  return grid_ctx.C == 1 && !x->axis->ids && !x->table && x->q == 0 && x->base == 0;
}

static GrB_Info map_cols(grid_outgoing_rows *x, uint64_t dim, const grid_index_map *cols) {
  const uint64_t n = x->p->nvals ? x->p->col.n : 0;
  bool same = grid_ctx.C == 1;
  if (same_index(cols)) return GrB_SUCCESS;
  x->col_home = grid_malloc(n, sizeof *x->col_home);
  x->col_to = grid_malloc(n, sizeof *x->col_to);
  if (!x->col_home || !x->col_to)
    return grid_fail_memory(NULL, "places of columns", n, 2 * sizeof *x->col_to);
  owner_finder f = {.dim = dim};
  uint64_t before = 0;
  for (uint64_t k = 0; k < n; k++) {
    const uint64_t global_index = grid_index_map_at(cols, k);
    if (global_index == GRID_NO_TARGET) { /* no later column has a destination or entries */
      x->col_to[k] = x->col_home[k] = 0;
      continue;
    }
    x->col_to[k] = (uint32_t)find_position(&f, global_index);
    x->col_home[k] = f.home;
    x->unordered |= k > 0 && global_index <= before;
    same &= x->col_to[k] == k;
    before = global_index;
  }
  if (grid_ctx.C == 1) {
    grid_free(x->col_home);
    x->col_home = NULL;
  }
  if (same) {
    grid_free(x->col_to);
    x->col_to = NULL;
  }
  return GrB_SUCCESS;
}

/* Columns keep their global indices. */
static GrB_Info map_to_global_cols(grid_outgoing_rows *x, const grid_index_map *cols) {
  const uint64_t n = x->p->nvals ? x->p->col.n : 0;
  x->col_to = grid_malloc(n, sizeof *x->col_to);
  if (!x->col_to) return grid_fail_memory(NULL, "places of columns", n, sizeof *x->col_to);
  for (uint64_t k = 0; k < n; k++) x->col_to[k] = (uint32_t)grid_index_map_at(cols, k);
  return GrB_SUCCESS;
}

/* ---- what is sent ---- */

/* Are p's arrays in the order of their new owners? */
static bool is_sorted_by_owner(const grid_outgoing_rows *x) {
  return grid_ctx.C == 1 && !x->col_to && x->rows_ascend;
}

static void store_run(const grid_outgoing_rows *x, uint64_t row, uint64_t from, uint64_t end, uint64_t at,
                      uint64_t to) {
  const uint32_t *in = x->p->by_row.idx;
  x->run[at] = (grid_row_run){x->row_to[row], (uint32_t)(end - from)};
  if (!x->idx) return;
  if (x->col_to)
    for (uint64_t e = from; e < end; e++) x->idx[to + e - from] = x->col_to[in[e]];
  else
    memcpy(x->idx + to, in + from, (end - from) * sizeof *in);
  if (x->val)
    memcpy(x->val + to * x->size, (const char *)x->p->by_row.val + from * x->size, (end - from) * x->size);
}

/* Counts the runs of rows [row, end) and their entries for each process; write: stores them at the offsets
 * runs and entries, which advance. */
static void walk_runs(const grid_outgoing_rows *x, uint64_t row, uint64_t end, uint64_t *runs,
                      uint64_t *entries, bool write) {
  const grid_compressed *c = &x->p->by_row;
  const uint32_t *home = x->col_home, *idx = c->idx, R = (uint32_t)grid_ctx.R;
  for (; row < end; row++) {
    const uint64_t stop = grid_vector_start(c, row + 1);
    for (uint64_t e = grid_vector_start(c, row), next; e < stop; e = next) {
      const uint32_t j = home ? home[idx[e]] : 0, to = j * R + x->row_home[row];
      for (next = home ? e + 1 : stop; next < stop && home[idx[next]] == j;) next++;
      if (write) store_run(x, row, e, next, runs[to], entries[to]);
      runs[to]++;
      entries[to] += next - e;
    }
  }
}

/* First row of interval t of T. */
static uint64_t stretch_row(const grid_local_matrix *p, uint64_t t, uint64_t T) {
  return t == T || p->nvals == 0 ? p->row.n : t == 0 ? 0 : grid_row_of_entry(p, p->nvals * t / T);
}

/* Counts become offsets. */
static void stretch_offsets(grid_outgoing_rows *x, uint64_t *count, uint64_t T) {
  const uint64_t P = (uint64_t)grid_ctx.P;
  uint64_t runs = 0, entries = 0;
  for (uint64_t r = 0; r < P; r++) {
    const uint64_t first_run = runs, first = entries;
    for (uint64_t t = 0; t < T; t++) {
      uint64_t *of = count + 2 * P * t, run_count = of[r], entry_count = of[P + r];
      of[r] = runs, of[P + r] = entries;
      runs += run_count, entries += entry_count;
    }
    x->runs[r] = runs - first_run, x->entries[r] = entries - first;
  }
}

static GrB_Info load(grid_outgoing_rows *x) {
  const grid_local_matrix *p = x->p;
  const uint64_t P = (uint64_t)grid_ctx.P, T = p->nvals > 1 << 15 ? (uint64_t)grid_ctx.threads : 1;
  uint64_t *count = grid_calloc(T * 2 * P, sizeof *count), runs = 0;
  GrB_Info info = GrB_SUCCESS;
  x->runs = grid_calloc(2 * P, sizeof *x->runs);
  if (!count || !x->runs) TRY(grid_fail_memory(NULL, "runs of rows", T * 2 * P, sizeof *count));
  x->entries = x->runs + P;
  const uintptr_t context = grid_context_distance;
#pragma omp parallel for schedule(static, 1) if (T > 1)
  for (uint64_t t = 0; t < T; t++) {
    GRID_WORKER_SCOPE(context);
    walk_runs(x, stretch_row(p, t, T), stretch_row(p, t + 1, T), count + 2 * P * t, count + 2 * P * t + P,
              false);
  }
  stretch_offsets(x, count, T);
  for (uint64_t r = 0; r < P; r++) runs += x->runs[r];
  x->run = grid_malloc(runs, sizeof *x->run);
  if (!is_sorted_by_owner(x)) {
    x->idx = grid_malloc(p->nvals, sizeof *x->idx);
    x->val = x->size && !p->iso ? grid_malloc(p->nvals, x->size) : NULL;
    if (!x->idx || (x->size && !p->iso && !x->val))
      TRY(grid_fail_memory(NULL, "rows to send", p->nvals, sizeof *x->idx + x->size));
  }
  if (!x->run) TRY(grid_fail_memory(NULL, "runs of rows", runs, sizeof *x->run));
#pragma omp parallel for schedule(static, 1) if (T > 1)
  for (uint64_t t = 0; t < T; t++) {
    GRID_WORKER_SCOPE(context);
    walk_runs(x, stretch_row(p, t, T), stretch_row(p, t + 1, T), count + 2 * P * t, count + 2 * P * t + P,
              true);
  }
  if (x->size && p->iso) { /* entries of other processes have values */
    x->val = grid_malloc(p->nvals, x->size);
    if (!x->val) TRY(grid_fail_memory(NULL, "values to send", p->nvals, x->size));
    grid_value_fill(x->val, p->iso_val, x->size, p->nvals);
  }
done:
  grid_free(count);
  return info;
}

enum { ENTRIES, AXES, COUNTS }; /* of a process: numbers of entries, of rows and columns */

/* Rows have offsets and columns index maps whether they hold entries or not: tuples are cheaper if these
 * dominate. */
static bool is_profitable(GrB_Matrix like, const uint64_t *counts) {
  const uint64_t P = (uint64_t)grid_ctx.P, rows = grid_block_rows(like->nrows),
                 cols = grid_block_cols(like->ncols);
  uint64_t entries = 0, axes = 0;
  for (int r = 0; r < grid_ctx.P; r++)
    entries += counts[r * COUNTS + ENTRIES], axes += counts[r * COUNTS + AXES];
  const uint64_t most = 8 * entries / P + (1 << 14);
  return rows <= most && cols <= most && axes / P <= most && most < grid_tune.index32_max;
}

/* Rows go to the blocks of a matrix laid out as `like`, or by_owner: to the owners of the rows. */
static GrB_Info send(GrB_Matrix like, const grid_local_matrix *p, const grid_index_map *rows,
                     const grid_index_map *cols, bool by_owner, GrB_Info info, grid_local_matrix *to,
                     bool *routed) {
  grid_outgoing_rows s = {.p = p};
  grid_incoming_rows x = {.sorted = by_owner};
  bool iso;
  const size_t size = p->type->size, P = (size_t)grid_ctx.P;
  char *one = grid_calloc(1, size);
  uint64_t *counts = grid_malloc(P, COUNTS * sizeof *counts);
  *routed = false;
  if (info == GrB_SUCCESS && (!one || !counts))
    info = grid_fail_memory(NULL, "numbers of entries", P, COUNTS * sizeof *counts + size);
  if (info == GrB_SUCCESS && p->iso) memcpy(one, p->iso_val, size);
  TRY(grid_agree_on_entries(&like->head, info, (const uint64_t[]){p->nvals, p->row.n + p->col.n}, COUNTS,
                            p->iso, size, one, &iso, counts));
  *routed = counts && is_profitable(like, counts);
  if (!*routed) goto done;
  s.size = iso ? 0 : size;
  info = map_rows(&s, like->nrows, rows, by_owner);
  if (info == GrB_SUCCESS) info = by_owner ? map_to_global_cols(&s, cols) : map_cols(&s, like->ncols, cols);
  if (info == GrB_SUCCESS) info = load(&s);
  TRY(grid_agree_sum(&like->head, info, &s.unordered, 1));
  TRY(grid_exchange_rows(&s, &x));
  info = grid_receive_rows(to, &x, s.unordered > 0, false, iso ? one : NULL);
done:
  grid_free(one);
  grid_free(counts);
  grid_outgoing_rows_free(&s);
  grid_incoming_rows_free(&x);
  if (info != GrB_SUCCESS) grid_lmat_free(to);
  return info;
}

GrB_Info grid_route_rows(GrB_Matrix like, const grid_local_matrix *p, const grid_index_map *rows,
                         const grid_index_map *cols, GrB_Info info, grid_local_matrix *to, bool *routed) {
  grid_lmat_init(to, p->type, grid_block_rows(like->nrows), grid_block_cols(like->ncols));
  return send(like, p, rows, cols, false, info, to, routed);
}

GrB_Info grid_route_rows_to_owners(GrB_Matrix A, grid_local_matrix *to, bool *routed) {
  const uint64_t n = grid_chunk_length(A->nrows, grid_ctx.k);
  const grid_index_map rows = grid_block_row_map(A), cols = grid_block_col_map(A);
  *routed = false;
  if (!grid_index_fits32(A->nrows) || !grid_index_fits32(A->ncols)) return GrB_SUCCESS;
  /* a process may own nothing; a local matrix has rows and columns all the same */
  grid_lmat_init(to, A->type, n ? n : 1, A->ncols ? A->ncols : 1);
  return grid_agree(&A->head, send(A, &A->block, &rows, &cols, true, GrB_SUCCESS, to, routed));
}
