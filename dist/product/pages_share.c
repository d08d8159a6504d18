/* See pages_share.h. */
#include "dist/product/pages_share.h"

#include "semiring/mem.h"

/* ALONE: products by the device alone: the first makes kernels, and keeps pages. TRIES: by both until it is
 * decided, of which the first does not count: it makes room, and guesses its share, GUESS-th of the pages. */
enum { ALONE = 2, TRIES = 5, GUESS = 16 };

/* Their mean must be less than this share of the time without the CPU. */
static const double gain = 0.985;

static bool alike(const grid_pages_like *a, const grid_pages_like *b) {
  return a->add == b->add && a->mul == b->mul && a->bytes == b->bytes && a->rows == b->rows &&
         a->masked == b->masked;
}

grid_pages_use *grid_pages_use_of(const grid_product *p, bool masked) {
  enum { USES = sizeof p->A->pages_share->use / sizeof *p->A->pages_share->use };
  const grid_pages_like like = {.add = p->s->add->op,
                                .mul = p->s->mul,
                                .bytes = p->x->n * p->x->type->size,
                                .rows = p->pull != p->transposed,
                                .masked = masked};
  if (!p->A->pages_share) p->A->pages_share = grid_calloc(1, sizeof *p->A->pages_share);
  grid_pages_share *share = p->A->pages_share;
  if (!share) return NULL;
  for (unsigned k = 0; k < USES; k++)
    if (alike(&share->use[k].like, &like)) return &share->use[k];
  grid_pages_use *u = &share->use[share->next++ % USES];
  *u = (grid_pages_use){.like = like};
  return u;
}

bool grid_pages_alone_first(const grid_pages_use *u) {
  return u->times[0] < ALONE;
}

uint64_t grid_pages_cpu_share(const grid_pages_use *u, uint64_t n) {
  if (u->refused || grid_pages_alone_first(u)) return 0;
  if (u->times[1] == 0) return (n + GUESS - 1) / GUESS;
  const double at_once = (double)n * u->device_page - u->before,
               share = at_once > 0 ? at_once / (u->device_page + u->cpu_page) : 0;
  /* one disturbed measurement decides nothing */
  if (share < 1) return u->times[1] < 2 && n > 1 ? 1 : 0;
  return share < (double)n ? (uint64_t)share : n - 1;
}

void grid_pages_learn(grid_pages_use *u, const grid_pages_times *t) {
  u->before = t->before;
  if (t->theirs) u->device_page = t->device / (double)t->theirs;
  if (t->own)
    u->cpu_page = t->cpu / (double)t->own;
  else
    u->refused = true;
}

void grid_pages_took(grid_pages_use *u, uint64_t n, bool with, double seconds) {
  const double page = seconds / (double)n;
  if (with && u->times[1] > 0) u->both += page;
  if (!with && (u->alone <= 0 || page < u->alone)) u->alone = page;
  u->times[with]++;
  if (with && u->times[1] == TRIES && u->both > gain * u->alone * (TRIES - 1)) u->refused = true;
}
