/* lmat_dispatch.c: where an operation on parts is done: on the device if that is on and can, else on the
 * host. */
#include "spmat/lmat_ops.h"

#include <stdio.h>

#include "semiring/support/tuning.h"
#include "spmat/backend.h"
#include "spmat/cpu/matrix/lmat_apply.h"
#include "spmat/cpu/index/lmat_diagonal.h"
#include "spmat/cpu/index/lmat_extract.h"
#include "spmat/cpu/index/lmat_fill_value.h"
#include "spmat/cpu/ewise/lmat_intersect.h"
#include "spmat/cpu/index/lmat_kronecker.h"
#include "spmat/cpu/matrix/lmat_reduce.h"
#include "spmat/cpu/matrix/lmat_select.h"
#include "spmat/cpu/ewise/lmat_union.h"

#define DEVICE grid_cuda->lmat_ops

/* NULL, or one without entries, is anywhere. */
static bool is_empty(const grid_local_matrix *p) {
  return !p || p->nvals == 0;
}

/* With the device on nothing is made of nothing: a matrix that gets it makes rows of its own. */
static bool is_idle(const grid_local_matrix *p) {
  return grid_device_is_on() && is_empty(p);
}

static void begin(grid_local_matrix *z, const grid_local_matrix *like, GrB_Type type) {
  grid_lmat_init(z, type, like->row.dim, like->col.dim);
}

/* What is made in z will lie on the device. */
static grid_local_matrix *on_device(grid_local_matrix *z) {
  z->device = true;
  return z;
}

/* Offsets of so many rows, 4 bytes each, are made for a block that lists few, if they are no more than this,
 * or no more than so many for an entry. Columns likewise: the result lists none either, and its transpose, or
 * the other orientation, has offsets for all of them. */
enum { SHORT_AXIS = 1 << 22, IDS_PER_ENTRY = 64 };

static bool can_move(const grid_local_matrix *p) {
  if (p->type->size > GRID_DEVICE_VALUE_MAX || !grid_compressed_is_built(&p->by_row) || grid_lmat_is_wide(p))
    return false;
  return (!p->row.ids && !p->col.ids) || (p->row.dim <= UINT32_MAX && p->col.dim <= UINT32_MAX);
}

/* Is it cheap to have offsets for all of its vectors? */
static bool is_expandable_axis(const grid_axis *a, uint64_t entries) {
  return !a->ids || a->dim <= SHORT_AXIS || a->dim / IDS_PER_ENTRY <= entries;
}

GrB_Info grid_lmat_operand_to_device(grid_device_operand *l, const grid_local_matrix *p, bool paid) {
  *l = (grid_device_operand){.p = p};
  if (!can_move(p)) return GRID_UNSUPPORTED;
  if (!paid && !(is_expandable_axis(&p->row, p->nvals) && is_expandable_axis(&p->col, p->nvals)))
    return GRID_UNSUPPORTED;
  const uint64_t refusals = grid_device_oom_count();
  if (!p->row.ids && !p->col.ids) return grid_device_oom_to_unsupported(grid_lmat_to_device(p), refusals);
  GrB_Info info = GrB_SUCCESS;
  grid_local_matrix rows = {0}; /* the part itself goes there with both orientations or not at all */
  if (!p->device) {
    TRY(grid_cpu_lmat_copy_rows(&rows, p));
    TRY(grid_lmat_to_device(&rows));
  }
  begin(&l->copy, p, p->type);
  l->p = &l->copy;
  info = DEVICE->expand_hyper(on_device(&l->copy), p->device ? p : &rows);
done:
  if (!p->device) grid_lmat_free(&rows);
  if (info != GrB_SUCCESS) grid_device_operand_free(l);
  return info == GrB_OUT_OF_MEMORY ? GRID_UNSUPPORTED : info; /* the host wants no copy */
}

void grid_device_operand_free(grid_device_operand *l) {
  if (l->p == &l->copy) grid_lmat_free(&l->copy);
  l->p = NULL;
}

