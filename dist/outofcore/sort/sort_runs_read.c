/* Runs are read back, range of rows by range, into one room while the other is used; see sort_runs.h. Samples
 * say how many tuples a range has, and where it ends in each run but for less than a step. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "dist/outofcore/file/file_bytes.h"
#include "dist/outofcore/sort/sort_runs.h"
#include "semiring/support/mem.h"
#include "semiring/support/tuning.h"
#include "spmat/vector/bitmap_words.h"

struct grid_run_reader {
  grid_run_writer *s;
  int shift;
  uint64_t row, end;  /* rows not read yet */
  uint64_t *order, n; /* samples of those rows, ascending */
  uint64_t next;      /* the first sample not read yet */
  uint64_t *at;       /* per run: number of keys read */
  uint64_t *samples;  /* per run: offset of its samples */
  uint64_t most;      /* maximum samples of a range */
  grid_run_range buffered[2];
  int turn;
  bool reading; /* by the thread, into buffered[turn] */
  pthread_t thread;
  uintptr_t context; /* of the thread that made it, and of `thread` */
  int error;         /* the thread's errno; ENOMEM: no memory for `wanted` tuples */
  uint64_t wanted;
};

/* ---- ends of ranges ---- */

/* Number of run r's keys up to the first sample not below `key`. */
static uint64_t upper_bound(const grid_run_reader *r, uint64_t run, uint64_t key) {
  const uint64_t n = r->s->run[run].n, from = r->samples[run], to = r->samples[run + 1],
                 end = grid_lower_bound(r->s->sample + from, 0, to - from, key) * r->s->sample_step;
  return end < n ? end : n;
}

/* The end row of the next range, from the samples. A range has at least one row. */
static uint64_t range_end(grid_run_reader *r) {
  uint64_t k = r->next + r->most;
  if (k >= r->n) return r->end;
  while (k < r->n && r->order[k] >> r->shift <= r->row) k++;
  return k < r->n ? r->order[k] >> r->shift : r->end;
}

/* ---- reading ---- */

static int allocate_range(grid_run_range *to, uint64_t n, bool valued) {
  if (n <= to->capacity) return 0;
  grid_free(to->key);
  grid_free(to->val);
  to->capacity = 0;
  to->key = grid_malloc(n, sizeof *to->key);
  to->val = valued ? grid_malloc(n, sizeof *to->val) : NULL;
  if (!to->key || (valued && !to->val)) return ENOMEM;
  to->capacity = n;
  return 0;
}

/* Appends the tuples of a run with keys below `key` to `to`. */
static int read_run_segment(grid_run_reader *r, uint64_t run, uint64_t key, grid_run_range *to) {
  const grid_sorted_run *from = &r->s->run[run];
  const int fd = r->s->fd[from->file];
  const uint64_t at = r->at[run], n = upper_bound(r, run, key) - at;
  int error = grid_bytes_read(fd, to->key + to->n, n * sizeof key, from->at + at * sizeof key);
  if (error) return error;
  const uint64_t count = grid_lower_bound(to->key + to->n, 0, n, key);
  if (to->val)
    error = grid_bytes_read(fd, to->val + to->n, count * sizeof *to->val,
                            from->at + from->n * sizeof key + at * sizeof *to->val);
  r->s->bytes_moved += n * sizeof key + (to->val ? count * sizeof *to->val : 0);
  r->at[run] += count;
  to->n += count;
  return error;
}

static int read_range(grid_run_reader *r, grid_run_range *to) {
  const uint64_t row = range_end(r), key = row << r->shift;
  uint64_t n = 0;
  int error = 0;
  for (uint64_t k = 0; k < r->s->runs; k++) {
    const grid_sorted_run *run = &r->s->run[k];
    const uint64_t more = upper_bound(r, k, key) - r->at[k];
    (void)posix_fadvise(r->s->fd[run->file], (off_t)(run->at + r->at[k] * sizeof key),
                        (off_t)(more * sizeof key), POSIX_FADV_WILLNEED);
    n += more;
  }
  r->wanted = n;
  to->row = r->row, to->end = row, to->n = 0;
  error = allocate_range(to, n, r->s->valued);
  for (uint64_t k = 0; k < r->s->runs && !error; k++) {
    to->stretch[k] = to->n;
    error = read_run_segment(r, k, key, to);
  }
  to->stretch[r->s->runs] = to->n;
  r->row = row;
  while (r->next < r->n && r->order[r->next] < key) r->next++;
  return error;
}

static void *read_ahead(void *context) {
  grid_run_reader *r = context;
  GRID_WORKER_SCOPE(r->context);
  r->error = read_range(r, &r->buffered[r->turn]);
  return NULL;
}

/* Reads the next range, if any, by a thread if one can be created. */
static void start_next_range(grid_run_reader *r) {
  r->buffered[r->turn].row = r->buffered[r->turn].end = r->end;
  if (r->row == r->end) return;
  r->reading = pthread_create(&r->thread, NULL, read_ahead, r) == 0;
  if (!r->reading) read_ahead(r);
}

