/* GxB_Matrix_pack, unpack, import and export in their eight forms, against a list of entries: arrays of each
 * process's own rows or columns; wrong arrays; the k-th allocation failing. Runs on any number of processes.
 */
#include "tests/unit.h"
#include "semiring/support/mem.h"
#include "tests/entry_model.h"
#include "tests/packed_arrays.h"

/* ---- the arrays of a form ------------------------------------------------------------------------------ */

enum { CSR, CSC, HYPER_CSR, HYPER_CSC, BITMAP_R, BITMAP_C, FULL_R, FULL_C, FORMS };

static bool by_column(int form) {
  return form % 2;
}

static GrB_Info unpack(int form, GrB_Matrix A, arrays *a, bool iso, GrB_Descriptor d) {
  bool *is = iso ? &a->iso : NULL, *j = &a->jumbled;
  switch (form) {
    case CSR:
      return GxB_Matrix_unpack_CSR(A, &a->p, &a->i, &a->x, &a->p_size, &a->i_size, &a->x_size, is, j, d);
    case CSC:
      return GxB_Matrix_unpack_CSC(A, &a->p, &a->i, &a->x, &a->p_size, &a->i_size, &a->x_size, is, NULL, d);
    case HYPER_CSR:
      return GxB_Matrix_unpack_HyperCSR(A, &a->p, &a->h, &a->i, &a->x, &a->p_size, &a->h_size, &a->i_size,
                                        &a->x_size, is, &a->nvec, j, d);
    case HYPER_CSC:
      return GxB_Matrix_unpack_HyperCSC(A, &a->p, &a->h, &a->i, &a->x, &a->p_size, &a->h_size, &a->i_size,
                                        &a->x_size, is, &a->nvec, NULL, d);
    case BITMAP_R:
      return GxB_Matrix_unpack_BitmapR(A, &a->b, &a->x, &a->b_size, &a->x_size, is, &a->nvals, d);
    case BITMAP_C:
      return GxB_Matrix_unpack_BitmapC(A, &a->b, &a->x, &a->b_size, &a->x_size, is, &a->nvals, d);
    case FULL_R:
      return GxB_Matrix_unpack_FullR(A, &a->x, &a->x_size, is, d);
    default:
      return GxB_Matrix_unpack_FullC(A, &a->x, &a->x_size, is, d);
  }
}

static GrB_Info pack(int form, GrB_Matrix A, arrays *a, GrB_Descriptor d) {
  switch (form) {
    case CSR:
      return GxB_Matrix_pack_CSR(A, &a->p, &a->i, &a->x, a->p_size, a->i_size, a->x_size, a->iso, a->jumbled,
                                 d);
    case CSC:
      return GxB_Matrix_pack_CSC(A, &a->p, &a->i, &a->x, a->p_size, a->i_size, a->x_size, a->iso, a->jumbled,
                                 d);
    case HYPER_CSR:
      return GxB_Matrix_pack_HyperCSR(A, &a->p, &a->h, &a->i, &a->x, a->p_size, a->h_size, a->i_size,
                                      a->x_size, a->iso, a->nvec, a->jumbled, d);
    case HYPER_CSC:
      return GxB_Matrix_pack_HyperCSC(A, &a->p, &a->h, &a->i, &a->x, a->p_size, a->h_size, a->i_size,
                                      a->x_size, a->iso, a->nvec, a->jumbled, d);
    case BITMAP_R:
      return GxB_Matrix_pack_BitmapR(A, &a->b, &a->x, a->b_size, a->x_size, a->iso, a->nvals, d);
    case BITMAP_C:
      return GxB_Matrix_pack_BitmapC(A, &a->b, &a->x, a->b_size, a->x_size, a->iso, a->nvals, d);
    case FULL_R:
      return GxB_Matrix_pack_FullR(A, &a->x, a->x_size, a->iso, d);
    default:
      return GxB_Matrix_pack_FullC(A, &a->x, a->x_size, a->iso, d);
  }
}

/* ---- what the arrays should hold ----------------------------------------------------------------------- */

