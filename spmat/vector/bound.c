/* bound.c: operators bound to array types; see bound.h. */
#include "spmat/vector/bound.h"

#include "semiring/op_codes.h"

/* The same loop compiled once per usual size, so that each value moves as one load and one store. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define BY_SIZE(size, CALL) \
  switch (size) {           \
    case 1:                 \
      CALL(1);              \
      break;                \
    case 2:                 \
      CALL(2);              \
      break;                \
    case 4:                 \
      CALL(4);              \
      break;                \
    case 8:                 \
      CALL(8);              \
      break;                \
    case 16:                \
      CALL(16);             \
      break;                \
    default:                \
      CALL(size);           \
      break;                \
  }

ALWAYS_INLINE void fill(char *z, const char *x, size_t n, size_t size) {
  for (size_t k = 0; k < n; k++) memcpy(z + k * size, x, size);
}
ALWAYS_INLINE void copy_bits(char *z, const char *x, size_t xstep, uint64_t s, size_t size) {
  for (; s; s &= s - 1) {
    size_t b = grid_low_bit(s);
    memcpy(z + b * size, x + b * xstep * size, size);
  }
}

void grid_value_fill(void *z, const void *x, size_t size, size_t n) {
#define CALL(S) fill(z, x, n, S)
  BY_SIZE(size, CALL)
#undef CALL
}

void grid_value_copy_bits(void *z, const void *x, size_t xstep, uint64_t s, size_t size) {
  if (s == ~UINT64_C(0)) {
    if (xstep)
      memcpy(z, x, 64 * size);
    else
      grid_value_fill(z, x, size, 64);
    return;
  }
#define CALL(S) copy_bits(z, x, xstep, s, S)
  BY_SIZE(size, CALL)
#undef CALL
}

grid_copier grid_copier_bind(GrB_Type z, GrB_Type x) {
  return (grid_copier){z, x, z == x ? NULL : grid_cast(z, x)};
}

void grid_copy_run(const grid_copier *c, void *z, const void *x, size_t xstep, size_t n) {
  if (n == 0) return;
  if (c->cast)
    grid_cast_array(z, c->z, x, c->x, xstep, n);
  else if (xstep)
    memcpy(z, x, n * c->z->size);
  else
    grid_value_fill(z, x, c->z->size, n);
}

void grid_copy_bits(const grid_copier *c, void *z, const void *x, size_t xstep, uint64_t s) {
  if (!c->cast) {
    grid_value_copy_bits(z, x, xstep, s, c->z->size);
  } else if (s == ~UINT64_C(0)) {
    grid_cast_array(z, c->z, x, c->x, xstep, 64);
  } else {
    for (; s; s &= s - 1) {
      size_t b = grid_low_bit(s);
      c->cast((char *)z + b * c->z->size, (const char *)x + b * xstep * c->x->size, c->z->size);
    }
  }
}

static grid_cast_fn cast_unless_same(GrB_Type z, GrB_Type x) {
  return z == x ? NULL : grid_cast(z, x);
}

GrB_Info grid_binary_bind(grid_binary *b, GrB_BinaryOp op, GrB_Type z, GrB_Type x, GrB_Type y) {
  *b = (grid_binary){.op = op, .xs = x->size, .ys = y->size, .zs = z->size};
  b->cx = cast_unless_same(op->x, x);
  b->cy = cast_unless_same(op->y, y);
  b->cz = cast_unless_same(z, op->z);
  if (op->op != GRID_OP_USER || op->z->size <= GRID_SMALL_VALUE) return GrB_SUCCESS;
  size_t threads = 1;
#ifdef _OPENMP
  threads = (size_t)omp_get_max_threads();
#endif
  b->scratch = grid_malloc(threads, op->z->size);
  return b->scratch ? GrB_SUCCESS : grid_fail_memory(NULL, "values of an operator", threads, op->z->size);
}

void grid_binary_free(grid_binary *b) {
  grid_free(b->scratch);
  b->scratch = NULL;
}

void grid_binary_one(const grid_binary *b, void *z, const void *x, const void *y) {
  uint64_t xc, yc; /* only predefined types are cast: 8 bytes at most */
  _Alignas(16) char small[GRID_SMALL_VALUE];
  const grid_binary_fn f = b->op->f;
  if (b->cx) b->cx(&xc, x, b->op->x->size), x = &xc;
  if (b->cy) b->cy(&yc, y, b->op->y->size), y = &yc;
  if (b->cz) {
    f(small, x, y);
    b->cz(z, small, b->zs);
  } else if (b->op->op == GRID_OP_USER) {
    char *r = b->scratch ? b->scratch + grid_thread() * b->zs : small;
    f(r, x, y);
    memcpy(z, r, b->zs);
  } else {
    f(z, x, y);
  }
}

