/* The share of one process of a text (read_text.c): segments, parsed several at a time by several threads. */
#include <math.h>
#include <string.h>

#include "dist/io/text/parse_plain_line.h"
#include "dist/io/text/read_text.h"
#include "semiring/threads/context_section.h"

bool grid_is_bad_line(grid_parse_error *flaw, const char *s, const char *end, bool comment, size_t most) {
  const bool longer = (size_t)(end - s) > most;
  if (!comment && grid_flaw_bare_return(flaw, s, longer ? s + most : end)) return true;
  if (longer) grid_parse_error_set(flaw, "the line is longer than %zu bytes", most);
  return longer;
}

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
      grid_is_bad_line(flaw, s, end, false, r->text.line_max);
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
      grid_is_bad_line(flaw, s, end, false, r->text.line_max); /* a more specific error */
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
  const uintptr_t context = grid_context_distance;
#pragma omp parallel for schedule(dynamic, 1) num_threads(grid_ctx.threads) if (count > 1)
  for (int q = 0; q < count; q++) {
    GRID_WORKER_SCOPE(context);
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

GrB_Info grid_text_read_share(grid_reader *r) {
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
