// See mxm_hub_bits.cuh.
#include "spmat/cuda/matrix/mxm_hub_bits.cuh"

extern "C" {
#include "semiring/support/tuning.h"
}

#include "spmat/cuda/kernels/mxm_dots.cuh"

namespace {

enum {
  WORDS_AN_ENTRY = 2,   // words of 32 bits intersected in the time of looking up an entry
  MIN_BIT_ENTRIES = 8,  // a vector with fewer saved entries is left to the rest
  UNIT_WORDS = GRID_HUB_UNIT / 32,
  VECTOR_SAMPLES = 2048,  // entries of a vector that are read to choose its units
  MASK_SAMPLES = 1 << 16,
  MIN_LENGTH = 16,  // mean length of the inspected vectors: shorter ones do not repay making ranks and bits;
  MIN_SKEW = 4,     // over that of all vectors: those of even graphs are equal,
  DENSE = 128       // unless an entry comes in so many
};

// ---- vectors of B ----

// The least b with k < 2^b, of whole units.
__device__ unsigned octave_of(uint32_t k) {
  return 32 - __clz((int)(k | (GRID_HUB_UNIT - 1)));
}

// Units of each vector: those of the first 2^b ranks, or up to its last one, that save the most. saved: the
// entries that these save, less the words. Long vectors are sampled. A warp a vector.
__global__ void __launch_bounds__(256) choose_units(const uint32_t *ptr, const uint32_t *rank, uint64_t n,
                                                    uint32_t shared_ranks, uint64_t *units, uint32_t *saved) {
  __shared__ uint32_t counts[256 / 32][32];
  const unsigned lane = threadIdx.x & 31;
  uint32_t *count = counts[threadIdx.x / 32];
  for (uint64_t j = (blockIdx.x * (uint64_t)blockDim.x + threadIdx.x) / 32; j < n;
       j += gridDim.x * (uint64_t)blockDim.x / 32) {
    const uint32_t first = ptr[j], length = ptr[j + 1] - first, step = length / VECTOR_SAMPLES + 1;
    uint32_t last = 0, best = 0;
    unsigned at = 0;
    uint64_t words = 0;
    if (length >= MIN_BIT_ENTRIES) {
      count[lane] = 0;
      __syncwarp();
      for (uint64_t e = (uint64_t)lane * step; e < length; e += 32 * (uint64_t)step) {
        const uint32_t k = rank[first + e];
        if (k >= shared_ranks) continue;
        last = k > last ? k : last;
        atomicAdd(&count[octave_of(k)], step);
      }
      __syncwarp();
      const uint32_t entries = count[lane];
      const uint64_t upto = (uint64_t)grid_mxm_warp_before(entries) + entries,
                     most = ((uint64_t)__reduce_max_sync(~0u, last) / GRID_HUB_UNIT + 1) * UNIT_WORDS;
      words = (UINT64_C(1) << lane) / 32;
      if (words < UNIT_WORDS) words = UNIT_WORDS;
      if (words > most) words = most;
      const uint64_t value = WORDS_AN_ENTRY * upto;
      const uint32_t gain = value <= words            ? 0
                            : value - words < 1 << 26 ? (uint32_t)(value - words)
                                                      : 1 << 26;
      // of equal gains, the fewer units
      best = __reduce_max_sync(~0u, gain << 5 | (31 - lane));
      at = 31 - (best & 31);
      best = (best >> 5) / WORDS_AN_ENTRY;
      words = __shfl_sync(~0u, words, (int)at);
      __syncwarp();
    }
    if (lane) continue;
    const bool pays = best >= MIN_BIT_ENTRIES;
    units[j] = pays ? words / UNIT_WORDS : 0;
    saved[j] = pays ? best : 0;
  }
}

// Sums over a sample of the mask's entries: all[0] of the entries in B's vectors, all[1] of the saved ones.
__global__ void sample_saved(const uint32_t *m_idx, uint64_t samples, uint64_t step, const uint32_t *ptr,
                             const uint32_t *saved, unsigned long long *all) {
  unsigned long long length = 0, less = 0;
  GRID_FOR(i, samples) {
    const uint32_t j = m_idx[i * step];
    length += ptr[j + 1] - ptr[j];
    less += saved[j];
  }
  for (int d = 16; d > 0; d /= 2) {
    length += __shfl_down_sync(~0u, length, d);
    less += __shfl_down_sync(~0u, less, d);
  }
  if (threadIdx.x % 32 == 0 && length) {
    atomicAdd(&all[0], length);
    atomicAdd(&all[1], less);
  }
}

// Bits of the entries in their vectors' units; marks the others in `far`, a bit each.
__global__ void __launch_bounds__(GRID_CSR_THREADS)
    set_bits(grid_csr_pattern b, const uint64_t *start, uint32_t *bits, uint32_t *far) {
  grid_csr_for_each(b, [&](bool in, uint64_t e, uint64_t lo, uint64_t hi) {
    bool rest = false;
    if (in) {
      const uint64_t j = grid_csr_find_row(b.ptr, lo, hi, e), from = start[j];
      const uint32_t k = b.idx[e];
      rest = k >= (start[j + 1] - from) * GRID_HUB_UNIT;
      if (!rest) atomicOr(&bits[from * UNIT_WORDS + (k >> 5)], 1u << (k & 31));
    }
    const uint32_t word = __ballot_sync(~0u, rest);
    if ((threadIdx.x & 31) == 0) far[e >> 5] = word;
  });
}

// Do the saved entries repay making bits?
GrB_Info sample(const grid_lmat_product *m, const uint32_t *saved, bool *pays) {
  const uint64_t n = m->mask->nvals, step = n / MASK_SAMPLES + 1, samples = (n + step - 1) / step;
  unsigned long long *all = (unsigned long long *)grid_device_malloc(2, sizeof *all), got[2] = {0, 0};
  GrB_Info info = all ? GrB_SUCCESS : grid_device_fail_memory(NULL, "a counter", 2, sizeof *all);
  TRY(info);
  TRY(grid_device_zero(all, 2 * sizeof *all));
  sample_saved<<<grid_cuda_blocks_for(samples), 256, 0, grid_cuda_stream()>>>(m->mask->by_row.idx, samples,
                                                                              step, m->bt->ptr, saved, all);
  TRY(grid_cuda_check_launch("counting saved entries"));
  TRY(grid_device_get(got, all, sizeof got));
  *pays = (double)got[1] >= grid_tune.device_hub_share * (double)got[0];
done:
  grid_device_free(all);
  return info;
}

// h's units and their bits, and which entries are left to the rest.
GrB_Info make_bits(grid_hub_vectors *h, const grid_csr_pattern *b, grid_selection *far) {
  uint64_t units = 0;
  GrB_Info info = grid_cuda_exclusive_sums(h->start, b->n + 1);
  TRY(info);
  TRY(grid_cuda_fetch(&units, h->start + b->n));
  h->bits = (uint4 *)grid_device_malloc(units, sizeof *h->bits);
  if (!h->bits) TRY(grid_device_fail_memory(NULL, "rows of hubs", units, sizeof *h->bits));
  TRY(grid_device_zero(h->bits, units * sizeof *h->bits));
  TRY(grid_cuda_selection_make(far, b->nvals));
  set_bits<<<grid_cuda_csr_blocks(b->nvals), GRID_CSR_THREADS, 0, grid_cuda_stream()>>>(
      *b, h->start, (uint32_t *)h->bits, far->bits);
  TRY(grid_cuda_check_launch("rows of hubs"));
  info = grid_cuda_selection_count(far);
done:
  return info;
}

// ---- rows of C ----

// Common indices of A's row, whose bits are `shared` and `far`, and vector c of B; lane of GRID_MXM_LANES.
__device__ __forceinline__ uint32_t count_lane_hits(const grid_hub_vectors &h, uint32_t c, unsigned lane,
                                                    const uint4 *shared, uint32_t shared_bits,
                                                    const uint32_t *far, bool probes_far) {
  const uint64_t from = h.start[c];
  const uint32_t units = (uint32_t)(h.start[c + 1] - from), end = h.rest_start[c + 1];
  const uint32_t *shared_words = (const uint32_t *)shared;
  uint32_t sum = 0;
  for (uint32_t q = lane; q < units; q += GRID_MXM_LANES) {
    const uint4 b = __ldg(&h.bits[from + q]), a = shared[q];
    sum += __popc(a.x & b.x) + __popc(a.y & b.y) + __popc(a.z & b.z) + __popc(a.w & b.w);
  }
  for (uint64_t e = (uint64_t)h.rest_start[c] + lane; e < end; e += GRID_MXM_PREFETCH_ROWS * GRID_MXM_LANES) {
    uint32_t key[GRID_MXM_PREFETCH_ROWS];
#pragma unroll
    for (int u = 0; u < GRID_MXM_PREFETCH_ROWS; u++)
      if (e + u * GRID_MXM_LANES < end) key[u] = __ldg(&h.rest[e + u * GRID_MXM_LANES]);
#pragma unroll
    for (int u = 0; u < GRID_MXM_PREFETCH_ROWS; u++) {
      if (e + u * GRID_MXM_LANES >= end) continue;
      const uint32_t k = key[u];
      if (k < shared_bits)
        sum += shared_words[k >> 5] >> (k & 31) & 1;
      else if (probes_far)
        sum += __ldcg(&far[k >> 5]) >> (k & 31) & 1;
    }
  }
  return sum;
}

// Blocks of a multiprocessor, which has 2048 threads or 1536.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ == 800 || __CUDA_ARCH__ / 100 == 9 || __CUDA_ARCH__ / 100 == 10
constexpr int BLOCKS = 4;
#else
constexpr int BLOCKS = 3;
#endif

// Rows of a block: bits of A's row by rank, the first ones in shared memory; GRID_MXM_LANES lanes for each of
// the mask's entries.
template <class T>
__global__ void __launch_bounds__(GRID_MXM_THREADS, BLOCKS) count_common(grid_mxm_job J, grid_hub_vectors h) {
  extern __shared__ __align__(16) char grid_mxm_shared[];
  __shared__ uint32_t any_far;
  uint32_t *shared = (uint32_t *)grid_mxm_shared, *far = J.bits + blockIdx.x * ((J.n + 31) / 32);
  const unsigned lane = threadIdx.x % GRID_MXM_LANES;
  enum { GROUPS = GRID_MXM_THREADS / GRID_MXM_LANES };
  for (uint32_t w = threadIdx.x; w < (J.smem + GRID_HUB_UNIT - 1) / GRID_HUB_UNIT * UNIT_WORDS;
       w += GRID_MXM_THREADS)
    shared[w] = 0;
  for (uint32_t r; (r = grid_mxm_next(J)) != 0xffffffffu;) {
    const uint32_t first = J.a_ptr[r], last = J.a_ptr[r + 1], from = J.m_ptr[r], to = J.m_ptr[r + 1];
    if (threadIdx.x == 0) any_far = 0;
    __syncthreads();
    for (uint32_t e = first + threadIdx.x; e < last; e += GRID_MXM_THREADS) {
      const uint32_t k = J.a_rank[e];
      if (k < J.smem)
        atomicOr(&shared[k >> 5], 1u << (k & 31));
      else
        atomicOr(&far[k >> 5], 1u << (k & 31)), any_far = 1;
    }
    __syncthreads();
    const bool probes_far = any_far;
    // whole warps: a group may have no entry
    for (uint64_t e0 = from; e0 < to; e0 += GROUPS) {
      const uint64_t e = e0 + threadIdx.x / GRID_MXM_LANES;
      if (__all_sync(~0u, e >= to)) continue;
      uint32_t sum = 0;
      if (e < to && grid_mxm_counts(J, (uint32_t)e))
        sum = count_lane_hits(h, J.m_idx[e], lane, (const uint4 *)shared, J.smem, far, probes_far);
      __syncwarp();
#pragma unroll
      for (int d = GRID_MXM_LANES / 2; d > 0; d /= 2) sum += __shfl_down_sync(~0u, sum, d, GRID_MXM_LANES);
      if (lane != 0 || sum == 0) continue;
      ((T *)J.dot)[e] = (T)sum;
      atomicOr(&J.dot_bits[e >> 5], 1u << (e & 31));
    }
    __syncthreads();
    for (uint32_t e = first + threadIdx.x; e < last; e += GRID_MXM_THREADS) {
      const uint32_t k = J.a_rank[e];
      if (k < J.smem)
        shared[k >> 5] = 0;
      else
        far[k >> 5] = 0;
    }
  }
}

}  // namespace

