/* The panels of a stage of a product of matrices, gathered from the processes of a grid row or
 * column (docs/how/product.md). */
#ifndef GRID_MXM_PANEL_H
#define GRID_MXM_PANEL_H
#include "dist/grid/layout.h"
#include "spmat/cpu/mxm/cpu_mxm.h"

/* The rows of a local matrix, or of its transpose, on the host. */
typedef struct {
  const grid_axis *row, *col;
  const grid_compressed *c;
  uint64_t nvals;
  const void *iso; /* the value of all entries, or NULL */
  size_t size;     /* of a value; 0: values are not used */
} grid_rows;
grid_rows grid_rows_of(const grid_local_matrix *p, bool transposed, bool values);
mxm_vectors grid_rows_vectors(const grid_rows *x);

/* A common numbering of the rows (columns) that the processes of a set have in their blocks. */
typedef struct {
  grid_axis axis;
  void *owned;    /* the axis' list of ids, or NULL: it is a block's */
  uint32_t **map; /* of each process: position on its axis -> this number; NULL: the same */
  int n;
} grid_numbering;
/* Collective over the grid, agreed on. The caller frees it, also after an error. */
GrB_Info grid_number(grid_set set, const grid_axis *local, GrB_Info info, grid_numbering *to);
void grid_numbering_free(grid_numbering *n);

/* Entries gathered for a stage, or a view of this process's block. */
typedef struct {
  mxm_vectors v;
  uint64_t entries;       /* values that v.val has */
  uint64_t inner;         /* of A: number of inner indices, */
  uint64_t *global_index; /* and their global indices */
  uint64_t *start, *end;
  uint32_t *idx;
  char *val;
} grid_panel;
void grid_panel_free(grid_panel *p);

/* A view of the block's columns (of A) in chunks from .. to. Local. */
GrB_Info grid_panel_local_columns(const grid_rows *a, uint64_t ninner, uint64_t from, uint64_t to,
                                  grid_panel *p);
/* These columns of all blocks of the grid row, in its numbering of rows. Collective over the grid, agreed on.
 */
GrB_Info grid_panel_columns(const grid_rows *a, uint64_t ninner, uint64_t from, uint64_t to,
                            const grid_numbering *rows, grid_panel *p);
/* A view of the block's rows (of B) at A's inner indices, in chunks from .. to. Local. */
GrB_Info grid_panel_local_rows(const grid_rows *b, uint64_t ninner, uint64_t from, uint64_t to,
                               const grid_panel *a, grid_panel *p);
/* These rows of all blocks of the grid column, in its numbering of columns. info: the outcome so far.
 * Collective over the grid, agreed on. */
GrB_Info grid_panel_rows(const grid_rows *b, uint64_t ninner, uint64_t from, uint64_t to, GrB_Info info,
                         const grid_panel *a, const grid_numbering *cols, grid_panel *p);
#endif
