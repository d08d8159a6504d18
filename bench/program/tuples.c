/* A graph's tuples, this process's share, piece by piece: those that are kept as one piece, those of a
 * generated graph made again as they are asked for. */
#include "bench/program/tuples.h"

#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 18 };

void share_of_tuples(uint64_t *first, uint64_t *count, uint64_t total) {
  const uint64_t P = (uint64_t)Grid_size(), k = (uint64_t)Grid_rank(), more = total % P;
  *count = total / P + (k < more);
  *first = total / P * k + (k < more ? k : more);
}

int tuples_open(tuples *t, const graph *g) {
  *t = (tuples){.g = g};
  if (!g->remade) return STATUS_OK;
  t->made_rows = malloc(PIECE * sizeof *t->made_rows);
  t->made_cols = malloc(PIECE * sizeof *t->made_cols);
  const bool room = t->made_rows != NULL && t->made_cols != NULL;
  return fail_anywhere(STATUS_INPUT, room ? NULL : "no memory for a piece of the graph");
}

static void make_again(tuples *t, uint64_t from) {
  const Grid_Rmat *rmat = &t->g->rmat;
#pragma omp parallel for schedule(static)
  for (uint64_t k = 0; k < t->count; k++)
    Grid_Rmat_tuple(rmat, t->g->first_tuple + from + k, &t->made_rows[k], &t->made_cols[k]);
}

bool tuples_next(tuples *t) {
  const Grid_Edges *e = &t->g->edges;
  const uint64_t from = t->done, left = e->n - from;
  if (left == 0) return false;
  t->count = t->g->remade && left > PIECE ? PIECE : left;
  t->done += t->count;
  if (t->g->remade) {
    make_again(t, from);
    t->rows = t->made_rows;
    t->cols = t->made_cols;
  } else {
    t->rows = e->rows + from;
    t->cols = e->cols + from;
  }
  return true;
}

void tuples_close(tuples *t) {
  free(t->made_rows);
  free(t->made_cols);
  *t = (tuples){.g = NULL};
}
