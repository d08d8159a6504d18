/* parts.c: where an operation on parts is done: on the device if that is on and can, else on the host. */
#include "spmat/parts.h"

#include <stdio.h>

#include "spmat/backend.h"
#include "spmat/cpu/matrix/part_apply.h"
#include "spmat/cpu/matrix/part_diagonal.h"
#include "spmat/cpu/matrix/part_extract.h"
#include "spmat/cpu/matrix/part_full.h"
#include "spmat/cpu/matrix/part_intersect.h"
#include "spmat/cpu/matrix/part_reduce.h"
#include "spmat/cpu/matrix/part_select.h"
#include "spmat/cpu/matrix/part_union.h"

#define DEVICE grid_cuda->parts

bool grid_parts_may_go = true;

/* NULL, or one without entries, is anywhere. */
static bool is_empty(const grid_part *p) {
  return !p || p->nvals == 0;
}

/* With the device on nothing is made of nothing: a matrix that gets it makes rows of its own. */
static bool is_idle(const grid_part *p) {
  return grid_device_on() && is_empty(p);
}

static bool may_move(const grid_part *p) {
  return !p->row.ids && !p->col.ids && p->type->size <= GRID_DEVICE_VALUE && grid_is_made(&p->by_row) &&
         !grid_part_is_wide(p);
}

/* Brings the operands (NULL: none) to the device; GRID_NOT_HERE when the host must do it. */
static GrB_Info lift(GrB_Type result, const grid_part *x, const grid_part *y, const grid_part *mask) {
  const grid_part *const p[] = {x, y, mask};
  if (!grid_device_on() || !grid_parts_may_go || result->size > GRID_DEVICE_VALUE) return GRID_NOT_HERE;
  for (int k = 0; k < 3; k++)
    if (!is_empty(p[k]) && !may_move(p[k])) return GRID_NOT_HERE;
  for (int k = 0; k < 3; k++) {
    GrB_Info info = is_empty(p[k]) ? GrB_SUCCESS : grid_part_to_device(p[k]);
    if (info != GrB_SUCCESS) return info;
  }
  return GrB_SUCCESS;
}

/* Brings the operands to the host; says so when that is not where they should be. */
static GrB_Info lower(const char *what, const char *op, const grid_part *x, const grid_part *y,
                      const grid_part *mask) {
  const grid_part *const p[] = {x, y, mask};
  if (grid_device_on()) {
    const bool listed = (x && (x->row.ids || x->col.ids)) || (y && (y->row.ids || y->col.ids)) ||
                        (mask && (mask->row.ids || mask->col.ids));
    char text[96];
    snprintf(text, sizeof text, "%s of matrices%s%s%s", what, *op ? " with " : "", op,
             listed ? ", hypersparse blocks" : "");
    grid_fallback(text);
  }
  for (int k = 0; k < 3; k++) {
    GrB_Info info = p[k] ? grid_part_to_host(p[k]) : GrB_SUCCESS;
    if (info != GrB_SUCCESS) return info;
  }
  return GrB_SUCCESS;
}

/* The end of what the device did. */
static GrB_Info settle(grid_part *z, GrB_Info info) {
  if (info != GrB_SUCCESS) grid_part_free(z);
  return info;
}

static void begin(grid_part *z, const grid_part *like, GrB_Type type) {
  grid_part_init(z, type, like->row.dim, like->col.dim);
}

/* What is made in z will lie on the device. */
static grid_part *there(grid_part *z) {
  z->device = true;
  return z;
}

/* ---- one part ------------------------------------------------------------------------------------------ */

GrB_Info grid_parts_apply(grid_part *z, const grid_part *a, GrB_UnaryOp op) {
  if (z == a) return grid_part_apply(z, a, op); /* where it is: on the host */
  begin(z, a, op->z);
  if (is_idle(a)) return GrB_SUCCESS;
  GrB_Info info = lift(op->z, a, NULL, NULL);
  if (info == GrB_SUCCESS) info = settle(z, DEVICE->apply(there(z), a, op));
  if (info == GRID_NOT_HERE && (info = lower("apply", op->name, a, NULL, NULL)) == GrB_SUCCESS)
    info = grid_part_apply(z, a, op);
  return info;
}

