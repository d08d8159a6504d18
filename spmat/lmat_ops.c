/* Chooses the backend of each operation on local matrices: the device if it is on and supports the case, else
 * the CPU. */
#include "semiring/support/tuning.h"
#include "spmat/lmat_ops.h"

#include <stdio.h>

#include "spmat/backend.h"

/* Such a matrix may lie in either memory. */
static bool is_empty(const grid_local_matrix *p) {
  return !p || p->nvals == 0;
}

/* With the device on an operation on an empty matrix does nothing: the matrix that gets the result makes its
 * own rows. */
static bool is_idle(const grid_local_matrix *p) {
  return grid_device_is_on() && is_empty(p);
}

static void begin(grid_local_matrix *z, const grid_local_matrix *like, GrB_Type type) {
  grid_lmat_init(z, type, like->row.dim, like->col.dim);
}

grid_local_matrix *grid_lmat_on_device(grid_local_matrix *z) {
  z->device = true;
  return z;
}

/* A hypersparse block is expanded to offsets of 4 bytes for all rows if it has at most SHORT_AXIS rows, or at
 * most IDS_PER_ENTRY rows an entry. Columns likewise: the result's transpose has offsets for all of them. */
enum { SHORT_AXIS = 1 << 22, IDS_PER_ENTRY = 64 };

static bool can_move(const grid_local_matrix *p) {
  if (!grid_device_can_hold(p->type) || !grid_compressed_is_built(&p->by_row) || grid_lmat_has_offsets64(p))
    return false;
  return (!p->row.ids && !p->col.ids) || (!grid_axis_has_ids64(&p->row) && !grid_axis_has_ids64(&p->col));
}

/* Are offsets for all vectors of the axis cheap? */
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
  grid_local_matrix rows = {0}; /* p itself moves with both orientations or not at all */
  if (!p->device) {
    TRY(grid_cpu_lmat_copy_rows(&rows, p));
    TRY(grid_lmat_to_device(&rows));
  }
  begin(&l->copy, p, p->type);
  l->p = &l->copy;
  info = grid_cuda->lmat_ops->expand_hyper(grid_lmat_on_device(&l->copy), p->device ? p : &rows);
done:
  if (!p->device) grid_lmat_free(&rows);
  if (info != GrB_SUCCESS) grid_device_operand_free(l);
  return info == GrB_OUT_OF_MEMORY ? GRID_UNSUPPORTED : info; /* the CPU needs no copy */
}

void grid_device_operand_free(grid_device_operand *l) {
  if (l->p == &l->copy) grid_lmat_free(&l->copy);
  l->p = NULL;
}

/* One operation while it is dispatched: the loop

     while (next_backend(&c)) c.info = c.ops->OPERATION(c.to, c.at[0], ...);

   runs it on the device, and on the CPU where the device answers GRID_UNSUPPORTED or its memory is full. */
enum { OPERANDS = 3 };
typedef struct {
  const char *what, *op; /* for the report of a fallback; op: "" or the operator's name */
  grid_local_matrix *to; /* the result, freed on failure; NULL: a scalar */
  GrB_Type type;         /* of the result */
  const grid_local_matrix *operand[OPERANDS]; /* operands; NULL: none */
  const grid_lmat_ops *ops;                   /* of the backend that runs next, or ran last; NULL: none yet */
  GrB_Info info;
  const grid_local_matrix
      *at[OPERANDS];                    /* operands for `ops`; on the device NULL for those without entries */
  grid_device_operand staged[OPERANDS]; /* valid while the device runs */
  uint64_t refusals;                    /* grid_device_oom_count() before */
  bool full;                            /* the operands are known to exceed the device's memory */
  bool host_only;                       /* the device has no kernel for it */
} dispatch;

/* No operand is staged: most calls need none. */
static void dispatch_begin(dispatch *c, const char *what, const char *op, grid_local_matrix *to,
                           GrB_Type type, const grid_local_matrix *x, const grid_local_matrix *y) {
  c->what = what, c->op = op, c->to = to, c->type = type;
  c->operand[0] = x, c->operand[1] = y, c->operand[2] = NULL;
  c->ops = NULL, c->info = GRID_UNSUPPORTED;
  c->refusals = grid_device_oom_count(), c->full = c->host_only = false;
  for (int k = 0; k < OPERANDS; k++) c->staged[k].p = NULL;
}

static void release_operands(dispatch *c) {
  for (int k = 0; k < OPERANDS; k++) grid_device_operand_free(&c->staged[k]);
}

