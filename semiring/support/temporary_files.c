/* The names of temporary files, for a signal handler (gridblas.h). A handler may run while a name is
 * added: a slot's state tells whether its name is complete. Nothing is freed. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "gridblas.h"
#include "semiring/support/create_file.h"
#include "semiring/support/temporary_files.h"

enum { SLOTS = 32 };
enum { FREE, CHANGING, COMPLETE };

static struct {
  struct {
    atomic_int state;
    char path[PATH_MAX];
  } slot[SLOTS];
  atomic_int creating; /* threads between a file's creation and its entry in the list */
} files;

static void add(const char *path) {
  const size_t length = strlen(path);
  for (int k = 0; length < PATH_MAX && k < SLOTS; k++) {
    int state = FREE;
    if (!atomic_compare_exchange_strong(&files.slot[k].state, &state, CHANGING)) continue;
    memcpy(files.slot[k].path, path, length + 1);
    atomic_store(&files.slot[k].state, COMPLETE);
    return;
  }
}

/* Signals are blocked on this thread between creation and entry in the list; a handler on another thread
 * waits for it. */
int grid_temporary_create(char *path, mode_t mode) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  atomic_fetch_add(&files.creating, 1);
  const int fd = grid_create_unique(AT_FDCWD, path, mode), error = errno;
  if (fd >= 0) add(path);
  atomic_fetch_sub(&files.creating, 1);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = error;
  return fd;
}

int Grid_temporary_create(char *path) {
  return grid_temporary_create(path, 0600);
}

void Grid_temporary_drop(const char *path) {
  for (int k = 0; k < SLOTS; k++)
    if (atomic_load(&files.slot[k].state) == COMPLETE && strcmp(files.slot[k].path, path) == 0)
      atomic_store(&files.slot[k].state, FREE);
}

void Grid_temporary_unlink(void) {
  enum { MILLISECONDS = 500 }; /* at most: the other thread may have been stopped */
  for (int k = 0; k < MILLISECONDS && atomic_load(&files.creating); k++)
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  for (int k = 0; k < SLOTS; k++)
    if (atomic_load(&files.slot[k].state) == COMPLETE) unlink(files.slot[k].path);
}
