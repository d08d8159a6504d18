/* A pull whose matrix is bit rows. The rows of a word of outputs are intersected with x. What is left is
 * passed to the range functions of all other products as a small matrix in a thread's cache. A product
 * without values needs no more than the intersections. */
#include <omp.h>
#include <string.h>

#include "spmat/cpu/product/cpu_product.h"
#include "spmat/vector/bitmap_words.h"

enum {
  BATCH_ENTRIES = 1 << 14,  /* entries that a thread passes to a range function at a time, at least */
  PARALLEL_WORDS = 1 << 14, /* fewer words of rows: one thread */
  CANDIDATES_COST_WORDS = 4 /* words of a row that a pull is expected to inspect before its first hit */
};

typedef struct {
  const grid_job *J;
  const grid_bits_job *b;
  bool structural, any;
  uint64_t *candidates; /* the rows that meet x; NULL: all rows are tried */
  uint32_t *words;      /* the nonzero words of x, n of them; */
  uint64_t n;           /* x full: all */
  uint64_t capacity;    /* entries of a batch */
} bits_pull;

/* One thread's matrix of at most 64 rows. */
typedef struct {
  uint64_t offset[65], nonempty, hits, n;
  uint32_t hub_neighbor[64], *idx;
} batch;

/* The rows of word w to compute. */
static uint64_t open_rows(const bits_pull *d, uint64_t w) {
  const grid_job *J = d->J;
  uint64_t todo = J->mask ? (J->mask_complement ? ~J->mask[w] : J->mask[w]) : ~UINT64_C(0);
  if (d->candidates) todo &= d->candidates[w];
  if (d->b->first_hit) todo &= ~J->ybits[w];
  return todo & grid_tail(J->ny, w);
}

/* Word k of those of row r that may meet x. */
static inline uint64_t row_word(const bits_pull *d, const uint64_t *row, uint64_t k) {
  const uint32_t w = d->words[k];
  return d->J->xbits ? row[w] & d->J->xbits[w] : row[w];
}

/* Does row r meet x? *first: its first entry that does. */
static bool find_first(const bits_pull *d, uint64_t r, uint32_t *first) {
  const uint64_t *row = grid_bit_row(d->b->m, r);
  for (uint64_t k = 0; k < d->n; k++) {
    const uint64_t both = row_word(d, row, k);
    if (!both) continue;
    *first = 64 * d->words[k] + grid_low_bit(both);
    return true;
  }
  return false;
}

/* Appends the entries of row r that meet x to idx; returns their number. */
static uint64_t list_row(const bits_pull *d, uint64_t r, uint32_t *idx) {
  const uint64_t *row = grid_bit_row(d->b->m, r);
  uint64_t n = 0;
  for (uint64_t k = 0; k < d->n; k++)
    for (uint64_t both = row_word(d, row, k); both; both &= both - 1)
      idx[n++] = 64 * d->words[k] + grid_low_bit(both);
  return n;
}

/* Multiplies the batch, rows of word w. */
static void run_batch(const bits_pull *d, const grid_product_run *run, batch *t, uint64_t w,
                      grid_tally *sum) {
  if (!t->nonempty) return;
  grid_range_job j = run->j;
  const size_t size = d->J->s->mul->z->size;
  j.calls = &run->calls;
  j.ptr = NULL, j.offsets64 = t->offset, j.idx = t->idx;
  j.hub_neighbor = t->hub_neighbor, j.nonempty = &t->nonempty;
  j.mask = NULL, j.mask_invert = 0;
  j.ny = 64, j.ybits = run->j.ybits + w, j.y = (char *)run->j.y + 64 * w * size;
  run->kernels->pull(&j, 0, 1, sum);
}

static void pull_word(const bits_pull *d, const grid_product_run *run, batch *t, uint64_t w,
                      grid_tally *sum) {
  unsigned next = 0; /* the row whose offset is set next */
  t->n = t->nonempty = t->offset[0] = 0;
  for (uint64_t todo = open_rows(d, w); todo; todo &= todo - 1) {
    const unsigned b = grid_low_bit(todo);
    if (t->n + d->b->m->cols > d->capacity && t->n) {
      while (next < 64) t->offset[++next] = t->n;
      run_batch(d, run, t, w, sum);
      t->n = t->nonempty = next = 0;
    }
    while (next < b) t->offset[++next] = t->n;
    uint64_t n;
    if (d->b->first_hit)
      n = find_first(d, 64 * w + b, t->idx + t->n);
    else
      n = list_row(d, 64 * w + b, t->idx + t->n);
    if (n) t->hub_neighbor[b] = t->idx[t->n], t->nonempty |= UINT64_C(1) << b;
    t->n += n;
    t->offset[++next] = t->n;
  }
  while (next < 64) t->offset[++next] = t->n;
  run_batch(d, run, t, w, sum);
}

