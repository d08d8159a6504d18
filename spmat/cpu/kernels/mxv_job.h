/* A product as seen by its range functions: plain arrays, no library objects. The sources in this folder call
 * no library function and include nothing else. So the library's compiler and a compiler found at run
 * time make the same kernels from them.
 *
 * A range function does part of a product on one thread. It is a pull of some words of rows, a push of some
 * edges (ANY) or to some words of outputs (other monoids). The drivers (spmat/cpu/product/product_drive.c)
 * divide the work. */
#ifndef GRID_MXV_JOB_H
#define GRID_MXV_JOB_H
#ifndef GRID_RUN_TIME
#include <stdbool.h>
#include <stdint.h>

#include "semiring/support/simd_levels.h"
#endif

typedef struct {
  /* M: vector v's entries are range_start(v) .. range_start(v + 1), by ptr or offsets64, ascending. A pull
   * also has hub_neighbor[v], of their other ends the one of highest degree, and the bits of the nonempty
   * vectors. */
  const uint32_t *ptr;
  const uint64_t *offsets64;
  const uint32_t *idx, *hub_neighbor;
  const uint64_t *nonempty;
  bool prefetch; /* a pull fetches entries before they are read: the caches do not hold them all */
  /* the value of entry e is a[e & a_and], of index k of x x[k & x_and]: mask 0 for iso, else ~0 */
  const void *a, *x;
  uint64_t a_and, x_and;
  /* pull: x has the set bits (NULL: all); push: x has the nx listed indices (NULL: 0 .. nx - 1), with values
   * packed beside them or dense */
  const uint64_t *xbits;
  const uint32_t *xlist;
  uint64_t nx;
  bool x_packed;
  /* output v is allowed if bit v of mask ^ mask_invert is set; mask NULL: all are allowed */
  const uint64_t *mask;
  uint64_t mask_invert;
  uint64_t ny;
  uint64_t *ybits;
  void *y;
  /* global index of inner index k: the value of SECONDI (grid_index_map in spmat/local_product.h) */
  const void *ids;
  bool ids64;
  const uint64_t *table;
  uint64_t base, q, stride, offset, segments;
  const uint64_t *from, *to;
  /* push under ANY: start[f] edges precede the f-th vector of x; a single thread needs no atomics */
  const uint64_t *start;
  bool serial;
  /* for kernels that are not compiled for one semiring: what they call */
  const void *calls;
} grid_range_job;

typedef struct {
  uint64_t inspected, found; /* entries inspected; outputs that had no value before */
  void *workspace;           /* of this thread, if the kernel requested it, */
  uint64_t workspace_size;   /* in bytes */
} grid_tally;

typedef void (*grid_range)(const grid_range_job *J, uint64_t from, uint64_t to, grid_tally *sum);

/* pull gets words of rows; push edges, or words of outputs. */
typedef struct {
  grid_range pull, push;
} grid_ranges;

/* Precedes a range function: the processors for which it is compiled (semiring/support/simd_levels.h). At run
 * time: the current one. */
#ifdef GRID_RUN_TIME
#define GRID_LEVELS
#endif
#define RANGE_FN static inline __attribute__((always_inline, unused))

RANGE_FN uint64_t range_allowed(const grid_range_job *J, uint64_t w) {
  return J->mask ? J->mask[w] ^ J->mask_invert : ~(uint64_t)0;
}
RANGE_FN uint64_t range_start(const grid_range_job *J, uint64_t v) {
  return J->offsets64 ? J->offsets64[v] : J->ptr[v];
}
RANGE_FN uint64_t range_bit(const uint64_t *bits, uint64_t k) {
  return bits[k >> 6] >> (k & 63) & 1;
}

/* In a loop over e: it is not vectorized. Sums are in order, so that vectors would only be taken apart. */
#define RANGE_IN_ORDER(e) __asm__("" : "+r"(e))

RANGE_FN uint64_t range_global_index(const grid_range_job *J, uint64_t k) {
  uint64_t id = k;
  if (J->ids) id = J->ids64 ? ((const uint64_t *)J->ids)[k] : ((const uint32_t *)J->ids)[k];
  if (J->table) return J->table[id];
  if (J->q == 0) return J->base + id;
  if (!J->segments) return (id / J->q * J->stride + J->offset) * J->q + id % J->q;
  uint64_t m = 0; /* as grid_segment_of in spmat/vector/segments.h */
  for (uint64_t n = J->segments, half; n > 1; n -= half) {
    half = n / 2;
    if (J->from[(m + half) * J->stride] <= id) m += half;
  }
  return J->to[m * J->stride] + (id - J->from[m * J->stride]);
}

