/* Linked to every unit test: with the device on small calls run there, too, since the tests' objects are
 * small, and wait for their kernels. GRIDBLAS_TUNE and the tests themselves may set other thresholds. */
#include "semiring/support/tuning.h"

__attribute__((constructor)) static void put_all_on_device(void) {
  grid_tune.device_vector_min = grid_tune.device_matrix_min = grid_tune.compile_wait_bytes = 0;
}
