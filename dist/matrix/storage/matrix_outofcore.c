/* See matrix_outofcore.h. */
#include "dist/matrix/storage/matrix_outofcore.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dist/matrix/properties/cached_properties.h"
#include "dist/outofcore/file/memory_budget.h"
#include "dist/outofcore/pages/vertex_names.h"
#include "semiring/support/tuning.h"
#include "spmat/convert/lmat_format.h"
#include "spmat/device/device.h"
#include "spmat/matrix/axis.h"

/* Degrees exist while n / 8 is at most the number of entries (matrix_degrees.c). Sparser matrices are
 * hypersparse, and stay out of core if the file lists the non-empty rows and columns. */
bool grid_can_be_paged(const grid_pages_head *h) {
  return h->flags & GRID_PAGES_HYPERSPARSE ||
         (h->nrows / 8 <= h->nvals + 4096 && grid_index_fits32(h->nrows) && grid_index_fits32(h->ncols));
}

/* A, which has no entries, gets its pages and lists taken away. */
static void drop_pages(GrB_Matrix A) {
  grid_pages_free(A->pages);
  A->pages = NULL;
  grid_lmat_free(&A->block);
}

static uint64_t axis_bytes(const grid_axis *a) {
  return a->ids ? a->n * grid_axis_id_size(a) : 0;
}

uint64_t grid_paged_bytes(GrB_Matrix A) {
  const grid_pages *g = A->pages;
  return (g->pages + 1) * sizeof *g->page + g->rows * sizeof *g->length + axis_bytes(&A->block.row) +
         axis_bytes(&A->block.col);
}

/* ---- to memory ----------------------------------------------------------------------------------------- */

typedef struct {
  GrB_Matrix A;
  uint64_t first, end; /* listed rows */
  bool pairs;
  void *keys; /* grid_pair or uint64_t, for grid_lmat_build */
  char *val;
  uint64_t n; /* so far */
} local_keys;

static GrB_Info append_keys(void *context, const grid_local_matrix *rows, uint64_t first) {
  local_keys *t = context;
  const grid_axis *row = &t->A->block.row, *col = &t->A->block.col;
  const grid_compressed *c = &rows->by_row;
  grid_pair *pair = t->keys;
  uint64_t *key = t->keys;
  const uint64_t begin = first < t->first ? t->first - first : 0, left = first < t->end ? t->end - first : 0,
                 end = left < rows->row.n ? left : rows->row.n;
  for (uint64_t r = begin; r < end; r++) {
    const uint64_t from = grid_vector_start(c, r), to = grid_vector_start(c, r + 1);
    if (t->val) {
      const size_t size = rows->type->size;
      memcpy(t->val + t->n * size, (const char *)c->val + from * size, (to - from) * size);
    }
    for (uint64_t e = from; e < to; e++, t->n++) {
      const grid_pair at = {grid_axis_id(row, first + r), grid_axis_id(col, c->idx[e])};
      if (t->pairs)
        pair[t->n] = at;
      else
        key[t->n] = at.r << 32 | at.c;
    }
  }
  return GrB_SUCCESS;
}

/* Number of entries of listed rows first .. end. */
static uint64_t count_listed(GrB_Matrix A, uint64_t first, uint64_t end) {
  uint64_t n = 0;
  if (!A->pages)
    return A->block.nvals
               ? grid_vector_start(&A->block.by_row, end) - grid_vector_start(&A->block.by_row, first)
               : 0;
  for (uint64_t r = first; r < end; r++) n += grid_pages_lengths(A->pages)[r];
  return n;
}

