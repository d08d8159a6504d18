/* Loops of predefined operators and casts over arrays, against one call for each value: long enough for every
 * vector width, with repeated operands, and in place. */
#include "tests/unit.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "semiring/builtin.h"
#include "semiring/monoid_sums.h"

enum { N = 259 };
typedef union {
  uint64_t align;
  unsigned char b[8 * N];
} array;

#define ADDRESS(P, NAME, ...) &P##_##NAME,
static GrB_BinaryOp *const binary[] = {GRID_BINARY_OPS(ADDRESS)};
static GrB_UnaryOp *const unary[] = {GRID_UNARY_OPS(ADDRESS)};
static GrB_IndexUnaryOp *const by_index[] = {GRID_INDEX_OPS(ADDRESS)};

/* Whole numbers of all bits, the least and the greatest among them; fractions of both signs, some beyond all
 * whole numbers, zeros, infinities. */
static void draw(array *a, GrB_Type t, uint64_t seed) {
  for (size_t k = 0; k < N; k++) {
    const uint64_t r = (seed + k) * UINT64_C(0x9e3779b97f4a7c15), bits = r ^ r >> 29;
    const uint64_t whole = k % 17 == 0 ? UINT64_MAX << (bits & 63) : k % 13 == 0 ? bits & 1 : bits;
    const double real =
        (double)(int64_t)bits / (double)(UINT64_C(1) << (bits % 64)) * (k % 19 == 0 ? 1e300 * 1e10 : 1);
    const float single = (float)real;
    if (t->code == GRID_T_FP64)
      memcpy(a->b + k * 8, k % 7 ? &real : &(double){0}, 8);
    else if (t->code == GRID_T_FP32)
      memcpy(a->b + k * 4, k % 7 ? &single : &(float){0}, 4);
    else if (t->code == GRID_T_BOOL)
      a->b[k] = bits & 1;
    else
      memcpy(a->b + k * t->size, &whole, t->size);
  }
}

static void assert_same(const char *name, const array *z, const array *expect, size_t bytes) {
  if (memcmp(z->b, expect->b, bytes) != 0) fail_msg("%s", name);
}

static void test_binary(void **state) {
  for (size_t i = 0; i < sizeof binary / sizeof *binary; i++) {
    GrB_BinaryOp o = *binary[i];
    const size_t nx = o->x->size, nz = o->z->size;
    array x, y, z, expect;
    draw(&x, o->x, i), draw(&y, o->y, i + 1000);
    for (size_t steps = 0; steps < 4; steps++) {
      const size_t xs = steps & 1, ys = steps >> 1;
      for (size_t k = 0; k < N; k++) o->f(expect.b + k * nz, x.b + k * xs * nx, y.b + k * ys * nx);
      o->loop(z.b, x.b, xs, y.b, ys, N);
      assert_same(o->name, &z, &expect, N * nz);
      z = x;
      o->loop(z.b, z.b, xs, y.b, ys, N);
      assert_same(o->name, &z, &expect, N * nz);
      z = y;
      o->loop(z.b, x.b, xs, z.b, ys, N);
      assert_same(o->name, &z, &expect, N * nz);
    }
  }
}

static void test_unary(void **state) {
  for (size_t i = 0; i < sizeof unary / sizeof *unary; i++) {
    GrB_UnaryOp o = *unary[i];
    array x, z, expect;
    draw(&x, o->x, i);
    for (size_t step = 0; step < 2; step++) {
      for (size_t k = 0; k < N; k++) o->f(expect.b + k * o->z->size, x.b + k * step * o->x->size);
      z = x;
      o->loop(z.b, z.b, step, N);
      assert_same(o->name, &z, &expect, N * o->z->size);
    }
  }
}

