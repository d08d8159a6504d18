// For searches whose program uses the least of a vertex' possible parents (dist/lookahead/loop_patterns.h),
// while the engine finds any. Also a test whether a vector holds its own indices, as such programs' vectors
// do.
#include "spmat/cuda/device/device_barrier.cuh"
#include "spmat/cuda/search/least_parent.cuh"
#include "spmat/cuda/search/search.cuh"

namespace {

enum { MIN_PARENT_THREADS = 256 };

// The vertices of the previous level: for the first level the bits of the frontier, or the short list; else
// by level bytes. Of the block's columns; and the levels of its rows.
struct previous_level {
  const uint8_t *level, *row_level;
  const uint64_t *frontier;
  uint32_t short_list[GRID_SEARCH_SHORT_LIST], nshort_list;
};

__device__ bool is_before(const previous_level &b, uint32_t u, uint32_t level) {
  if (level > 1) return b.level[u] == level - 1;
  if (b.frontier) return b.frontier[u / 64] >> u % 64 & 1;
  for (uint32_t k = 0; k < b.nshort_list; k++)
    if (b.short_list[k] == u) return true;
  return false;
}

// A lane's row during the search: entries from `at` to `end`, ascending, of which the first below `best` in
// the previous level is wanted. With 64-bit offsets they count from `before`.
template <class offset>
struct open_row {
  uint32_t at, end, level, best;
  offset before;
};

template <class offset>
__device__ open_row<offset> row_of(const offset *ptr, uint32_t v, uint32_t level, uint32_t best) {
  const offset start = ptr[v], end = ptr[v + 1];
  if (HAS_OFFSETS64<offset>) return {0, (uint32_t)(end - start), level, best, start};
  return {(uint32_t)start, (uint32_t)end, level, best, 0};
}

// Entries that a lane inspects alone; that it loads at a time.
enum { SINGLE_THREAD_ROWS = 16, ENTRIES_PER_LANE = 4 };

// The first entries of the lane's own row. True: the row is resolved.
template <class offset>
__device__ bool scan_single_thread(const previous_level &b, const uint32_t *idx, open_row<offset> &r) {
  if (HAS_OFFSETS64<offset>) idx += r.before;
  const uint32_t stop = r.end - r.at < SINGLE_THREAD_ROWS ? r.end : r.at + SINGLE_THREAD_ROWS;
  while (r.at < stop) {
    uint32_t u[ENTRIES_PER_LANE], hit = 0, past = 0;
#pragma unroll
    for (uint32_t k = 0; k < ENTRIES_PER_LANE; k++) u[k] = r.at + k < stop ? idx[r.at + k] : ~0u;
#pragma unroll
    for (uint32_t k = 0; k < ENTRIES_PER_LANE; k++) {
      const bool below = u[k] < r.best;
      past |= (uint32_t)!below << k;
      hit |= (uint32_t)(below && is_before(b, u[k], r.level)) << k;
    }
    if (hit) {
      const int k = __ffs(hit) - 1;
      r.best = k == 0 ? u[0] : k == 1 ? u[1] : k == 2 ? u[2] : u[3];
    }
    r.at += ENTRIES_PER_LANE;
    if (hit || (past && r.at - ENTRIES_PER_LANE + __ffs(past) - 1 < stop)) return true;
  }
  return r.at >= r.end;
}

// The rest of one row by the whole warp.
template <class offset>
__device__ uint32_t scan_rest_by_warp(const previous_level &b, const uint32_t *idx,
                                      const open_row<offset> &r) {
  if (HAS_OFFSETS64<offset>) idx += r.before;
  for (uint32_t at = r.at; at < r.end; at += 32 * ENTRIES_PER_LANE) {
    uint32_t u[ENTRIES_PER_LANE], hits[ENTRIES_PER_LANE], past = 0;
#pragma unroll
    for (uint32_t k = 0; k < ENTRIES_PER_LANE; k++) {
      const uint32_t e = at + 32 * k + lane();
      u[k] = e < r.end ? idx[e] : ~0u;
    }
#pragma unroll
    for (uint32_t k = 0; k < ENTRIES_PER_LANE; k++) {
      const bool below = u[k] < r.best;
      hits[k] = __ballot_sync(ALL, below && is_before(b, u[k], r.level));
      past |= __ballot_sync(ALL, !below);
    }
#pragma unroll
    for (uint32_t k = 0; k < ENTRIES_PER_LANE; k++)
      if (hits[k]) return __shfl_sync(ALL, u[k], __ffs(hits[k]) - 1);
    if (past) break;
  }
  return r.best;
}

// Levels whose parents are pushed by the previous level, since that has few edges.
struct level_set {
  uint32_t bits[8];
  __host__ __device__ bool has(uint32_t level) const { return bits[level / 32] >> level % 32 & 1; }
};

__device__ void store_min(int32_t *to, uint32_t v) {
  atomicMin(to, (int32_t)v);
}
__device__ void store_min(int64_t *to, uint32_t v) {
  atomicMin((long long *)to, (long long)v);
}

// A block takes 256 vertices, and processes the edges of each pushing one with all its threads.
template <typename T, class offset>
__global__ void __launch_bounds__(MIN_PARENT_THREADS)
    push_parents_kernel(const uint8_t *level, const uint8_t *column_level,
                        const __grid_constant__ level_set pushed_levels, const offset *ptr,
                        const uint32_t *idx, T *parent, uint32_t n) {
  __shared__ uint32_t source[MIN_PARENT_THREADS], sources;
  for (uint64_t from = blockIdx.x * (uint64_t)MIN_PARENT_THREADS; from < n;
       from += gridDim.x * (uint64_t)MIN_PARENT_THREADS) {
    const uint32_t v = (uint32_t)from + threadIdx.x, level_v = v < n ? level[v] : 0;
    __syncthreads();
    if (threadIdx.x == 0) sources = 0;
    __syncthreads();
    if (level_v && level_v < 255 && pushed_levels.has(level_v + 1)) source[atomicAdd(&sources, 1u)] = v;
    __syncthreads();
    for (uint32_t k = 0; k < sources; k++) {
      const uint32_t u = source[k], next = level[u] + 1u;
      const offset end = ptr[u + 1];
      for (offset e = ptr[u] + threadIdx.x; e < end; e += MIN_PARENT_THREADS)
        if (column_level[idx[e]] == next) store_min(parent + idx[e], u);
    }
  }
}

template <typename T, class offset>
__global__ void __launch_bounds__(MIN_PARENT_THREADS)
    least_kernel(const __grid_constant__ previous_level b, const __grid_constant__ level_set pushed_levels,
                 const offset *ptr, const uint32_t *idx, T *parent, uint32_t n, uint32_t first,
                 uint32_t last) {
  const uint32_t warps = gridDim.x * (MIN_PARENT_THREADS / 32), rows = (n + 31) / 32;
  for (uint32_t w = blockIdx.x * (MIN_PARENT_THREADS / 32) + threadIdx.x / 32; w < rows; w += warps) {
    const uint32_t v = 32 * w + lane(), level = v < n ? b.row_level[v] : 0;
    const bool wanted = level >= first && level <= last && !pushed_levels.has(level);
    open_row<offset> r = {0, 0, level, 0, 0};
    if (wanted) r = row_of(ptr, v, level, (uint32_t)parent[v]);
    const uint32_t was = r.best;
    uint32_t open = __ballot_sync(ALL, wanted && !scan_single_thread(b, idx, r));
    for (; open; open &= open - 1) {
      const uint32_t from = __ffs(open) - 1;
      const open_row<offset> row = {__shfl_sync(ALL, r.at, from), __shfl_sync(ALL, r.end, from),
                                    __shfl_sync(ALL, r.level, from), __shfl_sync(ALL, r.best, from),
                                    HAS_OFFSETS64<offset> ? __shfl_sync(ALL, r.before, from) : 0};
      const uint32_t best = scan_rest_by_warp(b, idx, row);
      if (lane() == from) r.best = best;
    }
    if (wanted && r.best != was) parent[v] = (T)r.best;
  }
}

// A thread that finds a different value stops: most vectors differ nearly everywhere, and stores of all
// threads to one address would take longer than reading x.
template <typename T>
__global__ void check_identity_kernel(const T *x, const uint64_t *bits, uint64_t n, uint64_t first,
                                      uint32_t *other) {
  GRID_FOR(i, n) {
    if (bits && !(bits[i / 64] >> i % 64 & 1)) continue;
    if (x[i] == (T)(first + i)) continue;
    if (*(volatile uint32_t *)other == 0) *other = 1;
    return;
  }
}

// A push of less work is surely cheaper than searching long rows.
const uint64_t SHORT_ROW = 1 << 16;

template <typename T, class offset>
void find_min_parents(const grid_search_graph *g, const offset *out_ptr, const offset *in_ptr,
                      const previous_level &b, const level_set &pushed_levels, T *parent, uint32_t first,
                      uint32_t last) {
  const cudaStream_t stream = grid_cuda_stream();
  const uint32_t n = (uint32_t)g->columns, rows = (uint32_t)g->rows;
  const unsigned blocks = grid_cuda_blocks(n, MIN_PARENT_THREADS, 16 * grid_cuda_multiprocessors());
  uint32_t any = 0;
  for (uint32_t w : pushed_levels.bits) any |= w;
  if (any)
    push_parents_kernel<<<blocks, MIN_PARENT_THREADS, 0, stream>>>(b.level, b.row_level, pushed_levels,
                                                                   out_ptr, g->out_idx, parent, n);
  least_kernel<<<blocks, MIN_PARENT_THREADS, 0, stream>>>(b, pushed_levels, in_ptr, g->in_idx, parent, rows,
                                                          first, last);
}

template <typename T>
void find_min_parents_in_form(const grid_search_graph *g, const previous_level &b,
                              const level_set &pushed_levels, T *parent, uint32_t first, uint32_t last) {
  if (g->in_offsets64)
    find_min_parents(g, g->out_offsets64, g->in_offsets64, b, pushed_levels, parent, first, last);
  else
    find_min_parents(g, g->out_ptr, g->in_ptr, b, pushed_levels, parent, first, last);
}

// ---- several GPUs ---------------------------------------------------------------------------------------

// Each GPU sends its levels to all that have its vertices as columns or rows, and to the former the bits of
// its frontier. One pass does it; 32 vertices a thread.
enum { SHARE_BLOCKS = 64 };

struct shared_levels {
  search_window *window[GRID_WINDOWS];
  uint64_t levels_at, bits_at, row_levels_at;  // in each window, from its beginning
  grid_search_members expand, fold;
  const uint8_t *level;
  const uint32_t *frontier;  // NULL: short list
  uint32_t short_list[GRID_SEARCH_SHORT_LIST], nshort_list;
  uint32_t processes, process, n, q;
  uint64_t first_column;  // local vertices among the columns of the others
};

__device__ uint32_t frontier_word(const shared_levels &s, uint32_t w) {
  uint32_t word = s.frontier ? s.frontier[w] : 0;
  for (uint32_t k = 0; k < s.nshort_list; k++)
    if (s.short_list[k] / 32 == w) word |= 1u << s.short_list[k] % 32;
  return word;
}

// Tells the others that this block of threads has sent its share.
__device__ void report_shared(const shared_levels &s) {
  __threadfence_system();
  __syncthreads();
  if (threadIdx.x < s.processes && threadIdx.x != s.process)
    atomicAdd_system(&s.window[threadIdx.x]->shared[s.process], 1u);
}

__global__ void __launch_bounds__(MIN_PARENT_THREADS) share_kernel(const __grid_constant__ shared_levels s) {
  GRID_FOR(w, (s.n + 31) / 32) {
    const uint32_t bits = frontier_word(s, (uint32_t)w);
    const uint4 *from = (const uint4 *)(s.level + 32 * w);  // memory extends to a whole word of bits
    const uint4 low = from[0], high = from[1];
    for (uint32_t m = 0; m < s.expand.n; m++) {
      char *window = (char *)s.window[s.expand.first + m * s.expand.stride];
      uint4 *to = (uint4 *)(window + s.levels_at + s.first_column + 32 * w);
      to[0] = low, to[1] = high;
      ((uint32_t *)(window + s.bits_at + s.first_column / 8))[w] = bits;
    }
    for (uint32_t m = 0; s.fold.n > 1 && m < s.fold.n; m++) {
      char *window = (char *)s.window[s.fold.first + m * s.fold.stride];
      uint4 *to = (uint4 *)(window + s.row_levels_at + (uint64_t)s.fold.at * s.q + 32 * w);
      to[0] = low, to[1] = high;
    }
  }
  report_shared(s);
}

__global__ void report_shared_kernel(const __grid_constant__ shared_levels s) {
  report_shared(s);
}

// A block's least parents are columns, or NONE; the owner takes the least vertex of all blocks.
constexpr uint32_t NONE = 0x7f7f7f7f;
struct block_parents {
  grid_search_members expand, fold;
  const uint32_t
      *parent[GRID_WINDOWS];  // of member m of `fold`, by row, from the first one of local vertices on
  const uint8_t *level;
  uint32_t n, q, first, last;
};

template <typename T>
__global__ void __launch_bounds__(MIN_PARENT_THREADS)
    least_of_blocks_kernel(const __grid_constant__ block_parents b, T *parent) {
  GRID_FOR(v, b.n) {
    const uint32_t level = b.level[v];
    if (level < b.first || level > b.last) continue;
    uint32_t best = NONE;
    for (uint32_t m = 0; m < b.fold.n; m++) {
      const uint32_t column = __ldcv(b.parent[m] + v);
      if (column == NONE) continue;
      const uint32_t u = (m * b.fold.stride + column / b.q * b.expand.stride) * b.q + column % b.q;
      if (u < best) best = u;
    }
    parent[v] = (T)best;
  }
}

// Waits until all others have sent theirs. `stop`: another process has failed; `gone`: it is lost. A host
// that waits for work after this kernel, not for the search, sets only the latter.
__global__ void wait_shared_kernel(search_window *local, uint32_t processes, uint32_t process,
                                   const volatile uint32_t *stop, const volatile uint32_t *peer_lost) {
  const uint32_t p = threadIdx.x, all = (local->shares + 1) * SHARE_BLOCKS;
  if (p < processes && p != process) {
    cuda::atomic_ref<uint32_t, cuda::thread_scope_system> peer(local->shared[p]);
    // more than `all`: it goes on to its next share once it has this process's
    for (uint32_t spins = 1; (int32_t)(peer.load(cuda::std::memory_order_acquire) - all) < 0; spins++)
      if (spins % 4096 == 0 && (*stop || *peer_lost)) break;
  }
  __syncthreads();
  if (p == 0) local->shares++;
}

}  // namespace

