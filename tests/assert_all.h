/* Collective assertions: all processes evaluate them together. */
#ifndef GRID_ASSERT_ALL_H
#define GRID_ASSERT_ALL_H
#include <cmocka.h>

#include "gridblas.h"

/* A process must not fail alone, because the others would wait for it. */
static inline void assert_on_all(bool fine) {
  uint64_t bad = !fine;
  assert_int_equal(Grid_sum(&bad, 1), GrB_SUCCESS);
  assert_int_equal(bad, 0);
}
#endif
