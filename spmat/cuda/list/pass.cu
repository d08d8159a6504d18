// Entries of any number that pass between GPUs in one kernel (spmat/vector/few.h). Each lays its bitmap,
// where the values of each stretch begin, and the values side by side onto its tray in the others' windows,
// and its own part into its place; then each takes from its trays. Over the links goes what there is and no
// more, it is written once there, and neither counts nor copies come between.
#include "spmat/cuda/device/meeting.cuh"
#include "spmat/cuda/list/places.cuh"
#include "spmat/cuda/vector/stretch.cuh"

extern "C" {
#include "spmat/cuda/vector/chunk.h"
#include "spmat/vector/few.h"
}

namespace {

constexpr unsigned THREADS = 512, BLOCKS = 2;  // on a multiprocessor

// Two kernels take turns with the counters: each clears the other's.
struct pass_room {
  uint32_t packed[2];
  volatile uint32_t come[GRID_WINDOWS];
};
__device__ pass_room room;

template <typename unit>
struct passing {
  grid_meeting m;
  const volatile uint32_t *stop;
  uint32_t now;  // whose counter
  const uint32_t *bits;
  const unit *val;
  bool one;       // value for all
  uint64_t n, q;  // own places, and those of each process
  uint32_t units;
  uint64_t start_at, val_at;  // in a tray, whose bits come first
  uint32_t *all_bits;
  unit *all_val;  // NULL: bits alone
};

// Where process `at` finds what process `of` has laid down.
template <typename unit>
__device__ __forceinline__ char *tray_of(const passing<unit> &x, uint32_t at, uint32_t of) {
  return x.m.window[at] + x.m.trays + (of > at ? of - 1 : of) * x.m.tray;
}

template <typename unit>
__device__ __forceinline__ bool all_came(const passing<unit> &x) {
  for (uint32_t r = 0; r < x.m.size; r++)
    if (room.come[r] == NOBODY) return false;
  return true;
}

__device__ __forceinline__ uint64_t first_stretch() {
  return (blockIdx.x * (uint64_t)THREADS + threadIdx.x) / 32;
}
__device__ __forceinline__ uint64_t all_warps() {
  return gridDim.x * (uint64_t)(THREADS / 32);
}

template <typename unit>
__device__ void lay_down(const passing<unit> &x) {
  const unsigned lane = threadIdx.x & 31;
  const uint32_t me = x.m.me;
  for (uint64_t s = first_stretch(); s * STRETCH < x.q; s += all_warps()) {
    const uint64_t w = 32 * s + lane;
    const bool in = w < x.q / 32;
    const uint32_t word = in ? grid_word32(x.bits, x.n, w) : 0;
    uint32_t all, base = 0, before = entries_before(word, &all);
    if (lane == 0 && all && x.all_val) base = atomicAdd(&room.packed[x.now], all);
    base = __shfl_sync(~0u, base, 0);
    if (in) x.all_bits[me * (x.q / 32) + w] = word;
    for (uint32_t d = 1; d < x.m.size; d++) {
      char *tray = tray_of(x, (me + d) % x.m.size, me);
      if (in) ((uint32_t *)tray)[w] = word;
      if (lane == 0) ((uint32_t *)(tray + x.start_at))[s] = base;
    }
    if (!x.all_val) continue;
    each_in_stretch(s, word, base + before, [&](uint64_t i, uint64_t at) {
      for (uint32_t k = 0; k < x.units; k++) {
        const unit value = x.val[(x.one ? 0 : i * x.units) + k];
        x.all_val[(me * x.q + i) * x.units + k] = value;
        for (uint32_t d = 1; d < x.m.size; d++)
          ((unit *)(tray_of(x, (me + d) % x.m.size, me) + x.val_at))[at * x.units + k] = value;
      }
    });
  }
}

// What others have written is read past the first cache.
template <typename unit>
__device__ void take(const passing<unit> &x, uint32_t r) {
  const unsigned lane = threadIdx.x & 31;
  const char *tray = tray_of(x, x.m.me, r);
  for (uint64_t s = first_stretch(); s * STRETCH < x.q; s += all_warps()) {
    const uint64_t w = 32 * s + lane;
    const bool in = w < x.q / 32;
    const uint32_t word = in ? __ldcv((const uint32_t *)tray + w) : 0;
    uint32_t all, before = entries_before(word, &all);
    if (in) x.all_bits[r * (x.q / 32) + w] = word;
    if (all == 0 || !x.all_val) continue;
    before += __ldcv((const uint32_t *)(tray + x.start_at) + s);
    each_in_stretch(s, word, before, [&](uint64_t i, uint64_t at) {
      for (uint32_t k = 0; k < x.units; k++)
        x.all_val[(r * x.q + i) * x.units + k] = __ldcv((const unit *)(tray + x.val_at) + at * x.units + k);
    });
  }
}

// The first meeting says that what lay on the trays before has been taken.
template <typename unit>
__global__ void __launch_bounds__(THREADS, BLOCKS) pass_entries(const __grid_constant__ passing<unit> x) {
  meet_in_turn(x.m, x.m.turn, x.stop, room.come, [](uint32_t) { return 0u; });
  if (blockIdx.x == 0 && threadIdx.x == 0) room.packed[x.now ^ 1] = 0;
  if (!all_came(x)) return;
  lay_down(x);
  meet_in_turn(x.m, x.m.turn + 1, x.stop, room.come, [](uint32_t) { return 0u; });
  if (!all_came(x)) return;
  for (uint32_t d = 1; d < x.m.size; d++) take(x, (x.m.me + d) % x.m.size);
}

unsigned kernels;  // started so far

template <typename unit>
GrB_Info start(passing<unit> x) {
  const unsigned most = BLOCKS * (unsigned)grid_cuda_multiprocessors(),
                 blocks = grid_cuda_blocks((x.q + STRETCH - 1) / STRETCH * 32, THREADS, most);
  void *args[] = {&x};
  GrB_Info info = grid_cuda_check(cudaLaunchCooperativeKernel((const void *)pass_entries<unit>, dim3(blocks),
                                                              dim3(THREADS), args, 0, grid_cuda_stream()),
                                  "passing a vector's entries");
  if (info == GrB_SUCCESS) kernels++;
  return info;
}

}  // namespace

extern "C" GrB_Info grid_cuda_pass(const grid_meeting *m, const grid_chunk *x, size_t size, uint64_t q,
                                   uint64_t *bits, void *val) {
  const grid_pass_places t = grid_pass_tray(q, size);
  GrB_Info info = GrB_SUCCESS;
  by_unit(size ? size : sizeof(uint64_t), [&](auto *unit, uint64_t units) {
    typedef std::remove_pointer_t<decltype(unit)> type;
    const passing<type> p = {*m,
                             grid_cuda_window_stop(),
                             kernels & 1,
                             bits_of(x),
                             (const type *)x->val,
                             x->iso,
                             x->nvals ? x->n : 0,
                             q,
                             (uint32_t)units,
                             t.start,
                             t.val,
                             (uint32_t *)bits,
                             (type *)(size ? val : NULL)};
    info = start(p);
  });
  return info;
}
