/* GrB_mxv, GrB_vxm, and PageRank's loop of them. */
#include "bench/ops/ops.h"

static GrB_Info mxv(ops *o, const row *r) {
  TRY(GrB_mxv(o->w, o->v[r->mask], NULL, *r->semiring, o->A[r->A], o->v[r->u], r->desc ? *r->desc : NULL));
  return GrB_Vector_wait(o->w, GrB_MATERIALIZE);
}

static GrB_Info vxm(ops *o, const row *r) {
  TRY(GrB_vxm(o->w, o->v[r->mask], NULL, *r->semiring, o->v[r->u], o->A[r->A], r->desc ? *r->desc : NULL));
  return GrB_Vector_wait(o->w, GrB_MATERIALIZE);
}

/* What an iteration adds to: a full vector. */
static GrB_Info fill(ops *o, const row *r) {
  (void)r;
  TRY(GrB_Vector_assign_FP64(o->w, NULL, NULL, 1, GrB_ALL, o->g.n, NULL));
  return GrB_Vector_wait(o->w, GrB_MATERIALIZE);
}

static GrB_Info mxv_accum(ops *o, const row *r) {
  TRY(GrB_mxv(o->w, NULL, GrB_PLUS_FP64, *r->semiring, o->A[r->A], o->v[r->u], NULL));
  return GrB_Vector_wait(o->w, GrB_MATERIALIZE);
}

/* PageRank as GraphBLAS programs write it, FP32, ITERATIONS times, with the sum of changes that a program
 * would stop at. limits.c has the same as a plain loop. */
enum { ITERATIONS = 20 };

typedef struct {
  GrB_Vector degree, contribution, previous;
} ranks;

/* degree(i) = entries in row i / damping. */
static GrB_Info ranks_start(ranks *p, ops *o, const row *r, float damping) {
  GrB_Semiring count;
  TRY(GrB_Semiring_new(&count, GrB_PLUS_MONOID_FP32, GrB_ONEB_FP32));
  TRY(GrB_Vector_new(&p->degree, GrB_FP32, o->g.n));
  TRY(GrB_Vector_new(&p->contribution, GrB_FP32, o->g.n));
  TRY(GrB_Vector_new(&p->previous, GrB_FP32, o->g.n));
  TRY(GrB_mxv(p->degree, NULL, NULL, count, o->A[r->A], o->v[FULL_FP32], NULL));
  TRY(GrB_Vector_apply_BinaryOp2nd_FP32(p->degree, NULL, NULL, GrB_DIV_FP32, p->degree, damping, NULL));
  return GrB_Semiring_free(&count);
}

static GrB_Info ranks_step(float *change, ranks *p, ops *o, const row *r, float base) {
  const GrB_Vector swap = o->w;
  o->w = p->previous, p->previous = swap;
  TRY(GrB_Vector_eWiseMult_BinaryOp(p->contribution, NULL, NULL, GrB_DIV_FP32, p->previous, p->degree, NULL));
  TRY(GrB_Vector_assign_FP32(o->w, NULL, NULL, base, GrB_ALL, o->g.n, NULL));
  TRY(GrB_mxv(o->w, NULL, GrB_PLUS_FP32, *r->semiring, o->A[r->A], p->contribution, NULL));
  TRY(GrB_Vector_eWiseMult_BinaryOp(p->previous, NULL, NULL, GrB_MINUS_FP32, p->previous, o->w, NULL));
  TRY(GrB_Vector_apply(p->previous, NULL, NULL, GrB_ABS_FP32, p->previous, NULL));
  return GrB_Vector_reduce_FP32(change, NULL, GrB_PLUS_MONOID_FP32, p->previous, NULL);
}

static GrB_Info pagerank(ops *o, const row *r) {
  const float damping = 0.85f, n = (float)o->g.n;
  float change = 0;
  ranks p;
  TRY(ranks_start(&p, o, r, damping));
  TRY(GrB_Vector_assign_FP32(o->w, NULL, NULL, 1 / n, GrB_ALL, o->g.n, NULL));
  for (int k = 0; k < ITERATIONS; k++) TRY(ranks_step(&change, &p, o, r, (1 - damping) / n));
  TRY(GrB_Vector_wait(o->w, GrB_MATERIALIZE));
  TRY(GrB_Vector_free(&p.degree));
  TRY(GrB_Vector_free(&p.contribution));
  return GrB_Vector_free(&p.previous);
}

