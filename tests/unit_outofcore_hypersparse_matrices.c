/* Operations that multiply, move or export entries of page files of 2^40 rows: the same as of the matrix in
 * memory, and nothing is loaded. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "gridblas.h"
#include "gridblas_gxb_operations.h"
#include "gridblas_gxb_operators.h"
#include "semiring/support/tuning.h"
#include "tests/draw_hypersparse.h"
#include "tests/test_device.h"
#include "tests/test_folder.h"

/* C has entries, or none. */
static matrix_pair draw_output(uint64_t nrows, uint64_t ncols, bool paged) {
  matrix_pair p = draw_pair(nrows, ncols, paged);
  if (draw_one_in(3)) return p;
  for (int k = 0; k < 2; k++) OK(GrB_Matrix_clear(p.M[k]));
  return p;
}

static void free_pair(matrix_pair *p) {
  for (int k = 0; k < 2; k++) GrB_free(&p->M[k]);
}

/* The result is right, and out of core unless it is empty; the operands are where they were. */
static void expect_result(matrix_pair *C, const matrix_pair *operand, int n) {
  GrB_Index nvals, nrows, ncols;
  OK(GrB_Matrix_nvals(&nvals, C->M[1]));
  assert_true(is_paged(C->M[0]) || !nvals);
  for (int k = 0; k < n; k++) assert_true(is_paged(operand[k].M[0]) == operand[k].paged);
  expect_matrix(C->M[0], C->M[1]);
  OK(GrB_Matrix_nrows(&nrows, C->M[0]));
  OK(GrB_Matrix_ncols(&ncols, C->M[0]));
  sums(C->M[0], C->M[1], nrows, ncols);
  products(C->M[0], C->M[1], nrows, ncols, 1);
}

/* Compares a case's result, and frees its objects. */
static void end_case(matrix_pair *C, matrix_pair *of, int n, GrB_Descriptor *d) {
  expect_result(C, of, n);
  free_pair(C);
  for (int k = 0; k < n; k++) free_pair(&of[k]);
  GrB_free(d);
  OK(Grid_memory_limit(0));
}

/* ---- products ---- */

enum { A, B, MASK, OPERANDS };

static matrix_pair draw_operand(uint64_t nrows, uint64_t ncols, bool flip, bool paged) {
  return flip ? draw_pair(ncols, nrows, paged) : draw_pair(nrows, ncols, paged);
}

/* The sums are of whole numbers. */
static void product(GrB_Semiring s, uint64_t nrows, uint64_t inner, uint64_t ncols) {
  bool flip[2], replace;
  GrB_Descriptor d = draw_descriptor(flip, &replace);
  const bool has_mask = draw_one_in(2), has_accum = draw_one_in(2), paged = draw_one_in(2),
             is_ordinary =
                 nrows == 90 && ncols == 90; /* on disk beside hypersparse ones it would be loaded */
  matrix_pair C = draw_output(nrows, ncols, !is_ordinary && draw_one_in(2)),
              of[] = {draw_operand(nrows, inner, flip[0], paged),
                      draw_operand(inner, ncols, flip[1], !paged || draw_one_in(2)),
                      draw_pair(nrows, ncols, !is_ordinary && draw_one_in(2))};
  grid_tune.row_panel_min_bytes = draw_one_in(3) ? 1000 : 20000;
  OK(Grid_memory_limit(1));
  for (int k = 0; k < 2; k++)
    OK(GrB_mxm(C.M[k], has_mask ? of[MASK].M[k] : NULL, has_accum ? GrB_PLUS_FP64 : NULL, s, of[A].M[k],
               of[B].M[k], d));
  end_case(&C, of, OPERANDS, &d);
}

static void products_of_matrices(void **state) {
  (void)state;
  const GrB_Semiring semirings[] = {GrB_PLUS_TIMES_SEMIRING_FP64, GrB_MIN_PLUS_SEMIRING_FP64,
                                    GxB_MIN_SECONDI_INT64, GxB_MAX_FIRSTI1_INT32};
  const uint64_t dim[] = {HUGE_DIM, HUGE_DIM / 3, 90};
  for (int k = 0; k < 40; k++) {
    const uint64_t nrows = dim[draw(3)], ncols = dim[draw(3)],
                   inner = nrows == 90 || ncols == 90 ? HUGE_DIM : dim[draw(3)];
    product(semirings[k % 4], nrows, inner, ncols);
  }
}

