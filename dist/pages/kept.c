/* See kept.h. */
#include "dist/pages/kept.h"

#include <pthread.h>
#include <string.h>

#include "dist/pages/budget.h"
#include "semiring/mem.h"
#include "spmat/convert/page_code.h"

/* Of what a budget that was set leaves, so much is for pages that stay: the rest for vectors to come. */
enum { SHARE_KEPT = 4 };

/* Those that have pages that stay, the ones used last in front. */
static grid_pages *keepers;
static uint64_t kept_bytes;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* threads that add pages count bytes */

uint64_t grid_pages_kept(void) {
  return kept_bytes;
}

static void leave(grid_pages *g) {
  for (grid_pages **p = &keepers; *p; p = &(*p)->next_keeper)
    if (*p == g) {
      *p = g->next_keeper;
      break;
    }
}

void grid_pages_forget(grid_pages *g) {
  if (!g->kept) return;
  for (uint64_t k = 0; k < g->pages; k++) grid_free(g->kept[k]);
  grid_free(g->kept);
  g->kept = NULL;
  kept_bytes -= g->kept_bytes;
  g->kept_bytes = 0;
  leave(g);
}

void grid_pages_yield(uint64_t bytes) {
  const uint64_t used = grid_mem_bytes();
  while (keepers && grid_mem_bytes() + bytes > used) {
    grid_pages *last = keepers;
    while (last->next_keeper) last = last->next_keeper;
    grid_pages_forget(last);
  }
}

/* Pages stay as they come, and no other takes a place: where all are wanted in turn, as by an iteration, that
 * spares the disk most. All that stay, of whatever matrix, take no more than a share of what the budget
 * leaves beside all else; when that is less, those go that were used longest ago. */
void grid_kept_plan(grid_pages *g, uint64_t *most_kept) {
  const uint64_t budget = grid_budget_is_set() ? grid_budget(1) : 0, used = grid_mem_bytes() - kept_bytes,
                 most = used < budget ? (budget - used) / SHARE_KEPT : 0;
  *most_kept = 0;
  if (g->once) return;
  if (g->kept) leave(g), g->next_keeper = keepers, keepers = g;
  if (kept_bytes > most) grid_pages_yield(kept_bytes - most);
  const uint64_t others = kept_bytes - g->kept_bytes;
  *most_kept = most > others ? most - others : 0;
  if (g->kept || *most_kept <= 2 * g->pages * sizeof *g->kept) return;
  g->kept = grid_calloc(g->pages, sizeof *g->kept); /* none: nothing stays */
  if (g->kept) g->next_keeper = keepers, keepers = g;
}

void grid_kept_add(grid_pages *g, uint64_t k, const char *at, uint64_t most) {
  const uint64_t bytes = g->page[k + 1].at - g->page[k].at;
  if (!g->kept) return;
  pthread_mutex_lock(&lock);
  char *copy = g->kept[k] || g->kept_bytes + bytes > most ? NULL : grid_malloc(bytes + GRID_PAGE_SLACK, 1);
  if (copy) {
    memcpy(copy, at, bytes);
    memset(copy + bytes, 0, GRID_PAGE_SLACK);
    g->kept_bytes += bytes;
    kept_bytes += bytes;
    __atomic_store_n(&g->kept[k], copy, __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(&lock);
}
