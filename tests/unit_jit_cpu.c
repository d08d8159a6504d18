/* Kernels compiled at run time by a C compiler. They return the same bits as the library without one, on any
 * number of processes. No problem of compiler, cache or text is an error. */
#include "tests/unit.h"
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "semiring/support/tuning.h"
#include "tests/random_numbers.h"
#include "dist/matrix/matrix.h"
#include "semiring/jit/jit_kernel.h"
#include "spmat/device/device.h"
#include "tests/c_and_text.h"
#include "tests/start_mpi.h"

static char cache[64], tmp[64];

/* ---- a program's own types and operators --------------------------------------------------------------- */

WITH_TEXT(
    pair, , typedef struct {
      double re, im;
      int32_t sum;
    } pair;)
/* Both texts define a helper `sum`, which is a member's name, too. */
WITH_TEXT(
    pair_plus, static,
    double sum(double x, double y) { return x + y; } static void pair_plus(pair *z, const pair *x,
                                                                           const pair *y) {
      z->re = sum(x->re, y->re);
      z->im = sum(x->im, y->im);
      z->sum = (int32_t)((uint32_t)x->sum + (uint32_t)y->sum);
    })
static const char pair_times_text[] =
    "/* not commutative: ' and \" and { stand in comments */ static double sum(double x, double y) {\n"
    "  return x * y + 0.5 * fmax(x, 0);\n}\n#define TWICE(x) (2 * (x))\n"
    "void pair_times(pair *z, const pair *x, const pair *y) {\n"
    "  pair r = {sum(x->re, y->im), TWICE(x->im) - y->re, x->sum - 3 * y->sum};\n  *z = r;\n}";
static void pair_times(pair *z, const pair *x, const pair *y) {
  pair r = {x->re * y->im + 0.5 * fmax(x->re, 0), 2 * x->im - y->re, x->sum - 3 * y->sum};
  *z = r;
}
WITH_TEXT(
    far_plus, static, void far_plus(double *z, const double *x, const double *y) { *z = *x + 1.25 * *y; })
WITH_TEXT(
    most, static, void most(int32_t *z, const int32_t *x, const int32_t *y) { *z = *x > *y ? *x : *y; })
WITH_TEXT(
    mix, static, void mix(double *z, const int16_t *x, const float *y) { *z = 2.0 * *x - *y; })
WITH_TEXT(
    half, static, void half(float *z, const int32_t *x) { *z = *x * 0.5f; })
WITH_TEXT(
    turn, static, void turn(pair *z, const pair *x) {
      z->re = x->im;
      z->im = -x->re;
      z->sum = x->sum;
    })
static const char broken_text[] =
    "void broken(double *z, const double *x, const double *y) { *z = nothing_such(*x); }";
static void broken(double *z, const double *x, const double *y) {
  *z = *x - *y;
}

typedef void (*unary_f)(void *, const void *);
typedef void (*binary_f)(void *, const void *, const void *);

/* ---- semirings ----------------------------------------------------------------------------------------- */

enum { KINDS = 14, PAIR_KINDS = 4, SUBSET = 2 };
typedef struct {
  GrB_Semiring s;
  GrB_Type a, u;
} kind;
static kind kinds[KINDS];
static GrB_Type pair_type;
static GrB_BinaryOp plus_op, times_op, far_op, mix_op, broken_op;
static GrB_Monoid pair_monoid, far_monoid, eq_monoid, bor_monoid, broken_monoid;
static GrB_Semiring broken_semiring;
static GrB_UnaryOp half_op, turn_op;

#define OK(...) assert_int_equal(__VA_ARGS__, GrB_SUCCESS)

static void add_kind(int *n, GrB_Monoid add, GrB_BinaryOp mul, GrB_Type a, GrB_Type u) {
  OK(GrB_Semiring_new(&kinds[*n].s, add, mul));
  kinds[*n].a = a, kinds[*n].u = u;
  ++*n;
}

