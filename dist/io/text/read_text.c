/* Graphs from text: process 0 reads the file's header, then every process parses its share of the
 * segments, several at a time by several threads. Errors are reported for the first bad line in file
 * order, by the process that found it. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "dist/grid/layout.h"
#include "dist/io/input/number_vertices.h"
#include "dist/io/text/parse_plain_line.h"
#include "dist/io/text/read_text.h"

/* ---- the header ---- */

/* Skips a UTF-8 byte-order mark. */
static const char *skip_mark(const char *s, const char *stop) {
  return stop - s >= 3 && memcmp(s, "\xef\xbb\xbf", 3) == 0 ? s + 3 : s;
}

/* The part beyond the limit is not examined, so that the outcome does not depend on the segments. Comments
 * are not checked. */
static bool is_bad_line(grid_parse_error *flaw, const char *s, const char *end, bool comment, size_t most) {
  const bool longer = (size_t)(end - s) > most;
  if (!comment && grid_flaw_bare_return(flaw, s, longer ? s + most : end)) return true;
  if (longer) grid_parse_error_set(flaw, "the line is longer than %zu bytes", most);
  return longer;
}

grid_layout grid_text_layout(const char *p, const char *end) {
  if (grid_is_banner(p, end)) return GRID_FILE_COORDINATE;
  if (p < end && (*p == 'c' || *p == 'p') && (p + 1 == end || grid_is_blank(p[1]))) return GRID_FILE_DIMACS;
  return GRID_FILE_EDGES;
}

static int scan_line(grid_file_format *f, const char *s, const char *end, uint64_t offset, uint64_t limit) {
  switch (f->layout) {
    case GRID_FILE_EDGES:
      return grid_head_edges(f, s, end, offset);
    case GRID_FILE_DIMACS:
      return grid_head_dimacs(f, s, end, offset, limit);
    case GRID_FILE_METIS:
      return grid_head_metis(f, s, end, offset, limit);
    default:
      return grid_head_mm(f, s, end, offset, limit);
  }
}

/* Passes the segment's lines to the format until its header is complete or invalid. */
static int scan_head(grid_file_format *f, const grid_text_segment *p, uint64_t text_limit, size_t most) {
  const char *s = p->text, *stop = s + p->length;
  if (p->offset == 0) s = skip_mark(s, stop);
  while (s < stop) {
    const char *newline = memchr(s, '\n', (size_t)(stop - s)), *end = newline ? newline : stop;
    uint64_t offset = p->offset + (uint64_t)(s - p->text);
    const bool comment = newline && (*s == '#' || *s == '%') && !grid_is_banner(s, end);
    if (is_bad_line(&f->flaw, s, end, comment, most)) {
      f->flaw.offset = offset;
      return -1;
    }
    if (f->any) f->layout = grid_text_layout(s, end);
    f->any = false;
    if (scan_line(f, s, end, offset, text_limit)) return -1;
    s = newline ? newline + 1 : stop;
    if (f->complete && f->layout != GRID_FILE_EDGES) f->data = p->offset + (uint64_t)(s - p->text);
    if (f->complete) return 0;
  }
  return 0;
}

/* Reads the header, on process 0. */
static GrB_Info read_head(grid_text *t, grid_file_format *f) {
  grid_text_segment p = {0};
  grid_parse_error damage = {.offset = GRID_NO_PARSE_ERROR};
  int n = 1, bad = 0;
  const uint64_t most = grid_packing_max_ratio(t->packing), size = t->file.size,
                 limit = size < UINT64_MAX / most ? size * most : UINT64_MAX - 1;
  GrB_Info info = grid_text_rewind(t, true);
  while (info == GrB_SUCCESS && n && !bad && !f->complete) {
    info = grid_text_read(t, true, &p, 1, &n, &damage);
    if (info == GrB_SUCCESS && n) bad = scan_head(f, &p, limit, t->line_max);
  }
  grid_free(p.buffer);
  /* Damage further on is found by the readers of the shares, after errors that precede it. */
  if (!f->complete && f->flaw.offset == GRID_NO_PARSE_ERROR) f->flaw = damage;
  if (info == GrB_SUCCESS && !f->complete && f->flaw.offset == GRID_NO_PARSE_ERROR) {
    f->flaw.whole = true;
    f->flaw.offset = 0;
    grid_parse_error_set(&f->flaw, f->banner ? "the file ends before the Matrix Market size line"
                                   : f->layout == GRID_FILE_DIMACS
                                       ? "the file ends before DIMACS's line \"p\""
                                   : f->layout == GRID_FILE_METIS ? "the file ends before METIS's first line"
                                                                  : "there are no edges in it");
  }
  GrB_Info again = grid_text_rewind(t, false);
  return info == GrB_SUCCESS ? again : info;
}

