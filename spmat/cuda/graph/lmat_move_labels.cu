// Vertices move to better labels, class after class (Grid_Matrix_move_labels). The vertices are sorted by
// class, and in it by their numbers of entries, so that each kernel has rows of one kind, whose number the
// host knows: it waits once for a sweep. A long row is several tasks, each a segment of its entries, and then
// of the row's table in device memory.
#include "spmat/cuda/build/keys.cuh"
#include "spmat/cuda/graph/label_search.cuh"
extern "C" {
#include "spmat/label_class.h"
}

namespace {

enum {
  THREADS = 256,
  TASK_THREADS = 512,
  SEGMENT = MEDIUM_PLACES / 2,  // entries of a row that are a task
  KINDS = 6                     // of rows
};
// Without entries; of a warp's lanes; of a warp's table; of a block's; of a block's largest; of several
// tasks.
enum { KIND_EMPTY, KIND_LANES, KIND_WARP, KIND_BLOCK, KIND_LARGE, KIND_LONG };
enum { BLOCK_PLACES = 2048 };

struct counters {
  unsigned long long wrong;  // labels that are no row's number
  unsigned long long moves;
};

struct job {
  label_search s;
  numbers weight;
  double *sum;       // of the weights with each label
  uint32_t *target;  // of the vertices of a class, or NONE; of a vertex without entries NONE
  uint64_t key;      // of the classes, of which there are 2^bits
  int bits;
  bool alone;
  const uint64_t *vertex;  // in the low half; by groups: of the long rows, by classes, after all others
  counters *count;
  // of the long rows, in that order, and one more: the numbers of tasks, and of places of tables, before each
  uint64_t nlong, *first_task, *first_place;
  const uint64_t *long_vertex;
  uint32_t *row_of;     // of each task
  scored *task_best;    // of each task of a class
  double *current_sum;  // of each long row: for its own label; 0 between searches
  uint32_t *key_table;  // of the long rows of a class; empty between searches
  double *sum_table;
};

// Rows from .. to - 1 of an order.
struct range {
  uint64_t from, to;
};

__device__ __forceinline__ uint32_t vertex_at(const job &J, uint64_t k) {
  return (uint32_t)J.vertex[k];
}

// Vertex v of the present class may move.
__device__ __forceinline__ bool is_movable(const job &J, uint32_t v) {
  return !J.alone || (J.s.label[v] == v && J.sum[v] == number_at(J.weight, v));
}

// ---- the order of the vertices

__device__ __forceinline__ uint32_t kind_of(uint32_t entries) {
  if (entries <= 32) return entries ? KIND_LANES : KIND_EMPTY;
  if (entries <= SHORT_PLACES / 2) return KIND_WARP;
  if (entries <= BLOCK_PLACES / 2) return KIND_BLOCK;
  return entries <= SEGMENT ? KIND_LARGE : KIND_LONG;
}

__host__ __device__ __forceinline__ uint64_t group_of(uint64_t label_class, uint64_t kind, int bits) {
  return kind == KIND_LONG ? ((uint64_t)KIND_LONG << bits) + label_class : label_class * KIND_LONG + kind;
}

__global__ void make_groups(const __grid_constant__ job J, uint64_t *group) {
  GRID_FOR(v, J.s.n) {
    const uint32_t entries = J.s.ptr[v + 1] - J.s.ptr[v];
    group[v] = group_of(grid_label_class(v, J.key, J.bits), kind_of(entries), J.bits) << 32 | v;
  }
}

// start[g] = the number of vertices in groups before g.
__global__ void find_starts(const uint64_t *group, uint64_t n, uint32_t *start, uint64_t groups) {
  GRID_FOR(k, n + 1) {
    const uint64_t first = k ? (group[k - 1] >> 32) + 1 : 0, last = k < n ? group[k] >> 32 : groups;
    for (uint64_t g = first; g <= last; g++) start[g] = (uint32_t)k;
  }
}

// ---- sums of weights

// A warp adds a weight a lane, or none (NONE).
__device__ __forceinline__ void add_weights(double *sum, uint32_t label, double x) {
  combine_lanes(&label, &x);
  if (label != NONE) atomicAdd(sum + label, x);
}

__global__ void sum_weights(const __grid_constant__ job J) {
  const unsigned lane = threadIdx.x & 31;
  GRID_FOR(v, J.s.n + lane) {  // whole warps
    const bool in = v < J.s.n;
    add_weights(J.sum, in ? J.s.label[v] : NONE, in ? number_at(J.weight, v) : 0);
  }
}

// ---- best labels

__global__ void __launch_bounds__(THREADS) search_lane_rows(const __grid_constant__ job J, range rows) {
  const uint64_t warps = (uint64_t)gridDim.x * (THREADS / 32);
  for (uint64_t k = rows.from + blockIdx.x * (uint64_t)(THREADS / 32) + threadIdx.x / 32; k < rows.to;
       k += warps) {
    const uint32_t v = vertex_at(J, k), from = J.s.ptr[v], to = J.s.ptr[v + 1];
    const uint32_t label = is_movable(J, v) ? search_lanes(J.s, v, from, to - from) : NONE;
    if ((threadIdx.x & 31) == 0) J.target[v] = label;
  }
}

__global__ void __launch_bounds__(32 * WARPS) search_warp_rows(const __grid_constant__ job J, range rows) {
  __shared__ double sum[WARPS][SHORT_PLACES], current_sum[WARPS];
  __shared__ uint32_t key[WARPS][SHORT_PLACES];
  const unsigned warp = threadIdx.x / 32;
  for (uint64_t k = rows.from + blockIdx.x * (uint64_t)WARPS + warp; k < rows.to;
       k += gridDim.x * (uint64_t)WARPS) {
    const uint32_t v = vertex_at(J, k);
    const uint32_t label =
        is_movable(J, v) ? search_warp_table(J.s, v, key[warp], sum[warp], &current_sum[warp]) : NONE;
    if ((threadIdx.x & 31) == 0) J.target[v] = label;
  }
}

// A block's table has up to `places` places.
__global__ void __launch_bounds__(TASK_THREADS)
    search_block_rows(const __grid_constant__ job J, range rows, uint32_t places) {
  extern __shared__ double table[];
  for (uint64_t k = rows.from + blockIdx.x; k < rows.to; k += gridDim.x) {
    const uint32_t v = vertex_at(J, k);
    const uint32_t label =
        is_movable(J, v) ? search_block_table(J.s, v, (uint32_t *)(table + places), table) : NONE;
    if (threadIdx.x == 0) J.target[v] = label;
  }
}

// ---- best labels of long rows

__host__ __device__ __forceinline__ uint64_t tasks_of(uint64_t entries) {
  return (entries + SEGMENT - 1) / SEGMENT;
}

// The numbers of each long row, before they are summed.
__global__ void measure_long_rows(const __grid_constant__ job J) {
  GRID_FOR(k, J.nlong + 1) {
    const uint32_t v = k < J.nlong ? (uint32_t)J.long_vertex[k] : 0;
    const uint32_t entries = k < J.nlong ? J.s.ptr[v + 1] - J.s.ptr[v] : 0;
    J.first_task[k] = tasks_of(entries);
    J.first_place[k] = entries && entries <= LONGEST ? places_for(entries) : 0;
  }
}

__global__ void list_tasks(const __grid_constant__ job J) {
  GRID_FOR(k, J.nlong) {
    for (uint64_t t = J.first_task[k]; t < J.first_task[k + 1]; t++) J.row_of[t] = (uint32_t)k;
    J.current_sum[k] = 0;
  }
}

__global__ void clear_tables(uint32_t *key, double *sum, uint64_t places) {
  GRID_FOR(p, places) key[p] = NONE, sum[p] = 0;
}

// Adds a segment of a row to the row's table, by way of a table in shared memory: many entries may have one
// label.
__global__ void __launch_bounds__(TASK_THREADS)
    add_segments(const __grid_constant__ job J, range tasks, uint64_t class_place) {
  extern __shared__ double sum[];
  uint32_t *key = (uint32_t *)(sum + MEDIUM_PLACES);
  for (uint64_t t = tasks.from + blockIdx.x; t < tasks.to; t += gridDim.x) {
    const uint32_t k = J.row_of[t], v = (uint32_t)J.long_vertex[k];
    const uint64_t to_table = J.first_place[k] - class_place;
    const uint32_t places = (uint32_t)(J.first_place[k + 1] - J.first_place[k]);
    const uint64_t from = J.s.ptr[v] + (t - J.first_task[k]) * SEGMENT;
    const uint64_t end = J.s.ptr[v + 1], to = from + SEGMENT < end ? from + SEGMENT : end;
    if (!is_movable(J, v)) continue;
    for (unsigned p = threadIdx.x; p < MEDIUM_PLACES; p += TASK_THREADS) key[p] = NONE, sum[p] = 0;
    __syncthreads();
    add_entries(J.s, from, to, key, sum, MEDIUM_PLACES, threadIdx.x, TASK_THREADS);
    __syncthreads();
    for (unsigned p = threadIdx.x; p < MEDIUM_PLACES; p += TASK_THREADS)
      if (key[p] != NONE)
        add_to_table(J.key_table + to_table, J.sum_table + to_table, places, key[p], sum[p]);
    __syncthreads();
  }
}

// The best label of a segment of a table, which becomes empty.
__global__ void __launch_bounds__(THREADS)
    search_segments(const __grid_constant__ job J, range tasks, uint64_t class_place) {
  __shared__ scored best[32];
  for (uint64_t t = tasks.from + blockIdx.x; t < tasks.to; t += gridDim.x) {
    const uint32_t k = J.row_of[t], v = (uint32_t)J.long_vertex[k];
    const uint64_t first = J.first_task[k], parts = J.first_task[k + 1] - first;
    const uint64_t places = J.first_place[k + 1] - J.first_place[k];
    const uint64_t from = places * (t - first) / parts, to = places * (t - first + 1) / parts;
    uint32_t *const key = J.key_table + (J.first_place[k] - class_place);
    double *const sum = J.sum_table + (J.first_place[k] - class_place);
    if (!is_movable(J, v)) continue;
    const scored all = best_of_block(
        best_of_table(J.s, v, key, sum, from + threadIdx.x, to, THREADS, J.current_sum + k), best);
    if (threadIdx.x == 0) J.task_best[t - tasks.from] = all;
    for (uint64_t p = from + threadIdx.x; p < to; p += THREADS)
      if (key[p] != NONE) key[p] = NONE, sum[p] = 0;
    __syncthreads();
  }
}

__global__ void __launch_bounds__(THREADS)
    choose_long_rows(const __grid_constant__ job J, range rows, uint64_t class_task) {
  const unsigned lane = threadIdx.x & 31;
  const uint64_t warps = (uint64_t)gridDim.x * (THREADS / 32);
  for (uint64_t k = rows.from + blockIdx.x * (uint64_t)(THREADS / 32) + threadIdx.x / 32; k < rows.to;
       k += warps) {
    const uint32_t v = (uint32_t)J.long_vertex[k];
    const bool movable = is_movable(J, v);
    scored best = {0, NONE};
    for (uint64_t t = J.first_task[k] + lane; movable && t < J.first_task[k + 1]; t += 32)
      best = better_of(best, J.task_best[t - class_task]);
    best = best_of_warp(best);
    if (lane > 0) continue;
    J.target[v] = movable ? choose_label(J.s, v, scale_at(J.s, v), best, J.current_sum[k]) : NONE;
    J.current_sum[k] = 0;
  }
}

// ---- moves

// Does vertex v move, which may be of another class?
__device__ __forceinline__ bool is_moving(const job &J, uint32_t v, uint32_t label_class) {
  return grid_label_class(v, J.key, J.bits) == label_class && J.target[v] != NONE;
}

// The vertices of a class move, those of long rows last.
__global__ void __launch_bounds__(THREADS)
    move_vertices(const __grid_constant__ job J, range rows, range long_rows, uint32_t label_class) {
  const uint64_t others = rows.to - rows.from, n = others + (long_rows.to - long_rows.from);
  const unsigned lane = threadIdx.x & 31;
  unsigned long long moves = 0;
  GRID_FOR(k, n + lane) {  // whole warps
    const uint32_t v = k >= n       ? NONE
                       : k < others ? vertex_at(J, rows.from + k)
                                    : vertex_at(J, long_rows.from + (k - others));
    uint32_t target = v == NONE ? NONE : J.target[v];
    if (J.alone && target != NONE && is_moving(J, target, label_class)) target = NONE;
    const bool moves_now = target != NONE;
    const uint32_t source = moves_now ? J.s.label[v] : NONE;
    const double x = moves_now ? number_at(J.weight, v) : 0;
    if (moves_now) J.s.label[v] = target;
    add_weights(J.sum, source, -x);
    add_weights(J.sum, target, x);
    moves += __popc(__ballot_sync(~0u, moves_now));
  }
  if (lane == 0 && moves) atomicAdd(&J.count->moves, moves);
}

__global__ void write_labels(const uint32_t *label, int64_t *to, uint64_t n) {
  GRID_FOR(v, n) to[v] = label[v];
}

// ---- the host's side

// In device memory.
struct arrays {
  grid_keys order;
  uint32_t *start;
};

// In host memory: the number of vertices before each group; first_task and first_place of the long rows.
struct plan {
  uint32_t *start;
  uint64_t *first_task, *first_place;
};

unsigned blocks_for(uint64_t n, unsigned a_block, unsigned of_a_multiprocessor) {
  return grid_cuda_blocks(n, a_block, of_a_multiprocessor * (unsigned)grid_cuda_multiprocessors());
}

range group_range(const plan *p, const job &J, uint64_t label_class, uint64_t kind, uint64_t kinds) {
  const uint64_t g = group_of(label_class, kind, J.bits);
  return {p->start[g], p->start[g + kinds]};
}

GrB_Info sort_vertices(job *J, arrays *d, plan *p) {
  const uint64_t n = J->s.n, groups = (uint64_t)KINDS << J->bits;
  cudaStream_t stream = grid_cuda_stream();
  GrB_Info info = GrB_SUCCESS;
  d->order.n = n;
  d->order.at = (uint64_t *)grid_device_malloc(n, sizeof *d->order.at);
  d->order.other = (uint64_t *)grid_device_malloc(n, sizeof *d->order.other);
  d->start = (uint32_t *)grid_device_malloc(groups + 1, sizeof *d->start);
  p->start = (uint32_t *)grid_malloc(groups + 1, sizeof *p->start);
  if (!p->start) return grid_fail_memory(NULL, "classes of vertices", groups + 1, sizeof *p->start);
  if (!d->order.at || !d->order.other || !d->start)
    TRY(grid_device_fail_memory(NULL, "classes of vertices", 2 * n + groups, sizeof *d->order.at));
  make_groups<<<grid_cuda_blocks_for(n), 256, 0, stream>>>(*J, d->order.at);
  TRY(grid_cuda_sort(&d->order, 32, grid_cuda_bits(groups)));
  find_starts<<<grid_cuda_blocks_for(n + 1), 256, 0, stream>>>(d->order.at, n, d->start, groups);
  TRY(grid_cuda_check_launch("classes of vertices"));
  TRY(grid_device_get(p->start, d->start, (groups + 1) * sizeof *p->start));
  J->vertex = d->order.at;
done:
  return info;
}

// The most tasks and places of a class.
GrB_Info find_largest(const job &J, const plan *p, uint64_t *tasks, uint64_t *places) {
  for (uint64_t c = 0; c < UINT64_C(1) << J.bits; c++) {
    const range rows = group_range(p, J, c, KIND_LONG, 1);
    const uint64_t from = rows.from - (J.s.n - J.nlong), to = rows.to - (J.s.n - J.nlong);
    const uint64_t t = p->first_task[to] - p->first_task[from], s = p->first_place[to] - p->first_place[from];
    if (t > *tasks) *tasks = t;
    if (s > *places) *places = s;
  }
  for (uint64_t k = 0; k < J.nlong; k++)
    if (p->first_place[k] == p->first_place[k + 1]) return GRID_UNSUPPORTED;  // a row is too long
  return GrB_SUCCESS;
}

GrB_Info measure(job *J, plan *p) {
  const uint64_t n = J->nlong + 1;
  GrB_Info info = GrB_SUCCESS;
  J->first_task = (uint64_t *)grid_device_malloc(n, sizeof *J->first_task);
  J->first_place = (uint64_t *)grid_device_malloc(n, sizeof *J->first_place);
  J->current_sum = (double *)grid_device_malloc(n, sizeof *J->current_sum);
  p->first_task = (uint64_t *)grid_malloc(n, sizeof *p->first_task);
  p->first_place = (uint64_t *)grid_malloc(n, sizeof *p->first_place);
  if (!p->first_task || !p->first_place) return grid_fail_memory(NULL, "long rows", n, sizeof *p->first_task);
  if (!J->first_task || !J->first_place || !J->current_sum)
    TRY(grid_device_fail_memory(NULL, "long rows", 3 * n, sizeof *J->first_task));
  measure_long_rows<<<grid_cuda_blocks_for(n), 256, 0, grid_cuda_stream()>>>(*J);
  TRY(grid_cuda_check_launch("long rows"));
  TRY(grid_cuda_exclusive_sums(J->first_task, n));
  TRY(grid_cuda_exclusive_sums(J->first_place, n));
  TRY(grid_device_get(p->first_task, J->first_task, n * sizeof *p->first_task));
  TRY(grid_device_get(p->first_place, J->first_place, n * sizeof *p->first_place));
done:
  return info;
}

GrB_Info prepare_long_rows(job *J, plan *p) {
  uint64_t tasks = 0, places = 0;
  GrB_Info info = GrB_SUCCESS;
  const uint64_t first = group_range(p, *J, 0, KIND_LONG, 1).from;
  J->nlong = J->s.n - first, J->long_vertex = J->vertex + first;
  if (J->nlong == 0) return info;
  TRY(measure(J, p));
  TRY(find_largest(*J, p, &tasks, &places));
  J->row_of = (uint32_t *)grid_device_malloc(p->first_task[J->nlong], sizeof *J->row_of);
  J->task_best = (scored *)grid_device_malloc(tasks, sizeof *J->task_best);
  J->key_table = (uint32_t *)grid_device_malloc(places, sizeof *J->key_table);
  J->sum_table = (double *)grid_device_malloc(places, sizeof *J->sum_table);
  if (!J->row_of || !J->task_best || !J->key_table || !J->sum_table)
    TRY(grid_device_fail_memory(NULL, "sums by label", places, PLACE_BYTES));
  list_tasks<<<grid_cuda_blocks_for(J->nlong), 256, 0, grid_cuda_stream()>>>(*J);
  clear_tables<<<grid_cuda_blocks_for(places), 256, 0, grid_cuda_stream()>>>(J->key_table, J->sum_table,
                                                                             places);
  info = grid_cuda_check_launch("sums by label");
done:
  return info;
}

GrB_Info allow_shared_memory() {
  const int bytes = MEDIUM_PLACES * PLACE_BYTES;
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_cuda_check(
      cudaFuncSetAttribute(search_block_rows, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
      "shared memory for labels"));
  TRY(grid_cuda_check(cudaFuncSetAttribute(add_segments, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
                      "shared memory for labels"));
done:
  return info;
}

void search_long_rows(const job &J, const plan *p, range rows) {
  const uint64_t first = J.s.n - J.nlong;
  const range slots = {rows.from - first, rows.to - first};
  cudaStream_t stream = grid_cuda_stream();
  if (slots.from == slots.to) return;
  const range tasks = {p->first_task[slots.from], p->first_task[slots.to]};
  const uint64_t place = p->first_place[slots.from], n = tasks.to - tasks.from;
  add_segments<<<blocks_for(n, 1, 2), TASK_THREADS, MEDIUM_PLACES * PLACE_BYTES, stream>>>(J, tasks, place);
  search_segments<<<blocks_for(n, 1, 8), THREADS, 0, stream>>>(J, tasks, place);
  choose_long_rows<<<blocks_for(slots.to - slots.from, THREADS / 32, 8), THREADS, 0, stream>>>(J, slots,
                                                                                               tasks.from);
}

void search_rows(const job &J, range rows, uint64_t kind) {
  const uint64_t n = rows.to - rows.from;
  cudaStream_t stream = grid_cuda_stream();
  if (n == 0) return;
  if (kind == KIND_LANES)
    search_lane_rows<<<blocks_for(n, THREADS / 32, 8), THREADS, 0, stream>>>(J, rows);
  else if (kind == KIND_WARP)
    search_warp_rows<<<blocks_for(n, WARPS, 9), 32 * WARPS, 0, stream>>>(J, rows);
  else if (kind == KIND_BLOCK)
    search_block_rows<<<blocks_for(n, 1, 8), THREADS, BLOCK_PLACES * PLACE_BYTES, stream>>>(J, rows,
                                                                                            BLOCK_PLACES);
  else
    search_block_rows<<<blocks_for(n, 1, 2), TASK_THREADS, MEDIUM_PLACES * PLACE_BYTES, stream>>>(
        J, rows, MEDIUM_PLACES);
}

GrB_Info move_class(const job &J, const plan *p, uint32_t label_class) {
  const range rows = group_range(p, J, label_class, KIND_LANES, KIND_LONG - KIND_LANES),
              long_rows = group_range(p, J, label_class, KIND_LONG, 1);
  const uint64_t n = rows.to - rows.from + (long_rows.to - long_rows.from);
  if (n == 0) return GrB_SUCCESS;
  search_long_rows(J, p, long_rows);
  for (uint64_t kind = KIND_LARGE; kind >= KIND_LANES; kind--)
    search_rows(J, group_range(p, J, label_class, kind, 1), kind);
  move_vertices<<<blocks_for(n, THREADS, 8), THREADS, 0, grid_cuda_stream()>>>(J, rows, long_rows,
                                                                               label_class);
  return grid_cuda_check_launch("moves to labels");
}

GrB_Info make_sweeps(uint64_t *moves, const job &J, const plan *p, const Grid_Label_Sweep *how) {
  GrB_Info info = GrB_SUCCESS;
  counters count;
  for (uint64_t sweep = 0; sweep < how->sweeps; sweep++) {
    TRY(grid_device_zero(J.count, sizeof *J.count));
    for (uint32_t c = 0; c < 1u << how->bits; c++) TRY(move_class(J, p, c));
    TRY(grid_device_get(&count, J.count, sizeof count));
    moves[sweep] = count.moves;
    if (moves[sweep] <= how->still) break;
  }
done:
  return info;
}

// The labels and the sums of weights.
GrB_Info load(job *J, const grid_label_move_operands *x, bool *bad) {
  const uint64_t n = J->s.n;
  cudaStream_t stream = grid_cuda_stream();
  counters count;
  GrB_Info info = GrB_SUCCESS;
  J->s.label = (uint32_t *)grid_device_malloc(n, sizeof *J->s.label);
  J->target = (uint32_t *)grid_device_malloc(n, sizeof *J->target);
  J->sum = (double *)grid_device_malloc(n, sizeof *J->sum);
  J->count = (counters *)grid_device_malloc(1, sizeof *J->count);
  if (!J->s.label || !J->target || !J->sum || !J->count)
    TRY(grid_device_fail_memory(NULL, "numbers of vertices", 2 * n, sizeof *J->sum));
  TRY(grid_device_zero(J->count, sizeof *J->count));
  TRY(grid_device_zero(J->sum, n * sizeof *J->sum));
  TRY(grid_cuda_check(cudaMemsetAsync(J->target, NONE & 255, n * sizeof *J->target, stream), "clearing"));
  read_labels<<<grid_cuda_blocks_for(n), 256, 0, stream>>>(position_list_of(x->label, n), J->s.label,
                                                           &J->count->wrong);
  TRY(grid_cuda_check_launch("labels of vertices"));
  TRY(grid_device_get(&count, J->count, sizeof count));
  *bad = count.wrong != 0;
  if (*bad) TRY(GRID_UNSUPPORTED);
  sum_weights<<<grid_cuda_blocks_for(n), 256, 0, stream>>>(*J);
  info = grid_cuda_check_launch("sums of weights");
done:
  return info;
}

void free_all(job *J, arrays *d, plan *p) {
  grid_device_free(J->s.label), grid_device_free(J->target), grid_device_free(J->sum);
  grid_device_free(J->count), grid_device_free(J->first_task), grid_device_free(J->first_place);
  grid_device_free(J->row_of), grid_device_free(J->task_best), grid_device_free(J->current_sum);
  grid_device_free(J->key_table), grid_device_free(J->sum_table);
  grid_cuda_keys_free(&d->order);
  grid_device_free(d->start);
  grid_free(p->start), grid_free(p->first_task), grid_free(p->first_place);
}

}  // namespace

extern "C" GrB_Info grid_cuda_lmat_move_labels(grid_chunk *t, uint64_t *moves,
                                               const grid_label_move_operands *x, bool *bad) {
  const grid_local_matrix *a = x->a;
  const uint64_t n = x->label->n;  // a block may have a few rows more
  job J = {};
  arrays d = {};
  plan p = {};
  GrB_Info info;
  TRY(set_values(&J.s, a, false));
  J.s.ptr = a->by_row.ptr, J.s.idx = a->by_row.idx, J.s.n = n;
  J.s.scale = numbers_of(x->scale), J.s.bonus = numbers_of(x->bonus);
  J.s.scaled = true, J.s.has_bonus = x->bonus != NULL;
  J.weight = numbers_of(x->weight);
  J.key = x->how->key, J.bits = x->how->bits, J.alone = x->how->alone;
  TRY(allow_shared_memory());
  TRY(load(&J, x, bad));
  if (x->how->priced) J.s.price = {NULL, J.sum, false};
  TRY(sort_vertices(&J, &d, &p));
  TRY(prepare_long_rows(&J, &p));
  TRY(make_sweeps(moves, J, &p, x->how));
  TRY(grid_chunk_reserve_device(t, false, false));
  write_labels<<<grid_cuda_blocks_for(n), 256, 0, grid_cuda_stream()>>>(J.s.label, (int64_t *)t->val, n);
  TRY(grid_cuda_check_launch("labels of vertices"));
  t->nvals = n, t->format = GRID_FULL;
done:
  free_all(&J, &d, &p);
  return info;
}
