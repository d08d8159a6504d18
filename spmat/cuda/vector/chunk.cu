// Chunks in device memory: filling, scattering a list, single entries, masks by value, the kernel that
// combines bitmaps. These are rows of grid_device_chunks (spmat/vector/backend.h) that involve no operator.
#include "spmat/cuda/device/cuda.cuh"
extern "C" {
#include "spmat/cuda/vector/cuda_chunk.h"
}
#define GRID_FN     static __device__ __forceinline__
#define GRID_KERNEL static __global__ void
#include "spmat/cuda/kernels/bitmap_tile.cuh"

namespace {

enum { THREADS = GRID_TILE_THREADS };

unsigned blocks_for(uint64_t n) {
  return grid_cuda_blocks(n, THREADS, 8 * (unsigned)grid_cuda_multiprocessors());
}

// ---- values ----------------------------------------------------------------------------------------------

struct value {  // one value as a kernel parameter
  unsigned char b[GRID_DEVICE_VALUE_MAX];
};

value value_at(const void *x, size_t size) {
  value v = {};
  if (x) memcpy(v.b, x, size);
  return v;
}

// 16 bytes at a time; the pattern repeats a value of 1, 2, 4, 8 or 16 bytes.
__global__ void fill_pattern(uint4 *to, uint4 pattern, uint64_t bytes) {
  const uint64_t full_words = bytes / 16;
  GRID_FOR(k, full_words) to[k] = pattern;
  if (blockIdx.x == 0 && threadIdx.x < bytes % 16)
    ((unsigned char *)(to + full_words))[threadIdx.x] = ((const unsigned char *)&pattern)[threadIdx.x];
}

__global__ void fill_bytes(unsigned char *to, value x, uint64_t size, uint64_t bytes) {
  GRID_FOR(k, bytes) to[k] = x.b[k % size];
}

bool is_word_size(size_t size) {
  return size <= 16 && (size & (size - 1)) == 0;
}

// ---- entries ---------------------------------------------------------------------------------------------

__global__ void scatter_bits(grid_counter *bits, const uint64_t *idx, uint64_t nvals) {
  GRID_FOR(k, nvals) atomicOr(bits + (idx[k] >> 6), 1ull << (idx[k] & 63));
}

// Writes a whole bitmap with few entries, and their values, in one pass, without an upload or a clear.
struct short_list {
  uint64_t idx[GRID_SHORT_LIST], val[GRID_SHORT_LIST];
  uint32_t n;
};
template <typename T>
__global__ void scatter_short_list(uint64_t *bits, T *val, uint64_t words,
                                   const __grid_constant__ short_list f) {
  GRID_FOR(w, words) {
    uint64_t word = 0;
#pragma unroll
    for (uint32_t k = 0; k < GRID_SHORT_LIST; k++)
      if (k < f.n && f.idx[k] >> 6 == w) {
        word |= (uint64_t)1 << (f.idx[k] & 63);
        if (val) memcpy(val + f.idx[k], &f.val[k], sizeof(T));
      }
    bits[w] = word;
  }
}

template <typename T>
__global__ void scatter_values(T *val, const uint64_t *idx, const T *packed, uint64_t nvals) {
  GRID_FOR(k, nvals) val[idx[k]] = packed[k];
}

__global__ void scatter_bytes(unsigned char *val, const uint64_t *idx, const unsigned char *packed,
                              uint64_t nvals, uint64_t size) {
  GRID_FOR(k, nvals * size) val[idx[k / size] * size + k % size] = packed[k];
}

// A warp takes 32 words at a time and reserves positions for their entries at once. Values have `units`
// units.
template <typename unit>
__global__ void list_entries(const uint64_t *bits, uint64_t n, uint64_t first, uint64_t *idx, unit *packed,
                             const unit *val, uint64_t units, grid_counter *counter) {
  const uint64_t words = grid_words(n), full_words = (words + 31) / 32 * 32;
  const unsigned lane = threadIdx.x & 31;
  GRID_FOR(w, full_words) {
    uint64_t word = w < words ? (bits ? bits[w] : ~(uint64_t)0) & grid_tail(n, w) : 0;
    const unsigned word_count = (unsigned)__popcll(word);
    unsigned upto = word_count;
    for (int d = 1; d < 32; d *= 2) {
      const unsigned below = __shfl_up_sync(~0u, upto, d);
      if ((int)lane >= d) upto += below;
    }
    grid_counter at = 0;
    if (lane == 31 && upto) at = atomicAdd(counter, (grid_counter)upto);
    at = __shfl_sync(~0u, at, 31) + upto - word_count;
    for (; word; word &= word - 1, at++) {
      const uint64_t i = 64 * w + (uint64_t)__ffsll((long long)word) - 1;
      idx[at] = first + i;
      for (uint64_t q = 0; packed && q < units; q++) packed[at * units + q] = val[i * units + q];
    }
  }
}

template <typename unit>
__global__ void copy_values(unit *to, const uint32_t *bits, const unit *val, uint64_t units, uint64_t n) {
  GRID_TILES(w, n) {
    const uint32_t s = grid_word32(bits, n, w);
    GRID_FOR_TILE_LANE(k, s)
    if (grid_tile_bit(s, k))
      for (uint64_t q = 0, i = grid_tile_index(w, k); q < units; q++) to[i * units + q] = val[i * units + q];
  }
}

__global__ void write_entry(uint64_t *bits, unsigned char *val, uint64_t i, value x, unsigned size,
                            bool is_present) {
  const uint64_t bit = (uint64_t)1 << (i & 63);
  if (threadIdx.x == 0 && bits) bits[i >> 6] = is_present ? bits[i >> 6] | bit : bits[i >> 6] & ~bit;
  if (threadIdx.x < size && val) val[threadIdx.x] = x.b[threadIdx.x];
}

// ---- bitmaps ---------------------------------------------------------------------------------------------

#include "spmat/cuda/kernels/vec_bits.cuh"

template <typename T>
__global__ void select_true_kernel(uint32_t *to, const uint32_t *bits, const T *val, uint64_t n) {
  const unsigned lane = threadIdx.x & 31;
  GRID_TILES(w, n) {
    const uint32_t s = grid_word32(bits, n, w);
    uint32_t r = 0;
    GRID_FOR_TILE_LANE(k, s) {
      const uint64_t i = grid_tile_index(w, k);
      const bool in = grid_tile_bit(s, k);
      const uint32_t word = __ballot_sync(~0u, in && val[i] != T{});
      if (lane == k) r = word;
    }
    if (w < grid_words32(n)) to[w] = r;
  }
}

}  // namespace

