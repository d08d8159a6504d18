/* Product kernels for any predefined monoid and multiplier and operands of any predefined types, without
 * compiled kernels: an operator is a loop over arrays. Up to BLOCK products are prepared at a time; operands
 * are gathered, cast, multiplied and summed, each by one call. The order of additions is that of the compiled
 * kernels (kernels/mxv_range.h). */
#include "spmat/cpu/product/cpu_product.h"

#include <string.h>

enum {
  BLOCK = 1024,
  BATCH = 16, /* words of rows whose segments are prepared together */
  FIRST_BATCH =
      16 /* entries of a row in the first round, if its sum may be complete early; then 4 times as many */
};

/* A block of products. Their entries are runs of consecutive ones, or listed. */
typedef struct {
  size_t n; /* products */
  size_t nruns;
  uint64_t run[BLOCK], length[BLOCK];
  uint64_t entry[BLOCK];   /* listed: entries of the matrix, */
  uint32_t x_index[BLOCK]; /* indices in x, */
  uint32_t output[BLOCK];  /* push: outputs */
  size_t nsegments;
  grid_segment segment[BLOCK];                        /* pull: rows */
  uint64_t a[BLOCK], x[BLOCK], cast[BLOCK], t[BLOCK]; /* values of any real type */
} block;

static block *begin(grid_tally *sum) {
  block *b = sum->workspace;
  b->n = b->nruns = b->nsegments = 0;
  return b;
}

#define GATHER(T)                                        \
  {                                                      \
    T *z = to;                                           \
    const T *v = from;                                   \
    for (size_t k = 0; k < n; k++) z[k] = v[x_index[k]]; \
  }

#define GATHER_BY(NAME, INDEX_TYPE)                                                                \
  static void NAME(void *to, const void *from, size_t size, const INDEX_TYPE *x_index, size_t n) { \
    switch (size) {                                                                                \
      case 1:                                                                                      \
        GATHER(uint8_t)                                                                            \
        break;                                                                                     \
      case 2:                                                                                      \
        GATHER(uint16_t)                                                                           \
        break;                                                                                     \
      case 4:                                                                                      \
        GATHER(uint32_t)                                                                           \
        break;                                                                                     \
      default:                                                                                     \
        GATHER(uint64_t)                                                                           \
    }                                                                                              \
  }
GATHER_BY(gather, uint32_t)
GATHER_BY(gather_entries, uint64_t)

/* The values of A for the products of b, of the multiplier's type; *step 0: iso. */
static const void *operands_a(const grid_range_job *J, block *b, size_t *step) {
  const grid_array_calls *c = J->calls;
  const size_t size = c->a_type->size;
  const void *a = b->a;
  *step = J->a_and ? 1 : 0;
  if (!*step) {
    a = J->a;
  } else if (!b->nruns) {
    gather_entries(b->a, J->a, size, b->entry, b->n);
  } else if (b->nruns == 1) {
    a = (const char *)J->a + b->run[0] * size;
  } else {
    char *to = (char *)b->a;
    for (size_t r = 0; r < b->nruns; r++) {
      memcpy(to, (const char *)J->a + b->run[r] * size, b->length[r] * size);
      to += b->length[r] * size;
    }
  }
  if (c->a_type == c->a_operand) return a;
  grid_cast_array(b->cast, c->a_operand, a, c->a_type, 1, *step ? b->n : 1);
  return b->cast;
}

static const void *operands_x(const grid_range_job *J, block *b, size_t *step) {
  const grid_array_calls *c = J->calls;
  const size_t size = c->x_size;
  *step = J->x_and ? 1 : 0;
  if (!*step) return J->x;
  if (!b->nruns) {
    gather(b->x, J->x, size, b->x_index, b->n);
    return b->x;
  }
  char *to = (char *)b->x;
  for (size_t r = 0; r < b->nruns; r++) {
    gather(to, J->x, size, J->idx + b->run[r], b->length[r]);
    to += b->length[r] * size;
  }
  return b->x;
}

