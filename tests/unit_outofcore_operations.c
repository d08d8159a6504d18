/* Matrix-valued operations on out-of-core matrices, and every algorithm, with so little memory that each
 * proceeds in panels of a few rows. Results are the same as in memory, on any number of processes, also with
 * a device (test_device.h). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tests/unit.h"
#include "dist/outofcore/operations/outofcore_run.h"
#include "dist/outofcore/pages/row_pages.h"
#include "gridblas.h"
#include "gridblas_algos.h"
#include "semiring/support/mem.h"
#include "semiring/support/tuning.h"
#include "tests/random_numbers.h"
#include "tests/test_device.h"

#define OK(call)                                                                                       \
  do {                                                                                                 \
    const GrB_Info info_ = (call);                                                                     \
    if (info_ != GrB_SUCCESS) fail_msg("%s: %s: %s", #call, Grid_info_name(info_), Grid_last_error()); \
  } while (0)

static char work_dir[64], file[96];
enum { N = 230 };

/* ---- the same in memory and on disk -------------------------------------------------------------------- */

/* A graph with a few hubs, on disk and in memory; each process passes some of the tuples. */
static void make(GrB_Matrix *on_disk, GrB_Matrix *in_memory, uint64_t rows, uint64_t cols, uint64_t n,
                 bool valued, bool symmetric) {
  Grid_Edges e;
  memset(&e, 0, sizeof e);
  e.nrows = rows, e.ncols = cols, e.pattern = !valued, e.symmetric = symmetric;
  e.rows = malloc((n + 1) * 8), e.cols = malloc((n + 1) * 8), e.values = valued ? malloc((n + 1) * 8) : NULL;
  for (uint64_t k = 0; k < n; k++) {
    uint64_t r = draw_one_in(4) ? draw(3) * rows / 3 : draw(rows),
             c = draw_one_in(5) ? draw(9) % cols : draw(cols);
    if (symmetric && c > r) {
      const uint64_t t = r;
      r = c, c = t;
    }
    if (r == c || k % (uint64_t)Grid_size() != (uint64_t)Grid_rank()) continue;
    e.rows[e.n] = r, e.cols[e.n] = c;
    if (valued) e.values[e.n] = 1 + (double)(r * c % 17);
    e.n++;
  }
  OK(Grid_write(&e, file, NULL));
  OK(Grid_memory_limit(1));
  OK(Grid_Matrix_open(on_disk, file));
  OK(GrB_Matrix_new(in_memory, valued ? GrB_FP64 : GrB_BOOL, rows, cols));
  OK(Grid_Matrix_build(*in_memory, e.rows, e.cols, e.values, valued ? GrB_FP64 : NULL, e.n,
                       valued ? GrB_MIN_FP64 : NULL, symmetric ? Grid_MIRROR : 0));
  bool paged;
  Grid_Matrix_bytes_read(&paged, *on_disk);
  assert_true(paged);
  free(e.rows);
  free(e.cols);
  free(e.values);
}

typedef struct {
  GrB_Index i, j;
  double x;
} entry;

static int in_order(const void *a, const void *b) {
  const entry *x = a, *y = b;
  if (x->i != y->i) return x->i < y->i ? -1 : 1;
  return (x->j > y->j) - (x->j < y->j);
}

static entry *entries(GrB_Index *n, GrB_Matrix A) {
  OK(GrB_Matrix_nvals(n, A));
  GrB_Index *I = malloc((*n + 1) * sizeof *I), *J = malloc((*n + 1) * sizeof *J);
  double *X = malloc((*n + 1) * sizeof *X);
  entry *e = malloc((*n + 1) * sizeof *e);
  OK(GrB_Matrix_extractTuples_FP64(I, J, X, n, A));
  for (GrB_Index k = 0; k < *n; k++) e[k] = (entry){I[k], J[k], X[k]};
  qsort(e, *n, sizeof *e, in_order);
  free(I);
  free(J);
  free(X);
  return e;
}

static void expect_number(double got, double want) {
  if (got != want && !(fabs(got - want) <= 1e-9 * fmax(fabs(want), 1e-3)))
    fail_msg("%.17g is not %.17g", got, want);
}

static void expect_matrix(GrB_Matrix got, GrB_Matrix want, const char *what) {
  GrB_Index n, m;
  entry *x = entries(&n, got), *y = entries(&m, want);
  if (n != m) fail_msg("%s: %d entries, not %d", what, (int)n, (int)m);
  for (GrB_Index k = 0; k < n; k++) {
    if (x[k].i != y[k].i || x[k].j != y[k].j) fail_msg("%s: another pattern", what);
    expect_number(x[k].x, y[k].x);
  }
  free(x);
  free(y);
}

