/* The out-of-core form: the rows of each process's block are in a file (dist/outofcore/pages/row_pages.h),
 * since memory has no room for them. Products read what they need of it
 * (dist/product/local/local_product_outofcore.c). Other operations require rows, which are loaded into memory
 * (GRID_MERGED) if the budget allows. */
#ifndef GRID_MATRIX_OUTOFCORE_H
#define GRID_MATRIX_OUTOFCORE_H
#include "dist/matrix/matrix.h"
#include "dist/outofcore/pages/row_pages.h"

/* Is A out of core without pending changes? The same everywhere. */
static inline bool grid_is_paged(GrB_Matrix A) {
  return A->pages && A->pending.n == 0;
}
/* Do its pages number rows and columns that the axes of A->block list: all of the block's ranges that are
 * non-empty in the whole matrix, and maybe others? Processes of a grid row list the same rows. The same
 * everywhere. */
static inline bool grid_is_paged_hypersparse(GrB_Matrix A) {
  return A->pages && A->block.col.ids;
}
/* Can a matrix with this file head be out of core? The same everywhere. */
bool grid_can_be_paged(const grid_pages_head *h);

/* A becomes the matrix of the file at `path`, whose head is h: out of core, unless all processes have room
 * for their blocks. A is new and has the file's dimensions and type. Collective, agreed on. */
GrB_Info grid_paged_open(GrB_Matrix A, const grid_pages_head *h, const char *path);
/* outofcore_block.c: *made = pages of A's block, cut out of the file at `path` with the head h, which has A's
 * dimensions and type. axes: the block's rows and columns that the pages number. Local. */
GrB_Info grid_paged_block(grid_pages **made, GrB_Matrix A, const grid_axis axes[2], const grid_pages_head *h,
                          const char *path);
/* *entries = an upper bound of the entries of the block: those of its rows in all columns. p, which is empty
 * and has the block's dimensions, gets the block's entries, fewer than 2^32, in memory. Local; on failure p
 * is empty. */
GrB_Info grid_paged_block_bound(uint64_t *entries, const grid_pages_head *h, const char *path);
GrB_Info grid_paged_block_lmat(grid_local_matrix *p, uint64_t entries, GrB_Matrix A, const grid_pages_head *h,
                               const char *path);
/* A becomes the matrix of g, which was made with the dimensions of its block, if `info` is GrB_SUCCESS on all
 * processes: out of core, unless all have ample room. axes: the block's rows and columns that g numbers, if
 * it is hypersparse, else NULL. Consumes g and the lists of the axes. Collective, agreed on. */
GrB_Info grid_paged_adopt(GrB_Matrix A, grid_pages *g, grid_axis axes[2], GrB_Info info);
/* C, which is new and has A's dimensions, becomes a copy of A on the same pages. Collective, agreed on. */
GrB_Info grid_paged_copy(GrB_Matrix C, GrB_Matrix A);
/* p, empty, of the block's dimensions and type, gets the entries of the block's rows first .. end, unshifted.
 * A is hypersparse, out of core or with its rows in memory. Local; on failure p is empty. Bytes that an entry
 * takes meanwhile, without and with values. */
GrB_Info grid_hypersparse_rows(grid_local_matrix *p, GrB_Matrix A, uint64_t first, uint64_t end);
enum { GRID_HYPERSPARSE_ENTRY = 48, GRID_HYPERSPARSE_VALUED = 64 };
/* Bytes that the memory budget leaves this process. */
uint64_t grid_paged_budget_left(void);
/* Bytes that loading the block of A, which is out of core, takes. */
uint64_t grid_paged_load_bytes(GrB_Matrix A);
/* *fits: all processes have room for their blocks. Collective, agreed on. */
GrB_Info grid_paged_check_fit(GrB_Matrix A, bool *fits);
/* Loads A into memory. Collective, agreed on. GrB_OUT_OF_MEMORY, with a message: there is no room. */
GrB_Info grid_paged_load(GrB_Matrix A);
/* Entries of this process: global coordinates, and values cast to `type`; each array may be NULL. Local. */
GrB_Info grid_paged_tuples(GrB_Matrix A, uint64_t *row, uint64_t *col, void *val, GrB_Type type);
/* GRID_READY of an out-of-core matrix: degrees of its rows, from their lengths. Collective, agreed on. */
GrB_Info grid_paged_prepare(GrB_Matrix A);
/* Bytes of it in memory. */
uint64_t grid_paged_bytes(GrB_Matrix A);

/* For tests: with grid_tune.force_pages products of a matrix in memory use pages, written to a
 * temporary file: *g, freed by the caller, or NULL. Collective, agreed on. */
GrB_Info grid_paged_force(GrB_Matrix A, grid_pages **g);
#endif
