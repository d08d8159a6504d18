/* Vertices in descending order of their degrees, for a file of pages that is numbered so. */
#ifndef GRID_DEGREE_NUMBERING_H
#define GRID_DEGREE_NUMBERING_H
#include "dist/outofcore/sort/unsorted_tuples.h"
#include "dist/io/input/id_set.h"

typedef struct {
  uint32_t *rank;  /* of each vertex */
  uint32_t *order; /* the vertex of each rank */
} grid_by_degree;

/* The order of n vertices by how often each is an end of one of all processes' tuples, equal ones in
 * ascending order: the same however tuples are shared out. names: rows and columns of tuples are names with
 * these numbers; NULL: numbers. To be freed. Collective, agreed on. */
GrB_Info grid_by_degree_make(grid_by_degree *d, grid_tuple_buffer *u, const grid_id_set *names, uint64_t n);
void grid_by_degree_free(grid_by_degree *d);
#endif
