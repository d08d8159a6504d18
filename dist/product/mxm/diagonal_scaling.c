/* See diagonal_scaling.h. B's values are gathered into A's pattern, and both are combined as in eWiseMult. */
#include "dist/product/mxm/diagonal_scaling.h"

#include <string.h>

#include "semiring/support/error.h"
#include "spmat/cpu/ewise/lmat_intersect.h"

bool grid_is_diagonal(const grid_local_matrix *b) {
  const grid_compressed *c = &b->by_row;
  bool fits = b->nvals <= b->row.n && b->row.n == b->col.n && !b->row.ids && !b->col.ids && !b->device;
  if (!fits) return false;
#pragma omp parallel for schedule(static) reduction(&& : fits) if (b->row.n > 1 << 15)
  for (uint64_t k = 0; k < b->row.n; k++) {
    const uint64_t e = grid_vector_start(c, k), n = grid_vector_start(c, k + 1) - e;
    fits = fits && (n == 0 || (n == 1 && c->idx[e] == k));
  }
  return fits;
}

/* to[e] = the value of B in the row that is the column of A's entry e; NULL: nothing is stored. False: a row
 * has none. */
static bool gather(void *to, const grid_local_matrix *a, const grid_local_matrix *b) {
  const size_t size = b->type->size;
  const char *val = b->by_row.val;
  bool found = true;
#pragma omp parallel for schedule(static) reduction(&& : found) if (a->nvals > 1 << 15)
  for (uint64_t e = 0; e < a->nvals; e++) {
    const uint64_t k = grid_axis_id(&a->col, a->by_row.idx[e]), at = grid_vector_start(&b->by_row, k);
    if (at == grid_vector_start(&b->by_row, k + 1)) {
      found = false;
      continue;
    }
    switch (to ? size : 0) {
      case 0:
        break;
      case 4:
        memcpy((char *)to + 4 * e, val + 4 * at, 4);
        break;
      case 8:
        memcpy((char *)to + 8 * e, val + 8 * at, 8);
        break;
      default:
        memcpy((char *)to + size * e, val + size * at, size);
    }
  }
  return found;
}

GrB_Info grid_scale_by_diagonal(grid_local_matrix *t, const grid_local_matrix *a, const grid_local_matrix *b,
                                GrB_BinaryOp mul) {
  grid_local_matrix factors = {0};
  GrB_Info info;
  TRY(grid_lmat_share_pattern(&factors, a, b->type));
  if (b->iso) {
    TRY(grid_lmat_set_iso(&factors, b->iso_val));
  } else {
    factors.by_row.val = grid_malloc(a->nvals, b->type->size);
    if (!factors.by_row.val) TRY(grid_fail_memory(NULL, "a scaled matrix", a->nvals, b->type->size));
  }
  if (!gather(factors.by_row.val, a, b)) TRY(GRID_UNSUPPORTED);
  grid_lmat_init(t, mul->z, a->row.dim, a->col.dim);
  info = grid_lmat_combine(t, a, &factors, mul);
done:
  grid_lmat_free(&factors);
  return info;
}
