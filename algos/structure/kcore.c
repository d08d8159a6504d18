/* Core numbers by peeling: vertices of the least degree are removed with their edges until none is left,
 * then those of the next degree. A round reads the edges of the vertices that it removes, and no others.
 *
 * Sources: Seidman, Network structure and minimum degree (1983); Matula, Beck (1983); in rounds: Dasari,
 * Ranjan, Zubair, ParK (2014). */
#include "algos/support/orient.h"
#include "algos/structure/peel.h"
#include "algos/checkpoints/resume.h"

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
    TRY(grid_peel_find_rest(p, &left));
    if (left == 0) break;
    TRY(grid_peel_remove_core(p, &k));
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
  TRY(grid_peel_ignore_loops(&p));
  TRY(peel_all(&p));
  *core = p.removed, p.removed = NULL;
out:
  grid_symmetrize_free(&S, A);
  grid_peel_free(&p);
  return info;
}
