/* See mxm_bitwords.h. Bitmaps are stored by rows, words by columns: blocks of 64 x 64 bits are transposed
 * when they are read and written. */
#include "spmat/cpu/mxm/mxm_bitwords.h"

#include <string.h>

#include "spmat/vector/bitmap_words.h"

enum {
  BLOCK = 64,
  CACHE_LINE_WORDS = 8,
  UNROLL = 8,
  RANGE = 1 << 14,
  COLUMNS_AT_A_TIME = 1024,
  ROWS_AT_A_TIME = 1024
};

/* Bit c of row k becomes bit k of row c. */
static void transpose(uint64_t *m) {
  uint64_t low = UINT64_MAX >> 32;
  for (unsigned half = BLOCK / 2; half > 0; half /= 2, low ^= low << half)
    for (unsigned k = 0; k < BLOCK; k = (k + half + 1) & ~half) {
      const uint64_t swap = ((m[k] >> half) ^ m[k + half]) & low;
      m[k] ^= swap << half;
      m[k + half] ^= swap;
    }
}

/* word[c]: bit r for each row first + r with column c; returns the OR of all. Rows are often a power of two
 * apart, in one cache set, so a whole cache line of each is read at once. */
static uint64_t read_words(uint64_t *word, const grid_position_bits *p, uint64_t first) {
  const uint64_t rows = p->rows - first < BLOCK ? p->rows - first : BLOCK;
  uint64_t any = 0;
#pragma omp parallel for schedule(static) reduction(| : any)
  for (uint64_t c = 0; c < p->cols; c += CACHE_LINE_WORDS * BLOCK) {
    uint64_t m[CACHE_LINE_WORDS][BLOCK] = {{0}};
    for (uint64_t r = 0; r < rows; r++)
      for (uint64_t b = 0, at = c; b < CACHE_LINE_WORDS && at < p->cols; b++, at += BLOCK)
        m[b][r] = grid_position_window(p, (first + r) * p->cols + at, p->cols - at);
    for (uint64_t b = 0, at = c; b < CACHE_LINE_WORDS && at < p->cols; b++, at += BLOCK) {
      const uint64_t width = p->cols - at < BLOCK ? p->cols - at : BLOCK;
      transpose(m[b]);
      for (uint64_t k = 0; k < width; k++) any |= word[at + k] = m[b][k];
    }
  }
  return any;
}

/* The same for a local matrix: row k's entries in columns c .. end - 1. */
static uint64_t read_row(uint64_t *word, const grid_local_matrix *p, uint64_t k, uint64_t bit, uint64_t c,
                         uint64_t end) {
  const uint64_t to = grid_vector_start(&p->by_row, k + 1);
  uint64_t e =
      grid_first_entry(p->by_row.idx, grid_vector_start(&p->by_row, k), to, grid_axis_bound(&p->col, c));
  const uint64_t from = e;
  for (; e < to; e++) {
    const uint64_t at = grid_axis_id(&p->col, p->by_row.idx[e]);
    if (at >= end) break;
    word[at] |= bit;
  }
  return e > from ? bit : 0;
}

/* Each thread takes a range of columns. */
static uint64_t read_rows(uint64_t *word, const grid_mxm_bits_a *a, uint64_t first) {
  const grid_axis *row = &a->lmat->row;
  const uint64_t from = grid_axis_bound(row, first), to = grid_axis_bound(row, first + BLOCK);
  uint64_t any = 0;
#pragma omp parallel for schedule(dynamic, 1) reduction(| : any)
  for (uint64_t c = 0; c < a->inner; c += RANGE) {
    const uint64_t end = a->inner - c < RANGE ? a->inner : c + RANGE;
    memset(word + c, 0, (end - c) * sizeof *word);
    for (uint64_t k = from; k < to; k++)
      any |= read_row(word, a->lmat, k, UINT64_C(1) << (grid_axis_id(row, k) - first), c, end);
  }
  return any;
}

static inline uint64_t or_eight(const uint32_t *idx, const uint64_t *x) {
  return ((x[idx[0]] | x[idx[1]]) | (x[idx[2]] | x[idx[3]])) |
         ((x[idx[4]] | x[idx[5]]) | (x[idx[6]] | x[idx[7]]));
}

/* 1 to 7 words, some of them twice, since a mispredicted branch costs more. */
static inline uint64_t join_short(const uint32_t *idx, uint64_t n, const uint64_t *x) {
  const uint64_t last = n - 1;
  const uint64_t low =
      (x[idx[0]] | x[idx[last < 1 ? last : 1]]) | (x[idx[last < 2 ? last : 2]] | x[idx[last < 3 ? last : 3]]);
  return last < 4 ? low : low | x[idx[4]] | x[idx[last < 5 ? last : 5]] | x[idx[last]];
}

/* The bits of `wanted` that column j gets. The hub neighbor, which likely has most of them, is read first. A
 * long column ends with its last eight words, some of which are repeated. */
