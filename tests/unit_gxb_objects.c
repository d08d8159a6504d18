/* SuiteSparse's extensions of types, operators, monoids and scalars: names and texts, functions made of text
 * alone, what objects are made of, arenas; GxB_init. Runs on any number of processes. */
#include <stdio.h>
#include <string.h>

#include "tests/unit.h"
#include "gridblas.h"
#include "gridblas_gxb_objects.h"
#include "semiring/support/mem.h"
#include "semiring/support/user_memory.h"
#include "tests/assert_all.h"
#include "tests/assert_fields.h"

#define OK(call) assert_int_equal(call, GrB_SUCCESS)

/* ---- types and operators ---- */

typedef struct {
  double re, im;
} pair;
#define PAIR_TEXT "typedef struct { double re, im; } pair;"

static void test_types(void **state) {
  GrB_Type named = NULL, unnamed = NULL, odd = NULL, found = GrB_INT8;
  char name[GxB_MAX_NAME_LEN] = "?", letters[300];
  size_t size;
  OK(GxB_Type_new(&named, sizeof(pair), "pair", PAIR_TEXT));
  OK(GxB_Type_new(&unnamed, 5, NULL, NULL));
  OK(GxB_Type_new(&odd, 3, "not an identifier", "typedef char what;"));
  IS_STRING(named, GxB_JIT_C_NAME, "pair");
  IS_STRING(named, GxB_JIT_C_DEFINITION, PAIR_TEXT);
  IS_STRING(named, GrB_NAME, "");
  IS_STRING(odd, GxB_JIT_C_NAME, "not an identifier");
  IS_STRING(odd, GxB_JIT_C_DEFINITION, "");
  IS_STRING(GrB_FP64, GxB_JIT_C_NAME, "double");
  IS_STRING(GrB_FP64, GxB_JIT_C_DEFINITION, "");
  OK(GxB_Type_name(name, named));
  assert_string_equal(name, "pair");
  OK(GxB_Type_name(name, GrB_UINT16));
  assert_string_equal(name, "uint16_t");
  OK(GxB_Type_name(name, unnamed));
  assert_string_equal(name, "");
  OK(GxB_Type_size(&size, unnamed));
  assert_int_equal(size, 5);
  OK(GxB_Type_size(&size, GrB_INT16));
  assert_int_equal(size, 2);

  OK(GrB_set(unnamed, "later", GxB_JIT_C_NAME));
  OK(GrB_set(unnamed, "typedef struct { char x[5]; } later;", GxB_JIT_C_DEFINITION));
  IS_STRING(unnamed, GxB_JIT_C_NAME, "later");
  IS_STRING(unnamed, GxB_JIT_C_DEFINITION, "typedef struct { char x[5]; } later;");
  assert_int_equal(GrB_set(unnamed, "again", GxB_JIT_C_NAME), GrB_ALREADY_SET);
  assert_int_equal(GrB_set(unnamed, "typedef int again;", GxB_JIT_C_DEFINITION), GrB_ALREADY_SET);
  assert_int_equal(GrB_set(GrB_FP64, "again", GxB_JIT_C_NAME), GrB_INVALID_VALUE);

  OK(GxB_Type_from_name(&found, "double"));
  assert_ptr_equal(found, GrB_FP64);
  OK(GxB_Type_from_name(&found, "GrB_UINT8"));
  assert_ptr_equal(found, GrB_UINT8);
  OK(GxB_Type_from_name(&found, "bool"));
  assert_ptr_equal(found, GrB_BOOL);
  OK(GxB_Type_from_name(&found, "pair"));
  assert_null(found);
  assert_int_equal(GxB_Type_from_name(NULL, "double"), GrB_NULL_POINTER);
  assert_int_equal(GxB_Type_from_name(&found, NULL), GrB_NULL_POINTER);
  assert_int_equal(GxB_Type_new(NULL, 4, NULL, NULL), GrB_NULL_POINTER);
  assert_int_equal(GxB_Type_new(&found, 0, NULL, NULL), GrB_INVALID_VALUE);
  assert_int_equal(GxB_Type_new(&found, 0, "name", NULL), GrB_INVALID_VALUE);
  assert_int_equal(GxB_Type_size(NULL, GrB_FP64), GrB_NULL_POINTER);
  assert_int_equal(GxB_Type_name(name, NULL), GrB_NULL_POINTER);

  memset(letters, 'x', sizeof letters), letters[299] = 0;
  GrB_Type long_name = NULL;
  OK(GxB_Type_new(&long_name, 4, letters, "typedef int x;"));
  OK(GxB_Type_name(name, long_name));
  assert_int_equal(strlen(name), GxB_MAX_NAME_LEN - 1);
  OK(GrB_free(&named)), OK(GrB_free(&unnamed)), OK(GrB_free(&odd)), OK(GrB_free(&long_name));
}

