/* The rows or columns of a matrix that a process owns, in arrays of the program: GxB_Matrix_pack,
 * GxB_Matrix_unpack, and containers. Vectors are rows, or by_column columns; indices are global. */
#ifndef GRID_PACKED_ARRAYS_H
#define GRID_PACKED_ARRAYS_H
#include "dist/matrix/matrix.h"
#include "semiring/support/user_memory.h"
#include "gridblas_gxb_objects.h"
#include "gridblas_gxb_data.h"

typedef struct {
  int form; /* GxB_HYPERSPARSE, GxB_SPARSE, GxB_BITMAP or GxB_FULL */
  bool by_column, iso;
  bool sorted;     /* to pack: indices of a vector must ascend; else they may have any order */
  bool strict;     /* to pack: what the flags say is verified (GxB_SECURE_IMPORT) */
  bool any_vector; /* to pack: h may list vectors that other processes own */
  /* offsets, listed vectors, indices, bitmap, values; an array that the form does not have is NULL */
  uint64_t *p, *h, *i;
  int8_t *b;
  void *x;
  uint64_t p_size, h_size, i_size, b_size, x_size; /* bytes */
  uint64_t i_least, x_least; /* to unpack, sparse: bytes that the arrays have at least */
  uint64_t nvec, nvals;      /* elements of h; entries of this process */
} grid_packed;

/* A's contents become a's entries; A keeps its type and dimensions. The arrays are read, not kept.
 * Collective, agreed on; on failure A is unchanged. Errors: GrB_NULL_POINTER, GrB_INVALID_VALUE (an array is
 * too short), GrB_INVALID_OBJECT (offsets, an index or a count is not valid), GrB_INDEX_OUT_OF_BOUNDS (an
 * index occurs twice, or out of order where the flags forbid that). */
GrB_Info grid_matrix_pack(GrB_Matrix A, const grid_packed *a, const char *call);
/* Allocates the arrays of a->form and a->by_column for the program, which frees them, and fills them with A's
 * entries. may_be_iso: an iso matrix gives one value and a->iso. A is unchanged. Collective, agreed on; on
 * failure there are no arrays. */
GrB_Info grid_matrix_unpack(grid_packed *a, GrB_Matrix A, bool may_be_iso, const char *call);
/* Frees the arrays, which the program does not have yet. */
void grid_packed_free(grid_packed *a);

/* First vector that this process owns, their number, and the length of one. */
typedef struct {
  uint64_t first, count, length;
} grid_packed_range;
grid_packed_range grid_packed_range_of(uint64_t nrows, uint64_t ncols, bool by_column);
/* *n = positions of the range; false: more than 2^63 bytes of values of `size` bytes. */
bool grid_packed_positions(const grid_packed_range *r, size_t size, uint64_t *n);

/* matrix_pack_build.c: the last step of grid_matrix_pack, of arrays that have been checked. */
GrB_Info grid_packed_build(GrB_Matrix A, const grid_packed *a, const char *call);
#endif
