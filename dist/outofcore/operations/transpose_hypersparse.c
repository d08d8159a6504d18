/* The transpose of a hypersparse matrix that is out of core. The pages number listed rows and columns, and an
 * entry's numbers in the result follow from those in A. So pages are read once, the entries sent to the
 * processes of their new blocks, round by round, and sorted there on disk. The lists are exchanged. */
#include "dist/matrix/storage/matrix_outofcore.h"
#include "dist/outofcore/operations/outofcore_run.h"
#include "dist/outofcore/operations/permute_sorted.h"
#include "spmat/convert/lmat_format.h"
#include "spmat/matrix/axis.h"

/* Fraction of the remaining budget for the entries of a round, and bytes that each takes. */
enum { SHARE_SENT = 16, SENT_BYTES = 64, MIN_SENT = 64 };
/* Bytes of values that are moved at a time. Fraction of the remaining budget for the rows whose values are
 * joined of words. Bytes that an entry takes beside its value. */
enum { WORD = sizeof(uint64_t), SHARE_JOINED = 6, JOINED_BYTES = 24 };

/* Listed columns (rows) of A in one chunk, the chunk-th: first .. end of the block's. The result's rows
 * (columns) list them from `at` on. */
typedef struct {
  uint64_t first, end, at;
  int chunk;
} moved_chunk;

typedef struct {
  GrB_Matrix A;
  moved_chunk *rows, *cols; /* of A's block */
  grid_entry_sort sort;     /* gets this process's entries */
  bool iso;                 /* all values are `one`, of A's type; */
  char *one;                /* else each is moved in words of up to 8 bytes, of which this pass moves one: */
  size_t at, size;          /* its offset and bytes */
  /* n entries that wait for the next round, each of `words` words: row << 32 | column in the result's block
   * of process to[k], and a word of the value unless it is `one` */
  uint64_t n, capacity, words, *entry;
  int *to;
  bool is_done; /* no process has more, or one has failed: the outcome is agreed on */
} transposing;

/* ---- positions ---- */

/* The chunks of A's block. */
static void divide_axis(moved_chunk *chunk, const grid_axis *axis, uint64_t dim, bool rows) {
  for (int s = 0; s < grid_block_chunks(rows); s++)
    chunk[s] = (moved_chunk){.first = grid_axis_bound(axis, grid_block_offset(dim, rows, s)),
                             .end = grid_axis_bound(axis, grid_block_offset(dim, rows, s + 1)),
                             .chunk = grid_block_chunk(rows, s)};
}

static uint64_t count_listed(const moved_chunk *c) {
  return c->end - c->first;
}

/* Sets `at` of all chunks. The owner of a chunk says how many of its rows and columns are listed. */
static GrB_Info place_chunks(transposing *x) {
  const int P = grid_ctx.P, R = grid_ctx.R;
  const uint64_t local[2] = {count_listed(&x->cols[grid_ctx.i]), count_listed(&x->rows[grid_ctx.j])};
  uint64_t(*listed)[2] = grid_malloc((uint64_t)P, sizeof *listed);
  GrB_Info info =
      listed ? GrB_SUCCESS : grid_fail_memory(NULL, "lengths of lists", (uint64_t)P, sizeof *listed);
  TRY(grid_agree(&x->A->head, info));
  TRY(grid_ctx.transport->allgather(GRID_SET_ALL, local, sizeof local, listed));
  for (int s = 0; s < R; s++) /* a block has the rows of every R-th chunk */
    for (int k = x->cols[s].chunk - R; k >= 0; k -= R) x->cols[s].at += listed[k][0];
  for (int s = 0; s < grid_ctx.C; s++) /* ... and the columns of R consecutive ones */
    for (int k = x->rows[s].chunk; k-- % R;) x->rows[s].at += listed[k][1];
done:
  grid_free(listed);
  return info;
}

/* *to = the list of the result's block: each process of the set gives the part of its chunk, `local` of A's
 * axis, whose ids begin at `offset`. */
