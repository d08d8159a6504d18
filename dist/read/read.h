/* What the readers of the file formats share: the facts from a file's head, and one function a format that
 * reads a line. */
#ifndef GRID_READ_H
#define GRID_READ_H
#include "dist/read/text.h"

typedef enum { GRID_FILE_COORDINATE, GRID_FILE_ARRAY, GRID_FILE_EDGES } grid_layout;

/* A file's head, found out by process 0 and given to all (plain data, sent as bytes). */
typedef struct {
  grid_layout layout;
  bool pattern, integer, symmetric, skew;
  bool begun;            /* its first line is seen */
  bool complete;         /* the head is read: what follows is data */
  bool banner;           /* the Matrix Market banner is read, the size line is not */
  uint64_t nrows, ncols; /* 0 for an edge list until its ids are counted */
  uint64_t entries;      /* data lines promised */
  uint64_t data;         /* offset of the first line after the head */
  grid_flaw flaw;
} grid_file_format;

/* Reads one line [p, end), without its line end. 1: a tuple, 0: nothing on it (blank, comment), -1: *flaw
 * says what is wrong. */
typedef int (*grid_line_fn)(const grid_file_format *f, const char *p, const char *end, uint64_t *row,
                            uint64_t *col, double *value, grid_flaw *flaw);
int grid_line_coordinate(const grid_file_format *f, const char *p, const char *end, uint64_t *row, uint64_t *col,
                         double *value, grid_flaw *flaw);
int grid_line_array(const grid_file_format *f, const char *p, const char *end, uint64_t *row, uint64_t *col,
                    double *value, grid_flaw *flaw);
int grid_line_edge(const grid_file_format *f, const char *p, const char *end, uint64_t *row, uint64_t *col,
                   double *value, grid_flaw *flaw);

/* Does the file's first line claim to be a Matrix Market banner? */
bool grid_is_banner(const char *p, const char *end);
/* Take one line of the head, in file order: -1 and f->flaw when it is wrong. They set f->complete. */
int grid_head_mm(grid_file_format *f, const char *p, const char *end, uint64_t offset, uint64_t text_limit);
int grid_head_edges(grid_file_format *f, const char *p, const char *end, uint64_t offset);

/* Which tuples came from which piece: an array's values are placed by their number in the file. */
typedef struct {
  uint64_t piece, first, count;
} grid_span;

typedef struct {
  grid_text text;
  grid_file_format format;
  uint64_t n, room; /* tuples and room in the arrays */
  uint64_t *rows, *cols;
  double *values; /* NULL when f.pattern */
  grid_span *spans;
  uint64_t nspans, spans_room;
  grid_flaw flaw; /* the first on this process */
} grid_reader;

/* Gives an array's values their rows and columns and drops zeros. Collective; local outcome agreed. */
GrB_Info grid_place_array(grid_reader *r);
#endif
