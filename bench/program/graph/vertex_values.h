/* Values and labels of vertices, and pairs of them, from a text file (vertex_values.c). A line has a vertex,
 * by its name in the graph's file, and a value or a second vertex; blanks, tabs or commas are between them.
 * Lines that begin with '#' or '%' are comments. Process 0 reads the file. All functions are collective and
 * return a status. */
#ifndef GRID_VERTEX_VALUES_H
#define GRID_VERTEX_VALUES_H
#include "bench/program/program.h"

/* *v becomes a new FP64 vector of g->n: the numbers in the file. A vertex has one line at most. */
int vertex_values_read(GrB_Vector *v, const char *path, const graph *g);

/* Groups of vertices, numbered in the order of their labels, which are whole numbers. */
typedef struct {
  uint64_t *label, count; /* of each group, ascending; on process 0, NULL elsewhere */
  GrB_Vector group;       /* INT64, an entry for every vertex */
} vertex_groups;
/* Reads them: every vertex has a line. */
int vertex_groups_read(vertex_groups *s, const char *path, const graph *g);
void vertex_groups_free(vertex_groups *s);

typedef struct {
  GrB_Matrix matrix;      /* BOOL, g->n x g->n, an entry for each pair; NULL: none were read */
  uint64_t *from, *to, n; /* the pairs as they were read; on process 0, NULL and 0 elsewhere */
} vertex_pairs;
/* Reads them; a pair may have several lines. */
int vertex_pairs_read(vertex_pairs *s, const char *path, const graph *g);
void vertex_pairs_free(vertex_pairs *s);
#endif
