// Delegates of a search on several GPUs that have whole rows (spmat/search.h, grid_search_split). The entries
// between two delegates are bits that every GPU has, and not in the rows:
//
//   pull   delegates that found nothing in their hub neighbor and the first entries of their row are listed.
//          Whole warps look at their bits, together with long rows.
//   push   every GPU pushes from the delegates of all GPUs, but only to its own vertices: by their rows of
//          bits, and by the own rows that they are in. So nothing is sent for them. A GPU announces the
//          delegates of its frontier while it measures, as bits in the windows of all.
#ifndef GRID_SEARCH_DELEGATES_CUH
#define GRID_SEARCH_DELEGATES_CUH
#include "spmat/cuda/search/search_peers.cuh"

namespace {

__device__ inline uint32_t delegate_words(const search_args &a) {
  return (uint32_t)(a.split.d + 31) / 32;
}

// Is own vertex v a delegate?
__device__ inline bool is_delegate(const search_args &a, uint32_t v) {
  return has(__ldg(a.split.own_bits + (v >> 5)), v);
}
// The number of own vertex v, which is one.
__device__ inline uint32_t delegate_number(const search_args &a, uint32_t v) {
  const uint32_t before = __ldg(a.split.own_bits + (v >> 5)) & ((1u << (v & 31)) - 1);
  return __ldg(a.split.own_number + __ldg(a.split.own_before + (v >> 5)) + __popc(before));
}

// Words of a row of bits that a warp reads, and segments of so many words.
constexpr uint32_t BITS_SEGMENT = 256;
__device__ inline uint32_t segments_of_bits(const search_args &a) {
  return ((uint32_t)a.split.words + BITS_SEGMENT - 1) / BITS_SEGMENT;
}

// visit(active, u) for the delegates of a segment of a row of bits, TILE a lane, until it returns false.
// `mask`: words that the row's are intersected with; NULL: none.
template <class Visit>
__device__ inline void for_bits(const search_args &a, uint32_t number, uint32_t segment, const uint64_t *mask,
                                Visit visit) {
  const uint32_t each = (uint32_t)a.split.words, first = segment * BITS_SEGMENT,
                 end = each - first > BITS_SEGMENT ? first + BITS_SEGMENT : each;
  const unsigned long long *row = (const unsigned long long *)a.split.bits + (uint64_t)number * each,
                           *with = (const unsigned long long *)mask;
#pragma unroll 1
  for (uint32_t w0 = first; w0 < end; w0 += 32) {
    const uint32_t w = w0 + lane();
    uint64_t word = w < end ? __ldg(row + w) : 0;
    if (word && with) word &= __ldg(with + w);
#pragma unroll 1
    while (__any_sync(ALL, word != 0)) {
      uint32_t u[TILE];
      bool active[TILE];
#pragma unroll
      for (uint32_t k = 0; k < TILE; k++) {
        active[k] = word != 0;
        u[k] = word ? __ldg(a.split.vertex + 64 * w + __ffsll((long long)word) - 1) : 0;
        word &= word - 1;
      }
      if (!visit(active, u)) return;
    }
  }
}

// ---- push -------------------------------------------------------------------------------------------------

// In the segments of a push by delegates: a segment of its row of bits, not of the vertices that it reaches.
constexpr uint32_t OF_BITS = 1u << 31;

// The bits of the frontier's delegates; two bitmaps alternate.
__device__ inline uint32_t *announced(const search_args &a, uint32_t measures) {
  return a.split_frontier + measures % 2 * delegate_words(a);
}

// Own vertex v, a delegate, is in the frontier.
__device__ __noinline__ void announce(const search_args &a, uint32_t measures, uint32_t v) {
  const uint32_t number = delegate_number(a, v);
  uint32_t *word = announced(a, measures) + (number >> 5);
  for (uint32_t p = 0; p < a.processes; p++) atomicOr_system(peer_address(a, p, word), 1u << (number & 31));
}

// Divides the entries of the announced delegates into segments, a delegate a lane. They follow those of rows.
__device__ void list_delegates(const search_args &a, search_shared &sh) {
  search_counts *c = a.set->at + sh.state.level;
  const uint32_t *bits = announced(a, sh.state.measures), words = delegate_words(a);
  const uint32_t of_bits = segments_of_bits(a);
#pragma unroll 1
  for (uint32_t w = grid_warp(); w < words; w += grid_warps()) {
    const uint32_t number = 32 * w + lane();
    const bool one = has(__ldcv(bits + w), lane());
    if (!__any_sync(ALL, one)) continue;
    const uint32_t degree = one ? a.split.reach_ptr[number + 1] - a.split.reach_ptr[number] : 0;
    const uint32_t of_reach = (degree + a.item - 1) / a.item, segments = one ? of_reach + of_bits : 0,
                   upto = inclusive_scan(segments);
    uint32_t position = 0;
    if (lane() == 31) position = atomicAdd(&c->items, upto);
    position = __shfl_sync(ALL, position, 31) + upto - segments;
    for (uint32_t k = 0; k < segments; k++)
      a.work[position + k] = make_uint2(number, k < of_reach ? k : OF_BITS | (k - of_reach));
  }
}

}  // namespace
#endif
