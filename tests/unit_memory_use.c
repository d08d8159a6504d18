/* The memory that operations take beside their inputs and results, on one process. */
#include <omp.h>
#include <stdlib.h>

#include "tests/unit.h"
#include "gridblas.h"
#include "gridblas_algos.h"

#define OK(call) assert_int_equal(call, GrB_SUCCESS)

enum { SIDE = 2000, ROW_LENGTH = 100, N = SIDE * ROW_LENGTH, ROW_BYTES = 12 };

static GrB_Index row[N], col[N], start[SIDE + 1];
static double val[N];

/* EACH entries in a row, all over the columns, ascending. */
static void fill_arrays(void) {
  for (GrB_Index k = 0; k < N; k++) {
    row[k] = k / ROW_LENGTH;
    col[k] = k % ROW_LENGTH * (SIDE / ROW_LENGTH) + row[k] * row[k] % (SIDE / ROW_LENGTH);
    val[k] = (double)(k % 7 + 1);
  }
  for (GrB_Index r = 0; r <= SIDE; r++) start[r] = r * ROW_LENGTH;
}

static double sum_of_values(void) {
  double sum = 0;
  for (GrB_Index k = 0; k < N; k++) sum += val[k];
  return sum;
}

static GrB_Matrix build(GrB_Index ncols) {
  GrB_Matrix A = NULL;
  OK(GrB_Matrix_new(&A, GrB_FP64, SIDE, ncols));
  for (GrB_Index k = 0; k < N && ncols == ROW_LENGTH; k++) col[k] = k % ROW_LENGTH;
  OK(GrB_Matrix_build_FP64(A, row, col, val, N, NULL));
  OK(GrB_Matrix_wait(A, GrB_MATERIALIZE));
  fill_arrays();
  return A;
}

/* The peak since Grid_memory returned `before`, in bytes for each of N entries. */
static double peak_above(uint64_t before) {
  uint64_t peak;
  Grid_memory(&peak, false);
  return ((double)peak - (double)before) / N;
}

static void assert_sum(GrB_Matrix A, double want) {
  double sum = 0;
  OK(GrB_Matrix_reduce_FP64(&sum, NULL, GrB_PLUS_MONOID_FP64, A, NULL));
  assert_true(sum == want);
}

/* Columns take ROW_BYTES. */
static void first_column_sums(void **state) {
  GrB_Matrix A = build(SIDE);
  GrB_Vector first = NULL, second = NULL;
  OK(GrB_Vector_new(&first, GrB_FP64, SIDE)), OK(GrB_Vector_new(&second, GrB_FP64, SIDE));
  const uint64_t before = Grid_memory(NULL, true);
  OK(GrB_Matrix_reduce_Monoid(first, NULL, NULL, GrB_PLUS_MONOID_FP64, A, GrB_DESC_T0));
  OK(GrB_Vector_wait(first, GrB_MATERIALIZE));
  assert_true(peak_above(before) < ROW_BYTES / 2);
  OK(GrB_Matrix_reduce_Monoid(second, NULL, NULL, GrB_PLUS_MONOID_FP64, A, GrB_DESC_T0));
  OK(GrB_Vector_eWiseMult_BinaryOp(second, NULL, NULL, GrB_NE_FP64, first, second, NULL));
  bool differ = true;
  OK(GrB_Vector_reduce_BOOL(&differ, NULL, GrB_LOR_MONOID_BOOL, second, NULL));
  assert_false(differ);
  GrB_Vector_free(&first), GrB_Vector_free(&second), GrB_Matrix_free(&A);
}

/* Indices are copied, values are not. */
static void import_of_columns(void **state) {
  GrB_Matrix A = NULL;
  double x = 0;
  const uint64_t before = Grid_memory(NULL, true);
  OK(GrB_Matrix_import_FP64(&A, GrB_FP64, SIDE, SIDE, start, col, val, SIDE + 1, N, N, GrB_CSC_FORMAT));
  OK(GrB_Matrix_wait(A, GrB_MATERIALIZE));
  assert_true(peak_above(before) < ROW_BYTES + 6);
  assert_sum(A, sum_of_values());
  OK(GrB_Matrix_extractElement_FP64(&x, A, col[777], row[777]));
  assert_true(x == val[777]);
  GrB_Matrix_free(&A);
}

