/* Statements: apply in all its forms, select. */
#include "tests/twin/random_program.h"

#if TWIN_HAS_GrB_Matrix_apply_BinaryOp1st_INT32 && TWIN_HAS_GrB_Matrix_apply
#define APPLY_KINDS                  2
#define APPLY_MATRIX(function, call) RUN(function, call)
#else
#define APPLY_KINDS                  1
#define APPLY_MATRIX(function, call) abort()
#endif
#if TWIN_HAS_GrB_Matrix_select_INT32
#define SELECT_KINDS        2
#define SELECT_MATRIX(call) RUN("GrB_Matrix_select", call)
#else
#define SELECT_KINDS        1
#define SELECT_MATRIX(call) abort()
#endif

/* The descriptor's transposition field depends on which operand the matrix is. */
static thing *input_as(const goal *g, int t, bool transposed) {
  const thing *c = g->c;
  if (c->kind == VECTOR) return vector_for(t, c->nrows);
  return matrix_for(t, transposed ? c->ncols : c->nrows, transposed ? c->nrows : c->ncols);
}
static thing *input_like(const goal *g, int t) {
  return input_as(g, t, g->d.tran0);
}
static const char *kind_name(const thing *c) {
  return c->kind == VECTOR ? "Vector" : "Matrix";
}

/* Sometimes the bound scalar is empty. */
static void draw_empty_scalar(bound_scalar *y, const goal *g) {
  if (y->s && chance(8) && !spoilt() && !known_empty_scalar(g)) y->s = temporary(SCALAR, y->s->t, 1, 1);
}

static void apply_unary(thing *c) {
  const unary *op;
  do op = unary_for(c->t);
  while (divides(op->name));
  goal g = goal_for(c, op->z);
  thing *u = input_like(&g, op->x);
  GrB_UnaryOp f = OPERATOR(op->op);
  log_text("GrB_%s_apply(%s, %s, %s, %s, %s, %s)", kind_name(c), c->name, mask_name(&g), accum_name(&g),
           f ? op->name : "NULL", u->name, g.d.name);
  if (c->kind == VECTOR)
    RUN("GrB_Vector_apply", GrB_Vector_apply(c->v, g.mv, g.plus, f, u->v, g.d.d));
  else
    APPLY_MATRIX("GrB_Matrix_apply", GrB_Matrix_apply(c->a, g.ma, g.plus, f, u->a, g.d.d));
  became(&g, LONG_VALUES, u->unsure);
}

/* With one operand bound, to a value or to a GrB_Scalar. */
static void apply_bound(thing *c, bool first) {
  const binary *op;
  do op = any_binary_for(c->t);
  while (divides(op->name));
  restrict_domains(op->name);
  int bound = first ? op->x : op->y;
  bool by_scalar = chance(30);
  goal g = goal_for(c, op->z);
  thing *u = input_as(&g, first ? op->y : op->x, first ? g.d.tran1 : g.d.tran0);
  bound_scalar y = bound_scalar_for(bound, by_scalar, RICH);
  draw_empty_scalar(&y, &g);
  GrB_BinaryOp f = OPERATOR(op->op);
  log_text("GrB_%s_apply_BinaryOp%s(%s, %s, %s, %s, ", kind_name(c), first ? "1st" : "2nd", c->name,
           mask_name(&g), accum_name(&g), f ? op->name : "NULL");
  if (!first) log_text("%s, ", u->name);
  print_bound_scalar(&y);
  if (first) log_text(", %s", u->name);
  log_text(", %s)", g.d.name);
  if (c->kind == VECTOR) {
    if (first && y.s)
      RUN("GrB_Vector_apply",
          GrB_Vector_apply_BinaryOp1st_Scalar(c->v, g.mv, g.plus, f, y.s->s, u->v, g.d.d));
    else if (first)
      RUN("GrB_Vector_apply", vector_bind1st(c->v, g.mv, g.plus, f, y.t, &y.x, u->v, g.d.d));
    else if (y.s)
      RUN("GrB_Vector_apply",
          GrB_Vector_apply_BinaryOp2nd_Scalar(c->v, g.mv, g.plus, f, u->v, y.s->s, g.d.d));
    else
      RUN("GrB_Vector_apply", vector_bind2nd(c->v, g.mv, g.plus, f, u->v, y.t, &y.x, g.d.d));
  } else {
    if (first && y.s)
      APPLY_MATRIX("GrB_Matrix_apply",
                   GrB_Matrix_apply_BinaryOp1st_Scalar(c->a, g.ma, g.plus, f, y.s->s, u->a, g.d.d));
    else if (first)
      APPLY_MATRIX("GrB_Matrix_apply", matrix_bind1st(c->a, g.ma, g.plus, f, y.t, &y.x, u->a, g.d.d));
    else if (y.s)
      APPLY_MATRIX("GrB_Matrix_apply",
                   GrB_Matrix_apply_BinaryOp2nd_Scalar(c->a, g.ma, g.plus, f, u->a, y.s->s, g.d.d));
    else
      APPLY_MATRIX("GrB_Matrix_apply", matrix_bind2nd(c->a, g.ma, g.plus, f, u->a, y.t, &y.x, g.d.d));
  }
  became(&g, LONG_VALUES, u->unsure);
}

