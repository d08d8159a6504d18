/* For test programs that start the library several times: MPI starts only once. No mpi.h. */
#ifndef GRID_START_MPI_H
#define GRID_START_MPI_H
#include <stdlib.h>

#include "dist/comm/mpi/mpi_library.h"
#include "dist/comm/mpi/mpi_table.h"

/* Starts MPI where a launcher has started the program, whichever MPI that is; false: no launcher. */
static inline bool start_mpi(void) {
  int level;
  if (!grid_mpi_wanted()) return false;
  if (grid_mpi_load(false) != GrB_SUCCESS || grid_mpi_calls->Init_thread(NULL, NULL, 0, &level) != 0) abort();
  return true;
}
static inline void stop_mpi(void) {
  grid_mpi_calls->Finalize();
}
#endif
