/* Tuples put in order that need not fit memory: what has come is sorted and written as a run to a file
 * without a name, whenever memory is full; at the end each process reads its rows back, range by range, from
 * the runs of all (docs/design.md, "External build"). A tuple is a key, row << shift | column, and perhaps a
 * value. */
#ifndef GRID_SORT_RUNS_H
#define GRID_SORT_RUNS_H
#include "dist/grid/process_grid.h"
#include "spmat/sort/sort.h"

/* Keys in order at byte `at` of the file of process `file`, then as many values. */
typedef struct {
  uint64_t at, n, file;
} grid_sorted_run;

typedef struct {
  const char *path; /* of what is to come of it, for texts */
  bool valued;
  /* what has come since the last run; no more than `most` */
  uint64_t *key;
  double *val;
  uint64_t n, capacity, most;
  uint64_t largest; /* key */
  int *fd;          /* of all processes */
  uint64_t end;     /* of the own file */
  /* own runs, then all; every grid_tune.run_sample_step-th key of each, from the first on, one run behind the
   * other */
  grid_sorted_run *run;
  uint64_t *sample;
  uint64_t runs, runs_capacity, samples, samples_capacity;
  uint64_t bytes_moved;       /* bytes written and read, here */
  struct grid_run_write *out; /* a run that a thread writes, or NULL */
} grid_run_writer;

/* The files, beside `path`; `bytes` is what tuples may take in memory. Collective, agreed on. */
GrB_Info grid_run_writer_open(grid_run_writer *s, const char *path, bool valued, uint64_t bytes);
void grid_run_writer_close(grid_run_writer *s);
/* Makes room for tuples: at least one then fits. Local. */
GrB_Info grid_run_writer_reserve(grid_run_writer *s);
static inline void grid_run_writer_append(grid_run_writer *s, uint64_t key, double value) {
  s->key[s->n] = key;
  if (s->val) s->val[s->n] = value;
  s->n++;
  if (key > s->largest) s->largest = key;
}
/* What has come is there for all: run and sample are those of all processes, unless one process has had room
 * for everything, `most_in_memory` tuples at most, and has no runs. Collective, agreed on with each one's
 * info.
 */
GrB_Info grid_run_writer_finish(grid_run_writer *s, GrB_Info info, uint64_t most_in_memory);

/* Tuples in order, each key once, with the least of its values: keys less `base`, which are no more than
 * `last`. To be freed, not after an error. */
GrB_Info grid_sort_run(grid_sorted *to, const uint64_t *key, const double *val, uint64_t n, uint64_t base,
                       uint64_t last);

/* Each key of a run, which is in order, once, with the least value. */
void grid_run_unique(grid_run *r);
/* Those of a[0..n), ascending, that are below `key`. */
uint64_t grid_count_below(const uint64_t *a, uint64_t n, uint64_t key);
void grid_sort_keys(uint64_t *a, uint64_t n);

/* ---- sort_runs_read.c: a process's rows, range by range, the next one read while one is used ---- */

typedef struct {
  uint64_t row, end; /* rows; */
  uint64_t n;        /* their tuples: */
  uint64_t *key, capacity;
  double *val;
  /* those of each run in order, from stretch[k] to stretch[k + 1]; NULL: they are in none */
  uint64_t *stretch, stretches;
} grid_run_range;

typedef struct grid_run_reader grid_run_reader;
/* The rows of this process, *first .. *end of nrows, are so cut that all get as many tuples; a range has no
 * more than fit `bytes`, each taking `each`, unless one row has. Local. */
GrB_Info grid_run_reader_begin(grid_run_reader **made, grid_run_writer *s, int shift, uint64_t nrows,
                               uint64_t bytes, uint64_t each);
void grid_run_reader_end(grid_run_reader *r);
/* *range: the next, there until the next call; NULL: there are no more. All rows come. */
GrB_Info grid_run_reader_next(grid_run_reader *r, const grid_run_range **range);

/* ---- sort_runs_merge.c ---- */

/* As grid_sort_run, of a range that has stretches. */
GrB_Info grid_merge_runs(grid_sorted *to, const grid_run_range *range, uint64_t base);
#endif
