/* A buffer of unsorted tuples that are visited more than once before sorting: in memory or, beyond the
 * limit, in an unlinked file. A tuple is a key, row << 32 | column, or a pair of row and column, and perhaps
 * a value. All functions are local. */
#ifndef GRID_UNSORTED_TUPLES_H
#define GRID_UNSORTED_TUPLES_H
#include "semiring/support/error.h"

typedef struct {
  const char *path; /* the file is created beside it */
  bool valued;
  bool pairs;    /* of each tuple `key` has the row, then the column */
  uint64_t *key; /* the last tuples, at most most_in_memory */
  double *val;
  uint64_t n, capacity, most_in_memory;
  int fd;            /* -1: none yet */
  uint64_t segments; /* segments in the file, each of most_in_memory tuples' keys, then as many values */
  uint64_t written;  /* bytes written and read */
} grid_tuple_buffer;

/* Tuples take at most `bytes` bytes of memory. */
void grid_tuple_buffer_begin(grid_tuple_buffer *u, const char *path, bool valued, bool pairs, uint64_t bytes);
/* Makes space for at least one tuple. */
GrB_Info grid_tuple_buffer_reserve(grid_tuple_buffer *u);
static inline void grid_tuple_buffer_append(grid_tuple_buffer *u, uint64_t row, uint64_t col, double value) {
  if (u->pairs)
    u->key[2 * u->n] = row, u->key[2 * u->n + 1] = col;
  else
    u->key[u->n] = row << 32 | col;
  if (u->val) u->val[u->n] = value;
  u->n++;
}
/* Visits all tuples in batches, any number of times; val is NULL without values. Stops at the first error. */
typedef GrB_Info grid_tuple_visitor(void *context, const uint64_t *key, const double *val, uint64_t n);
GrB_Info grid_tuple_buffer_visit(grid_tuple_buffer *u, grid_tuple_visitor *visit, void *context);
void grid_tuple_buffer_free(grid_tuple_buffer *u);
#endif
