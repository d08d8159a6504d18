/* Extract and assign where matrices are in pages that have no room in memory:
 * entries come to their places first (dist/outofcore/operations/permute_entries.h), the result is then
 * written in slices. */
#ifndef GRID_INDEX_LISTS_OUTOFCORE_H
#define GRID_INDEX_LISTS_OUTOFCORE_H
#include "dist/op/submatrix/matrix_index_lists.h"
#include "dist/outofcore/operations/outofcore_run.h"
#include "dist/outofcore/operations/permute_entries.h"
#include "dist/outofcore/operations/unite_disjoint.h"

/* Where grid_can_permute_pages: *T, with C's dimensions, = A's entries where the lists of its rows and
 * columns put them: of an extraction (by_position false) a row goes to the places in the list that name it,
 * of an assignment to the index that stands at its own place. A is paged. Collective, agreed on. */
GrB_Info grid_permute_by_lists(GrB_Matrix *T, GrB_Matrix C, GrB_Matrix A, const grid_list *rows,
                               const grid_list *cols, bool flip, bool by_position, const char *call);
#endif
