/* Finds MPI, which the library does not link, and the plug-in for it. The first of these decides:
 *   GRIDBLAS_MPI   openmpi, mpich, none, or the file of an MPI library or of a plug-in
 *   MPI in this process, which the program has linked or loaded
 *   the launcher, by the variables that it sets: its MPI is tried first, then the others. */
#ifndef GRID_MPI_LIBRARY_H
#define GRID_MPI_LIBRARY_H
#include <stdbool.h>

#include "GraphBLAS.h"

/* Was this program started by an MPI launcher, has it initialised MPI itself, or does GRIDBLAS_MPI name one?
 */
bool grid_mpi_wanted(void);
/* Opens MPI and the plug-in, which fills grid_mpi_calls; both stay. given: the program has passed a
 * communicator, so its MPI is in this process. A second call does nothing. Errors, worded: GrB_INVALID_VALUE
 * (GRIDBLAS_MPI, or a communicator without MPI), GrB_PANIC (no MPI or no plug-in can be opened). */
GrB_Info grid_mpi_load(bool given);
/* Has it been loaded, started and finalised? */
bool grid_mpi_is_finalized(void);
/* The processes that the launcher has started; 0: it does not say. */
int grid_mpi_launched(void);
#endif
