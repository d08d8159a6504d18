/* Core numbers by peeling (Grid_Matrix_peel): vertices of the least degree are removed with their edges until
 * none is left, then those of the next degree.
 *
 * Sources: Seidman, Network structure and minimum degree (1983); Matula, Beck (1983). */
#include "algos/checkpoints/resume.h"
#include "algos/structure/neighbor_counts.h"
#include "algos/support/orient.h"

/* *least: the degree of the vertices that leave next, among those of this level or more; *left: their number.
 */
static GrB_Info find_level(int64_t *least, GrB_Index *left, GrB_Vector degree, int64_t level) {
  GrB_Info info;
  GrB_Index n;
  GrB_Vector rest = NULL;
  TRY(GrB_Vector_size(&n, degree));
  TRY(GrB_Vector_new(&rest, GrB_INT64, n));
  TRY(GrB_Vector_select_INT64(rest, NULL, NULL, GrB_VALUEGE_INT64, degree, level, NULL));
  TRY(GrB_Vector_nvals(left, rest));
  TRY(GrB_Vector_reduce_INT64(least, NULL, GrB_MIN_MONOID_INT64, rest, NULL));
  Grid_progress_set(n - *left, n);
out:
  GrB_Vector_free(&rest);
  return info;
}

/* One level after another, with checkpoints. */
static GrB_Info peel_resumably(GrB_Vector degree, GrB_Matrix S, GrB_Index n) {
  GrB_Info info;
  GrB_Index left;
  int64_t level = 0;
  uint64_t done = 0;
  checkpoint_key c;
  const Grid_Checkpoint_Item state[] = {{.name = "degree", .vector = degree},
                                        {.name = "level", .bytes = &level, .size = sizeof level}};
  TRY(grid_checkpoint_key_make(&c, "kcore", S, n));
  TRY(grid_checkpoint_resume(&done, &c, state, 2));
  for (;;) {
    TRY(find_level(&level, &left, degree, level));
    if (left == 0) break;
    TRY(Grid_Matrix_peel(degree, NULL, NULL, S, level, level));
    level++;
    TRY(grid_checkpoint_iteration(++done, &c, state, 2));
  }
out:
  return info;
}

GrB_Info Grid_kcore(GrB_Vector *core, GrB_Matrix A) {
  SPAN;
  GrB_Info info;
  GrB_Index n;
  GrB_Matrix S = NULL;
  GrB_Vector degree = NULL;

  if (core == NULL) return Grid_agree(GrB_NULL_POINTER, "Grid_kcore: core is NULL");
  TRY(square_size(&n, A, "Grid_kcore"));
  TRY(grid_symmetrize(&S, A, n));
  TRY(grid_neighbor_counts(&degree, S, n, false));
  TRY(grid_checkpoint_is_set() ? peel_resumably(degree, S, n)
                               : Grid_Matrix_peel(degree, NULL, NULL, S, 0, INT64_MAX));
  *core = degree, degree = NULL;
out:
  grid_symmetrize_free(&S, A);
  GrB_Vector_free(&degree);
  return info;
}
