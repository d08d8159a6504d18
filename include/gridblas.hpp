// gridblas for C++11 and later: handles that free their objects, and the polymorphic names of the C API, which C++ lacks, as overloads in the
// namespace `gridblas`: gridblas::setElement(A, 1.5, i, j) is GrB_Matrix_setElement(A, 1.5, i, j) of C. Nothing throws: calls return GrB_Info, as in C.
//   gridblas::Matrix A;
//   GrB_Matrix_new(A.out(), GrB_FP64, n, n);
//   gridblas::setElement(A, 1.5, 0, 1);
//   GrB_mxv(w, nullptr, nullptr, GrB_PLUS_TIMES_SEMIRING_FP64, A, u, nullptr);
// A handle is given to any C function in place of its object. Handles that live longer than the library (GrB_finalize) still free their memory.
#ifndef GRIDBLAS_HPP
#define GRIDBLAS_HPP
#include "gridblas.h"

namespace gridblas {

// ---- handles ----

#define GRID_OVERLOAD(K)                                                                     \
  inline GrB_Info free(GrB_##K *object) { return GrB_##K##_free(object); }                   \
  inline GrB_Info wait(GrB_##K object, GrB_WaitMode mode) { return GrB_##K##_wait(object, mode); } \
  inline GrB_Info error(const char **text, GrB_##K object) { return GrB_##K##_error(text, object); }
GRID_OVERLOAD(Type)
GRID_OVERLOAD(UnaryOp)
GRID_OVERLOAD(BinaryOp)
GRID_OVERLOAD(IndexUnaryOp)
GRID_OVERLOAD(Monoid)
GRID_OVERLOAD(Semiring)
GRID_OVERLOAD(Descriptor)
GRID_OVERLOAD(Scalar)
GRID_OVERLOAD(Vector)
GRID_OVERLOAD(Matrix)
#undef GRID_OVERLOAD

// Owns an object, or none. It can be moved, not copied: GrB_Matrix_dup copies.
template <class T>
class Handle {
  T object_ = nullptr;

 public:
  Handle() = default;
  explicit Handle(T object) : object_(object) {}
  Handle(Handle &&other) noexcept : object_(other.release()) {}
  Handle &operator=(Handle &&other) noexcept {
    if (this != &other) *out() = other.release();
    return *this;
  }
  ~Handle() { free(&object_); }
  operator T() const { return object_; }
  // Frees the object and returns where a constructor stores another.
  T *out() {
    free(&object_);
    return &object_;
  }
  // The object, which the handle no longer owns.
  T release() {
    T object = object_;
    object_ = nullptr;
    return object;
  }
};
using Type = Handle<GrB_Type>;
using UnaryOp = Handle<GrB_UnaryOp>;
using BinaryOp = Handle<GrB_BinaryOp>;
using IndexUnaryOp = Handle<GrB_IndexUnaryOp>;
using Monoid = Handle<GrB_Monoid>;
using Semiring = Handle<GrB_Semiring>;
using Descriptor = Handle<GrB_Descriptor>;
using Scalar = Handle<GrB_Scalar>;
using Vector = Handle<GrB_Vector>;
using Matrix = Handle<GrB_Matrix>;

// ---- functions by the type of a value ----

// int64_t is long on Linux, and long long another type of the same size, whose values go to the functions of int64_t.
template <class C>
C *fixed_size(C *x) {
  return x;
}
#if defined(__LP64__) && !defined(__APPLE__)
#define GRID_LONG_LONGS(F) F(INT64, long long) F(UINT64, unsigned long long)
#define GRID_OVERLOAD(T, C) \
  inline T *fixed_size(C *x) { return reinterpret_cast<T *>(x); }                                                                       \
  inline const T *fixed_size(const C *x) { return reinterpret_cast<const T *>(x); }
GRID_OVERLOAD(int64_t, long long)
GRID_OVERLOAD(uint64_t, unsigned long long)
#undef GRID_OVERLOAD
#else
#define GRID_LONG_LONGS(F)
#endif

#define GRID_OVERLOAD(T, C)                                                                                                                  \
  inline GrB_Info extractElement(C *x, GrB_Scalar s) { return GrB_Scalar_extractElement_##T(fixed_size(x), s); }                             \
  inline GrB_Info extractElement(C *x, GrB_Vector u, GrB_Index i) { return GrB_Vector_extractElement_##T(fixed_size(x), u, i); }             \
  inline GrB_Info extractElement(C *x, GrB_Matrix A, GrB_Index i, GrB_Index j) {                                                             \
    return GrB_Matrix_extractElement_##T(fixed_size(x), A, i, j);                                                                            \
  }                                                                                                                                          \
  inline GrB_Info build(GrB_Vector w, const GrB_Index *I, const C *x, GrB_Index n, GrB_BinaryOp dup) {                                       \
    return GrB_Vector_build_##T(w, I, fixed_size(x), n, dup);                                                                                \
  }                                                                                                                                          \
  inline GrB_Info build(GrB_Matrix A, const GrB_Index *I, const GrB_Index *J, const C *x, GrB_Index n, GrB_BinaryOp dup) {                   \
    return GrB_Matrix_build_##T(A, I, J, fixed_size(x), n, dup);                                                                             \
  }                                                                                                                                          \
  inline GrB_Info extractTuples(GrB_Index *I, C *x, GrB_Index *n, GrB_Vector u) {                                                            \
    return GrB_Vector_extractTuples_##T(I, fixed_size(x), n, u);                                                                             \
  }                                                                                                                                          \
  inline GrB_Info extractTuples(GrB_Index *I, GrB_Index *J, C *x, GrB_Index *n, GrB_Matrix A) {                                              \
    return GrB_Matrix_extractTuples_##T(I, J, fixed_size(x), n, A);                                                                          \
  }                                                                                                                                          \
  inline GrB_Info reduce(C *x, GrB_BinaryOp a, GrB_Monoid op, GrB_Vector u, GrB_Descriptor d) {                                              \
    return GrB_Vector_reduce_##T(fixed_size(x), a, op, u, d);                                                                                \
  }                                                                                                                                          \
  inline GrB_Info reduce(C *x, GrB_BinaryOp a, GrB_Monoid op, GrB_Matrix A, GrB_Descriptor d) {                                              \
    return GrB_Matrix_reduce_##T(fixed_size(x), a, op, A, d);                                                                                \
  }
GRID_TYPES(GRID_OVERLOAD)
GRID_LONG_LONGS(GRID_OVERLOAD)
GRID_OVERLOAD(UDT, void)
#undef GRID_OVERLOAD

#define GRID_OVERLOAD(T, C)                                                                                                                  \
  inline GrB_Info setElement(GrB_Scalar s, C x) { return GrB_Scalar_setElement_##T(s, x); }
GRID_TYPES(GRID_OVERLOAD)
GRID_LONG_LONGS(GRID_OVERLOAD)
GRID_OVERLOAD(UDT, const void *)
#undef GRID_OVERLOAD

// A value, a pointer to a user-defined one, or a GrB_Scalar. C++ casts each pointer to bool: without the last two an object would be `true`.
#define GRID_VALUES(F) GRID_TYPES(F) GRID_LONG_LONGS(F) F(UDT, const void *) F(Scalar, GrB_Scalar)
#define GRID_OVERLOAD(T, C)                                                                                                                  \
  inline GrB_Info setElement(GrB_Vector w, C x, GrB_Index i) { return GrB_Vector_setElement_##T(w, x, i); }                                  \
  inline GrB_Info setElement(GrB_Matrix A, C x, GrB_Index i, GrB_Index j) { return GrB_Matrix_setElement_##T(A, x, i, j); }                  \
  inline GrB_Info assign(GrB_Vector w, GrB_Vector m, GrB_BinaryOp a, C x, const GrB_Index *I, GrB_Index ni, GrB_Descriptor d) {              \
    return GrB_Vector_assign_##T(w, m, a, x, I, ni, d);                                                                                      \
  }                                                                                                                                          \
  inline GrB_Info assign(GrB_Matrix A, GrB_Matrix m, GrB_BinaryOp a, C x, const GrB_Index *I, GrB_Index ni, const GrB_Index *J,              \
                         GrB_Index nj, GrB_Descriptor d) {                                                                                   \
    return GrB_Matrix_assign_##T(A, m, a, x, I, ni, J, nj, d);                                                                               \
  }
GRID_VALUES(GRID_OVERLOAD)
#undef GRID_OVERLOAD

#define GRID_OVERLOAD(K, T, C)                                                                                                               \
  inline GrB_Info apply(GrB_##K w, GrB_##K m, GrB_BinaryOp a, GrB_BinaryOp op, C x, GrB_##K u, GrB_Descriptor d) {                           \
    return GrB_##K##_apply_BinaryOp1st_##T(w, m, a, op, x, u, d);                                                                            \
  }                                                                                                                                          \
  inline GrB_Info apply(GrB_##K w, GrB_##K m, GrB_BinaryOp a, GrB_BinaryOp op, GrB_##K u, C y, GrB_Descriptor d) {                           \
    return GrB_##K##_apply_BinaryOp2nd_##T(w, m, a, op, u, y, d);                                                                            \
  }                                                                                                                                          \
  inline GrB_Info apply(GrB_##K w, GrB_##K m, GrB_BinaryOp a, GrB_IndexUnaryOp op, GrB_##K u, C y, GrB_Descriptor d) {                       \
    return GrB_##K##_apply_IndexOp_##T(w, m, a, op, u, y, d);                                                                                \
  }                                                                                                                                          \
  inline GrB_Info select(GrB_##K w, GrB_##K m, GrB_BinaryOp a, GrB_IndexUnaryOp op, GrB_##K u, C y, GrB_Descriptor d) {                      \
    return GrB_##K##_select_##T(w, m, a, op, u, y, d);                                                                                       \
  }
#define GRID_OVERLOADS(T, C) GRID_OVERLOAD(Vector, T, C) GRID_OVERLOAD(Matrix, T, C)
GRID_VALUES(GRID_OVERLOADS)
#undef GRID_VALUES
#undef GRID_LONG_LONGS
#undef GRID_OVERLOADS
#undef GRID_OVERLOAD

// ---- functions by the kind of an object ----

inline GrB_Info extractElement(GrB_Scalar s, GrB_Vector u, GrB_Index i) { return GrB_Vector_extractElement_Scalar(s, u, i); }
inline GrB_Info extractElement(GrB_Scalar s, GrB_Matrix A, GrB_Index i, GrB_Index j) { return GrB_Matrix_extractElement_Scalar(s, A, i, j); }

inline GrB_Info extract(GrB_Vector w, GrB_Vector m, GrB_BinaryOp a, GrB_Vector u, const GrB_Index *I, GrB_Index ni, GrB_Descriptor d) {
  return GrB_Vector_extract(w, m, a, u, I, ni, d);
}
inline GrB_Info extract(GrB_Vector w, GrB_Vector m, GrB_BinaryOp a, GrB_Matrix A, const GrB_Index *I, GrB_Index ni, GrB_Index j, GrB_Descriptor d) {
  return GrB_Col_extract(w, m, a, A, I, ni, j, d);
}
inline GrB_Info extract(GrB_Matrix C, GrB_Matrix m, GrB_BinaryOp a, GrB_Matrix A, const GrB_Index *I, GrB_Index ni, const GrB_Index *J, GrB_Index nj,
                        GrB_Descriptor d) {
  return GrB_Matrix_extract(C, m, a, A, I, ni, J, nj, d);
}

inline GrB_Info assign(GrB_Vector w, GrB_Vector m, GrB_BinaryOp a, GrB_Vector u, const GrB_Index *I, GrB_Index ni, GrB_Descriptor d) {
  return GrB_Vector_assign(w, m, a, u, I, ni, d);
}
inline GrB_Info assign(GrB_Matrix C, GrB_Vector m, GrB_BinaryOp a, GrB_Vector u, const GrB_Index *I, GrB_Index ni, GrB_Index j, GrB_Descriptor d) {
  return GrB_Col_assign(C, m, a, u, I, ni, j, d);
}
inline GrB_Info assign(GrB_Matrix C, GrB_Vector m, GrB_BinaryOp a, GrB_Vector u, GrB_Index i, const GrB_Index *J, GrB_Index nj, GrB_Descriptor d) {
  return GrB_Row_assign(C, m, a, u, i, J, nj, d);
}
inline GrB_Info assign(GrB_Matrix C, GrB_Matrix m, GrB_BinaryOp a, GrB_Matrix A, const GrB_Index *I, GrB_Index ni, const GrB_Index *J, GrB_Index nj,
                       GrB_Descriptor d) {
  return GrB_Matrix_assign(C, m, a, A, I, ni, J, nj, d);
}

inline GrB_Info apply(GrB_Vector w, GrB_Vector m, GrB_BinaryOp a, GrB_UnaryOp op, GrB_Vector u, GrB_Descriptor d) {
  return GrB_Vector_apply(w, m, a, op, u, d);
}
inline GrB_Info apply(GrB_Matrix C, GrB_Matrix m, GrB_BinaryOp a, GrB_UnaryOp op, GrB_Matrix A, GrB_Descriptor d) {
  return GrB_Matrix_apply(C, m, a, op, A, d);
}

// ---- functions by the kind of an operator ----

#define GRID_OVERLOAD(K, OP)                                                                                                            \
  inline GrB_Info eWiseAdd(GrB_##K w, GrB_##K m, GrB_BinaryOp a, GrB_##OP op, GrB_##K u, GrB_##K v, GrB_Descriptor d) {                 \
    return GrB_##K##_eWiseAdd_##OP(w, m, a, op, u, v, d);                                                                               \
  }                                                                                                                                     \
  inline GrB_Info eWiseMult(GrB_##K w, GrB_##K m, GrB_BinaryOp a, GrB_##OP op, GrB_##K u, GrB_##K v, GrB_Descriptor d) {                \
    return GrB_##K##_eWiseMult_##OP(w, m, a, op, u, v, d);                                                                              \
  }
#define GRID_OVERLOADS(OP)                                                                                                                   \
  GRID_OVERLOAD(Vector, OP)                                                                                                                  \
  GRID_OVERLOAD(Matrix, OP)                                                                                                                  \
  inline GrB_Info kronecker(GrB_Matrix C, GrB_Matrix m, GrB_BinaryOp a, GrB_##OP op, GrB_Matrix A, GrB_Matrix B, GrB_Descriptor d) {         \
    return GrB_Matrix_kronecker_##OP(C, m, a, op, A, B, d);                                                                                  \
  }
GRID_OVERLOADS(Semiring)
GRID_OVERLOADS(Monoid)
GRID_OVERLOADS(BinaryOp)
#undef GRID_OVERLOADS
#undef GRID_OVERLOAD

#define GRID_OVERLOAD(OP)                                                                                                                    \
  inline GrB_Info reduce(GrB_Scalar s, GrB_BinaryOp a, GrB_##OP op, GrB_Vector u, GrB_Descriptor d) {                                        \
    return GrB_Vector_reduce_##OP##_Scalar(s, a, op, u, d);                                                                                  \
  }                                                                                                                                          \
  inline GrB_Info reduce(GrB_Scalar s, GrB_BinaryOp a, GrB_##OP op, GrB_Matrix A, GrB_Descriptor d) {                                        \
    return GrB_Matrix_reduce_##OP##_Scalar(s, a, op, A, d);                                                                                  \
  }                                                                                                                                          \
  inline GrB_Info reduce(GrB_Vector w, GrB_Vector m, GrB_BinaryOp a, GrB_##OP op, GrB_Matrix A, GrB_Descriptor d) {                          \
    return GrB_Matrix_reduce_##OP(w, m, a, op, A, d);                                                                                        \
  }
GRID_OVERLOAD(Monoid)
GRID_OVERLOAD(BinaryOp)
#undef GRID_OVERLOAD

}  // namespace gridblas
#endif
