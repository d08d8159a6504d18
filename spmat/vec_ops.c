/* Chooses the backend of each vector operation: the device if it is on and supports the case, else the CPU.
 */
#include "spmat/vec_ops.h"

#include <stdio.h>

#include "spmat/vector/backend.h"

/* One operation while it is dispatched: the loop

     while (next_backend(&c)) c.info = c.ops->OPERATION(...);

   runs it on the device, and on the CPU where the device answers GRID_UNSUPPORTED. */
typedef struct {
  const char *what, *op;   /* for the report of a fallback */
  grid_chunk *t;           /* the result, emptied on failure; NULL: a scalar */
  GrB_Type type;           /* of the result */
  const grid_chunk *u, *v; /* operands; v may be NULL */
  const grid_vec_ops *ops; /* of the backend that runs next, or ran last; NULL: none yet */
  GrB_Info info;
} dispatch;

/* Moves the operands (v may be NULL) to the device; GRID_UNSUPPORTED: one of them cannot go. */
static GrB_Info operands_to_device(GrB_Type type, const grid_chunk *u, const grid_chunk *v) {
  GrB_Info info = GrB_SUCCESS;
  if (!grid_device_can_hold(type)) return GRID_UNSUPPORTED;
  if (!grid_chunk_can_move(u) || (v && !grid_chunk_can_move(v))) return GRID_UNSUPPORTED;
  TRY(grid_chunk_to_device(u));
  if (v) TRY(grid_chunk_to_device(v));
done:
  return info;
}

static GrB_Info operands_to_host(const dispatch *c) {
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_chunk_to_host(c->u));
  if (c->v) TRY(grid_chunk_to_host(c->v));
done:
  return info;
}

static void report_fallback(const dispatch *c) {
  char text[96];
  snprintf(text, sizeof text, "%s with %s", c->what, c->op);
  grid_report_fallback(text);
}

/* What follows a run on the device. */
static GrB_Info finish_on_device(grid_chunk *t, GrB_Info info) {
  if (!t) return info;
  if (info == GrB_SUCCESS) return grid_chunk_choose_format(t);
  grid_chunk_empty(t);
  return info;
}

/* False: the operation is done, or has failed. The one place where vector operations fall back to the CPU. */
static inline bool next_backend(dispatch *c) {
  if (c->ops == grid_cpu->vectors) return false;
  if (grid_device_is_on()) {
    if (!c->ops && (c->info = operands_to_device(c->type, c->u, c->v)) == GrB_SUCCESS) {
      c->ops = grid_cuda->vectors;
      return true;
    }
    if (c->info != GRID_UNSUPPORTED) {
      c->info = finish_on_device(c->t, c->info);
      return false;
    }
    report_fallback(c);
  }
  c->ops = grid_cpu->vectors;
  return (c->info = operands_to_host(c)) == GrB_SUCCESS;
}

/* ---- two vectors --------------------------------------------------------------------------------------- */

GrB_Info grid_vec_ewise_add(grid_chunk *t, const grid_chunk *u, const grid_chunk *v, GrB_BinaryOp op) {
  dispatch c = {.what = "eWiseAdd", .op = op->name, .t = t, .type = t->type, .u = u, .v = v};
  if (u->nvals == 0 && v->nvals == 0) return GrB_SUCCESS;
  while (next_backend(&c)) c.info = c.ops->ewise(t, u, v, op, true);
  return c.info;
}

GrB_Info grid_vec_ewise_mult(grid_chunk *t, const grid_chunk *u, const grid_chunk *v, GrB_BinaryOp op) {
  dispatch c = {.what = "eWiseMult", .op = op->name, .t = t, .type = t->type, .u = u, .v = v};
  if (u->nvals == 0 || v->nvals == 0) return GrB_SUCCESS;
  while (next_backend(&c)) c.info = c.ops->ewise(t, u, v, op, false);
  return c.info;
}

