// The delegates of a search on several GPUs (spmat/search_level.h): numbering them, and their part of a
// frontier.
#include "spmat/cuda/build/keys.cuh"
#include "spmat/cuda/search/level.cuh"

namespace {

// A warp makes a word; q is a multiple of 64.
__global__ void __launch_bounds__(THREADS) mark_kernel(level_search s, uint64_t threshold, ull *marked) {
  ull count = 0;
  GRID_FOR(v, s.q) {
    const uint32_t mask = __ballot_sync(ALL, v < s.graph.n && entries_of(s, v) > threshold);
    if (lane() != 0) continue;
    local_bits(s, 0)[v >> 5] = mask;
    count += __popc(mask);
  }
  if (count) atomicAdd(marked, count);
}

__global__ void __launch_bounds__(THREADS) count_kernel(const uint64_t *bits, uint64_t words, uint64_t *sum) {
  GRID_FOR(w, words) sum[w] = __popcll(bits[w]);
}

// The number of vertex v, a delegate; sum counts the delegates before each word of bits.
__device__ uint32_t number_of(const level_search &s, const uint64_t *sum, uint32_t v) {
  const uint64_t word = ((const uint64_t *)s.bits[0])[v >> 6], process = v / s.q;
  const uint64_t before = sum[v >> 6] - sum[process * (s.q / 64)];
  return (uint32_t)(process * s.delegates.per_process + before) +
         __popcll(word & ((UINT64_C(1) << (v & 63)) - 1));
}

__global__ void __launch_bounds__(THREADS) vertex_kernel(level_search s, const uint64_t *sum) {
  const uint64_t *bits = (const uint64_t *)s.bits[0];
  GRID_FOR(w, s.P * s.q / 64) {
    for (uint64_t left = bits[w]; left; left &= left - 1) {
      const uint32_t v = (uint32_t)(64 * w) + (uint32_t)(__ffsll((long long)left) - 1);
      s.delegates.vertex[number_of(s, sum, v)] = v;
    }
  }
}

__global__ void __launch_bounds__(THREADS) first_kernel(level_search s, const uint64_t *sum) {
  GRID_FOR(v, s.graph.n) {
    const uint32_t u = s.graph.in_hub_neighbor[v];
    const bool delegate = entries_of(s, v) && bit_of(s.bits[0], u);
    s.delegates.hub_neighbor[v] = delegate ? GRID_LEVEL_DELEGATE | number_of(s, sum, u) : u;
  }
}

// A warp makes a word for the numbers first .. first + n - 1, multiples of 64.
__global__ void __launch_bounds__(THREADS)
    frontier_kernel(level_search s, int at, uint64_t first, uint64_t n) {
  GRID_FOR(k, n) {
    const uint32_t v = s.delegates.vertex[first + k];
    const uint32_t mask = __ballot_sync(ALL, v != NO_ROW && bit_of(s.bits[at], v));
    if (lane() == 0) s.delegates.bits[(first + k) >> 5] = mask;
  }
}

unsigned blocks_for(uint64_t n) {
  return grid_cuda_blocks(n, THREADS, 8 * grid_cuda_multiprocessors());
}

}  // namespace

extern "C" GrB_Info grid_cuda_delegates_mark(const grid_level_search *s, uint64_t threshold,
                                             uint64_t *marked) {
  ull *device_count = (ull *)grid_device_malloc(1, sizeof *device_count);
  if (!device_count) return grid_device_fail_memory(NULL, "the number of delegates", 1, sizeof *device_count);
  GrB_Info info = grid_device_zero(device_count, sizeof *device_count);
  if (info == GrB_SUCCESS) {
    mark_kernel<<<blocks_for(s->q), THREADS, 0, grid_cuda_stream()>>>(*s, threshold, device_count);
    info = grid_cuda_check_launch("counting delegates");
  }
  if (info == GrB_SUCCESS) info = grid_device_get(marked, device_count, sizeof *device_count);
  grid_device_free(device_count);
  return info;
}

extern "C" GrB_Info grid_cuda_delegates_number(const grid_level_search *s) {
  const uint64_t words = (uint64_t)s->P * s->q / 64, all = (uint64_t)s->P * s->delegates.per_process;
  cudaStream_t stream = grid_cuda_stream();
  uint64_t *sum = (uint64_t *)grid_device_malloc(words, sizeof *sum);
  if (!sum) return grid_device_fail_memory(NULL, "numbers of delegates", words, sizeof *sum);
  count_kernel<<<blocks_for(words), THREADS, 0, stream>>>((const uint64_t *)s->bits[0], words, sum);
  GrB_Info info = grid_cuda_exclusive_sums(sum, words);
  if (info == GrB_SUCCESS) {
    cudaMemsetAsync(s->delegates.vertex, 0xff, all * sizeof *s->delegates.vertex, stream);
    vertex_kernel<<<blocks_for(words), THREADS, 0, stream>>>(*s, sum);
    first_kernel<<<blocks_for(s->graph.n), THREADS, 0, stream>>>(*s, sum);
    info = grid_cuda_check_launch("numbering delegates");
  }
  grid_device_free(sum);
  return info;
}

extern "C" GrB_Info grid_cuda_delegates_frontier(const grid_level_search *s, int at, bool all) {
  const uint64_t per = s->delegates.per_process, first = all ? 0 : s->k * per, n = all ? s->P * per : per;
  if (n) frontier_kernel<<<blocks_for(n), THREADS, 0, grid_cuda_stream()>>>(*s, at, first, n);
  return grid_cuda_check_launch("the delegates of a frontier");
}