/* What an operation on the device has; x, y, mask: NULL where there is none, or it has no entries. */
typedef struct {
  const grid_local_matrix *x, *y, *mask;
  grid_device_operand at[3];
  uint64_t refusals; /* of device memory, before */
  bool full;         /* it is known without asking that there is no room */
} operands;

static void release(operands *o) {
  for (int k = 0; k < 3; k++) grid_device_operand_free(&o->at[k]);
}

/* Is it cheap for part k, or has another operand all of so many anyway? */
static bool is_expansion_paid(const grid_local_matrix *const p[3], int k) {
  bool rows = is_expandable_axis(&p[k]->row, p[k]->nvals), cols = is_expandable_axis(&p[k]->col, p[k]->nvals);
  for (int j = 0; j < 3; j++) {
    if (is_empty(p[j])) continue;
    rows = rows || (!p[j]->row.ids && p[j]->row.dim == p[k]->row.dim);
    cols = cols || (!p[j]->col.ids && p[j]->col.dim == p[k]->col.dim);
  }
  return rows && cols;
}

/* Does none stay on the host? Under a limit: is what has to come there, and as much again for the result, no
 * more than it at all? Of a part that is larger nothing is sent in vain. */
static bool can_fit(const grid_local_matrix *const p[3]) {
  uint64_t bytes = 0;
  for (int k = 0; k < 3; k++)
    if (!is_empty(p[k]) && p[k]->host_resident) return false;
  if (!grid_device_get_limit()) return true;
  for (int k = 0; k < 3; k++) {
    const bool operand_repeated = (k > 0 && p[k] == p[0]) || (k > 1 && p[k] == p[1]);
    if (!is_empty(p[k]) && !p[k]->device && !operand_repeated) bytes += grid_lmat_bytes(p[k]);
  }
  return bytes <= (grid_device_get_limit() / 2) >> grid_device_memory_pressure();
}

/* Brings the operands (NULL: none) to the device; GRID_UNSUPPORTED when the host must do it. A block that
 * lists its rows or columns has all of them if that is cheap, or another has them anyway. */
static GrB_Info operands_to_device(operands *o, GrB_Type result, const grid_local_matrix *x,
                                   const grid_local_matrix *y, const grid_local_matrix *mask) {
  const grid_local_matrix *const p[] = {x, y, mask}, **to[] = {&o->x, &o->y, &o->mask};
  GrB_Info info = GrB_SUCCESS;
  *o = (operands){.refusals = grid_device_oom_count()};
  if (!grid_device_is_on() || !grid_tune.matrix_device || result->size > GRID_DEVICE_VALUE_MAX)
    return GRID_UNSUPPORTED;
  for (int k = 0; k < 3; k++) {
    if (is_empty(p[k])) continue;
    if (!can_move(p[k]) || !is_expansion_paid(p, k)) return GRID_UNSUPPORTED;
  }
  o->full = !can_fit(p);
  if (o->full) return GRID_UNSUPPORTED;
  for (int k = 0; k < 3 && info == GrB_SUCCESS; k++) {
    if (is_empty(p[k])) continue;
    info = grid_lmat_operand_to_device(&o->at[k], p[k], true);
    *to[k] = o->at[k].p;
  }
  if (info != GrB_SUCCESS) release(o);
  return info;
}

/* Brings the operands to the host; says so when that is not where they should be. */
static GrB_Info operands_to_host(const operands *o, const char *what, const char *op,
                                 const grid_local_matrix *x, const grid_local_matrix *y,
                                 const grid_local_matrix *mask) {
  const grid_local_matrix *const p[] = {x, y, mask};
  if (grid_device_is_on()) {
    const bool hypersparse = (x && (x->row.ids || x->col.ids)) || (y && (y->row.ids || y->col.ids)) ||
                             (mask && (mask->row.ids || mask->col.ids));
    const bool full = o->full || grid_device_oom_count() != o->refusals;
    char text[96];
    if (full)
      snprintf(text, sizeof text, "%s of matrices, for which the device has no room", what);
    else
      snprintf(text, sizeof text, "%s of matrices%s%s%s", what, *op ? " with " : "", op,
               hypersparse ? ", hypersparse blocks" : "");
    grid_report_fallback(text);
  }
  for (int k = 0; k < 3; k++) {
    GrB_Info info = p[k] ? grid_lmat_to_host(p[k]) : GrB_SUCCESS;
    if (info != GrB_SUCCESS) return info;
  }
  return GrB_SUCCESS;
}

