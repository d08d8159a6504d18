/* A matrix from a file, a product with a mask, and the result in a file: C<A> = A plus.times A. The formats
 * are those of docs/formats.md, by the names' endings: .mtx is Matrix Market, .grb binary. Under mpirun each
 * process reads and writes a share. Usage: files IN OUT */
#include <stdio.h>
#include <stdlib.h>
#include <GraphBLAS.h>
#include <gridblas.h>

#define TRY(call)                                 \
  do {                                            \
    if ((info = (call)) != GrB_SUCCESS) goto out; \
  } while (0)

/* *A = the matrix in a file. A symmetric one has one triangle there, so Grid_MIRROR adds the other; of
 * duplicates the first counts. */
static GrB_Info read_matrix(GrB_Matrix *A, const char *path) {
  Grid_Edges e = {0};
  GrB_Info info;
  TRY(Grid_read(&e, path));
  TRY(GrB_Matrix_new(A, e.pattern ? GrB_BOOL : GrB_FP64, e.nrows, e.ncols));
  TRY(Grid_Matrix_build(*A, e.rows, e.cols, e.values, GrB_FP64, e.n, GrB_FIRST_FP64,
                        e.symmetric ? Grid_MIRROR : 0));
out:
  Grid_Edges_free(&e);
  return info;
}

/* Writes A, an FP64 matrix: each process the entries that it stores. */
static GrB_Info write_matrix(GrB_Matrix A, const char *path) {
  Grid_Edges e = {0};
  GrB_Info info;
  TRY(GrB_Matrix_nrows(&e.nrows, A));
  TRY(GrB_Matrix_ncols(&e.ncols, A));
  TRY(GrB_Matrix_nvals(&e.total, A));
  TRY(Grid_Matrix_extractLocal(NULL, NULL, NULL, &e.n, A)); /* counts */
  e.rows = malloc((e.n + 1) * sizeof *e.rows);
  e.cols = malloc((e.n + 1) * sizeof *e.cols);
  e.values = malloc((e.n + 1) * sizeof *e.values);
  const int allocated = e.rows && e.cols && e.values;
  TRY(Grid_agree(allocated ? GrB_SUCCESS : GrB_OUT_OF_MEMORY, "no memory for the entries")); /* of all */
  TRY(Grid_Matrix_extractLocal(e.rows, e.cols, e.values, &e.n, A));
  TRY(Grid_write(&e, path, NULL));
out:
  free(e.rows), free(e.cols), free(e.values); /* Grid_Edges_free is for those of Grid_read */
  return info;
}

static GrB_Info print_matrix(const char *path, GrB_Matrix A) {
  GrB_Index nrows, ncols, nvals;
  double sum = 0;
  GrB_Info info;
  TRY(GrB_Matrix_nrows(&nrows, A));
  TRY(GrB_Matrix_ncols(&ncols, A));
  TRY(GrB_Matrix_nvals(&nvals, A));
  TRY(GrB_reduce(&sum, NULL, GrB_PLUS_MONOID_FP64, A, NULL));
  if (Grid_rank() == 0)
    printf("%s: %d x %d, %d entries, sum %g\n", path, (int)nrows, (int)ncols, (int)nvals, sum);
out:
  return info;
}

int main(int argc, char **argv) {
  GrB_Matrix A = NULL, C = NULL, B = NULL;
  GrB_Index n;
  GrB_Info info;
  if (argc != 3) return fprintf(stderr, "usage: files IN OUT\n"), 2;
  TRY(GrB_init(GrB_NONBLOCKING));
  TRY(read_matrix(&A, argv[1]));
  TRY(print_matrix(argv[1], A));
  TRY(GrB_Matrix_nrows(&n, A));
  TRY(GrB_Matrix_new(&C, GrB_FP64, n, n));
  TRY(GrB_mxm(C, A, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, A, GrB_DESC_S)); /* entries where A has one */
  TRY(write_matrix(C, argv[2]));
  TRY(read_matrix(&B, argv[2]));
  TRY(print_matrix(argv[2], B));
out:
  if (info != GrB_SUCCESS) fprintf(stderr, "%s: %s\n", Grid_info_name(info), Grid_last_error());
  GrB_free(&A), GrB_free(&C), GrB_free(&B);
  GrB_finalize();
  return info != GrB_SUCCESS;
}
