/* See names_to_writers.h. */
#include "dist/io/formats/names_to_writers.h"

#include "dist/grid/process_grid.h"
#include "dist/outofcore/pages/vertex_names.h"
#include "semiring/support/mem.h"

GrB_Info grid_names_to_writers(uint64_t **name, uint64_t *n, const uint64_t *local, uint64_t first,
                               uint64_t held, const grid_pages_head *h) {
  const int P = grid_ctx.P;
  uint64_t *count = grid_calloc((uint64_t)P, sizeof *count);
  const uint64_t end = first + held;
  GrB_Info info = count ? GrB_SUCCESS : grid_fail_memory(NULL, "sizes of messages", (uint64_t)P, 8);
  TRY(grid_agree(NULL, info));
  for (int p = 0; p < P; p++) {
    const grid_pages_range to = grid_names_share(h, p, P);
    const uint64_t from = first > to.first ? first : to.first,
                   last = end < to.first + to.n ? end : to.first + to.n;
    count[p] = last > from ? last - from : 0;
  }
  TRY(grid_exchange_elements(local, count, sizeof **name, (void **)name, n));
done:
  grid_free(count);
  return info;
}
