/* Loads machine code into the GPU (by the runtime API's libraries: libcuda is not linked). */
#ifndef GRID_JIT_LOAD_H
#define GRID_JIT_LOAD_H
#include "GraphBLAS.h"

GrB_Info grid_jit_load(void **library, const void *image);
GrB_Info grid_jit_find(void **kernel, void *library, const char *function);
void grid_jit_unload(void *library); /* NULL is allowed */
#endif
