/* The method hub-bits of GrB_mxm (dist/product/mxm/mxm_hub_bits.c): C<M> = A B' over PLUS.ONEB against counts
 * by plain loops, for shapes with hubs, without, and with more hubs than are numbered; and where the method
 * is chosen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dist/matrix/matrix.h"
#include "dist/plan/tune_method.h"
#include "semiring/support/tuning.h"
#include "spmat/cpu/mxm/mxm_hub_bits.h"
#include "tests/assert_all.h"
#include "tests/grid_shapes.h"
#include "tests/random_numbers.h"

#define OK(call) assert_on_all((call) == GrB_SUCCESS)

enum { MOST = 90000 };

typedef struct {
  GrB_Index rows, cols, n, row[MOST], col[MOST];
} pattern;

static int compare_keys(const void *x, const void *y) {
  const uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
  return (a > b) - (a < b);
}

/* About so many entries; hubs: half of the columns drawn, and a third of the rows, are among the first. */
static void draw_pattern(pattern *p, GrB_Index rows, GrB_Index cols, GrB_Index n, GrB_Index hubs) {
  static uint64_t key[MOST];
  GrB_Index k = 0;
  for (GrB_Index e = 0; e < n; e++) {
    const GrB_Index i = hubs && draw_one_in(3) ? draw(hubs) % rows : draw(rows),
                    j = hubs && draw_one_in(2) ? draw(hubs) % cols : draw(cols);
    key[k++] = i << 32 | j;
  }
  qsort(key, k, sizeof *key, compare_keys);
  p->rows = rows, p->cols = cols, p->n = 0;
  for (GrB_Index e = 0; e < k; e++) {
    if (e && key[e] == key[e - 1]) continue;
    p->row[p->n] = key[e] >> 32, p->col[p->n++] = key[e] & UINT32_MAX;
  }
}

static GrB_Matrix matrix_of(const pattern *p) {
  GrB_Matrix A;
  OK(GrB_Matrix_new(&A, GrB_BOOL, p->rows, p->cols));
  OK(Grid_Matrix_build(A, p->row, p->col, NULL, NULL, Grid_rank() == 0 ? p->n : 0, NULL, 0));
  return A;
}

/* Row r's entries are numbers *from .. end - 1. */
static GrB_Index row_of(const pattern *p, GrB_Index r, GrB_Index *from) {
  GrB_Index lo = 0, hi = p->n;
  while (lo < hi) {
    const GrB_Index mid = (lo + hi) / 2;
    if (p->row[mid] < r)
      lo = mid + 1;
    else
      hi = mid;
  }
  *from = lo;
  while (lo < p->n && p->row[lo] == r) lo++;
  return lo;
}

static GrB_Index count_common(const pattern *a, GrB_Index i, const pattern *b, GrB_Index j) {
  GrB_Index e, f, sum = 0;
  const GrB_Index end = row_of(a, i, &e), last = row_of(b, j, &f);
  while (e < end && f < last) {
    sum += a->col[e] == b->col[f];
    const bool first = a->col[e] <= b->col[f], second = b->col[f] <= a->col[e];
    e += first, f += second;
  }
  return sum;
}

static void compare(GrB_Semiring s, GrB_Type type, const pattern *a, const pattern *b, const pattern *m) {
  static GrB_Index row[MOST], col[MOST];
  static uint64_t value[MOST];
  GrB_Matrix A = matrix_of(a), B = matrix_of(b), M = matrix_of(m), C;
  GrB_Index n = MOST, at = 0;
  bool right = true;
  OK(GrB_Matrix_new(&C, type, m->rows, m->cols));
  OK(grid_tune_method_set("mxm=hub-bits"));
  OK(GrB_mxm(C, M, NULL, s, A, B, GrB_DESC_ST1));
  OK(grid_tune_method_set(NULL));
  OK(GrB_Matrix_extractTuples_UINT64(row, col, value, &n, C));
  for (GrB_Index e = 0; e < m->n; e++) {
    const GrB_Index count = count_common(a, m->row[e], b, m->col[e]);
    if (count == 0) continue;
    right = right && at < n && row[at] == m->row[e] && col[at] == m->col[e] && value[at] == count;
    at++;
  }
  assert_on_all(right && at == n);
  GrB_Matrix_free(&A), GrB_Matrix_free(&B), GrB_Matrix_free(&M), GrB_Matrix_free(&C);
}

static void counts(void **state) {
  (void)state;
  static pattern a, b, m;
  const GrB_Semiring s[] = {Grid_PLUS_ONEB_SEMIRING_INT64, Grid_PLUS_ONEB_SEMIRING_UINT64,
                            Grid_PLUS_ONEB_SEMIRING_INT32, Grid_PLUS_ONEB_SEMIRING_FP64};
  const GrB_Type type[] = {GrB_INT64, GrB_UINT64, GrB_INT32, GrB_FP64};
  for (int round = 0; round < 24; round++) {
    const GrB_Index inner = round % 4 == 3 ? 30000 : 20 + draw(2000), hubs = draw(3) * (10 + draw(300)),
                    rows = 1 + draw(400), n = 1 + draw(400);
    grid_tune.offsets64_from = draw_one_in(3) ? 100 : UINT64_C(1) << 32;
    draw_pattern(&a, rows, inner, draw(20000), hubs);
    draw_pattern(&b, n, inner, round % 4 == 3 ? MOST : draw(40000), hubs);
    draw_pattern(&m, rows, n, draw(20000), hubs);
    compare(s[round % 4], type[round % 4], &a, &b, &m);
  }
  grid_tune.offsets64_from = UINT64_C(1) << 32;
  draw_pattern(&a, 60, 40000, MOST, 0); /* more inner indices of the same degree than hubs have numbers */
  draw_pattern(&m, 60, 60, 1000, 0);
  compare(s[0], type[0], &a, &a, &m);
}

static bool pays(GrB_Matrix A) {
  const grid_compressed *c = &A->block.by_row;
  const grid_hub_product p = {.a = c, .b = c, .mask = c, .rows = A->nrows, .n = A->nrows, .inner = A->nrows};
  return grid_hub_bits_pay(&p);
}

/* A graph with hubs is worth the bits; a random graph and a mesh are not. */
static void choice(void **state) {
  (void)state;
  static pattern even;
  if (Grid_size() > 1) return;
  GrB_Matrix A, B, D;
  OK(GrB_Matrix_new(&A, GrB_BOOL, 1 << 14, 1 << 14));
  OK(Grid_Matrix_rmat(A, 14, 16, 1, Grid_MIRROR | Grid_NO_LOOPS));
  OK(GrB_wait(A, GrB_MATERIALIZE));
  draw_pattern(&even, 20000, 20000, MOST, 0);
  B = matrix_of(&even);
  OK(GrB_wait(B, GrB_MATERIALIZE));
  for (even.n = 0; even.n < 60000; even.n++) {
    even.row[even.n] = even.n / 3;
    even.col[even.n] = (even.n / 3 + (even.n % 3) * 7) % 20000;
  }
  D = matrix_of(&even);
  OK(GrB_wait(D, GrB_MATERIALIZE));
  assert_true(pays(A));
  assert_false(pays(B));
  assert_false(pays(D));
  GrB_Matrix_free(&A), GrB_Matrix_free(&B), GrB_Matrix_free(&D);
}

static int group(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(counts), cmocka_unit_test(choice)};
  return cmocka_run_group_tests(tests, start_on_shape, stop_on_shape);
}

int main(void) {
  return run_on_shapes(group);
}