/* Pages cannot number all rows of the result, also where a block's are fewer: the operand does not fit. */
static void product_by_ordinary_pages(void **state) {
  (void)state;
  const uint64_t before = grid_tune.index32_max, nrows = 90000;
  grid_tune.index32_max = 50000;
  matrix_pair X = draw_pair(nrows, 90, false), Y = draw_pair(90, 90, true), C = draw_pair(nrows, 90, false);
  OK(Grid_memory_limit(1));
  const GrB_Info info = GrB_mxm(C.M[0], NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, X.M[0], Y.M[0], GrB_DESC_R);
  assert_int_equal(info, GrB_OUT_OF_MEMORY);
  expect_matrix(C.M[0], C.M[1]);
  assert_true(is_paged(Y.M[0]));
  free_pair(&X), free_pair(&Y), free_pair(&C);
  OK(Grid_memory_limit(0));
  grid_tune.index32_max = before;
}

/* ---- operators of positions ---- */

/* Of the positions and the values, whole numbers. */
static void mix(void *z, const void *x, GrB_Index ix, GrB_Index jx, const void *y, GrB_Index iy, GrB_Index jy,
                const void *theta) {
  const double *a = x, *b = y, *c = theta;
  *(double *)z = *a + 2 * *b + *c + (double)(ix % 7 + 3 * (jx % 7) + 5 * (iy % 7) + 11 * (jy % 7));
}

enum { INDEX_ADD, INDEX_MULT, INDEX_UNION, INDEX_MXM, INDEX_KINDS };

static void index_operation(int kind, GrB_BinaryOp op, uint64_t nrows, uint64_t ncols) {
  const bool has_mask = draw_one_in(2), has_accum = draw_one_in(2);
  const uint64_t inner = kind == INDEX_MXM ? HUGE_DIM : ncols;
  matrix_pair C = draw_output(nrows, ncols, draw_one_in(2)),
              of[] = {draw_pair(nrows, inner, true),
                      draw_pair(kind == INDEX_MXM ? inner : nrows, ncols, true),
                      draw_pair(nrows, ncols, draw_one_in(2))};
  const GrB_BinaryOp accum = has_accum ? GrB_PLUS_FP64 : NULL;
  GrB_Semiring s;
  GrB_Scalar seven;
  OK(GrB_Semiring_new(&s, GrB_MAX_MONOID_FP64, op));
  OK(GrB_Scalar_new(&seven, GrB_FP64));
  OK(GrB_Scalar_setElement_FP64(seven, 7));
  OK(Grid_memory_limit(1));
  for (int k = 0; k < 2; k++) {
    const GrB_Matrix mask = has_mask ? of[MASK].M[k] : NULL, a = of[A].M[k], b = of[B].M[k];
    if (kind == INDEX_ADD) OK(GrB_Matrix_eWiseAdd_BinaryOp(C.M[k], mask, accum, op, a, b, NULL));
    if (kind == INDEX_MULT) OK(GrB_Matrix_eWiseMult_BinaryOp(C.M[k], mask, accum, op, a, b, GrB_DESC_R));
    if (kind == INDEX_UNION) OK(GxB_Matrix_eWiseUnion(C.M[k], mask, accum, op, a, seven, b, seven, NULL));
    if (kind == INDEX_MXM) OK(GrB_mxm(C.M[k], mask, accum, s, a, b, NULL));
  }
  expect_result(&C, of, OPERANDS);
  free_pair(&C);
  for (int k = 0; k < OPERANDS; k++) free_pair(&of[k]);
  GrB_free(&s);
  GrB_free(&seven);
  OK(Grid_memory_limit(0));
}

