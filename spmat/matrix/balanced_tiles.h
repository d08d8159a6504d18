/* Balanced tiles: the entries of an orientation on the device in tiles of equal length, whatever vectors they
 * belong to. A sum over them keeps all threads busy however uneven the vectors are
 * (docs/measurements/gpu-products.md). Vectors of about the same length need none. */
#ifndef GRID_BALANCED_TILES_H
#define GRID_BALANCED_TILES_H
#include "spmat/matrix/local_matrix.h"

/* Shorter vectors are faster with one thread each: a mesh has 7 entries a row, and tiles are faster at 16
 * (random; docs/measurements/gpu-products.md). */
enum { GRID_BALANCED_LONG_ROW = 10 };

typedef struct grid_balanced_tiles {
  uint64_t pulls;   /* that would have used them before they were built */
  bool counted;     /* the vectors' lengths: */
  uint32_t longest; /* 0: not known */
  bool even;        /* the longest is no multiple of the mean: 32 vectors at a time are balanced */
  bool refused;     /* vectors are short, or there was no memory */
  uint64_t n;       /* number of tiles, of GRID_BALANCED_TILE entries each; 0: not built yet */
  uint64_t bytes;   /* of device memory */
  uint64_t vectors; /* number of vectors with entries, or more */
  /* in device memory: */
  uint32_t *row_start; /* a bit an entry, up to the end of the last tile: is it the first of its vector? */
  uint32_t *before;    /* n + 1: vectors that begin before tile k */
  uint32_t *vector;    /* the vectors with entries, in order */
  /* in order of degree, for an x whose values are used: */
  uint64_t degree_order_pulls; /* that would have used it before it was built */
  bool no_degree_order;        /* few entries meet the hubs, or there was no memory */
  uint32_t *end;               /* other ends with entries, by descending degree; NULL: not built yet */
  uint64_t ends;
  uint32_t *rank;  /* of each entry the rank of its other end, for M's values; NULL: not built yet */
  uint32_t panels; /* number of column panels that pay; 0: not counted, or there was no memory */
  uint32_t panel_columns;
  struct grid_column_panels *column_panels; /* for products without M's values; NULL: not built yet */
} grid_balanced_tiles;

grid_balanced_tiles *grid_balanced_tiles_new(void); /* NULL when out of memory: then there are none */
/* Gives back what they hold, so that they are made anew when they are wanted. */
void grid_balanced_tiles_drop(grid_balanced_tiles *s);
void grid_balanced_tiles_free(grid_balanced_tiles *s);
uint64_t grid_balanced_tiles_bytes(const grid_balanced_tiles *s);
#endif
