/* Removal of vertices whose number of edges to the rest is small (peel.c). */
#ifndef GRID_PEEL_H
#define GRID_PEEL_H
#include "algos/algos.h"

/* The type of degrees, INT32 where they fit since most of the time is spent on passes over them, and its
 * operators. */
typedef struct {
  GrB_Type type;
  GrB_Semiring count; /* plus.oneb */
  GrB_BinaryOp minus;
  GrB_UnaryOp identity;
  GrB_IndexUnaryOp at_most;
  GrB_Monoid min;
} degree_operators;

typedef struct {
  GrB_Matrix A;
  GrB_Index n;
  degree_operators ops;
  GrB_Vector removed;    /* INT64: of the removed vertices, the value that they got */
  GrB_Vector degree;     /* of all vertices: edges into each from those that remain */
  GrB_Vector q;          /* to be removed next */
  GrB_Vector lost, less; /* edges from q, and the degree without them; workspace */
} peel;

/* Creates the vectors, the degrees by A's columns; symmetric: by its rows. Free p in any case. */
GrB_Info grid_peel_begin(peel *p, GrB_Matrix A, GrB_Index n, bool symmetric);
/* Before vertices are removed: the degree of v is the number of neighbors other than v. */
GrB_Info grid_peel_ignore_loops(peel *p);
void grid_peel_free(peel *p);
/* Removes q, whose vertices get `value`; then q = the vertices that lost an edge and have `bound` or fewer
 * left. */
GrB_Info grid_peel_remove(peel *p, int64_t value, int64_t bound);
/* q = the degrees of the vertices that are left; *left: their number, shown as progress. */
GrB_Info grid_peel_find_rest(peel *p, GrB_Index *left);
/* After that, with vertices left: removes those whose core number is the least, *k, which they get. */
GrB_Info grid_peel_remove_core(peel *p, int64_t *k);
#endif
