/* parts.c: where an operation on parts is done: on the device if that is on and can, else on the host. */
#include "spmat/parts.h"

#include <stdio.h>

#include "spmat/backend.h"
#include "spmat/cpu/matrix/part_apply.h"
#include "spmat/cpu/place/part_diagonal.h"
#include "spmat/cpu/place/part_extract.h"
#include "spmat/cpu/place/part_full.h"
#include "spmat/cpu/join/part_intersect.h"
#include "spmat/cpu/place/part_kron.h"
#include "spmat/cpu/matrix/part_reduce.h"
#include "spmat/cpu/matrix/part_select.h"
#include "spmat/cpu/join/part_union.h"

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

static void begin(grid_part *z, const grid_part *like, GrB_Type type) {
  grid_part_init(z, type, like->row.dim, like->col.dim);
}

/* What is made in z will lie on the device. */
static grid_part *there(grid_part *z) {
  z->device = true;
  return z;
}

/* Offsets of so many rows, 4 bytes each, are made for a block that lists few, if they are no more than this,
 * or no more than so many for an entry. Columns likewise: the result lists none either, and its transpose, or
 * the other orientation, has offsets for all of them. */
enum { SHORT_AXIS = 1 << 22, EACH = 64 };

static bool may_move(const grid_part *p) {
  if (p->type->size > GRID_DEVICE_VALUE || !grid_is_made(&p->by_row) || grid_part_is_wide(p)) return false;
  return (!p->row.ids && !p->col.ids) || (p->row.dim <= UINT32_MAX && p->col.dim <= UINT32_MAX);
}

/* Is it cheap to have offsets for all of its vectors? */
static bool is_cheap(const grid_axis *a, uint64_t entries) {
  return !a->ids || a->dim <= SHORT_AXIS || a->dim / EACH <= entries;
}

GrB_Info grid_parts_lift(grid_lifted *l, const grid_part *p, bool paid) {
  *l = (grid_lifted){.p = p};
  if (!may_move(p)) return GRID_NOT_HERE;
  if (!paid && !(is_cheap(&p->row, p->nvals) && is_cheap(&p->col, p->nvals))) return GRID_NOT_HERE;
  const uint64_t refusals = grid_device_refusals();
  if (!p->row.ids && !p->col.ids) return grid_device_or_host(grid_part_to_device(p), refusals);
  GrB_Info info = GrB_SUCCESS;
  grid_part rows = {0}; /* the part itself goes there with both orientations or not at all */
  if (!p->device) {
    TRY(grid_part_copy_rows(&rows, p));
    TRY(grid_part_to_device(&rows));
  }
  begin(&l->own, p, p->type);
  l->p = &l->own;
  info = DEVICE->unlist(there(&l->own), p->device ? p : &rows);
done:
  if (!p->device) grid_part_free(&rows);
  if (info != GrB_SUCCESS) grid_lifted_free(l);
  return info == GrB_OUT_OF_MEMORY ? GRID_NOT_HERE : info; /* the host wants no copy */
}

void grid_lifted_free(grid_lifted *l) {
  if (l->p == &l->own) grid_part_free(&l->own);
  l->p = NULL;
}

/* What an operation on the device has; x, y, mask: NULL where there is none, or it has no entries. */
typedef struct {
  const grid_part *x, *y, *mask;
  grid_lifted at[3];
  uint64_t refusals; /* of device memory, before */
  bool full;         /* it is known without asking that there is no room */
} operands;

static void release(operands *o) {
  for (int k = 0; k < 3; k++) grid_lifted_free(&o->at[k]);
}

/* Is it cheap for part k, or has another operand all of so many anyway? */
static bool is_paid(const grid_part *const p[3], int k) {
  bool rows = is_cheap(&p[k]->row, p[k]->nvals), cols = is_cheap(&p[k]->col, p[k]->nvals);
  for (int j = 0; j < 3; j++) {
    if (is_empty(p[j])) continue;
    rows = rows || (!p[j]->row.ids && p[j]->row.dim == p[k]->row.dim);
    cols = cols || (!p[j]->col.ids && p[j]->col.dim == p[k]->col.dim);
  }
  return rows && cols;
}

