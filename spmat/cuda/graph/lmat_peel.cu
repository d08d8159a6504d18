// Removal of vertices by their degrees (Grid_Matrix_peel): one kernel for all levels, whose blocks wait for
// each other between its phases. A phase is a scan or a round. A scan finds the vertices of a level among
// those that are left. A round removes the vertices that the phase before has found: a warp takes up to
// SEGMENT entries of a row.
//
// Sources: Dasari, Ranjan, Zubair, ParK (2014), for the scans, the rounds and the atomic decrements.
#include <cooperative_groups.h>

#include "spmat/cuda/gather/index_values.cuh"
#include "spmat/cuda/matrix/selected_entries.cuh"
extern "C" {
#include "spmat/cuda/graph/cuda_graph.h"
}

namespace {

enum {
  THREADS = 1024,
  BATCH = 8,             // reads of a lane that are under way at a time
  SEGMENT = 32 * BATCH,  // entries
  SETS = 3               // of counters: of this phase, of the one before, and of the next
};
constexpr uint32_t NONE = UINT32_MAX;

// Entries of a row that is to be removed.
struct segment {
  uint32_t begin, end;
};

// What a phase finds. The next phase reads it; one more phase later it is cleared.
struct counters {
  uint32_t segments;       // of rows to be removed
  uint32_t found;          // by a scan: vertices of the level,
  uint32_t above;          // vertices above it,
  uint32_t nearest;        // INT32_MAX less the least degree of these,
  unsigned long long sum;  // of their degrees
};

// Read by the host.
struct outcome {
  uint32_t wrong;  // not 0: a degree is 2^31 or more
  uint32_t levels;
};

struct job {
  const uint32_t *ptr, *idx;
  uint32_t n;
  int32_t *degree;    // below the level: the vertex has left
  uint32_t *rest[2];  // vertices that are left, of one scan and of the next
  segment *queue;
  counters *count;  // SETS; 0 before
  outcome *out;     // 0 before
  Grid_Peel_Level *levels;
  uint64_t capacity;  // of levels
  int32_t first, last;
};

// All threads of the grid have the same.
struct peel_state {
  uint32_t phase;
  uint32_t head, segments;  // of the queue: those to be removed next
  const uint32_t *rest;     // NULL: all vertices are left
  uint32_t left;            // places of the rest
  int32_t level;
  uint32_t levels;  // that had vertices
};

// ---- the queue

// Appends the rows of the lanes that have one (NONE: none) behind `tail`. All lanes of a warp call.
__device__ void push_rows(const job &J, uint32_t tail, uint32_t *segments, uint32_t v) {
  if (!__any_sync(~0u, v != NONE)) return;
  const unsigned lane = threadIdx.x & 31;
  uint32_t begin = v == NONE ? 0 : J.ptr[v];
  const uint32_t end = v == NONE ? 0 : J.ptr[v + 1], lane_segments = (end - begin + SEGMENT - 1) / SEGMENT;
  uint32_t sum = lane_segments, at = 0;  // of the lanes up to this one
  for (unsigned d = 1; d < 32; d *= 2) {
    const uint32_t x = __shfl_up_sync(~0u, sum, d);
    if (lane >= d) sum += x;
  }
  if (lane == 31 && sum) at = atomicAdd(segments, sum);
  at = tail + __shfl_sync(~0u, at, 31) + sum - lane_segments;
  for (; begin < end; begin += SEGMENT)
    J.queue[at++] = {begin, end - begin < SEGMENT ? end : begin + SEGMENT};
}

// ---- phases

// One edge less to u, which is left: does that bring it to the level? Another thread may have done so in the
// meantime; then nothing changes.
__device__ __forceinline__ bool drop_edge(const job &J, uint32_t u, int32_t level) {
  const int32_t before = atomicSub(J.degree + u, 1);
  if (before <= level) atomicAdd(J.degree + u, 1);
  return before - 1 == level;
}

// A warp; the reads of a batch wait for memory together.
__device__ __forceinline__ void remove_segment(const job &J, const segment &s, const peel_state &state,
                                               uint32_t tail, counters *c) {
  uint32_t u[BATCH];
  int32_t degree[BATCH];
#pragma unroll
  for (unsigned b = 0; b < BATCH; b++) {
    const uint32_t e = s.begin + 32 * b + (threadIdx.x & 31);
    u[b] = e < s.end ? J.idx[e] : NONE;
  }
#pragma unroll
  for (unsigned b = 0; b < BATCH; b++) degree[b] = u[b] == NONE ? -1 : __ldcg(J.degree + u[b]);
#pragma unroll
  for (unsigned b = 0; b < BATCH; b++)
    if (degree[b] <= state.level || !drop_edge(J, u[b], state.level)) u[b] = NONE;
#pragma unroll
  for (unsigned b = 0; b < BATCH; b++) push_rows(J, tail, &c->segments, u[b]);
}

__device__ void remove_round(const job &J, const peel_state &state, counters *c) {
  const uint32_t warps = gridDim.x * (THREADS / 32);
  for (uint32_t k = (blockIdx.x * THREADS + threadIdx.x) / 32; k < state.segments; k += warps)
    remove_segment(J, J.queue[state.head + k], state, state.head + state.segments, c);
}

// The vertices of SEGMENT places of the rest from `first` on: those of the level are queued, those above it
// go to the next rest. A warp.
__device__ __forceinline__ void scan_vertices(const job &J, uint64_t first, const peel_state &state,
                                              counters *c) {
  const unsigned lane = threadIdx.x & 31;
  uint32_t v[BATCH], at = 0, above = 0, found = 0;
  uint64_t sum = 0;
  int32_t degree[BATCH], least = INT32_MAX;
#pragma unroll
  for (unsigned b = 0; b < BATCH; b++) {
    const uint64_t k = first + 32 * b + lane;
    v[b] = k >= state.left ? NONE : state.rest ? state.rest[k] : (uint32_t)k;
  }
#pragma unroll
  for (unsigned b = 0; b < BATCH; b++) {
    degree[b] = v[b] == NONE ? -1 : __ldcg(J.degree + v[b]);
    above += __popc(__ballot_sync(~0u, degree[b] > state.level));
    found += __popc(__ballot_sync(~0u, degree[b] == state.level));
    if (degree[b] <= state.level) continue;
    least = degree[b] < least ? degree[b] : least;
    sum += degree[b];
  }
  least = __reduce_min_sync(~0u, least);
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
  if (lane == 0 && found) atomicAdd(&c->found, found);
  if (lane == 0 && above) {
    at = atomicAdd(&c->above, above);
    atomicMax(&c->nearest, (uint32_t)(INT32_MAX - least));
    atomicAdd(&c->sum, (unsigned long long)sum);
  }
  at = __shfl_sync(~0u, at, 0);
  uint32_t *next = state.rest == J.rest[0] ? J.rest[1] : J.rest[0];
#pragma unroll
  for (unsigned b = 0; b < BATCH; b++) {
    const uint32_t above_level = __ballot_sync(~0u, degree[b] > state.level);
    if (degree[b] > state.level) next[at + __popc(above_level & ((1u << lane) - 1))] = v[b];
    at += __popc(above_level);
    push_rows(J, state.head, &c->segments, degree[b] == state.level ? v[b] : NONE);
  }
}

__device__ void scan_level(const job &J, const peel_state &state, counters *c) {
  const uint64_t step = gridDim.x * (uint64_t)THREADS * BATCH;
  for (uint64_t k = (blockIdx.x * THREADS + threadIdx.x) / 32 * (uint64_t)SEGMENT; k < state.left; k += step)
    scan_vertices(J, k, state, c);
}

// ---- the kernel

// One thread, after a scan that has found the next of the levels.
__device__ void record_level(const job &J, const peel_state &state, const counters &c) {
  if (state.levels < J.capacity)
    J.levels[state.levels] = {state.level, (uint64_t)c.found + c.above,
                              (int64_t)c.sum + state.level * (int64_t)c.found};
  J.out->levels = state.levels + 1;
}

// After a scan, or a round, which has found `c`; false: it is over.
__device__ bool advance(const job &J, peel_state &state, bool scanned, const counters &c) {
  if (scanned) {
    if (c.found && blockIdx.x == 0 && threadIdx.x == 0) record_level(J, state, c);
    state.levels += c.found > 0;
    state.rest = state.rest == J.rest[0] ? J.rest[1] : J.rest[0];
    state.left = c.above;
  } else {
    state.head += state.segments;
  }
  state.segments = c.segments;
  if (state.segments) return true;
  if (state.level == J.last || state.left == 0) return false;
  // where no edge has left the degrees are what they were
  state.level = scanned ? INT32_MAX - (int32_t)c.nearest : state.level + 1;
  return state.level <= J.last;
}

__global__ void __launch_bounds__(THREADS) remove_levels(const __grid_constant__ job J) {
  peel_state state = {0, 0, 0, NULL, J.n, J.first, 0};
  for (bool more = true; more; state.phase++) {
    counters *c = J.count + state.phase % SETS;
    const bool scan = state.segments == 0;
    if (blockIdx.x == 0 && threadIdx.x == 0) J.count[(state.phase + 1) % SETS] = {};
    if (scan)
      scan_level(J, state, c);
    else
      remove_round(J, state, c);
    cooperative_groups::this_grid().sync();
    more = advance(
        J, state, scan,
        {__ldcg(&c->segments), __ldcg(&c->found), __ldcg(&c->above), __ldcg(&c->nearest), __ldcg(&c->sum)});
  }
}

// ---- degrees in 64 bits, and in 32

__device__ __forceinline__ int64_t degree_at(const position_list &p, uint64_t v) {
  return has(p.bits, v) ? (int64_t)position_at(p, v) : -1;
}

__global__ void load_degrees(const __grid_constant__ job J, position_list from) {
  GRID_FOR(v, J.n) {
    const int64_t x = degree_at(from, v);
    if (x >= INT32_MAX) J.out->wrong = 1;
    J.degree[v] = x < 0 ? -1 : x < INT32_MAX ? (int32_t)x : INT32_MAX;
  }
}

__global__ void store_degrees(const __grid_constant__ job J, position_list from, int64_t least, int64_t *to) {
  GRID_FOR(v, J.n) {
    const int64_t x = degree_at(from, v);
    to[v] = x < least ? x : J.degree[v];
  }
}

int32_t level_number(int64_t k) {
  return k < INT32_MAX ? (int32_t)k : INT32_MAX;
}

GrB_Info allocate(job *J, uint64_t nvals) {
  const uint64_t n = J->n, segments = nvals / SEGMENT + (n < nvals ? n : nvals);
  J->degree = (int32_t *)grid_device_malloc(n, sizeof *J->degree);
  for (uint32_t *&rest : J->rest) rest = (uint32_t *)grid_device_malloc(n, sizeof *rest);
  J->queue = (segment *)grid_device_malloc(segments, sizeof *J->queue);
  J->levels = (Grid_Peel_Level *)grid_device_malloc(J->capacity, sizeof *J->levels);
  J->count = (counters *)grid_device_malloc(1, SETS * sizeof *J->count + sizeof *J->out);
  if (!J->degree || !J->rest[0] || !J->rest[1] || !J->queue || !J->levels || !J->count)
    return grid_device_fail_memory(NULL, "degrees of vertices", 3 * n + 2 * segments, sizeof *J->degree);
  J->out = (outcome *)(J->count + SETS);
  return grid_device_zero(J->count, SETS * sizeof *J->count + sizeof *J->out);
}

void free_job(const job *J) {
  grid_device_free(J->degree);
  grid_device_free(J->rest[0]);
  grid_device_free(J->rest[1]);
  grid_device_free(J->queue);
  grid_device_free(J->levels);
  grid_device_free(J->count);
}

// Small graphs have few blocks, which wait for each other in less time.
GrB_Info launch(const job *J, uint64_t nvals) {
  const unsigned blocks =
      grid_cuda_blocks(nvals > J->n ? nvals : J->n, THREADS, (unsigned)grid_cuda_multiprocessors());
  void *args[] = {(void *)J};
  return grid_cuda_check(cudaLaunchCooperativeKernel((const void *)remove_levels, dim3(blocks), dim3(THREADS),
                                                     args, 0, grid_cuda_stream()),
                         "removing vertices by degrees");
}

}  // namespace

