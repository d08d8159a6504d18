// The label of largest score of a row: what the kernels of Grid_Matrix_best_label and Grid_Matrix_move_labels
// have in common. A row of up to 32 entries is summed by the lanes of a warp, a longer one in a hash table,
// which is a warp's or a block's.
#ifndef GRID_LABEL_SEARCH_CUH
#define GRID_LABEL_SEARCH_CUH
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
  PLACE_BYTES = sizeof(uint32_t) + sizeof(double),
  MANY_LANES = 8,  // lanes with one label whose values are summed first
  BATCH = 4        // entries, or places of a table, that a thread reads at a time
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

struct label_search {
  const uint32_t *ptr, *idx;
  const double *val;  // NULL: each is `one`
  double one;
  uint32_t *label;  // of each vertex, or NONE
  numbers price, scale, bonus;
  bool scaled, has_bonus;  // there is a scale, a bonus
  uint64_t n;
};

// *wrong += the number of labels that are no row's number.
__global__ void read_labels(position_list p, uint32_t *label, unsigned long long *wrong_labels) {
  uint64_t wrong = 0;
  GRID_FOR(i, p.n) {
    const uint64_t at = has(p.bits, i) ? position_at(p, i) : NONE;
    const bool is_label = at < p.limit;
    wrong += has(p.bits, i) && !is_label;
    label[i] = is_label ? (uint32_t)at : NONE;
  }
  if (wrong) atomicAdd(wrong_labels, (unsigned long long)wrong);
}