/* The end of what the device did; where its memory was short, the host does it. A result without entries may
 * have been left without rows, too. */
static GrB_Info finish_on_device(operands *o, grid_local_matrix *z, GrB_Info info) {
  release(o);
  if (info != GrB_SUCCESS) grid_lmat_free(z);
  if (!grid_compressed_is_built(&z->by_row)) z->device = false;
  return grid_device_oom_to_unsupported(info, o->refusals);
}

/* ---- one part ------------------------------------------------------------------------------------------ */

GrB_Info grid_lmat_apply(grid_local_matrix *z, const grid_local_matrix *a, GrB_UnaryOp op) {
  if (z == a) return grid_cpu_lmat_apply(z, a, op); /* where it is: on the host */
  begin(z, a, op->z);
  if (is_idle(a)) return GrB_SUCCESS;
  operands o;
  GrB_Info info = operands_to_device(&o, op->z, a, NULL, NULL);
  if (info == GrB_SUCCESS) info = finish_on_device(&o, z, DEVICE->apply(on_device(z), o.x, op));
  if (info == GRID_UNSUPPORTED &&
      (info = operands_to_host(&o, "apply", op->name, a, NULL, NULL)) == GrB_SUCCESS)
    info = grid_cpu_lmat_apply(z, a, op);
  return info;
}

GrB_Info grid_lmat_apply_bound(grid_local_matrix *z, const grid_local_matrix *a, GrB_BinaryOp op,
                               const void *x, bool first) {
  if (z == a) return grid_cpu_lmat_apply_bound(z, a, op, x, first);
  begin(z, a, op->z);
  if (is_idle(a)) return GrB_SUCCESS;
  operands o;
  GrB_Info info = operands_to_device(&o, op->z, a, NULL, NULL);
  if (info == GrB_SUCCESS)
    info = finish_on_device(&o, z, DEVICE->apply_bound(on_device(z), o.x, op, x, first));
  if (info == GRID_UNSUPPORTED &&
      (info = operands_to_host(&o, "apply", op->name, a, NULL, NULL)) == GrB_SUCCESS)
    info = grid_cpu_lmat_apply_bound(z, a, op, x, first);
  return info;
}

GrB_Info grid_lmat_apply_index(grid_local_matrix *z, const grid_local_matrix *a, GrB_IndexUnaryOp op,
                               const void *y, const grid_index_map *rows, const grid_index_map *cols) {
  begin(z, a, op->z);
  if (is_idle(a)) return GrB_SUCCESS;
  operands o;
  GrB_Info info = operands_to_device(&o, op->z, a, NULL, NULL);
  if (info == GrB_SUCCESS)
    info = finish_on_device(&o, z, DEVICE->apply_index(on_device(z), o.x, op, y, rows, cols));
  if (info == GRID_UNSUPPORTED &&
      (info = operands_to_host(&o, "apply", op->name, a, NULL, NULL)) == GrB_SUCCESS)
    info = grid_cpu_lmat_apply_index(z, a, op, y, rows, cols);
  return info;
}

GrB_Info grid_lmat_select(grid_local_matrix *z, const grid_local_matrix *a, GrB_IndexUnaryOp op,
                          const void *y, const grid_index_map *rows, const grid_index_map *cols) {
  begin(z, a, a->type);
  if (is_idle(a)) return GrB_SUCCESS;
  operands o;
  GrB_Info info = operands_to_device(&o, a->type, a, NULL, NULL);
  if (info == GrB_SUCCESS)
    info = finish_on_device(&o, z, DEVICE->select(on_device(z), o.x, op, y, rows, cols));
  if (info == GRID_UNSUPPORTED &&
      (info = operands_to_host(&o, "select", op->name, a, NULL, NULL)) == GrB_SUCCESS)
    info = grid_cpu_lmat_select(z, a, op, y, rows, cols);
  return info;
}

