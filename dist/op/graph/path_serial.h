/* A path between two vertices of an undirected graph by serial searches (path_serial.c). */
#ifndef GRID_PATH_SERIAL_H
#define GRID_PATH_SERIAL_H
#include "gridblas.h"

/* *path = the vertices of the path that Grid_Matrix_path finds in A, which is symmetric, on one process;
 * *length: its edges, or -1. *path is freed by the caller, also after an error. */
GrB_Info grid_path_serial(GrB_Index **path, int64_t *length, GrB_Matrix A, GrB_Index source,
                          GrB_Index target);
#endif
