/* Matrix Market files: the banner, the size line, and the lines of the coordinate and the array format. */
#include <strings.h>
#include "dist/io/text/read_text.h"

/* ---- header ---- */

bool grid_is_banner(const char *p, const char *end) {
  return grid_parse_word(&p, end, "%matrixmarket") || (end - p >= 8 && strncasecmp(p, "%%matrix", 8) == 0);
}

static int read_banner(grid_file_format *f, const char *p, const char *end) {
  grid_parse_error *w = &f->flaw;
  bool array, complex_values = false;
  if (!grid_parse_word(&p, end, "%%matrixmarket") && !grid_parse_word(&p, end, "%matrixmarket"))
    return grid_parse_error_expected(w, "the banner \"%%MatrixMarket matrix ...\"", p, end);
  if (!grid_parse_word(&p, end, "matrix"))
    return grid_parse_error_expected(w, "\"matrix\" in the banner", p, end);
  array = grid_parse_word(&p, end, "array");
  if (!array && !grid_parse_word(&p, end, "coordinate"))
    return grid_parse_error_expected(w, "\"coordinate\" or \"array\" in the banner", p, end);
  f->layout = array ? GRID_FILE_ARRAY : GRID_FILE_COORDINATE;
  if (grid_parse_word(&p, end, "pattern")) {
    f->pattern = true;
  } else if (grid_parse_word(&p, end, "integer") || grid_parse_word(&p, end, "unsigned-integer")) {
    f->integer = true;
  } else if (grid_parse_word(&p, end, "complex")) {
    complex_values = true;
  } else if (!grid_parse_word(&p, end, "real")) {
    return grid_parse_error_expected(w, "\"real\", \"integer\" or \"pattern\" in the banner", p, end);
  }
  if (complex_values)
    return grid_parse_error_set(w, "complex values are not supported (only real, integer and pattern)");
  if (grid_parse_word(&p, end, "symmetric")) {
    f->symmetric = true;
  } else if (grid_parse_word(&p, end, "skew-symmetric")) {
    f->skew = true;
  } else if (grid_parse_word(&p, end, "hermitian")) {
    return grid_parse_error_set(
        w, "hermitian matrices are not supported (only general, symmetric and skew-symmetric)");
  } else if (!grid_parse_word(&p, end, "general")) {
    return grid_parse_error_expected(w, "\"general\", \"symmetric\" or \"skew-symmetric\" in the banner", p,
                                     end);
  }
  if (p < end) return grid_parse_error_expected(w, "the end of the banner", p, end);
  if (array && f->pattern)
    return grid_parse_error_set(w, "an array cannot be a pattern: it has values and nothing else");
  if (f->skew && f->pattern)
    return grid_parse_error_set(w, "a pattern cannot be skew-symmetric: it has no signs");
  f->banner = true;
  return 0;
}

int grid_read_size(grid_parse_error *w, const char **p, const char *end, const char *what, uint64_t *v) {
  const char *start = *p;
  char found[GRID_QUOTE];
  grid_number got = grid_parse_u64(p, end, v);
  if (got == GRID_NUMBER_NONE || (*p < end && !grid_is_blank(**p)))
    return grid_parse_error_expected(w, what, start, end);
  grid_skip_blanks(p, end);
  if (got == GRID_NUMBER_RANGE)
    return grid_parse_error_set(w, "%s %s does not fit in 64 bits", what,
                                grid_quote(found, sizeof found, start, end));
  return 0;
}

/* Number of values in an array: all, one triangle with the diagonal, or without it. */
static unsigned __int128 array_size(const grid_file_format *f) {
  unsigned __int128 n = f->nrows;
  return f->symmetric ? n * (n + 1) / 2 : f->skew ? (n ? n * (n - 1) / 2 : 0) : n * f->ncols;
}

