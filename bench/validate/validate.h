/* The checks of a breadth-first search tree, on plain arrays: no library, no communication, no code shared
 * with the search.
 *
 * The Graph500 rules, with integer levels that are computed here from the parents alone:
 * - 1: the parents form one tree, rooted at the source, without cycles
 * - 2: a tree edge joins levels that differ by one (and the search's levels are these)
 * - 3: every input edge joins levels that differ by at most one
 * - 4: every input edge has both ends in the tree or neither: the tree spans the whole component
 * - 5: every tree edge is an input edge
 *
 * In a directed graph 3 and 4 hold along the edge only: its head is at most one level deeper than its tail.
 */
#ifndef GRID_VALIDATE_H
#define GRID_VALIDATE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  uint64_t n;            /* vertices */
  uint64_t root;         /* the source */
  const int64_t *parent; /* n entries; -1: not reached */
  const int32_t *level;  /* n entries of the search's result, -1: not reached; NULL: not given */
  int32_t *depth;        /* n entries, filled by validate_tree */
  bool directed;         /* edges have a direction */
  int64_t limit;         /* the depth limit of the search; < 0: no limit */
} validate_job;

typedef struct {
  int rule;       /* 0: no error, else the number of the broken rule */
  char text[200]; /* the error text */
} validate_result;

/* Records an error; returns false. */
bool validate_edge_violations(validate_result *result, int rule, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Rules 1 and 2; fills depth. Each returns whether there was no error. */
bool validate_tree(const validate_job *job, validate_result *result);

/* Rules 3 and 4 over some of the input edges (rows[k], cols[k]); needs depth. Sets in_input[v] = 1 where the
 * edge from v's parent is among them, and adds to *inside the number of edges that start (undirected: start
 * or end) in the tree. */
bool validate_edges(const validate_job *job, const uint64_t *rows, const uint64_t *cols, uint64_t count,
                    uint8_t *in_input, uint64_t *inside, validate_result *result);

/* Rule 5, once in_input has the flags of all input edges. */
bool validate_tree_edges(const validate_job *job, const uint8_t *in_input, validate_result *result);
#endif
