/* Import, export and serialisation of matrices: all formats, types and shapes against a list of entries
 * replicated on every process; each process's local entries; damaged bytes; the k-th allocation failing. Runs
 * on any number of processes. */
#include "tests/unit.h"
#include "semiring/support/mem.h"
#include "spmat/convert/lmat_serialize.h"
#include "tests/entry_model.h"

/* ---- arrays of a program ------------------------------------------------------------------------------- */

typedef struct {
  GrB_Index *ptr, *idx;
  char *val;
  GrB_Index n_ptr, n_idx, n_val;
} arrays;

static void arrays_free(arrays *a) {
  free(a->ptr), free(a->idx), free(a->val);
}

static void arrays_alloc(arrays *a) {
  a->ptr = malloc((a->n_ptr + 1) * 8), a->idx = malloc((a->n_idx + 1) * 8),
  a->val = malloc((a->n_val + 1) * m.size);
}

/* The entries first .. first + count - 1 of the model's rows (columns) in a format, by plain loops. */
static arrays expect(int format, GrB_Index first, GrB_Index count) {
  arrays a = {0};
  const bool cols = format == GrB_CSC_FORMAT, tuples = format == GrB_COO_FORMAT;
  a.n_ptr = tuples ? MOST : count + 1, a.n_idx = a.n_val = MOST;
  arrays_alloc(&a);
  static int order[MOST];
  static cell transposed[MOST];
  GrB_Index n = 0;
  for (GrB_Index k = 0; k < m.n; k++) transposed[k] = cols ? (cell){m.at[k].c, m.at[k].r} : m.at[k];
  for (GrB_Index k = 0; k < m.n; k++) { /* by insertion */
    GrB_Index at = k;
    for (; cols && at > 0 && by_position(&transposed[k], &transposed[order[at - 1]]) < 0; at--)
      order[at] = order[at - 1];
    order[at] = (int)k;
  }
  GrB_Index v = 0;
  for (GrB_Index k = 0; k < m.n; k++) {
    const cell p = transposed[order[k]];
    if (p.r < first || p.r >= first + count) continue;
    if (tuples) a.ptr[n] = p.r;
    for (; !tuples && v <= p.r - first; v++) a.ptr[v] = n;
    a.idx[n] = p.c;
    memcpy(a.val + n * m.size, m.val + (size_t)order[k] * m.size, m.size);
    n++;
  }
  for (; !tuples && v <= count; v++) a.ptr[v] = n;
  a.n_ptr = tuples ? n : count + 1, a.n_idx = a.n_val = n;
  return a;
}

static bool equal(const arrays *a, const arrays *b) {
  return a->n_ptr == b->n_ptr && a->n_idx == b->n_idx && a->n_val == b->n_val &&
         memcmp(a->ptr, b->ptr, a->n_ptr * 8) == 0 && memcmp(a->idx, b->idx, a->n_idx * 8) == 0 &&
         memcmp(a->val, b->val, a->n_val * m.size) == 0;
}

#define FORMS(CALL)                                  \
  if (m.type == GrB_FP64) return CALL(FP64, double); \
  if (m.type == GrB_INT8) return CALL(INT8, int8_t); \
  if (m.type == GrB_BOOL) return CALL(BOOL, bool);   \
  return CALL(UDT, void);

static GrB_Info export_as(arrays *a, int format, GrB_Matrix A) {
#define CALL(T, C) \
  GrB_Matrix_export_##T(a->ptr, a->idx, (C *)a->val, &a->n_ptr, &a->n_idx, &a->n_val, (GrB_Format)format, A)
  FORMS(CALL)
#undef CALL
}
static GrB_Info import_as(GrB_Matrix *A, const arrays *a, int format) {
#define CALL(T, C)                                                                                          \
  GrB_Matrix_import_##T(A, m.type, m.nrows, m.ncols, a->ptr, a->idx, (const C *)a->val, a->n_ptr, a->n_idx, \
                        a->n_val, (GrB_Format)format)
  FORMS(CALL)
