/* See shm_segment.h. A file in /dev/shm, unlinked once all processes have opened it. */
#include "dist/comm/transport/shm/shm_segment.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
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

/* ---- huge pages ---- */

/* Linux gives shared memory small pages by default, but huge ones on this request (since 6.1). */
#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif
#define HUGE_PAGE ((size_t)2 << 20)
/* A size that pages divide. */
#define PAGE ((size_t)64 << 10)

/* Maps the file where huge pages begin; `bytes`: a multiple of PAGE. NULL on failure. */
static char *map_aligned(int file, size_t bytes) {
  char *all = mmap(NULL, bytes + HUGE_PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED) return NULL;
  const size_t front = (HUGE_PAGE - (uintptr_t)all % HUGE_PAGE) % HUGE_PAGE;
  if (mmap(all + front, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED) {
    munmap(all, bytes + HUGE_PAGE);
    return NULL;
  }
  if (front) munmap(all, front);
  munmap(all + front + bytes, HUGE_PAGE - front);
  return all + front;
}

/* Scattered reads of a long vector then miss the TLB less. Where there are none, the small pages remain. A
 * huge page replaces the small ones that it covers: one is allocated, since Linux makes none of no page. */
static void use_huge_pages(const grid_shm *s, int file, size_t at, size_t bytes) {
  const size_t first = (at + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE, whole = s->bytes / HUGE_PAGE * HUGE_PAGE;
  size_t k = first;
  while (k < at + bytes && k < whole && reserve(file, k, 1)) k += HUGE_PAGE;
  if (first < k) (void)madvise(s->at + first, k - first, MADV_COLLAPSE);
}

/* ---- open and close ---- */

/* Maps the whole file, and allocates this process's bytes in each area. False on failure. */
static bool map(grid_shm *s, int file, size_t areas, size_t bytes, size_t rank, size_t size) {
  if (file < 0 || ftruncate(file, (off_t)s->bytes) != 0) return false;
  s->at = map_aligned(file, s->bytes);
  bool mapped = s->at != NULL;
  for (size_t a = 0; mapped && a < areas; a++) {
    const size_t at = (a * size + rank) * bytes;
    use_huge_pages(s, file, at, bytes);
    mapped = reserve(file, at, bytes);
  }
  return mapped;
}

bool grid_shm_open(grid_shm *s, const void *comm, size_t areas, size_t bytes) {
  const MPI_Comm all = *(const MPI_Comm *)comm;
  char name[] = "/dev/shm/gridblas-XXXXXX";
  int rank, size, file = -1, mapped, all_mapped = 0;
  MPI_Comm_rank(all, &rank);
  MPI_Comm_size(all, &size);
  *s = (grid_shm){NULL, (areas * (size_t)size * bytes + PAGE - 1) / PAGE * PAGE};
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
