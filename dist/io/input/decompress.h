/* Compressed text: detection by the first bytes, and one streaming interface. Only this module uses zlib's
 * and libzstd's streams, and libdeflate, which takes the place of zlib for whole members of gzip. */
#ifndef GRID_DECOMPRESS_H
#define GRID_DECOMPRESS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

#include "semiring/support/error.h"

typedef enum { GRID_PLAIN, GRID_GZIP, GRID_ZSTD } grid_packing;

/* Detects by a file's first bytes (at least 4). */
grid_packing grid_packing_of(const unsigned char *start);
/* "gzip", "zstd" */
const char *grid_packing_name(grid_packing p);
/* Was the library built with support for it? */
bool grid_packing_supported(grid_packing p);
/* Upper bound of a text's length divided by its file's. */
uint64_t grid_packing_max_ratio(grid_packing p);

/* Bytes that `packed` bytes of a file may expand to: unpack_ratio (tuning.h) times as many, but at least
 * GRID_UNPACK_MIN. A longer file is refused, because a small file could fill the memory. */
#define GRID_UNPACK_MIN (UINT64_C(64) << 20)
uint64_t grid_unpack_limit(uint64_t packed);
/* The reason for the refusal, without the file's name. */
typedef struct {
  char text[192];
} grid_unpack_reason;
grid_unpack_reason grid_unpack_refusal(uint64_t packed);

typedef enum {
  GRID_UNPACKED,        /* some bytes, or none for lack of input */
  GRID_UNPACKED_MEMBER, /* a member ended; another may follow */
  GRID_UNPACK_DAMAGED,
  GRID_UNPACK_MEMORY
} grid_unpack_outcome;

typedef struct {
  grid_packing packing;
  bool is_open; /* the stream's state is allocated */
  bool raw;     /* deflate without gzip's header (GRID_GZIP) */
  z_stream z;
  void *zstd, *deflate;
  const unsigned char *in;
  size_t in_left; /* bytes of input available */
  bool in_member; /* a member has begun and not ended */
  bool is_whole;  /* gzip: the present member was decompressed at once, by libdeflate */
  /* zstd, or a whole member: decompressed bytes not yet returned, and the outcome to return after them */
  unsigned char *ready;
  size_t ready_at, ready_left;
  grid_unpack_outcome after;
} grid_unpacker;

/* Starts, or restarts, at the file's first byte. raw: deflated bytes without a header, as in a zip file. */
GrB_Info grid_unpack_start(grid_unpacker *u, grid_packing packing, bool raw, const char *path);
void grid_unpack_end(grid_unpacker *u);
/* Decompresses from u->in to `to`; *made bytes were produced, at most `capacity`. */
grid_unpack_outcome grid_unpack(grid_unpacker *u, void *to, size_t capacity, size_t *made);

/* Compresses *n bytes as a member of its own into new memory (grid_free it), at the default level; *n
 * becomes the compressed size. NULL: out of memory. */
void *grid_pack(grid_packing packing, const void *from, size_t *n);
#endif
