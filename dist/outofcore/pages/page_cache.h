/* Pages that stay in memory as they are in the file, once they have been read. */
#ifndef GRID_PAGE_CACHE_H
#define GRID_PAGE_CACHE_H
#include "dist/outofcore/pages/row_pages.h"

/* *most = bytes of g's pages that may stay now, the what the budget leaves having been looked at; those of
 * matrices used longest ago go if there is less room than before. */
void grid_page_cache_plan(grid_pages *g, uint64_t *most);
/* Page k's bytes, or NULL. From any thread. */
static inline const char *grid_page_cache_get(const grid_pages *g, uint64_t k) {
  return g->cached ? __atomic_load_n(&g->cached[k], __ATOMIC_ACQUIRE) : NULL;
}
/* Page k, which has been read and is whole, at `at`. From any thread. */
void grid_page_cache_add(grid_pages *g, uint64_t k, const char *at, uint64_t most);
#endif
