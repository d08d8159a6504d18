/* Iterators (GxB_Iterator): the entries that a process owns, and a position among them. */
#ifndef GRID_ITERATOR_H
#define GRID_ITERATOR_H
#include "dist/extensions/pack/packed_arrays.h"
#include "spmat/local_product.h"

/* Of a matrix: m has the owned rows (of a column iterator: the owned columns) as rows. A vector is one row
 * whose indices are idx. */
struct GB_Iterator_opaque {
  grid_local_matrix m; /* m.type NULL: not attached to a matrix */
  grid_index_map vectors, indices;
  grid_packed_range range;
  uint64_t dim;    /* rows (columns) of the whole matrix */
  uint64_t listed; /* rows that the iterator lists */
  uint64_t k;      /* the row, among those listed; `listed`: exhausted */
  uint64_t end;    /* where the row's entries end */
  /* both kinds */
  GrB_Type type;
  uint64_t e, nvals; /* the entry, 0 .. nvals */
  uint64_t *idx;
  char *val;
};
#endif
