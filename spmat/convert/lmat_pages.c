/* See lmat_pages.h. */
#include "spmat/convert/lmat_pages.h"

#include <string.h>

#include "semiring/support/tuning.h"
#include "spmat/convert/page_code.h"
#include "spmat/matrix/balanced_tiles.h"

/* ---- layout -------------------------------------------------------------------------------------------- */

static uint64_t round_up(uint64_t bytes) {
  return (bytes + 15) / 16 * 16;
}

static uint64_t balanced_tiles_of(uint64_t entries) {
  return (entries + GRID_PAGE_TILE - 1) / GRID_PAGE_TILE;
}

grid_page_layout grid_page_layout_of(uint64_t rows, uint64_t entries, uint64_t codes, size_t value) {
  grid_page_layout p = {0};
  p.balanced_tiles = round_up((rows + 1) * sizeof(uint32_t));
  p.before = p.balanced_tiles + round_up((balanced_tiles_of(entries) + 1) * sizeof(uint32_t));
  p.numbers = p.before + round_up((balanced_tiles_of(entries) + 1) * sizeof(uint32_t));
  p.codes = p.numbers + round_up((rows + 31) / 32 * sizeof(uint32_t));
  p.values = p.codes + round_up(codes + GRID_PAGE_SLACK);
  p.end = p.values + round_up(entries * value);
  return p;
}

static grid_page_layout page_layout(const grid_host_pages *g, uint64_t k) {
  const grid_host_page *p = &g->page[k];
  return grid_page_layout_of(p->rows, p[1].entry - p->entry, p->codes, g->value);
}

/* ---- cutting into pages -------------------------------------------------------------------------------- */

/* The vector of entry e. */
static uint64_t vector_of(const grid_compressed *m, uint64_t n, uint64_t e) {
  uint64_t lo = 0, hi = n;
  while (hi - lo > 1) {
    const uint64_t mid = lo + (hi - lo) / 2;
    if (grid_vector_start(m, mid) <= e)
      lo = mid;
    else
      hi = mid;
  }
  return lo;
}

/* Makes the page that begins at entry e and returns where the next one begins: at a word of vectors if these
 * are short, so that no other page shares them. */
static uint64_t make_page(grid_host_page *p, const grid_compressed *m, uint64_t vectors, uint64_t entries,
                          uint64_t each, uint64_t e) {
  uint64_t end = entries - e < each ? entries : e + each;
  *p = (grid_host_page){.entry = e, .row = vector_of(m, vectors, e) / 64 * 64};
  const uint64_t most = p->row + each; /* 64 or more: e's vector is below it */
  if (most < vectors && grid_vector_start(m, most) < end) end = grid_vector_start(m, most);
  if (end < entries) {
    const uint64_t word = grid_vector_start(m, vector_of(m, vectors, end) / 64 * 64);
    if (word > e) end = word;
  }
  /* whole bitmap words: bits of later vectors have no entries here */
  p->rows = (vector_of(m, vectors, end - 1) / 64 + 1) * 64 - p->row;
  if (p->row + p->rows > vectors) p->rows = vectors - p->row;
  return end;
}

static GrB_Info slice_all(grid_host_pages *g, const grid_compressed *m, uint64_t each) {
  each = each < 64 ? 64 : each / 64 * 64;
  /* two consecutive pages together have at least this many entries, or vectors */
  const uint64_t capacity = 2 * (g->entries / each + g->vectors / each + 1) + 1;
  uint64_t e = 0;
  g->page = grid_malloc(capacity + 1, sizeof *g->page);
  if (!g->page) return grid_fail_memory(NULL, "pages", capacity, sizeof *g->page);
  while (e < g->entries) {
    e = make_page(&g->page[g->n], m, g->vectors, g->entries, each, e);
    grid_host_page *p = &g->page[g->n++];
    if (p->rows > g->most_rows) g->most_rows = p->rows;
    if (e - p->entry > g->most_entries) g->most_entries = e - p->entry;
  }
  g->page[g->n] = (grid_host_page){.entry = e};
  return GrB_SUCCESS;
}

/* ---- encoding ------------------------------------------------------------------------------------------ */

/* Offsets of its vectors among its own entries. */
static void write_offsets(uint32_t *to, const grid_compressed *m, const grid_host_page *p) {
  const uint64_t end = p[1].entry;
  for (uint64_t r = 0; r <= p->rows; r++) {
    const uint64_t at = grid_vector_start(m, p->row + r);
    to[r] = (uint32_t)((at < p->entry ? p->entry : at < end ? at : end) - p->entry);
  }
}

