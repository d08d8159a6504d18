/* GxB_Iterator: row, column, entry and vector iterators against a list of entries. Runs on any number of
 * processes. */
#include "tests/unit.h"
#include "semiring/support/mem.h"
#include "tests/entry_model.h"

static GxB_Iterator it;

static bool value_is(const cell *is) {
  char x[WIDEST] = {0};
  if (m.type == GrB_FP64) {
    const double value = GxB_Iterator_get_FP64(it);
    return memcmp(&value, value_of(is), sizeof value) == 0;
  }
  if (m.type == GrB_INT8) return GxB_Iterator_get_INT8(it) == *(const int8_t *)value_of(is);
  if (m.type == GxB_FC64) {
    const GxB_FC64_t value = GxB_Iterator_get_FC64(it);
    return memcmp(&value, value_of(is), sizeof value) == 0;
  }
  GxB_Iterator_get_UDT(it, x);
  return memcmp(x, value_of(is), m.size) == 0;
}

static bool is_entry(GrB_Index r, GrB_Index c) {
  const cell at = {r, c}, *is = bsearch(&at, m.at, m.n, sizeof at, by_position);
  return is && value_is(is);
}

static GrB_Index sum(GrB_Index n) {
  uint64_t all = n;
  OK(Grid_sum(&all, 1));
  return all;
}

/* ---- loops of a program -------------------------------------------------------------------------------- */

static GrB_Index count_by_rows(bool *fine) {
  GrB_Index n = 0, last = 0;
  GrB_Info info = GxB_rowIterator_seekRow(it, 0);
  while (info != GxB_EXHAUSTED) {
    const GrB_Index i = GxB_rowIterator_getRowIndex(it);
    GrB_Index before = 0;
    *fine = *fine && (n == 0 || i > last || info == GrB_NO_VALUE);
    for (bool any = false; info == GrB_SUCCESS; any = true) {
      const GrB_Index j = GxB_rowIterator_getColIndex(it);
      *fine = *fine && is_entry(i, j) && (!any || j > before);
      before = j, last = i;
      n++;
      info = GxB_rowIterator_nextCol(it);
    }
    *fine = *fine && info == GrB_NO_VALUE && GxB_rowIterator_nextCol(it) == GrB_NO_VALUE;
    info = GxB_rowIterator_nextRow(it);
  }
  *fine = *fine && GxB_rowIterator_getRowIndex(it) == m.nrows && GxB_rowIterator_nextRow(it) == GxB_EXHAUSTED;
  return n;
}

static GrB_Index count_by_columns(bool *fine) {
  GrB_Index n = 0;
  const GrB_Index listed = GxB_colIterator_kount(it);
  for (GrB_Index k = 0; k < listed; k++) {
    GrB_Info info = GxB_colIterator_kseek(it, k);
    const GrB_Index j = GxB_colIterator_getColIndex(it);
    while (info == GrB_SUCCESS) {
      *fine = *fine && is_entry(GxB_colIterator_getRowIndex(it), j);
      n++;
      info = GxB_colIterator_nextRow(it);
    }
    *fine = *fine && info == GrB_NO_VALUE;
  }
  *fine = *fine && GxB_colIterator_kseek(it, listed) == GxB_EXHAUSTED &&
          GxB_colIterator_getColIndex(it) == m.ncols && GxB_colIterator_nextCol(it) == GxB_EXHAUSTED;
  return n;
}

static GrB_Index count_entries(bool *fine) {
  GrB_Index n = 0, r, c;
  GrB_Info info = GxB_Matrix_Iterator_seek(it, 0);
  for (; info == GrB_SUCCESS; info = GxB_Matrix_Iterator_next(it)) {
    GxB_Matrix_Iterator_getIndex(it, &r, &c);
    *fine = *fine && is_entry(r, c) && GxB_Matrix_Iterator_getp(it) == n;
    n++;
  }
  *fine = *fine && info == GxB_EXHAUSTED && GxB_Matrix_Iterator_getp(it) == n &&
          GxB_Matrix_Iterator_getpmax(it) == n && GxB_Matrix_Iterator_next(it) == GxB_EXHAUSTED &&
          GxB_Matrix_Iterator_seek(it, n + 5) == GxB_EXHAUSTED && GxB_Matrix_Iterator_getp(it) == n;
  for (GrB_Index p = 0; p < n; p += 7) {
    *fine = *fine && GxB_Matrix_Iterator_seek(it, p) == GrB_SUCCESS && GxB_Matrix_Iterator_getp(it) == p;
    GxB_Matrix_Iterator_getIndex(it, &r, &c);
    *fine = *fine && is_entry(r, c);
  }
  return n;
}

