/* Checks of a shortest path (check_bfs_path.c). */
#ifndef GRID_CHECK_BFS_PATH_H
#define GRID_CHECK_BFS_PATH_H
#include "bench/check/check_graph.h"

/* NULL: place[v] (NaN: none) numbers the vertices of a path of `length` edges from source to target from 0,
 * and there is no shorter one; length -1: there is none. Else the error in text. */
const char *check_bfs_path(const check_graph *g, uint64_t source, uint64_t target, const double *place,
                           int64_t length, char *text, size_t capacity);
#endif
