/* Pearson's correlation of the values at both ends of the edges, by its definition: one pass for the means,
 * and one for the products of the differences from them. Also the share of edges within labels. */
#include "bench/check/structure/check_assortativity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  const check_rows *out, *in;
  const double *x, *y;
} ends;

static double at_tail(const ends *e, uint64_t v) {
  return e->x != NULL ? e->x[v] : (double)(e->out->start[v + 1] - e->out->start[v]);
}
static double at_head(const ends *e, uint64_t v) {
  return e->y != NULL ? e->y[v] : (double)(e->in->start[v + 1] - e->in->start[v]);
}

static double correlate(const ends *e) {
  const check_rows *r = e->out;
  const double m = (double)r->start[r->n];
  double x_sum = 0, y_sum = 0, xx = 0, yy = 0, xy = 0;
  bool x_differs = false, y_differs = false;
  for (uint64_t v = 0; v < r->n; v++)
    for (uint64_t k = r->start[v]; k < r->start[v + 1]; k++) {
      x_sum += at_tail(e, v), y_sum += at_head(e, r->to[k]);
      x_differs |= at_tail(e, v) != at_tail(e, check_rows_source(r, 0));
      y_differs |= at_head(e, r->to[k]) != at_head(e, r->to[0]);
    }
  if (!x_differs || !y_differs) return (double)NAN;
  for (uint64_t v = 0; v < r->n; v++)
    for (uint64_t k = r->start[v]; k < r->start[v + 1]; k++) {
      const double dx = at_tail(e, v) - x_sum / m, dy = at_head(e, r->to[k]) - y_sum / m;
      xx += dx * dx, yy += dy * dy, xy += dx * dy;
    }
  return xy / sqrt(xx * yy);
}

static const char *compare(double found, double expected, char *text, size_t capacity) {
  if (isnan(expected) ? isnan(found) : fabs(found - expected) <= 1e-9) return NULL;
  snprintf(text, capacity, "the coefficient is %.17g where it is %.17g", found, expected);
  return text;
}

const char *check_assortativity(const check_graph *g, const double *x, const double *y, double correlation,
                                char *text, size_t capacity) {
  check_graph plain = *g;
  check_rows out = {.n = 0}, in = {.n = 0};
  const char *why = check_no_memory;
  plain.weight = NULL;
  if (check_rows_make(&out, &plain, false) && check_rows_make(&in, &plain, true))
    why = compare(correlation, correlate(&(ends){&out, &in, x, y}), text, capacity);
  check_rows_free(&out);
  check_rows_free(&in);
  return why;
}

const char *check_label_assortativity(const check_graph *g, const double *label, double coefficient,
                                      char *text, size_t capacity) {
  check_graph plain = *g;
  check_rows r = {.n = 0};
  const char *why = check_no_memory;
  double *from = calloc(g->n + 1, sizeof *from), *to = calloc(g->n + 1, sizeof *to), within = 0, random = 0;
  plain.weight = NULL;
  if (from != NULL && to != NULL && check_rows_make(&r, &plain, false)) {
    const double m = (double)r.start[r.n];
    for (uint64_t v = 0; v < r.n; v++)
      for (uint64_t k = r.start[v]; k < r.start[v + 1]; k++) {
        from[(uint64_t)label[v]]++, to[(uint64_t)label[r.to[k]]]++;
        within += label[v] == label[r.to[k]];
      }
    for (uint64_t a = 0; a < g->n; a++) random += from[a] / m * to[a] / m;
    const bool one = m > 0 && random > 1 - 0.5 / m;
    why = compare(coefficient, m == 0 || one ? (double)NAN : (within / m - random) / (1 - random), text,
                  capacity);
  }
  free(from), free(to);
  check_rows_free(&r);
  return why;
}
