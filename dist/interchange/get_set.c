/* GrB_get and GrB_set for every kind of object; the fields are defined in fields.c. */
#include <string.h>

#include "dist/interchange/fields.h"
#include "dist/vector/vector.h"

#define HEAD(s) ((grid_head *)(s)->object)

/* Error for a value of another kind than the field's. */
static GrB_Info fail_kind(const grid_subject *s, const grid_field *f) {
  const char *kind = f->text   ? "a string"
                     : f->real ? "a double"
                     : f->size ? "a size_t"
                               : "an int32_t",
             *form = f->text   ? "String, and _SIZE for its length"
                     : f->real ? "Scalar"
                     : f->size ? "SIZE or _Scalar"
                               : "INT32 or _Scalar";
  return grid_fail(HEAD(s), GrB_INVALID_VALUE, "%s: field %s is %s (use the form _%s)", s->call, f->name,
                   kind, form);
}

/* ---- get ---- */

/* The field, or NULL with the error in *info. Local: all processes hold the same fields. */
static const grid_field *start_get(const grid_subject *s, const void *value, int field, GrB_Info *info) {
  *info = grid_check_local(s->object, s->call, "object");
  if (*info != GrB_SUCCESS) return NULL;
  if (!value) *info = grid_fail(HEAD(s), GrB_NULL_POINTER, "%s: argument value is NULL", s->call);
  return value ? grid_field_find(s, field, info) : NULL;
}

static GrB_Info get_scalar(const grid_subject *s, GrB_Scalar value, int field) {
  GRID_CALL_SCOPE;
  int64_t x;
  double real;
  GrB_Info info;
  const grid_field *f = start_get(s, value, field, &info);
  if (!f) return info;
  TRY(grid_check_object(value, HEAD(s), s->call, "value"));
  if (f->text) TRY(fail_kind(s, f));
  TRY(grid_check_cast(value->type, GrB_INT64, HEAD(s), s->call, f->name, "value"));
  TRY(f->real ? f->real(s, f, &real) : f->number(s, f, &x));
  if (f->real)
    grid_scalar_set(value, &real, GrB_FP64);
  else
    grid_scalar_set(value, &x, GrB_INT64);
done:
  return info;
}

static GrB_Info get_string(const grid_subject *s, char *value, int field) {
  GRID_CALL_SCOPE;
  const char *text = "";
  GrB_Info info;
  const grid_field *f = start_get(s, value, field, &info);
  if (!f) return info;
  if (!f->text) return fail_kind(s, f);
  info = f->text(s, f, &text);
  strcpy(value, text);
  return info;
}

static GrB_Info get_int32(const grid_subject *s, int32_t *value, int field) {
  GRID_CALL_SCOPE;
  int64_t x;
  GrB_Info info;
  const grid_field *f = start_get(s, value, field, &info);
  if (!f) return info;
  if (f->text || f->size || f->real) return fail_kind(s, f);
  info = f->number(s, f, &x);
  if (info == GrB_SUCCESS) *value = (int32_t)x;
  return info;
}

/* Bytes of a string including its terminator, or a value of type size_t. */
static GrB_Info get_size(const grid_subject *s, size_t *value, int field) {
  GRID_CALL_SCOPE;
  const char *text = "";
  int64_t x = 0;
  GrB_Info info;
  const grid_field *f = start_get(s, value, field, &info);
  if (!f) return info;
  if (!f->text && !f->size) return fail_kind(s, f);
  info = f->text ? f->text(s, f, &text) : f->number(s, f, &x);
  *value = f->text ? strlen(text) + 1 : (size_t)x;
  return info;
}

/* No field has a VOID value. */
static GrB_Info get_void(const grid_subject *s, const void *value, int field) {
  GRID_CALL_SCOPE;
  GrB_Info info;
  const grid_field *f = start_get(s, value, field, &info);
  return f ? fail_kind(s, f) : info;
}

/* ---- set ---- */

/* Setting a field of a collection is collective and ends a lookahead. */
static const grid_field *start_set(const grid_subject *s, const void *value, int field, GrB_Info *info) {
  const bool together = s->kind & (GRID_ON_Scalar | GRID_ON_Vector | GRID_ON_Matrix);
  *info = together ? grid_check_initialized(s->call) : GrB_SUCCESS;
  return *info == GrB_SUCCESS ? start_get(s, value, field, info) : NULL;
}

static GrB_Info fail_read_only(const grid_subject *s, const grid_field *f) {
  return grid_fail(HEAD(s), GrB_INVALID_VALUE, "%s: field %s is read only", s->call, f->name);
}

