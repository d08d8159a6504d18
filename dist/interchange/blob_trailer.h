/* What follows the bytes of a matrix (spmat/convert/lmat_serialize.h) in a blob of GxB_Matrix_serialize and
 * GxB_Vector_serialize: names and hints. The matrix's header announces it. A blob may be longer than what it
 * holds. */
#ifndef GRID_BLOB_TRAILER_H
#define GRID_BLOB_TRAILER_H
#include "semiring/semiring.h"
#include "spmat/convert/lmat_serialize.h"
#include "gridblas_gxb_objects.h"
#include "gridblas_gxb_data.h"

enum { GRID_BLOB_MATRIX = 1, GRID_BLOB_VECTOR = 2 };

typedef struct {
  uint64_t magic, version, checksum; /* of what follows, the object's name included */
  int32_t kind, orientation, sparsity_control, status;
  double hyper_switch, bitmap_switch;
  char type_name[GxB_MAX_NAME_LEN]; /* in C */
  /* GrB_NAME of the object and of its type, which follow, their ends included; together padded to 8 */
  uint64_t name_bytes, type_string_bytes;
} grid_blob_trailer;

/* A blob that has been checked. */
typedef struct {
  grid_blob matrix;
  GrB_Type type;             /* NULL: user-defined */
  grid_blob_trailer trailer; /* of a blob without one: by the matrix */
  const char *name, *type_string;
} grid_blob_info;
/* Checks all bytes (grid_blob_read). Errors: GrB_NULL_POINTER, GrB_INVALID_OBJECT. Local. */
GrB_Info grid_blob_info_read(grid_blob_info *b, const void *blob, uint64_t size, const char *call);
/* The same of bytes that all processes have, of which each checks a share, unless `info` is a failure.
 * Collective, agreed on. */
GrB_Info grid_blob_info_read_shares(grid_blob_info *b, const void *blob, uint64_t size, GrB_Info info,
                                    const char *call);

/* Bytes of the trailer of an object with this name (NULL: none) and type; writes it, the type's names, its
 * magic and checksum as well. */
uint64_t grid_blob_trailer_bytes(const char *name, GrB_Type type);
void grid_blob_trailer_write(char *to, grid_blob_trailer trailer, const char *name, GrB_Type type);
#endif
