/* See streamed_cpu_share.h. */
#include "dist/product/local/streamed_cpu_share.h"

#include "semiring/support/mem.h"

/* DEVICE_ONLY_RUNS: products that the device computes alone, of which the first compiles kernels and caches
 * pages. HYBRID_RUNS: products that both compute before it is decided whether that pays. The first of these
 * allocates memory and is not counted; it gives one in INITIAL_SHARE pages to the CPU. */
enum { DEVICE_ONLY_RUNS = 2, HYBRID_RUNS = 5, INITIAL_SHARE = 16 };

/* Their mean time must be less than this fraction of the time of the device alone. */
static const double max_time_ratio = 0.985;

static bool is_same_key(const grid_page_costs_key *a, const grid_page_costs_key *b) {
  return a->add == b->add && a->mul == b->mul && a->bytes == b->bytes && a->rows == b->rows &&
         a->masked == b->masked;
}

grid_page_costs *grid_page_costs_find(const grid_product *p, bool masked) {
  enum { USES = sizeof p->A->placement.cpu_share->costs / sizeof *p->A->placement.cpu_share->costs };
  const grid_page_costs_key key = {.add = p->s->add->op,
                                   .mul = p->s->mul,
                                   .bytes = p->x->n * p->x->type->size,
                                   .rows = p->choice.pull != p->transposed,
                                   .masked = masked};
  if (!p->A->placement.cpu_share)
    p->A->placement.cpu_share = grid_calloc(1, sizeof *p->A->placement.cpu_share);
  grid_pages_share *share = p->A->placement.cpu_share;
  if (!share) return NULL;
  for (unsigned k = 0; k < USES; k++)
    if (is_same_key(&share->costs[k].key, &key)) return &share->costs[k];
  grid_page_costs *u = &share->costs[share->next++ % USES];
  *u = (grid_page_costs){.key = key};
  return u;
}

bool grid_pages_device_only_first(const grid_page_costs *u) {
  return u->times[0] < DEVICE_ONLY_RUNS;
}

uint64_t grid_pages_cpu_share(const grid_page_costs *u, uint64_t n) {
  if (u->refused || grid_pages_device_only_first(u)) return 0;
  if (u->times[1] == 0) return (n + INITIAL_SHARE - 1) / INITIAL_SHARE;
  const double excess = (double)n * u->device_page - u->before,
               share = excess > 0 ? excess / (u->device_page + u->cpu_page) : 0;
  /* after a single measurement, which may have been disturbed, the CPU still gets a page */
  if (share < 1) return u->times[1] < 2 && n > 1 ? 1 : 0;
  return share < (double)n ? (uint64_t)share : n - 1;
}

void grid_page_costs_update(grid_page_costs *u, const grid_page_timings *t) {
  u->before = t->before;
  if (t->device_pages) u->device_page = t->device / (double)t->device_pages;
  if (t->cpu_pages)
    u->cpu_page = t->cpu / (double)t->cpu_pages;
  else
    u->refused = true;
}

void grid_page_costs_record(grid_page_costs *u, uint64_t n, bool with, double seconds) {
  const double page = seconds / (double)n;
  if (with && u->times[1] > 0) u->device_and_cpu += page;
  if (!with && (u->device_only <= 0 || page < u->device_only)) u->device_only = page;
  u->times[with]++;
  if (with && u->times[1] == HYBRID_RUNS &&
      u->device_and_cpu > max_time_ratio * u->device_only * (HYBRID_RUNS - 1))
    u->refused = true;
}