// What the window has from `at` on: levels of the columns, levels of the rows, unless those are local
// vertices, and the frontier's bits among the columns. The block's least parents follow, if other blocks have
// rows in common.
static uint64_t row_levels_at(const grid_search_graph *g) {
  return g->expand.n * g->q;
}
static uint64_t frontier_bits_at(const grid_search_graph *g) {
  return row_levels_at(g) + (g->fold.n > 1 ? g->fold.n * g->q : 0);
}
static uint64_t block_parents_at(const grid_search_graph *g) {
  return frontier_bits_at(g) + g->expand.n * g->q / 8;
}

extern "C" uint64_t grid_cuda_share_bytes(const grid_search_graph *g) {
  return block_parents_at(g) + (g->fold.n > 1 ? g->fold.n * g->q * sizeof(int32_t) : 0);
}

// The levels that the window has; without windows those of local vertices.
static previous_level levels_of(const grid_search_graph *g, const grid_search_job *job, uint64_t at,
                                const uint8_t *local) {
  previous_level b = {local, local, job->frontier, {}, job->nshort_list};
  for (uint32_t k = 0; k < job->nshort_list; k++) b.short_list[k] = job->short_list[k];
  if (g->P == 1) return b;
  b.level = (const uint8_t *)job->windows[g->k] + at;
  b.frontier = (const uint64_t *)(b.level + frontier_bits_at(g));
  if (g->fold.n > 1) b.row_level = b.level + row_levels_at(g);
  return b;
}

