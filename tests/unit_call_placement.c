/* Where calls are computed with the device on (dist/object/call_placement.h): small ones on the host. Random
 * programs on objects on both sides of the thresholds give the CPU's results; the rule's decisions are the
 * same on all processes. The device is simulated in host memory (fake_device.h), at addresses that host code
 * cannot follow; its operations on matrices fail (fake_full.h), those on vectors are declined. */
#pragma GCC diagnostic ignored "-Wunused-function"
#include "dist/matrix/matrix.h"
#include "dist/object/burble.h"
#include "dist/vector/vector.h"
#include "semiring/support/tuning.h"
#include "spmat/device/kernel_waits.h"
#include "tests/fake_full.h"
#include "tests/two_backends.h"

#include <unistd.h>

enum { VECTOR_MIN = 60, MATRIX_MIN = 250 }; /* for each process */

static void set_thresholds(uint64_t vector, uint64_t matrix) {
  grid_tune.device_vector_min = vector;
  grid_tune.device_matrix_min = matrix;
}

/* ---- random programs ----------------------------------------------------------------------------------- */

static GrB_Vector draw_vector(GrB_Index n) {
  const uint64_t share = 1 + draw(4);
  GrB_Vector v = NULL;
  OK(GrB_Vector_new(&v, GrB_INT64, n));
  for (GrB_Index i = 0; i < n; i++)
    if (draw_one_in(share)) OK(GrB_Vector_setElement_INT64(v, (int64_t)draw(50), i));
  return v;
}

/* Indices below n: full, or a bitmap. */
static GrB_Vector draw_indices(GrB_Index n) {
  const uint64_t share = 1 + draw(3);
  GrB_Vector v = NULL;
  OK(GrB_Vector_new(&v, GrB_INT64, n));
  for (GrB_Index i = 0; i < n; i++)
    if (draw_one_in(share)) OK(GrB_Vector_setElement_INT64(v, (int64_t)draw(n), i));
  OK(GrB_Vector_wait(v, GrB_MATERIALIZE));
  return v;
}

static GrB_Matrix draw_matrix(GrB_Index nrows, GrB_Index ncols, uint64_t entries) {
  GrB_Index *row = malloc(entries * sizeof *row), *col = malloc(entries * sizeof *col);
  int64_t *x = malloc(entries * sizeof *x);
  GrB_Matrix A = NULL;
  for (uint64_t k = 0; k < entries; k++) row[k] = draw(nrows), col[k] = draw(ncols), x[k] = (int64_t)draw(9);
  OK(GrB_Matrix_new(&A, GrB_INT64, nrows, ncols));
  OK(GrB_Matrix_build_INT64(A, row, col, x, entries, GrB_PLUS_INT64));
  free(row), free(col), free(x);
  return A;
}

enum { KINDS = 2, COPIES = 3 }; /* dimensions: one below and one above the threshold */
typedef struct {
  GrB_Index n[KINDS];
  GrB_Vector v[KINDS][COPIES];
  GrB_Matrix A[KINDS][KINDS];
} objects;

/* One in `share` objects lies on the device, whatever the rule thinks. */
static void scatter_object(GrB_Vector v, uint64_t share) {
  if (draw_one_in(share) && side == 1 && grid_chunk_to_device(&v->chunk) != GrB_SUCCESS) errors++;
}

static void scatter_objects(objects *o) {
  for (int k = 0; k < KINDS; k++)
    for (int e = 0; e < COPIES; e++) scatter_object(o->v[k][e], 6);
}

