// Generates the keys of an R-MAT graph, the tuples of include/gridblas_rmat.h, where they are sorted or sent.
#include "spmat/cuda/build/keys.cuh"

namespace {

enum { THREADS = 512, ITEMS_PER_THREAD = 4, TILE = THREADS * ITEMS_PER_THREAD };

// Packs a key's position among its tile's keys for one process, and that process.
enum : uint32_t { POSITION_BITS = 12, NO_POSITION = ~0u };
static_assert(2 * TILE <= 1 << POSITION_BITS, "a tuple has two keys");
static_assert(GRID_RMAT_PROCESSES < 1 << (32 - POSITION_BITS), "the number of a process has room");

// A vertex in the layout (dist/grid/layout.h): number `within` of chunk over * R + at.
struct owner_coord {
  uint64_t within;
  uint32_t over, at;
};

__device__ owner_coord find_owner(const grid_rmat_job &s, double inverse, uint64_t v) {
  if (s.P == 1) return owner_coord{v, 0, 0};
  uint32_t chunk = (uint32_t)((double)v * inverse);  // off by one at most
  if (chunk * s.q > v)
    chunk--;
  else if (v - chunk * s.q >= s.q)
    chunk++;
  const uint32_t over = chunk / (uint32_t)s.R;
  return owner_coord{v - chunk * s.q, over, chunk - over * (uint32_t)s.R};
}

struct entry {
  uint64_t key;       // in its block
  uint32_t position;  // NO_POSITION: none
};

// Is it among the requested rows, if not all are?
template <bool HAS_TUPLE>
__device__ bool is_wanted_row(const grid_rmat_job &s, uint64_t row) {
  return !HAS_TUPLE || row - s.row < s.rows;
}

// Counts the entries (row, col) of the threads of a warp that have one, by the processes whose blocks hold
// them.
__device__ entry claim(const grid_rmat_job &s, bool is_entry, const owner_coord &row, const owner_coord &col,
                       unsigned *claimed) {
  const unsigned lane = threadIdx.x % 32, below = (1u << lane) - 1;
  const uint32_t process = col.over * (uint32_t)s.R + row.at;
  const unsigned peers =
      s.P == 1 ? __ballot_sync(~0u, is_entry) : __match_any_sync(~0u, is_entry ? process : NO_POSITION);
  const int first = __ffs(peers) - 1;
  unsigned at = 0;
  if (is_entry && (int)lane == first) at = atomicAdd(&claimed[process], __popc(peers));
  at = __shfl_sync(~0u, at, first & 31) + __popc(peers & below);
  return entry{(row.over * s.q + row.within) << s.shift | (col.at * s.q + col.within),
               is_entry ? process << POSITION_BITS | at : NO_POSITION};
}

__device__ void store(const entry &e, const unsigned long long *base, uint64_t *keys, uint64_t capacity) {
  if (e.position == NO_POSITION) return;
  const uint32_t process = e.position >> POSITION_BITS;
  const uint64_t at = base[process] + (e.position & ((1u << POSITION_BITS) - 1));
  if (at < capacity) keys[process * capacity + at] = e.key;
}

// count[p] += the number of keys for process p, which are written from keys + p * capacity on, in any order,
// up to the capacity. A block reserves positions for a tile of tuples at a time.
template <bool HAS_TUPLE>
__global__ void __launch_bounds__(THREADS, 2)
    generate(const __grid_constant__ grid_rmat_job s, double inverse, uint64_t *keys, uint64_t capacity,
             unsigned long long *count) {
  extern __shared__ unsigned long long base[];  // P of them, then P of `claimed`
  __shared__ Grid_Rmat g;
  unsigned *claimed = (unsigned *)(base + s.P);
  static_assert(sizeof g % 8 == 0, "copied by words");
  for (unsigned w = threadIdx.x; w < sizeof g / 8; w += THREADS)
    ((uint64_t *)&g)[w] = ((const uint64_t *)&s.g)[w];
  const uint64_t tiles = (s.tuples + TILE - 1) / TILE;
  for (uint64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    for (unsigned p = threadIdx.x; p < s.P; p += THREADS) claimed[p] = 0;
    __syncthreads();  // in the first round also: g is complete
    entry forth[ITEMS_PER_THREAD], back[ITEMS_PER_THREAD];
#pragma unroll
    for (int k = 0; k < ITEMS_PER_THREAD; k++) {
      const uint64_t t = tile * TILE + (unsigned)k * THREADS + threadIdx.x;
      uint64_t r = 0, c = 0;
      if (t < s.tuples) Grid_Rmat_tuple(&g, s.first + t, &r, &c);
      const bool in_range = t < s.tuples, loop = r == c;
      const owner_coord row = find_owner(s, inverse, r), col = find_owner(s, inverse, c);
      const bool one = in_range && !(loop && s.no_loops), other = in_range && s.mirror && !loop;
      forth[k] = claim(s, one && is_wanted_row<HAS_TUPLE>(s, r), row, col, claimed);
      back[k] = claim(s, other && is_wanted_row<HAS_TUPLE>(s, c), col, row, claimed);
      if (HAS_TUPLE) forth[k].key -= s.row << s.shift, back[k].key -= s.row << s.shift;
    }
    __syncthreads();
    for (unsigned p = threadIdx.x; p < s.P; p += THREADS)
      if (claimed[p]) base[p] = atomicAdd(&count[p], (unsigned long long)claimed[p]);
    __syncthreads();  // `claimed` is not read after this
#pragma unroll
    for (int k = 0; k < ITEMS_PER_THREAD; k++) {
      store(forth[k], base, keys, capacity);
      store(back[k], base, keys, capacity);
    }
  }
}

template <bool HAS_TUPLE>
GrB_Info run(const grid_rmat_job *job, uint64_t *keys, uint64_t capacity, unsigned long long *key_count,
             uint64_t *count) {
  const unsigned blocks = grid_cuda_blocks(job->tuples, TILE, 8u * (unsigned)grid_cuda_multiprocessors());
  const size_t shared = job->P * (sizeof(unsigned long long) + sizeof(unsigned));
  GrB_Info info = grid_device_zero(key_count, job->P * sizeof *key_count);
  if (info != GrB_SUCCESS) return info;
  generate<HAS_TUPLE>
      <<<blocks, THREADS, shared, grid_cuda_stream()>>>(*job, 1 / (double)job->q, keys, capacity, key_count);
  if ((info = grid_cuda_check_launch("generating an R-MAT graph")) != GrB_SUCCESS) return info;
  return grid_device_get(count, key_count, job->P * sizeof *count);
}

uint64_t max_count(const uint64_t *count, uint64_t n) {
  uint64_t most = 0;
  for (uint64_t k = 0; k < n; k++) most = count[k] > most ? count[k] : most;
  return most;
}

}  // namespace

