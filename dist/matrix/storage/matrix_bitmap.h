/* Bitmap and full blocks: a matrix of which a good share of all places is taken, a batch of frontiers or a
 * dense factor, keeps the entries of its block by place (spmat/convert/lmat_bitmap.h), as a vector's chunk
 * does, and operations on entries are the chunk's. Rows are made of it when somebody wants them, and stay
 * beside it until the matrix changes. */
#ifndef GRID_MATRIX_BITMAP_H
#define GRID_MATRIX_BITMAP_H
#include "dist/matrix/matrix_output.h"

/* Should A be kept so, for what it holds? It is, once an operation that can use it begins. By what is known
 * alike on all processes: the bytes of both forms, or grid_tune.force_rows or force_bitmap, for
 * tests. */
bool grid_is_dense_profitable(GrB_Matrix A);
/* Should entries that join C be written by place? C has places alone, or wants them for being changed often.
 */
bool grid_is_dense_update(GrB_Matrix C);
/* May it be at all? Not one whose places would fill the memory, nor while the device is on. */
bool grid_can_be_dense(GrB_Matrix A);

/* For tests: with grid_tune.force_bitmap a matrix that got new entries keeps them by place alone. Collective.
 */
void grid_dense_force(GrB_Matrix A);

/* What has places alone gets rows too. The first is collective and agreed on; the second local, and leaves
 * the matrix as it is for the other processes. */
GrB_Info grid_dense_rows(GrB_Matrix A);
GrB_Info grid_dense_local_rows(GrB_Matrix A);
/* Changes that wait are made by place. Collective, agreed on. */
GrB_Info grid_dense_change(GrB_Matrix A);

/* bitmap_operations.c writes by these. *c = the entries of A's rows by position. Local. */
GrB_Info grid_dense_of_rows(grid_chunk *c, GrB_Matrix A);
/* A becomes what `dense` holds on all processes; its rows go, and come back if it is no longer dense enough
 * and there is memory. Collective, agreed on. */
GrB_Info grid_dense_adopt(GrB_Matrix A, grid_chunk *dense);
/* Frees the block's rows; its entries are counted by the bitmap. Local. */
void grid_dense_free_rows(GrB_Matrix A);
/* GRIDBLAS_FORMAT=dense, for tests. */
bool grid_is_dense_forced(void);

/* Bytes of the places. */
uint64_t grid_dense_bytes(GrB_Matrix A);
/* The value of entry (i, j) of a block without rows, or NULL. Local. */
const void *grid_dense_find_value(GrB_Matrix A, GrB_Index i, GrB_Index j);
/* to, which is new, becomes from, which has no rows. Collective, agreed on. */
GrB_Info grid_dense_copy(GrB_Matrix to, GrB_Matrix from);

/* A's entries by place. Those that A has, or is dense enough to have (grid_is_dense_profitable), stay with it
 * for the operations that follow; those of a sparser A would cost it more memory than they save, so they are
 * this call's own and go with grid_dense_free, which must be called, also after an error. Collective, agreed
 * on.
 */
typedef struct {
  const grid_chunk *chunk;
  grid_chunk own;
} grid_dense;
GrB_Info grid_dense_read(grid_dense *x, GrB_Matrix A);
void grid_dense_free(grid_dense *x);

/* grid_finish_matrix for a t by place: C<mask> accum= t. Collective, agreed on. */
GrB_Info grid_finish_dense(GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum, const grid_desc *d,
                           grid_chunk *t, GrB_Info info);
/* Is the mask one that a result by place should be written through? A sparse one leaves so little that rows
 * are better. */
bool grid_is_dense_mask(GrB_Matrix C, GrB_Matrix mask, const grid_desc *d);
/* An empty chunk for such a result. */
grid_chunk grid_dense_result(GrB_Matrix C, GrB_Type type);
#endif
