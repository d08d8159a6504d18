/* Operations on vectors long enough for several threads, in every format, against plain loops. Also a matrix
 * with a row too long for one thread, and the same bits for any number of threads. Runs on any number of
 * processes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit.h"
#include <omp.h>

#include "tests/random_numbers.h"
#include "dist/vector/vector.h"
#include "tests/test_tuples.h"

enum { N = (1 << 18) + 37, FORMATS = 5 };

/* Values are whole numbers from 0 to 99: exact in every type that the tests cast them to. */
typedef struct {
  bool *has;
  double *val;
} model;

static model model_new(void) {
  model m = {calloc(N, sizeof(bool)), calloc(N, sizeof(double))};
  assert_true(m.has && m.val);
  return m;
}
static void model_free(model *m) {
  free(m->has);
  free(m->val);
}

/* full, two densities of bitmap, a list, iso */
static void draw_model(model *m, int format) {
  static const unsigned in_1000[FORMATS] = {1000, 500, 50, 4, 700};
  for (uint64_t i = 0; i < N; i++) {
    m->has[i] = draw(1000) < in_1000[format];
    m->val[i] = format == 4 ? 42 : (double)draw(100);
  }
}

static uint64_t *indices;
static double *values;

static GrB_Vector vector_of(const model *m, GrB_Type type) {
  GrB_Vector v;
  uint64_t n = 0;
  bool iso = true;
  for (uint64_t i = 0; i < N; i++)
    if (m->has[i]) iso = iso && m->val[i] == 42, indices[n] = i, values[n++] = m->val[i];
  assert_int_equal(GrB_Vector_new(&v, type, N), GrB_SUCCESS);
  if (!iso) {
    assert_int_equal(GrB_Vector_build_FP64(v, indices, values, n, NULL), GrB_SUCCESS);
  } else { /* one value for all: 42 comes of an assignment under a mask */
    GrB_Vector mask;
    assert_int_equal(GrB_Vector_new(&mask, GrB_BOOL, N), GrB_SUCCESS);
    assert_int_equal(GrB_Vector_build_FP64(mask, indices, values, n, NULL), GrB_SUCCESS);
    assert_int_equal(GrB_Vector_assign_FP64(v, mask, NULL, 42, GrB_ALL, N, GrB_DESC_S), GrB_SUCCESS);
    GrB_free(&mask);
  }
  return v;
}

#define CHECK(w, m)             \
  do {                          \
    const int line_ = __LINE__; \
    check(w, m, line_);         \
  } while (0)
static void check(GrB_Vector w, const model *m, int line) {
  GrB_Index n = N, k = 0;
  assert_int_equal(GrB_Vector_extractTuples_FP64(indices, values, &n, w), GrB_SUCCESS);
  for (uint64_t i = 0; i < N; i++) {
    if (!m->has[i]) continue;
    if (k >= n || indices[k] != i || values[k] != m->val[i])
      fail_msg("line %d: entry %llu is (%llu, %g), not (%llu, %g)", line, (unsigned long long)k,
               (unsigned long long)(k < n ? indices[k] : 0), k < n ? values[k] : 0, (unsigned long long)i,
               m->val[i]);
    k++;
  }
  if (k != n) fail_msg("line %d: %llu entries, not %llu", line, (unsigned long long)n, (unsigned long long)k);
}

/* ---- select -------------------------------------------------------------------------------------------- */

static void third_f(void *z, const void *x, GrB_Index i, GrB_Index j, const void *y) {
  *(int16_t *)z = (int16_t)((i + j + (uint64_t) * (const int32_t *)x) % 3 == *(const uint64_t *)y ? 0 : 7);
}

static void select_case(const model *u, GrB_Vector v) {
  GrB_Vector w;
  GrB_IndexUnaryOp third;
  model e = model_new();
  assert_int_equal(GrB_IndexUnaryOp_new(&third, third_f, GrB_INT16, GrB_INT32, GrB_UINT64), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_new(&w, GrB_FP64, N), GrB_SUCCESS);
  memcpy(e.val, u->val, N * sizeof *e.val);
#define SELECT(CALL, YES)                                           \
  do {                                                              \
    assert_int_equal(CALL, GrB_SUCCESS);                            \
    for (uint64_t i = 0; i < N; i++) e.has[i] = u->has[i] && (YES); \
    CHECK(w, &e);                                                   \
  } while (0)
  SELECT(GrB_Vector_select_FP64(w, NULL, NULL, GrB_VALUEGT_FP64, v, 50, NULL), u->val[i] > 50);
  SELECT(GrB_Vector_select_FP64(w, NULL, NULL, GrB_VALUEEQ_FP64, v, 42, NULL), u->val[i] == 42);
  SELECT(GrB_Vector_select_INT8(w, NULL, NULL, GrB_VALUELE_INT8, v, 30, NULL), u->val[i] <= 30);
  SELECT(GrB_Vector_select_BOOL(w, NULL, NULL, GrB_VALUENE_BOOL, v, false, NULL), u->val[i] != 0);
  SELECT(GrB_Vector_select_INT64(w, NULL, NULL, GrB_ROWGT, v, N / 3, NULL), i > N / 3);
  SELECT(GrB_Vector_select_INT64(w, NULL, NULL, GrB_ROWINDEX_INT32, v, -1000, NULL), i != 1000);
  SELECT(GrB_Vector_select_INT64(w, NULL, NULL, GrB_ROWLE, v, -1, NULL), false);
  SELECT(GrB_Vector_select_UINT64(w, NULL, NULL, third, v, 1, NULL), (i + (uint64_t)u->val[i]) % 3 != 1);
#undef SELECT
  model_free(&e);
  GrB_free(&w);
  GrB_free(&third);
}

/* ---- apply --------------------------------------------------------------------------------------------- */