#undef CALL
}

/* Entries of each row (column) in another order; of tuples all. */
static void shuffle(arrays *a, int format) {
  char x[WIDEST];
  const bool tuples = format == GrB_COO_FORMAT;
  for (GrB_Index v = 0; v + (tuples ? 0 : 1) < (tuples ? 1 : a->n_ptr); v++) {
    const GrB_Index from = tuples ? 0 : a->ptr[v], to = tuples ? a->n_idx : a->ptr[v + 1];
    for (GrB_Index k = from; k + 1 < to; k++) {
      const GrB_Index o = k + chance(to - k), i = a->idx[k], p = tuples ? a->ptr[k] : 0;
      a->idx[k] = a->idx[o], a->idx[o] = i;
      if (tuples) a->ptr[k] = a->ptr[o], a->ptr[o] = p;
      memcpy(x, a->val + k * m.size, m.size);
      memcpy(a->val + k * m.size, a->val + o * m.size, m.size);
      memcpy(a->val + o * m.size, x, m.size);
    }
  }
}

/* ---- all shapes ---------------------------------------------------------------------------------------- */

static void check_format(GrB_Matrix A, int format) {
  arrays got = {0}, want = expect(format, 0, format == GrB_CSC_FORMAT ? m.ncols : m.nrows);
  GrB_Matrix B = NULL;
  OK(GrB_Matrix_exportSize(&got.n_ptr, &got.n_idx, &got.n_val, (GrB_Format)format, A));
  assert_on_all(got.n_ptr == want.n_ptr && got.n_idx == m.n && got.n_val == m.n);
  arrays_alloc(&got);
  if (m.n) {
    got.n_val--;
    assert_int_equal(export_as(&got, format, A), GrB_INSUFFICIENT_SPACE);
    assert_int_equal(got.n_val, m.n - 1);
  }
  got.n_val = m.n + 7;
  got.val = realloc(got.val, (m.n + 8) * m.size);
  OK(export_as(&got, format, A));
  assert_on_all(equal(&got, &want));
  for (int mixed = 0; mixed < 2; mixed++) {
    if (mixed) shuffle(&got, format);
    OK(import_as(&B, &got, format));
    same(B);
    OK(GrB_free(&B));
  }
  arrays_free(&got);
  arrays_free(&want);
}

static void check_share(GrB_Matrix A, int format) {
  GrB_Index first, count;
  arrays got = {0};
  GrB_Matrix B;
  OK(Grid_local_range(format == GrB_CSC_FORMAT ? m.ncols : m.nrows, &first, &count));
  arrays want = expect(format, first, count);
  OK(Grid_Matrix_exportLocal(NULL, NULL, NULL, &got.n_ptr, &got.n_idx, &got.n_val, format, A));
  assert_on_all(got.n_ptr == want.n_ptr && got.n_idx == want.n_idx);
  arrays_alloc(&got);
  OK(Grid_Matrix_exportLocal(got.ptr, got.idx, got.val, &got.n_ptr, &got.n_idx, &got.n_val, format, A));
  assert_on_all(equal(&got, &want));
  OK(Grid_Matrix_importLocal(&B, m.type, m.nrows, m.ncols, got.ptr, got.idx, got.val, got.n_ptr, got.n_idx,
                             got.n_val, format));
  same(B);
  OK(GrB_free(&B));
  arrays_free(&got);
  arrays_free(&want);
}

static uint64_t digest(const char *p, GrB_Index n) {
  uint64_t h = n;
  for (GrB_Index k = 0; k < n; k++) h = (h ^ (unsigned char)p[k]) * 1099511628211u;
  return h >> 8;
}

