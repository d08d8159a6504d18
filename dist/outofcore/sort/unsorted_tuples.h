/* Tuples as they come, which have to be gone through more than once before they can be sorted: in memory, or,
 * once they are more than it has room for, in a file without a name. A tuple is a key, row << 32 | column,
 * and perhaps a value. All of it is local. */
#ifndef GRID_UNSORTED_TUPLES_H
#define GRID_UNSORTED_TUPLES_H
#include "semiring/support/error.h"

typedef struct {
  const char *path; /* beside which a file may lie */
  bool valued;
  uint64_t *key; /* those that came last: no more than `most` */
  double *val;
  uint64_t n, capacity, most_in_memory;
  int fd;            /* -1: there is none; */
  uint64_t segments; /* ... `most` keys, and as many values, each */
  uint64_t written;  /* bytes written and read */
} grid_tuple_buffer;

/* `bytes` is what tuples may take in memory. */
void grid_tuple_buffer_begin(grid_tuple_buffer *u, const char *path, bool valued, uint64_t bytes);
/* Makes room for tuples: at least one then fits. */
GrB_Info grid_tuple_buffer_reserve(grid_tuple_buffer *u);
static inline void grid_tuple_buffer_append(grid_tuple_buffer *u, uint64_t row, uint64_t col, double value) {
  u->key[u->n] = row << 32 | col;
  if (u->val) u->val[u->n] = value;
  u->n++;
}
/* Visits all tuples, some at a time, as often as one likes; val is NULL where there are no values. Stops at
 * the first error. */
typedef GrB_Info grid_tuple_visitor(void *context, const uint64_t *key, const double *val, uint64_t n);
GrB_Info grid_tuple_buffer_visit(grid_tuple_buffer *u, grid_tuple_visitor *visit, void *context);
void grid_tuple_buffer_free(grid_tuple_buffer *u);
#endif