GrB_Info grid_vec_ewise_union(grid_chunk *t, const grid_chunk *u, const grid_chunk *v, GrB_BinaryOp op,
                              const void *u_absent, const void *v_absent) {
  dispatch c = {.what = "eWiseUnion", .op = op->name, .t = t, .type = t->type, .u = u, .v = v};
  if (u->nvals == 0 && v->nvals == 0) return GrB_SUCCESS;
  if (grid_device_is_on()) report_fallback(&c);
  c.info = operands_to_host(&c);
  return c.info == GrB_SUCCESS ? grid_cpu->vectors->ewise_union(t, u, v, op, u_absent, v_absent) : c.info;
}

/* ---- one vector ---------------------------------------------------------------------------------------- */

GrB_Info grid_vec_apply(grid_chunk *t, const grid_chunk *u, GrB_UnaryOp op) {
  dispatch c = {.what = "apply", .op = op->name, .t = t, .type = t->type, .u = u};
  if (u->nvals == 0) return GrB_SUCCESS;
  while (next_backend(&c)) c.info = c.ops->apply(t, u, op);
  return c.info;
}

GrB_Info grid_vec_apply_first(grid_chunk *t, const void *x, const grid_chunk *u, GrB_BinaryOp op) {
  dispatch c = {.what = "apply", .op = op->name, .t = t, .type = t->type, .u = u};
  if (u->nvals == 0) return GrB_SUCCESS;
  while (next_backend(&c)) c.info = c.ops->apply_first(t, x, u, op);
  return c.info;
}

GrB_Info grid_vec_apply_second(grid_chunk *t, const grid_chunk *u, const void *y, GrB_BinaryOp op) {
  dispatch c = {.what = "apply", .op = op->name, .t = t, .type = t->type, .u = u};
  if (u->nvals == 0) return GrB_SUCCESS;
  while (next_backend(&c)) c.info = c.ops->apply_second(t, u, y, op);
  return c.info;
}

GrB_Info grid_vec_apply_index(grid_chunk *t, const grid_chunk *u, GrB_IndexUnaryOp op, const void *y,
                              uint64_t first) {
  dispatch c = {.what = "apply", .op = op->name, .t = t, .type = t->type, .u = u};
  if (u->nvals == 0) return GrB_SUCCESS;
  while (next_backend(&c)) c.info = c.ops->apply_index(t, u, op, y, first);
  return c.info;
}

GrB_Info grid_vec_select(grid_chunk *t, const grid_chunk *u, GrB_IndexUnaryOp op, const void *y,
                         uint64_t first) {
  dispatch c = {.what = "select", .op = op->name, .t = t, .type = t->type, .u = u};
  if (u->nvals == 0) return GrB_SUCCESS;
  while (next_backend(&c)) c.info = c.ops->select(t, u, op, y, first);
  return c.info;
}

GrB_Info grid_vec_reduce(void *z, bool *present, const grid_chunk *u, GrB_BinaryOp op, const void *terminal,
                         bool any) {
  dispatch c = {.what = "reduce", .op = op->name, .type = op->z, .u = u};
  *present = u->nvals > 0;
  if (u->nvals == 0) return GrB_SUCCESS;
  while (next_backend(&c)) c.info = c.ops->reduce(z, present, u, op, terminal, any);
  return c.info;
}

/* ---- tuples -------------------------------------------------------------------------------------------- */

/* Built on the host; t moves to the device when an operation uses it there. */
GrB_Info grid_vec_build(grid_chunk *t, const uint64_t *idx, const void *x, GrB_Type xt, size_t xstep,
                        uint64_t n, grid_dup dup, uint64_t *where) {
  GrB_Info info = grid_chunk_to_host(t);
  return info == GrB_SUCCESS ? grid_cpu->vectors->build(t, idx, x, xt, xstep, n, dup, where) : info;
}

/* ---- index lists --------------------------------------------------------------------------------------- */

