/* Files of pages of tuples that need not fit the memory: Grid_Pages_begin, _put, _end, and files of other
 * formats turned into pages (docs/design.md, "External build"). */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "dist/format/by_degree.h"
#include "dist/format/formats.h"
#include "dist/format/pages_write.h"
#include "dist/object/burble.h"
#include "dist/pages/budget.h"
#include "dist/pages/names.h"
#include "dist/pages/spill.h"
#include "semiring/mem.h"

/* Where nothing is set, half of what is free, and at least so much. */
enum { LEAST_BYTES = 1 << 16 };

/* Tuples whose vertices are to be numbered by degree are kept as they come in such a share of it. */
enum { SHARE_UNSORTED = 4 };

/* So many of them get their numbers at a time. */
enum { NUMBERED_TOGETHER = 1 << 14 };

/* Bytes that a tuple, and its value, take while a range is merged: twice as it is read (one range is read
 * while the other is used), sorted, as a part, coded. */
enum { MERGED_KEY = 36, MERGED_VALUE = 40 };

struct Grid_Pages_Build_opaque {
  char *path;
  grid_output *out, own; /* the file to be: somebody else's, or its own */
  grid_spill spill;
  uint64_t nrows, ncols, bytes, tuples;
  int shift;
  bool values, mirror, skew, no_loops, symmetric;
  /* dimensions come with the tuples: by names, or by the largest number */
  bool by_names, by_numbers, too_wide;
  GrB_Info failed; /* what a call of Grid_Pages_put came to: the file is lost */
  char why[240];
  uint64_t largest;
  grid_seen seen;
  /* where vertices are numbered by degree: what has come, then their order; the names that there were before,
   * this process's share of them (the caller's), or NULL, numbers from `base` on */
  bool by_degree;
  grid_unsorted unsorted;
  grid_by_degree order;
  uint64_t *rows, *cols; /* some of them, with their numbers */
  const uint64_t *ids;
  uint64_t ids_count, base;
};

/* What tuples may take: the same on all processes. */
static GrB_Info free_bytes(uint64_t *bytes) {
  const uint64_t budget = grid_budget(grid_here.local_size), used = grid_mem_bytes(),
                 left = budget > used ? budget - used : 0, mine = grid_budget_is_set() ? left : left / 2;
  *bytes = mine > LEAST_BYTES ? mine : LEAST_BYTES;
  return grid_here.P > 1 ? grid_here.transport->allreduce(GRID_SET_ALL, bytes, 1, GRID_MIN) : GrB_SUCCESS;
}

static int bits_of(uint64_t largest) {
  int bits = 1;
  while (bits < 64 && largest >> bits) bits++;
  return bits;
}

/* ---- begin -----------------------------------------------------------------------------------------------
 */

static void build_free(Grid_Pages_Build b) {
  if (!b) return;
  grid_spill_close(&b->spill);
  grid_unsorted_free(&b->unsorted);
  grid_by_degree_free(&b->order);
  grid_free(b->rows);
  grid_free(b->cols);
  grid_seen_free(&b->seen);
  grid_free(b->path);
  grid_free(b);
}

/* Of so many bytes a part is for who reads. */
static GrB_Info open_spill(Grid_Pages_Build b, uint64_t bytes) {
  return grid_spill_open(&b->spill, b->path, b->values, bytes - bytes / 4);
}

