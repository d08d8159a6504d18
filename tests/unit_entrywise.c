/* Element-wise operations, apply and select on matrices, against a table of cells; transposed and aliased
 * operands, every mask and accumulator, hypersparse dimensions, casts. Runs on any number of processes. */
#include <stdio.h>

#include "tests/unit.h"
#include "tests/cell_matrix.h"
#include "tests/grid_shapes.h"
#include "tests/assert_all.h"

#define OK(call) assert_int_equal(call, GrB_SUCCESS)

/* ---- what every operation has -------------------------------------------------------------------------- */

typedef struct {
  cells c, m, a;
  GrB_Matrix C, M, A; /* M NULL: no mask; may be C. A may be C */
  bool tran;          /* A is stored transposed */
  cell_writing w;
  GrB_Descriptor desc;
  int tran_field; /* GrB_INP0 or GrB_INP1, for A */
} target;

static GrB_BinaryOp draw_accum(GrB_Type type) {
  const GrB_BinaryOp ops[] = {NULL, GrB_PLUS_FP64, GrB_MINUS_INT32, GrB_SECOND_FP32, GrB_LOR, GxB_PLUS_FC32};
  return type != udt ? ops[draw(6)] : draw_one_in(2) ? udt_op : NULL;
}

static target draw_target(GrB_Type ct, GrB_Type at, int tran_field) {
  const uint64_t share[] = {0, 1, 2, 3, 10, 60};
  target g = {.c = new_cells(ct), .m = new_cells(draw_type()), .a = new_cells(at), .tran_field = tran_field};
  draw_cells(&g.c, share[draw(6)], draw_one_in(3), draw_one_in(4));
  draw_cells(&g.m, share[draw(6)], draw_one_in(3), draw_one_in(4));
  draw_cells(&g.a, share[draw(6)], draw_one_in(3), draw_one_in(4));
  g.w = (cell_writing){
      .structure = draw_one_in(2), .complement = draw_one_in(3), .replace = draw_one_in(2), draw_accum(ct)};
  g.tran = draw_one_in(3);
  g.C = to_matrix(&g.c, false);
  g.M = draw_one_in(3) ? NULL : to_matrix(&g.m, false);
  if (g.M && ct != udt && draw_one_in(8)) {
    OK(GrB_Matrix_free(&g.M));
    g.M = g.C;
    memcpy(g.m.at, g.c.at, rows * cols * sizeof *g.m.at);
    g.m.type = ct;
  }
  if (ct == at && draw_one_in(5)) {
    g.A = g.C, g.tran = false;
    memcpy(g.a.at, g.c.at, rows * cols * sizeof *g.a.at);
  } else {
    g.A = to_matrix(&g.a, g.tran);
  }
  OK(GrB_Descriptor_new(&g.desc));
  if (g.w.structure) OK(GrB_Descriptor_set(g.desc, GrB_MASK, GrB_STRUCTURE));
  if (g.w.complement) OK(GrB_Descriptor_set(g.desc, GrB_MASK, GrB_COMP));
  if (g.w.replace) OK(GrB_Descriptor_set(g.desc, GrB_OUTP, GrB_REPLACE));
  if (g.tran) OK(GrB_Descriptor_set(g.desc, (GrB_Desc_Field)tran_field, GrB_TRAN));
  return g;
}

/* C must be what t makes of it. */
static void end_target(target *g, cells *t) {
  write_cells(&g->c, g->M ? &g->m : NULL, t, &g->w);
  assert_on_all(has_cells(g->C, &g->c));
  if (g->A != g->C) OK(GrB_Matrix_free(&g->A));
  if (g->M && g->M != g->C) OK(GrB_Matrix_free(&g->M));
  OK(GrB_Matrix_free(&g->C));
  OK(GrB_Descriptor_free(&g->desc));
  free(g->c.at), free(g->m.at), free(g->a.at), free(t->at);
}

