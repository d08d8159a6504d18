/* A matrix from a file, a product with a mask, and the result in a file: C<A> = A plus.times A. The formats
 * are those of docs/formats.md, by the names' endings: .mtx is Matrix Market, .grb binary. Under mpirun each
 * process reads and writes a share. Usage: files IN OUT */
#include <stdio.h>
#include <GraphBLAS.h>
#include <gridblas.h>

#define TRY(call)                                 \
  do {                                            \
    if ((info = (call)) != GrB_SUCCESS) goto out; \
  } while (0)

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
  TRY(Grid_Matrix_read(&A, NULL, argv[1], NULL));
  TRY(print_matrix(argv[1], A));
  TRY(GrB_Matrix_nrows(&n, A));
  TRY(GrB_Matrix_new(&C, GrB_FP64, n, n));
  TRY(GrB_mxm(C, A, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, A, GrB_DESC_S)); /* entries where A has one */
  TRY(Grid_Matrix_write(C, NULL, argv[2], NULL));
  TRY(Grid_Matrix_read(&B, NULL, argv[2], NULL));
  TRY(print_matrix(argv[2], B));
out:
  if (info != GrB_SUCCESS) fprintf(stderr, "%s: %s\n", Grid_info_name(info), Grid_last_error());
  GrB_free(&A), GrB_free(&C), GrB_free(&B);
  GrB_finalize();
  return info != GrB_SUCCESS;
}
