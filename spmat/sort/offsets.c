/* Allocates and frees offsets. */
#include "spmat/sort/offsets.h"
#include "semiring/support/tuning.h"

bool grid_offsets_make(grid_offsets *o, uint64_t n, uint64_t entries) {
  *o = (grid_offsets){0};
  if (entries >= grid_tune.offsets64_from)
    o->offsets64 = grid_malloc(n, sizeof *o->offsets64);
  else
    o->offsets32 = grid_malloc(n, sizeof *o->offsets32);
  return grid_offsets_is_allocated(*o);
}

void grid_offsets_free(grid_offsets *o) {
  grid_free(o->offsets32);
  grid_free(o->offsets64);
  *o = (grid_offsets){0};
}
