/* The search engine of a matrix (spmat/search.h): chosen for its block, made, connected and started by all
 * processes alike. */
#ifndef GRID_SEARCH_ENGINE_H
#define GRID_SEARCH_ENGINE_H
#include "dist/matrix/matrix.h"
#include "spmat/search.h"

/* Depends on conditions that are the same on all processes; NULL: no engine. */
const grid_search_engine *grid_lookahead_choose_engine(GrB_Matrix A, bool transposed);
/* Would A have an engine if it had all forms? */
bool grid_lookahead_lacks_forms(GrB_Matrix A);
/* Is the search one in the transpose? A program's call is `transposed`; of a symmetric matrix the orientation
 * whose rows fewer processes share is read. */
bool grid_lookahead_is_transposed(GrB_Matrix A, bool transposed);
/* Makes an engine for the block's present arrays, which may have moved since the last run. Local.
 * GRID_UNSUPPORTED: the block is not suitable, or device memory is short. */
GrB_Info grid_lookahead_make_engine(GrB_Matrix A, const grid_search_engine *e, bool transposed);
/* As grid_agree_supported; also connects engines if some process has made a new one (*made). */
GrB_Info grid_lookahead_agree_on_engine(GrB_Matrix A, const grid_search_engine *e, GrB_Info info, bool *made);
/* The processes of this one's grid column or grid row, which have the block's columns or rows (layout.h). */
grid_search_members grid_search_members_of(bool column);
/* Starts the engine, with windows of sufficient size. Collective: all processes have started it, or none.
 * While several GPUs run, meanwhile(of) does what else can fail on one process; NULL: nothing. It is not
 * called where the engine cannot be abandoned: the caller has done that work before. */
GrB_Info grid_lookahead_begin(GrB_Matrix A, const grid_search_engine *e, grid_search_job *job,
                              GrB_Info (*meanwhile)(void *of), void *of);
#endif
