/* A matrix's rows in panels, ranges that are processed one after the other (row_panels.c). */
#ifndef GRID_ROW_PANELS_H
#define GRID_ROW_PANELS_H
#include "algos/checkpoints/resume.h"

enum { GRID_PANEL_ENTRIES = 1 << 22 }; /* entries of a panel's result on each process, at most about */
enum { GRID_PANEL_STATE = 5 };         /* items of a state below, at most */

/* Panel p has the rows (*start)[p] .. (*start)[p + 1], perhaps none. The sum of bound over a panel is at most
 * `most`, but for its last row; bound, FP64, has integers above 0. Rows after the last with an entry are in
 * no panel. *start is freed by the caller, also after a failure. Collective. */
GrB_Info grid_row_panels(uint64_t **start, uint64_t *panels, GrB_Vector bound, uint64_t most);
/* Calls add(work, first, end) for the panels of `bound` in turn, those without rows left out. With a key
 * there is a checkpoint after each, of state[0..n), which `add` changes (resume.h). It has the row at which
 * the next panel begins, since panels depend on the number of processes. c NULL: no checkpoints, no
 * progress. Collective. */
GrB_Info grid_for_panels(GrB_Vector bound, uint64_t most, const checkpoint_key *c,
                         const Grid_Checkpoint_Item *state, int n,
                         GrB_Info (*add)(void *work, GrB_Index first, GrB_Index end), void *work);
/* *P = the pattern of the rows first .. first + count of A. Collective. */
GrB_Info grid_extract_rows(GrB_Matrix *P, GrB_Matrix A, GrB_Index first, GrB_Index count);
/* sums(first + i) += part(i), both INT64. Collective. */
GrB_Info grid_add_rows(GrB_Vector sums, GrB_Vector part, GrB_Index first);
#endif