extern "C" bool grid_hub_vectors_may_pay(const grid_lmat_product *m, uint64_t inspected) {
  // ranks, bits (2 words a saved entry at most), the rest and its numbers
  const uint64_t bytes = 24 * m->b_nvals + 4 * m->a_nvals + 16 * m->n;
  if (!grid_semiring_counts(m->s) || grid_tune.device_hub_share > 1) return false;
  if (bytes > grid_device_free_bytes() / 2) return false;
  if (grid_tune.device_hub_share == 0) return true;
  const double mean = (double)inspected / (double)m->mask->nvals, all = (double)m->b_nvals / (double)m->n;
  return mean >= MIN_LENGTH && (mean >= MIN_SKEW * all || all * DENSE >= (double)m->inner);
}

extern "C" GrB_Info grid_hub_vectors_make(grid_hub_vectors *h, const grid_lmat_product *m,
                                          const uint32_t *rank, uint32_t shared_ranks) {
  const grid_csr_pattern b = {m->bt->ptr, rank, m->n, m->b_nvals};
  const unsigned blocks = grid_cuda_blocks(m->n, 256 / 32, 32u * (unsigned)grid_cuda_multiprocessors());
  uint32_t *saved = NULL, *from = NULL;
  grid_selection far = {};
  grid_local_matrix view = {}, rest = {};
  bool pays = false;
  GrB_Info info = GrB_SUCCESS;
  h->start = (uint64_t *)grid_device_malloc(m->n + 1, sizeof *h->start);
  saved = (uint32_t *)grid_device_malloc(m->n, sizeof *saved);
  if (!h->start || !saved) TRY(grid_device_fail_memory(NULL, "rows of hubs", m->n, 12));
  TRY(grid_device_zero(h->start + m->n, sizeof *h->start));
  choose_units<<<blocks, 256, 0, grid_cuda_stream()>>>(b.ptr, b.idx, b.n, shared_ranks, h->start, saved);
  TRY(grid_cuda_check_launch("rows of hubs"));
  TRY(sample(m, saved, &pays));
  if (!pays) goto done;
  TRY(make_bits(h, &b, &far));
  view.row.n = m->n, view.nvals = m->b_nvals;
  view.by_row.ptr = (uint32_t *)(uintptr_t)b.ptr, view.by_row.idx = (uint32_t *)(uintptr_t)b.idx;
  info = grid_cuda_select_pattern(&rest, &view, &far, &from);
  h->rest = rest.by_row.idx, h->rest_start = rest.by_row.ptr;
done:
  grid_cuda_selection_free(&far);
  grid_device_free(from);
  grid_device_free(saved);
  return info;
}

extern "C" void grid_hub_vectors_free(grid_hub_vectors *h) {
  grid_device_free(h->bits);
  grid_device_free(h->start);
  grid_device_free(h->rest);
  grid_device_free(h->rest_start);
  *h = {};
}

extern "C" const void *grid_hub_kernel(GrB_Type type) {
  return type == GrB_FP64  ? (const void *)count_common<double>
         : type->size == 4 ? (const void *)count_common<uint32_t>
                           : (const void *)count_common<uint64_t>;
}
