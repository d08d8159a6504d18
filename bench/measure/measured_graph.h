/* The graphs of programs that measure the GPU. */
#ifndef GRID_MEASURED_GRAPH_H
#define GRID_MEASURED_GRAPH_H
#include <stdbool.h>

#include "gridblas.h"

/* *A: what a number says, an R-MAT graph of that scale, both ways, its vertices as they come or numbered by
 * descending degree (on one process); else the file of pages of that name. False: Grid_last_error tells, if
 * it was not for memory. */
bool graph_of(GrB_Matrix *A, const char *what, bool by_degree);
#endif