GrB_Info grid_lmat_sum(void *z, bool *present, const grid_local_matrix *p, GrB_Monoid monoid) {
  *present = p->nvals > 0;
  if (is_empty(p)) return GrB_SUCCESS;
  operands o;
  GrB_Info info = operands_to_device(&o, monoid->op->z, p, NULL, NULL);
  if (info == GrB_SUCCESS) {
    info = grid_device_oom_to_unsupported(DEVICE->sum(z, o.x, monoid->op), o.refusals);
    release(&o);
  }
  if (info == GRID_UNSUPPORTED &&
      (info = operands_to_host(&o, "reduce", monoid->op->name, p, NULL, NULL)) == GrB_SUCCESS)
    info = grid_cpu_lmat_sum(z, present, p, monoid);
  return info;
}

GrB_Info grid_lmat_cast(grid_local_matrix *p, GrB_Type type) {
  if (p->type == type) return GrB_SUCCESS;
  if (is_idle(p)) { /* its rows, if it has any, hold nothing */
    const grid_axis row = p->row, col = p->col;
    grid_lmat_free(p);
    grid_lmat_init(p, type, row.dim, col.dim);
    return GrB_SUCCESS;
  }
  GrB_Info info = GRID_UNSUPPORTED;
  const uint64_t refusals = grid_device_oom_count();
  if (p->device && grid_device_is_on() && grid_tune.matrix_device && type->size <= GRID_DEVICE_VALUE_MAX &&
      (p->iso || !grid_lmat_is_wide(p)))
    info = grid_device_oom_to_unsupported(DEVICE->cast(p, type), refusals);
  if (info == GRID_UNSUPPORTED && (info = grid_lmat_to_host(p)) == GrB_SUCCESS)
    info = grid_cpu_lmat_cast(p, type);
  return info;
}

GrB_Info grid_lmat_transpose(const grid_local_matrix *p, bool symmetric, grid_local_matrix *t) {
  grid_lmat_init(t, p->type, p->col.dim, p->row.dim);
  if (is_idle(p)) return GrB_SUCCESS;
  operands o;
  GrB_Info info = operands_to_device(&o, p->type, p, NULL, NULL);
  if (info == GrB_SUCCESS) info = finish_on_device(&o, t, DEVICE->transposed(o.x, symmetric, on_device(t)));
  if (info == GRID_UNSUPPORTED &&
      (info = operands_to_host(&o, "transpose", "", p, NULL, NULL)) == GrB_SUCCESS)
    info = grid_cpu_lmat_transpose(p, symmetric, t);
  return info;
}

GrB_Info grid_lmat_copy_rows(grid_local_matrix *t, const grid_local_matrix *p) {
  begin(t, p, p->type);
  if (is_idle(p)) return GrB_SUCCESS;
  operands o;
  GrB_Info info = operands_to_device(&o, p->type, p, NULL, NULL);
  if (info == GrB_SUCCESS) info = finish_on_device(&o, t, DEVICE->copy_rows(on_device(t), o.x));
  if (info == GRID_UNSUPPORTED && (info = operands_to_host(&o, "copy", "", p, NULL, NULL)) == GrB_SUCCESS)
    info = grid_cpu_lmat_copy_rows(t, p);
  return info;
}

GrB_Info grid_lmat_extract(grid_local_matrix *t, const grid_local_matrix *p, const grid_index_set *I,
                           const grid_index_set *J) {
  if (is_idle(p)) return GrB_SUCCESS;
  operands o;
  GrB_Info info = operands_to_device(&o, p->type, p, NULL, NULL);
  if (info == GrB_SUCCESS) info = finish_on_device(&o, t, DEVICE->extract(on_device(t), o.x, I, J));
  if (info == GRID_UNSUPPORTED && (info = operands_to_host(&o, "extract", "", p, NULL, NULL)) == GrB_SUCCESS)
    info = grid_cpu_lmat_extract(t, p, I, J);
  return info;
}

