/* Parts of a minimum spanning forest. */
#ifndef GRID_MSF_H
#define GRID_MSF_H
#include "algos/algos.h"

/* msf_serial.c: *forest becomes a new UINT64 matrix of the edges (v, w), v < w, of the forest of K, UINT64
 * and symmetric. Of edges of one weight the one with the smaller v, then w, is first. Loops are ignored.
 * `light`: about so many of the lightest edges are joined before the others are examined. */
GrB_Info grid_msf_serial(GrB_Matrix *forest, GrB_Matrix K, GrB_Index n, double light);

/* msf_operators.c. */
typedef struct {
  GrB_Type weight; /* of the forest: FP32, FP64, UINT64 or INT64 */
  bool is_real;    /* FP32 or FP64 */
  /* weights as UINT64 in the same order, and back */
  GrB_UnaryOp from_weight, to_weight;
  /* A vertex with its tree; the lightest edges of a vertex to two trees; an edge that leaves a tree. */
  GrB_Type vertex, two, edge;
  GrB_UnaryOp tree, low, high; /* of an edge: the tree that it leads to, its smaller end, its larger end */
  GrB_IndexUnaryOp leaves;     /* is there an edge? */
  GrB_BinaryOp store;          /* a vertex of its number and its tree */
  GrB_BinaryOp pick_lightest;  /* of the two edges the lightest that leaves the vertex's tree */
  GrB_BinaryOp first;          /* of two edges */
  GrB_BinaryOp look, lighter;  /* of `search` */
  GrB_Monoid lightest;
  GrB_Semiring search; /* K search vertex = the two edges of each vertex */
} grid_msf_operators;
/* Those of weights of a type with this code; the others. */
GrB_Info grid_msf_make_weights(grid_msf_operators *o, int32_t code);
GrB_Info grid_msf_make_search(grid_msf_operators *o);
void grid_msf_free_operators(grid_msf_operators *o);
/* x, which is within the range of INT64, as a weight's UINT64. */
uint64_t grid_msf_encode(const grid_msf_operators *o, double x);
#endif
