/* See read.h. */
#include "dist/pages/read.h"

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

/* Whole blocks of the disk, as O_DIRECT wants them. */
static uint64_t start_of(const grid_read *r) {
  return r->from & ~(uint64_t)(GRID_READ_ALIGNED - 1);
}

static uint64_t wish_of(const grid_read *r) {
  const uint64_t mask = GRID_READ_ALIGNED - 1;
  return ((r->to + mask) & ~mask) - start_of(r);
}

static char *room_of(const grid_read *r) {
  return r->room + (-(uintptr_t)r->room & (GRID_READ_ALIGNED - 1));
}

/* What is left behind the first `done` bytes. */
static void read_rest(grid_read *r, uint64_t done) {
  const uint64_t start = start_of(r), wish = wish_of(r), mask = GRID_READ_ALIGNED - 1;
  r->under_way = false;
  while (start + done < r->to && !r->error) {
    /* behind a piece that is no whole block nothing can be read in this way, and nothing should be there */
    if (r->direct && done & mask) {
      r->error = ENODATA;
      break;
    }
    const ssize_t got = pread(r->fd, room_of(r) + done, wish - done, (off_t)(start + done));
    if (got == 0) r->error = ENODATA;
    if (got < 0 && errno != EINTR) r->error = errno;
    if (got > 0) done += (uint64_t)got;
  }
}

static void prepare(grid_read *r, int fd, bool direct, uint64_t from, uint64_t to) {
  r->fd = fd, r->direct = direct;
  r->from = from, r->to = to;
  r->at = room_of(r) + (from - start_of(r));
  r->error = 0;
  r->under_way = true;
}

#ifdef __linux__
/* Contexts are kept for the next stream, to the end of the process: to give one back to the system takes it
 * longer than many reads. */
enum { MOST_UNDER_WAY = 16 };
struct grid_reads {
  aio_context_t id;
  grid_reads *next;
  uint64_t under_way;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static grid_reads *spare;

grid_reads *grid_reads_take(void) {
  pthread_mutex_lock(&lock);
  grid_reads *all = spare;
  if (all) spare = all->next;
  pthread_mutex_unlock(&lock);
  if (all) return all;
  all = calloc(1, sizeof *all);
  if (all && syscall(SYS_io_setup, MOST_UNDER_WAY, &all->id) == 0) return all;
  free(all);
  return NULL;
}

void grid_reads_give(grid_reads *all) {
  if (!all) return;
  pthread_mutex_lock(&lock);
  all->next = spare;
  spare = all;
  pthread_mutex_unlock(&lock);
}

void grid_read_begin(grid_reads *all, grid_read *r, int fd, bool direct, uint64_t from, uint64_t to) {
  prepare(r, fd, direct, from, to);
  if (!direct || !all || all->under_way == MOST_UNDER_WAY) {
    (void)posix_fadvise(fd, (off_t)from, (off_t)(to - from), POSIX_FADV_WILLNEED);
    return;
  }
  struct iocb wish = {.aio_data = (uintptr_t)r,
                      .aio_lio_opcode = IOCB_CMD_PREAD,
                      .aio_fildes = (uint32_t)fd,
                      .aio_buf = (uintptr_t)room_of(r),
                      .aio_nbytes = wish_of(r),
                      .aio_offset = (int64_t)start_of(r)},
              *list = &wish;
  r->asked = syscall(SYS_io_submit, all->id, 1, &list) == 1;
  all->under_way += r->asked;
}

/* Some read has ended. */
static void await(grid_reads *all) {
  struct io_event e;
  const long n = syscall(SYS_io_getevents, all->id, 1, 1, &e, NULL);
  if (n != 1) return; /* a signal */
  grid_read *r = (grid_read *)(uintptr_t)e.data;
  all->under_way--;
  r->asked = false;
  if (e.res < 0)
    r->error = (int)-e.res, r->under_way = false;
  else
    read_rest(r, (uint64_t)e.res);
}

void grid_read_end(grid_reads *all, grid_read *r) {
  while (r->asked) await(all);
  if (r->under_way) read_rest(r, 0);
}
#else
grid_reads *grid_reads_take(void) {
  return NULL;
}

void grid_reads_give(grid_reads *all) {
  (void)all;
}

void grid_read_begin(grid_reads *all, grid_read *r, int fd, bool direct, uint64_t from, uint64_t to) {
  (void)all;
  prepare(r, fd, direct, from, to);
}

void grid_read_end(grid_reads *all, grid_read *r) {
  (void)all;
  if (r->under_way) read_rest(r, 0);
}
#endif