// Waits until all others have sent theirs.
static GrB_Info wait_shared(const shared_levels &s, const uint32_t *stop) {
  wait_shared_kernel<<<1, 32, 0, grid_cuda_stream()>>>(s.window[s.process], s.processes, s.process, stop,
                                                       grid_cuda_window_stop());
  return grid_cuda_check_launch("telling other GPUs the levels of a search");
}

// Every block finds the least parents of its rows, of all levels and at once: later the processes may ask for
// theirs at different times.
static GrB_Info share_block_parents(const grid_search_graph *g, const shared_levels &s, const uint8_t *level,
                                    const grid_search_job *job, uint64_t at, const uint32_t *stop) {
  int32_t *parent = (int32_t *)((char *)job->windows[g->k] + at + block_parents_at(g));
  GrB_Info info = grid_cuda_check(
      cudaMemsetAsync(parent, NONE & 255, g->fold.n * g->q * sizeof *parent, grid_cuda_stream()),
      "clearing the parents of a block");
  if (info != GrB_SUCCESS) return info;
  find_min_parents_in_form(g, levels_of(g, job, at, level), level_set{}, parent, 1, job->max_levels);
  report_shared_kernel<<<SHARE_BLOCKS, 32, 0, grid_cuda_stream()>>>(s);
  return wait_shared(s, stop);
}

