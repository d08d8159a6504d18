/* Checks of counts of small subgraphs (check_motif_counts.c). */
#ifndef GRID_CHECK_MOTIF_COUNTS_H
#define GRID_CHECK_MOTIF_COUNTS_H
#include "bench/check/check_graph.h"

enum { CHECK_MOTIFS = 8 };

/* NULL: count[] are the numbers of connected induced subgraphs: paths of 3 vertices, triangles, stars of 4,
 * paths of 4, paws, squares, diamonds, cliques of 4. Else the error in text. Edges count in both directions
 * and once, loops do not. Takes as long as there are subgraphs. */
const char *check_motif_counts(const check_graph *g, const uint64_t count[CHECK_MOTIFS], char *text,
                               size_t capacity);
#endif