static void check_blob(GrB_Matrix A) {
  GrB_Index capacity, size, less;
  GrB_Matrix B;
  OK(GrB_Matrix_serializeSize(&capacity, A));
  char *blob = malloc(capacity + 1);
  less = 100;
  assert_int_equal(GrB_Matrix_serialize(blob + 1, &less, A), GrB_INSUFFICIENT_SPACE);
  assert_int_equal(less, 100);
  for (int odd = 0; odd < 2; odd++) { /* aligned and not */
    size = capacity;
    OK(GrB_Matrix_serialize(blob + odd, &size, A));
    assert_true(size <= capacity && (Grid_size() > 1 || size == capacity));
    uint64_t hash = digest(blob + odd, size), most = hash;
    OK(Grid_max(&most, 1));
    assert_on_all(hash == most);
    OK(GrB_Matrix_deserialize(&B, m.type, blob + odd, size));
    same(B);
    OK(GrB_free(&B));
    OK(GrB_Matrix_deserialize(&B, m.type, blob + odd, capacity));
    OK(GrB_free(&B));
    const GrB_Info info = GrB_Matrix_deserialize(&B, NULL, blob + odd, size);
    assert_int_equal(info, m.type == twelve ? GrB_DOMAIN_MISMATCH : GrB_SUCCESS);
    if (info == GrB_SUCCESS) same(B), OK(GrB_free(&B));
  }
  assert_int_equal(GrB_Matrix_deserialize(&B, GrB_UINT16, blob + 1, size), GrB_DOMAIN_MISMATCH);
  free(blob);
}

static void test_shapes(void **state) {
  static const struct {
    GrB_Index nrows, ncols, n;
  } shape[] = {{1, 1, 1},      {1, 1, 0},        {7, 200, 90},    {300, 5, 900},
               {64, 64, 2900}, {2000, 3, 40},    {3, 2000, 40},   {900, 800, 7},
               {200, 300, 0},  {130, 140, 1500}, {5000, 5000, 9}, {2500, 2500, 2500}};
  const GrB_Type types[] = {GrB_FP64, GrB_INT8, GrB_BOOL, twelve};
  for (size_t s = 0; s < sizeof shape / sizeof *shape; s++)
    for (int t = 0; t < 4; t++) {
      draw_model(shape[s].nrows, shape[s].ncols, shape[s].n, types[t], (s + (size_t)t) % 3 == 0);
      GrB_Matrix A = build();
      for (int format = GrB_CSR_FORMAT; format <= GrB_COO_FORMAT; format++) {
        check_format(A, format);
        check_share(A, format);
      }
      check_blob(A);
      same(A);
      OK(GrB_free(&A));
    }
}

/* A value longer than all else that a blob holds, in matrices with and without one. */
static void test_large_values(void **state) {
  enum { LARGE = 3000 };
  static char one[LARGE], back[LARGE];
  GrB_Type large;
  GrB_Matrix A, B;
  OK(GrB_Type_new(&large, LARGE));
  memset(one, 7, sizeof one);
  for (GrB_Index n = 0; n < 2; n++) {
    GrB_Index size, nvals;
    OK(GrB_Matrix_new(&A, large, 13, 13));
    if (n) OK(GrB_Matrix_setElement_UDT(A, one, 12, 3));
    OK(GrB_Matrix_serializeSize(&size, A));
    char *blob = malloc(size);
    OK(GrB_Matrix_serialize(blob, &size, A));
    OK(GrB_Matrix_deserialize(&B, large, blob, size));
    OK(GrB_Matrix_nvals(&nvals, B));
    assert_int_equal(nvals, n);
    if (n) OK(GrB_Matrix_extractElement_UDT(back, B, 12, 3));
    if (n) assert_memory_equal(back, one, sizeof one);
    OK(GrB_free(&B));
    assert_int_equal(GrB_Matrix_deserialize(&B, twelve, blob, size), GrB_DOMAIN_MISMATCH);
    free(blob);
    OK(GrB_free(&A));
  }
  OK(GrB_free(&large));
}

