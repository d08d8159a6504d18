/* The polymorphic names of the C API (section 5.1 of the specification), chosen by the types of the
 * arguments with C11's _Generic. Included by GraphBLAS.h; not for C++. */
#ifndef GRIDBLAS_GENERIC_H
#define GRIDBLAS_GENERIC_H
/* clang-format off */

/* Associations from a value's type to the function F_T. long long is a distinct type if int64_t is long. */
#if INT64_MAX == LONG_MAX
#define GRID_CASE_LONG_LONG(F) long long : F##_INT64, unsigned long long : F##_UINT64,
#else
#define GRID_CASE_LONG_LONG(F)
#endif
#define GRID_CASES(F)                                                                                \
  bool : F##_BOOL, int8_t : F##_INT8, int16_t : F##_INT16, int32_t : F##_INT32, int64_t : F##_INT64, \
  uint8_t : F##_UINT8, uint16_t : F##_UINT16, uint32_t : F##_UINT32, uint64_t : F##_UINT64,          \
  GRID_CASE_LONG_LONG(F) float : F##_FP32, double : F##_FP64
/* The same from a pointer's type, to values that are read (const or not) or written. */
#define GRID_POINTER_CASES(F)                                                                                  \
  bool * : F##_BOOL, int8_t * : F##_INT8, int16_t * : F##_INT16, int32_t * : F##_INT32, int64_t * : F##_INT64, \
  uint8_t * : F##_UINT8, uint16_t * : F##_UINT16, uint32_t * : F##_UINT32, uint64_t * : F##_UINT64,            \
  float * : F##_FP32, double * : F##_FP64
#define GRID_CONST_CASES(F)                                                                                     \
  const bool * : F##_BOOL, const int8_t * : F##_INT8, const int16_t * : F##_INT16, const int32_t * : F##_INT32, \
  const int64_t * : F##_INT64, const uint8_t * : F##_UINT8, const uint16_t * : F##_UINT16,                      \
  const uint32_t * : F##_UINT32, const uint64_t * : F##_UINT64, const float * : F##_FP32, const double * : F##_FP64

/* A value of a predefined type, a GrB_Scalar, or else a pointer to a user-defined value. */
#define GRID_BY_VALUE(F, x) _Generic((x), GRID_CASES(F), GrB_Scalar : F##_Scalar, default : F##_UDT)
#define GRID_BY_VALUE_UDT(F, x) _Generic((x), GRID_CASES(F), default : F##_UDT)
/* The argument for a result: a pointer to a predefined type, or else to a user-defined value. */
#define GRID_BY_OUTPUT(F, x) _Generic((x), GRID_POINTER_CASES(F), default : F##_UDT)
#define GRID_BY_OUTPUT_SCALAR(F, x) _Generic((x), GRID_POINTER_CASES(F), GrB_Scalar : F##_Scalar, default : F##_UDT)
/* An array that is read. */
#define GRID_BY_ARRAY(F, x) _Generic((x), GRID_POINTER_CASES(F), GRID_CONST_CASES(F), default : F##_UDT)

/* First of the trailing arguments. */
#define GRID_FIRST_OF(a, ...) a
#define GRID_FIRST(...) GRID_FIRST_OF(__VA_ARGS__, 0)

/* ---- every kind of object ---------------------------------------------------------------------------- */

/* Further kinds of objects, from the headers gridblas_gxb_*.h. */
#define GRID_FREE_OBJECTS
#define GRID_CALL_OBJECTS(CALL)
#define GRID_FIELD_OBJECTS(CHOOSE, value)

#define GrB_free(object)                                                                   \
  _Generic((object), GRID_FREE_OBJECTS GrB_Type * : GrB_Type_free, GrB_UnaryOp * : GrB_UnaryOp_free,         \
           GrB_BinaryOp * : GrB_BinaryOp_free, GrB_IndexUnaryOp * : GrB_IndexUnaryOp_free, \
           GrB_Monoid * : GrB_Monoid_free, GrB_Semiring * : GrB_Semiring_free,             \
           GrB_Descriptor * : GrB_Descriptor_free, GrB_Scalar * : GrB_Scalar_free,         \
           GrB_Vector * : GrB_Vector_free, GrB_Matrix * : GrB_Matrix_free)(object)
