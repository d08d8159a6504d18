/* GrB_Matrix_import, Grid_Matrix_import32 and Grid_Matrix_importLocal: a matrix from arrays of the caller
 * (specification 4.2.5.17, appendix B). */
#include "dist/interchange/import_arrays.h"

#include "dist/object/burble.h"
#include "dist/matrix/transfer/matrix_gather.h"
#include "dist/matrix/transfer/matrix_route.h"
#include "spmat/device/device.h"
#include "spmat/lmat_ops.h"

typedef grid_import_arrays arrays;

/* ---- checks ---- */

/* What is imported; type_name: the name of the argument `type`. */
typedef struct {
  const GrB_Matrix *A;
  GrB_Type type;
  const char *type_name;
  uint64_t nrows, ncols;
  int format;
} import_shape;

static GrB_Info check_shape(const import_shape *s, const char *call) {
  if (!s->A) return grid_fail(NULL, GrB_NULL_POINTER, "%s: argument A is NULL", call);
  GrB_Info info;
  TRY(grid_check_object(s->type, NULL, call, s->type_name));
  TRY(grid_check_dimensions(s->nrows, s->ncols, NULL, call));
  info = grid_check_format(s->format, NULL, call);
done:
  return info;
}

/* info: of all checks. Collective, agreed on. */
static GrB_Info agree_on_shape(GrB_Info info, const import_shape *s, const char *call) {
  const grid_argument same[] = {{"format", (uint64_t)s->format},
                                {"nrows", s->nrows},
                                {"ncols", s->ncols},
                                {s->type_name, info == GrB_SUCCESS ? grid_text_value(s->type->name) : 0}};
  return grid_agree_equal(NULL, info, same, sizeof same / sizeof *same, call);
}

/* ---- filling ---- */

/* expanded[e] = the row (column) of entry e. */
static void expand(GrB_Index *expanded, const arrays *a) {
#pragma omp parallel for schedule(dynamic, 1024) if (a->n > 1 << 15)
  for (uint64_t v = 0; v < a->vectors; v++)
    for (uint64_t e = grid_program_index(a->indptr, v), end = grid_program_index(a->indptr, v + 1); e < end;
         e++)
      expanded[e] = a->first + v;
}

/* indices64[e] = index e, which has 32 bits. */
static void copy_to_64(GrB_Index *indices64, const arrays *a) {
#pragma omp parallel for schedule(static) if (a->n > 1 << 15)
  for (uint64_t e = 0; e < a->n; e++) indices64[e] = grid_program_index(a->indices, e);
}

/* Entries as tuples of 64-bit indices, which are sorted and sent to the processes of their blocks. */
static GrB_Info fill(GrB_Matrix A, const arrays *a, bool is_replicated, const char *call) {
  const bool tuples = a->format == GrB_COO_FORMAT, narrow = a->indices.x32;
  GrB_Index *expanded = tuples ? NULL : grid_malloc(a->n, sizeof *expanded),
            *indices64 = narrow ? grid_malloc(a->n, sizeof *indices64) : NULL;
  GrB_Info info = GrB_SUCCESS;
  if ((!tuples && !expanded) || (narrow && !indices64))
    info = grid_fail_memory(NULL, "rows of imported entries", a->n, sizeof *expanded);
  TRY(grid_agree(NULL, info));
  if (expanded) expand(expanded, a);
  if (indices64) copy_to_64(indices64, a);
  const GrB_Index *indices = indices64 ? indices64 : a->indices.x64,
                  *vectors = tuples ? a->indptr.x64 : expanded;
  info = grid_matrix_fill(A,
                          &(grid_build){.row = a->format == GrB_CSC_FORMAT ? indices : vectors,
                                        .col = a->format == GrB_CSC_FORMAT ? vectors : indices,
                                        .val = a->values,
                                        .type = A->type,
                                        .n = a->n,
                                        .is_replicated = is_replicated},
                          call);
done:
  grid_free(expanded);
  grid_free(indices64);
  return info;
}

/* Compressed rows with ascending indices become A's block directly; columns give the block of the
 * transpose. Of replicated arrays each process takes its block; a process's own rows are its block where
 * the grid has one column. *handled: done. */
static bool is_read_as_rows(GrB_Matrix A, const arrays *a, bool is_replicated) {
  return (is_replicated || grid_ctx.C == 1) && a->format != GrB_COO_FORMAT && !grid_device_is_on() &&
         grid_index_fits32(A->nrows) && grid_index_fits32(A->ncols);
}

