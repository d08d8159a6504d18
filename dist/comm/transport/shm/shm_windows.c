/* See shm_windows.h. Two areas suffice: a process writes an area again after a barrier that the others pass
 * only when they have read it. */
#include "dist/comm/transport/shm/shm_windows.h"

#include <string.h>

#include "dist/comm/mpi/mpi_calls.h"

enum { AREAS = 2, CACHE_LINE = 64 };
static const size_t AREA_BYTES = (size_t)2 << 20; /* shared memory may be scarce */

size_t grid_shm_window_bytes(int size) {
  return AREA_BYTES / (size_t)size / CACHE_LINE * CACHE_LINE;
}

bool grid_shm_windows_open(grid_shm_windows *w, const void *comm, grid_mailbox mailbox) {
  *w = (grid_shm_windows){.mailbox = mailbox};
  MPI_Comm_rank(*(const MPI_Comm *)comm, &w->rank);
  MPI_Comm_size(*(const MPI_Comm *)comm, &w->size);
  w->window = grid_shm_window_bytes(w->size);
  return w->window > 0 && grid_shm_open(&w->memory, comm, AREAS, w->window);
}

void grid_shm_windows_close(grid_shm_windows *w) {
  grid_shm_close(&w->memory);
}

static char *window_of(const grid_shm_windows *w, int process) {
  return w->memory.at + ((size_t)(w->turn % AREAS) * (size_t)w->size + (size_t)process) * w->window;
}

/* Copies the part of range r that lies in the window from byte `at`. */
static void copy_range(const grid_shm_windows *w, const grid_stream_range *r, size_t at, bool write) {
  const size_t first = r->at > at ? r->at : at, end = r->at + r->bytes, last = at + w->window;
  const size_t until = end < last ? end : last;
  if (first >= until) return;
  char *window = window_of(w, r->process) + (first - at), *data = r->data + (first - r->at);
  if (write)
    memcpy(window, data, until - first);
  else
    memcpy(data, window, until - first);
}

void grid_shm_window_write(grid_shm_windows *w, const grid_stream_range *out, size_t n, size_t at) {
  w->turn++;
  for (size_t k = 0; k < n; k++) copy_range(w, &out[k], at, true);
  grid_mailbox_exchange(w->mailbox, NULL, 0);
}

void grid_shm_window_read(const grid_shm_windows *w, const grid_stream_range *in, size_t n, size_t at) {
  for (size_t k = 0; k < n; k++) copy_range(w, &in[k], at, false);
}

void grid_shm_windows_pass(grid_shm_windows *w, const grid_stream_range *out, size_t n_out,
                           const grid_stream_range *in, size_t n_in, size_t at, size_t total) {
  for (; at < total; at += w->window) {
    grid_shm_window_write(w, out, n_out, at);
    grid_shm_window_read(w, in, n_in, at);
  }
}