static void make_kinds(void) {
  static const pair zero; /* its padding, too, is part of the kernels' text */
  const double nought = 0;
  int n = 0;
  OK(Grid_Type_new(&pair_type, sizeof(pair), "pair", pair_text));
  OK(Grid_BinaryOp_new(&plus_op, (binary_f)pair_plus, pair_type, pair_type, pair_type, "pair_plus",
                       pair_plus_text));
  OK(Grid_BinaryOp_new(&times_op, (binary_f)pair_times, pair_type, pair_type, pair_type, "pair_times",
                       pair_times_text));
  OK(Grid_BinaryOp_new(&far_op, (binary_f)far_plus, GrB_FP64, GrB_FP64, GrB_FP64, "far_plus", far_plus_text));
  OK(Grid_BinaryOp_new(&mix_op, (binary_f)mix, GrB_FP64, GrB_INT16, GrB_FP32, "mix", mix_text));
  OK(Grid_BinaryOp_new(&broken_op, (binary_f)broken, GrB_FP64, GrB_FP64, GrB_FP64, "broken", broken_text));
  OK(Grid_UnaryOp_new(&half_op, (unary_f)half, GrB_FP32, GrB_INT32, "half", half_text));
  OK(Grid_UnaryOp_new(&turn_op, (unary_f)turn, pair_type, pair_type, "turn", turn_text));
  OK(GrB_Monoid_new_UDT(&pair_monoid, plus_op, &zero));
  OK(GrB_Monoid_new_FP64(&far_monoid, far_op, nought));
  OK(GrB_Monoid_new_FP64(&broken_monoid, broken_op, nought));
  OK(GrB_Monoid_new_BOOL(&eq_monoid, GrB_EQ_BOOL, true));
  OK(GrB_Monoid_new_UINT8(&bor_monoid, GrB_BOR_UINT8, 0));
  OK(GrB_Semiring_new(&broken_semiring, broken_monoid, GrB_TIMES_FP64));
  add_kind(&n, pair_monoid, times_op, pair_type, pair_type);
  add_kind(&n, pair_monoid, plus_op, pair_type, pair_type);
  add_kind(&n, far_monoid, GrB_TIMES_FP64, GrB_FP64, GrB_INT32);
  add_kind(&n, GrB_PLUS_MONOID_FP64, mix_op, GrB_FP32, GrB_FP64);
  assert_int_equal(n, PAIR_KINDS);
  add_kind(&n, GrB_MIN_MONOID_FP64, GrB_DIV_FP64, GrB_FP64, GrB_FP64);
  add_kind(&n, GrB_MAX_MONOID_FP32, GrB_MINUS_FP32, GrB_INT8, GrB_FP32);
  add_kind(&n, GrB_PLUS_MONOID_FP64, GrB_MINUS_FP64, GrB_UINT16, GrB_BOOL);
  add_kind(&n, GrB_TIMES_MONOID_INT16, GrB_PLUS_INT16, GrB_INT16, GrB_INT16);
  add_kind(&n, GrB_MIN_MONOID_INT64, GrB_PLUS_INT64, GrB_FP64, GrB_INT64);
  add_kind(&n, GrB_LOR_MONOID_BOOL, GrB_LXOR, GrB_INT32, GrB_BOOL);
  add_kind(&n, eq_monoid, GrB_LT_INT32, GrB_INT32, GrB_INT32);
  add_kind(&n, bor_monoid, GrB_BXOR_UINT8, GrB_UINT8, GrB_UINT8);
  add_kind(&n, Grid_ANY_MONOID_FP64, GrB_MINUS_FP64, GrB_FP64, GrB_FP64);
  add_kind(&n, GrB_PLUS_MONOID_INT64, GxB_RMINUS_INT64, GrB_FP64, GrB_BOOL);
  assert_int_equal(n, KINDS);
}

static void free_kinds(void) {
  for (int k = 0; k < KINDS; k++) GrB_Semiring_free(&kinds[k].s);
  GrB_Semiring_free(&broken_semiring);
  GrB_Monoid_free(&pair_monoid), GrB_Monoid_free(&far_monoid), GrB_Monoid_free(&broken_monoid);
  GrB_Monoid_free(&eq_monoid), GrB_Monoid_free(&bor_monoid);
  GrB_UnaryOp_free(&half_op), GrB_UnaryOp_free(&turn_op);
  GrB_BinaryOp_free(&plus_op), GrB_BinaryOp_free(&times_op), GrB_BinaryOp_free(&far_op);
  GrB_BinaryOp_free(&mix_op), GrB_BinaryOp_free(&broken_op);
  GrB_Type_free(&pair_type);
}

/* ---- products ------------------------------------------------------------------------------------------ */

enum { N = 300, ENTRIES = 4000 };

static void draw_value(void *to, GrB_Type t) {
  const double special[] = {0, -0.0, INFINITY, -INFINITY, NAN};
  double x = (double)draw(2000) / 16 - 60;
  if (draw_one_in(40)) x = special[draw(5)];
  if (t->code == GRID_T_UDT)
    *(pair *)to = (pair){x, (double)draw(9), (int32_t)draw(1000)};
  else
    grid_cast(t, GrB_FP64)(to, &x, t->size);
}

