/* shm_view.h: a vector in memory that all processes share, where they run on one machine: each writes its chunk
 * there, and reads what it likes of the others'. */
#ifndef GRID_SHM_VIEW_H
#define GRID_SHM_VIEW_H
#include "dist/vector/vector.h"

typedef struct {
  uint64_t *bits; /* NULL: every place holds an entry */
  char *val;      /* dense */
} grid_shm_view;

/* x, whose first index is number `place` (a multiple of 64, unless x is empty) of `all`, values of `size`
 * bytes (0: none are shown); full, known alike to all: all chunks are. False, on all alike: there is no such
 * memory, or not enough. Collective; what is shown stands until this process takes part in the third such
 * call from here on, or other long exchange between all processes. */
bool grid_shm_view_chunk(grid_shm_view *z, const grid_chunk *x, uint64_t offset, uint64_t all, size_t size,
                         bool full);
/* The same in steps: room for all, collective; the own part, local; then the caller lets all meet. */
bool grid_shm_view_reserve(grid_shm_view *z, uint64_t all, size_t size, bool full);
void grid_shm_view_write(const grid_shm_view *z, const grid_chunk *x, uint64_t offset, size_t size);
/* x's pattern as words of a bitmap: what each writes there. Local. */
void grid_chunk_write_bits(const grid_chunk *x, uint64_t *bits);
/* *whole becomes all of v, on the host, for as long; it owns nothing. The same otherwise. */
bool grid_shm_view_vector(grid_chunk *whole, GrB_Vector v);
#endif