/* Each row that the process owns and has entries is found; others as the iterator lists them. */
static bool seeks_find_rows(void) {
  GrB_Index first, count;
  OK(Grid_local_range(m.nrows, &first, &count));
  for (GrB_Index k = 0; k < m.n; k++) {
    const GrB_Index r = m.at[k].r;
    if (r < first || r >= first + count) continue;
    if (GxB_rowIterator_seekRow(it, r) != GrB_SUCCESS || GxB_rowIterator_getRowIndex(it) != r) return false;
    if (k && m.at[k - 1].r == r) continue;
    if (GxB_rowIterator_getColIndex(it) != m.at[k].c) return false;
  }
  return GxB_rowIterator_seekRow(it, m.nrows) == GxB_EXHAUSTED &&
         GxB_rowIterator_seekRow(it, m.nrows + 7) == GxB_EXHAUSTED;
}

static void check(GrB_Matrix A) {
  bool fine = true;
  OK(GxB_rowIterator_attach(it, A, NULL));
  const GrB_Index rows = sum(count_by_rows(&fine));
  fine = fine && seeks_find_rows();
  OK(GxB_colIterator_attach(it, A, NULL));
  const GrB_Index columns = sum(count_by_columns(&fine));
  OK(GxB_Matrix_Iterator_attach(it, A, NULL));
  const GrB_Index entries = sum(count_entries(&fine));
  assert_on_all(fine && rows == m.n && columns == m.n && entries == m.n);
}

static void test_matrices(void **state) {
  static const struct {
    GrB_Index nrows, ncols, n;
  } shape[] = {{1, 1, 1},
               {1, 1, 0},
               {7, 200, 90},
               {64, 64, 2900},
               {5000, 3, 40},
               {3, 5000, 40},
               {900, 800, 7},
               {0, 4, 0},
               {4, 0, 0},
               {20, 30, UINT64_MAX},
               {(GrB_Index)1 << 50, (GrB_Index)1 << 40, 200}};
  const GrB_Type types[] = {GrB_FP64, GrB_INT8, GxB_FC64, twelve};
  OK(GxB_Iterator_new(&it));
  for (size_t s = 0; s < sizeof shape / sizeof *shape; s++)
    for (int t = 0; t < 4; t++) {
      draw_model(shape[s].nrows, shape[s].ncols, shape[s].n, types[t], (s + (size_t)t) % 3 == 0);
      GrB_Matrix A = build();
      check(A);
      same(A);
      OK(GrB_free(&A));
    }
  OK(GxB_Iterator_free(&it));
  assert_true(!it);
  OK(GxB_Iterator_free(&it));
}

/* A sparse matrix lists all owned rows, a hypersparse one those with entries. */
static void test_listed(void **state) {
  GrB_Index first, count;
  OK(GxB_Iterator_new(&it));
  draw_model(100, 100, 2000, GrB_FP64, false);
  GrB_Matrix A = build();
  OK(GxB_rowIterator_attach(it, A, NULL));
  OK(Grid_local_range(100, &first, &count));
  assert_on_all(GxB_rowIterator_kount(it) == count);
  OK(GrB_free(&A));
  draw_model((GrB_Index)1 << 40, 100, 50, GrB_FP64, false);
  A = build();
  OK(GxB_rowIterator_attach(it, A, NULL));
  GrB_Index rows = 0;
  for (GrB_Index k = 0; k < m.n; k++) rows += k == 0 || m.at[k].r != m.at[k - 1].r;
  assert_int_equal(sum(GxB_rowIterator_kount(it)), rows);
  OK(GrB_free(&A));
  OK(GxB_Iterator_free(&it));
}

