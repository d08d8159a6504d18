// Building a pattern's part from packed keys on the device (spmat/matrix/build.h).
//
// Keys are sorted by column, then by row, by the bits that the dimensions need: every row's columns ascend.
//
// Peak: 16 bytes for each key (two buffers) and what CUB wants; the second buffer is gone when idx (4 bytes
// for each entry) is allocated. It is compared with the free memory before anything is sorted.
#include "spmat/cuda/build/keys.cuh"

namespace {

// ---- hypersparse axes
// ---------------------------------------------------------------------------------------

__global__ void mark_seen(const uint64_t *key, uint64_t n, int shift, uint32_t *seen) {
  GRID_FOR(e, n) {
    const uint32_t v = (uint32_t)(key[e] >> shift), bit = 1u << (v & 31);
    if (!(__ldcg(&seen[v >> 5]) & bit)) atomicOr(&seen[v >> 5], bit);
  }
}

__global__ void count_bits(const uint32_t *seen, uint64_t words, unsigned long long *count) {
  unsigned mine = 0;
  GRID_FOR(w, words) mine += __popc(seen[w]);
  mine = __reduce_add_sync(~0u, mine);
  if (threadIdx.x % 32 == 0 && mine) atomicAdd(count, mine);
}

// The host's rule (spmat/matrix/part_build.c): fewer than one in GRID_HYPER vectors hold an entry.
GrB_Info is_hyper(const grid_axis *a, const uint64_t *key, uint64_t n, bool row, bool *hyper) {
  *hyper = false;
  if (a->n == a->dim || n / 4 >= a->dim) return GrB_SUCCESS;
  const uint64_t words = (a->dim + 31) / 32;
  unsigned long long *count = (unsigned long long *)grid_device_malloc(words + 2, 4), some = 0;
  if (!count) return grid_device_fail_memory(NULL, "marks of rows", words, 4);
  uint32_t *seen = (uint32_t *)(count + 1);
  GrB_Info info;
  TRY(grid_device_zero(count, (words + 2) * 4));
  mark_seen<<<grid_cuda_many(n), 256, 0, grid_cuda_stream()>>>(key, n, row ? 32 : 0, seen);
  count_bits<<<grid_cuda_many(words), 256, 0, grid_cuda_stream()>>>(seen, words, count);
  TRY(grid_cuda_launched("counting rows with entries"));
  TRY(grid_cuda_fetch(&some, count));
  *hyper = some < a->dim / GRID_HYPER;
done:
  grid_device_free(count);
  return info;
}

// ---- the whole
// ------------------------------------------------------------------------------------------------

GrB_Info compress(grid_part *p, grid_keys *k, const uint64_t *starts, uint64_t count) {
  grid_device_free(k->other);
  k->other = NULL;
  GrB_Info info =
      grid_cuda_compress(k->at, k->n, true, starts, count, p->row.dim, &p->by_row.ptr, &p->by_row.idx);
  if (info != GrB_SUCCESS) return info;
  p->nvals = count;
  p->row.n = p->row.dim;
  p->col.n = p->col.dim;
  grid_lap("compress");
  return info;
}

// The keys stand where the caller has them again.
GrB_Info hand_back(grid_keys *k, uint64_t *keys) {
  GrB_Info info = k->at == keys ? GrB_SUCCESS : grid_device_copy(keys, k->at, k->n * sizeof *keys);
  if (info != GrB_SUCCESS) return info;
  grid_device_free(k->at == keys ? k->other : k->at);
  return GRID_NOT_HERE;
}

GrB_Info build(grid_part *p, uint64_t *keys, uint64_t n) {
  grid_keys k = {keys, NULL, n};
  bool row_hyper = false, col_hyper = false;
  uint64_t *starts = NULL, count = 0;
  GrB_Info info;
  TRY(is_hyper(&p->row, keys, n, true, &row_hyper));
  TRY(is_hyper(&p->col, keys, n, false, &col_hyper));
  if (row_hyper || col_hyper) return GRID_NOT_HERE;
  TRY(grid_cuda_room(8 * n + grid_cuda_sort_bytes(n), "sorting the tuples of a matrix block"));
  k.other = (uint64_t *)grid_device_malloc(n, sizeof *k.other);
  if (!k.other)
    TRY(grid_device_fail_memory(NULL, "sorting the tuples of a matrix block", n, sizeof *k.other));
  grid_lap("second buffer");
  TRY(grid_cuda_sort(&k, 0, grid_cuda_bits(p->col.dim)));
  TRY(grid_cuda_sort(&k, 32, grid_cuda_bits(p->row.dim)));
  grid_lap("sort");
  TRY(grid_cuda_distinct(k.at, k.n, &starts, &count));
  grid_lap("count distinct");
  if (count >= grid_wide_from && (info = hand_back(&k, keys)) == GRID_NOT_HERE) {
    grid_device_free(starts);
    return info;
  }
  TRY(info);
  TRY(compress(p, &k, starts, count));
done:
  grid_device_free(starts);
  grid_cuda_keys_free(&k);
  return info;
}

}  // namespace

extern "C" const struct grid_builder grid_cuda_builder = {
    grid_cuda_rmat, build, &grid_cuda_orienting, grid_cuda_count, grid_cuda_add, grid_cuda_mark};