/* Does none stay on the host? Under a limit: is what has to come there, and as much again for the result, no
 * more than it at all? Of a part that is larger nothing is sent in vain. */
static bool may_fit(const grid_part *const p[3]) {
  uint64_t bytes = 0;
  for (int k = 0; k < 3; k++)
    if (!is_empty(p[k]) && p[k]->stays) return false;
  if (!grid_device_limited()) return true;
  for (int k = 0; k < 3; k++) {
    const bool again = (k > 0 && p[k] == p[0]) || (k > 1 && p[k] == p[1]);
    if (!is_empty(p[k]) && !p[k]->device && !again) bytes += grid_part_bytes(p[k]);
  }
  return bytes <= (grid_device_limited() / 2) >> grid_device_squeezes();
}

/* Brings the operands (NULL: none) to the device; GRID_NOT_HERE when the host must do it. A block that lists
 * its rows or columns has all of them if that is cheap, or another has them anyway. */
static GrB_Info lift(operands *o, GrB_Type result, const grid_part *x, const grid_part *y,
                     const grid_part *mask) {
  const grid_part *const p[] = {x, y, mask}, **to[] = {&o->x, &o->y, &o->mask};
  GrB_Info info = GrB_SUCCESS;
  *o = (operands){.refusals = grid_device_refusals()};
  if (!grid_device_on() || !grid_parts_may_go || result->size > GRID_DEVICE_VALUE) return GRID_NOT_HERE;
  for (int k = 0; k < 3; k++) {
    if (is_empty(p[k])) continue;
    if (!may_move(p[k]) || !is_paid(p, k)) return GRID_NOT_HERE;
  }
  o->full = !may_fit(p);
  if (o->full) return GRID_NOT_HERE;
  for (int k = 0; k < 3 && info == GrB_SUCCESS; k++) {
    if (is_empty(p[k])) continue;
    info = grid_parts_lift(&o->at[k], p[k], true);
    *to[k] = o->at[k].p;
  }
  if (info != GrB_SUCCESS) release(o);
  return info;
}

