// The keys of an R-MAT graph, generated where they are sorted: the tuples of include/gridblas_rmat.h.
#include "spmat/cuda/keys.cuh"

namespace {

enum { THREADS = 512, EACH = 4, TILE = THREADS * EACH };

// The key of entry (r, c) if it belongs to this process's block (dist/layout.h).
__device__ bool place(const grid_rmat_job &s, uint64_t r, uint64_t c, uint64_t *key) {
  if (!s.whole) {
    const uint64_t rc = r / s.q, cc = c / s.q;  // chunks
    if (rc % s.R != s.i || cc / s.R != s.j) return false;
    r = rc / s.R * s.q + (r - rc * s.q);
    c = cc % s.R * s.q + (c - cc * s.q);
  }
  *key = r << 32 | c;
  return true;
}

// The keys that a warp's threads have in one round: the bits say who has one.
struct batch {
  uint64_t key;
  unsigned who;
};

__device__ void store(const batch &r, uint64_t *keys, uint64_t &at) {
  const unsigned lane = threadIdx.x % 32;
  if (r.who >> lane & 1) keys[at + __popc(r.who & ((1u << lane) - 1))] = r.key;
  at += __popc(r.who);
}

// *count += the number of keys, which are written to keys, in any order, unless that is NULL. A block claims
// room for a tile of tuples at once, and each round of a warp is written in one stretch.
__global__ void __launch_bounds__(THREADS, 2)
    generate(const __grid_constant__ grid_rmat_job s, uint64_t *keys, unsigned long long *count) {
  __shared__ Grid_Rmat g;
  __shared__ unsigned claimed;
  __shared__ unsigned long long base;
  static_assert(sizeof g % 8 == 0, "copied by words");
  for (unsigned w = threadIdx.x; w < sizeof g / 8; w += THREADS)
    ((uint64_t *)&g)[w] = ((const uint64_t *)&s.g)[w];
  const uint64_t tiles = (s.tuples + TILE - 1) / TILE;
  for (uint64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    if (threadIdx.x == 0) claimed = 0;
    __syncthreads();  // the first time also: g is complete
    batch forth[EACH], back[EACH];
    unsigned total = 0, mine = 0;
#pragma unroll
    for (int k = 0; k < EACH; k++) {
      const uint64_t t = tile * TILE + (unsigned)k * THREADS + threadIdx.x;
      uint64_t r = 0, c = 0;
      if (t < s.tuples) Grid_Rmat_tuple(&g, t, &r, &c);
      const bool some = t < s.tuples, loop = r == c;
      forth[k].who = __ballot_sync(~0u, some && !(loop && s.no_loops) && place(s, r, c, &forth[k].key));
      back[k].who = __ballot_sync(~0u, some && s.mirror && !loop && place(s, c, r, &back[k].key));
      total += __popc(forth[k].who) + __popc(back[k].who);
    }
    if (threadIdx.x % 32 == 0) mine = atomicAdd(&claimed, total);
    __syncthreads();
    if (threadIdx.x == 0 && claimed) base = atomicAdd(count, (unsigned long long)claimed);
    if (!keys) continue;  // `claimed` is thread 0's alone until the next barrier
    __syncthreads();
    uint64_t at = base + __shfl_sync(~0u, mine, 0);
#pragma unroll
    for (int k = 0; k < EACH; k++) {
      store(forth[k], keys, at);
      store(back[k], keys, at);
    }
  }
}

GrB_Info run(const grid_rmat_job *job, uint64_t *keys, unsigned long long *count, uint64_t *n) {
  const unsigned blocks = grid_cuda_blocks(job->tuples, TILE, 8u * (unsigned)grid_cuda_multiprocessors());
  unsigned long long answer = 0;
  GrB_Info info = grid_device_zero(count, sizeof *count);
  if (info != GrB_SUCCESS) return info;
  generate<<<blocks, THREADS, 0, grid_cuda_stream()>>>(*job, keys, count);
  if ((info = grid_cuda_launched("generating an R-MAT graph")) != GrB_SUCCESS) return info;
  if ((info = grid_cuda_fetch(&answer, count)) == GrB_SUCCESS) *n = answer;
  return info;
}

}  // namespace

// One process keeps nearly all keys and allocates for all; of several each counts its own first.
extern "C" GrB_Info grid_cuda_rmat(const grid_rmat_job *job, uint64_t rows, uint64_t **keys, uint64_t *n) {
  unsigned long long *count = (unsigned long long *)grid_device_malloc(1, sizeof *count);
  if (!count) return grid_device_fail_memory(NULL, "a counter", 1, sizeof *count);
  GrB_Info info = GrB_SUCCESS;
  *keys = NULL;
  *n = job->tuples * (job->mirror ? 2 : 1);
  if (!job->whole) TRY(run(job, NULL, count, n));
  // what the sort will want is known now: 8 bytes a key more, and 40 a column (part_build.cu)
  TRY(grid_cuda_room(16 * *n + 40 * rows + grid_cuda_sort_bytes(*n),
                     "generating and sorting an R-MAT graph"));
  *keys = (uint64_t *)grid_device_malloc(*n, sizeof **keys);
  if (!*keys) TRY(grid_device_fail_memory(NULL, "the tuples of an R-MAT graph", *n, sizeof **keys));
  TRY(run(job, *keys, count, n));
done:
  grid_device_free(count);
  if (info != GrB_SUCCESS) {
    grid_device_free(*keys);
    *keys = NULL;
  }
  return info;
}
