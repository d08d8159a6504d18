/* See lmat_serialize.h: checks of a blob, and the matrix that it holds. */
#include "spmat/convert/lmat_blob.h"

#include <string.h>

#include "spmat/convert/lmat_format.h"
#include "spmat/matrix/axis.h"

enum { STRETCH = 1 << 13 };

static GrB_Info fail_damaged(const char *call, const char *what) {
  return grid_fail(NULL, GrB_INVALID_OBJECT, "%s: serialized_data is damaged, or no serialized matrix: %s",
                   call, what);
}

static bool has_valid_type(const grid_blob *b) {
  if (b->code == GrB_UDT_CODE) return b->size != 0;
  const GrB_Type t = grid_type_of_code(b->code);
  return t && t->size == b->size;
}

/* Do the numbers ascend below `below`? */
static bool is_valid_list(const char *at, uint64_t n, uint64_t below) {
  const size_t size = grid_blob_number_size(below);
  uint64_t bad = 0;
#pragma omp parallel for schedule(static) reduction(| : bad) if (n > 1 << 15)
  for (uint64_t k = 0; k < n; k++)
    bad |= grid_blob_number(at, size, k) >= below ||
           (k && grid_blob_number(at, size, k - 1) >= grid_blob_number(at, size, k));
  return !bad;
}

static bool has_valid_offsets(const grid_blob *b) {
  const size_t size = grid_blob_number_size(b->nvals);
  uint64_t bad =
      grid_blob_number(b->offsets, size, 0) != 0 || grid_blob_number(b->offsets, size, b->rows) != b->nvals;
#pragma omp parallel for schedule(static) reduction(| : bad) if (b->rows > 1 << 15)
  for (uint64_t r = 0; r < b->rows; r++)
    bad |= grid_blob_number(b->offsets, size, r) > grid_blob_number(b->offsets, size, r + 1);
  return !bad;
}

/* Of the rows from .. end - 1, whose offsets are valid. */
static uint64_t count_bad_rows(const grid_blob *b, uint64_t from, uint64_t end) {
  const size_t size = grid_blob_number_size(b->nvals);
  uint64_t bad = 0;
  for (uint64_t r = from; r < end; r++) {
    const uint64_t first = grid_blob_number(b->offsets, size, r),
                   last = grid_blob_number(b->offsets, size, r + 1);
    uint64_t before = 0;
    for (uint64_t e = first; e < last; e++) {
      const uint64_t c = grid_blob_number(b->idx, sizeof(uint32_t), e) + 1;
      bad |= c <= before;
      before = c;
    }
    bad |= before > b->cols;
  }
  return bad;
}

static bool has_valid_columns(const grid_blob *b) {
  uint64_t bad = 0;
#pragma omp parallel for schedule(dynamic, 1) reduction(| : bad) if (b->nvals > 1 << 15)
  for (uint64_t r = 0; r < b->rows; r += STRETCH)
    bad |= count_bad_rows(b, r, b->rows - r < STRETCH ? b->rows : r + STRETCH);
  return !bad;
}

/* A byte that is neither 0 nor 1 is no valid BOOL. */
static bool has_valid_values(const grid_blob *b) {
  const uint64_t n = b->iso ? 1 : b->nvals;
  unsigned all = 0;
  if (b->code != GrB_BOOL_CODE) return true;
#pragma omp parallel for schedule(static) reduction(| : all) if (n > 1 << 15)
  for (uint64_t k = 0; k < n; k++) all |= (unsigned char)b->val[k];
  return all <= 1;
}

