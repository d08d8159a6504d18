/* Matrix entries in tests, as tuples ordered by position. */
#ifndef GRID_TEST_TUPLES_H
#define GRID_TEST_TUPLES_H
#include <stdint.h>

typedef struct {
  uint64_t row, col;
  double value;
} tuple;

/* For qsort and bsearch. */
static inline int tuple_order(const void *a, const void *b) {
  const tuple *x = a, *y = b;
  if (x->row != y->row) return x->row < y->row ? -1 : 1;
  return x->col < y->col ? -1 : x->col > y->col;
}
#endif
