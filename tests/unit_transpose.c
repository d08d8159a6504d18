/* The transpose of a matrix, as a local matrix and as an operation, against a list of entries replicated on
 * every process. Runs on any number of processes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit.h"
#include "gridblas.h"
#include "tests/random_numbers.h"
#include "dist/matrix/transfer/matrix_route.h"
#include "tests/grid_shapes.h"
#include "tests/assert_all.h"
#include "tests/test_tuples.h"

enum { MOST = 3000 };

#define OK(call) assert_int_equal(call, GrB_SUCCESS)

static uint64_t draw_index(GrB_Index below) {
  return (draw(UINT64_C(1) << 30) << 30 | draw(UINT64_C(1) << 30)) % below;
}

/* n entries at most at random positions, without duplicates. */
static size_t draw_entries(tuple *e, size_t n, GrB_Index nrows, GrB_Index ncols, bool iso) {
  size_t kept = 0;
  for (size_t k = 0; k < n; k++)
    e[k] = (tuple){draw_index(nrows), draw_index(ncols), iso ? 1 : (double)draw(1000)};
  qsort(e, n, sizeof *e, tuple_order);
  for (size_t k = 0; k < n; k++)
    if (k == 0 || tuple_order(&e[kept - 1], &e[k]) != 0) e[kept++] = e[k];
  return kept;
}

static GrB_Matrix make(const tuple *e, size_t n, GrB_Index nrows, GrB_Index ncols, bool iso) {
  static GrB_Index I[MOST], J[MOST];
  static double X[MOST];
  GrB_Matrix A = NULL;
  const size_t share = n / (size_t)Grid_size() + 1,
               from = share * (size_t)Grid_rank() < n ? share * (size_t)Grid_rank() : n,
               to = from + share < n ? from + share : n;
  for (size_t k = from; k < to; k++) I[k] = e[k].row, J[k] = e[k].col, X[k] = e[k].value;
  OK(GrB_Matrix_new(&A, GrB_FP64, nrows, ncols));
  OK(Grid_Matrix_build(A, I + from, J + from, iso ? NULL : X + from, iso ? NULL : GrB_FP64, to - from, NULL,
                       0));
  return A;
}

/* Is t this process's block of the transposed entries? */
static bool is_transposed(const grid_local_matrix *t, GrB_Matrix like, const tuple *e, size_t n, bool iso) {
  bool fine = t->row.dim == grid_block_rows(like->nrows) && t->col.dim == grid_block_cols(like->ncols);
  uint64_t all = t->nvals;
  uint64_t row = 0, col = 0, at = 0;
  for (grid_entries it = grid_entries_begin(t); grid_entries_next(&it); row = it.row, col = it.col) {
    const tuple want = {grid_global_col(like->ncols, it.col), grid_global_row(like->nrows, it.row), 0};
    const tuple *found = bsearch(&want, e, n, sizeof *e, tuple_order);
    fine = fine && found && *(const double *)grid_lmat_value(t, it.at) == found->value;
    fine = fine && (at++ == 0 || it.row > row || (it.row == row && it.col > col));
  }
  fine = fine && (t->iso || !iso || t->nvals == 0);
  OK(Grid_sum(&all, 1));
  return fine && all == n;
}

static const GrB_Index dims[] = {1, 3, 65, 500, 4000, UINT64_C(0x100000001), UINT64_C(1) << 60};
enum { NDIMS = 7 };

static void local_matrices(void **state) {
  static tuple e[MOST];
  for (int round = 0; round < 4 * NDIMS * NDIMS; round++) {
    const GrB_Index nrows = dims[round % NDIMS], ncols = dims[round / NDIMS % NDIMS];
    const bool iso = round % 3 == 0, oriented = round % 4 == 1;
    const size_t n = draw_entries(e, round % 5 == 0 ? 0 : draw(MOST), nrows, ncols, iso);
    GrB_Matrix A = make(e, n, nrows, ncols, iso), like = NULL;
    OK(GrB_Matrix_new(&like, GrB_BOOL, ncols, nrows));
    if (oriented) {
      OK(grid_matrix_require(A, GRID_READY));
      OK(grid_matrix_require(A, GRID_COLS));
    }
    grid_local_matrix t;
    OK(grid_matrix_transposed(A, like, &t, true, "test"));
    assert_on_all(is_transposed(&t, like, e, n, iso));
    grid_lmat_free(&t);
    GrB_Matrix_free(&A);
    GrB_Matrix_free(&like);
  }
}

/* All bytes of an entry's value. */
static int value_byte(GrB_Index row, GrB_Index col) {
  return (int)((row + col / 2) % 2); /* also those of a BOOL */
}

