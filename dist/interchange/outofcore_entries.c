/* See outofcore_entries.h. The owners of pages decode them and send their entries in segments, one process
 * after the other. On a grid of one column a process has whole rows: segments have one size, and one that is
 * not full is the last of its process. On a grid of several columns a process has a part of the columns of a
 * chunk's rows. As many rows as fit a segment on each process are read at a time and sent to the receivers,
 * which visit the columns of each row in their order. */
#include "dist/interchange/outofcore_entries.h"

#include <string.h>

#include "dist/matrix/storage/matrix_outofcore.h"
#include "semiring/support/tuning.h"
#include "spmat/matrix/axis.h"

/* A segment of entries: number, rows, columns, values, contiguous in `bytes`. */
typedef struct {
  char *bytes;
  uint64_t *n, *row, *col;
  char *val;
  uint64_t at; /* entries before this one have been visited */
} segment;

typedef struct {
  GrB_Matrix A;
  bool shared; /* entries go to all processes */
  grid_paged_visit *visit;
  void *context;
  size_t size;         /* bytes of a value, or 0 */
  uint64_t capacity;   /* entries per segment */
  segment local, *of;  /* of: those of a grid row's processes */
  uint64_t first, end; /* range of the block's rows to read, by number */
} broadcast;

static uint64_t bytes_of(const broadcast *s, uint64_t n) {
  return sizeof(uint64_t) + n * (2 * sizeof(uint64_t) + s->size);
}

/* Sets the pointers for n entries. */
static void lay_out(const broadcast *s, segment *p, uint64_t n) {
  p->n = (uint64_t *)(void *)p->bytes;
  p->row = p->n + 1;
  p->col = p->row + n;
  p->val = s->size ? (char *)(p->col + n) : NULL;
  p->at = 0;
}

static GrB_Info make_segment(const broadcast *s, segment *p) {
  p->bytes = grid_calloc(bytes_of(s, s->capacity), 1);
  if (!p->bytes) return grid_fail_memory(&s->A->head, "entries of pages", s->capacity, 16 + s->size);
  lay_out(s, p, s->capacity);
  return GrB_SUCCESS;
}

/* Appends n entries of `rows`, from e on, of the block's row with this number. */
static void store_row(const broadcast *s, segment *p, uint64_t number, const grid_local_matrix *rows,
                      uint64_t e, uint64_t n) {
  const grid_local_matrix *block = &s->A->block;
  const uint64_t at = *p->n, row = grid_global_row(s->A->nrows, grid_axis_id(&block->row, number)),
                 base = grid_global_col(s->A->ncols, 0);
  const uint32_t *idx = rows->by_row.idx + e;
  for (uint64_t k = 0; k < n; k++) p->row[at + k] = row;
  for (uint64_t k = 0; k < n; k++) p->col[at + k] = base + grid_axis_id(&block->col, idx[k]);
  if (p->val && rows->iso)
    for (uint64_t k = 0; k < n; k++) memcpy(p->val + (at + k) * s->size, rows->iso_val, s->size);
  else if (p->val)
    memcpy(p->val + at * s->size, (const char *)rows->by_row.val + e * s->size, n * s->size);
  *p->n += n;
}

/* ---- whole rows ---- */

/* Broadcasts and visits the segment of process `from`. */
static GrB_Info broadcast_piece(broadcast *s, int from) {
  const segment *p = &s->local;
  GrB_Info info = GrB_SUCCESS;
  if (s->shared) info = grid_ctx.transport->bcast(GRID_SET_ALL, p->bytes, bytes_of(s, s->capacity), from);
  if (info == GrB_SUCCESS && *p->n)
    s->visit(s->context, &(grid_paged_batch){.n = *p->n, .row = p->row, .col = p->col, .val = p->val});
  return info;
}

