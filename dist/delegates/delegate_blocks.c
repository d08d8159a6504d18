/* Products with the matrices of a delegate split (delegate_steps.h). Each process chooses push or pull for
 * each of its matrices from local counts. */
#include "dist/delegates/delegate_steps.h"
#include "dist/plan/push_pull.h"
#include "spmat/vector/bitmap_words.h"

enum { COUNTED_ENTRIES = 4096 }; /* a longer x is not counted entry by entry */

/* Entries of the matrix that meet entries of x; of a long x as many as a random x of its length has. */
static uint64_t count_edges(const grid_compressed *by_in, const grid_chunk *x, uint64_t nvals) {
  uint64_t sum = 0;
  if (x->format == GRID_FULL) return nvals;
  if (x->nvals > COUNTED_ENTRIES) return (uint64_t)((double)nvals * (double)x->nvals / (double)x->n) + 1;
  for (grid_iter it = grid_iter_begin(x); grid_iter_next(&it);)
    sum += grid_vector_start(by_in, it.i + 1) - grid_vector_start(by_in, it.i);
  return sum;
}

/* Outputs with entries: those that the mask allows and that y does not have yet, and all. */
static uint64_t count_open_rows(const grid_compressed *by_out, const grid_kernel_mask *mask,
                                const grid_output *y, bool first, uint64_t *rows) {
  const uint64_t words = grid_words(y->n);
  uint64_t sum = 0, all = 0;
#pragma omp parallel for reduction(+ : sum, all) schedule(static) num_threads(grid_word_threads(words))
  for (uint64_t w = 0; w < words; w++) {
    uint64_t m = !mask->bits ? ~UINT64_C(0) : mask->complement ? ~mask->bits[w] : mask->bits[w];
    if (first) m &= ~y->bits[w];
    sum += grid_popcount(by_out->nonempty[w] & m);
    all += grid_popcount(by_out->nonempty[w]);
  }
  *rows = all;
  return sum;
}

static GrB_Info run_on_host(grid_product *p, const grid_local_matrix *lmat, bool transposed,
                            const grid_chunk *x, const grid_kernel_mask *mask, grid_index_map where,
                            grid_output *y) {
  if (lmat->nvals == 0 || x->nvals == 0) return GrB_SUCCESS;
  const grid_axis *in_axis = transposed ? &lmat->row : &lmat->col;
  const grid_compressed *by_in = transposed ? &lmat->by_row : &lmat->by_col,
                        *by_out = transposed ? &lmat->by_col : &lmat->by_row;
  uint64_t rows, pull_work, open = count_open_rows(by_out, mask, y, grid_is_first_enough(p), &rows),
                            edges = open ? count_edges(by_in, x, lmat->nvals) : 0;
  if (edges == 0) return GrB_SUCCESS;
  bool pull = grid_pull_is_cheaper(p, lmat->nvals, rows, edges, open, &pull_work);
  p->stats.push_work += edges;
  p->stats.pull_work += pull_work;
  p->choice.delegates_pull |= pull;
  p->choice.delegates_push |= !pull;
  grid_input in;
  where.axis = in_axis;
  GrB_Info info = grid_make_input_from_chunk(p, x, in_axis, pull, &in);
  if (info == GrB_SUCCESS) info = grid_run_lmat(p, lmat, transposed, pull, &in, mask, where, y);
  grid_input_free(&in);
  return info;
}

GrB_Info grid_delegates_run_nd(grid_product *p, const grid_delegates *g, grid_output *y) {
  const grid_split *s = p->A->delegates.split;
  const bool from_nd = !p->transposed || s->mirrored;
  const grid_local_matrix *lmat = from_nd ? &s->nd : &s->dn;
  grid_kernel_mask mask = {0};
  GrB_Info info = grid_make_chunk_mask(p, from_nd ? &lmat->row : &lmat->col, &mask);
  if (info == GrB_SUCCESS)
    info = run_on_host(p, lmat, !from_nd, &g->in.x, &mask, (grid_index_map){.table = s->id}, y);
  grid_free(mask.owned);
  return info;
}

GrB_Info grid_delegates_run_dn(grid_product *p, const uint64_t *allowed, grid_output *y) {
  const grid_split *s = p->A->delegates.split;
  const bool from_nd = p->transposed || s->mirrored;
  const grid_kernel_mask mask = {.bits = allowed};
  const grid_index_map local = {.base = grid_chunk_first(p->A->nrows, grid_ctx.k)};
  return run_on_host(p, from_nd ? &s->nd : &s->dn, from_nd, p->x, &mask, local, y);
}

GrB_Info grid_delegates_run_dd(grid_product *p, const grid_delegates *g, const uint64_t *allowed,
                               uint64_t first, uint64_t step, grid_output *y) {
  const grid_split *s = p->A->delegates.split;
  const grid_kernel_mask mask = {.bits = allowed};
  grid_index_map where = {.table = s->id};
  /* dd is distributed by columns, so a symmetric dd has its outputs as columns */
  if (!s->dd_rows.bits)
    return run_on_host(p, &s->dd, p->transposed || p->A->properties.symmetric, &g->in.x, &mask, where, y);
  if (g->in.x.nvals == 0) return GrB_SUCCESS;
  grid_local_matrix lmat; /* for the arguments that bit rows share with other matrices */
  grid_lmat_init(&lmat, p->A->type, s->d, s->d);
  lmat.iso = true, lmat.iso_val = s->dd_value;
  where.axis = &lmat.col;
  const grid_input in = {.bits = g->in.x.bits, .val = g->in.x.val, .iso = g->in.x.iso};
  const grid_bits_job b = {.m = p->transposed ? &s->dd_cols : &s->dd_rows,
                           .by_in = p->transposed ? &s->dd_rows : &s->dd_cols,
                           .first = first,
                           .step = step,
                           .first_hit = grid_is_first_enough(p)};
  grid_job J = grid_product_job(p, &lmat, false, true, &in, &mask, where);
  J.ny = y->n, J.ybits = y->bits, J.y = y->val;
  p->choice.delegates_pull = true;
  const GrB_Info info = grid_pull_bits(&J, &b, p->values.structural);
  p->stats.inspected += J.inspected;
  y->found += J.found;
  return info;
}
