/* Creates files safely where others may write to the directory: never opens an existing file, never
 * follows a link. */
#ifndef GRID_CREATE_FILE_H
#define GRID_CREATE_FILE_H
#include <sys/types.h>

/* Creates and opens file `name` in directory `folder` (as for openat: AT_FDCWD, or an open directory) for
 * reading and writing, with rights `mode` less the umask. Returns -1 with errno (EEXIST: the name exists,
 * possibly as a link). */
int grid_create_file(int folder, const char *name, mode_t mode);
/* The same with the last six bytes of `name` replaced by random letters; on failure name is "". */
int grid_create_unique(int folder, char *name, mode_t mode);
/* Opens `path` for writing: a regular file, or a link to one, is replaced by a new file; a device or a
 * pipe is opened as it is. */
int grid_create_replacement(const char *path, mode_t mode);
#endif
