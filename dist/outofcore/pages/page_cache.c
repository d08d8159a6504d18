/* See page_cache.h. */
#include "dist/outofcore/pages/page_cache.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "dist/outofcore/file/memory_budget.h"
#include "semiring/support/mem.h"
#include "semiring/threads/context_section.h"
#include "spmat/convert/page_code.h"

/* Fraction of a set budget's remainder for cached pages; the rest is for vectors. */
enum { CACHE_SHARE = 4 };

/* A context evicts pages of its matrices alone, since another one may read its pages meanwhile. */
static struct {
  grid_pages *list;     /* those with cached pages, the ones used last in front */
  pthread_mutex_t lock; /* of pages that are added: several threads do that */
} default_cache GRID_OF_CONTEXT = {.lock = PTHREAD_MUTEX_INITIALIZER};
#define cache GRID_IN_CONTEXT(default_cache)

/* Of all contexts, which have one budget. */
static _Atomic uint64_t cached_bytes;

uint64_t grid_pages_cached_bytes(void) {
  uint64_t bytes = 0;
  for (const grid_pages *g = cache.list; g; g = g->next_cached) bytes += g->cached_bytes;
  return bytes;
}

static void remove_from_list(grid_pages *g) {
  for (grid_pages **p = &cache.list; *p; p = &(*p)->next_cached)
    if (*p == g) {
      *p = g->next_cached;
      break;
    }
}

void grid_pages_drop_cache(grid_pages *g) {
  if (!g->cached) return;
  for (uint64_t k = 0; k < g->pages; k++) grid_free(g->cached[k]);
  grid_free(g->cached);
  g->cached = NULL;
  atomic_fetch_sub(&cached_bytes, g->cached_bytes);
  g->cached_bytes = 0;
  remove_from_list(g);
}

void grid_pages_evict(uint64_t bytes) {
  for (uint64_t dropped = 0; cache.list && dropped < bytes;) {
    grid_pages *last = cache.list;
    while (last->next_cached) last = last->next_cached;
    dropped += last->cached_bytes;
    grid_pages_drop_cache(last);
  }
}

/* Bytes that all cached pages may take: a fraction of what others leave of the budget. */
static uint64_t find_limit(void) {
  const uint64_t budget = grid_budget_is_set() ? grid_budget() : 0, cached = atomic_load(&cached_bytes),
                 all = grid_mem_bytes(), used = all > cached ? all - cached : 0;
  return used < budget ? (budget - used) / CACHE_SHARE : 0;
}

/* Pages are cached in the order of reading and not replaced: for repeated sequential passes, as in an
 * iteration, that saves most reads. When the limit shrinks, the least recently used matrices lose theirs. */
void grid_page_cache_plan(grid_pages *g, uint64_t *limit) {
  *limit = g->is_single_pass ? 0 : find_limit();
  if (g->is_single_pass) return;
  if (g->cached) remove_from_list(g), g->next_cached = cache.list, cache.list = g;
  uint64_t cached = atomic_load(&cached_bytes);
  if (cached > *limit) grid_pages_evict(cached - *limit), cached = atomic_load(&cached_bytes);
  if (g->cached || *limit <= cached + 2 * g->pages * sizeof *g->cached) return;
  g->cached = grid_calloc(g->pages, sizeof *g->cached); /* none: nothing stays */
  if (g->cached) g->next_cached = cache.list, cache.list = g;
}

void grid_page_cache_add(grid_pages *g, uint64_t k, const char *at, uint64_t limit) {
  const uint64_t bytes = g->page[k + 1].at - g->page[k].at;
  if (!g->cached || atomic_load(&cached_bytes) + bytes > limit) return;
  pthread_mutex_lock(&cache.lock);
  char *copy = g->cached[k] ? NULL : grid_malloc(bytes + GRID_PAGE_SLACK, 1);
  if (copy) {
    memcpy(copy, at, bytes);
    memset(copy + bytes, 0, GRID_PAGE_SLACK);
    g->cached_bytes += bytes;
    atomic_fetch_add(&cached_bytes, bytes);
    __atomic_store_n(&g->cached[k], copy, __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(&cache.lock);
}
