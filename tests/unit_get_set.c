/* GrB_get and GrB_set: every field of every kind of object in every form, against a table of its own; enum
 * values of the specification; names. Runs on any number of processes. */
#include <stdio.h>
#include <string.h>

#include "tests/unit.h"
#include "gridblas.h"
#include "semiring/support/mem.h"
#include "tests/assert_all.h"

#define OK(call) assert_int_equal(call, GrB_SUCCESS)

/* ---- the specification's values (tables of chapter 3) -------------------------------------------------- */

static void test_enums(void **state) {
  const struct {
    int is, want;
  } value[] = {{GrB_NONBLOCKING, 0},
               {GrB_BLOCKING, 1},
               {GrB_COMPLETE, 0},
               {GrB_MATERIALIZE, 1},
               {GrB_OUTP, 0},
               {GrB_MASK, 1},
               {GrB_INP0, 2},
               {GrB_INP1, 3},
               {GrB_DEFAULT, 0},
               {GrB_REPLACE, 1},
               {GrB_COMP, 2},
               {GrB_TRAN, 3},
               {GrB_STRUCTURE, 4},
               {GrB_COMP_STRUCTURE, 6},
               {GrB_CSR_FORMAT, 0},
               {GrB_CSC_FORMAT, 1},
               {GrB_COO_FORMAT, 2},
               {GrB_ROWMAJOR, 0},
               {GrB_COLMAJOR, 1},
               {GrB_BOTH, 2},
               {GrB_UNKNOWN, 3},
               {GrB_OUTP_FIELD, 0},
               {GrB_MASK_FIELD, 1},
               {GrB_INP0_FIELD, 2},
               {GrB_INP1_FIELD, 3},
               {GrB_NAME, 10},
               {GrB_LIBRARY_VER_MAJOR, 11},
               {GrB_LIBRARY_VER_MINOR, 12},
               {GrB_LIBRARY_VER_PATCH, 13},
               {GrB_API_VER_MAJOR, 14},
               {GrB_API_VER_MINOR, 15},
               {GrB_API_VER_PATCH, 16},
               {GrB_BLOCKING_MODE, 17},
               {GrB_STORAGE_ORIENTATION_HINT, 100},
               {GrB_EL_TYPE_CODE, 102},
               {GrB_INP0_TYPE_CODE, 103},
               {GrB_INP1_TYPE_CODE, 104},
               {GrB_OUTP_TYPE_CODE, 105},
               {GrB_EL_TYPE_STRING, 106},
               {GrB_INP0_TYPE_STRING, 107},
               {GrB_INP1_TYPE_STRING, 108},
               {GrB_OUTP_TYPE_STRING, 109},
               {GrB_SIZE, 110},
               {GrB_UDT_CODE, 0},
               {GrB_BOOL_CODE, 1},
               {GrB_INT8_CODE, 2},
               {GrB_UINT8_CODE, 3},
               {GrB_INT16_CODE, 4},
               {GrB_UINT16_CODE, 5},
               {GrB_INT32_CODE, 6},
               {GrB_UINT32_CODE, 7},
               {GrB_INT64_CODE, 8},
               {GrB_UINT64_CODE, 9},
               {GrB_FP32_CODE, 10},
               {GrB_FP64_CODE, 11},
               {GrB_SUCCESS, 0},
               {GrB_NO_VALUE, 1},
               {GrB_UNINITIALIZED_OBJECT, -1},
               {GrB_NULL_POINTER, -2},
               {GrB_INVALID_VALUE, -3},
               {GrB_INVALID_INDEX, -4},
               {GrB_DOMAIN_MISMATCH, -5},
               {GrB_DIMENSION_MISMATCH, -6},
               {GrB_OUTPUT_NOT_EMPTY, -7},
               {GrB_NOT_IMPLEMENTED, -8},
               {GrB_ALREADY_SET, -9},
               {GrB_PANIC, -101},
               {GrB_OUT_OF_MEMORY, -102},
               {GrB_INSUFFICIENT_SPACE, -103},
               {GrB_INVALID_OBJECT, -104},
               {GrB_INDEX_OUT_OF_BOUNDS, -105},
               {GrB_EMPTY_OBJECT, -106}};
  for (size_t k = 0; k < sizeof value / sizeof *value; k++) assert_int_equal(value[k].is, value[k].want);
  assert_int_equal(GrB_INDEX_MAX, 0x0fffffffffffffffull);
}

