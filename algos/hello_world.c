/* A template: copy this file to algos/NAME.c and follow docs/adding.md. It is no part of the library; the
 * tests build it (tests/unit_algos_hello_world.c), so it is always valid.
 *
 * First comes what is computed and why the method is right; then the invariant of the loop, if there is one;
 * last the source. Here: the smallest number among a vertex and its neighbors is one product with the vector
 * of all numbers, over the semiring min.second, and a minimum with that vector. */
#include "algos/algos.h"

/* This declaration goes to include/gridblas_algos.h, with its comment, from which the page of the site and
 * the Python function come. It says what the outputs become, how A is understood, cost, memory, errors,
 * source:
 *
 * For every vertex the smallest number among itself and the vertices it has an edge to: *least becomes a new
 * INT64 vector with an entry for every vertex. Edges are entries of the square matrix A, whatever their
 * values. One product. Memory: two vectors of n. Errors: GrB_NULL_POINTER, GrB_DIMENSION_MISMATCH (A not
 * square), GrB_OUT_OF_MEMORY; *least is untouched then. Collective. */
GrB_Info Grid_hello_world(GrB_Vector *least, GrB_Matrix A);

GrB_Info Grid_hello_world(GrB_Vector *least, GrB_Matrix A) {
  SPAN; /* shows the function in traces and profiles */
  GrB_Info info;
  GrB_Index n;
  GrB_Vector number = NULL, neighbor = NULL; /* what `out` frees is NULL until it is made */

  /* Arguments are checked first. Grid_agree keeps the text and is called by all processes alike. */
  if (least == NULL) return Grid_agree(GrB_NULL_POINTER, "Grid_hello_world: least is NULL");
  TRY(square_size(&n, A, "Grid_hello_world"));

  /* number(v) = v */
  TRY(GrB_Vector_new(&number, GrB_INT64, n));
  TRY(GrB_Vector_assign_INT64(number, NULL, NULL, 0, GrB_ALL, n, NULL));
  TRY(GrB_Vector_apply_IndexOp_INT64(number, NULL, NULL, GrB_ROWINDEX_INT64, number, 0, NULL));
  /* neighbor = A min.second number; number min= neighbor */
  TRY(GrB_Vector_new(&neighbor, GrB_INT64, n));
  TRY(GrB_mxv(neighbor, NULL, NULL, GrB_MIN_SECOND_SEMIRING_INT64, A, number, NULL));
  TRY(GrB_Vector_eWiseAdd_BinaryOp(number, NULL, NULL, GrB_MIN_INT64, number, neighbor, NULL));

  /* Outputs are set when nothing can fail any more. */
  *least = number, number = NULL;
out:
  GrB_Vector_free(&number);
  GrB_Vector_free(&neighbor);
  return info;
}
