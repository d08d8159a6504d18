/* See streamed_transfer.h. A page holds consecutive rows (columns): outputs of a pull, inputs of a push. The
 * kernels are the same as for other local matrices, and add to y. */
#include "dist/product/local/streamed_transfer.h"

#include "semiring/support/mem.h"
#include "spmat/backend.h"
#include "spmat/matrix/balanced_tiles.h"

/* ---- one page ---- */

static grid_device_page device_page(const grid_page_stream *x, uint64_t k, const void *bytes) {
  const grid_host_page *q = &x->g->page[k];
  grid_device_page page = {.bytes = bytes,
                           .rows = q->rows,
                           .entries = q[1].entry - q->entry,
                           .page_rows = x->rows,
                           .row_start = x->row_start,
                           .vector = x->vector};
  page.at = grid_page_layout_of(page.rows, page.entries, q->codes, x->g->value);
  page.page_rows.ptr = (uint32_t *)(uintptr_t)(page.bytes + page.at.offsets);
  return page;
}

/* The page's vectors that are the device's. */
static uint64_t local_rows(const grid_page_stream *x, const grid_host_page *q) {
  return !x->p->choice.pull || q->rows < x->limit - q->row ? q->rows : x->limit - q->row;
}

/* Are sums computed by balanced tiles? If the page's rows are uneven, and all are the device's. */
static bool uses_tiles(const grid_page_stream *x, const grid_host_page *q, const grid_job *J) {
  return x->vector && q->uneven && J->ny == q->rows;
}

static grid_balanced_tiles balanced_tiles_of(const grid_device_page *page) {
  return (grid_balanced_tiles){.n = (page->entries + GRID_PAGE_TILE - 1) / GRID_PAGE_TILE,
                               .row_start = page->row_start,
                               .before = (uint32_t *)(uintptr_t)(page->bytes + page->at.before),
                               .vector = page->vector,
                               .vectors = page->rows,
                               .no_degree_order = true};
}

static GrB_Info multiply(grid_page_stream *x, uint64_t k, const void *bytes) {
  grid_product *p = x->p;
  const grid_host_page *q = &x->g->page[k];
  grid_device_page page = device_page(x, k, bytes);
  grid_balanced_tiles balanced_tiles = balanced_tiles_of(&page);
  grid_job J = grid_product_job(p, &p->A->block, p->transposed, p->choice.pull, x->in, x->mask, x->where);
  GrB_Info info = grid_cuda->paging->unpack(&page);
  if (info != GrB_SUCCESS) return info;
  J.m = &page.page_rows;
  J.entries = page.entries;
  if (J.a_step) J.a = page.bytes + page.at.values;
  J.push_edges = p->n.edges < page.entries ? p->n.edges : page.entries;
  grid_job_restrict(&J, p->choice.pull, x->y, q->row, local_rows(x, q));
  if (uses_tiles(x, q, &J)) page.page_rows.balanced_tiles = &balanced_tiles;
  const grid_kernels *kernels = grid_cuda->kernels(&J, p->values.structural);
  p->stats.inspected += page.entries;
  return p->choice.pull ? kernels->pull(&J) : kernels->push(&J);
}

/* ---- memory and order ---- */

static GrB_Info allocate_buffers(grid_page_stream *x) {
  const grid_host_pages *g = x->g;
  const uint64_t balanced_tiles = (g->most_entries + GRID_PAGE_TILE - 1) / GRID_PAGE_TILE;
  grid_compressed *r = &x->rows;
  bool all = true;
  for (int s = 0; s < GRID_PAGE_SLOTS && (uint64_t)s < g->n; s++)
    all = (x->slot[s] = grid_device_malloc(g->most_bytes, 1)) != NULL && all;
  r->idx = grid_device_malloc(balanced_tiles * GRID_PAGE_TILE, sizeof *r->idx);
  r->nonempty = grid_device_malloc(grid_words(g->most_rows), sizeof *r->nonempty);
  x->row_start = grid_device_malloc(balanced_tiles, GRID_PAGE_TILE / 8);
  const bool early = grid_has_early_exit(x->p), sums = x->p->choice.pull && !early;
  if (early) r->hub_neighbor = grid_device_malloc(g->most_rows, sizeof *r->hub_neighbor);
  if (sums) x->vector = grid_device_malloc(g->most_rows, sizeof *x->vector);
  if (all && r->idx && r->nonempty && x->row_start && (r->hub_neighbor || !early) && (x->vector || !sums))
    return GrB_SUCCESS;
  return grid_device_fail_memory(NULL, "pages of a matrix that does not fit, beside the vectors,",
                                 GRID_PAGE_SLOTS, g->most_bytes);
}

static void free_buffers(grid_page_stream *x) {
  for (int s = 0; s < GRID_PAGE_SLOTS; s++) grid_device_free(x->slot[s]);
  grid_device_free(x->rows.idx);
  grid_device_free(x->rows.nonempty);
  grid_device_free(x->rows.hub_neighbor);
  grid_device_free(x->row_start);
  grid_device_free(x->vector);
}

