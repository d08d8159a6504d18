/* Pages go through memory: some are read while those before them are decoded and used. */
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "dist/pages/budget.h"
#include "dist/pages/pages.h"
#include "semiring/mem.h"
#include "spmat/convert/checksum.h"
#include "spmat/convert/page_code.h"
#include "spmat/vector/bits.h"

/* What is read, and decoded, together: bytes, and entries. What is not wanted is read along where it is
 * shorter than what passes in the time that a read takes to begin. */
uint64_t grid_pages_together = UINT64_C(2) << 20;
enum { MOST_ENTRIES = 1 << 20, MOST_GAP = 32 << 10 };

/* So many reads are asked for at once, by a thread each: the disk has the next one when it ends one, though
 * all cores are busy. And so many are kept until they are used. */
enum { READERS = 2, SLOTS = 4 };

/* A small budget is not for rooms: a share of it, but no less than this. */
enum { LEAST_TOGETHER = 1 << 18, SHARE_TOGETHER = 32 };

/* Of what a budget that was set leaves, so much is for pages that stay: the rest for vectors to come. */
enum { SHARE_KEPT = 4 };

/* Pages a .. b; which stay in memory. */
typedef struct {
  uint64_t a, b;
  bool kept;
} run;

/* A room for what is read. */
typedef struct {
  char *raw, *at; /* `at`: of page a's first byte */
  uint64_t room;
  run pages;
  int error;   /* ENODATA: the file has ended */
  bool taken;  /* by a read */
  bool filled; /* ... which has ended */
} slot;

typedef struct {
  grid_pages *g;
  const uint64_t *wanted;
  uint64_t together;
  uint64_t next;  /* page that has not been planned */
  uint64_t begun; /* runs that were */
  slot slots[SLOTS];
  /* between the threads that read and the one that uses */
  pthread_mutex_t lock;
  pthread_cond_t turned;
  bool stop;
  /* decoded */
  grid_part part;
  uint64_t rows_room, entries_room;
  uint64_t most_kept; /* bytes of pages that may stay */
} stream;

/* ---- what is read --------------------------------------------------------------------------------------
 */

static bool is_wanted(const stream *s, uint64_t k) {
  return !s->wanted || grid_bit(s->wanted, k);
}

/* ---- what stays ------------------------------------------------------------------------------------------
 */

static bool is_kept(const grid_pages *g, uint64_t k) {
  return g->kept && g->kept[k];
}

/* Those that have pages that stay, the ones used last in front. */
static grid_pages *keepers;
static uint64_t kept_bytes;

uint64_t grid_pages_kept(void) {
  return kept_bytes;
}

static void leave(grid_pages *g) {
  for (grid_pages **p = &keepers; *p; p = &(*p)->next_keeper)
    if (*p == g) {
      *p = g->next_keeper;
      break;
    }
}

void grid_pages_forget(grid_pages *g) {
  if (!g->kept) return;
  for (uint64_t k = 0; k < g->pages; k++) grid_free(g->kept[k]);
  grid_free(g->kept);
  g->kept = NULL;
  kept_bytes -= g->kept_bytes;
  g->kept_bytes = 0;
  leave(g);
}

void grid_pages_yield(uint64_t bytes) {
  const uint64_t used = grid_mem_bytes();
  while (keepers && grid_mem_bytes() + bytes > used) {
    grid_pages *last = keepers;
    while (last->next_keeper) last = last->next_keeper;
    grid_pages_forget(last);
  }
}

/* Pages stay as they come, and no other takes a place: where all are wanted in turn, as by an iteration, that
 * spares the disk most. All that stay, of whatever matrix, take no more than a share of what the budget
 * leaves beside all else; when that is less, those go that were used longest ago. */
static void plan_kept(stream *s) {
  grid_pages *g = s->g;
  const uint64_t budget = grid_budget_is_set() ? grid_budget(1) : 0, used = grid_mem_bytes() - kept_bytes,
                 most = used < budget ? (budget - used) / SHARE_KEPT : 0;
  if (g->kept) leave(g), g->next_keeper = keepers, keepers = g;
  if (kept_bytes > most) grid_pages_yield(kept_bytes - most);
  const uint64_t others = kept_bytes - g->kept_bytes;
  s->most_kept = most > others ? most - others : 0;
  if (g->kept || s->most_kept <= 2 * g->pages * sizeof *g->kept) return;
  g->kept = grid_calloc(g->pages, sizeof *g->kept); /* none: nothing stays */
  if (g->kept) g->next_keeper = keepers, keepers = g;
}

