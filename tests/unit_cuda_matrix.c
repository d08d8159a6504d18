/* The CPU against the CUDA backend in matrix-valued operations. The calls are sequences over a few matrices,
 * which may be outputs, inputs and masks at once, of random shapes, types and operators. Like unit_cuda.c
 * (two_backends.h describes how, and the environment variables).
 *
 *   unit_cuda_matrix [TEST] */
/* not all functions of the headers are used here */
#pragma GCC diagnostic ignored "-Wunused-function"
#include "tests/matrix_calls.h"
#include "semiring/support/mem.h"
#include "spmat/device/device.h"

/* ---- rounds -------------------------------------------------------------------------------------------- */

static void calls(void) {
  const suit *s = &suits[draw(nsuits)];
  const char *form, *values_form;
  size = draw_size();
  if (size > 1000) size = 1000;
  for (int k = 0; k < POOL; k++) {
    set_current_call("m%d", k);
    draw_graph(&drawn, size, size);
    form = drawn.form;
    pool[k] = matrix_of(&drawn, s->t[k], NUMBERS, &values_form);
    how_of[k] = EXACT;
  }
  for (int step = 0; step < 6; step++) {
    call c;
    draw_call(&c, s);
    change_device();
    describe(&c, s, form);
    do_call(&c, s);
    record_settings(&c, s);
    record_copy(c.c, s->t[c.c]);
  }
  for (int k = 0; k < POOL; k++) OK(GrB_Matrix_free(&pool[k]));
}

static void matrix_calls(void **state) {
  run_rounds("matrix_calls", 1200, cpu_only ? 1 : 20, calls);
}

/* No fallback to the CPU where no block is hypersparse and operators have source texts, on one process. */
static void runs_on_device(void) {
  const suit *s = &suits[draw(nsuits - 2)];
  int64_t before = 0;
  call c;
  size = 200 + draw(200);
  for (int k = 0; k < POOL; k++) {
    static GrB_Index row[4096], col[4096];
    static int32_t val[4096];
    GrB_Index n = 0;
    set_current_call("m%d", k);
    for (GrB_Index i = 0; i < size; i++)
      for (int e = 0; e < 8; e++) row[n] = i, col[n] = draw(size), val[n++] = (int32_t)draw(5);
    OK(GrB_Matrix_new(&pool[k], s->t[k], size, size));
    OK(GrB_Matrix_build_INT32(pool[k], row, col, val, n, GrB_SECOND_INT32));
    OK(GrB_Matrix_wait(pool[k], GrB_MATERIALIZE));
    how_of[k] = EXACT;
  }
  for (int step = 0; step < 3; step++) {
    do draw_call(&c, s);
    while (c.op == SET || c.op == DIAGONAL || c.op == EXTRACT ||
           (c.op == PRODUCT && s->semiring[c.choice] == user[0].odd_semiring));
    describe(&c, s, "even");
    before = count_fallbacks();
    do_call(&c, s);
    record_settings(&c, s);
    if (Grid_size() == 1 && !wandering)
      record_number("done by the CPU", cpu_only || side == 0 ? 0 : count_fallbacks() - before);
    record_copy(c.c, s->t[c.c]);
  }
  for (int k = 0; k < POOL; k++) OK(GrB_Matrix_free(&pool[k]));
}

static void run_on_both_sides(void **state) {
  run_rounds("run_on_both_sides", 200, cpu_only ? 1 : 6, runs_on_device);
}

/* ---- all ----------------------------------------------------------------------------------------------- */

/* The result has too many rows and columns for a device to list them. */
static void long_factors(void) {
  static const GrB_Index row[] = {0, 77, 524287}, col[] = {524287, 3, 1};
  static const int32_t val[] = {2, 3, 5};
  const GrB_Index n = 524288;
  GrB_Matrix A, C;
  set_current_call("kronecker");
  OK(GrB_Matrix_new(&A, GrB_INT32, n, n));
  OK(GrB_Matrix_build_INT32(A, row, col, val, 3, NULL));
  OK(GrB_Matrix_new(&C, GrB_INT32, n * n, n * n));
  OK(GrB_Matrix_kronecker_BinaryOp(C, NULL, NULL, GrB_TIMES_INT32, A, A,
                                   draw_one_in(2) ? GrB_DESC_T0 : NULL));
  record_matrix("C", EXACT, C, GrB_INT32);
  OK(GrB_Matrix_free(&A));
  OK(GrB_Matrix_free(&C));
}

static void long_kronecker(void **state) {
  run_rounds("long_kronecker", 4, 6, long_factors);
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(matrix_calls), cmocka_unit_test(run_on_both_sides),
                                     cmocka_unit_test(long_kronecker)};
  read_settings();
  RUN_SIDES(tests, start, GrB_NONBLOCKING, argc > 1 ? argv[1] : NULL);
}