static GrB_BinaryOp draw_binary(GrB_Type type) {
  const GrB_BinaryOp ops[] = {GrB_PLUS_FP64,  GrB_MINUS_INT32, GrB_MIN_FP32,  GrB_LXOR,
                              GrB_FIRST_FP64, GrB_ONEB_INT16,  GrB_GT_FP64,   GrB_SECOND_BOOL,
                              GxB_PLUS_FC64,  GxB_RMINUS_FC32, GxB_ISLE_INT8, GxB_CMPLX_FP64};
  return type == udt ? udt_op : ops[draw(12)];
}

/* ---- the operations ------------------------------------------------------------------------------------ */

static void ewise_round(bool add) {
  const bool user = draw_one_in(6);
  target g = draw_target(user ? udt : draw_type(), user ? udt : draw_type(), GrB_INP0);
  const GrB_BinaryOp op = draw_binary(g.a.type);
  cells b = user || draw_one_in(2) ? new_cells(g.a.type) : new_cells(draw_type()), t = new_cells(op->z);
  draw_cells(&b, 1 + draw(20), draw_one_in(3), draw_one_in(4));
  const bool tran = draw_one_in(3);
  GrB_Matrix B = to_matrix(&b, tran);
  if (tran) OK(GrB_Descriptor_set(g.desc, GrB_INP1, GrB_TRAN));
  if (!g.tran && !tran && draw_one_in(10)) { /* the same matrix twice */
    OK(GrB_Matrix_free(&B));
    B = g.A, b.type = g.a.type;
    memcpy(b.at, g.a.at, rows * cols * sizeof *b.at);
  }
  for (uint64_t k = 0; k < rows * cols; k++) {
    const cell *x = &g.a.at[k], *y = &b.at[k];
    if (x->present && y->present)
      put_binary(&t.at[k], op->z, op, x->v, g.a.type, y->v, b.type);
    else if (add && (x->present || y->present))
      put(&t.at[k], op->z, x->present ? x->v : y->v, x->present ? g.a.type : b.type);
  }
  OK(add ? GrB_Matrix_eWiseAdd_BinaryOp(g.C, g.M, g.w.accum, op, g.A, B, g.desc)
         : GrB_Matrix_eWiseMult_BinaryOp(g.C, g.M, g.w.accum, op, g.A, B, g.desc));
  if (B != g.A) OK(GrB_Matrix_free(&B));
  free(b.at);
  end_target(&g, &t);
}

static void double_value(void *z, const void *x) {
  const int64_t *a = x;
  int64_t *c = z;
  for (int k = 0; k < 3; k++) c[k] = 2 * a[k];
}

static void apply_round(GrB_UnaryOp udt_unary) {
  const GrB_UnaryOp ops[] = {GrB_AINV_FP64, GrB_LNOT, GrB_ABS_INT16, GrB_IDENTITY_FP32};
  const bool user = draw_one_in(6);
  target g = draw_target(user ? udt : draw_type(), user ? udt : draw_type(), GrB_INP0);
  const GrB_UnaryOp op = user ? udt_unary : ops[draw(4)];
  cells t = new_cells(op->z);
  for (uint64_t k = 0; k < rows * cols; k++) {
    _Alignas(16) char x[MAX_SIZE], z[MAX_SIZE];
    if (!g.a.at[k].present) continue;
    grid_cast_array(x, op->x, g.a.at[k].v, g.a.type, 1, 1);
    op->f(z, x);
    put(&t.at[k], op->z, z, op->z);
  }
  OK(GrB_Matrix_apply(g.C, g.M, g.w.accum, op, g.A, g.desc));
  end_target(&g, &t);
}

