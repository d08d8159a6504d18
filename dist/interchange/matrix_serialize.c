/* GrB_Matrix_serialize and GrB_Matrix_deserialize (specification 4.2.5.18 to 20). lmat_serialize.h defines
 * the bytes and checks them on input. */
#include <string.h>

#include "dist/object/burble.h"
#include "dist/interchange/blob_trailer.h"
#include "dist/interchange/import_arrays.h"
#include "dist/interchange/matrix_serialize.h"
#include "dist/interchange/outofcore_entries.h"
#include "dist/matrix/storage/matrix_outofcore.h"
#include "dist/matrix/transfer/matrix_gather.h"
#include "spmat/convert/lmat_blob.h"
#include "spmat/convert/lmat_format.h"
#include "semiring/support/tuning.h"
#include "spmat/device/device.h"

/* ---- out-of-core matrices ---- */

static bool is_serialized_by_pages(GrB_Matrix A) {
  return grid_is_paged_hypersparse(A) ||
         (grid_is_paged(A) && grid_blob_can_be_sparse(A->nrows, A->ncols, A->nvals));
}

/* The list of rows (columns) that A has in memory, too, or none. */
static GrB_Info list_axis(grid_axis *list, GrB_Matrix A, bool rows) {
  const GrB_Info info = grid_paged_list(list, A, rows);
  if (info != GrB_SUCCESS || grid_axis_is_hyper_for(list, A->nvals, list->n)) return info;
  grid_free(list->ids);
  *list = (grid_axis){.dim = list->dim, .n = list->dim};
  return info;
}

/* The blob header's properties of a paged matrix, and its lists, as a local matrix without entries. one: the
 * value of an iso matrix. Collective, agreed on. */
static GrB_Info describe(grid_local_matrix *p, GrB_Matrix A, void *one) {
  const grid_pages *g = A->pages;
  bool iso = false;
  grid_lmat_init(p, A->type, A->nrows, A->ncols);
  p->nvals = A->nvals;
  if (g->one) memcpy(one, g->one, A->type->size);
  GrB_Info info =
      grid_agree_on_iso_value(NULL, GrB_SUCCESS, grid_pages_nvals(g) > 0, g->one, A->type->size, one, &iso);
  p->iso = iso;
  p->iso_val = iso ? one : NULL;
  if (info == GrB_SUCCESS && grid_is_paged_hypersparse(A)) info = list_axis(&p->row, A, true);
  if (info == GrB_SUCCESS && grid_is_paged_hypersparse(A)) info = list_axis(&p->col, A, false);
  return info;
}

static void store_entries(void *context, const grid_paged_batch *e) {
  grid_blob_append(context, e->n, e->row, e->col, e->val);
}

/* An upper bound of the bytes of A, also if it comes to memory before it is serialized. Pages that number all
 * rows give offsets of all rows. */
static uint64_t most_bytes(GrB_Matrix A) {
  const grid_local_matrix like = {.nvals = A->nvals, .type = A->type};
  const uint64_t most = grid_blob_max_bytes(A->nrows, A->ncols, A->nvals, A->type->size),
                 all = !A->pages || grid_is_paged_hypersparse(A) ? 0
                                                                 : grid_blob_bytes(&like, A->nrows, A->ncols);
  return most > all ? most : all;
}

/* Are there so many bytes of space? It may differ among processes. */
static GrB_Info check_room(const void *data, const GrB_Index *size, uint64_t bytes, GrB_Matrix A,
                           const char *call) {
  if (!data || !size)
    return grid_fail(&A->head, GrB_NULL_POINTER, "%s: argument %s is NULL", call,
                     data ? "serialized_size" : "serialized_data");
  if (*size >= bytes) return GrB_SUCCESS;
  return grid_fail(&A->head, GrB_INSUFFICIENT_SPACE, "%s: %llu bytes of space, but %llu are needed", call,
                   (unsigned long long)*size, (unsigned long long)bytes);
}