static void twice(void *z, const void *x) {
  *(double *)z = 2 * *(const double *)x;
}
static void less(void *z, const void *x, const void *y) {
  *(bool *)z = *(const float *)x < *(const double *)y;
}
static void distance(void *z, const void *x, GrB_Index i, GrB_Index j, const void *y) {
  (void)x;
  *(int64_t *)z = (int64_t)i - (int64_t)j + *(const int8_t *)y;
}

static void test_operators(void **state) {
  GrB_UnaryOp unary = NULL;
  GrB_BinaryOp binary = NULL;
  GrB_IndexUnaryOp index = NULL;
  GrB_Type type = NULL;
  char name[GxB_MAX_NAME_LEN];
  OK(GxB_UnaryOp_new(&unary, twice, GrB_FP64, GrB_FP64, "twice",
                     "void twice(double *z, const double *x) { *z = 2 * *x; }"));
  OK(GxB_BinaryOp_new(&binary, less, GrB_BOOL, GrB_FP32, GrB_FP64, "less", NULL));
  OK(GxB_IndexUnaryOp_new(&index, distance, GrB_INT64, GrB_UINT8, GrB_INT8, NULL, NULL));
  IS_STRING(unary, GxB_JIT_C_NAME, "twice");
  IS_STRING(unary, GxB_JIT_C_DEFINITION, "void twice(double *z, const double *x) { *z = 2 * *x; }");
  IS_STRING(binary, GxB_JIT_C_NAME, "less");
  IS_STRING(binary, GxB_JIT_C_DEFINITION, "");
  IS_STRING(index, GxB_JIT_C_NAME, "");
  IS_STRING(GrB_PLUS_FP64, GxB_JIT_C_NAME, "plus");
  IS_STRING(GrB_VALUEGT_INT8, GxB_JIT_C_NAME, "valuegt");
#define HAS_NAME(K, which, op, word)          \
  OK(GxB_##K##_##which##type_name(name, op)); \
  assert_string_equal(name, word);
#define HAS_TYPE(K, which, op, want, word) \
  OK(GxB_##K##_##which##type(&type, op));  \
  assert_ptr_equal(type, want);            \
  HAS_NAME(K, which, op, word)
  HAS_TYPE(UnaryOp, z, unary, GrB_FP64, "double")
  HAS_TYPE(UnaryOp, x, unary, GrB_FP64, "double")
  HAS_TYPE(BinaryOp, z, binary, GrB_BOOL, "bool")
  HAS_TYPE(BinaryOp, x, binary, GrB_FP32, "float")
  HAS_TYPE(BinaryOp, y, binary, GrB_FP64, "double")
  HAS_NAME(IndexUnaryOp, z, index, "int64_t")
  HAS_NAME(IndexUnaryOp, x, index, "uint8_t")
  HAS_NAME(IndexUnaryOp, y, index, "int8_t")
  HAS_TYPE(BinaryOp, z, GrB_EQ_INT32, GrB_BOOL, "bool")
  assert_int_equal(GxB_IndexUnaryOp_xtype_name(name, GrB_TRIL), GrB_NO_VALUE);
  assert_int_equal(GxB_BinaryOp_xtype(NULL, binary), GrB_NULL_POINTER);
  assert_int_equal(GxB_BinaryOp_xtype(&type, NULL), GrB_NULL_POINTER);
  assert_int_equal(GxB_UnaryOp_new(NULL, twice, GrB_FP64, GrB_FP64, NULL, NULL), GrB_NULL_POINTER);
  assert_int_equal(GxB_UnaryOp_new(&unary, NULL, GrB_FP64, GrB_FP64, NULL, NULL), GrB_NULL_POINTER);
  assert_int_equal(GxB_UnaryOp_new(&unary, NULL, GrB_FP64, GrB_FP64, "name", NULL), GrB_NULL_POINTER);
  assert_int_equal(GxB_BinaryOp_new(&binary, less, GrB_BOOL, NULL, GrB_FP64, NULL, NULL), GrB_NULL_POINTER);
  OK(GrB_free(&unary)), OK(GrB_free(&binary)), OK(GrB_free(&index));
}

/* Functions and the size of a type, made of text alone. */
static void test_texts(void **state) {
  GrB_Type type = NULL;
  GrB_UnaryOp unary = NULL, other = NULL;
  GrB_BinaryOp binary = NULL;
  GrB_IndexUnaryOp index = NULL;
  GxB_IndexBinaryOp positions = NULL;
  size_t size = 0;
  char compiler[4000];
  OK(GrB_get(GrB_GLOBAL, compiler, GxB_JIT_C_COMPILER_NAME));
  if (!*compiler) skip();
  OK(GxB_Type_new(&type, 0, "pair", PAIR_TEXT));
  OK(GxB_Type_size(&size, type));
  assert_int_equal(size, sizeof(pair));
  OK(GxB_UnaryOp_new(&unary, NULL, GrB_FP64, type, "norm",
                     "void norm(double *z, const pair *x) { *z = sqrt(x->re * x->re + x->im * x->im); }"));
  OK(GxB_BinaryOp_new(&binary, NULL, type, GrB_FP64, GrB_FP64, "join",
                      "void join(pair *z, const double *x, const double *y) { z->re = *x, z->im = *y; }"));
  OK(GxB_IndexUnaryOp_new(
      &index, NULL, GrB_INT64, GrB_FP64, GrB_INT64, "where",
      "void where(int64_t *z, const double *x, GrB_Index i, GrB_Index j, const int64_t *y)\n"
      "{ *z = 100 * i + 10 * j + *y + (*x > 3.5); }"));
  OK(GxB_IndexBinaryOp_new(
      &positions, NULL, GrB_INT64, GrB_INT64, GrB_INT64, GrB_INT64, "add_rows",
      "void add_rows(int64_t *z, const int64_t *x, GrB_Index ix, GrB_Index jx, const "
      "int64_t *y, GrB_Index iy, GrB_Index jy, const int64_t *t) { *z = *x + *y + ix + iy + "
      "*t; }"));
  GrB_Vector u, v, w, p;
  OK(GrB_Vector_new(&u, GrB_FP64, 9)), OK(GrB_Vector_new(&w, GrB_FP64, 9)), OK(GrB_Vector_new(&p, type, 9));
  OK(GrB_Vector_new(&v, GrB_INT64, 9));
  OK(GrB_assign(u, NULL, NULL, 3.0, GrB_ALL, 9, NULL));
  OK(GrB_assign(w, NULL, NULL, 4.0, GrB_ALL, 9, NULL));
  OK(GrB_eWiseMult(p, NULL, NULL, binary, u, w, NULL));
  OK(GrB_apply(u, NULL, NULL, unary, p, NULL));
  double sum = 0;
  OK(GrB_reduce(&sum, NULL, GrB_PLUS_MONOID_FP64, u, NULL));
  assert_true(sum == 9 * 5.0);
  OK(GrB_apply(v, NULL, NULL, index, w, (int64_t)5, NULL));
  int64_t total = 0;
  OK(GrB_reduce(&total, NULL, GrB_PLUS_MONOID_INT64, v, NULL));
  assert_int_equal(total, 100 * 36 + 9 * 6);
  GrB_Scalar theta;
  GrB_BinaryOp bound;
  OK(GrB_Scalar_new(&theta, GrB_INT64)), OK(GrB_Scalar_setElement_INT64(theta, 1000));
  OK(GxB_BinaryOp_new_IndexOp(&bound, positions, theta));
  OK(GrB_eWiseMult(v, NULL, NULL, bound, v, v, NULL));
  OK(GrB_reduce(&total, NULL, GrB_PLUS_MONOID_INT64, v, NULL));
  assert_int_equal(total, 2 * (100 * 36 + 9 * 6) + 2 * 36 + 9 * 1000);

  assert_int_equal((int)GxB_UnaryOp_new(&other, NULL, GrB_FP64, GrB_FP64, "wrong", "this is not C"),
                   GxB_JIT_ERROR);
  assert_null(other);
  assert_true(strstr(Grid_last_error(), "error") != NULL);
  OK(GrB_set(GrB_GLOBAL, GxB_JIT_RUN, GxB_JIT_C_CONTROL));
  assert_int_equal((int)GxB_UnaryOp_new(&other, NULL, GrB_FP64, GrB_FP64, "thrice",
                                        "void thrice(double *z, const double *x) { *z = 3 * *x; }"),
                   GxB_JIT_ERROR);
  OK(GrB_set(GrB_GLOBAL, GxB_JIT_ON, GxB_JIT_C_CONTROL));
  /* the preface and the flags take part, also of an operator of the same text as one before */
  static const char *const preface[] = {"#define THREE 3", "#define THREE 4", "#define THREE 4"},
                           *const flags[] = {"-DONE=1 -DTWO=2", "-DONE=1 -DTWO=2", "-DONE=1 -DTWO=3"};
  for (int k = 0; k < 3; k++) {
    OK(GrB_Global_set_String(GrB_GLOBAL, preface[k], GxB_JIT_C_PREFACE));
    OK(GrB_Global_set_String(GrB_GLOBAL, flags[k], GxB_JIT_C_COMPILER_FLAGS));
    OK(GxB_UnaryOp_new(&other, NULL, GrB_FP64, GrB_FP64, "sum",
                       "void sum(double *z, const double *x) { *z = *x + ONE + TWO + THREE; }"));
    OK(GrB_apply(u, NULL, NULL, other, w, NULL));
    OK(GrB_reduce(&sum, NULL, GrB_PLUS_MONOID_FP64, u, NULL));
    assert_true(sum == 9 * (10.0 + k));
    OK(GrB_free(&other));
  }
  OK(GrB_set(GrB_GLOBAL, "", GxB_JIT_C_PREFACE)), OK(GrB_set(GrB_GLOBAL, "", GxB_JIT_C_COMPILER_FLAGS));
  OK(GrB_free(&u)), OK(GrB_free(&v)), OK(GrB_free(&w)), OK(GrB_free(&p)), OK(GrB_free(&theta));
  OK(GrB_free(&bound)), OK(GrB_free(&positions)), OK(GrB_free(&unary));
  OK(GrB_free(&binary)), OK(GrB_free(&index)), OK(GrB_free(&type));
}

/* ---- monoids and semirings ---- */

static void clip(void *z, const void *x, const void *y) {
  const int64_t sum = *(const int64_t *)x + *(const int64_t *)y;
  *(int64_t *)z = sum < 100 ? sum : 100;
}

static void test_monoids(void **state) {
  GrB_BinaryOp op, found = NULL;
  GrB_Monoid monoid, plus, without, of_semiring = NULL;
  GrB_Semiring semiring;
  GrB_Scalar value;
  int64_t x = -1;
  double real = -1;
  bool has = false;
  OK(GrB_Scalar_new(&value, GrB_FP64));
  OK(GrB_BinaryOp_new(&op, clip, GrB_INT64, GrB_INT64, GrB_INT64));
  OK(GxB_Monoid_terminal_new(&monoid, op, (int64_t)0, (int64_t)100));
  OK(GrB_Monoid_new(&without, op, (int64_t)0));
  OK(GxB_Monoid_operator(&found, monoid));
  assert_ptr_equal(found, op);
  OK(GxB_Monoid_identity(&x, monoid));
  assert_int_equal(x, 0);
  OK(GxB_Monoid_terminal(&has, &x, monoid));
  assert_true(has && x == 100);
  OK(GxB_Monoid_terminal(&has, &x, without));
  assert_false(has);
  OK(GrB_get(monoid, value, GxB_MONOID_TERMINAL));
  OK(GrB_Scalar_extractElement_FP64(&real, value));
  assert_true(real == 100);
  OK(GrB_get(without, value, GxB_MONOID_TERMINAL));
  assert_int_equal(GrB_Scalar_extractElement_FP64(&real, value), GrB_NO_VALUE);
  OK(GrB_get(GrB_TIMES_MONOID_INT8, value, GxB_MONOID_IDENTITY));
  OK(GrB_Scalar_extractElement_FP64(&real, value));
  assert_true(real == 1);

  /* a predefined operator has its monoid's values */
  OK(GxB_Monoid_terminal_new(&plus, GrB_PLUS_FP64, 7.0, 8.0));
  OK(GxB_Monoid_identity(&real, plus));
  assert_true(real == 0);
  OK(GxB_Monoid_terminal(&has, &real, plus));
  assert_false(has);

  OK(GrB_Semiring_new(&semiring, monoid, GrB_FIRST_INT64));
  OK(GxB_Semiring_add(&of_semiring, semiring));
  assert_ptr_equal(of_semiring, monoid);
  OK(GxB_Semiring_multiply(&found, semiring));
  assert_ptr_equal(found, GrB_FIRST_INT64);
  GrB_BinaryOp handle = NULL;
  size_t size = 0;
  OK(GrB_get(semiring, (void *)&handle, GxB_SEMIRING_MULTIPLY));
  assert_ptr_equal(handle, GrB_FIRST_INT64);
  OK(GrB_get(semiring, &size, GxB_SEMIRING_MULTIPLY));
  assert_int_equal(size, sizeof handle);
  OK(GrB_get(semiring, (void *)&handle, GxB_MONOID_OPERATOR));
  assert_ptr_equal(handle, op);
  OK(GrB_get(semiring, (void *)&of_semiring, GxB_SEMIRING_MONOID));
  assert_ptr_equal(of_semiring, monoid);

  /* sums with a terminal value, in products and reductions */
  GrB_Vector u, w;
  GrB_Matrix A;
  OK(GrB_Vector_new(&u, GrB_INT64, 300)), OK(GrB_Vector_new(&w, GrB_INT64, 300));
  OK(GrB_Matrix_new(&A, GrB_INT64, 300, 300));
  for (GrB_Index i = 0; i < 300; i += 3)
    for (GrB_Index j = 0; j < 300; j += 7) OK(GrB_Matrix_setElement_INT64(A, i % 2 ? 1 : 5, i, j));
  OK(GrB_assign(u, NULL, NULL, (int64_t)1, GrB_ALL, 300, NULL));
  OK(GrB_mxv(w, NULL, NULL, semiring, A, u, NULL));
  bool fine = true;
  for (GrB_Index i = 0; i < 300; i++) {
    const GrB_Info info = GrB_Vector_extractElement_INT64(&x, w, i);
    fine = fine && (i % 3 ? info == GrB_NO_VALUE : info == GrB_SUCCESS && x == (i % 2 ? 43 : 100));
  }
  assert_on_all(fine);
  OK(GrB_reduce(&x, NULL, monoid, A, NULL));
  assert_int_equal(x, 100);
  OK(GrB_mxm(A, NULL, NULL, semiring, A, A, NULL));
  OK(GrB_free(&u)), OK(GrB_free(&w)), OK(GrB_free(&A));

  pair identity = {0, 0};
  assert_int_equal(GxB_Monoid_terminal_new_UDT(&plus, op, &identity, NULL), GrB_NULL_POINTER);
  assert_int_equal(GxB_Monoid_terminal_new_UDT(&plus, op, &identity, &identity), GrB_DOMAIN_MISMATCH);
  assert_int_equal(GxB_Monoid_terminal_new_FP64(&plus, op, 0, 1), GrB_DOMAIN_MISMATCH);
  assert_int_equal(GxB_Monoid_identity(NULL, monoid), GrB_NULL_POINTER);
  assert_int_equal(GxB_Semiring_add(NULL, semiring), GrB_NULL_POINTER);
  OK(GrB_free(&semiring)), OK(GrB_free(&monoid)), OK(GrB_free(&without)), OK(GrB_free(&plus));
  OK(GrB_free(&op)), OK(GrB_free(&value));
}

/* ---- arenas ---- */

static void test_arenas(void **state) {
  int is = 9;
  GrB_UnaryOp op = NULL;
  GrB_Scalar s = NULL;
  GrB_Monoid monoid = NULL;
  OK(GxB_arena_initialized(&is, 0));
  assert_int_equal(is, 1);
  OK(GxB_arena_initialized(&is, 3));
  assert_int_equal(is, 0);
  assert_int_equal(GxB_UnaryOp_new_arena(&op, twice, GrB_FP64, GrB_FP64, NULL, NULL, 3), GrB_INVALID_VALUE);
  assert_null(op);
  OK(GxB_arena_init(3, malloc, NULL, NULL, free));
  OK(GxB_arena_initialized(&is, 3));
  assert_int_equal(is, 1);
  OK(GxB_UnaryOp_new_arena(&op, twice, GrB_FP64, GrB_FP64, "twice", NULL, 3));
  OK(GxB_Monoid_terminal_new_arena_INT8(&monoid, GrB_PLUS_INT8, 0, 1, 0));
  OK(GxB_Scalar_new_arena(&s, GrB_FP64, 3, 0));
  OK(GxB_Scalar_set_arenas(&s, 0, 3));
  assert_int_equal(GxB_Scalar_set_arenas(&s, 0, 4), GrB_INVALID_VALUE);
  assert_int_equal(GxB_Scalar_set_arenas(NULL, 0, 0), GrB_NULL_POINTER);
  assert_int_equal(GxB_arena_init(3, malloc, NULL, NULL, free), GrB_INVALID_VALUE);
  assert_int_equal(GxB_arena_init(0, malloc, NULL, NULL, free), GrB_INVALID_VALUE);
  assert_int_equal(GxB_arena_init(GxB_NARENAS, malloc, NULL, NULL, free), GrB_INVALID_VALUE);
  assert_int_equal(GxB_arena_init(4, malloc, NULL, NULL, NULL), GrB_NULL_POINTER);
  assert_int_equal(GxB_arena_initialized(&is, -1), GrB_INVALID_VALUE);
  assert_int_equal(GxB_arena_initialized(NULL, 1), GrB_NULL_POINTER);
  OK(GrB_free(&op)), OK(GrB_free(&s)), OK(GrB_free(&monoid));
}

/* ---- scalars, printing, the library's state ---- */

static void test_scalars(void **state) {
  GxB_Scalar s = NULL, t = NULL;
  GrB_Index nvals = 9;
  size_t size = 0;
  const char *text = NULL;
  float x = 0;
  OK(GxB_Scalar_new(&s, GrB_FP32));
  OK(GxB_Scalar_setElement(s, 2.5F));
  OK(GxB_Scalar_dup(&t, s));
  OK(GxB_Scalar_clear(s));
  OK(GxB_Scalar_nvals(&nvals, s));
  assert_int_equal(nvals, 0);
  OK(GxB_Scalar_extractElement(&x, t));
  assert_true(x == 2.5F);
  assert_int_equal(GxB_Scalar_extractElement_FP32(&x, s), GrB_NO_VALUE);
  OK(GxB_Scalar_wait(&s));
  OK(GxB_Scalar_error(&text, s));
  OK(GxB_Scalar_memoryUsage(&size, s));
  assert_true(size >= sizeof x);
  assert_int_equal(GxB_Scalar_memoryUsage(NULL, s), GrB_NULL_POINTER);
  assert_int_equal(GxB_Scalar_wait(NULL), GrB_NULL_POINTER);
  OK(GxB_Scalar_free(&s)), OK(GxB_Scalar_free(&t));
}

static void test_print(void **state) {
  char text[400] = "";
  GrB_Vector u;
  FILE *f = tmpfile();
  assert_on_all(f != NULL);
  OK(GrB_Vector_new(&u, GrB_INT16, 9)), OK(GrB_Vector_setElement_INT16(u, -7, 4));
  OK(GrB_set(GrB_GLOBAL, 1, GxB_PRINT_1BASED));
  OK(GxB_Vector_fprint(u, "u", GxB_SHORT, f));
  OK(GrB_set(GrB_GLOBAL, 0, GxB_PRINT_1BASED));
  OK(GxB_Vector_fprint(u, "u", GxB_SHORT, f));
  OK(GxB_fprint(GxB_CONTEXT_WORLD, GxB_SHORT, f));
  rewind(f);
  text[fread(text, 1, sizeof text - 1, f)] = 0;
  fclose(f);
  assert_on_all(strstr(text, "(5)  -7") && strstr(text, "(4)  -7") && strstr(text, "context, "));
  OK(GrB_free(&u));
}

static void test_state(void **state) {
  int is = 9;
  OK(GxB_initialized(&is));
  assert_int_equal(is, 1);
  OK(GxB_finalized(&is));
  assert_int_equal(is, 0);
  assert_int_equal(GxB_initialized(NULL), GrB_NULL_POINTER);
  assert_int_equal(GxB_finalized(NULL), GrB_NULL_POINTER);
  assert_int_equal(GxB_init(GrB_BLOCKING, malloc, NULL, NULL, free), GrB_INVALID_VALUE); /* it is already */
  assert_int_equal(GxB_init(GrB_BLOCKING, NULL, NULL, NULL, free), GrB_NULL_POINTER);
  assert_int_equal(GxB_init(GrB_BLOCKING, malloc, NULL, NULL, NULL), GrB_NULL_POINTER);
  GxB_atfork_prepare();
  GxB_atfork_parent();
}

/* Out of memory: nothing is made. */
static void test_memory(void **state) {
  GrB_Type type = NULL;
  GrB_UnaryOp op = NULL;
  GxB_Context context = NULL;
  GrB_Monoid monoid = NULL;
  grid_mem_fail_after(0);
  const GrB_Info of_type = GxB_Type_new(&type, 8, "name", NULL), of_context = GxB_Context_new(&context),
                 of_op = GxB_UnaryOp_new(&op, twice, GrB_FP64, GrB_FP64, "twice", NULL),
                 of_monoid = GxB_Monoid_terminal_new_FP64(&monoid, GrB_PLUS_FP64, 0, 1);
  grid_mem_fail_after(-1);
  assert_on_all(of_type == GrB_OUT_OF_MEMORY && of_context == GrB_OUT_OF_MEMORY &&
                of_op == GrB_OUT_OF_MEMORY && of_monoid == GrB_OUT_OF_MEMORY);
  assert_true(!type && !op && !context && !monoid);
}

/* ---- the functions of GxB_init ---- */

static int allocated;
static void *counted_malloc(size_t bytes) {
  allocated++;
  return malloc(bytes);
}
static void counted_free(void *p) {
  allocated--;
  free(p);
}

static int check_memory_functions(void) {
  void *function = NULL;
  void *(*set)(size_t) = counted_malloc;
  int is = 9;
  if (GxB_finalized(&is) != GrB_SUCCESS || is != 0) return 1;
  if (GxB_init(GxB_NONBLOCKING_GPU, counted_malloc, NULL, NULL, counted_free) != GrB_SUCCESS) return 1;
  if (GxB_Global_Option_get_FUNCTION(GxB_MALLOC_FUNCTION, &function) != GrB_SUCCESS) return 1;
  if (memcmp(&function, &set, sizeof function) != 0) return 1;
  if (GxB_Global_Option_get_FUNCTION(GxB_CALLOC_FUNCTION, &function) != GrB_SUCCESS || function) return 1;
  void *p = grid_user_malloc(3, 5);
  if (!p || allocated != 1) return 1;
  grid_user_free(p);
  if (grid_user_malloc(SIZE_MAX, 2) || allocated != 0) return 1;
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_types),   cmocka_unit_test(test_operators), cmocka_unit_test(test_texts),
      cmocka_unit_test(test_monoids), cmocka_unit_test(test_arenas),    cmocka_unit_test(test_scalars),
      cmocka_unit_test(test_print),   cmocka_unit_test(test_state),     cmocka_unit_test(test_memory)};
  int is = 9;
  if (GxB_initialized(&is) != GrB_SUCCESS || is != 0) return 1;
  if (check_memory_functions()) {
    printf("the functions of GxB_init are not used\n");
    return 1;
  }
  /* functions are compiled here, not found on disk */
  if (GrB_set(GrB_GLOBAL, "off", GxB_JIT_CACHE_PATH) != GrB_SUCCESS) return 1;
  int64_t before = grid_mem_live();
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  failed += GrB_finalize() != GrB_SUCCESS || GrB_finalize() != GrB_SUCCESS; /* the second does nothing */
  before -= grid_mem_live();
  if (before < 0) printf("%lld blocks leak\n", (long long)-before), failed++;
  if (GxB_finalized(&is) != GrB_SUCCESS || is != 1 || GxB_initialized(&is) != GrB_SUCCESS || is != 0)
    failed++;
  return failed;
}
