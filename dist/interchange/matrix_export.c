/* GrB_Matrix_export and relatives, and Grid_Matrix_exportLocal: a matrix as arrays of the caller
 * (specification 4.2.5.14 to 16, appendix B). */
#include "dist/interchange/matrix_export.h"

#include "dist/object/burble.h"
#include "dist/interchange/export_outofcore.h"
#include "dist/interchange/import_arrays.h"
#include "dist/matrix/storage/matrix_outofcore.h"
#include "dist/matrix/transfer/matrix_route.h"
#include "spmat/cpu/matrix/lmat_tuples.h"

/* ---- sizes ---- */

static uint64_t pointer_count(int format, uint64_t nrows, uint64_t ncols, uint64_t nvals) {
  return format == GrB_CSR_FORMAT ? nrows + 1 : format == GrB_CSC_FORMAT ? ncols + 1 : nvals;
}

static GrB_Info check_arguments(const void *const *argument, const char *const *name, int n, grid_head *out,
                                const char *call) {
  for (int k = 0; k < n; k++)
    if (!argument[k]) return grid_fail(out, GrB_NULL_POINTER, "%s: argument %s is NULL", call, name[k]);
  return GrB_SUCCESS;
}

GrB_Info GrB_Matrix_exportHint(GrB_Format *hint, GrB_Matrix A) {
  static const char call[] = "GrB_Matrix_exportHint";
  GrB_Info info = grid_check_local(A, call, "A");
  if (info != GrB_SUCCESS) return info;
  if (!hint) return grid_fail(&A->head, GrB_NULL_POINTER, "%s: argument hint is NULL", call);
  /* a block always has rows; a dimension too long for an array of offsets is exported as tuples */
  *hint = A->nrows > GRID_DENSE_LENGTH_MAX ? GrB_COO_FORMAT : GrB_CSR_FORMAT;
  return GrB_SUCCESS;
}

GrB_Info GrB_Matrix_exportSize(GrB_Index *n_indptr, GrB_Index *n_indices, GrB_Index *n_values,
                               GrB_Format format, GrB_Matrix A) {
  GRID_CALL_SCOPE;
  GRID_PLACED_CALL(0, A);
  static const char call[] = "GrB_Matrix_exportSize";
  static const char *const name[] = {"n_indptr", "n_indices", "n_values"};
  GrB_Info info;
  TRY(grid_check_initialized(call));
  info = grid_check_object(A, NULL, call, "A");
  if (info == GrB_SUCCESS)
    info = check_arguments((const void *[]){n_indptr, n_indices, n_values}, name, 3, &A->head, call);
  if (info == GrB_SUCCESS) info = grid_check_format((int)format, &A->head, call);
  TRY(grid_agree_equal(grid_live_head(A), info, &(grid_argument){"format", (uint64_t)format}, 1, call));
  TRY(grid_matrix_require(A, GRID_OUTOFCORE_HYPERSPARSE | GRID_ROWS));
  *n_indptr = pointer_count((int)format, A->nrows, A->ncols, A->nvals);
  *n_indices = *n_values = A->nvals;
done:
  return info;
}

/* ---- arrays ---- */

void grid_export_offsets(GrB_Index *ptr, uint64_t n, const grid_axis *axis, const grid_compressed *c) {
  if (!axis->ids) {
#pragma omp parallel for schedule(static) if (n > 1 << 15)
    for (uint64_t v = 0; v <= n; v++) ptr[v] = grid_vector_start(c, v);
    return;
  }
  uint64_t v = 0;
  for (uint64_t k = 0; k < axis->n; k++)
    for (const uint64_t id = grid_axis_id(axis, k); v <= id; v++) ptr[v] = grid_vector_start(c, k);
  for (; v <= n; v++) ptr[v] = grid_vector_start(c, axis->n);
}

typedef grid_export_arrays arrays;

GrB_Info grid_export_by_column(grid_local_matrix *transposed, grid_compressed *made,
                               const grid_local_matrix *p) {
  grid_local_matrix q = *p;
  GrB_Info info = GrB_SUCCESS;
  *made = (grid_compressed){0};
  if (!grid_compressed_is_built(&p->by_col)) {
    q.shared = false;
    info = grid_lmat_add_cols(&q, false, false);
    *made = q.by_col;
  }
  *transposed = (grid_local_matrix){.row = p->col,
                                    .col = p->row,
                                    .nvals = p->nvals,
                                    .type = p->type,
                                    .iso = p->iso,
                                    .iso_val = p->iso_val,
                                    .by_row = q.by_col};
  return info;
}

