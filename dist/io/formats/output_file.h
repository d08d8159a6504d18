/* A file written by all processes, each its own ranges, or several files that form one store
 * (dist/outofcore). It has a temporary name until it is complete. */
#ifndef GRID_OUTPUT_FILE_H
#define GRID_OUTPUT_FILE_H
#include "dist/grid/process_grid.h"
#include "dist/outofcore/file/striped_file.h"

typedef struct {
  const char *path;
  char *name; /* final name of each file, name_room bytes each */
  char *temp; /* temporary names, in the same layout, the same on every process */
  size_t name_room;
  int files;
  grid_store store;
  bool stream; /* standard output, a pipe or a device, which process 0 has open */
} grid_output;

/* Is `path` a stream on process 0: "-" (standard output), a pipe or a device? Collective. */
GrB_Info grid_output_is_stream(bool *stream, const char *path);
/* Opens the stream, on process 0. Collective. */
GrB_Info grid_output_open_stream(grid_output *o, const char *path);

/* Creates the temporary file beside `path` and opens it on every process; with `several`, all files that
 * path lists (striped_file.h). Collective. */
GrB_Info grid_output_open(grid_output *o, const char *path, bool several);
/* Writes n bytes at `offset`; to a stream, appends them, on process 0. Local. */
GrB_Info grid_output_write(const grid_output *o, const void *from, size_t n, uint64_t offset);
/* Ends writing with every process's outcome so far (info): all agree, and the file gets its final name or
 * is removed; a stream is closed. Collective. */
GrB_Info grid_output_close(grid_output *o, GrB_Info info);

/* Exclusive prefix sum of `local_bytes` over the processes, and the total. Collective. */
GrB_Info grid_output_before(uint64_t local_bytes, uint64_t *before, uint64_t *all);
#endif
