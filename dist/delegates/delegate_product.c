/* The steps of a product for delegates (Pan et al., sections III to V). x and mask of the delegates are
 * replicated, and contributions to normal vertices are local, since a vertex' owner has its entries. Each
 * process chooses push or pull for each of its matrices from local counts.
 *
 * If the first product of an output suffices, hubs are tried first. nd is multiplied before nn, which then
 * has only the outputs that are left. Bit rows of dd are multiplied by every process, so that all know which
 * delegates are left, most often none: they need dn, and one OR of bits over the grid. */
#include <string.h>

#include "dist/delegates/delegate_split.h"
#include "dist/plan/push_pull.h"
#include "spmat/vector/bitmap_words.h"
#include "spmat/vector/bound_operator.h"

/* Does the first product of an output suffice? */
static bool is_first_enough(const grid_product *p) {
  return p->values.structural || p->s->add->any;
}

/* Bytes of a result; of a structural product 0. */
static size_t result_size(const grid_product *p) {
  return p->values.structural ? 0 : p->s->mul->z->size;
}

/* ---- one matrix of the split ---- */

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
  uint64_t rows, pull_work, open = count_open_rows(by_out, mask, y, is_first_enough(p), &rows),
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

/* M[v, D]: A's nd, or the transpose of its dn. */
static GrB_Info run_nd(grid_product *p, const grid_delegates *g, grid_output *y) {
  const grid_split *s = p->A->delegates.split;
  const bool from_nd = !p->transposed || s->mirrored;
  const grid_local_matrix *lmat = from_nd ? &s->nd : &s->dn;
  grid_kernel_mask mask = {0};
  GrB_Info info = grid_make_chunk_mask(p, from_nd ? &lmat->row : &lmat->col, &mask);
  if (info == GrB_SUCCESS)
    info = run_on_host(p, lmat, !from_nd, &g->in.x, &mask, (grid_index_map){.table = s->id}, y);
  grid_free(mask.own);
  return info;
}

/* M[D, v]: A's dn, or the transpose of its nd. */
static GrB_Info run_dn(grid_product *p, const uint64_t *allowed, grid_output *y) {
  const grid_split *s = p->A->delegates.split;
  const bool from_nd = p->transposed || s->mirrored;
  const grid_kernel_mask mask = {.bits = allowed};
  const grid_index_map own = {.base = grid_chunk_first(p->A->nrows, grid_ctx.k)};
  return run_on_host(p, from_nd ? &s->nd : &s->dn, from_nd, p->x, &mask, own, y);
}

/* M[D, D]. Where it is bit rows: words of outputs first, first + step, ... */
static GrB_Info run_dd(grid_product *p, const grid_delegates *g, const uint64_t *allowed, uint64_t first,
                       uint64_t step, grid_output *y) {
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
                           .first_hit = is_first_enough(p)};
  grid_job J = grid_product_job(p, &lmat, false, true, &in, &mask, where);
  J.ny = y->n, J.ybits = y->bits, J.y = y->val;
  p->choice.delegates_pull = true;
  const GrB_Info info = grid_pull_bits(&J, &b, p->values.structural);
  p->stats.inspected += J.inspected;
  y->found += J.found;
  return info;
}

/* ---- merging ---- */

typedef struct {
  const grid_product *p;
  uint64_t words;
  size_t size;
} merging;

static void merge(void *inout, const void *in, size_t bytes, void *context) {
  const merging *m = context;
  uint64_t *have = inout;
  const uint64_t *more = in;
  char *val = (char *)(have + m->words);
  const char *add = (const char *)(more + m->words);
  (void)bytes;
  for (uint64_t w = 0; w < m->words; w++) {
    for (uint64_t bits = more[w]; bits && m->size; bits &= bits - 1) {
      uint64_t bit = (uint64_t)__builtin_ctzll(bits), i = 64 * w + bit;
      bool has_value = have[w] >> bit & 1;
      if (!has_value)
        memcpy(val + i * m->size, add + i * m->size, m->size);
      else if (!m->p->s->add->any)
        m->p->s->add->op->f(val + i * m->size, val + i * m->size, add + i * m->size);
    }
    have[w] |= more[w];
  }
}

static uint64_t pad_bytes(uint64_t bytes) { /* transports require multiples of 1 GiB above that size */
  const uint64_t segment = UINT64_C(1) << 30;
  return bytes <= segment ? bytes : (bytes + segment - 1) / segment * segment;
}

