/* Serialization, export and import of matrices. An imported matrix is complete; a product builds further
 * cached properties itself. */
#include <stdlib.h>

#include "bench/ops/ops.h"

static char *blob;
static GrB_Index blob_capacity, blob_size;
static GrB_Index *ptr; /* n + 1 */

/* ---- serialize ----------------------------------------------------------------------------------------- */

static GrB_Info allocate_blob(ops *o, const row *r) {
  GrB_Index capacity;
  TRY(GrB_Matrix_serializeSize(&capacity, o->A[r->A]));
  if (capacity > blob_capacity || blob == NULL) {
    free(blob);
    blob = malloc(capacity);
    blob_capacity = capacity;
  }
  return blob == NULL ? GrB_OUT_OF_MEMORY : GrB_SUCCESS;
}

/* The written bytes are checked by the row that reads them. */
static GrB_Info serialize(ops *o, const row *r) {
  blob_size = blob_capacity;
  TRY(GrB_Matrix_serialize(blob, &blob_size, o->A[r->A]));
  o->number = blob_size > 0;
  return GrB_SUCCESS;
}

static GrB_Info serialized(ops *o, const row *r) {
  TRY(allocate_blob(o, r));
  return serialize(o, r);
}

static GrB_Info deserialize(ops *o, const row *r) {
  (void)r;
  TRY(GrB_Matrix_deserialize(&o->C, NULL, blob, blob_size));
  return GrB_Matrix_wait(o->C, GrB_COMPLETE);
}

/* ---- export and import --------------------------------------------------------------------------------- */

static GrB_Info allocate_rows(ops *o, const row *r) {
  (void)r;
  if (ptr == NULL) ptr = malloc((o->g.n + 1) * sizeof *ptr);
  if (ptr == NULL) return GrB_OUT_OF_MEMORY;
  return need_arrays(o, NULL, o->g.entries);
}

static GrB_Info export_as(ops *o, const row *r, GrB_Format format, GrB_Index *indptr) {
  GrB_Index n[] = {format == GrB_COO_FORMAT ? o->g.entries : o->g.n + 1, o->g.entries, o->g.entries};
  TRY(GrB_Matrix_export_FP64(indptr, o->J, o->X, &n[0], &n[1], &n[2], format, o->A[r->A]));
  o->count = n[2];
  return GrB_SUCCESS;
}

/* A library may export the entries of a row in any order; the rows that import them check them. */
static double offsets(const ops *o) {
  double sum = 0;
  for (uint64_t k = 1; k <= 16; k++) {
    const uint64_t at = o->g.n * k / 16;
    sum += (double)k * (double)ptr[at];
  }
  return sum;
}

static GrB_Info export_rows(ops *o, const row *r) {
  TRY(export_as(o, r, GrB_CSR_FORMAT, ptr));
  o->number = offsets(o);
  return GrB_SUCCESS;
}

static GrB_Info export_columns(ops *o, const row *r) {
  TRY(export_as(o, r, GrB_CSC_FORMAT, ptr));
  o->number = offsets(o);
  return GrB_SUCCESS;
}

static GrB_Info export_tuples(ops *o, const row *r) {
  return export_as(o, r, GrB_COO_FORMAT, o->I);
}

static GrB_Info exported_rows(ops *o, const row *r) {
  TRY(allocate_rows(o, r));
  return export_as(o, r, GrB_CSR_FORMAT, ptr);
}

static GrB_Info exported_columns(ops *o, const row *r) {
  TRY(allocate_rows(o, r));
  return export_as(o, r, GrB_CSC_FORMAT, ptr);
}

static GrB_Info import_as(ops *o, GrB_Format format) {
  TRY(GrB_Matrix_import_FP64(&o->C, GrB_FP64, o->g.n, o->g.n, ptr, o->J, o->X, o->g.n + 1, o->count, o->count,
                             format));
  return GrB_Matrix_wait(o->C, GrB_COMPLETE);
}

static GrB_Info import_rows(ops *o, const row *r) {
  (void)r;
  return import_as(o, GrB_CSR_FORMAT);
}

static GrB_Info import_columns(ops *o, const row *r) {
  (void)r;
  return import_as(o, GrB_CSC_FORMAT);
}

const row object_rows[] = {
    /* clang-format off */
    {"serialize", serialize, allocate_blob, .result_in = IN_NUMBER, .A = A_FP64, .count = COUNT_MATRIX, .bytes = 24},
    {"serialize.pattern", serialize, allocate_blob, .result_in = IN_NUMBER, .A = A_PATTERN, .count = COUNT_MATRIX, .bytes = 8},
    {"deserialize", deserialize, serialized, .result_in = IN_C, .A = A_FP64, .count = COUNT_MATRIX, .bytes = 24},
    {"deserialize.pattern", deserialize, serialized, .result_in = IN_C, .A = A_PATTERN, .count = COUNT_MATRIX, .bytes = 8},
    {"export.rows", export_rows, allocate_rows, .result_in = IN_NUMBER, .A = A_FP64, .dense = true, .count = COUNT_MATRIX, .bytes = 28},
    {"export.columns", export_columns, allocate_rows, .result_in = IN_NUMBER, .A = A_FP64, .dense = true, .count = COUNT_MATRIX, .bytes = 28},
    {"export.tuples", export_tuples, allocate_rows, .result_in = IN_ARRAYS, .A = A_FP64, .dense = true, .count = COUNT_MATRIX, .bytes = 36},
    {"import.rows", import_rows, exported_rows, .result_in = IN_C, .A = A_FP64, .dense = true, .count = COUNT_MATRIX, .bytes = 28},
    {"import.columns", import_columns, exported_columns, .result_in = IN_C, .A = A_FP64, .dense = true, .count = COUNT_MATRIX, .bytes = 28},
    /* clang-format on */
    {NULL}};
