/* Matrices that are neither graphs nor vectors: a batch of four frontiers of 2^20 vertices, half of all
 * positions with entries. Also a dense factor of 10^5 rows and 16 columns; and many single elements. */
#include <stdlib.h>

#include "bench/ops/ops.h"

enum { BATCH = 4, WIDTH = 1 << 20, TALL = 100000, FACTORS = 16, MILLION = 1000000 };

/* Created at their first use; never freed. */
static struct { GrB_Matrix batch, other, visited, factor, second; } in;

static GrB_Info make(GrB_Matrix *A, GrB_Type type, GrB_Index rows, GrB_Index cols, int in_1000,
                     uint64_t seed) {
  if (*A) return GrB_SUCCESS;
  GrB_Index *I = malloc(rows * cols * sizeof *I), *J = malloc(rows * cols * sizeof *J), n = 0;
  double *X = malloc(rows * cols * sizeof *X);
  GrB_Info info = I && J && X ? GrB_Matrix_new(A, type, rows, cols) : GrB_OUT_OF_MEMORY;
  for (GrB_Index i = 0; i < rows && info == GrB_SUCCESS; i++)
    for (GrB_Index j = 0; j < cols; j++) {
      const uint64_t z = mix(mix(seed) ^ (i * cols + j));
      if ((int)(z % 1000) < in_1000) I[n] = i, J[n] = j, X[n++] = (double)(z >> 40) * 0x1p-24;
    }
  if (info == GrB_SUCCESS) info = GrB_Matrix_build_FP64(*A, I, J, X, n, GrB_PLUS_FP64);
  if (info == GrB_SUCCESS) info = GrB_Matrix_wait(*A, GrB_MATERIALIZE);
  free(I);
  free(J);
  free(X);
  return info;
}

static GrB_Info fresh(ops *o, GrB_Index rows, GrB_Index cols) {
  TRY(GrB_Matrix_free(&o->C));
  return GrB_Matrix_new(&o->C, GrB_FP64, rows, cols);
}
static GrB_Info batch(ops *o, const row *r) {
  (void)r;
  TRY(make(&in.batch, GrB_FP64, BATCH, WIDTH, 500, 1));
  TRY(make(&in.other, GrB_FP64, BATCH, WIDTH, 400, 2));
  TRY(make(&in.visited, GrB_BOOL, BATCH, WIDTH, 500, 3));
  return fresh(o, BATCH, WIDTH);
}
static GrB_Info factor(ops *o, const row *r) {
  (void)r;
  TRY(make(&in.factor, GrB_FP64, TALL, FACTORS, 1000, 4));
  TRY(make(&in.second, GrB_FP64, TALL, FACTORS, 1000, 5));
  return fresh(o, TALL, FACTORS);
}
/* C is a copy of the batch. */
static GrB_Info batch_copy(ops *o, const row *r) {
  TRY(batch(o, r));
  return GrB_Matrix_eWiseAdd_BinaryOp(o->C, NULL, NULL, GrB_FIRST_FP64, in.batch, in.batch, NULL);
}

static GrB_Info done(ops *o) {
  return GrB_Matrix_wait(o->C, GrB_MATERIALIZE);
}

static bool tall(const row *r) {
  return r->before == factor;
}
static GrB_Info add(ops *o, const row *r) {
  TRY(GrB_Matrix_eWiseAdd_BinaryOp(o->C, NULL, NULL, *r->binary, tall(r) ? in.factor : in.batch,
                                   tall(r) ? in.second : in.other, NULL));
  return done(o);
}
static GrB_Info multiply(ops *o, const row *r) {
  TRY(GrB_Matrix_eWiseMult_BinaryOp(o->C, NULL, NULL, *r->binary, tall(r) ? in.factor : in.batch,
                                    tall(r) ? in.second : in.other, NULL));
  return done(o);
}
static GrB_Info add_masked(ops *o, const row *r) {
  TRY(GrB_Matrix_eWiseAdd_BinaryOp(o->C, in.visited, NULL, *r->binary, in.batch, in.other, *r->desc));
  return done(o);
}
static GrB_Info accumulate(ops *o, const row *r) {
  TRY(GrB_Matrix_apply(o->C, NULL, *r->binary, *r->unary, in.other, NULL));
  return done(o);
}
static GrB_Info apply(ops *o, const row *r) {
  TRY(GrB_Matrix_apply(o->C, NULL, NULL, *r->unary, tall(r) ? in.factor : in.batch, NULL));
  return done(o);
}
static GrB_Info apply_bound(ops *o, const row *r) {
  TRY(GrB_Matrix_apply_BinaryOp2nd_FP64(o->C, NULL, NULL, *r->binary, tall(r) ? in.factor : in.batch, 2.5,
                                        NULL));
  return done(o);
}
static GrB_Info select_value(ops *o, const row *r) {
  TRY(GrB_Matrix_select_FP64(o->C, NULL, NULL, *r->index, tall(r) ? in.factor : in.batch, 0.5, NULL));
  return done(o);
}
static GrB_Info sum(ops *o, const row *r) {
  return GrB_Matrix_reduce_FP64(&o->number, NULL, *r->monoid, tall(r) ? in.factor : in.batch, NULL);
}

