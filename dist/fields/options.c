/* GxB_Global_Option_set, GxB_Matrix_Option_get, GxB_Desc_set, ...: the calls that came before GrB_get and
 * GrB_set, over the same table (fields.h). */
#include <stdarg.h>
#include <string.h>

#include "dist/fields/get_set.h"

/* ---- forms with a type ---- */

/* An INT32 field, or an array of int32_t (GxB_LIBRARY_VERSION). */
static GrB_Info get_int32(const grid_subject *s, int field, int32_t *value) {
  GrB_Info info;
  const grid_field *f = grid_get_start(s, value, field, &info);
  if (!f) return info;
  return f->kind == GRID_FIELD_BYTES ? grid_get_bytes(s, value, field) : grid_get_number(s, value, field);
}

/* An FP64 or INT32 field, or an array of doubles (GxB_BITMAP_SWITCH). */
static GrB_Info get_fp64(const grid_subject *s, int field, double *value) {
  GRID_CALL_SCOPE;
  GrB_Info info;
  int32_t x;
  const grid_field *f = grid_get_start(s, value, field, &info);
  if (!f) return info;
  if (f->kind == GRID_FIELD_REAL) return f->get.real(s, f, value);
  if (f->kind == GRID_FIELD_BYTES) return grid_get_bytes(s, value, field);
  info = grid_get_number(s, &x, field);
  if (info == GrB_SUCCESS) *value = x;
  return info;
}

static GrB_Info get_text(const grid_subject *s, int field, const char **value) {
  GRID_CALL_SCOPE;
  GrB_Info info;
  const grid_field *f = grid_get_start(s, value, field, &info);
  if (!f) return info;
  if (f->kind != GRID_FIELD_TEXT)
    return grid_fail(GRID_HEAD(s), GrB_INVALID_VALUE, "%s: field %s is not a string", s->call, f->name);
  return f->get.text(s, f, value);
}

/* An array or function; its size is the field's. */
static GrB_Info set_array(const grid_subject *s, int field, const void *value) {
  GRID_CALL_SCOPE;
  const void *array;
  size_t bytes = 0;
  GrB_Info info;
  const grid_field *f = grid_set_start(s, "", field, &info);
  if (!f) return info;
  if (f->kind == GRID_FIELD_BYTES) info = f->get.bytes(s, f, &array, &bytes);
  return info == GrB_SUCCESS ? grid_set_bytes(s, value, field, bytes) : info;
}

/* ---- forms without a type: the field has it ---- */

static GrB_Info set_argument(const grid_subject *s, int field, va_list *arguments) {
  GrB_Info info;
  const grid_field *f = grid_get_start(s, "", field, &info);
  if (!f) return info;
  switch (f->kind) {
    case GRID_FIELD_TEXT: {
      const char *text = va_arg(*arguments, const char *);
      return grid_set_text(s, text, field);
    }
    case GRID_FIELD_REAL:
      return grid_set_number(s, va_arg(*arguments, double), field);
    case GRID_FIELD_BYTES:
      return set_array(s, field, va_arg(*arguments, void *));
    default:
      return grid_set_number(s, va_arg(*arguments, int), field);
  }
}

static GrB_Info get_argument(const grid_subject *s, int field, va_list *arguments) {
  GrB_Info info;
  const grid_field *f = grid_get_start(s, "", field, &info);
  if (!f) return info;
  switch (f->kind) {
    case GRID_FIELD_TEXT:
      return get_text(s, field, va_arg(*arguments, const char **));
    case GRID_FIELD_REAL:
      return get_fp64(s, field, va_arg(*arguments, double *));
    case GRID_FIELD_BYTES:
      return grid_get_bytes(s, va_arg(*arguments, void *), field);
    default:
      return grid_get_number(s, va_arg(*arguments, int32_t *), field);
  }
}

/* ---- GrB_GLOBAL ---- */

#define GLOBAL(CALL)                                                         \
  &(grid_subject) {                                                          \
    GRID_ON_Global, (void *)(uintptr_t)GrB_GLOBAL, "GxB_Global_Option_" CALL \
  }

GrB_Info GxB_Global_Option_set(int field, ...) {
  va_list arguments;
  va_start(arguments, field);
  GrB_Info info = set_argument(GLOBAL("set"), field, &arguments);
  va_end(arguments);
  return info;
}
GrB_Info GxB_Global_Option_set_INT32(int field, int32_t value) {
  return grid_set_number(GLOBAL("set_INT32"), value, field);
}
GrB_Info GxB_Global_Option_set_FP64(int field, double value) {
  return grid_set_number(GLOBAL("set_FP64"), value, field);
}
GrB_Info GxB_Global_Option_set_FP64_ARRAY(int field, double *value) {
  return set_array(GLOBAL("set_FP64_ARRAY"), field, value);
}
GrB_Info GxB_Global_Option_set_INT64_ARRAY(int field, int64_t *value) {
  return set_array(GLOBAL("set_INT64_ARRAY"), field, value);
}
GrB_Info GxB_Global_Option_set_CHAR(int field, const char *value) {
  return grid_set_text(GLOBAL("set_CHAR"), value, field);
}
GrB_Info GxB_Global_Option_set_FUNCTION(int field, void *value) {
  return set_array(GLOBAL("set_FUNCTION"), field, value);
}