static void operators_of_positions(void **state) {
  (void)state;
  GxB_IndexBinaryOp of_positions;
  GrB_BinaryOp op;
  GrB_Scalar theta;
  OK(GrB_Scalar_new(&theta, GrB_FP64));
  OK(GrB_Scalar_setElement_FP64(theta, 4));
  OK(GxB_IndexBinaryOp_new(&of_positions, mix, GrB_FP64, GrB_FP64, GrB_FP64, GrB_FP64, NULL, NULL));
  OK(GxB_BinaryOp_new_IndexOp(&op, of_positions, theta));
  for (int k = 0; k < 3 * INDEX_KINDS; k++)
    index_operation(k % INDEX_KINDS, op, draw_one_in(3) ? 90 : HUGE_DIM, HUGE_DIM - 9);
  GrB_free(&op);
  GrB_free(&of_positions);
  GrB_free(&theta);
}

/* ---- indices ---- */

enum { ALL, RANGE, LIST, LISTS };
typedef struct {
  const GrB_Index *I;
  GrB_Index n, given, memory[16]; /* how many are named, and the length that the call gets */
} index_list;

/* Names rows or columns of a dimension n; `repeats`: one of them twice. */
static void draw_list(index_list *l, uint64_t n, int kind, bool repeats) {
  static const GrB_Index ends[] = {3, 1, 17, 5, 0};
  *l = (index_list){.I = GrB_ALL, .n = n, .given = n};
  if (kind == ALL) return;
  l->I = l->memory;
  if (kind == RANGE) {
    l->memory[0] = draw(9), l->memory[1] = n - 1 - draw(n < 100 ? 20 : n / 2);
    l->n = l->memory[1] - l->memory[0] + 1, l->given = GxB_RANGE;
    return;
  }
  l->n = l->given = 10;
  for (int k = 0; k < 5; k++) l->memory[k] = ends[k], l->memory[5 + k] = n - 1 - ends[k];
  if (repeats) l->memory[9] = l->memory[2];
}

/* What the lists name of a matrix on disk. */
static void extract(int kind) {
  const uint64_t nrows = draw_one_in(3) ? 90 : HUGE_DIM, ncols = draw_one_in(3) ? 95 : HUGE_DIM / 3;
  bool flip[2], replace;
  GrB_Descriptor d = draw_descriptor(flip, &replace);
  const bool has_mask = draw_one_in(2), has_accum = draw_one_in(2);
  index_list I, J;
  draw_list(&I, nrows, kind % LISTS, true);
  draw_list(&J, ncols, kind / LISTS % LISTS, true);
  matrix_pair C = draw_output(I.n, J.n, draw_one_in(2)),
              of[] = {draw_operand(nrows, ncols, flip[0], true), draw_pair(I.n, J.n, draw_one_in(2))};
  grid_tune.row_panel_min_bytes = draw_one_in(3) ? 3000 : 20000;
  OK(Grid_memory_limit(1));
  for (int k = 0; k < 2; k++)
    OK(GrB_Matrix_extract(C.M[k], has_mask ? of[1].M[k] : NULL, has_accum ? GrB_PLUS_FP64 : NULL, of[A].M[k],
                          I.I, I.given, J.I, J.given, d));
  end_case(&C, of, 2, &d);
}

static void extracts(void **state) {
  (void)state;
  for (int k = 0; k < 3 * LISTS * LISTS; k++) extract(k);
}

/* A part of C gets a matrix on disk. */
static void assign(int kind) {
  const uint64_t nrows = HUGE_DIM, ncols = draw_one_in(3) ? 95 : HUGE_DIM / 3;
  bool flip[2], replace;
  GrB_Descriptor d = draw_descriptor(flip, &replace);
  const bool has_mask = draw_one_in(2), has_accum = draw_one_in(2);
  index_list I, J;
  draw_list(&I, nrows, kind % LISTS, false);
  draw_list(&J, ncols, kind / LISTS % LISTS, false);
  matrix_pair C = draw_output(nrows, ncols, draw_one_in(2)),
              of[] = {draw_operand(I.n, J.n, flip[0], true), draw_pair(nrows, ncols, draw_one_in(2))};
  OK(Grid_memory_limit(1));
  for (int k = 0; k < 2; k++)
    OK(GrB_Matrix_assign(C.M[k], has_mask ? of[1].M[k] : NULL, has_accum ? GrB_PLUS_FP64 : NULL, of[A].M[k],
                         I.I, I.given, J.I, J.given, d));
  end_case(&C, of, 2, &d);
}

