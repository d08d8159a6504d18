/* See thread_texts.h. */
#include "semiring/threads/thread_texts.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

static grid_thread_texts shared;
static _Thread_local grid_thread_texts *texts; /* of the thread; NULL: not yet, or they are the shared ones */

static struct {
  pthread_once_t once;
  pthread_key_t key; /* frees them */
  bool has_key;
} threads = {.once = PTHREAD_ONCE_INIT};

static void end_texts(void *of_thread) {
  texts = NULL;
  free(of_thread);
}

static void make_key(void) {
  threads.has_key = pthread_key_create(&threads.key, end_texts) == 0;
}

/* Not inlined, so that the usual call saves no registers. */
static grid_thread_texts *__attribute__((noinline)) make_texts(void) {
  pthread_once(&threads.once, make_key);
  grid_thread_texts *t = threads.has_key ? calloc(1, sizeof *t) : NULL;
  if (t && pthread_setspecific(threads.key, t) == 0) return texts = t;
  free(t);
  return &shared;
}

grid_thread_texts *grid_thread_texts_get(void) {
  return texts ? texts : make_texts();
}
