// Products of matrices: distributes rows to blocks and warps (mxm_work.cu), counts entries, allocates and
// launches. The kernels are in kernels/mxm.cuh.
//
// By a B that has all entries: mxm_full.cu.
// By columns, where there are few and rows of B have entries enough: mxm_columns.cuh.
// By rows: the products of each row are counted. Short rows, which have few entries at most, are multiplied
// at once, each into its own buffer, if there is memory; for others, entries are counted first, from the
// patterns. Then the result is allocated exactly; short rows are copied, long ones computed.
// Under a mask that bounds C: by dots (mxm_dots.cu), or by rows with sums for its entries (mxm_masked.cu).
#include "spmat/cuda/matrix/mxm_columns.cuh"
#include "spmat/cuda/matrix/mxm_run.cuh"
#include "spmat/cuda/matrix/mxm_words.cuh"
#include "spmat/cuda/matrix/rows_of_counts.cuh"

extern "C" {
#include "semiring/support/tuning.h"
#include "spmat/cuda/product/cuda_product.h"
}

#include "spmat/cuda/kernels/mxm.cuh"
#include "spmat/cuda/product/structural_ops.cuh"

namespace {

__global__ void __launch_bounds__(GRID_MXM_THREADS) count_by_block(grid_mxm_job J) {
  grid_mxm_count_by_block(J);
}
__global__ void __launch_bounds__(GRID_MXM_SHORT_THREADS) count_short(grid_mxm_job J) {
  grid_mxm_count_short(J);
}
__global__ void __launch_bounds__(GRID_MXM_THREADS) fill_by_block(grid_mxm_job J, uint8_t a, uint8_t b) {
  grid_mxm_fill_by_block<grid_structural_ops>(J, a, b);
}
__global__ void __launch_bounds__(GRID_MXM_SHORT_THREADS) fill_short(grid_mxm_job J, uint8_t a, uint8_t b) {
  grid_mxm_fill_short<grid_structural_ops>(J, a, b);
}

// Copies short rows from their buffers to their positions; a warp a row. T: a type of the value's size.
template <class T>
__global__ void copy_short(const uint32_t *list, uint32_t rows, const uint32_t *c_start, const uint32_t *idx,
                           const T *val, uint32_t *c_idx, T *c) {
  const unsigned lane = threadIdx.x & 31;
  for (uint64_t k = (blockIdx.x * (uint64_t)blockDim.x + threadIdx.x) / 32; k < rows;
       k += gridDim.x * (uint64_t)blockDim.x / 32) {
    const uint32_t r = list[k], to = c_start[r], n = c_start[r + 1] - to;
    for (uint32_t i = lane; i < n; i += 32) {
      c_idx[to + i] = idx[k * GRID_MXM_SHORT + i];
      if (c) c[to + i] = val[k * GRID_MXM_SHORT + i];
    }
  }
}

enum : uint64_t {
  OTHER_SHARED = 27 << 10,        // bytes of shared memory of a block that bitmaps and sums leave
  WORK_SPACE = UINT64_C(8) << 30  // bytes of device memory of all blocks
};

// Bitmaps and sums for rows of blocks: where they lie, and how many blocks run.
GrB_Info size_dense(grid_mxm_run *x, size_t value, unsigned *blocks, size_t *shared) {
  grid_mxm_job *J = &x->J;
  const uint64_t words = GRID_MXM_WORDS(J->n) * (J->masked ? 2 : 1) + GRID_MXM_SPARSE(J->n),
                 bit_bytes = (4 * words + 15) / 16 * 16, sum_bytes = (J->n * value + 15) / 16 * 16;
  const grid_cuda_limit limits = grid_cuda_limits();
  const uint64_t most_shared = limits.shared - OTHER_SHARED;
  GrB_Info info;
  grid_device_free(x->bits);
  grid_device_free(x->sums);
  x->bits = x->sums = NULL;
  J->shared_bits = bit_bytes <= most_shared;
  J->shared_sums = value && J->shared_bits && bit_bytes + sum_bytes <= most_shared;
  *shared = (J->shared_bits ? bit_bytes : 0) + (J->shared_sums ? sum_bytes : 0);
  *blocks = grid_cuda_mxm_blocks(*shared, x->rows.by_block);
  {
    const uint64_t block_bytes = (J->shared_bits ? 0 : 4 * words) + (J->shared_sums ? 0 : sum_bytes);
    const uint64_t left = grid_device_free_bytes() / 2, capacity = left < WORK_SPACE ? left : WORK_SPACE;
    if (block_bytes && *blocks > capacity / block_bytes)
      *blocks = capacity / block_bytes ? (unsigned)(capacity / block_bytes) : 1;
    // Keeping sums in the second-level cache gains more than additional blocks: on an H100, which has 50 MiB,
    // up to about 64 of sums.
    const unsigned two = 2 * (unsigned)grid_cuda_multiprocessors();
    const uint64_t l2 = limits.l2 / 4 * 5;
    if (value && !J->shared_sums && *blocks > two && *blocks * sum_bytes > l2)
      *blocks = l2 / sum_bytes > two ? (unsigned)(l2 / sum_bytes) : two;
  }
  if (!J->shared_bits) {
    x->bits = grid_device_malloc(*blocks * words, 4);
    if (!x->bits) TRY(grid_device_fail_memory(NULL, "bitmaps of rows", *blocks * words, 4));
    TRY(grid_device_zero(x->bits, *blocks * words * 4));
  }
  if (value && !J->shared_sums) {
    x->sums = grid_device_malloc(*blocks * J->n + 2, value);
    if (!x->sums) TRY(grid_device_fail_memory(NULL, "sums of rows", *blocks * J->n, value));
  }
  J->bits = (uint32_t *)x->bits, J->sums = x->sums;
done:
  return info;
}

GrB_Info run_by_block(grid_mxm_run *x, const void *kernel, size_t value, const void *a1, const void *b1,
                      const char *what) {
  unsigned blocks = 1;
  size_t shared = 0;
  GrB_Info info = GrB_SUCCESS;
  if (!x->rows.by_block) return info;
  TRY(size_dense(x, value, &blocks, &shared));
  info = grid_cuda_mxm_launch(x, kernel, true, blocks, shared, a1, b1, what);
done:
  return info;
}
GrB_Info run_by_warp(grid_mxm_run *x, const void *kernel, size_t value, const void *a1, const void *b1,
                     const char *what) {
  const size_t shared = value * GRID_MXM_SLOTS * (GRID_MXM_SHORT_THREADS / 32);
  if (!x->rows.by_warp) return GrB_SUCCESS;
  return grid_cuda_mxm_launch(x, kernel, false, grid_cuda_mxm_warp_blocks(x->rows.by_warp), shared, a1, b1,
                              what);
}

void free_running(grid_mxm_run *x) {
  grid_device_free(x->rows.list);
  grid_device_free(x->next);
  grid_device_free(x->bits);
  grid_device_free(x->sums);
}

const uint64_t zero_value[GRID_DEVICE_VALUE_MAX / sizeof(uint64_t)] = {0};

// ---- by rows -------------------------------------------------------------------------------------------

// Short rows that are not counted beforehand: each has its own buffer.
struct uncounted {
  uint32_t *idx;
  void *val;
};

// Is there memory for those? *a: the memory.
GrB_Info make_uncounted_buffers(uncounted *a, const grid_mxm_run *x, size_t value) {
  const uint64_t capacity = (uint64_t)x->rows.by_warp * GRID_MXM_SHORT;
  GrB_Info info = GrB_SUCCESS;
  if (!x->rows.by_warp || capacity * (sizeof *a->idx + value) > grid_device_free_bytes() / 4) return info;
  a->idx = (uint32_t *)grid_device_malloc(capacity, sizeof *a->idx);
  if (value) a->val = grid_device_malloc(capacity, value);
  if (!a->idx || (value && !a->val))
    TRY(grid_device_fail_memory(NULL, "short rows of a product", capacity, sizeof *a->idx + value));
done:
  return info;
}

template <class T>
void launch_copy(const grid_mxm_run *x, const uncounted *a) {
  copy_short<T><<<grid_cuda_mxm_warp_blocks(x->rows.by_warp), 256, 0, grid_cuda_stream()>>>(
      x->rows.list + x->rows.by_block, x->rows.by_warp, x->J.c_start, a->idx, (const T *)a->val, x->J.c_idx,
      (T *)x->J.c);
}

GrB_Info copy_uncounted_rows(const grid_mxm_run *x, const uncounted *a, size_t value) {
  switch (value) {
    case 0:
    case 1:
      launch_copy<uint8_t>(x, a);
      break;
    case 2:
      launch_copy<uint16_t>(x, a);
      break;
    case 4:
      launch_copy<uint32_t>(x, a);
      break;
    default:
      launch_copy<uint64_t>(x, a);
  }
  return grid_cuda_check_launch("short rows of a product");
}

GrB_Info multiply_rows(grid_mxm_run *x, grid_local_matrix *t, const grid_lmat_product *m) {
  const void *a1 = x->a1, *b1 = x->b1;
  const size_t value = m->constant ? 0 : t->type->size;
  const bool even = value <= 2 || value == 4 || value == 8;  // short rows can be copied
  uint64_t *count = NULL;
  uncounted a = {};
  grid_mxm_code code = {(void *)fill_by_block, (void *)fill_short};
  GrB_Info info;
  if (value) TRY(grid_mxm_compile(&code, m, GRID_MXM_ROWS));
  count = (uint64_t *)grid_device_malloc(m->rows + 1, sizeof *count);
  if (!count) TRY(grid_device_fail_memory(NULL, "entries of rows", m->rows + 1, sizeof *count));
  TRY(grid_device_zero(count, (m->rows + 1) * sizeof *count));
  x->J.count = count, x->J.n = m->n;
  if (even) TRY(make_uncounted_buffers(&a, x, value));
  x->J.uncounted = a.idx != NULL;
  x->J.c_idx = a.idx, x->J.c = a.val;
  TRY(run_by_block(x, (const void *)count_by_block, 0, zero_value, zero_value,
                   "counting the entries of a product"));
  if (a.idx)
    TRY(run_by_warp(x, code.by_warp, value, a1, b1, "a product of matrices"));
  else
    TRY(run_by_warp(x, (const void *)count_short, 0, zero_value, zero_value,
                    "counting the entries of a product"));
  x->J.uncounted = false;
  TRY(grid_cuda_rows_of_counts(t, count, m->rows));
  grid_device_free(count);
  count = NULL;
  if (value) t->by_row.val = grid_device_malloc(t->nvals, value);
  if (value && !t->by_row.val) TRY(grid_device_fail_memory(NULL, "entries of a product", t->nvals, value));
  x->J.c_start = t->by_row.ptr, x->J.c_idx = t->by_row.idx, x->J.c = t->by_row.val;
  TRY(run_by_block(x, code.by_block, value, a1, b1, "a product of matrices"));
  if (a.idx)
    TRY(copy_uncounted_rows(x, &a, value));
  else
    TRY(run_by_warp(x, code.by_warp, value, a1, b1, "a product of matrices"));
done:
  grid_device_free(a.idx);
  grid_device_free(a.val);
  grid_device_free(count);
  return info;
}

// ---- by columns ----------------------------------------------------------------------------------------

GrB_Info multiply_columns(grid_mxm_run *x, grid_local_matrix *t, const grid_lmat_product *m) {
  const void *a1 = x->a1, *b1 = x->b1;
  const size_t value = t->type->size, of_warp = m->n * value, of_block = of_warp * (GRID_MXM_THREADS / 32);
  uint64_t *count = NULL;
  grid_mxm_code code = {};
  GrB_Info info;
  TRY(grid_mxm_compile(&code, m, GRID_MXM_COLUMN_SUMS));
  count = (uint64_t *)grid_device_malloc(m->rows + 1, sizeof *count);
  x->bits = grid_device_malloc(m->rows * (GRID_MXM_COLUMNS / 32), sizeof(uint32_t));
  x->sums = grid_device_malloc(m->rows * m->n, value);
  if (!count || !x->bits || !x->sums)
    TRY(grid_device_fail_memory(NULL, "a product by columns", m->rows * m->n, value));
  TRY(grid_device_zero(count, (m->rows + 1) * sizeof *count));
  x->J.count = count, x->J.n = m->n, x->J.row_bits = (uint32_t *)x->bits, x->J.row_values = x->sums;
  if (x->rows.by_block)
    TRY(grid_cuda_mxm_launch(x, code.by_block, true, grid_cuda_mxm_blocks(of_block, x->rows.by_block),
                             of_block, a1, b1, "a product by columns"));
  if (x->rows.by_warp)
    TRY(grid_cuda_mxm_launch(x, code.by_warp, false, grid_cuda_mxm_warp_blocks(x->rows.by_warp),
                             of_warp * (GRID_MXM_SHORT_THREADS / 32), a1, b1, "a product by columns"));
  info = grid_cuda_rows_of_columns(t, count, x->J.row_bits, x->sums, m->rows, m->n);
done:
  grid_device_free(count);
  return info;
}

}  // namespace

