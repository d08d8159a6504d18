/* See lmat_serialize.h: the bytes of a matrix. */
#include "spmat/convert/lmat_blob.h"

#include <string.h>

#include "spmat/convert/checksum.h"
#include "spmat/matrix/axis.h"

/* ---- layout -------------------------------------------------------------------------------------------- */

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

uint64_t grid_blob_layout(grid_blob *b, const char *data) {
  uint64_t at = GRID_BLOB_WORDS * sizeof(uint64_t);
  b->row_ids = section(data, at);
  if (b->rows_hyper) at = add(at, b->rows, grid_blob_number_size(b->nrows));
  b->col_ids = section(data, at);
  if (b->cols_hyper) at = add(at, b->cols, grid_blob_number_size(b->ncols));
  b->offsets = section(data, at);
  at = add(at, b->rows + 1, grid_blob_number_size(b->nvals));
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
  return grid_blob_layout(&b, NULL);
}

uint64_t grid_blob_max_bytes(uint64_t nrows, uint64_t ncols, uint64_t nvals, size_t size) {
  const uint64_t most = nvals > UINT64_MAX / GRID_HYPER - 1 ? UINT64_MAX : (nvals + 1) * GRID_HYPER;
  uint64_t at = GRID_BLOB_WORDS * sizeof(uint64_t);
  at = add(at, nrows < nvals ? nrows : nvals, grid_blob_number_size(nrows));
  at = add(at, ncols < nvals ? ncols : nvals, grid_blob_number_size(ncols));
  at = add(at, (nrows < most ? nrows : nvals) + 1, grid_blob_number_size(nvals)); /* more rows are listed */
  at = add(at, nvals, sizeof(uint32_t));
  return add(at, nvals ? nvals : 1, size);
}

/* ---- numbers of 4 or 8 bytes ---- */

void grid_blob_copy_numbers(void *to, size_t to_size, const void *from, size_t from_size, uint64_t n) {
  char *z = to;
  if (to_size == from_size) {
    grid_copy_bytes(z, from, n * to_size);
    return;
  }
#pragma omp parallel for schedule(static) if (n > 1 << 15)
  for (uint64_t k = 0; k < n; k++) {
    const uint64_t x = grid_blob_number(from, from_size, k);
    const uint32_t offsets32 = (uint32_t)x;
    memcpy(z + k * to_size, to_size == sizeof x ? (const void *)&x : &offsets32, to_size);
  }
}

/* ---- checksum ------------------------------------------------------------------------------------------ */

static const uint64_t segment = UINT64_C(1) << 16;
enum { SUMMED_FROM = (GRID_BLOB_CHECKSUM + 1) * sizeof(uint64_t) };

uint64_t grid_blob_checksum_share(const void *data, uint64_t bytes, int k, int of) {
  const uint64_t head = GRID_BLOB_CHECKSUM * sizeof(uint64_t), from = SUMMED_FROM;
  const uint64_t segments = bytes > from ? (bytes - from + segment - 1) / segment : 0,
                 first = segments * (uint64_t)k / (uint64_t)of,
                 end = segments * ((uint64_t)k + 1) / (uint64_t)of;
  const char *p = data;
  uint64_t sum = k == 0 ? grid_checksum(p, head, 1) : 0;
#pragma omp parallel for schedule(static) reduction(+ : sum) if (end - first > 16)
  for (uint64_t s = first; s < end; s++) {
    const uint64_t at = from + s * segment;
    sum += grid_checksum(p + at, bytes - at < segment ? bytes - at : segment, at);
  }
  return sum;
}

uint64_t grid_blob_checksum(const void *data, uint64_t bytes) {
  return grid_blob_checksum_share(data, bytes, 0, 1);
}

/* ---- writing ------------------------------------------------------------------------------------------- */

/* Padding is zero, so that equal matrices give equal bytes. */
static void clear_padding(const char *at, const char *end) {
  const uint64_t zero = 0;
  if (end > at) memcpy((char *)(uintptr_t)end - 8, &zero, 8);
}

#define SECTION(at) (data + ((at)-data))

/* Writes the head, except for its checksum, and the padding. */
static void begin(const grid_blob *b, char *data, uint64_t bytes) {
  const uint64_t head[GRID_BLOB_WORDS] = {[GRID_BLOB_MAGIC_WORD] = grid_blob_magic,
                                          [GRID_BLOB_VERSION] = GRID_BLOB_THIS_VERSION,
                                          [GRID_BLOB_BYTES] = bytes,
                                          [GRID_BLOB_NROWS] = b->nrows,
                                          [GRID_BLOB_NCOLS] = b->ncols,
                                          [GRID_BLOB_NVALS] = b->nvals,
                                          [GRID_BLOB_TYPE] = (uint64_t)b->code,
                                          [GRID_BLOB_SIZE] = b->size,
                                          [GRID_BLOB_FLAGS] = (b->iso ? GRID_BLOB_ISO : 0u) |
                                                              (b->rows_hyper ? GRID_BLOB_ROWS_HYPER : 0u) |
                                                              (b->cols_hyper ? GRID_BLOB_COLS_HYPER : 0u),
                                          [GRID_BLOB_ROWS] = b->rows,
                                          [GRID_BLOB_COLS] = b->cols};
  memcpy(data, head, sizeof head);
  clear_padding(b->row_ids, b->col_ids);
  clear_padding(b->col_ids, b->offsets);
  clear_padding(b->offsets, b->idx);
  clear_padding(b->idx, b->val);
  clear_padding(b->val, data + bytes);
}

