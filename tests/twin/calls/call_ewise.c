/* Statements: element-wise union and intersection of matrices and of vectors. */
#include "tests/twin/random_program.h"

typedef enum { BY_BINARY, BY_MONOID, BY_SEMIRING } how;

/* The operators that combine the entries, for any kind of object. */
typedef struct {
  how by;
  const char *name;
  const binary *b;
  const monoid *m;
  const semiring *s;
  int x, y, z;
  bool none; /* NULL is passed */
} combiner;

static bool positional(const semiring *s) {
  return !strcmp(s->mul, "SECONDI");
}

static combiner combiner_for(int t, bool add) {
  combiner c = {.by = (how)below(3)};
  if (c.by == BY_BINARY) {
    do c.b = add ? binary_for(t, NULL) : any_binary_for(t);
    while (!strncmp(c.b->name, "ANY", 3) || divides(c.b->name));
    c.name = c.b->name, c.x = c.b->x, c.y = c.b->y, c.z = c.b->z;
  } else if (c.by == BY_MONOID) {
    c.m = monoid_for(t);
    c.name = c.m->name, c.x = c.y = c.z = c.m->t;
  } else {
    do c.s = semiring_for(t);
    while (positional(c.s) || !strncmp(c.s->name, "ANY", 3));
    c.name = c.s->name, c.x = add ? c.s->z : c.s->x, c.y = add ? c.s->z : c.s->y, c.z = c.s->z;
  }
  restrict_domains(c.s ? c.s->mul : c.name);
  return c;
}

static void vectors(const goal *g, const combiner *o, bool add, const thing *u, const thing *v) {
  GrB_BinaryOp b = o->none || !o->b ? NULL : o->b->op;
  GrB_Monoid m = o->none || !o->m ? NULL : o->m->op;
  GrB_Semiring s = o->none || !o->s ? NULL : o->s->op;
  GrB_Vector w = g->c->v;
  if (add && o->by == BY_BINARY)
    RUN("GrB_Vector_eWiseAdd", GrB_Vector_eWiseAdd_BinaryOp(w, g->mv, g->plus, b, u->v, v->v, g->d.d));
  else if (add && o->by == BY_MONOID)
    RUN("GrB_Vector_eWiseAdd", GrB_Vector_eWiseAdd_Monoid(w, g->mv, g->plus, m, u->v, v->v, g->d.d));
  else if (add)
    RUN("GrB_Vector_eWiseAdd", GrB_Vector_eWiseAdd_Semiring(w, g->mv, g->plus, s, u->v, v->v, g->d.d));
  else if (o->by == BY_BINARY)
    RUN("GrB_Vector_eWiseMult", GrB_Vector_eWiseMult_BinaryOp(w, g->mv, g->plus, b, u->v, v->v, g->d.d));
  else if (o->by == BY_MONOID)
    RUN("GrB_Vector_eWiseMult", GrB_Vector_eWiseMult_Monoid(w, g->mv, g->plus, m, u->v, v->v, g->d.d));
  else
    RUN("GrB_Vector_eWiseMult", GrB_Vector_eWiseMult_Semiring(w, g->mv, g->plus, s, u->v, v->v, g->d.d));
}

#if TWIN_HAS_GrB_Matrix_eWiseAdd_BinaryOp && TWIN_HAS_GrB_Matrix_eWiseMult_BinaryOp
#define KINDS 2
static void matrices(const goal *g, const combiner *o, bool add, const thing *p, const thing *q) {
  GrB_BinaryOp b = o->none || !o->b ? NULL : o->b->op;
  GrB_Monoid m = o->none || !o->m ? NULL : o->m->op;
  GrB_Semiring s = o->none || !o->s ? NULL : o->s->op;
  GrB_Matrix c = g->c->a;
  if (add && o->by == BY_BINARY)
    RUN("GrB_Matrix_eWiseAdd", GrB_Matrix_eWiseAdd_BinaryOp(c, g->ma, g->plus, b, p->a, q->a, g->d.d));
  else if (add && o->by == BY_MONOID)
    RUN("GrB_Matrix_eWiseAdd", GrB_Matrix_eWiseAdd_Monoid(c, g->ma, g->plus, m, p->a, q->a, g->d.d));
  else if (add)
    RUN("GrB_Matrix_eWiseAdd", GrB_Matrix_eWiseAdd_Semiring(c, g->ma, g->plus, s, p->a, q->a, g->d.d));
  else if (o->by == BY_BINARY)
    RUN("GrB_Matrix_eWiseMult", GrB_Matrix_eWiseMult_BinaryOp(c, g->ma, g->plus, b, p->a, q->a, g->d.d));
  else if (o->by == BY_MONOID)
    RUN("GrB_Matrix_eWiseMult", GrB_Matrix_eWiseMult_Monoid(c, g->ma, g->plus, m, p->a, q->a, g->d.d));
  else
    RUN("GrB_Matrix_eWiseMult", GrB_Matrix_eWiseMult_Semiring(c, g->ma, g->plus, s, p->a, q->a, g->d.d));
}
#else
#define KINDS 1
static void matrices(const goal *g, const combiner *o, bool add, const thing *p, const thing *q) {
  (void)g, (void)o, (void)add, (void)p, (void)q;
}
#endif

static thing *of_type(int t, const thing *like) {
  thing *x = temporary(MATRIX, t, like->nrows, like->ncols);
  fill(x, RICH);
  return x;
}

void call_ewise(void) {
  bool add = chance(50), vector = below(KINDS) == 0;
  thing *c = pick(vector ? VECTOR : MATRIX), *p, *q;
  combiner o = combiner_for(c->t, add);
  goal g = goal_for(c, o.z);
  if (vector) {
    p = vector_for(o.x, c->nrows), q = vector_for(o.y, c->nrows);
  } else {
    p = matrix_for(o.x, g.d.tran0 ? c->ncols : c->nrows, g.d.tran0 ? c->nrows : c->ncols);
    q = matrix_for(o.y, g.d.tran1 ? c->ncols : c->nrows, g.d.tran1 ? c->nrows : c->ncols);
    if (!add && known_ewise_mult_in_place()) {
      if (p == c) p = of_type(p->t, p);
      if (q == c) q = of_type(q->t, q);
      if (g.mask == c) g.mask = NULL, g.ma = NULL;
    }
    if (add && known_cast_of_transpose()) {
      if (g.d.tran0 && p->t != o.x && p->nrows) p = of_type(o.x, p);
      if (g.d.tran1 && q->t != o.y && q->nrows) q = of_type(o.y, q);
    }
  }
  if (add && known_ewise_add_of_mask() && p == q && p == g.mask) g.mask = NULL, g.ma = NULL, g.mv = NULL;
  o.none = spoil_operator();
  log_text("GrB_%s_eWise%s(%s, %s, %s, %s, %s, %s, %s)", vector ? "Vector" : "Matrix", add ? "Add" : "Mult",
           c->name, mask_name(&g), accum_name(&g), o.none ? "NULL" : o.name, p->name, q->name, g.d.name);
  (vector ? vectors : matrices)(&g, &o, add, p, q);
  became(&g, LONG_VALUES, p->unsure || q->unsure);
  look(c);
}
