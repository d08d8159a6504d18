/* Pages that stay in memory as they are in the file, once they have been read. */
#ifndef GRID_KEPT_H
#define GRID_KEPT_H
#include "dist/pages/pages.h"

/* *most = bytes of g's pages that may stay now, the what the budget leaves having been looked at; those of
 * matrices used longest ago go if there is less room than before. */
void grid_kept_plan(grid_pages *g, uint64_t *most);
/* Page k's bytes, or NULL. From any thread. */
static inline const char *grid_kept_page(const grid_pages *g, uint64_t k) {
  return g->kept ? __atomic_load_n(&g->kept[k], __ATOMIC_ACQUIRE) : NULL;
}
/* Page k, which has been read and is whole, at `at`. From any thread. */
void grid_kept_add(grid_pages *g, uint64_t k, const char *at, uint64_t most);
#endif