/* Built from tuples, since the lists of A may have columns without entries in these rows. */
GrB_Info grid_hypersparse_rows(grid_local_matrix *p, GrB_Matrix A, uint64_t first, uint64_t end) {
  const grid_axis *rows = &A->block.row;
  const bool pairs = grid_axis_has_ids64(&p->row) || grid_axis_has_ids64(&p->col);
  const void *one = A->pages ? A->pages->one : A->block.iso ? A->block.iso_val : NULL;
  local_keys t = {
      .A = A, .first = grid_axis_bound(rows, first), .end = grid_axis_bound(rows, end), .pairs = pairs};
  grid_pair bad;
  const uint64_t n = count_listed(A, t.first, t.end);
  if (n == 0) return GrB_SUCCESS;
  t.keys = grid_malloc(n, pairs ? sizeof(grid_pair) : sizeof(uint64_t));
  t.val = one ? NULL : grid_malloc(n, A->type->size);
  GrB_Info info =
      t.keys && (one || t.val) ? GrB_SUCCESS : grid_fail_memory(&A->head, "entries of pages", n, sizeof bad);
  if (info == GrB_SUCCESS)
    info = A->pages ? grid_pages_stream_rows(A->pages, t.first, t.end, append_keys, &t)
                    : append_keys(&t, &A->block, 0);
  if (info == GrB_SUCCESS)
    info = grid_lmat_build(p, t.keys, pairs, n, t.val, one, (grid_duplicates){.newest_wins = true}, &bad);
  else
    grid_free(t.keys);
  grid_free(t.val);
  return info;
}

/* *p = the block, by row. */
static GrB_Info load_lmat(grid_local_matrix *p, GrB_Matrix A) {
  grid_lmat_init(p, A->type, A->block.row.dim, A->block.col.dim);
  return grid_is_paged_hypersparse(A) ? grid_hypersparse_rows(p, A, 0, A->block.row.dim)
                                      : grid_pages_read_rows(p, A->pages, 0, A->pages->rows);
}

uint64_t grid_paged_budget_left(void) {
  const uint64_t budget = grid_budget(), used = grid_mem_bytes();
  return used < budget ? budget - used : 0;
}

/* Bytes that loading a block takes: of a hypersparse one also for its tuples. */
static uint64_t bytes_to_load(const grid_pages *g, bool is_hypersparse) {
  const uint64_t entry = g->one ? GRID_HYPERSPARSE_ENTRY : GRID_HYPERSPARSE_VALUED;
  return is_hypersparse ? grid_pages_nvals(g) * entry : grid_pages_in_memory(g);
}

uint64_t grid_paged_load_bytes(GrB_Matrix A) {
  return bytes_to_load(A->pages, grid_is_paged_hypersparse(A));
}

/* Is there room for the block? Cached pages of any matrix are evicted for it. */
static bool fits_budget(GrB_Matrix A) {
  const uint64_t wish = grid_paged_load_bytes(A), capacity = grid_paged_budget_left();
  return wish <= capacity ||
         (wish <= capacity + grid_pages_cached_bytes() && (grid_pages_evict(wish - capacity), true));
}

GrB_Info grid_paged_check_fit(GrB_Matrix A, bool *fits) {
  uint64_t full = !fits_budget(A);
  const GrB_Info info = grid_agree_sum(&A->head, GrB_SUCCESS, &full, 1);
  *fits = full == 0;
  return info;
}

static GrB_Info check_budget(GrB_Matrix A) {
  if (fits_budget(A)) return GrB_SUCCESS;
  return grid_fail(
      &A->head, GrB_OUT_OF_MEMORY,
      "this operation reads all of %s into memory: %llu bytes, but %llu of the %llu in the memory "
      "limit are in use; docs/limits.md lists the operations that leave a matrix on disk",
      A->pages->path, (unsigned long long)grid_paged_load_bytes(A), (unsigned long long)grid_mem_bytes(),
      (unsigned long long)grid_budget());
}

static GrB_Info load_rows(GrB_Matrix A) {
  grid_local_matrix block;
  grid_lmat_init(&block, A->type, 0, 0);
  const grid_pending waiting = A->pending;
  GrB_Info info = load_lmat(&block, A);
  info = grid_agree(&A->head, info);
  if (info == GrB_SUCCESS) {
    A->pending = (grid_pending){0}; /* pending changes remain pending */
    info = grid_matrix_adopt(A, &(grid_build){.mirror = A->properties.symmetric}, &block, info);
    A->pending = waiting;
  }
  grid_lmat_free(&block);
  return info;
}

