/* See lmat_fill.h.
 *
 * Tasks start in order, so that the previous one is done or running, and the wait for its count is short:
 * tasks take about equal time. */
#include "spmat/cpu/rows/lmat_fill.h"

#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "semiring/support/tuning.h"
#include "spmat/vector/bitmap_words.h"

#define UNKNOWN UINT64_MAX
/* A thread's buffers begin at a cache line. */
#define CACHE_LINE ((size_t)64)

typedef struct {
  const grid_fill *f;
  size_t size; /* of a value, 0: none */
  grid_offsets start;
  uint32_t *idx;
  char *val;
  _Atomic uint64_t next; /* next task */
  _Atomic uint64_t *at;  /* position of each task's first entry, or UNKNOWN */
  char *buffers;
  size_t thread_bytes; /* bytes of buffers a thread */
} fill_job;

static size_t round_to_cache_lines(size_t bytes) {
  return (bytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
}

static uint64_t wait_for_count(_Atomic uint64_t *at) {
  uint64_t v;
  for (int spins = 0; (v = atomic_load_explicit(at, memory_order_acquire)) == UNKNOWN; spins++)
    if (spins > 1 << 10) sched_yield();
  return v;
}

/* Shifts the ends of the rows that ended in the task, which it counted from 0. */
static void move_starts(const fill_job *x, const grid_split_point *split, uint64_t by) {
  if (by == 0) return;
  if (x->start.offsets64)
    for (uint64_t r = split[0].row; r < split[1].row; r++) x->start.offsets64[r + 1] += by;
  else
    for (uint64_t r = split[0].row; r < split[1].row; r++) x->start.offsets32[r + 1] += (uint32_t)by;
}

/* Writes directly to the result if the task's position is known in time, else through the thread's buffers.
 */
static void run_task(fill_job *x, uint64_t t, char *buffer) {
  const grid_fill *f = x->f;
  const grid_split_point *split = &f->splits->split[t];
  uint64_t at = atomic_load_explicit(&x->at[t], memory_order_acquire);
  const bool direct = at != UNKNOWN;
  grid_fill_to to = {.start = x->start, .workspace = buffer};
  if (direct) {
    to.idx = x->idx + at;
    to.val = x->size ? x->val + at * x->size : NULL;
  } else {
    to.idx = (uint32_t *)(void *)(buffer + round_to_cache_lines(f->workspace));
    to.val =
        x->size ? buffer + round_to_cache_lines(f->workspace) + round_to_cache_lines(f->most * sizeof *to.idx)
                : NULL;
  }
  const uint64_t n = f->task(f->context, split, &to);
  if (!direct) at = wait_for_count(&x->at[t]);
  atomic_store_explicit(&x->at[t + 1], at + n, memory_order_release);
  if (!direct && n) {
    memcpy(x->idx + at, to.idx, n * sizeof *to.idx);
    if (x->size) memcpy(x->val + at * x->size, to.val, n * x->size);
  }
  move_starts(x, split, at);
}

static void run_tasks(fill_job *x) {
  char *buffer = x->buffers + grid_thread() * x->thread_bytes;
  for (uint64_t t; (t = atomic_fetch_add(&x->next, 1)) < x->f->splits->tasks;) run_task(x, t, buffer);
}

static GrB_Info make_arrays(fill_job *x, const grid_local_matrix *p, int threads) {
  const grid_fill *f = x->f;
  const bool made = grid_offsets_make(&x->start, p->row.n + 1, f->bound);
  x->idx = grid_malloc(f->bound, sizeof *x->idx);
  x->val = x->size ? grid_malloc(f->bound, x->size) : NULL;
  x->at = grid_malloc(f->splits->tasks + 1, sizeof *x->at);
  x->thread_bytes = round_to_cache_lines(f->workspace);
  if (threads > 1)
    x->thread_bytes +=
        round_to_cache_lines(f->most * sizeof *x->idx) + round_to_cache_lines(f->most * x->size);
  x->buffers = grid_malloc((size_t)threads, x->thread_bytes);
  if (made && x->idx && (x->val || !x->size) && x->at && x->buffers) return GrB_SUCCESS;
  return grid_fail_memory(NULL, "matrix rows", f->bound, sizeof *x->idx + x->size);
}

/* Converts offsets to 32 bits if there are fewer entries than the bound allowed. */
static GrB_Info narrow_starts(fill_job *x, uint64_t n, uint64_t entries) {
  if (!x->start.offsets64 || entries >= grid_tune.offsets64_from) return GrB_SUCCESS;
  grid_offsets to;
  if (!grid_offsets_make(&to, n, entries))
    return grid_fail_memory(NULL, "matrix rows", n, sizeof *to.offsets32);
  for (uint64_t k = 0; k < n; k++) grid_offset_set(to, k, x->start.offsets64[k]);
  grid_offsets_free(&x->start);
  x->start = to;
  return GrB_SUCCESS;
}

GrB_Info grid_lmat_fill_rows(grid_local_matrix *p, const grid_fill *f) {
  fill_job x = {.f = f, .size = f->values ? p->type->size : 0};
  const int threads = f->splits->tasks > 1 ? grid_work_threads(f->bound / 8) : 1;
  GrB_Info info;
  TRY(make_arrays(&x, p, threads));
  for (uint64_t t = 0; t <= f->splits->tasks; t++) atomic_init(&x.at[t], t ? UNKNOWN : 0);
  grid_offset_set(x.start, 0, 0);
#pragma omp parallel num_threads(threads)
  run_tasks(&x);
  const uint64_t n = x.at[f->splits->tasks];
  TRY(narrow_starts(&x, p->row.n + 1, n));
  p->nvals = n;
  x.idx = grid_shrink(x.idx, n, sizeof *x.idx);
  if (x.val) x.val = grid_shrink(x.val, n, x.size);
done:
  grid_compressed_finish(&p->by_row, info, &x.start, x.idx, x.val);
  grid_free((void *)x.at);
  grid_free(x.buffers);
  return info;
}
