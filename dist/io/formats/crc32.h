/* The CRC-32 of zip, gzip and zlib, of bytes that lie on all processes one behind the other: the same however
 * many processes they lie on. */
#ifndef GRID_CRC32_H
#define GRID_CRC32_H
#include "dist/grid/process_grid.h"

/* Of n bytes, going on from `crc`; 0 at first. Local. */
uint32_t grid_crc(uint32_t crc, const void *p, uint64_t n);
/* *crc, of what comes before, goes on over every process's bytes, in their order: of this one's, `own` is the
 * CRC and `bytes` the number. Collective, agreed on. */
GrB_Info grid_crc_concatenate(uint32_t *crc, uint32_t own, uint64_t bytes);
#endif
