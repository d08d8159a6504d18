/* Matrices that do not fit the device: products fetch the pages that they need, and have the same results as
 * on the CPU. That holds for every semiring, mask and direction, within the device memory limit. A limit that
 * vectors do not fit is refused. On a device simulated in host memory (fake_device.h), whose copies complete
 * as late as allowed, or, with GRID_TEST_GPU=1, on the GPU. */
#pragma GCC diagnostic ignored "-Wunused-function"
#include <omp.h>

#include "dist/matrix/storage/matrix_host_resident.h"
#include "dist/product/local/streamed_product.h"
#include "dist/product/local/streamed_cpu_share.h"
#include "tests/gpu_present.h"
#include "semiring/support/mem.h"
#include "spmat/cpu/product/overlapped.h"
#include "tests/two_backends.h"

#include "semiring/support/tuning.h"
#include "tests/fake_pages.h"

/* ---- products ------------------------------------------------------------------------------------------ */

typedef struct {
  GrB_Semiring s;
  GrB_Type type;
  compare_rule how;
  const char *name;
} kind;

static GrB_Matrix draw_matrix(GrB_Index nrows, GrB_Index ncols, GrB_Type t, bool iso, bool same) {
  const uint64_t n = 2 * (2 * (nrows + ncols) + draw(3000)), hub = draw(nrows);
  GrB_Index *row = calloc(n, sizeof *row), *col = calloc(n, sizeof *col);
  int32_t *val = calloc(n, sizeof *val);
  GrB_Matrix A = NULL;
  for (uint64_t k = 0; k < n; k++) {
    const bool mirror = same && k % 2;
    row[k] = mirror ? col[k - 1] : draw_one_in(4) ? hub : draw(nrows);
    col[k] = mirror ? row[k - 1] : draw_one_in(3) ? draw(1 + ncols / 9) : draw(ncols);
    val[k] = mirror ? val[k - 1] : iso ? 3 : 1 + (int32_t)draw(9);
  }
  OK(GrB_Matrix_new(&A, t, nrows, ncols));
  OK(GrB_Matrix_build_INT32(A, row, col, val, n, GrB_FIRST_INT32));
  free(row), free(col), free(val);
  return A;
}

static GrB_Vector draw_vector(GrB_Index n, GrB_Type t) {
  const uint64_t share = draw_one_in(3) ? 1 : 1 + draw(60); /* every so many have an entry */
  GrB_Vector v = NULL;
  OK(GrB_Vector_new(&v, t, n));
  for (GrB_Index i = 0; i < n; i++)
    if (draw_one_in(share)) OK(GrB_Vector_setElement_INT32(v, (int32_t)draw(7), i));
  return v;
}

static int total, paged; /* products on the device, and those with pages */

