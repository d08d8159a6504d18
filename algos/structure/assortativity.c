/* Assortativity: the Pearson correlation, over the entries (i,j) of A, of x(i) and y(j). With the means
 * subtracted from x and y first, which keeps the digits of nearly equal values
 *   correlation = x' A y / sqrt(sum of out x^2 * sum of in y^2)
 * out and in being the numbers of entries in rows and columns.
 *
 * Source: Newman, Mixing patterns in networks (2003). */
#include <math.h>

#include "algos/algos.h"

/* One end of the edges. */
typedef struct {
  GrB_Vector edges; /* FP64: entries of each row, or column, that has any */
  GrB_Vector value; /* ... and x, or y, there */
} edge_ends;

static void edge_ends_free(edge_ends *e) {
  GrB_Vector_free(&e->edges);
  GrB_Vector_free(&e->value);
}

/* value NULL: the number of edges. */
static GrB_Info find_ends(edge_ends *e, GrB_Matrix A, GrB_Index n, GrB_Vector value, bool by_column) {
  GrB_Info info;
  GrB_Index ends, found;
  TRY(GrB_Vector_new(&e->edges, GrB_FP64, n));
  TRY(GrB_Vector_new(&e->value, GrB_FP64, n));
  TRY(Grid_Matrix_degree(e->edges, A, by_column));
  if (value == NULL) value = e->edges;
  TRY(check_vector_size(value, n, by_column ? "y" : "x", "Grid_assortativity"));
  TRY(GrB_Vector_apply(e->value, e->edges, NULL, GrB_IDENTITY_FP64, value, GrB_DESC_S));
  TRY(GrB_Vector_nvals(&ends, e->edges));
  TRY(GrB_Vector_nvals(&found, e->value));
  if (found != ends)
    return grid_refuse(GrB_INVALID_VALUE, "Grid_assortativity",
                       "%" PRIu64 " vertices with edges have no value", ends - found);
out:
  return info;
}

/* *sum = that of a .* b. */
static GrB_Info sum_products(double *sum, GrB_Vector a, GrB_Vector b) {
  GrB_Info info;
  GrB_Index n;
  GrB_Vector product = NULL;
  TRY(GrB_Vector_size(&n, a));
  TRY(GrB_Vector_new(&product, GrB_FP64, n));
  TRY(GrB_Vector_eWiseMult_BinaryOp(product, NULL, NULL, GrB_TIMES_FP64, a, b, NULL));
  TRY(GrB_Vector_reduce_FP64(sum, NULL, GrB_PLUS_MONOID_FP64, product, NULL));
out:
  GrB_Vector_free(&product);
  return info;
}

/* Subtracts the mean over the edges; *squares = the sum of squares then, 0 where all values are equal. */
static GrB_Info subtract_mean(double *squares, edge_ends *e) {
  GrB_Info info;
  GrB_Index n;
  GrB_Vector product = NULL;
  double least, largest, sum, edges;
  TRY(GrB_Vector_reduce_FP64(&least, NULL, GrB_MIN_MONOID_FP64, e->value, NULL));
  TRY(GrB_Vector_reduce_FP64(&largest, NULL, GrB_MAX_MONOID_FP64, e->value, NULL));
  TRY(sum_products(&sum, e->value, e->edges));
  TRY(GrB_Vector_reduce_FP64(&edges, NULL, GrB_PLUS_MONOID_FP64, e->edges, NULL));
  TRY(GrB_Vector_apply_BinaryOp2nd_FP64(e->value, NULL, NULL, GrB_MINUS_FP64, e->value, sum / edges, NULL));
  TRY(GrB_Vector_size(&n, e->value));
  TRY(GrB_Vector_new(&product, GrB_FP64, n));
  TRY(GrB_Vector_eWiseMult_BinaryOp(product, NULL, NULL, GrB_TIMES_FP64, e->value, e->edges, NULL));
  TRY(sum_products(squares, product, e->value));
  if (!(least < largest)) *squares = 0; /* not the square of a rounding error */
out:
  GrB_Vector_free(&product);
  return info;
}

/* *sum = that of x(i) y(j) over the entries. */
static GrB_Info sum_over_edges(double *sum, GrB_Matrix A, GrB_Index n, const edge_ends *x,
                               const edge_ends *y) {
  GrB_Info info;
  GrB_Semiring semiring = NULL;
  GrB_Vector product = NULL;
  /* each process creates its own semiring, so a single process may fail */
  TRY(Grid_agree(GrB_Semiring_new(&semiring, GrB_PLUS_MONOID_FP64, GrB_SECOND_FP64), NULL));
  TRY(GrB_Vector_new(&product, GrB_FP64, n));
  TRY(GrB_mxv(product, NULL, NULL, semiring, A, y->value, NULL));
  TRY(sum_products(sum, x->value, product));
out:
  GrB_Semiring_free(&semiring);
  GrB_Vector_free(&product);
  return info;
}

static double correlate(double of_both, double of_x, double of_y) {
  if (of_x == 0 || of_y == 0) return (double)NAN;
  const double r = of_both / sqrt(of_x) / sqrt(of_y);
  return fabs(r) > 1 ? copysign(1, r) : r; /* rounding leads out of the range */
}

GrB_Info Grid_assortativity(double *correlation, GrB_Matrix A, GrB_Vector x, GrB_Vector y) {
  SPAN;
  GrB_Info info;
  GrB_Index n;
  edge_ends row = {NULL}, column = {NULL};
  double of_x, of_y, of_both;

  if (correlation == NULL) return Grid_agree(GrB_NULL_POINTER, "Grid_assortativity: correlation is NULL");
  TRY(square_size(&n, A, "Grid_assortativity"));
  TRY(find_ends(&row, A, n, x, false));
  TRY(find_ends(&column, A, n, y, true));
  TRY(subtract_mean(&of_x, &row));
  TRY(subtract_mean(&of_y, &column));
  TRY(sum_over_edges(&of_both, A, n, &row, &column));
  *correlation = correlate(of_both, of_x, of_y);
out:
  edge_ends_free(&row);
  edge_ends_free(&column);
  return info;
}
