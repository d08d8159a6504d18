/* See live_objects.h. Threads of one process may create objects at the same time, hence the lock. */
#include "dist/object/live_objects.h"

#include <stdatomic.h>
#include <stddef.h>

static grid_live_object head[GRID_LIVE_KINDS] = {
    [GRID_MATRICES] = {.before = &head[GRID_MATRICES], .after = &head[GRID_MATRICES]},
    [GRID_VECTORS] = {.before = &head[GRID_VECTORS], .after = &head[GRID_VECTORS]}};
static atomic_flag lock = ATOMIC_FLAG_INIT;

static void acquire_lock(void) {
  while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire)) continue;
}
static void release_lock(void) {
  atomic_flag_clear_explicit(&lock, memory_order_release);
}

void grid_live_add(grid_live_kind kind, grid_live_object *m, void *object) {
  m->object = object;
  acquire_lock();
  m->before = head[kind].before, m->after = &head[kind];
  m->before->after = m->after->before = m;
  release_lock();
}

void grid_live_remove(grid_live_object *m) {
  acquire_lock();
  m->before->after = m->after, m->after->before = m->before;
  release_lock();
}

const grid_live_object *grid_live_next(grid_live_kind kind, const grid_live_object *m) {
  m = m ? m->after : head[kind].after;
  return m == &head[kind] ? NULL : m;
}

void grid_live_clear(void) {
  for (int kind = 0; kind < GRID_LIVE_KINDS; kind++)
    while (head[kind].after != &head[kind]) {
      grid_live_object *m = head[kind].after;
      grid_live_remove(m);
      m->before = m->after = m;
    }
}
