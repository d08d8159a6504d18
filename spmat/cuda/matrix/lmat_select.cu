// Selected entries of a local matrix: a bit for each, counts before each word, and the matrix that they form.
#include "spmat/cuda/matrix/selected_entries.cuh"

extern "C" {
#include "spmat/cuda/vector/cuda_chunk.h"
}

#define CCCL_DISABLE_NVTX
#include <cub/device/device_scan.cuh>

namespace {

// A word after the last counts 0, so that the total precedes it.
__global__ void count_words(const uint32_t *bits, uint64_t words, uint64_t n, uint32_t *before) {
  GRID_FOR(w, words) before[w] = 32 * w < n ? __popc(bits[w]) : 0;
}

__global__ void select_starts(const uint32_t *ptr, uint64_t n, selection_bits k, uint32_t *to) {
  GRID_FOR(r, n + 1) to[r] = selection_rank(k, ptr[r]);
}

__global__ void mark_selected(const uint32_t *idx, uint64_t n, selection_bits k, uint32_t *to,
                              uint32_t *from) {
  GRID_FOR(e, n) {
    if (!is_selected(k, (uint32_t)e)) continue;
    const uint32_t at = selection_rank(k, (uint32_t)e);
    to[at] = idx[e];
    from[at] = (uint32_t)e;
  }
}

uint64_t words_of(uint64_t n) {
  return n / 32 + 2;
}

}  // namespace

extern "C" unsigned grid_cuda_csr_blocks(uint64_t n) {
  return grid_cuda_blocks((n + GRID_CSR_TILE - 1) / GRID_CSR_TILE, 1,
                          32u * (unsigned)grid_cuda_multiprocessors());
}

extern "C" unsigned grid_cuda_thread_blocks(uint64_t n) {
  return grid_cuda_blocks_for(n);
}

extern "C" GrB_Info grid_cuda_selection_make(grid_selection *k, uint64_t n) {
  // bits are also written in words of 64
  const uint64_t words = (words_of(n) + 1) / 2 * 2;
  *k = grid_selection{NULL, NULL, n, 0};
  k->bits = (uint32_t *)grid_device_malloc(words, sizeof *k->bits);
  k->before = (uint32_t *)grid_device_malloc(words, sizeof *k->before);
  if (!k->bits || !k->before) return grid_device_fail_memory(NULL, "marks of entries", words, 8);
  return grid_device_zero(k->bits + n / 32, (words - n / 32) * sizeof *k->bits);
}

extern "C" GrB_Info grid_cuda_selection_count(grid_selection *k) {
  const uint64_t words = words_of(k->n);
  cudaStream_t stream = grid_cuda_stream();
  size_t bytes = 0;
  uint32_t all = 0;
  void *scratch = NULL;
  GrB_Info info;
  count_words<<<grid_cuda_blocks_for(words), 256, 0, stream>>>(k->bits, words, k->n, k->before);
  TRY(grid_cuda_check_launch("counting selected entries"));
  TRY(grid_cuda_check(cub::DeviceScan::ExclusiveSum(NULL, bytes, k->before, k->before, words, stream),
                      "counting selected entries"));
  scratch = grid_device_malloc(bytes, 1);
  if (!scratch) TRY(grid_device_fail_memory(NULL, "counting selected entries", bytes, 1));
  TRY(grid_cuda_check(cub::DeviceScan::ExclusiveSum(scratch, bytes, k->before, k->before, words, stream),
                      "counting selected entries"));
  TRY(grid_cuda_fetch(&all, k->before + words - 1));
  k->count = all;
done:
  grid_device_free(scratch);
  return info;
}

extern "C" void grid_cuda_selection_free(grid_selection *k) {
  grid_device_free(k->bits);
  grid_device_free(k->before);
  *k = grid_selection{NULL, NULL, 0, 0};
}

extern "C" GrB_Info grid_cuda_select_pattern(grid_local_matrix *z, const grid_local_matrix *a,
                                             const grid_selection *k, uint32_t **from) {
  const grid_compressed *c = &a->by_row;
  cudaStream_t stream = grid_cuda_stream();
  z->row.n = a->row.n, z->col.n = a->col.n, z->nvals = k->count;
  z->by_row.ptr = (uint32_t *)grid_device_malloc(a->row.n + 1, sizeof *c->ptr);
  z->by_row.idx = (uint32_t *)grid_device_malloc(k->count, sizeof *c->idx);
  *from = (uint32_t *)grid_device_malloc(k->count, sizeof **from);
  if (!z->by_row.ptr || !z->by_row.idx || !*from)
    return grid_device_fail_memory(NULL, "matrix entries", k->count + a->row.n, 2 * sizeof *c->idx);
  select_starts<<<grid_cuda_blocks_for(a->row.n + 1), 256, 0, stream>>>(c->ptr, a->row.n,
                                                                        selection_bits_of(*k), z->by_row.ptr);
  mark_selected<<<grid_cuda_blocks_for(a->nvals), 256, 0, stream>>>(c->idx, a->nvals, selection_bits_of(*k),
                                                                    z->by_row.idx, *from);
  return grid_cuda_check_launch("keeping entries");
}

extern "C" GrB_Info grid_cuda_pattern(grid_local_matrix *z, const grid_local_matrix *a) {
  GrB_Info info;
  z->row.n = a->row.n, z->col.n = a->col.n, z->nvals = a->nvals;
  z->by_row.ptr = (uint32_t *)grid_device_malloc(a->row.n + 1, sizeof(uint32_t));
  z->by_row.idx = (uint32_t *)grid_device_malloc(a->nvals, sizeof(uint32_t));
  if (!z->by_row.ptr || !z->by_row.idx)
    TRY(grid_device_fail_memory(NULL, "matrix entries", a->nvals + a->row.n, sizeof(uint32_t)));
  TRY(grid_device_copy(z->by_row.ptr, a->by_row.ptr, (a->row.n + 1) * sizeof(uint32_t)));
  TRY(grid_device_copy(z->by_row.idx, a->by_row.idx, a->nvals * sizeof(uint32_t)));
done:
  return info;
}

extern "C" GrB_Info grid_cuda_select_true(grid_selection *k, const grid_local_matrix *m, bool structure,
                                          bool *none) {
  unsigned char truth = 1;
  GrB_Info info = GrB_SUCCESS;
  *none = false;
  if (!structure && m->iso) grid_cast(GrB_BOOL, m->type)(&truth, m->iso_val, 1);
  *none = !truth;
  if (structure || m->iso) {
    *k = grid_selection{NULL, NULL, m->nvals, m->nvals};
    return info;
  }
  TRY(grid_cuda_selection_make(k, m->nvals));
  TRY(grid_cuda_mark_nonzero((uint64_t *)k->bits, NULL, m->by_row.val, m->type, m->nvals));
done:
  return info;
}

// to[k] = from[at[k]] for values of `size` bytes, for C callers.
extern "C" GrB_Info grid_cuda_gather(void *to, const void *from, const uint32_t *at, uint64_t n,
                                     uint64_t size) {
  return n ? grid_cuda_gather_values(to, from, at, n, size) : GrB_SUCCESS;
}
