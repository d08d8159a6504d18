/* The steps of a product for delegates (Pan et al., sections III to V). x and mask of the delegates are
 * replicated, and contributions to normal vertices are local, since a vertex' owner has its entries. Each
 * process chooses push or pull for each of its matrices from local counts.
 *
 * If the first product of an output suffices, hubs are tried first. nd is multiplied before nn, which then
 * has only the outputs that are left. Bit rows of dd are multiplied by every process, so that all know which
 * delegates are left, most often none. For these they need dn, and one OR of bits over the grid. */
#include <string.h>

#include "dist/delegates/delegate_steps.h"
#include "spmat/vector/bitmap_words.h"
#include "spmat/vector/bound_operator.h"

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
  info = grid_delegates_run_nd(p, g, &y);
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
static void add_local_delegates(const grid_product *p, const grid_delegates *g, grid_chunk *t) {
  const grid_split *s = p->A->delegates.split;
  const uint64_t first = grid_chunk_first(p->A->nrows, grid_ctx.k);
  const size_t size = grid_delegates_size(p);
  for (uint64_t w = 0; w < grid_words(s->d); w++)
    for (uint64_t bits = g->found[w] & s->local_numbers[w]; bits; bits &= bits - 1) {
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

static bool has_local_results(const grid_product *p, const grid_delegates *g) {
  const grid_split *s = p->A->delegates.split;
  uint64_t any = 0;
  for (uint64_t w = 0; w < grid_words(s->d) && g->found; w++) any |= g->found[w] & s->local_numbers[w];
  return any != 0;
}

/* Where rows are whole, t gets the results of delegates first: nn, which has the rest of their rows, has only
 * those that are left. */
static void prefill(grid_product *p, grid_delegates *g, grid_chunk *t) {
  if (!is_direct(p) || t->n == 0 || !has_local_results(p, g)) return;
  memset(t->bits, 0, grid_words(t->n) * 8);
  t->format = GRID_BITMAP;
  t->nvals = 0;
  add_local_delegates(p, g, t);
  p->choice.prefilled = g->added = true;
}

GrB_Info grid_delegates_before(grid_product *p, grid_delegates *g, grid_chunk *t) {
  const grid_split *s = p->A->delegates.split;
  const uint64_t words = grid_words(s->d);
  const size_t size = grid_delegates_size(p);
  const uint64_t bytes = words * 8 + s->d * size;
  const bool first = grid_is_first_enough(p);
  GrB_Info info;
  TRY(grid_delegates_replicate(p, &g->in));
  if (s->whole && g->in.x.nvals == 0) return info;   /* nothing meets dd */
  info = grid_delegates_replicate_values(p, &g->in); /* of this process alone: find and sum agree on it */
  g->found = grid_malloc(bytes, 1);
  if (!g->found) info = grid_fail_memory(NULL, "contributions to delegates", bytes, 1);
  if (g->found) memset(g->found, 0, words * 8);
  if (g->found && size) g->val = (char *)(g->found + words);
  if (info == GrB_SUCCESS && first && s->whole && is_direct(p))
    info = grid_chunk_reserve_dense(t, p->values.structural);
  if (info == GrB_SUCCESS && first && !s->whole) info = find_early(p, g, t);
  if (s->whole && s->dd_rows.bits)
    TRY(grid_delegates_find_local(p, g, info));
  else if (first)
    TRY(grid_delegates_find(p, g, info));
  else
    TRY(grid_delegates_sum(p, g, info));
  if (first && s->whole) prefill(p, g, t);
  if (first) count_left(p, t);
done:
  return info;
}

/* Adds what nd has found early to t, where t has no value. */
static void add_early(const grid_product *p, const grid_chunk *early, grid_chunk *t) {
  const size_t size = grid_delegates_size(p);
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
  const bool has_local = !g->added && has_local_results(p, g),
             needs_nd = !grid_is_first_enough(p) && !s->whole;
  if (g->has_early) p->mask = g->whole, g->has_early = false;
  if (!needs_nd && !g->early.nvals && !has_local) return GrB_SUCCESS;
  GrB_Info info = grid_chunk_to_bitmap(t);
  if (info != GrB_SUCCESS || t->n == 0) return info;
  if (needs_nd) {
    grid_output y = {.n = t->n, .bits = t->bits, .val = t->val};
    if ((info = grid_delegates_run_nd(p, g, &y)) != GrB_SUCCESS) return info;
    t->nvals += y.found;
  }
  if (g->early.nvals) add_early(p, &g->early, t);
  if (has_local) add_local_delegates(p, g, t);
  return GrB_SUCCESS;
}

void grid_delegates_free(grid_product *p, grid_delegates *g) {
  if (!p->A->delegates.split) return;
  if (g->has_early) p->mask = g->whole; /* the method failed */
  grid_chunk_free(&g->in.x);
  if (g->early.type) grid_chunk_free(&g->early);
  grid_free(g->in.allowed);
  grid_free(g->found);
  grid_free(g->open);
  *g = (grid_delegates){0};
}