/* I[0..n) becomes a full vector on the device, which the caller frees. */
static GrB_Info list_to_device(grid_chunk *list, const uint64_t *I, uint64_t n) {
  GrB_Info info = GrB_SUCCESS;
  grid_chunk_init(list, GrB_UINT64, n);
  if (n == 0) return GRID_UNSUPPORTED; /* nothing to do */
  TRY(grid_chunk_reserve_device(list, false, false));
  TRY(grid_device_write(list->val, I, n * sizeof *I));
  list->format = GRID_FULL, list->nvals = n;
done:
  return info;
}

/* What follows a gather or scatter on the device; named may be NULL. */
static GrB_Info finish_list(grid_chunk *t, grid_chunk *named, grid_chunk *list, bool bad, GrB_Info info) {
  if (list) grid_chunk_free(list);
  if (bad || info != GrB_SUCCESS) {
    grid_chunk_empty(t);
    if (named) grid_chunk_empty(named);
    return info;
  }
  if (named) info = grid_chunk_choose_format(named);
  return info == GrB_SUCCESS ? grid_chunk_choose_format(t) : info;
}

/* Lack of device memory for the list or the result is GRID_UNSUPPORTED. */
static GrB_Info gather_on_device(grid_chunk *t, const grid_chunk *u, const uint64_t *I, bool *bad) {
  grid_chunk list;
  GrB_Info info = grid_chunk_wait(u);
  if (info == GrB_SUCCESS)
    info = grid_device_is_on() ? operands_to_device(t->type, u, NULL) : GRID_UNSUPPORTED;
  if (info != GrB_SUCCESS || u->n == 0) return info == GrB_SUCCESS ? GRID_UNSUPPORTED : info;
  const uint64_t refusals = grid_device_oom_count();
  info = list_to_device(&list, I, t->n);
  if (info == GrB_SUCCESS) info = grid_cuda->lists->gather(t, u, &list, bad);
  return grid_device_oom_to_unsupported(finish_list(t, NULL, &list, *bad, info), refusals);
}

GrB_Info grid_vec_gather(grid_chunk *t, const grid_chunk *u, const uint64_t *I, bool *bad) {
  *bad = false;
  GrB_Info info = gather_on_device(t, u, I, bad);
  if (info != GRID_UNSUPPORTED) return info;
  if (u->device && u->n && t->n) grid_report_fallback("extract of an index list");
  TRY(grid_chunk_to_host(u));
  TRY(grid_chunk_to_host(t));
  TRY(grid_cpu->vectors->gather(t, u, I, NULL, bad));
done:
  return info;
}

/* *view is u itself if it lies on the host; else it is *h, a copy there, which the caller frees. */
static GrB_Info copy_to_host_view(grid_chunk *h, const grid_chunk *u, const grid_chunk **view) {
  grid_chunk_init(h, u->type, u->n);
  *view = u->device ? h : u;
  return u->device ? grid_chunk_copy_to_host(h, u) : GrB_SUCCESS;
}

static GrB_Info scatter_on_device(grid_chunk *t, grid_chunk *named, const grid_chunk *u, const uint64_t *I,
                                  uint64_t ni, bool *bad) {
  grid_chunk list;
  if (!grid_device_is_on() || !grid_chunk_can_move(named) || named->n == 0) return GRID_UNSUPPORTED;
  GrB_Info info = u ? grid_chunk_wait(u) : GrB_SUCCESS;
  if (info == GrB_SUCCESS && u) info = operands_to_device(t->type, u, NULL);
  if (info != GrB_SUCCESS) return info;
  info = list_to_device(&list, I, ni);
  if (info == GrB_SUCCESS) info = grid_cuda->lists->scatter(t, named, u, &list, bad);
  return finish_list(t, named, &list, *bad, info);
}

