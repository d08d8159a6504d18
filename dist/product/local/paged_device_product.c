/* See paged_device_product.h. Pages are read ahead as for the CPU (page_stream.c). A portion, as it is in the
 * file, is copied to locked memory and sent to a slot of the device. There it is decoded to a local matrix of
 * consecutive rows, outputs of a pull or inputs of a push, and multiplied by the same kernels as others. */
#include "dist/product/local/paged_device_product.h"

#include "dist/product/local/local_product_outofcore.h"
#include "dist/product/local/streamed_transfer.h"
#include "semiring/support/mem.h"
#include "spmat/backend.h"
#include "spmat/convert/page_staging.h"

/* Room in device memory for a decoded portion. */
typedef struct {
  uint32_t *idx, *row_start, *hub_neighbor;
  uint64_t *nonempty;
  uint64_t rows, entries; /* so many fit */
} decoded_arrays;

typedef struct {
  grid_product *p;
  const grid_input *in;
  const grid_kernel_mask *mask;
  grid_index_map where;
  grid_output *y;
  grid_page_staging *staging;
  char *slot[GRID_PAGE_SLOTS]; /* in device memory */
  uint64_t bytes[GRID_PAGE_SLOTS];
  decoded_arrays decoded;
  uint64_t *damaged; /* the number of a damaged page, or UINT64_MAX; in device memory */
} paged_device;

/* ---- a portion in a slot ---- */

/* Where the arrays of a portion begin in its slot. */
typedef struct {
  uint64_t offsets, pages, codes, values, end;
} portion_layout;

static uint64_t place(uint64_t *at, uint64_t bytes) {
  enum { ALIGNED = 256 };
  const uint64_t start = *at;
  *at += (bytes + ALIGNED - 1) / ALIGNED * ALIGNED;
  return start;
}

static portion_layout layout_of(const grid_coded_rows *rows) {
  portion_layout at = {0};
  at.offsets = place(&at.end, (rows->w.n + 1) * sizeof(uint32_t));
  at.pages = place(&at.end, (rows->pages + 1) * sizeof(grid_coded_page));
  at.codes = place(&at.end, grid_coded_rows_bytes(rows));
  at.values = place(&at.end, rows->g->one ? 0 : rows->w.entries * rows->g->type->size);
  return at;
}

