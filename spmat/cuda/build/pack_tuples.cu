// Converts a program's tuples to keys in device memory: sent segment by segment, checked, mirrored, loops
// removed.
#include "spmat/cuda/build/keys.cuh"
#include "spmat/cuda/build/lmat_values.cuh"

extern "C" {
#include "spmat/matrix/device_build.h"
}

namespace {

enum { THREADS = 256 };
constexpr uint64_t SEGMENT = 1 << 24;  // tuples sent at a time

struct pack_job {
  uint64_t nrows, ncols;
  int shift;
  bool mirror, no_loops;
};

// counts[0]: tuples outside; counts[1]: keys dropped.
__global__ void pack_keys(const __grid_constant__ pack_job p, const uint64_t *row, const uint64_t *col,
                          uint64_t n, uint64_t *key, unsigned long long *counts) {
  uint32_t outside = 0, dropped = 0;
  GRID_FOR(k, n) {
    const uint64_t r = row[k], c = col[k], none = p.nrows << p.shift;
    const bool in = r < p.nrows && c < p.ncols, loop = r == c, is_entry = in && !(p.no_loops && loop);
    outside += !in;
    dropped += !is_entry;
    key[p.mirror ? 2 * k : k] = is_entry ? r << p.shift | c : none;
    if (!p.mirror) continue;
    const bool both = is_entry && !loop;  // a loop is its own mirror image
    dropped += !both;
    key[2 * k + 1] = both ? c << p.shift | r : none;
  }
  outside = __reduce_add_sync(~0u, outside);
  dropped = __reduce_add_sync(~0u, dropped);
  if (threadIdx.x % 32 != 0) return;
  if (outside) atomicAdd(counts, (unsigned long long)outside);
  if (dropped) atomicAdd(counts + 1, (unsigned long long)dropped);
}

GrB_Info pack_segments(const grid_program_tuples *from, const pack_job *p, uint64_t *key, uint64_t *buffer,
                       unsigned long long *counts) {
  const uint64_t copies = p->mirror ? 2 : 1;
  GrB_Info info = GrB_SUCCESS;
  for (uint64_t at = 0; at < from->n; at += SEGMENT) {
    const uint64_t n = from->n - at < SEGMENT ? from->n - at : SEGMENT;
    TRY(grid_device_write(buffer, from->row + at, n * sizeof *buffer));
    TRY(grid_device_write(buffer + n, from->col + at, n * sizeof *buffer));
    pack_keys<<<grid_cuda_blocks_for(n), THREADS, 0, grid_cuda_stream()>>>(*p, buffer, buffer + n, n,
                                                                           key + copies * at, counts);
    TRY(grid_cuda_check_launch("packing tuples"));
  }
done:
  return info;
}

}  // namespace

extern "C" GrB_Info grid_cuda_pack(const grid_program_tuples *from, grid_device_tuples *t) {
  const pack_job p = {from->nrows, from->ncols, grid_key_shift(from->ncols), from->mirror, from->no_loops};
  const uint64_t n = from->mirror ? 2 * from->n : from->n, segment = from->n < SEGMENT ? from->n : SEGMENT;
  uint64_t *key = NULL, *buffer = NULL;
  unsigned long long *device_counts = NULL, counts[2] = {0, 0};
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_cuda_check_free((n + 2 * segment) * sizeof *key, "the tuples of a matrix block"));
  key = (uint64_t *)grid_device_malloc(n, sizeof *key);
  buffer = (uint64_t *)grid_device_malloc(2 * segment, sizeof *buffer);
  device_counts = (unsigned long long *)grid_device_malloc(2, sizeof *device_counts);
  if (!key || !buffer || !device_counts)
    TRY(grid_device_fail_memory(NULL, "the tuples of a matrix block", n + 2 * segment, sizeof *key));
  TRY(grid_device_zero(device_counts, sizeof counts));
  TRY(pack_segments(from, &p, key, buffer, device_counts));
  TRY(grid_device_get(counts, device_counts, sizeof counts));
  if (counts[0]) TRY(GrB_INVALID_INDEX);
  t->keys = key, t->n = n, t->dropped = counts[1];
  t->shift = p.shift, t->mirror_shift = from->mirror;
  key = NULL;
done:
  grid_device_free(key);
  grid_device_free(buffer);
  grid_device_free(device_counts);
  return info;
}
