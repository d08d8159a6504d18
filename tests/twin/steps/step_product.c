/* Products: mxv and vxm with every semiring, and searches made of them. */
#include "tests/twin/twin.h"

/* Is x a value that ANY may choose for w(r): that of some product A(r,k) u(k)? `rows`: r counts rows of A. */
static bool candidate(const semiring *s, bool matrix_first, const mat *a, const vec *u, bool rows,
                      GrB_Index r, const value *x) {
  for (GrB_Index e = 0; e < a->nvals; e++) {
    GrB_Index to = rows ? a->i[e] : a->j[e], k = rows ? a->j[e] : a->i[e];
    if (to != r) continue;
    GrB_Index *at = NULL;
    for (GrB_Index m = 0; m < u->nvals && !at; m++)
      if (u->i[m] == k) at = &u->i[m];
    if (!at) continue;
    value y;
    memset(&y, 0, sizeof y);
    if (!strcmp(s->mul, "SECONDI"))
      memcpy(&y, &k, twin_size[s->z]);
    else
      y = !strcmp(s->mul, "FIRST") == matrix_first ? a->x[e] : u->x[at - u->i];
    if (!memcmp(&y, x, twin_size[s->z])) return true;
  }
  return false;
}

/* Where ANY leaves a choice, the pattern is compared, and each value must be one of those allowed. */
static void say_any(vec *w, const semiring *s, bool matrix_first, const mat *a, const vec *u, bool rows) {
  GrB_Index nvals = 0;
  DO(GrB_Vector_nvals(&nvals, w->v));
  GrB_Index *i = malloc((nvals + 1) * sizeof *i);
  char *x = malloc((nvals + 1) * twin_size[w->t]);
  DO(vector_tuples(i, x, &nvals, w->t, w->v));
  say("w: any of those allowed, %" PRIu64 " entries\n", nvals);
  bool *good = calloc(nvals + 1, 1);
  for (GrB_Index k = 0; k < nvals; k++) {
    value v;
    memcpy(&v, x + k * twin_size[w->t], twin_size[w->t]);
    good[k] = candidate(s, matrix_first, a, u, rows, i[k], &v);
  }
  /* as entries of a Boolean vector, so that they are sorted */
  GrB_Vector ok = NULL;
  DO(GrB_Vector_new(&ok, GrB_BOOL, w->n));
  DO(GrB_Vector_build_BOOL(ok, i, good, nvals, NULL));
  say_vector("allowed", ok, T_BOOL);
  GrB_Vector_free(&ok);
  free(good);
  free(i);
  free(x);
}

void step_product(void) {
  bool vxm = chance(50);
  const semiring *s = random_semiring();
  descriptor d = random_descriptor();
  bool transposed = vxm ? d.tran1 : d.tran0;
  GrB_Index nrows = random_size(), ncols = chance(60) ? nrows : random_size();
  bool rows = vxm == transposed; /* does w follow A's rows? */
  GrB_Index out = rows ? nrows : ncols, in = rows ? ncols : nrows;
  int xt = s->any ? s->x : castable_exact_type(s->x), yt = s->any ? s->y : castable_exact_type(s->y);
  mat a = random_matrix(vxm ? yt : xt, nrows, ncols, EXACT);
  vec u = random_vector(vxm ? xt : yt, in, EXACT), mask = random_mask(out), w;
  bool fresh = s->any || chance(20), alias_u = !fresh && in == out && u.t < NPREDEFINED && chance(20);
  const binary *accum = s->any ? NULL : random_accum(s->z, true);
  if (s->z >= NPREDEFINED) alias_u = false;
  w = fresh ? empty_vector(s->any ? s->z : castable_type(s->z), out)
            : random_vector(castable_type(s->z), out, EXACT);
  bool alias_mask = !fresh && !alias_u && w.t < NPREDEFINED && chance(15);
  GrB_Vector wv = alias_u ? u.v : w.v, mv = alias_mask ? w.v : mask.v;
  int wt = alias_u ? u.t : w.t;

  say("%s %s desc %s accum %s A %s %" PRIu64 "x%" PRIu64 " (%" PRIu64 ") u %s (%" PRIu64
      ") w %s%s%s%s mask %s (%" PRIu64 ")\n",
      vxm ? "vxm" : "mxv", s->name, d.name, accum ? accum->name : "-", twin_type_name[a.t], nrows, ncols,
      a.nvals, twin_type_name[u.t], u.nvals, twin_type_name[wt], fresh ? " fresh" : "", alias_u ? " w=u" : "",
      alias_mask ? " w=mask" : "", mv ? twin_type_name[alias_mask ? w.t : mask.t] : "-", mask.nvals);
  GrB_BinaryOp plus = accum ? accum->op : NULL;
  if (vxm)
    DO(GrB_vxm(wv, mv, plus, s->op, u.v, a.a, d.d));
  else
    DO(GrB_mxv(wv, mv, plus, s->op, a.a, u.v, d.d));
  if (s->any)
    say_any(&w, s, !vxm, &a, &u, rows);
  else
    say_vector("w", wv, wt);

  if (chance(20) && !s->any && !alias_u &&
      !alias_mask) { /* a copy of the matrix, with the same cached properties */
    GrB_Matrix copy = NULL;
    DO(GrB_Matrix_dup(&copy, a.a));
    if (vxm)
      DO(GrB_vxm(wv, mv, plus, s->op, u.v, copy, d.d));
    else
      DO(GrB_mxv(wv, mv, plus, s->op, copy, u.v, d.d));
    say_vector("copy", wv, wt);
    GrB_Matrix_free(&copy);
  }
  if (chance(20)) { /* the same matrix after a change */
    value x = random_value(a.t, EXACT);
    GrB_Index i = below(nrows), j = below(ncols);
    if (chance(60))
      DO(matrix_set(a.a, a.t, &x, i, j));
    else
      DO(GrB_Matrix_removeElement(a.a, a.nvals ? a.i[0] : i, a.nvals ? a.j[0] : j));
    if (!s->any && !alias_u && !alias_mask) {
      if (vxm)
        DO(GrB_vxm(wv, mv, plus, s->op, u.v, a.a, d.d));
      else
        DO(GrB_mxv(wv, mv, plus, s->op, a.a, u.v, d.d));
      say_vector("again", wv, wt);
    }
    say_matrix("A", a.a, a.t);
  }
  free_matrix(&a);
  free_vector(&u);
  free_vector(&w);
  free_vector(&mask);
}

