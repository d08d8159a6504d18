/* Edges as a matrix and back (edge_matrix.h). */
#include "dist/io/formats/edge_matrix.h"

#include <stdlib.h>
#include <string.h>

#include "dist/io/formats/output_file.h"
#include "dist/matrix/matrix.h"
#include "semiring/support/mem.h"
#include "semiring/semiring.h"

/* Builds both triangles of a skew-symmetric matrix: the mirrored entries change sign. */
static GrB_Info build_skew(GrB_Matrix A, const Grid_Edges *e, GrB_BinaryOp dup, int flags) {
  uint64_t *rows = grid_malloc(2 * e->n, 8), *cols = grid_malloc(2 * e->n, 8);
  double *values = grid_malloc(2 * e->n, sizeof *values);
  GrB_Info info =
      rows && cols && values ? GrB_SUCCESS : grid_fail_memory(NULL, "both triangles", 2 * e->n, 24);
  uint64_t n = 0;
  for (uint64_t k = 0; info == GrB_SUCCESS && k < e->n; k++) {
    rows[n] = e->rows[k], cols[n] = e->cols[k], values[n++] = e->values[k];
    if (e->rows[k] == e->cols[k]) continue;
    rows[n] = e->cols[k], cols[n] = e->rows[k], values[n++] = -e->values[k];
  }
  info = grid_agree(NULL, info);
  if (info == GrB_SUCCESS) info = Grid_Matrix_build(A, rows, cols, values, GrB_FP64, n, dup, flags);
  grid_free(rows);
  grid_free(cols);
  grid_free(values);
  return info;
}

GrB_Info grid_make_matrix_from_edges(GrB_Matrix *A, const Grid_Edges *e, const Grid_Read_Options *o) {
  const bool pattern = e->pattern || o->pattern, skew = e->skew && !pattern,
             mirror = e->symmetric || e->skew || (o->undirected && e->nrows == e->ncols);
  const int flags = (mirror && !skew ? Grid_MIRROR : 0) | (o->no_loops ? Grid_NO_LOOPS : 0);
  const GrB_BinaryOp dup = o->dup ? o->dup : GrB_MIN_FP64;
  GrB_Matrix made = NULL;
  GrB_Info info = GrB_SUCCESS;
  TRY(GrB_Matrix_new(&made, o->type ? o->type : pattern ? GrB_BOOL : GrB_FP64, e->nrows, e->ncols));
  if (pattern)
    info = Grid_Matrix_build(made, e->rows, e->cols, NULL, NULL, e->n, NULL, flags);
  else if (skew)
    info = build_skew(made, e, dup, flags);
  else
    info = Grid_Matrix_build(made, e->rows, e->cols, e->values, GrB_FP64, e->n, dup, flags);
  if (info == GrB_SUCCESS) *A = made, made = NULL;
done:
  GrB_Matrix_free(&made);
  return info;
}

GrB_Info grid_make_rows_from_edges(grid_edge_rows *r, const Grid_Edges *e) {
  GrB_Matrix A = NULL;
  GrB_Index n_ptr = 0, n_cols = 0, n_values = 0;
  *r = (grid_edge_rows){.nrows = e->nrows, .ncols = e->ncols};
  GrB_Info info = grid_make_matrix_from_edges(&A, e, &(Grid_Read_Options){0});
  if (info != GrB_SUCCESS) return info;
  TRY(Grid_local_range(e->nrows, &r->first, &r->n));
  TRY(Grid_Matrix_exportLocal(NULL, NULL, NULL, &n_ptr, &n_cols, &n_values, GrB_CSR_FORMAT, A));
  r->ptr = grid_malloc(n_ptr, 8);
  r->cols = grid_malloc(n_cols, 8);
  if (!e->pattern) r->values = grid_malloc(n_values, sizeof *r->values);
  TRY(grid_agree(NULL, r->ptr && r->cols && (e->pattern || r->values)
                           ? GrB_SUCCESS
                           : grid_fail_memory(NULL, "a matrix's rows", n_ptr + 2 * n_cols, 8)));
  TRY(Grid_Matrix_exportLocal(r->ptr, r->cols, r->values, &n_ptr, &n_cols, &n_values, GrB_CSR_FORMAT, A));
  TRY(grid_output_before(n_cols, &r->start, &r->nvals));
done:
  GrB_Matrix_free(&A);
  if (info != GrB_SUCCESS) grid_edge_rows_free(r);
  return info;
}

