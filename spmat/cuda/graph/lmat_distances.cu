// Sums of distances from many vertices (Grid_Matrix_distances): one kernel for all levels of up to 512
// searches, of which a vertex has a bit each, in up to 8 words. Its blocks wait for each other twice a level.
//
// First each lane of a tile takes one word of ENTRIES entries, one row after another. A row gets what its
// neighbors have found in the last level and it has not, until it lacks nothing. So rows of any length are
// divided equally. Then a lane takes one word of a vertex, and adds to the sums.
//
// Source: Then et al., The more the merrier: efficient multi-source graph traversal (2014).
#include <cooperative_groups.h>

#include "spmat/cuda/device/cuda.cuh"
extern "C" {
#include "spmat/cuda/graph/cuda_graph.h"
}

namespace {

namespace cg = cooperative_groups;

enum {
  THREADS = 1024,
  WORDS_MAX = GRID_DISTANCE_WORDS,
  ENTRIES = 32,  // that a tile takes at a time
  BATCH = 4      // reads of a lane that are under way at a time
};

typedef unsigned long long word;

struct job {
  const uint32_t *ptr, *idx;  // rows of neighbors from which a search goes on to a vertex
  uint32_t n, nvals;
  const uint32_t *row;     // of entries 0, ENTRIES, 2 * ENTRIES, ...
  const uint32_t *source;  // of this pass
  unsigned count;          // of them
  word *visited;           // n * words, as the next three: found so far,
  word *frontier, *next;   // in the last level, and in this one
  double *word_nearness;   // of each word by itself; NULL: it is not wanted
  word *level;             // two times the words: what all vertices have found, in a level and in the next
  int64_t *reached, *sum;  // n, as the next two, or NULL
  double *nearness;
  int64_t *farthest;
  int64_t *eccentricity;  // of each source of this pass, or NULL
};

// ---- the neighbors of a level

// The row with entry e, among the rows from `low` to `high` - 1.
__device__ __forceinline__ uint32_t find_row(const uint32_t *ptr, uint32_t low, uint32_t high, uint32_t e) {
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if (ptr[middle] <= e)
      low = middle;
    else
      high = middle;
  }
  return low;
}

// The same of a row after `v`, which is often near.
__device__ __forceinline__ uint32_t next_row(const job &J, uint32_t v, uint32_t e) {
  uint32_t step = 1;
  for (; step < J.n - v && J.ptr[v + step] <= e; step *= 2) v += step;
  return find_row(J.ptr, v, step < J.n - v ? v + step : J.n, e);
}

__global__ void find_rows(const __grid_constant__ job J, uint32_t *row, uint32_t ranges) {
  GRID_FOR(k, ranges) row[k] = find_row(J.ptr, 0, J.n, (uint32_t)k * ENTRIES);
}

// The bits of the sources of word w.
__device__ __forceinline__ word bits_of_sources(const job &J, unsigned w) {
  return J.count >= 64 * (w + 1) ? ~0ull : J.count > 64 * w ? (1ull << (J.count - 64 * w)) - 1 : 0;
}

template <unsigned WORDS>
__device__ __forceinline__ void pull_range(const job &J, const cg::thread_block_tile<WORDS> &tile,
                                           uint32_t range, word wanted) {
  const unsigned w = tile.thread_rank();
  uint32_t e = range * ENTRIES, v = J.row[range];
  const uint32_t end = J.nvals - e < ENTRIES ? J.nvals : e + ENTRIES;
  for (;;) {
    const uint32_t row_end = J.ptr[v + 1] < end ? J.ptr[v + 1] : end;
    const size_t at = (size_t)v * WORDS + w;
    const word lacking = wanted & ~J.visited[at];
    word found = 0;
    for (; e < row_end && tile.any((lacking & ~found) != 0); e += BATCH) {
      uint32_t u[BATCH];
#pragma unroll
      for (unsigned b = 0; b < BATCH; b++) u[b] = J.idx[e + b < row_end ? e + b : row_end - 1];
#pragma unroll
      for (unsigned b = 0; b < BATCH; b++) found |= J.frontier[(size_t)u[b] * WORDS + w];
    }
    if (found & lacking) atomicOr(J.next + at, found & lacking);
    e = row_end;
    if (e == end) return;
    v = next_row(J, v, e);
  }
}

// ---- the vertices of a level

// Returns the sum over the lanes of a tile.
template <unsigned WORDS>
__device__ __forceinline__ unsigned sum_of_tile(const cg::thread_block_tile<WORDS> &tile, unsigned x) {
#pragma unroll
  for (unsigned d = WORDS / 2; d > 0; d /= 2) x += tile.shfl_xor(x, d);
  return x;
}