GrB_Info grid_vec_scatter(grid_chunk *t, grid_chunk *named, const grid_chunk *u, const uint64_t *I,
                          uint64_t ni, bool *bad) {
  grid_chunk h;
  *bad = false;
  GrB_Info info = scatter_on_device(t, named, u, I, ni, bad);
  if (info != GRID_UNSUPPORTED) return info;
  if (grid_device_is_on() && ni) grid_report_fallback("assign to an index list");
  info = grid_chunk_to_host(named);
  if (!u || info != GrB_SUCCESS)
    return info == GrB_SUCCESS ? grid_cpu->vectors->scatter(t, named, NULL, I, ni, bad) : info;
  TRY(copy_to_host_view(&h, u, &u));
  TRY(grid_chunk_to_host(t));
  TRY(grid_cpu->vectors->scatter(t, named, u, I, ni, bad));
done:
  grid_chunk_free(&h);
  return info;
}

/* Moves both operands to the device. The fallback is reported here, since its caller has another method. */
static GrB_Info indexed_to_device(grid_chunk *t, const grid_chunk *u, const grid_chunk *where,
                                  const char *what) {
  if (!grid_device_is_on()) return GRID_UNSUPPORTED;
  GrB_Info info = t->n && u->n && where->nvals ? operands_to_device(t->type, u, where) : GRID_UNSUPPORTED;
  if (info == GRID_UNSUPPORTED && where->nvals) grid_report_fallback(what);
  return info;
}

/* By a bitmap whose values are indices, without lists of them. */
static GrB_Info gather_along_on_host(grid_chunk *t, const grid_chunk *u, const grid_chunk *where, bool *bad) {
  const bool is_index = where->type == GrB_UINT64 || where->type == GrB_INT64;
  GrB_Info info = GrB_SUCCESS;
  if (where->device || where->format != GRID_BITMAP || where->iso || !is_index || u->n == 0)
    return GRID_UNSUPPORTED;
  TRY(grid_chunk_wait(u));
  TRY(grid_chunk_to_host(u)); /* the device is off, but may have been on */
  TRY(grid_chunk_to_host(t));
  info = grid_cpu->vectors->gather(t, u, where->val, where->bits, bad);
done:
  return info;
}

GrB_Info grid_vec_gather_along(grid_chunk *t, const grid_chunk *u, const grid_chunk *where, bool *bad) {
  *bad = false;
  if (!grid_device_is_on()) return gather_along_on_host(t, u, where, bad);
  GrB_Info info = indexed_to_device(t, u, where, "gather along a vector");
  if (info != GrB_SUCCESS) return info;
  const uint64_t refusals = grid_device_oom_count();
  info = grid_cuda->lists->gather(t, u, where, bad);
  info = grid_device_oom_to_unsupported(finish_list(t, NULL, NULL, *bad, info), refusals);
  if (info == GRID_UNSUPPORTED)
    grid_report_fallback("gather along a vector, for which the device has no room");
  return info;
}

GrB_Info grid_vec_combine_along(grid_chunk *t, const grid_chunk *u, const grid_chunk *where, GrB_BinaryOp dup,
                                bool *bad) {
  *bad = false;
  GrB_Info info = indexed_to_device(t, u, where, "scatter along a vector");
  if (info != GrB_SUCCESS) return info;
  const uint64_t refusals = grid_device_oom_count();
  info = grid_cuda->lists->combine(t, u, where, dup, bad);
  info = grid_device_oom_to_unsupported(finish_list(t, NULL, NULL, *bad, info), refusals);
  if (info == GRID_UNSUPPORTED)
    grid_report_fallback(grid_device_oom_count() != refusals
                             ? "scatter along a vector, for which the device has no room"
                             : "scatter along a vector");
  return info;
}

GrB_Info grid_vec_tuples(uint64_t *idx, void *x, GrB_Type xt, const grid_chunk *u, uint64_t first) {
  GrB_Info info = GrB_SUCCESS;
  grid_chunk h;
  if (u->nvals == 0) return info;
  TRY(copy_to_host_view(&h, u, &u));
  grid_cpu->vectors->tuples(idx, x, xt, u, first);
done:
  grid_chunk_free(&h);
  return info;
}
