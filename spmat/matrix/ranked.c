/* Making ranks. Counts of a sample of the entries suffice: what matters is which ends are the hubs. */
#include "spmat/matrix/ranked.h"

#include <unistd.h>

grid_ranked_rule grid_ranked_when = {.pulls = 2, .share = 0.5, .tries = 2, .gain = 0.95};

enum {
  SAMPLE = 1 << 22, /* entries that are counted, about */
  MOST = 1 << 16,   /* higher counts are taken for this one */
  HUBS = 16         /* one end of so many is a hub */
};

grid_ranked *grid_ranked_new(uint64_t n) {
  grid_ranked *r = grid_calloc(1, sizeof *r);
  if (r) r->n = n;
  return r;
}

static void drop(grid_ranked *r) {
  grid_free(r->end);
  grid_free(r->idx);
  r->end = r->idx = NULL;
}

void grid_ranked_free(grid_ranked *r) {
  if (r) drop(r);
  grid_free(r);
}

uint64_t grid_ranked_bytes(const grid_ranked *r, uint64_t nvals) {
  return r && r->idx ? (r->n + nvals) * sizeof *r->idx : 0;
}

void grid_ranked_refuse(const grid_compressed *c) {
  drop(c->ranks);
  c->ranks->refused = true;
}

static uint64_t least_bytes(void) {
  if (grid_ranked_when.bytes) return grid_ranked_when.bytes;
  long cache = sysconf(_SC_LEVEL2_CACHE_SIZE);
  return (uint64_t)(cache > 0 ? cache : 1 << 20) / 2;
}

static uint64_t ends_used(const grid_compressed *c, uint64_t n) {
  uint64_t used = 0;
#pragma omp parallel for schedule(static) reduction(max : used) if (n > 1 << 15)
  for (uint64_t v = 0; v < n; v++) {
    const uint64_t from = grid_vector_start(c, v), to = grid_vector_start(c, v + 1);
    if (to > from && c->idx[to - 1] >= used) used = (uint64_t)c->idx[to - 1] + 1;
  }
  return used;
}

/* Every so-manieth entry of each end; returns how many were counted. */
static uint64_t count_sample(const uint32_t *idx, uint64_t nvals, uint32_t *count) {
  const uint64_t step = 1 + nvals / SAMPLE;
  uint64_t counted = 0;
  for (uint64_t e = 0; e < nvals; e += step, counted++) count[idx[e]] += count[idx[e]] < MOST;
  return counted;
}

/* The ends by descending count, ties ascending; returns the entries of the hubs. */
static uint64_t order_ends(const uint32_t *count, uint64_t n, uint64_t *start, uint32_t *end) {
  uint64_t sum = 0, hubs = 0;
  for (uint64_t k = 0; k < n; k++) start[MOST - count[k]]++;
  for (uint64_t c = 0; c <= MOST; c++) {
    const uint64_t ends = start[c], left = sum < n / HUBS ? n / HUBS - sum : 0;
    hubs += (ends < left ? ends : left) * (MOST - c);
    start[c] = sum;
    sum += ends;
  }
  for (uint64_t k = 0; k < n; k++) end[start[MOST - count[k]]++] = (uint32_t)k;
  return hubs;
}

/* rank[end[k]] = k, and every entry's. */
static void number_entries(const grid_compressed *c, uint64_t nvals, uint32_t *rank, grid_ranked *r) {
#pragma omp parallel for schedule(static) if (r->used > 1 << 15)
  for (uint64_t k = 0; k < r->used; k++) rank[r->end[k]] = (uint32_t)k;
#pragma omp parallel for schedule(static) if (nvals > 1 << 15)
  for (uint64_t e = 0; e < nvals; e++) r->idx[e] = rank[c->idx[e]];
}

/* false: they don't pay, or there is no memory. */
static bool make(const grid_compressed *c, uint64_t n, grid_ranked *r) {
  const uint64_t nvals = grid_vector_start(c, n);
  r->used = ends_used(c, n);
  uint32_t *count = grid_calloc(r->used, sizeof *count);
  uint64_t *start = grid_calloc(MOST + 1, sizeof *start);
  r->end = grid_malloc(r->used, sizeof *r->end);
  bool pays = count && start && r->end;
  if (pays) {
    const double counted = (double)count_sample(c->idx, nvals, count);
    pays = (double)order_ends(count, r->used, start, r->end) > grid_ranked_when.share * counted;
  }
  if (pays) r->idx = grid_malloc(nvals, sizeof *r->idx);
  if (r->idx) number_entries(c, nvals, count, r);
  grid_free(count);
  grid_free(start);
  return r->idx != NULL;
}

static bool same_use(grid_ranked_use a, grid_ranked_use b) {
  return a.semiring == b.semiring && a.bytes == b.bytes;
}

const grid_ranked *grid_ranked_ask(const grid_compressed *c, uint64_t n, grid_ranked_use use) {
  grid_ranked *r = c->ranks;
  if (!r || r->refused || r->n == 0 || use.bytes <= least_bytes()) return NULL;
  if (r->idx) return r;
  if (!same_use(r->use, use)) r->before = 0;
  r->use = use;
  if (r->before < grid_ranked_when.pulls) return NULL;
  if (make(c, n, r)) return r;
  grid_ranked_refuse(c);
  return NULL;
}

void grid_ranked_tell(const grid_compressed *c, grid_ranked_use use, double seconds) {
  grid_ranked *r = c->ranks;
  const int with = r->idx != NULL;
  uint64_t *pulls = with ? &r->after : &r->before;
  if (r->refused || !same_use(r->use, use)) return;
  if (*pulls == 0 || seconds < r->least[with]) r->least[with] = seconds;
  ++*pulls;
  if (with && *pulls == grid_ranked_when.tries && r->least[1] > grid_ranked_when.gain * r->least[0])
    grid_ranked_refuse(c);
}
