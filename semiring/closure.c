/* See closure.h. */
#include "semiring/closure.h"

#include <pthread.h>
#include <string.h>

/* X(n) for each n below 240. */
#define TEN(X, tens) \
  X(tens##0)         \
  X(tens##1) X(tens##2) X(tens##3) X(tens##4) X(tens##5) X(tens##6) X(tens##7) X(tens##8) X(tens##9)
#define SIXTY(X, a, b, c, d, e, f) TEN(X, a) TEN(X, b) TEN(X, c) TEN(X, d) TEN(X, e) TEN(X, f)
#define ALL(X)                 \
  SIXTY(X, , 1, 2, 3, 4, 5)    \
  SIXTY(X, 6, 7, 8, 9, 10, 11) \
  SIXTY(X, 12, 13, 14, 15, 16, 17) SIXTY(X, 18, 19, 20, 21, 22, 23)
enum { FUNCTIONS = 240, SETS = FUNCTIONS / GRID_CLOSURES };

struct grid_closure_set {
  struct {
    grid_closure_fn f;
    const void *data;
  } bound[GRID_CLOSURES];
  bool is_taken;
};

static struct {
  grid_closure_set set[SETS];
  pthread_mutex_t lock; /* of is_taken */
  pthread_cond_t released;
} closures = {.lock = PTHREAD_MUTEX_INITIALIZER, .released = PTHREAD_COND_INITIALIZER};

static void call(int n, void *z, const void *x, const void *y) {
  const grid_closure_set *set = &closures.set[n / GRID_CLOSURES];
  set->bound[n % GRID_CLOSURES].f(z, x, y, set->bound[n % GRID_CLOSURES].data);
}

#define CALL(n)                                                 \
  static void call_##n(void *z, const void *x, const void *y) { \
    call(n, z, x, y);                                           \
  }
ALL(CALL)

#define NAME(n) call_##n,
static const grid_binary_fn functions[FUNCTIONS] = {ALL(NAME)};

static grid_closure_set *find_set(void) {
  for (int k = 0; k < SETS; k++)
    if (!closures.set[k].is_taken) return &closures.set[k];
  return NULL;
}

grid_closure_set *grid_closures_acquire(void) {
  grid_closure_set *set;
  pthread_mutex_lock(&closures.lock);
  while (!(set = find_set())) pthread_cond_wait(&closures.released, &closures.lock);
  set->is_taken = true;
  pthread_mutex_unlock(&closures.lock);
  return set;
}

void grid_closures_release(grid_closure_set *set) {
  if (!set) return;
  pthread_mutex_lock(&closures.lock);
  set->is_taken = false;
  pthread_cond_signal(&closures.released);
  pthread_mutex_unlock(&closures.lock);
}

grid_binary_fn grid_closure_bind(grid_closure_set *set, int k, grid_closure_fn f, const void *data) {
  set->bound[k].f = f, set->bound[k].data = data;
  return functions[(set - closures.set) * GRID_CLOSURES + k];
}

void grid_closure_first(void *z, const void *x, const void *y, const void *data) {
  (void)y;
  memmove(z, x, *(const size_t *)data);
}

void grid_closure_second(void *z, const void *x, const void *y, const void *data) {
  (void)x;
  memmove(z, y, *(const size_t *)data);
}
