// Making an orientation's column panels (spmat/matrix/column_panels.h) from its balanced tiles.
#include "spmat/cuda/device/cuda.cuh"

extern "C" {
#include "spmat/cuda/product/cuda_product.h"
#include "spmat/matrix/balanced_tiles.h"
#include "spmat/matrix/column_panels.h"
}
#include "spmat/cuda/build/keys.cuh"

#define GRID_FN static __device__ __forceinline__
#include "spmat/cuda/kernels/product_tiles.cuh"

namespace {

enum { THREADS = 256 };

// A key has a panel, an output and a rank, from the upper bits down. One panel has the rest, too.
struct key_form {
  uint32_t panels, columns;
  int rank_bits, row_bits;
  __host__ __device__ uint64_t make(uint64_t panel, uint64_t row, uint64_t rank) const {
    return ((panel << row_bits) + row) << rank_bits | rank;
  }
  __device__ uint64_t vector(uint64_t key) const { return key >> rank_bits; }
  __device__ uint32_t row(uint64_t key) const { return (uint32_t)(vector(key) & ((1ull << row_bits) - 1)); }
  __device__ uint32_t rank(uint64_t key) const { return (uint32_t)(key & ((1ull << rank_bits) - 1)); }
};

// A warp takes a tile of the orientation's own order.
__global__ void write_keys(key_form form, grid_balanced_tiles s, const uint32_t *idx, uint64_t entries,
                           const uint32_t *rank_of, uint64_t *key) {
  const unsigned lane = threadIdx.x & 31;
  const uint64_t warps = gridDim.x * (uint64_t)(blockDim.x / 32);
  for (uint64_t tile = blockIdx.x * (uint64_t)(blockDim.x / 32) + threadIdx.x / 32; tile < s.n;
       tile += warps) {
    uint32_t number = s.before[tile];
    for (uint64_t at = tile * GRID_BALANCED_TILE; at < (tile + 1) * GRID_BALANCED_TILE; at += 32) {
      const uint32_t begins = s.row_start[at / 32], upto = begins << (31 - lane);
      const uint64_t e = at + lane;
      if (e < entries) {
        const uint32_t rank = __ldg(rank_of + idx[e]), panel = rank / form.columns;
        key[e] = form.make(form.panels == 1      ? 0
                           : panel < form.panels ? panel
                                                 : form.panels,
                           s.vector[number + __popc(upto) - 1], rank);
      }
      number += __popc(begins);
    }
  }
}

// The place of entry e in tiles.rank.
__device__ uint64_t place_of(uint64_t e) {
  const uint32_t thread = e / 32 % 32, number = e % 32;
  return e / GRID_BALANCED_TILE * GRID_BALANCED_TILE + number / GRID_TILE_WIDTH * GRID_TILE_STEP +
         thread * GRID_TILE_WIDTH + number % GRID_TILE_WIDTH;
}

// Marks the first entry of each vector, and counts them by word of marks; `words` of 32. Entries after the
// last are a vector.
__global__ void mark_vectors(key_form form, const uint64_t *key, uint64_t entries, uint64_t words,
                             uint32_t *row_start, uint64_t *count, uint32_t *rank) {
  GRID_FOR(e, words * 32) {  // whole warps
    const uint64_t k = e < entries ? key[e] : 0;
    const uint32_t begins = __ballot_sync(
        ~0u, e == 0 || e == entries || (e < entries && form.vector(key[e - 1]) != form.vector(k)));
    rank[place_of(e)] = form.rank(k);
    if ((threadIdx.x & 31) == 0) row_start[e / 32] = begins, count[e / 32] = __popc(begins);
  }
}

// at[w]: vectors before word w of the marks.
__global__ void list_vectors(key_form form, const uint64_t *key, uint64_t entries, uint64_t words,
                             const uint32_t *row_start, const uint64_t *at, uint32_t *vector,
                             uint32_t *before) {
  GRID_FOR(e, words * 32) {
    const uint32_t begins = row_start[e / 32], lane = e & 31;
    const uint64_t number = at[e / 32] + __popc(begins & ((1u << lane) - 1)),
                   end = at[(e / GRID_BALANCED_TILE + 1) * (GRID_BALANCED_TILE / 32)];
    if (begins >> lane & 1)
      vector[number] = (e < entries ? form.row(key[e]) : 0) | (number + 1 == end ? GRID_PANEL_OPEN : 0);
    if (e % GRID_BALANCED_TILE == 0) before[e / GRID_BALANCED_TILE] = (uint32_t)number;
  }
  if (blockIdx.x == 0 && threadIdx.x == 0) before[words * 32 / GRID_BALANCED_TILE] = (uint32_t)at[words];
}

// The first key that is not below `from`.
__device__ uint64_t lower_bound(const uint64_t *key, uint64_t n, uint64_t from) {
  uint64_t lo = 0, hi = n;
  while (lo < hi) {
    const uint64_t mid = lo + (hi - lo) / 2;
    if (key[mid] < from)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}

__global__ void find_starts(key_form form, const uint64_t *key, uint64_t entries, uint64_t ny,
                            const uint32_t *row_start, const uint64_t *at, uint64_t words,
                            grid_column_panels p) {
  const uint64_t blocks = (ny + GRID_PANEL_BLOCK - 1) / GRID_PANEL_BLOCK;
  GRID_FOR(k, (p.n + 1) * (blocks + 1)) {
    const uint64_t panel = k / (blocks + 1), row = k % (blocks + 1) * GRID_PANEL_BLOCK,
                   e = lower_bound(key, entries, form.make(panel, row < ny ? row : ny, 0));
    p.block_start[k] =
        (uint32_t)(e < words * 32 ? at[e / 32] + __popc(row_start[e / 32] & ((1u << (e & 31)) - 1))
                                  : at[words]);
    if (row == 0) p.first_tile[panel] = (uint32_t)((e + GRID_BALANCED_TILE - 1) / GRID_BALANCED_TILE);
    if (k == 0) p.first_tile[p.n + 1] = (uint32_t)p.tiles.n;
  }
}

GrB_Info sorted_keys(const grid_job *J, const grid_balanced_tiles *s, const key_form *form,
                     const uint32_t *rank_of, grid_keys *key) {
  GrB_Info info = GrB_SUCCESS;
  key->at = (uint64_t *)grid_device_malloc(J->entries, sizeof *key->at);
  key->other = (uint64_t *)grid_device_malloc(J->entries, sizeof *key->other);
  if (!key->at || !key->other)
    TRY(grid_device_fail_memory(NULL, "column panels of a matrix", J->entries, 2 * sizeof *key->at));
  write_keys<<<grid_cuda_blocks_for(J->entries), THREADS, 0, grid_cuda_stream()>>>(
      *form, *s, J->m->idx, J->entries, rank_of, key->at);
  TRY(grid_cuda_check_launch("column panels of a matrix"));
  // rows ascend already
  if (form->panels > 1)
    TRY(grid_cuda_sort(key, form->rank_bits + form->row_bits, grid_cuda_bits(form->panels + 1)));
done:
  return info;
}

// What p->tiles has of sorted keys; at: memory for a number for each word of marks, and one more.
GrB_Info fill(const grid_job *J, const key_form *form, const uint64_t *key, uint64_t *at,
              grid_column_panels *p) {
  grid_balanced_tiles *const t = &p->tiles;
  const uint64_t words = t->n * (GRID_BALANCED_TILE / 32);
  const unsigned blocks = grid_cuda_blocks_for(words * 32);
  cudaStream_t stream = grid_cuda_stream();
  GrB_Info info;
  TRY(grid_device_zero(at + words, sizeof *at));
  mark_vectors<<<blocks, THREADS, 0, stream>>>(*form, key, J->entries, words, t->row_start, at, t->rank);
  TRY(grid_cuda_exclusive_sums(at, words + 1));
  TRY(grid_cuda_fetch(&t->vectors, at + words));
  t->vector = (uint32_t *)grid_device_malloc(t->vectors, sizeof *t->vector);
  if (!t->vector)
    TRY(grid_device_fail_memory(NULL, "column panels of a matrix", t->vectors, sizeof *t->vector));
  list_vectors<<<blocks, THREADS, 0, stream>>>(*form, key, J->entries, words, t->row_start, at, t->vector,
                                               t->before);
  find_starts<<<grid_cuda_blocks_for((p->n + 1) * (J->ny / GRID_PANEL_BLOCK + 2)), THREADS, 0, stream>>>(
      *form, key, J->entries, J->ny, t->row_start, at, words, *p);
  info = grid_cuda_check_launch("column panels of a matrix");
done:
  return info;
}

// Memory but for the list of vectors, whose number is not known yet; *bytes: how much.
GrB_Info allocate(const grid_job *J, grid_column_panels *p, uint64_t *bytes) {
  grid_balanced_tiles *const t = &p->tiles;
  const uint64_t starts = (p->n + 1) * (J->ny / GRID_PANEL_BLOCK + 2), word = sizeof(uint32_t);
  t->n = (J->entries + GRID_BALANCED_TILE - 1) / GRID_BALANCED_TILE;
  t->row_start = (uint32_t *)grid_device_malloc(t->n, GRID_BALANCED_TILE / 8);
  t->before = (uint32_t *)grid_device_malloc(t->n + 1, word);
  t->rank = (uint32_t *)grid_device_malloc(t->n, GRID_BALANCED_TILE * word);
  p->first_tile = (uint32_t *)grid_device_malloc(p->n + 2, word);
  p->block_start = (uint32_t *)grid_device_malloc(starts, word);
  *bytes = t->n * (GRID_BALANCED_TILE / 8) + (t->n * (GRID_BALANCED_TILE + 1) + 1 + p->n + 2 + starts) * word;
  return t->row_start && t->before && t->rank && p->first_tile && p->block_start
             ? GrB_SUCCESS
             : grid_device_fail_memory(NULL, "column panels of a matrix", *bytes, 1);
}

}  // namespace

extern "C" GrB_Info grid_cuda_column_panels(const grid_job *J, grid_balanced_tiles *s,
                                            const uint32_t *rank_of) {
  const key_form form = {s->panels, s->panel_columns, grid_cuda_bits(s->ends), grid_cuda_bits(J->ny)};
  grid_keys key = {NULL, NULL, J->entries};
  grid_column_panels *p = NULL;
  uint64_t *at = NULL, bytes = 0;
  GrB_Info info = GrB_SUCCESS;
  if (grid_cuda_bits(s->panels + 1) + form.row_bits + form.rank_bits > 63 || form.row_bits > 31)
    return GrB_OUT_OF_MEMORY;
  p = (grid_column_panels *)grid_calloc(1, sizeof *p);
  if (!p) return grid_fail_memory(NULL, "column panels of a matrix", 1, sizeof *p);
  p->n = s->panels, p->columns = s->panel_columns;
  TRY(allocate(J, p, &bytes));
  at = (uint64_t *)grid_device_malloc(p->tiles.n * (GRID_BALANCED_TILE / 32) + 1, sizeof *at);
  if (!at)
    TRY(grid_device_fail_memory(NULL, "column panels of a matrix", p->tiles.n, GRID_BALANCED_TILE / 4));
  TRY(sorted_keys(J, s, &form, rank_of, &key));
  TRY(fill(J, &form, key.at, at, p));
  s->column_panels = p;
  s->bytes += bytes + p->tiles.vectors * sizeof(uint32_t);
done:
  if (info != GrB_SUCCESS) grid_column_panels_free(p);
  grid_cuda_keys_free(&key);
  grid_device_free(at);
  return info;
}
