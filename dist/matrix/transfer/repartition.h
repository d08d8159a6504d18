/* Repartition of a dimension: all matrices and vectors that have it move together. */
#ifndef GRID_REPARTITION_H
#define GRID_REPARTITION_H
#include "dist/matrix/matrix.h"

/* Dimensions n get chunk boundaries first[0 .. P] (as grid_partition_make expects them), or even ones (NULL);
 * the same on every process. With the device on, blocks move from device to device, and vectors through host
 * memory, from which those that were on the device return. Collective, agreed on: on failure nothing is
 * changed. */
GrB_Info grid_repartition_dim(uint64_t n, const uint64_t *first, const char *call);
#endif