/* Files are made, or `out` is taken. from: what is known of it; nrows 0: nothing. */
static GrB_Info begin_build(Grid_Pages_Build *made, const char *path, grid_output *out,
                            const Grid_Edges *from, bool numbers, int flags) {
  const size_t length = strlen(path) + 1;
  Grid_Pages_Build b = grid_calloc(1, sizeof *b);
  uint64_t bytes;
  GrB_Info info;
  if (b && (b->path = grid_malloc(length, 1))) memcpy(b->path, path, length);
  TRY(grid_agree(NULL, b && b->path ? GrB_SUCCESS : grid_fail_memory(NULL, "a file's name", length, 1)));
  if (!b) return GrB_OUT_OF_MEMORY; /* for who follows paths one by one */
  b->nrows = from->nrows, b->ncols = from->ncols;
  b->by_numbers = !b->nrows && numbers, b->by_names = !b->nrows && !numbers;
  b->values = !from->pattern;
  b->symmetric = flags & Grid_MIRROR || from->symmetric;
  b->skew = from->skew && !b->symmetric;
  b->mirror = b->symmetric || b->skew;
  b->no_loops = flags & Grid_NO_LOOPS;
  b->by_degree = flags & Grid_BY_DEGREE;
  b->ids = from->ids, b->ids_count = from->ids_count, b->base = from->base;
  b->shift = b->ncols ? bits_of(b->ncols - 1) : 32;
  TRY(free_bytes(&bytes));
  grid_unsorted_begin(&b->unsorted, b->path, b->values, bytes / SHARE_UNSORTED);
  if (!b->by_degree) TRY(open_spill(b, bytes));
  if (!out) TRY(grid_output_open(&b->own, b->path, true));
  b->out = out ? out : &b->own;
  *made = b;
  b = NULL;
done:
  build_free(b);
  return info;
}

static GrB_Info check_shape(const char *call, uint64_t nrows, uint64_t ncols, int flags) {
  if (nrows == 0 || ncols == 0 || nrows > UINT32_MAX || ncols > UINT32_MAX)
    return grid_fail(
        NULL, GrB_INVALID_VALUE,
        "%s: pages are of fewer than 2^32 rows and columns, and of one at least, not %llu x %llu", call,
        (unsigned long long)nrows, (unsigned long long)ncols);
  if (flags & (Grid_MIRROR | Grid_BY_DEGREE) && nrows != ncols)
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: %s is for square matrices, not %llu x %llu", call,
                     flags & Grid_MIRROR ? "Grid_MIRROR" : "Grid_BY_DEGREE", (unsigned long long)nrows,
                     (unsigned long long)ncols);
  return GrB_SUCCESS;
}

/* What a file, or a program, says to be symmetric is mirrored, too. */
static GrB_Info check_edges_shape(const char *path, const Grid_Edges *e, int flags) {
  if ((e->symmetric || e->skew) && e->nrows != e->ncols)
    return grid_fail(NULL, GrB_INVALID_VALUE,
                     "%s: a symmetric matrix must be square, this one is %llu x %llu", path,
                     (unsigned long long)e->nrows, (unsigned long long)e->ncols);
  return check_shape(path, e->nrows, e->ncols, flags);
}

GrB_Info Grid_Pages_begin(Grid_Pages_Build *b, const char *path, uint64_t nrows, uint64_t ncols, bool values,
                          int flags) {
  GRID_CALL_SCOPE;
  static const char call[] = "Grid_Pages_begin";
  GrB_Info info = grid_check_ready(call);
  if (info != GrB_SUCCESS) return info;
  if (!b || !path)
    return grid_fail(NULL, GrB_NULL_POINTER, "%s: argument %s is NULL", call, b ? "path" : "b");
  info = check_shape(call, nrows, ncols, flags);
  const Grid_Edges from = {.nrows = nrows, .ncols = ncols, .pattern = !values};
  return info == GrB_SUCCESS ? begin_build(b, path, NULL, &from, false, flags) : info;
}

/* ---- tuples ----------------------------------------------------------------------------------------------
 */

static GrB_Info outside(const Grid_Pages_Build b, uint64_t row, uint64_t col) {
  return grid_fail(NULL, GrB_INDEX_OUT_OF_BOUNDS, "Grid_Pages_put: (%llu, %llu) is outside %llu x %llu",
                   (unsigned long long)row, (unsigned long long)col, (unsigned long long)b->nrows,
                   (unsigned long long)b->ncols);
}

