/* Vertices sorted by a count, such as their degree. */
#ifndef GRID_SORT_BY_COUNT_H
#define GRID_SORT_BY_COUNT_H
#include <stdint.h>

/* order = the numbers 0 .. n - 1 in descending order of count, ties ascending. scratch: n numbers of memory.
 */
void grid_sort_by_count(uint32_t *order, uint32_t *scratch, const uint32_t *count, uint64_t n);
#endif
