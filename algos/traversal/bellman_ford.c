/* Shortest paths from one vertex with weights of either sign, by the method of Bellman and Ford.
 *
 * Each round propagates from the vertices whose distance decreased: one product q min.plus A. Without a
 * cycle of negative weight round n - 1 is the last that changes a distance. Such cycles are searched for
 * earlier, after 16, 32, 64, ... rounds (negative_cycle.c). In a graph that is known to be symmetric an edge
 * of negative weight is such a cycle, traversed in both directions.
 *
 * Sources: Bellman, On a routing problem (1958); Ford, Network flow theory (1956). */
#include "algos/support/paths.h"
#include "algos/checkpoints/resume.h"

enum { FIRST_LOOK = 16 };

/* *lowest: of integers a length that no path undercuts without a cycle of negative weight, the sum of the
 * weights below 0; 0: there are none. Refuses weights that add up to more than an INT64. The next round may
 * add one more weight below 0, so these may add up to half of that. */
static GrB_Info check_sums(int64_t *lowest, double least, GrB_Matrix A, GrB_Index n, const distances *d,
                           const char *call) {
  static const double limit = 9.22e18, rounding = 1e-9; /* of sums, which are less exact than INT64 */
  GrB_Info info = GrB_SUCCESS;
  GrB_Matrix negative = NULL;
  double below = 0, all = 0;
  *lowest = 0;
  if (d->real) return info;
  if (least < 0) {
    TRY(GrB_Matrix_new(&negative, GrB_INT64, n, n));
    TRY(GrB_Matrix_select_INT64(negative, NULL, NULL, GrB_VALUELT_INT64, A, 0, NULL));
    TRY(GrB_Matrix_reduce_FP64(&below, NULL, d->sum, negative, NULL));
  }
  TRY(GrB_Matrix_reduce_FP64(&all, NULL, d->sum, A, NULL));
  if (all - below > limit || -2 * below > limit)
    TRY(grid_refuse(GrB_INVALID_VALUE, call,
                    "the weights above 0 add up to %g and those below 0 to %g; distances are limited to %g",
                    all - below, below, limit));
  *lowest = (int64_t)(below * (1 + rounding));
out:
  GrB_Matrix_free(&negative);
  return info;
}

/* *cycle: an improved distance is below `lowest`. */
static GrB_Info check_lowest(bool *cycle, GrB_Vector q, int64_t lowest) {
  int64_t least = 0;
  if (lowest == 0) return GrB_SUCCESS;
  const GrB_Info info = GrB_Vector_reduce_INT64(&least, GrB_MIN_INT64, GrB_MIN_MONOID_INT64, q, NULL);
  *cycle = least < lowest;
  return info;
}

/* Sets whether a cycle of negative weight can be reached; if none can, t are the distances. */
static GrB_Info run(bool *cycle, GrB_Vector t, GrB_Vector q, GrB_Vector worse, GrB_Matrix A, GrB_Index n,
                    int64_t lowest, checkpoint_key *c, const distances *d) {
  GrB_Info info;
  GrB_Index left, look = FIRST_LOOK, round = 0;
  const Grid_Checkpoint_Item state[] = {{.name = "distance", .vector = t},
                                        {.name = "improved", .vector = q},
                                        {.name = "look", .bytes = &look, .size = sizeof look}};
  *cycle = false;
  TRY(grid_checkpoint_resume(&round, c, state, 3));
  for (;;) {
    TRY(GrB_Vector_nvals(&left, q));
    if (left == 0) break;
    TRY(check_lowest(cycle, q, lowest));
    *cycle = *cycle || round == n;
    if (round == look && !*cycle) {
      TRY(grid_negative_cycle(cycle, A, t, d));
      look *= 2;
    }
    if (*cycle) break;
    TRY(GrB_vxm(q, NULL, NULL, d->min_plus, q, A, NULL));
    TRY(grid_keep_improved(t, q, worse, d));
    TRY(grid_checkpoint_iteration(++round, c, state, 3));
  }
out:
  return info;
}

/* For a symmetric graph: whether an edge of negative weight leaves a vertex that can be reached. */
static GrB_Info negative_edge(bool *cycle, GrB_Matrix A, GrB_Index n, GrB_Index source, const distances *d) {
  GrB_Info info;
  GrB_Vector level = NULL, lightest = NULL;
  GrB_Index reached;
  double least = 0;
  TRY(Grid_bfs(&level, NULL, A, source, -1));
  TRY(GrB_Vector_new(&lightest, d->type, n));
  TRY(GrB_Matrix_reduce_Monoid(lightest, level, NULL, d->min, A, GrB_DESC_S));
  TRY(GrB_Vector_nvals(&reached, lightest));
  if (reached > 0) TRY(GrB_Vector_reduce_FP64(&least, NULL, d->min, lightest, NULL));
  *cycle = least < 0;
out:
  GrB_Vector_free(&level);
  GrB_Vector_free(&lightest);
  return info;
}

GrB_Info Grid_bellman_ford(GrB_Vector *distance, GrB_Vector *parent, bool *negative_cycle, GrB_Matrix A,
                           GrB_Index source) {
  SPAN;
  static const char call[] = "Grid_bellman_ford";
  GrB_Vector t = NULL, q = NULL, worse = NULL, tree = NULL;
  GrB_Info info;
  GrB_Index n;
  distances d;
  Grid_Storage storage;
  checkpoint_key c;
  double least;
  int64_t lowest;
  bool cycle = false;

  if (negative_cycle == NULL)
    return Grid_agree(GrB_NULL_POINTER, "Grid_bellman_ford: negative_cycle is NULL");
  TRY(check_distinct(distance, parent, call));
  TRY(square_size(&n, A, call));
  TRY(check_vertex(source, n, "the source", call));
  TRY(grid_distances_of(&d, A, call));
  TRY(grid_check_weights(&least, &d, A, false, call));
  TRY(check_sums(&lowest, least, A, n, &d, call));
  TRY(grid_checkpoint_key_make(&c, "bellman_ford", A, n));
  c.key[3] = source;
  TRY(Grid_Matrix_storage(&storage, A));
  if (storage.symmetric && least < 0) TRY(negative_edge(&cycle, A, n, source, &d));
  TRY(GrB_Vector_new(&t, d.type, n));
  TRY(GrB_Vector_new(&worse, GrB_BOOL, n));
  TRY(GrB_Vector_setElement_INT64(t, 0, source));
  TRY(GrB_Vector_dup(&q, t));
  if (!cycle) TRY(run(&cycle, t, q, worse, A, n, lowest, &c, &d));
  if (!cycle && parent != NULL) TRY(grid_find_parents(&tree, A, t, source, &d, call));
  *negative_cycle = cycle;
  if (!cycle && parent != NULL) *parent = tree, tree = NULL;
  if (!cycle && distance != NULL) *distance = t, t = NULL;

out:
  GrB_Vector_free(&t);
  GrB_Vector_free(&q);
  GrB_Vector_free(&worse);
  GrB_Vector_free(&tree);
  return info;
}
