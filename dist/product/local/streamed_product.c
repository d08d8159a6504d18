/* See streamed_product.h. Chooses the pages that a product needs and how they are read
 * (docs/how/outofcore.md). Kernels read them in place in host memory, or they are sent to the device
 * (streamed_transfer.h), by the device alone or together with the CPU. */
#include "dist/product/local/streamed_product.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "dist/matrix/storage/matrix_host_resident.h"
#include "dist/product/local/streamed_cpu.h"
#include "dist/product/local/streamed_cpu_share.h"
#include "dist/product/local/streamed_transfer.h"
#include "semiring/support/mem.h"
#include "semiring/support/tuning.h"
#include "spmat/backend.h"
#include "spmat/cpu/product/overlapped.h"

/* ---- which pages ---- */

/* The bitmap of the pages' rows (columns) that hold entries. NULL: it is not known, since several processes
 * share them and the bitmaps are those of the whole matrix. */
static const uint64_t *find_nonempty(const grid_page_stream *x) {
  const grid_product *p = x->p;
  const bool whole = grid_set_size(p->choice.pull ? p->out.set : p->in.set) == 1;
  return !whole                             ? NULL
         : p->choice.pull == !p->transposed ? p->A->degrees.device_row_nonempty
                                            : p->A->degrees.device_col_nonempty;
}

/* x->need = the pages with nonempty rows (columns) that the mask allows (a pull) or x has (a push). */
static GrB_Info find_needed_pages(grid_page_stream *x) {
  const grid_product *p = x->p;
  const grid_host_pages *g = x->g;
  const uint64_t *bits = p->choice.pull ? x->mask->bits : x->in->bits, *nonempty = find_nonempty(x);
  const bool complement = p->choice.pull && x->mask->complement;
  if (!nonempty && complement) bits = NULL;
  if (!nonempty) nonempty = bits;
  uint32_t *count = bits ? grid_calloc(g->n, sizeof *count) : NULL;
  GrB_Info info = GrB_SUCCESS;
  x->need = grid_malloc(g->n, sizeof *x->need);
  if (!x->need || (bits && !count)) TRY(grid_fail_memory(NULL, "needed pages", g->n, sizeof *x->need));
  if (bits) TRY(grid_cuda->paging->count_edges(count, bits, complement, nonempty, g->bounds, g->n));
  for (uint64_t k = 0; k < g->n; k++)
    if (!bits || count[k]) x->need[x->n++] = (uint32_t)k;
  x->all = x->n;
done:
  grid_free(count);
  return info;
}

/* ---- in place ---- */

/* Bytes that cross the link for one access to host memory. */
enum { GRANULE = 64 };

/* Estimate of the bytes that cross the link if the kernel reads the block in host memory. It is small in a
 * pull in which most rows have a hit at their hub neighbor, which is on the device, and in a push of few
 * inputs. */
static uint64_t bytes_in_place(const grid_page_stream *x) {
  const grid_product *p = x->p;
  const uint64_t P = (uint64_t)grid_ctx.P; /* counts are the whole grid's */
  if (p->choice.pull)
    return (uint64_t)((double)p->n.allowed_nonempty * x->g->in_place.beyond_first_share * GRANULE) / P;
  return (p->n.nx * GRANULE + p->n.edges * (sizeof(uint32_t) + x->g->value)) / P;
}

/* Bytes that cross if the needed pages that are not cached on the device are sent. */
static uint64_t bytes_to_send(const grid_page_stream *x) {
  uint64_t sum = 0;
  for (uint64_t i = 0; i < x->n; i++)
    if (!x->g->page[x->need[i]].cached) sum += grid_host_page_bytes(x->g, x->need[i]);
  return sum;
}

/* *yes: reading in place is possible and moves fewer bytes. */
static GrB_Info choose_in_place(grid_page_stream *x, bool *yes) {
  const grid_product *p = x->p;
  const bool may = grid_tune.zero_copy && (p->choice.pull ? grid_has_early_exit(p) : x->in->bits != NULL);
  const uint64_t read = may ? bytes_in_place(x) : 0, sent = may ? bytes_to_send(x) : 0;
  *yes = read < sent;
  if (!*yes) return GrB_SUCCESS;
  GrB_Info info = grid_host_pages_register(x->g, x->m, p->choice.pull, sent - read);
  *yes = x->g->in_place.m.ptr && (!p->choice.pull || x->g->in_place.m.hub_neighbor);
  return info;
}

