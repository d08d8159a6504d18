/* The next vertex of a random walk, chosen in the rows that this process has (walk_steps.c). */
#ifndef GRID_WALK_STEPS_H
#define GRID_WALK_STEPS_H
#include "algos/rows/local_rows.h"

/* A walk after `step` steps, which is at the vertex `at` and came from `before`. Where `proposed` is a
 * vertex, the row of `before` decides whether it becomes the next one. */
typedef struct {
  uint64_t walk, at, before, proposed;
  uint32_t step, proposals; /* those of this step so far */
} walker;

#define NOT_PROPOSED UINT64_MAX

typedef struct {
  local_rows rows;
  double *sums;         /* of the weights of a row up to each entry; NULL: all weigh the same */
  double to_return;     /* factor of the vertex that the walk came from, 1 / p */
  double to_neighbor;   /* ... of a vertex with an edge from that one, 1 */
  double to_others;     /* ... of others, 1 / q */
  double most;          /* of the last two */
  bool second_order;    /* not all of these are 1 */
  uint64_t key, length; /* of the random numbers; steps of a walk */
} walk_rules;

typedef enum { WALK_GOES_ON, WALK_HAS_STEPPED, WALK_ENDS } walk_outcome;

/* The vertex whose row decides what the walk does next. */
static inline uint64_t walker_row(const walker *w) {
  return w->proposed == NOT_PROPOSED ? w->at : w->before;
}
/* One decision, in walker_row(w), a row of this process. */
walk_outcome grid_walker_advance(walker *w, const walk_rules *r);
/* Sets r->sums, to be freed. GrB_INVALID_VALUE: a weight is below 0 or not finite, or their sum is not.
 * Local. */
GrB_Info grid_walk_sum_weights(walk_rules *r);
#endif
