/* Every row of the table of operators, monoids and semirings. */
#ifndef GRID_CUDA_OPERATOR_ROWS_H
#define GRID_CUDA_OPERATOR_ROWS_H
#include <float.h>

#include "gridblas_table_gxb.h"
#include "tests/cuda/round_objects.h"

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
static table_row table_rows[1000];
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
  memcpy(table_rows, all, sizeof all);
}

static void one_row(void) {
  const table_row *r = &table_rows[round_now];
  if (r->unary) unary_row(r->unary, r->to);
  if (r->exact) exact_row(r->exact);
  if (r->binary) binary_row(r->binary);
  if (r->index) index_row(r->index);
  if (r->monoid) monoid_row(r->monoid);
  if (r->semiring) semiring_row(r->semiring);
}

static void operators(void **state) {
  list_rows();
  run_rounds("operators", nrows_of_table, 400, one_row);
}
#endif
