/* part_write.c: see part_write.h. */
#include "spmat/cpu/matrix/part_write.h"

#include "spmat/cpu/join/part_union.h"

/* t as it is. */
static GrB_Info take(grid_part *z, grid_part *t) {
  const GrB_Type type = z->type;
  GrB_Info info = t->type == type ? GrB_SUCCESS : grid_parts_cast(t, type);
  if (info != GrB_SUCCESS) return info;
  *z = *t;
  grid_part_init(t, type, z->row.dim, z->col.dim);
  return info;
}

/* Is the result t alone? Then it moves. */
static bool is_t(const grid_part *c, const grid_part_writing *w) {
  if (w->accum) return false;
  if (!w->mask) return !w->complement;
  return w->masked && (w->replace || c->nvals == 0);
}

/* What stays of c and what comes from t, in terms of the mask's entries. */
static grid_union plan(const grid_part *c, const grid_part *t, const grid_part_writing *w) {
  grid_union u = {.x = c, .y = t, .keep_x = GRID_KEEP_ALL, .keep_y = GRID_KEEP_ALL};
  const grid_keep allowed = w->complement ? GRID_KEEP_OUT : GRID_KEEP_IN,
                  forbidden = w->complement ? GRID_KEEP_IN : GRID_KEEP_OUT;
  u.op = w->accum;
  if (!w->mask) return u;
  u.mask = w->mask, u.structure = w->structure;
  if (!w->masked) u.keep_y = allowed;
  if (w->accum)
    u.keep_x = w->replace ? allowed : GRID_KEEP_ALL;
  else
    u.keep_x = w->replace ? GRID_KEEP_NONE : forbidden;
  return u;
}

GrB_Info grid_part_write(grid_part *z, const grid_part *c, grid_part *t, const grid_part_writing *w) {
  GrB_Info info;
  const bool nothing = !w->mask && w->complement; /* is allowed */
  if (is_t(c, w)) {
    info = take(z, t);
  } else {
    grid_union u = plan(c, t, w);
    if (nothing) u.keep_y = GRID_KEEP_NONE, u.keep_x = w->replace ? GRID_KEEP_NONE : GRID_KEEP_ALL;
    if (u.keep_x == GRID_KEEP_NONE) u.x = NULL;
    info = grid_parts_union(z, &u);
  }
  grid_part_free(t);
  return info;
}
