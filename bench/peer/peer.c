/* See gridblas.h in this folder. */
#include "bench/peer/gridblas.h"

#include <stdlib.h>
#include <string.h>

#define TRY(call)                      \
  do {                                 \
    info = (call);                     \
    if (info != GrB_SUCCESS) goto out; \
  } while (0)

/* ---- types: the standard's names, their codes and what reads and writes arrays of them ---- */

static const char *const type_name[] = {"user",    "bool",     "int8_t",  "uint8_t",  "int16_t", "uint16_t",
                                        "int32_t", "uint32_t", "int64_t", "uint64_t", "float",   "double"};
enum { TYPES = sizeof type_name / sizeof *type_name };

static int code_of(const char *name) {
  for (int k = 1; k < TYPES; k++)
    if (strcmp(name, type_name[k]) == 0) return k;
  return 0;
}

GrB_Info peer_Matrix_get_INT32(GrB_Matrix A, int32_t *value, int field) {
  char name[GxB_MAX_NAME_LEN];
  if (field != GrB_EL_TYPE_CODE) return GrB_INVALID_VALUE;
  const GrB_Info info = GxB_Matrix_type_name(name, A);
  *value = code_of(name);
  return info;
}

GrB_Info peer_Vector_get_INT32(GrB_Vector u, int32_t *value, int field) {
  char name[GxB_MAX_NAME_LEN];
  if (field != GrB_EL_TYPE_CODE) return GrB_INVALID_VALUE;
  const GrB_Info info = GxB_Vector_type_name(name, u);
  *value = code_of(name);
  return info;
}

/* ---- is it symmetric? ---- */

static GrB_Matrix known;
static bool known_symmetric;

static GrB_Info transpose_is_same(bool *same, GrB_Matrix A, GrB_Index n, GrB_Index nvals) {
  GrB_Info info;
  GrB_Matrix back = NULL, equal = NULL;
  GrB_Index both;
  TRY(GrB_Matrix_new(&equal, GrB_BOOL, n, n));
  TRY(GrB_Matrix_new(&back, GrB_FP64, n, n));
  TRY(GrB_transpose(back, NULL, NULL, A, NULL));
  TRY(GrB_Matrix_eWiseMult_BinaryOp(equal, NULL, NULL, GrB_EQ_FP64, A, back, NULL));
  TRY(GrB_Matrix_nvals(&both, equal));
  *same = both == nvals;
  if (*same && nvals > 0) TRY(GrB_Matrix_reduce_BOOL(same, NULL, GrB_LAND_MONOID_BOOL, equal, NULL));
out:
  GrB_Matrix_free(&back);
  GrB_Matrix_free(&equal);
  return info;
}

GrB_Info Grid_Matrix_storage(Grid_Storage *s, GrB_Matrix A) {
  GrB_Info info = GrB_SUCCESS;
  GrB_Index nrows, ncols, nvals;
  s->symmetric = A == known && known_symmetric;
  if (A == known) goto out;
  TRY(GrB_Matrix_nrows(&nrows, A));
  TRY(GrB_Matrix_ncols(&ncols, A));
  TRY(GrB_Matrix_nvals(&nvals, A));
  if (nrows == ncols) TRY(transpose_is_same(&s->symmetric, A, nrows, nvals));
out:
  return info;
}

GrB_Info peer_know(GrB_Matrix A) {
  Grid_Storage s;
  const GrB_Info info = Grid_Matrix_storage(&s, A);
  known = A;
  known_symmetric = s.symmetric;
  return info;
}

/* ---- entries in arrays ---- */

GrB_Info Grid_Matrix_build(GrB_Matrix C, const GrB_Index *rows, const GrB_Index *cols, const void *values,
                           GrB_Type type, GrB_Index n, GrB_BinaryOp dup, int flags) {
  if (n == 0) return GrB_SUCCESS; /* it does not accept NULL */
  if (flags != 0 || (values != NULL && type != GrB_INT64 && type != GrB_FP64)) return GrB_NOT_IMPLEMENTED;
  if (type == GrB_INT64 && values != NULL) return GrB_Matrix_build_INT64(C, rows, cols, values, n, dup);
  if (values != NULL) return GrB_Matrix_build_FP64(C, rows, cols, values, n, dup);
  bool *one = malloc(n + 1);
  if (one == NULL) return GrB_OUT_OF_MEMORY;
  memset(one, 1, n);
  const GrB_Info info = GrB_Matrix_build_BOOL(C, rows, cols, one, n, GrB_LOR);
  free(one);
  return info;
}

