/* Point-to-point messages of any length (mpi_comms.h). */
#include <string.h>

#include "dist/comm/transport/mpi_comms.h"
#include "dist/comm/transport/waits.h"

GrB_Info grid_mpi_exchange(grid_set set, const void *sendbuf, const size_t *sendbytes, const size_t *sendoff,
                           void *recvbuf, const size_t *recvbytes, const size_t *recvoff) {
  enum { TAG = 11, BATCH = GRID_MPI_MAX_REQUESTS };
  int size, rank;
  MPI_Comm comm = grid_mpi.comm[set];
  MPI_Comm_size(comm, &size);
  MPI_Comm_rank(comm, &rank);
  if (sendbytes[rank])
    memcpy((char *)recvbuf + recvoff[rank], (const char *)sendbuf + sendoff[rank], sendbytes[rank]);
  GrB_Info info = GrB_SUCCESS;
  /* Rounds of one segment to and from each of up to BATCH / 2 partners: no allocation, bounded requests. */
  for (int first = 1; first < size; first += BATCH / 2) {
    int last = first + BATCH / 2 < size ? first + BATCH / 2 : size;
    bool more = true;
    for (size_t at = 0; more; at += GRID_MPI_SEGMENT) {
      MPI_Request request[BATCH];
      int n = 0;
      more = false;
      for (int d = first; d < last; d++) {
        int from = (rank - d + size) % size, to = (rank + d) % size;
        if (recvbytes[from] > at) {
          size_t m = recvbytes[from] - at < GRID_MPI_SEGMENT ? recvbytes[from] - at : GRID_MPI_SEGMENT;
          more = more || recvbytes[from] - at > GRID_MPI_SEGMENT;
          int rc =
              MPI_Irecv((char *)recvbuf + recvoff[from] + at, (int)m, MPI_BYTE, from, TAG, comm, &request[n]);
          if (rc == MPI_SUCCESS)
            n++;
          else
            info = grid_mpi_check(rc, "MPI_Irecv");
        }
        if (sendbytes[to] > at) {
          size_t m = sendbytes[to] - at < GRID_MPI_SEGMENT ? sendbytes[to] - at : GRID_MPI_SEGMENT;
          more = more || sendbytes[to] - at > GRID_MPI_SEGMENT;
          int rc = MPI_Isend((const char *)sendbuf + sendoff[to] + at, (int)m, MPI_BYTE, to, TAG, comm,
                             &request[n]);
          if (rc == MPI_SUCCESS)
            n++;
          else
            info = grid_mpi_check(rc, "MPI_Isend");
        }
      }
      int rc = grid_wait_for_requests(n, request);
      if (rc != MPI_SUCCESS) info = grid_mpi_check(rc, "MPI_Waitall");
    }
  }
  return info;
}