/* Of the model's rows (columns) from `first` on, by plain loops over positions. */
static bool arrays_are_right(int form, const arrays *a, GrB_Index first, GrB_Index count) {
  const bool cols = by_column(form), dense = form >= BITMAP_R, list = form == HYPER_CSR || form == HYPER_CSC;
  const GrB_Index length = cols ? m.nrows : m.ncols;
  GrB_Index e = 0, vec = 0, n = 0;
  for (GrB_Index v = first; v < first + count; v++) {
    const GrB_Index before = e;
    if (!dense && !list && a->p[v - first] != e) return false;
    for (GrB_Index l = 0; l < length; l++) {
      const cell at = cols ? (cell){l, v} : (cell){v, l},
                 *is = bsearch(&at, m.at, m.n, sizeof at, by_position);
      const GrB_Index where = dense ? (v - first) * length + l : e;
      if (form == BITMAP_R || form == BITMAP_C)
        if (a->b[where] != (is != NULL)) return false;
      if (!is) continue;
      if (!dense && a->i[e] != l) return false;
      if (memcmp((const char *)a->x + (a->iso ? 0 : where) * m.size, value_of(is), m.size) != 0) return false;
      e++, n++;
    }
    if (list && e > before) {
      if (vec >= a->nvec || a->h[vec] != v || a->p[vec] != before) return false;
      vec++;
    }
  }
  if (!dense && a->p[list ? vec : count] != e) return false;
  const GrB_Index cells = count * length, values = dense ? cells : n;
  return (!list || vec == a->nvec) && (form > BITMAP_C || form < BITMAP_R || a->nvals == n) && !a->jumbled &&
         a->x_size == (a->iso && values ? 1 : values) * m.size && (values || !a->x) &&
         (dense || (a->i_size == n * 8 && a->p_size == (list ? vec + 1 : count + 1) * 8)) &&
         (form < BITMAP_R || form > BITMAP_C || a->b_size == cells);
}

/* Indices of each vector, and values, in descending order. */
static void reverse(int form, arrays *a) {
  char x[WIDEST], *val = a->x;
  GrB_Index first, count;
  OK(Grid_local_range(by_column(form) ? m.ncols : m.nrows, &first, &count));
  const GrB_Index vectors = form == CSR || form == CSC ? count : a->nvec;
  for (GrB_Index v = 0; v < vectors; v++)
    for (GrB_Index k = a->p[v], o = a->p[v + 1]; k + 1 < o; k++) {
      const GrB_Index i = a->i[k];
      a->i[k] = a->i[--o], a->i[o] = i;
      if (a->iso) continue;
      memcpy(x, val + k * m.size, m.size);
      memcpy(val + k * m.size, val + o * m.size, m.size);
      memcpy(val + o * m.size, x, m.size);
    }
  a->jumbled = true;
}

static void is_empty(GrB_Matrix A) {
  GrB_Index nrows, ncols, nvals;
  OK(GrB_Matrix_nrows(&nrows, A));
  OK(GrB_Matrix_ncols(&ncols, A));
  OK(GrB_Matrix_nvals(&nvals, A));
  assert_true(nrows == m.nrows && ncols == m.ncols && nvals == 0);
}

static void check_form(int form, GrB_Descriptor secure) {
  GrB_Index first, count;
  OK(Grid_local_range(by_column(form) ? m.ncols : m.nrows, &first, &count));
  for (int iso = 0; iso < 2; iso++) {
    arrays a = {0};
    GrB_Matrix A = build();
    OK(unpack(form, A, &a, iso, NULL));
    assert_on_all(arrays_are_right(form, &a, first, count));
    assert_true(!a.iso || (iso && m.n));
    assert_true(!m.iso || !iso || a.iso || m.n == 0 || Grid_size() > 1);
    is_empty(A);
    if (m.type == GrB_FP64 && m.nrows && m.ncols)
      OK(GrB_Matrix_setElement_FP64(A, 1, 0, 0)); /* is replaced */
    for (int mixed = 0; mixed < (form < BITMAP_R ? 2 : 1); mixed++)
      for (int strict = 0; strict < 2; strict++) {
        int32_t format;
        arrays c = arrays_copy(&a);
        if (mixed) reverse(form, &c);
        OK(pack(form, A, &c, strict ? secure : NULL));
        assert_on_all(!c.p && !c.h && !c.i && !c.b && !c.x);
        same(A);
        OK(GxB_Matrix_Option_get_INT32(A, GxB_FORMAT, &format));
        assert_int_equal(format, by_column(form) ? GxB_BY_COL : GxB_BY_ROW);
      }
    arrays_free(&a);
    OK(GrB_free(&A));
  }
}

