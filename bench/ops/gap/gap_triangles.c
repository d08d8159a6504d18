/* See gap_triangles.h. Vertices are numbered by descending degree if degrees differ enough for that to pay;
 * then, for each edge, the two lists of smaller neighbours are merged. */
#include "bench/ops/gap/gap_triangles.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_MEAN = 10, SAMPLES = 1000, SHORT = 24, AT_A_TIME = 64 };

/* ---- is it worth numbering them anew? ---- */

static int smaller_first(const void *x, const void *y) {
  const uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
  return (a > b) - (a < b);
}

static bool is_skewed(const lists *g) {
  uint64_t degree[SAMPLES], sum = 0;
  if (g->start[g->n] / g->n < LEAST_MEAN) return false;
  for (uint64_t k = 0; k < SAMPLES; k++) {
    const uint64_t v = mix(k) % g->n;
    sum += degree[k] = g->start[v + 1] - g->start[v];
  }
  qsort(degree, SAMPLES, sizeof *degree, smaller_first);
  const uint64_t median_degree = degree[SAMPLES / 2];
  return (double)sum / SAMPLES > 1.3 * (double)median_degree;
}

/* ---- numbering ---- */

/* number[v]: v's position by descending degree. */
static bool by_degree(const lists *g, uint32_t *number) {
  uint64_t most = 0;
  for (uint64_t v = 0; v < g->n; v++)
    if (g->start[v + 1] - g->start[v] > most) most = g->start[v + 1] - g->start[v];
  uint64_t *position = calloc(most + 2, sizeof *position);
  if (!position) return false;
  for (uint64_t v = 0; v < g->n; v++) position[most - (g->start[v + 1] - g->start[v]) + 1]++;
  for (uint64_t d = 0; d < most; d++) position[d + 1] += position[d];
  for (uint64_t v = 0; v < g->n; v++)
    number[v] = (uint32_t)position[most - (g->start[v + 1] - g->start[v])]++;
  free(position);
  return true;
}

static void sort_short(uint32_t *x, int64_t n) {
  for (int64_t k = 1; k < n; k++) {
    const uint32_t one = x[k];
    int64_t at = k;
    for (; at > 0 && x[at - 1] > one; at--) x[at] = x[at - 1];
    x[at] = one;
  }
}

static uint32_t median(uint32_t a, uint32_t b, uint32_t c) {
  return a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b);
}

static void sort_list(uint32_t *x, int64_t n) {  // NOLINT(misc-no-recursion): into the shorter half
  while (n > SHORT) {
    const uint32_t pivot = median(x[0], x[n / 2], x[n - 1]);
    int64_t lo = 0, hi = n - 1;
    while (lo <= hi) {
      while (x[lo] < pivot) lo++;
      while (x[hi] > pivot) hi--;
      if (lo > hi) break;
      const uint32_t one = x[lo];
      x[lo++] = x[hi], x[hi--] = one;
    }
    if (hi + 1 < n - lo) {
      sort_list(x, hi + 1);
      x += lo, n -= lo;
    } else {
      sort_list(x + lo, n - lo);
      n = hi + 1;
    }
  }
  sort_short(x, n);
}

static void lists_free(lists *g) {
  free(g->start);
  free(g->col);
}

static bool renumber(const lists *g, lists *to) {
  uint32_t *number = malloc(g->n * sizeof *number);
  *to = (lists){g->n, calloc(g->n + 1, sizeof *to->start), malloc((g->start[g->n] + 1) * sizeof *to->col)};
  if (!number || !to->start || !to->col || !by_degree(g, number)) {
    free(number);
    lists_free(to);
    return false;
  }
#pragma omp parallel for schedule(static)
  for (uint64_t v = 0; v < g->n; v++) to->start[number[v] + 1] = g->start[v + 1] - g->start[v];
  for (uint64_t v = 0; v < g->n; v++) to->start[v + 1] += to->start[v];
#pragma omp parallel for schedule(dynamic, AT_A_TIME)
  for (uint64_t v = 0; v < g->n; v++) {
    uint32_t *list = to->col + to->start[number[v]];
    const uint64_t n = g->start[v + 1] - g->start[v];
    for (uint64_t k = 0; k < n; k++) list[k] = number[g->col[g->start[v] + k]];
    sort_list(list, (int64_t)n);
  }
  free(number);
  return true;
}

/* ---- counting ---- */

/* Triangles whose greatest vertex is u. */
static uint64_t count_at(const lists *g, uint64_t u) {
  const uint32_t *first = g->col + g->start[u], *end = g->col + g->start[u + 1];
  uint64_t found = 0;
  for (const uint32_t *v = first; v < end && *v < u; v++) {
    const uint32_t *w = g->col + g->start[*v], *wend = g->col + g->start[*v + 1], *x = first;
    for (; w < wend && *w < *v; w++) {
      while (*x < *w) x++; /* v itself ends this */
      found += *x == *w;
    }
  }
  return found;
}

static uint64_t count(const lists *g) {
  uint64_t found = 0;
#pragma omp parallel for schedule(dynamic, AT_A_TIME) reduction(+ : found)
  for (uint64_t u = 0; u < g->n; u++) found += count_at(g, u);
  return found;
}

bool count_triangles(const lists *g, uint64_t *triangles) {
  lists other;
  if (!is_skewed(g)) {
    *triangles = count(g);
    return true;
  }
  if (!renumber(g, &other)) return false;
  *triangles = count(&other);
  lists_free(&other);
  return true;
}
