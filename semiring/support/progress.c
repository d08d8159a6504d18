/* Progress of the present call: two numbers that another thread may read (progress.h). */
#include "semiring/support/progress.h"

#include <stdatomic.h>

#include "gridblas.h"

static struct {
  _Atomic uint64_t done, total;
  atomic_bool counted; /* an algorithm reports its own progress */
} now;

static void set(uint64_t done, uint64_t total) {
  atomic_store_explicit(&now.done, done, memory_order_relaxed);
  atomic_store_explicit(&now.total, total, memory_order_relaxed);
}

void grid_progress(uint64_t done, uint64_t total) {
  if (!atomic_load_explicit(&now.counted, memory_order_relaxed)) set(done, total);
}

void grid_progress_step(uint64_t done) {
  const uint64_t total = atomic_load_explicit(&now.total, memory_order_relaxed);
  if (total > 0) grid_progress(done, total);
}

void Grid_progress_set(uint64_t done, uint64_t total) {
  atomic_store_explicit(&now.counted, true, memory_order_relaxed);
  set(done, total);
}

void Grid_progress_end(void) {
  atomic_store_explicit(&now.counted, false, memory_order_relaxed);
  set(0, 0);
}

void Grid_progress(uint64_t *done, uint64_t *total) {
  if (done != NULL) *done = atomic_load_explicit(&now.done, memory_order_relaxed);
  if (total != NULL) *total = atomic_load_explicit(&now.total, memory_order_relaxed);
}