static GrB_Info share_head(grid_reader *r, grid_layout layout, bool any) {
  grid_file_format *f = &r->format;
  memset(f, 0, sizeof *f); /* padding too, since it is sent as bytes */
  f->layout = layout;
  f->any = any;
  f->flaw.offset = GRID_NO_PARSE_ERROR;
  GrB_Info info = grid_agree(NULL, grid_ctx.k == 0 ? read_head(&r->text, f) : GrB_SUCCESS);
  if (info == GrB_SUCCESS) info = grid_ctx.transport->bcast(GRID_SET_ALL, f, sizeof *f, 0);
  return info;
}

/* ---- the share of one process ---- */

/* Counts newlines eight bytes at a time: each becomes a 1, and a product sums them. */
static uint64_t count_lines(const grid_text_segment *p) {
  const uint64_t ones = UINT64_C(0x0101010101010101), low = 0x7f * ones;
  uint64_t lines = 0;
  size_t k = 0;
  for (; k + 8 <= p->length; k += 8) {
    uint64_t w;
    memcpy(&w, p->text + k, 8);
    w ^= '\n' * ones;
    lines += ((~(((w & low) + low) | w | low) >> 7) * ones) >> 56;
  }
  for (; k < p->length; k++) lines += p->text[k] == '\n';
  return p->length && p->text[p->length - 1] != '\n' ? lines + 1 : lines;
}

/* Upper bound of a segment's tuples: one per line, or, for METIS, one per number. */
static uint64_t count_tuples(const grid_file_format *f, const grid_text_segment *p) {
  if (f->layout != GRID_FILE_METIS) return count_lines(p);
  uint64_t n = 0;
  bool inside = false;
  for (size_t k = 0; k < p->length; k++) {
    const bool digit = p->text[k] > ' ';
    n += digit && !inside;
    inside = digit;
  }
  return n;
}

/* METIS: parses the vertices of a segment, numbered from 0; grid_assign_rows_metis makes them global. */
static uint64_t parse_vertices(grid_reader *r, const grid_text_segment *p, uint64_t at, grid_span *span,
                               grid_parse_error *flaw) {
  const grid_file_format *f = &r->format;
  const char *s = p->text, *stop = s + p->length;
  uint64_t n = at;
  if (p->offset < f->data) s = f->data - p->offset < p->length ? s + (f->data - p->offset) : stop;
  while (s < stop) {
    const char *newline = memchr(s, '\n', (size_t)(stop - s)), *end = newline ? newline : stop;
    int64_t got = -1;
    if (*s == '%') {
      got = 0;
    } else {
      const char *first = s;
      grid_skip_blanks(&first, end);
      got = grid_line_metis(f, s, end, &r->cols[n], f->pattern ? NULL : &r->values[n], flaw);
      for (int64_t k = 0; k < got; k++) r->rows[n + (uint64_t)k] = span->lines;
      span->lines++;
      if (first < end) span->last = span->lines;
    }
    if (got < 0) {
      is_bad_line(flaw, s, end, false, r->text.line_max);
      flaw->offset = p->offset + (uint64_t)(s - p->text);
      break;
    }
    n += (uint64_t)got;
    s = newline ? newline + 1 : stop;
  }
  return n - at;
}

/* Parses one segment's tuples into the arrays from `at` on. Returns their number; stops at the first bad
 * line. */
