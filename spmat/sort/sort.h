/* Stable sort of tuples by key with all threads: they are scattered into ranges of keys that fit the cache
 * (scatter_bins.h), and each range is sorted there (radix.h). */
#ifndef GRID_SORT_H
#define GRID_SORT_H
#include <stdatomic.h>
#include <string.h>

#include "spmat/sort/scatter_bins.h"

/* Values up to this size move with their keys; of wider ones the tuple's number does. */
#define GRID_LOAD_MAX sizeof(uint64_t)
/* Bytes of a load, for n values of `size` bytes (0: none). */
static inline size_t grid_load_size(size_t size, uint64_t n) {
  if (size == 0) return 0;
  if (size <= GRID_LOAD_MAX) return size <= sizeof(uint32_t) ? sizeof(uint32_t) : sizeof(uint64_t);
  return n <= UINT32_MAX ? sizeof(uint32_t) : sizeof(uint64_t);
}
/* Stores a number as a load. */
static inline void grid_load_set(char *load, uint64_t k, size_t size, uint64_t number) {
  const uint32_t narrow = (uint32_t)number;
  if (size == sizeof narrow)
    memcpy(load + k * size, &narrow, sizeof narrow);
  else
    memcpy(load + k * size, &number, sizeof number);
}
static inline uint64_t grid_load_get(const char *load, uint64_t k, size_t size) {
  uint32_t narrow;
  uint64_t value64;
  if (size == sizeof narrow) {
    memcpy(&narrow, load + k * size, sizeof narrow);
    return narrow;
  }
  memcpy(&value64, load + k * size, sizeof value64);
  return value64;
}
/* The loads of tuples [from, to), whose values are values[from .. to), of `size` bytes each. */
void grid_load_values(char *load, size_t load_size, const char *values, size_t size, uint64_t from,
                      uint64_t to);

/* All tuples with keys in a range. */
typedef struct {
  uint64_t *key;
  char *load;
  uint64_t n;
  uint64_t distinct; /* number of distinct keys */
  uint64_t base;     /* no key is smaller */
  bool is_sorted;    /* the tuples arrived in order */
} grid_run;

typedef struct {
  uint64_t n;
  size_t size;   /* of a load: 0, 4 or 8 */
  grid_run *run; /* in ascending order; none is empty */
  uint64_t runs, capacity;
  void **block; /* the memory of all runs */
  uint64_t blocks;
} grid_sorted;

/* *to = the tuples in ascending order of their keys, which have `bits` bits; equal keys in tuple order. In
 * the source's order keys that are equal in the upper bits already ascend by their lowest `sorted` bits. If
 * *has_bad_index (may be NULL) is set after each tuple was read once, the answer is GrB_INVALID_INDEX,
 * without a message. The caller frees *to, except after an error. */
GrB_Info grid_sort_tuples(grid_sorted *to, const grid_source *s, size_t size, int bits, int sorted,
                          const atomic_bool *has_bad_index);
void grid_sorted_free(grid_sorted *s);

/* Tuples in segments, each sorted by range, that is, by key >> shift, in tuple order within a range. Range v
 * of segment p has the tuples start[v] .. start[v + 1] - 1 with start + p * (ranges + 1). Senders scatter
 * tuples like this, so that the receiver need not. */
typedef struct {
  uint64_t *key;     /* freed in every case */
  void *values;      /* freed, too, if loads hold them: up to GRID_LOAD_MAX bytes each */
  size_t value_size; /* 0: a pattern */
  uint64_t segments, ranges;
  int shift;
  const uint64_t *start;
} grid_binned;

/* For keys of `bits` bits that `to` processes get, about n each: the number of range bits that each is
 * scattered by. */
int grid_binned_bits(uint64_t n, uint64_t to, int bits);
/* Sorts as above; equal keys in order of segment. Beside the source another array of
 * the keys, then of the values, is taken. size: grid_load_size(d->value_size, ...). */
GrB_Info grid_sort_binned(grid_sorted *to, const grid_binned *d, size_t size);
#endif
