/* Serialized matrices as files: exactly the bytes of GrB_Matrix_serialize. Every process reads all of them
 * and selects its entries; each writes an equal share. */
#include <string.h>

#include "dist/io/formats/formats.h"
#include "dist/io/formats/edge_matrix.h"
#include "semiring/support/mem.h"
#include "spmat/convert/lmat_serialize.h"

bool grid_is_blob(const unsigned char *start) {
  return memcmp(start, GRID_BLOB_MAGIC, sizeof GRID_BLOB_MAGIC - 1) == 0;
}

GrB_Info grid_read_blob(Grid_Edges *e, const grid_file *f, const grid_format_row *row, grid_sink *sink) {
  (void)sink;
  (void)row;
  GrB_Matrix A = NULL;
  void *bytes = grid_malloc(f->size, 1);
  GrB_Info info = bytes ? grid_file_outcome(f, grid_file_bytes(f, bytes, f->size, 0))
                        : grid_fail_memory(NULL, "a serialized matrix", f->size, 1);
  TRY(grid_agree(NULL, info));
  info = GrB_Matrix_deserialize(&A, NULL, bytes, f->size);
  if (info == GrB_INVALID_OBJECT || info == GrB_DOMAIN_MISMATCH)
    info = grid_fail(NULL, GrB_INVALID_VALUE, "%s: %s", f->path, grid_last_error());
  grid_free(bytes);
  bytes = NULL;
  if (info == GrB_SUCCESS) info = grid_make_edges_from_matrix(e, A, f->path);
done:
  grid_free(bytes);
  GrB_Matrix_free(&A);
  return info;
}

GrB_Info grid_write_blob(const Grid_Edges *e, grid_output *o, grid_packing packing,
                         const grid_format_row *row) {
  (void)packing, (void)row;
  GrB_Matrix A = NULL;
  GrB_Index size = 0;
  char *bytes = NULL;
  GrB_Info info = grid_make_matrix_from_edges(&A, e, &(Grid_Read_Options){0});
  if (info != GrB_SUCCESS) return info;
  TRY(GrB_Matrix_serializeSize(&size, A));
  bytes = grid_malloc(size, 1);
  TRY(grid_agree(NULL, bytes ? GrB_SUCCESS : grid_fail_memory(NULL, "a serialized matrix", size, 1)));
  TRY(GrB_Matrix_serialize(bytes, &size, A));
  const uint64_t P = (uint64_t)grid_ctx.P, k = (uint64_t)grid_ctx.k, from = size / P * k,
                 to = k + 1 < P ? size / P * (k + 1) : size;
  info = grid_output_write(o, bytes + from, to - from, from);
done:
  grid_free(bytes);
  GrB_Matrix_free(&A);
  return info;
}
