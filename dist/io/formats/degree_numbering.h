/* Vertices in descending order of their degrees, for a degree-ordered page file. */
#ifndef GRID_DEGREE_NUMBERING_H
#define GRID_DEGREE_NUMBERING_H
#include "dist/outofcore/sort/unsorted_tuples.h"
#include "dist/io/input/id_set.h"

typedef struct {
  uint32_t *rank;  /* rank of each vertex */
  uint32_t *order; /* vertex of each rank */
} grid_by_degree;

/* Orders n vertices by the number of ends of all processes' tuples, descending, ties ascending; the order
 * does not depend on the distribution of tuples. names: tuples hold names, numbered by this set; NULL:
 * tuples hold numbers. To be freed. Collective, agreed on. */
GrB_Info grid_by_degree_make(grid_by_degree *d, grid_tuple_buffer *u, const grid_id_set *names, uint64_t n);
void grid_by_degree_free(grid_by_degree *d);
#endif
