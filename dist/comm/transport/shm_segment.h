/* Memory that processes of one machine share. Either all of them have it, or none: what one process lacks is
 * agreed on. (MPI_Win_allocate_shared of Open MPI does not return, or gives an address that is none, where
 * one process alone has no memory.) */
#ifndef GRID_SHM_SEGMENT_H
#define GRID_SHM_SEGMENT_H
#include <stdbool.h>
#include <stddef.h>

typedef struct {
  char *at; /* NULL: there is none */
  size_t bytes;
} grid_shm;

/* Makes `areas` areas one behind the other, in each of them `bytes` of every process of comm (address of an
 * MPI_Comm, all on this machine), in their order; all zero, from a page's start on. Each process takes the
 * memory of its own. Collective; all get the same answer. */
bool grid_shm_open(grid_shm *s, const void *comm, size_t areas, size_t bytes);
void grid_shm_close(grid_shm *s);
#endif