/* ---- one object of each kind --------------------------------------------------------------------------- */

static void double_value(void *z, const void *x) {
  memcpy(z, x, 12);
}
static void add_values(void *z, const void *x, const void *y) {
  memcpy(z, x, 12), (void)y;
}
static void add_indices(void *z, const void *x, GrB_Index i, GrB_Index j, const void *y) {
  memcpy(z, x, 12), (void)i, (void)j, (void)y;
}

static struct {
  GrB_Type type;
  GrB_UnaryOp unary;
  GrB_BinaryOp binary;
  GrB_IndexUnaryOp index;
  GrB_Monoid monoid;
  GrB_Semiring semiring;
  GrB_Descriptor descriptor;
  GrB_Scalar scalar, number, empty, foreign;
  GrB_Vector vector;
  GrB_Matrix matrix;
} user_objects;

static int make(void **state) {
  const char zero[12] = {0};
  OK(GrB_Type_new(&user_objects.type, 12));
  OK(GrB_UnaryOp_new(&user_objects.unary, double_value, user_objects.type, user_objects.type));
  OK(GrB_BinaryOp_new(&user_objects.binary, add_values, user_objects.type, user_objects.type,
                      user_objects.type));
  OK(GrB_IndexUnaryOp_new(&user_objects.index, add_indices, user_objects.type, user_objects.type, GrB_INT8));
  OK(GrB_Monoid_new_UDT(&user_objects.monoid, user_objects.binary, zero));
  OK(GrB_Semiring_new(&user_objects.semiring, user_objects.monoid, user_objects.binary));
  OK(GrB_Descriptor_new(&user_objects.descriptor));
  OK(GrB_Scalar_new(&user_objects.scalar, GrB_FP32));
  OK(GrB_Scalar_new(&user_objects.number, GrB_UINT8));
  OK(GrB_Scalar_new(&user_objects.empty, GrB_INT32));
  OK(GrB_Scalar_new(&user_objects.foreign, user_objects.type));
  OK(GrB_Vector_new(&user_objects.vector, user_objects.type, 5));
  OK(GrB_Matrix_new(&user_objects.matrix, GrB_UINT16, 4, 6));
  return 0;
}

static int drop(void **state) {
  OK(GrB_free(&user_objects.unary)), OK(GrB_free(&user_objects.semiring)), OK(GrB_free(&user_objects.monoid)),
      OK(GrB_free(&user_objects.binary));
  OK(GrB_free(&user_objects.index)), OK(GrB_free(&user_objects.descriptor)),
      OK(GrB_free(&user_objects.scalar)), OK(GrB_free(&user_objects.number));
  OK(GrB_free(&user_objects.empty)), OK(GrB_free(&user_objects.foreign)), OK(GrB_free(&user_objects.vector)),
      OK(GrB_free(&user_objects.matrix));
  OK(GrB_free(&user_objects.type));
  return 0;
}

/* ---- which object has which field ---------------------------------------------------------------------- */

