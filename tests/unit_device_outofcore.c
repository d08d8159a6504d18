/* An out-of-core matrix while a device is turned on: the results are the same as without, and products send
 * its pages to the device. It is simulated in host memory (fake_full.h), or, with GRID_TEST_GPU=1, the GPU.
 */
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit.h"
#include "dist/matrix/matrix.h"
#include "dist/outofcore/pages/row_pages.h"
#include "dist/vector/vector.h"
#include "semiring/support/tuning.h"
#include "tests/fake_full.h"
#include "tests/gpu_present.h"
#include "tests/random_numbers.h"
#include "gridblas.h"
#include "spmat/convert/page_staging.h"
#include "tests/assert_all.h"

enum { N = 5000, ENTRIES = 60000 }; /* some 30 pages */
static char file[64];

static GrB_Matrix open_matrix(void) {
  GrB_Matrix A;
  bool paged;
  OK(Grid_device_set(Grid_CPU));
  OK(Grid_memory_limit(1));
  OK(Grid_Matrix_open(&A, file));
  Grid_Matrix_bytes_read(&paged, A);
  assert_on_all(paged);
  return A;
}

static void write_file(bool values) {
  Grid_Edges e = {.nrows = N, .ncols = N, .pattern = !values, .symmetric = true};
  if (values) e.values = malloc(ENTRIES * sizeof *e.values);
  e.rows = malloc(ENTRIES * sizeof *e.rows), e.cols = malloc(ENTRIES * sizeof *e.cols);
  for (uint64_t k = (uint64_t)Grid_rank(); k < ENTRIES; k += (uint64_t)Grid_size()) {
    const uint64_t r = k * 7919 % N, c = k % 3 ? k * k % 4999 : k * k % 13; /* some rows are long */
    if (values) e.values[e.n] = (double)(r + c + r * c % 7);
    e.rows[e.n] = r > c ? r : c, e.cols[e.n++] = r > c ? c : r;
  }
  OK(Grid_write(&e, file, "pages"));
  free(e.rows), free(e.cols), free(e.values);
}

/* Sums of the degrees, and of their squares. */
static void sums_of(double sums[2], GrB_Matrix A, bool by_column) {
  GrB_Vector w;
  OK(GrB_Vector_new(&w, GrB_FP64, N));
  OK(Grid_Matrix_degree(w, A, by_column));
  OK(GrB_Vector_reduce_FP64(&sums[0], NULL, GrB_PLUS_MONOID_FP64, w, NULL));
  OK(GrB_Vector_eWiseMult_BinaryOp(w, NULL, NULL, GrB_TIMES_FP64, w, w, NULL));
  OK(GrB_Vector_reduce_FP64(&sums[1], NULL, GrB_PLUS_MONOID_FP64, w, NULL));
  GrB_Vector_free(&w);
}

static void degrees(void **state) {
  double should[2], is[2];
  write_file(false);
  GrB_Matrix A = open_matrix();
  sums_of(should, A, false);
  OK(Grid_device_set(Grid_CUDA));
  for (int k = 0; k < 6; k++) {
    sums_of(is, A, k % 2);
    assert_on_all(is[0] == should[0] && is[1] == should[1]);
  }
  OK(Grid_device_set(Grid_CPU));
  sums_of(is, A, false);
  assert_on_all(is[0] == should[0] && is[1] == should[1]);
  GrB_Matrix_free(&A);
  OK(Grid_agree(GrB_SUCCESS, NULL));
  if (Grid_rank() == 0) assert_int_equal(unlink(file), 0);
}

/* ---- products ---- */

/* x has every step-th index; the mask every third one. */
typedef struct {
  GrB_Semiring s;
  uint64_t step;
  GrB_Descriptor how; /* GrB_NULL with no_mask */
  bool no_mask, pull;
} product_case;

typedef struct {
  GrB_Index n, at[N];
  double value[N];
} result;

static GrB_Vector every(uint64_t step, GrB_Type type) {
  GrB_Vector v;
  OK(GrB_Vector_new(&v, type, N));
  if (step == 1)
    OK(GrB_Vector_assign_FP64(v, NULL, NULL, 2, GrB_ALL, N, NULL));
  else
    for (uint64_t k = 0; k < N; k += step) OK(GrB_Vector_setElement_FP64(v, (double)(k % 5 + 1), k));
  return v;
}

