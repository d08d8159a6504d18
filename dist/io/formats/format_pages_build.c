/* Page files from tuples that need not fit in memory: Grid_Pages_begin, _append, _end
 * (docs/how/outofcore.md). The tuples become sorted runs of keys, which pages_builder_write.c merges. */
#include "dist/io/formats/format_pages_build.h"

#include <stdio.h>
#include <string.h>

#include "dist/io/formats/formats.h"
#include "dist/io/formats/pages_builder.h"
#include "dist/matrix/storage/matrix_outofcore.h"
#include "dist/object/burble.h"
#include "semiring/support/mem.h"

/* Where tuples are renumbered, this fraction of it buffers them in their original order. */
enum { TUPLE_BUFFER_SHARE = 4 };

/* a grid_join times Grid_DUP_MAX */
enum { DUP_FLAGS = Grid_DUP_MAX | Grid_DUP_PLUS };

/* tuples renumbered per batch */
enum { RENUMBERED_TOGETHER = 1 << 14 };

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
  grid_free(b->names);
  grid_id_set_free(&b->id_set);
  grid_free(b->path);
  grid_free(b);
}

/* Opens the run writer; a quarter of the bytes is for the run reader. */
static GrB_Info open_runs(Grid_Pages_Builder b, uint64_t bytes) {
  const GrB_Info info = grid_run_writer_open(&b->run_writer, b->path, false, b->values, bytes - bytes / 4);
  b->run_writer.dup = b->dup;
  return info;
}

/* Do the pages number all rows and columns of a matrix with these dimensions? */
static bool fit32(uint64_t nrows, uint64_t ncols) {
  return grid_index_fits32(nrows) && grid_index_fits32(ncols);
}

/* Are these tuples so few that pages of all rows would be read into memory? */
static bool has_few_tuples(const Grid_Pages_Builder b, uint64_t tuples) {
  return !grid_can_be_paged(
      &(grid_pages_head){.nrows = b->nrows, .ncols = b->ncols, .nvals = b->mirror ? 2 * tuples : tuples});
}

/* Creates the builder, and its files unless `out` is given. */
GrB_Info grid_pages_build_begin(Grid_Pages_Builder *made, const char *path, grid_output *out,
                                const Grid_Edges *from, grid_shape_source shape, bool named, int flags) {
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
  b->symmetric = flags & Grid_MIRROR || from->symmetric || (from->skew && from->pattern);
  b->skew = from->skew && !b->symmetric;
  b->dup = (grid_join)((flags & DUP_FLAGS) / Grid_DUP_MAX);
  b->mirror = b->symmetric || b->skew;
  b->no_loops = flags & Grid_NO_LOOPS;
  b->by_degree = flags & Grid_BY_DEGREE;
  b->may_be_few =
      b->is_shape_given && fit32(b->nrows, b->ncols) && !named && !b->by_degree && has_few_tuples(b, 0);
  b->is_hypersparse = b->may_be_few || (b->is_shape_given && !fit32(b->nrows, b->ncols));
  b->is_renumbered = b->by_degree || b->is_hypersparse;
  b->ids = from->ids, b->ids_count = from->ids_count, b->base = from->base;
  b->shift = b->is_shape_given ? column_bits(b->ncols) : 32;
  TRY(grid_pages_free_bytes(&bytes));
  grid_tuple_buffer_begin(&b->tuple_buffer, b->path, b->values, b->is_hypersparse,
                          bytes / TUPLE_BUFFER_SHARE);
  if (!b->is_renumbered || b->may_be_few) TRY(open_runs(b, bytes));
  if (!out) TRY(grid_output_open(&b->owned, b->path, true));
  b->out = out ? out : &b->owned;
  *made = b;
  b = NULL;
done:
  build_free(b);
  return info;
}

