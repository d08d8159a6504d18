/* GxB_Matrix_serialize, GxB_Vector_serialize and their reverses, the fields of blobs, the options of matrices
 * and vectors, memoryUsage and iso. Runs on any number of processes. */
#include "tests/unit.h"
#include "semiring/support/mem.h"
#include "tests/entry_model.h"

/* ---- blobs --------------------------------------------------------------------------------------------- */

static void check_names(const void *blob, GrB_Index size, const char *name) {
  char text[GxB_MAX_NAME_LEN], want[GxB_MAX_NAME_LEN];
  size_t bytes;
  int32_t code, type_code;
  OK(GxB_deserialize_type_name(text, blob, size));
  assert_string_equal(text, m.type == GrB_FP64   ? "double"
                            : m.type == GrB_INT8 ? "int8_t"
                            : m.type == GxB_FC64 ? "GxB_FC64_t"
                                                 : "twelve");
  OK(GxB_Serialized_get_String(blob, text, GrB_EL_TYPE_STRING, size));
  OK(GrB_Type_get_String(m.type, want, GrB_NAME));
  assert_string_equal(text, want);
  OK(GxB_Serialized_get_String(blob, text, GrB_NAME, size));
  assert_string_equal(text, name);
  OK(GxB_Serialized_get_SIZE(blob, &bytes, GrB_NAME, size));
  assert_int_equal(bytes, strlen(name) + 1);
  OK(GrB_Type_get_INT32(m.type, &type_code, GrB_EL_TYPE_CODE));
  OK(GxB_Serialized_get_INT32(blob, &code, GrB_EL_TYPE_CODE, size));
  assert_int_equal(code, type_code);
}

static void check_numbers(const void *blob, GrB_Index size) {
  GrB_Scalar s;
  int32_t x;
  double real;
  OK(GxB_Serialized_get_INT32(blob, &x, GxB_SPARSITY_CONTROL, size));
  assert_int_equal(x, GxB_SPARSE + GxB_BITMAP);
  OK(GrB_Scalar_new(&s, GrB_FP64));
  OK(GxB_Serialized_get_Scalar(blob, s, GxB_BITMAP_SWITCH, size));
  OK(GrB_Scalar_extractElement_FP64(&real, s));
  assert_true(real == 0.75);
  OK(GxB_Serialized_get_Scalar(blob, s, GxB_SPARSITY_CONTROL, size));
  OK(GrB_Scalar_extractElement_FP64(&real, s));
  assert_true(real == GxB_SPARSE + GxB_BITMAP);
  OK(GxB_Serialized_get_INT32(blob, &x, GxB_ISO, size));
  assert_true(!x || m.iso || m.n <= 1);
  OK(GrB_free(&s));
  assert_int_equal(GxB_Serialized_get_INT32(blob, &x, GxB_BITMAP_SWITCH, size), GrB_INVALID_VALUE);
  assert_int_equal(GxB_Serialized_get_INT32(blob, &x, 12345, size), GrB_INVALID_VALUE);
  assert_int_equal(GxB_Serialized_get_VOID(blob, &x, GrB_NAME, size), GrB_INVALID_VALUE);
}

