/* Core numbers by peeling: vertices of the least degree are removed with their edges until none is left,
 * then those of the next degree. A round reads the edges of the vertices that it removes, and no others.
 *
 * Sources: Seidman, Network structure and minimum degree (1983); Matula, Beck (1983); in rounds: Dasari,
 * Ranjan, Zubair, ParK (2014). */
#include "algos/orient.h"
#include "algos/communities/peel.h"
#include "algos/resume.h"

/* Loops do not count: degree(v) is the number of neighbors of v other than v. */
static GrB_Info subtract_loops(peel *p) {
  GrB_Info info;
  GrB_Matrix loops = NULL;
  TRY(GrB_Matrix_new(&loops, GrB_BOOL, p->n, p->n));
  TRY(GrB_Matrix_select_INT64(loops, NULL, NULL, GrB_DIAG, p->A, 0, NULL));
  TRY(Grid_Matrix_degree(p->less, loops, false));
  TRY(GrB_Vector_eWiseAdd_BinaryOp(p->degree, NULL, NULL, p->ops.minus, p->degree, p->less, NULL));
out:
  GrB_Matrix_free(&loops);
  return info;
}

/* Removes all vertices that are not in the core k + 1. */
static GrB_Info remove_vertices(peel *p, int64_t k) {
  GrB_Info info;
  GrB_Index taken;
  for (;;) {
    TRY(GrB_Vector_nvals(&taken, p->q));
    if (taken == 0) break;
    TRY(grid_peel_remove(p, k, k));
  }
out:
  return info;
}

static GrB_Info peel_all(peel *p) {
  GrB_Info info;
  GrB_Index left;
  int64_t k;
  uint64_t done = 0;
  checkpoint_key c;
  const Grid_Checkpoint_Item state[] = {{.name = "core", .vector = p->removed},
                                        {.name = "degree", .vector = p->degree}};
  TRY(grid_checkpoint_key_make(&c, "kcore", p->A, p->n));
  TRY(grid_checkpoint_resume(&done, &c, state, 2));
  for (;;) {
    /* q<!removed> = degree; then q keeps the smallest values */
    TRY(GrB_Vector_apply(p->q, p->removed, NULL, p->ops.identity, p->degree, GrB_DESC_RSC));
    TRY(GrB_Vector_nvals(&left, p->q));
    Grid_progress_set(p->n - left, p->n);
    if (left == 0) break;
    TRY(GrB_Vector_reduce_INT64(&k, NULL, p->ops.min, p->q, NULL));
    TRY(GrB_Vector_select_INT64(p->q, NULL, NULL, p->ops.at_most, p->q, k, NULL));
    TRY(remove_vertices(p, k));
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
  peel p = {.A = NULL};

  if (core == NULL) return Grid_agree(GrB_NULL_POINTER, "Grid_kcore: core is NULL");
  TRY(square_size(&n, A, "Grid_kcore"));
  TRY(grid_symmetrize(&S, A, n));
  TRY(grid_peel_begin(&p, S, n, true));
  TRY(subtract_loops(&p));
  TRY(peel_all(&p));
  *core = p.removed, p.removed = NULL;
out:
  grid_symmetrize_free(&S, A);
  grid_peel_free(&p);
  return info;
}