extern "C" GrB_Info grid_cuda_share_levels(const grid_search_graph *g, const uint8_t *level,
                                           const grid_search_job *job, uint64_t at, const uint32_t *stop) {
  shared_levels s = {};
  for (int p = 0; p < g->P; p++) s.window[p] = (search_window *)job->windows[p];
  s.expand = g->expand, s.fold = g->fold;
  s.levels_at = at, s.row_levels_at = at + row_levels_at(g), s.bits_at = at + frontier_bits_at(g);
  s.level = level, s.frontier = (const uint32_t *)job->frontier;
  memcpy(s.short_list, job->short_list, sizeof s.short_list);
  s.nshort_list = job->frontier ? 0 : job->nshort_list;
  s.processes = (uint32_t)g->P, s.process = (uint32_t)g->k, s.n = (uint32_t)g->n_local, s.q = (uint32_t)g->q;
  s.first_column = g->first ? g->first[g->k] : g->expand.at * g->q;
  share_kernel<<<SHARE_BLOCKS, MIN_PARENT_THREADS, 0, grid_cuda_stream()>>>(s);
  GrB_Info info = wait_shared(s, stop);
  return info == GrB_SUCCESS && g->fold.n > 1 ? share_block_parents(g, s, level, job, at, stop) : info;
}

