/* The segments of a text file, plain (text_file.c) or compressed (text_unpack.c). */
#ifndef GRID_TEXT_SEGMENTS_H
#define GRID_TEXT_SEGMENTS_H
#include <errno.h>

#include "dist/io/text/text_file.h"

#define GRID_TEXT_IN_SIZE \
  ((size_t)1 << 21) /* compressed bytes in memory: members of up to a half are whole */

/* Functions that run in several threads return an errno, which this turns into an error. */
static inline GrB_Info grid_text_outcome(const grid_text *t, int error) {
  if (error == ENOMEM) return grid_fail_memory(NULL, "a segment of a file's text", t->block, 1);
  return grid_file_outcome(&t->file, error);
}

/* An errno, or 0. */
static inline int grid_text_reserve(grid_text_segment *p, size_t capacity) {
  if (p->capacity >= capacity) return 0;
  char *more = grid_realloc(p->buffer, capacity, 1);
  if (!more) return ENOMEM;
  p->buffer = more;
  p->capacity = capacity;
  return 0;
}

/* As grid_text_read, of a compressed file: decompresses it, and writes the segments of other processes of the
 * machine into their pipes. */
GrB_Info grid_text_unpack(grid_text *t, bool all, grid_text_segment *p, int max, int *n,
                          grid_parse_error *flaw);
/* Where another process does so: waits for one segment, and takes those that have already arrived. */
GrB_Info grid_text_take(const grid_text *t, grid_text_segment *p, int max, int *n);
#endif