static void call_on_vectors(objects *o) {
  const int k = (int)draw(KINDS);
  GrB_Vector w = o->v[k][draw(COPIES)], u = o->v[k][draw(COPIES)], v = o->v[k][draw(COPIES)];
  GrB_Vector mask = draw_one_in(3) ? o->v[k][draw(COPIES)] : NULL;
  const GrB_BinaryOp accum = draw_one_in(3) ? GrB_MAX_INT64 : NULL;
  const GrB_Descriptor d = draw_one_in(2) ? GrB_DESC_RS : draw_one_in(2) ? GrB_DESC_C : NULL;
  int64_t sum = 0;
  GrB_Index count = 0;
  GrB_Vector where = NULL;
  const int which = (int)draw(11);
  set_current_call("vectors of kind %d, call %d", k, which);
  switch (which) {
    case 0:
      OK(GrB_Vector_eWiseAdd_BinaryOp(w, mask, accum, GrB_MIN_INT64, u, v, d));
      break;
    case 1:
      OK(GrB_Vector_eWiseMult_BinaryOp(w, mask, accum, GrB_PLUS_INT64, u, v, d));
      break;
    case 2:
      OK(GrB_Vector_apply(w, mask, accum, GrB_AINV_INT64, u, d));
      break;
    case 3:
      OK(GrB_Vector_select_INT64(w, mask, accum, GrB_VALUEGT_INT64, u, 9, d));
      break;
    case 4:
      OK(GrB_Vector_assign_INT64(w, mask, accum, 7, GrB_ALL, o->n[k], d));
      break;
    case 5:
      OK(GrB_Vector_assign(w, mask, accum, u, GrB_ALL, o->n[k], d));
      break;
    case 6:
      OK(GrB_Vector_extract(w, mask, accum, u, GrB_ALL, o->n[k], d));
      break;
    case 7:
      OK(GrB_Vector_reduce_INT64(&sum, NULL, GrB_PLUS_MONOID_INT64, u, NULL));
      OK(GrB_Vector_nvals(&count, v));
      record_number("sum", sum), record_number("count", (int64_t)count);
      break;
    case 8:
    case 9:
      where = draw_indices(o->n[k]);
      scatter_object(where, 2);
      OK(which == 8 ? Grid_Vector_gather(w, mask, accum, draw_one_in(3) ? where : u, where, d)
                    : Grid_Vector_scatter(w, mask, accum, GrB_MIN_INT64, u, where, d));
      break;
    default:
      OK(GrB_Vector_setElement_INT64(w, 3, draw(o->n[k])));
      MAY(GrB_Vector_removeElement(u, draw(o->n[k])));
  }
  record_entries("w", EXACT, w, GrB_INT64);
  OK(GrB_Vector_free(&where));
}

static void call_on_matrices(objects *o) {
  const int k = (int)draw(KINDS), l = (int)draw(KINDS);
  GrB_Matrix A = o->A[k][l], S = o->A[k][k];
  GrB_Vector w = o->v[k][draw(COPIES)], u = o->v[l][draw(COPIES)];
  GrB_Vector mask = draw_one_in(3) ? o->v[k][draw(COPIES)] : NULL;
  GrB_Matrix B = NULL;
  const int which = (int)draw(9);
  set_current_call("matrices of kinds %d and %d, call %d", k, l, which);
  switch (which) {
    case 0:
      OK(GrB_mxv(w, mask, NULL, GrB_PLUS_TIMES_SEMIRING_INT64, A, u, NULL));
      break;
    case 1:
      OK(GrB_vxm(w, mask, NULL, GrB_MIN_PLUS_SEMIRING_INT64, u, A, GrB_DESC_T1));
      break;
    case 2:
      OK(GrB_mxm(S, NULL, NULL, GrB_MAX_PLUS_SEMIRING_INT64, A, A, GrB_DESC_T1));
      break;
    case 3:
      OK(GrB_Matrix_eWiseAdd_BinaryOp(A, NULL, NULL, GrB_MIN_INT64, A, A, NULL));
      break;
    case 4:
      OK(GrB_Matrix_apply(S, S, NULL, GrB_AINV_INT64, S, GrB_DESC_C));
      break;
    case 5:
      OK(GrB_Matrix_reduce_Monoid(w, mask, NULL, GrB_PLUS_MONOID_INT64, A, NULL));
      break;
    case 6:
      OK(GrB_Matrix_dup(&B, A));
      OK(GrB_Matrix_select_INT64(A, NULL, NULL, GrB_VALUEGE_INT64, B, 1, NULL));
      break;
    case 7:
      OK(GrB_transpose(S, NULL, GrB_MAX_INT64, S, NULL));
      break;
    default:
      OK(GrB_Matrix_setElement_INT64(A, 5, draw(o->n[k]), draw(o->n[l])));
  }
  record_entries("w", EXACT, w, GrB_INT64);
  record_matrix("A", EXACT, A, GrB_INT64), record_matrix("S", EXACT, S, GrB_INT64);
  OK(GrB_Matrix_free(&B));
}

static void mixed_program(void) {
  const uint64_t P = (uint64_t)Grid_size();
  objects o = {.n = {5 + draw(P * VECTOR_MIN - 5), P * VECTOR_MIN + draw(100)}};
  for (int k = 0; k < KINDS; k++) {
    for (int e = 0; e < COPIES; e++) o.v[k][e] = draw_vector(o.n[k]);
    for (int l = 0; l < KINDS; l++) o.A[k][l] = draw_matrix(o.n[k], o.n[l], 1 + draw(2 * P * MATRIX_MIN));
  }
  for (int call = 0; call < 40; call++) {
    scatter_objects(&o);
    if (draw_one_in(3))
      call_on_matrices(&o);
    else
      call_on_vectors(&o);
  }
  for (int k = 0; k < KINDS; k++) {
    for (int e = 0; e < COPIES; e++) OK(GrB_Vector_free(&o.v[k][e]));
    for (int l = 0; l < KINDS; l++) OK(GrB_Matrix_free(&o.A[k][l]));
  }
  uint64_t apart[2] = {grid_placed.host, ~grid_placed.host};
  OK(Grid_max(apart, 2));
  if (apart[0] != ~apart[1]) errors++; /* the processes have decided differently */
}

