/* GxB_Container: matrices and vectors unloaded into vectors, which are compared with a list of entries, and
 * loaded again; containers that a program fills; wrong ones. Runs on any number of processes. */
#include "tests/unit.h"
#include "semiring/support/mem.h"
#include "tests/entry_model.h"

static GxB_Container c;

/* ---- vectors of numbers -------------------------------------------------------------------------------- */

static GrB_Index size_of(GrB_Vector v) {
  GrB_Index n, nvals;
  OK(GrB_Vector_size(&n, v));
  OK(GrB_Vector_nvals(&nvals, v));
  assert_int_equal(n, nvals);
  return n;
}

/* *x = all values of v, which is full, as integers. */
static void read_numbers(int64_t *x, GrB_Vector v) {
  GrB_Index n = size_of(v);
  OK(GrB_Vector_extractTuples_INT64(NULL, x, &n, v));
}

/* v becomes a full vector of these numbers. */
static void write_numbers(GrB_Vector v, GrB_Type type, const int64_t *x, GrB_Index n) {
  GrB_Index first, count;
  OK(Grid_local_range(n, &first, &count));
  size_t size;
  OK(GrB_Type_get_SIZE(type, &size, GrB_SIZE));
  char *X = calloc(count + 1, size);
  for (GrB_Index k = 0; k < count; k++) memcpy(X + k * size, &x[first + k], size); /* little-endian */
  void *array = X;
  OK(GxB_Vector_load(v, &array, type, n, count * size, GrB_DEFAULT, NULL));
}

static bool has_type(GrB_Vector v, GrB_Type want) {
  GrB_Type type;
  OK(GxB_Vector_type(&type, v));
  return type == want;
}

/* ---- what a container should hold ---------------------------------------------------------------------- */

/* The value at position k of x is that of entry `is`. */
static bool value_is(const char *x, GrB_Index k, const cell *is) {
  return memcmp(x + (c->iso ? 0 : k) * m.size, value_of(is), m.size) == 0;
}

static bool is_sparse_right(const char *x) {
  static int64_t p[MOST], h[MOST], i[MOST];
  const bool cols = c->orientation == GrB_COLMAJOR, list = c->format == GxB_HYPERSPARSE;
  const GrB_Index vectors = cols ? m.ncols : m.nrows, length = cols ? m.nrows : m.ncols, nvec = size_of(c->h);
  GrB_Index e = 0, vec = 0;
  if (size_of(c->p) != (list ? nvec : vectors) + 1 || size_of(c->i) != m.n || size_of(c->b) != 0)
    return false;
  read_numbers(p, c->p), read_numbers(h, c->h), read_numbers(i, c->i);
  for (GrB_Index v = 0; v < vectors; v++) {
    const GrB_Index before = e;
    if (!list && p[v] != (int64_t)e) return false;
    for (GrB_Index l = 0; l < length; l++) {
      const cell at = cols ? (cell){l, v} : (cell){v, l},
                 *is = bsearch(&at, m.at, m.n, sizeof at, by_position);
      if (!is) continue;
      if (i[e] != (int64_t)l || !value_is(x, e, is)) return false;
      e++;
    }
    if (!list || e == before) continue;
    if (h[vec] != (int64_t)v || p[vec] != (int64_t)before) return false;
    vec++;
  }
  return p[list ? vec : vectors] == (int64_t)e && (!list || vec == nvec) && has_type(c->p, GrB_UINT32) &&
         has_type(c->i, GrB_INT32);
}

static bool are_positions_right(const char *x) {
  static int64_t b[MOST];
  const bool cols = c->orientation == GrB_COLMAJOR, full = c->format == GxB_FULL;
  const GrB_Index vectors = cols ? m.ncols : m.nrows, length = cols ? m.nrows : m.ncols;
  if (size_of(c->p) || size_of(c->h) || size_of(c->i) || size_of(c->b) != (full ? 0 : vectors * length))
    return false;
  if (!full) read_numbers(b, c->b);
  for (GrB_Index k = 0; k < vectors * length; k++) {
    const cell at = cols ? (cell){k % length, k / length} : (cell){k / length, k % length},
               *is = bsearch(&at, m.at, m.n, sizeof at, by_position);
    if (!full && b[k] != (is != NULL)) return false;
    if (is ? !value_is(x, k, is) : full) return false;
  }
  return true;
}

