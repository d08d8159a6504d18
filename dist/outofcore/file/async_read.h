/* Reads that are under way while others are used: asked of the system, which needs no thread for it (Linux's
 * io_submit, of files by direct I/O), or else done when they are wanted, the system having been
 * told before. One thread has all to do with a grid_reads. */
#ifndef GRID_ASYNC_READ_H
#define GRID_ASYNC_READ_H
#include "dist/outofcore/file/striped_file.h"

enum { GRID_READ_ALIGNED = 4096, GRID_READ_SEGMENTS = 8 };

struct grid_read;
/* What of it one file has. */
typedef struct {
  struct grid_read *of;
  uint64_t from, n;
} grid_read_segment;

typedef struct grid_read {
  char *buffer; /* of `bytes`, for any stretch that is shorter by 3 * GRID_READ_ALIGNED; the caller's */
  uint64_t bytes;
  char *at;          /* `from`'s byte, once the read has ended */
  uint64_t from, to; /* in the store */
  const grid_store *store;
  bool in_flight;
  int submitted; /* segments that the system has not given yet; */
  uint64_t done; /* ... of what it was asked for, so many bytes are there in a row */
  grid_read_segment segment[GRID_READ_SEGMENTS];
  int error; /* an errno; ENODATA: the file ends before */
} grid_read;

typedef struct grid_reads grid_reads;
/* To be given back; NULL: reads are done when they are wanted, which all else here knows. */
grid_reads *grid_reads_acquire(void);
void grid_reads_release(grid_reads *all);

/* from .. to; r and the store stay where they are until it has ended. */
void grid_read_start(grid_reads *all, grid_read *r, const grid_store *store, uint64_t from, uint64_t to);
/* It is there, or an error. */
void grid_read_wait(grid_reads *all, grid_read *r);
#endif