extern "C" GrB_Info grid_cuda_rmat_rows(const grid_rmat_job *job, uint64_t *keys, uint64_t capacity,
                                        unsigned long long *key_count, uint64_t *count) {
  return run<true>(job, keys, capacity, key_count, count);
}

// One process keeps nearly all keys and has room for all; of several, each gets about the same number. If one
// gets more than its capacity, the number is known then, and the keys are generated again.
extern "C" GrB_Info grid_cuda_rmat(const grid_rmat_job *job, uint64_t **keys, uint64_t *capacity,
                                   uint64_t *count) {
  const uint64_t all = job->tuples * (job->mirror ? 2 : 1), share = all / job->P;
  unsigned long long *key_count = (unsigned long long *)grid_device_malloc(job->P, sizeof *key_count);
  GrB_Info info = GrB_SUCCESS;
  *keys = NULL;
  *capacity = job->P == 1 ? all : share + share / 16 + TILE;
  if (!key_count) TRY(grid_device_fail_memory(NULL, "counters", job->P, sizeof *key_count));
  // memory of the next step: as many keys are received, or are the sort's second buffer
  TRY(grid_cuda_check_free(8 * job->P * *capacity + 8 * all + grid_cuda_sort_bytes(all),
                           "generating and sorting an R-MAT graph"));
  for (;;) {
    *keys = (uint64_t *)grid_device_malloc(job->P * *capacity, sizeof **keys);
    if (!*keys)
      TRY(grid_device_fail_memory(NULL, "the tuples of an R-MAT graph", job->P * *capacity, sizeof **keys));
    TRY(run<false>(job, *keys, *capacity, key_count, count));
    const uint64_t most = max_count(count, job->P);
    if (most <= *capacity) break;
    grid_device_free(*keys);
    *capacity = most;
  }
done:
  grid_device_free(key_count);
  if (info != GrB_SUCCESS) {
    grid_device_free(*keys);
    *keys = NULL;
  }
  return info;
}
