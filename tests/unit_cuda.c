/* The CPU against the CUDA backend: the same programs on both, compared entry by entry (two_backends.h
 * describes how, and the environment variables). Products, vector operations, elements, matrices, searches,
 * user-written loops, algorithms, memory exhaustion. Runs on any number of processes, on the grid of
 * GRIDBLAS_GRID or the default grid; processes share a GPU when there are too few. Without a GPU it prints
 * the reason and exits with 77, which ctest shows as skipped.
 *
 *   unit_cuda [blocking] [TEST]    TEST: a name of main's list, in which "*" matches anything; `operators`,
 *                                  which compiles a kernel for each row of the operator table, only runs
 *                                  when named */
#include <float.h>

#include "dist/grid/layout.h"
#include "dist/product/mxv/mxv.h"
#include "dist/product/exchange/exchange_sparse_device.h"
#include "semiring/support/tuning.h"
#include "tests/random_objects.h"
#include "gridblas_algos.h"
#include "gridblas_table_gxb.h"
#include "semiring/support/mem.h"
#include "spmat/device/device.h"
#include "spmat/matrix/balanced_tiles.h"
#include "spmat/vector/peer_exchange.h"

static const char *const variant_name[] = {"auto", "push", "pull"};

/* How many entries are exchanged through windows in one kernel, and whether any number may be; else the other
 * methods are used. */
static void draw_exchange_limit(void) {
  const uint64_t most[] = {0, draw(100), GRID_SPARSE_EXCHANGE_ENTRIES, GRID_SPARSE_EXCHANGE_ENTRIES};
  const uint64_t k = draw(4);
  grid_tune.sparse_exchange_max = most[k];
  grid_tune.packed_exchange = k % 2 == 1;
}

/* ---- the comparison itself ----------------------------------------------------------------------------- */

/* Two records of some entries, one of them changed at one position. */
static bool detects_change(compare_rule how, GrB_Type type, const void *x, const void *y, uint64_t y_at) {
  static char text[1600];
  uint64_t at[3] = {3, 64, 70}, other_at[3] = {3, y_at, 70};
  char val[3 * 8] = {0}, other[3 * 8] = {0};
  for (size_t k = 0; k < 3; k++) {
    memcpy(val + k * type->size, x, type->size);
    memcpy(other + k * type->size, k == 1 ? y : x, type->size);
  }
  const record a = {.how = how, .type = type, .n = 3, .at = at, .val = val};
  const record b = {.how = how, .type = type, .n = 3, .at = other_at, .val = other};
  return differences(&a, &b, text, sizeof text) != 0;
}

static void compare_detects_changes(void **state) {
  (void)state;
  const int32_t five = 5, six = 6;
  const double one = 1, close_value = 1 + 1e-14, far = 1 + 1e-9, nan1 = NAN, nan2 = -NAN, minus = -1;
  const float small_one = 1, small_close_value = 1 + 1e-6f;
  const int64_t fits = FITS, odd = 17, old = -4, other_old = -5;
  assert_false(detects_change(EXACT, GrB_INT32, &five, &five, 64));
  assert_true(detects_change(EXACT, GrB_INT32, &five, &six, 64));
  assert_true(detects_change(EXACT, GrB_INT32, &five, &five, 65));
  assert_false(detects_change(PATTERN, GrB_INT32, &five, &six, 64));
  assert_true(detects_change(PATTERN, GrB_INT32, &five, &five, 65));
  assert_true(detects_change(EXACT, GrB_FP64, &one, &close_value, 64));
  assert_false(detects_change(CLOSE, GrB_FP64, &one, &close_value, 64));
  assert_true(detects_change(CLOSE, GrB_FP64, &one, &far, 64));
  assert_true(detects_change(CLOSE, GrB_FP64, &one, &minus, 64));
  assert_false(detects_change(CLOSE, GrB_FP32, &small_one, &small_close_value, 64));
  assert_true(detects_change(EXACT, GrB_FP32, &small_one, &small_close_value, 64));
  assert_false(detects_change(EXACT, GrB_FP64, &nan1, &nan2, 64));
  assert_true(detects_change(EXACT, GrB_FP64, &nan1, &one, 64));
  assert_false(detects_change(PARENT, GrB_INT64, &fits, &fits, 64));
  assert_true(detects_change(PARENT, GrB_INT64, &fits, &odd, 64));
  assert_true(detects_change(PARENT, GrB_INT64, &odd, &odd, 64)); /* both wrong */
  assert_true(detects_change(PARENT, GrB_INT64, &fits, &old, 64));
  assert_false(detects_change(PARENT, GrB_INT64, &old, &old, 64));
  assert_true(detects_change(PARENT, GrB_INT64, &old, &other_old, 64));

  static graph g = {.nrows = 5, .ncols = 5, .given = 2, .tuple = {{0, 3}, {3, 4}}};
  const int32_t level[] = {0, -1, -1, 1, 2};
  const bool from[] = {true, false, false, false, false};
  expand_tuples(&g);
  const family forward = {.g = &g, .level = level}, back = {.g = &g, .backwards = true, .from = from};
  assert_true(is_parent(&forward, 3, 0) && is_parent(&forward, 4, 3) && is_parent(&forward, 0, 0));
  assert_false(is_parent(&forward, 4, 0) || is_parent(&forward, 3, 3) || is_parent(&forward, 3, 99));
  assert_false(is_parent(&back, 3, 0) || is_parent(&back, 3, 4) || is_parent(&back, 0, 3));
}

/* ---- products ------------------------------------------------------------------------------------------ */

/* A semiring with the types of its operands. Few combinations, since each is a kernel to compile. */
typedef struct {
  const char *name;
  GrB_Semiring s;
  GrB_Type a, u, w;
  GrB_BinaryOp accum;
  compare_rule how;
  values of, of_w;
} kind;

static kind kinds[32];
static size_t nkinds;

