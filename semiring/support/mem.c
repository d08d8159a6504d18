/* The library's allocator: malloc with counts of live blocks and bytes, injected failures for tests, and a
 * cache of large freed blocks (mem_cache.h). Each block is preceded by its size. Large blocks are aligned
 * to cache lines. */
#include "semiring/support/mem.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "semiring/support/mem_cache.h"

/* Directly before the caller's memory; preserves malloc's alignment. */
typedef struct {
  _Alignas(16) size_t bytes; /* requested bytes */
  /* capacity of the whole block, header included, below 2^48; above, owners besides the first. Contexts on
   * several threads can own a block. */
  _Atomic uint64_t capacity_and_refs;
} block_head;
#define ONE_REF        (UINT64_C(1) << 48)
#define MAX_EXTRA_REFS UINT64_C(65535)

/* Minimum size of large blocks, which mem_cache.h may cache. */
#define LARGE      ((size_t)256 << 10)
#define CACHE_LINE ((size_t)64)
/* Minimum size of blocks in huge pages of 2 MB, and a size that pages divide. */
#define HUGE ((size_t)4 << 20)
#define PAGE ((size_t)64 << 10)

/* Bytes before the caller's memory. */
static size_t header_bytes(size_t total) {
  return total < LARGE ? sizeof(block_head) : CACHE_LINE;
}
static block_head *head_of(void *p) {
  return (block_head *)p - 1;
}
static void set_head(void *p, size_t bytes, uint64_t capacity) {
  head_of(p)->bytes = bytes;
  atomic_init(&head_of(p)->capacity_and_refs, capacity);
}
/* The other owners' accesses come before a free that sees none of them left. */
static uint64_t load_refs(void *p) {
  return atomic_load_explicit(&head_of(p)->capacity_and_refs, memory_order_acquire) / ONE_REF;
}
static uint64_t capacity_of(void *p) {
  return atomic_load_explicit(&head_of(p)->capacity_and_refs, memory_order_relaxed) % ONE_REF;
}

/* Live blocks, modulo 2^17, and their bytes, fewer than 2^47, in one word: a call on small objects takes as
 * long as a few atomic additions. */
#define ONE_BLOCK (UINT64_C(1) << 47)

static struct {
  _Atomic uint64_t live;
  _Atomic uint64_t peak;      /* of the bytes */
  _Atomic int64_t fail_after; /* allocations before one fails, negative: none fails */
} memory = {.fail_after = -1};

static uint64_t get_live_bytes(void) {
  return atomic_load_explicit(&memory.live, memory_order_relaxed) % ONE_BLOCK;
}

/* Counts an allocation down; true if a test wants it to fail. */
static bool is_test_failure(void) {
  int64_t k = atomic_load_explicit(&memory.fail_after, memory_order_relaxed);
  while (k > 0)
    if (atomic_compare_exchange_weak(&memory.fail_after, &k, k - 1)) return false;
  return k == 0;
}

/* Total size with the header, or 0 on overflow. */
static size_t block_total(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX / 2) return 0;
  if (bytes == 0) bytes = 1;
  return bytes + sizeof(block_head) < LARGE ? bytes + sizeof(block_head) : bytes + CACHE_LINE;
}

/* Asks for huge pages, so that scattered reads of a long vector miss the TLB less. Where the system gives
 * them only on request (transparent_hugepage/enabled is `madvise`) searches and triangles take 0.8 of the
 * time. */
static void *use_huge_pages(void *block, size_t total) {
#ifdef MADV_HUGEPAGE
  const uintptr_t from = ((uintptr_t)block + PAGE - 1) / PAGE * PAGE,
                  end = ((uintptr_t)block + total) / PAGE * PAGE;
  if (block && total >= HUGE) (void)madvise((void *)from, end - from, MADV_HUGEPAGE);
#endif
  return block;
}

