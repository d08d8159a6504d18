/* Grid_Vector_gather and Grid_Vector_scatter against plain arrays, on any number of processes, and its
 * errors. GRID_TEST_GPU: on a GPU (exit status 77 where there is none). */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "tests/unit.h"
#include "tests/gpu_present.h"
#include "gridblas.h"

enum { MOST = 700 };

static uint64_t state_of_chance = 77;
static uint64_t chance(uint64_t n) {
  state_of_chance = state_of_chance * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (state_of_chance >> 33) % n;
}

/* A vector of n values below `below`, with about `percent` of its entries: has and value on every process. */
static GrB_Vector draw(bool *has, int64_t *value, GrB_Type type, uint64_t n, uint64_t below,
                       uint64_t percent) {
  GrB_Vector v;
  GrB_Index at[MOST], m = 0;
  int64_t x[MOST];
  for (uint64_t k = 0; k < n; k++) {
    has[k] = chance(100) < percent;
    value[k] = (int64_t)chance(below);
    if (has[k]) at[m] = k, x[m++] = value[k];
  }
  assert_int_equal(GrB_Vector_new(&v, type, n), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_build_INT64(v, at, x, m, NULL), GrB_SUCCESS);
  return v;
}

static void compare(GrB_Vector w, const bool *has, const int64_t *value, uint64_t n) {
  GrB_Index at[MOST], m = MOST, k = 0;
  int64_t x[MOST];
  assert_int_equal(GrB_Vector_extractTuples_INT64(at, x, &m, w), GrB_SUCCESS);
  for (uint64_t i = 0; i < n; i++) {
    if (!has[i]) continue;
    assert_true(k < m);
    assert_int_equal(at[k], i);
    assert_int_equal(x[k], value[i]);
    k++;
  }
  assert_int_equal(k, m);
}

static void gathers(void **state) {
  static const uint64_t percents[] = {100, 60, 5, 0};
  bool has_u[MOST], has_at[MOST], has_w[MOST], in[MOST];
  int64_t u[MOST], at[MOST], w[MOST], m[MOST];
  const GrB_Type types[] = {GrB_INT64, GrB_UINT16, GrB_INT32};
  for (int turn = 0; turn < 48; turn++) {
    const uint64_t n = 1 + chance(MOST), size = 1 + chance(MOST);
    GrB_Vector U = draw(has_u, u, turn % 5 == 0 ? GrB_INT16 : GrB_INT64, size, 1000, percents[turn % 4]);
    GrB_Vector at_vector = draw(has_at, at, types[turn % 3], n, size, percents[turn / 4 % 4]);
    GrB_Vector W = draw(has_w, w, GrB_INT64, n, 50, percents[turn % 3]);
    GrB_Vector M = draw(in, m, GrB_BOOL, n, 2, 50);
    const bool masked = turn % 3 == 1, add = turn % 7 == 2, replace = turn % 2 == 0 && masked;
    assert_int_equal(Grid_Vector_gather(W, masked ? M : NULL, add ? GrB_PLUS_INT64 : NULL, U, at_vector,
                                        replace ? GrB_DESC_RS : GrB_DESC_S),
                     GrB_SUCCESS);
    for (uint64_t k = 0; k < n; k++) {
      const bool has = has_at[k] && has_u[at[k]];
      if (masked && !in[k]) {
        has_w[k] = has_w[k] && !replace;
        continue;
      }
      if (has) w[k] = u[at[k]] + (add && has_w[k] ? w[k] : 0);
      has_w[k] = has || (add && has_w[k]);
    }
    compare(W, has_w, w, n);
    GrB_Vector_free(&U);
    GrB_Vector_free(&at_vector);
    GrB_Vector_free(&W);
    GrB_Vector_free(&M);
  }
}

/* Indices in any order, with duplicates: with an operator duplicates are combined in their order; without one
 * they are an error. */
