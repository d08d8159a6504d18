// Hub neighbors of an orientation on the device: each vector's neighbor of highest degree, and nonempty.
//
// Most entries are in long rows, and a long row mostly has one of the few vertices of highest degree, the
// hubs. These are looked up in it, highest degree first. For all other entries the degree of their end is
// looked up, 32 at a time whatever rows they are in, so that no row occupies a warp alone.
//
// Peak memory: 16 bytes for each vector.
#include "spmat/cuda/build/entries.cuh"
#include "spmat/cuda/build/keys.cuh"

extern "C" {
#include "spmat/matrix/panels32.h"
}

namespace {

// A row with this many entries is long; a hub's degree exceeds the fraction 2^-HUB_SHIFT of all entries.
enum { LONG = 512, HUB_SHIFT = 13 };

// Priority of a row's other end: higher degree, then smaller index. Never 0.
__device__ unsigned long long hub_priority(uint32_t degree, uint32_t index) {
  return (unsigned long long)degree << 32 | ~index;
}

// Is `index` among the ascending idx[from .. to)?
__device__ bool has_entry(const uint32_t *idx, uint32_t from, uint32_t to, uint32_t index) {
  const uint32_t at = grid_csr_lower_bound(idx, from, to, index);
  return at < to && idx[at] == index;
}

// The best end of the long rows that have a hub, which are marked as resolved. hub: (UINT32_MAX - degree) <<
// 32 | index, ascending. A warp has 32 rows, and looks up 32 hubs at a time in each long one.
__global__ void find_hubs_of_long_rows(const uint32_t *ptr, const uint32_t *idx, uint64_t n,
                                       const uint64_t *hub, uint64_t hubs, unsigned long long *best,
                                       uint32_t *resolved) {
  const unsigned lane = threadIdx.x & 31;
  GRID_FOR(v, (n + 31) / 32 * 32) {  // whole warps
    const uint32_t from = v < n ? ptr[v] : 0, to = v < n ? ptr[v + 1] : 0;
    uint32_t done = 0;
    for (uint32_t left = __ballot_sync(~0u, to - from >= LONG); left; left &= left - 1) {
      const int row = __ffs(left) - 1;
      const uint32_t lo = __shfl_sync(~0u, from, row), hi = __shfl_sync(~0u, to, row);
      uint32_t found = 0;
      for (uint64_t h = lane; h - lane < hubs && !found; h += 32) {
        const uint64_t key = h < hubs ? hub[h] : 0;
        found = __ballot_sync(~0u, h < hubs && has_entry(idx, lo, hi, (uint32_t)key));
        const uint64_t first = __shfl_sync(~0u, key, found ? __ffs(found) - 1 : 0);
        if (found && (int)lane == row) best[v] = hub_priority(~(uint32_t)(first >> 32), (uint32_t)first);
      }
      done |= (uint32_t)(found != 0) << row;
    }
    if (lane == 0) resolved[v >> 5] = done;
  }
}

// best[v] = the best end of row v, for all rows not resolved. A warp goes from 32 entries to the next; their
// rows are runs of lanes, and each run is reduced to its first lane.
__global__ void __launch_bounds__(THREADS)
    find_best(const __grid_constant__ entries m, const uint32_t *degree, const uint32_t *resolved,
              unsigned long long *best) {
  const uint64_t tiles = tiles_of(m);
  const unsigned lane = threadIdx.x & 31;
  for (uint64_t number = blockIdx.x; number < tiles; number += gridDim.x) {
    const tile t = load_tile(m, number);
    const uint64_t lo = t.ends[0], hi = t.ends[1];
    for (uint64_t e0 = t.first + (threadIdx.x & ~31u); e0 <= t.last; e0 += THREADS) {  // whole warps
      const uint64_t e = e0 + lane;
      const uint32_t row = e <= t.last ? (uint32_t)vector_of(m, lo, hi, e) : ~0u;
      const bool open = e <= t.last && !(resolved[row >> 5] >> (row & 31) & 1);
      if (!__any_sync(~0u, open)) continue;
      const uint32_t index = open ? m.idx[e] : 0;
      unsigned long long priority = open ? hub_priority(degree[index], index) : 0;
      for (unsigned d = 1; d < 32; d *= 2) {
        const unsigned long long other = __shfl_down_sync(~0u, priority, d);
        const uint32_t of = __shfl_down_sync(~0u, row, d);
        if (lane + d < 32 && of == row && other > priority) priority = other;
      }
      const uint32_t before = __shfl_up_sync(~0u, row, 1);
      if (open && (lane == 0 || before != row)) atomicMax(best + row, priority);
    }
  }
}

// A warp writes half a word of nonempty: the low half is first in memory.
__global__ void write_hub_neighbors(const unsigned long long *best, uint64_t n, uint32_t *hub_neighbor,
                                    uint32_t *nonempty) {
  GRID_FOR(v, (n + 63) / 64 * 64) {
    const unsigned long long priority = v < n ? best[v] : 0;
    const uint32_t bits = __ballot_sync(~0u, priority != 0);
    if (v < n) hub_neighbor[v] = priority ? ~(uint32_t)priority : 0;
    if (threadIdx.x % 32 == 0) nonempty[v >> 5] = bits;
  }
}

// `ends`: number of other ends.
GrB_Info resolve_long(const entries &m, const uint32_t *degree, uint64_t ends, unsigned long long *best,
                      uint32_t *resolved) {
  grid_keys hub = {NULL, NULL, 0};
  GrB_Info info = GrB_SUCCESS;
  if (m.nvals >> HUB_SHIFT == 0) return info;
  TRY(grid_cuda_division.find_high_degree(degree, ends, (uint32_t)(m.nvals >> HUB_SHIFT), 0, &hub.at,
                                          &hub.n));
  if (hub.n == 0) goto done;
  hub.other = (uint64_t *)grid_device_malloc(hub.n, sizeof *hub.other);
  if (!hub.other) TRY(grid_device_fail_memory(NULL, "vertices of high degree", hub.n, sizeof *hub.other));
  TRY(grid_cuda_sort(&hub, 0, 64));
  find_hubs_of_long_rows<<<grid_cuda_blocks_for(m.n), 256, 0, grid_cuda_stream()>>>(m.ptr, m.idx, m.n, hub.at,
                                                                                    hub.n, best, resolved);
  TRY(grid_cuda_check_launch("first entries of long rows"));
done:
  grid_cuda_keys_free(&hub);
  return info;
}

GrB_Info find_hub_neighbors(const entries &m, const uint32_t *degree, uint64_t ends, grid_compressed *c,
                            unsigned long long *best) {
  uint32_t *bits = (uint32_t *)c->nonempty;  // temporarily the bits of resolved rows
  GrB_Info info;
  TRY(grid_device_zero(best, m.n * sizeof *best));
  TRY(grid_device_zero(bits, grid_words(m.n) * sizeof *c->nonempty));
  TRY(resolve_long(m, degree, ends, best, bits));
  if (m.nvals) find_best<<<tile_blocks(m), THREADS, 0, grid_cuda_stream()>>>(m, degree, bits, best);
  if (m.n)
    write_hub_neighbors<<<grid_cuda_blocks_for(m.n), 256, 0, grid_cuda_stream()>>>(best, m.n, c->hub_neighbor,
                                                                                   bits);
  TRY(grid_cuda_check_launch("first entries of rows"));
  grid_lap_record("first entries");
done:
  return info;
}

// For an orientation of 2^32 entries or more, panel by panel.
GrB_Info find_by_panels32(grid_compressed *c, uint64_t n, const uint32_t *degree, uint64_t ends,
                          unsigned long long *best) {
  GrB_Info info = grid_cuda_panels32(c, n);
  for (uint64_t k = 0; info == GrB_SUCCESS && k < c->panels32->n; k++) {
    const grid_panel32 *s = &c->panels32->panel32[k];
    grid_compressed m = grid_panel32_view(c, k, 0);
    info = find_hub_neighbors(entries{m.ptr, m.idx, s->n, s->entries}, degree, ends, &m, best + s->first);
  }
  return info;
}

}  // namespace

