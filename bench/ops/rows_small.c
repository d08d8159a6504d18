/* Calls on objects of 10, 100 and 1000 indices, SMALL_CALLS of them a timing: the overhead of a call. The
 * matrix has five entries in each row. */
#include "bench/ops/ops.h"

/* The objects of one size, created when a row first uses them; other objects do not live as long. */
typedef struct {
  GrB_Index n;
  GrB_Matrix A;
  GrB_Vector full, half, list, mask, w;
} small;

static small *matrices_for(int n) {
  static small sizes[3] = {{.n = 10}, {.n = 100}, {.n = 1000}};
  for (int k = 0; k < 2; k++)
    if (sizes[k].n == (GrB_Index)n) return &sizes[k];
  return &sizes[2];
}

static GrB_Info make_matrix(small *s) {
  TRY(GrB_Matrix_new(&s->A, GrB_FP64, s->n, s->n));
  for (GrB_Index i = 0; i < s->n; i++)
    for (GrB_Index k = 0; k < 5; k++)
      TRY(GrB_Matrix_setElement_FP64(s->A, 0.5 + (double)k, i, mix(5 * i + k) % s->n));
  return GrB_Matrix_wait(s->A, GrB_MATERIALIZE);
}

/* Every step-th index has a value. */
static GrB_Info make_vector(GrB_Vector *v, GrB_Index n, GrB_Index step) {
  TRY(GrB_Vector_new(v, GrB_FP64, n));
  for (GrB_Index i = 0; i < n; i += step) TRY(GrB_Vector_setElement_FP64(*v, 1 + (double)(i % 7), i));
  return GrB_Vector_wait(*v, GrB_MATERIALIZE);
}

static GrB_Info need_small(ops *o, const row *r) {
  (void)o;
  small *s = matrices_for(r->size);
  if (s->A != NULL) return GrB_SUCCESS;
  TRY(make_matrix(s));
  TRY(make_vector(&s->full, s->n, 1));
  TRY(make_vector(&s->half, s->n, 2));
  TRY(make_vector(&s->list, s->n, s->n));
  TRY(make_vector(&s->mask, s->n, 3));
  return GrB_Vector_new(&s->w, GrB_FP64, s->n);
}

/* The result of the calls is o->w. */
static GrB_Info leave(ops *o, const small *s) {
  GrB_Vector_free(&o->w);
  return GrB_Vector_dup(&o->w, s->w);
}

#define REPEATED(name, call)                       \
  static GrB_Info name(ops *o, const row *r) {     \
    small *s = matrices_for(r->size);              \
    for (int k = 0; k < SMALL_CALLS; k++) {        \
      TRY(call);                                   \
      TRY(GrB_Vector_wait(s->w, GrB_MATERIALIZE)); \
    }                                              \
    return leave(o, s);                            \
  }
REPEATED(mxv, GrB_mxv(s->w, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, s->A, s->full, NULL))
REPEATED(mxv_half, GrB_mxv(s->w, NULL, NULL, GrB_MIN_PLUS_SEMIRING_FP64, s->A, s->half, NULL))
REPEATED(vxm_list, GrB_vxm(s->w, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, s->list, s->A, NULL))
REPEATED(vxm_masked, GrB_vxm(s->w, s->mask, NULL, GrB_MIN_PLUS_SEMIRING_FP64, s->list, s->A, GrB_DESC_RSC))
REPEATED(add, GrB_Vector_eWiseAdd_BinaryOp(s->w, NULL, NULL, GrB_PLUS_FP64, s->full, s->half, NULL))
REPEATED(multiply, GrB_Vector_eWiseMult_BinaryOp(s->w, NULL, NULL, GrB_TIMES_FP64, s->full, s->half, NULL))
REPEATED(add_masked,
         GrB_Vector_eWiseAdd_BinaryOp(s->w, s->mask, NULL, GrB_PLUS_FP64, s->full, s->half, GrB_DESC_RS))