// The owners take the least parents of all blocks that have their rows.
static GrB_Info combine_blocks(const grid_search_graph *g, const uint8_t *level, const grid_search_job *job,
                               uint64_t at, uint32_t first, uint32_t last) {
  block_parents b = {};
  const uint64_t from = at + block_parents_at(g) + g->fold.at * g->q * sizeof(uint32_t);
  for (uint32_t m = 0; m < g->fold.n; m++)
    b.parent[m] = (const uint32_t *)((char *)job->windows[g->fold.first + m * g->fold.stride] + from);
  b.expand = g->expand, b.fold = g->fold, b.level = level;
  b.n = (uint32_t)g->n_local, b.q = (uint32_t)g->q, b.first = first, b.last = last;
  const unsigned blocks = grid_cuda_blocks(g->n_local, MIN_PARENT_THREADS, 16 * grid_cuda_multiprocessors());
  if (job->parent_bytes == 4)
    least_of_blocks_kernel<<<blocks, MIN_PARENT_THREADS, 0, grid_cuda_stream()>>>(b, (int32_t *)job->parent);
  else
    least_of_blocks_kernel<<<blocks, MIN_PARENT_THREADS, 0, grid_cuda_stream()>>>(b, (int64_t *)job->parent);
  return grid_cuda_check_launch("finding least parents");
}

extern "C" GrB_Info grid_cuda_min_parents(const grid_search_graph *g, const uint8_t *level,
                                          const grid_search_job *job, uint64_t at, uint32_t last,
                                          const uint64_t *pushed) {
  // with a single vertex in the frontier there is no choice; with several GPUs none knows the size of the
  // others' frontiers
  const uint32_t first = g->P == 1 && job->size <= 1 ? 2 : 1;
  if (last < first) return GrB_SUCCESS;
  if (g->fold.n > 1) return combine_blocks(g, level, job, at, first, last);
  const previous_level b = levels_of(g, job, at, level);
  level_set pushed_levels = {};
  for (uint32_t k = 2; k <= last; k++)
    if (pushed[k] && pushed[k] <= SHORT_ROW) pushed_levels.bits[k / 32] |= 1u << k % 32;
  if (job->parent_bytes == 4)
    find_min_parents_in_form(g, b, pushed_levels, (int32_t *)job->parent, first, last);
  else
    find_min_parents_in_form(g, b, pushed_levels, (int64_t *)job->parent, first, last);
  return grid_cuda_check_launch("finding least parents");
}

extern "C" GrB_Info grid_cuda_check_identity(const void *x, const uint64_t *bits, size_t size, uint64_t n,
                                             uint64_t first, bool *identity) {
  uint32_t *other = (uint32_t *)grid_device_malloc(1, sizeof *other), is_other = 1;
  GrB_Info info = GrB_SUCCESS;
  if (!other) return grid_device_fail_memory(NULL, "a flag", 1, sizeof *other);
  TRY(grid_device_zero(other, sizeof *other));
  {
    const unsigned blocks = grid_cuda_blocks(n, MIN_PARENT_THREADS, 16 * grid_cuda_multiprocessors());
    if (size == 4)
      check_identity_kernel<<<blocks, MIN_PARENT_THREADS, 0, grid_cuda_stream()>>>((const uint32_t *)x, bits,
                                                                                   n, first, other);
    else
      check_identity_kernel<<<blocks, MIN_PARENT_THREADS, 0, grid_cuda_stream()>>>((const uint64_t *)x, bits,
                                                                                   n, first, other);
  }
  TRY(grid_cuda_check_launch("looking for local indices"));
  TRY(grid_device_get(&is_other, other, sizeof is_other));
  *identity = !is_other;
done:
  grid_device_free(other);
  return info;
}
