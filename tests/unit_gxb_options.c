/* SuiteSparse's options: values of its constants, every option in its forms, contexts. Runs on any number of
 * processes. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit.h"
#include <omp.h>
#include <pthread.h>

#include "gridblas.h"
#include "gridblas_gxb_objects.h"
#include "semiring/support/mem.h"
#include "tests/assert_all.h"
#include "tests/assert_fields.h"

#define OK(call) assert_int_equal(call, GrB_SUCCESS)

/* ---- constants: those of SuiteSparse:GraphBLAS 10.5.1 ---- */

static void test_constants(void **state) {
  const struct {
    int is, want;
  } value[] = {{GxB_HYPER_SWITCH, 7000},
               {GxB_BITMAP_SWITCH, 7001},
               {GxB_FORMAT, 7002},
               {GxB_MODE, 7003},
               {GxB_LIBRARY_NAME, 7004},
               {GxB_LIBRARY_VERSION, 7005},
               {GxB_LIBRARY_COMPILE_TIME, 7011},
               {GxB_API_VERSION, 7012},
               {GxB_API_URL, 7015},
               {GxB_COMPILER_VERSION, 7016},
               {GxB_COMPILER_NAME, 7017},
               {GxB_LIBRARY_OPENMP, 7018},
               {GxB_BURBLE, 7019},
               {GxB_PRINTF, 7020},
               {GxB_FLUSH, 7021},
               {GxB_MEMORY_POOL, 7022},
               {GxB_PRINT_1BASED, 7023},
               {GxB_JIT_C_COMPILER_NAME, 7024},
               {GxB_JIT_C_COMPILER_FLAGS, 7025},
               {GxB_JIT_C_LINKER_FLAGS, 7026},
               {GxB_JIT_C_LIBRARIES, 7027},
               {GxB_JIT_C_PREFACE, 7028},
               {GxB_JIT_C_CONTROL, 7029},
               {GxB_JIT_CACHE_PATH, 7030},
               {GxB_JIT_C_CMAKE_LIBS, 7031},
               {GxB_JIT_USE_CMAKE, 7032},
               {GxB_JIT_ERROR_LOG, 7033},
               {GxB_SPARSITY_STATUS, 7034},
               {GxB_SPARSITY_CONTROL, 7036},
               {GxB_MALLOC_FUNCTION, 7037},
               {GxB_FREE_FUNCTION, 7040},
               {GxB_JIT_C_NAME, 7041},
               {GxB_JIT_C_DEFINITION, 7042},
               {GxB_MONOID_IDENTITY, 7043},
               {GxB_MONOID_TERMINAL, 7044},
               {GxB_MONOID_OPERATOR, 7045},
               {GxB_SEMIRING_MONOID, 7046},
               {GxB_SEMIRING_MULTIPLY, 7047},
               {GxB_HYPER_HASH, 7048},
               {GxB_THETA_TYPE_CODE, 7050},
               {GxB_THETA_TYPE_STRING, 7051},
               {GxB_THETA, 7052},
               {GxB_ROWINDEX_INTEGER_HINT, 7053},
               {GxB_COLINDEX_INTEGER_HINT, 7054},
               {GxB_OFFSET_INTEGER_HINT, 7056},
               {GxB_ROWINDEX_INTEGER_BITS, 7057},
               {GxB_COLINDEX_INTEGER_BITS, 7058},
               {GxB_OFFSET_INTEGER_BITS, 7059},
               {GxB_USE_INDICES, 7060},
               {GxB_IS_STRIDE, 7061},
               {GxB_WILL_WAIT, 7076},
               {GxB_INCLUDE_READONLY_STATISTICS, 7077},
               {GxB_IS_READONLY, 7078},
               {GxB_ISO, 7079},
               {GxB_SECURE_IMPORT, 7080},
               {GxB_AxB_GUSTAVSON, 7081},
               {GxB_AxB_DOT, 7083},
               {GxB_AxB_HASH, 7084},
               {GxB_AxB_SAXPY, 7085},
               {GxB_NTHREADS, 7086},
               {GxB_CONTEXT_NTHREADS, 7086},
               {GxB_GLOBAL_NTHREADS, 7086},
               {GxB_CHUNK, 7087},
               {GxB_GLOBAL_CHUNK, 7087},
               {GxB_AxB_METHOD, 7090},
               {GxB_SORT, 7091},
               {GxB_COMPRESSION, 7092},
               {GxB_IMPORT, 7093},
               {GxB_ROWINDEX_LIST, 7094},
               {GxB_COLINDEX_LIST, 7095},
               {GxB_VALUE_LIST, 7096},
               {GxB_BLOCKING_GPU, 7098},
               {GxB_NONBLOCKING_GPU, 7099},
               {GxB_JIT_CUDA_PREFACE, 7100},
               {GxB_GPU_IDS, 7101},
               {GxB_NGPUS, 7102},
               {GxB_NGPUS_MAX, 7103},
               {GxB_JIT_ERROR, -7001},
               {GxB_GPU_ERROR, -7002},
               {GxB_OUTPUT_IS_READONLY, -7003},
               {GxB_JIT_OFF, 0},
               {GxB_JIT_ON, 4},
               {GxB_HYPERSPARSE, 1},
               {GxB_FULL, 8},
               {GxB_AUTO_SPARSITY, 15},
               {GxB_COMPRESSION_NONE, -1},
               {GxB_COMPRESSION_LZ4, 1000},
               {GxB_COMPRESSION_LZ4HC, 2000},
               {GxB_COMPRESSION_ZSTD, 3000},
               {GxB_NO_FORMAT, -1},
               {GxB_FORMAT_DEFAULT, 0},
               {GxB_IMPLEMENTATION, 10005001},
               {GxB_SPEC_VERSION, 2001000}};
  for (size_t k = 0; k < sizeof value / sizeof *value; k++) assert_int_equal(value[k].is, value[k].want);
  assert_true(GxB_HYPER_DEFAULT == 0.0625 && GxB_ALWAYS_HYPER == 1 && GxB_NEVER_HYPER == -1);
  assert_int_equal(GxB_INDEX_MAX, UINT64_C(1) << 60);
}