static void product(void) {
  const kind kinds[] = {{GrB_PLUS_TIMES_SEMIRING_FP64, GrB_FP64, CLOSE, "plus.times FP64"},
                        {GrB_PLUS_TIMES_SEMIRING_INT32, GrB_INT32, EXACT, "plus.times INT32"},
                        {GrB_MIN_PLUS_SEMIRING_FP64, GrB_FP64, EXACT, "min.plus FP64"},
                        {GrB_MIN_SECOND_SEMIRING_INT32, GrB_INT32, EXACT, "min.second INT32"},
                        {GrB_LOR_LAND_SEMIRING_BOOL, GrB_BOOL, EXACT, "lor.land"},
                        {Grid_ANY_SECOND_SEMIRING_INT32, GrB_INT32, PATTERN, "any.second INT32"},
                        {Grid_MIN_SECONDI_SEMIRING_INT64, GrB_INT64, EXACT, "min.secondi"},
                        {Grid_ANY_ONEB_SEMIRING_INT32, GrB_INT32, EXACT, "any.oneb INT32"}};
  const kind *k = &kinds[draw(sizeof kinds / sizeof *kinds)];
  const bool same = draw_one_in(3), vxm = draw_one_in(2), iso = draw_one_in(2), structure = draw_one_in(2),
             complement = draw_one_in(2), replace = draw_one_in(2), transposed = draw_one_in(3);
  const GrB_Index nrows = 64 + draw(700), ncols = same ? nrows : 64 + draw(700);
  const bool by_cols = vxm != transposed; /* outputs */
  const GrB_Type a_type = k->type == GrB_INT64 ? GrB_INT32 : k->type;
  GrB_Matrix A = draw_matrix(nrows, ncols, a_type, iso, same);
  GrB_Descriptor d = NULL;
  OK(GrB_Descriptor_new(&d));
  if (structure) OK(GrB_Descriptor_set(d, GrB_MASK, GrB_STRUCTURE));
  if (complement) OK(GrB_Descriptor_set(d, GrB_MASK, structure ? GrB_COMP_STRUCTURE : GrB_COMP));
  if (replace) OK(GrB_Descriptor_set(d, GrB_OUTP, GrB_REPLACE));
  if (transposed) OK(GrB_Descriptor_set(d, vxm ? GrB_INP1 : GrB_INP0, GrB_TRAN));
  OK(GrB_Matrix_set_INT32(A, (int32_t)draw(3), Grid_DIRECTION));
  if (same && draw_one_in(2)) OK(GrB_wait(A, GrB_MATERIALIZE));
  for (int turn = 0; turn < 4; turn++) {
    GrB_Vector u = draw_vector(by_cols ? nrows : ncols, k->type),
               w = draw_vector(by_cols ? ncols : nrows, k->type),
               m = draw_one_in(2) ? draw_vector(by_cols ? ncols : nrows, GrB_BOOL) : NULL;
    const bool adds = k->how != PATTERN && k->type == GrB_INT32 && draw_one_in(3);
    set_current_call("%s turn %d, %s, %llu x %llu%s%s%s%s%s%s%s", vxm ? "vxm" : "mxv", turn, k->name,
                     (unsigned long long)nrows, (unsigned long long)ncols, iso ? ", iso" : "",
                     same ? ", symmetric" : "", m ? ", mask" : "", structure ? ", structure" : "",
                     complement ? ", complement" : "", replace ? ", replace" : "",
                     transposed ? ", transposed" : "");
    const GrB_BinaryOp accum = adds ? GrB_PLUS_INT32 : NULL;
    if (vxm)
      OK(GrB_vxm(w, m, accum, k->s, u, A, d));
    else
      OK(GrB_mxv(w, m, accum, k->s, A, u, d));
    if (side) total++, paged += A->block.host_resident && (A->placement.row_pages || A->placement.col_pages);
    record_entries("w", k->how, w, k->type);
    OK(GrB_Vector_free(&u));
    OK(GrB_Vector_free(&w));
    OK(GrB_Vector_free(&m));
    if (draw_one_in(4)) OK(GrB_Matrix_setElement_INT32(A, 5, draw(nrows), draw(ncols)));
  }
  OK(GrB_Descriptor_free(&d));
  OK(GrB_Matrix_free(&A));
}

static void products(void **state) {
  run_rounds("products", 250, 6, product);
  assert_true(cpu_only || replay_round >= 0 || 3 * paged > 2 * total); /* in others nothing meets */
}

/* ---- the limit ----------------------------------------------------------------------------------------- */

enum { SIDE = 6000, MOST = 100000, LIMIT = 400 << 10 };

/* A few iterations of a sum over all entries; the matrix takes some 800 KB. */
static void iterations(void) {
  GrB_Matrix A = NULL;
  GrB_Vector x = NULL, y = NULL;
  GrB_Index *row = calloc(MOST, sizeof *row), *col = calloc(MOST, sizeof *col);
  set_current_call("iterations");
  for (uint64_t k = 0; k < MOST; k++) row[k] = draw(SIDE), col[k] = draw_one_in(2) ? draw(200) : draw(SIDE);
  OK(GrB_Matrix_new(&A, GrB_BOOL, SIDE, SIDE));
  bool *one = calloc(MOST, sizeof *one);
  for (int k = 0; k < MOST; k++) one[k] = true;
  OK(GrB_Matrix_build_BOOL(A, row, col, one, MOST, GrB_LOR));
  free(row), free(col), free(one);
  OK(GrB_Vector_new(&x, GrB_FP64, SIDE));
  OK(GrB_Vector_new(&y, GrB_FP64, SIDE));
  OK(GrB_Vector_assign_FP64(x, NULL, NULL, 1.0, GrB_ALL, SIDE, NULL));
  for (int turn = 0; turn < 5; turn++) {
    OK(GrB_mxv(y, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, x, NULL));
    OK(GrB_Vector_apply_BinaryOp2nd_FP64(x, NULL, NULL, GrB_TIMES_FP64, y, 0.05, NULL));
    record_entries("y", CLOSE, y, GrB_FP64);
    if (!grid_device_is_on() || cpu_only) continue;
    /* some pages stay cached, and are not sent again */
    const grid_host_pages *g = A->placement.row_pages;
    if (!A->block.host_resident || !g || g->n < 8) errors++;
    if (g && (g->cached == 0 || g->sent >= (uint64_t)(turn + 1) * g->page[g->n].at + (turn == 0))) errors++;
  }
  OK(GrB_Matrix_free(&A));
  OK(GrB_Vector_free(&x));
  OK(GrB_Vector_free(&y));
}

