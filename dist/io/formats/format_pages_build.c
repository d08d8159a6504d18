/* Page files from tuples that need not fit in memory: Grid_Pages_begin, _append, _end
 * (docs/how/outofcore.md). */
#include "dist/io/formats/format_pages_build.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "dist/io/formats/degree_numbering.h"
#include "dist/io/formats/formats.h"
#include "dist/io/formats/format_pages_write.h"
#include "dist/io/formats/nonempty_lists.h"
#include "dist/object/burble.h"
#include "dist/outofcore/file/memory_budget.h"
#include "dist/outofcore/pages/vertex_names.h"
#include "dist/outofcore/sort/sort_runs.h"
#include "semiring/support/mem.h"
#include "semiring/support/tuning.h"

/* Lower bound of the memory for tuples; without a budget it is half of the free memory. */
enum { MIN_BYTES = 1 << 16 };

/* Where tuples are renumbered, this fraction of it buffers them in their original order. */
enum { TUPLE_BUFFER_SHARE = 4 };

/* tuples renumbered per batch */
enum { RENUMBERED_TOGETHER = 1 << 14 };

/* Bytes per tuple, and per value, while a range is merged: read twice (one range is read while the other
 * is processed), sorted, as a local matrix, encoded. */
enum { MERGED_KEY = 36, MERGED_VALUE = 40 };

struct Grid_Pages_Builder_opaque {
  char *path;
  grid_output *out, own; /* output file: the caller's, or `own` */
  grid_run_writer run_writer;
  uint64_t nrows, ncols, bytes, tuples;
  int shift;
  bool values, mirror, skew, no_loops, symmetric;
  bool is_shape_given, by_names, by_numbers; /* grid_shape_source */
  bool exceeds_32_bits;
  GrB_Info failed; /* outcome of a failed Grid_Pages_append: the file cannot be completed */
  char error_text[240];
  uint64_t largest;
  grid_id_set id_set;
  /* renumbered tuples: buffered until all have arrived, then a batch of them */
  bool is_renumbered;
  grid_tuple_buffer tuple_buffer;
  uint64_t *rows, *cols;
  /* dimensions beyond 32 bits: the pages number the non-empty rows and columns alone */
  bool is_hypersparse;
  grid_nonempty_lists nonempty;
  uint64_t loops; /* buffered tuples on the diagonal */
  /* degree ordering: the order; the original vertex names, this process's share (the caller's), or NULL:
   * numbers from `base` on */
  bool by_degree;
  bool has_edges; /* all come from one Grid_Edges, with its vertices' names */
  grid_by_degree order;
  const uint64_t *ids;
  uint64_t ids_count, base;
};

/* Memory for tuples, the same on all processes. */
GrB_Info grid_pages_free_bytes(uint64_t *bytes) {
  const uint64_t budget = grid_budget(), used = grid_mem_bytes(), left = budget > used ? budget - used : 0,
                 mine = grid_budget_is_set() ? left : left / 2;
  *bytes = mine > MIN_BYTES ? mine : MIN_BYTES;
  return grid_ctx.P > 1 ? grid_ctx.transport->allreduce(GRID_SET_ALL, bytes, 1, GRID_MIN) : GrB_SUCCESS;
}

/* Bits of a column's number, at least 1. */
static int column_bits(uint64_t ncols) {
  int bits = 1;
  while (bits < 64 && ncols > UINT64_C(1) << bits) bits++;
  return bits;
}

/* ---- begin ---- */

static void build_free(Grid_Pages_Builder b) {
  if (!b) return;
  grid_run_writer_close(&b->run_writer);
  grid_tuple_buffer_free(&b->tuple_buffer);
  grid_by_degree_free(&b->order);
  grid_nonempty_lists_free(&b->nonempty);
  grid_free(b->rows);
  grid_free(b->cols);
  grid_id_set_free(&b->id_set);
  grid_free(b->path);
  grid_free(b);
}

/* Opens the run writer; a quarter of the bytes is for the run reader. */
static GrB_Info open_runs(Grid_Pages_Builder b, uint64_t bytes) {
  return grid_run_writer_open(&b->run_writer, b->path, false, b->values, bytes - bytes / 4);
}