extern "C" GrB_Info grid_cuda_multiply(grid_local_matrix *t, const grid_lmat_product *m) {
  grid_mxm_run x;
  grid_selection truth = {};
  bool none = false, dots = false, masked = m->mask != NULL;
  const bool bounded = masked && !m->mask_complement;
  GrB_Info info = grid_cuda_scale(t, m);
  if (info != GRID_UNSUPPORTED || m->b_rows_restricted) return info;
  info = GrB_SUCCESS;
  memset(&x, 0, sizeof x);
  x.a1 = m->a_iso ? m->a_iso : zero_value, x.b1 = m->b_iso ? m->b_iso : zero_value;
  if (masked) TRY(grid_cuda_select_true(&truth, m->mask, m->structure, &none));
  if (none && bounded) goto done;
  masked = masked && !none;
  t->row.n = t->row.dim, t->col.n = t->col.dim;
  if (grid_cuda_is_product_of_words(m)) {
    TRY(grid_cuda_multiply_words(t, m, masked ? &truth : NULL));
  } else {
    TRY(grid_cuda_find_full_columns(&x.full_columns, m));
    x.by_column = !x.full_columns && grid_cuda_is_product_by_columns(m, t->type->size);
    TRY(grid_cuda_mxm_divide(&x, m, bounded, &dots));
    x.J.masked = masked, x.J.mask_complement = m->mask_complement;
    if (masked) x.J.m_ptr = m->mask->by_row.ptr, x.J.m_idx = m->mask->by_row.idx, x.J.m_bits = truth.bits;
    TRY(dots             ? grid_cuda_mxm_dots(&x, t, m)
        : x.masked_sums  ? grid_cuda_mxm_masked(&x, t, m)
        : x.full_columns ? grid_cuda_mxm_full(&x, t, m)
        : x.by_column    ? multiply_columns(&x, t, m)
                         : multiply_rows(&x, t, m));
  }
  if (m->constant) info = grid_lmat_set_iso(t, m->constant);
done:
  grid_cuda_selection_free(&truth);
  free_running(&x);
  return info;
}
