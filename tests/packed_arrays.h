/* The arrays of a packed matrix or vector, as a program has them. A vector has no p and h. */
#ifndef GRID_TEST_PACKED_ARRAYS_H
#define GRID_TEST_PACKED_ARRAYS_H
#include "tests/entry_model.h"

typedef struct {
  GrB_Index *p, *h, *i;
  int8_t *b;
  void *x;
  GrB_Index p_size, h_size, i_size, b_size, x_size, nvec, nvals;
  bool iso, jumbled;
} arrays;

static inline void arrays_free(arrays *a) {
  free(a->p), free(a->h), free(a->i), free(a->b), free(a->x);
  *a = (arrays){0};
}

static inline bool are_pointers_equal(const arrays *a, const arrays *b) {
  return a->p == b->p && a->h == b->h && a->i == b->i && a->b == b->b && a->x == b->x;
}

/* A copy that the library may free. */
static inline void *copy_of(const void *from, size_t bytes) {
  void *to = malloc(bytes ? bytes : 1);
  if (bytes) memcpy(to, from, bytes);
  return to;
}

static inline arrays arrays_copy(const arrays *a) {
  arrays c = *a;
  c.p = a->p ? copy_of(a->p, a->p_size) : NULL;
  c.h = a->h ? copy_of(a->h, a->h_size) : NULL;
  c.i = a->i ? copy_of(a->i, a->i_size) : NULL;
  c.b = a->b ? copy_of(a->b, a->b_size) : NULL;
  c.x = a->x ? copy_of(a->x, a->x_size) : NULL;
  return c;
}
#endif
