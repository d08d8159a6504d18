/* Aligns several local matrices of equal dimensions for merging their rows. Hypersparse axes may list
 * different vectors; the union of their lists becomes the common numbering of rows and columns. */
#ifndef GRID_LMAT_ALIGN_H
#define GRID_LMAT_ALIGN_H
#include "spmat/convert/lmat_format.h"

enum { GRID_ALIGN_MAX = 3 };

typedef struct {
  const grid_local_matrix *p;
  const grid_compressed *c; /* NULL: no entries */
  const uint32_t *idx;      /* by_row's columns in the common numbering */
  const uint32_t *before;   /* rows of p before common row r, for r up to their number; NULL: equal to r */
  uint32_t *owned_idx, *ids_before;
} grid_aligned_lmat;

typedef struct {
  grid_axis row, col; /* the common numbering; its lists belong to a matrix or to this object */
  void *owned_row, *owned_col;
  size_t n;
  grid_aligned_lmat lmat[GRID_ALIGN_MAX];
} grid_aligned;

/* Aligns n matrices of rows x cols (on the host; NULL: one without entries). They still own their lists. The
 * caller frees the result, also after an error. */
GrB_Info grid_lmat_align(grid_aligned *a, uint64_t rows, uint64_t cols, const grid_local_matrix *const *p,
                         size_t n);
void grid_aligned_free(grid_aligned *a);

/* Where common row r of a matrix begins, which is where the previous one ends; r up to the number of rows. */
static inline uint64_t grid_aligned_start(const grid_aligned_lmat *a, uint64_t r) {
  return a->c ? grid_vector_start(a->c, a->before ? a->before[r] : r) : 0;
}
static inline uint64_t grid_aligned_entries(const grid_aligned_lmat *a) {
  return a->p && a->c ? a->p->nvals : 0;
}
/* The empty p gets the common axes. */
GrB_Info grid_aligned_copy_axes(grid_local_matrix *p, const grid_aligned *a);
#endif
