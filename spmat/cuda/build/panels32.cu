// 32-bit panels of an orientation of 2^32 entries or more (spmat/matrix/panels32.h): where they begin, and
// their offsets.
#include "spmat/cuda/build/keys.cuh"

extern "C" {
#include "semiring/support/mem.h"
#include "semiring/support/tuning.h"
#include "spmat/matrix/panels32.h"
#include "spmat/matrix/balanced_tiles.h"
}

namespace {

const uint64_t MAX_PANEL_ENTRIES = (UINT64_C(1) << 32) - 2;  // of entries; the kernels' counters hold it

__global__ void write_offsets(const uint64_t *from, uint64_t n, uint32_t *to) {
  GRID_FOR(k, n + 1) to[k] = (uint32_t)(from[k] - from[0]);
}

struct panel_offsets {
  const uint64_t *offset;  // in device memory
  uint64_t n;
};

// Entries that kernels read at a time: a panel begins at a multiple of them, if one of TRIES ends allows it.
enum { KEYS_PER_PASS = 4, TRIES = 64 };

// The end of a panel that begins with vector `first`, which `at` entries precede: a multiple of 64, or n.
// *upto: the entries before the end.
GrB_Info end_of(const panel_offsets &c, uint64_t first, uint64_t at, uint64_t *end, uint64_t *upto) {
  uint64_t lo = first / 64 + 1, hi = (c.n + 63) / 64;  // in steps of 64 vectors
  GrB_Info info = GrB_SUCCESS;
  while (lo < hi) {  // lo is a valid end in any case
    const uint64_t mid = lo + (hi - lo + 1) / 2, v = 64 * mid < c.n ? 64 * mid : c.n;
    TRY(grid_cuda_fetch(upto, c.offset + v));
    if (*upto - at <= grid_tune.panel32_max)
      lo = mid;
    else
      hi = mid - 1;
  }
  for (uint64_t k = lo, tries = 0; tries < TRIES && k > first / 64 && 64 * k < c.n; k--, tries++) {
    TRY(grid_cuda_fetch(upto, c.offset + 64 * k));
    if (*upto % KEYS_PER_PASS) continue;
    lo = k;
    break;
  }
  *end = 64 * lo < c.n ? 64 * lo : c.n;
  TRY(grid_cuda_fetch(upto, c.offset + *end));
  if (*upto - at > MAX_PANEL_ENTRIES)
    info = grid_fail(NULL, GrB_OUT_OF_MEMORY, "64 rows of a matrix block hold 2^32 entries or more");
done:
  return info;
}

GrB_Info add_panel32(grid_panels32 *s, const grid_panel32 *panel32, uint64_t *capacity) {
  if (s->n == *capacity) {
    grid_panel32 *more = (grid_panel32 *)grid_malloc(2 * *capacity + 4, sizeof *more);
    if (!more) return grid_fail_memory(NULL, "panels of a matrix block", 2 * *capacity + 4, sizeof *more);
    if (s->n) memcpy(more, s->panel32, s->n * sizeof *more);
    grid_free(s->panel32);
    s->panel32 = more;
    *capacity = 2 * *capacity + 4;
  }
  s->panel32[s->n++] = *panel32;
  return GrB_SUCCESS;
}

GrB_Info split_panels(grid_panels32 *s, const panel_offsets &c) {
  uint64_t capacity = 0, at = 0, end = 0, upto = 0;
  GrB_Info info = GrB_SUCCESS;
  for (uint64_t first = 0; first < c.n; first = end, at = upto) {
    TRY(end_of(c, first, at, &end, &upto));
    const grid_panel32 panel32 = {first, end - first, at, upto - at, NULL, grid_balanced_tiles_new()};
    info = add_panel32(s, &panel32, &capacity);
    if (info != GrB_SUCCESS) grid_balanced_tiles_free(panel32.balanced_tiles);
    TRY(info);
  }
done:
  return info;
}

GrB_Info fill(grid_panels32 *s, const panel_offsets &c) {
  const uint64_t all = c.n + s->n;
  s->ptr = (uint32_t *)grid_device_malloc(all, sizeof *s->ptr);
  if (!s->ptr) return grid_device_fail_memory(NULL, "offsets of panels", all, sizeof *s->ptr);
  s->bytes = all * sizeof *s->ptr;
  for (uint64_t k = 0; k < s->n; k++) {
    grid_panel32 *x = &s->panel32[k];
    x->ptr = s->ptr + x->first + k;
    write_offsets<<<grid_cuda_blocks_for(x->n + 1), 256, 0, grid_cuda_stream()>>>(c.offset + x->first, x->n,
                                                                                  x->ptr);
  }
  return grid_cuda_check_launch("offsets of panels");
}

void drop(grid_panels32 *s) {
  for (uint64_t k = 0; k < s->n; k++) grid_balanced_tiles_free(s->panel32[k].balanced_tiles);
  grid_free(s->panel32);
  grid_device_free(s->ptr);
  *s = grid_panels32{0, NULL, NULL, 0};
}

}  // namespace

extern "C" GrB_Info grid_cuda_panels32(const grid_compressed *c, uint64_t n) {
  grid_panels32 *s = c->panels32;
  if (!s) return grid_fail_memory(NULL, "panels of a matrix block", 1, sizeof *s);
  if (s->n) return GrB_SUCCESS;
  const panel_offsets all = {c->offsets64, n};
  GrB_Info info = split_panels(s, all);
  if (info == GrB_SUCCESS) info = fill(s, all);
  if (info != GrB_SUCCESS) drop(s);
  return info;
}
