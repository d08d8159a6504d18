/* Makes the rows of a local matrix, each of which is one range of a row of another, or such a row without a
 * range: those that a positional operator selects, or that an extraction takes of a range of columns. */
#ifndef GRID_ROW_BANDS_H
#define GRID_ROW_BANDS_H
#include "spmat/matrix/local_matrix.h"

/* Most segments of the rows. */
enum { GRID_BAND_SEGMENTS = 64 };

typedef struct {
  grid_local_matrix *z; /* the result, which has axes */
  const grid_local_matrix *a;
  size_t size;     /* of a value, 0: iso */
  uint32_t add;    /* what is added to a column; 0 with complement */
  bool complement; /* row r is that of a without the range */
  /* The range of each row: a's entries low .. low + count - 1. Offsets of 32 bits replace the counts. */
  grid_offsets low;
  uint32_t *count;
  /* The rows are divided into segments, of which each has `selected` entries in the result. */
  uint64_t segments, selected[GRID_BAND_SEGMENTS];
} grid_row_bands;

/* Sets the ranges of rows r .. end - 1; returns the sum of their lengths. */
typedef uint64_t (*grid_band_finder)(const grid_row_bands *b, const void *context, uint64_t r, uint64_t end);

/* Finds all ranges, with all threads. */
GrB_Info grid_row_bands_find(grid_row_bands *b, grid_band_finder find, const void *context);
/* The entries of the result. */
uint64_t grid_row_bands_count(const grid_row_bands *b);
/* Makes z's offsets and entries. On failure the caller frees z. */
GrB_Info grid_row_bands_copy(grid_row_bands *b);
void grid_row_bands_free(grid_row_bands *b);
#endif
