/* An indicator matrix: each entry of a vector names the column of the entry in its row. On a grid of one
 * column a block has all columns of the rows of its own chunk, so nothing is sent. */
#include "dist/object/burble.h"
#include "dist/matrix/storage/matrix_bitmap.h"
#include "dist/matrix/transfer/matrix_route.h"
#include "dist/vector/vector.h"
#include "spmat/device/device.h"
#include "spmat/lmat_ops.h"

static const char call[] = "Grid_Matrix_indicator";

/* *t = C's block, made on the device from the local chunk, or from routed entries of all chunks.
 * GRID_UNSUPPORTED, on all processes: the host does it, and finds which index is wrong. */
static GrB_Info point_on_device(grid_local_matrix *t, GrB_Matrix C, GrB_Vector where, const void *one) {
  const grid_chunk *v = &where->chunk;
  bool bad;
  grid_local_matrix local;
  GrB_Info info = GRID_UNSUPPORTED;
  if (grid_ctx.C == 1) {
    grid_lmat_init(t, C->type, grid_block_rows(C->nrows), grid_block_cols(C->ncols));
    info = grid_lmat_index_matrix(t, v, C->ncols, one, &bad);
    return grid_agree_supported(&C->head, info == GrB_OUT_OF_MEMORY ? GRID_UNSUPPORTED : info);
  }
  grid_lmat_init(&local, C->type, v->n, C->ncols);
  const grid_index_map rows = {.axis = &local.row, .base = grid_chunk_first(where->n, grid_ctx.k)},
                       cols = {.axis = &local.col};
  info = grid_lmat_index_matrix(&local, v, C->ncols, one, &bad);
  info = grid_route_device(C, &local, &rows, &cols, false,
                           info == GrB_OUT_OF_MEMORY ? GRID_UNSUPPORTED : info, t);
  grid_lmat_free(&local);
  return info;
}

/* Builds C from tuples in host memory. */
static GrB_Info point_on_host(GrB_Matrix C, GrB_Vector where, const void *one) {
  const uint64_t n = where->chunk.nvals;
  uint64_t *row = grid_malloc(n, sizeof *row), *col = grid_malloc(n, sizeof *col);
  GrB_Info info =
      row && col ? GrB_SUCCESS : grid_fail_memory(&C->head, "rows and columns", n, 2 * sizeof *row);
  if (info == GrB_SUCCESS)
    info = grid_vec_tuples(row, col, GrB_UINT64, &where->chunk, grid_chunk_first(where->n, grid_ctx.k));
  if (info == GrB_SUCCESS && n) info = grid_check_indices(col, n, C->ncols, &C->head, call);
  TRY(grid_agree(&C->head, info));
  if (grid_device_is_on()) grid_report_fallback("a matrix of where a vector points: tuples");
  info = grid_matrix_fill(C, &(grid_build){.row = row, .col = col, .one = one, .n = n}, call);
done:
  grid_free(row);
  grid_free(col);
  return info;
}

static GrB_Info check(GrB_Matrix C, GrB_Vector where) {
  GrB_Info info;
  TRY(grid_check_initialized(call));
  TRY(grid_check_matrix(C, call, "C"));
  TRY(grid_check_operand(where, &C->head, call, "where"));
  TRY(grid_check_size(where->n, C->nrows, &C->head, call, "where", "a column of C"));
  TRY(grid_check_integers(where, &C->head, call, "where"));
  TRY(grid_matrix_require(C, GRID_ROWS));
  if (C->nvals)
    return grid_fail(&C->head, GrB_OUTPUT_NOT_EMPTY, "%s: C holds %llu entries already", call,
                     (unsigned long long)C->nvals);
done:
  return info;
}

static GrB_Info point(GrB_Matrix C, GrB_Vector where) {
  char *one = NULL;
  grid_local_matrix t = {0};
  GrB_Info info;
  TRY(check(C, where));
  TRY(grid_matrix_make_one(C, call, &one));
  info = grid_device_is_on() ? point_on_device(&t, C, where, one) : GRID_UNSUPPORTED;
  info = info == GRID_UNSUPPORTED ? point_on_host(C, where, one)
                                  : grid_matrix_adopt(C, &(grid_build){0}, &t, info);
  if (info == GrB_SUCCESS) grid_dense_force(C);
done:
  grid_lmat_free(&t);
  grid_free(one);
  return info;
}

GrB_Info Grid_Matrix_indicator(GrB_Matrix C, GrB_Vector where) {
  return GRID_TRACE_CALL(call, point(C, where), C, where);
}
