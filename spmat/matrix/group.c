/* Grouping in two levels: the pairs are dealt out to buckets of neighbouring majors (each thread its stretch
 * of the stream, so the order is kept), then each bucket, which fits the cache, is counted and scattered by
 * one thread. Both levels write sequentially into a bounded number of streams; no comparison is made
 * anywhere. */
#include "spmat/matrix/group.h"

#include <omp.h>
#include <string.h>

enum {
  BUCKETS = 512,   /* write streams that the TLB bears */
  SMALL = 1 << 15, /* pairs below which one bucket and one thread do */
  RADIX_BITS = 8
};

/* The part of a stream that one thread takes: keys or vectors [from, to). */
typedef struct {
  uint64_t from, to;
} stretch;

/* The first vector that starts at entry e or behind. */
static uint64_t vector_from(const grid_stream *s, uint64_t e) {
  uint64_t lo = 0, hi = s->nvec;
  while (lo < hi) {
    const uint64_t mid = lo + (hi - lo) / 2;
    if (grid_offset(s->start, mid) < e)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}

static stretch cut(const grid_stream *s, int t, int threads) {
  if (s->keys)
    return (stretch){s->n / (uint64_t)threads * (uint64_t)t,
                     t + 1 == threads ? s->n : s->n / (uint64_t)threads * (uint64_t)(t + 1)};
  /* vectors, cut where the entry count passes t / threads */
  const uint64_t each = s->n / (uint64_t)threads;
  return (stretch){t == 0 ? 0 : vector_from(s, each * (uint64_t)t),
                   t + 1 == threads ? s->nvec : vector_from(s, each * (uint64_t)(t + 1))};
}

static inline uint64_t flipped(uint64_t key) {
  return key << 32 | key >> 32;
}

static void count_buckets(const grid_stream *s, stretch r, int shift, uint64_t *count) {
  if (s->keys) {
    for (uint64_t k = r.from; k < r.to; k++) count[(uint32_t)s->keys[k] >> shift]++;
    return;
  }
  const uint64_t end = grid_offset(s->start, r.to);
  for (uint64_t e = grid_offset(s->start, r.from); e < end; e++) count[s->idx[e] >> shift]++;
}

static void deal(const grid_stream *s, stretch r, int shift, uint64_t *at, uint64_t *to, grid_offsets topos) {
  const bool positions = grid_offsets_made(topos);
  if (s->keys) {
    for (uint64_t k = r.from; k < r.to; k++) {
      uint64_t slot = at[(uint32_t)s->keys[k] >> shift]++;
      to[slot] = flipped(s->keys[k]);
      if (positions) grid_offset_set(topos, slot, k);
    }
    return;
  }
  for (uint64_t v = r.from; v < r.to; v++) {
    const uint64_t end = grid_offset(s->start, v + 1);
    for (uint64_t e = grid_offset(s->start, v); e < end; e++) {
      uint64_t slot = at[s->idx[e] >> shift]++;
      to[slot] = (uint64_t)s->idx[e] << 32 | v;
      if (positions) grid_offset_set(topos, slot, e);
    }
  }
}

/* One bucket: majors [first, last), pairs [from, to) of the dealt-out array. start[m] first counts, then is
 * the write position. */
static void finish_bucket(const uint64_t *pair, grid_offsets pairpos, uint64_t from, uint64_t to,
                          uint64_t first, uint64_t last, grid_offsets start, uint32_t *out,
                          grid_offsets pos) {
  const bool positions = grid_offsets_made(pos);
  for (uint64_t m = first; m < last; m++) grid_offset_set(start, m, 0);
  for (uint64_t k = from; k < to; k++) grid_offset_next(start, pair[k] >> 32);
  uint64_t at = from;
  for (uint64_t m = first; m < last; m++) {
    uint64_t count = grid_offset(start, m);
    grid_offset_set(start, m, at);
    at += count;
  }
  for (uint64_t k = from; k < to; k++) {
    uint64_t slot = grid_offset_next(start, pair[k] >> 32);
    out[slot] = (uint32_t)pair[k];
    if (positions) grid_offset_set(pos, slot, grid_offset(pairpos, k));
  }
  /* every start[m] now stands at the next one's */
  for (uint64_t m = last; m > first + 1; m--) grid_offset_set(start, m - 1, grid_offset(start, m - 2));
  if (last > first) grid_offset_set(start, first, from);
}

GrB_Info grid_group(const grid_stream *s, uint64_t nmajor, grid_offsets start, uint32_t *out,
                    grid_offsets pos, uint64_t *scratch) {
  const bool positions = grid_offsets_made(pos);
  int shift = 0, threads = s->n < SMALL ? 1 : omp_get_max_threads();
  while (nmajor && (nmajor - 1) >> shift >= (s->n < SMALL ? 1u : BUCKETS)) shift++;
  uint64_t nb = nmajor ? ((nmajor - 1) >> shift) + 1 : 1;
  uint64_t *pair = scratch ? scratch : grid_malloc(s->n, sizeof *pair);
  grid_offsets pairpos = {0};
  uint64_t *at = grid_calloc(((size_t)threads + 1) * nb, sizeof *at),
           *bucket = grid_malloc(nb + 1, sizeof *bucket);
  GrB_Info info = GrB_SUCCESS;
  if (!pair || !at || !bucket || (positions && !grid_offsets_make(&pairpos, s->n, s->n))) {
    info = grid_fail_memory(NULL, "grouping matrix entries", s->n, sizeof *pair);
    goto done;
  }
#pragma omp parallel num_threads(threads)
  {
    int t = omp_get_thread_num(), team = omp_get_num_threads();
    stretch r = cut(s, t, team);
    count_buckets(s, r, shift, at + (uint64_t)t * nb);
#pragma omp barrier
#pragma omp single
    {
      uint64_t sum = 0;
      for (uint64_t b = 0; b < nb; b++) {
        bucket[b] = sum;
        for (int u = 0; u < team; u++) {
          uint64_t count = at[(uint64_t)u * nb + b];
          at[(uint64_t)u * nb + b] = sum;
          sum += count;
        }
      }
      bucket[nb] = sum;
    }
    deal(s, r, shift, at + (uint64_t)t * nb, pair, pairpos);
#pragma omp barrier
#pragma omp for schedule(dynamic, 1)
    for (uint64_t b = 0; b < nb; b++) {
      uint64_t last = (b + 1) << shift;
      finish_bucket(pair, pairpos, bucket[b], bucket[b + 1], b << shift, last < nmajor ? last : nmajor, start,
                    out, pos);
    }
  }
  grid_offset_set(start, nmajor, s->n);
done:
  if (!scratch) grid_free(pair);
  grid_offsets_free(&pairpos);
  grid_free(at);
  grid_free(bucket);
  return info;
}

/* Least significant digit first; a digit that all keys share is skipped. */
void grid_sort_u64(uint64_t *keys, uint64_t *tmp, uint64_t n) {
  uint64_t *from = keys, *to = tmp, any = 0, all = ~UINT64_C(0);
  for (uint64_t k = 0; k < n; k++) any |= keys[k], all &= keys[k];
  uint64_t differ = any & ~all;
  for (int shift = 0; shift < 64; shift += RADIX_BITS) {
    if ((differ >> shift & 0xff) == 0) continue;
    uint64_t at[1 << RADIX_BITS] = {0}, sum = 0;
    for (uint64_t k = 0; k < n; k++) at[from[k] >> shift & 0xff]++;
    for (int d = 0; d < 1 << RADIX_BITS; d++) {
      uint64_t count = at[d];
      at[d] = sum;
      sum += count;
    }
    for (uint64_t k = 0; k < n; k++) to[at[from[k] >> shift & 0xff]++] = from[k];
    uint64_t *swap = from;
    from = to;
    to = swap;
  }
  if (from != keys) memcpy(keys, from, n * sizeof *keys);
}

GrB_Info grid_order_by_degree(const uint32_t *degree, uint64_t n, uint32_t *order) {
  uint64_t *key = grid_malloc(n, sizeof *key), *tmp = grid_malloc(n, sizeof *tmp);
  GrB_Info info = GrB_SUCCESS;
  if (key && tmp) {
    for (uint64_t v = 0; v < n; v++) key[v] = (uint64_t)(UINT32_MAX - degree[v]) << 32 | v;
    grid_sort_u64(key, tmp, n);
    for (uint64_t k = 0; k < n; k++) order[k] = (uint32_t)key[k];
  } else {
    info = grid_fail_memory(NULL, "vertices by degree", n, sizeof *key);
  }
  grid_free(key);
  grid_free(tmp);
  return info;
}
