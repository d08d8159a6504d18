// Colors of a graph's vertices (Grid_Matrix_color): one kernel, in which warps take the vertices in order. A
// warp reads the colors of all neighbors, and lists the earlier ones that have none yet, for which it then
// waits. None waits forever: warps that run have the first vertices, and the first without a color needs no
// other. A long row is several tasks, since all later neighbors wait for it; the last to end has the color.
//
// Sources: Jones, Plassmann, A parallel graph coloring heuristic (1993); that warps wait for each other's
// results in one kernel: Liu, Li, Hogg, Duff, Vinter, A synchronization-free algorithm for parallel sparse
// triangular solves (2016).
#include "spmat/cuda/build/keys.cuh"
extern "C" {
#include "spmat/color_order.h"
#include "spmat/cuda/graph/cuda_graph.h"
}

namespace {

enum {
  THREADS = 256,
  WARPS = THREADS / 32,
  BLOCKS = 5,        // of a multiprocessor: warps wait for memory, so more of them at the price of registers
  BATCH = 8,         // reads of a lane that are under way at a time
  SEGMENT = 512,     // entries of a row that are a task
  SHARE = 4,         // tasks
  WINDOW = 32 * 32,  // colors that a warp looks for at a time
  LIST = 256         // neighbors that a warp waits for at a time
};
constexpr uint32_t UNDECIDED = UINT32_MAX, NO_COLOR = UINT32_MAX - 1, NO_VERTEX = UINT32_MAX;

// Read by the host.
struct outcome {
  uint32_t entries, colors;
};

// A vertex, and its place among the hubs, those of several tasks, or NO_VERTEX.
struct task {
  uint32_t vertex, hub;
};
struct hub_state {
  uint32_t used[32];  // of the colors below WINDOW
  uint32_t first;     // task
  uint32_t done;      // tasks
};

struct job {
  const uint32_t *ptr, *idx;
  const task *tasks;  // in the order of vertices
  hub_state *hubs;
  uint32_t n;
  uint32_t most;  // colors
  uint64_t key;
  uint32_t *color;   // of each vertex, or UNDECIDED or NO_COLOR
  uint32_t *ntasks;  // one number
  uint32_t *taken;   // tasks
  outcome *out;
};

__host__ __device__ __forceinline__ uint32_t tasks_of(uint32_t entries) {
  return entries <= SEGMENT ? 1 : (entries - 1) / SEGMENT + 1;
}

// Entries of a vertex, and its place in the order.
struct row {
  uint32_t begin, end;
  uint64_t priority;
};

// Of a warp: the colors first .. first + WINDOW - 1 that neighbors have, and neighbors to wait for.
struct search {
  uint32_t used[32], list[LIST];
};

// ---- the neighbors of a vertex; all lanes of a warp call

// Other warps write it at any time.
__device__ __forceinline__ uint32_t read_color(const job &J, uint32_t u) {
  return *(const volatile uint32_t *)(J.color + u);
}

__device__ __forceinline__ void mark_color(search &s, uint32_t first, uint32_t c) {
  const uint32_t k = c - first, bit = 1u << (k & 31);
  if (k < WINDOW && !(*(volatile uint32_t *)&s.used[k >> 5] & bit)) atomicOr(s.used + (k >> 5), bit);
}

// A lane waits for elements of the list.
__device__ __forceinline__ void await_list(const job &J, search &s, uint32_t first, uint32_t listed) {
  __syncwarp();
  for (uint32_t k = threadIdx.x & 31; k < listed; k += 32) {
    uint32_t c;
    while ((c = read_color(J, s.list[k])) == UNDECIDED) __nanosleep(20);
    mark_color(s, first, c);
  }
  __syncwarp();
}

// The color c of the neighbor u, or of NO_VERTEX, is marked, or u is listed, of whose elements there are then
// as many as are returned.
__device__ __forceinline__ uint32_t take_neighbor(const job &J, search &s, uint32_t first, uint32_t listed,
                                                  uint64_t priority, uint32_t u, uint32_t c) {
  const bool wait = u != NO_VERTEX && c == UNDECIDED && grid_color_priority(u, J.key) > priority;
  const uint32_t waits = __ballot_sync(~0u, wait);
  mark_color(s, first, c);
  if (!waits) return listed;
  if (listed + __popc(waits) > LIST) await_list(J, s, first, listed), listed = 0;
  if (wait) s.list[listed + __popc(waits & ((1u << (threadIdx.x & 31)) - 1))] = u;
  return listed + __popc(waits);
}

// Is it known that a vertex, which has a neighbor of color c in a lane, gets no color?
__device__ __forceinline__ bool has_no_choice(const job &J, uint32_t c) {
  return J.most == 1 && __any_sync(~0u, c == 0);
}

// s.used = the colors from `first` on of earlier neighbors; false: no color is left.
__device__ __forceinline__ bool mark_neighbors(const job &J, search &s, uint32_t first, const row &r) {
  const unsigned lane = threadIdx.x & 31;
  uint32_t listed = 0, u[BATCH], c[BATCH];
  s.used[lane] = 0;
  __syncwarp();
  for (uint64_t at = r.begin; at < r.end; at += 32 * BATCH) {
    bool none = false;
#pragma unroll
    for (unsigned b = 0; b < BATCH; b++)
      u[b] = at + 32 * b + lane < r.end ? J.idx[at + 32 * b + lane] : NO_VERTEX;
#pragma unroll
    for (unsigned b = 0; b < BATCH; b++) c[b] = u[b] == NO_VERTEX ? NO_COLOR : read_color(J, u[b]);
#pragma unroll
    for (unsigned b = 0; b < BATCH; b++) {
      if (at + 32 * b >= r.end) continue;
      none |= has_no_choice(J, c[b]);
      listed = take_neighbor(J, s, first, listed, r.priority, u[b], c[b]);
    }
    if (none) return false;
  }
  await_list(J, s, first, listed);
  return true;
}

// ---- the kernel

// The first color from `first` on that is not used, of which a lane has 32, or NO_COLOR.
__device__ __forceinline__ uint32_t first_absent(uint32_t used, uint32_t first) {
  const uint32_t lanes = __ballot_sync(~0u, ~used != 0);
  if (!lanes) return NO_COLOR;
  const unsigned least = __ffs(lanes) - 1;
  return first + 32 * least + __ffs(~__shfl_sync(~0u, used, least)) - 1;
}

// The smallest color from `first` on that no earlier neighbor has, or NO_COLOR.
__device__ __forceinline__ uint32_t choose_color(const job &J, search &s, const row &r, uint32_t first) {
  for (; first < J.most; first += WINDOW) {
    if (!mark_neighbors(J, s, first, r)) return NO_COLOR;
    const uint32_t c = first_absent(s.used[threadIdx.x & 31], first);
    if (c != NO_COLOR) return c;
  }
  return NO_COLOR;
}

// A task of a hub with entries r; UNDECIDED: there are others.
__device__ __forceinline__ uint32_t take_segment(const job &J, search &s, const row &r, hub_state *h,
                                                 uint32_t segment) {
  const unsigned lane = threadIdx.x & 31;
  const uint32_t begin = r.begin + segment * SEGMENT;
  mark_neighbors(J, s, 0, {begin, r.end - begin < SEGMENT ? r.end : begin + SEGMENT, r.priority});
  __syncwarp();
  if (s.used[lane]) atomicOr(h->used + lane, s.used[lane]);
  __threadfence();
  __syncwarp();
  uint32_t done = 0;
  if (lane == 0) done = atomicAdd(&h->done, 1) + 1;
  if (__shfl_sync(~0u, done, 0) < tasks_of(r.end - r.begin)) return UNDECIDED;
  __threadfence();
  const uint32_t c = first_absent(__ldcg(h->used + lane), 0);
  return c != NO_COLOR ? c : choose_color(J, s, r, WINDOW);
}

// A warp takes SHARE tasks at a time, of which a lane has one each.
__global__ void __launch_bounds__(THREADS, BLOCKS) color_vertices(const __grid_constant__ job J) {
  __shared__ search searches[WARPS];
  search &s = searches[threadIdx.x / 32];
  const unsigned lane = threadIdx.x & 31;
  const uint32_t tasks = *J.ntasks;
  for (;;) {
    uint32_t k = 0;
    if (lane == 0) k = atomicAdd(J.taken, SHARE);
    k = __shfl_sync(~0u, k, 0);
    if (k >= tasks) return;
    const unsigned count = tasks - k < SHARE ? tasks - k : SHARE;
    const task of_lane = J.tasks[lane < count ? k + lane : k];
    const uint32_t begin = J.ptr[of_lane.vertex], end = J.ptr[of_lane.vertex + 1];
    for (unsigned j = 0; j < count; j++) {
      const uint32_t v = __shfl_sync(~0u, of_lane.vertex, j), hub = __shfl_sync(~0u, of_lane.hub, j);
      const row r = {__shfl_sync(~0u, begin, j), __shfl_sync(~0u, end, j), grid_color_priority(v, J.key)};
      const uint32_t c = hub == NO_VERTEX ? choose_color(J, s, r, 0)
                                          : take_segment(J, s, r, J.hubs + hub, k + j - J.hubs[hub].first);
      if (lane == 0 && c != UNDECIDED) *(volatile uint32_t *)(J.color + v) = c < J.most ? c : NO_COLOR;
      __syncwarp();
    }
  }
}

// ---- before and after

// Ascending keys are descending priorities.
__global__ void begin_colors(const __grid_constant__ job J, uint64_t *key, uint32_t *vertex) {
  GRID_FOR(v, J.n) {
    key[v] = ~grid_color_priority(v, J.key);
    vertex[v] = (uint32_t)v;
    J.color[v] = UNDECIDED;
  }
}

// number[k] = tasks of the k-th vertex.
__global__ void count_tasks(const __grid_constant__ job J, const uint32_t *order, uint64_t *number) {
  GRID_FOR(k, J.n) number[k] = tasks_of(J.ptr[order[k] + 1] - J.ptr[order[k]]);
}

// first: the first task of each vertex. Each hub before a vertex has one task or more beyond that of its own.
__global__ void list_tasks(const __grid_constant__ job J, const uint32_t *order, const uint64_t *first,
                           task *tasks) {
  GRID_FOR(k, J.n) {
    const uint32_t v = order[k], at = (uint32_t)first[k], count = tasks_of(J.ptr[v + 1] - J.ptr[v]);
    const uint32_t hub = count > 1 ? at - (uint32_t)k : NO_VERTEX;
    if (hub != NO_VERTEX) J.hubs[hub].first = at;
    for (uint32_t t = 0; t < count; t++) tasks[at + t] = {v, hub};
    if (k + 1 == J.n) *J.ntasks = at + count;
  }
}

// A warp writes half of a word of bits.
__global__ void store_colors(const __grid_constant__ job J, uint32_t *bits, int64_t *val) {
  const uint64_t padded = ((uint64_t)J.n + 63) / 64 * 64;
  GRID_FOR(v, padded) {
    const uint32_t c = v < J.n ? J.color[v] : NO_COLOR;
    const uint32_t colored = __ballot_sync(~0u, c != NO_COLOR);
    const uint32_t colors = __reduce_max_sync(~0u, c != NO_COLOR ? c + 1 : 0);
    if (v < J.n) val[v] = c;
    if ((threadIdx.x & 31) != 0) continue;
    bits[v >> 5] = colored;
    if (!colored) continue;
    atomicAdd(&J.out->entries, __popc(colored));
    atomicMax(&J.out->colors, colors);
  }
}

// Memory for sorting the vertices, which the tasks get afterwards, and J's other arrays.
GrB_Info allocate(job *J, uint64_t nvals, grid_keys *k, uint32_t **vertex, uint32_t **other) {
  const uint64_t segments = nvals / SEGMENT + 1, numbers = J->n + segments;
  static_assert(sizeof(task) == sizeof *k->at, "tasks are stored where keys were");
  k->n = J->n;
  k->at = (uint64_t *)grid_device_malloc(numbers, sizeof *k->at);
  k->other = (uint64_t *)grid_device_malloc(numbers, sizeof *k->other);
  *vertex = (uint32_t *)grid_device_malloc(k->n, sizeof **vertex);
  *other = (uint32_t *)grid_device_malloc(k->n, sizeof **other);
  J->color = (uint32_t *)grid_device_malloc(k->n, sizeof *J->color);
  J->hubs = (hub_state *)grid_device_malloc(segments, sizeof *J->hubs);
  J->out = (outcome *)grid_device_malloc(1, sizeof *J->out + 2 * sizeof *J->taken);
  if (!k->at || !k->other || !*vertex || !*other || !J->color || !J->hubs || !J->out)
    return grid_device_fail_memory(NULL, "colors of vertices", 4 * numbers + 3 * k->n, sizeof *J->color);
  J->taken = (uint32_t *)(J->out + 1), J->ntasks = J->taken + 1;
  const GrB_Info info = grid_device_zero(J->hubs, segments * sizeof *J->hubs);
  return info == GrB_SUCCESS ? grid_device_zero(J->out, sizeof *J->out + 2 * sizeof *J->taken) : info;
}

// J.tasks, in the memory of keys.
GrB_Info make_tasks(job *J, grid_keys *k, const uint32_t *order) {
  GrB_Info info;
  task *tasks = (task *)k->other;
  count_tasks<<<grid_cuda_blocks_for(J->n), 256, 0, grid_cuda_stream()>>>(*J, order, k->at);
  TRY(grid_cuda_exclusive_sums(k->at, J->n));
  list_tasks<<<grid_cuda_blocks_for(J->n), 256, 0, grid_cuda_stream()>>>(*J, order, k->at, tasks);
  info = grid_cuda_check_launch("an order of vertices");
  J->tasks = tasks;
done:
  return info;
}

// As many blocks as run at a time.
GrB_Info launch(const job *J) {
  int blocks = 1;  // of a multiprocessor
  GrB_Info info =
      grid_cuda_check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, color_vertices, THREADS, 0),
                      "colors of vertices");
  if (info != GrB_SUCCESS) return info;
  const unsigned most = (unsigned)(blocks * grid_cuda_multiprocessors());
  color_vertices<<<grid_cuda_blocks(J->n, WARPS, most), THREADS, 0, grid_cuda_stream()>>>(*J);
  return grid_cuda_check_launch("colors of vertices");
}

}  // namespace