static void scatters(void **state) {
  static const uint64_t percents[] = {100, 60, 5, 0};
  bool has_u[MOST], has_at[MOST], has_w[MOST], in[MOST], has[MOST];
  int64_t u[MOST], at[MOST], w[MOST], m[MOST], t[MOST];
  const GrB_Type types[] = {GrB_INT64, GrB_UINT16, GrB_INT32};
  const GrB_BinaryOp dups[] = {GrB_PLUS_INT64, GrB_MIN_INT64, GrB_FIRST_INT64, GrB_SECOND_INT64, NULL};
  int refused = 0;
  for (int turn = 0; turn < 60; turn++) {
    const uint64_t n = 1 + chance(MOST), size = 1 + chance(MOST);
    const int d = turn % 5;
    GrB_Vector U = draw(has_u, u, turn % 7 == 0 ? GrB_INT16 : GrB_INT64, size, 1000, percents[turn % 4]);
    GrB_Vector at_vector = draw(has_at, at, types[turn % 3], size, n, percents[turn / 4 % 4]);
    GrB_Vector W = draw(has_w, w, GrB_INT64, n, 50, percents[turn % 3]);
    GrB_Vector M = draw(in, m, GrB_BOOL, n, 2, 50);
    const bool masked = turn % 3 == 1, add = turn % 7 == 2, replace = turn % 2 == 0 && masked;
    bool twice = false;
    for (uint64_t k = 0; k < n; k++) has[k] = false;
    for (uint64_t k = 0; k < size; k++) {
      if (!has_u[k] || !has_at[k]) continue;
      const bool old = has[at[k]];
      int64_t *z = &t[at[k]];
      *z = !old || d == 3 ? u[k] : d == 0 ? *z + u[k] : d == 1 && u[k] < *z ? u[k] : *z;
      twice = twice || old;
      has[at[k]] = true;
    }
    const GrB_Info want = twice && d == 4 ? GrB_INVALID_VALUE : GrB_SUCCESS;
    assert_int_equal(Grid_Vector_scatter(W, masked ? M : NULL, add ? GrB_PLUS_INT64 : NULL, dups[d], U,
                                         at_vector, replace ? GrB_DESC_RS : GrB_DESC_S),
                     want);
    refused += want != GrB_SUCCESS;
    for (uint64_t k = 0; k < n && want == GrB_SUCCESS; k++) {
      if (masked && !in[k]) {
        has_w[k] = has_w[k] && !replace;
        continue;
      }
      if (has[k]) w[k] = t[k] + (add && has_w[k] ? w[k] : 0);
      has_w[k] = has[k] || (add && has_w[k]);
    }
    compare(W, has_w, w, n);
    GrB_Vector_free(&U);
    GrB_Vector_free(&at_vector);
    GrB_Vector_free(&W);
    GrB_Vector_free(&M);
  }
  assert_true(refused > 0);
}

/* (a, b) -> (a, b of the last): associative, not commutative, of a user's type. */
typedef struct {
  int64_t first, last;
} ends;
static void join_ends(void *z, const void *x, const void *y) {
  const ends e = {((const ends *)x)->first, ((const ends *)y)->last};
  *(ends *)z = e;
}

/* Entry k of MANY goes to target(k) below n: uniform, all to one, to sixteen, ascending. */
enum { MANY = 40000 };
static uint64_t target(int kind, uint64_t k, uint64_t n) {
  const uint64_t mixed = (k + 1) * UINT64_C(0x9e3779b97f4a7c15) >> 20;
  return kind == 0 ? mixed % n : kind == 1 ? n / 2 : kind == 2 ? mixed % 16 : k * n / MANY;
}

static GrB_Vector vector_of(GrB_Type type, const void *x, size_t size) {
  GrB_Vector v;
  GrB_Index first, count;
  assert_int_equal(Grid_local_range(MANY, &first, &count), GrB_SUCCESS);
  GrB_Index *at = malloc((count + 1) * sizeof *at);
  for (GrB_Index k = 0; k < count; k++) at[k] = first + k;
  assert_int_equal(GrB_Vector_new(&v, type, MANY), GrB_SUCCESS);
  assert_int_equal(Grid_Vector_build(v, at, (const char *)x + first * size, type, count, NULL), GrB_SUCCESS);
  free(at);
  return v;
}

static bool on_gpu; /* which adds neighbors in pairs: sums of floating point are rounded in other places */

static void compare_entry(GrB_Type type, const void *got, const void *want, size_t size) {
  if (on_gpu && type == GrB_FP64)
    assert_true(fabs(*(const double *)got - *(const double *)want) <= 1e-13 * *(const double *)want);
  else
    assert_memory_equal(got, want, size);
}

/* w = the entries of x combined by dup; compares this process's entries with `want`. */
static void scatter_and_compare(GrB_Type type, GrB_BinaryOp dup, const void *x, GrB_Vector where,
                                const void *want, const bool *has, size_t size, uint64_t n) {
  GrB_Vector w, u = vector_of(type, x, size);
  GrB_Index first, count, k = 0;
  assert_int_equal(GrB_Vector_new(&w, type, n), GrB_SUCCESS);
  assert_int_equal(Grid_Vector_scatter(w, NULL, NULL, dup, u, where, NULL), GrB_SUCCESS);
  assert_int_equal(Grid_local_range(n, &first, &count), GrB_SUCCESS);
  GrB_Index *at = malloc((count + 1) * sizeof *at), found = count;
  char *got = malloc((count + 1) * size);
  assert_int_equal(Grid_Vector_extractLocal(at, got, &found, w), GrB_SUCCESS);
  for (uint64_t i = first; i < first + count; i++) {
    if (!has[i]) continue;
    assert_true(k < found && at[k] == i);
    compare_entry(type, got + k++ * size, (const char *)want + i * size, size);
  }
  assert_int_equal(k, found);
  free(at), free(got);
  GrB_Vector_free(&w);
  GrB_Vector_free(&u);
}

