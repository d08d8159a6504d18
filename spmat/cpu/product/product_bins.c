/* A push through bins; see product_bins.h. */
#include "spmat/cpu/product/product_bins.h"

#include <omp.h>
#include <string.h>

#include "semiring/support/tuning.h"
#include "spmat/cpu/product/cpu_product.h"

enum {
  BINS = 128,      /* most of them: each needs two cache lines while they are filled */
  BLOCK = 17 * 16, /* products of a block of a bin; an odd number of lines, so that blocks differ in set */
  RUN = 512,       /* products computed by one call of the multiplier's loop */
};

/* Where a bin's next product goes: slots at .. end - 1 of its last block. */
typedef struct {
  uint32_t at, end;
} slot;

/* A thread's bins: lists of blocks in one pool. */
typedef struct {
  slot *next;      /* of each bin */
  uint32_t *first; /* of each bin: its first block */
  uint32_t *link;  /* of each block: the next one of its bin */
  uint32_t blocks; /* in use */
  uint32_t *output;
  char *product;
} bins;

typedef struct {
  const grid_job *J;
  grid_range_job j;
  grid_binary_loop multiply;
  GrB_Type operand; /* of the multiplier, from the matrix */
  const grid_sums *sums;
  const uint64_t *start;
  size_t size; /* of a product */
  bool uses_a, uses_x;
  int shift; /* output v belongs to bin v >> shift */
  uint64_t nbins, capacity;
} binned_push;

bool grid_push_uses_bins(const grid_job *J, int threads) {
  const GrB_BinaryOp mul = J->s->mul;
  const bool uses_a = J->flip ? mul->uses_y : mul->uses_x;
  const double degree = (double)J->push_edges / (double)J->nx;
  return degree < (double)grid_tune.push_bins_degree * (threads - 2) && !J->s->add->any && mul->loop &&
         grid_find_sums(J->s->add) && (!uses_a || grid_type_is_real(J->a_type));
}

/* ---- filling ------------------------------------------------------------------------------------------- */

static uint32_t new_block(bins *b) {
  return b->blocks++;
}

static void clear_bins(const binned_push *p, bins *b) {
  b->blocks = 0;
  for (uint64_t k = 0; k < p->nbins; k++) {
    const uint32_t block = b->first[k] = new_block(b);
    b->next[k] = (slot){block * BLOCK, (block + 1) * BLOCK};
  }
}

static void next_block(bins *b, slot *s) {
  const uint32_t block = new_block(b);
  b->link[s->end / BLOCK - 1] = block;
  *s = (slot){block * BLOCK, (block + 1) * BLOCK};
}

/* Puts n products with their outputs into bins; those that the mask forbids are overwritten. */
#define APPEND(T)                                                                                      \
  static void append_##T(const binned_push *p, bins *b, const uint32_t *v, const void *tv, size_t n) { \
    const grid_range_job *j = &p->j;                                                                   \
    const T *t = tv;                                                                                   \
    T *product = (T *)(void *)b->product;                                                              \
    for (size_t k = 0; k < n; k++) {                                                                   \
      slot *s = &b->next[v[k] >> p->shift];                                                            \
      if (s->at == s->end) next_block(b, s);                                                           \
      b->output[s->at] = v[k];                                                                         \
      product[s->at] = t[k];                                                                           \
      s->at += range_allowed(j, v[k] >> 6) >> (v[k] & 63) & 1;                                         \
    }                                                                                                  \
  }
APPEND(uint8_t)
APPEND(uint16_t)
APPEND(uint32_t)
APPEND(uint64_t)

static void append_products(const binned_push *p, bins *b, const uint32_t *v, const void *t, size_t n) {
  switch (p->size) {
    case 1:
      append_uint8_t(p, b, v, t, n);
      break;
    case 2:
      append_uint16_t(p, b, v, t, n);
      break;
    case 4:
      append_uint32_t(p, b, v, t, n);
      break;
    default:
      append_uint64_t(p, b, v, t, n);
  }
}

/* Entries e .. e + n - 1, n <= RUN, of a vector; x: its value. */
static void append_run(const binned_push *p, bins *b, uint64_t e, size_t n, const void *x) {
  const grid_job *J = p->J;
  uint64_t cast[RUN], t[RUN];
  const void *a = p->uses_a ? (const char *)J->a + e * J->a_step : NULL;
  const size_t step = p->uses_a && J->a_step;
  if (a && p->operand != J->a_type) {
    grid_cast_array(cast, p->operand, a, J->a_type, 1, step ? n : 1);
    a = cast;
  }
  if (J->flip)
    p->multiply(t, x, 0, a, step, n);
  else
    p->multiply(t, a, step, x, 0, n);
  append_products(p, b, J->m->idx + e, t, n);
}

