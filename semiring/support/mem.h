/* Memory of the library: every allocation goes through here, so that a test can fail the k-th one
 * and count live blocks to zero. */
#ifndef GRID_MEM_H
#define GRID_MEM_H
#include <stddef.h>
#include <stdint.h>

/* NULL when out of memory (or when count * size overflows). A request of zero bytes gives a
 * block of one byte, so NULL always means failure. Contents are undefined / zero. Aligned to 16 bytes, blocks
 * of 256 KiB and more to 64. */
void *grid_malloc(size_t count, size_t size);
void *grid_calloc(size_t count, size_t size);
/* Resizes p (which may be NULL) to count * size bytes; on failure NULL, and p lives on. */
void *grid_realloc(void *p, size_t count, size_t size);
/* Gives the end of p's block back, beyond count * size bytes, where that is more than half of it (what is
 * less serves the next request of the block's size); nothing moves. */
void *grid_shrink(void *p, size_t count, size_t size);
/* One more owner of p, which nobody changes any more: its block goes when all have freed it. NULL when it has
 * too many (65535): then a copy is wanted. */
void *grid_retain(void *p);
/* Frees p; NULL is allowed. */
void grid_free(void *p);

/* As memcpy, by all threads where that is faster. */
void grid_copy_bytes(void *to, const void *from, uint64_t bytes);

/* A step that frees large arrays and asks for such again soon: keeps up to `extra` bytes of freed blocks for
 * it; 0 ends that. */
void grid_mem_reserve_cache(uint64_t extra);

/* Test hooks. The allocation number k (0 = the next one) and all after it fail until called with
 * k < 0, which is the state at start. */
void grid_mem_fail_after(int64_t k);
/* How many blocks are live. */
int64_t grid_mem_live(void);
/* Bytes in live blocks now, and the highest value since the last grid_mem_reset_peak. */
uint64_t grid_mem_bytes(void);
uint64_t grid_mem_peak(void);
void grid_mem_reset_peak(void);

#endif
