/* The method hub-bits of GrB_mxm (dist/product/mxm/mxm_hub_bits.c): C<M> = A B' over PLUS.ONEB against counts
 * by plain loops. Shapes have hubs, none, or more hubs than are numbered. Also where the method is chosen.
 * With GRID_TEST_GPU=1 the same on the GPU (spmat/cuda/matrix/mxm_hub_bits.cu), also under masks with values,
 * and graphs against the CPU. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit.h"
#include "dist/matrix/matrix.h"
#include "dist/plan/tune_method.h"
#include "semiring/support/tuning.h"
#include "spmat/cpu/mxm/mxm_hub_bits.h"
#include "tests/assert_all.h"
#include "tests/gpu_present.h"
#include "tests/grid_shapes.h"
#include "tests/random_numbers.h"

#define OK(call) assert_on_all((call) == GrB_SUCCESS)

enum { MOST = 90000 };
static bool gpu;

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

/* Does the mask's entry e count? Every third does not where the mask's values do. */
static bool is_true(bool values, GrB_Index e) {
  return !values || e % 3 != 0;
}
static GrB_Matrix mask_of(const pattern *p, bool values) {
  static bool value[MOST];
  GrB_Matrix M;
  if (!values) return matrix_of(p);
  for (GrB_Index e = 0; e < p->n; e++) value[e] = is_true(values, e);
  OK(GrB_Matrix_new(&M, GrB_BOOL, p->rows, p->cols));
  OK(GrB_Matrix_build_BOOL(M, p->row, p->col, value, Grid_rank() == 0 ? p->n : 0, GrB_LOR));
  return M;
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

static void compare(GrB_Semiring s, GrB_Type type, const pattern *a, const pattern *b, const pattern *m,
                    bool values) {
  static GrB_Index row[MOST], col[MOST];
  static uint64_t value[MOST];
  GrB_Matrix A = matrix_of(a), B = matrix_of(b), M = mask_of(m, values), C;
  GrB_Index n = MOST, at = 0;
  bool right = true;
  OK(GrB_Matrix_new(&C, type, m->rows, m->cols));
  OK(grid_tune_method_set(gpu ? "mxm=device" : "mxm=hub-bits"));
  OK(GrB_mxm(C, M, NULL, s, A, B, values ? GrB_DESC_T1 : GrB_DESC_ST1));
  OK(grid_tune_method_set(NULL));
  OK(GrB_Matrix_extractTuples_UINT64(row, col, value, &n, C));
  /* tuples may come in any order; rows, columns and counts are small */
  for (GrB_Index e = 0; e < n; e++) value[e] |= row[e] << 48 | col[e] << 32;
  qsort(value, n, sizeof *value, compare_keys);
  for (GrB_Index e = 0; e < m->n; e++) {
    const GrB_Index count = count_common(a, m->row[e], b, m->col[e]);
    if (count == 0 || !is_true(values, e)) continue;
    right = right && at < n && value[at] == (m->row[e] << 48 | m->col[e] << 32 | count);
    at++;
  }
  assert_on_all(right && at == n);
  /* its rows lie where those of other matrices of its size do */
  OK(GrB_Matrix_eWiseMult_BinaryOp(M, NULL, NULL, GrB_FIRST_BOOL, M, C, NULL));
  OK(GrB_Matrix_nvals(&n, M));
  assert_on_all(n == at);
  GrB_Matrix_free(&A), GrB_Matrix_free(&B), GrB_Matrix_free(&M), GrB_Matrix_free(&C);
}

static void counts(void **state) {
  static pattern a, b, m;
  const GrB_Semiring s[] = {Grid_PLUS_ONEB_SEMIRING_INT64, Grid_PLUS_ONEB_SEMIRING_UINT64,
                            Grid_PLUS_ONEB_SEMIRING_INT32, Grid_PLUS_ONEB_SEMIRING_FP64};
  const GrB_Type type[] = {GrB_INT64, GrB_UINT64, GrB_INT32, GrB_FP64};
  grid_tune.device_hub_share = 0;
  for (int round = 0, rounds = Grid_size() > 1 ? 8 : 24; round < rounds; round++) {
    const GrB_Index inner = round % 4 == 3 ? 30000 : 20 + draw(2000), hubs = draw(3) * (10 + draw(300)),
                    rows = 1 + draw(400), n = 1 + draw(400);
    grid_tune.offsets64_from = !gpu && draw_one_in(3) ? 100 : UINT64_C(1) << 32;
    draw_pattern(&a, rows, inner, draw(20000), hubs);
    draw_pattern(&b, n, inner, round % 4 == 3 ? MOST : draw(40000), hubs);
    draw_pattern(&m, rows, n, draw(20000), hubs);
    compare(s[round % 4], type[round % 4], &a, &b, &m, gpu && round % 3 == 0);
  }
  grid_tune.offsets64_from = UINT64_C(1) << 32;
  draw_pattern(&a, 60, 40000, MOST, 0); /* more inner indices of the same degree than hubs have numbers */
  draw_pattern(&m, 60, 60, 1000, 0);
  compare(s[0], type[0], &a, &a, &m, false);
  draw_pattern(&m, 60, 60, 5, 0); /* its columns are a list */
  compare(s[0], type[0], &a, &a, &m, false);
}

/* ---- shared memory that has room for B's rows, but not for their bits ---- */

static const grid_transport *transport;
static int buffers;
static char *refuse_second(grid_set set, size_t bytes) {
  return buffers++ ? NULL : transport->shared_buffer(set, bytes);
}

static void no_room(void **state) {
  static pattern a, m;
  grid_transport limited = *(transport = grid_ctx.transport);
  if (gpu || grid_ctx.C > 1 || !grid_mailbox_is_open(GRID_SET_ALL)) return;
  limited.shared_buffer = refuse_second;
  draw_pattern(&a, 1000, 1000, 40000, 50);
  draw_pattern(&m, 1000, 1000, 20000, 20);
  buffers = 0;
  grid_ctx.transport = &limited;
  compare(Grid_PLUS_ONEB_SEMIRING_INT64, GrB_INT64, &a, &a, &m, false);
  grid_ctx.transport = transport;
  assert_on_all(buffers == 3); /* two of the product, and one where compare reads the result */
}

static bool pays(GrB_Matrix A, uint64_t processes) {
  const grid_compressed *c = &A->block.by_row;
  const grid_hub_product p = {.a = c, .b = c, .mask = c, .rows = A->nrows, .n = A->nrows, .inner = A->nrows};
  return grid_hub_bits_pay(&p, processes);
}

/* A graph with hubs is worth the bits; a random graph and a mesh are not. */
static void choice(void **state) {
  static pattern even;
  if (Grid_size() > 1 || gpu) return;
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
  for (uint64_t processes = 1; processes <= 4096; processes *= 16) {
    assert_true(pays(A, processes));
    assert_false(pays(B, processes));
    assert_false(pays(D, processes));
  }
  GrB_Matrix_free(&A), GrB_Matrix_free(&B), GrB_Matrix_free(&D);
}

/* ---- graphs on the GPU ---- */

/* C<L> = L L', L being A's strictly lower triangle, on the device or not. share: device_hub_share. */
static GrB_Matrix common_neighbors(GrB_Matrix L, bool device, double share) {
  GrB_Matrix C;
  GrB_Index n;
  OK(Grid_device_set(device ? Grid_CUDA : Grid_CPU));
  grid_tune.device_hub_share = share;
  OK(GrB_Matrix_nrows(&n, L));
  OK(GrB_Matrix_new(&C, GrB_INT64, n, n));
  OK(GrB_mxm(C, L, NULL, Grid_PLUS_ONEB_SEMIRING_INT64, L, L, GrB_DESC_ST1));
  OK(GrB_wait(C, GrB_MATERIALIZE));
  assert_on_all(C->nvals == 0 || C->block.nvals == 0 || C->block.device == device);
  return C;
}

static bool are_equal(GrB_Matrix C, GrB_Matrix D) {
  GrB_Index c, d, both, n;
  GrB_Matrix same;
  bool all = false;
  OK(GrB_Matrix_nvals(&c, C));
  OK(GrB_Matrix_nvals(&d, D));
  OK(GrB_Matrix_nrows(&n, C));
  OK(GrB_Matrix_new(&same, GrB_BOOL, n, n));
  OK(GrB_Matrix_eWiseMult_BinaryOp(same, NULL, NULL, GrB_EQ_INT64, C, D, NULL));
  OK(GrB_Matrix_nvals(&both, same));
  OK(GrB_Matrix_reduce_BOOL(&all, NULL, GrB_LAND_MONOID_BOOL, same, NULL));
  OK(GrB_Matrix_free(&same));
  return c == d && both == c && (all || c == 0);
}

static void compare_graph(GrB_Matrix A) {
  const double share[] = {0, 0.3, 2}; /* always, where it pays, never */
  GrB_Matrix L, want;
  GrB_Index n, nvals;
  OK(Grid_device_set(Grid_CPU));
  OK(GrB_Matrix_nrows(&n, A));
  OK(GrB_Matrix_new(&L, GrB_BOOL, n, n));
  OK(GrB_Matrix_select_INT64(L, NULL, NULL, GrB_TRIL, A, -1, NULL));
  want = common_neighbors(L, false, 0.3);
  OK(GrB_Matrix_nvals(&nvals, want));
  assert_on_all(nvals > 0);
  for (size_t k = 0; k < sizeof share / sizeof *share; k++) {
    GrB_Matrix C = common_neighbors(L, true, share[k]);
    OK(Grid_device_set(Grid_CPU));
    assert_on_all(are_equal(C, want));
    OK(GrB_Matrix_free(&C));
  }
  OK(GrB_Matrix_free(&L));
  OK(GrB_Matrix_free(&want));
}

/* R-MAT graphs, the second with more inner indices than shared memory has bits; a random graph; a mesh. */
static void graphs(void **state) {
  static pattern even;
  const int scale[] = {14, getenv("GRID_TEST_SMALL") ? 16 : 20};
  GrB_Matrix A;
  if (!gpu) return;
  for (int k = 0; k < 2; k++) {
    const GrB_Index n = (GrB_Index)1 << scale[k];
    OK(GrB_Matrix_new(&A, GrB_BOOL, n, n));
    OK(Grid_Matrix_rmat(A, scale[k], 16, 1, Grid_MIRROR | Grid_NO_LOOPS));
    compare_graph(A);
    OK(GrB_Matrix_free(&A));
  }
  draw_pattern(&even, 600, 600, MOST, 0);
  A = matrix_of(&even);
  compare_graph(A);
  OK(GrB_Matrix_free(&A));
  for (even.n = 0; even.n < 60000; even.n++) {
    even.row[even.n] = even.n / 3;
    even.col[even.n] = (even.n / 3 + 20000 - (1 + even.n % 3)) % 20000;
  }
  even.rows = even.cols = 20000;
  A = matrix_of(&even);
  compare_graph(A);
  OK(GrB_Matrix_free(&A));
}

/* With a GPU, all matrices are there from the start. */
static int start(void **state) {
  return start_on_shape(state) || (gpu && Grid_device_set(Grid_CUDA) != GrB_SUCCESS);
}

static int group(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(counts), cmocka_unit_test(no_room),
                                     cmocka_unit_test(choice), cmocka_unit_test(graphs)};
  return cmocka_run_group_tests(tests, start, stop_on_shape);
}

int main(void) {
  gpu = getenv("GRID_TEST_GPU");
  if (gpu && !have_gpu()) return 77;
  return run_on_shapes(group);
}
