/* Dealing: tuples are dealt out to bins, each bin's in tuple order, by all threads. Each thread collects the
 * tuples of a bin in a line of the cache's own size and stores full lines past the cache, so that as many
 * bins as there is cache for cost little more than a copy. */
#ifndef GRID_SCATTER_BINS_H
#define GRID_SCATTER_BINS_H
#include "semiring/semiring.h"

/* Tuples that are read in blocks: by any thread, in any order, more than once. A tuple gives a key, a load
 * that travels with it (a value, or a position), and a bin if its bin is not told from its key. */
typedef struct grid_source grid_source;
struct grid_source {
  uint64_t n;     /* numbers of tuples: 0 .. n - 1 */
  uint64_t times; /* a number gives so many tuples at most: 1, or 2 */
  /* Writes the tuples of numbers [from, to), to - from <= GRID_BLOCK, in order, and returns how many. bin and
   * load are NULL where they are not wanted. */
  uint64_t (*read)(const grid_source *s, uint64_t from, uint64_t to, uint64_t *key, uint32_t *bin,
                   char *load);
  const void *context;
};
enum { GRID_BLOCK = 512 }; /* what is read stays in the first level of cache */

/* bin of a key: of[(key - base) >> shift]; without `of`: (key - base) >> shift (by_key), or as the source
 * says */
typedef struct {
  const uint16_t *of;
  uint64_t base;
  int shift;
  bool by_key;
} grid_bin_rule;

/* The tuples are cut into stretches of neighbouring numbers, each counted and dealt by one thread. At most so
 * many that 32 bits count one's tuples. */
uint64_t grid_bin_stretches(const grid_source *s);

/* count[t * bins + b] = tuples of stretch t in bin b, without `of`. count is zero before. */
void grid_bin_count(const grid_source *s, uint64_t stretches, const grid_bin_rule *rule, uint64_t bins,
                    uint32_t *count);

/* Where tuples go. Both arrays come from grid_malloc. */
typedef struct {
  void *key;
  size_t key_size; /* 8, or 4: of keys the lowest 32 bits are kept */
  char *load;
  size_t load_size; /* 0, 4 or 8 */
} grid_bin_output;

/* Deals. next[t * bins + b]: where stretch t's first tuple of bin b goes; at the end, where its next one
 * would. */
GrB_Info grid_bin_scatter(const grid_source *s, uint64_t stretches, const grid_bin_rule *rule, uint64_t bins,
                          uint64_t *next, const grid_bin_output *to);
#endif
