/* GxB_Matrix_serialize, GxB_Vector_serialize and their reverses. A vector travels as a matrix of one column.
 */
#include <string.h>

#include "dist/grid/layout.h"
#include "dist/interchange/blob_trailer.h"
#include "dist/interchange/matrix_serialize.h"
#include "dist/fields/storage_form.h"
#include "dist/object/burble.h"
#include "semiring/support/user_memory.h"

/* ---- writing ---- */

static void copy_options(grid_blob_trailer *t, const grid_stored_options *o) {
  t->sparsity_control = o->sparsity_control;
  t->hyper_switch = o->hyper_switch, t->bitmap_switch = o->bitmap_switch;
}

/* *blob = the bytes of A, then the trailer. */
static GrB_Info write_blob(void **blob, GrB_Index *size, GrB_Matrix A, const grid_blob_trailer *t,
                           const char *name) {
  GrB_Index bytes;
  char *data = NULL;
  GrB_Info info;
  TRY(GrB_Matrix_serializeSize(&bytes, A));
  const uint64_t more = grid_blob_trailer_bytes(name, A->type), total = bytes + more;
  data = grid_user_malloc(total, 1);
  TRY(grid_agree(&A->head, data ? GrB_SUCCESS : grid_fail_memory(&A->head, "a blob", total, 1)));
  TRY(GrB_Matrix_serialize(data, &bytes, A));
  grid_blob_announce_trailer(data);
  grid_blob_trailer_write(data + bytes, *t, name, A->type);
  *blob = data, *size = bytes + more;
  data = NULL;
done:
  grid_user_free(data);
  return info;
}

/* info: of the check of A or v, whose head is `head`. Agreed on. */
static GrB_Info check(void **blob, GrB_Index *size, GrB_Descriptor desc, grid_head *head, GrB_Info info,
                      const char *call) {
  if (info == GrB_SUCCESS && (!blob || !size))
    info = grid_fail(head, GrB_NULL_POINTER, "%s: argument %s is NULL", call, blob ? "size" : "blob");
  else if (info == GrB_SUCCESS && desc)
    info = grid_check_object(desc, head, call, "desc");
  return grid_agree(head, info);
}

static GrB_Info serialize_matrix(void **blob, GrB_Index *size, GrB_Matrix A, GrB_Descriptor desc) {
  static const char call[] = "GxB_Matrix_serialize";
  grid_blob_trailer t = {.kind = GRID_BLOB_MATRIX};
  GrB_Info info;
  TRY(grid_check_initialized(call));
  info = grid_check_object(A, NULL, call, "A");
  TRY(check(blob, size, desc, grid_live_head(A), info, call));
  TRY(grid_matrix_require(A, GRID_OUTOFCORE_HYPERSPARSE | GRID_MERGED));
  t.orientation = A->hints.orientation, t.status = grid_matrix_form(A);
  copy_options(&t, &A->hints.options);
  info = write_blob(blob, size, A, &t, A->head.name);
done:
  return info;
}

GrB_Info GxB_Matrix_serialize(void **blob, GrB_Index *size, GrB_Matrix A, const GrB_Descriptor desc) {
  return GRID_TRACE_CALL("GxB_Matrix_serialize", serialize_matrix(blob, size, A, desc), A);
}

/* A, of one column, gets v's entries. */
static GrB_Info fill_column(GrB_Matrix A, GrB_Vector v, const char *call) {
  const uint64_t n = v->chunk.nvals;
  uint64_t *row = grid_malloc(n, sizeof *row), *col = grid_calloc(n, sizeof *col);
  char *val = grid_malloc(n, v->type->size);
  GrB_Info info;
  if (!row || !col || !val)
    info = grid_fail_memory(NULL, "entries of a vector", n, 2 * sizeof *row + v->type->size);
  else
    info = grid_vec_tuples(row, val, v->type, &v->chunk, grid_chunk_first(v->n, grid_ctx.k));
  TRY(grid_agree(&v->head, info));
  info =
      grid_matrix_fill(A, &(grid_build){.row = row, .col = col, .val = val, .type = v->type, .n = n}, call);
done:
  grid_free(row);
  grid_free(col);
  grid_free(val);
  return info;
}

static GrB_Info serialize_vector(void **blob, GrB_Index *size, GrB_Vector v, GrB_Descriptor desc) {
  static const char call[] = "GxB_Vector_serialize";
  grid_blob_trailer t = {.kind = GRID_BLOB_VECTOR};
  GrB_Matrix A = NULL;
  uint64_t nvals;
  GrB_Info info;
  TRY(grid_check_initialized(call));
  info = grid_check_object(v, NULL, call, "v");
  TRY(check(blob, size, desc, grid_live_head(v), info, call));
  TRY(grid_check_operand(v, NULL, call, "v"));
  TRY(grid_vector_count(&nvals, v));
  TRY(GrB_Matrix_new(&A, v->type, v->n, 1));
  TRY(fill_column(A, v, call));
  t.orientation = v->orientation, t.status = grid_vector_form(v, nvals);
  copy_options(&t, &v->options);
  info = write_blob(blob, size, A, &t, v->head.name);
done:
  GrB_Matrix_free(&A);
  return info;
}

