/* part_pairs.c: see part_pairs.h. */
#include "spmat/cpu/matrix/part_pairs.h"

#include "spmat/vector/by_size.h"

/* Values up to this size are gathered to arrays on the stack. */
#define MOST_SIZE 16

GRID_ALWAYS_INLINE void gather(char *z, const char *x, const uint64_t *from, size_t n, size_t size) {
  for (size_t k = 0; k < n; k++) memcpy(z + k * size, x + from[k] * size, size);
}
GRID_ALWAYS_INLINE void scatter(char *z, const uint64_t *at, const char *x, size_t n, size_t size) {
  for (size_t k = 0; k < n; k++) memcpy(z + at[k] * size, x + k * size, size);
}

/* The values themselves where there is one for all. */
static const void *operands(char *room, const char *x, size_t step, const uint64_t *from, size_t n,
                            size_t size) {
  if (!step) return x;
#define CALL(S) gather(room, x, from, n, S)
  GRID_BY_SIZE(size, CALL)
#undef CALL
  return room;
}

static void run_arrays(const grid_pairs *p) {
  const grid_binary *b = p->op;
  _Alignas(16) char x[GRID_PAIRS * MOST_SIZE], y[GRID_PAIRS * MOST_SIZE], z[GRID_PAIRS * MOST_SIZE];
  const void *u = operands(x, p->x, p->xstep, p->from_x, p->n, b->xs),
             *v = operands(y, p->y, p->ystep, p->from_y, p->n, b->ys);
  grid_binary_run(b, z, u, p->xstep, v, p->ystep, p->n);
#define CALL(S) scatter(p->z, p->at, z, p->n, S)
  GRID_BY_SIZE(b->zs, CALL)
#undef CALL
}

void grid_pairs_end(grid_pairs *p) {
  const grid_binary *b = p->op;
  if (p->n && b->xs <= MOST_SIZE && b->ys <= MOST_SIZE && b->zs <= MOST_SIZE) {
    run_arrays(p);
  } else {
    for (size_t k = 0; k < p->n; k++)
      grid_binary_one(b, p->z + p->at[k] * b->zs, p->x + p->from_x[k] * p->xstep * b->xs,
                      p->y + p->from_y[k] * p->ystep * b->ys);
  }
  p->n = 0;
}
