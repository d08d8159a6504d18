/* The next vertex of a random walk, chosen in rows of a matrix: the same for the CPU and in CUDA kernels.
 *
 * A step of second order (node2vec) is drawn by rejection. A neighbor x of `at` is proposed by its weight
 * alone, and accepted with the probability f(x) / most, where f(x) is 1 / p, 1 or 1 / q. The row of `before`
 * is needed only where the random number lies between the two factors which remain possible. Where 1 / p is
 * the largest, most leaves it out, and the rest of that probability is an outcome of its own. The last `rest`
 * of the numbers below most * (sum of the weights) + rest are a return.
 *
 * The random numbers are a hash of the walk, its step and the key alone, so that walks are the same on any
 * grid.
 *
 * Source: Yang, Zhang, Chen, Chen, Rong, Zhang, KnightKing (2019). */
#ifndef GRID_WALK_STEPS_H
#define GRID_WALK_STEPS_H
#include <math.h>

#include "spmat/random_hash.h"
#include "spmat/row_arrays.h"

/* A walk after `step` steps, which is at the vertex `at` and came from `before`. Where `proposed` is a
 * vertex, the row of `before` decides whether it becomes the next one. */
typedef struct {
  uint64_t walk, at, before, proposed;
  uint32_t step, proposals; /* those of this step so far */
} grid_walker;

#define GRID_NOT_PROPOSED UINT64_MAX

typedef struct {
  grid_row_arrays arrays;
  const double *weight; /* of the entries; NULL: all weigh the same */
  bool iso;             /* weight has one element */
  double *sums;         /* of the weights of a row up to each entry, unless weight is NULL */
} grid_walk_rows;

typedef struct {
  grid_walk_rows rows;
  double to_return;     /* factor of the vertex that the walk came from, 1 / p */
  double to_neighbor;   /* ... of a vertex with an edge from that one, 1 */
  double to_others;     /* ... of others, 1 / q */
  double most;          /* of the last two */
  bool second_order;    /* not all of these are 1 */
  uint64_t key, length; /* of the random numbers; steps of a walk */
} grid_walk_rules;

typedef enum { GRID_WALK_GOES_ON, GRID_WALK_HAS_STEPPED, GRID_WALK_ENDS } grid_walk_outcome;

enum { GRID_DRAW_PROPOSAL, GRID_DRAW_ACCEPTANCE, GRID_DRAWS };

GRID_HOST_DEVICE_INLINE double grid_walk_draw(const grid_walker *w, const grid_walk_rules *r, int what) {
  const uint32_t number = GRID_DRAWS * w->proposals + (uint32_t)what;
  return grid_random(w->walk, w->step + ((uint64_t)number << 32), r->key);
}

/* ---- rows ---- */

GRID_HOST_DEVICE_INLINE uint64_t grid_walk_row(const grid_walk_rows *r, uint64_t row) {
  return grid_row_start(&r->arrays, row);
}
GRID_HOST_DEVICE_INLINE double grid_walk_weight(const grid_walk_rows *r, uint64_t entry) {
  return r->weight ? r->weight[r->iso ? 0 : entry] : 1;
}

/* The entry in which x lies, where each takes as much as it weighs: the first in start .. end whose sum is
 * above x; there is one. */
GRID_HOST_DEVICE_INLINE uint64_t grid_walk_pick(const grid_walk_rows *r, uint64_t start, uint64_t end,
                                                double x) {
  if (!r->weight) return start + (x < (double)(end - start) ? (uint64_t)x : end - start - 1);
  while (start + 1 < end) {
    const uint64_t middle = start + (end - start - 1) / 2;
    if (r->sums[middle] > x)
      end = middle + 1;
    else
      start = middle + 1;
  }
  return start;
}

/* ---- decisions ---- */

GRID_HOST_DEVICE_INLINE grid_walk_outcome grid_walk_step_to(grid_walker *w, uint64_t vertex) {
  w->before = w->at, w->at = vertex;
  w->proposed = GRID_NOT_PROPOSED, w->proposals = 0;
  w->step++;
  return GRID_WALK_HAS_STEPPED;
}

GRID_HOST_DEVICE_INLINE grid_walk_outcome grid_walk_reject(grid_walker *w) {
  w->proposed = GRID_NOT_PROPOSED, w->proposals++;
  return GRID_WALK_GOES_ON;
}