/* Levels, smallest parents and numbers of shortest paths from one vertex. */
void step_bfs(void) {
  GrB_Index n = 1 + below(1500), source = below(n), found = 1;
  mat a = symmetric_graph(n);
  GrB_Vector level = NULL, frontier = NULL, parent = NULL, paths = NULL, wave = NULL;
  GrB_Semiring count = NULL;
  say("bfs on %" PRIu64 " vertices, %" PRIu64 " entries, from %" PRIu64 "\n", n, a.nvals, source);
  DO(GrB_Vector_new(&level, GrB_INT32, n));
  DO(GrB_Vector_new(&frontier, GrB_INT64, n));
  DO(GrB_Vector_new(&parent, GrB_INT64, n));
  DO(GrB_Vector_new(&wave, GrB_INT64, n));
  DO(GrB_Vector_new(&paths, GrB_INT64, n));
  DO(GrB_Semiring_new(&count, GrB_PLUS_MONOID_INT64, GrB_FIRST_INT64));
  DO(GrB_Vector_setElement_INT64(frontier, (int64_t)source, source));
  DO(GrB_Vector_setElement_INT64(parent, (int64_t)source, source));
  DO(GrB_Vector_setElement_INT64(wave, 1, source));
  for (int32_t depth = 0; found > 0 && depth <= (int32_t)n; depth++) {
    DO(GrB_Vector_assign_INT32(level, frontier, NULL, depth, GrB_ALL, n, GrB_DESC_S));
    DO(GrB_Vector_assign(paths, NULL, GrB_PLUS_INT64, wave, GrB_ALL, n, NULL));
    DO(GrB_vxm(wave, level, NULL, count, wave, a.a, GrB_DESC_RSC));
    if (depth & 1)
      DO(GrB_vxm(frontier, parent, NULL, TWIN_SEMIRING_Grid(MIN, SECONDI, INT64), frontier, a.a,
                 GrB_DESC_RSC));
    else
      DO(GrB_mxv(frontier, parent, NULL, TWIN_SEMIRING_Grid(MIN, SECONDI, INT64), a.a, frontier,
                 GrB_DESC_RSCT0));
    DO(GrB_Vector_assign(parent, frontier, NULL, frontier, GrB_ALL, n, GrB_DESC_S));
    DO(GrB_Vector_nvals(&found, frontier));
    say("%" PRIu64 " found\n", found);
  }
  say_vector("level", level, T_INT32);
  say_vector("parent", parent, T_INT64);
  say_vector("paths", paths, T_INT64);
  GrB_Vector_free(&level), GrB_Vector_free(&frontier), GrB_Vector_free(&parent);
  GrB_Vector_free(&wave), GrB_Vector_free(&paths);
  GrB_Semiring_free(&count);
  free_matrix(&a);
}
