/* A product over pages (docs/how/outofcore.md). The pages that it needs are read one after the other; each
 * is a local matrix of consecutive rows, for the same kernels as other local matrices. The rows are outputs
 * of a pull, inputs of a push; in both cases products are added in the same order as for a block in memory.
 */
#include "dist/product/local/local_product_outofcore.h"

#include <string.h>

#include "dist/outofcore/pages/residual_rows.h"
#include "semiring/support/mem.h"
#include "semiring/op_codes.h"
#include "spmat/backend.h"
#include "spmat/matrix/axis.h"

void grid_paged_direction(grid_product *p) {
  if (!p->A->properties.symmetric) return;
  p->transposed = !p->choice.pull;
  p->in.set = p->transposed ? GRID_SET_ROW : GRID_SET_COL;
  p->out.set = p->transposed ? GRID_SET_COL : GRID_SET_ROW;
}

/* The state of a product while pages are read. */
typedef struct {
  grid_product *p;
  const grid_input *in;
  const grid_kernel_mask *mask;
  grid_index_map where;
  grid_output *y;
  uint64_t list_offset; /* push: entries of x's list before the next page's rows */
  grid_axis axis;       /* push: the page's rows, for operators that use indices */
  bool can_repeat_rows; /* a row may be multiplied twice, so that residual rows may be used, */
  bool wants_residual;  /* and some are needed */
  bool is_unordered;    /* the rows now visited are residual rows, in no order */
} paged_product;

/* ---- which pages ---- */

static void set_bit(uint64_t *bits, uint64_t k) {
  bits[k >> 6] |= UINT64_C(1) << (k & 63);
}

/* Are all entries of the process's row r in pages after page k? */
static bool is_after_page(const grid_pages *g, uint64_t k, uint64_t r) {
  const grid_page *next = &g->page[k + 1];
  return k + 1 < g->pages &&
         (next->row < r + g->lead_rows || (next->row == r + g->lead_rows && next->before == 0));
}

/* Marks the pages with entries of row r, searching from page k on; returns the last one. Rows must ascend. */
static uint64_t mark_row_pages(uint64_t *bits, const grid_pages *g, uint64_t k, uint64_t r) {
  if (!grid_pages_lengths(g)[r]) return k;
  while (is_after_page(g, k, r)) k++;
  for (set_bit(bits, k); k + 1 < g->pages && g->page[k + 1].row == r + g->lead_rows; set_bit(bits, k)) k++;
  return k;
}

bool grid_can_use_residual_rows(const grid_product *p) {
  const GrB_BinaryOp add = p->s->add->op;
  if (p->values.structural || p->s->add->any) return true;
  switch (add->op) {
    case GRID_OP_LOR:
    case GRID_OP_LAND:
      return true;
    case GRID_OP_MIN:
    case GRID_OP_MAX: /* with NaNs the order matters */
      return add->z->code != GRID_T_FP32 && add->z->code != GRID_T_FP64;
    default:
      return false;
  }
}

/* The last process may have fewer outputs than its block has rows. */
static uint64_t count_outputs(const paged_product *x) {
  const uint64_t rows = x->p->pages->rows;
  return x->y->n < rows ? x->y->n : rows;
}

/* Rows of word w that the mask, of n outputs, allows. */
static uint64_t allowed_word(const paged_product *x, uint64_t w, uint64_t n) {
  const uint64_t invert = x->mask->complement ? ~UINT64_C(0) : 0;
  return (x->mask->bits[w] ^ invert) & grid_tail(n, w);
}

/* Marks the pages of the allowed rows. Rows that are whole in a marked page are skipped. */
static void mark_allowed_pages(paged_product *x, uint64_t *bits, uint64_t n) {
  const grid_pages *g = x->p->pages;
  uint64_t k = 0, rows_done = 0; /* rows below it have all their pages marked */
  for (uint64_t w = 0; w < grid_words(n); w++) {
    uint64_t rows = allowed_word(x, w, n);
    const uint64_t residual = x->can_repeat_rows ? rows & grid_residual_word(g, w) : 0;
    if (residual) x->wants_residual = true;
    if (rows_done >= 64 * (w + 1)) continue;
    for (rows &= ~residual; rows; rows &= rows - 1) {
      const uint64_t r = 64 * w + grid_low_bit(rows);
      if (r < rows_done || !grid_pages_lengths(g)[r]) continue;
      k = mark_row_pages(bits, g, k, r);
      rows_done = k + 1 < g->pages ? g->page[k + 1].row - g->lead_rows : n;
    }
  }
}

