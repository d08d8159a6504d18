/* The estimate of device memory (bench/command/device_memory_needs.c) against measured bytes of a matrix
 * (docs/measurements/several-gpus.md), and where GPUs store one orientation of it or two. */
#include "tests/unit.h"
#include "bench/command/device_memory_needs.h"

/* Bytes an entry, over all processes. */
static double matrix_bytes(int scale, int processes) {
  const need n = need_of(scale, 16, processes);
  return (double)n.matrix * processes / (double)n.entries;
}

/* Within the allowance for the fullest process. */
static void assert_bytes(double bytes, double measured) {
  assert_true(bytes > measured * 0.99 && bytes < measured * 1.07);
}

static void one_orientation(void **state) {
  assert_bytes(matrix_bytes(26, 1), 4.39);
  assert_bytes(matrix_bytes(24, 2), 4.39); /* 2x1 with windows */
  assert_bytes(matrix_bytes(26, 2), 4.39);
  assert_true(matrix_bytes(26, 16) < 4.7);
}

/* Both orientations: more GPUs than map each other's memory, or more vertices than their search takes. */
static void two_orientations(void **state) {
  assert_true(matrix_bytes(26, 17) > 8.4);
  assert_true(matrix_bytes(30, 16) < 5 && matrix_bytes(31, 16) > 8.4);
}

/* A second GPU nearly halves what each needs. */
static void two_gpus_hold_more(void **state) {
  const uint64_t h100 = UINT64_C(78) << 30;
  for (int scale = 24; scale <= 27; scale++) {
    const need one = need_of(scale, 16, 1), two = need_of(scale, 16, 2);
    assert_true(two.matrix < one.matrix * 0.54 && two.search < one.search * 0.65);
    assert_true(two.matrix < two.search && two.entries == one.entries);
  }
  const int largest = need_largest(16, 2, h100);
  assert_true(largest > 0 && largest >= need_largest(16, 1, h100) - 1);
  const need fits = need_of(largest, 16, 2);
  assert_true(need_fits(&fits, h100) && !need_fits(&fits, fits.search - 1));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(one_orientation), cmocka_unit_test(two_orientations),
                                     cmocka_unit_test(two_gpus_hold_more)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