static void *system_alloc(size_t total) {
  if (total < LARGE) return malloc(total);
  total = (total + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
  return use_huge_pages(aligned_alloc(CACHE_LINE, total), total);
}

/* Allocates from the system; if that fails, releases the cache and tries again. */
static void *alloc_block(size_t total) {
  void *block = system_alloc(total);
  if (block) return block;
  grid_cache_drop();
  return system_alloc(total);
}

/* `more`: bytes, and ONE_BLOCK for a new block. */
static void add_live(uint64_t more) {
  const uint64_t now =
      (atomic_fetch_add_explicit(&memory.live, more, memory_order_relaxed) + more) % ONE_BLOCK;
  uint64_t peak = atomic_load_explicit(&memory.peak, memory_order_relaxed);
  while (now > peak && !atomic_compare_exchange_weak(&memory.peak, &peak, now)) continue;
}

/* Returns the bytes that remain. */
static uint64_t subtract_live(uint64_t less) {
  return (atomic_fetch_sub_explicit(&memory.live, less, memory_order_relaxed) - less) % ONE_BLOCK;
}

static void *finish(void *block, size_t total, size_t capacity) {
  if (block == NULL) return NULL;
  char *p = (char *)block + header_bytes(total);
  set_head(p, total - header_bytes(total), capacity);
  add_live(ONE_BLOCK + head_of(p)->bytes);
  return p;
}

/* ---- blocks for requests that the system refuses ---- */

enum { POOL_BLOCK_TOTAL = GRID_POOL_BLOCK + sizeof(block_head) };

static _Thread_local grid_mem_pool *pool_in_use;

bool grid_mem_pool_fill(grid_mem_pool *p, size_t count) {
  if (atomic_load_explicit(&memory.fail_after, memory_order_relaxed) == 0) return false; /* as in a test */
  while (p->count < count) {
    void **block = malloc(POOL_BLOCK_TOTAL);
    if (!block) return false;
    *block = p->first;
    p->first = block, p->count++;
  }
  return true;
}

static void *take_pool_block(grid_mem_pool *p) {
  void **block = p->first;
  if (block) p->first = *block, p->count--;
  return block;
}

void grid_mem_pool_free(grid_mem_pool *p) {
  while (p->first) free(take_pool_block(p));
}

void grid_mem_pool_use(grid_mem_pool *p) {
  pool_in_use = p;
}

/* A request that was refused. */
static void *alloc_from_pool(size_t total) {
  if (!pool_in_use || total > POOL_BLOCK_TOTAL) return NULL;
  return finish(take_pool_block(pool_in_use), total, POOL_BLOCK_TOTAL);
}

/* ---- requests ---- */

void *grid_malloc(size_t count, size_t size) {
  size_t total = block_total(count, size), capacity = total;
  if (total == 0) return NULL;
  if (is_test_failure()) return alloc_from_pool(total);
  void *block = total < LARGE ? NULL : grid_cache_get(total, &capacity, get_live_bytes());
  void *p = finish(block ? block : alloc_block(total), total, capacity);
  return p ? p : alloc_from_pool(total);
}

/* The C library's calloc does not reuse the small blocks that its thread freed last. */
void *grid_calloc(size_t count, size_t size) {
  void *p = grid_malloc(count, size);
  return p ? memset(p, 0, head_of(p)->bytes) : NULL;
}

/* Headers of small and large blocks differ, so the contents are copied to a new block. */
static void *move(void *p, size_t count, size_t size) {
  void *to = grid_malloc(count, size);
  if (to == NULL) return NULL;
  const size_t old = head_of(p)->bytes, now = head_of(to)->bytes;
  memcpy(to, p, old < now ? old : now);
  grid_free(p);
  return to;
}

/* p becomes a larger block of the pool in use, if there is one. */
static void *move_to_pool(void *p, size_t total) {
  void *q = alloc_from_pool(total);
  if (!q) return NULL;
  memcpy(q, p,
         head_of(p)->bytes < total - sizeof(block_head) ? head_of(p)->bytes : total - sizeof(block_head));
  grid_free(p);
  return q;
}

void *grid_realloc(void *p, size_t count, size_t size) {
  if (p == NULL) return grid_malloc(count, size);
  size_t total = block_total(count, size);
  if (total == 0) return NULL;
  if (total >= LARGE || capacity_of(p) >= LARGE || load_refs(p)) return move(p, count, size);
  if (is_test_failure()) return move_to_pool(p, total);
  uint64_t old = head_of(p)->bytes;
  block_head *grown = realloc(head_of(p), total); /* on failure p is unchanged */
  if (grown == NULL) return move_to_pool(p, total);
  set_head(grown + 1, total - sizeof *grown, total);
  subtract_live(old);
  add_live(grown->bytes);
  return grown + 1;
}

/* realloc of the C library truncates in place. (AddressSanitizer's moves the block, and loses its
 * alignment.) */
static void *truncate_block(void *block, size_t capacity) {
#ifdef __SANITIZE_ADDRESS__
  (void)block, (void)capacity;
  return NULL;
#else
  return realloc(block, capacity);
#endif
}

void *grid_shrink(void *p, size_t count, size_t size) {
  const uint64_t old = head_of(p)->bytes, capacity = capacity_of(p);
  const size_t total = block_total(count, size), least = total < LARGE ? LARGE : total;
  if (load_refs(p) || capacity < LARGE || least > capacity / 2) return p;
  char *block = (char *)p - header_bytes(capacity),
       *truncated = truncate_block(block, (least + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE);
  if (!truncated) return p;
  p = truncated + CACHE_LINE;
  set_head(p, count * size, least);
  subtract_live(old);
  add_live(count * size);
  return p;
}

void *grid_retain(void *p) {
  uint64_t word = atomic_load_explicit(&head_of(p)->capacity_and_refs, memory_order_relaxed);
  do {
    if (word / ONE_REF == MAX_EXTRA_REFS) return NULL;
  } while (!atomic_compare_exchange_weak_explicit(&head_of(p)->capacity_and_refs, &word, word + ONE_REF,
                                                  memory_order_relaxed, memory_order_relaxed));
  return p;
}

/* Gives up one of several owners. False: the caller is the only one, since others gave up theirs meanwhile.
 */
static bool release_ref(void *p) {
  return atomic_fetch_sub_explicit(&head_of(p)->capacity_and_refs, ONE_REF, memory_order_acq_rel) / ONE_REF >
         0;
}

void grid_free(void *p) {
  if (p == NULL || (load_refs(p) && release_ref(p))) return;
  const uint64_t bytes = head_of(p)->bytes, capacity = capacity_of(p);
  void *block = (char *)p - header_bytes(capacity);
  const uint64_t live = subtract_live(ONE_BLOCK + bytes);
  if (capacity < LARGE || !grid_cache_put(block, capacity, live)) free(block);
}

void *grid_unshare(void *p, size_t count, size_t size) {
  if (!load_refs(p)) return p;
  void *copy = grid_malloc(count, size);
  if (!copy) return NULL;
  memcpy(copy, p, count * size);
  grid_free(p);
  return copy;
}

void grid_mem_reserve_cache(uint64_t extra) {
  grid_cache_set_extra(extra, get_live_bytes());
}

void grid_mem_fail_after(int64_t k) {
  atomic_store(&memory.fail_after, k);
}
int64_t grid_mem_live(void) {
  return (int64_t)(atomic_load(&memory.live) / ONE_BLOCK);
}
uint64_t grid_mem_bytes(void) {
  return get_live_bytes();
}
uint64_t grid_mem_peak(void) {
  return atomic_load(&memory.peak);
}
void grid_mem_reset_peak(void) {
  atomic_store(&memory.peak, get_live_bytes());
}

void grid_copy_bytes(void *to, const void *from, uint64_t bytes) {
  const uint64_t segment = 1 << 17;
  if (bytes < 8 * segment) { /* a parallel region of one thread takes as long as copying some 10 kB */
    if (bytes > 0) memcpy(to, from, bytes); /* else pointers may be NULL */
    return;
  }
#pragma omp parallel for schedule(static)
  for (uint64_t at = 0; at < bytes; at += segment)
    memcpy((char *)to + at, (const char *)from + at, bytes - at < segment ? bytes - at : segment);
}
