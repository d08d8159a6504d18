/* Graph operations on a local matrix that only the device has, which must be on. Each returns
 * GRID_UNSUPPORTED where the caller must compute the result on the host; outputs are empty then. */
#ifndef GRID_LMAT_GRAPH_H
#define GRID_LMAT_GRAPH_H
#include "spmat/matrix/local_matrix.h"
#include "spmat/vector/chunk.h"

/* What Grid_Matrix_best_label reads; price, scale and bonus may be NULL. */
typedef struct {
  const grid_local_matrix *a;
  const grid_chunk *label, *price, *scale, *bonus;
  bool count;
} grid_label_operands;
/* t, empty and of type INT64, becomes the labels, on the device.
 * *bad: a value of `label` is not the number of a row.
 * It can be set with GRID_UNSUPPORTED, too. */
GrB_Info grid_lmat_best_label_device(grid_chunk *t, const grid_label_operands *x, bool *bad);
/* What Grid_Matrix_move_labels reads; vectors have an entry for each vertex, and bonus may be NULL. */
typedef struct {
  const grid_local_matrix *a;
  const grid_chunk *label, *weight, *scale, *bonus;
  const Grid_Label_Sweep *how;
} grid_label_move_operands;
/* t, empty and of type INT64, becomes the labels after the sweeps, on the device.
 * moves[k]: of sweep k, for each that how->sweeps allows; 0 before the call.
 * *bad: as above. */
GrB_Info grid_lmat_move_labels_device(grid_chunk *t, uint64_t *moves, const grid_label_move_operands *x,
                                      bool *bad);
/* What Grid_Matrix_walk reads. */
typedef struct {
  const grid_local_matrix *a;
  const grid_chunk *start;
  uint64_t n, length; /* vertices; steps of a walk, and its vertices are those of one column more */
  bool weighted;
  double p, q;
  uint64_t seed;
} grid_walk_operands;
/* t, empty and of type INT64, with a row for each walk, becomes the walks, on the device.
 * *bad: a start is not a row of a, or a weight is below 0 or not finite.
 * It can be set with GRID_UNSUPPORTED, too. */
GrB_Info grid_lmat_walk_device(grid_local_matrix *t, const grid_walk_operands *x, bool *bad);
/* *vertex (freed by the caller with grid_free) = the path from source to target that Grid_Matrix_path finds
 * in a, which is symmetric, on the device.
 * *length: its number of edges; -1: there is no path. */
GrB_Info grid_lmat_path_device(GrB_Index **vertex, int64_t *length, const grid_local_matrix *a,
                               uint64_t source, uint64_t target);
/* What Grid_Matrix_peel reads: a is a whole square matrix; first and last are from 0 on. */
typedef struct {
  const grid_local_matrix *a;
  const grid_chunk *degree;
  int64_t first, last;
  Grid_Peel_Level *levels; /* host memory: gets the levels, if there are at most `capacity` */
  uint64_t capacity;
} grid_peel_operands;
/* t, empty and of type INT64, becomes the degrees after the peeling, on the device.
 * *levels: the number of levels. */
GrB_Info grid_lmat_peel_device(grid_chunk *t, uint64_t *levels, const grid_peel_operands *x);
/* What Grid_Matrix_distances reads and writes. On the device a is a whole square matrix; the CPU has a
 * process's block (spmat/cpu/matrix/lmat_distances.h). */
typedef struct {
  const grid_local_matrix *a;
  uint64_t n;              /* vertices; a may have more rows, which are empty */
  bool symmetric;          /* else a has columns */
  const uint64_t *sources; /* host memory; NULL: first, first + 1, ... */
  uint64_t first, nsources;
  /* An element for each vertex of the process, or NULL, in the memory where a lies. The call adds to the
   * first three, and makes the last one larger. */
  int64_t *reached, *sum;
  double *nearness;
  int64_t *farthest;
  int64_t *eccentricity; /* host memory: gets one for each source; or NULL */
} grid_distance_operands;
/* A pass searches from 64 sources for each word, and has up to 8 words, a cache line.
 * nearness is added to after each word, in order. */
enum { GRID_SEARCHES_PER_WORD = 64, GRID_DISTANCE_WORDS = 8 };
/* A power of 2. */
static inline unsigned grid_distance_words(uint64_t sources) {
  unsigned words = 1;
  while (words < GRID_DISTANCE_WORDS && words * (uint64_t)GRID_SEARCHES_PER_WORD < sources) words *= 2;
  return words;
}
/* On GRID_UNSUPPORTED the arrays are unchanged. */
GrB_Info grid_lmat_distances_device(const grid_distance_operands *x);
static inline uint64_t grid_distance_source(const grid_distance_operands *x, uint64_t k) {
  return x->sources ? x->sources[k] : x->first + k;
}
/* What Grid_Matrix_color reads: a is a whole matrix of symmetric pattern; key: spmat/color_order.h; most:
 * from 1 on. */
typedef struct {
  const grid_local_matrix *a;
  uint64_t key, most;
} grid_color_operands;
/* t, empty and of type INT64, becomes the colors, on the device.
 * *colors: the number of colors. */
GrB_Info grid_lmat_color_device(grid_chunk *t, uint64_t *colors, const grid_color_operands *x);
#endif
