/* See iterator.h: the steps of an iterator and what is at its position. All are local. */
#include <string.h>

#include "dist/extensions/iterator.h"

/* ---- row by row, and column by column ---- */

static GrB_Info go_to_listed(GxB_Iterator it, uint64_t k) {
  const grid_compressed *c = &it->m.by_row;
  if (k >= it->listed) {
    it->k = it->listed;
    it->e = it->end = it->nvals;
    return GxB_EXHAUSTED;
  }
  it->k = k;
  if (it->nvals == 0) return GrB_NO_VALUE;
  it->e = grid_vector_start(c, k);
  it->end = grid_vector_start(c, k + 1);
  return it->e < it->end ? GrB_SUCCESS : GrB_NO_VALUE;
}

static GrB_Info go_to_vector(GxB_Iterator it, uint64_t v) {
  const uint64_t first = it->vectors.base, local = v > first ? v - first : 0;
  if (it->listed == 0) return go_to_listed(it, 0);
  return go_to_listed(it, it->m.row.ids ? grid_axis_bound(&it->m.row, local) : local);
}

static GrB_Info next_entry_of_vector(GxB_Iterator it) {
  if (it->e < it->end) it->e++;
  return it->e < it->end ? GrB_SUCCESS : GrB_NO_VALUE;
}

static GrB_Index vector_index(GxB_Iterator it) {
  return it->k < it->listed ? grid_index_map_at(&it->vectors, it->k) : it->dim;
}

static GrB_Index entry_index(GxB_Iterator it) {
  return it->e < it->nvals ? grid_index_map_at(&it->indices, it->m.by_row.idx[it->e]) : 0;
}

#define STEPS(KIND, VECTOR, ENTRY)                                                    \
  GrB_Index GxB_##KIND##Iterator_kount(GxB_Iterator iterator) {                       \
    return iterator->listed;                                                          \
  }                                                                                   \
  GrB_Info GxB_##KIND##Iterator_seek##VECTOR(GxB_Iterator iterator, GrB_Index KIND) { \
    return go_to_vector(iterator, KIND);                                              \
  }                                                                                   \
  GrB_Info GxB_##KIND##Iterator_kseek(GxB_Iterator iterator, GrB_Index k) {           \
    return go_to_listed(iterator, k);                                                 \
  }                                                                                   \
  GrB_Info GxB_##KIND##Iterator_next##VECTOR(GxB_Iterator iterator) {                 \
    return go_to_listed(iterator, iterator->k + 1);                                   \
  }                                                                                   \
  GrB_Info GxB_##KIND##Iterator_next##ENTRY(GxB_Iterator iterator) {                  \
    return next_entry_of_vector(iterator);                                            \
  }                                                                                   \
  GrB_Index GxB_##KIND##Iterator_get##VECTOR##Index(GxB_Iterator iterator) {          \
    return vector_index(iterator);                                                    \
  }                                                                                   \
  GrB_Index GxB_##KIND##Iterator_get##ENTRY##Index(GxB_Iterator iterator) {           \
    return entry_index(iterator);                                                     \
  }
STEPS(row, Row, Col)
STEPS(col, Col, Row)

/* ---- entry by entry ---- */

GrB_Index GxB_Matrix_Iterator_getpmax(GxB_Iterator iterator) {
  return iterator->nvals;
}

GrB_Info GxB_Matrix_Iterator_seek(GxB_Iterator iterator, GrB_Index p) {
  GxB_Iterator it = iterator;
  if (p >= it->nvals) return go_to_listed(it, it->listed);
  it->k = grid_row_of_entry(&it->m, p);
  it->e = p;
  it->end = grid_vector_start(&it->m.by_row, it->k + 1);
  return GrB_SUCCESS;
}

GrB_Info GxB_Matrix_Iterator_next(GxB_Iterator iterator) {
  GxB_Iterator it = iterator;
  if (it->e + 1 >= it->nvals) return go_to_listed(it, it->listed);
  it->e++;
  while (it->e >= it->end) it->end = grid_vector_start(&it->m.by_row, ++it->k + 1);
  return GrB_SUCCESS;
}

GrB_Index GxB_Matrix_Iterator_getp(GxB_Iterator iterator) {
  return iterator->e;
}

void GxB_Matrix_Iterator_getIndex(GxB_Iterator iterator, GrB_Index *row, GrB_Index *col) {
  *row = vector_index(iterator);
  *col = entry_index(iterator);
}

GrB_Index GxB_Vector_Iterator_getpmax(GxB_Iterator iterator) {
  return iterator->nvals;
}

GrB_Info GxB_Vector_Iterator_seek(GxB_Iterator iterator, GrB_Index p) {
  iterator->e = p < iterator->nvals ? p : iterator->nvals;
  return p < iterator->nvals ? GrB_SUCCESS : GxB_EXHAUSTED;
}

GrB_Info GxB_Vector_Iterator_next(GxB_Iterator iterator) {
  return GxB_Vector_Iterator_seek(iterator, iterator->e + 1);
}

GrB_Index GxB_Vector_Iterator_getp(GxB_Iterator iterator) {
  return iterator->e;
}

GrB_Index GxB_Vector_Iterator_getIndex(GxB_Iterator iterator) {
  return iterator->e < iterator->nvals ? iterator->idx[iterator->e] : 0;
}

/* ---- values ---- */

/* *x = the value of the entry; unchanged past the last. */
static void copy_value(void *x, GxB_Iterator it) {
  if (it->e >= it->nvals) return;
  const size_t size = it->type->size;
  memcpy(x, it->val ? it->val + it->e * size : grid_lmat_value(&it->m, it->e), size);
}

/* 0 if the iterator's entries have another type. */
#define GET(T, C)                                                   \
  C GxB_Iterator_get_##T(GxB_Iterator iterator) {                   \
    C x = 0;                                                        \
    if (iterator->type == &grid_type_##T) copy_value(&x, iterator); \
    return x;                                                       \
  }
GRID_TYPES(GET)
GRID_COMPLEX_TYPES(GET)

void GxB_Iterator_get_UDT(GxB_Iterator iterator, void *value) {
  copy_value(value, iterator);
}
