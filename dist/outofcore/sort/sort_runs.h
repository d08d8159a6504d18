/* External sort: whenever memory is full, the collected tuples are sorted and written as a run to an
 * unlinked file. At the end each process reads its rows back, range by range, from all processes' runs
 * (docs/how/outofcore.md), or, in a local sort, all rows from its own runs. A tuple is a key, row << shift |
 * column, and perhaps a value. */
#ifndef GRID_SORT_RUNS_H
#define GRID_SORT_RUNS_H
#include "dist/grid/process_grid.h"
#include "dist/outofcore/sort/duplicates.h"
#include "spmat/sort/sort.h"

/* n sorted keys at byte `at` of the file of process `file`, then n values. */
typedef struct {
  uint64_t at, n, file;
} grid_sorted_run;

typedef struct {
  const char *path; /* the final file, for error texts */
  bool valued;
  grid_join dup; /* what joins the values of duplicates; GRID_DUP_MIN unless set after opening */
  /* tuples since the last run, at most `most` */
  uint64_t *key;
  double *val;
  uint64_t n, capacity, most;
  uint64_t largest; /* key */
  int *fd;          /* of the processes that share the runs: all, or, in a local sort, this one, ... */
  int rank, ranks;  /* ... this one's number, and how many */
  uint64_t end;     /* of the local file */
  /* local runs, then all; every sample_step-th key of each, from the first on, one run behind the other */
  grid_sorted_run *run;
  uint64_t *sample;
  uint64_t sample_step; /* grid_tune.run_sample_step, unless set after opening, equally on all processes */
  uint64_t runs, runs_capacity, samples, samples_capacity;
  uint64_t bytes_moved;       /* bytes written and read on this process */
  struct grid_run_write *out; /* a run being written by a thread, or NULL */
} grid_run_writer;

/* The files, beside `path`; `bytes` is what tuples may take in memory. All functions of a local sort are
 * local. Otherwise collective, agreed on. */
GrB_Info grid_run_writer_open(grid_run_writer *s, const char *path, bool is_local, bool valued,
                              uint64_t bytes);
void grid_run_writer_close(grid_run_writer *s);
/* Makes space for at least n tuples, which are then in one run. Local. */
GrB_Info grid_run_writer_reserve(grid_run_writer *s, uint64_t n);
static inline void grid_run_writer_append(grid_run_writer *s, uint64_t key, double value) {
  s->key[s->n] = key;
  if (s->val) s->val[s->n] = value;
  s->n++;
  if (key > s->largest) s->largest = key;
}
/* Ends writing: run and sample become those of all that share them. A single process whose tuples, at most
 * `most_in_memory`, are all in memory has no runs. Collective, agreed on with each process's info. */
GrB_Info grid_run_writer_finish(grid_run_writer *s, GrB_Info info, uint64_t most_in_memory);

/* Sorts tuples: each key once, with its values joined in their order; output keys are less `base`, input keys
 * at most `last`. To be freed, not after an error. */
GrB_Info grid_sort_run(grid_sorted *to, const uint64_t *key, const double *val, uint64_t n, uint64_t base,
                       uint64_t last, grid_join dup);

/* Removes duplicate keys of a sorted run and joins their values. */
void grid_run_unique(grid_run *r, grid_join dup);
void grid_sort_keys(uint64_t *a, uint64_t n);

/* ---- sort_runs_read.c: reads a process's rows range by range, prefetching the next ---- */

typedef struct {
  uint64_t row, end; /* range of rows */
  uint64_t n;        /* number of their tuples */
  uint64_t *key, capacity;
  double *val;
  /* each run's tuples are sorted, from stretch[k] to stretch[k + 1]; NULL: unsorted, in memory */
  uint64_t *stretch, stretches;
} grid_run_range;

typedef struct grid_run_reader grid_run_reader;
/* Starts reading. The rows 0 .. nrows are divided so that all processes get about as many tuples; a
 * range's tuples, of `entry_bytes` bytes, fit `bytes`, unless one row's do not. Local. */
GrB_Info grid_run_reader_begin(grid_run_reader **made, grid_run_writer *s, int shift, uint64_t nrows,
                               uint64_t bytes, uint64_t entry_bytes);
void grid_run_reader_end(grid_run_reader *r);
/* *range: the next one, valid until the next call; NULL: none is left. All rows are covered. */
GrB_Info grid_run_reader_next(grid_run_reader *r, const grid_run_range **range);

/* ---- sort_runs_merge.c ---- */

/* As grid_sort_run, of a range that has stretches. */
GrB_Info grid_merge_runs(grid_sorted *to, const grid_run_range *range, uint64_t base, grid_join dup);
#endif