static GrB_Info check_shape(const char *call, uint64_t nrows, uint64_t ncols, int flags) {
  if (nrows > GrB_INDEX_MAX + 1 || ncols > GrB_INDEX_MAX + 1)
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

GrB_Info grid_pages_check_flags(int flags, const char *call) {
  return grid_check_build_flags(NULL, flags, Grid_MIRROR | Grid_NO_LOOPS | Grid_BY_DEGREE | DUP_FLAGS, call);
}

/* Symmetric input is mirrored, so it must be square. */
GrB_Info grid_pages_check_edges(const char *path, const Grid_Edges *e, int flags) {
  if ((e->symmetric || e->skew) && e->nrows != e->ncols)
    return grid_fail(NULL, GrB_INVALID_VALUE,
                     "%s: a symmetric matrix must be square, this one is %llu x %llu", path,
                     (unsigned long long)e->nrows, (unsigned long long)e->ncols);
  return check_shape(path, e->nrows, e->ncols, flags);
}

/* A build with a failed step cannot be completed. */
static GrB_Info record_failure(Grid_Pages_Builder b, GrB_Info info) {
  if (info == GrB_SUCCESS || b->failed != GrB_SUCCESS) return info;
  b->failed = info;
  snprintf(b->error_text, sizeof b->error_text, "%s", Grid_last_error());
  return info;
}

GrB_Info Grid_Pages_begin(Grid_Pages_Builder *b, const char *path, uint64_t nrows, uint64_t ncols,
                          bool values, int flags) {
  GRID_CALL_SCOPE;
  static const char call[] = "Grid_Pages_begin";
  GrB_Info info = grid_check_initialized(call);
  if (info != GrB_SUCCESS) return info;
  if (!b || !path)
    info = grid_fail(NULL, GrB_NULL_POINTER, "%s: argument %s is NULL", call, b ? "path" : "b");
  if (info == GrB_SUCCESS) info = grid_pages_check_flags(flags, call);
  if (info == GrB_SUCCESS) info = check_shape(call, nrows, ncols, flags);
  const grid_argument same[] = {{"path", grid_text_value(path)},
                                {"nrows", nrows},
                                {"ncols", ncols},
                                {"values", values},
                                {"flags", (uint64_t)flags}};
  info = grid_agree_equal(NULL, info, same, sizeof same / sizeof *same, call);
  const Grid_Edges from = {.nrows = nrows, .ncols = ncols, .pattern = !values};
  if (info == GrB_SUCCESS)
    info = grid_pages_build_begin(b, path, NULL, &from, GRID_SHAPE_GIVEN, false, flags);
  return info;
}

GrB_Info Grid_Pages_set_names(Grid_Pages_Builder b, const uint64_t *names, uint64_t n) {
  static const char call[] = "Grid_Pages_set_names";
  GrB_Info info = grid_check_alive(call);
  if (info != GrB_SUCCESS) return info;
  if (!b || (n && !names))
    return grid_fail(NULL, GrB_NULL_POINTER, "%s: argument %s is NULL", call, b ? "names" : "b");
  uint64_t *copy = grid_malloc(n, sizeof *copy);
  if (!copy) return record_failure(b, grid_fail_memory(NULL, "names of vertices", n, sizeof *copy));
  grid_copy_bytes(copy, names, n * sizeof *copy);
  grid_free(b->names);
  b->ids = b->names = copy;
  b->ids_count = n;
  return GrB_SUCCESS;
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

static inline void append_key(Grid_Pages_Builder b, uint64_t row, uint64_t col, double value) {
  grid_run_writer_append(&b->run_writer, row << b->shift | col, value);
  b->tuples++;
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

/* Appends a tuple and its mirror image to one run, so that sums of both triangles add in the same order. */
static inline GrB_Info append_mirrored(Grid_Pages_Builder b, uint64_t r, uint64_t c, double x) {
  if (b->run_writer.capacity - b->run_writer.n < 2) {
    const GrB_Info info = grid_run_writer_reserve(&b->run_writer, 2);
    if (info != GrB_SUCCESS) return info;
  }
  append_key(b, r, c, x);
  if (b->mirror && r != c) append_key(b, c, r, b->skew ? -x : x);
  return GrB_SUCCESS;
}

static GrB_Info append_buffered(void *context, const uint64_t *key, const double *val, uint64_t n) {
  GrB_Info info = GrB_SUCCESS;
  for (uint64_t k = 0; k < n && info == GrB_SUCCESS; k++)
    info = append_mirrored(context, key[2 * k], key[2 * k + 1], val ? val[k] : 0);
  return info;
}

/* The tuples are too many for numbering the non-empty rows and columns alone: those that are buffered and all
 * others are appended as they are. */
static GrB_Info number_all_rows(Grid_Pages_Builder b) {
  const GrB_Info info = grid_tuple_buffer_visit(&b->tuple_buffer, append_buffered, b);
  b->run_writer.bytes_moved += b->tuple_buffer.written;
  grid_tuple_buffer_free(&b->tuple_buffer);
  b->is_hypersparse = b->is_renumbered = false;
  return info;
}

/* Buffers a tuple until all have arrived, or more than a few. */
static inline GrB_Info buffer_tuple(Grid_Pages_Builder b, uint64_t r, uint64_t c, double x) {
  grid_tuple_buffer *u = &b->tuple_buffer;
  const GrB_Info info = u->n == u->capacity ? grid_tuple_buffer_reserve(u) : GrB_SUCCESS;
  if (info != GrB_SUCCESS) return info;
  grid_tuple_buffer_append(u, r, c, x);
  b->loops += r == c;
  b->buffered++;
  return b->may_be_few && !has_few_tuples(b, b->buffered) ? number_all_rows(b) : info;
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
  if (b->failed != GrB_SUCCESS) return grid_fail(NULL, b->failed, "%s", b->error_text);
  return record_failure(b, grid_pages_build_append(b, rows, cols, values, n));
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

/* Where the tuples of a process were few, are those of all? Named rows are all in the file. */
static GrB_Info choose_numbers(Grid_Pages_Builder b) {
  uint64_t sums[2] = {b->buffered, b->names != NULL};
  GrB_Info info = b->may_be_few ? grid_agree_sum(NULL, GrB_SUCCESS, sums, 2) : GrB_SUCCESS;
  if (info != GrB_SUCCESS || !b->may_be_few || (has_few_tuples(b, sums[0]) && !sums[1])) return info;
  return grid_agree(NULL, b->is_renumbered ? number_all_rows(b) : info);
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
  grid_run_writer_close(&b->run_writer);
  TRY(grid_pages_free_bytes(&bytes));
  TRY(open_runs(b, bytes));
  TRY(grid_agree(NULL, grid_tuple_buffer_visit(u, put_renumbered, b)));
  b->run_writer.bytes_moved += u->written;
  grid_tuple_buffer_free(u);
done:
  return info;
}

GrB_Info grid_pages_build_end(Grid_Pages_Builder b, GrB_Info outcome, Grid_Pages_Build_Stats *how) {
  Grid_Pages_Build_Stats built = {0};
  if (outcome == GrB_SUCCESS && b->failed != GrB_SUCCESS)
    outcome = grid_fail(NULL, b->failed, "%s", b->error_text);
  GrB_Info info = find_shape(b, outcome);
  if (info == GrB_SUCCESS) info = choose_numbers(b);
  if (info == GrB_SUCCESS && b->is_renumbered) info = renumber(b);
  if (info == GrB_SUCCESS) info = grid_pages_builder_write(b, &built);
  if (b->out == &b->owned) info = grid_output_close(b->out, info);
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
  if (!b || !*b) info = grid_fail(NULL, GrB_NULL_POINTER, "%s: argument b is NULL", call);
  if ((info = grid_agree(NULL, info)) != GrB_SUCCESS) return info;
  info = GRID_TRACE_CALL(call, grid_pages_build_end(*b, outcome, how), NULL);
  *b = NULL;
  return info;
}

/* ---- from edges (the table of formats) ---- */

GrB_Info grid_write_pages(const Grid_Edges *e, grid_output *o, grid_packing packing,
                          const grid_format_row *row) {
  (void)packing, (void)row;
  Grid_Pages_Builder b = NULL;
  uint64_t named = e->ids != NULL;
  GrB_Info info = grid_pages_check_edges(o->path, e, 0);
  if (info == GrB_SUCCESS) info = grid_agree_sum(NULL, info, &named, 1);
  if (info == GrB_SUCCESS) info = grid_pages_build_begin(&b, o->path, o, e, GRID_SHAPE_GIVEN, named, 0);
  if (info != GrB_SUCCESS) return info;
  b->has_edges = e->nrows == e->ncols; /* names are those of the vertices of a graph */
  info = grid_pages_build_append(b, e->rows, e->cols, e->values, e->n);
  return grid_pages_build_end(b, info, NULL);
}