/* Values of 1 to 24 bytes. */
static void value_sizes(void **state) {
  static tuple e[MOST];
  static GrB_Index I[MOST], J[MOST];
  static char X[24 * MOST];
  GrB_Type user;
  OK(GrB_Type_new(&user, 24));
  const GrB_Type types[] = {GrB_BOOL, GrB_INT16, GrB_UINT32, GrB_INT64, GxB_FC64, user};
  const size_t size[] = {1, 2, 4, 8, 16, 24};
  for (int round = 0; round < 24; round++) {
    const int of = round % 6;
    const GrB_Index nrows = dims[1 + round % 4], ncols = dims[1 + round / 6];
    const size_t n = draw_entries(e, draw(MOST), nrows, ncols, true), P = (size_t)Grid_size();
    size_t kept = 0;
    for (size_t k = (size_t)Grid_rank(); k < n; k += P, kept++) {
      I[kept] = e[k].row, J[kept] = e[k].col;
      memset(X + kept * size[of], value_byte(e[k].row, e[k].col), size[of]);
    }
    GrB_Matrix A = NULL, like = NULL;
    OK(GrB_Matrix_new(&A, types[of], nrows, ncols));
    OK(GrB_Matrix_new(&like, types[of], ncols, nrows));
    OK(Grid_Matrix_build(A, I, J, X, types[of], kept, NULL, 0));
    grid_local_matrix t;
    OK(grid_matrix_transposed(A, like, &t, true, "test"));
    uint64_t all = t.nvals;
    bool fine = true;
    for (grid_entries it = grid_entries_begin(&t); grid_entries_next(&it);) {
      const char *value = grid_lmat_value(&t, it.at);
      const GrB_Index row = grid_global_row(like->nrows, it.row), col = grid_global_col(like->ncols, it.col);
      for (size_t b = 0; b < size[of]; b++) fine = fine && value[b] == value_byte(col, row);
    }
    OK(Grid_sum(&all, 1));
    assert_on_all(fine && all == n);
    grid_lmat_free(&t);
    GrB_Matrix_free(&A);
    GrB_Matrix_free(&like);
  }
  GrB_Type_free(&user);
}

/* Chunks of so many rows and columns that the rows of a chunk are sent in several ranges, with keys of 64
 * bits where `stride` is not 1. Every stride-th row r has its value at two columns: r times an odd number
 * modulo the dimension, and that with the lowest bit changed. */
static void transpose_long_chunks(GrB_Index dim, GrB_Index stride) {
  const GrB_Index P = (GrB_Index)Grid_size(), step = 733009, size = 2 * (dim / stride / P + 1);
  GrB_Index *I = malloc(size * sizeof *I), *J = malloc(size * sizeof *J), n = 0;
  double *X = malloc(size * sizeof *X);
  GrB_Matrix A = NULL, like = NULL;
  assert_true(I && J && X);
  for (GrB_Index r = stride * (GrB_Index)Grid_rank(); r < dim; r += stride * P)
    for (GrB_Index low = 0; low < 2; low++, n++) I[n] = r, J[n] = (r * step % dim) ^ low, X[n] = (double)r;
  OK(GrB_Matrix_new(&A, GrB_FP64, dim, dim));
  OK(GrB_Matrix_new(&like, GrB_FP64, dim, dim));
  OK(Grid_Matrix_build(A, I, J, X, GrB_FP64, n, NULL, 0));
  grid_local_matrix t;
  OK(grid_matrix_transposed(A, like, &t, true, "test"));
  uint64_t all = t.nvals, row = 0, col = 0, at = 0;
  bool fine = true;
  for (grid_entries it = grid_entries_begin(&t); grid_entries_next(&it); row = it.row, col = it.col) {
    const GrB_Index r = grid_global_col(dim, it.col), c = grid_global_row(dim, it.row);
    fine = fine && r % stride == 0 && ((r * step % dim) | 1) == (c | 1);
    fine = fine && *(const double *)grid_lmat_value(&t, it.at) == (double)r;
    fine = fine && (at++ == 0 || it.row > row || (it.row == row && it.col > col));
  }
  OK(Grid_sum(&all, 1));
  assert_on_all(fine && all == 2 * dim / stride);
  grid_lmat_free(&t);
  GrB_Matrix_free(&A);
  GrB_Matrix_free(&like);
  free(I), free(J), free(X);
}

static void long_chunks(void **state) {
  transpose_long_chunks(1 << 18, 1);
  if (Grid_size() <= 2) transpose_long_chunks(1 << 22, 8);
}