static void apply_case(const model *u, GrB_Vector v) {
  GrB_Vector w;
  model e = model_new();
  assert_int_equal(GrB_Vector_new(&w, GrB_FP64, N), GrB_SUCCESS);
  memcpy(e.has, u->has, N * sizeof *e.has);
#define APPLY(CALL, VALUE)                                       \
  do {                                                           \
    assert_int_equal(CALL, GrB_SUCCESS);                         \
    for (uint64_t i = 0; i < N; i++) e.val[i] = (double)(VALUE); \
    CHECK(w, &e);                                                \
  } while (0)
  APPLY(GrB_Vector_apply(w, NULL, NULL, GrB_AINV_INT16, v, NULL), -u->val[i]);
  APPLY(GrB_Vector_apply(w, NULL, NULL, GrB_LNOT, v, NULL), u->val[i] == 0);
  APPLY(GrB_Vector_apply_BinaryOp2nd_FP64(w, NULL, NULL, GrB_MINUS_FP32, v, 1000, NULL), u->val[i] - 1000);
  APPLY(GrB_Vector_apply_BinaryOp1st_INT32(w, NULL, NULL, GrB_MINUS_INT64, 1000, v, NULL), 1000 - u->val[i]);
  APPLY(GrB_Vector_apply_IndexOp_INT64(w, NULL, NULL, GrB_ROWINDEX_INT64, v, 7, NULL), i + 7);
  APPLY(GrB_Vector_apply_IndexOp_FP64(w, NULL, NULL, GrB_VALUELT_FP32, v, 20, NULL), u->val[i] < 20);
#undef APPLY
  model_free(&e);
  GrB_free(&w);
}

static void one_vector(void **state) {
  const GrB_Type types[] = {GrB_FP64, GrB_INT8, GrB_BOOL};
  model u = model_new();
  for (int f = 0; f < FORMATS; f++)
    for (int t = 0; t < 3; t++) {
      draw_model(&u, f);
      GrB_Vector v = vector_of(&u, types[t]);
      if (types[t] == GrB_BOOL)
        for (uint64_t i = 0; i < N; i++) u.val[i] = u.val[i] != 0;
      select_case(&u, v);
      apply_case(&u, v);
      GrB_free(&v);
    }
  model_free(&u);
}

/* ---- element-wise -------------------------------------------------------------------------------------- */

static void two_vectors(void **state) {
  model u = model_new(), v = model_new(), e = model_new();
  GrB_Vector a, b, w;
  assert_int_equal(GrB_Vector_new(&w, GrB_FP64, N), GrB_SUCCESS);
  for (int f = 0; f < FORMATS; f++)
    for (int g = 0; g < FORMATS; g++) {
      draw_model(&u, f);
      draw_model(&v, g);
      a = vector_of(&u, f % 2 ? GrB_INT32 : GrB_FP64);
      b = vector_of(&v, g % 2 ? GrB_UINT8 : GrB_FP32);
      for (uint64_t i = 0; i < N; i++) {
        e.has[i] = u.has[i] && v.has[i];
        e.val[i] = u.val[i] * v.val[i];
      }
      assert_int_equal(GrB_eWiseMult(w, NULL, NULL, GrB_TIMES_INT32, a, b, NULL), GrB_SUCCESS);
      CHECK(w, &e);
      for (uint64_t i = 0; i < N; i++) e.val[i] = u.val[i] != 0 && v.val[i] != 0;
      assert_int_equal(GrB_eWiseMult(w, NULL, NULL, GrB_LAND, a, b, NULL), GrB_SUCCESS);
      CHECK(w, &e);
      for (uint64_t i = 0; i < N; i++) {
        e.has[i] = u.has[i] || v.has[i];
        e.val[i] = (u.has[i] ? u.val[i] : 0) + (v.has[i] ? v.val[i] : 0);
      }
      assert_int_equal(GrB_eWiseAdd(w, NULL, NULL, GrB_PLUS_INT64, a, b, NULL), GrB_SUCCESS);
      CHECK(w, &e);
      /* a<b> += b: an accumulator between two types */
      for (uint64_t i = 0; i < N; i++) {
        const bool in = v.has[i] && v.val[i] != 0;
        e.has[i] = u.has[i] || in;
        e.val[i] = (u.has[i] ? u.val[i] : 0) + (in ? v.val[i] : 0);
      }
      assert_int_equal(GrB_assign(a, b, GrB_PLUS_FP32, b, GrB_ALL, N, NULL), GrB_SUCCESS);
      CHECK(a, &e);
      GrB_free(&a);
      GrB_free(&b);
    }
  GrB_free(&w);
  model_free(&u);
  model_free(&v);
  model_free(&e);
}

/* ---- two lists, long enough for several threads -------------------------------------------------------- */

/* Few entries each, half of u's also v's, so that the union is a list, too. */
static void draw_lists(model *u, model *v, bool iso_u, bool iso_v) {
  for (uint64_t i = 0; i < N; i++) {
    u->has[i] = draw(1000) < 9;
    v->has[i] = draw(1000) < 12 || (u->has[i] && draw(2) == 0);
    u->val[i] = iso_u ? 42 : (double)draw(100);
    v->val[i] = iso_v ? 42 : (double)draw(100);
  }
}

