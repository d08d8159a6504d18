// Writes that copy values, compiled for each size of a value: kernels/vec_write.cuh without casts or an
// accumulator.
#include "spmat/cuda/device/cuda.cuh"
extern "C" {
#include "spmat/cuda/vector/chunk.h"
}
#define GRID_FN     static __device__ __forceinline__
#define GRID_KERNEL static __global__ void
#define ACCUM       0
#include "spmat/cuda/kernels/tile.cuh"

#define COPIES(NAME, TYPE)           \
  namespace NAME {                   \
  typedef TYPE C_t;                  \
  typedef TYPE T_t;                  \
  GRID_FN T_t cast_t(const T_t &t) { \
    return t;                        \
  }
COPIES(by1, uint8_t)
#include "spmat/cuda/kernels/vec_write.cuh"
}
COPIES(by2, uint16_t)
#include "spmat/cuda/kernels/vec_write.cuh"
}
COPIES(by4, uint32_t)
#include "spmat/cuda/kernels/vec_write.cuh"
}
COPIES(by8, uint64_t)
#include "spmat/cuda/kernels/vec_write.cuh"
}
COPIES(by16, uint4)
#include "spmat/cuda/kernels/vec_write.cuh"
}

#define LAUNCH(NAME)                                                                                   \
  do {                                                                                                 \
    NAME::C_t x;                                                                                       \
    memset(&x, 0, sizeof x);                                                                           \
    if (val && one) memcpy(&x, one, sizeof x);                                                         \
    NAME::grid_write_words<<<grid_cuda_tile_blocks(a->n), GRID_TILE_THREADS, 0, grid_cuda_stream()>>>( \
        *a, (NAME::C_t *)val, (const NAME::C_t *)tval, x, x);                                          \
  } while (0)

extern "C" GrB_Info grid_cuda_write_copies(const grid_write_args *a, size_t size, void *val, const void *tval,
                                           const void *one) {
  switch (val ? size : 1) {
    case 1:
      LAUNCH(by1);
      break;
    case 2:
      LAUNCH(by2);
      break;
    case 4:
      LAUNCH(by4);
      break;
    case 8:
      LAUNCH(by8);
      break;
    case 16:
      LAUNCH(by16);
      break;
    default:
      return GRID_NOT_HERE;
  }
  return grid_cuda_launched("writing a vector");
}