/* Brings the operands to the host; says so when that is not where they should be. */
static GrB_Info lower(const operands *o, const char *what, const char *op, const grid_part *x,
                      const grid_part *y, const grid_part *mask) {
  const grid_part *const p[] = {x, y, mask};
  if (grid_device_on()) {
    const bool listed = (x && (x->row.ids || x->col.ids)) || (y && (y->row.ids || y->col.ids)) ||
                        (mask && (mask->row.ids || mask->col.ids));
    const bool full = o->full || grid_device_refusals() != o->refusals;
    char text[96];
    if (full)
      snprintf(text, sizeof text, "%s of matrices, for which the device has no room", what);
    else
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

/* The end of what the device did; where its memory was short, the host does it. A result without entries may
 * have been left without rows, too. */
static GrB_Info settle(operands *o, grid_part *z, GrB_Info info) {
  release(o);
  if (info != GrB_SUCCESS) grid_part_free(z);
  if (!grid_is_made(&z->by_row)) z->device = false;
  return grid_device_or_host(info, o->refusals);
}

/* ---- one part ------------------------------------------------------------------------------------------ */

GrB_Info grid_parts_apply(grid_part *z, const grid_part *a, GrB_UnaryOp op) {
  if (z == a) return grid_part_apply(z, a, op); /* where it is: on the host */
  begin(z, a, op->z);
  if (is_idle(a)) return GrB_SUCCESS;
  operands o;
  GrB_Info info = lift(&o, op->z, a, NULL, NULL);
  if (info == GrB_SUCCESS) info = settle(&o, z, DEVICE->apply(there(z), o.x, op));
  if (info == GRID_NOT_HERE && (info = lower(&o, "apply", op->name, a, NULL, NULL)) == GrB_SUCCESS)
    info = grid_part_apply(z, a, op);
  return info;
}

GrB_Info grid_parts_apply_bound(grid_part *z, const grid_part *a, GrB_BinaryOp op, const void *x,
                                bool first) {
  if (z == a) return grid_part_apply_bound(z, a, op, x, first);
  begin(z, a, op->z);
  if (is_idle(a)) return GrB_SUCCESS;
  operands o;
  GrB_Info info = lift(&o, op->z, a, NULL, NULL);
  if (info == GrB_SUCCESS) info = settle(&o, z, DEVICE->apply_bound(there(z), o.x, op, x, first));
  if (info == GRID_NOT_HERE && (info = lower(&o, "apply", op->name, a, NULL, NULL)) == GrB_SUCCESS)
    info = grid_part_apply_bound(z, a, op, x, first);
  return info;
}

GrB_Info grid_parts_apply_index(grid_part *z, const grid_part *a, GrB_IndexUnaryOp op, const void *y,
                                const grid_places *rows, const grid_places *cols) {
  begin(z, a, op->z);
  if (is_idle(a)) return GrB_SUCCESS;
  operands o;
  GrB_Info info = lift(&o, op->z, a, NULL, NULL);
  if (info == GrB_SUCCESS) info = settle(&o, z, DEVICE->apply_index(there(z), o.x, op, y, rows, cols));
  if (info == GRID_NOT_HERE && (info = lower(&o, "apply", op->name, a, NULL, NULL)) == GrB_SUCCESS)
    info = grid_part_apply_index(z, a, op, y, rows, cols);
  return info;
}

GrB_Info grid_parts_select(grid_part *z, const grid_part *a, GrB_IndexUnaryOp op, const void *y,
                           const grid_places *rows, const grid_places *cols) {
  begin(z, a, a->type);
  if (is_idle(a)) return GrB_SUCCESS;
  operands o;
  GrB_Info info = lift(&o, a->type, a, NULL, NULL);
  if (info == GrB_SUCCESS) info = settle(&o, z, DEVICE->select(there(z), o.x, op, y, rows, cols));
  if (info == GRID_NOT_HERE && (info = lower(&o, "select", op->name, a, NULL, NULL)) == GrB_SUCCESS)
    info = grid_part_select(z, a, op, y, rows, cols);
  return info;
}

GrB_Info grid_parts_sum(void *z, bool *present, const grid_part *p, GrB_Monoid monoid) {
  *present = p->nvals > 0;
  if (is_empty(p)) return GrB_SUCCESS;
  operands o;
  GrB_Info info = lift(&o, monoid->op->z, p, NULL, NULL);
  if (info == GrB_SUCCESS) {
    info = grid_device_or_host(DEVICE->sum(z, o.x, monoid->op), o.refusals);
    release(&o);
  }
  if (info == GRID_NOT_HERE && (info = lower(&o, "reduce", monoid->op->name, p, NULL, NULL)) == GrB_SUCCESS)
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
  GrB_Info info = GRID_NOT_HERE;
  const uint64_t refusals = grid_device_refusals();
  if (p->device && grid_device_on() && grid_parts_may_go && type->size <= GRID_DEVICE_VALUE &&
      (p->iso || !grid_part_is_wide(p)))
    info = grid_device_or_host(DEVICE->cast(p, type), refusals);
  if (info == GRID_NOT_HERE && (info = grid_part_to_host(p)) == GrB_SUCCESS) info = grid_part_cast(p, type);
  return info;
}

GrB_Info grid_parts_transposed(const grid_part *p, bool symmetric, grid_part *t) {
  grid_part_init(t, p->type, p->col.dim, p->row.dim);
  if (is_idle(p)) return GrB_SUCCESS;
  operands o;
  GrB_Info info = lift(&o, p->type, p, NULL, NULL);
  if (info == GrB_SUCCESS) info = settle(&o, t, DEVICE->transposed(o.x, symmetric, there(t)));
  if (info == GRID_NOT_HERE && (info = lower(&o, "transpose", "", p, NULL, NULL)) == GrB_SUCCESS)
    info = grid_part_transposed(p, symmetric, t);
  return info;
}

GrB_Info grid_parts_copy_rows(grid_part *t, const grid_part *p) {
  begin(t, p, p->type);
  if (is_idle(p)) return GrB_SUCCESS;
  operands o;
  GrB_Info info = lift(&o, p->type, p, NULL, NULL);
  if (info == GrB_SUCCESS) info = settle(&o, t, DEVICE->copy_rows(there(t), o.x));
  if (info == GRID_NOT_HERE && (info = lower(&o, "copy", "", p, NULL, NULL)) == GrB_SUCCESS)
    info = grid_part_copy_rows(t, p);
  return info;
}

GrB_Info grid_parts_extract(grid_part *t, const grid_part *p, const grid_index_set *I,
                            const grid_index_set *J) {
  if (is_idle(p)) return GrB_SUCCESS;
  operands o;
  GrB_Info info = lift(&o, p->type, p, NULL, NULL);
  if (info == GrB_SUCCESS) info = settle(&o, t, DEVICE->extract(there(t), o.x, I, J));
  if (info == GRID_NOT_HERE && (info = lower(&o, "extract", "", p, NULL, NULL)) == GrB_SUCCESS)
    info = grid_part_extract(t, p, I, J);
  return info;
}

GrB_Info grid_parts_spread(grid_part *t, const grid_part *p, const grid_index_set *I,
                           const grid_index_set *J) {
  if (is_idle(p)) return GrB_SUCCESS;
  operands o;
  GrB_Info info = lift(&o, p->type, p, NULL, NULL);
  if (info == GrB_SUCCESS) info = settle(&o, t, DEVICE->spread(there(t), o.x, I, J));
  if (info == GRID_NOT_HERE && (info = lower(&o, "spread", "", p, NULL, NULL)) == GrB_SUCCESS)
    info = grid_part_spread(t, p, I, J);
  return info;
}

/* ---- a vector ------------------------------------------------------------------------------------------ */

GrB_Info grid_parts_diagonal(grid_part *t, const grid_chunk *v, uint64_t row, uint64_t col) {
  const uint64_t refusals = grid_device_refusals();
  GrB_Info info = GRID_NOT_HERE;
  if (v->nvals == 0 && grid_device_on()) return GrB_SUCCESS;
  if (grid_device_on() && grid_parts_may_go && grid_chunk_may_move(v) && t->row.dim <= UINT32_MAX &&
      t->col.dim <= UINT32_MAX) {
    operands o = {.refusals = refusals};
    info = grid_device_or_host(grid_chunk_to_device(v), refusals);
    if (info == GrB_SUCCESS)
      info = settle(&o, t, DEVICE->diagonal(there(t), v, row, col, GRID_ONTO_DIAGONAL));
  }
  if (info != GRID_NOT_HERE) return info;
  if (grid_device_on())
    grid_fallback(grid_device_refusals() != refusals ? "a diagonal, for which the device has no room"
                                                     : "a diagonal of a few entries of many");
  return grid_part_diagonal(t, v, row, col);
}

GrB_Info grid_parts_point(grid_part *t, const grid_chunk *v, uint64_t limit, const void *one, bool *bad) {
  operands o = {.refusals = grid_device_refusals()};
  *bad = false;
  if (v->nvals == 0) return GrB_SUCCESS;
  if (!grid_parts_may_go || !grid_chunk_may_move(v) || grid_axis_wide(&t->row) || grid_axis_wide(&t->col))
    return GRID_NOT_HERE;
  GrB_Info info = grid_device_or_host(grid_chunk_to_device(v), o.refusals);
  if (info == GrB_SUCCESS) info = settle(&o, t, DEVICE->point(there(t), v, limit, bad));
  if (info == GrB_SUCCESS && (info = grid_part_set_one(t, one)) != GrB_SUCCESS) grid_part_free(t);
  return info;
}

/* ---- two parts and a mask ------------------------------------------------------------------------------ */

GrB_Info grid_parts_union(grid_part *z, const grid_union *u) {
  grid_union v = *u;
  if (is_empty(v.x)) v.x = NULL;
  if (is_empty(v.y)) v.y = NULL;
  if (!v.x && !v.y && grid_device_on()) return GrB_SUCCESS;
  operands o;
  GrB_Info info = lift(&o, z->type, v.x, v.y, v.mask);
  if (info == GrB_SUCCESS)
    info = settle(&o, z, (v.x = o.x, v.y = o.y, v.mask = o.mask, DEVICE->join(there(z), &v)));
  const char *op = u->op ? u->op->name : "";
  if (info == GRID_NOT_HERE &&
      (info = lower(&o, v.mask ? "masked union" : "union", op, u->x, u->y, u->mask)) == GrB_SUCCESS)
    info = grid_part_union(z, u);
  return info;
}

GrB_Info grid_parts_intersect(grid_part *z, const grid_part *x, const grid_part *y, GrB_BinaryOp op) {
  if (is_idle(x) || is_idle(y)) return GrB_SUCCESS;
  operands o;
  GrB_Info info = lift(&o, z->type, x, y, NULL);
  if (info == GrB_SUCCESS) info = settle(&o, z, DEVICE->intersect(there(z), o.x, o.y, op));
  if (info == GRID_NOT_HERE && (info = lower(&o, "eWiseMult", op->name, x, y, NULL)) == GrB_SUCCESS)
    info = grid_part_same_pattern(x, y) ? grid_part_combine(z, x, y, op) : grid_part_intersect(z, x, y, op);
  return info;
}

GrB_Info grid_parts_allowed(grid_part *t, const void *x, const grid_region *s, const grid_part *m,
                            bool structure) {
  const grid_region all = {{NULL, 0, t->row.dim}, {NULL, 0, t->col.dim}};
  if (is_idle(m)) return GrB_SUCCESS;
  operands o;
  GrB_Info info = lift(&o, t->type, m, NULL, NULL);
  if (info == GrB_SUCCESS) info = settle(&o, t, DEVICE->allowed(there(t), x, s, o.x, structure));
  if (info == GRID_NOT_HERE && (info = lower(&o, "a value under a mask", "", m, NULL, NULL)) == GrB_SUCCESS)
    info = grid_part_allowed(t, x, s ? s : &all, m, structure);
  return info;
}

GrB_Info grid_parts_full(grid_part *t, const void *x, const grid_region *s) {
  operands o;
  GrB_Info info = lift(&o, t->type, NULL, NULL, NULL);
  if (info == GrB_SUCCESS) info = settle(&o, t, DEVICE->full(there(t), x, s));
  if (info == GRID_NOT_HERE && (info = lower(&o, "a value in a region", "", NULL, NULL, NULL)) == GrB_SUCCESS)
    info = grid_part_full(t, x, s);
  return info;
}

GrB_Info grid_parts_assign(grid_part *z, const grid_part *c, const grid_part *t, const grid_region *s) {
  const grid_part *x = is_empty(c) ? NULL : c, *y = is_empty(t) ? NULL : t;
  if (!x && !y && grid_device_on()) return GrB_SUCCESS;
  operands o;
  GrB_Info info = lift(&o, z->type, x, y, NULL);
  if (info == GrB_SUCCESS) info = settle(&o, z, DEVICE->assign(there(z), o.x, o.y, s));
  if (info == GRID_NOT_HERE && (info = lower(&o, "assignment", "", c, t, NULL)) == GrB_SUCCESS)
    info = grid_part_assign(z, c, t, s);
  return info;
}

GrB_Info grid_parts_kron(grid_part *t, const grid_part *a, const grid_part *b, uint64_t rows, uint64_t cols,
                         GrB_BinaryOp op) {
  const grid_kron_block whole = {.q = t->row.dim, .chunks = 1, .R = 1, .cols = t->col.dim};
  if (is_idle(a) || is_idle(b)) return GrB_SUCCESS;
  operands o;
  GrB_Info info = lift(&o, t->type, a, b, NULL);
  if (info == GrB_SUCCESS) info = settle(&o, t, DEVICE->kron(there(t), o.x, o.y, rows, cols, op));
  if (info == GRID_NOT_HERE && (info = lower(&o, "Kronecker product", op->name, a, b, NULL)) == GrB_SUCCESS)
    info = grid_part_kron(t, a, b, rows, cols, op, &whole);
  return info;
}

/* ---- products ------------------------------------------------------------------------------------------ */

GrB_Info grid_parts_multiply(grid_part *t, const grid_parts_product *m) {
  operands o = {.refusals = grid_device_refusals()};
  return settle(&o, t, DEVICE->multiply(there(t), m));
}
