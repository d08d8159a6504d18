/* A product of matrices on one process while it runs: mxm_drive.c, and what its files share. */
#ifndef GRID_MXM_RUN_H
#define GRID_MXM_RUN_H
#include "spmat/cpu/mxm/cpu_mxm.h"

typedef struct {
  const grid_mxm *m;
  mxm_job j;
  const mxm_kernels *k;
  mxm_calls calls;
  int threads;
  uint64_t *work;          /* of each row; NULL: its length times row_length */
  uint64_t *range, ranges; /* ranges of rows that one thread takes */
  uint64_t *begin;         /* position of their first entries */
  uint64_t sorted;         /* most products of a row that is sorted */
  bool dense, dots;        /* some row uses sums over all columns */
  bool single;             /* B has one entry in each row */
  /* entries of each of B's rows (columns) that is used, if they are full */
  uint64_t row_length, column_length;
  bool all; /* ... and there are kernels for full rows */
  uint8_t *method;
  void *cast_a, *cast_b;
  mxm_workspace *workspace;
} mxm_run;

static inline uint64_t mxm_length(const mxm_vectors *x, uint64_t v) {
  return mxm_to(x, v) - mxm_from(x, v);
}

/* mxm_work.c: chooses the method with less work; computes the rows' work and its sum. */
GrB_Info grid_mxm_choose(mxm_run *d, uint64_t *total);
/* Divides the rows into ranges. */
GrB_Info grid_mxm_distribute(mxm_run *d, uint64_t total);
#endif
