/* Starts and stops MPI for the grid. MPI types stay out of this header. */
#ifndef GRID_MPI_INIT_H
#define GRID_MPI_INIT_H
#include "dist/comm/transport/transport.h"

/* Loads and initialises MPI if necessary and duplicates comm (address of an MPI_Comm of the program; NULL:
 * MPI_COMM_WORLD). Gives
 * rank and size, and the rank and number of the communicator's processes on this machine. A second call
 * before grid_mpi_close gives them again, or changes to another communicator. */
GrB_Info grid_mpi_open(const void *comm, int *rank, int *size, int *local_rank, int *local_size);
/* May several threads be in calls of MPI at once? After grid_mpi_open. */
bool grid_mpi_allows_threads(void);
/* The job's processes on this machine, of which other grids may hold some: they share its cores and memory.
 * 1 before grid_mpi_open. */
int grid_mpi_job_processes(void);
/* Splits the communicator into rows and columns: this process is (i, j), number k of the grid. */
GrB_Info grid_mpi_split(int i, int j, int k);
/* Address of the grid's MPI_Comm (mpi_calls.h), valid between grid_mpi_split and grid_mpi_close. */
const void *grid_mpi_comm(void);
/* Address of the MPI_Comm of this process's set. */
const void *grid_mpi_set_comm(grid_set set);
/* A number that processes share if they are on one machine. */
int grid_mpi_machine(void);
/* Frees the communicators. If grid_mpi_open initialised MPI, MPI is finalised at program exit. */
void grid_mpi_close(void);
#endif