static GrB_Info import_rows(GrB_Matrix A, const arrays *a, bool is_replicated, bool *handled) {
  uint64_t refused = 0;
  grid_local_matrix p;
  grid_csr_part part;
  *handled = false;
  if (!is_read_as_rows(A, a, is_replicated)) return GrB_SUCCESS;
  grid_lmat_init(&p, A->type, A->block.row.dim, A->block.col.dim);
  GrB_Info info = grid_block_part(&part, A->nrows, A->ncols);
  if (info == GrB_SUCCESS && !is_replicated) part.range->first = 0;
  if (info == GrB_SUCCESS) info = grid_lmat_from_csr(&p, a->indptr, &part, a->indices, a->values, handled);
  refused = !*handled;
  TRY(grid_agree_sum(&A->head, info, &refused, 1));
  *handled = refused == 0;
  if (*handled) info = grid_matrix_adopt(A, &(grid_build){0}, &p, info);
done:
  grid_free(part.range);
  grid_lmat_free(&p);
  return info;
}

/* On one process the values are read where the program has them: only indices are copied. */
static GrB_Info import_columns_in_place(GrB_Matrix A, const arrays *a, bool *handled) {
  const size_t skipped = grid_program_index(a->indptr, 0) * A->type->size;
  grid_local_matrix columns, t = {0};
  grid_lmat_init(&columns, A->type, A->block.col.dim, A->block.row.dim);
  columns.iso = true; /* no array of values */
  const grid_csr_part all = {
      .range = &(grid_row_range){.n = a->vectors}, .ranges = 1, .end = A->nrows, .dim = A->nrows};
  GrB_Info info = grid_lmat_from_csr(&columns, a->indptr, &all, a->indices, NULL, handled);
  if (info != GrB_SUCCESS || !*handled) return info;
  columns.iso = false;
  columns.by_row.val = (char *)(uintptr_t)a->values + skipped;
  info = grid_lmat_transpose(&columns, false, &t);
  columns.by_row.val = NULL;
  grid_lmat_free(&columns);
  if (info == GrB_SUCCESS) info = grid_lmat_detect_iso(&t);
  info = grid_matrix_adopt(A, &(grid_build){0}, &t, info);
  if (t.type) grid_lmat_free(&t);
  return info;
}

/* Imports A's transpose, then transposes it. */
static GrB_Info import_columns(GrB_Matrix A, const arrays *a, bool is_replicated, const char *call,
                               bool *handled) {
  *handled = false;
  if (grid_ctx.P == 1 && is_read_as_rows(A, a, is_replicated)) return import_columns_in_place(A, a, handled);
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
  const import_shape shape = {A, type, "d", nrows, ncols, a.format};
  GrB_Info info;
  TRY(grid_check_initialized(call));
  info = check_shape(&shape, call);
  if (info == GrB_SUCCESS && (values ? type != values : type->code != GRID_T_UDT))
    info = grid_fail(NULL, GrB_DOMAIN_MISMATCH, "%s: argument d is %s, and values has type %s", call,
                     type->name, values ? values->name : "user-defined");
  a.vectors = a.format == GrB_CSC_FORMAT ? ncols : nrows;
  if (info == GrB_SUCCESS) info = grid_import_check(&a, nrows, ncols, true, call);
  TRY(agree_on_shape(info, &shape, call));
  info = import_checked(A, type, nrows, ncols, &a, true, call);
done:
  return info;
}

static arrays arrays_of(const GrB_Index *indptr, const GrB_Index *indices, const void *values,
                        GrB_Index n_indptr, GrB_Index n_indices, GrB_Index n_values, int format) {
  return (arrays){.indptr.x64 = indptr,
                  .indices.x64 = indices,
                  .values = values,
                  .n_indptr = n_indptr,
                  .n_indices = n_indices,
                  .n_values = n_values,
                  .format = format};
}