/* On what was proposed, in the row of `before`. */
GRID_HOST_DEVICE_INLINE grid_walk_outcome grid_walk_decide(grid_walker *w, const grid_walk_rules *r) {
  const uint64_t start = grid_walk_row(&r->rows, w->before), end = grid_walk_row(&r->rows, w->before + 1);
  const bool is_neighbor = grid_find_column(&r->rows.arrays, start, end, w->proposed) < end;
  const double factor = is_neighbor ? r->to_neighbor : r->to_others;
  const bool accepts = grid_walk_draw(w, r, GRID_DRAW_ACCEPTANCE) * r->most < factor;
  return accepts ? grid_walk_step_to(w, w->proposed) : grid_walk_reject(w);
}

/* What a return weighs beyond `most`. */
GRID_HOST_DEVICE_INLINE double grid_walk_rest(const grid_walker *w, const grid_walk_rules *r, uint64_t start,
                                              uint64_t end) {
  if (r->to_return <= r->most) return 0;
  const uint64_t back = grid_find_column(&r->rows.arrays, start, end, w->before);
  return back == end ? 0 : (r->to_return - r->most) * grid_walk_weight(&r->rows, back);
}

GRID_HOST_DEVICE_INLINE grid_walk_outcome grid_walk_propose(grid_walker *w, const grid_walk_rules *r,
                                                            uint64_t start, uint64_t end, double sum) {
  const double rest = grid_walk_rest(w, r, start, end);
  const double x = grid_walk_draw(w, r, GRID_DRAW_PROPOSAL) * (r->most * sum + rest);
  if (x >= r->most * sum) return grid_walk_step_to(w, w->before);
  const uint64_t k = grid_walk_pick(&r->rows, start, end, x / r->most),
                 vertex = grid_entry_column(&r->rows.arrays, k);
  if (r->rows.weight && grid_walk_weight(&r->rows, k) >= sum) return grid_walk_step_to(w, vertex);
  const double accepted_below = grid_walk_draw(w, r, GRID_DRAW_ACCEPTANCE) * r->most;
  if (vertex == w->before)
    return accepted_below < r->to_return ? grid_walk_step_to(w, vertex) : grid_walk_reject(w);
  if (accepted_below < fmin(r->to_neighbor, r->to_others)) return grid_walk_step_to(w, vertex);
  w->proposed = vertex;
  return GRID_WALK_GOES_ON;
}

/* In the row of `at`. A single neighbor, or the only one with a weight above 0,
 * needs no decision, which could take many proposals. */
GRID_HOST_DEVICE_INLINE grid_walk_outcome grid_walk_choose(grid_walker *w, const grid_walk_rules *r) {
  const grid_walk_rows *rows = &r->rows;
  const uint64_t start = grid_walk_row(rows, w->at), end = grid_walk_row(rows, w->at + 1);
  if (start == end) return GRID_WALK_ENDS;
  const double sum = rows->weight ? rows->sums[end - 1] : (double)(end - start);
  if (sum == 0) return GRID_WALK_ENDS;
  if (r->second_order && w->step > 0 && end - start > 1) return grid_walk_propose(w, r, start, end, sum);
  const double x = grid_walk_draw(w, r, GRID_DRAW_PROPOSAL) * sum;
  return grid_walk_step_to(w, grid_entry_column(&rows->arrays, grid_walk_pick(rows, start, end, x)));
}

/* ---- for the callers ---- */

/* The rules of walks, without their rows. */
GRID_HOST_DEVICE_INLINE grid_walk_rules grid_walk_rules_of(uint64_t length, double p, double q,
                                                           uint64_t seed) {
  grid_walk_rules r = {0};
  r.length = length, r.key = grid_random_key(seed);
  r.to_return = 1 / p, r.to_neighbor = 1, r.to_others = 1 / q;
  r.most = fmax(r.to_neighbor, r.to_others), r.second_order = p != 1 || q != 1;
  return r;
}
GRID_HOST_DEVICE_INLINE grid_walker grid_walk_begin(uint64_t walk, uint64_t vertex) {
  const grid_walker w = {walk, vertex, vertex, GRID_NOT_PROPOSED, 0, 0};
  return w;
}
/* The vertex whose row decides what the walk does next. */
GRID_HOST_DEVICE_INLINE uint64_t grid_walker_row(const grid_walker *w) {
  return w->proposed == GRID_NOT_PROPOSED ? w->at : w->before;
}
/* One decision, in grid_walker_row(w), which is one of the rows. */
GRID_HOST_DEVICE_INLINE grid_walk_outcome grid_walker_advance(grid_walker *w, const grid_walk_rules *r) {
  if (w->proposed != GRID_NOT_PROPOSED) return grid_walk_decide(w, r);
  return w->step == r->length ? GRID_WALK_ENDS : grid_walk_choose(w, r);
}
#endif