/* Do the pages number all rows and columns of a matrix with these dimensions? */
static bool fit32(uint64_t nrows, uint64_t ncols) {
  return grid_index_fits32(nrows) && grid_index_fits32(ncols);
}

/* Creates the builder, and its files unless `out` is given. */
GrB_Info grid_pages_build_begin(Grid_Pages_Builder *made, const char *path, grid_output *out,
                                const Grid_Edges *from, grid_shape_source shape, int flags) {
  const size_t length = strlen(path) + 1;
  Grid_Pages_Builder b = grid_calloc(1, sizeof *b);
  uint64_t bytes;
  GrB_Info info;
  if (b && (b->path = grid_malloc(length, 1))) memcpy(b->path, path, length);
  TRY(grid_agree(NULL, b && b->path ? GrB_SUCCESS : grid_fail_memory(NULL, "a file's name", length, 1)));
  if (!b) return GrB_OUT_OF_MEMORY; /* for static analysis */
  b->is_shape_given = shape == GRID_SHAPE_GIVEN;
  b->by_numbers = shape == GRID_SHAPE_BY_NUMBERS, b->by_names = shape == GRID_SHAPE_BY_NAMES;
  if (b->is_shape_given) b->nrows = from->nrows, b->ncols = from->ncols;
  b->values = !from->pattern;
  b->symmetric = flags & Grid_MIRROR || from->symmetric;
  b->skew = from->skew && !b->symmetric;
  b->mirror = b->symmetric || b->skew;
  b->no_loops = flags & Grid_NO_LOOPS;
  b->by_degree = flags & Grid_BY_DEGREE;
  b->is_hypersparse = b->is_shape_given && !fit32(b->nrows, b->ncols);
  b->is_renumbered = b->by_degree || b->is_hypersparse;
  b->ids = from->ids, b->ids_count = from->ids_count, b->base = from->base;
  b->shift = b->is_shape_given ? column_bits(b->ncols) : 32;
  TRY(grid_pages_free_bytes(&bytes));
  grid_tuple_buffer_begin(&b->tuple_buffer, b->path, b->values, b->is_hypersparse,
                          bytes / TUPLE_BUFFER_SHARE);
  if (!b->is_renumbered) TRY(open_runs(b, bytes));
  if (!out) TRY(grid_output_open(&b->own, b->path, true));
  b->out = out ? out : &b->own;
  *made = b;
  b = NULL;
done:
  build_free(b);
  return info;
}

static GrB_Info check_shape(const char *call, uint64_t nrows, uint64_t ncols, int flags) {
  if (nrows > GrB_INDEX_MAX || ncols > GrB_INDEX_MAX)
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: %llu x %llu is more than 2^60 rows or columns", call,
                     (unsigned long long)nrows, (unsigned long long)ncols);
  if (flags & Grid_BY_DEGREE && !fit32(nrows, ncols))
    return grid_fail(NULL, GrB_NOT_IMPLEMENTED,
                     "%s: Grid_BY_DEGREE numbers at most 2^32 - 1 vertices, not %llu", call,
                     (unsigned long long)nrows);
  if (flags & (Grid_MIRROR | Grid_BY_DEGREE) && nrows != ncols)
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: %s is for square matrices, not %llu x %llu", call,
                     flags & Grid_MIRROR ? "Grid_MIRROR" : "Grid_BY_DEGREE", (unsigned long long)nrows,
                     (unsigned long long)ncols);
  return GrB_SUCCESS;
}

/* Symmetric input is mirrored, so it must be square. */
GrB_Info grid_pages_check_edges(const char *path, const Grid_Edges *e, int flags) {
  if ((e->symmetric || e->skew) && e->nrows != e->ncols)
    return grid_fail(NULL, GrB_INVALID_VALUE,
                     "%s: a symmetric matrix must be square, this one is %llu x %llu", path,
                     (unsigned long long)e->nrows, (unsigned long long)e->ncols);
  return check_shape(path, e->nrows, e->ncols, flags);
}

