/* The run-time compiled kernels of products: every monoid in both directions, every multiplier, both operand
 * orders, casts, large and user-defined types. NVRTC needs no GPU, so neither does this. */
#include "tests/unit.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef GRID_HAVE_CUDA
int main(void) {
  printf("skipped: built without CUDA\n");
  return 77;
}
#else
#include "semiring/builtin.h"
#include "spmat/cuda/matrix/cuda_matrix.h"
#include "spmat/cuda/product/cuda_product.h"

static int compiled;

static void compile_method(GrB_Semiring s, GrB_Type a, GrB_Type x, bool flip, grid_product_method method) {
  grid_jit_source source;
  grid_jit_code *code;
  grid_job J = {.s = s, .a_type = a, .x_type = x, .flip = flip};
  assert_true(grid_product_is_supported(s));
  grid_product_preamble(&source, &J, method);
  assert_false(source.absent);
  if (grid_jit_compile(&code, &source, "product_jit.cuh") != GrB_SUCCESS)
    fail_msg("%s, %s, %s, flip %d, way %d: %s\n%.*s", s->mul->name, a->name, x->name, flip, (int)method,
             grid_last_error(), (int)source.used, source.text);
  grid_jit_free(&source);
  compiled++;
}

/* A product of matrices, by rows and by dots in turn. */
static void compile_mxm(GrB_Semiring s, GrB_Type a, GrB_Type b, bool dots) {
  grid_jit_source source;
  grid_jit_code *code;
  grid_mxm_preamble(&source, s, a, b, dots);
  assert_false(source.absent);
  if (grid_jit_compile(&code, &source, "mxm_jit.cuh") != GrB_SUCCESS)
    fail_msg("mxm %s, %s, %s, dots %d: %s\n%.*s", s->mul->name, a->name, b->name, dots, grid_last_error(),
             (int)source.used, source.text);
  grid_jit_free(&source);
  compiled++;
}

/* A pull with sums uses rows, balanced tiles, balanced tiles in degree order, with short values blocks of
 * rows, and with values of 4 or 8 bytes column panels, in turn. */
static void compile(GrB_Semiring s, GrB_Type a, GrB_Type x, bool flip, bool pull) {
  static int k;
  const grid_product_method pulls[] = {GRID_METHOD_ROWS, GRID_METHOD_TILES, GRID_METHOD_DEGREE_ORDERED,
                                       GRID_METHOD_ROW_BLOCKS, GRID_METHOD_COLUMN_PANELS};
  const size_t z = s->mul->z->size;
  const int methods = z == 4 || z == 8 ? 5 : z < 8 ? 4 : 3;
  compile_method(s, a, x, flip,
                 !pull         ? GRID_METHOD_PUSH
                 : s->add->any ? GRID_METHOD_ROWS
                               : pulls[k++ % methods]);
}

