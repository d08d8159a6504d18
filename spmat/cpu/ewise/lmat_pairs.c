/* See lmat_pairs.h. */
#include "spmat/cpu/ewise/lmat_pairs.h"

#include "spmat/vector/value_sizes.h"

/* Values up to this size are gathered to arrays on the stack. */
#define MAX_VALUE_SIZE 16

GRID_ALWAYS_INLINE void gather(char *z, const char *x, const uint32_t *from, size_t n, size_t size) {
  for (size_t k = 0; k < n; k++) memcpy(z + k * size, x + from[k] * size, size);
}
GRID_ALWAYS_INLINE void scatter(char *z, const uint32_t *at, const char *x, size_t n, size_t size) {
  for (size_t k = 0; k < n; k++) memcpy(z + at[k] * size, x + k * size, size);
}

/* One operand: its values from the task's first entry on; step 0: iso. */
typedef struct {
  const char *x;
  size_t step, size;
} operand;

static operand operand_of(const grid_local_matrix *p, uint64_t first) {
  if (!p) return (operand){0};
  return (operand){p->iso ? p->iso_val : (char *)p->by_row.val + first * p->type->size, !p->iso,
                   p->type->size};
}

/* Its values from[0..n), which ascend: gathered in workspace unless it is iso, or they are contiguous. */
static const void *read(const operand *o, char *workspace, const uint32_t *from, size_t n) {
  if (!o->step) return o->x;
  if (from[n - 1] - from[0] == n - 1) return o->x + from[0] * o->size;
#define CALL(S) gather(workspace, o->x, from, n, S)
  GRID_BY_SIZE(o->size, CALL)
#undef CALL
  return workspace;
}

static bool has_small_values(const grid_binary *b) {
  return b->xs <= MAX_VALUE_SIZE && b->ys <= MAX_VALUE_SIZE && b->zs <= MAX_VALUE_SIZE;
}

static const char *value(const operand *o, uint32_t from) {
  return o->x + from * o->step * o->size;
}

/* At most GRID_PAIRS pairs; at NULL: results are contiguous. */
static void run(const grid_binary *b, char *z, const uint32_t *at, const operand *x, const uint32_t *from_x,
                const operand *y, const uint32_t *from_y, size_t n) {
  if (!has_small_values(b)) {
    for (size_t k = 0; k < n; k++)
      grid_binary_apply(b, z + (at ? at[k] : k) * b->zs, value(x, from_x[k]), value(y, from_y[k]));
    return;
  }
  _Alignas(16) char xs[GRID_PAIRS * MAX_VALUE_SIZE], ys[GRID_PAIRS * MAX_VALUE_SIZE],
      zs[GRID_PAIRS * MAX_VALUE_SIZE];
  const void *u = read(x, xs, from_x, n), *v = read(y, ys, from_y, n);
  grid_binary_run(b, at ? zs : z, u, x->step, v, y->step, n);
#define CALL(S) scatter(z, at, zs, n, S)
  if (at) GRID_BY_SIZE(b->zs, CALL)
#undef CALL
}

void grid_pairs_end(grid_pairs *p) {
  if (p->n == 0) return;
  const operand x = operand_of(p->x, p->first_x), y = operand_of(p->y, p->first_y);
  run(p->op, p->z, p->at, &x, p->from_x, &y, p->from_y, p->n);
  p->n = 0;
}

void grid_pairs_run(const grid_binary *op, char *z, const grid_local_matrix *px, const grid_local_matrix *py,
                    uint64_t first_x, const uint32_t *from_x, uint64_t first_y, const uint32_t *from_y,
                    uint64_t n) {
  const operand x = operand_of(px, first_x), y = operand_of(py, first_y);
  for (uint64_t k = 0; k < n; k += GRID_PAIRS)
    run(op, z + k * op->zs, NULL, &x, from_x + k, &y, from_y + k, n - k < GRID_PAIRS ? n - k : GRID_PAIRS);
}