GrB_Info Grid_Pages_begin(Grid_Pages_Builder *b, const char *path, uint64_t nrows, uint64_t ncols,
                          bool values, int flags) {
  GRID_CALL_SCOPE;
  static const char call[] = "Grid_Pages_begin";
  GrB_Info info = grid_check_initialized(call);
  if (info != GrB_SUCCESS) return info;
  if (!b || !path)
    return grid_fail(NULL, GrB_NULL_POINTER, "%s: argument %s is NULL", call, b ? "path" : "b");
  info = check_shape(call, nrows, ncols, flags);
  const Grid_Edges from = {.nrows = nrows, .ncols = ncols, .pattern = !values};
  return info == GrB_SUCCESS ? grid_pages_build_begin(b, path, NULL, &from, GRID_SHAPE_GIVEN, flags) : info;
}

/* ---- tuples ---- */

static GrB_Info fail_out_of_range(const Grid_Pages_Builder b, uint64_t row, uint64_t col) {
  return grid_fail(NULL, GrB_INDEX_OUT_OF_BOUNDS, "Grid_Pages_append: (%llu, %llu) is outside %llu x %llu",
                   (unsigned long long)row, (unsigned long long)col, (unsigned long long)b->nrows,
                   (unsigned long long)b->ncols);
}

/* Records a tuple's names where dimensions are unknown; fails if they exceed 32 bits. */
static GrB_Info add_names(Grid_Pages_Builder b, uint64_t row, uint64_t col) {
  const uint64_t most = row > col ? row : col;
  if (most >= UINT32_MAX) {
    b->exceeds_32_bits = true;
    return grid_fail(NULL, GrB_INVALID_VALUE,
                     "%s: a page file has at most 2^32 - 1 rows and columns; there is a vertex %llu", b->path,
                     (unsigned long long)most);
  }
  if (most > b->largest) b->largest = most;
  if (!b->by_names) return GrB_SUCCESS;
  GrB_Info info = most / 64 < b->id_set.words ? GrB_SUCCESS : grid_id_set_reserve(&b->id_set, most);
  if (info != GrB_SUCCESS) return info;
  grid_id_set_add(&b->id_set, row);
  grid_id_set_add(&b->id_set, col);
  return info;
}

static inline GrB_Info append_key(Grid_Pages_Builder b, uint64_t row, uint64_t col, double value) {
  if (b->run_writer.n == b->run_writer.capacity) {
    const GrB_Info info = grid_run_writer_reserve(&b->run_writer);
    if (info != GrB_SUCCESS) return info;
  }
  grid_run_writer_append(&b->run_writer, row << b->shift | col, value);
  b->tuples++;
  return GrB_SUCCESS;
}

/* Fast path for patterns of known dimensions: appends tuples while the buffer has space, up to the first
 * one out of range. Returns their number. */
static uint64_t append_plain(Grid_Pages_Builder b, const uint64_t *rows, const uint64_t *cols, uint64_t n) {
  grid_run_writer *s = &b->run_writer;
  const uint64_t most = (s->capacity - s->n) / 2, nrows = b->nrows, ncols = b->ncols;
  const bool no_loops = b->no_loops, mirror = b->mirror;
  const int shift = b->shift;
  uint64_t *key = s->key + s->n, *to = key, largest = s->largest, k = 0;
  for (n = n < most ? n : most; k < n; k++) {
    const uint64_t r = rows[k], c = cols[k], key_of_entry = r << shift | c, mirrored = c << shift | r;
    if (r >= nrows || c >= ncols) break;
    const bool loop = r == c, both = mirror && !loop;
    *to = key_of_entry;
    to += !(loop && no_loops);
    largest = key_of_entry > largest ? key_of_entry : largest;
    if (!both) continue;
    *to++ = mirrored;
    largest = mirrored > largest ? mirrored : largest;
  }
  s->n += (uint64_t)(to - key);
  b->tuples += (uint64_t)(to - key);
  s->largest = largest;
  return k;
}

