// Degrees on the device: the number of entries of each row and column of a local matrix.
#include "spmat/cuda/build/keys.cuh"

namespace {

template <class offset>
__global__ void count_by_offsets(const offset *ptr, uint64_t n, uint32_t *count) {
  GRID_FOR(v, n) count[v] = (uint32_t)(ptr[v + 1] - ptr[v]);
}

__global__ void count_by_entries(const uint32_t *idx, uint64_t nvals, uint32_t *count) {
  GRID_FOR(e, nvals) atomicAdd(&count[idx[e]], 1u);
}

// Converts counts by compact index to counts by local index.
__global__ void scatter_counts(const uint32_t *ids, uint64_t n, const uint32_t *compact, uint32_t *count) {
  GRID_FOR(k, n) count[ids[k]] = compact[k];
}

__global__ void add_counts(uint32_t *to, const uint32_t *more, uint64_t n) {
  GRID_FOR(v, n) {
    const uint32_t sum = to[v] + more[v];
    to[v] = sum < more[v] ? UINT32_MAX : sum;
  }
}

__global__ void mark_nonempty(const uint32_t *count, uint64_t n, uint32_t *bits,
                              unsigned long long *nonempty_count) {
  unsigned thread_count = 0;
  GRID_FOR(v, (n + 63) / 64 * 64) {
    const uint32_t ballot = __ballot_sync(~0u, v < n && count[v] > 0);
    if (threadIdx.x % 32 == 0) bits[v >> 5] = ballot, thread_count += __popc(ballot);
  }
  if (thread_count) atomicAdd(nonempty_count, thread_count);
}

}  // namespace

extern "C" GrB_Info grid_cuda_count_compact(const grid_local_matrix *p, bool rows, uint32_t *count) {
  const uint64_t n = rows ? p->row.n : p->col.n;
  const grid_compressed *c = rows ? &p->by_row : &p->by_col;
  GrB_Info info = grid_device_zero(count, n * sizeof *count);
  if (info != GrB_SUCCESS || p->nvals == 0) return info;
  if (c->ptr)
    count_by_offsets<<<grid_cuda_blocks_for(n), 256, 0, grid_cuda_stream()>>>(c->ptr, n, count);
  else if (c->offsets64)
    count_by_offsets<<<grid_cuda_blocks_for(n), 256, 0, grid_cuda_stream()>>>(c->offsets64, n, count);
  else
    count_by_entries<<<grid_cuda_blocks_for(p->nvals), 256, 0, grid_cuda_stream()>>>(p->by_row.idx, p->nvals,
                                                                                     count);
  return grid_cuda_check_launch("counting degrees");
}

extern "C" GrB_Info grid_cuda_count(const grid_local_matrix *p, bool rows, uint32_t *count) {
  const grid_axis *axis = rows ? &p->row : &p->col;
  uint32_t *compact = NULL;
  GrB_Info info;
  if (!axis->ids) return grid_cuda_count_compact(p, rows, count);
  if (grid_axis_has_ids64(axis)) return grid_fail(NULL, GrB_PANIC, "degrees of a dimension beyond 32 bits");
  compact = (uint32_t *)grid_device_malloc(axis->n, sizeof *compact);
  if (!compact) return grid_device_fail_memory(NULL, "degrees", axis->n, sizeof *compact);
  TRY(grid_cuda_count_compact(p, rows, compact));
  TRY(grid_device_zero(count, axis->dim * sizeof *count));
  scatter_counts<<<grid_cuda_blocks_for(axis->n), 256, 0, grid_cuda_stream()>>>((const uint32_t *)axis->ids,
                                                                                axis->n, compact, count);
  TRY(grid_cuda_check_launch("counting degrees"));
done:
  grid_device_free(compact);
  return info;
}

extern "C" GrB_Info grid_cuda_add(uint32_t *to, const uint32_t *more, uint64_t n) {
  add_counts<<<grid_cuda_blocks_for(n), 256, 0, grid_cuda_stream()>>>(to, more, n);
  return grid_cuda_check_launch("adding degrees");
}

extern "C" GrB_Info grid_cuda_mark(const uint32_t *count, uint64_t n, uint64_t *bits,
                                   uint64_t *nonempty_count) {
  unsigned long long *sum = (unsigned long long *)grid_device_malloc(1, sizeof *sum), answer = 0;
  if (!sum) return grid_device_fail_memory(NULL, "counts of rows", 1, sizeof *sum);
  GrB_Info info;
  TRY(grid_device_zero(sum, sizeof *sum));
  mark_nonempty<<<grid_cuda_blocks_for(n), 256, 0, grid_cuda_stream()>>>(count, n, (uint32_t *)bits, sum);
  TRY(grid_cuda_check_launch("marking rows with entries"));
  TRY(grid_cuda_fetch(&answer, sum));
  *nonempty_count += answer;
done:
  grid_device_free(sum);
  return info;
}