static void compute(result *r, GrB_Matrix A, const product_case *c) {
  GrB_Vector w, x = every(c->step, c->s->mul->x ? c->s->mul->x : GrB_INT64), mask = every(3, GrB_FP64);
  OK(GrB_Vector_new(&w, GrB_FP64, N));
  OK(GrB_Matrix_set_INT32(A, c->pull ? Grid_DIRECTION_PULL : Grid_DIRECTION_PUSH, Grid_DIRECTION));
  OK(GrB_mxv(w, c->no_mask ? NULL : mask, NULL, c->s, A, x, c->how));
  r->n = N;
  OK(GrB_Vector_extractTuples_FP64(r->at, r->value, &r->n, w));
  GrB_Vector_free(&w), GrB_Vector_free(&x), GrB_Vector_free(&mask);
}

static uint64_t portions_of(GrB_Matrix A) {
  return A->placement.staging ? A->placement.staging->turn : 0;
}

static void compare(GrB_Matrix A, const product_case *c, bool sends) {
  static result should, is;
  OK(Grid_device_set(Grid_CPU));
  compute(&should, A, c);
  const uint64_t before = portions_of(A);
  OK(Grid_device_set(Grid_CUDA));
  compute(&is, A, c);
  const uint64_t portions = portions_of(A) - before;
  bool same = is.n == should.n && memcmp(is.at, should.at, is.n * sizeof *is.at) == 0;
  const bool any = c->s == Grid_ANY_SECONDI_SEMIRING_INT64; /* the value is any index of x */
  for (uint64_t k = 0; same && k < is.n; k++)
    same = any ? (uint64_t)is.value[k] % c->step == 0 && is.value[k] < N : is.value[k] == should.value[k];
  if (!same)
    printf("add %s, multiply %s, step %d, mask %d, pull %d: %d entries, should be %d\n", c->s->add->op->name,
           c->s->mul->name, (int)c->step, !c->no_mask, c->pull, (int)is.n, (int)should.n);
  const char *fallback;
  uint64_t times;
  for (int k = 0; (portions > 0) != sends && (fallback = Grid_fallback(k, &times)); k++)
    printf("on the CPU: %s, %d times\n", fallback, (int)times);
  assert_on_all(same);
  assert_on_all(sends == (portions > 0));
}

static void products(void **state) {
  const GrB_Semiring semirings[] = {GrB_PLUS_TIMES_SEMIRING_FP64, GrB_MIN_PLUS_SEMIRING_FP64,
                                    GrB_LOR_LAND_SEMIRING_BOOL, GrB_MIN_FIRST_SEMIRING_INT32,
                                    Grid_ANY_SECONDI_SEMIRING_INT64};
  const GrB_Descriptor how[] = {NULL, GrB_DESC_C, GrB_DESC_SC, GrB_DESC_T0};
  for (int values = 0; values < 2; values++) {
    write_file(values);
    GrB_Matrix A = open_matrix();
    for (int k = 0; k < 80; k++) {
      const product_case c = {.s = semirings[k % 5],
                              .step = k / 5 % 2 ? 7 : 1,
                              .how = how[k / 10 % 4],
                              .no_mask = k / 10 % 4 == 0,
                              .pull = k / 40};
      grid_tune.paged_masks = k % 8 != 0; /* masked searches are for the CPU unless this says otherwise, */
      const bool is_search = k % 5 > 1 && !(c.no_mask && !c.how);
      /* on several processes positions are, too */
      compare(A, &c, (c.s->mul->f || Grid_size() == 1) && (!is_search || grid_tune.paged_masks));
    }
    grid_tune.paged_masks = false;
    GrB_Matrix_free(&A);
    OK(Grid_agree(GrB_SUCCESS, NULL));
    if (Grid_rank() == 0) assert_int_equal(unlink(file), 0);
  }
}

/* ---- random products ---- */

typedef struct {
  uint64_t nrows, ncols, entries;
  bool symmetric, values;
} shape;

/* Small and large, square or not. */
static shape draw_shape(void) {
  shape s = {.nrows = 1 + draw(draw_one_in(2) ? 200 : N), .values = draw_one_in(2)};
  s.ncols = draw_one_in(2) ? s.nrows : 1 + draw(N);
  s.symmetric = s.nrows == s.ncols && draw_one_in(2);
  s.entries = draw(1 + 8 * s.nrows); /* fewer than the vertices: not hypersparse */
  return s;
}

