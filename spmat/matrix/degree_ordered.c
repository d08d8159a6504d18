/* Builds the order by degree. Counts of a sample of the entries suffice, since only the hubs matter. */
#include "spmat/matrix/degree_ordered.h"

#include "semiring/support/tuning.h"
#include "spmat/matrix/degree_classes.h"

enum {
  SAMPLE = 1 << 21, /* approximate number of entries counted, */
  RUN = 16          /* which are runs of one cache line */
};

grid_degree_order *grid_degree_order_new(uint64_t n) {
  grid_degree_order *r = grid_calloc(1, sizeof *r);
  if (r) r->n = n;
  return r;
}

static void drop(grid_degree_order *r) {
  grid_free(r->end);
  grid_free(r->idx);
  r->end = r->idx = NULL;
}

void grid_degree_order_free(grid_degree_order *r) {
  if (r) drop(r);
  grid_free(r);
}

uint64_t grid_degree_order_bytes(const grid_degree_order *r, uint64_t nvals) {
  return r && r->idx ? (r->n + nvals) * sizeof *r->idx : 0;
}

void grid_degree_order_drop(const grid_compressed *c) {
  drop(c->ranks);
  c->ranks->refused = true;
}

static uint64_t count_ends(const grid_compressed *c, uint64_t n) {
  uint64_t used = 0;
#pragma omp parallel for schedule(static) reduction(max : used) if (n > 1 << 15)
  for (uint64_t v = 0; v < n; v++) {
    const uint64_t from = grid_vector_start(c, v), to = grid_vector_start(c, v + 1);
    if (to > from && c->idx[to - 1] >= used) used = (uint64_t)c->idx[to - 1] + 1;
  }
  return used;
}

/* Counts runs of entries by their ends; returns how many were counted. */
static uint64_t count_sample(const uint32_t *idx, uint64_t nvals, uint32_t *count) {
  const uint64_t runs = (nvals + RUN - 1) / RUN, step = 1 + nvals / SAMPLE;
  uint64_t counted = 0;
#pragma omp parallel for schedule(static) reduction(+ : counted) if (nvals > 1 << 15)
  for (uint64_t run = 0; run < runs; run += step) {
    const uint64_t from = run * RUN, to = from + RUN < nvals ? from + RUN : nvals;
    for (uint64_t e = from; e < to; e++) {
#pragma omp atomic
      count[idx[e]]++;
    }
    counted += to - from;
  }
  return counted;
}

/* Ends that the sample lacks count as one entry, so that those of count 0 have none. */
static void count_others(const uint32_t *idx, uint64_t nvals, uint32_t *count) {
#pragma omp parallel for schedule(static) if (nvals > 1 << 15)
  for (uint64_t e = 0; e < nvals; e++) {
    uint32_t known;
#pragma omp atomic read
    known = count[idx[e]];
    if (known) continue;
#pragma omp atomic write
    count[idx[e]] = 1;
  }
}

/* rank[end[k]] = k, and the rank of every entry's end. */
static void number_entries(const grid_compressed *c, uint64_t nvals, uint32_t *rank, grid_degree_order *r) {
#pragma omp parallel for schedule(static) if (r->used > 1 << 15)
  for (uint64_t k = 0; k < r->used; k++) rank[r->end[k]] = (uint32_t)k;
#pragma omp parallel for schedule(static) if (nvals > 1 << 15)
  for (uint64_t e = 0; e < nvals; e++) r->idx[e] = rank[c->idx[e]];
}

/* false: it does not pay, or there is no memory. */
static bool make(const grid_compressed *c, uint64_t n, grid_degree_order *r) {
  const uint64_t nvals = grid_vector_start(c, n), ends = count_ends(c, n);
  uint32_t *count = grid_calloc(ends, sizeof *count);
  r->end = grid_malloc(ends, sizeof *r->end);
  bool pays = count && r->end;
  if (pays) {
    const uint64_t counted = count_sample(c->idx, nvals, count);
    count_others(c->idx, nvals, count);
    const grid_degree_ranking found = grid_order_by_degree(count, ends, r->end);
    r->used = found.used;
    pays = grid_degree_order_can_pay(found.hubs, counted);
  }
  if (pays) r->idx = grid_malloc(nvals, sizeof *r->idx);
  if (r->idx) number_entries(c, nvals, count, r);
  grid_free(count);
  return r->idx != NULL;
}

static bool is_same_use(grid_degree_order_use a, grid_degree_order_use b) {
  return a.semiring == b.semiring && a.bytes == b.bytes;
}

bool grid_degree_order_may_pay(const grid_compressed *c, grid_degree_order_use use) {
  const grid_degree_order *r = c->ranks;
  return r && !r->refused && r->n > 0 && use.bytes > grid_degree_order_min_bytes();
}

const grid_degree_order *grid_degree_order_get(const grid_compressed *c, uint64_t n,
                                               grid_degree_order_use use) {
  grid_degree_order *r = c->ranks;
  if (r->idx) return r;
  if (!is_same_use(r->use, use)) r->before = 0;
  r->use = use;
  if (r->before < grid_tune.degree_order_pulls) return NULL;
  if (make(c, n, r)) return r;
  grid_degree_order_drop(c);
  return NULL;
}

void grid_degree_order_record(const grid_compressed *c, grid_degree_order_use use, double seconds) {
  grid_degree_order *r = c->ranks;
  const int with = r->idx != NULL;
  uint64_t *pulls = with ? &r->after : &r->before;
  if (r->refused || !is_same_use(r->use, use)) return;
  if (*pulls == 0 || seconds < r->min_seconds[with]) r->min_seconds[with] = seconds;
  ++*pulls;
  if (with && *pulls == grid_tune.degree_order_tries && !grid_degree_order_pays(r->min_seconds))
    grid_degree_order_drop(c);
}
