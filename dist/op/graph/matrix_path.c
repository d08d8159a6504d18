/* Grid_Matrix_path: of a symmetric matrix on one process in one kernel on the device, or by serial searches;
 * else by products (path_products.c). */
#include "dist/matrix/storage/matrix_outofcore.h"
#include "dist/object/burble.h"
#include "dist/op/graph/public_calls/path_products.h"
#include "dist/op/graph/path_serial.h"
#include "dist/vector/vector.h"
#include "spmat/device/device.h"
#include "spmat/lmat_ops.h"

static const char call[] = "Grid_Matrix_path";

/* Up to so many threads serial searches are faster. (R-MAT 20: 0.08 ms; products on 16 threads of a Xeon
 * 0.32.) */
enum { SERIAL_THREADS = 16 };

typedef struct {
  GrB_Matrix A;
  GrB_Index source, target;
} ends;

static GrB_Info check_path(GrB_Vector path, GrB_Matrix A) {
  GrB_Info info;
  uint64_t nvals;
  TRY(grid_check_operand(path, &A->head, call, "path"));
  TRY(grid_check_size(path->n, A->nrows, &A->head, call, "path", "the list of A's rows"));
  if (path->type != GrB_INT64)
    return grid_fail(&A->head, GrB_DOMAIN_MISMATCH, "%s: path is not of type INT64", call);
  TRY(grid_vector_count(&nvals, path));
  if (nvals) return grid_fail(&A->head, GrB_OUTPUT_NOT_EMPTY, "%s: path has entries already", call);
done:
  return info;
}

static GrB_Info check(GrB_Vector path, const int64_t *length, const ends *e) {
  GrB_Info info;
  GrB_Matrix A = e->A;
  TRY(grid_check_matrix(A, call, "A"));
  if (!path && !length)
    return grid_fail(&A->head, GrB_NULL_POINTER, "%s: arguments path and length are both NULL", call);
  TRY(grid_check_size(A->ncols, A->nrows, &A->head, call, "the list of A's columns", "that of its rows"));
  if (path) TRY(check_path(path, A));
  if (e->source >= A->nrows || e->target >= A->nrows)
    return grid_fail(&A->head, GrB_INVALID_INDEX, "%s: the %s %llu is not a vertex of A, which has %llu rows",
                     call, e->source >= A->nrows ? "source" : "target",
                     (unsigned long long)(e->source >= A->nrows ? e->source : e->target),
                     (unsigned long long)A->nrows);
done:
  return info;
}

/* ---- on one process ---- */

/* GRID_UNSUPPORTED: not on a device. */
static GrB_Info search_on_device(GrB_Index **vertex, int64_t *length, const ends *e) {
  if (!grid_device_is_on()) return GRID_UNSUPPORTED;
  const GrB_Info info = grid_matrix_require(e->A, GRID_WHOLE);
  if (info != GrB_SUCCESS) return info;
  if (e->A->block.host_resident) return GRID_UNSUPPORTED;
  return grid_lmat_path_device(vertex, length, &e->A->block, e->source, e->target);
}

static GrB_Info search_serially(GrB_Index **vertex, int64_t *length, const ends *e) {
  if (grid_device_is_on() || Grid_threads(0) > SERIAL_THREADS) return GRID_UNSUPPORTED;
  return grid_path_serial(vertex, length, e->A, e->source, e->target);
}

/* GRID_UNSUPPORTED: products find the path. *vertex is freed by the caller. */
static GrB_Info search(GrB_Index **vertex, int64_t *length, const ends *e) {
  if (grid_ctx.P > 1 || !e->A->properties.symmetric || e->A->delegates.split || grid_is_paged(e->A) ||
      e->A->nrows > INT32_MAX)
    return GRID_UNSUPPORTED;
  const GrB_Info info = search_on_device(vertex, length, e);
  return info == GRID_UNSUPPORTED ? search_serially(vertex, length, e) : info;
}

static GrB_Info store_path(GrB_Vector path, const GrB_Index *vertex, int64_t length) {
  GrB_Info info = GrB_SUCCESS;
  for (int64_t k = 0; k <= length && info == GrB_SUCCESS; k++)
    info = grid_vector_set(path, &vertex[k], GrB_INT64, (GrB_Index)k);
  if (info != GrB_SUCCESS) (void)GrB_Vector_clear(path);
  return info;
}

static GrB_Info find_path(GrB_Vector path, int64_t *length, const ends *e) {
  GrB_Info info;
  GrB_Index *vertex = NULL;
  int64_t edges;
  TRY(check(path, length, e));
  TRY(grid_matrix_require(e->A, GRID_OUTOFCORE | GRID_ROWS));
  info = search(&vertex, &edges, e);
  if (info == GRID_UNSUPPORTED)
    return grid_fail_inside(&e->A->head, grid_path_by_products(path, length, e->A, e->source, e->target),
                            call);
  TRY(info);
  if (path) TRY(store_path(path, vertex, edges));
  if (length) *length = edges;
done:
  grid_free(vertex);
  return info;
}

GrB_Info Grid_Matrix_path(GrB_Vector path, int64_t *length, GrB_Matrix A, GrB_Index source,
                          GrB_Index target) {
  const ends e = {.A = A, .source = source, .target = target};
  return GRID_TRACE_CALL(call, find_path(path, length, &e), path, A);
}
