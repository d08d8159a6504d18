/* Product kernels of any semiring, including user-defined types and operators, with one call through a
 * function pointer a product. The order of additions is that of the compiled kernels (kernels/mxv_range.h).
 */
#include "spmat/cpu/product/cpu_product.h"

#include <string.h>

/* A product and a cast operand each use half of the thread's workspace. */
typedef struct {
  const grid_pointer_calls *c;
  char *t, *operand;
} worker;

static worker begin(const grid_range_job *J, grid_tally *sum) {
  const grid_pointer_calls *c = J->calls;
  char *workspace = sum->workspace;
  return (worker){c, workspace, workspace + sum->workspace_size / 2};
}

/* *t = a(e) * x(k), x's value being at position p of x. */
static void product(const grid_range_job *J, worker *w, void *t, uint64_t e, uint64_t k, uint64_t p) {
  const grid_pointer_calls *c = w->c;
  if (!c->mul) {
    uint64_t global_index = range_global_index(J, k);
    if (c->z_size == 4)
      *(int32_t *)t = (int32_t)global_index;
    else
      *(int64_t *)t = (int64_t)global_index;
    return;
  }
  const void *a = (const char *)J->a + (e & J->a_and) * c->a_step,
             *x = (const char *)J->x + (p & J->x_and) * c->x_step;
  if (c->cast) {
    c->cast(w->operand, a, c->a_size);
    a = w->operand;
  }
  if (c->flip)
    c->mul(t, x, a);
  else
    c->mul(t, a, x);
}

static bool is_in_x(const grid_range_job *J, uint64_t k) {
  return !J->xbits || range_bit(J->xbits, k);
}

static bool stops(const grid_pointer_calls *c, const void *z) {
  return c->any || (c->terminal && memcmp(z, c->terminal, c->z_size) == 0);
}

/* Adds row v to y; false: it has no value. */
static bool pull_row(const grid_range_job *J, worker *w, uint64_t v, bool has_value, uint64_t *inspected) {
  const grid_pointer_calls *c = w->c;
  char *y = (char *)J->y + v * c->z_size;
  for (uint64_t e = range_start(J, v), end = range_start(J, v + 1); e < end && !(has_value && stops(c, y));
       e++) {
    uint64_t k = J->idx[e];
    ++*inspected;
    if (!is_in_x(J, k)) continue;
    product(J, w, has_value ? w->t : y, e, k, k);
    if (has_value) c->add(y, y, w->t);
    has_value = true;
  }
  return has_value;
}

static void pull(const grid_range_job *J, uint64_t from, uint64_t to, grid_tally *sum) {
  worker me = begin(J, sum);
  for (uint64_t w = from; w < to; w++) {
    uint64_t todo = range_allowed(J, w) & J->nonempty[w], had = J->ybits[w], hits = 0;
    for (; todo; todo &= todo - 1) {
      unsigned b = (unsigned)__builtin_ctzll(todo);
      hits |= (uint64_t)pull_row(J, &me, 64 * w + b, had >> b & 1, &sum->inspected) << b;
    }
    if (hits & ~had) {
      J->ybits[w] = had | hits;
      sum->found += (uint64_t)__builtin_popcountll(hits & ~had);
    }
  }
}

/* The edges to the outputs of words from .. to - 1. */
static void push(const grid_range_job *J, uint64_t from, uint64_t to, grid_tally *sum) {
  worker me = begin(J, sum);
  const grid_pointer_calls *c = me.c;
  const uint64_t lo = 64 * from, hi = 64 * to;
  for (uint64_t f = 0; f < J->nx; f++) {
    uint64_t k = J->xlist ? J->xlist[f] : f;
    uint64_t e = range_start(J, k), end = range_start(J, k + 1);
    (void)range_prefetch_outputs(J, f, lo);
    if (lo > 0) e = range_first_output(J, e, end, lo);
    for (; e < end && J->idx[e] < hi; e++) {
      uint64_t v = J->idx[e], bit = (uint64_t)1 << (v & 63), *word = &J->ybits[v >> 6];
      if (!(range_allowed(J, v >> 6) & bit)) continue;
      bool has_value = *word & bit;
      char *y = (char *)J->y + v * c->z_size;
      if (has_value && c->any) continue;
      product(J, &me, has_value ? me.t : y, e, k, J->x_packed ? f : k);
      if (has_value) c->add(y, y, me.t);
      *word |= bit;
      sum->found += !has_value;
    }
  }
}

const grid_ranges grid_pointer_ranges = {pull, push};