/* All values of c->x on every process. */
static char *read_values(void) {
  GrB_Index n = size_of(c->x), first, count, local;
  char *all = calloc(n + 1, m.size);
  OK(Grid_local_range(n, &first, &count));
  local = count;
  OK(Grid_Vector_extractLocal(NULL, all + first * m.size, &local, c->x));
  for (int r = 0; r < Grid_size(); r++) {
    uint64_t range[2] = {first, count};
    OK(Grid_bcast(range, sizeof range, r));
    if (range[1]) OK(Grid_bcast(all + range[0] * m.size, range[1] * m.size, r));
  }
  return all;
}

static void is_right(int format, bool by_column) {
  char *x = read_values();
  const GrB_Index values = format >= GxB_BITMAP ? m.nrows * m.ncols : m.n;
  const bool fine = c->nrows == m.nrows && c->ncols == m.ncols && c->nvals == m.n && c->format == format &&
                    c->orientation == (by_column ? GrB_COLMAJOR : GrB_ROWMAJOR) && !c->jumbled &&
                    has_type(c->x, m.type) && (m.iso || !c->iso || m.n == 1) &&
                    size_of(c->x) == (c->iso && values ? 1 : values) &&
                    (format >= GxB_BITMAP ? are_positions_right(x) : is_sparse_right(x));
  free(x);
  assert_on_all(fine);
}

static void is_empty(void) {
  assert_true(c->nrows == 0 && c->ncols == 0 && c->nvals == 0 && !c->iso && !c->Y);
  assert_true(size_of(c->p) + size_of(c->h) + size_of(c->b) + size_of(c->i) + size_of(c->x) == 0);
}

/* ---- there and back ------------------------------------------------------------------------------------ */

static void check_matrix(int format, bool by_column) {
  GrB_Matrix A = build(), B;
  GrB_Index n;
  int32_t status, order;
  OK(GxB_Matrix_Option_set_INT32(A, GxB_SPARSITY_CONTROL, format));
  OK(GxB_Matrix_Option_set_INT32(A, GxB_FORMAT, by_column ? GxB_BY_COL : GxB_BY_ROW));
  OK(GxB_Matrix_Option_get_INT32(A, GxB_SPARSITY_STATUS, &status));
  assert_int_equal(status, format);
  OK(GxB_unload_Matrix_into_Container(A, c, NULL));
  is_right(format, by_column);
  OK(GrB_Matrix_nrows(&n, A));
  assert_int_equal(n, 0);
  OK(GrB_Matrix_new(&B, GrB_INT8, 3, 4)); /* of another type and dimensions */
  OK(GrB_Matrix_setElement_INT8(B, 1, 0, 0));
  OK(GxB_load_Matrix_from_Container(B, c, NULL));
  same(B);
  is_empty();
  OK(GxB_Matrix_Option_get_INT32(B, GxB_FORMAT, &order));
  assert_int_equal(order, by_column ? GxB_BY_COL : GxB_BY_ROW);
  OK(GxB_load_Matrix_from_Container(A, c, NULL)); /* an empty one */
  OK(GrB_Matrix_nrows(&n, A));
  assert_int_equal(n, 0);
  OK(GrB_free(&A));
  OK(GrB_free(&B));
}

static void test_matrices(void **state) {
  static const struct {
    GrB_Index nrows, ncols, n;
  } shape[] = {{1, 1, 1}, {40, 30, 90}, {64, 20, 700}, {300, 5, 9}, {3, 300, 100}, {20, 30, UINT64_MAX}};
  const GrB_Type types[] = {GrB_FP64, GrB_INT8, twelve};
  OK(GxB_Container_new(&c));
  is_empty();
  for (size_t s = 0; s < sizeof shape / sizeof *shape; s++)
    for (int t = 0; t < 3; t++) {
      draw_model(shape[s].nrows, shape[s].ncols, shape[s].n, types[t], (s + (size_t)t) % 3 == 0);
      for (int format = GxB_HYPERSPARSE; format <= GxB_FULL; format *= 2)
        for (int cols = 0; cols < 2; cols++)
          if (format != GxB_FULL || m.n == m.nrows * m.ncols) check_matrix(format, cols);
    }
  OK(GxB_Container_free(&c));
  assert_true(!c);
  OK(GxB_Container_free(&c));
}

static void test_long(void **state) {
  draw_model((GrB_Index)1 << 50, (GrB_Index)1 << 40, 500, GrB_FP64, false);
  OK(GxB_Container_new(&c));
  GrB_Matrix A = build();
  OK(GxB_unload_Matrix_into_Container(A, c, NULL));
  assert_on_all(c->format == GxB_HYPERSPARSE && has_type(c->h, GrB_INT64) && has_type(c->i, GrB_INT64));
  OK(GxB_load_Matrix_from_Container(A, c, NULL));
  same(A);
  OK(GrB_free(&A));
  draw_model((GrB_Index)1 << 50, 1, 500, GrB_FP64, false);
  GrB_Vector v = build_vector();
  OK(GxB_unload_Vector_into_Container(v, c, NULL));
  OK(GxB_load_Vector_from_Container(v, c, NULL));
  same_vector(v);
  OK(GrB_free(&v));
  OK(GxB_Container_free(&c));
}