#define IMPORT(P, T, C)                                                                              \
  GrB_Info P##_Matrix_import_##T(GrB_Matrix *A, GrB_Type d, GrB_Index nrows, GrB_Index ncols,        \
                                 const GrB_Index *indptr, const GrB_Index *indices, const C *values, \
                                 GrB_Index n_indptr, GrB_Index n_indices, GrB_Index n_values,        \
                                 GrB_Format format) {                                                \
    const arrays a = arrays_of(indptr, indices, values, n_indptr, n_indices, n_values, (int)format); \
    return GRID_TRACE_NEW_CALL("GrB_Matrix_import", nrows > ncols ? nrows : ncols,                   \
                               import(A, d, nrows, ncols, a, P##_##T), A, NULL);                     \
  }
GRID_PREDEFINED_TYPES(IMPORT)

GrB_Info GrB_Matrix_import_UDT(GrB_Matrix *A, GrB_Type d, GrB_Index nrows, GrB_Index ncols,
                               const GrB_Index *indptr, const GrB_Index *indices, const void *values,
                               GrB_Index n_indptr, GrB_Index n_indices, GrB_Index n_values,
                               GrB_Format format) {
  const arrays a = arrays_of(indptr, indices, values, n_indptr, n_indices, n_values, (int)format);
  return GRID_TRACE_NEW_CALL("GrB_Matrix_import", nrows > ncols ? nrows : ncols,
                             import(A, d, nrows, ncols, a, NULL), A, NULL);
}

/* ---- 32-bit indices ---- */

/* a->indptr and a->indices become the program's arrays. Local. */
static GrB_Info read_indices(arrays *a, const void *indptr, GrB_Type indptr_type, const void *indices,
                             GrB_Type indices_type, const char *call) {
  GrB_Info info;
  if (a->format == GrB_COO_FORMAT)
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: format is COO; CSR or CSC is expected", call);
  TRY(grid_program_indices_read(&a->indptr, indptr, indptr_type, "indptr_type", call));
  TRY(grid_program_indices_read(&a->indices, indices, indices_type, "indices_type", call));
  if (a->indices.x64)
    info =
        grid_fail(NULL, GrB_DOMAIN_MISMATCH, "%s: argument indices_type is %s; INT32 or UINT32 is expected",
                  call, indices_type->name);
done:
  return info;
}

static GrB_Info import32(GrB_Matrix *A, GrB_Type type, uint64_t nrows, uint64_t ncols, arrays a,
                         const void *indptr, GrB_Type indptr_type, const void *indices,
                         GrB_Type indices_type) {
  static const char call[] = "Grid_Matrix_import32";
  const import_shape shape = {A, type, "type", nrows, ncols, a.format};
  GrB_Info info;
  TRY(grid_check_initialized(call));
  info = check_shape(&shape, call);
  if (info == GrB_SUCCESS) info = read_indices(&a, indptr, indptr_type, indices, indices_type, call);
  a.vectors = a.format == GrB_CSC_FORMAT ? ncols : nrows;
  if (info == GrB_SUCCESS) info = grid_import_check(&a, nrows, ncols, true, call);
  TRY(agree_on_shape(info, &shape, call));
  info = import_checked(A, type, nrows, ncols, &a, true, call);
done:
  return info;
}

GrB_Info Grid_Matrix_import32(GrB_Matrix *A, GrB_Type type, GrB_Index nrows, GrB_Index ncols,
                              const void *indptr, GrB_Type indptr_type, const void *indices,
                              GrB_Type indices_type, const void *values, GrB_Index n_indptr,
                              GrB_Index n_indices, GrB_Index n_values, int format) {
  const arrays a = arrays_of(NULL, NULL, values, n_indptr, n_indices, n_values, format);
  return GRID_TRACE_NEW_CALL("Grid_Matrix_import32", nrows > ncols ? nrows : ncols,
                             import32(A, type, nrows, ncols, a, indptr, indptr_type, indices, indices_type),
                             A, NULL);
}

/* ---- each process's own arrays ---- */

static GrB_Info import_local(GrB_Matrix *A, GrB_Type type, GrB_Index nrows, GrB_Index ncols,
                             const GrB_Index *indptr, const GrB_Index *indices, const void *values,
                             GrB_Index n_indptr, GrB_Index n_indices, GrB_Index n_values, int format) {
  static const char call[] = "Grid_Matrix_importLocal";
  static const GrB_Index none; /* an empty array may be NULL */
  arrays a = arrays_of(indptr || n_indptr ? indptr : &none, indices || n_indices ? indices : &none,
                       values || n_values ? values : &none, n_indptr, n_indices, n_values, format);
  const import_shape shape = {A, type, "type", nrows, ncols, format};
  GrB_Info info;
  TRY(grid_check_initialized(call));
  info = check_shape(&shape, call);
  if (info == GrB_SUCCESS) {
    const uint64_t dim = format == GrB_CSC_FORMAT ? ncols : nrows;
    a.first = grid_chunk_first(dim, grid_ctx.k);
    a.vectors = grid_chunk_length(dim, grid_ctx.k);
    info = grid_import_check(&a, nrows, ncols, false, call);
  }
  TRY(agree_on_shape(info, &shape, call));
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