static GrB_Info gather_list(grid_axis *to, grid_set set, uint64_t dim, const grid_axis *from,
                            const moved_chunk *local, uint64_t offset) {
  const size_t size = (size_t)grid_set_size(set);
  const uint64_t n = count_listed(local);
  uint64_t *local_ids = grid_malloc(n, sizeof *local_ids), *all = NULL, at = 0;
  size_t *bytes = grid_calloc(4 * size, sizeof *bytes); /* those sent, their offsets 0; those received */
  GrB_Info info =
      local_ids && bytes ? GrB_SUCCESS : grid_fail_memory(NULL, "a list of rows", n, sizeof *local_ids);
  TRY(grid_agree(NULL, info));
  for (uint64_t k = 0; k < n; k++) local_ids[k] = grid_axis_id(from, local->first + k) - offset;
  for (size_t r = 0; r < size; r++) bytes[r] = n * sizeof *local_ids;
  const size_t *in = bytes + 2 * size;
  TRY(grid_exchange_alloc(set, local_ids, bytes, bytes + size, (void **)&all, bytes + 2 * size,
                          bytes + 3 * size));
  for (size_t r = 0; r < size; r++) to->n += in[r] / sizeof *all;
  TRY(grid_agree(NULL, grid_axis_list(to, to->n)));
  for (size_t r = 0; r < size; r++)
    for (const uint64_t end = at + in[r] / sizeof *all; at < end; at++)
      grid_axis_store(to, at, all[at] + grid_member_offset(set, dim, (int)r));
done:
  grid_free(all);
  grid_free(local_ids);
  grid_free(bytes);
  return info;
}

/* The lists of the result's block. */
static GrB_Info gather_lists(grid_axis axes[2], const transposing *x) {
  const GrB_Matrix A = x->A;
  const int i = grid_ctx.i, j = grid_ctx.j;
  const GrB_Info info = gather_list(&axes[0], GRID_SET_ROW, A->ncols, &A->block.col, &x->cols[i],
                                    grid_block_offset(A->ncols, false, i));
  return info != GrB_SUCCESS ? info
                             : gather_list(&axes[1], GRID_SET_COL, A->nrows, &A->block.row, &x->rows[j],
                                           grid_block_offset(A->nrows, true, j));
}

/* ---- entries ---- */

/* Sets iso, one and words. Pages without entries have no value, so processes with entries decide. */
static GrB_Info agree_on_value(transposing *x) {
  const grid_pages *g = x->A->pages;
  if (g->one) memcpy(x->one, g->one, g->type->size);
  const GrB_Info info = grid_agree_on_iso_value(NULL, GrB_SUCCESS, grid_pages_nvals(g) > 0, g->one,
                                                g->type->size, x->one, &x->iso);
  x->words = x->iso ? 1 : 2;
  return info;
}

static GrB_Info sort_entry(transposing *x, const uint64_t *entry) {
  return grid_entry_sort_append(&x->sort, *entry >> 32, *entry & UINT32_MAX, x->words > 1 ? entry + 1 : NULL);
}

/* *sent = the waiting entries by process; count[p]: how many p gets; next: of the same length. */
static GrB_Info group_entries(const transposing *x, uint64_t **sent, uint64_t *count, uint64_t *next) {
  const size_t size = x->words * sizeof **sent;
  *sent = grid_malloc(x->n, size);
  if (!*sent) return grid_fail_memory(NULL, "entries to send", x->n, size);
  for (uint64_t e = 0; e < x->n; e++) count[x->to[e]]++;
  for (int p = 1; p < grid_ctx.P; p++) next[p] = next[p - 1] + count[p - 1];
  for (uint64_t e = 0; e < x->n; e++)
    memcpy(*sent + next[x->to[e]]++ * x->words, x->entry + e * x->words, size);
  return GrB_SUCCESS;
}

/* Sends the waiting entries and sorts those received. info: the outcome so far; is_last: this process has no
 * more. Collective, agreed on but for what it sorts. */
static GrB_Info exchange_entries(transposing *x, GrB_Info info, bool is_last) {
  const uint64_t P = (uint64_t)grid_ctx.P;
  uint64_t open = !is_last, *sent = NULL, *received = NULL, n = 0, *count = grid_calloc(2 * P, sizeof *count);
  if (info == GrB_SUCCESS)
    info = count ? group_entries(x, &sent, count, count + P) : grid_fail_memory(NULL, "counts", 2 * P, 8);
  x->is_done = true;
  TRY(grid_agree_sum(&x->A->head, info, &open, 1));
  TRY(grid_exchange_elements(sent, count, x->words * sizeof *sent, (void **)&received, &n));
  x->is_done = open == 0;
  x->n = 0;
  for (uint64_t e = 0; e < n && info == GrB_SUCCESS; e++) info = sort_entry(x, received + e * x->words);
done:
  grid_free(count);
  grid_free(sent);
  grid_free(received);
  return info;
}