/* data: memory of *size bytes. */
static GrB_Info serialize_pages(void *data, GrB_Index *size, GrB_Matrix A, const char *call) {
  grid_local_matrix like = {0};
  grid_blob_writer w;
  void *one = grid_calloc(1, A->type->size);
  GrB_Info info = one ? GrB_SUCCESS : grid_fail_memory(&A->head, "a value", 1, A->type->size);
  TRY(grid_agree(&A->head, info));
  TRY(describe(&like, A, one));
  const uint64_t bytes = grid_blob_bytes(&like, A->nrows, A->ncols);
  TRY(grid_agree(&A->head, check_room(data, size, bytes, A, call)));
  grid_blob_begin(&w, data, &like, A->nrows, A->ncols);
  TRY(grid_paged_entries(A, false, !like.iso, store_entries, &w));
  grid_blob_end(&w);
  *size = bytes;
done:
  grid_free(like.row.ids);
  grid_free(like.col.ids);
  grid_free(one);
  return info;
}

/* ---- matrices in memory ---- */

GrB_Info GrB_Matrix_serializeSize(GrB_Index *size, GrB_Matrix A) {
  GRID_CALL_SCOPE;
  GRID_PLACED_CALL(0, A);
  static const char call[] = "GrB_Matrix_serializeSize";
  grid_replicated_matrix w = {0};
  GrB_Info info;
  TRY(grid_check_initialized(call));
  info = grid_check_object(A, NULL, call, "A");
  if (info == GrB_SUCCESS && !size)
    info = grid_fail(&A->head, GrB_NULL_POINTER, "%s: argument size is NULL", call);
  TRY(grid_agree(grid_live_head(A), info));
  TRY(grid_matrix_require(A, GRID_OUTOFCORE_HYPERSPARSE | GRID_ROWS));
  /* what no process knows alone, or is on disk, is not read for a number that may be larger */
  if (grid_ctx.P > 1 || A->pages) {
    *size = most_bytes(A);
    return info;
  }
  TRY(grid_matrix_replicate(&w, A, call));
  *size = grid_blob_bytes(w.p, A->nrows, A->ncols);
done:
  grid_replicated_matrix_free(&w);
  return info;
}

/* Each process computes a share of the checksum of the same bytes, if they take longer than a message.
 * Collective, agreed on. */
static GrB_Info seal(void *data, uint64_t bytes, GrB_Matrix A, GrB_Info info) {
  enum { ALONE = 1 << 20 };
  const bool is_shared = grid_ctx.P > 1 && bytes > ALONE;
  uint64_t sum = 0;
  if (info == GrB_SUCCESS)
    sum = grid_blob_checksum_share(data, bytes, is_shared ? grid_ctx.k : 0, is_shared ? grid_ctx.P : 1);
  info = is_shared ? grid_agree_sum(&A->head, info, &sum, 1) : grid_agree(&A->head, info);
  if (info == GrB_SUCCESS) grid_blob_seal(data, sum);
  return info;
}

static GrB_Info serialize(void *serialized_data, GrB_Index *serialized_size, GrB_Matrix A) {
  static const char call[] = "GrB_Matrix_serialize";
  grid_replicated_matrix w = {0};
  GrB_Info info;
  TRY(grid_check_initialized(call));
  TRY(grid_agree(grid_live_head(A), grid_check_object(A, NULL, call, "A")));
  TRY(grid_matrix_require(A, GRID_OUTOFCORE_HYPERSPARSE));
  if (is_serialized_by_pages(A)) return serialize_pages(serialized_data, serialized_size, A, call);
  TRY(grid_matrix_view(&w, A, true, call));
  const uint64_t bytes = grid_blob_bytes(w.p, A->nrows, A->ncols);
  info = check_room(serialized_data, serialized_size, bytes, A, call);
  if (info == GrB_SUCCESS) grid_blob_write(serialized_data, w.p, A->nrows, A->ncols);
  TRY(seal(serialized_data, bytes, A, info));
  *serialized_size = bytes;
done:
  grid_replicated_matrix_free(&w);
  return info;
}

GrB_Info GrB_Matrix_serialize(void *serialized_data, GrB_Index *serialized_size, GrB_Matrix A) {
  return GRID_TRACE_CALL("GrB_Matrix_serialize", serialize(serialized_data, serialized_size, A), A);
}

