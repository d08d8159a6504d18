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
    if (r->store->direct && done & mask) {
      r->error = ENODATA;
      break;
    }
    const grid_store_place p = grid_store_find(r->store, start + done);
    const uint64_t here = wish - done < p.left ? wish - done : p.left;
    const ssize_t got = pread(p.fd, room_of(r) + done, here, (off_t)p.offset);
    if (got == 0) r->error = ENODATA;
    if (got < 0 && errno != EINTR) r->error = errno;
    if (got > 0) done += (uint64_t)got;
  }
}

static void prepare(grid_read *r, const grid_store *store, uint64_t from, uint64_t to) {
  r->store = store;
  r->from = from, r->to = to;
  r->at = room_of(r) + (from - start_of(r));
  r->error = 0;
  r->asked = 0;
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

/* The pieces of a read; 0: too many. */
static int cut(grid_read *r, struct iocb *wish) {
  const uint64_t all = wish_of(r);
  int n = 0;
  for (uint64_t done = 0; done < all; n++) {
    const grid_store_place p = grid_store_find(r->store, start_of(r) + done);
    const uint64_t here = all - done < p.left ? all - done : p.left;
    if (n == GRID_READ_PIECES) return 0;
    r->piece[n] = (grid_read_piece){r, done, here};
    wish[n] = (struct iocb){.aio_data = (uintptr_t)&r->piece[n],
                            .aio_lio_opcode = IOCB_CMD_PREAD,
                            .aio_fildes = (uint32_t)p.fd,
                            .aio_buf = (uintptr_t)(room_of(r) + done),
                            .aio_nbytes = here,
                            .aio_offset = (int64_t)p.offset};
    done += here;
  }
  return n;
}

/* The system may read it before it is wanted. */
static void announce(const grid_read *r) {
  for (uint64_t at = r->from; at < r->to;) {
    const grid_store_place p = grid_store_find(r->store, at);
    const uint64_t here = r->to - at < p.left ? r->to - at : p.left;
    (void)posix_fadvise(p.fd, (off_t)p.offset, (off_t)here, POSIX_FADV_WILLNEED);
    at += here;
  }
}

void grid_read_begin(grid_reads *all, grid_read *r, const grid_store *store, uint64_t from, uint64_t to) {
  struct iocb wish[GRID_READ_PIECES], *list[GRID_READ_PIECES];
  prepare(r, store, from, to);
  const int n = store->direct && all ? cut(r, wish) : 0;
  if (n == 0 || all->under_way + (uint64_t)n > MOST_UNDER_WAY) {
    announce(r);
    return;
  }
  for (int k = 0; k < n; k++) list[k] = &wish[k];
  const long asked = syscall(SYS_io_submit, all->id, (long)n, list);
  r->asked = asked > 0 ? (int)asked : 0;
  r->done = r->asked < n ? r->piece[r->asked].from : wish_of(r);
  all->under_way += (uint64_t)r->asked;
}

/* Some piece has ended. */
static void await(grid_reads *all) {
  struct io_event e;
  const long n = syscall(SYS_io_getevents, all->id, 1, 1, &e, NULL);
  if (n != 1) return; /* a signal */
  const grid_read_piece *p = (const grid_read_piece *)(uintptr_t)e.data;
  grid_read *r = p->of;
  all->under_way--;
  r->asked--;
  if (e.res < 0)
    r->error = (int)-e.res;
  else if ((uint64_t)e.res < p->n && p->from + (uint64_t)e.res < r->done)
    r->done = p->from + (uint64_t)e.res;
  if (!r->asked) read_rest(r, r->done);
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

void grid_read_begin(grid_reads *all, grid_read *r, const grid_store *store, uint64_t from, uint64_t to) {
  (void)all;
  prepare(r, store, from, to);
}

void grid_read_end(grid_reads *all, grid_read *r) {
  (void)all;
  if (r->under_way) read_rest(r, 0);
}
#endif