/* Every type and every monoid: sums by instruction, compare-and-swap, or plain store. */
static void test_monoids(void **state) {
  int k = 0;
#define ONE(P, OP, T, ID, TERM, HAS, IDEM)                                                       \
  {                                                                                              \
    struct GrB_Semiring_opaque s = {GRID_BUILTIN(GRID_IS_SEMIRING, NULL), P##_##OP##_MONOID_##T, \
                                    GrB_SECOND_##T};                                             \
    compile(&s, GrB_##T, GrB_##T, k % 2, k % 4 / 2);                                             \
    k++;                                                                                         \
  }
  GRID_MONOIDS(ONE)
#undef ONE
}

/* The multipliers of the table's semirings, and casts. */
static void test_semirings(void **state) {
  int k = 0;
#define ONE(P, ADD, MUL, T)                                                \
  if (grid_types[k % GRID_NTYPES] != GrB_##T && GRID_T_##T % 5 == 0) {     \
    compile(P##_##ADD##_##MUL##_SEMIRING_##T, grid_types[k % GRID_NTYPES], \
            grid_types[(k + 4) % GRID_NTYPES], k % 2, k % 4 / 2);          \
  }                                                                        \
  k++;
#define GRID_ONE(ADD, MUL, T) ONE(Grid, ADD, MUL, T)
#define GRB_ONE(ADD, MUL, T)  ONE(GrB, ADD, MUL, T)
  GRID_SEMIRINGS_GRID(GRID_ONE)
  GRID_SEMIRINGS_GRB(GRB_ONE)
}

/* Sums by instruction, by compare-and-swap and by store; positions; casts. */
static void test_matrices(void **state) {
  for (int dots = 0; dots < 2; dots++) {
    compile_mxm(GrB_PLUS_TIMES_SEMIRING_FP32, GrB_FP32, GrB_FP32, dots);
    compile_mxm(GrB_MIN_PLUS_SEMIRING_FP64, GrB_INT8, GrB_FP64, dots);
    compile_mxm(GrB_PLUS_TIMES_SEMIRING_UINT16, GrB_UINT16, GrB_BOOL, dots);
    compile_mxm(Grid_PLUS_ONEB_SEMIRING_INT64, GrB_BOOL, GrB_BOOL, dots);
    compile_mxm(Grid_MIN_SECONDI_SEMIRING_INT64, GrB_BOOL, GrB_BOOL, dots);
    compile_mxm(Grid_ANY_FIRST_SEMIRING_INT64, GrB_INT64, GrB_BOOL, dots);
    compile_mxm(GrB_LOR_LAND_SEMIRING_BOOL, GrB_BOOL, GrB_BOOL, dots);
  }
}

typedef struct {
  double value, weight;
  int32_t n;
} pair;
static void add_pairs(void *z, const void *x, const void *y) {
  const pair *a = x, *b = y;
  *(pair *)z = (pair){a->value + b->value, a->weight + b->weight, a->n + b->n};
}
static void make_pair(void *z, const void *x, const void *y) {
  *(pair *)z = (pair){*(const float *)x, *(const double *)y, 1};
}

/* A type of 24 bytes: locks in a push, shuffles of six words in a pull. */
static void test_user_defined(void **state) {
  GrB_Type type;
  GrB_BinaryOp add, make;
  GrB_Monoid monoid;
  GrB_Semiring s;
  pair zero = {0, 0, 0};
  assert_int_equal(
      Grid_Type_new(&type, sizeof zero, "pair", "typedef struct { double value, weight; int32_t n; } pair;"),
      GrB_SUCCESS);
  assert_int_equal(
      Grid_BinaryOp_new(&add, add_pairs, type, type, type, "add_pairs",
                        "void add_pairs(pair *z, const pair *x, const pair *y) { z->value = x->value "
                        "+ y->value; z->weight = x->weight + y->weight; z->n = x->n + y->n; }"),
      GrB_SUCCESS);
  assert_int_equal(
      Grid_BinaryOp_new(&make, make_pair, type, GrB_FP32, GrB_FP64, "make_pair",
                        "void make_pair(pair *z, const float *x, const double *y) { z->value = *x; "
                        "z->weight = *y; z->n = 1; }"),
      GrB_SUCCESS);
  assert_int_equal(GrB_Monoid_new_UDT(&monoid, add, &zero), GrB_SUCCESS);
  assert_int_equal(GrB_Semiring_new(&s, monoid, make), GrB_SUCCESS);
  for (int k = 0; k < 4; k++) compile(s, GrB_INT8, GrB_UINT64, k % 2, k / 2);
  for (int dots = 0; dots < 2; dots++) compile_mxm(s, GrB_INT8, GrB_UINT64, dots);
  GrB_Semiring_free(&s);
  GrB_Monoid_free(&monoid);
  GrB_BinaryOp_free(&make);

  /* an operator without source text has no device form, and the backend reports it before anything is moved
   */
  assert_int_equal(GrB_BinaryOp_new(&make, make_pair, type, GrB_FP32, GrB_FP64), GrB_SUCCESS);
  assert_int_equal(GrB_Monoid_new_UDT(&monoid, add, &zero), GrB_SUCCESS);
  assert_int_equal(GrB_Semiring_new(&s, monoid, make), GrB_SUCCESS);
  assert_false(grid_product_is_supported(s));
  GrB_Semiring_free(&s);
  GrB_Monoid_free(&monoid);
  GrB_BinaryOp_free(&make);
  GrB_BinaryOp_free(&add);
  GrB_Type_free(&type);
}

int main(void) {
  grid_semiring_init();
  setenv("GRIDBLAS_CACHE", "off", 1);
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_monoids), cmocka_unit_test(test_semirings),
                                     cmocka_unit_test(test_matrices), cmocka_unit_test(test_user_defined)};
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  printf("%d programs compiled\n", compiled);
  grid_jit_close();
  return failed;
}
#endif