/* Edges from .. to - 1, in order of x. */
static void fill(const binned_push *p, bins *b, uint64_t from, uint64_t to) {
  const grid_job *J = p->J;
  clear_bins(p, b);
  for (uint64_t f = range_vector_of_edge(p->start, J->nx, from); from < to; f++) {
    const uint64_t k = J->xlist ? J->xlist[f] : f, x = J->x_packed ? f : k;
    const void *value = p->uses_x ? (const char *)J->x + x * J->x_step : NULL;
    range_prefetch(&p->j, f);
    uint64_t e = range_start(&p->j, k) + (from - p->start[f]);
    const uint64_t end = e + ((to < p->start[f + 1] ? to : p->start[f + 1]) - from);
    from += end - e;
    for (uint64_t n; e < end; e += n) {
      n = end - e < RUN ? end - e : RUN;
      append_run(p, b, e, n, value);
    }
  }
}

/* ---- summing ------------------------------------------------------------------------------------------- */

/* Adds bin k of one thread. */
static uint64_t sum_bin(const binned_push *p, const bins *b, uint64_t k) {
  const grid_job *J = p->J;
  const uint32_t last = b->next[k].end / BLOCK - 1;
  uint64_t found = 0;
  for (uint32_t block = b->first[k];; block = b->link[block]) {
    const size_t at = (size_t)block * BLOCK, n = block == last ? b->next[k].at - at : BLOCK;
    found += p->sums->scatter(J->y, J->ybits, b->output + at, b->product + at * p->size, n);
    if (block == last) return found;
  }
}

/* ---- all ----------------------------------------------------------------------------------------------- */

static size_t padded(size_t bytes) {
  return (bytes + 63) / 64 * 64;
}

static char *carve(char **at, size_t bytes) {
  char *const segment = *at;
  *at += padded(bytes);
  return segment;
}

/* A thread's part of the workspace. */
static size_t bin_bytes(const binned_push *p) {
  const uint64_t slots = p->capacity * BLOCK;
  return padded(p->nbins * sizeof(slot)) + padded(p->nbins * sizeof(uint32_t)) +
         padded(p->capacity * sizeof(uint32_t)) + padded(slots * sizeof(uint32_t)) + padded(slots * p->size);
}

static bins suballocate_bins(const binned_push *p, char *at) {
  bins b = {.blocks = 0};
  b.next = (slot *)(void *)carve(&at, p->nbins * sizeof *b.next);
  b.first = (uint32_t *)(void *)carve(&at, p->nbins * sizeof *b.first);
  b.link = (uint32_t *)(void *)carve(&at, p->capacity * sizeof *b.link);
  b.output = (uint32_t *)(void *)carve(&at, p->capacity * BLOCK * sizeof *b.output);
  b.product = at;
  return b;
}

static uint64_t run(const binned_push *p, bins *all, uint64_t share, int threads) {
  const uint64_t edges = p->start[p->J->nx], team = (uint64_t)threads;
  uint64_t found = 0;
#pragma omp parallel num_threads(threads) reduction(+ : found)
  for (uint64_t round = 0; round < edges; round += share * team) {
#pragma omp for schedule(static, 1)
    for (uint64_t t = 0; t < team; t++) {
      const uint64_t from = round + t * share, to = from + share;
      fill(p, &all[t], from < edges ? from : edges, to < edges ? to : edges);
    }
#pragma omp for schedule(dynamic, 1)
    for (uint64_t k = 0; k < p->nbins; k++)
      for (uint64_t t = 0; t < team; t++) found += sum_bin(p, &all[t], k);
  }
  return found;
}

GrB_Info grid_push_bins(grid_job *J, const uint64_t *start, int threads) {
  const GrB_BinaryOp mul = J->s->mul;
  binned_push p = {.J = J,
                   .j = {.ptr = J->m->ptr,
                         .offsets64 = J->m->offsets64,
                         .idx = J->m->idx,
                         .xlist = J->xlist,
                         .nx = J->nx,
                         .mask = J->mask,
                         .mask_invert = J->mask_complement ? ~UINT64_C(0) : 0},
                   .multiply = mul->loop,
                   .operand = J->flip ? mul->y : mul->x,
                   .sums = grid_find_sums(J->s->add),
                   .start = start,
                   .size = mul->z->size,
                   .uses_a = J->flip ? mul->uses_y : mul->uses_x,
                   .uses_x = J->flip ? mul->uses_x : mul->uses_y,
                   .shift = 6};
  while ((J->ny - 1) >> p.shift >= BINS) p.shift++;
  p.nbins = ((J->ny - 1) >> p.shift) + 1;
  uint64_t share = (start[J->nx] + (uint64_t)threads - 1) / (uint64_t)threads;
  if (share > grid_tune.push_bins_edges) share = grid_tune.push_bins_edges;
  p.capacity = p.nbins + share / BLOCK + 1;
  const size_t bytes = bin_bytes(&p);
  char *workspace = grid_malloc((size_t)threads, bytes);
  bins *all = grid_malloc((size_t)threads, sizeof *all);
  if (!workspace || !all) {
    grid_free(workspace);
    grid_free(all);
    return grid_fail_memory(NULL, "bins of a push", (size_t)threads, bytes);
  }
  for (int t = 0; t < threads; t++) all[t] = suballocate_bins(&p, workspace + (size_t)t * bytes);
  J->found += run(&p, all, share, threads);
  grid_free(workspace);
  grid_free(all);
  return GrB_SUCCESS;
}
