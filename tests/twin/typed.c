/* Calls whose name ends in a type, by the type's number. */
#include "twin.h"

/* One case per predefined type, and the user-defined ones by address. */
#define CASES(VALUE_CALL, UDT_CALL) \
  switch (t) {                      \
    GRID_TYPES(VALUE_CALL)          \
    default:                        \
      return UDT_CALL;              \
  }

GrB_Info vector_set(GrB_Vector v, int t, const value *x, GrB_Index i) {
#define X(T, C) \
  case T_##T:   \
    return GrB_Vector_setElement_##T(v, *(const C *)x, i);
  CASES(X, GrB_Vector_setElement_UDT(v, (void *)x, i))
#undef X
}

GrB_Info vector_get(value *x, int t, GrB_Vector v, GrB_Index i) {
#define X(T, C) \
  case T_##T:   \
    return GrB_Vector_extractElement_##T((C *)x, v, i);
  CASES(X, GrB_Vector_extractElement_UDT(x, v, i))
#undef X
}

GrB_Info vector_build(GrB_Vector v, int t, const GrB_Index *i, const void *x, GrB_Index n, GrB_BinaryOp dup) {
#define X(T, C) \
  case T_##T:   \
    return GrB_Vector_build_##T(v, i, (const C *)x, n, dup);
  CASES(X, GrB_Vector_build_UDT(v, i, x, n, dup))
#undef X
}

GrB_Info vector_tuples(GrB_Index *i, void *x, GrB_Index *n, int t, GrB_Vector v) {
#define X(T, C) \
  case T_##T:   \
    return GrB_Vector_extractTuples_##T(i, (C *)x, n, v);
  CASES(X, GrB_Vector_extractTuples_UDT(i, x, n, v))
#undef X
}

GrB_Info vector_assign_scalar(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, int t, const value *x,
                              const GrB_Index *i, GrB_Index ni, GrB_Descriptor d) {
#define X(T, C) \
  case T_##T:   \
    return GrB_Vector_assign_##T(w, mask, accum, *(const C *)x, i, ni, d);
  CASES(X, GrB_Vector_assign_UDT(w, mask, accum, (void *)x, i, ni, d))
#undef X
}

GrB_Info vector_bind1st(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_BinaryOp op, int t,
                        const value *x, GrB_Vector u, GrB_Descriptor d) {
#define X(T, C) \
  case T_##T:   \
    return GrB_Vector_apply_BinaryOp1st_##T(w, mask, accum, op, *(const C *)x, u, d);
  CASES(X, GrB_Vector_apply_BinaryOp1st_UDT(w, mask, accum, op, (const void *)x, u, d))
#undef X
}

GrB_Info vector_bind2nd(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_BinaryOp op, GrB_Vector u,
                        int t, const value *y, GrB_Descriptor d) {
#define X(T, C) \
  case T_##T:   \
    return GrB_Vector_apply_BinaryOp2nd_##T(w, mask, accum, op, u, *(const C *)y, d);
  CASES(X, GrB_Vector_apply_BinaryOp2nd_UDT(w, mask, accum, op, u, (const void *)y, d))
#undef X
}

GrB_Info vector_apply_index(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_IndexUnaryOp op,
                            GrB_Vector u, int t, const value *y, GrB_Descriptor d) {
#define X(T, C) \
  case T_##T:   \
    return GrB_Vector_apply_IndexOp_##T(w, mask, accum, op, u, *(const C *)y, d);
  CASES(X, GrB_Vector_apply_IndexOp_UDT(w, mask, accum, op, u, (const void *)y, d))
#undef X
}

GrB_Info vector_select(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_IndexUnaryOp op, GrB_Vector u,
                       int t, const value *y, GrB_Descriptor d) {
#define X(T, C) \
  case T_##T:   \
    return GrB_Vector_select_##T(w, mask, accum, op, u, *(const C *)y, d);
  CASES(X, GrB_Vector_select_UDT(w, mask, accum, op, u, (const void *)y, d))
#undef X
}

GrB_Info vector_reduce(int t, value *x, GrB_BinaryOp accum, GrB_Monoid op, GrB_Vector u, GrB_Descriptor d) {
#define X(T, C) \
  case T_##T:   \
    return GrB_Vector_reduce_##T((C *)x, accum, op, u, d);
  CASES(X, GrB_Vector_reduce_UDT(x, accum, op, u, d))
#undef X
}

GrB_Info matrix_set(GrB_Matrix a, int t, const value *x, GrB_Index i, GrB_Index j) {
#define X(T, C) \
  case T_##T:   \
    return GrB_Matrix_setElement_##T(a, *(const C *)x, i, j);
  CASES(X, GrB_Matrix_setElement_UDT(a, (void *)x, i, j))
#undef X
}

GrB_Info matrix_get(value *x, int t, GrB_Matrix a, GrB_Index i, GrB_Index j) {
#define X(T, C) \
  case T_##T:   \
    return GrB_Matrix_extractElement_##T((C *)x, a, i, j);
  CASES(X, GrB_Matrix_extractElement_UDT(x, a, i, j))
#undef X
}

GrB_Info matrix_build(GrB_Matrix a, int t, const GrB_Index *i, const GrB_Index *j, const void *x, GrB_Index n,
                      GrB_BinaryOp dup) {
#define X(T, C) \
  case T_##T:   \
    return GrB_Matrix_build_##T(a, i, j, (const C *)x, n, dup);
  CASES(X, GrB_Matrix_build_UDT(a, i, j, x, n, dup))
#undef X
}

GrB_Info matrix_tuples(GrB_Index *i, GrB_Index *j, void *x, GrB_Index *n, int t, GrB_Matrix a) {
#define X(T, C) \
  case T_##T:   \
    return GrB_Matrix_extractTuples_##T(i, j, (C *)x, n, a);
  CASES(X, GrB_Matrix_extractTuples_UDT(i, j, x, n, a))
#undef X
}

