/* See gap.h. A few neighbours of each vertex connect most of the graph into one tree; then only vertices
 * outside of that tree inspect their other edges. */
#include <stdlib.h>

#include "bench/ops/gap/gap.h"

enum { ROUNDS = 2, SAMPLES = 1024, AT_A_TIME = 1024 };

static uint32_t read(const uint32_t *label, uint32_t v) {
  return __atomic_load_n(label + v, __ATOMIC_RELAXED);
}

/* Hangs the larger of two roots below the smaller. */
static void link_components(uint32_t *label, uint32_t u, uint32_t v) {
  uint32_t a = read(label, u), b = read(label, v);
  while (a != b) {
    const uint32_t low = a < b ? a : b, high = a < b ? b : a;
    uint32_t parent = read(label, high);
    if (parent == low) return;
    if (parent == high &&
        __atomic_compare_exchange_n(label + high, &parent, low, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      return;
    a = read(label, read(label, high));
    b = read(label, low);
  }
}

static void compress(const lists *g, uint32_t *label) {
#pragma omp parallel for schedule(dynamic, 16 * AT_A_TIME)
  for (uint32_t v = 0; v < g->n; v++)
    while (read(label, v) != read(label, read(label, v)))
      __atomic_store_n(label + v, read(label, read(label, v)), __ATOMIC_RELAXED);
}

static int smaller_first(const void *x, const void *y) {
  const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
  return (a > b) - (a < b);
}

/* The most frequent label of a sample. */
static uint32_t frequent(const lists *g, const uint32_t *label) {
  uint32_t sample[SAMPLES], most = 0, run = 0, best = 0;
  for (uint64_t k = 0; k < SAMPLES; k++) sample[k] = label[mix(k) % g->n];
  qsort(sample, SAMPLES, sizeof *sample, smaller_first);
  for (int k = 0; k < SAMPLES; k++) {
    run = k > 0 && sample[k] == sample[k - 1] ? run + 1 : 1;
    if (run > most) most = run, best = sample[k];
  }
  return best;
}

bool gap_components(const lists *g, uint32_t *label) {
#pragma omp parallel for schedule(static)
  for (uint32_t v = 0; v < g->n; v++) label[v] = v;
  for (uint64_t round = 0; round < ROUNDS; round++) {
#pragma omp parallel for schedule(dynamic, AT_A_TIME)
    for (uint32_t v = 0; v < g->n; v++)
      if (g->start[v] + round < g->start[v + 1]) link_components(label, v, g->col[g->start[v] + round]);
    compress(g, label);
  }
  const uint32_t large = frequent(g, label);
#pragma omp parallel for schedule(dynamic, AT_A_TIME)
  for (uint32_t v = 0; v < g->n; v++) {
    if (read(label, v) == large) continue;
    for (uint64_t k = g->start[v] + ROUNDS; k < g->start[v + 1]; k++) link_components(label, v, g->col[k]);
  }
  compress(g, label);
  return true;
}
