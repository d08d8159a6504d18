/* The module semiring: every predefined object against its name, every operator against plain reference
 * arithmetic on edge values, casts, user-defined objects, error cases, and the k-th allocation failing. Needs
 * no process grid. */
#include "tests/unit.h"
#include <stdio.h>
#include <string.h>

#include "semiring/descriptor.h"
#include "semiring/builtin.h"
#include "semiring/op_inline.h"

/* ---- every object of the standard's list ------------------------------------------------------------- */

/* "MIN_INT8" -> "MIN", INT8; a name without a type keeps `type` NULL. */
typedef struct {
  char op[64];
  GrB_Type type;
} parsed;
static parsed parse(const char *name) {
  parsed p = {{0}, NULL};
  snprintf(p.op, sizeof p.op, "%s", name);
  char *end = strrchr(p.op, '_');
  for (int t = 0; end != NULL && t < GRID_NTYPES; t++)
    if (strcmp(end + 1, grid_types[t]->name) == 0) {
      p.type = grid_types[t];
      *end = 0;
      break;
    }
  return p;
}
static bool one_of(const char *op, const char *list) {
  char with[80];
  snprintf(with, sizeof with, " %s ", op);
  return strstr(list, with) != NULL;
}

static int checked_objects;
static void check_head(const grid_head *h) {
  assert_non_null(h);
  assert_true(h->magic == GRID_MAGIC && h->builtin && h->error == NULL);
  checked_objects++;
}
static void check_Type(const char *name, GrB_Type t) {
  check_head(&t->head);
  assert_string_equal(name + 4, t->name);
  assert_ptr_equal(grid_types[t->code], t);
}
static void check_UnaryOp(const char *name, GrB_UnaryOp o) {
  check_head(&o->head);
  assert_string_equal(name, o->name);
  GrB_Type t = strcmp(name, "GrB_LNOT") == 0 ? GrB_BOOL : parse(name + 4).type;
  assert_true(o->z == t && o->x == t && o->f != NULL && o->loop != NULL && o->op != GRID_OP_USER);
}
static void check_BinaryOp(const char *name, GrB_BinaryOp o) {
  check_head(&o->head);
  assert_string_equal(name, o->name);
  parsed p = parse(name + 4);
  GrB_Type t = p.type != NULL ? p.type : GrB_BOOL;
  GrB_Type z = one_of(p.op, " EQ NE GT LT GE LE ") ? GrB_BOOL : t;
  assert_true(o->z == z && o->x == t && o->y == t && o->f != NULL && o->loop != NULL);
  assert_int_equal(o->uses_x, !one_of(p.op, " SECOND ONEB "));
  assert_int_equal(o->uses_y, !one_of(p.op, " FIRST ONEB "));
}
static void check_IndexUnaryOp(const char *name, GrB_IndexUnaryOp o) {
  check_head(&o->head);
  assert_string_equal(name, o->name);
  parsed p = parse(name + 4);
  bool value = strncmp(p.op, "VALUE", 5) == 0, index = strstr(p.op, "INDEX") != NULL;
  assert_ptr_equal(o->z, index ? p.type : GrB_BOOL);
  assert_ptr_equal(o->x, value ? p.type : NULL);
  assert_ptr_equal(o->y, p.type != NULL ? p.type : GrB_INT64);
  assert_non_null(o->f);
}

/* Is the value (of type t) equal to d? Every identity and terminal of the standard is a small number or a
 * limit. */
static double to_double(GrB_Type t, const void *x) {
  double d;
  grid_cast(GrB_FP64, t)(&d, x, t->size);
  return d;
}
static double least(GrB_Type t) {
  switch (t->code) {
    case GRID_T_INT8:
      return -128.0;
    case GRID_T_INT16:
      return -32768.0;
    case GRID_T_INT32:
      return -2147483648.0;
    case GRID_T_INT64:
      return -9223372036854775808.0;
    case GRID_T_FP32:
    case GRID_T_FP64:
      return -(double)INFINITY;
    default:
      return 0;
  }
}
static double most(GrB_Type t) {
  if (t->code >= GRID_T_FP32) return (double)INFINITY;
  if (t->code == GRID_T_BOOL) return 1;
  int bits = (int)t->size * 8 - (t->code <= GRID_T_INT64);
  return (double)(UINT64_MAX >> (64 - bits));
}
static void check_algebra(const char *op, GrB_Monoid m) {
  GrB_Type t = m->op->z;
  double identity = one_of(op, " MIN ")   ? most(t)
                    : one_of(op, " MAX ") ? least(t)
                                          : one_of(op, " TIMES LAND LXNOR ");
  assert_true(to_double(t, m->identity) == identity);
  bool floating = t->code >= GRID_T_FP32;
  bool has = one_of(op, " MIN MAX LOR LAND ") || (one_of(op, " TIMES ") && !floating);
  assert_int_equal(m->terminal != NULL, has);
  double terminal = one_of(op, " MIN ") ? least(t) : one_of(op, " MAX ") ? most(t) : one_of(op, " LOR ");
  if (has) assert_true(to_double(t, m->terminal) == terminal);
  assert_int_equal(m->idempotent, one_of(op, " MIN MAX LOR LAND ANY "));
  assert_int_equal(m->any, one_of(op, " ANY "));
}
static void check_Monoid(const char *name, GrB_Monoid m) {
  check_head(&m->head);
  parsed p = parse(name + 4);
  char *tail = strstr(p.op, "_MONOID");
  assert_non_null(tail);
  *tail = 0;
  assert_string_equal(p.op, parse(m->op->name + 4).op);
  assert_true(m->op->z == p.type && m->op->x == p.type);
  check_algebra(p.op, m);
}
static void check_Semiring(const char *name, GrB_Semiring s) {
  check_head(&s->head);
  const char *bare = strchr(name, '_') + 1; /* after GrB_ or Grid_ */
  parsed p = parse(bare);
  char *tail = strstr(p.op, "_SEMIRING"), *mul = strchr(p.op, '_') + 1;
  assert_non_null(tail);
  *tail = 0;
  mul[-1] = 0;
  assert_string_equal(p.op, parse(strchr(s->add->op->name, '_') + 1).op);
  assert_string_equal(mul, parse(strchr(s->mul->name, '_') + 1).op);
  assert_true(s->add->op->z == p.type && s->mul->z == p.type && s->mul->x == p.type);
}
static void check_Descriptor(const char *name, GrB_Descriptor d) {
  check_head(&d->head);
  const char *s = name + strlen("GrB_DESC_");
  assert_int_equal(d->replace, strchr(s, 'R') != NULL);
  assert_int_equal(d->structure, strchr(s, 'S') != NULL);
  assert_int_equal(d->complement, strchr(s, 'C') != NULL);
  assert_int_equal(d->tran0, strstr(s, "T0") != NULL);
  assert_int_equal(d->tran1, strstr(s, "T1") != NULL);
}

