/* Routing of entries as runs of rows, without sorting tuples. A run is what one process has of a row of the
 * result for another: the row there and its length. Columns and values follow in the order of the runs. On a
 * grid of one column, where rows go to their owners in order and columns keep their indices, the local
 * matrix's own arrays are sent; if runs arrive in order of rows, the received arrays are the rows of the
 * result. */
#include <string.h>

#include "dist/matrix/transfer/matrix_route.h"
#include "spmat/convert/lmat_format.h"
#include "spmat/cpu/rows/row_sort.h"
#include "spmat/vector/bound_operator.h"
#include "spmat/vector/bitmap_words.h"

typedef struct {
  uint32_t row, n;
} run;

/* ---- where entries go ---- */

typedef struct {
  const grid_local_matrix *p;
  size_t size;                 /* bytes of a value; 0: no values are sent */
  uint32_t *row_home, *row_to; /* of each row: the row of the grid, the local row there */
  uint32_t *col_home, *col_to; /* NULL: column 0 of the grid; the same index */
  bool rows_ascend;            /* row_home ascends */
  uint64_t unordered;          /* columns do not ascend in their destination */
  uint64_t *runs, *entries;    /* P of each: what each process gets */
  run *run;
  uint32_t *idx; /* memory of idx and val, or NULL where p's own arrays are sent */
  char *val;
} outgoing_rows;

static void outgoing_rows_free(outgoing_rows *x) {
  grid_free(x->row_home);
  grid_free(x->row_to);
  grid_free(x->col_home);
  grid_free(x->col_to);
  grid_free(x->runs);
  grid_free(x->run);
  grid_free(x->idx);
  grid_free(x->val);
}

/* Finds the owner of index v of `dim`; consecutive calls are mostly in one chunk. */
typedef struct {
  uint64_t dim, first, n, block_offset; /* the chunk found last, and its offset in its block */
  bool rows;
  uint32_t home; /* row (column) of the grid */
} owner_finder;

static inline uint64_t find_position(owner_finder *x, uint64_t v) {
  if (v - x->first >= x->n) {
    const int chunk = grid_chunk_of(x->dim, v);
    x->first = grid_chunk_first(x->dim, chunk), x->n = grid_chunk_length(x->dim, chunk);
    x->block_offset = grid_chunk_offset(x->dim, x->rows, chunk);
    x->home = (uint32_t)(x->rows ? chunk % grid_ctx.R : chunk / grid_ctx.R);
  }
  return x->block_offset + (v - x->first);
}

static GrB_Info map_rows(outgoing_rows *x, uint64_t dim, const grid_index_map *rows) {
  const uint64_t n = x->p->nvals ? x->p->row.n : 0;
  x->row_home = grid_malloc(n, sizeof *x->row_home);
  x->row_to = grid_malloc(n, sizeof *x->row_to);
  if (!x->row_home || !x->row_to) return grid_fail_memory(NULL, "places of rows", n, 2 * sizeof *x->row_to);
  owner_finder f = {.dim = dim, .rows = true};
  x->rows_ascend = true;
  for (uint64_t k = 0; k < n; k++) {
    const uint64_t global_index = grid_index_map_at(rows, k);
    x->row_to[k] = global_index == GRID_NO_TARGET ? 0 : (uint32_t)find_position(&f, global_index);
    x->row_home[k] = f.home; /* no destination: grouped with those before, since it is empty */
    x->rows_ascend &= k == 0 || x->row_home[k - 1] <= x->row_home[k];
  }
  return GrB_SUCCESS;
}

static bool same_index(const grid_index_map *x) {
  return grid_ctx.C == 1 && !x->axis->ids && !x->table && x->q == 0 && x->base == 0;
}