static void bound_round(bool first) {
  const bool user = draw_one_in(6);
  target g = draw_target(user ? udt : draw_type(), user ? udt : draw_type(), first ? GrB_INP1 : GrB_INP0);
  const GrB_BinaryOp op = draw_binary(g.a.type);
  cells t = new_cells(op->z);
  const int16_t number = (int16_t)draw(5);
  int64_t three[3] = {number, 1, 2};
  const void *x = user ? (const void *)three : &number;
  const GrB_Type type = user ? udt : GrB_INT16;
  for (uint64_t k = 0; k < rows * cols; k++) {
    const void *v = g.a.at[k].v;
    if (!g.a.at[k].present) continue;
    if (first)
      put_binary(&t.at[k], op->z, op, x, type, v, g.a.type);
    else
      put_binary(&t.at[k], op->z, op, v, g.a.type, x, type);
  }
  GrB_Scalar s = NULL;
  if (user)
    OK(first ? GrB_Matrix_apply_BinaryOp1st_UDT(g.C, g.M, g.w.accum, op, x, g.A, g.desc)
             : GrB_Matrix_apply_BinaryOp2nd_UDT(g.C, g.M, g.w.accum, op, g.A, x, g.desc));
  else if (draw_one_in(2))
    OK(first ? GrB_Matrix_apply_BinaryOp1st_INT16(g.C, g.M, g.w.accum, op, number, g.A, g.desc)
             : GrB_Matrix_apply_BinaryOp2nd_INT16(g.C, g.M, g.w.accum, op, g.A, number, g.desc));
  else {
    OK(GrB_Scalar_new(&s, GrB_INT16));
    OK(GrB_Scalar_setElement_INT16(s, number));
    OK(first ? GrB_Matrix_apply_BinaryOp1st_Scalar(g.C, g.M, g.w.accum, op, s, g.A, g.desc)
             : GrB_Matrix_apply_BinaryOp2nd_Scalar(g.C, g.M, g.w.accum, op, g.A, s, g.desc));
    OK(GrB_Scalar_free(&s));
  }
  end_target(&g, &t);
}

/* A user-defined positional operator. */
static void mix(void *z, const void *x, GrB_Index i, GrB_Index j, const void *y) {
  const double a = *(const double *)x;
  *(bool *)z = ((int64_t)a + (int64_t)(i % 7) + 3 * (int64_t)(j % 5) + *(const int64_t *)y % 3) % 3 == 0;
}

static GrB_IndexUnaryOp draw_index_op(GrB_IndexUnaryOp user) {
  const GrB_IndexUnaryOp ops[] = {
      GrB_ROWINDEX_INT32, GrB_COLINDEX_INT64, GrB_DIAGINDEX_INT32, GrB_TRIL,  GrB_TRIU,  GrB_DIAG,
      GrB_OFFDIAG,        GrB_COLLE,          GrB_COLGT,           GrB_ROWLE, GrB_ROWGT, GrB_VALUEEQ_FP64,
      GrB_VALUELT_INT16,  GrB_VALUENE_BOOL,   GrB_VALUEGE_FP32,    user};
  return ops[draw(16)];
}

/* Somewhere among the indices, or beyond. */
static int64_t draw_limit(void) {
  const int64_t r = (int64_t)(draw(rows) * row_step), c = (int64_t)(draw(cols) * col_step);
  const int64_t limits[] = {0, 1, -1, r, c, c - r, c - r + 1, INT64_MAX, INT64_MIN, 2};
  return limits[draw(10)];
}

