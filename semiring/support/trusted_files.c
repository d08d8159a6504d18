/* See trusted_files.h. */
#include "semiring/support/trusted_files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "semiring/support/installed_files.h"

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

/* Those whom the caller trusts. */
typedef struct {
  grid_trust trust;
  char folder[PATH_MAX];   /* the library's own, with GRID_TRUST_LIBRARY */
  struct stat folder_stat; /* of that folder */
} writers;

static bool find_writers(writers *w, grid_trust trust) {
  w->trust = trust;
  return trust != GRID_TRUST_LIBRARY ||
         (grid_library_folder(w->folder) && stat(w->folder, &w->folder_stat) == 0);
}

/* Can nobody else have written it? */
static bool is_guarded(const struct stat *st, const writers *w) {
  const bool by_library = w->trust == GRID_TRUST_LIBRARY;
  mode_t allowed = 0; /* in a sticky folder, others cannot replace the library */
  if (by_library && !(w->folder_stat.st_mode & S_ISVTX))
    allowed = w->folder_stat.st_mode & (st->st_gid == w->folder_stat.st_gid ? S_IWGRP | S_IWOTH : S_IWOTH);
  return (st->st_uid == geteuid() || (w->trust != GRID_TRUST_USER && st->st_uid == 0) ||
          (by_library && st->st_uid == w->folder_stat.st_uid)) &&
         !(st->st_mode & (S_IWGRP | S_IWOTH) & ~allowed);
}

/* Can nobody else replace files in the directory? Root can, anyway. */
static bool is_parent_guarded(int folder, const writers *w) {
  struct stat st;
  if (fstat(folder, &st) != 0) return false;
  if (st.st_mode & S_ISVTX) st.st_mode &= ~(mode_t)(S_IWGRP | S_IWOTH);
  return is_guarded(&st, w) || (st.st_uid == 0 && !(st.st_mode & (S_IWGRP | S_IWOTH)));
}

/* Is the library's folder the one at the first n bytes of a real path, or inside it? */
static bool contains_library(const char *real, size_t n, const writers *w) {
  while (n > 0 && real[n - 1] == '/') n--;
  return w->trust == GRID_TRUST_LIBRARY && strncmp(w->folder, real, n) == 0 &&
         (w->folder[n] == '/' || w->folder[n] == '\0');
}

/* Descends from the directory *at along the names in `rest`; `full` is the whole path. *at becomes the
 * last directory reached. */
static bool descend(int *at, const char *full, const char *rest, bool make, const writers *w, char *why,
                    size_t capacity) {
  char name[NAME_MAX + 1];
  for (const char *c = rest; *(c += strspn(c, "/"));) {
    const size_t n = strcspn(c, "/");
    if (n >= sizeof name) return false;
    memcpy(name, c, n);
    name[n] = 0;
    if (!contains_library(full, (size_t)(c - full), w) && !is_parent_guarded(*at, w)) {
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

/* The last directory, which holds the files. */
static bool is_folder_guarded(int folder, const char *real, const writers *w) {
  struct stat st;
  const bool is_library = w->trust == GRID_TRUST_LIBRARY && strcmp(real, w->folder) == 0;
  return is_library || (fstat(folder, &st) == 0 && is_guarded(&st, w));
}

int grid_trusted_folder(const char *path, bool make, grid_trust trust, char *why, size_t capacity) {
  char real[PATH_MAX];
  const char *rest;
  writers w;
  *why = 0;
  if (!resolve(path, real, &rest) || (*rest && !make) || !find_writers(&w, trust)) return -1;
  int at = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
  bool ok = at >= 0 && descend(&at, real, real, false, &w, why, capacity) &&
            descend(&at, path, rest, make, &w, why, capacity);
  if (ok && !is_folder_guarded(at, *rest ? "" : real, &w)) {
    snprintf(why, capacity, "%s", path);
    ok = false;
  }
  if (ok || at < 0) return at;
  close(at);
  return -1;
}

int grid_trusted_file(int folder, const char *name, grid_trust trust) {
  struct stat st;
  writers w;
  const int file =
      openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC); /* opening a pipe would block */
  if (file < 0) return -1;
  if (find_writers(&w, trust) && fstat(file, &st) == 0 && S_ISREG(st.st_mode) && is_guarded(&st, &w))
    return file;
  close(file);
  return -1;
}

bool grid_is_trusted_path(const char *path, grid_trust trust) {
  char folder_path[PATH_MAX], why[PATH_MAX];
  const char *name = strrchr(path, '/');
  if (!name || name == path || (size_t)(name - path) >= sizeof folder_path) return false;
  snprintf(folder_path, sizeof folder_path, "%.*s", (int)(name - path), path);
  const int folder = grid_trusted_folder(folder_path, false, trust, why, sizeof why);
  const int file = folder >= 0 ? grid_trusted_file(folder, name + 1, trust) : -1;
  if (file >= 0) close(file);
  if (folder >= 0) close(folder);
  return file >= 0;
}
