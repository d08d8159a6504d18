/* Vectors of a search, one for each level (levels.c): what its way back reads. */
#ifndef GRID_LEVELS_H
#define GRID_LEVELS_H
#include "algos/algos.h"

typedef struct {
  GrB_Vector *q;             /* q[d]: of level d */
  GrB_Index count, capacity; /* the same on all processes */
} level_list;

/* Appends a copy of q, which takes no more memory than its entries need. Collective. */
GrB_Info grid_levels_add(level_list *l, GrB_Vector q);
/* Removes all; the list can be used again. */
void grid_levels_clear(level_list *l);
/* ... and frees its memory. */
void grid_levels_free(level_list *l);
#endif