GrB_Info Grid_Vector_build(GrB_Vector w, const GrB_Index *indices, const void *values, GrB_Type type,
                           GrB_Index n, GrB_BinaryOp dup) {
  if (n == 0) return GrB_SUCCESS;
  if (values == NULL) { /* 1 everywhere, in vectors of INT64 */
    int64_t *one = malloc(n * sizeof *one);
    for (GrB_Index k = 0; one != NULL && k < n; k++) one[k] = 1;
    const GrB_Info built =
        one == NULL ? GrB_OUT_OF_MEMORY : GrB_Vector_build_INT64(w, indices, one, n, GrB_FIRST_INT64);
    free(one);
    return built;
  }
  if (type == GrB_INT64) return GrB_Vector_build_INT64(w, indices, values, n, dup);
  if (type == GrB_UINT64) return GrB_Vector_build_UINT64(w, indices, values, n, dup);
  if (type == GrB_FP64) return GrB_Vector_build_FP64(w, indices, values, n, dup);
  char name[GxB_MAX_NAME_LEN];
  const GrB_Info info = GxB_Type_name(name, type);
  if (info != GrB_SUCCESS) return info;
  return code_of(name) == 0 ? GrB_Vector_build_UDT(w, indices, values, n, dup) : GrB_NOT_IMPLEMENTED;
}

/* SuiteSparse exports values, too, of A's own type: those of a matrix of BOOL with A's pattern. */
static GrB_Info export_pattern(GrB_Index *indptr, GrB_Index *indices, GrB_Index *n_indptr,
                               GrB_Index *n_indices, GrB_Index *n_values, int format, GrB_Matrix A) {
  GrB_Matrix pattern = NULL;
  GrB_Index rows, cols;
  GrB_Info info = GrB_Matrix_nrows(&rows, A);
  if (info == GrB_SUCCESS) info = GrB_Matrix_ncols(&cols, A);
  if (info == GrB_SUCCESS) info = GrB_Matrix_new(&pattern, GrB_BOOL, rows, cols);
  if (info == GrB_SUCCESS)
    info = GrB_Matrix_assign_BOOL(pattern, A, NULL, true, GrB_ALL, rows, GrB_ALL, cols, GrB_DESC_S);
  *n_values = *n_indices;
  bool *values = malloc((*n_values + 1) * sizeof *values);
  if (info == GrB_SUCCESS && values == NULL) info = GrB_OUT_OF_MEMORY;
  if (info == GrB_SUCCESS)
    info = GrB_Matrix_export_BOOL(indptr, indices, values, n_indptr, n_indices, n_values, (GrB_Format)format,
                                  pattern);
  free(values);
  GrB_Matrix_free(&pattern);
  return info;
}

GrB_Info Grid_Matrix_exportLocal(GrB_Index *indptr, GrB_Index *indices, void *values, GrB_Index *n_indptr,
                                 GrB_Index *n_indices, GrB_Index *n_values, int format, GrB_Matrix A) {
  if (indptr == NULL && values == NULL)
    return GrB_Matrix_exportSize(n_indptr, n_indices, n_values, (GrB_Format)format, A);
  if (values == NULL) return export_pattern(indptr, indices, n_indptr, n_indices, n_values, format, A);
  if (indptr != NULL)
    return GrB_Matrix_export_FP64(indptr, indices, values, n_indptr, n_indices, n_values, (GrB_Format)format,
                                  A);
  GrB_Index *offsets = malloc((*n_indptr + 1) * sizeof *offsets);
  GrB_Index *columns = malloc((*n_indices + 1) * sizeof *columns);
  GrB_Info info = offsets == NULL || columns == NULL ? GrB_OUT_OF_MEMORY : GrB_SUCCESS;
  if (info == GrB_SUCCESS)
    info = GrB_Matrix_export_FP64(offsets, columns, values, n_indptr, n_indices, n_values, (GrB_Format)format,
                                  A);
  free(offsets), free(columns);
  return info;
}

