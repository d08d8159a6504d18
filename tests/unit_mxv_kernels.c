/* The CPU's product kernels against a model that adds products in ascending order of the inner index. They
 * must agree bit for bit, for every predefined monoid and multiplier, and user-defined ones. Pull and push,
 * full x, bitmap and list, iso values, casts, masks, outputs with values, 64-bit offsets, any number of
 * threads. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit.h"
#include <math.h>
#include <omp.h>

#include "semiring/builtin.h"
#include "semiring/support/tuning.h"
#include "spmat/backend.h"
#include "spmat/cpu/product/cpu_product.h"
#include "spmat/matrix/degree_classes.h"

#include "tests/random_numbers.h"

enum { ROWS = 200, COLS = 2400, LONG_ROW = 7, SIZE = 16, MOST = 20000, TALL = 20000, DENSE = 250 };

/* A pattern by row and by column; `number` is an entry's position in row order. */
typedef struct {
  uint64_t rows, cols, n;
  uint64_t *rptr, *cptr;
  uint32_t *row, *col; /* of entry e by row */
  uint32_t *crow;      /* by column */
  uint64_t *number;
} pattern;

static pattern small, tall, dense;

static void make_pattern(pattern *p, uint64_t rows, uint64_t cols) {
  bool *in = calloc(cols, 1);
  *p = (pattern){.rows = rows, .cols = cols};
  p->rptr = calloc(rows + 1, 8), p->cptr = calloc(cols + 2, 8);
  p->row = malloc(4 * 8 * MOST), p->col = malloc(4 * 8 * MOST);
  for (uint64_t r = 0; r < rows; r++) {
    uint64_t want = r == LONG_ROW ? cols : draw_one_in(4) ? 0 : draw_one_in(8) ? draw(150) : draw(6);
    if (rows == TALL && r != LONG_ROW) want = draw(3);
    if (rows == DENSE) want = 300;
    memset(in, r == LONG_ROW, cols);
    for (uint64_t k = 0; k < want; k++) in[draw(cols)] = true;
    p->rptr[r] = p->n;
    for (uint64_t c = 0; c < cols; c++)
      if (in[c]) p->row[p->n] = (uint32_t)r, p->col[p->n++] = (uint32_t)c;
  }
  assert_true(p->n <= 8 * MOST);
  p->rptr[rows] = p->n;
  for (uint64_t e = 0; e < p->n; e++) p->cptr[p->col[e] + 2]++;
  for (uint64_t c = 0; c < cols; c++) p->cptr[c + 1] += p->cptr[c];
  p->crow = malloc(4 * p->n), p->number = malloc(8 * p->n);
  for (uint64_t e = 0; e < p->n; e++) {
    uint64_t at = p->cptr[p->col[e] + 1]++;
    p->crow[at] = p->row[e], p->number[at] = e;
  }
  free(in);
}

static void free_pattern(pattern *p) {
  free(p->rptr), free(p->cptr), free(p->row), free(p->col), free(p->crow), free(p->number);
}

/* ---- values -------------------------------------------------------------------------------------------- */

static void draw_value(GrB_Type t, void *x) {
  static const double special[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 1e300, -1e-310, 0x1p53, 1, -1};
  double d = draw_one_in(3) ? special[draw(10)] : (double)((int64_t)draw(2001) - 1000) / 7;
  uint64_t bits = (uint64_t)draw(1u << 31) << 33 ^ (uint64_t)draw(1u << 31) << 7 ^ draw(256);
  if (t->code == GRID_T_FP64) {
    memcpy(x, &d, 8);
  } else if (t->code == GRID_T_FP32) {
    float f = (float)d;
    memcpy(x, &f, 4);
  } else if (t->code == GRID_T_BOOL) {
    *(bool *)x = draw_one_in(3);
  } else {
    if (draw_one_in(3)) bits = draw_one_in(2) ? draw(5) : ~draw(5);
    if (t->size <= 8 && draw_one_in(9)) bits = UINT64_C(1) << (8 * t->size - 1);
    memcpy(x, &bits, t->size < 8 ? t->size : 8);
    for (size_t k = 8; k < t->size; k++) ((unsigned char *)x)[k] = (unsigned char)draw(256);
  }
}

