/* Streams pages through memory: some are read while earlier ones are decoded and used. */
#include <omp.h>

#include "dist/outofcore/file/memory_budget.h"
#include "dist/outofcore/pages/page_cache.h"
#include "dist/outofcore/pages/page_decode.h"
#include "semiring/support/mem.h"
#include "semiring/support/tuning.h"
#include "spmat/vector/bits.h"
#include "semiring/threads/context_section.h"

/* Entries that one request reads. A gap between wanted pages is read along where it has fewer bytes than the
 * disk delivers in a request's latency. */
enum { MAX_ENTRIES = 1 << 20, MAX_GAP = 32 << 10 };

/* Buffers for so many runs of maximum size: one is used while the others are read. With a stream per
 * thread each has fewer. Of short runs up to SLOTS are in flight. */
enum { BUFFERS = 4, BUFFERS_APART = 3, SLOTS = 12 };

/* Small requests are split into so many runs nevertheless, of at least so many bytes. */
enum { RUNS = 8, MIN_RUN_BYTES = 1 << 17 };

/* With a set budget, the read size is limited to this fraction of it, and at least MIN_BATCH_BYTES. */
enum { MIN_BATCH_BYTES = 1 << 18, SHARE_TOGETHER = 32 };

/* Parallel streams split the pages into so many ranges per thread, for load balance; a range has at least
 * so many reads. */
enum { SHARES_PER_THREAD = 24, READS_PER_SHARE = 4 };

/* A FIFO allocator for the runs' buffers: used bytes are between tail and head, or, wrapped, before head
 * and behind tail. */
typedef struct {
  char *all;
  uint64_t bytes, head, tail, used;
} ring;

/* Shared by all threads of a stream. */
typedef struct {
  grid_pages *g;
  const uint64_t *wanted;
  uint64_t batch_size;
  uint64_t run_bytes;        /* maximum bytes of a run */
  grid_page_decoder decoder; /* each thread has a copy */
  grid_page_range whole;     /* the range of all pages */
  const grid_page_range *x;  /* all ranges */
  uint64_t n;
  uint64_t turn; /* the next range to take; incremented atomically */
  bool stop;     /* set after a failure */
} plan;

/* A thread's state. */
typedef struct {
  plan *p;
  grid_pages *g;
  const grid_page_range *x; /* the range whose runs are planned; NULL: none yet */
  uint64_t next;            /* the next page to plan */
  grid_page_slot planned;   /* a planned run that lacked buffer space */
  bool has_planned;         /* `planned` is valid */
  ring buffers;
  grid_page_slot slots[SLOTS];
  grid_page_decoder decoder;
} stream;

/* ---- planning reads ---- */

static bool is_page_marked(const plan *p, uint64_t k) {
  return !p->wanted || grid_bit(p->wanted, k);
}

/* The next run of pages in a range; false: none is left. */
static bool next_run(stream *s, grid_page_run *r) {
  const grid_page *page = s->g->page;
  const uint64_t n = s->x->b;
  while (s->next < n && !is_page_marked(s->p, s->next)) s->next++;
  if (s->next == n) return false;
  r->a = s->next++;
  r->b = s->next;
  r->cached = grid_page_cache_get(s->g, r->a) != NULL;
  for (uint64_t k = s->next; k < n; k++) {
    if ((grid_page_cache_get(s->g, k) != NULL) != r->cached ||
        page[k + 1].at - page[r->a].at > s->p->batch_size ||
        page[k + 1].entry - page[r->a].entry > MAX_ENTRIES || page[k].at - page[r->b].at > MAX_GAP)
      break;
    if (is_page_marked(s->p, k)) r->b = k + 1;
  }
  s->next = r->b;
  return true;
}

static bool next_range(stream *s) {
  plan *p = s->p;
  const uint64_t k = __atomic_fetch_add(&p->turn, 1, __ATOMIC_RELAXED);
  if (k >= p->n) return false;
  s->x = &p->x[k];
  s->next = s->x->a;
  return true;
}

/* Allocates buffer space at the head; NULL: earlier runs must be released first. */
static char *reserve_ring(ring *r, uint64_t bytes) {
  if (!r->used) r->head = r->tail = 0;
  const bool behind = !r->used || r->head > r->tail;
  if (behind && r->bytes - r->head < bytes) {
    if (r->tail < bytes) return NULL;
    r->head = 0;
  } else if (!behind && r->tail - r->head < bytes) {
    return NULL;
  }
  char *buffer = r->all + r->head;
  r->head += bytes;
  r->used += bytes;
  return buffer;
}

/* Releases the oldest run's buffer. */
static void release_ring(ring *r, const grid_read *read) {
  if (!read->bytes) return;
  r->tail = (uint64_t)(read->buffer - r->all) + read->bytes;
  r->used -= read->bytes;
}

/* Plans the next run, of the next range when this one has no more, so that the disk stays busy. False:
 * none is left. */
