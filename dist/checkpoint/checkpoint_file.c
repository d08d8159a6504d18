/* See checkpoint_file.h. */
#include "dist/checkpoint/checkpoint_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dist/outofcore/file/file_bytes.h"
#include "semiring/support/create_file.h"
#include "semiring/support/mem.h"
#include "semiring/support/tuning.h"

#define TEMP_SUFFIX ".new"
static void crash_if_requested(int step) {
  if ((uint64_t)step == grid_tune.checkpoint_crash_at) _exit(99);
}

bool grid_checkpoint_path(char *path, const char *folder, grid_checkpoint_file name) {
  const int length = snprintf(path, GRID_CHECKPOINT_PATH, "%s/step-%llu.part-%d-of-%d", folder,
                              (unsigned long long)name.step, name.process + 1, name.processes);
  return length > 0 && length < GRID_CHECKPOINT_PATH - (int)sizeof TEMP_SUFFIX;
}

/* Parses the number at *at, preceded by `before`; *at moves behind it. */
static bool parse_number(uint64_t *v, const char **at, const char *before) {
  char *end;
  const size_t length = strlen(before);
  if (strncmp(*at, before, length) != 0) return false;
  errno = 0;
  *v = strtoull(*at + length, &end, 10);
  const bool ok = end > *at + length && errno == 0;
  *at = end;
  return ok;
}

bool grid_checkpoint_parse_name(grid_checkpoint_file *name, bool *is_partial, const char *file) {
  uint64_t step, process, processes;
  const char *at = file;
  char canonical[GRID_CHECKPOINT_PATH];
  if (!parse_number(&step, &at, "step-") || !parse_number(&process, &at, ".part-") ||
      !parse_number(&processes, &at, "-of-") || process < 1 || process > processes || processes > INT32_MAX)
    return false;
  *name = (grid_checkpoint_file){step, (int)processes, (int)process - 1};
  *is_partial = strcmp(at, TEMP_SUFFIX) == 0;
  /* canonical form: no leading zeros or signs */
  return grid_checkpoint_path(canonical, "", *name) && strlen(canonical + 1) == (size_t)(at - file) &&
         (*is_partial || !*at);
}

static bool set_error(char *text, const char *doing, const char *path) {
  snprintf(text, GRID_CHECKPOINT_TEXT, "%s %s: %s", doing, path, strerror(errno));
  return false;
}

static bool write_all(int file, const char *p, uint64_t bytes) {
  while (bytes) {
    const size_t most = (size_t)1 << 26;
    const ssize_t n = write(file, p, bytes < most ? bytes : most);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EINVAL && grid_bytes_direct(file, false))
      continue; /* the rest is not a whole
                 * block */
    if (n < 0) return false;
    p += n, bytes -= (uint64_t)n;
  }
  return true;
}

static bool sync_folder(const char *folder) {
  const int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return false;
  const bool ok = !fsync(file) || errno == EINVAL; /* some file systems cannot sync directories */
  close(file);
  return ok;
}

/* Writes whole blocks by direct I/O, if there are many (copying them to the page cache costs as much CPU
 * time as computing with them), then the rest. */
static bool write_blocks(int file, const char *p, uint64_t bytes) {
  enum { MIN_BLOCK = 1 << 20 };
  const bool whole = bytes >= MIN_BLOCK && (uintptr_t)p % GRID_CHECKPOINT_BLOCK == 0;
  const uint64_t blocks = whole ? bytes / GRID_CHECKPOINT_BLOCK * GRID_CHECKPOINT_BLOCK : 0;
  if (whole) grid_bytes_direct(file, true);
  const bool ok = write_all(file, p, blocks);
  if (whole) grid_bytes_direct(file, false);
  return ok && write_all(file, p + blocks, bytes - blocks);
}

/* Writes the image to `path`, replacing an older file, and syncs it. */
static bool write_synced(const char *path, const char *image, uint64_t size, char *text) {
  unlink(path);
  const int file = grid_create_file(AT_FDCWD, path, 0666);
  if (file < 0) return set_error(text, "cannot make", path);
  crash_if_requested(0);
  const uint64_t half = size / 2 / GRID_CHECKPOINT_BLOCK * GRID_CHECKPOINT_BLOCK;
  bool ok = write_blocks(file, image, half);
  crash_if_requested(1);
  ok = ok && write_blocks(file, image + half, size - half);
  crash_if_requested(2);
  ok = ok && !fsync(file);
  if (!ok) set_error(text, "cannot write", path);
  if (close(file) && ok) ok = set_error(text, "cannot write", path);
  crash_if_requested(3);
  return ok;
}

bool grid_checkpoint_write_file(const char *path, const char *folder, const char *image, uint64_t size,
                                char *text) {
  char made[GRID_CHECKPOINT_PATH];
  snprintf(made, sizeof made, "%s" TEMP_SUFFIX, path);
  bool ok = write_synced(made, image, size, text);
  if (ok && rename(made, path)) ok = set_error(text, "cannot rename", path);
  crash_if_requested(4);
  if (!ok) unlink(made);
  if (ok && !sync_folder(folder)) ok = set_error(text, "cannot sync", folder);
  crash_if_requested(5);
  return ok;
}

/* Reads all bytes: false with errno, which is 0 if the file ends early. */
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

GrB_Info grid_checkpoint_read_file(char **image, uint64_t *size, const char *path, const char *call) {
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