GrB_Info grid_paged_load(GrB_Matrix A) {
  GrB_Info info = grid_agree(&A->head, check_budget(A));
  return info == GrB_SUCCESS ? load_rows(A) : info;
}

/* ---- taken apart --------------------------------------------------------------------------------------- */

typedef struct {
  GrB_Matrix A;
  uint64_t *row, *col, n; /* so far */
  char *val;
  GrB_Type type;
} paged_tuples;

static GrB_Info append_tuples(void *context, const grid_local_matrix *rows, uint64_t first) {
  paged_tuples *t = context;
  const grid_compressed *c = &rows->by_row;
  const size_t size = t->type->size;
  const grid_axis *row = &t->A->block.row, *col = &t->A->block.col;
  for (uint64_t r = 0; t->row && r < rows->row.n; r++)
    for (uint64_t e = c->ptr[r]; e < c->ptr[r + 1]; e++)
      t->row[t->n + e] = grid_global_row(t->A->nrows, grid_axis_id(row, first + r));
  for (uint64_t e = 0; t->col && e < rows->nvals; e++)
    t->col[t->n + e] = grid_global_col(t->A->ncols, grid_axis_id(col, c->idx[e]));
  if (t->val)
    grid_cast_array(t->val + t->n * size, t->type, rows->iso ? rows->iso_val : c->val, rows->type, !rows->iso,
                    rows->nvals);
  t->n += rows->nvals;
  return GrB_SUCCESS;
}

GrB_Info grid_paged_tuples(GrB_Matrix A, uint64_t *row, uint64_t *col, void *val, GrB_Type type) {
  paged_tuples t = {.A = A, .row = row, .col = col, .val = val, .type = type};
  return grid_pages_stream(A->pages, NULL, append_tuples, &t);
}

/* ---- from a file --------------------------------------------------------------------------------------- */

/* *axis, empty, lists those of the file's rows, or columns, that are in the block's chunks. */
static GrB_Info open_axis(grid_axis *axis, const grid_pages_head *h, const char *path, bool rows) {
  const uint64_t dim = rows ? h->nrows : h->ncols;
  grid_pages_range range;
  uint64_t n = 0, at = 0, *id = NULL;
  GrB_Info info = GrB_SUCCESS;
  for (int s = 0; s < grid_block_chunks(rows); s++) {
    TRY(grid_pages_find_chunk(&range, h, path, rows, grid_block_chunk(rows, s)));
    n += range.n;
  }
  TRY(grid_axis_list(axis, n));
  for (int s = 0; s < grid_block_chunks(rows); s++) {
    const int k = grid_block_chunk(rows, s);
    TRY(grid_pages_find_chunk(&range, h, path, rows, k));
    TRY(grid_pages_read_list(&id, h, path, rows, range.first, range.n));
    for (uint64_t e = 0; e < range.n; e++)
      grid_axis_store(axis, at++, id[e] - grid_chunk_first(dim, k) + grid_block_offset(dim, rows, s));
    grid_free(id);
    id = NULL;
  }
done:
  grid_free(id);
  return info;
}

/* Of a hypersparse file the axes of the block, rows and columns, list its vectors. */
static GrB_Info open_axes(grid_axis axes[2], const grid_pages_head *h, const char *path) {
  if (!(h->flags & GRID_PAGES_HYPERSPARSE)) return GrB_SUCCESS;
  const GrB_Info info = open_axis(&axes[0], h, path, true);
  return info == GrB_SUCCESS ? open_axis(&axes[1], h, path, false) : info;
}

/* An axis of a block without a list represents all vectors. */
static void set_axes(GrB_Matrix A, const grid_axis axes[2]) {
  A->block.row = axes[0], A->block.col = axes[1];
  if (!A->block.col.ids) A->block.row.n = A->block.row.dim, A->block.col.n = A->block.col.dim;
}

