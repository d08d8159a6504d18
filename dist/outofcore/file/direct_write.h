/* Sequential writes by direct I/O where the file system supports it, otherwise through the page cache,
 * which costs as much CPU time as sorting the bytes. */
#ifndef GRID_DIRECT_WRITE_H
#define GRID_DIRECT_WRITE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GRID_DIRECT_BLOCK = 4096 };

typedef struct {
  int fd;
  uint64_t at; /* file offset of the buffered bytes */
  char *buffer, *block;
  size_t n, most;
  bool direct;
  int error;
} grid_direct_writer;

/* At byte `at`, a multiple of GRID_DIRECT_BLOCK, of a file; `bytes` are what this may take of memory, for
 * requests of so many. Without room they go through the cache. */
void grid_direct_begin(grid_direct_writer *p, int fd, uint64_t at, size_t bytes);
/* May be called from any thread, as may grid_direct_end. */
void grid_direct_write(grid_direct_writer *p, const void *from, size_t n);
/* Writes the rest, padded with zeros to a whole block. Returns 0 or the first errno. */
int grid_direct_end(grid_direct_writer *p);
void grid_direct_free(grid_direct_writer *p);
#endif
