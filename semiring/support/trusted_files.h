/* Opens files whose contents this process executes: directories and files that nobody but those whom the
 * caller trusts can have written. The check is on what was opened, not on a path, which may change. */
#ifndef GRID_TRUSTED_FILES_H
#define GRID_TRUSTED_FILES_H
#include <stdbool.h>
#include <stddef.h>

/* Who may have written a file. */
typedef enum {
  GRID_TRUST_USER,   /* this user */
  GRID_TRUST_ROOT,   /* ... and root */
  GRID_TRUST_LIBRARY /* ... and all who can write to the library's own folder, and so replace the library */
} grid_trust;

/* Opens the directory at `path` for openat (O_PATH). Nobody else may own it or write to it, and no directory
 * above may let others replace it. Each belongs to root or a trusted user, and is writable by others only if
 * sticky. Directories that contain the library's own are trusted with the library. make: creates missing
 * directories. -1: not opened; why (`capacity` bytes) has the untrusted directory, or "" if it does not
 * exist. */
int grid_trusted_folder(const char *path, bool make, grid_trust trust, char *why, size_t capacity);
/* Opens a regular file in it for reading, owned as above and writable by nobody else; -1: none. */
int grid_trusted_file(int folder, const char *name, grid_trust trust);
/* Is there such a file in such a directory? Then nobody else can replace it before it is opened. */
bool grid_is_trusted_path(const char *path, grid_trust trust);
#endif
