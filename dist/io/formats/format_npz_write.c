/* Writes scipy's sparse matrices in .npz files: format "csr", uncompressed; each process writes its range of
 * each array. */
#include <stdio.h>
#include <string.h>

#include "dist/io/formats/crc32.h"
#include "dist/io/formats/formats.h"
#include "dist/io/formats/edge_matrix.h"
#include "semiring/support/mem.h"

/* A member of the archive, with this process's range of it. */
typedef struct {
  const char *name;
  char head[128]; /* numpy's header */
  uint64_t n, size;
  const void *local;
  uint64_t local_first, local_n;
  uint64_t file_offset, bytes; /* offset of the member's header; bytes of its content, numpy's header
                                * included */
  uint32_t crc;
} member;

static void describe(member *m, const char *name, const char *type, const char *shape, uint64_t n,
                     uint64_t size) {
  *m = (member){.name = name, .n = n, .size = size};
  char text[112];
  snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", type, shape);
  memcpy(m->head, "\x93NUMPY\1\0v\0", 10); /* 'v': 118 characters follow */
  snprintf(m->head + 10, sizeof m->head - 10, "%-117s", text);
  m->head[127] = '\n';
  m->bytes = sizeof m->head + n * size;
}

enum { LOCAL_HEAD = 30 + 20, CENTRAL_HEAD = 46 + 28 };

static unsigned char *write_number(unsigned char *p, uint64_t v, int bytes) {
  for (int k = 0; k < bytes; k++) *p++ = (unsigned char)(v >> 8 * k);
  return p;
}

/* CRC of numpy's header and all processes' bytes. */
static GrB_Info sum_member(member *m) {
  const uint64_t bytes = m->local_n * m->size;
  m->crc = grid_crc(0, m->head, sizeof m->head);
  return grid_crc_concatenate(&m->crc, grid_crc(0, m->local, bytes), bytes);
}

/* The local header; all sizes are 64-bit ones. */
static size_t write_local(unsigned char *to, const member *m) {
  unsigned char *p = to;
  p = write_number(p, 0x04034b50, 4);
  p = write_number(p, 45, 2);
  p = write_number(p, 0, 4);          /* flags; stored */
  p = write_number(p, 0x00210000, 4); /* 1 January 1980 */
  p = write_number(p, m->crc, 4);
  p = write_number(p, UINT64_MAX, 8);
  p = write_number(p, strlen(m->name), 2);
  p = write_number(p, 20, 2);
  memcpy(p, m->name, strlen(m->name));
  p += strlen(m->name);
  p = write_number(write_number(p, 1, 2), 16, 2);
  p = write_number(write_number(p, m->bytes, 8), m->bytes, 8);
  return (size_t)(p - to);
}

static size_t write_central(unsigned char *to, const member *m) {
  unsigned char *p = to;
  p = write_number(p, 0x02014b50, 4);
  p = write_number(write_number(p, 45, 2), 45, 2);
  p = write_number(p, 0, 4);
  p = write_number(p, 0x00210000, 4);
  p = write_number(p, m->crc, 4);
  p = write_number(p, UINT64_MAX, 8);
  p = write_number(p, strlen(m->name), 2);
  p = write_number(p, 28, 2);
  p = write_number(p, 0, 6); /* no comment; disk 0; no attributes */
  p = write_number(p, 0, 4);
  p = write_number(p, UINT32_MAX, 4);
  memcpy(p, m->name, strlen(m->name));
  p += strlen(m->name);
  p = write_number(write_number(p, 1, 2), 24, 2);
  p = write_number(write_number(write_number(p, m->bytes, 8), m->bytes, 8), m->file_offset, 8);
  return (size_t)(p - to);
}

static size_t write_end_record(unsigned char *to, uint64_t at, uint64_t bytes, uint64_t members) {
  unsigned char *p = to;
  p = write_number(p, 0x06064b50, 4);
  p = write_number(p, 44, 8);
  p = write_number(write_number(p, 45, 2), 45, 2);
  p = write_number(p, 0, 8);
  p = write_number(write_number(p, members, 8), members, 8);
  p = write_number(write_number(p, bytes, 8), at, 8);
  p = write_number(p, 0x07064b50, 4);
  p = write_number(p, 0, 4);
  p = write_number(p, at + bytes, 8);
  p = write_number(p, 1, 4);
  p = write_number(p, 0x06054b50, 4);
  p = write_number(p, 0, 4);
  p = write_number(p, UINT64_MAX, 4); /* members: both numbers */
  p = write_number(p, UINT64_MAX, 8);
  p = write_number(p, 0, 2);
  return (size_t)(p - to);
}

