/* Paged matrices; see matrix_pages.h. */
#include "dist/object/matrix/matrix_pages.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dist/object/matrix/derived.h"
#include "dist/pages/budget.h"
#include "spmat/convert/part_conform.h"
#include "spmat/device/device.h"

/* Degrees are kept as long as n / 8 is no more than the entries (matrix_degrees.c); what is sparser lists its
 * rows, which pages do not. */
bool grid_may_be_paged(const grid_pages_head *h) {
  return grid_here.C == 1 && !grid_device_on() && h->nrows / 8 <= h->nvals + 4096;
}

void grid_paged_free(GrB_Matrix A) {
  grid_pages_free(A->pages);
  A->pages = NULL;
}

uint64_t grid_paged_bytes(GrB_Matrix A) {
  const grid_pages *g = A->pages;
  return (g->pages + 1) * sizeof *g->page + g->rows * sizeof *g->length;
}

/* ---- to memory -------------------------------------------------------------------------------------------
 */

/* The rows so far. */
typedef struct {
  grid_part *part;
  uint64_t entries;
} loading;

static GrB_Info append(void *context, const grid_part *rows, uint64_t first) {
  (void)first;
  loading *l = context;
  grid_compressed *to = &l->part->by_row;
  const size_t size = l->part->type->size;
  grid_copy_bytes(to->idx + l->entries, rows->by_row.idx, rows->nvals * sizeof *to->idx);
  if (to->val) grid_copy_bytes((char *)to->val + l->entries * size, rows->by_row.val, rows->nvals * size);
  l->entries += rows->nvals;
  return GrB_SUCCESS;
}

/* *p = the block, by row. */
static GrB_Info load_part(grid_part *p, GrB_Matrix A) {
  grid_pages *g = A->pages;
  const uint64_t n = grid_pages_nvals(g), dim = A->block.row.dim;
  const uint32_t *length = grid_pages_lengths(g);
  const bool wide = n >= grid_wide_from;
  grid_compressed *c = &p->by_row;
  loading l = {.part = p};
  GrB_Info info = GrB_SUCCESS;
  grid_part_init(p, A->type, dim, A->block.col.dim);
  if (n == 0) return info;
  p->row.n = dim, p->col.n = p->col.dim;
  c->ptr = wide ? NULL : grid_malloc(dim + 1, sizeof *c->ptr);
  c->wide = wide ? grid_malloc(dim + 1, sizeof *c->wide) : NULL;
  c->idx = grid_malloc(n, sizeof *c->idx);
  c->val = g->one ? NULL : grid_malloc(n, A->type->size);
  if (!grid_is_made(c) || !c->idx || (!g->one && !c->val))
    TRY(grid_fail_memory(&A->head, "a matrix's rows", n, sizeof *c->idx + (g->one ? 0 : A->type->size)));
  uint64_t at = 0;
  for (uint64_t r = 0; r <= dim; r++) {
    grid_offset_set(grid_vector_starts(c), r, at);
    if (r < g->rows) at += length[r];
  }
  p->nvals = n;
  if (g->one) TRY(grid_part_set_one(p, g->one));
  TRY(grid_pages_stream(g, NULL, append, &l));
  info = grid_part_conform(p);
done:
  if (info != GrB_SUCCESS) grid_part_free(p);
  return info;
}

/* Is there room for the block, beside what is there? */
static bool has_room(const grid_pages *g) {
  const uint64_t budget = grid_budget(grid_here.local_size), used = grid_mem_bytes();
  return used <= budget && grid_pages_in_memory(g) <= budget - used;
}

/* Pages that stay give way to the block that they are of. */
static GrB_Info check_room(GrB_Matrix A) {
  if (has_room(A->pages)) return GrB_SUCCESS;
  grid_pages_forget(A->pages);
  if (has_room(A->pages)) return GrB_SUCCESS;
  return grid_fail(
      &A->head, GrB_OUT_OF_MEMORY,
      "what was called wants all of %s in memory: %llu bytes here, where %llu of %llu are taken; "
      "products with vectors, reductions and degrees do without",
      A->pages->path, (unsigned long long)grid_pages_in_memory(A->pages),
      (unsigned long long)grid_mem_bytes(), (unsigned long long)grid_budget(grid_here.local_size));
}

static GrB_Info load(GrB_Matrix A) {
  grid_part block;
  grid_part_init(&block, A->type, 0, 0);
  const grid_pending waiting = A->pending;
  GrB_Info info = load_part(&block, A);
  info = grid_agree(&A->head, info);
  if (info == GrB_SUCCESS) {
    A->pending = (grid_pending){0}; /* what waits goes on waiting */
    info = grid_matrix_adopt(A, &(grid_build){.mirror = A->symmetric}, &block, info);
    A->pending = waiting;
  }
  grid_part_free(&block);
  return info;
}

GrB_Info grid_paged_load(GrB_Matrix A) {
  GrB_Info info = grid_agree(&A->head, check_room(A));
  return info == GrB_SUCCESS ? load(A) : info;
}

GrB_Info grid_paged_rows_here(GrB_Matrix A) {
  grid_part block;
  if (!A->pages || grid_is_made(&A->block.by_row)) return GrB_SUCCESS;
  GrB_Info info = check_room(A);
  if (info == GrB_SUCCESS) info = load_part(&block, A);
  if (info != GrB_SUCCESS) return info;
  grid_part_free(&A->block);
  A->block = block;
  return info;
}

/* ---- from a file -----------------------------------------------------------------------------------------
 */

