/* GxB_subassign of a vector or a value to a vector: s = w(I), s<mask> accum= u, w(I) = s. Where there is no
 * mask it is GrB_assign. */
#include "dist/object/device_retry.h"
#include "dist/op/vector_assign.h"
#include "dist/vector/index_range.h"

static const char call[] = "GxB_subassign";

/* What is assigned: u, or a value x of `type` (NULL: no entries). */
typedef struct {
  GrB_Vector u;
  const void *x;
  GrB_Type type;
} source;

static GrB_Info assign(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, const source *from,
                       const GrB_Index *I, uint64_t ni, GrB_Descriptor desc) {
  if (from->u) return GrB_Vector_assign(w, mask, accum, from->u, I, ni, desc);
  return grid_vector_assign_value(w, mask, accum, from->x, from->type, I, ni, desc);
}

/* By the steps above, with a region of n > 0 indices. */
static GrB_Info assign_region(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, const source *from,
                              const grid_index_list *l, GrB_Descriptor desc, bool reads_output) {
  GrB_Vector s = NULL;
  GrB_Info info = GrB_SUCCESS;
  TRY(GrB_Vector_new(&s, w->type, l->n));
  if (reads_output) TRY(GrB_Vector_extract(s, NULL, NULL, w, l->I, l->n, NULL));
  TRY(assign(s, mask, accum, from, GrB_ALL, l->n, desc));
  info = GrB_Vector_assign(w, NULL, NULL, s, l->I, l->n, NULL);
done:
  if (s) grid_vector_release(s);
  return info;
}

static GrB_Info subassign(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, source from, const GrB_Index *I,
                          GrB_Index ni, GrB_Descriptor desc) {
  GrB_Info info = GrB_SUCCESS;
  grid_desc d;
  grid_index_list l = {0};
  if (mask) TRY(grid_check_operand(mask, &w->head, call, "mask"));
  TRY(grid_check_write(&w->head, w->type, "w", mask ? mask->type : NULL, accum, desc, from.type, call, &d));
  TRY(grid_index_list_open(&l, I, ni, w->n, &w->head, call));
  const uint64_t n = l.I == GrB_ALL ? w->n : l.n;
  if (mask) TRY(grid_check_size(mask->n, n, &w->head, call, "mask", "the index list"));
  if (from.u) TRY(grid_check_size(from.u->n, n, &w->head, call, "u", "the index list"));
  if (l.I != GrB_ALL) TRY(grid_check_shared_indices(l.I, l.n, w->n, &w->head, call));
  if (l.I == GrB_ALL || (!mask && !d.complement))
    info = assign(w, mask, accum, &from, l.I, n, desc);
  else if (n > 0)
    info = assign_region(w, mask, accum, &from, &l, desc, accum || !d.replace);
done:
  grid_index_list_close(&l);
  return info;
}

static GrB_Info subassign_vector(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_Vector u,
                                 const GrB_Index *I, GrB_Index ni, GrB_Descriptor desc) {
  GrB_Info info = grid_check_vector(w, call, "w");
  if (info == GrB_SUCCESS) info = grid_check_operand(u, &w->head, call, "u");
  return info == GrB_SUCCESS ? subassign(w, mask, accum, (source){u, NULL, u->type}, I, ni, desc) : info;
}

GrB_Info GxB_Vector_subassign(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum,
                              const GrB_Vector u, const GrB_Index *rows, GrB_Index nrows,
                              const GrB_Descriptor desc) {
  return GRID_TRACE_CALL_RETRY(call, subassign_vector(w, mask, accum, u, rows, nrows, desc), w, mask, u);
}

/* type NULL: x is of w's user-defined type. */
static GrB_Info subassign_value(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, const void *x,
                                GrB_Type type, const GrB_Index *I, GrB_Index ni, GrB_Descriptor desc) {
  GrB_Info info = grid_check_vector(w, call, "w");
  if (info != GrB_SUCCESS) return info;
  if (!type) {
    if (!x) return grid_fail(&w->head, GrB_NULL_POINTER, "%s: argument x is NULL", call);
    info = grid_check_user_type(type = w->type, &w->head, call);
  }
  return info == GrB_SUCCESS ? subassign(w, mask, accum, (source){NULL, x, type}, I, ni, desc) : info;
}

#define DEFINE(T, C, TYPE, X)                                                                           \
  GrB_Info GxB_Vector_subassign_##T(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum, C x, \
                                    const GrB_Index *I, GrB_Index ni, const GrB_Descriptor desc) {      \
    return GRID_TRACE_CALL_RETRY(call, subassign_value(w, mask, accum, X, TYPE, I, ni, desc), w, mask); \
  }
#define DEFINE_TYPE(P, T, C) DEFINE(T, C, P##_##T, &x)
GRID_PREDEFINED_TYPES(DEFINE_TYPE)
DEFINE(UDT, const void *, NULL, x)
#undef DEFINE_TYPE
#undef DEFINE

static GrB_Info subassign_scalar(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_Scalar x,
                                 const GrB_Index *I, GrB_Index ni, GrB_Descriptor desc) {
  GrB_Info info = grid_check_vector(w, call, "w");
  if (info == GrB_SUCCESS) info = grid_check_scalar(x, &w->head, call, "x");
  if (info != GrB_SUCCESS) return info;
  return subassign_value(w, mask, accum, x->present ? x->val : NULL, x->type, I, ni, desc);
}

GrB_Info GxB_Vector_subassign_Scalar(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum,
                                     const GrB_Scalar x, const GrB_Index *I, GrB_Index ni,
                                     const GrB_Descriptor desc) {
  return GRID_TRACE_CALL_RETRY(call, subassign_scalar(w, mask, accum, x, I, ni, desc), w, mask, x);
}
