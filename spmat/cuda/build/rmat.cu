// The keys of an R-MAT graph, generated where they are sorted or sent from: the tuples of
// include/gridblas_rmat.h.
#include "spmat/cuda/build/keys.cuh"

namespace {

enum { THREADS = 512, EACH = 4, TILE = THREADS * EACH };

// Where in its tile's keys for one process a key goes, and which process that is, in one number.
enum : uint32_t { PLACE_BITS = 12, NOWHERE = ~0u };
static_assert(2 * TILE <= 1 << PLACE_BITS, "a tuple has two keys");
static_assert(GRID_RMAT_PROCESSES < 1 << (32 - PLACE_BITS), "the number of a process has room");

// A vertex in the layout (dist/grid/layout.h): it is number `within` of chunk over * R + at.
struct spot {
  uint64_t within;
  uint32_t over, at;
};

__device__ spot find_spot(const grid_rmat_job &s, double inverse, uint64_t v) {
  if (s.P == 1) return spot{v, 0, 0};
  uint32_t chunk = (uint32_t)((double)v * inverse);  // off by one at most
  if (chunk * s.q > v)
    chunk--;
  else if (v - chunk * s.q >= s.q)
    chunk++;
  const uint32_t over = chunk / (uint32_t)s.R;
  return spot{v - chunk * s.q, over, chunk - over * (uint32_t)s.R};
}

struct entry {
  uint64_t key;    // in its block
  uint32_t place;  // NOWHERE: there is none
};

// Is it among the rows that are wanted, if not all are?
template <bool SOME>
__device__ bool in_rows(const grid_rmat_job &s, uint64_t row) {
  return !SOME || row - s.row < s.rows;
}

// Counts the warp's entries (row, col), of those threads that keep theirs, for the processes whose blocks
// they are in.
__device__ entry claim(const grid_rmat_job &s, bool keep, const spot &row, const spot &col,
                       unsigned *claimed) {
  const unsigned lane = threadIdx.x % 32, below = (1u << lane) - 1;
  const uint32_t process = col.over * (uint32_t)s.R + row.at;
  const unsigned peers =
      s.P == 1 ? __ballot_sync(~0u, keep) : __match_any_sync(~0u, keep ? process : NOWHERE);
  const int first = __ffs(peers) - 1;
  unsigned at = 0;
  if (keep && (int)lane == first) at = atomicAdd(&claimed[process], __popc(peers));
  at = __shfl_sync(~0u, at, first & 31) + __popc(peers & below);
  return entry{(row.over * s.q + row.within) << s.shift | (col.at * s.q + col.within),
               keep ? process << PLACE_BITS | at : NOWHERE};
}

__device__ void store(const entry &e, const unsigned long long *base, uint64_t *keys, uint64_t room) {
  if (e.place == NOWHERE) return;
  const uint32_t process = e.place >> PLACE_BITS;
  const uint64_t at = base[process] + (e.place & ((1u << PLACE_BITS) - 1));
  if (at < room) keys[process * room + at] = e.key;
}

// count[p] += the number of keys for process p, which are written from keys + p * room on, in any order, as
// far as there is room. A block claims room for a tile of tuples at once.
template <bool SOME>
__global__ void __launch_bounds__(THREADS, 2)
    generate(const __grid_constant__ grid_rmat_job s, double inverse, uint64_t *keys, uint64_t room,
             unsigned long long *count) {
  extern __shared__ unsigned long long base[];  // P of them, then P of claimed
  __shared__ Grid_Rmat g;
  unsigned *claimed = (unsigned *)(base + s.P);
  static_assert(sizeof g % 8 == 0, "copied by words");
  for (unsigned w = threadIdx.x; w < sizeof g / 8; w += THREADS)
    ((uint64_t *)&g)[w] = ((const uint64_t *)&s.g)[w];
  const uint64_t tiles = (s.tuples + TILE - 1) / TILE;
  for (uint64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    for (unsigned p = threadIdx.x; p < s.P; p += THREADS) claimed[p] = 0;
    __syncthreads();  // the first time also: g is complete
    entry forth[EACH], back[EACH];
#pragma unroll
    for (int k = 0; k < EACH; k++) {
      const uint64_t t = tile * TILE + (unsigned)k * THREADS + threadIdx.x;
      uint64_t r = 0, c = 0;
      if (t < s.tuples) Grid_Rmat_tuple(&g, s.first + t, &r, &c);
      const bool some = t < s.tuples, loop = r == c;
      const spot row = find_spot(s, inverse, r), col = find_spot(s, inverse, c);
      const bool one = some && !(loop && s.no_loops), other = some && s.mirror && !loop;
      forth[k] = claim(s, one && in_rows<SOME>(s, r), row, col, claimed);
      back[k] = claim(s, other && in_rows<SOME>(s, c), col, row, claimed);
      if (SOME) forth[k].key -= s.row << s.shift, back[k].key -= s.row << s.shift;
    }
    __syncthreads();
    for (unsigned p = threadIdx.x; p < s.P; p += THREADS)
      if (claimed[p]) base[p] = atomicAdd(&count[p], (unsigned long long)claimed[p]);
    __syncthreads();  // nobody looks at `claimed` behind this
#pragma unroll
    for (int k = 0; k < EACH; k++) {
      store(forth[k], base, keys, room);
      store(back[k], base, keys, room);
    }
  }
}

template <bool SOME>
GrB_Info run(const grid_rmat_job *job, uint64_t *keys, uint64_t room, unsigned long long *there,
             uint64_t *count) {
  const unsigned blocks = grid_cuda_blocks(job->tuples, TILE, 8u * (unsigned)grid_cuda_multiprocessors());
  const size_t shared = job->P * (sizeof(unsigned long long) + sizeof(unsigned));
  GrB_Info info = grid_device_zero(there, job->P * sizeof *there);
  if (info != GrB_SUCCESS) return info;
  generate<SOME>
      <<<blocks, THREADS, shared, grid_cuda_stream()>>>(*job, 1 / (double)job->q, keys, room, there);
  if ((info = grid_cuda_launched("generating an R-MAT graph")) != GrB_SUCCESS) return info;
  return grid_device_get(count, there, job->P * sizeof *count);
}

uint64_t most_of(const uint64_t *count, uint64_t n) {
  uint64_t most = 0;
  for (uint64_t k = 0; k < n; k++) most = count[k] > most ? count[k] : most;
  return most;
}

}  // namespace

