/* See create_file.h. */
#include "semiring/support/create_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

int grid_create_file(int folder, const char *name, mode_t mode) {
  return openat(folder, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
}

int grid_create_unique(int folder, char *name, mode_t mode) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
  enum { SUFFIX_LENGTH = 6, TRIES = 100 };
  uint32_t chance[SUFFIX_LENGTH];
  char *end = name + strlen(name) - SUFFIX_LENGTH;
  int file = -1;
  for (int k = 0; k < TRIES && file < 0; k++) {
    if (getentropy(chance, sizeof chance) != 0) break;
    for (int c = 0; c < SUFFIX_LENGTH; c++) end[c] = letters[chance[c] % (sizeof letters - 1)];
    file = grid_create_file(folder, name, mode);
    if (file < 0 && errno != EEXIST) break;
  }
  if (file < 0) *name = '\0';
  return file;
}

static int open_special(const char *path) {
  struct stat st;
  const int file = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
  if (file < 0 || (fstat(file, &st) == 0 && !S_ISREG(st.st_mode))) return file;
  close(file);
  errno = EEXIST; /* it became a regular file meanwhile */
  return -1;
}

int grid_create_replacement(const char *path, mode_t mode) {
  char fresh[PATH_MAX];
  struct stat st;
  const bool exists = stat(path, &st) == 0;
  if (exists && !S_ISREG(st.st_mode)) return open_special(path);
  if (exists && access(path, W_OK) != 0) return -1;
  if (snprintf(fresh, sizeof fresh, "%s.XXXXXX", path) >= (int)sizeof fresh) {
    errno = ENAMETOOLONG;
    return -1;
  }
  const int file = grid_create_unique(AT_FDCWD, fresh, mode);
  if (file < 0 || rename(fresh, path) == 0) return file;
  const int error = errno;
  unlink(fresh);
  close(file);
  errno = error;
  return -1;
}
