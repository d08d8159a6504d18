/* See degree_classes.h. */
#include "spmat/matrix/degree_classes.h"

#include <unistd.h>

#include "semiring/support/tuning.h"

enum {
  HUBS = 16,        /* one vertex in this many is a hub */
  CLASSES = 32 + 1, /* classes of degrees, and 0 */
  SHARES = 64,
  PARALLEL = 1 << 15 /* fewer vertices: one thread */
};

static unsigned class_of(uint32_t degree) {
  return degree ? (unsigned)__builtin_clz(degree) : CLASSES - 1;
}

/* Shares of the vertices, each counted and then placed by one thread. */
static uint64_t share_start(uint64_t n, uint64_t share) {
  return n / SHARES * share + (share < n % SHARES ? share : n % SHARES);
}

/* at[s][c] = where the first vertex of class c in share s goes; returns how many vertices have entries. */
static uint64_t place_classes(uint64_t at[SHARES][CLASSES]) {
  uint64_t sum = 0, used = 0;
  for (unsigned c = 0; c < CLASSES; c++) {
    if (c == CLASSES - 1) used = sum;
    for (unsigned s = 0; s < SHARES; s++) {
      const uint64_t count = at[s][c];
      at[s][c] = sum;
      sum += count;
    }
  }
  return used;
}

grid_degree_ranking grid_order_by_degree(const uint32_t *degree, uint64_t n, uint32_t *order) {
  uint64_t at[SHARES][CLASSES] = {{0}}, hubs = 0, all = 0;
#pragma omp parallel for schedule(static) reduction(+ : all) if (n > PARALLEL)
  for (uint64_t s = 0; s < SHARES; s++) {
    for (uint64_t k = share_start(n, s); k < share_start(n, s + 1); k++) {
      at[s][class_of(degree[k])]++;
      all += degree[k];
    }
  }
  const uint64_t used = place_classes(at);
#pragma omp parallel for schedule(static) if (n > PARALLEL)
  for (uint64_t s = 0; s < SHARES; s++) {
    for (uint64_t k = share_start(n, s); k < share_start(n, s + 1); k++)
      order[at[s][class_of(degree[k])]++] = (uint32_t)k;
  }
#pragma omp parallel for schedule(static) reduction(+ : hubs) if (n > PARALLEL)
  for (uint64_t k = 0; k < n / HUBS; k++) hubs += degree[order[k]];
  return (grid_degree_ranking){.used = used, .hubs = hubs, .all = all};
}

uint64_t grid_degree_order_min_bytes(void) {
  if (grid_tune.degree_order_bytes) return grid_tune.degree_order_bytes;
  const long cache = sysconf(_SC_LEVEL2_CACHE_SIZE);
  return (uint64_t)(cache > 0 ? cache : 1 << 20) / 2;
}

bool grid_degree_order_can_pay(uint64_t hubs, uint64_t all) {
  return (double)hubs > grid_tune.degree_order_share * (double)all;
}

bool grid_degree_order_pays(const double min_seconds[2]) {
  return min_seconds[1] <= grid_tune.degree_order_time_ratio * min_seconds[0];
}