/* Where dimensions come with the tuples: is (row, col) narrow enough? */
static GrB_Info note_names(Grid_Pages_Build b, uint64_t row, uint64_t col) {
  const uint64_t most = row > col ? row : col;
  if (most >= UINT32_MAX) {
    b->too_wide = true;
    return grid_fail(NULL, GrB_INVALID_VALUE,
                     "%s: pages are of fewer than 2^32 rows and columns; there is a vertex %llu", b->path,
                     (unsigned long long)most);
  }
  if (most > b->largest) b->largest = most;
  if (!b->by_names) return GrB_SUCCESS;
  GrB_Info info = most / 64 < b->seen.words ? GrB_SUCCESS : grid_seen_room(&b->seen, most);
  if (info != GrB_SUCCESS) return info;
  grid_seen_add(&b->seen, row);
  grid_seen_add(&b->seen, col);
  return info;
}

static inline GrB_Info put_key(Grid_Pages_Build b, uint64_t row, uint64_t col, double value) {
  if (b->spill.n == b->spill.room) {
    const GrB_Info info = grid_spill_room(&b->spill);
    if (info != GrB_SUCCESS) return info;
  }
  grid_spill_put(&b->spill, row << b->shift | col, value);
  b->tuples++;
  return GrB_SUCCESS;
}

/* The first of n tuples of a pattern whose dimensions are known, as many as there is room for, up to one that
 * is outside; how many. Most are put here. */
static uint64_t put_plain(Grid_Pages_Build b, const uint64_t *rows, const uint64_t *cols, uint64_t n) {
  grid_spill *s = &b->spill;
  const uint64_t most = (s->room - s->n) / 2, nrows = b->nrows, ncols = b->ncols;
  const bool no_loops = b->no_loops, mirror = b->mirror;
  const int shift = b->shift;
  uint64_t *key = s->key + s->n, *to = key, largest = s->largest, k = 0;
  for (n = n < most ? n : most; k < n; k++) {
    const uint64_t r = rows[k], c = cols[k], there = r << shift | c, back = c << shift | r;
    if (r >= nrows || c >= ncols) break;
    const bool loop = r == c, both = mirror && !loop;
    *to = there;
    to += !(loop && no_loops);
    largest = there > largest ? there : largest;
    if (!both) continue;
    *to++ = back;
    largest = back > largest ? back : largest;
  }
  s->n += (uint64_t)(to - key);
  b->tuples += (uint64_t)(to - key);
  s->largest = largest;
  return k;
}

/* A tuple, and its mirror image. */
static inline GrB_Info put_both(Grid_Pages_Build b, uint64_t r, uint64_t c, double x) {
  const GrB_Info info = put_key(b, r, c, x);
  return b->mirror && r != c && info == GrB_SUCCESS ? put_key(b, c, r, b->skew ? -x : x) : info;
}

/* A tuple that has to wait until all have come. */
static inline GrB_Info put_unsorted(Grid_Pages_Build b, uint64_t r, uint64_t c, double x) {
  grid_unsorted *u = &b->unsorted;
  const GrB_Info info = u->n == u->room ? grid_unsorted_room(u) : GrB_SUCCESS;
  if (info == GrB_SUCCESS) grid_unsorted_put(u, r, c, x);
  return info;
}

static GrB_Info put_tuples(Grid_Pages_Build b, const uint64_t *rows, const uint64_t *cols,
                           const double *values, uint64_t n) {
  const bool known = b->nrows > 0;
  GrB_Info info = GrB_SUCCESS;
  for (uint64_t k = 0; k < n && info == GrB_SUCCESS; k++) {
    if (known && !b->values && !b->by_degree && (k += put_plain(b, rows + k, cols + k, n - k)) == n) break;
    const uint64_t r = rows[k], c = cols[k];
    const double x = b->values ? values[k] : 0;
    if (known ? r >= b->nrows || c >= b->ncols : (info = note_names(b, r, c)) != GrB_SUCCESS)
      return known ? outside(b, r, c) : info;
    if (r == c && b->no_loops) continue;
    info = b->by_degree ? put_unsorted(b, r, c, x) : put_both(b, r, c, x);
  }
  return info;
}

