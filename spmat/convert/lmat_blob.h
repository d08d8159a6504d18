/* The bytes of a serialized matrix (lmat_serialize.h), for the functions that write and read them. */
#ifndef GRID_LMAT_BLOB_H
#define GRID_LMAT_BLOB_H
#include <string.h>

#include "spmat/convert/checksum.h"
#include "spmat/convert/lmat_serialize.h"

/* The words of the header. */
enum {
  GRID_BLOB_MAGIC_WORD,
  GRID_BLOB_VERSION,
  GRID_BLOB_BYTES,
  /* GRID_BLOB_CHECKSUM */
  GRID_BLOB_NROWS = GRID_BLOB_CHECKSUM + 1,
  GRID_BLOB_NCOLS,
  GRID_BLOB_NVALS,
  GRID_BLOB_TYPE,
  GRID_BLOB_SIZE,
  GRID_BLOB_FLAGS,
  GRID_BLOB_ROWS,
  GRID_BLOB_COLS
};
enum {
  GRID_BLOB_ISO = 1,
  GRID_BLOB_ROWS_HYPER = 2,
  GRID_BLOB_COLS_HYPER = 4,
  GRID_BLOB_HAS_TRAILER = 8,
  GRID_BLOB_ALL_FLAGS = 15
};
enum { GRID_BLOB_THIS_VERSION = 1 };
static const uint64_t grid_blob_magic = UINT64_C(0x626f6c6264697267); /* GRID_BLOB_MAGIC */

/* Computes the positions of b's sections in data (NULL: unknown) from its other members; returns where the
 * last ends. */
uint64_t grid_blob_layout(grid_blob *b, const char *data);

/* Bytes of a number of at most `most`. */
static inline size_t grid_blob_number_size(uint64_t most) {
  return most > UINT32_MAX ? sizeof(uint64_t) : sizeof(uint32_t);
}

static inline uint64_t grid_blob_number(const char *at, size_t size, uint64_t k) {
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
void grid_blob_copy_numbers(void *to, size_t to_size, const void *from, size_t from_size, uint64_t n);
#endif