static void test_index_unary(void **state) {
  GrB_Index row[N], col[N];
  for (size_t k = 0; k < N; k++) row[k] = k * 7 % 31, col[k] = k * 5 % 37;
  for (size_t i = 0; i < sizeof by_index / sizeof *by_index; i++) {
    GrB_IndexUnaryOp o = *by_index[i];
    const size_t nx = o->x ? o->x->size : 0, nz = o->z->size;
    array x, y = {0}, z, expect;
    draw(&x, o->x ? o->x : GrB_INT64, i);
    memcpy(y.b, o->x ? x.b + 3 * nx : (const unsigned char *)&(int64_t){4}, o->y->size);
    for (size_t step = 0; step < 2; step++) {
      for (size_t k = 0; k < N; k++) o->f(expect.b + k * nz, x.b + k * step * nx, 9 + row[k], 0, y.b);
      o->loop(z.b, x.b, step, 9, row, y.b, N);
      assert_same(o->name, &z, &expect, N * nz);
      for (size_t k = 0; k < N; k++) o->f(expect.b + k * nz, x.b + k * step * nx, 9 + k, 0, y.b);
      o->loop(z.b, x.b, step, 9, NULL, y.b, N);
      assert_same(o->name, &z, &expect, N * nz);
      for (size_t k = 0; k < N; k++) o->f(expect.b + k * nz, x.b + k * step * nx, row[k], col[k], y.b);
      o->positions(z.b, x.b, step, row, col, y.b, N);
      assert_same(o->name, &z, &expect, N * nz);
    }
  }
}

static void test_casts(void **state) {
  for (int i = 0; i < GRID_NTYPES * GRID_NTYPES; i++) {
    GrB_Type zt = grid_types[i / GRID_NTYPES], xt = grid_types[i % GRID_NTYPES];
    char name[300];
    array x, z, expect;
    snprintf(name, sizeof name, "%s to %s", xt->name, zt->name);
    draw(&x, xt, (uint64_t)i);
    for (size_t step = 0; step < 2; step++) {
      for (size_t k = 0; k < N; k++)
        grid_cast(zt, xt)(expect.b + k * zt->size, x.b + k * step * xt->size, zt->size);
      grid_cast_array(z.b, zt, x.b, xt, step, N);
      assert_same(name, &z, &expect, N * zt->size);
    }
  }
}

/* Sums of whole numbers are the same in every order; ANY is the last value. */
static void test_sums(void **state) {
#define HAS_LOOP(P, OP, T, ID, TERM, HAS, IDEM) assert_non_null(grid_sums_of(&grid_binary_##OP##_##T));
  GRID_MONOIDS(HAS_LOOP)
  GRID_MONOIDS_UNNAMED(HAS_LOOP)
  const uint64_t start[] = {0, 1, 1, 4, 9, 40, 40, N};
  enum { RUNS = sizeof start / sizeof *start - 1 };
  for (size_t i = 0; i < sizeof binary / sizeof *binary; i++) {
    GrB_BinaryOp o = *binary[i];
    const grid_sums_loop loop = grid_sums_of(o);
    const size_t size = o->z->size;
    array x, z = {0}, expect = {0};
    if (!loop || o->z->code == GRID_T_FP32 || o->z->code == GRID_T_FP64) continue;
    draw(&x, o->x, i);
    for (size_t v = 0; v < RUNS; v++)
      for (uint64_t k = start[v]; k < start[v + 1]; k++)
        if (k == start[v])
          memcpy(expect.b + v * size, x.b + k * size, size);
        else
          o->f(expect.b + v * size, expect.b + v * size, x.b + k * size);
    loop(z.b, x.b, start, RUNS);
    assert_same(o->name, &z, &expect, RUNS * size);
  }
}

/* Minima and maxima leave out NaN wherever it is, in segments of each length. */
static void test_nan(void **state) {
  GrB_BinaryOp const ops[] = {GrB_MIN_FP32, GrB_MAX_FP32, GrB_MIN_FP64, GrB_MAX_FP64};
  enum { LONGEST = 40 };
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
    for (uint64_t n = 1; n <= LONGEST; n++)
      for (uint64_t seed = 0; seed < 8; seed++) {
        const size_t size = ops[i]->z->size;
        array x, z = {0}, expect = {0};
        draw(&x, ops[i]->x, seed * N + n);
        for (uint64_t k = 0; k < n; k++)
          if (seed == 0 || (n + k) % seed == 0)
            memcpy(x.b + k * size, size == 8 ? (void *)&(double){NAN} : (void *)&(float){NAN}, size);
        memcpy(expect.b, x.b, size);
        for (uint64_t k = 1; k < n; k++) ops[i]->f(expect.b, expect.b, x.b + k * size);
        grid_sums_of(ops[i])(z.b, x.b, (const uint64_t[]){0, n}, 1);
        assert_same(ops[i]->name, &z, &expect, size);
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_binary),      cmocka_unit_test(test_unary),
                                     cmocka_unit_test(test_index_unary), cmocka_unit_test(test_casts),
                                     cmocka_unit_test(test_sums),        cmocka_unit_test(test_nan)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
