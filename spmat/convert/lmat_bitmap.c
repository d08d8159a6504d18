/* Converts rows to a bitmap and back; see lmat_bitmap.h. Both directions process segments of whole bitmap
 * words, so that threads never write the same word. */
#include "spmat/convert/lmat_bitmap.h"

#include <string.h>

#include "spmat/convert/lmat_format.h"
#include "spmat/matrix/axis.h"
#include "spmat/vector/bitmap_words.h"

/* Words and positions of a segment. */
enum { WORDS = 256, SEGMENT = 64 * WORDS };

/* ---- rows to bitmap ------------------------------------------------------------------------------------ */

typedef struct {
  grid_chunk *c;
  const grid_local_matrix *p;
  uint64_t cols;
  size_t size; /* of a value; 0: iso */
} writer;

/* Writes the entries of vector v with positions in [from, to). */
static void write_row(const writer *w, uint64_t v, uint64_t from, uint64_t to) {
  const grid_local_matrix *p = w->p;
  const uint64_t row = grid_axis_id(&p->row, v) * w->cols;
  const uint64_t begin = from > row ? from - row : 0, end = to - row < w->cols ? to - row : w->cols;
  uint64_t e = grid_vector_start(&p->by_row, v);
  const uint64_t last = grid_vector_start(&p->by_row, v + 1);
  if (begin) e = grid_first_entry(p->by_row.idx, e, last, grid_axis_bound(&p->col, begin));
  for (; e < last; e++) {
    const uint64_t col = grid_axis_id(&p->col, p->by_row.idx[e]), position = row + col;
    if (col >= end) break;
    w->c->bits[position >> 6] |= UINT64_C(1) << (position & 63);
    if (w->size)
      memcpy((char *)w->c->val + position * w->size, (const char *)p->by_row.val + e * w->size, w->size);
  }
}

static void write_segment(const writer *w, uint64_t from, uint64_t to) {
  const grid_axis *rows = &w->p->row;
  for (uint64_t v = grid_axis_bound(rows, from / w->cols);
       v < rows->n && grid_axis_id(rows, v) * w->cols < to; v++)
    write_row(w, v, from, to);
}

static void write_bitmap(const writer *w) {
  const uint64_t words = grid_words(w->c->n);
#pragma omp parallel for schedule(dynamic, 4) num_threads(grid_word_threads(words))
  for (uint64_t at = 0; at < words; at += WORDS) {
    const uint64_t n = words - at < WORDS ? words - at : WORDS, end = 64 * (at + n);
    memset(w->c->bits + at, 0, n * sizeof *w->c->bits);
    write_segment(w, 64 * at, end < w->c->n ? end : w->c->n);
  }
}

/* Few entries stay a list: clearing a bitmap would cost more. */
static GrB_Info write_list(const writer *w) {
  const grid_local_matrix *p = w->p;
  GrB_Info info = grid_chunk_reserve_list(w->c, p->nvals, p->iso);
  uint64_t at = 0;
  for (uint64_t v = 0; info == GrB_SUCCESS && v < p->row.n; v++)
    for (uint64_t e = grid_vector_start(&p->by_row, v); e < grid_vector_start(&p->by_row, v + 1); e++)
      w->c->idx[at++] = grid_axis_id(&p->row, v) * w->cols + grid_axis_id(&p->col, p->by_row.idx[e]);
  if (info == GrB_SUCCESS && w->size) memcpy(w->c->val, p->by_row.val, p->nvals * w->size);
  return info;
}

GrB_Info grid_lmat_to_chunk(grid_chunk *c, const grid_local_matrix *p, uint64_t rows, uint64_t cols) {
  const bool full = p->nvals == rows * cols, sparse = p->nvals <= rows * cols / GRID_LIST_SHARE;
  const writer w = {.c = c, .p = p, .cols = cols, .size = p->iso ? 0 : p->type->size};
  GrB_Info info;
  grid_chunk_init(c, p->type, rows * cols);
  if (p->nvals == 0) return GrB_SUCCESS;
  if (sparse)
    TRY(write_list(&w));
  else
    TRY(full ? grid_chunk_reserve_val(c, p->iso ? 1 : c->n) : grid_chunk_reserve_dense(c, p->iso));
  c->iso = p->iso, c->nvals = p->nvals;
  if (p->iso) memcpy(c->val, p->iso_val, p->type->size);
  if (sparse) goto done;
  if (!full)
    write_bitmap(&w);
  else if (!p->iso)
    grid_copy_bytes(c->val, p->by_row.val, c->n * w.size);
  c->format = full ? GRID_FULL : GRID_BITMAP;
done:
  if (info != GrB_SUCCESS) grid_chunk_free(c);
  return info;
}

/* ---- bitmap to rows ------------------------------------------------------------------------------------ */

typedef struct {
  grid_local_matrix *p;
  const grid_chunk *c;
  uint64_t cols;
  grid_offsets start;
  size_t size;
  uint64_t *before; /* entries before each segment */
} reader;

static uint64_t word_of(const grid_chunk *c, uint64_t w) {
  return c->format == GRID_FULL ? grid_tail(c->n, w) : c->bits[w];
}

/* A reader's state: number of the next entry, its row, and where that row ends. */
typedef struct {
  uint64_t at, row, end;
} cursor;

/* Rows that begin up to `position` begin here. */
static inline void begin_rows(const reader *r, cursor *k, uint64_t position) {
  while (k->end <= position) {
    grid_offset_set(r->start, ++k->row, k->at);
    k->end += r->cols;
  }
}

