/* Rows of grid_device_lists (spmat/vector/backend.h) for entries that are exchanged. */
#ifndef GRID_GATHER_ROUTE_H
#define GRID_GATHER_ROUTE_H
#include "spmat/vector/backend.h"

GrB_Info grid_cuda_list_find_owners(grid_sorted_positions *s, uint64_t q, const uint64_t *bounds, uint64_t P,
                                    uint64_t *first);
GrB_Info grid_cuda_list_gather_at(void *to, uint8_t *present, const void *at, size_t width, uint64_t n,
                                  const grid_chunk *u);
GrB_Info grid_cuda_list_receive(grid_chunk *t, const uint32_t *at, uint64_t n, const void *from,
                                const uint8_t *present);
#endif