/* Dimensions too long for an offset array. */
static void test_long(void **state) {
  static const GrB_Index dims[][2] = {{(GrB_Index)1 << 60, (GrB_Index)1 << 60},
                                      {5, (GrB_Index)1 << 33},
                                      {((GrB_Index)1 << 32) - 1, 70},
                                      {(GrB_Index)1 << 32, 12}};
  for (int k = 0; k < 4; k++) {
    draw_model(dims[k][0], dims[k][1], 400, k % 2 ? twelve : GrB_FP64, k == 2);
    GrB_Matrix A = build();
    check_blob(A);
    arrays a = {0}, want = {0}, got = {0};
    want.n_ptr = want.n_idx = want.n_val = a.n_ptr = a.n_idx = a.n_val = m.n;
    arrays_alloc(&a), arrays_alloc(&want);
    for (GrB_Index e = 0; e < m.n; e++) want.ptr[e] = m.at[e].r, want.idx[e] = m.at[e].c;
    memcpy(want.val, m.val, m.n * m.size);
    OK(export_as(&a, GrB_COO_FORMAT, A));
    assert_on_all(equal(&a, &want));
    GrB_Matrix B;
    shuffle(&a, GrB_COO_FORMAT);
    OK(import_as(&B, &a, GrB_COO_FORMAT));
    same(B);
    OK(GrB_free(&B));
    GrB_Format hint;
    OK(GrB_Matrix_exportHint(&hint, A));
    assert_true(hint == GrB_COO_FORMAT || dims[k][0] <= (GrB_Index)1 << 40);
    OK(Grid_Matrix_exportLocal(NULL, NULL, NULL, &got.n_ptr, &got.n_idx, &got.n_val, GrB_COO_FORMAT, A));
    arrays_alloc(&got);
    OK(Grid_Matrix_exportLocal(got.ptr, got.idx, got.val, &got.n_ptr, &got.n_idx, &got.n_val, GrB_COO_FORMAT,
                               A));
    OK(Grid_Matrix_importLocal(&B, m.type, m.nrows, m.ncols, got.ptr, got.idx, got.val, got.n_ptr, got.n_idx,
                               got.n_val, GrB_COO_FORMAT));
    same(B);
    OK(GrB_free(&B));
    arrays_free(&a), arrays_free(&want), arrays_free(&got);
    OK(GrB_free(&A));
  }
}

/* Elements that wait to be merged, and a matrix with delegates, leave like any other. */
static void test_states(void **state) {
  draw_model(90, 90, 600, GrB_FP64, false);
  GrB_Matrix A = build();
  double x;
  memcpy(&x, m.val + 8, 8);
  OK(GrB_Matrix_removeElement(A, m.at[1].r, m.at[1].c));
  OK(GrB_Matrix_setElement_FP64(A, x, m.at[1].r, m.at[1].c));
  check_format(A, GrB_CSR_FORMAT);
  OK(GrB_set(A, 4, Grid_DELEGATES));
  OK(GrB_wait(A, GrB_MATERIALIZE));
  check_format(A, GrB_CSC_FORMAT);
  OK(GrB_set(A, 4, Grid_DELEGATES));
  OK(GrB_wait(A, GrB_MATERIALIZE));
  check_share(A, GrB_CSR_FORMAT);
  OK(GrB_wait(A, GrB_MATERIALIZE));
  check_blob(A);
  OK(GrB_free(&A));
}

/* ---- errors -------------------------------------------------------------------------------------------- */

