/* METIS files: a first line "VERTICES EDGES [FORMAT [WEIGHTS]]", then a line per vertex. A line has the
 * numbers that FORMAT requires (size, weights), then the neighbours, counted from 1, each followed by the
 * edge's weight if FORMAT says so. Both ends of an edge list it; '%' starts a comment. */
#include <string.h>

#include "dist/io/text/read_text.h"
#include "gridblas_rmat.h"

/* FORMAT: up to three digits, each 0 or 1: sizes of vertices, weights of vertices, weights of edges. */
static int read_format(grid_file_format *f, const char *p, const char *end) {
  grid_parse_error *w = &f->flaw;
  uint64_t digits = 0, weights = 1;
  const char *start = p;
  f->pattern = true;
  if (p == end) return 0;
  if (grid_read_size(w, &p, end, "METIS's format", &digits)) return -1;
  if (digits > 111 || digits % 10 > 1 || digits / 10 % 10 > 1)
    return grid_parse_error_expected(w, "METIS's format, three digits of 0 and 1", start, end);
  const bool sizes = digits / 100, weighted = digits / 10 % 10;
  if (p < end && grid_read_size(w, &p, end, "the number of a vertex's weights", &weights)) return -1;
  if (weights > 1000) return grid_parse_error_set(w, "a vertex has 1000 weights at most");
  if (p < end) return grid_parse_error_expected(w, "the end of the first line", p, end);
  f->before = (sizes ? 1 : 0) + (weighted ? (int)weights : 0);
  f->pattern = digits % 10 == 0;
  return 0;
}

static int read_sizes(grid_file_format *f, const char *p, const char *end, uint64_t text_left) {
  grid_parse_error *w = &f->flaw;
  uint64_t edges;
  if (grid_read_size(w, &p, end, "the number of vertices", &f->nrows)) return -1;
  if (grid_read_size(w, &p, end, "the number of edges", &edges)) return -1;
  f->ncols = f->nrows;
  if (f->nrows > GrB_INDEX_MAX + 1 || f->nrows > text_left + 1 || edges > (text_left + 1) / 4)
    return grid_parse_error_set(
        w, "the first line promises %llu vertices and %llu edges, more than the file has room for",
        (unsigned long long)f->nrows, (unsigned long long)edges);
  f->entries = 2 * edges;
  return read_format(f, p, end);
}

int grid_head_metis(grid_file_format *f, const char *p, const char *end, uint64_t offset,
                    uint64_t text_limit) {
  const uint64_t after = offset + (uint64_t)(end - p);
  grid_skip_blanks(&p, end);
  if (p == end || *p == '%') return 0;
  f->flaw.offset = offset;
  if (read_sizes(f, p, end, text_limit > after ? text_limit - after : 0)) return -1;
  f->symmetric = true;
  f->complete = true;
  f->flaw.offset = GRID_NO_PARSE_ERROR;
  return 0;
}

int64_t grid_line_metis(const grid_file_format *f, const char *p, const char *end, uint64_t *col,
                        double *value, grid_parse_error *flaw) {
  int64_t n = 0;
  double unused;
  grid_skip_blanks(&p, end);
  for (int k = 0; k < f->before; k++) {
    /* a blank line behind the last vertex; number_rows checks their number */
    if (k == 0 && p == end) return 0;
    if (grid_read_weight(flaw, &p, end, &unused)) return -1;
  }
  for (; p < end; n++) {
    if (grid_read_index(flaw, &p, end, "vertex", f->nrows, &col[n])) return -1;
    if (value && grid_read_weight(flaw, &p, end, &value[n])) return -1;
  }
  return n;
}

/* Hash of an edge and its weight, the same from both ends. */
static uint64_t hash_edge(uint64_t low, uint64_t high, double weight) {
  uint64_t bits;
  memcpy(&bits, &weight, sizeof bits);
  return Grid_Rmat_mix(Grid_Rmat_mix(low + GRID_RMAT_GOLDEN) + Grid_Rmat_mix(high + 1) + bits);
}

void grid_edge_sums(uint64_t sums[2], uint64_t row, uint64_t col, double weight) {
  const bool lower = row > col;
  sums[lower] += hash_edge(lower ? col : row, lower ? row : col, weight);
}

/* Makes the row numbers global; errors name the vertex. */
static GrB_Info number_rows(grid_reader *r, const uint64_t *before) {
  for (uint64_t s = 0; s < r->nspans; s++) {
    const grid_span *span = &r->spans[s];
    if (span->last && before[span->segment] + span->last > r->format.nrows)
      return grid_fail(NULL, GrB_INVALID_VALUE,
                       "%s: the first line promises %llu vertices, the file has more", r->text.file.path,
                       (unsigned long long)r->format.nrows);
  }
  for (uint64_t s = 0; s < r->nspans; s++) {
    const grid_span *span = &r->spans[s];
    for (uint64_t k = span->first; k < span->first + span->count; k++) {
      r->rows[k] += before[span->segment];
      if (r->rows[k] == r->cols[k])
        return grid_fail(NULL, GrB_INVALID_VALUE, "%s: vertex %llu is its own neighbour; METIS has no loops",
                         r->text.file.path, (unsigned long long)r->rows[k] + 1);
    }
  }
  return GrB_SUCCESS;
}

GrB_Info grid_assign_rows_metis(grid_reader *r) {
  uint64_t *before = NULL, vertices, to = 0, sums[2] = {0, 0};
  GrB_Info info = grid_before_segments(r, true, &before, &vertices);
  if (info != GrB_SUCCESS) return info;
  if (vertices < r->format.nrows)
    TRY(grid_fail(NULL, GrB_INVALID_VALUE,
                  "%s: the first line promises %llu vertices, the file has %llu (is it truncated?)",
                  r->text.file.path, (unsigned long long)r->format.nrows, (unsigned long long)vertices));
  info = number_rows(r, before);
  for (uint64_t k = 0; info == GrB_SUCCESS && k < r->n; k++) {
    const uint64_t row = r->rows[k], col = r->cols[k];
    grid_edge_sums(sums, row, col, r->values ? r->values[k] : 1);
    if (row < col) continue; /* the lower triangle is stored */
    r->rows[to] = row;
    r->cols[to] = col;
    if (r->values) r->values[to] = r->values[k];
    to++;
  }
  r->n = to;
  TRY(grid_agree_sum(NULL, info, sums, 2));
  if (sums[0] != sums[1])
    TRY(grid_fail(NULL, GrB_INVALID_VALUE,
                  "%s: an edge is listed by one of its ends only, or with different weights",
                  r->text.file.path));
done:
  grid_free(before);
  return info;
}
