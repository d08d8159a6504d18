/* The rows of a matrix that this process has, for reading (Grid_Matrix_view). */
#ifndef GRID_LOCAL_ROWS_H
#define GRID_LOCAL_ROWS_H
#include "algos/algos.h"

typedef struct {
  Grid_View view;
  GrB_Index first, count; /* the rows are first .. first + count */
} local_rows;

/* Free them in any case. Collective. */
static inline GrB_Info local_rows_view(local_rows *r, GrB_Matrix A) {
  GrB_Info info;
  GrB_Index n;
  TRY(GrB_Matrix_nrows(&n, A));
  TRY(Grid_local_range(n, &r->first, &r->count));
  TRY(Grid_Matrix_view(&r->view, A));
out:
  return info;
}

static inline void local_rows_free(local_rows *r) {
  Grid_View_free(&r->view);
}

static inline GrB_Index array_element(const void *array, int bytes, GrB_Index k) {
  return bytes == 4 ? ((const uint32_t *)array)[k] : ((const GrB_Index *)array)[k];
}

/* The first entry of a row that this process has; its last one is before the next row's first. */
static inline GrB_Index row_start(const local_rows *r, GrB_Index row) {
  return array_element(r->view.indptr, r->view.indptr_bytes, row - r->first);
}
static inline GrB_Index entry_column(const local_rows *r, GrB_Index entry) {
  return array_element(r->view.indices, r->view.indices_bytes, entry);
}
#endif
