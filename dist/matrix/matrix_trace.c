/* The description of a matrix in a trace (dist/object/burble.h). */
#include <inttypes.h>

#include "dist/object/burble.h"
#include "dist/matrix/properties/cached_properties.h"
#include "dist/matrix/storage/matrix_storage.h"

void grid_matrix_describe(char *what, size_t capacity, uint64_t *entries, GrB_Matrix A) {
  const grid_local_matrix *p = &A->block;
  *entries = p->nvals + grid_cached_nvals(A);
  snprintf(what, capacity, "%" PRIu64 " x %" PRIu64 " %.32s %s%s%s", A->nrows, A->ncols, A->type->name,
           grid_storage_of(A)->name(A), !A->bitmap.only && p->iso && p->nvals ? " iso" : "",
           p->device ? " on the device" : "");
}