/* An iterator keeps the entries of its attach. */
static void test_changes(void **state) {
  bool fine = true;
  draw_model(90, 90, 600, GrB_FP64, false);
  GrB_Matrix A = build();
  double x;
  memcpy(&x, m.val + 8, 8);
  OK(GrB_Matrix_removeElement(A, m.at[1].r, m.at[1].c));
  OK(GrB_Matrix_setElement_FP64(A, x, m.at[1].r, m.at[1].c));
  OK(GxB_Iterator_new(&it));
  OK(GxB_Matrix_Iterator_attach(it, A, NULL)); /* pending changes are merged */
  OK(GrB_Matrix_setElement_FP64(A, -1, m.at[1].r, m.at[1].c));
  OK(GrB_wait(A, GrB_MATERIALIZE));
  assert_int_equal(sum(count_entries(&fine)), m.n);
  OK(GrB_free(&A));
  assert_int_equal(sum(count_entries(&fine)), m.n);
  assert_on_all(fine);
  OK(GxB_Iterator_free(&it));
}

static void test_vectors(void **state) {
  static const GrB_Index shape[][2] = {{1, 1},  {700, 90}, {1300, UINT64_MAX},
                                       {90, 0}, {0, 0},    {(GrB_Index)1 << 50, 60}};
  OK(GxB_Iterator_new(&it));
  for (size_t s = 0; s < sizeof shape / sizeof *shape; s++) {
    draw_model(shape[s][0], 1, shape[s][1], s % 2 ? twelve : GrB_FP64, s == 1);
    GrB_Vector v = build_vector();
    OK(GxB_Vector_Iterator_attach(it, v, NULL));
    GrB_Index n = 0;
    bool fine = true;
    GrB_Info info = GxB_Vector_Iterator_seek(it, 0);
    for (; info == GrB_SUCCESS; info = GxB_Vector_Iterator_next(it)) {
      fine = fine && is_entry(GxB_Vector_Iterator_getIndex(it), 0) && GxB_Vector_Iterator_getp(it) == n;
      n++;
    }
    fine = fine && info == GxB_EXHAUSTED && GxB_Vector_Iterator_getp(it) == n &&
           GxB_Vector_Iterator_getpmax(it) == n && GxB_Vector_Iterator_seek(it, n + 3) == GxB_EXHAUSTED;
    assert_on_all(fine);
    assert_int_equal(sum(n), m.n);
    OK(GrB_free(&v));
  }
  OK(GxB_Iterator_free(&it));
}

static void test_errors(void **state) {
  draw_model(9, 9, 20, GrB_FP64, false);
  GrB_Matrix A = build();
  OK(GxB_Iterator_new(&it));
  fails(GxB_Iterator_new(NULL), GrB_NULL_POINTER, "iterator");
  fails(GxB_rowIterator_attach(NULL, A, NULL), GrB_NULL_POINTER, "iterator");
  fails(GxB_colIterator_attach(it, NULL, NULL), GrB_NULL_POINTER, "A");
  fails(GxB_Vector_Iterator_attach(it, NULL, NULL), GrB_NULL_POINTER, "v");
  assert_int_equal(GxB_Matrix_Iterator_seek(it, 0), GxB_EXHAUSTED); /* attached to nothing */
  assert_int_equal(GxB_rowIterator_seekRow(it, 0), GxB_EXHAUSTED);
  GrB_Info info = GrB_OUT_OF_MEMORY;
  for (int64_t k = 0; info != GrB_SUCCESS && k < 1000; k++) {
    grid_mem_fail_after(k);
    info = GxB_colIterator_attach(it, A, NULL);
    grid_mem_fail_after(-1);
    assert_true(info == GrB_SUCCESS || info == GrB_OUT_OF_MEMORY);
  }
  OK(info);
  OK(GrB_free(&A));
  OK(GxB_Iterator_free(&it));
}

MAIN_ON_SHAPES(start_with_type, stop_with_type, cmocka_unit_test(test_matrices),
               cmocka_unit_test(test_listed), cmocka_unit_test(test_changes), cmocka_unit_test(test_vectors),
               cmocka_unit_test(test_errors))