static bool plan_run(stream *s) {
  if (s->has_planned) return true;
  while (!s->x || !next_run(s, &s->planned.pages))
    if (!next_range(s)) return false;
  s->planned.x = s->x;
  return s->has_planned = true;
}

/* Starts reading the next run into a free slot. False: none is left, or buffer space is lacking. */
static bool begin_run(stream *s, grid_page_slot *to) {
  const grid_page *page = s->g->page;
  if (__atomic_load_n(&s->p->stop, __ATOMIC_RELAXED) || !plan_run(s)) return false;
  const grid_page_run r = s->planned.pages;
  const uint64_t from = page[r.a].at, end = page[r.b].at,
                 bytes = r.cached ? 0 : end - from + 3 * GRID_READ_ALIGNED;
  char *buffer = bytes ? reserve_ring(&s->buffers, bytes) : NULL;
  if (bytes && !buffer) return false;
  *to = (grid_page_slot){.read = {.buffer = buffer, .bytes = bytes}, .pages = r, .x = s->planned.x};
  s->has_planned = false;
  if (bytes) grid_read_start(s->decoder.reads, &to->read, &s->g->store, from, end);
  return true;
}

/* ---- one thread ---- */

static GrB_Info begin_stream(stream *s, plan *p) {
  *s = (stream){.p = p, .g = p->g, .decoder = p->decoder};
  grid_lmat_init(&s->decoder.lmat, p->g->type, 0, 0);
  s->decoder.reads = grid_reads_acquire();
  s->buffers.bytes =
      (p->decoder.is_parallel ? BUFFERS_APART : BUFFERS) * (p->run_bytes + 3 * GRID_READ_ALIGNED);
  s->buffers.all = grid_malloc(s->buffers.bytes, 1);
  if (!s->buffers.all) return grid_fail_memory(NULL, "pages", s->buffers.bytes, 1);
  return GrB_SUCCESS;
}

static void end_stream(stream *s) {
  grid_reads_release(s->decoder.reads);
  grid_page_decoder_free(&s->decoder);
  grid_free(s->buffers.all);
}

static GrB_Info visit_pages(plan *p) {
  stream s;
  GrB_Info info = begin_stream(&s, p);
  int first = 0, begun = 0; /* slots in flight, the oldest first */
  while (info == GrB_SUCCESS) {
    while (begun < SLOTS && begin_run(&s, &s.slots[(first + begun) % SLOTS])) begun++;
    if (!begun) break;
    info = grid_page_slot_use(&s.decoder, &s.slots[first]);
    release_ring(&s.buffers, &s.slots[first].read);
    first = (first + 1) % SLOTS;
    begun--;
  }
  for (; begun; begun--, first = (first + 1) % SLOTS)
    if (s.slots[first].read.in_flight) grid_read_wait(s.decoder.reads, &s.slots[first].read);
  end_stream(&s);
  return info;
}

/* ---- row ranges ---- */

static grid_page_range full_range(const grid_pages *g) {
  return (grid_page_range){.end = g->rows, .b = g->pages, .first = g->first, .last = g->end};
}

/* The range that follows `before`, up to the first row, a multiple of 64, that begins in page k or later.
 * (Page 0 may begin with rows of an earlier process.) */
static grid_page_range range_up_to(const grid_pages *g, const grid_page_range *before, uint64_t k) {
  grid_page_range x = full_range(g);
  x.row = before->end;
  x.first = before->last;
  if (k < g->pages) {
    const grid_page *p = &g->page[k];
    const uint64_t row = p->row - g->lead_rows, split_row = (row + (p->before > 0) + 63) / 64 * 64;
    if (split_row < g->rows) {
      x.end = split_row;
      x.last = p->entry - p->before;
      for (uint64_t r = row; r < split_row; r++) x.last += grid_pages_lengths(g)[r];
    }
  }
  for (x.a = before->b ? before->b - 1 : 0; x.a + 1 < g->pages && g->page[x.a + 1].entry <= x.first;) x.a++;
  for (x.b = x.a; x.first < x.last && x.b < g->pages && g->page[x.b].entry < x.last;) x.b++;
  return x;
}

static uint64_t marked_bytes(const plan *p, uint64_t k) {
  return is_page_marked(p, k) ? p->g->page[k + 1].at - p->g->page[k].at : 0;
}

static uint64_t total_marked_bytes(const plan *p) {
  uint64_t bytes = 0;
  for (uint64_t k = 0; k < p->g->pages; k++) bytes += marked_bytes(p, k);
  return bytes;
}

/* Splits into n ranges of about equal wanted bytes; returns their number, which is smaller if a long row
 * spans several. */
static uint64_t split_ranges(const plan *p, uint64_t bytes, uint64_t n, grid_page_range *x) {
  uint64_t made = 0, sum = 0;
  grid_page_range before = {.last = p->g->first};
  for (uint64_t k = 0; k < p->g->pages && made + 1 < n; k++) {
    if (sum >= bytes / n * (made + 1)) {
      x[made] = range_up_to(p->g, &before, k);
      if (x[made].end > before.end) before = x[made++];
    }
    sum += marked_bytes(p, k);
  }
  x[made++] = range_up_to(p->g, &before, p->g->pages);
  return made;
}