GrB_Info Grid_Matrix_importLocal(GrB_Matrix *A, GrB_Type type, GrB_Index nrows, GrB_Index ncols,
                                 const GrB_Index *indptr, const GrB_Index *indices, const void *values,
                                 GrB_Index n_indptr, GrB_Index n_indices, GrB_Index n_values, int format) {
  return GrB_Matrix_import_FP64(A, type, nrows, ncols, indptr, indices, values, n_indptr, n_indices, n_values,
                                (GrB_Format)format);
}

void Grid_View_free(Grid_View *view) {
  free((void *)(uintptr_t)view->indptr);
  free((void *)(uintptr_t)view->indices);
  free((void *)(uintptr_t)view->values);
  *view = (Grid_View){.iso = false};
}

GrB_Info Grid_Matrix_view(Grid_View *view, GrB_Matrix A) {
  GrB_Info info;
  GrB_Index offsets, entries = 0, values;
  GrB_Index *indptr = NULL, *indices = NULL;
  double *value = NULL;
  TRY(GrB_Matrix_exportSize(&offsets, &entries, &values, GrB_CSR_FORMAT, A));
  indptr = malloc(offsets * sizeof *indptr);
  indices = malloc((entries + 1) * sizeof *indices);
  value = malloc((values + 1) * sizeof *value);
  info = indptr == NULL || indices == NULL || value == NULL ? GrB_OUT_OF_MEMORY : GrB_SUCCESS;
  if (info == GrB_SUCCESS)
    info = GrB_Matrix_export_FP64(indptr, indices, value, &offsets, &entries, &values, GrB_CSR_FORMAT, A);
  if (info == GrB_DOMAIN_MISMATCH) {
    free(value), value = NULL;
    info = export_pattern(indptr, indices, &offsets, &entries, &values, GrB_CSR_FORMAT, A);
  }
out:
  *view = (Grid_View){.indptr = indptr,
                      .indices = indices,
                      .values = value,
                      .n_indices = entries,
                      .indptr_bytes = sizeof(GrB_Index),
                      .indices_bytes = sizeof(GrB_Index)};
  if (info != GrB_SUCCESS) Grid_View_free(view);
  return info;
}

/* Skips outputs that are NULL, like gridblas. */
GrB_Info Grid_Matrix_extractLocal(GrB_Index *rows, GrB_Index *cols, void *values, GrB_Index *n,
                                  GrB_Matrix A) {
  if (rows == NULL && cols == NULL && values == NULL) return GrB_Matrix_nvals(n, A);
  return GrB_Matrix_extractTuples_FP64(rows, cols, values, n, A);
}

GrB_Info Grid_Vector_extractLocal(GrB_Index *indices, void *values, GrB_Index *n, GrB_Vector v) {
  char name[GxB_MAX_NAME_LEN];
  if (indices == NULL && values == NULL) return GrB_Vector_nvals(n, v);
  const GrB_Info info = GxB_Vector_type_name(name, v);
  if (info != GrB_SUCCESS) return info;
  if (strcmp(name, "int64_t") == 0) return GrB_Vector_extractTuples_INT64(indices, values, n, v);
  if (strcmp(name, "uint64_t") == 0) return GrB_Vector_extractTuples_UINT64(indices, values, n, v);
  if (strcmp(name, "double") == 0) return GrB_Vector_extractTuples_FP64(indices, values, n, v);
  if (code_of(name) == 0) return GrB_Vector_extractTuples_UDT(indices, values, n, v);
  return GrB_NOT_IMPLEMENTED;
}

GrB_Info Grid_Matrix_indicator(GrB_Matrix C, GrB_Vector where) {
  GrB_Index n;
  GrB_Info info = GrB_Vector_nvals(&n, where);
  if (info != GrB_SUCCESS) return info;
  GrB_Index *row = malloc((n + 1) * sizeof *row), *col = malloc((n + 1) * sizeof *col);
  info = row == NULL || col == NULL ? GrB_OUT_OF_MEMORY : GrB_SUCCESS;
  /* indices are not negative */
  if (info == GrB_SUCCESS) info = Grid_Vector_extractLocal(row, col, &n, where);
  if (info == GrB_SUCCESS) info = Grid_Matrix_build(C, row, col, NULL, NULL, n, NULL, 0);
  free(row), free(col);
  return info;
}

/* ---- other functions ---- */