/* So many entries that all threads combine them, in order: sums of numbers that rounding affects, and a
 * user's operator that is not commutative. */
static void scatters_in_order(void **state) {
  static const uint64_t sizes[] = {16, 3000, 70000};
  GrB_Type type;
  GrB_BinaryOp join;
  double *x = malloc(MANY * sizeof *x), *sum = malloc(70000 * sizeof *sum);
  ends *e = malloc(MANY * sizeof *e), *joined = malloc(70000 * sizeof *joined);
  uint64_t *to = malloc(MANY * sizeof *to);
  bool *has = malloc(70000);
  assert_int_equal(Grid_Type_new(&type, sizeof(ends), NULL, NULL), GrB_SUCCESS);
  assert_int_equal(GrB_BinaryOp_new(&join, join_ends, type, type, type), GrB_SUCCESS);
  for (int64_t k = 0; k < MANY; k++) x[k] = 1.0 / (double)(k + 3), e[k] = (ends){k, -k};
  for (int turn = 0; turn < 12; turn++) {
    const uint64_t n = sizes[turn % 3];
    memset(has, 0, n);
    for (uint64_t k = 0; k < MANY; k++) {
      const uint64_t i = to[k] = target(turn / 3, k, n);
      sum[i] = has[i] ? sum[i] + x[k] : x[k];
      joined[i] = (ends){has[i] ? joined[i].first : e[k].first, e[k].last};
      has[i] = true;
    }
    GrB_Vector where = vector_of(GrB_UINT64, to, sizeof *to);
    scatter_and_compare(GrB_FP64, GrB_PLUS_FP64, x, where, sum, has, sizeof *x, n);
    scatter_and_compare(type, join, e, where, joined, has, sizeof *e, n);
    GrB_Vector_free(&where);
  }
  free(x), free(sum), free(e), free(joined), free(to), free(has);
  GrB_BinaryOp_free(&join);
  GrB_Type_free(&type);
}

/* A vector is its own list: w = w(w). */
static void self_indexed_gather(void **state) {
  bool has[MOST];
  int64_t v[MOST], want[MOST];
  GrB_Vector W = draw(has, v, GrB_INT64, 500, 500, 100);
  assert_int_equal(Grid_Vector_gather(W, NULL, NULL, W, W, NULL), GrB_SUCCESS);
  for (int k = 0; k < 500; k++) want[k] = v[v[k]];
  compare(W, has, want, 500);
  GrB_Vector_free(&W);
}

/* Values too large for a GPU. */
typedef struct {
  double x[20];
} large_value;

/* v(k) = 3 k, 3 k + 1, ... */
static GrB_Vector draw_rows(GrB_Type type, uint64_t n) {
  GrB_Index first, count;
  GrB_Vector v;
  assert_int_equal(Grid_local_range(n, &first, &count), GrB_SUCCESS);
  GrB_Index *at = malloc((count + 1) * sizeof *at);
  large_value *x = calloc(count + 1, sizeof *x);
  for (GrB_Index k = 0; k < count; k++) {
    at[k] = first + k;
    for (int j = 0; j < 20; j++) x[k].x[j] = (double)(3 * at[k]) + j;
  }
  assert_int_equal(GrB_Vector_new(&v, type, n), GrB_SUCCESS);
  assert_int_equal(Grid_Vector_build(v, at, x, type, count, NULL), GrB_SUCCESS);
  free(at), free(x);
  return v;
}

/* Lists much shorter than the vector, for which each process requests what it needs, and longer ones, for
 * which on one machine all is in shared memory. */
static void short_and_long_lists(void **state) {
  const uint64_t n = 5000, lengths[] = {1, 40, 500, 9000};
  GrB_Type type;
  assert_int_equal(Grid_Type_new(&type, sizeof(large_value), NULL, NULL), GrB_SUCCESS);
  GrB_Vector u = draw_rows(type, n);
  for (int l = 0; l < 4; l++) {
    GrB_Vector where, w;
    GrB_Index *named = malloc(lengths[l] * sizeof *named), *at = malloc(lengths[l] * sizeof *at), first,
              count;
    large_value *x = malloc(lengths[l] * sizeof *x);
    for (uint64_t k = 0; k < lengths[l]; k++) at[k] = k, named[k] = chance(n);
    assert_int_equal(GrB_Vector_new(&where, GrB_UINT64, lengths[l]), GrB_SUCCESS);
    assert_int_equal(GrB_Vector_build_UINT64(where, at, named, lengths[l], NULL), GrB_SUCCESS);
    assert_int_equal(GrB_Vector_new(&w, type, lengths[l]), GrB_SUCCESS);
    assert_int_equal(Grid_Vector_gather(w, NULL, NULL, u, where, NULL), GrB_SUCCESS);
    assert_int_equal(Grid_local_range(lengths[l], &first, &count), GrB_SUCCESS);
    GrB_Index found = count;
    assert_int_equal(Grid_Vector_extractLocal(at, x, &found, w), GrB_SUCCESS);
    assert_int_equal(found, count);
    for (uint64_t k = 0; k < count; k++)
      for (int j = 0; j < 20; j++) assert_true(x[k].x[j] == (double)(3 * named[first + k]) + j);
    GrB_Vector_free(&where);
    GrB_Vector_free(&w);
    free(named), free(at), free(x);
  }
  GrB_Vector_free(&u);
  GrB_Type_free(&type);
}

