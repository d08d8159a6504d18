/* vec_dispatch.c: where a vector operation is done: on the device if that is on and can, else on the host. */
#include "spmat/cpu/vector/vec_cpu.h"

#include <stdio.h>

#include "spmat/vector/backend.h"

#define DEVICE grid_cuda->vectors

/* Brings the operands (v may be NULL) to the device; GRID_UNSUPPORTED when the host must do it. */
static GrB_Info operands_to_device(GrB_Type type, const grid_chunk *u, const grid_chunk *v) {
  GrB_Info info = GrB_SUCCESS;
  if (!grid_device_is_on() || type->size > GRID_DEVICE_VALUE_MAX) return GRID_UNSUPPORTED;
  if (!grid_chunk_can_move(u) || (v && !grid_chunk_can_move(v))) return GRID_UNSUPPORTED;
  TRY(grid_chunk_to_device(u));
  if (v) TRY(grid_chunk_to_device(v));
done:
  return info;
}

/* Brings the operands to the host; says so when that is not where they should be. */
static GrB_Info operands_to_host(const char *what, const char *op, const grid_chunk *u, const grid_chunk *v) {
  GrB_Info info = GrB_SUCCESS;
  if (grid_device_is_on()) {
    char text[96];
    snprintf(text, sizeof text, "%s with %s", what, op);
    grid_report_fallback(text);
  }
  TRY(grid_chunk_to_host(u));
  if (v) TRY(grid_chunk_to_host(v));
done:
  return info;
}

/* The end of what the device did. */
static GrB_Info finish_on_device(grid_chunk *t, GrB_Info info) {
  if (info == GrB_SUCCESS) return grid_chunk_choose_format(t);
  grid_chunk_empty(t);
  return info;
}

/* ---- two vectors --------------------------------------------------------------------------------------- */

GrB_Info grid_vec_ewise_add(grid_chunk *t, const grid_chunk *u, const grid_chunk *v, GrB_BinaryOp op) {
  if (u->nvals == 0 && v->nvals == 0) return GrB_SUCCESS;
  GrB_Info info = operands_to_device(t->type, u, v);
  if (info == GrB_SUCCESS) info = DEVICE->ewise(t, u, v, op, true);
  if (info != GRID_UNSUPPORTED) return finish_on_device(t, info);
  info = operands_to_host("eWiseAdd", op->name, u, v);
  return info == GrB_SUCCESS ? grid_cpu_vec_ewise_add(t, u, v, op) : info;
}

GrB_Info grid_vec_ewise_mult(grid_chunk *t, const grid_chunk *u, const grid_chunk *v, GrB_BinaryOp op) {
  if (u->nvals == 0 || v->nvals == 0) return GrB_SUCCESS;
  GrB_Info info = operands_to_device(t->type, u, v);
  if (info == GrB_SUCCESS) info = DEVICE->ewise(t, u, v, op, false);
  if (info != GRID_UNSUPPORTED) return finish_on_device(t, info);
  info = operands_to_host("eWiseMult", op->name, u, v);
  return info == GrB_SUCCESS ? grid_cpu_vec_ewise_mult(t, u, v, op) : info;
}

/* ---- one vector ---------------------------------------------------------------------------------------- */

GrB_Info grid_vec_apply(grid_chunk *t, const grid_chunk *u, GrB_UnaryOp op) {
  if (u->nvals == 0) return GrB_SUCCESS;
  GrB_Info info = operands_to_device(t->type, u, NULL);
  if (info == GrB_SUCCESS) info = DEVICE->apply(t, u, op);
  if (info != GRID_UNSUPPORTED) return finish_on_device(t, info);
  info = operands_to_host("apply", op->name, u, NULL);
  return info == GrB_SUCCESS ? grid_cpu_vec_apply(t, u, op) : info;
}

GrB_Info grid_vec_apply_first(grid_chunk *t, const void *x, const grid_chunk *u, GrB_BinaryOp op) {
  if (u->nvals == 0) return GrB_SUCCESS;
  GrB_Info info = operands_to_device(t->type, u, NULL);
  if (info == GrB_SUCCESS) info = DEVICE->apply_first(t, x, u, op);
  if (info != GRID_UNSUPPORTED) return finish_on_device(t, info);
  info = operands_to_host("apply", op->name, u, NULL);
  return info == GrB_SUCCESS ? grid_cpu_vec_apply_first(t, x, u, op) : info;
}

GrB_Info grid_vec_apply_second(grid_chunk *t, const grid_chunk *u, const void *y, GrB_BinaryOp op) {
  if (u->nvals == 0) return GrB_SUCCESS;
  GrB_Info info = operands_to_device(t->type, u, NULL);
  if (info == GrB_SUCCESS) info = DEVICE->apply_second(t, u, y, op);
  if (info != GRID_UNSUPPORTED) return finish_on_device(t, info);
  info = operands_to_host("apply", op->name, u, NULL);
  return info == GrB_SUCCESS ? grid_cpu_vec_apply_second(t, u, y, op) : info;
}

