/* See paged_device_product.h. Pages are read ahead and decoded as for the CPU (page_stream.c). Each portion
 * is a local matrix of consecutive rows: outputs of a pull, inputs of a push. It is copied to locked memory,
 * sent to a slot of the device, and multiplied there by the same kernels as other local matrices. */
#include "dist/product/local/paged_device_product.h"

#include "dist/product/local/local_product_outofcore.h"
#include "dist/product/local/streamed_transfer.h"
#include "semiring/support/mem.h"
#include "spmat/backend.h"
#include "spmat/convert/page_staging.h"

typedef struct {
  grid_product *p;
  const grid_input *in;
  const grid_kernel_mask *mask;
  grid_index_map where;
  grid_output *y;
  grid_page_staging *staging;
  char *slot[GRID_PAGE_SLOTS]; /* in device memory */
  uint64_t bytes[GRID_PAGE_SLOTS];
} paged_device;

/* ---- a portion in a slot ---- */

/* Where the arrays of a portion begin in its slot. hubs: only where kernels try hub neighbors first. */
typedef struct {
  uint64_t offsets, nonempty, hubs, columns, values, end;
} portion_layout;

static uint64_t place(uint64_t *at, uint64_t bytes) {
  enum { ALIGNED = 256 };
  const uint64_t here = *at;
  *at += (bytes + ALIGNED - 1) / ALIGNED * ALIGNED;
  return here;
}

static portion_layout layout_of(const grid_local_matrix *rows, bool hubs) {
  const uint64_t n = rows->row.n, entries = rows->nvals;
  portion_layout at = {0};
  at.offsets = place(&at.end, (n + 1) * sizeof(uint32_t));
  at.nonempty = place(&at.end, grid_words(n) * sizeof(uint64_t));
  at.hubs = place(&at.end, hubs ? n * sizeof(uint32_t) : 0);
  at.columns = place(&at.end, entries * sizeof(uint32_t));
  at.values = place(&at.end, rows->iso ? 0 : entries * rows->type->size);
  return at;
}

static void pack(char *to, const grid_local_matrix *rows, const portion_layout *at, bool hubs) {
  const grid_compressed *c = &rows->by_row;
  const uint64_t n = rows->row.n, entries = rows->nvals;
  grid_copy_bytes(to + at->offsets, c->ptr, (n + 1) * sizeof *c->ptr);
  grid_copy_bytes(to + at->nonempty, c->nonempty, grid_words(n) * sizeof *c->nonempty);
  if (hubs) grid_copy_bytes(to + at->hubs, c->hub_neighbor, n * sizeof *c->hub_neighbor);
  grid_copy_bytes(to + at->columns, c->idx, entries * sizeof *c->idx);
  if (!rows->iso) grid_copy_bytes(to + at->values, c->val, entries * rows->type->size);
}

static grid_compressed unpacked(char *slot, const portion_layout *at, bool hubs) {
  return (grid_compressed){.ptr = (uint32_t *)(void *)(slot + at->offsets),
                           .nonempty = (uint64_t *)(void *)(slot + at->nonempty),
                           .hub_neighbor = hubs ? (uint32_t *)(void *)(slot + at->hubs) : NULL,
                           .idx = (uint32_t *)(void *)(slot + at->columns),
                           .val = slot + at->values};
}

/* Both buffers of a slot that is not in use get room. */
static GrB_Info reserve_slot(paged_device *x, int slot, uint64_t bytes) {
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_page_staging_reserve(x->staging, slot, bytes));
  if (bytes <= x->bytes[slot]) return info;
  const uint64_t more = x->staging->bytes[slot];
  grid_device_free(x->slot[slot]);
  x->slot[slot] = grid_device_malloc(more, 1);
  x->bytes[slot] = x->slot[slot] ? more : 0;
  if (!x->slot[slot]) TRY(grid_device_fail_memory(NULL, "pages of an out-of-core matrix", more, 1));
  TRY(grid_cuda->paging->begin()); /* work that was issued may still use this memory */
done:
  return info;
}

/* ---- one portion ---- */

/* Shifts the job's x, or its mask and y, to n rows from `first` on. */
static void shift_vectors(const paged_device *x, uint64_t first, uint64_t n, grid_job *J) {
  const uint64_t word = first / 64, all = x->p->choice.pull ? x->y->n : x->in->nx,
                 left = all > first ? all - first : 0, here = n < left ? n : left;
  J->ybits = x->y->bits, J->y = x->y->val, J->ny = x->y->n;
  if (x->p->choice.pull) {
    if (J->mask) J->mask += word;
    J->ybits += word;
    if (J->y) J->y = (char *)J->y + first * x->p->s->add->op->z->size;
    J->ny = here;
    return;
  }
  if (J->xbits) J->xbits += word;
  if (J->x_step) J->x = (const char *)J->x + first * J->x_step;
  J->nx = here;
  if (J->xcount > here) J->xcount = here;
  J->index_map.base += first;
}

