/* See walk_steps.h. A step of second order (node2vec) is drawn by rejection: a neighbor x of `at` is proposed
 * by its weight alone, and accepted with the probability f(x) / most, where f(x) is 1 / p, 1 or 1 / q. The
 * row of `before` is needed only where the random number lies between the two factors which remain possible.
 * Where 1 / p is the largest, most leaves it out, and the rest of that probability is an outcome of its own:
 * of the numbers below most * (sum of the weights) + rest those of the rest are a return.
 * Source: Yang, Zhang, Chen, Chen, Rong, Zhang, KnightKing (2019). */
#include "algos/learning/walk_steps.h"

#include <math.h>
#include <stdlib.h>

#include "algos/support/random_values.h"

enum { TO_PROPOSE, TO_ACCEPT, DRAWS };

static double draw(const walker *w, const walk_rules *r, int what) {
  return grid_random(w->walk, w->step + ((uint64_t)(DRAWS * w->proposals + (uint32_t)what) << 32), r->key);
}

/* The first entry in start .. end whose sum is above x; there is one. */
static GrB_Index find_sum(const double *sums, GrB_Index start, GrB_Index end, double x) {
  while (start + 1 < end) {
    const GrB_Index middle = start + (end - start - 1) / 2;
    if (sums[middle] > x)
      end = middle + 1;
    else
      start = middle + 1;
  }
  return start;
}

/* The entry in which x lies, where each takes as much as it weighs. */
static GrB_Index pick(const walk_rules *r, GrB_Index start, GrB_Index end, double x) {
  if (r->sums != NULL) return find_sum(r->sums, start, end, x);
  return start + (x < (double)(end - start) ? (GrB_Index)x : end - start - 1);
}

/* The position of an entry of a row, start .. end, or end where there is none. */
static GrB_Index find_entry(const local_rows *r, GrB_Index start, GrB_Index end, GrB_Index col) {
  const GrB_Index none = end;
  while (start < end) {
    const GrB_Index middle = start + (end - start) / 2, at = entry_column(r, middle);
    if (at == col) return middle;
    if (at < col)
      start = middle + 1;
    else
      end = middle;
  }
  return none;
}

static walk_outcome step_to(walker *w, uint64_t vertex) {
  w->before = w->at, w->at = vertex;
  w->proposed = NOT_PROPOSED, w->proposals = 0;
  w->step++;
  return WALK_HAS_STEPPED;
}

static walk_outcome reject(walker *w) {
  w->proposed = NOT_PROPOSED, w->proposals++;
  return WALK_GOES_ON;
}

/* In the row of `before`. */
static walk_outcome decide(walker *w, const walk_rules *r) {
  const GrB_Index start = row_start(&r->rows, w->before), end = row_start(&r->rows, w->before + 1);
  const bool is_neighbor = find_entry(&r->rows, start, end, w->proposed) < end;
  const double factor = is_neighbor ? r->to_neighbor : r->to_others;
  return draw(w, r, TO_ACCEPT) * r->most < factor ? step_to(w, w->proposed) : reject(w);
}

/* What a return weighs beyond `most`. */
static double rest_of_return(const walker *w, const walk_rules *r, GrB_Index start, GrB_Index end) {
  if (r->to_return <= r->most) return 0;
  const GrB_Index back = find_entry(&r->rows, start, end, w->before);
  if (back == end) return 0;
  const double weight =
      r->sums == NULL ? 1 : ((const double *)r->rows.view.values)[r->rows.view.iso ? 0 : back];
  return (r->to_return - r->most) * weight;
}

static walk_outcome choose_second_order(walker *w, const walk_rules *r, GrB_Index start, GrB_Index end,
                                        double sum) {
  const double x = draw(w, r, TO_PROPOSE) * (r->most * sum + rest_of_return(w, r, start, end));
  if (x >= r->most * sum) return step_to(w, w->before);
  const uint64_t vertex = entry_column(&r->rows, pick(r, start, end, x / r->most));
  const double accepted_below = draw(w, r, TO_ACCEPT) * r->most;
  if (vertex == w->before) return accepted_below < r->to_return ? step_to(w, vertex) : reject(w);
  if (accepted_below < fmin(r->to_neighbor, r->to_others)) return step_to(w, vertex);
  w->proposed = vertex;
  return WALK_GOES_ON;
}

/* In the row of `at`. A single neighbor needs no decision, which could take many proposals. */
static walk_outcome choose(walker *w, const walk_rules *r) {
  const GrB_Index start = row_start(&r->rows, w->at), end = row_start(&r->rows, w->at + 1);
  if (start == end) return WALK_ENDS;
  const double sum = r->sums == NULL ? (double)(end - start) : r->sums[end - 1];
  if (sum == 0) return WALK_ENDS;
  if (r->second_order && w->step > 0 && end - start > 1) return choose_second_order(w, r, start, end, sum);
  return step_to(w, entry_column(&r->rows, pick(r, start, end, draw(w, r, TO_PROPOSE) * sum)));
}

walk_outcome grid_walker_advance(walker *w, const walk_rules *r) {
  if (w->proposed != NOT_PROPOSED) return decide(w, r);
  return w->step == r->length ? WALK_ENDS : choose(w, r);
}

GrB_Info grid_walk_sum_weights(walk_rules *r) {
  const Grid_View *v = &r->rows.view;
  const double *weight = v->values;
  r->sums = malloc((v->n_indices + 1) * sizeof *r->sums);
  if (r->sums == NULL) return GrB_OUT_OF_MEMORY;
  for (GrB_Index row = r->rows.first; row < r->rows.first + r->rows.count; row++) {
    double sum = 0;
    for (GrB_Index k = row_start(&r->rows, row); k < row_start(&r->rows, row + 1); k++) {
      const double x = weight[v->iso ? 0 : k];
      sum += x;
      if (!(x >= 0) || !isfinite(sum)) return GrB_INVALID_VALUE;
      r->sums[k] = sum;
    }
  }
  return GrB_SUCCESS;
}
