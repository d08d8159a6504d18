/* Edge files of the Graph500 benchmark: pairs of vertices from 0 on, undirected, without a header. An edge is
 * two 64-bit numbers (16 bytes), or packed (12 bytes). Packed are the low 32 bits of both, then one word with
 * 16 high bits of each, the first vertex's in the lower half. */
#include <string.h>

#include "dist/io/formats/formats.h"
#include "semiring/support/mem.h"

#define VERTICES_MAX (INT64_C(1) << 60)

static void unpack(const unsigned char *p, int bytes, int64_t v[2]) {
  uint32_t w[3];
  if (bytes == 16) {
    memcpy(v, p, 16);
    return;
  }
  memcpy(w, p, 12);
  v[0] = (int64_t)(w[0] | (uint64_t)(w[2] & 0xffff) << 32 | (w[2] & 0x8000 ? UINT64_C(0xffff) << 48 : 0));
  v[1] = (int64_t)(w[1] | (uint64_t)(w[2] >> 16) << 32 | (w[2] & 0x80000000 ? UINT64_C(0xffff) << 48 : 0));
}

/* Decodes the file's bytes to edges; *most is the largest vertex so far. */
static GrB_Info decode_tuples(Grid_Edges *e, const grid_file *f, const unsigned char *bytes, uint64_t first,
                              int size, uint64_t *most) {
  for (uint64_t k = 0; k < e->n; k++) {
    int64_t v[2];
    unpack(bytes + k * (uint64_t)size, size, v);
    for (int side = 0; side < 2; side++)
      if (v[side] < 0 || v[side] >= VERTICES_MAX)
        return grid_fail(NULL, GrB_INVALID_VALUE,
                         "%s: byte %llu: expected a vertex from 0 to 2^60 - 1, found %lld", f->path,
                         (unsigned long long)((first + k) * (uint64_t)size), (long long)v[side]);
    e->rows[k] = (uint64_t)v[0];
    e->cols[k] = (uint64_t)v[1];
    if (e->rows[k] > *most) *most = e->rows[k];
    if (e->cols[k] > *most) *most = e->cols[k];
  }
  return GrB_SUCCESS;
}

/* Reads edges first .. first + e->n of the file. */
static GrB_Info read_edges(Grid_Edges *e, const grid_file *f, uint64_t first, int size, uint64_t *most) {
  unsigned char *bytes = grid_malloc(e->n * (uint64_t)size, 1);
  if (!bytes) return grid_fail_memory(NULL, "a file's edges", e->n, (size_t)size);
  GrB_Info info =
      grid_file_outcome(f, grid_file_bytes(f, bytes, e->n * (uint64_t)size, first * (uint64_t)size));
  if (info == GrB_SUCCESS) info = decode_tuples(e, f, bytes, first, size, most);
  grid_free(bytes);
  return info;
}

/* Reads segment by segment and passes the edges to the sink. */
static GrB_Info send_edges(Grid_Edges *e, const grid_file *f, uint64_t first, int size, grid_sink *sink) {
  const uint64_t end = first + e->n, capacity = sink->bytes / (16 + (uint64_t)size),
                 step = capacity > 64 ? capacity : 64;
  uint64_t most = 0;
  GrB_Info info = GrB_SUCCESS;
  for (; first < end && info == GrB_SUCCESS; first += e->n) {
    e->n = end - first < step ? end - first : step;
    info = read_edges(e, f, first, size, &most);
    if (info == GrB_SUCCESS) info = sink->receive(sink, e->rows, e->cols, NULL, e->n);
  }
  e->n = 0;
  return info;
}

GrB_Info grid_read_graph500(Grid_Edges *e, const grid_file *f, const grid_format_row *row, grid_sink *sink) {
  const uint64_t size = (uint64_t)row->bytes, P = (uint64_t)grid_ctx.P, k = (uint64_t)grid_ctx.k;
  if (f->size % size)
    return grid_fail(
        NULL, GrB_INVALID_VALUE,
        "%s: byte %llu: expected an edge of %llu bytes, found the end of the file (is it truncated?)",
        f->path, (unsigned long long)(f->size / size * size), (unsigned long long)size);
  const uint64_t total = f->size / size, more = total % P, first = total / P * k + (k < more ? k : more);
  uint64_t most = 0;
  GrB_Info info = GrB_SUCCESS;
  e->pattern = true;
  e->total = total;
  if (sink) {
    sink->begun = true;
    info = sink->begin(sink, e, GRID_SHAPE_BY_NUMBERS);
  }
  if (info != GrB_SUCCESS) return info;
  e->n = total / P + (k < more);
  uint64_t capacity = e->n;
  if (sink && sink->bytes / (16 + size) < capacity) capacity = sink->bytes / (16 + size) + 64;
  e->rows = grid_malloc(capacity, 8);
  e->cols = grid_malloc(capacity, 8);
  if (!e->rows || !e->cols) info = grid_fail_memory(NULL, "a file's edges", capacity, 16);
  if (info == GrB_SUCCESS)
    info = sink ? send_edges(e, f, first, row->bytes, sink) : read_edges(e, f, first, row->bytes, &most);
  info = grid_agree(NULL, info);
  if (info == GrB_SUCCESS) info = grid_ctx.transport->allreduce(GRID_SET_ALL, &most, 1, GRID_MAX);
  e->nrows = e->ncols = most + 1;
  return info;
}

GrB_Info grid_write_graph500(const Grid_Edges *e, grid_output *o, grid_packing packing,
                             const grid_format_row *row) {
  (void)packing;
  const uint64_t size = (uint64_t)row->bytes;
  uint64_t before, all;
  if (!e->pattern)
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: the format has no weights, and the graph has", o->path);
  if (row->bytes == 12 && e->nrows > UINT64_C(1) << 47)
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: packed edges have vertices below 2^47, the graph has %llu",
                     o->path, (unsigned long long)e->nrows);
  GrB_Info info = grid_output_before(e->n, &before, &all);
  if (info != GrB_SUCCESS) return info;
  unsigned char *bytes = grid_malloc(e->n * size, 1);
  if (!bytes) return grid_fail_memory(NULL, "a file's edges", e->n, (size_t)size);
  for (uint64_t k = 0; k < e->n; k++) {
    const uint64_t r = e->rows[k], c = e->cols[k], plain[2] = {r, c};
    const uint32_t packed[3] = {(uint32_t)r, (uint32_t)c, (uint32_t)(r >> 32 | c >> 32 << 16)};
    memcpy(bytes + k * size, row->bytes == 12 ? (const void *)packed : (const void *)plain, size);
  }
  info = grid_output_write(o, bytes, e->n * size, before * size);
  grid_free(bytes);
  return info;
}
