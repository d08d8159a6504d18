/* The ranges that GxB_RANGE, GxB_STRIDE and GxB_BACKWARDS give in place of an index list. */
#ifndef GRID_INDEX_RANGE_H
#define GRID_INDEX_RANGE_H
#include "dist/vector/vector.h"
#include "gridblas_gxb_operations.h"

/* n indices: first, first + step, ... (backwards: first - step, ...). */
typedef struct {
  uint64_t first, step, n;
  bool backwards;
} grid_index_range;

/* Is `ni` no number of indices, but one of the three? */
static inline bool grid_is_index_range(const GrB_Index *I, GrB_Index ni) {
  return __builtin_expect(ni >= GxB_BACKWARDS && ni <= GxB_RANGE, 0) && I != GrB_ALL;
}
/* Reads a range of indices below `size`; what: the argument's name. Local, the same outcome everywhere. */
GrB_Info grid_index_range_read(grid_index_range *r, const GrB_Index *I, GrB_Index ni, uint64_t size,
                               grid_head *out, const char *call, const char *what);

/* What a call was given, with a range as a list, or GrB_ALL where it is all of them in order. */
typedef struct {
  const GrB_Index *I;
  GrB_Index n;
  GrB_Index *memory; /* of a range */
} grid_index_list;
/* To be closed, also after an error. Collective where it is a range, and agreed on; else it does nothing. */
GrB_Info grid_index_list_open(grid_index_list *l, const GrB_Index *I, GrB_Index ni, uint64_t size,
                              grid_head *out, const char *call);
static inline void grid_index_list_close(grid_index_list *l) {
  grid_free(l->memory);
}
/* The indices of a range; NULL: no memory. */
GrB_Index *grid_index_range_expand(const grid_index_range *r);
#endif