static void write_shape(const shape *s) {
  Grid_Edges e = {.nrows = s->nrows, .ncols = s->ncols, .pattern = !s->values, .symmetric = s->symmetric};
  if (s->values) e.values = malloc((s->entries + 1) * sizeof *e.values);
  e.rows = malloc((s->entries + 1) * sizeof *e.rows), e.cols = malloc((s->entries + 1) * sizeof *e.cols);
  for (uint64_t k = 0; k < s->entries; k++) {
    const uint64_t r = draw(draw_one_in(4) ? 1 + s->nrows / 64 : s->nrows), c = draw(s->ncols), x = draw(100);
    if (k % (uint64_t)Grid_size() != (uint64_t)Grid_rank()) continue;
    if (s->values) e.values[e.n] = (double)x;
    e.rows[e.n] = s->symmetric && r < c ? c : r, e.cols[e.n++] = s->symmetric && r < c ? r : c;
  }
  OK(Grid_write(&e, file, "pages"));
  free(e.rows), free(e.cols), free(e.values);
}

/* Full, or with about one entry in `of`; some values are 0. */
static GrB_Vector draw_vector(uint64_t n, uint64_t of, GrB_Type type) {
  GrB_Vector v;
  OK(GrB_Vector_new(&v, type, n));
  if (of == 1) OK(GrB_Vector_assign_FP64(v, NULL, NULL, 3, GrB_ALL, n, NULL));
  for (uint64_t k = 0; k < n; k++)
    if (draw_one_in(of)) OK(GrB_Vector_setElement_FP64(v, (double)draw(4), k));
  return v;
}

/* w<mask> += A x or A' x; seed: that of all vectors. */
typedef struct {
  uint64_t seed, x_of, mask_of;
  GrB_Semiring s;
  GrB_Descriptor how;
  GrB_BinaryOp accum;
  bool transposed, masked, vxm;
  int direction;
} random_product;

static random_product draw_product(void) {
  const GrB_Semiring semirings[] = {GrB_PLUS_TIMES_SEMIRING_FP64,  GrB_MIN_PLUS_SEMIRING_FP64,
                                    GrB_PLUS_TIMES_SEMIRING_INT32, GrB_LOR_LAND_SEMIRING_BOOL,
                                    GrB_MIN_FIRST_SEMIRING_INT32,  GrB_MAX_SECOND_SEMIRING_FP32,
                                    GrB_PLUS_MIN_SEMIRING_UINT64};
  const GrB_Descriptor how[2][5] = {{NULL, GrB_DESC_C, GrB_DESC_S, GrB_DESC_RSC, GrB_DESC_R},
                                    {GrB_DESC_T0, GrB_DESC_CT0, GrB_DESC_ST0, GrB_DESC_RSCT0, GrB_DESC_RT0}};
  random_product c = {.seed = draw(1 << 30),
                      .x_of = draw_one_in(2) ? 1 : 1 + draw(40),
                      .mask_of = 1 + draw(12),
                      .s = semirings[draw(7)],
                      .transposed = draw_one_in(2),
                      .masked = !draw_one_in(3),
                      .accum = draw_one_in(2) ? GrB_PLUS_FP64 : NULL,
                      .direction = draw_one_in(3)   ? Grid_DIRECTION_AUTO
                                   : draw_one_in(2) ? Grid_DIRECTION_PULL
                                                    : Grid_DIRECTION_PUSH};
  c.vxm = !c.transposed && draw_one_in(2);
  c.how = how[c.transposed][draw(5)];
  return c;
}

static void run_random(result *r, GrB_Matrix A, const shape *a, const random_product *c) {
  const bool by_columns = c->transposed || c->vxm;
  const uint64_t n = by_columns ? a->ncols : a->nrows, nx = by_columns ? a->nrows : a->ncols, after = seed;
  seed = c->seed;
  GrB_Vector w = draw_vector(n, 3, GrB_FP64), x = draw_vector(nx, c->x_of, c->s->add->op->z),
             mask = draw_vector(n, c->mask_of, GrB_INT32);
  seed = after;
  OK(GrB_Matrix_set_INT32(A, c->direction, Grid_DIRECTION));
  if (c->vxm)
    OK(GrB_vxm(w, c->masked ? mask : NULL, c->accum, c->s, x, A, c->how));
  else
    OK(GrB_mxv(w, c->masked ? mask : NULL, c->accum, c->s, A, x, c->how));
  r->n = N;
  OK(GrB_Vector_extractTuples_FP64(r->at, r->value, &r->n, w));
  GrB_Vector_free(&w), GrB_Vector_free(&x), GrB_Vector_free(&mask);
}

