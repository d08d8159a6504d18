/* bound.h: an operator bound to the types of the arrays that it reads and writes, with the casts between. */
#ifndef GRID_BOUND_H
#define GRID_BOUND_H
#include <string.h>

#include "spmat/vector/words.h"

/* ---- moving values ------------------------------------------------------------------------------------- */

static inline void grid_value_copy(void *z, const void *x, size_t size) {
  switch (size) {
    case 1:
      memcpy(z, x, 1);
      break;
    case 2:
      memcpy(z, x, 2);
      break;
    case 4:
      memcpy(z, x, 4);
      break;
    case 8:
      memcpy(z, x, 8);
      break;
    default:
      memcpy(z, x, size);
  }
}
/* z[k] = x for k < n. */
void grid_value_fill(void *z, const void *x, size_t size, size_t n);
/* z[b] = x[b * xstep] for every bit b of s. */
void grid_value_copy_bits(void *z, const void *x, size_t xstep, uint64_t s, size_t size);

/* z = (z's type) x */
typedef struct {
  GrB_Type z, x;
  grid_cast_fn cast; /* NULL: the types are the same */
} grid_copier;
grid_copier grid_copier_bind(GrB_Type z, GrB_Type x);
static inline void grid_copy_one(const grid_copier *c, void *z, const void *x) {
  if (c->cast)
    c->cast(z, x, c->z->size);
  else
    grid_value_copy(z, x, c->z->size);
}
/* z[k] = x[k * xstep] for k < n; the same for the bits of s. */
void grid_copy_run(const grid_copier *c, void *z, const void *x, size_t xstep, size_t n);
void grid_copy_bits(const grid_copier *c, void *z, const void *x, size_t xstep, uint64_t s);

/* ---- calling operators --------------------------------------------------------------------------------- */

/* A result up to this size that must not overwrite an operand is made on the stack. */
#define GRID_SMALL_VALUE 64

/* z = op(x, y) for z, x, y of the types given at binding. z may be x or y. */
typedef struct {
  GrB_BinaryOp op;
  grid_cast_fn cx, cy, cz; /* NULL: no cast */
  size_t xs, ys, zs;       /* sizes of the values read and written */
  char *scratch;           /* one large result per thread, for a user's operator that must not see z == x */
} grid_binary;
/* The operator's types must be compatible with these. */
GrB_Info grid_binary_bind(grid_binary *b, GrB_BinaryOp op, GrB_Type z, GrB_Type x, GrB_Type y);
void grid_binary_free(grid_binary *b);
void grid_binary_one(const grid_binary *b, void *z, const void *x, const void *y);
/* z[k] = op(x[k * xstep], y[k * ystep]) for k < n, steps 0 or 1; the same for the bits of s. */
void grid_binary_run(const grid_binary *b, void *z, const void *x, size_t xstep, const void *y, size_t ystep,
                     size_t n);
void grid_binary_bits(const grid_binary *b, void *z, const void *x, size_t xstep, const void *y, size_t ystep,
                      uint64_t s);

/* z = op(x) */
typedef struct {
  GrB_UnaryOp op;
  grid_cast_fn cx;
  size_t xs, zs;
} grid_unary;
grid_unary grid_unary_bind(GrB_UnaryOp op, GrB_Type x);
void grid_unary_run(const grid_unary *u, void *z, const void *x, size_t xstep, size_t n);

/* z = op(x, i, 0, y) with a y of the operator's own type */
typedef struct {
  GrB_IndexUnaryOp op;
  grid_cast_fn cx;
  const void *y;
} grid_indexop;
grid_indexop grid_indexop_bind(GrB_IndexUnaryOp op, GrB_Type x, const void *y);
static inline void grid_indexop_one(const grid_indexop *u, void *z, const void *x, uint64_t i) {
  uint64_t cast;
  if (u->cx) u->cx(&cast, x, u->op->x->size), x = &cast;
  u->op->f(z, x, i, 0, u->y);
}
#endif