static void expect_vector(GrB_Vector got, GrB_Vector want, const char *what) {
  GrB_Index n, m, I[N], J[N];
  double x[N], y[N];
  OK(GrB_Vector_nvals(&n, got));
  OK(GrB_Vector_nvals(&m, want));
  if (n != m) fail_msg("%s: %d entries, not %d", what, (int)n, (int)m);
  OK(GrB_Vector_extractTuples_FP64(I, x, &n, got));
  OK(GrB_Vector_extractTuples_FP64(J, y, &m, want));
  assert_memory_equal(I, J, n * sizeof *I);
  for (GrB_Index k = 0; k < n; k++) expect_number(x[k], y[k]);
}

/* ---- operations ---------------------------------------------------------------------------------------- */

/* C[0] of what is on disk, C[1] of the same in memory: sums of whole numbers, whatever their order. */
static void operations(GrB_Matrix A[2], GrB_Matrix B[2], GrB_Matrix M[2], bool square) {
  GrB_Index rows, cols;
  OK(GrB_Matrix_nrows(&rows, A[0]));
  OK(GrB_Matrix_ncols(&cols, A[0]));
  for (int variant = 0; variant < 11; variant++)
    for (int d = 0; d < 5; d++) {
      const bool transposed = variant == 1 || variant == 9;
      if ((transposed || variant >= 7) && !square) continue;
      if (variant == 4 && (d == 1 || d == 3)) continue; /* nearly all positions: no case for pages */
      const bool masked = d > 0 && d != 3, accum = draw_one_in(3);
      GrB_Matrix C[2];
      const uint64_t again = draw(1000);
      for (int k = 0; k < 2; k++) {
        GrB_Descriptor desc = NULL;
        OK(GrB_Descriptor_new(&desc));
        if (d == 1 || d == 3) OK(GrB_Descriptor_set(desc, GrB_MASK, GrB_COMP));
        if (d == 1 || d == 2 || d == 4) OK(GrB_Descriptor_set(desc, GrB_MASK, GrB_STRUCTURE));
        if (d == 1 || d == 4) OK(GrB_Descriptor_set(desc, GrB_OUTP, GrB_REPLACE));
        if (transposed) OK(GrB_Descriptor_set(desc, GrB_INP0, GrB_TRAN));
        if (variant == 6 || variant == 8 || variant == 10) OK(GrB_Descriptor_set(desc, GrB_INP1, GrB_TRAN));
        if (variant == 6 && !square) OK(GrB_Descriptor_set(desc, GrB_INP1, GrB_DEFAULT));
        const GrB_Matrix m = masked ? M[k] : NULL;
        const GrB_BinaryOp op = accum ? GrB_PLUS_FP64 : NULL;
        OK(GrB_Matrix_new(&C[k], GrB_FP64, rows, cols));
        for (uint64_t e = 0; e < 20; e++)
          OK(GrB_Matrix_setElement_FP64(C[k], (double)e, (again + 7 * e) % rows, (again + 5 * e) % cols));
        switch (variant) {
          case 0:
            OK(GrB_Matrix_apply(C[k], m, op, GrB_AINV_FP64, A[k], desc));
            break;
          case 1:
            OK(GrB_Matrix_apply_BinaryOp2nd_FP64(C[k], m, op, GrB_PLUS_FP64, A[k], 3, desc));
            break;
          case 2:
            OK(GrB_Matrix_apply_IndexOp_INT64(C[k], m, op, GrB_ROWINDEX_INT64, A[k], 1, desc));
            break;
          case 3:
            OK(GrB_Matrix_select_INT64(C[k], m, op, GrB_TRIL, A[k], -1, desc));
            break;
          case 4:
            OK(GrB_Matrix_assign_FP64(C[k], masked ? m : A[k], op, 4, GrB_ALL, rows, GrB_ALL, cols, desc));
            break;
          case 5:
            OK(GrB_Matrix_assign(C[k], m, op, A[k], GrB_ALL, rows, GrB_ALL, cols, desc));
            break;
          case 6:
            OK(GrB_Matrix_eWiseAdd_BinaryOp(C[k], m, op, GrB_PLUS_FP64, A[k], B[k], desc));
            break;
          case 7:
            OK(GrB_Matrix_eWiseMult_BinaryOp(C[k], m, op, GrB_TIMES_FP64, A[k], B[k], desc));
            break;
          case 8:
            OK(GrB_mxm(C[k], m, op, GrB_PLUS_TIMES_SEMIRING_FP64, A[k], B[k], desc));
            break;
          case 9:
            OK(GrB_mxm(C[k], m, op, GrB_PLUS_TIMES_SEMIRING_FP64, A[k], A[k], desc));
            break;
          default:
            OK(GrB_mxm(C[k], m, op, GrB_MIN_PLUS_SEMIRING_FP64, B[k], A[k], desc));
            break;
        }
        if (variant == 2 && square) OK(GrB_transpose(C[k], NULL, NULL, A[k], NULL));
        GrB_free(&desc);
      }
      char what[40];
      snprintf(what, sizeof what, "operation %d, descriptor %d", variant, d);
      expect_matrix(C[0], C[1], what);
      for (int k = 0; k < 2; k++) GrB_free(&C[k]);
    }
}

