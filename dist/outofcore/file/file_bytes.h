/* All of so many bytes of a file, at a place. Local, from any thread. */
#ifndef GRID_FILE_BYTES_H
#define GRID_FILE_BYTES_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* 0 or an errno; ENODATA: the file ends before. */
int grid_bytes_read(int fd, void *to, size_t n, uint64_t at);
int grid_bytes_write(int fd, const void *from, size_t n, uint64_t at);
/* From now on bytes of that file go by direct I/O, or through it. False: they did already, or the
 * file system has no other way. */
bool grid_bytes_direct(int fd, bool direct);
#endif