// One block a multiprocessor while its warps have few words each: the last block to finish adds the counts of
// all. A warp reads its words one after the other, so for more words there are more blocks.
extern "C" unsigned grid_cuda_tile_blocks(uint64_t n) {
  enum { WORDS_OF_WARP = 4 };
  const uint64_t warps = THREADS / 32, words = (n + 31) / 32, all = (uint64_t)grid_cuda_multiprocessors();
  if (words <= WORDS_OF_WARP * warps * all) return grid_cuda_blocks(words, (unsigned)warps, (unsigned)all);
  return blocks_for(words / WORDS_OF_WARP * 32);
}

extern "C" GrB_Info grid_cuda_defer_count(grid_chunk *c, const grid_tally *t) {
  c->nvals = GRID_UNCOUNTED, c->ticket = t->ticket;
  if (grid_device_is_count_deferred()) return GrB_SUCCESS;
  return grid_cuda_wait_count(t, &c->nvals, NULL);
}

extern "C" GrB_Info grid_cuda_fill(void *to, const void *x, size_t size, uint64_t count) {
  const uint64_t bytes = count * size;
  if (bytes == 0) return GrB_SUCCESS;
  if (is_word_size(size)) {
    uint4 pattern;
    for (size_t k = 0; k < 16; k += size) memcpy((char *)&pattern + k, x, size);
    fill_pattern<<<blocks_for(bytes / 16), THREADS, 0, grid_cuda_stream()>>>((uint4 *)to, pattern, bytes);
  } else {
    fill_bytes<<<blocks_for(bytes), THREADS, 0, grid_cuda_stream()>>>((unsigned char *)to, value_at(x, size),
                                                                      size, bytes);
  }
  return grid_cuda_check_launch("filling");
}

template <typename T>
static void scatter_as(void *val, const uint64_t *idx, const void *packed, uint64_t nvals) {
  scatter_values<<<blocks_for(nvals), THREADS, 0, grid_cuda_stream()>>>((T *)val, idx, (const T *)packed,
                                                                        nvals);
}

extern "C" GrB_Info grid_cuda_scatter(uint64_t *bits, void *val, const uint64_t *idx, const void *packed,
                                      uint64_t nvals, size_t size) {
  if (nvals == 0) return GrB_SUCCESS;
  scatter_bits<<<blocks_for(nvals), THREADS, 0, grid_cuda_stream()>>>((grid_counter *)bits, idx, nvals);
  if (val) switch (size) {
      case 1:
        scatter_as<uint8_t>(val, idx, packed, nvals);
        break;
      case 2:
        scatter_as<uint16_t>(val, idx, packed, nvals);
        break;
      case 4:
        scatter_as<uint32_t>(val, idx, packed, nvals);
        break;
      case 8:
        scatter_as<uint64_t>(val, idx, packed, nvals);
        break;
      default:
        scatter_bytes<<<blocks_for(nvals * size), THREADS, 0, grid_cuda_stream()>>>(
            (unsigned char *)val, idx, (const unsigned char *)packed, nvals, size);
    }
  return grid_cuda_check_launch("scattering a list");
}

template <typename unit>
static void list_as(uint64_t *idx, void *packed, const uint64_t *bits, const void *val, size_t size,
                    uint64_t n, uint64_t first, uint64_t *counter) {
  list_entries<<<blocks_for((grid_words(n) + 31) / 32 * 32), THREADS, 0, grid_cuda_stream()>>>(
      bits, n, first, idx, (unit *)packed, (const unit *)val, size / sizeof(unit), (grid_counter *)counter);
}

