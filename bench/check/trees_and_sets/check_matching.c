/* Matchings by their definition; a maximum one by a search for an alternating path. */
#include "bench/check/trees_and_sets/check_matching.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static bool is_vertex(const check_rows *r, double x) {
  return x >= 0 && x < (double)r->n && x == floor(x);
}

/* The weight of the edge v -> w; below all others where there is none. */
static double weight_towards(const check_rows *r, uint64_t v, uint64_t w) {
  const uint64_t k = check_rows_find(r, v, w);
  if (k == r->start[r->n]) return -(double)INFINITY;
  return r->weight == NULL ? 1 : r->weight[k];
}

static double weight_between(const check_rows *r, uint64_t v, uint64_t w) {
  return fmax(weight_towards(r, v, w), weight_towards(r, w, v));
}

static double matched_weight(const check_rows *r, const double *mate, uint64_t v) {
  return isnan(mate[v]) ? -(double)INFINITY : weight_between(r, v, (uint64_t)mate[v]);
}

static const char *check_mates(const check_rows *r, const double *mate, char *text, size_t capacity) {
  for (uint64_t v = 0; v < r->n; v++) {
    if (isnan(mate[v])) continue;
    if (is_vertex(r, mate[v]) && mate[(uint64_t)mate[v]] == (double)v && mate[v] != (double)v &&
        weight_between(r, v, (uint64_t)mate[v]) > -(double)INFINITY)
      continue;
    snprintf(text, capacity,
             "vertex number %" PRIu64
             " has the mate %.17g, to which it has no edge, or which "
             "has another mate",
             v, mate[v]);
    return text;
  }
  return NULL;
}

static const char *check_dominance(const check_rows *r, const double *mate, char *text, size_t capacity) {
  for (uint64_t v = 0; v < r->n; v++)
    for (uint64_t k = r->start[v]; k < r->start[v + 1]; k++) {
      const uint64_t w = r->to[k];
      const double x = weight_between(r, v, w);
      if (v == w || matched_weight(r, mate, v) >= x || matched_weight(r, mate, w) >= x) continue;
      snprintf(text, capacity,
               "the edge between vertices number %" PRIu64 " and %" PRIu64
               " is heavier than those in the matching at its ends",
               v, w);
      return text;
    }
  return NULL;
}

const char *check_matching(const check_graph *g, const double *mate, char *text, size_t capacity) {
  check_rows r;
  if (!check_rows_make(&r, g, false)) return check_no_memory;
  const char *why = check_mates(&r, mate, text, capacity);
  if (why == NULL) why = check_dominance(&r, mate, text, capacity);
  check_rows_free(&r);
  return why;
}

/* ---- of rows and columns ---- */

/* of[c] = the row whose mate is c, or n. */
static const char *find_rows(uint64_t *of, const check_rows *r, const double *mate, char *text,
                             size_t capacity) {
  for (uint64_t c = 0; c < r->n; c++) of[c] = r->n;
  for (uint64_t v = 0; v < r->n; v++) {
    if (isnan(mate[v])) continue;
    const bool is_edge = is_vertex(r, mate[v]) && check_rows_find(r, v, (uint64_t)mate[v]) < r->start[r->n];
    if (is_edge && of[(uint64_t)mate[v]] == r->n) {
      of[(uint64_t)mate[v]] = v;
      continue;
    }
    snprintf(text, capacity,
             "vertex number %" PRIu64
             " has the mate %.17g, to which it has no edge, or which "
             "is another's",
             v, mate[v]);
    return text;
  }
  return NULL;
}

/* Searches from the rows without a mate, back from columns to the rows that have them. */
static const char *find_path(const uint64_t *of, const check_rows *r, const double *mate, char *text,
                             size_t capacity) {
  const char *why = NULL;
  uint64_t *queue = malloc((r->n + 1) * sizeof *queue), waiting = 0;
  bool *visited = calloc(r->n + 1, sizeof *visited);
  if (queue == NULL || visited == NULL) why = check_no_memory;
  for (uint64_t v = 0; why == NULL && v < r->n; v++)
    if (isnan(mate[v])) visited[v] = true, queue[waiting++] = v;
  for (uint64_t q = 0; why == NULL && q < waiting; q++)
    for (uint64_t k = r->start[queue[q]]; why == NULL && k < r->start[queue[q] + 1]; k++) {
      const uint64_t w = of[r->to[k]];
      if (w == r->n) {
        snprintf(text, capacity,
                 "the matching is not the largest: a path could be exchanged that ends at "
                 "vertex number %" PRIu64,
                 r->to[k]);
        why = text;
      } else if (!visited[w]) {
        visited[w] = true, queue[waiting++] = w;
      }
    }
  free(queue), free(visited);
  return why;
}

const char *check_bipartite_matching(const check_graph *g, const double *mate, char *text, size_t capacity) {
  check_rows r;
  if (!check_rows_make(&r, g, false)) return check_no_memory;
  uint64_t *of = malloc((g->n + 1) * sizeof *of);
  const char *why = of == NULL ? check_no_memory : find_rows(of, &r, mate, text, capacity);
  if (why == NULL) why = find_path(of, &r, mate, text, capacity);
  free(of);
  check_rows_free(&r);
  return why;
}

/* ---- from a list of edges ---- */

/* mate[row[k]] = col[k] and, if both, mate[col[k]] = row[k]; NaN for all other of n vertices. false: one
 * would have two mates. */
static bool fill_mates(double *mate, uint64_t n, const uint64_t *row, const uint64_t *col, uint64_t entries,
                       bool both) {
  bool once = true;
  for (uint64_t v = 0; v < n; v++) mate[v] = (double)NAN;
  for (uint64_t k = 0; k < entries; k++) {
    once = once && isnan(mate[row[k]]);
    mate[row[k]] = (double)col[k];
    if (!both) continue;
    once = once && isnan(mate[col[k]]);
    mate[col[k]] = (double)row[k];
  }
  return once;
}

const char *check_matched_edges(const check_graph *g, const uint64_t *row, const uint64_t *col,
                                uint64_t entries, bool both, check_mates_function *check, char *text,
                                size_t capacity) {
  double *mate = malloc((g->n + 1) * sizeof *mate);
  if (mate == NULL) return check_no_memory;
  const char *why = fill_mates(mate, g->n, row, col, entries, both) ? check(g, mate, text, capacity)
                    : both                                          ? "a vertex has two mates"
                                                                    : "two edges begin at one vertex";
  free(mate);
  return why;
}
