/* Connected components of a generated graph, by gridblas's algorithms: prints their number and the size of
 * the largest. Usage: components [SCALE]; on several processes: mpirun -n 4 components 16 */
#include <stdio.h>
#include <stdlib.h>
#include <gridblas.h>
#include <gridblas_algos.h>

/* Prints an error once; true after an error. */
static int failed(GrB_Info info, const char *what) {
  if (info != GrB_SUCCESS && Grid_rank() == 0)
    fprintf(stderr, "components: %s: %s\n", what, Grid_last_error());
  return info != GrB_SUCCESS;
}

int main(int argc, char **argv) {
  int scale = argc > 1 ? atoi(argv[1]) : 10;
  Grid_Edges edges;
  GrB_Matrix A = NULL;
  GrB_Vector component = NULL, size = NULL;
  GrB_Index vertices, count, largest = 0;

  if (failed(GrB_init(GrB_NONBLOCKING), "start")) return 2;
  if (failed(Grid_rmat(&edges, scale, 4, 1), "generate")) return GrB_finalize(), 2;

  GrB_Matrix_new(&A, GrB_BOOL, edges.nrows, edges.ncols);
  GrB_Info info =
      Grid_Matrix_build(A, edges.rows, edges.cols, NULL, NULL, edges.n, NULL, Grid_MIRROR | Grid_NO_LOOPS);
  vertices = edges.nrows;
  Grid_Edges_free(&edges);
  if (failed(info, "build") || failed(Grid_components(&component, A), "search")) return GrB_finalize(), 2;

  /* size(c) = number of vertices whose component is c: each process counts its local entries. */
  GrB_Index n = 0;
  Grid_Vector_extractLocal(NULL, NULL, &n, component);
  GrB_Index *label = malloc((n + 1) * sizeof *label);
  int64_t *one = malloc((n + 1) * sizeof *one);
  for (GrB_Index k = 0; one && k < n; k++) one[k] = 1;
  if (!label || !one) return 2;
  Grid_Vector_extractLocal(NULL, label, &n, component); /* labels are INT64 and not negative */
  GrB_Vector_new(&size, GrB_INT64, vertices);
  if (failed(Grid_Vector_build(size, label, one, GrB_INT64, n, GrB_PLUS_INT64), "count"))
    return GrB_finalize(), 2;

  GrB_Vector_nvals(&count, size);
  GrB_Vector_reduce_UINT64(&largest, NULL, GrB_MAX_MONOID_UINT64, size, NULL);
  if (Grid_rank() == 0)
    printf("%llu vertices, %llu components, the largest has %llu\n", (unsigned long long)vertices,
           (unsigned long long)count, (unsigned long long)largest);
  free(label);
  free(one);
  GrB_free(&A);
  GrB_free(&component);
  GrB_free(&size);
  return GrB_finalize() == GrB_SUCCESS ? 0 : 1;
}
