/* See possible_threads.h. */
#include "semiring/support/possible_threads.h"

#include <omp.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void *wait_at_gate(void *unused) {
  pthread_mutex_lock(&gate);
  pthread_mutex_unlock(&gate);
  return unused;
}

/* The calling thread is one of them. */
int grid_possible_threads(int wanted) {
  int created = 0;
  pthread_t *thread = wanted > 1 ? calloc((size_t)wanted - 1, sizeof *thread) : NULL;
  if (!thread) return 1;
  pthread_mutex_lock(&gate); /* all of them exist at the same time */
  while (created < wanted - 1 && pthread_create(&thread[created], NULL, wait_at_gate, NULL) == 0) created++;
  pthread_mutex_unlock(&gate);
  for (int k = 0; k < created; k++) pthread_join(thread[k], NULL);
  free(thread);
  return created == wanted - 1 ? wanted : (created + 2) / 2;
}

void grid_set_threads(int n) {
  struct rlimit memory;
  omp_set_num_threads(n);
  if (getrlimit(RLIMIT_AS, &memory) != 0 || memory.rlim_cur == RLIM_INFINITY) return;
  int made = 0;
#pragma omp parallel reduction(+ : made)
  made = 1;
  if (made < n) omp_set_num_threads(made);
}
