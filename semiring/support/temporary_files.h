/* The list of temporary files (see also gridblas.h). */
#ifndef GRID_TEMPORARY_FILES_H
#define GRID_TEMPORARY_FILES_H

#include <sys/types.h>

/* Grid_temporary_create for a file with rights `mode` less the umask. */
int grid_temporary_create(char *path, mode_t mode);

#endif
