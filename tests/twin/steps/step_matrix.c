/* Matrices: build, elements, copies, reductions; and chains of operations whose intermediate results are not
 * read. */
#include "tests/twin/twin.h"

static void edit(mat *a, GrB_Matrix b) {
  for (int k = 0; k < 12; k++) {
    GrB_Index at = a->nvals ? below(a->nvals) : 0;
    bool old = a->nvals && chance(60);
    GrB_Index i = old ? a->i[at] : below(a->nrows), j = old ? a->j[at] : below(a->ncols);
    int as = castable_type(a->t);
    value x = random_value(as, RICH);
    switch (below(3)) {
      case 0:
        DO(matrix_set(b, as, &x, i, j));
        break;
      case 1:
        DO(GrB_Matrix_removeElement(b, i, j));
        break;
      default:
        say("get %d: ", (int)matrix_get(&x, as, b, i, j));
        say_value(as, &x);
        say("\n");
    }
  }
}

static void build_with_duplicates(GrB_Matrix b, int t, GrB_Index nrows, GrB_Index ncols) {
  static const char *const names[] = {"PLUS", "MAX", "MIN"};
  const char *want = names[below(3)];
  const binary *dup = random_binary(t);
  while (dup->x != t || dup->z != t ||
         strncmp(dup->name, t == T_BOOL ? "LXOR" : want, t == T_BOOL ? 5 : strlen(want)))
    dup = random_binary(t);
  GrB_Index n = below(100), *i = malloc((n + 1) * sizeof *i), *j = malloc((n + 1) * sizeof *j);
  value *x = malloc((n + 1) * sizeof *x);
  for (GrB_Index k = 0; k < n; k++) {
    i[k] = below(nrows < 9 ? nrows : 9);
    j[k] = ncols - 1 - below(ncols < 9 ? ncols : 9);
    x[k] = random_value(t, EXACT);
  }
  void *packed = pack_values(t, x, n);
  DO(matrix_build(b, t, i, j, packed, n, dup->op));
  say("built with %s\n", dup->name);
  say_matrix("built", b, t);
  free(i), free(j), free(x), free(packed);
}

static void reduce(void) {
  const monoid *m = random_monoid();
  while (m->any) m = random_monoid();
  GrB_Index nrows = random_size(), ncols = chance(50) ? nrows : random_size();
  mat a =
      random_matrix(strncmp(m->name, "TIMES_FP", 8) ? castable_exact_type(m->t) : m->t, nrows, ncols, EXACT);
  descriptor d = random_descriptor();
  GrB_Index n = d.tran0 ? ncols : nrows;
  vec w = random_vector(castable_type(m->t), n, EXACT), mask = random_mask(n);
  const binary *accum = random_accum(m->t, true);
  say("reduce rows %s desc %s accum %s A %s %" PRIu64 "x%" PRIu64 "\n", m->name, d.name,
      accum ? accum->name : "-", twin_type_name[a.t], nrows, ncols);
  DO(GrB_Matrix_reduce_Monoid(w.v, mask.v, accum ? accum->op : NULL, m->op, a.a, d.d));
  say_vector("w", w.v, w.t);
  if (m->t == T_FP64) {
    double x = 3;
    DO(GrB_Matrix_reduce_FP64(&x, GrB_PLUS_FP64, m->op, a.a, NULL));
    say("d %.17g\n", x);
  }
  if (m->t == T_INT32) {
    int32_t x = 3;
    DO(GrB_Matrix_reduce_INT32(&x, NULL, m->op, a.a, NULL));
    say("%d\n", x);
  }
  free_matrix(&a);
  free_vector(&w);
  free_vector(&mask);
}

void step_matrix(void) {
  if (chance(40)) {
    reduce();
    return;
  }
  GrB_Index nrows = random_size(), ncols = chance(50) ? nrows : random_size();
  int t = (int)below(NTYPES);
  mat a = random_matrix(t, nrows, ncols, RICH);
  GrB_Matrix b = NULL;
  say("elements of a %s matrix %" PRIu64 "x%" PRIu64 "\n", twin_type_name[t], nrows, ncols);
  DO(GrB_Matrix_dup(&b, a.a));
  edit(&a, b);
  say_matrix("changed", b, t);
  say_matrix("original", a.a, t);
  DO(GrB_Matrix_clear(b));
  say_matrix("cleared", b, t);
  if (t < NPREDEFINED) build_with_duplicates(b, t, nrows, ncols);
  GrB_Matrix_free(&b);
  free_matrix(&a);
}

/* Ten operations on four vectors and a matrix; only the final results are read. Integers only: they wrap
 * alike. */
void step_chain(void) {
  GrB_Index n = 1 + below(700);
  mat a = random_matrix(T_INT32, n, n, EXACT);
  vec v[4];
  say("chain on %" PRIu64 "\n", n);
  for (int k = 0; k < 4; k++)
    v[k] = random_vector(k == 0 ? T_BOOL : k == 1 ? T_INT32 : k == 2 ? T_INT64 : T_UINT8, n, EXACT);
  for (int k = 0; k < 10; k++) {
    GrB_Vector w = v[below(4)].v, u = v[below(4)].v, u2 = v[below(4)].v;
    GrB_Vector m = chance(50) ? v[below(4)].v : NULL;
    GrB_BinaryOp accum = chance(50) ? GrB_PLUS_INT64 : NULL;
    descriptor d = random_descriptor();
    value x = random_value(T_INT32, EXACT);
    int32_t y;
    memcpy(&y, &x, sizeof y);
    switch (below(9)) {
      case 0:
        DO(GrB_vxm(w, m, accum, GrB_PLUS_TIMES_SEMIRING_INT32, u, a.a, d.d));
        break;
      case 1:
        DO(GrB_mxv(w, m, accum, GrB_MIN_PLUS_SEMIRING_INT64, a.a, u, d.d));
        break;
      case 2:
        DO(GrB_vxm(w, m, accum, GrB_LOR_LAND_SEMIRING_BOOL, u, a.a, d.d));
        break;
      case 3:
        DO(GrB_Vector_assign_INT32(w, m, accum, y, GrB_ALL, n, d.d));
        break;
      case 4:
        DO(GrB_Vector_eWiseAdd_BinaryOp(w, m, accum, GrB_MINUS_INT32, u, u2, d.d));
        break;
      case 5:
        DO(GrB_Vector_select_INT32(w, m, accum, GrB_VALUEGT_INT32, u, y, d.d));
        break;
      case 6:
        DO(GrB_Vector_apply_BinaryOp2nd_INT32(w, m, accum, GrB_TIMES_INT32, u, y, d.d));
        break;
      case 7:
        DO(GrB_Vector_setElement_INT32(w, y, below(n)));
        break;
      default:
        DO(GrB_Matrix_setElement_INT32(a.a, y, below(n), below(n)));
    }
  }
  for (int k = 0; k < 4; k++) {
    say_vector("v", v[k].v, v[k].t);
    free_vector(&v[k]);
  }
  free_matrix(&a);
}
