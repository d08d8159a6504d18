/* Matrices: building, degrees, storage, single elements; R-MAT graphs generated in place. */
#ifndef GRID_CUDA_MATRICES_H
#define GRID_CUDA_MATRICES_H
#include "dist/grid/layout.h"
#include "tests/cuda/round_objects.h"

static void record_degrees(GrB_Matrix A, GrB_Index n, bool by_column) {
  GrB_Vector d = NULL;
  OK(GrB_Vector_new(&d, GrB_INT64, n));
  OK(Grid_Matrix_degree(d, A, by_column));
  record_entries(by_column ? "in-degrees" : "out-degrees", EXACT, d, GrB_INT64);
  OK(GrB_Vector_free(&d));
}

/* Bytes may differ between backends. The host determines whether a matrix is symmetric when a product first
 * needs its columns, so both are compared once these exist; a split may be found by neither. */
static void record_storage(GrB_Matrix A) {
  Grid_Storage s = {0};
  OK(grid_matrix_require(A, GRID_READY));
  GrB_Info info = A->delegates.split ? GrB_SUCCESS : grid_matrix_require(A, GRID_COLS);
  if (info != GrB_SUCCESS) OK(info); /* noted by the side that fails alone: the other's may be split */
  OK(Grid_Matrix_storage(&s, A));
  record_number("storage: nvals", (int64_t)s.nvals);
  /* a short block of an uneven partition may be hypersparse on the host alone, which then has no index of
   * delegates */
  if (grid_partition_of(A->nrows)) return;
  /* where rows are whole a threshold has an effect on the host alone */
  if (A->hints.delegates < 0 || grid_ctx.C > 1) {
    record_number("storage: delegates", (int64_t)s.delegates);
    record_number("storage: threshold", s.threshold);
    record_number("storage: nn", (int64_t)s.nn);
    record_number("storage: nd", (int64_t)s.nd);
    record_number("storage: dn", (int64_t)s.dn);
    record_number("storage: dd", (int64_t)s.dd);
    /* the local matrices of a split are compressed on the device, as the block was; blocks that are
     * hypersparse on the host may have full axes there */
    if (s.delegates == 0) record_number("storage: symmetric", s.symmetric);
  }
  record_number("storage: it takes memory", s.nvals == 0 || s.bytes > 0);
}

static void record_product(GrB_Matrix A, GrB_Index nrows, GrB_Index ncols) {
  GrB_Vector u = NULL, w = NULL;
  OK(GrB_Vector_new(&u, GrB_INT64, nrows)), OK(GrB_Vector_new(&w, GrB_INT64, ncols));
  OK(GrB_Vector_assign_INT64(u, NULL, NULL, 2, GrB_ALL, nrows, NULL));
  OK(GrB_vxm(w, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_INT64, u, A, NULL));
  record_entries("column sums", EXACT, w, GrB_INT64);
  OK(GrB_Vector_free(&u)), OK(GrB_Vector_free(&w));
}

static void changes(GrB_Matrix A, GrB_Index nrows, GrB_Index ncols) {
  for (int k = 0; k < 6; k++) {
    const GrB_Index r = draw(nrows), c = draw(ncols);
    int32_t x = -1;
    if (draw_one_in(2)) OK(GrB_Matrix_setElement_INT32(A, (int32_t)draw(50), r, c));
    if (draw_one_in(3))
      OK(GrB_Matrix_removeElement(A, drawn.n ? drawn.at[drawn.n / 2].row : r,
                                  drawn.n ? drawn.at[drawn.n / 2].col : c));
    if (draw_one_in(3)) OK(GrB_Matrix_extractElement_INT32(&x, A, r, c)), record_number("element", x);
  }
}

