/* Strips: an orientation's entries on the device, cut into runs of one length, whatever vectors they belong
 * to. A sum over them keeps all threads at work however uneven the vectors are (docs/performance.md, "On
 * GPUs"). */
#ifndef GRID_BALANCED_TILES_H
#define GRID_BALANCED_TILES_H
#include "spmat/matrix/local_matrix.h"

/* Shorter vectors are better a thread's: a mesh has 7 entries a row, and strips are faster at 16 (random;
 * docs/performance.md). */
enum { GRID_BALANCED_LONG_ROW = 10 };

typedef struct grid_balanced_tiles {
  uint64_t pulls; /* that would have used them, before they are made */
  bool refused;   /* vectors are short and even, or there was no memory */
  uint64_t n;     /* of them, of GRID_BALANCED_TILE entries each; 0: not made yet */
  uint64_t bytes; /* of device memory */
  /* in device memory: */
  uint32_t *row_start; /* a bit an entry, to the end of the last strip: is it the first of its vector? */
  uint32_t *before;    /* n + 1: vectors that begin before strip k */
  uint32_t *vector;    /* the vectors that have entries, in order */
  /* by rank, for an x whose values count: */
  uint64_t degree_order_pulls; /* that would have used them, before they are made */
  bool no_degree_order;        /* few entries meet the hubs, or there was no memory */
  uint32_t *end; /* the other ends that have entries, those with the most first; NULL: not made yet */
  uint64_t ends;
  uint32_t *rank; /* of each entry the rank of its other end */
} grid_balanced_tiles;

grid_balanced_tiles *grid_balanced_tiles_new(void); /* NULL when out of memory: then there are none */
/* Gives back what they hold, so that they are made anew when they are wanted. */
void grid_balanced_tiles_drop(grid_balanced_tiles *s);
void grid_balanced_tiles_free(grid_balanced_tiles *s);
uint64_t grid_balanced_tiles_bytes(const grid_balanced_tiles *s);
#endif
