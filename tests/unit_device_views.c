/* Grid_Vector_device_view and Grid_Matrix_device_view: the object's own arrays in device memory, which stay
 * when it is changed, moved or freed. The device is simulated in host memory (fake_device.h), or, with
 * GRID_TEST_GPU=1, the GPU. */
#pragma GCC diagnostic ignored "-Wunused-function"
#include "dist/vector/vector.h"
#include "tests/gpu_present.h"
#include "tests/two_backends.h"

#include "tests/assert_all.h"
#include "tests/fake_device.h"

static GrB_Vector ascending(GrB_Index n) {
  GrB_Vector v = NULL;
  OK(GrB_Vector_new(&v, GrB_INT64, n));
  for (GrB_Index i = 0; i < n; i++) OK(GrB_Vector_setElement_INT64(v, 5 * (int64_t)i, i));
  return v;
}

/* Value i of this process's range is a + b (first + i). */
static bool has_values(const Grid_View *view, GrB_Index n, int64_t a, int64_t b) {
  GrB_Index first, count;
  OK(Grid_local_range(n, &first, &count));
  int64_t *x = malloc((count + 1) * sizeof *x);
  bool good = view->device && !view->indptr && !view->indices && view->n_values == (view->iso ? 1 : count);
  OK(grid_device_get(x, view->values, view->n_values * sizeof *x));
  for (GrB_Index i = 0; good && i < view->n_values; i++) good = x[i] == a + b * (int64_t)(first + i);
  free(x);
  return good;
}

static void test_values(void **state) {
  for (GrB_Index n = 0; n < 3000; n = 7 * n + 5) {
    Grid_View view, second;
    GrB_Vector v = ascending(n);
    OK(Grid_Vector_device_view(&view, v));
    OK(Grid_Vector_device_view(&second, v));
    assert_on_all(v->chunk.device && view.values == v->chunk.val && second.values == view.values);
    Grid_View_free(&view);
    assert_on_all(!view.values && has_values(&second, n, 0, 5));
    OK(grid_chunk_to_host(&v->chunk));
    assert_on_all(has_values(&second, n, 0, 5));
    OK(Grid_Vector_device_view(&view, v));
    OK(GrB_free(&v));
    v = ascending(n); /* takes memory that was freed */
    OK(grid_chunk_to_device(&v->chunk));
    assert_on_all(has_values(&second, n, 0, 5) && has_values(&view, n, 0, 5));
    Grid_View_free(&second), Grid_View_free(&view);
    OK(GrB_free(&v));
  }
  assert_on_all(grid_device_live() == 0);
}

static void test_one_value(void **state) {
  Grid_View view;
  GrB_Vector v;
  OK(GrB_Vector_new(&v, GrB_INT64, 900));
  OK(GrB_Vector_assign_INT64(v, NULL, NULL, 9, GrB_ALL, 900, NULL));
  OK(Grid_Vector_device_view(&view, v));
  OK(GrB_free(&v));
  assert_on_all(view.iso && has_values(&view, 900, 9, 0));
  Grid_View_free(&view);
}

/* Row i has i % 5 entries; all values are 1, or each has its own. */
static GrB_Matrix uneven_rows(GrB_Index n, bool iso) {
  GrB_Index row[2 * 900], col[2 * 900], m = 0;
  int64_t x[2 * 900];
  GrB_Matrix A = NULL;
  for (GrB_Index i = 0; i < n && Grid_rank() == 0; i++)
    for (GrB_Index k = 0; k < i % 5; k++) row[m] = i, col[m] = (3 * i + 11 * k) % n, x[m] = (int64_t)m, m++;
  OK(GrB_Matrix_new(&A, GrB_INT64, n, n));
  OK(Grid_Matrix_build(A, row, col, iso ? NULL : x, iso ? NULL : GrB_INT64, m, iso ? NULL : GrB_PLUS_INT64,
                       0));
  return A;
}

/* Are so many bytes in device memory those on the host? */
static bool same_as(const void *device, const void *host, GrB_Index bytes) {
  char *copy = malloc(bytes + 1);
  const bool same = grid_device_get(copy, device, bytes) == GrB_SUCCESS && memcmp(copy, host, bytes) == 0;
  free(copy);
  return same;
}

static bool has_rows(const Grid_View *view, const Grid_View *host) {
  return view->device && view->indptr_bytes == 4 && view->indices_bytes == 4 && view->iso == host->iso &&
         view->n_indptr == host->n_indptr && view->n_indices == host->n_indices &&
         view->n_values == host->n_values && same_as(view->indptr, host->indptr, 4 * host->n_indptr) &&
         same_as(view->indices, host->indices, 4 * host->n_indices) &&
         same_as(view->values, host->values, 8 * host->n_values);
}

