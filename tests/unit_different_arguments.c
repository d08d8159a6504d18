/* Arguments of reading, writing and serializing that are wrong, or others, on the last process alone: all get
 * the error, and none waits for another's messages. */
#include <string.h>

#include "tests/unit.h"
#include "gridblas.h"
#include "gridblas_gxb_data.h"
#include "tests/assert_all.h"
#include "tests/test_folder.h"

#define OK(call) assert_int_equal((call), GrB_SUCCESS)
/* Calls that take what all pass, but on the last process `other`. */
#define PASS(all, other) (is_odd() ? (other) : (all))
#define REFUSED(call, want, text)                                               \
  do {                                                                          \
    const GrB_Info refused_info = (call);                                       \
    assert_on_all(refused_info == (want) && strstr(Grid_last_error(), (text))); \
  } while (0)
static const char different[] = "is not the same on all processes";

static bool is_odd(void) {
  return Grid_rank() == Grid_size() - 1;
}

static GrB_Matrix make_matrix(GrB_Index n) {
  GrB_Matrix A = NULL;
  OK(GrB_Matrix_new(&A, GrB_FP64, n, n));
  for (GrB_Index k = 0; k < n; k++) OK(GrB_Matrix_setElement_FP64(A, 1.5, k, n - 1 - k));
  OK(GrB_Matrix_wait(A, GrB_MATERIALIZE));
  return A;
}

/* Of few bytes, and of so many that each process computes a share of the checksum. */
static void serialization(void **state) {
  const GrB_Index sizes[] = {5, 100000};
  for (int k = 0; k < 2; k++) {
    GrB_Matrix A = make_matrix(sizes[k]), B = NULL;
    GrB_Index size = 0, most = 0;
    REFUSED(GrB_Matrix_serializeSize(PASS(&most, NULL), A), GrB_NULL_POINTER, "argument size");
    REFUSED(GrB_Matrix_serializeSize(&most, PASS(A, NULL)), GrB_NULL_POINTER, "argument A");
    OK(GrB_Matrix_serializeSize(&most, A));
    char *blob = malloc(most);
    assert_non_null(blob);
    size = PASS(most, 8);
    REFUSED(GrB_Matrix_serialize(blob, &size, A), GrB_INSUFFICIENT_SPACE, "8 bytes of space");
    assert_on_all(size == PASS(most, 8));
    const char *text = NULL;
    OK(GrB_error(&text, A));
    assert_on_all(strstr(text, "8 bytes of space"));
    size = most;
    REFUSED(GrB_Matrix_serialize(PASS(blob, NULL), &size, A), GrB_NULL_POINTER, "serialized_data");
    REFUSED(GrB_Matrix_serialize(blob, &size, PASS(A, NULL)), GrB_NULL_POINTER, "argument A");
    REFUSED(GrB_Matrix_serialize(blob, PASS(&size, NULL), A), GrB_NULL_POINTER, "serialized_size");
    OK(GrB_Matrix_serialize(blob, &size, A));
    REFUSED(GrB_Matrix_deserialize(&B, NULL, PASS(blob, NULL), size), GrB_NULL_POINTER, "serialized_data");
    REFUSED(GrB_Matrix_deserialize(&B, PASS(GrB_FP64, GrB_INT8), blob, size), GrB_DOMAIN_MISMATCH, "INT8");
    REFUSED(GrB_Matrix_deserialize(&B, NULL, blob, PASS(size, 8)), GrB_INVALID_OBJECT, "deserialize");
    REFUSED(GxB_Matrix_deserialize(&B, NULL, PASS(blob, NULL), size, NULL), GrB_NULL_POINTER, "blob");
    REFUSED(GxB_Matrix_deserialize(&B, PASS(NULL, GrB_INT8), blob, size, NULL), GrB_DOMAIN_MISMATCH,
            "argument type is INT8");
    assert_on_all(!B);
    OK(GrB_Matrix_deserialize(&B, NULL, blob, size));
    free(blob);
    OK(GrB_free(&A)), OK(GrB_free(&B));
  }
}

