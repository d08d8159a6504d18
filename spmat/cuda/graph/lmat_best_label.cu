// The label of largest score of each row (Grid_Matrix_best_label). A row of up to 32 entries is summed by the
// lanes of a warp, a longer one in a hash table. The table is a warp's or a block's in shared memory, or a
// block's in device memory.
#include "spmat/cuda/gather/index_values.cuh"
#include "spmat/cuda/matrix/selected_entries.cuh"
extern "C" {
#include "spmat/cuda/graph/cuda_graph.h"
}

namespace {

enum {
  WARPS = 4,             // of a block for short rows
  SHORT_PLACES = 512,    // places of a table; rows have at most half as many entries
  MEDIUM_PLACES = 8192,  // 96 KiB: a block has at least 99 KiB of shared memory on every GPU
  MEDIUM_THREADS = 256,
  MEDIUM_BLOCKS = 2,  // of a multiprocessor
  LONG_THREADS = 1024,
  MANY_LANES = 8,   // lanes with one label whose values are summed first
  BATCH = 4,        // entries, or places of a table, that a thread reads at a time
  LONG_BLOCKS = 64  // each has a table for the longest row
};
constexpr uint32_t NONE = UINT32_MAX;
constexpr uint32_t LONGEST = 1u << 30;  // entries of a row whose places 32 bits number

// A vector of numbers: 0 where it has no entry.
struct numbers {
  const uint32_t *bits;  // NULL: full
  const double *val;     // NULL: no vector
  bool iso;
};

numbers numbers_of(const grid_chunk *u) {
  numbers v = {NULL, NULL, false};
  if (u && u->nvals) v = {bits_of(u), (const double *)u->val, u->iso};
  return v;
}

__device__ __forceinline__ double number_at(const numbers &u, uint64_t i) {
  return u.val && has(u.bits, i) ? u.val[u.iso ? 0 : i] : 0;
}

struct counters {
  unsigned long long wrong;  // labels that are no row's number
  unsigned long long found;  // rows that got a label
  unsigned long long medium, longer, longest;
};

struct job {
  const uint32_t *ptr, *idx;
  const double *val;  // NULL: each is `one`
  double one;
  uint32_t *label;  // of each vertex, or NONE
  numbers price, scale, bonus;
  bool scaled, has_bonus;  // there is a scale, a bonus
  uint64_t n;
  uint32_t *bits;  // the result
  int64_t *best;
  uint32_t *medium, *longer;  // rows
  counters *count;
};

__global__ void read_labels(position_list p, uint32_t *label, counters *count) {
  uint64_t wrong = 0;
  GRID_FOR(i, p.n) {
    const uint64_t at = has(p.bits, i) ? position_at(p, i) : NONE;
    const bool is_label = at < p.limit;
    wrong += has(p.bits, i) && !is_label;
    label[i] = is_label ? (uint32_t)at : NONE;
  }
  if (wrong) atomicAdd(&count->wrong, (unsigned long long)wrong);
}

// ---- scores

struct scored {
  double score;
  uint32_t label;
};

__device__ __forceinline__ scored better_of(const scored &a, const scored &b) {
  if (a.label == NONE || b.label == NONE) return a.label == NONE ? b : a;
  return b.score > a.score || (b.score == a.score && b.label < a.label) ? b : a;
}

// Of no label, too: then it is not used.
__device__ __forceinline__ double price_of(const job &J, uint32_t label) {
  return number_at(J.price, label == NONE ? 0 : label);
}

__device__ __forceinline__ scored best_of_warp(scored s) {
  for (int d = 16; d > 0; d /= 2) {
    const scored other = {__shfl_xor_sync(~0u, s.score, d), __shfl_xor_sync(~0u, s.label, d)};
    s = better_of(s, other);
  }
  return s;
}

// Of row v, whose best label and sum for its own are known; NONE: none, or no other exceeds the current one.
__device__ __forceinline__ uint32_t choose_label(const job &J, uint64_t v, double scale, const scored &best,
                                                 double current_sum) {
  const uint32_t current = J.has_bonus ? J.label[v] : NONE;
  if (current == NONE) return best.label;
  const double current_score = scale * current_sum - (number_at(J.price, current) - number_at(J.bonus, v));
  return best.label != current && best.score > current_score ? best.label : NONE;
}

__device__ __forceinline__ double value_at(const job &J, uint32_t e) {
  return J.val ? J.val[e] : J.one;
}

__device__ __forceinline__ double scale_at(const job &J, uint64_t v) {
  return J.scaled ? number_at(J.scale, v) : 1;
}

// ---- tables

// Capacity of a table for so many entries: a power of two.
__device__ __forceinline__ uint32_t places_for(uint32_t entries) {
  return 2u << (32 - __clz(entries - 1));
}

__device__ __forceinline__ void add_to_table(uint32_t *key, double *sum, uint32_t places, uint32_t label,
                                             double x) {
  uint32_t p = (label * 0x9e3779b1u) >> (__clz(places) + 1);
  for (;; p = (p + 1) & (places - 1)) {
    uint32_t old = key[p];
    if (old == NONE) old = atomicCAS(key + p, NONE, label);
    if (old == NONE || old == label) break;
  }
  atomicAdd(sum + p, x);
}

// A warp adds an entry a lane, or none (NONE). Where many lanes have the label of the first one, their values
// are summed before: else they would wait for each other.
__device__ __forceinline__ void add_warp(uint32_t *key, double *sum, uint32_t places, uint32_t label,
                                         double x) {
  const uint32_t any = __ballot_sync(~0u, label != NONE);
  if (!any) return;
  const int first = __ffs(any) - 1;
  const uint32_t same = __ballot_sync(~0u, label == __shfl_sync(~0u, label, first));
  const unsigned lane = threadIdx.x & 31;
  if (__popc(same) >= MANY_LANES) {
    const bool is_same = same >> lane & 1;
    double all = is_same ? x : 0;
    for (int d = 16; d > 0; d /= 2) all += __shfl_xor_sync(~0u, all, d);
    if (is_same) x = all;
    if (is_same && lane != (unsigned)first) label = NONE;
  }
  if (label != NONE) add_to_table(key, sum, places, label, x);
}

// Adds the entries from .. to. The reads of a batch wait for memory together.
__device__ __forceinline__ void add_entries(const job &J, uint64_t from, uint64_t to, uint32_t *key,
                                            double *sum, uint32_t places, unsigned rank, unsigned threads) {
  for (uint64_t e = from + rank; e - rank % 32 < to; e += BATCH * threads) {  // whole warps
    uint32_t label[BATCH];
    double x[BATCH];
#pragma unroll
    for (unsigned b = 0; b < BATCH; b++) {
      const uint64_t at = e + b * threads;
      label[b] = at < to ? J.idx[at] : NONE;
      x[b] = at < to ? value_at(J, (uint32_t)at) : 0;
    }
#pragma unroll
    for (unsigned b = 0; b < BATCH; b++)
      if (label[b] != NONE) label[b] = J.label[label[b]];
#pragma unroll
    for (unsigned b = 0; b < BATCH; b++) add_warp(key, sum, places, label[b], x[b]);
  }
}

// The best label of row v by a table, which the threads `rank` of `threads` share. *current_sum, which they
// share and which is 0 before: the sum for the row's own label.
template <typename Sync>
__device__ __forceinline__ scored search_table(const job &J, uint64_t v, uint32_t *key, double *sum,
                                               unsigned rank, unsigned threads, double *current_sum,
                                               Sync sync) {
  const uint32_t from = J.ptr[v], to = J.ptr[v + 1], places = places_for(to - from);
  const uint32_t current = J.has_bonus ? J.label[v] : NONE;
  const double scale = scale_at(J, v);
  scored best = {0, NONE};
  for (uint32_t p = rank; p < places; p += threads) key[p] = NONE, sum[p] = 0;
  sync();
  add_entries(J, from, to, key, sum, places, rank, threads);
  sync();
  for (uint64_t p = rank; p < places; p += BATCH * threads) {
    uint32_t label[BATCH];
    double x[BATCH], price[BATCH];
#pragma unroll
    for (unsigned b = 0; b < BATCH; b++) {
      const uint64_t at = p + b * threads;
      label[b] = at < places ? key[at] : NONE;
      x[b] = label[b] == NONE ? 0 : sum[at];
    }
#pragma unroll
    for (unsigned b = 0; b < BATCH; b++) price[b] = price_of(J, label[b]);
#pragma unroll
    for (unsigned b = 0; b < BATCH; b++) {
      if (label[b] != NONE && label[b] == current) *current_sum = x[b];
      best = better_of(best, {scale * x[b] - price[b], label[b]});
    }
  }
  sync();
  return best;
}

// ---- short rows

// Row v of at most 32 entries.
__device__ __forceinline__ uint32_t search_lanes(const job &J, uint64_t v, uint32_t from, uint32_t entries) {
  const unsigned lane = threadIdx.x & 31;
  const double scale = scale_at(J, v);
  uint32_t label = NONE;
  double x = 0, sum = 0;
  if (lane < entries) label = J.label[J.idx[from + lane]], x = value_at(J, from + lane);
  for (uint32_t k = 0; k < entries; k++) {
    const uint32_t other = __shfl_sync(~0u, label, k);
    const double add = __shfl_sync(~0u, x, k);
    if (other == label) sum += add;
  }
  const uint32_t current = J.has_bonus ? J.label[v] : NONE, same = __ballot_sync(~0u, label == current);
  const double current_sum = __shfl_sync(~0u, sum, same ? __ffs(same) - 1 : 0);
  const scored best = best_of_warp({scale * sum - price_of(J, label), label});
  return choose_label(J, v, scale, best, same ? current_sum : 0);
}

__device__ __forceinline__ uint32_t search_warp_table(const job &J, uint64_t v, uint32_t *key, double *sum,
                                                      double *current_sum) {
  __syncwarp();  // the last row's sum has been read
  if ((threadIdx.x & 31) == 0) *current_sum = 0;
  const scored best =
      best_of_warp(search_table(J, v, key, sum, threadIdx.x & 31, 32, current_sum, [] { __syncwarp(); }));
  return choose_label(J, v, scale_at(J, v), best, *current_sum);
}

// Rows that a warp does not search are listed.
__device__ __forceinline__ void list_row(const job &J, uint64_t v, uint32_t entries) {
  const bool medium = entries <= MEDIUM_PLACES / 2;
  const unsigned long long at = atomicAdd(medium ? &J.count->medium : &J.count->longer, 1ull);
  (medium ? J.medium : J.longer)[at] = (uint32_t)v;
  if (!medium) atomicMax(&J.count->longest, (unsigned long long)entries);
}

// A warp takes 32 rows, those of a word of the result's bits.
__global__ void __launch_bounds__(32 * WARPS) search_short_rows(const __grid_constant__ job J) {
  __shared__ double sum[WARPS][SHORT_PLACES], current_sum[WARPS];
  __shared__ uint32_t key[WARPS][SHORT_PLACES];
  const unsigned lane = threadIdx.x & 31, warp = threadIdx.x / 32;
  unsigned long long found = 0;
  for (uint64_t w = blockIdx.x * (uint64_t)WARPS + warp; 32 * w < J.n; w += gridDim.x * (uint64_t)WARPS) {
    const uint64_t row = 32 * w + lane;
    const bool in = row < J.n && (!J.scaled || has(J.scale.bits, row));
    const uint32_t from = in ? J.ptr[row] : 0, entries = in ? J.ptr[row + 1] - from : 0;
    if (entries > SHORT_PLACES / 2) list_row(J, row, entries);
    uint32_t bits = 0;
    for (uint32_t rows = __ballot_sync(~0u, in && entries <= SHORT_PLACES / 2); rows; rows &= rows - 1) {
      const int b = __ffs(rows) - 1;
      const uint64_t v = 32 * w + b;
      const uint32_t first = __shfl_sync(~0u, from, b), many = __shfl_sync(~0u, entries, b);
      const uint32_t label = many <= 32 ? search_lanes(J, v, first, many)
                                        : search_warp_table(J, v, key[warp], sum[warp], &current_sum[warp]);
      if (label == NONE) continue;
      bits |= 1u << b;
      if (lane == 0) J.best[v] = label;
    }
    if (lane == 0 && bits) atomicOr(J.bits + w, bits);
    found += __popc(bits);
  }
  if (lane == 0 && found) atomicAdd(&J.count->found, found);
}

// ---- longer rows

// The block's best label of row v, by its table.
__device__ __forceinline__ void search_block_table(const job &J, uint64_t v, uint32_t *key, double *sum) {
  __shared__ scored best[32];
  __shared__ double current_sum;
  const unsigned warps = blockDim.x / 32;
  if (threadIdx.x == 0) current_sum = 0;
  __syncthreads();
  const scored warp_best = best_of_warp(
      search_table(J, v, key, sum, threadIdx.x, blockDim.x, &current_sum, [] { __syncthreads(); }));
  if ((threadIdx.x & 31) == 0) best[threadIdx.x / 32] = warp_best;
  __syncthreads();
  if (threadIdx.x == 0) {
    scored all = best[0];
    for (unsigned w = 1; w < warps; w++) all = better_of(all, best[w]);
    const uint32_t label = choose_label(J, v, scale_at(J, v), all, current_sum);
    if (label != NONE) {
      J.best[v] = label;
      atomicOr(J.bits + v / 32, 1u << (v & 31));
      atomicAdd(&J.count->found, 1ull);
    }
  }
  __syncthreads();
}

__global__ void __launch_bounds__(MEDIUM_THREADS) search_medium_rows(const __grid_constant__ job J) {
  extern __shared__ double table[];
  const uint64_t rows = J.count->medium;
  for (uint64_t k = blockIdx.x; k < rows; k += gridDim.x)
    search_block_table(J, J.medium[k], (uint32_t *)(table + MEDIUM_PLACES), table);
}

// A block's table has `places` places.
__global__ void __launch_bounds__(LONG_THREADS)
    search_long_rows(const __grid_constant__ job J, uint32_t *key, double *sum, uint64_t places) {
  const uint64_t rows = J.count->longer, table = blockIdx.x * places;
  for (uint64_t k = blockIdx.x; k < rows; k += gridDim.x)
    search_block_table(J, J.longer[k], key + table, sum + table);
}

GrB_Info launch_long(const job &J, const counters &count) {
  uint64_t places = 2;
  const unsigned blocks = grid_cuda_blocks(count.longer, 1, LONG_BLOCKS);
  while (places < 2 * count.longest) places *= 2;
  uint32_t *key = (uint32_t *)grid_device_malloc(blocks * places, sizeof *key);
  double *sum = (double *)grid_device_malloc(blocks * places, sizeof *sum);
  GrB_Info info = GrB_SUCCESS;
  if (!key || !sum) TRY(grid_device_fail_memory(NULL, "sums by label", blocks * places, sizeof *sum));
  search_long_rows<<<blocks, LONG_THREADS, 0, grid_cuda_stream()>>>(J, key, sum, places);
  info = grid_cuda_check_launch("labels of long rows");
done:
  grid_device_free(key);
  grid_device_free(sum);
  return info;
}

GrB_Info launch_medium(const job &J) {
  const int bytes = MEDIUM_PLACES * (sizeof(uint32_t) + sizeof(double));
  GrB_Info info = grid_cuda_check(
      cudaFuncSetAttribute(search_medium_rows, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
      "shared memory for labels");
  if (info != GrB_SUCCESS) return info;
  search_medium_rows<<<MEDIUM_BLOCKS *(unsigned)grid_cuda_multiprocessors(), MEDIUM_THREADS, bytes,
                       grid_cuda_stream()>>>(J);
  return grid_cuda_check_launch("labels of rows");
}

// *count: of all rows.
GrB_Info search(job *J, const grid_chunk *label, counters *count) {
  const unsigned most = 16u * (unsigned)grid_cuda_multiprocessors();
  cudaStream_t stream = grid_cuda_stream();
  GrB_Info info;
  TRY(grid_device_zero(J->count, sizeof *J->count));
  read_labels<<<grid_cuda_blocks(J->n, 256, most), 256, 0, stream>>>(position_list_of(label, J->n), J->label,
                                                                     J->count);
  if (J->scaled && !J->scale.val) J->n = 0;  // no row is in question
  search_short_rows<<<grid_cuda_blocks((J->n + 31) / 32, WARPS, most), 32 * WARPS, 0, stream>>>(*J);
  TRY(grid_cuda_check_launch("labels of short rows"));
  TRY(launch_medium(*J));  // before the host waits for their number
  TRY(grid_device_get(count, J->count, sizeof *count));
  if (count->wrong || count->longer == 0) goto done;
  if (count->longest > LONGEST) TRY(GRID_UNSUPPORTED);
  TRY(launch_long(*J, *count));
  TRY(grid_device_get(count, J->count, sizeof *count));
done:
  return info;
}

// The values of a's entries.
GrB_Info set_values(job *J, const grid_local_matrix *a, bool count) {
  J->one = 1;
  if (count) return GrB_SUCCESS;
  if (a->iso) {
    grid_cast(GrB_FP64, a->type)(&J->one, a->iso_val, a->type->size);
    return GrB_SUCCESS;
  }
  if (a->type != GrB_FP64) return GRID_UNSUPPORTED;
  J->val = (const double *)a->by_row.val;
  return GrB_SUCCESS;
}

}  // namespace

extern "C" GrB_Info grid_cuda_lmat_best_label(grid_chunk *t, const grid_label_operands *x, bool *bad) {
  const grid_local_matrix *a = x->a;
  const uint64_t n = x->label->n,  // a block may have a few rows more
      listed = a->nvals / (SHORT_PLACES / 2) + 1;
  counters count = {0, 0, 0, 0, 0};
  job J = {};
  GrB_Info info;
  TRY(set_values(&J, a, x->count));
  J.ptr = a->by_row.ptr, J.idx = a->by_row.idx, J.n = n;
  J.price = numbers_of(x->price), J.scale = numbers_of(x->scale), J.bonus = numbers_of(x->bonus);
  J.scaled = x->scale != NULL, J.has_bonus = x->bonus != NULL;
  J.label = (uint32_t *)grid_device_malloc(n, sizeof *J.label);
  J.medium = (uint32_t *)grid_device_malloc(listed, sizeof *J.medium);
  J.longer = (uint32_t *)grid_device_malloc(listed, sizeof *J.longer);
  J.count = (counters *)grid_device_malloc(1, sizeof *J.count);
  if (!J.label || !J.medium || !J.longer || !J.count)
    TRY(grid_device_fail_memory(NULL, "labels of rows", n + 2 * listed, sizeof *J.label));
  TRY(grid_chunk_reserve_device(t, true, false));
  TRY(grid_device_zero(t->bits, grid_words(n) * sizeof *t->bits));
  J.bits = (uint32_t *)t->bits, J.best = (int64_t *)t->val;
  TRY(search(&J, x->label, &count));
  *bad = count.wrong != 0;
  if (*bad) info = GRID_UNSUPPORTED;
  if (*bad || count.found == 0) goto done;
  t->nvals = count.found, t->format = GRID_BITMAP;
done:
  grid_device_free(J.label);
  grid_device_free(J.medium);
  grid_device_free(J.longer);
  grid_device_free(J.count);
  return info;
}
