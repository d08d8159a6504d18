/* See lmat_serialize.h. */
#include "spmat/convert/lmat_serialize.h"

#include <string.h>

#include "spmat/convert/checksum.h"
#include "spmat/matrix/axis.h"
#include "spmat/convert/lmat_format.h"

enum {
  MAGIC,
  VERSION,
  BYTES,
  CHECKSUM = GRID_BLOB_CHECKSUM,
  NROWS,
  NCOLS,
  NVALS,
  TYPE,
  SIZE,
  FLAGS,
  ROWS,
  COLS
};
enum { ISO = 1, ROWS_HYPER = 2, COLS_HYPER = 4, HAS_TRAILER = 8, ALL_FLAGS = 15 };
enum { THIS_VERSION = 1, STRETCH = 1 << 13 };
static const uint64_t magic = UINT64_C(0x626f6c6264697267); /* "gridblob" */

/* ---- layout ---------------------------------------------------------------------------------------------
 */

static size_t number_size(uint64_t most) {
  return most > UINT32_MAX ? sizeof(uint64_t) : sizeof(uint32_t);
}

/* Adds a section of n elements; UINT64_MAX: overflow. */
static uint64_t add(uint64_t at, uint64_t n, uint64_t size) {
  uint64_t bytes, end;
  if (at == UINT64_MAX || __builtin_mul_overflow(n, size, &bytes) || bytes > UINT64_MAX - 8)
    return UINT64_MAX;
  return __builtin_add_overflow(at, (bytes + 7) / 8 * 8, &end) ? UINT64_MAX : end;
}

static const char *section(const char *data, uint64_t at) {
  return data ? data + at : NULL;
}

/* Computes the positions of b's sections in data (NULL: unknown) from its other members; returns where the
 * last ends. */
static uint64_t compute_layout(grid_blob *b, const char *data) {
  uint64_t at = GRID_BLOB_WORDS * sizeof(uint64_t);
  b->row_ids = section(data, at);
  if (b->rows_hyper) at = add(at, b->rows, number_size(b->nrows));
  b->col_ids = section(data, at);
  if (b->cols_hyper) at = add(at, b->cols, number_size(b->ncols));
  b->offsets = section(data, at);
  at = add(at, b->rows + 1, number_size(b->nvals));
  b->idx = section(data, at);
  at = add(at, b->nvals, sizeof(uint32_t));
  b->val = section(data, at);
  return add(at, b->iso ? 1 : b->nvals, b->size);
}

static grid_blob blob_of(const grid_local_matrix *p, uint64_t nrows, uint64_t ncols) {
  return (grid_blob){.nrows = nrows,
                     .ncols = ncols,
                     .nvals = p->nvals,
                     .rows = p->row.ids ? p->row.n : nrows,
                     .cols = p->col.ids ? p->col.n : ncols,
                     .rows_hyper = p->row.ids != NULL,
                     .cols_hyper = p->col.ids != NULL,
                     .iso = p->iso && p->iso_val,
                     .code = grid_type_code(p->type),
                     .size = p->type->size};
}

uint64_t grid_blob_bytes(const grid_local_matrix *p, uint64_t nrows, uint64_t ncols) {
  grid_blob b = blob_of(p, nrows, ncols);
  return compute_layout(&b, NULL);
}

uint64_t grid_blob_max_bytes(uint64_t nrows, uint64_t ncols, uint64_t nvals, size_t size) {
  const uint64_t most = nvals > UINT64_MAX / GRID_HYPER - 1 ? UINT64_MAX : (nvals + 1) * GRID_HYPER;
  uint64_t at = GRID_BLOB_WORDS * sizeof(uint64_t);
  at = add(at, nrows < nvals ? nrows : nvals, number_size(nrows));
  at = add(at, ncols < nvals ? ncols : nvals, number_size(ncols));
  at = add(at, (nrows < most ? nrows : most) + 1, number_size(nvals));
  at = add(at, nvals, sizeof(uint32_t));
  return add(at, nvals ? nvals : 1, size);
}

/* ---- numbers of 4 or 8 bytes ----------------------------------------------------------------------------
 */