static void read_segment(const reader *r, uint64_t segment) {
  const grid_chunk *c = r->c;
  const uint64_t first = segment * WORDS, words = grid_words(c->n),
                 last = first + WORDS < words ? first + WORDS : words;
  /* a row that begins with the segment belongs to it */
  const uint64_t before = first ? (64 * first - 1) / r->cols : 0;
  cursor k = {r->before[segment], before, (before + 1) * r->cols};
  if (first == 0) grid_offset_set(r->start, 0, 0);
  for (uint64_t w = first; w < last; w++)
    for (uint64_t s = word_of(c, w); s; s &= s - 1) {
      const uint64_t position = 64 * w + (uint64_t)__builtin_ctzll(s);
      begin_rows(r, &k, position);
      r->p->by_row.idx[k.at] = (uint32_t)(position - (k.end - r->cols));
      if (r->size)
        memcpy((char *)r->p->by_row.val + k.at * r->size, (const char *)c->val + position * r->size, r->size);
      k.at++;
    }
  const uint64_t end = 64 * last < c->n ? 64 * last : c->n;
  if (end) begin_rows(r, &k, end - 1);
}

/* Number of nonempty rows of a list. */
static uint64_t count_rows(const grid_chunk *c, uint64_t cols) {
  uint64_t n = 0, end = 0;
  for (uint64_t k = 0; k < c->nvals; k++) {
    n += c->idx[k] >= end;
    if (c->idx[k] >= end) end = (c->idx[k] / cols + 1) * cols;
  }
  return n;
}

/* All rows, or those that the axis will list. */
static void read_list(const reader *r) {
  const grid_chunk *c = r->c;
  grid_axis *rows = &r->p->row;
  uint64_t next = 0, row = 0, end = 0;
  for (uint64_t k = 0; k < c->nvals; k++) {
    if (c->idx[k] >= end) {
      row = c->idx[k] / r->cols, end = (row + 1) * r->cols;
      if (rows->ids) grid_axis_store(rows, next, row);
      for (const uint64_t last = rows->ids ? next : row; next <= last; next++)
        grid_offset_set(r->start, next, k);
    }
    r->p->by_row.idx[k] = (uint32_t)(c->idx[k] - row * r->cols);
  }
  for (; next <= rows->n; next++) grid_offset_set(r->start, next, c->nvals);
  if (r->size) memcpy(r->p->by_row.val, c->val, c->nvals * r->size);
}

static GrB_Info count_before(reader *r) {
  const uint64_t words = grid_words(r->c->n), segments = (words + WORDS - 1) / WORDS;
  r->before = grid_malloc(segments, sizeof *r->before);
  if (!r->before) return grid_fail_memory(NULL, "counts of entries", segments, sizeof *r->before);
#pragma omp parallel for schedule(static) num_threads(grid_word_threads(words))
  for (uint64_t k = 0; k < segments; k++) {
    uint64_t n = 0;
    for (uint64_t w = k * WORDS; w < (k + 1) * WORDS && w < words; w++)
      n += (uint64_t)__builtin_popcountll(word_of(r->c, w));
    r->before[k] = n;
  }
  uint64_t sum = 0;
  for (uint64_t k = 0; k < segments; k++) {
    const uint64_t n = r->before[k];
    r->before[k] = sum;
    sum += n;
  }
  return GrB_SUCCESS;
}

static void read_all(const reader *r) {
  const uint64_t words = grid_words(r->c->n), segments = (words + WORDS - 1) / WORDS;
#pragma omp parallel for schedule(dynamic, 4) num_threads(grid_word_threads(words))
  for (uint64_t k = 0; k < segments; k++) read_segment(r, k);
}

GrB_Info grid_lmat_from_chunk(grid_local_matrix *p, const grid_chunk *c, uint64_t rows, uint64_t cols) {
  reader r = {.p = p, .c = c, .cols = cols, .size = c->iso || !c->nvals ? 0 : c->type->size};
  GrB_Info info = GrB_SUCCESS;
  const uint64_t nonempty = c->format == GRID_LIST ? count_rows(c, cols) : 0;
  p->row.n = p->row.dim, p->col.n = p->col.dim;
  if (c->format == GRID_LIST && grid_axis_is_hyper_for(&p->row, c->nvals, nonempty))
    TRY(grid_axis_list(&p->row, nonempty));
  const bool made = grid_offsets_make(&r.start, p->row.n + 1, c->nvals);
  p->by_row = (grid_compressed){.ptr = r.start.offsets32, .offsets64 = r.start.offsets64};
  p->by_row.idx = grid_malloc(c->nvals, sizeof *p->by_row.idx);
  p->by_row.val = c->iso ? NULL : grid_malloc(c->nvals, c->type->size);
  if (!made || !p->by_row.idx || (!c->iso && !p->by_row.val))
    TRY(grid_fail_memory(NULL, "matrix rows", c->nvals, sizeof *p->by_row.idx + c->type->size));
  if (c->iso) TRY(grid_lmat_set_iso(p, c->val));
  p->nvals = c->nvals;
  if (c->format == GRID_LIST) {
    read_list(&r);
  } else {
    TRY(count_before(&r));
    read_all(&r);
    /* rows after the last entry; or all */
    for (uint64_t v = c->n ? rows : 0; v <= p->row.dim; v++) grid_offset_set(r.start, v, c->nvals);
  }
  TRY(grid_lmat_choose_format(p));
done:
  grid_free(r.before);
  if (info != GrB_SUCCESS) grid_lmat_free(p);
  return info;
}
