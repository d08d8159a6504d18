/* Where the bytes of pages are: in one file or, unit by unit in turn, in several, which lie on disks of their
 * own and are read side by side (docs/formats.md, "Several disks"). All of it is local, from any thread. */
#ifndef GRID_STRIPED_FILE_H
#define GRID_STRIPED_FILE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GRID_STORE_MAX_FILES = 16 };

typedef struct {
  int n, fd[GRID_STORE_MAX_FILES]; /* n 0: none is open */
  bool direct;                     /* O_DIRECT */
} grid_store;

/* The files that a path names: one, or several with commas between them if each name ends in ".pages".
 * name[k] has length[k] bytes of path. How many; 0: more than GRID_STORE_MAX_FILES. */
int grid_store_names(const char *path, const char *name[GRID_STORE_MAX_FILES],
                     size_t length[GRID_STORE_MAX_FILES]);

/* to = the name of file k of them, or of k less a multiple of how many there are; of no more bytes than path.
 * Its length; 0: there is none. */
size_t grid_store_name(char *to, const char *path, unsigned k);

/* Opens them as they are, or to be written. 0 or an errno: of the file *which. */
int grid_store_open(grid_store *s, const char *path, int flags, int *which);
void grid_store_close(grid_store *s);
/* The same files once more; an errno. */
int grid_store_copy(grid_store *to, const grid_store *s);
/* The same files, opened anew, and not O_DIRECT; an errno. */
int grid_store_reopen(grid_store *to, const grid_store *s);
/* Reads go by direct I/O from now on, where the file systems of all have that. */
void grid_store_use_direct_io(grid_store *s);

/* How many bytes there are; ENODATA: these files are not the units of one, or not in this order; ESPIPE: one
 * is no regular file. */
int grid_store_bytes(const grid_store *s, uint64_t *bytes);
/* From now on it has so many: zeros where nothing was written. */
int grid_store_truncate(const grid_store *s, uint64_t bytes);

/* Where byte `at` is: that file's `offset`, and so many bytes behind it are there, too. */
typedef struct {
  int fd;
  uint64_t offset, left;
} grid_store_location;
grid_store_location grid_store_find(const grid_store *s, uint64_t at);

/* As those of file_bytes.h. */
int grid_store_read(const grid_store *s, void *to, size_t n, uint64_t at);
int grid_store_write(const grid_store *s, const void *from, size_t n, uint64_t at);
#endif
