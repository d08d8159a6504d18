/* A list of edges as rows, and a search through them. */
#include "bench/check/check_graph.h"

#include <stdlib.h>

const char check_no_memory[] = "no memory for the check of the answer";

typedef struct {
  uint64_t to;
  double weight;
} half;

static int compare(const void *a, const void *b) {
  const half *x = a, *y = b;
  if (x->to != y->to) return x->to < y->to ? -1 : 1;
  return (x->weight > y->weight) - (x->weight < y->weight);
}

/* Each edge's ends into their rows. cursor NULL: counts them in start[v + 1]; else stores them at
 * cursor[v]++.
 */
static void fill_rows(half *all, uint64_t *cursor, uint64_t *start, const check_graph *g, bool into) {
  for (uint64_t k = 0; k < g->m; k++)
    for (int pass = 0; pass < (g->both_directions ? 2 : 1); pass++) {
      const bool transposed = into != (pass == 1);
      const uint64_t v = transposed ? g->to[k] : g->from[k], w = transposed ? g->from[k] : g->to[k];
      if (v == w && !g->loops) continue;
      if (cursor == NULL)
        start[v + 1]++;
      else
        all[cursor[v]++] = (half){w, g->weight == NULL ? 0 : g->weight[k]};
    }
}

static void fill(check_rows *r, half *all, uint64_t *cursor, const check_graph *g, bool into) {
  const uint64_t n = g->n;
  for (uint64_t v = 0; v < n; v++) cursor[v] = r->start[v];
  fill_rows(all, cursor, r->start, g, into);
  uint64_t kept = 0;
  for (uint64_t v = 0; v < n; v++) {
    const uint64_t first = r->start[v], last = cursor[v];
    qsort(all + first, last - first, sizeof *all, compare);
    r->start[v] = kept;
    for (uint64_t k = first; k < last; k++)
      if (k == first || all[k].to != all[k - 1].to) {
        r->to[kept] = all[k].to;
        if (r->weight != NULL) r->weight[kept] = all[k].weight;
        kept++;
      }
  }
  r->start[n] = kept;
}

bool check_rows_make(check_rows *r, const check_graph *g, bool into) {
  *r = (check_rows){.n = g->n};
  r->start = calloc(g->n + 1, sizeof *r->start);
  if (r->start == NULL) return false;
  fill_rows(NULL, NULL, r->start, g, into);
  for (uint64_t v = 0; v < g->n; v++) r->start[v + 1] += r->start[v];
  const uint64_t most = r->start[g->n] + 1;
  half *all = malloc(most * sizeof *all);
  uint64_t *cursor = malloc((g->n + 1) * sizeof *cursor);
  r->to = malloc(most * sizeof *r->to);
  if (g->weight != NULL) r->weight = malloc(most * sizeof *r->weight);
  const bool allocated =
      all != NULL && cursor != NULL && r->to != NULL && (g->weight == NULL || r->weight != NULL);
  if (allocated) fill(r, all, cursor, g, into);
  free(all);
  free(cursor);
  if (!allocated) check_rows_free(r);
  return allocated;
}

void check_rows_free(check_rows *r) {
  free(r->start), free(r->to), free(r->weight);
  *r = (check_rows){.n = 0};
}

uint64_t check_rows_find(const check_rows *r, uint64_t v, uint64_t w) {
  uint64_t low = r->start[v], high = r->start[v + 1];
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    if (r->to[middle] == w) return middle;
    if (r->to[middle] < w)
      low = middle + 1;
    else
      high = middle;
  }
  return r->start[r->n];
}

uint64_t check_rows_source(const check_rows *r, uint64_t position) {
  uint64_t low = 0, high = r->n;
  while (high - low > 1) {
    const uint64_t middle = low + (high - low) / 2;
    if (r->start[middle] <= position)
      low = middle;
    else
      high = middle;
  }
  return low;
}

uint64_t check_search(int64_t *level, uint64_t *queue, const check_rows *out, uint64_t source,
                      int64_t limit) {
  uint64_t count = 1;
  for (uint64_t v = 0; v < out->n; v++) level[v] = -1;
  level[source] = 0, queue[0] = source;
  for (uint64_t k = 0; k < count; k++) {
    const uint64_t v = queue[k];
    if (limit >= 0 && level[v] == limit) break;
    for (uint64_t e = out->start[v]; e < out->start[v + 1]; e++)
      if (level[out->to[e]] < 0) level[out->to[e]] = level[v] + 1, queue[count++] = out->to[e];
  }
  return count;
}
