/* Runs a group of tests on every grid shape R x C that the processes can form. For programs that run on any
 * number of processes. */
#ifndef GRID_GRID_SHAPES_H
#define GRID_GRID_SHAPES_H
#include "dist/comm/transport/shm/shm_mailbox.h"
#include "gridblas.h"
#include "spmat/sort/offsets.h"
#include "spmat/matrix/degree_ordered.h"
#include "spmat/local_product.h"
#include "tests/start_mpi.h"
#include "tests/unit.h"

static int shape_R, shape_C; /* 0, 0: no launcher; one process without MPI */

/* A group's setup and teardown. */
static inline int start_on_shape(void **state) {
  return Grid_init(GrB_NONBLOCKING, NULL, shape_R, shape_C) != GrB_SUCCESS;
}
static inline int stop_on_shape(void **state) {
  return GrB_finalize() != GrB_SUCCESS;
}

/* group(): cmocka_run_group_tests with that setup and teardown. */
static inline int run_on_shapes(int (*group)(void)) {
  int P, failed = 0;
  if (!start_mpi()) return group();
  grid_mpi_calls->Comm_size(GRID_COMM_WORLD, &P);
  for (shape_R = 1; shape_R <= P && !failed; shape_R++) {
    shape_C = P / shape_R;
    if (shape_R * shape_C == P) failed = group();
  }
  stop_mpi();
  return failed;
}

/* The main function of a program that is one such group. */
#define MAIN_ON_SHAPES(start, stop, ...)               \
  static int group(void) {                             \
    const struct CMUnitTest tests[] = {__VA_ARGS__};   \
    return cmocka_run_group_tests(tests, start, stop); \
  }                                                    \
  int main(void) {                                     \
    return run_on_shapes(group);                       \
  }
#endif
