/* Products of matrices. The R-MAT rows need a smaller scale than others: A A has about 1.4e9 products at
 * scale 16. */
#include "bench/ops/ops.h"

static GrB_Info mxm(ops *o, const row *r) {
  GrB_Index m, n;
  const bool t0 = r->desc == &GrB_DESC_T0 || r->desc == &GrB_DESC_ST0,
             t1 = r->desc == &GrB_DESC_T1 || r->desc == &GrB_DESC_ST1;
  const GrB_Matrix A = o->A[r->A], B = o->A[r->B];
  TRY(t0 ? GrB_Matrix_ncols(&m, A) : GrB_Matrix_nrows(&m, A));
  TRY(t1 ? GrB_Matrix_nrows(&n, B) : GrB_Matrix_ncols(&n, B));
  TRY(GrB_Matrix_new(&o->C, r->type ? *r->type : GrB_FP64, m, n));
  TRY(GrB_mxm(o->C, o->A[r->M], NULL, *r->semiring, A, B, r->desc ? *r->desc : NULL));
  return GrB_Matrix_wait(o->C, GrB_MATERIALIZE); /* rows that are not sorted are not done */
}

const row mxm_rows[] = {
    /* clang-format off */
    {"mxm.plus_times", mxm, .A = A_FP64, .B = A_FP64, .result_in = IN_C_SUMS, .semiring = &GrB_PLUS_TIMES_SEMIRING_FP64, .count = COUNT_MXM, .bytes = 12},
    {"mxm.plus_times.mesh", mxm, .A = A_MESH, .B = A_MESH, .result_in = IN_C_SUMS, .semiring = &GrB_PLUS_TIMES_SEMIRING_FP64, .count = COUNT_MXM, .bytes = 12},
    {"mxm.plus_times.random", mxm, .A = A_RANDOM, .B = A_RANDOM, .result_in = IN_C_SUMS, .semiring = &GrB_PLUS_TIMES_SEMIRING_FP64, .count = COUNT_MXM, .bytes = 12},
    {"mxm.min_plus.mesh", mxm, .A = A_MESH, .B = A_MESH, .result_in = IN_C_SUMS, .semiring = &GrB_MIN_PLUS_SEMIRING_FP64, .count = COUNT_MXM, .bytes = 12},
    {"mxm.lor_land", mxm, .A = A_PATTERN, .B = A_PATTERN, .result_in = IN_C_SUMS, .semiring = &GrB_LOR_LAND_SEMIRING_BOOL, .type = &GrB_BOOL, .count = COUNT_MXM, .bytes = 4},
    {"mxm.mixed.mesh", mxm, .A = A_MESH, .B = A_MESH, .result_in = IN_C_SUMS, .semiring = &GrB_PLUS_MIN_SEMIRING_INT32, .type = &GrB_INT32, .count = COUNT_MXM, .bytes = 8},
    {"mxm.user.mesh", mxm, .A = A_MESH, .B = A_MESH, .result_in = IN_C_SUMS, .semiring = &bench_operators.user_user, .count = COUNT_MXM, .bytes = 12},
    {"mxm.user.random", mxm, .A = A_RANDOM, .B = A_RANDOM, .result_in = IN_C_SUMS, .semiring = &bench_operators.user_user, .count = COUNT_MXM, .bytes = 12},
    {"mxm.masked", mxm, .A = A_FP64, .B = A_FP64, .M = A_PATTERN, .result_in = IN_C_SUMS, .semiring = &GrB_PLUS_TIMES_SEMIRING_FP64, .desc = &GrB_DESC_S, .count = COUNT_MXM, .bytes = 12},
    {"mxm.masked.dots", mxm, .A = A_FP64, .B = A_FP64, .M = A_PATTERN, .result_in = IN_C_SUMS, .semiring = &GrB_PLUS_TIMES_SEMIRING_FP64, .desc = &GrB_DESC_ST1, .count = COUNT_MXM, .bytes = 12},
    {"mxm.masked.complement.mesh", mxm, .A = A_MESH, .B = A_MESH, .M = A_MESH, .result_in = IN_C_SUMS, .semiring = &GrB_PLUS_TIMES_SEMIRING_FP64, .desc = &GrB_DESC_SC, .count = COUNT_MXM, .bytes = 12},
    {"mxm.masked.hubs", mxm, .A = A_HUBS, .B = A_HUBS, .M = A_HUBS, .result_in = IN_C_SUMS, .semiring = &bench_operators.plus_oneb_int64, .type = &GrB_INT64, .desc = &GrB_DESC_ST1, .count = COUNT_MXM, .bytes = 4},
    {"mxm.masked.hubs.rows", mxm, .A = A_HUBS, .B = A_HUBS, .M = A_HUBS, .result_in = IN_C_SUMS, .semiring = &bench_operators.plus_oneb_int64, .type = &GrB_INT64, .desc = &GrB_DESC_S, .count = COUNT_MXM, .bytes = 4},
    {"mxm.triangles", mxm, .A = LOWER_PATTERN, .B = LOWER_PATTERN, .M = LOWER_PATTERN, .result_in = IN_C_SUMS, .semiring = &bench_operators.plus_oneb_int64, .type = &GrB_INT64, .desc = &GrB_DESC_ST1, .count = COUNT_OUTPUT, .bytes = 4},
    {"mxm.triangles.lower", mxm, .A = LOWER_PATTERN, .B = LOWER_PATTERN, .M = LOWER_PATTERN, .result_in = IN_C_SUMS, .semiring = &bench_operators.plus_oneb_int64, .type = &GrB_INT64, .desc = &GrB_DESC_S, .count = COUNT_OUTPUT, .bytes = 4},
    {"mxm.frontiers", mxm, .A = A_BATCH, .B = A_FP64, .result_in = IN_C_SUMS, .semiring = &GrB_MIN_FIRST_SEMIRING_FP64, .count = COUNT_OUTPUT, .bytes = 12},
    {"mxm.frontiers.tall", mxm, .A = A_FP64, .B = A_BATCH, .result_in = IN_C_SUMS, .semiring = &GrB_MIN_SECOND_SEMIRING_FP64, .desc = &GrB_DESC_T1, .count = COUNT_OUTPUT, .bytes = 12},
    {"mxm.full.plus_times.1", mxm, .A = A_FP64, .B = COLUMNS_1, .result_in = IN_C, .semiring = &GrB_PLUS_TIMES_SEMIRING_FP64, .dense = true, .count = COUNT_MXM, .bytes = 12},
    {"mxm.full.plus_times.2", mxm, .A = A_FP64, .B = COLUMNS_2, .result_in = IN_C, .semiring = &GrB_PLUS_TIMES_SEMIRING_FP64, .dense = true, .count = COUNT_MXM, .bytes = 12},
    {"mxm.full.plus_times.4", mxm, .A = A_FP64, .B = COLUMNS_4, .result_in = IN_C, .semiring = &GrB_PLUS_TIMES_SEMIRING_FP64, .dense = true, .count = COUNT_MXM, .bytes = 12},
    {"mxm.full.plus_times.16", mxm, .A = A_FP64, .B = COLUMNS_16, .result_in = IN_C, .semiring = &GrB_PLUS_TIMES_SEMIRING_FP64, .dense = true, .count = COUNT_MXM, .bytes = 12},
    {"mxm.full.plus_times_fp32.4", mxm, .A = A_FP32, .B = COLUMNS_FP32_4, .result_in = IN_C, .semiring = &GrB_PLUS_TIMES_SEMIRING_FP32, .type = &GrB_FP32, .dense = true, .count = COUNT_MXM, .bytes = 8},
    {"mxm.full.plus_second.1", mxm, .A = A_PATTERN, .B = COLUMNS_1, .result_in = IN_C, .semiring = &bench_operators.plus_second_fp64, .dense = true, .count = COUNT_MXM, .bytes = 12},
    {"mxm.full.plus_second.4", mxm, .A = A_PATTERN, .B = COLUMNS_4, .result_in = IN_C, .semiring = &bench_operators.plus_second_fp64, .dense = true, .count = COUNT_MXM, .bytes = 12},
    {"mxm.full.plus_times.4.transposed", mxm, .A = A_FP64, .B = COLUMNS_4, .result_in = IN_C, .semiring = &GrB_PLUS_TIMES_SEMIRING_FP64, .desc = &GrB_DESC_T0, .dense = true, .count = COUNT_MXM, .bytes = 12},
    {"mxm.full.iso.1", mxm, .A = A_FP64, .B = COLUMNS_ISO_1, .result_in = IN_C, .semiring = &GrB_PLUS_TIMES_SEMIRING_FP64, .dense = true, .count = COUNT_MXM, .bytes = 12},
    {"mxm.full.iso.2", mxm, .A = A_FP64, .B = COLUMNS_ISO_2, .result_in = IN_C, .semiring = &GrB_PLUS_TIMES_SEMIRING_FP64, .dense = true, .count = COUNT_MXM, .bytes = 12},
    {"mxm.full.iso.4", mxm, .A = A_FP64, .B = COLUMNS_ISO_4, .result_in = IN_C, .semiring = &GrB_PLUS_TIMES_SEMIRING_FP64, .dense = true, .count = COUNT_MXM, .bytes = 12},
    {"mxm.full.iso.16", mxm, .A = A_FP64, .B = COLUMNS_ISO_16, .result_in = IN_C, .semiring = &GrB_PLUS_TIMES_SEMIRING_FP64, .dense = true, .count = COUNT_MXM, .bytes = 12},
    /* clang-format on */
    {NULL}};
