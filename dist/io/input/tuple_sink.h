/* Who takes the tuples of a file as they are read, so that they need not all be in memory. */
#ifndef GRID_TUPLE_SINK_H
#define GRID_TUPLE_SINK_H
#include "dist/grid/process_grid.h"

typedef struct grid_sink grid_sink;
struct grid_sink {
  /* What is known before the first tuple: dimensions (0: those of the names that come, which are numbered in
   * ascending order; or, where `numbers`, one more than the largest), pattern, symmetry. Collective, agreed
   * on. */
  GrB_Info (*begin)(grid_sink *s, const Grid_Edges *e, bool numbers);
  /* Some of this process's. Local. */
  GrB_Info (*receive)(grid_sink *s, const uint64_t *rows, const uint64_t *cols, const double *values,
                      uint64_t n);
  uint64_t bytes; /* that tuples and text may take on their way */
  bool begun;
};
#endif
