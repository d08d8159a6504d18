// What the pulls of both engines do with rows, by warps: looking up words of bitmaps together, buffers of
// rows, and scanning a row's entries.
#ifndef GRID_SEARCH_ROWS_CUH
#define GRID_SEARCH_ROWS_CUH
#include "spmat/cuda/search/warp_bits.cuh"

#ifndef GRID_SEARCH_SWEEP  // words of 32 rows that a warp of the first pull has in flight
#define GRID_SEARCH_SWEEP 4
#endif

namespace {

constexpr uint32_t TILE = 4;  // look-ups that a lane has in flight
constexpr uint32_t SWEEP = GRID_SEARCH_SWEEP;
constexpr uint32_t REMAINING = 192;  // a warp's rows that will go on the list
constexpr uint32_t SCAN = 64;        // entries of a row that one lane inspects
constexpr uint32_t SEGMENT = 2048;   // entries that a warp inspects, in longer rows
constexpr uint32_t NO_ROW = ALL;     // and no vertex either

// The words of a bitmap for the vertices u[], 0 for inactive ones.
template <uint32_t COUNT>
__device__ inline void load_frontier_words(const uint32_t *bits, const bool *active, const uint32_t *u,
                                           uint32_t *word) {
#pragma unroll
  for (uint32_t k = 0; k < COUNT; k++) word[k] = load_if(active[k], bits + (u[k] >> 5));
}

// The same for a sparse bitmap, most of which is not read. A bitmap of many vertices exceeds the cache, while
// a coarse one, of the nonempty groups of 2^shift vertices, fits.
template <uint32_t COUNT>
__device__ inline void load_frontier_words_sparse(const uint32_t *coarse, uint32_t shift,
                                                  const uint32_t *bits, const bool *active, const uint32_t *u,
                                                  uint32_t *word) {
#pragma unroll
  for (uint32_t k = 0; k < COUNT; k++) word[k] = load_if(active[k], coarse + (u[k] >> shift >> 5));
#pragma unroll
  for (uint32_t k = 0; k < COUNT; k++) word[k] = load_if(has(word[k], u[k] >> shift), bits + (u[k] >> 5));
}

// Scans entries idx[at .. stop) of a row until one is in the frontier: returns that one, or NO_ROW.
// words(active, u, word) looks up TILE of them.
template <class Words>
__device__ inline uint32_t scan_row(const uint32_t *idx, uint32_t at, uint32_t stop, uint32_t *inspected,
                                    Words words) {
  const bool all[TILE] = {true, true, true, true};
  uint32_t parent = NO_ROW;
#pragma unroll 1
  while (at < stop && parent == NO_ROW) {
    uint32_t u[TILE], word[TILE];
#pragma unroll
    for (uint32_t k = 0; k < TILE; k++) u[k] = __ldg(idx + (stop - at > k ? at + k : stop - 1));
    words(all, u, word);
#pragma unroll
    for (uint32_t k = TILE; k-- > 0;)
      if (has(word[k], u[k])) parent = u[k];
    *inspected += stop - at < TILE ? stop - at : TILE;
    at = stop - at < TILE ? stop : at + TILE;  // at + TILE may exceed 2^32
  }
  return parent;
}

// The first of idx[at .. end) in the frontier, found by the whole warp, or NO_ROW; the same in all lanes.
template <class Words>
__device__ inline uint32_t scan_by_warp(const uint32_t *idx, uint32_t at, uint32_t end, uint32_t *inspected,
                                        Words words) {
#pragma unroll 1
  for (uint32_t e0 = 0; e0 < end - at; e0 += 32 * TILE) {
    uint32_t u[TILE], word[TILE], parent = NO_ROW;
    bool active[TILE];
#pragma unroll
    for (uint32_t k = 0; k < TILE; k++) {
      const uint32_t e = e0 + 32 * k + lane();
      active[k] = e < end - at;
      u[k] = active[k] ? __ldg(idx + at + e) : 0;
      *inspected += active[k];
    }
    words(active, u, word);
#pragma unroll
    for (uint32_t k = 0; k < TILE; k++)
      if (has(word[k], u[k])) parent = u[k];
    const uint32_t mask = __ballot_sync(ALL, parent != NO_ROW);
    if (mask) return __shfl_sync(ALL, parent, __ffs(mask) - 1);
  }
  return NO_ROW;
}

// The entries of a row whose hub neighbor missed. Rows ascend, and the hub neighbor, already tested, may be
// any entry. A row with a single entry has none left.
struct row_rest {
  uint32_t at, end;
  bool is_single;  // the row has no other entry
};
__device__ inline row_rest load_rest_of_row(const uint32_t *ptr, bool on, uint32_t v) {
  const uint32_t start = on ? __ldg(ptr + v) : 0, end = on ? __ldg(ptr + v + 1) : 0;
  const bool one = end - start == 1;
  return {one ? end : start, end, one};
}

// Empties a warp's buffer of rows into a list from `position` on.
__device__ inline void empty_rows(uint2 *buffer, uint32_t *count, uint2 *list, uint32_t position) {
  __syncwarp();
  for (uint32_t i = lane(); i < *count; i += 32) list[position + i] = buffer[i];
  __syncwarp();
  *count = 0;
}
// Makes room for `more` rows in it; *list_count is the list's length.
__device__ inline void reserve_slots(uint32_t more, uint2 *buffer, uint32_t *count, uint2 *list,
                                     uint32_t *list_count) {
  if (*count + more <= REMAINING) return;
  uint32_t position = 0;
  if (lane() == 0) position = atomicAdd(list_count, *count);
  empty_rows(buffer, count, list, __shfl_sync(ALL, position, 0));
}

// Takes the newest rows from the warp's buffer (up to 32, one a lane).
__device__ inline uint2 pop_row(const uint2 *buffer, uint32_t *count, bool *on) {
  const uint32_t rows = *count < 32 ? *count : 32;
  *on = lane() < rows;
  __syncwarp();
  const uint2 row = *on ? buffer[*count - rows + lane()] : make_uint2(0, 0);
  __syncwarp();
  *count -= rows;
  return row;
}

}  // namespace
#endif