/* Rows that do not ascend anywhere, or beyond the columns of some blocks alone, are sorted. */
static void test_unsorted(void **state) {
  draw_model(90, 300, 2000, GrB_FP64, false);
  for (int f = 0; f < 2; f++) {
    const GrB_Format format = f ? GrB_CSC_FORMAT : GrB_CSR_FORMAT;
    arrays a = expect(format, 0, f ? m.ncols : m.nrows);
    double *x = (double *)(void *)a.val;
    for (GrB_Index k = 0; k + 1 < a.n_idx; k += 61) {
      const GrB_Index i = a.idx[k];
      const double y = x[k];
      GrB_Matrix B = NULL;
      if (i > a.idx[k + 1]) continue; /* the end of a row */
      a.idx[k] = a.idx[k + 1], x[k] = x[k + 1], a.idx[k + 1] = i, x[k + 1] = y;
      OK(import_as(&B, &a, format));
      same(B);
      OK(GrB_free(&B));
      a.idx[k + 1] = a.idx[k], x[k + 1] = x[k], a.idx[k] = i, x[k] = y;
    }
    arrays_free(&a);
  }
}

static void test_errors(void **state) {
  GrB_Index p[] = {0, 2, 2, 3}, i[] = {4, 1, 6}, n1 = 9, n2 = 9, n3 = 9;
  double x[] = {1, 2, 3};
  int8_t small[] = {1, 2, 3};
  GrB_Matrix A = NULL, B;
#define IMPORT(...) GrB_Matrix_import_FP64(&A, GrB_FP64, __VA_ARGS__)
  fails(IMPORT(((GrB_Index)1 << 60) + 1, 0, p, i, x, 4, 3, 3, GrB_CSR_FORMAT), GrB_INVALID_VALUE, "2^60");
  fails(IMPORT(3, ((GrB_Index)1 << 60) + 1, p, i, x, 4, 3, 3, GrB_CSR_FORMAT), GrB_INVALID_VALUE, "2^60");
  fails(IMPORT(3, 7, p, i, x, 4, 3, 3, (GrB_Format)3), GrB_INVALID_VALUE, "format is 3");
  fails(IMPORT(3, 7, NULL, i, x, 4, 3, 3, GrB_CSR_FORMAT), GrB_NULL_POINTER, "indptr");
  fails(IMPORT(3, 7, p, NULL, x, 4, 3, 3, GrB_CSR_FORMAT), GrB_NULL_POINTER, "indices");
  fails(IMPORT(3, 7, p, i, NULL, 4, 3, 3, GrB_CSR_FORMAT), GrB_NULL_POINTER, "values");
  fails(GrB_Matrix_import_FP64(NULL, GrB_FP64, 3, 7, p, i, x, 4, 3, 3, GrB_CSR_FORMAT), GrB_NULL_POINTER,
        "A");
  fails(GrB_Matrix_import_FP64(&A, GrB_INT32, 3, 7, p, i, x, 4, 3, 3, GrB_CSR_FORMAT), GrB_DOMAIN_MISMATCH,
        "INT32");
  fails(GrB_Matrix_import_UDT(&A, GrB_FP64, 3, 7, p, i, x, 4, 3, 3, GrB_CSR_FORMAT), GrB_DOMAIN_MISMATCH,
        "FP64");
  fails(GrB_Matrix_import_FP64(&A, NULL, 3, 7, p, i, x, 4, 3, 3, GrB_CSR_FORMAT), GrB_NULL_POINTER, "d");
  fails(IMPORT(3, 7, p, i, x, 3, 3, 3, GrB_CSR_FORMAT), GrB_INVALID_VALUE, "n_indptr is 3");
  fails(IMPORT(3, 7, p, i, x, 4, 2, 3, GrB_CSR_FORMAT), GrB_INDEX_OUT_OF_BOUNDS, "indptr[3] is 3");
  fails(IMPORT(3, 7, p, i, x, 4, 3, 2, GrB_CSR_FORMAT), GrB_INDEX_OUT_OF_BOUNDS, "2 values");
  fails(IMPORT(3, 6, p, i, x, 4, 3, 3, GrB_CSR_FORMAT), GrB_INDEX_OUT_OF_BOUNDS, "indices[2] is 6");
  p[1] = 9;
  fails(IMPORT(3, 7, p, i, x, 4, 3, 3, GrB_CSR_FORMAT), GrB_INDEX_OUT_OF_BOUNDS, "indptr[1] is 9");
  p[1] = 3;
  fails(IMPORT(3, 7, p, i, x, 4, 3, 3, GrB_CSR_FORMAT), GrB_INDEX_OUT_OF_BOUNDS, "indptr[2] is 2");
  p[1] = 2, p[0] = 1;
  fails(IMPORT(3, 7, p, i, x, 4, 3, 3, GrB_CSR_FORMAT), GrB_INVALID_VALUE, "indptr[0] is 1");
  p[0] = 0, i[1] = 4;
  fails(IMPORT(3, 7, p, i, x, 4, 3, 3, GrB_CSR_FORMAT), GrB_INVALID_VALUE, "(0, 4)");
  i[1] = 1;
  fails(IMPORT(2, 7, p, i, x, 3, 3, 3, GrB_COO_FORMAT), GrB_INDEX_OUT_OF_BOUNDS, "indptr[1] is 2");
  fails(IMPORT(3, 7, p, i, x, 3, 2, 3, GrB_COO_FORMAT), GrB_INVALID_VALUE, "3 rows, 2 columns");
  fails(IMPORT(3, 4, i, p, x, 4, 3, 3, GrB_CSC_FORMAT), GrB_INVALID_VALUE, "n_indptr is 4");
  assert_null(A);
  OK(IMPORT(3, 7, p, i, x, 4, 3, 3, GrB_CSR_FORMAT));
#undef IMPORT

  GrB_Index P[9], I[9];
  double X[9];
  fails(GrB_Matrix_export_INT8(P, I, small, &n1, &n2, &n3, GrB_CSR_FORMAT, A), GrB_DOMAIN_MISMATCH, "INT8");
  fails(GrB_Matrix_export_UDT(P, I, X, &n1, &n2, &n3, GrB_CSR_FORMAT, A), GrB_DOMAIN_MISMATCH, "FP64");
  fails(GrB_Matrix_export_FP64(P, I, X, &n1, &n2, &n3, (GrB_Format)-1, A), GrB_INVALID_VALUE, "-1");
  fails(GrB_Matrix_export_FP64(P, I, X, &n1, NULL, &n3, GrB_CSR_FORMAT, A), GrB_NULL_POINTER, "n_indices");
  fails(GrB_Matrix_export_FP64(P, I, NULL, &n1, &n2, &n3, GrB_CSR_FORMAT, A), GrB_NULL_POINTER, "values");
  fails(GrB_Matrix_export_FP64(P, I, X, &n1, &n2, &n3, GrB_CSR_FORMAT, NULL), GrB_NULL_POINTER, "A");
  fails(GrB_Matrix_exportSize(&n1, &n2, NULL, GrB_CSR_FORMAT, A), GrB_NULL_POINTER, "n_values");
  fails(GrB_Matrix_exportSize(&n1, &n2, &n3, (GrB_Format)9, A), GrB_INVALID_VALUE, "9");
  fails(GrB_Matrix_exportHint(NULL, A), GrB_NULL_POINTER, "hint");
  assert_true(n1 == 9 && n2 == 9 && n3 == 9);

  char blob[4000];
  GrB_Index size = sizeof blob;
  fails(GrB_Matrix_serializeSize(NULL, A), GrB_NULL_POINTER, "size");
  fails(GrB_Matrix_serialize(NULL, &size, A), GrB_NULL_POINTER, "serialized_data");
  fails(GrB_Matrix_serialize(blob, NULL, A), GrB_NULL_POINTER, "serialized_size");
  OK(GrB_Matrix_serialize(blob, &size, A));
  fails(GrB_Matrix_deserialize(NULL, GrB_FP64, blob, size), GrB_NULL_POINTER, "A");
  fails(GrB_Matrix_deserialize(&B, GrB_FP64, NULL, size), GrB_NULL_POINTER, "serialized_data");
  fails(GrB_Matrix_deserialize(&B, GrB_INT64, blob, size), GrB_DOMAIN_MISMATCH, "INT64");
  fails(GrB_Matrix_deserialize(&B, GrB_FP64, blob, 10), GrB_INVALID_OBJECT, "header");
  fails(GrB_Matrix_deserialize(&B, GrB_FP64, blob, size - 8), GrB_INVALID_OBJECT, "cut off");
  blob[0]++;
  fails(GrB_Matrix_deserialize(&B, GrB_FP64, blob, size), GrB_INVALID_OBJECT, "begin");
  OK(GrB_free(&A));
}