// The values of a's entries.
GrB_Info set_values(label_search *S, const grid_local_matrix *a, bool count) {
  S->one = 1;
  if (count) return GrB_SUCCESS;
  if (a->iso) {
    grid_cast(GrB_FP64, a->type)(&S->one, a->iso_val, a->type->size);
    return GrB_SUCCESS;
  }
  if (a->type != GrB_FP64) return GRID_UNSUPPORTED;
  S->val = (const double *)a->by_row.val;
  return GrB_SUCCESS;
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
__device__ __forceinline__ double price_of(const label_search &S, uint32_t label) {
  return number_at(S.price, label == NONE ? 0 : label);
}

__device__ __forceinline__ scored best_of_warp(scored s) {
  for (int d = 16; d > 0; d /= 2) {
    const scored other = {__shfl_xor_sync(~0u, s.score, d), __shfl_xor_sync(~0u, s.label, d)};
    s = better_of(s, other);
  }
  return s;
}

// Of row v, whose best label and sum for its own are known; NONE: none, or no other exceeds the current one.
__device__ __forceinline__ uint32_t choose_label(const label_search &S, uint64_t v, double scale,
                                                 const scored &best, double current_sum) {
  const uint32_t current = S.has_bonus ? S.label[v] : NONE;
  if (current == NONE) return best.label;
  const double current_score = scale * current_sum - (number_at(S.price, current) - number_at(S.bonus, v));
  return best.label != current && best.score > current_score ? best.label : NONE;
}

__device__ __forceinline__ double value_at(const label_search &S, uint32_t e) {
  return S.val ? S.val[e] : S.one;
}

__device__ __forceinline__ double scale_at(const label_search &S, uint64_t v) {
  return S.scaled ? number_at(S.scale, v) : 1;
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

// Where many lanes have the label of the first one, it gets the sum of their values, and they have NONE: else
// they would wait for each other.
__device__ __forceinline__ void combine_lanes(uint32_t *label, double *x) {
  const uint32_t any = __ballot_sync(~0u, *label != NONE);
  if (!any) return;
  const int first = __ffs(any) - 1;
  const uint32_t same = __ballot_sync(~0u, *label == __shfl_sync(~0u, *label, first));
  const unsigned lane = threadIdx.x & 31;
  if (__popc(same) < MANY_LANES) return;
  const bool is_same = same >> lane & 1;
  double all = is_same ? *x : 0;
  for (int d = 16; d > 0; d /= 2) all += __shfl_xor_sync(~0u, all, d);
  if (is_same) *x = all;
  if (is_same && lane != (unsigned)first) *label = NONE;
}

// A warp adds an entry a lane, or none (NONE).
__device__ __forceinline__ void add_warp(uint32_t *key, double *sum, uint32_t places, uint32_t label,
                                         double x) {
  combine_lanes(&label, &x);
  if (label != NONE) add_to_table(key, sum, places, label, x);
}

// Adds the entries from .. to. The reads of a batch wait for memory together.
__device__ __forceinline__ void add_entries(const label_search &S, uint64_t from, uint64_t to, uint32_t *key,
                                            double *sum, uint32_t places, unsigned rank, unsigned threads) {
  for (uint64_t e = from + rank; e - rank % 32 < to; e += BATCH * threads) {  // whole warps
    uint32_t label[BATCH];
    double x[BATCH];
#pragma unroll
    for (unsigned b = 0; b < BATCH; b++) {
      const uint64_t at = e + b * threads;
      label[b] = at < to ? S.idx[at] : NONE;
      x[b] = at < to ? value_at(S, (uint32_t)at) : 0;
    }
#pragma unroll
    for (unsigned b = 0; b < BATCH; b++)
      if (label[b] != NONE) label[b] = S.label[label[b]];
#pragma unroll
    for (unsigned b = 0; b < BATCH; b++) add_warp(key, sum, places, label[b], x[b]);
  }
}

// The best of the places p, p + threads, ... of row v's table, below `end`. *current_sum: the sum for the
// row's own label, if it is there.
__device__ __forceinline__ scored best_of_table(const label_search &S, uint64_t v, const uint32_t *key,
                                                const double *sum, uint64_t p, uint64_t end, unsigned threads,
                                                double *current_sum) {
  const uint32_t current = S.has_bonus ? S.label[v] : NONE;
  const double scale = scale_at(S, v);
  scored best = {0, NONE};
  for (; p < end; p += BATCH * threads) {
    uint32_t label[BATCH];
    double x[BATCH], price[BATCH];
#pragma unroll
    for (unsigned b = 0; b < BATCH; b++) {
      const uint64_t at = p + b * threads;
      label[b] = at < end ? key[at] : NONE;
      x[b] = label[b] == NONE ? 0 : sum[at];
    }
#pragma unroll
    for (unsigned b = 0; b < BATCH; b++) price[b] = price_of(S, label[b]);
#pragma unroll
    for (unsigned b = 0; b < BATCH; b++) {
      if (label[b] != NONE && label[b] == current) *current_sum = x[b];
      best = better_of(best, {scale * x[b] - price[b], label[b]});
    }
  }
  return best;
}

// The best label of row v by a table, which the threads `rank` of `threads` share. *current_sum, which they
// share and which is 0 before: the sum for the row's own label.
template <typename Sync>
__device__ __forceinline__ scored search_table(const label_search &S, uint64_t v, uint32_t *key, double *sum,
                                               unsigned rank, unsigned threads, double *current_sum,
                                               Sync sync) {
  const uint32_t from = S.ptr[v], to = S.ptr[v + 1], places = places_for(to - from);
  for (uint32_t p = rank; p < places; p += threads) key[p] = NONE, sum[p] = 0;
  sync();
  add_entries(S, from, to, key, sum, places, rank, threads);
  sync();
  const scored best = best_of_table(S, v, key, sum, rank, places, threads, current_sum);
  sync();
  return best;
}

// ---- short rows

// Row v of at most 32 entries.
__device__ __forceinline__ uint32_t search_lanes(const label_search &S, uint64_t v, uint32_t from,
                                                 uint32_t entries) {
  const unsigned lane = threadIdx.x & 31;
  const double scale = scale_at(S, v);
  uint32_t label = NONE;
  double x = 0, sum = 0;
  if (lane < entries) label = S.label[S.idx[from + lane]], x = value_at(S, from + lane);
  for (uint32_t k = 0; k < entries; k++) {
    const uint32_t other = __shfl_sync(~0u, label, k);
    const double add = __shfl_sync(~0u, x, k);
    if (other == label) sum += add;
  }
  const uint32_t current = S.has_bonus ? S.label[v] : NONE, same = __ballot_sync(~0u, label == current);
  const double current_sum = __shfl_sync(~0u, sum, same ? __ffs(same) - 1 : 0);
  const scored best = best_of_warp({scale * sum - price_of(S, label), label});
  return choose_label(S, v, scale, best, same ? current_sum : 0);
}

__device__ __forceinline__ uint32_t search_warp_table(const label_search &S, uint64_t v, uint32_t *key,
                                                      double *sum, double *current_sum) {
  __syncwarp();  // the last row's sum has been read
  if ((threadIdx.x & 31) == 0) *current_sum = 0;
  const scored best =
      best_of_warp(search_table(S, v, key, sum, threadIdx.x & 31, 32, current_sum, [] { __syncwarp(); }));
  return choose_label(S, v, scale_at(S, v), best, *current_sum);
}

// ---- longer rows

// Thread 0 has the block's. best: of each warp, in shared memory.
__device__ __forceinline__ scored best_of_block(scored s, scored *best) {
  s = best_of_warp(s);
  if ((threadIdx.x & 31) == 0) best[threadIdx.x / 32] = s;
  __syncthreads();
  for (unsigned w = 1; threadIdx.x == 0 && w < blockDim.x / 32; w++) s = better_of(s, best[w]);
  return s;
}

// The block's best label of row v, by its table, which thread 0 gets; or NONE.
__device__ __forceinline__ uint32_t search_block_table(const label_search &S, uint64_t v, uint32_t *key,
                                                       double *sum) {
  __shared__ scored best[32];
  __shared__ double current_sum;
  uint32_t label = NONE;
  if (threadIdx.x == 0) current_sum = 0;
  __syncthreads();
  const scored all = best_of_block(
      search_table(S, v, key, sum, threadIdx.x, blockDim.x, &current_sum, [] { __syncthreads(); }), best);
  if (threadIdx.x == 0) label = choose_label(S, v, scale_at(S, v), all, current_sum);
  __syncthreads();
  return label;
}

}  // namespace
#endif
