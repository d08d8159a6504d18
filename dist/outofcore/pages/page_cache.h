/* A cache in memory of pages as read from the file. */
#ifndef GRID_PAGE_CACHE_H
#define GRID_PAGE_CACHE_H
#include "dist/outofcore/pages/row_pages.h"

/* Before pages of g, of so many bytes, are read, and after it; by one thread, also where several read.
 * *limit = bytes that cached pages of all matrices may take meanwhile. */
void grid_page_cache_begin(grid_pages *g, uint64_t bytes, uint64_t *limit);
void grid_page_cache_end(const grid_pages *g);
/* Between them: page k's bytes, or NULL if not cached. From any thread. */
static inline const char *grid_page_cache_get(const grid_pages *g, uint64_t k) {
  return g->cached ? __atomic_load_n(&g->cached[k], __ATOMIC_ACQUIRE) : NULL;
}
/* Caches page k, read completely at `at`, if it fits the limit. From any thread. */
void grid_page_cache_add(grid_pages *g, uint64_t k, const char *at, uint64_t limit);
#endif
