/* Zip archives (zip_archive.h). */
#include "dist/io/formats/zip_archive.h"

#include <string.h>
#include <zlib.h>

#include "dist/io/formats/crc32.h"
#include "dist/io/input/decompress.h"
#include "semiring/support/mem.h"

enum { END = 22, END64 = 56, LOCATOR = 20, CENTRAL = 46, LOCAL = 30, SCRATCH = 1 << 16 };

static uint64_t number(const unsigned char *p, int bytes) {
  uint64_t v = 0;
  for (int k = bytes; k-- > 0;) v = v << 8 | p[k];
  return v;
}

static GrB_Info fail_damaged(const grid_zip *z, uint64_t at, const char *expected) {
  return grid_fail(NULL, GrB_INVALID_VALUE, "%s: byte %llu: expected %s of a zip archive", z->file->path,
                   (unsigned long long)at, expected);
}

static GrB_Info read_bytes(const grid_zip *z, void *to, size_t n, uint64_t at, const char *what) {
  if (at > z->file->size || n > z->file->size - at) return fail_damaged(z, at, what);
  return grid_file_outcome(z->file, grid_file_bytes(z->file, to, n, at));
}

/* Finds the directory: offset, bytes, members. The end record, near the end of the file before an optional
 * comment, points to it. */
static GrB_Info find_directory(const grid_zip *z, uint64_t *at, uint64_t *bytes, uint64_t *members) {
  const size_t n = z->file->size < SCRATCH ? (size_t)z->file->size : SCRATCH;
  const uint64_t from = z->file->size - n;
  unsigned char *tail = grid_malloc(n, 1), end[END64];
  if (!tail) return grid_fail_memory(NULL, "a zip archive's end", n, 1);
  GrB_Info info = read_bytes(z, tail, n, from, "the end");
  size_t k = n >= END ? n - END + 1 : 0;
  while (k > 0 && memcmp(tail + k - 1, "PK\5\6", 4) != 0) k--;
  if (info == GrB_SUCCESS && k == 0)
    info = fail_damaged(z, z->file->size, "the directory's end (is it truncated?)");
  if (info == GrB_SUCCESS) {
    const unsigned char *e = tail + k - 1;
    *members = number(e + 10, 2), *bytes = number(e + 12, 4), *at = number(e + 16, 4);
    const bool is_zip64 = *members == 0xffff || *bytes == 0xffffffff || *at == 0xffffffff;
    if (is_zip64 && k > LOCATOR && memcmp(e - LOCATOR, "PK\6\7", 4) == 0) {
      const uint64_t file_offset = number(e - LOCATOR + 8, 8);
      info = read_bytes(z, end, END64, file_offset, "the 64-bit end");
      if (info == GrB_SUCCESS && memcmp(end, "PK\6\6", 4) != 0)
        info = fail_damaged(z, file_offset, "the 64-bit end");
      if (info == GrB_SUCCESS)
        *members = number(end + 32, 8), *bytes = number(end + 40, 8), *at = number(end + 48, 8);
    }
  }
  grid_free(tail);
  return info;
}

/* Reads sizes and offset that did not fit in 32 bits from the extra field, in the order in which they are
 * missing. */
static bool read_zip64(grid_zip_member *m, const unsigned char *extra, size_t n) {
  uint64_t *field[] = {&m->size, &m->packed, &m->at};
  for (size_t k = 0; k + 4 <= n;) {
    const size_t id = number(extra + k, 2), length = number(extra + k + 2, 2);
    if (length > n - k - 4) return false;
    size_t used = 0;
    for (int f = 0; id == 1 && f < 3; f++) {
      if (*field[f] != 0xffffffff) continue;
      if (length - used < 8) return false;
      *field[f] = number(extra + k + 4 + used, 8);
      used += 8;
    }
    k += 4 + length;
  }
  return true;
}

/* Of the members that readers look for: they are printed in messages. */
static bool is_printable(const unsigned char *name, size_t n) {
  for (size_t k = 0; k < n; k++)
    if (name[k] < ' ' || name[k] > '~') return false;
  return true;
}