/* May operand k be expanded: is that cheap, or has another operand offsets for as many vectors anyway? */
static bool is_expansion_paid(const grid_local_matrix *const p[OPERANDS], int k) {
  bool rows = is_expandable_axis(&p[k]->row, p[k]->nvals), cols = is_expandable_axis(&p[k]->col, p[k]->nvals);
  for (int j = 0; j < OPERANDS; j++) {
    if (is_empty(p[j])) continue;
    rows = rows || (!p[j]->row.ids && p[j]->row.dim == p[k]->row.dim);
    cols = cols || (!p[j]->col.ids && p[j]->col.dim == p[k]->col.dim);
  }
  return rows && cols;
}

/* False: an operand is host-resident; or, under a memory limit, the operands still to be moved and a result
 * of the same size exceed it. Nothing is then sent in vain. */
static bool can_fit(const grid_local_matrix *const p[OPERANDS]) {
  uint64_t bytes = 0;
  for (int k = 0; k < OPERANDS; k++)
    if (!is_empty(p[k]) && p[k]->host_resident) return false;
  if (!grid_device_get_limit()) return true;
  for (int k = 0; k < OPERANDS; k++) {
    const bool operand_repeated = (k > 0 && p[k] == p[0]) || (k > 1 && p[k] == p[1]);
    if (!is_empty(p[k]) && !p[k]->device && !operand_repeated) bytes += grid_lmat_bytes(p[k]);
  }
  return bytes <= (grid_device_get_limit() / 2) >> grid_device_memory_pressure();
}

/* Stages the operands on the device, hypersparse ones expanded; GRID_UNSUPPORTED: the CPU must run. */
static GrB_Info operands_to_device(dispatch *c) {
  const grid_local_matrix *const *p = c->operand;
  GrB_Info info = GrB_SUCCESS;
  if (!grid_tune.matrix_device || c->host_only || !grid_device_can_hold(c->type)) return GRID_UNSUPPORTED;
  for (int k = 0; k < OPERANDS; k++) {
    if (is_empty(p[k])) continue;
    if (!can_move(p[k]) || !is_expansion_paid(p, k)) return GRID_UNSUPPORTED;
  }
  c->full = !can_fit(p);
  if (c->full) return GRID_UNSUPPORTED;
  for (int k = 0; k < OPERANDS; k++) c->at[k] = NULL;
  for (int k = 0; k < OPERANDS && info == GrB_SUCCESS; k++) {
    if (is_empty(p[k])) continue;
    info = grid_lmat_operand_to_device(&c->staged[k], p[k], true);
    c->at[k] = c->staged[k].p;
  }
  if (info != GrB_SUCCESS) release_operands(c);
  return info;
}

static GrB_Info operands_to_host(dispatch *c) {
  GrB_Info info = GrB_SUCCESS;
  for (int k = 0; k < OPERANDS && info == GrB_SUCCESS; k++) {
    c->at[k] = c->operand[k];
    if (c->at[k]) info = grid_lmat_to_host(c->at[k]);
  }
  return info;
}

static void report_fallback(const dispatch *c) {
  bool hypersparse = false;
  for (int k = 0; k < OPERANDS; k++)
    hypersparse = hypersparse || (c->operand[k] && (c->operand[k]->row.ids || c->operand[k]->col.ids));
  char text[96];
  if (c->full || grid_device_oom_count() != c->refusals)
    snprintf(text, sizeof text, "%s of matrices, for which the device has no room", c->what);
  else
    snprintf(text, sizeof text, "%s of matrices%s%s%s", c->what, *c->op ? " with " : "", c->op,
             hypersparse ? ", hypersparse blocks" : "");
  grid_report_fallback(text);
}

GrB_Info grid_lmat_finish_on_device(grid_local_matrix *z, GrB_Info info, uint64_t refusals) {
  if (z && info != GrB_SUCCESS) grid_lmat_free(z);
  if (z && !grid_compressed_is_built(&z->by_row)) z->device = false;
  return grid_device_oom_to_unsupported(info, refusals);
}

/* False: the operation is done, or has failed. The one place where operations on local matrices fall back to
 * the CPU. */
static bool next_backend(dispatch *c) {
  if (c->ops == grid_cpu->lmat_ops) return false;
  if (grid_device_is_on()) {
    if (c->ops) { /* the device has run */
      release_operands(c);
      c->info = grid_lmat_finish_on_device(c->to, c->info, c->refusals);
    } else if ((c->info = operands_to_device(c)) == GrB_SUCCESS) {
      c->ops = grid_cuda->lmat_ops;
      if (c->to) c->to->device = true;
      return true;
    }
    if (c->info != GRID_UNSUPPORTED) return false;
    report_fallback(c);
  }
  c->ops = grid_cpu->lmat_ops;
  return (c->info = operands_to_host(c)) == GrB_SUCCESS;
}

