/* A program that starts MPI itself and passes a communicator of half of its processes to the library, as in
 * docs/tutorials/c_mpi.md. Four processes; exit status 0: success. */
#include <mpi.h>
#include <stdio.h>

#include "gridblas.h"

static int run(MPI_Comm comm, int expected) {
  GrB_Vector v = NULL;
  int64_t sum = 0;
  if (Grid_init(GrB_NONBLOCKING, &comm, 0, 0) != GrB_SUCCESS || Grid_size() != expected) return 1;
  if (GrB_Vector_new(&v, GrB_INT64, 1000) != GrB_SUCCESS) return 2;
  if (GrB_Vector_assign_INT64(v, NULL, NULL, 3, GrB_ALL, 1000, NULL) != GrB_SUCCESS) return 3;
  if (GrB_Vector_reduce_INT64(&sum, NULL, GrB_PLUS_MONOID_INT64, v, NULL) != GrB_SUCCESS) return 4;
  if (GrB_Vector_free(&v) != GrB_SUCCESS || GrB_finalize() != GrB_SUCCESS) return 5;
  return sum == 3000 ? 0 : 6;
}

int main(int argc, char **argv) {
  int rank, size, failed, ended = 0;
  MPI_Comm half;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  failed = run(half, size / 2);
  if (!failed) failed = run(MPI_COMM_WORLD, size); /* once more, on all of them */
  MPI_Finalized(&ended);                           /* finalizing MPI is left to the program */
  if (failed || ended) fprintf(stderr, "process %d: step %d failed\n", rank, failed);
  MPI_Comm_free(&half);
  MPI_Finalize();
  return failed || ended;
}
