/* What every derived form of a matrix does, one after the other. */
#include "dist/object/derived.h"

/* Each form that has this function. */
#define EACH(f, function)                                   \
  for (const grid_derived_form **f = grid_derived; *f; f++) \
    if ((*f)->function)

GrB_Info grid_derived_make(GrB_Matrix A) {
  EACH(f, make) {
    GrB_Info info = (*f)->make(A);
    if (info != GrB_SUCCESS) return info;
  }
  return GrB_SUCCESS;
}

bool grid_derived_right(GrB_Matrix A) {
  EACH(f, is_right) if (!(*f)->is_right(A)) return false;
  return true;
}

void grid_derived_free(GrB_Matrix A) {
  EACH(f, free)(*f)->free(A);
}

GrB_Info grid_derived_to_host(GrB_Matrix A) {
  EACH(f, to_host) {
    GrB_Info info = (*f)->to_host(A);
    if (info != GrB_SUCCESS) return info;
  }
  return GrB_SUCCESS;
}

GrB_Info grid_derived_for_device(GrB_Matrix A) {
  EACH(f, for_device) {
    GrB_Info info = (*f)->for_device(A);
    if (info != GrB_SUCCESS) return info;
  }
  return GrB_SUCCESS;
}

GrB_Info grid_derived_wait(GrB_Matrix A) {
  EACH(f, wait) {
    GrB_Info info = (*f)->wait(A);
    if (info != GrB_SUCCESS) return info;
  }
  return GrB_SUCCESS;
}

uint64_t grid_derived_nvals(GrB_Matrix A) {
  uint64_t sum = 0;
  EACH(f, nvals) sum += (*f)->nvals(A);
  return sum;
}

void grid_derived_tuples(GrB_Matrix A, grid_tuples *t) {
  EACH(f, tuples)(*f)->tuples(A, t);
}

const void *grid_derived_find(GrB_Matrix A, GrB_Index i, GrB_Index j) {
  const void *v = NULL;
  EACH(f, find) if (!v) v = (*f)->find(A, i, j);
  return v;
}

void grid_derived_storage(GrB_Matrix A, Grid_Storage *s) {
  EACH(f, storage)(*f)->storage(A, s);
}