/* Where rows are whole and dd is bit rows: each process computes its own delegates alone. */
static GrB_Info find_own_delegates(grid_product *p, grid_delegates *g, GrB_Info info) {
  const grid_split *s = p->A->delegates.split;
  const uint64_t words = grid_words(s->d);
  grid_output y = {.n = s->d, .bits = g->found, .val = g->val};
  uint64_t *allowed = grid_ctx.P == 1 ? g->in.allowed : grid_malloc(words, 8);
  if (info == GrB_SUCCESS && grid_ctx.P > 1 && !allowed)
    info = grid_fail_memory(NULL, "mask of delegates", words, 8);
  for (uint64_t w = 0; w < words && grid_ctx.P > 1 && allowed; w++)
    allowed[w] = s->own_numbers[w] & (g->in.allowed ? g->in.allowed[w] : ~UINT64_C(0));
  if (info == GrB_SUCCESS) info = run_dd(p, g, allowed, 0, 1, &y);
  if (grid_ctx.P > 1) grid_free(allowed);
  return grid_agree(&p->A->head, info);
}

/* Results of all delegates where sums need every product. */
static GrB_Info sum_delegates(grid_product *p, grid_delegates *g, GrB_Info info, uint64_t bytes) {
  const grid_split *s = p->A->delegates.split;
  const uint64_t words = grid_words(s->d);
  grid_output y = {.n = s->d, .bits = g->found, .val = g->val};
  if (info == GrB_SUCCESS) info = run_dn(p, g->in.allowed, &y);
  if (info == GrB_SUCCESS) info = run_dd(p, g, g->in.allowed, (uint64_t)grid_ctx.k, (uint64_t)grid_ctx.P, &y);
  if ((info = grid_agree(&p->A->head, info)) != GrB_SUCCESS) return info;
  p->stats.delegate_bytes += grid_ctx.P > 1 ? bytes : 0;
  merging m = {p, words, result_size(p)};
  return grid_ctx.transport->allreduce_with(GRID_SET_ALL, g->found, bytes, merge, &m);
}

/* Contributions to some delegates, of which each process has some. */
typedef struct {
  uint64_t *open; /* delegates without a result yet, the same on all processes */
  uint64_t *bits; /* this process's contributions, */
  char *val;      /* with values */
} contributions;

/* Values of the n delegates to which some process contributes, those in s->merge: one for each. Collective,
 * agreed on. */
static GrB_Info merge_values(grid_product *p, grid_delegates *g, const contributions *c, uint64_t n) {
  const size_t size = result_size(p);
  const uint64_t words = grid_words(n), all = grid_words(p->A->delegates.split->d),
                 bytes = pad_bytes(words * 8 + n * size), *any = p->A->delegates.split->merge + 1;
  uint64_t *buffer = grid_calloc(bytes, 1), at = 0;
  GrB_Info info = buffer ? GrB_SUCCESS : grid_fail_memory(NULL, "contributions to delegates", bytes, 1);
  TRY(grid_agree(&p->A->head, info));
  for (uint64_t w = 0; w < all; w++)
    for (uint64_t bits = any[w]; bits; bits &= bits - 1, at++) {
      const uint64_t k = 64 * w + grid_low_bit(bits);
      if (!grid_bit(c->bits, k)) continue;
      buffer[at >> 6] |= UINT64_C(1) << (at & 63);
      memcpy((char *)(buffer + words) + at * size, c->val + k * size, size);
    }
  merging m = {p, words, size};
  TRY(grid_ctx.transport->allreduce_with(GRID_SET_ALL, buffer, bytes, merge, &m));
  p->stats.delegate_bytes += bytes;
  at = 0;
  for (uint64_t w = 0; w < all; w++)
    for (uint64_t bits = any[w]; bits; bits &= bits - 1, at++)
      memcpy(g->val + (64 * w + grid_low_bit(bits)) * size, (char *)(buffer + words) + at * size, size);
done:
  grid_free(buffer);
  return info;
}

static GrB_Info alloc_contributions(const grid_product *p, uint64_t d, contributions *c) {
  const size_t size = result_size(p);
  const uint64_t words = grid_words(d);
  c->open = grid_malloc(words, 8);
  c->bits = grid_calloc(words, 8);
  c->val = size ? grid_malloc(d, size) : NULL;
  return c->open && c->bits && (!size || c->val)
             ? GrB_SUCCESS
             : grid_fail_memory(NULL, "contributions to delegates", d, 1 + size);
}

/* Results of the delegates that dd, where it is bit rows, leaves open: one OR over the grid tells to which
 * some process contributes, and carries the outcome so far. */
