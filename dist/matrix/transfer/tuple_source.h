/* The tuples that a matrix is built of, read where the program has them: checked, mirrored, and as the tuples
 * of the blocks that hold them. */
#ifndef GRID_TUPLE_SOURCE_H
#define GRID_TUPLE_SOURCE_H
#include "dist/matrix/matrix.h"
#include "spmat/matrix/lmat_build.h"

/* Where the indices of one dimension lie: in chunk v / q, by shift or multiplication, or, where cuts are
 * uneven, in that which v is found in. Of each chunk: what it adds to the number of the process, and to v to
 * make it a local index. */
typedef struct {
  uint64_t n;
  int shift;
  __extension__ unsigned __int128 times; /* 0: v >> shift */
  const grid_partition *partition;       /* NULL: even */
  uint32_t *process;
  uint64_t *local;
} grid_spread;

typedef struct grid_build_source grid_build_source;
struct grid_build_source {
  const grid_build *b;
  int col_bits;     /* a key is row << col_bits | column in its block, */
  bool numbers;     /* or else tuple number << 1 | mirrored */
  size_t load_size; /* loads as grid_load_values makes them; 0: none */
  /* a tuple's bin is its process << range_bits | its range, the highest bits of its key */
  int range_bits, range_shift;
  grid_spread row, col;
  uintptr_t context; /* of the thread that made it: others read it (semiring/threads/context_section.h) */
  atomic_bool *has_bad_index; /* set when a tuple lies outside the matrix */
  /* keys, bins and, in number, which tuple gave them: what is compiled for this grid, chunks, and mirroring
   */
  uint64_t (*read)(const grid_build_source *x, uint64_t from, uint64_t to, uint64_t *key, uint32_t *bin,
                   uint16_t *number);
};

/* size: bytes of a value that travels as a load, or whose number does; 0: none. Local. */
GrB_Info grid_build_source_make(grid_build_source *x, GrB_Matrix A, const grid_build *b, int col_bits,
                                bool numbers, size_t size, atomic_bool *has_bad_index);
/* The keys, of `bits` bits, are to be dealt to 2^range_bits ranges in each process. */
void grid_build_source_ranges(grid_build_source *x, int bits, int range_bits);
void grid_build_source_free(grid_build_source *x);
/* It as a source. Where each process keeps its own tuples, all bins are 0. */
grid_source grid_build_source_read(const grid_build_source *x);
/* Local row and column of what a number stands for. */
grid_pair grid_build_source_pair(const grid_build_source *x, uint64_t number);
#endif