static inline uint64_t or_rows(const grid_compressed *b, uint64_t j, const uint64_t *x, uint64_t wanted) {
  const uint64_t from = grid_vector_start(b, j), n = grid_vector_start(b, j + 1) - from;
  const uint32_t *idx = b->idx + from;
  uint64_t found = 0, e = 0;
  if (n == 0 || !wanted) return 0;
  if (b->hub_neighbor) found = x[b->hub_neighbor[j]];
  if ((found & wanted) == wanted) return wanted;
  if (n < UNROLL) return (found | join_short(idx, n, x)) & wanted;
  for (; e + UNROLL <= n; e += UNROLL) {
    found |= or_eight(idx + e, x);
    if ((found & wanted) == wanted) return wanted;
  }
  if (e < n) found |= or_eight(idx + n - UNROLL, x);
  return found & wanted;
}

static void or_word(uint64_t *word, uint64_t bits, bool shared) {
  if (!shared)
    *word |= bits;
  else if (bits)
    __atomic_fetch_or(word, bits, __ATOMIC_RELAXED);
}

static void or_from(uint64_t *t, uint64_t at, uint64_t bits, bool shared) {
  const unsigned shift = at & 63;
  or_word(t + (at >> 6), bits << shift, shared);
  if (shift && bits >> (BLOCK - shift)) or_word(t + (at >> 6) + 1, bits >> (BLOCK - shift), shared);
}

/* Rows that do not begin at a word share words with other blocks. */
static void write_words(uint64_t *t, const uint64_t *word, uint64_t first, uint64_t all, uint64_t cols) {
  const bool shared = cols % BLOCK != 0;
  const uint64_t rows = all - first < BLOCK ? all - first : BLOCK;
#pragma omp parallel for schedule(static)
  for (uint64_t c = 0; c < cols; c += CACHE_LINE_WORDS * BLOCK) {
    uint64_t m[CACHE_LINE_WORDS][BLOCK] = {{0}};
    for (uint64_t b = 0, at = c; b < CACHE_LINE_WORDS && at < cols; b++, at += BLOCK) {
      memcpy(m[b], word + at, (cols - at < BLOCK ? cols - at : BLOCK) * sizeof **m);
      transpose(m[b]);
    }
    for (uint64_t r = 0; r < rows; r++)
      for (uint64_t b = 0, at = (first + r) * cols + c; b < CACHE_LINE_WORDS && c + b * BLOCK < cols;
           b++, at += BLOCK)
        or_from(t, at, m[b][r], shared);
  }
}

void grid_mxm_bits(uint64_t *t, const grid_mxm_bits_a *a, const grid_position_bits *allowed,
                   const grid_compressed *b, uint64_t *x, uint64_t *y) {
  for (uint64_t first = 0; first < a->rows; first += BLOCK) {
    /* other rows get nothing */
    const uint64_t any = a->positions ? read_words(x, a->positions, first) : read_rows(x, a, first);
    read_words(y, allowed, first);
#pragma omp parallel for schedule(dynamic, COLUMNS_AT_A_TIME)
    for (uint64_t j = 0; j < allowed->cols; j++) y[j] = or_rows(b, j, x, y[j] & any);
    write_words(t, y, first, allowed->rows, allowed->cols);
  }
}

void grid_mxm_tall_or(uint64_t *t, uint64_t row, uint64_t cols, uint64_t first, uint64_t word) {
  or_from(t, row * cols + first, word, false);
}

/* Rows of which several are a word of bits; `from` begins one. */
static uint64_t read_short_rows(const grid_position_bits p, uint64_t from, uint64_t to, uint64_t *word) {
  const uint64_t rows = BLOCK / p.cols, low = (UINT64_C(1) << p.cols) - 1, flip = p.invert ? UINT64_MAX : 0;
  uint64_t any = 0;
  for (uint64_t r = from; r < to; r += rows) {
    uint64_t bits = p.bits[r / rows] ^ flip;
    any |= bits;
    for (uint64_t *x = word + r, *end = word + (to - r < rows ? to : r + rows); x < end; bits >>= p.cols)
      *x++ = bits & low;
  }
  for (uint64_t half = BLOCK / 2; half >= p.cols; half /= 2) any |= any >> half;
  return any & low;
}

static uint64_t read_range(const grid_position_bits p, const grid_axis *rows, uint64_t first, uint64_t from,
                           uint64_t to, uint64_t *word) {
  const uint64_t width = p.cols - first < BLOCK ? p.cols - first : BLOCK;
  uint64_t any = 0;
  if (!rows->ids && !p.all && p.cols < BLOCK && BLOCK % p.cols == 0)
    return read_short_rows(p, from, to, word);
  for (uint64_t k = from; k < to; k++)
    any |= word[k] = grid_position_window(&p, grid_axis_id(rows, k) * p.cols + first, width);
  return any;
}

uint64_t grid_position_words(const grid_position_bits *p, const grid_axis *rows, uint64_t first,
                             uint64_t *word) {
  uint64_t any = 0;
#pragma omp parallel for schedule(static) reduction(| : any) num_threads(grid_work_threads(rows->n))
  for (uint64_t from = 0; from < rows->n; from += ROWS_AT_A_TIME)
    any |= read_range(*p, rows, first, from,
                      rows->n - from < ROWS_AT_A_TIME ? rows->n : from + ROWS_AT_A_TIME, word);
  return any;
}