static void index_round(bool select, GrB_IndexUnaryOp user_op) {
  const GrB_IndexUnaryOp op = draw_index_op(user_op);
  const bool user = draw_one_in(6) && !op->x; /* user-defined values are not compared */
  target g = draw_target(user && select ? udt : draw_type(), user ? udt : draw_type(), GrB_INP0);
  cells t = new_cells(select ? g.a.type : op->z);
  const int64_t y = op->y == GrB_INT64 || op->y == GrB_INT32 ? draw_limit() : (int64_t)draw(3);
  for (uint64_t k = 0; k < rows * cols; k++) {
    _Alignas(16) char x[MAX_SIZE], v[MAX_SIZE], z[MAX_SIZE];
    bool yes;
    if (!g.a.at[k].present) continue;
    if (op->x) grid_cast_array(x, op->x, g.a.at[k].v, g.a.type, 1, 1);
    grid_cast_array(v, op->y, &y, GrB_INT64, 1, 1);
    op->f(z, x, k / cols * row_step, k % cols * col_step, v);
    grid_cast_array(&yes, GrB_BOOL, z, op->z, 1, 1);
    if (!select)
      put(&t.at[k], op->z, z, op->z);
    else if (yes)
      put(&t.at[k], g.a.type, g.a.at[k].v, g.a.type);
  }
  GrB_Scalar s = NULL;
  if (draw_one_in(3)) {
    OK(GrB_Scalar_new(&s, GrB_INT64));
    OK(GrB_Scalar_setElement_INT64(s, y));
    OK(select ? GrB_Matrix_select_Scalar(g.C, g.M, g.w.accum, op, g.A, s, g.desc)
              : GrB_Matrix_apply_IndexOp_Scalar(g.C, g.M, g.w.accum, op, g.A, s, g.desc));
    OK(GrB_Scalar_free(&s));
  } else {
    OK(select ? GrB_Matrix_select_INT64(g.C, g.M, g.w.accum, op, g.A, y, g.desc)
              : GrB_Matrix_apply_IndexOp_INT64(g.C, g.M, g.w.accum, op, g.A, y, g.desc));
  }
  end_target(&g, &t);
}

static void rounds(void **state) {
  GrB_UnaryOp udt_unary = NULL;
  GrB_IndexUnaryOp user_index = NULL;
  const int n = Grid_size() == 1 ? 300 : 25;
  OK(GrB_Type_new(&udt, MAX_SIZE));
  OK(GrB_BinaryOp_new(&udt_op, add_udt, udt, udt, udt));
  OK(GrB_UnaryOp_new(&udt_unary, double_value, udt, udt));
  OK(GrB_IndexUnaryOp_new(&user_index, mix, GrB_BOOL, GrB_FP64, GrB_INT64));
  const int64_t live = grid_mem_live();
  for (int r = 0; r < n; r++) {
    draw_shape(false);
    ewise_round(true);
    ewise_round(false);
    apply_round(udt_unary);
    bound_round(r & 1);
    index_round(false, user_index);
    index_round(true, user_index);
  }
  assert_on_all(grid_mem_live() == live);
  OK(GrB_IndexUnaryOp_free(&user_index));
  OK(GrB_UnaryOp_free(&udt_unary));
  OK(GrB_BinaryOp_free(&udt_op));
  OK(GrB_Type_free(&udt));
}

/* ---- more entries than one task of a thread takes ------------------------------------------------------ */

enum { LONG_ROWS = 12000, MOST_IN_ROW = 12 };

typedef struct {
  GrB_Index i[LONG_ROWS * MOST_IN_ROW], j[LONG_ROWS * MOST_IN_ROW];
  double x[LONG_ROWS * MOST_IN_ROW];
  GrB_Index n;
} tuple_list;

/* Rows of 0 to 11 entries near the diagonal, and one long row. */
static void list_short_rows(tuple_list *t, GrB_Type type) {
  t->n = 0;
  for (GrB_Index i = 0; i < LONG_ROWS; i++) {
    const GrB_Index n = i == 700 ? 2000 : (i * 2654435761u >> 7) % MOST_IN_ROW;
    for (GrB_Index k = 0; k < n && i + k < LONG_ROWS; k++) {
      t->i[t->n] = i, t->j[t->n] = i < 5 ? k : i + k - 5;
      t->x[t->n] = type == GrB_BOOL ? 1 : (double)((i + 3 * k) % 100);
      t->n++;
    }
  }
}

/* Does the predefined operator select the entry? */
static bool is_selected(GrB_IndexUnaryOp op, GrB_Index i, GrB_Index j, int64_t y) {
  bool yes;
  op->f(&yes, NULL, i, j, &y);
  return yes;
}

