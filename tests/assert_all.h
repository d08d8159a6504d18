/* Collective assertions: all processes evaluate them together. */
#ifndef GRID_ASSERT_ALL_H
#define GRID_ASSERT_ALL_H
#include "tests/unit.h"
#include "gridblas.h"

/* A process must not fail alone, because the others would wait for it. */
static inline void assert_on_all_at(bool fine, const char *file, int line) {
  uint64_t bad = !fine;
  _assert_int_equal((uint64_t)Grid_sum(&bad, 1), GrB_SUCCESS, file, line);
  _assert_int_equal(bad, 0, file, line);
}
#define assert_on_all(fine) assert_on_all_at(fine, __FILE__, __LINE__)
#endif
