/* The CRC-32 of zip, gzip and zlib over bytes distributed over the processes in rank order; the result
 * does not depend on the distribution. */
#ifndef GRID_CRC32_H
#define GRID_CRC32_H
#include "dist/grid/process_grid.h"

/* The CRC of n more bytes after `crc` (0 at first). Local. */
uint32_t grid_crc(uint32_t crc, const void *p, uint64_t n);
/* Extends *crc by every process's bytes, in rank order; this process's `bytes` bytes have the CRC `local`.
 * Collective, agreed on. */
GrB_Info grid_crc_concatenate(uint32_t *crc, uint32_t local, uint64_t bytes);
#endif
