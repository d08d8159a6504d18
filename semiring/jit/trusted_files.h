/* Opens files whose contents this process executes: directories and files that only this user, or root,
 * can have written. The check is on what was opened, not on a path, which may change. */
#ifndef GRID_TRUSTED_FILES_H
#define GRID_TRUSTED_FILES_H
#include <stdbool.h>
#include <stddef.h>

/* Opens the directory at `path` for openat (O_PATH). It must be the user's (or_root: or root's), nobody
 * else may write to it, and no directory above may let others replace it: each is the user's or root's,
 * and writable by others only if sticky. make: creates missing directories. -1: not opened; why
 * (`capacity` bytes) has the untrusted directory, or "" if it does not exist. */
int grid_trusted_folder(const char *path, bool make, bool or_root, char *why, size_t capacity);
/* Opens a regular file in it for reading, owned as above and writable by nobody else; -1: none. */
int grid_trusted_file(int folder, const char *name, bool or_root);
#endif
