/* GxB_Vector_pack, unpack, import and export in their three forms, GxB_Vector_load and unload, against a list
 * of entries. Runs on any number of processes. */
#include "tests/unit.h"
#include "semiring/support/mem.h"
#include "tests/entry_model.h"
#include "tests/packed_arrays.h"

enum { CSC, BITMAP, FULL, FORMS };

static GrB_Info unpack(int form, GrB_Vector v, arrays *a, bool iso) {
  bool *is = iso ? &a->iso : NULL;
  if (form == CSC)
    return GxB_Vector_unpack_CSC(v, &a->i, &a->x, &a->i_size, &a->x_size, is, &a->nvals, &a->jumbled, NULL);
  if (form == BITMAP)
    return GxB_Vector_unpack_Bitmap(v, &a->b, &a->x, &a->b_size, &a->x_size, is, &a->nvals, NULL);
  return GxB_Vector_unpack_Full(v, &a->x, &a->x_size, is, NULL);
}

static GrB_Info pack(int form, GrB_Vector v, arrays *a, GrB_Descriptor d) {
  if (form == CSC)
    return GxB_Vector_pack_CSC(v, &a->i, &a->x, a->i_size, a->x_size, a->iso, a->nvals, a->jumbled, d);
  if (form == BITMAP)
    return GxB_Vector_pack_Bitmap(v, &a->b, &a->x, a->b_size, a->x_size, a->iso, a->nvals, d);
  return GxB_Vector_pack_Full(v, &a->x, a->x_size, a->iso, d);
}

static GrB_Index first, count; /* the local range */

static bool arrays_are_right(int form, const arrays *a) {
  GrB_Index n = 0;
  for (GrB_Index r = first; r < first + count; r++) {
    const cell at = {r, 0}, *is = bsearch(&at, m.at, m.n, sizeof at, by_position);
    const GrB_Index where = form == CSC ? n : r - first;
    if (form == BITMAP && a->b[where] != (is != NULL)) return false;
    if (!is) continue;
    if (form == CSC && a->i[n] != r) return false;
    if (memcmp((const char *)a->x + (a->iso ? 0 : where) * m.size, value_of(is), m.size) != 0) return false;
    n++;
  }
  const GrB_Index values = form == CSC ? n : count;
  return (form == FULL || a->nvals == n) && !a->jumbled && (form != CSC || a->i_size == 8 * n) &&
         (form != BITMAP || a->b_size == count) && a->x_size == (a->iso && values ? 1 : values) * m.size &&
         (values || !a->x);
}

static void reverse(arrays *a) {
  char x[WIDEST], *val = a->x;
  for (GrB_Index k = 0; k < a->nvals / 2; k++) {
    const GrB_Index o = a->nvals - 1 - k, i = a->i[k];
    a->i[k] = a->i[o], a->i[o] = i;
    if (a->iso) continue;
    memcpy(x, val + k * m.size, m.size);
    memcpy(val + k * m.size, val + o * m.size, m.size);
    memcpy(val + o * m.size, x, m.size);
  }
  a->jumbled = true;
}

static void check_form(int form, GrB_Descriptor secure) {
  GrB_Index nvals;
  for (int iso = 0; iso < 2; iso++) {
    arrays a = {0};
    GrB_Vector v = build_vector();
    OK(unpack(form, v, &a, iso));
    assert_on_all(arrays_are_right(form, &a));
    assert_true(!a.iso || (iso && m.n));
    OK(GrB_Vector_nvals(&nvals, v));
    assert_int_equal(nvals, 0);
    if (m.type == GrB_FP64 && m.nrows) OK(GrB_Vector_setElement_FP64(v, 1, 0)); /* is replaced */
    for (int mixed = 0; mixed < (form == CSC ? 2 : 1); mixed++) {
      arrays c = arrays_copy(&a);
      if (mixed) reverse(&c);
      OK(pack(form, v, &c, mixed ? secure : NULL));
      assert_on_all(!c.i && !c.b && !c.x);
      same_vector(v);
    }
    arrays_free(&a);
    OK(GrB_free(&v));
  }
}

static void test_forms(void **state) {
  static const struct {
    GrB_Index size, n;
  } shape[] = {{1, 1},    {1, 0}, {700, 90},          {2000, 2900},
               {5000, 3}, {0, 0}, {1300, UINT64_MAX}, {20, UINT64_MAX}};
  const GrB_Type types[] = {GrB_FP64, GrB_INT8, GrB_BOOL, twelve};
  GrB_Descriptor secure;
  OK(GrB_Descriptor_new(&secure));
  OK(GrB_Descriptor_set_INT32(secure, GxB_SECURE_IMPORT, GxB_IMPORT));
  for (size_t s = 0; s < sizeof shape / sizeof *shape; s++)
    for (int t = 0; t < 4; t++) {
      draw_model(shape[s].size, 1, shape[s].n, types[t], (s + (size_t)t) % 3 == 0);
      OK(Grid_local_range(shape[s].size, &first, &count));
      for (int form = 0; form < (shape[s].n == UINT64_MAX ? FORMS : FULL); form++) check_form(form, secure);
    }
  OK(GrB_free(&secure));
}