static const int all_fields[] = {GrB_OUTP_FIELD,
                                 GrB_MASK_FIELD,
                                 GrB_INP0_FIELD,
                                 GrB_INP1_FIELD,
                                 GrB_NAME,
                                 GrB_LIBRARY_VER_MAJOR,
                                 GrB_LIBRARY_VER_MINOR,
                                 GrB_LIBRARY_VER_PATCH,
                                 GrB_API_VER_MAJOR,
                                 GrB_API_VER_MINOR,
                                 GrB_API_VER_PATCH,
                                 GrB_BLOCKING_MODE,
                                 GrB_STORAGE_ORIENTATION_HINT,
                                 GrB_EL_TYPE_CODE,
                                 GrB_INP0_TYPE_CODE,
                                 GrB_INP1_TYPE_CODE,
                                 GrB_OUTP_TYPE_CODE,
                                 GrB_EL_TYPE_STRING,
                                 GrB_INP0_TYPE_STRING,
                                 GrB_INP1_TYPE_STRING,
                                 GrB_OUTP_TYPE_STRING,
                                 GrB_SIZE,
                                 Grid_DELEGATES,
                                 Grid_DIRECTION,
                                 Grid_MEMORY,
                                 Grid_DEVICE_MEMORY,
                                 -1,
                                 101,
                                 4711};
enum { FIELDS = sizeof all_fields / sizeof *all_fields };

static bool listed(const int *list, int field) {
  for (; *list != -2; list++)
    if (*list == field) return true;
  return false;
}
static const int strings[] = {GrB_NAME,
                              GrB_EL_TYPE_STRING,
                              GrB_INP0_TYPE_STRING,
                              GrB_INP1_TYPE_STRING,
                              GrB_OUTP_TYPE_STRING,
                              Grid_MEMORY,
                              Grid_DEVICE_MEMORY,
                              -2};