GrB_Info grid_parts_apply_bound(grid_part *z, const grid_part *a, GrB_BinaryOp op, const void *x,
                                bool first) {
  if (z == a) return grid_part_apply_bound(z, a, op, x, first);
  begin(z, a, op->z);
  if (is_idle(a)) return GrB_SUCCESS;
  GrB_Info info = lift(op->z, a, NULL, NULL);
  if (info == GrB_SUCCESS) info = settle(z, DEVICE->apply_bound(there(z), a, op, x, first));
  if (info == GRID_NOT_HERE && (info = lower("apply", op->name, a, NULL, NULL)) == GrB_SUCCESS)
    info = grid_part_apply_bound(z, a, op, x, first);
  return info;
}

GrB_Info grid_parts_apply_index(grid_part *z, const grid_part *a, GrB_IndexUnaryOp op, const void *y,
                                const grid_places *rows, const grid_places *cols) {
  begin(z, a, op->z);
  if (is_idle(a)) return GrB_SUCCESS;
  GrB_Info info = lift(op->z, a, NULL, NULL);
  if (info == GrB_SUCCESS) info = settle(z, DEVICE->apply_index(there(z), a, op, y, rows, cols));
  if (info == GRID_NOT_HERE && (info = lower("apply", op->name, a, NULL, NULL)) == GrB_SUCCESS)
    info = grid_part_apply_index(z, a, op, y, rows, cols);
  return info;
}

GrB_Info grid_parts_select(grid_part *z, const grid_part *a, GrB_IndexUnaryOp op, const void *y,
                           const grid_places *rows, const grid_places *cols) {
  begin(z, a, a->type);
  if (is_idle(a)) return GrB_SUCCESS;
  GrB_Info info = lift(a->type, a, NULL, NULL);
  if (info == GrB_SUCCESS) info = settle(z, DEVICE->select(there(z), a, op, y, rows, cols));
  if (info == GRID_NOT_HERE && (info = lower("select", op->name, a, NULL, NULL)) == GrB_SUCCESS)
    info = grid_part_select(z, a, op, y, rows, cols);
  return info;
}

GrB_Info grid_parts_sum(void *z, bool *present, const grid_part *p, GrB_Monoid monoid) {
  *present = p->nvals > 0;
  if (is_empty(p)) return GrB_SUCCESS;
  GrB_Info info = lift(monoid->op->z, p, NULL, NULL);
  if (info == GrB_SUCCESS) info = DEVICE->sum(z, p, monoid->op);
  if (info == GRID_NOT_HERE && (info = lower("reduce", monoid->op->name, p, NULL, NULL)) == GrB_SUCCESS)
    info = grid_part_sum(z, present, p, monoid);
  return info;
}

GrB_Info grid_parts_cast(grid_part *p, GrB_Type type) {
  if (p->type == type) return GrB_SUCCESS;
  if (is_idle(p)) { /* its rows, if it has any, hold nothing */
    const grid_axis row = p->row, col = p->col;
    grid_part_free(p);
    grid_part_init(p, type, row.dim, col.dim);
    return GrB_SUCCESS;
  }
  GrB_Info info = p->device ? lift(type, p, NULL, NULL) : GRID_NOT_HERE;
  if (info == GrB_SUCCESS) info = DEVICE->cast(p, type);
  if (info == GRID_NOT_HERE && (info = grid_part_to_host(p)) == GrB_SUCCESS) info = grid_part_cast(p, type);
  return info;
}

GrB_Info grid_parts_transposed(const grid_part *p, bool symmetric, grid_part *t) {
  grid_part_init(t, p->type, p->col.dim, p->row.dim);
  if (is_idle(p)) return GrB_SUCCESS;
  GrB_Info info = lift(p->type, p, NULL, NULL);
  if (info == GrB_SUCCESS) info = settle(t, DEVICE->transposed(p, symmetric, there(t)));
  if (info == GRID_NOT_HERE && (info = lower("transpose", "", p, NULL, NULL)) == GrB_SUCCESS)
    info = grid_part_transposed(p, symmetric, t);
  return info;
}

