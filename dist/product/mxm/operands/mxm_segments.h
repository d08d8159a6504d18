/* Slices of the blocks of a grid row or column, gathered by all of its processes. A slice is sent as a
 * segment: a head, the nonempty rows with their numbers of entries, the ids of its columns if they are
 * hypersparse, then the entries' columns and values. Each array begins at a multiple of 8 bytes. */
#ifndef GRID_MXM_SEGMENTS_H
#define GRID_MXM_SEGMENTS_H
#include "dist/product/mxm/operands/mxm_panel.h"

/* Rows r0 .. r1 and columns c0 .. c1 of block x, positions on its axes. */
typedef struct {
  const grid_rows *x;
  uint64_t r0, r1, c0, c1;
  bool names_rows; /* a row's name is its id; else its position */
} grid_slice;
/* Number of the slice's entries in row r of the block, and the first one. */
uint64_t grid_slice_entries(const grid_slice *s, uint64_t r, uint64_t *from);

typedef struct {
  uint64_t rows, entries, cols; /* nonempty rows; entries; columns, also empty ones */
  uint64_t hypersparse, first;  /* the columns' ids are listed; else column k has id first + k */
  uint64_t iso;
} grid_segment_head;

typedef struct {
  grid_segment_head h;
  uint64_t *name;  /* of each row: id or position (grid_slice.names_rows) */
  uint32_t *count; /* of each row: entries */
  uint64_t *id;
  uint32_t *idx;
  char *val;
} grid_segment;

typedef struct {
  int n;
  grid_segment *p;
  void *buffer;
  uint64_t entries, cols;
  bool iso;        /* all entries have the same value, */
  const char *one; /* this one */
} grid_segments;
void grid_segments_free(grid_segments *x);
/* Sends the slice to all processes of the set; *got: those of all. Collective over the grid, agreed on. */
GrB_Info grid_gather_segments(grid_set set, const grid_slice *s, GrB_Info info, grid_segments *got);
#endif
