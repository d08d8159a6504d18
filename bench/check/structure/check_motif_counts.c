/* Lists all connected sets of 3 and of 4 vertices, each once, and names the graph of each by its edges. A set
 * grows by neighbors above its first vertex, which were no neighbors of those before (Wernicke, Efficient
 * detection of network motifs, 2006). */
#include "bench/check/structure/check_motif_counts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 4 };

typedef struct {
  check_rows r;
  uint64_t set[MOST];
  uint64_t *candidate[MOST];
  uint64_t *adjacent; /* of a vertex: how many of the set it is, or is a neighbor of */
  uint64_t count[CHECK_MOTIFS];
} listing;

static void add_adjacent(listing *l, uint64_t v, uint64_t more) {
  l->adjacent[v] += more;
  for (uint64_t k = l->r.start[v]; k < l->r.start[v + 1]; k++) l->adjacent[l->r.to[k]] += more;
}

static void count_set(listing *l, int size) {
  int degree[MOST] = {0}, edges = 0, most = 0;
  for (int i = 0; i < size; i++)
    for (int j = 0; j < i; j++)
      if (check_rows_find(&l->r, l->set[i], l->set[j]) < l->r.start[l->r.n])
        edges++, degree[i]++, degree[j]++;
  for (int i = 0; i < size; i++) most = degree[i] > most ? degree[i] : most;
  if (size == 3)
    l->count[edges == 3 ? 1 : 0]++;
  else if (edges == 3)
    l->count[most == 3 ? 2 : 3]++;
  else if (edges == 4)
    l->count[most == 3 ? 4 : 5]++;
  else
    l->count[edges == 5 ? 6 : 7]++;
}

/* Adds each of n candidates in turn to the set of so many vertices. */
static void grow(listing *l, int size, uint64_t n) {
  uint64_t *now = l->candidate[size - 1];
  while (n > 0) {
    const uint64_t v = now[--n];
    uint64_t more = n;
    l->set[size] = v;
    if (size + 1 > 2) count_set(l, size + 1);
    if (size + 1 == MOST) continue;
    uint64_t *next = l->candidate[size];
    for (uint64_t k = 0; k < n; k++) next[k] = now[k];
    for (uint64_t k = l->r.start[v]; k < l->r.start[v + 1]; k++)
      if (l->r.to[k] > l->set[0] && l->adjacent[l->r.to[k]] == 0) next[more++] = l->r.to[k];
    add_adjacent(l, v, 1);
    grow(l, size + 1, more);
    add_adjacent(l, v, UINT64_MAX);
  }
}

static void list_all(listing *l) {
  for (uint64_t v = 0; v < l->r.n; v++) {
    uint64_t n = 0;
    l->set[0] = v;
    for (uint64_t k = l->r.start[v]; k < l->r.start[v + 1]; k++)
      if (l->r.to[k] > v) l->candidate[0][n++] = l->r.to[k];
    add_adjacent(l, v, 1);
    grow(l, 1, n);
    add_adjacent(l, v, UINT64_MAX);
  }
}

const char *check_motif_counts(const check_graph *g, const uint64_t count[CHECK_MOTIFS], char *text,
                               size_t capacity) {
  static const char *const name[CHECK_MOTIFS] = {"paths of 3", "triangles", "stars",    "paths of 4",
                                                 "paws",       "squares",   "diamonds", "cliques of 4"};
  check_graph both = *g;
  listing l = {.adjacent = calloc(g->n + 1, sizeof(uint64_t))};
  const char *why = NULL;
  both.both_directions = true, both.loops = false, both.weight = NULL;
  if (l.adjacent == NULL || !check_rows_make(&l.r, &both, false)) why = check_no_memory;
  for (int k = 0; k < MOST; k++) {
    l.candidate[k] = malloc((g->n + 1) * sizeof(uint64_t));
    if (l.candidate[k] == NULL) why = check_no_memory;
  }
  if (why == NULL) list_all(&l);
  for (int k = 0; why == NULL && k < CHECK_MOTIFS; k++) {
    if (count[k] == l.count[k]) continue;
    snprintf(text, capacity, "%" PRIu64 " %s where there are %" PRIu64, count[k], name[k], l.count[k]);
    why = text;
  }
  for (int k = 0; k < MOST; k++) free(l.candidate[k]);
  free(l.adjacent);
  check_rows_free(&l.r);
  return why;
}