static GrB_Info collect_rows(void *context, const grid_local_matrix *rows, uint64_t first) {
  broadcast *s = context;
  segment *p = &s->local;
  const uint32_t *ptr = rows->by_row.ptr;
  GrB_Info info = GrB_SUCCESS;
  for (uint64_t r = 0; r < rows->row.n; r++)
    for (uint64_t e = ptr[r], n; e < ptr[r + 1]; e += n) {
      n = ptr[r + 1] - e < s->capacity - *p->n ? ptr[r + 1] - e : s->capacity - *p->n;
      store_row(s, p, first + r, rows, e, n);
      if (*p->n < s->capacity) continue;
      TRY(broadcast_piece(s, grid_ctx.k));
      *p->n = 0;
    }
done:
  return info;
}

/* Broadcasts all entries of this process. A read error ends its segments early; the other processes'
 * follow. */
static GrB_Info send_local_pieces(broadcast *s) {
  *s->local.n = 0;
  const GrB_Info info = grid_pages_stream(s->A->pages, NULL, collect_rows, s),
                 passed = broadcast_piece(s, grid_ctx.k);
  return info == GrB_SUCCESS ? passed : info;
}

static GrB_Info receive(broadcast *s, int from) {
  GrB_Info info = GrB_SUCCESS;
  do info = broadcast_piece(s, from);
  while (info == GrB_SUCCESS && *s->local.n == s->capacity);
  return info;
}

static GrB_Info spread_replicated(broadcast *s) {
  GrB_Info info = grid_agree(&s->A->head, make_segment(s, &s->local)), given;
  if (info != GrB_SUCCESS) return info;
  for (int k = 0; k < grid_ctx.P; k++) {
    if (k != grid_ctx.k && !s->shared) continue;
    given = k == grid_ctx.k ? send_local_pieces(s) : receive(s, k);
    if (info == GrB_SUCCESS) info = given;
  }
  return info;
}

/* ---- rows shared by a grid row ---- */

static GrB_Info collect_columns(void *context, const grid_local_matrix *rows, uint64_t first) {
  broadcast *s = context;
  const uint32_t *ptr = rows->by_row.ptr;
  for (uint64_t r = 0; r < rows->row.n; r++)
    if (ptr[r] < ptr[r + 1] && first + r >= s->first && first + r < s->end)
      store_row(s, &s->of[grid_ctx.j], first + r, rows, ptr[r], ptr[r + 1] - ptr[r]);
  return GrB_SUCCESS;
}

/* The end of the block's rows from `row` on whose entries fit a segment; *n: their entries. */
static uint64_t find_piece_end(const broadcast *s, uint64_t row, uint64_t end, uint64_t *n) {
  const grid_pages *g = s->A->pages;
  *n = 0;
  for (; row < end; row++) {
    const uint64_t more = row < g->rows ? grid_pages_lengths(g)[row] : 0;
    if (*n + more > s->capacity) break;
    *n += more;
  }
  return row;
}

/* Reads this process's segment: its entries in rows row .. end of its block; empty after a read error. */
static GrB_Info read_columns(broadcast *s, uint64_t row, uint64_t end) {
  segment *p = &s->of[grid_ctx.j];
  uint64_t n;
  s->first = row, s->end = end;
  find_piece_end(s, row, end, &n);
  lay_out(s, p, n);
  *p->n = 0;
  const GrB_Info info = n ? grid_pages_stream_rows(s->A->pages, row, end, collect_columns, s) : GrB_SUCCESS;
  if (info != GrB_SUCCESS) *p->n = 0;
  return info;
}

/* Broadcasts a segment from `root` within the set that receives it. */
static GrB_Info pass_columns(const broadcast *s, segment *p, grid_set set, int root) {
  GrB_Info info = grid_ctx.transport->bcast(set, p->bytes, sizeof *p->n, root);
  if (info != GrB_SUCCESS || *p->n == 0) return info;
  lay_out(s, p, *p->n);
  return grid_ctx.transport->bcast(set, p->row, bytes_of(s, *p->n) - sizeof *p->n, root);
}

