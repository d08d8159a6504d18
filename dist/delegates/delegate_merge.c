/* Results of delegates, merged over the grid (delegate_steps.h). */
#include <string.h>

#include "dist/delegates/delegate_steps.h"
#include "spmat/vector/bitmap_words.h"

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

GrB_Info grid_delegates_find_local(grid_product *p, grid_delegates *g, GrB_Info info) {
  const grid_split *s = p->A->delegates.split;
  const uint64_t words = grid_words(s->d);
  grid_output y = {.n = s->d, .bits = g->found, .val = g->val};
  uint64_t *allowed = grid_ctx.P == 1 ? g->in.allowed : grid_malloc(words, 8);
  if (info == GrB_SUCCESS && grid_ctx.P > 1 && !allowed)
    info = grid_fail_memory(NULL, "mask of delegates", words, 8);
  for (uint64_t w = 0; w < words && grid_ctx.P > 1 && allowed; w++)
    allowed[w] = s->local_numbers[w] & (g->in.allowed ? g->in.allowed[w] : ~UINT64_C(0));
  if (info == GrB_SUCCESS) info = grid_delegates_run_dd(p, g, allowed, 0, 1, &y);
  if (grid_ctx.P > 1) grid_free(allowed);
  return grid_agree(&p->A->head, info);
}

GrB_Info grid_delegates_sum(grid_product *p, grid_delegates *g, GrB_Info info, uint64_t bytes) {
  const grid_split *s = p->A->delegates.split;
  const uint64_t words = grid_words(s->d);
  grid_output y = {.n = s->d, .bits = g->found, .val = g->val};
  if (info == GrB_SUCCESS) info = grid_delegates_run_dn(p, g->in.allowed, &y);
  if (info == GrB_SUCCESS)
    info = grid_delegates_run_dd(p, g, g->in.allowed, (uint64_t)grid_ctx.k, (uint64_t)grid_ctx.P, &y);
  if ((info = grid_agree(&p->A->head, info)) != GrB_SUCCESS) return info;
  p->stats.delegate_bytes += grid_ctx.P > 1 ? bytes : 0;
  merging m = {p, words, grid_delegates_size(p)};
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
  const size_t size = grid_delegates_size(p);
  const uint64_t words = grid_words(n), all = grid_words(p->A->delegates.split->d),
                 bytes = grid_delegates_bytes(words * 8 + n * size), *any = p->A->delegates.split->merge + 1;
  uint64_t *buffer = grid_calloc(bytes, 1), at = 0;
  GrB_Info info = buffer ? GrB_SUCCESS : grid_fail_memory(NULL, "contributions to delegates", bytes, 1);
  TRY(grid_agree(&p->A->head, info));
  for (uint64_t w = 0; w < all; w++)
    for (uint64_t bits = any[w]; bits; bits &= bits - 1, at++) {
      const uint64_t k = 64 * w + grid_low_bit(bits);
      if (!grid_bit(c->bits, k)) continue;
      buffer[at >> 6] |= UINT64_C(1) << (at & 63);
      /* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): results with values have c->val */
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
  const size_t size = grid_delegates_size(p);
  const uint64_t words = grid_words(d);
  c->open = grid_malloc(words, 8);
  c->bits = grid_calloc(words, 8);
  c->val = size ? grid_malloc(d, size) : NULL;
  return c->open && c->bits && (!size || c->val)
             ? GrB_SUCCESS
             : grid_fail_memory(NULL, "contributions to delegates", d, 1 + size);
}

GrB_Info grid_delegates_find(grid_product *p, grid_delegates *g, GrB_Info info) {
  const grid_split *s = p->A->delegates.split;
  const uint64_t words = grid_words(s->d);
  uint64_t open = 0, n = 0, *any = s->merge + 1;
  grid_output y = {.n = s->d, .bits = g->found, .val = g->val};
  contributions c = {.open = NULL};
  if (info == GrB_SUCCESS) info = alloc_contributions(p, s->d, &c);
  if (info == GrB_SUCCESS && s->dd_rows.bits) info = grid_delegates_run_dd(p, g, g->in.allowed, 0, 1, &y);
  for (uint64_t w = 0; w < words && info == GrB_SUCCESS; w++) {
    c.open[w] = (g->in.allowed ? g->in.allowed[w] : grid_tail(s->d, w)) & ~g->found[w];
    open += grid_popcount(c.open[w]);
  }
  grid_output partial = {.n = s->d, .bits = c.bits, .val = c.val};
  if (grid_ctx.P == 1) partial = y;
  if (info == GrB_SUCCESS && open) info = grid_delegates_run_dn(p, c.open, &partial);
  if (info == GrB_SUCCESS && open && !s->dd_rows.bits)
    info = grid_delegates_run_dd(p, g, g->in.allowed, 0, 1, &partial);
  if (grid_ctx.P == 1) goto done;
  s->merge[0] = info != GrB_SUCCESS;
  if (info == GrB_SUCCESS) memcpy(any, c.bits, words * 8);
  const GrB_Info merged = grid_ctx.transport->allreduce(GRID_SET_ALL, s->merge, 1 + words, GRID_BOR);
  if (merged != GrB_SUCCESS) info = merged;
  if (merged != GrB_SUCCESS) goto done;
  if (s->merge[0] || info != GrB_SUCCESS) TRY(grid_agree(&p->A->head, info));
  p->stats.delegate_bytes += words * 8;
  n = grid_count_bits(any, words);
  if (n && grid_delegates_size(p)) TRY(merge_values(p, g, &c, n));
  for (uint64_t w = 0; w < words; w++) g->found[w] |= any[w];
done:
  grid_free(c.open), grid_free(c.bits), grid_free(c.val);
  return info;
}
