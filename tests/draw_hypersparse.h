/* Matrices of 2^40 rows or columns, out of core beside the same in memory: drawn and compared. */
#ifndef GRID_DRAW_HYPERSPARSE_H
#define GRID_DRAW_HYPERSPARSE_H
#include <unistd.h>

#include "tests/compare_outofcore.h"

enum { MOST = 6000 };
static const uint64_t HUGE_DIM = UINT64_C(1) << 40;
static char file[512]; /* of pages: to be named first */

/* Edges, each on one process; of HUGE_DIM rows a few near each end and in the middle. */
static uint64_t draw_index(uint64_t n) {
  const uint64_t offset = draw(n < 40 ? n : 40);
  return n <= N ? draw(n) : draw_one_in(3) ? offset : draw_one_in(2) ? n - 1 - offset : n / 3 + offset;
}

static Grid_Edges draw_edges(uint64_t nrows, uint64_t ncols, uint64_t n, bool valued, bool symmetric) {
  Grid_Edges e = {.nrows = nrows, .ncols = ncols, .pattern = !valued, .symmetric = symmetric};
  e.rows = malloc((n + 1) * 8), e.cols = malloc((n + 1) * 8), e.values = valued ? malloc((n + 1) * 8) : NULL;
  for (uint64_t k = 0; k < n; k++) {
    uint64_t r = draw_index(nrows), c = draw_index(ncols);
    if (symmetric && c > r) {
      const uint64_t t = r;
      r = c, c = t;
    }
    if (k % (uint64_t)Grid_size() != (uint64_t)Grid_rank()) continue;
    e.rows[e.n] = r, e.cols[e.n] = c;
    if (valued) e.values[e.n] = 1 + (double)(r % 1000 * (c % 1000) % 17);
    e.n++;
  }
  return e;
}

/* Linux writes a file to the disk before that replaces another one; a new name needs no wait. */
static void remove_file(void) {
  if (Grid_rank() == 0) unlink(file);
}

static void write_pages(const Grid_Edges *e) {
  remove_file();
  OK(Grid_write(e, file, NULL));
}

/* The file as a matrix, out of core. */
static GrB_Matrix open_file(void) {
  GrB_Matrix A = NULL;
  OK(Grid_memory_limit(1));
  OK(Grid_Matrix_open(&A, file));
  assert_true(is_paged(A));
  return A;
}

static void expect_alike(GrB_Vector got, GrB_Vector want) {
  static GrB_Index at[2][MOST];
  static double x[2][MOST];
  GrB_Index n = MOST, m = MOST;
  OK(GrB_Vector_extractTuples_FP64(at[0], x[0], &n, got));
  OK(GrB_Vector_extractTuples_FP64(at[1], x[1], &m, want));
  assert_true(n == m);
  assert_memory_equal(at[0], at[1], n * sizeof **at);
  for (uint64_t k = 0; k < n; k++) assert_true(x[0][k] - x[1][k] < 1e-12 && x[1][k] - x[0][k] < 1e-12);
}

typedef struct {
  GrB_Index row, col;
  double x;
} matrix_entry;

static int by_position(const void *p, const void *q) {
  const matrix_entry *a = p, *b = q;
  return a->row != b->row ? (a->row > b->row) - (a->row < b->row) : (a->col > b->col) - (a->col < b->col);
}

/* Returns the number of A's entries, which come by rows. */
static GrB_Index sorted_entries(matrix_entry *e, GrB_Matrix A) {
  static GrB_Index row[MOST], col[MOST];
  static double x[MOST];
  GrB_Index n = MOST;
  OK(GrB_Matrix_extractTuples_FP64(row, col, x, &n, A));
  for (GrB_Index k = 0; k < n; k++) e[k] = (matrix_entry){row[k], col[k], x[k]};
  qsort(e, n, sizeof *e, by_position);
  return n;
}

/* Also out of core. */
static void expect_matrix(GrB_Matrix got, GrB_Matrix want) {
  static matrix_entry e[2][MOST];
  const GrB_Index n = sorted_entries(e[0], got);
  assert_true(n == sorted_entries(e[1], want));
  assert_memory_equal(e[0], e[1], n * sizeof **e);
}

static GrB_Vector draw_vector(uint64_t n, uint64_t count) {
  GrB_Vector v;
  OK(GrB_Vector_new(&v, GrB_FP64, n));
  if (count >= N && n <= N) OK(GrB_Vector_assign_FP64(v, NULL, NULL, 3, GrB_ALL, n, NULL));
  for (uint64_t k = 0; k < count; k++) OK(GrB_Vector_setElement_FP64(v, (double)draw(50), draw_index(n)));
  OK(GrB_Vector_wait(v, GrB_MATERIALIZE));
  return v;
}

typedef struct {
  GrB_Matrix M[2]; /* the first out of core, or in memory as the second is */
  bool paged;
} matrix_pair;

static matrix_pair draw_pair_of(uint64_t nrows, uint64_t ncols, uint64_t n, bool valued, bool paged) {
  Grid_Edges e = draw_edges(nrows, ncols, n, valued, false);
  matrix_pair p = {{build(&e), build(&e)}, paged};
  if (paged) {
    GrB_free(&p.M[0]);
    OK(Grid_memory_limit(0));
    write_pages(&e);
    p.M[0] = open_file();
  }
  free_edges(&e);
  return p;
}

static matrix_pair draw_pair(uint64_t nrows, uint64_t ncols, bool paged) {
  const uint64_t n = 20 + draw(300);
  return draw_pair_of(nrows, ncols, n, draw_one_in(2), paged);
}

static GrB_Descriptor draw_descriptor(bool *flip, bool *replace) {
  GrB_Descriptor d;
  const bool structure = draw_one_in(2), complement = draw_one_in(3);
  *replace = draw_one_in(2);
  for (int k = 0; k < 2; k++) flip[k] = draw_one_in(2);
  OK(GrB_Descriptor_new(&d));
  if (*replace) OK(GrB_Descriptor_set(d, GrB_OUTP, GrB_REPLACE));
  if (structure) OK(GrB_Descriptor_set(d, GrB_MASK, GrB_STRUCTURE));
  if (complement) OK(GrB_Descriptor_set(d, GrB_MASK, GrB_COMP));
  if (flip[0]) OK(GrB_Descriptor_set(d, GrB_INP0, GrB_TRAN));
  if (flip[1]) OK(GrB_Descriptor_set(d, GrB_INP1, GrB_TRAN));
  return d;
}
#endif
