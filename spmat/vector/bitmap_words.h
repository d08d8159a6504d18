/* Sets of indices that are read 64 at a time. A bitmap, a sorted list, the full set and their complements
 * look alike to a loop over words, so that one kernel serves every pair of formats. */
#ifndef GRID_BITMAP_WORDS_H
#define GRID_BITMAP_WORDS_H
#include <string.h>

#include "spmat/vector/chunk.h"
#ifdef _OPENMP
#include <omp.h>
#endif

/* A pass over less work, in units of about 8 values, runs on one thread: starting the others costs more. */
#define GRID_PARALLEL_WORK (UINT64_C(1) << 12)
/* The same in words of bitmaps whose entries have values. */
#define GRID_PARALLEL_WORDS (GRID_PARALLEL_WORK / 4)

static inline int grid_work_threads(uint64_t work) {
#ifdef _OPENMP
  return work >= GRID_PARALLEL_WORK && !omp_in_parallel() ? omp_get_max_threads() : 1;
#else
  (void)work;
  return 1;
#endif
}
static inline int grid_word_threads(uint64_t words) {
  return words >= GRID_PARALLEL_WORDS ? grid_work_threads(GRID_PARALLEL_WORK) : 1;
}
/* The same of a pass over the bits alone that does something only at these entries. */
static inline int grid_bit_threads(uint64_t words, uint64_t entries) {
  return grid_work_threads(words / 8 + entries / 2);
}
/* True: the work runs on this thread without a parallel region. A region of one thread costs about 0.3
 * microseconds, as much as a whole call on a short vector. Inside another region this is not allowed, since
 * grid_thread() would give that region's number. */
static inline bool grid_is_serial(int threads) {
#ifdef _OPENMP
  return threads == 1 && !omp_in_parallel();
#else
  (void)threads;
  return true;
#endif
}
/* This thread's number and the number of threads, inside a parallel region; 0 and 1 outside. */
static inline uint64_t grid_thread(void) {
#ifdef _OPENMP
  return (uint64_t)omp_get_thread_num();
#else
  return 0;
#endif
}
static inline uint64_t grid_threads(void) {
#ifdef _OPENMP
  return (uint64_t)omp_get_num_threads();
#else
  return 1;
#endif
}

static inline uint64_t grid_popcount(uint64_t x) {
  return (uint64_t)__builtin_popcountll(x);
}
static inline unsigned grid_low_bit(uint64_t x) {
  return (unsigned)__builtin_ctzll(x);
}
/* Bits that are set, counted by all threads (mask.c). */
uint64_t grid_count_bits(const uint64_t *bits, uint64_t words);
/* Bit b is byte b of 64, each 0 or 1: the multiplication gathers eight of them in its highest byte. */
static inline uint64_t grid_word_of_bools(const unsigned char *b) {
  uint64_t word = 0, x;
  for (size_t k = 0; k < 8; k++) {
    memcpy(&x, b + 8 * k, sizeof x);
    word |= (x * UINT64_C(0x0102040810204080) >> 56) << 8 * k;
  }
  return word;
}
/* First position in list[lo..hi) whose index is not below x. */
static inline uint64_t grid_lower_bound(const uint64_t *list, uint64_t lo, uint64_t hi, uint64_t x) {
  while (lo < hi) {
    uint64_t mid = lo + (hi - lo) / 2;
    if (list[mid] < x)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}
/* The same, by galloping: fast when the answer is near lo. */
static inline uint64_t grid_gallop(const uint64_t *list, uint64_t lo, uint64_t hi, uint64_t x) {
  uint64_t step = 1;
  while (lo + step < hi && list[lo + step] < x) lo += step, step *= 2;
  return grid_lower_bound(list, lo, lo + step < hi ? lo + step : hi, x);
}

/* A set of indices below n, read in ascending words. */
typedef struct {
  const uint64_t *bits, *list; /* at most one is not NULL */
  uint64_t nlist, n;
  uint64_t k;  /* list: first position not yet passed */
  uint64_t at; /* list: position of the first entry of the word read last */
  bool full;   /* every index; bits and list are NULL */
  bool flip;   /* the complement */
} grid_cursor;

static inline grid_cursor grid_cursor_chunk(const grid_chunk *c) {
  grid_cursor s = {.n = c->n};
  if (c->format == GRID_BITMAP)
    s.bits = c->bits;
  else if (c->format == GRID_FULL)
    s.full = true;
  else
    s.list = c->idx, s.nlist = c->nvals;
  return s;
}
static inline grid_cursor grid_cursor_mask(const grid_mask *m) {
  return (grid_cursor){
      .bits = m->bits, .list = m->list, .nlist = m->nlist, .n = m->n, .full = m->all, .flip = m->complement};
}
/* Makes w the next word to read; any order. */
static inline void grid_cursor_seek(grid_cursor *s, uint64_t w) {
  if (s->nlist) s->k = grid_lower_bound(s->list, 0, s->nlist, 64 * w);
}
/* Word w of the set; w ascends from call to call. */
static inline uint64_t grid_cursor_word(grid_cursor *s, uint64_t w) {
  uint64_t x = 0;
  if (s->bits) {
    x = s->bits[w];
  } else if (s->full) {
    x = ~UINT64_C(0);
  } else {
    if (s->k < s->nlist && s->list[s->k] < 64 * w) s->k = grid_gallop(s->list, s->k, s->nlist, 64 * w);
    for (s->at = s->k; s->k < s->nlist && s->list[s->k] >> 6 == w; s->k++)
      x |= UINT64_C(1) << (s->list[s->k] & 63);
  }
  if (s->flip) x = ~x;
  return x & grid_tail(s->n, w);
}
/* Is index i in the set? i ascends from call to call. */
static inline bool grid_cursor_has(grid_cursor *s, uint64_t i) {
  bool in = s->full;
  if (s->bits) {
    in = grid_bit(s->bits, i);
  } else if (!s->full) {
    if (s->k < s->nlist && s->list[s->k] < i) s->k = grid_gallop(s->list, s->k, s->nlist, i);
    in = s->k < s->nlist && s->list[s->k] == i;
  }
  return in != s->flip;
}
/* First word at or after w that holds an entry of the list s (which has been read up to word w - 1). */
static inline uint64_t grid_cursor_next(const grid_cursor *s, uint64_t end) {
  return s->k < s->nlist ? s->list[s->k] >> 6 : end;
}
#endif
