/* Luby's method (mis.c), which coloring.c repeats. */
#ifndef GRID_MIS_H
#define GRID_MIS_H
#include "algos/algos.h"

typedef struct {
  GrB_Matrix A;
  GrB_Index n;
  bool is_symmetric;    /* A equals its transpose, so its rows hold all neighbors */
  GrB_Vector set;       /* BOOL: members */
  GrB_Vector score;     /* INT64: of the undecided vertices */
  GrB_Vector most;      /* INT64: the largest score among a vertex's undecided neighbours */
  GrB_Vector added;     /* INT64: vertices that join in this round */
  GrB_Vector dominated; /* BOOL: excluded by a neighbor; workspace */
  GrB_Vector adjacent;  /* BOOL: has a neighbor that joined */
} luby_state;

/* All are collective. A and n are set before; the vectors are freed also after a failure. */
GrB_Info grid_luby_allocate(luby_state *c);
/* Creates the scores of all vertices, and an empty set. */
GrB_Info grid_luby_draw_scores(luby_state *c, uint64_t seed);
/* set = a maximal independent set of the vertices with a score, which have none afterwards. */
GrB_Info grid_luby_find_set(luby_state *c);
void grid_luby_free(luby_state *c);
#endif