/* ---- options of the library ---- */

static void test_about(void **state) {
  const char *text = NULL;
  int32_t version[3] = {0}, number = 9;
  size_t size = 0;
  IS_STRING(GrB_GLOBAL, GxB_LIBRARY_NAME, GxB_IMPLEMENTATION_NAME);
  IS_STRING(GrB_GLOBAL, GxB_LIBRARY_DATE, GxB_IMPLEMENTATION_DATE);
  IS_STRING(GrB_GLOBAL, GxB_LIBRARY_ABOUT, GxB_IMPLEMENTATION_ABOUT);
  IS_STRING(GrB_GLOBAL, GxB_API_DATE, GxB_SPEC_DATE);
  OK(GxB_Global_Option_get_CHAR(GxB_LIBRARY_NAME, &text));
  assert_string_equal(text, GxB_IMPLEMENTATION_NAME);
  OK(GxB_get(GxB_LIBRARY_VERSION, version));
  assert_true(version[0] == 10 && version[1] == 5 && version[2] == 1);
  OK(GxB_Global_Option_get_INT32(GxB_API_VERSION, version));
  assert_true(version[0] == 2 && version[1] == 1 && version[2] == 0);
  OK(GrB_get(GrB_GLOBAL, (void *)version, GxB_COMPILER_VERSION));
  OK(GrB_get(GrB_GLOBAL, &size, GxB_COMPILER_VERSION));
  assert_int_equal(size, sizeof version);
  assert_true(version[0] > 3);
  OK(GxB_Global_Option_get(GxB_MODE, &number));
  assert_int_equal(number, GrB_NONBLOCKING);
  IS_NUMBER(GrB_GLOBAL, GxB_LIBRARY_OPENMP, 1);
  assert_int_equal(GrB_set(GrB_GLOBAL, 0, GxB_MODE), GrB_INVALID_VALUE);
  assert_int_equal(GxB_Global_Option_set_CHAR(GxB_LIBRARY_NAME, "mine"), GrB_INVALID_VALUE);
  assert_int_equal(GxB_Global_Option_get_CHAR(GxB_MODE, &text), GrB_INVALID_VALUE);
  assert_int_equal(GxB_Global_Option_get_INT32(GxB_LIBRARY_NAME, &number), GrB_INVALID_VALUE);
  assert_int_equal(GxB_Global_Option_get_INT32(GxB_MODE, NULL), GrB_NULL_POINTER);
  assert_int_equal(GxB_Global_Option_get_INT32(4711, &number), GrB_INVALID_VALUE);
  assert_int_equal(GxB_Global_Option_set(4711, 1), GrB_INVALID_VALUE);
}