static void mixed_programs(void **state) {
  set_thresholds(VECTOR_MIN, MATRIX_MIN);
  grid_placed = (grid_placement_counts){0};
  run_rounds("mixed programs", Grid_size() > 1 ? 20 : 80, 6, mixed_program);
  assert_true(grid_placed.host > 0 && grid_placed.device > 0);
}

/* ---- the rule ------------------------------------------------------------------------------------------ */

#undef OK
#define OK(call) assert_int_equal(call, GrB_SUCCESS)

/* n for all processes together. */
static GrB_Vector full_vector(GrB_Index n) {
  GrB_Vector v;
  OK(GrB_Vector_new(&v, GrB_FP64, n));
  OK(GrB_Vector_assign_FP64(v, NULL, NULL, 2, GrB_ALL, n, NULL));
  return v;
}

static GrB_Matrix ring(GrB_Index n) {
  GrB_Matrix A;
  GrB_Index *row = malloc(n * sizeof *row), *col = malloc(n * sizeof *col);
  double *x = malloc(n * sizeof *x);
  for (GrB_Index k = 0; k < n; k++) row[k] = k, col[k] = (k + 1) % n, x[k] = 1;
  OK(GrB_Matrix_new(&A, GrB_FP64, n, n));
  OK(GrB_Matrix_build_FP64(A, row, col, x, n, NULL));
  free(row), free(col), free(x);
  return A;
}

/* Small objects never touch the device, and that is no fallback. */
static void small_program(void **state) {
  const GrB_Index n = 50 * (GrB_Index)Grid_size();
  double sum;
  set_thresholds(VECTOR_MIN, MATRIX_MIN);
  OK(Grid_device_set(Grid_CUDA));
  grid_fallback_reset();
  grid_placed = (grid_placement_counts){0};
  GrB_Vector u = full_vector(n), w = full_vector(n), copy;
  GrB_Matrix A = ring(n), B;
  const int64_t blocks = grid_device_live();
  OK(GrB_Matrix_wait(A, GrB_MATERIALIZE));
  OK(GrB_mxv(w, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, u, NULL));
  OK(GrB_vxm(w, w, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, u, A, GrB_DESC_RS));
  OK(GrB_Vector_apply(w, NULL, NULL, GrB_AINV_FP64, w, NULL));
  OK(GrB_Vector_dup(&copy, w));
  OK(GrB_Matrix_dup(&B, A));
  OK(GrB_mxm(B, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, A, NULL));
  OK(GrB_Matrix_eWiseAdd_BinaryOp(B, NULL, NULL, GrB_PLUS_FP64, A, B, NULL));
  OK(GrB_Vector_reduce_FP64(&sum, NULL, GrB_PLUS_MONOID_FP64, copy, NULL));
  assert_true(sum == -2. * (double)n);
  assert_int_equal(grid_placed.device, 0);
  assert_int_equal(grid_placed.moves, 0);
  assert_null(Grid_fallback(0, NULL));
  assert_int_equal(grid_device_live(), blocks);
  assert_false(w->chunk.device || A->block.device || A->placement.on_device);
  assert_int_equal(Grid_device(), Grid_CUDA);
  GrB_Vector_free(&u), GrB_Vector_free(&w), GrB_Vector_free(&copy), GrB_Matrix_free(&A), GrB_Matrix_free(&B);
}

static bool runs_on_host(GrB_Vector w, GrB_Vector u) {
  const uint64_t before = grid_placed.host;
  OK(GrB_Vector_apply(w, NULL, NULL, GrB_AINV_FP64, u, NULL));
  return grid_placed.host != before;
}