static void test_import(void **state) {
  GrB_Index n = 0, s1, s2, nvals;
  GrB_Type type = NULL;
  arrays a = {0};
  bool iso, jumbled;
  draw_model((GrB_Index)1 << 45, 1, 300, GrB_FP64, false);
  GrB_Vector v = build_vector(), w = NULL;
  OK(GxB_Vector_export_CSC(&v, &type, &n, &a.i, &a.x, &s1, &s2, &iso, &nvals, &jumbled, NULL));
  assert_true(!v && type == GrB_FP64 && n == (GrB_Index)1 << 45);
  OK(GxB_Vector_import_CSC(&w, type, n, &a.i, &a.x, s1, s2, iso, nvals, jumbled, NULL));
  same_vector(w);
  fails(GxB_Vector_import_CSC(NULL, type, n, &a.i, &a.x, s1, s2, iso, nvals, jumbled, NULL), GrB_NULL_POINTER,
        "argument v");
  fails(GxB_Vector_export_CSC(&w, &type, NULL, &a.i, &a.x, &s1, &s2, &iso, &nvals, &jumbled, NULL),
        GrB_NULL_POINTER, "argument n");
  same_vector(w);
  OK(GrB_free(&w));
}

static GrB_Vector target;
static void refuses(int form, const arrays *a, GrB_Descriptor d, GrB_Info want, const char *words) {
  arrays c = arrays_copy(a), before = c;
  fails(pack(form, target, &c, d), want, words);
  assert_on_all(are_pointers_equal(&c, &before));
  same_vector(target);
  arrays_free(&c);
}

static void test_errors(void **state) {
  const GrB_Index size = 64 * (GrB_Index)Grid_size();
  GrB_Descriptor secure;
  OK(GrB_Descriptor_new(&secure));
  OK(GrB_Descriptor_set_INT32(secure, GxB_SECURE_IMPORT, GxB_IMPORT));
  draw_model(size, 1, 30, GrB_FP64, false);
  target = build_vector();
  OK(Grid_local_range(size, &first, &count));
  GrB_Index i[3] = {first + 4, first + 1, first + 6};
  double x[64] = {1, 2, 3};
  int8_t b[64] = {1, 0, 1};
  arrays a = {.i = i, .x = x, .i_size = 24, .x_size = 24, .nvals = 3, .jumbled = true};
  a.i_size--;
  refuses(CSC, &a, NULL, GrB_INVALID_VALUE, "i has 23 bytes; 24");
  a.i_size++, a.x_size--;
  refuses(CSC, &a, NULL, GrB_INVALID_VALUE, "x has 23 bytes; 24");
  a.x_size++, a.nvals = 65;
  refuses(CSC, &a, NULL, GrB_INVALID_VALUE, "nvals is 65");
  a.nvals = 3, a.jumbled = false;
  refuses(CSC, &a, secure, GrB_INDEX_OUT_OF_BOUNDS, "not above the one before");
  a.jumbled = true, i[1] = i[0];
  refuses(CSC, &a, NULL, GrB_INDEX_OUT_OF_BOUNDS, "occurs more than once");
  i[1] = first + 64;
  refuses(CSC, &a, NULL, GrB_INVALID_OBJECT, "this process owns the indices");
  arrays t = {.b = b, .x = x, .b_size = 64, .x_size = sizeof x, .nvals = 3};
  refuses(BITMAP, &t, secure, GrB_INVALID_OBJECT, "b marks 2");
  t.nvals = 2, b[7] = 3;
  refuses(BITMAP, &t, secure, GrB_INVALID_OBJECT, "neither 0 nor 1");
  t.b_size--;
  refuses(BITMAP, &t, NULL, GrB_INVALID_VALUE, "b has 63 bytes");
  t.x_size--;
  refuses(FULL, &t, NULL, GrB_INVALID_VALUE, "x has");
  t.x = NULL, t.x_size++;
  refuses(FULL, &t, NULL, GrB_NULL_POINTER, "x is NULL");
  arrays got = {0};
  fails(unpack(FULL, target, &got, true), GrB_INVALID_VALUE, "the full form needs all");
  same_vector(target);
  OK(GrB_free(&target));
  OK(GrB_free(&secure));
}

/* ---- load and unload ----------------------------------------------------------------------------------- */

