/* Routing of entries to the processes whose blocks hold them, for operations that a process cannot do inside
 * its own block. */
#ifndef GRID_MATRIX_ROUTE_H
#define GRID_MATRIX_ROUTE_H
#include "dist/matrix/matrix.h"
#include "spmat/local_product.h"

/* *t becomes this process's block of a matrix laid out as `like` that holds b's tuples, on the host. The
 * caller frees it; after an error it is empty. b->type is the type of the values, or of `one`, and may differ
 * from like's. Every process passes tuples with values, or none does. Collective, agreed on. */
GrB_Info grid_route_lmat(GrB_Matrix like, const grid_build *b, grid_local_matrix *t, const char *call);
/* The same; with may_device and the device on the block is built there if possible. A failure of some process
 * is not agreed on: grid_matrix_adopt does that. */
GrB_Info grid_build_block(GrB_Matrix like, const grid_build *b, bool may_device, grid_local_matrix *t,
                          const char *call);

/* route_entries.c: the same with the values of t, or `one` for all of them if t->val is NULL, which may
 * differ between processes. Positions are unique. info: the outcome so far, which is agreed on. Consumes t.
 */
GrB_Info grid_route_tuples(GrB_Matrix like, grid_tuples *t, GrB_Type type, const void *one, GrB_Info info,
                           grid_local_matrix *to, const char *call);
/* Each process has P times `ranges` bins, those for process 0 first, and count[b] entries in bin b. *start
 * (freed by the caller) is for the entries received, in order of the senders. start[p * (ranges + 1) + v] =
 * the first one of range v from process p; v = ranges: the end. Collective, agreed on. */
GrB_Info grid_exchange_range_counts(const uint64_t *count, uint64_t ranges, uint64_t **start);
/* In an index map: past the last row or column, where an axis is padded to a whole word. */
#define GRID_NO_TARGET UINT64_MAX

/* route_entries.c: routes the entries of p to the positions that the maps rows and cols give; flip:
 * transposed. With the device on entries are sent between device memories and *to lies there, if possible;
 * else p moves to the host, which is reported. The caller agrees on the outcome. */
GrB_Info grid_route_entries(GrB_Matrix like, const grid_local_matrix *p, const grid_index_map *rows,
                            const grid_index_map *cols, bool flip, GrB_Info info, grid_local_matrix *to,
                            const char *call);
/* matrix_route_device.c: the same on the device alone; GRID_UNSUPPORTED, on all: not possible, and *to is
 * empty. */
GrB_Info grid_route_device(GrB_Matrix like, const grid_local_matrix *p, const grid_index_map *rows,
                           const grid_index_map *cols, bool flip, GrB_Info info, grid_local_matrix *to);
/* An index map has all local rows (columns) of an axis that is no longer than this, whether the axis is a
 * list or not. */
#define GRID_MAX_TABLE_LENGTH (UINT64_C(1) << 26)
/* matrix_send_rows.c: the same as runs of rows, on the host, without flip, unless tuples are cheaper: then
 * *routed is false and nothing was sent. */
GrB_Info grid_route_rows(GrB_Matrix like, const grid_local_matrix *p, const grid_index_map *rows,
                         const grid_index_map *cols, GrB_Info info, grid_local_matrix *to, bool *routed);
/* matrix_send_rows.c: *to = the rows of A that this process owns (Grid_local_range), with global columns; A's
 * block is on the host. *routed: as above. Collective, agreed on. */
GrB_Info grid_route_rows_to_owners(GrB_Matrix A, grid_local_matrix *to, bool *routed);
/* matrix_fetch_rows.c, on a grid of one column whose blocks' columns fit 32 bits: *t (freed by the caller)
 * gets the rows of B that occur as columns of `a`. `a` is the left operand of a product by rows on the host.
 * No axis of *t is a list; both are as long as the blocks' columns. *sparse: false, the same on all, and t is
 * empty, if these rows are more than half of what all of B on every process would be. B has rows. Collective,
 * agreed on. */
GrB_Info grid_matrix_fetch_rows(grid_local_matrix *t, GrB_Matrix B, const grid_local_matrix *a, bool *sparse);
/* Global rows and columns of A's block (block_maps.c). */
grid_index_map grid_block_row_map(GrB_Matrix A);
grid_index_map grid_block_col_map(GrB_Matrix A);

/* *t (freed by the caller, after an error too) = this process's block of A's transpose, of A's type, in the
 * layout of `like`, which has the transpose's dimensions. may_move: with the device on, A's block may move to
 * the device and *t lie there; else both are on the host, if there are several processes. Collective, agreed
 * on. */
GrB_Info grid_matrix_transposed(GrB_Matrix A, GrB_Matrix like, grid_local_matrix *t, bool may_move,
                                const char *call);
#endif
