/* See worker_error.h. */
#include "semiring/threads/worker_error.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "semiring/threads/context_section.h"

static struct {
  char text[GRID_ERROR_TEXT_SIZE];
  atomic_bool is_set;
  pthread_mutex_t lock;
} default_recorded GRID_OF_CONTEXT = {.lock = PTHREAD_MUTEX_INITIALIZER};
#define recorded GRID_IN_CONTEXT(default_recorded)

void grid_worker_error_record(const char *text) {
  pthread_mutex_lock(&recorded.lock);
  memcpy(recorded.text, text, strlen(text) + 1);
  recorded.is_set = true;
  pthread_mutex_unlock(&recorded.lock);
}

void grid_worker_error_take(char *text) {
  if (!recorded.is_set) return;
  pthread_mutex_lock(&recorded.lock);
  memcpy(text, recorded.text, strlen(recorded.text) + 1);
  recorded.is_set = false;
  pthread_mutex_unlock(&recorded.lock);
}

void grid_worker_error_discard(void) {
  if (atomic_load_explicit(&recorded.is_set, memory_order_relaxed)) recorded.is_set = false;
}
