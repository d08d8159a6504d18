/* A matrix of PETSc in gridblas: each process converts the rows that it owns, and Grid_Matrix_build sends the
 * entries to their blocks. The product of both with the same vector is compared. PETSc initialises MPI;
 * gridblas uses it. mpicc petsc.c $(pkg-config --cflags --libs PETSc gridblas) -o petsc && mpirun -n 4
 * ./petsc */
#include <math.h>
#include <petscmat.h>
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

/* *A becomes the matrix P of any format that PETSc gives rows of. PetscInt may have 32 bits, GrB_Index
 * has 64. Collective. */
static GrB_Info from_petsc(GrB_Matrix *A, Mat P) {
  PetscInt rows, cols, begin, end;
  MatInfo stored;
  if (MatGetSize(P, &rows, &cols) || MatGetOwnershipRange(P, &begin, &end) ||
      MatGetInfo(P, MAT_LOCAL, &stored))
    return GrB_PANIC;
  const size_t capacity = (size_t)stored.nz_used + 1;
  GrB_Index *row = malloc(capacity * sizeof *row), *col = malloc(capacity * sizeof *col), n = 0;
  double *x = malloc(capacity * sizeof *x);
  GrB_Info info = row && col && x ? GrB_SUCCESS : GrB_OUT_OF_MEMORY;
  for (PetscInt r = begin; info == GrB_SUCCESS && r < end; r++) {
    PetscInt count;
    const PetscInt *indices;
    const PetscScalar *values;
    if (MatGetRow(P, r, &count, &indices, &values)) {
      info = GrB_PANIC;
      break;
    }
    for (PetscInt k = 0; k < count; k++)
      row[n] = (GrB_Index)r, col[n] = (GrB_Index)indices[k], x[n++] = PetscRealPart(values[k]);
    MatRestoreRow(P, r, &count, &indices, &values);
  }
  info = Grid_agree(info, "rows of a PETSc matrix"); /* all processes stop together */
  if (info == GrB_SUCCESS) info = GrB_Matrix_new(A, GrB_FP64, (GrB_Index)rows, (GrB_Index)cols);
  if (info == GrB_SUCCESS) info = Grid_Matrix_build(*A, row, col, x, GrB_FP64, n, NULL, 0);
  free(row), free(col), free(x);
  return info;
}

/* A matrix of five diagonals, not symmetric, in the format MPIAIJ (SEQAIJ on one process). */
static PetscErrorCode example(Mat *P, PetscInt n) {
  PetscInt begin, end;
  const PetscInt step[] = {-30, -1, 0, 1, 30};
  PetscCall(MatCreateAIJ(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, n, n, 5, NULL, 5, NULL, P));
  PetscCall(MatGetOwnershipRange(*P, &begin, &end));
  for (PetscInt r = begin; r < end; r++)
    for (int k = 0; k < 5; k++)
      if (r + step[k] >= 0 && r + step[k] < n)
        PetscCall(MatSetValue(*P, r, r + step[k], (PetscScalar)(r % 7 + k + 1), INSERT_VALUES));
  PetscCall(MatAssemblyBegin(*P, MAT_FINAL_ASSEMBLY));
  return MatAssemblyEnd(*P, MAT_FINAL_ASSEMBLY);
}

int main(int argc, char **argv) {
  const PetscInt n = 1000;
  Mat P;
  Vec x, y;
  PetscReal norm;
  PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
  MPI_Comm comm = PETSC_COMM_WORLD;
  PetscCall(example(&P, n));
  PetscCall(MatCreateVecs(P, &x, &y));
  PetscCall(VecSet(x, 1));
  PetscCall(MatMult(P, x, y));
  PetscCall(VecNorm(y, NORM_2, &norm));

  GrB_Matrix A;
  GrB_Vector u, w;
  double squares;
  TRY(Grid_init(GrB_NONBLOCKING, &comm, 0, 0));
  TRY(from_petsc(&A, P));
  TRY(GrB_Vector_new(&u, GrB_FP64, (GrB_Index)n));
  TRY(GrB_Vector_new(&w, GrB_FP64, (GrB_Index)n));
  TRY(GrB_assign(u, NULL, NULL, 1.0, GrB_ALL, (GrB_Index)n, NULL));
  TRY(GrB_mxv(w, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, u, NULL));
  TRY(GrB_eWiseMult(w, NULL, NULL, GrB_TIMES_FP64, w, w, NULL));
  TRY(GrB_reduce(&squares, NULL, GrB_PLUS_MONOID_FP64, w, NULL));
  const int same = fabs(sqrt(squares) - norm) <= 1e-12 * norm;
  if (Grid_rank() == 0)
    printf("norm of A x: PETSc %.9g, gridblas %.9g: %s\n", norm, sqrt(squares),
           same ? "the same" : "different");

  GrB_free(&A);
  GrB_free(&u), GrB_free(&w);
  TRY(GrB_finalize());
  PetscCall(MatDestroy(&P));
  PetscCall(VecDestroy(&x));
  PetscCall(VecDestroy(&y));
  PetscCall(PetscFinalize());
  return !same;
}