/* Four rows are long. Process 0 passes all tuples. */
static GrB_Matrix draw_matrix(GrB_Type t, bool iso) {
  static GrB_Index row[ENTRIES], col[ENTRIES];
  static pair val[ENTRIES];
  uint64_t n = 0;
  GrB_Matrix A;
  for (uint64_t at = 0; at < N * N && n < ENTRIES; at++) {
    if (!draw_one_in(at < 4 * N ? 2 : 40)) continue;
    row[n] = at / N, col[n] = at % N;
    draw_value((char *)val + n++ * t->size, t);
  }
  if (Grid_rank() > 0) n = 0;
  OK(GrB_Matrix_new(&A, t, N, N));
  OK(Grid_Matrix_build(A, row, col, iso ? NULL : val, iso ? NULL : t, n, NULL, 0));
  return A;
}

static GrB_Vector draw_vector(GrB_Type t, uint64_t one_of) {
  GrB_Vector u;
  OK(GrB_Vector_new(&u, t, N));
  for (GrB_Index i = 0; i < N; i++) {
    pair x;
    if (!draw_one_in(one_of)) continue;
    draw_value(&x, t);
    if (t->code == GRID_T_UDT)
      OK(GrB_Vector_setElement_UDT(u, &x, i));
    else {
      double d;
      grid_cast(GrB_FP64, t)(&d, &x, sizeof d);
      OK(GrB_Vector_setElement_FP64(u, d, i));
    }
  }
  return u;
}

/* All results of a run, one after the other. */
typedef struct {
  char *bytes;
  size_t n, capacity;
} record;

static void record_bytes(record *r, const void *p, size_t bytes) {
  if (r->n + bytes > r->capacity) r->bytes = realloc(r->bytes, r->capacity = 2 * r->capacity + bytes + 4096);
  memcpy(r->bytes + r->n, p, bytes);
  r->n += bytes;
}

/* Any NaN is as good as another. */
static void plain(void *x, GrB_Type t) {
  if (t->code == GRID_T_FP64 && isnan(*(double *)x)) memset(x, 0x7f, 8);
  if (t->code == GRID_T_FP32 && isnan(*(float *)x)) memset(x, 0x7f, 4);
  if (t->code == GRID_T_UDT) {
    pair *p = x, q;
    memset(&q, 0, sizeof q);
    q.re = isnan(p->re) ? 1e300 : p->re, q.im = isnan(p->im) ? 1e300 : p->im, q.sum = p->sum;
    memcpy(x, &q, sizeof q);
  }
}

static void record_vector(record *r, GrB_Vector w, GrB_Type t) {
  GrB_Index at[N], n = N;
  static pair val[N];
  memset(val, 0, sizeof val);
  OK(Grid_Vector_extractLocal(at, val, &n, w));
  for (GrB_Index k = 0; k < n; k++) plain((char *)val + k * t->size, t);
  record_bytes(r, &n, sizeof n), record_bytes(r, at, n * sizeof *at), record_bytes(r, val, n * t->size);
}

static void multiply(record *r, const kind *k, GrB_Matrix A, GrB_Vector u, GrB_Vector mask, bool vxm) {
  GrB_Vector w;
  const GrB_Type t = k->s->mul->z;
  OK(GrB_Vector_new(&w, t, N));
  GrB_Descriptor d = mask ? GrB_DESC_SC : NULL;
  OK(vxm ? GrB_vxm(w, mask, NULL, k->s, u, A, d) : GrB_mxv(w, mask, NULL, k->s, A, u, d));
  if (!k->s->add->any) record_vector(r, w, t);
  GrB_Index n;
  OK(GrB_Vector_nvals(&n, w));
  record_bytes(r, &n, sizeof n);
  GrB_Vector_free(&w);
}

static void all_products(record *r, const kind *k) {
  GrB_Vector u[3] = {draw_vector(k->u, 1), draw_vector(k->u, 2), draw_vector(k->u, 30)},
             mask = draw_vector(GrB_BOOL, 2);
  for (int iso = 0; iso < (k->a->code == GRID_T_UDT ? 1 : 2); iso++) {
    GrB_Matrix A = draw_matrix(k->a, iso);
    for (int variant = 1; variant < 3; variant++)
      for (int form = 0; form < 12; form++) {
        OK(GrB_Matrix_set_INT32(A, variant, Grid_DIRECTION));
        multiply(r, k, A, u[form % 3], form / 6 ? mask : NULL, form / 3 % 2);
      }
    GrB_Matrix_free(&A);
  }
  for (int v = 0; v < 3; v++) GrB_Vector_free(&u[v]);
  GrB_Vector_free(&mask);
}

