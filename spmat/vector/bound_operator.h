/* An operator bound to the types of the arrays that it reads and writes, with the casts between. */
#ifndef GRID_BOUND_OPERATOR_H
#define GRID_BOUND_OPERATOR_H
#include <string.h>

#include "semiring/jit/operator_loops.h"
#include "spmat/vector/bitmap_words.h"
#include "spmat/vector/value_sizes.h"

/* ---- moving values ------------------------------------------------------------------------------------- */

/* NOLINTBEGIN(clang-analyzer-core.NonNullParamChecker): no entry is without a value */
static inline void grid_value_copy(void *z, const void *x, size_t size) {
#define COPY(S) memcpy(z, x, S)
  GRID_BY_SIZE(size, COPY)
#undef COPY
}
/* NOLINTEND(clang-analyzer-core.NonNullParamChecker) */
/* z[k] = x for k < n. */
void grid_value_fill(void *z, const void *x, size_t size, size_t n);
/* The same with all threads. */
void grid_value_fill_array(void *z, const void *x, size_t size, uint64_t n);
/* z[k] = x[at[k]] for k < n, with all threads; z[at[k]] = x[k * xstep], all at[k] distinct. */
void grid_value_gather(void *z, const void *x, const uint32_t *at, size_t size, size_t n);
void grid_value_scatter(void *z, const uint32_t *at, const void *x, size_t xstep, size_t size, size_t n);
/* z[b] = x[b * xstep] for every bit b of s. */
void grid_value_copy_bits(void *z, const void *x, size_t xstep, uint64_t s, size_t size);
/* z[b] = x for every bit b of the given words. */
void grid_value_fill_bits(void *z, const void *x, const uint64_t *s, uint64_t words, size_t size);

/* Below, "the bits of s" are the entries of one word. Functions ..._bits leave other values of z unchanged.
 * Functions ..._word may also overwrite those, with results from any values that x and y hold there, so that
 * one loop covers the whole word. x and y must be readable up to the last bit. */
static inline size_t grid_word_length(uint64_t s) {
  return s ? 64 - (size_t)__builtin_clzll(s) : 0;
}
/* With this many bits or more the loop over the word is faster than one call a bit. */
#define GRID_FILLED_WORD 4
static inline bool grid_word_filled(uint64_t s) {
  return grid_popcount(s) >= GRID_FILLED_WORD;
}

/* Values that a loop may read up to number n - 1, entries or not. A BOOL must be 0 or 1, so values of absent
 * entries are normalised in `buffer`. */
static inline const void *grid_make_readable(GrB_Type t, const void *x, size_t xstep, size_t n,
                                             void *buffer) {
  if (t->code != GRID_T_BOOL || !xstep) return x;
  /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): see above */
  for (size_t k = 0; k < n; k++) ((unsigned char *)buffer)[k] = ((const unsigned char *)x)[k] & 1;
  return buffer;
}

/* z = (z's type) x */
typedef struct {
  GrB_Type z, x;
  grid_cast_fn cast; /* NULL: the types are the same */
} grid_copier;
static inline grid_copier grid_copier_bind(GrB_Type z, GrB_Type x) {
  return (grid_copier){z, x, z == x ? NULL : grid_cast(z, x)};
}
static inline void grid_copy_value(const grid_copier *c, void *z, const void *x) {
  if (c->cast)
    c->cast(z, x, c->z->size);
  else
    grid_value_copy(z, x, c->z->size);
}
/* z[k] = x[k * xstep] for k < n; the same for the bits of s. */
void grid_copy_run(const grid_copier *c, void *z, const void *x, size_t xstep, size_t n);
void grid_copy_bits(const grid_copier *c, void *z, const void *x, size_t xstep, uint64_t s);
void grid_copy_word(const grid_copier *c, void *z, const void *x, size_t xstep, uint64_t s);

/* ---- calling operators --------------------------------------------------------------------------------- */