/* One value on some processes, others elsewhere; and the same one on those that have any. */
static void iso_values_differ(void **state) {
  GrB_Matrix like = NULL;
  OK(GrB_Matrix_new(&like, GrB_FP64, 300, 200));
  for (int round = 0; round < 2; round++) {
    grid_tuples t = {.n = Grid_rank() == 1 ? 0 : 1};
    t.row = grid_malloc(1, sizeof *t.row), t.col = grid_malloc(1, sizeof *t.col);
    *t.row = 5 + (uint64_t)Grid_rank(), *t.col = 7;
    const double one = round ? 3 : Grid_rank();
    grid_local_matrix lmat;
    OK(grid_route_tuples(like, &t, GrB_FP64, &one, GrB_SUCCESS, &lmat, "test"));
    bool fine = !round || lmat.iso;
    uint64_t n = lmat.nvals;
    for (grid_entries it = grid_entries_begin(&lmat); grid_entries_next(&it);)
      fine = fine && *(const double *)grid_lmat_value(&lmat, it.at) ==
                         (round ? 3 : (double)grid_global_row(like->nrows, it.row) - 5);
    OK(Grid_sum(&n, 1));
    assert_on_all(fine && n == (uint64_t)Grid_size() - (Grid_size() > 1));
    grid_lmat_free(&lmat);
  }
  GrB_Matrix_free(&like);
}

/* The matrix is not declared symmetric. A difference in one value, one position or one direction makes it
 * unsymmetric; so does a value set later. Values of 1 to 8 bytes, and a pattern. */
enum { IT_IS, ONE_VALUE, ONE_POSITION, DIRECTED_CYCLE, SET_LATER, CASES };

static size_t symmetric_entries(tuple *e, GrB_Index n, int how) {
  size_t kept = 0;
  for (GrB_Index i = 0; i < n; i++)
    for (GrB_Index j = 0; j <= i; j += 1 + draw(5)) {
      const double value = 1 + (double)draw(99);
      e[kept++] = (tuple){i, j, value};
      if (i != j) e[kept++] = (tuple){j, i, value};
    }
  /* the last pair is (n - 1, j), (j, n - 1), or one on the diagonal that an adjacent position follows */
  tuple *last = &e[kept - 1];
  if (how == ONE_VALUE && last->row != last->col) last->value++;
  if (how == ONE_VALUE && last->row == last->col) e[kept++] = (tuple){n - 1, n, 1};
  if (how == ONE_POSITION) e[kept++] = (tuple){0, n, 1};
  if (how != DIRECTED_CYCLE) return kept;
  for (GrB_Index v = 0; v < 2 * n; v++) e[v] = (tuple){v, (v + 1) % (2 * n), 7}; /* all degrees are alike */
  return 2 * n;
}

/* Is the transpose of A, as this process has it, its own block? */
static bool equals_transpose(GrB_Matrix A) {
  grid_local_matrix t;
  OK(grid_matrix_transposed(A, A, &t, true, "test"));
  bool fine = t.nvals == A->block.nvals;
  grid_entries a = grid_entries_begin(&A->block), b = grid_entries_begin(&t);
  while (fine && grid_entries_next(&a) && grid_entries_next(&b))
    fine = a.row == b.row && a.col == b.col &&
           memcmp(grid_lmat_value(&A->block, a.at), grid_lmat_value(&t, b.at), A->type->size) == 0;
  grid_lmat_free(&t);
  return fine;
}

static void detected_symmetry(void **state) {
  static tuple e[MOST];
  const GrB_Type types[] = {GrB_FP64, GrB_INT8, GrB_FP32, GrB_INT16};
  for (int round = 0; round < 5 * CASES; round++) {
    const int how = round % CASES, type = round / CASES;
    const GrB_Index n = 30;
    const size_t count = symmetric_entries(e, n, how);
    Grid_Storage s;
    GrB_Matrix full = make(e, count, 2 * n, 2 * n, type == 4 && how != ONE_VALUE), A = NULL;
    OK(GrB_Matrix_new(&A, types[type % 4], 2 * n, 2 * n));
    OK(GrB_Matrix_apply(A, NULL, NULL, GrB_IDENTITY_FP64, full, NULL));
    OK(Grid_Matrix_storage(&s, A));
    const bool is = how == IT_IS || how == SET_LATER, by_position = s.bitmap || s.full; /* not inspected */
    assert_on_all(by_position ? !s.symmetric || is : s.symmetric == is);
    if (s.symmetric && !by_position) assert_on_all(equals_transpose(A));
    if (how == SET_LATER) {
      OK(GrB_Matrix_setElement_FP64(A, 100, e[1].row, e[1].col));
      OK(GrB_Matrix_setElement_FP64(A, 101, e[1].col, e[1].row));
      OK(GrB_Matrix_wait(A, GrB_MATERIALIZE));
      OK(Grid_Matrix_storage(&s, A));
      assert_on_all(!s.symmetric || e[1].row == e[1].col);
    }
    GrB_Matrix_free(&A);
    GrB_Matrix_free(&full);
  }
}

MAIN_ON_SHAPES(start_on_shape, stop_on_shape, cmocka_unit_test(local_matrices), cmocka_unit_test(value_sizes),
               cmocka_unit_test(long_chunks), cmocka_unit_test(iso_values_differ),
               cmocka_unit_test(detected_symmetry))