GrB_Info Grid_Matrix_degree(GrB_Vector w, GrB_Matrix A, bool by_column) {
  GrB_Info info;
  GrB_Vector all = NULL;
  GrB_Index n;
  TRY(by_column ? GrB_Matrix_nrows(&n, A) : GrB_Matrix_ncols(&n, A));
  TRY(GrB_Vector_new(&all, GrB_BOOL, n));
  TRY(GrB_Vector_assign_BOOL(all, NULL, NULL, true, GrB_ALL, n, NULL));
  TRY(GrB_mxv(w, NULL, NULL, GxB_PLUS_PAIR_INT64, A, all, by_column ? GrB_DESC_T0 : NULL));
out:
  GrB_Vector_free(&all);
  return info;
}

/* w(k) = u(where(k)) along a list of `where`, which has all entries. */
static GrB_Info gather_along_list(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_Vector u,
                                  GrB_Vector where, GrB_Index n, GrB_Descriptor desc) {
  GrB_Index *index = malloc((n + 1) * sizeof *index);
  GrB_Info info = index == NULL ? GrB_OUT_OF_MEMORY : GrB_SUCCESS;
  if (info == GrB_SUCCESS) info = Grid_Vector_extractLocal(NULL, index, &n, where); /* none is negative */
  if (info == GrB_SUCCESS) info = GrB_Vector_extract(w, mask, accum, u, index, n, desc);
  free(index);
  return info;
}

/* w(k) = u(where(k)); where `where` lacks entries, a product with its indicator, of FP64 or integers. */
GrB_Info Grid_Vector_gather(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_Vector u, GrB_Vector where,
                            GrB_Descriptor desc) {
  GrB_Info info;
  GrB_Index rows, columns, entries;
  GrB_Matrix P = NULL;
  GrB_Type type;
  TRY(GrB_Vector_size(&rows, where));
  TRY(GrB_Vector_nvals(&entries, where));
  if (entries == rows) return gather_along_list(w, mask, accum, u, where, rows, desc);
  TRY(GrB_Vector_size(&columns, u));
  TRY(GxB_Vector_type(&type, u));
  TRY(GrB_Matrix_new(&P, GrB_BOOL, rows, columns));
  TRY(Grid_Matrix_indicator(P, where));
  TRY(GrB_mxv(w, mask, accum, type == GrB_FP64 ? GxB_ANY_SECOND_FP64 : GxB_ANY_SECOND_INT64, P, u, desc));
out:
  GrB_Matrix_free(&P);
  return info;
}

/* u has an entry wherever `where` has one. */
GrB_Info Grid_Vector_scatter(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_BinaryOp dup,
                             GrB_Vector u, GrB_Vector where, GrB_Descriptor desc) {
  GrB_Info info;
  GrB_Index n, same, size;
  GrB_Index *index = NULL;
  GrB_Vector moved = NULL, t = NULL;
  void *value = NULL;
  GrB_Type type;
  size_t bytes;
  if (mask != NULL || desc != NULL) return GrB_NOT_IMPLEMENTED;
  TRY(GxB_Vector_type(&type, u));
  TRY(GxB_Type_size(&bytes, type));
  TRY(GrB_Vector_nvals(&n, where));
  index = malloc((n + 1) * sizeof *index);
  value = malloc((n + 1) * bytes);
  info = GrB_OUT_OF_MEMORY;
  if (index == NULL || value == NULL) goto out;
  TRY(GrB_Vector_size(&size, u));
  TRY(GrB_Vector_new(&moved, type, size));
  TRY(GrB_Vector_assign(moved, where, NULL, u, GrB_ALL, size, GrB_DESC_S));
  TRY(GrB_Vector_size(&size, w));
  TRY(GrB_Vector_new(&t, type, size));
  same = n;
  if (n > 0) {
    TRY(Grid_Vector_extractLocal(NULL, index, &n, where)); /* indices are not negative */
    TRY(Grid_Vector_extractLocal(NULL, value, &same, moved));
    TRY(Grid_Vector_build(t, index, value, type, n, dup));
  }
  if (accum == NULL)
    TRY(GrB_Vector_assign(w, NULL, NULL, t, GrB_ALL, size, NULL));
  else
    TRY(GrB_Vector_eWiseAdd_BinaryOp(w, NULL, NULL, accum, w, t, NULL));
out:
  free(index), free(value);
  GrB_Vector_free(&moved);
  GrB_Vector_free(&t);
  return info;
}