/* Parses one directory entry at p; returns its length, or 0 if it is damaged. */
static size_t parse_entry(grid_zip_member *m, const unsigned char *p, size_t left) {
  if (left < CENTRAL || memcmp(p, "PK\1\2", 4) != 0) return 0;
  const size_t name = number(p + 28, 2), extra = number(p + 30, 2), comment = number(p + 32, 2),
               length = CENTRAL + name + extra + comment;
  const uint64_t method = number(p + 10, 2);
  if (length > left || number(p + 8, 2) & 1 || (method != 0 && method != 8)) return 0;
  memset(m, 0, sizeof *m);
  m->deflated = method == 8;
  m->crc = (uint32_t)number(p + 16, 4);
  m->packed = number(p + 20, 4), m->size = number(p + 24, 4), m->at = number(p + 42, 4);
  if (!read_zip64(m, p + CENTRAL + name, extra)) return 0;
  if (name < sizeof m->name && is_printable(p + CENTRAL, name)) memcpy(m->name, p + CENTRAL, name);
  return length;
}

/* The member's bytes follow its local header. */
static GrB_Info find_bytes(const grid_zip *z, grid_zip_member *m) {
  unsigned char head[LOCAL];
  GrB_Info info = read_bytes(z, head, sizeof head, m->at, "a member");
  if (info != GrB_SUCCESS) return info;
  if (memcmp(head, "PK\3\4", 4) != 0) return fail_damaged(z, m->at, "a member");
  m->at += LOCAL + number(head + 26, 2) + number(head + 28, 2);
  const uint64_t most =
      m->deflated ? m->packed < UINT64_MAX / 1032 ? m->packed * 1032 : UINT64_MAX : m->packed;
  if (m->at > z->file->size || m->packed > z->file->size - m->at || m->size > most ||
      (!m->deflated && m->size != m->packed))
    return fail_damaged(z, m->at, "all bytes of a member");
  return GrB_SUCCESS;
}

/* All members together may not be longer than the file justifies. */
static GrB_Info check_sizes(const grid_zip *z) {
  uint64_t bytes = 0;
  for (int m = 0; m < z->n; m++)
    if (__builtin_add_overflow(bytes, z->member[m].size, &bytes)) bytes = UINT64_MAX;
  if (bytes <= grid_unpack_limit(z->file->size)) return GrB_SUCCESS;
  return grid_fail(NULL, GrB_INVALID_VALUE, "%s: %s", z->file->path, grid_unpack_refusal(z->file->size).text);
}

GrB_Info grid_zip_open(grid_zip *z, const grid_file *f) {
  uint64_t at = 0, bytes = 0, members = 0, k = 0;
  *z = (grid_zip){.file = f};
  GrB_Info info = find_directory(z, &at, &bytes, &members);
  if (info != GrB_SUCCESS) return info;
  if (at > f->size || bytes > f->size - at || bytes > SCRATCH)
    return fail_damaged(z, at, "a directory of 64 KiB at most");
  unsigned char *directory = grid_malloc(bytes, 1);
  if (!directory) return grid_fail_memory(NULL, "a zip archive's directory", bytes, 1);
  info = read_bytes(z, directory, bytes, at, "the directory");
  for (uint64_t m = 0; info == GrB_SUCCESS && m < members && z->n < GRID_ZIP_MEMBERS; m++) {
    grid_zip_member *next = &z->member[z->n];
    const size_t length = parse_entry(next, directory + k, bytes - k);
    if (length == 0) info = fail_damaged(z, at + k, "a member that is stored or deflated in the directory");
    k += length;
    if (info == GrB_SUCCESS && next->name[0]) {
      info = find_bytes(z, next);
      z->n++;
    }
  }
  grid_free(directory);
  return info == GrB_SUCCESS ? check_sizes(z) : info;
}

const grid_zip_member *grid_zip_find(const grid_zip *z, const char *name) {
  for (int k = 0; k < z->n; k++)
    if (strcmp(z->member[k].name, name) == 0) return &z->member[k];
  return NULL;
}