/* The same where y has no values: a row that is known to meet x needs no pass. */
static void pull_word_pattern(const bits_pull *d, uint64_t w, grid_tally *sum) {
  uint64_t hits = open_rows(d, w);
  uint32_t first;
  sum->inspected += grid_popcount(hits);
  for (uint64_t todo = d->candidates ? 0 : hits; todo; todo &= todo - 1)
    if (!find_first(d, 64 * w + grid_low_bit(todo), &first)) hits &= ~(todo & -todo);
  sum->found += grid_popcount(hits);
  d->J->ybits[w] |= hits;
}

/* Every thread takes words of outputs in turn. `batches`: of each thread, or NULL without values. */
static void pull_words(const bits_pull *d, const grid_product_run *run, batch *batches, char *workspace,
                       int threads, grid_tally *total) {
  const uint64_t words = grid_words(d->J->ny), first = d->b->first, step = d->b->step;
  uint64_t inspected = 0, found = 0;
#pragma omp parallel num_threads(threads) reduction(+ : inspected, found)
  {
    const size_t me = (size_t)omp_get_thread_num();
    grid_tally sum = {.workspace = workspace ? workspace + me * run->workspace : NULL,
                      .workspace_size = run->workspace};
#pragma omp for schedule(dynamic, 1)
    for (uint64_t w = first; w < words; w += step) {
      if (batches)
        pull_word(d, run, &batches[me], w, &sum);
      else
        pull_word_pattern(d, w, &sum);
    }
    inspected += sum.inspected, found += sum.found;
  }
  total->inspected += inspected, total->found += found;
}

/* Lists the words of x. Also finds the rows that meet x, as the union of the rows of `by_in` at x's entries.
 * It does so if that is less work than to inspect every row that may be written. */
static GrB_Info find_candidates(bits_pull *d) {
  const grid_job *J = d->J;
  const grid_bit_rows *by_in = d->b->by_in;
  const uint64_t in_words = d->b->m->words;
  uint64_t nx = 0, rows = 0;
  d->words = grid_malloc(in_words, sizeof *d->words);
  if (!d->words) return grid_fail_memory(NULL, "rows of bits", in_words, sizeof *d->words);
  for (uint64_t w = 0; w < in_words; w++) {
    if (J->xbits && !J->xbits[w]) continue;
    d->words[d->n++] = (uint32_t)w;
    nx += J->xbits ? grid_popcount(J->xbits[w]) : 64;
  }
  for (uint64_t w = d->b->first; w < grid_words(J->ny); w += d->b->step)
    rows += grid_popcount(open_rows(d, w));
  if (!J->xbits || nx * by_in->words > rows * (d->b->first_hit ? CANDIDATES_COST_WORDS : d->n))
    return GrB_SUCCESS;
  uint64_t *c = d->candidates = grid_calloc(by_in->words, 8);
  if (!c) return grid_fail_memory(NULL, "rows of bits", by_in->words, 8);
  for (uint64_t e = 0; e < d->n; e++)
    for (uint64_t bits = J->xbits[d->words[e]]; bits; bits &= bits - 1) {
      const uint64_t *row = grid_bit_row(by_in, 64 * d->words[e] + grid_low_bit(bits));
      for (uint64_t k = 0; k < by_in->words; k++) c[k] |= row[k];
    }
  return GrB_SUCCESS;
}

/* Room for a batch a thread. */
static GrB_Info make_batches(const bits_pull *d, int threads, batch **batches, uint32_t **idx) {
  *batches = grid_calloc((size_t)threads, sizeof **batches);
  *idx = grid_malloc((size_t)threads * d->capacity, sizeof **idx);
  if (!*batches || !*idx) return grid_fail_memory(NULL, "entries of bit rows", d->capacity, 4);
  for (int k = 0; k < threads; k++) (*batches)[k].idx = *idx + (size_t)k * d->capacity;
  return GrB_SUCCESS;
}

GrB_Info grid_pull_bits(grid_job *J, const grid_bits_job *b, bool structural) {
  const bool inside = J->ny * b->m->words / b->step < PARALLEL_WORDS || omp_in_parallel();
  const int threads = inside ? 1 : omp_get_max_threads();
  bits_pull d = {.J = J, .b = b, .structural = structural};
  uint32_t *idx = NULL;
  batch *batches = NULL;
  char *workspace = NULL;
  grid_product_run run = {.workspace = 0};
  grid_tally sum = {.inspected = 0};
  GrB_Info info;
  TRY(find_candidates(&d));
  if (!structural) {
    run = grid_prepare_product_run(J, false);
    d.capacity = b->first_hit ? 64 + b->m->cols : b->m->cols + BATCH_ENTRIES;
    TRY(make_batches(&d, threads, &batches, &idx));
    if (run.workspace && !(workspace = grid_malloc((size_t)threads, run.workspace)))
      TRY(grid_fail_memory(NULL, "workspace for operands", (size_t)threads, run.workspace));
  }
  pull_words(&d, &run, batches, workspace, threads, &sum);
  J->inspected += sum.inspected;
  J->found += sum.found;
  grid_jit_add_work(run.jit_kernel, sum.inspected);
done:
  grid_free(d.candidates);
  grid_free(d.words);
  grid_free(idx);
  grid_free(batches);
  grid_free(workspace);
  return info;
}
