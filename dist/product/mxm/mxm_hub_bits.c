/* C<M> = A B' over PLUS.ONEB with a structural mask, as triangles, trusses and clustering need it: common
 * neighbors that are hubs are counted by AND and popcount (spmat/cpu/mxm/mxm_hub_bits.h). A sample of the
 * entries says whether that pays. A method of GrB_mxm on one process, a step of `replicated` on several. */
#include "dist/product/mxm/mxm_hub_bits.h"

#include <string.h>

#include "dist/product/mxm/mxm_methods.h"
#include "spmat/convert/lmat_format.h"
#include "spmat/cpu/mxm/mxm_hub_bits.h"
#include "spmat/lmat_ops.h"

/* Does C need nothing but numbers of common neighbors? */
static bool counts_neighbors(const grid_mxm_call *x) {
  const grid_desc *d = x->d;
  return grid_semiring_counts(x->s) && x->mask && d->structure && !d->complement && d->tran1 && !d->tran0;
}

static bool is_plain(const grid_local_matrix *m) {
  return !m->row.ids && !m->col.ids && !m->device && grid_compressed_is_built(&m->by_row);
}

static grid_hub_product product_of(const grid_local_matrix *a, const grid_local_matrix *b,
                                   const grid_local_matrix *mask) {
  return (grid_hub_product){.a = &a->by_row,
                            .b = &b->by_row,
                            .mask = &mask->by_row,
                            .rows = mask->row.n,
                            .n = b->row.n,
                            .inner = a->col.n};
}

static bool bits_pay(const grid_mxm_call *x, const grid_hub_product *p) {
  return x->plan.forced == &grid_mxm_method_hub_bits || grid_hub_bits_pay(p, (uint64_t)grid_ctx.P);
}

/* ---- rows of B that a grid column shares: each process makes the bits of its own chunk ----------------- */

/* What a process sends: this head, the heads of its rows, and their words. */
typedef struct {
  uint64_t rows, words;
} segment_head;

static grid_hub_rows open_segment(char *at, segment_head *h) {
  memcpy(h, at, sizeof *h);
  uint64_t *head = (uint64_t *)(void *)(at + sizeof *h);
  return (grid_hub_rows){head, head + h->rows + 1, false};
}

static GrB_Info pack(const grid_hub_rows *x, uint64_t rows, char **to, size_t *bytes) {
  segment_head h = {rows, grid_hub_row_start(x, rows)};
  *bytes = sizeof h + 8 * (rows + 1 + h.words);
  *to = grid_malloc(*bytes, 1);
  if (!*to) return grid_fail_memory(NULL, "bits of rows", *bytes, 1);
  memcpy(*to, &h, sizeof h);
  const grid_hub_rows y = open_segment(*to, &h);
  memcpy(y.head, x->head, 8 * (rows + 1));
  memcpy(y.word, x->word, 8 * h.words);
  return GrB_SUCCESS;
}

static GrB_Info reserve_rows(grid_hub_rows *to, char *received, const size_t *off, uint64_t rows) {
  segment_head h;
  uint64_t words = 0;
  for (int s = 0; s < grid_ctx.R; s++) {
    open_segment(received + off[s], &h);
    words += h.words;
  }
  *to = (grid_hub_rows){grid_malloc(rows + 1, 8), grid_malloc(words, 8), false};
  return to->head && to->word ? GrB_SUCCESS : grid_fail_memory(NULL, "bits of rows", words + rows, 8);
}

/* Writes `rows` rows of x, numbers first .. end of all: their words begin at word `before`. The rest, padding
 * of chunks, is empty. */
static void write_rows(const grid_hub_rows *to, const grid_hub_rows *x, uint64_t rows, uint64_t first,
                       uint64_t end, uint64_t before) {
  for (uint64_t j = first; j < end; j++)
    to->head[j] = x->head[j - first < rows ? j - first : rows] + (before << GRID_HUB_BIT_WORDS);
  memcpy(to->word + before, x->word, 8 * grid_hub_row_start(x, rows));
}

/* The rows of process s of a grid column among those of all: first .. end. Behind those of the last one is
 * the end of them. */
static uint64_t first_row(const grid_mxm_call *x, int s) {
  return s == grid_ctx.R ? x->C->block.col.dim + 1 : grid_block_offset(x->C->ncols, false, s);
}

