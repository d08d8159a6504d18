/* gzip and zstd (decompress.h). */
#include "dist/io/input/decompress.h"

#include <stdio.h>
#include <string.h>
#ifdef GRIDBLAS_ZSTD
#include <zstd.h>
#endif
#ifdef GRIDBLAS_LIBDEFLATE
#include <libdeflate.h>
#endif

#include "semiring/support/mem.h"
#include "semiring/support/tuning.h"

grid_packing grid_packing_of(const unsigned char *start) {
  static const unsigned char zstd[] = {0x28, 0xb5, 0x2f, 0xfd};
  if (start[0] == 0x1f && start[1] == 0x8b) return GRID_GZIP;
  return memcmp(start, zstd, sizeof zstd) == 0 ? GRID_ZSTD : GRID_PLAIN;
}

const char *grid_packing_name(grid_packing p) {
  return p == GRID_GZIP ? "gzip" : p == GRID_ZSTD ? "zstd" : "plain";
}

bool grid_packing_supported(grid_packing p) {
#ifdef GRIDBLAS_ZSTD
  (void)p;
  return true;
#else
  return p != GRID_ZSTD;
#endif
}

/* Deflate compresses at most 1032 times; a zstd block of 4 bytes expands to 128 KiB. */
uint64_t grid_packing_max_ratio(grid_packing p) {
  return p == GRID_GZIP ? 1032 : p == GRID_ZSTD ? 32768 : 1;
}

uint64_t grid_unpack_limit(uint64_t packed) {
  uint64_t limit;
  if (__builtin_mul_overflow(packed, grid_tune.unpack_ratio, &limit)) return UINT64_MAX;
  return limit > GRID_UNPACK_MIN ? limit : GRID_UNPACK_MIN;
}

grid_unpack_reason grid_unpack_refusal(uint64_t packed) {
  grid_unpack_reason r;
  snprintf(r.text, sizeof r.text,
           "%llu compressed bytes expand to more than %llu, which no graph needs; "
           "GRIDBLAS_TUNE=unpack_ratio=off reads them",
           (unsigned long long)packed, (unsigned long long)grid_unpack_limit(packed));
  return r;
}

/* Returns bytes that are ready. */
static grid_unpack_outcome return_ready(grid_unpacker *u, void *to, size_t capacity, size_t *made) {
  *made = capacity < u->ready_left ? capacity : u->ready_left;
  if (*made) memcpy(to, u->ready + u->ready_at, *made);
  u->ready_at += *made;
  u->ready_left -= *made;
  return u->ready_left ? GRID_UNPACKED : u->after;
}

/* ---- gzip: whole members ------------------------------------------------------------------------------- */

#ifdef GRIDBLAS_LIBDEFLATE
enum { WHOLE = 1 << 21 }; /* bytes of text, which stay in a cache until they are returned */

/* Decompresses the member that begins here. False: it has more text, its end is not here, there is no memory,
 * or it is damaged, of which zlib finds the first byte. */
static bool unpack_member(grid_unpacker *u) {
  size_t used;
  if (u->raw) return false;
  if (!u->deflate) u->deflate = libdeflate_alloc_decompressor();
  if (!u->ready) u->ready = grid_malloc(WHOLE, 1);
  if (!u->deflate || !u->ready ||
      libdeflate_gzip_decompress_ex(u->deflate, u->in, u->in_left, u->ready, WHOLE, &used, &u->ready_left) !=
          LIBDEFLATE_SUCCESS)
    return false;
  u->in += used;
  u->in_left -= used;
  u->ready_at = 0;
  u->after = GRID_UNPACKED_MEMBER;
  return true;
}

static void end_members(grid_unpacker *u) {
  libdeflate_free_decompressor(u->deflate);
  grid_free(u->ready);
  u->deflate = u->ready = NULL;
}
#else
static bool unpack_member(grid_unpacker *u) {
  (void)u;
  return false;
}
static void end_members(grid_unpacker *u) {
  (void)u;
}
#endif

