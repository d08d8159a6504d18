/* Offsets into the entries of a local matrix: 32-bit where they fit, else 64-bit. The width never changes
 * inside a loop, so its branch is predicted. */
#ifndef GRID_OFFSETS_H
#define GRID_OFFSETS_H
#include "semiring/semiring.h"

#ifdef __CUDACC__
#define GRID_HOST_DEVICE __host__ __device__
#else
#define GRID_HOST_DEVICE
#endif

/* At most one is not NULL; both NULL: no offsets. */
typedef struct {
  uint32_t *offsets32;
  uint64_t *offsets64;
} grid_offsets;

static inline GRID_HOST_DEVICE uint64_t grid_offset(grid_offsets o, uint64_t k) {
  return o.offsets64 ? o.offsets64[k] : o.offsets32[k];
}
static inline GRID_HOST_DEVICE void grid_offset_set(grid_offsets o, uint64_t k, uint64_t to) {
  if (o.offsets64)
    o.offsets64[k] = to;
  else
    o.offsets32[k] = (uint32_t)to;
}

static inline size_t grid_offset_size(grid_offsets o) {
  return o.offsets64 ? sizeof *o.offsets64 : sizeof *o.offsets32;
}
static inline bool grid_offsets_is_allocated(grid_offsets o) {
  return o.offsets32 || o.offsets64;
}

/* Allocates n offsets for this many entries; false when out of memory. */
bool grid_offsets_make(grid_offsets *o, uint64_t n, uint64_t entries);
void grid_offsets_free(grid_offsets *o);
#endif
