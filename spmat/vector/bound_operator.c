/* Operators bound to array types; see bound_operator.h. */
#include "spmat/vector/bound_operator.h"

#include "semiring/op_codes.h"
#include "spmat/device/device.h"

static grid_cast_fn find_cast(GrB_Type z, GrB_Type x) {
  return z == x ? NULL : grid_cast(z, x);
}

GrB_Info grid_binary_bind(grid_binary *b, GrB_BinaryOp op, GrB_Type z, GrB_Type x, GrB_Type y) {
  *b = (grid_binary){.op = op, .z = z, .x = x, .y = y, .xs = x->size, .ys = y->size, .zs = z->size};
  b->cx = find_cast(op->x, x);
  b->cy = find_cast(op->y, y);
  b->cz = find_cast(z, op->z);
  b->loop = op->loop ? op->loop : grid_jit_binary_loop(op, &b->jit_kernel, grid_report_fallback);
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

void grid_binary_apply(const grid_binary *b, void *z, const void *x, const void *y) {
  grid_any_value xc, yc; /* only predefined types are cast */
  _Alignas(16) char small[GRID_SMALL_VALUE];
  const grid_binary_fn f = b->op->f;
  if (b->cx) b->cx(&xc, x, b->op->x->size), x = &xc;
  if (b->cy) b->cy(&yc, y, b->op->y->size), y = &yc;
  if (b->cz) {
    f(small, x, y);
    b->cz(z, small, b->zs);
  } else if (b->op->op == GRID_OP_USER && (z == x || z == y)) {
    char *r = b->scratch ? b->scratch + grid_thread() * b->zs : small;
    f(r, x, y);
    grid_value_copy(z, r, b->zs);
  } else {
    f(z, x, y);
  }
}

/* Casts between loops use arrays of this length on the stack. */
enum { BLOCK = 256 };

/* x[0..n), or the one value x[0], as type `to`. */
static const void *cast_block(uint64_t *buffer, GrB_Type to, GrB_Type from, const void *x, size_t xstep,
                              size_t n) {
  grid_cast_array(buffer, to, x, from, 1, xstep ? n : 1);
  return buffer;
}

/* At most BLOCK values through a predefined operator's loop: its types are real. */
static void run_block(const grid_binary *b, void *z, const void *x, size_t xstep, const void *y, size_t ystep,
                      size_t n) {
  uint64_t xc[BLOCK], yc[BLOCK], zc[BLOCK];
  if (b->cx) x = cast_block(xc, b->op->x, b->x, x, xstep, n);
  if (b->cy) y = cast_block(yc, b->op->y, b->y, y, ystep, n);
  b->loop(b->cz ? zc : z, x, xstep, y, ystep, n);
  if (b->cz) grid_cast_array(z, b->z, zc, b->op->z, 1, n);
}

/* Can the function be called on the arrays in place? A user's function must not write its result over an
 * operand. */
static bool plain_calls(const grid_binary *b, const void *z, const void *x, const void *y) {
  return !b->cx && !b->cy && !b->cz && z != x && z != y;
}

/* One call a value. */
static void call_run(const grid_binary *b, char *z, const char *x, size_t xstep, const char *y, size_t ystep,
                     size_t n) {
  const size_t zs = b->zs, xs = b->xs * xstep, ys = b->ys * ystep;
  const grid_binary_fn f = b->op->f;
  if (plain_calls(b, z, x, y))
    for (size_t k = 0; k < n; k++) f(z + k * zs, x + k * xs, y + k * ys);
  else
    for (size_t k = 0; k < n; k++) grid_binary_apply(b, z + k * zs, x + k * xs, y + k * ys);
}

void grid_binary_run(const grid_binary *b, void *z, const void *x, size_t xstep, const void *y, size_t ystep,
                     size_t n) {
  if (!b->loop) {
    grid_jit_add_work(b->jit_kernel, n);
    call_run(b, z, x, xstep, y, ystep, n);
  } else if (!b->cx && !b->cy && !b->cz) {
    b->loop(z, x, xstep, y, ystep, n);
  } else {
    for (size_t k = 0; k < n; k += BLOCK)
      run_block(b, (char *)z + k * b->zs, (const char *)x + k * xstep * b->xs, xstep,
                (const char *)y + k * ystep * b->ys, ystep, n - k < BLOCK ? n - k : BLOCK);
  }
}

/* One by one: for few bits, or for an operator that must not see absent values. */
static void run_binary_bits(const grid_binary *b, char *z, const char *x, size_t xstep, const char *y,
                            size_t ystep, uint64_t s) {
  const size_t zs = b->zs, xs = b->xs * xstep, ys = b->ys * ystep;
  const grid_binary_fn f = b->op->f;
  if (plain_calls(b, z, x, y))
    for (; s; s &= s - 1) f(z + grid_low_bit(s) * zs, x + grid_low_bit(s) * xs, y + grid_low_bit(s) * ys);
  for (; s; s &= s - 1)
    grid_binary_apply(b, z + grid_low_bit(s) * zs, x + grid_low_bit(s) * xs, y + grid_low_bit(s) * ys);
}

void grid_binary_word(const grid_binary *b, void *z, const void *x, size_t xstep, const void *y, size_t ystep,
                      uint64_t s) {
  uint64_t clean_x[8], clean_y[8];
  if (s == ~UINT64_C(0)) {
    grid_binary_run(b, z, x, xstep, y, ystep, 64);
  } else if (!b->op->loop || !grid_word_filled(s)) {
    run_binary_bits(b, z, x, xstep, y, ystep, s);
  } else {
    const size_t n = grid_word_length(s);
    x = grid_make_readable(b->x, x, xstep, n, clean_x);
    y = grid_make_readable(b->y, y, ystep, n, clean_y);
    grid_binary_run(b, z, x, xstep, y, ystep, n);
  }
}

void grid_binary_bits(const grid_binary *b, void *z, const void *x, size_t xstep, const void *y, size_t ystep,
                      uint64_t s) {
  grid_any_value word[64];
  if (s == ~UINT64_C(0)) {
    grid_binary_run(b, z, x, xstep, y, ystep, 64);
  } else if (!b->op->loop || !grid_word_filled(s)) {
    run_binary_bits(b, z, x, xstep, y, ystep, s);
  } else {
    grid_binary_word(b, word, x, xstep, y, ystep, s);
    grid_value_copy_bits(z, word, 1, s, b->zs);
  }
}

/* ---- unary --------------------------------------------------------------------------------------------- */

grid_unary grid_unary_bind(GrB_UnaryOp op, GrB_Type x) {
  grid_unary u = {.op = op, .x = x, .cx = find_cast(op->x, x), .xs = x->size, .zs = op->z->size};
  u.loop = op->loop ? op->loop : grid_jit_unary_loop(op, &u.jit_kernel, grid_report_fallback);
  return u;
}

void grid_unary_run(const grid_unary *u, void *z, const void *x, size_t xstep, size_t n) {
  uint64_t xc[BLOCK];
  if (u->loop && !u->cx) {
    u->loop(z, x, xstep, n);
    return;
  }
  if (u->loop) {
    for (size_t k = 0; k < n; k += BLOCK) {
      size_t m = n - k < BLOCK ? n - k : BLOCK;
      cast_block(xc, u->op->x, u->x, (const char *)x + k * xstep * u->xs, xstep, m);
      u->loop((char *)z + k * u->zs, xc, xstep, m);
    }
    return;
  }
  if (n > 1) grid_jit_add_work(u->jit_kernel, n); /* a loop would have served */
  const grid_unary_fn f = u->op->f;
  const size_t zs = u->zs, xs = xstep * u->xs;
  for (size_t k = 0; k < n; k++) {
    const void *v = (const char *)x + k * xs;
    if (u->cx) u->cx(xc, v, u->op->x->size), v = xc;
    f((char *)z + k * zs, v);
  }
}

void grid_unary_word(const grid_unary *u, void *z, const void *x, size_t xstep, uint64_t s) {
  uint64_t clean[8];
  if (s == ~UINT64_C(0)) {
    grid_unary_run(u, z, x, xstep, 64);
    return;
  }
  if (u->op->loop && grid_word_filled(s)) {
    const size_t n = grid_word_length(s);
    grid_unary_run(u, z, grid_make_readable(u->x, x, xstep, n, clean), xstep, n);
    return;
  }
  for (; s; s &= s - 1) {
    size_t b = grid_low_bit(s);
    grid_unary_run(u, (char *)z + b * u->zs, (const char *)x + b * xstep * u->xs, xstep, 1);
  }
}

/* ---- with an index ------------------------------------------------------------------------------------- */

grid_indexop grid_indexop_bind(GrB_IndexUnaryOp op, GrB_Type x, const void *y) {
  return (grid_indexop){op, x, op->x ? find_cast(op->x, x) : NULL, y};
}

bool grid_indexop_uses_row(GrB_IndexUnaryOp op) {
  return op->op != GRID_OP_COLINDEX && op->op != GRID_OP_COLLE && op->op != GRID_OP_COLGT;
}
bool grid_indexop_uses_column(GrB_IndexUnaryOp op) {
  return op->op != GRID_OP_ROWINDEX && op->op != GRID_OP_ROWLE && op->op != GRID_OP_ROWGT;
}

static void indexop_one(const grid_indexop *u, void *z, const void *x, uint64_t i) {
  grid_any_value xc;
  if (u->cx) u->cx(&xc, x, u->op->x->size), x = &xc;
  u->op->f(z, x, i, 0, u->y);
}

void grid_indexop_run(const grid_indexop *u, void *z, const void *x, size_t xstep, uint64_t first,
                      const uint64_t *idx, size_t n) {
  uint64_t xc[BLOCK];
  const size_t zs = u->op->z->size, xs = u->x->size;
  if (u->op->loop && !u->cx) {
    u->op->loop(z, x, xstep, first, idx, u->y, n);
    return;
  }
  if (u->op->loop) { /* depends on the value only */
    for (size_t k = 0; k < n; k += BLOCK) {
      size_t m = n - k < BLOCK ? n - k : BLOCK;
      cast_block(xc, u->op->x, u->x, (const char *)x + k * xstep * xs, xstep, m);
      u->op->loop((char *)z + k * zs, xc, xstep, first + k, idx ? idx + k : NULL, u->y, m);
    }
    return;
  }
  const grid_index_fn f = u->op->f;
  char *const to = z;
  const char *const from = x;
  if (u->cx)
    for (size_t k = 0; k < n; k++)
      indexop_one(u, to + k * zs, from + k * xstep * xs, first + (idx ? idx[k] : k));
  else if (idx)
    for (size_t k = 0; k < n; k++) f(to + k * zs, from + k * xstep * xs, first + idx[k], 0, u->y);
  else
    for (size_t k = 0; k < n; k++) f(to + k * zs, from + k * xstep * xs, first + k, 0, u->y);
}

void grid_indexop_positions(const grid_indexop *u, void *z, const void *x, size_t xstep, const uint64_t *i,
                            const uint64_t *j, size_t n) {
  uint64_t xc[BLOCK];
  const size_t zs = u->op->z->size, xs = u->x->size;
  if (u->op->positions && !u->cx) {
    u->op->positions(z, x, xstep, i, j, u->y, n);
    return;
  }
  if (u->op->positions) { /* depends on the value only */
    grid_indexop_run(u, z, x, xstep, 0, NULL, n);
    return;
  }
  for (size_t k = 0; k < n; k++) {
    const void *v = (const char *)x + k * xstep * xs;
    if (u->cx) u->cx(xc, v, u->op->x->size), v = xc;
    u->op->f((char *)z + k * zs, v, i[k], j[k], u->y);
  }
}

void grid_indexop_word(const grid_indexop *u, void *z, const void *x, size_t xstep, uint64_t first,
                       uint64_t s) {
  uint64_t clean[8];
  const size_t zs = u->op->z->size, xs = xstep * u->x->size;
  if (s == ~UINT64_C(0)) {
    grid_indexop_run(u, z, x, xstep, first, NULL, 64);
    return;
  }
  if (u->op->loop && grid_word_filled(s)) {
    const size_t n = grid_word_length(s);
    grid_indexop_run(u, z, grid_make_readable(u->x, x, xstep, n, clean), xstep, first, NULL, n);
    return;
  }
  for (; s; s &= s - 1) {
    const size_t b = grid_low_bit(s);
    if (u->op->loop)
      grid_indexop_run(u, (char *)z + b * zs, (const char *)x + b * xs, xstep, first + b, NULL, 1);
    else
      indexop_one(u, (char *)z + b * zs, (const char *)x + b * xs, first + b);
  }
}

uint64_t grid_indexop_true(const grid_indexop *u, const void *x, size_t xstep, uint64_t first,
                           const uint64_t *idx, uint64_t s) {
  grid_any_value z[64];
  uint64_t yes[8] = {0};
  const GrB_Type type = u->op->z;
  if (s == 0 || type->code == GRID_T_UDT) return 0;
  void *to = type->code == GRID_T_BOOL ? (void *)yes : (void *)z;
  if (idx)
    grid_indexop_run(u, to, x, xstep, first, idx, grid_word_length(s));
  else
    grid_indexop_word(u, to, x, xstep, first, s);
  if (to == (void *)z) {
    const grid_copier c = grid_copier_bind(GrB_BOOL, type);
    grid_copy_bits(&c, yes, z, 1, s);
  }
  return grid_word_of_bools((const unsigned char *)yes) & s;
}