/* x->queue = the order of the needed pages. Cached pages are spread among the first ones to be sent, so that
 * the link is not idle while they are multiplied. */
static GrB_Info enqueue_pages(grid_page_stream *x) {
  enum { OF = 8, FIRST = 7 };
  const grid_host_page *page = x->g->page;
  uint64_t kinds[2] = {0}, taken[2] = {0}, next[2] = {0}; /* of pages to send, of cached ones */
  x->queue = grid_malloc(2 * x->all, sizeof *x->queue);
  if (!x->queue) return grid_fail_memory(NULL, "needed pages", 2 * x->all, sizeof *x->queue);
  for (uint64_t i = 0; i < x->all; i++) kinds[page[x->need[i]].cached != NULL]++;
  for (uint64_t i = 0; i < x->all; i++) {
    const bool due = OF * taken[0] * kinds[1] > FIRST * kinds[0] * taken[1],
               cached = taken[0] == kinds[0] || (due && taken[1] < kinds[1]);
    while ((page[x->need[next[cached]]].cached != NULL) != cached) next[cached]++;
    x->queue[i] = (grid_page_slot){.at = (uint32_t)next[cached]++};
    taken[cached]++;
  }
  x->in_queue = x->all;
  return GrB_SUCCESS;
}

GrB_Info grid_stream_open(grid_page_stream *x) {
  GrB_Info info = allocate_buffers(x);
  return info == GrB_SUCCESS ? enqueue_pages(x) : info;
}

void grid_stream_close(grid_page_stream *x) {
  for (uint64_t i = x->done; i < x->prefetched; i++) x->g->page[x->need[x->queue[i].at]].wanted = false;
  free_buffers(x);
  grid_free(x->queue);
}

void grid_stream_set_limit(grid_page_stream *x, uint64_t limit) {
  x->limit = limit;
  for (uint64_t at = x->n; at < x->all && x->g->page[x->need[at]].row < limit; at++)
    x->queue[x->in_queue++] = (grid_page_slot){.at = (uint32_t)at, .is_shared = true};
}

/* ---- turns of the queue ---- */

/* Sends the turn's page to the next slot, after the kernels on the page that was in it. */
static GrB_Info send(grid_page_stream *x, grid_page_slot *t) {
  grid_host_pages *g = x->g;
  const uint64_t k = x->need[t->at], bytes = grid_host_page_bytes(g, k);
  t->slot = (int)(x->sent++ % GRID_PAGE_SLOTS);
  g->sent += bytes;
  return grid_cuda->paging->send(t->slot, x->slot[t->slot], g->bytes + g->page[k].at, bytes);
}

/* Prepares a turn: a cached page is pinned until the turn is over, another one is sent. */
static GrB_Info pin_page(grid_page_stream *x, grid_page_slot *t) {
  grid_host_page *q = &x->g->page[x->need[t->at]];
  t->slot = GRID_TURN_SKIPPED;
  if (t->at >= x->n && !t->is_shared) return GrB_SUCCESS;
  t->slot = GRID_TURN_CACHED;
  q->wanted = true;
  return q->cached ? GrB_SUCCESS : send(x, t);
}

static GrB_Info prefetch_page(grid_page_stream *x) {
  enum { TURNS = 4 * GRID_PAGE_SLOTS };
  GrB_Info info = GrB_SUCCESS;
  while (info == GrB_SUCCESS && x->prefetched < x->in_queue && x->prefetched < x->done + TURNS &&
         x->sent < x->used + GRID_PAGE_SLOTS)
    info = pin_page(x, &x->queue[x->prefetched++]);
  return info;
}

static GrB_Info next_transfer(grid_page_stream *x) {
  grid_host_pages *g = x->g;
  const grid_page_slot *t = &x->queue[x->done++];
  const uint64_t k = x->need[t->at];
  GrB_Info info = GrB_SUCCESS;
  if (t->slot == GRID_TURN_SKIPPED) return info;
  const bool sent = t->slot != GRID_TURN_CACHED;
  g->busy = k;
  g->page[k].uses++;
  if (sent) {
    TRY(grid_cuda->paging->load(t->slot));
    TRY(grid_host_pages_cache(g, k, x->slot[t->slot]));
  }
  TRY(multiply(x, k, sent ? x->slot[t->slot] : g->page[k].cached));
  if (sent) TRY(grid_cuda->paging->release_slot(t->slot));
  TRY(grid_cuda->paging->issued());
  x->used += sent;
done:
  g->page[k].wanted = false;
  g->busy = g->n;
  return info;
}

GrB_Info grid_stream_prefetch(grid_page_stream *x, uint64_t waiting) {
  GrB_Info info = GrB_SUCCESS;
  while (x->done < x->in_queue && grid_cuda->paging->count_pending() < waiting) {
    TRY(prefetch_page(x));
    TRY(next_transfer(x));
  }
done:
  return info;
}
