/* Memory of the library: malloc with a count of what is live, a switch that makes allocations fail, and a
 * small store of large freed blocks (mem_cache.h). Each block is preceded by its size, so that bytes can be
 * counted when it goes. */
#include "semiring/mem.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "semiring/mem_cache.h"

/* Keeps the alignment of malloc (16 bytes) for what follows. */
typedef struct {
  _Alignas(16) size_t bytes; /* asked for */
  size_t capacity;           /* of the whole block, this head included */
} block_head;

static _Atomic int64_t live_blocks;
static _Atomic uint64_t live_bytes, peak_bytes;
static _Atomic int64_t fail_after = -1;

/* Counts an allocation down: is it one that a test wants to fail? */
static bool must_fail(void) {
  int64_t k = atomic_load_explicit(&fail_after, memory_order_relaxed);
  while (k > 0)
    if (atomic_compare_exchange_weak(&fail_after, &k, k - 1)) return false;
  return k == 0;
}

/* Total size with the head, or 0 when that overflows. */
static size_t total_size(size_t count, size_t size) {
  size_t bytes, total;
  if (__builtin_mul_overflow(count, size, &bytes)) return 0;
  if (bytes == 0) bytes = 1;
  if (__builtin_add_overflow(bytes, sizeof(block_head), &total)) return 0;
  return total;
}

static void count_up(uint64_t bytes) {
  uint64_t now = atomic_fetch_add_explicit(&live_bytes, bytes, memory_order_relaxed) + bytes;
  uint64_t peak = atomic_load_explicit(&peak_bytes, memory_order_relaxed);
  while (now > peak && !atomic_compare_exchange_weak(&peak_bytes, &peak, now)) continue;
}

static void *finish(block_head *h, size_t total, size_t capacity) {
  if (h == NULL) return NULL;
  h->bytes = total - sizeof *h;
  h->capacity = capacity;
  atomic_fetch_add_explicit(&live_blocks, 1, memory_order_relaxed);
  count_up(h->bytes);
  return h + 1;
}

void *grid_malloc(size_t count, size_t size) {
  size_t total = total_size(count, size), capacity = total;
  if (total == 0 || must_fail()) return NULL;
  void *h = grid_cache_take(total, &capacity);
  return finish(h ? h : malloc(total), total, capacity);
}

void *grid_calloc(size_t count, size_t size) {
  size_t total = total_size(count, size), capacity = total;
  if (total == 0 || must_fail()) return NULL;
  void *h = grid_cache_take(total, &capacity);
  if (h) memset(h, 0, total);
  return finish(h ? h : calloc(1, total), total, capacity);
}

void *grid_realloc(void *p, size_t count, size_t size) {
  if (p == NULL) return grid_malloc(count, size);
  size_t total = total_size(count, size);
  if (total == 0 || must_fail()) return NULL;
  block_head *h = (block_head *)p - 1;
  uint64_t old = h->bytes;
  block_head *grown = realloc(h, total); /* NULL: h stays */
  if (grown == NULL) return NULL;
  grown->bytes = total - sizeof *grown;
  grown->capacity = total;
  atomic_fetch_sub_explicit(&live_bytes, old, memory_order_relaxed);
  count_up(grown->bytes);
  return grown + 1;
}

void grid_free(void *p) {
  if (p == NULL) return;
  block_head *h = (block_head *)p - 1;
  atomic_fetch_sub_explicit(&live_blocks, 1, memory_order_relaxed);
  atomic_fetch_sub_explicit(&live_bytes, (uint64_t)h->bytes, memory_order_relaxed);
  if (!grid_cache_keep(h, h->capacity, atomic_load_explicit(&live_bytes, memory_order_relaxed))) free(h);
}

void grid_mem_keep(uint64_t extra) {
  grid_cache_allow(extra, atomic_load_explicit(&live_bytes, memory_order_relaxed));
}

void grid_mem_fail_after(int64_t k) {
  atomic_store(&fail_after, k);
}
int64_t grid_mem_live(void) {
  return atomic_load(&live_blocks);
}
uint64_t grid_mem_bytes(void) {
  return atomic_load(&live_bytes);
}
uint64_t grid_mem_peak(void) {
  return atomic_load(&peak_bytes);
}
void grid_mem_reset_peak(void) {
  atomic_store(&peak_bytes, atomic_load(&live_bytes));
}
