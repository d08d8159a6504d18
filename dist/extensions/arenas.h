/* Numbers of memory functions (gridblas_gxb_objects.h, "arenas"). */
#ifndef GRID_ARENAS_H
#define GRID_ARENAS_H
#include "GraphBLAS.h"

/* Error: GrB_INVALID_VALUE (not a number of an arena, or not initialised). */
GrB_Info grid_arena_check(int arena, const char *call);
/* None is initialised but 0, at GrB_finalize. */
void grid_arenas_reset(void);
#endif
