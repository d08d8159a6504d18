// Sorting and compressing keys (keys.cuh). All of the backend's CUB sorts and scans are here.
#include "spmat/cuda/build/keys.cuh"

#define CCCL_DISABLE_NVTX  // CUB's NVTX ranges would add link names
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

namespace {

// Calls CUB twice: for the size of its temporary memory, and for the work.
template <typename Call>
GrB_Info call_with_temp(const char *what, Call call) {
  size_t bytes = 0;
  GrB_Info info = grid_cuda_check(call(nullptr, bytes), what);
  if (info != GrB_SUCCESS) return info;
  void *scratch = grid_device_malloc(bytes, 1);
  if (!scratch) return grid_device_fail_memory(NULL, what, bytes, 1);
  info = grid_cuda_check(call(scratch, bytes), what);
  grid_device_free(scratch);
  return info;
}

struct larger {
  __device__ uint32_t operator()(uint32_t a, uint32_t b) const { return a > b ? a : b; }
};

GrB_Info scan_max(uint32_t *v, uint64_t n) {
  if (n == 0) return GrB_SUCCESS;
  return call_with_temp("offsets of rows", [=](void *scratch, size_t &bytes) {
    return cub::DeviceScan::InclusiveScan(scratch, bytes, v, v, larger{}, n, grid_cuda_stream());
  });
}

}  // namespace

extern "C" GrB_Info grid_cuda_exclusive_sums(uint64_t *v, uint64_t n) {
  if (n == 0) return GrB_SUCCESS;
  return call_with_temp("sums of counts", [=](void *scratch, size_t &bytes) {
    return cub::DeviceScan::ExclusiveSum(scratch, bytes, v, v, n, grid_cuda_stream());
  });
}

extern "C" void grid_cuda_keys_free(grid_keys *k) {
  grid_device_free(k->at);
  grid_device_free(k->other);
  k->at = k->other = NULL;
}

extern "C" GrB_Info grid_cuda_sort(grid_keys *k, int from, int bits) {
  if (k->n < 2) return GrB_SUCCESS;
  cub::DoubleBuffer<uint64_t> buffer(k->at, k->other);
  GrB_Info info = call_with_temp("sorting matrix entries", [&](void *scratch, size_t &bytes) {
    return cub::DeviceRadixSort::SortKeys(scratch, bytes, buffer, k->n, from, from + bits,
                                          grid_cuda_stream());
  });
  k->at = buffer.Current();
  k->other = buffer.Alternate();
  return info;
}

extern "C" GrB_Info grid_cuda_sort_pairs(grid_keys *k, int from, int bits, uint32_t **payload,
                                         uint32_t **other) {
  if (k->n < 2) return GrB_SUCCESS;
  cub::DoubleBuffer<uint64_t> buffer(k->at, k->other);
  cub::DoubleBuffer<uint32_t> numbers(*payload, *other);
  GrB_Info info = call_with_temp("sorting matrix entries", [&](void *scratch, size_t &bytes) {
    return cub::DeviceRadixSort::SortPairs(scratch, bytes, buffer, numbers, k->n, from, from + bits,
                                           grid_cuda_stream());
  });
  k->at = buffer.Current();
  k->other = buffer.Alternate();
  *payload = numbers.Current();
  *other = numbers.Alternate();
  return info;
}

extern "C" uint64_t grid_cuda_sort_bytes(uint64_t n) {
  size_t bytes = 0;
  cub::DoubleBuffer<uint64_t> buffer(NULL, NULL);
  if (cub::DeviceRadixSort::SortKeys(nullptr, bytes, buffer, n, 0, 64, grid_cuda_stream()) != cudaSuccess)
    return 0;
  return bytes;
}

extern "C" GrB_Info grid_cuda_check_free(uint64_t bytes, const char *what) {
  grid_device_facts f;
  GrB_Info info = grid_device_describe(&f);
  if (info != GrB_SUCCESS) return info;
  return f.free < bytes ? grid_device_fail_memory(NULL, what, bytes, 1) : GrB_SUCCESS;
}

// ---- compress ------------------------------------------------------------------------------------------