const row product_rows[] = {
    /* clang-format off */
    {"mxv.plus_times.full", mxv, .A = A_FP64, .u = FULL, .semiring = &GrB_PLUS_TIMES_SEMIRING_FP64, .bytes = 20},
    {"mxv.plus_times.half", mxv, .A = A_FP64, .u = HALF, .semiring = &GrB_PLUS_TIMES_SEMIRING_FP64, .bytes = 20},
    {"mxv.plus_times.sparse", mxv, .A = A_FP64, .u = SPARSE, .semiring = &GrB_PLUS_TIMES_SEMIRING_FP64, .bytes = 20},
    {"mxv.plus_times.fp32", mxv, .A = A_FP32, .u = FULL_FP32, .semiring = &GrB_PLUS_TIMES_SEMIRING_FP32, .type = &GrB_FP32, .bytes = 12},
    {"mxv.min_plus.full", mxv, .A = A_FP64, .u = FULL, .semiring = &GrB_MIN_PLUS_SEMIRING_FP64, .bytes = 20},
    {"mxv.min_plus.half", mxv, .A = A_FP64, .u = HALF, .semiring = &GrB_MIN_PLUS_SEMIRING_FP64, .bytes = 20},
    {"mxv.min_second.full", mxv, .A = A_FP64, .u = FULL, .semiring = &GrB_MIN_SECOND_SEMIRING_FP64, .bytes = 12},
    {"mxv.min_second.half", mxv, .A = A_FP64, .u = HALF, .semiring = &GrB_MIN_SECOND_SEMIRING_FP64, .bytes = 12},
    {"mxv.plus_second.fp32", mxv, .A = A_PATTERN, .u = FULL_FP32, .semiring = &bench_operators.plus_second_fp32, .type = &GrB_FP32, .bytes = 8},
    {"mxv.plus_second.fp32.half", mxv, .A = A_PATTERN, .u = HALF_FP32, .semiring = &bench_operators.plus_second_fp32, .type = &GrB_FP32, .bytes = 8},
    {"mxv.plus_second.fp64", mxv, .A = A_FP64, .u = FULL, .semiring = &bench_operators.plus_second_fp64, .bytes = 12},
    {"mxv.plus_min.made", mxv, .A = A_FP64, .u = FULL, .semiring = &bench_operators.plus_min_fp64, .bytes = 20},
    {"mxv.max_first.made", mxv, .A = A_FP32, .u = FULL_FP32, .semiring = &bench_operators.max_first_fp32, .type = &GrB_FP32, .bytes = 8},
    {"mxv.plus_oneb.made", mxv, .A = A_PATTERN, .u = HALF_BOOL, .semiring = &bench_operators.plus_oneb_int64, .type = &GrB_INT64, .bytes = 4},
    {"mxv.lor_land.half", mxv, .A = A_PATTERN, .u = HALF_BOOL, .semiring = &GrB_LOR_LAND_SEMIRING_BOOL, .type = &GrB_BOOL, .bytes = 4},
    {"mxv.mixed.int32", mxv, .A = A_INT32, .u = FULL, .semiring = &GrB_PLUS_TIMES_SEMIRING_FP64, .bytes = 16},
    {"mxv.mixed.int32.half", mxv, .A = A_INT32, .u = HALF, .semiring = &GrB_MIN_PLUS_SEMIRING_FP64, .bytes = 16},
    {"mxv.user_multiply", mxv, .A = A_FP64, .u = FULL, .semiring = &bench_operators.plus_user, .bytes = 20},
    {"mxv.user_both", mxv, .A = A_FP64, .u = FULL, .semiring = &bench_operators.user_user, .bytes = 20},
    {"mxv.transposed", mxv, .A = A_FP64, .u = FULL, .semiring = &GrB_PLUS_TIMES_SEMIRING_FP64, .desc = &GrB_DESC_T0, .bytes = 20},
    {"mxv.masked", mxv, .A = A_FP64, .u = FULL, .mask = HALF_BOOL, .semiring = &GrB_PLUS_TIMES_SEMIRING_FP64, .desc = &GrB_DESC_RS, .bytes = 20},
    {"mxv.masked_by_value", mxv, .A = A_FP64, .u = FULL, .mask = HALF_BOOL, .semiring = &GrB_PLUS_TIMES_SEMIRING_FP64, .desc = &GrB_DESC_R, .bytes = 20},
    {"mxv.masked.complement", mxv, .A = A_FP64, .u = FULL, .mask = VISITED, .semiring = &GrB_PLUS_TIMES_SEMIRING_FP64, .desc = &GrB_DESC_RSC, .bytes = 20},
    {"mxv.accumulated", mxv_accum, fill, .A = A_FP64, .u = FULL, .semiring = &GrB_PLUS_TIMES_SEMIRING_FP64, .bytes = 20},
    {"vxm.full", vxm, .A = A_FP64, .u = FULL, .semiring = &GrB_PLUS_TIMES_SEMIRING_FP64, .bytes = 20},
    {"vxm.frontier.100", vxm, .A = A_FP64, .u = LIST_100, .semiring = &GrB_PLUS_TIMES_SEMIRING_FP64, .bytes = 20, .often = 10},
    {"vxm.frontier.1K", vxm, .A = A_FP64, .u = LIST_1K, .semiring = &GrB_PLUS_TIMES_SEMIRING_FP64, .bytes = 20, .often = 4},
    {"vxm.frontier.10K", vxm, .A = A_FP64, .u = LIST_10K, .semiring = &GrB_PLUS_TIMES_SEMIRING_FP64, .bytes = 20},
    {"vxm.frontier.100K", vxm, .A = A_FP64, .u = LIST_100K, .semiring = &GrB_PLUS_TIMES_SEMIRING_FP64, .bytes = 20},
    {"vxm.frontier.min_plus.1K", vxm, .A = A_FP64, .u = LIST_1K, .semiring = &GrB_MIN_PLUS_SEMIRING_FP64, .bytes = 20, .often = 4},
    {"vxm.frontier.masked.1K", vxm, .A = A_FP64, .u = LIST_1K, .mask = VISITED, .semiring = &GrB_MIN_SECOND_SEMIRING_FP64, .desc = &GrB_DESC_RSC, .bytes = 12, .often = 4},
    {"vxm.masked_pull", vxm, .A = A_PATTERN, .u = HALF_BOOL, .mask = VISITED, .semiring = &GrB_LOR_LAND_SEMIRING_BOOL, .desc = &GrB_DESC_RSC, .type = &GrB_BOOL, .bytes = 4},
    {"pagerank.20", pagerank, .A = A_PATTERN, .u = FULL_FP32, .semiring = &bench_operators.plus_second_fp32, .type = &GrB_FP32, .bytes = 8 * ITERATIONS},
    /* clang-format on */
    {NULL}};
