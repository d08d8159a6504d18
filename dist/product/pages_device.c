/* See pages_device.h: which pages a product needs, and their way through the device (docs/design.md, "Pages
 * from the host to the device"). A page is a part of consecutive vectors: of a pull they are outputs, of a
 * push inputs, and the kernels of any part do it, adding to what stands in y. */
#include "dist/product/pages_device.h"

#include <stdlib.h>
#include <string.h>

#include "dist/object/matrix/matrix_device_pages.h"
#include "semiring/mem.h"
#include "spmat/backend.h"

typedef struct {
  grid_product *p;
  const grid_input *in;
  const grid_allowed *mask;
  grid_places where;
  grid_output *y;
  grid_host_pages *g;
  /* the pages that are needed; how many of them have been looked at ahead, and multiplied */
  uint32_t *need;
  uint64_t n, ahead, done;
  /* where the need[i] that are in between arrive, slot i modulo their number, unless the device has them */
  void *slot[GRID_PAGE_SLOTS];
  bool is_sent[GRID_PAGE_SLOTS];
  /* what a page becomes */
  grid_compressed rows;
  uint32_t *begins;
} paged_product;

/* ---- which pages -----------------------------------------------------------------------------------------
 */

/* Those with vectors that hold entries, and that the mask allows (a pull) or x has (a push). */
static GrB_Info find_needed(paged_product *x) {
  const grid_product *p = x->p;
  const grid_host_pages *g = x->g;
  const uint64_t *bits = p->pull ? x->mask->bits : x->in->bits,
                 *some = p->pull == !p->transposed ? p->A->device_row_some : p->A->device_col_some;
  uint32_t *count = bits ? grid_calloc(g->n, sizeof *count) : NULL;
  GrB_Info info = GrB_SUCCESS;
  x->need = grid_malloc(g->n, sizeof *x->need);
  if (!x->need || (bits && !count)) TRY(grid_fail_memory(NULL, "needed pages", g->n, sizeof *x->need));
  if (bits) TRY(grid_cuda->paging->meet(count, bits, p->pull && x->mask->complement, some, g->bounds, g->n));
  for (uint64_t k = 0; k < g->n; k++)
    if (!bits || count[k]) x->need[x->n++] = (uint32_t)k;
done:
  grid_free(count);
  return info;
}

/* ---- one page --------------------------------------------------------------------------------------------
 */

static bool wants_first(const grid_product *p) {
  return p->pull && (p->structural || p->s->add->any);
}

static grid_page_there page_there(const paged_product *x, uint64_t k, const void *bytes) {
  const grid_host_page *q = &x->g->page[k];
  grid_page_there there = {.bytes = bytes,
                           .rows = q->rows,
                           .entries = q[1].entry - q->entry,
                           .rows_there = x->rows,
                           .begins = x->begins};
  there.at = grid_page_places(there.rows, there.entries, q->codes, x->g->value);
  there.rows_there.ptr = (uint32_t *)(uintptr_t)(there.bytes + there.at.offsets);
  return there;
}

/* The part of x, mask or y that page q's vectors are. */
static void shift(const paged_product *x, const grid_host_page *q, grid_job *J) {
  const uint64_t word = q->row / 64;
  J->ybits = x->y->bits, J->y = x->y->val, J->ny = x->y->n;
  if (x->p->pull) {
    if (J->mask) J->mask += word;
    J->ybits += word;
    if (J->y) J->y = (char *)J->y + q->row * x->p->s->add->op->z->size;
    J->ny = q->rows;
    return;
  }
  if (J->xbits) J->xbits += word;
  if (J->x_step) J->x = (const char *)J->x + q->row * J->x_step;
  J->nx = q->rows;
  if (J->xcount > J->nx) J->xcount = J->nx;
  J->places.base += q->row;
}

