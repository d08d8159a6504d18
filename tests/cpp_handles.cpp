// gridblas.hpp: handles own their objects, and the overloads call the C function of the value's type. Ends with 0 if all is right.
#include <cstdio>
#include <utility>
#include <gridblas.hpp>

namespace gb = gridblas;

static int failures = 0;
#define WANT(condition)                                                                          \
  do {                                                                                           \
    if (!(condition)) std::printf("%d: %s: %s\n", __LINE__, #condition, Grid_last_error()), failures++; \
  } while (0)
#define OK(call) WANT((call) == GrB_SUCCESS)

template <class T>
static void value_of_type(GrB_Type type, T x) {
  gb::Matrix A;
  gb::Vector v;
  gb::Scalar s;
  T a{}, b{}, c{}, values[2]{};
  const GrB_Index at[] = {1, 4};
  GrB_Index rows[2], cols[2], n = 2;
  const T two[] = {x, x};
  OK(GrB_Matrix_new(A.out(), type, 5, 5));
  OK(GrB_Vector_new(v.out(), type, 5));
  OK(GrB_Scalar_new(s.out(), type));
  OK(gb::setElement(A, x, 2, 3));
  OK(gb::setElement(v, x, 3));
  OK(gb::setElement(s, x));
  OK(gb::extractElement(&a, A, 2, 3));
  OK(gb::extractElement(&b, v, 3));
  OK(gb::extractElement(&c, s));
  WANT(a == x && b == x && c == x);
  OK(GrB_Matrix_clear(A));
  OK(gb::build(A, at, at, two, 2, nullptr));
  OK(gb::extractTuples(rows, cols, values, &n, A));
  WANT(n == 2 && values[0] == x && values[1] == x);
  OK(gb::assign(v, nullptr, nullptr, x, GrB_ALL, 5, nullptr));
  OK(gb::extractElement(&b, v, 0));
  WANT(b == x);
}

static void handles() {
  gb::Vector u;
  WANT(u == nullptr);
  OK(GrB_Vector_new(u.out(), GrB_FP64, 3));
  GrB_Vector object = u;
  gb::Vector v(std::move(u));
  WANT(u == nullptr && v == object);
  u = std::move(v);
  WANT(v == nullptr && u == object);
  OK(GrB_Vector_new(u.out(), GrB_FP64, 7)); // the first one is freed
  gb::Vector w(u.release());
  GrB_Index n = 0;
  OK(GrB_Vector_size(&n, w));
  WANT(n == 7);
}

static void operations() {
  gb::Vector v, w;
  gb::Matrix A;
  double sum = 0;
  const GrB_Index at[] = {0, 1, 2};
  const double x[] = {1, 2, 3};
  OK(GrB_Vector_new(v.out(), GrB_FP64, 3));
  OK(GrB_Vector_new(w.out(), GrB_FP64, 3));
  OK(gb::build(v, at, x, 3, nullptr));
  OK(GrB_Matrix_diag(A.out(), v, 0));
  OK(GrB_mxv(w, nullptr, nullptr, GrB_PLUS_TIMES_SEMIRING_FP64, A, v, nullptr)); // 1 4 9
  OK(gb::apply(w, nullptr, nullptr, GrB_MINUS_FP64, w, 1.0, nullptr));           // 0 3 8
  OK(gb::apply(w, nullptr, nullptr, GrB_MINUS_FP64, 1LL, w, nullptr));           // 1 -2 -7
  OK(gb::eWiseAdd(w, nullptr, nullptr, GrB_PLUS_FP64, w, v, nullptr));           // 2 0 -4
  OK(gb::reduce(&sum, nullptr, GrB_PLUS_MONOID_FP64, w, nullptr));
  WANT(sum == -2);
  OK(gb::select(w, nullptr, nullptr, GrB_VALUEGT_FP64, w, 0.0, nullptr));
  OK(gb::reduce(&sum, nullptr, GrB_PLUS_MONOID_FP64, w, nullptr));
  WANT(sum == 2);
  long long whole = 0;
  OK(gb::reduce(&whole, nullptr, GrB_PLUS_MONOID_INT64, w, nullptr));
  WANT(whole == 2);
  WANT(gb::setElement(w, 1.0, 3) == GrB_INVALID_INDEX);
}

// An object is no value: C++ would cast its pointer to `true`.
static void objects_as_values() {
  gb::Vector u, w;
  gb::Matrix A, B;
  gb::Scalar s;
  double x = 0;
  GrB_Index n = 0;
  const GrB_Index all[] = {0, 1, 2};
  OK(GrB_Vector_new(u.out(), GrB_FP64, 3));
  OK(GrB_Vector_new(w.out(), GrB_FP64, 3));
  OK(GrB_Matrix_new(A.out(), GrB_FP64, 3, 3));
  OK(GrB_Matrix_new(B.out(), GrB_FP64, 3, 3));
  OK(GrB_Scalar_new(s.out(), GrB_FP64));
  OK(gb::setElement(s, 2.5));
  OK(gb::setElement(u, s, 1));
  OK(gb::assign(w, nullptr, nullptr, u, GrB_ALL, 3, nullptr));
  OK(GrB_Vector_nvals(&n, w));
  OK(gb::extractElement(&x, w, 1));
  WANT(n == 1 && x == 2.5);
  OK(gb::apply(w, nullptr, nullptr, GrB_TIMES_FP64, s, w, nullptr));
  OK(gb::apply(w, nullptr, nullptr, GrB_MINUS_FP64, w, s, nullptr));
  OK(gb::apply(w, nullptr, nullptr, GrB_AINV_FP64, w, nullptr));
  OK(gb::extractElement(s, w, 1));
  OK(gb::extractElement(&x, s));
  WANT(x == -3.75);
  OK(gb::select(w, nullptr, nullptr, GrB_VALUEGT_FP64, w, s, nullptr));
  OK(GrB_Vector_nvals(&n, w));
  WANT(n == 0);
  OK(gb::assign(A, nullptr, nullptr, u, 0, GrB_ALL, 3, nullptr));                  // A(0, 1) = 2.5
  OK(gb::assign(A, nullptr, nullptr, u, GrB_ALL, 3, 2, nullptr));                  // A(1, 2) = 2.5
  OK(gb::assign(B, nullptr, GrB_PLUS_FP64, A, all, 3, all, 3, nullptr));
  OK(gb::assign(B, A, nullptr, s, GrB_ALL, 3, GrB_ALL, 3, GrB_DESC_S));
  OK(gb::extract(w, nullptr, nullptr, B, GrB_ALL, 3, 2, nullptr));
  OK(gb::extractElement(&x, w, 1));
  WANT(x == -3.75);
  OK(gb::reduce(w, nullptr, nullptr, GrB_PLUS_MONOID_FP64, B, nullptr));
  OK(gb::reduce(s, nullptr, GrB_PLUS_MONOID_FP64, w, nullptr));
  OK(gb::extractElement(&x, s));
  WANT(x == -7.5);
  WANT(gb::assign(w, nullptr, nullptr, A, GrB_ALL, 3, nullptr) == GrB_DOMAIN_MISMATCH);
}

static void user_defined_values() {
  struct point {
    double x, y;
  } p = {1, 2}, q = {0, 0};
  gb::Type type;
  gb::Vector v;
  OK(GrB_Type_new(type.out(), sizeof p));
  OK(GrB_Vector_new(v.out(), type, 3));
  OK(gb::assign(v, nullptr, nullptr, &p, GrB_ALL, 3, nullptr));
  OK(gb::extractElement(&q, v, 2));
  WANT(q.x == 1 && q.y == 2);
}

int main() {
  gb::Matrix left;
  OK(GrB_init(GrB_NONBLOCKING));
  value_of_type<bool>(GrB_BOOL, true);
  value_of_type<int8_t>(GrB_INT8, -7);
  value_of_type<uint16_t>(GrB_UINT16, 65000);
  value_of_type<int64_t>(GrB_INT64, -(int64_t(1) << 60));
  value_of_type<uint64_t>(GrB_UINT64, ~uint64_t(0));
  value_of_type<long long>(GrB_INT64, -(1LL << 60));
  value_of_type<unsigned long long>(GrB_UINT64, ~0ULL);
  value_of_type<float>(GrB_FP32, 1.5F);
  value_of_type<double>(GrB_FP64, 0.1);
  handles();
  operations();
  objects_as_values();
  user_defined_values();
  OK(GrB_Matrix_new(left.out(), GrB_FP64, 2, 2)); // freed after the library has ended
  OK(GrB_finalize());
  return failures > 0;
}
