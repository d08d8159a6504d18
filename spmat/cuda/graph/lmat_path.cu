// A path of fewest edges in a symmetric matrix (Grid_Matrix_path). One kernel makes the levels of both
// searches, with a barrier of the whole grid after each, and follows the path back.
//
// A level's vertices are divided equally among the blocks. A block lists the entries of up to THREADS rows
// one after another, and its threads take them in turn, however long the rows are.
#include <cooperative_groups.h>

#include "spmat/cuda/build/keys.cuh"
extern "C" {
#include "spmat/cuda/graph/cuda_graph.h"
}

#define CCCL_DISABLE_NVTX
#include <cub/block/block_scan.cuh>

namespace {

namespace cg = cooperative_groups;

constexpr unsigned THREADS = 1024;
constexpr uint32_t NO_VERTEX = ~0u;

enum { FROM_SOURCE, FROM_TARGET };

// What a level finds: the number of new vertices, and the smallest that the other search has.
struct level_result {
  uint32_t found, middle;
};

struct job {
  const uint32_t *ptr, *idx;
  uint32_t n, source, target;
  uint32_t *mark;         // of each vertex; 0: not found
  uint32_t *list;         // n: the vertices found from the source; from the end on, those from the target
  level_result *results;  // three, which the levels use in turn
  int64_t *length;
};

// A search, as all threads know it: the vertices begin .. end - 1 in its list are its last level.
struct search {
  int side;
  uint32_t begin, end, depth;
};

struct level_rows {
  cub::BlockScan<uint32_t, THREADS>::TempStorage scan;
  uint32_t first[THREADS], before[THREADS];  // entry of each row; entries of the rows before it
};

__device__ __forceinline__ uint32_t mark_of(int side, uint32_t depth) {
  return 2 * depth + (uint32_t)side + 1;
}
__device__ __forceinline__ bool is_of_side(uint32_t mark, int side) {
  return ((mark - 1) & 1) == (uint32_t)side;
}
__device__ __forceinline__ uint32_t *list_element(const job &J, int side, uint32_t k) {
  return J.list + (side == FROM_SOURCE ? k : J.n - 1 - k);
}

// The search s reaches v, in the level after its last one.
__device__ __forceinline__ void reach(const job &J, const search &s, uint32_t v, level_result *result) {
  uint32_t mark = J.mark[v];
  if (mark == 0) mark = atomicCAS(J.mark + v, 0, mark_of(s.side, s.depth + 1));
  if (mark == 0) {
    const cg::coalesced_group group = cg::coalesced_threads();
    uint32_t at = 0;
    if (group.thread_rank() == 0) at = atomicAdd(&result->found, group.size());
    *list_element(J, s.side, s.end + group.shfl(at, 0) + group.thread_rank()) = v;
  } else if (!is_of_side(mark, s.side)) {
    atomicMin(&result->middle, v);
  }
}

// The row, of THREADS, with entry e of all: the last one with at most e entries before it.
__device__ __forceinline__ unsigned row_of_entry(const level_rows &rows, uint32_t e) {
  unsigned row = 0;
  for (unsigned step = THREADS / 2; step > 0; step /= 2)
    if (rows.before[row + step] <= e) row += step;
  return row;
}

// Vertices k .. k + count - 1 of the list, at most THREADS. All threads of a block call.
__device__ void expand_rows(const job &J, const search &s, uint32_t k, uint32_t count, level_result *result,
                            level_rows &rows) {
  uint32_t first = 0, degree = 0, before, entries;
  if (threadIdx.x < count) {
    const uint32_t v = *list_element(J, s.side, k + threadIdx.x);
    first = J.ptr[v], degree = J.ptr[v + 1] - first;
  }
  cub::BlockScan<uint32_t, THREADS>(rows.scan).ExclusiveSum(degree, before, entries);
  rows.first[threadIdx.x] = first, rows.before[threadIdx.x] = before;
  __syncthreads();
  for (uint64_t e = threadIdx.x; e < entries; e += THREADS) {
    const unsigned row = row_of_entry(rows, (uint32_t)e);
    reach(J, s, J.idx[rows.first[row] + ((uint32_t)e - rows.before[row])], result);
  }
  __syncthreads();
}

__device__ void expand_level(const job &J, const search &s, level_result *result, level_rows &rows) {
  const uint64_t width = s.end - s.begin;
  const uint32_t begin = s.begin + (uint32_t)(width * blockIdx.x / gridDim.x),
                 end = s.begin + (uint32_t)(width * (blockIdx.x + 1) / gridDim.x);
  for (uint32_t k = begin; k < end; k += THREADS)
    expand_rows(J, s, k, end - k < THREADS ? end - k : THREADS, result, rows);
}

// list[at], list[at + step], ...: the vertices from v, of the last level of s, to its root. Each is followed
// by the smallest neighbor in the level before. All threads of a block call.
__device__ void follow(const job &J, const search &s, uint32_t v, uint32_t at, uint32_t step,
                       uint32_t *smallest) {
  for (uint32_t depth = s.depth;; depth--, at += step) {
    if (threadIdx.x == 0) J.list[at] = v, *smallest = NO_VERTEX;
    if (depth == 0) return;
    __syncthreads();
    for (uint64_t e = J.ptr[v] + threadIdx.x; e < J.ptr[v + 1]; e += THREADS)
      if (J.mark[J.idx[e]] == mark_of(s.side, depth - 1)) {
        atomicMin(smallest, J.idx[e]);
        break;  // columns ascend
      }
    __syncthreads();
    v = *smallest;
    __syncthreads();
  }
}

__global__ void __launch_bounds__(THREADS) find_path(const __grid_constant__ job J) {
  __shared__ level_rows rows;
  __shared__ uint32_t smallest;
  const cg::grid_group grid = cg::this_grid();
  const bool is_first = blockIdx.x == 0 && threadIdx.x == 0;
  search from = {FROM_SOURCE, 0, 1, 0}, to = {FROM_TARGET, 0, 1, 0};
  uint32_t middle = NO_VERTEX;
  if (is_first) {
    *list_element(J, FROM_SOURCE, 0) = J.source, J.mark[J.source] = mark_of(FROM_SOURCE, 0);
    *list_element(J, FROM_TARGET, 0) = J.target, J.mark[J.target] = mark_of(FROM_TARGET, 0);
    J.results[0] = {0, NO_VERTEX};
  }
  grid.sync();
  for (uint32_t level = 0; middle == NO_VERTEX && from.begin < from.end && to.begin < to.end; level++) {
    search &s = from.end - from.begin <= to.end - to.begin ? from : to;
    level_result *result = J.results + level % 3;
    // that of the level after this one was read before the last barrier
    if (is_first) J.results[(level + 1) % 3] = {0, NO_VERTEX};
    expand_level(J, s, result, rows);
    grid.sync();
    middle = result->middle;
    s.begin = s.end, s.end += result->found, s.depth++;
  }
  if (blockIdx.x > 0) return;
  if (threadIdx.x == 0) *J.length = middle == NO_VERTEX ? -1 : (int64_t)from.depth + to.depth;
  if (middle == NO_VERTEX) return;
  follow(J, from, middle, from.depth, ~0u, &smallest);
  __syncthreads();
  follow(J, to, middle, from.depth, 1, &smallest);
}

}  // namespace

