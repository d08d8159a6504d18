/* Arrays without copies: Grid_Matrix_import32 against GrB_Matrix_import on random arrays of all integer
 * types. The views of vectors and matrices against exports, and after changes of their objects. Errors, and
 * failures of the k-th allocation. Runs on any number of processes. */
#include "tests/unit.h"
#include "semiring/support/mem.h"
#include "tests/entry_model.h"

/* ---- 32-bit indices ------------------------------------------------------------------------------------ */

typedef struct {
  GrB_Index ptr[MOST + 1], idx[MOST], nptr;
} arrays64;

/* The model's rows, or the columns as if they were rows; mixed: indices of a row in another order. */
static void rows_of_model(arrays64 *a, bool mixed) {
  GrB_Index k = 0;
  for (GrB_Index v = 0; v < m.nrows; v++) {
    a->ptr[v] = k;
    for (; k < m.n && m.at[k].r == v; k++) a->idx[k] = m.at[k].c;
  }
  a->ptr[m.nrows] = k;
  a->nptr = m.nrows + 1;
  for (GrB_Index v = 0; mixed && v < m.nrows; v++)
    for (GrB_Index e = a->ptr[v], last = a->ptr[v + 1]; e + 1 < last; e++) {
      char x[WIDEST], *val = m.val + e * m.size, *other;
      const GrB_Index o = e + chance(last - e), i = a->idx[e];
      a->idx[e] = a->idx[o], a->idx[o] = i;
      other = m.val + o * m.size;
      memcpy(x, val, m.size), memcpy(val, other, m.size), memcpy(other, x, m.size);
    }
}

static void narrow(uint32_t *to, const GrB_Index *from, GrB_Index n) {
  for (GrB_Index k = 0; k < n; k++) to[k] = (uint32_t)from[k];
}

static bool is_equal(GrB_Matrix A, GrB_Matrix B) {
  static GrB_Index p[2][MOST + 1], i[2][MOST];
  static char x[2][MOST * WIDEST];
  GrB_Index np[2], ni[2], nx[2];
  GrB_Matrix both[] = {A, B};
  for (int k = 0; k < 2; k++) {
    np[k] = MOST + 1, ni[k] = nx[k] = MOST;
    OK(Grid_Matrix_exportLocal(p[k], i[k], x[k], &np[k], &ni[k], &nx[k], GrB_CSR_FORMAT, both[k]));
  }
  return np[0] == np[1] && ni[0] == ni[1] && memcmp(p[0], p[1], np[0] * 8) == 0 &&
         memcmp(i[0], i[1], ni[0] * 8) == 0 && memcmp(x[0], x[1], nx[0] * m.size) == 0;
}

static GrB_Info import_arrays64(GrB_Matrix *A, const arrays64 *a, GrB_Format format) {
  const bool rows = format == GrB_CSR_FORMAT;
  const GrB_Index nrows = rows ? m.nrows : m.ncols, ncols = rows ? m.ncols : m.nrows;
  if (m.type == GrB_FP64)
    return GrB_Matrix_import_FP64(A, m.type, nrows, ncols, a->ptr, a->idx, (const double *)m.val, a->nptr,
                                  m.n, m.n, format);
  return GrB_Matrix_import_UDT(A, m.type, nrows, ncols, a->ptr, a->idx, m.val, a->nptr, m.n, m.n, format);
}

static void check_import(const arrays64 *a, GrB_Format format) {
  static uint32_t ptr32[MOST + 1], idx32[MOST];
  const GrB_Type types[] = {GrB_INT32, GrB_UINT32, GrB_INT64, GrB_UINT64};
  const bool rows = format == GrB_CSR_FORMAT;
  GrB_Matrix A, B;
  narrow(ptr32, a->ptr, a->nptr), narrow(idx32, a->idx, m.n);
  OK(import_arrays64(&A, a, format));
  for (int k = 0; k < 8; k++) {
    const void *ptr = k % 4 < 2 ? (const void *)ptr32 : a->ptr;
    OK(Grid_Matrix_import32(&B, m.type, rows ? m.nrows : m.ncols, rows ? m.ncols : m.nrows, ptr, types[k % 4],
                            idx32, types[k / 4], m.val, a->nptr, m.n, m.n, (int)format));
    assert_on_all(is_equal(A, B));
    OK(GrB_free(&B));
  }
  OK(GrB_free(&A));
}

