/* Large freed blocks kept for reuse; see mem_cache.h. */
#include "semiring/mem_cache.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Smaller blocks stay in malloc's own lists. */
#define SMALLEST ((size_t)256 << 10)
/* Never more than this and a quarter of what is in use. */
#define ALLOWANCE ((uint64_t)64 << 20)
enum { PLACES = 32 };

/* A tool that looks for memory errors must see every free. */
#if defined(__SANITIZE_ADDRESS__)
#define OFF 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define OFF 1
#endif
#endif
#ifndef OFF
#define OFF 0
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
  void *p;
  size_t capacity;
} kept[PLACES]; /* oldest first */
static int nkept;
static uint64_t bytes, more;

/* GRIDBLAS_KEEP=off: nothing is kept, so that what the process takes from the system is what is in use. */
static bool wanted;
static pthread_once_t asked = PTHREAD_ONCE_INIT;
static void ask(void) {
  const char *text = getenv("GRIDBLAS_KEEP");
  wanted = text == NULL || strcmp(text, "off") != 0;
}

static void *remove_place(int k) {
  void *p = kept[k].p;
  bytes -= kept[k].capacity;
  for (nkept--; k < nkept; k++) kept[k] = kept[k + 1];
  /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): what was freed is no longer in the list */
  return p;
}

void *grid_cache_take(size_t total, size_t *capacity) {
  void *p = NULL;
  if (total < SMALLEST) return NULL;
  pthread_mutex_lock(&lock);
  int best = -1;
  for (int k = 0; k < nkept; k++)
    if (kept[k].capacity >= total && kept[k].capacity / 2 <= total &&
        (best < 0 || kept[k].capacity < kept[best].capacity))
      best = k;
  if (best >= 0) {
    *capacity = kept[best].capacity;
    p = remove_place(best);
  }
  pthread_mutex_unlock(&lock);
  return p;
}

bool grid_cache_keep(void *p, size_t capacity, uint64_t live) {
  void *old[PLACES];
  int nold = 0;
  pthread_once(&asked, ask);
  if (OFF || !wanted || capacity < SMALLEST) return false;
  pthread_mutex_lock(&lock);
  const uint64_t most = ALLOWANCE + live / 4 + more;
  if (capacity > most) {
    pthread_mutex_unlock(&lock);
    return false;
  }
  while (nkept == PLACES || (nkept && bytes + capacity > most)) old[nold++] = remove_place(0);
  kept[nkept].p = p, kept[nkept].capacity = capacity;
  nkept++;
  bytes += capacity;
  pthread_mutex_unlock(&lock);
  while (nold) free(old[--nold]);
  return true;
}

void grid_cache_allow(uint64_t extra, uint64_t live) {
  pthread_mutex_lock(&lock);
  more = extra;
  while (nkept && bytes > ALLOWANCE + live / 4 + more) free(remove_place(0));
  pthread_mutex_unlock(&lock);
}

void grid_cache_drop(void) {
  pthread_mutex_lock(&lock);
  while (nkept) free(remove_place(nkept - 1));
  pthread_mutex_unlock(&lock);
}