/* has: the object's fields; none: those of them without a value; writable: those that set takes 1 for. */
#define CHECK_FORMS(K, object, has, none, writable)                                                     \
  for (int k = 0; k < FIELDS; k++) {                                                                    \
    const int f = all_fields[k];                                                                        \
    const bool is = listed(has, f), text = is && listed(strings, f), size = is && f == GrB_SIZE;        \
    const GrB_Info wanted = listed(none, f) ? GrB_NO_VALUE : GrB_SUCCESS;                               \
    char buffer[200] = "?";                                                                             \
    int32_t number = 99;                                                                                \
    size_t bytes = 99;                                                                                  \
    assert_int_equal(GrB_##K##_get_INT32(object, &number, f),                                           \
                     is && !text && !size ? wanted : GrB_INVALID_VALUE);                                \
    if (!is || text || size || wanted != GrB_SUCCESS) assert_int_equal(number, 99);                     \
    assert_int_equal(GrB_##K##_get_String(object, buffer, f), text ? wanted : GrB_INVALID_VALUE);       \
    if (!text) assert_string_equal(buffer, "?");                                                        \
    assert_int_equal(GrB_##K##_get_SIZE(object, &bytes, f), text || size ? wanted : GrB_INVALID_VALUE); \
    if (text) assert_int_equal(bytes, strlen(buffer) + 1);                                              \
    assert_int_equal(GrB_##K##_get_VOID(object, buffer, f), GrB_INVALID_VALUE);                         \
    assert_int_equal(GrB_##K##_get_Scalar(object, user_objects.scalar, f),                              \
                     is && !text ? wanted : GrB_INVALID_VALUE);                                         \
    if (is && !text && wanted == GrB_SUCCESS) {                                                         \
      double x;                                                                                         \
      OK(GrB_Scalar_extractElement_FP64(&x, user_objects.scalar));                                      \
      assert_true(x == (size ? (double)bytes : (double)number));                                        \
      assert_int_equal(GrB_##K##_get_Scalar(object, user_objects.foreign, f), GrB_DOMAIN_MISMATCH);     \
    }                                                                                                   \
    assert_int_equal(GrB_##K##_set_INT32(object, 1, f),                                                 \
                     listed(writable, f) ? GrB_SUCCESS : GrB_INVALID_VALUE);                            \
    OK(GrB_Scalar_setElement_INT32(user_objects.number, 1));                                            \
    assert_int_equal(GrB_##K##_set_Scalar(object, user_objects.number, f),                              \
                     listed(writable, f) ? GrB_SUCCESS : GrB_INVALID_VALUE);                            \
    if (is && !text) {                                                                                  \
      assert_int_equal(GrB_##K##_set_Scalar(object, user_objects.empty, f), GrB_EMPTY_OBJECT);          \
      assert_int_equal(GrB_##K##_get_INT32(object, NULL, f), GrB_NULL_POINTER);                         \
    }                                                                                                   \
    if (f != GrB_NAME) assert_int_equal(GrB_##K##_set_String(object, "x", f), GrB_INVALID_VALUE);       \
    assert_int_equal(GrB_##K##_set_VOID(object, buffer, f, 4), GrB_INVALID_VALUE);                      \
    assert_int_equal(GrB_##K##_set_String(object, NULL, f), GrB_NULL_POINTER);                          \
  }                                                                                                     \
  assert_int_equal(GrB_##K##_get_INT32(NULL, &(int32_t){0}, GrB_NAME), GrB_NULL_POINTER);               \
  assert_int_equal(GrB_##K##_set_INT32(NULL, 0, GrB_NAME), GrB_NULL_POINTER);

static void test_forms(void **state) {
  static const int nothing[] = {-2}, algebra[] = {GrB_NAME,
                                                  GrB_INP0_TYPE_CODE,
                                                  GrB_INP1_TYPE_CODE,
                                                  GrB_OUTP_TYPE_CODE,
                                                  GrB_INP0_TYPE_STRING,
                                                  GrB_INP1_TYPE_STRING,
                                                  GrB_OUTP_TYPE_STRING,
                                                  -2};
  static const int type[] = {GrB_NAME, GrB_EL_TYPE_CODE, GrB_EL_TYPE_STRING, GrB_SIZE, -2};
  static const int second[] = {GrB_INP1_TYPE_CODE, GrB_INP1_TYPE_STRING, -2};
  static const int first[] = {GrB_INP0_TYPE_CODE, GrB_INP0_TYPE_STRING, -2};
  static const int collection[] = {GrB_NAME, GrB_STORAGE_ORIENTATION_HINT, GrB_EL_TYPE_CODE,
                                   GrB_EL_TYPE_STRING, -2};
  static const int matrix[] = {GrB_NAME,
                               GrB_STORAGE_ORIENTATION_HINT,
                               GrB_EL_TYPE_CODE,
                               GrB_EL_TYPE_STRING,
                               Grid_DELEGATES,
                               Grid_DIRECTION,
                               -2};
  static const int hints[] = {GrB_STORAGE_ORIENTATION_HINT, -2};
  static const int tuned[] = {GrB_STORAGE_ORIENTATION_HINT, Grid_DIRECTION, -2};
  static const int descriptor[] = {GrB_OUTP_FIELD, GrB_MASK_FIELD, GrB_INP0_FIELD,
                                   GrB_INP1_FIELD, GrB_NAME,       -2};
  static const int replace[] = {GrB_OUTP_FIELD, -2};
  static const int global[] = {GrB_NAME,
                               GrB_LIBRARY_VER_MAJOR,
                               GrB_LIBRARY_VER_MINOR,
                               GrB_LIBRARY_VER_PATCH,
                               GrB_API_VER_MAJOR,
                               GrB_API_VER_MINOR,
                               GrB_API_VER_PATCH,
                               GrB_BLOCKING_MODE,
                               GrB_STORAGE_ORIENTATION_HINT,
                               Grid_MEMORY,
                               Grid_DEVICE_MEMORY,
                               -2};
  CHECK_FORMS(Type, user_objects.type, type, nothing, nothing)
  CHECK_FORMS(Type, GrB_FP64, type, nothing, nothing)
  CHECK_FORMS(UnaryOp, user_objects.unary, algebra, second, nothing)
  CHECK_FORMS(UnaryOp, GrB_LNOT, algebra, second, nothing)
  CHECK_FORMS(BinaryOp, user_objects.binary, algebra, nothing, nothing)
  CHECK_FORMS(BinaryOp, GrB_FIRST_INT8, algebra, nothing, nothing)
  CHECK_FORMS(IndexUnaryOp, user_objects.index, algebra, nothing, nothing)
  CHECK_FORMS(IndexUnaryOp, GrB_TRIL, algebra, first, nothing)
  CHECK_FORMS(Monoid, user_objects.monoid, algebra, nothing, nothing)
  CHECK_FORMS(Semiring, user_objects.semiring, algebra, nothing, nothing)
  CHECK_FORMS(Semiring, Grid_ANY_SECONDI_SEMIRING_INT64, algebra, nothing, nothing)
  CHECK_FORMS(Descriptor, user_objects.descriptor, descriptor, nothing, replace)
  CHECK_FORMS(Descriptor, GrB_DESC_RSC, descriptor, nothing, nothing)
  CHECK_FORMS(Scalar, user_objects.foreign, collection, nothing, hints)
  CHECK_FORMS(Vector, user_objects.vector, collection, nothing, hints)
  CHECK_FORMS(Matrix, user_objects.matrix, matrix, nothing, tuned)
  CHECK_FORMS(Global, GrB_GLOBAL, global, nothing, hints)
  OK(GrB_Global_set_INT32(GrB_GLOBAL, GrB_ROWMAJOR, GrB_STORAGE_ORIENTATION_HINT));
}

/* ---- values, by the polymorphic names ------------------------------------------------------------------ */

#define IS_NUMBER(object, field, want) \
  do {                                 \
    int32_t is_ = 77;                  \
    OK(GrB_get(object, &is_, field));  \
    assert_int_equal(is_, want);       \
  } while (0)
#define IS_STRING(object, field, want) \
  do {                                 \
    char is_[200] = "?";               \
    OK(GrB_get(object, is_, field));   \
    assert_string_equal(is_, want);    \
  } while (0)

static void test_values(void **state) {
  size_t size;
  IS_STRING(GrB_BOOL, GrB_NAME, "GrB_BOOL");
  IS_STRING(GrB_MIN_FP64, GrB_NAME, "GrB_MIN_FP64");
  IS_STRING(GrB_LNOT, GrB_NAME, "GrB_LNOT");
  IS_STRING(GrB_VALUEGT_FP32, GrB_NAME, "GrB_VALUEGT_FP32");
  IS_STRING(GrB_PLUS_MONOID_INT8, GrB_NAME, "GrB_PLUS_MONOID_INT8");
  IS_STRING(GrB_MIN_PLUS_SEMIRING_UINT16, GrB_NAME, "GrB_MIN_PLUS_SEMIRING_UINT16");
  IS_STRING(GrB_DESC_RSCT0T1, GrB_NAME, "GrB_DESC_RSCT0T1");
  IS_STRING(GrB_GLOBAL, GrB_NAME, "gridblas");
  IS_STRING(GrB_GLOBAL, Grid_MEMORY, "");
  OK(GrB_set(GrB_GLOBAL, "3M", Grid_MEMORY));
  IS_STRING(GrB_GLOBAL, Grid_MEMORY, "3145728");
  assert_true(Grid_memory_budget() == 3145728);
  assert_int_equal(GrB_set(GrB_GLOBAL, "3 apples", Grid_MEMORY), GrB_INVALID_VALUE);
  IS_STRING(GrB_GLOBAL, Grid_MEMORY, "3145728");
  OK(GrB_set(GrB_GLOBAL, "", Grid_MEMORY));
  IS_STRING(GrB_GLOBAL, Grid_MEMORY, "");
  OK(GrB_set(GrB_GLOBAL, "1.5G", Grid_DEVICE_MEMORY));
  IS_STRING(GrB_GLOBAL, Grid_DEVICE_MEMORY, "1610612736");
  OK(GrB_set(GrB_GLOBAL, "", Grid_DEVICE_MEMORY));
  IS_STRING(GrB_GLOBAL, Grid_DEVICE_MEMORY, "");
#define TYPE(T, C)                                      \
  IS_STRING(GrB_##T, GrB_EL_TYPE_STRING, "GrB_" #T);    \
  IS_NUMBER(GrB_##T, GrB_EL_TYPE_CODE, GrB_##T##_CODE); \
  OK(GrB_get(GrB_##T, &size, GrB_SIZE));                \
  assert_int_equal(size, sizeof(C));
  GRID_TYPES(TYPE)
#undef TYPE
  OK(GrB_get(user_objects.type, &size, GrB_SIZE));
  assert_int_equal(size, 12);
  IS_NUMBER(user_objects.type, GrB_EL_TYPE_CODE, GrB_UDT_CODE);
  IS_NUMBER(user_objects.matrix, GrB_EL_TYPE_CODE, GrB_UINT16_CODE);
  IS_STRING(user_objects.matrix, GrB_EL_TYPE_STRING, "GrB_UINT16");
  IS_NUMBER(GrB_EQ_FP32, GrB_INP0_TYPE_CODE, GrB_FP32_CODE);
  IS_NUMBER(GrB_EQ_FP32, GrB_OUTP_TYPE_CODE, GrB_BOOL_CODE);
  IS_STRING(GrB_EQ_FP32, GrB_INP1_TYPE_STRING, "GrB_FP32");
  IS_NUMBER(user_objects.index, GrB_INP1_TYPE_CODE, GrB_INT8_CODE);
  IS_NUMBER(GrB_TRIL, GrB_INP1_TYPE_CODE, GrB_INT64_CODE);
  IS_NUMBER(GrB_PLUS_TIMES_SEMIRING_FP64, GrB_INP0_TYPE_CODE, GrB_FP64_CODE);
  IS_STRING(GrB_LAND_MONOID_BOOL, GrB_OUTP_TYPE_STRING, "GrB_BOOL");
  IS_NUMBER(GrB_GLOBAL, GrB_API_VER_MAJOR, 2);
  IS_NUMBER(GrB_GLOBAL, GrB_API_VER_MINOR, 1);
  IS_NUMBER(GrB_GLOBAL, GrB_BLOCKING_MODE, GrB_NONBLOCKING);
  IS_NUMBER(GrB_DESC_RSCT0, GrB_OUTP_FIELD, GrB_REPLACE);
  IS_NUMBER(GrB_DESC_RSCT0, GrB_MASK_FIELD, GrB_COMP_STRUCTURE);
  IS_NUMBER(GrB_DESC_RSCT0, GrB_INP0_FIELD, GrB_TRAN);
  IS_NUMBER(GrB_DESC_RSCT0, GrB_INP1_FIELD, GrB_DEFAULT);
}

static void test_descriptors(void **state) {
  GrB_Descriptor d;
  OK(GrB_Descriptor_new(&d));
  OK(GrB_set(d, GrB_COMP, GrB_MASK_FIELD));
  IS_NUMBER(d, GrB_MASK_FIELD, GrB_COMP);
  OK(GrB_set(d, GrB_STRUCTURE, GrB_MASK_FIELD));
  IS_NUMBER(d, GrB_MASK_FIELD, GrB_COMP_STRUCTURE);
  OK(GrB_set(d, GrB_DEFAULT, GrB_MASK_FIELD));
  OK(GrB_set(d, GrB_REPLACE, GrB_OUTP_FIELD));
  OK(GrB_set(d, GrB_TRAN, GrB_INP1_FIELD));
  IS_NUMBER(d, GrB_MASK_FIELD, GrB_DEFAULT);
  IS_NUMBER(d, GrB_INP1_FIELD, GrB_TRAN);
  assert_int_equal(GrB_set(d, GrB_TRAN, GrB_OUTP_FIELD), GrB_INVALID_VALUE);
  IS_NUMBER(d, GrB_OUTP_FIELD, GrB_REPLACE);
  OK(GrB_free(&d));
}

static void test_hints(void **state) {
  GrB_Matrix A, B;
  IS_NUMBER(user_objects.vector, GrB_STORAGE_ORIENTATION_HINT, GrB_COLMAJOR);
  OK(GrB_set(GrB_GLOBAL, GrB_COLMAJOR, GrB_STORAGE_ORIENTATION_HINT));
  OK(GrB_Matrix_new(&A, GrB_BOOL, 3, 3));
  OK(GrB_set(GrB_GLOBAL, GrB_ROWMAJOR, GrB_STORAGE_ORIENTATION_HINT));
  IS_NUMBER(A, GrB_STORAGE_ORIENTATION_HINT, GrB_COLMAJOR);
  OK(GrB_set(A, GrB_BOTH, GrB_STORAGE_ORIENTATION_HINT));
  OK(GrB_Matrix_dup(&B, A));
  IS_NUMBER(B, GrB_STORAGE_ORIENTATION_HINT, GrB_BOTH);
  assert_int_equal(GrB_set(A, 4, GrB_STORAGE_ORIENTATION_HINT), GrB_INVALID_VALUE);
  IS_NUMBER(A, GrB_STORAGE_ORIENTATION_HINT, GrB_BOTH);
  OK(GrB_free(&A));
  OK(GrB_free(&B));
}

static void test_names(void **state) {
  char long_name[3000], back[3000];
  memset(long_name, 'n', sizeof long_name - 1), long_name[sizeof long_name - 1] = 0;
#define ONCE(object)                                                     \
  IS_STRING(object, GrB_NAME, "");                                       \
  OK(GrB_set(object, "once", GrB_NAME));                                 \
  assert_int_equal(GrB_set(object, "again", GrB_NAME), GrB_ALREADY_SET); \
  IS_STRING(object, GrB_NAME, "once");
  ONCE(user_objects.type)
  ONCE(user_objects.unary)
  ONCE(user_objects.binary)
  ONCE(user_objects.index)
  ONCE(user_objects.monoid)
  ONCE(user_objects.semiring)
#define OFTEN(object)                      \
  OK(GrB_set(object, "first", GrB_NAME));  \
  IS_STRING(object, GrB_NAME, "first");    \
  OK(GrB_set(object, "second", GrB_NAME)); \
  IS_STRING(object, GrB_NAME, "second");   \
  OK(GrB_set(object, "", GrB_NAME));       \
  IS_STRING(object, GrB_NAME, "");
  OFTEN(user_objects.descriptor)
  OFTEN(user_objects.scalar)
  OFTEN(user_objects.vector)
  OFTEN(user_objects.matrix)
  OK(GrB_set(user_objects.matrix, long_name, GrB_NAME));
  OK(GrB_get(user_objects.matrix, back, GrB_NAME));
  assert_string_equal(back, long_name);
  IS_STRING(user_objects.vector, GrB_EL_TYPE_STRING, "once");
  IS_STRING(user_objects.unary, GrB_OUTP_TYPE_STRING, "once");
  assert_int_equal(GrB_set(GrB_FP64, "mine", GrB_NAME), GrB_INVALID_VALUE);
  assert_int_equal(GrB_set(GrB_DESC_T0, "mine", GrB_NAME), GrB_INVALID_VALUE);
  assert_int_equal(GrB_set(GrB_GLOBAL, "mine", GrB_NAME), GrB_INVALID_VALUE);
}

/* Out of memory for a name: the old one stays. */
static void test_memory(void **state) {
  OK(GrB_set(user_objects.vector, "old", GrB_NAME));
  grid_mem_fail_after(0);
  const GrB_Info info = GrB_set(user_objects.vector, "new", GrB_NAME);
  grid_mem_fail_after(-1);
  assert_on_all(info == GrB_OUT_OF_MEMORY);
  IS_STRING(user_objects.vector, GrB_NAME, "old");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_enums),  cmocka_unit_test(test_forms),
                                     cmocka_unit_test(test_values), cmocka_unit_test(test_descriptors),
                                     cmocka_unit_test(test_hints),  cmocka_unit_test(test_names),
                                     cmocka_unit_test(test_memory)};
  if (GrB_init(GrB_NONBLOCKING) != GrB_SUCCESS) return 1;
  const int64_t before = grid_mem_live();
  int failed = cmocka_run_group_tests(tests, make, drop);
  if (grid_mem_live() != before)
    printf("%lld blocks leak\n", (long long)(grid_mem_live() - before)), failed++;
  GrB_finalize();
  return failed;
}