static void check_matrix(GrB_Descriptor d) {
  void *blob = NULL;
  GrB_Index size = 0;
  GrB_Matrix A = build(), B;
  double x;
  int32_t format;
  char name[16];
  OK(GrB_Matrix_set_String(A, "ladder", GrB_NAME));
  OK(GxB_Matrix_Option_set_INT32(A, GxB_SPARSITY_CONTROL, GxB_SPARSE + GxB_BITMAP));
  OK(GxB_Matrix_Option_set_FP64(A, GxB_BITMAP_SWITCH, 0.75));
  OK(GxB_Matrix_Option_set_INT32(A, GxB_FORMAT, GxB_BY_COL));
  OK(GxB_Matrix_serialize(&blob, &size, A, d));
  same(A);
  check_names(blob, size, "ladder");
  check_numbers(blob, size);
  OK(GxB_Matrix_deserialize(&B, m.type, blob, size, d));
  same(B);
  OK(GxB_Matrix_Option_get_FP64(B, GxB_BITMAP_SWITCH, &x));
  OK(GxB_Matrix_Option_get_INT32(B, GxB_FORMAT, &format));
  OK(GrB_Matrix_get_String(B, name, GrB_NAME));
  assert_true(x == 0.75 && format == GxB_BY_COL && strcmp(name, "ladder") == 0);
  OK(GrB_free(&B));
  OK(GrB_Matrix_deserialize(&B, m.type, blob, size)); /* the standard's function reads it */
  same(B);
  OK(GrB_free(&B));
  if (m.ncols != 1) {
    GrB_Vector v;
    fails(GxB_Vector_deserialize(&v, m.type, blob, size, NULL), GrB_INVALID_OBJECT, "columns");
  }
  for (GrB_Index cut = 1; cut < size; cut += cut < 300 ? 1 : size / 7) {
    fails(GxB_Matrix_deserialize(&B, m.type, blob, size - cut, NULL), GrB_INVALID_OBJECT, "");
    fails(GrB_Matrix_deserialize(&B, m.type, blob, size - cut), GrB_INVALID_OBJECT, "");
  }
  ((char *)blob)[size - 4] ^= 1; /* in the name */
  fails(GrB_Matrix_deserialize(&B, m.type, blob, size), GrB_INVALID_OBJECT, "cut off");
  ((char *)blob)[size - 4] ^= 1;
  ((char *)blob)[60] ^= 1;
  fails(GxB_Matrix_deserialize(&B, m.type, blob, size, NULL), GrB_INVALID_OBJECT, "");
  free(blob);
  OK(GrB_free(&A));
}

static void test_matrices(void **state) {
  static const GrB_Index shape[][3] = {
      {1, 1, 1}, {7, 200, 90}, {300, 5, 900},        {200, 300, 0},
      {0, 3, 0}, {3, 0, 0},    {20, 30, UINT64_MAX}, {(GrB_Index)1 << 50, 70, 90}};
  const GrB_Type types[] = {GrB_FP64, GrB_INT8, GxB_FC64, twelve};
  GrB_Descriptor d;
  OK(GrB_Descriptor_new(&d));
  OK(GrB_Descriptor_set_INT32(d, GxB_COMPRESSION_ZSTD + 3, GxB_COMPRESSION));
  for (size_t s = 0; s < sizeof shape / sizeof *shape; s++)
    for (int t = 0; t < 4; t++) {
      draw_model(shape[s][0], shape[s][1], shape[s][2], types[t], (s + (size_t)t) % 3 == 0);
      check_matrix(t ? d : NULL);
    }
  OK(GrB_free(&d));
}

static void test_vectors(void **state) {
  static const GrB_Index shape[][2] = {{1, 1},  {700, 90}, {1300, UINT64_MAX},
                                       {90, 0}, {0, 0},    {(GrB_Index)1 << 50, 60}};
  const GrB_Type types[] = {GrB_FP64, GrB_INT8, GxB_FC64, twelve};
  for (size_t s = 0; s < sizeof shape / sizeof *shape; s++)
    for (int t = 0; t < 4; t++) {
      void *blob = NULL;
      GrB_Index size = 0;
      draw_model(shape[s][0], 1, shape[s][1], types[t], (s + (size_t)t) % 3 == 0);
      GrB_Vector v = build_vector(), w;
      double x;
      OK(GxB_Vector_Option_set_INT32(v, GxB_SPARSITY_CONTROL, GxB_SPARSE + GxB_BITMAP));
      OK(GxB_Vector_Option_set_FP64(v, GxB_BITMAP_SWITCH, 0.75));
      OK(GxB_Vector_serialize(&blob, &size, v, NULL));
      check_names(blob, size, "");
      check_numbers(blob, size);
      OK(GxB_Vector_deserialize(&w, m.type, blob, size, NULL));
      same_vector(w);
      OK(GxB_Vector_Option_get_FP64(w, GxB_BITMAP_SWITCH, &x));
      assert_true(x == 0.75);
      OK(GrB_free(&w));
      fails(GxB_Vector_deserialize(&w, GrB_UINT16, blob, size, NULL), GrB_DOMAIN_MISMATCH, "UINT16");
      fails(GxB_Vector_deserialize(&w, m.type, blob, 20, NULL), GrB_INVALID_OBJECT, "");
      free(blob);
      OK(GrB_free(&v));
    }
}

