/* A page's bytes; see page_code.h. */
#include "spmat/convert/page_code.h"

#include <string.h>
#ifdef __SSSE3__
#include <tmmintrin.h>
#endif

static uint64_t round_up(uint64_t bytes) {
  return (bytes + 7) / 8 * 8;
}

uint64_t grid_page_bound(uint64_t n) {
  return round_up((n + 3) / 4 + 4 * n);
}

/* ---- columns --------------------------------------------------------------------------------------------
 */

/* The row that entry k is in, and where it ends; k moves on in steps of what is left. */
typedef struct {
  const uint32_t *length;
  uint64_t left, n;
} row_walk;

static row_walk walk(const grid_page_rows *rows) {
  return (row_walk){rows->length, rows->n ? rows->length[0] - rows->before : 0, rows->n};
}

/* How many of the page's entries follow one another in the next row; 0: there are no more. */
static uint64_t next_row(row_walk *w) {
  if (!w->n) return 0;
  while (!w->left) w->left = *++w->length;
  const uint64_t here = w->left < w->n ? w->left : w->n;
  w->n -= here;
  w->left = 0;
  return here;
}

uint64_t grid_page_encode(unsigned char *to, const uint32_t *idx, const grid_page_rows *rows) {
  unsigned char *at = to + (rows->n + 3) / 4;
  row_walk w = walk(rows);
  memset(to, 0, (rows->n + 3) / 4);
  for (uint64_t e = 0, here; (here = next_row(&w));) {
    uint32_t last = 0;
    for (const uint64_t end = e + here; e < end; e++) {
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

/* Bytes of the four distances that a control byte tells of. */
static unsigned four(unsigned control) {
  return 4 + (control & 3) + (control >> 2 & 3) + (control >> 4 & 3) + (control >> 6);
}

uint64_t grid_page_columns(const unsigned char *from, uint64_t bytes, uint64_t n) {
  const uint64_t controls = (n + 3) / 4;
  uint64_t sum = controls;
  if (bytes < controls) return 0;
  for (uint64_t k = 0; k < n / 4; k++) sum += four(from[k]);
  if (n % 4) { /* those that are not there have no bytes */
    const unsigned last = from[controls - 1];
    if (last >> 2 * (n % 4)) return 0;
    sum += four(last) - (4 - n % 4);
  }
  return round_up(sum) <= bytes ? round_up(sum) : 0;
}

/* One distance, and on. */
static inline const unsigned char *distance(uint32_t *d, const unsigned char *at, unsigned more) {
  static const uint32_t low[4] = {0xff, 0xffff, 0xffffff, 0xffffffff};
  memcpy(d, at, sizeof *d);
  *d &= low[more & 3];
  return at + (more & 3) + 1;
}

#ifdef __SSSE3__
/* Of each control byte: where the bytes of its four distances stand among those that follow; and how many. */
typedef struct {
  unsigned char place[256][16], length[256];
} shuffles;

#define PLACE(C, S, K) ((K) <= ((C) >> 2 * (S)&3) ? (K) + START(C, S) : 0x80)
#define START(C, S) \
  (((S) > 0 ? ((C)&3) + 1 : 0) + ((S) > 1 ? ((C) >> 2 & 3) + 1 : 0) + ((S) > 2 ? ((C) >> 4 & 3) + 1 : 0))
#define FOUR(C, S) PLACE(C, S, 0), PLACE(C, S, 1), PLACE(C, S, 2), PLACE(C, S, 3)
#define PLACES(C) \
  { FOUR(C, 0), FOUR(C, 1), FOUR(C, 2), FOUR(C, 3) }
#define LENGTH(C)      (START(C, 3) + ((C) >> 6) + 1)
#define TIMES_4(M, C)  M(C), M((C) + 1), M((C) + 2), M((C) + 3)
#define TIMES_16(M, C) TIMES_4(M, C), TIMES_4(M, (C) + 4), TIMES_4(M, (C) + 8), TIMES_4(M, (C) + 12)
#define TIMES_64(M, C) TIMES_16(M, C), TIMES_16(M, (C) + 16), TIMES_16(M, (C) + 32), TIMES_16(M, (C) + 48)
#define TIMES_256(M)   TIMES_64(M, 0), TIMES_64(M, 64), TIMES_64(M, 128), TIMES_64(M, 192)

static const shuffles shuffle = {{TIMES_256(PLACES)}, {TIMES_256(LENGTH)}};

/* As many distances as can be had while 16 bytes more are sure to be there, since each takes one at least. */
static uint64_t distances_by_four(uint32_t *to, const unsigned char *control, uint64_t n,
                                  const unsigned char **from) {
  const unsigned char *at = *from;
  uint64_t e = 0;
  for (; n - e >= 16; e += 4) {
    const unsigned c = control[e / 4];
    const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at),
                  places = _mm_loadu_si128((const __m128i *)(const void *)shuffle.place[c]);
    _mm_storeu_si128((__m128i *)(void *)(to + e), _mm_shuffle_epi8(bytes, places));
    at += shuffle.length[c];
  }
  *from = at;
  return e;
}
#else
static uint64_t distances_by_four(uint32_t *to, const unsigned char *control, uint64_t n,
                                  const unsigned char **from) {
  (void)to, (void)control, (void)n, (void)from;
  return 0;
}
#endif

/* The distances of all entries, whatever rows they are in. */
static void distances(uint32_t *to, const unsigned char *from, uint64_t n) {
  const unsigned char *at = from + (n + 3) / 4;
  uint64_t e = distances_by_four(to, from, n, &at);
  for (; e + 4 <= n; e += 4) {
    const unsigned control = from[e / 4];
    at = distance(to + e, at, control);
    at = distance(to + e + 1, at, control >> 2);
    at = distance(to + e + 2, at, control >> 4);
    at = distance(to + e + 3, at, control >> 6);
  }
  for (; e < n; e++) at = distance(to + e, at, (unsigned)from[e / 4] >> 2 * (e % 4));
}

bool grid_page_decode(uint32_t *idx, const unsigned char *from, const grid_page_rows *rows, uint64_t ncols) {
  row_walk w = walk(rows);
  bool bad = false;
  distances(idx, from, rows->n);
  for (uint64_t e = 0, here; (here = next_row(&w));) {
    uint32_t last = idx[e];
    const uint64_t end = e + here;
    for (e++; e < end; e++) {
      const uint32_t next = last + idx[e];
      bad |= next <= last;
      idx[e] = last = next;
    }
    bad |= last >= ncols;
  }
  return !bad;
}

/* ---- lengths --------------------------------------------------------------------------------------------
 */

enum { MOST_BYTES = 5 }; /* of 32 bits */

uint64_t grid_lengths_bound(uint64_t n) {
  return round_up(MOST_BYTES * n);
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
      if (at == end || shift >= 7 * MOST_BYTES) return false;
      x |= (uint64_t)(*at & 0x7f) << shift;
      if (*at++ < 0x80) break;
    }
    if (x > UINT32_MAX) return false;
    length[k] = (uint32_t)x;
  }
  return round_up((uint64_t)(at - from)) == bytes;
}
