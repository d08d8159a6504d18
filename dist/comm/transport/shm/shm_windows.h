/* Data between processes of one machine that is longer than a slot of a shm mailbox: each process sends a
 * stream, of which all see one window after the other. A process reads those ranges that it needs. */
#ifndef GRID_SHM_WINDOWS_H
#define GRID_SHM_WINDOWS_H
#include "dist/comm/transport/shm/shm_mailbox.h"
#include "dist/comm/transport/shm/shm_segment.h"

typedef struct {
  grid_shm memory; /* two areas, used in turn: each has a window of every process */
  size_t window;   /* bytes of a window */
  unsigned turn;
  int rank, size;
  grid_mailbox mailbox; /* its barrier orders writes and reads */
} grid_shm_windows;

/* Bytes [at, at + bytes) of the stream of a process: at `data` in the memory of this one. */
typedef struct {
  int process;
  size_t at, bytes;
  char *data;
} grid_stream_range;

/* Bytes of a window between so many processes. */
size_t grid_shm_window_bytes(int size);
/* For the processes of comm (address of an MPI_Comm), all on this machine, with an open mailbox. Collective;
 * the same answer everywhere. */
bool grid_shm_windows_open(grid_shm_windows *w, const void *comm, grid_mailbox mailbox);
void grid_shm_windows_close(grid_shm_windows *w);
/* One window, from byte `at` of every stream. Writes ranges of this process's stream into it and passes the
 * barrier. Then grid_shm_window_read copies ranges out of it, until the next write but one. */
void grid_shm_window_write(grid_shm_windows *w, const grid_stream_range *out, size_t n, size_t at);
void grid_shm_window_read(const grid_shm_windows *w, const grid_stream_range *in, size_t n, size_t at);
/* All windows from byte `at` up to `total`, the same everywhere: the longest stream. */
void grid_shm_windows_pass(grid_shm_windows *w, const grid_stream_range *out, size_t n_out,
                           const grid_stream_range *in, size_t n_in, size_t at, size_t total);
#endif
