// The label of largest score of each row (Grid_Matrix_best_label), by a table in shared memory, or in device
// memory (label_search.cuh).
#include "spmat/cuda/graph/label_search.cuh"

namespace {

enum {
  MEDIUM_THREADS = 256,
  MEDIUM_BLOCKS = 2,  // of a multiprocessor
  LONG_THREADS = 1024,
  LONG_BLOCKS = 64  // each has a table for the longest row
};

struct counters {
  unsigned long long wrong;  // labels that are no row's number
  unsigned long long found;  // rows that got a label
  unsigned long long medium, longer, longest;
};

struct job {
  label_search s;
  uint32_t *bits;  // the result
  int64_t *best;
  uint32_t *medium, *longer;  // rows
  counters *count;
};

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
  for (uint64_t w = blockIdx.x * (uint64_t)WARPS + warp; 32 * w < J.s.n; w += gridDim.x * (uint64_t)WARPS) {
    const uint64_t row = 32 * w + lane;
    const bool in = row < J.s.n && (!J.s.scaled || has(J.s.scale.bits, row));
    const uint32_t from = in ? J.s.ptr[row] : 0, entries = in ? J.s.ptr[row + 1] - from : 0;
    if (entries > SHORT_PLACES / 2) list_row(J, row, entries);
    uint32_t bits = 0;
    for (uint32_t rows = __ballot_sync(~0u, in && entries <= SHORT_PLACES / 2); rows; rows &= rows - 1) {
      const int b = __ffs(rows) - 1;
      const uint64_t v = 32 * w + b;
      const uint32_t first = __shfl_sync(~0u, from, b), many = __shfl_sync(~0u, entries, b);
      const uint32_t label = many <= 32 ? search_lanes(J.s, v, first, many)
                                        : search_warp_table(J.s, v, key[warp], sum[warp], &current_sum[warp]);
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

__device__ __forceinline__ void search_long_row(const job &J, uint64_t v, uint32_t *key, double *sum) {
  const uint32_t label = search_block_table(J.s, v, key, sum);
  if (threadIdx.x > 0 || label == NONE) return;
  J.best[v] = label;
  atomicOr(J.bits + v / 32, 1u << (v & 31));
  atomicAdd(&J.count->found, 1ull);
}

__global__ void __launch_bounds__(MEDIUM_THREADS) search_medium_rows(const __grid_constant__ job J) {
  extern __shared__ double table[];
  const uint64_t rows = J.count->medium;
  for (uint64_t k = blockIdx.x; k < rows; k += gridDim.x)
    search_long_row(J, J.medium[k], (uint32_t *)(table + MEDIUM_PLACES), table);
}

// A block's table has `places` places.
__global__ void __launch_bounds__(LONG_THREADS)
    search_long_rows(const __grid_constant__ job J, uint32_t *key, double *sum, uint64_t places) {
  const uint64_t rows = J.count->longer, table = blockIdx.x * places;
  for (uint64_t k = blockIdx.x; k < rows; k += gridDim.x)
    search_long_row(J, J.longer[k], key + table, sum + table);
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
  const int bytes = MEDIUM_PLACES * PLACE_BYTES;
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
  read_labels<<<grid_cuda_blocks(J->s.n, 256, most), 256, 0, stream>>>(position_list_of(label, J->s.n),
                                                                       J->s.label, &J->count->wrong);
  if (J->s.scaled && !J->s.scale.val) J->s.n = 0;  // no row is in question
  search_short_rows<<<grid_cuda_blocks((J->s.n + 31) / 32, WARPS, most), 32 * WARPS, 0, stream>>>(*J);
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

}  // namespace

extern "C" GrB_Info grid_cuda_lmat_best_label(grid_chunk *t, const grid_label_operands *x, bool *bad) {
  const grid_local_matrix *a = x->a;
  const uint64_t n = x->label->n,  // a block may have a few rows more
      listed = a->nvals / (SHORT_PLACES / 2) + 1;
  counters count = {0, 0, 0, 0, 0};
  job J = {};
  GrB_Info info;
  TRY(set_values(&J.s, a, x->count));
  J.s.ptr = a->by_row.ptr, J.s.idx = a->by_row.idx, J.s.n = n;
  J.s.price = numbers_of(x->price), J.s.scale = numbers_of(x->scale), J.s.bonus = numbers_of(x->bonus);
  J.s.scaled = x->scale != NULL, J.s.has_bonus = x->bonus != NULL;
  J.s.label = (uint32_t *)grid_device_malloc(n, sizeof *J.s.label);
  J.medium = (uint32_t *)grid_device_malloc(listed, sizeof *J.medium);
  J.longer = (uint32_t *)grid_device_malloc(listed, sizeof *J.longer);
  J.count = (counters *)grid_device_malloc(1, sizeof *J.count);
  if (!J.s.label || !J.medium || !J.longer || !J.count)
    TRY(grid_device_fail_memory(NULL, "labels of rows", n + 2 * listed, sizeof *J.s.label));
  TRY(grid_chunk_reserve_device(t, true, false));
  TRY(grid_device_zero(t->bits, grid_words(n) * sizeof *t->bits));
  J.bits = (uint32_t *)t->bits, J.best = (int64_t *)t->val;
  TRY(search(&J, x->label, &count));
  *bad = count.wrong != 0;
  if (*bad) info = GRID_UNSUPPORTED;
  if (*bad || count.found == 0) goto done;
  t->nvals = count.found, t->format = GRID_BITMAP;
done:
  grid_device_free(J.s.label);
  grid_device_free(J.medium);
  grid_device_free(J.longer);
  grid_device_free(J.count);
  return info;
}
