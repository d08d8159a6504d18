// Products of matrices: distributes rows to blocks and warps, counts entries, allocates and launches. The
// kernels are in kernels/mxm.cuh.
//
// By columns, where there are few and rows of B have entries enough: mxm_columns.cuh.
// By rows: the products of each row are counted. Short rows, which have few entries at most, are multiplied
// at once, each into its own buffer, if there is memory; for others, entries are counted first, from the
// patterns. Then the result is allocated exactly; short rows are copied, long ones computed. By dots, under a
// mask that bounds C: a value and a bit for each of the mask's entries; those with a set bit are kept.
#include "spmat/cuda/matrix/mxm_columns.cuh"
#include "spmat/cuda/matrix/mxm_hub_bits.cuh"
#include "spmat/cuda/matrix/mxm_words.cuh"
#include "spmat/cuda/matrix/rows_of_counts.cuh"

extern "C" {
#include "semiring/support/tuning.h"
#include "spmat/cuda/product/cuda_product.h"
}

#include "spmat/cuda/kernels/mxm.cuh"

namespace {

// Bucket k: 2^(k-1) <= work < 2^k; 0: none. Rows of the first ones are computed by warps.
enum { BUCKETS = 64, SHORT_BUCKETS = 7, SHORT_BUCKETS_BY_COLUMN = 15 };
static_assert(1 << (SHORT_BUCKETS - 1) == GRID_MXM_SHORT, "short rows are whole buckets");

struct pattern_ops {
  typedef uint8_t z_t, a_t, x_t;
  enum : bool {
    structural = true,
    any = true,
    positional = false,
    uses_a_values = false,
    uses_x_values = false
  };
  enum : int { native = GRID_BY_CAS };
};

__global__ void __launch_bounds__(GRID_MXM_THREADS) count_by_block(grid_mxm_job J) {
  grid_mxm_count_by_block(J);
}
__global__ void __launch_bounds__(GRID_MXM_SHORT_THREADS) count_short(grid_mxm_job J) {
  grid_mxm_count_short(J);
}
__global__ void __launch_bounds__(GRID_MXM_THREADS) fill_by_block(grid_mxm_job J, uint8_t a, uint8_t b) {
  grid_mxm_fill_by_block<pattern_ops>(J, a, b);
}
__global__ void __launch_bounds__(GRID_MXM_SHORT_THREADS) fill_short(grid_mxm_job J, uint8_t a, uint8_t b) {
  grid_mxm_fill_short<pattern_ops>(J, a, b);
}
__global__ void __launch_bounds__(GRID_MXM_THREADS) dots_by_block(grid_mxm_job J, uint8_t a, uint8_t b) {
  grid_mxm_dots_by_block<pattern_ops>(J, a, b);
}
__global__ void __launch_bounds__(GRID_MXM_SHORT_THREADS) dots_short(grid_mxm_job J, uint8_t a, uint8_t b) {
  grid_mxm_dots_short<pattern_ops>(J, a, b);
}

// ---- work
// ---------------------------------------------------------------------------------------------------------

// Rows of x whose entries name vectors of y: work[r] = the entries of those; *all: the sum over rows. LANES
// threads a row, whole warps.
template <int LANES>
__global__ void sum_work(const uint32_t *x_ptr, const uint32_t *x_idx, const uint32_t *y_ptr, uint64_t rows,
                         uint64_t *work, unsigned long long *all) {
  const unsigned lane = threadIdx.x % LANES, groups = blockDim.x / LANES;
  const uint64_t whole = (rows + 32 / LANES - 1) / (32 / LANES) * (32 / LANES);
  unsigned long long own = 0;
  for (uint64_t r = blockIdx.x * (uint64_t)groups + threadIdx.x / LANES; r < whole;
       r += gridDim.x * (uint64_t)groups) {
    unsigned long long sum = 0;
    const uint32_t end = r < rows ? x_ptr[r + 1] : 0;
    for (uint32_t e = r < rows ? x_ptr[r] + lane : 0; e < end; e += LANES) {
      const uint32_t k = x_idx[e];
      sum += y_ptr[k + 1] - y_ptr[k];
    }
    for (int d = LANES / 2; d > 0; d /= 2) sum += __shfl_down_sync(~0u, sum, d, LANES);
    if (lane == 0 && r < rows) work[r] = sum, own += sum;
  }
  for (int d = 16; d > 0; d /= 2) own += __shfl_down_sync(~0u, own, d);
  if (threadIdx.x % 32 == 0 && own) atomicAdd(all, own);
}

// Rows that the mask or A leaves empty have no work; a dot row for a long row of A is computed by a block.
__global__ void adjust_work(uint64_t *work, uint64_t rows, const uint32_t *a_ptr, const uint32_t *m_ptr,
                            bool dots) {
  GRID_FOR(r, rows) {
    const uint32_t a = a_ptr[r + 1] - a_ptr[r];
    if (work[r] == 0) continue;
    if (a == 0 || (m_ptr && m_ptr[r + 1] == m_ptr[r])) {
      work[r] = 0;
    } else if (dots) {  // in the scale of short rows
      const bool is_short = a <= GRID_MXM_DOTS_SHORT && work[r] < GRID_MXM_DOTS_INSPECTED;
      work[r] = is_short                   ? 1 + work[r] / (GRID_MXM_DOTS_INSPECTED / 32)
                : work[r] < GRID_MXM_SHORT ? GRID_MXM_SHORT
                                           : work[r];
    }
  }
}

__device__ int bucket_of(uint64_t work) {
  return 64 - __clzll((long long)work);
}
__global__ void count_buckets(const uint64_t *work, uint64_t rows, unsigned long long *count) {
  __shared__ unsigned long long own[BUCKETS + 1];
  for (int k = threadIdx.x; k <= BUCKETS; k += blockDim.x) own[k] = 0;
  __syncthreads();
  GRID_FOR(r, rows) atomicAdd(&own[bucket_of(work[r])], 1ull);
  __syncthreads();
  for (int k = threadIdx.x; k <= BUCKETS; k += blockDim.x)
    if (own[k]) atomicAdd(&count[k], own[k]);
}
__global__ void fill_buckets(const uint64_t *work, uint64_t rows, unsigned long long *at, uint32_t *list) {
  const unsigned lane = threadIdx.x & 31;
  GRID_FOR(r, rows) {
    const int k = bucket_of(work[r]);
    // one atomic addition for all rows of the warp in a class
    const unsigned same = __match_any_sync(__activemask(), k), first = __ffs(same) - 1;
    unsigned long long position = 0;
    if (k && lane == first) position = atomicAdd(&at[k], (unsigned long long)__popc(same));
    position = __shfl_sync(same, position, (int)first) + __popc(same & ((1u << lane) - 1));
    if (k) list[position] = (uint32_t)r;
  }
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

// Rows with work: those for blocks first, longest first.
struct shares {
  uint32_t *list;
  uint32_t by_block, by_warp;
};

GrB_Info share_rows(shares *s, const uint64_t *work, uint64_t rows, int short_buckets) {
  unsigned long long *at = (unsigned long long *)grid_device_malloc(BUCKETS + 1, sizeof *at),
                     count[BUCKETS + 1];
  cudaStream_t stream = grid_cuda_stream();
  uint64_t sum = 0;
  GrB_Info info =
      at ? GrB_SUCCESS : grid_device_fail_memory(NULL, "classes of rows", BUCKETS + 1, sizeof *at);
  TRY(info);
  TRY(grid_device_zero(at, (BUCKETS + 1) * sizeof *at));
  count_buckets<<<grid_cuda_blocks_for(rows), 256, 0, stream>>>(work, rows, at);
  TRY(grid_cuda_check_launch("classes of rows"));
  TRY(grid_device_get(count, at, sizeof count));
  s->by_block = s->by_warp = 0;
  for (int k = BUCKETS; k > 0; k--) {
    const uint64_t bin_count = count[k];
    count[k] = sum;
    sum += bin_count;
    if (k >= short_buckets)
      s->by_block += (uint32_t)bin_count;
    else
      s->by_warp += (uint32_t)bin_count;
  }
  s->list = (uint32_t *)grid_device_malloc(sum, sizeof *s->list);
  if (!s->list) TRY(grid_device_fail_memory(NULL, "rows of a product", sum, sizeof *s->list));
  TRY(grid_device_write(at, count, sizeof count));
  fill_buckets<<<grid_cuda_blocks_for(rows), 256, 0, stream>>>(work, rows, at, s->list);
  info = grid_cuda_check_launch("classes of rows");
done:
  grid_device_free(at);
  return info;
}

// ---- launches
// -----------------------------------------------------------------------------------------------------

// Number of blocks that run concurrently, limited by shared memory. Each takes one row after the other, so
// that more would not help.
unsigned blocks_of(size_t shared, uint64_t rows) {
  const grid_cuda_limit limits = grid_cuda_limits();
  const size_t own = 8 << 10, each = limits.shared / (shared + own), most = limits.threads / GRID_MXM_THREADS;
  const unsigned blocks = (unsigned)grid_cuda_multiprocessors() * (unsigned)(each < 1      ? 1
                                                                             : each < most ? each
                                                                                           : most);
  return blocks < rows ? blocks : (unsigned)rows;
}

// Rows of warps are taken in a grid-stride loop.
unsigned warp_blocks(uint64_t rows) {
  return grid_cuda_blocks(rows, GRID_MXM_SHORT_THREADS / 32, 32u * (unsigned)grid_cuda_multiprocessors());
}

struct mxm_run {
  grid_mxm_job J;
  shares rows;
  uint32_t *next;  // the next row
  void *bits, *sums;
  uint64_t inspected;  // dots: entries of B that the mask's entries look up
};

GrB_Info launch(const mxm_run *x, const void *kernel, bool by_block, unsigned blocks, size_t shared,
                const void *a1, const void *b1, const char *what) {
  grid_mxm_job J = x->J;
  GrB_Info info;
  J.list = by_block ? x->rows.list : x->rows.list + x->rows.by_block;
  J.rows = by_block ? x->rows.by_block : x->rows.by_warp;
  J.next = x->next;
  TRY(grid_device_zero(x->next, sizeof *x->next));
  {
    void *args[] = {&J, const_cast<void *>(a1), const_cast<void *>(b1)};
    info = grid_jit_launch_shared(const_cast<void *>(kernel), blocks,
                                  by_block ? GRID_MXM_THREADS : GRID_MXM_SHORT_THREADS, shared, args, what);
  }
done:
  return info;
}

enum : uint64_t {
  OTHER_SHARED = 27 << 10,        // bytes of shared memory of a block that bitmaps and sums leave
  WORK_SPACE = UINT64_C(8) << 30  // bytes of device memory of all blocks
};

// Bitmaps and sums for rows of blocks: where they lie, and how many blocks run.
GrB_Info size_dense(mxm_run *x, size_t value, unsigned *blocks, size_t *shared) {
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
  *blocks = blocks_of(*shared, x->rows.by_block);
  {
    const uint64_t each = (J->shared_bits ? 0 : 4 * words) + (J->shared_sums ? 0 : sum_bytes);
    const uint64_t left = grid_device_free_bytes() / 2, capacity = left < WORK_SPACE ? left : WORK_SPACE;
    if (each && *blocks > capacity / each) *blocks = capacity / each ? (unsigned)(capacity / each) : 1;
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

GrB_Info run_by_block(mxm_run *x, const void *kernel, size_t value, const void *a1, const void *b1,
                      const char *what) {
  unsigned blocks = 1;
  size_t shared = 0;
  GrB_Info info = GrB_SUCCESS;
  if (!x->rows.by_block) return info;
  TRY(size_dense(x, value, &blocks, &shared));
  info = launch(x, kernel, true, blocks, shared, a1, b1, what);
done:
  return info;
}
GrB_Info run_by_warp(mxm_run *x, const void *kernel, size_t value, const void *a1, const void *b1,
                     const char *what) {
  const size_t shared = value * GRID_MXM_SLOTS * (GRID_MXM_SHORT_THREADS / 32);
  if (!x->rows.by_warp) return GrB_SUCCESS;
  return launch(x, kernel, false, warp_blocks(x->rows.by_warp), shared, a1, b1, what);
}

void free_running(mxm_run *x) {
  grid_device_free(x->rows.list);
  grid_device_free(x->next);
  grid_device_free(x->bits);
  grid_device_free(x->sums);
}

const uint64_t zero_value[GRID_DEVICE_VALUE_MAX / sizeof(uint64_t)] = {0};

// ---- by rows
// ------------------------------------------------------------------------------------------------------

// Short rows that are not counted beforehand: each has its own buffer.
struct uncounted {
  uint32_t *idx;
  void *val;
};

// Is there memory for those? *a: the memory.
GrB_Info make_uncounted_buffers(uncounted *a, const mxm_run *x, size_t value) {
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
void launch_copy(const mxm_run *x, const uncounted *a) {
  copy_short<T><<<warp_blocks(x->rows.by_warp), 256, 0, grid_cuda_stream()>>>(
      x->rows.list + x->rows.by_block, x->rows.by_warp, x->J.c_start, a->idx, (const T *)a->val, x->J.c_idx,
      (T *)x->J.c);
}

GrB_Info copy_uncounted_rows(const mxm_run *x, const uncounted *a, size_t value) {
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

GrB_Info multiply_rows(mxm_run *x, grid_local_matrix *t, const grid_lmat_product *m) {
  const void *a1 = m->a_iso ? m->a_iso : zero_value, *b1 = m->b_iso ? m->b_iso : zero_value;
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

// ---- by columns
// ---------------------------------------------------------------------------------------------------

GrB_Info multiply_columns(mxm_run *x, grid_local_matrix *t, const grid_lmat_product *m) {
  const void *a1 = m->a_iso ? m->a_iso : zero_value, *b1 = m->b_iso ? m->b_iso : zero_value;
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
    TRY(launch(x, code.by_block, true, blocks_of(of_block, x->rows.by_block), of_block, a1, b1,
               "a product by columns"));
  if (x->rows.by_warp)
    TRY(launch(x, code.by_warp, false, warp_blocks(x->rows.by_warp), of_warp * (GRID_MXM_SHORT_THREADS / 32),
               a1, b1, "a product by columns"));
  info = grid_cuda_rows_of_columns(t, count, x->J.row_bits, x->sums, m->rows, m->n);
done:
  grid_device_free(count);
  return info;
}

// ---- dots
// ---------------------------------------------------------------------------------------------------------

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
GrB_Info multiply_long_dots(mxm_run *x, const grid_lmat_product *m, GrB_Type type, const void *kernel,
                            const void *a1, const void *b1) {
  grid_mxm_job *J = &x->J;
  const uint64_t words = (m->inner + 31) / 32, unit_bytes = (4 * words + 15) / 16 * 16;
  const size_t shared = unit_bytes < SMEM_BYTES ? unit_bytes : SMEM_BYTES;
  const unsigned blocks = blocks_of(shared, x->rows.by_block);
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
  info = launch(x, kernel, true, blocks, shared, a1, b1, "dot products of rows");
done:
  grid_device_free(a_rank);
  grid_device_free(b_rank);
  grid_hub_vectors_free(&h);
  return info;
}

GrB_Info multiply_dots(mxm_run *x, grid_local_matrix *t, const grid_lmat_product *m) {
  const void *a1 = m->a_iso ? m->a_iso : zero_value, *b1 = m->b_iso ? m->b_iso : zero_value;
  const size_t value = m->constant ? 0 : t->type->size;
  const uint64_t n = m->mask->nvals;
  grid_mxm_code code = {(void *)dots_by_block, (void *)dots_short};
  grid_selection selection = {};
  uint32_t *from = NULL;
  void *dot = NULL;
  GrB_Info info;
  if (value) TRY(grid_mxm_compile(&code, m, GRID_MXM_DOTS));
  TRY(grid_cuda_selection_make(&selection, n));
  TRY(grid_device_zero(selection.bits, (n / 32 + 1) * sizeof *selection.bits));
  if (value) {
    dot = grid_device_malloc(n, value);
    if (!dot) TRY(grid_device_fail_memory(NULL, "dot products", n, value));
  }
  x->J.dot = dot, x->J.dot_bits = selection.bits;
  x->J.b_ptr = m->bt->ptr, x->J.b_idx = m->bt->idx, x->J.b = m->b_iso ? NULL : m->bt->val;
  x->J.n = m->inner;
  TRY(multiply_long_dots(x, m, t->type, code.by_block, a1, b1));
  if (x->rows.by_warp)
    TRY(launch(x, code.by_warp, false, warp_blocks(x->rows.by_warp), 0, a1, b1,
               "dot products of short rows"));
  TRY(grid_cuda_selection_count(&selection));
  TRY(grid_cuda_select_pattern(t, m->mask, &selection, &from));
  if (value && t->nvals) {
    t->by_row.val = grid_device_malloc(t->nvals, value);
    if (!t->by_row.val) TRY(grid_device_fail_memory(NULL, "values of a product", t->nvals, value));
    TRY(grid_cuda_gather_values(t->by_row.val, dot, from, t->nvals, value));
  }
done:
  grid_cuda_selection_free(&selection);
  grid_device_free(from);
  grid_device_free(dot);
  return info;
}

// ---- the whole
// ----------------------------------------------------------------------------------------------------

// entries: number of x's entries.
GrB_Info count_work(uint64_t *work, uint64_t rows, uint64_t entries, const uint32_t *x_ptr,
                    const uint32_t *x_idx, const uint32_t *y_ptr, uint64_t *all) {
  enum { LANES = 8 };
  unsigned long long *sum = (unsigned long long *)grid_device_malloc(1, sizeof *sum), got = 0;
  GrB_Info info = sum ? GrB_SUCCESS : grid_device_fail_memory(NULL, "a counter", 1, sizeof *sum);
  TRY(info);
  TRY(grid_device_zero(sum, sizeof *sum));
  if (entries / LANES <= rows)
    sum_work<LANES><<<grid_cuda_blocks_for(LANES * rows), 256, 0, grid_cuda_stream()>>>(x_ptr, x_idx, y_ptr,
                                                                                        rows, work, sum);
  else
    sum_work<32><<<grid_cuda_blocks_for(32 * rows), 256, 0, grid_cuda_stream()>>>(x_ptr, x_idx, y_ptr, rows,
                                                                                  work, sum);
  TRY(grid_cuda_check_launch("counting products"));
  TRY(grid_cuda_fetch(&got, sum));
  *all = got;
done:
  grid_device_free(sum);
  return info;
}

// The work of each row, and *dots: by dots, not by rows. Where both are possible, the one that inspects less;
// an inspection is cheaper than a sum.
GrB_Info choose_work(mxm_run *x, const grid_lmat_product *m, bool bounded, uint64_t *work, bool *dots) {
  uint64_t inspected = UINT64_MAX, products = UINT64_MAX, *by_dots = NULL;
  GrB_Info info = GrB_SUCCESS;
  const bool both = bounded && m->bt && m->b;
  if (bounded && m->bt)
    TRY(count_work(work, m->rows, m->mask->nvals, m->mask->by_row.ptr, m->mask->by_row.idx, m->bt->ptr,
                   &inspected));
  x->inspected = inspected;
  *dots = !m->b || inspected == 0;
  if (*dots) goto done;
  if (both) {
    by_dots = (uint64_t *)grid_device_malloc(m->rows, sizeof *by_dots);
    if (!by_dots) TRY(grid_device_fail_memory(NULL, "work of rows", m->rows, sizeof *by_dots));
    TRY(grid_device_copy(by_dots, work, m->rows * sizeof *work));
  }
  TRY(count_work(work, m->rows, m->a_nvals, m->a->ptr, m->a->idx, m->b->ptr, &products));
  *dots = both && inspected / 2 <= products;
  if (*dots) info = grid_device_copy(work, by_dots, m->rows * sizeof *work);
done:
  grid_device_free(by_dots);
  return info;
}

// A's rows are given to blocks and warps.
GrB_Info divide_work(mxm_run *x, const grid_lmat_product *m, bool bounded, bool by_column, bool *dots) {
  uint64_t *work = (uint64_t *)grid_device_malloc(m->rows, sizeof *work);
  GrB_Info info;
  x->next = (uint32_t *)grid_device_malloc(1, sizeof *x->next);
  info = work && x->next ? GrB_SUCCESS : grid_device_fail_memory(NULL, "work of rows", m->rows, sizeof *work);
  TRY(info);
  TRY(choose_work(x, m, bounded, work, dots));
  adjust_work<<<grid_cuda_blocks_for(m->rows), 256, 0, grid_cuda_stream()>>>(
      work, m->rows, m->a->ptr, bounded ? m->mask->by_row.ptr : NULL, *dots);
  TRY(grid_cuda_check_launch("work of rows"));
  TRY(share_rows(&x->rows, work, m->rows, by_column && !*dots ? SHORT_BUCKETS_BY_COLUMN : SHORT_BUCKETS));
  x->J.a_ptr = m->a->ptr, x->J.a_idx = m->a->idx, x->J.a = m->a_iso ? NULL : m->a->val;
  if (!*dots) x->J.b_ptr = m->b->ptr, x->J.b_idx = m->b->idx, x->J.b = m->b_iso ? NULL : m->b->val;
done:
  grid_device_free(work);
  return info;
}

}  // namespace

extern "C" GrB_Info grid_cuda_multiply(grid_local_matrix *t, const grid_lmat_product *m) {
  mxm_run x;
  grid_selection truth = {};
  bool none = false, dots = false, masked = m->mask != NULL;
  const bool bounded = masked && !m->mask_complement;
  GrB_Info info = grid_cuda_scale(t, m);
  if (info != GRID_UNSUPPORTED || m->b_rows_restricted) return info;
  info = GrB_SUCCESS;
  memset(&x, 0, sizeof x);
  if (masked) TRY(grid_cuda_select_true(&truth, m->mask, m->structure, &none));
  if (none && bounded) goto done;
  masked = masked && !none;
  t->row.n = t->row.dim, t->col.n = t->col.dim;
  if (grid_cuda_is_product_of_words(m)) {
    TRY(grid_cuda_multiply_words(t, m, masked ? &truth : NULL));
  } else {
    const bool by_column = grid_cuda_is_product_by_columns(m, t->type->size);
    TRY(divide_work(&x, m, bounded, by_column, &dots));
    x.J.masked = masked, x.J.mask_complement = m->mask_complement;
    if (masked) x.J.m_ptr = m->mask->by_row.ptr, x.J.m_idx = m->mask->by_row.idx, x.J.m_bits = truth.bits;
    TRY(dots ? multiply_dots(&x, t, m) : by_column ? multiply_columns(&x, t, m) : multiply_rows(&x, t, m));
  }
  if (m->constant) info = grid_lmat_set_iso(t, m->constant);
done:
  grid_cuda_selection_free(&truth);
  free_running(&x);
  return info;
}
