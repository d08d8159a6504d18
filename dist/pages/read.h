/* Reads of a file that are under way while others are used: asked of the system, which needs no thread for it
 * (Linux's io_submit, of a file past the system's cache), or else done when they are wanted, the system
 * having been told before. One thread has all to do with a grid_reads. */
#ifndef GRID_READ_H
#define GRID_READ_H
#include <stdbool.h>
#include <stdint.h>

enum { GRID_READ_ALIGNED = 4096 };

typedef struct {
  char *room; /* of `bytes`, for any stretch that is shorter by 3 * GRID_READ_ALIGNED; the caller's */
  uint64_t bytes;
  char *at;          /* `from`'s byte, once the read has ended */
  uint64_t from, to; /* in the file */
  int fd;
  bool direct, under_way;
  bool asked; /* of the system */
  int error;  /* an errno; ENODATA: the file ends before */
} grid_read;

typedef struct grid_reads grid_reads;
/* To be given back; NULL: reads are done when they are wanted, which all else here knows. */
grid_reads *grid_reads_take(void);
void grid_reads_give(grid_reads *all);

/* from .. to of a file, whose descriptor is O_DIRECT or not. */
void grid_read_begin(grid_reads *all, grid_read *r, int fd, bool direct, uint64_t from, uint64_t to);
/* It is there, or an error. */
void grid_read_end(grid_reads *all, grid_read *r);
#endif