/* Appends a tuple and its mirror image. */
static inline GrB_Info append_mirrored(Grid_Pages_Builder b, uint64_t r, uint64_t c, double x) {
  const GrB_Info info = append_key(b, r, c, x);
  return b->mirror && r != c && info == GrB_SUCCESS ? append_key(b, c, r, b->skew ? -x : x) : info;
}

/* Buffers a tuple until all have arrived. */
static inline GrB_Info buffer_tuple(Grid_Pages_Builder b, uint64_t r, uint64_t c, double x) {
  grid_tuple_buffer *u = &b->tuple_buffer;
  const GrB_Info info = u->n == u->capacity ? grid_tuple_buffer_reserve(u) : GrB_SUCCESS;
  if (info == GrB_SUCCESS) grid_tuple_buffer_append(u, r, c, x);
  b->loops += r == c;
  return info;
}

GrB_Info grid_pages_build_append(Grid_Pages_Builder b, const uint64_t *rows, const uint64_t *cols,
                                 const double *values, uint64_t n) {
  const bool known = b->is_shape_given;
  GrB_Info info = GrB_SUCCESS;
  for (uint64_t k = 0; k < n && info == GrB_SUCCESS; k++) {
    if (known && !b->values && !b->is_renumbered && (k += append_plain(b, rows + k, cols + k, n - k)) == n)
      break;
    const uint64_t r = rows[k], c = cols[k];
    const double x = b->values ? values[k] : 0;
    if (known ? r >= b->nrows || c >= b->ncols : (info = add_names(b, r, c)) != GrB_SUCCESS)
      return known ? fail_out_of_range(b, r, c) : info;
    if (r == c && b->no_loops) continue;
    info = b->is_renumbered ? buffer_tuple(b, r, c, x) : append_mirrored(b, r, c, x);
  }
  return info;
}

GrB_Info Grid_Pages_append(Grid_Pages_Builder b, const uint64_t *rows, const uint64_t *cols,
                           const double *values, uint64_t n) {
  static const char call[] = "Grid_Pages_append";
  GrB_Info info = grid_check_alive(call);
  if (info != GrB_SUCCESS) return info;
  if (!b || (n && (!rows || !cols || (b->values && !values))))
    return grid_fail(NULL, GrB_NULL_POINTER, "%s: argument %s is NULL", call,
                     !b      ? "b"
                     : !rows ? "rows"
                     : !cols ? "cols"
                             : "values");
  if (b->failed == GrB_SUCCESS) {
    b->failed = grid_pages_build_append(b, rows, cols, values, n);
    if (b->failed != GrB_SUCCESS) snprintf(b->error_text, sizeof b->error_text, "%s", Grid_last_error());
    return b->failed;
  }
  return grid_fail(NULL, b->failed, "%s", b->error_text);
}

/* ---- end ---- */

/* Determines the dimensions if they were not given. */
static GrB_Info find_shape(Grid_Pages_Builder b, GrB_Info info) {
  if (b->by_names) {
    info = grid_id_set_merge(&b->id_set, info);
    b->nrows = b->id_set.n;
  } else {
    info = grid_agree(NULL, info);
    if (info == GrB_SUCCESS && b->by_numbers)
      info = grid_ctx.transport->allreduce(GRID_SET_ALL, &b->largest, 1, GRID_MAX);
    if (b->by_numbers) b->nrows = b->largest + 1;
  }
  if (b->by_names || b->by_numbers) b->ncols = b->nrows;
  if (info != GrB_SUCCESS || b->is_shape_given || b->nrows) return info;
  return grid_fail(NULL, GrB_INVALID_VALUE, "%s: the graph has no vertices", b->path);
}

/* Renumbers n tuples, from number `from` of the keys on. Threads hide the latency of look-ups, which rarely
 * hit a cache. */