/* On a grid of one column the rows of a block are rows of the file. */
static GrB_Info open_rows(GrB_Matrix A, const grid_pages_head *h, const char *path) {
  grid_axis axes[2] = {A->block.row, A->block.col};
  grid_pages_range rows;
  GrB_Info info = grid_pages_find_chunk(&rows, h, path, true, grid_ctx.k);
  if (info == GrB_SUCCESS) info = grid_pages_open(&A->pages, path, rows.first, rows.n);
  if (info == GrB_SUCCESS) info = open_axes(axes, h, path);
  set_axes(A, axes);
  uint64_t full = info == GrB_SUCCESS && !fits_budget(A);
  info = grid_agree_sum(&A->head, info, &full, 1);
  if (info != GrB_SUCCESS) {
    drop_pages(A);
    return info;
  }
  A->nvals = h->nvals;
  A->properties.symmetric = h->flags & GRID_PAGES_SYMMETRIC;
  A->block.nvals = grid_pages_nvals(A->pages);
  return full ? info : load_rows(A);
}

/* On other grids the block has some columns of the file's rows, whose entries are about as many as several
 * blocks have. If all of them would fit, the block is read into memory, unless that runs out of memory after
 * all. *done: it was read. */
static GrB_Info open_block(GrB_Matrix A, const grid_pages_head *h, const char *path, bool *done) {
  const uint64_t entry_bytes = sizeof(uint32_t) + (h->flags & GRID_PAGES_VALUES ? A->type->size : 0),
                 rows = (A->block.row.dim + 1) * sizeof(uint32_t);
  uint64_t entries;
  GrB_Info info = grid_paged_block_bound(&entries, h, path);
  uint64_t full = info == GrB_SUCCESS && (entries >= grid_tune.offsets64_from ||
                                          entries * entry_bytes + 2 * rows > grid_paged_budget_left());
  info = grid_agree_sum(&A->head, info, &full, 1);
  *done = full == 0;
  if (info != GrB_SUCCESS || full) return info;
  grid_local_matrix block;
  grid_lmat_init(&block, A->type, A->block.row.dim, A->block.col.dim);
  info = grid_paged_block_lmat(&block, entries, A, h, path);
  info = grid_matrix_adopt(A, &(grid_build){.mirror = h->flags & GRID_PAGES_SYMMETRIC}, &block, info);
  grid_lmat_free(&block);
  *done = info != GrB_OUT_OF_MEMORY;
  return *done ? info : GrB_SUCCESS;
}

GrB_Info grid_paged_open(GrB_Matrix A, const grid_pages_head *h, const char *path) {
  const bool is_hypersparse = h->flags & GRID_PAGES_HYPERSPARSE;
  grid_axis axes[2] = {A->block.row, A->block.col};
  grid_pages *g = NULL;
  bool done = false;
  GrB_Info info = GrB_SUCCESS;
  if (grid_ctx.C == 1) return open_rows(A, h, path);
  if (!is_hypersparse) info = open_block(A, h, path, &done);
  if (info != GrB_SUCCESS || done) return info;
  info = open_axes(axes, h, path);
  if (info == GrB_SUCCESS) info = grid_paged_block(&g, A, axes, h, path);
  info = grid_paged_adopt(A, g, axes, info);
  if (info == GrB_SUCCESS) A->properties.symmetric = h->flags & GRID_PAGES_SYMMETRIC;
  return info;
}