static void list_case(const model *u, const model *v, GrB_Type ut, GrB_Type vt, GrB_BinaryOp minus) {
  model e = model_new();
  GrB_Vector a = vector_of(u, ut), b = vector_of(v, vt), w;
  GrB_Scalar x, y;
  assert_int_equal(GrB_Vector_new(&w, GrB_FP64, N), GrB_SUCCESS);
  assert_int_equal(GrB_Scalar_new(&x, GrB_FP64), GrB_SUCCESS);
  assert_int_equal(GrB_Scalar_new(&y, GrB_FP64), GrB_SUCCESS);
  assert_int_equal(GrB_Scalar_setElement_FP64(x, 1000), GrB_SUCCESS);
  assert_int_equal(GrB_Scalar_setElement_FP64(y, 3000), GrB_SUCCESS);
  for (uint64_t i = 0; i < N; i++) {
    e.has[i] = u->has[i] || v->has[i];
    e.val[i] = !v->has[i] ? u->val[i] : !u->has[i] ? v->val[i] : u->val[i] - v->val[i];
  }
  assert_int_equal(GrB_eWiseAdd(w, NULL, NULL, minus, a, b, NULL), GrB_SUCCESS);
  CHECK(w, &e);
  for (uint64_t i = 0; i < N; i++) e.val[i] = (u->has[i] ? u->val[i] : 1000) - (v->has[i] ? v->val[i] : 3000);
  assert_int_equal(GxB_Vector_eWiseUnion(w, NULL, NULL, minus, a, x, b, y, NULL), GrB_SUCCESS);
  CHECK(w, &e);
  for (uint64_t i = 0; i < N; i++) {
    e.has[i] = u->has[i] && v->has[i];
    e.val[i] = u->val[i] - v->val[i];
  }
  assert_int_equal(GrB_eWiseMult(w, NULL, NULL, minus, a, b, NULL), GrB_SUCCESS);
  CHECK(w, &e);
  model_free(&e);
  GrB_free(&a);
  GrB_free(&b);
  GrB_free(&w);
  GrB_free(&x);
  GrB_free(&y);
}

static void minus_f(void *z, const void *x, const void *y) {
  *(double *)z = (double)(*(const int32_t *)x - *(const int32_t *)y);
}

static void two_lists(void **state) {
  model u = model_new(), v = model_new();
  GrB_BinaryOp minus;
  assert_int_equal(GrB_BinaryOp_new(&minus, minus_f, GrB_FP64, GrB_INT32, GrB_INT32), GrB_SUCCESS);
  for (int iso = 0; iso < 4; iso++) {
    draw_lists(&u, &v, iso & 1, iso & 2);
    list_case(&u, &v, GrB_FP64, GrB_FP64, GrB_MINUS_FP64);
    list_case(&u, &v, GrB_INT8, GrB_FP32, GrB_MINUS_INT64);
    list_case(&v, &u, GrB_INT32, GrB_UINT16, minus);
    list_case(&u, &v, GxB_FC64, GrB_FP64, GxB_MINUS_FC64); /* values of more than 8 bytes */
  }
  GrB_free(&minus);
  model_free(&u);
  model_free(&v);
}

/* ---- extract and assign by lists of indices ------------------------------------------------------------ */

/* The numbers below N in any order. */
static void shuffle(uint64_t *I) {
  for (uint64_t i = 0; i < N; i++) I[i] = i;
  for (uint64_t i = N - 1; i > 0; i--) {
    const uint64_t k = draw(i + 1), x = I[i];
    I[i] = I[k], I[k] = x;
  }
}

static void extract_lists(void **state) {
  uint64_t *I = malloc(N * sizeof *I);
  model u = model_new(), e = model_new();
  GrB_Vector v, w;
  for (int f = 0; f < FORMATS; f++) {
    draw_model(&u, f);
    v = vector_of(&u, f % 2 ? GrB_INT16 : GrB_FP64);
    for (int many = 0; many < 2; many++) {
      if (many)
        for (uint64_t k = 0; k < N; k++) I[k] = draw(N);
      else
        shuffle(I);
      for (uint64_t k = 0; k < N; k++) e.has[k] = u.has[I[k]], e.val[k] = u.val[I[k]];
      assert_int_equal(GrB_Vector_new(&w, GrB_FP64, N), GrB_SUCCESS);
      assert_int_equal(GrB_extract(w, NULL, NULL, v, I, N, NULL), GrB_SUCCESS);
      CHECK(w, &e);
      const uint64_t right = I[N - 9]; /* the error names the wrong index, and w is unchanged */
      const char *text;
      I[N - 9] = N + 5;
      assert_int_equal(GrB_extract(w, NULL, NULL, v, I, N, NULL), GrB_INDEX_OUT_OF_BOUNDS);
      GrB_error(&text, w);
      assert_non_null(strstr(text, "= 262186 "));
      CHECK(w, &e);
      I[N - 9] = right;
      for (uint64_t k = 0; k < N; k++) {
        e.val[k] = (e.has[k] ? e.val[k] : 0) + (u.has[k] ? u.val[k] : 0);
        e.has[k] = e.has[k] || u.has[k];
      }
      assert_int_equal(GrB_extract(v, NULL, GrB_PLUS_FP64, v, I, N, NULL), GrB_SUCCESS); /* v itself */
      CHECK(v, &e);
      GrB_free(&v);
      GrB_free(&w);
      v = vector_of(&u, GrB_FP32);
    }
    GrB_free(&v);
  }
  free(I);
  model_free(&u);
  model_free(&e);
}

/* w(I) = u, or += u, with the first ni of the indices; u has ni entries at most. */
static void assign_case(const model *u, const model *old, int f, const uint64_t *I, uint64_t ni,
                        GrB_BinaryOp accum, const bool *mask, GrB_Vector m, GrB_Descriptor d, bool replace) {
  model e = model_new();
  GrB_Vector w = vector_of(old, f % 2 ? GrB_FP64 : GrB_INT32), part, long_v = vector_of(u, GrB_FP64);
  assert_int_equal(GrB_Vector_new(&part, GrB_FP64, ni), GrB_SUCCESS);
  uint64_t *first = malloc(ni * sizeof *first);
  for (uint64_t k = 0; k < ni; k++) first[k] = k;
  assert_int_equal(GrB_extract(part, NULL, NULL, long_v, first, ni, NULL), GrB_SUCCESS);
  memcpy(e.has, old->has, N * sizeof *e.has);
  memcpy(e.val, old->val, N * sizeof *e.val);
  for (uint64_t k = 0; k < ni; k++) {
    const uint64_t i = I[k];
    if (mask && !mask[i]) continue;
    if (!accum)
      e.has[i] = u->has[k], e.val[i] = u->val[k];
    else if (u->has[k])
      e.val[i] = (e.has[i] ? e.val[i] : 0) + u->val[k], e.has[i] = true;
  }
  for (uint64_t i = 0; replace && i < N; i++) e.has[i] = e.has[i] && mask[i];
  assert_int_equal(GrB_assign(w, m, accum, part, I, ni, d), GrB_SUCCESS);
  CHECK(w, &e);
  free(first);
  GrB_free(&part);
  GrB_free(&long_v);
  GrB_free(&w);
  model_free(&e);
}

