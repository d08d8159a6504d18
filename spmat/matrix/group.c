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

/* The part of a stream that one thread takes: keys [from, to), or vectors order[from .. to). */
typedef struct {
  uint64_t from, to;
} stretch;

static stretch cut(const grid_stream *s, int t, int threads) {
  if (s->keys)
    return (stretch){s->n / (uint64_t)threads * (uint64_t)t,
                     t + 1 == threads ? s->n : s->n / (uint64_t)threads * (uint64_t)(t + 1)};
  /* vectors in order, cut where the entry count passes t / threads */
  uint64_t lo = s->n / (uint64_t)threads * (uint64_t)t, hi = s->n / (uint64_t)threads * (uint64_t)(t + 1),
           seen = 0;
  stretch r = {s->nvec, s->nvec};
  if (t == 0) r.from = 0;
  for (uint64_t k = 0; k < s->nvec; k++) {
    if (t > 0 && r.from == s->nvec && seen >= lo) r.from = k;
    if (t + 1 < threads && seen >= hi) {
      r.to = k;
      break;
    }
    uint64_t v = s->order ? s->order[k] : k;
    seen += s->ptr[v + 1] - s->ptr[v];
  }
  if (r.from > r.to) r.from = r.to;
  return r;
}

static inline uint64_t vector_at(const grid_stream *s, uint64_t k) {
  return s->order ? s->order[k] : k;
}

static void count_buckets(const grid_stream *s, stretch r, int shift, uint64_t *count) {
  if (s->keys) {
    for (uint64_t k = r.from; k < r.to; k++) count[s->keys[k] >> 32 >> shift]++;
    return;
  }
  for (uint64_t k = r.from; k < r.to; k++) {
    uint64_t v = vector_at(s, k);
    for (uint64_t e = s->ptr[v]; e < s->ptr[v + 1]; e++) count[s->idx[e] >> shift]++;
  }
}

static void deal(const grid_stream *s, stretch r, int shift, uint64_t *at, uint64_t *to, uint32_t *topos) {
  if (s->keys) {
    for (uint64_t k = r.from; k < r.to; k++) {
      uint64_t slot = at[s->keys[k] >> 32 >> shift]++;
      to[slot] = s->keys[k];
      if (topos) topos[slot] = (uint32_t)k;
    }
    return;
  }
  for (uint64_t k = r.from; k < r.to; k++) {
    uint64_t v = vector_at(s, k);
    for (uint64_t e = s->ptr[v]; e < s->ptr[v + 1]; e++) {
      uint64_t slot = at[s->idx[e] >> shift]++;
      to[slot] = (uint64_t)s->idx[e] << 32 | v;
      if (topos) topos[slot] = (uint32_t)e;
    }
  }
}

/* One bucket: majors [first, last), pairs [from, to) of the dealt-out array. ptr[m] first counts, then is the
 * write position. */
static void finish_bucket(const uint64_t *pair, const uint32_t *pairpos, uint64_t from, uint64_t to,
                          uint64_t first, uint64_t last, uint32_t *ptr, uint32_t *out, uint32_t *pos) {
  for (uint64_t m = first; m < last; m++) ptr[m] = 0;
  for (uint64_t k = from; k < to; k++) ptr[pair[k] >> 32]++;
  uint32_t at = (uint32_t)from;
  for (uint64_t m = first; m < last; m++) {
    uint32_t count = ptr[m];
    ptr[m] = at;
    at += count;
  }
  for (uint64_t k = from; k < to; k++) {
    uint32_t slot = ptr[pair[k] >> 32]++;
    out[slot] = (uint32_t)pair[k];
    if (pos) pos[slot] = pairpos[k];
  }
  /* every ptr[m] now stands at the next one's start */
  for (uint64_t m = last; m > first + 1; m--) ptr[m - 1] = ptr[m - 2];
  if (last > first) ptr[first] = (uint32_t)from;
}

GrB_Info grid_group(const grid_stream *s, uint64_t nmajor, uint32_t *ptr, uint32_t *out, uint32_t *pos,
                    uint64_t *scratch) {
  int shift = 0, threads = s->n < SMALL ? 1 : omp_get_max_threads();
  while (nmajor && (nmajor - 1) >> shift >= (s->n < SMALL ? 1u : BUCKETS)) shift++;
  uint64_t nb = nmajor ? ((nmajor - 1) >> shift) + 1 : 1;
  uint64_t *pair = scratch ? scratch : grid_malloc(s->n, sizeof *pair);
  uint32_t *pairpos = pos ? grid_malloc(s->n, sizeof *pairpos) : NULL;
  uint64_t *at = grid_calloc(((size_t)threads + 1) * nb, sizeof *at),
           *start = grid_malloc(nb + 1, sizeof *start);
  GrB_Info info = GrB_SUCCESS;
  if (!pair || !at || !start || (pos && !pairpos)) {
    info = grid_fail_memory(NULL, "grouping matrix entries", s->n, sizeof *pair);
    goto done;
  }
  memset(ptr, 0, (nmajor + 1) * sizeof *ptr);
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
        start[b] = sum;
        for (int u = 0; u < team; u++) {
          uint64_t count = at[(uint64_t)u * nb + b];
          at[(uint64_t)u * nb + b] = sum;
          sum += count;
        }
      }
      start[nb] = sum;
    }
    deal(s, r, shift, at + (uint64_t)t * nb, pair, pairpos);
#pragma omp barrier
#pragma omp for schedule(dynamic, 1)
    for (uint64_t b = 0; b < nb; b++) {
      uint64_t last = (b + 1) << shift;
      finish_bucket(pair, pairpos, start[b], start[b + 1], b << shift, last < nmajor ? last : nmajor, ptr,
                    out, pos);
    }
  }
  ptr[nmajor] = (uint32_t)s->n;
done:
  if (!scratch) grid_free(pair);
  grid_free(pairpos);
  grid_free(at);
  grid_free(start);
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