/* ---- operations on vectors ----------------------------------------------------------------------------- */

/* With op(x, y) of types x, y; and unary, of x. */
static void vector_operations(record *r, GrB_BinaryOp op, GrB_UnaryOp unary, GrB_Type xt, GrB_Type yt) {
  for (int form = 0; form < 4; form++) {
    GrB_Vector x = draw_vector(xt, form % 2 ? 2 : 1), y = draw_vector(yt, form / 2 ? 3 : 1), w[6];
    const pair given = {1.5, -2.5, 7};
    const bool user_defined = xt->code == GRID_T_UDT;
    for (int k = 0; k < 6; k++) OK(GrB_Vector_new(&w[k], k == 5 ? unary->z : op->z, N));
    OK(GrB_Vector_eWiseMult_BinaryOp(w[0], NULL, NULL, op, x, y, NULL));
    OK(GrB_Vector_eWiseAdd_BinaryOp(w[1], NULL, NULL, op, x, y, NULL));
    if (user_defined) {
      OK(GrB_Vector_apply_BinaryOp1st_UDT(w[2], NULL, NULL, op, &given, y, NULL));
      OK(GrB_Vector_apply_BinaryOp2nd_UDT(w[3], NULL, NULL, op, x, &given, NULL));
    } else {
      OK(GrB_Vector_apply_BinaryOp1st_FP64(w[2], NULL, NULL, op, 2.25, y, NULL));
      OK(GrB_Vector_apply_BinaryOp2nd_FP64(w[3], NULL, NULL, op, x, -3.5, NULL));
    }
    OK(GrB_Vector_eWiseMult_BinaryOp(w[4], NULL, NULL, op, x, y, NULL));
    if (op->x == op->z) OK(GrB_Vector_assign(w[4], NULL, op, y, GrB_ALL, N, NULL)); /* w op= y */
    OK(GrB_Vector_apply(w[5], NULL, NULL, unary, x, NULL));
    for (int k = 0; k < 6; k++) record_vector(r, w[k], k == 5 ? unary->z : op->z), GrB_Vector_free(&w[k]);
    GrB_Vector_free(&x), GrB_Vector_free(&y);
  }
}

static void all_operations(record *r) {
  vector_operations(r, times_op, turn_op, pair_type, pair_type);
  vector_operations(r, mix_op, half_op, GrB_FP64, GrB_FP32); /* casts before and behind the loops */
  vector_operations(r, far_op, half_op, GrB_FP64, GrB_FP64);
}
enum { LOOPS = 5 };

/* ---- runs ---------------------------------------------------------------------------------------------- */

static void set(const char *name, const char *value) {
  if (value)
    setenv(name, value, 1);
  else
    unsetenv(name);
}

/* The library is started for each run, with a compiler and a patience. */
static void begin(const char *cc, uint64_t after) {
  set("GRIDBLAS_CC", cc);
  grid_tune.cc_threshold = after;
  OK(GrB_init(GrB_NONBLOCKING));
  grid_fallback_reset();
  make_kinds();
}

static grid_jit_cpu_kernel_counts end(grid_jit_cpu_kernel_counts before) {
  const grid_jit_cpu_kernel_counts c = grid_jit_cpu_kernel_get_counts();
  free_kinds();
  OK(GrB_finalize());
  return (grid_jit_cpu_kernel_counts){c.from_disk - before.from_disk, c.compiled - before.compiled,
                                      c.failed - before.failed};
}

static record reference_record; /* the required result of all runs */
static int most_kinds =
    KINDS; /* of a run; GRID_TEST_SMALL=1: fewer, since compiling takes most of the time */

static grid_jit_cpu_kernel_counts run(const char *cc, int nkinds, record *r) {
  const grid_jit_cpu_kernel_counts before = grid_jit_cpu_kernel_get_counts();
  *r = (record){0};
  seed = 5;
  begin(cc, 0);
  for (int k = 0; k < nkinds; k++) all_products(r, &kinds[k]);
  if (nkinds == most_kinds) all_operations(r);
  return end(before);
}

