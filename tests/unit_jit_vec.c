/* The run-time compiled vector kernels (spmat/cuda/kernels/vec_*.cuh): each compiles for every predefined
 * type, for every operator that it supports, and for user-defined ones. NVRTC needs no GPU, so neither does
 * this. */
#include "tests/unit.h"
#include <stdio.h>
#include <stdlib.h>

#include "semiring/builtin.h"

#ifndef GRID_HAVE_CUDA
int main(void) {
  printf("skipped: built without CUDA\n");
  return 77;
}
#else
#include "spmat/cuda/matrix/cuda_matrix.h"
#include "spmat/cuda/vector/vec_source.h"

static void compiles(grid_jit_source *s, const char *file) {
  grid_jit_code *code = NULL;
  assert_false(s->absent || s->no_memory);
  GrB_Info info = grid_jit_compile(&code, s, file);
  if (info != GrB_SUCCESS) fail_msg("%s: %s\n%s", file, grid_last_error(), s->text);
  grid_jit_free(s);
}

/* A type number that differs from k, so that casts of all kinds come up. */
static GrB_Type different_type(int k) {
  return grid_types[(k * 5 + 3) % GRID_NTYPES];
}

static void test_write(void **state) {
  GrB_BinaryOp accum[] = {GrB_PLUS_INT32, GrB_LOR, GrB_MIN_FP64, GrB_SECOND_INT16, GrB_DIV_UINT64};
  grid_jit_source s;
  for (int k = 0; k < GRID_NTYPES; k++) {
    grid_source_write(&s, grid_types[k], different_type(k), k % 2 ? accum[k % 5] : NULL);
    compiles(&s, "vec_write.cuh");
  }
}

static void test_apply(void **state) {
  grid_jit_source s;
  grid_source_unary(&s, GrB_INT64, GrB_FP64, GrB_AINV_INT64), compiles(&s, "vec_apply.cuh");
  grid_source_unary(&s, GrB_BOOL, GrB_BOOL, GrB_LNOT), compiles(&s, "vec_apply.cuh");
  grid_source_binary(&s, GrB_FP32, GrB_INT8, GrB_DIV_FP32, true), compiles(&s, "vec_apply.cuh");
  grid_source_binary(&s, GrB_BOOL, GrB_INT64, GrB_LT_INT64, false), compiles(&s, "vec_apply.cuh");
  grid_source_index(&s, GrB_INT32, GrB_FP32, GrB_ROWINDEX_INT32), compiles(&s, "vec_apply.cuh");
  grid_source_index(&s, GrB_BOOL, GrB_UINT8, GrB_VALUEGT_INT16), compiles(&s, "vec_apply.cuh");
}

static void test_select(void **state) {
  GrB_IndexUnaryOp ops[] = {GrB_ROWLE, GrB_VALUEEQ_FP64, GrB_ROWINDEX_INT64, GrB_VALUELT_UINT32};
  grid_jit_source s;
  for (int k = 0; k < 4; k++) {
    grid_source_select(&s, different_type(k), ops[k]);
    compiles(&s, "vec_select.cuh");
  }
}

static void test_reduce(void **state) {
  GrB_BinaryOp ops[] = {GrB_PLUS_FP64, GrB_LOR, GrB_MIN_INT8, Grid_ANY_UINT16, GrB_BXOR_UINT64, GrB_MAX_FP32};
  grid_jit_source s;
  for (int k = 0; k < 6; k++) {
    grid_source_reduce(&s, k % 2 ? ops[k]->x : different_type(k), ops[k]);
    compiles(&s, "vec_reduce.cuh");
  }
}

static void test_combine(void **state) {
  GrB_BinaryOp ops[] = {NULL, GrB_MIN_INT64, GrB_PLUS_FP64, GrB_FIRST_UINT8, GrB_LOR, GrB_MAX_INT16};
  grid_jit_source s;
  for (int k = 0; k < 6; k++) {
    grid_source_combine(&s, k % 2 ? ops[k]->z : different_type(k), grid_types[k], ops[k]);
    compiles(&s, "combine_sorted.cuh");
  }
}

