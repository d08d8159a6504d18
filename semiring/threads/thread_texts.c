/* See thread_texts.h. */
#include "semiring/threads/thread_texts.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

static grid_thread_texts shared;

static struct {
  pthread_once_t once;
  pthread_key_t key;
  bool has_key;
} threads = {.once = PTHREAD_ONCE_INIT};

static void make_key(void) {
  threads.has_key = pthread_key_create(&threads.key, free) == 0;
}

static grid_thread_texts *make_texts(void) {
  grid_thread_texts *t = threads.has_key ? calloc(1, sizeof *t) : NULL;
  if (t && pthread_setspecific(threads.key, t) == 0) return t;
  free(t);
  return &shared;
}

grid_thread_texts *grid_thread_texts_get(void) {
  pthread_once(&threads.once, make_key);
  grid_thread_texts *t = threads.has_key ? pthread_getspecific(threads.key) : NULL;
  return t ? t : make_texts();
}
