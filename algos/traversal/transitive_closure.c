/* The transitive closure, by breadth-first searches from all vertices at once (Grid_bfs_many): level(v, s) is
 * there where s reaches v, and in any case for v = s. A vertex s reaches itself by a cycle if it reaches a
 * vertex with an edge to s, which is itself where it has a loop. Column s of level .* A has entries for
 * these. With checkpoints the searches start from BATCH vertices at a time.
 *
 * Source: the searches: Then et al., The more the merrier: efficient multi-source graph traversal (2014). */
#include <stdlib.h>

#include "algos/checkpoints/resume_matrix.h"
#include "algos/traversal/bfs_many.h"

enum { BATCH = 256 };

/* *level = an entry (v, s) where s reaches v, by batches of the sources `all`. */
static GrB_Info search_batches(GrB_Matrix *level, GrB_Matrix A, const GrB_Index *all, GrB_Index n) {
  GrB_Info info;
  GrB_Matrix batch = NULL, found = NULL;
  uint64_t done = 0;
  checkpoint_key c;
  TRY(grid_checkpoint_key_make(&c, "transitive_closure", A, n));
  TRY(GrB_Matrix_new(&found, GrB_BOOL, n, n));
  const checkpoint_matrix state = {.name = "reached", .M = found};
  TRY(grid_checkpoint_resume_matrices(&done, &c, NULL, 0, &state, 1));
  while (done * BATCH < n) {
    const GrB_Index first = done * BATCH, count = n - first < BATCH ? n - first : BATCH;
    TRY(grid_bfs_many_step(&batch, A, all + first, count));
    TRY(GrB_Matrix_assign(found, NULL, NULL, batch, GrB_ALL, n, all + first, count, NULL));
    TRY(GrB_Matrix_free(&batch));
    TRY(grid_checkpoint_iteration_matrices(++done, &c, NULL, 0, &state, 1));
  }
  *level = found, found = NULL;
out:
  GrB_Matrix_free(&batch);
  GrB_Matrix_free(&found);
  return info;
}

/* *level = the levels of searches from all vertices; with checkpoints, where they are. */
static GrB_Info search_all(GrB_Matrix *level, GrB_Matrix A, GrB_Index n) {
  GrB_Index *all = malloc((n + 1) * sizeof *all);
  GrB_Info info = Grid_agree(all == NULL ? GrB_OUT_OF_MEMORY : GrB_SUCCESS,
                             "Grid_transitive_closure: no memory for the sources");
  if (info == GrB_SUCCESS) {
    for (GrB_Index v = 0; v < n; v++) all[v] = v;
    info = grid_checkpoint_is_set() ? search_batches(level, A, all, n) : Grid_bfs_many(level, A, all, n, -1);
  }
  free(all);
  return info;
}

/* *on_cycle = a diagonal matrix: the vertices on cycles. */
static GrB_Info find_cycles(GrB_Matrix *on_cycle, GrB_Matrix level, GrB_Matrix A, GrB_Index n) {
  GrB_Info info;
  GrB_Matrix back = NULL;
  GrB_Vector count = NULL;
  TRY(GrB_Matrix_new(&back, GrB_BOOL, n, n));
  TRY(GrB_Vector_new(&count, GrB_INT64, n));
  TRY(GrB_Matrix_assign(back, A, NULL, level, GrB_ALL, n, GrB_ALL, n, GrB_DESC_S));
  TRY(Grid_Matrix_degree(count, back, true));
  TRY(GrB_Matrix_diag(on_cycle, count, 0));
out:
  GrB_Matrix_free(&back);
  GrB_Vector_free(&count);
  return info;
}

GrB_Info Grid_transitive_closure(GrB_Matrix *closure, GrB_Matrix A) {
  SPAN;
  GrB_Info info;
  GrB_Index n;
  GrB_Matrix level = NULL, on_cycle = NULL, C = NULL;

  if (closure == NULL) return Grid_agree(GrB_NULL_POINTER, "Grid_transitive_closure: closure is NULL");
  TRY(square_size(&n, A, "Grid_transitive_closure"));
  TRY(GrB_Matrix_new(&C, GrB_BOOL, n, n));
  if (n > 0) {
    TRY(search_all(&level, A, n));
    TRY(find_cycles(&on_cycle, level, A, n));
    /* C = the pattern of level' off the diagonal, and on_cycle */
    TRY(GrB_Matrix_apply_BinaryOp2nd_BOOL(C, NULL, NULL, GrB_ONEB_BOOL, level, true, GrB_DESC_T0));
    TRY(GrB_Matrix_select_INT64(C, NULL, NULL, GrB_OFFDIAG, C, 0, NULL));
    TRY(GrB_Matrix_assign_BOOL(C, on_cycle, NULL, true, GrB_ALL, n, GrB_ALL, n, GrB_DESC_S));
  }
  *closure = C, C = NULL;
out:
  GrB_Matrix_free(&level);
  GrB_Matrix_free(&on_cycle);
  GrB_Matrix_free(&C);
  return info;
}
