/* Scatters tuples into bins, with all threads, in tuple order within a bin. Each thread collects a bin's
 * tuples in a buffer of one cache line and writes full lines by streaming stores. So as many bins as the
 * cache has room for cost little more than a copy. */
#ifndef GRID_SCATTER_BINS_H
#define GRID_SCATTER_BINS_H
#include "semiring/semiring.h"

/* Tuples that are read in blocks: by any thread, in any order, possibly more than once. A tuple gives a key,
 * a load that moves with it (a value, or a position), and a bin unless its bin follows from the key. */
typedef struct grid_source grid_source;
struct grid_source {
  uint64_t n;     /* tuple numbers are 0 .. n - 1 */
  uint64_t times; /* the most tuples that a number gives: 1 or 2 */
  /* Writes the tuples of numbers [from, to), to - from <= GRID_BLOCK, in order, and returns how many. bin and
   * load are NULL where they are not needed. */
  uint64_t (*read)(const grid_source *s, uint64_t from, uint64_t to, uint64_t *key, uint32_t *bin,
                   char *load);
  const void *context;
};
enum { GRID_BLOCK = 512 }; /* a block stays in the first-level cache */

/* The bin of a key: of[(key - base) >> shift]; without `of`: (key - base) >> shift (by_key), or as the source
 * says. */
typedef struct {
  const uint16_t *of;
  uint64_t base;
  int shift;
  bool by_key;
} grid_bin_rule;

/* Stretches: ranges of consecutive tuple numbers, each counted and scattered by one thread. There are enough
 * of them that 32 bits count a stretch's tuples. */
uint64_t grid_bin_stretches(const grid_source *s);

/* count[t * bins + b] = tuples of stretch t in bin b, without `of`. count is zero before. */
void grid_bin_count(const grid_source *s, uint64_t stretches, const grid_bin_rule *rule, uint64_t bins,
                    uint32_t *count);

/* Where tuples are stored. Both arrays come from grid_malloc. */
typedef struct {
  void *key;
  size_t key_size; /* 8, or 4: the lowest 32 bits of keys are stored */
  char *load;
  size_t load_size; /* 0, 4 or 8 */
} grid_bin_output;

/* Scatters. next[t * bins + b]: the position of stretch t's first tuple in bin b; afterwards one past its
 * last. */
GrB_Info grid_bin_scatter(const grid_source *s, uint64_t stretches, const grid_bin_rule *rule, uint64_t bins,
                          uint64_t *next, const grid_bin_output *to);
#endif