static void assign_lists(void **state) {
  static const uint64_t sizes[] = {N, N / 3, N / 100, 1};
  uint64_t *I = malloc(N * sizeof *I);
  model u = model_new(), old = model_new(), mask = model_new();
  draw_model(&mask, 1);
  GrB_Vector m = vector_of(&mask, GrB_FP64);
  shuffle(I);
  for (int f = 0; f < FORMATS; f++)
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
      draw_model(&u, f);
      draw_model(&old, (f + (int)s) % FORMATS);
      assign_case(&u, &old, f, I, sizes[s], NULL, NULL, NULL, NULL, false);
      assign_case(&u, &old, f, I, sizes[s], GrB_PLUS_FP64, NULL, NULL, NULL, false);
      assign_case(&u, &old, f, I, sizes[s], NULL, mask.has, m, GrB_DESC_S, false);
      assign_case(&u, &old, f, I, sizes[s], NULL, mask.has, m, GrB_DESC_RS, true);
    }
  free(I);
  GrB_free(&m);
  model_free(&u);
  model_free(&old);
  model_free(&mask);
}

/* One value, at indices of which many occur twice: those are one index each. */
static void assign_value(void **state) {
  static const uint64_t sizes[] = {N, N / 100};
  uint64_t *I = malloc(N * sizeof *I);
  model old = model_new();
  for (uint64_t k = 0; k < N; k++) I[k] = draw(N);
  for (int f = 0; f < FORMATS; f++)
    for (int s = 0; s < 2; s++) {
      draw_model(&old, f);
      GrB_Vector w = vector_of(&old, GrB_INT16);
      assert_int_equal(GrB_Vector_assign_FP32(w, NULL, NULL, 3, I, sizes[s], NULL), GrB_SUCCESS);
      for (uint64_t k = 0; k < sizes[s]; k++) old.has[I[k]] = true, old.val[I[k]] = 3;
      CHECK(w, &old);
      GrB_free(&w);
    }
  free(I);
  model_free(&old);
}

/* Indices that occur twice with different values: no result is promised but that it is one of the two, the
 * same for every number of threads. */
static void same_for_all_threads(void **state) {
  uint64_t *I = malloc(N * sizeof *I);
  double *first = malloc(N * sizeof *first);
  model u = model_new();
  draw_model(&u, 0);
  for (uint64_t k = 0; k < N; k++) I[k] = draw(N), u.val[k] = 1.0 / (double)(k + 1);
  GrB_Vector v = vector_of(&u, GrB_FP64), w;
  double sum = 0;
  for (int threads = 1; threads <= 5; threads += 2) {
    double x;
    GrB_Index n = N;
    omp_set_num_threads(threads);
    assert_int_equal(GrB_Vector_new(&w, GrB_FP64, N), GrB_SUCCESS);
    assert_int_equal(GrB_assign(w, NULL, NULL, v, I, N, NULL), GrB_SUCCESS);
    assert_int_equal(GrB_Vector_extractTuples_FP64(indices, values, &n, w), GrB_SUCCESS);
    assert_int_equal(GrB_reduce(&x, NULL, GrB_PLUS_MONOID_FP64, w, NULL), GrB_SUCCESS);
    if (threads == 1) {
      sum = x;
      memcpy(first, values, n * sizeof *first);
    }
    assert_memory_equal(&x, &sum, sizeof x);
    assert_memory_equal(first, values, n * sizeof *first);
    GrB_free(&w);
  }
  omp_set_num_threads(3);
  GrB_free(&v);
  free(I);
  free(first);
  model_free(&u);
}

/* ---- matrices: sums of rows and columns, of all, and tuples -------------------------------------------- */

enum { ROWS = 5000, COLS = 200000, LONG_ROW = 77, MOST = 700000 };

typedef struct {
  uint64_t n;
  GrB_Index *row, *col;
  double *val;
} entries;

/* Rows ascending, columns ascending in each; row 77 holds most columns, every third row nothing. */
static entries draw_entries(void) {
  entries e = {0, malloc(MOST * sizeof *e.row), malloc(MOST * sizeof *e.col), malloc(MOST * sizeof *e.val)};
  assert_true(e.row && e.col && e.val);
  for (uint64_t r = 0; r < ROWS; r++)
    for (uint64_t c = draw(3); r % 3 && c < COLS; c += 1 + (r == LONG_ROW ? draw(2) : draw(4000)))
      e.row[e.n] = r, e.col[e.n] = c, e.val[e.n++] = (double)(draw(19) + 1);
  assert_true(e.n > 300000 && e.n <= MOST);
  return e;
}
static void entries_free(entries *e) {
  free(e->row);
  free(e->col);
  free(e->val);
}

static void plus_f(void *z, const void *x, const void *y) {
  *(int64_t *)z = *(const int64_t *)x + *(const int64_t *)y;
}

static double add(double x, double y) {
  return x + y;
}
static double least(double x, double y) {
  return x < y ? x : y;
}