/* Writes its codes, tile by tile, to `codes`, or (NULL) only counts their bytes; starts (unless NULL): where
 * each tile's codes begin. length: of its vectors. */
static uint64_t write_codes(unsigned char *codes, uint32_t *starts, const grid_compressed *m,
                            const grid_host_page *p, const uint32_t *length) {
  unsigned char scratch[5 * GRID_PAGE_TILE] = {0};
  const uint64_t n = p[1].entry - p->entry;
  grid_page_rows rows = {.length = length};
  uint64_t sum = 0, tile = 0;
  for (uint64_t e = 0; e < n; e += rows.n, tile++) {
    rows.n = n - e < GRID_PAGE_TILE ? n - e : GRID_PAGE_TILE;
    while (rows.before >= *rows.length) rows.before -= *rows.length++;
    if (starts) starts[tile] = (uint32_t)sum;
    sum += grid_page_encode(codes ? codes + sum : scratch, m->idx + p->entry + e, &rows);
    rows.before += rows.n;
  }
  if (starts) starts[tile] = (uint32_t)sum;
  return sum;
}

/* Counts a page's non-empty vectors, given their offsets: those that begin before each tile, and those before
 * each 32 vectors. */
static void write_numbers(uint32_t *before, uint32_t *numbers, const uint32_t *offset, uint64_t rows) {
  uint32_t n = 0;
  uint64_t tile = 0;
  for (uint64_t r = 0; r < rows; r++) {
    if (r % 32 == 0) numbers[r / 32] = n;
    if (offset[r + 1] == offset[r]) continue;
    for (; tile * GRID_PAGE_TILE <= offset[r]; tile++) before[tile] = n;
    n++;
  }
  for (; tile <= balanced_tiles_of(offset[rows]); tile++) before[tile] = n;
}

/* Are so many entries in long vectors that balanced tiles pay? */
static bool is_uneven(const uint32_t *length, uint64_t rows, uint64_t entries) {
  uint64_t in_long = 0;
  for (uint64_t r = 0; r < rows; r++)
    if (length[r] > GRID_BALANCED_LONG_ROW) in_long += length[r];
  return (double)in_long >= grid_tune.tiles_long_share * (double)entries;
}

/* Lengths from offsets, in place; the last element is lost. */
static void offsets_to_lengths(uint32_t *offset, uint64_t rows) {
  for (uint64_t r = 0; r < rows; r++) offset[r] = offset[r + 1] - offset[r];
}

/* One of two passes over all pages: counts the bytes of their codes, or writes them. */
static GrB_Info encode_pages(grid_host_pages *g, const grid_compressed *m, bool write) {
  bool failed = false;
#pragma omp parallel reduction(|| : failed)
  {
    uint32_t *length = grid_malloc(g->most_rows + 1, sizeof *length);
    failed = !length;
#pragma omp for schedule(dynamic)
    for (uint64_t k = 0; k < g->n; k++) {
      grid_host_page *p = &g->page[k];
      if (!length) continue;
      write_offsets(length, m, p);
      const grid_page_layout at = write ? page_layout(g, k) : (grid_page_layout){0};
      char *to = write ? g->bytes + p->at : NULL;
      if (write) {
        memcpy(to, length, (p->rows + 1) * sizeof *length);
        write_numbers((uint32_t *)(void *)(to + at.before), (uint32_t *)(void *)(to + at.numbers), length,
                      p->rows);
      }
      offsets_to_lengths(length, p->rows);
      if (!write) {
        p->uneven = is_uneven(length, p->rows, p[1].entry - p->entry);
        p->codes = write_codes(NULL, NULL, m, p, length);
        continue;
      }
      write_codes((unsigned char *)to + at.codes, (uint32_t *)(void *)(to + at.balanced_tiles), m, p, length);
      if (g->value)
        memcpy(to + at.values, (const char *)m->val + p->entry * g->value,
               (p[1].entry - p->entry) * g->value);
    }
    grid_free(length);
  }
  return failed ? grid_fail_memory(NULL, "lengths of rows", g->most_rows, sizeof(uint32_t)) : GrB_SUCCESS;
}

