/* Operations on vectors: assign, extract, apply, select, element-wise, reduce, and their elements. */
#include "tests/twin/random_program.h"

/* The common arguments of every operation w<mask> accum= ... w may be the same object as the mask. */
typedef struct {
  vec w, mask;
  GrB_Vector m; /* the mask in use */
  bool alias;   /* is it w? */
  const binary *accum;
  GrB_BinaryOp plus;
  descriptor d;
} target;

/* t: the type of the result. */
static target random_target(int t, GrB_Index n, flavour f) {
  target g;
  g.w = random_vector(castable_type(t), n, f);
  g.mask = random_mask(n);
  g.accum = random_accum(t, false);
  g.plus = g.accum ? g.accum->op : NULL;
  g.d = random_descriptor();
  g.m = g.mask.v, g.alias = false;
  if (g.w.t < NPREDEFINED && chance(10)) g.m = g.w.v, g.alias = true;
  return g;
}
static void say_target(const char *call, const char *op, const target *g) {
  say("%s %s desc %s accum %s w %s of %" PRIu64 " (%" PRIu64 ") mask %s (%" PRIu64 ")\n", call, op, g->d.name,
      g->accum ? g->accum->name : "-", twin_type_name[g->w.t], g->w.n, g->w.nvals,
      !g->m      ? "-"
      : g->alias ? "w"
                 : twin_type_name[g->mask.t],
      g->mask.nvals);
  if (getenv("TWIN_INPUTS")) { /* for debugging a difference */
    say_vector("w", g->w.v, g->w.t);
    if (g->mask.v) say_vector("mask", g->mask.v, g->mask.t);
  }
}
static void end_target(target *g) {
  say_vector("w", g->w.v, g->w.t);
  free_vector(&g->w);
  free_vector(&g->mask);
}

/* An input of w's size: sometimes w itself, when the type allows. */
static GrB_Vector or_w(const target *g, const vec *u) {
  return u->t == g->w.t && u->n == g->w.n && chance(25) ? g->w.v : u->v;
}

void step_assign(void) {
  GrB_Index n = random_size(), ni;
  int t = (int)below(NTYPES);
  target g = random_target(t, n, RICH);
  GrB_Index *i = random_indices(n, &ni, true);
  if (chance(50)) {
    vec u = random_vector(t, ni, RICH);
    say_target(i ? "assign some" : "assign all", twin_type_name[t], &g);
    DO(GrB_Vector_assign(g.w.v, g.m, g.plus, or_w(&g, &u), i ? i : GrB_ALL, ni, g.d.d));
    free_vector(&u);
  } else {
    value x = random_value(t, RICH);
    say_target(i ? "assign a scalar to some" : "assign a scalar to all", twin_type_name[t], &g);
    DO(vector_assign_scalar(g.w.v, g.m, g.plus, t, &x, i ? i : GrB_ALL, ni, g.d.d));
  }
  free(i);
  end_target(&g);
}

void step_extract(void) {
  GrB_Index n = random_size(), ni;
  int t = (int)below(NTYPES);
  vec u = random_vector(t, n, RICH);
  GrB_Index *i = random_indices(n, &ni, chance(50));
  target g = random_target(t, ni, RICH);
  say_target(i ? "extract some" : "extract all", twin_type_name[t], &g);
  DO(GrB_Vector_extract(g.w.v, g.m, g.plus, or_w(&g, &u), i ? i : GrB_ALL, ni, g.d.d));
  free(i);
  free_vector(&u);
  end_target(&g);
}

static void apply_plain(GrB_Index n) {
  const unary *op = random_unary();
  target g = random_target(op->z, n, RICH);
  vec u = random_vector(castable_type(op->x), n, RICH);
  say_target("apply", op->name, &g);
  DO(GrB_Vector_apply(g.w.v, g.m, g.plus, op->op, or_w(&g, &u), g.d.d));
  free_vector(&u);
  end_target(&g);
}