/* The CPU's fraction is adapted from product to product, while its threads poll the device; or the CPU has no
 * memory, and the device does everything. */
static uint64_t polls; /* between chunks of the CPU's work */
static uint64_t counted_waiting(void) {
  polls += (uint64_t)omp_in_parallel();
  return fake_count_waiting();
}
static int64_t locks = -1; /* that succeed; -1: all */
static void *counted_lock(uint64_t bytes) {
  return locks >= 0 && locks-- == 0 ? NULL : fake_lock(bytes);
}

static void run_learning_products(GrB_Index nrows, GrB_Index ncols, int64_t capacity) {
  enum { PRODUCTS = 14 };
  GrB_Matrix A = NULL;
  GrB_Vector x = NULL, y = NULL;
  GrB_Index *row = calloc(MOST, sizeof *row), *col = calloc(MOST, sizeof *col);
  int32_t *one = calloc(MOST, sizeof *one), *sum = calloc(nrows, sizeof *sum);
  for (int k = 0; k < MOST; k++) one[k] = k % 3;
  for (int k = 0; k < MOST; k++) row[k] = draw(nrows), col[k] = draw(ncols), sum[row[k]] += one[k];
  OK(GrB_Matrix_new(&A, GrB_INT32, nrows, ncols));
  OK(GrB_Matrix_build_INT32(A, row, col, one, MOST, GrB_PLUS_INT32));
  OK(GrB_Vector_new(&x, GrB_INT32, ncols)), OK(GrB_Vector_new(&y, GrB_INT32, nrows));
  OK(GrB_Vector_assign_INT32(x, NULL, NULL, 1, GrB_ALL, ncols, NULL));
  OK(GrB_Matrix_set_INT32(A, Grid_DIRECTION_PULL, Grid_DIRECTION));
  for (int k = 0; k < PRODUCTS; k++) {
    locks = k == 1 ? capacity : locks; /* the pages themselves are locked by the first */
    OK(GrB_mxv(y, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_INT32, A, x, NULL));
    assert_true(A->block.host_resident && A->placement.row_pages && A->placement.row_pages->n >= 8);
    for (GrB_Index r = 0; r < nrows; r++) {
      int32_t is = 0;
      const GrB_Info info = GrB_Vector_extractElement_INT32(&is, y, r);
      assert_true((info == GrB_SUCCESS || info == GrB_NO_VALUE) && is == sum[r]);
    }
  }
  locks = -1;
  assert_true((capacity == 0) == (A->placement.row_pages->with_cpu.buffer == NULL));
  OK(GrB_Matrix_free(&A)), OK(GrB_Vector_free(&x)), OK(GrB_Vector_free(&y));
  free(row), free(col), free(one), free(sum);
}

static void learned_split(void **state) {
  const uint64_t bytes = grid_tune.cpu_pages_min_bytes, alone = grid_tune.pull_serial_words;
  const int threads = omp_get_max_threads();
  if (is_set("GRID_TEST_GPU") || cpu_only) return; /* the GPU's copies count no inspected entries */
  side = 1, errors = 0, polls = 0;
  omp_set_num_threads(3);
  grid_tune.cpu_pages_min_bytes = 0, grid_tune.pull_serial_words = 0;
  assert_int_equal(Grid_device_set(Grid_CUDA), GrB_SUCCESS);
  assert_int_equal(Grid_device_memory_limit(LIMIT), GrB_SUCCESS);
  /* on a busy machine the other threads may have done all chunks before the polling one has its second */
  for (int turn = 0; turn < 40 && polls == 0; turn++) run_learning_products(SIDE, SIDE, -1);
  assert_true(polls > 0);
  run_learning_products(200, SIDE, -1); /* all of what the CPU would have begins in the last word of rows */
  run_learning_products(SIDE, SIDE, 0);
  grid_tune.pull_serial_words = alone;
  run_learning_products(SIDE, SIDE, -1); /* one thread, which does not poll */
  grid_tune.cpu_pages_min_bytes = bytes;
  assert_int_equal(Grid_device_memory_limit(0), GrB_SUCCESS);
  omp_set_num_threads(threads);
  free_records(0), free_records(1);
  assert_int_equal(errors, 0);
}