static void assert_selected(const tuple_list *t, GrB_Matrix A, GrB_Type type, GrB_IndexUnaryOp op,
                            int64_t y) {
  static tuple_list z;
  GrB_Matrix C = NULL;
  OK(GrB_Matrix_new(&C, type, LONG_ROWS, LONG_ROWS));
  OK(GrB_Matrix_select_INT64(C, NULL, NULL, op, A, y, NULL));
  z.n = t->n;
  OK(GrB_Matrix_extractTuples_FP64(z.i, z.j, z.x, &z.n, C));
  GrB_Index want = 0, found = 0;
  double weighted = 0, sum = 0; /* entries may come in any order */
  for (GrB_Index k = 0; k < t->n; k++)
    if (is_selected(op, t->i[k], t->j[k], y))
      want++, weighted += (t->x[k] + 1) * (double)(t->i[k] * 13 + t->j[k] * 7);
  for (GrB_Index k = 0; k < z.n; k++)
    found += is_selected(op, z.i[k], z.j[k], y), sum += (z.x[k] + 1) * (double)(z.i[k] * 13 + z.j[k] * 7);
  assert_on_all(z.n == want && found == want && sum == weighted);
  OK(GrB_Matrix_free(&C));
}

static void assert_positions(const tuple_list *t, GrB_Matrix A, GrB_IndexUnaryOp op) {
  static tuple_list z;
  GrB_Matrix C = NULL;
  OK(GrB_Matrix_new(&C, GrB_INT64, LONG_ROWS, LONG_ROWS));
  OK(GrB_Matrix_apply_IndexOp_INT64(C, NULL, NULL, op, A, 2, NULL));
  z.n = t->n;
  OK(GrB_Matrix_extractTuples_FP64(z.i, z.j, z.x, &z.n, C));
  GrB_Index right = 0;
  for (GrB_Index k = 0; k < z.n; k++) {
    const int64_t y = 2;
    int64_t v;
    op->f(&v, NULL, z.i[k], z.j[k], &y);
    right += z.x[k] == (double)v;
  }
  assert_on_all(z.n == t->n && right == t->n);
  OK(GrB_Matrix_free(&C));
}

static void short_rows(void **state) {
  static tuple_list t;
  const GrB_Type types[] = {GrB_FP64, GrB_FP32, GrB_INT16, GrB_INT8, GxB_FC64, GrB_BOOL};
  const GrB_IndexUnaryOp ops[] = {GrB_TRIL, GrB_TRIU, GrB_DIAG, GrB_OFFDIAG, GrB_COLLE, GrB_ROWGT};
  for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
    const int64_t limits[] = {0, -2, 3, LONG_ROWS / 2, -LONG_ROWS, INT64_MAX, INT64_MIN};
    GrB_Matrix A = NULL;
    list_short_rows(&t, types[k]);
    OK(GrB_Matrix_new(&A, types[k], LONG_ROWS, LONG_ROWS));
    OK(GrB_Matrix_build_FP64(A, t.i, t.j, t.x, t.n, GrB_SECOND_FP64));
    for (size_t o = 0; o < sizeof ops / sizeof *ops; o++)
      assert_selected(&t, A, types[k], ops[o], limits[(o + k) % 7]),
          assert_selected(&t, A, types[k], ops[o], 0);
    assert_positions(&t, A, GrB_COLINDEX_INT64);
    assert_positions(&t, A, GrB_ROWINDEX_INT64);
    assert_positions(&t, A, GrB_DIAGINDEX_INT64);
    OK(GrB_Matrix_free(&A));
  }
}

/* ---- errors -------------------------------------------------------------------------------------------- */