/* A dense matrix with both forms, by position and split by delegates. */
static void test_delegates(void **state) {
  for (GrB_Index n = 300; n != 0; n = n == 300 ? UINT64_MAX : 0) {
    draw_model(20, 20, n, GrB_FP64, false);
    GrB_Matrix A = build(), B;
    GrB_Vector w;
    Grid_Storage how;
    OK(GrB_Matrix_new(&B, GrB_FP64, 20, 20));
    OK(GrB_Vector_new(&w, GrB_FP64, 20));
    OK(GrB_Matrix_eWiseAdd_BinaryOp(B, NULL, NULL, GrB_PLUS_FP64, A, A, NULL));
    OK(GrB_Matrix_set_INT32(A, 1, Grid_DELEGATES));
    OK(GrB_mxv(w, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, w, NULL));
    OK(Grid_Matrix_storage(&how, A));
    assert_on_all(how.delegates > 0);
    OK(GxB_Container_new(&c));
    OK(GxB_unload_Matrix_into_Container(A, c, NULL));
    is_right(n == 300 ? GxB_BITMAP : GxB_FULL, false);
    OK(GxB_load_Matrix_from_Container(A, c, NULL));
    same(A);
    OK(GxB_Container_free(&c));
    OK(GrB_free(&A));
    OK(GrB_free(&B));
    OK(GrB_free(&w));
  }
}

static void test_vectors(void **state) {
  static const GrB_Index shape[][2] = {{1, 1}, {700, 90}, {200, 150}, {1300, UINT64_MAX}, {90, 0}};
  OK(GxB_Container_new(&c));
  for (size_t s = 0; s < sizeof shape / sizeof *shape; s++)
    for (int format = GxB_SPARSE; format <= GxB_FULL; format *= 2) {
      draw_model(shape[s][0], 1, shape[s][1], s % 2 ? twelve : GrB_FP64, s == 2);
      if (format == GxB_FULL && m.n < m.nrows) continue;
      GrB_Vector v = build_vector(), w;
      OK(GxB_Vector_Option_set_INT32(v, GxB_SPARSITY_CONTROL, format));
      OK(GxB_unload_Vector_into_Container(v, c, NULL));
      is_right(format, true);
      OK(GrB_Vector_new(&w, GrB_INT8, 3));
      OK(GxB_load_Vector_from_Container(w, c, NULL));
      same_vector(w);
      is_empty();
      OK(GrB_free(&v));
      OK(GrB_free(&w));
    }
  OK(GxB_Container_free(&c));
}

/* ---- containers of a program --------------------------------------------------------------------------- */

static const int64_t p0[] = {0, 2, 2, 3}, i0[] = {3, 1, 0}, x0[] = {5, 6, 7};

static void fill(GrB_Type p, GrB_Type i) {
  write_numbers(c->p, p, p0, 4);
  write_numbers(c->i, i, i0, 3);
  write_numbers(c->x, GrB_INT32, x0, 3);
  c->nrows = 3, c->ncols = 4, c->nvals = 3;
  c->format = GxB_SPARSE, c->orientation = GrB_ROWMAJOR;
  c->jumbled = true;
}

static void test_program(void **state) {
  const GrB_Type types[] = {GrB_INT32, GrB_UINT32, GrB_INT64, GrB_UINT64};
  GrB_Matrix A;
  int32_t x;
  OK(GxB_Container_new(&c));
  OK(GrB_Matrix_new(&A, GrB_FP64, 1, 1));
  for (int p = 0; p < 4; p++)
    for (int i = 0; i < 4; i++) {
      fill(types[p], types[i]);
      OK(GxB_load_Matrix_from_Container(A, c, NULL));
      OK(GrB_Matrix_extractElement_INT32(&x, A, 0, 1));
      assert_int_equal(x, 6);
      OK(GrB_Matrix_extractElement_INT32(&x, A, 2, 0));
      assert_int_equal(x, 7);
    }
  OK(GrB_free(&A));
  OK(GxB_Container_free(&c));
}

static GrB_Matrix target;
static void refuses(GrB_Info want, const char *words) {
  GrB_Index nvals;
  fails(GxB_load_Matrix_from_Container(target, c, NULL), want, words);
  OK(GrB_Matrix_nvals(&nvals, target));
  assert_int_equal(nvals, 1);
  fill(GrB_UINT32, GrB_INT32);
}

