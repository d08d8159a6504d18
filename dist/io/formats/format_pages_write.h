/* A file of pages written as its rows come, in order (docs/formats.md). Each process has rows of its own,
 * behind those of the one before. */
#ifndef GRID_FORMAT_PAGES_WRITE_H
#define GRID_FORMAT_PAGES_WRITE_H
#include "dist/io/formats/output_file.h"
#include "dist/outofcore/pages/row_pages.h"
#include "dist/io/input/id_set.h"
#include "spmat/sort/sort.h"

typedef struct {
  int shift;                /* a key is row << shift | column; */
  const grid_id_set *names; /* ... or their names, which are numbered by this */
  size_t size;              /* of a value */
  const grid_store *to;     /* pages go there, from `start` on, */
  uint64_t start;
  grid_coded_pages all; /* ... and have these tables so far; data is NULL */
  uint64_t page_capacity, block_capacity, lengths_capacity;
  uint64_t loops;
  int error; /* an errno: pages could not be written */
} grid_pages_writer;

/* The rows behind those before, `row` .. `end`, of these keys less row << shift. Local. */
GrB_Info grid_pages_append_rows(grid_pages_writer *w, uint64_t row, uint64_t end, const grid_sorted *s);
/* Where pages may begin in the file of such a head, at a place that leaves room for its tables and names: of
 * so many tuples, put in at most so many parts. */
uint64_t grid_pages_first(const grid_pages_head *of, uint64_t tuples, uint64_t parts);
/* The file is complete, but for names: h has dimensions and flags. Collective, agreed on with each one's
 * info. */
GrB_Info grid_pages_finish(grid_pages_writer *w, grid_pages_head *h, grid_output *o, GrB_Info info);
void grid_pages_writer_free(grid_pages_writer *w);
#endif