/* An entry in these chunks of the rows and columns. */
static GrB_Info append_entry(transposing *x, const moved_chunk *row, uint64_t r, const moved_chunk *col,
                             uint64_t c, const void *value) {
  GrB_Info info = GrB_SUCCESS;
  uint64_t entry[2] = {(col->at + c - col->first) << 32 | (row->at + r - row->first), 0};
  if (value) memcpy(&entry[1], (const char *)value + x->at, x->size);
  if (grid_ctx.P == 1) return sort_entry(x, entry);
  if (x->n == x->capacity) info = exchange_entries(x, info, false);
  if (info != GrB_SUCCESS) return info;
  x->to[x->n] = row->chunk / grid_ctx.R * grid_ctx.R + col->chunk % grid_ctx.R;
  memcpy(x->entry + x->n++ * x->words, entry, x->words * sizeof *entry);
  return info;
}

static GrB_Info append_rows(void *context, const grid_local_matrix *rows, uint64_t first) {
  transposing *x = context;
  const grid_compressed *c = &rows->by_row;
  const moved_chunk *row = x->rows;
  GrB_Info info = GrB_SUCCESS;
  for (uint64_t r = 0; r < rows->row.n; r++) {
    const moved_chunk *col = x->cols;
    while (first + r >= row->end && c->ptr[r] < c->ptr[r + 1]) row++;
    for (uint64_t e = c->ptr[r]; e < c->ptr[r + 1]; e++) {
      while (c->idx[e] >= col->end) col++;
      TRY(append_entry(x, row, first + r, col, c->idx[e], x->words > 1 ? grid_lmat_value(rows, e) : NULL));
    }
  }
done:
  return info;
}

static GrB_Info allocate(transposing *x) {
  const uint64_t P = (uint64_t)grid_ctx.P, C = (uint64_t)grid_ctx.C, R = (uint64_t)grid_ctx.R,
                 most = grid_slice_bytes(SHARE_SENT) / SENT_BYTES / P;
  x->capacity = P == 1 ? 0 : most > MIN_SENT ? most : MIN_SENT;
  x->rows = grid_calloc(C, sizeof *x->rows), x->cols = grid_calloc(R, sizeof *x->cols);
  x->entry = grid_malloc(x->capacity, 2 * sizeof *x->entry);
  x->to = grid_malloc(x->capacity, sizeof *x->to);
  x->one = grid_calloc(1, x->A->type->size);
  return x->rows && x->cols && x->entry && x->to && x->one
             ? GrB_SUCCESS
             : grid_fail_memory(NULL, "entries to send", x->capacity, 2 * sizeof *x->entry);
}

/* *out, to be freed also after an error: pages of this type with the entries, and with x->size bytes of their
 * values from x->at on. Collective, agreed on. */
static GrB_Info move_entries(grid_pages **out, transposing *x, const grid_axis axes[2], GrB_Type type) {
  const GrB_Matrix A = x->A;
  const char *path = A->pages->path;
  GrB_Info info = grid_pages_new(out, path, type, axes[0].n, axes[1].n);
  x->is_done = false;
  if (info == GrB_SUCCESS)
    info =
        grid_entry_sort_begin(&x->sort, path, axes[0].n, axes[1].n, x->iso ? 0 : type->size, A->block.nvals);
  if (info == GrB_SUCCESS) info = grid_pages_stream(A->pages, NULL, append_rows, x);
  while (!x->is_done) info = exchange_entries(x, info, true);
  if (info == GrB_SUCCESS) info = grid_entry_sort_write(&x->sort, *out, type, x->iso ? x->one : NULL);
  grid_entry_sort_end(&x->sort);
  if (info == GrB_SUCCESS) grid_pages_complete(*out);
  return grid_agree(&A->head, info);
}

/* ---- values of several words ---- */

/* The entries, with one word of their values. */
typedef struct {
  grid_pages *pages;
} word_pages;

static size_t word_size(const grid_pages *g, size_t at) {
  return g->type->size - at < WORD ? g->type->size - at : WORD;
}

