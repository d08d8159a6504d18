/* See async_read.h. */
#include "dist/outofcore/file/async_read.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __linux__
#include <linux/aio_abi.h>
#include <sys/syscall.h>
#endif

/* The request covers whole disk blocks, as O_DIRECT requires. */
static uint64_t start_of(const grid_read *r) {
  return r->from & ~(uint64_t)(GRID_READ_ALIGNED - 1);
}

static uint64_t submit_bytes(const grid_read *r) {
  const uint64_t mask = GRID_READ_ALIGNED - 1;
  return ((r->to + mask) & ~mask) - start_of(r);
}

static char *aligned_buffer(const grid_read *r) {
  return r->buffer + (-(uintptr_t)r->buffer & (GRID_READ_ALIGNED - 1));
}

/* Reads synchronously what follows the first `done` bytes. */
static void read_rest(grid_read *r, uint64_t done) {
  const uint64_t start = start_of(r), request = submit_bytes(r), mask = GRID_READ_ALIGNED - 1;
  r->in_flight = false;
  while (start + done < r->to && !r->error) {
    /* direct I/O cannot continue behind a partial block, which should be the end of the file */
    if (r->store->direct && done & mask) {
      r->error = ENODATA;
      break;
    }
    const grid_store_location p = grid_store_find(r->store, start + done);
    const uint64_t step = request - done < p.left ? request - done : p.left;
    const ssize_t got = pread(p.fd, aligned_buffer(r) + done, step, (off_t)p.offset);
    if (got == 0) r->error = ENODATA;
    if (got < 0 && errno != EINTR) r->error = errno;
    if (got > 0) done += (uint64_t)got;
  }
}

static void prepare(grid_read *r, const grid_store *store, uint64_t from, uint64_t to) {
  r->store = store;
  r->from = from, r->to = to;
  r->at = aligned_buffer(r) + (from - start_of(r));
  r->error = 0;
  r->submitted = 0;
  r->in_flight = true;
}

#ifdef __linux__
/* Contexts are cached for later streams until the process ends: io_destroy takes longer than many reads. */
enum { MAX_IN_FLIGHT = 16 };
struct grid_reads {
  aio_context_t id;
  grid_reads *next;
  uint64_t in_flight;
};

static struct {
  pthread_mutex_t lock;
  grid_reads *list;
} idle = {.lock = PTHREAD_MUTEX_INITIALIZER};

grid_reads *grid_reads_acquire(void) {
  pthread_mutex_lock(&idle.lock);
  grid_reads *all = idle.list;
  if (all) idle.list = all->next;
  pthread_mutex_unlock(&idle.lock);
  if (all) return all;
  all = calloc(1, sizeof *all);
  if (all && syscall(SYS_io_setup, MAX_IN_FLIGHT, &all->id) == 0) return all;
  free(all);
  return NULL;
}

void grid_reads_release(grid_reads *all) {
  if (!all) return;
  pthread_mutex_lock(&idle.lock);
  all->next = idle.list;
  idle.list = all;
  pthread_mutex_unlock(&idle.lock);
}

/* Splits a read at file boundaries; returns the number of segments, 0: too many. */
static int split_request(grid_read *r, struct iocb *request) {
  const uint64_t all = submit_bytes(r);
  int n = 0;
  for (uint64_t done = 0; done < all; n++) {
    const grid_store_location p = grid_store_find(r->store, start_of(r) + done);
    const uint64_t step = all - done < p.left ? all - done : p.left;
    if (n == GRID_READ_SEGMENTS) return 0;
    r->segment[n] = (grid_read_segment){r, done, step};
    request[n] = (struct iocb){.aio_data = (uintptr_t)&r->segment[n],
                               .aio_lio_opcode = IOCB_CMD_PREAD,
                               .aio_fildes = (uint32_t)p.fd,
                               .aio_buf = (uintptr_t)(aligned_buffer(r) + done),
                               .aio_nbytes = step,
                               .aio_offset = (int64_t)p.offset};
    done += step;
  }
  return n;
}

/* Announces the read to the kernel, which may prefetch it. */
static void advise_kernel(const grid_read *r) {
  for (uint64_t at = r->from; at < r->to;) {
    const grid_store_location p = grid_store_find(r->store, at);
    const uint64_t step = r->to - at < p.left ? r->to - at : p.left;
    (void)posix_fadvise(p.fd, (off_t)p.offset, (off_t)step, POSIX_FADV_WILLNEED);
    at += step;
  }
}

void grid_read_start(grid_reads *all, grid_read *r, const grid_store *store, uint64_t from, uint64_t to) {
  struct iocb request[GRID_READ_SEGMENTS], *list[GRID_READ_SEGMENTS];
  prepare(r, store, from, to);
  const int n = store->direct && all ? split_request(r, request) : 0;
  if (n == 0 || all->in_flight + (uint64_t)n > MAX_IN_FLIGHT) {
    advise_kernel(r);
    return;
  }
  for (int k = 0; k < n; k++) list[k] = &request[k];
  const long submitted = syscall(SYS_io_submit, all->id, (long)n, list);
  r->submitted = submitted > 0 ? (int)submitted : 0;
  r->done = r->submitted < n ? r->segment[r->submitted].from : submit_bytes(r);
  all->in_flight += (uint64_t)r->submitted;
}

/* Waits for one segment to complete. */
static void wait_for_piece(grid_reads *all) {
  struct io_event e;
  const long n = syscall(SYS_io_getevents, all->id, 1, 1, &e, NULL);
  if (n != 1) return; /* interrupted by a signal */
  const grid_read_segment *p = (const grid_read_segment *)(uintptr_t)e.data;
  grid_read *r = p->of;
  all->in_flight--;
  r->submitted--;
  if (e.res < 0)
    r->error = (int)-e.res;
  else if ((uint64_t)e.res < p->n && p->from + (uint64_t)e.res < r->done)
    r->done = p->from + (uint64_t)e.res;
  if (!r->submitted) read_rest(r, r->done);
}

void grid_read_wait(grid_reads *all, grid_read *r) {
  while (r->submitted) wait_for_piece(all);
  if (r->in_flight) read_rest(r, 0);
}
#else
grid_reads *grid_reads_acquire(void) {
  return NULL;
}

void grid_reads_release(grid_reads *all) {
  (void)all;
}

void grid_read_start(grid_reads *all, grid_read *r, const grid_store *store, uint64_t from, uint64_t to) {
  (void)all;
  prepare(r, store, from, to);
}

void grid_read_wait(grid_reads *all, grid_read *r) {
  (void)all;
  if (r->in_flight) read_rest(r, 0);
}
#endif
