/* A cache of large freed blocks for later requests of their size. Fresh memory costs a page fault every 4
 * KiB, more than filling it. Without the cache, a search that creates and frees vectors spends most of its
 * time on faults. A product of matrices whose result is freed spends a third. Cached and live blocks together
 * stay within the peak of live bytes (or slightly above the present ones). */
#ifndef GRID_MEM_CACHE_H
#define GRID_MEM_CACHE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A block of *capacity >= total bytes, or NULL; then the cache has made room for a new one. `live` bytes
 * are in use. */
void *grid_cache_get(size_t total, size_t *capacity, uint64_t live);
/* Caches the malloc'ed block p; false: the caller must free it. */
bool grid_cache_put(void *p, size_t capacity, uint64_t live);
/* Raises the cache's limit by `extra` bytes until the next call, for a build that frees large arrays and
 * soon requests such again. Frees what exceeds the new limit. */
void grid_cache_set_extra(uint64_t extra, uint64_t live);
/* Frees all cached blocks. */
void grid_cache_drop(void);
#endif
