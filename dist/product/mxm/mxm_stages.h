/* mxm_stages.h: a product of matrices on the grid, in stages over the chunks of the inner dimension
 * (docs/how/product.md). */
#ifndef GRID_MXM_STAGES_H
#define GRID_MXM_STAGES_H
#include "dist/matrix/matrix.h"
#include "dist/plan/method.h"
#include "dist/product/mxm/mxm_panel.h"

/* GrB_mxm on any grid: the last row of the table, which always applies. */
extern const grid_method grid_mxm_method_stages;

typedef struct {
  GrB_Semiring s;
  grid_rows a, b; /* the blocks of A and B, transposed where that was asked for */
  GrB_Type a_type, b_type;
  bool whole; /* b is all of B that a process needs, so that one stage without messages does */
  /* With `whole`, or NULL: B's columns, for dot products. All operands number inner indices alike then, and
   * b's rows may be missing. */
  const grid_rows *bt;
  uint64_t ninner;
  uint64_t row_dim, col_dim;     /* of C's block */
  const grid_local_matrix *mask; /* or NULL */
  bool structure, complement;
} grid_stages;

/* Bytes that a process gathers for one or several stages at most, unless its own blocks have more. Tests
 * lower it. */
extern uint64_t grid_stage_bytes;

/* *t (empty; freed by the caller, after an error too) = this process's block of the product, in the type of
 * the monoid, without what the mask forbids. Collective; the outcome of the last step is not agreed on. */
GrB_Info grid_multiply_stages(const grid_stages *g, grid_local_matrix *t);
#endif
