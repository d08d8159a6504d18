/* A cache of large freed blocks; see mem_cache.h. */
#include "semiring/support/mem_cache.h"
#include "semiring/support/tuning.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Smaller blocks are left to malloc. */
#define MIN_BLOCK_BYTES ((size_t)256 << 10)
/* Always allowed, in addition to a quarter of the live bytes, but no more of that than this. */
#define BASE_CACHE_BYTES  ((uint64_t)64 << 20)
#define MAX_QUARTER_BYTES ((uint64_t)1 << 30)
enum {
  SLOTS = 64,
  MAX_AGE = 128 /* requests after which an unused block is freed, if the cache exceeds that allowance */
};

/* Memory error checkers must see every free. */
#if defined(__SANITIZE_ADDRESS__)
#define OFF 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define OFF 1
#endif
#endif
#ifndef OFF
#define OFF 0
#endif

static struct {
  pthread_mutex_t lock;
  struct {
    void *p;
    size_t capacity;
    uint64_t since; /* the number of requests when it was freed */
  } slot[SLOTS];    /* oldest first */
  int n;
  uint64_t bytes, extra_bytes, peak_live, requests;
} cache = {.lock = PTHREAD_MUTEX_INITIALIZER};

static uint64_t base_limit(uint64_t live) {
  const uint64_t quarter = live / 4 < MAX_QUARTER_BYTES ? live / 4 : MAX_QUARTER_BYTES;
  return BASE_CACHE_BYTES + quarter + cache.extra_bytes;
}

/* Up to the peak of live bytes the process needs no pages that it has not had before. */
static uint64_t cache_limit(uint64_t live) {
  const uint64_t most = base_limit(live), left = cache.peak_live > live ? cache.peak_live - live : 0;
  return most > left ? most : left;
}

static void *remove_slot(int k) {
  void *p = cache.slot[k].p;
  cache.bytes -= cache.slot[k].capacity;
  for (cache.n--; k < cache.n; k++) cache.slot[k] = cache.slot[k + 1];
  /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): what was freed is no longer in the list */
  return p;
}

/* Removes blocks, oldest first, until at most `slots` blocks and `most` bytes remain; old ones also down
 * to the allowance. Returns their number, the blocks in `old`. */
static int evict_blocks(void *old[SLOTS], int slots, uint64_t most, uint64_t live) {
  int n = 0;
  while (cache.n > slots || (cache.n && cache.bytes > most) ||
         (cache.n && cache.requests - cache.slot[0].since > MAX_AGE && cache.bytes > base_limit(live)))
    old[n++] = remove_slot(0);
  return n;
}

static void free_all(void *old[SLOTS], int n) {
  /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): each block was removed from the list once */
  while (n) free(old[--n]);
}

/* The smallest block that fits; of equal ones that freed last, which the processor's caches may hold. */
void *grid_cache_get(size_t total, size_t *capacity, uint64_t live) {
  void *p = NULL, *old[SLOTS];
  int best = -1, nold = 0;
  if (total < MIN_BLOCK_BYTES) return NULL;
  pthread_mutex_lock(&cache.lock);
  cache.requests++;
  for (int k = 0; k < cache.n; k++)
    if (cache.slot[k].capacity >= total && cache.slot[k].capacity / 2 <= total &&
        (best < 0 || cache.slot[k].capacity <= cache.slot[best].capacity))
      best = k;
  if (best >= 0) {
    *capacity = cache.slot[best].capacity;
    p = remove_slot(best);
  }
  live += total;
  if (live > cache.peak_live) cache.peak_live = live;
  nold = evict_blocks(old, SLOTS, cache_limit(live), live);
  pthread_mutex_unlock(&cache.lock);
  free_all(old, nold);
  return p;
}

bool grid_cache_put(void *p, size_t capacity, uint64_t live) {
  void *old[SLOTS];
  if (OFF || capacity < MIN_BLOCK_BYTES) return false;
  if (!grid_tune.memory_cache) return false;
  pthread_mutex_lock(&cache.lock);
  const uint64_t most = cache_limit(live);
  if (capacity > most) {
    pthread_mutex_unlock(&cache.lock);
    return false;
  }
  const int nold = evict_blocks(old, SLOTS - 1, most - capacity, live);
  cache.slot[cache.n].p = p, cache.slot[cache.n].capacity = capacity,
  cache.slot[cache.n].since = cache.requests;
  cache.n++;
  cache.bytes += capacity;
  pthread_mutex_unlock(&cache.lock);
  free_all(old, nold);
  return true;
}

void grid_cache_set_extra(uint64_t extra, uint64_t live) {
  void *old[SLOTS];
  pthread_mutex_lock(&cache.lock);
  cache.extra_bytes = extra;
  const int nold = evict_blocks(old, SLOTS, cache_limit(live), live);
  pthread_mutex_unlock(&cache.lock);
  free_all(old, nold);
}

void grid_cache_drop(void) {
  pthread_mutex_lock(&cache.lock);
  while (cache.n) free(remove_slot(cache.n - 1));
  pthread_mutex_unlock(&cache.lock);
}
