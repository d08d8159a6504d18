/* GrB_Matrix_import and Grid_Matrix_importLocal: a matrix from arrays of the caller (specification
 * 4.2.5.17, appendix B). */
#include <string.h>

#include "dist/object/burble.h"
#include "dist/matrix/transfer/matrix_gather.h"
#include "dist/matrix/transfer/matrix_route.h"
#include "spmat/device/device.h"
#include "spmat/convert/lmat_rows.h"

typedef struct {
  const GrB_Index *indptr, *indices;
  const void *values;
  GrB_Index n_indptr, n_indices, n_values;
  int format;
  uint64_t first, vectors; /* first row (column) of indptr, and their number */

  uint64_t n; /* entries */
} arrays;

/* ---- checks ---- */

static GrB_Info check_new(const GrB_Matrix *A, GrB_Type type, uint64_t nrows, uint64_t ncols, int format,
                          const char *call) {
  GrB_Info info = grid_check_initialized(call);
  if (info != GrB_SUCCESS) return info;
  if (!A) return grid_fail(NULL, GrB_NULL_POINTER, "%s: argument A is NULL", call);
  if ((info = grid_check_object(type, NULL, call, "d")) != GrB_SUCCESS) return info;
  if ((info = grid_check_dimensions(nrows, ncols, NULL, call)) != GrB_SUCCESS) return info;
  return grid_check_format(format, NULL, call);
}

static GrB_Info check_offsets(arrays *a, const char *call) {
  const uint64_t n = a->vectors, capacity = a->n_indices < a->n_values ? a->n_indices : a->n_values;
  uint64_t bad = UINT64_MAX;
  if (a->n_indptr < n + 1)
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: argument n_indptr is %llu; the format needs %llu", call,
                     (unsigned long long)a->n_indptr, (unsigned long long)(n + 1));
  if (a->indptr[0] != 0)
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: indptr[0] is %llu; it must be 0", call,
                     (unsigned long long)a->indptr[0]);
#pragma omp parallel for schedule(static) reduction(min : bad) if (n > 1 << 15)
  for (uint64_t v = 0; v < n; v++)
    if (v < bad && (a->indptr[v + 1] < a->indptr[v] || a->indptr[v + 1] > capacity)) bad = v;
  if (bad != UINT64_MAX)
    return grid_fail(NULL, GrB_INDEX_OUT_OF_BOUNDS,
                     "%s: indptr[%llu] is %llu, but the offset before it is %llu, and there are %llu indices "
                     "and %llu values",
                     call, (unsigned long long)(bad + 1), (unsigned long long)a->indptr[bad + 1],
                     (unsigned long long)a->indptr[bad], (unsigned long long)a->n_indices,
                     (unsigned long long)a->n_values);
  a->n = a->indptr[n];
  return GrB_SUCCESS;
}

/* Each process checks a share of replicated arrays; the lowest process that finds an error has the first
 * one. */
static GrB_Info check_indices(const char *what, const GrB_Index *index, uint64_t n, uint64_t below,
                              bool is_replicated, const char *call) {
  const uint64_t share = is_replicated ? n / (uint64_t)grid_ctx.P + 1 : n, k0 = (uint64_t)grid_ctx.k * share,
                 from = !is_replicated ? 0
                        : k0 < n       ? k0
                                       : n,
                 end = n - from < share ? n : from + share;
  uint64_t bad = UINT64_MAX;
#pragma omp parallel for schedule(static) reduction(min : bad) if (end - from > 1 << 15)
  for (uint64_t k = from; k < end; k++)
    if (k < bad && index[k] >= below) bad = k;
  if (bad == UINT64_MAX) return GrB_SUCCESS;
  return grid_fail(NULL, GrB_INDEX_OUT_OF_BOUNDS, "%s: %s[%llu] is %llu, which is not below %llu", call, what,
                   (unsigned long long)bad, (unsigned long long)index[bad], (unsigned long long)below);
}

static GrB_Info check_arrays(arrays *a, uint64_t nrows, uint64_t ncols, bool is_replicated,
                             const char *call) {
  const bool tuples = a->format == GrB_COO_FORMAT;
  GrB_Info info = GrB_SUCCESS;
  if (!a->indptr) return grid_fail(NULL, GrB_NULL_POINTER, "%s: argument indptr is NULL", call);
  if (!a->indices) return grid_fail(NULL, GrB_NULL_POINTER, "%s: argument indices is NULL", call);
  if (!a->values) return grid_fail(NULL, GrB_NULL_POINTER, "%s: argument values is NULL", call);
  if (!tuples) TRY(check_offsets(a, call));
  if (tuples && (a->n_indptr != a->n_indices || a->n_values < a->n_indices))
    TRY(grid_fail(NULL, GrB_INVALID_VALUE,
                  "%s: %llu rows, %llu columns and %llu values are given; tuples need as many of each", call,
                  (unsigned long long)a->n_indptr, (unsigned long long)a->n_indices,
                  (unsigned long long)a->n_values));
  if (tuples) a->n = a->n_indices;
  if (tuples) TRY(check_indices("indptr", a->indptr, a->n, nrows, is_replicated, call));
  TRY(check_indices("indices", a->indices, a->n, a->format == GrB_CSC_FORMAT ? nrows : ncols, is_replicated,
                    call));
done:
  return info;
}