void grid_edge_rows_free(grid_edge_rows *r) {
  grid_free(r->ptr);
  grid_free(r->cols);
  grid_free(r->values);
  r->ptr = r->cols = NULL;
  r->values = NULL;
}

/* Checks that 64-bit integers are exact as doubles. Above 2^63 and 2^64 a cast back is undefined. */
static GrB_Info check_exact(const void *values, GrB_Type type, uint64_t n, const char *path) {
  if (type != GrB_INT64 && type != GrB_UINT64) return GrB_SUCCESS;
  const int64_t *v = values;
  const uint64_t *u = values;
  for (uint64_t k = 0; k < n; k++) {
    const bool negative = type == GrB_INT64 && v[k] < 0;
    const bool exact = type == GrB_INT64 ? (double)v[k] < 0x1p63 && (int64_t)(double)v[k] == v[k]
                                         : (double)u[k] < 0x1p64 && (uint64_t)(double)u[k] == u[k];
    if (!exact)
      return grid_fail(NULL, GrB_INVALID_VALUE,
                       "%s: the value %s%" PRIu64 " is more than a double holds exactly", path,
                       negative ? "-" : "", negative ? -u[k] : u[k]);
  }
  return GrB_SUCCESS;
}

GrB_Info grid_make_edges_from_matrix(Grid_Edges *e, GrB_Matrix A, const char *path) {
  const GrB_Type type = A->type;
  void *local = NULL;
  uint64_t any_false = 0;
  GrB_Index n = UINT64_MAX;
  if (!grid_type_is_real(type))
    return grid_fail(NULL, GrB_DOMAIN_MISMATCH, "%s: the values have the type %s; files hold real numbers",
                     path, type->name);
  GrB_Info info = GrB_Matrix_wait(A, GrB_COMPLETE);
  if (info == GrB_SUCCESS) info = Grid_Matrix_extractLocal(NULL, NULL, NULL, &n, A);
  if (info != GrB_SUCCESS) return info;
  e->rows = grid_malloc(n, 8);
  e->cols = grid_malloc(n, 8);
  e->values = grid_malloc(n, sizeof *e->values);
  local = grid_malloc(n, type->size);
  if (!e->rows || !e->cols || !e->values || !local)
    info = grid_fail_memory(NULL, "edges", n, 24 + type->size);
  if (info == GrB_SUCCESS) info = Grid_Matrix_extractLocal(e->rows, e->cols, local, &n, A);
  if (info == GrB_SUCCESS) info = check_exact(local, type, n, path);
  if (info == GrB_SUCCESS) {
    grid_cast_array(e->values, GrB_FP64, local, type, 1, n);
    for (GrB_Index k = 0; type == GrB_BOOL && k < n; k++) any_false |= !((const bool *)local)[k];
  }
  e->nrows = A->nrows;
  e->ncols = A->ncols;
  e->n = e->total = n;
  uint64_t sums[2] = {n, any_false};
  info = grid_agree_sum(NULL, info, sums, 2);
  if (info == GrB_SUCCESS && grid_ctx.P > 1) e->total = sums[0], any_false = sums[1];
  e->pattern = type == GrB_BOOL && !any_false;
  if (e->pattern || info != GrB_SUCCESS) {
    grid_free(e->values);
    e->values = NULL;
  }
  grid_free(local);
  if (info != GrB_SUCCESS) Grid_Edges_free(e);
  return info;
}