namespace {

// A tile is what a block takes at a time, a segment what one of its warps takes: ITEMS_PER_THREAD rounds of
// 32 consecutive keys.
enum {
  THREADS = 256,
  ITEMS_PER_THREAD = 16,
  TILE = THREADS * ITEMS_PER_THREAD,
  SEGMENT = 32 * ITEMS_PER_THREAD,
  WARPS = THREADS / 32
};

__device__ bool is_new(const uint64_t *key, uint64_t e) {
  return e == 0 || key[e] != key[e - 1];
}

__global__ void __launch_bounds__(THREADS)
    count_distinct(const uint64_t *key, uint64_t n, uint64_t tiles, uint64_t *count) {
  __shared__ unsigned total;
  for (uint64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    if (threadIdx.x == 0) total = 0;
    __syncthreads();
    unsigned thread_count = 0;
    for (unsigned k = 0; k < ITEMS_PER_THREAD; k++) {
      const uint64_t e = tile * TILE + k * THREADS + threadIdx.x;
      thread_count += e < n && is_new(key, e);
    }
    thread_count = __reduce_add_sync(~0u, thread_count);
    if (threadIdx.x % 32 == 0) atomicAdd(&total, thread_count);
    __syncthreads();
    if (threadIdx.x == 0) count[tile] = total;
  }
}

// end[m + 1] = number of entries up to the last one of major m; it stays 0 if m has none. last (or NULL):
// position of the last key of each distinct one.
__global__ void __launch_bounds__(THREADS)
    write_distinct(const uint64_t *key, uint64_t n, uint64_t tiles, const uint64_t *start, int shift,
                   uint32_t *end, uint32_t *idx, uint32_t *last) {
  __shared__ uint32_t warp_count[WARPS];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, below = (1u << lane) - 1;
  const uint64_t low = (UINT64_C(1) << shift) - 1;
  for (uint64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const uint64_t first = tile * TILE + warp * SEGMENT + lane;
    unsigned fresh[ITEMS_PER_THREAD], total = 0;
#pragma unroll
    for (unsigned k = 0; k < ITEMS_PER_THREAD; k++) {
      const uint64_t e = first + 32 * k;
      fresh[k] = __ballot_sync(~0u, e < n && is_new(key, e));
      total += __popc(fresh[k]);
    }
    if (lane == 0) warp_count[warp] = total;
    __syncthreads();
    uint32_t at = (uint32_t)start[tile];
    for (unsigned w = 0; w < warp; w++) at += warp_count[w];
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < ITEMS_PER_THREAD; k++) {
      const uint64_t e = first + 32 * k;
      if (e < n) {
        const uint64_t current = key[e];
        const uint32_t major = (uint32_t)(current >> shift), before = at + __popc(fresh[k] & below),
                       lane_is_first = fresh[k] >> lane & 1;
        if (lane_is_first) idx[before] = (uint32_t)(current & low);
        if (last && (e + 1 == n || key[e + 1] != current)) last[before + lane_is_first - 1] = (uint32_t)e;
        if (e + 1 == n || (uint32_t)(key[e + 1] >> shift) != major)
          end[(uint64_t)major + 1] = before + lane_is_first;
      }
      at += __popc(fresh[k]);
    }
  }
}

uint64_t tiles_of(uint64_t n) {
  return (n + TILE - 1) / TILE;
}

unsigned tile_blocks(uint64_t n) {
  return grid_cuda_blocks(tiles_of(n), 1, 64u * (unsigned)grid_cuda_multiprocessors());
}

}  // namespace

extern "C" GrB_Info grid_cuda_distinct(const uint64_t *key, uint64_t n, uint64_t **starts, uint64_t *count) {
  const uint64_t tiles = tiles_of(n);
  // one more, so that the total follows the last
  uint64_t *start = *starts = (uint64_t *)grid_device_malloc(tiles + 1, sizeof *start);
  if (!start) return grid_device_fail_memory(NULL, "counts of entries", tiles + 1, sizeof *start);
  GrB_Info info = grid_device_zero(start + tiles, sizeof *start);
  if (info != GrB_SUCCESS) return info;
  if (n) count_distinct<<<tile_blocks(n), THREADS, 0, grid_cuda_stream()>>>(key, n, tiles, start);
  if ((info = grid_cuda_check_launch("counting entries")) != GrB_SUCCESS) return info;
  if ((info = grid_cuda_exclusive_sums(start, tiles + 1)) != GrB_SUCCESS) return info;
  return grid_cuda_fetch(count, start + tiles);
}

extern "C" GrB_Info grid_cuda_compress_to(const uint64_t *key, uint64_t n, int shift, const uint64_t *starts,
                                          uint64_t nmajor, uint32_t *ptr, uint32_t *idx, uint32_t *last) {
  GrB_Info info;
  TRY(grid_device_zero(ptr, (nmajor + 1) * sizeof *ptr));
  if (n)
    write_distinct<<<tile_blocks(n), THREADS, 0, grid_cuda_stream()>>>(key, n, tiles_of(n), starts, shift,
                                                                       ptr, idx, last);
  TRY(grid_cuda_check_launch("compressing entries"));
  TRY(scan_max(ptr + 1, nmajor));
done:
  return info;
}

extern "C" GrB_Info grid_cuda_compress(const uint64_t *key, uint64_t n, int shift, const uint64_t *starts,
                                       uint64_t count, uint64_t nmajor, uint32_t **ptr, uint32_t **idx,
                                       uint32_t *last) {
  GrB_Info info;
  *ptr = (uint32_t *)grid_device_malloc(nmajor + 1, sizeof **ptr);
  *idx = (uint32_t *)grid_device_malloc(count, sizeof **idx);
  if (!*ptr || !*idx) TRY(grid_device_fail_memory(NULL, "matrix entries", count + nmajor + 1, sizeof **idx));
  TRY(grid_cuda_compress_to(key, n, shift, starts, nmajor, *ptr, *idx, last));
done:
  if (info != GrB_SUCCESS) {
    grid_device_free(*ptr);
    grid_device_free(*idx);
    *ptr = *idx = NULL;
  }
  return info;
}
