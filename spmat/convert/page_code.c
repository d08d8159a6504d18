/* Encodes and decodes a page; see page_code.h. */
#include "spmat/convert/page_code.h"

#include <string.h>
#ifdef __SSE4_1__
#include <smmintrin.h>
#endif

static uint64_t round_up(uint64_t bytes) {
  return (bytes + 7) / 8 * 8;
}

uint64_t grid_page_bound(uint64_t n) {
  return round_up((n + 3) / 4 + 4 * n);
}

/* ---- columns ------------------------------------------------------------------------------------------- */

/* The row of entry k, and where it ends; k advances by what remains of a row. */
typedef struct {
  const uint32_t *length;
  uint64_t left, n;
} row_walk;

static row_walk begin_walk(const grid_page_rows *rows) {
  return (row_walk){rows->length, rows->n ? rows->length[0] - rows->before : 0, rows->n};
}

/* Number of the page's entries in the next row; 0: there are no more. */
static uint64_t next_row(row_walk *w) {
  if (!w->n) return 0;
  while (!w->left) w->left = *++w->length;
  const uint64_t row_entries = w->left < w->n ? w->left : w->n;
  w->n -= row_entries;
  w->left = 0;
  return row_entries;
}

uint64_t grid_page_encode(unsigned char *to, const uint32_t *idx, const grid_page_rows *rows) {
  unsigned char *at = to + (rows->n + 3) / 4;
  row_walk w = begin_walk(rows);
  memset(to, 0, (rows->n + 3) / 4);
  for (uint64_t e = 0, row_entries; (row_entries = next_row(&w));) {
    uint32_t last = 0;
    for (const uint64_t end = e + row_entries; e < end; e++) {
      const uint32_t d = idx[e] - last;
      const unsigned more = d >> 24 ? 3 : d >> 16 ? 2 : d >> 8 ? 1 : 0;
      to[e / 4] |= (unsigned char)(more << 2 * (e % 4));
      memcpy(at, &d, sizeof d);
      at += more + 1;
      last = idx[e];
    }
  }
  const uint64_t used = (uint64_t)(at - to);
  memset(at, 0, round_up(used) - used);
  return round_up(used);
}

/* Bytes of the four distances described by a control byte. */
static unsigned quad_length(unsigned control) {
  return 4 + (control & 3) + (control >> 2 & 3) + (control >> 4 & 3) + (control >> 6);
}

/* Bytes of all distances described by n control bytes, eight of these at a time. */
static uint64_t length_quads(const unsigned char *control, uint64_t n) {
  const uint64_t twos = UINT64_C(0x3333333333333333), fours = UINT64_C(0x0f0f0f0f0f0f0f0f),
                 ones = UINT64_C(0x0101010101010101);
  uint64_t sum = 4 * n, k = 0, x;
  for (; k + 8 <= n; k += 8) {
    memcpy(&x, control + k, sizeof x);
    x = (x & twos) + (x >> 2 & twos);
    x = (x & fours) + (x >> 4 & fours);
    sum += x * ones >> 56;
  }
  for (; k < n; k++) sum += quad_length(control[k]) - 4;
  return sum;
}

uint64_t grid_page_columns(const unsigned char *from, uint64_t bytes, uint64_t n) {
  const uint64_t controls = (n + 3) / 4;
  if (bytes < controls) return 0;
  uint64_t sum = controls + length_quads(from, n / 4);
  if (n % 4) { /* absent distances have no bytes */
    const unsigned last = from[controls - 1];
    if (last >> 2 * (n % 4)) return 0;
    sum += quad_length(last) - (4 - n % 4);
  }
  return round_up(sum) <= bytes ? round_up(sum) : 0;
}

/* Reads one distance and advances. */
static inline const unsigned char *read_distance(uint32_t *d, const unsigned char *at, unsigned more) {
  static const uint32_t low[4] = {0xff, 0xffff, 0xffffff, 0xffffffff};
  memcpy(d, at, sizeof *d);
  *d &= low[more & 3];
  return at + (more & 3) + 1;
}

/* The distances of all entries, whatever rows they are in. */
static void read_all_distances(uint32_t *to, const unsigned char *from, uint64_t n) {
  const unsigned char *at = from + (n + 3) / 4;
  for (uint64_t e = 0; e < n; e++) at = read_distance(to + e, at, (unsigned)from[e / 4] >> 2 * (e % 4));
}

/* Handles all inputs. */
static bool decode_scalar(uint32_t *idx, const unsigned char *from, const grid_page_rows *rows,
                          uint64_t ncols) {
  row_walk w = begin_walk(rows);
  bool bad = false;
  read_all_distances(idx, from, rows->n);
  for (uint64_t e = 0, row_entries; (row_entries = next_row(&w));) {
    uint32_t last = idx[e];
    const uint64_t end = e + row_entries;
    for (e++; e < end; e++) {
      const uint32_t next = last + idx[e];
      bad |= next <= last;
      idx[e] = last = next;
    }
    bad |= last >= ncols;
  }
  return !bad;
}