/* ---- one matrix ---------------------------------------------------------------------------------------- */

GrB_Info grid_lmat_apply(grid_local_matrix *z, const grid_local_matrix *a, GrB_UnaryOp op) {
  dispatch c;
  if (z == a) return grid_cpu->lmat_ops->apply(z, a, op); /* in place: on the host */
  begin(z, a, op->z);
  if (is_idle(a)) return GrB_SUCCESS;
  dispatch_begin(&c, "apply", op->name, z, op->z, a, NULL);
  while (next_backend(&c)) c.info = c.ops->apply(z, c.at[0], op);
  return c.info;
}

GrB_Info grid_lmat_apply_bound(grid_local_matrix *z, const grid_local_matrix *a, GrB_BinaryOp op,
                               const void *x, bool first) {
  dispatch c;
  if (z == a) return grid_cpu->lmat_ops->apply_bound(z, a, op, x, first);
  begin(z, a, op->z);
  if (is_idle(a)) return GrB_SUCCESS;
  dispatch_begin(&c, "apply", op->name, z, op->z, a, NULL);
  while (next_backend(&c)) c.info = c.ops->apply_bound(z, c.at[0], op, x, first);
  return c.info;
}

GrB_Info grid_lmat_apply_index(grid_local_matrix *z, const grid_local_matrix *a, GrB_IndexUnaryOp op,
                               const void *y, const grid_index_map *rows, const grid_index_map *cols) {
  dispatch c;
  begin(z, a, op->z);
  if (is_idle(a)) return GrB_SUCCESS;
  dispatch_begin(&c, "apply", op->name, z, op->z, a, NULL);
  while (next_backend(&c)) c.info = c.ops->apply_index(z, c.at[0], op, y, rows, cols);
  return c.info;
}

GrB_Info grid_lmat_select(grid_local_matrix *z, const grid_local_matrix *a, GrB_IndexUnaryOp op,
                          const void *y, const grid_index_map *rows, const grid_index_map *cols) {
  dispatch c;
  begin(z, a, a->type);
  if (is_idle(a)) return GrB_SUCCESS;
  dispatch_begin(&c, "select", op->name, z, a->type, a, NULL);
  while (next_backend(&c)) c.info = c.ops->select(z, c.at[0], op, y, rows, cols);
  return c.info;
}

GrB_Info grid_lmat_sum(void *z, bool *present, const grid_local_matrix *p, GrB_Monoid monoid) {
  dispatch c;
  *present = p->nvals > 0;
  if (is_empty(p)) return GrB_SUCCESS;
  dispatch_begin(&c, "reduce", monoid->op->name, NULL, monoid->op->z, p, NULL);
  while (next_backend(&c)) c.info = c.ops->sum(z, c.at[0], monoid);
  return c.info;
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
  if (p->device && grid_device_is_on() && grid_tune.matrix_device && grid_device_can_hold(type) &&
      (p->iso || !grid_lmat_has_offsets64(p)))
    info = grid_device_oom_to_unsupported(grid_cuda->lmat_ops->cast(p, type), refusals);
  if (info == GRID_UNSUPPORTED && (info = grid_lmat_to_host(p)) == GrB_SUCCESS)
    info = grid_cpu->lmat_ops->cast(p, type);
  return info;
}

GrB_Info grid_lmat_transpose(const grid_local_matrix *p, bool symmetric, grid_local_matrix *t) {
  dispatch c;
  grid_lmat_init(t, p->type, p->col.dim, p->row.dim);
  if (is_idle(p)) return GrB_SUCCESS;
  dispatch_begin(&c, "transpose", "", t, p->type, p, NULL);
  while (next_backend(&c)) c.info = c.ops->transpose(c.at[0], symmetric, t);
  return c.info;
}

GrB_Info grid_lmat_copy_rows(grid_local_matrix *t, const grid_local_matrix *p) {
  dispatch c;
  begin(t, p, p->type);
  if (is_idle(p)) return GrB_SUCCESS;
  dispatch_begin(&c, "copy", "", t, p->type, p, NULL);
  while (next_backend(&c)) c.info = c.ops->copy_rows(t, c.at[0]);
  return c.info;
}

