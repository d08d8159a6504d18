/* lmat_align.h: several parts of the same dimensions side by side, for merging their rows: each may list
 * other vectors of a hypersparse axis, so they get one numbering of rows and columns, the union of theirs. */
#ifndef GRID_LMAT_ALIGN_H
#define GRID_LMAT_ALIGN_H
#include "spmat/convert/lmat_format.h"

enum { GRID_ALIGN_MAX = 3 };

typedef struct {
  const grid_local_matrix *p;
  const grid_compressed *c; /* NULL: no entries */
  const uint32_t *idx;      /* by_row's columns in the common numbering */
  const uint32_t *before;   /* rows of p before common row r, for r up to their number; NULL: r */
  uint32_t *own_idx, *ids_before;
} grid_aligned_lmat;

typedef struct {
  grid_axis row, col; /* the common numbering; the lists belong to a part, or are own */
  void *own_row, *own_col;
  size_t n;
  grid_aligned_lmat lmat[GRID_ALIGN_MAX];
} grid_aligned;

/* The n parts of rows x cols (on the host; NULL: one without entries) side by side. What they list stays with
 * them. To be freed, also after an error. */
GrB_Info grid_lmat_align(grid_aligned *a, uint64_t rows, uint64_t cols, const grid_local_matrix *const *p,
                         size_t n);
void grid_aligned_free(grid_aligned *a);

/* Where common row r of a part begins, which is where the row before it ends; r up to the number of rows. */
static inline uint64_t grid_aligned_start(const grid_aligned_lmat *a, uint64_t r) {
  return a->c ? grid_vector_start(a->c, a->before ? a->before[r] : r) : 0;
}
static inline uint64_t grid_aligned_entries(const grid_aligned_lmat *a) {
  return a->p && a->c ? a->p->nvals : 0;
}
/* p, which is empty, gets the common axes. */
GrB_Info grid_aligned_copy_axes(grid_local_matrix *p, const grid_aligned *a);
#endif
