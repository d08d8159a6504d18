/* See index_lists_outofcore.h. */
#include "dist/op/submatrix/index_lists_outofcore.h"

#include "dist/matrix/storage/matrix_outofcore.h"
#include "dist/outofcore/operations/permute_entries.h"
#include "dist/outofcore/operations/unite_disjoint.h"

/* ---- row panels ---- */

typedef struct {
  GrB_Matrix C;
  grid_move_entries *move;
  const void *context;
  grid_disjoint terms;
} moving;

static GrB_Info move_panel(void *context, GrB_Matrix panel) {
  moving *w = context;
  grid_local_matrix t = {0};
  GrB_Matrix term;
  GrB_Info info = w->move(&t, w->context, panel);
  info = grid_matrix_from_lmat(&term, w->C, &t, info);
  return info == GrB_SUCCESS ? grid_disjoint_add(&w->terms, term) : info;
}

bool grid_moves_panels(GrB_Matrix C, GrB_Matrix A) {
  return grid_is_paged_hypersparse(A) || !grid_index_fits32(C->nrows) || !grid_index_fits32(C->ncols);
}

GrB_Info grid_move_panels(GrB_Matrix *T, GrB_Matrix C, GrB_Matrix A, grid_move_entries *move,
                          const void *context) {
  moving w = {.C = C, .move = move, .context = context, .terms = {.path = A->pages->path}};
  GrB_Info info = grid_slices_of(A, NULL, false, move_panel, &w);
  *T = NULL;
  if (info == GrB_SUCCESS) info = grid_disjoint_unite(T, &w.terms);
  if (info == GrB_SUCCESS && !*T) info = GrB_Matrix_new(T, A->type, C->nrows, C->ncols);
  grid_disjoint_free(&w.terms);
  return info;
}

/* ---- all entries at once ---- */

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

GrB_Info grid_matrix_from_lmat(GrB_Matrix *T, GrB_Matrix C, grid_local_matrix *t, GrB_Info info) {
  *T = NULL;
  TRY(grid_agree(&C->head, info));
  TRY(GrB_Matrix_new(T, t->type, C->nrows, C->ncols));
  info = grid_matrix_adopt(*T, &(grid_build){0}, t, info);
  if (info != GrB_SUCCESS) GrB_Matrix_free(T);
done:
  grid_lmat_free(t);
  return info;
}
