/* Paged matrices: the rows of each process's block are in a file (dist/outofcore/pages/row_pages.h), since
 * memory has no room for them. Products read what they need of it
 * (dist/product/local/local_product_outofcore.c); whatever else wants rows has them all brought to memory
 * first (GRID_MERGED), if the budget allows. On the CPU. */
#ifndef GRID_MATRIX_OUTOFCORE_H
#define GRID_MATRIX_OUTOFCORE_H
#include "dist/matrix/matrix.h"
#include "dist/outofcore/pages/row_pages.h"

/* Are the file's pages all that A is? No changes wait. The same everywhere. */
static inline bool grid_is_paged(GrB_Matrix A) {
  return A->pages && A->pending.n == 0;
}
/* May a matrix with this head be so here? The same everywhere. */
bool grid_can_be_paged(const grid_pages_head *h);

/* A, which is new and has the dimensions and type of the file at `path`, of that head, becomes what it
 * holds: paged, unless all processes have room for their blocks. Collective, agreed on. */
GrB_Info grid_paged_open(GrB_Matrix A, const grid_pages_head *h, const char *path);
/* outofcore_block.c: *made = pages of A's block, cut out of the file at `path`, whose dimensions and type it
 * has. Local. */
GrB_Info grid_paged_block(grid_pages **made, GrB_Matrix A, const char *path);
/* ... *entries: no more are in the block, of those in its rows, of all columns; and p, empty, of the block's
 * dimensions, gets these, fewer than 2^32, in memory. Local; on failure p is empty. */
GrB_Info grid_paged_block_bound(uint64_t *entries, GrB_Matrix A, const char *path);
GrB_Info grid_paged_block_lmat(grid_local_matrix *p, uint64_t entries, GrB_Matrix A, const char *path);
/* A becomes what g holds, which was made with the dimensions of its block and is taken over, if `info` is
 * GrB_SUCCESS on all processes: paged, unless all have ample room. Collective, agreed on. */
GrB_Info grid_paged_adopt(GrB_Matrix A, grid_pages *g, GrB_Info info);
/* C, which is new and like A, becomes A once more: of the same pages. Collective, agreed on. */
GrB_Info grid_paged_copy(GrB_Matrix C, GrB_Matrix A);
/* What the budget leaves this process. */
uint64_t grid_paged_budget_left(void);
/* *fits: all processes have room for their blocks. Collective, agreed on. */
GrB_Info grid_paged_check_fit(GrB_Matrix A, bool *fits);
/* It comes to memory. Collective, agreed on. GrB_OUT_OF_MEMORY, worded: there is no room. */
GrB_Info grid_paged_load(GrB_Matrix A);
/* This process's entries: global coordinates, and values cast to that type; each array may be NULL. Local. */
GrB_Info grid_paged_tuples(GrB_Matrix A, uint64_t *row, uint64_t *col, void *val, GrB_Type type);
/* Ready for products: degrees of rows, from the lengths. Collective, agreed on. */
GrB_Info grid_paged_prepare(GrB_Matrix A);
/* What it takes in memory. */
uint64_t grid_paged_bytes(GrB_Matrix A);

/* Tests: with grid_tune.force_pages products of a matrix in memory go through pages of its block,
 * made in a file for the purpose: *g, to be freed, or NULL. Collective, agreed on. */
GrB_Info grid_paged_force(GrB_Matrix A, grid_pages **g);
#endif