/* Equal bits; NaNs are alike. */
static bool same(GrB_Type t, const void *x, const void *y) {
  if (t->code == GRID_T_FP64 && isnan(*(const double *)x)) return isnan(*(const double *)y);
  if (t->code == GRID_T_FP32 && isnan(*(const float *)x)) return isnan(*(const float *)y);
  return memcmp(x, y, t->size) == 0;
}

/* ---- one product --------------------------------------------------------------------------------------- */

typedef struct {
  const pattern *p;
  GrB_Semiring s;
  GrB_Type a_type;
  bool pull, flip, a_iso, x_iso, full, masked, complement, packed, had, offsets64;
} test_case;

static unsigned char a_val[8 * MOST * SIZE], ca_val[8 * MOST * SIZE], x_val[TALL * SIZE],
    x_packed[TALL * SIZE], y_val[TALL * SIZE], want[TALL * SIZE];
static uint64_t x_bits[TALL / 64 + 1], m_bits[TALL / 64 + 1], y_bits[TALL / 64 + 1], had_bits[TALL / 64 + 1],
    want_bits[TALL / 64 + 1], nonempty[TALL / 64 + 1], offsets64[TALL + 1];
static uint32_t first[TALL], list[TALL], offsets[TALL + 1];
static uint64_t positions_of[TALL];

static bool has(const uint64_t *bits, uint64_t k) {
  return bits[k >> 6] >> (k & 63) & 1;
}

static void draw_bits(uint64_t *bits, uint64_t n, uint64_t share) {
  memset(bits, 0, 8 * grid_words(n));
  for (uint64_t k = 0; k < n; k++)
    if (draw(100) < share) bits[k >> 6] |= UINT64_C(1) << (k & 63);
}

/* t = a(e) * x(k) by the operators' functions. */
static void model_product(const test_case *c, void *t, uint64_t e, uint64_t k,
                          const grid_index_map *index_map) {
  const GrB_BinaryOp mul = c->s->mul;
  unsigned char cast[SIZE] __attribute__((aligned(16)));
  if (!mul->f) {
    int64_t global_index = (int64_t)grid_index_map_at(index_map, k);
    int32_t narrow = (int32_t)global_index;
    memcpy(t, mul->z->size == 8 ? (void *)&global_index : (void *)&narrow, mul->z->size);
    return;
  }
  GrB_Type want_a = c->flip ? mul->y : mul->x, want_x = c->flip ? mul->x : mul->y;
  const void *a = a_val + (c->a_iso ? 0 : e * c->a_type->size),
             *x = x_val + (c->x_iso ? 0 : k * want_x->size);
  if (c->flip ? mul->uses_y : mul->uses_x) {
    grid_cast(want_a, c->a_type)(cast, a, want_a->size);
    a = cast;
  }
  mul->f(t, c->flip ? x : a, c->flip ? a : x);
}

/* Of two equal numbers a minimum or maximum is the first; compiled kernels do not turn its operands round, so
 * zeros may have the other sign. */
static bool same_result(const test_case *c, const void *x, const void *y) {
  const GrB_Type z = c->s->mul->z;
  const int op = c->s->mul->op;
  if (same(z, x, y)) return true;
  if (!c->flip || (op != GRID_OP_MIN && op != GRID_OP_MAX)) return false;
  if (z->code == GRID_T_FP64) return *(const double *)x == *(const double *)y;
  return z->code == GRID_T_FP32 && *(const float *)x == *(const float *)y;
}

