/* See levels.h. */
#include "algos/support/levels.h"

#include <stdlib.h>

GrB_Info grid_levels_add(level_list *l, GrB_Vector q) {
  GrB_Info info = GrB_SUCCESS;
  if (l->count == l->capacity) {
    const GrB_Index capacity = 2 * l->capacity + 16;
    GrB_Vector *more = realloc(l->q, capacity * sizeof(GrB_Vector));
    info = Grid_agree(more == NULL ? GrB_OUT_OF_MEMORY : GrB_SUCCESS, "no memory for the levels of a search");
    if (more != NULL) l->q = more;
    if (info == GrB_SUCCESS) l->capacity = capacity;
  }
  if (info == GrB_SUCCESS) info = GrB_Vector_dup(&l->q[l->count], q);
  if (info == GrB_SUCCESS) l->count++;
  return info;
}

void grid_levels_clear(level_list *l) {
  while (l->count > 0) GrB_Vector_free(&l->q[--l->count]);
}

void grid_levels_free(level_list *l) {
  grid_levels_clear(l);
  free(l->q);
  l->q = NULL, l->capacity = 0;
}
