/* Compressed text: what packs it, told by its first bytes, and the same few steps for each. The one place
 * that knows of zlib's and libzstd's streams. */
#ifndef GRID_DECOMPRESS_H
#define GRID_DECOMPRESS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

#include "semiring/support/error.h"

typedef enum { GRID_PLAIN, GRID_GZIP, GRID_ZSTD } grid_packing;

/* By a file's first bytes (4 at least). */
grid_packing grid_packing_of(const unsigned char *start);
/* "gzip", "zstd" */
const char *grid_packing_name(grid_packing p);
/* Was the library built with it? */
bool grid_packing_supported(grid_packing p);
/* No text is more times as long as its file. */
uint64_t grid_packing_max_ratio(grid_packing p);

typedef enum {
  GRID_UNPACKED,        /* some bytes, perhaps none for want of input */
  GRID_UNPACKED_MEMBER, /* a member ended here: more may follow */
  GRID_UNPACK_DAMAGED,
  GRID_UNPACK_MEMORY
} grid_unpack_outcome;

typedef struct {
  grid_packing packing;
  bool is_open; /* the library's stream is */
  bool raw;     /* deflate without gzip's header (GRID_GZIP) */
  z_stream z;
  void *zstd;
  const unsigned char *in;
  size_t in_left; /* bytes that are there to be unpacked */
  bool in_member; /* a member has begun and not ended */
  /* zstd: text that is unpacked and not yet handed out, and what is to be said when all of it is */
  unsigned char *ready;
  size_t ready_at, ready_left;
  grid_unpack_outcome after;
} grid_unpacker;

/* Starts, or starts again, at the file's first byte. raw: deflated bytes alone, as in a zip file. */
GrB_Info grid_unpack_start(grid_unpacker *u, grid_packing packing, bool raw, const char *path);
void grid_unpack_end(grid_unpacker *u);
/* Unpacks from u->in to `to`; *made bytes came out, at most `room`. */
grid_unpack_outcome grid_unpack(grid_unpacker *u, void *to, size_t capacity, size_t *made);

/* The bytes of *n packed as a member of their own in new memory (grid_free it), at the packer's usual level;
 * *n becomes their number. NULL: no memory. */
void *grid_pack(grid_packing packing, const void *from, size_t *n);
#endif