static char burbled[1000];
static int flushed;
static int keep_line(const char *fmt, ...) {
  va_list arguments;
  va_start(arguments, fmt);
  const int n = vsnprintf(burbled, sizeof burbled, fmt, arguments);
  va_end(arguments);
  return n;
}
static int count_flush(void) {
  return ++flushed;
}

static void test_burble(void **state) {
  GrB_Vector u;
  void *function = NULL;
  int (*print)(const char *, ...) = keep_line;
  int (*flush)(void) = count_flush;
  OK(GrB_Vector_new(&u, GrB_INT8, 10));
  memcpy(&function, &print, sizeof function);
  OK(GxB_Global_Option_set_FUNCTION(GxB_PRINTF, function));
  OK(GxB_Global_Option_get_FUNCTION(GxB_PRINTF, &function));
  assert_memory_equal(&function, &print, sizeof function);
  memcpy(&function, &flush, sizeof function);
  OK(GxB_set(GxB_FLUSH, function));
  IS_NUMBER(GrB_GLOBAL, GxB_BURBLE, 0);
  OK(GrB_set(GrB_GLOBAL, 1, GxB_BURBLE));
  IS_NUMBER(GrB_GLOBAL, GxB_BURBLE, 1);
  OK(GrB_apply(u, NULL, NULL, GrB_AINV_INT8, u, NULL));
  OK(GxB_set(GxB_BURBLE, false));
  IS_NUMBER(GrB_GLOBAL, GxB_BURBLE, 0);
  assert_on_all(Grid_rank() > 0 ? !*burbled && !flushed : strstr(burbled, "GrB_apply") && flushed == 1);
  *burbled = 0;
  OK(GrB_apply(u, NULL, NULL, GrB_AINV_INT8, u, NULL));
  assert_on_all(!*burbled);
  OK(GxB_Global_Option_set_FUNCTION(GxB_PRINTF, NULL)), OK(GxB_Global_Option_set_FUNCTION(GxB_FLUSH, NULL));
  OK(GrB_free(&u));
}

