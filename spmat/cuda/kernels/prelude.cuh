// What every run-time compiled kernel starts with: the types and limits of stdint.h, which NVRTC has not, the
// operator table, and the rules of casts.
#ifndef GRID_PRELUDE
#define GRID_PRELUDE
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;
typedef uint64_t GrB_Index;

#ifndef INT8_MIN
#define INT8_MIN   (-128)
#define INT8_MAX   127
#define UINT8_MAX  255
#define INT16_MIN  (-32768)
#define INT16_MAX  32767
#define UINT16_MAX 65535
#define INT32_MIN  (-2147483647 - 1)
#define INT32_MAX  2147483647
#define UINT32_MAX 4294967295u
#define INT64_MIN  (-9223372036854775807l - 1)
#define INT64_MAX  9223372036854775807l
#define UINT64_MAX 18446744073709551615ul
#endif
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