static void test_forms(void **state) {
  static const struct {
    GrB_Index nrows, ncols, n;
  } shape[] = {{1, 1, 1},           {1, 1, 0},   {7, 200, 90},  {200, 7, 90},
               {64, 64, 2900},      {300, 5, 2}, {3, 300, 100}, {130, 140, 900},
               {0, 5, 0},           {5, 0, 0},   {0, 0, 0},     {20, 30, UINT64_MAX},
               {130, 9, UINT64_MAX}};
  const GrB_Type types[] = {GrB_FP64, GrB_INT8, GrB_BOOL, twelve};
  GrB_Descriptor secure;
  OK(GrB_Descriptor_new(&secure));
  OK(GrB_Descriptor_set_INT32(secure, GxB_SECURE_IMPORT, GxB_IMPORT));
  for (size_t s = 0; s < sizeof shape / sizeof *shape; s++)
    for (int t = 0; t < 4; t++) {
      draw_model(shape[s].nrows, shape[s].ncols, shape[s].n, types[t], (s + (size_t)t) % 3 == 0);
      for (int form = 0; form < (shape[s].n == UINT64_MAX ? FORMS : FULL_R); form++) check_form(form, secure);
    }
  OK(GrB_free(&secure));
}

/* Lists of rows in dimensions for which no array of offsets has room. */
static void test_long(void **state) {
  draw_model((GrB_Index)1 << 50, (GrB_Index)1 << 40, 500, GrB_FP64, false);
  for (int form = HYPER_CSR; form <= HYPER_CSC; form++) {
    arrays a = {0}, none = {0};
    GrB_Matrix A = build();
    fails(unpack(BITMAP_R, A, &none, true, NULL), GrB_OUT_OF_MEMORY, "");
    assert_on_all(!none.b && !none.x);
    OK(unpack(form, A, &a, true, NULL));
    OK(pack(form, A, &a, NULL));
    same(A);
    OK(GrB_free(&A));
  }
}

/* Pending changes are included, and entries of a bitmap and of a matrix with delegates. */
static void test_states(void **state) {
  draw_model(90, 90, 600, GrB_FP64, false);
  GrB_Matrix A = build();
  arrays a = {0};
  double x;
  memcpy(&x, m.val + 8, 8);
  OK(GrB_Matrix_removeElement(A, m.at[1].r, m.at[1].c));
  OK(GrB_Matrix_setElement_FP64(A, x, m.at[1].r, m.at[1].c));
  OK(unpack(CSC, A, &a, true, NULL));
  OK(pack(CSC, A, &a, NULL));
  same(A);
  OK(GrB_set(A, 4, Grid_DELEGATES));
  OK(GrB_wait(A, GrB_MATERIALIZE));
  OK(unpack(CSR, A, &a, true, NULL));
  OK(pack(CSR, A, &a, NULL));
  same(A);
  OK(GrB_free(&A));
}

/* Lists without vectors have one offset on a process that owns rows, as in SuiteSparse. */
static void test_empty_offsets(void **state) {
  GrB_Index first, count;
  GrB_Matrix A = NULL;
  arrays a = {0};
  draw_model(70, 40, 0, GrB_FP64, false);
  OK(Grid_local_range(70, &first, &count));
  fails(GxB_Matrix_import_HyperCSR(&A, GrB_FP64, 70, 40, &a.p, &a.h, &a.i, &a.x, 0, 0, 0, 0, false, 0, false,
                                   NULL),
        GrB_INVALID_VALUE, "array p has 0 bytes");
  fails(GxB_Matrix_import_HyperCSR(&A, GrB_FP64, 70, 40, &a.p, &a.h, &a.i, &a.x, 8, 0, 0, 0, false, 0, false,
                                   NULL),
        GrB_NULL_POINTER, "array p");
  if (count) a.p = calloc(1, 8);
  OK(GxB_Matrix_import_HyperCSR(&A, GrB_FP64, 70, 40, &a.p, &a.h, &a.i, &a.x, count ? 8 : 0, 0, 0, 0, false,
                                0, false, NULL));
  same(A);
  OK(GrB_free(&A));
  if (Grid_size() == 1)
    fails(GxB_Matrix_import_CSR(&A, GrB_FP64, 0, 4, &a.p, &a.i, &a.x, 0, 0, 0, false, false, NULL),
          GrB_INVALID_VALUE, "array p");
}

