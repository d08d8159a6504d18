/* Asynchronous reads: by Linux's io_submit, without a thread, for files with direct I/O; otherwise
 * synchronous at grid_read_wait, after advice to the kernel. A grid_reads belongs to one thread. */
#ifndef GRID_ASYNC_READ_H
#define GRID_ASYNC_READ_H
#include "dist/outofcore/file/striped_file.h"

enum { GRID_READ_ALIGNED = 4096, GRID_READ_SEGMENTS = 8 };

struct grid_read;
/* The part of a read within one file. */
typedef struct {
  struct grid_read *of;
  uint64_t from, n;
} grid_read_segment;

typedef struct grid_read {
  char *buffer; /* the caller's, of `bytes` bytes; the range read must be shorter by 3 * GRID_READ_ALIGNED */
  uint64_t bytes;
  char *at;          /* address of byte `from` after the read */
  uint64_t from, to; /* byte range in the store */
  const grid_store *store;
  bool in_flight;
  int submitted; /* segments in flight */
  uint64_t done; /* contiguous bytes of the request that are complete */
  grid_read_segment segment[GRID_READ_SEGMENTS];
  int error; /* an errno; ENODATA: the file ends before `to` */
} grid_read;

typedef struct grid_reads grid_reads;
/* A context, to be released; NULL: reads are synchronous, which the functions below support. */
grid_reads *grid_reads_acquire(void);
void grid_reads_release(grid_reads *all);

/* Starts reading bytes from .. to; r and the store must not move until the read has ended. */
void grid_read_start(grid_reads *all, grid_read *r, const grid_store *store, uint64_t from, uint64_t to);
/* Waits for the read; then r->at is valid, or r->error is set. */
void grid_read_wait(grid_reads *all, grid_read *r);
#endif
