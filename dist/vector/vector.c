/* GrB_Vector: life cycle and size. */
#include "dist/grid/short_call.h"
#include "dist/object/device_retry.h"
#include "dist/object/foreign.h"
#include "spmat/device/context_device.h"
#include "dist/vector/vector.h"
#include "semiring/op_codes.h"
#include "semiring/threads/context_section.h"

/* ---- life cycle ---- */

GrB_Info grid_vector_alloc(GrB_Vector *v, GrB_Type type, uint64_t n) {
  GrB_Vector w = grid_calloc(1, sizeof *w);
  *v = w;
  if (!w) return grid_fail_memory(NULL, "GrB_Vector", 1, sizeof *w);
  w->head.magic = GRID_MAGIC, w->head.kind = GRID_IS_VECTOR;
  w->head.context = grid_context_number;
  w->type = type, w->n = n, w->orientation = GrB_COLMAJOR;
  w->options = grid_options_of_new(n, 1);
  grid_chunk_init(&w->chunk, type, grid_chunk_length(n, grid_ctx.k));
  grid_chunk_init(&w->reusable, type, w->chunk.n);
  grid_live_add(GRID_VECTORS, &w->live, w);
  return GrB_SUCCESS;
}

void grid_vector_drop(GrB_Vector v) {
  grid_pending_free(&v->pending);
  grid_chunk_free(&v->chunk);
  grid_chunk_free(&v->reusable);
  if (v->read_cache.copied) grid_chunk_free(&v->read_cache.all);
}

void grid_vector_release(GrB_Vector v) {
  if (!v) return;
  grid_live_remove(&v->live);
  grid_vector_drop(v);
  grid_head_end(&v->head);
  grid_free(v);
}

GrB_Info grid_vector_check_new(const void *v, uint64_t n, const char *call) {
  GrB_Info info = grid_check_initialized(call);
  if (info != GrB_SUCCESS) return info;
  if (!v) return grid_fail(NULL, GrB_NULL_POINTER, "%s: argument v is NULL", call);
  if (n > GrB_INDEX_MAX + 1)
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: size %llu is more than 2^60", call, (unsigned long long)n);
  return GrB_SUCCESS;
}

GrB_Info GrB_Vector_new(GrB_Vector *v, GrB_Type type, GrB_Index n) {
  GRID_CALL_SCOPE;
  GrB_Info info = grid_vector_check_new(v, n, "GrB_Vector_new");
  GrB_Vector w = NULL;
  if (info != GrB_SUCCESS) return info;
  TRY(grid_check_object(type, NULL, "GrB_Vector_new", "type"));
  grid_short_call_begin(1, sizeof *w);
  TRY(grid_short_call_agree(NULL, grid_vector_alloc(&w, type, n)));
  *v = w, w = NULL;
done:
  grid_vector_release(w);
  return info;
}

static GrB_Info copy_foreign(GrB_Vector w, GrB_Vector u, uintptr_t owner, grid_device_recipient to) {
  GRID_WORKER_SCOPE(owner);
  GRID_CALL_SCOPE;
  GrB_Info info = grid_check_vector(u, "GrB_Vector_dup", "u");
  if (info != GrB_SUCCESS) return info;
  const bool device = grid_device_begin_transfer(&to);
  info = grid_chunk_copy(&w->chunk, &u->chunk);
  if (info == GrB_SUCCESS && !device) info = grid_chunk_to_host(&w->chunk);
  const GrB_Info ended = grid_device_end_transfer();
  return info == GrB_SUCCESS ? ended : info;
}

static GrB_Info duplicate(GrB_Vector *v, const GrB_Vector u, const uintptr_t *owner) {
  GrB_Info info = grid_vector_check_new(v, 1, "GrB_Vector_dup");
  GrB_Vector w = NULL;
  if (info != GrB_SUCCESS) return info;
  if (!owner) TRY(grid_check_vector(u, "GrB_Vector_dup", "u"));
  if (!owner) grid_begin_output(u, u->type, NULL, GRID_OP_OTHER);
  info = grid_vector_alloc(&w, u->type, u->n);
  if (info == GrB_SUCCESS)
    info = owner ? copy_foreign(w, u, *owner, grid_device_as_recipient())
                 : grid_chunk_copy(&w->chunk, &u->chunk);
  TRY(grid_short_call_agree(NULL, info));
  w->options = u->options;
  *v = w, w = NULL;
done:
  grid_vector_release(w);
  return info;
}