static void all_operations(void **state) {
  static const uint64_t shapes[][3] = {{N, N, 1500}, {N, 40, 900}, {50, N, 900}, {N, N, 0}};
  for (int s = 0; s < 4; s++) {
    const bool square = shapes[s][0] == shapes[s][1], symmetric = s == 0 && draw_one_in(2);
    GrB_Matrix A[2], B[2], M[2];
    make(&A[0], &A[1], shapes[s][0], shapes[s][1], shapes[s][2], s != 2, symmetric);
    make(&B[0], &B[1], shapes[s][0], shapes[s][1], shapes[s][2] / 2, true, false);
    make(&M[0], &M[1], shapes[s][0], shapes[s][1], shapes[s][2] / 3, false, false);
    operations(A, B, M, square);
    /* one operand in memory */
    GrB_Matrix mixed[2] = {B[1], B[1]};
    operations(A, mixed, M, square);
    for (int k = 0; k < 2; k++) {
      GrB_free(&A[k]);
      GrB_free(&B[k]);
      GrB_free(&M[k]);
    }
  }
}

static GrB_Descriptor make_descriptor(int d, bool transposed) {
  GrB_Descriptor desc;
  OK(GrB_Descriptor_new(&desc));
  if (d == 1) OK(GrB_Descriptor_set(desc, GrB_MASK, GrB_COMP));
  if (d == 1 || d == 2) OK(GrB_Descriptor_set(desc, GrB_MASK, GrB_STRUCTURE));
  if (d == 1 || d == 3) OK(GrB_Descriptor_set(desc, GrB_OUTP, GrB_REPLACE));
  if (transposed) OK(GrB_Descriptor_set(desc, GrB_INP0, GrB_TRAN));
  return desc;
}

/* ---- Kronecker products -------------------------------------------------------------------------------- */

/* C = A (x) B by entries, whatever the descriptor; in[]: where each operand is stored. */
static void kronecker(GrB_Matrix A[2], GrB_Matrix B[2], GrB_Matrix M[2], const int in[3], int d) {
  static const char *const side[] = {"disk", "memory"};
  const bool transposed_a = draw_one_in(2), transposed_b = draw_one_in(2), accum = draw_one_in(3);
  const GrB_BinaryOp op = draw_one_in(2) ? GrB_MINUS_FP64 : draw_one_in(2) ? GrB_FIRST_FP64 : GrB_ONEB_FP64;
  const bool from_disk = !in[0] || !in[1] || (d && !in[2]);
  GrB_Descriptor desc = make_descriptor(d, transposed_a);
  GrB_Matrix C[2];
  if (transposed_b) OK(GrB_Descriptor_set(desc, GrB_INP1, GrB_TRAN));
  for (int k = 0; k < 2; k++) {
    OK(GrB_Matrix_new(&C[k], GrB_FP64, N, N));
    for (GrB_Index e = 0; e < 30; e++) OK(GrB_Matrix_setElement_FP64(C[k], (double)e, 7 * e % N, 5 * e % N));
    OK(GrB_Matrix_kronecker_BinaryOp(C[k], d ? M[k ? 1 : in[2]] : NULL, accum ? GrB_PLUS_FP64 : NULL, op,
                                     A[k ? 1 : in[0]], B[k ? 1 : in[1]], desc));
  }
  bool paged;
  Grid_Matrix_bytes_read(&paged, C[0]);
  assert_true(paged == from_disk); /* it went in slices */
  char what[96];
  snprintf(what, sizeof what, "Kronecker, %s, %s, mask %s, descriptor %d%s%s%s", side[in[0]], side[in[1]],
           side[in[2]], d, transposed_a ? ", A turned" : "", transposed_b ? ", B turned" : "",
           accum ? ", accumulated" : "");
  expect_matrix(C[0], C[1], what);
  for (int k = 0; k < 2; k++) GrB_free(&C[k]);
  GrB_free(&desc);
}

static void kronecker_products(void **state) {
  static const uint64_t shapes[][3] = {{10, 40, 300}, {115, 300, 4}, {2, 4, 500}, {5, 3, 900}, {23, 0, 40}};
  static const int in[][3] = {{0, 0, 0}, {0, 1, 1}, {1, 0, 0}, {1, 1, 0}};
  for (int s = 0; s < 5; s++) {
    const uint64_t a = shapes[s][0], b = N / a;
    GrB_Matrix A[2], B[2], M[2];
    make(&A[0], &A[1], a, a, shapes[s][1], s % 2, s == 0);
    make(&B[0], &B[1], b, b, shapes[s][2], s != 2, s == 3);
    make(&M[0], &M[1], N, N, 900, false, false);
    for (int d = 0; d < 4; d++)
      for (int k = 0; k < 4; k++) kronecker(A, B, M, in[k], d);
    for (int k = 0; k < 2; k++) {
      GrB_free(&A[k]);
      GrB_free(&B[k]);
      GrB_free(&M[k]);
    }
  }
}

