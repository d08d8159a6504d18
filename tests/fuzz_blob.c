/* Fuzzing of GrB_Matrix_deserialize: any bytes are deserialized, unchanged and with a corrected checksum, so
 * that damage passes the first check. They are refused, or become a valid matrix whose serialized form
 * deserializes again. A libFuzzer target; with GRID_FUZZ_MAIN a program that replays the files it is given.
 * tests/blobs has serialized matrices. */
#include <string.h>

#include "semiring/support/mem.h"
#include "spmat/convert/lmat_serialize.h"
#include "tests/fuzz_main.h"

static GrB_Type twelve; /* a user-defined type of 12 bytes */

static void start(void) {
  if (twelve) return;
  must(GrB_init(GrB_BLOCKING) == GrB_SUCCESS, "GrB_init");
  must(GrB_Type_new(&twelve, 12) == GrB_SUCCESS, "GrB_Type_new");
  Grid_threads(1);
}

/* All entries lie inside, ascend, and come back from bytes of A's own. */
static void check_matrix(GrB_Matrix A, GrB_Type type) {
  GrB_Index nrows = 0, ncols = 0, n = 0, capacity = 0, again;
  GrB_Matrix B;
  must(GrB_Matrix_nrows(&nrows, A) == GrB_SUCCESS && GrB_Matrix_ncols(&ncols, A) == GrB_SUCCESS &&
           GrB_Matrix_nvals(&n, A) == GrB_SUCCESS,
       "size");
  GrB_Index *row = malloc((n + 1) * 8), *col = malloc((n + 1) * 8);
  must(Grid_Matrix_extractLocal(row, col, NULL, &n, A) == GrB_SUCCESS, "extractLocal");
  for (GrB_Index k = 0; k < n; k++) {
    must(row[k] < nrows && col[k] < ncols, "an entry outside");
    must(k == 0 || row[k - 1] < row[k] || (row[k - 1] == row[k] && col[k - 1] < col[k]), "order of entries");
  }
  must(GrB_Matrix_serializeSize(&capacity, A) == GrB_SUCCESS, "serializeSize");
  char *blob = malloc(capacity);
  must(GrB_Matrix_serialize(blob, &capacity, A) == GrB_SUCCESS, "serialize");
  must(GrB_Matrix_deserialize(&B, type, blob, capacity) == GrB_SUCCESS, "its own bytes");
  must(GrB_Matrix_nvals(&again, B) == GrB_SUCCESS && again == n, "entries of its own bytes");
  GrB_Matrix_free(&B);
  free(blob);
  free(row);
  free(col);
}

static void take(const uint8_t *data, size_t size, GrB_Type type) {
  const int64_t live = grid_mem_live();
  GrB_Matrix A = NULL;
  const GrB_Info info = GrB_Matrix_deserialize(&A, type, data, size);
  must(info == GrB_SUCCESS || info == GrB_INVALID_OBJECT || info == GrB_DOMAIN_MISMATCH, "outcome");
  must((info == GrB_SUCCESS) == (A != NULL), "an output of a call that failed");
  if (A) check_matrix(A, type);
  GrB_Matrix_free(&A);
  must(grid_mem_live() == live, "a block of memory is lost");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  start();
  take(data, size, NULL);
  take(data, size, twelve);
  if (size < GRID_BLOB_WORDS * 8) return 0;
  uint8_t *copy = malloc(size); /* its length and checksum corrected */
  const uint64_t bytes = size / 8 * 8;
  must(copy != NULL, "memory");
  memcpy(copy, data, size);
  memcpy(copy + 16, &bytes, sizeof bytes);
  const uint64_t sum = grid_blob_checksum(copy, bytes);
  memcpy(copy + 8 * (size_t)GRID_BLOB_CHECKSUM, &sum, sizeof sum);
  take(copy, size, NULL);
  take(copy, size, twelve);
  free(copy);
  return 0;
}
