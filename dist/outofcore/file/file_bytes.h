/* Reads or writes exactly n bytes of a file at an offset. Local, from any thread. */
#ifndef GRID_FILE_BYTES_H
#define GRID_FILE_BYTES_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* 0 or an errno; ENODATA: the file ends before. */
int grid_bytes_read(int fd, void *to, size_t n, uint64_t at);
int grid_bytes_write(int fd, const void *from, size_t n, uint64_t at);
/* Turns direct I/O of the file on or off. False: unchanged, or not supported. */
bool grid_bytes_direct(int fd, bool direct);
#endif
