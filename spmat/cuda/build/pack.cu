// A program's tuples become keys in device memory: sent piece by piece, checked, mirrored, loops taken out.
#include "spmat/cuda/build/keys.cuh"
#include "spmat/cuda/build/part_values.cuh"

extern "C" {
#include "spmat/matrix/build.h"
}

namespace {

enum { THREADS = 256 };
constexpr uint64_t PIECE = 1 << 24;  // tuples that are sent at once

struct packing {
  uint64_t nrows, ncols;
  int shift;
  bool mirror, no_loops;
};

// counts[0]: tuples outside; counts[1]: keys dropped.
__global__ void pack_keys(const __grid_constant__ packing p, const uint64_t *row, const uint64_t *col,
                          uint64_t n, uint64_t *key, unsigned long long *counts) {
  uint32_t outside = 0, dropped = 0;
  GRID_FOR(k, n) {
    const uint64_t r = row[k], c = col[k], none = p.nrows << p.shift;
    const bool in = r < p.nrows && c < p.ncols, loop = r == c, keep = in && !(p.no_loops && loop);
    outside += !in;
    dropped += !keep;
    key[p.mirror ? 2 * k : k] = keep ? r << p.shift | c : none;
    if (!p.mirror) continue;
    const bool both = keep && !loop;  // a mirrored loop is the loop itself
    dropped += !both;
    key[2 * k + 1] = both ? c << p.shift | r : none;
  }
  outside = __reduce_add_sync(~0u, outside);
  dropped = __reduce_add_sync(~0u, dropped);
  if (threadIdx.x % 32 != 0) return;
  if (outside) atomicAdd(counts, (unsigned long long)outside);
  if (dropped) atomicAdd(counts + 1, (unsigned long long)dropped);
}

GrB_Info pack_pieces(const grid_program_tuples *from, const packing *p, uint64_t *key, uint64_t *room,
                     unsigned long long *counts) {
  const uint64_t each = p->mirror ? 2 : 1;
  GrB_Info info = GrB_SUCCESS;
  for (uint64_t at = 0; at < from->n; at += PIECE) {
    const uint64_t n = from->n - at < PIECE ? from->n - at : PIECE;
    TRY(grid_device_put(room, from->row + at, n * sizeof *room));
    TRY(grid_device_put(room + n, from->col + at, n * sizeof *room));
    pack_keys<<<grid_cuda_many(n), THREADS, 0, grid_cuda_stream()>>>(*p, room, room + n, n, key + each * at,
                                                                     counts);
    TRY(grid_cuda_launched("packing tuples"));
  }
done:
  return info;
}

}  // namespace

extern "C" GrB_Info grid_cuda_pack(const grid_program_tuples *from, grid_device_tuples *t) {
  const packing p = {from->nrows, from->ncols, grid_key_shift(from->ncols), from->mirror, from->no_loops};
  const uint64_t n = from->mirror ? 2 * from->n : from->n, piece = from->n < PIECE ? from->n : PIECE;
  uint64_t *key = NULL, *room = NULL;
  unsigned long long *there = NULL, counts[2] = {0, 0};
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_cuda_room((n + 2 * piece) * sizeof *key, "the tuples of a matrix block"));
  key = (uint64_t *)grid_device_malloc(n, sizeof *key);
  room = (uint64_t *)grid_device_malloc(2 * piece, sizeof *room);
  there = (unsigned long long *)grid_device_malloc(2, sizeof *there);
  if (!key || !room || !there)
    TRY(grid_device_fail_memory(NULL, "the tuples of a matrix block", n + 2 * piece, sizeof *key));
  TRY(grid_device_zero(there, sizeof counts));
  TRY(pack_pieces(from, &p, key, room, there));
  TRY(grid_device_get(counts, there, sizeof counts));
  if (counts[0]) TRY(GrB_INVALID_INDEX);
  t->keys = key, t->n = n, t->dropped = counts[1];
  t->shift = p.shift, t->each = from->mirror;
  key = NULL;
done:
  grid_device_free(key);
  grid_device_free(room);
  grid_device_free(there);
  return info;
}
