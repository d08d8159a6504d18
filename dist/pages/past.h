/* past.h: bytes written one behind the other past the system's cache, which costs a core as much as sorting
 * them does, where the file system can that; else through it. */
#ifndef GRID_PAST_H
#define GRID_PAST_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GRID_PAST_BLOCK = 4096 };

typedef struct {
  int fd;
  uint64_t at; /* in the file, of what is in `some` */
  char *room, *some;
  size_t n, most;
  bool direct;
  int error;
} grid_past;

/* Of fewer bytes a request is not worth it. Tests lower it. */
extern size_t grid_past_least;

/* At byte `at`, a multiple of GRID_PAST_BLOCK, of a file; `bytes` are what this may take of memory, for
 * requests of so many. Without room they go through the cache. */
void grid_past_begin(grid_past *p, int fd, uint64_t at, size_t bytes);
/* From any thread, as the next does. */
void grid_past_put(grid_past *p, const void *from, size_t n);
/* What is left is written, zeros behind it up to a whole block. 0 or an errno of any of this. */
int grid_past_end(grid_past *p);
void grid_past_free(grid_past *p);
#endif