static void number_tuples(Grid_Pages_Builder b, const uint64_t *key, uint64_t from, uint64_t n) {
  const grid_id_set *names = b->by_names ? &b->id_set : NULL;
  const uint32_t *rank = b->order.rank;
#pragma omp parallel for schedule(static) num_threads(grid_ctx.threads) if (n > 1 << 10)
  for (uint64_t k = 0; k < n; k++) {
    const uint64_t *at = key + (b->is_hypersparse ? 2 * (from + k) : from + k), r = *at >> 32,
                   c = *at & UINT32_MAX;
    if (b->is_hypersparse) {
      b->rows[k] = at[0], b->cols[k] = at[1];
      grid_nonempty_lists_number(&b->nonempty, &b->rows[k], &b->cols[k]);
      continue;
    }
    b->rows[k] = rank[names ? grid_id_set_rank(names, r) : r];
    b->cols[k] = rank[names ? grid_id_set_rank(names, c) : c];
  }
}

/* Renumbers buffered tuples and appends them. */
static GrB_Info put_renumbered(void *context, const uint64_t *key, const double *val, uint64_t n) {
  Grid_Pages_Builder b = context;
  GrB_Info info = GrB_SUCCESS;
  for (uint64_t from = 0, batch; from < n && info == GrB_SUCCESS; from += batch) {
    batch = n - from < RENUMBERED_TOGETHER ? n - from : RENUMBERED_TOGETHER;
    number_tuples(b, key, from, batch);
    for (uint64_t k = 0; k < batch && info == GrB_SUCCESS; k++) {
      if (!val && (k += append_plain(b, b->rows + k, b->cols + k, batch - k)) == batch) break;
      info = append_mirrored(b, b->rows[k], b->cols[k], val ? val[from + k] : 0);
    }
  }
  return info;
}

/* Orders the vertices by degree, or lists the non-empty rows and columns, and renumbers all tuples. */
static GrB_Info renumber(Grid_Pages_Builder b) {
  grid_tuple_buffer *u = &b->tuple_buffer;
  uint64_t bytes;
  GrB_Info info;
  if (b->is_hypersparse)
    TRY(grid_nonempty_lists_make(&b->nonempty, u, b->mirror));
  else
    TRY(grid_by_degree_make(&b->order, u, b->by_names ? &b->id_set : NULL, b->nrows));
  b->no_loops = false; /* none are buffered, and new numbers of a row and a column may be equal */
  b->shift = column_bits(b->is_hypersparse ? grid_nonempty_columns(&b->nonempty)->total : b->ncols);
  b->rows = grid_malloc(RENUMBERED_TOGETHER, sizeof *b->rows);
  b->cols = grid_malloc(RENUMBERED_TOGETHER, sizeof *b->cols);
  info = b->rows && b->cols ? GrB_SUCCESS : grid_fail_memory(NULL, "tuples", RENUMBERED_TOGETHER, 16);
  TRY(grid_agree(NULL, info));
  TRY(grid_pages_free_bytes(&bytes));
  TRY(open_runs(b, bytes));
  TRY(grid_agree(NULL, grid_tuple_buffer_visit(u, put_renumbered, b)));
  b->run_writer.bytes_moved += u->written;
  grid_tuple_buffer_free(u);
done:
  return info;
}

/* *name: each vertex's original name, on every process; NULL: its number + base. */
static GrB_Info find_names(Grid_Pages_Builder b, uint64_t **name) {
  uint64_t given = b->ids != NULL;
  *name = NULL;
  GrB_Info info = grid_ctx.transport->allreduce(GRID_SET_ALL, &given, 1, GRID_MAX);
  if (info != GrB_SUCCESS || (!given && !b->by_names)) return info;
  if (given) return grid_gather_elements(b->ids, b->ids_count, sizeof **name, (void **)name);
  *name = grid_malloc(b->nrows, sizeof **name);
  if (*name) grid_id_set_list(*name, &b->id_set);
  return grid_agree(NULL, *name ? info : grid_fail_memory(NULL, "names of vertices", b->nrows, 8));
}

