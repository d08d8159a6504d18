/* Large freed blocks kept for reuse; see mem_cache.h. */
#include "semiring/mem_cache.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Smaller blocks stay in malloc's own lists. */
#define SMALLEST ((size_t)256 << 10)
/* So much and a quarter of what is in use is always allowed. */
#define ALLOWANCE ((uint64_t)64 << 20)
enum {
  PLACES = 64,
  AGE = 128 /* requests after which a block that nobody took goes, if it is more than that */
};

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
  uint64_t since; /* the request before it */
} kept[PLACES];   /* oldest first */
static int nkept;
static uint64_t bytes, more, highest, requests;

static uint64_t allowance(uint64_t live) {
  return ALLOWANCE + live / 4 + more;
}

/* Up to what was in use at once, no page is asked for that the library has not had already. */
static uint64_t limit(uint64_t live) {
  const uint64_t most = allowance(live), left = highest > live ? highest - live : 0;
  return most > left ? most : left;
}

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

/* Takes blocks out, oldest first, until there are no more than so many, and so many bytes; what is old goes
 * anyway, down to the allowance. Gives how many there are in old. */
static int make_room(void *old[PLACES], int places, uint64_t most, uint64_t live) {
  int n = 0;
  while (nkept > places || (nkept && bytes > most) ||
         (nkept && requests - kept[0].since > AGE && bytes > allowance(live)))
    old[n++] = remove_place(0);
  return n;
}

static void free_all(void *old[PLACES], int n) {
  /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): each was taken out of the list once */
  while (n) free(old[--n]);
}

void *grid_cache_take(size_t total, size_t *capacity, uint64_t live) {
  void *p = NULL, *old[PLACES];
  int best = -1, nold = 0;
  if (total < SMALLEST) return NULL;
  pthread_mutex_lock(&lock);
  requests++;
  for (int k = 0; k < nkept; k++)
    if (kept[k].capacity >= total && kept[k].capacity / 2 <= total &&
        (best < 0 || kept[k].capacity < kept[best].capacity))
      best = k;
  if (best >= 0) {
    *capacity = kept[best].capacity;
    p = remove_place(best);
  }
  live += total;
  if (live > highest) highest = live;
  nold = make_room(old, PLACES, limit(live), live);
  pthread_mutex_unlock(&lock);
  free_all(old, nold);
  return p;
}

bool grid_cache_keep(void *p, size_t capacity, uint64_t live) {
  void *old[PLACES];
  if (OFF || capacity < SMALLEST) return false;
  pthread_once(&asked, ask);
  if (!wanted) return false;
  pthread_mutex_lock(&lock);
  const uint64_t most = limit(live);
  if (capacity > most) {
    pthread_mutex_unlock(&lock);
    return false;
  }
  const int nold = make_room(old, PLACES - 1, most - capacity, live);
  kept[nkept].p = p, kept[nkept].capacity = capacity, kept[nkept].since = requests;
  nkept++;
  bytes += capacity;
  pthread_mutex_unlock(&lock);
  free_all(old, nold);
  return true;
}

void grid_cache_allow(uint64_t extra, uint64_t live) {
  void *old[PLACES];
  pthread_mutex_lock(&lock);
  more = extra;
  const int nold = make_room(old, PLACES, limit(live), live);
  pthread_mutex_unlock(&lock);
  free_all(old, nold);
}

void grid_cache_drop(void) {
  pthread_mutex_lock(&lock);
  while (nkept) free(remove_place(nkept - 1));
  pthread_mutex_unlock(&lock);
}
