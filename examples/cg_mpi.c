/* Conjugate gradients inside an MPI program. Half of the ranks solve A x = b; each passes its rows of A in
 * CSR arrays and its rows of b, and gets its rows of x. The other ranks do not call the library. Usage:
 * mpirun -n 4 cg_mpi */
#include <stdio.h>
#include <stdlib.h>
#include <mpi.h>
#include <GraphBLAS.h>
#include <gridblas.h>

#define TRY(call)                                 \
  do {                                            \
    if ((info = (call)) != GrB_SUCCESS) goto out; \
  } while (0)

/* The application's arrays: rows first .. first + count - 1 of the five-point Laplace operator on a mesh of
 * side x side points, b = 1, and room for x. Column numbers are global. */
typedef struct {
  GrB_Index n, first, count;
  GrB_Index *indptr, *indices, *rows;
  double *values, *b, *x;
} System;

static GrB_Info system_new(System *s, GrB_Index side) {
  const GrB_Index n = s->n, m = s->count;
  GrB_Index k = 0;
  s->indptr = malloc((m + 1) * sizeof *s->indptr), s->indices = malloc((5 * m + 1) * sizeof *s->indices);
  s->values = malloc((5 * m + 1) * sizeof *s->values), s->rows = malloc((m + 1) * sizeof *s->rows);
  s->b = malloc((m + 1) * sizeof *s->b), s->x = malloc((m + 1) * sizeof *s->x);
  if (!s->indptr || !s->indices || !s->values || !s->rows || !s->b || !s->x) return GrB_OUT_OF_MEMORY;
  for (GrB_Index r = 0; r < m; r++) {
    const GrB_Index i = s->first + r, column = i % side;
    s->indptr[r] = k, s->rows[r] = i, s->b[r] = 1;
    if (i >= side) s->indices[k] = i - side, s->values[k++] = -1;
    if (column > 0) s->indices[k] = i - 1, s->values[k++] = -1;
    s->indices[k] = i, s->values[k++] = 4;
    if (column + 1 < side) s->indices[k] = i + 1, s->values[k++] = -1;
    if (i + side < n) s->indices[k] = i + side, s->values[k++] = -1;
  }
  s->indptr[m] = k;
  return GrB_SUCCESS;
}

static void system_free(System *s) {
  free(s->indptr), free(s->indices), free(s->rows), free(s->values), free(s->b), free(s->x);
}

/* *z = u . v, with w as workspace */
static GrB_Info dot(double *z, GrB_Vector w, GrB_Vector u, GrB_Vector v) {
  GrB_Info info = GrB_eWiseMult(w, NULL, NULL, GrB_TIMES_FP64, u, v, NULL);
  return info == GrB_SUCCESS ? GrB_reduce(z, NULL, GrB_PLUS_MONOID_FP64, w, NULL) : info;
}

/* Solves A x = r from x = 0; r becomes the residual. *steps: the number of steps. */
static GrB_Info conjugate_gradients(GrB_Vector x, GrB_Vector r, GrB_Matrix A, GrB_Index n, int *steps) {
  GrB_Vector p = NULL, q = NULL, w = NULL;
  double rr, pq, start;
  GrB_Info info;
  TRY(GrB_assign(x, NULL, NULL, 0.0, GrB_ALL, n, NULL));
  TRY(GrB_Vector_dup(&p, r));
  TRY(GrB_Vector_new(&q, GrB_FP64, n));
  TRY(GrB_Vector_new(&w, GrB_FP64, n));
  TRY(dot(&rr, w, r, r));
  for (start = rr, *steps = 0; rr > 1e-20 * start && *steps < 1000; ++*steps) {
    TRY(GrB_mxv(q, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, p, NULL)); /* q = A p */
    TRY(dot(&pq, w, p, q));
    const double step = rr / pq, before = rr;
    TRY(GrB_apply(x, NULL, GrB_PLUS_FP64, GrB_TIMES_FP64, step, p, NULL));  /* x += step p */
    TRY(GrB_apply(r, NULL, GrB_PLUS_FP64, GrB_TIMES_FP64, -step, q, NULL)); /* r -= step q */
    TRY(dot(&rr, w, r, r));
    TRY(GrB_apply(p, NULL, NULL, GrB_TIMES_FP64, rr / before, p, NULL)); /* p = r + (rr / before) p */
    TRY(GrB_eWiseAdd(p, NULL, NULL, GrB_PLUS_FP64, p, r, NULL));
  }
out:
  GrB_free(&p), GrB_free(&q), GrB_free(&w);
  return info;
}

/* Local rows in, local result out: every rank of the library's communicator calls this. */
static GrB_Info solve(System *s, int *steps) {
  GrB_Matrix A = NULL;
  GrB_Vector x = NULL, r = NULL;
  GrB_Index count = s->count, entries = s->indptr[s->count];
  GrB_Info info;
  TRY(Grid_Matrix_importLocal(&A, GrB_FP64, s->n, s->n, s->indptr, s->indices, s->values, s->count + 1,
                              entries, entries, GrB_CSR_FORMAT));
  TRY(GrB_Vector_new(&x, GrB_FP64, s->n));
  TRY(GrB_Vector_new(&r, GrB_FP64, s->n));
  TRY(Grid_Vector_build(r, s->rows, s->b, GrB_FP64, s->count, NULL));
  TRY(conjugate_gradients(x, r, A, s->n, steps));
  TRY(GrB_wait(x, GrB_COMPLETE));
  TRY(Grid_Vector_extractLocal(NULL, s->x, &count,
                               x)); /* x has an entry in every row, so count is s->count */
out:
  GrB_free(&A), GrB_free(&x), GrB_free(&r);
  return info;
}

int main(int argc, char **argv) {
  const GrB_Index side = 40;
  System s = {.n = side * side};
  int rank, size, steps = 0;
  double middle = 0;
  GrB_Info info = GrB_SUCCESS;
  MPI_Comm half;

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);

  if (rank % 2 == 0) { /* ranks 0, 2, ...: the library's processes */
    TRY(Grid_init(GrB_NONBLOCKING, &half, 0, 0));
    TRY(Grid_local_range(s.n, &s.first, &s.count));
    TRY(Grid_agree(system_new(&s, side), "no memory for the system")); /* all ranks stop, or none */
    TRY(solve(&s, &steps));
    printf("rank %d of %d has rows %d to %d\n", rank, size, (int)s.first, (int)(s.first + s.count) - 1);
    const GrB_Index i = s.n / 2 + side / 2;
    if (i >= s.first && i < s.first + s.count) middle = s.x[i - s.first];
  } /* the other ranks: any other work */

out:
  if (info != GrB_SUCCESS) fprintf(stderr, "%s: %s\n", Grid_info_name(info), Grid_last_error());
  if (rank % 2 == 0) GrB_finalize();
  MPI_Allreduce(MPI_IN_PLACE, &middle, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0) printf("%d steps; x in the middle is %.6f\n", steps, middle);
  system_free(&s);
  MPI_Comm_free(&half);
  MPI_Finalize();
  return info != GrB_SUCCESS;
}
