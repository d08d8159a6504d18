/* GxB_print and GxB_fprint, and the names of types: what is printed of every kind of object, the same on
 * every process. Runs on any number of processes. */
#include <GraphBLAS.h> /* included alone: it must be self-contained */

#include "tests/unit.h"
#include "gridblas.h"
#include "tests/grid_shapes.h"
#include "tests/assert_all.h"

#define OK(call) assert_int_equal(call, GrB_SUCCESS)

/* The printed object is `want`, on every process. */
#define PRINTS(object, level, want)                                                      \
  do {                                                                                   \
    char *text_ = NULL;                                                                  \
    size_t size_ = 0;                                                                    \
    FILE *f_ = open_memstream(&text_, &size_);                                           \
    assert_non_null(f_);                                                                 \
    OK(GxB_fprint(object, level, f_));                                                   \
    fclose(f_);                                                                          \
    if (strcmp(text_, want) != 0) print_message("printed:\n%swanted:\n%s", text_, want); \
    assert_on_all(strcmp(text_, want) == 0);                                             \
    free(text_);                                                                         \
  } while (0)

static void test_algebra(void **state) {
  GrB_Descriptor d;
  GrB_Type t;
  GrB_Scalar s;
  PRINTS(GrB_FP64, GxB_SHORT, "GrB_FP64: \"GrB_FP64\", type FP64, 8 bytes\n");
  PRINTS(GrB_ABS_INT8, GxB_SHORT,
         "GrB_ABS_INT8: \"GrB_ABS_INT8\", unary operator GrB_ABS_INT8(INT8) -> INT8\n");
  PRINTS(GrB_EQ_FP32, GxB_SHORT,
         "GrB_EQ_FP32: \"GrB_EQ_FP32\", binary operator GrB_EQ_FP32(FP32, FP32) -> BOOL\n");
  PRINTS(GrB_TRIL, GxB_SHORT,
         "GrB_TRIL: \"GrB_TRIL\", index-unary operator GrB_TRIL(any, i, j, INT64) -> BOOL\n");
  PRINTS(GrB_TIMES_MONOID_UINT8, GxB_SHORT,
         "GrB_TIMES_MONOID_UINT8: \"GrB_TIMES_MONOID_UINT8\", monoid GrB_TIMES_UINT8 of UINT8, identity 1\n");
  PRINTS(GrB_LOR_LAND_SEMIRING_BOOL, GxB_SHORT,
         "GrB_LOR_LAND_SEMIRING_BOOL: \"GrB_LOR_LAND_SEMIRING_BOOL\", semiring, adds by GrB_LOR_MONOID_BOOL "
         "GrB_LOR of BOOL, identity false, multiplies by GrB_LAND\n");
  PRINTS(
      GrB_DESC_RSCT0, GxB_SUMMARY,
      "GrB_DESC_RSCT0: \"GrB_DESC_RSCT0\", descriptor: replace structural mask complemented mask first input "
      "transposed\n");
  OK(GrB_Descriptor_new(&d));
  PRINTS(d, GxB_COMPLETE, "d: descriptor: all defaults\n");
  PRINTS(d, GxB_SILENT, "");
  OK(GrB_Type_new(&t, 3));
  OK(GrB_Scalar_new(&s, t));
  PRINTS(s, GxB_SHORT, "s: scalar of user-defined type of 3 bytes, empty\n");
  OK(GrB_Scalar_setElement(s, (void *)"abc"));
  PRINTS(s, GxB_SHORT, "s: scalar of user-defined type of 3 bytes, 0x616263\n");
  OK(GrB_free(&s));
  OK(GrB_free(&t));
  OK(GrB_free(&d));
}

/* One process prints entries, the others nothing. */
static void test_levels(void **state) {
  GrB_Matrix A;
  GrB_Vector v;
  OK(GrB_Matrix_new(&A, GrB_FP64, 300, 200));
  OK(GrB_Matrix_setElement(A, 7, 299, 199));
  OK(GrB_Vector_new(&v, GrB_INT8, 300));
  OK(GrB_Vector_setElement(v, 3, 299));
  const bool last = Grid_rank() == Grid_size() - 1;
  const GxB_Print_Level level = last ? GxB_COMPLETE : GxB_SILENT;
  PRINTS(A, level, last ? "A: 300 x 200 matrix of FP64, 1 entries\n  (299, 199)  7\n" : "");
  PRINTS(v, level, last ? "v: vector of size 300 of INT8, 1 entries\n  (299)  3\n" : "");
  PRINTS(v, last ? GxB_SHORT : GxB_SUMMARY,
         last ? "v: vector of size 300 of INT8, 1 entries\n  (299)  3\n"
              : "v: vector of size 300 of INT8, 1 entries\n");
  OK(GrB_free(&A));
  OK(GrB_free(&v));
}

