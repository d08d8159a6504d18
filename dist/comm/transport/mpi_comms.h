/* The communicators of the grid, which mpi_init.c makes, and what transport_mpi.c is made of. */
#ifndef GRID_MPI_COMMS_H
#define GRID_MPI_COMMS_H

#include "dist/comm/mpi/mpi_calls.h"
#include "dist/comm/transport/heartbeat.h"
#include "dist/comm/transport/transport.h"
#include "semiring/threads/context_section.h"

extern struct grid_mpi_comms {
  MPI_Comm comm[GRID_NSETS]; /* of each set */
  MPI_Comm world;            /* duplicate of the caller's communicator */
  int world_rank, world_size, machine_rank, machine_size;
  int machine;               /* lowest rank in world of this machine's processes */
  grid_heartbeat *heartbeat; /* watches the processes of world; NULL: nothing does */
  uint64_t alltoallv_calls[GRID_NSETS];
} grid_default_mpi GRID_DECLARED_OF_CONTEXT;
#define grid_mpi GRID_IN_CONTEXT(grid_default_mpi)

/* MPI counts are ints, so longer messages are split into segments. */
#define GRID_MPI_SEGMENT ((size_t)1 << 30)

/* GrB_PANIC with MPI's error string, unless rc is MPI_SUCCESS. */
GrB_Info grid_mpi_check(int rc, const char *call);
/* Messages between all processes of a set; the local segment is copied. Collective over the set. */
GrB_Info grid_mpi_exchange(grid_set set, const void *sendbuf, const size_t *sendbytes, const size_t *sendoff,
                           void *recvbuf, const size_t *recvbytes, const size_t *recvoff);
#endif
