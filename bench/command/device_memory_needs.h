/* An estimate, from counts, of the device memory that an R-MAT graph needs on each process. */
#ifndef GRID_DEVICE_MEMORY_NEEDS_H
#define GRID_DEVICE_MEMORY_NEEDS_H
#include <stdbool.h>
#include <stdint.h>

typedef struct {
  uint64_t vertices, entries; /* of the whole matrix, with both directions of an edge */
  uint64_t matrix;            /* bytes of the matrix on the process that needs most */
  uint64_t build, search;     /* on the process that needs most, at the peak of each phase */
  uint64_t segments;          /* the least for building where memory is short: one process, in segments */
  bool countable;             /* several processes: entry numbers fit 32 bits */
} need;

/* An undirected pattern matrix of 2^scale vertices and edgefactor * 2^scale tuples on a grid of `processes`
 * rows and one column. */
need need_of(int scale, uint64_t edgefactor, int processes);
bool need_fits(const need *n, uint64_t free_bytes);
/* The largest scale whose graph fits processes with free_bytes each; 0: none. */
int need_largest(uint64_t edgefactor, int processes, uint64_t free_bytes);
#endif
