/* Detects accidental changes of bytes. */
#ifndef GRID_CHECKSUM_H
#define GRID_CHECKSUM_H
#include <stdint.h>

/* Of a multiple of 8 bytes. Different seeds give different sums, so that exchanged segments are detected. */
uint64_t grid_checksum(const char *p, uint64_t bytes, uint64_t seed);
#endif
