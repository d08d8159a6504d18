/* The last step of building a page file: the sorted runs are merged range by range into rows (sort_runs.h),
 * and the names of vertices follow. */
#include "dist/io/formats/pages_builder.h"

#include <errno.h>
#include <string.h>

#include "dist/io/formats/format_pages_write.h"
#include "dist/io/formats/names_to_writers.h"
#include "dist/outofcore/file/memory_budget.h"
#include "dist/outofcore/pages/vertex_names.h"
#include "semiring/support/mem.h"
#include "semiring/support/tuning.h"

/* Lower bound of the memory for tuples; without a budget it is half of the free memory. */
enum { MIN_BYTES = 1 << 16 };

/* Bytes per tuple, and per value, while a range is merged: read twice (one range is read while the other
 * is processed), sorted, as a local matrix, encoded. */
enum { MERGED_KEY = 36, MERGED_VALUE = 40 };

/* Memory for tuples, the same on all processes. */
GrB_Info grid_pages_free_bytes(uint64_t *bytes) {
  const uint64_t budget = grid_budget(), used = grid_mem_bytes(), left = budget > used ? budget - used : 0,
                 share = grid_budget_is_set() ? left : left / 2;
  *bytes = share > MIN_BYTES ? share : MIN_BYTES;
  return grid_ctx.P > 1 ? grid_ctx.transport->allreduce(GRID_SET_ALL, bytes, 1, GRID_MIN) : GrB_SUCCESS;
}

/* Where the vertices' names come from: each is its number + base, or they are the program's, or those of the
 * converted tuples (before the order by degree). The same on all processes. */
typedef enum { NUMBERED, OF_PROGRAM, OF_TUPLES } name_source;

static GrB_Info find_names(const Grid_Pages_Builder b, name_source *from) {
  const bool is_named = (b->by_degree || b->has_edges || b->names) && b->ids;
  uint64_t sums[2] = {is_named, is_named ? b->ids_count : 0};
  const GrB_Info info = grid_agree_sum(NULL, GrB_SUCCESS, sums, 2);
  *from = sums[0] ? OF_PROGRAM : b->by_names && b->by_degree ? OF_TUPLES : NUMBERED;
  if (info != GrB_SUCCESS || !sums[0] || (sums[1] == b->nrows && b->nrows == b->ncols)) return info;
  return grid_fail(
      NULL, GrB_DIMENSION_MISMATCH,
      "%s: %llu names of vertices for a matrix of %llu x %llu: each row of a square matrix has one", b->path,
      (unsigned long long)sums[1], (unsigned long long)b->nrows, (unsigned long long)b->ncols);
}

/* A list of all names of the tuples. */
static GrB_Info list_names(const Grid_Pages_Builder b, uint64_t **name) {
  *name = grid_malloc(b->nrows, sizeof **name);
  if (*name) grid_id_set_list(*name, &b->id_set);
  return grid_agree(NULL, *name ? GrB_SUCCESS : grid_fail_memory(NULL, "names of vertices", b->nrows, 8));
}

/* *name: the program's names, from the first-th on, that this process writes: any where an order by degree
 * moves them, else a range of them. */
static GrB_Info collect_names(const Grid_Pages_Builder b, const grid_pages_head *h, uint64_t **name,
                              uint64_t *first) {
  uint64_t held = b->ids ? b->ids_count : 0, *counts = NULL, n = 0, before = 0;
  *first = 0;
  if (b->by_degree) return grid_gather_elements(b->ids, held, sizeof **name, (void **)name);
  GrB_Info info;
  TRY(grid_gather_elements(&held, 1, sizeof held, (void **)&counts));
  for (int p = 0; p < grid_ctx.k; p++) before += counts[p];
  info = grid_names_to_writers(name, &n, b->ids, before, held, h);
  *first = grid_names_share(h, grid_ctx.k, grid_ctx.P).first;
done:
  grid_free(counts);
  return info;
}

static GrB_Info write_names(const Grid_Pages_Builder b, const grid_pages_head *h, const grid_names *x) {
  const int error = grid_names_write(x, h, &b->out->store, grid_ctx.k, grid_ctx.P);
  if (error == ENOMEM) return grid_fail_memory(NULL, "names of vertices", GRID_NAMES_PER_CHECKSUM, 8);
  if (error) return grid_fail(NULL, GrB_INVALID_VALUE, "%s: cannot write: %s", b->path, strerror(error));
  return GrB_SUCCESS;
}

/* lists: the numbers of a hypersparse file's rows and columns that this process writes. */
static GrB_Info write_all_names(const Grid_Pages_Builder b, const grid_pages_head *h, name_source from,
                                const uint64_t *lists) {
  uint64_t *name = NULL;
  grid_names x = {.order = b->order.order, .name = lists, .base = b->base};
  GrB_Info info = GrB_SUCCESS;
  if (lists) x.first = grid_names_share(h, grid_ctx.k, grid_ctx.P).first;
  if (from == OF_PROGRAM) TRY(collect_names(b, h, &name, &x.first));
  if (from == OF_TUPLES) TRY(list_names(b, &name));
  if (from != NUMBERED) x.name = name;
  info = write_names(b, h, &x);
done:
  grid_free(name);
  return info;
}