static void errors(void **state) {
  bool has[MOST];
  int64_t v[MOST];
  GrB_Vector W = draw(has, v, GrB_INT64, 300, 20, 100), U, at, real, shorter;
  assert_int_equal(GrB_Vector_new(&U, GrB_INT64, 200), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_new(&at, GrB_INT64, 300), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_new(&real, GrB_FP64, 300), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_new(&shorter, GrB_INT64, 299), GrB_SUCCESS);
  assert_int_equal(Grid_Vector_gather(NULL, NULL, NULL, U, at, NULL), GrB_NULL_POINTER);
  assert_int_equal(Grid_Vector_gather(W, NULL, NULL, NULL, at, NULL), GrB_NULL_POINTER);
  assert_int_equal(Grid_Vector_gather(W, NULL, NULL, U, NULL, NULL), GrB_NULL_POINTER);
  assert_int_equal(Grid_Vector_gather(W, NULL, NULL, U, shorter, NULL), GrB_DIMENSION_MISMATCH);
  assert_int_equal(Grid_Vector_gather(W, NULL, NULL, U, real, NULL), GrB_DOMAIN_MISMATCH);
  const int64_t wrong[] = {200, -1};
  for (int k = 0; k < 2; k++) { /* on one process alone */
    assert_int_equal(GrB_Vector_setElement_INT64(at, wrong[k], 299), GrB_SUCCESS);
    assert_int_equal(Grid_Vector_gather(W, NULL, NULL, U, at, NULL), GrB_INDEX_OUT_OF_BOUNDS);
    assert_non_null(strstr(Grid_last_error(), "Grid_Vector_gather"));
    assert_int_equal(Grid_Vector_scatter(U, NULL, NULL, GrB_PLUS_INT64, W, at, NULL),
                     GrB_INDEX_OUT_OF_BOUNDS);
    assert_non_null(strstr(Grid_last_error(), "Grid_Vector_scatter"));
  }
  assert_int_equal(Grid_Vector_scatter(NULL, NULL, NULL, NULL, U, at, NULL), GrB_NULL_POINTER);
  assert_int_equal(Grid_Vector_scatter(U, NULL, NULL, NULL, NULL, at, NULL), GrB_NULL_POINTER);
  assert_int_equal(Grid_Vector_scatter(U, NULL, NULL, NULL, W, NULL, NULL), GrB_NULL_POINTER);
  assert_int_equal(Grid_Vector_scatter(U, NULL, NULL, NULL, W, shorter, NULL), GrB_DIMENSION_MISMATCH);
  assert_int_equal(Grid_Vector_scatter(U, NULL, NULL, NULL, W, real, NULL), GrB_DOMAIN_MISMATCH);
  assert_int_equal(Grid_Vector_scatter(U, NULL, NULL, GrB_LT_INT64, W, at, NULL), GrB_DOMAIN_MISMATCH);
  compare(W, has, v, 300);
  GrB_Vector_free(&W);
  GrB_Vector_free(&U);
  GrB_Vector_free(&at);
  GrB_Vector_free(&real);
  GrB_Vector_free(&shorter);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(gathers),
                                     cmocka_unit_test(scatters),
                                     cmocka_unit_test(scatters_in_order),
                                     cmocka_unit_test(self_indexed_gather),
                                     cmocka_unit_test(short_and_long_lists),
                                     cmocka_unit_test(errors)};
  on_gpu = getenv("GRID_TEST_GPU") != NULL;
  if (on_gpu && !have_gpu()) return 77;
  setenv("GRIDBLAS_SHARE_GPU", "1", 0);
  if (Grid_init(GrB_NONBLOCKING, NULL, 0, 0) != GrB_SUCCESS) return 2;
  if (on_gpu && Grid_device_set(Grid_CUDA) != GrB_SUCCESS) return 2;
  const int failed = cmocka_run_group_tests_name("gather", tests, NULL, NULL);
  return GrB_finalize() == GrB_SUCCESS ? failed : 2;
}
