/* See index_set.h. */
#include "spmat/sort/index_set.h"

/* From this many indices on all threads search. */
#define PARALLEL_MIN ((int64_t)1 << 15)

/* Is every step from one index to the next at least 1 (one: exactly 1)? A descending step wraps around. */
static bool has_steps_of(const uint64_t *list, uint64_t n, bool one) {
  const int64_t steps = n ? (int64_t)(n - 1) : 0;
  bool bad = false;
  /* the first steps decide for most lists that are no range */
  for (int64_t k = 0; k < steps && k < 64; k++)
    if (one ? list[k + 1] - list[k] != 1 : list[k + 1] <= list[k]) return false;
#pragma omp parallel for schedule(static) reduction(|| : bad) if (steps > PARALLEL_MIN)
  for (int64_t k = 0; k < steps; k++)
    bad = bad || (one ? list[k + 1] - list[k] != 1 : list[k + 1] <= list[k]);
  return !bad;
}

grid_index_set grid_index_set_of(const uint64_t *list, uint64_t n) {
  if (n == 0) return (grid_index_set){0};
  if (has_steps_of(list, n, true)) return (grid_index_set){.first = list[0], .n = n};
  return (grid_index_set){.list = list, .n = n};
}

bool grid_index_set_is_sorted(const grid_index_set *s) {
  return !s->list || has_steps_of(s->list, s->n, false);
}