/* ---- elements ------------------------------------------------------------------------------------------ */

static GrB_Info empty(ops *o, const row *r) {
  (void)r;
  return fresh(o, o->g.n, o->g.n);
}
static GrB_Info million(ops *o, const row *r) {
  (void)r;
  for (uint64_t k = 0; k < MILLION; k++)
    TRY(GrB_Matrix_setElement_FP64(o->C, (double)k, mix(2 * k) % o->g.n, mix(2 * k + 1) % o->g.n));
  return done(o);
}
static GrB_Info copy(ops *o, const row *r) {
  TRY(GrB_Matrix_free(&o->C));
  TRY(GrB_Matrix_dup(&o->C, o->A[r->A]));
  return done(o);
}
static GrB_Info pairs(ops *o, const row *r) {
  (void)r;
  o->number = 0;
  for (uint64_t k = 0; k < 100; k++) {
    double x = 0;
    const GrB_Index i = mix(2 * k) % o->g.n, j = mix(2 * k + 1) % o->g.n;
    TRY(GrB_Matrix_setElement_FP64(o->C, (double)k, i, j));
    TRY(GrB_Matrix_extractElement_FP64(&x, o->C, i, j));
    o->number += x;
  }
  return GrB_SUCCESS;
}

const row format_rows[] = {
    /* clang-format off */
    {"batch.eWiseAdd", add, batch, .result_in = IN_C, .binary = &GrB_PLUS_FP64, .count = COUNT_OUTPUT, .often = 2},
    {"batch.eWiseMult", multiply, batch, .result_in = IN_C, .binary = &GrB_TIMES_FP64, .count = COUNT_OUTPUT, .often = 2},
    {"batch.eWiseAdd.masked", add_masked, batch, .result_in = IN_C, .binary = &GrB_PLUS_FP64, .desc = &GrB_DESC_RSC, .count = COUNT_OUTPUT, .often = 2},
    {"batch.apply", apply, batch, .result_in = IN_C, .unary = &GrB_AINV_FP64, .count = COUNT_OUTPUT, .often = 2},
    {"batch.apply.bound", apply_bound, batch, .result_in = IN_C, .binary = &GrB_TIMES_FP64, .count = COUNT_OUTPUT, .often = 2},
    {"batch.apply.accumulated", accumulate, batch_copy, .result_in = IN_C, .unary = &GrB_AINV_FP64, .binary = &GrB_PLUS_FP64, .count = COUNT_OUTPUT, .often = 2},
    {"batch.select", select_value, batch, .result_in = IN_C, .index = &GrB_VALUEGT_FP64, .count = COUNT_OUTPUT, .often = 2},
    {"batch.reduce", sum, batch, .result_in = IN_NUMBER, .monoid = &GrB_PLUS_MONOID_FP64, .count = COUNT_CALLS, .often = 2},
    {"factor.eWiseAdd", add, factor, .result_in = IN_C, .binary = &GrB_PLUS_FP64, .count = COUNT_OUTPUT, .often = 2},
    {"factor.eWiseMult", multiply, factor, .result_in = IN_C, .binary = &GrB_TIMES_FP64, .count = COUNT_OUTPUT, .often = 2},
    {"factor.apply", apply, factor, .result_in = IN_C, .unary = &GrB_AINV_FP64, .count = COUNT_OUTPUT, .often = 2},
    {"factor.select", select_value, factor, .result_in = IN_C, .index = &GrB_VALUEGT_FP64, .count = COUNT_OUTPUT, .often = 2},
    {"factor.reduce", sum, factor, .result_in = IN_NUMBER, .monoid = &GrB_PLUS_MONOID_FP64, .count = COUNT_CALLS, .often = 2},
    {"setElement.matrix.million", million, empty, .result_in = IN_C, .count = COUNT_OUTPUT},
    {"setElement.extractElement", pairs, copy, .result_in = IN_NUMBER, .A = A_FP64, .count = COUNT_CALLS},
    /* clang-format on */
    {NULL}};
