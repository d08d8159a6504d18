/* Page files of more rows or columns than 32 bits number. They are written from tuples, edges and other
 * files, read back, and opened as matrices whose products, reductions, elements and algorithms are those of
 * the same matrix in memory. Most run with a lower limit of 32-bit indices, so that results have values for
 * all vertices; some with 2^40 rows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tests/unit.h"
#include "dist/outofcore/pages/page_file_header.h"
#include "gridblas.h"
#include "gridblas_algos.h"
#include "gridblas_gxb_operations.h"
#include "gridblas_gxb_operators.h"
#include "semiring/support/mem.h"
#include "semiring/support/tuning.h"
#include "tests/draw_hypersparse.h"
#include "tests/test_device.h"
#include "tests/test_folder.h"

enum { LIMIT = 100 };
static char other[512];

/* ---- comparison ---- */

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

/* ---- masks, accumulators and transposed operands ---- */

static matrix_pair draw_output(uint64_t nrows, uint64_t ncols, bool paged) {
  matrix_pair p = draw_pair(nrows, ncols, paged);
  const bool is_empty = draw_one_in(4);
  for (int k = 0; k < 2 && is_empty; k++) OK(GrB_Matrix_clear(p.M[k]));
  p.paged = paged && !is_empty;
  return p;
}

enum { APPLY, BIND, POSITION, VALUES, TRIANGLE, TRANSPOSE, ADD, MULT, UNION, ASSIGN, POSITIONS, OPERATIONS };

static void compute(int kind, GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum, GrB_Matrix A, GrB_Matrix B,
                    GrB_Descriptor d) {
  GrB_Scalar s = NULL;
  switch (kind) {
    case APPLY:
      OK(GrB_Matrix_apply(C, mask, accum, GrB_AINV_FP64, A, d));
      break;
    case BIND: /* A is the second operand */
      OK(GrB_Matrix_apply_BinaryOp1st_FP64(C, mask, accum, GrB_MINUS_FP64, 5, A, d));
      break;
    case POSITION:
      OK(GrB_Matrix_apply_IndexOp_INT64(C, mask, accum, GrB_DIAGINDEX_INT64, A, 3, d));
      break;
    case VALUES:
      OK(GrB_Matrix_select_FP64(C, mask, accum, GrB_VALUEGT_FP64, A, 3, d));
      break;
    case TRIANGLE:
      OK(GrB_Matrix_select_INT64(C, mask, accum, GrB_TRIL, A, 0, d));
      break;
    case TRANSPOSE:
      OK(GrB_transpose(C, mask, accum, A, d));
      break;
    case ADD:
      OK(GrB_Matrix_eWiseAdd_BinaryOp(C, mask, accum, GrB_MINUS_FP64, A, B, d));
      break;
    case MULT:
      OK(GrB_Matrix_eWiseMult_BinaryOp(C, mask, accum, GrB_MINUS_FP64, A, B, d));
      break;
    case POSITIONS:
      OK(GrB_Matrix_eWiseAdd_BinaryOp(C, mask, accum, GxB_SECONDJ_INT64, A, B, d));
      break;
    case ASSIGN:
      OK(GrB_Matrix_assign(C, mask, accum, A, GrB_ALL, 0, GrB_ALL, 0, d));
      break;
    default:
      OK(GrB_Scalar_new(&s, GrB_FP64));
      OK(GrB_Scalar_setElement_FP64(s, 7));
      OK(GxB_Matrix_eWiseUnion(C, mask, accum, GrB_MINUS_FP64, A, s, B, s, d));
      GrB_free(&s);
  }
}

