/* See predefined_kernels.h. Each function is the kernels of one file of spmat/cuda/kernels. */
#include "cmake/predefined_kernels.h"

#include "semiring/builtin.h"
#include "spmat/cuda/matrix/cuda_matrix.h"
#include "spmat/cuda/product/cuda_product.h"
#include "spmat/cuda/vector/vec_source.h"

#define LENGTH(array, type) (sizeof(array) / sizeof(type))

/* ---- the operators, a row for each type ---------------------------------------------------------------- */

#define TYPES(X) X(INT32) X(INT64) X(FP32) X(FP64)
#define B(OP, T) &grid_binary_##OP##_##T
#define M(OP, T) &grid_monoid_##OP##_##T

enum { PLUS, MINUS, TIMES, DIV, MIN, MAX, FIRST, SECOND, ARITHMETIC };
enum { COMPARISONS = 6 };
typedef struct {
  GrB_Type type;
  GrB_UnaryOp identity, abs, negate;
  GrB_BinaryOp arithmetic[ARITHMETIC], compare[COMPARISONS], one;
  GrB_Monoid plus, min, max, times, any;
  GrB_IndexUnaryOp value[COMPARISONS];
} typed;

/* Handles of index operators are variables, so rows are filled in by a function. */
static typed *rows_of_types(void) {
  static typed row[4];
  int k = 0;
#define ROW(T)                                                                                            \
  row[k++] = (typed){                                                                                     \
      GrB_##T,                                                                                            \
      &grid_unary_IDENTITY_##T,                                                                           \
      &grid_unary_ABS_##T,                                                                                \
      &grid_unary_AINV_##T,                                                                               \
      {B(PLUS, T), B(MINUS, T), B(TIMES, T), B(DIV, T), B(MIN, T), B(MAX, T), B(FIRST, T), B(SECOND, T)}, \
      {B(EQ, T), B(NE, T), B(LT, T), B(GT, T), B(LE, T), B(GE, T)},                                       \
      B(ONEB, T),                                                                                         \
      M(PLUS, T),                                                                                         \
      M(MIN, T),                                                                                          \
      M(MAX, T),                                                                                          \
      M(TIMES, T),                                                                                        \
      M(ANY, T),                                                                                          \
      {GrB_VALUEEQ_##T, GrB_VALUENE_##T, GrB_VALUELT_##T, GrB_VALUEGT_##T, GrB_VALUELE_##T,               \
       GrB_VALUEGE_##T}};
  TYPES(ROW)
  return row;
}

/* ---- one kernel ---------------------------------------------------------------------------------------- */

static void (*use_kernel)(const grid_jit_source *source, const char *file);

static void use(grid_jit_source *s, const char *file) {
  use_kernel(s, file);
  grid_jit_free(s);
}

/* ---- vectors, and values of matrices ------------------------------------------------------------------- */

static void apply(const typed *t, const typed *types) {
  grid_jit_source s;
  const GrB_UnaryOp unary[] = {t->identity, t->abs, t->negate};
  for (size_t k = 0; k < LENGTH(unary, GrB_UnaryOp); k++)
    grid_source_unary(&s, t->type, t->type, unary[k]), use(&s, "vec_apply.cuh");
  for (int k = 0; k < 4; k++) /* conversions */
    if (types[k].type != t->type)
      grid_source_unary(&s, t->type, types[k].type, t->identity), use(&s, "vec_apply.cuh");
  grid_source_unary(&s, t->type, GrB_BOOL, t->identity), use(&s, "vec_apply.cuh");
  for (int k = 0; k < ARITHMETIC; k++)
    for (int left = 0; left < 2; left++) {
      if (!(left ? t->arithmetic[k]->uses_y : t->arithmetic[k]->uses_x)) continue;
      grid_source_binary(&s, t->type, t->type, t->arithmetic[k], left), use(&s, "vec_apply.cuh");
    }
  for (int k = 0; k < COMPARISONS; k++)
    grid_source_binary(&s, GrB_BOOL, t->type, t->compare[k], false), use(&s, "vec_apply.cuh");
}

static void select_by_value(const typed *t) {
  grid_jit_source s;
  for (int k = 0; k < COMPARISONS; k++) {
    grid_source_select(&s, t->type, t->value[k]), use(&s, "vec_select.cuh");
    grid_source_select(&s, t->type, t->value[k]), use(&s, "lmat_select.cuh");
  }
}

/* Operators that look at no value. */
static void use_positions(GrB_Type type) {
  grid_jit_source s;
  const GrB_IndexUnaryOp of_vector[] = {GrB_ROWLE, GrB_ROWGT},
                         of_matrix[] = {GrB_TRIL, GrB_TRIU, GrB_DIAG, GrB_OFFDIAG},
                         number[] = {GrB_ROWINDEX_INT32, GrB_ROWINDEX_INT64, GrB_COLINDEX_INT32,
                                     GrB_COLINDEX_INT64};
  for (size_t k = 0; k < LENGTH(of_vector, GrB_IndexUnaryOp); k++)
    grid_source_select(&s, type, of_vector[k]), use(&s, "vec_select.cuh");
  for (size_t k = 0; k < LENGTH(of_matrix, GrB_IndexUnaryOp); k++)
    grid_source_select(&s, type, of_matrix[k]), use(&s, "lmat_select.cuh");
  for (size_t k = 0; k < LENGTH(number, GrB_IndexUnaryOp); k++) {
    if (k < 2) grid_source_index(&s, number[k]->z, type, number[k]), use(&s, "vec_apply.cuh");
    grid_source_index(&s, number[k]->z, type, number[k]), use(&s, "lmat_apply.cuh");
  }
}

/* Union or intersection of vectors by op, and of matrices. */
static void combine(GrB_Type z, GrB_Type x, GrB_BinaryOp op, bool add) {
  grid_jit_source s;
  grid_source_ewise(&s, z, x, x, op, add), use(&s, "vec_ewise.cuh");
  grid_source_pairs(&s, z, x, x, op, add), use(&s, "lmat_pairs.cuh");
}

static void combine_by_type(const typed *t) {
  for (int k = 0; k < ARITHMETIC; k++)
    for (int add = 0; add < 2; add++) combine(t->type, t->type, t->arithmetic[k], add);
  for (int k = 0; k < COMPARISONS; k++) combine(GrB_BOOL, t->type, t->compare[k], false);
}

/* Values of a matrix in another type. */
static void convert(GrB_Type z, GrB_Type x) {
  grid_jit_source s;
  grid_source_pairs(&s, z, x, x, NULL, true), use(&s, "lmat_pairs.cuh");
}

static void convert_by_type(const typed *t, const typed *types) {
  for (int k = 0; k < 4; k++)
    if (types[k].type != t->type) convert(t->type, types[k].type);
  convert(GrB_BOOL, t->type);
  convert(t->type, GrB_BOOL);
}

static void join_duplicates(GrB_Type type, GrB_BinaryOp op) {
  grid_jit_source s;
  grid_source_duplicates(&s, type, op), use(&s, "combine_duplicates.cuh");
}

static void accumulate_and_reduce(const typed *t) {
  grid_jit_source s;
  for (int k = 0; k < ARITHMETIC; k++)
    grid_source_write(&s, t->type, t->type, t->arithmetic[k]), use(&s, "vec_write.cuh");
  const GrB_Monoid monoid[] = {t->plus, t->min, t->max, t->times};
  for (size_t k = 0; k < LENGTH(monoid, GrB_Monoid); k++) {
    grid_source_reduce(&s, t->type, monoid[k]->op), use(&s, "vec_reduce.cuh");
    join_duplicates(t->type, monoid[k]->op);
  }
  grid_source_reduce(&s, GrB_BOOL, t->arithmetic[PLUS]), use(&s, "vec_reduce.cuh");
  join_duplicates(t->type, t->arithmetic[FIRST]);
}

static void booleans(void) {
  grid_jit_source s;
  const GrB_BinaryOp op[] = {B(LOR, BOOL), B(LAND, BOOL), B(LXOR, BOOL)};
  for (size_t k = 0; k < LENGTH(op, GrB_BinaryOp); k++) {
    for (int add = 0; add < 2; add++) combine(GrB_BOOL, GrB_BOOL, op[k], add);
    grid_source_reduce(&s, GrB_BOOL, op[k]), use(&s, "vec_reduce.cuh");
    grid_source_write(&s, GrB_BOOL, GrB_BOOL, op[k]), use(&s, "vec_write.cuh");
  }
  grid_source_unary(&s, GrB_BOOL, GrB_BOOL, &grid_unary_LNOT_BOOL), use(&s, "vec_apply.cuh");
  use_positions(GrB_BOOL);
  join_duplicates(GrB_BOOL, op[0]);
}

/* ---- products ------------------------------------------------------------------------------------------ */

/* Products with a vector by each method; flip: the multiplier's operands are swapped (a vector times a
 * matrix). */
static void multiply_vector(GrB_Monoid add, GrB_BinaryOp mul, GrB_Type type, bool flip) {
  struct GrB_Semiring_opaque semiring = {.add = add, .mul = mul};
  const grid_job J = {.s = &semiring, .a_type = type, .x_type = type, .flip = flip};
  grid_jit_source s;
  for (grid_product_method method = GRID_METHOD_PUSH; method <= GRID_METHOD_ROW_BLOCKS; method++) {
    const bool reads_values = grid_product_a_used(&J),
               is_other = method == (reads_values ? GRID_METHOD_COLUMN_PANELS : GRID_METHOD_DEGREE_ORDERED);
    if (add->any && method > GRID_METHOD_ROWS) break;
    if (is_other) continue; /* with M's values in order of degree, without them by column panels */
    grid_product_preamble(&s, &J, method), use(&s, "product_jit.cuh");
  }
}

static void multiply_matrices(GrB_Monoid add, GrB_BinaryOp mul, GrB_Type type) {
  struct GrB_Semiring_opaque semiring = {.add = add, .mul = mul};
  grid_jit_source s;
  for (int dots = 0; dots < 2; dots++)
    grid_mxm_preamble(&s, &semiring, type, type, dots), use(&s, "mxm_jit.cuh");
}

/* FIRST and SECOND take the vector's value here, and last the matrix's, as sums of rows do. PLUS.TIMES and
 * MIN.PLUS of vectors are compiled into the library for floating-point numbers, MIN.PLUS for whole numbers,
 * too (spmat/cuda/product/product.cu). */
static void multiply_by_type(const typed *t) {
  const bool whole = t->type == GrB_INT32 || t->type == GrB_INT64;
  const GrB_Monoid of_vector[] = {t->plus, t->min, t->max, t->any};
  for (size_t k = 0; k < LENGTH(of_vector, GrB_Monoid); k++) {
    multiply_vector(of_vector[k], t->arithmetic[FIRST], t->type, true);
    multiply_vector(of_vector[k], t->arithmetic[SECOND], t->type, false);
  }
  for (int flip = 0; flip < 2; flip++) {
    multiply_vector(t->plus, t->one, t->type, flip);
    if (whole) multiply_vector(t->plus, t->arithmetic[TIMES], t->type, flip);
  }
  for (int k = 0; k < 3; k++) multiply_vector(of_vector[k], t->arithmetic[FIRST], t->type, false);
  multiply_matrices(t->plus, t->arithmetic[TIMES], t->type);
  multiply_matrices(t->plus, t->one, t->type);
  multiply_matrices(t->min, t->arithmetic[PLUS], t->type);
}

void predefined_kernels(void (*use_source)(const grid_jit_source *source, const char *file)) {
  const typed *types = rows_of_types();
  use_kernel = use_source;
  for (int k = 0; k < 4; k++) {
    apply(&types[k], types);
    select_by_value(&types[k]);
    use_positions(types[k].type);
    combine_by_type(&types[k]);
    convert_by_type(&types[k], types);
    accumulate_and_reduce(&types[k]);
    multiply_by_type(&types[k]);
  }
  booleans();
}
