/* Bitmap and full blocks, for matrices of which a good share of all positions has an entry: a batch of
 * frontiers, a dense factor. The block holds its entries by position (spmat/convert/lmat_bitmap.h), as a
 * vector's chunk does; operations on entries are then those of chunks. Rows from which nothing was derived
 * are freed then. Rows are made of a bitmap when an operation requires them, and stay beside it until the
 * matrix changes. */
#ifndef GRID_MATRIX_BITMAP_H
#define GRID_MATRIX_BITMAP_H
#include "dist/matrix/matrix_output.h"

/* Should A have the bitmap form, by its number of entries? It gets it at the next operation that can use it.
 * Decided by what all processes know alike: the bytes of both forms, and for tests grid_tune.force_rows or
 * force_bitmap. */
bool grid_is_dense_profitable(GrB_Matrix A);
/* Should entries that join C be written by position? C has the bitmap form alone, or is changed often enough
 * to get it. */
bool grid_is_dense_update(GrB_Matrix C);
/* May A have the bitmap form at all? Not if its positions would fill the memory, nor while the device is on.
 */
bool grid_can_be_dense(GrB_Matrix A);

/* For tests: with grid_tune.force_bitmap a matrix that got new entries holds them by position alone.
 * Collective. */
void grid_dense_force(GrB_Matrix A);

/* GRID_ROWS of a matrix in bitmap form alone. The first is collective and agreed on; the second is local and
 * leaves the matrix as it is for the other processes. */
GrB_Info grid_dense_rows(GrB_Matrix A);
GrB_Info grid_dense_local_rows(GrB_Matrix A);
/* Merges pending changes by position. Collective, agreed on. */
GrB_Info grid_dense_change(GrB_Matrix A);

/* For bitmap_operations.c. *c = the entries of A's rows by position. Local. */
GrB_Info grid_dense_of_rows(grid_chunk *c, GrB_Matrix A);
/* A becomes what `dense` holds on all processes, without rows, if info, the outcome of this process's steps
 * before, is a success on all. It gets rows instead of the bitmap if that is no longer profitable and memory
 * allows. Collective, agreed on. */
GrB_Info grid_dense_adopt(GrB_Matrix A, grid_chunk *dense, GrB_Info info);
/* Frees the rows of the block; the bitmap gives its number of entries. Local. */
void grid_dense_free_rows(GrB_Matrix A);

/* Bytes of the bitmap form. */
uint64_t grid_dense_bytes(GrB_Matrix A);
/* The value of entry (i, j) of a block without rows, or NULL. Local. */
const void *grid_dense_find_value(GrB_Matrix A, GrB_Index i, GrB_Index j);
/* `to`, which is new, becomes a copy of `from`, which has no rows. Collective, agreed on. */
GrB_Info grid_dense_copy(GrB_Matrix to, GrB_Matrix from);

/* The entries of A by position. If the bitmap form is profitable for A (grid_is_dense_profitable), A retains
 * it for later operations. For a sparser A it would cost more memory than it saves, so this object alone has
 * it. grid_dense_free must be called, after an error too. Collective, agreed on. */
typedef struct {
  const grid_chunk *chunk;
  grid_chunk owned;
} grid_dense;
GrB_Info grid_dense_read(grid_dense *x, GrB_Matrix A);
void grid_dense_free(grid_dense *x);

/* grid_finish_matrix for a result by position: C<mask> accum= t. Collective, agreed on. */
GrB_Info grid_finish_dense(GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum, const grid_desc *d,
                           grid_chunk *t, GrB_Info info);
/* Should a result by position be written through this mask? A sparse mask leaves so few entries that rows are
 * faster. */
bool grid_is_dense_mask(GrB_Matrix C, GrB_Matrix mask, const grid_desc *d);
/* An empty chunk for a result by position. */
grid_chunk grid_dense_result(GrB_Matrix C, GrB_Type type);
#endif
