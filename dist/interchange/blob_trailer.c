/* See blob_trailer.h. */
#include "dist/interchange/blob_trailer.h"

#include <string.h>

#include "spmat/convert/checksum.h"

enum { THIS_VERSION = 1 };
static const uint64_t magic = UINT64_C(0x6c69617464697267); /* "gridtail" */
enum { SUMMED_FROM = offsetof(grid_blob_trailer, kind) };

static uint64_t padded(uint64_t bytes) {
  return (bytes + 7) / 8 * 8;
}

uint64_t grid_blob_trailer_bytes(const char *name) {
  return sizeof(grid_blob_trailer) + padded(name ? strlen(name) + 1 : 1);
}

static uint64_t checksum_of(const char *trailer, uint64_t bytes) {
  return grid_checksum(trailer + SUMMED_FROM, bytes - SUMMED_FROM, 1);
}

void grid_blob_trailer_write(char *to, grid_blob_trailer trailer, const char *name) {
  const uint64_t bytes = grid_blob_trailer_bytes(name);
  trailer.magic = magic, trailer.version = THIS_VERSION;
  trailer.name_bytes = name ? strlen(name) + 1 : 1;
  memset(to, 0, bytes);
  memcpy(to, &trailer, sizeof trailer);
  if (name) memcpy(to + sizeof trailer, name, trailer.name_bytes);
  trailer.checksum = checksum_of(to, bytes);
  memcpy(to, &trailer, sizeof trailer);
}

/* The trailer that a blob without one would have. */
static grid_blob_trailer describe(const grid_blob_info *b) {
  const grid_blob *m = &b->matrix;
  grid_blob_trailer t = {.kind = GRID_BLOB_MATRIX,
                         .sparsity_control = GxB_ANY_SPARSITY,
                         .status = m->rows_hyper ? GxB_HYPERSPARSE : GxB_SPARSE,
                         .hyper_switch = GxB_HYPER_DEFAULT,
                         .bitmap_switch = GxB_HYPER_DEFAULT};
  if (!b->type) return t;
  snprintf(t.type_name, sizeof t.type_name, "%s", grid_type_c_name(b->type));
  snprintf(t.type_string, sizeof t.type_string, "%s", b->type->head.name ? b->type->head.name : "");
  return t;
}

/* Is there a valid trailer in these bytes? */
static bool read_trailer(grid_blob_info *b, const char *at, uint64_t bytes) {
  grid_blob_trailer *t = &b->trailer;
  if (bytes < sizeof *t) return false;
  memcpy(t, at, sizeof *t);
  if (t->magic != magic || t->version != THIS_VERSION || t->name_bytes == 0 ||
      t->name_bytes > bytes - sizeof *t || padded(t->name_bytes) > bytes - sizeof *t)
    return false;
  b->name = at + sizeof *t;
  return checksum_of(at, sizeof *t + padded(t->name_bytes)) == t->checksum &&
         b->name[t->name_bytes - 1] == '\0' && memchr(t->type_name, '\0', sizeof t->type_name) &&
         memchr(t->type_string, '\0', sizeof t->type_string);
}

GrB_Info grid_blob_info_read(grid_blob_info *b, const void *blob, uint64_t size, const char *call) {
  *b = (grid_blob_info){.name = ""};
  if (!blob) return grid_fail(NULL, GrB_NULL_POINTER, "%s: argument blob is NULL", call);
  const GrB_Info info = grid_blob_read(&b->matrix, blob, size, call);
  if (info != GrB_SUCCESS) return info;
  b->type = grid_type_of_code(b->matrix.code);
  if (read_trailer(b, (const char *)blob + b->matrix.bytes, size - b->matrix.bytes)) return info;
  b->trailer = describe(b);
  b->name = "";
  return info;
}