__device__ __forceinline__ void add_vertex(const job &J, uint64_t v, unsigned searches, int64_t distance) {
  if (J.reached) J.reached[v] += searches;
  if (J.sum) J.sum[v] += searches * distance;
  if (J.farthest && J.farthest[v] < distance) J.farthest[v] = distance;
}

// Returns what the vertices of this thread have found in its word.
template <unsigned WORDS>
__device__ __forceinline__ word advance(const job &J, const cg::thread_block_tile<WORDS> &tile,
                                        int64_t distance) {
  word all = 0;
  GRID_FOR(k, (uint64_t)J.n * WORDS) {
    const word found = J.next[k];
    if (found | J.frontier[k]) J.frontier[k] = found;
    const unsigned count = (unsigned)__popcll(found), searches = sum_of_tile<WORDS>(tile, count);
    if (found) {
      J.next[k] = 0, J.visited[k] |= found;
      if (J.word_nearness) J.word_nearness[k] += (double)count / (double)distance;
    }
    if (searches && tile.thread_rank() == 0) add_vertex(J, k / WORDS, searches, distance);
    all |= found;
  }
  return all;
}

// level[w] |= what the threads of a block have in their words. All of them call.
template <unsigned WORDS>
__device__ __forceinline__ void join_words(word *level, word found, word (*of_warp)[WORDS]) {
#pragma unroll
  for (unsigned d = WORDS; d < 32; d *= 2) found |= __shfl_xor_sync(~0u, found, d);
  if (threadIdx.x % 32 < WORDS) of_warp[threadIdx.x / 32][threadIdx.x % 32] = found;
  __syncthreads();
  if (threadIdx.x >= WORDS) return;
  for (unsigned k = 0; k < THREADS / 32; k++) found |= of_warp[k][threadIdx.x];
  if (found) atomicOr(level + threadIdx.x, found);
}

// ---- the kernel

template <unsigned WORDS>
__device__ void begin(const job &J) {
  GRID_FOR(k, (uint64_t)J.n * WORDS) {
    J.visited[k] = J.frontier[k] = J.next[k] = 0;
    if (J.word_nearness) J.word_nearness[k] = 0;
  }
  cg::this_grid().sync();
  GRID_FOR(k, J.count) {
    const size_t at = (size_t)J.source[k] * WORDS + k / 64;
    atomicOr(J.visited + at, 1ull << k % 64);
    atomicOr(J.frontier + at, 1ull << k % 64);
    if (J.eccentricity) J.eccentricity[k] = 0;
  }
  cg::this_grid().sync();
}

// false: no search has found a vertex at this distance.
template <unsigned WORDS>
__device__ __forceinline__ bool end_level(const job &J, const word *level, int64_t distance) {
  word any = 0;
#pragma unroll
  for (unsigned w = 0; w < WORDS; w++) any |= __ldcg(level + w);
  if (J.eccentricity) GRID_FOR(k, J.count)
  if (__ldcg(level + k / 64) >> k % 64 & 1) J.eccentricity[k] = distance;
  return any != 0;
}

template <unsigned WORDS>
__global__ void __launch_bounds__(THREADS) search_words(const __grid_constant__ job J) {
  __shared__ word of_warp[THREADS / 32][WORDS];
  const cg::grid_group grid = cg::this_grid();
  const auto tile = cg::tiled_partition<WORDS>(cg::this_thread_block());
  const word wanted = bits_of_sources(J, tile.thread_rank());
  const uint32_t ranges = (J.nvals - 1) / ENTRIES + 1, tiles = gridDim.x * (THREADS / WORDS);
  begin<WORDS>(J);
  for (int64_t distance = 1;; distance++) {
    word *level = J.level + distance % 2 * WORDS;
    // it was read two levels ago
    if (blockIdx.x == 0 && threadIdx.x < WORDS) level[threadIdx.x] = 0;
    for (uint32_t k = (blockIdx.x * THREADS + threadIdx.x) / WORDS; k < ranges; k += tiles)
      pull_range<WORDS>(J, tile, k, wanted);
    grid.sync();
    join_words<WORDS>(level, advance<WORDS>(J, tile, distance), of_warp);
    grid.sync();
    if (!end_level<WORDS>(J, level, distance)) break;
  }
  if (J.word_nearness) GRID_FOR(v, J.n)
  for (unsigned w = 0; w < WORDS; w++) J.nearness[v] += J.word_nearness[v * WORDS + w];
}

// ---- passes

// The kernel for so many words, which are a power of 2.
const void *kernel_for(unsigned words) {
  switch (words) {
    case 1:
      return (const void *)search_words<1>;
    case 2:
      return (const void *)search_words<2>;
    case 4:
      return (const void *)search_words<4>;
    default:
      return (const void *)search_words<WORDS_MAX>;
  }
}