static GrB_Info multiply(paged_device *x, const grid_local_matrix *rows, uint64_t first,
                         const grid_compressed *m) {
  grid_product *p = x->p;
  grid_job J = grid_product_job(p, rows, p->transposed, p->choice.pull, x->in, x->mask, x->where);
  J.m = m;
  if (J.a_step) J.a = m->val;
  J.push_edges = p->n.edges < rows->nvals ? p->n.edges : rows->nvals;
  J.uncounted = true;
  shift_vectors(x, first, rows->row.n, &J);
  p->stats.inspected += rows->nvals;
  if (!(p->choice.pull ? J.ny : J.nx)) return GrB_SUCCESS;
  const grid_kernels *kernels = grid_cuda->kernels(&J, p->values.structural);
  return p->choice.pull ? kernels->pull(&J) : kernels->push(&J);
}

static GrB_Info send_and_multiply(void *context, const grid_local_matrix *rows, uint64_t first) {
  paged_device *x = context;
  const grid_device_paging *paging = grid_cuda->paging;
  const int slot = (int)(x->staging->turn++ % GRID_PAGE_SLOTS);
  const bool hubs = grid_has_early_exit(x->p);
  const portion_layout at = layout_of(rows, hubs);
  GrB_Info info = GrB_SUCCESS;
  TRY(paging->wait_pending(GRID_PAGE_SLOTS - 1)); /* the slot's last portion has been multiplied */
  TRY(reserve_slot(x, slot, at.end));
  pack(x->staging->buffer[slot], rows, &at, hubs);
  TRY(paging->send(slot, x->slot[slot], x->staging->buffer[slot], at.end));
  TRY(paging->load(slot));
  const grid_compressed m = unpacked(x->slot[slot], &at, hubs);
  TRY(multiply(x, rows, first, &m));
  TRY(paging->release_slot(slot));
  TRY(paging->issued());
done:
  return info;
}

/* ---- all ---- */

/* *wanted = the pages of rows that the mask allows (a pull) or x has (a push); NULL: all. */
static GrB_Info find_wanted(const paged_device *x, uint64_t **wanted) {
  const bool pull = x->p->choice.pull;
  const uint64_t *bits = pull ? x->mask->bits : x->in->bits, n = pull ? x->y->n : x->in->nx;
  grid_kernel_mask rows = {.complement = pull && x->mask->complement};
  GrB_Info info = GrB_SUCCESS;
  *wanted = NULL;
  if (!bits) return info;
  uint64_t *copy = grid_malloc(grid_words(n), sizeof *copy);
  if (!copy) return grid_fail_memory(NULL, "rows that a product needs", grid_words(n), sizeof *copy);
  rows.bits = copy;
  TRY(grid_device_get(copy, bits, grid_words(n) * sizeof *copy));
  info = grid_find_pages_of_rows(wanted, x->p, &rows, n);
done:
  grid_free(copy);
  return info;
}

GrB_Info grid_run_paged_device(grid_product *p, const grid_input *in, const grid_kernel_mask *mask,
                               grid_index_map where, grid_output *y) {
  grid_page_staging **staging = &p->A->placement.staging;
  paged_device x = {.p = p, .in = in, .mask = mask, .where = where, .y = y};
  uint64_t *wanted = NULL;
  GrB_Info info = GrB_SUCCESS;
  if (!*staging) *staging = grid_calloc(1, sizeof **staging);
  if (!*staging) return grid_fail_memory(NULL, "pages on their way to the device", 1, sizeof **staging);
  x.staging = *staging;
  TRY(find_wanted(&x, &wanted));
  TRY(grid_cuda->paging->begin());
  TRY(grid_pages_stream(p->pages, wanted, send_and_multiply, &x));
  TRY(grid_cuda->chunks->combine(NULL, y->bits, NULL, GRID_AND, y->n, &y->found));
done:
  if (info != GrB_SUCCESS) (void)grid_cuda->paging->end(); /* the first error is returned */
  for (int k = 0; k < GRID_PAGE_SLOTS; k++) grid_device_free(x.slot[k]);
  grid_free(wanted);
  return info;
}
