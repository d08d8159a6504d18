/* The rows that upper rooms have registered. */
#include "dist/grid/hooks.h"

static GrB_Info nothing(void) {
  return GrB_SUCCESS;
}

static GrB_Info no_count(uint64_t *nvals, GrB_Vector v, bool *taken) {
  (void)nvals, (void)v;
  *taken = false;
  return GrB_SUCCESS;
}

static void no_release(GrB_Vector v) {
  (void)v;
}

static const grid_ahead_hooks none = {nothing, nothing, no_count, no_release};
const grid_ahead_hooks *grid_ahead = &none;

void grid_hook_ahead(const grid_ahead_hooks *h) {
  grid_ahead = h;
}

const grid_derived_form *grid_derived[GRID_DERIVED_FORMS];

void grid_hook_derived(const grid_derived_form *f) {
  int k = 0;
  while (k < GRID_DERIVED_FORMS - 1 && grid_derived[k] && grid_derived[k] != f) k++;
  grid_derived[k] = f; /* a second GrB_init finds it there */
}