static void test_import(void **state) {
  static const GrB_Index shape[][3] = {{1, 1, 1},    {0, 5, 0},      {5, 0, 0},
                                       {7, 200, 90}, {300, 5, 900},  {900, 800, 7},
                                       {64, 64, 0},  {50, 50, 2000}, {130, 140, 1500}};
  static arrays64 a;
  for (size_t s = 0; s < sizeof shape / sizeof *shape; s++)
    for (int k = 0; k < 4; k++) {
      draw_model(shape[s][0], shape[s][1], shape[s][2], k % 2 ? twelve : GrB_FP64, s % 3 == 0);
      rows_of_model(&a, k / 2);
      check_import(&a, GrB_CSR_FORMAT);
      check_import(&a, GrB_CSC_FORMAT);
    }
}

/* Columns beyond 2^32 have no 32-bit rows; the entries are sent as tuples. */
static void test_import_long(void **state) {
  static arrays64 a;
  draw_model(40, 60, 200, GrB_FP64, false);
  rows_of_model(&a, false);
  m.ncols = (GrB_Index)1 << 40;
  check_import(&a, GrB_CSR_FORMAT);
}

static void test_import_errors(void **state) {
  int32_t p[] = {0, 2, 2, 3}, i[] = {1, 4, 6};
  const int64_t p64[] = {0, 2, -2, 3};
  const double x[] = {1, 2, 3};
  GrB_Matrix A = NULL;
#define IMPORT(ncols, p, ptype, i, itype, x, np, ni, format) \
  Grid_Matrix_import32(&A, GrB_FP64, 3, ncols, p, ptype, i, itype, x, np, ni, 3, format)
#define CSR(ncols, p, i) IMPORT(ncols, p, GrB_INT32, i, GrB_INT32, x, 4, 3, GrB_CSR_FORMAT)
  fails(CSR(6, p, i), GrB_INDEX_OUT_OF_BOUNDS, "indices[2] is 6, which is not below 6");
  fails(CSR(7, NULL, i), GrB_NULL_POINTER, "indptr");
  fails(CSR(7, p, NULL), GrB_NULL_POINTER, "indices");
  fails(IMPORT(7, p, GrB_INT32, i, GrB_INT32, NULL, 4, 3, GrB_CSR_FORMAT), GrB_NULL_POINTER, "values");
  fails(IMPORT(7, p, GrB_FP32, i, GrB_INT32, x, 4, 3, GrB_CSR_FORMAT), GrB_DOMAIN_MISMATCH,
        "indptr_type is FP32");
  fails(IMPORT(7, p, GrB_INT32, i, GrB_INT16, x, 4, 3, GrB_CSR_FORMAT), GrB_DOMAIN_MISMATCH, "INT16");
  fails(IMPORT(7, p, GrB_INT32, i, GrB_INT64, x, 4, 3, GrB_CSR_FORMAT), GrB_DOMAIN_MISMATCH,
        "indices_type is INT64; INT32 or UINT32");
  fails(IMPORT(7, p, NULL, i, GrB_INT32, x, 4, 3, GrB_CSR_FORMAT), GrB_NULL_POINTER, "indptr_type");
  fails(IMPORT(7, p, GrB_INT32, i, NULL, x, 4, 3, GrB_CSR_FORMAT), GrB_NULL_POINTER, "indices_type");
  fails(IMPORT(7, p, GrB_INT32, i, GrB_INT32, x, 3, 3, GrB_CSR_FORMAT), GrB_INVALID_VALUE, "n_indptr is 3");
  fails(IMPORT(7, p, GrB_INT32, i, GrB_INT32, x, 4, 2, GrB_CSR_FORMAT), GrB_INDEX_OUT_OF_BOUNDS,
        "indptr[3] is 3");
  fails(IMPORT(7, p, GrB_INT32, i, GrB_INT32, x, 4, 3, GrB_COO_FORMAT), GrB_INVALID_VALUE, "COO");
  fails(IMPORT(7, p, GrB_INT32, i, GrB_INT32, x, 4, 3, 7), GrB_INVALID_VALUE, "format is 7");
  fails(IMPORT(7, p64, GrB_INT64, i, GrB_INT32, x, 4, 3, GrB_CSR_FORMAT), GrB_INDEX_OUT_OF_BOUNDS,
        "indptr[2] is -2, but the offset before it is 2");
  fails(Grid_Matrix_import32(NULL, GrB_FP64, 3, 7, p, GrB_INT32, i, GrB_INT32, x, 4, 3, 3, GrB_CSR_FORMAT),
        GrB_NULL_POINTER, "A");
  p[1] = 3;
  fails(CSR(7, p, i), GrB_INDEX_OUT_OF_BOUNDS, "indptr[2] is 2, but the offset before it is 3");
  p[1] = -1;
  fails(CSR(7, p, i), GrB_INDEX_OUT_OF_BOUNDS, "indptr[1] is -1");
  p[1] = 2, p[0] = -1;
  fails(CSR(7, p, i), GrB_INVALID_VALUE, "indptr[0] is -1");
  p[0] = 0, i[0] = -1;
  fails(CSR(7, p, i), GrB_INDEX_OUT_OF_BOUNDS, "indices[0] is -1, which is below 0");
  fails(CSR((GrB_Index)1 << 40, p, i), GrB_INDEX_OUT_OF_BOUNDS, "indices[0] is -1, which is below 0");
  i[0] = 4;
  fails(CSR(7, p, i), GrB_INVALID_VALUE, "(0, 4)");
  assert_null(A);
#undef IMPORT
#undef CSR
}

