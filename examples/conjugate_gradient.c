/* Conjugate gradients: A x = b, A the five-point Laplace operator on a square mesh with zero boundary values.
 * Each process generates the rows that it owns, in parallel for meshes of any size. Usage: conjugate_gradient
 * [SIDE] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <GraphBLAS.h>
#include <gridblas.h>

#define TRY(call)                                                                       \
  do {                                                                                  \
    GrB_Info info_ = (call);                                                            \
    if (info_ != GrB_SUCCESS) {                                                         \
      fprintf(stderr, "%s: %s: %s\n", #call, Grid_info_name(info_), Grid_last_error()); \
      return 1;                                                                         \
    }                                                                                   \
  } while (0)

/* A's rows of this process: 4 on the diagonal, -1 for each neighbour. */
static GrB_Info laplace(GrB_Matrix *A, GrB_Index side) {
  GrB_Index n = side * side, first, count, k = 0;
  GrB_Info info = Grid_local_range(n, &first, &count);
  GrB_Index *row = malloc((5 * count + 1) * sizeof *row), *col = malloc((5 * count + 1) * sizeof *col);
  double *x = malloc((5 * count + 1) * sizeof *x);
  if (info == GrB_SUCCESS && (!row || !col || !x)) info = GrB_OUT_OF_MEMORY;
  for (GrB_Index i = first; info == GrB_SUCCESS && i < first + count; i++) {
    const GrB_Index r = i / side, c = i % side;
    row[k] = i, col[k] = i, x[k++] = 4;
    if (r > 0) row[k] = i, col[k] = i - side, x[k++] = -1;
    if (r + 1 < side) row[k] = i, col[k] = i + side, x[k++] = -1;
    if (c > 0) row[k] = i, col[k] = i - 1, x[k++] = -1;
    if (c + 1 < side) row[k] = i, col[k] = i + 1, x[k++] = -1;
  }
  info = Grid_agree(info, NULL); /* all processes stop together */
  if (info == GrB_SUCCESS) info = GrB_Matrix_new(A, GrB_FP64, n, n);
  if (info == GrB_SUCCESS) info = Grid_Matrix_build(*A, row, col, x, GrB_FP64, k, NULL, 0);
  free(row), free(col), free(x);
  return info;
}

/* *z = x . y, with w as workspace */
static GrB_Info dot(double *z, GrB_Vector w, GrB_Vector x, GrB_Vector y) {
  GrB_Info info = GrB_eWiseMult(w, NULL, NULL, GrB_TIMES_FP64, x, y, NULL);
  return info == GrB_SUCCESS ? GrB_reduce(z, NULL, GrB_PLUS_MONOID_FP64, w, NULL) : info;
}

int main(int argc, char **argv) {
  const GrB_Index side = argc > 1 ? strtoull(argv[1], NULL, 10) : 40, n = side * side;
  GrB_Matrix A;
  GrB_Vector x, r, p, q, w;
  double rr, start, pq;
  int steps = 0;

  TRY(GrB_init(GrB_NONBLOCKING));
  TRY(laplace(&A, side));
  TRY(GrB_Vector_new(&x, GrB_FP64, n));
  TRY(GrB_Vector_new(&r, GrB_FP64, n));
  TRY(GrB_Vector_new(&q, GrB_FP64, n));
  TRY(GrB_Vector_new(&w, GrB_FP64, n));

  /* b = 1 everywhere, x = 0, so the residual r = b */
  TRY(GrB_assign(x, NULL, NULL, 0.0, GrB_ALL, n, NULL));
  TRY(GrB_assign(r, NULL, NULL, 1.0, GrB_ALL, n, NULL));
  TRY(GrB_Vector_dup(&p, r));
  TRY(dot(&rr, w, r, r));
  for (start = rr; rr > 1e-20 * start && steps < 1000; steps++) {
    /* q = A p; x += a p; r -= a q; p = r + b p */
    TRY(GrB_mxv(q, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, p, NULL));
    TRY(dot(&pq, w, p, q));
    const double a = rr / pq, before = rr;
    TRY(GrB_apply(x, NULL, GrB_PLUS_FP64, GrB_TIMES_FP64, a, p, NULL));
    TRY(GrB_apply(r, NULL, GrB_PLUS_FP64, GrB_TIMES_FP64, -a, q, NULL));
    TRY(dot(&rr, w, r, r));
    TRY(GrB_apply(p, NULL, NULL, GrB_TIMES_FP64, rr / before, p, NULL));
    TRY(GrB_eWiseAdd(p, NULL, NULL, GrB_PLUS_FP64, p, r, NULL));
  }

  /* the residual b - A x, recomputed */
  double rest, middle;
  TRY(GrB_assign(r, NULL, NULL, 1.0, GrB_ALL, n, NULL));
  TRY(GrB_mxv(r, NULL, GrB_MINUS_FP64, GrB_PLUS_TIMES_SEMIRING_FP64, A, x, NULL));
  TRY(dot(&rest, w, r, r));
  TRY(GrB_Vector_extractElement(&middle, x, n / 2 + side / 2));
  const int good = sqrt(rest) < 1e-6 * sqrt(start);
  if (Grid_rank() == 0) printf("x in the middle is %.6f, %s\n", middle, good ? "solved" : "not solved");

  GrB_free(&A);
  GrB_free(&x), GrB_free(&r), GrB_free(&p), GrB_free(&q), GrB_free(&w);
  TRY(GrB_finalize());
  return good ? 0 : 1;
}
