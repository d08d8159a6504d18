/* See lmat_span.h. */
#include "spmat/cpu/rows/lmat_span.h"

GrB_Info grid_span_find(grid_span *s, const grid_axis *a, const grid_index_set *set) {
  if (!set->list) {
    *s = (grid_span){.low = grid_axis_bound(a, set->first), .high = grid_axis_bound(a, set->first + set->n)};
    return GrB_SUCCESS;
  }
  *s = (grid_span){.high = a->n, .bits = grid_calloc(grid_words(a->n), sizeof *s->bits)};
  if (!s->bits) return grid_fail_memory(NULL, "rows or columns that are assigned", a->n, 1);
  for (uint64_t k = 0; k < set->n; k++) {
    const uint64_t at = grid_axis_find(a, set->list[k]);
    if (at != UINT64_MAX) s->bits[at >> 6] |= UINT64_C(1) << (at & 63);
  }
  return GrB_SUCCESS;
}

void grid_span_free(grid_span *s) {
  grid_free(s->bits);
}
