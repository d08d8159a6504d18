/* Making and freeing offsets. */
#include "spmat/sort/offsets.h"

uint64_t grid_wide_from = UINT64_C(1) << 32;

bool grid_offsets_make(grid_offsets *o, uint64_t n, uint64_t entries) {
  *o = (grid_offsets){0};
  if (entries >= grid_wide_from)
    o->wide = grid_malloc(n, sizeof *o->wide);
  else
    o->narrow = grid_malloc(n, sizeof *o->narrow);
  return grid_offsets_made(*o);
}

void grid_offsets_free(grid_offsets *o) {
  grid_free(o->narrow);
  grid_free(o->wide);
  *o = (grid_offsets){0};
}
