/* The search that runs ahead (spmat/search.h) on a grid of several GPUs with one column: process k owns chunk
 * k of the vertices, and its block holds their rows whole. A symmetric matrix, or any whose rows are the
 * vertices that are reached (A times the frontier). The graph that make takes: n is the number of vertices of
 * the whole grid; in_ptr, in_first and nonempty are over the rows of the own chunk, in_idx are vertices;
 * out_ptr is over all columns of the block, out_idx are own rows. frontier, visited, parent and levels are of
 * the own chunk; counts are of the grid. All calls are collective over the grid. */
#ifndef GRID_SEARCH_GRID_H
#define GRID_SEARCH_GRID_H
#include "spmat/search.h"

extern const grid_search_engine grid_search_on_grid;
#endif
