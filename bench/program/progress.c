/* What the user is told while the program runs: errors, and on a terminal what takes longer than a second.
 *
 * A thread of process 0 shows the progress, since the work is in library calls that last. It makes no library
 * call itself. */
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench/program/program.h"

static struct {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  pthread_t thread;
  bool running, stop;
  char text[160]; /* "": nothing to show */
  double since;   /* when it was set first in this phase */
  bool shown;     /* the line on the terminal is ours */
} now = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

double clock_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double clock_slowest(double start) {
  uint64_t ns = (uint64_t)(1e9 * (clock_now() - start));
  return Grid_max(&ns, 1) == GrB_SUCCESS ? 1e-9 * (double)ns : clock_now() - start;
}

/* Removes our line from the terminal; the lock is held. */
static void wipe(void) {
  if (now.shown) fputs("\r\033[K", stderr);
  now.shown = false;
}

static void *show(void *unused) {
  (void)unused;
  pthread_mutex_lock(&now.lock);
  while (!now.stop) {
    const double age = clock_now() - now.since;
    if (now.text[0] != '\0' && age >= 1) {
      fprintf(stderr, "\r\033[K%s ... %.0f s", now.text, age);
      now.shown = true;
    }
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    t.tv_nsec += 500000000;
    if (t.tv_nsec >= 1000000000) t.tv_sec++, t.tv_nsec -= 1000000000;
    pthread_cond_timedwait(&now.changed, &now.lock, &t);
  }
  wipe();
  pthread_mutex_unlock(&now.lock);
  return NULL;
}

void progress(const char *format, ...) {
  if (Grid_rank() != 0 || !isatty(STDERR_FILENO)) return;
  pthread_mutex_lock(&now.lock);
  if (format == NULL) {
    now.text[0] = '\0';
    wipe();
  } else {
    va_list args;
    if (now.text[0] == '\0') now.since = clock_now();
    va_start(args, format);
    vsnprintf(now.text, sizeof now.text, format, args);
    va_end(args);
    if (!now.running) {
      now.stop = false;
      now.running = pthread_create(&now.thread, NULL, show, NULL) == 0;
    }
  }
  pthread_mutex_unlock(&now.lock);
  if (format == NULL && now.running) {
    pthread_mutex_lock(&now.lock);
    now.stop = true;
    pthread_cond_signal(&now.changed);
    pthread_mutex_unlock(&now.lock);
    pthread_join(now.thread, NULL);
    now.running = false;
  }
}

int fail(int status, const char *format, ...) {
  progress(NULL);
  if (Grid_rank() == 0) {
    char line[4600] = "gridblas: ";
    const size_t start = strlen(line);
    va_list args;
    va_start(args, format);
    vsnprintf(line + start, sizeof line - start - 1, format, args);
    va_end(args);
    strcat(line, "\n");
    fflush(stdout);
    fputs(line, stderr); /* in one piece, beside what mpirun may print */
  }
  return status;
}

int fail_library(const char *doing) {
  const char *text = Grid_last_error();
  return doing == NULL ? fail(STATUS_INPUT, "%s", text) : fail(STATUS_INPUT, "%s: %s", doing, text);
}

int fail_anywhere(int status, const char *why) {
  if (Grid_agree(why == NULL ? GrB_SUCCESS : GrB_INVALID_VALUE, why) == GrB_SUCCESS) return STATUS_OK;
  return fail(status, "%s", Grid_last_error());
}
