/* See pages_stream.h. A page is a part of consecutive vectors: of a pull they are outputs, of a push inputs,
 * and the kernels of any part do it, adding to what stands in y. */
#include "dist/product/pages_stream.h"

#include "semiring/mem.h"
#include "spmat/backend.h"
#include "spmat/matrix/strips.h"

/* ---- one page --------------------------------------------------------------------------------------------
 */

static grid_page_there page_there(const grid_page_stream *x, uint64_t k, const void *bytes) {
  const grid_host_page *q = &x->g->page[k];
  grid_page_there there = {.bytes = bytes,
                           .rows = q->rows,
                           .entries = q[1].entry - q->entry,
                           .rows_there = x->rows,
                           .begins = x->begins,
                           .vector = x->vector};
  there.at = grid_page_places(there.rows, there.entries, q->codes, x->g->value);
  there.rows_there.ptr = (uint32_t *)(uintptr_t)(there.bytes + there.at.offsets);
  return there;
}

/* The part of x, mask or y that page q's vectors are. */
static void shift(const grid_page_stream *x, const grid_host_page *q, grid_job *J) {
  const uint64_t word = q->row / 64;
  J->ybits = x->y->bits, J->y = x->y->val, J->ny = x->y->n;
  if (x->p->pull) {
    if (J->mask) J->mask += word;
    J->ybits += word;
    if (J->y) J->y = (char *)J->y + q->row * x->p->s->add->op->z->size;
    J->ny = q->rows < x->limit - q->row ? q->rows : x->limit - q->row;
    return;
  }
  if (J->xbits) J->xbits += word;
  if (J->x_step) J->x = (const char *)J->x + q->row * J->x_step;
  J->nx = q->rows;
  if (J->xcount > J->nx) J->xcount = J->nx;
  J->places.base += q->row;
}

/* Sums may go by strips where rows are uneven, and all are the device's. */
static bool by_strips(const grid_page_stream *x, const grid_host_page *q, const grid_job *J) {
  return x->vector && q->uneven && J->ny == q->rows;
}

static grid_strips strips_of(const grid_page_there *there) {
  return (grid_strips){.n = (there->entries + GRID_PAGE_STRIP - 1) / GRID_PAGE_STRIP,
                       .begins = there->begins,
                       .before = (uint32_t *)(uintptr_t)(there->bytes + there->at.before),
                       .vector = there->vector,
                       .unranked = true};
}

static GrB_Info multiply(grid_page_stream *x, uint64_t k, const void *bytes) {
  grid_product *p = x->p;
  const grid_host_page *q = &x->g->page[k];
  grid_page_there there = page_there(x, k, bytes);
  grid_strips strips = strips_of(&there);
  grid_job J = grid_product_job(p, &p->A->block, p->transposed, p->pull, x->in, x->mask, x->where);
  GrB_Info info = grid_cuda->paging->unpack(&there);
  if (info != GrB_SUCCESS) return info;
  J.m = &there.rows_there;
  J.entries = there.entries;
  if (J.a_step) J.a = there.bytes + there.at.values;
  J.push_edges = p->n.edges < there.entries ? p->n.edges : there.entries;
  J.untold = true;
  shift(x, q, &J);
  if (by_strips(x, q, &J)) there.rows_there.strips = &strips;
  const grid_kernels *kernels = grid_cuda->kernels(&J, p->structural);
  p->stats.inspected += there.entries;
  return p->pull ? kernels->pull(&J) : kernels->push(&J);
}

/* ---- room and order --------------------------------------------------------------------------------------
 */

static GrB_Info make_room(grid_page_stream *x) {
  const grid_host_pages *g = x->g;
  const uint64_t strips = (g->most_entries + GRID_PAGE_STRIP - 1) / GRID_PAGE_STRIP;
  grid_compressed *r = &x->rows;
  bool all = true;
  for (int s = 0; s < GRID_PAGE_SLOTS && (uint64_t)s < g->n; s++)
    all = (x->slot[s] = grid_device_malloc(g->most_bytes, 1)) != NULL && all;
  r->idx = grid_device_malloc(strips * GRID_PAGE_STRIP, sizeof *r->idx);
  r->nonempty = grid_device_malloc(grid_words(g->most_rows), sizeof *r->nonempty);
  x->begins = grid_device_malloc(strips, GRID_PAGE_STRIP / 8);
  const bool early = grid_stream_early(x->p), sums = x->p->pull && !early;
  if (early) r->first = grid_device_malloc(g->most_rows, sizeof *r->first);
  if (sums) x->vector = grid_device_malloc(g->most_rows, sizeof *x->vector);
  if (all && r->idx && r->nonempty && x->begins && (r->first || !early) && (x->vector || !sums))
    return GrB_SUCCESS;
  return grid_device_fail_memory(NULL, "pages of a matrix that does not fit, beside the vectors,",
                                 GRID_PAGE_SLOTS, g->most_bytes);
}