/* Visits the segments' entries row by row. */
static void visit_rows(broadcast *s) {
  for (;;) {
    uint64_t row = UINT64_MAX;
    for (int j = 0; j < grid_ctx.C; j++) {
      const segment *p = &s->of[j];
      if (p->at < *p->n && p->row[p->at] < row) row = p->row[p->at];
    }
    if (row == UINT64_MAX) return;
    for (int j = 0; j < grid_ctx.C; j++) {
      segment *p = &s->of[j];
      const uint64_t from = p->at;
      while (p->at < *p->n && p->row[p->at] == row) p->at++;
      if (p->at > from)
        s->visit(s->context, &(grid_paged_batch){.n = p->at - from,
                                                 .row = p->row + from,
                                                 .col = p->col + from,
                                                 .val = p->val ? p->val + from * s->size : NULL});
    }
  }
}

/* Visits chunk k's rows, on all processes or on its owner; a grid row holds them. *read: a read error,
 * which does not stop the messages. */
static GrB_Info spread_chunk(broadcast *s, int k, GrB_Info *read) {
  const int R = grid_ctx.R, i = k % R;
  const bool has_rows = i == grid_ctx.i;
  const uint64_t nrows = s->A->nrows, offset = has_rows ? grid_chunk_offset(nrows, true, k) : 0,
                 at = grid_axis_bound(&s->A->block.row, offset);
  const grid_set set = s->shared ? GRID_SET_ALL : GRID_SET_ROW;
  uint64_t n = has_rows ? grid_axis_bound(&s->A->block.row, offset + grid_chunk_length(nrows, k)) - at : 0;
  GrB_Info info = grid_ctx.transport->allreduce(set, &n, 1, GRID_MAX);
  for (uint64_t row = 0, end, entries; row < n && info == GrB_SUCCESS; row = end) {
    end = has_rows ? find_piece_end(s, at + row, at + n, &entries) - at : n;
    TRY(grid_ctx.transport->allreduce(set, &end, 1, GRID_MIN));
    const GrB_Info one = has_rows ? read_columns(s, at + row, at + end) : GrB_SUCCESS;
    if (*read == GrB_SUCCESS) *read = one;
    for (int j = 0; j < grid_ctx.C; j++) TRY(pass_columns(s, &s->of[j], set, s->shared ? j * R + i : j));
    if (s->shared || k == grid_ctx.k) visit_rows(s);
  }
done:
  return info;
}

/* Segments have the capacity of the longest row of a block, since rows are not split. Agreed on. */
static GrB_Info make_segments(broadcast *s) {
  const grid_pages *g = s->A->pages;
  uint64_t longest = 0;
  for (uint64_t r = 0; r < g->rows; r++)
    if (grid_pages_lengths(g)[r] > longest) longest = grid_pages_lengths(g)[r];
  GrB_Info info = grid_ctx.transport->allreduce(GRID_SET_ALL, &longest, 1, GRID_MAX);
  if (info != GrB_SUCCESS) return info;
  if (s->capacity < longest) s->capacity = longest;
  s->of = grid_calloc((size_t)grid_ctx.C, sizeof *s->of);
  if (!s->of) info = grid_fail_memory(&s->A->head, "entries of pages", (uint64_t)grid_ctx.C, sizeof *s->of);
  for (int j = 0; info == GrB_SUCCESS && j < grid_ctx.C; j++) info = make_segment(s, &s->of[j]);
  return grid_agree(&s->A->head, info);
}

static GrB_Info spread_columns(broadcast *s) {
  GrB_Info info = make_segments(s), read = GrB_SUCCESS;
  if (info != GrB_SUCCESS) return info;
  for (int k = 0; k < grid_ctx.P; k++)
    if (s->shared || k % grid_ctx.R == grid_ctx.i) TRY(spread_chunk(s, k, &read));
done:
  return info == GrB_SUCCESS ? read : info;
}