/* Appends rows first .. end, whose values are n, from the pages of their words. */
static GrB_Info join_rows(grid_pages *out, const word_pages *word, uint64_t first, uint64_t end, uint64_t n) {
  const size_t size = out->type->size;
  grid_local_matrix part;
  grid_expanded_lmat rows = {0};
  GrB_Info info = GrB_SUCCESS;
  char *val = grid_malloc(n, size);
  grid_lmat_init(&part, GrB_UINT64, out->rows, out->cols);
  if (!val) TRY(grid_fail_memory(NULL, "values of moved entries", n, size));
  for (size_t at = 0; at < size; at += WORD) {
    grid_lmat_free(&part);
    TRY(grid_pages_read_rows(&part, word[at / WORD].pages, first, end));
    for (uint64_t e = 0; e < n; e++)
      memcpy(val + e * size + at, grid_lmat_value(&part, e), word_size(out, at));
  }
  TRY(grid_lmat_expand_hyper(&rows, &part, true));
  rows.lmat.type = out->type, rows.lmat.by_row.val = val;
  info = grid_pages_append(out, first, &rows.lmat, first, end);
done:
  grid_expanded_lmat_free(&rows);
  grid_lmat_free(&part);
  grid_free(val);
  return info;
}

static GrB_Info join_words(grid_pages *out, const word_pages *word) {
  const uint32_t *length = grid_pages_lengths(word->pages);
  const uint64_t entry_bytes = out->type->size + JOINED_BYTES;
  GrB_Info info = GrB_SUCCESS;
  for (uint64_t row = 0, end; row < out->rows && info == GrB_SUCCESS; row = end) {
    const uint64_t most = grid_slice_bytes(SHARE_JOINED) / entry_bytes;
    uint64_t n = 0;
    for (end = row; end < out->rows && (end == row || n + length[end] <= most); end++) n += length[end];
    if (n) info = join_rows(out, word, row, end, n);
  }
  return info;
}

/* As move_entries, for values above a word: their words are moved one after the other. */
static GrB_Info move_words(grid_pages **out, transposing *x, const grid_axis axes[2]) {
  const GrB_Matrix A = x->A;
  const size_t size = A->type->size, words = (size + WORD - 1) / WORD;
  word_pages *word = grid_calloc(words, sizeof *word);
  GrB_Info info =
      grid_agree(&A->head, word ? GrB_SUCCESS : grid_fail_memory(NULL, "pages", words, sizeof *word));
  for (size_t k = 0; k < words && info == GrB_SUCCESS; k++) {
    x->at = k * WORD, x->size = word_size(A->pages, x->at);
    info = move_entries(&word[k].pages, x, axes, GrB_UINT64);
  }
  if (info == GrB_SUCCESS) info = grid_pages_new(out, A->pages->path, A->type, axes[0].n, axes[1].n);
  if (info == GrB_SUCCESS) info = join_words(*out, word);
  if (info == GrB_SUCCESS) grid_pages_complete(*out);
  for (size_t k = 0; word && k < words; k++) grid_pages_free(word[k].pages);
  grid_free(word);
  return info;
}

static void free_all(transposing *x) {
  grid_free(x->rows);
  grid_free(x->cols);
  grid_free(x->entry);
  grid_free(x->to);
  grid_free(x->one);
}

GrB_Info grid_transpose_hypersparse(GrB_Matrix C, GrB_Matrix A) {
  const bool symmetric = A->properties.symmetric; /* C may be A */
  grid_axis axes[2] = {{.dim = C->block.row.dim}, {.dim = C->block.col.dim}};
  transposing x = {.A = A};
  grid_pages *out = NULL;
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_agree(&C->head, allocate(&x)));
  divide_axis(x.rows, &A->block.row, A->nrows, true);
  divide_axis(x.cols, &A->block.col, A->ncols, false);
  TRY(place_chunks(&x));
  TRY(agree_on_value(&x));
  TRY(gather_lists(axes, &x));
  x.size = A->type->size;
  info = x.iso || x.size <= WORD ? move_entries(&out, &x, axes, A->type) : move_words(&out, &x, axes);
  info = grid_paged_adopt(C, out, axes, info);
  axes[0].ids = axes[1].ids = NULL;
  if (info == GrB_SUCCESS) C->properties.symmetric = symmetric;
done:
  grid_free(axes[0].ids);
  grid_free(axes[1].ids);
  free_all(&x);
  return info;
}
