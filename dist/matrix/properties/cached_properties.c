/* Calls a function of all registered cached properties in turn. */
#include "dist/matrix/properties/cached_properties.h"

/* Each property that has this function. */
#define FOR_EACH_PROPERTY(f, function)                                         \
  for (const grid_cached_property **f = grid_hooks.cached_properties; *f; f++) \
    if ((*f)->function)

/* Functions that may fail; the first failure ends the loop. */
#define STEP(function)                            \
  GrB_Info grid_cached_##function(GrB_Matrix A) { \
    FOR_EACH_PROPERTY(f, function) {              \
      GrB_Info info = (*f)->function(A);          \
      if (info != GrB_SUCCESS) return info;       \
    }                                             \
    return GrB_SUCCESS;                           \
  }
STEP(make)
STEP(update)
STEP(to_host)
STEP(for_device)
STEP(wait)

GrB_Info grid_cached_prepare(GrB_Matrix A, unsigned *forms) {
  GrB_Info info = GrB_SUCCESS;
  FOR_EACH_PROPERTY(f, prepare) if (info == GrB_SUCCESS) info = (*f)->prepare(A, forms);
  return info;
}

bool grid_cached_valid(GrB_Matrix A) {
  FOR_EACH_PROPERTY(f, is_current) if (!(*f)->is_current(A)) return false;
  return true;
}

void grid_cached_free(GrB_Matrix A) {
  FOR_EACH_PROPERTY(f, free)(*f)->free(A);
}

uint64_t grid_cached_nvals(GrB_Matrix A) {
  uint64_t sum = 0;
  FOR_EACH_PROPERTY(f, nvals) sum += (*f)->nvals(A);
  return sum;
}

void grid_cached_tuples(GrB_Matrix A, grid_tuples *t) {
  FOR_EACH_PROPERTY(f, tuples)(*f)->tuples(A, t);
}

const void *grid_cached_find(GrB_Matrix A, GrB_Index i, GrB_Index j) {
  const void *v = NULL;
  FOR_EACH_PROPERTY(f, find) if (!v) v = (*f)->find(A, i, j);
  return v;
}

void grid_cached_storage(GrB_Matrix A, Grid_Storage *s) {
  FOR_EACH_PROPERTY(f, add_storage)(*f)->add_storage(A, s);
}
