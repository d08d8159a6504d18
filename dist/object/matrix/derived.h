/* All forms that are derived from a matrix (dist/grid/hooks.h says what each call is for). */
#ifndef GRID_DERIVED_H
#define GRID_DERIVED_H
#include "dist/grid/hooks.h"
#include "dist/object/matrix/matrix.h"

GrB_Info grid_derived_make(GrB_Matrix A);
bool grid_derived_right(GrB_Matrix A);
GrB_Info grid_derived_follow(GrB_Matrix A);
GrB_Info grid_derived_prepare(GrB_Matrix A, unsigned *forms);
void grid_derived_free(GrB_Matrix A);
GrB_Info grid_derived_to_host(GrB_Matrix A);
GrB_Info grid_derived_for_device(GrB_Matrix A);
GrB_Info grid_derived_wait(GrB_Matrix A);
uint64_t grid_derived_nvals(GrB_Matrix A);
void grid_derived_tuples(GrB_Matrix A, grid_tuples *t);
const void *grid_derived_find(GrB_Matrix A, GrB_Index i, GrB_Index j);
void grid_derived_storage(GrB_Matrix A, Grid_Storage *s);
#endif
