/* Runs a product's range functions on all threads; they contain no OpenMP themselves.
 *
 * Pull: words of rows are scheduled dynamically. Push under ANY: the edges of the frontier are divided into
 * equal segments, whatever the degrees; the thread that sets an output's bit writes its value. Push under
 * another monoid: through bins (product_bins.h), or every thread takes the edges to its own range of outputs,
 * so that sums do not depend on the number of threads. */
#include <omp.h>
#include <string.h>

#include "semiring/support/tuning.h"
#include "spmat/backend.h"
#include "spmat/cpu/product/overlapped.h"
#include "spmat/cpu/product/cpu_product.h"
#include "spmat/cpu/product/product_bins.h"
#include "spmat/cpu/product/product_degree_ordered.h"
#include "spmat/cpu/rows/row_shares.h"
#include "spmat/vector/bitmap_words.h"

enum {
  PULL_WORDS = 256,       /* words of rows a thread takes at a time, in the mean, at most, */
  POLLED_WORDS = 16,      /* where the calling thread polls in between, or a mask may allow few of them; */
  PULL_ENTRIES = 1 << 15, /* fewer entries in few rows: one thread; */
  STOPPED_ENTRIES = 8,    /* of a row whose sum stops early so many are counted */
  PULL_CACHED_BYTES = 16 << 20, /* more bytes of entries: they are prefetched */
  PUSH_EDGES = 4096,            /* edges a thread takes at a time */
  PARALLEL_EDGES = 1 << 13,     /* fewer edges: one thread */
  WORKSPACE_CACHE_LINES =
      256, /* separates the threads' workspaces, written at every product, into different cache lines */
  PUSH_OWNERS = 32 /* most threads of an ordered push without bins: each reads every vector */
};

bool grid_pull_inspected(uint64_t rows) {
  return grid_words(rows) > grid_tune.pull_serial_words && omp_get_max_threads() > 1;
}

static void poll_caller(const grid_job *J) {
  if (J->poll && omp_get_thread_num() == 0) J->poll(J->with);
}

/* The operand of the multiplier that comes from the matrix. */
static GrB_Type a_operand(const grid_job *J) {
  return J->flip ? J->s->mul->y : J->s->mul->x;
}
static bool uses_a_values(const grid_job *J) {
  return J->flip ? J->s->mul->uses_y : J->s->mul->uses_x;
}
static bool uses_x_values(const grid_job *J) {
  return J->flip ? J->s->mul->uses_x : J->s->mul->uses_y;
}

/* Predefined operators by arrays. False: some operator has no loop, or the arrays' values are too large. */
static bool use_arrays(grid_product_run *d, const grid_job *J) {
  const GrB_BinaryOp mul = J->s->mul;
  const GrB_Monoid add = J->s->add;
  const grid_sums *sums = grid_find_sums(add);
  if (!sums || !mul->loop || (uses_a_values(J) && !grid_type_is_real(J->a_type))) return false;
  d->calls.arrays = (grid_array_calls){.mul = mul->loop,
                                       .sums = sums,
                                       .a_type = J->a_type,
                                       .a_operand = a_operand(J),
                                       .x_size = J->x_step,
                                       .terminal = grid_monoid_can_stop_early(add) ? add->terminal : NULL,
                                       .uses_a_values = uses_a_values(J),
                                       .uses_x_values = uses_x_values(J),
                                       .flip = J->flip,
                                       .any = add->any};
  d->kernels = &grid_array_ranges;
  d->workspace = grid_array_workspace;
  return true;
}