/* With as many of the semirings. Each has a kernel for each order of its operands. */
static grid_jit_cpu_kernel_counts run_and_compare(const char *cc, int nkinds) {
  record r;
  const grid_jit_cpu_kernel_counts c = run(cc, nkinds, &r);
  assert_true(nkinds == most_kinds ? r.n == reference_record.n : r.n < reference_record.n);
  assert_memory_equal(r.bytes, reference_record.bytes, r.n);
  free(r.bytes);
  return c;
}

/* In the folder, but what begins with a dot. */
static int count_files(const char *folder, char *path, size_t capacity) {
  DIR *d = opendir(folder);
  int n = 0;
  for (struct dirent *e; d && (e = readdir(d));) {
    if (e->d_name[0] == '.') continue;
    if (path) snprintf(path, capacity, "%.60s/%.120s", folder, e->d_name);
    n++;
  }
  if (d) closedir(d);
  return n;
}

static void empty_folder(const char *folder) {
  char path[256];
  while (count_files(folder, path, sizeof path) > 0 && unlink(path) == 0) continue;
}

/* ---- tests --------------------------------------------------------------------------------------------- */

static void same_bits(void **state) {
  grid_jit_cpu_kernel_counts c = run("off", most_kinds, &reference_record);
  assert_true(c.compiled == 0 && c.from_disk == 0 && c.failed == 0);
  assert_int_equal(count_files(cache, NULL, 0), 0);
  c = run_and_compare(NULL, most_kinds);
  assert_int_equal(c.failed, 0);
  assert_true(c.compiled == 2 * (uint64_t)most_kinds + LOOPS && c.from_disk == 0);
  assert_int_equal(count_files(cache, NULL, 0), c.compiled);
  assert_int_equal(count_files(tmp, NULL, 0), 0);
  const uint64_t all = c.compiled;
  c = run_and_compare(NULL, most_kinds);
  assert_true(c.compiled == 0 && c.from_disk == all && c.failed == 0);
  c = run_and_compare("gcc", most_kinds); /* it may be what cc is */
  assert_true(c.compiled + c.from_disk == all);
}

/* A compiler that is a program of ours. */
static void write_compiler(char *path, const char *name, const char *text) {
  snprintf(path, 128, "%.60s/%s", tmp, name);
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fprintf(f, "#!/bin/sh\n[ \"$1\" = --version ] && { echo compiler of a test; exit 0; }\n%s\n", text);
  fclose(f);
  chmod(path, 0700);
}

static void reported_once(const char *part) {
  uint64_t count = 0;
  const char *text = Grid_fallback(0, &count);
  assert_non_null(text);
  if (!strstr(text, part)) print_message("\"%s\" lacks \"%s\"\n", text, part);
  assert_non_null(strstr(text, part));
  assert_int_equal(count, 1);
}

static void bad_compilers(void **state) {
  static const char *const how[] = {"echo 'k.c:1: error: nothing works' >&2; exit 1", "exit 0",
                                    "while [ \"$1\" != -o ]; do shift; done; echo garbage >\"$2\"",
                                    "kill -9 $$"};
  grid_jit_cpu_kernel_counts c = run_and_compare("/no/such/compiler", SUBSET);
  assert_int_equal(c.compiled, 0);
  reported_once("no compiler was found");
  c = run_and_compare("false", SUBSET);
  assert_true(c.compiled == 0 && c.failed == 0);
  reported_once("no compiler was found");
  for (size_t k = 0; k < sizeof how / sizeof *how; k++) {
    char path[128];
    write_compiler(path, "fake", how[k]);
    c = run_and_compare(path, SUBSET);
    assert_int_equal(c.failed, 1); /* then it is not requested again */
    reported_once("it does not work");
    unlink(path);
  }
  assert_int_equal(count_files(tmp, NULL, 0), 0);
}

static void bad_text(void **state) {
  record r = {0}, s = {0};
  const kind bad = {broken_semiring, GrB_FP64, GrB_FP64};
  grid_jit_cpu_kernel_counts before = grid_jit_cpu_kernel_get_counts();
  for (int on = 0; on < 2; on++) {
    begin(on ? NULL : "off", 0);
    kind k = bad;
    k.s = broken_semiring;
    seed = 9;
    all_products(on ? &s : &r, &k);
    if (on) all_products(&(record){0}, &kinds[0]); /* others are compiled all the same */
    if (on) assert_non_null(strstr(grid_last_error(), "nothing_such"));
    const grid_jit_cpu_kernel_counts c = end(before);
    if (on) assert_int_equal(c.failed, 2); /* both operand orders */
    if (on) assert_true(c.from_disk + c.compiled >= 1);
  }
  assert_int_equal(r.n, s.n);
  assert_memory_equal(r.bytes, s.bytes, r.n);
  free(r.bytes), free(s.bytes);
}

