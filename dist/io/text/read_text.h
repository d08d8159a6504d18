/* What the readers of the file formats share: the facts from a file's head, and one function a format that
 * reads a line. */
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

/* A file's head, found out by process 0 and given to all (plain data, sent as bytes). */
typedef struct {
  grid_layout layout;
  bool pattern, integer, symmetric, skew;
  bool arcs;             /* DIMACS: lines "a", else "e" */
  int before;            /* METIS: numbers of a vertex in front of its neighbours */
  bool any;              /* the first line, yet to be seen, says what it is */
  bool complete;         /* the head is read: what follows is data */
  bool banner;           /* the Matrix Market banner is read, the size line is not */
  uint64_t nrows, ncols; /* 0 for an edge list until its ids are counted */
  uint64_t entries;      /* data lines promised */
  uint64_t data;         /* offset of the first line after the head */
  grid_parse_error flaw;
} grid_file_format;

/* Reads one line [p, end), without its line end. 1: a tuple, 0: nothing on it (blank, comment), -1: *flaw
 * says what is wrong. */
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

/* Does the file's first line claim to be a Matrix Market banner? */
bool grid_is_banner(const char *p, const char *end);
/* Take one line of the head, in file order: -1 and f->flaw when it is wrong. They set f->complete. */
int grid_head_mm(grid_file_format *f, const char *p, const char *end, uint64_t offset, uint64_t text_limit);
int grid_head_edges(grid_file_format *f, const char *p, const char *end, uint64_t offset);
int grid_head_dimacs(grid_file_format *f, const char *p, const char *end, uint64_t offset,
                     uint64_t text_limit);
int grid_head_metis(grid_file_format *f, const char *p, const char *end, uint64_t offset,
                    uint64_t text_limit);
/* A size in a head: "expected WHAT, ...". */
int grid_read_size(grid_parse_error *w, const char **p, const char *end, const char *what, uint64_t *v);
/* An index from 1 to n of a line, "row", "column", ...; *v counts from 0. */
int grid_read_index(grid_parse_error *w, const char **p, const char *end, const char *what, uint64_t n,
                    uint64_t *v);
/* A weight of a line, an edge's. */
int grid_read_weight(grid_parse_error *w, const char **p, const char *end, double *value);

/* Reads one vertex's line: its neighbours and weights to col and value (NULL: none); their number, or -1. */
int64_t grid_line_metis(const grid_file_format *f, const char *p, const char *end, uint64_t *col,
                        double *value, grid_parse_error *flaw);

/* Which tuples came from which segment: an array's values, and METIS's vertices, are placed by their number
 * in the file. */
typedef struct {
  uint64_t segment, first, count;
  uint64_t lines, last; /* METIS: vertices; the last of them with a neighbour, from 1 */
} grid_span;

typedef struct {
  grid_text text;
  grid_file_format format;
  uint64_t n, capacity; /* tuples and room in the arrays */
  uint64_t *rows, *cols;
  double *values; /* NULL when f.pattern */
  grid_span *spans;
  uint64_t nspans, spans_capacity;
  grid_parse_error flaw; /* the first on this process */
  grid_sink *sink;       /* takes tuples as they come, or NULL; */
  uint64_t taken;        /* ... so many */
} grid_reader;

/* Gives an array's values their rows and columns and drops zeros. Collective; local outcome agreed. */
GrB_Info grid_assign_rows_array(grid_reader *r);
/* Gives METIS's neighbours their vertices, looks whether each edge is listed both ways, and keeps one of
 * them. Collective, agreed on. */
GrB_Info grid_assign_rows_metis(grid_reader *r);
/* Adds an entry to one of two sums, of the upper and the lower triangle, which are the same in the end when
 * the pattern and the weights are symmetric (and differ otherwise, but for a chance of 2^-64). */
void grid_edge_sums(uint64_t sums[2], uint64_t row, uint64_t col, double weight);
/* The sums of count[segment] over the segments before: of which every process knows its own. Collective,
 * agreed on; *before is grid_free'd by the caller. */
GrB_Info grid_before_segments(const grid_reader *r, bool lines, uint64_t **before, uint64_t *total);

/* The text format that a file's first line shows: DIMACS, Matrix Market (GRID_FILE_COORDINATE), else
 * GRID_FILE_EDGES. */
grid_layout grid_text_layout(const char *p, const char *end);
/* Reads an open file as text of that layout, or, where `any`, of the one that its first line shows. With a
 * sink that takes the tuples, which has begun then, e is without them; those of Matrix Market's arrays and of
 * METIS, whose places are known late, are in e as ever. Collective. */
GrB_Info grid_read_text(Grid_Edges *e, const grid_file *f, grid_layout layout, bool any, grid_sink *sink);
#endif