GrB_Info Grid_Pages_put(Grid_Pages_Build b, const uint64_t *rows, const uint64_t *cols, const double *values,
                        uint64_t n) {
  static const char call[] = "Grid_Pages_put";
  GrB_Info info = grid_check_alive(call);
  if (info != GrB_SUCCESS) return info;
  if (!b || (n && (!rows || !cols || (b->values && !values))))
    return grid_fail(NULL, GrB_NULL_POINTER, "%s: argument %s is NULL", call,
                     !b      ? "b"
                     : !rows ? "rows"
                     : !cols ? "cols"
                             : "values");
  if (b->failed == GrB_SUCCESS) {
    b->failed = put_tuples(b, rows, cols, values, n);
    if (b->failed != GrB_SUCCESS) snprintf(b->why, sizeof b->why, "%s", Grid_last_error());
    return b->failed;
  }
  return grid_fail(NULL, b->failed, "%s", b->why);
}

/* ---- end -------------------------------------------------------------------------------------------------
 */

/* Rows and columns of what has come, where nobody said it before. */
static GrB_Info find_shape(Grid_Pages_Build b, GrB_Info info) {
  if (b->by_names) {
    info = grid_seen_share(&b->seen, info);
    b->nrows = b->seen.n;
  } else {
    info = grid_agree(NULL, info);
    if (info == GrB_SUCCESS && b->by_numbers)
      info = grid_here.transport->allreduce(GRID_SET_ALL, &b->largest, 1, GRID_MAX);
    if (b->by_numbers) b->nrows = b->largest + 1;
  }
  if (b->by_names || b->by_numbers) b->ncols = b->nrows;
  if (info != GrB_SUCCESS || b->nrows) return info;
  return grid_fail(NULL, GrB_INVALID_VALUE, "%s: the graph has no vertices", b->path);
}

/* Of n tuples, in threads: each number is found at a place of its own, which is seldom in a cache. */
static void number_tuples(Grid_Pages_Build b, const uint64_t *key, uint64_t n) {
  const grid_seen *names = b->by_names ? &b->seen : NULL;
  const uint32_t *rank = b->order.rank;
#pragma omp parallel for schedule(static) num_threads(grid_here.threads) if (n > 1 << 10)
  for (uint64_t k = 0; k < n; k++) {
    const uint64_t r = key[k] >> 32, c = key[k] & UINT32_MAX;
    b->rows[k] = rank[names ? grid_seen_number(names, r) : r];
    b->cols[k] = rank[names ? grid_seen_number(names, c) : c];
  }
}

/* Tuples that have waited get their vertices' numbers and go on as any others do. */
static GrB_Info put_numbered(void *context, const uint64_t *key, const double *val, uint64_t n) {
  Grid_Pages_Build b = context;
  GrB_Info info = GrB_SUCCESS;
  for (uint64_t from = 0, here; from < n && info == GrB_SUCCESS; from += here) {
    here = n - from < NUMBERED_TOGETHER ? n - from : NUMBERED_TOGETHER;
    number_tuples(b, key + from, here);
    for (uint64_t k = 0; k < here && info == GrB_SUCCESS; k++) {
      if (!val && (k += put_plain(b, b->rows + k, b->cols + k, here - k)) == here) break;
      info = put_both(b, b->rows[k], b->cols[k], val ? val[from + k] : 0);
    }
  }
  return info;
}

