/* Grid_Matrix_color on the CPU where all processes share memory: each colors the vertices whose rows it has.
 */
#ifndef GRID_COLOR_ROWS_H
#define GRID_COLOR_ROWS_H
#include "dist/vector/vector.h"

/* Of A, which is on the host by rows in one block, with short axes (grid_matrix_has_short_axes) and a
 * symmetric pattern. t (empty, of type INT64) = the colors; *colors: how many there are. GRID_UNSUPPORTED:
 * processes share no memory. Collective, agreed on but for *colors, which is the same on all. */
GrB_Info grid_color_by_rows(grid_chunk *t, uint64_t *colors, GrB_Matrix A, uint64_t most, uint64_t seed);
#endif
