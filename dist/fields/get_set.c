/* GrB_get and GrB_set for every kind of object; the fields are defined in fields.c. */
#include <string.h>

#include "dist/fields/get_set.h"
#include "dist/vector/vector.h"

#define HEAD(s) GRID_HEAD(s)

/* Error for a value of another kind than the field's. */
static GrB_Info fail_kind(const grid_subject *s, const grid_field *f) {
  static const struct {
    const char *kind, *form;
  } is[] = {[GRID_FIELD_NUMBER] = {"an int32_t", "INT32 or _Scalar"},
            [GRID_FIELD_SIZE] = {"a size_t", "SIZE or _Scalar"},
            [GRID_FIELD_REAL] = {"a double", "Scalar"},
            [GRID_FIELD_TEXT] = {"a string", "String, and _SIZE for its length"},
            [GRID_FIELD_VALUE] = {"a value of a type", "Scalar"},
            [GRID_FIELD_BYTES] = {"an array", "VOID, and _SIZE for its size"}};
  return grid_fail(HEAD(s), GrB_INVALID_VALUE, "%s: field %s is %s (use the form _%s)", s->call, f->name,
                   is[f->kind].kind, is[f->kind].form);
}

/* ---- get ---- */

static grid_kind kind_of(const grid_subject *s) {
  return (grid_kind)grid_low_bit(s->kind);
}

const grid_field *grid_get_start(const grid_subject *s, const void *value, int field, GrB_Info *info) {
  *info = grid_check_local_handle(s->object, kind_of(s), s->call, "object");
  if (*info != GrB_SUCCESS) return NULL;
  if (!value) *info = grid_fail(HEAD(s), GrB_NULL_POINTER, "%s: argument value is NULL", s->call);
  return value ? grid_field_find(s, field, info) : NULL;
}

/* *x: the field's value, which a GrB_Scalar can have, of *type; it lies in *storage or in the object. NULL:
 * there is none. */
static GrB_Info get_value(const grid_subject *s, const grid_field *f, const void **x, GrB_Type *type,
                          uint64_t *storage) {
  int64_t number = 0;
  double real = 0;
  GrB_Info info;
  *x = storage;
  switch (f->kind) {
    case GRID_FIELD_NUMBER:
    case GRID_FIELD_SIZE:
      *type = GrB_INT64;
      info = f->get.number(s, f, &number);
      memcpy(storage, &number, sizeof number);
      return info;
    case GRID_FIELD_REAL:
      *type = GrB_FP64;
      info = f->get.real(s, f, &real);
      memcpy(storage, &real, sizeof real);
      return info;
    case GRID_FIELD_VALUE:
      return f->get.value(s, f, x, type);
    default:
      return fail_kind(s, f);
  }
}

static GrB_Info get_scalar(const grid_subject *s, GrB_Scalar value, int field) {
  GRID_CALL_SCOPE;
  uint64_t storage;
  const void *x;
  GrB_Type type = GrB_INT64;
  GrB_Info info;
  const grid_field *f = grid_get_start(s, value, field, &info);
  if (!f) return info;
  TRY(grid_check_object(value, HEAD(s), s->call, "value"));
  TRY(get_value(s, f, &x, &type, &storage));
  TRY(grid_check_cast(value->type, type, HEAD(s), s->call, f->name, "value"));
  grid_scalar_set(value, x, type);
done:
  return info;
}

static GrB_Info get_string(const grid_subject *s, char *value, int field) {
  GRID_CALL_SCOPE;
  const char *text = "";
  GrB_Info info;
  const grid_field *f = grid_get_start(s, value, field, &info);
  if (!f) return info;
  if (f->kind != GRID_FIELD_TEXT) return fail_kind(s, f);
  info = f->get.text(s, f, &text);
  strcpy(value, text);
  return info;
}

