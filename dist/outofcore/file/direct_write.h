/* direct_write.h: bytes written one behind the other by direct I/O, which costs a core as much as sorting
 * them does, where the file system can that; else through it. */
#ifndef GRID_DIRECT_WRITE_H
#define GRID_DIRECT_WRITE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GRID_DIRECT_BLOCK = 4096 };

typedef struct {
  int fd;
  uint64_t at; /* in the file, of what is in `some` */
  char *buffer, *block;
  size_t n, most;
  bool direct;
  int error;
} grid_direct_writer;

/* At byte `at`, a multiple of GRID_DIRECT_BLOCK, of a file; `bytes` are what this may take of memory, for
 * requests of so many. Without room they go through the cache. */
void grid_direct_begin(grid_direct_writer *p, int fd, uint64_t at, size_t bytes);
/* From any thread, as the next does. */
void grid_direct_write(grid_direct_writer *p, const void *from, size_t n);
/* What is left is written, zeros behind it up to a whole block. 0 or an errno of any of this. */
int grid_direct_end(grid_direct_writer *p);
void grid_direct_free(grid_direct_writer *p);
#endif
