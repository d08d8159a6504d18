/* See diagonal_scaling.h. The diagonal's values are gathered into the pattern of the other operand, and both
 * are combined as in eWiseMult. */
#include "dist/product/mxm/diagonal_scaling.h"

#include <string.h>

#include "semiring/support/error.h"
#include "spmat/cpu/ewise/lmat_intersect.h"
#include "spmat/vector/bound_operator.h"

bool grid_is_diagonal(const grid_local_matrix *d) {
  const grid_compressed *c = &d->by_row;
  bool fits = d->nvals <= d->row.n && d->row.n == d->col.n && !d->row.ids && !d->col.ids && !d->device;
  if (!fits) return false;
#pragma omp parallel for schedule(static) reduction(&& : fits) if (d->row.n > 1 << 15)
  for (uint64_t k = 0; k < d->row.n; k++) {
    const uint64_t e = grid_vector_start(c, k), n = grid_vector_start(c, k + 1) - e;
    fits = fits && (n == 0 || (n == 1 && c->idx[e] == k));
  }
  return fits;
}

/* to[e] = the value of d in the row that is the column of a's entry e; NULL: nothing is stored. False: a row
 * has none. */
static bool gather_by_columns(char *to, const grid_local_matrix *a, const grid_local_matrix *d) {
  const size_t size = d->type->size;
  const char *val = d->by_row.val;
  bool found = true;
#pragma omp parallel for schedule(static) reduction(&& : found) if (a->nvals > 1 << 15)
  for (uint64_t e = 0; e < a->nvals; e++) {
    const uint64_t k = grid_axis_id(&a->col, a->by_row.idx[e]), at = grid_vector_start(&d->by_row, k);
    if (at == grid_vector_start(&d->by_row, k + 1)) {
      found = false;
      continue;
    }
    switch (to ? size : 0) {
      case 0:
        break;
      case 4:
        memcpy(to + 4 * e, val + 4 * at, 4);
        break;
      case 8:
        memcpy(to + 8 * e, val + 8 * at, 8);
        break;
      default:
        memcpy(to + size * e, val + size * at, size);
    }
  }
  return found;
}

/* The same of the row of a's entry e. */
static bool gather_by_rows(char *to, const grid_local_matrix *a, const grid_local_matrix *d) {
  const size_t size = d->type->size;
  bool found = true;
#pragma omp parallel for schedule(dynamic, 64) reduction(&& : found) if (a->nvals > 1 << 15)
  for (uint64_t r = 0; r < a->row.n; r++) {
    const uint64_t e = grid_vector_start(&a->by_row, r), n = grid_vector_start(&a->by_row, r + 1) - e,
                   k = grid_axis_id(&a->row, r), at = grid_vector_start(&d->by_row, k);
    if (n == 0) continue;
    if (at == grid_vector_start(&d->by_row, k + 1))
      found = false;
    else if (to)
      grid_value_fill(to + e * size, (const char *)d->by_row.val + at * size, size, n);
  }
  return found;
}

GrB_Info grid_scale_by_diagonal(grid_local_matrix *t, const grid_local_matrix *a, const grid_local_matrix *d,
                                GrB_BinaryOp mul, bool rows) {
  grid_local_matrix factors = {0};
  GrB_Info info;
  TRY(grid_lmat_share_pattern(&factors, a, d->type));
  if (d->iso) {
    TRY(grid_lmat_set_iso(&factors, d->iso_val));
  } else {
    factors.by_row.val = grid_malloc(a->nvals, d->type->size);
    if (!factors.by_row.val) TRY(grid_fail_memory(NULL, "a scaled matrix", a->nvals, d->type->size));
  }
  if (!(rows ? gather_by_rows : gather_by_columns)(factors.by_row.val, a, d)) TRY(GRID_UNSUPPORTED);
  grid_lmat_init(t, mul->z, a->row.dim, a->col.dim);
  info = rows ? grid_lmat_combine(t, &factors, a, mul) : grid_lmat_combine(t, a, &factors, mul);
done:
  grid_lmat_free(&factors);
  return info;
}
