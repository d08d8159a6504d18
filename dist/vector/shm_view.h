/* A vector, or a part of it, in memory shared by the processes of a set, where they run on one machine. Each
 * writes its chunk and reads any of the others'. */
#ifndef GRID_SHM_VIEW_H
#define GRID_SHM_VIEW_H
#include "dist/vector/vector.h"

typedef struct {
  uint64_t *bits; /* NULL: every index holds an entry */
  char *val;      /* dense */
} grid_shm_view;

/* Allocates a view of a vector of length `all`, with values of `size` bytes (0: pattern only). full: all
 * chunks are full, the same on all processes of the set. false on all of them: no shared memory, or too
 * little. Collective over the set. The view is valid until this process takes part in the third later call
 * of this kind, or other long exchange of the set. */
bool grid_shm_view_reserve(grid_shm_view *z, grid_set set, uint64_t all, size_t size, bool full);
/* Writes chunk x at `offset`, a multiple of 64 unless x is empty. Local: the caller then passes a barrier. */
void grid_shm_view_write(const grid_shm_view *z, const grid_chunk *x, uint64_t offset, size_t size);
/* x's pattern as bitmap words. Local. */
void grid_chunk_write_bits(const grid_chunk *x, uint64_t *bits);
/* *whole becomes a view of all of v, on the host, with the same lifetime and outcome; it owns no memory.
 * Collective. */
bool grid_shm_view_vector(grid_chunk *whole, GrB_Vector v);
#endif
