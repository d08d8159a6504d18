/* See residual_rows.h. */
#include "dist/outofcore/pages/residual_rows.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "semiring/support/mem.h"
#include "spmat/vector/bitmap_words.h"
#include "semiring/threads/context_section.h"

/* Rows with more than this fraction of their segment's entries are not cached. */
enum { RESIDUAL_SHARE = 8 };

typedef struct grid_residual grid_residual;
/* Cached rows of the n from `first` on: row[k], relative to first, has columns idx[start[k] .. start[k +
 * 1]). */
struct grid_residual {
  grid_residual *next;
  uint64_t first, n, rows, entries;
  uint32_t *row, *start, *idx;
};

static void free_residual(grid_residual *l) {
  if (!l) return;
  grid_free(l->row);
  grid_free(l->start);
  grid_free(l->idx);
  grid_free(l);
}

void grid_residual_free(grid_pages *g) {
  while (g->residual) {
    grid_residual *next = g->residual->next;
    free_residual(g->residual);
    g->residual = next;
  }
  grid_free(g->residual_rows);
  g->residual_rows = NULL;
}

static uint64_t bytes_of(uint64_t rows, uint64_t entries) {
  return sizeof(grid_residual) + (2 * rows + 1 + entries) * sizeof(uint32_t);
}

/* Allocates a segment and counts its bytes; NULL: over the limit, or out of memory, which is no error for
 * a cache. */
static grid_residual *make_residual(grid_pages *g, uint64_t rows, uint64_t entries) {
  const uint64_t bytes = bytes_of(rows, entries), most = g->rows * sizeof(uint32_t);
  const bool fits = __atomic_add_fetch(&g->residual_bytes, bytes, __ATOMIC_RELAXED) <= most;
  grid_residual *l = fits ? grid_calloc(1, sizeof *l) : NULL;
  if (l) {
    l->row = grid_malloc(rows, sizeof *l->row);
    l->start = grid_malloc(rows + 1, sizeof *l->start);
    l->idx = grid_malloc(entries, sizeof *l->idx);
    if (l->row && l->start && l->idx) return l;
  }
  free_residual(l);
  __atomic_sub_fetch(&g->residual_bytes, bytes, __ATOMIC_RELAXED);
  return NULL;
}

/* Bitmap of the open rows of word w that p has completely and that are not cached yet. */
static uint64_t whole_rows(const grid_pages *g, const grid_local_matrix *p, uint64_t first, uint64_t w,
                           uint64_t open) {
  const uint32_t *length = grid_pages_lengths(g) + first, *ptr = p->by_row.ptr;
  uint64_t whole = 0;
  open &= p->by_row.nonempty[w] & ~grid_residual_word(g, first / 64 + w);
  for (; open; open &= open - 1) {
    const uint64_t r = 64 * w + grid_low_bit(open);
    if (ptr[r + 1] - ptr[r] == length[r]) whole |= open & -open;
  }
  return whole;
}

void grid_residual_begin(grid_pages *g) {
  if (g->one && !g->residual_rows)
    g->residual_rows = grid_calloc(grid_words(g->rows), sizeof *g->residual_rows);
}