GrB_Info grid_paged_adopt(GrB_Matrix A, grid_pages *g, grid_axis axes[2], GrB_Info info) {
  const uint64_t local = g ? grid_pages_nvals(g) : 0;
  uint64_t v[2] = {local, g && 2 * bytes_to_load(g, axes && axes[1].ids) > grid_paged_budget_left()};
  info = grid_agree_sum(&A->head, info, v, 2);
  if (info != GrB_SUCCESS || !g) { /* g is NULL where it could not be made */
    for (int k = 0; axes && k < 2; k++) grid_free(axes[k].ids);
    grid_pages_free(g);
    return info;
  }
  grid_matrix_drop(A);
  A->pages = g;
  A->nvals = v[0];
  A->block.nvals = local;
  set_axes(A, axes ? axes : (const grid_axis[2]){A->block.row, A->block.col});
  if (!v[1] && (info = load_rows(A)) == GrB_OUT_OF_MEMORY) info = GrB_SUCCESS; /* A stays out of core */
  return info;
}

GrB_Info grid_paged_copy(GrB_Matrix C, GrB_Matrix A) {
  GrB_Info info = grid_pages_copy(&C->pages, A->pages);
  if (info == GrB_SUCCESS) info = grid_axis_copy(&C->block.row, &A->block.row);
  if (info == GrB_SUCCESS) info = grid_axis_copy(&C->block.col, &A->block.col);
  info = grid_agree(&A->head, info);
  if (info != GrB_SUCCESS) {
    drop_pages(C);
    return info;
  }
  C->nvals = A->nvals;
  C->properties.symmetric = A->properties.symmetric;
  C->block.nvals = A->block.nvals;
  return info;
}

static GrB_Info mark_ready(GrB_Matrix A) {
  const GrB_Info info = grid_degrees_mark(A, GrB_SUCCESS);
  if (info == GrB_SUCCESS)
    A->properties.ready = true;
  else
    grid_degrees_free(A);
  return info;
}

GrB_Info grid_paged_prepare(GrB_Matrix A) {
  const uint64_t q = grid_local_padded_size(A->nrows);
  GrB_Info info = grid_comm_buffers_make(&A->cached.buffers);
  if (info != GrB_SUCCESS || A->properties.ready) return info;
  if (grid_is_paged_hypersparse(A)) return mark_ready(A);
  uint32_t *degree = grid_calloc(q, sizeof *degree);
  info =
      grid_agree(&A->head, degree ? GrB_SUCCESS : grid_fail_memory(&A->head, "degrees", q, sizeof *degree));
  if (info != GrB_SUCCESS) {
    grid_free(degree);
    return info;
  }
  if (grid_ctx.C > 1)
    info = grid_degrees_sum_rows(A, grid_pages_lengths(A->pages), degree);
  else if (A->pages->rows)
    memcpy(degree, grid_pages_lengths(A->pages), A->pages->rows * sizeof *degree);
  if (info != GrB_SUCCESS) {
    grid_free(degree);
    return info;
  }
  A->degrees.row = degree;
  if (A->properties.symmetric) A->degrees.col = degree;
  return mark_ready(A);
}

uint64_t Grid_Matrix_bytes_read(bool *paged, GrB_Matrix A) {
  const bool is = A && grid_is_live(A) && A->pages;
  if (paged) *paged = is;
  return is ? A->pages->read : 0;
}

/* ---- tests --------------------------------------------------------------------------------------------- */

GrB_Info grid_paged_force(GrB_Matrix A, grid_pages **g) {
  const grid_local_matrix *b = &A->block;
  *g = NULL;
  if (!grid_tune.force_pages || grid_device_is_on() || A->delegates.split || !grid_has_degrees(A, true))
    return GrB_SUCCESS;
  uint64_t other = b->row.ids || b->col.ids || b->device || !grid_compressed_is_built(&b->by_row);
  GrB_Info info = grid_agree_sum(&A->head, GrB_SUCCESS, &other, 1);
  if (info != GrB_SUCCESS || other) return info;
  grid_pages *made;
  info = grid_pages_new(&made, "/tmp/", A->type, b->row.dim, b->col.dim);
  if (info == GrB_SUCCESS) info = grid_pages_append(made, 0, b, 0, b->row.dim);
  info = grid_agree(&A->head, info);
  if (info == GrB_SUCCESS)
    *g = made;
  else
    grid_pages_free(made);
  return info;
}