static uint64_t parse_segment(grid_reader *r, const grid_text_segment *p, uint64_t at,
                              grid_parse_error *flaw) {
  static const grid_line_fn readers[] = {grid_line_coordinate, grid_line_array, grid_line_edge,
                                         grid_line_dimacs};
  const grid_file_format *f = &r->format;
  const grid_line_fn read_line = readers[f->layout];
  const bool plain = f->layout != GRID_FILE_ARRAY;
  const char *s = p->text, *stop = s + p->length;
  uint64_t n = at;
  double unused;
  if (p->offset < f->data) s = f->data - p->offset < p->length ? s + (f->data - p->offset) : stop;
  while (s < stop) {
    if (plain &&
        grid_plain_line(f, &s, stop, &r->rows[n], &r->cols[n], f->pattern ? &unused : &r->values[n])) {
      n++;
      continue;
    }
    const char *newline = memchr(s, '\n', (size_t)(stop - s)), *end = newline ? newline : stop;
    int got = end - s > (ptrdiff_t)GRID_LINE_MAX ? -1
                                                 : read_line(f, s, end, &r->rows[n], &r->cols[n],
                                                             f->pattern ? &unused : &r->values[n], flaw);
    if (got > 0 && r->text.file.no_nan && !f->pattern && isnan(r->values[n]))
      got = grid_parse_error_set(flaw, "the weight is not a number");
    if (got < 0) {
      is_bad_line(flaw, s, end, false, r->text.line_max); /* a more specific error */
      flaw->offset = p->offset + (uint64_t)(s - p->text);
      break;
    }
    n += (uint64_t)got;
    s = newline ? newline + 1 : stop;
  }
  return n - at;
}

static bool resize(uint64_t **array, uint64_t capacity) {
  uint64_t *more = grid_realloc(*array, capacity, sizeof *more);
  if (more) *array = more;
  return more != NULL;
}

static bool resize_tuples(grid_reader *r, uint64_t capacity) {
  if (!resize(&r->rows, capacity) || !resize(&r->cols, capacity)) return false;
  if (!r->format.pattern) {
    double *more = grid_realloc(r->values, capacity, sizeof *more);
    if (!more) return false;
    r->values = more;
  }
  r->capacity = capacity;
  return true;
}

static GrB_Info set_capacity(grid_reader *r, uint64_t capacity) {
  return resize_tuples(r, capacity)
             ? GrB_SUCCESS
             : grid_fail_memory(NULL, "the tuples of a file", capacity, r->format.pattern ? 16 : 24);
}

/* Estimates the tuples of this process's share from the `done` segments read, which have `need`; 0 if the
 * number of segments is unknown, or tuples go to a sink (`taken`). */
static uint64_t estimate_entries(const grid_text *t, uint64_t need, uint64_t done, bool taken) {
  if (t->packing || taken) return 0;
  return need + need / 64 + (uint64_t)((double)need / (double)done * (double)(t->last - t->next));
}

/* Reserves space for `lines` more tuples and `count` more spans. */
static GrB_Info reserve(grid_reader *r, uint64_t lines, int count) {
  uint64_t need = r->n + lines, spans = r->nspans + (uint64_t)count;
  if (spans > r->spans_capacity) {
    grid_span *more = grid_realloc(r->spans, spans + spans / 2, sizeof *more);
    if (!more) return grid_fail_memory(NULL, "the segments of a file", spans + spans / 2, sizeof *more);
    r->spans = more;
    r->spans_capacity = spans + spans / 2;
  }
  if (need <= r->capacity) return GrB_SUCCESS;
  const uint64_t all = estimate_entries(&r->text, need, spans, r->sink != NULL),
                 half = r->capacity + r->capacity / 2;
  return set_capacity(r, all > half ? all : need > half ? need : half);
}

#define SEGMENTS_MAX 64