static GrB_Info find_delegates(grid_product *p, grid_delegates *g, GrB_Info info) {
  const grid_split *s = p->A->delegates.split;
  const uint64_t words = grid_words(s->d);
  uint64_t open = 0, n = 0, *any = s->merge + 1;
  grid_output y = {.n = s->d, .bits = g->found, .val = g->val};
  contributions c = {.open = NULL};
  if (info == GrB_SUCCESS) info = alloc_contributions(p, s->d, &c);
  if (info == GrB_SUCCESS && s->dd_rows.bits) info = run_dd(p, g, g->in.allowed, 0, 1, &y);
  for (uint64_t w = 0; w < words && info == GrB_SUCCESS; w++) {
    c.open[w] = (g->in.allowed ? g->in.allowed[w] : grid_tail(s->d, w)) & ~g->found[w];
    open += grid_popcount(c.open[w]);
  }
  grid_output own = {.n = s->d, .bits = c.bits, .val = c.val};
  if (grid_ctx.P == 1) own = y;
  if (info == GrB_SUCCESS && open) info = run_dn(p, c.open, &own);
  if (info == GrB_SUCCESS && open && !s->dd_rows.bits) info = run_dd(p, g, g->in.allowed, 0, 1, &own);
  if (grid_ctx.P == 1) goto done;
  s->merge[0] = info != GrB_SUCCESS;
  if (info == GrB_SUCCESS) memcpy(any, c.bits, words * 8);
  const GrB_Info merged = grid_ctx.transport->allreduce(GRID_SET_ALL, s->merge, 1 + words, GRID_BOR);
  if (merged != GrB_SUCCESS) info = merged;
  if (merged != GrB_SUCCESS) goto done;
  if (s->merge[0]) TRY(grid_agree(&p->A->head, info));
  p->stats.delegate_bytes += words * 8;
  n = grid_count_bits(any, words);
  if (n && result_size(p)) TRY(merge_values(p, g, &c, n));
  for (uint64_t w = 0; w < words; w++) g->found[w] |= any[w];
done:
  grid_free(c.open), grid_free(c.bits), grid_free(c.val);
  return info;
}

/* ---- results of this process's outputs ---- */

/* Is nn's product written to the result itself, and added to what it has? */
static bool is_direct(const grid_product *p) {
  return grid_set_size(p->out.set) == 1 && !grid_out_axis(p, &p->A->block)->ids && p->where == GRID_ON_HOST;
}

/* nd before nn: what it finds is not looked for in nn. Where nn's result is t itself it goes into t; else nn
 * gets a mask without it. Local. */
static GrB_Info find_early(grid_product *p, grid_delegates *g, grid_chunk *t) {
  const bool direct = is_direct(p);
  grid_chunk *to = direct ? t : &g->early;
  const uint64_t words = grid_words(t->n);
  if (g->in.x.nvals == 0 || t->n == 0) return GrB_SUCCESS;
  grid_chunk_init(&g->early, t->type, t->n);
  GrB_Info info = grid_chunk_reserve_dense(to, p->values.structural);
  if (info != GrB_SUCCESS) return info;
  memset(to->bits, 0, words * 8);
  grid_output y = {.n = to->n, .bits = to->bits, .val = to->val};
  info = run_nd(p, g, &y);
  if (info != GrB_SUCCESS) return info;
  to->format = GRID_BITMAP;
  to->nvals = y.found;
  p->choice.prefilled = direct;
  if (direct || y.found == 0) return GrB_SUCCESS;
  g->open = grid_malloc(words, 8);
  if (!g->open) return grid_fail_memory(NULL, "mask bits", words, 8);
  grid_cursor mask = grid_cursor_mask(&p->mask);
  for (uint64_t w = 0; w < words; w++) g->open[w] = grid_cursor_word(&mask, w) & ~to->bits[w];
  g->whole = p->mask;
  p->mask = (grid_mask){.bits = g->open, .n = t->n};
  g->has_early = true;
  return GrB_SUCCESS;
}

/* On one process the outputs that are left are counted anew, for the choice of nn's direction. */
static void count_left(grid_product *p, const grid_chunk *t) {
  const uint64_t *nonempty = p->transposed ? p->A->degrees.col_nonempty : p->A->degrees.row_nonempty,
                 words = grid_words(t->n);
  uint64_t sum = 0;
  if (grid_ctx.P > 1 || !p->choice.prefilled || !nonempty || p->mask.list) return;
#pragma omp parallel for reduction(+ : sum) schedule(static) num_threads(grid_word_threads(words))
  for (uint64_t w = 0; w < words; w++)
    sum += grid_popcount(grid_mask_word(&p->mask, w) & nonempty[w] & ~t->bits[w]);
  p->n.allowed_nonempty = sum;
}

