/* Pending changes of a matrix out of core. They are the assignment A<changed, structure> = set: `changed` has
 * the positions of all changes, `set` the entries of those that are no removals. It runs in row panels. */
#include <string.h>

#include "dist/outofcore/operations/outofcore_run.h"
#include "spmat/lmat_ops.h"

static const grid_desc in_pattern = {.structure = true};

GrB_Info grid_replace_slice(void *context, const grid_slices *s) {
  grid_local_matrix t;
  GrB_Info info = grid_matrix_require(s->A, GRID_WHOLE);
  (void)context;
  if (info != GrB_SUCCESS) return info;
  grid_lmat_init(&t, s->A->type, s->C->block.row.dim, s->C->block.col.dim);
  info = grid_lmat_copy_rows(&t, &s->A->block);
  return grid_finish_matrix(s->C, s->mask, NULL, &in_pattern, &t, true, info);
}

/* *M, like A, = the entries that the changes set; all: zeros where they remove one, too. */
static GrB_Info make_entries(GrB_Matrix *M, GrB_Matrix A, const grid_pending *changes, bool all) {
  const size_t size = A->type->size;
  GrB_Info info;
  TRY(grid_slice_like(M, A));
  grid_pending *p = &(*M)->pending;
  TRY(grid_pending_reserve(p, &A->head, (grid_pending_dims){A->nrows, A->ncols}, size, changes->n));
  memcpy(p->position, changes->position, changes->n * sizeof *p->position);
  if (p->col) memcpy(p->col, changes->col, changes->n * sizeof *p->col);
  for (uint64_t k = 0; k < changes->n; k++) {
    p->removed[k] = changes->removed[k] && !all;
    if (changes->removed[k])
      memset(p->val + k * size, 0, size);
    else
      memcpy(p->val + k * size, changes->val + k * size, size);
  }
  p->n = changes->n;
  info = grid_matrix_require(*M, GRID_MERGED);
done:
  return info;
}

GrB_Info grid_merge_pages(GrB_Matrix A) {
  grid_pending changes = A->pending;
  GrB_Matrix changed = NULL, set = NULL;
  GrB_Info info;
  A->pending = (grid_pending){0};
  TRY(make_entries(&changed, A, &changes, true));
  TRY(make_entries(&set, A, &changes, false));
  info = grid_out_of_core_run(
      &(grid_out_of_core){.C = A, .mask = changed, .A = set, .d = &in_pattern, .run = grid_replace_slice});
done:
  if (info == GrB_SUCCESS)
    grid_pending_free(&changes);
  else
    A->pending = changes;
  GrB_Matrix_free(&changed);
  GrB_Matrix_free(&set);
  return info;
}