static void compare_random(GrB_Matrix A, const shape *a, const random_product *c, int round) {
  static result should, is;
  OK(Grid_device_set(Grid_CPU));
  run_random(&should, A, a, c);
  OK(Grid_device_set(Grid_CUDA));
  run_random(&is, A, a, c);
  bool same = is.n == should.n && memcmp(is.at, should.at, is.n * sizeof *is.at) == 0;
  for (uint64_t k = 0; same && k < is.n; k++) same = is.value[k] == should.value[k];
  if (!same)
    printf(
        "round %d: %d x %d, symmetric %d, values %d; add %s, multiply %s, mask %d, columns %d, direction %d: "
        "%d entries, should be %d\n",
        round, (int)a->nrows, (int)a->ncols, a->symmetric, a->values, c->s->add->op->name, c->s->mul->name,
        c->masked, c->transposed || c->vxm, c->direction, (int)is.n, (int)should.n);
  assert_on_all(same);
}

/* Sums and greatest values of rows, and of columns. */
static void run_sums(result *r, GrB_Matrix A, const shape *a, bool columns, bool most) {
  GrB_Vector w;
  OK(GrB_Vector_new(&w, GrB_FP64, columns ? a->ncols : a->nrows));
  OK(GrB_Matrix_reduce_Monoid(w, NULL, NULL, most ? GrB_MAX_MONOID_FP64 : GrB_PLUS_MONOID_FP64, A,
                              columns ? GrB_DESC_T0 : NULL));
  r->n = N;
  OK(GrB_Vector_extractTuples_FP64(r->at, r->value, &r->n, w));
  GrB_Vector_free(&w);
}

static void compare_sums(GrB_Matrix A, const shape *a) {
  static result should, is;
  double all[2];
  for (int k = 0; k < 4; k++) {
    OK(Grid_device_set(Grid_CPU));
    run_sums(&should, A, a, k % 2, k / 2);
    OK(Grid_device_set(Grid_CUDA));
    run_sums(&is, A, a, k % 2, k / 2);
    assert_on_all(is.n == should.n && memcmp(is.at, should.at, is.n * sizeof *is.at) == 0 &&
                  memcmp(is.value, should.value, is.n * sizeof *is.value) == 0);
  }
  OK(GrB_Matrix_reduce_FP64(&all[1], NULL, GrB_MIN_MONOID_FP64, A, NULL));
  OK(Grid_device_set(Grid_CPU));
  OK(GrB_Matrix_reduce_FP64(&all[0], NULL, GrB_MIN_MONOID_FP64, A, NULL));
  assert_on_all(all[0] == all[1]);
}

/* Matrices of any shape, in pages of any size, read in portions of any size. */
static void random_products(void **state) {
  const uint64_t page_entries[] = {1, 61, 1000, 1024, 4096, 5001}, saved = grid_tune.page_entries,
                 read_bytes = grid_tune.page_read_bytes;
  uint64_t portions[2] = {0}, sums = 0;
  seed = 7;
  for (int round = 0; round < (Grid_size() == 1 ? 40 : 8); round++) { /* several processes take turns */
    const shape a = draw_shape();
    grid_tune.page_entries = page_entries[draw(6)];
    grid_tune.page_read_bytes = UINT64_C(1) << (9 + draw(12));
    grid_tune.paged_masks = draw_one_in(2);
    write_shape(&a);
    GrB_Matrix A = open_matrix();
    for (int k = 0; k < 6; k++) {
      const random_product c = draw_product();
      compare_random(A, &a, &c, round);
    }
    const uint64_t before = portions_of(A);
    compare_sums(A, &a);
    sums += portions_of(A) - before;
    portions[a.symmetric] += portions_of(A);
    GrB_Matrix_free(&A);
    OK(Grid_agree(GrB_SUCCESS, NULL));
    if (Grid_rank() == 0) assert_int_equal(unlink(file), 0);
  }
  assert_on_all(sums > 0);
  /* those of several processes are symmetric */
  assert_on_all(portions[true] > 0 && (portions[false] > 0) == (Grid_size() == 1));
  grid_tune.page_entries = saved, grid_tune.page_read_bytes = read_bytes, grid_tune.paged_masks = false;
}