static void assigns(void **state) {
  (void)state;
  for (int k = 0; k < 2 * LISTS * LISTS; k++) assign(k);
}

/* A value that comes where no list has rows or columns: a small number of times, or too often. */
static void assign_value(bool has_mask) {
  const GrB_Descriptor d = has_mask ? GrB_DESC_SC : NULL;
  const GrB_BinaryOp accum = draw_one_in(2) ? GrB_PLUS_FP64 : NULL;
  index_list I, J;
  draw_list(&I, HUGE_DIM, LIST, true);
  draw_list(&J, HUGE_DIM, LIST, false);
  matrix_pair C = draw_pair(HUGE_DIM, HUGE_DIM, !has_mask || draw_one_in(2)),
              of[] = {draw_pair(HUGE_DIM, HUGE_DIM, has_mask)};
  grid_tune.row_panel_min_bytes = 20000;
  OK(Grid_memory_limit(1));
  for (int k = 0; k < 2; k++)
    OK(GrB_Matrix_assign_FP64(C.M[k], has_mask ? of[0].M[k] : NULL, accum, 9, I.I, I.given, J.I, J.given, d));
  expect_result(&C, of, 1);
  if (is_paged(C.M[0])) {
    assert_int_equal(GrB_Matrix_assign_FP64(C.M[0], has_mask ? of[0].M[0] : NULL, NULL, 9, GrB_ALL, HUGE_DIM,
                                            J.I, J.given, d),
                     GrB_OUT_OF_MEMORY);
    assert_non_null(strstr(Grid_last_error(), "1099511627776 x 10 entries"));
    expect_result(&C, of, 1);
  }
  free_pair(&C);
  free_pair(&of[0]);
  OK(Grid_memory_limit(0));
}

static void assigned_values(void **state) {
  (void)state;
  for (int k = 0; k < 8; k++) assign_value(k % 2);
}

/* ---- bytes and arrays ---- */

/* The same bytes, of exactly the requested size, and the same matrix again. */
static void serialize(uint64_t nrows, uint64_t ncols) {
  matrix_pair p = draw_pair(nrows, ncols, true);
  GrB_Index size[2], exact[2];
  GrB_Matrix back[2];
  char *bytes[2];
  for (int k = 0; k < 2; k++) {
    OK(GrB_Matrix_serializeSize(&size[k], p.M[k]));
    bytes[k] = malloc(size[k]);
    exact[k] = size[k];
    OK(GrB_Matrix_serialize(bytes[k], &exact[k], p.M[k]));
    assert_true(exact[k] <= size[k] && is_paged(p.M[0]));
    GrB_Index less = exact[k] - 1;
    assert_int_equal(GrB_Matrix_serialize(bytes[k], &less, p.M[k]), GrB_INSUFFICIENT_SPACE);
    OK(GrB_Matrix_deserialize(&back[k], NULL, bytes[k], exact[k]));
  }
  assert_true(exact[0] == exact[1]);
  assert_memory_equal(bytes[0], bytes[1], exact[0]);
  expect_matrix(back[0], p.M[1]);
  expect_matrix(back[1], p.M[1]);
  sums(back[0], p.M[1], nrows, ncols);
  for (int k = 0; k < 2; k++) {
    GrB_free(&back[k]);
    free(bytes[k]);
  }
  free_pair(&p);
  OK(Grid_memory_limit(0));
}

typedef struct {
  GrB_Index n[3], *indptr, *indices;
  char *values;
} exported;