static void sum_is(GrB_Vector w, double expected) {
  double sum = 0;
  OK(GrB_Vector_reduce_FP64(&sum, NULL, GrB_PLUS_MONOID_FP64, w, NULL));
  assert_true(sum == expected);
}

/* Operators remain those that the preface made when they were created, also in loops and products that are
 * compiled under another one. */
static void preface_changes(void **state) {
  enum { ROWS = 500 };
  static const char *const preface[] = {"#define FACTOR 5", "#define FACTOR 6", "", "#define FACTOR 5"};
  GrB_UnaryOp one;
  GrB_BinaryOp two;
  GrB_Semiring s;
  GrB_Vector u, w;
  GrB_Matrix A;
  begin(NULL, 0);
  OK(GrB_Global_set_String(GrB_GLOBAL, preface[0], GxB_JIT_C_PREFACE));
  OK(GxB_UnaryOp_new(&one, NULL, GrB_FP64, GrB_FP64, "one",
                     "void one(double *z, const double *x) { *z = FACTOR * *x; }"));
  OK(GxB_BinaryOp_new(&two, NULL, GrB_FP64, GrB_FP64, GrB_FP64, "two",
                      "void two(double *z, const double *x, const double *y) { *z = FACTOR * *x + *y; }"));
  OK(GrB_Semiring_new(&s, GrB_PLUS_MONOID_FP64, two));
  OK(GrB_Vector_new(&u, GrB_FP64, ROWS)), OK(GrB_Vector_new(&w, GrB_FP64, ROWS));
  OK(GrB_Vector_assign_FP64(u, NULL, NULL, 1, GrB_ALL, ROWS, NULL));
  OK(GrB_Vector_apply_IndexOp_INT64(u, NULL, NULL, GrB_ROWINDEX_INT64, u, 1, NULL)); /* 1, 2, ... */
  OK(GrB_Matrix_diag(&A, u, 0));
  const double all = ROWS * (ROWS + 1) / 2;
  const grid_jit_cpu_kernel_counts before = grid_jit_cpu_kernel_get_counts();
  for (size_t k = 1; k < sizeof preface / sizeof *preface; k++) {
    OK(GrB_Global_set_String(GrB_GLOBAL, preface[k], GxB_JIT_C_PREFACE));
    OK(GrB_Vector_apply(w, NULL, NULL, one, u, NULL)), sum_is(w, 5 * all);
    OK(GrB_Vector_eWiseMult_BinaryOp(w, NULL, NULL, two, u, u, NULL)), sum_is(w, 6 * all);
    OK(GrB_mxv(w, NULL, NULL, s, A, u, NULL)), sum_is(w, 6 * all);
    const grid_jit_cpu_kernel_counts c = grid_jit_cpu_kernel_get_counts();
    assert_true(c.failed == before.failed);
    assert_true((c.compiled + c.from_disk > before.compiled + before.from_disk) == (k == 3));
  }
  OK(GrB_free(&one)), OK(GrB_free(&two)), OK(GrB_free(&s)), OK(GrB_free(&u)), OK(GrB_free(&w)),
      OK(GrB_free(&A));
  (void)end(before);
}

static void caches(void **state) {
  char path[256];
  set("GRIDBLAS_CACHE", "/proc/no/such/folder");
  grid_jit_cpu_kernel_counts c = run_and_compare(NULL, SUBSET);
  const uint64_t all = 2 * SUBSET;
  assert_true(c.compiled == all && c.failed == 0);
  set("GRIDBLAS_CACHE", cache);
  empty_folder(cache);
  chmod(cache, 0777); /* anybody could have written it */
  c = run_and_compare(NULL, SUBSET);
  assert_int_equal(c.compiled, all);
  assert_int_equal(count_files(cache, NULL, 0), 0);
  chmod(cache, 0700);
  c = run_and_compare(NULL, SUBSET);
  assert_int_equal(c.compiled, all);
  for (int part = 0; part < 3; part++) { /* one file is damaged */
    assert_int_equal(count_files(cache, path, sizeof path), all);
    FILE *f = fopen(path, "r+b");
    assert_non_null(f);
    fseek(f, part == 0 ? 4 : part == 1 ? 200 : -9, part == 2 ? SEEK_END : SEEK_SET);
    fputc('#' + part, f);
    fclose(f);
    c = run_and_compare(NULL, SUBSET);
    assert_true(c.compiled == 1 && c.from_disk == all - 1 && c.failed == 0);
  }
}

