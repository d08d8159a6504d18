/* Each call whose name ends in a type, with every type, on small objects of that type. */
#include "tests/twin/random_program.h"

enum { N = 7, ROWS = 5, COLS = 6 };

/* Values that are not all the same: 7.4 reads past the end of equal values in apply with an index operator.
 */
static value one_of(int t, GrB_Index k) {
  value x = random_value(t, EXACT);
  if (t == T_PAIR) x.p.a = (int64_t)k;
  if (t >= T_TRIO) x.bytes[0] = (uint8_t)k;
  return x;
}

static const binary *binary_of(int t) {
  const binary *op;
  do op = random_binary(t);
  while (op->x != t || op->y != t || op->z != t || !strncmp(op->name, "DIV", 3));
  return op;
}

/* Takes a scalar of type t and values of type *x, and returns a type that a result can have. */
static const indexed *indexed_with(int t, bool selects) {
  const indexed *op;
  do op = random_indexed();
  while ((op->y != t && (t >= NPREDEFINED || op->y >= NPREDEFINED)) ||
         (selects && (op->z >= NPREDEFINED || known_select_cast(op, t))));
  return op;
}
/* Does it exist? The user-defined operators have none for TRIO and WIDE. */
static bool has_indexed(int t) {
  return t <= T_PAIR;
}

static const monoid *monoid_of(int t) {
  const monoid *m;
  do m = random_monoid();
  while (m->t != t || m->any);
  return m;
}

static void vectors_of(int t) {
  GrB_Vector v = NULL, w = NULL, r = NULL;
  GrB_Index i[N];
  value x[N], y;
  DO(GrB_Vector_new(&v, twin_type[t], N));
  DO(GrB_Vector_new(&w, twin_type[t], N));
  twin_tune_vector(v, N), twin_tune_vector(w, N);
  for (GrB_Index k = 0; k < N; k++) i[k] = k, x[k] = one_of(t, k);
  void *packed = pack_values(t, x, N);
  DO(vector_build(v, t, i, packed, N - 1, NULL));
  free(packed);
  DO(vector_set(v, t, &x[N - 1], N - 1));
  DO(vector_get(&y, t, v, 2));
  say_value(t, &y);
  say("\n");
  DO(vector_assign_scalar(w, NULL, NULL, t, &x[1], i, 4, NULL));
  say_vector("assigned", w, t);
  const binary *op = binary_of(t);
  DO(vector_bind1st(w, NULL, NULL, op->op, t, &x[0], v, NULL));
  say_vector(op->name, w, t);
  DO(vector_bind2nd(w, NULL, NULL, op->op, v, t, &x[0], NULL));
  say_vector(op->name, w, t);
  if (has_indexed(t)) {
    const indexed *at = indexed_with(t, false), *which = indexed_with(t, true);
    int ut = at->x < 0 ? T_INT16 : at->x, st = which->x < 0 ? T_INT16 : which->x;
    vec u = random_vector(ut, N, EXACT), s = random_vector(st, N, EXACT);
    for (GrB_Index k = 0; k < N; k++) y = one_of(ut, k), vector_set(u.v, ut, &y, k);
    DO(GrB_Vector_new(&r, twin_type[at->z], N));
    DO(vector_apply_index(r, NULL, NULL, at->op, u.v, t, &x[0], NULL));
    say_vector(at->name, r, at->z);
    GrB_Vector_free(&r);
    DO(GrB_Vector_new(&r, twin_type[st], N));
    DO(vector_select(r, NULL, NULL, which->op, s.v, t, &x[0], NULL));
    say_vector(which->name, r, st);
    GrB_Vector_free(&r);
    free_vector(&u), free_vector(&s);
  }
  y = x[0];
  DO(vector_reduce(t, &y, NULL, monoid_of(t)->op, v, NULL));
  say_value(t, &y);
  say("\n");
  GrB_Vector_free(&v), GrB_Vector_free(&w);
}