static void test_import(void **state) {
  GrB_Index first, count, nrows = 9, ncols = 9, n1, n2, n3;
  GrB_Type type = NULL;
  arrays a = {0};
  bool iso, jumbled;
  draw_model(70, 40, 300, GrB_FP64, false);
  GrB_Matrix A = build(), B = NULL;
  OK(GxB_Matrix_export_CSR(&A, &type, &nrows, &ncols, &a.p, &a.i, &a.x, &n1, &n2, &n3, &iso, &jumbled, NULL));
  assert_true(!A && type == GrB_FP64 && nrows == 70 && ncols == 40);
  OK(Grid_local_range(70, &first, &count));
  a.p_size = n1, a.i_size = n2, a.x_size = n3, a.iso = iso, a.jumbled = jumbled;
  assert_on_all(arrays_are_right(CSR, &a, first, count));
  OK(GxB_Matrix_import_CSR(&B, type, nrows, ncols, &a.p, &a.i, &a.x, n1, n2, n3, iso, jumbled, NULL));
  same(B);
  fails(GxB_Matrix_import_CSR(NULL, type, nrows, ncols, &a.p, &a.i, &a.x, n1, n2, n3, iso, jumbled, NULL),
        GrB_NULL_POINTER, "argument A");
  fails(GxB_Matrix_import_CSR(&A, NULL, nrows, ncols, &a.p, &a.i, &a.x, n1, n2, n3, iso, jumbled, NULL),
        GrB_NULL_POINTER, "type");
  fails(GxB_Matrix_export_CSR(&B, NULL, &nrows, &ncols, &a.p, &a.i, &a.x, &n1, &n2, &n3, &iso, NULL, NULL),
        GrB_NULL_POINTER, "type");
  fails(GxB_Matrix_export_CSR(&A, &type, &nrows, &ncols, &a.p, &a.i, &a.x, &n1, &n2, &n3, &iso, NULL, NULL),
        GrB_NULL_POINTER, "A");
  same(B);
  OK(GrB_free(&B));
}

/* ---- errors -------------------------------------------------------------------------------------------- */

static GrB_Matrix target;
/* The call fails on every process, and neither its arrays nor the matrix change. */
static void refuses(int form, const arrays *a, GrB_Descriptor d, GrB_Info want, const char *words) {
  arrays c = arrays_copy(a), before = c;
  fails(pack(form, target, &c, d), want, words);
  assert_on_all(are_pointers_equal(&c, &before));
  same(target);
  arrays_free(&c);
}

