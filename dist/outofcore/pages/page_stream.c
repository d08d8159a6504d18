/* Streams pages through memory: some are read while earlier ones are decoded and used. */
#include <errno.h>
#include <omp.h>
#include <string.h>

#include "dist/outofcore/file/memory_budget.h"
#include "dist/outofcore/pages/page_cache.h"
#include "dist/outofcore/pages/row_pages.h"
#include "dist/outofcore/file/async_read.h"
#include "semiring/support/mem.h"
#include "semiring/support/tuning.h"
#include "spmat/convert/checksum.h"
#include "spmat/convert/page_code.h"
#include "spmat/vector/bits.h"

/* Entries that one request reads. A gap between wanted pages is read along where it has fewer bytes than the
 * disk delivers in a request's latency. */
enum { MAX_ENTRIES = 1 << 20, MAX_GAP = 32 << 10 };

/* Buffers for so many runs of maximum size: one is used while the others are read. With a stream per
 * thread each has fewer. Of short runs up to SLOTS are in flight. */
enum { BUFFERS = 4, BUFFERS_APART = 3, SLOTS = 12 };

/* Entries that one thread decodes at a time: their columns fit the second-level cache. */
enum { ENTRIES_PER_THREAD = 1 << 17 };

/* Small requests are split into so many runs nevertheless, of at least so many bytes. */
enum { RUNS = 8, MIN_RUN_BYTES = 1 << 17 };

/* With a set budget, the read size is limited to this fraction of it, and at least MIN_BATCH_BYTES. */
enum { MIN_BATCH_BYTES = 1 << 18, SHARE_TOGETHER = 32 };

/* Parallel streams split the pages into so many ranges per thread, for load balance; a range has at least
 * so many reads. */
enum { SHARES_PER_THREAD = 24, READS_PER_SHARE = 4 };

/* A range of the process's rows, starting at a multiple of 64, the pages that hold their entries, and
 * those entries. */
typedef struct {
  uint64_t row, end;
  uint64_t a, b;
  uint64_t first, last;
} row_range;

/* Pages a .. b, all cached or none. */
typedef struct {
  uint64_t a, b;
  bool cached;
} run;

/* A run in flight, or in use. */
typedef struct {
  grid_read read; /* its buffer has `bytes` bytes; 0: cached, no buffer */
  run pages;
  const row_range *x; /* the range that its pages belong to */
} slot;

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
  uint64_t max_cached; /* bytes of pages that may be cached */
  uint64_t run_bytes;  /* maximum bytes of a run */
  bool is_parallel;    /* each thread has row ranges of its own */
  grid_pages_visit *visit;
  void *context;
  row_range whole;    /* the range of all pages */
  const row_range *x; /* all ranges */
  uint64_t n;
  uint64_t turn; /* the next range to take; incremented atomically */
  bool stop;     /* set after a failure */
} plan;

/* A thread's state. */
typedef struct {
  plan *p;
  grid_pages *g;
  const row_range *x; /* the range whose runs are planned; NULL: none yet */
  uint64_t next;      /* the next page to plan */
  slot planned;       /* a planned run that lacked buffer space */
  bool has_planned;   /* `planned` is valid */
  grid_reads *reads;
  ring buffers;
  slot slots[SLOTS];
  /* decoded pages */
  grid_local_matrix lmat;
  uint64_t rows_capacity, entries_capacity;
} stream;

/* ---- planning reads ---- */

static bool is_page_marked(const plan *p, uint64_t k) {
  return !p->wanted || grid_bit(p->wanted, k);
}