/* Options that are stored. */
static void test_global(void **state) {
  double real = 0, eight[9] = {0}, new_eight[8] = {.5, .5, .5, .5, .5, .5, .5, .5};
  int64_t pool[64], zeros[64] = {0};
  int32_t ids[64] = {0}, number = 0;
  GrB_Scalar value;
  OK(GrB_Scalar_new(&value, GrB_FP64));
  OK(GrB_get(GrB_GLOBAL, value, GxB_HYPER_SWITCH));
  OK(GrB_Scalar_extractElement_FP64(&real, value));
  assert_true(real == GxB_HYPER_DEFAULT);
  OK(GxB_set(GxB_HYPER_SWITCH, 0.25));
  OK(GxB_get(GxB_HYPER_SWITCH, &real));
  assert_true(real == 0.25);
  OK(GrB_Scalar_setElement_FP64(value, GxB_HYPER_DEFAULT));
  OK(GrB_set(GrB_GLOBAL, value, GxB_HYPER_SWITCH));
  OK(GxB_Global_Option_get_FP64(GxB_HYPER_SWITCH, &real));
  assert_true(real == GxB_HYPER_DEFAULT);
  OK(GxB_Global_Option_get_FP64(GxB_BITMAP_SWITCH, eight));
  assert_true(eight[0] == .04F && eight[7] == .4F && eight[8] == 0);
  OK(GxB_Global_Option_set_FP64_ARRAY(GxB_BITMAP_SWITCH, new_eight));
  GrB_Vector u;
  OK(GrB_Vector_new(&u, GrB_INT8, 10));
  OK(GxB_get(u, GxB_BITMAP_SWITCH, &real));
  assert_true(real == .5);
  OK(GrB_free(&u));
  OK(GxB_Global_Option_set(GxB_BITMAP_SWITCH, NULL)); /* the defaults again */
  OK(GxB_Global_Option_get_FP64(GxB_BITMAP_SWITCH, new_eight));
  assert_memory_equal(eight, new_eight, sizeof new_eight);
  OK(GrB_set(GrB_GLOBAL, (void *)eight, GxB_BITMAP_SWITCH, sizeof new_eight));
  assert_int_equal(GrB_set(GrB_GLOBAL, (void *)eight, GxB_BITMAP_SWITCH, 8), GrB_INVALID_VALUE);
  OK(GxB_get(GxB_CHUNK, &real));
  assert_true(real == 65536);
  OK(GxB_set(GxB_CHUNK, 1e5));
  OK(GxB_get(GxB_GLOBAL_CHUNK, &real));
  assert_true(real == 1e5);
  OK(GxB_set(GxB_CHUNK, -1.0));
  OK(GxB_get(GxB_CHUNK, &real));
  assert_true(real == 65536);
  OK(GxB_Global_Option_set_INT64_ARRAY(GxB_MEMORY_POOL, zeros));
  memset(pool, 1, sizeof pool);
  OK(GxB_Global_Option_get_INT64(GxB_MEMORY_POOL, pool));
  assert_memory_equal(pool, zeros, sizeof pool);
  OK(GrB_set(GrB_GLOBAL, (void *)ids, GxB_GPU_IDS, sizeof *ids));
  IS_NUMBER(GrB_GLOBAL, GxB_NGPUS_MAX, Grid_device() == Grid_CUDA);
  assert_int_equal(GrB_set(GrB_GLOBAL, 2, GxB_NGPUS), GrB_INVALID_VALUE);
  OK(GrB_set(GrB_GLOBAL, 5, GxB_JIT_USE_CMAKE));
  IS_NUMBER(GrB_GLOBAL, GxB_JIT_USE_CMAKE, 1);
  IS_NUMBER(GrB_GLOBAL, GxB_ROWINDEX_INTEGER_HINT, 32);
  OK(GrB_set(GrB_GLOBAL, 64, GxB_ROWINDEX_INTEGER_HINT));
  IS_NUMBER(GrB_GLOBAL, GxB_ROWINDEX_INTEGER_HINT, 64);
  assert_int_equal(GrB_set(GrB_GLOBAL, 7, GxB_OFFSET_INTEGER_HINT), GrB_INVALID_VALUE);
  OK(GrB_set(GrB_GLOBAL, 99, GxB_JIT_C_CONTROL));
  IS_NUMBER(GrB_GLOBAL, GxB_JIT_C_CONTROL, GxB_JIT_ON);
  OK(GrB_set(GrB_GLOBAL, -1, GxB_JIT_C_CONTROL));
  IS_NUMBER(GrB_GLOBAL, GxB_JIT_C_CONTROL, GxB_JIT_OFF);
  OK(GrB_set(GrB_GLOBAL, GxB_JIT_ON, GxB_JIT_C_CONTROL));
  OK(GrB_set(GrB_GLOBAL, "/tmp/errors", GxB_JIT_ERROR_LOG));
  IS_STRING(GrB_GLOBAL, GxB_JIT_ERROR_LOG, "/tmp/errors");
  IS_STRING(GrB_GLOBAL, GxB_JIT_C_LIBRARIES, "-lm");
  OK(GrB_set(GrB_GLOBAL, "off", GxB_JIT_CACHE_PATH));
  IS_STRING(GrB_GLOBAL, GxB_JIT_CACHE_PATH, "");

  /* the orientation by another name, and what new matrices have */
  IS_NUMBER(GrB_GLOBAL, GxB_FORMAT, GxB_BY_ROW);
  OK(GxB_set(GxB_FORMAT, GxB_BY_COL));
  IS_NUMBER(GrB_GLOBAL, GrB_STORAGE_ORIENTATION_HINT, GrB_COLMAJOR);
  GrB_Matrix A;
  OK(GrB_Matrix_new(&A, GrB_INT8, 3, 3));
  IS_NUMBER(A, GxB_FORMAT, GxB_BY_COL);
  OK(GrB_set(GrB_GLOBAL, GxB_BY_ROW, GxB_FORMAT));
  assert_int_equal(GxB_set(GxB_FORMAT, 7), GrB_INVALID_VALUE);
  OK(GxB_Global_Option_get_INT32(GxB_FORMAT, &number));
  assert_int_equal(number, GxB_BY_ROW);
  OK(GrB_free(&A)), OK(GrB_free(&value));
}

