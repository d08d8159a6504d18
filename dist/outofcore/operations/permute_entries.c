/* See permute_entries.h. One process sorts the entries on disk (permute_sorted.h). Several make the result by
 * groups of rows: all pages that have entries for them are read, those entries are sent to the rows' owners,
 * sorted, and appended to pages. A first pass over all pages counts entries and so fixes the groups' sizes.
 */
#include "dist/outofcore/operations/permute_entries.h"

#include <string.h>

#include "dist/matrix/storage/matrix_outofcore.h"
#include "dist/matrix/transfer/matrix_route.h"
#include "dist/outofcore/operations/outofcore_run.h"
#include "dist/outofcore/operations/permute_destinations.h"
#include "dist/outofcore/operations/permute_sorted.h"
#include "dist/outofcore/operations/row_panel.h"
#include "spmat/convert/lmat_format.h"

/* Fraction of the remaining budget, since a tuple takes several times the bytes of an entry; and bounds of
 * the number of row groups, of all processes together. */
enum { PERMUTE_SHARE = 16, MAX_GROUPS = 1 << 16, MIN_GROUPS = 16 };

typedef struct {
  GrB_Matrix A, T;
  bool flip;
  const char *call;
  grid_destinations rows, cols;
  /* `width` rows of a block of T form a group. count[k * (groups + 1) + b]: entries of process k's groups
   * before b; sent[b]: the same, of all groups, as the maximum that one process sends */
  uint64_t groups, width, *count, *sent;
  bool counting;
  uint64_t first, end; /* rows of each process's block made in this round */
  grid_tuples t;
  uint64_t capacity;
  grid_entry_sort *sort; /* gets the entries, instead of `t`; or NULL */
  grid_pages *out;       /* T's rows */
} permuting;

/* Is row i of T made in this round? */
static inline bool is_in_round(const permuting *w, uint64_t i) {
  const uint64_t at = grid_local_row(w->T->nrows, i);
  return at >= w->first && at < w->end;
}

/* Counter of entries in T's row i for process 0; *k: the process that owns the row. */
static uint64_t *row_counter(const permuting *w, uint64_t i, int *k) {
  uint64_t at;
  *k = grid_owner(w->T->nrows, i, &at);
  return w->count + (at + grid_chunk_offset(w->T->nrows, true, *k)) / w->width + 1;
}

/* Counts n more entries in row i where one process has the whole row. */
static void count_replicated(const permuting *w, uint64_t i, uint64_t n) {
  int k;
  uint64_t *count = row_counter(w, i, &k);
  count[(uint64_t)k * (w->groups + 1)] += n;
}

/* The same by columns, where processes share rows. */
static void count_columns(const permuting *w, uint64_t i, const uint64_t *col, uint64_t n) {
  const int R = grid_ctx.R;
  int k;
  uint64_t *count = row_counter(w, i, &k);
  for (uint64_t x = 0; x < n; x++)
    count[(uint64_t)(grid_chunk_of(w->T->ncols, col[x]) / R * R + k % R) * (w->groups + 1)]++;
}

/* ---- entries ---- */

static GrB_Info allocate_workspace(permuting *w) {
  grid_tuples *t = &w->t;
  const uint64_t more = t->n + t->n / 2 + 1024;
  uint64_t *row = grid_realloc(t->row, more, sizeof *row);
  if (row) t->row = row;
  uint64_t *col = grid_realloc(t->col, more, sizeof *col);
  if (col) t->col = col;
  char *val = w->A->pages->one ? NULL : grid_realloc(t->val, more, w->A->type->size);
  if (val) t->val = val;
  if (!row || !col || (!val && !w->A->pages->one))
    return grid_fail_memory(NULL, "entries that move", more, 16);
  w->capacity = more;
  return GrB_SUCCESS;
}

