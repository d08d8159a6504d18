/* See test_device.h. */
#pragma GCC diagnostic ignored "-Wunused-function"
#include "tests/test_device.h"

#include "semiring/support/tuning.h"
#include "tests/fake_full.h"
#include "tests/gpu_present.h"

bool test_device_is_named(void) {
  return is_set("GRID_TEST_GPU") || is_set("GRID_TEST_DEVICE");
}

bool test_device_is_missing(void) {
  if (!is_set("GRID_TEST_GPU")) grid_tune.nccl = false; /* it would select a GPU */
  return is_set("GRID_TEST_GPU") && !have_gpu();
}

GrB_Info test_device_on(void) {
  static grid_backend simulated;
  if (is_set("GRID_TEST_GPU")) return Grid_device_set(Grid_CUDA);
  if (!test_device_is_named()) return GrB_SUCCESS;
  refusal_period = 1 << 30; /* products do not fail */
  simulated = full_device();
  grid_backend_register(&grid_backend_cpu, &simulated);
  return Grid_device_set(Grid_CUDA);
}
