/* GxB_..._memoryUsage and GxB_..._iso: how much an object takes, and whether it stores one value. */
#include "dist/fields/storage_form.h"
#include "dist/matrix/storage/matrix_storage.h"
#include "dist/object/burble.h"
#include "gridblas_gxb_objects.h"
#include "gridblas_gxb_data.h"

static GrB_Info sum_bytes(size_t *size, uint64_t bytes, grid_head *head) {
  const GrB_Info info = grid_agree_sum(head, GrB_SUCCESS, &bytes, 1);
  if (info == GrB_SUCCESS) *size = bytes;
  return info;
}

static uint64_t chunk_bytes(const grid_chunk *c) {
  return (c->cap_idx + c->cap_bits) * sizeof(uint64_t) + c->cap_val;
}

static GrB_Info matrix_usage(size_t *size, GrB_Matrix A) {
  static const char call[] = "GxB_Matrix_memoryUsage";
  GrB_Info info = grid_check_matrix(A, call, "A");
  if (info == GrB_SUCCESS && !size)
    info = grid_fail(&A->head, GrB_NULL_POINTER, "%s: argument size is NULL", call);
  if (info == GrB_SUCCESS) info = grid_matrix_require(A, GRID_OUTOFCORE_HYPERSPARSE | GRID_MERGED);
  return info == GrB_SUCCESS ? sum_bytes(size, sizeof *A + grid_storage_of(A)->bytes(A), &A->head) : info;
}

GrB_Info GxB_Matrix_memoryUsage(size_t *size, const GrB_Matrix A) {
  return GRID_TRACE_CALL("GxB_Matrix_memoryUsage", matrix_usage(size, A), A);
}

static GrB_Info vector_usage(size_t *size, GrB_Vector v) {
  static const char call[] = "GxB_Vector_memoryUsage";
  GrB_Info info = grid_check_vector(v, call, "v");
  if (info == GrB_SUCCESS && !size)
    info = grid_fail(&v->head, GrB_NULL_POINTER, "%s: argument size is NULL", call);
  if (info != GrB_SUCCESS) return info;
  return sum_bytes(size, sizeof *v + chunk_bytes(&v->chunk) + chunk_bytes(&v->reusable), &v->head);
}

GrB_Info GxB_Vector_memoryUsage(size_t *size, const GrB_Vector v) {
  return GRID_TRACE_CALL("GxB_Vector_memoryUsage", vector_usage(size, v), v);
}

static GrB_Info matrix_iso(bool *iso, GrB_Matrix A) {
  static const char call[] = "GxB_Matrix_iso";
  bool is_iso = false;
  GrB_Info info = grid_check_matrix(A, call, "A");
  if (info == GrB_SUCCESS && !iso)
    info = grid_fail(&A->head, GrB_NULL_POINTER, "%s: argument iso is NULL", call);
  if (info == GrB_SUCCESS) info = grid_matrix_is_iso(&is_iso, A);
  if (info == GrB_SUCCESS) *iso = is_iso;
  return info;
}

GrB_Info GxB_Matrix_iso(bool *iso, const GrB_Matrix A) {
  return GRID_TRACE_CALL("GxB_Matrix_iso", matrix_iso(iso, A), A);
}

static GrB_Info vector_iso(bool *iso, GrB_Vector v) {
  static const char call[] = "GxB_Vector_iso";
  bool is_iso = false;
  GrB_Info info = grid_check_vector(v, call, "v");
  if (info == GrB_SUCCESS && !iso)
    info = grid_fail(&v->head, GrB_NULL_POINTER, "%s: argument iso is NULL", call);
  if (info == GrB_SUCCESS) info = grid_vector_is_iso(&is_iso, v);
  if (info == GrB_SUCCESS) *iso = is_iso;
  return info;
}

GrB_Info GxB_Vector_iso(bool *iso, const GrB_Vector v) {
  return GRID_TRACE_CALL("GxB_Vector_iso", vector_iso(iso, v), v);
}
