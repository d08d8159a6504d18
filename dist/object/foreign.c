/* See foreign.h. */
#include "dist/object/foreign.h"

#include "dist/grid/hooks.h"
#include "semiring/threads/context_section.h"

static bool is_one_process(uintptr_t context) {
  GRID_WORKER_SCOPE(context);
  return grid_ctx.initialized && grid_ctx.P == 1;
}

bool grid_can_copy_foreign(const void *object, grid_kind kind, uintptr_t *owner) {
  const grid_head *head = object;
  return head && grid_is_live_handle(head, kind) && !grid_is_of_context(head) &&
         is_one_process(grid_context_distance) && grid_hooks.find_context(head->context, owner) &&
         is_one_process(*owner);
}
