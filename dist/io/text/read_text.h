/* Shared by the text formats' readers: the properties from a file's header, and one function per format
 * that parses a line. */
#ifndef GRID_READ_TEXT_H
#define GRID_READ_TEXT_H
#include "dist/io/input/tuple_sink.h"
#include "dist/io/text/text_file.h"

typedef enum {
  GRID_FILE_COORDINATE,
  GRID_FILE_ARRAY,
  GRID_FILE_EDGES,
  GRID_FILE_DIMACS,
  GRID_FILE_METIS
} grid_layout;

/* A file's header, read by process 0 and broadcast as bytes. */
typedef struct {
  grid_layout layout;
  bool pattern, integer, symmetric, skew;
  bool arcs;             /* DIMACS: lines "a", else "e" */
  int before;            /* METIS: numbers of a vertex before its neighbours */
  bool any;              /* the format is unknown: the first line decides */
  bool complete;         /* the header is complete: data follows */
  bool banner;           /* the Matrix Market banner was read, the size line not yet */
  uint64_t nrows, ncols; /* 0 for an edge list without a line of dimensions, until its ids are numbered */
  uint64_t base;         /* of an edge list with such a line: the first vertex's number */
  uint64_t entries;      /* number of data lines according to the header */
  uint64_t data;         /* offset of the first line after the header */
  grid_parse_error flaw;
} grid_file_format;

/* Parses one line [p, end), without its newline. 1: a tuple, 0: blank or comment, -1: error in *flaw. */
typedef int (*grid_line_fn)(const grid_file_format *f, const char *p, const char *end, uint64_t *row,
                            uint64_t *col, double *value, grid_parse_error *flaw);
int grid_line_coordinate(const grid_file_format *f, const char *p, const char *end, uint64_t *row,
                         uint64_t *col, double *value, grid_parse_error *flaw);
int grid_line_array(const grid_file_format *f, const char *p, const char *end, uint64_t *row, uint64_t *col,
                    double *value, grid_parse_error *flaw);
int grid_line_edge(const grid_file_format *f, const char *p, const char *end, uint64_t *row, uint64_t *col,
                   double *value, grid_parse_error *flaw);

int grid_line_dimacs(const grid_file_format *f, const char *p, const char *end, uint64_t *row, uint64_t *col,
                     double *value, grid_parse_error *flaw);

/* Does the file's first line look like a Matrix Market banner? */
bool grid_is_banner(const char *p, const char *end);
/* Parse one line of the header, in file order: -1 and f->flaw on error. They set f->complete. */
int grid_head_mm(grid_file_format *f, const char *p, const char *end, uint64_t offset, uint64_t text_limit);
/* The line of an edge list that says its dimensions: vertices, edges, number of the first vertex. The readers
 * of other programs know its beginning. */
#define GRID_EDGES_LINE "# Nodes: %llu Edges: %llu (numbered from %llu)\n"
int grid_head_edges(grid_file_format *f, const char *p, const char *end, uint64_t offset);
int grid_head_dimacs(grid_file_format *f, const char *p, const char *end, uint64_t offset,
                     uint64_t text_limit);
int grid_head_metis(grid_file_format *f, const char *p, const char *end, uint64_t offset,
                    uint64_t text_limit);
/* Parses a size in a header; the error is "expected WHAT, ...". */
int grid_read_size(grid_parse_error *w, const char **p, const char *end, const char *what, uint64_t *v);
/* Parses an index from 1 to n ("row", "column", ...); *v counts from 0. */
int grid_read_index(grid_parse_error *w, const char **p, const char *end, const char *what, uint64_t n,
                    uint64_t *v);
/* Parses an edge's weight. */
int grid_read_weight(grid_parse_error *w, const char **p, const char *end, double *value);

/* Parses one vertex's line: its neighbours and weights go to col and value (may be NULL); returns their
 * number, or -1. */
int64_t grid_line_metis(const grid_file_format *f, const char *p, const char *end, uint64_t *col,
                        double *value, grid_parse_error *flaw);

/* The tuples of a segment. An array's values and METIS's vertices get their rows from their number in the
 * file. */
typedef struct {
  uint64_t segment, first, count;
  uint64_t lines, last; /* METIS: number of vertices; the last one with a neighbour, counted from 1 */
} grid_span;

typedef struct {
  grid_text text;
  grid_file_format format;
  uint64_t n, capacity; /* tuples, and the arrays' capacity */
  uint64_t *rows, *cols;
  double *values; /* NULL if format.pattern */
  grid_span *spans;
  uint64_t nspans, spans_capacity;
  grid_parse_error flaw; /* the first on this process */
  grid_sink *sink;       /* receives tuples as they are read, or NULL */
  uint64_t taken;        /* tuples passed to the sink */
} grid_reader;

/* Is the line too long, or does it have a carriage return in it? The part beyond the limit is not examined,
 * so that the outcome does not depend on the segments. Comments are not checked. */
bool grid_is_bad_line(grid_parse_error *flaw, const char *s, const char *end, bool comment, size_t most);
/* Reads and parses this process's segments; an error in the text is in r->flaw. Local. */
GrB_Info grid_text_read_share(grid_reader *r);
/* Assigns rows and columns to an array's values and drops zeros. Collective; the outcome is local. */
GrB_Info grid_assign_rows_array(grid_reader *r);
/* Assigns METIS's neighbours their vertices, checks that both ends list each edge, and keeps the lower
 * triangle. Collective, agreed on. */
GrB_Info grid_assign_rows_metis(grid_reader *r);
/* Adds a hash of an entry to one of two sums, of the upper and the lower triangle. In the end these are equal
 * if pattern and weights are symmetric, and otherwise differ with probability 1 - 2^-64. */
void grid_edge_sums(uint64_t sums[2], uint64_t row, uint64_t col, double weight);
/* Exclusive prefix sums over segments of their number of tuples (or lines); each process knows those of
 * its own segments. Collective, agreed on; the caller frees *before with grid_free. */
GrB_Info grid_before_segments(const grid_reader *r, bool lines, uint64_t **before, uint64_t *total);

/* Reads an open file as text in the given layout or, with `any`, in the one that its first line shows. A
 * sink that has begun receives the tuples, and e has none; Matrix Market arrays and METIS cannot be
 * streamed and go to e. Collective. */
GrB_Info grid_read_text(Grid_Edges *e, const grid_file *f, grid_layout layout, bool any, grid_sink *sink);
#endif