/* ---- views --------------------------------------------------------------------------------------------- */

static GrB_Index integer_at(const void *x, int bytes, GrB_Index k) {
  return bytes == 4 ? ((const uint32_t *)x)[k] : ((const uint64_t *)x)[k];
}

/* Are the view's rows those of an export? */
static bool has_rows(const Grid_View *v, const GrB_Index *p, const GrB_Index *i, const char *x, GrB_Index n) {
  bool same = v->n_indptr == n + 1 && v->n_indices == p[n] && v->n_values == (v->iso ? 1 : p[n]);
  for (GrB_Index k = 0; same && k <= n; k++) same = integer_at(v->indptr, v->indptr_bytes, k) == p[k];
  for (GrB_Index k = 0; same && k < p[n]; k++)
    same = integer_at(v->indices, v->indices_bytes, k) == i[k] &&
           memcmp((const char *)v->values + (v->iso ? 0 : k * m.size), x + k * m.size, m.size) == 0;
  return same;
}

/* expected: on one process the arrays are A's. */
static void check_matrix_view(GrB_Matrix A, bool expected) {
  static GrB_Index p[MOST + 1], i[MOST];
  static char x[MOST * WIDEST];
  GrB_Index first, n, np = MOST + 1, ni = MOST, nx = MOST;
  Grid_View view = {0}, again = {0};
  OK(Grid_local_range(m.nrows, &first, &n));
  OK(Grid_Matrix_exportLocal(p, i, x, &np, &ni, &nx, GrB_CSR_FORMAT, A));
  OK(Grid_Matrix_view(&view, A));
  OK(Grid_Matrix_view(&again, A));
  assert_on_all(has_rows(&view, p, i, x, n));
  int R, C;
  Grid_shape(&R, &C);
  const bool in_place = C == 1 && view.indptr_bytes == 4 && view.indices_bytes == 4;
  assert_on_all(in_place || !expected || R * C > 1);
  assert_on_all(!in_place || (view.values == again.values && view.indices == again.indices &&
                              view.indptr == again.indptr));
  Grid_View_free(&again);
  OK(GrB_free(&A));
  assert_on_all(has_rows(&view, p, i, x, n) && !again.values && again.n_indptr == 0);
  Grid_View_free(&view);
}

static void test_matrix_views(void **state) {
  static const GrB_Index shape[][3] = {{1, 1, 1},     {0, 5, 0},      {5, 0, 0},   {7, 200, 90},
                                       {300, 5, 900}, {2000, 800, 7}, {64, 64, 0}, {130, 140, 1500}};
  for (size_t s = 0; s < sizeof shape / sizeof *shape; s++)
    for (int k = 0; k < 3; k++) {
      const bool iso = k == 2;
      draw_model(shape[s][0], shape[s][1], shape[s][2], k == 1 ? twelve : GrB_FP64, iso);
      check_matrix_view(build(), m.nrows > 100 && m.n > 1000);
    }
}

/* The view's values, which are v's on this process. */
static bool has_values(const Grid_View *view, GrB_Index first, GrB_Index n, double by) {
  bool same = view->n_values == (view->iso ? 1 : n) && !view->indptr && !view->indices;
  for (GrB_Index k = 0; same && k < n; k++)
    same = ((const double *)view->values)[view->iso ? 0 : k] == (view->iso ? 3 : by * (double)(first + k));
  return same;
}

static GrB_Vector full_vector(GrB_Index n) {
  GrB_Vector v;
  OK(GrB_Vector_new(&v, GrB_FP64, n));
  OK(GrB_Vector_assign_FP64(v, NULL, NULL, 0, GrB_ALL, n, NULL));
  OK(GrB_Vector_apply_IndexOp_INT64(v, NULL, NULL, GrB_ROWINDEX_INT64, v, 0, NULL));
  return v;
}

