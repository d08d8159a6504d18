/* Edge lists: a line has two vertex ids and, on all lines or on none, a weight. A comment before the first
 * edge may say the dimensions. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "dist/io/text/read_text.h"

/* Skips a field separator: blanks with at most one comma. */
static bool skip_separator(const char **p, const char *end) {
  const char *start = *p;
  grid_skip_blanks(p, end);
  if (*p < end && **p == ',') {
    ++*p;
    grid_skip_blanks(p, end);
  }
  return *p > start;
}

static bool ends_field(const char *p, const char *end) {
  return p == end || grid_is_blank(*p) || *p == ',';
}

/* A field that is a number, such as 1.0 or 1e3. */
static bool is_fraction(const char *p, const char *end) {
  double ignored;
  return p < end && (grid_is_digit(*p) || *p == '.') &&
         grid_parse_double(&p, end, &ignored) == GRID_NUMBER_OK && ends_field(p, end);
}

static int read_id(grid_parse_error *w, const char **p, const char *end, uint64_t *v) {
  const char *start = *p;
  char found[GRID_QUOTE];
  grid_number got = grid_parse_u64(p, end, v);
  if (got == GRID_NUMBER_NONE && start < end && *start == '-' && start + 1 < end && grid_is_digit(start[1]))
    return grid_parse_error_set(w, "the vertex id %s is negative",
                                grid_quote(found, sizeof found, start, end));
  if (got != GRID_NUMBER_NONE && !ends_field(*p, end) && is_fraction(start, end))
    return grid_parse_error_set(w, "the vertex id %s is not a whole number",
                                grid_quote(found, sizeof found, start, end));
  if (got == GRID_NUMBER_NONE || !ends_field(*p, end))
    return grid_parse_error_expected(w, "a vertex id", start, end);
  if (got == GRID_NUMBER_RANGE)
    return grid_parse_error_set(w, "the vertex id %s does not fit in 64 bits",
                                grid_quote(found, sizeof found, start, end));
  return 0;
}

/* Of a file with dimensions: the vertex's number from 0 on. */
static int number_vertex(const grid_file_format *f, uint64_t *v, grid_parse_error *flaw) {
  const uint64_t id = *v;
  *v -= f->base;
  if (id >= f->base && *v < f->nrows) return 0;
  return grid_parse_error_set(
      flaw, "the vertex %llu is none of the %llu from %llu on that a comment above says",
      (unsigned long long)id, (unsigned long long)f->nrows, (unsigned long long)f->base);
}

int grid_line_edge(const grid_file_format *f, const char *p, const char *end, uint64_t *row, uint64_t *col,
                   double *value, grid_parse_error *flaw) {
  char found[GRID_QUOTE];
  grid_skip_blanks(&p, end);
  if (p == end || *p == '#' || *p == '%') return 0;
  if (read_id(flaw, &p, end, row)) return -1;
  if (!skip_separator(&p, end)) return grid_parse_error_expected(flaw, "a second vertex id", p, end);
  if (p == end) return grid_parse_error_expected(flaw, "a second vertex id", p, end);
  if (read_id(flaw, &p, end, col)) return -1;
  if (f->nrows && (number_vertex(f, row, flaw) || number_vertex(f, col, flaw))) return -1;
  skip_separator(&p, end);
  if (f->pattern) {
    if (p < end)
      return grid_parse_error_expected(flaw, "the end of the line (the first edge has no weight)", p, end);
    return 1;
  }
  const char *start = p;
  grid_number got = grid_parse_double(&p, end, value);
  if (got == GRID_NUMBER_NONE || !ends_field(p, end))
    return grid_parse_error_expected(flaw, start == end ? "a weight (the first edge has one)" : "a weight",
                                     start, end);
  if (got == GRID_NUMBER_RANGE)
    return grid_parse_error_set(flaw, "the weight %s does not fit in a double",
                                grid_quote(found, sizeof found, start, end));
  skip_separator(&p, end);
  if (p < end)
    return grid_parse_error_expected(flaw, "the end of the line (two ids and a weight are all)", p, end);
  return 1;
}

/* Reads a line GRID_EDGES_LINE; any other is a comment. */
static void read_dimensions(grid_file_format *f, const char *p, const char *end) {
  unsigned long long vertices, edges, base;
  char line[sizeof GRID_EDGES_LINE + 3 * 20], same[sizeof line];
  const size_t length = (size_t)(end - p), n = length && end[-1] == '\r' ? length - 1 : length;
  if (n + 2 > sizeof line) return;
  snprintf(line, sizeof line, "%.*s", (int)n, p);
  /* NOLINTNEXTLINE(cert-err34-c): a number out of range is not written as it was read */
  if (sscanf(line, GRID_EDGES_LINE, &vertices, &edges, &base) != 3) return;
  if (!vertices || vertices > GrB_INDEX_MAX + 1 || base > 1) return;
  snprintf(same, sizeof same, GRID_EDGES_LINE, vertices, edges, base);
  if (strncmp(line, same, n) != 0 || same[n] != '\n') return;
  f->nrows = f->ncols = vertices;
  f->base = base;
}

/* Appends a hint to the error of a first line that is not an edge. */
static void add_hint(grid_parse_error *flaw, const char *p, const char *end) {
  const size_t used = strlen(flaw->text);
  char *more = flaw->text + used;
  const size_t capacity = sizeof flaw->text - used;
  grid_skip_blanks(&p, end);
  if (p < end && *p == '"')
    snprintf(more, capacity, "; quotes are not read: remove them, as by tr -d '\"'");
  else if (p < end && (isalpha((unsigned char)*p) || *p == '_'))
    snprintf(more, capacity,
             "; vertices are whole numbers: put '#' in front of a header line, and replace names by numbers");
  else if (p < end && (*p == '<' || *p == '{' || *p == '['))
    snprintf(more, capacity, "; XML and JSON are not read: a line of an edge list has two vertices");
  else if (p < end && grid_is_digit(*p) && memchr(p, '{', (size_t)(end - p)) != NULL)
    snprintf(more, capacity,
             "; NetworkX writes such lines unless write_edgelist has data=False or data=[\"weight\"]");
  else if (memchr(p, ';', (size_t)(end - p)) != NULL)
    snprintf(more, capacity,
             "; fields are separated by blanks, tabs or a comma: replace ';', as by tr ';' ','");
}

/* The first edge determines whether the file has weights. */
int grid_head_edges(grid_file_format *f, const char *p, const char *end, uint64_t offset) {
  uint64_t row, col;
  double value;
  f->layout = GRID_FILE_EDGES;
  f->pattern = true;
  read_dimensions(f, p, end);
  int got = grid_line_edge(f, p, end, &row, &col, &value, &f->flaw);
  if (got < 0) {
    f->pattern = false;
    got = grid_line_edge(f, p, end, &row, &col, &value, &f->flaw);
  }
  if (got == 0) return 0;
  f->complete = true;
  f->data = offset;
  if (got > 0) return 0;
  f->flaw.offset = offset;
  add_hint(&f->flaw, p, end);
  return -1;
}
