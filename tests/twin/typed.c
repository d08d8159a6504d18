/* Calls whose name ends in a type, by the type's number. */
#include "tests/twin/twin.h"

/* The call NAME for type number t. For the predefined types it is NAME_TYPE with the arguments `typed`, in
 * which C is that type in C. Else it is NAME_UDT with `udt`, which pass an address. */
#define BY_TYPE(NAME, typed, udt)        \
  switch (t) {                           \
    GRID_WITH_TYPES(CASE, (NAME, typed)) \
    default:                             \
      return NAME##UDT udt;              \
  }
#define CASE(CALL, T) CASE_OF(T, UNPACK CALL)
#define UNPACK(a, b)  a, b
#define CASE_OF(...)  ONE_CASE(__VA_ARGS__)
#define ONE_CASE(T, NAME, typed) \
  case T_##T: {                  \
    typedef GRID_C_##T C;        \
    return NAME##T typed;        \
  }

GrB_Info vector_set(GrB_Vector v, int t, const value *x, GrB_Index i) {
  BY_TYPE(GrB_Vector_setElement_, (v, *(const C *)x, i), (v, (void *)x, i));
}

GrB_Info vector_get(value *x, int t, GrB_Vector v, GrB_Index i) {
  BY_TYPE(GrB_Vector_extractElement_, ((C *)x, v, i), (x, v, i));
}

GrB_Info vector_build(GrB_Vector v, int t, const GrB_Index *i, const void *x, GrB_Index n, GrB_BinaryOp dup) {
  BY_TYPE(GrB_Vector_build_, (v, i, (const C *)x, n, dup), (v, i, x, n, dup));
}

GrB_Info vector_tuples(GrB_Index *i, void *x, GrB_Index *n, int t, GrB_Vector v) {
  BY_TYPE(GrB_Vector_extractTuples_, (i, (C *)x, n, v), (i, x, n, v));
}

GrB_Info vector_assign_scalar(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, int t, const value *x,
                              const GrB_Index *i, GrB_Index ni, GrB_Descriptor d) {
  BY_TYPE(GrB_Vector_assign_, (w, mask, accum, *(const C *)x, i, ni, d),
          (w, mask, accum, (void *)x, i, ni, d));
}

GrB_Info vector_bind1st(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_BinaryOp op, int t,
                        const value *x, GrB_Vector u, GrB_Descriptor d) {
  BY_TYPE(GrB_Vector_apply_BinaryOp1st_, (w, mask, accum, op, *(const C *)x, u, d),
          (w, mask, accum, op, (const void *)x, u, d));
}

GrB_Info vector_bind2nd(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_BinaryOp op, GrB_Vector u,
                        int t, const value *y, GrB_Descriptor d) {
  BY_TYPE(GrB_Vector_apply_BinaryOp2nd_, (w, mask, accum, op, u, *(const C *)y, d),
          (w, mask, accum, op, u, (const void *)y, d));
}

GrB_Info vector_apply_index(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_IndexUnaryOp op,
                            GrB_Vector u, int t, const value *y, GrB_Descriptor d) {
  BY_TYPE(GrB_Vector_apply_IndexOp_, (w, mask, accum, op, u, *(const C *)y, d),
          (w, mask, accum, op, u, (const void *)y, d));
}

GrB_Info vector_select(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_IndexUnaryOp op, GrB_Vector u,
                       int t, const value *y, GrB_Descriptor d) {
  BY_TYPE(GrB_Vector_select_, (w, mask, accum, op, u, *(const C *)y, d),
          (w, mask, accum, op, u, (const void *)y, d));
}

GrB_Info vector_reduce(int t, value *x, GrB_BinaryOp accum, GrB_Monoid op, GrB_Vector u, GrB_Descriptor d) {
  BY_TYPE(GrB_Vector_reduce_, ((C *)x, accum, op, u, d), (x, accum, op, u, d));
}

GrB_Info matrix_set(GrB_Matrix a, int t, const value *x, GrB_Index i, GrB_Index j) {
  BY_TYPE(GrB_Matrix_setElement_, (a, *(const C *)x, i, j), (a, (void *)x, i, j));
}

GrB_Info matrix_get(value *x, int t, GrB_Matrix a, GrB_Index i, GrB_Index j) {
  BY_TYPE(GrB_Matrix_extractElement_, ((C *)x, a, i, j), (x, a, i, j));
}

GrB_Info matrix_build(GrB_Matrix a, int t, const GrB_Index *i, const GrB_Index *j, const void *x, GrB_Index n,
                      GrB_BinaryOp dup) {
  BY_TYPE(GrB_Matrix_build_, (a, i, j, (const C *)x, n, dup), (a, i, j, x, n, dup));
}