/* Page k, which has been read and is whole, at `at`. */
static void keep_page(stream *s, uint64_t k, const char *at) {
  grid_pages *g = s->g;
  const uint64_t bytes = g->page[k + 1].at - g->page[k].at;
  if (!g->kept || g->kept[k] || g->kept_bytes + bytes > s->most_kept) return;
  char *copy = grid_malloc(bytes + GRID_PAGE_SLACK, 1);
  if (!copy) return;
  memcpy(copy, at, bytes);
  memset(copy + bytes, 0, GRID_PAGE_SLACK);
  g->kept[k] = copy;
  g->kept_bytes += bytes;
  kept_bytes += bytes;
}

/* The next pages; false: there are no more. */
static bool plan(stream *s, run *r) {
  const grid_page *page = s->g->page;
  const uint64_t n = s->g->pages;
  while (s->next < n && !is_wanted(s, s->next)) s->next++;
  if (s->next == n) return false;
  r->a = s->next++;
  r->b = s->next;
  r->kept = is_kept(s->g, r->a);
  for (uint64_t k = s->next; k < n; k++) {
    if (is_kept(s->g, k) != r->kept || page[k + 1].at - page[r->a].at > s->together ||
        page[k + 1].entry - page[r->a].entry > MOST_ENTRIES || page[k].at - page[r->b].at > MOST_GAP)
      break;
    if (is_wanted(s, k)) r->b = k + 1;
  }
  s->next = r->b;
  return true;
}