static void pack(char *to, const grid_coded_rows *rows, const portion_layout *at) {
  grid_coded_rows_offsets(rows, (uint32_t *)(void *)(to + at->offsets));
  grid_coded_rows_copy(rows, (grid_coded_page *)(void *)(to + at->pages), to + at->codes, to + at->values);
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

static uint64_t entries_of_pages(const grid_coded_rows *r) {
  const grid_page *page = &r->g->page[r->page];
  return page[r->pages].entry - page->entry;
}

static void free_decoded(decoded_arrays *d) {
  grid_device_free(d->idx);
  grid_device_free(d->row_start);
  grid_device_free(d->nonempty);
  grid_device_free(d->hub_neighbor);
  *d = (decoded_arrays){0};
}

/* Gives the arrays room for a portion, and for somewhat longer ones. Work that was issued may still use them:
 * memory is freed in the stream's order. */
static GrB_Info reserve_decoded(paged_device *x, const grid_coded_rows *r) {
  decoded_arrays *d = &x->decoded;
  const bool hubs = grid_has_early_exit(x->p);
  const uint64_t all = entries_of_pages(r), n = r->w.n, rows = n > d->rows ? n + n / 4 : d->rows,
                 entries = all > d->entries ? all + all / 4 : d->entries;
  if (rows == d->rows && entries == d->entries) return GrB_SUCCESS;
  free_decoded(d);
  d->idx = grid_device_malloc(entries, sizeof *d->idx);
  d->row_start = grid_device_malloc(grid_words(entries) + 1, sizeof(uint64_t));
  d->nonempty = grid_device_malloc(grid_words(rows), sizeof *d->nonempty);
  if (hubs) d->hub_neighbor = grid_device_malloc(grid_words(rows), 64 * sizeof *d->hub_neighbor);
  d->rows = rows, d->entries = entries;
  if (d->idx && d->row_start && d->nonempty && (d->hub_neighbor || !hubs)) return GrB_SUCCESS;
  return grid_device_fail_memory(NULL, "decoded pages of an out-of-core matrix", entries, sizeof *d->idx);
}

/* ---- one portion ---- */

/* How many of a portion's rows the vectors have: the last process's are shorter than its block. */
static uint64_t rows_in_vectors(const paged_device *x, const grid_coded_rows *r) {
  const uint64_t all = x->p->choice.pull ? x->y->n : x->in->nx, first = r->w.first,
                 left = all > first ? all - first : 0;
  return r->w.n < left ? r->w.n : left;
}

static GrB_Info multiply(paged_device *x, const grid_coded_rows *r, const grid_compressed *m) {
  grid_product *p = x->p;
  const grid_local_matrix rows = {.type = r->g->type,
                                  .by_row = *m,
                                  .nvals = r->w.entries,
                                  .iso = r->g->one != NULL,
                                  .iso_val = r->g->one};
  grid_job J = grid_product_job(p, &rows, p->transposed, p->choice.pull, x->in, x->mask, x->where);
  J.push_edges = p->n.edges < rows.nvals ? p->n.edges : rows.nvals;
  const uint64_t n = rows_in_vectors(x, r);
  if (!n) return GrB_SUCCESS;
  grid_job_restrict(&J, p->choice.pull, x->y, r->w.first, n);
  p->stats.inspected += rows.nvals;
  const grid_kernels *kernels = grid_cuda->kernels(&J, p->values.structural);
  return p->choice.pull ? kernels->pull(&J) : kernels->push(&J);
}

static grid_device_coded_rows coded_of(const paged_device *x, const grid_coded_rows *r, char *slot,
                                       const portion_layout *at) {
  const decoded_arrays *d = &x->decoded;
  return (grid_device_coded_rows){.codes = slot + at->codes,
                                  .page = (const grid_coded_page *)(const void *)(slot + at->pages),
                                  .pages = r->pages,
                                  .number = r->page,
                                  .skip = r->w.skip,
                                  .entries = r->w.entries,
                                  .all = entries_of_pages(r),
                                  .cols = r->g->cols,
                                  .n = r->w.n,
                                  .rows = {.ptr = (uint32_t *)(void *)(slot + at->offsets),
                                           .idx = d->idx,
                                           .val = slot + at->values,
                                           .nonempty = d->nonempty,
                                           .hub_neighbor = d->hub_neighbor},
                                  .row_start = d->row_start,
                                  .damaged = x->damaged};
}

static GrB_Info send_and_multiply(void *context, const grid_coded_rows *rows) {
  paged_device *x = context;
  const grid_device_paging *paging = grid_cuda->paging;
  const int slot = (int)(x->staging->turn++ % GRID_PAGE_SLOTS);
  const portion_layout at = layout_of(rows);
  GrB_Info info = GrB_SUCCESS;
  TRY(paging->wait_pending(GRID_PAGE_SLOTS - 1)); /* the slot's last portion has been multiplied */
  TRY(reserve_slot(x, slot, at.end));
  TRY(reserve_decoded(x, rows));
  pack(x->staging->buffer[slot], rows, &at);
  TRY(paging->send(slot, x->slot[slot], x->staging->buffer[slot], at.end));
  const grid_device_coded_rows coded = coded_of(x, rows, x->slot[slot], &at);
  TRY(paging->load(slot));
  TRY(paging->decode(&coded));
  TRY(multiply(x, rows, &coded.rows));
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

/* x->damaged = none. */
static GrB_Info begin_damaged(paged_device *x) {
  const uint64_t none = UINT64_MAX;
  x->damaged = grid_device_malloc(1, sizeof *x->damaged);
  if (!x->damaged) return grid_device_fail_memory(NULL, "the number of a damaged page", 1, sizeof none);
  return grid_device_write(x->damaged, &none, sizeof none);
}

/* Waits for all portions. */
static GrB_Info check_damaged(const paged_device *x) {
  uint64_t page;
  const GrB_Info info = grid_device_get(&page, x->damaged, sizeof page);
  return info != GrB_SUCCESS || page == UINT64_MAX ? info : grid_pages_fail_damaged(x->p->pages, page);
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
  TRY(begin_damaged(&x));
  TRY(grid_cuda->paging->begin());
  TRY(grid_pages_stream_coded(p->pages, wanted, send_and_multiply, &x));
  TRY(check_damaged(&x));
  TRY(grid_cuda->chunks->combine(NULL, y->bits, NULL, GRID_AND, y->n, &y->found));
done:
  if (info != GrB_SUCCESS) (void)grid_cuda->paging->end(); /* the first error is returned */
  for (int k = 0; k < GRID_PAGE_SLOTS; k++) grid_device_free(x.slot[k]);
  free_decoded(&x.decoded);
  grid_device_free(x.damaged);
  grid_free(wanted);
  return info;
}
