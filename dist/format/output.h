/* A file that all processes write, each its own stretches of it. It has another name until it is complete. */
#ifndef GRID_OUTPUT_H
#define GRID_OUTPUT_H
#include "dist/grid/grid.h"

typedef struct {
  const char *path;
  char *temp; /* its name for now, the same on every process */
  int fd;
} grid_output;

/* Makes the file beside `path`, and opens it on every process. Collective. */
GrB_Info grid_output_open(grid_output *o, const char *path);
/* Writes n bytes at `offset`. Local. */
GrB_Info grid_output_write(const grid_output *o, const void *from, size_t n, uint64_t offset);
/* The end, with every process's own outcome so far (info): all agree, and the file gets its name, or is
 * removed. Collective. */
GrB_Info grid_output_close(grid_output *o, GrB_Info info);

/* Of `mine` of each process those before this one's, and of all. Collective. */
GrB_Info grid_output_before(uint64_t mine, uint64_t *before, uint64_t *all);
#endif
