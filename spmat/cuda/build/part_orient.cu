// What is derived from the rows of a pattern's part on the device: its columns, and the heads of either
// (spmat/matrix/part_orient.c does the same on the host).
//
// Peak beside the rows: 20 bytes for each entry (two buffers of keys, then idx in place of the second) and 4
// for each column.
#include "spmat/cuda/build/entries.cuh"
#include "spmat/cuda/build/keys.cuh"

namespace {

// ---- transpose
// ------------------------------------------------------------------------------------------------

// Entry e of vector v becomes the key (idx[e], v).
__global__ void __launch_bounds__(THREADS) spread_keys(const __grid_constant__ entries m, uint64_t *key) {
  for_entries(m, [&](uint64_t e, uint64_t v) { key[e] = (uint64_t)m.idx[e] << 32 | v; });
}

// Visiting the rows in order leaves every column ascending.
GrB_Info transpose(const grid_part *p, grid_compressed *to) {
  const uint64_t nvals = p->nvals;
  grid_keys k = {NULL, NULL, nvals};
  uint64_t *starts = NULL, count = 0;
  const entries m = {p->by_row.ptr, p->by_row.idx, p->row.n, nvals};
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_cuda_room(20 * nvals + 4 * p->col.n, "the columns of a matrix block"));
  k.at = (uint64_t *)grid_device_malloc(nvals, 8), k.other = (uint64_t *)grid_device_malloc(nvals, 8);
  if (!k.at || !k.other)
    TRY(grid_device_fail_memory(NULL, "a transposed matrix block", nvals, 2 * sizeof *k.at));
  if (nvals) spread_keys<<<tile_blocks(m), THREADS, 0, grid_cuda_stream()>>>(m, k.at);
  TRY(grid_cuda_launched("transposing a matrix block"));
  TRY(grid_cuda_sort(&k, 32, grid_cuda_bits(p->col.n)));
  TRY(grid_cuda_distinct(k.at, nvals, &starts, &count));  // all are: it counts them by tiles
  grid_device_free(k.other);
  k.other = NULL;
  TRY(grid_cuda_compress(k.at, nvals, true, starts, count, p->col.n, &to->ptr, &to->idx));
  grid_lap("transpose");
done:
  grid_cuda_keys_free(&k);
  grid_device_free(starts);
  return info;
}

// ---- heads
// ----------------------------------------------------------------------------------------------------

// A warp writes half a word of nonempty: the low half comes first in memory.
__global__ void mark_nonempty(const uint32_t *ptr, uint64_t n, uint32_t *nonempty) {
  GRID_FOR(v, (n + 63) / 64 * 64) {
    const uint32_t bits = __ballot_sync(~0u, v < n && ptr[v + 1] > ptr[v]);
    if (threadIdx.x % 32 == 0) nonempty[v >> 5] = bits;
  }
}

// A warp for each vector: of the ends the one of highest degree, the smallest such.
__global__ void find_first(const uint32_t *ptr, const uint32_t *idx, uint64_t n, const uint32_t *degree,
                           uint32_t *first) {
  GRID_FOR(t, n * 32) {
    const uint64_t v = t / 32;
    uint64_t best = 0;  // degree << 32 | ~end
    for (uint64_t e = ptr[v] + t % 32; e < ptr[v + 1]; e += 32) {
      const uint64_t here = (uint64_t)degree[idx[e]] << 32 | (uint32_t)~idx[e];
      best = here > best ? here : best;
    }
    for (int step = 16; step; step /= 2) {
      const uint64_t other = __shfl_xor_sync(~0u, best, step);
      best = other > best ? other : best;
    }
    if (t % 32 == 0) first[v] = ptr[v + 1] > ptr[v] ? ~(uint32_t)best : 0;
  }
}

GrB_Info add_heads(const grid_part *p, bool rows, grid_compressed *c, const uint32_t *degree) {
  const uint64_t n = rows ? p->row.n : p->col.n, ends = rows ? p->col.n : p->row.n;
  uint32_t *own = NULL;
  GrB_Info info = GrB_SUCCESS;
  c->first = (uint32_t *)grid_device_malloc(n, sizeof *c->first);
  c->nonempty = (uint64_t *)grid_device_malloc(grid_words(n), sizeof *c->nonempty);
  if (!degree) own = (uint32_t *)grid_device_malloc(ends, sizeof *own);
  if (!c->first || !c->nonempty || (!degree && !own))
    TRY(grid_device_fail_memory(NULL, "first entries of rows", n, sizeof *c->first));
  if (!degree) TRY(grid_cuda_count(p, !rows, own));
  if (n) {
    mark_nonempty<<<grid_cuda_many(n), 256, 0, grid_cuda_stream()>>>(c->ptr, n, (uint32_t *)c->nonempty);
    find_first<<<grid_cuda_many(32 * n), 256, 0, grid_cuda_stream()>>>(c->ptr, c->idx, n,
                                                                       degree ? degree : own, c->first);
  }
  TRY(grid_cuda_launched("first entries of rows"));
  grid_lap("heads");
done:
  grid_device_free(own);
  return info;
}

// ---- symmetric?
// -----------------------------------------------------------------------------------------------

__global__ void find_difference(const uint32_t *a, const uint32_t *b, uint64_t n, uint32_t *differ) {
  GRID_FOR(e, n) if (a[e] != b[e]) *differ = 1;
}

// Is the part its own transpose? Rows and columns are the same vertices.
GrB_Info compare(const grid_part *p, const grid_compressed *b, bool *same) {
  const grid_compressed *a = &p->by_row;
  *same = false;
  if (p->row.n != p->col.n || p->row.dim != p->col.dim || p->row.ids || p->col.ids) return GrB_SUCCESS;
  uint32_t *differ = (uint32_t *)grid_device_malloc(1, sizeof *differ), answer = 1;
  if (!differ) return grid_device_fail_memory(NULL, "comparing a matrix block", 1, sizeof *differ);
  cudaStream_t stream = grid_cuda_stream();
  GrB_Info info;
  TRY(grid_device_zero(differ, sizeof *differ));
  find_difference<<<grid_cuda_many(p->row.n + 1), 256, 0, stream>>>(a->ptr, b->ptr, p->row.n + 1, differ);
  find_difference<<<grid_cuda_many(p->nvals), 256, 0, stream>>>(a->idx, b->idx, p->nvals, differ);
  TRY(grid_cuda_launched("comparing a matrix block"));
  TRY(grid_cuda_fetch(&answer, differ));
  *same = answer == 0;
done:
  grid_device_free(differ);
  return info;
}

}  // namespace

extern "C" const grid_orienting grid_cuda_orienting = {transpose, add_heads, compare, grid_device_free};