static void assert_failed(GrB_Info info, GrB_Info want, const char *words, GrB_Matrix C, const cells *c) {
  const bool fine = info == want && strstr(Grid_last_error(), words);
  if (!fine)
    print_message("process %d: %s: \"%s\", want %s with \"%s\"\n", Grid_rank(), Grid_info_name(info),
                  Grid_last_error(), Grid_info_name(want), words);
  assert_on_all(fine && has_cells(C, c));
}

static void errors(void **state) {
  rows = 5, cols = 7, row_step = col_step = 1, row_dim = 5, col_dim = 7;
  cells c = new_cells(GrB_FP64);
  draw_cells(&c, 2, false, false);
  GrB_Matrix C = to_matrix(&c, false), T = to_matrix(&c, true), U = NULL, none = NULL;
  GrB_Type type = NULL;
  GrB_Scalar empty = NULL;
  OK(GrB_Type_new(&type, 3));
  OK(GrB_Matrix_new(&U, type, 5, 7));
  OK(GrB_Scalar_new(&empty, GrB_FP64));
  const GrB_BinaryOp plus = GrB_PLUS_FP64;
  assert_failed(GrB_Matrix_eWiseAdd_BinaryOp(C, NULL, NULL, plus, C, T, NULL), GrB_DIMENSION_MISMATCH,
                "B is 7 x 5, but C is 5 x 7", C, &c);
  assert_failed(GrB_Matrix_eWiseMult_BinaryOp(C, T, NULL, plus, C, C, NULL), GrB_DIMENSION_MISMATCH,
                "mask is 7 x 5", C, &c);
  assert_failed(GrB_Matrix_eWiseAdd_BinaryOp(C, NULL, NULL, plus, U, C, NULL), GrB_DOMAIN_MISMATCH,
                "A has type", C, &c);
  assert_failed(GrB_Matrix_eWiseAdd_BinaryOp(C, U, NULL, plus, C, C, NULL), GrB_DOMAIN_MISMATCH, "mask", C,
                &c);
  assert_failed(GrB_Matrix_eWiseAdd_BinaryOp(C, NULL, NULL, NULL, C, C, NULL), GrB_NULL_POINTER, "op", C, &c);
  assert_failed(GrB_Matrix_eWiseAdd_BinaryOp(none, NULL, NULL, plus, C, C, NULL), GrB_NULL_POINTER, "C", C,
                &c);
  assert_failed(GrB_Matrix_apply(C, NULL, NULL, GrB_AINV_FP64, none, NULL), GrB_NULL_POINTER, "A", C, &c);
  assert_failed(GrB_Matrix_apply(C, NULL, NULL, GrB_AINV_FP64, C, GrB_DESC_T0), GrB_DIMENSION_MISMATCH,
                "A is 7 x 5", C, &c);
  assert_failed(GrB_Matrix_apply_BinaryOp2nd_Scalar(C, NULL, NULL, plus, C, NULL, NULL), GrB_NULL_POINTER,
                "argument val is NULL", C, &c);
  assert_failed(GrB_Matrix_apply_BinaryOp2nd_Scalar(C, NULL, NULL, plus, C, empty, NULL), GrB_EMPTY_OBJECT,
                "empty", C, &c);
  assert_failed(GrB_Matrix_select_Scalar(C, NULL, NULL, GrB_TRIL, C, empty, NULL), GrB_EMPTY_OBJECT, "empty",
                C, &c);
  assert_failed(GrB_Matrix_select_UDT(C, NULL, NULL, GrB_TRIL, C, "abc", NULL), GrB_DOMAIN_MISMATCH,
                "user-defined", C, &c);
  OK(GrB_Matrix_free(&C)), OK(GrB_Matrix_free(&T)), OK(GrB_Matrix_free(&U));
  OK(GrB_Scalar_free(&empty)), OK(GrB_Type_free(&type));
  free(c.at);
}

MAIN_ON_SHAPES(start_on_shape, stop_on_shape, cmocka_unit_test(rounds), cmocka_unit_test(short_rows),
               cmocka_unit_test(errors))
