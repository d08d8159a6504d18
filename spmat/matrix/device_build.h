/* Making a part where it will live: with the device on, keys are sorted and compressed there, and an R-MAT
 * graph's keys are generated there. */
#ifndef GRID_DEVICE_BUILD_H
#define GRID_DEVICE_BUILD_H
#include "gridblas_rmat.h"
#include "spmat/matrix/local_matrix.h"

/* The entries that come of a share of an R-MAT graph's tuples, for the processes whose blocks hold them.
 * Layout as in dist/grid/layout.h: chunks of q vertices, a grid of P processes with R rows. */
typedef struct {
  Grid_Rmat g;
  uint64_t first, tuples;
  bool mirror, no_loops; /* as in Grid_Matrix_build */
  int shift;             /* of keys: row << shift | col */
  uint64_t q, R, P;
  uint64_t row,
      rows; /* of a part that is built in segments, on one process: the rows of the segment at hand */
} grid_rmat_job;
/* More processes are not served. */
#define GRID_RMAT_PROCESSES 2048

/* Is so little device memory allowed that so many tuples, with values of `size` bytes or none, are sorted on
 * the host? The same where the limit is. */
bool grid_build_is_over_limit(uint64_t tuples, size_t size);

/* Like grid_lmat_build; with the device on the part is built there, unless it is hypersparse, or has values
 * that cannot be combined there: then it stays on the host, and that is reported (grid_report_fallback).
 * `keys` is taken over in every case. */
GrB_Info grid_lmat_make(grid_local_matrix *p, void *keys, bool pairs, uint64_t n, const void *values,
                        const void *one, grid_duplicates how, grid_pair *bad);
/* The same from keys in device memory, row << shift | col, which are taken over: only while the device is on.
 * Keys of few bits are sorted in fewer passes. */
GrB_Info grid_lmat_make_device(grid_local_matrix *p, uint64_t *keys, int shift, uint64_t n, const void *one);
/* The part that is all of an R-MAT graph (P is 1), made on the device, which is on: in segments where there
 * is no room for all tuples at once. GRID_UNSUPPORTED: it may be hypersparse, or the tuples are few;
 * make_device does it. */
GrB_Info grid_lmat_make_rmat(grid_local_matrix *p, const grid_rmat_job *job, const void *one);
/* The least shift that columns below n leave. */
static inline int grid_key_shift(uint64_t n) {
  int bits = 1;
  while (bits < 32 && (n - 1) >> bits) bits++;
  return n ? bits : 1;
}

/* The same, but what the device does not take (hypersparse axes, a wide part) is left to the caller: the
 * answer is GRID_UNSUPPORTED, and keys are still its own. */
GrB_Info grid_lmat_build_device(grid_local_matrix *p, uint64_t *keys, int shift, uint64_t n, const void *one);

/* A program's tuples, in host memory: of a whole matrix, on one process. */
typedef struct {
  const uint64_t *row, *col;
  uint64_t n, nrows, ncols;
  bool mirror, no_loops; /* as in Grid_Matrix_build */
} grid_program_tuples;
/* The same as grid_lmat_make from those, where the device takes them: GRID_UNSUPPORTED, and nothing is
 * reported. GrB_INVALID_INDEX: a tuple lies outside. values: by tuple; NULL: the one value of all is `one`.
 */
GrB_Info grid_lmat_make_from_tuples(grid_local_matrix *p, const grid_program_tuples *t, const void *values,
                                    const void *one, grid_duplicates how, grid_pair *bad);

/* Tuples in device memory: keys row << shift | col, of which `dropped` do not count: their row is
 * the number of rows. */
typedef struct {
  uint64_t *keys, n, dropped;
  int shift;
  const void *val; /* of the local matrix's type, key e's is val[e >> each]; NULL: a pattern */
  int each;
  grid_duplicates how;
} grid_device_tuples;

/* The device's part in this: a row of the backend. All pointers are device memory; a part that is given lies
 * on the device. */
struct grid_builder {
  /* *keys: new; from p * *room on count[p] (in host memory) coordinates (row << job->shift | col) in the
   * block of process p, duplicates included. */
  GrB_Info (*rmat)(const grid_rmat_job *job, uint64_t **keys, uint64_t *capacity, uint64_t *count);
  /* p (empty) gets its axes, by_row and nvals: grid_lmat_make_rmat */
  GrB_Info (*rmat_lmat)(grid_local_matrix *p, const grid_rmat_job *job);
  /* t's keys, shift, n, dropped and each. GrB_INVALID_INDEX: a tuple lies outside. */
  GrB_Info (*pack)(const grid_program_tuples *from, grid_device_tuples *t);
  /* p gets its axes, by_row and nvals, and where t has values those, or, if they are alike, the one value.
   * keys is freed, unless the answer is GRID_UNSUPPORTED: an axis is hypersparse, the part is wide, or equal
   * tuples cannot be joined there. GrB_INVALID_VALUE as grid_lmat_build. */
  GrB_Info (*build)(grid_local_matrix *p, const grid_device_tuples *t, grid_pair *bad);
  /* degrees are in device memory */
  const grid_orient_ops *orient;
  /* count[0 .. dim) = entries of each row (column) of the part, by local index */
  GrB_Info (*count)(const grid_local_matrix *p, bool rows, uint32_t *count);
  /* to[0 .. n) += more */
  GrB_Info (*add)(uint32_t *to, const uint32_t *more, uint64_t n);
  /* bits: which of count[0 .. n) are above 0; *some: how many */
  GrB_Info (*mark)(const uint32_t *count, uint64_t n, uint64_t *bits, uint64_t *nonempty_count);
};
#endif
