/* The transpose of a matrix on several processes, in host memory. The block of process (i, j) has row chunks
 * m R + i and column chunks j R + i' (layout.h). Entries in one of each go to process (i', m), so every
 * process sends one segment to each. Rows of the transpose are sent in ranges that fit the cache. An entry is
 * a key: its row within the range, and its column within its chunk. */
#ifndef GRID_TRANSPOSE_EXCHANGE_H
#define GRID_TRANSPOSE_EXCHANGE_H
#include "dist/matrix/matrix.h"

/* Is A large enough for arrays over all rows and columns of a block? The same on all processes. */
bool grid_transpose_exchange_applies(GrB_Matrix A);
/* The rows of t, which is empty and has the dimensions of a block of A's transpose. A has rows in one block,
 * on the host; a process has one value of all entries only if all have. On failure the caller frees t.
 * Collective, agreed on. */
GrB_Info grid_transpose_exchange(GrB_Matrix A, grid_local_matrix *t);

typedef struct {
  int col_bits, range_bits; /* a key: row << col_bits | column; rows of a range: 2^range_bits */
  uint64_t ranges;          /* of a chunk */
  size_t key_size, val_size;
} grid_transpose_keys;

typedef struct {
  grid_transpose_keys keys;
  uint64_t nrows, ncols; /* of A */
  uint64_t n;            /* entries */
  uint64_t *start;       /* of each process: of its ranges, and the end of the last */
  void *key;
  char *val;
} grid_transpose_segments;

/* transpose_receive.c: the rows of t from what all processes have sent. Local. */
GrB_Info grid_transpose_receive(const grid_transpose_segments *x, grid_local_matrix *t);
#endif
