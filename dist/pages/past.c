/* See past.h. */
#include "dist/pages/past.h"

#include <errno.h>
#include <string.h>

#include "dist/pages/bytes.h"
#include "semiring/mem.h"

size_t grid_past_least = 1 << 16;

enum { MOST = 1 << 21 };

void grid_past_begin(grid_past *p, int fd, uint64_t at, size_t bytes) {
  const size_t blocks = (bytes < MOST ? bytes : MOST) / GRID_PAST_BLOCK;
  *p = (grid_past){.fd = fd, .at = at, .most = (blocks ? blocks : 1) * GRID_PAST_BLOCK};
  if (bytes < grid_past_least) return;
  p->room = grid_malloc(p->most + GRID_PAST_BLOCK, 1);
  if (!p->room) return;
  p->some = p->room + (GRID_PAST_BLOCK - (uintptr_t)p->room % GRID_PAST_BLOCK) % GRID_PAST_BLOCK;
  p->direct = grid_bytes_direct(fd, true);
}

/* Some file systems take the flag, and refuse to write. */
static void write_some(grid_past *p) {
  if (!p->error) p->error = grid_bytes_write(p->fd, p->some, p->n, p->at);
  if (p->error == EINVAL && p->direct) {
    p->direct = false;
    if (grid_bytes_direct(p->fd, false)) p->error = grid_bytes_write(p->fd, p->some, p->n, p->at);
  }
  p->at += p->n;
  p->n = 0;
}

void grid_past_put(grid_past *p, const void *from, size_t n) {
  const char *at = from;
  if (!p->room) {
    if (!p->error) p->error = grid_bytes_write(p->fd, at, n, p->at);
    p->at += n;
    return;
  }
  while (n) {
    const size_t here = n < p->most - p->n ? n : p->most - p->n;
    memcpy(p->some + p->n, at, here);
    p->n += here, at += here, n -= here;
    if (p->n == p->most) write_some(p);
  }
}

int grid_past_end(grid_past *p) {
  const size_t over = p->n % GRID_PAST_BLOCK;
  if (over) {
    memset(p->some + p->n, 0, GRID_PAST_BLOCK - over);
    p->n += GRID_PAST_BLOCK - over;
  }
  if (p->n) write_some(p);
  if (p->direct) grid_bytes_direct(p->fd, false);
  p->direct = false;
  return p->error;
}

void grid_past_free(grid_past *p) {
  grid_free(p->room);
  p->room = NULL;
}