/* Vertices are put in order of their degrees. */
static GrB_Info renumber(Grid_Pages_Build b) {
  grid_unsorted *u = &b->unsorted;
  uint64_t bytes;
  GrB_Info info;
  TRY(grid_by_degree_make(&b->order, u, b->by_names ? &b->seen : NULL, b->nrows));
  b->shift = bits_of(b->ncols - 1);
  b->rows = grid_malloc(NUMBERED_TOGETHER, sizeof *b->rows);
  b->cols = grid_malloc(NUMBERED_TOGETHER, sizeof *b->cols);
  info = b->rows && b->cols ? GrB_SUCCESS : grid_fail_memory(NULL, "tuples", NUMBERED_TOGETHER, 16);
  TRY(grid_agree(NULL, info));
  TRY(free_bytes(&bytes));
  TRY(open_spill(b, bytes));
  TRY(grid_agree(NULL, grid_unsorted_each(u, put_numbered, b)));
  b->spill.spilled += u->moved;
  grid_unsorted_free(u);
done:
  return info;
}

/* *name: what each vertex was called before it was put in order, on every process; NULL: its number + base.
 */
static GrB_Info find_names(Grid_Pages_Build b, uint64_t **name) {
  uint64_t there = b->ids != NULL;
  *name = NULL;
  GrB_Info info = grid_here.transport->allreduce(GRID_SET_ALL, &there, 1, GRID_MAX);
  if (info != GrB_SUCCESS || (!there && !b->by_names)) return info;
  if (there) return grid_gather_elements(b->ids, b->ids_count, sizeof **name, (void **)name);
  *name = grid_malloc(b->nrows, sizeof **name);
  if (*name) grid_seen_names(*name, &b->seen);
  return grid_agree(NULL, *name ? info : grid_fail_memory(NULL, "names of vertices", b->nrows, 8));
}

static GrB_Info write_names(Grid_Pages_Build b, const grid_pages_head *h, const uint64_t *name) {
  const grid_names x = {b->order.order, name, b->base};
  const int error = grid_names_write(&x, h, &b->out->store, grid_here.k, grid_here.P);
  if (error == ENOMEM) return grid_fail_memory(NULL, "names of vertices", GRID_NAMES_TOGETHER, 8);
  if (error) return grid_fail(NULL, GrB_INVALID_VALUE, "%s: cannot write: %s", b->path, strerror(error));
  return GrB_SUCCESS;
}

/* Flags of the head that is to be. */
static uint64_t flags_of(const Grid_Pages_Build b, const uint64_t *name) {
  uint64_t flags = (b->symmetric ? GRID_PAGES_SYMMETRIC : 0) | (b->values ? GRID_PAGES_VALUES : 0);
  if (b->by_degree) flags |= GRID_PAGES_NAMES;
  for (uint64_t v = 0; name && v < b->nrows; v++)
    if (name[v] > UINT32_MAX) flags |= GRID_PAGES_WIDE_NAMES;
  return flags;
}

/* Range by range, in order. */
static GrB_Info merge(Grid_Pages_Build b, grid_pages_writer *w, uint64_t rows, uint64_t bytes) {
  grid_spill_reader *r = NULL;
  const grid_spill_range *range;
  GrB_Info info =
      grid_spill_begin(&r, &b->spill, b->shift, rows, bytes, MERGED_KEY + (b->values ? MERGED_VALUE : 0));
  while (info == GrB_SUCCESS && (info = grid_spill_next(r, &range)) == GrB_SUCCESS && range) {
    const uint64_t base = range->row << b->shift, last = (range->end << b->shift) - 1;
    grid_sorted s;
    info = range->stretch ? grid_spill_merge(&s, range, base)
                          : grid_spill_sort(&s, range->key, range->val, range->n, base, last);
    if (info != GrB_SUCCESS) break;
    info = grid_pages_put_rows(w, range->row, range->end, &s);
    if (info != GrB_SUCCESS && w->error)
      info = grid_fail(NULL, GrB_INVALID_VALUE, "%s: cannot write: %s", b->path, strerror(w->error));
    grid_sorted_free(&s);
  }
  grid_spill_end(r);
  return info;
}

