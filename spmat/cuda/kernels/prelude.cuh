// The start of every kernel that NVRTC compiles: types and limits, the operator table, the rules of casts.
#ifndef GRID_PRELUDE_CUH
#define GRID_PRELUDE_CUH
#include "jit_integers.h"
#ifndef INFINITY
#define INFINITY __int_as_float(0x7f800000)
#endif

#include "gridblas_table.h"
#include "cast_rules.h"

#define GRID_FN static __device__ __forceinline__
// Operators on values of these types, by the table's names: GRID_FN GRID_C_FP64 add(...) { GRID_CALL2(...) }

GRID_FN bool grid_bit(const uint64_t *b, uint64_t i) {
  return b[i >> 6] >> (i & 63) & 1;
}
GRID_FN uint64_t grid_words(uint64_t n) {
  return (n + 63) / 64;
}
GRID_FN uint64_t grid_tail(uint64_t n, uint64_t w) {
  uint64_t left = n - 64 * w;
  return left >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << left) - 1;
}
// This thread's share of 0 .. n - 1.
#define GRID_FOR(i, n)                                               \
  for (uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x, \
                i##_step = (uint64_t)gridDim.x * blockDim.x;         \
       i < (n); i += i##_step)
#endif