GrB_Info grid_vec_apply_index(grid_chunk *t, const grid_chunk *u, GrB_IndexUnaryOp op, const void *y,
                              uint64_t first) {
  if (u->nvals == 0) return GrB_SUCCESS;
  GrB_Info info = operands_to_device(t->type, u, NULL);
  if (info == GrB_SUCCESS) info = DEVICE->apply_index(t, u, op, y, first);
  if (info != GRID_UNSUPPORTED) return finish_on_device(t, info);
  info = operands_to_host("apply", op->name, u, NULL);
  return info == GrB_SUCCESS ? grid_cpu_vec_apply_index(t, u, op, y, first) : info;
}

GrB_Info grid_vec_select(grid_chunk *t, const grid_chunk *u, GrB_IndexUnaryOp op, const void *y,
                         uint64_t first) {
  if (u->nvals == 0) return GrB_SUCCESS;
  GrB_Info info = operands_to_device(t->type, u, NULL);
  if (info == GrB_SUCCESS) info = DEVICE->select(t, u, op, y, first);
  if (info != GRID_UNSUPPORTED) return finish_on_device(t, info);
  info = operands_to_host("select", op->name, u, NULL);
  return info == GrB_SUCCESS ? grid_cpu_vec_select(t, u, op, y, first) : info;
}

GrB_Info grid_vec_reduce(void *z, bool *present, const grid_chunk *u, GrB_BinaryOp op, const void *terminal,
                         bool any) {
  *present = u->nvals > 0;
  if (u->nvals == 0) return GrB_SUCCESS;
  GrB_Info info = operands_to_device(op->z, u, NULL);
  if (info == GrB_SUCCESS) info = DEVICE->reduce(z, present, u, op);
  if (info != GRID_UNSUPPORTED) return info;
  info = operands_to_host("reduce", op->name, u, NULL);
  return info == GrB_SUCCESS ? grid_cpu_vec_reduce(z, present, u, op, terminal, any) : info;
}

/* ---- tuples -------------------------------------------------------------------------------------------- */

/* Built on the host; it moves when it is used. */
GrB_Info grid_vec_build(grid_chunk *t, const uint64_t *idx, const void *x, GrB_Type xt, size_t xstep,
                        uint64_t n, grid_dup dup, uint64_t *where) {
  GrB_Info info = grid_chunk_to_host(t);
  return info == GrB_SUCCESS ? grid_cpu_vec_build(t, idx, x, xt, xstep, n, dup, where) : info;
}

/* ---- along indices --------------------------------------------------------------------------------------
 */

/* I[0..n) as a full vector on the device, to be freed. */
static GrB_Info list_to_device(grid_chunk *list, const uint64_t *I, uint64_t n) {
  GrB_Info info = GrB_SUCCESS;
  grid_chunk_init(list, GrB_UINT64, n);
  if (n == 0) return GRID_UNSUPPORTED; /* nothing is to be done */
  TRY(grid_chunk_reserve_device(list, false, false));
  TRY(grid_device_write(list->val, I, n * sizeof *I));
  list->format = GRID_FULL, list->nvals = n;
done:
  return info;
}

/* The end of what the device did along a list; named may be NULL. */
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

/* The operands are there; without room to work in beside them the host does it. */
static GrB_Info gather_on_device(grid_chunk *t, const grid_chunk *u, const uint64_t *I, bool *bad) {
  grid_chunk list;
  GrB_Info info = grid_chunk_wait(u);
  if (info == GrB_SUCCESS) info = operands_to_device(t->type, u, NULL);
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
  TRY(grid_cpu_vec_gather(t, u, I, bad));
done:
  return info;
}

/* *h, to be freed, is u's contents on the host; *seen is where to look: there, or u itself. */
static GrB_Info copy_to_host_view(grid_chunk *h, const grid_chunk *u, const grid_chunk **seen) {
  grid_chunk_init(h, u->type, u->n);
  *seen = u->device ? h : u;
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
    return info == GrB_SUCCESS ? grid_cpu_vec_scatter(t, named, NULL, I, ni, bad) : info;
  TRY(copy_to_host_view(&h, u, &u));
  TRY(grid_chunk_to_host(t));
  TRY(grid_cpu_vec_scatter(t, named, u, I, ni, bad));
done:
  grid_chunk_free(&h);
  return info;
}

/* Both operands there; a fallback is told here, since its caller has a way of its own. */
static GrB_Info indexed_to_device(grid_chunk *t, const grid_chunk *u, const grid_chunk *where,
                                  const char *what) {
  if (!grid_device_is_on()) return GRID_UNSUPPORTED;
  GrB_Info info = t->n && u->n && where->nvals ? operands_to_device(t->type, u, where) : GRID_UNSUPPORTED;
  if (info == GRID_UNSUPPORTED && where->nvals) grid_report_fallback(what);
  return info;
}

GrB_Info grid_vec_gather_along(grid_chunk *t, const grid_chunk *u, const grid_chunk *where, bool *bad) {
  *bad = false;
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
  grid_cpu_vec_tuples(idx, x, xt, u, first);
done:
  grid_chunk_free(&h);
  return info;
}