static void multiply(const grid_range_job *J, block *b) {
  const grid_array_calls *c = J->calls;
  size_t astep = 0, xstep = 0;
  const void *a = c->uses_a_values ? operands_a(J, b, &astep) : NULL;
  const void *x = c->uses_x_values ? operands_x(J, b, &xstep) : NULL;
  if (c->flip)
    c->mul(b->t, x, xstep, a, astep, b->n);
  else
    c->mul(b->t, a, astep, x, xstep, b->n);
}

/* ---- pull ---- */

static void finish_rows(const grid_range_job *J, block *b) {
  const grid_array_calls *c = J->calls;
  if (b->n) {
    multiply(J, b);
    c->sums->rows(J->y, b->segment, b->nsegments, b->t);
  }
  b->n = b->nruns = b->nsegments = 0;
}

/* Adds row v's next n <= BLOCK - b->n products. */
static void add_segment(block *b, uint64_t v, size_t n, bool has_value) {
  b->segment[b->nsegments++] = (grid_segment){v, (uint32_t)n, has_value};
  b->n += n;
}

/* Adds the entries e .. end - 1 of row v. */
static void add_entries(const grid_range_job *J, block *b, uint64_t v, uint64_t e, uint64_t end,
                        bool has_value) {
  for (uint64_t n; e < end; e += n, has_value = true) {
    if (b->n == BLOCK) finish_rows(J, b);
    n = end - e < BLOCK - b->n ? end - e : BLOCK - b->n;
    if (b->nruns && b->run[b->nruns - 1] + b->length[b->nruns - 1] == e) {
      b->length[b->nruns - 1] += n;
    } else {
      b->run[b->nruns] = e;
      b->length[b->nruns++] = n;
    }
    add_segment(b, v, n, has_value);
  }
}

/* Adds those of the entries e .. end - 1 of row v that are in x; false: none, and there is no value either.
 */
static bool add_hits(const grid_range_job *J, block *b, uint64_t v, uint64_t e, uint64_t end,
                     bool has_value) {
  while (e < end) {
    if (b->n == BLOCK) finish_rows(J, b);
    size_t n = b->n;
    uint64_t stop = end - e < BLOCK - n ? end : e + (BLOCK - n);
    for (; e < stop; e++) {
      uint32_t k = J->idx[e];
      b->entry[n] = e;
      b->x_index[n] = k;
      n += range_bit(J->xbits, k);
    }
    if (n == b->n) continue;
    add_segment(b, v, n - b->n, has_value);
    has_value = true;
  }
  return has_value;
}

/* A row with entries left. */
typedef struct {
  uint64_t v, e, end;
  bool has_value;
} open_row;

/* The rows of words from .. to - 1 that may be written and have entries. */
static size_t open_rows(const grid_range_job *J, uint64_t from, uint64_t to, open_row *row) {
  const grid_array_calls *c = J->calls;
  size_t n = 0;
  for (uint64_t w = from; w < to; w++) {
    uint64_t todo = range_allowed(J, w) & J->nonempty[w], had = J->ybits[w];
    if (c->any) todo &= ~had;
    for (; todo; todo &= todo - 1) {
      unsigned b = (unsigned)__builtin_ctzll(todo);
      uint64_t v = 64 * w + b;
      row[n++] = (open_row){v, range_start(J, v), range_start(J, v + 1), had >> b & 1};
    }
  }
  return n;
}

/* ANY: the first entry of each row that is in x. */
static void add_firsts(const grid_range_job *J, block *b, open_row *row, size_t n, uint64_t *inspected) {
  for (size_t k = 0; k < n; k++) {
    uint64_t e = row[k].e, end = row[k].end;
    while (J->xbits && e < end && !range_bit(J->xbits, J->idx[e])) e++;
    *inspected += e < end ? e + 1 - row[k].e : e - row[k].e;
    if (e == end) continue;
    add_entries(J, b, row[k].v, e, e + 1, false);
    row[k].has_value = true;
  }
}

