/* Grid_Matrix_walk: on the device of one process, else by records of walks (walk_records.c). */
#include "dist/matrix/storage/matrix_bitmap.h"
#include "dist/matrix/storage/matrix_outofcore.h"
#include "dist/object/burble.h"
#include "dist/op/graph/public_calls/walk_records.h"
#include "dist/vector/vector.h"
#include "spmat/device/device.h"
#include "spmat/lmat_ops.h"

static const char call[] = "Grid_Matrix_walk";

static GrB_Info check_values(GrB_Matrix walks, const grid_walk_operands *x) {
  if (!(x->p >= 1e-6 && x->p <= 1e6 && x->q >= 1e-6 && x->q <= 1e6))
    return grid_fail(&walks->head, GrB_INVALID_VALUE, "%s: p is %g and q is %g; they are from 1e-6 to 1e6",
                     call, x->p, x->q);
  if (walks->ncols < 1 || walks->ncols > (uint64_t)INT32_MAX + 1)
    return grid_fail(&walks->head, GrB_INVALID_VALUE, "%s: walks has %llu columns; it has from 1 to 2^31",
                     call, (unsigned long long)walks->ncols);
  if (walks->nvals)
    return grid_fail(&walks->head, GrB_OUTPUT_NOT_EMPTY, "%s: walks holds %llu entries already", call,
                     (unsigned long long)walks->nvals);
  return GrB_SUCCESS;
}

static GrB_Info check(GrB_Matrix walks, GrB_Matrix A, GrB_Vector start, const grid_walk_operands *x) {
  GrB_Info info;
  TRY(grid_check_matrix(walks, call, "walks"));
  TRY(grid_check_matrix(A, call, "A"));
  TRY(grid_check_operand(start, &walks->head, call, "start"));
  TRY(grid_check_size(A->ncols, A->nrows, &walks->head, call, "the list of A's columns", "that of its rows"));
  TRY(grid_check_size(start->n, walks->nrows, &walks->head, call, "start", "a column of walks"));
  TRY(grid_check_integers(start, &walks->head, call, "start"));
  if (walks->type != GrB_INT64)
    return grid_fail(&walks->head, GrB_DOMAIN_MISMATCH, "%s: walks is not of type INT64", call);
  if (x->weighted) TRY(grid_check_cast(GrB_FP64, A->type, &walks->head, call, "A", "FP64"));
  TRY(grid_matrix_require(walks, GRID_ROWS));
  info = check_values(walks, x);
done:
  return info;
}

/* GRID_UNSUPPORTED: walk_records.c must do it, which also finds what is wrong with starts or weights. */
static GrB_Info walk_on_device(GrB_Matrix walks, GrB_Matrix A, const grid_walk_operands *x) {
  grid_local_matrix t;
  bool bad;
  if (grid_ctx.P > 1 || !grid_device_is_on() || A->delegates.split || grid_is_paged(A))
    return GRID_UNSUPPORTED;
  GrB_Info info = grid_matrix_require(A, GRID_WHOLE);
  if (info != GrB_SUCCESS) return info;
  if (A->block.host_resident) return GRID_UNSUPPORTED;
  grid_lmat_init(&t, GrB_INT64, grid_block_rows(walks->nrows), grid_block_cols(walks->ncols));
  info = grid_lmat_walk_device(&t, x, &bad);
  if (info == GRID_UNSUPPORTED) return info;
  info = grid_matrix_adopt(walks, &(grid_build){0}, &t, info);
  if (info == GrB_SUCCESS) grid_dense_force(walks);
  return info;
}

static GrB_Info walk(GrB_Matrix walks, GrB_Matrix A, GrB_Vector start, grid_walk_operands x) {
  GrB_Info info;
  TRY(check(walks, A, start, &x));
  TRY(grid_matrix_require(A, GRID_OUTOFCORE | GRID_ROWS));
  x.a = &A->block, x.start = &start->chunk;
  x.n = A->nrows, x.length = walks->ncols - 1;
  info = walk_on_device(walks, A, &x);
  if (info == GRID_UNSUPPORTED)
    info = grid_fail_inside(&walks->head, grid_walk_by_records(walks, A, start, x.weighted, x.p, x.q, x.seed),
                            call);
done:
  return info;
}

/* Steps of all walks; the same on all processes. */
static uint64_t estimate_work(GrB_Matrix walks) {
  uint64_t work;
  if (!walks || !grid_is_live_handle(walks, GRID_IS_MATRIX)) return 0;
  return __builtin_mul_overflow(walks->nrows, walks->ncols, &work) ? UINT64_MAX : work;
}

GrB_Info Grid_Matrix_walk(GrB_Matrix walks, GrB_Matrix A, GrB_Vector start, bool weighted, double p, double q,
                          uint64_t seed) {
  const grid_walk_operands x = {.weighted = weighted, .p = p, .q = q, .seed = seed};
  return GRID_TRACE_SIZED_CALL(call, estimate_work(walks), walk(walks, A, start, x), walks, A, start);
}
