/* Triangles of a graph: C<L> = L plus-and L', where L is the lower triangle of the adjacency matrix; the sum
 * of C counts each triangle once. Under mpirun the same program runs on many processes. Usage: triangles
 * [FILE]   a Matrix Market file or an edge list */
#include <inttypes.h>
#include <stdio.h>
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

/* The six edges of a complete graph of four vertices, which has four triangles, and one more. */
static GrB_Info small_graph(GrB_Matrix *A) {
  GrB_Index row[] = {0, 0, 0, 1, 1, 2, 3}, col[] = {1, 2, 3, 2, 3, 3, 4};
  GrB_Info info = GrB_Matrix_new(A, GrB_INT64, 5, 5);
  for (int k = 0; k < 7 && info == GrB_SUCCESS; k++) {
    info = GrB_Matrix_setElement(*A, 1, row[k], col[k]);
    if (info == GrB_SUCCESS) info = GrB_Matrix_setElement(*A, 1, col[k], row[k]);
  }
  return info;
}

/* Each process reads a part of the file. All entries are 1, in both directions. */
static GrB_Info read_graph(GrB_Matrix *A, const char *path) {
  const Grid_Read_Options how = {.type = GrB_INT64, .undirected = true, .no_loops = true, .pattern = true};
  return Grid_Matrix_read(A, NULL, path, &how);
}

int main(int argc, char **argv) {
  GrB_Matrix A, L, C;
  GrB_Semiring plus_one;
  GrB_Index n;
  int64_t triangles = 0;

  TRY(GrB_init(GrB_NONBLOCKING));
  TRY(argc > 1 ? read_graph(&A, argv[1]) : small_graph(&A));
  TRY(GrB_Matrix_nrows(&n, A));
  TRY(GrB_Matrix_new(&L, GrB_INT64, n, n));
  TRY(GrB_Matrix_new(&C, GrB_INT64, n, n));
  TRY(GrB_Semiring_new(&plus_one, GrB_PLUS_MONOID_INT64, GrB_ONEB_INT64));

  TRY(GrB_select(L, NULL, NULL, GrB_TRIL, A, (int64_t)-1, NULL));
  TRY(GrB_mxm(C, L, NULL, plus_one, L, L, GrB_DESC_ST1));
  TRY(GrB_reduce(&triangles, NULL, GrB_PLUS_MONOID_INT64, C, NULL));
  if (Grid_rank() == 0) printf("%" PRId64 " triangles\n", triangles);

  GrB_free(&plus_one);
  GrB_free(&A), GrB_free(&L), GrB_free(&C);
  TRY(GrB_finalize());
  return 0;
}