static GrB_Info write_members(member *m, int count, grid_output *o) {
  unsigned char directory[2048];
  uint64_t at = 0;
  size_t used = 0;
  GrB_Info info = GrB_SUCCESS;
  for (int k = 0; info == GrB_SUCCESS && k < count; k++) {
    unsigned char head[128];
    info = sum_member(&m[k]);
    m[k].file_offset = at;
    const size_t length = write_local(head, &m[k]);
    if (info == GrB_SUCCESS && grid_ctx.k == 0) {
      info = grid_output_write(o, head, length, at);
      if (info == GrB_SUCCESS) info = grid_output_write(o, m[k].head, sizeof m[k].head, at + length);
    }
    at += length + sizeof m[k].head;
    if (info == GrB_SUCCESS)
      info = grid_output_write(o, m[k].local, m[k].local_n * m[k].size, at + m[k].local_first * m[k].size);
    at += m[k].n * m[k].size;
    used += write_central(directory + used, &m[k]);
    info = grid_agree(NULL, info);
  }
  used += write_end_record(directory + used, at, used, (uint64_t)count);
  if (info == GrB_SUCCESS && grid_ctx.k == 0) info = grid_output_write(o, directory, used, at);
  return info;
}

/* Indices in scipy's types: 4 bytes where they fit. The last process also has the last offset. */
static GrB_Info narrow_indices(const grid_edge_rows *r, bool small, void **ptr, void **cols, void **data) {
  const uint64_t n = r->ptr[r->n], lines = r->n + 1;
  const size_t size = small ? 4 : 8;
  *ptr = grid_malloc(lines, size);
  *cols = grid_malloc(n, size);
  *data = r->values ? NULL : grid_malloc(n, 1);
  if (!*ptr || !*cols || (!r->values && !*data))
    return grid_fail_memory(NULL, "a file's arrays", n + lines, size);
  for (uint64_t k = 0; k < lines; k++) {
    const uint64_t v = r->start + r->ptr[k];
    if (small)
      ((uint32_t *)*ptr)[k] = (uint32_t)v;
    else
      ((uint64_t *)*ptr)[k] = v;
  }
  for (uint64_t k = 0; k < n; k++) {
    if (small)
      ((uint32_t *)*cols)[k] = (uint32_t)r->cols[k];
    else
      ((uint64_t *)*cols)[k] = r->cols[k];
  }
  if (!r->values) memset(*data, 1, n);
  return GrB_SUCCESS;
}

GrB_Info grid_write_npz(const Grid_Edges *e, grid_output *o, grid_packing packing,
                        const grid_format_row *row) {
  (void)packing, (void)row;
  enum { INDICES, INDPTR, FORMAT, SHAPE, DATA, MEMBERS };
  grid_edge_rows r;
  member m[MEMBERS];
  void *ptr = NULL, *cols = NULL, *data = NULL;
  char text[40];
  GrB_Info info = grid_make_rows_from_edges(&r, e);
  if (info != GrB_SUCCESS) return info;
  const uint64_t limit = INT32_MAX, shape[2] = {r.nrows, r.ncols};
  const bool small = r.nrows < limit && r.ncols < limit && r.nvals < limit, first = grid_ctx.k == 0;
  const char *type = small ? "<i4" : "<i8";
  const uint64_t size = small ? 4 : 8;
  TRY(grid_agree(NULL, narrow_indices(&r, small, &ptr, &cols, &data)));
  snprintf(text, sizeof text, "(%llu,)", (unsigned long long)r.nvals);
  describe(&m[INDICES], "indices.npy", type, text, r.nvals, size);
  describe(&m[DATA], "data.npy", r.values ? "<f8" : "|b1", text, r.nvals, r.values ? 8 : 1);
  snprintf(text, sizeof text, "(%llu,)", (unsigned long long)r.nrows + 1);
  describe(&m[INDPTR], "indptr.npy", type, text, r.nrows + 1, size);
  describe(&m[FORMAT], "format.npy", "|S3", "()", 1, 3);
  describe(&m[SHAPE], "shape.npy", "<i8", "(2,)", 2, 8);
  m[INDICES].local = cols, m[DATA].local = r.values ? (void *)r.values : data, m[INDPTR].local = ptr;
  m[INDICES].local_first = m[DATA].local_first = r.start;
  m[INDICES].local_n = m[DATA].local_n = r.ptr[r.n];
  m[INDPTR].local_first = r.first;
  m[INDPTR].local_n = r.n + (grid_ctx.k + 1 == grid_ctx.P);
  m[FORMAT].local = "csr", m[FORMAT].local_n = first;
  m[SHAPE].local = shape, m[SHAPE].local_n = first ? 2 : 0;
  info = write_members(m, MEMBERS, o);
done:
  grid_free(ptr);
  grid_free(cols);
  grid_free(data);
  grid_edge_rows_free(&r);
  return info;
}
