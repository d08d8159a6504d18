/* GxB_Context: a thread of the program engages one, and its calls then use that many OpenMP threads
 * (semiring/threads/api_lock.h). The values of GxB_CONTEXT_WORLD are GrB_GLOBAL's (fields_global.c). */
#include "dist/fields/context.h"

#include <string.h>

#include "dist/fields/fields.h"

static struct GxB_Context_opaque world = {.head = GRID_BUILTIN(GRID_IS_CONTEXT, "GxB_CONTEXT_WORLD")};
GxB_Context GxB_CONTEXT_WORLD = &world;

static _Thread_local GxB_Context engaged;

GxB_Context grid_context_engaged(void) {
  return engaged;
}

GrB_Info GxB_Context_new(GxB_Context *Context) {
  static const char call[] = "GxB_Context_new";
  GrB_Info info = grid_semiring_check_init(call);
  if (info != GrB_SUCCESS) return info;
  if (!Context) return grid_fail(NULL, GrB_NULL_POINTER, "%s: argument Context is NULL", call);
  GxB_Context c = grid_calloc(1, sizeof *c);
  if (!c) return grid_fail_memory(NULL, call, 1, sizeof *c);
  c->head = (grid_head)GRID_NEW_HEAD(GRID_IS_CONTEXT);
  c->threads = Grid_threads(0);
  c->chunk = grid_global.chunk;
  c->ngpus = grid_global.ngpus;
  memcpy(c->gpu_ids, grid_global.gpu_ids, sizeof c->gpu_ids);
  *Context = c;
  return GrB_SUCCESS;
}

static void engage(GxB_Context c) {
  engaged = c;
  grid_call_engage_threads(c ? &c->threads : NULL);
}

GrB_Info GxB_Context_free(GxB_Context *Context) {
  if (!Context || !*Context || *Context == &world) return GrB_SUCCESS;
  if (grid_is_live_handle(*Context, GRID_ANY_KIND)) {
    const GrB_Info info = grid_check_object(*Context, NULL, "GxB_Context_free", "Context");
    if (info != GrB_SUCCESS) return info;
    if (engaged == *Context) engage(NULL);
    grid_head_end(&(*Context)->head);
    grid_free(*Context);
  }
  *Context = NULL;
  return GrB_SUCCESS;
}

GrB_Info GxB_Context_engage(GxB_Context Context) {
  GrB_Info info = grid_check_argument(Context, "GxB_Context_engage", "Context");
  if (info == GrB_SUCCESS) engage(Context == &world ? NULL : Context);
  return info;
}

GrB_Info GxB_Context_disengage(GxB_Context Context) {
  static const char call[] = "GxB_Context_disengage";
  GrB_Info info = grid_semiring_check_init(call);
  if (info == GrB_SUCCESS && Context) info = grid_check_object(Context, NULL, call, "Context");
  if (info != GrB_SUCCESS) return info;
  if (Context && Context != &world && engaged && Context != engaged)
    return grid_fail(&Context->head, GrB_INVALID_VALUE, "%s: this thread has engaged another context", call);
  engage(NULL);
  return GrB_SUCCESS;
}

GrB_Info GxB_Context_wait(GxB_Context Context, GrB_WaitMode mode) {
  return grid_wait_object(Context, mode, "GxB_Context_wait");
}

GrB_Info GxB_Context_error(const char **text, const GxB_Context Context) {
  return grid_error_of_object(text, Context, "GxB_Context_error");
}