/* Marks the pages of the rows in x's list. */
static void mark_list_pages(paged_product *x, uint64_t *bits) {
  const grid_pages *g = x->p->pages;
  for (uint64_t e = 0, k = 0; e < x->in->nx; e++) {
    if (!x->can_repeat_rows || !grid_residual_has(g, x->in->list[e]))
      k = mark_row_pages(bits, g, k, x->in->list[e]);
    else
      x->wants_residual = true;
  }
}

/* *wanted = the pages that the product needs; NULL: all. Residual rows need none. */
static GrB_Info find_pages(paged_product *x, uint64_t **wanted) {
  const grid_pages *g = x->p->pages;
  *wanted = NULL;
  if (x->p->choice.pull ? !x->mask->bits : !x->in->list) return GrB_SUCCESS;
  uint64_t *bits = *wanted = grid_calloc(grid_words(g->pages), sizeof *bits);
  if (!bits) return grid_fail_memory(NULL, "wanted pages", grid_words(g->pages), sizeof *bits);
  if (x->p->choice.pull)
    mark_allowed_pages(x, bits, count_outputs(x));
  else
    mark_list_pages(x, bits);
  return GrB_SUCCESS;
}

GrB_Info grid_find_pages_of_rows(uint64_t **wanted, grid_product *p, const grid_kernel_mask *rows,
                                 uint64_t n) {
  const grid_pages *g = p->pages;
  paged_product x = {.p = p, .mask = rows};
  *wanted = grid_calloc(grid_words(g->pages), sizeof **wanted);
  if (!*wanted) return grid_fail_memory(NULL, "wanted pages", grid_words(g->pages), sizeof **wanted);
  mark_allowed_pages(&x, *wanted, n < g->rows ? n : g->rows);
  return GrB_SUCCESS;
}

/* Does the product need residual rows among the n rows from `first` on? */
static bool wants_residual_rows(void *context, uint64_t first, uint64_t n) {
  const paged_product *x = context;
  const uint64_t all = count_outputs(x), end = grid_words(first + n < all ? first + n : all);
  if (!x->p->choice.pull) {
    const uint64_t e = grid_first_entry(x->in->list, 0, x->in->nx, (uint32_t)first);
    return e < x->in->nx && x->in->list[e] < first + n;
  }
  for (uint64_t w = first / 64; w < end; w++)
    if (allowed_word(x, w, all) & grid_residual_word(x->p->pages, w)) return true;
  return false;
}

/* ---- rows in memory ---- */

/* The rows first .. first + J->ny are the outputs. */
static GrB_Info pull_rows(const paged_product *x, uint64_t first, const grid_kernels *k, grid_job *J) {
  if (J->mask) J->mask += first / 64;
  J->ybits += first / 64;
  if (J->y) J->y = (char *)J->y + first * x->p->s->add->op->z->size;
  return k->pull(J);
}

/* *to = rows first .. first + n of the block; *made, to be freed: their numbers if the block does not list
 * its rows. */
static GrB_Info slice_axis(grid_axis *to, uint32_t **made, const grid_axis *rows, uint64_t first,
                           uint64_t n) {
  *to = (grid_axis){.dim = rows->dim, .n = n};
  if (rows->ids) {
    to->ids = (char *)rows->ids + first * grid_axis_id_size(rows);
    return GrB_SUCCESS;
  }
  *made = grid_malloc(n, sizeof **made);
  if (!*made) return grid_fail_memory(NULL, "indices of rows", n, sizeof **made);
  for (uint64_t r = 0; r < n; r++) (*made)[r] = (uint32_t)(first + r);
  to->ids = *made;
  return GrB_SUCCESS;
}

