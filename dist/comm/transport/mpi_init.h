/* Starting and stopping MPI for the grid; the only header besides transport_mpi.c that knows MPI is there. */
#ifndef GRID_MPI_INIT_H
#define GRID_MPI_INIT_H
#include "dist/comm/transport/transport.h"

/* Was this program started by an MPI launcher, or has it initialised MPI itself? */
bool grid_mpi_wanted(void);
/* Initialises MPI if need be and duplicates comm (address of an MPI_Comm; NULL: MPI_COMM_WORLD). Gives rank,
 * size, and this process's number among those on this machine and how many they are. */
GrB_Info grid_mpi_open(const void *comm, int *rank, int *size, int *local_rank, int *local_size);
/* Cuts the communicator into rows and columns: this process is (i, j), number k of the grid. */
GrB_Info grid_mpi_split(int i, int j, int k);
/* Address of the MPI_Comm of all processes, between grid_mpi_split and the end. */
const void *grid_mpi_comm(void);
/* Frees the communicators; if grid_mpi_open initialised MPI, it is finalised when the program ends. */
void grid_mpi_close(void);
#endif