/* Adds up to `most` entries of each row; returns the rows that have more and may still change. */
static size_t add_segments(const grid_range_job *J, block *b, open_row *row, size_t n, uint64_t most,
                           uint64_t *inspected) {
  for (size_t k = 0; k < n; k++) {
    open_row *r = &row[k];
    uint64_t stop = r->end - r->e < most ? r->end : r->e + most;
    *inspected += stop - r->e;
    if (J->xbits) {
      r->has_value = add_hits(J, b, r->v, r->e, stop, r->has_value);
    } else {
      add_entries(J, b, r->v, r->e, stop, r->has_value);
      r->has_value = true;
    }
    r->e = stop;
  }
  return n;
}

static void count_found(const grid_range_job *J, const open_row *row, size_t n, grid_tally *sum) {
  for (size_t k = 0; k < n; k++) {
    uint64_t *word = &J->ybits[row[k].v >> 6], bit = UINT64_C(1) << (row[k].v & 63);
    sum->found += row[k].has_value && !(*word & bit);
    if (row[k].has_value) *word |= bit;
  }
}

static void pull_batch(const grid_range_job *J, block *b, uint64_t from, uint64_t to, grid_tally *sum) {
  const grid_array_calls *c = J->calls;
  open_row row[64 * BATCH];
  size_t n = open_rows(J, from, to, row);
  if (c->any) {
    add_firsts(J, b, row, n, &sum->inspected);
    finish_rows(J, b);
    count_found(J, row, n, sum);
    return;
  }
  for (uint64_t most = c->terminal ? FIRST_BATCH : UINT64_MAX; n; most *= 4) {
    add_segments(J, b, row, n, most, &sum->inspected);
    finish_rows(J, b);
    count_found(J, row, n, sum);
    size_t left = 0;
    for (size_t k = 0; k < n; k++) {
      const open_row r = row[k];
      if (r.e < r.end && !(r.has_value && ((const bool *)J->y)[r.v] == *c->terminal)) row[left++] = r;
    }
    n = left;
  }
}

static void pull(const grid_range_job *J, uint64_t from, uint64_t to, grid_tally *sum) {
  block *b = begin(sum);
  for (uint64_t w = from; w < to; w += BATCH) pull_batch(J, b, w, to - w < BATCH ? to : w + BATCH, sum);
}

/* ---- push ---- */

static void finish_edges(const grid_range_job *J, block *b, grid_tally *sum) {
  const grid_array_calls *c = J->calls;
  if (b->n) {
    multiply(J, b);
    sum->found += c->sums->scatter(J->y, J->ybits, b->output, b->t, b->n);
  }
  b->n = 0;
}

/* The edges to the outputs of words from .. to - 1, in order of x. */
static void push(const grid_range_job *J, uint64_t from, uint64_t to, grid_tally *sum) {
  const uint64_t lo = 64 * from, hi = 64 * to;
  block *b = begin(sum);
  for (uint64_t f = 0; f < J->nx; f++) {
    uint64_t k = J->xlist ? J->xlist[f] : f;
    uint64_t e = range_start(J, k), end = range_start(J, k + 1);
    (void)range_prefetch_outputs(J, f, lo);
    if (lo > 0) e = range_first_output(J, e, end, lo);
    for (; e < end && J->idx[e] < hi; e++) {
      uint64_t v = J->idx[e];
      if (b->n == BLOCK) finish_edges(J, b, sum);
      b->entry[b->n] = e;
      b->x_index[b->n] = (uint32_t)(J->x_packed ? f : k);
      b->output[b->n] = (uint32_t)v;
      b->n += range_allowed(J, v >> 6) >> (v & 63) & 1;
    }
  }
  finish_edges(J, b, sum);
}

const grid_ranges grid_array_ranges = {pull, push};
const size_t grid_array_workspace = sizeof(block);