/* One operation of matrices of which some are out of core: the result is, too, and the operands remain so. */
static void masked_operation(int kind, uint64_t nrows, uint64_t ncols) {
  bool flip[2], replace;
  GrB_Index nvals;
  GrB_Descriptor d = draw_descriptor(flip, &replace);
  const bool flips = kind == BIND ? flip[1] : kind == TRANSPOSE ? !flip[0] : flip[0];
  const bool has_mask = draw_one_in(2), has_accum = draw_one_in(2);
  matrix_pair C = draw_output(nrows, ncols, draw_one_in(2)), mask = draw_pair(nrows, ncols, draw_one_in(2)),
              A = draw_pair(flips ? ncols : nrows, flips ? nrows : ncols, !draw_one_in(3)),
              B = draw_pair(flip[1] ? ncols : nrows, flip[1] ? nrows : ncols, draw_one_in(2));
  const bool in_place = !flips && draw_one_in(3);
  grid_tune.row_panel_min_bytes = draw_one_in(2) ? 1 : 10000;
  OK(Grid_memory_limit(1));
  for (int k = 0; k < 2; k++)
    compute(kind, C.M[k], has_mask ? mask.M[k] : NULL, has_accum ? GrB_PLUS_FP64 : NULL,
            in_place ? C.M[k] : A.M[k], B.M[k], d);
  assert_true(is_paged(A.M[0]) == A.paged && is_paged(B.M[0]) == B.paged &&
              is_paged(mask.M[0]) == mask.paged);
  expect_matrix(C.M[0], C.M[1]);
  OK(GrB_Matrix_nvals(&nvals, C.M[1]));
  if ((in_place ? C.paged : A.paged) && nvals) assert_true(is_paged(C.M[0]));
  products(C.M[0], C.M[1], nrows, ncols, 1);
  for (int k = 0; k < 2; k++) GrB_free(&C.M[k]), GrB_free(&mask.M[k]), GrB_free(&A.M[k]), GrB_free(&B.M[k]);
  GrB_free(&d);
  OK(Grid_memory_limit(0));
}

/* Some rows of C, and some of its columns or all, get a matrix in memory. */
static void assign_part(uint64_t nrows, uint64_t ncols) {
  const GrB_Index I[] = {0, 3, nrows / 3 + 2, nrows - 1}, J[] = {ncols - 2, 1};
  const bool all = draw_one_in(2), has_mask = draw_one_in(2), has_accum = draw_one_in(2);
  bool flip[2], replace;
  GrB_Descriptor d = draw_descriptor(flip, &replace);
  matrix_pair C = draw_pair(nrows, ncols, true), mask = draw_pair(nrows, ncols, draw_one_in(2)),
              A = flip[0] ? draw_pair(all ? ncols : 2, 4, false) : draw_pair(4, all ? ncols : 2, false);
  OK(Grid_memory_limit(1));
  for (int k = 0; k < 2; k++)
    OK(GrB_Matrix_assign(C.M[k], has_mask ? mask.M[k] : NULL, has_accum ? GrB_PLUS_FP64 : NULL, A.M[k], I, 4,
                         all ? GrB_ALL : J, 2, d));
  expect_matrix(C.M[0], C.M[1]);
  assert_true(is_paged(C.M[0]) || replace);
  for (int k = 0; k < 2; k++) GrB_free(&C.M[k]), GrB_free(&mask.M[k]), GrB_free(&A.M[k]);
  GrB_free(&d);
  OK(Grid_memory_limit(0));
}

/* Where a mask allows it, C or a part of it gets a value. */
static void assign_value(uint64_t nrows, uint64_t ncols) {
  const GrB_Descriptor d[] = {NULL, GrB_DESC_S, GrB_DESC_R, GrB_DESC_RS};
  const GrB_Index I[] = {nrows - 1, 3, nrows / 3 + 2};
  const bool all[] = {draw_one_in(2), draw_one_in(2)};
  const int kind = (int)draw(4);
  const GrB_BinaryOp accum = draw_one_in(2) ? GrB_PLUS_FP64 : NULL;
  matrix_pair C = draw_pair(nrows, ncols, draw_one_in(2)), mask = draw_pair(nrows, ncols, true);
  GrB_Index nvals;
  OK(Grid_memory_limit(1));
  for (int k = 0; k < 2; k++)
    OK(GrB_Matrix_assign_FP64(C.M[k], mask.M[k], accum, 9, all[0] ? GrB_ALL : I, 3,
                              all[1] ? GrB_ALL : (const GrB_Index[]){3, ncols - 1}, 2, d[kind]));
  expect_matrix(C.M[0], C.M[1]);
  OK(GrB_Matrix_nvals(&nvals, C.M[1]));
  assert_true(is_paged(mask.M[0]) && (is_paged(C.M[0]) || !nvals));
  for (int k = 0; k < 2; k++) GrB_free(&C.M[k]), GrB_free(&mask.M[k]);
  OK(Grid_memory_limit(0));
}

static void assigned_parts(void **state) {
  seed = 7;
  for (int k = 0; k < 24; k++) {
    const uint64_t nrows = k % 4 ? HUGE_DIM : 90, ncols = k % 4 == 1 ? 90 : HUGE_DIM - 5;
    assign_part(nrows, ncols);
    assign_value(nrows, ncols);
  }
}