/* ---- submatrices --------------------------------------------------------------------------------------- */

/* Indices below dim: all (NULL: GrB_ALL), a range, or random ones, without duplicates unless `again`. *n: how
 * many; if it is not 0, exactly that many, with duplicates where necessary. */
static GrB_Index *indices(GrB_Index *n, uint64_t dim, bool again) {
  if (draw_one_in(4) && (!*n || *n == dim)) {
    *n = dim;
    return NULL;
  }
  if (!*n) *n = 1 + draw(dim);
  const bool range = *n <= dim && draw_one_in(3);
  const uint64_t first = range ? draw(dim - *n + 1) : 0;
  GrB_Index *of = malloc((*n > dim ? *n : dim) * sizeof *of);
  for (uint64_t k = 0; k < dim; k++) of[k] = (first + k) % dim;
  for (uint64_t k = 0; k < *n && !range; k++) {
    const uint64_t other = again ? 0 : k + draw(dim - k), t = again ? 0 : of[k];
    if (again) {
      of[k] = draw(dim);
    } else {
      of[k] = of[other], of[other] = t;
    }
  }
  return of;
}

static const GrB_Index *list_or_all(const GrB_Index *of) {
  return of ? of : GrB_ALL;
}

/* The same matrix twice, where A[0] lies and where A[1] does. */
static void duplicate_pair(GrB_Matrix C[2], GrB_Matrix A[2]) {
  GrB_Index rows, cols;
  OK(GrB_Matrix_nrows(&rows, A[0]));
  OK(GrB_Matrix_ncols(&cols, A[0]));
  for (int k = 0; k < 2; k++) {
    OK(GrB_Matrix_new(&C[k], GrB_FP64, rows, cols));
    OK(GrB_transpose(C[k], NULL, NULL, A[k], GrB_DESC_T0));
  }
}

/* *C = some rows and columns of A or its transpose, in any order and possibly repeated. */
static void take(GrB_Matrix C[2], GrB_Matrix A[2], uint64_t rows, uint64_t cols, int d) {
  GrB_Index nrows, ncols;
  OK(GrB_Matrix_nrows(&nrows, A[0]));
  OK(GrB_Matrix_ncols(&ncols, A[0]));
  const bool transposed = draw_one_in(2), accum = d > 0 && draw_one_in(2);
  GrB_Index ni = rows, nj = cols, *I = indices(&ni, transposed ? ncols : nrows, true),
            *J = indices(&nj, transposed ? nrows : ncols, true);
  GrB_Descriptor desc = make_descriptor(d, transposed);
  for (int k = 0; k < 2; k++) {
    GrB_Matrix mask = NULL;
    OK(GrB_Matrix_new(&C[k], GrB_FP64, ni, nj));
    if (d) OK(GrB_Matrix_new(&mask, GrB_BOOL, ni, nj));
    for (GrB_Index e = 0; d && e < 40; e++) {
      OK(GrB_Matrix_setElement_FP64(C[k], (double)e, 7 * e % ni, 5 * e % nj));
      OK(GrB_Matrix_setElement_BOOL(mask, e % 5, 3 * e % ni, 11 * e % nj));
    }
    OK(GrB_Matrix_extract(C[k], mask, accum ? GrB_PLUS_FP64 : NULL, A[k], list_or_all(I), ni, list_or_all(J),
                          nj, desc));
    GrB_free(&mask);
  }
  GrB_free(&desc);
  free(I);
  free(J);
}

/* A matrix or a value is assigned to a region of B; M is the mask. */
static void give(GrB_Matrix A[2], GrB_Matrix B[2], GrB_Matrix M[2], bool value, int d) {
  GrB_Index rows, cols, ni = 0, nj = 0;
  OK(GrB_Matrix_nrows(&rows, B[0]));
  OK(GrB_Matrix_ncols(&cols, B[0]));
  const bool transposed = draw_one_in(2), accum = draw_one_in(3);
  GrB_Index *I = indices(&ni, rows, false), *J = indices(&nj, cols, false);
  GrB_Descriptor desc = make_descriptor(d, transposed);
  GrB_Matrix C[2], from[2] = {NULL, NULL};
  duplicate_pair(C, B);
  if (!value) take(from, A, transposed ? nj : ni, transposed ? ni : nj, 0);
  for (int k = 0; k < 2; k++) {
    const GrB_BinaryOp op = accum ? GrB_PLUS_FP64 : NULL;
    const GrB_Matrix m = d ? M[k] : NULL;
    if (value)
      OK(GrB_Matrix_assign_FP64(C[k], m, op, 3, list_or_all(I), ni, list_or_all(J), nj, desc));
    else
      OK(GrB_Matrix_assign(C[k], m, op, from[k], list_or_all(I), ni, list_or_all(J), nj, desc));
  }
  char what[96];
  snprintf(what, sizeof what, "a %s assigned, descriptor %d%s%s%s%s", value ? "value" : "matrix", d,
           transposed ? ", turned" : "", accum ? ", accumulated" : "", I ? "" : ", all rows",
           J ? "" : ", all columns");
  expect_matrix(C[0], C[1], what);
  for (int k = 0; k < 2; k++) {
    GrB_free(&C[k]);
    GrB_free(&from[k]);
  }
  GrB_free(&desc);
  free(I);
  free(J);
}

