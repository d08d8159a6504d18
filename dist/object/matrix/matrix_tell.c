/* matrix_tell.c: what a line about a call says of a matrix (dist/object/burble.h). */
#include <inttypes.h>

#include "dist/object/burble.h"
#include "dist/object/matrix/derived.h"
#include "dist/pages/pages.h"

static const char *form_of_block(const grid_part *p) {
  const bool lists = p->row.ids || p->col.ids;
  if (grid_is_made(&p->by_col)) return lists ? "hypersparse rows and columns" : "rows and columns";
  return lists ? "hypersparse rows" : "rows";
}

void grid_matrix_tell(char *what, size_t room, uint64_t *entries, GrB_Matrix A) {
  const grid_part *p = &A->block;
  const char *form = A->no_rows ? grid_form_of(&A->dense)
                     : A->pages ? "pages"
                     : A->split ? "split"
                                : form_of_block(p);
  *entries = A->no_rows ? A->dense.nvals
             : A->pages ? grid_pages_nvals(A->pages)
                        : p->nvals + grid_derived_nvals(A);
  snprintf(what, room, "%" PRIu64 " x %" PRIu64 " %.32s %s%s%s", A->nrows, A->ncols, A->type->name, form,
           !A->no_rows && p->iso && p->nvals ? " iso" : "", p->device ? " on the device" : "");
}
