/* Contexts: several grids of one process. Each has its own state (dist/grid/context_state.h), and a thread
 * uses one of them. */
#include <stdatomic.h>
#include <stdlib.h>

#include "dist/checkpoint/checkpoint.h"
#include "dist/grid/context_state.h"
#include "dist/library/library.h"
#include "gridblas_gxb_objects.h"
#include "semiring/threads/context_section.h"

/* Lasts as long as the process, so that a thread that still uses an ended context has a state, which is not
 * initialised. */
struct Grid_Context_opaque {
  Grid_Context older;
  uintptr_t state;
  void *block; /* in which the state is */
  _Atomic uint32_t number;
  atomic_bool is_open; /* false: it becomes the next new context */
};

enum { DEFAULT_NUMBER = 1 };
static struct {
  _Atomic(Grid_Context) newest; /* of a list without the default context, which only grows */
  Grid_Context forked;          /* the newest one at the last fork */
  uint32_t last;                /* the last context's number */
} contexts = {.last = DEFAULT_NUMBER};

/* The calling thread's calls concern the context from now on. */
static void use(uintptr_t state) {
  grid_context_enter(state);
  grid_call_keep_threads();
  grid_apply_threads();
}

static GrB_Info check_process(const char *call) {
  GRID_WORKER_SCOPE(0);
  return grid_check_alive(call);
}

static GrB_Info check_context(const struct Grid_Context_opaque *context, const char *call) {
  for (const struct Grid_Context_opaque *c = atomic_load(&contexts.newest); c; c = c->older)
    if (c == context && atomic_load(&c->is_open)) return GrB_SUCCESS;
  return grid_fail(NULL, GrB_UNINITIALIZED_OBJECT, "%s: argument context is none (freed, or never created)",
                   call);
}

bool grid_context_find(uint32_t number, uintptr_t *context) {
  *context = 0;
  if (number == DEFAULT_NUMBER) return true;
  for (const struct Grid_Context_opaque *c = atomic_load(&contexts.newest); c; c = c->older)
    if (atomic_load(&c->number) == number && atomic_load(&c->is_open)) {
      *context = c->state;
      return true;
    }
  return false;
}

/* ---- creation ---- */

static Grid_Context find_closed(const struct Grid_Context_opaque *other_than) {
  for (Grid_Context c = atomic_load(&contexts.newest); c; c = c->older)
    if (c != other_than && !atomic_load(&c->is_open)) return c;
  return NULL;
}

/* There is a closed context besides this one. So a process without memory still takes part in the messages
 * of the next Grid_Context_new. */
static GrB_Info reserve(const struct Grid_Context_opaque *other_than) {
  if (find_closed(other_than)) return GrB_SUCCESS;
  Grid_Context c = calloc(1, sizeof *c);
  if (c) c->state = grid_context_state_new(&c->block);
  if (!c || !c->state) {
    free(c);
    return grid_fail_memory(NULL, "a context", 1, sizeof *c);
  }
  c->older = atomic_load(&contexts.newest);
  atomic_store(&contexts.newest, c);
  return GrB_SUCCESS;
}

void grid_contexts_start(void) {
  if (grid_context_state_start()) (void)reserve(NULL); /* without memory Grid_Context_new fails */
}

/* A grid in the initial state. Its processes agree on `before`. */
static GrB_Info open_grid(GrB_Info before, int mode, const void *comm, int R, int C) {
  grid_context_number = ++contexts.last;
  GrB_Info info = grid_start(mode, comm, R, C);
  if (info == GrB_SUCCESS) info = grid_agree(NULL, before);
  if (info == GrB_SUCCESS) info = grid_configure();
  if (info != GrB_SUCCESS) grid_close();
  return info;
}

GrB_Info Grid_Context_new(Grid_Context *context, int mode, const void *comm, int R, int C) {
  GRID_CALL_SCOPE;
  GRID_ALL_CONTEXTS_SCOPE;
  GrB_Info info = grid_check_alive("Grid_Context_new");
  if (info != GrB_SUCCESS) return info;
  if (!context) return grid_fail(NULL, GrB_NULL_POINTER, "Grid_Context_new: argument context is NULL");
  Grid_Context c = find_closed(NULL);
  if (!c) return grid_fail_memory(NULL, "a context", 1, sizeof *c);
  info = reserve(c);
  grid_context_state_reset(c->state);
  const uint64_t device_limit = grid_device_get_limit();
  const uintptr_t before = grid_context_enter(c->state);
  grid_device_set_limit(device_limit);
  info = open_grid(info, mode, comm, R, C);
  atomic_store(&c->number, grid_context_number);
  use(before);
  if (info != GrB_SUCCESS) return info;
  atomic_store(&c->is_open, true);
  *context = c;
  return info;
}

/* ---- use and end ---- */

GrB_Info Grid_Context_use(Grid_Context context) {
  GrB_Info info = check_process("Grid_Context_use");
  if (info == GrB_SUCCESS && context) info = check_context(context, "Grid_Context_use");
  const uintptr_t state = context ? context->state : 0;
  if (info == GrB_SUCCESS && state != grid_context_distance) use(state);
  return info;
}

static void end_context(Grid_Context c) {
  const uintptr_t before = grid_context_enter(c->state);
  grid_close();
  use(before);
  atomic_store(&c->is_open, false);
}

/* The call is one of another context than that which ends. */
GrB_Info Grid_Context_free(Grid_Context *context) {
  if (!context || !*context) return GrB_SUCCESS;
  GrB_Info info = check_context(*context, "Grid_Context_free");
  if (info != GrB_SUCCESS) return info;
  if ((*context)->state == grid_context_distance) use(0);
  GRID_CALL_SCOPE;
  GRID_ALL_CONTEXTS_SCOPE;
  end_context(*context);
  *context = NULL;
  return GrB_SUCCESS;
}

void grid_contexts_end(void) {
  if (!grid_context_is_default()) use(0);
  for (Grid_Context c = atomic_load(&contexts.newest); c; c = c->older)
    if (atomic_load(&c->is_open)) end_context(c);
}

/* ---- fork ---- */

static void for_each(Grid_Context last, void (*call)(void)) {
  call();
  for (const struct Grid_Context_opaque *c = last; c; c = c->older) {
    GRID_WORKER_SCOPE(c->state);
    call();
  }
}

/* A call of a context waits for the common gate, but not the other way round. A thread that writes a
 * checkpoint allocates memory: it ends first. */
void GxB_atfork_prepare(void) {
  GRID_WORKER_SCOPE(0);
  contexts.forked = atomic_load(&contexts.newest);
  for_each(contexts.forked, grid_call_lock_context);
  for_each(contexts.forked, grid_checkpoint_finish_write);
  grid_call_lock_common();
}

void GxB_atfork_parent(void) {
  GRID_WORKER_SCOPE(0);
  grid_call_unlock_common();
  for_each(contexts.forked, grid_call_unlock_context);
}

/* The child has this thread alone: OpenMP's other threads did not come with it, and waiting for them would
 * never end. Checkpoints are its parent's. */
void GxB_atfork_child(void) {
  for_each(contexts.forked, grid_checkpoint_forget);
  GxB_atfork_parent();
  Grid_threads(1);
}
