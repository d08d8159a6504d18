/* A file that all processes write, each its own stretches of it, or several that are one store (dist/outofcore).
 * It has another name until it is complete. */
#ifndef GRID_OUTPUT_FILE_H
#define GRID_OUTPUT_FILE_H
#include "dist/grid/process_grid.h"
#include "dist/outofcore/file/striped_file.h"

typedef struct {
  const char *path;
  char *name; /* of each file, so far apart, */
  char *temp; /* ... and for now, the same on every process: the first one's, then the others', */
  size_t name_room;
  int files;
  grid_store store;
  bool stream; /* no file, but standard output, a pipe or a device, which process 0 has open */
} grid_output;

/* Whether process 0 finds a stream at `path`: "-", its standard output, or a pipe or a device. Collective. */
GrB_Info grid_output_is_stream(bool *stream, const char *path);
/* Opens it, on process 0. Collective. */
GrB_Info grid_output_open_stream(grid_output *o, const char *path);

/* Makes the file beside `path`, and opens it on every process; `several`: or those that path lists (striped_file.h).
 * Collective. */
GrB_Info grid_output_open(grid_output *o, const char *path, bool several);
/* Writes n bytes at `offset`; of a stream those that come next, on process 0. Local. */
GrB_Info grid_output_write(const grid_output *o, const void *from, size_t n, uint64_t offset);
/* The end, with every process's own outcome so far (info): all agree, and the file gets its name, or is
 * removed; a stream is closed. Collective. */
GrB_Info grid_output_close(grid_output *o, GrB_Info info);

/* Of `mine` of each process those before this one's, and of all. Collective. */
GrB_Info grid_output_before(uint64_t mine, uint64_t *before, uint64_t *all);
#endif