/* w = sums of A's rows, or columns, and the sum of all; A's values are `one` when that is not 0. */
static void sums_case(const entries *e, GrB_Matrix A, double one, GrB_Monoid monoid,
                      double (*sum)(double, double)) {
  static double want[COLS];
  static bool has[COLS];
  for (int by_column = 0; by_column < 2; by_column++) {
    const uint64_t n = by_column ? COLS : ROWS;
    GrB_Vector w;
    GrB_Index found = n;
    memset(has, 0, sizeof has);
    for (uint64_t k = 0; k < e->n; k++) {
      const uint64_t i = by_column ? e->col[k] : e->row[k];
      const double x = one != 0 ? one : e->val[k];
      want[i] = has[i] ? sum(want[i], x) : x;
      has[i] = true;
    }
    assert_int_equal(GrB_Vector_new(&w, GrB_FP64, n), GrB_SUCCESS);
    assert_int_equal(GrB_Matrix_reduce_Monoid(w, NULL, NULL, monoid, A, by_column ? GrB_DESC_T0 : NULL),
                     GrB_SUCCESS);
    assert_int_equal(GrB_Vector_extractTuples_FP64(indices, values, &found, w), GrB_SUCCESS);
    uint64_t k = 0;
    for (uint64_t i = 0; i < n; i++) {
      if (!has[i]) continue;
      assert_true(k < found);
      assert_int_equal(indices[k], i);
      assert_true(values[k] == want[i]);
      k++;
    }
    assert_int_equal(k, found);
    GrB_free(&w);
  }
  double all = 0, got;
  for (uint64_t k = 0; k < e->n; k++) {
    const double x = one != 0 ? one : e->val[k];
    all = k ? sum(all, x) : x;
  }
  assert_int_equal(GrB_Matrix_reduce_FP64(&got, NULL, monoid, A, NULL), GrB_SUCCESS);
  assert_true(got == all);
}

static void matrix_sums(void **state) {
  entries e = draw_entries();
  GrB_BinaryOp plus;
  GrB_Monoid users;
  assert_int_equal(GrB_BinaryOp_new(&plus, plus_f, GrB_INT64, GrB_INT64, GrB_INT64), GrB_SUCCESS);
  assert_int_equal(GrB_Monoid_new_INT64(&users, plus, 0), GrB_SUCCESS);
  const GrB_Type types[] = {GrB_FP64, GrB_INT16, GrB_FP32};
  for (int t = 0; t < 3; t++) {
    GrB_Matrix A;
    assert_int_equal(GrB_Matrix_new(&A, types[t], ROWS, COLS), GrB_SUCCESS);
    assert_int_equal(GrB_Matrix_build_FP64(A, e.row, e.col, e.val, e.n, NULL), GrB_SUCCESS);
    sums_case(&e, A, 0, GrB_PLUS_MONOID_FP64, add);
    sums_case(&e, A, 0, GrB_PLUS_MONOID_INT32, add);
    sums_case(&e, A, 0, GrB_MIN_MONOID_FP32, least);
    sums_case(&e, A, 0, users, add);
    GrB_free(&A);
  }
  GrB_Matrix P; /* a pattern: all values are 1 */
  assert_int_equal(GrB_Matrix_new(&P, GrB_INT8, ROWS, COLS), GrB_SUCCESS);
  const uint64_t all = (uint64_t)grid_ctx.P, from = e.n * (uint64_t)grid_ctx.k / all;
  assert_int_equal(Grid_Matrix_build(P, e.row + from, e.col + from, NULL, NULL,
                                     e.n * ((uint64_t)grid_ctx.k + 1) / all - from, NULL, 0),
                   GrB_SUCCESS);
  sums_case(&e, P, 1, GrB_PLUS_MONOID_FP64, add);
  sums_case(&e, P, 1, GrB_MIN_MONOID_INT64, least);
  sums_case(&e, P, 1, users, add);
  GrB_free(&P);
  GrB_free(&users);
  GrB_free(&plus);
  entries_free(&e);
}

static int by_position(const void *a, const void *b) {
  const uint64_t *x = a, *y = b;
  return x[0] != y[0] ? (x[0] < y[0] ? -1 : 1) : x[1] < y[1] ? -1 : x[1] > y[1];
}

static void matrix_tuples(void **state) {
  entries e = draw_entries();
  GrB_Index *I = malloc(e.n * sizeof *I), *J = malloc(e.n * sizeof *J), n = e.n;
  uint64_t(*cell)[3] = malloc(e.n * sizeof *cell);
  int16_t *X = malloc(e.n * sizeof *X);
  GrB_Matrix A;
  assert_int_equal(GrB_Matrix_new(&A, GrB_FP64, ROWS, COLS), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_build_FP64(A, e.row, e.col, e.val, e.n, NULL), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_extractTuples_INT16(I, J, X, &n, A), GrB_SUCCESS);
  assert_int_equal(n, e.n);
  for (uint64_t k = 0; k < n; k++) cell[k][0] = I[k], cell[k][1] = J[k], cell[k][2] = (uint64_t)X[k];
  if (grid_ctx.P > 1) qsort(cell, n, sizeof *cell, by_position); /* one process passes them in order */
  for (uint64_t k = 0; k < n; k++) {
    assert_int_equal(cell[k][0], e.row[k]);
    assert_int_equal(cell[k][1], e.col[k]);
    assert_int_equal(cell[k][2], e.val[k]);
  }
  memset(J, 0, n * sizeof *J);
  assert_int_equal(GrB_Matrix_extractTuples_INT16(NULL, J, NULL, &n, A), GrB_SUCCESS);
  for (uint64_t k = 0; k < n && grid_ctx.P == 1; k++) assert_int_equal(J[k], e.col[k]);
  GrB_free(&A);
  free(I);
  free(J);
  free(X);
  free(cell);
  entries_free(&e);
}

/* ---- elements one by one ------------------------------------------------------------------------------- */

/* Changes in random order, of vectors in every format and of more than are noted at once. They are read while
 * they are pending and used in between, with more vectors at a time than may be pending. */