/* ---- memory ---- */

/* The device runs out of memory between two portions: the CPU computes the product. */
static void refused(void **state) {
  const product_case c = {GrB_PLUS_TIMES_SEMIRING_FP64, 1, NULL, true, true};
  write_file(true);
  GrB_Matrix A = open_matrix();
  refusal_period = 3;
  for (int k = 0; k < 4; k++) compare(A, &c, true);
  refusal_period = 1 << 30;
  GrB_Matrix_free(&A);
  OK(Grid_agree(GrB_SUCCESS, NULL));
  if (Grid_rank() == 0) assert_int_equal(unlink(file), 0);
}

/* Columns that the matrix lacks are an error of the product, and w is unchanged. */
static void damaged(void **state) {
  char message[2][200];
  write_file(true);
  GrB_Matrix A = open_matrix();
  A->pages->cols = N / 2; /* fewer than the pages name */
  for (int device = 0; device < 2; device++) {
    GrB_Vector w = every(5, GrB_FP64), x = every(1, GrB_FP64);
    GrB_Index n;
    OK(Grid_device_set(device ? Grid_CUDA : Grid_CPU));
    const GrB_Info info = GrB_mxv(w, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, x, NULL);
    snprintf(message[device], sizeof message[device], "%s", Grid_last_error());
    assert_on_all(info == GrB_INVALID_VALUE);
    OK(GrB_Vector_nvals(&n, w));
    assert_on_all(n == N / 5);
    GrB_Vector_free(&w), GrB_Vector_free(&x);
  }
  assert_on_all(portions_of(A) > 0 && strstr(message[0], "damaged") && strstr(message[1], "damaged"));
  GrB_Matrix_free(&A);
  OK(Grid_agree(GrB_SUCCESS, NULL));
  if (Grid_rank() == 0) assert_int_equal(unlink(file), 0);
}

/* Opened with the device on: a file that exceeds the budget stays on disk. */
static void opened_on_device(void **state) {
  const product_case c = {GrB_PLUS_TIMES_SEMIRING_FP64, 1, NULL, true, true};
  bool paged;
  GrB_Matrix A;
  write_file(false);
  for (int k = 0; k < 3; k++) { /* on disk; loaded, where building would not fit; built */
    OK(Grid_device_set(Grid_CUDA));
    OK(Grid_memory_limit(k == 0 ? 1 : k == 1 ? 3 << 20 : 1 << 30));
    OK(Grid_Matrix_open(&A, file));
    Grid_Matrix_bytes_read(&paged, A);
    if (k != 1) assert_on_all(paged == (k == 0)); /* on several processes less is free */
    compare(A, &c, paged);
    GrB_Matrix_free(&A);
  }
  OK(Grid_agree(GrB_SUCCESS, NULL));
  if (Grid_rank() == 0) assert_int_equal(unlink(file), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(degrees),         cmocka_unit_test(products),
                                     cmocka_unit_test(random_products), cmocka_unit_test(refused),
                                     cmocka_unit_test(damaged),         cmocka_unit_test(opened_on_device)};
  const char *text = getenv("GRID_TEST_GPU");
  const bool gpu = text && *text;
  if (gpu && !have_gpu()) return 77;
  if (!gpu) grid_tune.nccl = false;
  grid_tune.page_read_bytes = 1 << 13; /* several portions */
  if (GrB_init(GrB_NONBLOCKING) != GrB_SUCCESS) return 1;
  uint64_t number = (uint64_t)getpid();
  if (Grid_bcast(&number, sizeof number, 0) != GrB_SUCCESS) return 1;
  snprintf(file, sizeof file, "/tmp/unit_device_outofcore.%d.pages", (int)number);
  const grid_backend device = full_device();
  refusal_period = 1 << 30;
  if (!gpu) grid_backend_register(&grid_backend_cpu, &device);
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  return GrB_finalize() == GrB_SUCCESS && !failed && !grid_mem_live() && !grid_device_live() ? 0 : 1;
}
