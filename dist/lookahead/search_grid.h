/* The lookahead search (spmat/search.h) by messages, level by level, on a grid of several GPUs with one
 * column. Process k owns chunk k of the vertices, and its block holds their rows whole. The matrix is
 * symmetric, or its rows are the vertices reached (A times the frontier). frontier, visited, parent and
 * levels are of this process's chunk; counts are of the grid. All calls not documented as local are
 * collective over the grid. */
#ifndef GRID_SEARCH_GRID_H
#define GRID_SEARCH_GRID_H
#include "spmat/search.h"

extern const grid_search_engine grid_search_on_grid;
#endif