/* Every single damaged bit is seen. With a checksum that fits the damage what comes out is a matrix, or an
 * error. */
static void test_damage(void **state) {
  for (int shape = 0; shape < 3; shape++) {
    draw_model(shape ? 900 : 8, shape == 2 ? (GrB_Index)1 << 40 : 9, 12, shape == 1 ? GrB_BOOL : GrB_FP64,
               shape == 1);
    GrB_Matrix A = build(), B = NULL;
    GrB_Index capacity;
    OK(GrB_Matrix_serializeSize(&capacity, A));
    char *blob = malloc(capacity);
    GrB_Index size = capacity;
    OK(GrB_Matrix_serialize(blob, &size, A));
    for (GrB_Index k = 0; k < size; k++) {
      const char bit = (char)(1 << (k % 8));
      const bool is_last = Grid_rank() == Grid_size() - 1;
      if (is_last) blob[k] ^= bit;
      if (k < sizeof(uint64_t) * GRID_BLOB_WORDS) /* all see that one has another header */
        assert_int_equal(GrB_Matrix_deserialize(&B, m.type, blob, size), GrB_INVALID_OBJECT);
      if (!is_last) blob[k] ^= bit;
      assert_int_equal(GrB_Matrix_deserialize(&B, m.type, blob, size), GrB_INVALID_OBJECT);
      if (k / 8 != GRID_BLOB_CHECKSUM && (k / 8 != 2)) { /* nor the length, which the checksum needs */
        uint64_t sum = grid_blob_checksum(blob, size), right;
        memcpy(&right, blob + 8 * GRID_BLOB_CHECKSUM, 8);
        memcpy(blob + 8 * GRID_BLOB_CHECKSUM, &sum, 8);
        const GrB_Info info = GrB_Matrix_deserialize(&B, m.type, blob, size);
        assert_true(info == GrB_SUCCESS || info == GrB_INVALID_OBJECT || info == GrB_DOMAIN_MISMATCH);
        if (info == GrB_SUCCESS) OK(GrB_free(&B));
        memcpy(blob + 8 * GRID_BLOB_CHECKSUM, &right, 8);
      }
      blob[k] ^= bit;
    }
    OK(GrB_Matrix_deserialize(&B, m.type, blob, size));
    same(B);
    OK(GrB_free(&B));
    free(blob);
    OK(GrB_free(&A));
  }
}

