/* New numbers for the vertices of a graph that was read. */
#ifndef GRID_PROGRAM_RENUMBER_GRAPH_H
#define GRID_PROGRAM_RENUMBER_GRAPH_H
#include "bench/program/program.h"

/* Renumbers g's vertices by o->order into so many parts (g->ordering), before its matrix is built: all of its
 * tuples get new numbers, and its names stay those of the file. flags: those with
 * which the matrix is built (Grid_Matrix_build), whose entries are counted and divided. */
int graph_order(graph *g, uint64_t parts, int flags, const options *o);
void graph_ordering_report(report *r, const graph *g, const options *o);
#endif