extern "C" GrB_Info grid_cuda_lmat_color(grid_chunk *t, uint64_t *colors, const grid_color_operands *x) {
  outcome out;
  job J = {};
  grid_keys k = {};
  uint32_t *vertex = NULL, *other = NULL;
  GrB_Info info;
  if (t->n > INT32_MAX) return GRID_UNSUPPORTED;
  J.ptr = x->a->by_row.ptr, J.idx = x->a->by_row.idx, J.n = (uint32_t)t->n;
  J.most = x->most < NO_COLOR ? (uint32_t)x->most : NO_COLOR, J.key = x->key;
  TRY(allocate(&J, x->a->nvals, &k, &vertex, &other));
  begin_colors<<<grid_cuda_blocks_for(J.n), 256, 0, grid_cuda_stream()>>>(J, k.at, vertex);
  TRY(grid_cuda_sort_pairs(&k, 0, 64, &vertex, &other));
  TRY(make_tasks(&J, &k, vertex));
  TRY(launch(&J));
  TRY(grid_chunk_reserve_device(t, true, false));
  store_colors<<<grid_cuda_blocks_for(J.n), 256, 0, grid_cuda_stream()>>>(J, (uint32_t *)t->bits,
                                                                          (int64_t *)t->val);
  TRY(grid_cuda_check_launch("colors of vertices"));
  TRY(grid_device_get(&out, J.out, sizeof out));
  *colors = out.colors;
  t->nvals = out.entries, t->format = out.entries == t->n ? GRID_FULL : GRID_BITMAP;
done:
  grid_cuda_keys_free(&k);
  grid_device_free(vertex);
  grid_device_free(other);
  grid_device_free(J.color);
  grid_device_free(J.hubs);
  grid_device_free(J.out);
  return info;
}