/* ---- options of vectors, matrices, descriptors ---- */

static void test_collections(void **state) {
  GrB_Matrix A, B;
  GrB_Vector u;
  GrB_Scalar s;
  double real = 0;
  int32_t number = 9;
  OK(GrB_Matrix_new(&A, GrB_FP32, 40, 50)), OK(GrB_Vector_new(&u, GrB_BOOL, 4)),
      OK(GrB_Scalar_new(&s, GrB_FP64));
  OK(GxB_get(A, GxB_BITMAP_SWITCH, &real));
  assert_true(real == .3F); /* of a smaller dimension of 33 to 64 */
  OK(GxB_Matrix_Option_set_FP64(A, GxB_BITMAP_SWITCH, 0.125));
  OK(GxB_set(A, GxB_HYPER_SWITCH, GxB_NEVER_HYPER));
  OK(GxB_set(A, GxB_SPARSITY_CONTROL, GxB_BITMAP + GxB_FULL));
  OK(GrB_set(A, 0, GxB_HYPER_HASH));
  OK(GrB_Matrix_dup(&B, A));
  OK(GxB_Matrix_Option_get_FP64(B, GxB_BITMAP_SWITCH, &real));
  assert_true(real == 0.125);
  OK(GxB_Matrix_Option_get_FP64(B, GxB_HYPER_SWITCH, &real));
  assert_true(real == -1);
  OK(GxB_Matrix_Option_get_FP64(B, GxB_SPARSITY_CONTROL, &real));
  assert_true(real == GxB_BITMAP + GxB_FULL);
  OK(GxB_Matrix_Option_get_INT32(B, GxB_HYPER_HASH, &number));
  assert_int_equal(number, 0);
  OK(GrB_set(A, 0, GxB_SPARSITY_CONTROL));
  IS_NUMBER(A, GxB_SPARSITY_CONTROL, GxB_AUTO_SPARSITY);
  OK(GrB_set(A, ~GxB_FULL, GxB_SPARSITY_CONTROL));
  IS_NUMBER(A, GxB_SPARSITY_CONTROL, 7);
  IS_NUMBER(A, GxB_ISO, 0);
  IS_NUMBER(A, GxB_IS_READONLY, 0);
  IS_NUMBER(u, GxB_IS_READONLY, 0);
  IS_STRING(A, GxB_JIT_C_NAME, "float");
  IS_STRING(u, GxB_JIT_C_NAME, "bool");
  IS_NUMBER(A, GxB_WILL_WAIT, 0);
  OK(GrB_Matrix_setElement_FP32(A, 1, 2, 3));
  IS_NUMBER(A, GxB_WILL_WAIT, 1);
  OK(GrB_wait(A, GrB_MATERIALIZE));
  IS_NUMBER(A, GxB_WILL_WAIT, 0);
  IS_NUMBER(u, GxB_SPARSITY_STATUS, GxB_SPARSE);
  OK(GrB_assign(u, NULL, NULL, true, GrB_ALL, 4, NULL));
  OK(GxB_get(u, GxB_SPARSITY_STATUS, &number));
  assert_on_all(Grid_rank() > 0 || number == GxB_FULL); /* all of it is on the first process */
  IS_NUMBER(s, GxB_SPARSITY_STATUS, GxB_SPARSE);
  OK(GrB_Scalar_setElement_INT8(s, 1));
  IS_NUMBER(s, GxB_SPARSITY_STATUS, GxB_FULL);
  assert_int_equal(GrB_set(s, 1, GxB_SPARSITY_CONTROL), GrB_INVALID_VALUE);
  OK(GrB_get(A, &number, GxB_SPARSITY_STATUS));
  assert_true(number == GxB_HYPERSPARSE || number == GxB_SPARSE || number == GxB_BITMAP);
  OK(GrB_set(u, 64, GxB_ROWINDEX_INTEGER_HINT));
  IS_NUMBER(u, GxB_ROWINDEX_INTEGER_HINT, 64);
  IS_NUMBER(A, GxB_ROWINDEX_INTEGER_HINT, 0);
  IS_NUMBER(A, GxB_ROWINDEX_INTEGER_BITS, 32);
  assert_int_equal(GxB_set(A, GxB_SPARSITY_STATUS, GxB_FULL), GrB_INVALID_VALUE);
  assert_int_equal(GxB_set(A, GxB_NTHREADS, 1), GrB_INVALID_VALUE);
  assert_int_equal(GxB_Vector_Option_set_FP64(u, GxB_HYPER_SWITCH, 1), GrB_INVALID_VALUE);
  assert_int_equal(GxB_Matrix_Option_get_FP64(A, GxB_HYPER_SWITCH, NULL), GrB_NULL_POINTER);
  assert_int_equal(GxB_Matrix_Option_get_INT32(NULL, GxB_FORMAT, &number), GrB_NULL_POINTER);
  assert_int_equal(GrB_get(A, &number, GxB_HYPER_SWITCH), GrB_INVALID_VALUE);
  OK(GrB_free(&A)), OK(GrB_free(&B)), OK(GrB_free(&u)), OK(GrB_free(&s));
}

