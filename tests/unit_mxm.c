/* GrB_mxm against a dense model that every process computes: random shapes (1 x 1 to hypersparse 2^60),
 * types, semirings, masks, accumulators, descriptors and aliases. Each row kernel, stages one by one and
 * together. Runs on any number of processes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit.h"
#include "semiring/support/tuning.h"
#include "dist/matrix/matrix.h"
#include "tests/gpu_present.h"
#include "tests/random_numbers.h"
#include "tests/grid_shapes.h"

enum { POSITIONS = 40, WIDEST = 24 };

/* ---- semirings ----------------------------------------------------------------------------------------- */

typedef struct {
  int64_t v[3];
} large;
static GrB_Type large_type;
static GrB_BinaryOp large_plus, large_times, mixed_times, int_plus;
static GrB_Monoid large_monoid, int_monoid;
static GrB_Semiring large_semiring, mixed_semiring, user_int_semiring, plus_second, plus_first, max_min,
    count32;

static void large_plus_f(void *z, const void *x, const void *y) {
  large a, b;
  memcpy(&a, x, sizeof a), memcpy(&b, y, sizeof b);
  for (int k = 0; k < 3; k++) a.v[k] += b.v[k];
  memcpy(z, &a, sizeof a);
}
static void large_times_f(void *z, const void *x, const void *y) { /* not commutative */
  large a, b, c;
  memcpy(&a, x, sizeof a), memcpy(&b, y, sizeof b);
  for (int k = 0; k < 3; k++) c.v[k] = 5 * a.v[k] - b.v[(k + 1) % 3];
  memcpy(z, &c, sizeof c);
}
static void mixed_times_f(void *z, const void *x, const void *y) { /* double, int32 -> wide */
  double a;
  int32_t b;
  large c;
  memcpy(&a, x, sizeof a), memcpy(&b, y, sizeof b);
  for (int k = 0; k < 3; k++) c.v[k] = (int64_t)a * (k + 2) - b;
  memcpy(z, &c, sizeof c);
}
static void int_plus_f(void *z, const void *x, const void *y) {
  int32_t a, b;
  memcpy(&a, x, sizeof a), memcpy(&b, y, sizeof b);
  a = (int32_t)((uint32_t)a + (uint32_t)b);
  memcpy(z, &a, sizeof a);
}

#define OK(call) assert_int_equal(call, GrB_SUCCESS)

static GrB_Semiring semirings[40];
static size_t nsemirings;

static void make_operators(void) {
  const large zero = {{0}};
  OK(GrB_Type_new(&large_type, sizeof(large)));
  OK(GrB_BinaryOp_new(&large_plus, large_plus_f, large_type, large_type, large_type));
  OK(GrB_BinaryOp_new(&large_times, large_times_f, large_type, large_type, large_type));
  OK(GrB_BinaryOp_new(&mixed_times, mixed_times_f, large_type, GrB_FP64, GrB_INT32));
  OK(GrB_BinaryOp_new(&int_plus, int_plus_f, GrB_INT32, GrB_INT32, GrB_INT32));
  OK(GrB_Monoid_new_UDT(&large_monoid, large_plus, &zero));
  OK(GrB_Monoid_new_INT32(&int_monoid, int_plus, 0));
  OK(GrB_Semiring_new(&large_semiring, large_monoid, large_times));
  OK(GrB_Semiring_new(&mixed_semiring, large_monoid, mixed_times));
  OK(GrB_Semiring_new(&user_int_semiring, int_monoid, GrB_TIMES_INT32));
  OK(GrB_Semiring_new(&plus_second, GrB_PLUS_MONOID_FP64, GrB_SECOND_FP64));
  OK(GrB_Semiring_new(&plus_first, GrB_PLUS_MONOID_UINT32, GrB_FIRST_UINT32));
  OK(GrB_Semiring_new(&max_min, GrB_MAX_MONOID_INT64, GrB_MIN_INT64));
  OK(GrB_Semiring_new(&count32, GrB_PLUS_MONOID_INT32, GrB_ONEB_INT32));
  const GrB_Semiring all[] = {GrB_PLUS_TIMES_SEMIRING_FP64,
                              GrB_PLUS_TIMES_SEMIRING_FP64,
                              GrB_PLUS_TIMES_SEMIRING_FP32,
                              GrB_MIN_PLUS_SEMIRING_INT32,
                              GrB_MIN_PLUS_SEMIRING_FP64,
                              GrB_MAX_PLUS_SEMIRING_INT64,
                              GrB_LOR_LAND_SEMIRING_BOOL,
                              GrB_LAND_LOR_SEMIRING_BOOL,
                              GrB_LXOR_LAND_SEMIRING_BOOL,
                              Grid_ANY_SECONDI_SEMIRING_INT64,
                              Grid_MIN_SECONDI_SEMIRING_INT64,
                              Grid_MIN_SECONDI_SEMIRING_INT32,
                              Grid_PLUS_ONEB_SEMIRING_UINT64,
                              Grid_ANY_SECOND_SEMIRING_FP32,
                              Grid_ANY_FIRST_SEMIRING_INT8,
                              Grid_ANY_ONEB_SEMIRING_BOOL,
                              Grid_ANY_ONEB_SEMIRING_FP64,
                              GrB_PLUS_MIN_SEMIRING_INT16,
                              GrB_MIN_FIRST_SEMIRING_UINT64,
                              GrB_MIN_SECOND_SEMIRING_FP32,
                              GxB_PLUS_TIMES_FC64,
                              GxB_PLUS_RMINUS_FC32,
                              GxB_ANY_PAIR_FC64,
                              GxB_EQ_GT_FP32,
                              GxB_MAX_RMINUS_INT32,
                              GxB_BXOR_BAND_UINT8,
                              GxB_PLUS_SECONDI_INT64,
                              large_semiring,
                              mixed_semiring,
                              user_int_semiring,
                              plus_second,
                              plus_first,
                              max_min,
                              count32};
  nsemirings = sizeof all / sizeof *all;
  memcpy(semirings, all, sizeof all);
}

static void free_operators(void) {
  GrB_Semiring *s[] = {&large_semiring, &mixed_semiring, &user_int_semiring, &plus_second, &plus_first,
                       &max_min,        &count32};
  for (size_t k = 0; k < sizeof s / sizeof *s; k++) GrB_Semiring_free(s[k]);
  GrB_Monoid_free(&large_monoid), GrB_Monoid_free(&int_monoid);
  GrB_BinaryOp *o[] = {&large_plus, &large_times, &mixed_times, &int_plus};
  for (size_t k = 0; k < sizeof o / sizeof *o; k++) GrB_BinaryOp_free(o[k]);
  GrB_Type_free(&large_type);
}

/* ---- the model: a dimension is represented by the few indices that may have entries -------------------- */

typedef struct {
  uint64_t n;
  int positions;
  uint64_t at[POSITIONS]; /* ascending */
} axis;

typedef struct {
  const axis *row, *col;
  GrB_Type type;
  bool iso;
  bool has[POSITIONS][POSITIONS];
  char val[POSITIONS][POSITIONS][WIDEST];
} model;

