/* Entries on their way to the processes whose blocks hold them: what an operation cannot do inside its own
 * block goes through here. */
#ifndef GRID_MATRIX_ROUTE_H
#define GRID_MATRIX_ROUTE_H
#include "dist/matrix/matrix.h"
#include "spmat/local_product.h"

/* *t (freed by the caller, after an error too, when it is empty) becomes this process's block of a matrix
 * laid out as `like` that holds b's tuples, on the host. b->type: of the values, or of `one`; it need not be
 * like's. Every process gives tuples with values, or none does. Collective, agreed on. */
GrB_Info grid_route_lmat(GrB_Matrix like, const grid_build *b, grid_local_matrix *t, const char *call);
/* The same; where it may, and the device is on, the block is made there if the device can. Whether it failed
 * on some process is not agreed on yet: grid_matrix_adopt does that. */
GrB_Info grid_build_block(GrB_Matrix like, const grid_build *b, bool may_device, grid_local_matrix *t,
                          const char *call);

/* The same with the values of t, or where t->val is NULL `one` for all of them; not all processes need be
 * alike in that. No place may be named twice. info: the outcome so far, which is agreed on. Consumes t. */
GrB_Info grid_route_tuples(GrB_Matrix like, grid_tuples *t, GrB_Type type, const void *one, GrB_Info info,
                           grid_local_matrix *to, const char *call);
/* In a table of places: behind the last row or column, where an axis goes on to a whole word. */
#define GRID_NO_TARGET UINT64_MAX

/* The entries of a part, in the places that rows and cols give them; flip: in (column, row). With the device
 * on they travel between device memories, and *to lies there, if that can be; else the part comes to the
 * host, which is reported. */
GrB_Info grid_route_entries(GrB_Matrix like, const grid_local_matrix *p, const grid_index_map *rows,
                            const grid_index_map *cols, bool flip, GrB_Info info, grid_local_matrix *to,
                            const char *call);
/* matrix_route_device.c: the same on the device alone; GRID_UNSUPPORTED, on all: that cannot be, and *to is
 * empty. */
GrB_Info grid_route_device(GrB_Matrix like, const grid_local_matrix *p, const grid_index_map *rows,
                           const grid_index_map *cols, bool flip, GrB_Info info, grid_local_matrix *to);
/* A table of places has all local rows (columns) of an axis that is no longer than this, whether it lists
 * them or not. */
#define GRID_MAX_TABLE_LENGTH (UINT64_C(1) << 26)
/* The same as runs of rows, on the host, without flip, unless tuples do better: then *routed is false, and
 * nothing was sent (matrix_send_rows.c). */
GrB_Info grid_route_rows(GrB_Matrix like, const grid_local_matrix *p, const grid_index_map *rows,
                         const grid_index_map *cols, GrB_Info info, grid_local_matrix *to, bool *routed);
/* On one column of the grid, where blocks' columns fit 32 bits: *t (freed by the caller) gets the rows of B
 * that columns of a (rows of a product's left operand, on the host) stand for, and no others; no axis lists
 * its vectors, both are as long as blocks' columns are. *few: false, the same on all, and nothing in t, where
 * that is more than half of what all of B everywhere would be. B has its rows. Collective, agreed on. */
GrB_Info grid_matrix_fetch_rows(grid_local_matrix *t, GrB_Matrix B, const grid_local_matrix *a, bool *sparse);
/* Where the rows and columns of A's block stand in A. */
grid_index_map grid_block_row_map(GrB_Matrix A);
grid_index_map grid_block_col_map(GrB_Matrix A);

/* *t (freed by the caller, after an error too) = this process's block of A's transpose in the layout of
 * `like`, which has its dimensions; of A's type. there: with the device on A's block may go there, and *t lie
 * there; else both are on the host, if there are several processes. Collective, agreed on. */
GrB_Info grid_matrix_transposed(GrB_Matrix A, GrB_Matrix like, grid_local_matrix *t, bool there,
                                const char *call);
#endif
