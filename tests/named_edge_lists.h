/* Small graphs with known or easily computed properties, as edge lists: for the serial checkers of
 * bench/check and for tests that build matrices of them. */
#ifndef GRID_NAMED_EDGE_LISTS_H
#define GRID_NAMED_EDGE_LISTS_H
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "bench/check/check_graph.h"

enum { MAX_VERTICES = 200, MAX_EDGES = 4000 };

typedef struct {
  const char *name;
  check_graph list; /* of the arrays below */
  uint64_t from[MAX_EDGES], to[MAX_EDGES];
  double weight[MAX_EDGES];
} named_graph;

static uint64_t named_state = 20261122;
static inline uint64_t named_chance(uint64_t n) {
  named_state = named_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (named_state >> 33) % n;
}

static inline void named_add(named_graph *g, uint64_t from, uint64_t to) {
  if (g->list.m == MAX_EDGES) return;
  g->from[g->list.m] = from;
  g->to[g->list.m] = to;
  g->weight[g->list.m++] = (double)(1 + named_chance(9)); /* integers, so that sums are exact */
}

/* n vertices; half of all pairs, drawn at random, are connected. */
static inline void named_dense(named_graph *g, uint64_t n) {
  g->name = "dense";
  g->list = (check_graph){
      .n = n, .from = g->from, .to = g->to, .weight = g->weight, .both_directions = true, .loops = true};
  for (uint64_t v = 0; v < n; v++)
    for (uint64_t w = 0; w < v; w++)
      if (named_chance(2) == 0) named_add(g, v, w);
}

/* A random graph with loops, edges listed twice and vertices without edges. */
static inline void named_random(named_graph *g) {
  const uint64_t n = 1 + named_chance(MAX_VERTICES), m = named_chance(6 * n + 1);
  g->list.n = n;
  g->list.both_directions = named_chance(2) == 0;
  for (uint64_t k = 0; k < m; k++) named_add(g, named_chance(n), named_chance(1 + named_chance(n)));
}

enum { NAMED_GRAPHS = 15, RANDOM_GRAPHS = 6 };

/* Graph number k of NAMED_GRAPHS + RANDOM_GRAPHS. */
static inline void named_make(named_graph *g, int k) {
  static const char *const names[NAMED_GRAPHS] = {"one vertex",
                                                  "empty",
                                                  "one vertex with a loop",
                                                  "path",
                                                  "directed path",
                                                  "star",
                                                  "clique",
                                                  "cycle",
                                                  "two triangles",
                                                  "loops",
                                                  "edges listed twice",
                                                  "directed cycle with a tail",
                                                  "grid",
                                                  "bipartite",
                                                  "an arrow to a hub"};
  const int sizes[NAMED_GRAPHS] = {1, 7, 1, 150, 40, 30, 12, 65, 7, 9, 9, 70, 100, 21, 66};
  memset(&g->list, 0, sizeof g->list);
  g->list = (check_graph){
      .from = g->from, .to = g->to, .weight = g->weight, .both_directions = true, .loops = true};
  g->name = k < NAMED_GRAPHS ? names[k] : "random";
  if (k >= NAMED_GRAPHS) {
    named_random(g);
    return;
  }
  const uint64_t n = g->list.n = (uint64_t)sizes[k];
  if (k == 2 || k == 9)
    for (uint64_t v = 0; v < n; v++) named_add(g, v, v);
  if (k == 3 || k == 4 || k == 9 || k == 10)
    for (uint64_t v = 0; v + 1 < n; v++) named_add(g, v, v + 1);
  if (k == 10)
    for (uint64_t v = 0; v + 1 < n; v++) named_add(g, v + (v % 2), v + 1 - (v % 2));
  if (k == 5)
    for (uint64_t v = 1; v < n; v++) named_add(g, 0, v);
  if (k == 6)
    for (uint64_t v = 0; v < n; v++)
      for (uint64_t w = 0; w < v; w++) named_add(g, v, w);
  if (k == 7)
    for (uint64_t v = 0; v < n; v++) named_add(g, v, (v + 1) % n);
  if (k == 8)
    for (uint64_t v = 0; v < 6; v++) named_add(g, v, v / 3 * 3 + (v + 1) % 3);
  if (k == 11)
    for (uint64_t v = 0; v + 1 < n; v++) named_add(g, v, v == 49 ? 0 : v + 1);
  if (k == 11) named_add(g, 20, 50);
  if (k == 12)
    for (uint64_t v = 0; v < n; v++) {
      if (v % 10 < 9) named_add(g, v, v + 1);
      if (v < 90) named_add(g, v, v + 10);
    }
  if (k == 13)
    for (uint64_t v = 0; v < n; v++)
      for (uint64_t w = v % 2 + 1; v < 10 && w < n; w += 3)
        if (w >= 10) named_add(g, v, w);
  if (k == 14)
    for (uint64_t v = 0; v + 1 < n; v++) named_add(g, v, n - 1);
  g->list.both_directions = k != 4 && k != 11 && k != 14;
}
#endif
