/* See lmat_write.h. */
#include "spmat/cpu/matrix/lmat_write.h"

#include "spmat/cpu/ewise/lmat_union.h"

/* z = t, moved. */
static GrB_Info move_result(grid_local_matrix *z, grid_local_matrix *t) {
  const GrB_Type type = z->type;
  GrB_Info info = t->type == type ? GrB_SUCCESS : grid_lmat_cast(t, type);
  if (info != GrB_SUCCESS) return info;
  *z = *t;
  grid_lmat_init(t, type, z->row.dim, z->col.dim);
  return info;
}

/* Is the result t alone? Then it is moved. */
static bool is_result_t(const grid_local_matrix *c, const grid_lmat_write_spec *w) {
  if (w->accum) return false;
  if (!w->mask) return !w->complement;
  return w->masked && (w->replace || c->nvals == 0);
}

/* Which entries of c and of t the result has, in terms of the mask. */
static grid_union plan(const grid_local_matrix *c, const grid_local_matrix *t,
                       const grid_lmat_write_spec *w) {
  grid_union u = {.x = c, .y = t, .side_x = GRID_SIDE_ALL, .side_y = GRID_SIDE_ALL};
  const grid_mask_side allowed = w->complement ? GRID_SIDE_OUTSIDE_MASK : GRID_SIDE_IN_MASK,
                       forbidden = w->complement ? GRID_SIDE_IN_MASK : GRID_SIDE_OUTSIDE_MASK;
  u.op = w->accum;
  if (!w->mask) return u;
  u.mask = w->mask, u.structure = w->structure;
  if (!w->masked) u.side_y = allowed;
  if (w->accum)
    u.side_x = w->replace ? allowed : GRID_SIDE_ALL;
  else
    u.side_x = w->replace ? GRID_SIDE_NONE : forbidden;
  return u;
}

GrB_Info grid_lmat_write_back(grid_local_matrix *z, const grid_local_matrix *c, grid_local_matrix *t,
                              const grid_lmat_write_spec *w) {
  GrB_Info info;
  const bool nothing = !w->mask && w->complement; /* is allowed */
  if (is_result_t(c, w)) {
    info = move_result(z, t);
  } else {
    grid_union u = plan(c, t, w);
    if (nothing) u.side_y = GRID_SIDE_NONE, u.side_x = w->replace ? GRID_SIDE_NONE : GRID_SIDE_ALL;
    if (u.side_x == GRID_SIDE_NONE) u.x = NULL;
    info = grid_lmat_union(z, &u);
  }
  grid_lmat_free(t);
  return info;
}
