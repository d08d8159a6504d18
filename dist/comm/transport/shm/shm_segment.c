/* See shm_segment.h. A file in /dev/shm, unlinked once all processes have opened it. */
#include "dist/comm/transport/shm/shm_segment.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "dist/comm/mpi/mpi_calls.h"
#include "semiring/support/create_file.h"

/* Allocates the pages: with too little memory a later write would raise SIGBUS. */
static bool reserve(int file, size_t at, size_t bytes) {
  int error;
  while ((error = posix_fallocate(file, (off_t)at, (off_t)bytes)) == EINTR) continue;
  return error == 0;
}

/* Allocates this process's bytes in each area and maps the whole file. False on failure. */
static bool map(grid_shm *s, int file, size_t areas, size_t bytes, size_t rank, size_t size) {
  if (file < 0) return false;
  for (size_t a = 0; a < areas; a++)
    if (!reserve(file, (a * size + rank) * bytes, bytes)) return false;
  void *at = mmap(NULL, s->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (at == MAP_FAILED) return false;
  s->at = at;
  return true;
}

bool grid_shm_open(grid_shm *s, const void *comm, size_t areas, size_t bytes) {
  const MPI_Comm all = *(const MPI_Comm *)comm;
  char name[] = "/dev/shm/gridblas-XXXXXX";
  int rank, size, file = -1, mapped, all_mapped = 0;
  MPI_Comm_rank(all, &rank);
  MPI_Comm_size(all, &size);
  *s = (grid_shm){NULL, areas * (size_t)size * bytes};
  if (rank == 0) file = grid_create_unique(AT_FDCWD, name, 0600);
  if (MPI_Bcast(name, sizeof name, MPI_CHAR, 0, all) != MPI_SUCCESS) name[0] = '\0';
  if (rank > 0 && name[0]) file = open(name, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
  mapped = map(s, file, areas, bytes, (size_t)rank, (size_t)size);
  if (MPI_Allreduce(&mapped, &all_mapped, 1, MPI_INT, MPI_MIN, all) != MPI_SUCCESS) all_mapped = 0;
  if (rank == 0 && name[0]) unlink(name);
  if (file >= 0) close(file);
  if (!all_mapped) grid_shm_close(s);
  return all_mapped;
}

void grid_shm_close(grid_shm *s) {
  if (s->at) munmap(s->at, s->bytes);
  *s = (grid_shm){NULL, 0};
}