static void test_load(void **state) {
  const GrB_Type types[] = {GrB_FP64, GrB_INT8, twelve};
  static const GrB_Index sizes[] = {0, 1, 70, 1300};
  void *X;
  GrB_Type type;
  uint64_t n, bytes;
  int handling;
  for (int t = 0; t < 3; t++)
    for (int s = 0; s < 4; s++) {
      draw_model(sizes[s], 1, UINT64_MAX, types[t], s == 2);
      OK(Grid_local_range(sizes[s], &first, &count));
      GrB_Vector v = build_vector(), w;
      OK(GxB_Vector_unload(v, &X, &type, &n, &bytes, &handling, NULL));
      assert_on_all(type == types[t] && n == sizes[s] && bytes == count * m.size && handling == GrB_DEFAULT &&
                    memcmp(count ? X : "", m.val + first * m.size, bytes) == 0);
      OK(GrB_Vector_size(&n, v));
      assert_int_equal(n, 0);
      OK(GrB_Vector_new(&w, GrB_INT32, 5)); /* another type and size */
      OK(GrB_Vector_setElement_INT32(w, 1, 3));
      void *keep = X;
      OK(GxB_Vector_load(w, &X, type, sizes[s], bytes, GxB_IS_READONLY, NULL));
      assert_on_all(X == keep);
      same_vector(w);
      OK(GxB_Vector_load(v, &X, type, sizes[s], bytes, GrB_DEFAULT, NULL));
      assert_on_all(!X);
      same_vector(v);
      OK(GrB_free(&v));
      OK(GrB_free(&w));
    }
}

static void test_load_errors(void **state) {
  void *X = NULL;
  GrB_Type type = NULL;
  uint64_t n = 9, bytes = 9;
  int handling = 9;
  draw_model(64 * (GrB_Index)Grid_size(), 1, 30, GrB_FP64, false);
  GrB_Vector v = build_vector();
  fails(GxB_Vector_unload(v, &X, &type, &n, &bytes, &handling, NULL), GrB_INVALID_OBJECT,
        "entries of a vector");
  assert_true(!X && !type && n == 9 && bytes == 9 && handling == 9);
  fails(GxB_Vector_unload(v, NULL, &type, &n, &bytes, &handling, NULL), GrB_NULL_POINTER, "argument X");
  fails(GxB_Vector_load(v, NULL, GrB_FP64, 3, 24, 0, NULL), GrB_NULL_POINTER, "argument X");
  fails(GxB_Vector_load(v, &X, GrB_FP64, m.nrows, 512, 0, NULL), GrB_NULL_POINTER, "x is NULL");
  X = calloc(64, 8);
  fails(GxB_Vector_load(v, &X, GrB_FP64, m.nrows, 511, 0, NULL), GrB_INVALID_VALUE, "511 bytes");
  fails(GxB_Vector_load(v, &X, GrB_FP64, m.nrows, 512, 5, NULL), GrB_INVALID_VALUE, "handling is 5");
  fails(GxB_Vector_load(v, &X, NULL, m.nrows, 512, 0, NULL), GrB_NULL_POINTER, "type");
  fails(GxB_Vector_load(v, &X, GrB_FP64, ((GrB_Index)1 << 60) + 1, 512, 0, NULL), GrB_INVALID_VALUE, "2^60");
  same_vector(v);
  free(X);
  OK(GrB_free(&v));
}

static void test_memory(void **state) {
  draw_model(900, 1, 700, twelve, false);
  for (int form = 0; form < FULL; form++) {
    GrB_Vector v = build_vector();
    arrays a = {0};
    GrB_Info info = GrB_OUT_OF_MEMORY;
    for (int64_t k = 0; info != GrB_SUCCESS && k < 1000; k++) {
      grid_mem_fail_after(k);
      info = unpack(form, v, &a, true);
      grid_mem_fail_after(-1);
      if (info != GrB_SUCCESS) same_vector(v);
      assert_on_all(info == GrB_SUCCESS || (info == GrB_OUT_OF_MEMORY && !a.i && !a.b && !a.x));
    }
    for (int64_t k = 0; (k == 0 || info != GrB_SUCCESS) && k < 1000; k++) {
      const arrays before = a;
      grid_mem_fail_after(k);
      info = pack(form, v, &a, NULL);
      grid_mem_fail_after(-1);
      assert_on_all(info == GrB_SUCCESS || (info == GrB_OUT_OF_MEMORY && are_pointers_equal(&before, &a)));
    }
    OK(info);
    same_vector(v);
    OK(GrB_free(&v));
  }
}

MAIN_ON_SHAPES(start_with_type, stop_with_type, cmocka_unit_test(test_forms), cmocka_unit_test(test_import),
               cmocka_unit_test(test_errors), cmocka_unit_test(test_load), cmocka_unit_test(test_load_errors),
               cmocka_unit_test(test_memory))
