/* See page_cache.h. */
#include "dist/outofcore/pages/page_cache.h"

#include <pthread.h>
#include <string.h>

#include "dist/outofcore/file/memory_budget.h"
#include "semiring/support/mem.h"
#include "spmat/convert/page_code.h"

/* Fraction of a set budget's remainder for cached pages; the rest is for vectors. */
enum { CACHE_SHARE = 4 };

/* Those that have pages that stay, the ones used last in front. */
static struct {
  grid_pages *list;
  uint64_t bytes;
  pthread_mutex_t lock; /* of bytes: several threads add pages */
} cache = {.lock = PTHREAD_MUTEX_INITIALIZER};

uint64_t grid_pages_cached_bytes(void) {
  return cache.bytes;
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
  cache.bytes -= g->cached_bytes;
  g->cached_bytes = 0;
  remove_from_list(g);
}

void grid_pages_evict(uint64_t bytes) {
  const uint64_t used = grid_mem_bytes();
  while (cache.list && grid_mem_bytes() + bytes > used) {
    grid_pages *last = cache.list;
    while (last->next_cached) last = last->next_cached;
    grid_pages_drop_cache(last);
  }
}

/* Pages are cached in the order of reading and not replaced: for repeated sequential passes, as in an
 * iteration, that saves most reads. All cached pages, of all matrices, take no more than a fraction of the
 * budget's remainder; when that shrinks, the least recently used matrices lose theirs. */
void grid_page_cache_plan(grid_pages *g, uint64_t *max_cached) {
  const uint64_t budget = grid_budget_is_set() ? grid_budget() : 0, used = grid_mem_bytes() - cache.bytes,
                 most = used < budget ? (budget - used) / CACHE_SHARE : 0;
  *max_cached = 0;
  if (g->is_single_pass) return;
  if (g->cached) remove_from_list(g), g->next_cached = cache.list, cache.list = g;
  if (cache.bytes > most) grid_pages_evict(cache.bytes - most);
  const uint64_t others = cache.bytes - g->cached_bytes;
  *max_cached = most > others ? most - others : 0;
  if (g->cached || *max_cached <= 2 * g->pages * sizeof *g->cached) return;
  g->cached = grid_calloc(g->pages, sizeof *g->cached); /* none: nothing stays */
  if (g->cached) g->next_cached = cache.list, cache.list = g;
}

void grid_page_cache_add(grid_pages *g, uint64_t k, const char *at, uint64_t most) {
  const uint64_t bytes = g->page[k + 1].at - g->page[k].at;
  if (!g->cached) return;
  pthread_mutex_lock(&cache.lock);
  char *copy =
      g->cached[k] || g->cached_bytes + bytes > most ? NULL : grid_malloc(bytes + GRID_PAGE_SLACK, 1);
  if (copy) {
    memcpy(copy, at, bytes);
    memset(copy + bytes, 0, GRID_PAGE_SLACK);
    g->cached_bytes += bytes;
    cache.bytes += bytes;
    __atomic_store_n(&g->cached[k], copy, __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(&cache.lock);
}