static void test_descriptors(void **state) {
  GrB_Descriptor desc;
  GrB_Desc_Value value = GrB_TRAN;
  int32_t number = 9;
  OK(GrB_Descriptor_new(&desc));
  OK(GxB_set(desc, GrB_MASK, GrB_COMP));
  OK(GxB_get(desc, GrB_MASK, &number));
  assert_int_equal(number, GrB_COMP);
  OK(GxB_Descriptor_get(&value, desc, GrB_MASK));
  assert_int_equal(value, GrB_COMP);
  OK(GxB_Descriptor_get(&value, NULL, GrB_MASK));
  assert_int_equal(value, GrB_DEFAULT);
  OK(GxB_Desc_set_INT32(desc, GxB_AxB_METHOD, GxB_AxB_DOT));
  IS_NUMBER(desc, GxB_AxB_METHOD, GxB_AxB_DOT);
  assert_int_equal(GxB_Desc_set_INT32(desc, GxB_AxB_METHOD, 3), GrB_INVALID_VALUE);
  OK(GrB_set(desc, 5, GxB_SORT));
  IS_NUMBER(desc, GxB_SORT, 1);
  OK(GrB_set(desc, GxB_COMPRESSION_ZSTD + 3, GxB_COMPRESSION));
  IS_NUMBER(desc, GxB_COMPRESSION, 3003);
  OK(GrB_set(desc, 1, GxB_IMPORT));
  IS_NUMBER(desc, GxB_IMPORT, GxB_SECURE_IMPORT);
  OK(GrB_Descriptor_set(desc, (GrB_Desc_Field)GxB_IMPORT, (GrB_Desc_Value)GxB_FAST_IMPORT));
  IS_NUMBER(desc, GxB_IMPORT, GxB_FAST_IMPORT);
  assert_int_equal(GrB_Descriptor_set(desc, (GrB_Desc_Field)9, GrB_COMP), GrB_INVALID_VALUE);
  assert_int_equal(GrB_Descriptor_set(NULL, GrB_MASK, GrB_COMP), GrB_NULL_POINTER);
  assert_string_equal(Grid_last_error(), "GrB_Descriptor_set: argument desc is NULL");
  OK(GrB_set(desc, GxB_USE_INDICES, GxB_ROWINDEX_LIST));
  IS_NUMBER(desc, GxB_ROWINDEX_LIST, GxB_USE_INDICES);
  IS_NUMBER(desc, GxB_COLINDEX_LIST, GxB_USE_VALUES);
  assert_int_equal(GrB_set(desc, 1, GxB_VALUE_LIST), GrB_INVALID_VALUE);
  assert_int_equal(GxB_Desc_set_INT32(GrB_DESC_S, GxB_SORT, 1), GrB_INVALID_VALUE);
  OK(GxB_Desc_get_INT32(GrB_DESC_S, GxB_SORT, &number));
  assert_int_equal(number, 0);
  OK(GrB_free(&desc));
}