/* Names that stand for themselves need not be numbered. */
static bool are_numbers(const grid_seen *s, uint64_t largest) {
  return s->n == largest + 1;
}

static GrB_Info write_pages(Grid_Pages_Build b, Grid_Pages_Built *how) {
  grid_spill *s = &b->spill;
  grid_pages_writer w = {.shift = b->shift, .size = b->values ? sizeof(double) : 0, .to = &b->out->store};
  grid_store own = {.n = 1};
  grid_pages_head h = {.nrows = b->nrows, .ncols = b->ncols};
  uint64_t bytes, rows = b->nrows, sums[4], *name = NULL;
  GrB_Info info;
  if (b->by_degree) TRY(renumber(b));
  if (b->by_degree) TRY(find_names(b, &name));
  w.shift = b->shift;
  TRY(free_bytes(&bytes));
  bytes += s->n * (sizeof *s->key + (b->values ? sizeof *s->val : 0));
  TRY(grid_spill_share(s, GrB_SUCCESS, bytes / (MERGED_KEY + (b->values ? MERGED_VALUE : 0))));
  TRY(free_bytes(&bytes));
  if (b->by_names && !b->by_degree) {
    TRY(grid_here.transport->allreduce(GRID_SET_ALL, &b->largest, 1, GRID_MAX));
    if (!are_numbers(&b->seen, b->largest)) w.names = &b->seen, rows = b->largest + 1;
  }
  h.flags = flags_of(b, name);
  if (grid_here.k == 0) /* its pages are written where they belong */
    w.start = grid_pages_first(&h, s->samples * grid_spill_step + s->n, 4 * (uint64_t)grid_here.P + 64);
  else
    own.fd[0] = s->fd[grid_here.k], w.to = &own, w.start = s->end;
  info = merge(b, &w, rows, bytes);
  info = grid_pages_finish(&w, &h, b->out, info);
  if (b->by_degree && info == GrB_SUCCESS) info = write_names(b, &h, name);
  sums[0] = b->tuples, sums[1] = grid_here.P > 1 && grid_here.k ? 0 : s->runs, sums[2] = s->spilled;
  TRY(grid_agree_sum(NULL, info, sums, 3));
  *how = (Grid_Pages_Built){sums[0], sums[1], sums[2]};
done:
  grid_free(name);
  grid_pages_writer_free(&w);
  return info;
}

static GrB_Info end_build(Grid_Pages_Build b, GrB_Info outcome, Grid_Pages_Built *how) {
  Grid_Pages_Built built = {0};
  if (outcome == GrB_SUCCESS && b->failed != GrB_SUCCESS) outcome = grid_fail(NULL, b->failed, "%s", b->why);
  GrB_Info info = find_shape(b, outcome);
  if (info == GrB_SUCCESS) info = write_pages(b, &built);
  if (b->out == &b->own) info = grid_output_close(b->out, info);
  if (how) *how = built;
  build_free(b);
  return info;
}

GrB_Info Grid_Pages_end(Grid_Pages_Build *b, GrB_Info outcome, Grid_Pages_Built *how) {
  GRID_CALL_SCOPE;
  static const char call[] = "Grid_Pages_end";
  GrB_Info info = grid_check_ready(call);
  if (info != GrB_SUCCESS) return info;
  if (!b || !*b) return grid_fail(NULL, GrB_NULL_POINTER, "%s: argument b is NULL", call);
  info = GRID_TOLD(call, end_build(*b, outcome, how), NULL);
  *b = NULL;
  return info;
}

/* ---- from a file -----------------------------------------------------------------------------------------
 */

typedef struct {
  grid_sink sink;
  const char *path;
  bool pattern;
  int flags;
  Grid_Pages_Build build;
} pages_sink;

