/* The library's allocator: every allocation uses it, so that a test can fail the k-th one and count live
 * blocks. */
#ifndef GRID_MEM_H
#define GRID_MEM_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* NULL when out of memory or if count * size overflows. Zero bytes give a block of one byte, so NULL
 * always means failure. Contents are undefined / zero. Aligned to 16 bytes, blocks of at least 256 KiB to
 * 64. */
void *grid_malloc(size_t count, size_t size);
void *grid_calloc(size_t count, size_t size);
/* Resizes p (may be NULL) to count * size bytes; on failure returns NULL, and p is unchanged. */
void *grid_realloc(void *p, size_t count, size_t size);
/* Returns the bytes of p's block beyond count * size to the system, if they are more than half of it
 * (otherwise the next request reuses them). p does not move. */
void *grid_shrink(void *p, size_t count, size_t size);
/* Adds an owner to p, which must not change any more: the block is freed when all owners have freed it.
 * NULL if there are too many (65535): the caller must copy. */
void *grid_retain(void *p);
/* p, if the caller is its only owner; else a copy of count * size bytes in place of the caller's share. NULL
 * when out of memory: the caller keeps p. */
void *grid_unshare(void *p, size_t count, size_t size);
/* Frees p; NULL is allowed. */
void grid_free(void *p);

/* As memcpy, by all threads where that is faster. */
void grid_copy_bytes(void *to, const void *from, uint64_t bytes);

/* Lets the cache of freed blocks hold `extra` more bytes, for a step that frees and requests large arrays;
 * 0 ends that. */
void grid_mem_reserve_cache(uint64_t extra);

/* Blocks for requests of at most GRID_POOL_BLOCK bytes that the system refuses. A step that makes fewer of
 * them than the pool has blocks cannot fail for lack of memory. */
enum { GRID_POOL_BLOCK = 16 << 10 };
typedef struct {
  void *first; /* each block begins with the address of the next one */
  size_t count;
} grid_mem_pool;
/* Adds blocks up to `count`; false when out of memory. */
bool grid_mem_pool_fill(grid_mem_pool *p, size_t count);
void grid_mem_pool_free(grid_mem_pool *p);
/* From now on grid_malloc and grid_calloc of the calling thread use p; NULL: none. */
void grid_mem_pool_use(grid_mem_pool *p);

/* Test hook: allocation number k (0 = the next one) and all later ones fail, until called with k < 0, the
 * initial state. */
void grid_mem_fail_after(int64_t k);
/* Number of live blocks, modulo 2^17, for tests. */
int64_t grid_mem_live(void);
/* Bytes in live blocks now, and the highest value since the last grid_mem_reset_peak. */
uint64_t grid_mem_bytes(void);
uint64_t grid_mem_peak(void);
void grid_mem_reset_peak(void);

#endif
