/* Calls that must fail. */
#ifndef GRID_TEST_REFUSED_H
#define GRID_TEST_REFUSED_H
#include <string.h>

#include "tests/unit.h"
#include "gridblas.h"

/* The call returned `want`, and its message has the text. */
static inline void refused(GrB_Info info, GrB_Info want, const char *text) {
  assert_int_equal(info, want);
  assert_non_null(strstr(Grid_last_error(), text));
}
#endif