/* The k-th allocation fails, on every process or on one: all return the error, and nothing leaks. */
static void test_memory(void **state) {
  draw_model(60, 50, 300, GrB_FP64, false);
  GrB_Matrix A = build(), B = NULL;
  arrays a = expect(GrB_CSC_FORMAT, 0, m.ncols), got = a;
  arrays_alloc(&got);
  GrB_Index first, count, capacity;
  OK(Grid_local_range(m.nrows, &first, &count));
  arrays expected = expect(GrB_CSR_FORMAT, first, count), local = expected;
  arrays_alloc(&local);
  OK(GrB_Matrix_serializeSize(&capacity, A));
  char *blob = malloc(capacity);
  GrB_Index size = capacity;
  OK(GrB_Matrix_serialize(blob, &size, A));
  for (int what = 0; what < 6; what++)
    for (int all = 0; all < 2; all++)
      for (int k = 0;; k++) {
        const int64_t before = grid_mem_live();
        GrB_Index bytes = capacity;
        GrB_Info info = GrB_PANIC;
        if (all || Grid_rank() == Grid_size() - 1) grid_mem_fail_after(k);
        switch (what) {
          case 0:
            info = import_as(&B, &a, GrB_CSC_FORMAT);
            break;
          case 1:
            info = export_as(&got, GrB_CSC_FORMAT, A);
            break;
          case 2:
            info = GrB_Matrix_serialize(blob, &bytes, A);
            break;
          case 3:
            info = GrB_Matrix_deserialize(&B, GrB_FP64, blob, size);
            break;
          case 4:
            info = Grid_Matrix_exportLocal(local.ptr, local.idx, local.val, &local.n_ptr, &local.n_idx,
                                           &local.n_val, GrB_CSR_FORMAT, A);
            break;
          default:
            info = Grid_Matrix_importLocal(&B, m.type, m.nrows, m.ncols, expected.ptr, expected.idx,
                                           expected.val, expected.n_ptr, expected.n_idx, expected.n_val,
                                           GrB_CSR_FORMAT);
        }
        grid_mem_fail_after(-1);
        assert_on_all(info == GrB_SUCCESS || info == GrB_OUT_OF_MEMORY);
        if (info == GrB_SUCCESS) {
          if (B) same(B), OK(GrB_free(&B));
          break;
        }
        assert_null(B);
        assert_on_all(grid_mem_live() <= before + 2); /* an error's text stays with A */
        assert_true(k < 500);
      }
  assert_on_all(equal(&got, &a) && equal(&local, &expected));
  free(blob);
  arrays_free(&a), arrays_free(&got), arrays_free(&expected), arrays_free(&local);
  OK(GrB_free(&A));
}

