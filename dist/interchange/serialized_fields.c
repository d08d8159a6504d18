/* GxB_deserialize_type_name and GxB_Serialized_get: what a blob says about its object. Local. */
#include <string.h>

#include "dist/grid/process_grid.h"
#include "dist/interchange/blob_trailer.h"
#include "dist/vector/vector.h"

static GrB_Info read(grid_blob_info *b, const void *blob, uint64_t size, const void *value,
                     const char *call) {
  GrB_Info info = grid_check_alive(call);
  if (info == GrB_SUCCESS && !value)
    info = grid_fail(NULL, GrB_NULL_POINTER, "%s: the pointer to the result is NULL", call);
  return info == GrB_SUCCESS ? grid_blob_info_read(b, blob, size, call) : info;
}

GrB_Info GxB_deserialize_type_name(char *type_name, const void *blob, GrB_Index size) {
  GRID_CALL_SCOPE;
  grid_blob_info b;
  const GrB_Info info = read(&b, blob, size, type_name, "GxB_deserialize_type_name");
  if (info == GrB_SUCCESS) memcpy(type_name, b.trailer.type_name, sizeof b.trailer.type_name);
  return info;
}

static bool get_number(int32_t *x, const grid_blob_info *b, int field) {
  switch (field) {
    case GrB_EL_TYPE_CODE:
      *x = b->matrix.code;
      return true;
    case GrB_STORAGE_ORIENTATION_HINT:
    case GxB_FORMAT:
      *x = b->trailer.orientation == GrB_COLMAJOR;
      return true;
    case GxB_SPARSITY_CONTROL:
      *x = b->trailer.sparsity_control;
      return true;
    case GxB_SPARSITY_STATUS:
      *x = b->trailer.status;
      return true;
    case GxB_ISO:
      *x = b->matrix.iso;
      return true;
    default:
      return false;
  }
}

static const char *get_text(const grid_blob_info *b, int field) {
  return field == GrB_NAME ? b->name : field == GrB_EL_TYPE_STRING ? b->type_string : NULL;
}

static bool get_real(double *x, const grid_blob_info *b, int field) {
  if (field != GxB_HYPER_SWITCH && field != GxB_BITMAP_SWITCH) return false;
  *x = field == GxB_HYPER_SWITCH ? b->trailer.hyper_switch : b->trailer.bitmap_switch;
  return true;
}

static GrB_Info fail_field(int field, const char *call) {
  return grid_fail(NULL, GrB_INVALID_VALUE,
                   "%s: argument field is %d, which a blob does not have in this form", call, field);
}

GrB_Info GxB_Serialized_get_Scalar(const void *blob, GrB_Scalar value, int field, size_t size) {
  GRID_CALL_SCOPE;
  static const char call[] = "GxB_Serialized_get_Scalar";
  grid_blob_info b;
  int32_t number;
  double real;
  GrB_Info info;
  TRY(read(&b, blob, size, value, call));
  TRY(grid_check_object(value, NULL, call, "value"));
  TRY(grid_check_cast(value->type, GrB_INT32, &value->head, call, "the field", "value"));
  if (get_number(&number, &b, field))
    grid_scalar_set(value, &number, GrB_INT32);
  else if (get_real(&real, &b, field))
    grid_scalar_set(value, &real, GrB_FP64);
  else
    info = fail_field(field, call);
done:
  return info;
}

GrB_Info GxB_Serialized_get_String(const void *blob, char *value, int field, size_t size) {
  GRID_CALL_SCOPE;
  static const char call[] = "GxB_Serialized_get_String";
  grid_blob_info b;
  const GrB_Info info = read(&b, blob, size, value, call);
  if (info != GrB_SUCCESS) return info;
  const char *text = get_text(&b, field);
  if (!text) return fail_field(field, call);
  strcpy(value, text);
  return info;
}

GrB_Info GxB_Serialized_get_INT32(const void *blob, int32_t *value, int field, size_t size) {
  GRID_CALL_SCOPE;
  static const char call[] = "GxB_Serialized_get_INT32";
  grid_blob_info b;
  const GrB_Info info = read(&b, blob, size, value, call);
  if (info != GrB_SUCCESS) return info;
  return get_number(value, &b, field) ? GrB_SUCCESS : fail_field(field, call);
}

GrB_Info GxB_Serialized_get_SIZE(const void *blob, size_t *value, int field, size_t size) {
  GRID_CALL_SCOPE;
  static const char call[] = "GxB_Serialized_get_SIZE";
  grid_blob_info b;
  const GrB_Info info = read(&b, blob, size, value, call);
  if (info != GrB_SUCCESS) return info;
  const char *text = get_text(&b, field);
  if (!text) return fail_field(field, call);
  *value = strlen(text) + 1;
  return info;
}

GrB_Info GxB_Serialized_get_VOID(const void *blob, void *value, int field, size_t size) {
  GRID_CALL_SCOPE;
  static const char call[] = "GxB_Serialized_get_VOID";
  grid_blob_info b;
  const GrB_Info info = read(&b, blob, size, value, call);
  return info == GrB_SUCCESS ? fail_field(field, call) : info;
}
