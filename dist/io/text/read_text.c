/* Graphs from text: process 0 reads the file's header, then every process parses its share of the
 * segments (read_share.c). Errors are reported for the first bad line in file
 * order, by the process that found it. */
#include <stdio.h>
#include <string.h>

#include "dist/grid/layout.h"
#include "dist/io/input/number_vertices.h"
#include "dist/io/text/read_text.h"

/* ---- the header ---- */

/* Skips a UTF-8 byte-order mark. */
static const char *skip_mark(const char *s, const char *stop) {
  return stop - s >= 3 && memcmp(s, "\xef\xbb\xbf", 3) == 0 ? s + 3 : s;
}

/* The text format of a file by its first line: DIMACS, Matrix Market (GRID_FILE_COORDINATE), else
 * GRID_FILE_EDGES. */
static grid_layout text_layout(const char *p, const char *end) {
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
    if (grid_is_bad_line(&f->flaw, s, end, comment, most)) {
      f->flaw.offset = offset;
      return -1;
    }
    if (f->any) f->layout = text_layout(s, end);
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
  if (f->layout == GRID_FILE_EDGES && f->nrows)
    f->data = f->complete ? f->data : UINT64_MAX, f->complete = true;
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
  e->total = f->entries;
  e->symmetric = f->symmetric;
  e->skew = f->skew;
  e->pattern = f->pattern;
  e->base = f->layout == GRID_FILE_EDGES ? f->base : 1;
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
  return r->sink->begin(r->sink, &head,
                        layout == GRID_FILE_EDGES && !head.nrows ? GRID_SHAPE_BY_NAMES : GRID_SHAPE_GIVEN);
}

static GrB_Info read_all(grid_reader *r, Grid_Edges *e, grid_layout layout, bool any) {
  GrB_Info info;
  TRY(share_head(r, layout, any));
  r->flaw = r->format.flaw;
  TRY(begin_sink(r));
  if (r->flaw.offset == GRID_NO_PARSE_ERROR) TRY(grid_agree(NULL, grid_text_read_share(r)));
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
  } else if (r->format.layout == GRID_FILE_EDGES && !r->format.nrows) {
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
