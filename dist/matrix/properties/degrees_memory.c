/* Degrees and bitmaps of nonempty rows and columns in host and device memory: freed, copied. */
#include <string.h>

#include "dist/matrix/matrix.h"
#include "spmat/backend.h"

/* The arrays of one memory, in a fixed order. */
enum { ROW_DEGREE, COL_DEGREE, ROW_NONEMPTY, COL_NONEMPTY, ARRAYS };

static void list_arrays(GrB_Matrix A, bool on_device, void **at[ARRAYS], uint64_t bytes[ARRAYS]) {
  const uint64_t rows = grid_local_padded_size(A->nrows), cols = grid_local_padded_size(A->ncols);
  at[ROW_DEGREE] = (void **)(on_device ? &A->degrees.device_row : &A->degrees.row);
  at[COL_DEGREE] = (void **)(on_device ? &A->degrees.device_col : &A->degrees.col);
  at[ROW_NONEMPTY] = (void **)(on_device ? &A->degrees.device_row_nonempty : &A->degrees.row_nonempty);
  at[COL_NONEMPTY] = (void **)(on_device ? &A->degrees.device_col_nonempty : &A->degrees.col_nonempty);
  bytes[ROW_DEGREE] = rows * sizeof(uint32_t);
  bytes[COL_DEGREE] = cols * sizeof(uint32_t);
  bytes[ROW_NONEMPTY] = grid_words(rows) * sizeof(uint64_t);
  bytes[COL_NONEMPTY] = grid_words(cols) * sizeof(uint64_t);
}

static void free_arrays(GrB_Matrix A, bool on_device) {
  void **at[ARRAYS];
  uint64_t bytes[ARRAYS];
  list_arrays(A, on_device, at, bytes);
  for (int k = ARRAYS - 1; k >= 0; k--) {
    if (k % 2 == 0 || *at[k] != *at[k - 1]) (on_device ? grid_device_free : grid_free)(*at[k]);
    *at[k] = NULL;
  }
}

void grid_degrees_free(GrB_Matrix A) {
  free_arrays(A, false);
  free_arrays(A, true);
}

void grid_degrees_free_device(GrB_Matrix A) {
  free_arrays(A, true);
}

/* *to = a copy of `from` in the wanted memory; NULL when out of memory. */
static GrB_Info copy_array(void **to, const void *from, uint64_t bytes, bool from_device, bool to_device) {
  *to = to_device ? grid_device_malloc(bytes, 1) : grid_malloc(bytes, 1);
  if (!*to)
    return to_device ? grid_device_fail_memory(NULL, "degrees", bytes, 1)
                     : grid_fail_memory(NULL, "degrees", bytes, 1);
  if (to_device)
    return from_device ? grid_device_copy(*to, from, bytes) : grid_device_write(*to, from, bytes);
  if (from_device) return grid_device_get(*to, from, bytes);
  memcpy(*to, from, bytes);
  return GrB_SUCCESS;
}

/* Copies the arrays of one memory of `from` that `to` lacks in the given memory. Arrays that rows and columns
 * share stay shared. On failure finished copies are kept. */
static GrB_Info copy_arrays(GrB_Matrix to, bool to_device, GrB_Matrix from, bool from_device) {
  void **a[ARRAYS], **b[ARRAYS];
  uint64_t bytes[ARRAYS];
  list_arrays(from, from_device, a, bytes);
  list_arrays(to, to_device, b, bytes);
  for (int k = 0; k < ARRAYS; k++) {
    if (!*a[k] || *b[k]) continue;
    if (k % 2 == 1 && *a[k] == *a[k - 1]) {
      *b[k] = *b[k - 1];
      continue;
    }
    GrB_Info info = copy_array(b[k], *a[k], bytes[k], from_device, to_device);
    if (info == GrB_SUCCESS) continue;
    (to_device ? grid_device_free : grid_free)(*b[k]);
    *b[k] = NULL;
    return info;
  }
  return GrB_SUCCESS;
}

GrB_Info grid_degrees_to_host(GrB_Matrix A) {
  return grid_device_is_open() ? copy_arrays(A, false, A, true) : GrB_SUCCESS;
}

GrB_Info grid_degrees_to_device(GrB_Matrix A) {
  return copy_arrays(A, true, A, false);
}

GrB_Info grid_degrees_copy(GrB_Matrix to, GrB_Matrix from) {
  to->degrees.nonempty_rows = from->degrees.nonempty_rows;
  to->degrees.nonempty_cols = from->degrees.nonempty_cols;
  to->delegates.nn_nvals = from->delegates.nn_nvals;
  GrB_Info info = copy_arrays(to, false, from, false);
  return info == GrB_SUCCESS ? copy_arrays(to, true, from, true) : info;
}