/* A folder whose parent others may write to is not used, which is reported; nor is a symbolic link instead of
 * a file, or a file that others may write. */
static void unsafe_cache_folder(void **state) {
  char outer[128], inside[160], path[256], other[300];
  const uint64_t all = 2 * SUBSET;
  empty_folder(cache);
  snprintf(outer, sizeof outer, "%.60s/open", cache);
  snprintf(inside, sizeof inside, "%s/cache", outer);
  assert_int_equal(mkdir(outer, 0700) | chmod(outer, 0777) | mkdir(inside, 0700), 0);
  set("GRIDBLAS_CACHE", inside);
  grid_jit_cpu_kernel_counts c = run_and_compare(NULL, SUBSET);
  assert_int_equal(c.compiled, all);
  assert_int_equal(count_files(inside, NULL, 0), 0);
  assert_non_null(strstr(Grid_fallback(0, NULL), "others may write to"));
  assert_non_null(strstr(Grid_fallback(0, NULL), outer));
  chmod(outer, 01777); /* sticky: files are protected */
  c = run_and_compare(NULL, SUBSET);
  assert_int_equal(count_files(inside, path, sizeof path), all);
  snprintf(other, sizeof other, "%s.other", path);
  assert_int_equal(rename(path, other) | symlink(other, path), 0);
  c = run_and_compare(NULL, SUBSET);
  assert_true(c.compiled == 1 && c.from_disk == all - 1);
  unlink(other);
  assert_int_equal(count_files(inside, path, sizeof path), all);
  chmod(path, 0622);
  c = run_and_compare(NULL, SUBSET);
  assert_true(c.compiled == 1 && c.from_disk == all - 1);
  set("GRIDBLAS_CACHE", cache);
  empty_folder(inside), rmdir(inside);
  empty_folder(cache);
  chmod(outer, 0777); /* nor is anything compiled in such a folder */
  set("TMPDIR", outer);
  write_compiler(path, "where", "case $* in *open*) exit 1;; esac; exec cc \"$@\"");
  c = run_and_compare(path, SUBSET);
  assert_true(c.compiled == all && c.failed == 0 && count_files(outer, NULL, 0) == 0);
  assert_non_null(strstr(Grid_fallback(0, NULL), "TMPDIR not used for kernels: others may write to"));
  assert_non_null(strstr(Grid_fallback(0, NULL), outer));
  unlink(path);
  set("TMPDIR", tmp);
  empty_folder(cache), rmdir(outer);
}

/* The compiler runs in the background; the program uses the kernel once it exists. */
static void background(void **state) {
  if (Grid_size() > 1)
    return; /* each process takes the kernel when it has it: they would not make the same calls */
  const time_t start = time(NULL);
  record first = {0}, now = {0};
  empty_folder(cache);
  grid_jit_cpu_kernel_counts before = grid_jit_cpu_kernel_get_counts();
  begin(NULL, 1);
  int rounds = 0;
  for (uint64_t made = 0; made < 2; rounds++) {
    record *r = rounds ? &now : &first;
    seed = 11, r->n = 0;
    all_products(r, &kinds[0]);
    made = grid_jit_cpu_kernel_get_counts().compiled - before.compiled;
    assert_int_equal(r->n, first.n);
    assert_memory_equal(r->bytes, first.bytes, r->n);
    assert_true(time(NULL) - start < 60);
  }
  end(before);
  free(first.bytes), free(now.bytes);

  begin(NULL, 1); /* the library ends while the compiler runs */
  empty_folder(cache);
  record r = {0};
  GrB_Matrix A = draw_matrix(pair_type, false);
  GrB_Vector u = draw_vector(pair_type, 1);
  for (int k = 0; k < 2; k++) multiply(&r, &kinds[1], A, u, NULL, false);
  assert_true(count_files(tmp, NULL, 0) <= 1);
  GrB_Matrix_free(&A), GrB_Vector_free(&u);
  end(before);
  assert_int_equal(count_files(tmp, NULL, 0), 0);
  free(r.bytes);
}

