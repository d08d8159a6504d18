/* An out-of-core matrix while a device is turned on (one simulated in host memory: fake_full.h): the results
 * are the same as without. */
#pragma GCC diagnostic ignored "-Wunused-function"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "dist/matrix/matrix.h"
#include "dist/vector/vector.h"
#include "semiring/support/tuning.h"
#include "tests/fake_full.h"
#include "gridblas.h"
#include "tests/assert_all.h"

enum { N = 500, ENTRIES = 6000 };
static char file[64];

static GrB_Matrix open_matrix(void) {
  GrB_Matrix A;
  bool paged;
  OK(Grid_device_set(Grid_CPU));
  OK(Grid_memory_limit(1));
  OK(Grid_Matrix_open(&A, file));
  Grid_Matrix_bytes_read(&paged, A);
  assert_on_all(paged);
  return A;
}

static void write_file(void) {
  Grid_Edges e = {.nrows = N, .ncols = N, .pattern = true, .symmetric = true};
  e.rows = malloc(ENTRIES * sizeof *e.rows), e.cols = malloc(ENTRIES * sizeof *e.cols);
  for (uint64_t k = (uint64_t)Grid_rank(); k < ENTRIES; k += (uint64_t)Grid_size()) {
    const uint64_t r = k * 7919 % N, c = k * k % 313 % N;
    e.rows[e.n] = r > c ? r : c, e.cols[e.n++] = r > c ? c : r;
  }
  OK(Grid_write(&e, file, "pages"));
  free(e.rows), free(e.cols);
}

/* Sums of the degrees, and of their squares. */
static void sums_of(double sums[2], GrB_Matrix A, bool by_column) {
  GrB_Vector w;
  OK(GrB_Vector_new(&w, GrB_FP64, N));
  OK(Grid_Matrix_degree(w, A, by_column));
  OK(GrB_Vector_reduce_FP64(&sums[0], NULL, GrB_PLUS_MONOID_FP64, w, NULL));
  OK(GrB_Vector_eWiseMult_BinaryOp(w, NULL, NULL, GrB_TIMES_FP64, w, w, NULL));
  OK(GrB_Vector_reduce_FP64(&sums[1], NULL, GrB_PLUS_MONOID_FP64, w, NULL));
  GrB_Vector_free(&w);
}

static void degrees(void **state) {
  (void)state;
  double should[2], is[2];
  write_file();
  GrB_Matrix A = open_matrix();
  sums_of(should, A, false);
  OK(Grid_device_set(Grid_CUDA));
  for (int k = 0; k < 6; k++) {
    sums_of(is, A, k % 2);
    assert_on_all(is[0] == should[0] && is[1] == should[1]);
  }
  OK(Grid_device_set(Grid_CPU));
  sums_of(is, A, false);
  assert_on_all(is[0] == should[0] && is[1] == should[1]);
  GrB_Matrix_free(&A);
  OK(Grid_agree(GrB_SUCCESS, NULL));
  if (Grid_rank() == 0) assert_int_equal(unlink(file), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(degrees)};
  grid_tune.nccl = false;
  if (GrB_init(GrB_NONBLOCKING) != GrB_SUCCESS) return 1;
  uint64_t number = (uint64_t)getpid();
  if (Grid_bcast(&number, sizeof number, 0) != GrB_SUCCESS) return 1;
  snprintf(file, sizeof file, "/tmp/unit_device_outofcore.%d.pages", (int)number);
  const grid_backend device = full_device();
  refusal_period = 1 << 30;
  grid_backend_register(&grid_backend_cpu, &device);
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  return GrB_finalize() == GrB_SUCCESS && !failed && !grid_mem_live() && !grid_device_live() ? 0 : 1;
}
