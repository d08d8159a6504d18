/* members.c: see members.h. Threads of one process may make objects at the same time. */
#include "dist/object/members.h"

#include <stdatomic.h>
#include <stddef.h>

static grid_member head[GRID_MEMBER_KINDS] = {
    [GRID_MATRICES] = {.before = &head[GRID_MATRICES], .after = &head[GRID_MATRICES]},
    [GRID_VECTORS] = {.before = &head[GRID_VECTORS], .after = &head[GRID_VECTORS]}};
static atomic_flag lock = ATOMIC_FLAG_INIT;

static void take_lock(void) {
  while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire)) continue;
}
static void drop_lock(void) {
  atomic_flag_clear_explicit(&lock, memory_order_release);
}

void grid_member_join(grid_member_kind kind, grid_member *m, void *object) {
  m->object = object;
  take_lock();
  m->before = head[kind].before, m->after = &head[kind];
  m->before->after = m->after->before = m;
  drop_lock();
}

void grid_member_leave(grid_member *m) {
  take_lock();
  m->before->after = m->after, m->after->before = m->before;
  drop_lock();
}

const grid_member *grid_member_next(grid_member_kind kind, const grid_member *m) {
  m = m ? m->after : head[kind].after;
  return m == &head[kind] ? NULL : m;
}

void grid_members_forget(void) {
  for (int kind = 0; kind < GRID_MEMBER_KINDS; kind++)
    while (head[kind].after != &head[kind]) {
      grid_member *m = head[kind].after;
      grid_member_leave(m);
      m->before = m->after = m;
    }
}