/* A type's name of any length travels whole. */
static void test_long_names(void **state) {
  char name[400], text[400];
  size_t bytes;
  void *blob = NULL;
  GrB_Index size;
  GrB_Type type;
  GrB_Matrix A;
  memset(name, 'n', sizeof name), name[399] = 0;
  OK(GrB_Type_new(&type, 8));
  OK(GrB_Type_set_String(type, name, GrB_NAME));
  OK(GrB_Matrix_new(&A, type, 3, 3));
  OK(GxB_Matrix_serialize(&blob, &size, A, NULL));
  OK(GxB_Serialized_get_SIZE(blob, &bytes, GrB_EL_TYPE_STRING, size));
  assert_int_equal(bytes, sizeof name);
  OK(GxB_Serialized_get_String(blob, text, GrB_EL_TYPE_STRING, size));
  assert_string_equal(text, name);
  free(blob);
  OK(GrB_free(&A));
  name[GxB_MAX_NAME_LEN] = 0; /* names in C have fewer than GxB_MAX_NAME_LEN bytes */
  assert_int_equal(GrB_Type_set_String(type, name, GxB_JIT_C_NAME), GrB_INVALID_VALUE);
  name[GxB_MAX_NAME_LEN - 1] = 0;
  OK(GrB_Type_set_String(type, name, GxB_JIT_C_NAME));
  OK(GxB_Type_name(text, type));
  assert_string_equal(text, name);
  OK(GrB_free(&type));
}

/* A blob of the standard's function has no names of user-defined types and objects. */
static void test_standard_blob(void **state) {
  char text[GxB_MAX_NAME_LEN], bytes[100] = {0};
  draw_model(30, 20, 90, GrB_FP64, false);
  GrB_Matrix A = build(), B;
  GrB_Index size;
  int32_t x;
  OK(GrB_Matrix_serializeSize(&size, A));
  void *blob = malloc(size);
  OK(GrB_Matrix_serialize(blob, &size, A));
  check_names(blob, size, "");
  OK(GxB_Matrix_deserialize(&B, NULL, blob, size, NULL));
  same(B);
  OK(GrB_free(&B));
  fails(GxB_deserialize_type_name(text, bytes, 100), GrB_INVALID_OBJECT, "");
  fails(GxB_Serialized_get_INT32(NULL, &x, GxB_ISO, 100), GrB_NULL_POINTER, "blob");
  fails(GxB_Serialized_get_INT32(blob, NULL, GxB_ISO, size), GrB_NULL_POINTER, "result");
  fails(GxB_Matrix_serialize(NULL, &size, A, NULL), GrB_NULL_POINTER, "blob");
  fails(GxB_Matrix_deserialize(NULL, NULL, blob, size, NULL), GrB_NULL_POINTER, "A");
  free(blob);
  OK(GrB_free(&A));
}

/* ---- options ------------------------------------------------------------------------------------------- */

static int32_t status_of(GrB_Matrix A) {
  int32_t x = 0, y = 1;
  OK(GxB_Matrix_Option_get_INT32(A, GxB_SPARSITY_STATUS, &x));
  OK(GrB_Matrix_get_INT32(A, &y, GxB_SPARSITY_STATUS));
  assert_int_equal(x, y);
  return x;
}

static void test_status(void **state) {
  static const int want[] = {GxB_HYPERSPARSE, GxB_SPARSE, GxB_FULL};
  static const GrB_Index shape[][3] = {{5000, 90, 50}, {30, 20, 90}, {20, 30, UINT64_MAX}};
  for (int k = 0; k < 3; k++) {
    draw_model(shape[k][0], shape[k][1], shape[k][2], GrB_FP64, false);
    GrB_Matrix A = build();
    assert_int_equal(status_of(A), want[k]);
    for (int only = GxB_HYPERSPARSE; only <= GxB_BITMAP; only *= 2) {
      OK(GxB_Matrix_Option_set(A, GxB_SPARSITY_CONTROL, only));
      assert_int_equal(status_of(A), only);
    }
    OK(GxB_Matrix_Option_set(A, GxB_SPARSITY_CONTROL, GxB_FULL)); /* if it is not full, a bitmap */
    assert_int_equal(status_of(A), k == 2 ? GxB_FULL : GxB_BITMAP);
    OK(GrB_free(&A));
  }
}

/* ---- storage ------------------------------------------------------------------------------------------- */

