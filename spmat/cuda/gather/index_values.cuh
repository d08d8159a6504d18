// The indices in an integer chunk, as kernels read them; and values of any type, moved in units.
#ifndef GRID_INDEX_VALUES_CUH
#define GRID_INDEX_VALUES_CUH
#include "spmat/cuda/device/cuda.cuh"
#ifndef GRID_FN
#define GRID_FN static __device__ __forceinline__
#endif
#include "spmat/cuda/kernels/bitmap_tile.cuh"

namespace {

// A thread that met an index out of range adds this to a count, once; counts stay below it.
constexpr grid_counter WRONG = (grid_counter)1 << 44;

struct position_list {
  const uint32_t *bits;  // NULL: all n have entries
  const void *val;
  int code;  // of their type
  bool iso;
  uint64_t n, limit;  // indices are below limit
};

position_list position_list_of(const grid_chunk *where, uint64_t limit) {
  return {where->format == GRID_BITMAP ? (const uint32_t *)where->bits : NULL,
          where->val,
          where->type->code,
          where->iso,
          where->n,
          limit};
}

// Index number k; a negative one is above all limits.
__device__ __forceinline__ uint64_t position_at(const position_list &p, uint64_t k) {
  if (p.iso) k = 0;
  switch (p.code) {
    case GRID_T_INT64:
    case GRID_T_UINT64:
      return ((const uint64_t *)p.val)[k];
    case GRID_T_INT32:
      return (uint64_t)(int64_t)((const int32_t *)p.val)[k];
    case GRID_T_UINT32:
      return ((const uint32_t *)p.val)[k];
    case GRID_T_INT16:
      return (uint64_t)(int64_t)((const int16_t *)p.val)[k];
    case GRID_T_UINT16:
      return ((const uint16_t *)p.val)[k];
    case GRID_T_INT8:
      return (uint64_t)(int64_t)((const int8_t *)p.val)[k];
    default:
      return ((const uint8_t *)p.val)[k];
  }
}

__device__ __forceinline__ bool has(const uint32_t *bits, uint64_t i) {
  return !bits || bits[i >> 5] >> (i & 31) & 1;
}

const uint32_t *bits_of(const grid_chunk *u) {
  return u->format == GRID_BITMAP ? (const uint32_t *)u->bits : NULL;
}

// Calls f with a pointer of the unit's type, and the number of units of a value.
template <typename Call>
void call_by_unit(size_t size, Call f) {
  if (size % 8 == 0)
    f((uint64_t *)NULL, size / 8);
  else if (size % 4 == 0)
    f((uint32_t *)NULL, size / 4);
  else if (size % 2 == 0)
    f((uint16_t *)NULL, size / 2);
  else
    f((uint8_t *)NULL, size);
}

}  // namespace
#endif