static void masked_operations(void **state) {
  enum { ROUNDS = 12 };
  const uint64_t before = grid_tune.index32_max, dim[] = {HUGE_DIM, N, HUGE_DIM / 3, 90};
  seed = 5; /* processes have drawn segments of their own before */
  for (int k = 0; k < ROUNDS * OPERATIONS; k++) {
    const uint64_t nrows = dim[draw(4)], ncols = dim[draw(4)];
    if (nrows <= N && ncols <= N) {
      if (test_device_is_named()) continue; /* kernels take dimensions up to 2^32 whatever the host's limit */
      grid_tune.index32_max = LIMIT - 20;
    }
    masked_operation(k % OPERATIONS, nrows, ncols);
    grid_tune.index32_max = before;
  }
}

/* ---- values above 8 bytes ---- */

typedef struct {
  uint32_t part[5];
} multiples;

static void to_multiples(void *z, const void *x) {
  multiples *to = z;
  for (uint32_t k = 0; k < 5; k++) to->part[k] = (k + 1) * (uint32_t) * (const double *)x;
}

static void of_multiples(void *z, const void *x) {
  const multiples *from = x;
  bool right = true;
  for (uint32_t k = 0; k < 5; k++) right = right && from->part[k] == (k + 1) * from->part[0];
  *(double *)z = right ? (double)from->part[0] : -1;
}

/* Twice transposed by way of a type of 20 bytes; all values are alike, or not. */
static void large_values(void **state) {
  GrB_Type type;
  GrB_UnaryOp to, of;
  seed = 6;
  OK(GrB_Type_new(&type, sizeof(multiples)));
  OK(GrB_UnaryOp_new(&to, to_multiples, type, GrB_FP64));
  OK(GrB_UnaryOp_new(&of, of_multiples, GrB_FP64, type));
  for (int k = 0; k < 6; k++) {
    const uint64_t nrows = k % 2 ? 70 : HUGE_DIM, ncols = HUGE_DIM - 1;
    Grid_Edges e = draw_edges(nrows, ncols, 20 + draw(500), k < 4, false);
    GrB_Matrix M[2] = {NULL, build(&e)};
    write_pages(&e);
    M[0] = open_file();
    grid_tune.row_panel_min_bytes = k < 2 ? 1 : 20000;
    for (int m = 0; m < 2; m++) {
      GrB_Matrix L, T;
      OK(GrB_Matrix_new(&L, type, nrows, ncols));
      OK(GrB_Matrix_new(&T, type, ncols, nrows));
      OK(GrB_Matrix_apply(L, NULL, NULL, to, M[m], NULL));
      OK(GrB_transpose(T, NULL, NULL, L, NULL));
      assert_true(m || is_paged(T));
      OK(GrB_Matrix_apply(M[m], NULL, NULL, of, T, GrB_DESC_T0));
      GrB_free(&L);
      GrB_free(&T);
    }
    assert_true(is_paged(M[0]));
    expect_matrix(M[0], M[1]);
    OK(Grid_memory_limit(0));
    for (int m = 0; m < 2; m++) GrB_free(&M[m]);
    free_edges(&e);
  }
  GrB_free(&to);
  GrB_free(&of);
  GrB_free(&type);
}

/* With memory it is loaded. */
static void whole(GrB_Matrix A, GrB_Matrix B, uint64_t nrows, uint64_t ncols) {
  GrB_Matrix T[2];
  for (int k = 0; k < 2; k++) OK(GrB_Matrix_new(&T[k], GrB_FP64, ncols, nrows));
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
  remove_file();
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
    write_pages(&e);
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
  enum { ROUNDS = 3 };
  static const uint64_t shapes[][3] = {{N, N, 1000}, {N, N, 60}, {N, 90, 700}, {70, N, 2000}, {N, N, 0}};
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
  for (int kind = 0; kind < 4; kind++) compare(HUGE_DIM, HUGE_DIM, 800, kind & 1, kind & 2);
  compare(HUGE_DIM, 90, 300, true, false);
  compare(70, HUGE_DIM - 5, 300, false, false);
  compare(HUGE_DIM, HUGE_DIM, 0, false, false);
}

