/* See live_objects.h. Threads of one process may create objects at the same time, hence the lock. */
#include "dist/object/live_objects.h"

#include <stdatomic.h>
#include <stddef.h>

#include "semiring/threads/context_section.h"
#include "semiring/support/error.h"

static struct {
  grid_live_object head[GRID_LIVE_KINDS]; /* of each kind's circular list; zero before the first object */
  atomic_flag lock;
} default_lists GRID_OF_CONTEXT = {.lock = ATOMIC_FLAG_INIT};
#define lists GRID_IN_CONTEXT(default_lists)

static void acquire_lock(void) {
  while (atomic_flag_test_and_set_explicit(&lists.lock, memory_order_acquire)) continue;
}
static void release_lock(void) {
  atomic_flag_clear_explicit(&lists.lock, memory_order_release);
}

void grid_live_add(grid_live_kind kind, grid_live_object *m, void *object) {
  m->object = object;
  grid_live_object *head = &lists.head[kind];
  acquire_lock();
  if (!head->after) head->before = head->after = head;
  m->before = head->before, m->after = head;
  m->before->after = m->after->before = m;
  release_lock();
}

void grid_live_remove(grid_live_object *m) {
  acquire_lock();
  m->before->after = m->after, m->after->before = m->before;
  release_lock();
}

const grid_live_object *grid_live_next(grid_live_kind kind, const grid_live_object *m) {
  m = m ? m->after : lists.head[kind].after;
  return m == &lists.head[kind] ? NULL : m; /* NULL: of an empty list */
}

void grid_live_clear(void) {
  for (int kind = 0; kind < GRID_LIVE_KINDS; kind++)
    while (lists.head[kind].after && lists.head[kind].after != &lists.head[kind]) {
      grid_live_object *m = lists.head[kind].after;
      grid_live_remove(m);
      m->before = m->after = m;
      ((grid_head *)m->object)->context = GRID_ENDED_CONTEXT; /* the first member of every object */
    }
}
