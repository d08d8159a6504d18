/* DIMACS files: "p sp N M" and lines "a FROM TO WEIGHT" (shortest paths), or "p edge N M" ("p col N M")
 * and lines "e U V" (undirected). Vertices are numbered from 1; lines "c" are comments. */
#include "dist/io/text/read_text.h"

static bool is_comment(const char *p, const char *end) {
  return p == end || (*p == 'c' && (p + 1 == end || grid_is_blank(p[1])));
}

static int read_problem(grid_file_format *f, const char *p, const char *end, uint64_t text_left) {
  grid_parse_error *w = &f->flaw;
  if (!grid_parse_word(&p, end, "p"))
    return grid_parse_error_expected(w, "DIMACS's line \"p sp VERTICES ARCS\" or \"p edge VERTICES EDGES\"",
                                     p, end);
  f->arcs = grid_parse_word(&p, end, "sp");
  if (!f->arcs && !grid_parse_word(&p, end, "edge") && !grid_parse_word(&p, end, "col"))
    return grid_parse_error_expected(w, "\"sp\", \"edge\" or \"col\" behind \"p\"", p, end);
  f->pattern = f->symmetric = !f->arcs;
  if (grid_read_size(w, &p, end, "the number of vertices", &f->nrows)) return -1;
  if (grid_read_size(w, &p, end, "the number of edges", &f->entries)) return -1;
  if (p < end) return grid_parse_error_expected(w, "the end of the line \"p\"", p, end);
  f->ncols = f->nrows;
  if (f->nrows > GrB_INDEX_MAX + 1)
    return grid_parse_error_set(w, "%llu vertices are more than the 2^60 that are supported",
                                (unsigned long long)f->nrows);
  /* "a 1 1 1\n", "e 1 1\n" */
  if (f->entries > (text_left + 1) / (f->arcs ? 8 : 6))
    return grid_parse_error_set(w, "the line \"p\" promises %llu entries, more than the file has room for",
                                (unsigned long long)f->entries);
  return 0;
}

int grid_head_dimacs(grid_file_format *f, const char *p, const char *end, uint64_t offset,
                     uint64_t text_limit) {
  const uint64_t after = offset + (uint64_t)(end - p);
  grid_skip_blanks(&p, end);
  if (is_comment(p, end)) return 0;
  f->flaw.offset = offset;
  if (read_problem(f, p, end, text_limit > after ? text_limit - after : 0)) return -1;
  f->complete = true;
  f->flaw.offset = GRID_NO_PARSE_ERROR;
  return 0;
}

int grid_line_dimacs(const grid_file_format *f, const char *p, const char *end, uint64_t *row, uint64_t *col,
                     double *value, grid_parse_error *flaw) {
  grid_skip_blanks(&p, end);
  if (is_comment(p, end)) return 0;
  if (!grid_parse_word(&p, end, f->arcs ? "a" : "e"))
    return grid_parse_error_expected(flaw, f->arcs ? "\"a FROM TO WEIGHT\"" : "\"e U V\"", p, end);
  if (grid_read_index(flaw, &p, end, "vertex", f->nrows, row)) return -1;
  if (grid_read_index(flaw, &p, end, "vertex", f->nrows, col)) return -1;
  if (f->arcs && grid_read_weight(flaw, &p, end, value)) return -1;
  return p < end ? grid_parse_error_expected(flaw, "the end of the line", p, end) : 1;
}
