/* Assertions that all processes make together. */
#ifndef GRID_ASSERT_ALL_H
#define GRID_ASSERT_ALL_H
#include <cmocka.h>

#include "gridblas.h"

/* One process alone must not fail: the others would wait for it. */
static inline void assert_on_all(bool fine) {
  uint64_t bad = !fine;
  assert_int_equal(Grid_sum(&bad, 1), GrB_SUCCESS);
  assert_int_equal(bad, 0);
}
#endif
