/* The cost of delegates: the bytes that a split (dist/delegates/delegate_split.h) adds to a level, and the
 * time to make a split or an index. On one process a split gains nothing: searches took 0.91 to 1.05 times as
 * long (docs/measurements/bfs-cpu.md). */
#ifndef GRID_SPLIT_COST_H
#define GRID_SPLIT_COST_H
#include "dist/grid/process_grid.h"

/* Bytes of a level on all processes in which `found` delegates get a parent. */
double grid_split_bytes(const Grid_Search *t, uint64_t found);
/* Seconds to make a split of a matrix, or a delegate index with the search for its threshold. */
double grid_split_seconds(double entries, int P, const Grid_Network *net);
double grid_index_seconds(double n, double entries, int P, const Grid_Network *net);
#endif
