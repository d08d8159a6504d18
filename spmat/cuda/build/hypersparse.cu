// Hypersparse axes (hypersparse.cuh).
#include "spmat/cuda/build/hypersparse.cuh"

namespace {

__global__ void mark_vertices(const uint64_t *key, uint64_t n, uint64_t none, int shift, uint64_t mask,
                              uint32_t *nonempty) {
  GRID_FOR(e, n) {
    if (key[e] >= none) continue;
    const uint32_t v = (uint32_t)(key[e] >> shift & mask), bit = 1u << (v & 31);
    if (!(__ldcg(&nonempty[v >> 5]) & bit)) atomicOr(&nonempty[v >> 5], bit);
  }
}

__global__ void count_bits(const uint32_t *nonempty, uint64_t words, unsigned long long *count) {
  unsigned thread_count = 0;
  GRID_FOR(w, words) thread_count += __popc(nonempty[w]);
  thread_count = __reduce_add_sync(~0u, thread_count);
  if (threadIdx.x % 32 == 0 && thread_count) atomicAdd(count, thread_count);
}

__global__ void count_words(const uint32_t *nonempty, uint64_t words, uint64_t *before) {
  GRID_FOR(w, words) before[w] = __popc(nonempty[w]);
}

__global__ void list_vectors(const uint32_t *nonempty, const uint64_t *before, uint64_t words,
                             uint32_t *ids) {
  GRID_FOR(w, words) {
    uint64_t k = before[w];
    for (uint32_t s = nonempty[w]; s; s &= s - 1) ids[k++] = (uint32_t)(32 * w) + (uint32_t)__ffs((int)s) - 1;
  }
}

__device__ uint64_t number_of(const grid_listing &l, uint64_t v) {
  return l.ids ? l.before[v >> 5] + __popc(l.nonempty[v >> 5] & ((1u << (v & 31)) - 1)) : v;
}
__device__ uint64_t expand_id(const grid_listing &l, uint64_t k) {
  return l.ids ? l.ids[k] : k;
}

__global__ void number_keys(uint64_t *key, uint64_t n, int shift, uint64_t none, grid_listing rows,
                            grid_listing cols) {
  const uint64_t mask = (UINT64_C(1) << shift) - 1;
  GRID_FOR(e, n)
  key[e] = key[e] >= none ? rows.n << shift
                          : number_of(rows, key[e] >> shift) << shift | number_of(cols, key[e] & mask);
}
__global__ void expand_key_ids(uint64_t *key, uint64_t n, int shift, uint64_t none, grid_listing rows,
                               grid_listing cols) {
  const uint64_t mask = (UINT64_C(1) << shift) - 1;
  GRID_FOR(e, n)
  key[e] = key[e] >> shift >= rows.n
               ? none
               : expand_id(rows, key[e] >> shift) << shift | expand_id(cols, key[e] & mask);
}

GrB_Info make_list(grid_listing *l, uint64_t words) {
  GrB_Info info = GrB_SUCCESS;
  l->before = (uint64_t *)grid_device_malloc(words, sizeof *l->before);
  l->ids = (uint32_t *)grid_device_malloc(l->n, sizeof *l->ids);
  if (!l->before || !l->ids) TRY(grid_device_fail_memory(NULL, "a list of rows", words + l->n, 12));
  count_words<<<grid_cuda_blocks_for(words), 256, 0, grid_cuda_stream()>>>(l->nonempty, words, l->before);
  TRY(grid_cuda_check_launch("listing rows with entries"));
  TRY(grid_cuda_exclusive_sums(l->before, words));
  list_vectors<<<grid_cuda_blocks_for(words), 256, 0, grid_cuda_stream()>>>(l->nonempty, l->before, words,
                                                                            l->ids);
  info = grid_cuda_check_launch("listing rows with entries");
done:
  return info;
}

}  // namespace

extern "C" GrB_Info grid_cuda_listing(grid_listing *l, const grid_axis *a, const grid_device_tuples *t,
                                      uint64_t none, int shift, uint64_t mask) {
  const uint64_t words = (a->dim + 31) / 32;
  unsigned long long *count = NULL, nonempty_count = 0;
  GrB_Info info = GrB_SUCCESS;
  *l = grid_listing{NULL, NULL, NULL, a->dim};
  if (a->n == a->dim || grid_axis_is_dense_for(a->dim, t->n - t->dropped)) return info;
  l->nonempty = (uint32_t *)grid_device_malloc(words, sizeof *l->nonempty);
  count = (unsigned long long *)grid_device_malloc(1, sizeof *count);
  if (!l->nonempty || !count) TRY(grid_device_fail_memory(NULL, "marks of rows", words, sizeof *l->nonempty));
  TRY(grid_device_zero(l->nonempty, words * sizeof *l->nonempty));
  TRY(grid_device_zero(count, sizeof *count));
  mark_vertices<<<grid_cuda_blocks_for(t->n), 256, 0, grid_cuda_stream()>>>(t->keys, t->n, none, shift, mask,
                                                                            l->nonempty);
  count_bits<<<grid_cuda_blocks_for(words), 256, 0, grid_cuda_stream()>>>(l->nonempty, words, count);
  TRY(grid_cuda_check_launch("counting rows with entries"));
  TRY(grid_cuda_fetch(&nonempty_count, count));
  if (nonempty_count < a->dim / GRID_HYPER) {
    l->n = nonempty_count;
    info = make_list(l, words);
  }
done:
  grid_device_free(count);
  return info;
}

extern "C" void grid_cuda_listing_free(grid_listing *l) {
  grid_device_free(l->nonempty);
  grid_device_free(l->before);
  grid_device_free(l->ids);
  *l = grid_listing{NULL, NULL, NULL, 0};
}

extern "C" GrB_Info grid_cuda_number_keys(uint64_t *keys, uint64_t n, int shift, uint64_t none,
                                          const grid_listing *rows, const grid_listing *cols) {
  number_keys<<<grid_cuda_blocks_for(n), 256, 0, grid_cuda_stream()>>>(keys, n, shift, none, *rows, *cols);
  return grid_cuda_check_launch("numbering rows with entries");
}

extern "C" GrB_Info grid_cuda_expand_key_ids(uint64_t *keys, uint64_t n, int shift, uint64_t none,
                                             const grid_listing *rows, const grid_listing *cols) {
  expand_key_ids<<<grid_cuda_blocks_for(n), 256, 0, grid_cuda_stream()>>>(keys, n, shift, none, *rows, *cols);
  return grid_cuda_check_launch("naming rows with entries");
}