static void elements(void **state) {
  enum { VECTORS = 10, CHANGES = 6000 };
  model m[VECTORS];
  GrB_Vector v[VECTORS];
  for (int k = 0; k < VECTORS; k++) {
    m[k] = model_new();
    if (k < FORMATS) draw_model(&m[k], k);
    v[k] = vector_of(&m[k], GrB_FP64);
  }
  for (int c = 0; c < VECTORS * CHANGES; c++) {
    const int k = c < VECTORS * 50 ? c % VECTORS : c / CHANGES;
    const uint64_t i = draw(4) ? draw(N) : draw(300);
    const bool remove = draw(3) == 0;
    const double x = k == 4 || k > 7 ? 42 : (double)draw(100);
    assert_int_equal(remove ? GrB_Vector_removeElement(v[k], i) : GrB_Vector_setElement_FP64(v[k], x, i),
                     GrB_SUCCESS);
    m[k].has[i] = !remove, m[k].val[i] = x;
    if (c % 16) continue;
    const uint64_t at = c % 32 ? i : draw(N);
    double y = -1;
    const GrB_Info info = GrB_Vector_extractElement_FP64(&y, v[k], at);
    assert_int_equal(info, m[k].has[at] ? GrB_SUCCESS : GrB_NO_VALUE);
    if (m[k].has[at]) assert_true(y == m[k].val[at]);
    if (c % 20000) continue;
    CHECK(v[k], &m[k]);
  }
  for (int k = 0; k < VECTORS; k++) {
    if (k != 2) CHECK(v[k], &m[k]);
    GrB_free(&v[k]); /* one with changes waiting */
    model_free(&m[k]);
  }
}

/* Very long vectors, whose entries are a list however many they are. */
static void far_elements(void **state) {
  enum { MANY = 30000 };
  const GrB_Index n = GrB_INDEX_MAX, step = n / MANY;
  GrB_Vector v;
  GrB_Index count, at;
  double x;
  assert_int_equal(GrB_Vector_new(&v, GrB_FP64, n), GrB_SUCCESS);
  for (uint64_t k = 0; k < MANY; k++) /* 7919 is prime: every number once */
    assert_int_equal(GrB_Vector_setElement_FP64(v, (double)k, k * 7919 % MANY * step), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_nvals(&count, v), GrB_SUCCESS);
  assert_int_equal(count, MANY);
  for (uint64_t k = 0; k < MANY; k += 2)
    assert_int_equal(GrB_Vector_removeElement(v, k * 7919 % MANY * step), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_nvals(&count, v), GrB_SUCCESS);
  assert_int_equal(count, MANY / 2);
  for (uint64_t k = 0; k < 100; k++) {
    at = k * 7919 % MANY * step;
    assert_int_equal(GrB_Vector_extractElement_FP64(&x, v, at), k % 2 ? GrB_SUCCESS : GrB_NO_VALUE);
    if (k % 2) assert_true(x == (double)k);
  }
  GrB_free(&v);
}

/* Enough tuples that each process scatters them into several ranges of rows. */
enum { TUPLES = 400000, SIDE = 50003 };
static GrB_Index at_row[TUPLES], at_col[TUPLES];
static double large_value[TUPLES];
static int8_t narrow_value[TUPLES];

/* A few entries in 2^31 columns take memory by their number, on any process, in all functions that merge
 * blocks. */
static void few_in_many_columns(void **state) {
  enum { HEIGHT = 279, LITTLE_MEMORY = 64 << 20 };
  const GrB_Index ncols = UINT64_C(1) << 31;
  const GrB_Index row[] = {83, 146, 161, 161, 261, 278},
                  col[] = {0, 199264408, 499042102, 2010656398, 2110700166, 710603418},
                  from[] = {1, 68, 278, 83, 99}, to[] = {161, 211, 261, 161, 146};
  const double val[] = {1, 2, 3, 4, 5, 6};
  GrB_Matrix A, T, C;
  GrB_Index n = 0, bytes = 0;
  double sum = 0;
  uint64_t peak = 0;
  assert_int_equal(GrB_Matrix_new(&A, GrB_FP64, HEIGHT, ncols), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&C, GrB_FP64, HEIGHT, ncols), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&T, GrB_FP64, HEIGHT, HEIGHT), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_build_FP64(A, row, col, val, 6, NULL), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_build_FP64(T, from, to, val, 5, NULL), GrB_SUCCESS);
  const uint64_t before = Grid_memory(NULL, true);
  assert_int_equal(GrB_mxm(C, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, T, A, NULL), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_nvals(&n, C), GrB_SUCCESS);
  assert_int_equal(n, 6); /* 161 twice for 1, for 83; 261 for 278; 146 for 99 */
  assert_int_equal(GrB_Matrix_reduce_FP64(&sum, NULL, GrB_PLUS_MONOID_FP64, C, NULL), GrB_SUCCESS);
  assert_true(sum == 1 * 7 + 3 * 5 + 4 * 7 + 5 * 2);
  assert_int_equal(GrB_Matrix_serializeSize(&bytes, C), GrB_SUCCESS);
  assert_true(bytes < LITTLE_MEMORY);
  Grid_memory(&peak, true);
  assert_true(peak < before + LITTLE_MEMORY);
  GrB_free(&A), GrB_free(&T), GrB_free(&C);
}

static void draw_tuples(bool crowded) {
  for (uint64_t k = 0; k < TUPLES; k++) {
    at_row[k] = crowded && !draw_one_in(8) ? 37777 + draw(30) : draw(SIDE);
    at_col[k] = draw(SIDE);
    large_value[k] = (double)draw(1000000) / 7;
    narrow_value[k] = (int8_t)draw(100);
    if (k && draw_one_in(10)) at_row[k] = at_row[k - 1], at_col[k] = at_col[k - 1];
  }
}

static tuple *tuples_of(GrB_Matrix A, GrB_Index *n) {
  assert_int_equal(GrB_Matrix_nvals(n, A), GrB_SUCCESS);
  GrB_Index *I = malloc(*n * sizeof *I), *J = malloc(*n * sizeof *J);
  double *X = malloc(*n * sizeof *X);
  tuple *t = malloc(*n * sizeof *t);
  assert_true(I && J && X && t);
  assert_int_equal(GrB_Matrix_extractTuples_FP64(I, J, X, n, A), GrB_SUCCESS);
  for (uint64_t k = 0; k < *n; k++) t[k] = (tuple){I[k], J[k], X[k]};
  qsort(t, *n, sizeof *t, tuple_order);
  free(I);
  free(J);
  free(X);
  return t;
}