static void test_collections(void **state) {
  GrB_Matrix A;
  GrB_Vector v;
  OK(GrB_Matrix_new(&A, GrB_FP64, 300, 200));
  PRINTS(A, GxB_SHORT, "A: 300 x 200 matrix of FP64, 0 entries\n");
  OK(GrB_Matrix_setElement(A, 1 / 3.0, 299, 0));
  OK(GrB_Matrix_setElement(A, 7, 3, 199));
  OK(GrB_Matrix_setElement(A, -0.5, 3, 4));
  OK(GrB_set(A, "mine", GrB_NAME));
  PRINTS(A, GxB_SUMMARY, "A: \"mine\", 300 x 200 matrix of FP64, 3 entries\n");
  PRINTS(A, GxB_SHORT,
         "A: \"mine\", 300 x 200 matrix of FP64, 3 entries\n  (3, 4)  -0.5\n  (3, 199)  7\n  (299, 0)  "
         "0.333333\n");
  PRINTS(A, GxB_COMPLETE_VERBOSE,
         "A: \"mine\", 300 x 200 matrix of FP64, 3 entries\n  (3, 4)  -0.5\n  (3, 199)  7\n  (299, 0)  "
         "0.333333333333333\n");
  OK(GrB_Vector_new(&v, GrB_INT16, 500));
  for (int i = 0; i < 32; i++) OK(GrB_Vector_setElement(v, -i, (GrB_Index)(15 * i)));
  char want[2000] = "v: vector of size 500 of INT16, 32 entries\n";
  for (int i = 0; i < 30; i++) snprintf(want + strlen(want), 60, "  (%d)  %d\n", 15 * i, -i);
  char all[2100];
  snprintf(all, sizeof all, "%s  (450)  -30\n  (465)  -31\n", want);
  strcat(want, "  and 2 more\n");
  PRINTS(v, GxB_SHORT, want);
  PRINTS(v, GxB_COMPLETE, all);
  OK(GrB_free(&v));
  OK(GrB_Vector_new(&v, GrB_UINT64, (GrB_Index)1 << 60));
  OK(GrB_Vector_setElement(v, UINT64_MAX, GrB_INDEX_MAX));
  PRINTS(v, GxB_SHORT,
         "v: vector of size 1152921504606846976 of UINT64, 1 entries\n  (1152921504606846975)  "
         "18446744073709551615\n");
  OK(GrB_free(&v));
  OK(GrB_free(&A));
}

static void test_errors(void **state) {
  GrB_Vector v;
  FILE *full = fopen("/dev/full", "w");
  assert_int_equal(GxB_print((GrB_Matrix)NULL, GxB_SHORT), GrB_NULL_POINTER);
  assert_int_equal(GxB_print((GrB_Type)NULL, GxB_SILENT), GrB_NULL_POINTER);
  OK(GrB_Vector_new(&v, GrB_BOOL, 10));
  if (full) assert_int_equal(GxB_fprint(v, GxB_SHORT, full), GrB_INVALID_VALUE);
  if (full) fclose(full);
  PRINTS(v, -3, "");
  PRINTS(v, 1000, "v: vector of size 10 of BOOL, 0 entries\n");
  OK(GrB_free(&v));
}

static void test_type_names(void **state) {
  char name[GxB_MAX_NAME_LEN];
  GrB_Matrix A;
  GrB_Vector v;
  GrB_Scalar s;
  GrB_Type t, is;
#define NAMES(T, C)                      \
  OK(GrB_Matrix_new(&A, GrB_##T, 2, 2)); \
  OK(GxB_Matrix_type_name(name, A));     \
  assert_string_equal(name, #C);         \
  OK(GxB_Matrix_type(&is, A));           \
  assert_ptr_equal(is, GrB_##T);         \
  OK(GrB_free(&A));
  GRID_TYPES(NAMES)
#undef NAMES
  OK(Grid_Type_new(&t, 16, "complex", NULL));
  OK(GrB_Vector_new(&v, t, 5));
  OK(GxB_Vector_type_name(name, v));
  assert_string_equal(name, "complex");
  OK(GxB_Vector_type(&is, v));
  assert_ptr_equal(is, t);
  OK(GrB_free(&v));
  OK(GrB_free(&t));
  OK(GrB_Type_new(&t, 16));
  OK(GrB_Scalar_new(&s, t));
  OK(GxB_Scalar_type_name(name, s));
  assert_string_equal(name, "");
  OK(GrB_set(t, "wide", GrB_NAME));
  OK(GxB_Scalar_type_name(name, s));
  assert_string_equal(name, "wide");
  OK(GxB_Scalar_type(&is, s));
  assert_ptr_equal(is, t);
  assert_int_equal(GxB_Scalar_type_name(NULL, s), GrB_NULL_POINTER);
  assert_int_equal(GxB_Scalar_type(NULL, s), GrB_NULL_POINTER);
  OK(GrB_free(&s));
  OK(GrB_free(&t));
}

/* What GraphBLAS.h alone includes, as existing code expects. */
static void test_headers(void **state) {
  char text[64];
  errno = 0;
  snprintf(text, sizeof text, "%" PRIu64 " %d", (uint64_t)GrB_INDEX_MAX, errno);
  assert_string_equal(text, "1152921504606846975 0");
  assert_true(time(NULL) > 0 && clock() != (clock_t)-1 && isfinite(fabs(-1.0)) && INT_MAX > 0 &&
              strlen(text) > 0);
  assert_true(GRB_VERSION == 2 && GRB_SUBVERSION == 1 && sizeof(size_t) == 8 && abs(-3) == 3);
}

MAIN_ON_SHAPES(start_on_shape, stop_on_shape, cmocka_unit_test(test_algebra), cmocka_unit_test(test_levels),
               cmocka_unit_test(test_collections), cmocka_unit_test(test_errors),
               cmocka_unit_test(test_type_names), cmocka_unit_test(test_headers))