static void memory_limit(void **state) {
  Grid_Device_Info d;
  assert_int_equal(Grid_device_memory_limit(LIMIT), GrB_SUCCESS);
  run_rounds("iterations", 3, 9, iterations);
  to_device(Grid_CUDA);
  assert_int_equal(Grid_device_info(&d), GrB_SUCCESS);
  assert_true(d.peak <= LIMIT && d.peak > LIMIT / 4);
  assert_int_equal(Grid_device_memory_limit(0), GrB_SUCCESS);
}

/* ---- zero copy ----------------------------------------------------------------------------------------- */

static GrB_Matrix draw_hypersparse(void) {
  GrB_Matrix A = NULL;
  GrB_Index *row = calloc(MOST, sizeof *row), *col = calloc(MOST, sizeof *col);
  for (uint64_t k = 0; k < MOST; k++) row[k] = draw(SIDE), col[k] = draw(SIDE);
  assert_int_equal(GrB_Matrix_new(&A, GrB_BOOL, SIDE, SIDE), GrB_SUCCESS);
  bool *one = calloc(MOST, sizeof *one);
  for (int k = 0; k < MOST; k++) one[k] = true;
  assert_int_equal(GrB_Matrix_build_BOOL(A, row, col, one, MOST, GrB_LOR), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_set_INT32(A, Grid_DIRECTION_PUSH, Grid_DIRECTION), GrB_SUCCESS);
  free(row), free(col), free(one);
  return A;
}

/* A push from `count` vertices, the first `from`, of 6000. */
static void push_from(GrB_Matrix A, GrB_Index from, GrB_Index count) {
  GrB_Vector u = NULL, w = NULL;
  assert_int_equal(GrB_Vector_new(&u, GrB_BOOL, SIDE), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_new(&w, GrB_BOOL, SIDE), GrB_SUCCESS);
  for (GrB_Index k = 0; k < count; k++)
    assert_int_equal(GrB_Vector_setElement_BOOL(u, true, (from + k * (SIDE / count)) % SIDE), GrB_SUCCESS);
  assert_int_equal(GrB_vxm(w, NULL, NULL, GrB_LOR_LAND_SEMIRING_BOOL, u, A, NULL), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_free(&u), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_free(&w), GrB_SUCCESS);
}

static bool is_in_memory(GrB_Matrix A) {
  return A->placement.row_pages->in_place.m.ptr != NULL;
}

/* Other allocations leave no memory for cached pages or for zero copy. */
static void take_all(GrB_Matrix A) {
  const uint64_t left = grid_device_get_limit() - grid_device_bytes_in_use(),
                 cached = A->placement.row_pages->cached;
  void *p = grid_device_malloc(left + cached + 1, 1);
  assert_non_null(p);
  assert_false(is_in_memory(A));
  grid_device_free(p);
}

/* Zero-copy mapping is given up for other memory, and restored. It is restored at once if a product saves
 * what that costs, else after some that would have saved less, or under another limit. */
static void zero_copy(void **state) {
  enum { LATER = 12 };
  GrB_Matrix A = NULL;
  int pushes = 0;
  assert_int_equal(Grid_device_memory_limit(LIMIT), GrB_SUCCESS);
  assert_int_equal(Grid_device_set(Grid_CUDA), GrB_SUCCESS);
  for (int tries = 0; tries < 8 && !A; tries++) { /* memory that cannot be mapped is never read so */
    A = draw_hypersparse();
    push_from(A, 0, 60);
    assert_true(A->block.host_resident && A->placement.row_pages);
    if (A->placement.row_pages->in_place.hidden) assert_int_equal(GrB_Matrix_free(&A), GrB_SUCCESS);
  }
  assert_non_null(A);
  assert_true(is_in_memory(A));
  take_all(A);
  push_from(A, 1, 60);
  assert_true(is_in_memory(A));
  take_all(A);
  for (; !is_in_memory(A) && pushes < LATER; pushes++) push_from(A, (GrB_Index)pushes * (SIDE / LATER), 1);
  assert_true(is_in_memory(A) && pushes > 1);
  take_all(A);
  push_from(A, 2, 1);
  assert_false(is_in_memory(A));
  assert_int_equal(Grid_device_memory_limit(LIMIT + LIMIT / 8), GrB_SUCCESS);
  push_from(A, SIDE / 2, 1);
  assert_true(is_in_memory(A));
  assert_int_equal(GrB_Matrix_free(&A), GrB_SUCCESS);
  assert_int_equal(Grid_device_memory_limit(0), GrB_SUCCESS);
}

