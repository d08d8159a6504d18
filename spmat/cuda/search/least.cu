// What a search needs that a program wrote with the least of a vertex' possible parents (dist/ahead/forms.h):
// the engine found any; and whether a vector holds its own indices, which such programs carry along.
#include "spmat/cuda/device/cuda.cuh"
#include "spmat/cuda/search/warp.cuh"

namespace {

enum { THREADS = 256 };

// Who is in the level before: the bits of the frontier, or the few, for the first one; else by level bytes.
struct before {
  const uint8_t *level;
  const uint64_t *frontier;
  uint32_t few[GRID_SEARCH_FEW], nfew;
};

__device__ bool is_before(const before &b, uint32_t u, uint32_t level) {
  if (level > 1) return b.level[u] == level - 1;
  if (b.frontier) return b.frontier[u / 64] >> u % 64 & 1;
  for (uint32_t k = 0; k < b.nfew; k++)
    if (b.few[k] == u) return true;
  return false;
}

// A lane's row, as far as it has been looked through: entries from `at` to `end`, ascending, of which the
// first below `best` in the level before is wanted.
struct open_row {
  uint32_t at, end, level, best;
};

enum { ALONE = 8, EACH = 4 };  // entries that a lane looks at by itself; that it loads at once for another

// The first entries of the lane's own row. True: that settles it.
__device__ bool look_alone(const before &b, const uint32_t *idx, open_row &r) {
  const uint32_t stop = r.end - r.at < ALONE ? r.end : r.at + ALONE;
  for (; r.at < stop; r.at++) {
    const uint32_t u = idx[r.at];
    if (u >= r.best) return true;
    if (!is_before(b, u, r.level)) continue;
    r.best = u;
    return true;
  }
  return r.at == r.end;
}

// The rest of one row by the whole warp.
__device__ uint32_t look_together(const before &b, const uint32_t *idx, const open_row &r) {
  for (uint32_t at = r.at; at < r.end; at += 32 * EACH) {
    uint32_t u[EACH], hits[EACH], past = 0;
#pragma unroll
    for (uint32_t k = 0; k < EACH; k++) {
      const uint32_t e = at + 32 * k + lane();
      u[k] = e < r.end ? idx[e] : ~0u;
    }
#pragma unroll
    for (uint32_t k = 0; k < EACH; k++) {
      const bool below = u[k] < r.best;
      hits[k] = __ballot_sync(ALL, below && is_before(b, u[k], r.level));
      past |= __ballot_sync(ALL, !below);
    }
#pragma unroll
    for (uint32_t k = 0; k < EACH; k++)
      if (hits[k]) return __shfl_sync(ALL, u[k], __ffs(hits[k]) - 1);
    if (past) break;
  }
  return r.best;
}

template <typename T>
__global__ void __launch_bounds__(THREADS)
    least_kernel(const __grid_constant__ before b, const uint32_t *ptr, const uint32_t *idx, T *parent,
                 uint32_t n, uint32_t first, uint32_t last) {
  const uint32_t warps = gridDim.x * (THREADS / 32), rows = (n + 31) / 32;
  for (uint32_t w = blockIdx.x * (THREADS / 32) + threadIdx.x / 32; w < rows; w += warps) {
    const uint32_t v = 32 * w + lane(), level = v < n ? b.level[v] : 0;
    const bool wanted = level >= first && level <= last;
    open_row r = {0, 0, level, 0};
    if (wanted) r = {ptr[v], ptr[v + 1], level, (uint32_t)parent[v]};
    const uint32_t was = r.best;
    uint32_t open = __ballot_sync(ALL, wanted && !look_alone(b, idx, r));
    for (; open; open &= open - 1) {
      const uint32_t from = __ffs(open) - 1;
      const open_row theirs = {__shfl_sync(ALL, r.at, from), __shfl_sync(ALL, r.end, from),
                               __shfl_sync(ALL, r.level, from), __shfl_sync(ALL, r.best, from)};
      const uint32_t best = look_together(b, idx, theirs);
      if (lane() == from) r.best = best;
    }
    if (wanted && r.best != was) parent[v] = (T)r.best;
  }
}

template <typename T>
__global__ void own_indices_kernel(const T *x, const uint64_t *bits, uint64_t n, uint32_t *other) {
  GRID_FOR(i, n) {
    if (bits && !(bits[i / 64] >> i % 64 & 1)) continue;
    if (x[i] != (T)i) *other = 1;
  }
}

}  // namespace

extern "C" GrB_Info grid_cuda_least_parents(const grid_search_graph *g, const uint8_t *level,
                                            const grid_search_job *job, uint32_t last) {
  // of a single vertex in the frontier there is nothing to choose
  const uint32_t first = job->size <= 1 ? 2 : 1, n = (uint32_t)g->n;
  if (last < first) return GrB_SUCCESS;
  const unsigned blocks = grid_cuda_blocks(g->n, THREADS, 16 * grid_cuda_multiprocessors());
  before b = {level, job->frontier, {}, job->nfew};
  for (uint32_t k = 0; k < job->nfew; k++) b.few[k] = job->few[k];
  if (job->parent_bytes == 4)
    least_kernel<<<blocks, THREADS, 0, grid_cuda_stream()>>>(b, g->in_ptr, g->in_idx, (int32_t *)job->parent,
                                                             n, first, last);
  else
    least_kernel<<<blocks, THREADS, 0, grid_cuda_stream()>>>(b, g->in_ptr, g->in_idx, (int64_t *)job->parent,
                                                             n, first, last);
  return grid_cuda_launched("finding least parents");
}

extern "C" GrB_Info grid_cuda_own_indices(const void *x, const uint64_t *bits, size_t size, uint64_t n,
                                          bool *own) {
  uint32_t *other = (uint32_t *)grid_device_malloc(1, sizeof *other), seen = 1;
  GrB_Info info = GrB_SUCCESS;
  if (!other) return grid_device_fail_memory(NULL, "a flag", 1, sizeof *other);
  TRY(grid_device_zero(other, sizeof *other));
  {
    const unsigned blocks = grid_cuda_blocks(n, THREADS, 16 * grid_cuda_multiprocessors());
    if (size == 4)
      own_indices_kernel<<<blocks, THREADS, 0, grid_cuda_stream()>>>((const uint32_t *)x, bits, n, other);
    else
      own_indices_kernel<<<blocks, THREADS, 0, grid_cuda_stream()>>>((const uint64_t *)x, bits, n, other);
  }
  TRY(grid_cuda_launched("looking for own indices"));
  TRY(grid_device_get(&seen, other, sizeof seen));
  *own = !seen;
done:
  grid_device_free(other);
  return info;
}
