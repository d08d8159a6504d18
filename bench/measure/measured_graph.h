/* The graphs of programs that measure the GPU. */
#ifndef GRID_MEASURED_GRAPH_H
#define GRID_MEASURED_GRAPH_H
#include <stdbool.h>

#include "gridblas.h"

/* *A: of a number, an R-MAT graph of that scale, both ways; else the file of pages of that name. The graph's
 * vertices are unordered or numbered by descending degree (on one process). False: Grid_last_error tells, if
 * it was not for memory. */
bool graph_of(GrB_Matrix *A, const char *what, bool by_degree);
#endif