/* What does not fit is refused, and nothing has changed. */
static void refused(void **state) {
  GrB_Matrix A = NULL;
  GrB_Vector x = NULL, y = NULL;
  GrB_Index n = 0;
  assert_int_equal(Grid_device_set(Grid_CUDA), GrB_SUCCESS);
  const int64_t live = grid_device_live();
  assert_int_equal(GrB_Matrix_new(&A, GrB_BOOL, 999, 999), GrB_SUCCESS);
  for (GrB_Index k = 0; k < 999; k++) GrB_Matrix_setElement_BOOL(A, true, k, (7 * k) % 999);
  assert_int_equal(GrB_Vector_new(&x, GrB_FP64, 999), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_new(&y, GrB_FP64, 999), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_setElement_FP64(y, 3, 5), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_assign_FP64(x, NULL, NULL, 1.0, GrB_ALL, 999, NULL), GrB_SUCCESS);
  Grid_device_memory_limit(300);
  assert_int_equal(GrB_mxv(y, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, x, NULL), GrB_OUT_OF_MEMORY);
  assert_non_null(strstr(Grid_last_error(), "limit"));
  Grid_device_memory_limit(0);
  assert_int_equal(GrB_Vector_nvals(&n, y), GrB_SUCCESS);
  assert_int_equal(n, 1);
  assert_int_equal(GrB_mxv(y, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, x, NULL), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_nvals(&n, y), GrB_SUCCESS);
  assert_int_equal(n, 999);
  GrB_Matrix_free(&A);
  GrB_Vector_free(&x);
  GrB_Vector_free(&y);
  assert_int_equal(grid_device_live(), live);
}

/* Wherever memory ends, the outcome is that error or success, and the second try is right. */
static void out_of_memory(void **state) {
  assert_int_equal(Grid_device_set(Grid_CUDA), GrB_SUCCESS);
  for (int64_t at = 0, ended = 0; !ended; at++) {
    GrB_Matrix A = NULL;
    GrB_Vector x = NULL, y = NULL;
    GrB_Index n = 0;
    assert_int_equal(GrB_Matrix_new(&A, GrB_INT32, 300, 300), GrB_SUCCESS);
    for (GrB_Index k = 0; k < 900; k++)
      GrB_Matrix_setElement_INT32(A, (int32_t)k % 5, k % 300, (7 * k + k / 300) % 300);
    assert_int_equal(GrB_Vector_new(&x, GrB_INT32, 300), GrB_SUCCESS);
    assert_int_equal(GrB_Vector_new(&y, GrB_INT32, 300), GrB_SUCCESS);
    for (GrB_Index k = 0; k < 300; k += 2) GrB_Vector_setElement_INT32(x, 1, k);
    grid_device_fail_after(at);
    GrB_Info info = GrB_mxv(y, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_INT32, A, x, NULL);
    grid_device_fail_after(-1);
    ended = info == GrB_SUCCESS && at > 20;
    if (info != GrB_SUCCESS) assert_int_equal(info, GrB_OUT_OF_MEMORY);
    assert_int_equal(GrB_mxv(y, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_INT32, A, x, NULL), GrB_SUCCESS);
    assert_int_equal(GrB_Vector_nvals(&n, y), GrB_SUCCESS);
    assert_true(n > 100);
    GrB_Matrix_free(&A);
    GrB_Vector_free(&x);
    GrB_Vector_free(&y);
    assert_true(at < 1000);
  }
}

/* ---- how many pages are the CPU's ---------------------------------------------------------------------- */

/* A machine whose device, and CPU, take so long for a page, and before the CPU can begin. The seconds that a
 * product of n pages takes of which so many are the CPU's. `both`: each page of either takes so much longer
 * while both work. */
typedef struct {
  double device, cpu, before, both;
} machine;
static double product_takes(const machine *m, uint64_t n, uint64_t cpu, grid_page_costs *u) {
  const double slower = cpu ? m->both : 1, cpu_time = (double)cpu * m->cpu * slower,
               device_time = (double)(n - cpu) * m->device * slower;
  u->device_page = m->device * slower;
  if (cpu) u->cpu_page = m->cpu * slower, u->before = m->before;
  return cpu && m->before + cpu_time > device_time ? m->before + cpu_time : device_time;
}