/* Parses segments in parallel, each into space for its upper bound of tuples, and closes the gaps. */
static GrB_Info parse_segments(grid_reader *r, const grid_text_segment *p, int count) {
  uint64_t at[SEGMENTS_MAX + 1], got[SEGMENTS_MAX];
  grid_parse_error flaw[SEGMENTS_MAX];
  grid_span span[SEGMENTS_MAX];
#pragma omp parallel for schedule(dynamic, 1) num_threads(grid_ctx.threads) if (count > 1)
  for (int q = 0; q < count; q++) got[q] = count_tuples(&r->format, &p[q]);
  at[0] = r->n;
  for (int q = 0; q < count; q++) at[q + 1] = at[q] + got[q];
  GrB_Info info = reserve(r, at[count] - r->n, count);
  if (info != GrB_SUCCESS) return info;
#pragma omp parallel for schedule(dynamic, 1) num_threads(grid_ctx.threads) if (count > 1)
  for (int q = 0; q < count; q++) {
    flaw[q].offset = GRID_NO_PARSE_ERROR;
    flaw[q].whole = false;
    span[q] = (grid_span){.segment = p[q].number};
    got[q] = r->format.layout == GRID_FILE_METIS ? parse_vertices(r, &p[q], at[q], &span[q], &flaw[q])
                                                 : parse_segment(r, &p[q], at[q], &flaw[q]);
  }
  for (int q = 0; q < count; q++) {
    if (at[q] > r->n) {
      memmove(r->rows + r->n, r->rows + at[q], got[q] * sizeof *r->rows);
      memmove(r->cols + r->n, r->cols + at[q], got[q] * sizeof *r->cols);
      if (r->values) memmove(r->values + r->n, r->values + at[q], got[q] * sizeof *r->values);
    }
    span[q].first = r->n;
    span[q].count = got[q];
    r->spans[r->nspans++] = span[q];
    r->n += got[q];
    if (flaw[q].offset < r->flaw.offset) r->flaw = flaw[q];
  }
  return GrB_SUCCESS;
}

/* Passes the tuples read so far to the sink. */
static GrB_Info flush_to_sink(grid_reader *r) {
  GrB_Info info = r->sink->receive(r->sink, r->rows, r->cols, r->values, r->n);
  r->taken += r->n;
  r->n = r->nspans = 0;
  return info;
}

/* Number of segments read at a time; their tuples take about four times the bytes of the text. */
static int segments_together(const grid_reader *r) {
  int max = 4 * grid_ctx.threads < SEGMENTS_MAX ? 4 * grid_ctx.threads : SEGMENTS_MAX;
  while (r->sink && max > 1 && (uint64_t)max * r->text.block > r->sink->bytes / 5) max--;
  return max;
}

static GrB_Info read_share(grid_reader *r) {
  grid_text_segment p[SEGMENTS_MAX];
  const int max = segments_together(r);
  int n = 1;
  memset(p, 0, sizeof p);
  GrB_Info info = set_capacity(r, 1);
  while (info == GrB_SUCCESS && n && r->flaw.offset == GRID_NO_PARSE_ERROR) {
    info = grid_text_read(&r->text, false, p, max, &n, &r->flaw);
    if (info == GrB_SUCCESS && n) info = parse_segments(r, p, n);
    if (info == GrB_SUCCESS && r->sink && r->flaw.offset == GRID_NO_PARSE_ERROR) info = flush_to_sink(r);
  }
  grid_text_stop_reading(&r->text);
  for (int q = 0; q < SEGMENTS_MAX; q++) grid_free(p[q].buffer);
  return info;
}

/* ---- outcome ---- */

/* All processes report the error that comes first in the file. */
static GrB_Info report_parse_error(grid_reader *r) {
  uint64_t first = r->flaw.offset;
  GrB_Info info = grid_ctx.transport->allreduce(GRID_SET_ALL, &first, 1, GRID_MIN);
  if (info != GrB_SUCCESS || first == GRID_NO_PARSE_ERROR) return info;
  if (r->flaw.offset == first) {
    uint64_t line = r->flaw.whole ? 0 : grid_text_line(&r->text, first);
    if (line)
      info = grid_fail(NULL, GrB_INVALID_VALUE, "%s:%llu: %s", r->text.file.path, (unsigned long long)line,
                       r->flaw.text);
    else
      info = grid_fail(NULL, GrB_INVALID_VALUE, "%s: %s", r->text.file.path, r->flaw.text);
  }
  return grid_agree(NULL, info);
}

/* Checks the number of entries against the header. */
static GrB_Info check_total(const grid_reader *r, uint64_t total) {
  const grid_file_format *f = &r->format;
  if (f->layout == GRID_FILE_EDGES || total == f->entries) return GrB_SUCCESS;
  return grid_fail(NULL, GrB_INVALID_VALUE, "%s: the %s promises %llu entries, the file has %llu%s",
                   r->text.file.path,
                   f->layout == GRID_FILE_DIMACS  ? "line \"p\""
                   : f->layout == GRID_FILE_METIS ? "first line (each edge counted twice)"
                                                  : "size line",
                   (unsigned long long)f->entries, (unsigned long long)total,
                   total < f->entries ? " (is it truncated?)" : "");
}