// The memory of a call: freed by free_memory in any case.
struct memory {
  uint32_t *row, *source;
  int64_t *eccentricity;
};

GrB_Info allocate(job *J, memory *m, const grid_distance_operands *x, unsigned words) {
  const uint64_t size = (uint64_t)J->n * words;
  m->row = (uint32_t *)grid_device_malloc(J->nvals / ENTRIES + 1, sizeof *m->row);
  m->eccentricity = (int64_t *)grid_device_malloc(x->nsources, sizeof *m->eccentricity);
  J->visited = (word *)grid_device_malloc(size, sizeof *J->visited);
  J->frontier = (word *)grid_device_malloc(size, sizeof *J->frontier);
  J->next = (word *)grid_device_malloc(size, sizeof *J->next);
  J->level = (word *)grid_device_malloc(2 * words, sizeof *J->level);
  if (x->nearness) J->word_nearness = (double *)grid_device_malloc(size, sizeof *J->word_nearness);
  if (m->row && m->eccentricity && J->visited && J->frontier && J->next && J->level &&
      (J->word_nearness || !x->nearness))
    return GrB_SUCCESS;
  return grid_device_fail_memory(NULL, "searches from many vertices", size, 4 * sizeof *J->visited);
}

void free_memory(const job *J, const memory *m) {
  grid_device_free(m->row), grid_device_free(m->source), grid_device_free(m->eccentricity);
  grid_device_free(J->visited), grid_device_free(J->frontier), grid_device_free(J->next);
  grid_device_free(J->level), grid_device_free(J->word_nearness);
}

GrB_Info send_sources(memory *m, const grid_distance_operands *x) {
  uint32_t *source = (uint32_t *)grid_malloc(x->nsources, sizeof *source);
  if (!source) return grid_fail_memory(NULL, "sources", x->nsources, sizeof *source);
  for (uint64_t k = 0; k < x->nsources; k++) source[k] = (uint32_t)grid_distance_source(x, k);
  const GrB_Info info = grid_device_send(&m->source, source, x->nsources, sizeof *source, "sources");
  grid_free(source);
  return info;
}

// Small graphs have few blocks, which wait for each other in less time.
GrB_Info launch(job *J, unsigned words) {
  const uint64_t lanes = ((uint64_t)J->nvals / ENTRIES + 1 > J->n ? J->nvals / ENTRIES + 1 : J->n) * words;
  const unsigned blocks = grid_cuda_blocks(lanes, THREADS, (unsigned)grid_cuda_multiprocessors());
  void *args[] = {J};
  return grid_cuda_check(cudaLaunchCooperativeKernel(kernel_for(words), dim3(blocks), dim3(THREADS), args, 0,
                                                     grid_cuda_stream()),
                         "searching from many vertices");
}

}  // namespace

extern "C" GrB_Info grid_cuda_lmat_distances(const grid_distance_operands *x) {
  const grid_compressed *rows = x->symmetric ? &x->a->by_row : &x->a->by_col;
  const unsigned words = grid_distance_words(x->nsources), pass = words * GRID_SEARCHES_PER_WORD;
  job J = {};
  memory m = {};
  GrB_Info info;
  if (x->a->nvals >= UINT32_MAX - ENTRIES) return GRID_UNSUPPORTED;
  J.ptr = rows->ptr, J.idx = rows->idx, J.n = (uint32_t)x->n, J.nvals = (uint32_t)x->a->nvals;
  J.reached = x->reached, J.sum = x->sum, J.nearness = x->nearness, J.farthest = x->farthest;
  TRY(allocate(&J, &m, x, words));
  TRY(send_sources(&m, x));
  J.row = m.row;
  find_rows<<<grid_cuda_blocks(J.nvals / ENTRIES + 1, 256, 16u * (unsigned)grid_cuda_multiprocessors()), 256,
              0, grid_cuda_stream()>>>(J, m.row, (J.nvals - 1) / ENTRIES + 1);
  TRY(grid_cuda_check_launch("rows of entries"));
  for (uint64_t first = 0; first < x->nsources; first += pass) {
    J.source = m.source + first, J.eccentricity = x->eccentricity ? m.eccentricity + first : NULL;
    J.count = x->nsources - first < pass ? (unsigned)(x->nsources - first) : pass;
    TRY(launch(&J, words));
  }
  if (x->eccentricity)
    TRY(grid_device_get(x->eccentricity, m.eccentricity, x->nsources * sizeof *x->eccentricity));
done:
  free_memory(&J, &m);
  return info;
}
