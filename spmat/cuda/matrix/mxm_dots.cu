// Products of matrices by dots, under a mask that bounds C. The kernels are in kernels/mxm_dots.cuh and
// mxm_hub_bits.cuh.
#include "spmat/cuda/build/keys.cuh"
#include "spmat/cuda/matrix/mxm_hub_bits.cuh"
#include "spmat/cuda/matrix/mxm_run.cuh"

#include "spmat/cuda/kernels/mxm_dots.cuh"
#include "spmat/cuda/product/structural_ops.cuh"

namespace {

__global__ void __launch_bounds__(GRID_MXM_THREADS) dots_by_block(grid_mxm_job J, uint8_t a, uint8_t b) {
  grid_mxm_dots_by_block<grid_structural_ops>(J, a, b);
}
__global__ void __launch_bounds__(GRID_MXM_SHORT_THREADS) dots_short(grid_mxm_job J, uint8_t a, uint8_t b) {
  grid_mxm_dots_short<grid_structural_ops>(J, a, b);
}

__global__ void __launch_bounds__(GRID_MXM_SHORT_THREADS)
    dots_by_entry(grid_mxm_job J, uint8_t a, uint8_t b) {
  grid_mxm_dots_by_entry<grid_structural_ops>(J, a, b);
}

__global__ void count_inner(const uint32_t *idx, uint64_t n, uint32_t *count) {
  GRID_FOR(e, n) atomicAdd(&count[idx[e]], 1u);
}
__global__ void rank_keys(const uint32_t *count, uint64_t n, uint64_t *key) {
  GRID_FOR(k, n) key[k] = (uint64_t)~count[k] << 32 | k;
}
__global__ void store_ranks(const uint64_t *key, uint64_t n, uint32_t *rank) {
  GRID_FOR(i, n) rank[(uint32_t)key[i]] = (uint32_t)i;
}
__global__ void rename_entries(const uint32_t *idx, uint64_t n, const uint32_t *rank, uint32_t *to) {
  GRID_FOR(e, n) to[e] = rank[idx[e]];
}

// Ranks of inner indices by their number of entries in A; a and b: ranks of the entries.
GrB_Info make_ranks(const grid_lmat_product *m, uint32_t **a, uint32_t **b) {
  const uint64_t n = m->inner;
  const bool same = m->a->idx == m->bt->idx;
  grid_keys k = {NULL, NULL, n};
  uint32_t *count = NULL;
  cudaStream_t stream = grid_cuda_stream();
  GrB_Info info;
  count = (uint32_t *)grid_device_malloc(n, sizeof *count);
  k.at = (uint64_t *)grid_device_malloc(n, sizeof *k.at);
  k.other = (uint64_t *)grid_device_malloc(n, sizeof *k.other);
  *a = (uint32_t *)grid_device_malloc(m->a_nvals, sizeof **a);
  if (!same) *b = (uint32_t *)grid_device_malloc(m->b_nvals, sizeof **b);
  if (!count || !k.at || !k.other || !*a || (!same && !*b))
    TRY(grid_device_fail_memory(NULL, "ranks of inner indices", m->a_nvals + m->b_nvals, sizeof **a));
  TRY(grid_device_zero(count, n * sizeof *count));
  count_inner<<<grid_cuda_blocks_for(m->a_nvals), 256, 0, stream>>>(m->a->idx, m->a_nvals, count);
  rank_keys<<<grid_cuda_blocks_for(n), 256, 0, stream>>>(count, n, k.at);
  TRY(grid_cuda_check_launch("ranks of inner indices"));
  TRY(grid_cuda_sort(&k, 32, 32));
  store_ranks<<<grid_cuda_blocks_for(n), 256, 0, stream>>>(k.at, n, count);
  rename_entries<<<grid_cuda_blocks_for(m->a_nvals), 256, 0, stream>>>(m->a->idx, m->a_nvals, count, *a);
  if (!same)
    rename_entries<<<grid_cuda_blocks_for(m->b_nvals), 256, 0, stream>>>(m->bt->idx, m->b_nvals, count, *b);
  info = grid_cuda_check_launch("ranks of inner indices");
done:
  grid_cuda_keys_free(&k);
  grid_device_free(count);
  return info;
}

// Bytes of shared memory for the bits of a row: four blocks share a multiprocessor. (R-MAT 22, triangles: 131
// ms with 96 KB, 104 with 64, 91 with 48.)
const size_t SMEM_BYTES = 48 << 10;

// Rows of blocks. Inner indices are ranked where shared memory has no room for all, and for hubs as bits.
GrB_Info multiply_long_dots(grid_mxm_run *x, const grid_lmat_product *m, GrB_Type type, const void *kernel,
                            const void *a1, const void *b1) {
  grid_mxm_job *J = &x->J;
  const uint64_t words = (m->inner + 31) / 32, unit_bytes = (4 * words + 15) / 16 * 16;
  const size_t shared = unit_bytes < SMEM_BYTES ? unit_bytes : SMEM_BYTES;
  const unsigned blocks = grid_cuda_mxm_blocks(shared, x->rows.by_block);
  const bool hubs = grid_hub_vectors_may_pay(m, x->inspected);
  uint32_t *a_rank = NULL, *b_rank = NULL;
  grid_hub_vectors h = {};
  GrB_Info info = GrB_SUCCESS;
  if (!x->rows.by_block) return info;
  J->smem = (uint32_t)(m->inner < 8 * SMEM_BYTES ? m->inner : 8 * SMEM_BYTES);
  if (J->smem < m->inner || hubs) {
    TRY(make_ranks(m, &a_rank, &b_rank));
    J->a_rank = a_rank, J->b_rank = b_rank ? b_rank : a_rank;
  }
  if (hubs) TRY(grid_hub_vectors_make(&h, m, J->b_rank, J->smem));
  if (J->smem < m->inner) {
    x->bits = grid_device_malloc(blocks * words, 4);
    if (!x->bits) TRY(grid_device_fail_memory(NULL, "bitmaps of rows", blocks * words, 4));
    TRY(grid_device_zero(x->bits, blocks * words * 4));
    J->bits = (uint32_t *)x->bits;
  }
  if (h.bits) kernel = grid_hub_kernel(type), a1 = &h;
  info = grid_cuda_mxm_launch(x, kernel, true, blocks, shared, a1, b1, "dot products of rows");
done:
  grid_device_free(a_rank);
  grid_device_free(b_rank);
  grid_hub_vectors_free(&h);
  return info;
}

GrB_Info multiply_by_rows(grid_mxm_run *x, const grid_lmat_product *m, GrB_Type type,
                          const grid_mxm_code *code, const void *a1, const void *b1) {
  GrB_Info info;
  TRY(multiply_long_dots(x, m, type, code->by_block, a1, b1));
  if (x->rows.by_warp)
    info = grid_cuda_mxm_launch(x, code->by_warp, false, grid_cuda_mxm_warp_blocks(x->rows.by_warp), 0, a1,
                                b1, "dot products of short rows");
done:
  return info;
}

GrB_Info multiply_by_entries(const grid_mxm_run *x, const grid_lmat_product *m, const grid_mxm_code *code,
                             const void *a1, const void *b1) {
  grid_mxm_job J = x->J;
  void *args[] = {&J, const_cast<void *>(a1), const_cast<void *>(b1)};
  J.m_rows = m->rows, J.m_entries = m->mask->nvals;
  return grid_jit_launch(code->by_warp, grid_cuda_mxm_warp_blocks(J.m_entries / 32 + 1),
                         GRID_MXM_SHORT_THREADS, args, "dot products of entries");
}

}  // namespace

extern "C" GrB_Info grid_cuda_mxm_dots(grid_mxm_run *x, grid_local_matrix *t, const grid_lmat_product *m) {
  const void *a1 = x->a1, *b1 = x->b1;
  const size_t value = m->constant ? 0 : t->type->size;
  grid_mxm_code code = {(void *)dots_by_block, x->by_entry ? (void *)dots_by_entry : (void *)dots_short};
  grid_masked_sums sums = {};
  GrB_Info info;
  if (value) TRY(grid_mxm_compile(&code, m, x->by_entry ? GRID_MXM_DOTS_BY_ENTRY : GRID_MXM_DOTS));
  TRY(grid_masked_sums_make(&sums, x, m, value));
  x->J.b_ptr = m->bt->ptr, x->J.b_idx = m->bt->idx, x->J.b = m->b_iso ? NULL : m->bt->val;
  x->J.n = m->inner;
  TRY(x->by_entry ? multiply_by_entries(x, m, &code, a1, b1)
                  : multiply_by_rows(x, m, t->type, &code, a1, b1));
  info = grid_masked_sums_keep(t, &sums, m->mask);
done:
  grid_masked_sums_free(&sums);
  return info;
}