static void test_vector_views(void **state) {
  for (GrB_Index n = 0; n < 100000; n = 7 * n + 1) {
    GrB_Index first, count;
    GrB_Vector v = full_vector(n), s;
    Grid_View view, second;
    OK(Grid_local_range(n, &first, &count));
    OK(Grid_Vector_view(&view, v));
    assert_on_all(has_values(&view, first, count, 1));
    OK(GrB_Vector_apply(v, NULL, NULL, GrB_AINV_FP64, v, NULL));
    OK(Grid_Vector_view(&second, v));
    assert_on_all(has_values(&second, first, count, -1));
    OK(GrB_free(&v));
    assert_on_all(has_values(&second, first, count, -1));
    Grid_View_free(&view), Grid_View_free(&second);
    OK(GrB_Vector_new(&s, GrB_FP64, n));
    OK(GrB_Vector_assign_FP64(s, NULL, NULL, 3, GrB_ALL, n, NULL));
    OK(Grid_Vector_view(&view, s));
    OK(GrB_free(&s));
    assert_on_all(view.iso == (count > 0) && has_values(&view, first, count, 3));
    Grid_View_free(&view);
  }
  Grid_View_free(NULL);
}

static void test_view_errors(void **state) {
  Grid_View view = {.n_values = 77};
  GrB_Vector v;
  GrB_Matrix A;
  OK(GrB_Vector_new(&v, GrB_FP64, 5));
  OK(GrB_Matrix_new(&A, GrB_FP64, 5, 5));
  OK(GrB_Vector_setElement_FP64(v, 1, 2));
  fails(Grid_Vector_view(&view, v), GrB_INVALID_OBJECT, "1 entries of a vector of size 5");
  fails(Grid_Vector_view(NULL, v), GrB_NULL_POINTER, "view");
  fails(Grid_Matrix_view(NULL, A), GrB_NULL_POINTER, "view");
  fails(Grid_Vector_view(&view, NULL), GrB_NULL_POINTER, "v");
  fails(Grid_Matrix_view(&view, NULL), GrB_NULL_POINTER, "A");
  assert_int_equal(view.n_values, 77);
  OK(GrB_free(&v)), OK(GrB_free(&A));
}

/* ---- memory -------------------------------------------------------------------------------------------- */

/* The k-th allocation fails, on every process or on one: all return the error, and nothing leaks. */
static void test_memory(void **state) {
  static arrays64 a;
  static uint32_t idx32[MOST];
  draw_model(60, 50, 300, GrB_FP64, false);
  rows_of_model(&a, false);
  narrow(idx32, a.idx, m.n);
  for (int what = 0; what < 4; what++)
    for (int all = 0; all < 2; all++)
      for (int k = 0;; k++) {
        GrB_Matrix A = NULL, B = what == 1 ? build() : NULL;
        GrB_Vector v = what == 2 ? full_vector(1000) : NULL;
        const int64_t before = grid_mem_live();
        Grid_View view = {0};
        if (all || Grid_rank() == Grid_size() - 1) grid_mem_fail_after(k);
        const GrB_Info info =
            what == 0   ? Grid_Matrix_import32(&A, GrB_FP64, m.nrows, m.ncols, a.ptr, GrB_UINT64, idx32,
                                               GrB_INT32, m.val, a.nptr, m.n, m.n, GrB_CSR_FORMAT)
            : what == 1 ? Grid_Matrix_view(&view, B)
            : what == 2 ? Grid_Vector_view(&view, v)
                        : Grid_Matrix_import32(&A, GrB_FP64, m.ncols, m.nrows, a.ptr, GrB_UINT64, idx32,
                                               GrB_INT32, m.val, a.nptr, m.n, m.n, GrB_CSC_FORMAT);
        grid_mem_fail_after(-1);
        assert_on_all(info == GrB_SUCCESS || info == GrB_OUT_OF_MEMORY);
        if (info == GrB_OUT_OF_MEMORY) assert_on_all(!A && !view.indptr && grid_mem_live() <= before + 2);
        Grid_View_free(&view);
        OK(GrB_Matrix_free(&A)), OK(GrB_Matrix_free(&B)), OK(GrB_Vector_free(&v));
        if (info == GrB_SUCCESS) break;
        assert_true(k < 500);
      }
}

static int group(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_import),        cmocka_unit_test(test_import_long),
      cmocka_unit_test(test_import_errors), cmocka_unit_test(test_matrix_views),
      cmocka_unit_test(test_vector_views),  cmocka_unit_test(test_view_errors),
      cmocka_unit_test(test_memory)};
  return cmocka_run_group_tests(tests, start_with_type, stop_with_type);
}

int main(void) {
  int failed = run_on_shapes(group);
  if (grid_mem_live() != 0)
    fprintf(stderr, "%lld blocks are still live\n", (long long)grid_mem_live()), failed++;
  return failed;
}