static int read_size_line(grid_file_format *f, const char *p, const char *end, uint64_t text_left) {
  grid_parse_error *w = &f->flaw;
  bool array = f->layout == GRID_FILE_ARRAY;
  unsigned __int128 entries;
  if (grid_read_size(w, &p, end, "the number of rows", &f->nrows)) return -1;
  if (grid_read_size(w, &p, end, "the number of columns", &f->ncols)) return -1;
  if (!array && grid_read_size(w, &p, end, "the number of entries", &f->entries)) return -1;
  if (p < end) return grid_parse_error_expected(w, "the end of the size line", p, end);
  if (f->nrows > GrB_INDEX_MAX + 1 || f->ncols > GrB_INDEX_MAX + 1)
    return grid_parse_error_set(w, "a dimension of %llu is more than the 2^60 that are supported",
                                (unsigned long long)(f->nrows > GrB_INDEX_MAX + 1 ? f->nrows : f->ncols));
  if ((f->symmetric || f->skew) && f->nrows != f->ncols)
    return grid_parse_error_set(w, "a symmetric matrix must be square, this one is %llu x %llu",
                                (unsigned long long)f->nrows, (unsigned long long)f->ncols);
  /* An entry takes at least "1 1\n", "1 1 1\n" or "1\n" (the last line may lack its newline). */
  entries = array ? array_size(f) : f->entries;
  if (entries > (text_left + 1) / (array ? 2 : f->pattern ? 4 : 6))
    return grid_parse_error_set(w, "the size line promises %s%llu entries, more than the file has room for",
                                entries > UINT64_MAX ? "over " : "",
                                entries > UINT64_MAX ? ~0ull : (unsigned long long)entries);
  f->entries = (uint64_t)entries;
  return 0;
}

int grid_head_mm(grid_file_format *f, const char *p, const char *end, uint64_t offset, uint64_t text_limit) {
  uint64_t after = offset + (uint64_t)(end - p);
  int bad = 0;
  f->flaw.offset = offset;
  if (!f->banner) {
    while (end > p && grid_is_blank(end[-1])) end--;
    bad = read_banner(f, p, end);
  } else {
    grid_skip_blanks(&p, end);
    if (p < end && *p != '%') {
      bad = read_size_line(f, p, end, text_limit > after ? text_limit - after : 0);
      f->complete = true;
    }
  }
  if (!bad) f->flaw.offset = GRID_NO_PARSE_ERROR;
  return bad;
}

/* ---- lines ---- */

int grid_read_index(grid_parse_error *w, const char **p, const char *end, const char *what, uint64_t n,
                    uint64_t *v) {
  const char *start = *p;
  char found[GRID_QUOTE];
  grid_number got = grid_parse_u64(p, end, v);
  if (got == GRID_NUMBER_NONE || (*p < end && !grid_is_blank(**p)))
    return grid_parse_error_expected(w,
                                     *what == 'r'   ? "a row index"
                                     : *what == 'c' ? "a column index"
                                                    : "a vertex",
                                     start, end);
  if (got == GRID_NUMBER_RANGE || *v < 1 || *v > n)
    return grid_parse_error_set(w, "%s %s is outside 1..%llu", what,
                                grid_quote(found, sizeof found, start, end), (unsigned long long)n);
  grid_skip_blanks(p, end);
  *v -= 1;
  return 0;
}

static bool is_integer(const char *p, const char *end) {
  if (*p == '+' || *p == '-') p++;
  while (p < end && grid_is_digit(*p)) p++;
  return p == end;
}

static int read_number(grid_parse_error *w, const char **p, const char *end, const char *what, bool integer,
                       double *value) {
  const char *start = *p;
  char found[GRID_QUOTE];
  grid_number got = grid_parse_double(p, end, value);
  if (got == GRID_NUMBER_NONE || (*p < end && !grid_is_blank(**p)) || (integer && !is_integer(start, *p)))
    return grid_parse_error_expected(w, what, start, end);
  if (got == GRID_NUMBER_RANGE)
    return grid_parse_error_set(w, "the value %s does not fit in a double",
                                grid_quote(found, sizeof found, start, end));
  grid_skip_blanks(p, end);
  return 0;
}

static int read_value(const grid_file_format *f, grid_parse_error *w, const char **p, const char *end,
                      double *value) {
  return read_number(w, p, end, f->integer ? "an integer value" : "a value", f->integer, value);
}

int grid_read_weight(grid_parse_error *w, const char **p, const char *end, double *value) {
  return read_number(w, p, end, "a weight", false, value);
}