/* A ROWS x COLS matrix: its last column is empty. */
static GrB_Matrix filled_matrix(int t) {
  GrB_Matrix a = NULL;
  GrB_Index i[ROWS * COLS], j[ROWS * COLS], n = 0;
  value x[ROWS * COLS];
  DO(GrB_Matrix_new(&a, twin_type[t], ROWS, COLS));
  for (GrB_Index r = 0; r < ROWS; r++)
    for (GrB_Index c = 0; c + 1 < COLS; c++) i[n] = r, j[n] = c, x[n] = one_of(t, n), n++;
  void *packed = pack_values(t, x, n);
  DO(matrix_build(a, t, i, j, packed, n, NULL));
  free(packed);
  return a;
}

static void exchange(int t, GrB_Matrix a) {
#if TWIN_HAS_GrB_Matrix_import_INT32 && TWIN_HAS_GrB_Matrix_export_INT32
  GrB_Matrix b = NULL;
  GrB_Index p[ROWS * COLS], i[ROWS * COLS], np = ROWS * COLS, ni = ROWS * COLS, nx = ROWS * COLS;
  unsigned char x[ROWS * COLS * sizeof(value)];
  DO(matrix_export(p, i, x, &np, &ni, &nx, GrB_CSR_FORMAT, t, a));
  DO(matrix_import(&b, t, ROWS, COLS, p, i, x, np, ni, nx, GrB_CSR_FORMAT));
  say_matrix("imported", b, t);
  GrB_Matrix_free(&b);
#else
  (void)t, (void)a;
#endif
}

static void matrices_of(int t) {
  GrB_Matrix a = filled_matrix(t), c = NULL, r = NULL;
  const GrB_Index list[] = {3, 1};
  value x = one_of(t, 3), y;
  DO(GrB_Matrix_new(&c, twin_type[t], ROWS, COLS));
  DO(matrix_set(a, t, &x, 2, COLS - 1));
  DO(matrix_get(&y, t, a, 2, COLS - 1));
  say_value(t, &y);
  say("\n");
  exchange(t, a);
  DO(matrix_assign_scalar(c, NULL, NULL, t, &x, list, 2, GrB_ALL, COLS, NULL));
  say_matrix("assigned", c, t);
  const binary *op = binary_of(t);
  DO(matrix_bind1st(c, NULL, NULL, op->op, t, &x, a, NULL));
  say_matrix(op->name, c, t);
  DO(matrix_bind2nd(c, NULL, NULL, op->op, a, t, &x, NULL));
  say_matrix(op->name, c, t);
  if (has_indexed(t)) {
    const indexed *at = indexed_with(t, false), *which = indexed_with(t, true);
    int ut = at->x < 0 ? T_INT16 : at->x, st = which->x < 0 ? T_INT16 : which->x;
    GrB_Matrix u = filled_matrix(ut), s = filled_matrix(st);
    for (GrB_Index k = 0; k < ROWS; k++) y = one_of(ut, k + 1), DO(matrix_set(u, ut, &y, k, k));
    DO(GrB_Matrix_new(&r, twin_type[at->z], ROWS, COLS));
    DO(matrix_apply_index(r, NULL, NULL, at->op, u, t, &x, NULL));
    say_matrix(at->name, r, at->z);
    GrB_Matrix_free(&r);
    DO(GrB_Matrix_new(&r, twin_type[st], ROWS, COLS));
    DO(matrix_select(r, NULL, NULL, which->op, s, t, &x, NULL));
    say_matrix(which->name, r, st);
    GrB_Matrix_free(&r), GrB_Matrix_free(&u), GrB_Matrix_free(&s);
  }
  y = x;
  DO(matrix_reduce(t, &y, NULL, monoid_of(t)->op, a, NULL));
  say_value(t, &y);
  say("\n");
  GrB_Matrix_free(&a), GrB_Matrix_free(&c);
}

static void scalars_of(int t) {
  GrB_Scalar s = NULL;
  value x = one_of(t, 5), y;
  DO(GrB_Scalar_new(&s, twin_type[t]));
  DO(scalar_set(s, t, &x));
  DO(scalar_get(&y, t, s));
  say_value(t, &y);
  say("\n");
  GrB_Scalar_free(&s);
}

void step_types(void) {
  for (int t = 0; t < NTYPES; t++) {
    say("type %s\n", twin_type_name[t]);
    scalars_of(t);
    vectors_of(t);
    matrices_of(t);
  }
}