/* The type of a blob's matrix: the requested one, or the predefined one that the blob names. */
static GrB_Info find_type(GrB_Type *type, const char *what, const grid_blob *b, const char *call) {
  const GrB_Type predefined = grid_type_of_code(b->code);
  const char *name = predefined ? predefined->name : "user-defined";
  if (!*type && !predefined)
    return grid_fail(NULL, GrB_DOMAIN_MISMATCH,
                     "%s: argument %s is NULL, and the serialized matrix has a user-defined type", call,
                     what);
  if (!*type) *type = predefined;
  if (grid_type_code(*type) == b->code && (*type)->size == b->size) return GrB_SUCCESS;
  return grid_fail(NULL, GrB_DOMAIN_MISMATCH,
                   "%s: argument %s is %s of %zu bytes, the serialized matrix is %s of %llu", call, what,
                   (*type)->name, (*type)->size, name, (unsigned long long)b->size);
}

/* Each process selects its block's entries. */
static GrB_Info fill_share(GrB_Matrix A, const grid_blob *b, const char *call) {
  uint64_t *row = grid_malloc(b->nvals, sizeof *row), *col = grid_malloc(b->nvals, sizeof *col);
  const uint64_t bytes = (b->iso ? 1 : b->nvals) * b->size;
  void *val = grid_malloc(bytes, 1); /* aligned, which the blob need not be */
  GrB_Info info = GrB_SUCCESS;
  if (!row || !col || !val) info = grid_fail_memory(NULL, "a deserialized matrix", b->nvals, 16 + b->size);
  TRY(grid_agree(NULL, info));
  TRY(grid_agree(NULL, grid_blob_to_tuples(row, col, b, call)));
  memcpy(val, b->val, bytes);
  info = grid_matrix_fill(A,
                          &(grid_build){.row = row,
                                        .col = col,
                                        .val = b->iso ? NULL : val,
                                        .one = val,
                                        .type = b->iso ? NULL : A->type,
                                        .n = b->nvals,
                                        .is_replicated = true},
                          call);
done:
  grid_free(row);
  grid_free(col);
  grid_free(val);
  return info;
}

/* Can a process take its block from the blob: on one process, or without lists of rows and columns? The same
 * on all. */
static bool has_blocks(const grid_blob *b) {
  return !grid_device_is_on() && (grid_ctx.P == 1 || (!b->rows_hyper && !b->cols_hyper));
}

static GrB_Info fill_block(GrB_Matrix A, const grid_blob *b, const char *call) {
  grid_local_matrix p;
  grid_csr_part part = {0};
  grid_lmat_init(&p, A->type, A->block.row.dim, A->block.col.dim);
  GrB_Info info = grid_block_part(&part, A->nrows, A->ncols);
  if (info == GrB_SUCCESS)
    info = grid_ctx.P == 1 ? grid_blob_to_lmat(&p, b, call) : grid_blob_part_to_lmat(&p, b, &part, call);
  info = grid_matrix_adopt(A, &(grid_build){0}, &p, info);
  grid_lmat_free(&p);
  grid_free(part.range);
  return info;
}

/* ---- to pages ---- */

/* Bytes in memory of the blob's rows first .. end. */
static uint64_t bytes_of_rows(const grid_blob *b, uint64_t first, uint64_t end) {
  const size_t size = grid_blob_number_size(b->nvals);
  const uint64_t n = grid_blob_number(b->offsets, size, end) - grid_blob_number(b->offsets, size, first);
  return n * (sizeof(uint32_t) + (b->iso ? 0 : b->size)) + (end - first) * sizeof(uint32_t);
}

/* *yes: on some process the memory does not suffice for its rows, and folders for pages were named, on all
 * processes: no operand has one. Collective, agreed on. */
static GrB_Info is_paged_result(bool *yes, GrB_Matrix A, const grid_blob *b, const char *call) {
  const uint64_t n = grid_chunk_length(A->nrows, grid_ctx.k),
                 first = n ? grid_chunk_first(A->nrows, grid_ctx.k) : 0;
  *yes = false;
  if (!has_blocks(b) || grid_ctx.C > 1 || b->rows_hyper || b->cols_hyper ||
      !grid_can_be_paged(&(grid_pages_head){.nrows = b->nrows, .ncols = b->ncols, .nvals = b->nvals}))
    return GrB_SUCCESS;
  uint64_t sums[2] = {bytes_of_rows(b, first, first + n) > grid_paged_budget_left(),
                      grid_pages_have_folders()};
  const GrB_Info info = grid_agree_sum(NULL, GrB_SUCCESS, sums, 2);
  if (info != GrB_SUCCESS || !sums[0] || !sums[1]) return info;
  *yes = true;
  if (sums[1] == (uint64_t)grid_ctx.P) return info;
  return grid_fail(&A->head, GrB_INVALID_VALUE,
                   "%s: the matrix does not fit in memory, and GRIDBLAS_PAGES_FOLDERS is set on %llu of %d "
                   "processes only: set it on all",
                   call, (unsigned long long)sums[1], grid_ctx.P);
}

