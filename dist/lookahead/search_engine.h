/* The search engine of a matrix (spmat/search.h): chosen for its block, made, connected and started by all
 * processes alike. */
#ifndef GRID_SEARCH_ENGINE_H
#define GRID_SEARCH_ENGINE_H
#include "dist/matrix/matrix.h"
#include "spmat/search.h"

/* By conditions that all processes know alike; NULL: none. */
const grid_search_engine *grid_lookahead_choose_engine(GrB_Matrix A, bool transposed);
/* An engine for the block's arrays as they stand: they may have moved since the last run. Local.
 * GRID_UNSUPPORTED: the block or the device has no place for one. */
GrB_Info grid_lookahead_make_engine(GrB_Matrix A, const grid_search_engine *e, bool transposed);
/* As grid_agree_supported; and engines that some process has made anew (*made) are connected. */
GrB_Info grid_lookahead_agree_on_engine(GrB_Matrix A, const grid_search_engine *e, GrB_Info info, bool *made);
/* The engine starts, with windows that are large enough; in every process alike. */
GrB_Info grid_lookahead_begin(GrB_Matrix A, const grid_search_engine *e, grid_search_job *job);
#endif