/* A small object that a large call has brought to the device leaves it after so many small calls in a row. */
static void no_ping_pong(void **state) {
  const GrB_Index P = (GrB_Index)Grid_size(), n = 50 * P, large = 100 * P;
  set_thresholds(VECTOR_MIN, MATRIX_MIN);
  GrB_Matrix A;
  OK(GrB_Matrix_new(&A, GrB_FP64, n, large));
  OK(GrB_Matrix_setElement_FP64(A, 1, 0, 0));
  GrB_Vector u = full_vector(large), w = full_vector(n), v = full_vector(n);
  assert_true(runs_on_host(w, v));
  assert_false(runs_on_host(u, u)); /* large */
  const uint64_t moves = grid_placed.moves;
  for (int k = 0; k < 3; k++) {
    OK(GrB_mxv(w, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, u, NULL));
    for (int call = 0; call < GRID_CALLS_BEFORE_MOVE; call++) assert_false(runs_on_host(w, w));
  }
  assert_int_equal(grid_placed.moves, moves);
  assert_true(runs_on_host(w, w));
  assert_int_equal(grid_placed.moves, moves + 1);
  assert_true(runs_on_host(v, w));
  OK(GrB_mxv(w, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, u, NULL));
  assert_false(runs_on_host(v, w)); /* v goes where w is */
  assert_false(runs_on_host(v, v));
  /* a call that makes many short ones leaves at once, if its objects are small */
  grid_call_placement_count(GRID_CALLS_BEFORE_MOVE, (const void *const[]){v, u}, 2);
  assert_true(runs_on_host(v, v));
  assert_false(runs_on_host(u, u));
  GrB_Vector_free(&u), GrB_Vector_free(&w), GrB_Vector_free(&v), GrB_Matrix_free(&A);
}

static uint64_t host_calls(void) {
  return grid_placed.host;
}

/* Small operands whose product has many entries; and the thresholds that mean all and nothing. */
static void sizes(void **state) {
  const GrB_Index n = 30 * (GrB_Index)Grid_size();
  set_thresholds(VECTOR_MIN, 100);
  GrB_Matrix row, col, all;
  OK(GrB_Matrix_new(&row, GrB_FP64, 1, n)), OK(GrB_Matrix_new(&col, GrB_FP64, n, 1));
  OK(GrB_Matrix_new(&all, GrB_FP64, n, n));
  OK(GrB_Matrix_assign_FP64(row, NULL, NULL, 1, GrB_ALL, 1, GrB_ALL, n, NULL));
  OK(GrB_Matrix_assign_FP64(col, NULL, NULL, 1, GrB_ALL, n, GrB_ALL, 1, NULL));
  uint64_t before = host_calls();
  OK(GrB_mxm(all, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, col, row, NULL));
  assert_true(host_calls() == before); /* n n products */
  OK(GrB_Matrix_clear(all));
  for (int k = 0; k < GRID_CALLS_BEFORE_MOVE; k++)
    OK(GrB_Matrix_assign_FP64(row, row, NULL, 1, GrB_ALL, 1, GrB_ALL, n, GrB_DESC_S));
  before = host_calls();
  OK(GrB_Matrix_assign_FP64(all, NULL, NULL, 1, GrB_ALL, n, GrB_ALL, n, NULL));
  assert_true(host_calls() == before);
  GrB_Vector v = full_vector(n);
  assert_true(runs_on_host(v, v));
  set_thresholds(0, 0);
  assert_false(runs_on_host(v, v));
  set_thresholds(GRID_TUNE_NEVER, GRID_TUNE_NEVER);
  for (int k = 0; k < GRID_CALLS_BEFORE_MOVE; k++) runs_on_host(v, v);
  assert_true(runs_on_host(v, v));
  /* a call that fails its checks is over, too */
  assert_int_equal(GrB_Vector_apply(v, NULL, NULL, NULL, v, NULL), GrB_NULL_POINTER);
  assert_int_equal(GrB_Vector_apply(NULL, NULL, NULL, GrB_AINV_FP64, v, NULL), GrB_NULL_POINTER);
  assert_int_equal(GrB_Vector_dup(NULL, v), GrB_NULL_POINTER);
  assert_true(grid_device_is_on());
  GrB_Matrix_free(&row), GrB_Matrix_free(&col), GrB_Matrix_free(&all), GrB_Vector_free(&v);
}

/* ---- opening ------------------------------------------------------------------------------------------- */

static int openings;
static bool can_open;
static GrB_Info counted_open(int which, grid_gpu_choice choice, int *number) {
  (void)choice;
  *number = which;
  openings++;
  return can_open ? GrB_SUCCESS
                  : grid_fail(NULL, GrB_INVALID_VALUE, "the device cuda: one that cannot be opened");
}

/* The first call that is not small opens the device; if it cannot, the CPU computes that call and all others.
 * The device is not open yet. */
