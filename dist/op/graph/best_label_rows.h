/* Grid_Matrix_best_label by rows: each is summed by label where its entries lie. */
#ifndef GRID_BEST_LABEL_ROWS_H
#define GRID_BEST_LABEL_ROWS_H
#include "dist/matrix/matrix.h"

extern const char grid_best_label_call[]; /* its name, in errors */

/* Its arguments, which are correct. */
typedef struct {
  GrB_Matrix A;
  GrB_Vector label, price, scale, bonus; /* the last three may be NULL */
  uint64_t n;
  bool count; /* entries of A count 1 */
} grid_best_label;

/* Values of all columns fit in memory, and A's entries are there: no split, pages or device. Known alike on
 * all processes. */
bool grid_can_search_label_rows(const grid_best_label *x);
/* t, the local chunk of `best`, given empty, gets the labels. Collective; the outcome is agreed on by the
 * caller. */
GrB_Info grid_search_label_rows(grid_chunk *t, GrB_Vector best, const grid_best_label *x);
#endif