/* A full matrix: 8 bytes an entry, and its rows leave the memory. They come back for a product. */
static void rows_of_full_matrix(void **state) {
  GrB_Matrix A = build(ROW_LENGTH), C = NULL;
  GrB_Vector ones = NULL, sums = NULL;
  double sum = 0;
  OK(GrB_Matrix_new(&C, GrB_FP64, SIDE, ROW_LENGTH));
  OK(GrB_Vector_new(&ones, GrB_FP64, ROW_LENGTH)), OK(GrB_Vector_new(&sums, GrB_FP64, SIDE));
  OK(GrB_Vector_assign_FP64(ones, NULL, NULL, 1, GrB_ALL, ROW_LENGTH, NULL));
  const uint64_t before = Grid_memory(NULL, true);
  OK(GrB_Matrix_apply(C, NULL, NULL, GrB_AINV_FP64, A, NULL));
  OK(GrB_Matrix_wait(C, GrB_MATERIALIZE));
  assert_true(peak_above(before) < 9);
  assert_sum(C, -sum_of_values());
  OK(GrB_mxv(sums, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, ones, NULL));
  OK(GrB_Vector_reduce_FP64(&sum, NULL, GrB_PLUS_MONOID_FP64, sums, NULL));
  assert_true(sum == sum_of_values());
  GrB_Vector_free(&ones), GrB_Vector_free(&sums), GrB_Matrix_free(&A), GrB_Matrix_free(&C);
}

/* Beside the pending elements: keys, the tuples being sorted, and the rows. */
static void elements_of_empty_matrix(void **state) {
  GrB_Matrix A = NULL;
  OK(GrB_Matrix_new(&A, GrB_FP64, SIDE, SIDE));
  for (GrB_Index k = 0; k < N; k++) OK(GrB_Matrix_setElement_FP64(A, val[k], col[k], row[k]));
  const uint64_t before = Grid_memory(NULL, true);
  OK(GrB_Matrix_wait(A, GrB_MATERIALIZE));
  assert_true(peak_above(before) < 36);
  assert_sum(A, sum_of_values());
  GrB_Matrix_free(&A);
}

/* Half of the columns of a diagonal: the result takes 4 bytes a row and 12 an entry, its computation another
 * 4 bytes a row. */
static void extracted_columns(void **state) {
  enum { ROWS = 1 << 18, RESULT = 4 * ROWS + 12 * (ROWS / 2) };
  const GrB_Index rows[2] = {0, ROWS - 1}, cols[2] = {0, ROWS / 2 - 1};
  GrB_Matrix A, C;
  GrB_Vector v;
  GrB_Index count;
  if (Grid_size() > 1) skip(); /* others route entries */
  OK(GrB_Vector_new(&v, GrB_FP64, ROWS));
  OK(GrB_Vector_assign_FP64(v, NULL, NULL, 1, GrB_ALL, ROWS, NULL));
  OK(GrB_Vector_apply_IndexOp_INT64(v, NULL, NULL, GrB_ROWINDEX_INT64, v, 0, NULL));
  OK(GrB_Matrix_diag(&A, v, 0));
  OK(GrB_Matrix_new(&C, GrB_FP64, ROWS, ROWS / 2));
  const uint64_t before = Grid_memory(NULL, true);
  OK(GrB_Matrix_extract(C, NULL, NULL, A, rows, GxB_RANGE, cols, GxB_RANGE, NULL));
  assert_true(peak_above(before) * N < RESULT + 4.5 * ROWS);
  OK(GrB_Matrix_nvals(&count, C));
  assert_int_equal(count, ROWS / 2);
  GrB_Vector_free(&v), GrB_Matrix_free(&A), GrB_Matrix_free(&C);
}