/* The rows first .. first + n are the inputs: pushes x's entries among them. */
static GrB_Info push_rows(paged_product *x, uint64_t first, uint64_t n, const grid_kernels *k, grid_job *J) {
  const grid_input *in = x->in;
  const uint64_t from = x->list_offset;
  const bool index_map = !x->p->s->mul->f;
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
    /* the next page may have more entries of the last row */
    x->list_offset = begin;
  } else {
    J->nx = n;
  }
  J->xlist = list;
  if (J->x_step) J->x = (const char *)J->x + packed * J->x_step;
  if (index_map) {
    TRY(slice_axis(&x->axis, &ids, &x->p->A->block.row, first, n));
    J->index_map.axis = &x->axis;
  }
  J->push_edges = grid_push_edges(J->m, J->xlist, J->nx);
  if (J->nx && J->push_edges) info = k->push(J);
done:
  grid_free(list);
  grid_free(ids);
  return info;
}

/* Caches those of these rows that a pull has left without a hit, if they are few. */
static GrB_Info cache_open_rows(const paged_product *x, const grid_local_matrix *rows, uint64_t first) {
  const uint64_t words = grid_words(rows->row.n), invert = x->mask->complement ? ~UINT64_C(0) : 0;
  uint64_t *open = grid_malloc(words, sizeof *open);
  if (!open) return grid_fail_memory(NULL, "open rows", words, sizeof *open);
  for (uint64_t w = 0; w < words; w++) {
    const uint64_t k = first / 64 + w, tail = 64 * k < x->y->n ? grid_tail(x->y->n, k) : 0;
    open[w] = tail ? (x->mask->bits[k] ^ invert) & ~x->y->bits[k] & tail : 0;
  }
  grid_residual_cache(x->p->pages, rows, first, open);
  grid_free(open);
  return GrB_SUCCESS;
}

static GrB_Info multiply_rows(void *context, const grid_local_matrix *rows, uint64_t first) {
  paged_product *x = context;
  grid_product *p = x->p;
  grid_job J = grid_product_job(p, rows, p->transposed, p->choice.pull, x->in, x->mask, x->where);
  J.ybits = x->y->bits, J.y = x->y->val;
  J.ny = p->choice.pull ? rows->row.n : x->y->n;
  const grid_kernels *k = grid_cpu->kernels(&J, p->values.structural);
  if (x->is_unordered && !p->choice.pull && x->in->list)
    x->list_offset = grid_first_entry(x->in->list, 0, x->in->nx, (uint32_t)first);
  GrB_Info info = p->choice.pull ? pull_rows(x, first, k, &J) : push_rows(x, first, rows->row.n, k, &J);
  if (info == GrB_SUCCESS && p->choice.pull && x->can_repeat_rows && x->mask->bits && !x->is_unordered)
    info = cache_open_rows(x, rows, first);
  /* several threads pull at once */
  __atomic_fetch_add(&p->stats.inspected, J.inspected, __ATOMIC_RELAXED);
  __atomic_fetch_add(&x->y->found, J.found, __ATOMIC_RELAXED);
  return info;
}

GrB_Info grid_run_pages(grid_product *p, const grid_input *in, const grid_kernel_mask *mask,
                        grid_index_map where, grid_output *y) {
  paged_product x = {.p = p,
                     .in = in,
                     .mask = mask,
                     .where = where,
                     .y = y,
                     .can_repeat_rows = grid_can_use_residual_rows(p)};
  grid_pages *g = p->pages;
  uint64_t *wanted;
  GrB_Info info = find_pages(&x, &wanted);
  if (info == GrB_SUCCESS && p->choice.pull && x.can_repeat_rows && mask->bits) grid_residual_begin(g);
  if (info == GrB_SUCCESS)
    info = (p->choice.pull ? grid_pages_stream_parallel : grid_pages_stream)(g, wanted, multiply_rows, &x);
  grid_free(wanted);
  x.is_unordered = true;
  if (info == GrB_SUCCESS && x.wants_residual)
    info = grid_residual_visit(g, p->choice.pull, wants_residual_rows, multiply_rows, &x);
  return info;
}