/* is_transposed: w is the transpose. */
static GrB_Info write_arrays(const arrays *a, const grid_replicated_matrix *w, bool is_transposed) {
  const bool by_column = a->format == GrB_CSC_FORMAT && !is_transposed, tuples = a->format == GrB_COO_FORMAT;
  grid_local_matrix transposed;
  grid_compressed made = {0};
  const grid_local_matrix *p = w->p;
  if (by_column) {
    GrB_Info info = grid_export_by_column(&transposed, &made, w->p);
    if (info != GrB_SUCCESS) return info;
    p = &transposed;
  }
  const grid_index_map rows = {.axis = &p->row, .base = by_column ? w->col : w->row},
                       cols = {.axis = &p->col, .base = by_column ? w->row : w->col};
  if (!tuples && a->indptr)
    grid_export_offsets(a->indptr, by_column ? w->ncols : w->nrows, &p->row, &p->by_row);
  grid_lmat_to_tuples(tuples ? a->indptr : NULL, a->indices, a->values, p->type, p, &rows, &cols);
  grid_compressed_free(&made, grid_free);
  return GrB_SUCCESS;
}

static GrB_Info check_capacity(const arrays *a, const grid_replicated_matrix *w, grid_head *out,
                               const char *call) {
  const uint64_t n = w->p->nvals, ptr = pointer_count(a->format, w->nrows, w->ncols, n);
  if ((!a->indptr || *a->n_indptr >= ptr) && (!a->indices || *a->n_indices >= n) &&
      (!a->values || *a->n_values >= n))
    return GrB_SUCCESS;
  return grid_fail(out, GrB_INSUFFICIENT_SPACE,
                   "%s: indptr, indices and values have %llu, %llu and %llu elements; %llu, %llu and "
                   "%llu are needed",
                   call, (unsigned long long)*a->n_indptr, (unsigned long long)*a->n_indices,
                   (unsigned long long)*a->n_values, (unsigned long long)ptr, (unsigned long long)n,
                   (unsigned long long)n);
}

static void write_sizes(const arrays *a, const grid_replicated_matrix *w) {
  *a->n_indptr = pointer_count(a->format, w->nrows, w->ncols, w->p->nvals);
  *a->n_indices = *a->n_values = w->p->nvals;
}

static GrB_Info check_arrays(const arrays *a, GrB_Matrix A, const char *call) {
  static const char *const name[] = {"n_indptr", "n_indices", "n_values", "indptr", "indices", "values"};
  const void *argument[] = {a->n_indptr, a->n_indices, a->n_values, a->indptr, a->indices, a->values};
  GrB_Info info = check_arguments(argument, name, 6, &A->head, call);
  return info == GrB_SUCCESS ? grid_check_format(a->format, &A->head, call) : info;
}

/* *T = A's transpose, computed distributed, before the gather. */
static GrB_Info reorient_matrix(GrB_Matrix *T, GrB_Matrix A, const char *call) {
  grid_local_matrix t = {0};
  GrB_Info info = GrB_Matrix_new(T, A->type, A->ncols, A->nrows);
  TRY(info);
  info = grid_matrix_transposed(A, *T, &t, true, call);
  info = grid_matrix_adopt(*T, &(grid_build){0}, &t, info);
done:
  if (t.type) grid_lmat_free(&t);
  return info;
}

/* Exports from pages, all or this process's share, with dimensions from w. Entries are counted only where
 * a column export or a share needs that. */
static GrB_Info export_pages(const arrays *a, GrB_Matrix A, bool local_only, grid_replicated_matrix w,
                             const char *call) {
  const bool by_column = a->format == GrB_CSC_FORMAT;
  grid_local_matrix like = {.nvals = A->nvals};
  uint64_t *start = NULL;
  GrB_Info info = GrB_SUCCESS;
  w.p = &like;
  if (by_column) {
    start = grid_malloc(w.ncols + 1, sizeof *start);
    if (!start) info = grid_fail_memory(&A->head, "columns to export", w.ncols + 1, sizeof *start);
    TRY(grid_agree(&A->head, info));
    TRY(grid_export_count(&like.nvals, start, A, w.col, w.ncols));
  }
  if (local_only && !by_column) TRY(grid_export_count_local(&like.nvals, A));
  TRY(grid_agree(&A->head, check_capacity(a, &w, &A->head, call)));
  TRY(grid_export_pages(a, A, local_only, start));
  write_sizes(a, &w);
done:
  grid_free(start);
  return info;
}

