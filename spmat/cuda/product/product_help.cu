// What a product on the device needs besides its kernels: counting, and dense vectors along hypersparse axes.
#include "spmat/cuda/device/cuda.cuh"

extern "C" {
#include "spmat/cuda/product/cuda_product.h"
}
#define GRID_FN static __device__ __forceinline__
#include "spmat/cuda/kernels/bitmap_tile.cuh"

namespace {

enum { THREADS = 256 };

// An axis' ids as kernels read them.
struct ids {
  const void *at;
  bool is64;
  __device__ uint64_t operator[](uint64_t k) const {
    return is64 ? ((const uint64_t *)at)[k] : ((const uint32_t *)at)[k];
  }
};
ids ids_of(const grid_axis *a) {
  return ids{a->ids, grid_axis_has_ids64(a)};
}

// ---- counting ---------------------------------------------------------------------------------------------

// What to count of a product: a grid_product_count_job as its kernel reads it.
struct term_args {
  const uint64_t *x;  // NULL: all of nx; with `in`, over the ids of a hypersparse axis
  ids in;
  uint64_t nx;  // 0: no terms are counted
  const uint32_t *ptr, *degree;
  const uint64_t *mask, *nonempty;
  ids out;
  uint64_t n, nout;  // n = 0: the mask is not counted
  bool complement;
  grid_tally tally;
};
enum { EDGES, ALLOWED, NONEMPTY, TERM_COUNTS };

// The sum of length(k) over x's bits; NULL: all n are set. A warp takes 32 words at a time and goes from word
// to word with one thread a bit, so that lengths are read contiguously.
template <typename length_of>
__device__ uint64_t sum_lengths(const uint32_t *x, uint64_t n, length_of length) {
  const uint64_t halves = (n + 31) / 32, whole = (halves + 31) / 32 * 32;
  const unsigned lane = threadIdx.x & 31;
  uint64_t sum = 0;
  GRID_FOR(h, whole) {
    const uint32_t word = grid_word32(x, n, h);
    for (uint32_t left = __ballot_sync(~0u, word != 0); left; left &= left - 1) {
      const int b = __ffs(left) - 1;
      const uint64_t k = 32 * ((h & ~(uint64_t)31) + b) + lane;
      if (__shfl_sync(~0u, word, b) >> lane & 1) sum += length(k);
    }
  }
  return sum;
}

__device__ uint64_t count_edges_at(const term_args &a) {
  uint64_t sum = 0;
  GRID_FOR(k, a.nx)
  if (grid_bit(a.x, a.in[k])) sum += a.ptr[k + 1] - a.ptr[k];
  return sum;
}

// Entries in the vectors that x has.
__device__ uint64_t count_edges(const term_args &a) {
  const uint32_t *x = (const uint32_t *)a.x;
  if (a.degree) return sum_lengths(x, a.nx, [&](uint64_t k) { return a.degree[k]; });
  if (a.in.at) return count_edges_at(a);
  return sum_lengths(x, a.nx, [&](uint64_t k) { return a.ptr[k + 1] - a.ptr[k]; });
}

// Bits of the mask, perhaps complemented, and those of outputs with entries.
__device__ void count_mask(const term_args &a, uint64_t *allowed, uint64_t *nonempty) {
  GRID_FOR(w, grid_words(a.n)) {
    const uint64_t m = (a.complement ? ~a.mask[w] : a.mask[w]) & grid_tail(a.n, w);
    *allowed += (uint64_t)__popcll(m);
    if (a.nonempty && !a.out.at) *nonempty += (uint64_t)__popcll(m & a.nonempty[w]);
  }
  if (!a.nonempty || !a.out.at) return;
  GRID_FOR(k, a.nout)
  *nonempty += grid_bit(a.nonempty, k) && grid_bit(a.mask, a.out[k]) != a.complement;
}

__global__ void count_terms(const __grid_constant__ term_args a) {
  uint64_t count[TERM_COUNTS] = {0, 0, 0};
  count[EDGES] = count_edges(a);
  count_mask(a, &count[ALLOWED], &count[NONEMPTY]);
  for (int k = 0; k < TERM_COUNTS; k++) grid_add_count(&a.tally.accumulator[k].sum, count[k]);
  if (threadIdx.x != 0 || !grid_tile_arrive(a.tally)) return;
  volatile grid_counter *const to = (volatile grid_counter *)a.tally.slot->value;
  for (int k = 0; k < TERM_COUNTS; k++) to[k] = atomicExch(&a.tally.accumulator[k].sum, 0ull);
  grid_publish(a.tally);
}

unsigned blocks_for(uint64_t n) {
  return grid_cuda_blocks(n, THREADS, (unsigned)grid_cuda_multiprocessors() * 8);
}

GrB_Info start_counting(term_args *a) {
  GrB_Info info = grid_cuda_tally(&a->tally);
  if (info != GrB_SUCCESS) return info;
  const uint64_t x = a->in.at ? a->nx : (a->nx + 31) / 32, mask = grid_words(a->n),
                 most = x > mask ? x : mask;
  count_terms<<<blocks_for(most > a->nout ? most : a->nout), THREADS, 0, grid_cuda_stream()>>>(*a);
  return grid_cuda_check_launch("counting what a product meets");
}

GrB_Info wait_counts(const term_args *a, grid_counter counts[TERM_COUNTS]) {
  uint64_t none;
  const void *value;
  const GrB_Info info = grid_cuda_wait_count(&a->tally, &none, &value);
  if (info == GrB_SUCCESS) memcpy(counts, value, TERM_COUNTS * sizeof *counts);
  return info;
}

term_args make_term_args(const grid_product_count_job *c) {
  const grid_axis *in = c->in_axis, *out = c->out_axis;
  term_args a = {};
  if (c->count_x) {
    a.x = c->x, a.nx = in->n, a.degree = c->degree;
    if (!c->degree) a.in = ids_of(in), a.ptr = c->by_in->ptr;
  }
  if (c->count_mask) {
    a.mask = c->mask, a.n = c->n, a.complement = c->complement, a.nonempty = c->by_out->nonempty;
    if (out->ids) a.out = ids_of(out), a.nout = out->n;
  }
  return a;
}

// Can x, whose vectors are short and not many, meet so few entries that a push is right whatever their
// number? Then they are not counted, for which the host would wait.
GrB_Info find_bound(grid_product_count_job *c, bool *is_small) {
  constexpr uint64_t SMALL = 4096;
  grid_balanced_tiles *const s = c->count_x && !c->degree ? c->by_in->balanced_tiles : NULL;
  GrB_Info info = GrB_SUCCESS;
  *is_small = false;
  if (!s || !c->nvals || c->nx > SMALL) return info;
  if (!s->counted) TRY(grid_cuda_count_lengths(c->by_in, c->in_axis->n, c->nvals));
  *is_small = s->longest && c->nx * s->longest <= SMALL;
  if (*is_small) c->edges = c->nx * s->longest, c->allowed = c->nonempty_count = c->n;
done:
  return info;
}

GrB_Info start_count(grid_product_count_job *c) {
  bool is_small;
  term_args a;
  GrB_Info info;
  c->ticket = 0;
  TRY(find_bound(c, &is_small));
  if (is_small) return info;
  a = make_term_args(c);
  TRY(start_counting(&a));
  c->ticket = a.tally.ticket, c->counted = a.tally.slot->value;
done:
  return info;
}

GrB_Info wait_count(grid_product_count_job *c) {
  uint64_t none;
  bool known;
  if (!c->ticket) return GrB_SUCCESS;
  const GrB_Info info = grid_cuda_wait_ticket(c->ticket, &none, &known);
  if (info != GrB_SUCCESS) return info;
  const grid_counter *const counts = (const grid_counter *)c->counted;
  c->edges = counts[EDGES], c->allowed = counts[ALLOWED], c->nonempty_count = counts[NONEMPTY];
  return info;
}

GrB_Info count(grid_product_count_job *c, int n) {
  GrB_Info info = GrB_SUCCESS;
  for (int k = 0; k < n; k++) TRY(start_count(c + k));
  for (int k = 0; k < n; k++) TRY(wait_count(c + k));
done:
  return info;
}

// ---- hypersparse axes ----------------------------------------------------------------------------------

__device__ void copy_value(char *to, const char *from, size_t size) {
  if (size == 8)
    *(uint64_t *)to = *(const uint64_t *)from;
  else if (size == 4)
    *(uint32_t *)to = *(const uint32_t *)from;
  else
    for (size_t b = 0; b < size; b++) to[b] = from[b];
}

__global__ void gather_axis_at(uint32_t *to_bits, char *to_val, const uint64_t *bits, const char *val,
                               size_t size, bool complement, ids at, uint64_t n) {
  const uint64_t whole = grid_words(n) * 64;
  GRID_FOR(k, whole) {  // whole warps
    const bool in = k < n && (!bits || grid_bit(bits, at[k])) != complement;
    const uint32_t word = __ballot_sync(~0u, in);
    if ((threadIdx.x & 31) == 0) to_bits[k / 32] = word;
    if (in && to_val) copy_value(to_val + k * size, val + at[k] * size, size);
  }
}

__global__ void scatter_axis_at(uint32_t *to_bits, char *to_val, const uint64_t *bits, const char *val,
                                size_t size, ids at, uint64_t n) {
  GRID_FOR(k, n) {
    if (!grid_bit(bits, k)) continue;
    const uint64_t id = at[k];
    atomicOr(to_bits + id / 32, 1u << (id & 31));
    if (to_val) copy_value(to_val + id * size, val + k * size, size);
  }
}

GrB_Info gather_axis(uint64_t *to_bits, void *to_val, const uint64_t *bits, const void *val, size_t size,
                     bool complement, const grid_axis *axis) {
  if (axis->n == 0) return GrB_SUCCESS;
  gather_axis_at<<<blocks_for(axis->n), THREADS, 0, grid_cuda_stream()>>>(
      (uint32_t *)to_bits, (char *)to_val, bits, (const char *)val, size, complement, ids_of(axis), axis->n);
  return grid_cuda_check_launch("a vector over a hypersparse axis");
}

GrB_Info scatter_axis(uint64_t *to_bits, void *to_val, const uint64_t *bits, const void *val, size_t size,
                      const grid_axis *axis) {
  if (axis->n == 0) return GrB_SUCCESS;
  scatter_axis_at<<<blocks_for(axis->n), THREADS, 0, grid_cuda_stream()>>>(
      (uint32_t *)to_bits, (char *)to_val, bits, (const char *)val, size, ids_of(axis), axis->n);
  return grid_cuda_check_launch("outputs of a hypersparse axis");
}

}  // namespace

extern "C" GrB_Info grid_cuda_allowed_entries(const grid_job *J, uint64_t *entries) {
  grid_counter counts[TERM_COUNTS];
  term_args a = {};
  GrB_Info info;
  a.x = J->mask, a.nx = J->ny, a.ptr = J->m->ptr;
  TRY(start_counting(&a));
  TRY(wait_counts(&a, counts));
  *entries = J->mask_complement ? J->entries - counts[EDGES] : counts[EDGES];
done:
  return info;
}

extern "C" const grid_device_products grid_cuda_products = {
    grid_product_is_supported, count, start_count, wait_count, gather_axis, scatter_axis};