/* ---- filling ---- */

/* expanded[e] = the row (column) of entry e. */
static void expand(GrB_Index *expanded, const arrays *a) {
#pragma omp parallel for schedule(dynamic, 1024) if (a->n > 1 << 15)
  for (uint64_t v = 0; v < a->vectors; v++)
    for (uint64_t e = a->indptr[v]; e < a->indptr[v + 1]; e++) expanded[e] = a->first + v;
}

static GrB_Info fill(GrB_Matrix A, const arrays *a, bool is_replicated, const char *call) {
  GrB_Index *expanded = a->format == GrB_COO_FORMAT ? NULL : grid_malloc(a->n, sizeof *expanded);
  GrB_Info info = GrB_SUCCESS;
  if (a->format != GrB_COO_FORMAT && !expanded)
    info = grid_fail_memory(NULL, "rows of imported entries", a->n, sizeof *expanded);
  TRY(grid_agree(NULL, info));
  if (expanded) expand(expanded, a);
  const GrB_Index *row = a->format == GrB_COO_FORMAT   ? a->indptr
                         : a->format == GrB_CSR_FORMAT ? expanded
                                                       : a->indices,
                  *col = a->format == GrB_CSC_FORMAT ? expanded : a->indices;
  info = grid_matrix_fill(A,
                          &(grid_build){.row = row,
                                        .col = col,
                                        .val = a->values,
                                        .type = A->type,
                                        .n = a->n,
                                        .is_replicated = is_replicated},
                          call);
done:
  grid_free(expanded);
  return info;
}

/* Compressed rows with ascending indices become A's block directly; columns give the block of the
 * transpose. On a grid of one column each process takes its range of the replicated arrays. *handled:
 * done. */
static GrB_Info import_rows(GrB_Matrix A, const arrays *a, bool is_replicated, bool *handled) {
  const uint64_t n = grid_chunk_length(A->nrows, grid_ctx.k),
                 first = n ? grid_chunk_first(A->nrows, grid_ctx.k) : 0;
  const bool is_single_process = grid_ctx.P == 1;
  uint64_t refused = 0;
  grid_local_matrix p;
  *handled = false;
  if (!is_single_process && !(is_replicated && grid_ctx.C == 1)) return GrB_SUCCESS;
  if (a->format == GrB_COO_FORMAT || grid_device_is_on() || !grid_index_fits32(A->nrows) ||
      !grid_index_fits32(A->ncols))
    return GrB_SUCCESS;
  grid_lmat_init(&p, A->type, A->block.row.dim, A->block.col.dim);
  GrB_Info info = grid_lmat_from_csr(&p, a->indptr + (is_single_process ? 0 : first),
                                     is_single_process ? a->vectors : n, a->indices, a->values, handled);
  refused = !*handled;
  TRY(grid_agree_sum(&A->head, info, &refused, 1));
  *handled = refused == 0;
  if (*handled) info = grid_matrix_adopt(A, &(grid_build){0}, &p, info);
done:
  grid_lmat_free(&p);
  return info;
}

/* Imports A's transpose, then transposes it. */
static GrB_Info import_columns(GrB_Matrix A, const arrays *a, bool is_replicated, const char *call,
                               bool *handled) {
  GrB_Matrix transposed = NULL;
  grid_local_matrix t = {0};
  GrB_Info info = GrB_Matrix_new(&transposed, A->type, A->ncols, A->nrows);
  TRY(info);
  TRY(import_rows(transposed, a, is_replicated, handled));
  if (!*handled) goto done;
  info = grid_matrix_transposed(transposed, A, &t, true, call);
  info = grid_matrix_adopt(A, &(grid_build){0}, &t, info);
done:
  if (t.type) grid_lmat_free(&t);
  GrB_Matrix_free(&transposed);
  return info;
}