GrB_Info grid_parts_copy_rows(grid_part *t, const grid_part *p) {
  begin(t, p, p->type);
  if (is_idle(p)) return GrB_SUCCESS;
  GrB_Info info = lift(p->type, p, NULL, NULL);
  if (info == GrB_SUCCESS) info = settle(t, DEVICE->copy_rows(there(t), p));
  if (info == GRID_NOT_HERE && (info = lower("copy", "", p, NULL, NULL)) == GrB_SUCCESS)
    info = grid_part_copy_rows(t, p);
  return info;
}

GrB_Info grid_parts_extract(grid_part *t, const grid_part *p, const grid_index_set *I,
                            const grid_index_set *J) {
  if (is_idle(p)) return GrB_SUCCESS;
  GrB_Info info = lift(p->type, p, NULL, NULL);
  if (info == GrB_SUCCESS) info = settle(t, DEVICE->extract(there(t), p, I, J));
  if (info == GRID_NOT_HERE && (info = lower("extract", "", p, NULL, NULL)) == GrB_SUCCESS)
    info = grid_part_extract(t, p, I, J);
  return info;
}

/* ---- a vector ------------------------------------------------------------------------------------------ */

GrB_Info grid_parts_diagonal(grid_part *t, const grid_chunk *v, uint64_t row, uint64_t col) {
  GrB_Info info = GRID_NOT_HERE;
  if (v->nvals == 0 && grid_device_on()) return GrB_SUCCESS;
  if (grid_device_on() && grid_parts_may_go && grid_chunk_may_move(v) && t->row.dim <= UINT32_MAX &&
      t->col.dim <= UINT32_MAX && v->nvals >= t->row.dim / GRID_HYPER &&
      v->nvals >= t->col.dim / GRID_HYPER) {
    info = grid_chunk_to_device(v);
    if (info == GrB_SUCCESS) info = settle(t, DEVICE->diagonal(there(t), v, row, col));
  }
  if (info != GRID_NOT_HERE) return info;
  if (grid_device_on()) grid_fallback("a diagonal of a few entries");
  return grid_part_diagonal(t, v, row, col);
}

/* ---- two parts and a mask ------------------------------------------------------------------------------ */

GrB_Info grid_parts_union(grid_part *z, const grid_union *u) {
  grid_union v = *u;
  if (is_empty(v.x)) v.x = NULL;
  if (is_empty(v.y)) v.y = NULL;
  if (!v.x && !v.y && grid_device_on()) return GrB_SUCCESS;
  GrB_Info info = lift(z->type, v.x, v.y, v.mask);
  if (info == GrB_SUCCESS) info = settle(z, DEVICE->join(there(z), &v));
  const char *op = u->op ? u->op->name : "";
  if (info == GRID_NOT_HERE &&
      (info = lower(v.mask ? "masked union" : "union", op, u->x, u->y, u->mask)) == GrB_SUCCESS)
    info = grid_part_union(z, u);
  return info;
}

GrB_Info grid_parts_intersect(grid_part *z, const grid_part *x, const grid_part *y, GrB_BinaryOp op) {
  if (is_idle(x) || is_idle(y)) return GrB_SUCCESS;
  GrB_Info info = lift(z->type, x, y, NULL);
  if (info == GrB_SUCCESS) info = settle(z, DEVICE->intersect(there(z), x, y, op));
  if (info == GRID_NOT_HERE && (info = lower("eWiseMult", op->name, x, y, NULL)) == GrB_SUCCESS)
    info = grid_part_same_pattern(x, y) ? grid_part_combine(z, x, y, op) : grid_part_intersect(z, x, y, op);
  return info;
}

GrB_Info grid_parts_allowed(grid_part *t, const void *x, const grid_part *m, bool structure) {
  const grid_region all = {{NULL, 0, t->row.dim}, {NULL, 0, t->col.dim}};
  if (is_idle(m)) return GrB_SUCCESS;
  GrB_Info info = lift(t->type, m, NULL, NULL);
  if (info == GrB_SUCCESS) info = settle(t, DEVICE->allowed(there(t), x, m, structure));
  if (info == GRID_NOT_HERE && (info = lower("a value under a mask", "", m, NULL, NULL)) == GrB_SUCCESS)
    info = grid_part_allowed(t, x, &all, m, structure);
  return info;
}

/* ---- products ------------------------------------------------------------------------------------------ */

GrB_Info grid_parts_multiply(grid_part *t, const grid_parts_product *m) {
  return settle(t, DEVICE->multiply(there(t), m));
}
