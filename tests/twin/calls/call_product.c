/* Statements: mxm, mxv, vxm, kronecker. */
#include "tests/twin/random_program.h"

/* The semiring of a product: predefined, user-defined, or created for this statement. */
typedef struct {
  const char *name, *add;
  GrB_Semiring op, made;
  int x, y, z;
} rig;

static rig rig_for(int t) {
  const semiring *s = semiring_for(t);
  rig r = {s->name, s->name, s->op, NULL, s->x, s->y, s->z};
  if (!chance(25)) {
    restrict_domains(s->mul);
    return r;
  }
  const monoid *m;
  const binary *b;
  do m = monoid_for(t), b = random_any_binary();
  while (b->z != m->t || (sums_depend_on_order(m->name) && b->x != m->t) || divides(b->name) ||
         !strncmp(b->name, "ANY", 3));
  restrict_domains(b->name);
  log_text("GrB_Semiring_new(&ring, %s, %s)", m->name, b->name);
  RUN("GrB_Semiring_new", GrB_Semiring_new(&r.made, m->op, b->op));
  return (rig){"ring", m->name, r.made, r.made, b->x, b->y, b->z};
}

/* A floating-point sum is compared where it is exact: inputs that would make it round are replaced. */
static bool exact(const rig *r, const thing *a, const thing *b) {
  if (!sums_depend_on_order(r->add)) return true;
  return bits_of(a) + bits_of(b) + 10 <= (r->z == T_FP32 ? 23 : 52);
}

static void free_ring(rig *r) {
  if (r->made) GrB_Semiring_free(&r->made);
}

static void finish(goal *g, rig *r, const thing *a, const thing *b) {
  became(g, sums_depend_on_order(r->add) ? bits_of(a) + bits_of(b) + 10 : LONG_VALUES,
         is_real(r->z) || a->unsure || b->unsure);
  free_ring(r);
  if (live()) twin_complete(g->c->a, g->c->v);
  look(g->c);
}

static GrB_Semiring op_of(const rig *r) {
  return OPERATOR(r->op);
}

#if TWIN_HAS_GrB_mxm
void call_mxm(void) {
  thing *c = pick(MATRIX);
  rig r = rig_for(c->t);
  goal g = goal_for(c, r.z);
  GrB_Index inner = pick_dim();
  thing *a = matrix_for(r.x, g.d.tran0 ? inner : c->nrows, g.d.tran0 ? c->nrows : inner);
  thing *b = matrix_for(r.y, g.d.tran1 ? c->ncols : inner, g.d.tran1 ? inner : c->ncols);
  if (!exact(&r, a, b)) {
    a = exact_for(MATRIX, r.x, a->nrows ? a->nrows : 1, a->nrows ? a->ncols : 1);
    b = exact_for(MATRIX, r.y, b->nrows ? b->nrows : 1, b->nrows ? b->ncols : 1);
  }
  GrB_Semiring op = op_of(&r);
  if (known_empty_product(&g, r.z, inner)) {
    free_ring(&r);
    return;
  }
  log_text("GrB_mxm(%s, %s, %s, %s, %s, %s, %s)", c->name, mask_name(&g), accum_name(&g),
           op ? r.name : "NULL", a->name, b->name, g.d.name);
  RUN("GrB_mxm", GrB_mxm(c->a, g.ma, g.plus, op, a->a, b->a, g.d.d));
  finish(&g, &r, a, b);
}
#endif

