/* GrB_mxv and GrB_vxm: random products in all directions, and rows of up to 100 tiles. */
#ifndef GRID_CUDA_PRODUCTS_H
#define GRID_CUDA_PRODUCTS_H
#include "spmat/matrix/balanced_tiles.h"
#include "tests/cuda/round_objects.h"

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

/* Pulls with sums use balanced tiles in order of degree, all together or by panels of columns, balanced tiles
 * only, blocks of rows, or what the library chooses. */
static void draw_tiles(void) {
  const uint64_t order_entries = draw_one_in(2) ? 0 : GRID_TUNE_NEVER;
  const bool as_even = draw_one_in(2);
  if (draw_one_in(3)) return;
  grid_tune.tiles_entries = grid_tune.tiles_pulls = grid_tune.tiles_order_pulls = 0;
  grid_tune.tiles_long_share = grid_tune.tiles_allowed_share = grid_tune.tiles_hub_share = 0;
  grid_tune.tiles_order_entries = order_entries;
  grid_tune.tiles_panel_entries = draw_one_in(2) ? 0 : GRID_TUNE_NEVER;
  grid_tune.tiles_panel_columns = 1 + draw(100);
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
  const GrB_Semiring second = ints ? GrB_MIN_SECOND_SEMIRING_INT64 : GxB_PLUS_SECOND_FP64;
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
  OK(GrB_mxv(w, NULL, NULL, second, A, u, NULL));
  record_entries("w", ints ? EXACT : CLOSE, w, t);
  OK(GrB_assign(u, NULL, NULL, 1, GrB_ALL, ncols, NULL)); /* full */
  OK(GrB_mxv(w, NULL, ints ? GrB_MIN_INT64 : GrB_PLUS_FP64,
             ints ? GrB_MAX_FIRST_SEMIRING_INT64 : GrB_PLUS_TIMES_SEMIRING_FP64, A, u, NULL));
  record_entries("w", ints ? EXACT : CLOSE, w, t);
  OK(GrB_assign(w, NULL, NULL, 3, GrB_ALL, nrows, NULL)); /* the kernels add to w: one value, then several */
  for (int k = 0; k < 4; k++) {
    OK(GrB_mxv(w, NULL, ints ? GrB_MIN_INT64 : GrB_PLUS_FP64,
               k % 2  ? second
               : ints ? GrB_MIN_PLUS_SEMIRING_INT64
                      : GrB_PLUS_TIMES_SEMIRING_FP64,
               A, u, NULL));
    record_entries("w", ints ? EXACT : CLOSE, w, t);
  }
  OK(GrB_Matrix_free(&A)), OK(GrB_Vector_free(&u)), OK(GrB_Vector_free(&w));
  free(row), free(col), free(val);
  grid_tune = usual;
}

static void products(void **state) {
  run_rounds("products", 400, 20, product);
  run_rounds("long rows", 12, 8, long_rows);
}
#endif
