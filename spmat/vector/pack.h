/* Packs the entries of a bitmap, with all threads where it is long or has many. */
#ifndef GRID_PACK_H
#define GRID_PACK_H
#include "spmat/vector/bound_operator.h"

/* Of the k-th of the `entries` set bits i < n of bits: z[k] = (z's type) x[i * xstep]. */
void grid_pack_values(void *z, const grid_copier *copy, const void *x, size_t xstep, const uint64_t *bits,
                      uint64_t n, uint64_t entries);
/* ... idx[k] = first + i. */
void grid_pack_indices(uint64_t *idx, uint64_t first, const uint64_t *bits, uint64_t n, uint64_t entries);
/* ... idx[k] = i, which 32 bits hold. */
void grid_pack_narrow_indices(uint32_t *idx, const uint64_t *bits, uint64_t n, uint64_t entries);
/* The same within one word: packs the values of size bytes at the bits of s; returns their number. */
size_t grid_pack_word(void *z, const void *x, uint64_t s, size_t size);
/* The reverse: stores the values at x at the bits of s in z; returns their number. */
size_t grid_unpack_word(void *z, const void *x, uint64_t s, size_t size);
#endif
