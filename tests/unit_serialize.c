/* GrB_Matrix_serialize and GrB_Matrix_deserialize of matrices of user-defined types of 1 to 1000 bytes, and
 * of results of operations, of few entries and many, on any number of processes. (unit_export.c has formats
 * and damaged bytes.) */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit.h"
#include "gridblas.h"
#include "semiring/support/mem.h"
#include "tests/assert_all.h"
#include "tests/grid_shapes.h"
#include "tests/random_numbers.h"

#define OK(call) assert_int_equal((call), GrB_SUCCESS)

/* A's bytes give a matrix that holds the same entries; its type is A's. */
static void check_bytes(GrB_Matrix A, GrB_Type type, size_t value_size) {
  GrB_Matrix B = NULL;
  GrB_Index size = 0, shape[2][3], n, m;
  OK(GrB_Matrix_serializeSize(&size, A));
  char *blob = malloc(size + 1);
  assert_non_null(blob);
  OK(GrB_Matrix_serialize(blob, &size, A));
  const GrB_Info info = GrB_Matrix_deserialize(&B, type, blob, size);
  if (info != GrB_SUCCESS) print_message("%s\n", Grid_last_error());
  OK(info);
  free(blob);
  const GrB_Matrix of[] = {A, B};
  for (int k = 0; k < 2; k++) {
    OK(GrB_Matrix_nrows(&shape[k][0], of[k])), OK(GrB_Matrix_ncols(&shape[k][1], of[k]));
    OK(GrB_Matrix_nvals(&shape[k][2], of[k]));
  }
  assert_memory_equal(shape[0], shape[1], sizeof shape[0]);
  n = m = shape[0][2];
  GrB_Index *at = malloc((4 * n + 1) * sizeof *at);
  char *x = malloc(2 * n * value_size + 1);
  assert_true(at && x);
  if (type == GrB_INT64) {
    OK(GrB_Matrix_extractTuples_INT64(at, at + n, (int64_t *)(void *)x, &n, A));
    OK(GrB_Matrix_extractTuples_INT64(at + 2 * m, at + 3 * m, (int64_t *)(void *)x + m, &m, B));
  } else {
    OK(GrB_Matrix_extractTuples_UDT(at, at + n, x, &n, A));
    OK(GrB_Matrix_extractTuples_UDT(at + 2 * m, at + 3 * m, x + m * value_size, &m, B));
  }
  assert_on_all(n == m && memcmp(at, at + 2 * n, 2 * n * sizeof *at) == 0 &&
                memcmp(x, x + n * value_size, n * value_size) == 0);
  free(at), free(x);
  OK(GrB_free(&B));
}

/* Of one size: no entries, one, all; different values or the same. */
static void sizes(void **state) {
  for (size_t size = 1; size <= 1000; size += Grid_size() == 1 ? 1 : 53) {
    GrB_Type type = NULL;
    GrB_Index i[12], j[12];
    char *x = malloc(12 * size);
    OK(GrB_Type_new(&type, size));
    for (GrB_Index n = 0; n <= 12; n += n < 2 ? 1 : 10)
      for (int same = 0; same < 2; same++) {
        GrB_Matrix A = NULL;
        const uint64_t step = size % 3 ? 1 : UINT64_C(1) << 35;
        for (size_t k = 0; k < n; k++) {
          i[k] = k / 4 * step, j[k] = k % 4;
          memset(x + k * size, same ? 7 : (int)(k + size), size);
        }
        OK(GrB_Matrix_new(&A, type, 2 * step + 1, 4));
        OK(GrB_Matrix_build_UDT(A, i, j, x, n, NULL));
        check_bytes(A, type, size);
        OK(GrB_free(&A));
      }
    free(x);
    OK(GrB_free(&type));
  }
}

static GrB_Matrix draw_matrix(GrB_Index nrows, GrB_Index ncols, uint64_t n) {
  GrB_Matrix A = NULL;
  OK(GrB_Matrix_new(&A, GrB_INT64, nrows, ncols));
  for (; n > 0; n--)
    OK(GrB_Matrix_setElement_INT64(A, (int64_t)draw(5), draw(1 << 30) % nrows, draw(1 << 30) % ncols));
  if (draw_one_in(2)) OK(GrB_wait(A, GrB_MATERIALIZE));
  return A;
}

/* An operation's result, which has fewer or more entries than its operands. */
static void draw_result(GrB_Matrix C, GrB_Matrix A, GrB_Matrix B, GrB_Matrix square) {
  GrB_Index row = 0;
  GrB_Vector v = NULL;
  switch (draw(9)) {
    case 0:
      OK(GrB_mxm(C, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_INT64, square, A, GrB_DESC_T0));
      break;
    case 1:
      OK(GrB_mxm(C, B, NULL, GrB_PLUS_TIMES_SEMIRING_INT64, square, A, GrB_DESC_RS));
      break;
    case 2:
      OK(GrB_Matrix_select_INT64(C, NULL, NULL, GrB_VALUEEQ_INT64, A, 3, NULL));
      break;
    case 3:
      OK(GrB_Matrix_eWiseMult_BinaryOp(C, NULL, NULL, GrB_PLUS_INT64, A, B, NULL));
      break;
    case 4:
      OK(GrB_Matrix_eWiseAdd_BinaryOp(C, A, NULL, GrB_PLUS_INT64, A, B, GrB_DESC_RC));
      break;
    case 5:
      OK(GrB_Matrix_apply_IndexOp_INT64(C, B, NULL, GrB_COLINDEX_INT64, A, 1, GrB_DESC_RS));
      break;
    case 6:
      OK(GrB_Matrix_assign_INT64(C, B, NULL, 4, GrB_ALL, 0, GrB_ALL, 0, GrB_DESC_S));
      break;
    case 7:
      OK(GrB_Matrix_nrows(&row, C)), OK(GrB_Vector_new(&v, GrB_INT64, row));
      OK(GrB_Matrix_reduce_Monoid(v, NULL, NULL, GrB_PLUS_MONOID_INT64, A, NULL));
      OK(GrB_Col_assign(C, NULL, NULL, v, GrB_ALL, row, 0, NULL)), OK(GrB_free(&v));
      break;
    default:
      OK(GrB_Matrix_clear(C));
  }
}

static void results(void **state) {
  static const GrB_Index dims[] = {1, 3, 70, 3000, 100000, UINT32_MAX - 5, UINT64_C(1) << 40};
  for (int round = 0; round < (Grid_size() == 1 ? 400 : 60); round++) {
    const GrB_Index m = dims[draw(7)], n = dims[draw(7)];
    const uint64_t entries = draw_one_in(3) ? 3 : 300;
    GrB_Matrix C = draw_matrix(m, n, draw(2) ? entries : 2), A = draw_matrix(m, n, entries),
               B = draw_matrix(m, n, draw_one_in(2) ? 300 : 2), square = draw_matrix(m, m, entries);
    draw_result(C, A, B, square);
    check_bytes(C, GrB_INT64, sizeof(int64_t));
    if (draw_one_in(3)) OK(GrB_Matrix_resize(C, dims[draw(7)], dims[draw(7)]));
    check_bytes(C, GrB_INT64, sizeof(int64_t));
    OK(GrB_free(&A)), OK(GrB_free(&B)), OK(GrB_free(&C)), OK(GrB_free(&square));
  }
}

static int group(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sizes), cmocka_unit_test(results)};
  return cmocka_run_group_tests(tests, start_on_shape, stop_on_shape);
}

int main(void) {
  const int failed = run_on_shapes(group);
  return failed || grid_mem_live() != 0;
}