/* Calls through function pointers, with room for a product and a cast operand, aligned for every type. */
static void use_pointers(grid_product_run *d, const grid_job *J) {
  const GrB_BinaryOp mul = J->s->mul;
  grid_pointer_calls *c = &d->calls.pointers;
  *c = (grid_pointer_calls){.mul = mul->f,
                            .add = J->s->add->op->f,
                            .terminal = J->s->add->terminal,
                            .z_size = mul->z->size,
                            .a_step = J->a_type->size,
                            .x_step = J->x_step,
                            .flip = J->flip,
                            .any = J->s->add->any};
  if (uses_a_values(J) && a_operand(J) != J->a_type) {
    c->cast = grid_cast(a_operand(J), J->a_type);
    c->a_size = a_operand(J)->size;
  }
  size_t largest = c->z_size > c->a_size ? c->z_size : c->a_size;
  d->kernels = &grid_pointer_ranges;
  d->workspace = (2 * largest + WORKSPACE_CACHE_LINES - 1) / WORKSPACE_CACHE_LINES *
                 WORKSPACE_CACHE_LINES; /* halves are aligned for every type */
}

grid_product_run grid_prepare_product_run(const grid_job *J, bool structural) {
  grid_product_run d = {.j = {.ptr = J->m->ptr,
                              .offsets64 = J->m->offsets64,
                              .idx = J->m->idx,
                              .hub_neighbor = J->m->hub_neighbor,
                              .nonempty = J->m->nonempty,
                              .a = J->a,
                              .x = J->x,
                              .a_and = J->a_step ? ~UINT64_C(0) : 0,
                              .x_and = J->x_step ? ~UINT64_C(0) : 0,
                              .xbits = J->xbits,
                              .xlist = J->xlist,
                              .nx = J->nx,
                              .x_packed = J->x_packed,
                              .mask = J->mask,
                              .mask_invert = J->mask_complement ? ~UINT64_C(0) : 0,
                              .ny = J->ny,
                              .ybits = J->ybits,
                              .y = J->y,
                              .table = J->index_map.table,
                              .base = J->index_map.base,
                              .q = J->index_map.q,
                              .stride = J->index_map.stride,
                              .offset = J->index_map.offset,
                              .segments = J->index_map.segments,
                              .from = J->index_map.from,
                              .to = J->index_map.to}};
  if (J->index_map.axis) {
    d.j.ids = J->index_map.axis->ids;
    d.j.ids64 = grid_axis_has_ids64(J->index_map.axis);
  }
  d.kernels = structural ? &grid_kernels_structural : grid_find_ranges(J);
  if (!d.kernels) d.kernels = grid_jit_product_kernels(J, &d.jit_kernel);
  d.any = structural || (d.kernels && J->s->add->any);
  if (!d.kernels && !use_arrays(&d, J)) use_pointers(&d, J);
  return d;
}

/* The threads' workspaces. */
static GrB_Info allocate_workspace(const grid_product_run *d, int threads, char **workspace) {
  *workspace = NULL;
  if (!d->workspace) return GrB_SUCCESS;
  *workspace = grid_malloc((size_t)threads, d->workspace);
  return *workspace ? GrB_SUCCESS
                    : grid_fail_memory(NULL, "workspace for operands", (size_t)threads, d->workspace);
}

