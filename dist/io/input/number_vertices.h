/* Numbers arbitrary 64-bit vertex names 0, 1, 2, ... in ascending order over all processes. */
#ifndef GRID_NUMBER_VERTICES_H
#define GRID_NUMBER_VERTICES_H
#include "dist/grid/process_grid.h"

/* Replaces the n names in each of a and b (local) by their numbers. *total: number of distinct names on
 * all processes (n > 0 on at least one). *ids: the names of the numbers in this process's share of *total,
 * ascending (grid_free it). Collective; on failure a and b are undefined and *ids is NULL. */
GrB_Info grid_number_ids(uint64_t *a, uint64_t *b, uint64_t n, uint64_t *total, uint64_t **ids);
#endif