/* Statistics: an inspected entry after the hub neighbor moves up to a granule. */
static void count_in_place(grid_page_stream *x, const grid_job *J) {
  const grid_product *p = x->p;
  grid_pages_in_place *in_place = &x->g->in_place;
  x->p->stats.inspected += J->inspected;
  x->y->found = J->found;
  if (!p->choice.pull) {
    x->g->sent += J->inspected * (sizeof(uint32_t) + x->g->value) + p->n.nx * GRANULE;
    return;
  }
  const uint64_t rows = p->n.allowed_nonempty / (uint64_t)grid_ctx.P,
                 beyond = J->inspected > rows ? J->inspected - rows : 0;
  x->g->sent += beyond * GRANULE;
  if (rows) in_place->beyond_first_share = (double)beyond / (double)rows;
}

static GrB_Info run_in_place(grid_page_stream *x) {
  grid_product *p = x->p;
  grid_job J = grid_product_job(p, &p->A->block, p->transposed, p->choice.pull, x->in, x->mask, x->where);
  J.m = &x->g->in_place.m;
  if (J.a_step) J.a = J.m->val;
  J.push_edges = p->n.edges;
  J.ny = x->y->n, J.ybits = x->y->bits, J.y = x->y->val;
  const grid_kernels *kernels = grid_cuda->kernels(&J, p->values.structural);
  x->g->busy = 0; /* none of its memory may be freed meanwhile */
  GrB_Info info = p->choice.pull ? kernels->pull(&J) : kernels->push(&J);
  x->g->busy = x->g->n;
  if (info == GrB_SUCCESS) count_in_place(x, &J);
  return info;
}

/* ---- with the CPU ---- */

/* The CPU gets the last pages, as many as streamed_cpu_share.h says. The device always has some pages queued
 * ahead; the calling thread queues more of them between two parts of its own work. */

/* Is the work large enough for two? */
static bool is_cpu_worthwhile(const grid_page_stream *x) {
  enum { PAGES = 8 };
  return x->n >= PAGES && bytes_to_send(x) >= grid_tune.cpu_pages_min_bytes && omp_get_max_threads() > 1;
}

/* How many pages the CPU gets; *costs: where its times are recorded, or NULL. */
static uint64_t cpu_share(const grid_page_stream *x, grid_page_costs **costs) {
  const uint64_t ratio = grid_tune.cpu_page_ratio;
  *costs = NULL;
  if (ratio == GRID_TUNE_NEVER || x->n < 2 || !grid_pages_cpu_can_run(x->p, x->m)) return 0;
  if (ratio) return x->n > ratio ? x->n / (ratio + 1) : 1;
  if (is_cpu_worthwhile(x)) *costs = grid_page_costs_find(x->p, x->mask->bits != NULL);
  return *costs ? grid_pages_cpu_share(*costs, x->n) : 0;
}

/* For queueing the device's pages while the CPU multiplies. */
typedef struct {
  grid_page_stream *x;
  double polled_at,
      done; /* times of the last poll, and of the first at which the device had no work left (or 0) */
  GrB_Info info;
} prefetch_context;

/* Queues more of the device's pages. */
static void prefetch_while_waiting(void *with) {
  enum { PER_SECOND = 10000 };
  prefetch_context *m = with;
  grid_page_stream *x = m->x;
  const double now = omp_get_wtime();
  if (m->done > 0 || m->info != GrB_SUCCESS || (now - m->polled_at) * PER_SECOND < 1) return;
  m->polled_at = now;
  m->info = grid_stream_prefetch(x, GRID_PAGES_PREFETCH);
  if (x->done == x->in_queue && grid_cuda->paging->count_pending() == 0) m->done = now;
}

