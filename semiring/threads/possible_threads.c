/* See possible_threads.h. */
#include "semiring/threads/possible_threads.h"

#include <limits.h>
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
  _Atomic int granted; /* threads that were possible, and that OpenMP has created since; the caller is one */
  _Atomic pid_t process; /* that has them */
  pthread_mutex_t gate;
} threads = {1, 0, PTHREAD_MUTEX_INITIALIZER};

static void *wait_at_gate(void *unused) {
  pthread_mutex_lock(&threads.gate);
  pthread_mutex_unlock(&threads.gate);
  return unused;
}

/* As OpenMP's threads: OMP_STACKSIZE is a number of KiB, or has a unit B, K, M or G. 0: the system's default.
 */
static size_t stack_size(void) {
  static const char units[] = "BKMG";
  const char *text = getenv("OMP_STACKSIZE");
  char *unit;
  if (!text) return 0;
  const unsigned long long n = strtoull(text, &unit, 10);
  while (*unit == ' ') unit++;
  const char *at = *unit ? strchr(units, *unit & ~0x20) : units + 1;
  return at && n <= SIZE_MAX >> 30 ? (size_t)n << 10 * (at - units) : 0;
}

/* How many of n further threads can exist at the same time. */
static int count_possible(int n) {
  int created = 0;
  pthread_attr_t attributes;
  pthread_t *thread = calloc((size_t)n, sizeof *thread);
  if (!thread || pthread_attr_init(&attributes) != 0) {
    free(thread);
    return 0;
  }
  if (stack_size() >= (size_t)PTHREAD_STACK_MIN) pthread_attr_setstacksize(&attributes, stack_size());
  pthread_mutex_lock(&threads.gate);
  while (created < n && pthread_create(&thread[created], &attributes, wait_at_gate, NULL) == 0) created++;
  pthread_mutex_unlock(&threads.gate);
  for (int k = 0; k < created; k++) pthread_join(thread[k], NULL);
  pthread_attr_destroy(&attributes);
  free(thread);
  return created;
}

/* OpenMP would wait for threads that did not come with a fork. */
static bool is_forked(void) {
  const pid_t process = atomic_load(&threads.process);
  return process != 0 && process != getpid();
}

int grid_most_threads(void) {
  enum { PER_PROCESSOR = 16, LEAST = 64 };
  const long n = PER_PROCESSOR * sysconf(_SC_NPROCESSORS_ONLN);
  return n > LEAST ? (int)n : LEAST;
}

int grid_possible_threads(int wanted) {
  if (is_forked()) return 1;
  if (wanted > grid_most_threads()) wanted = grid_most_threads();
  const int before = atomic_load(&threads.granted);
  if (wanted <= before) return wanted;
  const int created = count_possible(wanted - before);
  const int possible = created == wanted - before ? wanted : before + created / 2;
  atomic_store(&threads.granted, possible);
  return possible;
}

void grid_set_threads(int n) {
  int created = 0;
  if (n > 1) atomic_store(&threads.process, getpid());
  omp_set_num_threads(n);
  if (omp_in_parallel()) return;
#pragma omp parallel reduction(+ : created)
  created = 1;
  (void)created;
}