GrB_Info grid_lmat_scatter(grid_local_matrix *t, const grid_local_matrix *p, const grid_index_set *I,
                           const grid_index_set *J) {
  if (is_idle(p)) return GrB_SUCCESS;
  operands o;
  GrB_Info info = operands_to_device(&o, p->type, p, NULL, NULL);
  if (info == GrB_SUCCESS) info = finish_on_device(&o, t, DEVICE->spread(on_device(t), o.x, I, J));
  if (info == GRID_UNSUPPORTED && (info = operands_to_host(&o, "spread", "", p, NULL, NULL)) == GrB_SUCCESS)
    info = grid_cpu_lmat_scatter(t, p, I, J);
  return info;
}

/* ---- a vector ------------------------------------------------------------------------------------------ */

GrB_Info grid_lmat_diagonal(grid_local_matrix *t, const grid_chunk *v, uint64_t row, uint64_t col) {
  const uint64_t refusals = grid_device_oom_count();
  GrB_Info info = GRID_UNSUPPORTED;
  if (v->nvals == 0 && grid_device_is_on()) return GrB_SUCCESS;
  if (grid_device_is_on() && grid_tune.matrix_device && grid_chunk_can_move(v) && t->row.dim <= UINT32_MAX &&
      t->col.dim <= UINT32_MAX) {
    operands o = {.refusals = refusals};
    info = grid_device_oom_to_unsupported(grid_chunk_to_device(v), refusals);
    if (info == GrB_SUCCESS)
      info = finish_on_device(&o, t, DEVICE->diagonal(on_device(t), v, row, col, GRID_ONTO_DIAGONAL));
  }
  if (info != GRID_UNSUPPORTED) return info;
  if (grid_device_is_on())
    grid_report_fallback(grid_device_oom_count() != refusals ? "a diagonal, for which the device has no room"
                                                             : "a diagonal of a few entries of many");
  return grid_cpu_lmat_diagonal(t, v, row, col);
}

GrB_Info grid_lmat_index_matrix(grid_local_matrix *t, const grid_chunk *v, uint64_t limit, const void *one,
                                bool *bad) {
  operands o = {.refusals = grid_device_oom_count()};
  *bad = false;
  if (v->nvals == 0) return GrB_SUCCESS;
  if (!grid_tune.matrix_device || !grid_chunk_can_move(v) || grid_axis_has_ids64(&t->row) ||
      grid_axis_has_ids64(&t->col))
    return GRID_UNSUPPORTED;
  GrB_Info info = grid_device_oom_to_unsupported(grid_chunk_to_device(v), o.refusals);
  if (info == GrB_SUCCESS) info = finish_on_device(&o, t, DEVICE->point(on_device(t), v, limit, bad));
  if (info == GrB_SUCCESS && (info = grid_lmat_set_iso(t, one)) != GrB_SUCCESS) grid_lmat_free(t);
  return info;
}

/* ---- two parts and a mask ------------------------------------------------------------------------------ */

GrB_Info grid_lmat_union(grid_local_matrix *z, const grid_union *u) {
  grid_union v = *u;
  if (is_empty(v.x)) v.x = NULL;
  if (is_empty(v.y)) v.y = NULL;
  if (!v.x && !v.y && grid_device_is_on()) return GrB_SUCCESS;
  operands o;
  GrB_Info info = operands_to_device(&o, z->type, v.x, v.y, v.mask);
  if (info == GrB_SUCCESS)
    info = finish_on_device(&o, z,
                            (v.x = o.x, v.y = o.y, v.mask = o.mask, DEVICE->ewise_union(on_device(z), &v)));
  const char *op = u->op ? u->op->name : "";
  if (info == GRID_UNSUPPORTED && (info = operands_to_host(&o, v.mask ? "masked union" : "union", op, u->x,
                                                           u->y, u->mask)) == GrB_SUCCESS)
    info = grid_cpu_lmat_union(z, u);
  return info;
}