/* Blocks that all processes build of replicated tuples, without messages, equal those built from each
 * process's share. */
static void compare_builds(GrB_Matrix everywhere, GrB_Matrix shares) {
  GrB_Index n, m;
  tuple *a = tuples_of(everywhere, &n), *b = tuples_of(shares, &m);
  assert_true(n == m && n > TUPLES / 2);
  for (uint64_t k = 0; k < n; k++)
    assert_true(a[k].row == b[k].row && a[k].col == b[k].col && a[k].value == b[k].value);
  free(a);
  free(b);
  GrB_free(&everywhere);
  GrB_free(&shares);
}

static void large_builds(void **state) {
  const uint64_t P = (uint64_t)grid_ctx.P, k = (uint64_t)grid_ctx.k, per = TUPLES / P,
                 n = k + 1 == P ? TUPLES - per * k : per;
  for (int crowded = 0; crowded < 2; crowded++) {
    GrB_Matrix A, B;
    draw_tuples(crowded);
    assert_int_equal(GrB_Matrix_new(&A, GrB_FP64, SIDE, SIDE), GrB_SUCCESS);
    assert_int_equal(GrB_Matrix_new(&B, GrB_FP64, SIDE, SIDE), GrB_SUCCESS);
    assert_int_equal(GrB_Matrix_build_FP64(A, at_row, at_col, large_value, TUPLES, GrB_MAX_FP64),
                     GrB_SUCCESS);
    assert_int_equal(Grid_Matrix_build(B, at_row + per * k, at_col + per * k, large_value + per * k, GrB_FP64,
                                       n, GrB_MAX_FP64, 0),
                     GrB_SUCCESS);
    compare_builds(A, B);
    assert_int_equal(GrB_Matrix_new(&A, GrB_INT8, SIDE, SIDE), GrB_SUCCESS);
    assert_int_equal(GrB_Matrix_new(&B, GrB_INT8, SIDE, SIDE), GrB_SUCCESS);
    assert_int_equal(GrB_Matrix_build_INT8(A, at_row, at_col, narrow_value, TUPLES, GrB_FIRST_INT8),
                     GrB_SUCCESS);
    assert_int_equal(Grid_Matrix_build(B, at_row + per * k, at_col + per * k, narrow_value + per * k,
                                       GrB_INT8, n, GrB_FIRST_INT8, 0),
                     GrB_SUCCESS);
    compare_builds(A, B);
  }
}

/* ---- lengths ------------------------------------------------------------------------------------------- */

static void lengths(void **state) {
  for (int format = 0; format < FORMATS; format++) {
    model m = model_new();
    draw_model(&m, format);
    GrB_Vector v = vector_of(&m, GrB_FP64);
    assert_int_equal(GrB_Vector_resize(v, 40 * (GrB_Index)N), GrB_SUCCESS);
    CHECK(v, &m);
    assert_int_equal(GrB_Vector_setElement_FP64(v, 1, 30 * (GrB_Index)N), GrB_SUCCESS);
    assert_int_equal(GrB_Vector_resize(v, N), GrB_SUCCESS);
    CHECK(v, &m);
    assert_int_equal(GrB_Vector_resize(v, N / 2 + 5), GrB_SUCCESS);
    for (uint64_t i = N / 2 + 5; i < N; i++) m.has[i] = false;
    CHECK(v, &m);
    assert_int_equal(GrB_Vector_resize(v, N), GrB_SUCCESS);
    assert_int_equal(GrB_Vector_setElement_FP64(v, 42, N - 1), GrB_SUCCESS);
    m.has[N - 1] = true, m.val[N - 1] = 42;
    CHECK(v, &m);
    assert_int_equal(GrB_Vector_resize(v, 1), GrB_SUCCESS);
    for (uint64_t i = 1; i < N; i++) m.has[i] = false;
    CHECK(v, &m);
    GrB_free(&v);
    model_free(&m);
  }
}

/* ---- tuples in order ----------------------------------------------------------------------------------- */

/* In order, except for the last two, which are duplicates, swapped, or out of bounds; and the same with empty
 * rows. */
static void build_in_order(void **state) {
  enum { HEIGHT = 3001, WIDTH = 500, NUMBER = 180000 };
  GrB_Index *I = malloc(NUMBER * sizeof *I), *J = malloc(NUMBER * sizeof *J), n = NUMBER;
  double *X = malloc(NUMBER * sizeof *X), sum = 0;
  assert_true(I && J && X);
  for (int round = 0; round < 10; round++) {
    const GrB_Index first = round < 5 ? 0 : 900, at = NUMBER;
    GrB_Matrix A;
    GrB_Index k = 0;
    for (uint64_t cell = 0; k < at; cell++)
      if (cell % 25 < 3 || cell % 3 == 0)
        I[k] = first + cell / WIDTH, J[k] = cell % WIDTH, X[k++] = (double)draw(9);
    if (round % 5 == 1) I[at - 1] = I[at - 2], J[at - 1] = J[at - 2];
    if (round % 5 == 2) I[at - 1] = 0, J[at - 1] = 499;
    if (round % 5 == 3) J[at - 1] = WIDTH;
    GrB_Index wanted = at - (round % 5 == 1 || round == 2);
    double want = 0, last = round % 5 == 1 ? X[at - 1] + X[at - 2] : X[at - 1], got = 0;
    for (k = 0; k < at; k++) want += X[k];
    if (round == 2) { /* does (0, 499) exist already? */
      wanted = at;
      for (k = 0; k + 1 < at; k++)
        if (I[k] == 0 && J[k] == 499) wanted = at - 1, last += X[k];
    }
    assert_int_equal(GrB_Matrix_new(&A, round == 9 ? GrB_INT16 : GrB_FP64, HEIGHT, WIDTH), GrB_SUCCESS);
    const GrB_Info info = GrB_Matrix_build_FP64(A, I, J, X, at, GrB_PLUS_FP64);
    assert_int_equal(info, round % 5 == 3 ? GrB_INDEX_OUT_OF_BOUNDS : GrB_SUCCESS);
    if (info == GrB_SUCCESS) {
      assert_int_equal(GrB_Matrix_nvals(&n, A), GrB_SUCCESS);
      assert_int_equal(n, wanted);
      assert_int_equal(GrB_Matrix_reduce_FP64(&sum, NULL, GrB_PLUS_MONOID_FP64, A, NULL), GrB_SUCCESS);
      assert_true(sum == want);
      assert_int_equal(GrB_Matrix_extractElement_FP64(&got, A, I[at - 1], J[at - 1]), GrB_SUCCESS);
      assert_true(got == last);
      for (k = 0; k < at - 2; k += 1009) {
        assert_int_equal(GrB_Matrix_extractElement_FP64(&got, A, I[k], J[k]), GrB_SUCCESS);
        assert_true(got == X[k] || (I[k] == 0 && J[k] == 499));
      }
    }
    GrB_free(&A);
  }
  free(I);
  free(J);
  free(X);
}