static void opens_late(void **state) {
  if (Grid_size() > 1) skip();
  set_thresholds(VECTOR_MIN, MATRIX_MIN);
  grid_device_choose_later(0, GRID_GPU_OF_PROCESS);
  assert_int_equal(Grid_device(), Grid_CUDA);
  GrB_Vector small = full_vector(50), large;
  assert_true(runs_on_host(small, small));
  assert_int_equal(openings, 0);
  large = full_vector(100);
  assert_int_equal(openings, 1);
  assert_int_equal(Grid_device(), Grid_CPU);
  assert_string_equal(Grid_fallback(0, NULL), "every call, since the device could not be opened");
  OK(GrB_Vector_apply(large, NULL, NULL, GrB_AINV_FP64, large, NULL));
  assert_int_equal(openings, 1);
  can_open = true;
  grid_device_choose_later(0, GRID_GPU_OF_PROCESS);
  assert_true(runs_on_host(small, small));
  assert_int_equal(openings, 1);
  assert_false(runs_on_host(large, large));
  assert_int_equal(openings, 2);
  GrB_Vector_free(&small), GrB_Vector_free(&large);
}

/* One process cannot open its device: no process has one then, and calls without an agreement still match. */
static void opens_on_part(void **state) {
  if (Grid_size() == 1) skip();
  can_open = Grid_rank() + 1 < Grid_size();
  assert_int_equal(Grid_device_set(Grid_CUDA), GrB_INVALID_VALUE);
  assert_int_equal(Grid_device(), Grid_CPU);
  assert_false(grid_device_is_open());
  GrB_Vector v = full_vector(50);
  alarm(60);
  for (int k = 0; k < 100; k++) OK(GrB_Vector_apply(v, NULL, NULL, GrB_AINV_FP64, v, NULL));
  alarm(0);
  GrB_Vector_free(&v);
}

/* On several processes each call waits for its kernel. */
static void waits_for_kernels(void **state) {
  grid_tune.compile_wait_bytes = 1000;
  assert_int_equal(grid_device_waits_for_kernel(999), Grid_size() > 1);
  assert_true(grid_device_waits_for_kernel(1000));
  grid_tune.compile_wait_bytes = 0;
  assert_true(grid_device_waits_for_kernel(0));
}

/* ---- burble -------------------------------------------------------------------------------------------- */

static char printed[2000];
static int keep_line(const char *format, ...) {
  va_list a;
  va_start(a, format);
  vsnprintf(printed, sizeof printed, format, a);
  va_end(a);
  return 0;
}

static void lines(void **state) {
  const GrB_Index P = (GrB_Index)Grid_size();
  set_thresholds(VECTOR_MIN, MATRIX_MIN);
  GrB_Vector small = full_vector(50 * P), large = full_vector(100 * P);
  OK(grid_burble_set(true, NULL, "lines"));
  grid_burble_output.print = keep_line;
  OK(GrB_Vector_apply(small, NULL, NULL, GrB_AINV_FP64, small, NULL));
  if (Grid_rank() == 0) assert_non_null(strstr(printed, ", small, on the host; w: "));
  OK(GrB_Vector_apply(large, NULL, NULL, GrB_AINV_FP64, large, NULL));
  if (Grid_rank() == 0) assert_non_null(strstr(printed, ", on the host: apply with "));
  OK(grid_burble_set(false, NULL, "lines"));
  GrB_Vector_free(&small), GrB_Vector_free(&large);
}

int main(void) {
  const struct CMUnitTest first[] = {cmocka_unit_test(opens_late), cmocka_unit_test(opens_on_part)};
  const struct CMUnitTest tests[] = {cmocka_unit_test(mixed_programs),    cmocka_unit_test(small_program),
                                     cmocka_unit_test(no_ping_pong),      cmocka_unit_test(sizes),
                                     cmocka_unit_test(waits_for_kernels), cmocka_unit_test(lines)};
  read_settings();
  grid_tune.nccl = false; /* it would select a GPU */
  if (GrB_init(GrB_NONBLOCKING) != GrB_SUCCESS) return 1;
  grid_backend device = full_device();
  device.products = &fake_products;
  device.paging = NULL;
  device.search = NULL;
  grid_device_memory memory = fake_memory;
  memory.open = counted_open;
  device.memory = &memory;
  grid_backend_register(&grid_backend_cpu, &device);
  int failed = cmocka_run_group_tests(first, NULL, NULL);
  can_open = true;
  if (!take_device()) return 77;
  failed += cmocka_run_group_tests(tests, NULL, NULL);
  const bool finalized = GrB_finalize() == GrB_SUCCESS;
  free_records(0), free_records(1);
  return failed || !finalized || grid_mem_live() || grid_device_live() ? 1 : 0;
}