static void apply_indexed(thing *c) {
  const indexed *op = indexed_for(c->t);
  if (known_apply_equal_values(op)) op = selector_for(c->t < NPREDEFINED ? c->t : T_INT32);
  if (known_apply_equal_values(op) || !casts(op->z, c->t)) return;
  bool by_scalar = chance(30);
  goal g = goal_for(c, op->z);
  thing *u = input_like(&g, op->x < 0 ? ANY_TYPE : op->x);
  bound_scalar y = bound_scalar_for(op->y, by_scalar, EXACT);
  draw_empty_scalar(&y, &g);
  GrB_IndexUnaryOp f = OPERATOR(op->op);
  log_text("GrB_%s_apply_IndexOp(%s, %s, %s, %s, %s, ", kind_name(c), c->name, mask_name(&g), accum_name(&g),
           f ? op->name : "NULL", u->name);
  print_bound_scalar(&y);
  log_text(", %s)", g.d.name);
  if (c->kind == VECTOR && y.s)
    RUN("GrB_Vector_apply", GrB_Vector_apply_IndexOp_Scalar(c->v, g.mv, g.plus, f, u->v, y.s->s, g.d.d));
  else if (c->kind == VECTOR)
    RUN("GrB_Vector_apply", vector_apply_index(c->v, g.mv, g.plus, f, u->v, y.t, &y.x, g.d.d));
  else if (y.s)
    APPLY_MATRIX("GrB_Matrix_apply",
                 GrB_Matrix_apply_IndexOp_Scalar(c->a, g.ma, g.plus, f, u->a, y.s->s, g.d.d));
  else
    APPLY_MATRIX("GrB_Matrix_apply", matrix_apply_index(c->a, g.ma, g.plus, f, u->a, y.t, &y.x, g.d.d));
  became(&g, LONG_VALUES, u->unsure);
}

void call_apply(void) {
  thing *c = pick(below(APPLY_KINDS) ? MATRIX : VECTOR);
  switch (below(4)) {
    case 0:
      apply_unary(c);
      break;
    case 1:
      apply_bound(c, true);
      break;
    case 2:
      apply_bound(c, false);
      break;
    default:
      apply_indexed(c);
  }
  look(c);
}

void call_select(void) {
  thing *c = pick(below(SELECT_KINDS) ? MATRIX : VECTOR);
  const indexed *op = selector_for(c->t);
  bool by_scalar = chance(30);
  goal g = goal_for(c, c->t);
  thing *u = input_like(&g, c->t);
  while (known_select_scalar(op, u->t) || known_select_position(op, u->nrows) ||
         known_select_position(op, u->ncols))
    op = selector_for(u->t);
  bound_scalar y = {.t = castable_type(op->y)};
  if (known_select_cast(op, y.t)) y.t = T_BOOL;
  if (by_scalar) y.s = scalar_for(op->y);
  if (y.s && known_select_cast(op, y.s->t)) y.s = NULL;
  draw_empty_scalar(&y, &g);
  y.x = random_value(y.t, EXACT);
  GrB_IndexUnaryOp f = OPERATOR(op->op);
  log_text("GrB_%s_select(%s, %s, %s, %s, %s, ", kind_name(c), c->name, mask_name(&g), accum_name(&g),
           f ? op->name : "NULL", u->name);
  print_bound_scalar(&y);
  log_text(", %s)", g.d.name);
  if (c->kind == VECTOR && y.s)
    RUN("GrB_Vector_select", GrB_Vector_select_Scalar(c->v, g.mv, g.plus, f, u->v, y.s->s, g.d.d));
  else if (c->kind == VECTOR)
    RUN("GrB_Vector_select", vector_select(c->v, g.mv, g.plus, f, u->v, y.t, &y.x, g.d.d));
  else if (y.s)
    SELECT_MATRIX(GrB_Matrix_select_Scalar(c->a, g.ma, g.plus, f, u->a, y.s->s, g.d.d));
  else
    SELECT_MATRIX(matrix_select(c->a, g.ma, g.plus, f, u->a, y.t, &y.x, g.d.d));
  became(&g, bits_of(u), u->unsure);
  look(c);
}
