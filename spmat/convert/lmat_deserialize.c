/* See lmat_serialize.h: checks of a blob, and the matrix that it holds. */
#include "spmat/convert/lmat_blob.h"

#include <string.h>

#include "spmat/convert/lmat_format.h"
#include "spmat/matrix/axis.h"

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

/* A byte that is neither 0 nor 1 is no valid BOOL. Of a share of the values. */
static bool has_valid_values(const grid_blob *b, uint64_t k, uint64_t of) {
  const uint64_t n = b->iso ? 1 : b->nvals, share = n / of + 1, from = k * share < n ? k * share : n,
                 end = n - from < share ? n : from + share;
  unsigned all = 0;
  if (b->code != GrB_BOOL_CODE) return true;
#pragma omp parallel for schedule(static) reduction(| : all) if (end - from > 1 << 15)
  for (uint64_t e = from; e < end; e++) all |= (unsigned char)b->val[e];
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

GrB_Info grid_blob_check_sums(const grid_blob_share *share, const char *call) {
  if (share->sums[0]) return fail_damaged(call, "its checksum");
  if (share->sums[1] != (uint64_t)share->of * share->header)
    return fail_damaged(call, "its header is not the same on all processes");
  return GrB_SUCCESS;
}

GrB_Info grid_blob_read(grid_blob *b, const void *data, uint64_t bytes, grid_blob_share *share,
                        const char *call) {
  grid_blob_share alone = {.of = 1};
  grid_blob_share *s = share ? share : &alone;
  GrB_Info info = read_header(b, data, bytes, call);
  if (info != GrB_SUCCESS) return info;
  const uint64_t checksum = s->k == 0 ? grid_blob_number(data, 8, GRID_BLOB_CHECKSUM) : 0;
  s->header = grid_checksum(data, GRID_BLOB_WORDS * sizeof(uint64_t), 1);
  s->sums[0] = grid_blob_checksum_share(data, b->bytes, s->k, s->of) - checksum, s->sums[1] = s->header;
  if (!share && (info = grid_blob_check_sums(s, call)) != GrB_SUCCESS) return info;
  if (b->rows_hyper && !is_valid_list(b->row_ids, b->rows, b->nrows))
    return fail_damaged(call, "its list of rows");
  if (b->cols_hyper && !is_valid_list(b->col_ids, b->cols, b->ncols))
    return fail_damaged(call, "its list of columns");
  if (!has_valid_offsets(b)) return fail_damaged(call, "where its rows begin");
  if (!has_valid_values(b, (uint64_t)s->k, (uint64_t)s->of))
    return fail_damaged(call, "a value that is no bool");
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

/* Makes the rows; p's axes have their lists. */
static GrB_Info decode_rows(grid_local_matrix *p, const grid_blob *b, const grid_csr_part *part,
                            const char *call) {
  const bool has_offsets64 = grid_blob_number_size(b->nvals) == sizeof(uint64_t);
  const grid_program_indices offsets = {has_offsets64 ? NULL : b->offsets, has_offsets64 ? b->offsets : NULL,
                                        false},
                             idx = {.x32 = b->idx};
  bool ascending = false;
  GrB_Info info = b->iso ? grid_lmat_set_iso(p, b->val) : GrB_SUCCESS;
  if (info == GrB_SUCCESS) info = grid_lmat_from_csr(p, offsets, part, idx, b->val, &ascending);
  if (info == GrB_SUCCESS && !ascending) info = fail_damaged(call, "columns of its entries");
  if (info != GrB_SUCCESS) grid_lmat_free(p);
  return info;
}

GrB_Info grid_blob_to_lmat(grid_local_matrix *p, const grid_blob *b, const char *call) {
  const grid_csr_part all = {
      .range = &(grid_row_range){.n = b->rows}, .ranges = 1, .end = b->cols, .dim = b->cols};
  GrB_Info info = set_axis(&p->row, b->rows_hyper, b->rows, b->row_ids, grid_blob_number_size(b->nrows));
  if (info == GrB_SUCCESS)
    info = set_axis(&p->col, b->cols_hyper, b->cols, b->col_ids, grid_blob_number_size(b->ncols));
  if (info == GrB_SUCCESS) return decode_rows(p, b, &all, call);
  grid_lmat_free(p);
  return info;
}

GrB_Info grid_blob_part_to_lmat(grid_local_matrix *p, const grid_blob *b, const grid_csr_part *part,
                                const char *call) {
  return decode_rows(p, b, part, call);
}

GrB_Info grid_blob_to_tuples(uint64_t *row, uint64_t *col, const grid_blob *b, const char *call) {
  const size_t size = grid_blob_number_size(b->nvals), row_size = grid_blob_number_size(b->nrows),
               col_size = grid_blob_number_size(b->ncols);
  uint64_t bad = 0;
#pragma omp parallel for schedule(dynamic, 1024) reduction(| : bad) if (b->nvals > 1 << 15)
  for (uint64_t r = 0; r < b->rows; r++) {
    const uint64_t id = b->rows_hyper ? grid_blob_number(b->row_ids, row_size, r) : r;
    const uint64_t end = grid_blob_number(b->offsets, size, r + 1);
    uint64_t least = 0;
    for (uint64_t e = grid_blob_number(b->offsets, size, r); e < end; e++) {
      const uint64_t c = grid_blob_number(b->idx, sizeof(uint32_t), e);
      bad |= c < least || c >= b->cols;
      least = c + 1;
      row[e] = id;
      col[e] = b->cols_hyper && c < b->cols ? grid_blob_number(b->col_ids, col_size, c) : c;
    }
  }
  return bad ? fail_damaged(call, "columns of its entries") : GrB_SUCCESS;
}
