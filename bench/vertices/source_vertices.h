/* The vertices that an algorithm starts from (source_vertices.c). */
#ifndef GRID_SOURCE_VERTICES_H
#define GRID_SOURCE_VERTICES_H
#include "bench/program/program.h"

/* Finds the sources that the options name, in an array that the caller frees. With OPT_SOURCE one
 * (graph_source; *chosen: it chose). With OPT_SOURCES those of --sources, or --samples distinct vertices
 * with edges drawn by --seed, the same on any number of processes; none without these options. */
int sources_find(uint64_t **source, uint64_t *count, bool *chosen, const graph *g, const options *o,
                 uint64_t accepts);
#endif
