/* See blob_trailer.h. */
#include "dist/interchange/blob_trailer.h"

#include <string.h>

#include "dist/grid/process_grid.h"
#include "spmat/convert/checksum.h"

enum { THIS_VERSION = 2 };
static const uint64_t magic = UINT64_C(0x6c69617464697267); /* "gridtail" */
enum { SUMMED_FROM = offsetof(grid_blob_trailer, kind) };

static const char *text_of(const char *name) {
  return name ? name : "";
}

static uint64_t padded(uint64_t bytes) {
  return (bytes + 7) / 8 * 8;
}

uint64_t grid_blob_trailer_bytes(const char *name, GrB_Type type) {
  return sizeof(grid_blob_trailer) + padded(strlen(text_of(name)) + strlen(text_of(type->head.name)) + 2);
}

static uint64_t checksum_of(const char *trailer, uint64_t bytes) {
  return grid_checksum(trailer + SUMMED_FROM, bytes - SUMMED_FROM, 1);
}

static void name_type(grid_blob_trailer *t, GrB_Type type) {
  snprintf(t->type_name, sizeof t->type_name, "%s", grid_type_c_name(type));
}

void grid_blob_trailer_write(char *to, grid_blob_trailer trailer, const char *name, GrB_Type type) {
  const uint64_t bytes = grid_blob_trailer_bytes(name, type);
  trailer.magic = magic, trailer.version = THIS_VERSION;
  trailer.name_bytes = strlen(text_of(name)) + 1;
  trailer.type_string_bytes = strlen(text_of(type->head.name)) + 1;
  name_type(&trailer, type);
  memset(to, 0, bytes);
  memcpy(to, &trailer, sizeof trailer);
  memcpy(to + sizeof trailer, text_of(name), trailer.name_bytes);
  memcpy(to + sizeof trailer + trailer.name_bytes, text_of(type->head.name), trailer.type_string_bytes);
  trailer.checksum = checksum_of(to, bytes);
  memcpy(to, &trailer, sizeof trailer);
}

/* The trailer that a blob without one would have. */
static void describe(grid_blob_info *b) {
  b->trailer = (grid_blob_trailer){.kind = GRID_BLOB_MATRIX,
                                   .sparsity_control = GxB_ANY_SPARSITY,
                                   .status = b->matrix.rows_hyper ? GxB_HYPERSPARSE : GxB_SPARSE,
                                   .hyper_switch = GxB_HYPER_DEFAULT,
                                   .bitmap_switch = GxB_HYPER_DEFAULT};
  if (!b->type) return;
  name_type(&b->trailer, b->type);
  b->type_string = text_of(b->type->head.name);
}

/* Is there a valid trailer in these bytes? */
static bool read_trailer(grid_blob_info *b, const char *at, uint64_t bytes) {
  grid_blob_trailer *t = &b->trailer;
  if (bytes < sizeof *t) return false;
  memcpy(t, at, sizeof *t);
  const uint64_t texts = bytes - sizeof *t, name = t->name_bytes, type = t->type_string_bytes;
  if (t->magic != magic || t->version != THIS_VERSION || name == 0 || type == 0 || name > texts ||
      type > texts - name || padded(name + type) > texts)
    return false;
  b->name = at + sizeof *t;
  b->type_string = b->name + name;
  return checksum_of(at, sizeof *t + padded(name + type)) == t->checksum && b->name[name - 1] == '\0' &&
         b->type_string[type - 1] == '\0' && memchr(t->type_name, '\0', sizeof t->type_name);
}

static GrB_Info read_blob(grid_blob_info *b, const void *blob, uint64_t size, grid_blob_share *share,
                          const char *call) {
  *b = (grid_blob_info){.name = "", .type_string = ""};
  if (!blob) return grid_fail(NULL, GrB_NULL_POINTER, "%s: argument blob is NULL", call);
  const GrB_Info info = grid_blob_read(&b->matrix, blob, size, share, call);
  if (info != GrB_SUCCESS) return info;
  b->type = grid_type_of_code(b->matrix.code);
  if (!b->matrix.has_trailer)
    describe(b);
  else if (!read_trailer(b, (const char *)blob + b->matrix.bytes, size - b->matrix.bytes))
    return grid_fail(NULL, GrB_INVALID_OBJECT,
                     "%s: what follows the matrix in the blob is damaged or cut off", call);
  return info;
}

GrB_Info grid_blob_info_read(grid_blob_info *b, const void *blob, uint64_t size, const char *call) {
  return read_blob(b, blob, size, NULL, call);
}

GrB_Info grid_blob_info_read_shares(grid_blob_info *b, const void *blob, uint64_t size, GrB_Info info,
                                    const char *call) {
  grid_blob_share share = {.k = grid_ctx.k, .of = grid_ctx.P};
  if (info == GrB_SUCCESS) info = read_blob(b, blob, size, &share, call);
  info = grid_agree_sum(NULL, info, share.sums, 2);
  return info == GrB_SUCCESS ? grid_blob_check_sums(&share, call) : info;
}
