/* See direct_write.h. */
#include "dist/outofcore/file/direct_write.h"

#include <errno.h>
#include <string.h>

#include "dist/outofcore/file/file_bytes.h"
#include "semiring/support/mem.h"
#include "semiring/support/tuning.h"

enum { MOST = 1 << 21 };

void grid_direct_begin(grid_direct_writer *p, int fd, uint64_t at, size_t bytes) {
  const size_t blocks = (bytes < MOST ? bytes : MOST) / GRID_DIRECT_BLOCK;
  *p = (grid_direct_writer){.fd = fd, .at = at, .most = (blocks ? blocks : 1) * GRID_DIRECT_BLOCK};
  if (bytes < grid_tune.direct_min_bytes) return;
  p->buffer = grid_malloc(p->most + GRID_DIRECT_BLOCK, 1);
  if (!p->buffer) return;
  p->block = p->buffer + (GRID_DIRECT_BLOCK - (uintptr_t)p->buffer % GRID_DIRECT_BLOCK) % GRID_DIRECT_BLOCK;
  p->direct = grid_bytes_direct(fd, true);
}

/* Some file systems accept the flag O_DIRECT and then refuse to write. */
static void write_partial(grid_direct_writer *p) {
  if (!p->error) p->error = grid_bytes_write(p->fd, p->block, p->n, p->at);
  if (p->error == EINVAL && p->direct) {
    p->direct = false;
    if (grid_bytes_direct(p->fd, false)) p->error = grid_bytes_write(p->fd, p->block, p->n, p->at);
  }
  p->at += p->n;
  p->n = 0;
}

void grid_direct_write(grid_direct_writer *p, const void *from, size_t n) {
  const char *at = from;
  if (!p->buffer) {
    if (!p->error) p->error = grid_bytes_write(p->fd, at, n, p->at);
    p->at += n;
    return;
  }
  while (n) {
    const size_t step = n < p->most - p->n ? n : p->most - p->n;
    memcpy(p->block + p->n, at, step);
    p->n += step, at += step, n -= step;
    if (p->n == p->most) write_partial(p);
  }
}

int grid_direct_end(grid_direct_writer *p) {
  const size_t over = p->n % GRID_DIRECT_BLOCK;
  if (over) {
    memset(p->block + p->n, 0, GRID_DIRECT_BLOCK - over);
    p->n += GRID_DIRECT_BLOCK - over;
  }
  if (p->n) write_partial(p);
  if (p->direct) grid_bytes_direct(p->fd, false);
  p->direct = false;
  return p->error;
}

void grid_direct_free(grid_direct_writer *p) {
  grid_free(p->buffer);
  p->buffer = NULL;
}