static void gxb_serialization(void **state) {
  GrB_Matrix A = make_matrix(5);
  GrB_Vector v = NULL;
  GrB_Index size = 0;
  void *blob = NULL;
  REFUSED(GxB_Matrix_serialize(PASS(&blob, NULL), &size, A, NULL), GrB_NULL_POINTER, "argument blob");
  REFUSED(GxB_Matrix_serialize(&blob, &size, PASS(A, NULL), NULL), GrB_NULL_POINTER, "argument A");
  OK(GrB_Vector_new(&v, GrB_FP64, 5));
  OK(GrB_Vector_setElement_FP64(v, 1, 4)); /* a change that waits is sent after the check */
  REFUSED(GxB_Vector_serialize(&blob, &size, PASS(v, NULL), NULL), GrB_NULL_POINTER, "argument v");
  REFUSED(GxB_Vector_serialize(&blob, PASS(&size, NULL), v, NULL), GrB_NULL_POINTER, "argument size");
  OK(GxB_Vector_serialize(&blob, &size, v, NULL));
  OK(GrB_free(&v));
  REFUSED(GxB_Vector_deserialize(PASS(&v, NULL), NULL, blob, size, NULL), GrB_NULL_POINTER, "argument v");
  assert_on_all(!v);
  free(blob);
  OK(GrB_free(&A));
}

static void exports(void **state) {
  GrB_Matrix A = make_matrix(5), B = NULL;
  GrB_Index ptr[6] = {0}, col[5], n[3] = {6, PASS(5, 4), 5};
  double x[5];
  REFUSED(GrB_Matrix_export_FP64(ptr, col, x, n, n + 1, n + 2, GrB_CSR_FORMAT, A), GrB_INSUFFICIENT_SPACE,
          "export");
  n[1] = 5;
  REFUSED(GrB_Matrix_export_FP64(ptr, PASS(col, NULL), x, n, n + 1, n + 2, GrB_CSR_FORMAT, A),
          GrB_NULL_POINTER, "indices");
  REFUSED(GrB_Matrix_exportSize(n, n + 1, n + 2, PASS(GrB_CSR_FORMAT, GrB_COO_FORMAT), A), GrB_INVALID_VALUE,
          different);
  REFUSED(GrB_Matrix_exportSize(n, n + 1, n + 2, GrB_CSR_FORMAT, PASS(A, NULL)), GrB_NULL_POINTER,
          "argument A");
  REFUSED(GrB_Matrix_export_FP64(ptr, col, x, n, n + 1, n + 2, GrB_CSR_FORMAT, PASS(A, NULL)),
          GrB_NULL_POINTER, "argument A");
  REFUSED(Grid_Matrix_exportLocal(ptr, col, x, n, n + 1, n + 2, GrB_CSR_FORMAT, PASS(A, NULL)),
          GrB_NULL_POINTER, "argument A");
  REFUSED(Grid_Matrix_importLocal(&B, GrB_FP64, PASS(4, 5), 5, ptr, NULL, NULL, 6, 0, 0, GrB_CSR_FORMAT),
          GrB_INVALID_VALUE, different);
  REFUSED(
      Grid_Matrix_importLocal(&B, PASS(GrB_FP64, GrB_INT8), 5, 5, ptr, NULL, NULL, 6, 0, 0, GrB_CSR_FORMAT),
      GrB_INVALID_VALUE, different);
  REFUSED(Grid_Matrix_importLocal(PASS(&B, NULL), GrB_FP64, 5, 5, ptr, NULL, NULL, 6, 0, 0, GrB_CSR_FORMAT),
          GrB_NULL_POINTER, "argument A");
  assert_on_all(!B && n[0] == 6);
  OK(GrB_free(&A));
}

static void imports(void **state) {
  const GrB_Index ptr[] = {0, 1, 2}, col[] = {0, 1};
  const int32_t ptr32[] = {0, 1, 2}, col32[] = {0, 1};
  const double x[] = {1, 2};
  GrB_Matrix A = NULL;
#define IMPORT(A, d, nrows, format) GrB_Matrix_import_FP64(A, d, nrows, 2, ptr, col, x, 3, 2, 2, format)
  REFUSED(IMPORT(PASS(&A, NULL), GrB_FP64, 2, GrB_CSR_FORMAT), GrB_NULL_POINTER, "argument A");
  REFUSED(IMPORT(&A, PASS(GrB_FP64, NULL), 2, GrB_CSR_FORMAT), GrB_NULL_POINTER, "argument d");
  REFUSED(IMPORT(&A, PASS(GrB_FP64, GrB_INT8), 2, GrB_CSR_FORMAT), GrB_DOMAIN_MISMATCH, "argument d is");
  REFUSED(IMPORT(&A, GrB_FP64, PASS(2, 1), GrB_CSR_FORMAT), GrB_INVALID_VALUE, different);
  REFUSED(IMPORT(&A, GrB_FP64, 2, PASS(GrB_CSR_FORMAT, GrB_CSC_FORMAT)), GrB_INVALID_VALUE, different);
#define IMPORT32(type, ptr_type, format) \
  Grid_Matrix_import32(&A, type, 2, 2, ptr32, ptr_type, col32, GrB_INT32, x, 3, 2, 2, format)
  REFUSED(IMPORT32(PASS(GrB_FP64, NULL), GrB_INT32, GrB_CSR_FORMAT), GrB_NULL_POINTER, "argument type");
  REFUSED(IMPORT32(GrB_FP64, PASS(GrB_INT32, GrB_FP32), GrB_CSR_FORMAT), GrB_DOMAIN_MISMATCH, "indptr_type");
  REFUSED(IMPORT32(GrB_FP64, GrB_INT32, PASS(GrB_CSR_FORMAT, GrB_COO_FORMAT)), GrB_INVALID_VALUE, "COO");
  REFUSED(IMPORT32(PASS(GrB_FP64, GrB_UINT64), GrB_INT32, GrB_CSR_FORMAT), GrB_INVALID_VALUE, different);
  assert_on_all(!A);
}