static inline uint64_t read_number(const char *at, size_t size, uint64_t k) {
  uint32_t offsets32;
  uint64_t offsets64;
  if (size == sizeof offsets64) {
    memcpy(&offsets64, at + k * sizeof offsets64, sizeof offsets64);
    return offsets64;
  }
  memcpy(&offsets32, at + k * sizeof offsets32, sizeof offsets32);
  return offsets32;
}

/* Copies n numbers, converting their size. */
static void copy_numbers(void *to, size_t to_size, const void *from, size_t from_size, uint64_t n) {
  char *z = to;
  if (to_size == from_size) {
    grid_copy_bytes(z, from, n * to_size);
    return;
  }
#pragma omp parallel for schedule(static) if (n > 1 << 15)
  for (uint64_t k = 0; k < n; k++) {
    const uint64_t x = read_number(from, from_size, k);
    const uint32_t offsets32 = (uint32_t)x;
    memcpy(z + k * to_size, to_size == sizeof x ? (const void *)&x : &offsets32, to_size);
  }
}

/* ---- checksum -------------------------------------------------------------------------------------------
 */

static const uint64_t segment = UINT64_C(1) << 16;
enum { SUMMED_FROM = (CHECKSUM + 1) * sizeof(uint64_t) };

uint64_t grid_blob_checksum(const void *data, uint64_t bytes) {
  const uint64_t head = CHECKSUM * sizeof(uint64_t), from = SUMMED_FROM;
  const char *p = data;
  uint64_t sum = grid_checksum(p, head, 1);
#pragma omp parallel for schedule(static) reduction(+ : sum) if (bytes > 16 * segment)
  for (uint64_t at = from; at < bytes; at += segment)
    sum += grid_checksum(p + at, bytes - at < segment ? bytes - at : segment, at);
  return sum;
}

/* ---- writing --------------------------------------------------------------------------------------------
 */

/* Padding is zero, so that equal matrices give equal bytes. */
static void clear_padding(const char *at, const char *end) {
  const uint64_t zero = 0;
  if (end > at) memcpy((char *)(uintptr_t)end - 8, &zero, 8);
}

#define SECTION(at) (data + ((at)-data))

/* Writes the head, except for its checksum, and the padding. */
static void begin(const grid_blob *b, char *data, uint64_t bytes) {
  const uint64_t head[GRID_BLOB_WORDS] = {
      [MAGIC] = magic,
      [VERSION] = THIS_VERSION,
      [BYTES] = bytes,
      [NROWS] = b->nrows,
      [NCOLS] = b->ncols,
      [NVALS] = b->nvals,
      [TYPE] = (uint64_t)b->code,
      [SIZE] = b->size,
      [FLAGS] = (b->iso ? ISO : 0u) | (b->rows_hyper ? ROWS_HYPER : 0u) | (b->cols_hyper ? COLS_HYPER : 0u),
      [ROWS] = b->rows,
      [COLS] = b->cols};
  memcpy(data, head, sizeof head);
  clear_padding(b->row_ids, b->col_ids);
  clear_padding(b->col_ids, b->offsets);
  clear_padding(b->offsets, b->idx);
  clear_padding(b->idx, b->val);
  clear_padding(b->val, data + bytes);
}

static void seal(char *data, uint64_t bytes) {
  const uint64_t checksum = grid_blob_checksum(data, bytes);
  memcpy(data + CHECKSUM * sizeof checksum, &checksum, sizeof checksum);
}

/* The checksum is a sum over segments, of which the flag changes the first. */
void grid_blob_announce_trailer(void *blob) {
  char *data = blob;
  uint64_t head[GRID_BLOB_WORDS];
  memcpy(head, data, sizeof head);
  const uint64_t end = SUMMED_FROM + segment, first = head[BYTES] < end ? head[BYTES] : end;
  head[CHECKSUM] -= grid_blob_checksum(data, first);
  head[FLAGS] |= HAS_TRAILER;
  memcpy(data, head, sizeof head);
  head[CHECKSUM] += grid_blob_checksum(data, first);
  memcpy(data, head, sizeof head);
}