static void test_storage(void **state) {
  size_t size = 0, empty;
  bool iso;
  for (int same_values = 0; same_values < 2; same_values++) {
    draw_model(130, 90, 900, GrB_FP64, same_values);
    GrB_Matrix A = build(), B;
    OK(GxB_Matrix_memoryUsage(&size, A));
    OK(GrB_Matrix_new(&B, GrB_FP64, 130, 90));
    OK(GxB_Matrix_memoryUsage(&empty, B));
    assert_true(empty > 0 && size >= empty + 4 * m.n + (same_values ? 0 : 8 * m.n));
    OK(GxB_Matrix_iso(&iso, A));
    assert_int_equal(iso, same_values);
    OK(GxB_Matrix_iso(&iso, B));
    assert_false(iso);
    OK(GrB_free(&A));
    OK(GrB_free(&B));
  }
  draw_model(1300, 1, 900, GrB_FP64, false);
  GrB_Vector v = build_vector(), w;
  GrB_Scalar s;
  OK(GxB_Vector_memoryUsage(&size, v));
  assert_true(size > 8 * m.n);
  OK(GxB_Vector_iso(&iso, v));
  assert_false(iso);
  OK(GrB_Vector_new(&w, GrB_FP64, 1300));
  OK(GxB_Vector_iso(&iso, w));
  assert_false(iso);
  OK(Grid_Vector_build(w, (GrB_Index[]){1, 1200}, NULL, NULL, Grid_rank() ? 0 : 2, NULL));
  OK(GxB_Vector_iso(&iso, w));
  assert_true(iso);
  OK(GrB_Scalar_new(&s, GrB_FP64));
  OK(GxB_Scalar_memoryUsage(&size, s));
  assert_true(size >= 8);
  fails(GxB_Vector_memoryUsage(NULL, v), GrB_NULL_POINTER, "size");
  fails(GxB_Vector_iso(NULL, v), GrB_NULL_POINTER, "iso");
  OK(GrB_free(&v));
  OK(GrB_free(&w));
  OK(GrB_free(&s));
}

/* ---- arenas ---- */

static void test_arenas(void **state) {
  GrB_Matrix A = NULL, B = NULL;
  GrB_Vector v = NULL, w = NULL;
  GxB_Container c = NULL;
  GxB_Iterator it = NULL;
  void *blob = NULL;
  GrB_Index size;
  draw_model(9, 1, 5, GrB_FP64, false);
  OK(GxB_Matrix_new_arena(&B, GrB_FP64, 9, 1, 0, 0));
  OK(GrB_free(&B));
  A = build(), v = build_vector();
  OK(GxB_Matrix_dup_arena(&B, A, 0, 0));
  OK(GxB_Matrix_set_arenas(&B, 0, 0));
  OK(GxB_Matrix_serialize_arena(&blob, &size, B, 0, NULL));
  OK(GrB_free(&B));
  OK(GxB_Matrix_deserialize_arena(&B, GrB_FP64, blob, size, 0, 0, NULL));
  same(B);
  free(blob);
  OK(GxB_Vector_dup_arena(&w, v, 0, 0));
  OK(GxB_Vector_set_arenas(&w, 0, 0));
  OK(GxB_Vector_serialize_arena(&blob, &size, w, 0, NULL));
  OK(GrB_free(&w));
  OK(GxB_Vector_deserialize_arena(&w, GrB_FP64, blob, size, 0, 0, NULL));
  same_vector(w);
  free(blob);
  OK(GrB_free(&w));
  OK(GxB_Vector_new_arena(&w, GrB_FP64, 9, 0, 0));
  OK(GxB_Container_new_arena(&c, 0, 0));
  OK(GxB_Container_free(&c));
  OK(GxB_Iterator_new_arena(&it, 0));
  OK(GxB_Iterator_free(&it));
  fails(GxB_Matrix_dup_arena(&B, A, 0, 99), GrB_INVALID_VALUE, "arena is 99");
  fails(GxB_Vector_set_arenas(&w, -1, 0), GrB_INVALID_VALUE, "arena is -1");
  fails(GxB_Matrix_set_arenas(NULL, 0, 0), GrB_NULL_POINTER, "pointer");
  OK(GrB_free(&A));
  OK(GrB_free(&B));
  OK(GrB_free(&v));
  OK(GrB_free(&w));
}

static int start(void **state) {
  return start_with_type(state) || GrB_Type_set_String(twelve, "twelve", GrB_NAME) != GrB_SUCCESS;
}

MAIN_ON_SHAPES(start, stop_with_type, cmocka_unit_test(test_matrices), cmocka_unit_test(test_vectors),
               cmocka_unit_test(test_standard_blob), cmocka_unit_test(test_long_names),
               cmocka_unit_test(test_status), cmocka_unit_test(test_storage), cmocka_unit_test(test_arenas))
