/* See unsorted_tuples.h. */
#include "dist/outofcore/sort/unsorted_tuples.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dist/grid/process_grid.h"
#include "dist/outofcore/file/file_bytes.h"
#include "dist/outofcore/file/striped_file.h"
#include "semiring/support/mem.h"

/* Initial capacity in tuples; tuples per read. */
enum { FIRST_CAPACITY = 1 << 16, READ_BATCH = 1 << 17 };

static size_t key_bytes(const grid_tuple_buffer *u) {
  return (u->pairs ? 2 : 1) * sizeof *u->key;
}

static size_t tuple_bytes(const grid_tuple_buffer *u) {
  return key_bytes(u) + (u->valued ? sizeof *u->val : 0);
}

void grid_tuple_buffer_begin(grid_tuple_buffer *u, const char *path, bool valued, bool pairs,
                             uint64_t bytes) {
  *u = (grid_tuple_buffer){.path = path, .valued = valued, .pairs = pairs, .fd = -1};
  u->most_in_memory = bytes / tuple_bytes(u) > 64 ? bytes / tuple_bytes(u) : 64;
}

void grid_tuple_buffer_free(grid_tuple_buffer *u) {
  if (u->path && u->fd >= 0) close(u->fd);
  grid_free(u->key);
  grid_free(u->val);
  *u = (grid_tuple_buffer){.fd = -1};
}

static GrB_Info fail_io(const grid_tuple_buffer *u, const char *what, int error) {
  return grid_fail(NULL, GrB_INVALID_VALUE, "%s: cannot %s tuples beside it: %s", u->path, what,
                   error == ENODATA ? "the file became shorter" : strerror(error));
}

static GrB_Info make_file(grid_tuple_buffer *u) {
  static const char ending[] = ".tuples.XXXXXX";
  const size_t length = strlen(u->path);
  char *name = grid_malloc(length + sizeof ending, 1);
  if (!name) return grid_fail_memory(NULL, "a file's name", length + sizeof ending, 1);
  memcpy(name + grid_store_name(name, u->path, (unsigned)grid_ctx.k), ending, sizeof ending);
  u->fd = mkostemp(name, O_CLOEXEC);
  const GrB_Info info = u->fd < 0 || unlink(name) != 0 ? fail_io(u, "write", errno) : GrB_SUCCESS;
  grid_free(name);
  return info;
}

/* Writes the buffered tuples to the file. */
static GrB_Info write_segment(grid_tuple_buffer *u) {
  const uint64_t at = u->segments * u->most_in_memory * tuple_bytes(u);
  GrB_Info info = u->fd < 0 ? make_file(u) : GrB_SUCCESS;
  if (info != GrB_SUCCESS) return info;
  int error = grid_bytes_write(u->fd, u->key, u->n * key_bytes(u), at);
  if (!error && u->val)
    error = grid_bytes_write(u->fd, u->val, u->n * sizeof *u->val, at + u->n * key_bytes(u));
  if (error) return fail_io(u, "write", error);
  u->written += u->n * tuple_bytes(u);
  u->segments++;
  u->n = 0;
  return info;
}

static GrB_Info grow_buffer(grid_tuple_buffer *u) {
  const uint64_t twice = u->capacity ? 2 * u->capacity : FIRST_CAPACITY,
                 capacity = twice < u->most_in_memory ? twice : u->most_in_memory;
  uint64_t *key = grid_realloc(u->key, capacity, key_bytes(u));
  if (key) u->key = key;
  double *val = key && u->valued ? grid_realloc(u->val, capacity, sizeof *val) : NULL;
  if (val) u->val = val;
  if (!key || (u->valued && !val)) return grid_fail_memory(NULL, "tuples", capacity, tuple_bytes(u));
  u->capacity = capacity;
  return GrB_SUCCESS;
}

GrB_Info grid_tuple_buffer_reserve(grid_tuple_buffer *u) {
  if (u->n < u->capacity) return GrB_SUCCESS;
  return u->capacity < u->most_in_memory ? grow_buffer(u) : write_segment(u);
}

/* Reads tuples first .. first + n of a segment. */
static int read_partial(grid_tuple_buffer *u, uint64_t segment, uint64_t first, uint64_t n, uint64_t *key,
                        double *val) {
  const uint64_t at = segment * u->most_in_memory * tuple_bytes(u);
  const size_t bytes = n * key_bytes(u);
  /* prefetches what follows */
  (void)posix_fadvise(u->fd, (off_t)(at + first * key_bytes(u) + bytes), (off_t)bytes, POSIX_FADV_WILLNEED);
  int error = grid_bytes_read(u->fd, key, bytes, at + first * key_bytes(u));
  if (!error && val)
    error = grid_bytes_read(u->fd, val, n * sizeof *val,
                            at + u->most_in_memory * key_bytes(u) + first * sizeof *val);
  u->written += n * tuple_bytes(u);
  return error;
}

GrB_Info grid_tuple_buffer_visit(grid_tuple_buffer *u, grid_tuple_visitor *visit, void *context) {
  const uint64_t step = u->most_in_memory < READ_BATCH ? u->most_in_memory : READ_BATCH;
  uint64_t *key = u->segments ? grid_malloc(step, key_bytes(u)) : NULL;
  double *val = u->segments && u->valued ? grid_malloc(step, sizeof *val) : NULL;
  GrB_Info info = GrB_SUCCESS;
  if (u->segments && (!key || (u->valued && !val)))
    info = grid_fail_memory(NULL, "tuples", step, tuple_bytes(u));
  for (uint64_t p = 0; p < u->segments; p++)
    for (uint64_t k = 0; k < u->most_in_memory && info == GrB_SUCCESS; k += step) {
      const uint64_t n = u->most_in_memory - k < step ? u->most_in_memory - k : step;
      const int error = read_partial(u, p, k, n, key, val);
      info = error ? fail_io(u, "read", error) : visit(context, key, val, n);
    }
  if (info == GrB_SUCCESS && u->n) info = visit(context, u->key, u->val, u->n);
  grid_free(key);
  grid_free(val);
  return info;
}
