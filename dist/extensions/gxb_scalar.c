/* GxB_Scalar_new, ...: the names that the functions of GrB_Scalar had before they were in the standard. */
#include "dist/vector/vector.h"
#include "gridblas_gxb_objects.h"

GrB_Info GxB_Scalar_new(GrB_Scalar *s, GrB_Type type) {
  return GrB_Scalar_new(s, type);
}

GrB_Info GxB_Scalar_dup(GrB_Scalar *s, const GrB_Scalar t) {
  return GrB_Scalar_dup(s, t);
}

GrB_Info GxB_Scalar_clear(GrB_Scalar s) {
  return GrB_Scalar_clear(s);
}

GrB_Info GxB_Scalar_nvals(GrB_Index *nvals, const GrB_Scalar s) {
  return GrB_Scalar_nvals(nvals, s);
}

GrB_Info GxB_Scalar_free(GrB_Scalar *s) {
  return GrB_Scalar_free(s);
}

GrB_Info GxB_Scalar_wait(GrB_Scalar *s) {
  if (!s) return grid_fail(NULL, GrB_NULL_POINTER, "GxB_Scalar_wait: argument s is NULL");
  return GrB_Scalar_wait(*s, GrB_MATERIALIZE);
}

GrB_Info GxB_Scalar_error(const char **text, const GrB_Scalar s) {
  return GrB_Scalar_error(text, s);
}

GrB_Info GxB_Scalar_memoryUsage(size_t *size, const GrB_Scalar s) {
  static const char call[] = "GxB_Scalar_memoryUsage";
  GrB_Info info = grid_check_local(s, call, "s");
  if (info != GrB_SUCCESS) return info;
  if (!size) return grid_fail(&s->head, GrB_NULL_POINTER, "%s: argument size is NULL", call);
  *size = sizeof *s + s->type->size;
  return GrB_SUCCESS;
}

#define DEFINE(T, C)                                                 \
  GrB_Info GxB_Scalar_setElement_##T(GrB_Scalar s, C x) {            \
    return GrB_Scalar_setElement_##T(s, x);                          \
  }                                                                  \
  GrB_Info GxB_Scalar_extractElement_##T(C *x, const GrB_Scalar s) { \
    return GrB_Scalar_extractElement_##T(x, s);                      \
  }
GRID_TYPES(DEFINE)

GrB_Info GxB_Scalar_setElement_UDT(GrB_Scalar s, void *x) {
  return GrB_Scalar_setElement_UDT(s, x);
}

GrB_Info GxB_Scalar_extractElement_UDT(void *x, const GrB_Scalar s) {
  return GrB_Scalar_extractElement_UDT(x, s);
}