/* ---- select by position, of many rows ------------------------------------------------------------------ */

enum { ROWS_OF_BANDS = 20011, COLUMNS_OF_BANDS = 509, ENTRIES_OF_BANDS = 120000 };

static bool is_selected(GrB_IndexUnaryOp op, int64_t i, int64_t j, int64_t y) {
  const bool far = y > INT64_C(1) << 40 || y < -(INT64_C(1) << 40); /* i + y may overflow */
  if (op == GrB_TRIL) return far ? y > 0 : j <= i + y;
  if (op == GrB_TRIU) return far ? y < 0 : j >= i + y;
  if (op == GrB_DIAG) return !far && j == i + y;
  if (op == GrB_OFFDIAG) return far || j != i + y;
  if (op == GrB_COLLE) return j <= y;
  if (op == GrB_COLGT) return j > y;
  return op == GrB_ROWLE ? i <= y : i > y;
}

static void select_bands(void **state) {
  const GrB_IndexUnaryOp ops[] = {GrB_TRIL,  GrB_TRIU,  GrB_DIAG,  GrB_OFFDIAG,
                                  GrB_COLLE, GrB_COLGT, GrB_ROWLE, GrB_ROWGT};
  const int64_t bounds[] = {0, -3, 7, -10000, 250, 15000, INT64_MIN, INT64_MAX};
  GrB_Index *I = malloc(ENTRIES_OF_BANDS * sizeof *I), *J = malloc(ENTRIES_OF_BANDS * sizeof *J), n;
  double *X = malloc(ENTRIES_OF_BANDS * sizeof *X), got;
  GrB_Matrix A, C;
  assert_true(I && J && X);
  for (int k = 0; k < ENTRIES_OF_BANDS; k++) {
    I[k] = draw(ROWS_OF_BANDS);
    J[k] = draw(2) || I[k] >= COLUMNS_OF_BANDS ? draw(COLUMNS_OF_BANDS) : I[k];
    X[k] = 1;
  }
  assert_int_equal(GrB_Matrix_new(&A, GrB_FP64, ROWS_OF_BANDS, COLUMNS_OF_BANDS), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&C, GrB_FP64, ROWS_OF_BANDS, COLUMNS_OF_BANDS), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_build_FP64(A, I, J, X, ENTRIES_OF_BANDS, GrB_PLUS_FP64), GrB_SUCCESS);
  for (size_t o = 0; o < sizeof ops / sizeof *ops; o++)
    for (size_t b = 0; b < sizeof bounds / sizeof *bounds; b++) {
      double sum = 0;
      assert_int_equal(GrB_Matrix_select_INT64(C, NULL, NULL, ops[o], A, bounds[b], NULL), GrB_SUCCESS);
      for (int k = 0; k < ENTRIES_OF_BANDS; k++)
        sum += is_selected(ops[o], (int64_t)I[k], (int64_t)J[k], bounds[b]);
      assert_int_equal(GrB_Matrix_reduce_FP64(&got, NULL, GrB_PLUS_MONOID_FP64, C, NULL), GrB_SUCCESS);
      assert_true(got == sum);
      for (int k = 0; k < ENTRIES_OF_BANDS; k += 997) {
        const bool is = is_selected(ops[o], (int64_t)I[k], (int64_t)J[k], bounds[b]);
        assert_int_equal(GrB_Matrix_extractElement_FP64(&got, C, I[k], J[k]),
                         is ? GrB_SUCCESS : GrB_NO_VALUE);
      }
    }
  assert_int_equal(GrB_Matrix_nvals(&n, A), GrB_SUCCESS);
  assert_true(n > ROWS_OF_BANDS);
  GrB_free(&A);
  GrB_free(&C);
  free(I);
  free(J);
  free(X);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_vector),
      cmocka_unit_test(two_vectors),
      cmocka_unit_test(two_lists),
      cmocka_unit_test(extract_lists),
      cmocka_unit_test(assign_lists),
      cmocka_unit_test(assign_value),
      cmocka_unit_test(same_for_all_threads),
      cmocka_unit_test(matrix_sums),
      cmocka_unit_test(matrix_tuples),
      cmocka_unit_test(elements),
      cmocka_unit_test(far_elements),
      cmocka_unit_test(few_in_many_columns),
      cmocka_unit_test(large_builds),
      cmocka_unit_test(lengths),
      cmocka_unit_test(build_in_order),
      cmocka_unit_test(select_bands),
  };
  if (GrB_init(GrB_NONBLOCKING) != GrB_SUCCESS) return 1;
  omp_set_num_threads(3);
  indices = malloc(N * sizeof *indices);
  values = malloc(N * sizeof *values);
  int failed = indices && values ? cmocka_run_group_tests_name("unit_long_vectors", tests, NULL, NULL) : 1;
  free(indices);
  free(values);
  return GrB_finalize() == GrB_SUCCESS && grid_mem_live() == 0 ? failed : 1;
}