/* A vector or matrix with all entries has a view. */
static void views(void **state) {
  GrB_Matrix A = make_matrix(5);
  GrB_Vector v = NULL;
  Grid_View view = {0};
  OK(GrB_Vector_new(&v, GrB_FP64, 5));
  OK(GrB_Vector_assign_FP64(v, NULL, NULL, 1, GrB_ALL, 5, NULL));
  OK(GrB_Vector_setElement_FP64(v, 2, 4));
  REFUSED(Grid_Vector_view(&view, PASS(v, NULL)), GrB_NULL_POINTER, "argument v");
  REFUSED(Grid_Vector_view(PASS(&view, NULL), v), GrB_NULL_POINTER, "argument view");
  REFUSED(Grid_Vector_device_view(&view, PASS(v, NULL)), GrB_NULL_POINTER, "argument v");
  REFUSED(Grid_Matrix_view(&view, PASS(A, NULL)), GrB_NULL_POINTER, "argument A");
  REFUSED(Grid_Matrix_view(PASS(&view, NULL), A), GrB_NULL_POINTER, "argument view");
  REFUSED(Grid_Matrix_device_view(&view, PASS(A, NULL)), GrB_NULL_POINTER, "argument A");
  assert_on_all(!view.values && !view.indptr);
  const char *text = NULL;
  OK(GrB_error(&text, A)); /* the error is the object's, too, where that was passed */
  assert_on_all(is_odd() || strstr(text, "argument A"));
  OK(GrB_free(&A)), OK(GrB_free(&v));
}

static void writing(void **state) {
  char path[600], other[600];
  Grid_Edges e = {.nrows = PASS(4, 5), .ncols = 4, .pattern = true};
  snprintf(path, sizeof path, "%s", path_of("x.mtx"));
  snprintf(other, sizeof other, "%s", path_of("a_longer_name.mtx"));
  REFUSED(Grid_write(&e, path, NULL), GrB_INVALID_VALUE, different);
  e.nrows = 4;
  REFUSED(Grid_write(PASS(&e, NULL), path, NULL), GrB_NULL_POINTER, "argument e");
  REFUSED(Grid_write(&e, PASS(path, NULL), NULL), GrB_NULL_POINTER, "argument path");
  REFUSED(Grid_write(&e, PASS(path, other), NULL), GrB_INVALID_VALUE, different);
  REFUSED(Grid_write(&e, path, PASS("edges", NULL)), GrB_INVALID_VALUE, different);
  REFUSED(Grid_write(&e, path, PASS(NULL, "tape")), GrB_INVALID_VALUE, "no format 'tape'");
  GrB_Matrix A = make_matrix(4);
  REFUSED(Grid_Matrix_write(A, NULL, PASS(path, NULL), NULL), GrB_NULL_POINTER, "argument path");
  REFUSED(Grid_Matrix_write(PASS(A, NULL), NULL, path, NULL), GrB_NULL_POINTER, "argument A");
  assert_on_all(access(path, F_OK) != 0 && access(other, F_OK) != 0);
  OK(GrB_free(&A));
}

