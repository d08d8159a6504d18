// Which rows of a product of matrices blocks compute, and which warps: the products of each row are counted,
// and rows are sorted into buckets by their number. By dots: the entries that they inspect, or no rows, but
// entries of the mask.
#include "spmat/cuda/matrix/mxm_run.cuh"

namespace {

// Bucket k: 2^(k-1) <= work < 2^k; 0: none. Rows of the first ones are computed by warps.
enum {
  BUCKETS = 64,
  SHORT_BUCKETS = 7,
  SHORT_BUCKETS_MASKED = 15,
  SHORT_BUCKETS_BY_COLUMN = 15,
  SHORT_BUCKETS_FULL = 6
};
static_assert(1 << (SHORT_BUCKETS - 1) == GRID_MXM_SHORT, "short rows are whole buckets");

// Rows of x whose entries name vectors of y: work[r] = the entries of those; *all: the sum over rows. LANES
// threads a row, whole warps.
template <int LANES>
__global__ void sum_work(const uint32_t *x_ptr, const uint32_t *x_idx, const uint32_t *y_ptr, uint64_t rows,
                         uint64_t *work, unsigned long long *all) {
  const unsigned lane = threadIdx.x % LANES, groups = blockDim.x / LANES;
  const uint64_t whole = (rows + 32 / LANES - 1) / (32 / LANES) * (32 / LANES);
  unsigned long long thread_work = 0;
  for (uint64_t r = blockIdx.x * (uint64_t)groups + threadIdx.x / LANES; r < whole;
       r += gridDim.x * (uint64_t)groups) {
    unsigned long long sum = 0;
    const uint32_t end = r < rows ? x_ptr[r + 1] : 0;
    for (uint32_t e = r < rows ? x_ptr[r] + lane : 0; e < end; e += LANES) {
      const uint32_t k = x_idx[e];
      sum += y_ptr[k + 1] - y_ptr[k];
    }
    for (int d = LANES / 2; d > 0; d /= 2) sum += __shfl_down_sync(~0u, sum, d, LANES);
    if (lane == 0 && r < rows) work[r] = sum, thread_work += sum;
  }
  for (int d = 16; d > 0; d /= 2) thread_work += __shfl_down_sync(~0u, thread_work, d);
  if (threadIdx.x % 32 == 0 && thread_work) atomicAdd(all, thread_work);
}

__global__ void count_row_entries(const uint32_t *ptr, uint64_t rows, uint64_t *count) {
  GRID_FOR(r, rows) count[r] = ptr[r + 1] - ptr[r];
}

enum row_method { ROWS, MASKED_ROWS, DOT_ROWS };

// Rows that the mask or A leaves empty have no work; a dot row for a long row of A is computed by a block,
// and so is a masked one with a long row of the mask.
__global__ void adjust_work(uint64_t *work, uint64_t rows, const uint32_t *a_ptr, const uint32_t *m_ptr,
                            row_method method) {
  GRID_FOR(r, rows) {
    const uint32_t a = a_ptr[r + 1] - a_ptr[r];
    if (work[r] == 0) continue;
    if (a == 0 || (m_ptr && m_ptr[r + 1] == m_ptr[r])) {
      work[r] = 0;
    } else if (method == MASKED_ROWS) {
      const uint64_t least = UINT64_C(1) << (SHORT_BUCKETS_MASKED - 1);
      if (m_ptr[r + 1] - m_ptr[r] > GRID_MXM_MASKED_SHORT && work[r] < least) work[r] = least;
    } else if (method == DOT_ROWS) {  // in the scale of short rows
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
  __shared__ unsigned long long bucket_rows[BUCKETS + 1];
  for (int k = threadIdx.x; k <= BUCKETS; k += blockDim.x) bucket_rows[k] = 0;
  __syncthreads();
  GRID_FOR(r, rows) {
    const int k = bucket_of(work[r]);
    const unsigned same =
        __match_any_sync(__activemask(), k);  // one addition for all of the warp's in a class
    if ((threadIdx.x & 31) == __ffs(same) - 1) atomicAdd(&bucket_rows[k], (unsigned long long)__popc(same));
  }
  __syncthreads();
  for (int k = threadIdx.x; k <= BUCKETS; k += blockDim.x)
    if (bucket_rows[k]) atomicAdd(&count[k], bucket_rows[k]);
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

GrB_Info share_rows(grid_mxm_shares *s, const uint64_t *work, uint64_t rows, int short_buckets) {
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

// Of a sample of the mask's entries, one in `step`, sums[0]: entries of B that dots by rows inspect, sums[1]:
// steps of dots by entry, each of which looks up the shorter one of A's row and B's column in the longer one.
__global__ void sample_dots(const uint32_t *m_ptr, const uint32_t *m_idx, uint64_t rows, uint64_t samples,
                            uint64_t step, const uint32_t *a_ptr, const uint32_t *b_ptr,
                            unsigned long long *sums) {
  unsigned long long inspected = 0, steps = 0;
  GRID_FOR(k, samples) {
    const uint64_t e = k * step, r = grid_csr_find_row(m_ptr, 0, rows - 1, e);
    const uint32_t c = m_idx[e], a = a_ptr[r + 1] - a_ptr[r], b = b_ptr[c + 1] - b_ptr[c];
    inspected += b;
    if (a && b) steps += (unsigned long long)min(a, b) * (32 - __clz(max(a, b)));
  }
  for (int d = 16; d > 0; d /= 2) {
    inspected += __shfl_down_sync(~0u, inspected, d);
    steps += __shfl_down_sync(~0u, steps, d);
  }
  if (threadIdx.x % 32 != 0) return;
  atomicAdd(&sums[0], inspected);
  atomicAdd(&sums[1], steps);
}

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

// *best: dots by entry, not by rows. By rows a step costs a part of that, but a group of lanes takes an
// entry, and rows are ranked and marked; where A and B have SPARSE entries or more for one of the mask, that
// is most.
GrB_Info choose_entries(const grid_lmat_product *m, bool *best) {
  enum { STEP = 4, LANES = 16, SPARSE = 16, SAMPLES = 1 << 16 };
  const uint64_t n = m->mask->nvals, step = n / SAMPLES + 1, samples = (n + step - 1) / step;
  unsigned long long *sums = NULL, got[2] = {0, 0};
  GrB_Info info = GrB_SUCCESS;
  *best = n <= (m->a_nvals + m->b_nvals) / SPARSE;
  if (*best) return info;
  sums = (unsigned long long *)grid_device_malloc(2, sizeof *sums);
  if (!sums) return grid_device_fail_memory(NULL, "counters", 2, sizeof *sums);
  TRY(grid_device_zero(sums, 2 * sizeof *sums));
  sample_dots<<<grid_cuda_blocks_for(samples), 256, 0, grid_cuda_stream()>>>(
      m->mask->by_row.ptr, m->mask->by_row.idx, m->rows, samples, step, m->a->ptr, m->bt->ptr, sums);
  TRY(grid_cuda_check_launch("sampling dot products"));
  TRY(grid_device_get(got, sums, sizeof got));
  *best = STEP * got[1] <= got[0] + LANES * samples;
done:
  grid_device_free(sums);
  return info;
}

// The work of each row, and *dots: by dots, not by rows. Where both are possible, the one that inspects less;
// an inspection is cheaper than a sum.
GrB_Info choose_work(grid_mxm_run *x, const grid_lmat_product *m, bool bounded, uint64_t *work, bool *dots) {
  uint64_t inspected = UINT64_MAX, products = UINT64_MAX, *by_dots = NULL;
  GrB_Info info = GrB_SUCCESS;
  const bool both = bounded && m->bt && m->b;
  *dots = false;
  if (x->full_columns) {
    count_row_entries<<<grid_cuda_blocks_for(m->rows), 256, 0, grid_cuda_stream()>>>(m->a->ptr, m->rows,
                                                                                     work);
    return grid_cuda_check_launch("entries of rows");
  }
  if (bounded && m->bt) TRY(choose_entries(m, &x->by_entry));
  *dots = x->by_entry && !m->b;
  if (*dots) goto done;
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
  x->products = products;
  *dots = both && inspected / 2 <= products;
  if (*dots) info = grid_device_copy(work, by_dots, m->rows * sizeof *work);
done:
  grid_device_free(by_dots);
  return info;
}

}  // namespace

extern "C" GrB_Info grid_cuda_mxm_divide(grid_mxm_run *x, const grid_lmat_product *m, bool bounded,
                                         bool *dots) {
  uint64_t *work = (uint64_t *)grid_device_malloc(m->rows, sizeof *work);
  GrB_Info info;
  x->next = (uint32_t *)grid_device_malloc(1, sizeof *x->next);
  info = work && x->next ? GrB_SUCCESS : grid_device_fail_memory(NULL, "work of rows", m->rows, sizeof *work);
  TRY(info);
  TRY(choose_work(x, m, bounded, work, dots));
  x->by_entry = x->by_entry && *dots;
  // sums for all of the mask's entries pay where most rows have products
  x->masked_sums = bounded && !*dots && !x->by_column && m->mask->nvals <= x->products;
  x->J.a_ptr = m->a->ptr, x->J.a_idx = m->a->idx, x->J.a = m->a_iso ? NULL : m->a->val;
  if (!*dots) x->J.b_ptr = m->b->ptr, x->J.b_idx = m->b->idx, x->J.b = m->b_iso ? NULL : m->b->val;
  if (x->by_entry) goto done;
  adjust_work<<<grid_cuda_blocks_for(m->rows), 256, 0, grid_cuda_stream()>>>(
      work, m->rows, m->a->ptr, bounded ? m->mask->by_row.ptr : NULL,
      *dots            ? DOT_ROWS
      : x->masked_sums ? MASKED_ROWS
                       : ROWS);
  TRY(grid_cuda_check_launch("work of rows"));
  x->J.a_rows = m->rows, x->J.long_row = 1u << (SHORT_BUCKETS_FULL - 1);
  info = share_rows(&x->rows, work, m->rows,
                    x->masked_sums           ? SHORT_BUCKETS_MASKED
                    : x->full_columns        ? SHORT_BUCKETS_FULL
                    : x->by_column && !*dots ? SHORT_BUCKETS_BY_COLUMN
                                             : SHORT_BUCKETS);
done:
  grid_device_free(work);
  return info;
}