/* a's arrays have been checked. *A is set on success only. */
static GrB_Info import_checked(GrB_Matrix *A, GrB_Type type, uint64_t nrows, uint64_t ncols, const arrays *a,
                               bool is_replicated, const char *call) {
  GrB_Matrix made = NULL;
  bool handled;
  GrB_Info info;
  TRY(GrB_Matrix_new(&made, type, nrows, ncols));
  TRY(a->format == GrB_CSC_FORMAT ? import_columns(made, a, is_replicated, call, &handled)
                                  : import_rows(made, a, is_replicated, &handled));
  if (!handled) TRY(fill(made, a, is_replicated, call));
  *A = made;
  made = NULL;
done:
  GrB_Matrix_free(&made);
  return info;
}

static GrB_Info import(GrB_Matrix *A, GrB_Type type, uint64_t nrows, uint64_t ncols, arrays a,
                       GrB_Type values) {
  static const char call[] = "GrB_Matrix_import";
  GrB_Info info;
  TRY(check_new(A, type, nrows, ncols, a.format, call));
  if (values ? type != values : type->code != GRID_T_UDT)
    TRY(grid_fail(NULL, GrB_DOMAIN_MISMATCH, "%s: argument d is %s, and values has type %s", call, type->name,
                  values ? values->name : "user-defined"));
  a.vectors = a.format == GrB_CSC_FORMAT ? ncols : nrows;
  TRY(grid_agree(NULL, check_arrays(&a, nrows, ncols, true, call)));
  info = import_checked(A, type, nrows, ncols, &a, true, call);
done:
  return info;
}

#define IMPORT_AS(P, T, C)                                                                           \
  GrB_Info P##_Matrix_import_##T(GrB_Matrix *A, GrB_Type d, GrB_Index nrows, GrB_Index ncols,        \
                                 const GrB_Index *indptr, const GrB_Index *indices, const C *values, \
                                 GrB_Index n_indptr, GrB_Index n_indices, GrB_Index n_values,        \
                                 GrB_Format format) {                                                \
    const arrays a = {indptr, indices, values, n_indptr, n_indices, n_values, (int)format, 0, 0, 0}; \
    return GRID_TRACE_NEW_CALL("GrB_Matrix_import", nrows > ncols ? nrows : ncols,                   \
                               import(A, d, nrows, ncols, a, P##_##T), A, NULL);                     \
  }
#define IMPORT(T, C)         IMPORT_AS(GrB, T, C)
#define IMPORT_COMPLEX(T, C) IMPORT_AS(GxB, T, C)
GRID_TYPES(IMPORT)
GRID_COMPLEX_TYPES(IMPORT_COMPLEX)

GrB_Info GrB_Matrix_import_UDT(GrB_Matrix *A, GrB_Type d, GrB_Index nrows, GrB_Index ncols,
                               const GrB_Index *indptr, const GrB_Index *indices, const void *values,
                               GrB_Index n_indptr, GrB_Index n_indices, GrB_Index n_values,
                               GrB_Format format) {
  const arrays a = {indptr, indices, values, n_indptr, n_indices, n_values, (int)format, 0, 0, 0};
  return GRID_TRACE_NEW_CALL("GrB_Matrix_import", nrows > ncols ? nrows : ncols,
                             import(A, d, nrows, ncols, a, NULL), A, NULL);
}

static GrB_Info import_local(GrB_Matrix *A, GrB_Type type, GrB_Index nrows, GrB_Index ncols,
                             const GrB_Index *indptr, const GrB_Index *indices, const void *values,
                             GrB_Index n_indptr, GrB_Index n_indices, GrB_Index n_values, int format) {
  static const char call[] = "Grid_Matrix_importLocal";
  static const GrB_Index none; /* an empty array may be NULL */
  arrays a = {indptr || n_indptr ? indptr : &none,
              indices || n_indices ? indices : &none,
              values || n_values ? values : &none,
              n_indptr,
              n_indices,
              n_values,
              format,
              0,
              0,
              0};
  GrB_Info info;
  TRY(check_new(A, type, nrows, ncols, format, call));
  const uint64_t dim = format == GrB_CSC_FORMAT ? ncols : nrows;
  a.first = grid_chunk_first(dim, grid_ctx.k);
  a.vectors = grid_chunk_length(dim, grid_ctx.k);
  TRY(grid_agree(NULL, check_arrays(&a, nrows, ncols, false, call)));
  info = import_checked(A, type, nrows, ncols, &a, false, call);
done:
  return info;
}

GrB_Info Grid_Matrix_importLocal(GrB_Matrix *A, GrB_Type type, GrB_Index nrows, GrB_Index ncols,
                                 const GrB_Index *indptr, const GrB_Index *indices, const void *values,
                                 GrB_Index n_indptr, GrB_Index n_indices, GrB_Index n_values, int format) {
  return GRID_TRACE_NEW_CALL(
      "Grid_Matrix_importLocal", nrows > ncols ? nrows : ncols,
      import_local(A, type, nrows, ncols, indptr, indices, values, n_indptr, n_indices, n_values, format), A,
      NULL);
}
