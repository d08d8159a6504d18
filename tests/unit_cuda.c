/* The CPU against the CUDA backend: the same programs on both, compared entry by entry (two_backends.h
 * describes how, and the environment variables). Products, vector operations, elements, matrices, searches,
 * user-written loops, algorithms, memory exhaustion. Runs on any number of processes, on the grid of
 * GRIDBLAS_GRID or the default grid; processes share a GPU when there are too few. Without a GPU it prints
 * the reason and exits with 77, which ctest shows as skipped.
 *
 *   unit_cuda [blocking] [TEST]    TEST: a name of main's list, in which "*" matches anything; `operators`,
 *                                  which compiles a kernel for each row of the operator table, only runs
 *                                  when named */
#include "tests/cuda/algorithms.h"
#include "tests/cuda/comparison.h"
#include "tests/cuda/delegates.h"
#include "tests/cuda/matrices.h"
#include "tests/cuda/memory_failures.h"
#include "tests/cuda/operator_rows.h"
#include "tests/cuda/products.h"
#include "tests/cuda/searches.h"
#include "tests/cuda/user_loops.h"
#include "tests/cuda/vector_elements.h"
#include "tests/cuda/vector_operations.h"

static int start(void **state) {
  make_user();
  make_kinds();
  make_suits();
  return 0;
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(compare_detects_changes),
                                     cmocka_unit_test(products),
                                     cmocka_unit_test(operations),
                                     cmocka_unit_test(elements),
                                     cmocka_unit_test(matrices),
                                     cmocka_unit_test(searches),
                                     cmocka_unit_test(delegates),
#ifdef GRID_TEST_RMAT
                                     cmocka_unit_test(generated),
#endif
                                     cmocka_unit_test(loops),
                                     cmocka_unit_test(algorithms),
                                     cmocka_unit_test(run_on_both_sides),
                                     cmocka_unit_test(memory),
                                     cmocka_unit_test(too_large),
                                     cmocka_unit_test(operators)};
  GrB_Mode mode = GrB_NONBLOCKING;
  const char *only = NULL;
  for (int k = 1; k < argc; k++)
    if (strcmp(argv[k], "blocking") == 0)
      mode = GrB_BLOCKING;
    else
      only = argv[k];
  read_settings();
  if (!only && replay_round < 0) cmocka_set_skip_filter("operators");
  RUN_SIDES(tests, start, mode, only);
}
