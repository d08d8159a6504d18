/* Sorting tuples by key with all threads, stably: they are dealt out to ranges of keys that fit the cache
 * (scatter_bins.h), and each is sorted there (radix.h). */
#ifndef GRID_SORT_H
#define GRID_SORT_H
#include <stdatomic.h>
#include <string.h>

#include "spmat/sort/scatter_bins.h"

/* Values of so many bytes travel with their keys; of wider ones the number of the tuple travels. */
#define GRID_LOAD_MAX sizeof(uint64_t)
/* Bytes of a load: of values of `size` bytes (0: none), n in all. */
static inline size_t grid_load_size(size_t size, uint64_t n) {
  if (size == 0) return 0;
  if (size <= GRID_LOAD_MAX) return size <= sizeof(uint32_t) ? sizeof(uint32_t) : sizeof(uint64_t);
  return n <= UINT32_MAX ? sizeof(uint32_t) : sizeof(uint64_t);
}
/* Numbers as loads. */
static inline void grid_load_set(char *load, uint64_t k, size_t size, uint64_t number) {
  const uint32_t narrow = (uint32_t)number;
  if (size == sizeof narrow)
    memcpy(load + k * size, &narrow, sizeof narrow);
  else
    memcpy(load + k * size, &number, sizeof number);
}
static inline uint64_t grid_load_get(const char *load, uint64_t k, size_t size) {
  uint32_t narrow;
  uint64_t wide_value;
  if (size == sizeof narrow) {
    memcpy(&narrow, load + k * size, sizeof narrow);
    return narrow;
  }
  memcpy(&wide_value, load + k * size, sizeof wide_value);
  return wide_value;
}
/* The loads of tuples [from, to), whose values are values[from .. to) of `size` bytes each. */
void grid_load_values(char *load, size_t load_size, const char *values, size_t size, uint64_t from,
                      uint64_t to);

/* Neighbours in the order: all tuples with keys in a range. */
typedef struct {
  uint64_t *key;
  char *load;
  uint64_t n;
  uint64_t distinct; /* keys */
  uint64_t base;     /* no key is smaller */
  bool is_sorted;    /* they were in order as they came */
  /* those of a grid_binned that it is made of: [first, last); none: it is filled */
  uint64_t first, last;
} grid_run;

typedef struct {
  uint64_t n;
  size_t size;   /* of a load: 0, 4 or 8 */
  grid_run *run; /* ascending; none is empty */
  uint64_t runs, capacity;
  void **block; /* the memory of all runs */
  uint64_t blocks;
} grid_sorted;

/* *to = the tuples in order of their keys, which have `bits` bits; equal ones in tuple order. In source order
 * the lowest `sorted` bits ascend already where the others are equal. *has_bad_index (may be NULL) is looked
 * at after each tuple was read once: if it is set, the answer is GrB_INVALID_INDEX, without a text. To be
 * freed, not after an error. */
GrB_Info grid_sort_tuples(grid_sorted *to, const grid_source *s, size_t size, int bits, int sorted,
                          const atomic_bool *has_bad_index);
void grid_sorted_free(grid_sorted *s);

/* Tuples in segments, each in order of range: those whose key >> shift is v, in tuple order, are number
 * start[v] .. start[v + 1] - 1, of segment p with start + p * (ranges + 1). Whoever sends tuples deals them
 * so, and the receiver need not deal them again. */
typedef struct {
  uint64_t *key; /* taken over, and freed in every case */
  const char *values;
  size_t value_size; /* 0: a pattern */
  uint64_t segments, ranges;
  int shift;
  const uint64_t *start;
} grid_binned;

/* Keys of `bits` bits that `to` processes get, about n each: they are dealt to 2^(the answer) ranges each. */
int grid_binned_bits(uint64_t n, uint64_t to, int bits);
/* Sorts as above; equal keys in order of segment. size: grid_load_size(d->value_size, ...). */
GrB_Info grid_sort_binned(grid_sorted *to, const grid_binned *d, size_t size);
#endif
