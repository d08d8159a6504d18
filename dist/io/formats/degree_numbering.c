/* See degree_numbering.h. */
#include "dist/io/formats/degree_numbering.h"

#include <string.h>

#include "semiring/support/mem.h"
#include "spmat/sort/sort_by_count.h"

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
  grid_sort_by_count(d->order, d->rank, c.count, n);
#pragma omp parallel for schedule(static) num_threads(grid_ctx.threads)
  for (uint64_t k = 0; k < n; k++) d->rank[d->order[k]] = (uint32_t)k;
done:
  grid_free(c.count);
  if (info != GrB_SUCCESS) grid_by_degree_free(d);
  return info;
}
