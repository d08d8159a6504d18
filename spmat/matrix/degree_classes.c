/* See degree_classes.h. */
#include "spmat/matrix/degree_classes.h"

#include <unistd.h>

#include "semiring/support/tuning.h"

enum {
  HUBS = 16,       /* one vertex in this many is a hub */
  CLASSES = 32 + 1 /* classes of degrees, and 0 */
};

static unsigned class_of(uint32_t degree) {
  return degree ? (unsigned)__builtin_clz(degree) : CLASSES - 1;
}

grid_degree_ranking grid_order_by_degree(const uint32_t *degree, uint64_t n, uint32_t *order) {
  uint64_t at[CLASSES + 1] = {0};
  grid_degree_ranking found = {0};
  for (uint64_t k = 0; k < n; k++) at[class_of(degree[k]) + 1]++;
  for (unsigned c = 0; c < CLASSES; c++) at[c + 1] += at[c];
  found.used = at[CLASSES - 1];
  for (uint64_t k = 0; k < n; k++) order[at[class_of(degree[k])]++] = (uint32_t)k;
  for (uint64_t k = 0; k < n; k++) {
    found.hubs += k < n / HUBS ? degree[order[k]] : 0;
    found.all += degree[k];
  }
  return found;
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