static inline GrB_Info append_entry(permuting *w, uint64_t i, uint64_t j, const grid_compressed *c,
                                    uint64_t e) {
  grid_tuples *t = &w->t;
  const size_t size = w->A->type->size;
  if (w->sort) return grid_entry_sort_append(w->sort, i, j, c->val ? (const char *)c->val + e * size : NULL);
  if (t->n == w->capacity) {
    const GrB_Info info = allocate_workspace(w);
    if (info != GrB_SUCCESS) return info;
  }
  t->row[t->n] = i, t->col[t->n] = j;
  if (t->val) memcpy(t->val + t->n * size, (const char *)c->val + e * size, size);
  t->n++;
  return GrB_SUCCESS;
}

/* The first of entries a .. b with a global column of at least v. */
static uint64_t first_column(const permuting *w, const grid_compressed *c, uint64_t a, uint64_t b,
                             uint64_t v) {
  return grid_first_entry(c->idx, a, b, v > w->cols.base ? v - w->cols.base : 0);
}

/* Number of destinations of entries a .. b. */
static uint64_t count_destinations(const permuting *w, const grid_compressed *c, uint64_t a, uint64_t b) {
  const uint64_t *start = w->cols.start;
  uint64_t n = 0;
  if (w->cols.all) return first_column(w, c, a, b, w->cols.end) - a;
  for (uint64_t e = a; e < b; e++) n += start[c->idx[e] + 1] - start[c->idx[e]];
  return n;
}

/* Counts entries a .. b for row i. */
static void count_row(const permuting *w, const grid_compressed *c, uint64_t a, uint64_t b, uint64_t i) {
  const uint64_t *col;
  uint64_t single;
  if (grid_ctx.C == 1) {
    count_replicated(w, i, count_destinations(w, c, a, b));
    return;
  }
  for (uint64_t e = a; e < b; e++) {
    const uint64_t m = grid_destinations_of(&w->cols, c->idx[e], &col, &single);
    count_columns(w, i, col, m);
  }
}

/* Entries a .. b of a row with the destination rows `to`. */
static GrB_Info move_row(permuting *w, const grid_compressed *c, uint64_t a, uint64_t b, const uint64_t *to,
                         uint64_t n) {
  GrB_Info info = GrB_SUCCESS;
  for (uint64_t x = 0; x < n; x++) {
    if (w->counting) {
      count_row(w, c, a, b, to[x]);
      continue;
    }
    if (!is_in_round(w, to[x])) continue;
    for (uint64_t e = a; e < b; e++) {
      const uint64_t *col;
      uint64_t single;
      const uint64_t m = grid_destinations_of(&w->cols, c->idx[e], &col, &single);
      for (uint64_t y = 0; y < m; y++) TRY(append_entry(w, to[x], col[y], c, e));
    }
  }
done:
  return info;
}

/* Transposed: entries a .. b with the destination columns `to`. */
static GrB_Info move_column(permuting *w, const grid_compressed *c, uint64_t a, uint64_t b,
                            const uint64_t *to, uint64_t n) {
  GrB_Info info = GrB_SUCCESS;
  for (uint64_t e = a; e < b; e++) {
    const uint64_t *row;
    uint64_t single;
    const uint64_t m = grid_destinations_of(&w->cols, c->idx[e], &row, &single);
    for (uint64_t y = 0; y < m; y++) {
      if (w->counting && grid_ctx.C == 1) count_replicated(w, row[y], n);
      if (w->counting && grid_ctx.C > 1) count_columns(w, row[y], to, n);
      if (w->counting || !is_in_round(w, row[y])) continue;
      for (uint64_t x = 0; x < n; x++) TRY(append_entry(w, row[y], to[x], c, e));
    }
  }
done:
  return info;
}

