/* matrix_trace.c: what a line about a call says of a matrix (dist/object/burble.h). */
#include <inttypes.h>

#include "dist/object/burble.h"
#include "dist/matrix/properties/cached_properties.h"
#include "dist/outofcore/pages/row_pages.h"

static const char *block_form_name(const grid_local_matrix *p) {
  const bool lists = p->row.ids || p->col.ids;
  if (grid_compressed_is_built(&p->by_col))
    return lists ? "hypersparse rows and columns" : "rows and columns";
  return lists ? "hypersparse rows" : "rows";
}

void grid_matrix_describe(char *what, size_t capacity, uint64_t *entries, GrB_Matrix A) {
  const grid_local_matrix *p = &A->block;
  const char *form = A->bitmap.only       ? grid_form_of(&A->bitmap.chunk)
                     : A->pages           ? "pages"
                     : A->delegates.split ? "split"
                                          : block_form_name(p);
  *entries = A->bitmap.only ? A->bitmap.chunk.nvals
             : A->pages     ? grid_pages_nvals(A->pages)
                            : p->nvals + grid_cached_nvals(A);
  snprintf(what, capacity, "%" PRIu64 " x %" PRIu64 " %.32s %s%s%s", A->nrows, A->ncols, A->type->name, form,
           !A->bitmap.only && p->iso && p->nvals ? " iso" : "", p->device ? " on the device" : "");
}
