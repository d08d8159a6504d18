// Dots that count common inner indices, C<mask> = A B over PLUS.ONEB. Entries of B's columns at inner indices
// of many entries are bits, intersected with those of A's row by AND and popcount. mxm_dots.cu chooses and
// launches.
#ifndef GRID_MXM_HUB_BITS_CUH
#define GRID_MXM_HUB_BITS_CUH
#include "spmat/cuda/matrix/selected_entries.cuh"

#include "spmat/cuda/kernels/mxm_job.cuh"

enum { GRID_HUB_UNIT = 128 };  // bits of one load

// Vectors of B by rank of the inner index (ranks descend by number of entries). Vector j has its first ranks
// as the units bits[start[j]] .. bits[start[j + 1]], rank k being bit k % 128 of unit k / 128, and other
// ranks are rest[rest_start[j]] ... bits NULL: there are none, and every entry is looked up.
typedef struct {
  uint4 *bits;
  uint64_t *start;
  uint32_t *rest, *rest_start;
} grid_hub_vectors;

extern "C" {
// May bits pay? From numbers that are known before any pass: mask's entries, and entries that they inspect.
bool grid_hub_vectors_may_pay(const grid_lmat_product *m, uint64_t inspected);
// Makes h for m->bt, whose entries have the ranks `rank`; only the first `shared_ranks` ranks get bits. h
// stays empty if a sample of the mask's entries says that bits save too little. Freed by the caller, also
// after an error.
GrB_Info grid_hub_vectors_make(grid_hub_vectors *h, const grid_lmat_product *m, const uint32_t *rank,
                               uint32_t shared_ranks);
void grid_hub_vectors_free(grid_hub_vectors *h);
// The kernel of (grid_mxm_job, grid_hub_vectors) for rows of blocks whose results have this type. Shared
// memory: J.smem bits, in whole units.
const void *grid_hub_kernel(GrB_Type type);
}
#endif