void call_mxv(void) {
  thing *w = pick(VECTOR);
  bool vxm = chance(50);
  rig r = rig_for(w->t);
  goal g = goal_for(w, r.z);
  GrB_Index inner = pick_dim();
  bool rows = vxm == (vxm ? g.d.tran1 : g.d.tran0); /* does w follow the matrix's rows? */
  thing *a = matrix_for(vxm ? r.y : r.x, rows ? w->nrows : inner, rows ? inner : w->nrows);
  thing *u = vector_for(vxm ? r.x : r.y, inner);
  if (!exact(&r, a, u)) {
    a = exact_for(MATRIX, vxm ? r.y : r.x, a->nrows ? a->nrows : 1, a->nrows ? a->ncols : 1);
    u = exact_for(VECTOR, vxm ? r.x : r.y, u->nrows ? u->nrows : 1, 1);
  }
  GrB_Semiring op = op_of(&r);
  if (known_empty_product(&g, r.z, inner)) {
    free_ring(&r);
    return;
  }
  log_text("GrB_%s(%s, %s, %s, %s, %s, %s, %s)", vxm ? "vxm" : "mxv", w->name, mask_name(&g), accum_name(&g),
           op ? r.name : "NULL", vxm ? u->name : a->name, vxm ? a->name : u->name, g.d.name);
  if (vxm)
    RUN("GrB_vxm", GrB_vxm(w->v, g.mv, g.plus, op, u->v, a->a, g.d.d));
  else
    RUN("GrB_mxv", GrB_mxv(w->v, g.mv, g.plus, op, a->a, u->v, g.d.d));
  finish(&g, &r, a, u);
}

#if TWIN_HAS_GrB_Matrix_kronecker_Semiring
/* Dimensions of two factors: small, of up to 2^30 each, or 0. */
static void factor_dims(GrB_Index *a, GrB_Index *b) {
  const bool huge = chance(20);
  *a = 1 + below(huge ? UINT64_C(1) << (1 + below(30)) : 12);
  *b = 1 + below(huge ? UINT64_C(1) << (1 + below(30)) : 60);
  if (chance(2)) *(chance(50) ? a : b) = 0;
}

/* Into a temporary output of the product's dimensions. */
void call_kronecker(void) {
  int t = cast_type(ANY_TYPE), kind = (int)below(3);
  GrB_Index ar, ac, br, bc;
  factor_dims(&ar, &br), factor_dims(&bc, &ac);
  const binary *b;
  do b = binary_for(t, NULL);
  while (divides(b->name));
  const monoid *m = monoid_for(t);
  const semiring *s;
  do s = semiring_for(t);
  while (!strcmp(s->mul, "SECONDI"));
  restrict_domains(kind == 0 ? b->name : kind == 1 ? m->name : s->mul);
  int x = kind == 0 ? b->x : kind == 1 ? m->t : s->x, y = kind == 0 ? b->y : kind == 1 ? m->t : s->y;
  int z = kind == 0 ? b->z : kind == 1 ? m->t : s->z;
  thing *c = temporary(MATRIX, cast_type(z), ar * br, ac * bc);
  if (chance(50)) fill(c, EXACT);
  goal g = goal_for(c, z);
  thing *p = matrix_for(x, g.d.tran0 ? ac : ar, g.d.tran0 ? ar : ac);
  thing *q = matrix_for(y, g.d.tran1 ? bc : br, g.d.tran1 ? br : bc);
  bool none = spoil_operator();
  log_text("GrB_Matrix_kronecker(%s, %s, %s, %s, %s, %s, %s)", c->name, mask_name(&g), accum_name(&g),
           none        ? "NULL"
           : kind == 0 ? b->name
           : kind == 1 ? m->name
                       : s->name,
           p->name, q->name, g.d.name);
  if (kind == 0)
    RUN("GrB_Matrix_kronecker",
        GrB_Matrix_kronecker_BinaryOp(c->a, g.ma, g.plus, none ? NULL : b->op, p->a, q->a, g.d.d));
  else if (kind == 1)
    RUN("GrB_Matrix_kronecker",
        GrB_Matrix_kronecker_Monoid(c->a, g.ma, g.plus, none ? NULL : m->op, p->a, q->a, g.d.d));
  else
    RUN("GrB_Matrix_kronecker",
        GrB_Matrix_kronecker_Semiring(c->a, g.ma, g.plus, none ? NULL : s->op, p->a, q->a, g.d.d));
  show(c);
}
#endif