static GrB_Info write_names(Grid_Pages_Builder b, const grid_pages_head *h, const uint64_t *name) {
  const uint64_t first = b->is_hypersparse ? grid_names_share(h, grid_ctx.k, grid_ctx.P).first : 0;
  const grid_names x = {b->order.order, name, b->base, first};
  const int error = grid_names_write(&x, h, &b->out->store, grid_ctx.k, grid_ctx.P);
  if (error == ENOMEM) return grid_fail_memory(NULL, "names of vertices", GRID_NAMES_PER_CHECKSUM, 8);
  if (error) return grid_fail(NULL, GrB_INVALID_VALUE, "%s: cannot write: %s", b->path, strerror(error));
  return GrB_SUCCESS;
}

/* The flags of the file's header. */
static uint64_t flags_of(const Grid_Pages_Builder b, const uint64_t *name) {
  uint64_t flags = (b->symmetric ? GRID_PAGES_SYMMETRIC : 0) | (b->values ? GRID_PAGES_VALUES : 0);
  if (b->is_hypersparse) return flags | GRID_PAGES_HYPERSPARSE;
  if (b->by_degree || name) flags |= GRID_PAGES_NAMES;
  for (uint64_t v = 0; name && v < b->nrows; v++)
    if (name[v] > UINT32_MAX) flags |= GRID_PAGES_NAMES64;
  return flags;
}

/* Merges the sorted runs range by range and writes the rows. */
static GrB_Info merge(Grid_Pages_Builder b, grid_pages_writer *w, uint64_t rows, uint64_t bytes) {
  grid_run_reader *r = NULL;
  const grid_run_range *range;
  GrB_Info info = grid_run_reader_begin(&r, &b->run_writer, b->shift, rows, bytes,
                                        MERGED_KEY + (b->values ? MERGED_VALUE : 0));
  while (info == GrB_SUCCESS && (info = grid_run_reader_next(r, &range)) == GrB_SUCCESS && range) {
    const uint64_t base = range->row << b->shift, last = (range->end << b->shift) - 1;
    grid_sorted s;
    info = range->stretch ? grid_merge_runs(&s, range, base)
                          : grid_sort_run(&s, range->key, range->val, range->n, base, last);
    if (info != GrB_SUCCESS) break;
    info = grid_pages_append_rows(w, range->row, range->end, &s);
    if (info != GrB_SUCCESS && w->error)
      info = grid_fail(NULL, GrB_INVALID_VALUE, "%s: cannot write: %s", b->path, strerror(w->error));
    grid_sorted_free(&s);
  }
  grid_run_reader_end(r);
  return info;
}

/* Names 0 .. n - 1 need no renumbering. */
static bool has_numeric_names(const grid_id_set *s, uint64_t largest) {
  return s->n == largest + 1;
}

/* The file's pages number the listed rows and columns, which are written as names: there is no space for
 * those of vertices as well. */
static GrB_Info list_rows(const Grid_Pages_Builder b, uint64_t **name, grid_pages_head *h,
                          grid_pages_writer *w) {
  if (*name)
    return grid_fail(NULL, GrB_NOT_IMPLEMENTED,
                     "%s: a page file of more than 2^32 - 1 rows has no names of vertices", b->path);
  h->flags = GRID_PAGES_HYPERSPARSE;
  h->rows = grid_nonempty_rows(&b->nonempty)->total, h->cols = grid_nonempty_columns(&b->nonempty)->total;
  w->has_loops = true, w->loops = b->loops;
  return grid_nonempty_lists_names(name, &b->nonempty, h);
}