static void make_kinds(void) {
#define S(NAME, A, U, W, ACCUM, HOW, OF, OF_W) \
  { #NAME, NAME, GrB_##A, GrB_##U, GrB_##W, ACCUM, HOW, OF, OF_W }
  const kind all[] = {
      S(Grid_ANY_SECONDI_SEMIRING_INT64, BOOL, INT64, INT64, NULL, PARENT, NUMBERS, NEGATIVE),
      S(Grid_ANY_SECONDI_SEMIRING_INT32, BOOL, INT32, INT32, NULL, PARENT, NUMBERS, NEGATIVE),
      S(Grid_ANY_SECONDI_SEMIRING_INT64, FP64, BOOL, INT64, NULL, PARENT, NUMBERS, NEGATIVE),
      S(Grid_MIN_SECONDI_SEMIRING_INT64, FP64, BOOL, INT64, GrB_PLUS_INT64, EXACT, NUMBERS, NUMBERS),
      S(Grid_MIN_SECONDI_SEMIRING_INT32, BOOL, INT32, INT32, GrB_MIN_INT32, EXACT, NUMBERS, NUMBERS),
      S(Grid_ANY_ONEB_SEMIRING_BOOL, BOOL, BOOL, BOOL, GrB_LOR, EXACT, NUMBERS, NUMBERS),
      S(Grid_PLUS_ONEB_SEMIRING_UINT64, BOOL, BOOL, UINT64, GrB_PLUS_UINT64, EXACT, NUMBERS, NUMBERS),
      S(Grid_ANY_SECOND_SEMIRING_FP32, BOOL, FP32, FP32, GrB_PLUS_FP32, EXACT, ALIKE, NUMBERS),
      S(Grid_ANY_FIRST_SEMIRING_INT8, INT8, BOOL, INT8, GrB_PLUS_INT8, EXACT, ALIKE, NUMBERS),
      S(GrB_MIN_PLUS_SEMIRING_INT32, INT32, INT32, INT32, GrB_MIN_INT32, EXACT, NUMBERS, NUMBERS),
      S(GrB_MIN_PLUS_SEMIRING_FP64, FP64, FP64, FP64, GrB_MIN_FP64, EXACT, NUMBERS, NUMBERS),
      S(GrB_MIN_SECOND_SEMIRING_FP64, FP64, BOOL, FP64, GrB_MIN_FP64, EXACT, ALIKE, NUMBERS),
      S(GrB_MAX_SECOND_SEMIRING_UINT8, BOOL, BOOL, INT32, GrB_PLUS_INT32, EXACT, ALIKE, NUMBERS),
      S(GrB_MIN_SECOND_SEMIRING_INT64, BOOL, INT64, INT64, GrB_MIN_INT64, EXACT, NUMBERS, NUMBERS),
      S(GrB_MIN_FIRST_SEMIRING_UINT64, UINT64, BOOL, UINT64, GrB_PLUS_UINT64, EXACT, NUMBERS, NUMBERS),
      S(GrB_PLUS_TIMES_SEMIRING_FP64, FP64, FP64, FP64, GrB_PLUS_FP64, CLOSE, REALS, REALS),
      S(GrB_PLUS_TIMES_SEMIRING_FP32, FP32, FP32, FP32, GrB_PLUS_FP32, CLOSE, REALS, REALS),
      S(GrB_PLUS_TIMES_SEMIRING_INT64, INT64, INT64, INT64, GrB_MINUS_INT64, EXACT, NUMBERS, NUMBERS),
      S(GrB_PLUS_TIMES_SEMIRING_INT16, INT16, INT16, INT16, GrB_PLUS_INT16, EXACT, NUMBERS, NUMBERS),
      S(GrB_LOR_LAND_SEMIRING_BOOL, INT8, BOOL, BOOL, GrB_LXOR, EXACT, NUMBERS, NUMBERS),
      S(GrB_LXOR_LAND_SEMIRING_BOOL, BOOL, BOOL, BOOL, GrB_LOR, EXACT, NUMBERS, NUMBERS),
      S(GrB_MAX_MIN_SEMIRING_FP32, FP32, FP32, FP32, GrB_MAX_FP32, EXACT, NUMBERS, NUMBERS),
      S(GrB_MAX_TIMES_SEMIRING_UINT8, UINT8, UINT8, UINT8, GrB_MAX_UINT8, EXACT, NUMBERS, NUMBERS),
      S(GrB_PLUS_TIMES_SEMIRING_FP32, INT8, INT64, UINT16, GrB_PLUS_INT32, EXACT, NUMBERS, NUMBERS),
      S(plus_first, FP64, BOOL, FP64, GrB_PLUS_FP64, CLOSE, REALS, REALS),
      S(plus_second, BOOL, INT32, INT32, GrB_PLUS_INT32, EXACT, NUMBERS, NUMBERS),
      S(band_bor, INT32, INT32, INT32, GrB_BXOR_INT32, EXACT, NUMBERS, NUMBERS),
      S(user[0].odd_semiring, INT32, INT32, INT32, user[0].odd_plus, EXACT, NUMBERS, NUMBERS),
      S(user[1].odd_semiring, INT32, INT32, INT32, user[1].odd_plus, EXACT, NUMBERS, NUMBERS),
      {"user[0].semiring", user[0].semiring, user[0].three, user[0].three, user[0].three, user[0].plus, EXACT,
       NUMBERS, NUMBERS},
      {"user[1].semiring", user[1].semiring, user[1].three, user[1].three, user[1].three, user[1].plus, EXACT,
       NUMBERS, NUMBERS}};
#undef S
  nkinds = sizeof all / sizeof *all;
  memcpy(kinds, all, sizeof all);
}

static GrB_Vector draw_mask(GrB_Index n, const char **form) {
  const GrB_Type types[] = {GrB_BOOL, GrB_BOOL, GrB_INT32, GrB_FP64};
  return draw_vector(types[draw(4)], n, NUMBERS, form);
}

static graph drawn;
static bool in_u[LONGEST];

/* One random product with A, the matrix of `drawn`, in all directions; A is freed. */
static void multiply(const kind *k, GrB_Matrix A, const char *a_form, int32_t delegates) {
  const GrB_Index nrows = drawn.nrows, ncols = drawn.ncols;
  const char *d_name, *u_form, *w_form, *m_form = "none";
  const bool vxm = draw_one_in(2);
  GrB_Descriptor d = draw_descriptor(&d_name, 3);
  GrB_Vector u, w0, w = NULL, mask = NULL;
  const bool by_row = vxm != (d && (vxm ? d->tran1 : d->tran0)); /* the inner index is the row */
  const GrB_Index inner = by_row ? nrows : ncols, outer = by_row ? ncols : nrows;
  grid_tune.device_lists_min_bytes = draw_one_in(2) ? 0 : UINT64_C(1) << 22;
  draw_exchange_limit();
  u = draw_vector(k->u, inner, k->of, &u_form);
  w0 = draw_vector(k->w, outer, k->of_w, &w_form);
  const bool masked = draw_one_in(2), mask_is_w = masked && k->w->code != GRID_T_UDT && draw_one_in(5);
  const bool u_is_w =
      inner == outer && k->u == k->w && (k->how == PARENT || k->of == k->of_w) && draw_one_in(6);
  const bool accumulate = k->accum && draw_one_in(3);
  if (masked && !mask_is_w) mask = draw_mask(outer, &m_form);
  if (nrows == ncols) OK(GrB_Matrix_set_INT32(A, delegates, Grid_DELEGATES));
  if (k->how == PARENT) pattern_of(in_u, u_is_w ? w0 : u);
  const family f = {.g = &drawn, .backwards = !by_row, .from = in_u};
  for (int32_t variant = 0; variant < 3; variant++) {
    OK(GrB_Vector_dup(&w, w0));
    OK(GrB_Matrix_set_INT32(A, direction(variant), Grid_DIRECTION));
    change_device();
    GrB_Vector uu = u_is_w ? w : u, m = mask_is_w ? w : mask;
    GrB_BinaryOp accum = accumulate ? k->accum : NULL;
    set_current_call(
        "%s %s %s, A %s %llu x %llu %s%s (%llu edges, delegates %d), u %s%s, w %s, mask %s%s, accum %s, "
        "descriptor %s",
        vxm ? "vxm" : "mxv", variant_name[variant], k->name, a_form, (unsigned long long)nrows,
        (unsigned long long)ncols, drawn.form, drawn.mirror ? " mirrored" : "", (unsigned long long)drawn.n,
        (int)delegates, u_form, u_is_w ? " (w itself)" : "", w_form, m_form, mask_is_w ? " (w itself)" : "",
        accum ? accum->name ? accum->name : "user" : "none", d_name);
    if (vxm)
      OK(GrB_vxm(w, m, accum, k->s, uu, A, d));
    else
      OK(GrB_mxv(w, m, accum, k->s, A, uu, d));
    if (k->how == PARENT)
      record_parents("w", w, k->w, &f);
    else
      record_entries("w", k->how, w, k->w);
    OK(GrB_Vector_free(&w));
  }
  if (!u_is_w) record_entries("u", EXACT, u, k->u);
  OK(GrB_Vector_free(&u)), OK(GrB_Vector_free(&w0)), OK(GrB_Vector_free(&mask));
  OK(GrB_Matrix_free(&A));
}

/* Pulls with sums use balanced tiles and degree order, balanced tiles only, blocks of rows, or
 * what the library chooses. */
static void draw_tiles(void) {
  const uint64_t order_entries = draw_one_in(2) ? 0 : GRID_TUNE_NEVER;
  const bool as_even = draw_one_in(2);
  if (draw_one_in(3)) return;
  grid_tune.tiles_entries = grid_tune.tiles_pulls = grid_tune.tiles_order_pulls = 0;
  grid_tune.tiles_long_share = grid_tune.tiles_allowed_share = grid_tune.tiles_hub_share = 0;
  grid_tune.tiles_order_entries = order_entries;
  grid_tune.even_rows_ratio = as_even ? 1e30 : 0;
}

static void product(void) {
  const kind *k = &kinds[draw(nkinds)];
  const bool huge = k->how != PARENT && draw_one_in(25), square = draw_one_in(2);
  const GrB_Index nrows = huge ? (UINT64_C(1) << 50) + draw(1000) : draw_size();
  const GrB_Index ncols = square ? nrows : huge && draw_one_in(2) ? nrows + 77 : draw_size();
  const char *form;
  const grid_tuning usual = grid_tune;
  draw_tiles();
  set_current_call("product's objects");
  draw_graph(&drawn, nrows, ncols);
  GrB_Matrix A = matrix_of(&drawn, k->a, k->of, &form);
  multiply(k, A, form, square && draw_one_in(5) ? (int32_t)draw(8) : Grid_DELEGATES_AUTO);
  grid_tune = usual;
}

/* Rows of up to 100 tiles and empty ones, between short ones: results combined from many tiles. */
static void long_rows(void) {
  const GrB_Index nrows = 1 + draw(40), ncols = 1000 + draw(100000);
  const grid_tuning usual = grid_tune;
  const bool ints = draw_one_in(2);
  const GrB_Type t = ints ? GrB_INT64 : GrB_FP64;
  GrB_Index n = 0, *row = malloc(nrows * ncols * sizeof *row), *col = malloc(nrows * ncols * sizeof *col);
  int64_t *val = malloc(nrows * ncols * sizeof *val);
  const char *form;
  GrB_Matrix A = NULL;
  GrB_Vector u = NULL, w = NULL;
  for (GrB_Index r = 0; r < nrows && n < 2000000; r++) {
    const uint64_t row_is = draw(5); /* whole, dense, of some entries, empty */
    const GrB_Index step = row_is == 0 ? 1 : row_is < 3 ? 1 + draw(9) : ncols / (1 + draw(70)) + 1;
    for (GrB_Index c = draw(step); row_is < 4 && c < ncols; c += step) {
      const double real = (double)draw(1000) / 16;
      row[n] = r, col[n] = c, val[n] = (int64_t)draw(1000);
      if (!ints) memcpy(&val[n], &real, sizeof real);
      n++;
    }
  }
  if (Grid_rank() != 0) n = 0;
  set_current_call("%llu x %llu, rows of up to all columns, %llu entries", (unsigned long long)nrows,
                   (unsigned long long)ncols, (unsigned long long)n);
  draw_tiles();
  OK(GrB_Matrix_new(&A, t, nrows, ncols)), OK(GrB_Vector_new(&w, t, nrows));
  OK(Grid_Matrix_build(A, row, col, val, t, n, NULL, 0));
  OK(GrB_Matrix_set_INT32(A, direction(2), Grid_DIRECTION));
  u = draw_vector(t, ncols, NUMBERS, &form);
  if (draw_one_in(3)) {                       /* a value that the device first treats as no entry */
    const uint64_t bits = 0x7ff9d5a37ff9d5a3; /* GRID_X_SENTINEL, twice */
    double mark;
    memcpy(&mark, &bits, sizeof mark);
    OK(ints ? GrB_Vector_setElement_INT64(u, (int64_t)bits, draw(ncols))
            : GrB_Vector_setElement_FP64(u, mark, draw(ncols)));
  }
  OK(GrB_mxv(w, NULL, NULL, ints ? GrB_MIN_PLUS_SEMIRING_INT64 : GrB_PLUS_TIMES_SEMIRING_FP64, A, u, NULL));
  record_entries("w", ints ? EXACT : CLOSE, w, t);
  OK(GrB_assign(u, NULL, NULL, 1, GrB_ALL, ncols, NULL)); /* full */
  OK(GrB_mxv(w, NULL, ints ? GrB_MIN_INT64 : GrB_PLUS_FP64,
             ints ? GrB_MAX_FIRST_SEMIRING_INT64 : GrB_PLUS_TIMES_SEMIRING_FP64, A, u, NULL));
  record_entries("w", ints ? EXACT : CLOSE, w, t);
  OK(GrB_assign(w, NULL, NULL, 3, GrB_ALL, nrows, NULL)); /* the kernels add to w: one value, then several */
  for (int k = 0; k < 2; k++) {
    OK(GrB_mxv(w, NULL, ints ? GrB_MIN_INT64 : GrB_PLUS_FP64,
               ints ? GrB_MIN_PLUS_SEMIRING_INT64 : GrB_PLUS_TIMES_SEMIRING_FP64, A, u, NULL));
    record_entries("w", ints ? EXACT : CLOSE, w, t);
  }
  OK(GrB_Matrix_free(&A)), OK(GrB_Vector_free(&u)), OK(GrB_Vector_free(&w));
  free(row), free(col), free(val);
  grid_tune = usual;
}

static void products(void **state) {
  (void)state;
  run_rounds("products", 400, 20, product);
  run_rounds("long rows", 12, 8, long_rows);
}

/* ---- operations on vectors ----------------------------------------------------------------------------- */

/* The types and operators of one round: vectors 0, 1, 2 of the given types, vector 3 a mask. */
enum { POOL = 4, OPS = 4 };
typedef struct {
  const char *name;
  GrB_Type t[POOL];
  compare_rule how;
  bool udt;
  GrB_BinaryOp binary[OPS], accum[2];
  GrB_UnaryOp unary[OPS];
  GrB_IndexUnaryOp index[OPS], pick[OPS];
  GrB_Monoid monoid[2];
  GrB_Semiring semiring;
} suit;

static suit suits[8];
static size_t nsuits;

static void make_suits(void) {
#define USER(K)                                                                                     \
  {                                                                                                 \
    "user " #K, {user[K].three, user[K].three, user[K].three, GrB_BOOL}, EXACT, true,               \
        {user[K].plus, user[K].times, user[K].plus, user[K].times}, {user[K].plus, user[K].plus},   \
        {user[K].twice, user[K].twice, user[K].twice, user[K].twice}, {NULL},                       \
        {user[K].pick, user[K].pick, user[K].pick, user[K].pick}, {user[K].monoid, user[K].monoid}, \
        user[K].semiring                                                                            \
  }
  const suit all[] = {{"INT32",
                       {GrB_INT32, GrB_INT32, GrB_INT32, GrB_BOOL},
                       EXACT,
                       false,
                       {GrB_PLUS_INT32, GrB_MINUS_INT32, GrB_MIN_INT32, GrB_DIV_INT32},
                       {GrB_PLUS_INT32, GrB_MIN_INT32},
                       {GrB_AINV_INT32, GrB_ABS_INT32, GrB_IDENTITY_INT32, GrB_BNOT_INT32},
                       {GrB_ROWINDEX_INT32, GrB_ROWINDEX_INT64, GrB_ROWLE, GrB_VALUEGT_INT32},
                       {GrB_VALUEEQ_INT32, GrB_VALUEGE_INT32, GrB_ROWGT, GrB_TRIL},
                       {GrB_PLUS_MONOID_INT32, GrB_MIN_MONOID_INT32},
                       GrB_PLUS_TIMES_SEMIRING_INT32},
                      {"INT64",
                       {GrB_INT64, GrB_INT64, GrB_INT64, GrB_INT64},
                       EXACT,
                       false,
                       {GrB_PLUS_INT64, GrB_MAX_INT64, GrB_SECOND_INT64, GrB_LT_INT64},
                       {GrB_PLUS_INT64, GrB_SECOND_INT64},
                       {GrB_AINV_INT64, GrB_ABS_INT64, GrB_IDENTITY_INT64, GrB_MINV_INT64},
                       {GrB_ROWINDEX_INT64, GrB_ROWINDEX_INT64, GrB_ROWGT, GrB_VALUELE_INT64},
                       {GrB_VALUENE_INT64, GrB_VALUELT_INT64, GrB_ROWLE, GrB_OFFDIAG},
                       {GrB_MAX_MONOID_INT64, GrB_PLUS_MONOID_INT64},
                       GrB_MIN_PLUS_SEMIRING_INT64},
                      {"BOOL",
                       {GrB_BOOL, GrB_BOOL, GrB_BOOL, GrB_BOOL},
                       EXACT,
                       false,
                       {GrB_LOR, GrB_LAND, GrB_LXOR, GrB_ONEB_BOOL},
                       {GrB_LOR, GrB_LXOR},
                       {GrB_LNOT, GrB_IDENTITY_BOOL, GrB_LNOT, GrB_IDENTITY_BOOL},
                       {GrB_VALUEEQ_BOOL, GrB_ROWLE, GrB_ROWGT, GrB_DIAG},
                       {GrB_VALUEEQ_BOOL, GrB_VALUENE_BOOL, GrB_ROWLE, GrB_COLLE},
                       {GrB_LOR_MONOID_BOOL, GrB_LXOR_MONOID_BOOL},
                       GrB_LOR_LAND_SEMIRING_BOOL},
                      {"FP64",
                       {GrB_FP64, GrB_FP64, GrB_FP64, GrB_FP64},
                       CLOSE,
                       false,
                       {GrB_PLUS_FP64, GrB_TIMES_FP64, GrB_MIN_FP64, GrB_FIRST_FP64},
                       {GrB_PLUS_FP64, GrB_MAX_FP64},
                       {GrB_ABS_FP64, GrB_IDENTITY_FP64, GrB_ABS_FP64, GrB_IDENTITY_FP64},
                       {GrB_ROWINDEX_INT64, GrB_ROWLE, GrB_VALUEGT_FP64, GrB_VALUEEQ_FP64},
                       {GrB_ROWGT, GrB_VALUEGT_FP64, GrB_VALUENE_FP64, GrB_ROWLE},
                       {GrB_PLUS_MONOID_FP64, GrB_MIN_MONOID_FP64},
                       GrB_PLUS_TIMES_SEMIRING_FP64},
                      {"mixed",
                       {GrB_FP32, GrB_INT16, GrB_UINT64, GrB_FP32},
                       EXACT,
                       false,
                       {GrB_PLUS_INT32, GrB_MIN_INT16, GrB_MAX_FP32, GrB_LT_INT32},
                       {GrB_PLUS_INT32, GrB_MIN_INT16},
                       {GrB_ABS_INT32, GrB_IDENTITY_INT16, GrB_LNOT, GrB_ABS_FP64},
                       {GrB_ROWINDEX_INT32, GrB_VALUEGT_INT32, GrB_VALUENE_FP64, GrB_ROWLE},
                       {GrB_VALUEGT_INT32, GrB_VALUENE_FP64, GrB_ROWLE, GrB_VALUELE_UINT8},
                       {GrB_PLUS_MONOID_INT32, GrB_MAX_MONOID_UINT8},
                       GrB_MIN_PLUS_SEMIRING_INT32},
                      USER(0),
                      USER(1)};
#undef USER
  nsuits = sizeof all / sizeof *all;
  memcpy(suits, all, sizeof all);
}

/* One call: its arguments drawn. */
typedef struct {
  int op, w, u, v, mask, choice; /* numbers in the pool; mask -1: none */
  GrB_BinaryOp accum;
  GrB_Descriptor d;
  const char *d_name;
  bool all, empty;
  uint64_t ni;
  int32_t x;
  three x3;
} call;

enum {
  ADD,
  MULT,
  ADD_MONOID,
  MULT_SEMIRING,
  APPLY,
  FIRST,
  SECOND,
  INDEX,
  SELECT,
  ASSIGN,
  ASSIGN_VALUE,
  ASSIGN_SCALAR,
  EXTRACT,
  GATHER,
  SCATTER,
  REDUCE,
  SET,
  REMOVE,
  GET,
  DUP,
  CLEAR,
  WAIT,
  CALLS
};
static const char *const call_name[] = {
    "eWiseAdd",   "eWiseMult",     "eWiseAdd monoid", "eWiseMult semiring",
    "apply",      "BinaryOp1st",   "BinaryOp2nd",     "IndexOp",
    "select",     "assign vector", "assign value",    "assign GrB_Scalar",
    "extract",    "gather",        "scatter",         "reduce",
    "setElement", "removeElement", "extractElement",  "dup",
    "clear",      "wait"};

static GrB_Vector pool[POOL], index_vector;
static GrB_Index pool_n, indices[LONGEST];

/* A list of indices, in which none occurs twice if `once`. */
static void draw_list(uint64_t ni, bool once) {
  draw_order(indices, pool_n, once);
  if (once && draw_one_in(2)) qsort(indices, ni, sizeof *indices, by_number);
}

/* The list as a vector, of some type that holds it, some of its entries away. */
static void draw_positions(bool away) {
  const GrB_Type types[] = {GrB_INT64, GrB_UINT64, GrB_INT32, GrB_UINT32, GrB_INT16};
  const GrB_Type t = types[draw(pool_n < INT16_MAX ? 5 : 4)];
  OK(GrB_Vector_free(&index_vector)), OK(GrB_Vector_new(&index_vector, t, pool_n));
  GrB_Index *all = malloc(pool_n * sizeof *all), n = 0;
  uint64_t *x = malloc(pool_n * sizeof *x);
  const uint64_t keep = away ? 1 + draw(4) : 1;
  for (GrB_Index k = 0; k < pool_n; k++)
    if (k % keep == 0) all[n] = k, x[n++] = indices[k];
  OK(GrB_Vector_build_UINT64(index_vector, all, x, n, NULL));
  free(all), free(x);
}

static void draw_call(call *c, const suit *s) {
  const GrB_Descriptor d[] = {NULL,       GrB_DESC_C,  GrB_DESC_S,  GrB_DESC_SC,
                              GrB_DESC_R, GrB_DESC_RC, GrB_DESC_RS, GrB_DESC_RSC};
  static const char *const d_name[] = {"none", "C", "S", "SC", "R", "RC", "RS", "RSC"};
  const int turns = (int)draw(3), which = (int)draw(8);
  memset(c, 0, sizeof *c);
  c->op = (int)draw(CALLS);
  if (c->op >= SET && draw_one_in(2)) c->op = (int)draw(SET); /* rather a large one */
  if (c->op == CLEAR && !draw_one_in(4)) c->op = ASSIGN_VALUE;
  c->w = turns, c->u = (turns + 1) % 3, c->v = (turns + 2) % 3;
  if (draw_one_in(4)) c->u = c->w;
  if (draw_one_in(6)) c->v = c->u;
  c->mask = draw_one_in(2) ? -1 : draw_one_in(4) ? c->w : draw_one_in(4) ? c->u : 3;
  c->choice = (int)draw(OPS);
  c->accum = draw_one_in(3) ? s->accum[draw(2)] : NULL;
  c->d = d[which], c->d_name = d_name[which];
  if (s->udt && c->mask >= 0 && c->mask < 3 && !(which & 2)) c->mask = 3; /* no truth in a user's type */
  if (s->udt && c->op == INDEX) c->op = SELECT;                           /* pick returns BOOL */
  c->all = draw_one_in(2);
  c->ni = c->op >= ASSIGN && c->op <= SCATTER && c->op != ASSIGN_VALUE && c->op != ASSIGN_SCALAR
              ? pool_n
              : draw(pool_n + 1);
  c->empty = draw_one_in(6);
  c->x = (int32_t)draw(9);
  for (int k = 0; k < 3; k++) c->x3.v[k] = (int)draw(20) - 5;
  draw_list(c->ni, c->op != EXTRACT && c->op != GATHER && (c->op != SCATTER || draw_one_in(2)));
  if (c->op == GATHER || c->op == SCATTER) draw_positions(draw_one_in(2));
}

static void describe(const call *c, const suit *s, const char *const form[POOL]) {
  static const char *const names[] = {"none", "v0", "v1", "v2", "v3"};
  set_current_call(
      "%s, types %s, n %llu (%s, %s, %s, %s): v%d from v%d v%d, mask %s, accum %s, descriptor %s, "
      "operator %d, %s%llu indices, value %d%s",
      call_name[c->op], s->name, (unsigned long long)pool_n, form[0], form[1], form[2], form[3], c->w, c->u,
      c->v, names[c->mask + 1], accum_name(c->accum), c->d_name, c->choice, c->all ? "all, not " : "",
      (unsigned long long)c->ni, (int)c->x, c->empty ? " or none" : "");
}

static void reduce_all(const call *c, const suit *s, GrB_Vector u) {
  if (s->udt) {
    three z = c->x3;
    OK(GrB_Vector_reduce_UDT(&z, c->accum, s->monoid[0], u, NULL));
    record_value("sum", EXACT, s->t[0], &z);
    return;
  }
  GrB_Monoid m = s->monoid[c->choice % 2];
  int64_t z = c->x;
  double real = c->x;
  GrB_Scalar sum = NULL;
  if (s->how == CLOSE) {
    OK(GrB_Vector_reduce_FP64(&real, c->accum, m, u, NULL));
    record_value("sum", CLOSE, GrB_FP64, &real);
  } else {
    OK(GrB_Vector_reduce_INT64(&z, c->accum, m, u, NULL));
    record_number("sum", z);
  }
  OK(GrB_Scalar_new(&sum, GrB_FP64));
  OK(GrB_Vector_reduce_Monoid_Scalar(sum, NULL, m, u, NULL));
  MAY(GrB_Scalar_extractElement_FP64(&real, sum));
  record_value("sum in a GrB_Scalar", s->how, GrB_FP64, &real);
  OK(GrB_Scalar_free(&sum));
}

static void element(const call *c, const suit *s, GrB_Vector w) {
  const GrB_Index i = draw(pool_n), last = draw(2) ? pool_n - 1 : i;
  int32_t x = 0;
  three x3 = {{0, 0, 0}};
  if (c->op == REMOVE) OK(GrB_Vector_removeElement(w, last));
  if (c->op == SET && s->udt) OK(GrB_Vector_setElement_UDT(w, &c->x3, last));
  if (c->op == SET && !s->udt) OK(GrB_Vector_setElement_INT32(w, c->x, last));
  if (c->op == GET && s->udt) OK(GrB_Vector_extractElement_UDT(&x3, w, last));
  if (c->op == GET && !s->udt) OK(GrB_Vector_extractElement_INT32(&x, w, last));
  record_number("element", x + 100 * x3.v[0]);
}

static void assign_value(const call *c, const suit *s, GrB_Vector w, GrB_Vector m, const GrB_Index *I) {
  if (c->op == ASSIGN_VALUE && s->udt)
    OK(GrB_Vector_assign_UDT(w, m, c->accum, &c->x3, I, c->ni, c->d));
  else if (c->op == ASSIGN_VALUE)
    OK(GrB_Vector_assign_INT32(w, m, c->accum, c->x, I, c->ni, c->d));
  if (c->op == ASSIGN_VALUE) return;
  GrB_Scalar x = NULL;
  OK(GrB_Scalar_new(&x, s->udt ? s->t[0] : GrB_INT32));
  if (!c->empty && s->udt) OK(GrB_Scalar_setElement_UDT(x, &c->x3));
  if (!c->empty && !s->udt) OK(GrB_Scalar_setElement_INT32(x, c->x));
  OK(GrB_Vector_assign_Scalar(w, m, c->accum, x, I, c->ni, c->d));
  OK(GrB_Scalar_free(&x));
}

static void do_call(const call *c, const suit *s) {
  GrB_Vector w = pool[c->w], u = pool[c->u], v = pool[c->v], m = c->mask < 0 ? NULL : pool[c->mask];
  const GrB_Index *I = c->all ? GrB_ALL : indices;
  GrB_BinaryOp f = s->binary[c->choice];
  switch (c->op) {
    case ADD:
      OK(GrB_Vector_eWiseAdd_BinaryOp(w, m, c->accum, f, u, v, c->d));
      break;
    case MULT:
      OK(GrB_Vector_eWiseMult_BinaryOp(w, m, c->accum, f, u, v, c->d));
      break;
    case ADD_MONOID:
      OK(GrB_Vector_eWiseAdd_Monoid(w, m, c->accum, s->monoid[0], u, v, c->d));
      break;
    case MULT_SEMIRING:
      OK(GrB_Vector_eWiseMult_Semiring(w, m, c->accum, s->semiring, u, v, c->d));
      break;
    case APPLY:
      OK(GrB_Vector_apply(w, m, c->accum, s->unary[c->choice], u, c->d));
      break;
    case FIRST:
      if (s->udt)
        OK(GrB_Vector_apply_BinaryOp1st_UDT(w, m, c->accum, f, &c->x3, u, c->d));
      else
        OK(GrB_Vector_apply_BinaryOp1st_INT32(w, m, c->accum, f, c->x, u, c->d));
      break;
    case SECOND:
      if (s->udt)
        OK(GrB_Vector_apply_BinaryOp2nd_UDT(w, m, c->accum, f, u, &c->x3, c->d));
      else
        OK(GrB_Vector_apply_BinaryOp2nd_INT32(w, m, c->accum, f, u, c->x, c->d));
      break;
    case INDEX:
      OK(GrB_Vector_apply_IndexOp_INT32(w, m, c->accum, s->index[c->choice], u, c->x, c->d));
      break;
    case SELECT:
      if (s->udt)
        OK(GrB_Vector_select_UDT(w, m, c->accum, s->pick[c->choice], u, &c->x3, c->d));
      else
        OK(GrB_Vector_select_INT32(w, m, c->accum, s->pick[c->choice], u, c->x, c->d));
      break;
    case ASSIGN:
      OK(GrB_Vector_assign(w, m, c->accum, u, I, c->ni, c->d));
      break;
    case ASSIGN_VALUE:
    case ASSIGN_SCALAR:
      assign_value(c, s, w, m, I);
      break;
    case EXTRACT:
      OK(GrB_Vector_extract(w, m, c->accum, u, I, c->ni, c->d));
      break;
    case GATHER:
      draw_exchange_limit();
      OK(Grid_Vector_gather(w, m, c->accum, u, index_vector, c->d));
      break;
    case SCATTER: /* without an operator duplicates may be an error */
      draw_exchange_limit();
      MAY(Grid_Vector_scatter(w, m, c->accum, c->empty ? NULL : s->accum[c->choice % 2], u, index_vector,
                              c->d));
      break;
    case REDUCE:
      reduce_all(c, s, u);
      break;
    case DUP: /* the copy replaces its original: same type */
      OK(GrB_Vector_dup(&v, u));
      OK(GrB_Vector_free(&pool[c->u]));
      pool[c->u] = v;
      break;
    case CLEAR:
      OK(GrB_Vector_clear(w));
      break;
    case WAIT:
      OK(GrB_Vector_wait(w, draw(2) ? GrB_MATERIALIZE : GrB_COMPLETE));
      break;
    default:
      element(c, s, w);
  }
}

/* A dozen operations on the same vectors. */
static void vector_operations(void) {
  const suit *s = &suits[draw(nsuits)];
  const char *form[POOL];
  const bool reads_values = draw_one_in(3),
             count = draw_one_in(2); /* read every result; read only its number of entries */
  set_current_call("the operations' vectors");
  pool_n = draw_size();
  for (int k = 0; k < POOL; k++) pool[k] = draw_vector(s->t[k], pool_n, NUMBERS, &form[k]);
  for (int step = 0; step < 12; step++) {
    call c;
    GrB_Index nvals = 0;
    draw_call(&c, s);
    change_device();
    describe(&c, s, form);
    do_call(&c, s);
    if (count) OK(GrB_Vector_nvals(&nvals, pool[c.w])), record_number("nvals", (int64_t)nvals);
    if (reads_values || verbose_values) record_entries("w", s->how, pool[c.w], s->t[c.w]);
  }
  for (int k = 0; k < POOL; k++) {
    static const char *const names[] = {"v0 at the end", "v1 at the end", "v2 at the end", "v3 at the end"};
    record_entries(names[k], s->how, pool[k], s->t[k]);
    OK(GrB_Vector_free(&pool[k]));
  }
  OK(GrB_Vector_free(&index_vector));
}

static void operations(void **state) {
  (void)state;
  run_rounds("operations", 300, 20, vector_operations);
}

/* ---- elements, tuples and sizes of vectors ------------------------------------------------------------- */

static void vector_elements(void) {
  static GrB_Index at[3000], tuple[LONGEST];
  static int16_t x[3000];
  static int32_t y[LONGEST];
  const GrB_Type types[] = {GrB_INT32, GrB_FP64, GrB_BOOL, GrB_UINT8};
  const GrB_BinaryOp dups[] = {NULL, GrB_PLUS_FP64, GrB_MAX_INT32, GrB_SECOND_INT16};
  const GrB_Type t = types[draw(4)];
  const uint64_t nt = draw(small_sizes ? 100 : 3000);
  const int dup = (int)draw(4);
  GrB_Index n = draw_size(), nvals = LONGEST;
  GrB_Vector v = NULL, copy = NULL;
  set_current_call("build %s, n %llu, %llu tuples, dup %s", grid_type_name(t), (unsigned long long)n,
                   (unsigned long long)nt, dups[dup] ? dups[dup]->name : "none");
  for (uint64_t k = 0; k < nt; k++) at[k] = draw(n), x[k] = (int16_t)draw(7);
  OK(GrB_Vector_new(&v, t, n));
  MAY(GrB_Vector_build_INT16(v, at, x, nt, dups[dup])); /* without dup two alike are an error */
  record_entries("v", EXACT, v, t);
  MAY(GrB_Vector_build_INT16(v, at, x, 1, dups[dup])); /* it is not empty, as a rule */
  for (int k = 0; k < 12; k++) {
    const GrB_Index i = draw(n + n / 8 + 1);
    int32_t e = -1;
    change_device();
    set_current_call("elements of %s, n %llu, step %d, index %llu", grid_type_name(t), (unsigned long long)n,
                     k, (unsigned long long)i);
    if (draw_one_in(2)) MAY(GrB_Vector_setElement_INT32(v, (int32_t)draw(9), i));
    if (draw_one_in(3)) MAY(GrB_Vector_removeElement(v, i));
    if (draw_one_in(2)) MAY(GrB_Vector_extractElement_INT32(&e, v, i)), record_number("element", e);
    if (draw_one_in(2)) OK(GrB_Vector_nvals(&nvals, v)), record_number("nvals", (int64_t)nvals);
  }
  OK(GrB_Vector_dup(&copy, v));
  n = draw_size();
  set_current_call("resize to %llu", (unsigned long long)n);
  OK(GrB_Vector_resize(v, n));
  OK(GrB_Vector_nvals(&nvals, v)), record_number("nvals", (int64_t)nvals);
  OK(GrB_Vector_setElement_INT32(v, 3, n - 1));
  record_entries("v", EXACT, v, t);
  nvals = LONGEST;
  OK(GrB_Vector_extractTuples_INT32(tuple, y, &nvals, v));
  uint64_t sum = nvals;
  for (GrB_Index k = 0; k < nvals; k++) sum = sum * 31 + tuple[k] * 7 + (uint64_t)y[k];
  record_number("tuples, as one number", (int64_t)(sum % 1000003));
  if (nvals > 1) nvals--, MAY(GrB_Vector_extractTuples_INT32(tuple, y, &nvals, v));
  set_current_call("clear, and the copy of before");
  OK(GrB_Vector_clear(v));
  OK(GrB_Vector_nvals(&nvals, v)), record_number("nvals", (int64_t)nvals);
  OK(GrB_Vector_setElement_INT32(v, 2, 0));
  record_entries("v", EXACT, v, t), record_entries("copy", EXACT, copy, t);
  OK(GrB_Vector_free(&v)), OK(GrB_Vector_free(&copy));
}

static void elements(void **state) {
  (void)state;
  run_rounds("elements", 80, 8, vector_elements);
}

/* ---- matrices ------------------------------------------------------------------------------------------ */

static void record_degrees(GrB_Matrix A, GrB_Index n, bool by_column) {
  GrB_Vector d = NULL;
  OK(GrB_Vector_new(&d, GrB_INT64, n));
  OK(Grid_Matrix_degree(d, A, by_column));
  record_entries(by_column ? "in-degrees" : "out-degrees", EXACT, d, GrB_INT64);
  OK(GrB_Vector_free(&d));
}

/* Bytes may differ between backends. The host determines whether a matrix is symmetric when a product first
 * needs its columns, so both are compared once these exist; a split may be found by neither. */
static void record_storage(GrB_Matrix A) {
  Grid_Storage s = {0};
  OK(grid_matrix_require(A, GRID_READY));
  GrB_Info info = A->delegates.split ? GrB_SUCCESS : grid_matrix_require(A, GRID_COLS);
  if (info != GrB_SUCCESS) OK(info); /* noted by the side that fails alone: the other's may be split */
  OK(Grid_Matrix_storage(&s, A));
  record_number("storage: nvals", (int64_t)s.nvals);
  /* a short block of an uneven partition may be hypersparse on the host alone, which then has no index of
   * delegates */
  if (grid_partition_of(A->nrows)) return;
  /* where rows are whole a threshold has an effect on the host alone */
  if (A->hints.delegates < 0 || grid_ctx.C > 1) {
    record_number("storage: delegates", (int64_t)s.delegates);
    record_number("storage: threshold", s.threshold);
    record_number("storage: nn", (int64_t)s.nn);
    record_number("storage: nd", (int64_t)s.nd);
    record_number("storage: dn", (int64_t)s.dn);
    record_number("storage: dd", (int64_t)s.dd);
    /* the local matrices of a split are compressed on the device, as the block was; blocks that are
     * hypersparse on the host may have full axes there */
    if (s.delegates == 0) record_number("storage: symmetric", s.symmetric);
  }
  record_number("storage: it takes memory", s.nvals == 0 || s.bytes > 0);
}

static void record_product(GrB_Matrix A, GrB_Index nrows, GrB_Index ncols) {
  GrB_Vector u = NULL, w = NULL;
  OK(GrB_Vector_new(&u, GrB_INT64, nrows)), OK(GrB_Vector_new(&w, GrB_INT64, ncols));
  OK(GrB_Vector_assign_INT64(u, NULL, NULL, 2, GrB_ALL, nrows, NULL));
  OK(GrB_vxm(w, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_INT64, u, A, NULL));
  record_entries("column sums", EXACT, w, GrB_INT64);
  OK(GrB_Vector_free(&u)), OK(GrB_Vector_free(&w));
}

static void changes(GrB_Matrix A, GrB_Index nrows, GrB_Index ncols) {
  for (int k = 0; k < 6; k++) {
    const GrB_Index r = draw(nrows), c = draw(ncols);
    int32_t x = -1;
    if (draw_one_in(2)) OK(GrB_Matrix_setElement_INT32(A, (int32_t)draw(50), r, c));
    if (draw_one_in(3))
      OK(GrB_Matrix_removeElement(A, drawn.n ? drawn.at[drawn.n / 2].row : r,
                                  drawn.n ? drawn.at[drawn.n / 2].col : c));
    if (draw_one_in(3)) OK(GrB_Matrix_extractElement_INT32(&x, A, r, c)), record_number("element", x);
  }
}

static void matrix(void) {
  static GrB_Index row[EDGES], col[EDGES];
  static int32_t val[EDGES];
  const GrB_Type types[] = {GrB_BOOL, GrB_INT32, GrB_FP64, GrB_INT64};
  const GrB_Type t = types[draw(4)];
  const GrB_Index nrows = draw_size(), ncols = draw_one_in(2) ? nrows : draw_size();
  const bool distributed = draw_one_in(2), pattern = draw_one_in(2);
  const int flags =
      (nrows == ncols && draw_one_in(2) ? Grid_MIRROR : 0) | (draw_one_in(2) ? Grid_NO_LOOPS : 0);
  const GrB_BinaryOp dup = pattern || draw_one_in(6) ? NULL : draw_one_in(2) ? GrB_PLUS_INT32 : GrB_MIN_INT32;
  uint64_t n = 0;
  GrB_Matrix A = NULL, B = NULL;
  int64_t sum = 5;
  draw_graph(&drawn, nrows, ncols);
  for (uint64_t k = 0; k < drawn.given; k++) {
    const int32_t x = (int32_t)draw(20);
    if (is_local_tuple(k, distributed))
      row[n] = drawn.tuple[k].row, col[n] = drawn.tuple[k].col, val[n++] = x;
  }
  set_current_call("matrix %s %llu x %llu %s, %llu tuples, %s, dup %s, flags %d", grid_type_name(t),
                   (unsigned long long)nrows, (unsigned long long)ncols, drawn.form,
                   (unsigned long long)drawn.given, pattern ? "pattern" : "values", dup ? dup->name : "none",
                   flags);
  OK(GrB_Matrix_new(&A, t, nrows, ncols));
  MAY(Grid_Matrix_build(A, row, col, pattern ? NULL : val, pattern ? NULL : GrB_INT32, n, dup, flags));
  if (nrows == ncols)
    OK(GrB_Matrix_set_INT32(A, draw_one_in(3) ? (int32_t)draw(6) : Grid_DELEGATES_AUTO, Grid_DELEGATES));
  for (int step = 0; step < 4; step++) {
    change_device();
    switch (draw(7)) {
      case 0:
        record_storage(A);
        break;
      case 1:
        record_degrees(A, nrows, false), record_degrees(A, ncols, true);
        break;
      case 2:
        record_product(A, nrows, ncols);
        break;
      case 3:
        OK(GrB_Matrix_reduce_INT64(&sum, GrB_PLUS_INT64, GrB_PLUS_MONOID_INT64, A, NULL));
        record_number("sum", sum);
        break;
      case 4:
        changes(A, nrows, ncols);
        break;
      case 5:
        OK(GrB_Matrix_wait(A, draw_one_in(2) ? GrB_MATERIALIZE : GrB_COMPLETE));
        break;
      default:
        OK(GrB_Matrix_dup(&B, A));
        OK(GrB_Matrix_free(&A));
        A = B;
    }
  }
  record_matrix("the matrix", EXACT, A, t);
  if (draw_one_in(2)) OK(GrB_Matrix_clear(A)), OK(GrB_Matrix_setElement_INT32(A, 1, nrows - 1, ncols - 1));
  record_product(A, nrows, ncols);
  OK(GrB_Matrix_free(&A));
}

static void matrices(void **state) {
  (void)state;
  run_rounds("matrices", 120, 12, matrix);
}

/* ---- searches ------------------------------------------------------------------------------------------ */

static int32_t true_level[LONGEST];

/* The graph of the R-MAT tuples that all processes hold together, mirrored. */
static void rmat_graph(graph *g, int scale, uint64_t edgefactor, uint64_t number) {
  static GrB_Index row[EDGES], col[EDGES];
  Grid_Edges e = {0};
  OK(Grid_rmat(&e, scale, edgefactor, number));
  *g = (graph){
      .nrows = (GrB_Index)1 << scale, .ncols = (GrB_Index)1 << scale, .form = "R-MAT", .mirror = true};
  for (int root = 0; root < Grid_size(); root++) {
    uint64_t n = e.n < EDGES ? e.n : EDGES;
    OK(Grid_bcast(&n, sizeof n, root));
    if (Grid_rank() == root) memcpy(row, e.rows, n * 8), memcpy(col, e.cols, n * 8);
    OK(Grid_bcast(row, n * 8, root)), OK(Grid_bcast(col, n * 8, root));
    for (uint64_t k = 0; k < n; k++) give(g, row[k], col[k]);
  }
  Grid_Edges_free(&e);
  expand_tuples(g);
}

static GrB_Matrix pattern_of_graph(GrB_Type t) {
  static GrB_Index row[EDGES], col[EDGES];
  uint64_t n = 0;
  GrB_Matrix A = NULL;
  for (uint64_t k = 0; k < drawn.given; k++)
    if (is_local_tuple(k, true)) row[n] = drawn.tuple[k].row, col[n++] = drawn.tuple[k].col;
  OK(GrB_Matrix_new(&A, t, drawn.nrows, drawn.ncols));
  OK(Grid_Matrix_build(A, row, col, NULL, NULL, n, NULL, drawn.mirror ? Grid_MIRROR : 0));
  return A;
}

/* A pattern with a threshold: neither building it nor its products fall back to the CPU. Exceptions: a
 * hypersparse block, as on processes without rows of a small matrix; a program that alternates between the
 * devices; an operator without source text. */
static void divided(void) {
  const size_t users = 4; /* the kinds at the end */
  const kind *k = &kinds[draw(nkinds - users)];
  const bool plain = draw_one_in(2);
  const int32_t thresholds[] = {0, (int32_t)draw(8), (int32_t)draw(100), INT32_MAX, (int32_t)draw(8)};
  const int32_t threshold = thresholds[draw(5)];
  const int64_t before = count_fallbacks();
  const uint64_t longest = grid_tune.mxv_dense_max;
  set_current_call("a pattern to divide");
  if (!plain && draw_one_in(4))
    grid_tune.mxv_dense_max = 32; /* several processes: there only the block is used */
  if (plain) {
    rmat_graph(&drawn, 8 + (int)draw(3), 16, draw(100));
    drawn.mirror = draw_one_in(2), expand_tuples(&drawn);
  } else {
    const GrB_Index n = draw_size();
    draw_graph(&drawn, n, n);
  }
  GrB_Matrix A = pattern_of_graph(k->a);
  if (draw_one_in(3)) {
    OK(GrB_Matrix_set_INT32(A, threshold, Grid_DELEGATES));
    OK(GrB_Matrix_wait(A, GrB_MATERIALIZE));
  }
  multiply(k, A, "pattern", threshold);
  const bool all_have_rows = grid_chunk_length(drawn.nrows, grid_ctx.P - 1) > 0;
  const bool split_on_device = !grid_tune.uneven_partition; /* docs/limits.md */
  if (plain && !wandering && all_have_rows && split_on_device)
    record_number("done by the CPU", cpu_only ? 0 : count_fallbacks() - before);
  grid_tune.mxv_dense_max = longest;
}

static void delegates(void **state) {
  (void)state;
  /* blocks with 64-bit offsets are split on the host */
  if (grid_tune.offsets64_from < UINT64_C(1) << 32) skip();
  run_rounds("delegates", 300, 20, divided);
}

#ifdef GRID_TEST_RMAT
/* R-MAT graphs generated in place, against the same tuples built. */
static void rmat(void) {
  const int scale = 3 + (int)draw(small_sizes ? 5 : 10), flags = (int)draw(4);
  const uint64_t number = draw(50), edgefactor = 1 + draw(16);
  const GrB_Index n = (GrB_Index)1 << scale;
  const GrB_Type t = draw_one_in(2) ? GrB_BOOL : GrB_INT32;
  Grid_Edges e = {0};
  GrB_Matrix A = NULL, B = NULL;
  set_current_call("Grid_Matrix_rmat %s, scale %d, edge factor %llu, seed %llu, flags %d", grid_type_name(t),
                   scale, (unsigned long long)edgefactor, (unsigned long long)number, flags);
  OK(GrB_Matrix_new(&A, t, n, n)), OK(GrB_Matrix_new(&B, t, n, n));
  OK(Grid_Matrix_rmat(A, scale, edgefactor, number, flags));
  if (draw_one_in(2)) OK(GrB_Matrix_wait(A, GrB_MATERIALIZE));
  record_storage(A);
  record_product(A, n, n);
  change_device();
  record_matrix("A", EXACT, A, t);
  OK(Grid_rmat(&e, scale, edgefactor, number));
  OK(Grid_Matrix_build(B, e.rows, e.cols, NULL, NULL, e.n, NULL, flags));
  record_matrix("the same built of tuples", EXACT, B, t);
  OK(GrB_Matrix_free(&A)), OK(GrB_Matrix_free(&B));
  Grid_Edges_free(&e);
}

static void generated(void **state) {
  (void)state;
  run_rounds("generated", 20, 6, rmat);
}
#endif

static GrB_Matrix draw_search_graph(const char **form) {
  const GrB_Type types[] = {GrB_BOOL, GrB_BOOL, GrB_FP64, GrB_INT32};
  set_current_call("a graph to search");
  if (draw_one_in(4)) {
    const int scale = 6 + (int)draw(small_sizes ? 2 : 7);
    rmat_graph(&drawn, scale, 8, draw(100));
  } else {
    const GrB_Index n = draw_size();
    draw_graph(&drawn, n, n);
  }
  GrB_Matrix A = matrix_of(&drawn, types[draw(4)], NUMBERS, form);
  const int32_t variant = draw_one_in(3) ? (int32_t)draw(3) : Grid_DIRECTION_AUTO;
  OK(GrB_Matrix_set_INT32(A, direction(variant), Grid_DIRECTION));
  OK(GrB_Matrix_set_INT32(A, draw_one_in(6) ? (int32_t)draw(10) : Grid_DELEGATES_AUTO, Grid_DELEGATES));
  return A;
}

/* Grid_bfs against itself on the other side and against true levels. */
static void search(void) {
  const char *form;
  GrB_Matrix A = draw_search_graph(&form);
  for (int k = 0; k < 3; k++) {
    const GrB_Index source = draw_one_in(2) && drawn.n ? drawn.at[draw(drawn.n)].row : draw(drawn.nrows);
    const int64_t limit = draw_one_in(2) ? -1 : (int64_t)draw(6);
    const bool want_level = !draw_one_in(3), want_parent = !want_level || draw_one_in(2);
    GrB_Vector level = NULL, parent = NULL;
    int64_t wrong = 0;
    change_device();
    set_current_call("Grid_bfs, n %llu, %s%s %s, %llu edges, source %llu, limit %d%s%s",
                     (unsigned long long)drawn.nrows, drawn.form, drawn.mirror ? " mirrored" : "", form,
                     (unsigned long long)drawn.n, (unsigned long long)source, (int)limit,
                     want_level ? ", level" : "", want_parent ? ", parent" : "");
    true_levels(true_level, &drawn, source, limit);
    const family f = {.g = &drawn, .level = true_level};
    OK(Grid_bfs(want_level ? &level : NULL, want_parent ? &parent : NULL, A, source, limit));
    if (want_level) {
      const record *l = record_entries("level", EXACT, level, GrB_INT32);
      for (uint64_t e = 0; e < l->n; e++)
        wrong += ((const int32_t *)(const void *)l->val)[e] != true_level[l->at[e]];
      record_number("levels that are not the true ones", wrong);
      if (wrong) errors++;
    }
    if (want_parent) record_parents("parent", parent, GrB_INT64, &f);
    OK(GrB_Vector_free(&level)), OK(GrB_Vector_free(&parent));
  }
  OK(GrB_Matrix_free(&A));
}

static void searches(void **state) {
  (void)state;
  run_rounds("searches", 80, 10, search);
}

/* ---- a search as a user would write it, with deviations ------------------------------------------------ */

typedef struct {
  GrB_Matrix A;
  GrB_Index n;
  GrB_Vector q, level, parent, other, visited;
  GrB_Type q_type, level_type;
  GrB_Semiring reach;
  GrB_Descriptor d;
  int32_t depth, no_reads, stride; /* blind: levels without a call of nvals; stride: of the levels recorded */
  bool tree, by_mxv, mask_is_level, mask_is_visited, parent_first, done;
  compare_rule parents;
  uint64_t alone; /* what one process saw */
} loop;

/* What happens once in a loop, at one level, between two of its statements. */
typedef enum {
  NOTHING,
  STOP,
  READ_LEVEL,
  READ_Q,
  READ_PARENT,
  VISIT,
  FORGET,
  ADD_EDGE,
  REMOVE_EDGE,
  OTHER_PRODUCT,
  OTHER_SEMIRING,
  OTHER_MASK,
  BY_VALUE,
  NO_REPLACE,
  CLEAR_Q,
  ADD_TO_Q,
  DUP_Q,
  DUP_VISITED,
  FREE_Q,
  FREE_PARENT,
  FREE_LEVEL,
  FREE_A,
  DIRECTION,
  DEVICE,
  LEVEL_TWICE,
  OTHER_ASSIGN,
  WAITS,
  NO_COUNT,
  STRIDE,
  COUNT_TWICE,
  APPLY_Q,
  REDUCE_LEVEL,
  READ_ON_ONE,
  DEVIATIONS
} deviation;
static const char *const deviation_name[] = {"nothing",
                                             "stop",
                                             "read level",
                                             "read q",
                                             "read parent",
                                             "visit by hand",
                                             "forget a vertex",
                                             "add an edge",
                                             "remove an edge",
                                             "another product",
                                             "another semiring",
                                             "another mask",
                                             "mask by value",
                                             "no replace",
                                             "clear q",
                                             "add to q",
                                             "dup q",
                                             "dup visited",
                                             "free q",
                                             "free parent",
                                             "free level",
                                             "free A",
                                             "another direction",
                                             "another device",
                                             "level twice",
                                             "another assign",
                                             "wait",
                                             "no nvals",
                                             "levels by twos",
                                             "nvals twice",
                                             "apply to q",
                                             "reduce level",
                                             "one process alone looks"};
static struct {
  deviation what;
  int32_t depth;
  int point;
} plan;
enum { AFTER_PRODUCT, AFTER_COUNT, AFTER_LEVEL, AFTER_PARENT, POINTS };

static void new_objects(loop *s) {
  OK(GrB_Vector_new(&s->q, s->q_type, s->n));
  OK(GrB_Vector_new(&s->level, s->level_type, s->n));
  OK(GrB_Vector_new(&s->other, GrB_INT32, s->n));
  OK(GrB_Vector_new(&s->visited, GrB_BOOL, s->n));
  if (s->tree) OK(GrB_Vector_new(&s->parent, s->q_type, s->n));
}

static void begin_loop(loop *s, const GrB_Index *source, int sources) {
  s->depth = 0, s->stride = 1, s->parents = PARENT, s->done = false;
  for (int k = 0; k < sources; k++) {
    OK(GrB_Vector_setElement_INT64(s->q, s->tree ? (int64_t)source[k] : 1, source[k]));
    OK(GrB_Vector_setElement_INT32(s->level, 0, source[k]));
    OK(GrB_Vector_setElement_BOOL(s->visited, true, source[k]));
    if (s->tree) OK(GrB_Vector_setElement_INT64(s->parent, (int64_t)source[k], source[k]));
  }
}

static void clear_objects(loop *s) {
  OK(GrB_Vector_clear(s->q)), OK(GrB_Vector_clear(s->level));
  OK(GrB_Vector_clear(s->other)), OK(GrB_Vector_clear(s->visited));
  if (s->tree) OK(GrB_Vector_clear(s->parent));
}

static void end_loop(loop *s) {
  OK(GrB_Vector_free(&s->q)), OK(GrB_Vector_free(&s->level)), OK(GrB_Vector_free(&s->visited));
  OK(GrB_Vector_free(&s->parent)), OK(GrB_Vector_free(&s->other));
}

static void copy_of(GrB_Vector *v) {
  GrB_Vector copy = NULL;
  OK(GrB_Vector_dup(&copy, *v));
  OK(GrB_Vector_free(v));
  *v = copy;
}

/* Local calls, by one process: what it sees is compared when the loop is over. */
static void read_on_one_process(loop *s) {
  GrB_Index n = 0, rows = 0, entries = s->n;
  const int who = (int)draw((uint64_t)Grid_size());
  if (Grid_rank() != who) return;
  GrB_Index *at = malloc((s->n + 1) * sizeof *at);
  OK(GrB_Vector_size(&n, s->q)), OK(GrB_Matrix_nrows(&rows, s->A));
  assert_true(n == s->n && rows == s->n);
  OK(Grid_Vector_extractLocal(at, NULL, &entries, s->level));
  for (GrB_Index k = 0; k < entries; k++) s->alone += at[k] + 1;
  entries = s->n;
  OK(Grid_Vector_extractLocal(at, NULL, &entries, s->q));
  for (GrB_Index k = 0; k < entries; k++) s->alone += 3 * at[k] + 1;
  OK(Grid_Matrix_extractLocal(NULL, NULL, NULL, &entries, s->A));
  GrB_Index *row = malloc((entries + 1) * sizeof *row), *col = malloc((entries + 1) * sizeof *col);
  OK(Grid_Matrix_extractLocal(row, col, NULL, &entries, s->A));
  for (GrB_Index k = 0; k < entries; k++) assert_true(row[k] < s->n && col[k] < s->n);
  free(at), free(row), free(col);
}

/* Deviations that read results or that end the loop. */
static bool read_or_end(loop *s, GrB_Index v) {
  int64_t sum = 0;
  GrB_Index n = 0;
  int32_t x = -1;
  switch (plan.what) {
    case STOP:
      s->done = true;
      return true;
    case READ_LEVEL:
      OK(GrB_Vector_extractElement_INT32(&x, s->level, v)), record_number("level of one vertex", x);
      record_entries("level in the middle", EXACT, s->level, s->level_type);
      return true;
    case READ_Q:
      record_entries("q in the middle", PATTERN, s->q, s->q_type);
      return true;
    case READ_PARENT:
      if (!s->tree) return true;
      record_entries("parent in the middle", PATTERN, s->parent, s->q_type);
      OK(GrB_Vector_nvals(&n, s->parent)), record_number("parents", (int64_t)n);
      return true;
    case REDUCE_LEVEL:
      OK(GrB_Vector_reduce_INT64(&sum, NULL, GrB_PLUS_MONOID_INT64, s->level, NULL));
      record_number("sum of the levels", sum);
      return true;
    case COUNT_TWICE:
      OK(GrB_Vector_nvals(&n, s->q)), record_number("nvals(q)", (int64_t)n);
      OK(GrB_Vector_nvals(&n, s->level)), record_number("nvals(level)", (int64_t)n);
      return true;
    case READ_ON_ONE:
      read_on_one_process(s);
      return true;
    case WAITS:
      OK(GrB_Vector_wait(s->q, GrB_COMPLETE)), OK(GrB_Vector_wait(s->level, GrB_MATERIALIZE));
      OK(GrB_Matrix_wait(s->A, GrB_MATERIALIZE));
      return true;
    case FREE_Q:
      OK(GrB_Vector_free(&s->q));
      s->done = true;
      return true;
    case FREE_PARENT: /* the mask of the loop; a new, empty one replaces it */
      OK(GrB_Vector_free(&s->parent));
      s->tree = false, s->done = true;
      return true;
    case FREE_LEVEL:
      OK(GrB_Vector_free(&s->level));
      s->done = true;
      return true;
    case FREE_A:
      OK(GrB_Matrix_free(&s->A));
      s->done = true;
      return true;
    default:
      return false;
  }
}

/* Deviations that change what the loop works on. */
static void change(loop *s, GrB_Index v, GrB_Index u) {
  GrB_Vector t = NULL;
  switch (plan.what) {
    case VISIT:
      OK(GrB_Vector_setElement_INT32(s->level, 100, v));
      OK(GrB_Vector_setElement_BOOL(s->visited, true, v));
      if (s->tree) OK(GrB_Vector_setElement_INT64(s->parent, -7, v));
      s->parents = PATTERN; /* v may be in q already */
      break;
    case FORGET:
      OK(GrB_Vector_removeElement(s->level, v));
      OK(GrB_Vector_removeElement(s->visited, v));
      if (s->tree) OK(GrB_Vector_removeElement(s->parent, v));
      s->parents = PATTERN;
      break;
    case ADD_EDGE:
      OK(GrB_Matrix_setElement_INT32(s->A, 1, u, v));
      s->parents = PATTERN; /* `drawn` does not have it */
      break;
    case REMOVE_EDGE:
      if (drawn.n) OK(GrB_Matrix_removeElement(s->A, drawn.at[u % drawn.n].row, drawn.at[u % drawn.n].col));
      break;
    case OTHER_PRODUCT:
      OK(GrB_Vector_new(&t, GrB_UINT64, s->n));
      OK(GrB_vxm(t, NULL, NULL, Grid_PLUS_ONEB_SEMIRING_UINT64, s->q, s->A, NULL));
      record_entries("edges of q", EXACT, t, GrB_UINT64);
      OK(GrB_Vector_free(&t));
      break;
    case OTHER_SEMIRING:
      if (s->q_type == GrB_INT64) s->reach = Grid_MIN_SECONDI_SEMIRING_INT64;
      break;
    case OTHER_MASK:
      s->mask_is_level = !s->mask_is_level, s->mask_is_visited = false;
      break;
    case BY_VALUE: /* the sources have level 0: they are found again */
      s->d = s->by_mxv ? GrB_DESC_RCT0 : GrB_DESC_RC;
      s->mask_is_level = true, s->mask_is_visited = false, s->parents = PATTERN;
      break;
    case NO_REPLACE:
      s->d = s->by_mxv ? GrB_DESC_SCT0 : GrB_DESC_SC;
      s->parents = PATTERN;
      break;
    case CLEAR_Q:
      OK(GrB_Vector_clear(s->q));
      break;
    case ADD_TO_Q:
      OK(GrB_Vector_setElement_INT64(s->q, 1, v));
      s->parents = PATTERN;
      break;
    case DUP_Q:
      copy_of(&s->q);
      break;
    case DUP_VISITED:
      copy_of(&s->level);
      copy_of(&s->visited);
      if (s->tree) copy_of(&s->parent);
      break;
    case DIRECTION:
      OK(GrB_Matrix_set_INT32(s->A, direction((int32_t)(u % 3)), Grid_DIRECTION));
      break;
    case DEVICE:
      OK(to_device(Grid_CPU));
      break;
    case LEVEL_TWICE:
      OK(GrB_Vector_assign_INT32(s->level, s->q, NULL, 77, GrB_ALL, s->n, GrB_DESC_S));
      OK(GrB_Vector_assign_INT32(s->level, s->q, NULL, s->depth, GrB_ALL, s->n, GrB_DESC_S));
      if (s->tree && plan.point < AFTER_LEVEL) s->parents = PATTERN;
      break;
    case OTHER_ASSIGN:
      OK(GrB_Vector_assign_INT32(s->other, s->q, GrB_PLUS_INT32, s->depth, GrB_ALL, s->n, GrB_DESC_S));
      break;
    case NO_COUNT:
      s->no_reads = 3;
      break;
    case STRIDE:
      s->stride = 2, s->parents = PATTERN;
      break;
    case APPLY_Q: /* q keeps its pattern */
      OK(GrB_Vector_apply(s->q, NULL, NULL, s->q_type == GrB_BOOL ? GrB_IDENTITY_BOOL : GrB_IDENTITY_INT64,
                          s->q, NULL));
      break;
    default:
      break;
  }
}

static void maybe_deviate(loop *s, int point) {
  const bool again = plan.what == READ_ON_ONE && s->depth > plan.depth; /* that one continues */
  if ((s->depth != plan.depth && !again) || point != plan.point || s->done) return;
  const GrB_Index v = draw(s->n), u = draw(s->n);
  if (!read_or_end(s, v)) change(s, v, u);
  if (s->parent_first && point == AFTER_LEVEL && (s->done || plan.what == CLEAR_Q))
    s->parents = PATTERN; /* the parents are noted, their levels are not */
}

static void record_level(loop *s) {
  OK(GrB_Vector_assign_INT32(s->level, s->q, NULL, s->depth * s->stride, GrB_ALL, s->n, GrB_DESC_S));
}
static void record_parent(loop *s) {
  if (s->tree) OK(GrB_Vector_assign(s->parent, s->q, NULL, s->q, GrB_ALL, s->n, GrB_DESC_S));
}

/* One level. */
static void run_level(loop *s) {
  const int32_t longest = plan.what == NO_REPLACE ? 12
                          : small_sizes           ? 80
                                                  : 600; /* without replace q never empties */
  GrB_Index nq = 1;
  GrB_Vector mask = s->tree ? s->parent : s->level;
  if (s->mask_is_level) mask = s->level;
  if (s->mask_is_visited) mask = s->visited;
  s->depth++;
  if (s->by_mxv)
    OK(GrB_mxv(s->q, mask, NULL, s->reach, s->A, s->q, s->d));
  else
    OK(GrB_vxm(s->q, mask, NULL, s->reach, s->q, s->A, s->d));
  maybe_deviate(s, AFTER_PRODUCT);
  if (s->done) return;
  if (s->no_reads == 0) {
    OK(GrB_Vector_nvals(&nq, s->q));
    record_number("nvals(q)", (int64_t)nq);
  } else {
    s->no_reads--;
  }
  maybe_deviate(s, AFTER_COUNT);
  if (nq == 0 || s->done || s->depth > longest) {
    s->done = true;
    return;
  }
  if (s->mask_is_visited) OK(GrB_Vector_assign_BOOL(s->visited, s->q, NULL, true, GrB_ALL, s->n, GrB_DESC_S));
  s->parent_first ? record_parent(s) : record_level(s);
  maybe_deviate(s, AFTER_LEVEL);
  if (s->done) return;
  s->parent_first ? record_level(s) : record_parent(s);
  maybe_deviate(s, AFTER_PARENT);
}

static void record_loop(loop *s) {
  OK(Grid_sum(&s->alone, 1)), record_number("what one process saw alone", (int64_t)s->alone);
  if (s->level) record_entries("level", EXACT, s->level, s->level_type);
  if (s->q) record_entries("q", PATTERN, s->q, s->q_type);
  record_entries("other", EXACT, s->other, GrB_INT32);
  if (!s->parent) return;
  if (s->parents == PATTERN || !s->level) {
    record_entries("parent", PATTERN, s->parent, s->q_type);
    return;
  }
  const family f = {.g = &drawn, .level = true_level};
  levels_of(true_level, s->n, s->level);
  record_parents("parent", s->parent, s->q_type, &f);
}

static void draw_loop(loop *s) {
  const GrB_Semiring reach[] = {Grid_ANY_SECONDI_SEMIRING_INT64, Grid_ANY_SECONDI_SEMIRING_INT32,
                                Grid_ANY_ONEB_SEMIRING_BOOL, Grid_MIN_SECONDI_SEMIRING_INT64};
  const GrB_Type types[] = {GrB_INT64, GrB_INT32, GrB_BOOL, GrB_INT64};
  const int which = draw_one_in(2) ? 0 : (int)draw(4);
  *s = (loop){
      .reach = reach[which], .q_type = types[which], .level_type = draw_one_in(4) ? GrB_INT64 : GrB_INT32};
  s->tree = which != 2;
  s->by_mxv = draw_one_in(4);
  s->mask_is_level = draw_one_in(4);
  s->mask_is_visited = draw_one_in(5);
  s->parent_first = draw_one_in(4);
  s->d = s->by_mxv ? GrB_DESC_RSCT0 : GrB_DESC_RSC;
}

static int draw_sources(GrB_Index *source) {
  for (int j = 0; j < 3; j++)
    source[j] = draw_one_in(2) && drawn.n ? drawn.at[draw(drawn.n)].row : draw(drawn.nrows);
  return draw_one_in(3) ? 3 : 1;
}

/* Runs the searches to their ends, level by level in turn. False: one of them has freed the matrix. */
static bool take_turns(loop *s, int searches_at_once) {
  for (bool more = true; more;) {
    more = false;
    for (int k = 0; k < searches_at_once; k++) {
      if (!s[k].done) run_level(&s[k]);
      if (!s[k].A) return false;
      more = more || !s[k].done;
    }
  }
  return true;
}

/* One search, or two whose levels take turns; then maybe another with the objects of the first. */
static void user_loop(void) {
  const char *form;
  GrB_Matrix A = draw_search_graph(&form);
  loop s[2];
  GrB_Index source[3];
  const int searches_at_once = draw_one_in(4) ? 2 : 1;
  const bool again = draw_one_in(4);
  plan.what = (deviation)draw(DEVIATIONS);
  plan.depth = 1 + (int32_t)draw(draw_one_in(3) ? 1 : 4);
  plan.point = (int)draw(POINTS);
  for (int k = 0; k < searches_at_once; k++) {
    const int sources = draw_sources(source);
    draw_loop(&s[k]);
    s[k].A = A, s[k].n = drawn.nrows;
    set_current_call(
        "a loop, n %llu, %s%s %s, %llu edges, source %llu, %d sources; search %d of %d by %s%s%s%s%s; level "
        "%d point %d: %s",
        (unsigned long long)drawn.nrows, drawn.form, drawn.mirror ? " mirrored" : "", form,
        (unsigned long long)drawn.n, (unsigned long long)source[0], sources, k + 1, searches_at_once,
        s[k].by_mxv ? "mxv" : "vxm", s[k].tree ? ", tree" : "", s[k].mask_is_level ? ", mask level" : "",
        s[k].mask_is_visited ? ", mask visited" : "", s[k].parent_first ? ", parent first" : "",
        (int)plan.depth, plan.point, deviation_name[plan.what]);
    new_objects(&s[k]);
    begin_loop(&s[k], source, sources);
  }
  change_device();
  if (!take_turns(s, searches_at_once)) A = NULL;
  for (int k = 0; k < searches_at_once; k++) record_loop(&s[k]);
  if (A && again && s[0].q && s[0].level && (s[0].parent || !s[0].tree)) {
    plan.what = NOTHING;
    draw_sources(source);
    set_current_call("another search with the same objects, from %llu", (unsigned long long)source[0]);
    clear_objects(&s[0]);
    begin_loop(&s[0], source, 1);
    s[0].parents = PATTERN; /* A may have changed */
    take_turns(s, 1);
    record_loop(&s[0]);
  }
  for (int k = 0; k < searches_at_once; k++) end_loop(&s[k]);
  OK(GrB_Matrix_free(&A));
}

static void loops(void **state) {
  (void)state;
  run_rounds("loops", 400, 10, user_loop);
}

/* ---- algorithms ---------------------------------------------------------------------------------------- */

static void algorithm(void) {
  const char *form;
  GrB_Index source[2];
  GrB_Vector v = NULL;
  set_current_call("a graph for the algorithms");
  const GrB_Index n = 1 + draw(small_sizes ? 80 : 1500);
  do draw_graph(&drawn, n, n);
  while (!drawn.mirror);
  GrB_Matrix A = matrix_of(&drawn, GrB_BOOL, NUMBERS, &form);
  source[0] = draw(n), source[1] = draw(n);
  change_device();
  set_current_call("Grid_components, n %llu, %s %s", (unsigned long long)n, drawn.form, form);
  OK(Grid_components(&v, A));
  record_entries("component", EXACT, v, GrB_INT64);
  OK(GrB_Vector_free(&v));
  change_device();
  set_current_call("Grid_betweenness, n %llu, %s %s", (unsigned long long)n, drawn.form, form);
  OK(Grid_betweenness(&v, A, source, 2));
  record_entries("centrality", CLOSE, v, GrB_FP64);
  OK(GrB_Vector_free(&v)), OK(GrB_Matrix_free(&A));
}

static void algorithms(void **state) {
  (void)state;
  run_rounds("algorithms", 16, 8, algorithm);
}

/* ---- a search never falls back to the CPU -------------------------------------------------------------- */

static void run_on_both_sides(void **state) {
  (void)state;
  const char *form, *text;
  GrB_Vector level = NULL, parent = NULL;
  uint64_t count;
  if (cpu_only || Grid_size() > 1) skip(); /* several processes may do some of the work on the host */
  set_current_call("a search on the device");
  errors = 0, side = 1;
  assert_int_equal(to_device(Grid_CUDA), GrB_SUCCESS);
  rmat_graph(&drawn, 10, 16, 3);
  seed = 1;
  GrB_Matrix A = matrix_of(&drawn, GrB_BOOL, NUMBERS, &form);
  assert_int_equal(GrB_Matrix_wait(A, GrB_MATERIALIZE), GrB_SUCCESS);
  grid_fallback_reset();
  OK(Grid_bfs(&level, &parent, A, drawn.at[0].row, -1));
  assert_int_equal(GrB_Vector_wait(level, GrB_MATERIALIZE), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_wait(parent, GrB_MATERIALIZE), GrB_SUCCESS);
  for (int k = 0; (text = Grid_fallback(k, &count)); k++)
    print_message("the CPU did %llu times: %s\n", (unsigned long long)count, text), errors++;
  OK(GrB_Vector_free(&level)), OK(GrB_Vector_free(&parent)), OK(GrB_Matrix_free(&A));
  free_records(1);
  assert_int_equal(errors, 0);
}

/* ---- memory that runs out ------------------------------------------------------------------------------ */

typedef struct {
  GrB_Matrix A, B; /* a pattern that is symmetric; numbers */
  GrB_Vector u, w, mask, copy, level, parent;
  double sum;
} world;

static void make_world(world *o) {
  const char *form;
  memset(o, 0, sizeof *o);
  seed = 20;
  do draw_graph(&drawn, 700, 700);
  while (!drawn.mirror || drawn.n < 500);
  o->A = matrix_of(&drawn, GrB_BOOL, NUMBERS, &form);
  o->B = matrix_of(&drawn, GrB_FP64, REALS, &form);
  o->u = draw_vector(GrB_FP64, 700, REALS, &form);
  o->w = draw_vector(GrB_FP64, 700, REALS, &form);
  o->mask = draw_vector(GrB_BOOL, 700, NUMBERS, &form);
}

static void free_world(world *o) {
  OK(GrB_Matrix_free(&o->A)), OK(GrB_Matrix_free(&o->B));
  OK(GrB_Vector_free(&o->u)), OK(GrB_Vector_free(&o->w)), OK(GrB_Vector_free(&o->mask));
  OK(GrB_Vector_free(&o->copy)), OK(GrB_Vector_free(&o->level)), OK(GrB_Vector_free(&o->parent));
}

static void record_world(const world *o) {
  record_entries("u", EXACT, o->u, GrB_FP64), record_entries("w", CLOSE, o->w, GrB_FP64);
  record_entries("mask", EXACT, o->mask, GrB_BOOL);
  record_matrix("A", EXACT, o->A, GrB_BOOL), record_matrix("B", EXACT, o->B, GrB_FP64);
  record_value("sum", CLOSE, GrB_FP64, &o->sum);
  record_number("level is there", o->level != NULL), record_number("parent is there", o->parent != NULL);
  record_number("copy is there", o->copy != NULL);
  if (o->copy) record_entries("copy", EXACT, o->copy, GrB_FP64);
  if (o->level) record_entries("level", EXACT, o->level, GrB_INT32);
  if (o->parent) record_entries("parent", PATTERN, o->parent, GrB_INT64);
}

static GrB_Info direct(GrB_Matrix A, int32_t variant) {
  return GrB_Matrix_set_INT32(A, variant, Grid_DIRECTION);
}
static GrB_Info do_push(world *o) {
  GrB_Info info = direct(o->B, Grid_DIRECTION_PUSH);
  return info ? info : GrB_vxm(o->w, o->mask, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, o->u, o->B, NULL);
}
static GrB_Info do_pull(world *o) {
  GrB_Info info = direct(o->B, Grid_DIRECTION_PULL);
  return info ? info : GrB_mxv(o->w, o->mask, NULL, GrB_MIN_PLUS_SEMIRING_FP64, o->B, o->u, GrB_DESC_RC);
}
static GrB_Info do_in_place(world *o) {
  return GrB_vxm(o->w, o->w, GrB_PLUS_FP64, GrB_PLUS_TIMES_SEMIRING_FP64, o->w, o->A, GrB_DESC_S);
}
static GrB_Info do_divide(world *o) {
  GrB_Info info = GrB_Matrix_set_INT32(o->A, 6, Grid_DELEGATES);
  return info ? info : GrB_Matrix_wait(o->A, GrB_MATERIALIZE);
}
static GrB_Info do_divided(world *o) {
  GrB_Info info = do_divide(o);
  return info ? info : GrB_vxm(o->w, o->mask, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, o->u, o->A, NULL);
}
static GrB_Info do_apply(world *o) {
  return GrB_Vector_apply(o->w, o->mask, GrB_PLUS_FP64, GrB_ABS_FP64, o->u, NULL);
}
static GrB_Info do_select(world *o) {
  return GrB_Vector_select_FP64(o->w, NULL, NULL, GrB_VALUEGT_FP64, o->u, 1.0, NULL);
}
static GrB_Info do_add(world *o) {
  return GrB_Vector_eWiseAdd_BinaryOp(o->w, o->mask, NULL, GrB_PLUS_FP64, o->u, o->w, GrB_DESC_C);
}
static GrB_Info do_assign(world *o) {
  return GrB_Vector_assign_FP64(o->w, o->mask, NULL, 2.0, GrB_ALL, 700, GrB_DESC_RS);
}
static GrB_Info do_assign_list(world *o) {
  const GrB_Index at[] = {1, 64, 65, 699, 5};
  return GrB_Vector_assign_FP64(o->w, NULL, GrB_PLUS_FP64, 2.0, at, 5, NULL);
}
static GrB_Info do_extract(world *o) {
  return GrB_Vector_extract(o->w, o->mask, NULL, o->u, GrB_ALL, 700, NULL);
}
static GrB_Info do_reduce(world *o) {
  return GrB_Vector_reduce_FP64(&o->sum, NULL, GrB_PLUS_MONOID_FP64, o->u, NULL);
}
static GrB_Info do_row_sums(world *o) {
  return GrB_Matrix_reduce_Monoid(o->w, NULL, NULL, GrB_PLUS_MONOID_FP64, o->B, NULL);
}
static GrB_Info do_dup(world *o) {
  return GrB_Vector_dup(&o->copy, o->u);
}
static GrB_Info do_set(world *o) {
  return GrB_Vector_setElement_FP64(o->w, 4.0, 333);
}
static GrB_Info do_materialize(world *o) {
  return GrB_Matrix_wait(o->A, GrB_MATERIALIZE);
}
static GrB_Info do_bfs(world *o) {
  return Grid_bfs(&o->level, &o->parent, o->A, drawn.at[0].row, -1);
}
static GrB_Info do_components(world *o) {
  return Grid_components(&o->parent, o->A);
}

/* Deferred calls count too; then new objects are freed. */
static GrB_Info finish_world(world *o, GrB_Info (*f)(world *)) {
  GrB_Info info = f(o);
  GrB_Vector *made[] = {&o->copy, &o->level, &o->parent};
  if (info != GrB_SUCCESS) return info;
  info = GrB_Vector_wait(o->w, GrB_MATERIALIZE);
  for (int k = 0; k < 3; k++)
    if (info == GrB_SUCCESS && *made[k]) info = GrB_Vector_wait(*made[k], GrB_MATERIALIZE);
  for (int k = 0; k < 3 && info != GrB_SUCCESS; k++) GrB_Vector_free(made[k]);
  return info;
}

/* The k-th allocation from now on fails, and all behind it (k < 0: none): on the device, or on the host where
 * the CPU is both sides. */
static void fail_after(int64_t k) {
  if (cpu_only)
    grid_mem_fail_after(k);
  else
    grid_device_fail_after(k);
}
/* Would the next one fail? Then one may have failed. */
static bool is_next_allocation_failing(void) {
  void *p = cpu_only ? grid_malloc(1, 1) : grid_device_malloc(1, 1);
  if (cpu_only)
    grid_free(p);
  else
    grid_device_free(p);
  return p == NULL;
}
static int64_t live_blocks(void) {
  return cpu_only ? grid_mem_live() : grid_device_live();
}

static void record_world_as(int of_side, const world *o, const char *when) {
  side = of_side;
  set_current_call("%s", when);
  record_world(o);
  side = 1;
}

/* Runs f with one injected failure after the other, on all processes or on the last one alone, until it meets
 * none; *o then has the objects after it. A failure must be reported and leave all objects unchanged. */
static uint64_t retry_until_success(world *o, const char *name, GrB_Info (*f)(world *), bool alone) {
  char when[160];
  uint64_t bad = 0;
  for (int64_t k = 0; bad < 3; k += (small_sizes  ? 5
                                     : shares_gpu ? 3
                                                  : 1) +
                                    k / 16) { /* each of the first, some of the many */
    snprintf(when, sizeof when, "%s, allocation %lld failing%s (CPU: before, CUDA: after)", name,
             (long long)k, alone ? " on the last process" : "");
    free_records(0), free_records(1);
    errors = 0;
    record_world_as(0, o, when);
    if (!alone || Grid_rank() == Grid_size() - 1) fail_after(k);
    const GrB_Info info = finish_world(o, f);
    uint64_t hit = is_next_allocation_failing();
    fail_after(-1);
    if (Grid_max(&hit, 1) != GrB_SUCCESS) return bad + 1;
    if (info == GrB_SUCCESS && !hit) break;
    if (k > 3000) print_message("%s: there is no end\n", when), bad += 3;
    if (info == GrB_SUCCESS) { /* it did without */
      free_world(o), make_world(o);
      continue;
    }
    if (info != GrB_OUT_OF_MEMORY || !strstr(Grid_last_error(), "memory"))
      print_message("%s: %s: %s\n", when, Grid_info_name(info), Grid_last_error()), bad++;
    record_world_as(1, o, when);
    if (compare_sides("a failed call changed something") != 0) bad++;
  }
  return bad;
}

/* The same, with the required result of f, and without leaks. */
static uint64_t check_failure_handling(const char *name, GrB_Info (*f)(world *), bool alone) {
  world o, sound;
  uint64_t bad = 0;
  errors = 0;
  make_world(&sound);
  if (OK(finish_world(&sound, f)) != GrB_SUCCESS) bad++;
  free_world(&sound); /* cached properties exist now */
  const int64_t live = live_blocks();
  make_world(&o);
  bad += retry_until_success(&o, name, f, alone);
  free_records(0), free_records(1);
  make_world(&sound);
  if (OK(finish_world(&sound, f)) != GrB_SUCCESS) bad++;
  free_records(0), free_records(1);
  record_world_as(0, &sound, name), record_world_as(1, &o, name);
  errors = 0;
  if (compare_sides("after failures (CUDA) and without (CPU)") != 0) bad++;
  free_world(&o), free_world(&sound);
  free_records(0), free_records(1);
  if (live_blocks() != live)
    print_message("%s, process %d: %lld live blocks, %lld before\n", name, Grid_rank(),
                  (long long)live_blocks(), (long long)live),
        bad++;
  if (Grid_sum(&bad, 1) != GrB_SUCCESS) bad++;
  return bad;
}

static void memory(void **state) {
  (void)state;
  if (part > 0 || (shares_gpu && small_sizes)) skip(); /* it takes as long as all rounds, for each process */
  const struct {
    const char *name;
    GrB_Info (*f)(world *);
  } calls[] = {{"push", do_push},
               {"pull", do_pull},
               {"in place", do_in_place},
               {"apply", do_apply},
               {"dividing a matrix", do_divide},
               {"a divided product", do_divided},
               {"select", do_select},
               {"eWiseAdd", do_add},
               {"assign", do_assign},
               {"assign to a list", do_assign_list},
               {"extract", do_extract},
               {"reduce", do_reduce},
               {"row sums", do_row_sums},
               {"dup", do_dup},
               {"setElement", do_set},
               {"wait for a matrix", do_materialize},
               {"Grid_bfs", do_bfs},
               {"Grid_components", do_components}};
  const double begin = seconds();
  uint64_t bad = 0;
  side = 1;
  assert_int_equal(to_device(Grid_CUDA), GrB_SUCCESS);
  for (size_t k = 0; k < sizeof calls / sizeof *calls; k++)
    for (int alone = 0; alone < (Grid_size() > 1 ? 2 : 1); alone++)
      bad += check_failure_handling(calls[k].name, calls[k].f, alone != 0);
  if (Grid_rank() == 0) print_message("memory: %.1f s\n", seconds() - begin);
  assert_int_equal(bad, 0);
}

/* A vector of six times the device's memory on each process. */
static void too_large(void **state) {
  (void)state;
  Grid_Device_Info d = {.total = UINT64_C(1) << 41}; /* more than a host lends */
  GrB_Vector w = NULL;
  GrB_Index before = 0, after = 0;
  static const char *const words[] = {"device memory", "needs", "free", "hold"};
  side = 1, errors = 0;
  assert_int_equal(to_device(Grid_CUDA), GrB_SUCCESS);
  if (!cpu_only) assert_int_equal(Grid_device_info(&d), GrB_SUCCESS);
  const GrB_Index n = d.total / 8 * 6 * (GrB_Index)Grid_size();
  const int64_t live = live_blocks();
  assert_int_equal(GrB_Vector_new(&w, GrB_INT64, n), GrB_SUCCESS);
  GrB_Info info = GrB_Vector_assign_INT64(w, NULL, NULL, 1, GrB_ALL, n, NULL); /* iso: may need no memory */
  if (info == GrB_SUCCESS) info = GrB_Vector_nvals(&before, w);
  if (info == GrB_SUCCESS)
    info = GrB_Vector_apply_IndexOp_INT64(w, NULL, NULL, GrB_ROWINDEX_INT64, w, 0, NULL);
  if (info == GrB_SUCCESS) info = GrB_Vector_wait(w, GrB_MATERIALIZE);
  if (Grid_rank() == 0) print_message("too large: %s\n", Grid_last_error());
  assert_int_equal(info, GrB_OUT_OF_MEMORY);
  for (size_t k = 0; k < 4 && !cpu_only; k++)
    if (!strstr(Grid_last_error(), words[k])) fail_msg("\"%s\" is not in: %s", words[k], Grid_last_error());
  assert_int_equal(GrB_Vector_nvals(&after, w), GrB_SUCCESS);
  assert_int_equal(after, before);
  GrB_Vector_free(&w);
  assert_int_equal(live_blocks(), live);
  assert_int_equal(GrB_Vector_new(&w, GrB_INT64, 1000), GrB_SUCCESS); /* the device is still of use */
  assert_int_equal(GrB_Vector_assign_INT64(w, NULL, NULL, 1, GrB_ALL, 1000, NULL), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_nvals(&after, w), GrB_SUCCESS);
  assert_int_equal(after, 1000);
  GrB_Vector_free(&w);
}

/* ---- every row of the operator table ------------------------------------------------------------------- */

/* Values at the ends of the types, cast to t: u runs through them, v holds each for a whole run of u. */
enum { ENDS = 30 };
static GrB_Vector ends_of(GrB_Type t, bool slow) {
  static const double x[ENDS] = {0,          1,    -1,    2,      3,        7,        -8,         100,
                                 127,        128,  255,   256,    -129,     32767,    40000,      1e10,
                                 -1e10,      9e18, -1e19, 1.9e19, 0.5,      -0.5,     2147483647, -2147483648,
                                 4294967295, NAN,  1e-40, 1e300,  INFINITY, -INFINITY};
  GrB_Index at[ENDS * ENDS], n = 0;
  double val[ENDS * ENDS];
  GrB_Vector v = NULL;
  for (int k = 0; k < ENDS * ENDS; k++)
    if (is_local_tuple((uint64_t)k, true)) at[n] = (GrB_Index)k, val[n++] = x[slow ? k / ENDS : k % ENDS];
  OK(GrB_Vector_new(&v, t, ENDS * ENDS));
  OK(Grid_Vector_build(v, at, val, GrB_FP64, n, NULL));
  return v;
}

static GrB_Vector result_of(GrB_Type t) {
  GrB_Vector w = NULL;
  OK(GrB_Vector_new(&w, t, ENDS * ENDS));
  return w;
}

static void record_last_use(GrB_Vector w, GrB_Type t, GrB_Vector u, GrB_Vector v) {
  record_entries("w", EXACT, w, t);
  OK(GrB_Vector_free(&w)), OK(GrB_Vector_free(&u)), OK(GrB_Vector_free(&v));
}

static void unary_row(GrB_UnaryOp op, GrB_Type wt) {
  GrB_Vector u = ends_of(op->x, false), w = result_of(wt);
  set_current_call("unary operator %s from %s to %s", op->name, grid_type_name(op->x), grid_type_name(wt));
  OK(GrB_Vector_apply(w, NULL, NULL, op, u, NULL));
  record_last_use(w, wt, u, NULL);
}

/* An operator of reals that every processor computes exactly: each number, and its neighbors toward 0 in FP64
 * and FP32, with both signs. The reciprocals show the sign of a zero. */
static void exact_row(GrB_UnaryOp op) {
  static const double x[] = {0,      0.25,   0.5,    0.75,   1,       1.5,     2,        2.5,     3,
                             1e10,   1e300,  1e-40,  5e-324, DBL_MIN, DBL_MAX, FLT_MIN,  FLT_MAX, 0x1p23,
                             0x1p24, 0x1p31, 0x1p51, 0x1p52, 0x1p53,  0x1p63,  INFINITY, NAN};
  enum { COUNT = 6 * sizeof x / sizeof *x };
  GrB_Index at[COUNT], n = 0;
  double val[COUNT];
  GrB_Vector u = NULL, w = NULL, reciprocal = NULL;
  for (int k = 0; k < COUNT; k++) {
    const double y = x[k / 6], z = k / 2 % 3 == 0   ? y
                                   : k / 2 % 3 == 1 ? nextafter(y, 0)
                                                    : (double)nextafterf((float)y, 0);
    if (is_local_tuple((uint64_t)k, true)) at[n] = (GrB_Index)k, val[n++] = k % 2 ? -z : z;
  }
  OK(GrB_Vector_new(&u, op->x, COUNT)), OK(GrB_Vector_new(&w, op->z, COUNT));
  OK(GrB_Vector_new(&reciprocal, GrB_FP64, COUNT));
  OK(Grid_Vector_build(u, at, val, GrB_FP64, n, NULL));
  const int64_t before = count_fallbacks();
  set_current_call("exact operator %s of %s", op->name, grid_type_name(op->x));
  OK(GrB_Vector_apply(w, NULL, NULL, op, u, NULL));
  OK(GrB_Vector_apply(reciprocal, NULL, NULL, GrB_MINV_FP64, w, NULL));
  record_number("done by the CPU", cpu_only ? 0 : count_fallbacks() - before);
  record_entries("1 / w", EXACT, reciprocal, GrB_FP64);
  OK(GrB_Vector_free(&reciprocal));
  record_last_use(w, op->z, u, NULL);
}

static void binary_row(GrB_BinaryOp op) {
  GrB_Vector u = ends_of(op->x, false), v = ends_of(op->y, true), w = result_of(op->z);
  set_current_call("binary operator %s", op->name);
  if (op == Grid_ANY_BOOL || strncmp(op->name, "ANY", 3) == 0 || strstr(op->name, "_ANY_"))
    OK(GrB_Vector_eWiseMult_BinaryOp(w, NULL, NULL, op, u, u, NULL)); /* either is right: the same */
  else
    OK(GrB_Vector_eWiseMult_BinaryOp(w, NULL, NULL, op, u, v, NULL));
  record_last_use(w, op->z, u, v);
}

static void index_row(GrB_IndexUnaryOp op) {
  const GrB_Type t = op->x ? op->x : GrB_INT32;
  GrB_Vector u = ends_of(t, false), w = result_of(op->z), v = result_of(t);
  set_current_call("index operator %s", op->name);
  OK(GrB_Vector_apply_IndexOp_INT32(w, NULL, NULL, op, u, 3, NULL));
  if (op->z == GrB_BOOL) OK(GrB_Vector_select_INT32(v, NULL, NULL, op, u, 1, NULL));
  record_entries("selected", EXACT, v, t);
  record_last_use(w, op->z, u, v);
}

static void monoid_row(GrB_Monoid m) {
  const char *form;
  const GrB_Type t = m->op->z;
  GrB_Vector u = draw_vector(t, 500, m->any ? ALIKE : NUMBERS, &form);
  double sum = 0;
  set_current_call("monoid of %s, %s", m->op->name, form);
  OK(GrB_Vector_reduce_FP64(&sum, NULL, m, u, NULL));
  record_value("sum", CLOSE, GrB_FP64, &sum);
  OK(GrB_Vector_free(&u));
}

static void semiring_row(GrB_Semiring s) {
  const char *form, *u_form;
  const values of = s->add->any ? ALIKE : NUMBERS;
  GrB_Vector u, w = NULL;
  if (s->add->any && !s->mul->f) return; /* any parent: see products */
  draw_graph(&drawn, 90, 90);
  set_current_call("semiring %s %s", s->add->op->name, s->mul->name);
  GrB_Matrix A = matrix_of(&drawn, s->mul->f ? s->mul->x : GrB_BOOL, of, &form);
  u = draw_vector(s->mul->f ? s->mul->y : GrB_BOOL, 90, of, &u_form);
  for (int32_t variant = Grid_DIRECTION_PUSH; variant <= Grid_DIRECTION_PULL; variant++) {
    set_current_call("semiring %s %s, %s, A %s %s, u %s", s->add->op->name, s->mul->name,
                     variant_name[variant], drawn.form, form, u_form);
    OK(GrB_Vector_new(&w, s->add->op->z, 90));
    OK(GrB_Matrix_set_INT32(A, direction(variant), Grid_DIRECTION));
    OK(GrB_mxv(w, NULL, NULL, s, A, u, NULL));
    record_entries("w", CLOSE, w, s->add->op->z);
    OK(GrB_Vector_free(&w));
  }
  OK(GrB_Matrix_free(&A)), OK(GrB_Vector_free(&u));
}

/* All rows; `to` of a unary operator: the type that its result is cast to. */
typedef struct {
  GrB_UnaryOp unary, exact;
  GrB_BinaryOp binary;
  GrB_IndexUnaryOp index;
  GrB_Monoid monoid;
  GrB_Semiring semiring;
  GrB_Type to;
} table_row;
static table_row rows[1000];
static int nrows_of_table;

static void list_rows(void) {
#define UNARY(P, NAME, OP, T, Z, E)            {.unary = P##_##NAME, .to = P##_##NAME->z},
#define EXACT_ROW(OP, T, Z, E)                 {.exact = GxB_##OP##_##T},
#define BINARY(P, NAME, OP, T, Z, UX, UY, E)   {.binary = P##_##NAME},
#define INDEX_ROW(P, NAME, OP, T, Y, Z, UX, E) {.index = P##_##NAME},
#define MONOID(P, OP, T, ID, TERM, HAS, IDEM)  {.monoid = P##_##OP##_MONOID_##T},
#define SEMIRING(P_ADD, MUL, T)                {.semiring = GrB_##P_ADD##_##MUL##_SEMIRING_##T},
#define SEMIRING_GRID(P_ADD, MUL, T)           {.semiring = Grid_##P_ADD##_##MUL##_SEMIRING_##T},
#define TO(FROM, T)                            {.unary = GrB_IDENTITY_##FROM, .to = GrB_##T},
#define CASTS(T, C)                            GRID_WITH_TYPES(TO, T)
  const table_row all[] = {GRID_UNARY_OPS(UNARY) GRID_GXB_UNARY_EXACT(EXACT_ROW) GRID_TYPES(CASTS)
                               GRID_BINARY_OPS(BINARY) GRID_INDEX_OPS(INDEX_ROW) GRID_MONOIDS(MONOID)
                                   GRID_SEMIRINGS_GRB(SEMIRING) GRID_SEMIRINGS_GRID(SEMIRING_GRID)};
  nrows_of_table = (int)(sizeof all / sizeof *all);
  assert_true(nrows_of_table <= 1000);
  memcpy(rows, all, sizeof all);
}

static void one_row(void) {
  const table_row *r = &rows[round_now];
  if (r->unary) unary_row(r->unary, r->to);
  if (r->exact) exact_row(r->exact);
  if (r->binary) binary_row(r->binary);
  if (r->index) index_row(r->index);
  if (r->monoid) monoid_row(r->monoid);
  if (r->semiring) semiring_row(r->semiring);
}

static void operators(void **state) {
  (void)state;
  list_rows();
  run_rounds("operators", nrows_of_table, 400, one_row);
}

/* ---- all ----------------------------------------------------------------------------------------------- */

static int start(void **state) {
  (void)state;
  make_user();
  make_kinds();
  make_suits();
  return 0;
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(compare_detects_changes),
                                     cmocka_unit_test(products),
                                     cmocka_unit_test(operations),
                                     cmocka_unit_test(elements),
                                     cmocka_unit_test(matrices),
                                     cmocka_unit_test(searches),
                                     cmocka_unit_test(delegates),
#ifdef GRID_TEST_RMAT
                                     cmocka_unit_test(generated),
#endif
                                     cmocka_unit_test(loops),
                                     cmocka_unit_test(algorithms),
                                     cmocka_unit_test(run_on_both_sides),
                                     cmocka_unit_test(memory),
                                     cmocka_unit_test(too_large),
                                     cmocka_unit_test(operators)};
  GrB_Mode mode = GrB_NONBLOCKING;
  const char *only = NULL;
  for (int k = 1; k < argc; k++)
    if (strcmp(argv[k], "blocking") == 0)
      mode = GrB_BLOCKING;
    else
      only = argv[k];
  read_settings();
  if (!only && replay_round < 0) cmocka_set_skip_filter("operators");
  RUN_SIDES(tests, start, mode, only);
}