/* The same where all columns are kept: those made in this round are contiguous in each chunk. */
static GrB_Info move_ranges(permuting *w, const grid_compressed *c, uint64_t a, uint64_t b,
                            const uint64_t *to, uint64_t n) {
  const uint64_t rows = w->T->nrows; /* A's columns */
  GrB_Info info = GrB_SUCCESS;
  for (int s = 0; s < grid_block_chunks(false); s++) {
    const int k = grid_block_chunk(false, s);
    const uint64_t start = grid_chunk_first(rows, k), block_offset = grid_chunk_offset(rows, true, k),
                   end = block_offset + grid_chunk_length(rows, k),
                   first = w->first > block_offset ? w->first : block_offset,
                   last = w->end < end ? w->end : end;
    if (first >= last) continue;
    const uint64_t from = first_column(w, c, a, b, start + (first - block_offset));
    TRY(move_column(w, c, from, first_column(w, c, from, b, start + (last - block_offset)), to, n));
  }
done:
  return info;
}

static GrB_Info move_entries(void *context, const grid_local_matrix *rows, uint64_t first) {
  permuting *w = context;
  const grid_compressed *c = &rows->by_row;
  GrB_Info info = GrB_SUCCESS;
  for (uint64_t r = 0; r < rows->row.n; r++) {
    const uint64_t a = c->ptr[r], b = c->ptr[r + 1], *to;
    uint64_t single;
    if (a == b) continue;
    const uint64_t n = grid_destinations_of(&w->rows, first + r, &to, &single);
    if (n == 0) continue;
    if (!w->flip)
      TRY(move_row(w, c, a, b, to, n));
    else if (w->cols.all && !w->counting)
      TRY(move_ranges(w, c, a, b, to, n));
    else
      TRY(move_column(w, c, a, b, to, n));
  }
done:
  return info;
}

/* ---- selection of pages ---- */

/* Has A's row r destinations in this round, or, when transposing or counting, any at all? */
static bool is_row_selected(permuting *w, uint64_t r) {
  const uint64_t *to;
  uint64_t single;
  const uint64_t n = grid_destinations_of(&w->rows, r, &to, &single);
  if (w->flip || w->counting) return n > 0;
  for (uint64_t x = 0; x < n; x++)
    if (is_in_round(w, to[x])) return true;
  return false;
}

/* Marks the pages of rows with explicit destinations. */
static void mark_listed_rows(permuting *w, uint64_t *wanted) {
  const grid_pages *g = w->A->pages;
  for (uint64_t r = 0; r < g->rows; r++)
    if (grid_pages_lengths(g)[r] && is_row_selected(w, r)) grid_pages_mark_rows(wanted, g, r, r + 1);
}

/* Marks the pages of rows that keep their index: this round's range in each chunk of T, intersected with
 * each chunk of A's block. */
static void mark_same_rows(const permuting *w, uint64_t *wanted) {
  const uint64_t from = w->A->nrows, to = w->T->nrows;
  for (int k = 0; k < grid_ctx.P; k++) {
    const uint64_t start = grid_chunk_first(to, k), block_offset = grid_chunk_offset(to, true, k),
                   length = grid_chunk_length(to, k),
                   skip = w->first > block_offset ? w->first - block_offset : 0, first = start + skip,
                   end = w->end > block_offset
                             ? start + (w->end - block_offset < length ? w->end - block_offset : length)
                             : start;
    for (int s = 0; s < grid_block_chunks(true) && skip < length; s++) {
      const int chunk = grid_block_chunk(true, s);
      const uint64_t begin = grid_chunk_first(from, chunk), last = grid_chunk_first(from, chunk + 1),
                     at = grid_block_offset(from, true, s), a = first > begin ? first : begin,
                     b = end < last ? end : last;
      if (a < b) grid_pages_mark_rows(wanted, w->A->pages, at + a - begin, at + b - begin);
    }
  }
}

static GrB_Info mark_pages(permuting *w, uint64_t **wanted) {
  const grid_pages *g = w->A->pages;
  *wanted = NULL;
  if (w->rows.all && (w->flip || w->counting)) return GrB_SUCCESS; /* all pages */
  *wanted = grid_calloc(grid_words(g->pages), sizeof **wanted);
  if (!*wanted) return grid_fail_memory(NULL, "wanted pages", grid_words(g->pages), sizeof **wanted);
  if (w->rows.all)
    mark_same_rows(w, *wanted);
  else
    mark_listed_rows(w, *wanted);
  return GrB_SUCCESS;
}