/* want and want_bits, from y_val and y_bits. ANY: values are checked by check_any. */
static void model(const test_case *c, const grid_index_map *index_map) {
  const GrB_Type z = c->s->mul->z;
  memcpy(want, y_val, c->p->rows * z->size);
  memcpy(want_bits, y_bits, 8 * grid_words(c->p->rows));
  for (uint64_t e = 0; e < c->p->n; e++) {
    uint64_t v = c->p->row[e], k = c->p->col[e], bit = UINT64_C(1) << (v & 63);
    unsigned char t[SIZE] __attribute__((aligned(16)));
    if (!c->full && !has(x_bits, k)) continue;
    if (c->masked && has(m_bits, v) == c->complement) continue;
    if (c->s->add->any && (want_bits[v >> 6] & bit)) continue;
    model_product(c, t, e, k, index_map);
    void *y = want + v * z->size;
    if (want_bits[v >> 6] & bit)
      c->s->add->op->f(y, y, t);
    else
      memcpy(y, t, z->size);
    want_bits[v >> 6] |= bit;
  }
}

/* Under ANY row v's value is what it had or one of its products. */
static bool check_any(const test_case *c, uint64_t v, const grid_index_map *index_map) {
  const GrB_Type z = c->s->mul->z;
  if (has(had_bits, v) && same(z, y_val + v * z->size, want + v * z->size)) return true;
  for (uint64_t e = c->p->rptr[v]; e < c->p->rptr[v + 1]; e++) {
    unsigned char t[SIZE] __attribute__((aligned(16)));
    if (!c->full && !has(x_bits, c->p->col[e])) continue;
    model_product(c, t, e, c->p->col[e], index_map);
    if (same(z, t, y_val + v * z->size)) return true;
  }
  return false;
}

static void describe(const test_case *c, uint64_t v) {
  print_message("%s %s -> %s, A of %s: %s%s%s%s%s%s%s%s%s, row %llu\n", c->s->add->op->name, c->s->mul->name,
                c->s->mul->z->name, c->a_type->name, c->pull ? "pull" : "push", c->flip ? " flip" : "",
                c->a_iso ? " iso A" : "", c->x_iso ? " iso x" : "", c->full ? " full" : "",
                c->masked ? c->complement ? " complement" : " mask" : "", c->packed ? " packed" : "",
                c->had ? " had" : "", c->offsets64 ? " wide" : "", (unsigned long long)v);
}

static void set_matrix(const test_case *c, grid_compressed *m) {
  const pattern *p = c->p;
  const uint64_t *ptr = c->pull ? p->rptr : p->cptr, n = c->pull ? p->rows : p->cols;
  for (uint64_t v = 0; v <= n; v++) offsets[v] = (uint32_t)(offsets64[v] = ptr[v]);
  *m = (grid_compressed){.ptr = c->offsets64 ? NULL : offsets,
                         .offsets64 = c->offsets64 ? offsets64 : NULL,
                         .idx = c->pull ? p->col : p->crow,
                         .val = c->pull ? a_val : ca_val};
  if (!c->pull) return;
  memset(nonempty, 0, sizeof nonempty);
  for (uint64_t v = 0; v < n; v++) {
    if (ptr[v] == ptr[v + 1]) continue;
    nonempty[v >> 6] |= UINT64_C(1) << (v & 63);
    first[v] = p->col[ptr[v] + draw(ptr[v + 1] - ptr[v])];
  }
  m->hub_neighbor = first, m->nonempty = nonempty;
}

