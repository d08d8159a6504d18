/* A maximum flow on process 0: the graph goes there, its flow and its cut come back. The flow is the same on
 * any number of processes. */
#include <stdlib.h>

#include "algos/rows/rows_on_process.h"
#include "algos/traversal/max_flow.h"
#include "algos/traversal/push_relabel.h"

typedef struct {
  grid_rows_on_process edges;
  double *capacity; /* the values of edges, later the flow */
  GrB_Index *from;  /* of the edges in use; edges.to and capacity begin with theirs */
  GrB_Index *side;  /* the vertices of the source's side */
  GrB_Index used, vertices;
  grid_push_relabel *r;
} arrays;

/* Lists the vertices that cannot send more to the sink. */
static void list_side(arrays *a, const grid_flow *p) {
  for (GrB_Index v = 0; v < p->n; v++)
    if (!grid_push_relabel_reaches(a->r, v)) a->side[a->vertices++] = v;
}

/* Lists the edges in use, from the flow of all edges. */
static void list_used(arrays *a, const grid_flow *p) {
  for (GrB_Index v = 0; v < p->n; v++)
    for (GrB_Index k = a->edges.start[v]; k < a->edges.start[v + 1]; k++)
      if (a->capacity[k] > 0) {
        a->from[a->used] = v, a->edges.to[a->used] = a->edges.to[k];
        a->capacity[a->used++] = a->capacity[k];
      }
}

/* Local. */
static GrB_Info solve(arrays *a, grid_flow *p) {
  const grid_capacities g = {
      .n = p->n, .start = a->edges.start, .to = a->edges.to, .capacity = a->edges.value};
  a->capacity = a->edges.value;
  a->r = grid_push_relabel_new(&g);
  a->side = malloc((p->n + 1) * sizeof *a->side);
  a->from = malloc((p->with_flow ? p->entries + 1 : 1) * sizeof *a->from);
  if (a->r == NULL || a->side == NULL || a->from == NULL) return GrB_OUT_OF_MEMORY;
  p->value = grid_push_relabel_fill(a->r, p->source, p->sink);
  if (p->with_side) list_side(a, p);
  if (!p->with_flow) return GrB_SUCCESS;
  grid_push_relabel_return(a->r, p->source, p->sink);
  grid_push_relabel_flow(a->capacity, a->r, &g);
  list_used(a, p);
  return GrB_SUCCESS;
}

static GrB_Info build_results(grid_flow *p, const arrays *a) {
  GrB_Info info = GrB_SUCCESS;
  if (p->with_side) {
    TRY(GrB_Vector_new(&p->side, GrB_BOOL, p->n));
    TRY(Grid_Vector_build(p->side, a->side, NULL, NULL, a->vertices, NULL));
  }
  if (p->with_flow) {
    TRY(GrB_Matrix_new(&p->flow, GrB_FP64, p->n, p->n));
    TRY(Grid_Matrix_build(p->flow, a->from, a->edges.to, a->capacity, GrB_FP64, a->used, NULL, 0));
  }
out:
  return info;
}

GrB_Info grid_max_flow_on_one_process(grid_flow *p) {
  arrays a = {.from = NULL};
  GrB_Info info;
  TRY(grid_rows_to_process(&a.edges, p->capacities, sizeof *a.capacity, "Grid_max_flow"));
  TRY(Grid_agree(Grid_rank() == 0 ? solve(&a, p) : GrB_SUCCESS,
                 "Grid_max_flow: no memory for the residual graph"));
  TRY(Grid_bcast(&p->value, sizeof p->value, 0));
  TRY(build_results(p, &a));
out:
  grid_push_relabel_free(a.r);
  grid_rows_on_process_free(&a.edges);
  free(a.from), free(a.side);
  return info;
}
