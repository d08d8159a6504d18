/* Every method of GrB_mxm and GrB_mxv forced in turn (GRIDBLAS_TUNE): the result is that of the unforced
 * call. A method that does not apply leaves the choice to the table. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit.h"
#include "dist/plan/tune_method.h"
#include "dist/product/mxm/mxm.h"
#include "dist/product/mxv/mxv.h"
#include "tests/assert_all.h"
#include "tests/grid_shapes.h"
#include "tests/random_numbers.h"

#define OK(call) assert_on_all((call) == GrB_SUCCESS)

enum { N = 150, MOST = N * N };

/* ---- operands ---- */

typedef enum { RANDOM, DIAGONAL, HUBS } shape;

static GrB_Matrix draw_matrix(GrB_Index m, GrB_Index n, shape of, bool pattern) {
  static GrB_Index row[MOST], col[MOST];
  static double value[MOST];
  GrB_Index k = 0;
  for (GrB_Index e = 0; e < (of == DIAGONAL ? m : m * n / 12 + 1); e++) {
    const GrB_Index i = of == DIAGONAL          ? e
                        : of == HUBS && draw(2) ? draw(m) % 7
                                                : draw(m),
                    j = of == DIAGONAL ? e : draw(n);
    const double v = pattern ? 1 : (double)draw(9);
    if ((i + j) % (GrB_Index)Grid_size() == (GrB_Index)Grid_rank()) row[k] = i, col[k] = j, value[k++] = v;
  }
  GrB_Matrix A;
  OK(GrB_Matrix_new(&A, pattern ? GrB_BOOL : GrB_FP64, m, n));
  OK(Grid_Matrix_build(A, row, col, pattern ? NULL : value, pattern ? NULL : GrB_FP64, k,
                       pattern ? NULL : GrB_MAX_FP64, 0));
  return A;
}

/* ---- results ---- */

typedef struct {
  GrB_Index n, row[MOST], col[MOST];
  double value[MOST];
} tuples;

static void read_matrix(tuples *t, GrB_Matrix C) {
  t->n = MOST;
  OK(GrB_Matrix_extractTuples_FP64(t->row, t->col, t->value, &t->n, C));
}

static bool is_equal(const tuples *x, const tuples *y) {
  return x->n == y->n && memcmp(x->row, y->row, x->n * sizeof *x->row) == 0 &&
         memcmp(x->col, y->col, x->n * sizeof *x->col) == 0 &&
         memcmp(x->value, y->value, x->n * sizeof *x->value) == 0;
}

static void force(const char *operation, const char *name) {
  char text[64];
  snprintf(text, sizeof text, "%s=%s", operation, name ? name : "");
  OK(grid_tune_method_set(name ? text : NULL));
}

/* ---- GrB_mxm ---- */

typedef struct {
  GrB_Matrix C, mask, A, B;
  GrB_BinaryOp accum;
  GrB_Semiring s;
  GrB_Descriptor desc;
} mxm_call;