/* The next run of pages in a range; false: none is left. */
static bool next_run(stream *s, run *r) {
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
static bool begin_run(stream *s, slot *to) {
  const grid_page *page = s->g->page;
  if (__atomic_load_n(&s->p->stop, __ATOMIC_RELAXED) || !plan_run(s)) return false;
  const run r = s->planned.pages;
  const uint64_t from = page[r.a].at, end = page[r.b].at,
                 bytes = r.cached ? 0 : end - from + 3 * GRID_READ_ALIGNED;
  char *buffer = bytes ? reserve_ring(&s->buffers, bytes) : NULL;
  if (bytes && !buffer) return false;
  *to = (slot){.read = {.buffer = buffer, .bytes = bytes}, .pages = r, .x = s->planned.x};
  s->has_planned = false;
  if (bytes) grid_read_start(s->reads, &to->read, &s->g->store, from, end);
  return true;
}

/* ---- decoding ---- */

/* Rows of the decoded local matrix, its entries, and their offset among those of the pages. */
typedef struct {
  uint64_t first, n;    /* rows first .. first + n of the process */
  uint64_t row, before; /* entries start in this row, after so many of its own */
  uint64_t skip, entries;
} window;

static window make_window(const grid_pages *g, const row_range *x, uint64_t a, uint64_t b) {
  const grid_page *page = &g->page[a];
  const uint64_t from = page->entry > x->first ? page->entry : x->first,
                 to = g->page[b].entry < x->last ? g->page[b].entry : x->last,
                 lead_rows = g->lead_rows + x->row;
  window w = {.skip = from - page->entry, .entries = to > from ? to - from : 0};
  /* the first page may begin with rows of an earlier range or process */
  w.row = x->row + (page->row > lead_rows ? page->row - lead_rows : 0);
  w.before = page->row >= lead_rows ? page->before : 0;
  w.first = w.row / 64 * 64;
  const uint32_t *length = grid_pages_lengths(g);
  uint64_t end = w.row, left = w.entries + w.before;
  while (left && end < x->end) {
    left -= left < length[end] ? left : length[end];
    end++;
  }
  end = (end + 63) / 64 * 64;
  w.n = (end < x->end ? end : x->end) - w.first;
  return w;
}

static GrB_Info allocate_buffers(stream *s, const window *w, uint64_t entries) {
  grid_compressed *c = &s->lmat.by_row;
  const size_t size = s->g->one ? 0 : s->g->type->size;
  if (w->n > s->rows_capacity) {
    grid_compressed_free(
        &(grid_compressed){.ptr = c->ptr, .hub_neighbor = c->hub_neighbor, .nonempty = c->nonempty},
        grid_free);
    s->rows_capacity = 0;
    c->ptr = grid_malloc(w->n + 1, sizeof *c->ptr);
    c->hub_neighbor = grid_malloc(w->n + 64, sizeof *c->hub_neighbor); /* read in words of 64 rows */
    c->nonempty = grid_malloc(grid_words(w->n), sizeof *c->nonempty);
    if (!c->ptr || !c->hub_neighbor || !c->nonempty) return grid_fail_memory(NULL, "rows of pages", w->n, 9);
    s->rows_capacity = w->n;
  }
  if (entries <= s->entries_capacity) return GrB_SUCCESS;
  grid_free(c->idx);
  grid_free(c->val);
  s->entries_capacity = 0;
  c->idx = grid_malloc(entries + 1, sizeof *c->idx);
  c->val = size ? grid_malloc(entries, size) : NULL;
  if (!c->idx || (size && !c->val)) return grid_fail_memory(NULL, "entries of pages", entries, 4 + size);
  s->entries_capacity = entries;
  return GrB_SUCCESS;
}

static GrB_Info fail_damaged(const grid_pages *g, uint64_t page) {
  return grid_fail(NULL, GrB_INVALID_VALUE, "%s: the page file is damaged: the page at byte %llu", g->path,
                   (unsigned long long)g->page[page].at);
}

static const char *bytes_of_page(const grid_pages *g, const slot *from, uint64_t k) {
  return from->pages.cached ? grid_page_cache_get(g, k) : from->read.at + (g->page[k].at - from->read.from);
}

/* one: the value of all entries; NULL: values are at `from`. */
static void copy_values(char *to, const unsigned char *from, const void *one, uint64_t n, size_t size) {
  if (!one) memcpy(to, from, n * size);
  for (uint64_t e = 0; one && e < n; e++) memcpy(to + e * size, one, size);
}

/* Decodes page k to its position relative to page a. */
static bool decode_page(stream *s, const slot *from, uint64_t a, uint64_t k) {
  const grid_pages *g = s->g;
  const grid_page *p = &g->page[k];
  const unsigned char *at = (const unsigned char *)bytes_of_page(g, from, k);
  const uint64_t n = p[1].entry - p->entry, bytes = p[1].at - p->at, to = p->entry - g->page[a].entry;
  const size_t size = g->one ? 0 : g->type->size;
  const grid_page_rows rows = {g->length + p->row, p->before, n};
  if (!from->pages.cached && grid_checksum((const char *)at, bytes, n) != p->checksum) return false;
  const uint64_t columns = grid_page_columns(at, bytes, n);
  const void *one = columns == bytes ? g->implied : NULL;
  if (!columns || (!one && columns + (n * size + 7) / 8 * 8 != bytes)) return false;
  if (size) copy_values((char *)s->lmat.by_row.val + to * size, at + columns, one, n, size);
  return grid_page_decode(s->lmat.by_row.idx + to, at, &rows, g->cols);
}

/* Offsets and first neighbors of the window's rows; idx points to its first entry. */
static void make_rows(const grid_pages *g, const window *w, const uint32_t *idx, grid_compressed *c) {
  const uint32_t *length = grid_pages_lengths(g) + w->first;
  uint64_t at = 0;
  memset(c->nonempty, 0, grid_words(w->n) * sizeof *c->nonempty);
  for (uint64_t r = 0; r < w->n; r++) {
    uint64_t in_row = r + w->first < w->row ? 0 : length[r] - (r + w->first == w->row ? w->before : 0);
    if (in_row > w->entries - at) in_row = w->entries - at;
    c->ptr[r] = (uint32_t)at;
    c->hub_neighbor[r] = in_row ? idx[at] : 0;
    c->nonempty[r >> 6] |= (uint64_t)(in_row > 0) << (r & 63);
    at += in_row;
  }
  c->ptr[w->n] = (uint32_t)at;
}

/* Decodes pages a .. b of a slot; returns the first damaged one, or b. */
static uint64_t decode_pages(stream *s, const slot *from, uint64_t a, uint64_t b) {
  uint64_t bad = b;
  if (s->p->is_parallel) {
    for (uint64_t k = a; k < b && bad == b; k++)
      if (!decode_page(s, from, a, k)) bad = k;
    return bad;
  }
#pragma omp parallel for schedule(dynamic, 4) reduction(min : bad)
  for (uint64_t k = a; k < b; k++)
    if (!decode_page(s, from, a, k) && k < bad) bad = k;
  return bad;
}

/* Passes pages a .. b of a slot to the visitor as a local matrix. */
static GrB_Info use_pages(stream *s, const slot *from, uint64_t a, uint64_t b) {
  grid_pages *g = s->g;
  const window w = make_window(g, from->x, a, b);
  GrB_Info info = allocate_buffers(s, &w, g->page[b].entry - g->page[a].entry);
  if (info != GrB_SUCCESS) return info;
  const uint64_t bad = decode_pages(s, from, a, b);
  if (bad != b) return fail_damaged(g, bad);
  for (uint64_t k = a; k < b && !from->pages.cached; k++)
    grid_page_cache_add(g, k, bytes_of_page(g, from, k), s->p->max_cached);
  if (!w.entries) return GrB_SUCCESS;
  grid_local_matrix lmat = s->lmat;
  grid_compressed *c = &lmat.by_row;
  make_rows(g, &w, c->idx + w.skip, c);
  c->idx += w.skip;
  if (c->val) c->val = (char *)c->val + w.skip * g->type->size;
  lmat.row = (grid_axis){.dim = w.n, .n = w.n};
  lmat.col = (grid_axis){.dim = g->cols, .n = g->cols};
  lmat.nvals = w.entries;
  lmat.iso = g->one != NULL;
  lmat.iso_val = g->one;
  return s->p->visit(s->p->context, &lmat, w.first);
}

/* Waits for a slot's pages and uses them, all together or in portions. */
static GrB_Info use_slot(stream *s, slot *from) {
  grid_pages *g = s->g;
  const run r = from->pages;
  GrB_Info info = GrB_SUCCESS;
  if (!r.cached) grid_read_wait(s->reads, &from->read);
  if (from->read.error == ENODATA)
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: became shorter while it was read", g->path);
  if (from->read.error)
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: cannot read: %s", g->path, strerror(from->read.error));
  if (!r.cached) __atomic_fetch_add(&g->read, g->page[r.b].at - g->page[r.a].at, __ATOMIC_RELAXED);
  for (uint64_t a = r.a, b; a < r.b && info == GrB_SUCCESS; a = b) {
    for (b = a + 1; b < r.b; b++)
      if (s->p->is_parallel && g->page[b + 1].entry - g->page[a].entry > ENTRIES_PER_THREAD) break;
    info = use_pages(s, from, a, b);
  }
  return info;
}

/* ---- one thread ---- */

static GrB_Info begin_stream(stream *s, plan *p) {
  *s = (stream){.p = p, .g = p->g};
  grid_lmat_init(&s->lmat, p->g->type, 0, 0);
  s->reads = grid_reads_acquire();
  s->buffers.bytes = (p->is_parallel ? BUFFERS_APART : BUFFERS) * (p->run_bytes + 3 * GRID_READ_ALIGNED);
  s->buffers.all = grid_malloc(s->buffers.bytes, 1);
  if (!s->buffers.all) return grid_fail_memory(NULL, "pages", s->buffers.bytes, 1);
  return GrB_SUCCESS;
}

static void end_stream(stream *s) {
  grid_reads_release(s->reads);
  grid_compressed_free(&s->lmat.by_row, grid_free);
  grid_free(s->buffers.all);
}

static GrB_Info visit_pages(plan *p) {
  stream s;
  GrB_Info info = begin_stream(&s, p);
  int first = 0, begun = 0; /* slots in flight, the oldest first */
  while (info == GrB_SUCCESS) {
    while (begun < SLOTS && begin_run(&s, &s.slots[(first + begun) % SLOTS])) begun++;
    if (!begun) break;
    info = use_slot(&s, &s.slots[first]);
    release_ring(&s.buffers, &s.slots[first].read);
    first = (first + 1) % SLOTS;
    begun--;
  }
  for (; begun; begun--, first = (first + 1) % SLOTS)
    if (s.slots[first].read.in_flight) grid_read_wait(s.reads, &s.slots[first].read);
  end_stream(&s);
  return info;
}

/* ---- row ranges ---- */

static row_range full_range(const grid_pages *g) {
  return (row_range){.end = g->rows, .b = g->pages, .first = g->first, .last = g->end};
}

/* The range that follows `before`, up to the first row, a multiple of 64, that begins in page k or later.
 * (Page 0 may begin with rows of an earlier process.) */
static row_range range_up_to(const grid_pages *g, const row_range *before, uint64_t k) {
  row_range x = full_range(g);
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
static uint64_t split_ranges(const plan *p, uint64_t bytes, uint64_t n, row_range *x) {
  uint64_t made = 0, sum = 0;
  row_range before = {.last = p->g->first};
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
#pragma omp parallel num_threads(threads)
  {
    omp_set_num_threads(1); /* for the visitor */
    const GrB_Info own = visit_pages(p);
    if (own != GrB_SUCCESS) {
      __atomic_store_n(&p->stop, true, __ATOMIC_RELAXED);
#pragma omp atomic write
      info = own;
    }
  }
  return info;
}

/* ---- entry points ---- */

/* Bytes per read under a set budget. */
static uint64_t batch_bytes(void) {
  const uint64_t share = grid_budget_is_set() ? grid_budget(1) / SHARE_TOGETHER : UINT64_MAX,
                 most = share > MIN_BATCH_BYTES ? share : MIN_BATCH_BYTES;
  return grid_tune.page_read_bytes < most ? grid_tune.page_read_bytes : most;
}

static plan make_plan(grid_pages *g, const uint64_t *wanted, grid_pages_visit *visit, void *context) {
  plan p = {.g = g, .wanted = wanted, .batch_size = batch_bytes(), .visit = visit, .context = context};
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

GrB_Info grid_pages_stream(grid_pages *g, const uint64_t *wanted, grid_pages_visit *visit, void *context) {
  if (!g->pages) return GrB_SUCCESS;
  plan p = make_plan(g, wanted, visit, context);
  grid_page_cache_plan(g, &p.max_cached);
  return stream_sequential(&p, total_marked_bytes(&p));
}

GrB_Info grid_pages_stream_parallel(grid_pages *g, const uint64_t *wanted, grid_pages_visit *visit,
                                    void *context) {
  const uint64_t threads = (uint64_t)omp_get_max_threads();
  if (!g->pages) return GrB_SUCCESS;
  plan p = make_plan(g, wanted, visit, context);
  grid_page_cache_plan(g, &p.max_cached);
  const uint64_t bytes = total_marked_bytes(&p),
                 least = p.batch_size < MIN_BATCH_BYTES ? p.batch_size : MIN_BATCH_BYTES,
                 each = p.batch_size / threads > least ? p.batch_size / threads : least,
                 most = threads * SHARES_PER_THREAD, reads = bytes / (READS_PER_SHARE * each),
                 n = reads < most ? reads : most;
  if (n < threads) return stream_sequential(&p, bytes);
  row_range *x = grid_malloc(n, sizeof *x);
  if (!x) return grid_fail_memory(NULL, "parts of pages", n, sizeof *x);
  p.batch_size = each;
  p.is_parallel = true;
  p.x = x, p.n = split_ranges(&p, bytes, n, x);
  set_run_bytes(&p);
  const GrB_Info info = run_ranges(&p, (int)threads);
  grid_free(x);
  return info;
}
