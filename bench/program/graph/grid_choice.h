/* The default grid: one rule for the commands of the program and for the benchmarks. It depends on the kind
 * of work and on the degrees of vertices sampled from the edges, before there is a matrix (Grid_choose_shape;
 * docs/how/process_grid.md). */
#ifndef GRID_GRID_CHOICE_H
#define GRID_GRID_CHOICE_H
#include <stdbool.h>
#include <stdint.h>

#include "gridblas.h"

/* NONE: builds no matrix. SEARCHES: products whose rows stop at a first hit, or with a small part of all
 * vertices. PRODUCTS: products over all entries. */
enum { WORK_NONE, WORK_SEARCHES, WORK_PRODUCTS };

/* Edges are counted at one vertex of `step`. */
typedef struct {
  uint64_t *degree, count, step, n;
  bool symmetric;
} degree_sample;

/* n vertices; symmetric: edges count in both directions. false: out of memory. */
bool degree_sample_open(degree_sample *s, uint64_t n, bool symmetric);
void degree_sample_add(degree_sample *s, uint64_t row, uint64_t col);
void degree_sample_close(degree_sample *s);

/* Is the grid to be chosen: are there several processes, and does GRIDBLAS_GRID name none? */
bool grid_shape_is_automatic(void);
/* Restarts the library on the shape that suits the work and the degrees; every process has counted its edges.
 * There must be no object yet. *again: it was restarted, and its settings are lost. Collective. */
GrB_Info grid_restart_on_best_shape(bool *retry, const degree_sample *s, int work);
#endif
