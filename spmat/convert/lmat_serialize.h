/* A whole matrix as a blob of bytes, for GrB_Matrix_serialize. */
#ifndef GRID_LMAT_SERIALIZE_H
#define GRID_LMAT_SERIALIZE_H
#include "spmat/convert/lmat_rows.h"

/* A blob is a header of GRID_BLOB_WORDS 64-bit words and sections, each padded to 8 bytes: listed rows,
 * listed columns, offsets, (compact) columns of the entries, values. Numbers are 32-bit where they fit: ids
 * by the dimension, offsets by the number of entries. All are in the machine's little-endian order. */
#define GRID_BLOB_MAGIC "gridblob" /* its first bytes */
enum { GRID_BLOB_WORDS = 16 };

/* A decoded blob; the sections lie in it, unaligned. */
typedef struct {
  uint64_t nrows, ncols, nvals;
  uint64_t rows, cols; /* represented: listed, or all */
  bool rows_hyper, cols_hyper, iso;
  bool has_trailer; /* other bytes follow (grid_blob_announce_trailer) */
  int32_t code;     /* GrB_Type_Code */
  uint64_t size;
  uint64_t bytes;
  const char *row_ids, *col_ids, *offsets, *idx, *val;
} grid_blob;

/* p, on the host, covers a nrows x ncols matrix; its axes may be longer. The blob lacks its checksum. */
uint64_t grid_blob_bytes(const grid_local_matrix *p, uint64_t nrows, uint64_t ncols);
void grid_blob_write(void *blob, const grid_local_matrix *p, uint64_t nrows, uint64_t ncols);
/* Writes the checksum of so many bytes. */
void grid_blob_seal(void *blob, uint64_t checksum);
/* The same with entries that arrive incrementally, by rows, each ascending. Of `like`, which remains until
 * the end, only axes, nvals, type and an iso value are read; a list names the rows, or columns, of all
 * entries. */
typedef struct {
  grid_blob b;
  const grid_local_matrix *like;
  char *data;
  uint64_t row, entry; /* offsets of rows before `row`, and `entry` entries, are written */
} grid_blob_writer;
void grid_blob_begin(grid_blob_writer *w, void *blob, const grid_local_matrix *like, uint64_t nrows,
                     uint64_t ncols);
void grid_blob_append(grid_blob_writer *w, uint64_t n, const uint64_t *row, const uint64_t *col,
                      const char *val);
void grid_blob_end(grid_blob_writer *w);
/* Can such a blob be read again? If not, a list would be shorter. */
bool grid_blob_can_be_sparse(uint64_t nrows, uint64_t ncols, uint64_t nvals);
/* Says in the header of these bytes that others follow, so that a reader can find them cut off. */
void grid_blob_announce_trailer(void *blob);
/* An upper bound for nvals entries of `size` bytes. */
uint64_t grid_blob_max_bytes(uint64_t nrows, uint64_t ncols, uint64_t nvals, size_t size);

/* Process k of `of` that all have the same bytes: what each checks for the others. They agree on the sums,
 * and then the checksum is right if the first one is 0, and their headers are equal if the second is `of`
 * times that of a process. */
typedef struct {
  int k, of;
  uint64_t sums[2], header;
} grid_blob_share;

/* Checks everything but the columns of entries, so that the functions below, which check these, may trust it.
 * share NULL: alone; else a share of the checksum and of the values. GrB_INVALID_OBJECT: the bytes are no
 * blob, or a damaged one; so of the others. */
GrB_Info grid_blob_read(grid_blob *b, const void *data, uint64_t bytes, grid_blob_share *share,
                        const char *call);
/* The outcome once share->sums are those of all processes. */
GrB_Info grid_blob_check_sums(const grid_blob_share *share, const char *call);
/* The empty p, whose dimensions are at least the matrix's, gets its entries. */
GrB_Info grid_blob_to_lmat(grid_local_matrix *p, const grid_blob *b, const char *call);
/* The same with a part of a blob without lists. */
GrB_Info grid_blob_part_to_lmat(grid_local_matrix *p, const grid_blob *b, const grid_csr_part *part,
                                const char *call);
/* Row and column of each entry. */
GrB_Info grid_blob_to_tuples(uint64_t *row, uint64_t *col, const grid_blob *b, const char *call);

/* The checksum that the header of these bytes should have (for tests that damage other bytes). */
uint64_t grid_blob_checksum(const void *data, uint64_t bytes);
/* A part of it: those of all `of` processes add up to it. */
uint64_t grid_blob_checksum_share(const void *data, uint64_t bytes, int k, int of);
enum { GRID_BLOB_CHECKSUM = 3 }; /* its word in the header */
#endif
