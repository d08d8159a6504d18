/* This process's tuples of a graph, segment by segment: stored ones as one segment; those of a generated
 * graph are generated again. */
#include "bench/program/graph/tuples.h"

#include <stdlib.h>
#include <string.h>

enum { SEGMENT = 1 << 18 };

void share_of_tuples(uint64_t *first, uint64_t *count, uint64_t total) {
  const uint64_t P = (uint64_t)Grid_size(), k = (uint64_t)Grid_rank(), more = total % P;
  *count = total / P + (k < more);
  *first = total / P * k + (k < more ? k : more);
}

int tuples_open(tuples *t, const graph *g) {
  *t = (tuples){.g = g};
  if (!g->regenerated) return STATUS_OK;
  t->generated_rows = malloc(SEGMENT * sizeof *t->generated_rows);
  t->generated_cols = malloc(SEGMENT * sizeof *t->generated_cols);
  const bool allocated = t->generated_rows != NULL && t->generated_cols != NULL;
  return fail_on_any(STATUS_INPUT, allocated ? NULL : "no memory for a piece of the graph");
}

static void rebuild(tuples *t, uint64_t from) {
  const Grid_Rmat *rmat = &t->g->rmat;
#pragma omp parallel for schedule(static)
  for (uint64_t k = 0; k < t->count; k++)
    Grid_Rmat_tuple(rmat, t->g->first_tuple + from + k, &t->generated_rows[k], &t->generated_cols[k]);
}

bool tuples_next(tuples *t) {
  const Grid_Edges *e = &t->g->edges;
  const uint64_t from = t->done, left = e->n - from;
  if (left == 0) return false;
  t->count = t->g->regenerated && left > SEGMENT ? SEGMENT : left;
  t->done += t->count;
  if (t->g->regenerated) {
    rebuild(t, from);
    t->rows = t->generated_rows;
    t->cols = t->generated_cols;
  } else {
    t->rows = e->rows + from;
    t->cols = e->cols + from;
  }
  return true;
}

void tuples_close(tuples *t) {
  free(t->generated_rows);
  free(t->generated_cols);
  *t = (tuples){.g = NULL};
}