/* A value where a mask that is nearly full has nothing; slices of some rows alone. */
static void outside_the_mask(void **state) {
  const uint64_t usual = grid_tune.row_panel_min_bytes, least[] = {20000, 60000, 150000};
  GrB_Matrix B[2], M[2], C[2];
  make(&B[0], &B[1], N, N, 1200, true, false);
  make(&M[0], &M[1], N, N, 3 * N * N, false, false);
  for (int d = 0; d < 6; d++) {
    const GrB_Descriptor desc = d % 2 ? GrB_DESC_RSC : GrB_DESC_C;
    grid_tune.row_panel_min_bytes = least[d / 2];
    duplicate_pair(C, B);
    for (int k = 0; k < 2; k++) OK(GrB_Matrix_assign_FP64(C[k], M[k], NULL, 3, GrB_ALL, N, GrB_ALL, N, desc));
    expect_matrix(C[0], C[1], "a value beside the mask");
    for (int k = 0; k < 2; k++) GrB_free(&C[k]);
  }
  grid_tune.row_panel_min_bytes = usual;
  for (int k = 0; k < 2; k++) {
    GrB_free(&B[k]);
    GrB_free(&M[k]);
  }
}

static void submatrices(void **state) {
  for (int s = 0; s < 3; s++) {
    GrB_Matrix A[2], B[2], M[2], C[2];
    make(&A[0], &A[1], s == 1 ? 60 : N, s == 2 ? 50 : N, 900, s != 2, s == 0);
    make(&B[0], &B[1], N, s == 1 ? 70 : N, 1200, true, false);
    make(&M[0], &M[1], N, s == 1 ? 70 : N, 700, false, false);
    for (int d = 0; d < 4; d++)
      for (int again = 0; again < 3; again++) {
        take(C, A, 0, 0, d);
        expect_matrix(C[0], C[1], "a part taken");
        for (int k = 0; k < 2; k++) GrB_free(&C[k]);
        give(A, B, M, false, d);
        give(A, B, M, true, d);
      }
    for (int k = 0; k < 2; k++) {
      GrB_free(&A[k]);
      GrB_free(&B[k]);
      GrB_free(&M[k]);
    }
  }
}

/* ---- elements, lines, copies --------------------------------------------------------------------------- */

static void same_element(GrB_Matrix A[2], GrB_Index i, GrB_Index j) {
  double x[2] = {0, 0};
  const GrB_Info a = GrB_Matrix_extractElement_FP64(&x[0], A[0], i, j),
                 b = GrB_Matrix_extractElement_FP64(&x[1], A[1], i, j);
  assert_int_equal(a, b);
  expect_number(x[0], x[1]);
}

/* Existing entries, and positions that may have none. */
static void set_elements(GrB_Matrix A[2]) {
  GrB_Index n;
  entry *e = entries(&n, A[1]);
  for (int k = 0; k < 12; k++) {
    const entry *x = &e[draw(n)];
    same_element(A, x->i, x->j);
    same_element(A, draw(N), draw(N));
  }
  free(e);
}

static void change_rows_and_cols(GrB_Matrix A[2]) {
  for (int transposed = 0; transposed < 2; transposed++) {
    GrB_Vector v[2];
    const GrB_Index at = draw_one_in(2) ? draw(9) : draw(N);
    for (int k = 0; k < 2; k++) {
      OK(GrB_Vector_new(&v[k], GrB_FP64, N));
      OK(GrB_Col_extract(v[k], NULL, NULL, A[k], GrB_ALL, N, at, transposed ? GrB_DESC_T0 : NULL));
    }
    expect_vector(v[0], v[1], "a line");
    for (int k = 0; k < 2; k++) {
      OK(transposed ? GrB_Row_assign(A[k], NULL, NULL, v[k], (at + 3) % N, GrB_ALL, N, NULL)
                    : GrB_Col_assign(A[k], NULL, GrB_PLUS_FP64, v[k], GrB_ALL, N, (at + 3) % N, NULL));
      GrB_free(&v[k]);
    }
  }
}

