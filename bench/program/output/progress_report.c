/* Messages while the program runs: errors, and progress of steps that take longer than a second.
 *
 * A thread of process 0 prints the progress, because the work happens in long library calls. It calls no
 * library function but Grid_progress. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench/program/program.h"

static struct {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  pthread_t thread;
  bool running, stop;
  char text[160]; /* "": nothing to print */
  uint64_t k, n;  /* it is task k of n */
  double since;   /* when a text was first set in this phase */
  bool shown;     /* the terminal's line is the program's */
  double line_at; /* for lines: when the last was written */
} now = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static int32_t interval = PROGRESS_AUTO;

void progress_set_interval(int32_t when) {
  interval = when;
}

double clock_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double clock_slowest(double start) {
  uint64_t ns = (uint64_t)(1e9 * (clock_now() - start));
  return Grid_max(&ns, 1) == GrB_SUCCESS ? 1e-9 * (double)ns : clock_now() - start;
}

/* ---- where it is printed ------------------------------------------------------------------------------- */

/* mpirun reads its processes' stderr from pipes, and writes it to its own: that of the parent process. */
static bool is_launcher_on_terminal(void) {
  char path[64];
  if (getenv("OMPI_COMM_WORLD_SIZE") == NULL && getenv("PMI_SIZE") == NULL) return false;
  snprintf(path, sizeof path, "/proc/%ld/fd/2", (long)getppid());
  const int fd = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return false;
  const bool terminal = isatty(fd);
  close(fd);
  return terminal;
}

static bool is_on_terminal(void) {
  static int known = -1;
  if (known < 0) known = isatty(STDERR_FILENO) || is_launcher_on_terminal();
  return known;
}

/* Removes the program's line from the terminal; the lock is held. */
static void wipe(void) {
  if (now.shown) fputs("\r\033[K", stderr);
  now.shown = false;
}

/* ", 40 %", or nothing where nothing is counted; the lock is held. */
static const char *percent(char text[16]) {
  uint64_t done, total;
  Grid_progress(&done, &total);
  text[0] = '\0';
  const double inside = total > 0 ? (double)done / (double)total : 0;
  if (now.n > 1 || total > 0)
    snprintf(text, 16, ", %.0f %%", 100 * ((double)now.k + (inside < 1 ? inside : 1)) / (double)now.n);
  return text;
}

/* The lock is held. */
static void show(void) {
  char part[16];
  const double time = clock_now(), age = time - now.since;
  if (now.text[0] == '\0') return;
  if (interval >= 0) {
    if (time - now.line_at < interval) return;
    fprintf(stderr, "%s%s, %.0f s\n", now.text, percent(part), age);
    now.line_at = time;
  } else if (age >= 1) {
    fprintf(stderr, "\r\033[K%s%s, %.0f s", now.text, percent(part), age);
    now.shown = true;
  }
}

static void *show_until_stopped(void *unused) {
  (void)unused;
  pthread_mutex_lock(&now.lock);
  while (!now.stop) {
    struct timespec t;
    if (interval != 0) show(); /* 0: every change is a line, and there are no others */
    clock_gettime(CLOCK_REALTIME, &t);
    t.tv_nsec += 500000000;
    if (t.tv_nsec >= 1000000000) t.tv_sec++, t.tv_nsec -= 1000000000;
    pthread_cond_timedwait(&now.changed, &now.lock, &t);
  }
  wipe();
  pthread_mutex_unlock(&now.lock);
  return NULL;
}

/* ---- what is printed ----------------------------------------------------------------------------------- */

static bool is_silent(void) {
  return Grid_rank() != 0 || interval == PROGRESS_OFF || (interval < 0 && !is_on_terminal());
}

static void set(uint64_t k, uint64_t n, const char *format, va_list args) {
  Grid_progress_end();
  pthread_mutex_lock(&now.lock);
  if (now.text[0] == '\0') now.since = clock_now();
  vsnprintf(now.text, sizeof now.text, format, args);
  now.k = k, now.n = n;
  if (interval >= 0) show();
  if (!now.running) {
    now.stop = false;
    now.running = pthread_create(&now.thread, NULL, show_until_stopped, NULL) == 0;
  }
  pthread_mutex_unlock(&now.lock);
}

static void end(void) {
  pthread_mutex_lock(&now.lock);
  now.text[0] = '\0';
  wipe();
  now.stop = true;
  pthread_cond_signal(&now.changed);
  pthread_mutex_unlock(&now.lock);
  if (now.running) pthread_join(now.thread, NULL);
  now.running = false;
}

void progress(const char *format, ...) {
  va_list args;
  if (is_silent()) return;
  if (format == NULL) {
    end();
    return;
  }
  va_start(args, format);
  set(0, 1, format, args);
  va_end(args);
}

void progress_of(uint64_t k, uint64_t n, const char *format, ...) {
  va_list args;
  if (is_silent()) return;
  va_start(args, format);
  set(k, n, format, args);
  va_end(args);
}

/* ---- failures ---- */

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
    fputs(line, stderr); /* in one write, so that mpirun's own output does not interrupt it */
  }
  return status;
}

int fail_library(const char *doing) {
  const char *text = Grid_last_error();
  return doing == NULL ? fail(STATUS_INPUT, "%s", text) : fail(STATUS_INPUT, "%s: %s", doing, text);
}

int fail_on_any(int status, const char *why) {
  if (Grid_agree(why == NULL ? GrB_SUCCESS : GrB_INVALID_VALUE, why) == GrB_SUCCESS) return STATUS_OK;
  const char *text = Grid_last_error();
  return text[0] == '\0' ? status : fail(status, "%s", text);
}
