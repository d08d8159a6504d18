/* Stable radix sort of keys with their loads, least significant digit first, for data that fits the cache. */
#ifndef GRID_RADIX_H
#define GRID_RADIX_H
#include <stddef.h>
#include <stdint.h>

/* Sorts n keys in place together with their loads of `size` bytes (0, 4 or 8). All keys are at least base.
 * Keys that are equal in the upper bits already ascend by their lowest `sorted` bits. tmp_key and tmp_load
 * have room for n elements. Data larger than the cache is first split by its highest digit. */
void grid_radix_sort(uint64_t *key, char *load, uint64_t n, size_t size, uint64_t base, int sorted,
                     uint64_t *tmp_key, char *tmp_load);
#endif
