// The region of an assignment, a set of rows and a set of columns: the entries of a local matrix in it, and
// filling it with a value.
#include "spmat/cuda/matrix/selected_entries.cuh"

extern "C" {
#include "semiring/support/tuning.h"
}

namespace {

enum { THREADS = GRID_CSR_THREADS };

__global__ void set_bits(const uint64_t *list, uint64_t first, uint64_t n, uint64_t dim, uint32_t *bits) {
  GRID_FOR(k, n) {
    const uint64_t i = list ? list[k] : first + k;
    if (i < dim) atomicOr(bits + i / 32, 1u << (i & 31));
  }
}

__device__ bool has_bit(const uint32_t *bits, uint64_t i) {
  return bits[i >> 5] >> (i & 31) & 1;
}

// bit e: does entry e lie in the region (in), or not, and is it one of `also` (NULL: all)?
__global__ void __launch_bounds__(THREADS)
    mark_region(grid_csr_pattern m, const uint32_t *rows, const uint32_t *cols, bool in, const uint32_t *also,
                uint32_t *bits) {
  grid_csr_for_each(m, [&](bool active, uint64_t e, uint64_t lo, uint64_t hi) {
    bool yes = false;
    if (active) yes = (has_bit(cols, m.idx[e]) && has_bit(rows, grid_csr_find_row(m.ptr, lo, hi, e))) == in;
    const uint32_t word = __ballot_sync(~0u, yes);
    if ((threadIdx.x & 31) == 0) bits[e >> 5] = also ? word & also[e >> 5] : word;
  });
}

// All positions: each of the rows has all of the columns.
__global__ void full_starts(selection_bits rows, uint64_t n, uint64_t cols, uint32_t *ptr) {
  GRID_FOR(r, n + 1) ptr[r] = (uint32_t)(selection_rank(rows, (uint32_t)r) * cols);
}
__global__ void list_cols(selection_bits cols, uint64_t n, uint32_t *list) {
  GRID_FOR(c, n) if (is_selected(cols, (uint32_t)c)) list[selection_rank(cols, (uint32_t)c)] = (uint32_t)c;
}
__global__ void full_entries(const uint32_t *list, uint64_t cols, uint64_t n, uint32_t *idx) {
  GRID_FOR(e, n) idx[e] = list[e % cols];
}

// k (made here): the indices below dim that are in the set.
GrB_Info find_indices(grid_selection *k, const grid_index_set *s, uint64_t dim) {
  uint64_t *list = NULL;
  GrB_Info info;
  TRY(grid_cuda_selection_make(k, dim));
  TRY(grid_device_zero(k->bits, (dim / 32 + 1) * sizeof *k->bits));
  if (s->list) TRY(grid_device_send(&list, s->list, s->n, sizeof *list, "indices of rows or columns"));
  if (s->n)
    set_bits<<<grid_cuda_blocks_for(s->n), 256, 0, grid_cuda_stream()>>>(list, s->first, s->n, dim, k->bits);
  TRY(grid_cuda_check_launch("indices of rows or columns"));
done:
  grid_device_free(list);
  return info;
}

}  // namespace

extern "C" GrB_Info grid_cuda_select_region(grid_selection *k, const grid_local_matrix *p,
                                            const grid_region *s, bool in) {
  grid_selection rows = {}, cols = {};
  const bool also = k->bits != NULL;
  GrB_Info info;
  TRY(find_indices(&rows, &s->rows, p->row.n));
  TRY(find_indices(&cols, &s->cols, p->col.n));
  if (!also) TRY(grid_cuda_selection_make(k, p->nvals));
  mark_region<<<grid_cuda_csr_blocks(p->nvals), THREADS, 0, grid_cuda_stream()>>>(
      grid_csr_pattern_of(p), rows.bits, cols.bits, in, also ? k->bits : NULL, k->bits);
  TRY(grid_cuda_check_launch("entries of a region"));
done:
  grid_cuda_selection_free(&rows);
  grid_cuda_selection_free(&cols);
  return info;
}

extern "C" GrB_Info grid_cuda_lmat_fill_region(grid_local_matrix *t, const void *x, const grid_region *s) {
  grid_selection rows = {}, cols = {};
  uint32_t *list = NULL;
  uint64_t n;
  cudaStream_t stream = grid_cuda_stream();
  GrB_Info info = GrB_SUCCESS;
  if (grid_axis_is_too_long(t->row.dim, s->rows.n) || grid_axis_is_too_long(t->col.dim, s->cols.n))
    return GRID_UNSUPPORTED;
  TRY(find_indices(&rows, &s->rows, t->row.dim));
  TRY(find_indices(&cols, &s->cols, t->col.dim));
  TRY(grid_cuda_selection_count(&rows));
  TRY(grid_cuda_selection_count(&cols));
  n = rows.count * cols.count;
  if (n >= grid_tune.offsets64_from) TRY(GRID_UNSUPPORTED);
  if (n == 0) goto done;
  t->by_row.ptr = (uint32_t *)grid_device_malloc(t->row.dim + 1, sizeof(uint32_t));
  t->by_row.idx = (uint32_t *)grid_device_malloc(n, sizeof(uint32_t));
  list = (uint32_t *)grid_device_malloc(cols.count, sizeof *list);
  if (!t->by_row.ptr || !t->by_row.idx || !list)
    TRY(grid_device_fail_memory(NULL, "a value at all positions", n, sizeof(uint32_t)));
  full_starts<<<grid_cuda_blocks_for(t->row.dim + 1), 256, 0, stream>>>(selection_bits_of(rows), t->row.dim,
                                                                        cols.count, t->by_row.ptr);
  list_cols<<<grid_cuda_blocks_for(t->col.dim), 256, 0, stream>>>(selection_bits_of(cols), t->col.dim, list);
  full_entries<<<grid_cuda_blocks_for(n), 256, 0, stream>>>(list, cols.count, n, t->by_row.idx);
  TRY(grid_cuda_check_launch("a value at all positions"));
  t->nvals = n;
  t->row.n = t->row.dim, t->col.n = t->col.dim;
  info = grid_lmat_set_iso(t, x);
done:
  grid_cuda_selection_free(&rows);
  grid_cuda_selection_free(&cols);
  grid_device_free(list);
  return info;
}
