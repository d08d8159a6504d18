/* The list of files that are being written (gridblas.h has the rest). */
#ifndef GRID_TEMPORARY_FILES_H
#define GRID_TEMPORARY_FILES_H

#include <sys/types.h>

/* Grid_temporary_create for a file of the rights `mode` less the umask. */
int grid_temporary_create(char *path, mode_t mode);

#endif