/* Changes wait, are read, and merged into pages. */
static void elements(void **state) {
  for (int round = 0; round < 3; round++) {
    GrB_Matrix A[2], D[2];
    bool paged;
    make(&A[0], &A[1], N, N, 900, true, round == 0);
    set_elements(A);
    for (int k = 0; k < 2; k++) OK(GrB_Matrix_dup(&D[k], A[k]));
    for (int e = 0; e < 40; e++) {
      const GrB_Index i = draw_one_in(2) ? draw(4) : draw(N), j = draw(N);
      const bool gone = draw_one_in(4);
      for (int k = 0; k < 2; k++)
        OK(gone ? GrB_Matrix_removeElement(A[k], i, j) : GrB_Matrix_setElement_FP64(A[k], e, i, j));
      same_element(A, i, j);
    }
    change_rows_and_cols(A);
    set_elements(A);
    expect_matrix(A[0], A[1], "changes merged");
    set_elements(A);
    Grid_Matrix_bytes_read(&paged, A[0]);
    assert_true(paged);
    expect_matrix(D[0], D[1], "a copy from before");
    for (int k = 0; k < 2; k++) {
      GrB_free(&A[k]);
      OK(GrB_Matrix_eWiseAdd_BinaryOp(D[k], NULL, NULL, GrB_PLUS_FP64, D[k], D[k], NULL));
    }
    expect_matrix(D[0], D[1], "the copy of what is gone, twice");
    for (int k = 0; k < 2; k++) GrB_free(&D[k]);
  }
}

/* A matrix of one entry. */
static GrB_Matrix single(void) {
  GrB_Matrix U;
  OK(GrB_Matrix_new(&U, GrB_FP64, 1, 1));
  OK(GrB_Matrix_setElement_FP64(U, 2, 0, 0));
  OK(GrB_Matrix_wait(U, GrB_MATERIALIZE));
  return U;
}

static GrB_Info run_refused(GrB_Matrix C, GrB_Matrix A, GrB_Matrix U, int variant) {
  GrB_Index I[N];
  for (int k = 0; k < N; k++) I[k] = (GrB_Index)(7 * k % N);
  switch (variant) {
    case 0:
      return GrB_mxm(C, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, A, NULL);
    case 1:
      return GrB_transpose(C, NULL, NULL, A, NULL);
    case 2:
      return GrB_Matrix_extract(C, NULL, NULL, A, I, N, GrB_ALL, N, NULL);
    case 3:
      return GrB_Matrix_kronecker_BinaryOp(C, NULL, NULL, GrB_TIMES_FP64, U, A, GrB_DESC_T1);
    case 4:
      return GrB_Matrix_resize(A, N + 9, N - 9);
    default:
      return GrB_Matrix_assign(C, NULL, NULL, A, I, N, I, N, GrB_DESC_T0);
  }
}

/* What fails leaves no memory behind, and outputs as they were. */
static void no_memory(void **state) {
  if (Grid_size() > 1) return;
  GrB_Matrix A[2], C, U = single();
  make(&A[0], &A[1], N, N, 600, true, false);
  OK(GrB_Matrix_new(&C, GrB_FP64, N, N));
  OK(GrB_Matrix_setElement_FP64(C, 1, 2, 3));
  OK(GrB_Matrix_wait(C, GrB_MATERIALIZE));
  GrB_Info info = GrB_OUT_OF_MEMORY;
  for (int64_t k = 0; info != GrB_SUCCESS; k += 1 + k / 8) {
    GrB_Index n;
    const int64_t live = grid_mem_live();
    grid_mem_fail_after(k);
    info = run_refused(C, A[0], U, k % 6);
    grid_mem_fail_after(-1);
    if (info == GrB_SUCCESS) break;
    assert_int_equal(info, GrB_OUT_OF_MEMORY);
    OK(GrB_Matrix_nvals(&n, C));
    assert_true(n == 1);
    OK(GrB_Matrix_nrows(&n, A[0]));
    assert_true(n == N);
    assert_true(grid_mem_live() <= live + 64); /* A's cached degrees */
  }
  for (int k = 0; k < 2; k++) GrB_free(&A[k]);
  GrB_free(&C);
  GrB_free(&U);
}

/* ---- the budget ---------------------------------------------------------------------------------------- */

enum { SIDE = 4000, MANY = 120000 };

static GrB_Info run_large(GrB_Matrix C, GrB_Matrix A, GrB_Matrix U, const GrB_Index *I, int variant) {
  switch (variant) {
    case 0:
      return GrB_Matrix_apply(C, NULL, NULL, GrB_AINV_FP64, A, NULL);
    case 1:
      return GrB_transpose(C, NULL, NULL, A, NULL);
    case 2:
      return GrB_Matrix_extract(C, NULL, NULL, A, I, SIDE, GrB_ALL, SIDE, NULL);
    case 3:
      return GrB_Matrix_extract(C, NULL, NULL, A, I, SIDE, I, SIDE, GrB_DESC_T0);
    case 4:
      return GrB_Matrix_kronecker_BinaryOp(C, NULL, NULL, GrB_TIMES_FP64, A, U, NULL);
    case 5:
      return GrB_Matrix_kronecker_BinaryOp(C, NULL, NULL, GrB_TIMES_FP64, U, A, NULL);
    default:
      return GrB_Matrix_assign(C, NULL, NULL, A, GrB_ALL, SIDE, I, SIDE, NULL);
  }
}