#ifdef __SSE4_1__
/* For each control byte: a shuffle that puts its four distances in place, and their number of bytes. */
typedef struct {
  unsigned char shuffle_control[256][16], length[256];
} shuffles;

#define CONTROL(C, S, K) ((K) <= ((C) >> 2 * (S)&3) ? (K) + START(C, S) : 0x80)
#define START(C, S) \
  (((S) > 0 ? ((C)&3) + 1 : 0) + ((S) > 1 ? ((C) >> 2 & 3) + 1 : 0) + ((S) > 2 ? ((C) >> 4 & 3) + 1 : 0))
#define FOUR(C, S) CONTROL(C, S, 0), CONTROL(C, S, 1), CONTROL(C, S, 2), CONTROL(C, S, 3)
#define CONTROLS(C) \
  { FOUR(C, 0), FOUR(C, 1), FOUR(C, 2), FOUR(C, 3) }
#define LENGTH(C)      (START(C, 3) + ((C) >> 6) + 1)
#define TIMES_4(M, C)  M(C), M((C) + 1), M((C) + 2), M((C) + 3)
#define TIMES_16(M, C) TIMES_4(M, C), TIMES_4(M, (C) + 4), TIMES_4(M, (C) + 8), TIMES_4(M, (C) + 12)
#define TIMES_64(M, C) TIMES_16(M, C), TIMES_16(M, (C) + 16), TIMES_16(M, (C) + 32), TIMES_16(M, (C) + 48)
#define TIMES_256(M)   TIMES_64(M, 0), TIMES_64(M, 64), TIMES_64(M, 128), TIMES_64(M, 192)

static const shuffles shuffle = {{TIMES_256(CONTROLS)}, {TIMES_256(LENGTH)}};

/* For each four bits, which mark among four entries those that begin a row: masks of entries. They are these,
 * and those whose row began one entry before, two before, or before all four. */
typedef struct {
  uint32_t first[16][4], one[16][4], two[16][4], none[16][4];
} row_masks;

#define BIT(M, K)       ((M) >> ((K)&3) & 1)
#define SAME_1(M, K)    ((K) > 0 && !BIT(M, K) ? UINT32_MAX : 0)
#define SAME_2(M, K)    ((K) > 1 && !BIT(M, K) && !BIT(M, (K)-1) ? UINT32_MAX : 0)
#define NOT_FIRST(M, K) (((M) & ((2 << (K)) - 1)) == 0 ? UINT32_MAX : 0)
#define FIRST(M, K)     (BIT(M, K) ? UINT32_MAX : 0)
#define LANES(F, M) \
  { F(M, 0), F(M, 1), F(M, 2), F(M, 3) }
#define LANES_4(F, M) LANES(F, M), LANES(F, (M) + 1), LANES(F, (M) + 2), LANES(F, (M) + 3)
#define LANES_16(F)   LANES_4(F, 0), LANES_4(F, 4), LANES_4(F, 8), LANES_4(F, 12)

static const row_masks rows_of = {
    {LANES_16(FIRST)}, {LANES_16(SAME_1)}, {LANES_16(SAME_2)}, {LANES_16(NOT_FIRST)}};

/* Entries whose row starts are marked at a time: each byte has 8 bits. */
enum { BLOCK = 1024 };

/* Relative to entry 0 of a block: the next row begins after `next` entries; its length. */
typedef struct {
  const uint32_t *length;
  uint64_t next;
} row_starts;

static void mark_starts(row_starts *r, unsigned char *first, uint64_t n) {
  uint64_t next = r->next;
  const uint32_t *length = r->length;
  for (; next < n; next += *length++) first[next / 8] |= (unsigned char)(1 << next % 8);
  r->next = next - n;
  r->length = length;
}

/* Checks accumulated over all columns. */
typedef struct {
  __m128i last;         /* column, in all lanes */
  __m128i min_distance; /* distance, */
  __m128i any;          /* ... bits of all, */
  __m128i most;         /* ... and column */
} column_sums;

static inline __m128i load(const void *at) {
  return _mm_loadu_si128((const __m128i *)at);
}

/* The columns of four entries with distances d and row-start bits m. */
static inline void add_four(column_sums *c, uint32_t *to, __m128i d, unsigned m) {
  __m128i sum = _mm_add_epi32(d, _mm_and_si128(_mm_slli_si128(d, 4), load(rows_of.one[m])));
  sum = _mm_add_epi32(sum, _mm_and_si128(_mm_slli_si128(sum, 8), load(rows_of.two[m])));
  sum = _mm_add_epi32(sum, _mm_and_si128(c->last, load(rows_of.none[m])));
  _mm_storeu_si128((__m128i *)(void *)to, sum);
  c->last = _mm_shuffle_epi32(sum, 0xff);
  c->min_distance = _mm_min_epu32(c->min_distance, _mm_or_si128(d, load(rows_of.first[m])));
  c->any = _mm_or_si128(c->any, d);
  c->most = _mm_max_epu32(c->most, sum);
}