GrB_Info scalar_set(GrB_Scalar s, int t, const value *x) {
#define X(T, C) \
  case T_##T:   \
    return GrB_Scalar_setElement_##T(s, *(const C *)x);
  CASES(X, GrB_Scalar_setElement_UDT(s, (void *)x))
#undef X
}

GrB_Info scalar_get(value *x, int t, GrB_Scalar s) {
#define X(T, C) \
  case T_##T:   \
    return GrB_Scalar_extractElement_##T((C *)x, s);
  CASES(X, GrB_Scalar_extractElement_UDT(x, s))
#undef X
}

GrB_Info monoid_new(GrB_Monoid *m, GrB_BinaryOp op, int t, const value *x) {
#define X(T, C) \
  case T_##T:   \
    return GrB_Monoid_new_##T(m, op, *(const C *)x);
  CASES(X, GrB_Monoid_new_UDT(m, op, (void *)x))
#undef X
}

GrB_Info matrix_reduce(int t, value *x, GrB_BinaryOp accum, GrB_Monoid op, GrB_Matrix a, GrB_Descriptor d) {
#define X(T, C) \
  case T_##T:   \
    return GrB_Matrix_reduce_##T((C *)x, accum, op, a, d);
  CASES(X, GrB_Matrix_reduce_UDT(x, accum, op, a, d))
#undef X
}

#if TWIN_HAS_GrB_Matrix_apply_BinaryOp1st_INT32
GrB_Info matrix_bind1st(GrB_Matrix c, GrB_Matrix mask, GrB_BinaryOp accum, GrB_BinaryOp op, int t,
                        const value *x, GrB_Matrix a, GrB_Descriptor d) {
#define X(T, C) \
  case T_##T:   \
    return GrB_Matrix_apply_BinaryOp1st_##T(c, mask, accum, op, *(const C *)x, a, d);
  CASES(X, GrB_Matrix_apply_BinaryOp1st_UDT(c, mask, accum, op, (const void *)x, a, d))
#undef X
}

GrB_Info matrix_bind2nd(GrB_Matrix c, GrB_Matrix mask, GrB_BinaryOp accum, GrB_BinaryOp op, GrB_Matrix a,
                        int t, const value *y, GrB_Descriptor d) {
#define X(T, C) \
  case T_##T:   \
    return GrB_Matrix_apply_BinaryOp2nd_##T(c, mask, accum, op, a, *(const C *)y, d);
  CASES(X, GrB_Matrix_apply_BinaryOp2nd_UDT(c, mask, accum, op, a, (const void *)y, d))
#undef X
}

GrB_Info matrix_apply_index(GrB_Matrix c, GrB_Matrix mask, GrB_BinaryOp accum, GrB_IndexUnaryOp op,
                            GrB_Matrix a, int t, const value *y, GrB_Descriptor d) {
#define X(T, C) \
  case T_##T:   \
    return GrB_Matrix_apply_IndexOp_##T(c, mask, accum, op, a, *(const C *)y, d);
  CASES(X, GrB_Matrix_apply_IndexOp_UDT(c, mask, accum, op, a, (const void *)y, d))
#undef X
}
#endif

#if TWIN_HAS_GrB_Matrix_select_INT32
GrB_Info matrix_select(GrB_Matrix c, GrB_Matrix mask, GrB_BinaryOp accum, GrB_IndexUnaryOp op, GrB_Matrix a,
                       int t, const value *y, GrB_Descriptor d) {
#define X(T, C) \
  case T_##T:   \
    return GrB_Matrix_select_##T(c, mask, accum, op, a, *(const C *)y, d);
  CASES(X, GrB_Matrix_select_UDT(c, mask, accum, op, a, (const void *)y, d))
#undef X
}
#endif

#if TWIN_HAS_GrB_Matrix_assign_INT32
GrB_Info matrix_assign_scalar(GrB_Matrix c, GrB_Matrix mask, GrB_BinaryOp accum, int t, const value *x,
                              const GrB_Index *i, GrB_Index ni, const GrB_Index *j, GrB_Index nj,
                              GrB_Descriptor d) {
#define X(T, C) \
  case T_##T:   \
    return GrB_Matrix_assign_##T(c, mask, accum, *(const C *)x, i, ni, j, nj, d);
  CASES(X, GrB_Matrix_assign_UDT(c, mask, accum, (void *)x, i, ni, j, nj, d))
#undef X
}
#endif

#if TWIN_HAS_GrB_Matrix_import_INT32
GrB_Info matrix_import(GrB_Matrix *a, int t, GrB_Index nrows, GrB_Index ncols, const GrB_Index *p,
                       const GrB_Index *i, const void *x, GrB_Index np, GrB_Index ni, GrB_Index nx,
                       GrB_Format format) {
#define X(T, C) \
  case T_##T:   \
    return GrB_Matrix_import_##T(a, twin_type[t], nrows, ncols, p, i, (const C *)x, np, ni, nx, format);
  CASES(X, GrB_Matrix_import_UDT(a, twin_type[t], nrows, ncols, p, i, x, np, ni, nx, format))
#undef X
}

GrB_Info matrix_export(GrB_Index *p, GrB_Index *i, void *x, GrB_Index *np, GrB_Index *ni, GrB_Index *nx,
                       GrB_Format format, int t, GrB_Matrix a) {
#define X(T, C) \
  case T_##T:   \
    return GrB_Matrix_export_##T(p, i, (C *)x, np, ni, nx, format, a);
  CASES(X, GrB_Matrix_export_UDT(p, i, x, np, ni, nx, format, a))
#undef X
}
#endif
