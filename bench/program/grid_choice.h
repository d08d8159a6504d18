/* The grid where nobody names one: one rule for the commands of the program and for the benchmarks. By what
 * they do most and by the degrees of vertices drawn from the edges, before there is a matrix
 * (Grid_choose_shape; docs/design.md, "The choice"). */
#ifndef GRID_GRID_CHOICE_H
#define GRID_GRID_CHOICE_H
#include <stdbool.h>
#include <stdint.h>

#include "gridblas.h"

/* NONE: makes no matrix. SEARCHES: products whose rows stop at a first hit, or with a small part of all
 * vertices. PRODUCTS: those that see every entry. */
enum { WORK_NONE, WORK_SEARCHES, WORK_PRODUCTS };

/* Edges are counted at one vertex of `each`. */
typedef struct {
  uint64_t *degree, count, each, n;
  bool symmetric;
} degree_sample;

/* Of n vertices; symmetric: edges count both ways. false: no memory. */
bool degree_sample_open(degree_sample *s, uint64_t n, bool symmetric);
void degree_sample_add(degree_sample *s, uint64_t row, uint64_t col);
void degree_sample_close(degree_sample *s);

/* Is the grid to be chosen: are there several processes, and does GRIDBLAS_GRID name none? */
bool grid_shape_is_automatic(void);
/* The library starts again on the shape that suits the work and the degrees; every process has counted edges
 * of its own. There must be no object yet. *again: it did, and what was set of it is gone. Collective. */
GrB_Info grid_restart_on_best_shape(bool *retry, const degree_sample *s, int work);
#endif
