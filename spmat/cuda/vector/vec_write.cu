// Writes that copy values, compiled for each size of a value: kernels/vec_write.cuh without casts or an
// accumulator.
#include "spmat/cuda/device/cuda.cuh"
extern "C" {
#include "spmat/cuda/vector/cuda_chunk.h"
}
#define GRID_FN     static __device__ __forceinline__
#define GRID_KERNEL static __global__ void
#define ACCUM       0
#include "spmat/cuda/kernels/bitmap_tile.cuh"

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

extern "C" void *grid_cuda_write_kernel(size_t size) {
  switch (size) {
    case 1:
      return (void *)by1::grid_write_words;
    case 2:
      return (void *)by2::grid_write_words;
    case 4:
      return (void *)by4::grid_write_words;
    case 8:
      return (void *)by8::grid_write_words;
    case 16:
      return (void *)by16::grid_write_words;
    default:
      return NULL;
  }
}
