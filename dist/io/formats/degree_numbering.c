/* See degree_numbering.h. */
#include "dist/io/formats/degree_numbering.h"

#include <string.h>

#include "semiring/support/mem.h"

/* Counts saturate here, with a margin since each thread may overshoot by one. Vertices of so many edges
 * come first anyway. */
static const uint32_t most_counted = UINT32_MAX - 65536;

/* counts per message */
enum { PREFIX_SUM_BLOCK = 1 << 24 };

typedef struct {
  uint32_t *count;
  const grid_id_set *names;
} counting;

static void count_end(const counting *c, uint64_t v) {
  uint32_t *n = &c->count[c->names ? grid_id_set_rank(c->names, v) : v];
  if (__atomic_load_n(n, __ATOMIC_RELAXED) < most_counted) __atomic_fetch_add(n, 1, __ATOMIC_RELAXED);
}

static GrB_Info count_ends(void *context, const uint64_t *key, const double *val, uint64_t n) {
  const counting *c = context;
  (void)val;
#pragma omp parallel for schedule(static) num_threads(grid_ctx.threads) if (n > 4096)
  for (uint64_t k = 0; k < n; k++) {
    count_end(c, key[k] >> 32);
    count_end(c, key[k] & UINT32_MAX);
  }
  return GrB_SUCCESS;
}

static void add_counts(void *to, const void *from, size_t bytes, void *context) {
  uint32_t *z = to;
  const uint32_t *x = from;
  (void)context;
  for (size_t k = 0; k < bytes / sizeof *z; k++)
    z[k] = z[k] < most_counted && x[k] < most_counted - z[k] ? z[k] + x[k] : most_counted;
}

/* ---- sorting ---- */

enum { BITS = 11, DIGITS = 1 << BITS };

/* One pass of a stable radix sort: vertices by a digit of their counts, descending. */
static void sort_by_digit(uint32_t *to, const uint32_t *from, const uint32_t *count, uint64_t n, int shift) {
  uint64_t start[DIGITS + 1] = {0};
  for (uint64_t v = 0; v < n; v++) start[DIGITS - (count[v] >> shift & (DIGITS - 1))]++;
  for (int d = 0; d < DIGITS; d++) start[d + 1] += start[d];
  for (uint64_t k = 0; k < n; k++)
    to[start[DIGITS - 1 - (count[from[k]] >> shift & (DIGITS - 1))]++] = from[k];
}

/* Sorts into d->order; d->rank is scratch. */
static void sort(grid_by_degree *d, const uint32_t *count, uint64_t n) {
  uint32_t most = 0;
  for (uint64_t v = 0; v < n; v++) {
    d->order[v] = (uint32_t)v;
    if (count[v] > most) most = count[v];
  }
  for (int shift = 0; shift < 32 && most >> shift; shift += BITS) {
    sort_by_digit(d->rank, d->order, count, n, shift);
    uint32_t *const sorted = d->rank;
    d->rank = d->order;
    d->order = sorted;
  }
}

void grid_by_degree_free(grid_by_degree *d) {
  grid_free(d->rank);
  grid_free(d->order);
  *d = (grid_by_degree){0};
}

GrB_Info grid_by_degree_make(grid_by_degree *d, grid_tuple_buffer *u, const grid_id_set *names, uint64_t n) {
  counting c = {.count = grid_calloc(n, sizeof *c.count), .names = names};
  GrB_Info info = GrB_SUCCESS;
  *d = (grid_by_degree){grid_malloc(n, sizeof *d->rank), grid_malloc(n, sizeof *d->order)};
  if (!c.count || !d->rank || !d->order) info = grid_fail_memory(NULL, "the order of vertices", n, 12);
  if (info == GrB_SUCCESS) info = grid_tuple_buffer_visit(u, count_ends, &c);
  TRY(grid_agree(NULL, info));
  for (uint64_t at = 0, batch; at < n && grid_ctx.P > 1; at += batch) {
    batch = n - at < PREFIX_SUM_BLOCK ? n - at : PREFIX_SUM_BLOCK;
    TRY(grid_ctx.transport->allreduce_with(GRID_SET_ALL, c.count + at, batch * sizeof *c.count, add_counts,
                                           NULL));
  }
  sort(d, c.count, n);
#pragma omp parallel for schedule(static) num_threads(grid_ctx.threads)
  for (uint64_t k = 0; k < n; k++) d->rank[d->order[k]] = (uint32_t)k;
done:
  grid_free(c.count);
  if (info != GrB_SUCCESS) grid_by_degree_free(d);
  return info;
}
