/* The entries of a row that are in a mask's row, or are not. */
#ifndef GRID_LMAT_RESTRICT_H
#define GRID_LMAT_RESTRICT_H
#include "spmat/convert/lmat_align.h"

/* Columns of a segment of the mask's row. */
typedef struct {
  const uint32_t *idx;
  uint64_t n;
} grid_restrict_mask;

/* Bytes of workspace for a mask of at most this many entries. */
static inline size_t grid_restrict_workspace(uint64_t entries) {
  return entries * sizeof(uint32_t) + 16;
}
/* Entries from .. to - 1 of the mask: all by structure, else the true ones (-0.0 is zero), which are listed
 * in workspace. */
grid_restrict_mask grid_restrict_read(const grid_aligned_lmat *mask, uint64_t from, uint64_t to,
                                      bool structure, void *workspace);

/* Selects those of the n ascending columns idx that are in the mask (in), or are not. Columns go to col,
 * entry numbers (counted from `first`) to position; returns how many. */
uint64_t grid_restrict(uint32_t *col, uint32_t *position, const uint32_t *idx, uint64_t n, uint32_t first,
                       const grid_restrict_mask *mask, bool in);
#endif