static GrB_Info map_cols(outgoing_rows *x, uint64_t dim, const grid_index_map *cols) {
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

/* ---- what is sent ---- */

/* Are p's arrays in the order of their new owners? */
static bool is_sorted_by_owner(const outgoing_rows *x) {
  return grid_ctx.C == 1 && !x->col_to && x->rows_ascend;
}

static void store_run(const outgoing_rows *x, uint64_t row, uint64_t from, uint64_t end, uint64_t at,
                      uint64_t to) {
  const uint32_t *in = x->p->by_row.idx;
  x->run[at] = (run){x->row_to[row], (uint32_t)(end - from)};
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
static void walk_runs(const outgoing_rows *x, uint64_t row, uint64_t end, uint64_t *runs, uint64_t *entries,
                      bool write) {
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
static void stretch_offsets(outgoing_rows *x, uint64_t *count, uint64_t T) {
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

static GrB_Info load(outgoing_rows *x) {
  const grid_local_matrix *p = x->p;
  const uint64_t P = (uint64_t)grid_ctx.P, T = p->nvals > 1 << 15 ? (uint64_t)grid_ctx.threads : 1;
  uint64_t *count = grid_calloc(T * 2 * P, sizeof *count), runs = 0;
  GrB_Info info = GrB_SUCCESS;
  x->runs = grid_calloc(2 * P, sizeof *x->runs);
  if (!count || !x->runs) TRY(grid_fail_memory(NULL, "runs of rows", T * 2 * P, sizeof *count));
  x->entries = x->runs + P;
#pragma omp parallel for schedule(static, 1) if (T > 1)
  for (uint64_t t = 0; t < T; t++)
    walk_runs(x, stretch_row(p, t, T), stretch_row(p, t + 1, T), count + 2 * P * t, count + 2 * P * t + P,
              false);
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
  for (uint64_t t = 0; t < T; t++)
    walk_runs(x, stretch_row(p, t, T), stretch_row(p, t + 1, T), count + 2 * P * t, count + 2 * P * t + P,
              true);
  if (x->size && p->iso) { /* entries of other processes have values */
    x->val = grid_malloc(p->nvals, x->size);
    if (!x->val) TRY(grid_fail_memory(NULL, "values to send", p->nvals, x->size));
    grid_value_fill(x->val, p->iso_val, x->size, p->nvals);
  }
done:
  grid_free(count);
  return info;
}

/* ---- what has come ---- */

typedef struct {
  run *run;
  uint64_t runs, n;
  uint32_t *idx;
  char *val;
  size_t size;
  uint64_t *at;  /* destination of each run's entries; NULL: where they are */
  bool repeated; /* a row has several runs */
} incoming_rows;

static void incoming_rows_free(incoming_rows *x) {
  grid_free(x->run);
  grid_free(x->idx);
  grid_free(x->val);
  grid_free(x->at);
}

static GrB_Info exchange(const outgoing_rows *s, incoming_rows *x) {
  GrB_Info info;
  x->size = s->size;
  TRY(grid_exchange_elements(s->run, s->runs, sizeof *s->run, (void **)&x->run, &x->runs));
  TRY(grid_exchange_elements(s->idx ? s->idx : s->p->by_row.idx, s->entries, sizeof *s->idx, (void **)&x->idx,
                             &x->n));
  if (s->size)
    TRY(grid_exchange_elements(s->val ? s->val : s->p->by_row.val, s->entries, s->size, (void **)&x->val,
                               &x->n));
done:
  return info;
}

/* Offsets of t's rows, and destinations of runs that are not in order of rows. */
static GrB_Info find_starts(grid_local_matrix *t, incoming_rows *x) {
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
static void move_runs(grid_local_matrix *t, const incoming_rows *x, uint64_t k, uint64_t end, uint64_t from) {
  char *val = t->by_row.val;
  for (; k < end; k++) {
    const uint64_t n = x->run[k].n;
    memcpy(t->by_row.idx + x->at[k], x->idx + from, n * sizeof *x->idx);
    if (x->size) memcpy(val + x->at[k] * x->size, x->val + from * x->size, n * x->size);
    from += n;
  }
}

static GrB_Info merge_in_order(grid_local_matrix *t, incoming_rows *x) {
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
  const size_t each = grid_row_sort_workspace(longest, size) + 64;
  char *buffer = grid_malloc(threads, each);
  GrB_Info info = GrB_SUCCESS;
  if (!left || !buffer) TRY(grid_fail_memory(NULL, "rows to sort", longest, 16 + size));
#pragma omp parallel for num_threads((int)threads) schedule(dynamic, 256) reduction(+ : lost) if (threads > 1)
  for (uint64_t r = 0; r < rows; r++) {
    const uint64_t from = grid_vector_start(c, r), n = grid_vector_start(c, r + 1) - from;
    char *mine = buffer + grid_thread() * each / 8 * 8;
    left[r] =
        grid_row_sort(c->idx + from, size ? (char *)c->val + from * size : NULL, n, size, longest, mine);
    lost += n - left[r];
  }
  if (lost) compact_rows(t, left, size);
done:
  grid_free(left);
  grid_free(buffer);
  return info;
}

/* ---- all of it ---- */

/* unlisted: the axes are no lists, however few rows there are. */
static GrB_Info receive(grid_local_matrix *t, incoming_rows *x, bool unordered, bool plain, const void *one) {
  GrB_Info info;
  t->row.n = t->row.dim, t->col.n = t->col.dim, t->nvals = x->n;
  TRY(find_starts(t, x));
  if (x->at) {
    TRY(merge_in_order(t, x));
  } else {
    t->by_row.idx = x->idx, t->by_row.val = x->val;
    x->idx = NULL, x->val = NULL;
  }
  if (unordered || x->repeated) TRY(sort_rows(t, x->size));
  if (one) TRY(grid_lmat_set_iso(t, one));
  if (!plain) TRY(grid_lmat_choose_format(t));
done:
  return info;
}

/* Rows have offsets and columns index maps whether they hold entries or not: tuples are cheaper if these
 * dominate. The findings of all processes are summed. */
static GrB_Info check_profitable(GrB_Matrix like, const grid_local_matrix *p, GrB_Info info, bool *yes) {
  const uint64_t rows = grid_block_rows(like->nrows), cols = grid_block_cols(like->ncols);
  uint64_t sums[2] = {p->nvals, p->row.n + p->col.n};
  info = grid_agree_sum(&like->head, info, sums, 2);
  const uint64_t most = 8 * sums[0] / (uint64_t)grid_ctx.P + (1 << 14);
  *yes = rows <= most && cols <= most && sums[1] / (uint64_t)grid_ctx.P <= most && most < UINT32_MAX;
  return info;
}

GrB_Info grid_route_rows(GrB_Matrix like, const grid_local_matrix *p, const grid_index_map *rows,
                         const grid_index_map *cols, GrB_Info info, grid_local_matrix *to, bool *routed) {
  outgoing_rows s = {.p = p};
  incoming_rows x = {0};
  bool iso;
  char *one = grid_calloc(1, p->type->size);
  *routed = false;
  grid_lmat_init(to, p->type, grid_block_rows(like->nrows), grid_block_cols(like->ncols));
  if (info == GrB_SUCCESS && !one) info = grid_fail_memory(NULL, "a value", 1, p->type->size);
  TRY(check_profitable(like, p, info, routed));
  if (!*routed) goto done;
  if (p->iso) memcpy(one, p->iso_val, p->type->size);
  TRY(grid_agree_on_iso_value(p->nvals > 0, p->iso, p->type->size, one, &iso));
  s.size = iso ? 0 : p->type->size;
  info = map_rows(&s, like->nrows, rows);
  if (info == GrB_SUCCESS) info = map_cols(&s, like->ncols, cols);
  if (info == GrB_SUCCESS) info = load(&s);
  TRY(grid_agree_sum(&like->head, info, &s.unordered, 1));
  TRY(exchange(&s, &x));
  TRY(grid_agree(&like->head, receive(to, &x, s.unordered > 0, false, iso ? one : NULL)));
done:
  grid_free(one);
  outgoing_rows_free(&s);
  incoming_rows_free(&x);
  if (info != GrB_SUCCESS) grid_lmat_free(to);
  return info;
}

/* ---- rows that others want ---- */

/* Requested rows of this process, one bit a row, for each process in turn. */
typedef struct {
  uint64_t *bits, words; /* P times as many */
} row_requests;

/* Requests the rows of B that occur as columns of `a`. */
static GrB_Info exchange_requests(row_requests *w, GrB_Matrix B, const grid_local_matrix *a) {
  const uint64_t P = (uint64_t)grid_ctx.P, n = B->nrows;
  uint64_t *bits = grid_calloc(grid_words(n), sizeof *bits), *count = grid_malloc(P, sizeof *count), received;
  GrB_Info info = GrB_SUCCESS;
  if (!bits || !count) info = grid_fail_memory(&B->head, "rows that are wanted", n / 64, sizeof *bits);
  TRY(grid_agree(&B->head, info));
  for (uint64_t e = 0; e < a->nvals; e++) {
    const uint64_t row = grid_axis_id(&a->col, a->by_row.idx[e]);
    bits[row >> 6] |= UINT64_C(1) << (row & 63);
  }
  for (uint64_t r = 0; r < P; r++) count[r] = grid_words(grid_chunk_length(n, (int)r));
  w->words = count[grid_ctx.k];
  info = grid_exchange_elements(bits, count, sizeof *bits, (void **)&w->bits, &received);
done:
  grid_free(bits);
  grid_free(count);
  return info;
}

/* Counts the runs that process r requests and their entries; write: appends them to those of the processes
 * before. */
static void walk_requested(const outgoing_rows *x, const row_requests *w, uint64_t r, uint64_t first_row,
                           uint64_t *at_run, uint64_t *at, bool write) {
  const grid_compressed *c = &x->p->by_row;
  const uint64_t *bits = w->bits + r * w->words;
  for (uint64_t k = 0; k < w->words; k++)
    for (uint64_t s = bits[k]; s; s &= s - 1) {
      const uint64_t row = k * 64 + (uint64_t)__builtin_ctzll(s), from = grid_vector_start(c, row),
                     n = grid_vector_start(c, row + 1) - from;
      if (n == 0) continue;
      if (write) {
        x->run[*at_run] = (run){(uint32_t)(first_row + row), (uint32_t)n};
        memcpy(x->idx + *at, c->idx + from, n * sizeof *c->idx);
        if (x->size && !x->p->iso)
          memcpy(x->val + *at * x->size, (const char *)c->val + from * x->size, n * x->size);
      }
      ++*at_run;
      *at += n;
    }
}

static GrB_Info load_requested(outgoing_rows *x, const row_requests *w, uint64_t first_row) {
  uint64_t runs = 0, n = 0;
  for (int r = 0; r < grid_ctx.P; r++) runs += x->runs[r], n += x->entries[r];
  x->run = grid_malloc(runs, sizeof *x->run);
  x->idx = grid_malloc(n, sizeof *x->idx);
  x->val = x->size ? grid_malloc(n, x->size) : NULL;
  if (!x->run || !x->idx || (x->size && !x->val))
    return grid_fail_memory(NULL, "rows to send", n, sizeof *x->idx + x->size);
  runs = n = 0;
  for (int r = 0; r < grid_ctx.P; r++) walk_requested(x, w, (uint64_t)r, first_row, &runs, &n, true);
  if (x->size && x->p->iso) grid_value_fill(x->val, x->p->iso_val, x->size, n);
  return GrB_SUCCESS;
}

/* *sparse: all processes together request at most half of what all of B on each of them would be. */
static GrB_Info count_requested(outgoing_rows *x, const row_requests *w, GrB_Matrix B, GrB_Info info,
                                bool *sparse) {
  const uint64_t P = (uint64_t)grid_ctx.P;
  uint64_t all = 0;
  x->runs = grid_calloc(2 * P, sizeof *x->runs);
  if (info == GrB_SUCCESS && !x->runs) info = grid_fail_memory(&B->head, "runs of rows", 2 * P, 8);
  if (info == GrB_SUCCESS) {
    x->entries = x->runs + P;
    for (uint64_t r = 0; r < P; r++) walk_requested(x, w, r, 0, &x->runs[r], &x->entries[r], false);
    for (uint64_t r = 0; r < P; r++) all += x->entries[r];
  }
  info = grid_agree_sum(&B->head, info, &all, 1);
  *sparse = all / P <= B->nvals / 2;
  return info;
}

GrB_Info grid_matrix_fetch_rows(grid_local_matrix *t, GrB_Matrix B, const grid_local_matrix *a,
                                bool *sparse) {
  const size_t size = B->type->size;
  grid_expanded_lmat u;
  outgoing_rows s = {.p = &u.lmat};
  incoming_rows x = {0};
  row_requests w = {0};
  bool iso;
  char *one = grid_calloc(1, size);
  GrB_Info info = grid_lmat_expand_hyper(&u, &B->block, true);
  if (info == GrB_SUCCESS && !one) info = grid_fail_memory(&B->head, "a value", 1, size);
  grid_lmat_init(t, B->type, grid_block_cols(B->nrows), grid_block_cols(B->ncols));
  *sparse = false;
  TRY(grid_agree(&B->head, info));
  TRY(exchange_requests(&w, B, a));
  TRY(count_requested(&s, &w, B, info, sparse));
  if (!*sparse) goto done;
  if (B->block.iso && B->block.iso_val) memcpy(one, B->block.iso_val, size);
  TRY(grid_agree_on_iso_value(B->block.nvals > 0, B->block.iso, size, one, &iso));
  s.size = iso ? 0 : size;
  TRY(grid_agree(&B->head, load_requested(&s, &w, grid_chunk_first(B->nrows, grid_ctx.k))));
  TRY(exchange(&s, &x));
  info = grid_agree(&B->head, receive(t, &x, false, true, iso ? one : NULL));
done:
  grid_expanded_lmat_free(&u);
  grid_free(w.bits);
  grid_free(one);
  outgoing_rows_free(&s);
  incoming_rows_free(&x);
  if (info != GrB_SUCCESS) grid_lmat_free(t);
  return info;
}