static void reading(void **state) {
  static const char lines[] = "1 2\n2 3\n";
  char path[600], other[600];
  Grid_Edges e;
  GrB_Matrix A = NULL;
  GrB_Vector ids = NULL;
  uint64_t at = 9;
  snprintf(path, sizeof path, "%s", write_file("e.txt", lines, sizeof lines - 1, false));
  snprintf(other, sizeof other, "%s", write_file("e.graph", lines, sizeof lines - 1, false));
  REFUSED(Grid_read(&e, PASS(path, NULL)), GrB_NULL_POINTER, "argument path");
  REFUSED(Grid_read(&e, PASS(path, other)), GrB_INVALID_VALUE, different); /* .graph: METIS */
  REFUSED(Grid_read_as(&e, path, PASS("edges", "metis")), GrB_INVALID_VALUE, different);
  REFUSED(Grid_Matrix_read(&A, NULL, PASS(path, NULL), NULL), GrB_NULL_POINTER, "argument path");
  REFUSED(Grid_Matrix_read(&A, PASS(NULL, &ids), path, NULL), GrB_INVALID_VALUE, different);
  const Grid_Read_Options o = {.undirected = PASS(true, false)};
  REFUSED(Grid_Matrix_read(&A, NULL, path, &o), GrB_INVALID_VALUE, different);
  const Grid_Read_Options joined = {.dup = PASS(GrB_PLUS_FP64, GrB_MIN_FP64)};
  REFUSED(Grid_Matrix_read(&A, NULL, path, &joined), GrB_INVALID_VALUE, different);
  assert_on_all(!A && !ids);
  OK(Grid_read(&e, path));
  REFUSED(Grid_Edges_find(PASS(&at, NULL), &e, 2), GrB_NULL_POINTER, "argument index");
  REFUSED(Grid_Edges_find(&at, &e, PASS(2, 3)), GrB_INVALID_VALUE, different);
  assert_on_all(at == 9);
  Grid_Edges_free(&e);
  REFUSED(Grid_rmat(PASS(&e, NULL), 4, 4, 1), GrB_NULL_POINTER, "argument e");
}

static void page_files(void **state) {
  char path[600];
  Grid_Pages_Builder b = NULL;
  Grid_Pages_Info p;
  GrB_Matrix A = NULL;
  snprintf(path, sizeof path, "%s", path_of("x.pages"));
  REFUSED(Grid_Pages_begin(&b, PASS(path, NULL), 4, 4, false, 0), GrB_NULL_POINTER, "argument path");
  REFUSED(Grid_Pages_begin(&b, path, 4, PASS(4, 5), false, 0), GrB_INVALID_VALUE, different);
  REFUSED(Grid_Pages_begin(&b, path, 4, 4, false, PASS(0, 1 << 30)), GrB_INVALID_VALUE, "Grid_Pages_begin");
  OK(Grid_Pages_begin(&b, path, 4, 4, false, 0));
  OK(Grid_Pages_end(&b, GrB_SUCCESS, NULL));
  REFUSED(Grid_pages_info(PASS(&p, NULL), path), GrB_NULL_POINTER, "argument p");
  REFUSED(Grid_Matrix_open(&A, PASS(path, NULL)), GrB_NULL_POINTER, "argument path");
  assert_on_all(!A);
  REFUSED(Grid_Pages_convert(PASS(path, NULL), path, NULL, false, 0, NULL, NULL), GrB_NULL_POINTER, "path");
  REFUSED(Grid_Pages_convert(path, path, NULL, PASS(true, false), 0, NULL, NULL), GrB_INVALID_VALUE,
          different);
}

static void checkpoints(void **state) {
  uint64_t number = 1, step = 9;
  const Grid_Checkpoint_Item item = {.name = "number", .bytes = &number, .size = sizeof number};
  REFUSED(Grid_checkpoint(PASS(dir, NULL), 1, &item, 1), GrB_NULL_POINTER, "argument folder");
  REFUSED(Grid_checkpoint(dir, PASS(1, 2), &item, 1), GrB_INVALID_VALUE, different);
  REFUSED(Grid_restore(dir, PASS(&step, NULL), &item, 1), GrB_NULL_POINTER, "argument step");
  REFUSED(Grid_restore(dir, &step, &item, PASS(1, 0)), GrB_INVALID_VALUE, different);
  assert_on_all(step == 9);
}

/* Exit status 77: on one process there is nothing to compare. */
static int start_several(void **state) {
  if (start(state) != 0) return -1;
  if (Grid_size() > 1) return 0;
  stop(state);
  exit(77);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(serialization), cmocka_unit_test(gxb_serialization),
                                     cmocka_unit_test(exports),       cmocka_unit_test(imports),
                                     cmocka_unit_test(views),         cmocka_unit_test(writing),
                                     cmocka_unit_test(reading),       cmocka_unit_test(page_files),
                                     cmocka_unit_test(checkpoints)};
  return cmocka_run_group_tests(tests, start_several, stop);
}