/* Bit l: is entry e + l (l < n <= 64) in x? Without a data-dependent branch. */
RANGE_FN uint64_t range_hits(const uint64_t *xbits, const uint32_t *idx, uint64_t n) {
  uint64_t hits = 0;
  for (uint64_t l = 0; l < n; l++) hits |= range_bit(xbits, idx[l]) << l;
  return hits;
}

enum { RANGE_DENSE = 24 }; /* with this many rows of a word, testing all 64 is cheaper than extracting them */

/* The rows among `todo` of word w whose hub_neighbor is in x. */
RANGE_FN uint64_t range_first_hits(const grid_range_job *J, uint64_t w, uint64_t todo) {
  const uint32_t *hub_neighbor = J->hub_neighbor + 64 * w;
  uint64_t hits = 0;
  if (!J->xbits) return todo;
  if (__builtin_popcountll(todo) >= RANGE_DENSE && 64 * w + 64 <= J->ny)
    return range_hits(J->xbits, hub_neighbor, 64) & todo;
  for (uint64_t t = todo; t; t &= t - 1) {
    unsigned b = (unsigned)__builtin_ctzll(t);
    hits |= range_bit(J->xbits, hub_neighbor[b]) << b;
  }
  return hits;
}

/* The indices of a vector that a push reads soon after the f-th one. Short vectors lie apart. */
enum { RANGE_AHEAD = 8 };
RANGE_FN void range_prefetch(const grid_range_job *J, uint64_t f) {
  if (f + RANGE_AHEAD >= J->nx) return;
  __builtin_prefetch(J->idx + range_start(J, J->xlist ? J->xlist[f + RANGE_AHEAD] : f + RANGE_AHEAD));
}

/* Bytes ahead of the current row of which a pull fetches entries. The processor's own prefetching does not
 * keep up with short rows, which read several arrays at a time. */
enum { RANGE_STREAM = 4096 };

/* The last f of n with start[f] <= edge. */
RANGE_FN uint64_t range_vector_of_edge(const uint64_t *start, uint64_t n, uint64_t edge) {
  uint64_t lo = 0, hi = n;
  while (hi - lo > 1) {
    uint64_t mid = lo + (hi - lo) / 2;
    if (start[mid] <= edge)
      lo = mid;
    else
      hi = mid;
  }
  return lo;
}

/* The first of the ascending entries e .. end - 1 that is at least k. */
RANGE_FN uint64_t range_lower_bound(const uint32_t *idx, uint64_t e, uint64_t end, uint64_t k) {
  while (e < end) {
    uint64_t mid = e + (end - e) / 2;
    if (idx[mid] < k)
      e = mid + 1;
    else
      end = mid;
  }
  return e;
}

/* Where output k is in entries e .. end - 1 if outputs are spread evenly. */
RANGE_FN uint64_t range_estimate(const grid_range_job *J, uint64_t e, uint64_t end, uint64_t k) {
  return e + (uint64_t)((double)(end - e) * ((double)k / (double)J->ny));
}

/* range_lower_bound among a vector's outputs, by galloping from the estimate: a vector of the frontier is
 * read by every thread, and a binary search would miss the cache several times. */
RANGE_FN uint64_t range_first_output(const grid_range_job *J, uint64_t e, uint64_t end, uint64_t k) {
  const uint32_t *idx = J->idx;
  uint64_t at = range_estimate(J, e, end, k), step = 1;
  if (at < end && idx[at] < k) {
    e = at + 1;
    while (step < end - e && idx[e + step - 1] < k) e += step, step *= 2;
    return range_lower_bound(idx, e, step < end - e ? e + step : end, k);
  }
  while (step < at - e && idx[at - step] >= k) at -= step, step *= 2;
  return range_lower_bound(idx, step < at - e ? at - step : e, at, k);
}

/* Before the f-th vector of a push to outputs k and later: fetches the first of them of a vector that follows
 * soon, and returns which entry it is. */
RANGE_FN uint64_t range_prefetch_outputs(const grid_range_job *J, uint64_t f, uint64_t k) {
  if (f + RANGE_AHEAD >= J->nx) return 0;
  const uint64_t v = J->xlist ? J->xlist[f + RANGE_AHEAD] : f + RANGE_AHEAD, from = range_start(J, v),
                 e = range_estimate(J, from, range_start(J, v + 1), k);
  __builtin_prefetch(J->idx + e);
  return e;
}

/* ANY: sets v's bit if it is allowed and not set; true for the one thread that set it. */
RANGE_FN bool range_claim(const grid_range_job *J, uint64_t v) {
  uint64_t *word = &J->ybits[v >> 6], bit = (uint64_t)1 << (v & 63);
  if (__atomic_load_n(word, __ATOMIC_RELAXED) & bit || !(range_allowed(J, v >> 6) & bit)) return false;
  if (!J->serial) return !(__atomic_fetch_or(word, bit, __ATOMIC_RELAXED) & bit);
  *word |= bit;
  return true;
}
#endif