static GrB_Info read_header(grid_blob *b, const char *data, uint64_t bytes, const char *call) {
  uint64_t head[GRID_BLOB_WORDS];
  if (bytes < sizeof head) return fail_damaged(call, "it is shorter than a header");
  memcpy(head, data, sizeof head);
  if (head[GRID_BLOB_MAGIC_WORD] != grid_blob_magic) return fail_damaged(call, "it does not begin as one");
  if (head[GRID_BLOB_VERSION] != GRID_BLOB_THIS_VERSION) return fail_damaged(call, "its version is another");
  if (head[GRID_BLOB_BYTES] > bytes || head[GRID_BLOB_BYTES] % 8) return fail_damaged(call, "it is cut off");
  *b = (grid_blob){.nrows = head[GRID_BLOB_NROWS],
                   .ncols = head[GRID_BLOB_NCOLS],
                   .nvals = head[GRID_BLOB_NVALS],
                   .rows = head[GRID_BLOB_ROWS],
                   .cols = head[GRID_BLOB_COLS],
                   .rows_hyper = head[GRID_BLOB_FLAGS] & GRID_BLOB_ROWS_HYPER,
                   .cols_hyper = head[GRID_BLOB_FLAGS] & GRID_BLOB_COLS_HYPER,
                   .iso = head[GRID_BLOB_FLAGS] & GRID_BLOB_ISO,
                   .has_trailer = head[GRID_BLOB_FLAGS] & GRID_BLOB_HAS_TRAILER,
                   .code = head[GRID_BLOB_TYPE] <= GxB_FC64_CODE ? (int32_t)head[GRID_BLOB_TYPE] : -1,
                   .size = head[GRID_BLOB_SIZE],
                   .bytes = head[GRID_BLOB_BYTES]};
  const uint64_t most = GrB_INDEX_MAX + 1;
  if (b->nrows > most || b->ncols > most) return fail_damaged(call, "dimensions that no matrix has");
  if (!has_valid_type(b) || head[GRID_BLOB_FLAGS] > GRID_BLOB_ALL_FLAGS)
    return fail_damaged(call, "a type or flags that there are not");
  if (b->rows_hyper ? b->rows > b->nrows || b->rows > UINT32_MAX
                    : b->rows != b->nrows || b->nrows > UINT32_MAX)
    return fail_damaged(call, "the number of its rows");
  if (b->cols_hyper ? b->cols > b->ncols || b->cols > UINT32_MAX
                    : b->cols != b->ncols || b->ncols > UINT32_MAX)
    return fail_damaged(call, "the number of its columns");
  /* few entries in many columns are listed (GRID_HYPER): no array larger than the blob is made from it */
  if (!b->cols_hyper && b->ncols / (8 * GRID_HYPER) > b->nvals + 64)
    return fail_damaged(call, "the number of its columns");
  /* lengths, checked so that no product of them overflows a pointer; values have at least a byte each unless
   * iso; without values their size is meaningless */
  if (b->nvals > b->bytes / sizeof(uint32_t) || b->rows > b->bytes / sizeof(uint32_t) ||
      ((b->nvals || b->iso) && b->size > b->bytes) || grid_blob_layout(b, data) != b->bytes)
    return fail_damaged(call, "its length does not fit its header");
  return GrB_SUCCESS;
}

GrB_Info grid_blob_read(grid_blob *b, const void *data, uint64_t bytes, const char *call) {
  GrB_Info info = read_header(b, data, bytes, call);
  if (info != GrB_SUCCESS) return info;
  if (grid_blob_number(data, 8, GRID_BLOB_CHECKSUM) != grid_blob_checksum(data, b->bytes))
    return fail_damaged(call, "its checksum");
  if (b->rows_hyper && !is_valid_list(b->row_ids, b->rows, b->nrows))
    return fail_damaged(call, "its list of rows");
  if (b->cols_hyper && !is_valid_list(b->col_ids, b->cols, b->ncols))
    return fail_damaged(call, "its list of columns");
  if (!has_valid_offsets(b)) return fail_damaged(call, "where its rows begin");
  if (!has_valid_columns(b)) return fail_damaged(call, "columns of its entries");
  if (!has_valid_values(b)) return fail_damaged(call, "a value that is no bool");
  return GrB_SUCCESS;
}

/* ---- decoding ------------------------------------------------------------------------------------------ */

static GrB_Info set_axis(grid_axis *a, bool hypersparse, uint64_t n, const char *ids, size_t size) {
  a->n = a->dim;
  if (!hypersparse) return GrB_SUCCESS;
  GrB_Info info = grid_axis_list(a, n);
  if (info == GrB_SUCCESS) grid_blob_copy_numbers(a->ids, grid_axis_id_size(a), ids, size, n);
  return info;
}

