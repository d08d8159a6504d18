/* GrB_get and GrB_set, with every field on objects of every kind: added by version 2.1 of the standard. */
#include "tests/twin/twin.h"

#if !defined(TWIN_SUITESPARSE) || defined(TWIN_OUR_HEADER)

static const int fields[] = {0,   1,   2,   3,   10,  11,  12,  13,  14,  15,  16,    17,
                             100, 102, 103, 104, 105, 106, 107, 108, 109, 110, 999999};
#define FIELDS (sizeof fields / sizeof *fields)

/* Fields that identify the library are not compared. */
static bool names_library(int field) {
  return field == 10 || (field >= 11 && field <= 13);
}

/* Everything that GrB_get returns for one object. */
#define GET_ALL(K, name, object)                                                                      \
  do {                                                                                                \
    say("%s %s\n", #K, name);                                                                         \
    GrB_Scalar s_ = NULL;                                                                             \
    DO(GrB_Scalar_new(&s_, GrB_INT32));                                                               \
    for (size_t k_ = 0; k_ < FIELDS; k_++) {                                                          \
      int32_t i_ = -77, i2_ = -77;                                                                    \
      size_t n_ = 77;                                                                                 \
      char text_[1024] = "?";                                                                         \
      const int f_ = fields[k_];                                                                      \
      GrB_Info a_ = GrB_##K##_get_INT32(object, &i_, f_), b_ = GrB_##K##_get_SIZE(object, &n_, f_);   \
      GrB_Info c_ = n_ < sizeof text_ ? GrB_##K##_get_String(object, text_, f_) : GrB_PANIC;          \
      GrB_Info d_ = GrB_##K##_get_Scalar(object, s_, f_);                                             \
      GrB_Scalar_extractElement_INT32(&i2_, s_);                                                      \
      if (names_library(f_) && !strcmp(#K, "Global")) i_ = i2_ = 0, n_ = 0, strcpy(text_, "?");       \
      say("  field %d: %d %" PRId32 "; %d %zu; %d %s; %d %" PRId32 "\n", f_, (int)a_,                 \
          a_ == GrB_SUCCESS ? i_ : 0, (int)b_, n_, (int)c_, c_ == GrB_SUCCESS ? text_ : "-", (int)d_, \
          d_ == GrB_SUCCESS ? i2_ : 0);                                                               \
      DO(GrB_Scalar_clear(s_));                                                                       \
    }                                                                                                 \
    unsigned char raw_[64];                                                                           \
    say("  void: %d\n", (int)GrB_##K##_get_VOID(object, raw_, 999999));                               \
    GrB_Scalar_free(&s_);                                                                             \
  } while (0)

/* The code of GrB_set, and a name that was set. */
#define SET_ALL(K, object, named)                                                                    \
  do {                                                                                               \
    GrB_Scalar s_ = NULL;                                                                            \
    char text_[1024] = "?";                                                                          \
    DO(GrB_Scalar_new(&s_, GrB_INT32));                                                              \
    DO(GrB_Scalar_setElement_INT32(s_, GrB_COLMAJOR));                                               \
    say("set name %d", (int)GrB_##K##_set_String(object, "a name", GrB_NAME));                       \
    if (named) say(" %d %s", (int)GrB_##K##_get_String(object, text_, GrB_NAME), text_);             \
    say("; read-only %d; unknown %d %d\n", (int)GrB_##K##_set_INT32(object, 1, GrB_SIZE),            \
        (int)GrB_##K##_set_INT32(object, 1, 999999), (int)GrB_##K##_set_Scalar(object, s_, 999999)); \
    say("void %d\n", (int)GrB_##K##_set_VOID(object, &s_, 999999, sizeof s_));                       \
    GrB_Scalar_free(&s_);                                                                            \
  } while (0)

static void hints(void) {
  GrB_Matrix a = NULL;
  GrB_Vector v = NULL;
  GrB_Descriptor d = NULL;
  int32_t x = -1;
  DO(GrB_Matrix_new(&a, GrB_INT32, 4, 5));
  DO(GrB_Vector_new(&v, GrB_INT32, 4));
  DO(GrB_Descriptor_new(&d));
  say("hint %d ", (int)GrB_Matrix_set_INT32(a, GrB_COLMAJOR, GrB_STORAGE_ORIENTATION_HINT));
  say("%d %" PRId32 "\n", (int)GrB_Matrix_get_INT32(a, &x, GrB_STORAGE_ORIENTATION_HINT), x);
  say("bad hint %d\n", (int)GrB_Matrix_set_INT32(a, 77, GrB_STORAGE_ORIENTATION_HINT));
  static const int values[] = {GrB_DEFAULT,        GrB_REPLACE, GrB_COMP, GrB_STRUCTURE,
                               GrB_COMP_STRUCTURE, GrB_TRAN,    99};
  for (int f = 0; f < 4; f++)
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
      x = -1;
      say("descriptor %d = %d: %d", f, values[k], (int)GrB_Descriptor_set_INT32(d, values[k], f));
      say(" %d %" PRId32 "\n", (int)GrB_Descriptor_get_INT32(d, &x, f), x);
    }
  say_matrix("a", a, T_INT32);
  GrB_Matrix_free(&a), GrB_Vector_free(&v), GrB_Descriptor_free(&d);
}

static void empty_arguments(void) {
  int32_t x;
  char text[64];
  say("%d %d %d\n", (int)GrB_Type_get_INT32(NULL, &x, GrB_EL_TYPE_CODE),
      (int)GrB_Type_get_INT32(GrB_INT32, NULL, GrB_EL_TYPE_CODE),
      (int)GrB_Matrix_get_String(NULL, text, GrB_NAME));
}

static void user_objects(void) {
  int t = (int)below(NTYPES);
  GrB_Type type = NULL;
  GrB_UnaryOp f = NULL;
  GrB_BinaryOp g = NULL;
  GrB_IndexUnaryOp h = NULL;
  GrB_Monoid m = NULL;
  GrB_Semiring s = NULL;
  GrB_Descriptor d = NULL;
  GrB_Scalar c = NULL;
  GrB_Vector v = NULL;
  GrB_Matrix a = NULL;
  DO(GrB_Type_new(&type, 24));
  DO(GrB_UnaryOp_new(&f, twin_copy, GrB_FP64, GrB_INT16));
  DO(GrB_BinaryOp_new(&g, twin_first, GrB_FP64, GrB_FP64, GrB_FP64));
  DO(GrB_IndexUnaryOp_new(&h, twin_position, GrB_INT64, GrB_INT8, GrB_BOOL));
  DO(GrB_Monoid_new_FP64(&m, GrB_MAX_FP64, -5));
  DO(GrB_Semiring_new(&s, m, g));
  DO(GrB_Descriptor_new(&d));
  DO(GrB_Scalar_new(&c, twin_type[t]));
  DO(GrB_Vector_new(&v, twin_type[t], 3));
  DO(GrB_Matrix_new(&a, twin_type[t], 3, 4));
  SET_ALL(Type, type, true);
  SET_ALL(UnaryOp, f, true);
  SET_ALL(BinaryOp, g, true);
  SET_ALL(IndexUnaryOp, h, true);
  SET_ALL(Monoid, m, true);
  SET_ALL(Semiring, s, true);
  SET_ALL(Descriptor, d, true);
  SET_ALL(Scalar, c, true);
  SET_ALL(Vector, v, true);
  SET_ALL(Matrix, a, true);
  GET_ALL(Type, "own", type);
  GET_ALL(UnaryOp, "own", f);
  GET_ALL(BinaryOp, "own", g);
  GET_ALL(IndexUnaryOp, "own", h);
  GET_ALL(Monoid, "own", m);
  GET_ALL(Semiring, "own", s);
  GET_ALL(Descriptor, "own", d);
  GET_ALL(Scalar, twin_type_name[t], c);
  GET_ALL(Vector, twin_type_name[t], v);
  GET_ALL(Matrix, twin_type_name[t], a);
  GrB_Matrix_free(&a), GrB_Vector_free(&v), GrB_Scalar_free(&c), GrB_Descriptor_free(&d);
  GrB_Semiring_free(&s), GrB_Monoid_free(&m), GrB_IndexUnaryOp_free(&h), GrB_BinaryOp_free(&g),
      GrB_UnaryOp_free(&f);
  GrB_Type_free(&type);
}

void step_fields(void) {
  const unary *f = random_unary();
  const binary *g = random_any_binary();
  const indexed *h = random_indexed();
  const monoid *m = random_monoid();
  const semiring *s = random_semiring();
  descriptor d = random_descriptor();
  int t = (int)below(NPREDEFINED);
  GET_ALL(Type, twin_type_name[t], twin_type[t]);
  GET_ALL(UnaryOp, f->name, f->op);
  GET_ALL(BinaryOp, g->name, g->op);
  GET_ALL(IndexUnaryOp, h->name, h->op);
  GET_ALL(Monoid, m->name, m->op);
  GET_ALL(Semiring, s->name, s->op);
  if (d.d) GET_ALL(Descriptor, d.name, d.d);
  GET_ALL(Global, "", GrB_GLOBAL);
  SET_ALL(Global, GrB_GLOBAL, false);
  if (t < NPREDEFINED) SET_ALL(Type, twin_type[t], false);
  user_objects();
  hints();
  empty_arguments();
}
#else
void step_fields(void) {}
#endif