GrB_Info grid_get_number(const grid_subject *s, int32_t *value, int field) {
  GRID_CALL_SCOPE;
  int64_t x;
  GrB_Info info;
  const grid_field *f = grid_get_start(s, value, field, &info);
  if (!f) return info;
  if (f->kind != GRID_FIELD_NUMBER) return fail_kind(s, f);
  info = f->get.number(s, f, &x);
  if (info == GrB_SUCCESS) *value = (int32_t)x;
  return info;
}

/* Bytes of a string including its terminator, of an array, or a value of type size_t. */
static GrB_Info get_size(const grid_subject *s, size_t *value, int field) {
  GRID_CALL_SCOPE;
  const char *text = "";
  const void *bytes;
  int64_t x = 0;
  GrB_Info info;
  const grid_field *f = grid_get_start(s, value, field, &info);
  if (!f) return info;
  switch (f->kind) {
    case GRID_FIELD_TEXT:
      info = f->get.text(s, f, &text);
      *value = strlen(text) + 1;
      return info;
    case GRID_FIELD_SIZE:
      info = f->get.number(s, f, &x);
      *value = (size_t)x;
      return info;
    case GRID_FIELD_BYTES:
      return f->get.bytes(s, f, &bytes, value);
    default:
      return fail_kind(s, f);
  }
}

GrB_Info grid_get_bytes(const grid_subject *s, void *value, int field) {
  GRID_CALL_SCOPE;
  const void *bytes;
  size_t n;
  GrB_Info info;
  const grid_field *f = grid_get_start(s, value, field, &info);
  if (!f) return info;
  if (f->kind != GRID_FIELD_BYTES) return fail_kind(s, f);
  info = f->get.bytes(s, f, &bytes, &n);
  if (info == GrB_SUCCESS) memcpy(value, bytes, n);
  return info;
}

/* ---- set ---- */

/* Setting a field of a collection is collective and ends a lookahead. */
const grid_field *grid_set_start(const grid_subject *s, const void *value, int field, GrB_Info *info) {
  *info = s->kind & GRID_ON_COLLECTIONS ? grid_check_initialized(s->call) : GrB_SUCCESS;
  return *info == GrB_SUCCESS ? grid_get_start(s, value, field, info) : NULL;
}

static GrB_Info fail_read_only(const grid_subject *s, const grid_field *f) {
  return grid_fail(HEAD(s), GrB_INVALID_VALUE, "%s: field %s is read only", s->call, f->name);
}

/* A number, which a field of doubles takes, too. */
static GrB_Info set_real(const grid_subject *s, const grid_field *f, double value) {
  if (f->kind == GRID_FIELD_REAL) return f->set.real ? f->set.real(s, f, value) : fail_read_only(s, f);
  if (f->kind != GRID_FIELD_NUMBER) return fail_kind(s, f);
  int32_t x;
  grid_cast_array(&x, GrB_INT32, &value, GrB_FP64, 1, 1);
  return f->set.number ? f->set.number(s, f, x) : fail_read_only(s, f);
}

static GrB_Info set_scalar(const grid_subject *s, GrB_Scalar value, int field) {
  GRID_CALL_SCOPE;
  GrB_Info info;
  double x; /* holds every int32_t */
  const grid_field *f = grid_set_start(s, value, field, &info);
  if (!f) return info;
  TRY(grid_check_object(value, HEAD(s), s->call, "value"));
  if (f->kind > GRID_FIELD_REAL) TRY(fail_kind(s, f));
  if (!value->present)
    return grid_fail(HEAD(s), GrB_EMPTY_OBJECT, "%s: argument value is an empty scalar", s->call);
  TRY(grid_check_cast(GrB_FP64, value->type, HEAD(s), s->call, "value", f->name));
  grid_cast_array(&x, GrB_FP64, value->val, value->type, 1, 1);
  info = set_real(s, f, x);
done:
  return info;
}

