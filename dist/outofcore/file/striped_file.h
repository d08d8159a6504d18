/* The bytes of a page file: in one file, or striped over several on different disks, which are read in
 * parallel (docs/formats.md, "Several disks"). All functions are local, from any thread. */
#ifndef GRID_STRIPED_FILE_H
#define GRID_STRIPED_FILE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GRID_STORE_MAX_FILES = 16 };

typedef struct {
  int n, fd[GRID_STORE_MAX_FILES]; /* n = 0: not open */
  bool direct;                     /* O_DIRECT */
} grid_store;

/* The files that a path names: one, or several with commas between them if each name ends in ".pages".
 * name[k] has length[k] bytes of path. How many; 0: more than GRID_STORE_MAX_FILES. */
int grid_store_names(const char *path, const char *name[GRID_STORE_MAX_FILES],
                     size_t length[GRID_STORE_MAX_FILES]);

/* to = the name of file k modulo the number of files, in a buffer as long as path. Returns its length; 0:
 * too many files. */
size_t grid_store_name(char *to, const char *path, unsigned k);

/* Opens the files with the given flags. Returns 0 or an errno, of file *which. */
int grid_store_open(grid_store *s, const char *path, int flags, int *which);
void grid_store_close(grid_store *s);
/* Duplicates the descriptors; returns an errno. */
int grid_store_copy(grid_store *to, const grid_store *s);
/* Opens the same files again, without O_DIRECT; returns an errno. */
int grid_store_reopen(grid_store *to, const grid_store *s);
/* Switches reads to direct I/O if all file systems support it. */
void grid_store_use_direct_io(grid_store *s);

/* Total bytes; ENODATA: the sizes do not fit one striped store in this order; ESPIPE: one is not a regular
 * file. */
int grid_store_bytes(const grid_store *s, uint64_t *bytes);
/* Sets the total size; extends with zeros. */
int grid_store_truncate(const grid_store *s, uint64_t bytes);

/* Location of byte `at`: a file and its offset, with `left` contiguous bytes from there on. */
typedef struct {
  int fd;
  uint64_t offset, left;
} grid_store_location;
grid_store_location grid_store_find(const grid_store *s, uint64_t at);

/* As grid_bytes_read and grid_bytes_write in file_bytes.h. */
int grid_store_read(const grid_store *s, void *to, size_t n, uint64_t at);
int grid_store_write(const grid_store *s, const void *from, size_t n, uint64_t at);
#endif