static void apply_bound(GrB_Index n, bool first) {
  const binary *op = random_binary((int)below(NTYPES));
  target g = random_target(op->z, n, RICH);
  int st = castable_type(first ? op->x : op->y);
  vec u = random_vector(castable_type(first ? op->y : op->x), n, RICH);
  value x = random_value(st, RICH);
  say_target(first ? "apply with x" : "apply with y", op->name, &g);
  if (first)
    DO(vector_bind1st(g.w.v, g.m, g.plus, op->op, st, &x, or_w(&g, &u), g.d.d));
  else
    DO(vector_bind2nd(g.w.v, g.m, g.plus, op->op, or_w(&g, &u), st, &x, g.d.d));
  free_vector(&u);
  end_target(&g);
}

static bool all_equal(const vec *u) {
  for (GrB_Index k = 1; k < u->nvals; k++)
    if (memcmp(&u->x[k], &u->x[0], sizeof *u->x)) return false;
  return true;
}

static void apply_indexed(GrB_Index n) {
  const indexed *op = random_indexed();
  target g = random_target(op->z, n, RICH);
  int yt = castable_type(op->y);
  vec u = random_vector(op->x < 0 ? (int)below(NTYPES) : castable_type(op->x), n, RICH);
  value y = random_value(yt, EXACT);
  say_target("apply with indices", op->name, &g);
  /* SuiteSparse 7.4 reads past the end of a vector of equal user-defined values here */
  if (u.t < NPREDEFINED || !all_equal(&u))
    DO(vector_apply_index(g.w.v, g.m, g.plus, op->op, or_w(&g, &u), yt, &y, g.d.d));
  free_vector(&u);
  end_target(&g);
}

void step_apply(void) {
  GrB_Index n = random_size();
  switch (below(4)) {
    case 0:
      apply_plain(n);
      break;
    case 1:
      apply_bound(n, true);
      break;
    case 2:
      apply_bound(n, false);
      break;
    default:
      apply_indexed(n);
  }
}

void step_select(void) {
  const indexed *op = random_indexed();
  GrB_Index n = random_size();
  while (op->z >= NPREDEFINED || known_select_position(op, n)) op = random_indexed();
  vec u = random_vector(op->x < 0 ? (int)below(NTYPES) : castable_type(op->x), n, RICH);
  target g = random_target(u.t, n, RICH);
  int yt = castable_type(op->y);
  value y = random_value(yt, EXACT);
  say_target("select", op->name, &g);
  DO(vector_select(g.w.v, g.m, g.plus, op->op, or_w(&g, &u), yt, &y, g.d.d));
  free_vector(&u);
  end_target(&g);
}

void step_ewise(void) {
  GrB_Index n = random_size();
  bool add = chance(50);
  int kind = (int)below(3);
  const semiring *s = random_semiring();
  const monoid *m = random_monoid();
  const binary *b = random_binary((int)below(NTYPES));
  /* which of two values ANY returns is free, and SECONDI has no meaning for ewise */
  while (s->any || !strcmp(s->mul, "SECONDI") || !strncmp(s->name, "ANY", 3)) s = random_semiring();
  while (m->any) m = random_monoid();
  int xt = kind == 0   ? b->x
           : kind == 1 ? m->t
           : add       ? s->z
                       : s->x,
      yt = kind == 0   ? b->y
           : kind == 1 ? m->t
           : add       ? s->z
                       : s->y;
  int zt = kind == 0 ? b->z : kind == 1 ? m->t : s->z;
  target g = random_target(zt, n, RICH);
  vec u = random_vector(castable_type(xt), n, RICH), v = random_vector(castable_type(yt), n, RICH);
  GrB_Vector a = or_w(&g, &u), c = xt == yt && u.t == v.t && chance(10) ? a : or_w(&g, &v);
  say_target(add ? "eWiseAdd" : "eWiseMult", kind == 0 ? b->name : kind == 1 ? m->name : s->name, &g);
  if (add) {
    if (kind == 0)
      DO(GrB_Vector_eWiseAdd_BinaryOp(g.w.v, g.m, g.plus, b->op, a, c, g.d.d));
    else if (kind == 1)
      DO(GrB_Vector_eWiseAdd_Monoid(g.w.v, g.m, g.plus, m->op, a, c, g.d.d));
    else
      DO(GrB_Vector_eWiseAdd_Semiring(g.w.v, g.m, g.plus, s->op, a, c, g.d.d));
  } else {
    if (kind == 0)
      DO(GrB_Vector_eWiseMult_BinaryOp(g.w.v, g.m, g.plus, b->op, a, c, g.d.d));
    else if (kind == 1)
      DO(GrB_Vector_eWiseMult_Monoid(g.w.v, g.m, g.plus, m->op, a, c, g.d.d));
    else
      DO(GrB_Vector_eWiseMult_Semiring(g.w.v, g.m, g.plus, s->op, a, c, g.d.d));
  }
  free_vector(&u);
  free_vector(&v);
  end_target(&g);
}