static GrB_Info read_pages(permuting *w) {
  uint64_t *wanted;
  GrB_Info info = mark_pages(w, &wanted);
  if (info == GrB_SUCCESS) info = grid_pages_stream(w->A->pages, wanted, move_entries, w);
  grid_free(wanted);
  return info;
}

/* ---- sizes of groups ---- */

static void prefix_sum(uint64_t *count, uint64_t n) {
  for (uint64_t b = 1; b < n; b++) count[b] += count[b - 1];
}

static GrB_Info count_entries_all(permuting *w, GrB_Info info) {
  const uint64_t P = (uint64_t)grid_ctx.P, rows = grid_block_rows(w->T->nrows);
  w->groups = MAX_GROUPS / P > MIN_GROUPS ? MAX_GROUPS / P : MIN_GROUPS;
  w->width = rows / w->groups + 1;
  w->groups = rows / w->width + 1;
  const uint64_t stride = w->groups + 1;
  w->count = grid_calloc(P * stride, sizeof *w->count);
  w->sent = grid_calloc(stride, sizeof *w->sent);
  if (info == GrB_SUCCESS && (!w->count || !w->sent))
    info = grid_fail_memory(NULL, "counts of rows", P * stride, sizeof *w->count);
  w->counting = true;
  if (info == GrB_SUCCESS) info = read_pages(w);
  w->counting = false;
  TRY(grid_agree(&w->A->head, info));
  for (uint64_t at = 0; at < P * stride; at++) w->sent[at % stride] += w->count[at];
  TRY(grid_ctx.transport->allreduce(GRID_SET_ALL, w->sent, stride, GRID_MAX));
  prefix_sum(w->sent, stride);
  TRY(grid_ctx.transport->allreduce(GRID_SET_ALL, w->count, P * stride, GRID_SUM));
  for (uint64_t k = 0; k < P; k++) prefix_sum(w->count + k * stride, stride);
done:
  return info;
}

/* The most entries that a process receives or sends for these groups. */
static uint64_t entries_of(const permuting *w, uint64_t from, uint64_t to) {
  uint64_t most = w->sent[to] - w->sent[from];
  for (int k = 0; k < grid_ctx.P; k++) {
    const uint64_t *of = w->count + (uint64_t)k * (w->groups + 1);
    if (of[to] - of[from] > most) most = of[to] - of[from];
  }
  return most;
}

/* From group `from` on as many as fit on all processes, at least one. Collective. */
static GrB_Info choose_end(const permuting *w, uint64_t from, uint64_t *end) {
  uint64_t most = grid_slice_bytes(PERMUTE_SHARE) / (sizeof(uint32_t) + w->A->type->size);
  const GrB_Info info = grid_ctx.transport->allreduce(GRID_SET_ALL, &most, 1, GRID_MIN);
  *end = from + 1;
  while (*end < w->groups && entries_of(w, from, *end + 1) <= most) ++*end;
  return info;
}

/* ---- rounds ---- */

static GrB_Info route_slice(permuting *w) {
  grid_local_matrix p = {0};
  grid_expanded_lmat u = {0};
  GrB_Info info = read_pages(w);
  info = grid_route_tuples(w->T, &w->t, w->A->type, w->A->pages->one, info, &p, w->call);
  w->t = (grid_tuples){0};
  w->capacity = 0;
  if (info == GrB_SUCCESS && p.nvals) {
    info = grid_lmat_expand_hyper(&u, &p, true);
    const uint64_t end = w->end < w->out->rows ? w->end : w->out->rows;
    if (info == GrB_SUCCESS) info = grid_pages_append(w->out, w->first, &u.lmat, w->first, end);
    grid_expanded_lmat_free(&u);
  }
  if (p.type) grid_lmat_free(&p);
  return grid_agree(&w->A->head, info);
}

