/* Page files of more rows or columns than 32 bits number: written from tuples, edges and other files, read
 * back, and opened as matrices whose products, reductions, elements and algorithms are those of the same
 * matrix in memory. Most run with a lower limit of 32-bit indices, so that results have values for all
 * vertices; some with 2^40 rows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "dist/outofcore/pages/page_file_header.h"
#include "gridblas.h"
#include "gridblas_algos.h"
#include "semiring/support/mem.h"
#include "semiring/support/tuning.h"
#include "tests/compare_outofcore.h"
#include "tests/test_device.h"
#include "tests/test_folder.h"

enum { LIMIT = 100, MOST = 6000 };
static const uint64_t HUGE_DIM = UINT64_C(1) << 40;
static char file[512], other[512];

/* Edges, each on one process; of HUGE_DIM rows a few near each end and in the middle. */
static uint64_t draw_index(uint64_t n) {
  const uint64_t near = draw(n < 40 ? n : 40);
  return n <= N ? draw(n) : draw_one_in(3) ? near : draw_one_in(2) ? n - 1 - near : n / 3 + near;
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

/* The file as a matrix, out of core. */
static GrB_Matrix open_file(void) {
  GrB_Matrix A = NULL;
  OK(Grid_memory_limit(1));
  OK(Grid_Matrix_open(&A, file));
  assert_true(is_paged(A));
  return A;
}

/* ---- comparison ---- */

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

/* Also out of core. */
static void expect_matrix(GrB_Matrix got, GrB_Matrix want) {
  static GrB_Index row[2][MOST], col[2][MOST];
  static double x[2][MOST];
  GrB_Index n = MOST, m = MOST;
  OK(GrB_Matrix_extractTuples_FP64(row[0], col[0], x[0], &n, got));
  OK(GrB_Matrix_extractTuples_FP64(row[1], col[1], x[1], &m, want));
  assert_true(n == m);
  assert_memory_equal(row[0], row[1], n * sizeof **row);
  assert_memory_equal(col[0], col[1], n * sizeof **col);
  assert_memory_equal(x[0], x[1], n * sizeof **x);
}

static GrB_Vector draw_vector(uint64_t n, uint64_t count) {
  GrB_Vector v;
  OK(GrB_Vector_new(&v, GrB_FP64, n));
  if (count >= N && n <= N) OK(GrB_Vector_assign_FP64(v, NULL, NULL, 3, GrB_ALL, n, NULL));
  for (uint64_t k = 0; k < count; k++) OK(GrB_Vector_setElement_FP64(v, (double)draw(50), draw_index(n)));
  OK(GrB_Vector_wait(v, GrB_MATERIALIZE));
  return v;
}

static void elements(GrB_Matrix A, GrB_Matrix B, uint64_t nrows, uint64_t ncols) {
  for (int k = 0; k < 30; k++) {
    const GrB_Index r = draw_index(nrows), c = draw_index(ncols);
    double x[2] = {0, 0};
    const GrB_Info got = GrB_Matrix_extractElement_FP64(&x[0], A, r, c);
    assert_int_equal(got, GrB_Matrix_extractElement_FP64(&x[1], B, r, c));
    assert_true(x[0] == x[1]);
  }
}

/* A transpose stays out of core. */
static void transposed(GrB_Matrix A, GrB_Matrix B, GrB_Type type, uint64_t nrows, uint64_t ncols) {
  GrB_Matrix T[2];
  if (!is_paged(A)) return;
  for (int k = 0; k < 2; k++) {
    OK(GrB_Matrix_new(&T[k], type, ncols, nrows));
    OK(GrB_transpose(T[k], NULL, NULL, k ? B : A, NULL));
  }
  assert_true(is_paged(T[0]) && is_paged(A));
  sums(T[0], T[1], ncols, nrows);
  products(T[0], T[1], ncols, nrows, 5);
  elements(T[0], T[1], ncols, nrows);
  if (nrows == ncols) {
    OK(GrB_transpose(T[0], NULL, NULL, T[0], NULL));
    assert_true(is_paged(T[0]));
    products(T[0], B, nrows, ncols, 2);
  }
  for (int k = 0; k < 2; k++) GrB_free(&T[k]);
}

static void entrywise_result(GrB_Matrix C, GrB_Matrix A, int kind) {
  switch (kind) {
    case 0:
      OK(GrB_Matrix_apply_BinaryOp2nd_FP64(C, NULL, NULL, GrB_PLUS_FP64, A, 5, NULL));
      break;
    case 1:
      OK(GrB_Matrix_apply_IndexOp_INT64(C, NULL, NULL, GrB_DIAGINDEX_INT64, A, 3, GrB_DESC_R));
      break;
    case 2:
      OK(GrB_Matrix_select_FP64(C, NULL, NULL, GrB_VALUEGT_FP64, A, 6, NULL));
      break;
    default:
      OK(GrB_Matrix_select_INT64(C, NULL, NULL, GrB_TRIL, A, 0, NULL));
  }
}

/* What apply and select make stays out of core, also in place of their operand. */
static void entrywise(GrB_Matrix A, GrB_Matrix B, uint64_t nrows, uint64_t ncols) {
  if (!is_paged(A)) return;
  for (int kind = 0; kind < 4; kind++) {
    GrB_Matrix C[2];
    const bool in_place = draw_one_in(2);
    GrB_Index nvals;
    for (int k = 0; k < 2; k++) {
      const GrB_Matrix of = k ? B : A;
      if (in_place)
        OK(GrB_Matrix_dup(&C[k], of));
      else
        OK(GrB_Matrix_new(&C[k], GrB_FP64, nrows, ncols));
      entrywise_result(C[k], in_place ? C[k] : of, kind);
    }
    OK(GrB_Matrix_nvals(&nvals, C[1]));
    assert_true((is_paged(C[0]) || !nvals) && is_paged(A));
    sums(C[0], C[1], nrows, ncols);
    products(C[0], C[1], nrows, ncols, 2);
    elements(C[0], C[1], nrows, ncols);
    for (int k = 0; k < 2; k++) GrB_free(&C[k]);
  }
}

/* What needs the entries in memory is refused without it, and nothing changes; with memory it works. */
static void whole(GrB_Matrix A, GrB_Matrix B, uint64_t nrows, uint64_t ncols) {
  GrB_Matrix T[2];
  GrB_Index nvals;
  for (int k = 0; k < 2; k++) OK(GrB_Matrix_new(&T[k], GrB_FP64, ncols, nrows));
  OK(GrB_Matrix_nvals(&nvals, A));
  if (is_paged(A) && nvals) {
    assert_int_equal(GrB_Matrix_apply(T[0], NULL, NULL, GrB_AINV_FP64, A, GrB_DESC_T0), GrB_OUT_OF_MEMORY);
    assert_int_equal(GrB_transpose(T[0], NULL, GrB_PLUS_FP64, A, NULL), GrB_OUT_OF_MEMORY);
    OK(GrB_Matrix_nvals(&nvals, T[0]));
    assert_true(nvals == 0 && is_paged(A));
  }
  OK(Grid_memory_limit(0));
  OK(GrB_transpose(T[0], NULL, NULL, A, NULL));
  OK(GrB_transpose(T[1], NULL, NULL, B, NULL));
  assert_false(is_paged(A));
  expect_matrix(T[0], T[1]);
  products(T[0], T[1], ncols, nrows, 5);
  expect_matrix(A, B);
  products(A, B, nrows, ncols, 5);
  for (int k = 0; k < 2; k++) GrB_free(&T[k]);
}

/* ---- tests ---- */

static void write_segments(const Grid_Edges *e, int flags) {
  Grid_Pages_Builder b = NULL;
  Grid_Pages_Build_Stats how;
  GrB_Info put = GrB_SUCCESS;
  OK(Grid_Pages_begin(&b, file, e->nrows, e->ncols, !e->pattern, flags));
  for (uint64_t at = 0, n; at < e->n && put == GrB_SUCCESS; at += n) {
    n = 1 + draw(400) < e->n - at ? 1 + draw(400) : e->n - at;
    if (n > e->n - at) n = e->n - at;
    put = Grid_Pages_append(b, e->rows + at, e->cols + at, e->pattern ? NULL : e->values + at, n);
  }
  OK(Grid_Pages_end(&b, put, &how));
}

/* The edges of the file, with what Matrix Market makes of them, are those of B. */
static void read_back(GrB_Matrix B) {
  Grid_Edges e;
  for (int k = 0; k < 2; k++) {
    if (k) {
      OK(Grid_write(&e, other, NULL));
      Grid_Edges_free(&e);
    }
    OK(Grid_read(&e, k ? other : file));
    GrB_Matrix C = build(&e);
    assert_true(e.ids == NULL);
    expect_matrix(C, B);
    GrB_free(&C);
  }
  Grid_Edges_free(&e);
}

static void compare(uint64_t nrows, uint64_t ncols, uint64_t n, bool valued, bool symmetric) {
  static const uint64_t limits[] = {0, 1, 300000};
  Grid_Edges e = draw_edges(nrows, ncols, n, valued, symmetric);
  const bool is_written = draw_one_in(2), no_loops = !is_written && draw_one_in(2);
  Grid_Pages_Info p;
  GrB_Matrix A, B = build(&e), D;
  if (no_loops) OK(GrB_Matrix_select_INT64(B, NULL, NULL, GrB_OFFDIAG, B, 0, NULL));
  grid_tune.page_entries = 3 + draw(60), grid_tune.page_read_bytes = 100 + draw(900);
  grid_tune.row_panel_min_bytes = 1 + draw(100000); /* a transpose sends entries in several rounds */
  OK(Grid_memory_limit(limits[draw(3)]));
  if (is_written)
    OK(Grid_write(&e, file, NULL));
  else
    write_segments(&e, (symmetric ? Grid_MIRROR : 0) | (no_loops ? Grid_NO_LOOPS : 0));
  OK(Grid_pages_info(&p, file));
  assert_true(p.nrows == nrows && p.ncols == ncols && p.symmetric == symmetric && p.pattern == !valued);
  assert_true(!p.named && (p.no_loops || !no_loops));
  OK(Grid_memory_limit(0));
  read_back(B);
  OK(Grid_memory_limit(1));
  if (n)
    A = open_file();
  else
    OK(Grid_Matrix_open(&A, file));
  for (int copy = 0; copy < 2; copy++) {
    const GrB_Matrix of = copy ? D : A;
    sums(of, B, nrows, ncols);
    products(of, B, nrows, ncols, 5);
    elements(of, B, nrows, ncols);
    if (!copy) OK(GrB_Matrix_dup(&D, A));
  }
  GrB_free(&A);
  transposed(D, B, valued ? GrB_FP64 : GrB_BOOL, nrows, ncols);
  entrywise(D, B, nrows, ncols);
  whole(D, B, nrows, ncols);
  GrB_free(&D);
  GrB_free(&B);
  free_edges(&e);
}

static void lower_limit(void **state) {
  (void)state;
  enum { ROUNDS = 3 };
  static const uint64_t shapes[][3] = {{N, N, 3000}, {N, N, 60}, {N, 90, 700}, {70, N, 2000}, {N, N, 0}};
  const uint64_t before = grid_tune.index32_max;
  if (test_device_is_named()) skip(); /* kernels take dimensions up to 2^32 whatever the limit of the host */
  grid_tune.index32_max = LIMIT;
  for (int k = 0; k < 5 * ROUNDS; k++)
    for (int kind = 0, s = k / ROUNDS; kind < 4; kind++)
      if (kind < 2 || shapes[s][0] == shapes[s][1])
        compare(shapes[s][0], shapes[s][1], shapes[s][2], kind & 1, kind & 2);
  grid_tune.index32_max = before;
}

static void huge_dimensions(void **state) {
  (void)state;
  for (int kind = 0; kind < 4; kind++) compare(HUGE_DIM, HUGE_DIM, 800, kind & 1, kind & 2);
  compare(HUGE_DIM, 90, 300, true, false);
  compare(70, HUGE_DIM - 5, 300, false, false);
  compare(HUGE_DIM, HUGE_DIM, 0, false, false);
}

/* Lists of several blocks of names, which all processes write; tuples of all processes, or of one. */
static void long_lists(void **state) {
  (void)state;
  enum { TUPLES = 12000 };
  for (int kind = 0; kind < 4; kind++) {
    const bool is_alone = kind & 1, symmetric = kind & 2;
    Grid_Edges e = {.nrows = HUGE_DIM, .ncols = HUGE_DIM, .pattern = true, .symmetric = symmetric}, f;
    GrB_Matrix A[3];
    GrB_Index n[3];
    e.rows = malloc(TUPLES * 8), e.cols = malloc(TUPLES * 8);
    for (uint64_t k = 0; k < TUPLES; k++) {
      const uint64_t r = draw(1 << 30) * draw(1000), c = draw(1 << 30) * draw(1000);
      if ((is_alone ? 0 : k % (uint64_t)Grid_size()) != (uint64_t)Grid_rank()) continue;
      e.rows[e.n] = symmetric && c > r ? c : r, e.cols[e.n++] = symmetric && c > r ? r : c;
    }
    write_segments(&e, symmetric ? Grid_MIRROR : 0);
    OK(Grid_read(&f, file));
    A[0] = build(&e), A[1] = build(&f);
    OK(GrB_Matrix_new(&A[2], GrB_BOOL, HUGE_DIM, HUGE_DIM));
    OK(GrB_Matrix_eWiseMult_BinaryOp(A[2], NULL, NULL, GrB_ONEB_BOOL, A[0], A[1], NULL));
    for (int k = 0; k < 3; k++) OK(GrB_Matrix_nvals(&n[k], A[k]));
    assert_true(n[0] > TUPLES - 20 && n[1] == n[0] && n[2] == n[0]);
    for (int k = 0; k < 3; k++) GrB_free(&A[k]);
    Grid_Edges_free(&f);
    free_edges(&e);
  }
}

/* A search from every kind of vertex, components and ranks. */
static void algorithms(void **state) {
  (void)state;
  const uint64_t before = grid_tune.index32_max;
  for (int symmetric = 0; symmetric < 2; symmetric++)
    for (int is_huge = 0; is_huge < 2; is_huge++) {
      const uint64_t n = is_huge ? HUGE_DIM : N;
      grid_tune.index32_max = is_huge ? before : LIMIT;
      Grid_Edges e = draw_edges(n, n, 900, false, symmetric);
      GrB_Matrix A[2] = {NULL, build(&e)};
      OK(Grid_write(&e, file, NULL));
      A[0] = open_file();
      for (int kind = 0; kind < (is_huge ? 2 : 4); kind++) {
        GrB_Vector v[2] = {NULL, NULL};
        for (int k = 0; k < 2; k++) {
          if (kind == 0) OK(Grid_bfs(&v[k], NULL, A[k], is_huge ? n - 3 : 0, -1));
          if (kind == 1) OK(Grid_shortest_paths(&v[k], NULL, A[k], 2, 0));
          if (kind == 2) OK(Grid_components(&v[k], A[k]));
          if (kind == 3) OK(Grid_pagerank(&v[k], NULL, NULL, A[k], NULL, 0.85, 0, 6, 0));
        }
        expect_alike(v[0], v[1]);
        for (int k = 0; k < 2; k++) GrB_free(&v[k]);
      }
      assert_true(is_paged(A[0])); /* never loaded */
      for (int k = 0; k < 2; k++) GrB_free(&A[k]);
      free_edges(&e);
      OK(Grid_memory_limit(0));
    }
  grid_tune.index32_max = before;
}

/* A changed matrix comes to memory. */
static void changed(void **state) {
  (void)state;
  Grid_Edges e = draw_edges(HUGE_DIM, HUGE_DIM, 500, true, false);
  GrB_Matrix B = build(&e), A;
  GrB_Index nvals;
  OK(Grid_write(&e, file, NULL));
  A = open_file();
  for (int k = 0; k < 2; k++) OK(GrB_Matrix_setElement_FP64(k ? B : A, 9, HUGE_DIM / 2, HUGE_DIM - 1));
  assert_int_equal(GrB_Matrix_nvals(&nvals, A), GrB_OUT_OF_MEMORY);
  OK(Grid_memory_limit(0));
  sums(A, B, HUGE_DIM, HUGE_DIM);
  expect_matrix(A, B);
  GrB_free(&A);
  GrB_free(&B);
  free_edges(&e);
}

/* A bit of the numbers of rows and columns is wrong, or of their lists. */
static void refused(void **state) {
  (void)state;
  static unsigned char bytes[1 << 17];
  Grid_Edges e = draw_edges(HUGE_DIM, HUGE_DIM, 400, true, false);
  Grid_Pages_Builder b = NULL;
  GrB_Matrix A = NULL;
  grid_pages_head h;
  assert_int_equal(Grid_Pages_begin(&b, file, HUGE_DIM, HUGE_DIM, true, Grid_BY_DEGREE), GrB_NOT_IMPLEMENTED);
  assert_null(b);
  OK(Grid_write(&e, file, NULL));
  FILE *f = fopen(file, "rb");
  const size_t size = f ? fread(bytes, 1, sizeof bytes, f) : 0;
  assert_true(f && fclose(f) == 0 && size < sizeof bytes);
  memcpy(&h, bytes, sizeof h);
  assert_true(h.version == 3 && h.rows > 0 && h.rows < 400 && h.nrows == HUGE_DIM);
  OK(Grid_agree(GrB_SUCCESS, NULL)); /* all have read it */
  for (int k = 0; k < 40; k++) {
    const uint64_t at = k < 10 ? offsetof(grid_pages_head, rows) + draw(24)
                               : h.data - grid_pages_names(&h) + draw(8 * (h.rows + h.cols));
    const unsigned char was = bytes[at];
    const int64_t live = grid_mem_live();
    bytes[at] ^= (unsigned char)(1 << draw(8));
    write_file("a.pages", bytes, size, false);
    OK(Grid_memory_limit(k % 2));
    assert_int_equal(Grid_Matrix_open(&A, file), GrB_INVALID_VALUE);
    assert_true(A == NULL && grid_mem_live() == live);
    bytes[at] = was;
  }
  OK(Grid_memory_limit(0));
  free_edges(&e);
}

/* Every allocation of a transpose, or of an apply, fails in turn, on one process. */
static void result_without_memory(bool is_transposed) {
  GrB_Matrix A = open_file(), T;
  const int64_t live = grid_mem_live();
  bool done = false;
  for (int64_t at = 0; !done; at++) {
    OK(GrB_Matrix_new(&T, GrB_FP64, HUGE_DIM, HUGE_DIM));
    if (Grid_rank() == Grid_size() - 1) grid_mem_fail_after(at);
    const GrB_Info info = is_transposed ? GrB_transpose(T, NULL, NULL, A, NULL)
                                        : GrB_Matrix_apply(T, NULL, NULL, GrB_AINV_FP64, A, NULL);
    grid_mem_fail_after(-1);
    assert_true(info == GrB_SUCCESS || info == GrB_OUT_OF_MEMORY);
    done = info == GrB_SUCCESS;
    assert_true(is_paged(T) == done);
    GrB_free(&T);
    if (grid_mem_live() > live + 4) fail_msg("%d blocks are left", (int)(grid_mem_live() - live));
  }
  GrB_free(&A);
  OK(Grid_memory_limit(0));
}

/* Every allocation fails in turn: an error, no leak. */
static void no_memory(void **state) {
  (void)state;
  Grid_Edges e = draw_edges(HUGE_DIM, HUGE_DIM, 200, true, false);
  const int64_t live = grid_mem_live();
  bool done = false;
  for (int64_t at = 0; !done; at++) {
    GrB_Matrix A = NULL;
    if (Grid_rank() == Grid_size() - 1) grid_mem_fail_after(at);
    GrB_Info info = Grid_write(&e, file, NULL);
    if (info == GrB_SUCCESS) info = Grid_Matrix_open(&A, file);
    grid_mem_fail_after(-1);
    assert_true(info == GrB_SUCCESS || info == GrB_OUT_OF_MEMORY);
    done = info == GrB_SUCCESS;
    GrB_free(&A);
    if (grid_mem_live() > live + 4) fail_msg("%d blocks are left", (int)(grid_mem_live() - live));
  }
  result_without_memory(true);
  result_without_memory(false);
  free_edges(&e);
}

static int name_files(void **state) {
  if (start(state) != 0 || test_device_on() != GrB_SUCCESS) return -1;
  snprintf(file, sizeof file, "%s", path_of("a.pages"));
  snprintf(other, sizeof other, "%s", path_of("a.mtx"));
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(lower_limit), cmocka_unit_test(huge_dimensions),
                                     cmocka_unit_test(long_lists),  cmocka_unit_test(algorithms),
                                     cmocka_unit_test(changed),     cmocka_unit_test(refused),
                                     cmocka_unit_test(no_memory)};
  if (test_device_is_missing()) return 77;
  return cmocka_run_group_tests(tests, name_files, stop);
}