extern "C" GrB_Info grid_cuda_rmat_rows(const grid_rmat_job *job, uint64_t *keys, uint64_t room,
                                        unsigned long long *there, uint64_t *count) {
  return run<true>(job, keys, room, there, count);
}

// One process keeps nearly all keys and has room for all; of several each gets about the same number. Where
// one gets more than there is room for, it is known how many, and they are generated again.
extern "C" GrB_Info grid_cuda_rmat(const grid_rmat_job *job, uint64_t **keys, uint64_t *room,
                                   uint64_t *count) {
  const uint64_t all = job->tuples * (job->mirror ? 2 : 1), each = all / job->P;
  unsigned long long *there = (unsigned long long *)grid_device_malloc(job->P, sizeof *there);
  GrB_Info info = GrB_SUCCESS;
  *keys = NULL;
  *room = job->P == 1 ? all : each + each / 16 + TILE;
  if (!there) TRY(grid_device_fail_memory(NULL, "counters", job->P, sizeof *there));
  // what comes next is known now: as many keys are received, or are the sort's second buffer
  TRY(grid_cuda_room(8 * job->P * *room + 8 * all + grid_cuda_sort_bytes(all),
                     "generating and sorting an R-MAT graph"));
  for (;;) {
    *keys = (uint64_t *)grid_device_malloc(job->P * *room, sizeof **keys);
    if (!*keys)
      TRY(grid_device_fail_memory(NULL, "the tuples of an R-MAT graph", job->P * *room, sizeof **keys));
    TRY(run<false>(job, *keys, *room, there, count));
    const uint64_t most = most_of(count, job->P);
    if (most <= *room) break;
    grid_device_free(*keys);
    *room = most;
  }
done:
  grid_device_free(there);
  if (info != GrB_SUCCESS) {
    grid_device_free(*keys);
    *keys = NULL;
  }
  return info;
}
