/* Types: the predefined ones and user-defined ones. */
#include <stdio.h>

#include "semiring/user_text.h"

#define TYPE(T, C) \
  struct GrB_Type_opaque grid_type_##T = {GRID_BUILTIN(GRID_IS_TYPE, "GrB_" #T), GRID_T_##T, sizeof(C), #T};
GRID_TYPES(TYPE)
#define OBJECT(T, C) GrB_Type GrB_##T = &grid_type_##T;
GRID_TYPES(OBJECT)
#define COMPLEX(T, C)                                                                                        \
  struct GrB_Type_opaque grid_type_##T = {GRID_BUILTIN(GRID_IS_TYPE, "GxB_" #T), GRID_T_##T, sizeof(C), #T}; \
  GrB_Type GxB_##T = &grid_type_##T;
GRID_COMPLEX_TYPES(COMPLEX)
#define BY_CODE(T, C) &grid_type_##T,
const GrB_Type grid_types[GRID_NPREDEFINED_TYPES] = {GRID_TYPES(BY_CODE) GRID_COMPLEX_TYPES(BY_CODE)};

static const int32_t api_code[] = {GrB_BOOL_CODE,   GrB_INT8_CODE,  GrB_INT16_CODE,  GrB_INT32_CODE,
                                   GrB_INT64_CODE,  GrB_UINT8_CODE, GrB_UINT16_CODE, GrB_UINT32_CODE,
                                   GrB_UINT64_CODE, GrB_FP32_CODE,  GrB_FP64_CODE,   GxB_FC32_CODE,
                                   GxB_FC64_CODE,   GrB_UDT_CODE};

int32_t grid_type_code(GrB_Type t) {
  return api_code[t->code];
}

GrB_Type grid_type_of_code(int64_t code) {
  for (int t = 0; t < GRID_NPREDEFINED_TYPES; t++)
    if (api_code[t] == code) return grid_types[t];
  return NULL;
}

const char *grid_type_name(GrB_Type t) {
  return t->name;
}

const char *grid_type_c_name(GrB_Type t) {
#define NAME(T, C) #C,
  static const char *const name[] = {GRID_TYPES(NAME) GRID_COMPLEX_TYPES(NAME)};
#undef NAME
  if (t->code != GRID_T_UDT) return name[t->code];
  return t->head.name ? t->head.name : t->named ? t->name : "";
}

GrB_Info grid_type_new(GrB_Type *type, size_t size, grid_user_text u, const char *call) {
  GrB_Info info = grid_semiring_check_init(call);
  if (info != GrB_SUCCESS) return info;
  if (type == NULL) return grid_fail(NULL, GrB_NULL_POINTER, "%s: argument type is NULL", call);
  if (size == 0)
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: argument size is 0; a value needs at least one byte",
                     call);
  if ((info = grid_user_text_check(&u, call)) != GrB_SUCCESS) return info;
  GrB_Type t = grid_user_text_object(sizeof *t, &u);
  if (t == NULL) return grid_fail_memory(NULL, call, 1, sizeof *t);
  t->head = (grid_head)GRID_NEW_HEAD(GRID_IS_TYPE);
  t->code = GRID_T_UDT;
  t->size = size;
  t->text = u.text;
  t->named = u.name != NULL;
  if (u.name)
    snprintf(t->name, sizeof t->name, "%s", u.name);
  else
    snprintf(t->name, sizeof t->name, "user-defined type of %zu bytes", size);
  *type = t;
  return GrB_SUCCESS;
}

GrB_Info GrB_Type_new(GrB_Type *type, size_t size) {
  return grid_type_new(type, size, (grid_user_text){NULL, NULL}, "GrB_Type_new");
}

GrB_Info Grid_Type_new(GrB_Type *type, size_t size, const char *name, const char *definition) {
  return grid_type_new(type, size, (grid_user_text){name, definition}, "Grid_Type_new");
}