static void check(const test_case *c) {
  const pattern *p = c->p;
  const GrB_BinaryOp mul = c->s->mul;
  const GrB_Type want_x = c->flip ? mul->x : mul->y, z = mul->z;
  const size_t as = c->a_type->size, xs = want_x->size;
  grid_axis axis = {.dim = p->cols, .n = p->cols};
  grid_index_map index_map = {.axis = &axis, .base = draw(1000)};
  grid_compressed m;
  grid_job J = {.s = c->s, .flip = c->flip, .a_type = c->a_type, .x_type = want_x, .ny = p->rows};
  set_matrix(c, &m);
  for (uint64_t e = 0; e < (c->a_iso ? 1 : p->n); e++) draw_value(c->a_type, a_val + e * as);
  for (uint64_t e = 0; !c->a_iso && e < p->n; e++) memcpy(ca_val + e * as, a_val + p->number[e] * as, as);
  for (uint64_t k = 0; k < (c->x_iso ? 1 : p->cols); k++) draw_value(want_x, x_val + k * xs);
  for (uint64_t v = 0; v < p->rows; v++) draw_value(z, y_val + v * z->size);
  for (uint64_t k = 0; k < p->cols; k++) positions_of[k] = (k * 7919 + 3) % 100003;
  if (draw_one_in(3)) index_map.table = positions_of;
  draw_bits(x_bits, p->cols, draw_one_in(3) ? 2 : 50);
  draw_bits(m_bits, p->rows, 60);
  draw_bits(had_bits, p->rows, c->had ? 30 : 0);
  memcpy(y_bits, had_bits, sizeof y_bits);
  J.m = &m;
  J.a = c->a_iso ? a_val : m.val;
  J.a_step = c->a_iso ? 0 : as;
  J.x = x_val;
  J.x_step = c->x_iso ? 0 : xs;
  J.index_map = index_map;
  J.mask = c->masked ? m_bits : NULL, J.mask_complement = c->complement;
  J.ybits = y_bits, J.y = y_val;
  if (c->pull) {
    J.xbits = c->full ? NULL : x_bits;
  } else {
    J.nx = c->full ? p->cols : 0;
    for (uint64_t k = 0; k < p->cols && !c->full; k++)
      if (has(x_bits, k)) {
        memcpy(x_packed + J.nx * xs, x_val + k * xs, xs);
        list[J.nx++] = (uint32_t)k;
      }
    J.xlist = c->full ? NULL : list;
    if (c->packed && !c->full && !c->x_iso) J.x = x_packed, J.x_packed = true;
    J.push_edges = grid_push_edges(&m, J.xlist, J.nx);
  }
  model(c, &index_map);
  const grid_kernels *k = grid_backend_cpu.kernels(&J, false);
  assert_int_equal((c->pull ? k->pull : k->push)(&J), GrB_SUCCESS);
  uint64_t found = 0;
  for (uint64_t v = 0; v < p->rows; v++) {
    bool ok = has(y_bits, v) == has(want_bits, v);
    found += has(want_bits, v) && !has(had_bits, v);
    if (ok && has(y_bits, v))
      ok = c->s->add->any ? check_any(c, v, &index_map)
                          : same_result(c, y_val + v * z->size, want + v * z->size);
    if (!ok) describe(c, v);
    assert_true(ok);
  }
  if (J.found != found) describe(c, 0);
  assert_int_equal(J.found, found);
}

/* ---- semirings ----------------------------------------------------------------------------------------- */

static void draw_case(test_case *c, GrB_Semiring s) {
  const GrB_BinaryOp mul = s->mul;
  *c = (test_case){.p = &small, .s = s};
  c->pull = draw_one_in(2), c->flip = draw_one_in(3), c->a_iso = draw_one_in(4), c->x_iso = draw_one_in(5),
  c->full = draw_one_in(2);
  c->masked = draw_one_in(2), c->complement = c->masked && draw_one_in(2), c->packed = draw_one_in(2),
  c->had = draw_one_in(3);
  c->offsets64 = draw_one_in(4);
  c->a_type = c->flip ? mul->y : mul->x;
  if (c->a_type->code != GRID_T_UDT && draw_one_in(3)) c->a_type = grid_types[draw(GRID_NTYPES)];
}