static GrB_Info begin_sink(grid_sink *s, const Grid_Edges *e, bool numbers) {
  pages_sink *p = (pages_sink *)s;
  Grid_Edges from = *e;
  GrB_Info info = e->nrows ? check_edges_shape(p->path, e, p->flags) : GrB_SUCCESS;
  if (p->pattern) from.pattern = true, from.symmetric |= from.skew, from.skew = false;
  return info == GrB_SUCCESS ? begin_build(&p->build, p->path, NULL, &from, numbers, p->flags) : info;
}

static GrB_Info take_tuples(grid_sink *s, const uint64_t *rows, const uint64_t *cols, const double *values,
                            uint64_t n) {
  return put_tuples(((pages_sink *)s)->build, rows, cols, values, n);
}

/* What has been read whole, since its tuples cannot come in pieces. */
static GrB_Info put_whole(pages_sink *p, const Grid_Edges *e) {
  GrB_Info info = begin_sink(&p->sink, e, false);
  if (info == GrB_SUCCESS) info = put_tuples(p->build, e->rows, e->cols, e->values, e->n);
  return p->build ? info : grid_agree(NULL, info);
}

static GrB_Info convert_file(const char *path, const char *from, const char *format, bool pattern, int flags,
                             Grid_Edges *e, Grid_Pages_Built *how) {
  static const char call[] = "Grid_Pages_convert";
  pages_sink p = {{begin_sink, take_tuples, 0, false}, path, pattern, flags, NULL};
  GrB_Info info = free_bytes(&p.sink.bytes);
  p.sink.bytes /= 4;
  if (info == GrB_SUCCESS) info = grid_read_as(e, from, format, &p.sink, call);
  uint64_t wide = p.build && p.build->too_wide;
  if (p.sink.begun && grid_here.P > 1) {
    const GrB_Info known = grid_here.transport->allreduce(GRID_SET_ALL, &wide, 1, GRID_MAX);
    if (known != GrB_SUCCESS) info = known;
  }
  if (wide && p.build && p.build->by_names) { /* names are numbered by all processes, which have them all */
    grid_output_close(p.build->out, GrB_INVALID_VALUE);
    build_free(p.build);
    p.build = NULL;
    p.sink.begun = false;
    info = grid_read_as(e, from, format, NULL, call);
  }
  if (info == GrB_SUCCESS && !p.sink.begun) info = put_whole(&p, e);
  return p.build ? end_build(p.build, info, how) : info;
}

GrB_Info Grid_Pages_convert(const char *path, const char *from, const char *format, bool pattern, int flags,
                            Grid_Edges *read, Grid_Pages_Built *how) {
  GRID_CALL_SCOPE;
  static const char call[] = "Grid_Pages_convert";
  Grid_Edges e = {0};
  GrB_Info info = grid_check_ready(call);
  if (info != GrB_SUCCESS) return info;
  if (read) *read = e;
  if (!path || !from)
    return grid_fail(NULL, GrB_NULL_POINTER, "%s: argument %s is NULL", call, path ? "from" : "path");
  info = GRID_TOLD(call, convert_file(path, from, format, pattern, flags, &e, how), NULL);
  grid_free(e.rows);
  grid_free(e.cols);
  grid_free(e.values);
  grid_free(e.ids);
  e.rows = e.cols = e.ids = NULL;
  e.values = NULL;
  e.n = 0;
  if (read && info == GrB_SUCCESS) *read = e;
  return info;
}

/* ---- from edges (the row of the table of formats) --------------------------------------------------------
 */

GrB_Info grid_write_pages(const Grid_Edges *e, grid_output *o, grid_packing packing,
                          const grid_format_row *row) {
  (void)packing, (void)row;
  Grid_Pages_Build b = NULL;
  GrB_Info info = check_edges_shape(o->path, e, 0);
  if (info == GrB_SUCCESS) info = begin_build(&b, o->path, o, e, false, 0);
  if (info != GrB_SUCCESS) return info;
  info = put_tuples(b, e->rows, e->cols, e->values, e->n);
  return end_build(b, info, NULL);
}