/* At most 64 values through a predefined operator's loop, with the casts on the stack. */
static void run_block(const grid_binary *b, void *z, const void *x, size_t xstep, const void *y, size_t ystep,
                      size_t n) {
  uint64_t xc[64], yc[64], zc[64];
  if (b->cx) {
    for (size_t k = 0; k < (xstep ? n : 1); k++)
      b->cx((char *)xc + k * b->op->x->size, (const char *)x + k * b->xs, b->op->x->size);
    x = xc;
  }
  if (b->cy) {
    for (size_t k = 0; k < (ystep ? n : 1); k++)
      b->cy((char *)yc + k * b->op->y->size, (const char *)y + k * b->ys, b->op->y->size);
    y = yc;
  }
  b->op->loop(b->cz ? zc : z, x, xstep, y, ystep, n);
  if (!b->cz) return;
  for (size_t k = 0; k < n; k++) b->cz((char *)z + k * b->zs, (const char *)zc + k * b->op->z->size, b->zs);
}

void grid_binary_run(const grid_binary *b, void *z, const void *x, size_t xstep, const void *y, size_t ystep,
                     size_t n) {
  if (!b->op->loop) {
    for (size_t k = 0; k < n; k++)
      grid_binary_one(b, (char *)z + k * b->zs, (const char *)x + k * xstep * b->xs,
                      (const char *)y + k * ystep * b->ys);
  } else if (!b->cx && !b->cy && !b->cz) {
    b->op->loop(z, x, xstep, y, ystep, n);
  } else {
    for (size_t k = 0; k < n; k += 64)
      run_block(b, (char *)z + k * b->zs, (const char *)x + k * xstep * b->xs, xstep,
                (const char *)y + k * ystep * b->ys, ystep, n - k < 64 ? n - k : 64);
  }
}

void grid_binary_bits(const grid_binary *b, void *z, const void *x, size_t xstep, const void *y, size_t ystep,
                      uint64_t s) {
  if (s == ~UINT64_C(0)) {
    grid_binary_run(b, z, x, xstep, y, ystep, 64);
    return;
  }
  for (; s; s &= s - 1) {
    size_t i = grid_low_bit(s);
    grid_binary_one(b, (char *)z + i * b->zs, (const char *)x + i * xstep * b->xs,
                    (const char *)y + i * ystep * b->ys);
  }
}

grid_unary grid_unary_bind(GrB_UnaryOp op, GrB_Type x) {
  return (grid_unary){op, cast_unless_same(op->x, x), x->size, op->z->size};
}

void grid_unary_run(const grid_unary *u, void *z, const void *x, size_t xstep, size_t n) {
  uint64_t xc[64];
  const size_t os = u->op->x->size;
  if (u->op->loop && !u->cx) {
    u->op->loop(z, x, xstep, n);
    return;
  }
  if (u->op->loop) {
    for (size_t k = 0; k < n; k += 64) {
      size_t m = n - k < 64 ? n - k : 64;
      for (size_t l = 0; l < (xstep ? m : 1); l++)
        u->cx((char *)xc + l * os, (const char *)x + (k + l) * xstep * u->xs, os);
      u->op->loop((char *)z + k * u->zs, xc, xstep, m);
    }
    return;
  }
  for (size_t k = 0; k < n; k++) {
    const void *v = (const char *)x + k * xstep * u->xs;
    if (u->cx) u->cx(xc, v, os), v = xc;
    u->op->f((char *)z + k * u->zs, v);
  }
}

grid_indexop grid_indexop_bind(GrB_IndexUnaryOp op, GrB_Type x, const void *y) {
  return (grid_indexop){op, op->x ? cast_unless_same(op->x, x) : NULL, y};
}