/* Memory use stays below the budget, a third of the matrix's size, plus `held_bytes` bytes a row and column.
 * A row moves as a whole, and a hub's row has nearly all columns: its tuples are held when found, when sent
 * and when received, 24 bytes each. */
static void stays_in_budget(void **state) {
  const uint64_t budget = (uint64_t)MANY * 12 / 3 / (uint64_t)Grid_size(),
                 held_bytes = 24 + (Grid_size() > 1 ? 3 * 24 : 0);
  const uint64_t before[2] = {grid_tune.page_entries, grid_tune.page_read_bytes};
  GrB_Index I[SIDE];
  GrB_Matrix A[2], C, U = single();
  grid_tune.page_entries = 256, grid_tune.page_read_bytes = 4096;
  make(&A[0], &A[1], SIDE, SIDE, MANY, true, false);
  GrB_free(&A[1]);
  for (GrB_Index k = 0; k < SIDE; k++) I[k] = 1777 * k % SIDE;
  for (int variant = 0; variant < 7; variant++) {
    const uint64_t used = grid_mem_bytes(), most = budget + held_bytes * SIDE;
    OK(GrB_Matrix_new(&C, GrB_FP64, SIDE, SIDE));
    OK(Grid_memory_limit(used + budget));
    grid_mem_reset_peak();
    OK(run_large(C, A[0], U, I, variant));
    const uint64_t peak = grid_mem_peak() - used;
    if (peak > most)
      fail_msg("way %d: %llu bytes, not %llu", variant, (unsigned long long)peak, (unsigned long long)most);
    GrB_free(&C);
  }
  GrB_free(&A[0]);
  GrB_free(&U);
  OK(Grid_memory_limit(1));
  grid_tune.page_entries = before[0], grid_tune.page_read_bytes = before[1];
}

/* The rows of a product may be far longer than those of its first operand: a panel's height is bounded by its
 * result. */
static void long_rows(void **state) {
  enum { ROWS = 1000, ENTRIES = 60000 };
  GrB_Matrix A[2], D, C[2];
  GrB_Vector ones;
  uint64_t peak;
  make(&A[0], &A[1], ROWS, ROWS, ENTRIES, true, false);
  OK(GrB_Vector_new(&ones, GrB_FP64, ROWS));
  OK(GrB_Vector_assign_FP64(ones, NULL, NULL, 2, GrB_ALL, ROWS, NULL));
  OK(GrB_Matrix_diag(&D, ones, 0));
  GrB_free(&ones);
  const uint64_t least = grid_tune.row_panel_min_bytes;
  grid_tune.row_panel_min_bytes = 16384; /* all of D, and a fortieth of the product */
  for (int k = 0; k < 2; k++) {
    OK(GrB_Matrix_new(&C[k], GrB_FP64, ROWS, ROWS));
    const uint64_t before = Grid_memory(NULL, true);
    OK(GrB_mxm(C[k], NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, D, A[k], NULL));
    Grid_memory(&peak, false);
    if (k == 0 && Grid_size() == 1) assert_true(peak - before < ENTRIES * 12 / 2);
  }
  grid_tune.row_panel_min_bytes = least;
  expect_matrix(C[0], C[1], "a diagonal's product");
  for (int k = 0; k < 2; k++) {
    GrB_free(&A[k]);
    GrB_free(&C[k]);
  }
  GrB_free(&D);
}

/* ---- algorithms ---------------------------------------------------------------------------------------- */

enum { MAX_VECTORS = 4 };
typedef struct {
  GrB_Vector v[MAX_VECTORS];
  GrB_Matrix m[2];
} answers;

typedef void algorithm(answers *a, GrB_Matrix A);

static GrB_Vector sources_of(double x) {
  GrB_Vector v;
  OK(GrB_Vector_new(&v, GrB_FP64, N));
  OK(GrB_Vector_setElement_FP64(v, x, 1));
  OK(GrB_Vector_setElement_FP64(v, 2 * x, 5));
  return v;
}