void step_reduce(void) {
  const monoid *m = random_monoid();
  while (m->any) m = random_monoid();
  vec u =
      random_vector(strncmp(m->name, "TIMES_FP", 8) ? castable_exact_type(m->t) : m->t, random_size(), EXACT);
  int t = castable_type(m->t);
  value x = random_value(t, EXACT);
  const binary *accum = random_accum(m->t, true);
  GrB_BinaryOp plus = accum ? accum->op : NULL;
  say("reduce %s of %s (%" PRIu64 ") into %s, accum %s\n", m->name, twin_type_name[u.t], u.nvals,
      twin_type_name[t], accum ? accum->name : "-");
  if (chance(60)) {
    DO(vector_reduce(t, &x, plus, m->op, u.v, NULL));
    say_value(t, &x);
    say("\n");
  } else {
    GrB_Scalar s = NULL;
    GrB_Index n = 0;
    DO(GrB_Scalar_new(&s, twin_type[T_INT64]));
    if (t < NPREDEFINED && u.t < NPREDEFINED) {
      DO(GrB_Scalar_setElement_INT64(s, 7));
      if (chance(30)) DO(GrB_Scalar_clear(s));
      DO(GrB_Vector_reduce_Monoid_Scalar(s, plus, m->op, u.v, NULL));
      int64_t y = -1;
      say("scalar %d ", (int)GrB_Scalar_extractElement_INT64(&y, s));
      DO(GrB_Scalar_nvals(&n, s));
      say("%" PRIu64 " %" PRId64 "\n", n, y);
    }
    GrB_Scalar_free(&s);
  }
  free_vector(&u);
}

/* Elements one by one, and the life cycle of a vector. */
void step_vector(void) {
  GrB_Index n = random_size();
  int t = (int)below(NTYPES);
  vec v = random_vector(t, n, RICH);
  GrB_Vector w = NULL;
  say("elements of a %s vector of %" PRIu64 "\n", twin_type_name[t], n);
  DO(GrB_Vector_dup(&w, v.v));
  for (int k = 0; k < 12; k++) {
    GrB_Index i = v.nvals && chance(60) ? v.i[below(v.nvals)] : below(n);
    int as = castable_type(t);
    value x = random_value(as, RICH);
    switch (below(3)) {
      case 0:
        DO(vector_set(w, as, &x, i));
        break;
      case 1:
        DO(GrB_Vector_removeElement(w, i));
        break;
      default:
        say("get %d: ", (int)vector_get(&x, as, w, i));
        say_value(as, &x);
        say("\n");
    }
  }
  say_vector("changed", w, t);
  say_vector("original", v.v, t);
  GrB_Index size = chance(50) ? 1 + below(n) : n < (UINT64_C(1) << 59) ? n + below(300) : n;
  DO(GrB_Vector_resize(w, size));
  say_vector("resized", w, t);
  DO(GrB_Vector_clear(w));
  say_vector("cleared", w, t);
  if (t < NPREDEFINED) { /* built again, with duplicates */
    GrB_Index count = below(60), *i = malloc((count + 1) * sizeof *i);
    GrB_BinaryOp dup = t == T_BOOL ? GrB_LXOR : random_binary(t)->op;
    for (const binary *b = random_binary(t); t != T_BOOL; b = random_binary(t))
      if (b->x == t && b->z == t && (!strncmp(b->name, "PLUS", 4) || !strncmp(b->name, "MAX", 3))) {
        dup = b->op;
        break;
      }
    value *x = malloc((count + 1) * sizeof *x);
    for (GrB_Index k = 0; k < count; k++) i[k] = below(size < 25 ? size : 25), x[k] = random_value(t, EXACT);
    void *packed = pack_values(t, x, count);
    DO(vector_build(w, t, i, packed, count, dup));
    say_vector("built", w, t);
    free(i), free(x), free(packed);
  }
  GrB_Vector_free(&w);
  free_vector(&v);
}
