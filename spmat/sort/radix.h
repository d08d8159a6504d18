/* Sorting what fits the cache: keys with their loads, stably, by digits from the least significant on. */
#ifndef GRID_RADIX_H
#define GRID_RADIX_H
#include <stddef.h>
#include <stdint.h>

/* Sorts n keys in place, and their loads of `size` bytes (0, 4 or 8) with them. All keys are at least base,
 * and their lowest `sorted` bits ascend already where the others are equal. tmp_key, tmp_load: room for as
 * many. More than the cache holds are first split by their highest digit. */
void grid_radix_sort(uint64_t *key, char *load, uint64_t n, size_t size, uint64_t base, int sorted,
                     uint64_t *tmp_key, char *tmp_load);
#endif