/* All values are small whole numbers, or one, so that no sum depends on its order. */
static void draw_mxm(mxm_call *x) {
  static const GrB_Index lengths[] = {N, N, 7, 70};
  const GrB_Semiring semirings[] = {Grid_ANY_ONEB_SEMIRING_BOOL, GrB_PLUS_TIMES_SEMIRING_FP64,
                                    GrB_MIN_PLUS_SEMIRING_FP64, Grid_PLUS_ONEB_SEMIRING_UINT64,
                                    Grid_MIN_SECONDI_SEMIRING_INT64};
  const struct {
    GrB_Descriptor desc;
    bool tran0, tran1;
  } descs[] = {{NULL, 0, 0},         {GrB_DESC_T0, 1, 0},  {GrB_DESC_T1, 0, 1}, {GrB_DESC_T0T1, 1, 1},
               {GrB_DESC_RSC, 0, 0}, {GrB_DESC_ST1, 0, 1}, {GrB_DESC_S, 0, 0},  {GrB_DESC_RC, 0, 0},
               {GrB_DESC_SC, 0, 0},  {GrB_DESC_RST0, 1, 0}};
  const int k = (int)draw(sizeof descs / sizeof *descs);
  const bool left = draw_one_in(4), right = draw_one_in(4); /* diagonal */
  const GrB_Index m = left ? N : lengths[draw(4)], l = left || right ? N : lengths[draw(4)],
                  n = right ? N : lengths[draw(4)];
  x->s = semirings[draw(5)];
  x->desc = descs[k].desc;
  x->accum = draw_one_in(2) ? GrB_PLUS_FP64 : NULL;
  x->C = draw_matrix(m, n, RANDOM, false);
  x->mask =
      k >= 4 && !draw_one_in(4) ? draw_matrix(m, n, draw_one_in(2) ? RANDOM : HUBS, draw_one_in(2)) : NULL;
  const int a = left ? DIAGONAL : HUBS, b = right ? DIAGONAL : RANDOM;
  x->A = descs[k].tran0 ? draw_matrix(l, m, a, draw_one_in(2)) : draw_matrix(m, l, a, draw_one_in(2));
  x->B = descs[k].tran1 ? draw_matrix(n, l, b, false) : draw_matrix(l, n, b, false);
}

static void run_mxm(const mxm_call *x, tuples *t) {
  GrB_Matrix C;
  OK(GrB_Matrix_dup(&C, x->C));
  OK(GrB_mxm(C, x->mask, x->accum, x->s, x->A, x->B, x->desc));
  read_matrix(t, C);
  GrB_Matrix_free(&C);
}

static void mxm(void **state) {
  static tuples expected, got;
  for (int turn = 0; turn < 60; turn++) {
    mxm_call x;
    draw_mxm(&x);
    run_mxm(&x, &expected);
    for (unsigned k = 0; k < grid_mxm_methods.n; k++) {
      force("mxm", grid_mxm_methods.rows[k]->name);
      run_mxm(&x, &got);
      if (!is_equal(&expected, &got)) print_error("turn %d, %s\n", turn, grid_mxm_methods.rows[k]->name);
      assert_on_all(is_equal(&expected, &got));
      force("mxm", NULL);
    }
    GrB_Matrix_free(&x.C), GrB_Matrix_free(&x.mask), GrB_Matrix_free(&x.A), GrB_Matrix_free(&x.B);
  }
}

/* ---- GrB_mxv ---- */

typedef struct {
  GrB_Matrix A;
  GrB_Semiring s;
  GrB_Descriptor desc;
  uint64_t percent;
  bool masked, loop; /* loop: the mask grows by the result, as in a search */
  bool vxm;
} mxv_call;

/* A symmetric pattern or matrix, so that every method applies somewhere, or any matrix. */
static GrB_Matrix draw_graph(bool symmetric, bool pattern) {
  static GrB_Index row[MOST], col[MOST];
  static double value[MOST];
  GrB_Index k = 0;
  if (!symmetric) return draw_matrix(N, N, HUBS, pattern);
  for (GrB_Index e = 0; e < 4 * N; e++) {
    const GrB_Index i = draw_one_in(3) ? draw(N) % 7 : draw(N), j = draw(N);
    if (e % (GrB_Index)Grid_size() == (GrB_Index)Grid_rank())
      row[k] = i, col[k] = j, value[k++] = (double)(i * j % 9);
  }
  GrB_Matrix A;
  OK(GrB_Matrix_new(&A, pattern ? GrB_BOOL : GrB_FP64, N, N));
  OK(Grid_Matrix_build(A, row, col, pattern ? NULL : value, pattern ? NULL : GrB_FP64, k,
                       pattern ? NULL : GrB_MAX_FP64, Grid_MIRROR));
  return A;
}