/* Within three products by both, the fraction is one with nearly the best possible time, or the CPU is left
 * out where it does not pay. That is because it is slow, starts late, or delays the device. */
static void cpu_gpu_split(void **state) {
  enum { PRODUCTS = 12 };
  const struct {
    machine m;
    uint64_t n;
    bool is_hybrid_faster;
  } of[] = {{{1, 3, 0, 1}, 1000, true},  {{1, 3, 50, 1}, 1000, true},    {{1, 3, 2000, 1}, 1000, false},
            {{1, 10, 5, 1}, 100, true},  {{1, 3, 0, 1.5}, 1000, false},  {{1, 1e4, 0, 1}, 1000, false},
            {{1, .5, 0, 1.1}, 64, true}, {{1, 100, 0, 1.2}, 300, false}, {{1, 1, 0, 1}, 8, true}};
  for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
    const machine *m = &of[k].m;
    const uint64_t n = of[k].n;
    const double alone = (double)n * m->device,
                 best = m->both * ((double)n * m->device * m->cpu + m->device * m->before) /
                        (m->device + m->cpu);
    grid_page_costs u = {0};
    double last = 0;
    uint64_t share = 0;
    for (int t = 0; t < PRODUCTS; t++) {
      share = grid_pages_cpu_share(&u, n);
      assert_true(share < n);
      assert_true(t < 2 ? share == 0 && grid_pages_device_only_first(&u) : !grid_pages_device_only_first(&u));
      last = product_takes(m, n, share, &u);
      if (share || t < 2) grid_page_costs_record(&u, n, share > 0, last);
      if (t >= 5 && of[k].is_hybrid_faster)
        assert_true(share > 0 && last < best * 1.05 + m->cpu && last < alone);
    }
    if (!of[k].is_hybrid_faster) assert_true(share == 0 && last == alone);
  }
  /* pages at the boundary are the device's; where all are, the CPU gets none */
  grid_page_costs u = {.times = {2, 1}};
  grid_page_costs_update(
      &u, &(grid_page_timings){.device_pages = 100, .cpu_pages = 20, .device = 50, .cpu = 40, .before = 3});
  assert_true(u.device_page == 0.5 && u.cpu_page == 2 && u.before == 3 && !u.refused);
  assert_int_equal(grid_pages_cpu_share(&u, 120), 22);
  u.cpu_page = 1e-9, u.before = 0;
  assert_int_equal(grid_pages_cpu_share(&u, 120), 119);
  u.cpu_page = 1e9;
  assert_int_equal(grid_pages_cpu_share(&u, 120), 1); /* once more */
  u.times[1]++;
  assert_int_equal(grid_pages_cpu_share(&u, 120), 0);
  grid_page_costs_update(&u, &(grid_page_timings){.device_pages = 120, .device = 60, .cpu = 1e-9});
  assert_true(u.refused && u.cpu_page == 1e9);
}

int main(void) {
  const struct CMUnitTest forced[] = {cmocka_unit_test(products), cmocka_unit_test(out_of_memory)},
                          free_choice[] = {cmocka_unit_test(memory_limit), cmocka_unit_test(learned_split),
                                           cmocka_unit_test(zero_copy), cmocka_unit_test(refused),
                                           cmocka_unit_test(cpu_gpu_split)};
  read_settings();
  const bool gpu = is_set("GRID_TEST_GPU");
  if (gpu && !have_gpu()) return 77;
  if (GrB_init(GrB_NONBLOCKING) != GrB_SUCCESS) return 1;
  grid_backend device = fake_device;
  grid_device_paging paging = fake_paging;
  paging.count_pending = counted_waiting, paging.lock = counted_lock;
  device.paging = &paging;
  device.products = &fake_all_products;
  device.kernels = fake_kernels;
  device.search = NULL;
  if (!gpu) grid_backend_register(&grid_backend_cpu, &device);
  if (!take_device()) return 77;
  const int failed = grid_tune.device_page_entries ? cmocka_run_group_tests(forced, NULL, NULL)
                                                   : cmocka_run_group_tests(free_choice, NULL, NULL);
  print_fallbacks();
  const bool finalized = GrB_finalize() == GrB_SUCCESS;
  free_records(0), free_records(1);
  return failed || !finalized || grid_mem_live() || grid_device_live() ? 1 : 0;
}