/* The flags of the file's header. Collective: the largest name decides on the size of all; those of tuples
 * have 32 bits. */
static GrB_Info find_flags(const Grid_Pages_Builder b, name_source from, uint64_t *flags) {
  uint64_t largest = 0;
  *flags = (b->symmetric ? GRID_PAGES_SYMMETRIC : 0) | (b->values ? GRID_PAGES_VALUES : 0);
  if (b->is_hypersparse) *flags |= GRID_PAGES_HYPERSPARSE;
  if (b->is_hypersparse || (from == NUMBERED && !b->by_degree)) return GrB_SUCCESS;
  for (uint64_t k = 0; from == OF_PROGRAM && b->ids && k < b->ids_count; k++)
    if (b->ids[k] > largest) largest = b->ids[k];
  const GrB_Info info = grid_ctx.transport->allreduce(GRID_SET_ALL, &largest, 1, GRID_MAX);
  *flags |= GRID_PAGES_NAMES | (largest > UINT32_MAX ? GRID_PAGES_NAMES64 : 0);
  return info;
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
    info = range->stretch ? grid_merge_runs(&s, range, base, b->dup)
                          : grid_sort_run(&s, range->key, range->val, range->n, base, last, b->dup);
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
static GrB_Info list_rows(const Grid_Pages_Builder b, name_source from, uint64_t **lists, grid_pages_head *h,
                          grid_pages_writer *w) {
  if (from != NUMBERED)
    return grid_fail(NULL, GrB_NOT_IMPLEMENTED,
                     "%s: a page file of more than 2^32 - 1 rows has no names of vertices", b->path);
  h->flags = GRID_PAGES_HYPERSPARSE;
  h->rows = grid_nonempty_rows(&b->nonempty)->total, h->cols = grid_nonempty_columns(&b->nonempty)->total;
  w->has_loops = true, w->loops = b->loops;
  return grid_nonempty_lists_names(lists, &b->nonempty, h);
}

/* The tuples of the whole file. Joining by another operator than a sum leaves a matrix with duplicates not
 * skew-symmetric. Collective, agreed on. */
static GrB_Info count_tuples(const Grid_Pages_Builder b, const grid_pages_writer *w, grid_pages_head *h,
                             GrB_Info info) {
  uint64_t sums[2] = {b->tuples, w->all.nvals};
  info = grid_agree_sum(NULL, info, sums, 2);
  h->tuples = sums[0];
  if (b->skew && (b->dup == GRID_DUP_PLUS || sums[0] == sums[1])) h->flags |= GRID_PAGES_SKEW;
  return info;
}

GrB_Info grid_pages_builder_write(Grid_Pages_Builder b, Grid_Pages_Build_Stats *how) {
  grid_run_writer *s = &b->run_writer;
  grid_pages_writer w = {.shift = b->shift, .size = b->values ? sizeof(double) : 0, .to = &b->out->store};
  grid_store local = {.n = 1};
  grid_pages_head h = {.version = GRID_PAGES_VERSION,
                       .nrows = b->nrows,
                       .ncols = b->ncols,
                       .rows = b->nrows,
                       .cols = b->ncols,
                       .dup = b->dup};
  uint64_t bytes, rows = b->nrows, sums[4], *lists = NULL;
  name_source from;
  GrB_Info info;
  TRY(find_names(b, &from));
  if (b->is_hypersparse) TRY(list_rows(b, from, &lists, &h, &w));
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
  TRY(find_flags(b, from, &h.flags));
  if (grid_ctx.k == 0) /* its pages are written where they belong */
    w.start =
        grid_pages_first(&h, s->samples * grid_tune.run_sample_step + s->n, 4 * (uint64_t)grid_ctx.P + 64);
  else
    local.fd[0] = s->fd[grid_ctx.k], w.to = &local, w.start = s->end;
  info = count_tuples(b, &w, &h, merge(b, &w, rows, bytes));
  info = grid_pages_finish(&w, &h, b->out, info);
  if (grid_pages_name_size(&h)) {
    TRY(grid_agree(NULL, info));
    info = write_all_names(b, &h, from, lists);
  }
  sums[0] = b->tuples, sums[1] = grid_ctx.P > 1 && grid_ctx.k ? 0 : s->runs, sums[2] = s->bytes_moved;
  TRY(grid_agree_sum(NULL, info, sums, 3));
  *how = (Grid_Pages_Build_Stats){sums[0], sums[1], sums[2]};
done:
  grid_free(lists);
  grid_pages_writer_free(&w);
  return info;
}