static GrB_Info multiply(paged_product *x, uint64_t k, const void *bytes) {
  grid_product *p = x->p;
  const grid_host_page *q = &x->g->page[k];
  const grid_page_there there = page_there(x, k, bytes);
  grid_job J = grid_product_job(p, &p->A->block, p->transposed, p->pull, x->in, x->mask, x->where);
  GrB_Info info = grid_cuda->paging->unpack(&there);
  if (info != GrB_SUCCESS) return info;
  J.m = &there.rows_there;
  J.entries = there.entries;
  if (J.a_step) J.a = there.bytes + there.at.values;
  J.push_edges = p->n.edges < there.entries ? p->n.edges : there.entries;
  J.untold = true;
  shift(x, q, &J);
  const grid_kernels *kernels = grid_cuda->kernels(&J, p->structural);
  p->stats.inspected += there.entries;
  return p->pull ? kernels->pull(&J) : kernels->push(&J);
}

/* ---- in place --------------------------------------------------------------------------------------------
 */

/* Bytes that a few entries cost where they stand on the host: what the link carries at once. */
enum { GRANULE = 64 };

/* Of a pull with early hits most rows are settled by their firsts, which are there; of a push from few
 * vectors little of each page is needed. About as many bytes then cross if the kernel reads the block on the
 * host. */
static uint64_t bytes_in_place(const paged_product *x) {
  const grid_product *p = x->p;
  if (p->pull) return (uint64_t)((double)p->n.allowed_some * x->g->there.beyond * GRANULE);
  return p->n.nx * GRANULE + p->n.edges * (sizeof(uint32_t) + x->g->value);
}

/* ... that those that are needed and not there take. */
static uint64_t bytes_of_needed(const paged_product *x) {
  uint64_t sum = 0;
  for (uint64_t i = 0; i < x->n; i++)
    if (!x->g->page[x->need[i]].kept) sum += grid_host_page_bytes(x->g, x->need[i]);
  return sum;
}

/* GRIDBLAS_IN_PLACE=off, for measuring. */
static bool may_read_in_place(void) {
  const char *text = getenv("GRIDBLAS_IN_PLACE");
  return !text || strcmp(text, "off") != 0;
}

/* *yes: it is better so, and can be. */
static GrB_Info ask_in_place(paged_product *x, const grid_compressed *m, bool *yes) {
  const grid_product *p = x->p;
  *yes = may_read_in_place() && (p->pull ? wants_first(p) : x->in->bits != NULL) &&
         bytes_in_place(x) < bytes_of_needed(x);
  if (!*yes) return GrB_SUCCESS;
  GrB_Info info = grid_host_pages_show(x->g, m, p->pull);
  *yes = x->g->there.m.ptr && (!p->pull || x->g->there.m.first);
  return info;
}

/* A look beyond first fetches up to a granule. */
static void count_in_place(paged_product *x, const grid_job *J) {
  const grid_product *p = x->p;
  grid_pages_in_place *there = &x->g->there;
  x->p->stats.inspected += J->inspected;
  x->y->found = J->found;
  if (!p->pull) {
    x->g->sent += J->inspected * (sizeof(uint32_t) + x->g->value) + p->n.nx * GRANULE;
    return;
  }
  const uint64_t rows = p->n.allowed_some, beyond = J->inspected > rows ? J->inspected - rows : 0;
  x->g->sent += beyond * GRANULE;
  if (rows) there->beyond = (double)beyond / (double)rows;
}

static GrB_Info run_in_place(paged_product *x) {
  grid_product *p = x->p;
  grid_job J = grid_product_job(p, &p->A->block, p->transposed, p->pull, x->in, x->mask, x->where);
  J.m = &x->g->there.m;
  if (J.a_step) J.a = J.m->val;
  J.push_edges = p->n.edges;
  J.ny = x->y->n, J.ybits = x->y->bits, J.y = x->y->val;
  const grid_kernels *kernels = grid_cuda->kernels(&J, p->structural);
  x->g->busy = 0; /* nothing of it goes meanwhile */
  GrB_Info info = p->pull ? kernels->pull(&J) : kernels->push(&J);
  x->g->busy = x->g->n;
  if (info == GrB_SUCCESS) count_in_place(x, &J);
  return info;
}

/* ---- the stream ------------------------------------------------------------------------------------------
 */