GrB_Info grid_lmat_extract(grid_local_matrix *t, const grid_local_matrix *p, const grid_index_set *I,
                           const grid_index_set *J) {
  dispatch c;
  if (is_idle(p)) return GrB_SUCCESS;
  dispatch_begin(&c, "extract", "", t, p->type, p, NULL);
  while (next_backend(&c)) c.info = c.ops->extract(t, c.at[0], I, J);
  return c.info;
}

GrB_Info grid_lmat_scatter(grid_local_matrix *t, const grid_local_matrix *p, const grid_index_set *I,
                           const grid_index_set *J) {
  dispatch c;
  if (is_idle(p)) return GrB_SUCCESS;
  dispatch_begin(&c, "spread", "", t, p->type, p, NULL);
  while (next_backend(&c)) c.info = c.ops->scatter(t, c.at[0], I, J);
  return c.info;
}

/* ---- a vector ------------------------------------------------------------------------------------------ */

GrB_Info grid_lmat_diagonal(grid_local_matrix *t, const grid_chunk *v, uint64_t row, uint64_t col) {
  const uint64_t refusals = grid_device_oom_count();
  GrB_Info info = GRID_UNSUPPORTED;
  if (v->nvals == 0 && grid_device_is_on()) return GrB_SUCCESS;
  if (grid_device_is_on() && grid_tune.matrix_device && grid_chunk_can_move(v) &&
      grid_device_can_index(t->row.dim, t->col.dim)) {
    info = grid_device_oom_to_unsupported(grid_chunk_to_device(v), refusals);
    if (info == GrB_SUCCESS)
      info = grid_lmat_finish_on_device(
          t, grid_cuda->lmat_ops->diagonal(grid_lmat_on_device(t), v, row, col, GRID_ONTO_DIAGONAL),
          refusals);
  }
  if (info != GRID_UNSUPPORTED) return info;
  if (grid_device_is_on())
    grid_report_fallback(grid_device_oom_count() != refusals ? "a diagonal, for which the device has no room"
                                                             : "a diagonal of a few entries of many");
  return grid_cpu->lmat_ops->diagonal(t, v, row, col, GRID_ONTO_DIAGONAL);
}

GrB_Info grid_lmat_index_matrix(grid_local_matrix *t, const grid_chunk *v, uint64_t limit, const void *one,
                                bool *bad) {
  const uint64_t refusals = grid_device_oom_count();
  *bad = false;
  if (v->nvals == 0) return GrB_SUCCESS;
  if (!grid_tune.matrix_device || !grid_chunk_can_move(v) || grid_axis_has_ids64(&t->row) ||
      grid_axis_has_ids64(&t->col))
    return GRID_UNSUPPORTED;
  GrB_Info info = grid_device_oom_to_unsupported(grid_chunk_to_device(v), refusals);
  if (info == GrB_SUCCESS)
    info = grid_lmat_finish_on_device(
        t, grid_cuda->lmat_ops->index_matrix(grid_lmat_on_device(t), v, limit, bad), refusals);
  if (info == GrB_SUCCESS && (info = grid_lmat_set_iso(t, one)) != GrB_SUCCESS) grid_lmat_free(t);
  return info;
}

GrB_Info grid_lmat_sample(grid_local_matrix *t, grid_chunk *columns, const grid_sample_operands *x) {
  dispatch c;
  if (is_idle(x->a)) return GrB_SUCCESS;
  dispatch_begin(&c, "sample", "", t, x->a->type, x->a, NULL);
  for (grid_sample_operands on = *x; next_backend(&c);) {
    on.a = c.at[0];
    if (columns) grid_chunk_empty(columns); /* after the device has failed */
    c.info = c.ops == grid_cpu->lmat_ops ? grid_chunk_to_host(on.count) : grid_chunk_to_device(on.count);
    if (c.info == GrB_SUCCESS) c.info = c.ops->sample(t, columns, &on);
  }
  return c.info;
}

/* ---- two matrices and a mask --------------------------------------------------------------------------- */

GrB_Info grid_lmat_union(grid_local_matrix *z, const grid_union *u) {
  dispatch c;
  if (is_empty(u->x) && is_empty(u->y) && grid_device_is_on()) return GrB_SUCCESS;
  dispatch_begin(&c,
                 u->x_absent ? "union with defaults"
                 : u->mask   ? "masked union"
                             : "union",
                 u->op ? u->op->name : "", z, z->type, u->x, u->y);
  c.operand[2] = u->mask, c.host_only = u->x_absent != NULL;
  for (grid_union v = *u; next_backend(&c);) {
    v.x = c.at[0], v.y = c.at[1], v.mask = c.at[2];
    c.info = c.ops->ewise_union(z, &v);
  }
  return c.info;
}

