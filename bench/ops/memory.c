/* Resident memory, from /proc. */
#include "bench/ops/memory.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int status;

bool memory_child(void) {
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    mallopt(M_MMAP_THRESHOLD, 1 << 17); /* fixed: it would grow with what is freed, and keep that */
    mallopt(M_TRIM_THRESHOLD, 1 << 17);
    return true;
  }
  if (child < 0 || waitpid(child, &status, 0) != child) status = -1;
  return false;
}

bool memory_child_succeeded(void) {
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool memory_reset(void) {
  malloc_trim(0);
  FILE *f = fopen("/proc/self/clear_refs", "w");
  if (f == NULL) return false;
  const bool written = fputs("5", f) != EOF;
  return fclose(f) == 0 && written;
}

/* In bytes: a line of the process's status, which is in kB. */
static double read_status(const char *name) {
  char line[256];
  double kb = 0;
  FILE *f = fopen("/proc/self/status", "r");
  if (f == NULL) return 0;
  while (fgets(line, sizeof line, f) != NULL)
    if (strncmp(line, name, strlen(name)) == 0) kb = strtod(line + strlen(name) + 1, NULL);
  fclose(f);
  return 1024 * kb;
}

double memory_now(void) {
  return read_status("VmRSS");
}
double memory_peak(void) {
  return read_status("VmHWM");
}