/* Inflates a member: bytes first .. first + n go to `to`; with crc, all bytes are added to *crc. */
static GrB_Info inflate_member(const grid_zip *z, const grid_zip_member *m, uint64_t first, uint64_t n,
                               void *to, uint32_t *crc) {
  grid_unpacker u = {.packing = GRID_PLAIN};
  unsigned char *in = grid_malloc(SCRATCH, 1), *out = grid_malloc(SCRATCH, 1);
  uint64_t taken = 0, made = 0;
  const uint64_t want = crc ? m->size : first + n;
  bool ended = false;
  GrB_Info info = in && out ? grid_unpack_start(&u, GRID_GZIP, true, z->file->path)
                            : grid_fail_memory(NULL, "unpacking a zip archive", 2, SCRATCH);
  while (info == GrB_SUCCESS && made < want && !ended) {
    size_t got = 0, capacity = want - made < SCRATCH ? (size_t)(want - made) : SCRATCH;
    const bool starved = !u.in_left && taken == m->packed;
    if (!u.in_left && !starved) {
      const size_t more = m->packed - taken < SCRATCH ? (size_t)(m->packed - taken) : SCRATCH;
      info = grid_file_outcome(z->file, grid_file_bytes(z->file, in, more, m->at + taken));
      u.in = in, u.in_left = more, taken += more;
      if (info != GrB_SUCCESS) break;
    }
    const grid_unpack_outcome o = grid_unpack(&u, out, capacity, &got);
    if (o == GRID_UNPACK_MEMORY) info = grid_fail_memory(NULL, "unpacking a zip archive", 1, 40000);
    if (o == GRID_UNPACK_DAMAGED || (starved && !got))
      info = grid_fail(NULL, GrB_INVALID_VALUE, "%s: %s: corrupt deflated data", z->file->path, m->name);
    if (crc) *crc = (uint32_t)crc32(*crc, out, (unsigned)got);
    const uint64_t low = made < first ? first : made, high = made + got < first + n ? made + got : first + n;
    if (info == GrB_SUCCESS && low < high) memcpy((char *)to + (low - first), out + (low - made), high - low);
    made += got;
    ended = o == GRID_UNPACKED_MEMBER;
  }
  if (info == GrB_SUCCESS && made < want)
    info = grid_fail(NULL, GrB_INVALID_VALUE, "%s: %s: expected %llu bytes, found %llu", z->file->path,
                     m->name, (unsigned long long)m->size, (unsigned long long)made);
  grid_unpack_end(&u);
  grid_free(in);
  grid_free(out);
  return info;
}

GrB_Info grid_zip_bytes(const grid_zip *z, const grid_zip_member *m, uint64_t first, uint64_t n, void *to) {
  if (first > m->size || n > m->size - first)
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: %s: expected %llu bytes, found %llu", z->file->path,
                     m->name, (unsigned long long)(first + n), (unsigned long long)m->size);
  if (m->deflated) return n ? inflate_member(z, m, first, n, to, NULL) : GrB_SUCCESS;
  return grid_file_outcome(z->file, grid_file_bytes(z->file, to, n, m->at + first));
}

/* CRC of a stored member: each process adds its share. */
static GrB_Info sum_stored(const grid_zip *z, const grid_zip_member *m, uint32_t *sum) {
  const uint64_t P = (uint64_t)grid_ctx.P, k = (uint64_t)grid_ctx.k, from = m->size / P * k,
                 to = k + 1 < P ? m->size / P * (k + 1) : m->size;
  unsigned char *bytes = grid_malloc(SCRATCH, 1);
  GrB_Info info = bytes ? GrB_SUCCESS : grid_fail_memory(NULL, "checking a zip archive", 1, SCRATCH);
  uint32_t local = 0;
  for (uint64_t at = from; info == GrB_SUCCESS && at < to; at += SCRATCH) {
    const size_t n = to - at < SCRATCH ? (size_t)(to - at) : SCRATCH;
    info = grid_file_outcome(z->file, grid_file_bytes(z->file, bytes, n, m->at + at));
    if (info == GrB_SUCCESS) local = grid_crc(local, bytes, n);
  }
  grid_free(bytes);
  info = grid_agree(NULL, info);
  return info == GrB_SUCCESS ? grid_crc_concatenate(sum, local, to - from) : info;
}

GrB_Info grid_zip_check(const grid_zip *z) {
  GrB_Info info = GrB_SUCCESS;
  for (int m = 0; info == GrB_SUCCESS && m < z->n; m++) {
    const grid_zip_member *member = &z->member[m];
    uint32_t sum = 0;
    if (member->deflated) { /* one process inflates it */
      if (m % grid_ctx.P == grid_ctx.k) info = inflate_member(z, member, 0, 0, NULL, &sum);
      if (m % grid_ctx.P != grid_ctx.k) sum = member->crc;
    } else {
      info = sum_stored(z, member, &sum);
    }
    if (info == GrB_SUCCESS && sum != member->crc)
      info = grid_fail(NULL, GrB_INVALID_VALUE, "%s: %s: expected the checksum %08x, found %08x",
                       z->file->path, member->name, member->crc, sum);
    info = grid_agree(NULL, info);
  }
  return info;
}