GrB_Info grid_lmat_intersect(grid_local_matrix *z, const grid_local_matrix *x, const grid_local_matrix *y,
                             GrB_BinaryOp op) {
  dispatch c;
  if (is_idle(x) || is_idle(y)) return GrB_SUCCESS;
  dispatch_begin(&c, "eWiseMult", op->name, z, z->type, x, y);
  while (next_backend(&c)) c.info = c.ops->intersect(z, c.at[0], c.at[1], op);
  return c.info;
}

GrB_Info grid_lmat_fill_mask(grid_local_matrix *t, const void *x, const grid_region *s,
                             const grid_local_matrix *m, bool structure) {
  dispatch c;
  if (is_idle(m)) return GrB_SUCCESS;
  dispatch_begin(&c, "a value under a mask", "", t, t->type, m, NULL);
  while (next_backend(&c)) c.info = c.ops->fill_mask(t, x, s, c.at[0], structure);
  return c.info;
}

GrB_Info grid_lmat_fill_region(grid_local_matrix *t, const void *x, const grid_region *s) {
  dispatch c;
  dispatch_begin(&c, "a value in a region", "", t, t->type, NULL, NULL);
  while (next_backend(&c)) c.info = c.ops->fill_region(t, x, s);
  return c.info;
}

/* Has it rows on the device, with 32-bit offsets of all, that the kernels read as they are? */
static bool has_device_rows(const grid_local_matrix *p) {
  return p->device && !p->row.ids && !p->col.ids && p->by_row.ptr;
}

GrB_Info grid_lmat_plan_accumulation(grid_accumulation *a, const grid_local_matrix *c,
                                     const grid_local_matrix *t, GrB_BinaryOp op) {
  const uint64_t refusals = grid_device_oom_count();
  *a = (grid_accumulation){.possible = is_empty(t)};
  if (a->possible || !grid_tune.matrix_device || t->nvals > c->nvals || !has_device_rows(c) ||
      !has_device_rows(t))
    return GrB_SUCCESS;
  const GrB_Info info =
      grid_device_oom_to_unsupported(grid_cuda->lmat_ops->plan_accumulation(a, c, t, op), refusals);
  a->possible = info == GrB_SUCCESS && a->at;
  return info == GRID_UNSUPPORTED ? GrB_SUCCESS : info;
}

GrB_Info grid_lmat_accumulate(grid_local_matrix *c, const grid_local_matrix *t, grid_accumulation *a) {
  if (is_empty(t)) return GrB_SUCCESS;
  if (a->val) {
    grid_free(c->iso_val);
    c->iso_val = NULL, c->iso = false;
    c->by_row.val = a->val, a->val = NULL;
  }
  return grid_cuda->lmat_ops->accumulate(c, t, a);
}

void grid_accumulation_free(grid_accumulation *a) {
  grid_device_free(a->at);
  grid_device_free(a->val);
}

GrB_Info grid_lmat_assign(grid_local_matrix *z, const grid_local_matrix *c, const grid_local_matrix *t,
                          const grid_region *s) {
  dispatch d;
  if (is_idle(c) && is_idle(t)) return GrB_SUCCESS;
  dispatch_begin(&d, "assignment", "", z, z->type, c, t);
  while (next_backend(&d)) d.info = d.ops->assign(z, d.at[0], d.at[1], s);
  return d.info;
}

GrB_Info grid_lmat_kron(grid_local_matrix *t, const grid_local_matrix *a, const grid_local_matrix *b,
                        uint64_t rows, uint64_t cols, GrB_BinaryOp op) {
  dispatch c;
  if (is_idle(a) || is_idle(b)) return GrB_SUCCESS;
  dispatch_begin(&c, "Kronecker product", op->name, t, t->type, a, b);
  while (next_backend(&c)) c.info = c.ops->kron(t, c.at[0], c.at[1], rows, cols, op);
  return c.info;
}

/* ---- products ------------------------------------------------------------------------------------------ */

GrB_Info grid_lmat_multiply(grid_local_matrix *t, const grid_lmat_product *m) {
  const uint64_t refusals = grid_device_oom_count();
  return grid_lmat_finish_on_device(t, grid_cuda->lmat_ops->multiply(grid_lmat_on_device(t), m), refusals);
}