static exported export_matrix(GrB_Matrix M, GrB_Format format, bool local, uint64_t offsets) {
  exported e = {.n = {offsets, MOST, MOST}};
  e.indptr = calloc(offsets, sizeof *e.indptr), e.indices = calloc(MOST, sizeof *e.indices);
  e.values = calloc(MOST, sizeof(double));
  GrB_Type type;
  OK(GxB_Matrix_type(&type, M));
  if (local)
    OK(Grid_Matrix_exportLocal(e.indptr, e.indices, e.values, &e.n[0], &e.n[1], &e.n[2], (int)format, M));
  else if (type == GrB_BOOL)
    OK(GrB_Matrix_export_BOOL(e.indptr, e.indices, (bool *)(void *)e.values, &e.n[0], &e.n[1], &e.n[2],
                              format, M));
  else
    OK(GrB_Matrix_export_FP64(e.indptr, e.indices, (double *)(void *)e.values, &e.n[0], &e.n[1], &e.n[2],
                              format, M));
  return e;
}

static void export_as(GrB_Format format, bool local, uint64_t nrows, uint64_t ncols) {
  matrix_pair p = draw_pair(nrows, ncols, true);
  const uint64_t offsets = format == GrB_COO_FORMAT ? MOST : 200;
  exported e[2];
  for (int k = 0; k < 2; k++) {
    GrB_Index size[3];
    OK(GrB_Matrix_exportSize(&size[0], &size[1], &size[2], format, p.M[k]));
    e[k] = export_matrix(p.M[k], format, local, offsets);
    assert_true(local || (size[0] == e[k].n[0] && size[1] == e[k].n[1] && size[2] == e[k].n[2]));
  }
  assert_true(is_paged(p.M[0]));
  assert_memory_equal(e[0].n, e[1].n, sizeof e[0].n);
  assert_memory_equal(e[0].indptr, e[1].indptr, offsets * sizeof(GrB_Index));
  assert_memory_equal(e[0].indices, e[1].indices, MOST * sizeof(GrB_Index));
  assert_memory_equal(e[0].values, e[1].values, MOST * sizeof(double));
  for (int k = 0; k < 2; k++) free(e[k].indptr), free(e[k].indices), free(e[k].values);
  free_pair(&p);
  OK(Grid_memory_limit(0));
}

static void interchange(void **state) {
  (void)state;
  for (int k = 0; k < 4; k++) {
    serialize(HUGE_DIM, HUGE_DIM - 3);
    serialize(k % 2 ? 90 : HUGE_DIM, k % 2 ? HUGE_DIM : 90);
    for (int local = 0; local < 2; local++) {
      export_as(GrB_COO_FORMAT, local, HUGE_DIM, HUGE_DIM / 3);
      export_as(GrB_CSR_FORMAT, local, 90, HUGE_DIM);
      export_as(GrB_CSC_FORMAT, local, HUGE_DIM, 90);
    }
  }
}

/* Of all dimensions that a matrix can have. */
static void largest_dimensions(void **state) {
  (void)state;
  const uint64_t most = GrB_INDEX_MAX + 1;
  matrix_pair p = draw_pair(most, most, true);
  Grid_Edges beyond = {.nrows = most + 1, .ncols = 9, .pattern = true};
  expect_matrix(p.M[0], p.M[1]);
  free_pair(&p);
  assert_int_equal(Grid_write(&beyond, file, NULL), GrB_INVALID_VALUE);
  serialize(most, 90);
  serialize(90, most);
  for (int k = 0; k < 8; k++) product(GrB_PLUS_TIMES_SEMIRING_FP64, most, HUGE_DIM, most);
}

/* ---- tests ---- */

static int name_file(void **state) {
  if (start(state) != 0 || test_device_on() != GrB_SUCCESS) return -1;
  snprintf(file, sizeof file, "%s", path_of("a.pages"));
  grid_tune.page_entries = 30, grid_tune.page_read_bytes = 500;
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(products_of_matrices),
                                     cmocka_unit_test(product_by_ordinary_pages),
                                     cmocka_unit_test(operators_of_positions),
                                     cmocka_unit_test(extracts),
                                     cmocka_unit_test(assigns),
                                     cmocka_unit_test(assigned_values),
                                     cmocka_unit_test(interchange),
                                     cmocka_unit_test(largest_dimensions)};
  if (test_device_is_missing()) return 77;
  return cmocka_run_group_tests(tests, name_file, stop);
}
