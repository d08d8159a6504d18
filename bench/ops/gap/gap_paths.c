/* See gap.h. All threads process the vertices of the lowest bucket; vertices that a thread improves go into
 * its own buckets. */
#include <omp.h>
#include <stdlib.h>

#include "bench/ops/gap/gap.h"

enum { AT_A_TIME = 64, SERIAL_VERTICES = 1000 };

typedef struct {
  uint32_t *vertex;
  uint64_t count, capacity;
} bucket;

/* A thread's. */
typedef struct {
  bucket *at;
  uint64_t buckets;
  bool short_of_memory;
} thread_buckets;

typedef struct {
  const lists *g;
  const int32_t *weight;
  int32_t *distance, delta;
  bucket front; /* of all threads */
  uint64_t next;
} search;

static bool push_vertex(thread_buckets *o, uint64_t k, uint32_t v) {
  if (k >= o->buckets) {
    const uint64_t more = 2 * k + 16;
    bucket *at = realloc(o->at, more * sizeof *at);
    if (!at) return false;
    for (uint64_t b = o->buckets; b < more; b++) at[b] = (bucket){NULL, 0, 0};
    o->at = at;
    o->buckets = more;
  }
  bucket *b = o->at + k;
  if (b->count == b->capacity) {
    const uint64_t capacity = 2 * b->capacity + 64;
    uint32_t *vertex = realloc(b->vertex, capacity * sizeof *vertex);
    if (!vertex) return false;
    b->vertex = vertex;
    b->capacity = capacity;
  }
  b->vertex[b->count++] = v;
  return true;
}

/* v's neighbours learn its distance. */
static void relax(const search *s, thread_buckets *o, uint32_t v) {
  const int32_t distance_v = __atomic_load_n(s->distance + v, __ATOMIC_RELAXED);
  for (uint64_t k = s->g->start[v]; k < s->g->start[v + 1]; k++) {
    const uint32_t w = s->g->col[k];
    const int32_t offer = distance_v + s->weight[k];
    int32_t before = __atomic_load_n(s->distance + w, __ATOMIC_RELAXED);
    while (offer < before)
      if (__atomic_compare_exchange_n(s->distance + w, &before, offer, false, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED)) {
        if (!push_vertex(o, (uint64_t)(offer / s->delta), w)) o->short_of_memory = true;
        break;
      }
  }
}

/* The thread's own part of bucket k while it is small. */
static void relax_serially(const search *s, thread_buckets *o, uint64_t k) {
  while (k < o->buckets && o->at[k].count > 0 && o->at[k].count < SERIAL_VERTICES && !o->short_of_memory) {
    const bucket current = o->at[k];
    o->at[k] = (bucket){NULL, 0, 0};
    for (uint64_t t = 0; t < current.count; t++) relax(s, o, current.vertex[t]);
    free(current.vertex);
  }
}

static uint64_t lowest(const thread_buckets *o, uint64_t from) {
  while (from < o->buckets && o->at[from].count == 0) from++;
  return from < o->buckets ? from : UINT64_MAX;
}

/* The lowest buckets of all threads become the front. */
static bool gather(search *s, thread_buckets *all, int threads) {
  uint64_t next = UINT64_MAX, total = 0;
  for (int t = 0; t < threads; t++) {
    const uint64_t k = lowest(all + t, s->next);
    if (k < next) next = k;
    if (all[t].short_of_memory) return false;
  }
  s->next = next;
  s->front.count = 0;
  if (next == UINT64_MAX) return true;
  for (int t = 0; t < threads; t++) total += next < all[t].buckets ? all[t].at[next].count : 0;
  if (total > s->front.capacity) {
    free(s->front.vertex);
    s->front.vertex = malloc(total * sizeof *s->front.vertex);
    s->front.capacity = s->front.vertex ? total : 0;
    if (!s->front.vertex) return false;
  }
  for (int t = 0; t < threads; t++) {
    if (next >= all[t].buckets) continue;
    bucket *b = all[t].at + next;
    for (uint64_t k = 0; k < b->count; k++) s->front.vertex[s->front.count++] = b->vertex[k];
    b->count = 0;
  }
  return true;
}

static bool run(search *s, thread_buckets *all, int threads) {
  while (s->front.count > 0) {
#pragma omp parallel num_threads(threads)
    {
      thread_buckets *const buckets = all + omp_get_thread_num();
#pragma omp for schedule(dynamic, AT_A_TIME)
      for (uint64_t k = 0; k < s->front.count; k++) {
        const uint32_t v = s->front.vertex[k];
        /* vertices that fell below the bucket were relaxed then */
        if ((uint64_t)__atomic_load_n(s->distance + v, __ATOMIC_RELAXED) >= (uint64_t)s->delta * s->next)
          relax(s, buckets, v);
      }
      relax_serially(s, buckets, s->next);
    }
    if (!gather(s, all, threads)) return false;
  }
  return true;
}

bool gap_paths(const lists *g, const int32_t *weight, uint64_t source, int32_t delta, int32_t *distance) {
  const int threads = omp_get_max_threads();
  search s = {g, weight, distance, delta, {malloc(sizeof(uint32_t)), 1, 1}, 0};
  thread_buckets *all = calloc((size_t)threads, sizeof *all);
  bool good = all && s.front.vertex;
#pragma omp parallel for schedule(static)
  for (uint64_t v = 0; v < g->n; v++) distance[v] = GAP_FAR;
  if (good) {
    distance[source] = 0;
    s.front.vertex[0] = (uint32_t)source;
    good = run(&s, all, threads);
  }
  for (int t = 0; all && t < threads; t++) {
    for (uint64_t k = 0; k < all[t].buckets; k++) free(all[t].at[k].vertex);
    free(all[t].at);
  }
  free(all);
  free(s.front.vertex);
  return good;
}