int grid_line_coordinate(const grid_file_format *f, const char *p, const char *end, uint64_t *row,
                         uint64_t *col, double *value, grid_parse_error *flaw) {
  grid_skip_blanks(&p, end);
  if (p == end || *p == '%') return 0;
  if (grid_read_index(flaw, &p, end, "row index", f->nrows, row)) return -1;
  if (grid_read_index(flaw, &p, end, "column index", f->ncols, col)) return -1;
  if (!f->pattern && read_value(f, flaw, &p, end, value)) return -1;
  if (p < end) return grid_parse_error_expected(flaw, "the end of the line", p, end);
  if (f->skew && *row == *col && *value != 0)
    return grid_parse_error_set(flaw, "a skew-symmetric matrix has no values on the diagonal");
  return 1;
}

int grid_line_array(const grid_file_format *f, const char *p, const char *end, uint64_t *row, uint64_t *col,
                    double *value, grid_parse_error *flaw) {
  grid_skip_blanks(&p, end);
  if (p == end || *p == '%') return 0;
  if (read_value(f, flaw, &p, end, value)) return -1;
  if (p < end)
    return grid_parse_error_expected(flaw, "the end of the line (an array has one value a line)", p, end);
  *row = *col = 0;
  return 1;
}

/* ---- array positions ---- */

/* Number of values before column c. */
static uint64_t column_start(const grid_file_format *f, uint64_t c) {
  unsigned __int128 n = f->nrows, k = c;
  if (f->symmetric) return (uint64_t)(k * n - k * (k ? k - 1 : 0) / 2);
  if (f->skew) return (uint64_t)(k * n - k * (k + 1) / 2);
  return (uint64_t)(k * n);
}

/* Column of value number `at`: the last one that starts at or before it. */
static uint64_t column_of(const grid_file_format *f, uint64_t at) {
  uint64_t low = 0, high = f->ncols;
  while (high - low > 1) {
    uint64_t mid = low + (high - low) / 2;
    if (column_start(f, mid) <= at)
      low = mid;
    else
      high = mid;
  }
  return low;
}

/* Assigns rows and columns to the values of one span, the first of which is number `at` of the array;
 * appends the nonzero ones from `to` on. */
static uint64_t assign_rows_of_span(grid_reader *r, const grid_span *s, uint64_t at, uint64_t to) {
  const grid_file_format *f = &r->format;
  if (s->count == 0) return to;
  uint64_t col = column_of(f, at), top = f->symmetric ? col : f->skew ? col + 1 : 0;
  uint64_t row = top + (at - column_start(f, col));
  for (uint64_t k = s->first; k < s->first + s->count; k++) {
    if (r->values[k] != 0) {
      r->rows[to] = row;
      r->cols[to] = col;
      r->values[to++] = r->values[k];
    }
    if (++row < f->nrows) continue;
    col++;
    row = f->symmetric ? col : f->skew ? col + 1 : 0;
  }
  return to;
}

GrB_Info grid_before_segments(const grid_reader *r, bool lines, uint64_t **before, uint64_t *total) {
  GrB_Info info = GrB_SUCCESS;
  uint64_t segments = 0, *count = NULL;
  *total = 0;
  for (uint64_t k = 0; k < r->nspans; k++)
    if (r->spans[k].segment >= segments) segments = r->spans[k].segment + 1;
  TRY(grid_ctx.transport->allreduce(GRID_SET_ALL, &segments, 1, GRID_MAX));
  count = grid_calloc(segments + 1, sizeof *count);
  TRY(grid_agree(NULL,
                 count ? GrB_SUCCESS : grid_fail_memory(NULL, "the places of a text's pieces", segments, 8)));
  for (uint64_t k = 0; k < r->nspans; k++)
    count[r->spans[k].segment] = lines ? r->spans[k].lines : r->spans[k].count;
  TRY(grid_ctx.transport->allreduce(GRID_SET_ALL, count, segments, GRID_SUM));
  for (uint64_t b = 0; b < segments; b++) {
    const uint64_t c = count[b];
    count[b] = *total;
    *total += c;
  }
  *before = count;
  count = NULL;
done:
  grid_free(count);
  return info;
}

GrB_Info grid_assign_rows_array(grid_reader *r) {
  uint64_t *before = NULL, to = 0, total;
  GrB_Info info = grid_before_segments(r, false, &before, &total);
  if (info != GrB_SUCCESS) return info;
  for (uint64_t k = 0; k < r->nspans; k++)
    to = assign_rows_of_span(r, &r->spans[k], before[r->spans[k].segment], to);
  r->n = to;
  grid_free(before);
  return info;
}
