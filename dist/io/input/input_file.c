/* A regular file read by all processes (input_file.h). */
#include "dist/io/input/input_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dist/outofcore/file/striped_file.h"

/* Opens the file, or the first of several (dist/outofcore/file/striped_file.h). */
static void open_first(grid_file *f, const char *path, char *why, size_t capacity) {
  struct stat st;
  /* Checked before opening: opening a pipe would block, opening a device may have side effects. */
  if (strcmp(path, "-") == 0) {
    snprintf(why, capacity, "standard input is not read: store the graph in a file");
  } else if (stat(path, &st) != 0) {
    snprintf(why, capacity, "cannot open: %s", strerror(errno));
  } else if (S_ISDIR(st.st_mode)) {
    snprintf(why, capacity, "is a directory");
  } else if (!S_ISREG(st.st_mode)) {
    snprintf(why, capacity, "is not a regular file: store the graph in one");
  } else if ((f->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)) < 0) {
    snprintf(why, capacity, "cannot open: %s", strerror(errno));
  } else if (fstat(f->fd, &st) != 0) {
    snprintf(why, capacity, "cannot open: %s", strerror(errno));
  } else if (st.st_size == 0) {
    snprintf(why, capacity, "is empty");
  } else {
    f->size = (uint64_t)st.st_size;
    if (pread(f->fd, f->magic, sizeof f->magic, 0) < 0)
      snprintf(why, capacity, "cannot read: %s", strerror(errno));
  }
}

/* Opens on this process; an error text goes to `why`. */
static void open_local(grid_file *f, char *why, size_t capacity) {
  const char *name[GRID_STORE_MAX_FILES];
  size_t length[GRID_STORE_MAX_FILES];
  const int n = grid_store_names(f->path, name, length);
  if (n == 0) {
    snprintf(why, capacity, "a page file is striped over %d files at most", GRID_STORE_MAX_FILES);
    return;
  }
  if (n == 1) {
    open_first(f, f->path, why, capacity);
    return;
  }
  char *first = strndup(name[0], length[0]);
  if (first)
    open_first(f, first, why, capacity);
  else
    snprintf(why, capacity, "cannot open: out of memory");
  free(first);
}

/* All processes must have opened the same file: at least one of the same size and first bytes. */
static GrB_Info agree_on_file(grid_file *f, const char *why) {
  uint64_t bad = *why != 0;
  GrB_Info info = grid_ctx.transport->allreduce(GRID_SET_ALL, &bad, 1, GRID_SUM);
  if (info != GrB_SUCCESS) return info;
  if (*why && bad == (uint64_t)grid_ctx.P) {
    info = grid_fail(NULL, GrB_INVALID_VALUE, "%s: %s", f->path, why);
  } else if (*why) {
    info = grid_fail(NULL, GrB_INVALID_VALUE, "%s: %s (on %llu of %d processes, process %d the first)",
                     f->path, why, (unsigned long long)bad, grid_ctx.P, grid_ctx.k);
  }
  if (bad) return grid_agree(NULL, info);
  uint64_t start[2];
  memcpy(start, f->magic, sizeof start);
  uint64_t v[6] = {f->size, ~f->size, start[0], ~start[0], start[1], ~start[1]};
  info = grid_ctx.transport->allreduce(GRID_SET_ALL, v, 6, GRID_MAX);
  if (info != GrB_SUCCESS) return info;
  if (v[0] != ~v[1])
    return grid_fail(NULL, GrB_INVALID_VALUE,
                     "%s: differs between processes (%llu bytes on one, %llu on another)", f->path,
                     (unsigned long long)~v[1], (unsigned long long)v[0]);
  if (v[2] != ~v[3] || v[4] != ~v[5])
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: differs between processes in its first %d bytes", f->path,
                     GRID_FILE_MAGIC);
  return GrB_SUCCESS;
}

GrB_Info grid_file_open(grid_file *f, const char *path) {
  char why[256] = "";
  memset(f, 0, sizeof *f);
  f->path = path;
  f->fd = -1;
  open_local(f, why, sizeof why);
  GrB_Info info = agree_on_file(f, why);
  if (info != GrB_SUCCESS) grid_file_close(f);
  return info;
}

void grid_file_close(grid_file *f) {
  if (f->fd >= 0) close(f->fd);
  f->fd = -1;
}

int grid_file_bytes(const grid_file *f, void *to, size_t n, uint64_t offset) {
  for (size_t done = 0; done < n;) {
    ssize_t got = pread(f->fd, (char *)to + done, n - done, (off_t)(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno;
    if (got == 0) return ENODATA;
    done += (size_t)got;
  }
  return 0;
}

GrB_Info grid_file_outcome(const grid_file *f, int error) {
  if (error == 0) return GrB_SUCCESS;
  if (error == ENODATA)
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: became shorter while it was read", f->path);
  return grid_fail(NULL, GrB_INVALID_VALUE, "%s: cannot read: %s", f->path, strerror(error));
}