static void matrix(void) {
  static GrB_Index row[EDGES], col[EDGES];
  static int32_t val[EDGES];
  const GrB_Type types[] = {GrB_BOOL, GrB_INT32, GrB_FP64, GrB_INT64};
  const GrB_Type t = types[draw(4)];
  const GrB_Index nrows = draw_size(), ncols = draw_one_in(2) ? nrows : draw_size();
  const bool distributed = draw_one_in(2), pattern = draw_one_in(2);
  const int flags =
      (nrows == ncols && draw_one_in(2) ? Grid_MIRROR : 0) | (draw_one_in(2) ? Grid_NO_LOOPS : 0);
  const GrB_BinaryOp dup = pattern || draw_one_in(6) ? NULL : draw_one_in(2) ? GrB_PLUS_INT32 : GrB_MIN_INT32;
  uint64_t n = 0;
  GrB_Matrix A = NULL, B = NULL;
  int64_t sum = 5;
  draw_graph(&drawn, nrows, ncols);
  for (uint64_t k = 0; k < drawn.given; k++) {
    const int32_t x = (int32_t)draw(20);
    if (is_local_tuple(k, distributed))
      row[n] = drawn.tuple[k].row, col[n] = drawn.tuple[k].col, val[n++] = x;
  }
  set_current_call("matrix %s %llu x %llu %s, %llu tuples, %s, dup %s, flags %d", grid_type_name(t),
                   (unsigned long long)nrows, (unsigned long long)ncols, drawn.form,
                   (unsigned long long)drawn.given, pattern ? "pattern" : "values", dup ? dup->name : "none",
                   flags);
  OK(GrB_Matrix_new(&A, t, nrows, ncols));
  MAY(Grid_Matrix_build(A, row, col, pattern ? NULL : val, pattern ? NULL : GrB_INT32, n, dup, flags));
  if (nrows == ncols)
    OK(GrB_Matrix_set_INT32(A, draw_one_in(3) ? (int32_t)draw(6) : Grid_DELEGATES_AUTO, Grid_DELEGATES));
  for (int step = 0; step < 4; step++) {
    change_device();
    switch (draw(7)) {
      case 0:
        record_storage(A);
        break;
      case 1:
        record_degrees(A, nrows, false), record_degrees(A, ncols, true);
        break;
      case 2:
        record_product(A, nrows, ncols);
        break;
      case 3:
        OK(GrB_Matrix_reduce_INT64(&sum, GrB_PLUS_INT64, GrB_PLUS_MONOID_INT64, A, NULL));
        record_number("sum", sum);
        break;
      case 4:
        changes(A, nrows, ncols);
        break;
      case 5:
        OK(GrB_Matrix_wait(A, draw_one_in(2) ? GrB_MATERIALIZE : GrB_COMPLETE));
        break;
      default:
        OK(GrB_Matrix_dup(&B, A));
        OK(GrB_Matrix_free(&A));
        A = B;
    }
  }
  record_matrix("the matrix", EXACT, A, t);
  if (draw_one_in(2)) OK(GrB_Matrix_clear(A)), OK(GrB_Matrix_setElement_INT32(A, 1, nrows - 1, ncols - 1));
  record_product(A, nrows, ncols);
  OK(GrB_Matrix_free(&A));
}

static void matrices(void **state) {
  run_rounds("matrices", 120, 12, matrix);
}

#ifdef GRID_TEST_RMAT
/* R-MAT graphs generated in place, against the same tuples built. */
static void rmat(void) {
  const int scale = 3 + (int)draw(small_sizes ? 5 : 10), flags = (int)draw(4);
  const uint64_t number = draw(50), edgefactor = 1 + draw(16);
  const GrB_Index n = (GrB_Index)1 << scale;
  const GrB_Type t = draw_one_in(2) ? GrB_BOOL : GrB_INT32;
  Grid_Edges e = {0};
  GrB_Matrix A = NULL, B = NULL;
  set_current_call("Grid_Matrix_rmat %s, scale %d, edge factor %llu, seed %llu, flags %d", grid_type_name(t),
                   scale, (unsigned long long)edgefactor, (unsigned long long)number, flags);
  OK(GrB_Matrix_new(&A, t, n, n)), OK(GrB_Matrix_new(&B, t, n, n));
  OK(Grid_Matrix_rmat(A, scale, edgefactor, number, flags));
  if (draw_one_in(2)) OK(GrB_Matrix_wait(A, GrB_MATERIALIZE));
  record_storage(A);
  record_product(A, n, n);
  change_device();
  record_matrix("A", EXACT, A, t);
  OK(Grid_rmat(&e, scale, edgefactor, number));
  OK(Grid_Matrix_build(B, e.rows, e.cols, NULL, NULL, e.n, NULL, flags));
  record_matrix("the same built of tuples", EXACT, B, t);
  OK(GrB_Matrix_free(&A)), OK(GrB_Matrix_free(&B));
  Grid_Edges_free(&e);
}

static void generated(void **state) {
  run_rounds("generated", 20, 6, rmat);
}
#endif
#endif