/* ---- contexts ---- */

static int threads_used;
static void look(void *z, const void *x) {
  __atomic_store_n(&threads_used, omp_get_num_threads(), __ATOMIC_RELAXED);
  memcpy(z, x, 1);
}

/* The threads that a call uses, as its operator finds them. */
static int threads_of_call(void) {
  enum { N = 1 << 21 };
  GrB_UnaryOp op;
  GrB_Vector u;
  OK(GrB_UnaryOp_new(&op, look, GrB_INT8, GrB_INT8));
  OK(GrB_Vector_new(&u, GrB_INT8, N));
  OK(GrB_Vector_setElement_INT8(u, 1, 0));
  OK(GrB_Vector_assign_INT8(u, NULL, GrB_SECOND_INT8, 2, GrB_ALL, N, NULL));
  OK(GrB_Vector_setElement_INT8(u, 3, 5)); /* not all equal */
  threads_used = 0;
  OK(GrB_apply(u, NULL, NULL, op, u, NULL));
  OK(GrB_free(&u)), OK(GrB_free(&op));
  return threads_used;
}

static void test_contexts(void **state) {
  GxB_Context one = NULL, three = NULL, world = GxB_CONTEXT_WORLD;
  int32_t number = 0;
  double real = 0;
  const int before = omp_get_max_threads();
  OK(GrB_set(GrB_GLOBAL, 2, GxB_NTHREADS));
  IS_NUMBER(GrB_GLOBAL, GxB_NTHREADS, 2);
  assert_int_equal(Grid_threads(0), 2);
  OK(GxB_Context_new(&one)), OK(GxB_Context_new(&three));
  IS_NUMBER(one, GxB_NTHREADS, 2);
  OK(GxB_set(one, GxB_NTHREADS, 0)); /* is 1 */
  OK(GxB_Context_set_INT32(three, GxB_NTHREADS, 3));
  IS_NUMBER(one, GxB_NTHREADS, 1);
  OK(GxB_get(three, GxB_CONTEXT_NTHREADS, &number));
  assert_int_equal(number, 3);
  OK(GxB_Context_set_FP64(three, GxB_CHUNK, 100));
  OK(GxB_Context_get_FP64(three, GxB_CHUNK, &real));
  assert_true(real == 100);
  IS_STRING(GxB_CONTEXT_WORLD, GrB_NAME, "GxB_CONTEXT_WORLD");
  OK(GrB_set(three, "three", GrB_NAME)), OK(GrB_set(three, "threads", GrB_NAME));
  IS_STRING(three, GrB_NAME, "threads");

  const bool is_parallel = Grid_size() <= 2; /* a share of the vector is long enough for several threads */
  if (is_parallel) assert_int_equal(threads_of_call(), 2);
  OK(GxB_Context_engage(one));
  assert_int_equal(threads_of_call(), 1);
  OK(GxB_Context_engage(three));
  if (is_parallel) assert_int_equal(threads_of_call(), 3);
  OK(GrB_set(three, 4, GxB_NTHREADS));
  if (is_parallel) assert_int_equal(threads_of_call(), 4);
  assert_int_equal(omp_get_max_threads(), 2); /* the program's own number */
  assert_int_equal(GxB_Context_disengage(one), GrB_INVALID_VALUE);
  OK(GxB_Context_disengage(three));
  if (is_parallel) assert_int_equal(threads_of_call(), 2);
  OK(GxB_Context_disengage(one)), OK(GxB_Context_disengage(NULL));
  OK(GxB_Context_engage(one));
  OK(GxB_Context_engage(GxB_CONTEXT_WORLD));
  if (is_parallel) assert_int_equal(threads_of_call(), 2);
  OK(GxB_Context_engage(one));
  OK(GxB_set(GxB_CONTEXT_WORLD, GxB_NTHREADS, 3));
  IS_NUMBER(GrB_GLOBAL, GxB_NTHREADS, 3);
  assert_int_equal(threads_of_call(), 1);
  OK(GrB_free(&one)); /* disengages */
  assert_null(one);
  if (is_parallel) assert_int_equal(threads_of_call(), 3);

  OK(GrB_wait(three, GrB_COMPLETE));
  OK(GxB_Context_fprint(three, "three", GxB_SILENT, NULL));
  OK(GrB_free(&three)), OK(GrB_free(&world));
  assert_ptr_equal(world, GxB_CONTEXT_WORLD);
  assert_int_equal(GxB_Context_engage(NULL), GrB_NULL_POINTER);
  assert_int_equal(GxB_Context_new(NULL), GrB_NULL_POINTER);
  OK(GrB_set(GrB_GLOBAL, before, GxB_NTHREADS));
}

