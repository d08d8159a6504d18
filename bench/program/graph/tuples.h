/* A graph's tuples, segment by segment (tuples.c). */
#ifndef GRID_TUPLES_H
#define GRID_TUPLES_H
#include "bench/program/program.h"

typedef struct {
  const graph *g;
  const uint64_t *rows, *cols; /* the current segment */
  uint64_t count, done;
  uint64_t *generated_rows, *generated_cols;
} tuples;

/* Iterated once; must be closed also after a failure. Collective. */
int tuples_open(tuples *t, const graph *g);
/* The next segment of this process's tuples; false: no more. Local. */
bool tuples_next(tuples *t);
void tuples_close(tuples *t);

/* This process's range of `total` tuples. Local. */
void share_of_tuples(uint64_t *first, uint64_t *count, uint64_t total);
#endif
