/* See block_cache.h. */
#include "spmat/device/block_cache.h"

#include <stddef.h>

void *grid_block_cache_take(grid_block_cache *c, uint64_t bytes) {
  for (uint32_t k = 0; k < GRID_CACHED_BLOCKS; k++)
    if (c->block[k].bytes == bytes) {
      void *p = c->block[k].p;
      c->block[k] = (grid_freed_block){NULL, 0};
      return p;
    }
  return NULL;
}

void *grid_block_cache_add(grid_block_cache *c, grid_freed_block b) {
  if (b.bytes > GRID_CACHED_BYTES) return b.p;
  grid_freed_block *at = &c->block[c->oldest];
  void *before = at->p;
  *at = b;
  c->oldest = (c->oldest + 1) % GRID_CACHED_BLOCKS;
  return before;
}

uint64_t grid_block_cache_bytes(const grid_block_cache *c) {
  uint64_t bytes = 0;
  for (uint32_t k = 0; k < GRID_CACHED_BLOCKS; k++) bytes += c->block[k].bytes;
  return bytes;
}
