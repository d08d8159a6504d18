/* The tables of functions that higher modules have registered. */
#include "dist/grid/hooks.h"

static GrB_Info do_nothing(void) {
  return GrB_SUCCESS;
}

static GrB_Info decline_count(uint64_t *nvals, GrB_Vector v, bool *taken) {
  (void)nvals, (void)v;
  *taken = false;
  return GrB_SUCCESS;
}

static void ignore_release(GrB_Vector v) {
  (void)v;
}

static const grid_lookahead_hooks empty_hooks = {do_nothing, do_nothing, decline_count, ignore_release};
const grid_lookahead_hooks *grid_lookahead = &empty_hooks;

void grid_set_lookahead_hooks(const grid_lookahead_hooks *h) {
  grid_lookahead = h;
}

struct grid_hooks grid_hooks;

void grid_hook_cached_property(const grid_cached_property *f) {
  const grid_cached_property **at = grid_hooks.cached_properties;
  int k = 0;
  while (k < GRID_CACHED_PROPERTIES - 1 && at[k] && at[k] != f) k++;
  at[k] = f; /* a second GrB_init registers the same ones again */
}
