/* The blocks of device memory that were freed last, for later requests of the same size: the driver's
 * allocator takes as long as a short kernel. */
#ifndef GRID_BLOCK_CACHE_H
#define GRID_BLOCK_CACHE_H
#include <stdint.h>

/* A cache has at most this many blocks, of at most so many bytes: 1 GiB in all. */
enum { GRID_CACHED_BLOCKS = 8 };
#define GRID_CACHED_BYTES (UINT64_C(1) << 27)

typedef struct {
  void *p; /* NULL: no block */
  uint64_t bytes;
} grid_freed_block;

typedef struct {
  grid_freed_block block[GRID_CACHED_BLOCKS];
  uint32_t oldest;
} grid_block_cache;

/* A block of exactly so many bytes, which leaves the cache; NULL: there is none. */
void *grid_block_cache_take(grid_block_cache *c, uint64_t bytes);
/* Adds b in place of the oldest block. Returns what the caller must release: that one, b if it is too large,
 * or NULL. */
void *grid_block_cache_add(grid_block_cache *c, grid_freed_block b);
uint64_t grid_block_cache_bytes(const grid_block_cache *c); /* of all blocks */
#endif
