// Building a pattern's part from packed keys on the device (spmat/matrix/build.h).
//
// The keys of a symmetric part are sorted by column, which makes runs, one for each vertex; the runs change
// places so that they stand in descending length, and a stable sort by row then leaves every row in its final
// order. Any other part is sorted by row, then by column, as on the host, and oriented afterwards. Sorts look
// at the bits that the dimensions need, 8 at a time.
//
// Peak: 16 bytes for each key (two buffers), 40 for each column (runs, shifts, the two buffers of their
// order), and what CUB wants; the second buffer is gone when idx (4 bytes for each entry) is allocated. It is
// compared with the free memory before anything is sorted.
#include "spmat/cuda/build/keys.cuh"

namespace {

enum { RUN_BYTES = sizeof(grid_run) + sizeof(uint64_t) + GRID_RANK_BYTES };

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

// ---- order
// ----------------------------------------------------------------------------------------------------

__global__ void find_runs(const uint64_t *key, uint64_t n, grid_run *run) {
  GRID_FOR(e, n) {
    const uint32_t v = (uint32_t)key[e];
    if (e == 0 || (uint32_t)key[e - 1] != v) run[v].from = e;
    if (e + 1 == n || (uint32_t)key[e + 1] != v) run[v].to = e + 1;
  }
}

__global__ void move_runs(const uint64_t *key, uint64_t n, const uint64_t *shift, uint64_t *to) {
  GRID_FOR(e, n) {
    const uint64_t k = key[e];
    to[e + shift[(uint32_t)k]] = k;
  }
}

// Keys sorted by column: the columns change places, most keys first.
GrB_Info rank_columns(grid_keys *k, uint64_t cols) {
  const unsigned blocks = grid_cuda_many(k->n);
  grid_run *run = (grid_run *)grid_device_malloc(cols, sizeof *run);
  uint64_t *shift = (uint64_t *)grid_device_malloc(cols, sizeof *shift), *swap;
  const grid_runs runs = {cols, run, NULL, NULL};
  GrB_Info info = GrB_SUCCESS;
  if (!run || !shift) TRY(grid_device_fail_memory(NULL, "columns by degree", cols, RUN_BYTES));
  TRY(grid_device_zero(run, cols * sizeof *run));
  find_runs<<<blocks, 256, 0, grid_cuda_stream()>>>(k->at, k->n, run);
  TRY(grid_cuda_launched("finding columns"));
  TRY(grid_cuda_rank(&runs, shift));
  grid_lap("rank");
  move_runs<<<blocks, 256, 0, grid_cuda_stream()>>>(k->at, k->n, shift, k->other);
  TRY(grid_cuda_launched("ordering columns"));
  swap = k->at;
  k->at = k->other;
  k->other = swap;
  grid_lap("columns in order of rank");
done:
  grid_device_free(run);
  grid_device_free(shift);
  return info;
}

// Afterwards equal keys are neighbours: by row, each row in descending degree of the columns (symmetric), or
// by column, each column's rows ascending.
GrB_Info order_keys(grid_keys *k, uint64_t rows, uint64_t cols, bool symmetric) {
  const int row_bits = grid_cuda_bits(rows), col_bits = grid_cuda_bits(cols);
  GrB_Info info = symmetric ? grid_cuda_sort(k, 0, col_bits) : grid_cuda_sort(k, 32, row_bits);
  if (info != GrB_SUCCESS) return info;
  grid_lap(symmetric ? "sort by column" : "sort by row");
  if (symmetric && (info = rank_columns(k, cols)) != GrB_SUCCESS) return info;
  info = symmetric ? grid_cuda_sort(k, 32, row_bits) : grid_cuda_sort(k, 0, col_bits);
  grid_lap(symmetric ? "sort by row" : "sort by column");
  return info;
}

// ---- the whole
// ------------------------------------------------------------------------------------------------

GrB_Info compress(grid_part *p, grid_keys *k, bool symmetric) {
  uint64_t *starts = NULL, count = 0;
  GrB_Info info;
  TRY(grid_cuda_distinct(k->at, k->n, &starts, &count));
  if (count > GRID_PART_MAX)
    TRY(grid_fail(
        NULL, GrB_OUT_OF_MEMORY,
        "a block of %llu entries is more than the %llu that one process can hold; use more processes",
        (unsigned long long)count, (unsigned long long)GRID_PART_MAX));
  grid_device_free(k->other);
  k->other = NULL;
  grid_lap("count distinct");
  TRY(grid_cuda_compress(k->at, k->n, symmetric, starts, count, p->col.dim, &p->by_col.ptr, &p->by_col.idx));
  p->nvals = count;
  p->row.n = p->row.dim;
  p->col.n = p->col.dim;
  grid_lap("compress");
done:
  grid_device_free(starts);
  return info;
}

GrB_Info build(grid_part *p, uint64_t *keys, uint64_t n, bool symmetric) {
  grid_keys k = {keys, NULL, n};
  bool row_hyper = false, col_hyper = false;
  GrB_Info info;
  TRY(is_hyper(&p->row, keys, n, true, &row_hyper));
  TRY(is_hyper(&p->col, keys, n, false, &col_hyper));
  if (row_hyper || col_hyper) return GRID_NOT_HERE;
  TRY(grid_cuda_room(8 * n + (symmetric ? RUN_BYTES * p->col.dim : 0) + grid_cuda_sort_bytes(n),
                     "sorting the tuples of a matrix block"));
  k.other = (uint64_t *)grid_device_malloc(n, sizeof *k.other);
  if (!k.other)
    TRY(grid_device_fail_memory(NULL, "sorting the tuples of a matrix block", n, sizeof *k.other));
  grid_lap("second buffer");
  TRY(order_keys(&k, p->row.dim, p->col.dim, symmetric));
  TRY(compress(p, &k, symmetric));
done:
  grid_cuda_keys_free(&k);
  return info;
}

}  // namespace

extern "C" const struct grid_builder grid_cuda_builder = {grid_cuda_rmat,  build,         grid_cuda_orient,
                                                          grid_cuda_count, grid_cuda_add, grid_cuda_mark};