static GrB_Info run_device_only(grid_page_stream *x, grid_page_costs *costs) {
  const double begun = omp_get_wtime();
  GrB_Info info = grid_stream_prefetch(x, UINT64_MAX);
  if (!costs || info != GrB_SUCCESS) return info;
  info = grid_device_wait();
  costs->device_page = (omp_get_wtime() - begun) / (double)x->n;
  return info;
}

static GrB_Info run_with_cpu(grid_page_stream *x, uint64_t pages, grid_page_costs *costs) {
  enum { FIRST = 16 }; /* pages queued before the CPU begins: queueing one takes some 20 us */
  const uint64_t all = x->in_queue;
  grid_pages_cpu c;
  const double begun = omp_get_wtime();
  prefetch_context m = {.x = x};
  GrB_Info info = GrB_SUCCESS;
  info = grid_pages_cpu_begin(&c, x->p, x->g, x->m, x->in, x->mask, x->where, x->y);
  if (info == GrB_OUT_OF_MEMORY) { /* the device alone needs none of that memory */
    if (costs) costs->refused = true;
    return run_device_only(x, NULL);
  }
  TRY(info);
  x->n -= pages;
  const uint64_t border = grid_pages_cpu_first_row(&c, x->need[x->n]);
  grid_stream_set_limit(x, border);
  TRY(grid_stream_prefetch(x, grid_pull_inspected(c.to - border) ? FIRST : GRID_PAGES_PREFETCH));
  TRY(grid_pages_cpu_wait());
  const double before = omp_get_wtime();
  TRY(grid_pages_cpu_pull(&c, border, prefetch_while_waiting, &m));
  TRY(m.info);
  const double after = omp_get_wtime();
  TRY(grid_pages_cpu_upload(&c));
  TRY(grid_stream_prefetch(x, UINT64_MAX));
  prefetch_while_waiting(&m);
  TRY(grid_pages_cpu_wait());
  TRY(grid_device_wait());
  if (costs) {
    const uint64_t back = x->in_queue - all; /* pages on the border, which the device reads, too */
    grid_page_costs_update(costs,
                           &(grid_page_timings){.device_pages = x->n + back,
                                                .cpu_pages = border < c.to && back < pages ? pages - back : 0,
                                                .device = (m.done > 0 ? m.done : omp_get_wtime()) - begun,
                                                .cpu = after - before,
                                                .before = before - begun});
  }
done:
  return info;
}

static GrB_Info run_stream(grid_page_stream *x) {
  grid_page_costs *costs;
  const uint64_t cpu = cpu_share(x, &costs), needed = x->n;
  const double begun = omp_get_wtime();
  grid_output *y = x->y;
  GrB_Info info = GrB_SUCCESS;
  if (costs && !cpu && !grid_pages_device_only_first(costs)) costs = NULL; /* this product is not measured */
  TRY(grid_stream_open(x));
  TRY(grid_cuda->paging->begin());
  TRY(cpu ? run_with_cpu(x, cpu, costs) : run_device_only(x, costs));
  if (costs) grid_page_costs_record(costs, needed, cpu > 0, omp_get_wtime() - begun);
  TRY(grid_cuda->chunks->combine(NULL, y->bits, NULL, GRID_AND, y->n, &y->found));
done:
  if (info != GrB_SUCCESS) (void)grid_cuda->paging->end(); /* the first error is returned */
  grid_stream_close(x);
  return info;
}

GrB_Info grid_run_device_pages(grid_product *p, const grid_input *in, const grid_kernel_mask *mask,
                               grid_index_map where, grid_output *y) {
  grid_page_stream x = {.p = p, .in = in, .mask = mask, .where = where, .y = y};
  const bool by_rows = p->choice.pull != p->transposed; /* a pull of A, or a push of its transpose */
  bool in_place;
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_block_pages(&x.g, p->A, by_rows));
  x.m = by_rows ? &p->A->block.by_row : &p->A->block.by_col;
  x.limit = x.g->vectors;
  TRY(find_needed_pages(&x));
  TRY(choose_in_place(&x, &in_place));
  TRY(in_place ? run_in_place(&x) : run_stream(&x));
done:
  grid_free(x.need);
  return info;
}
