/* Splits one process's block by the delegates among its rows and columns
 * (dist/delegates/delegate_split_device.c; docs/how/delegates.md), in device memory: a row of the
 * backend. */
#ifndef GRID_SPLIT_BY_DELEGATES_H
#define GRID_SPLIT_BY_DELEGATES_H
#include "spmat/matrix/local_matrix.h"

/* Kinds of entries: both ends are normal vertices, or one or both are delegates. */
typedef enum { GRID_ND, GRID_DN, GRID_DD, GRID_NN, GRID_KINDS } grid_entry_kind;

/* Entries are scattered into bins: kind * P + process for those that are sent, then nn, which stays. */
#define GRID_DIVISION_BINS 1024
static inline uint64_t grid_division_bins(uint64_t P) {
  return GRID_NN * P + 1;
}

typedef struct {
  const grid_local_matrix *block; /* by column, on the device, without values and hypersparse axes */
  uint64_t q, P, R, i, j;         /* dist/grid/layout.h */
  /* of each local row and column the number of the delegate + 1, or 0 for a normal vertex; device memory */
  const uint32_t *row, *col;
  bool mirrored; /* dn is omitted: it is nd's transpose */
} grid_division;

typedef struct grid_device_division {
  /* *count vertices of degree above the threshold; *key (device memory, freed by the caller), in any order:
   * (UINT32_MAX - degree) << 32 | first + number of the vertex. */
  GrB_Info (*find_high_degree)(const uint32_t *degree, uint64_t n, uint32_t threshold, uint64_t first,
                               uint64_t **key, uint64_t *count);
  /* row and col (zero before), which become D's, from the d delegates' vertices in device memory */
  GrB_Info (*number)(const grid_division *D, const uint32_t *vertex, uint64_t d, uint32_t *row,
                     uint32_t *col);
  /* count[b] = entries of bin b; count is on the host */
  GrB_Info (*count)(const grid_division *D, uint64_t *count);
  /* Packed coordinates of the entries in their submatrices: those of bin b, in any order, begin at first[b]
   * in their kind's array. first is on the host. */
  GrB_Info (*bin_entries)(const grid_division *D, const uint64_t *first, uint64_t *const key[GRID_KINDS]);
} grid_device_division;
#endif
