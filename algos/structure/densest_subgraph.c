/* A dense subgraph: the densest k-core. Vertices are removed by their core numbers (kcore.c), and before each
 * core number the edges that are left are counted.
 *
 * Let D be the density of the densest subgraph. Each of its vertices has D or more edges in it, else removing
 * one would leave a denser subgraph. So all of it is in the k-core of k = D rounded up, whose vertices have k
 * or more edges in the core: its density is k / 2 or more.
 *
 * Sources: Charikar, Greedy approximation algorithms for finding dense components in a graph (2000), which
 * removes one vertex at a time; by cores: Kortsarz, Peleg, Generating sparse 2-spanners (1994). */
#include "algos/structure/peel.h"
#include "algos/support/orient.h"

/* The densest core so far. */
typedef struct {
  double density;
  int64_t least; /* core number of its vertices */
} densest;

static GrB_Info peel_all(densest *d, peel *p) {
  GrB_Info info;
  GrB_Index left;
  int64_t k, ends;
  for (;;) {
    TRY(grid_peel_find_rest(p, &left));
    if (left == 0) break;
    TRY(GrB_Vector_reduce_INT64(&ends, NULL, GrB_PLUS_MONOID_INT64, p->q, NULL));
    TRY(grid_peel_remove_core(p, &k));
    const double density = (double)ends / 2 / (double)left;
    if (density > d->density) *d = (densest){density, k};
  }
out:
  return info;
}

/* *member = true for the vertices of this core number or more. */
static GrB_Info members(GrB_Vector *member, const peel *p, int64_t least) {
  GrB_Info info;
  TRY(GrB_Vector_new(member, GrB_BOOL, p->n));
  TRY(GrB_Vector_select_INT64(p->removed, NULL, NULL, GrB_VALUEGE_INT64, p->removed, least, NULL));
  TRY(GrB_Vector_assign_BOOL(*member, p->removed, NULL, true, GrB_ALL, p->n, GrB_DESC_S));
out:
  return info;
}

GrB_Info Grid_densest_subgraph(GrB_Vector *member, double *density, GrB_Matrix A) {
  SPAN;
  GrB_Info info;
  GrB_Index n;
  GrB_Matrix S = NULL;
  GrB_Vector found = NULL;
  peel p = {.A = NULL};
  densest d = {0, 0};

  if (member == NULL && density == NULL)
    return Grid_agree(GrB_NULL_POINTER, "Grid_densest_subgraph: both outputs are NULL");
  TRY(square_size(&n, A, "Grid_densest_subgraph"));
  TRY(grid_symmetrize(&S, A, n));
  TRY(grid_peel_begin(&p, S, n, true));
  TRY(grid_peel_ignore_loops(&p));
  TRY(peel_all(&d, &p));
  if (member != NULL) TRY(members(&found, &p, d.least));
  if (member != NULL) *member = found, found = NULL;
  if (density != NULL) *density = d.density;
out:
  grid_symmetrize_free(&S, A);
  grid_peel_free(&p);
  GrB_Vector_free(&found);
  return info;
}