/* ---- gzip: streams ------------------------------------------------------------------------------------- */

static void *z_alloc(void *opaque, unsigned count, unsigned size) {
  (void)opaque;
  return grid_calloc(count, size);
}
static void z_free(void *opaque, void *p) {
  (void)opaque;
  grid_free(p);
}

static GrB_Info start_gzip(grid_unpacker *u, bool raw, const char *path) {
  u->z.zalloc = z_alloc;
  u->z.zfree = z_free;
  int z = u->is_open ? inflateReset(&u->z) : inflateInit2(&u->z, raw ? -15 : 15 + 16);
  if (z == Z_MEM_ERROR) return grid_fail_memory(NULL, "reading a gzip file", 1, 40000);
  if (z != Z_OK) return grid_fail(NULL, GrB_PANIC, "%s: zlib does not start (code %d)", path, z);
  u->is_open = true;
  u->is_whole = false;
  return GrB_SUCCESS;
}

/* begins: the input is the start of a member. */
static grid_unpack_outcome step_gzip(grid_unpacker *u, bool begins, void *to, size_t capacity, size_t *made) {
  if (begins) u->is_whole = unpack_member(u);
  if (u->is_whole) return return_ready(u, to, capacity, made);
  const unsigned out = capacity < (1u << 30) ? (unsigned)capacity : 1u << 30,
                 in = u->in_left < (1u << 30) ? (unsigned)u->in_left : 1u << 30;
  u->z.next_in = (unsigned char *)(uintptr_t)u->in; /* zlib does not write there */
  u->z.avail_in = in;
  u->z.next_out = to;
  u->z.avail_out = out;
  const int z = inflate(&u->z, Z_NO_FLUSH);
  u->in += in - u->z.avail_in;
  u->in_left -= in - u->z.avail_in;
  *made = out - u->z.avail_out;
  if (z == Z_STREAM_END) {
    if (!u->raw) inflateReset(&u->z);
    return GRID_UNPACKED_MEMBER;
  }
  if (z == Z_MEM_ERROR) return GRID_UNPACK_MEMORY;
  return z == Z_OK || z == Z_BUF_ERROR ? GRID_UNPACKED : GRID_UNPACK_DAMAGED;
}

/* ---- zstd ---------------------------------------------------------------------------------------------- */

#ifdef GRIDBLAS_ZSTD
enum { READY = 1 << 17 }; /* the largest zstd block */

static void end_zstd(grid_unpacker *u) {
  ZSTD_freeDStream(u->zstd);
  grid_free(u->ready);
  u->zstd = u->ready = NULL;
}

static GrB_Info start_zstd(grid_unpacker *u, const char *path) {
  if (!u->is_open) {
    u->zstd = ZSTD_createDStream();
    u->ready = grid_malloc(READY, 1);
    u->is_open = true;
  }
  if (!u->zstd || !u->ready) {
    end_zstd(u);
    u->is_open = false;
    return grid_fail_memory(NULL, "reading a zstd file", READY, 1);
  }
  u->ready_left = 0;
  if (!ZSTD_isError(ZSTD_initDStream(u->zstd))) return GrB_SUCCESS;
  return grid_fail(NULL, GrB_PANIC, "%s: libzstd does not start", path);
}

/* libzstd's output before it reports damage depends on the output buffer's size: a fixed size makes error
 * texts independent of the segments. */
static void unpack_zstd(grid_unpacker *u) {
  ZSTD_inBuffer in = {u->in, u->in_left, 0};
  ZSTD_outBuffer out = {u->ready, READY, 0};
  const size_t z = ZSTD_decompressStream(u->zstd, &out, &in);
  u->in += in.pos;
  u->in_left -= in.pos;
  u->ready_at = 0;
  u->ready_left = out.pos;
  u->after = ZSTD_isError(z) ? GRID_UNPACK_DAMAGED : z == 0 ? GRID_UNPACKED_MEMBER : GRID_UNPACKED;
}