/* Results up to this size that must not overwrite an operand are made on the stack. */
#define GRID_SMALL_VALUE 64

/* z = op(x, y) for z, x, y of the types given at binding. z may be x or y. */
typedef struct {
  GrB_BinaryOp op;
  GrB_Type z, x, y;        /* of the values written and read */
  grid_cast_fn cx, cy, cz; /* NULL: no cast */
  size_t xs, ys, zs;       /* sizes of the values written and read */
  char *scratch;           /* one large result per thread, for a user's operator that must not get z == x */
  grid_binary_loop loop;   /* for values that are all present; NULL: one call a value */
  grid_jit_cpu_kernel *jit_kernel; /* a loop that is compiled at run time may follow */
} grid_binary;
/* The operator's types must be compatible with these. */
GrB_Info grid_binary_bind(grid_binary *b, GrB_BinaryOp op, GrB_Type z, GrB_Type x, GrB_Type y);
void grid_binary_free(grid_binary *b);
void grid_binary_apply(const grid_binary *b, void *z, const void *x, const void *y);
/* z[k] = op(x[k * xstep], y[k * ystep]) for k < n, steps 0 or 1; the same for the bits of s. */
void grid_binary_run(const grid_binary *b, void *z, const void *x, size_t xstep, const void *y, size_t ystep,
                     size_t n);
void grid_binary_bits(const grid_binary *b, void *z, const void *x, size_t xstep, const void *y, size_t ystep,
                      uint64_t s);
void grid_binary_word(const grid_binary *b, void *z, const void *x, size_t xstep, const void *y, size_t ystep,
                      uint64_t s);

/* z = op(x) */
typedef struct {
  GrB_UnaryOp op;
  GrB_Type x; /* of the values read */
  grid_cast_fn cx;
  size_t xs, zs;
  grid_unary_loop loop; /* as in grid_binary */
  grid_jit_cpu_kernel *jit_kernel;
} grid_unary;
grid_unary grid_unary_bind(GrB_UnaryOp op, GrB_Type x);
void grid_unary_run(const grid_unary *u, void *z, const void *x, size_t xstep, size_t n);
void grid_unary_word(const grid_unary *u, void *z, const void *x, size_t xstep, uint64_t s);

/* z = op(x, i, 0, y) with a y of the operator's own type */
typedef struct {
  GrB_IndexUnaryOp op;
  GrB_Type x; /* of the values read */
  grid_cast_fn cx;
  const void *y;
} grid_indexop;
grid_indexop grid_indexop_bind(GrB_IndexUnaryOp op, GrB_Type x, const void *y);
/* z[k] = op(x[k * xstep], i, 0, y) for k < n, where i = first + idx[k], or first + k without idx */
void grid_indexop_run(const grid_indexop *u, void *z, const void *x, size_t xstep, uint64_t first,
                      const uint64_t *idx, size_t n);
/* z[k] = op(x[k * xstep], i[k], j[k], y) for k < n; an operator that looks at values alone needs no i and j.
 */
void grid_indexop_positions(const grid_indexop *u, void *z, const void *x, size_t xstep, const uint64_t *i,
                            const uint64_t *j, size_t n);
/* Does it use the position? */
static inline bool grid_indexop_uses_position(GrB_IndexUnaryOp op) {
  return !op->loop || !op->x;
}
/* Does it use the row, the column? Of an operator that does not, the positions may be undefined. */
bool grid_indexop_uses_row(GrB_IndexUnaryOp op);
bool grid_indexop_uses_column(GrB_IndexUnaryOp op);
void grid_indexop_word(const grid_indexop *u, void *z, const void *x, size_t xstep, uint64_t first,
                       uint64_t s);
/* Which of the bits of s have a true result? (A user-defined result is never true.) With idx, bit b stands
 * for index idx[b], and all bits below the last one are set. */
uint64_t grid_indexop_true(const grid_indexop *u, const void *x, size_t xstep, uint64_t first,
                           const uint64_t *idx, uint64_t s);
#endif
