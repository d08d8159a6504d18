/* The lookahead search (spmat/search.h) on several GPUs that each hold the pattern of the whole matrix. Every
 * GPU computes the whole search by the engine of one GPU, without messages, and retains the levels and
 * parents of its own vertices. It suits graphs that are too small for a division of each level to pay. The
 * pattern is symmetric, on a grid of one column or one row, and evenly partitioned. connect and start are
 * collective. */
#ifndef GRID_SEARCH_REPLICATED_H
#define GRID_SEARCH_REPLICATED_H
#include "spmat/search.h"

extern const grid_search_engine grid_search_replicated;
#endif
