/* file.c: see file.h. */
#include "dist/keep/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dist/pages/bytes.h"
#include "semiring/create.h"
#include "semiring/mem.h"

#define LEFT ".new" /* the end of the name of a file that is being written */
int grid_keep_crash_at = -1;

static void may_crash(int step) {
  if (step == grid_keep_crash_at) _exit(99);
}

bool grid_kept_path(char *path, const char *folder, grid_kept_part name) {
  const int length = snprintf(path, GRID_KEEP_PATH, "%s/step-%llu.part-%d-of-%d", folder,
                              (unsigned long long)name.step, name.process + 1, name.processes);
  return length > 0 && length < GRID_KEEP_PATH - (int)sizeof LEFT;
}

/* The number at *at, which moves behind it; `before` stands in front of it. */
static bool take_number(uint64_t *v, const char **at, const char *before) {
  char *end;
  const size_t length = strlen(before);
  if (strncmp(*at, before, length) != 0) return false;
  errno = 0;
  *v = strtoull(*at + length, &end, 10);
  const bool fine = end > *at + length && errno == 0;
  *at = end;
  return fine;
}

bool grid_kept_parse(grid_kept_part *name, bool *left, const char *file) {
  uint64_t step, process, processes;
  const char *at = file;
  char again[GRID_KEEP_PATH];
  if (!take_number(&step, &at, "step-") || !take_number(&process, &at, ".part-") ||
      !take_number(&processes, &at, "-of-") || process < 1 || process > processes || processes > INT32_MAX)
    return false;
  *name = (grid_kept_part){step, (int)processes, (int)process - 1};
  *left = strcmp(at, LEFT) == 0;
  /* written as we do, without zeros in front or signs */
  return grid_kept_path(again, "", *name) && strlen(again + 1) == (size_t)(at - file) && (*left || !*at);
}

static bool say(char *text, const char *doing, const char *path) {
  snprintf(text, GRID_KEEP_TEXT, "%s %s: %s", doing, path, strerror(errno));
  return false;
}

static bool write_all(int file, const char *p, uint64_t bytes) {
  while (bytes) {
    const size_t most = (size_t)1 << 26;
    const ssize_t n = write(file, p, bytes < most ? bytes : most);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EINVAL && grid_bytes_direct(file, false)) continue; /* no whole blocks are left */
    if (n < 0) return false;
    p += n, bytes -= (uint64_t)n;
  }
  return true;
}

static bool sync_folder(const char *folder) {
  const int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return false;
  const bool fine = !fsync(file) || errno == EINVAL; /* some file systems sync no folders */
  close(file);
  return fine;
}

/* Whole blocks past the system's cache, if they are many (to copy them there costs a core as much as to
 * compute with them), and what is left behind them. */
static bool write_blocks(int file, const char *p, uint64_t bytes) {
  enum { LEAST = 1 << 20 };
  const bool whole = bytes >= LEAST && (uintptr_t)p % GRID_KEEP_BLOCK == 0;
  const uint64_t blocks = whole ? bytes / GRID_KEEP_BLOCK * GRID_KEEP_BLOCK : 0;
  if (whole) grid_bytes_direct(file, true);
  const bool fine = write_all(file, p, blocks);
  if (whole) grid_bytes_direct(file, false);
  return fine && write_all(file, p + blocks, bytes - blocks);
}

/* The image into `path`, a new file in place of what is left there, as far as the disk. */
static bool write_synced(const char *path, const char *image, uint64_t size, char *text) {
  unlink(path);
  const int file = grid_create_file(AT_FDCWD, path, 0666);
  if (file < 0) return say(text, "cannot make", path);
  may_crash(0);
  const uint64_t half = size / 2 / GRID_KEEP_BLOCK * GRID_KEEP_BLOCK;
  bool fine = write_blocks(file, image, half);
  may_crash(1);
  fine = fine && write_blocks(file, image + half, size - half);
  may_crash(2);
  fine = fine && !fsync(file);
  if (!fine) say(text, "cannot write", path);
  if (close(file) && fine) fine = say(text, "cannot write", path);
  may_crash(3);
  return fine;
}

bool grid_kept_write(const char *path, const char *folder, const char *image, uint64_t size, char *text) {
  char made[GRID_KEEP_PATH];
  snprintf(made, sizeof made, "%s" LEFT, path);
  bool fine = write_synced(made, image, size, text);
  if (fine && rename(made, path)) fine = say(text, "cannot name", path);
  may_crash(4);
  if (!fine) unlink(made);
  if (fine && !sync_folder(folder)) fine = say(text, "cannot sync", folder);
  may_crash(5);
  return fine;
}

/* As read(), but all of it: false with errno, which is 0 where the file ends before. */
static bool read_all(int file, char *p, uint64_t bytes) {
  while (bytes) {
    const size_t most = (size_t)1 << 26;
    const ssize_t n = read(file, p, bytes < most ? bytes : most);
    if (n < 0 && errno == EINTR) continue;
    if (n == 0) errno = 0;
    if (n <= 0) return false;
    p += n, bytes -= (uint64_t)n;
  }
  return true;
}

GrB_Info grid_kept_read(char **image, uint64_t *size, const char *path, const char *call) {
  struct stat is;
  GrB_Info info = GrB_SUCCESS;
  *image = NULL;
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0 || fstat(file, &is)) {
    info = grid_fail(NULL, GrB_INVALID_VALUE, "%s: cannot open %s: %s", call, path, strerror(errno));
    goto done;
  }
  *size = (uint64_t)is.st_size;
  *image = grid_malloc(*size, 1);
  if (!*image)
    info = grid_fail_memory(NULL, "a part of a checkpoint", *size, 1);
  else if (!read_all(file, *image, *size))
    info = grid_fail(NULL, GrB_INVALID_VALUE, "%s: cannot read %s: %s", call, path,
                     errno ? strerror(errno) : "it became shorter meanwhile");
done:
  if (file >= 0) close(file);
  if (info != GrB_SUCCESS) {
    grid_free(*image);
    *image = NULL;
  }
  return info;
}
