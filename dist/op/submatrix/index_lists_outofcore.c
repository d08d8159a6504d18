/* See index_lists_outofcore.h. */
#include "dist/op/submatrix/index_lists_outofcore.h"

/* The moves of A's rows (columns) that a list says; NULL: they keep their numbers. */
static GrB_Info find_moves(const grid_permutation **m, grid_permutation *made, grid_local_list *local,
                           const grid_list *l, uint64_t dim, bool rows, bool by_position, GrB_Info info) {
  *m = NULL;
  if (l->all) return info;
  *m = made;
  info = grid_local_list_make(local, l, dim, rows, by_position, NULL, info);
  if (info != GrB_SUCCESS) return info;
  *made = (grid_permutation){.n = local->n,
                             .from = by_position ? local->position : local->index,
                             .to = by_position ? local->index : local->position};
  return info;
}

GrB_Info grid_permute_by_lists(GrB_Matrix *T, GrB_Matrix C, GrB_Matrix A, const grid_list *rows,
                               const grid_list *cols, bool flip, bool by_position, const char *call) {
  grid_local_list local[2] = {{0}};
  grid_permutation made[2];
  const grid_permutation *moves[2];
  GrB_Info info = find_moves(&moves[0], &made[0], &local[0], rows, A->nrows, true, by_position, GrB_SUCCESS);
  info = find_moves(&moves[1], &made[1], &local[1], cols, A->ncols, false, by_position, info);
  info = grid_permute_pages(T, C->nrows, C->ncols, A, moves[0], moves[1], flip, info, call);
  for (int k = 0; k < 2; k++) grid_local_list_free(&local[k]);
  return info;
}
