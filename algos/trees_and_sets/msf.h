/* A minimum spanning forest by a serial pass (msf_serial.c). */
#ifndef GRID_MSF_H
#define GRID_MSF_H
#include "algos/algos.h"

/* *forest becomes a new UINT64 matrix of the edges (v, w), v < w, of the forest of K, UINT64 and symmetric.
 * Of edges of one weight the one with the smaller v, then w, is first. Loops are ignored. `light`: about so
 * many of the lightest edges are joined before the others are examined. */
GrB_Info grid_msf_serial(GrB_Matrix *forest, GrB_Matrix K, GrB_Index n, double light);
#endif
