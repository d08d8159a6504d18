/* A product over pages (docs/design.md, "Pages"): those that it needs go through memory, and what comes is a
 * part of consecutive rows, for the kernels of any part. A pull's rows are outputs of their own, a push's
 * inputs; either way products are added in the order in which they would be in memory. */
#include "dist/product/part_pages.h"

#include <string.h>

#include "dist/product/direction.h"
#include "semiring/mem.h"
#include "spmat/backend.h"

void grid_paged_direction(grid_product *p) {
  p->passes_rows = p->pushes_rows = false;
  if (!p->A->symmetric) {
    p->pull = !p->transposed;
    return;
  }
  p->transposed = !p->pull;
  p->gather = p->transposed ? GRID_SET_ROW : GRID_SET_COL;
  p->scatter = p->transposed ? GRID_SET_COL : GRID_SET_ROW;
}

/* ---- which pages -----------------------------------------------------------------------------------------
 */

static void want(uint64_t *bits, uint64_t k) {
  bits[k >> 6] |= UINT64_C(1) << (k & 63);
}

/* Does row r (of the process's) have no entries in page k or before it any more? */
static bool is_behind(const grid_pages *g, uint64_t k, uint64_t r) {
  const grid_page *next = &g->page[k + 1];
  return k + 1 < g->pages && (next->row < r + g->lead || (next->row == r + g->lead && next->before == 0));
}

/* Those with entries of row r, from page k on, which moves on with ascending rows. */
static uint64_t want_row(uint64_t *bits, const grid_pages *g, uint64_t k, uint64_t r) {
  if (!grid_pages_lengths(g)[r]) return k;
  while (is_behind(g, k, r)) k++;
  for (want(bits, k); k + 1 < g->pages && g->page[k + 1].row == r + g->lead; want(bits, k)) k++;
  return k;
}

/* Those of rows that the mask, of n outputs, allows. The last process has fewer outputs than its block rows.
 */
static void want_allowed(uint64_t *bits, const grid_pages *g, const grid_allowed *mask, uint64_t n) {
  const uint64_t turn = mask->complement ? ~UINT64_C(0) : 0;
  for (uint64_t w = 0, k = 0; w < grid_words(n); w++)
    for (uint64_t rows = (mask->bits[w] ^ turn) & grid_tail(n, w); rows; rows &= rows - 1)
      k = want_row(bits, g, k, 64 * w + grid_low_bit(rows));
}

/* *wanted = those that the product needs; NULL: all. */
static GrB_Info find_wanted(const grid_product *p, const grid_pages *g, const grid_input *in,
                            const grid_allowed *mask, const grid_output *y, uint64_t **wanted) {
  *wanted = NULL;
  if (p->pull ? !mask->bits : !in->list) return GrB_SUCCESS;
  uint64_t *bits = *wanted = grid_calloc(grid_words(g->pages), sizeof *bits);
  if (!bits) return grid_fail_memory(NULL, "wanted pages", grid_words(g->pages), sizeof *bits);
  if (p->pull) want_allowed(bits, g, mask, y->n < g->rows ? y->n : g->rows);
  for (uint64_t e = 0, k = 0; !p->pull && e < in->nx; e++) k = want_row(bits, g, k, in->list[e]);
  return GrB_SUCCESS;
}

/* ---- rows that are there ---------------------------------------------------------------------------------
 */

typedef struct {
  grid_product *p;
  const grid_input *in;
  const grid_allowed *mask;
  grid_places where;
  grid_output *y;
  uint64_t listed; /* push: entries of the list before the rows to come */
  grid_axis axis;  /* ... those rows, for who wants places */
} paged_product;

/* The rows first .. first + J->ny are the outputs. */
static GrB_Info pull_rows(const paged_product *x, uint64_t first, const grid_kernels *k, grid_job *J) {
  if (J->mask) J->mask += first / 64;
  J->ybits += first / 64;
  if (J->y) J->y = (char *)J->y + first * x->p->s->add->op->z->size;
  return k->pull(J);
}

/* The rows first .. first + n are inputs: what x has there. */
static GrB_Info push_rows(paged_product *x, uint64_t first, uint64_t n, const grid_kernels *k, grid_job *J) {
  const grid_input *in = x->in;
  const uint64_t from = x->listed;
  const bool places = !x->p->s->mul->f;
  uint64_t to = from, packed = first;
  uint32_t *list = NULL, *ids = NULL;
  GrB_Info info = GrB_SUCCESS;
  if (in->list) {
    while (to < in->nx && in->list[to] < first + n) to++;
    uint64_t begin = from;
    while (begin < to && in->list[begin] < first) begin++;
    list = grid_malloc(to - begin, sizeof *list);
    if (!list) TRY(grid_fail_memory(NULL, "input list", to - begin, sizeof *list));
    for (uint64_t e = begin; e < to; e++) list[e - begin] = in->list[e] - (uint32_t)first;
    J->nx = to - begin;
    if (in->packed) packed = begin;
    /* the next pages may have more of the last row, which begins where a word of rows does */
    x->listed = begin;
  } else {
    J->nx = n;
  }
  J->xlist = list;
  if (J->x_step) J->x = (const char *)J->x + packed * J->x_step;
  if (places) {
    ids = grid_malloc(n, sizeof *ids);
    if (!ids) TRY(grid_fail_memory(NULL, "places of rows", n, sizeof *ids));
    for (uint64_t r = 0; r < n; r++) ids[r] = (uint32_t)(first + r);
    x->axis = (grid_axis){.dim = x->p->A->block.row.dim, .n = n, .ids = ids};
    J->places.axis = &x->axis;
  }
  J->push_edges = grid_push_edges(J->m, J->xlist, J->nx);
  if (J->nx && J->push_edges) info = k->push(J);
done:
  grid_free(list);
  grid_free(ids);
  return info;
}

static GrB_Info multiply_rows(void *context, const grid_part *rows, uint64_t first) {
  paged_product *x = context;
  grid_product *p = x->p;
  grid_job J = grid_product_job(p, rows, p->transposed, p->pull, x->in, x->mask, x->where);
  J.ybits = x->y->bits, J.y = x->y->val;
  J.ny = p->pull ? rows->row.n : x->y->n;
  const grid_kernels *k = grid_backend_cpu.kernels(&J, p->structural);
  GrB_Info info = p->pull ? pull_rows(x, first, k, &J) : push_rows(x, first, rows->row.n, k, &J);
  /* of a pull by several threads at once */
  __atomic_fetch_add(&p->stats.inspected, J.inspected, __ATOMIC_RELAXED);
  __atomic_fetch_add(&x->y->found, J.found, __ATOMIC_RELAXED);
  return info;
}

GrB_Info grid_run_pages(grid_product *p, const grid_input *in, const grid_allowed *mask, grid_places where,
                        grid_output *y) {
  paged_product x = {.p = p, .in = in, .mask = mask, .where = where, .y = y};
  uint64_t *wanted;
  GrB_Info info = find_wanted(p, p->pages, in, mask, y, &wanted);
  if (info == GrB_SUCCESS)
    info = (p->pull ? grid_pages_stream_apart : grid_pages_stream)(p->pages, wanted, multiply_rows, &x);
  grid_free(wanted);
  return info;
}
