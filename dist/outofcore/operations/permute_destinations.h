/* Where the rows or columns of an out-of-core matrix go (permute_entries.c). */
#ifndef GRID_PERMUTE_DESTINATIONS_H
#define GRID_PERMUTE_DESTINATIONS_H
#include "dist/outofcore/operations/permute_entries.h"

/* Destinations of index v, local: to[start[v] .. start[v + 1]), or, with `all`, its global index if below
 * `end`: that of a row of a matrix with `rows` rows, or, if rows is 0, base + v. */
typedef struct {
  bool all;
  uint64_t rows, base, end, *start, *to;
} grid_destinations;

/* For n rows (columns) of A's block; destinations are rows or columns of T below `end`. */
GrB_Info grid_destinations_make(grid_destinations *p, const grid_permutation *m, uint64_t n, GrB_Matrix A,
                                bool rows, uint64_t end);
void grid_destinations_free(grid_destinations *p);
/* Number of v's destinations; *to points to them, to *single for a single one. */
static inline uint64_t grid_destinations_of(const grid_destinations *p, uint64_t v, const uint64_t **to,
                                            uint64_t *single) {
  if (p->all) *single = p->rows ? grid_global_row(p->rows, v) : p->base + v;
  *to = p->all ? single : p->to + p->start[v];
  return p->all ? *single < p->end : p->start[v + 1] - p->start[v];
}
#endif