static int by_value(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

static void draw_axis(axis *a) {
  const uint64_t sizes[] = {1,   4,    1 + draw(POSITIONS), 1 + draw(POSITIONS), 70,
                            700, 5000, UINT64_C(1) << 33,   UINT64_C(1) << 60};
  a->n = sizes[draw(9)];
  int want = a->n < POSITIONS ? (int)a->n : 2 + (int)draw(POSITIONS - 2);
  for (int k = 0; k < want; k++)
    a->at[k] =
        a->n < POSITIONS ? (uint64_t)k : (draw(UINT64_C(1) << 30) << 30 | draw(UINT64_C(1) << 30)) % a->n;
  if (a->n >= POSITIONS) a->at[0] = a->n - 1;
  qsort(a->at, (size_t)want, sizeof *a->at, by_value);
  a->positions = 0;
  for (int k = 0; k < want; k++)
    if (k == 0 || a->at[k] != a->at[k - 1]) a->at[a->positions++] = a->at[k];
}

static void draw_value(char *v, GrB_Type t) {
  memset(v, 0, WIDEST);
  int64_t x = (int64_t)draw(9) - 3;
  if (t == large_type) {
    const large r = {{x, x - 7, (int64_t)draw(100)}};
    memcpy(v, &r, sizeof r);
  } else {
    grid_cast(t, GrB_INT64)(v, &x, t->size);
  }
}

static void draw_model(model *m, const axis *r, const axis *c, GrB_Type type) {
  memset(m, 0, sizeof *m);
  m->row = r, m->col = c, m->type = type;
  m->iso = type != large_type && draw_one_in(3);
  const uint64_t percent = draw_one_in(8) ? 0 : draw_one_in(6) ? 100 : 1 + draw(draw_one_in(2) ? 10 : 60);
  for (int i = 0; i < r->positions; i++)
    for (int j = 0; j < c->positions; j++) {
      const int64_t one = 1;
      m->has[i][j] = draw(100) < percent;
      if (m->iso)
        grid_cast(type, GrB_INT64)(m->val[i][j], &one, type->size);
      else
        draw_value(m->val[i][j], type);
    }
}

/* All processes pass all tuples, or each its own. */
static GrB_Matrix matrix_of(const model *m) {
  static uint64_t row[POSITIONS * POSITIONS], col[POSITIONS * POSITIONS];
  static char val[POSITIONS * POSITIONS * WIDEST];
  const size_t size = m->type->size;
  uint64_t n = 0;
  GrB_Matrix A;
  OK(GrB_Matrix_new(&A, m->type, m->row->n, m->col->n));
  for (int i = 0; i < m->row->positions; i++)
    for (int j = 0; j < m->col->positions; j++) {
      if (!m->has[i][j] || (i + j) % Grid_size() != Grid_rank()) continue;
      row[n] = m->row->at[i], col[n] = m->col->at[j];
      memcpy(val + n++ * size, m->val[i][j], size);
    }
  OK(Grid_Matrix_build(A, row, col, m->iso ? NULL : val, m->iso ? NULL : m->type, n, NULL, 0));
  return A;
}

/* ---- the product --------------------------------------------------------------------------------------- */

typedef struct {
  const model *A, *B, *C, *mask;
  GrB_Semiring s;
  GrB_BinaryOp accum;
  GrB_Descriptor desc;
  grid_desc d;
} call;

static void cast_to(char *z, GrB_Type zt, const char *x, GrB_Type xt) {
  memset(z, 0, WIDEST);
  grid_cast(zt, xt)(z, x, zt->size);
}

static bool has(const model *m, bool t, int i, int j) {
  return t ? m->has[j][i] : m->has[i][j];
}
static const char *val(const model *m, bool t, int i, int j) {
  return t ? m->val[j][i] : m->val[i][j];
}

static const axis *inner_of(const call *c) {
  return c->d.tran0 ? c->A->row : c->A->col;
}

static void one_product(const call *c, char *z, int i, int k, int j) {
  const GrB_BinaryOp mul = c->s->mul;
  char a[WIDEST] = {0}, b[WIDEST] = {0};
  memset(z, 0, WIDEST);
  if (!mul->f) {
    const int64_t g = (int64_t)inner_of(c)->at[k];
    const int32_t low = (int32_t)g;
    memcpy(z, mul->z->size == 4 ? (const void *)&low : &g, mul->z->size);
    return;
  }
  if (mul->uses_x) cast_to(a, mul->x, val(c->A, c->d.tran0, i, k), c->A->type);
  if (mul->uses_y) cast_to(b, mul->y, val(c->B, c->d.tran1, k, j), c->B->type);
  mul->f(z, a, b);
}

static bool is_term(const call *c, int i, int k, int j) {
  return has(c->A, c->d.tran0, i, k) && has(c->B, c->d.tran1, k, j);
}

static bool sum_of(const call *c, char *z, int i, int j) {
  bool any = false;
  for (int k = 0; k < inner_of(c)->positions; k++) {
    char t[WIDEST];
    if (!is_term(c, i, k, j)) continue;
    one_product(c, t, i, k, j);
    if (any)
      c->s->add->op->f(z, z, t);
    else
      memcpy(z, t, WIDEST);
    any = true;
  }
  return any;
}

static bool allows(const call *c, int i, int j) {
  if (!c->mask) return !c->d.complement;
  const bool in = c->mask->has[i][j] && (c->d.structure || grid_is_true(c->mask->type, c->mask->val[i][j]));
  return in != c->d.complement;
}

/* C(i,j) accum t in C's type. */
static void accumulate_entry(const call *c, char *z, int i, int j, const char *t) {
  const GrB_Type type = c->s->add->op->z;
  if (!c->accum || !c->C->has[i][j]) {
    cast_to(z, c->C->type, t, type);
    return;
  }
  char a[WIDEST], b[WIDEST], r[WIDEST] = {0};
  cast_to(a, c->accum->x, c->C->val[i][j], c->C->type);
  cast_to(b, c->accum->y, t, type);
  c->accum->f(r, a, b);
  cast_to(z, c->C->type, r, c->accum->z);
}

static bool fits(const call *c, int i, int j, const char *t, const char *v) {
  char z[WIDEST];
  const size_t size = c->C->type->size;
  if (!c->s->add->any) {
    accumulate_entry(c, z, i, j, t);
    return memcmp(z, v, size) == 0;
  }
  for (int k = 0; k < inner_of(c)->positions; k++) {
    if (!is_term(c, i, k, j)) continue;
    one_product(c, z, i, k, j);
    char r[WIDEST];
    accumulate_entry(c, r, i, j, z);
    if (memcmp(r, v, size) == 0) return true;
  }
  return false;
}

static int position_of(const axis *a, uint64_t index) {
  for (int k = 0; k < a->positions; k++)
    if (a->at[k] == index) return k;
  return -1;
}

static uint64_t compare(GrB_Matrix got, const call *c) {
  static uint64_t I[POSITIONS * POSITIONS], J[POSITIONS * POSITIONS];
  static char X[POSITIONS * POSITIONS * WIDEST];
  static char *found[POSITIONS][POSITIONS];
  const model *C = c->C;
  uint64_t n = POSITIONS * POSITIONS, bad = 0;
  if (C->type == large_type)
    OK(GrB_Matrix_extractTuples_UDT(I, J, X, &n, got));
  else { /* in the matrix's type, without a cast */
    GrB_Index local = POSITIONS * POSITIONS;
    OK(Grid_Matrix_extractLocal(I, J, X, &local, got));
    n = local;
  }
  memset(found, 0, sizeof found);
  for (uint64_t e = 0; e < n; e++) {
    const int i = position_of(C->row, I[e]), j = position_of(C->col, J[e]);
    if (i < 0 || j < 0) {
      bad++;
      continue;
    }
    found[i][j] = X + e * C->type->size;
  }
  for (int i = 0; i < C->row->positions; i++)
    for (int j = 0; j < C->col->positions; j++) {
      if (C->type != large_type &&
          grid_block_of(C->row->n, C->col->n, C->row->at[i], C->col->at[j]) != grid_ctx.k)
        continue;
      char t[WIDEST];
      const bool any = sum_of(c, t, i, j), allowed = allows(c, i, j), fresh = allowed && any,
                 want = allowed ? fresh || (c->accum && C->has[i][j]) : C->has[i][j] && !c->d.replace;
      bool fine = want == (found[i][j] != NULL);
      if (fine && want)
        fine = fresh ? fits(c, i, j, t, found[i][j]) : memcmp(found[i][j], C->val[i][j], C->type->size) == 0;
      if (!fine && bad++ < 3)
        print_message("process %d: C(%llu,%llu): %s, should be %s\n", Grid_rank(),
                      (unsigned long long)C->row->at[i], (unsigned long long)C->col->at[j],
                      found[i][j] ? "entry" : "none", want ? "entry" : "none");
    }
  return bad;
}

static GrB_Type draw_type(GrB_Type like) {
  const GrB_Type t[] = {GrB_BOOL, GrB_INT8, GrB_INT32, GrB_INT64, GrB_FP64, GrB_UINT16, GxB_FC32};
  return like->code == GRID_T_UDT || draw_one_in(2) ? like : t[draw(7)];
}

static void run_case(void) {
  static model A, B, C, mask;
  axis r, l, k;
  call c = {.A = &A, .B = &B, .C = &C, .s = semirings[draw(nsemirings)]};
  const GrB_Type z = c.s->add->op->z;
  draw_axis(&r), draw_axis(&l), draw_axis(&k);
  if (draw_one_in(3)) l = r, k = r;
  c.d = (grid_desc){draw_one_in(3), draw_one_in(3), draw_one_in(2), draw_one_in(3), draw_one_in(3)};
  OK(GrB_Descriptor_new(&c.desc));
  c.desc->replace = c.d.replace, c.desc->complement = c.d.complement, c.desc->structure = c.d.structure;
  c.desc->tran0 = c.d.tran0, c.desc->tran1 = c.d.tran1;
  draw_model(&A, c.d.tran0 ? &l : &r, c.d.tran0 ? &r : &l, draw_type(c.s->mul->x));
  draw_model(&B, c.d.tran1 ? &k : &l, c.d.tran1 ? &l : &k, draw_type(c.s->mul->y));
  draw_model(&C, &r, &k, draw_type(z));
  draw_model(&mask, &r, &k, draw_type(GrB_BOOL));
  if (draw_one_in(3) && z->code != GRID_T_UDT) c.accum = GrB_PLUS_INT64;
  if (draw_one_in(3) && z == large_type) c.accum = large_plus;
  if (!draw_one_in(3)) c.mask = &mask;
  GrB_Matrix a = matrix_of(&A), b = matrix_of(&B), got = matrix_of(&C), m = c.mask ? matrix_of(&mask) : NULL;
  const bool same =
      l.n == r.n && k.n == r.n && l.positions == r.positions && memcmp(l.at, r.at, sizeof r.at) == 0;
  if (c.mask && draw_one_in(6) && C.type != large_type) { /* the mask is C itself */
    GrB_Matrix_free(&m);
    m = got;
    c.mask = &C;
  }
  GrB_Matrix into = got, left = a;
  if (same && draw_one_in(4) && A.type == B.type && !c.d.tran0 && !c.d.tran1) left = b, c.A = &B; /* A is B */
  grid_tune.stage_bytes = draw_one_in(2) ? 0 : draw_one_in(2) ? 500 : UINT64_C(1) << 20;
  const uint64_t words[][2] = {{2, 1 << 11}, {0, 0}, {0, UINT64_MAX}, {UINT64_MAX, 0}}, *w = words[draw(4)];
  grid_tune.mxm_dense_words = w[0], grid_tune.mxm_sorted_words = w[1];
  grid_tune.mxm_bitmap_share = draw_one_in(4) ? 16 : UINT64_MAX;
  const GrB_Info info = GrB_mxm(into, m, c.accum, c.s, left, b, c.desc);
  if (info != GrB_SUCCESS) print_message("%s\n", Grid_last_error());
  assert_int_equal(info, GrB_SUCCESS);
  const uint64_t bad = compare(into, &c);
  if (bad)
    print_message("%s.%s, %llu x %llu x %llu, mask %d comp %d struct %d t0 %d t1 %d repl %d accum %d\n",
                  c.s->add->op->name, c.s->mul->name, (unsigned long long)r.n, (unsigned long long)l.n,
                  (unsigned long long)k.n, c.mask != NULL, c.d.complement, c.d.structure, c.d.tran0,
                  c.d.tran1, c.d.replace, c.accum != NULL);
  assert_int_equal(bad, 0);
  if (m != got) GrB_Matrix_free(&m);
  GrB_Matrix_free(&a), GrB_Matrix_free(&b), GrB_Matrix_free(&got);
  GrB_Descriptor_free(&c.desc);
}

static void random_products(void **state) {
  make_operators();
  const char *cases = getenv("GRID_TEST_CASES");
  for (int n = cases              ? atoi(cases)
               : Grid_size() == 1 ? 800
                                  : 600 / Grid_size() / Grid_size() + 40;
       n > 0; n--)
    run_case();
  free_operators();
}

/* ---- errors -------------------------------------------------------------------------------------------- */

/* Pending elements of B make its axes hypersparse: A's inner indices have another numbering. */
static void pending_elements(void **state) {
  enum { N = 64 };
  const GrB_Index at[] = {5, 20, 50};
  GrB_Matrix A, B, C, M;
  GrB_Index i[N], nvals;
  int32_t one[N], x;
  for (GrB_Index k = 0; k < N; k++) i[k] = k, one[k] = 1;
  OK(GrB_Matrix_new(&A, GrB_INT32, N, N));
  OK(GrB_Matrix_new(&B, GrB_INT32, N, N));
  OK(GrB_Matrix_new(&C, GrB_INT32, N, N));
  OK(GrB_Matrix_new(&M, GrB_INT32, N, N));
  OK(GrB_Matrix_build_INT32(A, i, i, one, N, NULL)); /* the identity */
  for (int k = 0; k < 3; k++) {
    OK(GrB_Matrix_setElement_INT32(M, 1, at[k], at[2 - k]));
    OK(GrB_Matrix_setElement_INT32(B, 10 + k, at[k], at[2 - k]));
  }
  OK(GrB_mxm(C, M, NULL, GrB_PLUS_TIMES_SEMIRING_INT32, A, B, NULL));
  OK(GrB_Matrix_nvals(&nvals, C));
  assert_int_equal(nvals, 3);
  for (int k = 0; k < 3; k++) {
    OK(GrB_Matrix_extractElement_INT32(&x, C, at[k], at[2 - k]));
    assert_int_equal(x, 10 + k);
  }
  OK(GrB_Matrix_free(&A));
  OK(GrB_Matrix_free(&B));
  OK(GrB_Matrix_free(&C));
  OK(GrB_Matrix_free(&M));
}

/* C = A A', one operand the other's transpose: an iso block, beside others with values, is expanded where the
 * transpose is computed. */
static void transpose_of_itself(void **state) {
  enum { ROWS = 600, COLS = 384 };
  GrB_Index I[ROWS], J[ROWS];
  int16_t X[ROWS];
  int64_t x;
  for (GrB_Index k = 0; k < ROWS; k++) I[k] = k, J[k] = 7 * k % COLS, X[k] = k < ROWS / 2 ? 4 : (int16_t)k;
  GrB_Matrix A, C;
  GrB_Index nvals;
  OK(GrB_Matrix_new(&A, GrB_INT16, ROWS, COLS));
  OK(GrB_Matrix_new(&C, GrB_INT64, ROWS, ROWS));
  OK(GrB_Matrix_build_INT16(A, I, J, X, ROWS, NULL));
  OK(GrB_mxm(C, NULL, NULL, GrB_MIN_FIRST_SEMIRING_UINT64, A, A, GrB_DESC_T1));
  OK(GrB_Matrix_nvals(&nvals, C));
  assert_int_equal(nvals, ROWS + 2 * (ROWS - COLS));
  for (GrB_Index k = 0; k < ROWS; k++) {
    OK(GrB_Matrix_extractElement_INT64(&x, C, k, k));
    assert_int_equal(x, X[k]);
  }
  OK(GrB_Matrix_free(&A));
  OK(GrB_Matrix_free(&C));
}

/* C = A A where values are converted: on several processes the left operand is some rows of the right one. */
static void square_of_converted_values(void **state) {
  enum { N = 300 };
  GrB_Index I[N], J[N], nvals;
  int32_t X[N];
  double x;
  for (GrB_Index k = 0; k < N; k++) I[k] = k, J[k] = (k + 1) % N, X[k] = (int32_t)k + 1;
  GrB_Matrix A, C;
  OK(GrB_Matrix_new(&A, GrB_INT32, N, N));
  OK(GrB_Matrix_new(&C, GrB_FP64, N, N));
  OK(GrB_Matrix_build_INT32(A, I, J, X, N, NULL));
  OK(GrB_mxm(C, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, A, NULL));
  OK(GrB_Matrix_nvals(&nvals, C));
  assert_int_equal(nvals, N);
  for (GrB_Index k = 0; k < N; k++) {
    OK(GrB_Matrix_extractElement_FP64(&x, C, k, (k + 2) % N));
    assert_true(x == (double)X[k] * X[J[k]]);
  }
  OK(GrB_Matrix_free(&A));
  OK(GrB_Matrix_free(&C));
}

static GrB_Matrix make_scattered(GrB_Index rows, GrB_Index cols, uint64_t entries) {
  GrB_Index *i = malloc((entries + 1) * sizeof *i), *j = malloc((entries + 1) * sizeof *j);
  bool *x = malloc(entries + 1);
  GrB_Matrix A;
  assert_true(i && j && x);
  for (uint64_t e = 0; e < entries; e++) i[e] = draw(rows), j[e] = draw(cols), x[e] = true;
  OK(GrB_Matrix_new(&A, GrB_BOOL, rows, cols));
  OK(GrB_Matrix_build_BOOL(A, i, j, x, entries, GrB_LOR));
  free(i), free(j), free(x);
  return A;
}

/* C and D have the same entries, none of them false or 0. */
static void assert_same_pattern(GrB_Matrix C, GrB_Matrix D, GrB_Index rows, GrB_Index cols) {
  GrB_Matrix same;
  GrB_Index found, wanted, both;
  bool all = true;
  OK(GrB_Matrix_new(&same, GrB_BOOL, rows, cols));
  OK(GrB_Matrix_eWiseMult_BinaryOp(same, NULL, NULL, GrB_LAND, C, D, NULL));
  OK(GrB_Matrix_nvals(&found, C));
  OK(GrB_Matrix_nvals(&wanted, D));
  OK(GrB_Matrix_nvals(&both, same));
  assert_int_equal(found, wanted);
  assert_int_equal(found, both);
  OK(GrB_Matrix_reduce_BOOL(&all, NULL, GrB_LAND_MONOID_BOOL, same, NULL));
  assert_true(all);
  GrB_Matrix_free(&same);
}

/* A few rows by words: the pattern is that of the same product with numbers, which uses the row kernels. */
static void few_rows(void **state) {
  const GrB_Descriptor descs[] = {GrB_NULL,   GrB_DESC_S,    GrB_DESC_RSC, GrB_DESC_SC,
                                  GrB_DESC_C, GrB_DESC_RST1, GrB_DESC_R,   GrB_DESC_RSCT1};
  const GrB_Index sizes[] = {1, 63, 64, 130, 512, 577, 700};
  for (int turn = 0; turn < 60; turn++) {
    const GrB_Index rows = 1 + draw(turn % 3 == 0 ? 150 : 66), n = sizes[draw(7)], l = sizes[draw(7)];
    const GrB_Descriptor desc = descs[turn % 8];
    const bool t1 = turn % 8 == 5 || turn % 8 == 7;
    GrB_Matrix A = make_scattered(rows, l, draw(3) * draw(rows * l)),
               B = t1 ? make_scattered(n, l, 4 * n) : make_scattered(l, n, 4 * n),
               M = turn % 5 == 0 ? NULL : make_scattered(rows, n, draw(2) * draw(rows * n)), C, D;
    OK(GrB_Matrix_new(&C, GrB_BOOL, rows, n));
    OK(GrB_Matrix_new(&D, GrB_INT64, rows, n));
    if (turn % 2 == 0) { /* C's positions are allocated */
      OK(GrB_Matrix_assign_BOOL(C, NULL, NULL, true, GrB_ALL, rows, GrB_ALL, n, NULL));
      OK(GrB_Matrix_assign_INT64(D, NULL, NULL, 1, GrB_ALL, rows, GrB_ALL, n, NULL));
    }
    if (M && turn % 3 == 0)
      OK(GrB_Matrix_eWiseMult_BinaryOp(M, NULL, NULL, GrB_LAND, M, M, NULL)); /* by place */
    grid_tune.mxm_bitmap_share = UINT64_MAX;
    OK(GrB_mxm(C, M, NULL, Grid_ANY_ONEB_SEMIRING_BOOL, A, B, desc));
    grid_tune.mxm_bitmap_share = 16;
    OK(GrB_mxm(D, M, NULL, Grid_PLUS_ONEB_SEMIRING_INT64, A, B, desc));
    assert_same_pattern(C, D, rows, n);
    GrB_Matrix_free(&A), GrB_Matrix_free(&B), GrB_Matrix_free(&M);
    GrB_Matrix_free(&C), GrB_Matrix_free(&D);
  }
}

/* A, a graph, times a few columns by words: the same. */
static void few_columns(void **state) {
  const GrB_Descriptor descs[] = {GrB_NULL,   GrB_DESC_S,    GrB_DESC_RSC, GrB_DESC_SC,
                                  GrB_DESC_C, GrB_DESC_RST0, GrB_DESC_R,   GrB_DESC_RSCT0};
  const GrB_Index sizes[] = {20, 300, 512, 577, 700};
  const uint64_t costs[] = {4, 0, 1 << 20};
  for (int turn = 0; turn < (Grid_size() > 4 ? 20 : 60); turn++) {
    const GrB_Index n = sizes[draw(5)], l = sizes[draw(5)],
                    cols = draw_one_in(4) ? 64 : 1 + draw(n < 150 ? n - 1 : 150),
                    entries = (draw_one_in(3) ? 50 : 4) * n; /* rows of many entries, or of some */
    const GrB_Descriptor desc = descs[turn % 8];
    const bool t0 = turn % 8 == 5 || turn % 8 == 7, alike = turn % 4 == 3;
    GrB_Matrix A = t0 ? make_scattered(l, n, entries) : make_scattered(n, l, entries),
               B = make_scattered(l, cols, draw(2) ? draw(9) : draw(3) * draw(l * cols)),
               M = turn % 5 == 0 ? NULL : make_scattered(n, cols, draw(2) * draw(n * cols)), C, D;
    OK(GrB_Matrix_new(&C, GrB_BOOL, n, cols));
    OK(GrB_Matrix_new(&D, GrB_INT64, n, cols));
    if (turn % 3 == 0) { /* C's positions are allocated */
      OK(GrB_Matrix_assign_BOOL(C, NULL, NULL, true, GrB_ALL, n, GrB_ALL, cols, NULL));
      OK(GrB_Matrix_assign_INT64(D, NULL, NULL, 1, GrB_ALL, n, GrB_ALL, cols, NULL));
    }
    if (M && turn % 2 == 0)
      OK(GrB_Matrix_eWiseMult_BinaryOp(M, NULL, NULL, GrB_LAND, M, M, NULL)); /* by place */
    const GrB_Matrix mask = M && alike ? C : M, mask_too = M && alike ? D : M;
    grid_tune.tall_push_cost = costs[draw(3)];
    const GrB_BinaryOp accum = draw_one_in(4) ? GrB_LOR : NULL, accum_too = accum ? GrB_MAX_INT64 : NULL;
    OK(GrB_mxm(C, mask, accum, Grid_ANY_ONEB_SEMIRING_BOOL, A, B, desc));
    OK(GrB_mxm(D, mask_too, accum_too, Grid_PLUS_ONEB_SEMIRING_INT64, A, B, desc));
    assert_same_pattern(C, D, n, cols);
    GrB_Matrix_free(&A), GrB_Matrix_free(&B), GrB_Matrix_free(&M);
    GrB_Matrix_free(&C), GrB_Matrix_free(&D);
  }
  grid_tune.tall_push_cost = 4;
}

/* A dense model of small numbers: 0 where there is no entry. */
static GrB_Matrix numbers(double *x, GrB_Index rows, GrB_Index cols, uint64_t one_of, GrB_Type type) {
  const GrB_Index n = rows * cols;
  GrB_Index *i = malloc(n * sizeof *i), *j = malloc(n * sizeof *j), count = 0;
  double *v = malloc(n * sizeof *v);
  GrB_Matrix A;
  assert_true(i && j && v);
  for (GrB_Index e = 0; e < n; e++) {
    x[e] = draw(one_of) == 0 ? 1 + (double)draw(9) : 0;
    if (x[e] > 0) i[count] = e / cols, j[count] = e % cols, v[count++] = x[e];
  }
  OK(GrB_Matrix_new(&A, type, rows, cols));
  OK(GrB_Matrix_build_FP64(A, i, j, v, count, GrB_PLUS_FP64));
  free(i), free(j), free(v);
  return A;
}

/* All of A's entries have value x, as those of x do then. */
static void make_equal(GrB_Matrix A, double *x, GrB_Index rows, GrB_Index cols, double value) {
  for (GrB_Index e = 0; e < rows * cols; e++) x[e] = value;
  OK(GrB_Matrix_assign_FP64(A, NULL, NULL, value, GrB_ALL, rows, GrB_ALL, cols, NULL));
}

/* B is full: its own kernels, without a mask, and masked by B's rows and by its columns; with long rows
 * several of C at a time; few columns; of one value. */
static void full_operands(void **state) {
  enum { MOST = 40, ROWS = 150, LONG = 256 };
  static double a[ROWS * MOST], b[MOST * (LONG + MOST)], m[ROWS * (LONG + MOST)];
  const GrB_Semiring all[] = {GrB_PLUS_TIMES_SEMIRING_FP64, GrB_MIN_PLUS_SEMIRING_INT32,
                              GrB_MAX_SECOND_SEMIRING_FP32, GrB_MAX_FIRST_SEMIRING_INT64,
                              Grid_PLUS_ONEB_SEMIRING_INT64};
  const GrB_Type types[] = {GrB_FP64, GrB_INT32, GrB_FP32, GrB_INT64, GrB_INT64};
  for (int turn = 0; turn < 120; turn++) {
    const int which = turn % 5;
    const bool long_rows = turn % 9 == 0, t1 = draw_one_in(2), masked = !draw_one_in(3),
               equal = draw_one_in(3);
    const GrB_Index rows = 1 + draw(long_rows ? ROWS : MOST), l = 1 + draw(MOST),
                    n = turn % 4 == 3 ? 1 + draw(4) : draw(MOST) + (long_rows ? LONG : 1);
    GrB_Matrix A = numbers(a, rows, l, 1 + draw(4), types[which]),
               B = numbers(b, t1 ? n : l, t1 ? l : n, 1, types[which]),
               M = numbers(m, rows, n, 1 + draw(3), GrB_FP64), C;
    GrB_Index nvals, count = 0;
    if (equal) make_equal(B, b, t1 ? n : l, t1 ? l : n, 3);
    OK(GrB_Matrix_new(&C, types[which], rows, n));
    OK(GrB_mxm(C, masked ? M : NULL, NULL, all[which], A, B, t1 ? GrB_DESC_RST1 : GrB_DESC_RS));
    for (GrB_Index r = 0; r < rows; r++)
      for (GrB_Index c = 0; c < n; c++) {
        double z = 0, got = 0;
        bool any = false;
        for (GrB_Index k = 0; k < l; k++) {
          const double x = a[r * l + k], y = t1 ? b[c * l + k] : b[k * n + c];
          const double t = which == 0 ? x * y : which == 1 ? x + y : which == 2 ? y : which == 3 ? x : 1;
          if (x == 0 || (masked && m[r * n + c] == 0)) continue;
          z = !any ? t : which == 1 ? fmin(z, t) : which == 2 || which == 3 ? fmax(z, t) : z + t;
          any = true;
        }
        count += any;
        assert_int_equal(GrB_Matrix_extractElement_FP64(&got, C, r, c), any ? GrB_SUCCESS : GrB_NO_VALUE);
        assert_true(got == z);
      }
    OK(GrB_Matrix_nvals(&nvals, C));
    assert_int_equal(nvals, count);
    GrB_Matrix_free(&A), GrB_Matrix_free(&B), GrB_Matrix_free(&M), GrB_Matrix_free(&C);
    if (Grid_size() > 2 && turn > 12) break; /* elements one by one are messages */
  }
}

/* C's entries equal the model: A's rows times B, where m has no 0, or, complemented, has one. */
static void expect_sums(GrB_Matrix C, int which, const double *a, const double *b, const double *m,
                        bool complement, GrB_Index rows, GrB_Index l, GrB_Index n) {
  GrB_Index count = rows * n, expected = 0, *i = malloc(count * sizeof *i), *j = malloc(count * sizeof *j);
  double *x = malloc(count * sizeof *x), *z = calloc(count, sizeof *z);
  bool *any = calloc(count, sizeof *any);
  assert_true(i && j && x && z && any);
  for (GrB_Index r = 0; r < rows; r++)
    for (GrB_Index k = 0; k < l; k++)
      for (GrB_Index c = 0; a[r * l + k] != 0 && c < n; c++) {
        const GrB_Index e = r * n + c;
        const double v = b[k * n + c], t = which == 0 ? v : which == 1 ? a[r * l + k] + v : 1;
        if (v == 0 || (m && (m[e] != 0) == complement)) continue;
        z[e] = !any[e] ? t : which == 1 ? fmin(z[e], t) : z[e] + t;
        expected += !any[e];
        any[e] = true;
      }
  OK(GrB_Matrix_extractTuples_FP64(i, j, x, &count, C));
  for (GrB_Index e = 0; e < count; e++) {
    assert_true(any[i[e] * n + j[e]]);
    assert_true(x[e] == z[i[e] * n + j[e]]);
  }
  GrB_Index all = 0;
  OK(GrB_Matrix_nvals(&all, C));
  assert_int_equal(all, expected);
  free(i), free(j), free(x), free(z), free(any);
}

/* Numbers times few columns, with rows of A of all lengths: a value for each column on a GPU. */
static void column_sums(void **state) {
  enum { ROWS = 90, L = 700, MOST = 300 };
  static double a[ROWS * L], b[L * MOST], m[ROWS * MOST];
  const GrB_Index columns[] = {1, 15, 16, 31, 32, 33, 64, 150, 255, 256, 257, MOST};
  const GrB_Type types[] = {GrB_FP64, GrB_INT32, GrB_INT64, GrB_FP32};
  GrB_Semiring sum_second, all[4];
  OK(GrB_Semiring_new(&sum_second, GrB_PLUS_MONOID_FP64, GrB_SECOND_FP64));
  all[0] = sum_second, all[1] = GrB_MIN_PLUS_SEMIRING_INT32, all[2] = Grid_PLUS_ONEB_SEMIRING_INT64;
  all[3] = GrB_MIN_PLUS_SEMIRING_FP32;
  const GrB_Descriptor descs[] = {GrB_DESC_RS, GrB_DESC_RSC, GrB_DESC_RS};
  for (int turn = 0; turn < 24; turn++) {
    const int which = turn % 4, masking = turn % 3; /* the mask, its complement, none */
    const GrB_Index n = columns[turn % 12], rows = 1 + draw(ROWS), l = turn % 5 == 0 ? 1 + draw(40) : L;
    const GrB_Type type = types[which];
    GrB_Matrix A = numbers(a, rows, l, turn % 2 == 0 ? 1 : 20, type), C,
               B = numbers(b, l, n, 1 + draw(3) * draw(9), type), M = numbers(m, rows, n, 3, GrB_BOOL);
    OK(GrB_Matrix_new(&C, type, rows, n));
    OK(GrB_mxm(C, masking == 2 ? NULL : M, NULL, all[which], A, B, descs[masking]));
    expect_sums(C, which == 3 ? 1 : which, a, b, masking == 2 ? NULL : m, masking == 1, rows, l, n);
    GrB_Matrix_free(&A), GrB_Matrix_free(&B), GrB_Matrix_free(&M), GrB_Matrix_free(&C);
  }
  GrB_Semiring_free(&sum_second);
}

/* B is full, and rows of A are so long that on a GPU warps or blocks compute them; for as many columns as are
 * computed one, or four, at a time. */
static void long_rows_times_full(void **state) {
  enum { ROWS = 6, L = 4500, MOST = 132 };
  static double a[ROWS * L], b[L * MOST];
  const GrB_Index columns[] = {1, 4, 5, 16, 20, 33, 100, 128, MOST};
  const GrB_Type types[] = {GrB_FP64, GrB_INT8, GrB_INT64, GrB_FP32};
  GrB_Semiring sum_second, all[4];
  OK(GrB_Semiring_new(&sum_second, GrB_PLUS_MONOID_FP64, GrB_SECOND_FP64));
  all[0] = sum_second, all[1] = GrB_MIN_PLUS_SEMIRING_INT8, all[2] = Grid_PLUS_ONEB_SEMIRING_INT64;
  all[3] = GrB_MIN_PLUS_SEMIRING_FP32;
  for (int turn = 0; turn < 18; turn++) {
    const int which = turn % 4;
    const GrB_Index n = columns[turn % 9];
    GrB_Matrix A = numbers(a, ROWS, L,
                           turn % 2   ? 1
                           : turn % 4 ? 3
                                      : 60,
                           types[which]),
               C, B = numbers(b, L, n, 1, types[which]);
    OK(GrB_Matrix_new(&C, types[which], ROWS, n));
    OK(GrB_mxm(C, NULL, NULL, all[which], A, B, NULL));
    expect_sums(C, which == 3 ? 1 : which, a, b, NULL, false, ROWS, L, n);
    GrB_Matrix_free(&A), GrB_Matrix_free(&B), GrB_Matrix_free(&C);
  }
  GrB_Semiring_free(&sum_second);
}

/* Rows of the mask of all lengths, up to several times what a block of a GPU takes at a time. */
static void long_masks(void **state) {
  enum { ROWS = 5, L = 60, N = 9000 };
  static double a[ROWS * L], b[L * N], m[ROWS * N];
  const GrB_Type types[] = {GrB_FP64, GrB_INT32, GrB_INT64, GrB_FP32, GrB_INT8};
  const uint64_t gaps[] = {1, 2, 5, 40, 100};
  GrB_Semiring sum_second, all[5];
  OK(GrB_Semiring_new(&sum_second, GrB_PLUS_MONOID_FP64, GrB_SECOND_FP64));
  all[0] = sum_second, all[1] = GrB_MIN_PLUS_SEMIRING_INT32, all[2] = Grid_PLUS_ONEB_SEMIRING_INT64;
  all[3] = GrB_MIN_PLUS_SEMIRING_FP32, all[4] = GrB_MIN_PLUS_SEMIRING_INT8;
  for (int turn = 0; turn < 10; turn++) {
    const int which = turn % 5;
    GrB_Index sums = 0, pattern = 0;
    GrB_Matrix A = numbers(a, ROWS, L, 3, types[which]), B = numbers(b, L, N, 4, types[which]),
               M = numbers(m, ROWS, N, gaps[(turn + turn / 5 * 2) % 5], GrB_BOOL), C, D;
    OK(GrB_Matrix_new(&C, types[which], ROWS, N));
    OK(GrB_Matrix_new(&D, GrB_BOOL, ROWS, N));
    OK(GrB_mxm(C, M, NULL, all[which], A, B, GrB_DESC_S));
    expect_sums(C, which >= 3 ? 1 : which, a, b, m, false, ROWS, L, N);
    OK(GrB_mxm(D, M, NULL, Grid_ANY_ONEB_SEMIRING_BOOL, A, B, GrB_DESC_S));
    OK(GrB_Matrix_nvals(&sums, C)), OK(GrB_Matrix_nvals(&pattern, D));
    assert_int_equal(pattern, sums);
    GrB_Matrix_free(&A), GrB_Matrix_free(&B), GrB_Matrix_free(&M), GrB_Matrix_free(&C), GrB_Matrix_free(&D);
  }
  GrB_Semiring_free(&sum_second);
}

/* Short rows are looked up in long columns, with no, few or many gaps. */
static void long_columns(void **state) {
  enum { ROWS = 300, L = 600, COLS = 60, MASK = 30 };
  static double a[ROWS][L], b[COLS][L];
  GrB_Matrix A, B, M, C;
  grid_tune.force_rows = true;
  OK(GrB_Matrix_new(&A, GrB_FP64, ROWS, L));
  OK(GrB_Matrix_new(&B, GrB_FP64, COLS, L));
  OK(GrB_Matrix_new(&M, GrB_BOOL, ROWS, COLS));
  OK(GrB_Matrix_new(&C, GrB_FP64, ROWS, COLS));
  for (GrB_Index c = 0; c < MASK; c++) /* so few that dot products are cheaper than sums of rows */
    OK(GrB_Matrix_setElement_BOOL(M, true, c, c));
  memset(a, 0, sizeof a), memset(b, 0, sizeof b);
  for (GrB_Index e = 0; e < L; e++) a[e % ROWS][e] = 1 + (double)draw(9);
  for (GrB_Index c = 0; c < COLS; c++)
    for (GrB_Index k = c % 3 ? draw(60) : 0, end = L - (c % 3 ? draw(60) : 0); k < end; k++)
      b[c][k] = c % 2 && draw(c % 5 ? 9 : 90) == 0 ? 0 : 1 + (double)draw(9);
  for (GrB_Index k = 0; k < L; k++) {
    for (GrB_Index r = 0; r < ROWS; r++)
      if (a[r][k] != 0) OK(GrB_Matrix_setElement_FP64(A, a[r][k], r, k));
    for (GrB_Index c = 0; c < COLS; c++)
      if (b[c][k] != 0) OK(GrB_Matrix_setElement_FP64(B, b[c][k], c, k));
  }
  OK(GrB_mxm(C, M, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, B, GrB_DESC_ST1));
  for (GrB_Index c = 0; c < MASK; c++) {
    double want = 0, got = 0;
    for (GrB_Index k = 0; k < L; k++) want += a[c][k] * b[c][k];
    assert_int_equal(GrB_Matrix_extractElement_FP64(&got, C, c, c), want > 0 ? GrB_SUCCESS : GrB_NO_VALUE);
    assert_true(got == want);
  }
  GrB_Matrix_free(&A), GrB_Matrix_free(&B), GrB_Matrix_free(&M), GrB_Matrix_free(&C);
  grid_tune.force_rows = false;
}

/* A times a diagonal D, and D times A, of which not every column (row) of A may have an entry in D. */
static void diagonal(void **state) {
  enum { ROWS = 90, N = 150 };
  GrB_Semiring max_minus;
  OK(GrB_Semiring_new(&max_minus, GrB_MAX_MONOID_FP64, GrB_MINUS_FP64));
  for (int turn = 0; turn < 48; turn++) {
    const bool gaps = turn % 3 == 0, one = turn % 4 == 0, lists = turn % 4 == 1, off = turn % 5 == 0,
               rows = turn >= 24;
    const GrB_Index m = rows ? N : ROWS, n = rows ? ROWS : N;
    GrB_Matrix A, D, C;
    GrB_Index nvals, wanted = 0;
    static double a[N][N], d[N];
    OK(GrB_Matrix_new(&A, GrB_INT32, m, n));
    OK(GrB_Matrix_new(&D, turn % 2 ? GrB_FP64 : GrB_INT16, N, N));
    OK(GrB_Matrix_new(&C, GrB_FP64, m, n));
    for (int j = 0; j < N; j++) {
      d[j] = gaps && draw(4) == 0 ? 0 : one ? 3 : 1 + (double)draw(50);
      if (d[j] != 0) OK(GrB_Matrix_setElement_FP64(D, d[j], (GrB_Index)j, (GrB_Index)j));
    }
    for (GrB_Index i = 0; i < m; i++)
      for (GrB_Index j = 0; j < n; j++) {
        a[i][j] = draw(6) == 0 && !(lists && i > 0 && i < 64) ? 1 + (double)draw(9) : 0;
        if (a[i][j] != 0) OK(GrB_Matrix_setElement_INT32(A, (int32_t)a[i][j], i, j));
      }
    /* and one entry off the diagonal: column 8 gets row 7's, too, or row 8 column 7's */
    if (off) {
      OK(GrB_Matrix_removeElement(D, 8, 8));
      OK(GrB_Matrix_setElement_FP64(D, 2, rows ? 8 : 7, rows ? 7 : 8));
      d[8] = 0;
    }
    OK(GrB_wait(A, GrB_MATERIALIZE)), OK(GrB_wait(D, GrB_MATERIALIZE)); /* methods are chosen by entries */
    OK(GrB_mxm(C, NULL, NULL, max_minus, rows ? D : A, rows ? A : D, NULL));
    for (GrB_Index i = 0; i < m; i++)
      for (GrB_Index j = 0; j < n; j++) {
        const GrB_Index k = rows ? i : j;
        const bool beside = off && k == 8;
        const double left = !beside ? a[i][j] : rows ? a[7][j] : a[i][7], right = beside ? 2 : d[k];
        double x = 0;
        const GrB_Info info = GrB_Matrix_extractElement_FP64(&x, C, i, j);
        assert_int_equal(info, left != 0 && right != 0 ? GrB_SUCCESS : GrB_NO_VALUE);
        if (info == GrB_SUCCESS) assert_true(x == (rows ? right - left : left - right)), wanted++;
      }
    OK(GrB_Matrix_nvals(&nvals, C));
    assert_int_equal(nvals, wanted);
    GrB_Matrix_free(&A), GrB_Matrix_free(&D), GrB_Matrix_free(&C);
  }
  GrB_Semiring_free(&max_minus);
}

/* B has one entry in each row, as the matrix of a partition into groups has: groups are few, or many and far
 * apart. No mask, a mask, and a complemented one; values, and one value for all. */
static void single_entries(void **state) {
  enum { ROWS = 70, L = 90, MOST = 40000 };
  static double a[ROWS * L], want[ROWS][L], x[ROWS * L];
  static GrB_Index rows[ROWS * L], cols[ROWS * L];
  for (int turn = 0; turn < 36; turn++) {
    const int masked = turn % 3; /* 2: complemented */
    const bool one = turn % 2, most = turn % 4 >= 2;
    const GrB_Index groups = 1 + draw(20), apart = turn % 5 == 0 ? MOST / groups : 1, n = groups * apart;
    GrB_Matrix A = numbers(a, ROWS, L, 1 + draw(8), GrB_FP64), B, C, M;
    GrB_Index group[L], nvals = ROWS * L, count = 0;
    double b[L];
    OK(GrB_Matrix_new(&B, GrB_FP64, L, n));
    OK(GrB_Matrix_new(&C, GrB_FP64, ROWS, n));
    OK(GrB_Matrix_new(&M, GrB_BOOL, ROWS, n));
    for (GrB_Index k = 0; k < L; k++) {
      group[k] = draw(groups), b[k] = one ? 3 : 1 + (double)draw(9);
      OK(GrB_Matrix_setElement_FP64(B, b[k], k, group[k] * apart));
    }
    memset(want, 0, sizeof want);
    for (GrB_Index i = 0; i < ROWS; i++) {
      OK(GrB_Matrix_setElement_BOOL(M, true, i, i % groups * apart)); /* one group a row */
      for (GrB_Index k = 0; k < L; k++) {
        const bool allowed = group[k] == i % groups;
        if (a[i * L + k] == 0 || (masked && allowed != (masked == 1))) continue;
        double *z = &want[i][group[k]];
        *z = most ? fmax(*z, a[i * L + k] + b[k]) : *z + a[i * L + k] * b[k];
      }
      for (GrB_Index g = 0; g < groups; g++) count += want[i][g] != 0;
    }
    OK(GrB_mxm(C, masked ? M : NULL, NULL, most ? GrB_MAX_PLUS_SEMIRING_FP64 : GrB_PLUS_TIMES_SEMIRING_FP64,
               A, B, masked == 2 ? GrB_DESC_RSC : GrB_DESC_RS));
    OK(GrB_Matrix_extractTuples_FP64(rows, cols, x, &nvals, C));
    assert_int_equal(nvals, count);
    for (GrB_Index e = 0; e < nvals; e++) {
      assert_int_equal(cols[e] % apart, 0);
      assert_true(x[e] == want[rows[e]][cols[e] / apart]);
    }
    GrB_Matrix_free(&A), GrB_Matrix_free(&B), GrB_Matrix_free(&C), GrB_Matrix_free(&M);
  }
}

static void bad_arguments(void **state) {
  GrB_Matrix A, B, C;
  GrB_Index n;
  const GrB_Semiring s = GrB_PLUS_TIMES_SEMIRING_FP64;
  make_operators();
  OK(GrB_Matrix_new(&A, GrB_FP64, 5, 7));
  OK(GrB_Matrix_new(&B, GrB_FP64, 7, 3));
  OK(GrB_Matrix_new(&C, GrB_FP64, 5, 3));
  OK(GrB_Matrix_setElement_FP64(C, 1, 2, 2));
  assert_int_equal(GrB_mxm(C, NULL, NULL, s, B, A, NULL), GrB_DIMENSION_MISMATCH);
  assert_non_null(strstr(Grid_last_error(), "7 x 3"));
  assert_int_equal(GrB_mxm(C, NULL, NULL, s, A, B, GrB_DESC_T0), GrB_DIMENSION_MISMATCH);
  assert_int_equal(GrB_mxm(C, A, NULL, s, A, B, NULL), GrB_DIMENSION_MISMATCH);
  assert_int_equal(GrB_mxm(NULL, NULL, NULL, s, A, B, NULL), GrB_NULL_POINTER);
  assert_int_equal(GrB_mxm(C, NULL, NULL, NULL, A, B, NULL), GrB_NULL_POINTER);
  assert_int_equal(GrB_mxm(C, NULL, NULL, s, A, NULL, NULL), GrB_NULL_POINTER);
  assert_int_equal(GrB_mxm(C, NULL, NULL, large_semiring, A, B, NULL), GrB_DOMAIN_MISMATCH);
  assert_int_equal(GrB_mxm(C, NULL, large_plus, s, A, B, NULL), GrB_DOMAIN_MISMATCH);
  OK(GrB_Matrix_nvals(&n, C));
  assert_int_equal(n, 1);
  GrB_Matrix_free(&A), GrB_Matrix_free(&B), GrB_Matrix_free(&C);
  free_operators();
}

/* A matrix that was computed on a GPU has no columns before a product reads them. */
static void late_columns(void **state) {
  enum { N = 60 };
  static double a[N * N];
  GrB_Matrix A = numbers(a, N, N, 5, GrB_FP64), B;
  GrB_Vector sums, u;
  double x = 0;
  OK(GrB_Matrix_new(&B, GrB_FP64, N, N));
  OK(GrB_Vector_new(&sums, GrB_FP64, N)), OK(GrB_Vector_new(&u, GrB_FP64, N));
  OK(GrB_Matrix_apply(B, NULL, NULL, GrB_AINV_FP64, A, NULL));
  OK(GrB_Matrix_reduce_Monoid(sums, NULL, NULL, GrB_PLUS_MONOID_FP64, B, NULL));
  if (B->block.device && Grid_size() == 1) assert_false(B->properties.forms & GRID_COLS);
  for (GrB_Index r = 0; r < N; r++) {
    double want = 0;
    for (GrB_Index c = 0; c < N; c++) want -= a[r * N + c];
    assert_int_equal(GrB_Vector_extractElement_FP64(&x, sums, r), want < 0 ? GrB_SUCCESS : GrB_NO_VALUE);
    if (want < 0) assert_true(x == want);
  }
  OK(GrB_Vector_setElement_FP64(u, 2, 7));
  OK(GrB_Matrix_set_INT32(B, Grid_DIRECTION_PUSH, Grid_DIRECTION));
  OK(GrB_mxv(sums, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, B, u, NULL));
  if (B->block.device) assert_true(B->properties.forms & GRID_COLS);
  for (GrB_Index r = 0; r < N; r++) {
    const double want = -2 * a[r * N + 7];
    assert_int_equal(GrB_Vector_extractElement_FP64(&x, sums, r), want < 0 ? GrB_SUCCESS : GrB_NO_VALUE);
    if (want < 0) assert_true(x == want);
  }
  /* a masked push along rows is cheaper than a pull, which would read columns */
  OK(GrB_Matrix_set_INT32(B, Grid_DIRECTION_AUTO, Grid_DIRECTION));
  OK(GrB_Matrix_apply(B, NULL, NULL, GrB_AINV_FP64, A, NULL));
  OK(GrB_vxm(sums, u, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, u, B, GrB_DESC_RC));
  if (B->block.device && Grid_size() == 1) assert_false(B->properties.forms & GRID_COLS);
  for (GrB_Index c = 0; c < N; c++) {
    const double want = c == 7 ? 0 : -2 * a[7 * N + c];
    assert_int_equal(GrB_Vector_extractElement_FP64(&x, sums, c), want < 0 ? GrB_SUCCESS : GrB_NO_VALUE);
    if (want < 0) assert_true(x == want);
  }
  GrB_Matrix_free(&A), GrB_Matrix_free(&B), GrB_Vector_free(&sums), GrB_Vector_free(&u);
}

static int group(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_products),
                                     cmocka_unit_test(pending_elements),
                                     cmocka_unit_test(transpose_of_itself),
                                     cmocka_unit_test(square_of_converted_values),
                                     cmocka_unit_test(few_rows),
                                     cmocka_unit_test(few_columns),
                                     cmocka_unit_test(column_sums),
                                     cmocka_unit_test(full_operands),
                                     cmocka_unit_test(long_rows_times_full),
                                     cmocka_unit_test(long_masks),
                                     cmocka_unit_test(long_columns),
                                     cmocka_unit_test(late_columns),
                                     cmocka_unit_test(diagonal),
                                     cmocka_unit_test(single_entries),
                                     cmocka_unit_test(bad_arguments)};
  return cmocka_run_group_tests(tests, start_on_shape, stop_on_shape);
}

int main(int argc, char **argv) {
  cmocka_set_test_filter(argc > 1 ? argv[1] : NULL);
  if (lacks_gpu()) return 77;
  return run_on_shapes(group);
}