static void test_standard_objects(void **state) {
  checked_objects = 0;
#define Type(name)         check_Type(#name, name);
#define UnaryOp(name)      check_UnaryOp(#name, name);
#define BinaryOp(name)     check_BinaryOp(#name, name);
#define IndexUnaryOp(name) check_IndexUnaryOp(#name, name);
#define Monoid(name)       check_Monoid(#name, name);
#define Semiring(name)     check_Semiring(#name, name);
#define Descriptor(name)   check_Descriptor(#name, name);
#include "tests/standard_objects.inc"
#undef Type
#undef UnaryOp
#undef BinaryOp
#undef IndexUnaryOp
#undef Monoid
#undef Semiring
#undef Descriptor
  assert_int_equal(checked_objects, 535);
  assert_non_null(GrB_ALL);
  assert_non_null(GrB_GLOBAL);
}

static void test_our_objects(void **state) {
  int n = 0;
#define SEMIRING(ADD, MUL, T) \
  n++, check_Semiring("Grid_" #ADD "_" #MUL "_SEMIRING_" #T, Grid_##ADD##_##MUL##_SEMIRING_##T);
  GRID_SEMIRINGS_GRID(SEMIRING)
#undef SEMIRING
  assert_int_equal(n, 4 + 3 * 11 + 10);
#define ANY(T, C)                                          \
  check_algebra("ANY", Grid_ANY_MONOID_##T);               \
  assert_ptr_equal(Grid_ANY_MONOID_##T->op, Grid_ANY_##T); \
  assert_string_equal(Grid_ANY_##T->name, "GxB_ANY_" #T);
  GRID_TYPES(ANY)
#undef ANY
  GrB_Semiring s = Grid_ANY_SECONDI_SEMIRING_INT64;
  assert_true(s->mul->f == NULL && s->mul->op == GRID_OP_SECONDI && !s->mul->uses_x && !s->mul->uses_y);
}

/* ---- operators against reference arithmetic ---------------------------------------------------------- */

typedef __int128 int128;
static const double fp_values[] = {0.0,  -0.0,  1,     -1,       2.5,       -3.75,
                                   1e30, -1e30, 1e-40, INFINITY, -INFINITY, NAN};
static const int nfp = sizeof fp_values / sizeof *fp_values;

/* Edge values of a whole-number type: around 0 and around both limits. */
static int int_values(GrB_Type t, int128 *v) {
  int n = 0;
  if (t->code == GRID_T_BOOL) {
    v[n++] = 0, v[n++] = 1;
    return n;
  }
  bool is_signed = t->code <= GRID_T_INT64;
  int bits = (int)t->size * 8 - is_signed;
  int128 hi = ((int128)1 << bits) - 1, lo = is_signed ? -hi - 1 : 0;
  for (int d = 0; d < 4; d++) v[n++] = lo + d, v[n++] = hi - d, v[n++] = d;
  if (is_signed) v[n++] = -1, v[n++] = -2, v[n++] = -7;
  v[n++] = hi / 2 + 3, v[n++] = hi / 3;
  return n;
}
static void store(GrB_Type t, int128 x, void *p) {
  int64_t s = (int64_t)x;
  uint64_t u = (uint64_t)x;
  if (t->code == GRID_T_BOOL)
    *(bool *)p = x != 0;
  else
    memcpy(p, t->code <= GRID_T_INT64 ? (void *)&s : (void *)&u, t->size); /* little-endian: the low bytes */
}
static int128 load(GrB_Type t, const void *p) {
  switch (t->code) {
    case GRID_T_BOOL:
      return *(const bool *)p;
    case GRID_T_INT8:
      return *(const int8_t *)p;
    case GRID_T_INT16:
      return *(const int16_t *)p;
    case GRID_T_INT32:
      return *(const int32_t *)p;
    case GRID_T_INT64:
      return *(const int64_t *)p;
    case GRID_T_UINT8:
      return *(const uint8_t *)p;
    case GRID_T_UINT16:
      return *(const uint16_t *)p;
    case GRID_T_UINT32:
      return *(const uint32_t *)p;
    default:
      return *(const uint64_t *)p;
  }
}
/* x truncated to the bits of t. */
static int128 truncate_to_type(GrB_Type t, int128 x) {
  union {
    uint64_t u;
    unsigned char b[8];
  } capacity = {0};
  store(t, x, capacity.b);
  return load(t, capacity.b);
}

/* z = op(x, y) in integers that do not overflow, before truncation to the type. */
static int128 reference_int(const char *op, GrB_Type t, int128 x, int128 y) {
  bool is_bool = t->code == GRID_T_BOOL;
  if (one_of(op, " FIRST ")) return x;
  if (one_of(op, " SECOND ANY ")) return y;
  if (one_of(op, " ONEB ")) return 1;
  if (one_of(op, " MIN ")) return x < y ? x : y;
  if (one_of(op, " MAX ")) return x > y ? x : y;
  if (one_of(op, " PLUS ")) return x + y;
  if (one_of(op, " MINUS ")) return is_bool ? x ^ y : x - y;
  if (one_of(op, " TIMES "))
    return (int128)((unsigned __int128)x * (unsigned __int128)y); /* the low bits are right */
  if (one_of(op, " DIV ")) {
    if (is_bool) return x;
    if (y != 0) return x / y;
    int128 v[32];
    int_values(t, v); /* v[0] is the least, v[1] the greatest value */
    return x == 0 ? 0 : x < 0 ? v[0] : v[1];
  }
  if (one_of(op, " EQ LXNOR ")) return x == y;
  if (one_of(op, " NE LXOR ")) return x != y;
  if (one_of(op, " GT ")) return x > y;
  if (one_of(op, " LT ")) return x < y;
  if (one_of(op, " GE ")) return x >= y;
  if (one_of(op, " LE ")) return x <= y;
  if (one_of(op, " LOR ")) return x || y;
  if (one_of(op, " LAND ")) return x && y;
  if (one_of(op, " BOR ")) return x | y;
  if (one_of(op, " BAND ")) return x & y;
  if (one_of(op, " BXOR ")) return x ^ y;
  if (one_of(op, " BXNOR ")) return ~(x ^ y);
  fail_msg("no reference for %s", op);
  return 0;
}
static double reference_fp(const char *op, double x, double y, bool single) {
  double z = one_of(op, " FIRST ")        ? x
             : one_of(op, " SECOND ANY ") ? y
             : one_of(op, " ONEB ")       ? 1
             : one_of(op, " MIN ")        ? fmin(x, y)
             : one_of(op, " MAX ")        ? fmax(x, y)
             : one_of(op, " PLUS ")       ? x + y
             : one_of(op, " MINUS ")      ? x - y
             : one_of(op, " TIMES ")      ? x * y
             : one_of(op, " DIV ")        ? x / y
             : one_of(op, " EQ ")         ? x == y
             : one_of(op, " NE ")         ? x != y
             : one_of(op, " GT ")         ? x > y
             : one_of(op, " LT ")         ? x < y
             : one_of(op, " GE ")         ? x >= y
             : one_of(op, " LE ")         ? x <= y
                                          : (double)NAN;
  return single ? (double)(float)z : z;
}
static bool same_fp(double a, double b) {
  return a == b || (isnan(a) && isnan(b));
}

/* Calls f, and the loop with both operands stepping and with either fixed; all must agree with `z` (of `size`
 * bytes). */
static void check_call(GrB_BinaryOp o, const void *x, const void *y, const void *z) {
  enum { N = 5 };
  union {
    uint64_t align;
    unsigned char b[8 * N];
  } xs, ys, zs, expect;
  size_t nx = o->x->size, nz = o->z->size;
  for (size_t k = 0; k < N; k++) {
    memcpy(xs.b + k * nx, x, nx);
    memcpy(ys.b + k * nx, y, nx);
    memcpy(expect.b + k * nz, z, nz);
  }
  for (size_t steps = 0; steps < 4; steps++) {
    memset(zs.b, 0xa5, sizeof zs.b);
    o->loop(zs.b, xs.b, steps & 1, ys.b, steps >> 1, N);
    assert_memory_equal(zs.b, expect.b, N * nz);
  }
  if (nx == nz) { /* in place */
    memcpy(zs.b, ys.b, sizeof zs.b);
    o->loop(zs.b, xs.b, 1, zs.b, 1, N);
    assert_memory_equal(zs.b, expect.b, N * nz);
  }
  if (!o->uses_x || !o->uses_y) {
    memset(zs.b, 0xa5, sizeof zs.b);
    o->loop(zs.b, o->uses_x ? xs.b : NULL, 1, o->uses_y ? ys.b : NULL, 1, N);
    assert_memory_equal(zs.b, expect.b, N * nz);
  }
}

static void check_binary(GrB_BinaryOp o) {
  GrB_Type t = o->x;
  const char *bare = strchr(o->name, '_') + 1;
  parsed p = parse(bare);
  union {
    uint64_t u;
    double d;
    float f;
    unsigned char b[8];
  } x = {0}, y = {0}, z = {0};
  if (t->code < GRID_T_FP32) {
    int128 v[32];
    int n = int_values(t, v);
    for (int a = 0; a < n; a++)
      for (int b = 0; b < n; b++) {
        store(t, v[a], x.b), store(t, v[b], y.b);
        o->f(z.b, x.b, y.b);
        int128 expect = truncate_to_type(o->z, reference_int(p.op, t, v[a], v[b]));
        if (load(o->z, z.b) != expect)
          fail_msg("%s(%lld, %lld) = %lld, expected %lld", o->name, (long long)v[a], (long long)v[b],
                   (long long)load(o->z, z.b), (long long)expect);
        check_call(o, x.b, y.b, z.b);
      }
    return;
  }
  bool single = t->code == GRID_T_FP32;
  for (int a = 0; a < nfp; a++)
    for (int b = 0; b < nfp; b++) {
      double xv = fp_values[a], yv = fp_values[b];
      if (single)
        x.f = (float)xv, y.f = (float)yv, xv = x.f, yv = y.f;
      else
        x.d = xv, y.d = yv;
      o->f(z.b, x.b, y.b);
      double got = to_double(o->z, z.b), expect = reference_fp(p.op, xv, yv, single);
      if (!same_fp(got, expect)) fail_msg("%s(%g, %g) = %g, expected %g", o->name, xv, yv, got, expect);
      check_call(o, x.b, y.b, z.b);
    }
}

static void test_binary(void **state) {
#define CHECK(P, NAME, OP, T, Z, UX, UY, E) check_binary(P##_##NAME);
  GRID_BINARY_OPS(CHECK)
#undef CHECK
}

static int128 reference_unary(const char *op, GrB_Type t, int128 x) {
  bool is_bool = t->code == GRID_T_BOOL;
  if (one_of(op, " IDENTITY ")) return x;
  if (one_of(op, " AINV ")) return is_bool ? x : -x;
  if (one_of(op, " MINV ")) return is_bool ? 1 : reference_int("DIV", t, 1, x);
  if (one_of(op, " ABS ")) return x < 0 ? -x : x;
  if (one_of(op, " LNOT ")) return !x;
  return ~x; /* BNOT */
}
static double reference_unary_fp(const char *op, double x) {
  return one_of(op, " IDENTITY ") ? x : one_of(op, " AINV ") ? -x : one_of(op, " MINV ") ? 1 / x : fabs(x);
}
static void check_unary(GrB_UnaryOp o) {
  GrB_Type t = o->x;
  parsed p = parse(o->name + 4);
  union {
    uint64_t u;
    double d;
    float f;
    unsigned char b[8];
  } x = {0}, z = {0}, loops[2];
  int128 v[32];
  bool fp = t->code >= GRID_T_FP32, single = t->code == GRID_T_FP32;
  int n = fp ? nfp : int_values(t, v);
  for (int a = 0; a < n; a++) {
    if (!fp)
      store(t, v[a], x.b);
    else if (single)
      x.f = (float)fp_values[a];
    else
      x.d = fp_values[a];
    o->f(z.b, x.b);
    double xd = single ? (double)x.f : x.d, expect = reference_unary_fp(p.op, xd);
    bool good = fp ? same_fp(to_double(t, z.b), single ? (double)(float)expect : expect)
                   : load(t, z.b) == truncate_to_type(t, reference_unary(p.op, t, v[a]));
    if (!good) fail_msg("%s of edge value %d is wrong", o->name, a);
    for (size_t step = 0; step < 2; step++) {
      memset(loops, 0, sizeof loops);
      o->loop(loops, x.b, step, 1);
      assert_memory_equal(loops, z.b, t->size);
    }
    o->loop(loops, x.b, 0, 2);
    assert_memory_equal(loops[0].b + t->size, z.b, t->size);
  }
}
static void test_unary(void **state) {
#define CHECK(P, NAME, OP, T, Z, E) check_unary(P##_##NAME);
  GRID_UNARY_OPS(CHECK)
#undef CHECK
}

/* Positional operators against wide arithmetic, indices up to the greatest. */
static int128 reference_position(const char *op, int128 i, int128 j, int128 y) {
  if (one_of(op, " ROWINDEX ")) return i + y;
  if (one_of(op, " COLINDEX ")) return j + y;
  if (one_of(op, " DIAGINDEX ")) return j - (i + y);
  if (one_of(op, " TRIL ")) return j <= i + y;
  if (one_of(op, " TRIU ")) return j >= i + y;
  if (one_of(op, " DIAG ")) return j == i + y;
  if (one_of(op, " OFFDIAG ")) return j != i + y;
  if (one_of(op, " COLLE ")) return j <= y;
  if (one_of(op, " COLGT ")) return j > y;
  if (one_of(op, " ROWLE ")) return i <= y;
  return i > y; /* ROWGT */
}
static void check_position_op(GrB_IndexUnaryOp o) {
  const GrB_Index at[] = {0, 1, 5, 6, 1000, GrB_INDEX_MAX - 1, GrB_INDEX_MAX};
  const int64_t ys[] = {0, 1, -1, 5, -5, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN};
  parsed p = parse(o->name + 4);
  for (int i = 0; i < 7; i++)
    for (int j = 0; j < 7; j++)
      for (int k = 0; k < 9; k++) {
        union {
          uint64_t u;
          unsigned char b[8];
        } y = {0}, z = {0};
        store(o->y, ys[k], y.b);
        o->f(z.b, NULL, at[i], at[j], y.b);
        int128 expect =
            truncate_to_type(o->z, reference_position(p.op, (int128)at[i], (int128)at[j], load(o->y, y.b)));
        if (load(o->z, z.b) != expect)
          fail_msg("%s(%llu, %llu, %lld) is wrong", o->name, (unsigned long long)at[i],
                   (unsigned long long)at[j], (long long)ys[k]);
      }
}
static void check_value(GrB_IndexUnaryOp o) {
  const char *rel = o->name + strlen("GrB_VALUE");
  GrB_BinaryOp same = NULL; /* VALUExx(x, y) is xx(x, y), tested above */
#define FIND(P, NAME, OP, T, Z, UX, UY, E) \
  if (strcmp(#NAME, rel) == 0) same = P##_##NAME;
  GRID_BINARY_OPS(FIND)
#undef FIND
  assert_non_null(same);
  GrB_Type t = o->x;
  int128 v[32];
  bool fp = t->code >= GRID_T_FP32;
  int n = fp ? nfp : int_values(t, v);
  for (int a = 0; a < n; a++)
    for (int b = 0; b < n; b++) {
      union {
        uint64_t u;
        unsigned char c[8];
      } x = {0}, y = {0};
      if (fp)
        grid_cast_array(x.c, t, &fp_values[a], GrB_FP64, 1, 1),
            grid_cast_array(y.c, t, &fp_values[b], GrB_FP64, 1, 1);
      else
        store(t, v[a], x.c), store(t, v[b], y.c);
      bool got, expect;
      o->f(&got, x.c, 1, 2, y.c);
      same->f(&expect, x.c, y.c);
      assert_int_equal(got, expect);
    }
}
static void test_index_unary(void **state) {
#define CHECK(P, NAME, OP, T, Y, Z, UX, E) UX ? check_value(P##_##NAME) : check_position_op(P##_##NAME);
  GRID_INDEX_OPS(CHECK)
#undef CHECK
}

/* Every predefined monoid: the identity is neutral, the terminal value absorbs, idempotent means x + x = x.
 */
static void check_laws(GrB_Monoid m) {
  GrB_Type t = m->op->z;
  union {
    uint64_t u;
    unsigned char b[8];
  } x = {0}, z = {0};
  int128 v[32];
  bool fp = t->code >= GRID_T_FP32;
  int n = fp ? nfp : int_values(t, v);
  for (int a = 0; a < n; a++) {
    if (fp)
      grid_cast_array(x.b, t, &fp_values[a], GrB_FP64, 1, 1);
    else
      store(t, v[a], x.b);
    if (fp && isnan(fp_values[a])) continue;
    if (!m->any) {
      m->op->f(z.b, x.b, m->identity);
      assert_true(same_fp(to_double(t, z.b), to_double(t, x.b)));
    }
    if (m->terminal != NULL) {
      m->op->f(z.b, x.b, m->terminal);
      assert_true(to_double(t, z.b) == to_double(t, m->terminal));
    }
    if (m->idempotent) {
      m->op->f(z.b, x.b, x.b);
      assert_memory_equal(z.b, x.b, t->size);
    }
  }
}
static void test_monoid_laws(void **state) {
#define CHECK(P, OP, T, ID, TERM, HAS, IDEM) check_laws(P##_##OP##_MONOID_##T);
  GRID_MONOIDS(CHECK)
#undef CHECK
  /* not predefined: created from the operator; the given identity is ignored */
#define CHECK(P, OP, T, ID, TERM, HAS, IDEM)                                   \
  {                                                                            \
    GrB_Monoid m;                                                              \
    assert_int_equal(GrB_Monoid_new_##T(&m, P##_##OP##_##T, ID), GrB_SUCCESS); \
    assert_int_equal(m->terminal != NULL, HAS);                                \
    assert_int_equal(m->idempotent, IDEM);                                     \
    check_laws(m);                                                             \
    assert_int_equal(GrB_free(&m), GrB_SUCCESS);                               \
  }
  GRID_MONOIDS_UNNAMED(CHECK)
#undef CHECK
}

/* ---- casts ------------------------------------------------------------------------------------------- */

static void test_casts(void **state) {
  for (int zt = 0; zt < GRID_NTYPES; zt++)
    for (int xt = 0; xt < GRID_NTYPES; xt++) {
      GrB_Type Z = grid_types[zt], X = grid_types[xt];
      int128 v[32], limits[32];
      bool xfp = xt >= GRID_T_FP32, zfp = zt >= GRID_T_FP32;
      int n = xfp ? nfp : int_values(X, v);
      int_values(Z, limits);
      for (int a = 0; a < n; a++) {
        union {
          uint64_t u;
          double d;
          float f;
          unsigned char b[8];
        } x = {0}, z = {0}, arr[2];
        if (!xfp)
          store(X, v[a], x.b);
        else if (xt == GRID_T_FP32)
          x.f = (float)fp_values[a];
        else
          x.d = fp_values[a];
        double xd = xt == GRID_T_FP32 ? (double)x.f : x.d;
        grid_cast(Z, X)(z.b, x.b, X->size);
        if (zfp) {
          double expect = xfp ? xd : (double)v[a];
          if (zt == GRID_T_FP32) expect = xfp ? (double)(float)xd : (double)(float)v[a];
          assert_true(same_fp(zt == GRID_T_FP32 ? (double)z.f : z.d, expect));
        } else {
          int128 expect = !xfp                ? (zt == GRID_T_BOOL ? v[a] != 0 : truncate_to_type(Z, v[a]))
                          : zt == GRID_T_BOOL ? xd != 0
                          : isnan(xd)         ? 0
                          : xd <= (double)limits[0] ? limits[0]
                          : xd >= (double)limits[1] ? limits[1]
                                                    : (int128)xd;
          assert_true(load(Z, z.b) == expect);
        }
        memset(arr, 0, sizeof arr);
        grid_cast_array(arr, Z, x.b, X, 0, 2);
        assert_memory_equal(arr[0].b, z.b, Z->size);
        assert_memory_equal(arr[0].b + Z->size, z.b, Z->size);
        grid_cast_array(arr, Z, x.b, X, 1, 1);
        assert_memory_equal(arr[0].b, z.b, Z->size);
        assert_int_equal(grid_is_true(X, x.b), xfp ? xd != 0 : v[a] != 0);
      }
    }
  int8_t small;
  const double big = 300.7;
  grid_cast(GrB_INT8, GrB_FP64)(&small, &big, sizeof big);
  assert_int_equal(small, 127);
}

/* ---- what programs make ------------------------------------------------------------------------------ */

typedef struct {
  double re, im;
} pair;
static void add_pair(void *z, const void *x, const void *y) {
  pair a, b;
  memcpy(&a, x, sizeof a), memcpy(&b, y, sizeof b);
  a.re += b.re, a.im += b.im;
  memcpy(z, &a, sizeof a);
}
static void real_part(void *z, const void *x) {
  memcpy(z, x, sizeof(double));
}
static void pick(void *z, const void *x, GrB_Index i, GrB_Index j, const void *y) {
  (void)x, (void)j, (void)y;
  *(bool *)z = i % 2 == 0;
}

static void test_user_defined(void **state) {
  GrB_Type t;
  GrB_UnaryOp u;
  GrB_BinaryOp b;
  GrB_IndexUnaryOp x;
  GrB_Monoid m;
  GrB_Semiring s;
  const char *text;
  const pair zero = {0, 0}, one = {1, 2};
  assert_int_equal(GrB_Type_new(&t, sizeof(pair)), GrB_SUCCESS);
  assert_int_equal(GrB_UnaryOp_new(&u, real_part, GrB_FP64, t), GrB_SUCCESS);
  assert_int_equal(GrB_BinaryOp_new(&b, add_pair, t, t, t), GrB_SUCCESS);
  assert_int_equal(GrB_IndexUnaryOp_new(&x, pick, GrB_BOOL, t, GrB_INT64), GrB_SUCCESS);
  assert_int_equal(GrB_Monoid_new(&m, b, (const void *)&zero), GrB_SUCCESS);
  assert_int_equal(GrB_Semiring_new(&s, m, b), GrB_SUCCESS);
  assert_true(m->terminal == NULL && !m->idempotent && (uintptr_t)m->identity % 16 == 0);
  assert_memory_equal(m->identity, &zero, sizeof zero);
  assert_int_equal(GrB_wait(t, GrB_COMPLETE), GrB_SUCCESS);
  assert_int_equal(GrB_wait(s, GrB_MATERIALIZE), GrB_SUCCESS);
  assert_int_equal(GrB_error(&text, s), GrB_SUCCESS);
  assert_string_equal(text, "");

  /* a user-defined type fits itself only */
  pair copy;
  double d;
  assert_true(grid_compatible(t, t) && !grid_compatible(t, GrB_FP64) && !grid_compatible(GrB_FP64, t));
  assert_null(grid_cast(t, GrB_FP64));
  grid_cast(t, t)(&copy, &one, sizeof one);
  assert_memory_equal(&copy, &one, sizeof one);
  pair many[3];
  grid_cast_array(many, t, &one, t, 0, 3);
  assert_memory_equal(&many[2], &one, sizeof one);
  assert_false(grid_is_true(t, &one));
  u->f(&d, &one);
  assert_true(d == 1);

  assert_int_equal(GrB_free(&s), GrB_SUCCESS);
  assert_null(s);
  assert_int_equal(GrB_free(&s), GrB_SUCCESS); /* an invalid handle is ignored */
  assert_int_equal(GrB_free(&m), GrB_SUCCESS);
  assert_int_equal(GrB_free(&x), GrB_SUCCESS);
  assert_int_equal(GrB_free(&b), GrB_SUCCESS);
  assert_int_equal(GrB_free(&u), GrB_SUCCESS);
  assert_int_equal(GrB_free(&t), GrB_SUCCESS);
  assert_int_equal(grid_mem_live(), 0);
}

/* GrB_Descriptor_set of a standard field: it looks the field up in dist/fields, which is not started. */
static GrB_Info set_field(GrB_Descriptor d, GrB_Desc_Field field, GrB_Desc_Value value) {
  return grid_descriptor_set(d, field, (int32_t)value, "GrB_Descriptor_set");
}

static void test_descriptor(void **state) {
  GrB_Descriptor d;
  grid_desc g;
  assert_int_equal(grid_desc_get(NULL, "call", &g), GrB_SUCCESS);
  assert_false(g.replace || g.complement || g.structure || g.tran0 || g.tran1);
  assert_int_equal(GrB_Descriptor_new(&d), GrB_SUCCESS);
  assert_int_equal(set_field(d, GrB_OUTP, GrB_REPLACE), GrB_SUCCESS);
  assert_int_equal(set_field(d, GrB_MASK, GrB_COMP), GrB_SUCCESS);
  assert_int_equal(set_field(d, GrB_MASK, GrB_STRUCTURE), GrB_SUCCESS);
  assert_int_equal(set_field(d, GrB_INP1, GrB_TRAN), GrB_SUCCESS);
  assert_int_equal(grid_desc_get(d, "call", &g), GrB_SUCCESS);
  assert_true(g.replace && g.complement && g.structure && !g.tran0 && g.tran1);
  assert_int_equal(set_field(d, GrB_MASK, GrB_DEFAULT), GrB_SUCCESS);
  assert_int_equal(set_field(d, GrB_OUTP, GrB_DEFAULT), GrB_SUCCESS);
  assert_int_equal(set_field(d, GrB_INP0, GrB_TRAN), GrB_SUCCESS);
  assert_int_equal(grid_desc_get(d, "call", &g), GrB_SUCCESS);
  assert_true(!g.replace && !g.complement && !g.structure && g.tran0);
  assert_int_equal(set_field(d, GrB_MASK, GrB_COMP_STRUCTURE), GrB_SUCCESS);
  assert_true(d->complement && d->structure);

  const char *text;
  assert_int_equal(set_field(d, GrB_OUTP, GrB_COMP), GrB_INVALID_VALUE);
  assert_int_equal(GrB_error(&text, d), GrB_SUCCESS);
  assert_string_equal(text, "GrB_Descriptor_set: argument value is 2, which is not valid for field GrB_OUTP");
  assert_string_equal(grid_last_error(), text);
  assert_int_equal(set_field(GrB_DESC_T0, GrB_MASK, GrB_COMP), GrB_INVALID_VALUE);
  assert_int_equal(GrB_free(&d), GrB_SUCCESS);
  assert_int_equal(grid_mem_live(), 0);
}

static void test_errors(void **state) {
  GrB_Type t = NULL;
  GrB_UnaryOp u = NULL;
  GrB_BinaryOp b = NULL;
  GrB_Monoid m = NULL;
  GrB_Semiring s = NULL;
  const char *text;
  assert_int_equal(GrB_Type_new(NULL, 8), GrB_NULL_POINTER);
  assert_int_equal(GrB_Type_new(&t, 0), GrB_INVALID_VALUE);
  assert_int_equal(GrB_UnaryOp_new(&u, NULL, GrB_FP64, GrB_FP64), GrB_NULL_POINTER);
  assert_int_equal(GrB_UnaryOp_new(&u, real_part, NULL, GrB_FP64), GrB_NULL_POINTER);
  assert_string_equal(grid_last_error(), "GrB_UnaryOp_new: argument ztype is NULL");
  assert_int_equal(GrB_BinaryOp_new(&b, add_pair, GrB_FP64, GrB_FP64, NULL), GrB_NULL_POINTER);
  assert_int_equal(GrB_Monoid_new(NULL, GrB_PLUS_FP64, 0.0), GrB_NULL_POINTER);
  assert_int_equal(GrB_Monoid_new(&m, NULL, 0.0), GrB_NULL_POINTER);
  assert_int_equal(GrB_Monoid_new_UDT(&m, GrB_PLUS_FP64, NULL), GrB_NULL_POINTER);
  assert_int_equal(GrB_Monoid_new(&m, GrB_EQ_FP64, true), GrB_DOMAIN_MISMATCH);
  assert_string_equal(grid_last_error(),
                      "GrB_Monoid_new_INT32: argument op has types (FP64, FP64) -> BOOL; "
                      "a monoid needs three equal types");
  assert_int_equal(GrB_Monoid_new(&m, GrB_PLUS_INT32, 0.0), GrB_DOMAIN_MISMATCH);
  assert_int_equal(GrB_Semiring_new(&s, GrB_PLUS_MONOID_FP64, GrB_TIMES_INT32), GrB_DOMAIN_MISMATCH);
  assert_int_equal(GrB_Semiring_new(NULL, GrB_PLUS_MONOID_FP64, GrB_TIMES_FP64), GrB_NULL_POINTER);
  assert_true(t == NULL && u == NULL && b == NULL && m == NULL && s == NULL);

  /* no object at all, a dead one */
  struct GrB_Semiring_opaque dead = {{GRID_FREED, NULL, false}, NULL, NULL};
  s = &dead;
  assert_int_equal(GrB_wait(s, GrB_COMPLETE), GrB_UNINITIALIZED_OBJECT);
  assert_int_equal(GrB_error(&text, s), GrB_UNINITIALIZED_OBJECT);
  assert_int_equal(GrB_free(&s), GrB_SUCCESS);
  assert_null(s);
  assert_int_equal(GrB_free(&s), GrB_SUCCESS);
  assert_int_equal(GrB_Type_wait(NULL, GrB_COMPLETE), GrB_NULL_POINTER);
  assert_int_equal(GrB_Type_wait(GrB_FP64, (GrB_WaitMode)7), GrB_INVALID_VALUE);
  assert_int_equal(GrB_Type_error(NULL, GrB_FP64), GrB_NULL_POINTER);
  assert_int_equal(GrB_Type_free(NULL), GrB_SUCCESS);

  /* predefined objects stay */
  assert_int_equal(GrB_free(&GrB_FP64), GrB_SUCCESS);
  assert_int_equal(GrB_free(&GrB_PLUS_TIMES_SEMIRING_FP64), GrB_SUCCESS);
  assert_non_null(GrB_FP64);
  assert_non_null(GrB_PLUS_TIMES_SEMIRING_FP64);

  assert_string_equal(grid_info_name(GrB_DOMAIN_MISMATCH), "GrB_DOMAIN_MISMATCH");
  assert_string_equal(grid_info_name((GrB_Info)-55), "unknown code");
  assert_int_equal(grid_fail(NULL, GrB_PANIC, "%s again", grid_last_error()), GrB_PANIC);
  assert_non_null(strstr(grid_last_error(), " again"));
  assert_int_equal(grid_fail_memory(NULL, "a test", 3, 8), GrB_OUT_OF_MEMORY);
  assert_string_equal(grid_last_error(), "out of memory: a test needs 3 x 8 bytes");

  grid_semiring_finalize();
  assert_int_equal(GrB_Type_new(&t, 8), GrB_PANIC);
  assert_int_equal(GrB_wait(GrB_FP64, GrB_COMPLETE), GrB_PANIC);
  grid_semiring_init();
  assert_int_equal(grid_mem_live(), 0);
}

/* ---- memory ------------------------------------------------------------------------------------------ */

static void test_memory(void **state) {
  grid_mem_reset_peak();
  assert_null(grid_malloc(SIZE_MAX, 2));
  assert_null(grid_malloc(SIZE_MAX, 1));
  void *empty = grid_malloc(0, 8);
  assert_non_null(empty);
  unsigned char *p = grid_calloc(10, 10);
  assert_non_null(p);
  for (int k = 0; k < 100; k++) assert_int_equal(p[k], 0);
  assert_int_equal(grid_mem_live(), 2);
  assert_int_equal(grid_mem_bytes(), 101);
  p[99] = 7;
  unsigned char *q = grid_realloc(p, 1000, 1);
  assert_true(q != NULL && q[99] == 7);
  grid_mem_fail_after(0);
  assert_null(grid_realloc(q, 2000, 1));
  grid_mem_fail_after(1);
  void *last = grid_malloc(1, 1);
  assert_non_null(last);
  assert_null(grid_malloc(1, 1));
  assert_null(grid_malloc(1, 1));
  grid_mem_fail_after(-1);
  assert_int_equal(q[99], 7);
  assert_int_equal(grid_mem_peak(), 1002);
  grid_free(q), grid_free(empty), grid_free(last), grid_free(NULL);
  assert_int_equal(grid_mem_live(), 0);
  assert_int_equal(grid_mem_bytes(), 0);
}

/* Creates one of every kind; the outputs stay NULL where a call failed, and everything is freed. */
static GrB_Info make_all(void) {
  GrB_Type t = NULL;
  GrB_UnaryOp u = NULL;
  GrB_BinaryOp b = NULL;
  GrB_IndexUnaryOp x = NULL;
  GrB_Monoid m = NULL, known = NULL;
  GrB_Semiring s = NULL;
  GrB_Descriptor d = NULL;
  const pair zero = {0, 0};
  GrB_Info info;
  TRY(GrB_Type_new(&t, sizeof(pair)));
  TRY(GrB_UnaryOp_new(&u, real_part, GrB_FP64, t));
  TRY(GrB_BinaryOp_new(&b, add_pair, t, t, t));
  TRY(GrB_IndexUnaryOp_new(&x, pick, GrB_BOOL, t, GrB_INT64));
  TRY(GrB_Monoid_new(&m, b, (const void *)&zero));
  TRY(GrB_Monoid_new(&known, GrB_MIN_INT32, INT32_MAX));
  TRY(GrB_Semiring_new(&s, m, b));
  TRY(GrB_Descriptor_new(&d));
  if (set_field(d, GrB_MASK, GrB_TRAN) != GrB_INVALID_VALUE) info = GrB_PANIC; /* text without memory */
done:
  GrB_free(&d), GrB_free(&s), GrB_free(&known), GrB_free(&m), GrB_free(&x), GrB_free(&b), GrB_free(&u),
      GrB_free(&t);
  return info;
}
static void test_kth_allocation_fails(void **state) {
  int64_t k = 0;
  GrB_Info info;
  do {
    grid_mem_fail_after(k++);
    info = make_all();
    grid_mem_fail_after(-1);
    assert_int_equal(grid_mem_live(), 0);
    assert_true(info == GrB_SUCCESS || info == GrB_OUT_OF_MEMORY);
  } while (info != GrB_SUCCESS);
  assert_int_equal(k, 9); /* eight objects; a text that finds no memory is no failure */
}

int main(void) {
  grid_semiring_init();
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_standard_objects),
                                     cmocka_unit_test(test_our_objects),
                                     cmocka_unit_test(test_binary),
                                     cmocka_unit_test(test_unary),
                                     cmocka_unit_test(test_index_unary),
                                     cmocka_unit_test(test_monoid_laws),
                                     cmocka_unit_test(test_casts),
                                     cmocka_unit_test(test_user_defined),
                                     cmocka_unit_test(test_descriptor),
                                     cmocka_unit_test(test_errors),
                                     cmocka_unit_test(test_memory),
                                     cmocka_unit_test(test_kth_allocation_fails)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
