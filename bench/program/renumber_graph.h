/* New numbers for the vertices of a graph that was read. */
#ifndef GRID_PROGRAM_RENUMBER_GRAPH_H
#define GRID_PROGRAM_RENUMBER_GRAPH_H
#include "bench/program/program.h"

/* Renumbers g's vertices by o->order into so many parts (g->ordering), before its matrix is built: all of its
 * tuples get new numbers, and its names stay those of the file. */
int graph_order(graph *g, uint64_t parts, const options *o);
void graph_ordering_report(report *r, const graph *g, const options *o);
#endif
