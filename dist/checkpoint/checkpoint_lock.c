/* The lock of a checkpoint folder: a file in it that process 0 of a run has locked by flock, and that names
 * the process. The system releases it when the process ends, however that happens, on other machines, too. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "dist/checkpoint/checkpoint.h"

/* A run that was just killed may take a moment to end: how often its lock is tried, and the time between. */
enum { TRIES = 20, WAIT_MS = 50, HOLDER_TEXT = 200 };

static bool lock_path(char *path, const char *folder) {
  return snprintf(path, GRID_CHECKPOINT_PATH, "%s/.lock", folder) < GRID_CHECKPOINT_PATH;
}

/* Is the open file the one at `path`? */
static bool is_file_at(int file, const char *path) {
  struct stat opened, named;
  return !fstat(file, &opened) && !lstat(path, &named) && opened.st_dev == named.st_dev &&
         opened.st_ino == named.st_ino;
}

bool grid_checkpoint_is_locked(const grid_checkpoint_lock *lock, const char *folder) {
  char path[GRID_CHECKPOINT_PATH];
  return lock->pid == getpid() && lock_path(path, folder) && is_file_at(lock->file, path);
}

static void write_holder(int file) {
  char host[128] = "", text[HOLDER_TEXT];
  gethostname(host, sizeof host - 1);
  const int length = snprintf(text, sizeof text, "process %ld on %s\n", (long)getpid(), host);
  if (!ftruncate(file, 0) && pwrite(file, text, (size_t)length, 0) < length)
    return; /* a full disk, or no quota: the lock holds without a name */
}

static GrB_Info fail_locked(int file, const char *folder, const char *call) {
  char text[HOLDER_TEXT] = "";
  if (pread(file, text, sizeof text - 1, 0) <= 0) strcpy(text, "another process");
  text[strcspn(text, "\n")] = '\0';
  return grid_fail(NULL, GrB_INVALID_VALUE,
                   "%s: %s uses the checkpoints in %s: wait until it ends, or use another folder", call, text,
                   folder);
}

/* Opened for reading where another user made it, and it cannot be written. */
static int open_lock(const char *path) {
  const int file = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
  return file < 0 && errno == EACCES ? open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC) : file;
}

static bool is_read_only(int file) {
  const int flags = fcntl(file, F_GETFL);
  return flags >= 0 && (flags & O_ACCMODE) == O_RDONLY;
}

GrB_Info grid_checkpoint_lock_folder(grid_checkpoint_lock *lock, const char *folder, const char *call) {
  const struct timespec wait = {.tv_nsec = WAIT_MS * 1000000L};
  char path[GRID_CHECKPOINT_PATH];
  *lock = (grid_checkpoint_lock){0};
  for (int k = 1; lock_path(path, folder); k++) {
    const int file = open_lock(path);
    if (file < 0) return GrB_SUCCESS;
    const bool locked = !flock(file, LOCK_EX | LOCK_NB);
    const int reason = errno;
    if (locked && is_file_at(file, path)) { /* else its last holder has removed it meanwhile */
      if (is_read_only(file) && k < TRIES && !unlink(path)) { /* the next try makes a file of this user */
        close(file);
        continue;
      }
      write_holder(file);
      *lock = (grid_checkpoint_lock){.file = file, .pid = getpid()};
      return GrB_SUCCESS;
    }
    const GrB_Info info =
        !locked && reason == EWOULDBLOCK && k == TRIES ? fail_locked(file, folder, call) : GrB_SUCCESS;
    close(file);
    if (k == TRIES || (!locked && reason != EWOULDBLOCK)) return info;
    if (!locked) nanosleep(&wait, NULL);
  }
  return GrB_SUCCESS;
}

void grid_checkpoint_unlock(grid_checkpoint_lock *lock, const char *folder) {
  char path[GRID_CHECKPOINT_PATH];
  if (lock->pid == 0) return;
  if (grid_checkpoint_is_locked(lock, folder) && lock_path(path, folder)) unlink(path);
  close(lock->file);
  *lock = (grid_checkpoint_lock){0};
}
