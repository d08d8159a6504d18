// Splits a block by its delegates on the device (spmat/matrix/split_by_delegates.h). A thread block takes a
// tile of the entries, whatever rows they belong to, counts them by bin in shared memory, and reserves output
// positions once a tile and bin. The order within a bin is undefined: submatrices are sorted when they are
// built.
#include "spmat/cuda/build/entries.cuh"
#include "spmat/cuda/build/keys.cuh"

namespace {

entries entries_of(const grid_local_matrix *p) {
  return entries{p->by_row.ptr, p->by_row.idx, p->row.n, p->nvals};
}

// ---- counting ------------------------------------------------------------------------------------------

__device__ void clear(unsigned *count, unsigned n) {
  for (unsigned b = threadIdx.x; b < n; b += THREADS) count[b] = 0;
}

// Makes n sums, initially zero, by `run`, and copies them to the host.
template <class Run>
GrB_Info sums(uint64_t *to, uint64_t n, Run run) {
  unsigned long long *sum = (unsigned long long *)grid_device_malloc(n, sizeof *sum);
  if (!sum) return grid_device_fail_memory(NULL, "counts of entries", n, sizeof *sum);
  GrB_Info info = grid_device_zero(sum, n * sizeof *sum);
  if (info == GrB_SUCCESS) run(sum);
  if (info == GrB_SUCCESS) info = grid_cuda_check_launch("counting entries for delegates");
  if (info == GrB_SUCCESS) info = grid_device_get(to, sum, n * sizeof *sum);
  grid_device_free(sum);
  return info;
}

// ---- delegates -----------------------------------------------------------------------------------------

// key NULL: they are only counted.
__global__ void list_high_degree(const uint32_t *degree, uint64_t n, uint32_t threshold, uint64_t first,
                                 uint64_t *key, unsigned long long *count) {
  const unsigned lane = threadIdx.x & 31;
  GRID_FOR(v, (n + 31) / 32 * 32) {  // whole warps
    const bool is = v < n && degree[v] > threshold;
    const unsigned all = __ballot_sync(~0u, is);
    if (!all) continue;
    unsigned long long at = 0;
    if (lane == 0) at = atomicAdd(count, (unsigned long long)__popc(all));
    at = __shfl_sync(~0u, at, 0);
    if (is && key)
      key[at + __popc(all & ((1u << lane) - 1))] = (uint64_t)(UINT32_MAX - degree[v]) << 32 | (first + v);
  }
}

GrB_Info find_high_degree(const uint32_t *degree, uint64_t n, uint32_t threshold, uint64_t first,
                          uint64_t **key, uint64_t *count) {
  const unsigned blocks = grid_cuda_blocks_for(n);
  uint64_t second_count;
  const auto list = [&](unsigned long long *sum) {
    list_high_degree<<<blocks, 256, 0, grid_cuda_stream()>>>(degree, n, threshold, first, *key, sum);
  };
  *key = NULL;
  GrB_Info info = sums(count, 1, list);
  if (info != GrB_SUCCESS) return info;
  *key = (uint64_t *)grid_device_malloc(*count, sizeof **key);
  if (!*key) return grid_device_fail_memory(NULL, "delegates", *count, sizeof **key);
  return sums(&second_count, 1, list);
}

__global__ void number_vertices(const uint32_t *vertex, uint64_t d, uint64_t q, uint64_t R, uint64_t i,
                                uint64_t j, uint32_t *row, uint32_t *col) {
  GRID_FOR(k, d) {
    const uint64_t chunk = vertex[k] / q, offset = vertex[k] % q;
    if (chunk % R == i) row[chunk / R * q + offset] = (uint32_t)k + 1;
    if (chunk / R == j) col[chunk % R * q + offset] = (uint32_t)k + 1;
  }
}

GrB_Info number(const grid_division *D, const uint32_t *vertex, uint64_t d, uint32_t *row, uint32_t *col) {
  number_vertices<<<grid_cuda_blocks_for(d), 256, 0, grid_cuda_stream()>>>(vertex, d, D->q, D->R, D->i, D->j,
                                                                           row, col);
  return grid_cuda_check_launch("numbering delegates");
}

// ---- scattering entries -----------------------------------------------------------------------------------

struct binning {
  entries m;
  const uint32_t *row, *col;
  uint64_t q, R, i, j;
  uint32_t P, bins;
  bool mirrored;
  uint64_t *key[GRID_KINDS];
};

binning binning_of(const grid_division *D) {
  return binning{entries_of(D->block),
                 D->row,
                 D->col,
                 D->q,
                 D->R,
                 D->i,
                 D->j,
                 (uint32_t)D->P,
                 (uint32_t)grid_division_bins(D->P),
                 D->mirrored,
                 {}};
}

const uint32_t NO_BIN = UINT32_MAX;

// An entry's bin, and its coordinates in its submatrix.
__device__ uint32_t bin_of(const binning &D, uint64_t row, uint64_t col, uint64_t *key) {
  const uint32_t r = D.row[row], c = D.col[col];
  if (!r && !c) {
    *key = row << 32 | col;
    return GRID_NN * D.P;
  }
  if (!r) {  // with the owner of the row's vertex
    *key = row % D.q << 32 | (c - 1);
    return GRID_ND * D.P + (uint32_t)(row / D.q * D.R + D.i);
  }
  if (!c) {
    *key = (uint64_t)(r - 1) << 32 | col % D.q;
    return D.mirrored ? NO_BIN : GRID_DN * D.P + (uint32_t)(D.j * D.R + col / D.q);
  }
  *key = (uint64_t)(r - 1) << 32 | (c - 1);
  return GRID_DD * D.P + (c - 1) % D.P;
}

// next[bin] += the entries of each bin; with `write` their keys are stored from the old value on.
template <bool write>
__global__ void __launch_bounds__(THREADS)
    bin_block_entries(const __grid_constant__ binning D, unsigned long long *next) {
  __shared__ unsigned count[GRID_DIVISION_BINS];
  __shared__ unsigned long long position[GRID_DIVISION_BINS];
  const uint64_t tiles = tiles_of(D.m);
  for (uint64_t number = blockIdx.x; number < tiles; number += gridDim.x) {
    clear(count, D.bins);
    const tile t = load_tile(D.m, number);
    uint64_t key[ITEMS_PER_THREAD];
    uint32_t bin[ITEMS_PER_THREAD], rank[ITEMS_PER_THREAD];
#pragma unroll
    for (int k = 0; k < ITEMS_PER_THREAD; k++) {
      const uint64_t e = t.first + threadIdx.x + (uint64_t)k * THREADS;
      bin[k] = e <= t.last ? bin_of(D, vector_of(D.m, t.ends[0], t.ends[1], e), D.m.idx[e], &key[k]) : NO_BIN;
      rank[k] = bin[k] == NO_BIN ? 0 : atomicAdd(&count[bin[k]], 1u);
    }
    __syncthreads();
    for (uint32_t b = threadIdx.x; b < D.bins; b += THREADS)
      position[b] = count[b] ? atomicAdd(next + b, (unsigned long long)count[b]) : 0;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < ITEMS_PER_THREAD; k++)
      if (write && bin[k] != NO_BIN) D.key[bin[k] / D.P][position[bin[k]] + rank[k]] = key[k];
  }
}