static void test_ewise(void **state) {
  GrB_BinaryOp ops[] = {GrB_PLUS_INT32, GrB_LAND, GrB_GE_FP64, GrB_FIRST_INT16, GrB_TIMES_UINT8};
  grid_jit_source s;
  for (int k = 0; k < 10; k++) {
    grid_source_ewise(&s, ops[k / 2]->z, different_type(k), grid_types[k], ops[k / 2], k % 2);
    compiles(&s, "vec_ewise.cuh");
  }
}

/* Fused kernels: one call of each kind, with a name that two of the texts define. */
static void test_fused(void **state) {
  enum { KINDS = 7 };
  static const char *const file[KINDS] = {"vec_ewise.cuh",  "vec_apply.cuh", "vec_apply.cuh", "vec_ewise.cuh",
                                          "vec_select.cuh", "vec_write.cuh", "vec_bits.cuh"};
  grid_jit_source s, of[KINDS];
  const char *text[KINDS];
  for (int round = 0; round < 3; round++) {
    grid_source_ewise(&of[0], grid_types[round], different_type(round), GrB_FP32, GrB_TIMES_FP32, false);
    grid_source_binary(&of[1], GrB_FP32, different_type(round), GrB_DIV_FP32, round % 2);
    grid_source_index(&of[2], GrB_INT64, GrB_FP32, GrB_ROWINDEX_INT64);
    grid_source_ewise(&of[3], GrB_INT32, GrB_INT64, grid_types[round + 5], GrB_PLUS_INT32, true);
    grid_source_select(&of[4], GrB_INT32, round % 2 ? GrB_ROWLE : GrB_VALUEGT_INT32);
    grid_source_write(&of[5], different_type(round + 2), GrB_INT32, round % 2 ? GrB_MIN_FP64 : NULL);
    grid_jit_begin(&of[6]);
    for (int k = 0; k < KINDS; k++) {
      grid_jit_append(&of[k], "#include \"%s\"\n", file[k]);
      assert_false(of[k].absent || of[k].no_memory);
      text[k] = of[k].text;
    }
    for (int n = 2; n <= KINDS; n += 5)
      assert_true(grid_source_fused(&s, text + KINDS - n, n)), compiles(&s, "vec_fused.cuh");
    for (int k = 0; k < KINDS; k++) grid_jit_free(&of[k]);
  }
}

/* Those for matrices. */
static void test_parts(void **state) {
  GrB_BinaryOp ops[] = {GrB_PLUS_INT32, GrB_LAND, GrB_GE_FP64, GrB_FIRST_INT16, NULL};
  GrB_IndexUnaryOp picks[] = {GrB_TRIL, GrB_VALUEEQ_FP64, GrB_COLINDEX_INT64, GrB_VALUELT_UINT32};
  grid_jit_source s;
  for (int k = 0; k < 10; k++) {
    grid_source_pairs(&s, different_type(k + 1), different_type(k), grid_types[k], ops[k / 2],
                      k % 2 || !ops[k / 2]);
    compiles(&s, "lmat_pairs.cuh");
  }
  for (int k = 0; k < 4; k++) {
    grid_source_select(&s, different_type(k), picks[k]), compiles(&s, "lmat_select.cuh");
    grid_source_index(&s, grid_types[k + 2], different_type(k), picks[k]), compiles(&s, "lmat_apply.cuh");
  }
}

/* What one text defines the next would see. */
static void test_not_fused(void **state) {
  const char *plain = "GRID_FN int f() { return 1; }\n#line 1 \"x\"\n#include \"vec_bits.cuh\"\n";
  const char *const bad[] = {"  #define EPS 3\n", "int x;\n#ifndef EPS\n#endif\n", "#undef ADD\n",
                             "%:define EPS 3\n"};
  grid_jit_source s;
  const char *text[2] = {plain, plain};
  assert_true(grid_source_fused(&s, text, 2));
  grid_jit_free(&s);
  for (int k = 0; k < 4; k++) {
    text[k % 2] = bad[k];
    assert_false(grid_source_fused(&s, text, 2));
    text[k % 2] = plain;
  }
}

/* ---- a program's own ----------------------------------------------------------------------------------- */

typedef struct {
  float a[3];
} triple;
#define TRIPLE "typedef struct { float a[3]; } triple;"
static void add_triples(void *z, const void *x, const void *y) {
  for (int k = 0; k < 3; k++) ((triple *)z)->a[k] = ((const triple *)x)->a[k] + ((const triple *)y)->a[k];
}
#define ADD_TRIPLES                                                   \
  "void add_triples(triple *z, const triple *x, const triple *y) {\n" \
  "  for (int k = 0; k < 3; k++) z->a[k] = x->a[k] + y->a[k];\n}"
