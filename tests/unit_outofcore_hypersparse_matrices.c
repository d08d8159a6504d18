/* Operations that multiply, move or export entries of page files of 2^40 rows: the same as of the matrix in
 * memory, and nothing is loaded. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tests/unit.h"
#include "gridblas.h"
#include "gridblas_gxb_operations.h"
#include "gridblas_gxb_operators.h"
#include "semiring/support/mem.h"
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
  const bool has_mask = draw_one_in(2), has_accum = draw_one_in(2), paged = draw_one_in(2);
  matrix_pair C = draw_output(nrows, ncols, draw_one_in(2)),
              of[] = {draw_operand(nrows, inner, flip[0], paged),
                      draw_operand(inner, ncols, flip[1], !paged || draw_one_in(2)),
                      draw_pair(nrows, ncols, draw_one_in(2))};
  grid_tune.row_panel_min_bytes = draw_one_in(3) ? 1000 : 20000;
  OK(Grid_memory_limit(1));
  for (int k = 0; k < 2; k++)
    OK(GrB_mxm(C.M[k], has_mask ? of[MASK].M[k] : NULL, has_accum ? GrB_PLUS_FP64 : NULL, s, of[A].M[k],
               of[B].M[k], d));
  end_case(&C, of, OPERANDS, &d);
}

static void products_of_matrices(void **state) {
  const GrB_Semiring semirings[] = {GrB_PLUS_TIMES_SEMIRING_FP64, GrB_MIN_PLUS_SEMIRING_FP64,
                                    GxB_MIN_SECONDI_INT64, GxB_MAX_FIRSTI1_INT32};
  const uint64_t dim[] = {HUGE_DIM, HUGE_DIM / 3, 90};
  for (int k = 0; k < 40; k++) {
    const uint64_t nrows = dim[draw(3)], inner = dim[draw(3)], ncols = dim[draw(3)];
    product(semirings[k % 4], nrows, inner, ncols);
  }
}

/* Pages cannot number all rows of the result, also where a block's are fewer: they number those with entries.
 */
static void product_by_ordinary_pages(void **state) {
  const uint64_t before = grid_tune.index32_max, nrows = 90000;
  grid_tune.index32_max = 50000;
  matrix_pair X = draw_pair(nrows, 90, false), Y = draw_pair(90, 90, true), C = draw_pair(nrows, 90, false);
  OK(Grid_memory_limit(1));
  for (int k = 0; k < 2; k++)
    OK(GrB_mxm(C.M[k], NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, X.M[k], Y.M[k], GrB_DESC_R));
  expect_result(&C, &Y, 1);
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
  for (int k = 0; k < 8; k++) assign_value(k % 2);
}

/* ---- entries that move ---- */

/* The last one's rows have numbers of 32 bits, but a file with so few entries lists them. */
static uint64_t draw_dimension(void) {
  const uint64_t dim[] = {HUGE_DIM, HUGE_DIM / 3, 90, (1 << 20) + 5};
  return dim[draw(4)];
}

static void kronecker(bool is_positional) {
  const uint64_t rows[] = {draw_one_in(2) ? HUGE_DIM : 9, draw_one_in(2) ? 90 : 1 << 17},
                 cols[] = {9, draw_one_in(2) ? 90 : HUGE_DIM};
  const int first = (int)draw(2);
  bool flip[2], replace;
  GrB_Descriptor d = draw_descriptor(flip, &replace);
  const bool has_mask = draw_one_in(2), has_accum = draw_one_in(2), valued = draw_one_in(2);
  matrix_pair of[3], C = draw_output(rows[0] * rows[1], cols[0] * cols[1], draw_one_in(2));
  for (int k = 0; k < 2; k++) {
    const uint64_t nrows = rows[first ^ k], ncols = cols[first ^ k];
    of[k] = draw_pair_of(flip[k] ? ncols : nrows, flip[k] ? nrows : ncols, 1 + draw(50), valued,
                         k == 0 || draw_one_in(2));
  }
  of[MASK] = draw_pair(rows[0] * rows[1], cols[0] * cols[1], draw_one_in(2));
  grid_tune.row_panel_min_bytes = draw_one_in(3) ? 1000 : 60000;
  OK(Grid_memory_limit(1));
  for (int k = 0; k < 2; k++)
    OK(GrB_Matrix_kronecker_BinaryOp(
        C.M[k], has_mask ? of[MASK].M[k] : NULL, has_accum ? GrB_PLUS_FP64 : NULL,
        is_positional ? GxB_SECONDI_INT64 : GrB_MINUS_FP64, of[A].M[k], of[B].M[k], d));
  end_case(&C, of, OPERANDS, &d);
}

static void kronecker_products(void **state) {
  for (int k = 0; k < 24; k++) kronecker(k % 4 == 0);
}

