/* Large blocks that were freed, kept for the next request of their size. Fresh memory costs a page fault
 * every 4 KiB, which is dearer than filling it: a search that makes and frees its vectors spends most of its
 * time there otherwise, a product of matrices whose result is freed before the next a third. What is kept
 * never takes the library beyond the most that it had in use at once (or a little over what it has). */
#ifndef GRID_MEM_CACHE_H
#define GRID_MEM_CACHE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A block of *capacity >= total bytes, or NULL; then room is made for a fresh one. `live` bytes are in use.
 */
void *grid_cache_get(size_t total, size_t *capacity, uint64_t live);
/* Keeps the malloc'ed block p, or says no: then the caller frees it. */
bool grid_cache_put(void *p, size_t capacity, uint64_t live);
/* Lets the store hold `extra` bytes more than usual, until the next call: a build frees large arrays that its
 * next step asks for again. What is over the new limit is freed. */
void grid_cache_set_extra(uint64_t extra, uint64_t live);
/* Frees all that is kept. */
void grid_cache_drop(void);
#endif
