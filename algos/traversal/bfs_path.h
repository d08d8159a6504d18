/* A path between two vertices of an undirected graph by serial searches (bfs_path_serial.c). */
#ifndef GRID_BFS_PATH_H
#define GRID_BFS_PATH_H
#include "algos/algos.h"

/* *path = the vertices of the path that Grid_bfs_path finds in A, which is symmetric; *length: its edges, or
 * -1. *path is freed by the caller. */
GrB_Info grid_bfs_path_serial(GrB_Index **path, int64_t *length, GrB_Matrix A, GrB_Index source,
                              GrB_Index target);
#endif