/* Out of memory at any step: the product fails or is right, and nothing is lost. */
static void memory(void **state) {
  if (Grid_size() > 1) return; /* one process alone would fail */
  empty_folder(cache);
  grid_jit_cpu_kernel_counts before = grid_jit_cpu_kernel_get_counts();
  begin(NULL, 0);
  seed = 13;
  GrB_Matrix A = draw_matrix(pair_type, false);
  GrB_Vector u = draw_vector(pair_type, 1), w;
  OK(GrB_Matrix_wait(A, GrB_MATERIALIZE));
  OK(GrB_Vector_new(&w, pair_type, N));
  OK(GrB_mxv(w, NULL, NULL, kinds[1].s, A, u, NULL)); /* all kernels but the first semiring's are cached */
  const int64_t live = grid_mem_live();
  GrB_Info info = GrB_OUT_OF_MEMORY;
  for (int k = 0; info != GrB_SUCCESS || grid_jit_cpu_kernel_get_counts().compiled - before.compiled < 2;
       k++) {
    assert_true(k < 100);
    grid_mem_fail_after(k);
    info = GrB_mxv(w, NULL, NULL, kinds[0].s, A, u, NULL);
    grid_mem_fail_after(-1);
    assert_true(info == GrB_SUCCESS || info == GrB_OUT_OF_MEMORY);
    GrB_Vector_free(&w);
    OK(GrB_Vector_new(&w, pair_type, N));
  }
  OK(GrB_mxv(w, NULL, NULL, kinds[0].s, A, u, NULL));
  assert_int_equal(grid_mem_live(), live);
  GrB_Matrix_free(&A), GrB_Vector_free(&u), GrB_Vector_free(&w);
  end(before);
}

/* An operator of the user's without a monoid, hence without an identity: a split matrix sums its rows by
 * products, which must do without, too. */
static void row_sums(void **state) {
  const grid_jit_cpu_kernel_counts before = grid_jit_cpu_kernel_get_counts();
  record r[2] = {{0}, {0}};
  GrB_BinaryOp op = NULL;
  GrB_Vector w;
  begin(NULL, 0);
  OK(Grid_BinaryOp_new(&op, (binary_f)most, GrB_INT32, GrB_INT32, GrB_INT32, "most", most_text));
  for (int split = 0; split < 2; split++) {
    seed = 17;
    GrB_Matrix A = draw_matrix(GrB_INT32, false);
    if (split) OK(GrB_Matrix_set_INT32(A, 4, Grid_DELEGATES));
    OK(GrB_Matrix_wait(A, GrB_MATERIALIZE));
    OK(GrB_Vector_new(&w, GrB_INT32, N));
    for (int d = 0; d < 2; d++) {
      OK(GrB_Matrix_reduce_BinaryOp(w, NULL, NULL, op, A, d ? GrB_DESC_T0 : NULL));
      record_vector(&r[split], w, GrB_INT32);
    }
    GrB_Matrix_free(&A), GrB_Vector_free(&w);
  }
  assert_true(r[0].n == r[1].n && memcmp(r[0].bytes, r[1].bytes, r[0].n) == 0);
  GrB_BinaryOp_free(&op);
  free(r[0].bytes), free(r[1].bytes);
  end(before);
}

static int group(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(same_bits),  cmocka_unit_test(bad_compilers),
                                     cmocka_unit_test(bad_text),   cmocka_unit_test(preface_changes),
                                     cmocka_unit_test(caches),     cmocka_unit_test(unsafe_cache_folder),
                                     cmocka_unit_test(background), cmocka_unit_test(memory),
                                     cmocka_unit_test(row_sums)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void) {
  const bool launched = start_mpi();
  snprintf(cache, sizeof cache, "/tmp/grid_made_XXXXXX");
  snprintf(tmp, sizeof tmp, "/tmp/grid_tmp_XXXXXX");
  if (!mkdtemp(cache) || !mkdtemp(tmp)) return 1;
  set("GRIDBLAS_KERNELS", ""); /* no others */
  set("GRIDBLAS_CACHE", cache);
  set("TMPDIR", tmp);
  set("GRIDBLAS_CC", NULL);
  if (system("cc --version >/dev/null 2>&1") != 0) {
    printf("skipped: there is no C compiler\n");
    return 77;
  }
  if (getenv("GRID_TEST_SMALL")) most_kinds = PAIR_KINDS + 2;
  const int failed = group();
  free(reference_record.bytes);
  empty_folder(cache), rmdir(cache), rmdir(tmp);
  if (launched) stop_mpi();
  return failed;
}
