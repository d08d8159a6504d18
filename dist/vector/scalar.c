/* GrB_Scalar. Every process holds the same value, so only creation needs an agreement. */
#include <string.h>

#include "dist/grid/short_call.h"
#include "dist/vector/vector.h"
#include "semiring/support/no_value.h"

static void release(GrB_Scalar s) {
  if (!s) return;
  grid_free(s->val);
  grid_head_end(&s->head);
  grid_free(s);
}

static GrB_Info make(GrB_Scalar *s, GrB_Type type) {
  GRID_CALL_SCOPE_IF(!grid_is_one_host_process());
  GrB_Info info = GrB_SUCCESS;
  grid_short_call_begin(1, type->size);
  GrB_Scalar t = grid_calloc(1, sizeof *t);
  void *val = grid_calloc(1, type->size);
  if (!t || !val) {
    info = grid_fail_memory(NULL, "GrB_Scalar", 1, sizeof *t + type->size);
    grid_free(t);
    grid_free(val);
    t = NULL;
  } else {
    t->head.magic = GRID_MAGIC, t->head.kind = GRID_IS_SCALAR;
    t->type = type, t->val = val, t->orientation = GrB_COLMAJOR;
  }
  info = grid_short_call_agree(NULL, info);
  if (info == GrB_SUCCESS)
    *s = t;
  else
    release(t);
  return info;
}

static GrB_Info check_new(const void *s, const char *call) {
  GrB_Info info = grid_check_initialized(call);
  if (info == GrB_SUCCESS && !s) info = grid_fail(NULL, GrB_NULL_POINTER, "%s: argument s is NULL", call);
  return info;
}

GrB_Info GrB_Scalar_new(GrB_Scalar *s, GrB_Type type) {
  GrB_Info info = check_new(s, "GrB_Scalar_new");
  if (info == GrB_SUCCESS) info = grid_check_object(type, NULL, "GrB_Scalar_new", "type");
  return info != GrB_SUCCESS ? info : make(s, type);
}

GrB_Info GrB_Scalar_dup(GrB_Scalar *s, const GrB_Scalar t) {
  GrB_Info info = check_new(s, "GrB_Scalar_dup");
  if (info == GrB_SUCCESS) info = grid_check_object(t, NULL, "GrB_Scalar_dup", "t");
  if (info != GrB_SUCCESS) return info;
  GrB_Scalar r;
  info = make(&r, t->type);
  if (info != GrB_SUCCESS) return info;
  grid_scalar_set(r, t->present ? t->val : NULL, t->type);
  *s = r;
  return GrB_SUCCESS;
}

GrB_Info GrB_Scalar_free(GrB_Scalar *s) {
  if (!s || !*s) return GrB_SUCCESS;
  if (grid_is_live_handle(*s, GRID_ANY_KIND)) {
    const GrB_Info info = grid_check_object(*s, NULL, "GrB_Scalar_free", "s");
    if (info != GrB_SUCCESS) return info;
    release(*s);
  }
  *s = NULL;
  return GrB_SUCCESS;
}

GrB_Info GrB_Scalar_wait(GrB_Scalar s, GrB_WaitMode mode) {
  return grid_wait_object(s, mode, "GrB_Scalar_wait");
}

GrB_Info GrB_Scalar_error(const char **text, const GrB_Scalar s) {
  return grid_error_of_object(text, s, "GrB_Scalar_error");
}

GrB_Info GrB_Scalar_clear(GrB_Scalar s) {
  GrB_Info info = grid_check_local(s, "GrB_Scalar_clear", "s");
  if (info == GrB_SUCCESS) s->present = false;
  return info;
}

GrB_Info GrB_Scalar_nvals(GrB_Index *nvals, const GrB_Scalar s) {
  GrB_Info info = grid_check_local(s, "GrB_Scalar_nvals", "s");
  if (info != GrB_SUCCESS) return info;
  if (!nvals) return grid_fail(&s->head, GrB_NULL_POINTER, "GrB_Scalar_nvals: argument nvals is NULL");
  *nvals = s->present;
  return GrB_SUCCESS;
}

/* Not inlined: of a value whose type it sees, gcc 12 warns of the copies of other sizes. */
__attribute__((noinline)) void grid_scalar_set(GrB_Scalar s, const void *x, GrB_Type xtype) {
  s->present = x != NULL;
  const grid_copier c = grid_copier_bind(s->type, xtype);
  if (x) grid_copy_value(&c, s->val, x);
}

static GrB_Info set(GrB_Scalar s, const void *x, GrB_Type xtype) {
  static const char call[] = "GrB_Scalar_setElement";
  GrB_Info info = grid_check_local(s, call, "s");
  if (info != GrB_SUCCESS) return info;
  if (!x) return grid_fail(&s->head, GrB_NULL_POINTER, "%s: argument x is NULL", call);
  if (!xtype) TRY(grid_check_user_type(xtype = s->type, &s->head, call));
  TRY(grid_check_cast(s->type, xtype, &s->head, call, "x", "s"));
  grid_scalar_set(s, x, xtype);
done:
  return info;
}

static GrB_Info get(void *x, GrB_Type xtype, GrB_Scalar s) {
  static const char call[] = "GrB_Scalar_extractElement";
  GrB_Info info = grid_check_local(s, call, "s");
  if (info != GrB_SUCCESS) return info;
  if (!x) return grid_fail(&s->head, GrB_NULL_POINTER, "%s: argument x is NULL", call);
  if (!xtype) TRY(grid_check_user_type(xtype = s->type, &s->head, call));
  TRY(grid_check_cast(xtype, s->type, &s->head, call, "s", "x"));
  if (!s->present) return grid_no_value();
  const grid_copier c = grid_copier_bind(xtype, s->type);
  grid_copy_value(&c, x, s->val);
done:
  return info;
}

#define DEFINE(P, T, C)                                              \
  GrB_Info P##_Scalar_setElement_##T(GrB_Scalar s, C x) {            \
    return set(s, &x, P##_##T);                                      \
  }                                                                  \
  GrB_Info P##_Scalar_extractElement_##T(C *x, const GrB_Scalar s) { \
    return get(x, P##_##T, s);                                       \
  }
GRID_PREDEFINED_TYPES(DEFINE)
#undef DEFINE
GrB_Info GrB_Scalar_setElement_UDT(GrB_Scalar s, const void *x) {
  return set(s, x, NULL);
}
GrB_Info GrB_Scalar_extractElement_UDT(void *x, const GrB_Scalar s) {
  return get(x, NULL, s);
}