static GrB_Info write_pages(Grid_Pages_Builder b, Grid_Pages_Build_Stats *how) {
  grid_run_writer *s = &b->run_writer;
  grid_pages_writer w = {.shift = b->shift, .size = b->values ? sizeof(double) : 0, .to = &b->out->store};
  grid_store own = {.n = 1};
  grid_pages_head h = {.nrows = b->nrows, .ncols = b->ncols, .rows = b->nrows, .cols = b->ncols};
  uint64_t bytes, rows = b->nrows, sums[4], *name = NULL;
  GrB_Info info;
  if (b->is_renumbered) TRY(renumber(b));
  if (b->by_degree || b->has_edges) TRY(find_names(b, &name));
  if (b->is_hypersparse) TRY(list_rows(b, &name, &h, &w));
  rows = h.rows;
  w.shift = b->shift;
  TRY(grid_pages_free_bytes(&bytes));
  bytes += s->n * (sizeof *s->key + (b->values ? sizeof *s->val : 0));
  TRY(grid_run_writer_finish(s, GrB_SUCCESS, bytes / (MERGED_KEY + (b->values ? MERGED_VALUE : 0))));
  TRY(grid_pages_free_bytes(&bytes));
  if (b->by_names && !b->by_degree) {
    TRY(grid_ctx.transport->allreduce(GRID_SET_ALL, &b->largest, 1, GRID_MAX));
    if (!has_numeric_names(&b->id_set, b->largest)) w.names = &b->id_set, rows = b->largest + 1;
  }
  h.flags = flags_of(b, name);
  if (grid_ctx.k == 0) /* its pages are written where they belong */
    w.start =
        grid_pages_first(&h, s->samples * grid_tune.run_sample_step + s->n, 4 * (uint64_t)grid_ctx.P + 64);
  else
    own.fd[0] = s->fd[grid_ctx.k], w.to = &own, w.start = s->end;
  info = merge(b, &w, rows, bytes);
  info = grid_pages_finish(&w, &h, b->out, info);
  if (grid_pages_name_size(&h) && info == GrB_SUCCESS) info = write_names(b, &h, name);
  sums[0] = b->tuples, sums[1] = grid_ctx.P > 1 && grid_ctx.k ? 0 : s->runs, sums[2] = s->bytes_moved;
  TRY(grid_agree_sum(NULL, info, sums, 3));
  *how = (Grid_Pages_Build_Stats){sums[0], sums[1], sums[2]};
done:
  grid_free(name);
  grid_pages_writer_free(&w);
  return info;
}

GrB_Info grid_pages_build_end(Grid_Pages_Builder b, GrB_Info outcome, Grid_Pages_Build_Stats *how) {
  Grid_Pages_Build_Stats built = {0};
  if (outcome == GrB_SUCCESS && b->failed != GrB_SUCCESS)
    outcome = grid_fail(NULL, b->failed, "%s", b->error_text);
  GrB_Info info = find_shape(b, outcome);
  if (info == GrB_SUCCESS) info = write_pages(b, &built);
  if (b->out == &b->own) info = grid_output_close(b->out, info);
  if (how) *how = built;
  build_free(b);
  return info;
}

bool grid_pages_build_exceeds_32_bits(const Grid_Pages_Builder b) {
  return b->by_names && b->exceeds_32_bits;
}

void grid_pages_build_cancel(Grid_Pages_Builder b) {
  grid_output_close(b->out, GrB_INVALID_VALUE);
  build_free(b);
}

GrB_Info Grid_Pages_end(Grid_Pages_Builder *b, GrB_Info outcome, Grid_Pages_Build_Stats *how) {
  GRID_CALL_SCOPE;
  static const char call[] = "Grid_Pages_end";
  GrB_Info info = grid_check_initialized(call);
  if (info != GrB_SUCCESS) return info;
  if (!b || !*b) return grid_fail(NULL, GrB_NULL_POINTER, "%s: argument b is NULL", call);
  info = GRID_TRACE_CALL(call, grid_pages_build_end(*b, outcome, how), NULL);
  *b = NULL;
  return info;
}

/* ---- from edges (the table of formats) ---- */

GrB_Info grid_write_pages(const Grid_Edges *e, grid_output *o, grid_packing packing,
                          const grid_format_row *row) {
  (void)packing, (void)row;
  Grid_Pages_Builder b = NULL;
  GrB_Info info = grid_pages_check_edges(o->path, e, 0);
  if (info == GrB_SUCCESS) info = grid_pages_build_begin(&b, o->path, o, e, GRID_SHAPE_GIVEN, 0);
  if (info != GrB_SUCCESS) return info;
  b->has_edges = e->nrows == e->ncols; /* names are those of the vertices of a graph */
  info = grid_pages_build_append(b, e->rows, e->cols, e->values, e->n);
  return grid_pages_build_end(b, info, NULL);
}
