/* Checks of similarities (check_similarity.c). */
#ifndef GRID_CHECK_SIMILARITY_H
#define GRID_CHECK_SIMILARITY_H
#include "bench/check/check_graph.h"

/* The measures by the numbers of Grid_SIMILARITY_... */
enum {
  CHECK_COMMON,
  CHECK_JACCARD,
  CHECK_SORENSEN,
  CHECK_OVERLAP,
  CHECK_COSINE,
  CHECK_ADAMIC_ADAR,
  CHECK_RESOURCE_ALLOCATION
};

/* NULL: the `entries` triples (row, col, value) are the similarities of all pairs of two vertices with a
 * common neighbour, each once in either order; else the difference in text. pairs: only of the edges there,
 * in its directions, also of a vertex with itself. k above 0: of each row only the k largest, of equal ones
 * any. */
const char *check_similarity(const check_graph *g, const check_graph *pairs, int measure, uint64_t k,
                             const uint64_t *row, const uint64_t *col, const double *value, uint64_t entries,
                             char *text, size_t capacity);
#endif