static GrB_Info route_rows(permuting *w) {
  GrB_Info info = GrB_SUCCESS;
  for (uint64_t b = 0, end; b < w->groups; b = end) {
    TRY(choose_end(w, b, &end));
    w->first = b * w->width, w->end = end * w->width;
    TRY(route_slice(w));
  }
done:
  return info;
}

/* ---- one process ---- */

static size_t value_size(const permuting *w) {
  return w->A->pages->one ? 0 : w->A->type->size;
}

static GrB_Info sort_entries(permuting *w) {
  grid_entry_sort sort;
  GrB_Info info = grid_entry_sort_begin(&sort, w->A->pages->path, w->T->nrows, w->T->ncols, value_size(w),
                                        w->A->block.nvals);
  w->sort = &sort;
  w->end = w->T->nrows;
  if (info == GrB_SUCCESS) info = read_pages(w);
  if (info == GrB_SUCCESS) info = grid_entry_sort_write(&sort, w->out, w->A->type, w->A->pages->one);
  grid_entry_sort_end(&sort);
  w->sort = NULL;
  return info;
}

bool grid_can_permute_pages(GrB_Matrix A, uint64_t nrows, uint64_t ncols) {
  const grid_pages_head of = {.nrows = nrows, .ncols = ncols, .nvals = A->nvals};
  return !grid_is_paged_hypersparse(A) && grid_can_be_paged(&of);
}

GrB_Info grid_permute_pages(GrB_Matrix *T, uint64_t nrows, uint64_t ncols, GrB_Matrix A,
                            const grid_permutation *rows, const grid_permutation *cols, bool flip,
                            GrB_Info info, const char *call) {
  permuting w = {.A = A, .flip = flip, .call = call};
  *T = NULL;
  if (info == GrB_SUCCESS)
    info = grid_destinations_make(&w.rows, rows, A->pages->rows, A, true, flip ? ncols : nrows);
  if (info == GrB_SUCCESS)
    info = grid_destinations_make(&w.cols, cols, A->block.col.dim, A, false, flip ? nrows : ncols);
  TRY(grid_agree(&A->head, info));
  TRY(GrB_Matrix_new(T, A->type, nrows, ncols));
  w.T = *T;
  info = grid_pages_new(&w.out, A->pages->path, A->type,
                        grid_ctx.C == 1 ? grid_chunk_length(nrows, grid_ctx.k) : w.T->block.row.dim,
                        w.T->block.col.dim);
  if (grid_ctx.P == 1 && grid_entry_sort_is_possible(nrows, ncols, value_size(&w))) {
    TRY(info);
    TRY(sort_entries(&w));
  } else {
    TRY(count_entries_all(&w, info));
    TRY(route_rows(&w));
  }
  grid_pages_complete(w.out);
  info = grid_paged_adopt(w.T, w.out, NULL, info);
  w.out = NULL;
done:
  grid_pages_free(w.out);
  grid_destinations_free(&w.rows);
  grid_destinations_free(&w.cols);
  grid_free(w.count);
  grid_free(w.sent);
  if (info != GrB_SUCCESS) GrB_Matrix_free(T);
  return info;
}

GrB_Info grid_transpose_pages(GrB_Matrix *T, GrB_Matrix A, const char *call) {
  grid_local_matrix t = {0};
  if (A->pages && !grid_is_paged_hypersparse(A))
    return grid_permute_pages(T, A->ncols, A->nrows, A, NULL, NULL, true, GrB_SUCCESS, call);
  GrB_Info info = GrB_Matrix_new(T, A->type, A->ncols, A->nrows);
  if (info != GrB_SUCCESS) return info;
  if (A->pages) {
    info = grid_transpose_hypersparse(*T, A);
  } else {
    info = grid_matrix_transposed(A, *T, &t, false, call);
    if (info == GrB_SUCCESS) info = grid_matrix_adopt(*T, &(grid_build){0}, &t, info);
    grid_lmat_free(&t);
  }
  if (info != GrB_SUCCESS) GrB_Matrix_free(T);
  return info;
}