/* Lists of several blocks of names, which all processes write; tuples of all processes, or of one. */
static void long_lists(void **state) {
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
  const uint64_t before = grid_tune.index32_max;
  for (int symmetric = 0; symmetric < 2; symmetric++)
    for (int is_huge = 0; is_huge < 2; is_huge++) {
      const uint64_t n = is_huge ? HUGE_DIM : N;
      grid_tune.index32_max = is_huge ? before : LIMIT;
      Grid_Edges e = draw_edges(n, n, 900, false, symmetric);
      GrB_Matrix A[2] = {NULL, build(&e)};
      write_pages(&e);
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

/* A changed matrix gets new pages: entries are replaced, inserted also in new rows and columns, and removed.
 */
static void changed(void **state) {
  seed = 3; /* processes have drawn segments of their own before */
  for (int turn = 0; turn < 12; turn++) {
    const uint64_t nrows = draw_one_in(3) ? N : HUGE_DIM, ncols = draw_one_in(3) && nrows > N ? N : HUGE_DIM;
    matrix_pair p = draw_pair_of(nrows, ncols, 500, turn % 2, true);
    static GrB_Index row[MOST], col[MOST];
    static double x[MOST];
    GrB_Index n = MOST, nvals[2];
    OK(GrB_Matrix_extractTuples_FP64(row, col, x, &n, p.M[1]));
    for (int change = 0; change < (turn < 2 ? 1 : 300); change++) {
      const bool is_present = draw_one_in(2), is_removed = draw_one_in(3);
      const uint64_t e = draw(n), i = is_present ? row[e] : draw(nrows),
                     j = is_present ? col[e] : draw(ncols);
      for (int k = 0; k < 2; k++) {
        if (is_removed)
          OK(GrB_Matrix_removeElement(p.M[k], i, j));
        else
          OK(GrB_Matrix_setElement_FP64(p.M[k], (double)(change % 9), i, j));
      }
    }
    OK(Grid_memory_limit(1));
    for (int k = 0; k < 2; k++) OK(GrB_Matrix_nvals(&nvals[k], p.M[k]));
    assert_true(nvals[0] == nvals[1] && is_paged(p.M[0]));
    sums(p.M[0], p.M[1], nrows, ncols);
    products(p.M[0], p.M[1], nrows, ncols, 1);
    expect_matrix(p.M[0], p.M[1]);
    assert_true(is_paged(p.M[0]));
    OK(Grid_memory_limit(0));
    for (int k = 0; k < 2; k++) GrB_free(&p.M[k]);
  }
}

/* A bit of the numbers of rows and columns is wrong, or of their lists. */
static void refused(void **state) {
  static unsigned char bytes[1 << 17];
  Grid_Edges e = draw_edges(HUGE_DIM, HUGE_DIM, 400, true, false);
  Grid_Pages_Builder b = NULL;
  GrB_Matrix A = NULL;
  grid_pages_head h;
  assert_int_equal(Grid_Pages_begin(&b, file, HUGE_DIM, HUGE_DIM, true, Grid_BY_DEGREE), GrB_NOT_IMPLEMENTED);
  assert_int_equal(Grid_Pages_begin(&b, file, HUGE_DIM, HUGE_DIM, true, 32), GrB_INVALID_VALUE);
  assert_int_equal(Grid_Pages_convert(file, other, NULL, false, -1, NULL, NULL), GrB_INVALID_VALUE);
  assert_null(b);
  write_pages(&e);
  FILE *f = fopen(file, "rb");
  const size_t size = f ? fread(bytes, 1, sizeof bytes, f) : 0;
  assert_true(f && fclose(f) == 0 && size < sizeof bytes);
  memcpy(&h, bytes, sizeof h);
  assert_true(h.version == 4 && h.rows > 0 && h.rows < 400 && h.nrows == HUGE_DIM);
  OK(Grid_agree(GrB_SUCCESS, NULL)); /* all have read it */
  for (int k = 0; k < 40; k++) {
    const uint64_t at = k < 10 ? offsetof(grid_pages_head, rows) + draw(40)
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

/* Every allocation of an operation fails in turn, on one process. */
static void result_without_memory(int kind) {
  GrB_Matrix A = open_file(), T;
  const int64_t live = grid_mem_live();
  bool done = false;
  for (int64_t at = 0; !done; at++) {
    OK(GrB_Matrix_new(&T, GrB_FP64, HUGE_DIM, HUGE_DIM));
    if (Grid_rank() == Grid_size() - 1) grid_mem_fail_after(at);
    const GrB_Info info = kind == TRANSPOSE ? GrB_transpose(T, NULL, NULL, A, NULL)
                          : kind == APPLY   ? GrB_Matrix_apply(T, NULL, NULL, GrB_AINV_FP64, A, NULL)
                                          : GrB_Matrix_eWiseAdd_BinaryOp(T, A, GrB_PLUS_FP64, GrB_MINUS_FP64,
                                                                         A, A, GrB_DESC_T1);
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
  Grid_Edges e = draw_edges(HUGE_DIM, HUGE_DIM, 200, true, false);
  const int64_t live = grid_mem_live();
  bool done = false;
  for (int64_t at = 0; !done; at++) {
    GrB_Matrix A = NULL;
    remove_file();
    if (Grid_rank() == Grid_size() - 1) grid_mem_fail_after(at);
    GrB_Info info = Grid_write(&e, file, NULL);
    if (info == GrB_SUCCESS) info = Grid_Matrix_open(&A, file);
    grid_mem_fail_after(-1);
    assert_true(info == GrB_SUCCESS || info == GrB_OUT_OF_MEMORY);
    done = info == GrB_SUCCESS;
    GrB_free(&A);
    if (grid_mem_live() > live + 4) fail_msg("%d blocks are left", (int)(grid_mem_live() - live));
  }
  result_without_memory(TRANSPOSE);
  result_without_memory(APPLY);
  result_without_memory(ADD);
  free_edges(&e);
}

/* A file whose head names few tuples becomes pages that list their rows; with an order by degree it cannot.
 */
static void few_tuples(void **state) {
  enum { ROWS = 300000 };
  for (int kind = 0; kind < 4; kind++) {
    const bool is_ordered = kind == 3, symmetric = kind & 1;
    Grid_Edges e = draw_edges(ROWS, ROWS, 400, true, symmetric);
    Grid_Pages_Info p;
    GrB_Matrix A = NULL, B = build(&e);
    OK(Grid_write(&e, other, NULL));
    OK(Grid_Pages_convert(file, other, NULL, false, is_ordered ? Grid_BY_DEGREE : 0, NULL, NULL));
    OK(Grid_pages_info(&p, file));
    assert_true((p.bytes > ROWS) == is_ordered);
    OK(Grid_memory_limit(is_ordered ? 0 : 1));
    OK(Grid_Matrix_open(&A, file));
    assert_true(is_paged(A) != is_ordered);
    if (!is_ordered) sums(A, B, ROWS, ROWS), expect_matrix(A, B);
    OK(Grid_memory_limit(0));
    GrB_free(&A);
    GrB_free(&B);
    free_edges(&e);
  }
}

/* Every allocation of a merge fails in turn, on one process: the changes remain. */
static void change_without_memory(void **state) {
  seed = 4;
  for (bool done = false; !done;) {
    static int64_t at;
    matrix_pair p = draw_pair_of(HUGE_DIM, HUGE_DIM, 60, true, true);
    GrB_Index nvals;
    seed = 4;
    for (int k = 0; k < 2; k++) {
      OK(GrB_Matrix_setElement_FP64(p.M[k], 9, HUGE_DIM / 2, HUGE_DIM - 1));
      OK(GrB_Matrix_removeElement(p.M[k], HUGE_DIM / 2, HUGE_DIM - 1));
      OK(GrB_Matrix_setElement_FP64(p.M[k], 8, HUGE_DIM / 2, 3));
    }
    const int64_t live = grid_mem_live();
    if (Grid_rank() == Grid_size() - 1) grid_mem_fail_after(at++);
    const GrB_Info info = GrB_Matrix_nvals(&nvals, p.M[0]);
    grid_mem_fail_after(-1);
    done = info == GrB_SUCCESS;
    assert_true(done || info == GrB_OUT_OF_MEMORY);
    if (!done && grid_mem_live() > live + 4) fail_msg("%d blocks are left", (int)(grid_mem_live() - live));
    expect_matrix(p.M[0], p.M[1]);
    assert_true(is_paged(p.M[0]));
    for (int k = 0; k < 2; k++) GrB_free(&p.M[k]);
    OK(Grid_memory_limit(0));
  }
}

static int name_files(void **state) {
  if (start(state) != 0 || test_device_on() != GrB_SUCCESS) return -1;
  snprintf(file, sizeof file, "%s", path_of("a.pages"));
  snprintf(other, sizeof other, "%s", path_of("a.mtx"));
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(lower_limit),
                                     cmocka_unit_test(huge_dimensions),
                                     cmocka_unit_test(long_lists),
                                     cmocka_unit_test(algorithms),
                                     cmocka_unit_test(changed),
                                     cmocka_unit_test(refused),
                                     cmocka_unit_test(no_memory),
                                     cmocka_unit_test(masked_operations),
                                     cmocka_unit_test(assigned_parts),
                                     cmocka_unit_test(large_values),
                                     cmocka_unit_test(change_without_memory),
                                     cmocka_unit_test(few_tuples)};
  if (test_device_is_missing()) return 77;
  return cmocka_run_group_tests(tests, name_files, stop);
}
