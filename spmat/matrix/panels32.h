/* 32-bit panels: an orientation of 2^32 entries or more on the device, as runs of vectors with fewer entries,
 * each with 32-bit offsets that begin at 0. Kernels that count entries in 32 bits process one panel after the
 * other. Built when first needed (spmat/cuda/build/panels32.cu). */
#ifndef GRID_PANELS32_H
#define GRID_PANELS32_H
#include "spmat/matrix/local_matrix.h"

typedef struct {
  uint64_t first, n;                          /* vectors; the first is a multiple of 64 */
  uint64_t at, entries;                       /* before the first vector; of the panel */
  uint32_t *ptr;                              /* n + 1, in the array of all panels */
  struct grid_balanced_tiles *balanced_tiles; /* for pulls that sum over it */
} grid_panel32;

typedef struct grid_panels32 {
  uint64_t n; /* 0: not built yet */
  grid_panel32 *panel32;
  uint32_t *ptr; /* of all panels, concatenated, in device memory */
  uint64_t bytes;
} grid_panels32;

grid_panels32 *grid_panels32_new(void); /* NULL when out of memory */
void grid_panels32_free(grid_panels32 *s);
uint64_t grid_panels32_bytes(const grid_panels32 *s);

/* c's vectors in panel k, as an orientation that owns nothing; values have `size` bytes. */
grid_compressed grid_panel32_view(const grid_compressed *c, uint64_t k, size_t size);
#endif
