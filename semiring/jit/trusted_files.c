/* See trusted_files.h. */
#include "semiring/jit/trusted_files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The deepest existing directory of `path`, as a real path without links; *rest: the remaining names. */
static bool resolve(const char *path, char real[PATH_MAX], const char **rest) {
  char start[PATH_MAX];
  size_t n = strlen(path);
  if (n >= sizeof start) return false;
  memcpy(start, path, n + 1);
  while (!realpath(n ? start : *path == '/' ? "/" : ".", real)) {
    if (errno != ENOENT || n == 0) return false;
    while (n > 0 && start[n - 1] == '/') n--;
    while (n > 0 && start[n - 1] != '/') n--;
    start[n] = 0;
  }
  *rest = path + n;
  return true;
}

static bool is_owner_trusted(const struct stat *st, bool or_root) {
  return st->st_uid == geteuid() || (or_root && st->st_uid == 0);
}

/* Can only the user and root replace files in the directory? */
static bool is_parent_trusted(int folder) {
  struct stat st;
  return fstat(folder, &st) == 0 && is_owner_trusted(&st, true) &&
         (!(st.st_mode & 022) || (st.st_mode & S_ISVTX));
}

/* Descends from the directory *at along the names in `rest`; `full` is the whole path. *at becomes the
 * last directory reached. */
static bool descend(int *at, const char *full, const char *rest, bool make, char *why, size_t capacity) {
  char name[NAME_MAX + 1];
  for (const char *c = rest; *(c += strspn(c, "/"));) {
    const size_t n = strcspn(c, "/");
    if (n >= sizeof name) return false;
    memcpy(name, c, n);
    name[n] = 0;
    if (!is_parent_trusted(*at)) {
      snprintf(why, capacity, "%.*s", c > full ? (int)(c - full) : 1, c > full ? full : ".");
      return false;
    }
    if (make && mkdirat(*at, name, 0700) != 0 && errno != EEXIST) return false;
    const int next = openat(*at, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (next < 0) return false;
    close(*at);
    *at = next;
    c += n;
  }
  return true;
}

int grid_trusted_folder(const char *path, bool make, bool or_root, char *why, size_t capacity) {
  char real[PATH_MAX];
  const char *rest;
  struct stat st;
  *why = 0;
  if (!resolve(path, real, &rest) || (*rest && !make)) return -1;
  int at = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
  bool ok = at >= 0 && descend(&at, real, real, false, why, capacity) &&
            descend(&at, path, rest, make, why, capacity);
  if (ok && (fstat(at, &st) != 0 || !is_owner_trusted(&st, or_root) || (st.st_mode & 022))) {
    snprintf(why, capacity, "%s", path);
    ok = false;
  }
  if (ok || at < 0) return at;
  close(at);
  return -1;
}

int grid_trusted_file(int folder, const char *name, bool or_root) {
  struct stat st;
  const int file =
      openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC); /* opening a pipe would block */
  if (file < 0) return -1;
  if (fstat(file, &st) == 0 && S_ISREG(st.st_mode) && is_owner_trusted(&st, or_root) && !(st.st_mode & 022))
    return file;
  close(file);
  return -1;
}