void grid_blob_write(void *blob, const grid_local_matrix *p, uint64_t nrows, uint64_t ncols) {
  grid_blob b = blob_of(p, nrows, ncols);
  char *data = blob;
  const uint64_t bytes = compute_layout(&b, data);
  begin(&b, data, bytes);
  if (b.rows_hyper)
    copy_numbers(SECTION(b.row_ids), number_size(nrows), p->row.ids, grid_axis_id_size(&p->row), b.rows);
  if (b.cols_hyper)
    copy_numbers(SECTION(b.col_ids), number_size(ncols), p->col.ids, grid_axis_id_size(&p->col), b.cols);
  const grid_offsets o = grid_vector_starts(&p->by_row);
  copy_numbers(SECTION(b.offsets), number_size(b.nvals),
               o.offsets64 ? (const void *)o.offsets64 : o.offsets32, grid_offset_size(o), b.rows + 1);
  grid_copy_bytes(SECTION(b.idx), p->by_row.idx, b.nvals * sizeof(uint32_t));
  grid_copy_bytes(SECTION(b.val), b.iso ? p->iso_val : p->by_row.val, (b.iso ? 1 : b.nvals) * b.size);
  seal(data, bytes);
}

/* ---- incremental writing ------------------------------------------------------------------------------- */

bool grid_blob_can_be_sparse(uint64_t nrows, uint64_t ncols, uint64_t nvals) {
  return nrows <= UINT32_MAX && ncols <= UINT32_MAX && ncols / (8 * GRID_HYPER) <= nvals + 64;
}

void grid_blob_begin(grid_blob_writer *w, void *blob, const grid_local_matrix *like, uint64_t nrows,
                     uint64_t ncols) {
  *w = (grid_blob_writer){.b = blob_of(like, nrows, ncols), .data = blob};
  w->b.bytes = compute_layout(&w->b, w->data);
  begin(&w->b, w->data, w->b.bytes);
  char *data = w->data;
  if (w->b.iso) memcpy(SECTION(w->b.val), like->iso_val, w->b.size);
}

/* Rows up to `row` begin here at the latest. */
static void begin_rows(grid_blob_writer *w, uint64_t row) {
  const size_t size = number_size(w->b.nvals);
  const uint32_t offsets32 = (uint32_t)w->entry;
  char *data = w->data;
  for (; w->row <= row; w->row++)
    memcpy(SECTION(w->b.offsets) + w->row * size,
           size == sizeof offsets32 ? (const void *)&offsets32 : &w->entry, size);
}

void grid_blob_append(grid_blob_writer *w, uint64_t n, const uint64_t *row, const uint32_t *col,
                      const char *val) {
  char *data = w->data;
  memcpy(SECTION(w->b.idx) + w->entry * sizeof *col, col, n * sizeof *col);
  if (!w->b.iso) memcpy(SECTION(w->b.val) + w->entry * w->b.size, val, n * w->b.size);
  for (uint64_t k = 0; k < n; k++) {
    begin_rows(w, row[k]);
    w->entry++;
  }
}

void grid_blob_end(grid_blob_writer *w) {
  begin_rows(w, w->b.rows);
  seal(w->data, w->b.bytes);
}
#undef SECTION

/* ---- reading --------------------------------------------------------------------------------------------
 */

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
  const size_t size = number_size(below);
  uint64_t bad = 0;
#pragma omp parallel for schedule(static) reduction(| : bad) if (n > 1 << 15)
  for (uint64_t k = 0; k < n; k++)
    bad |=
        read_number(at, size, k) >= below || (k && read_number(at, size, k - 1) >= read_number(at, size, k));
  return !bad;
}

static bool has_valid_offsets(const grid_blob *b) {
  const size_t size = number_size(b->nvals);
  uint64_t bad = read_number(b->offsets, size, 0) != 0 || read_number(b->offsets, size, b->rows) != b->nvals;
#pragma omp parallel for schedule(static) reduction(| : bad) if (b->rows > 1 << 15)
  for (uint64_t r = 0; r < b->rows; r++)
    bad |= read_number(b->offsets, size, r) > read_number(b->offsets, size, r + 1);
  return !bad;
}

