/* Builds a local matrix in the memory where it will lie: with the device on, keys are sorted and compressed
 * there, and keys of an R-MAT graph are generated there. */
#ifndef GRID_DEVICE_BUILD_H
#define GRID_DEVICE_BUILD_H
#include "gridblas_rmat.h"
#include "spmat/matrix/local_matrix.h"

/* The entries that a share of an R-MAT graph's tuples gives, for the processes whose blocks hold them. Layout
 * as in dist/grid/layout.h: chunks of q vertices, a grid of P processes with R rows. */
typedef struct {
  Grid_Rmat g;
  uint64_t first, tuples;
  bool mirror, no_loops; /* as in Grid_Matrix_build */
  int shift;             /* of keys: row << shift | col */
  uint64_t q, R, P;
  uint64_t row,
      rows; /* of a matrix that is built in segments on one process: the rows of the current segment */
} grid_rmat_job;
/* The most processes supported. */
#define GRID_RMAT_PROCESSES 2048

/* Is the device memory limit so low that this many tuples, with values of `size` bytes or none, are sorted on
 * the host? The answer depends on the limit only. */
bool grid_build_is_over_limit(uint64_t tuples, size_t size);

/* Like grid_lmat_build, but with the device on it builds there. If the matrix is hypersparse, or has values
 * that the device cannot combine, it is built on the host, and that is reported (grid_report_fallback).
 * `keys` is consumed in every case. */
GrB_Info grid_lmat_make(grid_local_matrix *p, void *keys, bool pairs, uint64_t n, const void *values,
                        const void *one, grid_duplicates how, grid_pair *bad);
/* The same from keys in device memory, row << shift | col, which are consumed; only while the device is on.
 * Keys of few bits are sorted in fewer passes. */
GrB_Info grid_lmat_make_device(grid_local_matrix *p, uint64_t *keys, int shift, uint64_t n, const void *one);
/* The matrix of a whole R-MAT graph (P is 1), built on the device, which is on; in segments if the tuples do
 * not fit at once. GRID_UNSUPPORTED: it may be hypersparse, or has few tuples; use grid_lmat_make_device. */
GrB_Info grid_lmat_make_rmat(grid_local_matrix *p, const grid_rmat_job *job, const void *one);
/* The smallest shift for columns below n. */
static inline int grid_key_shift(uint64_t n) {
  int bits = 1;
  while (bits < 32 && (n - 1) >> bits) bits++;
  return n ? bits : 1;
}

/* The same, but what the device does not support (hypersparse axes, 64-bit offsets) is GRID_UNSUPPORTED, and
 * the caller still owns keys. */
GrB_Info grid_lmat_build_device(grid_local_matrix *p, uint64_t *keys, int shift, uint64_t n, const void *one);

/* A program's tuples, in host memory: of a whole matrix, on one process. */
typedef struct {
  const uint64_t *row, *col;
  uint64_t n, nrows, ncols;
  bool mirror, no_loops; /* as in Grid_Matrix_build */
} grid_program_tuples;
/* As grid_lmat_make from those, if the device supports it; else GRID_UNSUPPORTED, without a report.
 * GrB_INVALID_INDEX: a tuple lies outside. values: by tuple; NULL: all are `one`. */
GrB_Info grid_lmat_make_from_tuples(grid_local_matrix *p, const grid_program_tuples *t, const void *values,
                                    const void *one, grid_duplicates how, grid_pair *bad);

/* Tuples in device memory: keys row << shift | col. `dropped` of them do not count: their row is the number
 * of rows. */
typedef struct {
  uint64_t *keys, n, dropped;
  int shift;
  const void *val; /* of the local matrix's type, key e's is val[e >> each]; NULL: a pattern */
  int mirror_shift;
  grid_duplicates how;
} grid_device_tuples;

/* The device's rows. All pointers are device memory; local matrices that are passed lie on the device. */
struct grid_builder {
  /* *keys (allocated): from p * *capacity on, count[p] (host memory) coordinates (row << job->shift | col) in
   * the block of process p, including duplicates. */
  GrB_Info (*rmat)(const grid_rmat_job *job, uint64_t **keys, uint64_t *capacity, uint64_t *count);
  /* p (empty) gets its axes, by_row and nvals: grid_lmat_make_rmat */
  GrB_Info (*rmat_lmat)(grid_local_matrix *p, const grid_rmat_job *job);
  /* t's keys, shift, n, dropped and each. GrB_INVALID_INDEX: a tuple lies outside. */
  GrB_Info (*pack)(const grid_program_tuples *from, grid_device_tuples *t);
  /* p gets its axes, by_row and nvals, and t's values or, if they are equal, the one value. keys is freed
   * unless the answer is GRID_UNSUPPORTED: an axis is hypersparse, offsets have 64 bits, or equal tuples
   * cannot be combined there. GrB_INVALID_VALUE as grid_lmat_build. */
  GrB_Info (*build)(grid_local_matrix *p, const grid_device_tuples *t, grid_pair *bad);
  /* degrees are in device memory */
  const grid_orient_ops *orient;
  /* count[0 .. dim) = entries of each row (column), by local index */
  GrB_Info (*count)(const grid_local_matrix *p, bool rows, uint32_t *count);
  /* to[0 .. n) += more */
  GrB_Info (*add)(uint32_t *to, const uint32_t *more, uint64_t n);
  /* bits: which of count[0 .. n) exceed 0; *nonempty_count: how many */
  GrB_Info (*mark)(const uint32_t *count, uint64_t n, uint64_t *bits, uint64_t *nonempty_count);
};
#endif