/* The same dimensions twice, and greater and smaller ones. */
static void resizes(void **state) {
  for (int k = 0; k < 12; k++) {
    matrix_pair C = draw_pair(draw_dimension(), draw_dimension(), true);
    grid_tune.row_panel_min_bytes = draw_one_in(2) ? 1000 : 20000;
    for (int round = 0; round < 3; round++) {
      const uint64_t nrows = draw_dimension() / (1 + draw(2)), ncols = draw_dimension() / (1 + draw(2));
      for (int m = 0; m < 2; m++) OK(GrB_Matrix_resize(C.M[m], nrows, ncols));
      expect_result(&C, NULL, 0);
    }
    free_pair(&C);
    OK(Grid_memory_limit(0));
  }
}

/* Values and permutation, of rows or columns. */
static void sort(bool by_column) {
  const uint64_t nrows = draw_dimension(), ncols = draw_dimension();
  const bool valued = draw_one_in(2), has_values = draw_one_in(2), has_places = !has_values || draw_one_in(2);
  matrix_pair of = draw_pair_of(nrows, ncols, 20 + draw(300), valued, true), values = {.paged = true},
              places = {.paged = true};
  grid_tune.row_panel_min_bytes = draw_one_in(2) ? 1000 : 20000;
  for (int k = 0; k < 2; k++) {
    OK(GrB_Matrix_new(&values.M[k], valued ? GrB_FP64 : GrB_BOOL, nrows, ncols));
    OK(GrB_Matrix_new(&places.M[k], GrB_INT64, nrows, ncols));
    OK(GxB_Matrix_sort(has_values ? values.M[k] : NULL, has_places ? places.M[k] : NULL,
                       valued ? GrB_GT_FP64 : GrB_LT_BOOL, of.M[k], by_column ? GrB_DESC_T0 : NULL));
  }
  expect_result(&values, &of, 1);
  expect_result(&places, &of, 1);
  for (int k = 0; k < 2; k++) /* in place */
    OK(GxB_Matrix_sort(of.M[k], NULL, valued ? GrB_LT_FP64 : GrB_LT_BOOL, of.M[k], NULL));
  expect_result(&of, NULL, 0);
  free_pair(&values), free_pair(&places), free_pair(&of);
  OK(Grid_memory_limit(0));
}

static void sorts(void **state) {
  for (int k = 0; k < 16; k++) sort(k % 2);
}

enum { TILE_ROWS = 2, TILE_COLS = 3, TILES = TILE_ROWS * TILE_COLS };

/* Tiles become a matrix, and that becomes tiles again. */
static void concat_and_split(bool is_ordinary) {
  GrB_Index nrows[TILE_ROWS], ncols[TILE_COLS], rows = 0, cols = 0;
  matrix_pair tile[TILES], again[TILES], C = {.paged = true};
  GrB_Matrix handles[2][TILES];
  for (int i = 0; i < TILE_ROWS; i++) rows += nrows[i] = is_ordinary ? 40 + draw(9) : draw_dimension();
  for (int j = 0; j < TILE_COLS; j++) cols += ncols[j] = is_ordinary ? 40 + draw(9) : draw_dimension();
  for (int k = 0; k < TILES; k++) {
    tile[k] = draw_pair(nrows[k / TILE_COLS], ncols[k % TILE_COLS], k == 0 || draw_one_in(2));
    for (int m = 0; m < 2; m++) handles[m][k] = tile[k].M[m];
  }
  grid_tune.row_panel_min_bytes = draw_one_in(2) ? 1000 : 20000;
  OK(Grid_memory_limit(1));
  for (int m = 0; m < 2; m++) {
    OK(GrB_Matrix_new(&C.M[m], GrB_FP64, rows, cols));
    OK(GxB_Matrix_concat(C.M[m], handles[m], TILE_ROWS, TILE_COLS, NULL));
  }
  expect_result(&C, tile, TILES);
  for (int m = 0; m < 2; m++)
    OK(GxB_Matrix_split(handles[m], TILE_ROWS, TILE_COLS, nrows, ncols, C.M[m], NULL));
  for (int k = 0; k < TILES; k++) {
    for (int m = 0; m < 2; m++) again[k].M[m] = handles[m][k];
    expect_result(&again[k], &C, 1);
    free_pair(&tile[k]), free_pair(&again[k]);
  }
  free_pair(&C);
  OK(Grid_memory_limit(0));
}

static void tiles(void **state) {
  for (int k = 0; k < 6; k++) concat_and_split(k % 3 == 0);
}

static void reshapes(void **state) {
  for (int k = 0; k < 12; k++) {
    const uint64_t nrows = k % 3 ? HUGE_DIM : 90, ncols = 60;
    const bool by_column = draw_one_in(2);
    matrix_pair C = draw_pair(nrows, ncols, true), D = {.paged = true};
    grid_tune.row_panel_min_bytes = draw_one_in(2) ? 1000 : 20000;
    for (int m = 0; m < 2; m++) {
      OK(GxB_Matrix_reshapeDup(&D.M[m], C.M[m], by_column, nrows / 2, ncols * 2, NULL));
      OK(GxB_Matrix_reshape(D.M[m], !by_column, 30, nrows * 2, NULL));
    }
    expect_result(&D, &C, 1);
    free_pair(&C), free_pair(&D);
    OK(Grid_memory_limit(0));
  }
}

