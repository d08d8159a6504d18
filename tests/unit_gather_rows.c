/* All rows of a matrix on every process of a grid of one column (dist/matrix/transfer/gather_rows.c), in each
 * process's memory and in memory that processes share, against the tuples. */
#include <stdlib.h>
#include <string.h>

#include "tests/unit.h"
#include "dist/matrix/transfer/matrix_gather.h"
#include "tests/assert_all.h"
#include "tests/grid_shapes.h"
#include "tests/random_numbers.h"

#define OK(call) assert_on_all((call) == GrB_SUCCESS)

enum { MOST = 6000 };
typedef struct {
  GrB_Index n, row[MOST], col[MOST];
  int32_t val[MOST];
} tuples;

/* first: of the rows that have entries; values: 0: all are 7; 1: those of a row are equal; 2: any. */
static GrB_Matrix draw_matrix(tuples *t, GrB_Index rows, GrB_Index cols, GrB_Index first, GrB_Index cols_used,
                              int values) {
  GrB_Matrix A;
  t->n = draw(MOST);
  for (GrB_Index k = 0; k < t->n; k++) {
    t->row[k] = first + draw(rows - first), t->col[k] = draw(cols_used);
    t->val[k] = values == 0 ? 7 : values == 1 ? (int32_t)(t->row[k] % 5) : (int32_t)draw(1000);
  }
  OK(GrB_Matrix_new(&A, GrB_INT32, rows, cols));
  OK(GrB_Matrix_build_INT32(A, t->row, t->col, t->val, t->n, GrB_MAX_INT32));
  t->n = MOST;
  OK(GrB_Matrix_extractTuples_INT32(t->row, t->col, t->val, &t->n, A));
  return A;
}

/* Has m these entries, in rows and columns without lists? */
static bool has_entries(const grid_local_matrix *m, const tuples *t, uint64_t rows, uint64_t cols) {
  const grid_compressed *c = &m->by_row;
  bool right = m->nvals == t->n && !m->row.ids && !m->col.ids && m->row.n == rows && m->col.n == cols &&
               c->ptr[0] == 0 && c->ptr[m->row.n] == t->n;
  for (GrB_Index k = 0; right && k < t->n; k++) {
    GrB_Index e = c->ptr[t->row[k]];
    while (e < c->ptr[t->row[k] + 1] && c->idx[e] != t->col[k]) e++;
    const int32_t *val = m->iso ? m->iso_val : (const int32_t *)c->val + e;
    right = e < c->ptr[t->row[k] + 1] && *val == t->val[k];
  }
  return right;
}

/* On any grid. */
static void share(GrB_Matrix A, const tuples *t) {
  grid_local_matrix m = {0};
  bool shared;
  if (!grid_can_share_rows(A)) return;
  OK(grid_share_rows(&m, &A->block, A->nrows, A->ncols, true, &shared));
  assert_on_all(shared == grid_mailbox_is_open(GRID_SET_ALL));
  const uint64_t rows = grid_ctx.C == 1 ? grid_block_cols(A->nrows) : A->nrows,
                 cols = grid_ctx.C == 1 ? grid_block_cols(A->ncols) : A->ncols;
  if (shared) assert_on_all(has_entries(&m, t, rows, cols));
  m.by_row = (grid_compressed){0};
  grid_lmat_free(&m);
}

/* All of A for a reader, in shared memory unless an axis needs a list: the same entries as the tuples. */
static void view(GrB_Matrix A, const tuples *t) {
  grid_replicated_matrix w = {0};
  const uint64_t longest = A->nrows > A->ncols ? A->nrows : A->ncols;
  OK(grid_matrix_try_view(&w, A, true, "view"));
  assert_on_all(w.borrowed == (grid_mailbox_is_open(GRID_SET_ALL) && grid_can_share_rows(A) &&
                               grid_axis_is_dense_for(longest, t->n)));
  if (w.borrowed) assert_on_all(has_entries(w.p, t, w.p->row.dim, w.p->col.dim));
  grid_replicated_matrix_free(&w);
}

static void compare(GrB_Matrix A, const tuples *t, bool expected) {
  grid_local_matrix m = {0};
  bool gathered;
  OK(grid_matrix_gather_rows(&m, A, &gathered));
  assert_on_all(gathered == expected);
  if (gathered) assert_on_all(has_entries(&m, t, grid_block_cols(A->nrows), grid_block_cols(A->ncols)));
  grid_lmat_free(&m);
  share(A, t);
  view(A, t);
}

static void rows(void **state) {
  static tuples t;
  for (int turn = 0; turn < 30; turn++) {
    const GrB_Index rows = 1 + draw(3000), cols = 1 + draw(3000);
    GrB_Matrix A = draw_matrix(&t, rows, cols, draw(rows), 1 + draw(cols), turn % 3);
    compare(A, &t, grid_ctx.C == 1);
    OK(GrB_Matrix_free(&A));
  }
}

/* Columns that are a list in each block, and one so long that it stays one. */
static void lists(void **state) {
  static tuples t;
  GrB_Matrix A = draw_matrix(&t, 7000, 7000, 0, 3, 0);
  compare(A, &t, grid_ctx.C == 1);
  OK(GrB_Matrix_free(&A));
  A = draw_matrix(&t, 100, GrB_INDEX_MAX / 4, 0, 3, 0);
  compare(A, &t, false);
  OK(GrB_Matrix_free(&A));
}

MAIN_ON_SHAPES(start_on_shape, stop_on_shape, cmocka_unit_test(rows), cmocka_unit_test(lists))