/* Positions of each page's bytes. */
static void layout_pages(grid_host_pages *g) {
  uint64_t at = 0;
  for (uint64_t k = 0; k < g->n; k++) {
    g->page[k].at = at;
    const uint64_t bytes = page_layout(g, k).end;
    if (bytes > g->most_bytes) g->most_bytes = bytes;
    at += bytes;
  }
  g->page[g->n].at = at;
}

static GrB_Info send_bounds(grid_host_pages *g) {
  uint32_t *bounds = grid_malloc(2 * g->n, sizeof *bounds);
  if (!bounds) return grid_fail_memory(NULL, "pages", 2 * g->n, sizeof *bounds);
  for (uint64_t k = 0; k < g->n; k++) {
    bounds[2 * k] = (uint32_t)(g->page[k].row / 64);
    bounds[2 * k + 1] = (uint32_t)grid_words(g->page[k].rows);
  }
  GrB_Info info = grid_device_send(&g->bounds, bounds, 2 * g->n, sizeof *bounds, "pages");
  grid_free(bounds);
  return info;
}

/* ---- the list of all pages ----------------------------------------------------------------------------- */

static grid_host_pages *page_list;

/* The initial limit of cached bytes. */
static uint64_t max_cached(void) {
  return grid_device_get_limit() ? UINT64_MAX : grid_device_free_bytes() / 2;
}

void grid_host_pages_retry(void) {
  for (grid_host_pages *g = page_list; g; g = g->next)
    g->cache_limit = max_cached(), g->in_place.evicted = false;
}

GrB_Info grid_host_pages_make(grid_host_pages **made, const grid_compressed *m, uint64_t vectors,
                              uint64_t entries, size_t value, uint64_t each) {
  grid_host_pages *g = grid_calloc(1, sizeof *g);
  GrB_Info info = GrB_SUCCESS;
  if (!g) return grid_fail_memory(NULL, "pages", 1, sizeof *g);
  g->entries = entries, g->vectors = vectors, g->value = value;
  g->in_place.beyond_first_share = 0.25;
  TRY(slice_all(g, m, each));
  TRY(encode_pages(g, m, false));
  layout_pages(g);
  g->bytes = grid_cuda->paging->lock(g->page[g->n].at);
  if (!g->bytes) TRY(grid_fail_memory(NULL, "pages that the device fetches", g->page[g->n].at, 1));
  TRY(encode_pages(g, m, true));
  TRY(send_bounds(g));
  g->busy = g->n;
  g->cache_limit = max_cached();
  g->next = page_list;
  if (page_list) page_list->before = g;
  page_list = g;
  grid_device_set_reclaim(grid_host_pages_evict);
  *made = g;
  return info;
done:
  grid_host_pages_free(g);
  return info;
}

/* Frees what reading in place uses on the device. */
static void leave_in_place(grid_host_pages *g) {
  grid_compressed *m = &g->in_place.m;
  grid_device_free(m->ptr);
  grid_device_free(m->hub_neighbor);
  grid_device_free(m->nonempty);
  *m = (grid_compressed){0};
}

static void unregister_host(grid_host_pages *g) {
  for (int k = 0; k < 2; k++)
    if (g->in_place.registered[k]) grid_cuda->paging->unregister_host(g->in_place.registered[k]);
}

void grid_host_pages_free(grid_host_pages *g) {
  if (!g) return;
  leave_in_place(g);
  unregister_host(g);
  for (uint64_t k = 0; k < g->n && g->cached; k++) grid_device_free(g->page[k].cached);
  grid_device_free(g->bounds);
  if (g->bytes) grid_cuda->paging->unlock(g->bytes);
  if (g->with_cpu.buffer) grid_cuda->paging->unlock(g->with_cpu.buffer);
  if (g == page_list) page_list = g->next;
  if (g->next) g->next->before = g->before;
  if (g->before) g->before->next = g->next;
  grid_free(g->page);
  grid_free(g);
}

/* ---- the device cache ---------------------------------------------------------------------------------- */

static void release_page(grid_host_pages *g, uint64_t k) {
  grid_device_free(g->page[k].cached);
  g->page[k].cached = NULL;
  g->cached -= grid_host_page_bytes(g, k);
}

/* The cached page with the fewest uses, or n. */
static uint64_t find_least_used(const grid_host_pages *g) {
  uint64_t least = g->n;
  for (uint64_t k = 0; k < g->n; k++)
    if (g->page[k].cached && !g->page[k].wanted && k != g->busy &&
        (least == g->n || g->page[k].uses < g->page[least].uses))
      least = k;
  return least;
}