GrB_Info GxB_Global_Option_get(int field, ...) {
  va_list arguments;
  va_start(arguments, field);
  GrB_Info info = get_argument(GLOBAL("get"), field, &arguments);
  va_end(arguments);
  return info;
}
GrB_Info GxB_Global_Option_get_INT32(int field, int32_t *value) {
  return get_int32(GLOBAL("get_INT32"), field, value);
}
GrB_Info GxB_Global_Option_get_FP64(int field, double *value) {
  return get_fp64(GLOBAL("get_FP64"), field, value);
}
GrB_Info GxB_Global_Option_get_INT64(int field, int64_t *value) {
  return grid_get_bytes(GLOBAL("get_INT64"), value, field);
}
GrB_Info GxB_Global_Option_get_CHAR(int field, const char **value) {
  return get_text(GLOBAL("get_CHAR"), field, value);
}
GrB_Info GxB_Global_Option_get_FUNCTION(int field, void **value) {
  return grid_get_bytes(GLOBAL("get_FUNCTION"), value, field);
}

/* ---- objects ---- */

#define SUBJECT(ON, PREFIX, CALL) \
  &(grid_subject) {               \
    ON, object, PREFIX CALL       \
  }

#define DEFINE(PREFIX, K, ON)                                                      \
  GrB_Info PREFIX##_set(K object, int field, ...) {                                \
    va_list arguments;                                                             \
    va_start(arguments, field);                                                    \
    GrB_Info info = set_argument(SUBJECT(ON, #PREFIX, "_set"), field, &arguments); \
    va_end(arguments);                                                             \
    return info;                                                                   \
  }                                                                                \
  GrB_Info PREFIX##_set_INT32(K object, int field, int32_t value) {                \
    return grid_set_number(SUBJECT(ON, #PREFIX, "_set_INT32"), value, field);      \
  }                                                                                \
  GrB_Info PREFIX##_set_FP64(K object, int field, double value) {                  \
    return grid_set_number(SUBJECT(ON, #PREFIX, "_set_FP64"), value, field);       \
  }                                                                                \
  GrB_Info PREFIX##_get(K object, int field, ...) {                                \
    va_list arguments;                                                             \
    va_start(arguments, field);                                                    \
    GrB_Info info = get_argument(SUBJECT(ON, #PREFIX, "_get"), field, &arguments); \
    va_end(arguments);                                                             \
    return info;                                                                   \
  }                                                                                \
  GrB_Info PREFIX##_get_INT32(K object, int field, int32_t *value) {               \
    return get_int32(SUBJECT(ON, #PREFIX, "_get_INT32"), field, value);            \
  }                                                                                \
  GrB_Info PREFIX##_get_FP64(K object, int field, double *value) {                 \
    return get_fp64(SUBJECT(ON, #PREFIX, "_get_FP64"), field, value);              \
  }
DEFINE(GxB_Matrix_Option, GrB_Matrix, GRID_ON_Matrix)
DEFINE(GxB_Vector_Option, GrB_Vector, GRID_ON_Vector)
DEFINE(GxB_Desc, GrB_Descriptor, GRID_ON_Descriptor)
DEFINE(GxB_Context, GxB_Context, GRID_ON_Context)

GrB_Info GrB_Descriptor_set(GrB_Descriptor desc, GrB_Desc_Field field, GrB_Desc_Value value) {
  static const char call[] = "GrB_Descriptor_set";
  const GrB_Info info = grid_check_argument(desc, call, "desc");
  if (info != GrB_SUCCESS) return info;
  return grid_set_number(&(grid_subject){GRID_ON_Descriptor, desc, call}, (int32_t)value, (int)field);
}

/* NULL is the descriptor of all defaults. */
GrB_Info GxB_Descriptor_get(GrB_Desc_Value *value, GrB_Descriptor desc, GrB_Desc_Field field) {
  static const char call[] = "GxB_Descriptor_get";
  int32_t x = GrB_DEFAULT;
  GrB_Info info = grid_semiring_check_init(call);
  if (info == GrB_SUCCESS && !value)
    info = grid_fail(NULL, GrB_NULL_POINTER, "%s: argument value is NULL", call);
  if (info == GrB_SUCCESS && desc)
    info = grid_get_number(&(grid_subject){GRID_ON_Descriptor, desc, call}, &x, (int)field);
  if (info == GrB_SUCCESS) *value = (GrB_Desc_Value)x;
  return info;
}
