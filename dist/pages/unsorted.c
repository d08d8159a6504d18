/* See unsorted.h. */
#include "dist/pages/unsorted.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dist/grid/grid.h"
#include "dist/pages/bytes.h"
#include "dist/pages/store.h"
#include "semiring/mem.h"

/* Tuples that there is room for at first; and that are read together. */
enum { FIRST_ROOM = 1 << 16, READ_TOGETHER = 1 << 17 };

static size_t each(const grid_unsorted *u) {
  return sizeof *u->key + (u->valued ? sizeof *u->val : 0);
}

void grid_unsorted_begin(grid_unsorted *u, const char *path, bool valued, uint64_t bytes) {
  *u = (grid_unsorted){.path = path, .valued = valued, .fd = -1};
  u->most = bytes / each(u) > 64 ? bytes / each(u) : 64;
}

void grid_unsorted_free(grid_unsorted *u) {
  if (u->path && u->fd >= 0) close(u->fd);
  grid_free(u->key);
  grid_free(u->val);
  *u = (grid_unsorted){.fd = -1};
}

static GrB_Info trouble(const grid_unsorted *u, const char *what, int error) {
  return grid_fail(NULL, GrB_INVALID_VALUE, "%s: cannot %s tuples beside it: %s", u->path, what,
                   error == ENODATA ? "the file became shorter" : strerror(error));
}

static GrB_Info make_file(grid_unsorted *u) {
  static const char ending[] = ".tuples.XXXXXX";
  const size_t length = strlen(u->path);
  char *name = grid_malloc(length + sizeof ending, 1);
  if (!name) return grid_fail_memory(NULL, "a file's name", length + sizeof ending, 1);
  memcpy(name + grid_store_name(name, u->path, (unsigned)grid_here.k), ending, sizeof ending);
  u->fd = mkostemp(name, O_CLOEXEC);
  const GrB_Info info = u->fd < 0 || unlink(name) != 0 ? trouble(u, "write", errno) : GrB_SUCCESS;
  grid_free(name);
  return info;
}

/* All that memory has room for goes to the file. */
static GrB_Info write_piece(grid_unsorted *u) {
  const uint64_t at = u->pieces * u->most * each(u);
  GrB_Info info = u->fd < 0 ? make_file(u) : GrB_SUCCESS;
  if (info != GrB_SUCCESS) return info;
  int error = grid_bytes_write(u->fd, u->key, u->n * sizeof *u->key, at);
  if (!error && u->val)
    error = grid_bytes_write(u->fd, u->val, u->n * sizeof *u->val, at + u->n * sizeof *u->key);
  if (error) return trouble(u, "write", error);
  u->moved += u->n * each(u);
  u->pieces++;
  u->n = 0;
  return info;
}

static GrB_Info grow(grid_unsorted *u) {
  const uint64_t twice = u->room ? 2 * u->room : FIRST_ROOM, room = twice < u->most ? twice : u->most;
  uint64_t *key = grid_realloc(u->key, room, sizeof *key);
  if (key) u->key = key;
  double *val = key && u->valued ? grid_realloc(u->val, room, sizeof *val) : NULL;
  if (val) u->val = val;
  if (!key || (u->valued && !val)) return grid_fail_memory(NULL, "tuples", room, each(u));
  u->room = room;
  return GrB_SUCCESS;
}

GrB_Info grid_unsorted_room(grid_unsorted *u) {
  if (u->n < u->room) return GrB_SUCCESS;
  return u->room < u->most ? grow(u) : write_piece(u);
}

/* Of a piece tuples first .. first + n. */
static int read_some(grid_unsorted *u, uint64_t piece, uint64_t first, uint64_t n, uint64_t *key,
                     double *val) {
  const uint64_t at = piece * u->most * each(u);
  const size_t bytes = n * sizeof *key;
  /* what comes after these is on its way meanwhile */
  (void)posix_fadvise(u->fd, (off_t)(at + first * sizeof *key + bytes), (off_t)bytes, POSIX_FADV_WILLNEED);
  int error = grid_bytes_read(u->fd, key, n * sizeof *key, at + first * sizeof *key);
  if (!error && val)
    error = grid_bytes_read(u->fd, val, n * sizeof *val, at + u->most * sizeof *key + first * sizeof *val);
  u->moved += n * each(u);
  return error;
}

GrB_Info grid_unsorted_each(grid_unsorted *u, grid_unsorted_visit *visit, void *context) {
  const uint64_t step = u->most < READ_TOGETHER ? u->most : READ_TOGETHER;
  uint64_t *key = u->pieces ? grid_malloc(step, sizeof *key) : NULL;
  double *val = u->pieces && u->valued ? grid_malloc(step, sizeof *val) : NULL;
  GrB_Info info = GrB_SUCCESS;
  if (u->pieces && (!key || (u->valued && !val))) info = grid_fail_memory(NULL, "tuples", step, each(u));
  for (uint64_t p = 0; p < u->pieces; p++)
    for (uint64_t k = 0; k < u->most && info == GrB_SUCCESS; k += step) {
      const uint64_t n = u->most - k < step ? u->most - k : step;
      const int error = read_some(u, p, k, n, key, val);
      info = error ? trouble(u, "read", error) : visit(context, key, val, n);
    }
  if (info == GrB_SUCCESS && u->n) info = visit(context, u->key, u->val, u->n);
  grid_free(key);
  grid_free(val);
  return info;
}
