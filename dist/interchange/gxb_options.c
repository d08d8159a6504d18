/* GxB_Matrix_Option_get and _set, and those of vectors: the fields of fields.c under their older names. */
#include <stdarg.h>

#include "dist/interchange/fields.h"
#include "gridblas_gxb_data.h"

/* The field, if the object has it as a number (real: a double). `together`: the call is collective. */
static const grid_field *find(const grid_subject *s, int field, bool real, bool together, GrB_Info *info) {
  if (together) *info = grid_check_initialized(s->call);
  if (!together || *info == GrB_SUCCESS) *info = grid_check_local(s->object, s->call, "object");
  const grid_field *f = *info == GrB_SUCCESS ? grid_field_find(s, field, info) : NULL;
  if (!f || (real ? f->real != NULL : f->number && !f->size)) return f;
  *info = grid_fail(s->object, GrB_INVALID_VALUE, "%s: field %s is not %s", s->call, f->name,
                    real ? "a double" : "an int32_t");
  return NULL;
}

static GrB_Info check_value(const grid_subject *s, const void *value) {
  return value ? GrB_SUCCESS : grid_fail(s->object, GrB_NULL_POINTER, "%s: argument value is NULL", s->call);
}

static GrB_Info get_number(const grid_subject *s, int field, int32_t *value) {
  GRID_CALL_SCOPE;
  int64_t x = 0;
  GrB_Info info;
  const grid_field *f = find(s, field, false, false, &info);
  if (!f) return info;
  TRY(check_value(s, value));
  TRY(f->number(s, f, &x));
  *value = (int32_t)x;
done:
  return info;
}

static GrB_Info get_real(const grid_subject *s, int field, double *value) {
  GRID_CALL_SCOPE;
  GrB_Info info;
  const grid_field *f = find(s, field, true, false, &info);
  if (!f) return info;
  TRY(check_value(s, value));
  info = f->real(s, f, value);
done:
  return info;
}

static GrB_Info fail_read_only(const grid_subject *s, const grid_field *f) {
  return grid_fail(s->object, GrB_INVALID_VALUE, "%s: field %s is read only", s->call, f->name);
}

static GrB_Info set_number(const grid_subject *s, int field, int32_t value) {
  GRID_CALL_SCOPE;
  GrB_Info info;
  const grid_field *f = find(s, field, false, true, &info);
  if (!f) return info;
  return f->set_number ? f->set_number(s, f, value) : fail_read_only(s, f);
}

static GrB_Info set_real(const grid_subject *s, int field, double value) {
  GRID_CALL_SCOPE;
  GrB_Info info;
  const grid_field *f = find(s, field, true, true, &info);
  if (!f) return info;
  return f->set_real ? f->set_real(s, f, value) : fail_read_only(s, f);
}

static bool is_real(int field) {
  return field == GxB_HYPER_SWITCH || field == GxB_BITMAP_SWITCH;
}

#define SUBJECT(K, CALL)                                   \
  &(grid_subject) {                                        \
    GRID_ON_##K, (void *)object, "GxB_" #K "_Option_" CALL \
  }

#define DEFINE(K)                                                                                       \
  GrB_Info GxB_##K##_Option_get_INT32(GrB_##K object, int field, int32_t *value) {                      \
    return get_number(SUBJECT(K, "get_INT32"), field, value);                                           \
  }                                                                                                     \
  GrB_Info GxB_##K##_Option_get_FP64(GrB_##K object, int field, double *value) {                        \
    return get_real(SUBJECT(K, "get_FP64"), field, value);                                              \
  }                                                                                                     \
  GrB_Info GxB_##K##_Option_set_INT32(GrB_##K object, int field, int32_t value) {                       \
    return set_number(SUBJECT(K, "set_INT32"), field, value);                                           \
  }                                                                                                     \
  GrB_Info GxB_##K##_Option_set_FP64(GrB_##K object, int field, double value) {                         \
    return set_real(SUBJECT(K, "set_FP64"), field, value);                                              \
  }                                                                                                     \
  GrB_Info GxB_##K##_Option_get(GrB_##K object, int field, ...) {                                       \
    va_list argument;                                                                                   \
    va_start(argument, field);                                                                          \
    const GrB_Info info = is_real(field)                                                                \
                              ? get_real(SUBJECT(K, "get"), field, va_arg(argument, double *))          \
                              : get_number(SUBJECT(K, "get"), field, va_arg(argument, int32_t *));      \
    va_end(argument);                                                                                   \
    return info;                                                                                        \
  }                                                                                                     \
  GrB_Info GxB_##K##_Option_set(GrB_##K object, int field, ...) {                                       \
    va_list argument;                                                                                   \
    va_start(argument, field);                                                                          \
    const GrB_Info info = is_real(field) ? set_real(SUBJECT(K, "set"), field, va_arg(argument, double)) \
                                         : set_number(SUBJECT(K, "set"), field, va_arg(argument, int)); \
    va_end(argument);                                                                                   \
    return info;                                                                                        \
  }
DEFINE(Matrix)
DEFINE(Vector)
