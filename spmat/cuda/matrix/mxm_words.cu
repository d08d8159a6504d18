// Products into at most 64 columns whose entries all have one value, as the levels of searches from several
// vertices. Each row of B, of the mask and of the result is a word, and a row of the result is the OR of
// those that a row of A names. A row ends when all its bits that the mask allows are set. (The multi-source
// search of Then et al., The more the merrier: efficient multi-source graph traversal, VLDB 2014.)
#include "spmat/cuda/matrix/mxm_words.cuh"

#include "spmat/cuda/matrix/rows_of_counts.cuh"

namespace {

enum {
  THREADS = 256,
  SHORT = 32,     // a longer row is read by a warp
  UNROLL = 8,     // entries that a thread has in flight
  MOST_INNER = 8  // rows of B for each entry of A
};
typedef unsigned long long word;

// word[r] = the columns of row r's selected entries
__global__ void write_words(const uint32_t *ptr, const uint32_t *idx, selection_bits selected, uint64_t n,
                            word *to) {
  GRID_FOR(r, n) {
    word w = 0;
    for (uint32_t e = ptr[r]; e < ptr[r + 1]; e++)
      if (is_selected(selected, e)) w |= (word)1 << idx[e];
    to[r] = w;
  }
}

// The OR of b's words at entries from, from + step, ... below `to`, until it has all that is wanted.
GRID_FN word join_entries(const uint32_t *idx, uint64_t from, uint64_t to, unsigned step, const word *b,
                          word wanted) {
  word w = 0;
  for (uint64_t e = from; e < to && (w & wanted) != wanted; e += UNROLL * step) {
    uint32_t k[UNROLL];
#pragma unroll
    for (int u = 0; u < UNROLL; u++) k[u] = idx[e + u * step < to ? e + u * step : e];
#pragma unroll
    for (int u = 0; u < UNROLL; u++) w |= b[k[u]];
  }
  return w;
}

GRID_FN word join_warp(word w) {
  const unsigned low = __reduce_or_sync(~0u, (unsigned)w), high = __reduce_or_sync(~0u, (unsigned)(w >> 32));
  return (word)high << 32 | low;
}

// A row by the whole warp, in steps after which all stop when one is enough.
GRID_FN word join_long_row(const uint32_t *idx, uint32_t from, uint32_t to, const word *b, word wanted) {
  const unsigned lane = threadIdx.x & 31;
  word w = 0;
  for (uint64_t e = from; e < to && (w & wanted) != wanted; e += 32 * UNROLL) {
    const uint64_t end = e + 32 * UNROLL < to ? e + 32 * UNROLL : to;
    w |= join_warp(e + lane < end ? join_entries(idx, e + lane, end, 32, b, wanted) : 0);
  }
  return w;
}

// The result's words and their numbers of bits. mask NULL: all of `columns`. Whole warps.
__global__ void __launch_bounds__(THREADS)
    join_rows(const uint32_t *ptr, const uint32_t *idx, uint64_t n, const word *b, const word *mask,
              bool complement, word columns, word *c, uint64_t *count) {
  const unsigned lane = threadIdx.x & 31;
  const uint64_t warps = gridDim.x * (uint64_t)(THREADS / 32);
  for (uint64_t r0 = 32 * (blockIdx.x * (uint64_t)(THREADS / 32) + threadIdx.x / 32); r0 < n;
       r0 += 32 * warps) {
    const uint64_t r = r0 + lane;
    const bool in = r < n;
    const word wanted = !in ? 0 : !mask ? columns : (complement ? ~mask[r] : mask[r]) & columns;
    const uint32_t from = wanted ? ptr[r] : 0, to = wanted ? ptr[r + 1] : 0;
    const bool is_long = to - from > SHORT;
    word w = is_long ? 0 : join_entries(idx, from, to, 1, b, wanted);
    for (uint32_t left = __ballot_sync(~0u, is_long); left; left &= left - 1) {
      const int k = __ffs(left) - 1;
      const word got = join_long_row(idx, __shfl_sync(~0u, from, k), __shfl_sync(~0u, to, k), b,
                                     __shfl_sync(~0u, wanted, k));
      if ((int)lane == k) w = got;
    }
    if (!in) continue;
    c[r] = w & wanted;
    count[r] = (uint64_t)__popcll(w & wanted);
  }
}

__global__ void write_entries(const word *c, uint64_t n, const uint32_t *ptr, uint32_t *idx) {
  GRID_FOR(r, n) {
    uint32_t at = ptr[r];
    for (word left = c[r]; left; left &= left - 1) idx[at++] = __ffsll((long long)left) - 1;
  }
}

struct words {
  word *b, *mask, *c;
  uint64_t *count;
};

GrB_Info allocate(words *x, const grid_lmat_product *m, bool masked) {
  x->b = (word *)grid_device_malloc(m->inner, sizeof *x->b);
  x->mask = masked ? (word *)grid_device_malloc(m->rows, sizeof *x->mask) : NULL;
  x->c = (word *)grid_device_malloc(m->rows, sizeof *x->c);
  x->count = (uint64_t *)grid_device_malloc(m->rows + 1, sizeof *x->count);
  if (x->b && (x->mask || !masked) && x->c && x->count) return GrB_SUCCESS;
  return grid_device_fail_memory(NULL, "rows of a product as words", m->inner + m->rows, 2 * sizeof *x->c);
}

void free_words(words *x) {
  grid_device_free(x->b);
  grid_device_free(x->mask);
  grid_device_free(x->c);
  grid_device_free(x->count);
}

}  // namespace

extern "C" bool grid_cuda_is_product_of_words(const grid_lmat_product *m) {
  return m->constant && m->n <= 64 && m->b && m->inner / MOST_INNER <= m->a_nvals;
}

extern "C" GrB_Info grid_cuda_multiply_words(grid_local_matrix *t, const grid_lmat_product *m,
                                             const grid_selection *truth) {
  const cudaStream_t stream = grid_cuda_stream();
  const selection_bits all = {NULL, NULL};
  words x = {};
  GrB_Info info;
  TRY(allocate(&x, m, truth != NULL));
  write_words<<<grid_cuda_blocks_for(m->inner), THREADS, 0, stream>>>(m->b->ptr, m->b->idx, all, m->inner,
                                                                      x.b);
  if (truth)
    write_words<<<grid_cuda_blocks_for(m->rows), THREADS, 0, stream>>>(
        m->mask->by_row.ptr, m->mask->by_row.idx, selection_bits_of(*truth), m->rows, x.mask);
  TRY(grid_device_zero(x.count + m->rows, sizeof *x.count));
  join_rows<<<grid_cuda_blocks_for(m->rows), THREADS, 0, stream>>>(
      m->a->ptr, m->a->idx, m->rows, x.b, x.mask, m->mask_complement, ~(word)0 >> (64 - m->n), x.c, x.count);
  TRY(grid_cuda_check_launch("a product of matrices"));
  TRY(grid_cuda_rows_of_counts(t, x.count, m->rows));
  write_entries<<<grid_cuda_blocks_for(m->rows), THREADS, 0, stream>>>(x.c, m->rows, t->by_row.ptr,
                                                                       t->by_row.idx);
  TRY(grid_cuda_check_launch("a product of matrices"));
done:
  free_words(&x);
  return info;
}