/* Of the rows from .. end - 1, whose offsets are valid. */
static uint64_t count_bad_rows(const grid_blob *b, uint64_t from, uint64_t end) {
  const size_t size = number_size(b->nvals);
  uint64_t bad = 0;
  for (uint64_t r = from; r < end; r++) {
    const uint64_t first = read_number(b->offsets, size, r), last = read_number(b->offsets, size, r + 1);
    uint64_t before = 0;
    for (uint64_t e = first; e < last; e++) {
      const uint64_t c = read_number(b->idx, sizeof(uint32_t), e) + 1;
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
  if (head[MAGIC] != magic) return fail_damaged(call, "it does not begin as one");
  if (head[VERSION] != THIS_VERSION) return fail_damaged(call, "its version is another");
  if (head[BYTES] > bytes || head[BYTES] % 8) return fail_damaged(call, "it is cut off");
  *b = (grid_blob){.nrows = head[NROWS],
                   .ncols = head[NCOLS],
                   .nvals = head[NVALS],
                   .rows = head[ROWS],
                   .cols = head[COLS],
                   .rows_hyper = head[FLAGS] & ROWS_HYPER,
                   .cols_hyper = head[FLAGS] & COLS_HYPER,
                   .iso = head[FLAGS] & ISO,
                   .has_trailer = head[FLAGS] & HAS_TRAILER,
                   .code = head[TYPE] <= GxB_FC64_CODE ? (int32_t)head[TYPE] : -1,
                   .size = head[SIZE],
                   .bytes = head[BYTES]};
  const uint64_t most = GrB_INDEX_MAX + 1;
  if (b->nrows > most || b->ncols > most) return fail_damaged(call, "dimensions that no matrix has");
  if (!has_valid_type(b) || head[FLAGS] > ALL_FLAGS)
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
      ((b->nvals || b->iso) && b->size > b->bytes) || compute_layout(b, data) != b->bytes)
    return fail_damaged(call, "its length does not fit its header");
  return GrB_SUCCESS;
}

GrB_Info grid_blob_read(grid_blob *b, const void *data, uint64_t bytes, const char *call) {
  GrB_Info info = read_header(b, data, bytes, call);
  if (info != GrB_SUCCESS) return info;
  if (read_number(data, 8, CHECKSUM) != grid_blob_checksum(data, b->bytes))
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
  if (info == GrB_SUCCESS) copy_numbers(a->ids, grid_axis_id_size(a), ids, size, n);
  return info;
}

/* Offsets of the n rows from `first` on; other rows of p are empty. */
static bool set_offsets(grid_local_matrix *p, const grid_blob *b, uint64_t first, uint64_t n) {
  const size_t size = number_size(b->nvals);
  const uint64_t before = read_number(b->offsets, size, first);
  grid_offsets o = {NULL, NULL};
  const bool made = grid_offsets_make(&o, p->row.n + 1, p->nvals);
  p->by_row.ptr = o.offsets32, p->by_row.offsets64 = o.offsets64;
  if (!made) return false;
  if (before == 0 && n == b->rows)
    copy_numbers(o.offsets64 ? (void *)o.offsets64 : o.offsets32, grid_offset_size(o), b->offsets, size,
                 n + 1);
  else
    for (uint64_t r = 0; r <= n; r++)
      grid_offset_set(o, r, read_number(b->offsets, size, first + r) - before);
  for (uint64_t r = n + 1; r <= p->row.n; r++) grid_offset_set(o, r, p->nvals);
  return true;
}

/* Makes the rows; p's axes exist. */
static GrB_Info decode_rows(grid_local_matrix *p, const grid_blob *b, uint64_t first, uint64_t n) {
  const size_t size = number_size(b->nvals);
  const uint64_t at = read_number(b->offsets, size, first),
                 nvals = read_number(b->offsets, size, first + n) - at;
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
  GrB_Info info = set_axis(&p->row, b->rows_hyper, b->rows, b->row_ids, number_size(b->nrows));
  if (info == GrB_SUCCESS)
    info = set_axis(&p->col, b->cols_hyper, b->cols, b->col_ids, number_size(b->ncols));
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
  const size_t size = number_size(b->nvals), row_size = number_size(b->nrows),
               col_size = number_size(b->ncols);
#pragma omp parallel for schedule(dynamic, 1024) if (b->nvals > 1 << 15)
  for (uint64_t r = 0; r < b->rows; r++) {
    const uint64_t id = b->rows_hyper ? read_number(b->row_ids, row_size, r) : r;
    const uint64_t end = read_number(b->offsets, size, r + 1);
    for (uint64_t e = read_number(b->offsets, size, r); e < end; e++) {
      const uint64_t c = read_number(b->idx, sizeof(uint32_t), e);
      row[e] = id;
      col[e] = b->cols_hyper ? read_number(b->col_ids, col_size, c) : c;
    }
  }
}
