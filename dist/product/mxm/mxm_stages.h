/* mxm_stages.h: a product of matrices on the grid, in stages over the chunks of the inner dimension
 * (docs/design.md, "A product of matrices"). */
#ifndef GRID_MXM_STAGES_H
#define GRID_MXM_STAGES_H
#include "dist/matrix/matrix.h"
#include "dist/product/mxm/mxm_panel.h"

typedef struct {
  GrB_Semiring s;
  grid_rows a, b; /* the blocks of A and B, transposed where that was asked for */
  GrB_Type a_type, b_type;
  bool whole; /* b is all of B, on each process, or there is but one */
  /* ... then: B's columns, where they are there, else NULL; then b's rows may be missing, and inner indices
   * have one numbering in all of them */
  const grid_rows *bt;
  uint64_t ninner;
  uint64_t row_dim, col_dim;     /* of C's block */
  const grid_local_matrix *mask; /* or NULL */
  bool structure, complement;
} grid_stages;

/* *t, which is empty (freed by the caller, after an error too) = this process's block of the product, of the
 * semiring's type, with nothing that the mask does not allow. Collective; the last step's outcome is not
 * agreed on. */
GrB_Info grid_multiply_stages(const grid_stages *g, grid_local_matrix *t);
#endif