void grid_residual_cache(grid_pages *g, const grid_local_matrix *p, uint64_t first, const uint64_t *open) {
  const uint32_t *ptr = p->by_row.ptr;
  uint64_t rows = 0, entries = 0;
  if (!g->residual_rows || !ptr) return; /* values are not cached */
  for (uint64_t w = 0; w < grid_words(p->row.n); w++)
    for (uint64_t s = whole_rows(g, p, first, w, open[w]); s; s &= s - 1, rows++)
      entries += ptr[64 * w + grid_low_bit(s) + 1] - ptr[64 * w + grid_low_bit(s)];
  if (!rows || entries > p->nvals / RESIDUAL_SHARE) return;
  grid_residual *l = make_residual(g, rows, entries);
  if (!l) return;
  l->first = first, l->n = p->row.n;
  for (uint64_t w = 0; w < grid_words(p->row.n); w++) {
    const uint64_t whole = whole_rows(g, p, first, w, open[w]);
    for (uint64_t s = whole; s; s &= s - 1) {
      const uint64_t r = 64 * w + grid_low_bit(s), n = ptr[r + 1] - ptr[r];
      l->row[l->rows] = (uint32_t)r;
      l->start[l->rows++] = (uint32_t)l->entries;
      memcpy(l->idx + l->entries, p->by_row.idx + ptr[r], n * sizeof *l->idx);
      l->entries += n;
    }
    if (whole)
      __atomic_store_n(&g->residual_rows[first / 64 + w], g->residual_rows[first / 64 + w] | whole,
                       __ATOMIC_RELAXED);
  }
  l->start[l->rows] = (uint32_t)l->entries;
  l->next = __atomic_load_n(&g->residual, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&g->residual, &l->next, l, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
    continue;
}

/* ---- visiting ---- */

/* Offsets and first neighbors of all rows, most of which are empty. */
static void make_rows(grid_compressed *c, const grid_residual *l) {
  uint64_t at = 0;
  memset(c->nonempty, 0, grid_words(l->n) * sizeof *c->nonempty);
  memset(c->hub_neighbor, 0, l->n * sizeof *c->hub_neighbor);
  for (uint64_t k = 0; k < l->rows; k++) {
    const uint64_t r = l->row[k];
    while (at <= r) c->ptr[at++] = l->start[k];
    c->hub_neighbor[r] = l->idx[l->start[k]];
    c->nonempty[r >> 6] |= UINT64_C(1) << (r & 63);
  }
  while (at <= l->n) c->ptr[at++] = (uint32_t)l->entries;
}

/* Arrays for the rows of a segment. */
static GrB_Info begin_rows(grid_compressed *buffer, uint64_t most) {
  *buffer = (grid_compressed){.ptr = grid_malloc(most + 1, sizeof *buffer->ptr),
                              .hub_neighbor = grid_malloc(most + 64, sizeof *buffer->hub_neighbor),
                              .nonempty = grid_malloc(grid_words(most), sizeof *buffer->nonempty)};
  if (buffer->ptr && buffer->hub_neighbor && buffer->nonempty) return GrB_SUCCESS;
  return grid_fail_memory(NULL, "cached rows", most, 9);
}

/* Passes a segment to the visitor as a local matrix. */
static GrB_Info visit_segment(const grid_pages *g, const grid_residual *l, const grid_compressed *buffer,
                              grid_pages_visit *visit, void *context) {
  grid_local_matrix lmat;
  grid_lmat_init(&lmat, g->type, 0, 0);
  lmat.by_row = *buffer;
  make_rows(&lmat.by_row, l);
  lmat.by_row.idx = l->idx;
  lmat.row = (grid_axis){.dim = l->n, .n = l->n};
  lmat.col = (grid_axis){.dim = g->cols, .n = g->cols};
  lmat.nvals = l->entries;
  lmat.iso = true;
  lmat.iso_val = g->one;
  return visit(context, &lmat, l->first);
}

static int by_first(const void *a, const void *b) {
  const uint64_t x = (*(const grid_residual *const *)a)->first, y = (*(const grid_residual *const *)b)->first;
  return (x > y) - (x < y);
}

/* Segments by first row, and the positions where a segment shares no word of 64 rows with any earlier one. */
typedef struct {
  const grid_residual **segment;
  uint64_t n, *start, starts;
  uint64_t most; /* rows of the longest segment */
} residual_segments;

static GrB_Info find_segments(residual_segments *p, const grid_pages *g, grid_residual_wanted *wanted,
                              void *context) {
  uint64_t all = 0, end = 0;
  for (const grid_residual *l = g->residual; l; l = l->next) all++;
  *p = (residual_segments){.segment = grid_malloc(all, sizeof(grid_residual *)),
                           .start = grid_malloc(all + 1, sizeof *p->start)};
  if (!p->segment || !p->start) return grid_fail_memory(NULL, "segments of cached rows", all, 16);
  for (const grid_residual *l = g->residual; l; l = l->next) {
    if (!wanted(context, l->first, l->n)) continue;
    p->segment[p->n++] = l;
    if (l->n > p->most) p->most = l->n;
  }
  qsort(p->segment, p->n, sizeof(grid_residual *), by_first);
  for (uint64_t k = 0; k < p->n; k++) {
    if (k == 0 || p->segment[k]->first >= end) p->start[p->starts++] = k;
    if (p->segment[k]->first + p->segment[k]->n > end) end = p->segment[k]->first + p->segment[k]->n;
  }
  p->start[p->starts] = p->n;
  return GrB_SUCCESS;
}

/* the visitor and its arguments */
typedef struct {
  const residual_segments *p;
  const grid_pages *g;
  grid_pages_visit *visit;
  void *context;
} visiting;

/* Visits the segments between starts from .. end. */
static GrB_Info visit_subset(const visiting *v, const grid_compressed *buffer, uint64_t from, uint64_t end) {
  const residual_segments *p = v->p;
  GrB_Info info = GrB_SUCCESS;
  for (uint64_t k = p->start[from]; k < p->start[end] && info == GrB_SUCCESS; k++)
    info = visit_segment(v->g, p->segment[k], buffer, v->visit, v->context);
  return info;
}

/* Visits all on this thread; the visitor may use several. */
static GrB_Info visit_sequential(const visiting *v) {
  grid_compressed buffer;
  GrB_Info info = begin_rows(&buffer, v->p->most);
  if (info == GrB_SUCCESS) info = visit_subset(v, &buffer, 0, v->p->starts);
  grid_compressed_free(&buffer, grid_free);
  return info;
}

/* Visits in parallel, one thread per start. */
static GrB_Info visit_parallel(const visiting *v) {
  GrB_Info info = GrB_SUCCESS;
  const uintptr_t context = grid_context_distance;
#pragma omp parallel
  {
    GRID_WORKER_SCOPE(context);
    grid_compressed buffer;
    GrB_Info thread_info = begin_rows(&buffer, v->p->most);
    omp_set_num_threads(1); /* for the visitor */
#pragma omp for schedule(dynamic)
    for (uint64_t s = 0; s < v->p->starts; s++)
      if (thread_info == GrB_SUCCESS) thread_info = visit_subset(v, &buffer, s, s + 1);
    if (thread_info != GrB_SUCCESS) {
#pragma omp atomic write
      info = thread_info;
    }
    grid_compressed_free(&buffer, grid_free);
  }
  return info;
}

GrB_Info grid_residual_visit(grid_pages *g, bool apart, grid_residual_wanted *wanted, grid_pages_visit *visit,
                             void *context) {
  if (!g->residual) return GrB_SUCCESS;
  residual_segments p;
  GrB_Info info = find_segments(&p, g, wanted, context);
  const visiting v = {&p, g, visit, context};
  if (info == GrB_SUCCESS && p.n) info = apart && p.starts > 1 ? visit_parallel(&v) : visit_sequential(&v);
  grid_free(p.segment);
  grid_free(p.start);
  return info;
}