GrB_Info grid_set_text(const grid_subject *s, const char *value, int field) {
  GRID_CALL_SCOPE;
  GrB_Info info;
  const grid_field *f = grid_set_start(s, value, field, &info);
  if (!f) return info;
  if (f->kind != GRID_FIELD_TEXT) return fail_kind(s, f);
  return f->set.text ? f->set.text(s, f, value) : fail_read_only(s, f);
}

GrB_Info grid_set_number(const grid_subject *s, double value, int field) {
  GRID_CALL_SCOPE;
  GrB_Info info;
  const grid_field *f = grid_set_start(s, "", field, &info);
  return f ? set_real(s, f, value) : info;
}

GrB_Info grid_set_bytes(const grid_subject *s, const void *value, int field, size_t size) {
  GRID_CALL_SCOPE;
  GrB_Info info;
  const grid_field *f = grid_set_start(s, "", field, &info); /* a function may be NULL */
  if (!f) return info;
  if (f->kind != GRID_FIELD_BYTES) return fail_kind(s, f);
  return f->set.bytes ? f->set.bytes(s, f, value, size) : fail_read_only(s, f);
}

/* ---- the calls ---- */

#define SUBJECT(P, K, CALL)                         \
  &(grid_subject) {                                 \
    GRID_ON_##K, (void *)object, #P "_" #K "_" CALL \
  }

#define DEFINE(P, K, INT)                                                                  \
  GrB_Info P##_##K##_get_Scalar(const P##_##K object, GrB_Scalar value, int field) {       \
    return get_scalar(SUBJECT(P, K, "get_Scalar"), value, field);                          \
  }                                                                                        \
  GrB_Info P##_##K##_get_String(const P##_##K object, char *value, int field) {            \
    return get_string(SUBJECT(P, K, "get_String"), value, field);                          \
  }                                                                                        \
  GrB_Info P##_##K##_get_##INT(const P##_##K object, int32_t *value, int field) {          \
    return grid_get_number(SUBJECT(P, K, "get_" #INT), value, field);                      \
  }                                                                                        \
  GrB_Info P##_##K##_get_SIZE(const P##_##K object, size_t *value, int field) {            \
    return get_size(SUBJECT(P, K, "get_SIZE"), value, field);                              \
  }                                                                                        \
  GrB_Info P##_##K##_get_VOID(const P##_##K object, void *value, int field) {              \
    return grid_get_bytes(SUBJECT(P, K, "get_VOID"), value, field);                        \
  }                                                                                        \
  GrB_Info P##_##K##_set_Scalar(P##_##K object, GrB_Scalar value, int field) {             \
    return set_scalar(SUBJECT(P, K, "set_Scalar"), value, field);                          \
  }                                                                                        \
  GrB_Info P##_##K##_set_String(P##_##K object, const char *value, int field) {            \
    return grid_set_text(SUBJECT(P, K, "set_String"), value, field);                       \
  }                                                                                        \
  GrB_Info P##_##K##_set_##INT(P##_##K object, int32_t value, int field) {                 \
    return grid_set_number(SUBJECT(P, K, "set_" #INT), value, field);                      \
  }                                                                                        \
  GrB_Info P##_##K##_set_VOID(P##_##K object, const void *value, int field, size_t size) { \
    return grid_set_bytes(SUBJECT(P, K, "set_VOID"), value, field, size);                  \
  }
DEFINE(GrB, Type, INT32)
DEFINE(GrB, UnaryOp, INT32)
DEFINE(GrB, BinaryOp, INT32)
DEFINE(GrB, IndexUnaryOp, INT32)
DEFINE(GrB, Monoid, INT32)
DEFINE(GrB, Semiring, INT32)
DEFINE(GrB, Descriptor, INT32)
DEFINE(GrB, Scalar, INT32)
DEFINE(GrB, Vector, INT32)
DEFINE(GrB, Matrix, INT32)
DEFINE(GrB, Global, INT32)
DEFINE(GxB, Context, INT)
DEFINE(GxB, IndexBinaryOp, INT32)
