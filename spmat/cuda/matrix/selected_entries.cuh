// For kernels: selected entries (cuda_matrix.h), and look-ups in rows.
#ifndef GRID_SELECTED_ENTRIES_CUH
#define GRID_SELECTED_ENTRIES_CUH
#include "spmat/cuda/build/lmat_values.cuh"

#define GRID_FN static __device__ __forceinline__
#include "spmat/cuda/kernels/lmat_entries.cuh"
extern "C" {
#include "spmat/cuda/matrix/cuda_matrix.h"
}

struct selection_bits {
  const uint32_t *bits, *before;
};
static inline selection_bits selection_bits_of(const grid_selection &k) {
  return selection_bits{k.bits, k.before};
}
// The number of selected entries before e; e may be the number of entries.
GRID_FN uint32_t selection_rank(const selection_bits &k, uint32_t e) {
  if (!k.bits) return e;
  const uint32_t w = e >> 5;
  return k.before[w] + __popc(k.bits[w] & ((1u << (e & 31)) - 1));
}
GRID_FN bool is_selected(const selection_bits &k, uint32_t e) {
  return !k.bits || k.bits[e >> 5] >> (e & 31) & 1;
}

// The entry of row r in column c, or GRID_NO_ENTRY.
GRID_FN uint32_t find_in_row(const grid_csr_pattern &m, uint64_t r, uint32_t c) {
  const uint32_t end = m.ptr[r + 1], at = grid_csr_lower_bound(m.idx, m.ptr[r], end, c);
  return at < end && m.idx[at] == c ? at : GRID_NO_ENTRY;
}
#endif
