/* A dimension is cut anew: all matrices and vectors that have it move, together. */
#ifndef GRID_REPARTITION_H
#define GRID_REPARTITION_H
#include "dist/matrix/matrix.h"

/* Dimensions n are cut at first[0 .. P] (as grid_partition_make wants them), or evenly (NULL), the same on
 * every process. Collective, agreed on: on failure all is as it was. Not while the device is on. */
GrB_Info grid_repartition_dim(uint64_t n, const uint64_t *first, const char *call);
#endif