/* Whole blocks of the disk, as O_DIRECT wants them: 0 or an errno. */
static int read_run(const grid_pages *g, slot *s) {
  const uint64_t from = g->page[s->pages.a].at, to = g->page[s->pages.b].at, mask = GRID_PAGES_ALIGNED - 1,
                 start = from & ~mask, wish = ((to + mask) & ~mask) - start;
  char *raw = s->raw + (-(uintptr_t)s->raw & mask);
  s->at = raw + (from - start);
  for (uint64_t done = 0; start + done < to;) {
    const ssize_t got = pread(g->fd, raw + done, wish - done, (off_t)(start + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno;
    if (got == 0) return ENODATA;
    done += (uint64_t)got;
    /* behind a piece that is no whole block nothing can be read in this way, and nothing should be there */
    if (g->direct && done & mask && start + done < to) return ENODATA;
  }
  return 0;
}

/* The slot of the next run, once it is free; NULL: there is none. */
static slot *take_slot(stream *s) {
  slot *to = NULL;
  run r;
  pthread_mutex_lock(&s->lock);
  while (s->slots[s->begun % SLOTS].taken && !s->stop) pthread_cond_wait(&s->turned, &s->lock);
  if (!s->stop && plan(s, &r)) {
    to = &s->slots[s->begun++ % SLOTS];
    to->pages = r;
    to->taken = true;
  }
  pthread_mutex_unlock(&s->lock);
  return to;
}

static void *read_all(void *context) {
  stream *s = context;
  for (slot *to; (to = take_slot(s));) {
    to->error = to->pages.kept ? 0 : read_run(s->g, to);
    pthread_mutex_lock(&s->lock);
    to->filled = true;
    pthread_cond_broadcast(&s->turned);
    pthread_mutex_unlock(&s->lock);
  }
  return NULL;
}

/* ---- what is decoded -----------------------------------------------------------------------------------
 */

/* Rows of the part, its entries, and where these begin among those of the pages. */
typedef struct {
  uint64_t first, n;    /* the process's rows first .. first + n */
  uint64_t row, before; /* entries begin in that one, behind so many of its own */
  uint64_t skip, entries;
} window;

static window window_of(const grid_pages *g, run r) {
  const grid_page *a = &g->page[r.a];
  const uint64_t from = a->entry > g->first ? a->entry : g->first,
                 to = g->page[r.b].entry < g->end ? g->page[r.b].entry : g->end;
  window w = {.skip = from - a->entry, .entries = to > from ? to - from : 0};
  /* the first page may begin with rows of the process before */
  w.row = a->row > g->lead ? a->row - g->lead : 0;
  w.before = a->row >= g->lead ? a->before : 0;
  w.first = w.row / 64 * 64;
  const uint32_t *length = grid_pages_lengths(g);
  uint64_t end = w.row, left = w.entries + w.before;
  while (left && end < g->rows) {
    left -= left < length[end] ? left : length[end];
    end++;
  }
  end = (end + 63) / 64 * 64;
  w.n = (end < g->rows ? end : g->rows) - w.first;
  return w;
}

static GrB_Info make_room(stream *s, const window *w, uint64_t entries) {
  grid_compressed *c = &s->part.by_row;
  const size_t size = s->g->one ? 0 : s->g->type->size;
  if (w->n > s->rows_room) {
    grid_compressed_free(&(grid_compressed){.ptr = c->ptr, .first = c->first, .nonempty = c->nonempty},
                         grid_free);
    s->rows_room = 0;
    c->ptr = grid_malloc(w->n + 1, sizeof *c->ptr);
    c->first = grid_malloc(w->n + 64, sizeof *c->first); /* looked at in words of rows */
    c->nonempty = grid_malloc(grid_words(w->n), sizeof *c->nonempty);
    if (!c->ptr || !c->first || !c->nonempty) return grid_fail_memory(NULL, "rows of pages", w->n, 9);
    s->rows_room = w->n;
  }
  if (entries <= s->entries_room) return GrB_SUCCESS;
  grid_free(c->idx);
  grid_free(c->val);
  s->entries_room = 0;
  c->idx = grid_malloc(entries + 1, sizeof *c->idx);
  c->val = size ? grid_malloc(entries, size) : NULL;
  if (!c->idx || (size && !c->val)) return grid_fail_memory(NULL, "entries of pages", entries, 4 + size);
  s->entries_room = entries;
  return GrB_SUCCESS;
}

static GrB_Info damaged(const grid_pages *g, uint64_t page) {
  return grid_fail(NULL, GrB_INVALID_VALUE, "%s: the file of pages is damaged: the page at byte %llu",
                   g->path, (unsigned long long)g->page[page].at);
}

static const char *bytes_of_page(const grid_pages *g, const slot *from, uint64_t k) {
  return from->pages.kept ? g->kept[k] : from->at + (g->page[k].at - g->page[from->pages.a].at);
}

/* from NULL: each entry has the implied one. */
static void take_values(char *to, const unsigned char *from, uint64_t n, const grid_pages *g) {
  const size_t size = g->type->size;
  if (from) {
    memcpy(to, from, n * size);
    return;
  }
  for (uint64_t e = 0; e < n; e++) memcpy(to + e * size, g->implied, size);
}

/* Page k, from its bytes, to where the entries of the run's first page begin. */
static bool decode_page(stream *s, const slot *from, uint64_t k) {
  const grid_pages *g = s->g;
  const grid_page *p = &g->page[k];
  const unsigned char *at = (const unsigned char *)bytes_of_page(g, from, k);
  const uint64_t n = p[1].entry - p->entry, bytes = p[1].at - p->at,
                 to = p->entry - g->page[from->pages.a].entry;
  const size_t size = g->one ? 0 : g->type->size;
  const grid_page_rows rows = {g->length + p->row, p->before, n};
  if (!from->pages.kept && grid_checksum((const char *)at, bytes, n) != p->checksum) return false;
  const uint64_t columns = grid_page_columns(at, bytes, n);
  const bool implied = g->implied && columns == bytes;
  if (!columns || (!implied && columns + (n * size + 7) / 8 * 8 != bytes)) return false;
  if (size) take_values((char *)s->part.by_row.val + to * size, implied ? NULL : at + columns, n, g);
  return grid_page_decode(s->part.by_row.idx + to, at, &rows, g->cols);
}

/* Offsets and heads of the window's rows; idx is where its first entry stands. */
static void make_rows(const grid_pages *g, const window *w, const uint32_t *idx, grid_compressed *c) {
  const uint32_t *length = grid_pages_lengths(g) + w->first;
  uint64_t at = 0;
  memset(c->nonempty, 0, grid_words(w->n) * sizeof *c->nonempty);
  for (uint64_t r = 0; r < w->n; r++) {
    uint64_t here = r + w->first < w->row ? 0 : length[r] - (r + w->first == w->row ? w->before : 0);
    if (here > w->entries - at) here = w->entries - at;
    c->ptr[r] = (uint32_t)at;
    c->first[r] = here ? idx[at] : 0;
    c->nonempty[r >> 6] |= (uint64_t)(here > 0) << (r & 63);
    at += here;
  }
  c->ptr[w->n] = (uint32_t)at;
}

/* A slot's pages as a part, for the visitor. */
static GrB_Info use(stream *s, const slot *from, grid_pages_visit *visit, void *context) {
  grid_pages *g = s->g;
  const run r = from->pages;
  uint64_t bad = UINT64_MAX;
  if (from->error == ENODATA)
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: became shorter while it was read", g->path);
  if (from->error)
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: cannot read: %s", g->path, strerror(from->error));
  if (!r.kept) g->read += g->page[r.b].at - g->page[r.a].at;
  const window w = window_of(g, r);
  GrB_Info info = make_room(s, &w, g->page[r.b].entry - g->page[r.a].entry);
  if (info != GrB_SUCCESS) return info;
#pragma omp parallel for schedule(dynamic, 4) reduction(min : bad)
  for (uint64_t k = r.a; k < r.b; k++)
    if (!decode_page(s, from, k) && k < bad) bad = k;
  if (bad != UINT64_MAX) return damaged(g, bad);
  for (uint64_t k = r.a; k < r.b && !r.kept; k++) keep_page(s, k, bytes_of_page(g, from, k));
  if (!w.entries) return GrB_SUCCESS;
  grid_part part = s->part;
  grid_compressed *c = &part.by_row;
  make_rows(g, &w, c->idx + w.skip, c);
  c->idx += w.skip;
  if (c->val) c->val = (char *)c->val + w.skip * g->type->size;
  part.row = (grid_axis){.dim = w.n, .n = w.n};
  part.col = (grid_axis){.dim = g->cols, .n = g->cols};
  part.nvals = w.entries;
  part.iso = g->one != NULL;
  part.iso_val = g->one;
  return visit(context, &part, w.first);
}

/* ---- both ------------------------------------------------------------------------------------------------
 */

/* Rooms as large as the largest run. */
static GrB_Info make_slots(stream *s) {
  const grid_page *page = s->g->page;
  uint64_t most = 0;
  run r;
  while (plan(s, &r))
    if (page[r.b].at - page[r.a].at > most) most = page[r.b].at - page[r.a].at;
  s->next = 0;
  for (int k = 0; k < SLOTS; k++) {
    s->slots[k].raw = grid_malloc(most + 3 * GRID_PAGES_ALIGNED, 1);
    if (!s->slots[k].raw) return grid_fail_memory(NULL, "pages", most, 1);
  }
  return GrB_SUCCESS;
}

/* What is in a slot is waited for and used, and the slot is free again. */
static GrB_Info use_slot(stream *s, slot *from, grid_pages_visit *visit, void *context) {
  pthread_mutex_lock(&s->lock);
  while (!from->filled) pthread_cond_wait(&s->turned, &s->lock);
  pthread_mutex_unlock(&s->lock);
  GrB_Info info = use(s, from, visit, context);
  pthread_mutex_lock(&s->lock);
  from->taken = from->filled = false;
  s->stop = info != GrB_SUCCESS;
  pthread_cond_broadcast(&s->turned);
  pthread_mutex_unlock(&s->lock);
  return info;
}

static GrB_Info use_all(stream *s, grid_pages_visit *visit, void *context) {
  stream again = *s; /* the same plan, for how many there are */
  GrB_Info info = GrB_SUCCESS;
  run r;
  pthread_t reader[READERS];
  int readers = 0;
  while (readers < READERS && pthread_create(&reader[readers], NULL, read_all, s) == 0) readers++;
  if (!readers) return grid_fail(NULL, GrB_OUT_OF_MEMORY, "%s: no thread to read it", s->g->path);
  for (int k = 0; info == GrB_SUCCESS && plan(&again, &r); k = (k + 1) % SLOTS)
    info = use_slot(s, &s->slots[k], visit, context);
  while (readers--) pthread_join(reader[readers], NULL);
  return info;
}

/* What a budget that was set leaves for a read. */
static uint64_t bytes_together(void) {
  const uint64_t share = grid_budget_is_set() ? grid_budget(1) / SHARE_TOGETHER : UINT64_MAX,
                 most = share > LEAST_TOGETHER ? share : LEAST_TOGETHER;
  return grid_pages_together < most ? grid_pages_together : most;
}

GrB_Info grid_pages_stream(grid_pages *g, const uint64_t *wanted, grid_pages_visit *visit, void *context) {
  stream s = {.g = g, .wanted = wanted, .together = bytes_together()};
  if (!g->pages) return GrB_SUCCESS;
  grid_part_init(&s.part, g->type, 0, 0);
  pthread_mutex_init(&s.lock, NULL);
  pthread_cond_init(&s.turned, NULL);
  plan_kept(&s);
  GrB_Info info = make_slots(&s);
  if (info == GrB_SUCCESS) info = use_all(&s, visit, context);
  grid_compressed_free(&s.part.by_row, grid_free);
  for (int k = 0; k < SLOTS; k++) grid_free(s.slots[k].raw);
  pthread_cond_destroy(&s.turned);
  pthread_mutex_destroy(&s.lock);
  return info;
}