static void draw_mxv(mxv_call *x, int turn) {
  static const int32_t delegates[] = {Grid_DELEGATES_OFF, Grid_DELEGATES_AUTO, 6};
  const GrB_Semiring semirings[] = {
      Grid_ANY_ONEB_SEMIRING_BOOL,     GrB_LOR_LAND_SEMIRING_BOOL, GrB_PLUS_TIMES_SEMIRING_FP64,
      Grid_MIN_SECONDI_SEMIRING_INT64, GrB_MIN_PLUS_SEMIRING_FP64, GrB_MIN_SECOND_SEMIRING_INT32,
      GrB_MAX_FIRST_SEMIRING_FP64,     GxB_PLUS_FIRST_FP64,        GrB_MAX_SECOND_SEMIRING_INT64};
  const GrB_Descriptor descs[] = {GrB_DESC_RSC, GrB_DESC_S, GrB_DESC_RSCT0, NULL},
                       vxm_descs[] = {GrB_DESC_RSC, GrB_DESC_S, GrB_DESC_RSCT1, NULL};
  const bool pattern = draw_one_in(2);
  const uint64_t k = draw(4);
  x->A = draw_graph(turn % 5 > 0, pattern);
  x->s = semirings[turn % 2 ? draw(2) : draw(9)];
  x->vxm = draw_one_in(2);
  x->desc = x->vxm ? vxm_descs[k] : descs[k];
  x->percent = draw_one_in(2) ? 2 : 60;
  x->masked = draw(4) > 0, x->loop = draw_one_in(2);
  OK(GrB_Matrix_set_INT32(x->A, delegates[turn % 3], Grid_DELEGATES));
}

static void read_vector(tuples *t, GrB_Vector w, int step) {
  GrB_Index n = N;
  OK(GrB_Vector_extractTuples_FP64(t->row + t->n, t->value + t->n, &n, w));
  for (GrB_Index k = 0; k < n; k++) t->col[t->n + k] = (GrB_Index)step;
  t->n += n;
}

/* Three products, each with the result before it. */
static void run_mxv(const mxv_call *x, tuples *t) {
  GrB_Vector q, v;
  OK(GrB_Vector_new(&q, GrB_FP64, N)), OK(GrB_Vector_new(&v, GrB_BOOL, N));
  const uint64_t before = seed;
  for (GrB_Index i = 0; i < N; i++) {
    if (draw(100) < x->percent) OK(GrB_Vector_setElement_FP64(q, (double)draw(4), i));
    if (draw_one_in(5)) OK(GrB_Vector_setElement_BOOL(v, true, i));
  }
  seed = before;
  t->n = 0;
  for (int step = 0; step < 3; step++) {
    const GrB_Vector mask = x->masked ? v : NULL;
    OK(x->vxm ? GrB_vxm(q, mask, NULL, x->s, q, x->A, x->desc)
              : GrB_mxv(q, mask, NULL, x->s, x->A, q, x->desc));
    if (x->loop) OK(GrB_Vector_assign_BOOL(v, q, NULL, true, GrB_ALL, N, GrB_DESC_S));
    read_vector(t, q, step);
  }
  GrB_Vector_free(&q), GrB_Vector_free(&v);
}

static void mxv(void **state) {
  static tuples expected, got;
  for (int turn = 0; turn < 40; turn++) {
    mxv_call x;
    draw_mxv(&x, turn);
    run_mxv(&x, &expected);
    for (unsigned k = 0; k < grid_mxv_methods.n; k++) {
      force("mxv", grid_mxv_methods.rows[k]->name);
      run_mxv(&x, &got);
      if (!is_equal(&expected, &got)) print_error("turn %d, %s\n", turn, grid_mxv_methods.rows[k]->name);
      assert_on_all(is_equal(&expected, &got));
      force("mxv", NULL);
    }
    GrB_Matrix_free(&x.A);
  }
}

/* ---- the setting ---- */

static void setting(void **state) {
  OK(grid_tune_method_set("other=1,mxm=stages"));
  assert_string_equal(grid_tune_method("mxm"), "stages");
  assert_null(grid_tune_method("mx"));
  OK(grid_tune_method_set(NULL));
  assert_null(grid_tune_method("mxm"));
}

MAIN_ON_SHAPES(start_on_shape, stop_on_shape, cmocka_unit_test(setting), cmocka_unit_test(mxm),
               cmocka_unit_test(mxv))
