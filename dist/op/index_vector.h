/* Vectors as lists of indices: on every process, as GrB_extract and GrB_assign take them. */
#ifndef GRID_INDEX_VECTOR_H
#define GRID_INDEX_VECTOR_H
#include "dist/vector/vector.h"

typedef struct {
  const GrB_Index *I; /* GrB_ALL for no vector */
  GrB_Index n;        /* a number, or GxB_STRIDE or GxB_BACKWARDS */
  GrB_Index *memory, stride[3];
} grid_index_vector;

/* Which of a descriptor's fields says how a list is read. */
typedef enum { GRID_ROW_LIST, GRID_COL_LIST, GRID_VALUE_LIST } grid_list_field;

/* The list that v (NULL: all indices, n then being `all`) stands for; what: the argument's name. To be freed,
 * after an error too. Collective, agreed on. */
GrB_Info grid_index_vector_read(grid_index_vector *x, GrB_Vector v, uint64_t all, GrB_Descriptor desc,
                                grid_list_field field, grid_head *out, const char *call, const char *what);
static inline void grid_index_vector_free(grid_index_vector *x) {
  grid_free(x->memory);
}

/* All that a vector of tuples holds, on every process: indices, or values, by the descriptor. */
typedef struct {
  uint64_t n;
  GrB_Type type;
  void *val;
} grid_tuple_vector;
/* type: the one wanted, or NULL: the vector's own (UINT64 for indices). Freed with grid_free(x->val), after
 * an error too. Collective, agreed on. */
GrB_Info grid_tuple_vector_read(grid_tuple_vector *x, GrB_Vector v, GrB_Type type, GrB_Descriptor desc,
                                grid_list_field field, grid_head *out, const char *call, const char *what);
#endif