/* The diagonal, and all entries as vectors, are read from disk. */
static void entries_as_vectors(void **state) {
  for (int k = 0; k < 6; k++) {
    matrix_pair p = draw_pair(HUGE_DIM, HUGE_DIM, true);
    GrB_Vector v[2][4];
    for (int m = 0; m < 2; m++) {
      OK(GrB_Vector_new(&v[m][3], GrB_FP64, HUGE_DIM - 2));
      OK(GxB_Vector_diag(v[m][3], p.M[m], 2, NULL));
      for (int j = 0; j < 3; j++) OK(GrB_Vector_new(&v[m][j], j < 2 ? GrB_UINT64 : GrB_FP64, 1));
      OK(GxB_Matrix_extractTuples_Vector(v[m][0], v[m][1], v[m][2], p.M[m], NULL));
    }
    for (int j = 0; j < 4; j++) {
      expect_alike(v[0][j], v[1][j]);
      GrB_free(&v[0][j]), GrB_free(&v[1][j]);
    }
    assert_true(is_paged(p.M[0]));
    free_pair(&p);
    OK(Grid_memory_limit(0));
  }
}

/* ---- failures ---- */

enum { KRONECKER, RESIZE, SORT, CONCAT, SPLIT, MOVES };

static GrB_Info move_entries(int kind, GrB_Matrix *C, GrB_Matrix M, GrB_Matrix small) {
  const GrB_Index half[] = {HUGE_DIM / 2, HUGE_DIM / 2};
  const GrB_Matrix two[] = {M, M};
  switch (kind) {
    case KRONECKER:
      return GrB_Matrix_kronecker_BinaryOp(C[0], NULL, NULL, GrB_TIMES_FP64, M, small, NULL);
    case RESIZE:
      return GrB_Matrix_resize(C[0], HUGE_DIM, 90);
    case SORT:
      return GxB_Matrix_sort(C[0], NULL, GrB_LT_FP64, M, GrB_DESC_T0);
    case CONCAT:
      return GxB_Matrix_concat(C[0], two, 2, 1, NULL);
    default:
      return GxB_Matrix_split(C, 2, 1, half, &(GrB_Index){9}, M, NULL);
  }
}

/* An allocation fails, each time a later one, on one process: the operand and the output keep their entries.
 */
static void moves_without_memory(int kind) {
  const uint64_t nrows = HUGE_DIM * (kind == KRONECKER ? 9
                                     : kind == CONCAT  ? 2
                                                       : 1),
                 ncols = kind == KRONECKER ? 81 : 9;
  const uint64_t n = kind == KRONECKER ? 8 : 20; /* its allocations are as many as pairs of entries */
  matrix_pair p = draw_pair_of(HUGE_DIM, 9, n, true, true), small = draw_pair_of(9, 9, 4, true, false);
  bool done = false;
  OK(Grid_memory_limit(1));
  const int64_t live = grid_mem_live();
  for (int64_t at = 0; !done; at += 1 + (int64_t)draw(60)) {
    GrB_Matrix C[2] = {NULL, NULL};
    if (kind == RESIZE)
      OK(GrB_Matrix_dup(&C[0], p.M[0]));
    else if (kind != SPLIT)
      OK(GrB_Matrix_new(&C[0], GrB_FP64, nrows, ncols));
    if (Grid_rank() == Grid_size() - 1) grid_mem_fail_after(at);
    const GrB_Info info = move_entries(kind, C, p.M[0], small.M[0]);
    grid_mem_fail_after(-1);
    assert_true(info == GrB_SUCCESS || info == GrB_OUT_OF_MEMORY);
    done = info == GrB_SUCCESS;
    if (!done && kind == RESIZE) expect_matrix(C[0], p.M[1]);
    for (int k = 0; k < 2; k++) GrB_free(&C[k]);
    if (grid_mem_live() > live + 4) fail_msg("%d blocks are left", (int)(grid_mem_live() - live));
  }
  expect_matrix(p.M[0], p.M[1]);
  free_pair(&p), free_pair(&small);
  OK(Grid_memory_limit(0));
}

static void no_memory(void **state) {
  grid_tune.row_panel_min_bytes = 700;
  for (int kind = 0; kind < MOVES; kind++) moves_without_memory(kind);
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

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(products_of_matrices),
                                     cmocka_unit_test(product_by_ordinary_pages),
                                     cmocka_unit_test(operators_of_positions),
                                     cmocka_unit_test(extracts),
                                     cmocka_unit_test(assigns),
                                     cmocka_unit_test(assigned_values),
                                     cmocka_unit_test(kronecker_products),
                                     cmocka_unit_test(resizes),
                                     cmocka_unit_test(sorts),
                                     cmocka_unit_test(tiles),
                                     cmocka_unit_test(reshapes),
                                     cmocka_unit_test(entries_as_vectors),
                                     cmocka_unit_test(no_memory),
                                     cmocka_unit_test(interchange),
                                     cmocka_unit_test(largest_dimensions)};
  if (test_device_is_missing()) return 77;
  cmocka_set_test_filter(argc > 1 ? argv[1] : NULL);
  return cmocka_run_group_tests(tests, name_file, stop);
}