/* Processes that pass different formats all get the error; none waits for the others' messages. */
static void different_formats(void **state) {
  const GrB_Index offsets[9] = {0};
  const int last = Grid_size() - 1;
  if (last == 0) skip();
  for (int k = 0; k < 2; k++) {
    const int other = k == 0 ? (int)GrB_CSC_FORMAT : 77; /* 77: there is no such format */
    const int format = Grid_rank() == last ? other : (int)GrB_CSR_FORMAT;
    GrB_Matrix A, B = NULL;
    GrB_Index n[3] = {9, 9, 9};
    GrB_Info info = Grid_Matrix_importLocal(&B, GrB_FP64, 8, 8, offsets, NULL, NULL, 9, 0, 0, format);
    assert_on_all(info == GrB_INVALID_VALUE && strstr(Grid_last_error(), "argument format is") && !B);
    OK(GrB_Matrix_new(&A, GrB_FP64, 8, 8));
    info = Grid_Matrix_exportLocal(NULL, NULL, NULL, &n[0], &n[1], &n[2], format, A);
    assert_on_all(info == GrB_INVALID_VALUE && strstr(Grid_last_error(), "argument format is"));
    assert_on_all(n[0] == 9 && n[1] == 9 && n[2] == 9);
    OK(GrB_free(&A));
  }
}

static int group(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_shapes), cmocka_unit_test(test_large_values), cmocka_unit_test(test_long),
      cmocka_unit_test(test_states), cmocka_unit_test(test_errors),       cmocka_unit_test(test_damage),
      cmocka_unit_test(test_memory), cmocka_unit_test(different_formats), cmocka_unit_test(test_unsorted)};
  return cmocka_run_group_tests(tests, start_with_type, stop_with_type);
}

int main(void) {
  int failed = run_on_shapes(group);
  if (grid_mem_live() != 0)
    fprintf(stderr, "%lld blocks are still live\n", (long long)grid_mem_live()), failed++;
  return failed;
}
