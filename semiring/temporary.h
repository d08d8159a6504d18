/* The list of files that are being written (gridblas.h has the rest). */
#ifndef GRID_TEMPORARY_H
#define GRID_TEMPORARY_H

/* `path`, which was just created, is one until Grid_temporary_drop. From any thread. */
void grid_temporary_add(const char *path);

#endif