/* A vector whose values are equal has a long list of indices, but not that of its previous value, too. */
static void list_of_one_value(void **state) {
  enum { LENGTH = 1 << 24, STEP = 64, ENTRIES = LENGTH / STEP };
  GrB_Vector every, u, w;
  OK(GrB_Vector_new(&every, GrB_BOOL, LENGTH));
  for (GrB_Index i = 0; i < LENGTH; i += STEP) OK(GrB_Vector_setElement_BOOL(every, true, i));
  OK(GrB_Vector_new(&u, GrB_FP64, LENGTH));
  OK(GrB_Vector_assign_FP64(u, every, NULL, 3, GrB_ALL, LENGTH, GrB_DESC_S));
  OK(GrB_Vector_new(&w, GrB_FP64, LENGTH));
  const uint64_t before = Grid_memory(NULL, false);
  for (int k = 0; k < 3; k++) OK(GrB_Vector_apply(w, NULL, NULL, GrB_AINV_FP64, u, NULL));
  const double more = (double)Grid_memory(NULL, false) - (double)before;
  assert_true(more < 1.5 * 8 * ENTRIES / Grid_size());
  GrB_Vector_free(&every), GrB_Vector_free(&u), GrB_Vector_free(&w);
}

/* Many vertices, of which a path of 40 and 20 pairs have edges: results take 8 bytes a vertex, and their
 * computation only what is full in them. */
static void algorithms_of_few_edges(void **state) {
  enum { VERTICES = 1 << 20, PATH = 40, EDGES = PATH + 20 };
  GrB_Index from[EDGES], to[EDGES];
  GrB_Matrix A;
  GrB_Vector label, rank;
  double sum = 0;
  int64_t smallest = -1;
  for (GrB_Index k = 0; k < EDGES; k++) {
    from[k] = k < PATH ? 7 * k + 5000 : 9000 + 3 * k;
    to[k] = k < PATH ? from[k] + 7 : from[k] + 1;
  }
  OK(GrB_Matrix_new(&A, GrB_BOOL, VERTICES, VERTICES));
  OK(Grid_Matrix_build(A, from, to, NULL, NULL, EDGES, NULL, Grid_MIRROR));
  OK(GrB_Matrix_wait(A, GrB_MATERIALIZE));
  uint64_t before = Grid_memory(NULL, true);
  OK(Grid_components(&label, A));
  assert_true(peak_above(before) * N < 11.0 * VERTICES);
  OK(GrB_Vector_extractElement_INT64(&smallest, label, 5000 + 7 * PATH));
  assert_int_equal(smallest, 5000);
  OK(GrB_Vector_free(&label));
  before = Grid_memory(NULL, true);
  OK(Grid_pagerank(&rank, NULL, NULL, A, NULL, 0.85, 0, 10, 0));
  assert_true(peak_above(before) * N < 25.0 * VERTICES);
  OK(GrB_Vector_reduce_FP64(&sum, NULL, GrB_PLUS_MONOID_FP64, rank, NULL));
  assert_true(sum > 1 - 1e-9 && sum < 1 + 1e-9);
  GrB_Vector_free(&rank), GrB_Matrix_free(&A);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(first_column_sums),      cmocka_unit_test(import_of_columns),
      cmocka_unit_test(rows_of_full_matrix),    cmocka_unit_test(elements_of_empty_matrix),
      cmocka_unit_test(extracted_columns),      cmocka_unit_test(list_of_one_value),
      cmocka_unit_test(algorithms_of_few_edges)};
  omp_set_num_threads(1); /* threads have buffers of their own */
  if (GrB_init(GrB_NONBLOCKING) != GrB_SUCCESS) return 1;
  fill_arrays();
  const int failed = cmocka_run_group_tests_name("unit_memory_use", tests, NULL, NULL);
  return GrB_finalize() == GrB_SUCCESS ? failed : 1;
}