/* Sets the properties known from the header. */
static void describe(const grid_file_format *f, Grid_Edges *e) {
  static const char *const kinds[] = {"Matrix Market", "Matrix Market", "edge list", "DIMACS", "METIS"};
  e->nrows = f->nrows;
  e->ncols = f->ncols;
  e->symmetric = f->symmetric;
  e->skew = f->skew;
  e->pattern = f->pattern;
  e->base = f->layout == GRID_FILE_EDGES ? 0 : 1;
  snprintf(e->kind, sizeof e->kind, "%s", kinds[f->layout]);
}

/* Moves the arrays, shrunk, to e. */
static void export_edges(grid_reader *r, Grid_Edges *e) {
  describe(&r->format, e);
  e->n = r->n;
  e->rows = grid_shrink(r->rows, r->n, sizeof *r->rows);
  e->cols = grid_shrink(r->cols, r->n, sizeof *r->cols);
  e->values = r->values ? grid_shrink(r->values, r->n, sizeof *r->values) : NULL;
  r->rows = r->cols = NULL;
  r->values = NULL;
}

/* Begins the sink, unless the format cannot be streamed. */
static GrB_Info begin_sink(grid_reader *r) {
  const grid_layout layout = r->format.layout;
  Grid_Edges head = {0};
  if (layout == GRID_FILE_ARRAY || layout == GRID_FILE_METIS || r->flaw.offset != GRID_NO_PARSE_ERROR)
    r->sink = NULL;
  if (!r->sink) return GrB_SUCCESS;
  describe(&r->format, &head);
  r->sink->begun = true;
  return r->sink->begin(r->sink, &head, layout == GRID_FILE_EDGES ? GRID_SHAPE_BY_NAMES : GRID_SHAPE_GIVEN);
}

static GrB_Info read_all(grid_reader *r, Grid_Edges *e, grid_layout layout, bool any) {
  GrB_Info info;
  TRY(share_head(r, layout, any));
  r->flaw = r->format.flaw;
  TRY(begin_sink(r));
  if (r->flaw.offset == GRID_NO_PARSE_ERROR) TRY(grid_agree(NULL, read_share(r)));
  TRY(report_parse_error(r));
  uint64_t total = r->n + r->taken, *ids = NULL, vertices = 0;
  TRY(grid_ctx.transport->allreduce(GRID_SET_ALL, &total, 1, GRID_SUM));
  TRY(check_total(r, total));
  if (r->sink) {
    describe(&r->format, e);
    e->total = total;
    return info;
  }
  if (r->format.layout == GRID_FILE_ARRAY || r->format.layout == GRID_FILE_METIS) {
    TRY(r->format.layout == GRID_FILE_ARRAY ? grid_assign_rows_array(r) : grid_assign_rows_metis(r));
    total = r->n;
    TRY(grid_ctx.transport->allreduce(GRID_SET_ALL, &total, 1, GRID_SUM));
  } else if (r->format.layout == GRID_FILE_EDGES) {
    TRY(grid_number_ids(r->rows, r->cols, r->n, &vertices, &ids));
    r->format.nrows = r->format.ncols = vertices;
  }
  export_edges(r, e);
  e->total = total;
  e->ids = ids;
  if (ids) {
    e->ids_first = grid_even_first(vertices, grid_ctx.k);
    e->ids_count = grid_even_first(vertices, grid_ctx.k + 1) - e->ids_first;
  }
done:
  return info;
}

GrB_Info grid_read_text(Grid_Edges *e, const grid_file *f, grid_layout layout, bool any, grid_sink *sink) {
  grid_reader r;
  memset(&r, 0, sizeof r);
  r.sink = sink;
  GrB_Info info = grid_text_open(&r.text, f);
  if (info != GrB_SUCCESS) return info;
  if (layout == GRID_FILE_METIS) r.text.line_max = SIZE_MAX / 4; /* a vertex may have many neighbours */
  info = read_all(&r, e, layout, any);
  grid_text_close(&r.text);
  grid_free(r.rows);
  grid_free(r.cols);
  grid_free(r.values);
  grid_free(r.spans);
  return info;
}