/* Adds the results of this process's delegates to t. */
static void add_own_delegates(const grid_product *p, const grid_delegates *g, grid_chunk *t) {
  const grid_split *s = p->A->delegates.split;
  const uint64_t first = grid_chunk_first(p->A->nrows, grid_ctx.k);
  const size_t size = result_size(p);
  for (uint64_t w = 0; w < grid_words(s->d); w++)
    for (uint64_t bits = g->found[w] & s->own_numbers[w]; bits; bits &= bits - 1) {
      const uint64_t number = 64 * w + grid_low_bit(bits), v = s->id[number] - first;
      char *to = size ? (char *)t->val + v * size : NULL;
      if (!grid_bit(t->bits, v)) {
        t->bits[v >> 6] |= UINT64_C(1) << (v & 63);
        if (size) memcpy(to, g->val + number * size, size);
        t->nvals++;
      } else if (size && !p->s->add->any) {
        p->s->add->op->f(to, to, g->val + number * size);
      }
    }
}

static bool has_own_results(const grid_product *p, const grid_delegates *g) {
  const grid_split *s = p->A->delegates.split;
  uint64_t any = 0;
  for (uint64_t w = 0; w < grid_words(s->d) && g->found; w++) any |= g->found[w] & s->own_numbers[w];
  return any != 0;
}

/* Where rows are whole, t gets the results of delegates first: nn, which has the rest of their rows, has only
 * those that are left. */
static void prefill(grid_product *p, grid_delegates *g, grid_chunk *t) {
  if (!is_direct(p) || t->n == 0 || !has_own_results(p, g)) return;
  memset(t->bits, 0, grid_words(t->n) * 8);
  t->format = GRID_BITMAP;
  t->nvals = 0;
  add_own_delegates(p, g, t);
  p->choice.prefilled = g->added = true;
}

GrB_Info grid_delegates_before(grid_product *p, grid_delegates *g, grid_chunk *t) {
  const grid_split *s = p->A->delegates.split;
  const uint64_t words = grid_words(s->d);
  const size_t size = result_size(p);
  const uint64_t bytes = pad_bytes(words * 8 + s->d * size);
  const bool first = is_first_enough(p);
  GrB_Info info;
  TRY(grid_delegates_replicate(p, &g->in));
  if (s->whole && g->in.x.nvals == 0) return info; /* nothing meets dd */
  g->found = grid_malloc(bytes, 1);
  if (!g->found) info = grid_fail_memory(NULL, "contributions to delegates", bytes, 1);
  if (g->found) memset(g->found, 0, words * 8);
  if (g->found && size) g->val = (char *)(g->found + words);
  if (info == GrB_SUCCESS && first && s->whole && is_direct(p))
    info = grid_chunk_reserve_dense(t, p->values.structural);
  if (info == GrB_SUCCESS && first && !s->whole) info = find_early(p, g, t);
  if (s->whole && s->dd_rows.bits)
    TRY(find_own_delegates(p, g, info));
  else if (first)
    TRY(find_delegates(p, g, info));
  else
    TRY(sum_delegates(p, g, info, bytes));
  if (first && s->whole) prefill(p, g, t);
  if (first) count_left(p, t);
done:
  return info;
}

/* Adds what nd has found early to t, where t has no value. */
static void add_early(const grid_product *p, const grid_chunk *early, grid_chunk *t) {
  const size_t size = result_size(p);
  for (uint64_t w = 0; w < grid_words(t->n); w++) {
    const uint64_t more = early->bits[w] & ~t->bits[w];
    if (size && more)
      grid_value_copy_bits((char *)t->val + 64 * w * size, (char *)early->val + 64 * w * size, 1, more, size);
    t->nvals += grid_popcount(more);
    t->bits[w] |= more;
  }
}

GrB_Info grid_delegates_after(grid_product *p, grid_delegates *g, grid_chunk *t) {
  const grid_split *s = p->A->delegates.split;
  const bool has_own = !g->added && has_own_results(p, g), needs_nd = !is_first_enough(p) && !s->whole;
  if (g->has_early) p->mask = g->whole, g->has_early = false;
  if (!needs_nd && !g->early.nvals && !has_own) return GrB_SUCCESS;
  GrB_Info info = grid_chunk_to_bitmap(t);
  if (info != GrB_SUCCESS || t->n == 0) return info;
  if (needs_nd) {
    grid_output y = {.n = t->n, .bits = t->bits, .val = t->val};
    if ((info = run_nd(p, g, &y)) != GrB_SUCCESS) return info;
    t->nvals += y.found;
  }
  if (g->early.nvals) add_early(p, &g->early, t);
  if (has_own) add_own_delegates(p, g, t);
  return GrB_SUCCESS;
}

void grid_delegates_free(grid_product *p, grid_delegates *g) {
  if (g->has_early) p->mask = g->whole; /* the method failed */
  grid_chunk_free(&g->in.x);
  if (g->early.type) grid_chunk_free(&g->early);
  grid_free(g->in.allowed);
  grid_free(g->found);
  grid_free(g->open);
  *g = (grid_delegates){0};
}