GrB_Info grid_host_pages_cache(grid_host_pages *g, uint64_t k, const void *from) {
  const uint64_t bytes = grid_host_page_bytes(g, k);
  grid_host_page *p = &g->page[k];
  const bool fits =
      g->cached + bytes <= g->cache_limit &&
      (!grid_device_get_limit() || grid_device_bytes_in_use() + 2 * bytes <= grid_device_get_limit());
  if (!fits) {
    const uint64_t other = find_least_used(g);
    if (other == g->n || g->page[other].uses + 1 >= p->uses || grid_host_page_bytes(g, other) < bytes)
      return GrB_SUCCESS;
    release_page(g, other);
  }
  p->cached = grid_device_malloc(bytes, 1);
  if (!p->cached) return GrB_SUCCESS; /* it is sent again when it is needed */
  g->cached += bytes;
  return grid_device_copy(p->cached, from, bytes);
}

/* Registers columns and values once; false: impossible. */
static bool register_all(grid_host_pages *g, const grid_compressed *m) {
  const void *const what[2] = {m->idx, g->value ? m->val : NULL};
  const uint64_t bytes[2] = {g->entries * sizeof *m->idx, g->entries * g->value};
  for (int k = 0; k < 2; k++) {
    if (!what[k] || g->in_place.registered[k] == what[k]) continue;
    if (g->in_place.registered[k] || !grid_cuda->paging->register_host(what[k], bytes[k])) return false;
    g->in_place.registered[k] = what[k];
  }
  return true;
}

/* Copies the offsets to the device. */
static GrB_Info send_offsets(grid_compressed *to, const grid_compressed *m, uint64_t n, bool hub_neighbors) {
  static const char what[] = "where rows begin";
  GrB_Info info = GrB_SUCCESS;
  to->idx = m->idx, to->val = m->val;
  if (!to->ptr) TRY(grid_device_send(&to->ptr, m->ptr, n + 1, sizeof *m->ptr, what));
  if (!hub_neighbors || to->hub_neighbor) return info;
  TRY(grid_device_send(&to->hub_neighbor, m->hub_neighbor, n, sizeof *m->hub_neighbor, what));
  TRY(grid_device_send(&to->nonempty, m->nonempty, grid_words(n), sizeof *m->nonempty, what));
done:
  return info;
}

static void release_in_place(grid_host_pages *g) {
  leave_in_place(g);
  g->in_place.evicted = true, g->in_place.missed = 0;
}

GrB_Info grid_host_pages_register(grid_host_pages *g, const grid_compressed *m, bool hub_neighbors,
                                  uint64_t saves) {
  grid_compressed *to = &g->in_place.m;
  const uint64_t n = g->vectors, wanted = (n + 1) * sizeof *to->ptr +
                                          (hub_neighbors ? n * sizeof *to->hub_neighbor + n / 8 : 0);
  GrB_Info info = GrB_SUCCESS;
  if (g->in_place.hidden || (to->ptr && (to->hub_neighbor || !hub_neighbors))) return info;
  g->in_place.missed += saves;
  if (g->in_place.evicted && g->in_place.missed < 2 * wanted) return info;
  /* half of what is free or cached, since cached pages can be sent again */
  const bool fits = !m->offsets64 && (!hub_neighbors || m->hub_neighbor) &&
                    wanted <= (grid_device_free_bytes() + g->cached) / 2;
  if (fits) g->in_place.hidden = !register_all(g, m);
  if (fits && !g->in_place.hidden) info = send_offsets(to, m, n, hub_neighbors);
  if (fits && info == GrB_SUCCESS && to->ptr) return info;
  release_in_place(g);
  return info == GrB_OUT_OF_MEMORY ? GrB_SUCCESS : info;
}

void grid_host_pages_evict(uint64_t bytes) {
  uint64_t freed = 0;
  for (grid_host_pages *g = page_list; g && freed < bytes; g = g->next) {
    const uint64_t before = g->cached;
    for (uint64_t k; freed < bytes && (k = find_least_used(g)) < g->n;) {
      freed += grid_host_page_bytes(g, k);
      release_page(g, k);
    }
    if (g->cached < before) g->cache_limit = g->cached; /* others need the rest, and will again */
    if (freed >= bytes || g->busy < g->n || !g->in_place.m.ptr) continue;
    const uint64_t held = grid_device_bytes_in_use();
    release_in_place(g);
    freed += held - grid_device_bytes_in_use();
  }
}
