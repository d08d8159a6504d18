/* Functions of every kind of object: wait, error, copies; monoids of every type; the library's version. */
#include "tests/twin/twin.h"

void twin_copy(void *z, const void *x) {
  double r = *(const int16_t *)x;
  memcpy(z, &r, sizeof r);
}
void twin_first(void *z, const void *x, const void *y) {
  (void)y;
  memmove(z, x, sizeof(double));
}
void twin_position(void *z, const void *x, GrB_Index i, GrB_Index j, const void *y) {
  (void)x, (void)y;
  int64_t r = (int64_t)(i + j);
  memcpy(z, &r, sizeof r);
}

/* There must be a text; its wording is free. */
#define LIFE(K, object)                                                  \
  do {                                                                   \
    const char *text_ = NULL;                                            \
    say("%s: wait %d %d", #K, (int)GrB_##K##_wait(object, GrB_COMPLETE), \
        (int)GrB_##K##_wait(object, GrB_MATERIALIZE));                   \
    say(", error %d", (int)GrB_##K##_error(&text_, object));             \
    say(" %d\n", text_ != NULL);                                         \
  } while (0)

/* A monoid created from an operator with its identity sums like the predefined one. */
static void monoids(void) {
  static const char *const name[] = {"MIN", "MAX", "PLUS", "TIMES"};
  GrB_Vector v = NULL;
  DO(GrB_Vector_new(&v, GrB_INT8, 9));
  for (int8_t k = 1; k < 5; k++) DO(GrB_Vector_setElement_INT8(v, k, (GrB_Index)k));
  for (int t = 1; t < NPREDEFINED; t++) {
    const char *want = name[below(4)];
    const binary *b = random_binary(t);
    while (b->x != t || b->z != t || strncmp(b->name, want, strlen(want)) || b->name[strlen(want)] != '_')
      b = random_binary(t);
    value identity = random_value(t, EXACT), x = random_value(t, EXACT);
    GrB_Monoid m = NULL;
    DO(monoid_new(&m, b->op, t, &identity));
    DO(vector_reduce(t, &x, NULL, m, v, NULL));
    say("%s ", b->name);
    say_value(t, &x);
    say("\n");
    LIFE(Monoid, m);
    GrB_Monoid_free(&m);
  }
  GrB_Monoid lor = NULL;
  bool x = false;
  DO(GrB_Monoid_new_BOOL(&lor, GrB_LOR, false));
  DO(GrB_Vector_reduce_BOOL(&x, NULL, lor, v, NULL));
  say("LOR %d\n", x);
  GrB_Monoid_free(&lor);
  GrB_Vector_free(&v);
}

static void formats(void) {
#if TWIN_HAS_GrB_Matrix_exportHint
  GrB_Matrix a = NULL;
  GrB_Format hint = GrB_COO_FORMAT;
  DO(GrB_Matrix_new(&a, GrB_INT32, 5, 5));
  GrB_Info info = GrB_Matrix_exportHint(&hint, a);
  say("hint %d\n", info == GrB_SUCCESS || info == GrB_NO_VALUE); /* implementation-defined */
  GrB_Matrix_free(&a);
#endif
}

void step_life(void) {
  unsigned version = 0, subversion = 0;
  DO(GrB_getVersion(&version, &subversion));
  say("version %u\n", version);
  descriptor d = random_descriptor();
  int t = (int)below(NTYPES);
  vec v = random_vector(t, 1 + below(90), RICH);
  mat a = random_matrix(t, 1 + below(90), 1 + below(90), RICH);
  GrB_Scalar s = NULL, c = NULL;
  value x = random_value(t, RICH), y;
  memset(&y, 0, sizeof y);
  DO(GrB_Scalar_new(&s, twin_type[t]));
  if (chance(70)) DO(scalar_set(s, t, &x));
  DO(GrB_Scalar_dup(&c, s));
  say("copy %d ", (int)scalar_get(&y, t, c));
  say_value(t, &y);
  say("\n");
  LIFE(Type, twin_type[t]);
  LIFE(UnaryOp, random_unary()->op);
  LIFE(BinaryOp, random_any_binary()->op);
  LIFE(IndexUnaryOp, random_indexed()->op);
  LIFE(Monoid, random_monoid()->op);
  LIFE(Semiring, random_semiring()->op);
  if (d.d) LIFE(Descriptor, d.d);
  LIFE(Scalar, s);
  LIFE(Vector, v.v);
  LIFE(Matrix, a.a);
  monoids();
  formats();
  GrB_Scalar_free(&s), GrB_Scalar_free(&c);
  free_vector(&v), free_matrix(&a);
}
