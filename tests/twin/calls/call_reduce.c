/* Statements: reduction of rows or columns to a vector, and of all entries to a value or a GrB_Scalar. */
#include "tests/twin/random_program.h"

/* A monoid for an object's values whose sum is the same in any order. */
static const monoid *monoid_over(const thing *a, int t) {
  const monoid *m;
  do m = monoid_for(t);
  while (sums_depend_on_order(m->name) && bits_of(a) + 12 > (m->t == T_FP32 ? 23 : 52));
  return m;
}

/* The monoid's operator, if its name has one. */
static const binary *same_binary(const monoid *m) {
  for (int k = 0; k < 5000; k++) {
    const binary *b = random_binary(m->t);
    if (!strcmp(b->name, m->name)) return b;
  }
  return NULL;
}

static void rows(void) {
  thing *w = pick(VECTOR);
  goal g = goal_for(w, w->t);
  GrB_Index other = pick_dim();
  thing *a = matrix_for(w->t, g.d.tran0 ? other : w->nrows, g.d.tran0 ? w->nrows : other);
  const monoid *m = monoid_over(a, w->t);
  const binary *b = m->t < NPREDEFINED && chance(30) ? same_binary(m) : NULL;
  GrB_Monoid op = OPERATOR(m->op);
  if (known_empty_product(&g, m->t, other)) return;
  if (b && op) {
    log_text("GrB_Matrix_reduce_BinaryOp(%s, %s, %s, %s, %s, %s)", w->name, mask_name(&g), accum_name(&g),
             b->name, a->name, g.d.name);
    RUN("GrB_Matrix_reduce", GrB_Matrix_reduce_BinaryOp(w->v, g.mv, g.plus, b->op, a->a, g.d.d));
    became(&g, LONG_VALUES, is_real(m->t) || a->unsure);
    look(w);
    return;
  }
  log_text("GrB_Matrix_reduce_Monoid(%s, %s, %s, %s, %s, %s)", w->name, mask_name(&g), accum_name(&g),
           op ? m->name : "NULL", a->name, g.d.name);
  RUN("GrB_Matrix_reduce", GrB_Matrix_reduce_Monoid(w->v, g.mv, g.plus, op, a->a, g.d.d));
  became(&g, LONG_VALUES, is_real(m->t) || a->unsure);
  look(w);
}

static bool skips_emptied(thing *a) {
  GrB_Index n = 1;
  if (live() && known_reduce_emptied())
    DO(a->kind == VECTOR ? GrB_Vector_nvals(&n, a->v) : GrB_Matrix_nvals(&n, a->a));
  return n == 0;
}

static void to_value(bool vector) {
  thing *a = pick(vector ? VECTOR : MATRIX);
  const monoid *m = monoid_over(a, a->t);
  int t = castable_type(m->t);
  value x = random_value(t, EXACT);
  const binary *accum = t < NPREDEFINED && chance(30) ? binary_for(t, "FIRST") : NULL;
  GrB_BinaryOp plus = accum ? accum->op : NULL;
  GrB_Monoid op = OPERATOR(m->op);
  if (spoil_operator()) t = t < NPREDEFINED ? t : T_INT32;
  if (skips_emptied(a)) return;
  log_text("GrB_%s_reduce(&(%s)%s, %s, %s, %s, NULL)", vector ? "Vector" : "Matrix", twin_type_name[t],
           value_text(t, &x), accum ? accum->name : "NULL", op ? m->name : "NULL", a->name);
  if (vector)
    RUN("GrB_Vector_reduce", vector_reduce(t, &x, plus, op, a->v, NULL));
  else
    RUN("GrB_Matrix_reduce", matrix_reduce(t, &x, plus, op, a->a, NULL));
  if (!live()) return;
  say_value(t, &x);
  say("\n");
}

static void to_scalar(bool vector) {
  thing *a = pick(vector ? VECTOR : MATRIX);
  const monoid *m = monoid_over(a, a->t);
  thing *s = temporary(SCALAR, castable_type(m->t), 1, 1);
  if (chance(60)) fill(s, EXACT);
  const binary *accum = chance(30) && s->t < NPREDEFINED ? binary_for(s->t, "SECOND") : NULL;
  GrB_BinaryOp plus = accum ? accum->op : NULL;
  GrB_Monoid op = known_reduce_null() ? m->op : OPERATOR(m->op);
  const binary *b = m->t < NPREDEFINED && chance(30) ? same_binary(m) : NULL;
  if (skips_emptied(a)) return;
  if (b) {
    log_text("GrB_%s_reduce_BinaryOp_Scalar(%s, %s, %s, %s, NULL)", vector ? "Vector" : "Matrix", s->name,
             accum ? accum->name : "NULL", b->name, a->name);
    if (vector)
      RUN("GrB_Vector_reduce", GrB_Vector_reduce_BinaryOp_Scalar(s->s, plus, b->op, a->v, NULL));
    else
      RUN("GrB_Matrix_reduce", GrB_Matrix_reduce_BinaryOp_Scalar(s->s, plus, b->op, a->a, NULL));
    show(s);
    return;
  }
  log_text("GrB_%s_reduce_Monoid_Scalar(%s, %s, %s, %s, NULL)", vector ? "Vector" : "Matrix", s->name,
           accum ? accum->name : "NULL", op ? m->name : "NULL", a->name);
  if (vector)
    RUN("GrB_Vector_reduce", GrB_Vector_reduce_Monoid_Scalar(s->s, plus, op, a->v, NULL));
  else
    RUN("GrB_Matrix_reduce", GrB_Matrix_reduce_Monoid_Scalar(s->s, plus, op, a->a, NULL));
  show(s);
}

void call_reduce(void) {
  bool vector = chance(40);
  switch (below(3)) {
    case 0:
      rows();
      break;
    case 1:
      to_value(vector);
      break;
    default:
      to_scalar(vector);
  }
}
