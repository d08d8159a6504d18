/* See striped_file.h. */
#include "dist/outofcore/file/striped_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dist/outofcore/file/file_bytes.h"
#include "semiring/support/tuning.h"

/* ---- names ---- */

static bool is_of_pages(const char *name, size_t length) {
  static const char end[] = ".pages";
  return length >= sizeof end && memcmp(name + length - (sizeof end - 1), end, sizeof end - 1) == 0;
}

int grid_store_names(const char *path, const char *name[GRID_STORE_MAX_FILES],
                     size_t length[GRID_STORE_MAX_FILES]) {
  int n = 0;
  for (const char *at = path;; at++) {
    const size_t span = strcspn(at, ",");
    if (!is_of_pages(at, span)) { /* the comma is part of the name */
      name[0] = path, length[0] = strlen(path);
      return 1;
    }
    if (n < GRID_STORE_MAX_FILES) name[n] = at, length[n] = span;
    n++;
    at += span;
    if (!*at) return n <= GRID_STORE_MAX_FILES ? n : 0;
  }
}

size_t grid_store_name(char *to, const char *path, unsigned k) {
  const char *name[GRID_STORE_MAX_FILES];
  size_t length[GRID_STORE_MAX_FILES];
  const unsigned n = (unsigned)grid_store_names(path, name, length);
  to[0] = '\0';
  if (n == 0) return 0;
  memcpy(to, name[k % n], length[k % n]);
  to[length[k % n]] = '\0';
  return length[k % n];
}

/* ---- open and close ---- */

int grid_store_open(grid_store *s, const char *path, int flags, int *which) {
  const char *name[GRID_STORE_MAX_FILES];
  size_t length[GRID_STORE_MAX_FILES];
  const int n = grid_store_names(path, name, length);
  char one[4096];
  int error = 0;
  *s = (grid_store){.n = 0};
  *which = 0;
  if (n == 0) return E2BIG;
  for (int k = 0; k < n && !error; k++) {
    *which = k;
    if (length[k] >= sizeof one) error = ENAMETOOLONG;
    if (error) break;
    memcpy(one, name[k], length[k]);
    one[length[k]] = '\0';
    s->fd[k] = open(one, flags | O_CLOEXEC | O_NONBLOCK); /* O_NONBLOCK: opening a pipe would block */
    if (s->fd[k] < 0)
      error = errno;
    else
      s->n++;
  }
  if (error) grid_store_close(s);
  return error;
}

void grid_store_close(grid_store *s) {
  for (int k = 0; k < s->n; k++) close(s->fd[k]);
  s->n = 0;
}

int grid_store_copy(grid_store *to, const grid_store *s) {
  *to = (grid_store){.direct = s->direct};
  for (int k = 0; k < s->n; k++) {
    to->fd[k] = fcntl(s->fd[k], F_DUPFD_CLOEXEC, 0);
    if (to->fd[k] < 0) {
      const int error = errno;
      grid_store_close(to);
      return error;
    }
    to->n++;
  }
  return 0;
}

/* Opens by /proc/self/fd: the files may have been renamed or unlinked. */
static int reopen(grid_store *to, const grid_store *s, int flags) {
  *to = (grid_store){.n = 0};
  for (int k = 0; k < s->n; k++) {
    char name[40];
    snprintf(name, sizeof name, "/proc/self/fd/%d", s->fd[k]);
    to->fd[k] = open(name, flags | O_CLOEXEC);
    if (to->fd[k] < 0) {
      const int error = errno;
      grid_store_close(to);
      return error;
    }
    to->n++;
  }
  return 0;
}

int grid_store_reopen(grid_store *to, const grid_store *s) {
  return reopen(to, s, O_RDONLY);
}

void grid_store_use_direct_io(grid_store *s) {
#ifdef O_DIRECT
  grid_store direct;
  if (reopen(&direct, s, O_RDONLY | O_DIRECT) != 0) return;
  grid_store_close(s);
  *s = direct;
  s->direct = true;
#else
  (void)s;
#endif
}

/* ---- offsets ---- */

/* Bytes in file k of a store of `bytes` bytes. */
static uint64_t share(const grid_store *s, int k, uint64_t bytes) {
  if (s->n == 1) return bytes;
  const uint64_t n = (uint64_t)s->n, units = bytes / grid_tune.stripe_bytes, turn = units % n;
  return (units / n + ((uint64_t)k < turn)) * grid_tune.stripe_bytes +
         ((uint64_t)k == turn ? bytes % grid_tune.stripe_bytes : 0);
}

int grid_store_bytes(const grid_store *s, uint64_t *bytes) {
  uint64_t file_bytes[GRID_STORE_MAX_FILES];
  *bytes = 0;
  for (int k = 0; k < s->n; k++) {
    struct stat st;
    if (fstat(s->fd[k], &st) != 0) return errno;
    if (!S_ISREG(st.st_mode)) return ESPIPE;
    *bytes += file_bytes[k] = (uint64_t)st.st_size;
  }
  for (int k = 0; k < s->n; k++)
    if (file_bytes[k] != share(s, k, *bytes)) return ENODATA;
  return 0;
}

int grid_store_truncate(const grid_store *s, uint64_t bytes) {
  for (int k = 0; k < s->n; k++)
    if (ftruncate(s->fd[k], (off_t)share(s, k, bytes)) != 0) return errno;
  return 0;
}

grid_store_location grid_store_find(const grid_store *s, uint64_t at) {
  if (s->n == 1) return (grid_store_location){s->fd[0], at, UINT64_MAX - at};
  const uint64_t n = (uint64_t)s->n, unit = at / grid_tune.stripe_bytes, in = at % grid_tune.stripe_bytes;
  return (grid_store_location){s->fd[unit % n], unit / n * grid_tune.stripe_bytes + in,
                               grid_tune.stripe_bytes - in};
}

int grid_store_read(const grid_store *s, void *to, size_t n, uint64_t at) {
  int error = 0;
  for (size_t done = 0; done < n && !error;) {
    const grid_store_location p = grid_store_find(s, at + done);
    const size_t span = n - done < p.left ? n - done : (size_t)p.left;
    error = grid_bytes_read(p.fd, (char *)to + done, span, p.offset);
    done += span;
  }
  return error;
}

int grid_store_write(const grid_store *s, const void *from, size_t n, uint64_t at) {
  int error = 0;
  for (size_t done = 0; done < n && !error;) {
    const grid_store_location p = grid_store_find(s, at + done);
    const size_t span = n - done < p.left ? n - done : (size_t)p.left;
    error = grid_bytes_write(p.fd, (const char *)from + done, span, p.offset);
    done += span;
  }
  return error;
}