GrB_Info count(const grid_division *D, uint64_t *count) {
  const binning d = binning_of(D);
  return sums(count, d.bins, [&](unsigned long long *sum) {
    if (d.m.nvals) bin_block_entries<false><<<tile_blocks(d.m), THREADS, 0, grid_cuda_stream()>>>(d, sum);
  });
}

GrB_Info bin_entries(const grid_division *D, const uint64_t *first, uint64_t *const key[GRID_KINDS]) {
  binning d = binning_of(D);
  unsigned long long *next = (unsigned long long *)grid_device_malloc(d.bins, sizeof *next);
  if (!next) return grid_device_fail_memory(NULL, "positions of entries", d.bins, sizeof *next);
  for (int k = 0; k < GRID_KINDS; k++) d.key[k] = key[k];
  GrB_Info info;
  TRY(grid_device_write(next, first, d.bins * sizeof *next));
  if (d.m.nvals) bin_block_entries<true><<<tile_blocks(d.m), THREADS, 0, grid_cuda_stream()>>>(d, next);
  TRY(grid_cuda_check_launch("scattering entries by delegates"));
done:
  grid_device_free(next);
  return info;
}

}  // namespace

extern "C" const grid_device_division grid_cuda_division = {find_high_degree, number, count, bin_entries};
