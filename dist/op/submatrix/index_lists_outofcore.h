/* Extract and assign where matrices are in pages that have no room in memory:
 * entries come to their places first (dist/outofcore/operations/permute_entries.h), the result is then
 * written in slices. */
#ifndef GRID_INDEX_LISTS_OUTOFCORE_H
#define GRID_INDEX_LISTS_OUTOFCORE_H
#include "dist/op/submatrix/matrix_index_lists.h"
#include "dist/outofcore/operations/outofcore_run.h"

/* *t, for C's block: the entries of A, in memory, in their new places. */
typedef GrB_Info grid_move_entries(grid_local_matrix *t, const void *context, GrB_Matrix A);
/* Can grid_permute_by_lists not move A's entries to C's places, so that `grid_move_panels` does? */
bool grid_moves_panels(GrB_Matrix C, GrB_Matrix A);
/* *T, with C's dimensions, = what `move` makes of A's row panels. A is paged. Collective, agreed on. */
GrB_Info grid_move_panels(GrB_Matrix *T, GrB_Matrix C, GrB_Matrix A, grid_move_entries *move,
                          const void *context);
/* *T, with C's dimensions, = A's entries where the lists of its rows and columns put them: of an extraction
 * (by_position false) a row goes to the places in the list that name it, of an assignment to the index that
 * stands at its own place. A is paged. Collective, agreed on. */
GrB_Info grid_permute_by_lists(GrB_Matrix *T, GrB_Matrix C, GrB_Matrix A, const grid_list *rows,
                               const grid_list *cols, bool flip, bool by_position, const char *call);
/* *T, like C, = t, this process's block of it, which is consumed. Collective, agreed on with `info`. */
GrB_Info grid_matrix_from_lmat(GrB_Matrix *T, GrB_Matrix C, grid_local_matrix *t, GrB_Info info);
#endif