/* *to = the rows of all segments. */
static GrB_Info concatenate(grid_hub_rows *to, char *received, const size_t *off, const grid_mxm_call *x) {
  segment_head h;
  uint64_t before = 0;
  GrB_Info info;
  TRY(reserve_rows(to, received, off, x->C->block.col.dim));
  for (int s = 0; s < grid_ctx.R; s++) {
    const grid_hub_rows rows = open_segment(received + off[s], &h);
    write_rows(to, &rows, h.rows, first_row(x, s), first_row(x, s + 1), before);
    before += h.words;
  }
done:
  return info;
}

/* By messages. Collective over the grid, agreed on. */
static GrB_Info exchange_rows(const grid_mxm_call *x, grid_hub_rows *rows) {
  const size_t R = (size_t)grid_ctx.R;
  size_t *bytes = grid_calloc(4 * R, sizeof *bytes), local_bytes = 0;
  char *send = NULL;
  void *received = NULL;
  GrB_Info info = bytes ? GrB_SUCCESS : grid_fail_memory(NULL, "bits of rows", R, 32);
  if (info == GrB_SUCCESS) info = pack(rows, grid_chunk_length(x->C->ncols, grid_ctx.k), &send, &local_bytes);
  grid_hub_rows_free(rows);
  TRY(grid_agree(&x->C->head, info));
  for (size_t s = 0; s < R; s++) bytes[s] = local_bytes; /* all segments begin at 0 */
  TRY(grid_exchange_alloc(GRID_SET_COL, send, bytes, bytes + R, &received, bytes + 2 * R, bytes + 3 * R));
  info = concatenate(rows, received, bytes + 3 * R, x);
  info = grid_agree(&x->C->head, info);
done:
  grid_free(bytes);
  grid_free(send);
  grid_free(received);
  return info;
}

/* ---- ... and all read them where they lie in shared memory --------------------------------------------- */

/* Memory for n rows of so many words, or a member NULL where there is none. Collective over the grid column.
 */
static grid_hub_rows reserve_shared(uint64_t n, uint64_t words) {
  const grid_transport *by = grid_ctx.transport;
  uint64_t *at = by->shared_buffer ? (void *)by->shared_buffer(GRID_SET_COL, 8 * (n + 1 + words)) : NULL;
  return (grid_hub_rows){at, at ? at + n + 1 : NULL, true};
}

/* words: room for those of the grid column's processes. *shared: the same on all processes. Collective over
 * the grid, agreed on. */
static GrB_Info share_rows(const grid_mxm_call *x, uint64_t *words, grid_hub_rows *rows, bool *shared) {
  const uint64_t length = grid_chunk_length(x->C->ncols, grid_ctx.k),
                 local_words = grid_hub_row_start(rows, length);
  uint64_t all = 0, before = 0, refused = 0;
  grid_hub_rows to;
  GrB_Info info = grid_ctx.transport->allgather(GRID_SET_COL, &local_words, sizeof local_words, words);
  for (int s = 0; s < grid_ctx.R && info == GrB_SUCCESS; s++) {
    if (s == grid_ctx.i) before = all;
    all += words[s];
  }
  TRY(grid_agree(&x->C->head, info));
  to = reserve_shared(x->C->block.col.dim, all);
  refused = !to.head;
  TRY(grid_agree_sum(&x->C->head, GrB_SUCCESS, &refused, 1));
  *shared = to.head && refused == 0;
  if (!*shared) goto done;
  write_rows(&to, rows, length, first_row(x, grid_ctx.i), first_row(x, grid_ctx.i + 1), before);
  grid_ctx.transport->barrier(GRID_SET_COL);
  grid_hub_rows_free(rows);
  *rows = to;
done:
  return info;
}

/* What grid_hub_share.gather needs. */
typedef struct {
  const grid_mxm_call *x;
  bool borrowed; /* B is in shared memory, which messages would overwrite */
} rows_context;

