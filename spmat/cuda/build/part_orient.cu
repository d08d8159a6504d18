// Orienting a pattern's part on the device: both orientations, each with the entries of a vector in
// descending degree of the other end (spmat/matrix/part_orient.c does the same on the host).
//
// Peak beside the orientation that there is: 20 bytes for each entry (two buffers of keys, then idx in place
// of the second) and 24 for each vector.
#include "spmat/cuda/build/entries.cuh"
#include "spmat/cuda/build/keys.cuh"

namespace {

// ---- transpose
// ------------------------------------------------------------------------------------------------

// Entry e of vector v becomes the key (idx[e], v) at its place when vectors are visited in order of rank.
__global__ void __launch_bounds__(THREADS)
    spread_keys(const __grid_constant__ entries m, const uint64_t *shift, uint64_t *key) {
  for_entries(m, [&](uint64_t e, uint64_t v) { key[e + shift[v]] = (uint64_t)m.idx[e] << 32 | v; });
}

// *to = the transpose of from, whose n vectors are visited by descending degree; *to has nto vectors.
GrB_Info transpose(const grid_part *p, grid_compressed *to, uint64_t nto, const grid_compressed *from,
                   uint64_t n, const uint32_t *degree) {
  const uint64_t nvals = p->nvals;
  grid_keys k = {(uint64_t *)grid_device_malloc(nvals, 8), (uint64_t *)grid_device_malloc(nvals, 8), nvals};
  uint64_t *shift = (uint64_t *)grid_device_malloc(n, sizeof *shift), *starts = NULL, count = 0;
  const grid_runs runs = {n, NULL, from->ptr, degree};
  const entries m = {from->ptr, from->idx, n, nvals};
  GrB_Info info = GrB_SUCCESS;
  if (!k.at || !k.other || !shift)
    TRY(grid_device_fail_memory(NULL, "a transposed matrix block", nvals, 2 * sizeof *k.at));
  TRY(grid_cuda_rank(&runs, shift));
  if (nvals) spread_keys<<<tile_blocks(m), THREADS, 0, grid_cuda_stream()>>>(m, shift, k.at);
  TRY(grid_cuda_launched("transposing a matrix block"));
  TRY(grid_cuda_sort(&k, 32, grid_cuda_bits(nto)));
  TRY(grid_cuda_distinct(k.at, nvals, &starts, &count));  // all are: it counts them by tiles
  grid_device_free(k.other);
  k.other = NULL;
  TRY(grid_cuda_compress(k.at, nvals, true, starts, count, nto, &to->ptr, &to->idx));
  grid_lap("transpose");
done:
  grid_cuda_keys_free(&k);
  grid_device_free(shift);
  grid_device_free(starts);
  return info;
}

// ---- heads
// ----------------------------------------------------------------------------------------------------

// A warp writes half a word of nonempty: the low half comes first in memory.
__global__ void write_heads(const uint32_t *ptr, const uint32_t *idx, uint64_t n, uint32_t *first,
                            uint32_t *nonempty) {
  GRID_FOR(v, (n + 63) / 64 * 64) {
    const uint32_t at = v < n ? ptr[v] : 0;
    const bool some = v < n && ptr[v + 1] > at;
    const uint32_t bits = __ballot_sync(~0u, some);
    if (v < n) first[v] = some ? idx[at] : 0;
    if (threadIdx.x % 32 == 0) nonempty[v >> 5] = bits;
  }
}

GrB_Info add_heads(grid_compressed *c, uint64_t n) {
  c->first = (uint32_t *)grid_device_malloc(n, sizeof *c->first);
  c->nonempty = (uint64_t *)grid_device_malloc(grid_words(n), sizeof *c->nonempty);
  if (!c->first || !c->nonempty)
    return grid_device_fail_memory(NULL, "first entries of rows", n, sizeof *c->first);
  if (n)
    write_heads<<<grid_cuda_many(n), 256, 0, grid_cuda_stream()>>>(c->ptr, c->idx, n, c->first,
                                                                   (uint32_t *)c->nonempty);
  return grid_cuda_launched("first entries of rows");
}

// ---- symmetric?
// -----------------------------------------------------------------------------------------------

__global__ void find_difference(const uint32_t *a, const uint32_t *b, uint64_t n, uint32_t *differ) {
  GRID_FOR(e, n) if (a[e] != b[e]) *differ = 1;
}

// Is the part its own transpose? Rows and columns are the same vertices.
GrB_Info compare(const grid_part *p, const grid_compressed *a, const grid_compressed *b, bool *same) {
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

extern "C" GrB_Info grid_cuda_orient(grid_part *p, const uint32_t *row_degree, const uint32_t *col_degree,
                                     bool symmetric, bool detect) {
  static const grid_orienting there = {transpose, add_heads, compare, grid_device_free};
  GrB_Info info = GrB_SUCCESS;
  if (!grid_part_is_transpose(p, symmetric))
    TRY(grid_cuda_room(20 * p->nvals + 24 * (p->row.n > p->col.n ? p->row.n : p->col.n),
                       "both orientations of a matrix block"));
  info = grid_part_orient_by(&there, p, row_degree, col_degree, symmetric, detect);
done:
  return info;
}
