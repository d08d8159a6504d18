/* The checks of a tree of shortest paths, on plain arrays, like validate.h's of a search. They are the
 * Graph500 rules of kernel 3, for weights of 0 or more and lengths summed in single precision.
 * - 1: the parents form one tree, rooted at the source, without cycles
 * - 2: the source is at 0, and every vertex of the tree, and no other, has a distance, 0 or more
 * - 3: no input edge offers a shorter path to one of its ends: their distances differ by its weight at most
 * - 4: every input edge has both ends in the tree or neither: the tree spans the whole component
 * - 5: every vertex and its parent are joined by an input edge whose weight is the difference of their
 * distances
 *
 * validate_tree for rule 1, then validate_distances, validate_path_edges, and validate_tree_edges for rule 5.
 * Edges are undirected. */
#ifndef GRID_VALIDATE_PATHS_H
#define GRID_VALIDATE_PATHS_H
#include "bench/validate/validate.h"

/* Rule 2. */
bool validate_distances(const validate_job *tree, const double *distance, validate_result *result);
/* Rules 3 and 4 over some of the input edges. Sets in_input[v] = 1 where an edge from v's parent with the
 * right weight is among them, and adds the number of edges in the tree's component to *inside. */
bool validate_path_edges(const validate_job *tree, const double *distance, const uint64_t *rows,
                         const uint64_t *cols, const double *weight, uint64_t count, uint8_t *in_input,
                         uint64_t *inside, validate_result *result);
#endif
