/* Tables of the patterns in which search loops are written: products from a frontier to its neighbors, and
 * the effects of the calls between two products on a frontier's entries. No entries are read here; loops
 * of such calls run in lookahead (dist/lookahead/lookahead.h). */
#ifndef GRID_LOOP_PATTERNS_H
#define GRID_LOOP_PATTERNS_H
#include "dist/lookahead/lookahead.h"

/* ---- products ---- */

/* Conditions on the values of a product's operands. */
enum {
  GRID_FRONTIER_VALUES_ARE_IDS = 1, /* each value of the frontier equals its index */
  GRID_FRONTIER_ONES = 2,
  GRID_MATRIX_ONES = 4
};

/* The value that the product gives a vertex it reaches: a parent, or 1. */
typedef struct {
  unsigned needs; /* required conditions */
  bool parents;
  bool least; /* the least parent, not any */
} grid_lookahead_pattern;

/* The pattern of a semiring whose conditions are in `holds`; NULL: none. Several patterns may share a
 * semiring. least: the engine can compute minimum parents. */
const grid_lookahead_pattern *grid_lookahead_find_pattern(GrB_Semiring s, bool flip, unsigned holds,
                                                          bool least);

/* ---- calls between two products ---- */

/* The value of an entry of w at q's entries after the call; elsewhere w is unchanged. */
typedef enum {
  GRID_EFFECT_UNSUPPORTED, /* the call is not part of a loop */
  GRID_EFFECT_VALUE,       /* a given value */
  GRID_EFFECT_ENTRIES,     /* q's entry */
  GRID_EFFECT_INDICES      /* the index */
} grid_effect_kind;

typedef struct {
  grid_effect_kind kind;
  bool disjoint;         /* valid only if w has no entry there yet */
  bool entries_are_true; /* valid only if q's entries are true: the mask is q by value */
  const void *x;         /* the value, of type `type` */
  GrB_Type type;
  GrB_Vector indices; /* indices are this vector's values, if it holds its index everywhere */
} grid_effect;

grid_effect grid_effect_of(const grid_lookahead_ewise_call *e, GrB_Vector q);

/* The sum over a frontier of `count` entries that are all 1, as an integer in *x. False: not such a
 * monoid. */
bool grid_lookahead_sum_of_ones(GrB_Monoid m, uint64_t count, int64_t *x);
#endif
