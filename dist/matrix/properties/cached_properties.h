/* The registered cached properties of a matrix; dist/grid/hooks.h documents each function. */
#ifndef GRID_CACHED_PROPERTIES_H
#define GRID_CACHED_PROPERTIES_H
#include "dist/grid/hooks.h"
#include "dist/matrix/matrix.h"

GrB_Info grid_cached_make(GrB_Matrix A);
bool grid_cached_valid(GrB_Matrix A);
GrB_Info grid_cached_update(GrB_Matrix A);
GrB_Info grid_cached_prepare(GrB_Matrix A, unsigned *forms);
void grid_cached_free(GrB_Matrix A);
GrB_Info grid_cached_to_host(GrB_Matrix A);
GrB_Info grid_cached_for_device(GrB_Matrix A);
GrB_Info grid_cached_wait(GrB_Matrix A);
uint64_t grid_cached_nvals(GrB_Matrix A);
void grid_cached_tuples(GrB_Matrix A, grid_tuples *t);
const void *grid_cached_find(GrB_Matrix A, GrB_Index i, GrB_Index j);
void grid_cached_storage(GrB_Matrix A, Grid_Storage *s);
#endif