static GrB_Info set_number(const grid_subject *s, const grid_field *f, int32_t value) {
  if (f->text || f->size || f->real) return fail_kind(s, f);
  return f->set_number ? f->set_number(s, f, value) : fail_read_only(s, f);
}

static GrB_Info set_scalar(const grid_subject *s, GrB_Scalar value, int field) {
  GRID_CALL_SCOPE;
  GrB_Info info;
  const grid_field *f = start_set(s, value, field, &info);
  if (!f) return info;
  TRY(grid_check_object(value, HEAD(s), s->call, "value"));
  if (f->text) TRY(fail_kind(s, f));
  if (!value->present)
    return grid_fail(HEAD(s), GrB_EMPTY_OBJECT, "%s: argument value is an empty scalar", s->call);
  TRY(grid_check_cast(GrB_INT32, value->type, HEAD(s), s->call, "value", f->name));
  int32_t x;
  double real;
  grid_cast_array(&x, GrB_INT32, value->val, value->type, 1, 1);
  grid_cast_array(&real, GrB_FP64, value->val, value->type, 1, 1);
  info = f->set_real ? f->set_real(s, f, real) : set_number(s, f, x);
done:
  return info;
}

static GrB_Info set_string(const grid_subject *s, const char *value, int field) {
  GRID_CALL_SCOPE;
  GrB_Info info;
  const grid_field *f = start_set(s, value, field, &info);
  if (!f) return info;
  if (!f->text) return fail_kind(s, f);
  return f->set_text ? f->set_text(s, f, value) : fail_read_only(s, f);
}

static GrB_Info set_int32(const grid_subject *s, int32_t value, int field) {
  GRID_CALL_SCOPE;
  GrB_Info info;
  const grid_field *f = start_set(s, "", field, &info);
  return f ? set_number(s, f, value) : info;
}

static GrB_Info set_void(const grid_subject *s, const void *value, int field) {
  GRID_CALL_SCOPE;
  GrB_Info info;
  const grid_field *f = start_set(s, value, field, &info);
  return f ? fail_kind(s, f) : info;
}

/* ---- the calls ---- */

#define SUBJECT(K, CALL)                            \
  &(grid_subject) {                                 \
    GRID_ON_##K, (void *)object, "GrB_" #K "_" CALL \
  }

#define DEFINE(K)                                                                          \
  GrB_Info GrB_##K##_get_Scalar(const GrB_##K object, GrB_Scalar value, int field) {       \
    return get_scalar(SUBJECT(K, "get_Scalar"), value, field);                             \
  }                                                                                        \
  GrB_Info GrB_##K##_get_String(const GrB_##K object, char *value, int field) {            \
    return get_string(SUBJECT(K, "get_String"), value, field);                             \
  }                                                                                        \
  GrB_Info GrB_##K##_get_INT32(const GrB_##K object, int32_t *value, int field) {          \
    return get_int32(SUBJECT(K, "get_INT32"), value, field);                               \
  }                                                                                        \
  GrB_Info GrB_##K##_get_SIZE(const GrB_##K object, size_t *value, int field) {            \
    return get_size(SUBJECT(K, "get_SIZE"), value, field);                                 \
  }                                                                                        \
  GrB_Info GrB_##K##_get_VOID(const GrB_##K object, void *value, int field) {              \
    return get_void(SUBJECT(K, "get_VOID"), value, field);                                 \
  }                                                                                        \
  GrB_Info GrB_##K##_set_Scalar(GrB_##K object, GrB_Scalar value, int field) {             \
    return set_scalar(SUBJECT(K, "set_Scalar"), value, field);                             \
  }                                                                                        \
  GrB_Info GrB_##K##_set_String(GrB_##K object, const char *value, int field) {            \
    return set_string(SUBJECT(K, "set_String"), value, field);                             \
  }                                                                                        \
  GrB_Info GrB_##K##_set_INT32(GrB_##K object, int32_t value, int field) {                 \
    return set_int32(SUBJECT(K, "set_INT32"), value, field);                               \
  }                                                                                        \
  GrB_Info GrB_##K##_set_VOID(GrB_##K object, const void *value, int field, size_t size) { \
    (void)size;                                                                            \
    return set_void(SUBJECT(K, "set_VOID"), value, field);                                 \
  }
DEFINE(Type)
DEFINE(UnaryOp)
DEFINE(BinaryOp)
DEFINE(IndexUnaryOp)
DEFINE(Monoid)
DEFINE(Semiring)
DEFINE(Descriptor)
DEFINE(Scalar)
DEFINE(Vector)
DEFINE(Matrix)
DEFINE(Global)
