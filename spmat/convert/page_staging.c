/* See page_staging.h. */
#include "spmat/convert/page_staging.h"

#include "semiring/support/mem.h"

static void release(grid_page_staging *s, int slot) {
  if (s->buffer[slot]) grid_cuda->paging->unlock(s->buffer[slot]);
  s->buffer[slot] = NULL, s->bytes[slot] = 0;
}

GrB_Info grid_page_staging_reserve(grid_page_staging *s, int slot, uint64_t bytes) {
  const uint64_t more = bytes + bytes / 4; /* locking is slow, and portions differ */
  if (bytes <= s->bytes[slot]) return GrB_SUCCESS;
  release(s, slot);
  s->buffer[slot] = grid_cuda->paging->lock(more);
  if (!s->buffer[slot]) return GRID_UNSUPPORTED;
  s->bytes[slot] = more;
  return GrB_SUCCESS;
}

void grid_page_staging_free(grid_page_staging *s) {
  if (!s) return;
  (void)grid_cuda->paging->end(); /* what is being sent */
  for (int k = 0; k < GRID_PAGE_SLOTS; k++) release(s, k);
  grid_free(s);
}
