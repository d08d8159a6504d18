/* Column panels: the entries of an orientation divided by the degree of their other end, for sums that read
 * values of x alone. Panel k has the ends of ranks k * columns and following, whose elements of x fit a
 * multiprocessor's shared memory; the rest follows. So a pull reads few elements of x through the
 * second-level cache (docs/measurements/gpu-products.md). */
#ifndef GRID_COLUMN_PANELS_H
#define GRID_COLUMN_PANELS_H
#include "spmat/matrix/balanced_tiles.h"

typedef struct grid_column_panels {
  uint32_t n, columns; /* panels, without the rest; ends in each */
  /* All entries, panel by panel; a vector of them is what a vector of the orientation has in one panel,
   * marked (GRID_PANEL_OPEN) if it is the last that begins in a tile. tiles.rank has the entries of a tile by
   * their places in groups of 32, four at a time: a thread's 32 follow each other, and a warp's loads are
   * contiguous. A last tile is filled with entries of rank 0, of a vector of their own. */
  grid_balanced_tiles tiles;
  /* in device memory: */
  uint32_t *first_tile;  /* n + 2: of each panel, of the rest, and the end */
  uint32_t *block_start; /* for each panel and the rest: the first vector of each block of
                            GRID_PANEL_BLOCK outputs, and the end */
} grid_column_panels;

void grid_column_panels_free(grid_column_panels *p);
#endif