extern "C" GrB_Info grid_cuda_lmat_path(uint32_t **path, int64_t *length, const grid_local_matrix *a,
                                        uint32_t source, uint32_t target) {
  const uint32_t n = (uint32_t)a->row.n;
  job J = {a->by_row.ptr, a->by_row.idx, n, source, target};
  void *args[] = {&J};
  GrB_Info info;
  J.mark = (uint32_t *)grid_device_malloc(n, sizeof *J.mark);
  J.list = *path = (uint32_t *)grid_device_malloc(n, sizeof *J.list);
  J.results = (level_result *)grid_device_malloc(3, sizeof *J.results);
  J.length = (int64_t *)grid_device_malloc(1, sizeof *J.length);
  if (!J.mark || !J.list || !J.results || !J.length)
    TRY(grid_device_fail_memory(NULL, "a path", n, 2 * sizeof *J.list));
  TRY(grid_device_zero(J.mark, n * sizeof *J.mark));
  TRY(grid_cuda_check(
      cudaLaunchCooperativeKernel((const void *)find_path, dim3((unsigned)grid_cuda_multiprocessors()),
                                  dim3(THREADS), args, 0, grid_cuda_stream()),
      "searching for a path"));
  info = grid_cuda_fetch(length, J.length);
done:
  grid_device_free(J.mark);
  grid_device_free(J.results);
  grid_device_free(J.length);
  return info;
}