REPEATED(apply, GrB_Vector_apply(s->w, NULL, NULL, GrB_MINV_FP64, s->full, NULL))
REPEATED(select_value, GrB_Vector_select_FP64(s->w, NULL, NULL, GrB_VALUEGT_FP64, s->full, 3.5, NULL))
REPEATED(assign, GrB_Vector_assign(s->w, NULL, NULL, s->half, GrB_ALL, s->n, NULL))
REPEATED(assign_scalar, GrB_Vector_assign_FP64(s->w, s->mask, NULL, 2, GrB_ALL, s->n, GrB_DESC_S))
REPEATED(extract, GrB_Vector_extract(s->w, NULL, NULL, s->half, GrB_ALL, s->n, NULL))
REPEATED(reduce_rows, GrB_Matrix_reduce_Monoid(s->w, NULL, NULL, GrB_PLUS_MONOID_FP64, s->A, NULL))
#undef REPEATED

static GrB_Info reduce(ops *o, const row *r) {
  small *s = matrices_for(r->size);
  for (int k = 0; k < SMALL_CALLS; k++)
    TRY(GrB_Vector_reduce_FP64(&o->number, NULL, GrB_PLUS_MONOID_FP64, s->full, NULL));
  return GrB_SUCCESS;
}

static GrB_Info copy(ops *o, const row *r) {
  small *s = matrices_for(r->size);
  for (int k = 0; k < SMALL_CALLS; k++) {
    TRY(GrB_Vector_free(&o->copy));
    TRY(GrB_Vector_dup(&o->copy, s->half));
  }
  return GrB_Vector_wait(o->copy, GrB_MATERIALIZE);
}

/* Elements one by one into an empty vector, and read back. */
static GrB_Info set_and_get(ops *o, const row *r) {
  small *s = matrices_for(r->size);
  double sum = 0;
  TRY(GrB_Vector_clear(s->w));
  for (GrB_Index k = 0; k < SMALL_CALLS / 2; k++)
    TRY(GrB_Vector_setElement_FP64(s->w, (double)k, mix(k) % s->n));
  for (GrB_Index k = 0; k < SMALL_CALLS / 2; k++) {
    double x = 0;
    const GrB_Info info = GrB_Vector_extractElement_FP64(&x, s->w, k % s->n);
    if (info != GrB_SUCCESS && info != GrB_NO_VALUE) return info;
    sum += x;
  }
  o->number = sum;
  return GrB_SUCCESS;
}

static GrB_Info get_from_matrix(ops *o, const row *r) {
  small *s = matrices_for(r->size);
  double sum = 0;
  for (GrB_Index k = 0; k < SMALL_CALLS; k++) {
    double x = 0;
    const GrB_Info info = GrB_Matrix_extractElement_FP64(&x, s->A, k % s->n, mix(k) % s->n);
    if (info != GrB_SUCCESS && info != GrB_NO_VALUE) return info;
    sum += x;
  }
  o->number = sum;
  return GrB_SUCCESS;
}

#define SIZES(name, run, ...)                                                                       \
  {"small.10." name, run, need_small, .size = 10, .count = COUNT_SMALL_CALLS, __VA_ARGS__},         \
      {"small.100." name, run, need_small, .size = 100, .count = COUNT_SMALL_CALLS, __VA_ARGS__}, { \
    "small.1000." name, run, need_small, .size = 1000, .count = COUNT_SMALL_CALLS, __VA_ARGS__      \
  }

const row small_rows[] = {SIZES("mxv", mxv, .result_in = IN_W),
                          SIZES("mxv.half", mxv_half, .result_in = IN_W),
                          SIZES("vxm.one", vxm_list, .result_in = IN_W),
                          SIZES("vxm.one.masked", vxm_masked, .result_in = IN_W),
                          SIZES("eWiseAdd", add, .result_in = IN_W),
                          SIZES("eWiseMult", multiply, .result_in = IN_W),
                          SIZES("eWiseAdd.masked", add_masked, .result_in = IN_W),
                          SIZES("apply", apply, .result_in = IN_W),
                          SIZES("select", select_value, .result_in = IN_W),
                          SIZES("assign", assign, .result_in = IN_W),
                          SIZES("assign.scalar.masked", assign_scalar, .result_in = IN_W),
                          SIZES("extract", extract, .result_in = IN_W),
                          SIZES("reduce.rows", reduce_rows, .result_in = IN_W),
                          SIZES("reduce", reduce, .result_in = IN_NUMBER),
                          SIZES("dup", copy, .result_in = IN_COPY),
                          SIZES("elements", set_and_get, .result_in = IN_NUMBER),
                          SIZES("extractElement.matrix", get_from_matrix, .result_in = IN_NUMBER),
                          {NULL}};
