/* The type of a collection, as an object and by its C name. */
#include <string.h>

#include "dist/matrix/matrix.h"
#include "dist/vector/vector.h"

#define DEFINE(K)                                                                                    \
  GrB_Info GxB_##K##_type(GrB_Type *type, const GrB_##K object) {                                    \
    static const char call[] = "GxB_" #K "_type";                                                    \
    GrB_Info info = grid_check_local(object, call, "object");                                        \
    if (info != GrB_SUCCESS) return info;                                                            \
    if (!type) return grid_fail(&object->head, GrB_NULL_POINTER, "%s: argument type is NULL", call); \
    *type = object->type;                                                                            \
    return GrB_SUCCESS;                                                                              \
  }                                                                                                  \
  GrB_Info GxB_##K##_type_name(char *type_name, const GrB_##K object) {                              \
    static const char call[] = "GxB_" #K "_type_name";                                               \
    GrB_Info info = grid_check_local(object, call, "object");                                        \
    if (info != GrB_SUCCESS) return info;                                                            \
    if (!type_name)                                                                                  \
      return grid_fail(&object->head, GrB_NULL_POINTER, "%s: argument type_name is NULL", call);     \
    snprintf(type_name, GxB_MAX_NAME_LEN, "%s", grid_type_c_name(object->type));                     \
    return GrB_SUCCESS;                                                                              \
  }
DEFINE(Scalar)
DEFINE(Vector)
DEFINE(Matrix)
