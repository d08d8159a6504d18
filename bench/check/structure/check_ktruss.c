/* The k-truss by removing one edge with too few triangles at a time, which decrements the triangles of the
 * two other edges of each of its triangles. */
#include "bench/check/structure/check_ktruss.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* For each position of the rows, which holds one direction of an edge. */
typedef struct {
  check_rows r;
  uint64_t *triangles;
  uint64_t *queue, waiting; /* positions of edges with too few triangles, in the direction from < to */
  bool *queued, *gone;      /* ... that are or were in the queue; that were removed */
} truss;

/* The next common vertex of the rows of v and w from the positions *a and *b on, which advance past it;
 * false: there is none. */
static bool next_common(const check_rows *r, uint64_t v, uint64_t w, uint64_t *a, uint64_t *b) {
  while (*a < r->start[v + 1] && *b < r->start[w + 1]) {
    if (r->to[*a] == r->to[*b]) {
      (*a)++, (*b)++;
      return true;
    }
    if (r->to[*a] < r->to[*b])
      (*a)++;
    else
      (*b)++;
  }
  return false;
}

static void enqueue(truss *t, uint64_t v, uint64_t w, uint64_t k) {
  const uint64_t e = v < w ? check_rows_find(&t->r, v, w) : check_rows_find(&t->r, w, v);
  if (t->triangles[e] + 2 >= k || t->queued[e]) return;
  t->queued[e] = true;
  t->queue[t->waiting++] = e;
}

static void count(truss *t, uint64_t k) {
  const check_rows *r = &t->r;
  for (uint64_t v = 0; v < r->n; v++)
    for (uint64_t e = r->start[v]; e < r->start[v + 1]; e++) {
      uint64_t a = r->start[v], b = r->start[r->to[e]];
      while (next_common(r, v, r->to[e], &a, &b)) t->triangles[e]++;
      if (v < r->to[e]) enqueue(t, v, r->to[e], k);
    }
}

/* Decrements the triangles of the edge between v and w. */
static void remove_edge(truss *t, uint64_t v, uint64_t w, uint64_t k) {
  t->triangles[check_rows_find(&t->r, v, w)]--;
  t->triangles[check_rows_find(&t->r, w, v)]--;
  enqueue(t, v, w, k);
}

static void remove_triangle(truss *t, uint64_t v, uint64_t w, uint64_t k) {
  const check_rows *r = &t->r;
  uint64_t a = r->start[v], b = r->start[w];
  while (next_common(r, v, w, &a, &b)) {
    if (t->gone[a - 1] || t->gone[b - 1]) continue;
    remove_edge(t, v, r->to[a - 1], k);
    remove_edge(t, w, r->to[a - 1], k);
  }
  t->gone[check_rows_find(r, v, w)] = t->gone[check_rows_find(r, w, v)] = true;
}

static const char *compare(truss *t, const uint64_t *row, const uint64_t *col, const double *value,
                           uint64_t entries, char *text, size_t capacity) {
  const uint64_t m = t->r.start[t->r.n];
  uint64_t left = 0;
  for (uint64_t e = 0; e < m; e++) left += !t->gone[e];
  for (uint64_t k = 0; k < entries; k++) {
    const uint64_t e = check_rows_find(&t->r, row[k], col[k]);
    if (e == m || t->gone[e] || !(value[k] == (double)t->triangles[e])) {
      snprintf(text, capacity,
               "vertices number %" PRIu64 " and %" PRIu64 " have an edge of %g triangles where there is %s",
               row[k], col[k], value[k], e == m || t->gone[e] ? "none, or one more" : "another number");
      return text;
    }
    t->gone[e] = true; /* each edge once */
  }
  if (entries == left) return NULL;
  snprintf(text, capacity, "%" PRIu64 " entries are in the truss where there are %" PRIu64, entries, left);
  return text;
}

const char *check_ktruss(const check_graph *g, uint64_t k, const uint64_t *row, const uint64_t *col,
                         const double *value, uint64_t entries, char *text, size_t capacity) {
  check_graph both = *g;
  truss t = {.waiting = 0};
  both.both_directions = true, both.loops = false, both.weight = NULL;
  if (!check_rows_make(&t.r, &both, false)) return check_no_memory;
  const uint64_t m = t.r.start[g->n] + 1;
  const char *why = check_no_memory;
  t.triangles = calloc(m, sizeof *t.triangles);
  t.queue = calloc(m, sizeof *t.queue);
  t.queued = calloc(m, sizeof *t.queued);
  t.gone = calloc(m, sizeof *t.gone);
  if (t.triangles != NULL && t.queue != NULL && t.queued != NULL && t.gone != NULL) {
    count(&t, k);
    for (uint64_t q = 0; q < t.waiting; q++)
      remove_triangle(&t, check_rows_source(&t.r, t.queue[q]), t.r.to[t.queue[q]], k);
    why = compare(&t, row, col, value, entries, text, capacity);
  }
  free(t.triangles), free(t.queue), free(t.queued), free(t.gone);
  check_rows_free(&t.r);
  return why;
}