/* Each thread of the program has its own context. */
static void *call_with_threads(void *wanted) {
  GxB_Context context = NULL;
  const int n = *(int *)wanted;
  bool fine = GxB_Context_new(&context) == GrB_SUCCESS &&
              GxB_Context_set_INT(context, n, GxB_NTHREADS) == GrB_SUCCESS &&
              GxB_Context_engage(context) == GrB_SUCCESS;
  fine = fine && threads_of_call() == n;
  fine = fine && GxB_Context_disengage(context) == GrB_SUCCESS && threads_of_call() == 2;
  return fine && GxB_Context_free(&context) == GrB_SUCCESS ? wanted : NULL;
}

static void test_threads(void **state) {
  const int before = Grid_threads(0);
  if (Grid_size() > 1) skip(); /* MPI may not allow calls of other threads */
  OK(GrB_set(GrB_GLOBAL, 2, GxB_NTHREADS));
  for (int n = 1; n < 5; n++) {
    pthread_t thread;
    void *outcome = NULL;
    assert_int_equal(pthread_create(&thread, NULL, call_with_threads, &n), 0);
    assert_int_equal(pthread_join(thread, &outcome), 0);
    assert_non_null(outcome);
  }
  OK(GrB_set(GrB_GLOBAL, before, GxB_NTHREADS));
}

/* Out of memory: an option keeps its value. */
static void test_memory(void **state) {
  OK(GrB_set(GrB_GLOBAL, "before", GxB_JIT_ERROR_LOG));
  grid_mem_fail_after(0);
  const GrB_Info info = GrB_set(GrB_GLOBAL, "other", GxB_JIT_ERROR_LOG);
  grid_mem_fail_after(-1);
  assert_on_all(info == GrB_OUT_OF_MEMORY);
  IS_STRING(GrB_GLOBAL, GxB_JIT_ERROR_LOG, "before");
}

/* Requests for more threads than are sensible, which would only wait for each other. */
static void test_many_threads(void **state) {
  const int before = Grid_threads(0);
  const long cores = sysconf(_SC_NPROCESSORS_ONLN);
  const int most = 16 * cores > 64 ? 16 * (int)cores : 64;
  GxB_Context context = NULL;
  int32_t threads = 0;
  assert_in_range(Grid_threads(most + 1), 1, most);
  OK(GxB_Context_new(&context));
  OK(GxB_Context_set_INT32(context, GxB_NTHREADS, most + 1));
  OK(GxB_Context_get_INT32(context, GxB_NTHREADS, &threads));
  assert_in_range(threads, 1, most);
  OK(GrB_free(&context));
  OK(GrB_set(GrB_GLOBAL, before, GxB_NTHREADS));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_constants),   cmocka_unit_test(test_about),
                                     cmocka_unit_test(test_global),      cmocka_unit_test(test_burble),
                                     cmocka_unit_test(test_collections), cmocka_unit_test(test_descriptors),
                                     cmocka_unit_test(test_contexts),    cmocka_unit_test(test_threads),
                                     cmocka_unit_test(test_memory),      cmocka_unit_test(test_many_threads)};
  if (GrB_init(GrB_NONBLOCKING) != GrB_SUCCESS) return 1;
  int64_t before = grid_mem_live();
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  GrB_finalize();
  before -= grid_mem_live();
  if (before < 0) printf("%lld blocks leak\n", (long long)-before), failed++;
  return failed;
}