static void test_errors(void **state) {
  GrB_Vector v, keep;
  OK(GxB_Container_new(&c));
  OK(GrB_Matrix_new(&target, GrB_FP64, 2, 2));
  OK(GrB_Matrix_setElement_FP64(target, 1, 0, 0));
  OK(GrB_Vector_new(&v, GrB_FP64, 2));
  fill(GrB_UINT32, GrB_INT32);
  c->format = 3;
  refuses(GrB_INVALID_OBJECT, "format is 3");
  c->orientation = GrB_BOTH;
  refuses(GrB_INVALID_OBJECT, "orientation is 2");
  c->nvals = 2;
  refuses(GrB_INVALID_OBJECT, "nvals is 2");
  c->nrows = 4;
  refuses(GrB_INVALID_OBJECT, "vector p has the size 4; 5");
  c->ncols = 3;
  refuses(GrB_INVALID_OBJECT, "not below 3");
  c->ncols = ((GrB_Index)1 << 60) + 1;
  refuses(GrB_INVALID_VALUE, "2^60");
  write_numbers(c->p, GrB_FP64, p0, 4);
  refuses(GrB_INVALID_VALUE, "vector p has type FP64");
  write_numbers(c->p, GrB_INT32, p0 + 1, 3);
  c->nrows = 2;
  refuses(GrB_INVALID_OBJECT, "p[0] is 2");
  write_numbers(c->i, GrB_INT32, (const int64_t[]){3, -1, 0}, 3);
  refuses(GrB_INVALID_OBJECT, "not below 4");
  write_numbers(c->i, GrB_INT32, (const int64_t[]){3, 3, 0}, 3);
  refuses(GrB_INDEX_OUT_OF_BOUNDS, "");
  write_numbers(c->x, GrB_INT32, x0, 2);
  refuses(GrB_INVALID_OBJECT, "vector x has the size 2; 3");
  OK(GrB_Vector_removeElement(c->x, 1));
  refuses(GrB_INVALID_OBJECT, "vector x has 2 entries");
  c->format = GxB_BITMAP;
  refuses(GrB_INVALID_OBJECT, "vector b has the size 0; 12");
  keep = c->i, c->i = NULL;
  fails(GxB_load_Matrix_from_Container(target, c, NULL), GrB_NULL_POINTER, "Container->i");
  c->i = keep;
  fails(GxB_load_Matrix_from_Container(target, NULL, NULL), GrB_NULL_POINTER, "Container");
  fails(GxB_load_Vector_from_Container(v, c, NULL), GrB_INVALID_OBJECT, "a vector is one column");
  fails(GxB_unload_Matrix_into_Container(NULL, c, NULL), GrB_NULL_POINTER, "A");
  fails(GxB_Container_new(NULL), GrB_NULL_POINTER, "Container");
  OK(GxB_load_Matrix_from_Container(target, c, NULL));
  OK(GrB_free(&target));
  OK(GrB_free(&v));
  OK(GxB_Container_free(&c));
}

static void test_memory(void **state) {
  draw_model(150, 9, 400, twelve, false);
  OK(GxB_Container_new(&c));
  GrB_Matrix A = build();
  GrB_Info info = GrB_OUT_OF_MEMORY;
  for (int64_t k = 0; info != GrB_SUCCESS && k < 2000; k++) {
    grid_mem_fail_after(k);
    info = GxB_unload_Matrix_into_Container(A, c, NULL);
    grid_mem_fail_after(-1);
    assert_true(info == GrB_SUCCESS || info == GrB_OUT_OF_MEMORY);
    if (info != GrB_SUCCESS) same(A), is_empty();
  }
  info = GrB_OUT_OF_MEMORY;
  for (int64_t k = 0; info != GrB_SUCCESS && k < 2000; k++) {
    grid_mem_fail_after(k);
    info = GxB_load_Matrix_from_Container(A, c, NULL);
    grid_mem_fail_after(-1);
    assert_true(info == GrB_SUCCESS || info == GrB_OUT_OF_MEMORY);
    if (info != GrB_SUCCESS) assert_int_equal(c->nvals, m.n);
  }
  OK(info);
  same(A);
  OK(GrB_free(&A));
  OK(GxB_Container_free(&c));
}

MAIN_ON_SHAPES(start_with_type, stop_with_type, cmocka_unit_test(test_matrices), cmocka_unit_test(test_long),
               cmocka_unit_test(test_delegates), cmocka_unit_test(test_vectors),
               cmocka_unit_test(test_program), cmocka_unit_test(test_errors), cmocka_unit_test(test_memory))
