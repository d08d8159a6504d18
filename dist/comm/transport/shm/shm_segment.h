/* Memory shared by the processes of one machine. Either all processes have it or none: the outcome is
 * agreed on. (Open MPI's MPI_Win_allocate_shared hangs or returns an invalid address if one process lacks
 * memory.) */
#ifndef GRID_SHM_SEGMENT_H
#define GRID_SHM_SEGMENT_H
#include <stdbool.h>
#include <stddef.h>

typedef struct {
  char *at; /* NULL: there is none */
  size_t bytes;
} grid_shm;

/* Allocates `areas` contiguous areas, each with `bytes` bytes per process of comm (address of an MPI_Comm,
 * all on this machine), in rank order. They are zeroed and aligned to huge pages, which they use where the
 * system has them. Each process allocates its own pages. Collective; the same answer everywhere. */
bool grid_shm_open(grid_shm *s, const void *comm, size_t areas, size_t bytes);
void grid_shm_close(grid_shm *s);
#endif
