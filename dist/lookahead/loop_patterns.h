/* The ways in which a search is written, as tables: products that reach from a frontier to its neighbours,
 * and what the calls between two of them do to the entries of a frontier. No entry is looked at here; a loop
 * of such calls runs ahead (dist/lookahead/lookahead.h). */
#ifndef GRID_LOOP_PATTERNS_H
#define GRID_LOOP_PATTERNS_H
#include "dist/lookahead/lookahead.h"

/* ---- products ------------------------------------------------------------------------------------------ */

/* What must hold of the values that a product looks at. */
enum {
  GRID_FRONTIER_VALUES_ARE_IDS = 1, /* each of the frontier's is its index */
  GRID_FRONTIER_ONES = 2,
  GRID_MATRIX_ONES = 4
};

/* What the product says of a vertex that it finds: one of those that reach it, or 1. */
typedef struct {
  unsigned needs; /* of the above */
  bool parents;
  bool least; /* the smallest of those that reach it, not any */
} grid_lookahead_pattern;

/* Which of the table's forms is it, where `holds` is true of the operands? Several forms may share a
 * semiring. least: is there an engine that finds the smallest? NULL: none. */
const grid_lookahead_pattern *grid_lookahead_find_pattern(GrB_Semiring s, bool flip, unsigned holds,
                                                          bool least);

/* ---- calls between two products ------------------------------------------------------------------------ */

/* What an entry of w is afterwards where q has an entry; elsewhere w stays as it is. */
typedef enum {
  GRID_EFFECT_UNSUPPORTED, /* the call is no part of a loop */
  GRID_EFFECT_VALUE,       /* a value that is given */
  GRID_EFFECT_ENTRIES,     /* q's entry */
  GRID_EFFECT_INDICES      /* its own index */
} grid_effect_kind;

typedef struct {
  grid_effect_kind kind;
  bool disjoint;         /* if w has no entry there yet */
  bool entries_are_true; /* if q's entries are true: the mask is q by value */
  const void *x;         /* the value, of this type */
  GrB_Type type;
  GrB_Vector indices; /* those are this vector's values, if it holds its own index everywhere */
} grid_effect;

grid_effect grid_effect_of(const grid_lookahead_ewise_call *e, GrB_Vector q);

/* A sum over a frontier whose entries are all 1: *x is that of `count` entries, as a number. */
bool grid_lookahead_sum_of_ones(GrB_Monoid m, uint64_t count, int64_t *x);
#endif