/* Fewer rows would be listed, and the simulated device cannot expand lists. */
static void test_rows(void **state) {
  for (GrB_Index n = 136; n <= 400; n += 132)
    for (int iso = 0; iso < 2; iso++) {
      Grid_View view, second, host;
      GrB_Matrix A = uneven_rows(n, iso);
      OK(Grid_Matrix_device_view(&view, A));
      OK(Grid_Matrix_device_view(&second, A));
      assert_on_all(second.indptr == view.indptr && second.indices == view.indices);
      OK(Grid_Matrix_view(&host, A)); /* moves the block to the host */
      assert_on_all(host.indptr_bytes == 4 && host.indices_bytes == 4 && has_rows(&view, &host));
      Grid_View_free(&view);
      OK(GrB_Matrix_clear(A));
      assert_on_all(has_rows(&second, &host));
      OK(Grid_Matrix_device_view(&view, A));
      assert_on_all(view.n_indices == 0 && view.n_indptr == host.n_indptr && !view.indices && !view.values);
      OK(GrB_free(&A));
      assert_on_all(has_rows(&second, &host));
      Grid_View_free(&view), Grid_View_free(&second), Grid_View_free(&host);
    }
  assert_on_all(grid_device_live() == 0);
}

static void fails(GrB_Info info, GrB_Info expected, const char *text) {
  assert_int_equal(info, expected);
  assert_non_null(strstr(Grid_last_error(), text));
}

static void test_errors(void **state) {
  Grid_View view = {.n_values = 77};
  GrB_Vector v, large;
  GrB_Type bytes;
  OK(GrB_Vector_new(&v, GrB_INT64, 50));
  OK(GrB_Vector_setElement_INT64(v, 1, 2));
  fails(Grid_Vector_device_view(&view, v), GrB_INVALID_OBJECT, "1 entries of a vector of size 50");
  fails(Grid_Vector_device_view(NULL, v), GrB_NULL_POINTER, "view");
  fails(Grid_Vector_device_view(&view, NULL), GrB_NULL_POINTER, "v");
  OK(GrB_Type_new(&bytes, 80));
  OK(GrB_Vector_new(&large, bytes, 1));
  OK(GrB_Vector_setElement_UDT(large, (char[80]){0}, 0));
  fails(Grid_Vector_device_view(&view, large), GrB_INVALID_OBJECT, "cannot lie on the GPU");
  OK(Grid_device_set(Grid_CPU));
  fails(Grid_Vector_device_view(&view, v), GrB_INVALID_VALUE, "the GPU is not turned on");
  OK(Grid_device_set(Grid_CUDA));
  GrB_Matrix A, records;
  OK(GrB_Matrix_new(&A, GrB_INT64, 9, 9));
  OK(GrB_Matrix_new(&records, bytes, 1, 1));
  OK(GrB_Matrix_setElement_UDT(records, (char[80]){0}, 0, 0));
  fails(Grid_Matrix_device_view(NULL, A), GrB_NULL_POINTER, "view");
  fails(Grid_Matrix_device_view(&view, NULL), GrB_NULL_POINTER, "A");
  fails(Grid_Matrix_device_view(&view, records), GrB_INVALID_OBJECT, "cannot lie on the GPU");
  OK(Grid_device_set(Grid_CPU));
  fails(Grid_Matrix_device_view(&view, A), GrB_INVALID_VALUE, "the GPU is not turned on");
  OK(Grid_device_set(Grid_CUDA));
  assert_int_equal(view.n_values, 77);
  OK(GrB_free(&A)), OK(GrB_free(&records));
  OK(GrB_free(&v)), OK(GrB_free(&large)), OK(GrB_free(&bytes));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_values), cmocka_unit_test(test_one_value),
                                     cmocka_unit_test(test_rows), cmocka_unit_test(test_errors)};
  read_settings();
  const bool gpu = is_set("GRID_TEST_GPU");
  if (gpu && !have_gpu()) return 77;
  if (GrB_init(GrB_NONBLOCKING) != GrB_SUCCESS) return 1;
  if (!gpu) grid_backend_register(&grid_backend_cpu, &fake_device);
  if (!take_device() || Grid_device_set(Grid_CUDA) != GrB_SUCCESS) return 77;
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  const bool finalized = GrB_finalize() == GrB_SUCCESS;
  return failed || !finalized || grid_mem_live() || grid_device_live() ? 1 : 0;
}