/* Offsets of the n rows from `first` on; other rows of p are empty. */
static bool set_offsets(grid_local_matrix *p, const grid_blob *b, uint64_t first, uint64_t n) {
  const size_t size = grid_blob_number_size(b->nvals);
  const uint64_t before = grid_blob_number(b->offsets, size, first);
  grid_offsets o = {NULL, NULL};
  const bool made = grid_offsets_make(&o, p->row.n + 1, p->nvals);
  p->by_row.ptr = o.offsets32, p->by_row.offsets64 = o.offsets64;
  if (!made) return false;
  if (before == 0 && n == b->rows)
    grid_blob_copy_numbers(o.offsets64 ? (void *)o.offsets64 : o.offsets32, grid_offset_size(o), b->offsets,
                           size, n + 1);
  else
    for (uint64_t r = 0; r <= n; r++)
      grid_offset_set(o, r, grid_blob_number(b->offsets, size, first + r) - before);
  for (uint64_t r = n + 1; r <= p->row.n; r++) grid_offset_set(o, r, p->nvals);
  return true;
}

/* Makes the rows; p's axes exist. */
static GrB_Info decode_rows(grid_local_matrix *p, const grid_blob *b, uint64_t first, uint64_t n) {
  const size_t size = grid_blob_number_size(b->nvals);
  const uint64_t at = grid_blob_number(b->offsets, size, first),
                 nvals = grid_blob_number(b->offsets, size, first + n) - at;
  GrB_Info info = GrB_SUCCESS;
  p->nvals = nvals;
  p->by_row.idx = grid_malloc(nvals, sizeof *p->by_row.idx);
  if (!b->iso) p->by_row.val = grid_malloc(nvals, b->size);
  if (!p->by_row.idx || (!b->iso && !p->by_row.val) || !set_offsets(p, b, first, n))
    TRY(grid_fail_memory(NULL, "a deserialized matrix", nvals, sizeof(uint32_t) + b->size));
  grid_copy_bytes(p->by_row.idx, b->idx + at * sizeof(uint32_t), nvals * sizeof(uint32_t));
  if (b->iso)
    TRY(grid_lmat_set_iso(p, b->val));
  else
    grid_copy_bytes(p->by_row.val, b->val + at * b->size, nvals * b->size);
  TRY(grid_lmat_choose_format(p));
done:
  if (info != GrB_SUCCESS) grid_lmat_free(p);
  return info;
}

GrB_Info grid_blob_to_lmat(grid_local_matrix *p, const grid_blob *b) {
  GrB_Info info = set_axis(&p->row, b->rows_hyper, b->rows, b->row_ids, grid_blob_number_size(b->nrows));
  if (info == GrB_SUCCESS)
    info = set_axis(&p->col, b->cols_hyper, b->cols, b->col_ids, grid_blob_number_size(b->ncols));
  if (info == GrB_SUCCESS) return decode_rows(p, b, 0, b->rows);
  grid_lmat_free(p);
  return info;
}

GrB_Info grid_blob_rows_to_lmat(grid_local_matrix *p, const grid_blob *b, uint64_t first, uint64_t n) {
  p->row.n = p->row.dim;
  p->col.n = p->col.dim;
  return decode_rows(p, b, first, n);
}

void grid_blob_to_tuples(uint64_t *row, uint64_t *col, const grid_blob *b) {
  const size_t size = grid_blob_number_size(b->nvals), row_size = grid_blob_number_size(b->nrows),
               col_size = grid_blob_number_size(b->ncols);
#pragma omp parallel for schedule(dynamic, 1024) if (b->nvals > 1 << 15)
  for (uint64_t r = 0; r < b->rows; r++) {
    const uint64_t id = b->rows_hyper ? grid_blob_number(b->row_ids, row_size, r) : r;
    const uint64_t end = grid_blob_number(b->offsets, size, r + 1);
    for (uint64_t e = grid_blob_number(b->offsets, size, r); e < end; e++) {
      const uint64_t c = grid_blob_number(b->idx, sizeof(uint32_t), e);
      row[e] = id;
      col[e] = b->cols_hyper ? grid_blob_number(b->col_ids, col_size, c) : c;
    }
  }
}