/* As GrB_Matrix_dup: a foreign vector is copied in a call of its context alone. */
GrB_Info GrB_Vector_dup(GrB_Vector *v, const GrB_Vector u) {
  uintptr_t owner;
  if (grid_can_copy_foreign(u, GRID_IS_VECTOR, &owner)) return duplicate(v, u, &owner);
  return GRID_TRACE_NEW_CALL("GrB_Vector_dup", 0, GRID_RETRY(duplicate(v, u, NULL)), v, u);
}

GrB_Info GrB_Vector_free(GrB_Vector *v) {
  GRID_CALL_SCOPE;
  if (!v || !*v) return GrB_SUCCESS;
  if (grid_is_live_handle(*v, GRID_ANY_KIND)) {
    const GrB_Info info = grid_check_freed_handle(*v, GRID_IS_VECTOR, "GrB_Vector_free", "v");
    if (info != GrB_SUCCESS) return info;
    grid_lookahead->release(*v);
    grid_vector_release(*v);
    grid_calls++; /* invalidates cached reads of it */
  }
  *v = NULL;
  return GrB_SUCCESS;
}

static GrB_Info wait_vector(GrB_Vector v, GrB_WaitMode mode) {
  GrB_Info info = v ? grid_check_initialized("GrB_Vector_wait") : GrB_SUCCESS; /* ends a lookahead */
  if (info == GrB_SUCCESS) info = grid_wait_object(v, mode, "GrB_Vector_wait");
  if (info == GrB_SUCCESS) info = grid_vector_resolve(v);
  return info == GrB_SUCCESS && v->chunk.device ? grid_device_wait() : info;
}

GrB_Info GrB_Vector_wait(GrB_Vector v, GrB_WaitMode mode) {
  return GRID_TRACE_CALL("GrB_Vector_wait", wait_vector(v, mode), v);
}

GrB_Info GrB_Vector_error(const char **text, const GrB_Vector v) {
  return grid_error_of_object(text, v, "GrB_Vector_error");
}

/* ---- size ---------------------------------------------------------------------------------------------- */

/* Keeps the arrays: a cleared vector is usually filled again. */
GrB_Info GrB_Vector_clear(GrB_Vector v) {
  GRID_CALL_SCOPE;
  GrB_Info info = grid_check_vector(v, "GrB_Vector_clear", "v");
  if (info == GrB_SUCCESS) grid_chunk_empty(&v->chunk);
  return info;
}

GrB_Info GrB_Vector_size(GrB_Index *n, const GrB_Vector v) {
  static const char call[] = "GrB_Vector_size";
  GrB_Info info = grid_check_local(v, call, "v");
  if (info != GrB_SUCCESS) return info;
  if (!n) return grid_fail(&v->head, GrB_NULL_POINTER, "%s: argument n is NULL", call);
  *n = v->n;
  return GrB_SUCCESS;
}

GrB_Info grid_vector_count(uint64_t *nvals, GrB_Vector v) {
  GrB_Info info = grid_chunk_wait(&v->chunk);
  *nvals = v->chunk.nvals;
  return grid_agree_sum(&v->head, info, nvals, 1);
}

static GrB_Info count(GrB_Index *nvals, const GrB_Vector v) {
  bool handled;
  GrB_Info info = grid_lookahead->nvals(nvals, v, &handled);
  if (handled || info != GrB_SUCCESS) return info;
  info = grid_check_single("GrB_Vector_nvals"); /* a count changes nothing */
  if (info == GrB_SUCCESS) info = grid_check_operand(v, NULL, "GrB_Vector_nvals", "v");
  if (info != GrB_SUCCESS) return info;
  if (!nvals) return grid_fail(&v->head, GrB_NULL_POINTER, "GrB_Vector_nvals: argument nvals is NULL");
  if (grid_is_one_host_process()) {
    *nvals = v->chunk.nvals;
    return info;
  }
  if (v->read_cache.counted != grid_calls || grid_device_is_on()) {
    if ((info = grid_vector_count(&v->read_cache.nvals, v)) != GrB_SUCCESS) return info;
    v->read_cache.counted = grid_calls;
  }
  *nvals = v->read_cache.nvals;
  return info;
}

GrB_Info GrB_Vector_nvals(GrB_Index *nvals, const GrB_Vector v) {
  if (grid_is_one_host_process() && grid_burble == GRID_QUIET) return count(nvals, v);
  return GRID_TRACE_CALL("GrB_Vector_nvals", count(nvals, v), v);
}
