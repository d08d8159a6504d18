/* Where files are that are installed with the library: relative to the library or program that contains this
 * code, or in the configured installation folder. Relative means beside it, one or two levels up, as in a
 * build tree, or gridblas/NAME in the library folder, once installed. All are tried, since another may have
 * such a name. */
#ifndef GRID_INSTALLED_FILES_H
#define GRID_INSTALLED_FILES_H
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "semiring/support/trusted_files.h"

/* The real path of the directory of the library or program that contains this code. */
bool grid_library_folder(char to[PATH_MAX]);
/* to: the k-th path of that name, which may not exist, or ""; false: no more. The first is beside the library
 * or program. *trust: who may have written what is there. */
bool grid_installed_path(size_t k, const char *name, char *to, size_t capacity, grid_trust *trust);
#endif