extern "C" GrB_Info grid_cuda_list(uint64_t *idx, void *packed, const uint64_t *bits, const void *val,
                                   size_t size, uint64_t n, uint64_t first, uint64_t *counter) {
  if (n == 0) return GrB_SUCCESS;
  if (size % 8 == 0)
    list_as<uint64_t>(idx, packed, bits, val, size, n, first, counter);
  else if (size % 4 == 0)
    list_as<uint32_t>(idx, packed, bits, val, size, n, first, counter);
  else
    list_as<uint8_t>(idx, packed, bits, val, size, n, first, counter);
  return grid_cuda_check_launch("listing entries");
}

template <typename unit>
static void copy_values_as(void *to, const uint64_t *bits, const void *val, size_t size, uint64_t n) {
  copy_values<<<grid_cuda_tile_blocks(n), THREADS, 0, grid_cuda_stream()>>>(
      (unit *)to, (const uint32_t *)bits, (const unit *)val, size / sizeof(unit), n);
}

extern "C" GrB_Info grid_cuda_copy_values(void *to, const uint64_t *bits, const void *val, size_t size,
                                          uint64_t n) {
  if (n == 0) return GrB_SUCCESS;
  if (size % 8 == 0)
    copy_values_as<uint64_t>(to, bits, val, size, n);
  else if (size % 4 == 0)
    copy_values_as<uint32_t>(to, bits, val, size, n);
  else
    copy_values_as<uint8_t>(to, bits, val, size, n);
  return grid_cuda_check_launch("copying values");
}

extern "C" GrB_Info grid_cuda_scatter_short_list(uint64_t *bits, void *val, uint64_t n, const uint64_t *idx,
                                                 const void *packed, uint32_t nvals, size_t size) {
  const uint64_t words = grid_words(n);
  const unsigned blocks = blocks_for(words);
  const cudaStream_t stream = grid_cuda_stream();
  short_list f = {};
  f.n = nvals;
  memcpy(f.idx, idx, nvals * sizeof *idx);
  for (uint32_t k = 0; val && k < nvals; k++) memcpy(&f.val[k], (const char *)packed + k * size, size);
  switch (size) {
    case 1:
      scatter_short_list<<<blocks, THREADS, 0, stream>>>(bits, (uint8_t *)val, words, f);
      break;
    case 2:
      scatter_short_list<<<blocks, THREADS, 0, stream>>>(bits, (uint16_t *)val, words, f);
      break;
    case 4:
      scatter_short_list<<<blocks, THREADS, 0, stream>>>(bits, (uint32_t *)val, words, f);
      break;
    default:
      scatter_short_list<<<blocks, THREADS, 0, stream>>>(bits, (uint64_t *)val, words, f);
  }
  return grid_cuda_check_launch("placing a short list");
}

extern "C" GrB_Info grid_cuda_entry(uint64_t *bits, void *val, uint64_t k, uint64_t i, const void *x,
                                    size_t size, bool is_present) {
  write_entry<<<1, GRID_DEVICE_VALUE_MAX, 0, grid_cuda_stream()>>>(
      bits, val ? (unsigned char *)val + k * size : NULL, i, value_at(x, size), (unsigned)size, is_present);
  return grid_cuda_check_launch("writing an entry");
}

extern "C" void *grid_cuda_bits_kernel(void) {
  return (void *)grid_bits;
}

// A complex value is true when one of its parts is.
template <typename T>
struct complex_value {
  T real, imag;
  __device__ bool operator!=(const complex_value &x) const { return real != x.real || imag != x.imag; }
};

template <typename T>
static void select_true_as(uint64_t *to, const uint64_t *bits, const void *val, uint64_t n) {
  select_true_kernel<<<grid_cuda_tile_blocks(n), THREADS, 0, grid_cuda_stream()>>>(
      (uint32_t *)to, (const uint32_t *)bits, (const T *)val, n);
}

extern "C" GrB_Info grid_cuda_mark_nonzero(uint64_t *to, const uint64_t *bits, const void *val, GrB_Type type,
                                           uint64_t n) {
  if (type->code == GRID_T_FP32)
    select_true_as<float>(to, bits, val, n);
  else if (type->code == GRID_T_FP64)
    select_true_as<double>(to, bits, val, n);
  else if (type->code == GRID_T_FC32)
    select_true_as<complex_value<float>>(to, bits, val, n);
  else if (type->code == GRID_T_FC64)
    select_true_as<complex_value<double>>(to, bits, val, n);
  else if (type->size == 1)
    select_true_as<uint8_t>(to, bits, val, n);
  else if (type->size == 2)
    select_true_as<uint16_t>(to, bits, val, n);
  else if (type->size == 4)
    select_true_as<uint32_t>(to, bits, val, n);
  else
    select_true_as<uint64_t>(to, bits, val, n);
  return grid_cuda_check_launch("reading a mask");
}