/* Rows first + row .. first + end of the blob are the local ones row .. end. */
static GrB_Info append_rows(grid_pages *out, GrB_Matrix A, const grid_blob *b, uint64_t first, uint64_t row,
                            uint64_t end, const char *call) {
  const grid_csr_part part = {.range = &(grid_row_range){.first = first + row, .n = end - row},
                              .ranges = 1,
                              .end = b->ncols,
                              .dim = b->ncols};
  grid_local_matrix p;
  grid_expanded_lmat u;
  grid_lmat_init(&p, A->type, end - row, A->block.col.dim);
  GrB_Info info = grid_blob_part_to_lmat(&p, b, &part, call);
  if (info != GrB_SUCCESS) return info;
  info = grid_lmat_expand_hyper(&u, &p, true);
  if (info == GrB_SUCCESS) info = grid_pages_append(out, row, &u.lmat, 0, end - row);
  grid_expanded_lmat_free(&u);
  grid_lmat_free(&p);
  return info;
}

static GrB_Info fill_pages(GrB_Matrix A, const grid_blob *b, const char *call) {
  enum { SHARE = 6 };
  const uint64_t n = grid_chunk_length(A->nrows, grid_ctx.k),
                 first = n ? grid_chunk_first(A->nrows, grid_ctx.k) : 0,
                 part = grid_paged_budget_left() / SHARE,
                 most = part > grid_tune.row_panel_min_bytes ? part : grid_tune.row_panel_min_bytes;
  grid_pages *out = NULL;
  GrB_Info info = grid_pages_new(&out, "", A->type, n, A->block.col.dim);
  for (uint64_t row = 0, end; row < n && info == GrB_SUCCESS; row = end) {
    for (end = row + 1; end < n && bytes_of_rows(b, first + row, first + end + 1) <= most;) end++;
    info = append_rows(out, A, b, first, row, end, call);
  }
  if (info == GrB_SUCCESS) grid_pages_complete(out);
  return grid_paged_adopt(A, out, NULL, info);
}

GrB_Info grid_matrix_of_blob(GrB_Matrix *A, GrB_Type type, const char *what, const grid_blob *b,
                             bool in_memory, const char *call) {
  GrB_Matrix made = NULL;
  bool is_paged = false;
  GrB_Info info = type ? grid_check_object(type, NULL, call, what) : GrB_SUCCESS;
  if (info == GrB_SUCCESS) info = find_type(&type, what, b, call);
  TRY(grid_agree(NULL, info));
  TRY(GrB_Matrix_new(&made, type, b->nrows, b->ncols));
  if (!in_memory) TRY(is_paged_result(&is_paged, made, b, call));
  TRY(is_paged        ? fill_pages(made, b, call)
      : has_blocks(b) ? fill_block(made, b, call)
                      : fill_share(made, b, call));
  *A = made;
  made = NULL;
done:
  GrB_Matrix_free(&made);
  return info;
}

static GrB_Info deserialize(GrB_Matrix *A, GrB_Type d, const void *serialized_data,
                            GrB_Index serialized_size) {
  static const char call[] = "GrB_Matrix_deserialize";
  grid_blob_info blob;
  GrB_Info info = grid_check_initialized(call);
  if (info != GrB_SUCCESS) return info;
  if (!A || !serialized_data)
    info = grid_fail(NULL, GrB_NULL_POINTER, "%s: argument %s is NULL", call, A ? "serialized_data" : "A");
  TRY(grid_blob_info_read_shares(&blob, serialized_data, serialized_size, info, call));
  info = grid_matrix_of_blob(A, d, "d", &blob.matrix, false, call);
done:
  return info;
}

GrB_Info GrB_Matrix_deserialize(GrB_Matrix *A, GrB_Type d, const void *serialized_data,
                                GrB_Index serialized_size) {
  return GRID_TRACE_NEW_CALL("GrB_Matrix_deserialize", 0, deserialize(A, d, serialized_data, serialized_size),
                             A, NULL);
}
