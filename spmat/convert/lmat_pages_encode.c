/* See lmat_pages_encode.h. */
#include "spmat/convert/lmat_pages_encode.h"

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

/* Makes the page that begins at entry e and returns where the next one begins. That is at a word of vectors
 * if these are short, so that no other page shares them. */
static uint64_t make_page(grid_host_page *p, const grid_compressed *m, uint64_t vectors, uint64_t entries,
                          uint64_t page_entries, uint64_t e) {
  uint64_t end = entries - e < page_entries ? entries : e + page_entries;
  *p = (grid_host_page){.entry = e, .row = grid_vector_of_entry(m, vectors, e) / 64 * 64};
  const uint64_t most = p->row + page_entries; /* 64 or more: e's vector is below it */
  if (most < vectors && grid_vector_start(m, most) < end) end = grid_vector_start(m, most);
  if (end < entries) {
    const uint64_t word = grid_vector_start(m, grid_vector_of_entry(m, vectors, end) / 64 * 64);
    if (word > e) end = word;
  }
  /* whole bitmap words: bits of later vectors have no entries here */
  p->rows = (grid_vector_of_entry(m, vectors, end - 1) / 64 + 1) * 64 - p->row;
  if (p->row + p->rows > vectors) p->rows = vectors - p->row;
  return end;
}

GrB_Info grid_host_pages_slice(grid_host_pages *g, const grid_compressed *m, uint64_t page_entries) {
  page_entries = page_entries < 64 ? 64 : page_entries / 64 * 64;
  /* two consecutive pages together have at least this many entries, or vectors */
  const uint64_t capacity = 2 * (g->entries / page_entries + g->vectors / page_entries + 1) + 1;
  uint64_t e = 0;
  g->page = grid_malloc(capacity + 1, sizeof *g->page);
  if (!g->page) return grid_fail_memory(NULL, "pages", capacity, sizeof *g->page);
  while (e < g->entries) {
    e = make_page(&g->page[g->n], m, g->vectors, g->entries, page_entries, e);
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

GrB_Info grid_host_pages_encode(grid_host_pages *g, const grid_compressed *m, bool write) {
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

void grid_host_pages_layout(grid_host_pages *g) {
  uint64_t at = 0;
  for (uint64_t k = 0; k < g->n; k++) {
    g->page[k].at = at;
    const uint64_t bytes = page_layout(g, k).end;
    if (bytes > g->most_bytes) g->most_bytes = bytes;
    at += bytes;
  }
  g->page[g->n].at = at;
}