static uint64_t min_u64(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

/* Entries that are read in the rows that the mask allows, if they have the mean degree. */
static uint64_t estimate_pull_entries(const grid_job *J) {
  const uint64_t entries = grid_vector_start(J->m, J->ny) - grid_vector_start(J->m, 0);
  if (entries < PULL_ENTRIES) return entries;
  uint64_t allowed = J->mask ? 0 : J->ny, read = entries / J->ny + 1;
  for (uint64_t w = 0; J->mask && w < grid_words(J->ny); w++)
    allowed += grid_popcount(J->mask_complement ? ~J->mask[w] : J->mask[w]);
  if (grid_monoid_can_stop_early(J->s->add)) read = min_u64(read, STOPPED_ENTRIES);
  return read * allowed;
}

/* One thread pulls few rows, unless it reads many entries. */
static int pull_threads(const grid_job *J, bool any) {
  if (grid_pull_inspected(J->ny)) return omp_get_max_threads();
  return any || estimate_pull_entries(J) < PULL_ENTRIES ? 1 : omp_get_max_threads();
}

/* Are the entries that a pull reads too many for the caches? */
static bool exceeds_caches(const grid_job *J) {
  const uint64_t entries = grid_vector_start(J->m, J->ny) - grid_vector_start(J->m, 0);
  const uint64_t bytes = sizeof *J->m->idx + (uses_a_values(J) ? J->a_step : 0);
  return entries * bytes > PULL_CACHED_BYTES;
}

static GrB_Info pull(grid_job *J, bool structural) {
  grid_product_run d = grid_prepare_product_run(J, structural);
  const uint64_t words = grid_words(J->ny);
  const int threads = pull_threads(J, d.any);
  const uint64_t shares = grid_row_shares(words, J->poll || J->mask ? POLLED_WORDS : PULL_WORDS, threads);
  uint64_t inspected = 0, found = 0;
  grid_degree_order_x x = {0};
  char *workspace;
  GrB_Info info = allocate_workspace(&d, threads, &workspace);
  if (info != GrB_SUCCESS) return info;
  d.j.calls = &d.calls;
  d.j.prefetch = exceeds_caches(J);
  if (J->x_positions)
    d.j.idx = J->x_positions;
  else if (!d.any)
    grid_degree_order_begin(J, &d.j, &x);
  if (grid_is_serial(threads)) {
    grid_tally sum = {.workspace = workspace, .workspace_size = d.workspace};
    d.kernels->pull(&d.j, 0, words, &sum);
    inspected = sum.inspected, found = sum.found;
  } else {
#pragma omp parallel num_threads(threads) reduction(+ : inspected, found)
    {
      grid_tally sum = {.workspace = workspace + (size_t)omp_get_thread_num() * d.workspace,
                        .workspace_size = d.workspace};
#pragma omp for schedule(dynamic, 1)
      for (uint64_t k = 0; k < shares; k++) {
        d.kernels->pull(&d.j, grid_row_share_start(J->m, J->ny, k, shares),
                        grid_row_share_start(J->m, J->ny, k + 1, shares), &sum);
        poll_caller(J);
      }
      inspected += sum.inspected;
      found += sum.found;
    }
  }
  grid_degree_order_end(&x);
  grid_free(workspace);
  J->inspected += inspected;
  J->found += found;
  grid_jit_add_work(d.jit_kernel, inspected);
  return GrB_SUCCESS;
}

static uint64_t count_edges(const grid_compressed *m, const uint32_t *list, uint64_t from, uint64_t to) {
  uint64_t sum = 0;
  for (uint64_t f = from; f < to; f++) {
    const uint64_t k = list ? list[f] : f;
    sum += grid_vector_start(m, k + 1) - grid_vector_start(m, k);
  }
  return sum;
}

/* s[f] for from <= f < to, from being `edges`; returns the sum after them. */
static uint64_t write_starts(const grid_job *J, uint64_t *s, uint64_t from, uint64_t to, uint64_t edges) {
  for (uint64_t f = from; f < to; f++) {
    s[f] = edges;
    edges += count_edges(J->m, J->xlist, f, f + 1);
  }
  return edges;
}

/* start[f] = edges of the vectors before the f-th of the list. */
static GrB_Info edge_starts(const grid_job *J, uint64_t **start) {
  const uint64_t n = J->nx;
  const int threads = grid_work_threads(n);
  uint64_t *s = *start = grid_malloc(n + 1, sizeof *s);
  if (!s) return grid_fail_memory(NULL, "edges of the frontier", n + 1, sizeof *s);
  if (grid_is_serial(threads)) {
    s[n] = write_starts(J, s, 0, n, 0);
    return GrB_SUCCESS;
  }
#pragma omp parallel num_threads(threads)
  {
    const uint64_t id = grid_thread(), all = grid_threads(), from = n * id / all, to = n * (id + 1) / all;
    uint64_t edges = 0;
    s[to] = count_edges(J->m, J->xlist, from, to);
#pragma omp barrier
    for (uint64_t t = 0; t < id; t++) edges += s[n * (t + 1) / all];
#pragma omp barrier
    edges = write_starts(J, s, from, to, edges);
    if (to == n) s[n] = edges;
  }
  return GrB_SUCCESS;
}

static uint64_t push_edges(const grid_product_run *d, uint64_t edges, int threads) {
  uint64_t found = 0;
  if (grid_is_serial(threads)) {
    grid_tally sum = {0};
    if (edges) d->kernels->push(&d->j, 0, edges, &sum);
    return sum.found;
  }
#pragma omp parallel num_threads(threads) reduction(+ : found)
  {
    grid_tally sum = {0};
#pragma omp for schedule(dynamic, 1)
    for (uint64_t from = 0; from < edges; from += PUSH_EDGES)
      d->kernels->push(&d->j, from, min_u64(from + PUSH_EDGES, edges), &sum);
    found += sum.found;
  }
  return found;
}

/* Ranges of whole words: threads share none. */
static uint64_t push_owned(const grid_product_run *d, char *workspace, int threads) {
  const uint64_t words = grid_words(d->j.ny);
  uint64_t found = 0;
  if (grid_is_serial(threads)) {
    grid_tally sum = {.workspace = workspace, .workspace_size = d->workspace};
    d->kernels->push(&d->j, 0, words, &sum);
    return sum.found;
  }
#pragma omp parallel num_threads(threads) reduction(+ : found)
  {
    uint64_t me = (uint64_t)omp_get_thread_num(), team = (uint64_t)omp_get_num_threads();
    grid_tally sum = {.workspace = workspace + me * d->workspace, .workspace_size = d->workspace};
    d->kernels->push(&d->j, words * me / team, words * (me + 1) / team, &sum);
    found += sum.found;
  }
  return found;
}

static GrB_Info push(grid_job *J, bool structural) {
  grid_product_run d = grid_prepare_product_run(J, structural);
  int threads = J->push_edges < PARALLEL_EDGES ? 1 : omp_get_max_threads();
  const bool binned = !d.any && grid_push_uses_bins(J, threads);
  uint64_t *start = NULL;
  char *workspace = NULL;
  GrB_Info info;
  d.j.calls = &d.calls;
  if (d.any) {
    d.j.serial = threads == 1;
    TRY(edge_starts(J, &start));
    d.j.start = start;
    J->found += push_edges(&d, start[J->nx], threads);
  } else if (binned) {
    TRY(edge_starts(J, &start));
    TRY(grid_push_bins(J, start, threads));
  } else {
    if (threads > PUSH_OWNERS) threads = PUSH_OWNERS;
    TRY(allocate_workspace(&d, threads, &workspace));
    J->found += push_owned(&d, workspace, threads);
  }
  J->inspected += J->push_edges;
  if (!binned) grid_jit_add_work(d.jit_kernel, J->push_edges);
done:
  grid_free(start);
  grid_free(workspace);
  return info;
}

uint64_t grid_push_edges(const grid_compressed *m, const uint32_t *list, uint64_t n) {
  const int threads = grid_work_threads(n);
  uint64_t sum = 0;
  if (grid_is_serial(threads)) return count_edges(m, list, 0, n);
#pragma omp parallel num_threads(threads) reduction(+ : sum)
  {
    const uint64_t id = grid_thread(), all = grid_threads();
    sum += count_edges(m, list, n * id / all, n * (id + 1) / all);
  }
  return sum;
}

static GrB_Info pull_values(grid_job *J) {
  return pull(J, false);
}
static GrB_Info push_values(grid_job *J) {
  return push(J, false);
}
static GrB_Info pull_structural(grid_job *J) {
  return pull(J, true);
}
static GrB_Info push_structural(grid_job *J) {
  return push(J, true);
}

const grid_kernels *grid_cpu_product_kernels(const grid_job *J, bool structural) {
  static const grid_kernels of_values = {pull_values, push_values},
                            of_patterns = {pull_structural, push_structural};
  (void)J;
  return structural ? &of_patterns : &of_values;
}