static void run_bfs(answers *a, GrB_Matrix A) {
  const GrB_Index from[] = {0, 3, 77, 150};
  OK(Grid_bfs(&a->v[0], NULL, A, 0, -1));
  OK(Grid_bfs_many(&a->m[0], A, from, 4, -1));
  OK(Grid_betweenness(&a->v[1], A, from, 3));
}
static void run_components(answers *a, GrB_Matrix A) {
  OK(Grid_components(&a->v[0], A));
  OK(Grid_strong_components(&a->v[1], A));
  OK(Grid_mis(&a->v[2], A, 1));
  OK(Grid_cdlp(&a->v[3], A, 4));
}
static void run_rank(answers *a, GrB_Matrix A) {
  OK(Grid_pagerank(&a->v[0], NULL, NULL, A, NULL, 0.85, 0, 6, 0));
}
static void run_triangles(answers *a, GrB_Matrix A) {
  OK(Grid_triangles(NULL, &a->v[0], A));
  OK(Grid_lcc(&a->v[1], A));
  OK(Grid_kcore(&a->v[2], A));
  OK(Grid_ktruss(&a->m[0], A, 4));
}
static void run_weighted(answers *a, GrB_Matrix A) {
  bool negative;
  OK(Grid_shortest_paths(&a->v[0], NULL, A, 0, 0));
  OK(Grid_bellman_ford(&a->v[1], NULL, &negative, A, 0));
  OK(Grid_msf(&a->m[0], A));
}
static void run_flows(answers *a, GrB_Matrix A) {
  GrB_Vector at = sources_of(5);
  OK(Grid_heat(&a->v[0], NULL, NULL, A, at, 0, 0, 5));
  OK(Grid_neural(&a->v[1], NULL, NULL, A, at, 0.5, 0, 4));
  OK(Grid_circuit(&a->v[2], NULL, NULL, A, at, 0, 5));
  GrB_free(&at);
}
static void run_factors(answers *a, GrB_Matrix A) {
  double error[3];
  OK(Grid_factors(&a->m[0], &a->m[1], error, A, 3, 0, 0.01, 2, 7));
}

static void compare(algorithm *run, bool valued, bool symmetric, const char *what) {
  GrB_Matrix A[2];
  answers a[2];
  bool paged;
  memset(a, 0, sizeof a);
  make(&A[0], &A[1], N, N, 900, valued, symmetric);
  for (int k = 0; k < 2; k++) run(&a[k], A[k]);
  Grid_Matrix_bytes_read(&paged, A[0]);
  assert_true(paged); /* it was never taken to memory */
  for (int k = 0; k < MAX_VECTORS; k++)
    if (a[0].v[k]) expect_vector(a[0].v[k], a[1].v[k], what);
  for (int k = 0; k < 2; k++)
    if (a[0].m[k]) expect_matrix(a[0].m[k], a[1].m[k], what);
  for (int side = 0; side < 2; side++) {
    for (int k = 0; k < MAX_VECTORS; k++) GrB_free(&a[side].v[k]);
    for (int k = 0; k < 2; k++) GrB_free(&a[side].m[k]);
    GrB_free(&A[side]);
  }
}

static void algorithms(void **state) {
  for (int symmetric = 0; symmetric < 2; symmetric++) {
    compare(run_bfs, false, symmetric, "searches");
    compare(run_components, false, symmetric, "components");
    compare(run_rank, false, symmetric, "PageRank");
    compare(run_triangles, false, symmetric, "triangles");
    compare(run_weighted, true, symmetric, "weighted");
    compare(run_flows, true, symmetric, "flows");
    compare(run_factors, true, symmetric, "factors");
  }
}

static int start(void **state) {
  if (GrB_init(GrB_NONBLOCKING) != GrB_SUCCESS) return -1;
  Grid_threads(1);
  if (test_device_on() != GrB_SUCCESS) return -1;
  if (Grid_rank() == 0) {
    snprintf(work_dir, sizeof work_dir, "%.40s/sliced.XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    if (!mkdtemp(work_dir)) work_dir[0] = '\0';
  }
  if (Grid_bcast(work_dir, sizeof work_dir, 0) != GrB_SUCCESS || !work_dir[0] || chdir(work_dir) != 0)
    return -1;
  snprintf(file, sizeof file, "%s/a.pages", work_dir);
  grid_tune.page_entries = 24, grid_tune.page_read_bytes = 500, grid_tune.row_panel_min_bytes = 1500;
  return 0;
}

static int stop(void **state) {
  const GrB_Info info = Grid_agree(GrB_SUCCESS, NULL);
  if (Grid_rank() == 0) {
    unlink(file);
    if (rmdir(work_dir) != 0) return -1; /* a file remained */
  }
  return info == GrB_SUCCESS && GrB_finalize() == GrB_SUCCESS ? 0 : -1;
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_operations),     cmocka_unit_test(outside_the_mask),
                                     cmocka_unit_test(kronecker_products), cmocka_unit_test(submatrices),
                                     cmocka_unit_test(elements),           cmocka_unit_test(stays_in_budget),
                                     cmocka_unit_test(long_rows),          cmocka_unit_test(no_memory),
                                     cmocka_unit_test(algorithms)};
  if (test_device_is_missing()) return 77;
  cmocka_set_test_filter(argc > 1 ? argv[1] : NULL);
  return cmocka_run_group_tests(tests, start, stop);
}
