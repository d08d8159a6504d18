/* A dense subgraph: the densest k-core. Vertices are removed by their core numbers (kcore.c), and the edges
 * that are left before each core number are known.
 *
 * Let D be the density of the densest subgraph. Each of its vertices has D or more edges in it, else removing
 * one would leave a denser subgraph. So all of it is in the k-core of k = D rounded up, whose vertices have k
 * or more edges in the core: its density is k / 2 or more.
 *
 * Sources: Charikar, Greedy approximation algorithms for finding dense components in a graph (2000), which
 * removes one vertex at a time; by cores: Kortsarz, Peleg, Generating sparse 2-spanners (1994). */
#include <math.h>
#include <stdlib.h>

#include "algos/structure/neighbor_counts.h"
#include "algos/support/orient.h"

/* The densest core. */
typedef struct {
  double density;
  int64_t least; /* core number of its vertices */
} densest;

/* core: in, the number of neighbors of each vertex; out, its core number. */
static GrB_Info find_densest(densest *d, GrB_Vector core, GrB_Matrix S) {
  GrB_Info info;
  GrB_Index entries, count;
  Grid_Peel_Level *level = NULL;
  TRY(GrB_Matrix_nvals(&entries, S));
  count = (GrB_Index)sqrt((double)entries) + 2; /* a core of number k has k (k + 1) entries or more */
  level = malloc(count * sizeof *level);
  TRY(Grid_agree(level ? GrB_SUCCESS : GrB_OUT_OF_MEMORY, "Grid_densest_subgraph: no memory for cores"));
  TRY(Grid_Matrix_peel(core, level, &count, S, 0, INT64_MAX));
  for (GrB_Index k = 0; k < count; k++) {
    const double density = (double)level[k].degrees / 2 / (double)level[k].vertices;
    if (density > d->density) *d = (densest){density, level[k].level};
  }
out:
  free(level);
  return info;
}

/* *member = true for the vertices of this core number or more. core is changed. */
static GrB_Info find_members(GrB_Vector *member, GrB_Vector core, GrB_Index n, int64_t least) {
  GrB_Info info;
  TRY(GrB_Vector_new(member, GrB_BOOL, n));
  TRY(GrB_Vector_select_INT64(core, NULL, NULL, GrB_VALUEGE_INT64, core, least, NULL));
  TRY(GrB_Vector_assign_BOOL(*member, core, NULL, true, GrB_ALL, n, GrB_DESC_S));
out:
  return info;
}

GrB_Info Grid_densest_subgraph(GrB_Vector *member, double *density, GrB_Matrix A) {
  SPAN;
  GrB_Info info;
  GrB_Index n;
  GrB_Matrix S = NULL;
  GrB_Vector core = NULL, found = NULL;
  densest d = {0, 0};

  TRY(check_outputs(member, density, "Grid_densest_subgraph"));
  TRY(square_size(&n, A, "Grid_densest_subgraph"));
  TRY(grid_symmetrize(&S, A, n));
  TRY(grid_neighbor_counts(&core, S, n, false));
  TRY(find_densest(&d, core, S));
  if (member != NULL) TRY(find_members(&found, core, n, d.least));
  if (member != NULL) *member = found, found = NULL;
  if (density != NULL) *density = d.density;
out:
  grid_symmetrize_free(&S, A);
  GrB_Vector_free(&core);
  GrB_Vector_free(&found);
  return info;
}
