/* checksum.h: tells bytes that were changed by accident. */
#ifndef GRID_CHECKSUM_H
#define GRID_CHECKSUM_H
#include <stdint.h>

/* Of a multiple of 8 bytes; another seed gives another sum, so that segments which change places are seen. */
uint64_t grid_checksum(const char *p, uint64_t bytes, uint64_t seed);
#endif
