/* Receives the tuples of a file as they are read, so that they need not all be in memory. */
#ifndef GRID_TUPLE_SINK_H
#define GRID_TUPLE_SINK_H
#include "dist/grid/process_grid.h"

/* What determines the dimensions: the properties (0 is a dimension as any other); the largest number + 1; the
 * set of names, which are numbered in ascending order. */
typedef enum { GRID_SHAPE_GIVEN, GRID_SHAPE_BY_NUMBERS, GRID_SHAPE_BY_NAMES } grid_shape_source;

typedef struct grid_sink grid_sink;
struct grid_sink {
  /* Called before the first tuple, with the known properties: dimensions, pattern, symmetry. Collective,
   * agreed on. */
  GrB_Info (*begin)(grid_sink *s, const Grid_Edges *e, grid_shape_source shape);
  /* Receives some of this process's tuples. Local. */
  GrB_Info (*receive)(grid_sink *s, const uint64_t *rows, const uint64_t *cols, const double *values,
                      uint64_t n);
  uint64_t bytes; /* memory for tuples and text in flight */
  bool begun;
};
#endif