#define OP(P, NAME, OP, T, Z, UX, UY, E) &grid_binary_##OP##_##T,
static const GrB_BinaryOp ops[] = {GRID_BINARY_OPS(OP)};
enum { OPS = sizeof ops / sizeof *ops };

#define MONOID_OP(P, OP, T, ID, TERM, HAS, IDEM) &grid_binary_##OP##_##T,
static const GrB_BinaryOp monoid_ops[] = {GRID_MONOIDS(MONOID_OP) GRID_MONOIDS_UNNAMED(MONOID_OP)};
enum { MONOIDS = sizeof monoid_ops / sizeof *monoid_ops };

static GrB_Monoid new_monoid(GrB_BinaryOp op) {
  GrB_Monoid m = NULL;
#define NEW(T, C) \
  if (op->z == GrB_##T) assert_int_equal(GrB_Monoid_new(&m, op, (C)0), GrB_SUCCESS);
  GRID_TYPES(NEW)
  return m;
}

/* Every predefined monoid with every multiplier that returns its type. */
static void test_all(void **state) {
  uint64_t semirings = 0, compiled = 0;
  for (int m = 0; m < MONOIDS; m++) {
    GrB_Monoid monoid = new_monoid(monoid_ops[m]);
    for (int o = 0; o < OPS; o++) {
      GrB_Semiring s;
      if (ops[o]->z != monoid->op->z) continue;
      assert_int_equal(GrB_Semiring_new(&s, monoid, ops[o]), GrB_SUCCESS);
      for (int k = 0; k < 4; k++) {
        test_case c;
        draw_case(&c, s);
        check(&c);
      }
      grid_job J = {.s = s, .a_type = ops[o]->x};
      compiled += grid_find_ranges(&J) != NULL;
      semirings++;
      GrB_Semiring_free(&s);
    }
    GrB_Monoid_free(&monoid);
  }
  print_message("%d semirings, %d of them compiled\n", (int)semirings, (int)compiled);
  assert_true(compiled >= 100 && compiled < semirings);
}

/* The most frequent semirings, in every variant, whether predefined or created by the program. */
static void test_common_semirings(void **state) {
  GrB_Semiring made[3];
  GrB_Monoid plus = new_monoid(GrB_PLUS_FP64);
  assert_int_equal(GrB_Semiring_new(&made[0], GrB_PLUS_MONOID_FP32, GrB_SECOND_FP32), GrB_SUCCESS);
  assert_int_equal(GrB_Semiring_new(&made[1], plus, GrB_TIMES_FP64), GrB_SUCCESS);
  assert_int_equal(GrB_Semiring_new(&made[2], GrB_PLUS_MONOID_FP64, GrB_MINUS_FP64), GrB_SUCCESS);
  const GrB_Semiring hot[] = {GrB_PLUS_TIMES_SEMIRING_FP64,
                              GrB_MIN_PLUS_SEMIRING_FP64,
                              GrB_MAX_TIMES_SEMIRING_FP32,
                              GrB_MIN_SECOND_SEMIRING_INT64,
                              GrB_LOR_LAND_SEMIRING_BOOL,
                              Grid_ANY_SECOND_SEMIRING_FP64,
                              Grid_ANY_FIRST_SEMIRING_FP64,
                              Grid_ANY_SECONDI_SEMIRING_INT64,
                              Grid_MIN_SECONDI_SEMIRING_INT64,
                              Grid_MIN_SECONDI_SEMIRING_INT32,
                              Grid_PLUS_ONEB_SEMIRING_INT64,
                              made[0],
                              made[1],
                              made[2]};
  for (size_t h = 0; h < sizeof hot / sizeof *hot; h++)
    for (int f = 0; f < 1 << 9; f++) {
      test_case c = {.p = &small, .s = hot[h], .pull = f & 1, .flip = f & 2, .a_iso = f & 4, .x_iso = f & 8};
      c.full = f & 16, c.masked = f & 32, c.complement = c.masked && f & 64, c.had = f & 128,
      c.offsets64 = f & 256;
      c.packed = draw_one_in(2);
      c.a_type = c.flip ? hot[h]->mul->y : hot[h]->mul->x;
      check(&c);
    }
  grid_job J = {.s = made[0], .a_type = GrB_FP32};
  assert_true(grid_find_ranges(&J) == &grid_kernels_FP32[0][3]); /* PLUS, SECOND */
  J.flip = true;
  assert_true(grid_find_ranges(&J) == &grid_kernels_FP32[0][2]);
  J = (grid_job){.s = made[1], .a_type = GrB_FP64};
  assert_non_null(grid_find_ranges(&J));
  J.a_type = GrB_INT8;
  assert_null(grid_find_ranges(&J));
  for (int k = 0; k < 3; k++) GrB_Semiring_free(&made[k]);
  GrB_Monoid_free(&plus);
}

/* ---- a program's own ----------------------------------------------------------------------------------- */

typedef struct {
  double re, im;
} number;
static void number_plus(void *zp, const void *xp, const void *yp) {
  const number x = *(const number *)xp, y = *(const number *)yp;
  *(number *)zp = (number){x.re + y.re, x.im + y.im};
}
static void number_times(void *zp, const void *xp, const void *yp) {
  const number x = *(const number *)xp, y = *(const number *)yp;
  *(number *)zp = (number){x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re + 1};
}
static void subtract(void *zp, const void *xp, const void *yp) {
  *(double *)zp = *(const double *)xp - 2 * *(const double *)yp;
}
static void sum(void *zp, const void *xp, const void *yp) {
  *(double *)zp = *(const double *)xp + *(const double *)yp;
}

static void test_user_defined(void **state) {
  GrB_Type t;
  GrB_BinaryOp plus, times, minus, add;
  GrB_Monoid monoid, adder;
  GrB_Semiring s[5];
  const number zero = {0, 0};
  assert_int_equal(GrB_Type_new(&t, sizeof(number)), GrB_SUCCESS);
  assert_int_equal(GrB_BinaryOp_new(&plus, number_plus, t, t, t), GrB_SUCCESS);
  assert_int_equal(GrB_BinaryOp_new(&times, number_times, t, t, t), GrB_SUCCESS);
  assert_int_equal(GrB_BinaryOp_new(&minus, subtract, GrB_FP64, GrB_FP64, GrB_FP64), GrB_SUCCESS);
  assert_int_equal(GrB_BinaryOp_new(&add, sum, GrB_FP64, GrB_FP64, GrB_FP64), GrB_SUCCESS);
  assert_int_equal(GrB_Monoid_new(&monoid, plus, (const void *)&zero), GrB_SUCCESS);
  assert_int_equal(GrB_Monoid_new(&adder, add, 0.0), GrB_SUCCESS);
  assert_int_equal(GrB_Semiring_new(&s[0], monoid, times), GrB_SUCCESS);
  assert_int_equal(GrB_Semiring_new(&s[1], GrB_PLUS_MONOID_FP64, minus), GrB_SUCCESS);
  assert_int_equal(GrB_Semiring_new(&s[2], adder, GrB_TIMES_FP64), GrB_SUCCESS);
  assert_int_equal(GrB_Semiring_new(&s[3], Grid_ANY_MONOID_FP64, minus), GrB_SUCCESS);
  assert_int_equal(GrB_Semiring_new(&s[4], GrB_PLUS_MONOID_INT32, &grid_binary_SECONDI_INT32), GrB_SUCCESS);
  for (int k = 0; k < 5; k++)
    for (int n = 0; n < 100; n++) {
      test_case c;
      draw_case(&c, s[k]);
      if (s[k]->mul == times) c.a_type = t;
      check(&c);
    }
  for (int k = 0; k < 5; k++) GrB_Semiring_free(&s[k]);
  GrB_Monoid_free(&monoid), GrB_Monoid_free(&adder);
  GrB_BinaryOp_free(&plus), GrB_BinaryOp_free(&times), GrB_BinaryOp_free(&minus), GrB_BinaryOp_free(&add);
  GrB_Type_free(&t);
}

/* Shapes that all threads work on: the same bits as from one. */
static void test_threads(void **state) {
  GrB_Semiring made;
  assert_int_equal(GrB_Semiring_new(&made, GrB_PLUS_MONOID_FP32, GrB_DIV_FP32), GrB_SUCCESS);
  const GrB_Semiring s[] = {GrB_PLUS_TIMES_SEMIRING_FP64,  GrB_MIN_PLUS_SEMIRING_FP32,
                            Grid_ANY_FIRST_SEMIRING_INT32, made,
                            GrB_PLUS_TIMES_SEMIRING_INT8,  GrB_MAX_PLUS_SEMIRING_INT16};
  const uint64_t degree = grid_tune.push_bins_degree, edges = grid_tune.push_bins_edges;
  for (int threads = 1; threads <= 5; threads += 2) {
    omp_set_num_threads(threads);
    for (size_t k = 0; k < sizeof s / sizeof *s; k++)
      for (int n = 0; n < 32; n++) {
        test_case c;
        draw_case(&c, s[k]);
        c.p = n & 16 ? &dense : &tall, c.full = n & 1, c.pull = n & 2;
        grid_tune.push_bins_degree =
            n & 4 ? UINT64_MAX : 0;                      /* a push through bins, or of ranges of outputs */
        grid_tune.push_bins_edges = n & 8 ? 512 : edges; /* in several rounds */
        check(&c);
      }
  }
  grid_tune.push_bins_degree = degree, grid_tune.push_bins_edges = edges;
  omp_set_num_threads(1);
  GrB_Semiring_free(&made);
}

/* Vertices by descending class of their degrees, as on one thread. */
static void test_degree_order(void **state) {
  enum { N = 100000, CLASSES = 33 };
  uint32_t *degree = malloc(N * sizeof *degree), *order = malloc(N * sizeof *order);
  for (int threads = 1; threads <= 5; threads += 2) {
    uint64_t at = 0, hubs = 0, all = 0;
    omp_set_num_threads(threads);
    for (uint64_t k = 0; k < N; k++) degree[k] = draw(3) ? (uint32_t)(draw(UINT32_MAX) >> draw(32)) : 0;
    const grid_degree_ranking found = grid_order_by_degree(degree, N, order);
    for (unsigned c = 0; c < CLASSES; c++) /* of degrees with c leading zeros */
      for (uint32_t k = 0; k < N; k++) {
        if ((degree[k] ? (unsigned)__builtin_clz(degree[k]) : CLASSES - 1) != c) continue;
        assert_int_equal(order[at], k);
        if (degree[k]) assert_true(at < found.used);
        if (at++ < N / 16) hubs += degree[k];
        all += degree[k];
      }
    assert_true(found.used == N || degree[order[found.used]] == 0);
    assert_int_equal(found.hubs, hubs);
    assert_int_equal(found.all, all);
  }
  omp_set_num_threads(1);
  free(degree), free(order);
}

static int start(void **state) {
  grid_semiring_init();
  make_pattern(&small, ROWS, COLS);
  make_pattern(&tall, TALL, COLS);
  make_pattern(&dense, DENSE, COLS);
  return 0;
}
static int stop(void **state) {
  free_pattern(&small), free_pattern(&tall), free_pattern(&dense);
  grid_semiring_finalize();
  return grid_mem_live() != 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_all), cmocka_unit_test(test_common_semirings),
                                     cmocka_unit_test(test_user_defined), cmocka_unit_test(test_threads),
                                     cmocka_unit_test(test_degree_order)};
  return cmocka_run_group_tests(tests, start, stop);
}
