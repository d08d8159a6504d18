/* Opening what this process will run: a folder, and files in it, that only this user, or root, can have
 * written. What is checked is what was opened, not a path that may lead elsewhere a moment later. */
#ifndef GRID_TRUSTED_FILES_H
#define GRID_TRUSTED_FILES_H
#include <stdbool.h>
#include <stddef.h>

/* The folder at `path`, opened for openat (O_PATH). It is the user's (or_root: or root's), nobody else may
 * write to it, and no folder above it lets others replace what it holds: each is the user's or root's, and
 * written by others only if it is sticky. make: missing folders are made. -1: it cannot be opened, and why
 * (of `room` bytes) says which folder is not trusted; "" if it is not there. */
int grid_trusted_folder(const char *path, bool make, bool or_root, char *why, size_t capacity);
/* A regular file in it, opened for reading, owned as above and written by nobody else; -1: there is none. */
int grid_trusted_file(int folder, const char *name, bool or_root);
#endif
