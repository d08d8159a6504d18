/* An operand of an operation whose result lies as C's block does: A's block, or its
 * transpose's.
 */
#ifndef GRID_MATRIX_OPERAND_H
#define GRID_MATRIX_OPERAND_H
#include "dist/matrix/matrix_output.h"
#include "spmat/local_product.h"

typedef struct {
  const grid_local_matrix *lmat; /* by row */
  grid_index_map rows, cols;     /* where its rows and columns stand in the whole */
  grid_local_matrix owned;       /* what was made for it; a view: of arrays that are A's */
  bool view;
} grid_operand;

/* A, or its transpose, has C's dimensions (the caller has checked). What it lacks is made: pending changes
 * merged, columns, or the entries' way to where the transpose has them. Free it, also after an error.
 * Collective, agreed on. */
GrB_Info grid_operand_read(grid_operand *in, GrB_Matrix A, bool transposed, GrB_Matrix C, const char *call);
void grid_operand_free(grid_operand *in);

/* Has A (transposed) C's dimensions? */
GrB_Info grid_operand_check(GrB_Matrix A, bool transposed, GrB_Matrix C, const char *call, const char *what);
#endif