static void at_position(void *z, const void *x, GrB_Index i, GrB_Index j, const void *y) {
  *(bool *)z = (float)(i + j) > ((const triple *)x)->a[0] + *(const float *)y;
}
#define AT_POSITION                                                                          \
  "void at_position(bool *z, const triple *x, GrB_Index i, GrB_Index j, const float *y) {\n" \
  "  *z = (float)(i + j) > x->a[0] + *y;\n}"

static void test_user_defined(void **state) {
  GrB_Type type, plain;
  GrB_BinaryOp add;
  GrB_IndexUnaryOp index_op;
  grid_jit_source s;
  assert_int_equal(Grid_Type_new(&type, sizeof(triple), "triple", TRIPLE), GrB_SUCCESS);
  assert_int_equal(GrB_Type_new(&plain, 24), GrB_SUCCESS);
  assert_int_equal(Grid_BinaryOp_new(&add, add_triples, type, type, type, "add_triples", ADD_TRIPLES),
                   GrB_SUCCESS);
  assert_int_equal(
      Grid_IndexUnaryOp_new(&index_op, at_position, GrB_BOOL, type, GrB_FP32, "at_position", AT_POSITION),
      GrB_SUCCESS);
  grid_source_write(&s, type, type, add), compiles(&s, "vec_write.cuh");
  grid_source_write(&s, plain, plain, NULL), compiles(&s, "vec_write.cuh");
  grid_source_pairs(&s, type, type, type, add, true), compiles(&s, "lmat_pairs.cuh");
  grid_source_pairs(&s, plain, plain, plain, NULL, true), compiles(&s, "lmat_pairs.cuh");
  grid_source_select(&s, type, index_op), compiles(&s, "lmat_select.cuh");
  grid_source_binary(&s, type, type, add, true), compiles(&s, "vec_apply.cuh");
  grid_source_index(&s, GrB_BOOL, type, index_op), compiles(&s, "vec_apply.cuh");
  grid_source_select(&s, type, index_op), compiles(&s, "vec_select.cuh");
  grid_source_select(&s, plain, GrB_ROWLE), compiles(&s, "vec_select.cuh");
  grid_source_reduce(&s, type, add), compiles(&s, "vec_reduce.cuh");
  grid_source_ewise(&s, type, type, type, add, true), compiles(&s, "vec_ewise.cuh");
  grid_source_combine(&s, type, type, add), compiles(&s, "combine_sorted.cuh");
  grid_source_combine(&s, plain, plain, NULL), compiles(&s, "combine_sorted.cuh");
  GrB_IndexUnaryOp_free(&index_op), GrB_BinaryOp_free(&add), GrB_Type_free(&type), GrB_Type_free(&plain);
}

/* Joining equal tuples of a matrix's (spmat/cuda/build/lmat_values.cu). */
static void test_dup(void **state) {
  GrB_BinaryOp dup[] = {GrB_PLUS_INT8, GrB_MIN_FP64, GrB_LOR, GrB_FIRST_UINT16, GrB_DIV_FP32};
  for (size_t k = 0; k < sizeof dup / sizeof *dup; k++) {
    grid_jit_source s;
    grid_jit_begin(&s);
    grid_jit_type(&s, "V_t", dup[k]->z);
    grid_jit_binary(&s, "op", dup[k]);
    compiles(&s, "combine_duplicates.cuh");
  }
}

static int begin(void **state) {
  setenv("GRIDBLAS_CACHE", "off", 1);
  grid_semiring_init();
  return 0;
}

static int end(void **state) {
  grid_jit_close();
  grid_semiring_finalize();
  return grid_mem_live() != 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_write),        cmocka_unit_test(test_apply),     cmocka_unit_test(test_select),
      cmocka_unit_test(test_reduce),       cmocka_unit_test(test_combine),   cmocka_unit_test(test_ewise),
      cmocka_unit_test(test_fused),        cmocka_unit_test(test_not_fused), cmocka_unit_test(test_parts),
      cmocka_unit_test(test_user_defined), cmocka_unit_test(test_dup),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
#endif