/* type: of the values, NULL: user-defined. It must be A's: values are not cast. */
static GrB_Info export(const arrays *a, GrB_Type type, GrB_Matrix A) {
  static const char call[] = "GrB_Matrix_export";
  grid_replicated_matrix w = {0};
  GrB_Matrix other = NULL;
  GrB_Info info;
  TRY(grid_check_initialized(call));
  info = grid_check_object(A, NULL, call, "A");
  if (info == GrB_SUCCESS) info = check_arrays(a, A, call);
  if (info == GrB_SUCCESS && !type) info = grid_check_user_type(type = A->type, &A->head, call);
  if (info == GrB_SUCCESS && type != A->type)
    info = grid_fail(&A->head, GrB_DOMAIN_MISMATCH, "%s: argument values has type %s, A has %s", call,
                     type->name, A->type->name);
  TRY(grid_agree_equal(grid_live_head(A), info, &(grid_argument){"format", (uint64_t)a->format}, 1, call));
  TRY(grid_matrix_require(A, GRID_OUTOFCORE_HYPERSPARSE));
  w = (grid_replicated_matrix){.nrows = A->nrows, .ncols = A->ncols};
  if (grid_is_paged(A)) return export_pages(a, A, false, w, call);
  TRY(grid_matrix_require(A, GRID_ROWS));
  w = (grid_replicated_matrix){
      .p = &(grid_local_matrix){.nvals = A->nvals}, .nrows = A->nrows, .ncols = A->ncols};
  TRY(grid_agree(&A->head, check_capacity(a, &w, &A->head, call)));
  const bool transposed = grid_ctx.P > 1 && a->format == GrB_CSC_FORMAT;
  if (transposed) TRY(reorient_matrix(&other, A, call));
  TRY(grid_matrix_view(&w, transposed ? other : A, a->values != NULL, call));
  TRY(grid_agree(&A->head, write_arrays(a, &w, transposed)));
  *a->n_indptr = pointer_count(a->format, A->nrows, A->ncols, A->nvals);
  *a->n_indices = *a->n_values = A->nvals;
done:
  grid_replicated_matrix_free(&w);
  GrB_Matrix_free(&other);
  return info;
}

#define EXPORT(P, T, C)                                                                                     \
  GrB_Info P##_Matrix_export_##T(GrB_Index *indptr, GrB_Index *indices, C *values, GrB_Index *n_indptr,     \
                                 GrB_Index *n_indices, GrB_Index *n_values, GrB_Format format,              \
                                 GrB_Matrix A) {                                                            \
    return GRID_TRACE_CALL(                                                                                 \
        "GrB_Matrix_export",                                                                                \
        export(&(arrays){indptr, indices, values, n_indptr, n_indices, n_values, (int)format}, P##_##T, A), \
        A);                                                                                                 \
  }
GRID_PREDEFINED_TYPES(EXPORT)

GrB_Info GrB_Matrix_export_UDT(GrB_Index *indptr, GrB_Index *indices, void *values, GrB_Index *n_indptr,
                               GrB_Index *n_indices, GrB_Index *n_values, GrB_Format format, GrB_Matrix A) {
  return GRID_TRACE_CALL(
      "GrB_Matrix_export",
      export(&(arrays){indptr, indices, values, n_indptr, n_indices, n_values, (int)format}, NULL, A), A);
}

/* ---- local export ---- */

static GrB_Info export_local(GrB_Index *indptr, GrB_Index *indices, void *values, GrB_Index *n_indptr,
                             GrB_Index *n_indices, GrB_Index *n_values, int format, GrB_Matrix A) {
  static const char call[] = "Grid_Matrix_exportLocal";
  static const char *const name[] = {"n_indptr", "n_indices", "n_values"};
  const arrays a = {indptr, indices, values, n_indptr, n_indices, n_values, format};
  grid_replicated_matrix w = {0};
  GrB_Info info;
  TRY(grid_check_initialized(call));
  info = grid_check_object(A, NULL, call, "A"); /* each process has its own arrays */
  if (info == GrB_SUCCESS) info = grid_check_format(format, &A->head, call);
  if (info == GrB_SUCCESS)
    info = check_arguments((const void *[]){n_indptr, n_indices, n_values}, name, 3, &A->head, call);
  TRY(grid_agree_equal(grid_live_head(A), info, &(grid_argument){"format", (uint64_t)format}, 1, call));
  TRY(grid_matrix_require(A, GRID_OUTOFCORE_HYPERSPARSE));
  if (grid_is_paged(A)) {
    const bool by_column = format == GrB_CSC_FORMAT;
    w = (grid_replicated_matrix){.nrows = A->nrows, .ncols = A->ncols};
    uint64_t *first = by_column ? &w.col : &w.row, *n = by_column ? &w.ncols : &w.nrows;
    *first = grid_chunk_first(*n, grid_ctx.k);
    *n = grid_chunk_length(*n, grid_ctx.k);
    return export_pages(&a, A, true, w, call);
  }
  TRY(grid_matrix_share(&w, A, format == GrB_CSC_FORMAT, call));
  TRY(grid_agree(&A->head, check_capacity(&a, &w, &A->head, call)));
  TRY(grid_agree(&A->head, write_arrays(&a, &w, false)));
  write_sizes(&a, &w);
done:
  grid_replicated_matrix_free(&w);
  return info;
}

GrB_Info Grid_Matrix_exportLocal(GrB_Index *indptr, GrB_Index *indices, void *values, GrB_Index *n_indptr,
                                 GrB_Index *n_indices, GrB_Index *n_values, int format, GrB_Matrix A) {
  return GRID_TRACE_CALL("Grid_Matrix_exportLocal",
                         export_local(indptr, indices, values, n_indptr, n_indices, n_values, format, A), A);
}