GrB_Info grid_paged_open(GrB_Matrix A, const grid_pages_head *h, const char *path) {
  const int k = grid_here.k;
  const uint64_t rows = grid_chunk_length(A->nrows, k), first = rows ? grid_chunk_first(A->nrows, k) : 0;
  GrB_Info info = grid_pages_open(&A->pages, path, first, rows);
  uint64_t full = info == GrB_SUCCESS && !has_room(A->pages);
  info = grid_agree_sum(&A->head, info, &full, 1);
  if (info != GrB_SUCCESS) {
    grid_paged_free(A);
    return info;
  }
  A->nvals = h->nvals;
  A->symmetric = h->flags & GRID_PAGES_SYMMETRIC;
  A->block.nvals = grid_pages_nvals(A->pages);
  A->block.row.n = A->block.row.dim, A->block.col.n = A->block.col.dim;
  return full ? info : load(A);
}

GrB_Info grid_paged_ready(GrB_Matrix A) {
  const uint64_t q = grid_own_room(A->nrows);
  GrB_Info info = grid_workspace_make(&A->work);
  if (info != GrB_SUCCESS || A->ready) return info;
  uint32_t *degree = grid_calloc(q, sizeof *degree);
  info =
      grid_agree(&A->head, degree ? GrB_SUCCESS : grid_fail_memory(&A->head, "degrees", q, sizeof *degree));
  if (info != GrB_SUCCESS) {
    grid_free(degree);
    return info;
  }
  if (A->pages->rows) memcpy(degree, grid_pages_lengths(A->pages), A->pages->rows * sizeof *degree);
  A->row_degree = degree;
  if (A->symmetric) A->col_degree = degree;
  info = grid_degrees_mark(A, GrB_SUCCESS);
  if (info == GrB_SUCCESS)
    A->ready = true;
  else
    grid_degrees_free(A);
  return info;
}

uint64_t Grid_Matrix_read(bool *paged, GrB_Matrix A) {
  const bool is = A && grid_is_live(A) && A->pages;
  if (paged) *paged = is;
  return is ? A->pages->read : 0;
}

/* ---- tests -----------------------------------------------------------------------------------------------
 */

/* GRIDBLAS_PAGES: entries a page, of which a few are read together; 0: not asked for. */
static uint64_t forced(void) {
  static int64_t known = -1;
  if (known < 0) {
    const char *text = getenv("GRIDBLAS_PAGES");
    known = text ? (int64_t)strtoull(text, NULL, 10) & INT32_MAX : 0;
    if (known) grid_page_entries = (uint64_t)known, grid_pages_together = 8 * grid_page_entries;
  }
  return (uint64_t)known;
}

/* A file that has no name any more. */
static int nameless(char *path) {
  const int fd = mkstemp(path);
  if (fd >= 0) unlink(path);
  return fd;
}

static GrB_Info write_block(grid_pages *g, const grid_part *b) {
  const uint64_t dim = b->row.dim;
  grid_pages_made made = {0};
  uint64_t row = 0, entry = 0;
  GrB_Info info = GrB_SUCCESS;
  uint32_t *length = g->length = grid_malloc(dim, sizeof *length);
  if (!length) return grid_fail_memory(NULL, "lengths of rows", dim, sizeof *length);
  for (uint64_t r = 0; r < dim; r++)
    length[r] = (uint32_t)(grid_vector_start(&b->by_row, r + 1) - grid_vector_start(&b->by_row, r));
  TRY(grid_pages_make(&made, length, dim, b->by_row.idx, b->iso ? NULL : b->by_row.val,
                      b->iso ? 0 : b->type->size));
  g->pages = made.pages;
  g->end = made.nvals;
  g->page = grid_malloc(g->pages + 1, sizeof *g->page);
  g->one = b->iso ? grid_malloc(1, b->type->size) : NULL;
  if (!g->page || (b->iso && !g->one)) TRY(grid_fail_memory(NULL, "pages", g->pages, sizeof *g->page));
  if (b->iso) memcpy(g->one, b->iso_val, b->type->size);
  for (uint64_t k = 0; k <= g->pages; k++) {
    const grid_page_row *p = &made.page[k];
    while (k < g->pages && entry + length[row] <= p->entry) entry += length[row++];
    g->page[k] = (grid_page){p->entry, p->at, p->checksum, row, p->entry - entry};
  }
  if (g->fd < 0 || write(g->fd, made.data, made.data_bytes) != (ssize_t)made.data_bytes)
    info = grid_fail(NULL, GrB_PANIC, "GRIDBLAS_PAGES: cannot write a file");
done:
  grid_pages_made_free(&made);
  return info;
}

GrB_Info grid_paged_force(GrB_Matrix A, grid_pages **g) {
  const grid_part *b = &A->block;
  *g = NULL;
  if (!forced() || grid_here.C > 1 || grid_device_on() || A->split || !grid_has_degrees(A, true))
    return GrB_SUCCESS;
  uint64_t other = b->row.ids || b->col.ids || b->device || !grid_is_made(&b->by_row);
  GrB_Info info = grid_agree_sum(&A->head, GrB_SUCCESS, &other, 1);
  if (info != GrB_SUCCESS || other) return info;
  char path[] = "/tmp/gridblas-pages-XXXXXX";
  grid_pages *made = grid_calloc(1, sizeof *made);
  if (made) {
    *made = (grid_pages){.fd = nameless(path), .rows = b->row.dim, .cols = b->col.dim, .type = A->type};
    made->path = grid_malloc(sizeof path, 1);
    if (made->path) memcpy(made->path, path, sizeof path);
  }
  info = made && made->path ? write_block(made, b) : grid_fail_memory(NULL, "pages", 1, sizeof *made);
  info = grid_agree(&A->head, info);
  if (info == GrB_SUCCESS)
    *g = made;
  else
    grid_pages_free(made);
  return info;
}
