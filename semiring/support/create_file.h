/* Creating files. A new file never is one that is there, and is not written where a link of its name leads:
 * others may be able to write to the folder. */
#ifndef GRID_CREATE_FILE_H
#define GRID_CREATE_FILE_H
#include <sys/types.h>

/* Opens a new file `name` in `folder` (as for openat: AT_FDCWD, or one that is open) for reading and writing,
 * of the rights `mode` less the umask; -1 with errno (EEXIST: the name is in use, by a link perhaps). */
int grid_create_file(int folder, const char *name, mode_t mode);
/* As that, with letters in place of the last six bytes of `name`, so that it is new; on failure name is "".
 */
int grid_create_unique(int folder, char *name, mode_t mode);
/* Opens `path` for writing: a new file takes the place of a regular file or a link to one; a device or a pipe
 * is written as it is. */
int grid_create_replacement(const char *path, mode_t mode);
#endif