GrB_Info matrix_tuples(GrB_Index *i, GrB_Index *j, void *x, GrB_Index *n, int t, GrB_Matrix a) {
  BY_TYPE(GrB_Matrix_extractTuples_, (i, j, (C *)x, n, a), (i, j, x, n, a));
}

GrB_Info scalar_set(GrB_Scalar s, int t, const value *x) {
  BY_TYPE(GrB_Scalar_setElement_, (s, *(const C *)x), (s, (void *)x));
}

GrB_Info scalar_get(value *x, int t, GrB_Scalar s) {
  BY_TYPE(GrB_Scalar_extractElement_, ((C *)x, s), (x, s));
}

GrB_Info monoid_new(GrB_Monoid *m, GrB_BinaryOp op, int t, const value *x) {
  BY_TYPE(GrB_Monoid_new_, (m, op, *(const C *)x), (m, op, (void *)x));
}

GrB_Info matrix_reduce(int t, value *x, GrB_BinaryOp accum, GrB_Monoid op, GrB_Matrix a, GrB_Descriptor d) {
  BY_TYPE(GrB_Matrix_reduce_, ((C *)x, accum, op, a, d), (x, accum, op, a, d));
}

#if TWIN_HAS_GrB_Matrix_apply_BinaryOp1st_INT32
GrB_Info matrix_bind1st(GrB_Matrix c, GrB_Matrix mask, GrB_BinaryOp accum, GrB_BinaryOp op, int t,
                        const value *x, GrB_Matrix a, GrB_Descriptor d) {
  BY_TYPE(GrB_Matrix_apply_BinaryOp1st_, (c, mask, accum, op, *(const C *)x, a, d),
          (c, mask, accum, op, (const void *)x, a, d));
}

GrB_Info matrix_bind2nd(GrB_Matrix c, GrB_Matrix mask, GrB_BinaryOp accum, GrB_BinaryOp op, GrB_Matrix a,
                        int t, const value *y, GrB_Descriptor d) {
  BY_TYPE(GrB_Matrix_apply_BinaryOp2nd_, (c, mask, accum, op, a, *(const C *)y, d),
          (c, mask, accum, op, a, (const void *)y, d));
}

GrB_Info matrix_apply_index(GrB_Matrix c, GrB_Matrix mask, GrB_BinaryOp accum, GrB_IndexUnaryOp op,
                            GrB_Matrix a, int t, const value *y, GrB_Descriptor d) {
  BY_TYPE(GrB_Matrix_apply_IndexOp_, (c, mask, accum, op, a, *(const C *)y, d),
          (c, mask, accum, op, a, (const void *)y, d));
}
#endif

#if TWIN_HAS_GrB_Matrix_select_INT32
GrB_Info matrix_select(GrB_Matrix c, GrB_Matrix mask, GrB_BinaryOp accum, GrB_IndexUnaryOp op, GrB_Matrix a,
                       int t, const value *y, GrB_Descriptor d) {
  BY_TYPE(GrB_Matrix_select_, (c, mask, accum, op, a, *(const C *)y, d),
          (c, mask, accum, op, a, (const void *)y, d));
}
#endif

#if TWIN_HAS_GrB_Matrix_assign_INT32
GrB_Info matrix_assign_scalar(GrB_Matrix c, GrB_Matrix mask, GrB_BinaryOp accum, int t, const value *x,
                              const GrB_Index *i, GrB_Index ni, const GrB_Index *j, GrB_Index nj,
                              GrB_Descriptor d) {
  BY_TYPE(GrB_Matrix_assign_, (c, mask, accum, *(const C *)x, i, ni, j, nj, d),
          (c, mask, accum, (void *)x, i, ni, j, nj, d));
}
#endif

#if TWIN_HAS_GrB_Matrix_import_INT32
GrB_Info matrix_import(GrB_Matrix *a, int t, GrB_Index nrows, GrB_Index ncols, const GrB_Index *p,
                       const GrB_Index *i, const void *x, GrB_Index np, GrB_Index ni, GrB_Index nx,
                       GrB_Format format) {
  BY_TYPE(GrB_Matrix_import_, (a, twin_type[t], nrows, ncols, p, i, (const C *)x, np, ni, nx, format),
          (a, twin_type[t], nrows, ncols, p, i, x, np, ni, nx, format));
}

GrB_Info matrix_export(GrB_Index *p, GrB_Index *i, void *x, GrB_Index *np, GrB_Index *ni, GrB_Index *nx,
                       GrB_Format format, int t, GrB_Matrix a) {
  BY_TYPE(GrB_Matrix_export_, (p, i, (C *)x, np, ni, nx, format, a), (p, i, x, np, ni, nx, format, a));
}
#endif