extern "C" GrB_Info grid_cuda_add_hub_neighbors(const grid_local_matrix *p, bool rows, grid_compressed *c,
                                                const uint32_t *degree) {
  const uint64_t n = rows ? p->row.n : p->col.n, ends = rows ? p->col.n : p->row.n;
  unsigned long long *best = (unsigned long long *)grid_device_malloc(n, sizeof *best);
  uint32_t *owned = NULL;
  GrB_Info info = GrB_SUCCESS;
  c->hub_neighbor = (uint32_t *)grid_device_malloc(n, sizeof *c->hub_neighbor);
  c->nonempty = (uint64_t *)grid_device_malloc(grid_words(n), sizeof *c->nonempty);
  if (!best || !c->hub_neighbor || !c->nonempty)
    TRY(grid_device_fail_memory(NULL, "first entries of rows", n, sizeof *c->hub_neighbor + sizeof *best));
  if (!degree) {
    owned = (uint32_t *)grid_device_malloc(ends, sizeof *owned);
    if (!owned) TRY(grid_device_fail_memory(NULL, "degrees", ends, sizeof *owned));
    TRY(grid_cuda_count_compact(p, !rows, owned));
  }
  if (!degree) degree = owned;
  if (c->offsets64) {
    TRY(find_by_panels32(c, n, degree, ends, best));
  } else {
    TRY(find_hub_neighbors(entries{c->ptr, c->idx, n, p->nvals}, degree, ends, c, best));
  }
done:
  grid_device_free(best);
  grid_device_free(owned);
  return info;
}