GrB_Info grid_lmat_intersect(grid_local_matrix *z, const grid_local_matrix *x, const grid_local_matrix *y,
                             GrB_BinaryOp op) {
  if (is_idle(x) || is_idle(y)) return GrB_SUCCESS;
  operands o;
  GrB_Info info = operands_to_device(&o, z->type, x, y, NULL);
  if (info == GrB_SUCCESS) info = finish_on_device(&o, z, DEVICE->intersect(on_device(z), o.x, o.y, op));
  if (info == GRID_UNSUPPORTED &&
      (info = operands_to_host(&o, "eWiseMult", op->name, x, y, NULL)) == GrB_SUCCESS)
    info =
        grid_lmat_same_pattern(x, y) ? grid_lmat_combine(z, x, y, op) : grid_cpu_lmat_intersect(z, x, y, op);
  return info;
}

GrB_Info grid_lmat_fill_mask(grid_local_matrix *t, const void *x, const grid_region *s,
                             const grid_local_matrix *m, bool structure) {
  const grid_region all = {{NULL, 0, t->row.dim}, {NULL, 0, t->col.dim}};
  if (is_idle(m)) return GrB_SUCCESS;
  operands o;
  GrB_Info info = operands_to_device(&o, t->type, m, NULL, NULL);
  if (info == GrB_SUCCESS)
    info = finish_on_device(&o, t, DEVICE->allowed(on_device(t), x, s, o.x, structure));
  if (info == GRID_UNSUPPORTED &&
      (info = operands_to_host(&o, "a value under a mask", "", m, NULL, NULL)) == GrB_SUCCESS)
    info = grid_cpu_lmat_fill_mask(t, x, s ? s : &all, m, structure);
  return info;
}

GrB_Info grid_lmat_fill_region(grid_local_matrix *t, const void *x, const grid_region *s) {
  operands o;
  GrB_Info info = operands_to_device(&o, t->type, NULL, NULL, NULL);
  if (info == GrB_SUCCESS) info = finish_on_device(&o, t, DEVICE->full(on_device(t), x, s));
  if (info == GRID_UNSUPPORTED &&
      (info = operands_to_host(&o, "a value in a region", "", NULL, NULL, NULL)) == GrB_SUCCESS)
    info = grid_cpu_lmat_fill_region(t, x, s);
  return info;
}

GrB_Info grid_lmat_assign(grid_local_matrix *z, const grid_local_matrix *c, const grid_local_matrix *t,
                          const grid_region *s) {
  const grid_local_matrix *x = is_empty(c) ? NULL : c, *y = is_empty(t) ? NULL : t;
  if (!x && !y && grid_device_is_on()) return GrB_SUCCESS;
  operands o;
  GrB_Info info = operands_to_device(&o, z->type, x, y, NULL);
  if (info == GrB_SUCCESS) info = finish_on_device(&o, z, DEVICE->assign(on_device(z), o.x, o.y, s));
  if (info == GRID_UNSUPPORTED && (info = operands_to_host(&o, "assignment", "", c, t, NULL)) == GrB_SUCCESS)
    info = grid_cpu_lmat_assign(z, c, t, s);
  return info;
}

GrB_Info grid_lmat_kron(grid_local_matrix *t, const grid_local_matrix *a, const grid_local_matrix *b,
                        uint64_t rows, uint64_t cols, GrB_BinaryOp op) {
  const grid_kron_block whole = {.q = t->row.dim, .chunks = 1, .R = 1, .cols = t->col.dim};
  if (is_idle(a) || is_idle(b)) return GrB_SUCCESS;
  operands o;
  GrB_Info info = operands_to_device(&o, t->type, a, b, NULL);
  if (info == GrB_SUCCESS)
    info = finish_on_device(&o, t, DEVICE->kron(on_device(t), o.x, o.y, rows, cols, op));
  if (info == GRID_UNSUPPORTED &&
      (info = operands_to_host(&o, "Kronecker product", op->name, a, b, NULL)) == GrB_SUCCESS)
    info = grid_cpu_lmat_kron(t, a, b, rows, cols, op, &whole);
  return info;
}

/* ---- products ------------------------------------------------------------------------------------------ */

GrB_Info grid_lmat_multiply(grid_local_matrix *t, const grid_lmat_product *m) {
  operands o = {.refusals = grid_device_oom_count()};
  return finish_on_device(&o, t, DEVICE->multiply(on_device(t), m));
}