static GrB_Info make_room(paged_product *x) {
  const grid_host_pages *g = x->g;
  const uint64_t strips = (g->most_entries + GRID_PAGE_STRIP - 1) / GRID_PAGE_STRIP;
  grid_compressed *r = &x->rows;
  bool all = true;
  for (int s = 0; s < GRID_PAGE_SLOTS && (uint64_t)s < g->n; s++)
    all = (x->slot[s] = grid_device_malloc(g->most_bytes, 1)) != NULL && all;
  r->idx = grid_device_malloc(strips * GRID_PAGE_STRIP, sizeof *r->idx);
  r->nonempty = grid_device_malloc(grid_words(g->most_rows), sizeof *r->nonempty);
  x->begins = grid_device_malloc(strips, GRID_PAGE_STRIP / 8);
  if (wants_first(x->p)) r->first = grid_device_malloc(g->most_rows, sizeof *r->first);
  if (all && r->idx && r->nonempty && x->begins && (r->first || !wants_first(x->p))) return GrB_SUCCESS;
  return grid_device_fail_memory(NULL, "pages of a matrix that does not fit, beside the vectors,",
                                 GRID_PAGE_SLOTS, g->most_bytes);
}

static void give_room_back(paged_product *x) {
  for (int s = 0; s < GRID_PAGE_SLOTS; s++) grid_device_free(x->slot[s]);
  grid_device_free(x->rows.idx);
  grid_device_free(x->rows.nonempty);
  grid_device_free(x->rows.first);
  grid_device_free(x->begins);
}

/* need[i] goes to its slot, once the work that was asked for on the page before it there is done. */
static GrB_Info send(paged_product *x, uint64_t i) {
  grid_host_pages *g = x->g;
  const uint64_t k = x->need[i], bytes = grid_host_page_bytes(g, k);
  const int slot = (int)(i % GRID_PAGE_SLOTS);
  x->is_sent[slot] = true;
  g->sent += bytes;
  return grid_cuda->paging->send(slot, x->slot[slot], g->bytes + g->page[k].at, bytes);
}

static GrB_Info send_ahead(paged_product *x) {
  GrB_Info info = GrB_SUCCESS;
  for (; info == GrB_SUCCESS && x->ahead < x->n && x->ahead < x->done + GRID_PAGE_SLOTS; x->ahead++) {
    x->is_sent[x->ahead % GRID_PAGE_SLOTS] = false;
    if (!x->g->page[x->need[x->ahead]].kept) info = send(x, x->ahead);
  }
  return info;
}

static GrB_Info next(paged_product *x) {
  grid_host_pages *g = x->g;
  const uint64_t k = x->need[x->done];
  const int slot = (int)(x->done % GRID_PAGE_SLOTS);
  GrB_Info info = GrB_SUCCESS;
  g->busy = k;
  g->page[k].uses++;
  /* one that was there when its turn to be sent came may have been given up since */
  if (!x->is_sent[slot] && !g->page[k].kept) TRY(send(x, x->done));
  if (x->is_sent[slot]) {
    TRY(grid_cuda->paging->take(slot));
    TRY(grid_host_pages_keep(g, k, x->slot[slot]));
  }
  TRY(multiply(x, k, x->is_sent[slot] ? x->slot[slot] : g->page[k].kept));
  if (x->is_sent[slot]) TRY(grid_cuda->paging->give(slot));
  x->done++;
done:
  g->busy = g->n;
  return info;
}

GrB_Info grid_run_device_pages(grid_product *p, const grid_input *in, const grid_allowed *mask,
                               grid_places where, grid_output *y) {
  paged_product x = {.p = p, .in = in, .mask = mask, .where = where, .y = y};
  const bool by_rows = p->pull != p->transposed; /* that serves a pull of A and a push of its transpose */
  bool in_place;
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_block_pages(&x.g, p->A, by_rows));
  TRY(find_needed(&x));
  TRY(ask_in_place(&x, by_rows ? &p->A->block.by_row : &p->A->block.by_col, &in_place));
  if (in_place) {
    info = run_in_place(&x);
    goto done;
  }
  TRY(make_room(&x));
  TRY(grid_cuda->paging->begin());
  while (x.done < x.n) {
    TRY(send_ahead(&x));
    TRY(next(&x));
  }
  TRY(grid_cuda->chunks->combine(NULL, y->bits, NULL, GRID_AND, y->n, &y->found));
done:
  if (x.ahead > x.done) (void)grid_cuda->paging->end(); /* that was the error that counts */
  give_room_back(&x);
  grid_free(x.need);
  return info;
}