extern "C" GrB_Info grid_cuda_lmat_peel(grid_chunk *t, uint64_t *levels, const grid_peel_operands *x) {
  const position_list from = position_list_of(x->degree, 0);
  const unsigned blocks = grid_cuda_blocks(from.n, 256, 16u * (unsigned)grid_cuda_multiprocessors());
  outcome out;
  job J = {};
  GrB_Info info;
  if (from.n >= NONE) return GRID_UNSUPPORTED;
  J.ptr = x->a->by_row.ptr, J.idx = x->a->by_row.idx, J.n = (uint32_t)from.n;
  J.first = level_number(x->first), J.last = level_number(x->last);
  J.capacity = x->capacity;
  TRY(allocate(&J, x->a->nvals));
  load_degrees<<<blocks, 256, 0, grid_cuda_stream()>>>(J, from);
  TRY(launch(&J, x->a->nvals));
  TRY(grid_chunk_reserve_device(t, from.bits != NULL, false));
  store_degrees<<<blocks, 256, 0, grid_cuda_stream()>>>(J, from, x->first, (int64_t *)t->val);
  TRY(grid_cuda_check_launch("degrees of vertices"));
  if (from.bits) TRY(grid_device_copy(t->bits, from.bits, grid_words(from.n) * sizeof *t->bits));
  TRY(grid_device_get(&out, J.out, sizeof out));
  if (out.wrong) TRY(GRID_UNSUPPORTED);
  *levels = out.levels;
  if (*levels && *levels <= J.capacity)
    TRY(grid_device_get(x->levels, J.levels, *levels * sizeof *x->levels));
  t->nvals = x->degree->nvals, t->format = from.bits ? GRID_BITMAP : GRID_FULL;
done:
  free_job(&J);
  return info;
}