static GrB_Info run_ranges(plan *p, int threads) {
  GrB_Info info = GrB_SUCCESS;
  const uintptr_t context = grid_context_distance;
#pragma omp parallel num_threads(threads)
  {
    GRID_WORKER_SCOPE(context);
    omp_set_num_threads(1); /* for the visitor */
    const GrB_Info thread_info = visit_pages(p);
    if (thread_info != GrB_SUCCESS) {
      __atomic_store_n(&p->stop, true, __ATOMIC_RELAXED);
#pragma omp atomic write
      info = thread_info;
    }
  }
  return info;
}

/* ---- entry points ---- */

/* Bytes per read under a set budget. */
static uint64_t batch_bytes(void) {
  const uint64_t share = grid_budget_is_set() ? grid_budget() / SHARE_TOGETHER : UINT64_MAX,
                 most = share > MIN_BATCH_BYTES ? share : MIN_BATCH_BYTES;
  return grid_tune.page_read_bytes < most ? grid_tune.page_read_bytes : most;
}

static plan make_plan(grid_pages *g, const uint64_t *wanted, grid_pages_visit *visit, void *context) {
  plan p = {.g = g,
            .wanted = wanted,
            .batch_size = batch_bytes(),
            .decoder = {.g = g, .visit = visit, .context = context}};
  for (uint64_t k = 0; k < g->pages; k++)
    if (g->page[k + 1].at - g->page[k].at > p.run_bytes) p.run_bytes = g->page[k + 1].at - g->page[k].at;
  return p;
}

/* A run has at most the bytes of one read, or one page. */
static void set_run_bytes(plan *p) {
  const uint64_t all = grid_pages_bytes(p->g);
  if (p->run_bytes < p->batch_size) p->run_bytes = p->batch_size < all ? p->batch_size : all;
}

/* Splits small requests into several runs, so that reading and use overlap. */
static void shrink_batch(plan *p, uint64_t bytes) {
  const uint64_t share = bytes / RUNS, most = share > MIN_RUN_BYTES ? share : MIN_RUN_BYTES;
  if (p->batch_size > most) p->batch_size = most;
}

static GrB_Info stream_sequential(plan *p, uint64_t bytes) {
  shrink_batch(p, bytes);
  p->whole = full_range(p->g);
  p->x = &p->whole, p->n = 1;
  set_run_bytes(p);
  return visit_pages(p);
}

static GrB_Info stream_parallel(plan *p, uint64_t bytes) {
  const uint64_t threads = (uint64_t)omp_get_max_threads(),
                 least = p->batch_size < MIN_BATCH_BYTES ? p->batch_size : MIN_BATCH_BYTES,
                 batch = p->batch_size / threads > least ? p->batch_size / threads : least,
                 most = threads * SHARES_PER_THREAD, reads = bytes / (READS_PER_SHARE * batch),
                 n = reads < most ? reads : most;
  if (n < threads) return stream_sequential(p, bytes);
  grid_page_range *x = grid_malloc(n, sizeof *x);
  if (!x) return grid_fail_memory(NULL, "parts of pages", n, sizeof *x);
  p->batch_size = batch;
  p->decoder.is_parallel = true;
  p->x = x, p->n = split_ranges(p, bytes, n, x);
  set_run_bytes(p);
  const GrB_Info info = run_ranges(p, (int)threads);
  grid_free(x);
  return info;
}

static GrB_Info stream_marked(plan *p, bool parallel) {
  const uint64_t bytes = total_marked_bytes(p);
  grid_page_cache_begin(p->g, bytes, &p->decoder.cache_limit);
  const GrB_Info info = parallel ? stream_parallel(p, bytes) : stream_sequential(p, bytes);
  grid_page_cache_end(p->g);
  return info;
}

GrB_Info grid_pages_stream(grid_pages *g, const uint64_t *wanted, grid_pages_visit *visit, void *context) {
  if (!g->pages) return GrB_SUCCESS;
  plan p = make_plan(g, wanted, visit, context);
  return stream_marked(&p, false);
}

GrB_Info grid_pages_stream_coded(grid_pages *g, const uint64_t *wanted, grid_pages_visit_coded *visit,
                                 void *context) {
  if (!g->pages) return GrB_SUCCESS;
  plan p = make_plan(g, wanted, NULL, context);
  p.decoder.visit_coded = visit;
  return stream_marked(&p, false);
}

GrB_Info grid_pages_stream_parallel(grid_pages *g, const uint64_t *wanted, grid_pages_visit *visit,
                                    void *context) {
  if (!g->pages) return GrB_SUCCESS;
  plan p = make_plan(g, wanted, visit, context);
  return stream_marked(&p, true);
}
