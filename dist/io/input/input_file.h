/* A regular file read by all processes, each its own ranges. */
#ifndef GRID_INPUT_FILE_H
#define GRID_INPUT_FILE_H
#include "dist/grid/process_grid.h"

enum { GRID_FILE_MAGIC = 16 }; /* first bytes, for format detection */

typedef struct {
  const char *path;
  int fd;
  uint64_t size;
  bool no_nan; /* a value that is not a number is an error; set after grid_file_open */
  unsigned char magic[GRID_FILE_MAGIC]; /* zeros behind the end of the file */
} grid_file;

/* Opens the file on every process; they agree that all can read it and see the same size and first bytes.
 * Collective. */
GrB_Info grid_file_open(grid_file *f, const char *path);
void grid_file_close(grid_file *f);
/* Reads exactly n bytes at `offset`: 0 or an errno (ENODATA: the file ended early), which
 * grid_file_outcome turns into an error text. Local, from any thread. */
int grid_file_bytes(const grid_file *f, void *to, size_t n, uint64_t offset);
GrB_Info grid_file_outcome(const grid_file *f, int error);
#endif