static grid_unpack_outcome step_zstd(grid_unpacker *u, void *to, size_t capacity, size_t *made) {
  if (u->ready_left == 0) unpack_zstd(u);
  return return_ready(u, to, capacity, made);
}

static size_t pack_zstd(void *to, size_t capacity, const void *from, size_t n) {
  ZSTD_CCtx *c = ZSTD_createCCtx();
  if (!c) return 0;
  ZSTD_CCtx_setParameter(c, ZSTD_c_checksumFlag, 1); /* detects damage when reading */
  const size_t z = ZSTD_compress2(c, to, capacity, from, n);
  ZSTD_freeCCtx(c);
  return ZSTD_isError(z) ? 0 : z;
}
static size_t bound_zstd(size_t n) {
  return ZSTD_compressBound(n);
}
#else
static GrB_Info start_zstd(grid_unpacker *u, const char *path) {
  (void)u;
  return grid_fail(NULL, GrB_NOT_IMPLEMENTED,
                   "%s: is compressed by zstd, and the library was built without libzstd", path);
}
static grid_unpack_outcome step_zstd(grid_unpacker *u, void *to, size_t capacity, size_t *made) {
  (void)u, (void)to, (void)capacity;
  *made = 0;
  return GRID_UNPACK_DAMAGED;
}
static void end_zstd(grid_unpacker *u) {
  (void)u;
}
static size_t pack_zstd(void *to, size_t capacity, const void *from, size_t n) {
  (void)to, (void)capacity, (void)from, (void)n;
  return 0;
}
static size_t bound_zstd(size_t n) {
  return n;
}
#endif

/* ---- both ---------------------------------------------------------------------------------------------- */

GrB_Info grid_unpack_start(grid_unpacker *u, grid_packing packing, bool raw, const char *path) {
  u->packing = packing;
  u->raw = raw;
  u->in_left = 0;
  u->in_member = false;
  return packing == GRID_ZSTD ? start_zstd(u, path) : start_gzip(u, raw, path);
}

void grid_unpack_end(grid_unpacker *u) {
  if (u->is_open && u->packing == GRID_ZSTD) end_zstd(u);
  if (u->is_open && u->packing == GRID_GZIP) {
    inflateEnd(&u->z);
    end_members(u);
  }
  u->is_open = false;
}

grid_unpack_outcome grid_unpack(grid_unpacker *u, void *to, size_t capacity, size_t *made) {
  const bool begins = u->in_left && !u->in_member;
  if (begins) u->in_member = true;
  const grid_unpack_outcome o =
      u->packing == GRID_ZSTD ? step_zstd(u, to, capacity, made) : step_gzip(u, begins, to, capacity, made);
  if (o == GRID_UNPACKED_MEMBER) u->in_member = false;
  return o;
}

/* deflate with gzip's header; 0: out of memory. */
static size_t pack_gzip(void *to, size_t capacity, const void *from, size_t n) {
  z_stream z = {.zalloc = z_alloc, .zfree = z_free};
  if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) return 0;
  z.next_in = (unsigned char *)(uintptr_t)from;
  z.avail_in = (unsigned)n;
  z.next_out = to;
  z.avail_out = (unsigned)capacity;
  const int outcome = deflate(&z, Z_FINISH);
  const size_t made = capacity - z.avail_out;
  deflateEnd(&z);
  return outcome == Z_STREAM_END ? made : 0;
}

void *grid_pack(grid_packing packing, const void *from, size_t *n) {
  const size_t capacity = packing == GRID_ZSTD ? bound_zstd(*n) : compressBound(*n) + 32;
  void *to = grid_malloc(capacity, 1);
  size_t made = 0;
  if (to) made = packing == GRID_ZSTD ? pack_zstd(to, capacity, from, *n) : pack_gzip(to, capacity, from, *n);
  if (!made) {
    grid_free(to);
    return NULL;
  }
  *n = made;
  return to;
}
