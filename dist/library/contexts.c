/* Contexts: several grids of one process, used in turn. The state of the one in use stands in the variables
 * themselves, that of the others in a block each (dist/grid/context_state.h). */
#include <stdlib.h>

#include "dist/checkpoint/checkpoint.h"
#include "dist/grid/context_state.h"
#include "dist/library/library.h"
#include "spmat/device/device.h"

struct Grid_Context_opaque {
  Grid_Context older;
  char *state; /* valid while another context is in use */
};

static struct Grid_Context_opaque standard; /* the default context */
static struct {
  Grid_Context newest, used; /* newest: of a list without the default one */
  char *initial;             /* the state before any grid has started */
  uint32_t number;           /* the last context's; the default one has 1 */
} contexts = {.used = &standard, .number = 1};

void grid_contexts_start(void) {
  if (contexts.initial) return;
  const size_t bytes = grid_context_state_size();
  contexts.initial = malloc(2 * bytes);
  if (!contexts.initial) return;
  standard.state = contexts.initial + bytes;
  grid_context_state_save(contexts.initial);
}

static void set_aside(Grid_Context c) {
  grid_checkpoint_finish_write();
  grid_context_state_save(c->state);
}

static void resume(Grid_Context c) {
  grid_context_state_load(c->state);
  contexts.used = c;
  grid_call_keep_threads();
  grid_apply_context();
}

static void enter(Grid_Context c) {
  if (c == contexts.used) return;
  set_aside(contexts.used);
  resume(c);
}

static GrB_Info check_context(const struct Grid_Context_opaque *context, const char *call) {
  for (const struct Grid_Context_opaque *c = contexts.newest; c; c = c->older)
    if (c == context) return GrB_SUCCESS;
  return grid_fail(NULL, GrB_UNINITIALIZED_OBJECT, "%s: argument context is none (freed, or never created)",
                   call);
}

/* ---- creation ---- */

static GrB_Info allocate(Grid_Context *context) {
  if (grid_device_is_open())
    return grid_fail(NULL, GrB_NOT_IMPLEMENTED,
                     "Grid_Context_new: contexts are for programs that do not use the GPU");
  Grid_Context c = calloc(1, sizeof *c + grid_context_state_size());
  if (!c) return grid_fail_memory(NULL, "a context", 1, grid_context_state_size());
  c->state = (char *)(c + 1);
  *context = c;
  return GrB_SUCCESS;
}

/* A grid in the initial state. Its processes agree on `info`. */
static GrB_Info open_grid(GrB_Info before, int mode, const void *comm, int R, int C) {
  grid_context_state_load(contexts.initial);
  grid_context_number = ++contexts.number;
  GrB_Info info = grid_start(mode, comm, R, C);
  if (info == GrB_SUCCESS) info = grid_agree(NULL, before);
  if (info == GrB_SUCCESS) info = grid_configure();
  if (info != GrB_SUCCESS) grid_close();
  return info;
}

GrB_Info Grid_Context_new(Grid_Context *context, int mode, const void *comm, int R, int C) {
  GRID_CALL_SCOPE;
  GrB_Info info = grid_check_alive("Grid_Context_new");
  Grid_Context c = NULL, before = contexts.used;
  if (info != GrB_SUCCESS) return info;
  if (!context) return grid_fail(NULL, GrB_NULL_POINTER, "Grid_Context_new: argument context is NULL");
  if (!contexts.initial) return grid_fail_memory(NULL, "contexts", 2, grid_context_state_size());
  info = allocate(&c);
  set_aside(before);
  info = open_grid(info, mode, comm, R, C);
  if (info == GrB_SUCCESS) {
    grid_context_state_save(c->state);
    c->older = contexts.newest;
    *context = contexts.newest = c;
    grid_contexts++;
  } else {
    free(c);
  }
  resume(before);
  return info;
}

/* ---- use and end ---- */

GrB_Info Grid_Context_use(Grid_Context context) {
  GRID_CALL_SCOPE;
  GrB_Info info = grid_check_alive("Grid_Context_use");
  if (info == GrB_SUCCESS && context) info = check_context(context, "Grid_Context_use");
  if (info == GrB_SUCCESS) enter(context ? context : &standard);
  return info;
}

static void end_context(Grid_Context c) {
  Grid_Context *at = &contexts.newest, next = c == contexts.used ? &standard : contexts.used;
  enter(c);
  grid_close();
  resume(next);
  while (*at != c) at = &(*at)->older;
  *at = c->older;
  free(c);
  grid_contexts--;
}

GrB_Info Grid_Context_free(Grid_Context *context) {
  GRID_CALL_SCOPE;
  if (!context || !*context) return GrB_SUCCESS;
  GrB_Info info = check_context(*context, "Grid_Context_free");
  if (info != GrB_SUCCESS) return info;
  end_context(*context);
  *context = NULL;
  return GrB_SUCCESS;
}

void grid_contexts_end(void) {
  while (contexts.newest) end_context(contexts.newest);
  if (contexts.initial) enter(&standard);
}