void grid_blob_seal(void *blob, uint64_t checksum) {
  memcpy((char *)blob + GRID_BLOB_CHECKSUM * sizeof checksum, &checksum, sizeof checksum);
}

/* The checksum is a sum over segments, of which the flag changes the first. */
void grid_blob_announce_trailer(void *blob) {
  char *data = blob;
  uint64_t head[GRID_BLOB_WORDS];
  memcpy(head, data, sizeof head);
  const uint64_t end = SUMMED_FROM + segment,
                 first = head[GRID_BLOB_BYTES] < end ? head[GRID_BLOB_BYTES] : end;
  head[GRID_BLOB_CHECKSUM] -= grid_blob_checksum(data, first);
  head[GRID_BLOB_FLAGS] |= GRID_BLOB_HAS_TRAILER;
  memcpy(data, head, sizeof head);
  head[GRID_BLOB_CHECKSUM] += grid_blob_checksum(data, first);
  memcpy(data, head, sizeof head);
}

static void write_lists(const grid_blob *b, char *data, const grid_local_matrix *p) {
  if (b->rows_hyper)
    grid_blob_copy_numbers(SECTION(b->row_ids), grid_blob_number_size(b->nrows), p->row.ids,
                           grid_axis_id_size(&p->row), b->rows);
  if (b->cols_hyper)
    grid_blob_copy_numbers(SECTION(b->col_ids), grid_blob_number_size(b->ncols), p->col.ids,
                           grid_axis_id_size(&p->col), b->cols);
}

void grid_blob_write(void *blob, const grid_local_matrix *p, uint64_t nrows, uint64_t ncols) {
  grid_blob b = blob_of(p, nrows, ncols);
  char *data = blob;
  const uint64_t bytes = grid_blob_layout(&b, data);
  begin(&b, data, bytes);
  write_lists(&b, data, p);
  const grid_offsets o = grid_vector_starts(&p->by_row);
  grid_blob_copy_numbers(SECTION(b.offsets), grid_blob_number_size(b.nvals),
                         o.offsets64 ? (const void *)o.offsets64 : o.offsets32, grid_offset_size(o),
                         b.rows + 1);
  grid_copy_bytes(SECTION(b.idx), p->by_row.idx, b.nvals * sizeof(uint32_t));
  grid_copy_bytes(SECTION(b.val), b.iso ? p->iso_val : p->by_row.val, (b.iso ? 1 : b.nvals) * b.size);
}

/* ---- incremental writing ------------------------------------------------------------------------------- */

bool grid_blob_can_be_sparse(uint64_t nrows, uint64_t ncols, uint64_t nvals) {
  return nrows <= UINT32_MAX && ncols <= UINT32_MAX && ncols / (8 * GRID_HYPER) <= nvals + 64;
}

void grid_blob_begin(grid_blob_writer *w, void *blob, const grid_local_matrix *like, uint64_t nrows,
                     uint64_t ncols) {
  *w = (grid_blob_writer){.b = blob_of(like, nrows, ncols), .like = like, .data = blob};
  w->b.bytes = grid_blob_layout(&w->b, w->data);
  begin(&w->b, w->data, w->b.bytes);
  write_lists(&w->b, w->data, like);
  char *data = w->data;
  if (w->b.iso) memcpy(SECTION(w->b.val), like->iso_val, w->b.size);
}

/* Rows up to `row` begin here at the latest. */
static void begin_rows(grid_blob_writer *w, uint64_t row) {
  const size_t size = grid_blob_number_size(w->b.nvals);
  const uint32_t offsets32 = (uint32_t)w->entry;
  char *data = w->data;
  for (; w->row <= row; w->row++)
    memcpy(SECTION(w->b.offsets) + w->row * size,
           size == sizeof offsets32 ? (const void *)&offsets32 : &w->entry, size);
}

void grid_blob_append(grid_blob_writer *w, uint64_t n, const uint64_t *row, const uint64_t *col,
                      const char *val) {
  const grid_axis *rows = &w->like->row, *cols = &w->like->col;
  char *data = w->data;
  if (!w->b.iso) memcpy(SECTION(w->b.val) + w->entry * w->b.size, val, n * w->b.size);
  for (uint64_t k = 0; k < n; k++) {
    const uint32_t number = (uint32_t)(cols->ids ? grid_axis_find(cols, col[k]) : col[k]);
    memcpy(SECTION(w->b.idx) + w->entry * sizeof number, &number, sizeof number);
    /* of a list rows before w->row have begun */
    begin_rows(w, rows->ids ? grid_axis_seek(rows, w->row ? w->row - 1 : 0, row[k]) : row[k]);
    w->entry++;
  }
}

void grid_blob_end(grid_blob_writer *w) {
  begin_rows(w, w->b.rows);
  grid_blob_seal(w->data, grid_blob_checksum(w->data, w->b.bytes));
}
#undef SECTION