/* Do columns ascend in their rows, below limit? */
static bool are_columns(const column_sums *c, uint32_t limit) {
  uint32_t min_distance[4], any[4], most[4];
  bool good = true;
  _mm_storeu_si128((__m128i *)(void *)min_distance, c->min_distance);
  _mm_storeu_si128((__m128i *)(void *)any, c->any);
  _mm_storeu_si128((__m128i *)(void *)most, c->most);
  for (int k = 0; k < 4; k++) good &= min_distance[k] > 0 && any[k] >> 31 == 0 && most[k] < limit;
  return good;
}

/* Four at a time, of any rows. False: the input is invalid, or has a column of 2^31 or more, with which a sum
 * could exceed 2^32 unnoticed; idx is undefined then. */
static bool decode_quads(uint32_t *idx, const unsigned char *from, const grid_page_rows *rows,
                         uint64_t ncols) {
  const uint64_t n = rows->n, half = UINT64_C(1) << 31;
  const uint32_t limit = (uint32_t)(ncols < half ? ncols : half);
  const unsigned char *at = from + (n + 3) / 4;
  row_starts r = {rows->length + 1, n ? rows->length[0] - rows->before : 0};
  const __m128i zero = _mm_setzero_si128();
  column_sums c = {zero, _mm_set1_epi32(-1), zero, zero};
  for (uint64_t e = 0; e < n;) {
    unsigned char first[BLOCK / 8] = {e == 0}; /* the first entry of a page is stored absolutely, too */
    const uint64_t end = n - e < BLOCK ? n : e + BLOCK, begin = e;
    mark_starts(&r, first, end - e);
    /* 16 more bytes exist, since each distance takes at least one */
    for (; end - e >= 8 && n - e >= 20; e += 8) {
      const unsigned m = first[(e - begin) / 8], row_entries = from[e / 4], then = from[e / 4 + 1];
      add_four(&c, idx + e, _mm_shuffle_epi8(load(at), load(shuffle.shuffle_control[row_entries])), m & 15);
      at += shuffle.length[row_entries];
      add_four(&c, idx + e + 4, _mm_shuffle_epi8(load(at), load(shuffle.shuffle_control[then])), m >> 4);
      at += shuffle.length[then];
    }
    for (; e < end; e++) {
      uint32_t d;
      at = read_distance(&d, at, (unsigned)from[e / 4] >> 2 * (e % 4));
      const bool starts = first[(e - begin) / 8] >> e % 8 & 1;
      const uint32_t last = (uint32_t)_mm_cvtsi128_si32(c.last), next = starts ? d : last + d;
      if ((!starts && next <= last) || next >= limit) return false;
      idx[e] = next;
      c.last = _mm_set1_epi32((int)next);
    }
  }
  return are_columns(&c, limit);
}
#else
static bool decode_quads(uint32_t *idx, const unsigned char *from, const grid_page_rows *rows,
                         uint64_t ncols) {
  (void)idx, (void)from, (void)rows, (void)ncols;
  return false;
}
#endif

bool grid_page_decode(uint32_t *idx, const unsigned char *from, const grid_page_rows *rows, uint64_t ncols) {
  return decode_quads(idx, from, rows, ncols) || decode_scalar(idx, from, rows, ncols);
}

/* ---- lengths ------------------------------------------------------------------------------------------- */

enum { MAX_VARINT_BYTES = 5 }; /* of 32 bits */

uint64_t grid_lengths_bound(uint64_t n) {
  return round_up(MAX_VARINT_BYTES * n);
}

uint64_t grid_lengths_encode(unsigned char *to, const uint32_t *length, uint64_t n) {
  unsigned char *at = to;
  for (uint64_t k = 0; k < n; k++) {
    uint32_t x = length[k];
    for (; x > 0x7f; x >>= 7) *at++ = (unsigned char)(x | 0x80);
    *at++ = (unsigned char)x;
  }
  const uint64_t used = (uint64_t)(at - to);
  memset(at, 0, round_up(used) - used);
  return round_up(used);
}

bool grid_lengths_decode(uint32_t *length, uint64_t n, const unsigned char *from, uint64_t bytes) {
  const unsigned char *at = from, *end = from + bytes;
  for (uint64_t k = 0; k < n; k++) {
    uint64_t x = 0;
    for (unsigned shift = 0;; shift += 7) {
      if (at == end || shift >= 7 * MAX_VARINT_BYTES) return false;
      x |= (uint64_t)(*at & 0x7f) << shift;
      if (*at++ < 0x80) break;
    }
    if (x > UINT32_MAX) return false;
    length[k] = (uint32_t)x;
  }
  return round_up((uint64_t)(at - from)) == bytes;
}
