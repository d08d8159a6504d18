/* Radix sort of data that fits the cache; see radix.h. */
#include "spmat/sort/radix.h"

#include <stdbool.h>
#include <string.h>

enum {
  DIGIT = 11,      /* most bits of a digit */
  SPLIT = 8,       /* bits of the digit that splits data larger than the cache */
  SHORT_SORT = 24, /* up to this many keys: insertion sort */
  CACHE = 1 << 19  /* bytes of keys and loads; the passes alternate between two such buffers */
};

/* Keys and loads; passes go from one such pair of arrays to another. */
typedef struct {
  uint64_t *key;
  char *load;
} tuple_arrays;

static inline tuple_arrays advance(tuple_arrays p, uint64_t n, size_t size) {
  return (tuple_arrays){p.key + n, size ? p.load + n * size : p.load};
}

static inline __attribute__((always_inline)) void copy_element(tuple_arrays to, uint64_t at,
                                                               tuple_arrays from, uint64_t k,
                                                               const size_t size) {
  to.key[at] = from.key[k];
  if (size) memcpy(to.load + at * size, from.load + k * size, size);
}

static inline __attribute__((always_inline)) void insertion(tuple_arrays p, uint64_t n, const size_t size) {
  for (uint64_t k = 1; k < n; k++) {
    const uint64_t key = p.key[k];
    char load[8];
    uint64_t at = k;
    if (size) memcpy(load, p.load + k * size, size);
    for (; at > 0 && p.key[at - 1] > key; at--) copy_element(p, at, p, at - 1, size);
    p.key[at] = key;
    if (size) memcpy(p.load + at * size, load, size);
  }
}

static void copy(tuple_arrays to, tuple_arrays from, uint64_t n, size_t size) {
  memcpy(to.key, from.key, n * sizeof *to.key);
  if (size) memcpy(to.load, from.load, n * size);
}

/* Turns counts into positions. */
static void prefix_sum(uint32_t *count, uint32_t n) {
  uint32_t sum = 0;
  for (uint32_t d = 0; d < n; d++) {
    const uint32_t c = count[d];
    count[d] = sum;
    sum += c;
  }
}

/* One pass by the digit at `shift`, from one buffer to the other. */
static inline __attribute__((always_inline)) void pass(tuple_arrays to, tuple_arrays from, uint64_t n,
                                                       uint64_t base, int shift, uint64_t mask, uint32_t *at,
                                                       const size_t size) {
  for (uint64_t k = 0; k < n; k++)
    copy_element(to, at[(from.key[k] - base) >> shift & mask]++, from, k, size);
}

/* Sorts by the lowest `bits` bits of key - base; n keys fit the cache. The result is in `home`, one of the
 * two buffers. */
static inline __attribute__((always_inline)) void sort_digits(tuple_arrays from, tuple_arrays other,
                                                              uint64_t n, uint64_t base, int low, int bits,
                                                              bool in_place, const size_t size) {
  enum { MAX_DIGITS = 1 << DIGIT, PASSES = 64 / 6 + 1 };
  uint32_t count[PASSES][MAX_DIGITS];
  int widest = 6;
  while (widest < DIGIT && n >> (widest + 2)) widest++; /* no more digits' counts than there are keys */
  const int passes = (bits - low + widest - 1) / widest,
            width = passes ? (bits - low + passes - 1) / passes : 0;
  const uint64_t mask = (UINT64_C(1) << width) - 1;
  for (int p = 0; p < passes; p++) memset(count[p], 0, sizeof(uint32_t) << width);
  for (uint64_t k = 0; k < n; k++) {
    const uint64_t key = (from.key[k] - base) >> low;
    for (int p = 0; p < passes; p++) count[p][key >> (p * width) & mask]++;
  }
  for (int p = 0; p < passes; p++) {
    const uint64_t first_digit = (from.key[0] - base) >> (low + p * width) & mask;
    if (count[p][first_digit] == n) continue; /* all keys have the same digit */
    prefix_sum(count[p], (uint32_t)mask + 1);
    pass(other, from, n, base, low + p * width, mask, count[p], size);
    const tuple_arrays swap = from;
    from = other;
    other = swap;
    in_place = !in_place;
  }
  if (!in_place) copy(other, from, n, size);
}