static void give_room_back(grid_page_stream *x) {
  for (int s = 0; s < GRID_PAGE_SLOTS; s++) grid_device_free(x->slot[s]);
  grid_device_free(x->rows.idx);
  grid_device_free(x->rows.nonempty);
  grid_device_free(x->rows.first);
  grid_device_free(x->begins);
  grid_device_free(x->vector);
}

/* Pages that the device has are spread over the first of those that are sent, so that the link is never idle
 * while they are worked on. */
static GrB_Info line_up(grid_page_stream *x) {
  enum { OF = 8, FIRST = 7 };
  const grid_host_page *page = x->g->page;
  uint64_t kinds[2] = {0}, taken[2] = {0}, next[2] = {0}; /* of pages that are sent, and kept */
  x->line = grid_malloc(2 * x->all, sizeof *x->line);
  if (!x->line) return grid_fail_memory(NULL, "needed pages", 2 * x->all, sizeof *x->line);
  for (uint64_t i = 0; i < x->all; i++) kinds[page[x->need[i]].kept != NULL]++;
  for (uint64_t i = 0; i < x->all; i++) {
    const bool due = OF * taken[0] * kinds[1] > FIRST * kinds[0] * taken[1],
               kept = taken[0] == kinds[0] || (due && taken[1] < kinds[1]);
    while ((page[x->need[next[kept]]].kept != NULL) != kept) next[kept]++;
    x->line[i] = (grid_page_turn){.at = (uint32_t)next[kept]++};
    taken[kept]++;
  }
  x->in_line = x->all;
  return GrB_SUCCESS;
}

GrB_Info grid_stream_open(grid_page_stream *x) {
  GrB_Info info = make_room(x);
  return info == GrB_SUCCESS ? line_up(x) : info;
}

void grid_stream_close(grid_page_stream *x) {
  for (uint64_t i = x->done; i < x->ahead; i++) x->g->page[x->need[x->line[i].at]].wanted = false;
  give_room_back(x);
  grid_free(x->line);
}

void grid_stream_limit(grid_page_stream *x, uint64_t limit) {
  x->limit = limit;
  for (uint64_t at = x->n; at < x->all && x->g->page[x->need[at]].row < limit; at++)
    x->line[x->in_line++] = (grid_page_turn){.at = (uint32_t)at, .border = true};
}

/* ---- turns -----------------------------------------------------------------------------------------------
 */

/* The turn's page goes to the next slot, once the work that was asked for on the page before it there is
 * done.
 */
static GrB_Info send(grid_page_stream *x, grid_page_turn *t) {
  grid_host_pages *g = x->g;
  const uint64_t k = x->need[t->at], bytes = grid_host_page_bytes(g, k);
  t->slot = (int)(x->sent++ % GRID_PAGE_SLOTS);
  g->sent += bytes;
  return grid_cuda->paging->send(t->slot, x->slot[t->slot], g->bytes + g->page[k].at, bytes);
}

/* A page that is there stays until its turn is over. */
static GrB_Info look_at(grid_page_stream *x, grid_page_turn *t) {
  grid_host_page *q = &x->g->page[x->need[t->at]];
  t->slot = GRID_TURN_SKIPPED;
  if (t->at >= x->n && !t->border) return GrB_SUCCESS;
  t->slot = GRID_TURN_KEPT;
  q->wanted = true;
  return q->kept ? GrB_SUCCESS : send(x, t);
}

static GrB_Info look_ahead(grid_page_stream *x) {
  enum { TURNS = 4 * GRID_PAGE_SLOTS };
  GrB_Info info = GrB_SUCCESS;
  while (info == GrB_SUCCESS && x->ahead < x->in_line && x->ahead < x->done + TURNS &&
         x->sent < x->used + GRID_PAGE_SLOTS)
    info = look_at(x, &x->line[x->ahead++]);
  return info;
}

static GrB_Info take_turn(grid_page_stream *x) {
  grid_host_pages *g = x->g;
  const grid_page_turn *t = &x->line[x->done++];
  const uint64_t k = x->need[t->at];
  GrB_Info info = GrB_SUCCESS;
  if (t->slot == GRID_TURN_SKIPPED) return info;
  const bool sent = t->slot != GRID_TURN_KEPT;
  g->busy = k;
  g->page[k].uses++;
  if (sent) {
    TRY(grid_cuda->paging->take(t->slot));
    TRY(grid_host_pages_keep(g, k, x->slot[t->slot]));
  }
  TRY(multiply(x, k, sent ? x->slot[t->slot] : g->page[k].kept));
  if (sent) TRY(grid_cuda->paging->give(t->slot));
  TRY(grid_cuda->paging->asked());
  x->used += sent;
done:
  g->page[k].wanted = false;
  g->busy = g->n;
  return info;
}

GrB_Info grid_stream_give(grid_page_stream *x, uint64_t waiting) {
  GrB_Info info = GrB_SUCCESS;
  while (x->done < x->in_line && grid_cuda->paging->waiting() < waiting) {
    TRY(look_ahead(x));
    TRY(take_turn(x));
  }
done:
  return info;
}
