/* Out-of-core matrices that leave the library: serialized, exported to all processes and each process's local
 * entries. The same as of a matrix in memory, without loading it, on any number of processes. */
#include <stdlib.h>
#include <string.h>

#include "tests/unit.h"
#include "semiring/support/tuning.h"
#include "tests/random_numbers.h"
#include "dist/outofcore/pages/row_pages.h"
#include "tests/test_device.h"
#include "tests/test_folder.h"
#include "gridblas.h"
#include "semiring/support/mem.h"

#define OK(call)                                                                                       \
  do {                                                                                                 \
    const GrB_Info info_ = (call);                                                                     \
    if (info_ != GrB_SUCCESS) fail_msg("%s: %s: %s", #call, Grid_info_name(info_), Grid_last_error()); \
  } while (0)

enum { ON_DISK, IN_MEMORY, SIDES };

/* ---- the same in memory and on disk -------------------------------------------------------------------- */

static bool is_paged(GrB_Matrix A) {
  bool paged;
  Grid_Matrix_bytes_read(&paged, A);
  return paged;
}

static void expect_paged(GrB_Matrix A) {
  assert_true(is_paged(A));
}

static void make(GrB_Matrix A[SIDES], uint64_t rows, uint64_t cols, uint64_t n, bool valued) {
  Grid_Edges e = {.nrows = rows, .ncols = cols, .pattern = !valued};
  e.rows = malloc((n + 1) * sizeof *e.rows), e.cols = malloc((n + 1) * sizeof *e.cols);
  e.values = valued ? malloc((n + 1) * sizeof *e.values) : NULL;
  for (uint64_t k = 0; k < n; k++) {
    const uint64_t r = draw_one_in(4) ? draw(3) * rows / 3 : draw(rows),
                   c = draw_one_in(5) ? draw(9) % cols : draw(cols);
    if (k % (uint64_t)Grid_size() != (uint64_t)Grid_rank()) continue;
    e.rows[e.n] = r, e.cols[e.n] = c;
    if (valued) e.values[e.n] = (double)(r * c % 17) - 3;
    e.n++;
  }
  OK(Grid_write(&e, path_of("a.pages"), NULL));
  free(e.rows), free(e.cols), free(e.values);
  for (int side = 0; side < SIDES; side++) {
    OK(Grid_memory_limit(side == ON_DISK));
    OK(Grid_Matrix_open(&A[side], path_of("a.pages")));
  }
  OK(Grid_memory_limit(1));
  assert_true(is_paged(A[ON_DISK]));
}

/* Some elements that wait to be merged. */
static void change(GrB_Matrix A[SIDES], uint64_t rows, uint64_t cols) {
  for (int k = 0; k < 9; k++) {
    const uint64_t i = draw(rows), j = draw(cols);
    for (int side = 0; side < SIDES; side++)
      OK(k % 3 ? GrB_Matrix_setElement_FP64(A[side], k, i, j) : GrB_Matrix_removeElement(A[side], i, j));
  }
}

/* ---- serialized ---------------------------------------------------------------------------------------- */

typedef struct {
  GrB_Index n, *I, *J;
  double *X;
} tuples;

static tuples tuples_of(GrB_Matrix A) {
  tuples t;
  OK(GrB_Matrix_nvals(&t.n, A));
  t.I = malloc((t.n + 1) * sizeof *t.I), t.J = malloc((t.n + 1) * sizeof *t.J);
  t.X = malloc((t.n + 1) * sizeof *t.X);
  OK(GrB_Matrix_extractTuples_FP64(t.I, t.J, t.X, &t.n, A));
  return t;
}

static void free_tuples(tuples *t) {
  free(t->I), free(t->J), free(t->X);
}

static void expect_same(GrB_Matrix A, GrB_Matrix B) {
  tuples a = tuples_of(A), b = tuples_of(B);
  assert_int_equal(a.n, b.n);
  assert_memory_equal(a.I, b.I, a.n * sizeof *a.I);
  assert_memory_equal(a.J, b.J, a.n * sizeof *a.J);
  assert_memory_equal(a.X, b.X, a.n * sizeof *a.X);
  free_tuples(&a);
  free_tuples(&b);
}

/* At an unaligned address, from exactly the requested number of bytes. */
static void serialized(GrB_Matrix A[SIDES]) {
  GrB_Index size, capacity;
  GrB_Matrix back = NULL;
  GrB_Type type;
  OK(GrB_Matrix_serializeSize(&size, A[ON_DISK]));
  expect_paged(A[ON_DISK]);
  char *bytes = malloc(size + 1);
  capacity = size;
  OK(GrB_Matrix_serialize(bytes + 1, &capacity, A[ON_DISK]));
  assert_true(capacity <= size);
  const GrB_Index exact = capacity;
  capacity = Grid_rank() == 0 ? exact - 1 : exact; /* too little for one is too little for all */
  assert_int_equal(GrB_Matrix_serialize(bytes + 1, &capacity, A[ON_DISK]), GrB_INSUFFICIENT_SPACE);
  assert_int_equal(capacity, Grid_rank() == 0 ? exact - 1 : exact);
  capacity = exact;
  OK(GrB_Matrix_serialize(bytes + 1, &capacity, A[ON_DISK]));
  expect_paged(A[ON_DISK]);
  OK(Grid_memory_limit(0));
  type = NULL;
  OK(GrB_Matrix_deserialize(&back, type, bytes + 1, capacity));
  OK(Grid_memory_limit(1));
  expect_same(back, A[IN_MEMORY]);
  GrB_free(&back);
  free(bytes);
}

/* ---- exported ------------------------------------------------------------------------------------------ */

typedef struct {
  GrB_Index n[3], *indptr, *indices;
  char *values;
} arrays;

static arrays alloc_arrays(GrB_Index ptr, GrB_Index n) {
  arrays a = {.n = {ptr, n, n}};
  a.indptr = calloc(ptr + 1, sizeof *a.indptr), a.indices = calloc(n + 1, sizeof *a.indices);
  a.values = calloc(n + 1, sizeof(double));
  return a;
}

static void free_arrays(arrays *a) {
  free(a->indptr), free(a->indices), free(a->values);
}

static void expect_arrays(const arrays *a, const arrays *b, size_t size) {
  assert_memory_equal(a->n, b->n, sizeof a->n);
  assert_memory_equal(a->indptr, b->indptr, a->n[0] * sizeof *a->indptr);
  assert_memory_equal(a->indices, b->indices, a->n[1] * sizeof *a->indices);
  assert_memory_equal(a->values, b->values, a->n[2] * size);
}

static GrB_Info export_on_all(arrays *a, GrB_Matrix A, int format, bool valued) {
  return valued ? GrB_Matrix_export_FP64(a->indptr, a->indices, (double *)(void *)a->values, &a->n[0],
                                         &a->n[1], &a->n[2], (GrB_Format)format, A)
                : GrB_Matrix_export_BOOL(a->indptr, a->indices, (bool *)a->values, &a->n[0], &a->n[1],
                                         &a->n[2], (GrB_Format)format, A);
}

static const int formats[] = {GrB_CSR_FORMAT, GrB_CSC_FORMAT, GrB_COO_FORMAT};

static void check_export(GrB_Matrix A[SIDES], bool valued) {
  for (int f = 0; f < 3; f++) {
    GrB_Index n[SIDES][3];
    arrays a[SIDES], small;
    for (int side = 0; side < SIDES; side++) {
      OK(GrB_Matrix_exportSize(&n[side][0], &n[side][1], &n[side][2], (GrB_Format)formats[f], A[side]));
      a[side] = alloc_arrays(n[side][0] + 1, n[side][1] + 2); /* the lengths are returned */
      OK(export_on_all(&a[side], A[side], formats[f], valued));
    }
    assert_memory_equal(n[0], n[1], sizeof n[0]);
    expect_arrays(&a[ON_DISK], &a[IN_MEMORY], valued ? sizeof(double) : sizeof(bool));
    small = alloc_arrays(n[0][0] - 1, n[0][1]);
    if (n[0][0])
      assert_int_equal(export_on_all(&small, A[ON_DISK], formats[f], valued), GrB_INSUFFICIENT_SPACE);
    for (int side = 0; side < SIDES; side++) free_arrays(&a[side]);
    free_arrays(&small);
  }
  expect_paged(A[ON_DISK]);
}

/* Each process's local entries; arrays that are NULL are skipped. */
static void shared(GrB_Matrix A[SIDES], uint64_t rows, uint64_t cols, uint64_t nvals, bool valued) {
  for (int f = 0; f < 3; f++)
    for (int without = 0; without < 5; without++) { /* 4: one process alone */
      arrays a[SIDES];
      const uint64_t most = rows + cols + nvals + 1;
      for (int side = 0; side < SIDES; side++) {
        arrays *x = &a[side];
        *x = alloc_arrays(most, most);
        OK(Grid_Matrix_exportLocal(without == 1 ? NULL : x->indptr, without == 2 ? NULL : x->indices,
                                   without == 3 || (without == 4 && Grid_rank() == 0) ? NULL : x->values,
                                   &x->n[0], &x->n[1], &x->n[2], formats[f], A[side]));
      }
      expect_arrays(&a[ON_DISK], &a[IN_MEMORY], valued ? sizeof(double) : sizeof(bool));
      for (int side = 0; side < SIDES; side++) free_arrays(&a[side]);
    }
  expect_paged(A[ON_DISK]);
}

static GrB_Info run_refused_calls(GrB_Matrix A, char *bytes, GrB_Index size, arrays *a, int64_t variant) {
  if (variant == 0) return GrB_Matrix_serialize(bytes, &size, A);
  a->n[0] = a->n[1] = a->n[2] = size;
  if (variant == 1) return export_on_all(a, A, GrB_CSR_FORMAT, true);
  if (variant == 2) return export_on_all(a, A, GrB_CSC_FORMAT, true);
  return Grid_Matrix_exportLocal(a->indptr, a->indices, a->values, &a->n[0], &a->n[1], &a->n[2],
                                 GrB_CSC_FORMAT, A);
}

static void all_exports(void **state) {
  static const uint64_t shapes[][3] = {{230, 230, 1500}, {230, 40, 900}, {50, 230, 900}, {230, 230, 0},
                                       {3, 2000, 40},    {90, 90, 4000}, {1, 1, 1}};
  for (int valued = 0; valued < 2; valued++)
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
      for (int changed = 0; changed < 2; changed++) {
        const uint64_t *n = shapes[s];
        GrB_Matrix A[SIDES];
        make(A, n[0], n[1], n[2], valued);
        if (changed && valued) change(A, n[0], n[1]);
        if (changed) {
          check_export(A, valued);
          serialized(A);
        } else {
          serialized(A);
          check_export(A, valued);
        }
        shared(A, n[0], n[1], n[2] + 9, valued);
        for (int side = 0; side < SIDES; side++) GrB_free(&A[side]);
      }
}

/* ---- memory -------------------------------------------------------------------------------------------- */

/* The pages that go through memory, and a column's number each, but not the matrix. */
static void small_memory(void **state) {
  enum { N = 3000, MANY = 200000 };
  GrB_Matrix A[SIDES];
  GrB_Index size, n[3];
  make(A, N, N, MANY, true);
  GrB_free(&A[IN_MEMORY]);
  OK(GrB_Matrix_serializeSize(&size, A[ON_DISK]));
  char *bytes = malloc(size);
  const uint64_t used = grid_mem_bytes(), most = 200000 + 8 * N;
  grid_mem_reset_peak();
  OK(GrB_Matrix_serialize(bytes, &size, A[ON_DISK]));
  for (int f = 0; f < 3; f++) {
    OK(GrB_Matrix_exportSize(&n[0], &n[1], &n[2], (GrB_Format)formats[f], A[ON_DISK]));
    arrays a = alloc_arrays(n[0], n[1]);
    OK(export_on_all(&a, A[ON_DISK], formats[f], true));
    free_arrays(&a);
  }
  const uint64_t peak = grid_mem_peak() - used;
  if (peak > most) fail_msg("%d bytes, not %d", (int)peak, (int)most);
  free(bytes);
  GrB_free(&A[ON_DISK]);
}

/* Where a folder for pages is named, a matrix beyond the budget is made on disk, by rows, from its bytes. */
static void deserialized_on_disk(void **state) {
  enum { N = 3000, MANY = 400000 };
  GrB_Matrix A[SIDES], back = NULL;
  GrB_Index size;
  int R, C;
  char *bytes;
  Grid_shape(&R, &C);
  const uint64_t usual = grid_tune.row_panel_min_bytes;
  grid_tune.row_panel_min_bytes = 20000;
  for (int valued = 0; valued < 2; valued++) {
    make(A, N, N - 7, MANY, valued);
    OK(GrB_Matrix_serializeSize(&size, A[ON_DISK]));
    bytes = malloc(size);
    OK(GrB_Matrix_serialize(bytes, &size, A[ON_DISK]));
    setenv("GRIDBLAS_PAGES_FOLDERS", path_of(""), 1);
    const uint64_t used = grid_mem_bytes(), most = 1500000;
    grid_mem_reset_peak();
    OK(GrB_Matrix_deserialize(&back, NULL, bytes, size));
    const uint64_t peak = grid_mem_peak() - used;
    if (C == 1 && Grid_device() != Grid_CUDA) {
      expect_paged(back);
      if (peak > most) fail_msg("%d bytes, not %d", (int)peak, (int)most); /* one process: of 4 MB */
    }
    expect_same(A[IN_MEMORY], back);
    GrB_free(&back);
    for (int64_t k = 0; k < 40; k++) { /* no memory */
      if (Grid_rank() == Grid_size() - 1) grid_mem_fail_after(k);
      const GrB_Info info = GrB_Matrix_deserialize(&back, NULL, bytes, size);
      grid_mem_fail_after(-1);
      assert_true(info == GrB_SUCCESS || (info == GrB_OUT_OF_MEMORY && back == NULL));
      GrB_free(&back);
    }
    setenv("GRIDBLAS_PAGES_FOLDERS", "/nonexistent/folder", 1);
    if (C == 1 && Grid_device() != Grid_CUDA)
      assert_int_equal(GrB_Matrix_deserialize(&back, NULL, bytes, size), GrB_INVALID_VALUE);
    if (Grid_size() > 1 && C == 1 && Grid_device() != Grid_CUDA) { /* set on some processes only */
      char text[64];
      snprintf(text, sizeof text, "PAGES_FOLDERS is set on %d of %d processes only", Grid_size() - 1,
               Grid_size());
      setenv("GRIDBLAS_PAGES_FOLDERS", path_of(""), 1);
      if (Grid_rank() == Grid_size() - 1) unsetenv("GRIDBLAS_PAGES_FOLDERS");
      assert_int_equal(GrB_Matrix_deserialize(&back, NULL, bytes, size), GrB_INVALID_VALUE);
      assert_non_null(strstr(Grid_last_error(), text));
      assert_null(back);
    }
    unsetenv("GRIDBLAS_PAGES_FOLDERS");
    OK(GrB_Matrix_deserialize(&back, NULL, bytes, size));
    assert_false(is_paged(back));
    expect_same(A[IN_MEMORY], back);
    GrB_free(&back);
    free(bytes);
    for (int side = 0; side < SIDES; side++) GrB_free(&A[side]);
  }
  grid_tune.row_panel_min_bytes = usual;
}

/* A vector travels as a matrix of one column, but is in memory whatever the budget. */
static void deserialized_vector(void **state) {
  enum { N = 20000 };
  GrB_Vector v, back = NULL;
  GrB_Index size;
  void *bytes;
  bool same;
  OK(GrB_Vector_new(&v, GrB_INT64, N));
  OK(GrB_Vector_assign_INT64(v, NULL, NULL, 0, GrB_ALL, N, NULL));
  OK(GrB_Vector_apply_IndexOp_INT64(v, NULL, NULL, GrB_ROWINDEX_INT64, v, 5, NULL));
  OK(GxB_Vector_serialize(&bytes, &size, v, NULL));
  OK(Grid_memory_limit(1));
  setenv("GRIDBLAS_PAGES_FOLDERS", path_of(""), 1);
  OK(GxB_Vector_deserialize(&back, NULL, bytes, size, NULL));
  unsetenv("GRIDBLAS_PAGES_FOLDERS");
  OK(GrB_Vector_eWiseAdd_BinaryOp(v, NULL, NULL, GrB_MINUS_INT64, v, back, NULL));
  OK(GrB_Vector_apply_BinaryOp2nd_INT64(v, NULL, NULL, GrB_EQ_INT64, v, 0, NULL));
  OK(GrB_Vector_reduce_BOOL(&same, NULL, GrB_LAND_MONOID_BOOL, v, NULL));
  assert_true(same);
  free(bytes);
  GrB_free(&v), GrB_free(&back);
}

/* Allocations fail on one process: all return the error, and nothing leaks. */
static void no_memory(void **state) {
  GrB_Matrix A[SIDES];
  GrB_Index size;
  make(A, 200, 150, 2000, true);
  OK(GrB_Matrix_serializeSize(&size, A[ON_DISK]));
  char *bytes = malloc(size);
  arrays a = alloc_arrays(size, size);
  for (int64_t variant = 0; variant < 4; variant++) {
    OK(run_refused_calls(A[ON_DISK], bytes, size, &a, variant));
    GrB_Info info = GrB_OUT_OF_MEMORY;
    for (int64_t k = 0, live = 0; info != GrB_SUCCESS; k++) {
      if (Grid_rank() == Grid_size() - 1) grid_mem_fail_after(k);
      info = run_refused_calls(A[ON_DISK], bytes, size, &a, variant);
      grid_mem_fail_after(-1);
      assert_true(info == GrB_SUCCESS || info == GrB_OUT_OF_MEMORY);
      uint64_t all = (uint64_t)(info + 1000);
      OK(Grid_max(&all, 1));
      assert_int_equal(all, info + 1000);
      if (k == 0) live = grid_mem_live(); /* with the text of the error stored in A */
      assert_true(grid_mem_live() == live || info == GrB_SUCCESS);
      assert_true(k < 1000);
    }
  }
  expect_paged(A[ON_DISK]);
  for (int side = 0; side < SIDES; side++) GrB_free(&A[side]);
  free_arrays(&a);
  free(bytes);
}

static int begin(void **state) {
  const int bad = start(state) || test_device_on() != GrB_SUCCESS;
  grid_tune.page_entries = 24, grid_tune.page_read_bytes = 500;
  return bad;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_exports), cmocka_unit_test(small_memory),
                                     cmocka_unit_test(deserialized_on_disk),
                                     cmocka_unit_test(deserialized_vector), cmocka_unit_test(no_memory)};
  if (test_device_is_missing()) return 77;
  return cmocka_run_group_tests(tests, begin, stop);
}
