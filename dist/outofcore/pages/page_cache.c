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

/* The cached pages of a context's matrices. */
typedef struct context_cache {
  grid_pages *list;       /* those with cached pages, the ones used last in front */
  pthread_mutex_t lock;   /* of pages that are added: several threads do that */
  _Atomic uint64_t bytes; /* of them */
  int streams;            /* in progress: its pages are read */
  uint64_t wanted;        /* bytes that its streams would use */
  bool is_listed;         /* in `contexts` */
  struct context_cache *next;
} context_cache;
static context_cache default_cache GRID_OF_CONTEXT = {.lock = PTHREAD_MUTEX_INITIALIZER};
#define cache GRID_IN_CONTEXT(default_cache)

/* All contexts have one limit. A context may fill it, until another one needs an equal share of it. */
static _Atomic uint64_t cached_bytes;                             /* of all contexts */
static context_cache *contexts;                                   /* that have read pages */
static pthread_mutex_t contexts_lock = PTHREAD_MUTEX_INITIALIZER; /* of what is cached, except added pages */

uint64_t grid_pages_cached_bytes(void) {
  return atomic_load(&cache.bytes);
}

static void remove_from_list(context_cache *c, const grid_pages *g) {
  for (grid_pages **p = &c->list; *p; p = &(*p)->next_cached)
    if (*p == g) {
      *p = g->next_cached;
      break;
    }
}

/* Drops at least so many bytes of g's cached pages, the last pages first, or all. Returns their number. */
static uint64_t drop_pages(context_cache *c, grid_pages *g, uint64_t bytes) {
  uint64_t dropped = 0;
  for (uint64_t k = g->pages; k-- > 0 && dropped < bytes;) {
    if (!g->cached[k]) continue;
    grid_free(g->cached[k]);
    g->cached[k] = NULL;
    dropped += g->page[k + 1].at - g->page[k].at;
  }
  g->cached_bytes -= dropped;
  atomic_fetch_sub(&c->bytes, dropped);
  atomic_fetch_sub(&cached_bytes, dropped);
  if (g->cached_bytes) return dropped;
  grid_free(g->cached);
  g->cached = NULL;
  remove_from_list(c, g);
  return dropped;
}

/* With the lock, since another context may be about to drop g's last page. */
void grid_pages_drop_cache(grid_pages *g) {
  pthread_mutex_lock(&contexts_lock);
  if (g->cached) drop_pages(&cache, g, UINT64_MAX);
  pthread_mutex_unlock(&contexts_lock);
}

/* Drops at least so many bytes, those of the least recently used matrices first. */
static void shrink(context_cache *c, uint64_t bytes) {
  for (uint64_t dropped = 0; c->list && dropped < bytes;) {
    grid_pages *last = c->list;
    while (last->next_cached) last = last->next_cached;
    dropped += drop_pages(c, last, bytes - dropped);
  }
}

void grid_pages_evict(uint64_t bytes) {
  pthread_mutex_lock(&contexts_lock);
  shrink(&cache, bytes);
  pthread_mutex_unlock(&contexts_lock);
}

void grid_page_cache_close(void) {
  context_cache *current = &cache;
  pthread_mutex_lock(&contexts_lock);
  shrink(current, UINT64_MAX);
  for (context_cache **p = &contexts; *p; p = &(*p)->next)
    if (*p == current) {
      *p = current->next;
      break;
    }
  current->is_listed = false;
  pthread_mutex_unlock(&contexts_lock);
}

/* ---- the limit ---- */

/* Bytes that all cached pages may take: a fraction of what others leave of the budget. */
static uint64_t find_limit(void) {
  const uint64_t budget = grid_budget_is_set() ? grid_budget() : 0, cached = atomic_load(&cached_bytes),
                 all = grid_mem_bytes(), used = all > cached ? all - cached : 0;
  return used < budget ? (budget - used) / CACHE_SHARE : 0;
}

/* Bytes up to its share that a context which reads pages would use, and does not have. */
static uint64_t missing_bytes(const context_cache *c, uint64_t share) {
  const uint64_t wish = c->wanted < share ? c->wanted : share, bytes = atomic_load(&c->bytes);
  return c->streams && wish > bytes ? wish - bytes : 0;
}

/* Where others lack a part of their share, contexts that exceed theirs drop pages, if none is read meanwhile.
 * Another context's are dropped at once, this one's as it begins to read. Returns what others lack. */
static uint64_t balance(context_cache *current, uint64_t limit) {
  uint64_t n = 1, missing = 0, taken = atomic_load(&cached_bytes);
  for (const context_cache *c = contexts; c; c = c->next)
    n += c != current && (c->streams || atomic_load(&c->bytes));
  const uint64_t share = limit / n;
  for (const context_cache *c = contexts; c; c = c->next) missing += missing_bytes(c, share);
  for (context_cache *c = contexts; c; c = c->next) {
    const uint64_t bytes = atomic_load(&c->bytes),
                   excess = taken + missing > limit ? taken + missing - limit : 0,
                   surplus = bytes > share ? bytes - share : 0;
    if (c->streams > (c == current)) continue;
    shrink(c, surplus < excess ? surplus : excess);
    taken -= bytes - atomic_load(&c->bytes);
  }
  return missing - missing_bytes(current, share);
}

/* Pages are cached in the order of reading and not replaced: for repeated sequential passes, as in an
 * iteration, that saves most reads. */
void grid_page_cache_begin(grid_pages *g, uint64_t bytes, uint64_t *limit) {
  context_cache *current = &cache;
  *limit = 0;
  if (g->is_single_pass) return;
  pthread_mutex_lock(&contexts_lock);
  if (!current->is_listed) current->next = contexts, contexts = current, current->is_listed = true;
  current->streams++;
  current->wanted =
      atomic_load(&current->bytes) - g->cached_bytes + (bytes > g->cached_bytes ? bytes : g->cached_bytes);
  if (g->cached) remove_from_list(current, g), g->next_cached = current->list, current->list = g;
  const uint64_t all = find_limit(), others = balance(current, all);
  *limit = all > others ? all - others : 0;
  if (!g->cached && *limit > atomic_load(&cached_bytes) + 2 * g->pages * sizeof *g->cached) {
    g->cached = grid_calloc(g->pages, sizeof *g->cached); /* without memory nothing is cached */
    if (g->cached) g->next_cached = current->list, current->list = g;
  }
  pthread_mutex_unlock(&contexts_lock);
}

void grid_page_cache_end(const grid_pages *g) {
  if (g->is_single_pass) return;
  pthread_mutex_lock(&contexts_lock);
  cache.streams--;
  pthread_mutex_unlock(&contexts_lock);
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
    atomic_fetch_add(&cache.bytes, bytes);
    atomic_fetch_add(&cached_bytes, bytes);
    __atomic_store_n(&g->cached[k], copy, __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(&cache.lock);
}