/* Vectors 64 w .. 64 w + 63 whose bits are in `vectors`; each row of the result is whole words. */
static void pull_words(const grid_mxm_tall *j, uint64_t w, uint64_t vectors) {
  const grid_position_bits *allowed = j->allowed;
  const uint64_t step = allowed->cols / BLOCK, first = j->first / BLOCK, any = j->any;
  const uint64_t flip = allowed->invert ? UINT64_MAX : 0, *x = j->x;
  for (; vectors; vectors &= vectors - 1) {
    const uint64_t k = BLOCK * w + grid_low_bit(vectors),
                   at = (grid_axis_id(j->rows, k) - j->from) * step + first;
    const uint64_t wanted = allowed->all ? any : (allowed->bits[at] ^ flip) & any;
    if (wanted) j->t[at] = or_rows(j->a, k, x, wanted);
  }
}

static void pull_any(const grid_mxm_tall *j, uint64_t w, uint64_t vectors) {
  const grid_position_bits allowed = *j->allowed;
  const uint64_t cols = allowed.cols, width = cols - j->first < BLOCK ? cols - j->first : BLOCK;
  for (; vectors; vectors &= vectors - 1) {
    const uint64_t k = BLOCK * w + grid_low_bit(vectors),
                   at = (grid_axis_id(j->rows, k) - j->from) * cols + j->first;
    const uint64_t found = or_rows(j->a, k, j->x, grid_position_window(&allowed, at, width) & j->any);
    if (found) or_from(j->t, at, found, false);
  }
}

/* Vectors from .. to - 1 of the axis that have entries. */
static void pull_range(const grid_mxm_tall *j, uint64_t from, uint64_t to) {
  const bool whole = j->allowed->cols % BLOCK == 0;
  const uint64_t *nonempty = j->a->nonempty;
  for (uint64_t w = from / BLOCK; BLOCK * w < to; w++) {
    uint64_t vectors = nonempty ? nonempty[w] : UINT64_MAX;
    vectors &= grid_tail(to, w);
    if (BLOCK * w < from) vectors &= ~grid_tail(from, w);
    (whole ? pull_words : pull_any)(j, w, vectors);
  }
}

/* Ranges of 64 rows or more begin at words of t. The axis may be longer than the number of rows: whole words.
 */
void grid_mxm_tall_pull(const grid_mxm_tall *j) {
  const uint64_t rows = j->allowed->rows;
#pragma omp parallel for schedule(dynamic, 1)
  for (uint64_t from = 0; from < rows; from += ROWS_AT_A_TIME) {
    const uint64_t to = rows - from < ROWS_AT_A_TIME ? rows : from + ROWS_AT_A_TIME;
    pull_range(j, grid_axis_bound(j->rows, j->from + from), grid_axis_bound(j->rows, j->from + to));
  }
}

/* Gives the rows in vector v what they may have of `word`. */
static inline uint64_t push_vector(const grid_mxm_tall_sparse *j, const grid_position_bits allowed,
                                   uint64_t v, uint64_t width, uint64_t word) {
  const uint64_t end = grid_vector_start(j->a, v + 1), first = j->first, step = allowed.cols / BLOCK;
  const bool whole = allowed.cols % BLOCK == 0 && !allowed.all; /* rows are whole words */
  const uint64_t flip = allowed.invert ? UINT64_MAX : 0;
  const uint32_t *idx = j->a->idx;
  uint64_t *const to = j->word, *const nonempty = j->nonempty, rows = 0;
  for (uint64_t e = grid_vector_start(j->a, v); e < end; e++) {
    const uint64_t row = j->out->ids ? grid_axis_id(j->out, idx[e]) : idx[e];
    const uint64_t got = word & (whole ? allowed.bits[row * step + first / BLOCK] ^ flip
                                       : grid_position_window(&allowed, row * allowed.cols + first, width));
    if (!got) continue;
    const uint64_t bit = UINT64_C(1) << (row % BLOCK), old = nonempty[row / BLOCK];
    to[row] = old & bit ? to[row] | got : got;
    rows += !(old & bit);
    nonempty[row / BLOCK] = old | bit;
  }
  return rows;
}

/* Zero words stand for no entries. */
uint64_t grid_mxm_tall_push(const grid_mxm_tall_sparse *j) {
  const uint64_t left = j->allowed->cols - j->first, width = left < BLOCK ? left : BLOCK;
  const grid_axis *in = j->in;
  uint64_t v = 0, rows = 0;
  for (grid_iter it = grid_iter_begin(j->x); grid_iter_next(&it);) {
    const uint64_t word = *(const uint64_t *)it.v;
    if (!word) continue;
    v = in->ids ? grid_axis_seek(in, v, it.i) : it.i;
    if (v < in->n && grid_axis_id(in, v) == it.i) rows += push_vector(j, *j->allowed, v, width, word);
  }
  return rows;
}