GrB_Info grid_run_reader_next(grid_run_reader *r, const grid_run_range **range) {
  if (r->reading) pthread_join(r->thread, NULL);
  r->reading = false;
  *range = NULL;
  if (r->error == ENOMEM)
    return grid_fail_memory(NULL, "tuples of some rows", r->wanted, r->s->valued ? 16 : 8);
  if (r->error)
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: cannot read the tuples beside it: %s", r->s->path,
                     r->error == ENODATA ? "the file became shorter" : strerror(r->error));
  if (r->buffered[r->turn].row == r->buffered[r->turn].end) return GrB_SUCCESS;
  *range = &r->buffered[r->turn];
  r->turn = !r->turn;
  start_next_range(r);
  return GrB_SUCCESS;
}

/* ---- begin and end ---- */

/* Finds where the process's rows begin in each run. */
static GrB_Info find_starts(grid_run_reader *r) {
  const grid_run_writer *s = r->s;
  const uint64_t key = r->row << r->shift;
  uint64_t *keys = grid_malloc(s->sample_step, sizeof *keys);
  if (!keys) return grid_fail_memory(NULL, "tuples of a run", s->sample_step, sizeof *keys);
  for (uint64_t k = 0; k < s->runs; k++) {
    const uint64_t end = upper_bound(r, k, key), from = end > s->sample_step ? end - s->sample_step : 0;
    const int error = grid_bytes_read(s->fd[s->run[k].file], keys, (end - from) * sizeof *keys,
                                      s->run[k].at + from * sizeof *keys);
    if (error) {
      grid_free(keys);
      return grid_fail(NULL, GrB_INVALID_VALUE, "%s: cannot read the tuples beside it: %s", s->path,
                       strerror(error));
    }
    r->at[k] = from + grid_lower_bound(keys, 0, end - from, key);
  }
  grid_free(keys);
  return GrB_SUCCESS;
}

/* The first row of process p, so that all processes get about as many samples. */
static uint64_t first_row(const grid_run_reader *r, int p, uint64_t nrows) {
  const int P = r->s->ranks;
  if (p == P) return nrows;
  if (p == 0 || r->n == 0) return r->n || p == 0 ? 0 : nrows;
  const uint64_t k = (uint64_t)((unsigned __int128)r->n * (unsigned)p / (unsigned)P),
                 row = r->order[k] >> r->shift;
  return row < nrows ? row : nrows;
}

static int ascending_keys(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

void grid_sort_keys(uint64_t *a, uint64_t n) {
  qsort(a, n, sizeof *a, ascending_keys);
}

/* Sorts all samples and selects those of this process's rows. */
static void divide_rows(grid_run_reader *r, uint64_t nrows) {
  const grid_run_writer *s = r->s;
  uint64_t at = 0;
  for (uint64_t k = 0; k < s->runs; k++) {
    r->samples[k] = at;
    at += (s->run[k].n + s->sample_step - 1) / s->sample_step;
  }
  r->samples[s->runs] = at;
  r->n = at;
  grid_copy_bytes(r->order, s->sample, at * sizeof *r->order);
  grid_sort_keys(r->order, at);
  r->row = first_row(r, s->rank, nrows), r->end = first_row(r, s->rank + 1, nrows);
  r->next = grid_lower_bound(r->order, 0, r->n, r->row << r->shift);
  r->n = grid_lower_bound(r->order, 0, r->n, r->end << r->shift);
}

GrB_Info grid_run_reader_begin(grid_run_reader **made, grid_run_writer *s, int shift, uint64_t nrows,
                               uint64_t bytes, uint64_t entry_bytes) {
  grid_run_reader *r = *made = grid_calloc(1, sizeof *r);
  if (!r) return grid_fail_memory(NULL, "runs", 1, sizeof *r);
  r->s = s;
  r->shift = shift;
  r->context = grid_context_distance;
  if (!s->runs) { /* everything is in memory */
    r->buffered[0] =
        (grid_run_range){.end = s->rank == 0 ? nrows : 0, .n = s->n, .key = s->key, .val = s->val};
    r->row = r->end = nrows;
    s->key = NULL, s->val = NULL;
    return GrB_SUCCESS;
  }
  const uint64_t capacity = bytes / entry_bytes / s->sample_step;
  r->most = capacity > s->runs + 1 ? capacity - s->runs : 1;
  for (int k = 0; k < 2; k++) {
    r->buffered[k].stretch = grid_malloc(s->runs + 1, sizeof *r->buffered[k].stretch);
    r->buffered[k].stretches = s->runs;
  }
  r->order = grid_malloc(s->samples + 1, sizeof *r->order);
  r->at = grid_malloc(s->runs, sizeof *r->at);
  r->samples = grid_malloc(s->runs + 1, sizeof *r->samples);
  if (!r->order || !r->at || !r->samples || !r->buffered[0].stretch || !r->buffered[1].stretch)
    return grid_fail_memory(NULL, "samples of runs", s->samples, sizeof *r->order);
  divide_rows(r, nrows);
  GrB_Info info = find_starts(r);
  if (info == GrB_SUCCESS) start_next_range(r);
  return info;
}

void grid_run_reader_end(grid_run_reader *r) {
  if (!r) return;
  if (r->reading) pthread_join(r->thread, NULL);
  for (int k = 0; k < 2; k++) {
    grid_free(r->buffered[k].key);
    grid_free(r->buffered[k].val);
    grid_free(r->buffered[k].stretch);
  }
  grid_free(r->order);
  grid_free(r->at);
  grid_free(r->samples);
  grid_free(r);
}