/* Arrays of one row or column that is not empty on this process; others have the same where they own any. */
static void test_errors(void **state) {
  const GrB_Index rows = 64 * (GrB_Index)Grid_size();
  GrB_Index first, count;
  GrB_Descriptor secure;
  OK(GrB_Descriptor_new(&secure));
  OK(GrB_Descriptor_set_INT32(secure, GxB_SECURE_IMPORT, GxB_IMPORT));
  draw_model(rows, 7, 100, GrB_FP64, false);
  target = build();
  OK(Grid_local_range(rows, &first, &count));
  assert_on_all(count == 64);
  GrB_Index p[65] = {0, 2}, i[3] = {4, 1, 6};
  double x[64 * 7] = {1, 2, 3};
  for (int k = 2; k < 65; k++) p[k] = 3;
#define SPARSE(P, I, X) {.p = p, .i = i, .x = x, .p_size = P, .i_size = I, .x_size = X, .jumbled = true}
  arrays a = SPARSE(65 * 8, 24, 24);
  a.p_size--;
  refuses(CSR, &a, NULL, GrB_INVALID_VALUE, "p has 519 bytes; 520");
  a.p_size++, a.i_size--;
  refuses(CSR, &a, NULL, GrB_INVALID_VALUE, "i has 23 bytes; 24");
  a.i_size++, a.x_size = 16;
  refuses(CSR, &a, NULL, GrB_INVALID_VALUE, "x has 16 bytes; 24");
  a.x_size = 24, a.x = NULL;
  refuses(CSR, &a, NULL, GrB_NULL_POINTER, "x is NULL");
  a.x = x, a.p = NULL;
  refuses(CSR, &a, NULL, GrB_NULL_POINTER, "p is NULL");
  a.p = p, p[0] = 1;
  refuses(CSR, &a, NULL, GrB_INVALID_OBJECT, "p[0] is 1");
  p[0] = 0, p[1] = 4;
  refuses(CSR, &a, NULL, GrB_INVALID_OBJECT, "p[2] is 3, less than p[1], which is 4");
  p[1] = 2, i[2] = 7;
  refuses(CSR, &a, NULL, GrB_INVALID_OBJECT, "i[2] is 7, which is not below 7");
  i[2] = 6, i[1] = 4;
  refuses(CSR, &a, NULL, GrB_INDEX_OUT_OF_BOUNDS, "");
  refuses(CSR, &a, secure, GrB_INDEX_OUT_OF_BOUNDS, "");
  a.iso = true;
  refuses(CSR, &a, secure, GrB_INDEX_OUT_OF_BOUNDS, "");
  a.iso = false, i[1] = 1, a.jumbled = false;
  refuses(CSR, &a, secure, GrB_INDEX_OUT_OF_BOUNDS, "i[1] is 1, not above");
  fails(GxB_Matrix_pack_CSR(target, NULL, &a.i, &a.x, 8, 8, 8, false, false, NULL), GrB_NULL_POINTER, "to p");
  fails(GxB_Matrix_pack_CSR(NULL, &a.p, &a.i, &a.x, 8, 8, 8, false, false, NULL), GrB_NULL_POINTER, "A");
  fails(GxB_Matrix_unpack_CSR(target, &a.p, &a.i, &a.x, &a.p_size, NULL, &a.x_size, NULL, NULL, NULL),
        GrB_NULL_POINTER, "i's size");
  GrB_Index h[2] = {first + 1, first + 9}, hp[3] = {0, 2, 3};
  arrays l = {
      .p = hp, .h = h, .i = i, .x = x, .p_size = 24, .h_size = 16, .i_size = 24, .x_size = 24, .nvec = 2};
  l.h_size = 8;
  refuses(HYPER_CSR, &l, NULL, GrB_INVALID_VALUE, "h has 8 bytes; 16");
  l.h_size = 16, l.nvec = rows + 1;
  refuses(HYPER_CSR, &l, NULL, GrB_INVALID_VALUE, "nvec is");
  l.nvec = 2, h[1] = first + 1;
  refuses(HYPER_CSR, &l, NULL, GrB_INVALID_OBJECT, "not above the one before");
  h[1] = first + 64;
  refuses(HYPER_CSR, &l, NULL, GrB_INVALID_OBJECT, "this process owns the rows");
  int8_t b[64 * 7] = {1, 0, 1};
  arrays t = {.b = b, .x = x, .b_size = sizeof b, .x_size = sizeof x, .nvals = 2};
  t.b_size--;
  refuses(BITMAP_R, &t, NULL, GrB_INVALID_VALUE, "b has");
  t.b_size++, t.nvals = 3;
  refuses(BITMAP_R, &t, secure, GrB_INVALID_OBJECT, "nvals is 3, but b marks 2");
  t.nvals = 2, b[5] = 2;
  refuses(BITMAP_R, &t, secure, GrB_INVALID_OBJECT, "neither 0 nor 1");
  t.x_size--;
  refuses(FULL_R, &t, NULL, GrB_INVALID_VALUE, "x has");
  arrays got = {0};
  fails(unpack(FULL_R, target, &got, true, NULL), GrB_INVALID_VALUE, "the full form needs all");
  same(target);
  OK(GrB_free(&target));
  OK(GrB_free(&secure));
}

static void test_memory(void **state) {
  draw_model(150, 90, 700, twelve, false);
  const int forms[] = {CSC, HYPER_CSR, BITMAP_R};
  for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
    GrB_Matrix A = build();
    arrays a = {0};
    GrB_Info info = GrB_OUT_OF_MEMORY;
    for (int64_t k = 0; info != GrB_SUCCESS && k < 1000; k++) {
      grid_mem_fail_after(k);
      info = unpack(forms[f], A, &a, true, NULL);
      grid_mem_fail_after(-1);
      assert_true(info == GrB_SUCCESS || info == GrB_OUT_OF_MEMORY);
      if (info != GrB_SUCCESS) same(A);
      assert_on_all(info == GrB_SUCCESS || (!a.p && !a.h && !a.i && !a.b && !a.x));
    }
    OK(info);
    info = GrB_OUT_OF_MEMORY;
    for (int64_t k = 0; info != GrB_SUCCESS && k < 1000; k++) {
      const arrays before = a;
      grid_mem_fail_after(k);
      info = pack(forms[f], A, &a, NULL);
      grid_mem_fail_after(-1);
      assert_true(info == GrB_SUCCESS || info == GrB_OUT_OF_MEMORY);
      if (info != GrB_SUCCESS) is_empty(A);
      assert_on_all(info == GrB_SUCCESS || are_pointers_equal(&before, &a));
    }
    OK(info);
    same(A);
    OK(GrB_free(&A));
  }
}

MAIN_ON_SHAPES(start_with_type, stop_with_type, cmocka_unit_test(test_forms), cmocka_unit_test(test_long),
               cmocka_unit_test(test_states), cmocka_unit_test(test_empty_offsets),
               cmocka_unit_test(test_import), cmocka_unit_test(test_errors), cmocka_unit_test(test_memory))