#define GRID_BY_OBJECT(object, CALL)                                                       \
  _Generic((object), GRID_CALL_OBJECTS(CALL) GrB_Type : GrB_Type_##CALL, GrB_UnaryOp : GrB_UnaryOp_##CALL,         \
           GrB_BinaryOp : GrB_BinaryOp_##CALL, GrB_IndexUnaryOp : GrB_IndexUnaryOp_##CALL, \
           GrB_Monoid : GrB_Monoid_##CALL, GrB_Semiring : GrB_Semiring_##CALL,             \
           GrB_Descriptor : GrB_Descriptor_##CALL, GrB_Scalar : GrB_Scalar_##CALL,         \
           GrB_Vector : GrB_Vector_##CALL, GrB_Matrix : GrB_Matrix_##CALL)
#define GrB_wait(object, mode) GRID_BY_OBJECT(object, wait)(object, mode)
#define GrB_error(text, object) GRID_BY_OBJECT(object, error)(text, object)

#define GRID_BY_FIELDS(object, CHOOSE, value)                                                        \
  _Generic((object), GRID_FIELD_OBJECTS(CHOOSE, value) GrB_Type : CHOOSE(GrB_Type, value), GrB_UnaryOp : CHOOSE(GrB_UnaryOp, value),   \
           GrB_BinaryOp : CHOOSE(GrB_BinaryOp, value),                                               \
           GrB_IndexUnaryOp : CHOOSE(GrB_IndexUnaryOp, value), GrB_Monoid : CHOOSE(GrB_Monoid, value), \
           GrB_Semiring : CHOOSE(GrB_Semiring, value), GrB_Descriptor : CHOOSE(GrB_Descriptor, value), \
           GrB_Scalar : CHOOSE(GrB_Scalar, value), GrB_Vector : CHOOSE(GrB_Vector, value),           \
           GrB_Matrix : CHOOSE(GrB_Matrix, value), GrB_Global : CHOOSE(GrB_Global, value))
#define GRID_GET_FORM(K, value)                                                                     \
  _Generic((value), GrB_Scalar : K##_get_Scalar, char * : K##_get_String, int32_t * : K##_get_INT32, \
           size_t * : K##_get_SIZE, void * : K##_get_VOID)
#define GRID_SET_FORM(K, value)                                                                            \
  _Generic((value), GrB_Scalar : K##_set_Scalar, char * : K##_set_String, const char * : K##_set_String,   \
           void * : K##_set_VOID, const void * : K##_set_VOID, default : K##_set_INT32)
#define GrB_get(object, value, field) GRID_BY_FIELDS(object, GRID_GET_FORM, value)(object, value, field)
/* (object, value, field), or, for a void value, with its size as a further argument. */
#define GrB_set(object, value, ...) GRID_BY_FIELDS(object, GRID_SET_FORM, value)(object, value, __VA_ARGS__)

#define GRID_PRINT_OBJECTS
#define GxB_fprint(object, level, f)                                                              \
  _Generic((object), GRID_PRINT_OBJECTS GrB_Type : GxB_Type_fprint, GrB_UnaryOp : GxB_UnaryOp_fprint,                \
           GrB_BinaryOp : GxB_BinaryOp_fprint, GrB_IndexUnaryOp : GxB_IndexUnaryOp_fprint,        \
           GrB_Monoid : GxB_Monoid_fprint, GrB_Semiring : GxB_Semiring_fprint,                    \
           GrB_Descriptor : GxB_Descriptor_fprint, GrB_Scalar : GxB_Scalar_fprint,                \
           GrB_Vector : GxB_Vector_fprint, GrB_Matrix : GxB_Matrix_fprint)(object, #object, level, f)
#define GxB_print(object, level) GxB_fprint(object, level, NULL)

/* ---- constructors, setters and getters ----------------------------------------------------------------- */

#define GrB_Monoid_new(monoid, op, identity) GRID_BY_VALUE_UDT(GrB_Monoid_new, identity)(monoid, op, identity)

#define GrB_Scalar_setElement(s, x) GRID_BY_VALUE_UDT(GrB_Scalar_setElement, x)(s, x)
#define GrB_Scalar_extractElement(x, s) GRID_BY_OUTPUT(GrB_Scalar_extractElement, x)(x, s)

#define GrB_Vector_build(w, indices, values, nvals, dup) \
  GRID_BY_ARRAY(GrB_Vector_build, values)(w, indices, values, nvals, dup)
#define GrB_Vector_setElement(w, x, i) GRID_BY_VALUE(GrB_Vector_setElement, x)(w, x, i)
#define GrB_Vector_extractElement(x, v, i) GRID_BY_OUTPUT_SCALAR(GrB_Vector_extractElement, x)(x, v, i)
#define GrB_Vector_extractTuples(indices, values, nvals, v) \
  GRID_BY_OUTPUT(GrB_Vector_extractTuples, values)(indices, values, nvals, v)

#define GrB_Matrix_build(A, rows, cols, values, nvals, dup) \
  GRID_BY_ARRAY(GrB_Matrix_build, values)(A, rows, cols, values, nvals, dup)
#define GrB_Matrix_setElement(A, x, i, j) GRID_BY_VALUE(GrB_Matrix_setElement, x)(A, x, i, j)
#define GrB_Matrix_extractElement(x, A, i, j) GRID_BY_OUTPUT_SCALAR(GrB_Matrix_extractElement, x)(x, A, i, j)
#define GrB_Matrix_extractTuples(rows, cols, values, nvals, A) \
  GRID_BY_OUTPUT(GrB_Matrix_extractTuples, values)(rows, cols, values, nvals, A)

#define GrB_Matrix_import(A, d, nrows, ncols, indptr, indices, values, n_indptr, n_indices, n_values, format) \
  GRID_BY_ARRAY(GrB_Matrix_import, values)                                                                 \
  (A, d, nrows, ncols, indptr, indices, values, n_indptr, n_indices, n_values, format)
#define GrB_Matrix_export(indptr, indices, values, n_indptr, n_indices, n_values, format, A) \
  GRID_BY_OUTPUT(GrB_Matrix_export, values)(indptr, indices, values, n_indptr, n_indices, n_values, format, A)

/* ---- operations -------------------------------------------------------------------------------------- */

/* The type of the first argument, the output, selects the vector or the matrix form. */
#define GRID_BY_OP(F, op) \
  _Generic((op), GrB_Semiring : F##_Semiring, GrB_Monoid : F##_Monoid, GrB_BinaryOp : F##_BinaryOp)
#define GrB_eWiseAdd(w, mask, accum, op, u, v, desc) \
  _Generic((w), GrB_Vector : GRID_BY_OP(GrB_Vector_eWiseAdd, op),                             \
           GrB_Matrix : GRID_BY_OP(GrB_Matrix_eWiseAdd, op))(w, mask, accum, op, u, v, desc)
#define GrB_eWiseMult(w, mask, accum, op, u, v, desc) \
  _Generic((w), GrB_Vector : GRID_BY_OP(GrB_Vector_eWiseMult, op),                             \
           GrB_Matrix : GRID_BY_OP(GrB_Matrix_eWiseMult, op))(w, mask, accum, op, u, v, desc)

#define GrB_extract(w, mask, accum, u, ...) \
  _Generic((w), GrB_Vector : _Generic((u), GrB_Matrix : GrB_Col_extract, default : GrB_Vector_extract), \
           GrB_Matrix : GrB_Matrix_extract)(w, mask, accum, u, __VA_ARGS__)

#define GrB_assign(w, mask, accum, u, ...)                                 \
  _Generic((w), GrB_Vector : _Generic((u), GrB_Vector : GrB_Vector_assign, \
                                      default : GRID_BY_VALUE(GrB_Vector_assign, u)), \
           GrB_Matrix : _Generic((u), GrB_Matrix : GrB_Matrix_assign, \
                                      GrB_Vector : _Generic((GRID_FIRST(__VA_ARGS__)), const GrB_Index * : GrB_Col_assign, \
                                                            GrB_Index * : GrB_Col_assign, default : GrB_Row_assign), \
                                      default : GRID_BY_VALUE(GrB_Matrix_assign, u))) \
  (w, mask, accum, u, __VA_ARGS__)

/* (w, mask, accum, op, u, desc) with a unary operator, else (..., op, x, u, desc) or (..., op, u, y, desc). */
#define GRID_BY_APPLY(F, OBJECT, op, a, ...)                                                     \
  _Generic((op), GrB_UnaryOp : F,                                                                \
           GrB_IndexUnaryOp : GRID_BY_VALUE(F##_IndexOp, GRID_FIRST(__VA_ARGS__)),               \
           GrB_BinaryOp : _Generic((a),                                                          \
             OBJECT : GRID_BY_VALUE(F##_BinaryOp2nd, GRID_FIRST(__VA_ARGS__)),                   \
             default : GRID_BY_VALUE(F##_BinaryOp1st, a)))
#define GrB_apply(w, mask, accum, op, a, ...)                                                    \
  _Generic((w), GrB_Vector : GRID_BY_APPLY(GrB_Vector_apply, GrB_Vector, op, a, __VA_ARGS__),    \
           GrB_Matrix : GRID_BY_APPLY(GrB_Matrix_apply, GrB_Matrix, op, a, __VA_ARGS__))         \
  (w, mask, accum, op, a, __VA_ARGS__)

#define GrB_kronecker(C, mask, accum, op, A, B, desc) \
  GRID_BY_OP(GrB_Matrix_kronecker, op)(C, mask, accum, op, A, B, desc)

#define GrB_select(w, mask, accum, op, u, y, desc)                                               \
  _Generic((w), GrB_Vector : GRID_BY_VALUE(GrB_Vector_select, y),                                \
           GrB_Matrix : GRID_BY_VALUE(GrB_Matrix_select, y))(w, mask, accum, op, u, y, desc)

/* (&x or scalar, accum, monoid, u or A, desc) or (w, mask, accum, monoid, A, desc). */
#define GRID_BY_REDUCE(F, x, op)                          \
  _Generic((x), GRID_POINTER_CASES(F), default : F##_UDT, \
           GrB_Scalar : _Generic((op), GrB_BinaryOp : F##_BinaryOp_Scalar, default : F##_Monoid_Scalar))
#define GrB_reduce(x, b, c, d, ...)                                                                     \
  _Generic((d), GrB_Vector : GRID_BY_REDUCE(GrB_Vector_reduce, x, c),                                   \
           GrB_Matrix : GRID_BY_REDUCE(GrB_Matrix_reduce, x, c), GrB_Monoid : GrB_Matrix_reduce_Monoid, \
           GrB_BinaryOp : GrB_Matrix_reduce_BinaryOp)(x, b, c, d, __VA_ARGS__)
#endif