static inline __attribute__((always_inline)) void sort_in_place(tuple_arrays from, tuple_arrays other,
                                                                uint64_t n, uint64_t base, int low, int bits,
                                                                bool in_place, const size_t size) {
  if (n > SHORT_SORT) {
    sort_digits(from, other, n, base, low, bits, in_place, size);
    return;
  }
  insertion(from, n, size);
  if (!in_place) copy(other, from, n, size);
}

/* Scatters by the digit at `shift`; start[d] = where digit d begins. */
static inline __attribute__((always_inline)) void split(tuple_arrays to, tuple_arrays from, uint64_t n,
                                                        uint64_t base, int shift,
                                                        uint64_t start[(1 << SPLIT) + 1], const size_t size) {
  uint64_t at[1 << SPLIT] = {0}, sum = 0;
  for (uint64_t k = 0; k < n; k++) at[(from.key[k] - base) >> shift & ((1 << SPLIT) - 1)]++;
  for (int d = 0; d < 1 << SPLIT; d++) {
    start[d] = sum;
    sum += at[d];
    at[d] = start[d];
  }
  start[1 << SPLIT] = sum;
  for (uint64_t k = 0; k < n; k++)
    copy_element(to, at[(from.key[k] - base) >> shift & ((1 << SPLIT) - 1)]++, from, k, size);
}

/* Functions compiled for each size of a load. */
typedef struct {
  void (*sort)(tuple_arrays from, tuple_arrays other, uint64_t n, uint64_t base, int low, int bits,
               bool in_place);
  void (*split)(tuple_arrays to, tuple_arrays from, uint64_t n, uint64_t base, int shift,
                uint64_t start[(1 << SPLIT) + 1]);
} sized;

#define SIZED(SIZE)                                                                                  \
  static void sort_##SIZE(tuple_arrays from, tuple_arrays other, uint64_t n, uint64_t base, int low, \
                          int bits, bool in_place) {                                                 \
    sort_in_place(from, other, n, base, low, bits, in_place, SIZE);                                  \
  }                                                                                                  \
  static void split_##SIZE(tuple_arrays to, tuple_arrays from, uint64_t n, uint64_t base, int shift, \
                           uint64_t start[(1 << SPLIT) + 1]) {                                       \
    split(to, from, n, base, shift, start, SIZE);                                                    \
  }
SIZED(0)
SIZED(4)
SIZED(8)

/* Sorts `from` by the lowest bits of key - base; the result is there (in_place) or in `other`. */
static void sort(const sized *do_it, tuple_arrays from, tuple_arrays other, uint64_t n, uint64_t base,
                 int low, int bits, bool in_place, size_t size) {
  if (n * (sizeof *from.key + size) <= CACHE || bits - low <= SPLIT) {
    do_it->sort(from, other, n, base, low, bits, in_place);
    return;
  }
  uint64_t start[(1 << SPLIT) + 1];
  do_it->split(other, from, n, base, bits - SPLIT, start);
  for (int d = 0; d < 1 << SPLIT; d++)
    if (start[d + 1] > start[d])
      sort(do_it, advance(other, start[d], size), advance(from, start[d], size), start[d + 1] - start[d],
           base, low, bits - SPLIT, !in_place, size);
}

static int bits_of(const uint64_t *key, uint64_t n, uint64_t base) {
  uint64_t any = 0;
  for (uint64_t k = 0; k < n; k++) any |= key[k] - base;
  return any ? 64 - __builtin_clzll(any) : 0;
}

static bool is_sorted(const uint64_t *key, uint64_t n) {
  uint64_t k = 1;
  while (k < n && key[k - 1] <= key[k]) k++;
  return k >= n;
}

void grid_radix_sort(uint64_t *key, char *load, uint64_t n, size_t size, uint64_t base, int sorted,
                     uint64_t *tmp_key, char *tmp_load) {
  static const sized of[] = {{sort_0, split_0}, {sort_4, split_4}, {sort_8, split_8}};
  if (is_sorted(key, n)) return;
  sort(&of[size / 4], (tuple_arrays){key, load}, (tuple_arrays){tmp_key, tmp_load}, n, base, sorted,
       bits_of(key, n, base), true, size);
}