GrB_Info GxB_Vector_serialize(void **blob, GrB_Index *size, GrB_Vector v, const GrB_Descriptor desc) {
  return GRID_TRACE_CALL("GxB_Vector_serialize", serialize_vector(blob, size, v, desc), v);
}

/* ---- reading ---- */

static void restore_options(grid_stored_options *o, const grid_blob_trailer *t) {
  const int32_t control = t->sparsity_control & GxB_ANY_SPARSITY;
  o->sparsity_control = control ? control : GxB_AUTO_SPARSITY;
  o->hyper_switch = t->hyper_switch, o->bitmap_switch = t->bitmap_switch;
}

/* The checks that both reverses begin with. */
static GrB_Info read(grid_blob_info *b, const void *out, const void *blob, GrB_Index size,
                     GrB_Descriptor desc, const char *what, const char *call) {
  GrB_Info info = grid_check_initialized(call);
  TRY(info);
  if (!out)
    info = grid_fail(NULL, GrB_NULL_POINTER, "%s: argument %s is NULL", call, what);
  else if (desc)
    info = grid_check_object(desc, NULL, call, "desc");
  info = grid_blob_info_read_shares(b, blob, size, info, call);
done:
  return info;
}

static GrB_Info deserialize_matrix(GrB_Matrix *A, GrB_Type type, const void *blob, GrB_Index size,
                                   GrB_Descriptor desc) {
  static const char call[] = "GxB_Matrix_deserialize";
  grid_blob_info b;
  GrB_Matrix made = NULL;
  GrB_Info info;
  TRY(read(&b, A, blob, size, desc, "A", call));
  TRY(grid_matrix_of_blob(&made, type, "type", &b.matrix, false, call));
  if (*b.name) TRY(GrB_Matrix_set_String(made, b.name, GrB_NAME));
  made->hints.orientation = b.trailer.orientation;
  restore_options(&made->hints.options, &b.trailer);
  *A = made;
  made = NULL;
done:
  GrB_Matrix_free(&made);
  return info;
}

GrB_Info GxB_Matrix_deserialize(GrB_Matrix *A, GrB_Type type, const void *blob, GrB_Index size,
                                const GrB_Descriptor desc) {
  return GRID_TRACE_NEW_CALL("GxB_Matrix_deserialize", 0, deserialize_matrix(A, type, blob, size, desc), A,
                             NULL);
}

/* v, which is empty, gets the entries of the one column of A. */
static GrB_Info fill_vector(GrB_Vector v, GrB_Matrix A) {
  grid_tuples t = {0};
  grid_routed_entries in = {0};
  uint64_t where;
  GrB_Info info;
  TRY(grid_matrix_require(A, GRID_ROWS | GRID_HOST));
  info = grid_matrix_tuples_reserve(A, &t, 0);
  if (v->n == 0) goto done;
  TRY(grid_route(&in, t.n, t.row, t.val, 1, A->type->size, v->n, info));
  info = grid_vec_build(&v->chunk, in.idx, in.val, v->type, 1, in.n, (grid_dup){.last = true}, &where);
done:
  info = grid_agree(&v->head, info);
  grid_tuples_free(&t);
  grid_routed_entries_free(&in);
  return info;
}

static GrB_Info deserialize_vector(GrB_Vector *v, GrB_Type type, const void *blob, GrB_Index size,
                                   GrB_Descriptor desc) {
  static const char call[] = "GxB_Vector_deserialize";
  grid_blob_info b;
  GrB_Matrix A = NULL;
  GrB_Vector made = NULL;
  GrB_Info info;
  TRY(read(&b, v, blob, size, desc, "v", call));
  if (b.matrix.ncols != 1)
    TRY(grid_fail(NULL, GrB_INVALID_OBJECT, "%s: the blob holds a matrix of %llu columns", call,
                  (unsigned long long)b.matrix.ncols));
  TRY(grid_matrix_of_blob(&A, type, "type", &b.matrix, true, call)); /* vectors are never on disk */
  TRY(GrB_Vector_new(&made, A->type, A->nrows));
  TRY(fill_vector(made, A));
  if (*b.name) TRY(GrB_Vector_set_String(made, b.name, GrB_NAME));
  restore_options(&made->options, &b.trailer);
  *v = made;
  made = NULL;
done:
  GrB_Matrix_free(&A);
  GrB_Vector_free(&made);
  return info;
}

GrB_Info GxB_Vector_deserialize(GrB_Vector *v, GrB_Type type, const void *blob, GrB_Index size,
                                const GrB_Descriptor desc) {
  return GRID_TRACE_NEW_CALL("GxB_Vector_deserialize", 0, deserialize_vector(v, type, blob, size, desc), v,
                             NULL);
}