static GrB_Info gather_rows(const void *context, GrB_Info info, grid_hub_rows *rows) {
  const rows_context *c = context;
  const grid_mxm_call *x = c->x;
  uint64_t *words = grid_malloc((size_t)grid_ctx.R, sizeof *words);
  bool shared = false;
  if (info == GrB_SUCCESS && !words) info = grid_fail_memory(NULL, "bits of rows", (size_t)grid_ctx.R, 8);
  TRY(grid_agree(&x->C->head, info));
  TRY(share_rows(x, words, rows, &shared));
  if (!shared) info = c->borrowed ? GRID_UNSUPPORTED : exchange_rows(x, rows);
done:
  grid_free(words);
  return info;
}

/* ---- the product --------------------------------------------------------------------------------------- */

static GrB_Info count_neighbors(const grid_mxm_call *x, const grid_hub_product *p, bool borrowed,
                                grid_local_matrix *t) {
  const rows_context context = {x, borrowed};
  grid_lmat_init(t, x->s->add->op->z, p->rows, p->n);
  t->row.n = p->rows, t->col.n = p->n;
  const uint64_t first = grid_block_offset(x->C->ncols, false, grid_ctx.i);
  const grid_hub_share share = {first, first + grid_chunk_length(x->C->ncols, grid_ctx.k), gather_rows,
                                &context};
  const GrB_Info info =
      grid_hub_multiply(p, x->s->add->op->z, grid_ctx.R > 1 ? &share : NULL, &t->by_row, &t->nvals);
  return info == GrB_SUCCESS ? grid_lmat_choose_format(t) : info;
}

/* Do most processes, by the mask's entries, gain? All need rows without lists. Collective, agreed on. */
static GrB_Info agree_on_bits(const grid_mxm_call *x, const grid_hub_product *p, bool plain, GrB_Info info,
                              bool *pay) {
  const uint64_t nmask = plain ? x->mask->block.nvals : 0;
  uint64_t v[] = {nmask && bits_pay(x, p) ? nmask : 0, !plain};
  info = grid_agree_sum(&x->C->head, info, v, 2);
  *pay = info == GrB_SUCCESS && v[1] == 0 && 2 * v[0] > x->mask->nvals;
  return info;
}

/* The mask's block has few entries a column on many processes, so its columns are often a list. */
GrB_Info grid_mxm_try_hub_bits(const grid_mxm_call *x, const grid_mxm_operand *a, const grid_mxm_operand *b,
                               grid_local_matrix *t, bool *done) {
  *done = false;
  if (!counts_neighbors(x)) return GrB_SUCCESS;
  grid_expanded_lmat mask = {0};
  bool plain = is_plain(a->lmat) && is_plain(b->lmat);
  GrB_Info info = plain ? grid_lmat_expand_hyper(&mask, &x->mask->block, true) : GrB_SUCCESS;
  plain = plain && info == GrB_SUCCESS && is_plain(&mask.lmat);
  const grid_hub_product p = plain ? product_of(a->lmat, b->lmat, &mask.lmat) : (grid_hub_product){0};
  TRY(agree_on_bits(x, &p, plain, info, done));
  if (*done) info = count_neighbors(x, &p, b->borrowed, t);
  if (info == GRID_UNSUPPORTED) {
    grid_lmat_free(t);
    *done = false, info = GrB_SUCCESS;
  }
done:
  grid_expanded_lmat_free(&mask);
  return info;
}

static bool applies(const grid_plan *plan) {
  return grid_ctx.P == 1 && counts_neighbors(grid_mxm_of(plan));
}

static GrB_Info multiply(const grid_mxm_call *x, grid_local_matrix *t) {
  const grid_local_matrix *a = &x->A->block, *b = &x->B->block, *mask = &x->mask->block;
  GrB_Info info;
  TRY(grid_matrix_require_host(x->A, 0, x->call));
  TRY(grid_matrix_require_host(x->B, 0, x->call));
  TRY(grid_matrix_require_host(x->mask, 0, x->call));
  if (!is_plain(a) || !is_plain(b) || !is_plain(mask)) return GRID_UNSUPPORTED;
  const grid_hub_product p = product_of(a, b, mask);
  if (!bits_pay(x, &p)) return GRID_UNSUPPORTED;
  info = count_neighbors(x, &p, false, t);
done:
  return info;
}

static GrB_Info run(grid_plan *plan) {
  return grid_mxm_run_method(plan, multiply);
}

const grid_method grid_mxm_method_hub_bits = {.name = "hub-bits", .applies = applies, .run = run};
