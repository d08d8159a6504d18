/* See bound_scalar.h. */
#include "dist/op/bound_scalar.h"

GrB_Info grid_bound_scalar_value(const void **x, grid_any_value *storage,
                                 const grid_bound_scalar *bound_scalar, GrB_Type want, grid_head *out,
                                 const char *call) {
  GrB_Info info = GrB_SUCCESS;
  grid_bound_scalar g = *bound_scalar;
  if (g.is_scalar) {
    TRY(grid_check_scalar(g.scalar, out, call, "val"));
    g.type = g.scalar->type, g.x = g.scalar->val;
  } else if (!g.type) {
    TRY(grid_check_user_type(g.type = want, out, call));
  }
  if (!g.x) return grid_fail(out, GrB_NULL_POINTER, "%s: the value is NULL", call);
  TRY(grid_check_cast(want, g.type, out, call, "the value", "op"));
  if (g.is_scalar && !g.scalar->present)
    return grid_fail(out, GrB_EMPTY_OBJECT, "%s: the scalar is empty", call);
  *x = g.x;
  if (want != g.type) {
    grid_cast(want, g.type)(storage, g.x, want->size);
    *x = storage;
  }
done:
  return info;
}

static GrB_Info check_default(GrB_Scalar s, grid_head *out, const char *call, const char *what) {
  const GrB_Info info = grid_check_scalar(s, out, call, what);
  if (info != GrB_SUCCESS || s->present) return info;
  return grid_fail(out, GrB_EMPTY_OBJECT, "%s: %s has no entry", call, what);
}

GrB_Info grid_union_defaults_check(GrB_Scalar alpha, GrB_Scalar beta, grid_head *out, const char *call) {
  const GrB_Info info = check_default(alpha, out, call, "alpha");
  return info == GrB_SUCCESS ? check_default(beta, out, call, "beta") : info;
}

static GrB_Info read_default(const void **x, grid_any_value *storage, GrB_Scalar s, GrB_Type want,
                             grid_head *out, const char *call, const char *what) {
  GrB_Info info = GrB_SUCCESS;
  TRY(check_default(s, out, call, what));
  TRY(grid_check_cast(want, s->type, out, call, what, "op"));
  *x = s->val;
  if (want == s->type) return info;
  grid_cast(want, s->type)(storage, s->val, want->size);
  *x = storage;
done:
  return info;
}

GrB_Info grid_union_defaults_read(grid_union_defaults *x, GrB_BinaryOp op, GrB_Scalar alpha, GrB_Scalar beta,
                                  grid_head *out, const char *call) {
  GrB_Info info = read_default(&x->alpha, &x->storage[0], alpha, op->x, out, call, "alpha");
  return info == GrB_SUCCESS ? read_default(&x->beta, &x->storage[1], beta, op->y, out, call, "beta") : info;
}
