/* Writes a page file from rows in ascending order (docs/formats.md). Each process has a range of rows, in
 * rank order. */
#ifndef GRID_FORMAT_PAGES_WRITE_H
#define GRID_FORMAT_PAGES_WRITE_H
#include "dist/io/formats/output_file.h"
#include "dist/outofcore/pages/row_pages.h"
#include "dist/io/input/id_set.h"
#include "spmat/sort/sort.h"

typedef struct {
  int shift;                /* a key is row << shift | column */
  const grid_id_set *names; /* if not NULL, keys hold names, numbered by this set */
  bool has_loops;           /* `loops` is known: rows and columns in keys are numbers of different lists */
  size_t size;              /* bytes of a value */
  const grid_store *to;     /* destination of the pages, from `start` on */
  uint64_t start;
  grid_coded_pages all; /* tables of the pages so far; data is NULL */
  uint64_t page_capacity, block_capacity, lengths_capacity;
  uint64_t loops;
  int error; /* errno of a failed write */
} grid_pages_writer;

/* Appends rows `row` .. `end`, given by keys less row << shift. Local. */
GrB_Info grid_pages_append_rows(grid_pages_writer *w, uint64_t row, uint64_t end, const grid_sorted *s);
/* Offset at which pages may begin in a file with this header: behind space for its tables and names, for
 * so many tuples, appended in at most `parts` parts. */
uint64_t grid_pages_first(const grid_pages_head *of, uint64_t tuples, uint64_t parts);
/* Completes the file, except names: h has dimensions and flags. Collective, agreed on with each process's
 * info. */
GrB_Info grid_pages_finish(grid_pages_writer *w, grid_pages_head *h, grid_output *o, GrB_Info info);
void grid_pages_writer_free(grid_pages_writer *w);
#endif