/* ---- lists ---- */

static GrB_Info count_columns(void *context, const grid_local_matrix *rows, uint64_t first) {
  uint64_t *count = context;
  (void)first;
  for (uint64_t e = 0; e < rows->nvals; e++) count[rows->by_row.idx[e]]++;
  return GrB_SUCCESS;
}

/* *count, to be freed: the entries of each listed row (column) of the block, on all its processes. */
static GrB_Info count_entries(uint64_t **count, GrB_Matrix A, bool rows) {
  const uint64_t n = rows ? A->block.row.n : A->block.col.n;
  GrB_Info info = GrB_SUCCESS;
  *count = grid_calloc(n, sizeof **count);
  if (!*count) info = grid_fail_memory(&A->head, "lengths of rows or columns", n, sizeof **count);
  for (uint64_t k = 0; k < n && rows && *count; k++) (*count)[k] = grid_pages_lengths(A->pages)[k];
  if (info == GrB_SUCCESS && !rows) info = grid_pages_stream(A->pages, NULL, count_columns, *count);
  info = grid_agree(&A->head, info);
  if (info != GrB_SUCCESS) return info;
  return grid_ctx.transport->allreduce(rows ? GRID_SET_ROW : GRID_SET_COL, *count, n, GRID_SUM);
}

GrB_Info grid_paged_list(grid_axis *list, GrB_Matrix A, bool rows) {
  const grid_axis *axis = rows ? &A->block.row : &A->block.col;
  const uint64_t dim = rows ? A->nrows : A->ncols;
  const int s = rows ? grid_ctx.j : grid_ctx.i; /* this process's chunk in the block */
  const uint64_t offset = grid_block_offset(dim, rows, s), begin = grid_axis_bound(axis, offset),
                 end = grid_axis_bound(axis, grid_block_offset(dim, rows, s + 1));
  uint64_t *count = NULL, *local = NULL, *all = NULL, n = 0, total;
  GrB_Info info = count_entries(&count, A, rows);
  if (info != GrB_SUCCESS) goto done;
  local = grid_malloc(end - begin, sizeof *local);
  for (uint64_t k = begin; local && k < end; k++)
    if (count[k]) local[n++] = grid_axis_id(axis, k) - offset + grid_chunk_first(dim, grid_ctx.k);
  total = n;
  if (!local) info = grid_fail_memory(&A->head, "a list of rows or columns", end - begin, sizeof *local);
  TRY(grid_agree_sum(&A->head, info, &total, 1));
  TRY(grid_gather_elements(local, n, sizeof *local, (void **)&all));
  *list = (grid_axis){.dim = dim};
  TRY(grid_agree(&A->head, grid_axis_list(list, total)));
  for (uint64_t k = 0; k < total; k++) grid_axis_store(list, k, all[k]);
done:
  grid_free(count);
  grid_free(local);
  grid_free(all);
  return info;
}

/* ---- entry point ---- */

GrB_Info grid_paged_entries(GrB_Matrix A, bool local_only, bool values, grid_paged_visit *visit,
                            void *context) {
  broadcast s = {.A = A, .shared = !local_only && grid_ctx.P > 1, .visit = visit, .context = context};
  uint64_t any_values = values; /* processes may differ in wanting values, but segments are alike */
  GrB_Info info = GrB_SUCCESS;
  if (s.shared || grid_ctx.C > 1) TRY(grid_agree_sum(&A->head, info, &any_values, 1));
  s.size = any_values ? A->type->size : 0;
  s.capacity = grid_tune.page_read_bytes / (2 * sizeof(uint64_t) + s.size) + 1;
  info = grid_ctx.C == 1 ? spread_replicated(&s) : spread_columns(&s);
  info = grid_agree(&A->head, info);
done:
  grid_free(s.local.bytes);
  for (int j = 0; s.of && j < grid_ctx.C; j++) grid_free(s.of[j].bytes);
  grid_free(s.of);
  return info;
}
